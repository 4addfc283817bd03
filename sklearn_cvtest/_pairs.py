"""What a test decides about pairs of models, an array for each column."""

from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np

from ._inference.adjust import (
    adjust_pvalues,
    levels_of_intervals,
    log_ratio_interval,
)
from ._inference.stability import same_decision, seed_stability
from ._inference.student import critical_value
from ._inference.zero_variance import evaluate_limited, limited_interval


@dataclass(frozen=True, eq=False)
class PairTable:
    """The results of one test of many pairs of estimators, an array for each column.

    Attributes
    ----------
    test : test
        The test, not fitted, at the level `alpha`.
    names : tuple of str
        The estimators.
    first, second : ndarray of shape (n_pairs,)
        Positions in `names`; the difference is loss(first) - loss(second).
    alpha : float
        Level of decisions and of intervals.
    p_adjust : str or None
        How p-values are adjusted.
    estimate, statistic, pvalue, rho, rho_alpha : ndarray of shape (n_pairs,)
        As the fitted attributes of the test.
    ci_low, ci_high : ndarray of shape (n_pairs,)
        Ends of the intervals of the difference that go with the level, not adjusted.
    df : ndarray of shape (n_pairs,) or float
        Degrees of freedom.
    pvalue_adjusted : ndarray of shape (n_pairs,)
        p-values adjusted for the number of comparisons.
    total_error, total_df : ndarray of shape (n_pairs,)
        Standard error with all that the test assumes, and its degrees of freedom.
    seed_stability : ndarray of shape (n_pairs,)
        Estimated probability of the same decision with another seed of the splits; nan
        without repeats.
    detectable_difference : ndarray of shape (n_pairs,)
        Differences that are detected with a power of 80%.
    effect, low, high : ndarray of shape (n_pairs,)
        What people read: the difference, or the log of the ratio of the mean losses of
        the first and the second, with the interval that goes with `pvalue_adjusted`.
    pair_low, pair_high : ndarray of shape (n_pairs,)
        Ends of its interval, not adjusted.
    detail : object
        What only the test reads.
    simultaneous : tuple of two ndarray of shape (n_pairs,), or None
        Ends of intervals of the difference that all hold with probability 1 - alpha; 0
        is outside exactly if `pvalue_adjusted` is at most `alpha`. None of one pair,
        and where `p_adjust` does not control the probability of any false rejection.
    mean_first, mean_second : ndarray of shape (n_pairs,) or None
        Mean losses that are compared by ratio; None of differences.
    root : float
        0.5 where people read the root of the mean loss, else 1.
    """

    test: object
    names: tuple
    first: np.ndarray
    second: np.ndarray
    alpha: float
    p_adjust: str | None
    estimate: np.ndarray
    ci_low: np.ndarray
    ci_high: np.ndarray
    statistic: np.ndarray
    df: object
    pvalue: np.ndarray
    pvalue_adjusted: np.ndarray
    rho: np.ndarray
    rho_alpha: np.ndarray
    total_error: np.ndarray
    total_df: object
    seed_stability: np.ndarray
    detectable_difference: np.ndarray
    effect: np.ndarray
    low: np.ndarray
    high: np.ndarray
    pair_low: np.ndarray
    pair_high: np.ndarray
    detail: object = None
    simultaneous: tuple | None = None
    mean_first: np.ndarray | None = None
    mean_second: np.ndarray | None = None
    root: float = 1.0

    def __len__(self):
        return len(self.first)

    @property
    def by_ratio(self):
        """Whether losses are compared by their ratio."""
        return self.mean_second is not None

    @property
    def is_adjusted(self):
        """Whether adjusted p-values can differ from the others."""
        return len(self) > 1 and self.p_adjust is not None

    @property
    def significant(self):
        """Whether the adjusted p-value is not above alpha."""
        return self.pvalue_adjusted <= self.alpha

    @property
    def is_same(self):
        """Whether two models have the same losses on all rows."""
        return (self.statistic == 0) & (self.total_error == 0)

    @property
    def winner(self):
        """The position of the better model of each pair, -1 of none."""
        is_found = self.significant
        if self.test.decides == "equivalence" or self.test.popmean:
            is_found = np.zeros(len(self), dtype=bool)
        elif self.test.decides == "posterior":
            is_found = self.test.decide(self) == "better"
        elif not self.test.uses_all_splits:  # the first may contradict the mean
            is_found = is_found & (self.statistic * self.estimate > 0)
        better = np.where(self.estimate > 0, self.second, self.first)
        return np.where(is_found, better, -1)

    def take(self, numbers):
        """Return the table of some of the pairs."""
        columns = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray) and len(value) == len(self):
                columns[field.name] = value[numbers]
        if self.simultaneous is not None:
            columns["simultaneous"] = tuple(end[numbers] for end in self.simultaneous)
        return replace(self, **columns)

    def number_of(self, position, other):
        """Return the row of a pair, whichever is first."""
        is_pair = (self.first == position) & (self.second == other)
        is_turned = (self.first == other) & (self.second == position)
        return int(np.flatnonzero(is_pair | is_turned)[0])

    def _percentages(self):
        """Return by how many percent what people read of the worse is higher."""
        is_first_worse = self.effect > 0
        sides = [self.effect, self.pair_low, self.pair_high]
        turned = [-self.effect, -self.pair_high, -self.pair_low]
        names = ("percent", "percent_low", "percent_high")
        columns = {}
        for name, value, opposite in zip(names, sides, turned, strict=True):
            log_ratio = np.where(is_first_worse, value, opposite)
            columns[name] = 100 * np.expm1(self.root * log_ratio)
        return columns

    def columns(self):
        """Return the columns of a data frame, {name: values of the n_pairs pairs}.

        Those of ratios, simultaneous ends and posteriors only where there are such.
        """
        labels = np.array(self.names, dtype=object)
        columns = {
            "first": labels[self.first],
            "second": labels[self.second],
            "test": [repr(self.test)] * len(self),
            "estimate": self.estimate,
            "ci_low": self.ci_low,
            "ci_high": self.ci_high,
        }
        if self.simultaneous is not None:
            low, high = self.simultaneous
            columns["ci_low_simultaneous"] = low
            columns["ci_high_simultaneous"] = high
        if self.by_ratio:
            columns["effect"] = ["ratio"] * len(self)
            columns["ratio"] = np.exp(self.effect)
            columns["ratio_low"] = np.exp(self.pair_low)
            columns["ratio_high"] = np.exp(self.pair_high)
            columns |= self._percentages()
        is_by_pair = isinstance(self.df, np.ndarray)
        columns["df"] = self.df if is_by_pair else [self.df] * len(self)
        names = (
            "statistic pvalue pvalue_adjusted rho rho_alpha total_error "
            "seed_stability significant detectable_difference"
        )
        for name in names.split():
            columns[name] = getattr(self, name)
        if self.test.decides == "posterior":
            names = ("prob_less", "prob_rope", "prob_greater")
            columns |= dict(zip(names, self.detail, strict=True))
        winners = [labels[w] if w >= 0 else None for w in self.winner]
        return columns | {"better": winners}


