"""The test of each value of a label: of all examples, the comparison itself."""

from dataclasses import replace
from functools import partial

import numpy as np
from sklearn.base import clone

from .._data._moments import cluster_sums, count_different, largest_magnitude
from .._data._residuals import rows_of
from .._inference._multiplicity import interval_levels
from .._inference._problems import Problems
from .._inference._traits import OF_EXAMPLES, TESTS
from .._inference._zero_variance import apply_zero_variance_rule
from .._pairs._ratios import losses_alone
from .._pairs._tested import (
    adjust_pairs,
    batches,
    columns_of,
    joined,
    pair_positions,
    results_of,
)
from .._splits._design import DesignKind, runs_of_k_fold
from .._splits._groups import MIN_GROUPS, has_repeated_groups
from .._validation import keep_warnings, one_warning_of_a_kind, warn
from ..exceptions import HeavyTailedResidualsWarning

MIN_EXAMPLES = 10
MAX_NAMES = 10  # of labels in a warning
MIN_DIFFERENT = 10  # of fewer, one of ten intervals missed its difference in 23%
COLUMNS = ("estimate", "ci_low", "ci_high", "statistic", "df", "pvalue")
RATIOS = ("log_ratio", "log_ratio_ci_low", "log_ratio_ci_high")

SPARSE = (
    f"For {{}} fewer than {MIN_DIFFERENT} examples differ from the common value. "
    "Intervals based on so few are too narrow; a difference of zero there is not "
    "evidence of no difference."
)


def tests_of_labels(test, residuals, codes, values, alpha, ratios, p_adjust):
    """Test the residuals of pairs for each value of a label.

    Parameters
    ----------
    test : test
        The test of the comparison.
    residuals : CVResiduals
        The residuals of the pairs.
    codes : ndarray of shape (n_samples,)
        The label of each example, as a position in `values`.
    values : ndarray of shape (n_labels,)
        The labels, for warnings.
    alpha : float
        Level of the intervals.
    ratios : Ratios or None
        What compares the pairs by ratio; None compares them by difference.
    p_adjust : str or None
        How p-values, and intervals with them, are adjusted.

    Returns
    -------
    found : dict
        "test"; "n_examples" and "n_groups" of shape (n_labels,), of tested ones and 0
        without groups; and COLUMNS, by ratio also RATIOS, the adjusted p-values and the
        ends of intervals that go with them, of shape (n_labels, n_pairs): nan for
        labels of too few examples or groups, which a warning names.
    """
    full = _of_whole_sample(residuals)
    counts = _LabelCounts(full, codes, len(values))
    if counts.examples.max() == counts.examples.sum():  # of all: the comparison itself
        counts.is_enough |= counts.examples > 0
        full = residuals
        evaluate = _evaluate_all
    else:
        test, evaluate = _how_to_test(test, full, codes, counts)
    row_code = codes[full.row_index]
    columns, n_different = _test_labels(
        test, evaluate, full, row_code, counts, alpha, ratios, p_adjust
    )
    sparse = {}
    for code, n_differ in n_different.items():
        if n_differ < MIN_DIFFERENT:
            sparse[code] = f"{n_differ} of {counts.examples[code]}"
    _warn_of(values, sparse, SPARSE, HeavyTailedResidualsWarning)
    few = {}
    for code in np.flatnonzero(~counts.is_enough):
        few[code] = f"{counts.examples[code]} examples"
        if counts.groups[code]:
            few[code] += f" of {counts.groups[code]} groups"
    text = (
        f"Too few examples or groups for a test of {{}}: there must be {counts.needed},"
        f" and {MIN_GROUPS} groups or one."
    )
    _warn_of(values, few, text, UserWarning)
    sizes = {"n_examples": counts.examples, "n_groups": counts.groups}
    return sizes | {"test": test} | columns


