"""PairTable: the results of a test of many pairs of estimators, in columns."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from .._data._protocol import ReadOnlyArrays
from .._inference._base_test import BaseCVTest
from .._inference._student import critical_value
from .._losses._metric_names import is_squared
from .._typing import Array, Iterable, Iterator
from .._validation import check_real, keep_warnings
from . import _tested
from ._ranking import ENDS, LOG_ENDS
from ._ratios import ends_of_ratios, ratios_of

ROUNDING = 1e-6  # of a level, so that rounding does not change a decision


class PairRow(
    namedtuple(
        "PairRow",
        "first second estimate standard_error ci_low ci_high statistic df pvalue "
        "pvalue_adjusted rho rho_alpha total_error total_df winner columns",
    )
):
    """One row of a PairTable, with the names of the estimators.

    Attributes
    ----------
    first, second : str
        The pair; the difference is loss(first) - loss(second).
    estimate, standard_error, ci_low, ci_high, statistic, pvalue, pvalue_adjusted, \
            rho, rho_alpha, total_error, total_df : float
        As in :class:`.PairTable`.
    df : float, int or tuple
        Degrees of freedom.
    winner : str
        The significantly better estimator, "" if none.
    columns : dict of str to float
        What else the test has to say.
    """


@dataclass(frozen=True, eq=False, repr=False)
class PairTable(ReadOnlyArrays):
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
    n_comparisons : int
        Number of comparisons that p-values are adjusted for.
    pair_alpha : float
        Level of the decision on a pair if no other difference is found: `alpha` over
        `n_comparisons` where p-values are adjusted.
    estimate, standard_error, statistic, pvalue, rho, rho_alpha : ndarray (n_pairs,)
        As the fitted attributes of the test.
    ci_low, ci_high : ndarray of shape (n_pairs,)
        Ends of the intervals that go with the level, not adjusted.
    ci_low_simultaneous, ci_high_simultaneous : ndarray of shape (n_pairs,) or None
        Ends of intervals that with probability 1 - alpha all hold, by Bonferroni's
        inequality, for the `n_comparisons` that p-values are adjusted for; None of one
        comparison, of posterior probabilities, and where `p_adjust` does not control
        the probability of any false rejection. If a later step of a step-down method
        rejects a pair, its interval is at the level of that step. With p-values of the
        best set, intervals at the critical values of its steps.
    df : ndarray of shape (n_pairs,) or (n_pairs, 2)
        Degrees of freedom.
    pvalue_adjusted : ndarray of shape (n_pairs,)
        p-values adjusted for the number of comparisons.
    winner : ndarray of shape (n_pairs,)
        Position of the significantly better estimator, -1 if there is none.
    extra_columns : dict of str to ndarray of shape (n_pairs,)
        What else the test has to say, such as posterior probabilities.
    lazy_columns : LazyColumns
        What is only computed when it is read.
    log_ratio : ndarray of shape (n_pairs,) or None
        log(mean loss of the first / of the second); None where the loss is compared by
        differences.
    mean_second : ndarray of shape (n_pairs,) or None
        The mean loss of the second, as the test has it; None as `log_ratio`.
    log_ratio_ci_low, log_ratio_ci_high, log_ratio_ci_low_simultaneous, \
            log_ratio_ci_high_simultaneous : ndarray of shape (n_pairs,) or None
        Ends of Fieller's intervals of it; infinite where there is none.
    root : float
        The power of a mean loss that people read: 1/2 of squared errors.
    """

    test: BaseCVTest
    names: tuple
    first: np.ndarray
    second: np.ndarray
    alpha: float
    p_adjust: str | None
    n_comparisons: int
    pair_alpha: float
    estimate: np.ndarray
    standard_error: np.ndarray
    ci_low: np.ndarray
    ci_high: np.ndarray
    statistic: np.ndarray
    df: np.ndarray
    pvalue: np.ndarray
    pvalue_adjusted: np.ndarray
    rho: np.ndarray
    rho_alpha: np.ndarray
    winner: np.ndarray
    extra_columns: dict = field(default_factory=dict)
    lazy_columns: _tested.LazyColumns | None = None
    ci_low_simultaneous: np.ndarray | None = None
    ci_high_simultaneous: np.ndarray | None = None
    log_ratio: np.ndarray | None = None
    mean_second: np.ndarray | None = None
    log_ratio_ci_low: np.ndarray | None = None
    log_ratio_ci_high: np.ndarray | None = None
    log_ratio_ci_low_simultaneous: np.ndarray | None = None
    log_ratio_ci_high_simultaneous: np.ndarray | None = None
    root: float = 1.0

    def __len__(self):
        return len(self.first)

    def __repr__(self):
        return f"<PairTable of {len(self)} pairs, {self.test!r}>"

    @cached_property
    def _computed(self):
        return self.lazy_columns.columns()

    @property
    def total_error(self) -> Array:
        """The standard error that includes all that the test assumes, ρ too."""
        return self._computed["total_error"]

    @property
    def total_df(self) -> Array:
        """The degrees of freedom of `total_error`."""
        return self._computed["total_df"]

    @cached_property
    def columns(self) -> dict[str, Array]:
        """What else the test has to say, {name: ndarray of shape (n_pairs,)}.

        `extra_columns`, and of repeated designs the "seed_stability".
        """
        columns = self.extra_columns | self._computed
        del columns["total_error"], columns["total_df"]
        return columns

    @property
    def names_winner(self) -> bool:
        """Whether a rejection says which of the two is better."""
        return self.test.traits.names_winner and self.test.popmean == 0

    @cached_property
    def traits(self):
        """The :class:`.Traits` that the test has for these data."""
        return self.test.traits_of(self.row(0))

    @property
    def is_adjusted(self) -> bool:
        """Whether adjusted p-values can differ from the others."""
        return self.n_comparisons > 1 and self.p_adjust is not None

    @property
    def is_bayesian(self) -> bool:
        """Whether posterior probabilities decide, and p-values nothing."""
        return self.test.traits.decides == "posterior"

    @property
    def is_by_ratio(self) -> bool:
        """Whether mean losses are compared by their ratio."""
        return self.log_ratio is not None

    @property
    def mean_better(self):
        """By ratio, the smaller of the two mean losses of each pair."""
        return self.mean_second * np.exp(np.minimum(self.log_ratio, 0.0))

    @property
    def region(self):
        """Half the width of what counts as equal, in units of the shown effect."""
        region = self.test.traits.region
        return region / self.root if self.is_by_ratio else region

    @property
    def shown_effect(self):
        """What people read of each pair: a log ratio by ratio, else a difference."""
        return self.log_ratio if self.is_by_ratio else self.estimate

    @property
    def pair_intervals(self):
        """Ends (low, high) of the intervals of the shown effect of single pairs."""
        if self.is_by_ratio:
            return self.log_ratio_ci_low, self.log_ratio_ci_high
        return self.ci_low, self.ci_high

    @property
    def intervals_in_units(self):
        """Ends (low, high) of the differences: simultaneous ones if there are."""
        if self.ci_low_simultaneous is None:
            return self.ci_low, self.ci_high
        return self.ci_low_simultaneous, self.ci_high_simultaneous

    @property
    def shown_intervals(self):
        """Ends (low, high) of the intervals to show: simultaneous ones if there are."""
        if not self.is_by_ratio:
            return self.intervals_in_units
        if self.ci_low_simultaneous is None:
            return self.pair_intervals
        return (
            self.log_ratio_ci_low_simultaneous,
            self.log_ratio_ci_high_simultaneous,
        )

    @property
    def significant(self) -> Array:
        """Whether the adjusted p-value is not above alpha, (n_pairs,) of bool."""
        return self.pvalue_adjusted <= self.alpha

    def detectable_difference(self, power: float = 0.8) -> Array:
        """Return the difference of each pair that would be found with a probability.

        Parameters
        ----------
        power : float, default=0.8
            The probability.

        Returns
        -------
        differences : ndarray of shape (n_pairs,)
            Approximate, at the level `pair_alpha`; nan where the test is not about a
            difference from 0.

        Raises
        ------
        TypeError, ValueError
            If `power` is not as described.
        """
        power = check_real("power", power, above=0, below=1)
        if not (self.names_winner and self.test.traits.uses_all_splits):
            return np.full(len(self), np.nan)
        differences = self.found_with(power, self.test.alternative)
        return np.where(
            np.isfinite(differences) & (differences > 0), differences, np.nan
        )

    def found_with(self, power, alternative):
        """Return how far an estimate has to be off to be found, by any alternative.

        Parameters
        ----------
        power : float
            The probability.
        alternative : {"two-sided", "less", "greater"}
            Of the test.

        Returns
        -------
        differences : ndarray of shape (n_pairs,)
            The half-width of the interval plus the quantile of the estimate. An
            approximation: the standard error is an estimate, and the exact distribution
            is a noncentral t.
        """
        level = self.test.interval_level(self.pair_alpha)
        half_width = critical_value(level, self.total_df, alternative)
        reach = critical_value(power, self.total_df, "greater")
        return (half_width + reach) * self.total_error

    def row(self, number: int) -> PairRow:
        """Return the row of one pair.

        Parameters
        ----------
        number : int
            Its position in the table.

        Returns
        -------
        row : PairRow
            Its values under the names of the columns, with the names of estimators.
        """
        values = {}
        for name in PairRow._fields[2:-2]:
            values[name] = getattr(self, name)[number].tolist()
        if isinstance(values["df"], list):
            values["df"] = tuple(values["df"])
        winner = self.winner[number]
        columns = {}
        for name, column in self.columns.items():
            columns[name] = column[number]
        return PairRow(
            first=self.names[self.first[number]],
            second=self.names[self.second[number]],
            winner=self.names[winner] if winner >= 0 else "",
            columns=columns,
            **values,
        )

    def rows(self, where: Iterable[int] | None = None) -> Iterator[PairRow]:
        """Yield rows.

        Parameters
        ----------
        where : iterable of int, default=None
            Their positions; None yields all.

        Yields
        ------
        row : PairRow
            As :meth:`row` returns it.
        """
        if where is None:
            where = range(len(self))
        for number in where:
            yield self.row(number)

    @property
    def is_symmetric(self):
        """Whether the test finds the same of a pair in either order."""
        return self.test.alternative == "two-sided" and not self.test.popmean

    def to_columns(self) -> dict[str, Array]:
        """Return the columns as a data frame shows them.

        Returns
        -------
        columns : dict of str to ndarray of shape (n_pairs,)
            With names in place of positions.
        """
        labels = np.array(self.names, dtype=object)
        columns = {"first": labels[self.first], "second": labels[self.second]}
        for name in ("estimate", "ci_low", "ci_high"):
            columns[name] = getattr(self, name)
        if self.ci_low_simultaneous is not None:
            columns["ci_low_simultaneous"] = self.ci_low_simultaneous
            columns["ci_high_simultaneous"] = self.ci_high_simultaneous
        columns |= self.ratio_columns()
        columns["statistic"] = self.statistic
        columns["df"] = self.df
        if self.df.ndim > 1:
            columns["df"] = [tuple(df) for df in self.df.tolist()]
        for name in (
            "pvalue",
            "pvalue_adjusted",
            "rho",
            "rho_alpha",
            "total_error",
            "total_df",
        ):
            columns[name] = getattr(self, name)
        return columns | self.columns

    def ratio_columns(self) -> dict[str, Array]:
        """Return what a data frame has of ratios; empty where there are none.

        Returns
        -------
        columns : dict of str to ndarray of shape (n_pairs,)
            "effect", "ratio", "ratio_low" and "ratio_high", and where there are
            simultaneous intervals their ends; "percent", "percent_low" and
            "percent_high", by how much higher the RMSE, or the loss, of the worse of
            the two is. An end that there is none of is nan.
        """
        if not self.is_by_ratio:
            return {}
        low, high = ends_of_ratios(self.log_ratio_ci_low, self.log_ratio_ci_high)
        columns = {
            "effect": np.full(len(self), "ratio", dtype=object),
            "ratio": np.exp(self.log_ratio),
            "ratio_low": low,
            "ratio_high": high,
        }
        if self.ci_low_simultaneous is not None:
            low, high = ends_of_ratios(
                self.log_ratio_ci_low_simultaneous, self.log_ratio_ci_high_simultaneous
            )
            columns["ratio_low_simultaneous"] = low
            columns["ratio_high_simultaneous"] = high
        return columns | self._percentages()

    def _percentages(self):
        """Return by how many percent what people read of the worse is higher."""
        is_first_worse = self.log_ratio > 0
        sides = self.log_ratio, self.log_ratio_ci_low, self.log_ratio_ci_high
        turned = -sides[0], -sides[2], -sides[1]
        ratio, low, high = np.where(is_first_worse, sides, turned)
        low, high = ends_of_ratios(self.root * low, self.root * high)
        names = ("percent", "percent_low", "percent_high")
        ratios = np.exp(self.root * ratio), low, high
        return {n: 100 * (r - 1) for n, r in zip(names, ratios, strict=True)}