def all_pairs(positions):
    """Return all pairs of positions, ndarray of shape (n_pairs, 2)."""
    first, second = np.triu_indices(len(positions), k=1)
    return np.column_stack([positions[first], positions[second]])


def pairs_with(reference, positions):
    """Return the pairs of a reference with each of the others."""
    others = positions[positions != reference]
    return np.column_stack([np.full_like(others, reference), others])


def compares_by_ratio(test, losses):
    """Whether mean losses are compared by their ratio."""
    means = losses.mean_losses[losses.ranking]
    is_asked = test.compares_ratios and test.popmean == 0
    return losses.metric.by_ratio and is_asked and bool(np.all(means > 0))


def pair_table(test, losses, pairs, alpha=0.05, p_adjust="holm", best=None):
    """Test pairs of positions and return the PairTable.

    With `best`, a StepDown, the pairs are of the best with each, and p-values and
    intervals are those of its steps.
    """
    effects = Effects(test, losses, pairs)
    family = family_of(effects.pvalue, alpha, p_adjust)
    stability = None
    if best is not None:
        family = _family_of_steps(test, best, pairs[:, 1])
        stability = _stability_of_steps(test, effects.residuals, family.levels)
    return effects.table(alpha, p_adjust, family, stability)


class Family(NamedTuple):
    """P-values of several tests, and one minus the levels of their intervals."""

    pvalues: np.ndarray
    levels: np.ndarray
    is_simultaneous: bool
    n_tests: int


def family_of(pvalues, alpha, p_adjust):
    """Return the Family of p-values that are adjusted for each other."""
    n = len(pvalues)
    levels = np.full(n, alpha)
    if n == 1 or p_adjust is None:
        return Family(pvalues, levels, False, 1)
    adjusted = adjust_pvalues(pvalues, p_adjust)
    levels = levels_of_intervals(pvalues, adjusted, alpha, p_adjust)
    if p_adjust == "fdr_bh":
        return Family(adjusted, levels, False, 1)
    return Family(adjusted, levels, True, n)