def _test_labels(test, evaluate, residuals, row_code, counts, alpha, ratios, p_adjust):
    """Test the labels with enough examples; `row_code` is the label of each residual.

    Return columns of shape (n_labels, n_pairs), nan for the others, and how many
    examples of each label tested differ, by its code.
    """
    all_pairs = pair_positions(residuals)
    results_of_label = {}
    problems = Problems(test)
    n_different = {}
    with one_warning_of_a_kind():
        for code in np.flatnonzero(counts.is_enough):
            rows = row_code == code
            _, example = np.unique(residuals.row_index[rows], return_inverse=True)
            sums = cluster_sums(residuals.values[:, rows], example)
            n_different[code] = count_different(sums / np.bincount(example)).min()
            of_label = _ratios_of_label(ratios, test, evaluate, residuals, rows)
            results_of_label[code] = []
            for number, (batch, evaluation) in enumerate(
                evaluate(test, residuals, rows)
            ):
                evaluation = apply_zero_variance_rule(test, batch, evaluation)
                pairs = all_pairs if batch.values.ndim > 1 else all_pairs[[number]]
                options = {"ratios": of_label, "pairs": pairs}
                results = partial(results_of, test, batch, evaluation, **options)
                results_of_label[code].append(results)
                if n_different[code] >= MIN_DIFFERENT:  # others are named
                    problems.add(batch, evaluation)
    problems.warn()
    shape = len(counts.examples), len(all_pairs)
    names = COLUMNS if ratios is None else (*COLUMNS, *RATIOS)
    columns_at = partial(_columns_at, test, results_of_label, names, shape)
    columns = columns_at(alpha)
    is_tested = np.isfinite(columns["pvalue"])
    adjusted = columns["pvalue"].copy()
    levels = np.full(shape, np.nan)
    if is_tested.any():
        pvalues = adjusted[is_tested]
        adjusted[is_tested] = adjust_pairs(p_adjust, pvalues)
        levels[is_tested] = interval_levels(
            pvalues, adjusted[is_tested], alpha, p_adjust
        )
    columns["pvalue_adjusted"] = adjusted
    ends = [name for name in names if "ci_" in name]
    simultaneous = {f"{name}_simultaneous": np.full(shape, np.nan) for name in ends}
    for level in np.unique(levels[is_tested]):
        at_level = columns_at(level)
        rows = levels == level
        for name in ends:
            simultaneous[f"{name}_simultaneous"][rows] = at_level[name][rows]
    return columns | simultaneous, n_different


def _columns_at(test, results_of_label, names, shape, level):
    """Return columns of all labels, with the intervals that go with a level."""
    columns = {name: np.full(shape, np.nan) for name in names}
    for code, batches_of_label in results_of_label.items():
        levels = (test.interval_level(level),)
        of_label = joined([columns_of(results(levels)) for results in batches_of_label])
        for name in names:  # of two degrees of freedom, the denominator's
            columns[name][code] = of_label[name].reshape(shape[1], -1)[:, -1]
    return columns


def _ratios_of_label(ratios, test, evaluate, residuals, rows):
    """Return the Ratios of the rows of a label, None if differences are compared."""
    if ratios is None:
        return None
    losses = ratios.losses
    alone = losses_alone(losses, np.arange(len(losses.estimator_names)))
    alone = alone if residuals.design == alone.design else _of_whole_sample(alone)
    if test.traits.region:
        test = test.of_difference()
    with keep_warnings():  # about losses, by which nothing is decided
        evaluations = [evaluation for _, evaluation in evaluate(test, alone, rows)]
    return ratios.of_rows(test, evaluations)


class _LabelCounts:
    """Tested examples and groups of each label, and whether they are enough."""

    def __init__(self, residuals, codes, n_labels):
        index, first = np.unique(residuals.row_index, return_index=True)
        tests = np.bincount(residuals.row_index, minlength=len(codes))[index]
        most = np.zeros(n_labels)
        fewest = np.full(n_labels, np.inf)
        np.maximum.at(most, codes[index], tests)
        np.minimum.at(fewest, codes[index], tests)
        self.is_even = most <= fewest  # whether all examples are tested equally often
        self.examples = np.bincount(codes[index], minlength=n_labels)
        self.groups = np.zeros(n_labels, dtype=np.intp)
        self.is_enough = self.examples >= MIN_EXAMPLES
        self.needed = f"{MIN_EXAMPLES} examples"
        if residuals.groups is not None:
            groups = residuals.groups[first]
            self.groups = _count_distinct(groups, codes[index], n_labels)
            # one group, such as a site: the difference is about this very group
            self.is_enough &= (self.groups >= MIN_GROUPS) | (self.groups == 1)

    def lack(self, requirement, is_met):
        """Leave out labels of which the examples do not meet a condition."""
        if not is_met[self.is_enough].all():
            self.is_enough &= is_met
            self.needed += f" {requirement}"


# Which test, of what -------------------------------------------------------------


def _how_to_test(test, full, codes, counts):
    """Return by which test labels are tested, and what evaluates it on the rows of one.

    By the test of the comparison, on the rows of a label or on what they contribute to
    the splits, where it has such a form; otherwise by the package's test of single
    examples.
    """
    traits = test.traits
    design_kind = full.design.kind
    if design_kind == DesignKind.TIME_SERIES:
        return test, _evaluate_series
    takes = design_kind in traits.designs and (
        traits.vectorised or not traits.needs_examples
    )
    if takes and not traits.needs_examples:
        row_code = codes[full.row_index]
        n_splits = full.row_split[-1] + 1
        present = _count_distinct(full.row_split, row_code, len(counts.examples))
        is_spread = present >= max(n_splits / 2, 2)
        is_enough = counts.is_enough
        if is_spread[is_enough].all() or not counts.is_even[is_enough].all():
            counts.lack("in half of the splits", is_spread)
            return test, _evaluate_shares
    counts.lack("tested equally often", counts.is_even)
    if takes and traits.needs_examples:  # but a label may lack blocks
        test = clone(test).set_params(**traits.for_single_examples)
        return test, _evaluate_rows
    options = {"alpha": test.alpha, "rho": full.rho}
    if traits.is_directed:
        options |= {"alternative": test.alternative, "popmean": test.popmean}
    return TESTS[OF_EXAMPLES](**options), _evaluate_rows


