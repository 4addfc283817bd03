"""Warnings of tests about the residuals they are given, for many pairs at once."""

from typing import NamedTuple

import numpy as np
from scipy import special

from .._data._clusters import UNEQUAL, cluster_moments, effective_number
from .._data._protocol import rows_by_example
from .._splits._groups import MIN_GROUPS
from .._validation import one_line, warn
from ..exceptions import (
    DegenerateResidualsWarning,
    HeavyTailedResidualsWarning,
    HighRhoWarning,
    InfluentialExamplesWarning,
    UnequalGroupsWarning,
)
from ._student import MIN_INFORMATIVE, ROUNDING, relative_skewness
from ._visible_rho import visible_rho

# One tail of a studentised mean with this skewness is about twice as heavy as the
# normal's (Edgeworth), and Hall's transform takes away a part of that only; for fewer
# residuals the skewness tells little.
MAX_SKEWNESS = 0.25
MIN_FOR_SKEWNESS = 40
# L-skewness of absolute errors: 0.20 if they are normal. Where it is larger for both
# models, squared errors made tests reject 13 to 21% (docs/data/heavy_tails.csv).
MAX_TAIL = 0.31
BOUNDED = (
    "a bounded loss ('clipped_squared_error(limit)' for numbers, 'brier' or 'zero_one' "
    "for classes)"
)
FEW = 10  # examples that differ from all others; the mean of so few is not normal
# Groups that weigh like fewer than these, and like fewer than UNEQUAL of their number,
# made tests reject 8 to 32% (normal residuals, 10 to 200 groups).
MIN_EFFECTIVE = 15
# Runs of a repeated K-fold from which the influence of an example can be told, and the
# probability that the largest of n is called so by chance.
MIN_RUNS = 20
FALSE_ALARMS = 0.01
# A ρ that is seen in repeats is called high above the largest that Grandvalet and
# Bengio (2006) saw, so many standard deviations from 0 (docs/data/hard_classes.csv).
HIGH_RHO, CLEARLY = 0.7, 4


class _SkewnessSums(NamedTuple):
    """What the skewness of a mean is computed from, as ExampleMoments has it."""

    squares: np.ndarray
    cubes: np.ndarray
    n_examples: int


class Problems:
    """Problems of a test, noted for many pairs and reported once for each kind.

    The warning names the first pair and says how many others there are.
    """

    def __init__(self, test):
        self.test = test
        self.messages, self.counts = {}, {}

    def note(self, residuals, evaluation):
        """Look for problems in tested residuals, over any leading axes."""
        infinite = np.isinf(np.asarray(evaluation.statistic, dtype=np.float64))
        self._note(infinite, residuals, _no_variance, evaluation)
        full = residuals.whole
        self._note_weights(full)
        caution = self.test.caution(residuals.design)
        if caution:
            self.messages[_caution], self.counts[_caution] = caution, 1
        if not residuals.per_example:
            return
        n_distinct = full.n_groups
        if n_distinct is None:
            n_distinct = min(full.n_values, full.n_samples or full.n_values)
        if self.test.traits.assumes_normality and n_distinct >= MIN_FOR_SKEWNESS:
            self._note_skewness(full, n_distinct)
        if full.row_index is not None:
            self._note_runs(full)

    def _note_runs(self, full):
        """Look for what only runs that differ in their folds can show."""
        design, is_known = full.design, np.zeros(full.values.shape[:-1], dtype=bool)
        if design.n_repeats >= MIN_RUNS:
            largest, bound = largest_influence(full)
            is_known = largest > bound
            self._note(is_known, full, _influential, largest)
        is_repeated = design.kind == "repeated k-fold" and (design.n_splits or 0) > 2
        if is_repeated and full.groups is None:
            rho, z = visible_rho(full, rows_by_example(full.row_index))
            is_high = (rho > HIGH_RHO) & (z > CLEARLY) & ~is_known
            self._note(is_high, full, _high_rho, rho)

    def _note_weights(self, residuals):
        """Look for groups or test sets that are very unequal, for all pairs at once."""
        message = ""
        if self.test.traits.weighs == "splits":
            message = _unequal_splits(self.test, residuals)
        elif residuals.groups is not None:
            message = _unequal_groups(self.test, residuals)
        if message:
            self.messages[_unequal_groups], self.counts[_unequal_groups] = message, 1

    def _note_skewness(self, full, n_distinct):
        skewness = np.array(_skewness(full, n_distinct))
        n_different = np.array(_count_errors(full, n_distinct))
        few = (n_different > 0) & (n_different < FEW)
        # A difference of two losses that is as often negative as positive keeps its
        # level whatever their number; a loss, or a difference from a margin, does not.
        if self.test.popmean == 0 and full.is_difference:
            few &= np.abs(skewness) > MAX_SKEWNESS
        steep = np.array((np.abs(skewness) > MAX_SKEWNESS) & (n_different > 0))
        # of up to 15 errors in one direction
        few |= steep & (n_different < MIN_INFORMATIVE)
        self._note(few, full, _few_errors, n_different)
        if full.is_difference and full.error_tail is not None:
            tail = np.array(full.error_tail)
            self._note((tail > MAX_TAIL) & ~few, full, _heavy_errors, tail)
            return
        self._note(steep & ~few, full, _heavy_tails, skewness * np.sqrt(n_distinct))

    def _note(self, mask, residuals, describe, detail):
        where = np.flatnonzero(mask)
        if not where.size:
            return
        self.counts[describe] = self.counts.get(describe, 0) + where.size
        if describe not in self.messages:
            first, shown = (), residuals
            if np.ndim(mask):
                first, shown = where[0], residuals[where[0]]
            of = f" of {one_line(' - '.join(shown.names))}" if shown.names else ""
            self.messages[describe] = describe(self.test, shown, of, first, detail)

    def warn(self, kinds=(UserWarning,), of="pair", ending=""):
        """Issue a warning of each kind that was noted."""
        for describe, message in self.messages.items():
            if not issubclass(CATEGORIES[describe], kinds):
                continue
            others = self.counts[describe] - 1
            shown = of if others == 1 else f"{of}s"
            also = f" (The same holds for {others} other {shown}.)" if others else ""
            warn(message + ending + also, CATEGORIES[describe])