def _family_of_steps(test, best, second):
    """Return the Family of the best with each, by the steps of a StepDown."""
    # where each stands in best.order, from which models of failed fits are missing
    places = np.argsort(best.order)[np.searchsorted(np.sort(best.order), second)]
    n_sides = 2 if test.alternative == "two-sided" else 1
    k = len(best.order)
    levels = np.minimum(n_sides * best.levels[places], 1.0)
    return Family(best.pvalues[places], levels, True, k * (k - 1) // 2)


def _stability_of_steps(test, residuals, levels):
    """Return how probable the same decision on each is with another seed."""
    stability = np.full(len(levels), np.nan)
    if not residuals.design.has_several_runs or not test.uses_all_splits:
        return stability
    for level in np.unique(levels):
        rows = np.flatnonzero(levels == level)
        evaluation = test.evaluate(residuals[rows])
        stability[rows] = same_decision(test, residuals[rows], evaluation, 1 - level)
    return stability


def detectable_difference(error, df, alpha, test, power=0.8):
    """Return the true difference that is found with a probability, nan if unknown."""
    if not test.uses_all_splits or test.popmean:
        return np.full_like(error, np.nan)
    half_width = critical_value(1 - alpha, df, test.alternative)
    return (half_width + critical_value(power, df, "greater")) * error


class Effects:
    """What people read: differences, or log ratios with Fieller's intervals."""

    def __init__(self, test, losses, pairs):
        self.test = test
        self.losses = losses
        self.pairs = pairs
        self.residuals = losses.pairs(pairs)
        self.evaluation = evaluate_limited(test, self.residuals)
        self.pvalue = np.minimum(self.evaluation.pvalue, 1.0)
        self.estimate = self.evaluation.estimate
        self.mean_first = None
        self.mean_second = None
        if compares_by_ratio(test, losses):
            first, second = pairs.T
            test = test.of_difference
            self.first = test.evaluate(losses.single(first))
            self.second = test.evaluate(losses.single(second))
            self.difference = self.evaluation
            if test is not self.test:
                self.difference = test.evaluate(self.residuals)
            self.mean_first = self.first.estimate
            self.mean_second = self.second.estimate
            self.estimate = np.log(self.mean_first) - np.log(self.mean_second)

    def table(self, alpha, p_adjust, family, stability=None):
        """Return the PairTable, with the p-values and levels of a Family."""
        test, evaluation, n_pairs = self.test, self.evaluation, len(self.pairs)
        level = test.level_of_interval(alpha)
        levels = test.level_of_interval(family.levels)
        pair_low, pair_high = self.interval(level)
        low, high = self.interval(levels)
        ci_low, ci_high = self.difference_interval(level)
        simultaneous = None
        if family.is_simultaneous:
            simultaneous = self.difference_interval(levels)
        if stability is None:
            stability = seed_stability(test, self.residuals, evaluation)
        total_error, total_df = test.total_error(evaluation)
        return PairTable(
            test=test,
            names=self.losses.names,
            first=self.pairs[:, 0],
            second=self.pairs[:, 1],
            alpha=alpha,
            p_adjust=p_adjust,
            estimate=evaluation.estimate,
            ci_low=ci_low,
            ci_high=ci_high,
            statistic=evaluation.statistic,
            df=evaluation.df,
            pvalue=self.pvalue,
            pvalue_adjusted=family.pvalues,
            rho=np.full(n_pairs, evaluation.rho),
            rho_alpha=np.broadcast_to(evaluation.rho_alpha, n_pairs),
            total_error=total_error,
            total_df=total_df,
            seed_stability=stability,
            detectable_difference=detectable_difference(
                total_error, total_df, alpha / family.n_tests, test
            ),
            effect=self.estimate,
            low=low,
            high=high,
            pair_low=pair_low,
            pair_high=pair_high,
            detail=evaluation.detail,
            simultaneous=simultaneous,
            mean_first=self.mean_first,
            mean_second=self.mean_second,
            root=self.losses.metric.exponent,
        )

    def interval(self, level):
        """Return the ends at a level, or at one for each pair."""
        if self.mean_second is None:
            return self.difference_interval(level)
        return log_ratio_interval(
            self.difference, self.first, self.second, level, self.test.alternative
        )

    def difference_interval(self, level):
        """Return the ends of differences of losses, also where ratios are read."""
        return limited_interval(self.test, self.evaluation, self.residuals, level)
