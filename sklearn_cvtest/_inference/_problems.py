"""Warnings of tests about the residuals they are given, for many pairs at once."""

import numpy as np

from .._data._clusters import UNEQUAL, cluster_moments, effective_number
from .._data._moments import count_untypical
from .._splits._design import DesignKind
from .._splits._groups import MIN_GROUPS
from .._validation import warn
from ..exceptions import (
    DegenerateResidualsWarning,
    FewExamplesWarning,
    HeavyTailedResidualsWarning,
    UnequalGroupsWarning,
)
from . import _test_warnings as texts
from ._student import MIN_INFORMATIVE, relative_skewness

# One tail of a studentised mean with this skewness is about twice as heavy as the
# normal's (Edgeworth); for fewer residuals the skewness tells little.
MAX_SKEWNESS = 0.25
MIN_FOR_SKEWNESS = 40
VERY_FEW = 3  # examples, which show nothing of how differences are distributed
FEW = 10  # examples that differ from all others; the mean of so few is not normal
# Groups that weigh like fewer than these, and like fewer than UNEQUAL of their number,
# made tests reject 8 to 32% (normal residuals, 10 to 200 groups).
MIN_EFFECTIVE = 15


class Problems:
    """Problems of a test, collected of many pairs and reported once for each kind.

    The warning names the first pair and says how many others there are.
    """

    def __init__(self, test):
        self.test = test
        self.test_name = type(test).__name__
        self.messages = {}  # {kind: (category, message)}
        self.counts = {}  # {kind: number of pairs}

    def add(self, residuals, evaluation):
        """Look for problems in tested residuals, over any leading axes."""
        infinite = np.isinf(np.asarray(evaluation.statistic, dtype=np.float64))
        infinite &= ~np.asarray(residuals.identical)  # which is a result of its own
        self._add_pairs(
            "no variance",
            DegenerateResidualsWarning,
            texts.no_variance,
            infinite,
            residuals,
            pvalue=evaluation.pvalue,
        )
        full = residuals.whole
        if self.test.traits.weighs == "splits":
            self._add_splits(full)
        elif self.test.traits.weighs == "examples" and full.groups is not None:
            self._add_groups(full)
        if not residuals.per_example:
            return
        n_distinct = full.n_groups
        if n_distinct is None:
            n_distinct = min(full.n_values, full.n_samples or full.n_values)
        is_compared = full.rests_on is not None and full.groups is None
        is_compared &= self.test.traits.assumes_normality
        if is_compared and n_distinct <= VERY_FEW:
            message = texts.few_examples(self.test_name, n_distinct)
            self._add_message("few examples", FewExamplesWarning, message)
        if self.test.traits.assumes_normality and n_distinct >= MIN_FOR_SKEWNESS:
            self._add_skewness(full, n_distinct)

    def _add_splits(self, residuals):
        """Look for very unequal test sets, of a test of means of splits."""
        sizes = residuals.n_test
        if sizes is None:
            return
        if effective_number(np.arange(len(sizes)), sizes) >= UNEQUAL * len(sizes):
            return
        advice = texts.advice_to_weigh_examples(residuals.per_example)
        if residuals.groups is not None and residuals.n_groups < MIN_GROUPS:
            advice = texts.advice_for_few_groups(residuals.n_groups)
        message = texts.unequal_splits(self.test_name, sizes.min(), sizes.max(), advice)
        self._add_message("unequal splits", UnequalGroupsWarning, message)

    def _add_groups(self, residuals):
        """Look for very unequal groups, of a test of single examples."""
        effective = effective_number(residuals.groups)
        n = residuals.n_groups
        if effective >= min(UNEQUAL * n, MIN_EFFECTIVE):
            return
        share = np.bincount(residuals.groups).max() / residuals.n_values
        option = "KFoldZTest(weights='groups')"
        if self.test.traits.equal_groups:
            option = f"`{self.test.traits.equal_groups}`"
        elif residuals.design.kind == DesignKind.HOLDOUT:
            option = "HoldoutTTest(weights='groups')"
        text = texts.unequal_groups
        if self.test.traits.allows_unequal_groups:
            text = texts.unequal_groups_allowed_for
        message = text(self.test_name, n, share, effective, option)
        self._add_message("unequal groups", UnequalGroupsWarning, message)

    def _add_skewness(self, full, n_distinct):
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
        self._add_pairs(
            "few errors",
            HeavyTailedResidualsWarning,
            texts.few_errors,
            few,
            full,
            n_different=n_different,
        )
        if full.is_ratio_scale and self.test.popmean == 0:
            return  # whose interval is of the ratio, which tails do not shorten
        self._add_pairs(
            "heavy tails",
            HeavyTailedResidualsWarning,
            texts.heavy_tails,
            steep & ~few,
            full,
            _describe_tails,
            skewness=skewness * np.sqrt(n_distinct),
        )

    def _add_pairs(
        self, problem, category, text, mask, residuals, describe=None, **numbers
    ):
        """Add the pairs where `mask` is true, with numbers of the first of them.

        `text` makes the message of these numbers, and of those that `describe` finds in
        the residuals of that pair.
        """
        positions = np.flatnonzero(mask)
        if not positions.size:
            return
        if problem not in self.messages:
            first = ()
            pair = residuals
            if np.ndim(mask):
                first = positions[0]
                pair = residuals[first]
            details = {name: np.asarray(v)[first] for name, v in numbers.items()}
            if describe is not None:
                details |= describe(pair)
            message = text(self.test_name, pair.names, **details)
            self._add_message(problem, category, message)
            self.counts[problem] = 0
        self.counts[problem] += positions.size

    def _add_message(self, problem, category, message):
        self.messages[problem] = category, message
        self.counts[problem] = 1

    def warn(self):
        """Issue a warning of each kind that was added."""
        for problem, (category, message) in self.messages.items():
            others = self.counts[problem] - 1
            nouns = "pair" if others == 1 else "pairs"
            also = f" (The same holds for {others} other {nouns}.)" if others else ""
            warn(message + also, category)


def _describe_tails(residuals):
    """Return how much the largest deviations make up, and what to do."""
    values = residuals.values
    distances = np.sort(np.abs(values - np.median(values)))
    n_largest = int(np.ceil(0.05 * len(values)))
    share = distances[-n_largest:].sum() / distances.sum()
    is_bounded = np.isfinite(residuals.value_range).all()
    advice = texts.MORE_EXAMPLES if is_bounded else texts.BOUNDED_LOSS
    return {"share": share, "advice": advice}


def _is_averaged(full):
    return full.design.n_repeats > 1 and full.row_index is not None


def _skewness(full, n_distinct):
    """Return the skewness of the mean, of `n_distinct` examples."""
    if full.groups is not None:
        return cluster_moments(full.values, full.groups).skewness[()]
    if _is_averaged(full):
        moments = full.example_moments
        return relative_skewness(moments.squares, moments.cubes, moments.n_examples)
    moments = full.block_moments
    share = n_distinct / full.n_values
    squares = moments.total_squares * share
    return relative_skewness(squares, moments.total_cubes * share, n_distinct)


def _count_errors(full, n_distinct):
    """Return about how many examples differ from all others; all, of groups."""
    if full.groups is not None:
        return np.full(full.values.shape[:-1], n_distinct)
    if _is_averaged(full):
        return count_untypical(full.example_means, full.largest)
    return n_distinct / full.n_values * full.n_untypical