def _is_averaged(full):
    return full.design.n_repeats > 1 and full.row_index is not None


def _skewness(full, n_distinct):
    """Return the skewness of the mean, of `n_distinct` examples."""
    if full.groups is not None:
        return cluster_moments(full.values, full.groups).skewness[()]
    if _is_averaged(full):
        return relative_skewness(full.example_moments)
    moments, share = full.block_moments, n_distinct / full.n_values
    squares, cubes = moments.total_squares * share, moments.total_cubes * share
    return relative_skewness(_SkewnessSums(squares, cubes, n_distinct))


def _count_errors(full, n_distinct):
    """Return about how many examples differ from all others; all, of groups.

    By more than rounding. If fewer than half of 39 do, the median of any 39 is what the
    others have in common.
    """
    if full.groups is not None:
        return np.full(full.values.shape[:-1], n_distinct)
    values, share = full.values, n_distinct / full.n_values
    if _is_averaged(full):
        values, share = full.example_means, 1.0
    common = np.median(values[..., :39], axis=-1, keepdims=True)
    rounding = ROUNDING * np.expand_dims(full.largest, -1)
    is_different = (values < common - rounding) | (values > common + rounding)
    return share * np.count_nonzero(is_different, axis=-1)


def largest_influence(residuals):
    """Return the largest influence of an example on the others, and its bound.

    What the residuals of the others are, on average over runs, higher or lower where an
    example is in their test set and so not trained on, over the standard deviation of
    that over examples: an array of shape (...) and a float. One example on which the
    models depend so much makes ρ large.
    """
    _, example = np.unique(residuals.row_index, return_inverse=True)
    n = example.max() + 1
    n_runs = len(example) / n
    values = residuals.values
    averages = _sum_by(values, example) / n_runs
    noise = values - averages[..., example]
    split = residuals.row_split
    size = np.bincount(split)[split]
    others = (_sum_by(noise, split)[..., split] - noise) / np.maximum(size - 1, 1)
    influence = _sum_by(others, example)
    spread = influence.std(axis=-1)
    largest = np.abs(influence).max(axis=-1) / np.where(spread > 0, spread, np.inf)
    return largest, -special.ndtri(FALSE_ALARMS / 2 / n)


def _sum_by(values, codes):
    """Return the sums of values (..., n) that have the same code."""
    rows = values.reshape(-1, values.shape[-1])
    sums = np.array([np.bincount(codes, weights=row) for row in rows])
    return sums.reshape(*values.shape[:-1], -1)


def _caution(test):
    """Stand for what a test says of its design."""


def _unequal_splits(test, residuals):
    """Return what a test of means of splits says of very unequal test sets, or ""."""
    sizes = residuals.n_test
    if sizes is None or len(sizes) < 2:
        return ""
    effective = effective_number(np.arange(len(sizes)), sizes)
    if effective >= UNEQUAL * len(sizes):
        return ""
    what = "" if residuals.per_example else "a loss of single examples and "
    advice = (
        f"To weigh examples equally, use {what}a test of single examples, such as "
        "KFoldZTest."
    )
    if residuals.groups is not None and residuals.n_groups < MIN_GROUPS:
        advice = (
            f"For {residuals.n_groups} groups no test weighs examples equally; if they "
            "are sites, see the difference at each: `result.by(groups)`."
        )
    return (
        f"{type(test).__name__}: all splits weigh the same, though the test sets have "
        f"{sizes.min()} to {sizes.max()} examples. An example in a small one counts "
        f"for more. {advice}"
    )