def _count_distinct(values, codes, n_codes):
    """Return how many different values go with each code."""
    cells = np.unique(np.column_stack([codes, values]), axis=0)
    return np.bincount(cells[:, 0], minlength=n_codes)


def _of_whole_sample(residuals):
    """Return the residuals of the splits of the whole sample: one or more K-folds."""
    full = residuals.runs()[0]
    design = residuals.design
    if full.design == design.outer:
        return full
    rows = np.isin(residuals.row_split, design.full)
    return _keep(residuals, rows, design.outer)


def _evaluate_all(test, residuals, rows=None):
    """Return what the test finds of residuals, of all pairs at once or one by one."""
    return [(batch, test.evaluate(batch)) for batch in batches(test, residuals)]


def _evaluate_rows(test, residuals, rows):
    """Return the evaluation of the examples of a label, as if they were all.

    Given the label, their number does not depend on the splits: each is tested once in
    every repeat. So the mean of a label and its variance, θ̂_R + ρ/(1-ρ) θ̂_1, are as
    in a sample without other labels. An example that is in no group is one of its own,
    so that Student's t takes the place of the normal distribution: a label may have
    few.
    """
    n_runs = np.count_nonzero(residuals.row_index[rows] == residuals.row_index[rows][0])
    design = residuals.design
    if not design.kind.has_one_test_set:
        design = runs_of_k_fold(design.n_splits, n_runs)
    subset = _keep(residuals, rows, design)
    if design.kind == DesignKind.HOLDOUT:
        return [(subset, test.evaluate(subset))]
    units = np.unique(subset.row_index, return_inverse=True)[1]
    of_units = replace(subset, groups=units if subset.groups is None else subset.groups)
    return [(subset, test.evaluate(of_units))]


def _keep(residuals, rows, design):
    """Return some residuals, with a design of their own."""
    split = np.unique(residuals.row_split[rows], return_inverse=True)[1]
    index = residuals.row_index[rows]
    groups = residuals.groups
    if groups is not None:
        groups = np.unique(groups[rows], return_inverse=True)[1]
        is_one = groups.max() == 0  # its examples are all that is known of it
        groups = None if is_one or not has_repeated_groups(groups) else groups
    return replace(
        residuals,
        values=residuals.values[:, rows],
        second_losses=rows_of(residuals.second_losses, rows),
        row_split=split,
        n_train=None,
        n_test=np.bincount(split),
        row_index=index,
        groups=groups,
        n_samples=len(np.unique(index)),
        rests_on=len(np.unique(index if groups is None else groups)),
        design=design,
        split_hash=None,
    )


def _evaluate_shares(test, residuals, rows):
    """Return the evaluation of what the examples of a label contribute to the splits.

    With p_j the share of test set j that has the label and a_j the sum of its
    differences over the size of the test set, the mean is the ratio d = Σa_j/Σp_j, and
    the splits have the values d + (a_j - d p_j)/p̄, but for terms of second order
    (linearisation of a ratio). With one label for all, they are the block means.
    """
    split = residuals.row_split
    values = residuals.values
    sizes = np.bincount(split)
    shares = np.bincount(split[rows], minlength=len(sizes)) / sizes
    sums = cluster_sums(np.where(rows, values, 0.0), split) / sizes
    mean = sums.sum(axis=-1, keepdims=True) / shares.sum()
    subset = replace(
        residuals,
        values=mean + (sums - mean * shares) / shares.mean(),
        second_losses=None,
        row_split=np.arange(len(sizes)),
        per_example=False,
        row_index=None,
        groups=None,
        magnitude=largest_magnitude(values),
        split_hash=None,
    )
    return _evaluate_all(test, subset)


def _evaluate_series(test, residuals, rows):
    """Return the test of the mean at the times of a label."""
    return [(residuals, test.evaluate_times(residuals, rows))]


def _warn_of(values, notes, text, category):
    """Name labels in a warning, each with its note."""
    if not notes:
        return
    label_texts = []
    for label, note in zip(values[list(notes)].tolist(), notes.values(), strict=True):
        label_texts.append(f"{label!r} ({note})")
    names = ", ".join(label_texts[:MAX_NAMES])
    n_others = len(label_texts) - MAX_NAMES
    if n_others > 0:
        names += f" and {n_others} others"
    warn(text.format(names), category)
