"""What a test finds of pairs, in columns, some only when read; p-values adjusted."""

from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from .._data._protocol import read_only
from .._inference._multiplicity import adjust_pvalues
from .._inference._problems import Problems
from .._inference._split_stability import stability_columns
from .._inference._validity import check_hypothesis
from .._inference._zero_variance import bounded_interval, full_evaluation
from .._validation import one_warning_of_a_kind
from ._ranking import ENDS, LOG_ENDS
from ._ratios import ratios_of

CHUNK = 2**19  # of residuals: what a chunk needs, and what a call costs, stay small


class PairResults(NamedTuple):
    """What a test finds of some pairs.

    Attributes
    ----------
    test, residuals, evaluation : test, CVResiduals, Evaluation
        The test, and what it finds of which differences.
    ends : list of (low, high)
        Ends of the intervals of the differences, at each level.
    log_ratio, log_ends, mean_second : ndarray of shape (n_pairs,), list or None
        By ratio, the log ratios, the ends of their intervals, and the mean losses of
        the second models; None where differences are compared.
    """

    test: object
    residuals: object
    evaluation: object
    ends: list
    log_ratio: np.ndarray | None = None
    log_ends: list | None = None
    mean_second: np.ndarray | None = None

    @property
    def effect(self):
        """What people read: log ratios by ratio, else differences."""
        if self.log_ratio is None:
            return self.evaluation.estimate
        return self.log_ratio

    @property
    def effect_ends(self):
        """The ends of the intervals of what people read, at each level."""
        return self.ends if self.log_ends is None else self.log_ends


def evaluate_pairs(test, stacks, levels, ratios):
    """Return what a test finds of each pair: common columns, its own, and lazy ones.

    Parameters
    ----------
    test : test
        A checked test.
    stacks : iterable of CVResiduals
        The residuals of pairs.
    levels : sequence of float
        The level of the intervals and, if there are such, of the simultaneous ones.
    ratios : Ratios or None
        What compares the pairs by ratio; None compares them by difference.
    """
    problems = Problems(test)
    lazy_columns = LazyColumns()
    columns = []
    extra_columns = []
    with one_warning_of_a_kind():
        for residuals in stacks:
            lazy_columns.compute()  # so that one stack of residuals is kept at most
            for results in _evaluate(test, residuals, levels, ratios):
                problems.add(results.residuals, results.evaluation)
                lazy_columns.waiting.append(results)
                columns.append(columns_of(results))
                extra_columns.append(_extra_columns_of(results))
    problems.warn()
    return joined(columns), joined(extra_columns), lazy_columns


def joined(chunks):
    """Return dicts of columns as one."""
    columns = {}
    for name in chunks[0]:
        columns[name] = np.concatenate([chunk[name] for chunk in chunks])
    return columns


class LazyColumns:
    """Columns of pairs that are computed when they are first read.

    Few readers plan or pool, and many tables are made only to be counted.
    """

    def __init__(self):
        self.waiting = []  # PairResults
        self._chunks = []

    def compute(self):
        """Compute the columns of what waits."""
        for results in self.waiting:
            evaluation = results.evaluation
            total_error, total_df = results.test.total_error(evaluation)
            values = {"total_error": total_error, "total_df": total_df}
            values |= stability_columns(results.test, results.residuals, evaluation)
            self._chunks.append(_as_columns(values, np.size(evaluation.statistic)))
        self.waiting = []

    def columns(self):
        """Return {name: read-only ndarray of shape (n_pairs,)}."""
        self.compute()
        columns = {}
        for name, values in joined(self._chunks).items():
            columns[name] = read_only(values)
        return columns


def pair_pvalues(test, losses, pairs):
    """Return the p-values of pairs alone, ndarray of shape (n_pairs,)."""
    pvalues = map_pairs(
        test, losses, pairs, (), lambda results: results.evaluation.pvalue
    )
    return np.minimum(pvalues, 1.0)


def map_pairs(test, losses, pairs, levels, read):
    """Return what is read of the PairResults of pairs, ndarray of shape (n_pairs, ...).

    Each pair has levels of its own, arrays of shape (n_pairs,).
    """
    ratios = ratios_of(test, losses)
    values = []
    start = 0
    with one_warning_of_a_kind():
        for residuals in pair_chunks(losses, pairs):
            chunk = slice(start, start + len(residuals.values))
            start = chunk.stop
            levels_of_chunk = [level[chunk] for level in levels]
            for results in _evaluate(test, residuals, levels_of_chunk, ratios):
                values.append(np.atleast_1d(read(results)))
    return np.concatenate(values)


