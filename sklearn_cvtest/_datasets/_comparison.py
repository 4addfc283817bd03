"""DatasetComparison: differences between estimators over many data sets."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property, partial

import numpy as np

from .._data._cvlosses import CVLosses
from .._data._protocol import ReadOnlyArrays
from .._display._forest import draw_forest
from .._inference._base_test import BaseCVTest
from .._inference._choose_tests import choose_pairs, decode_test, encode_test, is_best
from .._inference._multiplicity import adjust_pvalues
from .._report._result import Result
from .._store._array_files import Saved, by_number, of_parts, taken_apart
from .._typing import Any, Array, Axes
from .._validation import invalid, warn
from . import _ranks
from ._differences import (
    DatasetDifferences,
    check_settings,
    chosen_scale,
    chosen_test,
    differences_on_datasets,
)
from ._leaders import (
    decides_by_ranks,
    decisions_by_means,
    decisions_by_ranks,
    mean_ends,
    ranked_losses,
    shifts,
    tiers,
)
from ._pictures import dataset_pictures, draw_pair, rank_rows
from ._rank_words import ranks_document
from ._synthesis import (
    Synthesis,
    prediction_interval,
    synthesis_interval,
    synthesis_pvalue,
    synthesise,
)
from ._words import datasets_document


@dataclass(frozen=True, eq=False, repr=False)
class RankComparison(Result, ReadOnlyArrays):
    """Mean ranks of estimators over data sets.

    Made by :meth:`.DatasetComparison.ranks`.

    Attributes
    ----------
    estimator_names : tuple of str
        The E estimators, the best mean rank first.
    mean_ranks : ndarray of shape (E,)
        1 is the best.
    friedman : FriedmanResult
        Friedman's χ² test that all rank alike.
    nemenyi_pvalues, wilcoxon_pvalues : ndarray of shape (E, E)
        p-values of all pairs, adjusted for their number.
    critical_difference : float
        Nemenyi's: mean ranks that differ by more differ significantly.
    n_datasets : int
        Number of data sets.
    alpha : float
        The level.
    """

    estimator_names: tuple
    mean_ranks: np.ndarray
    friedman: tuple
    nemenyi_pvalues: np.ndarray
    wilcoxon_pvalues: np.ndarray
    critical_difference: float
    n_datasets: int
    alpha: float

    def _document(self):
        return ranks_document(self)

    def _columns(self):
        return {
            "estimator": self.estimator_names,
            "mean_rank": self.mean_ranks,
            "pvalue_nemenyi": self.nemenyi_pvalues[0],
            "pvalue_wilcoxon": self.wilcoxon_pvalues[0],
        }

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw mean ranks, with half of Nemenyi's critical difference on both sides.

        Two that do not overlap differ significantly.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        ax : matplotlib Axes
            The axes.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        return draw_forest(rank_rows(self), ax, "RankComparison.plot")[0]


def compare_ranks(names, losses, alpha, scale):
    """Return the comparison of mean losses (data sets, estimators) by their ranks.

    An estimator without a loss is the last. Signed ranks are of differences on `scale`.
    """
    pvalues = _ranks.wilcoxon_pvalues(np.log(losses) if scale else losses)
    losses = _ranks.failures_last(losses)
    order = np.argsort(_ranks.average_ranks(losses), kind="stable")
    both = np.ix_(order, order)
    n_datasets, n_estimators = losses.shape
    critical = _ranks.critical_difference(n_estimators, n_datasets, alpha)
    return RankComparison(
        tuple(names[position] for position in order),
        _ranks.average_ranks(losses)[order],
        _ranks.friedman(losses),
        _ranks.nemenyi_pvalues(losses)[both],
        pvalues[both],
        float(critical),
        n_datasets,
        alpha,
    )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DatasetComparison(Saved, Result, ReadOnlyArrays, DatasetDifferences):
    """Differences between estimators over many data sets.

    Made by :func:`compare_over_datasets`. In every pair, a difference is loss(first) -
    loss(second): positive means that the second is better.

    `to_frame` has one row per pair, with the columns first, second, n_datasets; of
    Student's t test estimate (the mean difference over data sets), standard_error, df,
    ci_low, ci_high, ci_low_simultaneous, ci_high_simultaneous, statistic, pvalue,
    pvalue_adjusted; of Wilcoxon's signed-rank test pseudomedian (Hodges and Lehmann's),
    pseudomedian_low, pseudomedian_high, pvalue_wilcoxon, adjusted; pi_low, pi_high
    (prediction interval for the difference on one more data set); wins (data sets on
    which the second is significantly better), ties, losses. Simultaneous ends and those
    of the pseudomedian hold 0 exactly if the adjusted p-value beside them is above
    alpha. What is printed and drawn is of the test that decides, `decided_by`.

    Attributes
    ----------
    datasets : tuple of str
        Names of the D data sets.
    estimator_names : tuple of str
        The E estimators.
    losses : dict of str to CVLosses
        The losses on each data set.
    tests : dict of str to test
        The test used on each data set, not fitted; None where there is one number for
        each estimator.
    mean_losses : ndarray of shape (D, E)
        Mean losses, nan where there are none.
    pairs : list of (str, str)
        The pairs; the arrays below follow their order.
    estimates, standard_errors : ndarray of shape (n_pairs, D)
        Difference on each data set, and its standard error with all that the test
        assumes, ρ too (`total_error_` of the test); on the scale asked for, nan where
        the two were not both evaluated.
    ci_low, ci_high, dataset_pvalues : ndarray of shape (n_pairs, D)
        Interval and p-value that the test of each data set gives for the difference.
    marks : ndarray of shape (n_pairs, D)
        1 where the second is significantly better on a data set (not adjusted), -1
        where the first is, else 0. Where there is one number for each estimator: where
        it is ahead at all.
    synthesis : Synthesis
        The mean difference of each pair.
    statistics, pvalues, pvalues_adjusted : ndarray of shape (n_pairs,)
        For the hypothesis that the mean difference is zero.
    left_out : dict of str to list of str
        For each data set with failed fits, the estimators that are left out there.
    reference : str or None
        What all others were compared with; None of all pairs.
    p_adjust : str or None
        How p-values are adjusted for the number of pairs.
    alpha : float
        Level of decisions and, as 1 - alpha, of intervals.
    scale : str or None
        What the differences are: None of losses; "log" of their logarithms.
    """

    datasets: tuple
    estimator_names: tuple
    losses: dict
    tests: dict
    pairs: list
    synthesis: Synthesis
    statistics: np.ndarray
    pvalues: np.ndarray
    pvalues_adjusted: np.ndarray
    reference: str | None
    p_adjust: str | None
    alpha: float
    scale: str | None
    options: dict = field(default_factory=dict)

    @property
    def present(self) -> Array:
        """Whether both of a pair were evaluated on a data set, (n_pairs, D) of bool."""
        return np.isfinite(self.estimates)

    @property
    def significant(self) -> Array:
        """Whether the adjusted p-value that decides is at most alpha, (n_pairs,)."""
        return self.decisions.adjusted <= self.alpha

    @property
    def decided_by(self) -> str:
        """The test that decides: "wilcoxon", or "t" where so few data sets cannot."""
        return "wilcoxon" if decides_by_ranks(self) else "t"

    @cached_property
    def decisions_by_ranks(self):
        """The decisions of Wilcoxon's signed-rank test."""
        return decisions_by_ranks(self)

    @cached_property
    def decisions_by_means(self):
        """The decisions of Student's t test of the means."""
        return decisions_by_means(self)

    @property
    def decisions(self):
        """The decisions that are printed: by ranks, or by means of few data sets."""
        if decides_by_ranks(self):
            return self.decisions_by_ranks
        return self.decisions_by_means

    def _columns(self):
        first, second = zip(*self.pairs, strict=True)
        synthesis = self.synthesis
        columns = {"first": first, "second": second, "n_datasets": synthesis.n_datasets}
        for name in ("estimate", "standard_error", "df"):
            columns[name] = getattr(synthesis, name)
        columns |= zip(("ci_low", "ci_high"), self.intervals.T, strict=True)
        rows = np.arange(len(self.pairs))
        names = "ci_low_simultaneous", "ci_high_simultaneous"
        columns |= zip(names, mean_ends(self, rows), strict=True)
        columns |= {"statistic": self.statistics, "pvalue": self.pvalues}
        columns["pvalue_adjusted"] = self.pvalues_adjusted
        names = "pseudomedian", "pseudomedian_low", "pseudomedian_high"
        columns |= zip(names, shifts(self, rows), strict=True)
        columns["pvalue_wilcoxon"] = self.decisions_by_ranks.adjusted
        columns |= zip(("pi_low", "pi_high"), self.prediction_intervals.T, strict=True)
        columns |= zip(("wins", "ties", "losses"), self.win_tie_loss.T, strict=True)
        return columns

    @property
    def intervals(self) -> Array:
        """Confidence intervals of the mean differences, (n_pairs, 2); not adjusted."""
        ends = synthesis_interval(self.synthesis, 1 - self.alpha, self.most)
        return self.within(ends)

    @cached_property
    def prediction_intervals(self) -> Array:
        """Intervals for the difference on one more data set, (n_pairs, 2)."""
        ends = prediction_interval(self.synthesis, 1 - self.alpha, self.most)
        return self.within(ends)

    @property
    def most(self):
        """The largest difference that there can be on a data set."""
        return largest_difference(self.losses, self.scale)

    def within(self, ends):
        """Return intervals whose ends, if any, are differences that there can be."""
        ends = np.column_stack(ends)
        return np.where(np.isinf(ends), ends, np.clip(ends, -self.most, self.most))

    @property
    def win_tie_loss(self) -> Array:
        """Numbers of data sets by pair: second better, no difference, first better."""
        counts = [
            np.sum((self.marks == sign) & self.present, axis=1) for sign in (1, 0, -1)
        ]
        return np.column_stack(counts)

    @property
    def has_errors(self) -> bool:
        """Whether some data set has more than one number for each estimator."""
        return any(test is not None for test in self.tests.values())

    @property
    def ranks_failures(self) -> bool:
        """Whether some estimator has no result, and is ranked last there."""
        is_worst = self.options.get("missing") == "worst"
        return is_worst and bool(np.isnan(self.mean_losses).any())

    @property
    def has_ranks(self) -> bool:
        """Whether two data sets or more rank all estimators."""
        return len(ranked_losses(self)) > 1

    def ranks(self) -> RankComparison:
        """Compare the mean ranks of the estimators.

        Returns
        -------
        ranks : RankComparison
            Mean ranks, Friedman's test, and p-values of all pairs by Nemenyi's and by
            Wilcoxon's signed-rank test with Holm's method, of log ratios if `scale` is
            "log". Only data sets on which all estimators were evaluated are used, or,
            with ``missing="worst"``, all.

        Raises
        ------
        ValueError
            If there are fewer than two such data sets.
        """
        losses = ranked_losses(self)
        if not self.has_ranks:
            raise ValueError(
                "Ranks need at least 2 data sets on which all estimators were "
                f"evaluated; got {len(losses)}."
            )
        return compare_ranks(self.estimator_names, losses, self.alpha, self.scale)

    def letters(self) -> dict[str, str]:
        """Return letters; estimators that share one do not differ significantly.

        Returns
        -------
        letters : dict of str to str
            {name: letters}, the best first; "a" is the tier of the best.

        Raises
        ------
        ValueError
            If not all pairs are compared.

        Notes
        -----
        By the p-values of all pairs of the test that decides, adjusted as `p_adjust`
        says. Estimators with too few results to be ranked have none.
        """
        if self.reference is not None:
            advice = "Use retest(reference=None) first."
            got = f"reference={self.reference!r}"
            raise ValueError(f"`letters` needs all pairs; got {got}. {advice}")
        return {self.estimator_names[k]: group for k, group in tiers(self).items()}

    def _document(self):
        return datasets_document(self, cache(partial(dataset_pictures, self)))

    def retest(
        self, test: BaseCVTest | None = None, **options: Any
    ) -> DatasetComparison:
        """Test the same losses otherwise, without fitting anything.

        Parameters
        ----------
        test : test, default=None
            The test of every data set; None keeps those there are.
        **options : dict
            Settings of :func:`compare_over_datasets`.

        Returns
        -------
        comparison : DatasetComparison
            A new one.

        Raises
        ------
        TypeError, ValueError
            If there is no such setting, or the test is not valid for a data set.
        """
        for name in options.keys() - self.options.keys():
            raise invalid("options", f"some of {sorted(self.options)}", name)
        settings = check_settings(**self.options | options)
        test_of = self.tests if test is None else dict.fromkeys(self.tests, test)
        tests = {
            name: chosen_test(test_of[name], losses, settings["alpha"])
            for name, losses in self.losses.items()
        }
        return synthesise_datasets(self.losses, tests, **settings)

    def plot(
        self,
        first: str | None = None,
        second: str | None = None,
        *,
        ax: Axes | None = None,
    ) -> Axes:
        """Plot the difference of a pair on every data set, and its mean.

        A row for each data set with the interval of its test, by size of the
        difference, and below a line, a diamond, what decides over data sets. Filled
        markers are significant.

        Parameters
        ----------
        first, second : str, default=None
            The pair, in this order; None takes the first pair.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        ax : matplotlib Axes
            The axes.

        Raises
        ------
        ValueError
            If there is no such pair.
        ImportError
            If matplotlib is not installed.
        """
        return draw_pair(self, first, second, ax)

    def _to_parts(self):
        headers, arrays = taken_apart(self.losses[name] for name in self.datasets)
        named = zip(self.datasets, headers, strict=True)
        datasets = [{"name": name, "losses": header} for name, header in named]
        tests = [
            self.tests[name] and encode_test(self.tests[name]) for name in self.datasets
        ]
        return {"datasets": datasets, "tests": tests, "options": self.options}, arrays

    @classmethod
    def _of_parts(cls, path, header, arrays):
        losses = {}
        tests = {}
        columns = header["datasets"], header["tests"], by_number(arrays)
        for dataset, test, of_dataset in zip(*columns, strict=True):
            name = str(dataset["name"])
            losses[name] = of_parts(CVLosses, path, dataset["losses"], of_dataset)
            tests[name] = test and decode_test(test)
        return synthesise_datasets(losses, tests, **header["options"])