def pair_table(test, losses, pairs, *, alpha, p_adjust, others=None, n_family=None):
    """Test pairs of estimators and return the table.

    Parameters
    ----------
    test : test
        A checked test at level `alpha`, valid for the design of the losses.
    losses : CVLosses
        The losses, which are finite for the estimators of the pairs.
    pairs : ndarray of shape (n_pairs, 2)
        Positions of the estimators.
    alpha, p_adjust : float, str or None
        As in :class:`.PairTable`.
    others : ndarray of shape (n_others, 2), default=None
        More pairs that p-values and intervals are adjusted for.
    n_family : int, default=None
        How many pairs intervals are adjusted for; None: those and the others.
    """
    # one family for p-values and for intervals
    if n_family is None:
        n_family = len(pairs) if others is None else len(pairs) + len(others)
    is_adjusted = n_family > 1 and p_adjust is not None
    if test.traits.decides == "posterior":  # which no p-value decides
        is_adjusted = False
    level = None
    if is_adjusted and p_adjust != "fdr_bh":
        level = alpha / n_family
    levels = [test.interval_level(alpha)]
    if level is not None:
        levels.append(test.interval_level(level))
    chunks = _tested.pair_chunks(losses, pairs)
    columns, extra_columns, lazy_columns = _tested.evaluate_pairs(
        test, chunks, levels, ratios_of(test, losses)
    )
    pvalues = columns["pvalue"]
    if others is not None:
        pvalues_of_others = _tested.pair_pvalues(test, losses, others)
        pvalues = np.concatenate([pvalues, pvalues_of_others])
    adjusted = _tested.adjust_pairs(p_adjust, pvalues)[: len(pairs)]
    if level is not None:
        columns |= _ends_of_later_steps(test, losses, pairs, columns, adjusted, level)
    first, second = np.asarray(pairs).T
    rejected = adjusted <= alpha
    sides = test.better_side(columns["estimate"], rejected, extra_columns, alpha)
    winner = np.where(sides > 0, second, np.where(sides < 0, first, -1))
    return PairTable(
        test=test,
        names=losses.estimator_names,
        first=first,
        second=second,
        alpha=alpha,
        p_adjust=p_adjust,
        n_comparisons=n_family,
        pair_alpha=(level or alpha / n_family) if is_adjusted else alpha,
        pvalue_adjusted=adjusted,
        winner=winner,
        extra_columns=extra_columns,
        lazy_columns=lazy_columns,
        root=0.5 if is_squared(losses.measured) else 1.0,
        **columns,
    )


def _ends_of_later_steps(test, losses, pairs, columns, adjusted, level):
    """Return simultaneous ends, of pairs that a later step rejects at its own level.

    A step-down method rejects some pairs at a larger level than the first step has,
    where all other intervals are. Their intervals are at the level of their step, so
    that an interval holds the hypothesis exactly if the pair is not significant.
    """
    pvalues = columns["pvalue"]
    names = [name for name in (*ENDS[1], *LOG_ENDS[1]) if name in columns]
    ends = {name: columns[name].copy() for name in names}
    for row in np.flatnonzero((adjusted <= test.alpha) & (pvalues > level)):
        step_level = test.alpha * pvalues[row] / adjusted[row] * (1 + ROUNDING)
        level_of_interval = test.interval_level(step_level)
        levels = [level_of_interval, level_of_interval]  # the second: simultaneous
        ratios = ratios_of(test, losses)
        stacks = _tested.pair_chunks(losses, pairs[[row]])
        with keep_warnings():  # which the first step has given
            of_row, *_ = _tested.evaluate_pairs(test, stacks, levels, ratios)
        for name in names:
            ends[name][row] = of_row[name][0]
    return ends