def pair_chunks(losses, pairs):
    """Yield the residuals of pairs in order, some at a time."""
    step = max(CHUNK // len(losses.losses), 1)
    for start in range(0, len(pairs), step):
        residuals = losses.pair_residuals(pairs[start : start + step])
        residuals.check_finite()
        yield residuals


def batches(test, residuals):
    """Return residuals of pairs as the test takes them: all at once, or one by one."""
    if test.traits.vectorised:
        return [residuals]
    return [residuals[number] for number in range(len(residuals.values))]


def _evaluate(test, residuals, levels, ratios=None):
    """Yield the PairResults of a test: of all pairs at once, or of one by one."""
    pairs = None
    if ratios is not None:
        pairs = pair_positions(residuals)
    for number, batch in enumerate(batches(test, residuals)):
        test_of_batch = test
        pairs_of_batch = pairs
        levels_of_batch = levels
        if not test.traits.vectorised:
            test_of_batch = clone(test)
            levels_of_batch = [
                level[number] if np.ndim(level) else level for level in levels
            ]
            if ratios is not None:
                pairs_of_batch = pairs[[number]]
        check_hypothesis(test_of_batch, *batch.value_range)
        evaluation = full_evaluation(test_of_batch, batch)
        yield results_of(
            test_of_batch, batch, evaluation, levels_of_batch, ratios, pairs_of_batch
        )


def pair_positions(residuals):
    """Return the positions of the estimators of pairs, ndarray (n_pairs, 2)."""
    return np.column_stack([residuals.names.first, residuals.names.second])


def results_of(test, residuals, evaluation, levels, ratios=None, pairs=None):
    """Return the PairResults of an evaluation, by difference or by ratio.

    Parameters
    ----------
    test, residuals, evaluation : test, CVResiduals, Evaluation
        The test, and what it finds of which differences.
    levels : sequence of float
        The levels of the intervals.
    ratios, pairs : Ratios and ndarray of shape (n_pairs, 2), default=None
        What compares the pairs by ratio, and their positions.
    """
    bounds = residuals.value_range
    ends = [bounded_interval(test, evaluation, level, bounds) for level in levels]
    results = PairResults(test, residuals, evaluation, ends)
    if ratios is None:
        return results
    if test.traits.region:
        evaluation = evaluation.state.difference.evaluation
    return results._replace(
        log_ratio=ratios.log_ratios(pairs),
        log_ends=ratios.log_intervals(pairs, residuals, evaluation, levels),
        mean_second=ratios.mean_losses(pairs[:, 1]),
    )


def columns_of(results):
    """Return PairResults as arrays of one length.

    By ratio, there are log ratios and their ends beside the differences.
    """
    evaluation = results.evaluation
    n_pairs = np.size(evaluation.statistic)
    values = {
        "estimate": evaluation.estimate,
        "standard_error": evaluation.standard_error,
        "statistic": evaluation.statistic,
        "pvalue": np.minimum(evaluation.pvalue, 1.0),
        "rho": evaluation.rho,
        "rho_alpha": evaluation.rho_alpha,
    }
    intervals = [*zip(ENDS, results.ends, strict=False)]
    if results.log_ratio is not None:
        values["log_ratio"] = results.log_ratio
        values["mean_second"] = results.mean_second
        intervals += zip(LOG_ENDS, results.log_ends, strict=False)
    for (name_of_low, name_of_high), (low, high) in intervals:
        values[name_of_low] = low
        values[name_of_high] = high
    columns = _as_columns(values, n_pairs)
    df = np.asarray(evaluation.df)
    shape = (n_pairs, *df.shape) if isinstance(evaluation.df, tuple) else (n_pairs,)
    columns["df"] = np.array(np.broadcast_to(df, shape))
    return columns


def _extra_columns_of(results):
    """Return what else a test has to say, as arrays of one length."""
    evaluation = results.evaluation
    return _as_columns(evaluation.columns, np.size(evaluation.statistic))


def _as_columns(values, n_pairs):
    columns = {}
    for name, value in values.items():
        columns[name] = np.full(n_pairs, value, np.float64)
    return columns


# The p-values of a table of pairs, adjusted for the number of pairs ----------


def adjust_pairs(p_adjust, pvalues):
    """Return adjusted p-values of pairs, in their order."""
    return pvalues if p_adjust is None else adjust_pvalues(pvalues, p_adjust)


def common_df(evaluation):
    """Return the degrees of freedom that the statistics of many pairs share.

    Where each pair has its own, its p-value is turned into a normal score.
    """
    return evaluation.df if np.ndim(evaluation.df) == 0 else np.inf


def null_blocks(test, residuals):
    """Return rows whose t statistics at ρ = 0 equal the test's at its ρ.

    For exchangeable block means with parameter ρ, the mean divided by 1/√(1-ρ) and the
    deviations from it behave like independent blocks: [GB06] (Grandvalet and Bengio
    2006), eq. (9). Rows of differences that are rounding are zero.
    """
    evaluation = test.evaluate(residuals)
    blocks = residuals.block_means
    deviations = blocks - blocks.mean(axis=1, keepdims=True)
    deviations[evaluation.standard_error == 0] = 0
    estimates = evaluation.estimate - test.popmean
    means = np.sqrt(1 - evaluation.rho) * np.where(
        evaluation.statistic == 0, 0, estimates
    )
    return deviations + means[:, np.newaxis]