def _unequal_groups(test, residuals):
    """Return what a test of single examples says of very unequal groups, or ""."""
    traits = test.traits
    if traits.weighs == "groups":
        return ""
    effective, n_groups = effective_number(residuals.groups), residuals.n_groups
    if effective >= min(UNEQUAL * n_groups, MIN_EFFECTIVE):
        return ""
    share = np.bincount(residuals.groups).max() / residuals.n_values
    is_split = residuals.design.kind == "holdout"
    advice = f"Use {'HoldoutTTest' if is_split else 'KFoldZTest'}(weights='groups')"
    if traits.equal_groups:
        advice = f"Use `{traits.equal_groups}`"
    allows = traits.allows_unequal_groups
    what = "allows for that, at the cost of power" if allows else "rejects too often"
    return (
        f"{type(test).__name__}: the {n_groups} groups are very unequal (the largest "
        f"has {share:.0%} of the examples) and hold as much information as "
        f"{effective:.1f} equal ones. The test {what}. {advice} to weigh groups "
        f"equally{'' if allows else ', which keeps the level'}."
    )


def _no_variance(test, residuals, of, number, evaluation):
    statistic = np.asarray(evaluation.statistic)[number]
    pvalue = np.asarray(evaluation.pvalue)[number]
    return (
        f"{type(test).__name__}: the residuals{of} have no variance, so the statistic "
        f"is {statistic} (p = {pvalue:g}). Check that there are enough test examples."
    )


def _few_errors(test, residuals, of, number, n_different):
    count = round(float(n_different[number]))
    examples = "example differs" if count == 1 else "examples differ"
    return (
        f"{type(test).__name__}: in the residuals{of} only about {count} {examples} "
        "from the rest. With so few errors the test may reject too often. Use more "
        "examples."
    )


def _heavy_tails(test, residuals, of, number, skewness):
    values = residuals.values
    distances = np.sort(np.abs(values - np.median(values)))
    n_largest = int(np.ceil(0.05 * len(values)))
    share = distances[-n_largest:].sum() / distances.sum()
    is_bounded = np.isfinite(residuals.value_range).all()
    advice = "" if is_bounded else f"Use {BOUNDED}"
    if test.traits.corrects_skewness:
        advice = f"{advice or 'Use more examples'}."
    else:
        advice = f"{advice}; or " if advice else "Use "
        advice += "IntegratedRhoTest on a K-fold, which corrects it."
    return (
        f"{type(test).__name__}: the residuals{of} are heavy-tailed (skewness "
        f"{skewness[number]:.1f}; the largest 5% of deviations make up {share:.0%} of "
        f"their sum). The test may reject too often. {advice}"
    )


def _heavy_errors(test, residuals, of, number, tails):
    return (
        f"{type(test).__name__}: the errors behind the residuals{of} are heavy-tailed "
        f"(L-skewness {np.asarray(tails)[number]:.2f}; normal errors have 0.20). "
        "A few large errors decide the mean of squares, and the test may reject too "
        "often. Use a loss such as 'absolute_error' or 'huber(delta)' and, with "
        "outliers in y, models that are not fitted by least squares."
    )


def _influential(test, residuals, of, number, largest):
    return (
        f"{type(test).__name__}: a single example changes the residuals{of} on the "
        f"others by {np.asarray(largest)[number]:.1f} standard deviations more than "
        "usual. ρ is then above 0.7, and tests reject too often. Look for outliers in "
        "X."
    )


def _high_rho(test, residuals, of, number, rho):
    return (
        f"{type(test).__name__}: the runs show a ρ of about "
        f"{np.asarray(rho)[number]:.2f} in the residuals{of}, more than the test "
        "assumes. It then rejects too often. Take logarithms of skewed features, leave "
        "out outliers and features that hardly vary within a class, or use "
        "PairedHalves, whose test does not depend on ρ."
    )


CATEGORIES = {
    _unequal_groups: UnequalGroupsWarning,
    _caution: UserWarning,
    _no_variance: DegenerateResidualsWarning,
    _few_errors: HeavyTailedResidualsWarning,
    _heavy_tails: HeavyTailedResidualsWarning,
    _heavy_errors: HeavyTailedResidualsWarning,
    _influential: InfluentialExamplesWarning,
    _high_rho: HighRhoWarning,
}
