"""DatasetComparison: differences between models over many data sets."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._best_set import letters_apart
from .._comparison import Comparison
from .._inference import HoldoutTTest
from .._inference.adjust import METHODS, adjust_pvalues, levels_of_intervals
from .._pairs import PairTable, all_pairs, pairs_with
from .._report.forest import ForestRows
from .._report.models import ModelRow, ModelTable, forest_of_models, row_beside
from .._report.numbers import common_decimals, counted, pvalue_text
from .._report.result import Content, Result, Table
from .._store import Saved, facts_of, metric_of
from .._validation import check_option, check_real, invalid
from . import ranks, words
from .means import (
    DatasetMeans,
    ahead_by_dataset,
    keep_usable,
    means_of_results,
    rounded,
)
from .student import mean_differences


@dataclass(frozen=True, repr=False, eq=False)
class Ranks(Result):
    """Mean ranks of estimators over data sets.

    Made by :meth:`.DatasetComparison.ranks`.

    Attributes
    ----------
    names : tuple of str
        The E estimators, the best mean rank first.
    mean_ranks : ndarray of shape (E,)
        1 is the best.
    friedman : Friedman
        Friedman's χ² test that all are equally good.
    wilcoxon_pvalues : ndarray of shape (E, E)
        p-values of signed-rank tests of all pairs, adjusted for their number.
    n_datasets : int
        Number of data sets.
    alpha : float
        Level of the decisions.
    """

    names: tuple
    mean_ranks: np.ndarray
    friedman: ranks.Friedman
    wilcoxon_pvalues: np.ndarray
    n_datasets: int
    alpha: float

    @cached_property
    def nemenyi_pvalues(self):
        """Nemenyi's p-values of all pairs, ndarray of shape (n_models, n_models)."""
        return ranks.nemenyi_pvalues(self.mean_ranks, self.n_datasets)

    @cached_property
    def critical_difference(self):
        """Mean ranks that differ by more differ significantly, by Nemenyi's test."""
        return ranks.critical_difference(len(self.names), self.n_datasets, self.alpha)

    def _columns(self):
        return {
            "estimator": list(self.names),
            "mean_rank": self.mean_ranks,
            "pvalue_nemenyi": self.nemenyi_pvalues[0],
            "pvalue_wilcoxon": self.wilcoxon_pvalues[0],
        }

    def _content(self):
        lead = f"{counted(len(self.names), 'model')} on {self.n_datasets} data sets"
        verdict = words.friedman_sentence(self.friedman)
        texts = common_decimals(self.mean_ranks, 2)
        rows = []
        for place, (name, text) in enumerate(zip(self.names, texts, strict=True)):
            cells = [
                pvalue_text(values[0, place], self.alpha) if place else ""
                for values in (self.nemenyi_pvalues, self.wilcoxon_pvalues)
            ]
            rows.append([name, text, *cells])
        headers = ["model", "mean rank", "p (Nemenyi)", "p (Wilcoxon)"]
        method = (
            f"p-values against the best. By Nemenyi's test mean ranks that are more "
            f"than {self.critical_difference:.2f} apart differ significantly."
        )
        return Content(lead, verdict, Table(headers, rows), method, [verdict, method])

    def _forest(self):
        half = self.critical_difference / 2
        return ForestRows(
            labels=list(self.names),
            estimates=self.mean_ranks,
            lows=self.mean_ranks - half,
            highs=self.mean_ranks + half,
            filled=self.mean_ranks - half > self.mean_ranks.min() + half,
            xlabel="mean rank ± half of Nemenyi's critical difference",
            key=("ranks worse than the best", "not significantly worse"),
            has_zero=False,
        )


@dataclass(frozen=True)
class PairsOverDatasets:
    """What the test that decides says of pairs: as of a PairTable, for sentences."""

    names: tuple
    first: np.ndarray
    second: np.ndarray
    alpha: float
    by_ratio: bool
    effect: np.ndarray
    low: np.ndarray
    high: np.ndarray
    pvalue_adjusted: np.ndarray
    is_same: np.ndarray
    seed_stability: np.ndarray

    test = HoldoutTTest()  # two-sided, as the tests over data sets are
    number_of = PairTable.number_of
    significant = PairTable.significant