def largest_difference(losses, scale):
    """Return the largest difference that there can be on a data set, inf if any can."""
    if scale is not None:
        return np.inf
    return max(np.ptp(of_dataset.value_range) for of_dataset in losses.values())


def synthesise_datasets(losses, tests, earlier=(), **settings):
    """Return the comparison of losses by checked tests and settings.

    Warnings that were `earlier` are not repeated.
    """
    settings.setdefault("missing", "drop")  # of files without it
    settings["scale"] = chosen_scale(settings["scale"], losses)
    names = tuple(
        dict.fromkeys(
            n for of_dataset in losses.values() for n in of_dataset.estimator_names
        )
    )
    if len(names) < 2:
        raise invalid("results", "of at least two estimators", list(names))
    options = {key: settings[key] for key in ("alpha", "scale")}
    reference = settings["reference"]
    if is_best(names, reference):
        raise invalid("reference", f"one of {', '.join(map(repr, names))}", "best")
    positions, _ = choose_pairs(names, reference)
    differences = differences_on_datasets(
        losses, tests, names, positions, earlier=set(earlier), **options
    )
    if differences.left_out:
        left_out = differences.left_out.items()
        listed = "; ".join(
            f"{name!r}: {', '.join(estimators)}" for name, estimators in left_out
        )
        warn(f"Left out because of failed fits: {listed}.", UserWarning)
    synthesis = synthesise(differences.estimates)
    most = largest_difference(losses, settings["scale"])
    found_of_pairs = synthesis_pvalue(synthesis, most=most)
    statistics, pvalues = map(np.atleast_1d, found_of_pairs)
    adjusted = pvalues
    if settings["p_adjust"] is not None:
        adjusted = adjust_pvalues(pvalues, settings["p_adjust"])
    pairs = [(names[first], names[second]) for first, second in positions]
    question = {"p_adjust": settings["p_adjust"], "reference": reference, **options}
    compared = {"estimator_names": names, "losses": losses, "tests": tests}
    tested = {"synthesis": synthesis, "statistics": statistics, "pvalues": pvalues}
    return DatasetComparison(
        datasets=tuple(losses),
        pairs=pairs,
        pvalues_adjusted=adjusted,
        options=settings,
        **question,
        **compared,
        **tested,
        **vars(differences),
    )