class DatasetComparison(Saved, Result):
    """Differences between estimators over many data sets.

    Made by :func:`compare_over_datasets`. In every pair, a difference is loss(first) -
    loss(second): positive means that the second is better.

    `to_frame` has one row per pair, with the columns first, second, n_datasets; of
    Student's t test estimate (the mean difference over data sets), standard_error, df,
    ci_low, ci_high, ci_low_simultaneous, ci_high_simultaneous, statistic, pvalue,
    pvalue_adjusted; of Wilcoxon's signed-rank test pseudomedian (Hodges and Lehmann's),
    pseudomedian_low, pseudomedian_high, pvalue_wilcoxon, adjusted; pi_low, pi_high
    (prediction interval for the difference on one more data set); wins (data sets on
    which the second is better; where there are folds, significantly), ties, losses. An
    end that is not bounded is nan.
    Simultaneous ends and those of the pseudomedian hold 0 exactly if the adjusted
    p-value beside them is above alpha. What is printed and drawn is of the test that
    decides, `decided_by`.

    Attributes
    ----------
    datasets, names : tuple of str
        The D data sets and E estimators.
    losses : dict of str to CVLosses
        By data set, where there are fits or folds.
    mean_losses : ndarray of shape (D, E)
        As the test of each data set takes them; nan where there are none.
    pairs : list of (str, str)
        The pairs of ranked models; the arrays below follow their order.
    estimates : ndarray of shape (n_pairs, D)
        Difference on each data set, on the scale of `scale`.
    pvalues, pvalues_adjusted : ndarray of shape (n_pairs,)
        Of Student's t test that the mean difference is zero.
    reference : str or None
        What all others were compared with; None of all pairs.
    p_adjust : str or None
        How p-values are adjusted for the number of pairs.
    alpha : float
        Level of decisions and, as 1 - alpha, of intervals.
    scale : str or None
        What the differences are: None of losses; "log" of their logarithms.
    missing : {"drop", "worst"}
        What becomes of models that failed.
    """

    def __init__(
        self,
        means,
        *,
        reference=None,
        p_adjust="holm",
        alpha=0.05,
        scale="auto",
        missing="drop",
    ):
        check_real("alpha", alpha, 0, 1)
        check_option("p_adjust", p_adjust, (*METHODS, None))
        check_option("scale", scale, ("auto", "log", None))
        check_option("missing", missing, ("drop", "worst"))
        self.means = means = keep_usable(means, missing)
        self.datasets = means.datasets
        self.names = means.names
        self.mean_losses = rounded(means.losses)
        self.losses = {name: c.losses for name, c in means.comparisons.items()}
        check_option("reference", reference, (*means.names, None))
        self.reference = reference
        self.p_adjust = p_adjust
        self.alpha = alpha
        self.missing = missing
        self.scale = scale
        if scale == "auto":
            self.scale = "log" if means.asks_for_ratios else None
        self._pairs = all_pairs(self._ranked)
        if reference is not None:
            self._pairs = pairs_with(means.names.index(reference), self._ranked)
        self.pairs = [(self.names[i], self.names[j]) for i, j in self._pairs]
        values = self._values.T
        first, second = self._pairs.T
        self.estimates = rounded(values[first] - values[second])
        most = means.metric.high - means.metric.low
        self._by_means = mean_differences(
            self.estimates, np.inf if self.scale else most
        )
        self.pvalues = self._by_means.pvalue
        self.pvalues_adjusted = self._adjusted(self.pvalues)

    @cached_property
    def _values(self):
        """Mean losses on the scale of the differences."""
        losses = self.mean_losses
        if self.scale is None:
            return losses
        is_wrong = (losses <= 0).any(axis=1)
        if is_wrong.any():
            dataset = self.datasets[int(np.argmax(is_wrong))]
            allowed = (
                f"None where a mean loss is not above 0, as on data set {dataset!r}"
            )
            raise invalid("scale", allowed, self.scale)
        return np.log(losses)

    # Numbers ------------------------------------------------------------------------

    def _adjusted(self, pvalues):
        if self.p_adjust is None:
            return pvalues
        return adjust_pvalues(pvalues, self.p_adjust)

    def _levels(self, pvalues):
        """Return the level of the interval that goes with each adjusted p-value."""
        if self.p_adjust is None:
            return np.full(len(pvalues), self.alpha)
        adjusted = self._adjusted(pvalues)
        return levels_of_intervals(pvalues, adjusted, self.alpha, self.p_adjust)

    @cached_property
    def has_ranked_failures(self):
        """Whether some estimator has no result, and is ranked last there."""
        return self.missing == "worst" and bool(np.isnan(self.mean_losses).any())

    @cached_property
    def _ranked_losses(self):
        if self.missing == "worst":
            return ranks.failures_last(self.mean_losses)
        return self.mean_losses

    @cached_property
    def _ranked_differences(self):
        if self.missing == "drop":
            return self.estimates
        return ranks.failures_largest(self.estimates, self.mean_losses, self._pairs)

    @cached_property
    def _by_ranks(self):
        return ranks.SignedRanks(self._ranked_differences)

    @property
    def decided_by(self):
        """The test that decides: "wilcoxon", or "t" where so few data sets cannot.

        The smallest p-value of n data sets is 2/2^n, times the number of pairs if it
        is adjusted.
        """
        n_pairs = len(self.pairs) if self.p_adjust is not None else 1
        n_datasets = np.isfinite(self._ranked_differences).sum(axis=1).max()
        can_reject = n_pairs * 2.0 ** (1 - n_datasets) <= self.alpha
        return "wilcoxon" if can_reject else "t"

    @property
    def _decisive_pvalues(self):
        if self.decided_by == "wilcoxon":
            return self._adjusted(self._by_ranks.pvalues)
        return self.pvalues_adjusted

    @property
    def significant(self):
        """Whether the adjusted p-value that decides is at most alpha, (n_pairs,)."""
        return self._decisive_pvalues <= self.alpha

    def _shifts(self, rows):
        """Return what Wilcoxon's test finds of some pairs: estimates, ends.

        They are infinite beyond all differences that were seen, by failures.
        """
        differences = self._ranked_differences[rows]
        tests = ranks.SignedRanks(differences)
        ends = tests.intervals(self._levels(self._by_ranks.pvalues)[rows])
        largest = np.abs(np.nan_to_num(self.estimates[rows])).max(axis=1)
        shifts = np.array([tests.estimates, *ends])
        is_beyond = np.abs(shifts) > largest
        return np.where(is_beyond, np.copysign(np.inf, shifts), shifts)

    def effects(self, rows):
        """Return the differences of some pairs by the test that decides, and ends."""
        if self.decided_by == "wilcoxon":
            return self._shifts(rows)
        ends = self._by_means.interval(self._levels(self.pvalues))
        return [self._by_means.estimate[rows], *(end[rows] for end in ends)]

    @cached_property
    def mean_ranks(self):
        """Mean rank of each model, 1 is best; nan of one that failed too often."""
        return ranks.mean_ranks(self._ranked_losses)

    @cached_property
    def _ranked(self):
        """Positions of the models that are compared: ranked, or all if too few are."""
        is_ranked = np.isfinite(self.mean_ranks)
        return np.flatnonzero(is_ranked | (is_ranked.sum() < 2))

    @cached_property
    def means_of_complete(self):
        """Means over data sets that have all ranked results, or over all there are."""
        is_complete = np.isfinite(self._values[:, self._ranked]).all(axis=1)
        values = self._values[is_complete] if is_complete.any() else self._values
        n_datasets = np.isfinite(values).sum(axis=0)
        with np.errstate(invalid="ignore"):
            return np.nansum(values, axis=0) / n_datasets

    @cached_property
    def order(self):
        """Positions, the best first: by what decides, of many models by mean rank."""
        values = self.means_of_complete
        if self.decided_by == "wilcoxon":
            values = self.mean_ranks.round(12)
            if len(values) == 2 and np.isfinite(values).all():
                values = np.array([self._by_ranks.estimates[0], 0])
        order = self._ranked[np.argsort(values[self._ranked], kind="stable")]
        return order[np.isfinite(values[order])].tolist()

    @cached_property
    def friedman(self):
        """Friedman's test, None without two data sets that have all results."""
        losses = self._ranked_losses
        losses = losses[np.isfinite(losses).all(axis=1)]
        return ranks.friedman(losses) if len(losses) > 1 else None

    def ranks(self) -> Ranks:
        """Compare the mean ranks of the estimators.

        Returns
        -------
        ranks : Ranks
            Mean ranks, Friedman's test, and p-values of all pairs by Nemenyi's and by
            Wilcoxon's signed-rank test with Holm's method, of log ratios if `scale` is
            "log". Only data sets on which all estimators were evaluated are used, or,
            with ``missing="worst"``, all.

        Raises
        ------
        ValueError
            If there are fewer than two such data sets.
        """
        is_used = np.isfinite(self._ranked_losses).all(axis=1)
        if is_used.sum() < 2:
            raise ValueError(
                "Ranks need at least 2 data sets on which all estimators were "
                f"evaluated; got {is_used.sum()}."
            )
        mean_ranks = ranks.mean_ranks(self._ranked_losses[is_used])
        order = np.argsort(mean_ranks, kind="stable")
        every = self.retest(reference=None, p_adjust="holm")
        pvalues = np.ones((len(self.names),) * 2)
        of_ranks = ranks.SignedRanks(every._ranked_differences[:, is_used]).pvalues
        pvalues[tuple(every._pairs.T)] = adjust_pvalues(of_ranks)
        pvalues = np.minimum(pvalues, pvalues.T)
        return Ranks(
            tuple(self.names[position] for position in order),
            mean_ranks[order],
            self.friedman,
            pvalues[np.ix_(order, order)],
            int(is_used.sum()),
            self.alpha,
        )

    @cached_property
    def marks(self):
        """1 where the second of a pair is better, -1 where the first, (n_pairs, D)."""
        return ahead_by_dataset(self.means, self._pairs, self.alpha)

    @property
    def win_tie_loss(self):
        """Numbers of data sets by pair: second better, no difference, first better."""
        is_there = np.isfinite(self.estimates)
        return np.column_stack(
            [np.sum((self.marks == sign) & is_there, axis=1) for sign in (1, 0, -1)]
        )

    def _columns(self):
        tested = self._by_means
        names = np.array(self.names, dtype=object)
        low, high = tested.interval(self.alpha)
        lows, highs = tested.interval(self._levels(self.pvalues))
        new_low, new_high = tested.interval(self.alpha, is_new=True)
        shift, shift_low, shift_high = self._shifts(np.arange(len(self.pairs)))
        wins, ties, losses = self.win_tie_loss.T
        columns = {
            "n_datasets": tested.n_datasets,
            "estimate": tested.estimate,
            "standard_error": tested.standard_error,
            "df": tested.df,
            "ci_low": low,
            "ci_high": high,
            "ci_low_simultaneous": lows,
            "ci_high_simultaneous": highs,
            "statistic": tested.statistic,
            "pvalue": tested.pvalue,
            "pvalue_adjusted": self.pvalues_adjusted,
            "pseudomedian": shift,
            "pseudomedian_low": shift_low,
            "pseudomedian_high": shift_high,
            "pvalue_wilcoxon": self._adjusted(self._by_ranks.pvalues),
            "pi_low": new_low,
            "pi_high": new_high,
            "wins": wins,
            "ties": ties,
            "losses": losses,
        }
        for name, values in columns.items():
            if np.isinf(values).any():  # no bound
                columns[name] = np.where(np.isinf(values), np.nan, values)
        first, second = names[self._pairs].T
        return {"first": first, "second": second} | columns

    def letters(self) -> dict:
        """Return {model: letters}, the best first; who shares one is not told apart.

        By the p-values of all pairs of the test that decides, adjusted as `p_adjust`
        says. Estimators with too few results to be ranked have none.

        Returns
        -------
        letters : dict of str to str
            {name: letters}.

        Raises
        ------
        ValueError
            If not all pairs are compared.
        """
        if self.reference is not None:
            hint = "Use retest(reference=None) first."
            raise invalid("reference", "None for letters", self.reference, hint=hint)
        apart = np.zeros((len(self.names),) * 2, dtype=bool)
        apart[tuple(self._pairs.T)] = self.significant
        apart = (apart | apart.T)[np.ix_(self.order, self.order)]
        names = [self.names[position] for position in self.order]
        return dict(zip(names, letters_apart(apart), strict=True))

    def retest(self, test=None, **options) -> "DatasetComparison":
        """Test the same losses otherwise, without fitting anything.

        Parameters
        ----------
        test : test, default=None
            The test of every data set; None keeps those there are.
        **options : dict
            `reference`, `p_adjust`, `alpha`, `scale` and `missing`; those not given
            are unchanged.

        Returns
        -------
        comparison : DatasetComparison
            A new one.

        Raises
        ------
        TypeError, ValueError
            If there is no such setting, or the test is not valid for a data set.
        """
        means = self.means
        if test is not None:
            means = means_of_results(means.comparisons, None, test, self.alpha, {})
        return DatasetComparison(means, **self._options() | options)

    def _options(self):
        names = ("reference", "p_adjust", "alpha", "scale", "missing")
        return {name: getattr(self, name) for name in names}

    def to_content(self):
        """Return all that makes the comparison, as JSON types."""
        means = self.means
        return {
            "datasets": means.datasets,
            "names": means.names,
            "losses": means.losses.tolist(),
            "metric": facts_of(means.metric),
            "comparisons": {n: c.to_content() for n, c in means.comparisons.items()},
            "notes": means.notes,
            "options": self._options(),
        }

    @classmethod
    def of_content(cls, content):
        """Return the comparison of what :meth:`to_content` returns."""
        comparisons = content["comparisons"].items()
        means = DatasetMeans(
            tuple(content["datasets"]),
            tuple(content["names"]),
            np.array(content["losses"]),
            metric_of(content["metric"]),
            {name: Comparison.of_content(part) for name, part in comparisons},
            content["notes"],
        )
        return cls(means, **content["options"])

    # What is decided ----------------------------------------------------------------

    @cached_property
    def models(self):
        """The ModelTable, against the best or the reference."""
        is_about_best = self.reference is None
        reference = self._reference_position
        rows = []
        for position in dict.fromkeys([*self.order, reference]):
            row = ModelRow(position, "best" if is_about_best else "reference")
            if position != reference:
                row = row_beside(self.beside, position, reference)
            rows.append(row)
        is_adjusted = self.p_adjust is not None and len(self.pairs) > 1
        symbol = "adjusted p" if is_adjusted else "p"
        return ModelTable(rows, reference, is_about_best, symbol, self.alpha)

    @property
    def _reference_position(self):
        """The position of the best, or of the reference."""
        if self.reference is None:
            return self.order[0]
        return self.names.index(self.reference)

    @cached_property
    def beside(self):
        """The pairs of the best, or of the reference, with each other."""
        rows = self.rows_beside
        return PairsOverDatasets(
            self.names,
            *self._pairs[rows].T,
            self.alpha,
            self.scale is not None,
            *self.effects(rows),
            self._decisive_pvalues[rows],
            np.zeros(len(rows), dtype=bool),
            np.full(len(rows), np.nan),
        )

    @property
    def rows_beside(self):
        """The numbers of these pairs."""
        is_beside = (self._pairs == self._reference_position).any(axis=1)
        return np.flatnonzero(is_beside)

    # Words and pictures -------------------------------------------------------------

    def _content(self):
        return words.content_of(self)

    def _forest(self):
        return forest_of_models(self.models, self.names, words.unit_of(self))
