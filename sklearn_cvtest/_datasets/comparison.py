"""DatasetComparison: differences between models over many data sets."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy import special

from .._comparison import ModelRow, ModelTable
from .._excerpt import ahead_forest
from .._inference.adjust import METHODS, adjust_pvalues
from .._inference.student import ROUNDING
from .._metrics import Metric
from .._pairs import all_pairs, pairs_with
from .._report.forest import ForestRows
from .._report.numbers import (
    NOTHING,
    common_decimals,
    counted,
    equals,
    interval_text,
    join_names,
    lower_or_higher,
    magnitude,
    narrowest,
    percent,
    pvalue_text,
    ratio_interval_text,
)
from .._report.result import Content, Result, Table
from .._report.sentences import software_sentence, verdict_on_many
from .._report.units import Unit
from .._validation import check_option, check_real
from . import ranks
from .means import ahead_by_dataset, keep_usable

MOST_ROWS = 25
RANK = Metric("rank", "rank", None)


class MeanDifferences(NamedTuple):
    """Student's t of differences over the data sets, an array for each column."""

    estimate: np.ndarray
    standard_error: np.ndarray
    df: np.ndarray
    statistic: np.ndarray
    pvalue: np.ndarray
    spread: np.ndarray
    n_datasets: np.ndarray

    def interval(self, alpha, is_new=False):
        """Return the interval of the mean, or of the difference on a new data set."""
        error = self.standard_error
        if is_new:
            error = self.spread * np.sqrt(1 + 1 / self.n_datasets)
        with np.errstate(invalid="ignore"):
            margin = special.stdtrit(self.df, 1 - alpha / 2) * error
        return self.estimate - margin, self.estimate + margin


def mean_differences(differences, room=np.inf):
    """Test that differences (n_pairs, D), nan of missing ones, have mean 0.

    Parameters
    ----------
    room : float
        The largest difference that there can be; it bounds p where all are equal.
    """
    n = np.isfinite(differences).sum(axis=1)
    sums = np.nansum(differences, axis=1)
    mean = np.divide(sums, n, out=np.full(len(n), np.nan), where=n > 0)
    squares = np.nansum((differences - mean[:, np.newaxis]) ** 2, axis=1)
    df = np.maximum(n - 1.0, 1.0)
    spread = np.where(n > 1, np.sqrt(squares / df), np.inf)
    size = np.nanmax(np.abs(differences), axis=1, initial=0.0)
    is_equal = (spread <= 1e3 * ROUNDING * size) & (n > 1)
    spread = np.where(is_equal, 0.0, spread)
    error = spread / np.sqrt(np.maximum(n, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(mean == 0, 0.0, mean / error)
        equal_pvalue = np.minimum(2 * (1 - np.abs(mean) / room) ** n, 1.0)
    pvalue = np.where(n > 1, 2 * special.stdtr(df, -np.abs(statistic)), 1.0)
    pvalue = np.where(is_equal, equal_pvalue, pvalue)
    statistic = np.where(n > 1, statistic, 0.0)
    error = np.where(is_equal & (mean != 0), np.nan, error)
    return MeanDifferences(mean, error, df, statistic, pvalue, spread, n)


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
        verdict = friedman_sentence(self.friedman)
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


def friedman_sentence(result):
    """Return Friedman's test as a sentence."""
    return f"Friedman's test that all rank alike: {equals('p', result.pvalue)}."


class _MeanRankTable(NamedTuple):
    """What a sentence on many models reads of losses: here ranks are the losses."""

    names: tuple
    mean_losses: np.ndarray
    metric: Metric = RANK


class DatasetComparison(Result):
    """Differences between estimators over many data sets.

    Made by :func:`compare_over_datasets`. In every pair, a difference is loss(first) -
    loss(second): positive means that the second is better.

    `to_frame` has one row per pair, with the columns first, second, n_datasets,
    estimate (the mean difference over data sets), standard_error, df, ci_low, ci_high,
    statistic, pvalue, pvalue_adjusted, pvalue_wilcoxon, pi_low, pi_high (prediction
    interval for the difference on one more data set), wins (data sets on which the
    second is better), ties, losses.

    Attributes
    ----------
    means : DatasetMeans
        The mean losses of each model on each data set.
    reference : str or None
        What all others were compared with; None of all pairs.
    p_adjust : str or None
        How p-values are adjusted for the number of pairs.
    alpha : float
        Level of decisions and, as 1 - alpha, of intervals.
    missing : {"drop", "worst"}
        What becomes of models that failed.
    """

    def __init__(
        self, means, *, reference=None, p_adjust="holm", alpha=0.05, missing="drop"
    ):
        check_real("alpha", alpha, 0, 1)
        check_option("p_adjust", p_adjust, (*METHODS, None))
        check_option("missing", missing, ("drop", "worst"))
        self.means = means = keep_usable(means, missing)
        check_option("reference", reference, (*means.names, None))
        self.reference = reference
        self.p_adjust = p_adjust
        self.alpha = alpha
        self.missing = missing
        self.by_ratio = means.by_ratio
        positions = np.arange(len(means.names))
        pairs = all_pairs(positions)
        if reference is not None:
            pairs = pairs_with(means.names.index(reference), positions)
        self.pairs = pairs[self._n_shared(pairs) > 0]
        values = np.log(means.losses) if self.by_ratio else means.losses
        self.differences = values.T[self.pairs[:, 0]] - values.T[self.pairs[:, 1]]
        room = np.inf if self.by_ratio else means.metric.high - means.metric.low
        self.tested = mean_differences(self.differences, room)
        self.pvalues_adjusted = self._adjusted(self.tested.pvalue)

    def _n_shared(self, pairs):
        is_there = np.isfinite(self.means.losses)
        return (is_there[:, pairs[:, 0]] & is_there[:, pairs[:, 1]]).sum(axis=0)

    def _adjusted(self, pvalues):
        if self.p_adjust is None:
            return pvalues
        return adjust_pvalues(pvalues, self.p_adjust)

    # Numbers ------------------------------------------------------------------------

    @cached_property
    def _ranked_losses(self):
        """Losses for ranks: a failure is nan, or last."""
        losses = self.means.losses
        return ranks.failures_last(losses) if self.missing == "worst" else losses

    @cached_property
    def wilcoxon_pvalues(self):
        """p-values of signed-rank tests, adjusted; nan of models without a rank."""
        differences = self.differences
        if self.missing == "worst":
            failed = np.isnan(self.means.losses).T.astype(float)
            first, second = failed[self.pairs[:, 0]], failed[self.pairs[:, 1]]
            largest = 2 * np.nanmax(np.abs(differences), axis=1, keepdims=True) + 1
            is_missing = np.isnan(differences)
            differences = np.where(is_missing, largest * (first - second), differences)
        pvalues = np.full(len(self.pairs), np.nan)
        is_ranked = np.isfinite(self.mean_ranks[self.pairs]).all(axis=1)
        tested = ranks.signed_rank_pvalues(differences[is_ranked])
        pvalues[is_ranked] = self._adjusted(tested)
        return pvalues

    @cached_property
    def mean_ranks(self):
        """Mean rank of each model, 1 is best; nan of one that failed too often."""
        return ranks.mean_ranks(self._ranked_losses)

    @cached_property
    def friedman(self):
        """Friedman's test of the models that are ranked."""
        losses = self._ranked_losses[:, np.isfinite(self.mean_ranks)]
        losses = losses[np.isfinite(losses).all(axis=1)]
        return ranks.friedman(losses)

    def ranks(self):
        """Compare the mean ranks of the estimators.

        Returns
        -------
        ranks : RankComparison
            Mean ranks, Friedman's test, and p-values of all pairs by Nemenyi's and by
            Wilcoxon's signed-rank test with Holm's method. Only data sets on which all
            estimators were evaluated are used, or, with ``missing="worst"``, all.

        Raises
        ------
        ValueError
            If there are fewer than two such data sets.
        """
        order = np.argsort(self.mean_ranks, kind="stable")
        order = order[np.isfinite(self.mean_ranks[order])]
        pvalues = np.ones((len(self.means.names),) * 2)
        pvalues[self.pairs[:, 0], self.pairs[:, 1]] = self.wilcoxon_pvalues
        pvalues = np.minimum(pvalues, pvalues.T)
        return Ranks(
            tuple(self.means.names[position] for position in order),
            self.mean_ranks[order],
            self.friedman,
            pvalues[np.ix_(order, order)],
            len(self.means.datasets),
            self.alpha,
        )

    @cached_property
    def marks(self):
        """1 where the second of a pair is better, -1 where the first, (n_pairs, D)."""
        return ahead_by_dataset(self.means, self.pairs, self.alpha)

    def _counts(self):
        """Return wins, ties and losses of the second of each pair."""
        n_shared = self.tested.n_datasets
        wins = (self.marks > 0).sum(axis=1)
        losses = (self.marks < 0).sum(axis=1)
        return wins, n_shared - wins - losses, losses

    def _columns(self):
        tested = self.tested
        names = np.array(self.means.names, dtype=object)
        ci_low, ci_high = tested.interval(self.alpha)
        pi_low, pi_high = tested.interval(self.alpha, is_new=True)
        wins, ties, losses = self._counts()
        return {
            "first": names[self.pairs[:, 0]],
            "second": names[self.pairs[:, 1]],
            "n_datasets": tested.n_datasets,
            "estimate": tested.estimate,
            "standard_error": tested.standard_error,
            "df": tested.df,
            "ci_low": ci_low,
            "ci_high": ci_high,
            "statistic": tested.statistic,
            "pvalue": tested.pvalue,
            "pvalue_adjusted": self.pvalues_adjusted,
            "pvalue_wilcoxon": self.wilcoxon_pvalues,
            "pi_low": pi_low,
            "pi_high": pi_high,
            "wins": wins,
            "ties": ties,
            "losses": losses,
        }

    def retest(self, **options):
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
        current = {
            "reference": self.reference,
            "p_adjust": self.p_adjust,
            "alpha": self.alpha,
            "missing": self.missing,
        }
        return DatasetComparison(self.means, **current | options)

    # What is decided ----------------------------------------------------------------

    @property
    def is_by_ranks(self):
        """Whether signed ranks decide: of several pairs, on enough data sets."""
        n_pairs = len(self.pairs)
        least = 2.0 ** (1 - len(self.means.datasets))  # p if one is always better
        if self.p_adjust is not None:
            least = least * n_pairs
        return n_pairs > 1 and least <= self.alpha

    @cached_property
    def models(self):
        """The ModelTable, against the best rank or the reference."""
        order = np.argsort(self.mean_ranks, kind="stable")
        order = order[np.isfinite(self.mean_ranks[order])].tolist()
        is_about_best = self.reference is None
        reference = order[0]
        if not is_about_best:
            reference = self.means.names.index(self.reference)
        rows = []
        for position in order:
            if position == reference:
                decision = "best" if is_about_best else "reference"
                rows.append(ModelRow(position, decision))
            else:
                rows.append(self._model_row(position, reference))
        symbol = "p" if self.p_adjust is None else "adjusted p"
        return ModelTable(rows, reference, is_about_best, symbol, self.alpha)

    def _pair_of(self, position, reference):
        """Return the row of a pair, and 1 if the reference is its second, else -1."""
        for row, pair in enumerate(self.pairs.tolist()):
            if set(pair) == {position, reference}:
                return row, 1 if pair[0] == position else -1
        return None, 1

    def _model_row(self, position, reference):
        row, sign = self._pair_of(position, reference)
        if row is None:
            return ModelRow(position, "not significant")
        pvalue = self.pvalues_adjusted[row]
        if self.is_by_ranks:
            pvalue = self.wilcoxon_pvalues[row]
        estimate = sign * self.tested.estimate[row]
        is_worse = estimate > 0
        if self.is_by_ranks:
            is_worse = self.mean_ranks[position] > self.mean_ranks[reference]
        decision = "not significant"
        if pvalue <= self.alpha:
            decision = "worse" if is_worse else "better"
        return ModelRow(position, decision, effect=estimate, pvalue=pvalue)

    # Words and pictures -------------------------------------------------------------

    def _content(self):
        means = self.means
        n_datasets = len(means.datasets)
        lead = f"{counted(len(means.names), 'model')} on {n_datasets} data sets"
        if len(self.pairs) == 1:
            verdict = self._verdict_on_two()
        else:
            table = _MeanRankTable(means.names, self.mean_ranks)
            verdict = verdict_on_many(table, self.models)
            verdict = f"Over {n_datasets} data sets, {verdict}"
        method = " ".join(
            filter(None, [*self._method(), self._failures(), *self._left()])
        )
        metric = means.metric
        findings = {
            "metric": metric.name,
            "greater_is_better": metric.is_score,
            "mean_ranks": dict(zip(means.names, self.mean_ranks, strict=True)),
            "decisions": {
                means.names[r.position]: r.decision for r in self.models.rows
            },
            "n_datasets": n_datasets,
            "friedman_pvalue": self.friedman.pvalue,
            "alpha": self.alpha,
        }
        opening = (
            f"We compared {join_names(means.names)} by {means.metric.word} on "
            f"{n_datasets} data sets: {', '.join(means.datasets)}."
        )
        paragraph = [opening, verdict, method, software_sentence()]
        return Content(lead, verdict, self._table(), method, paragraph, findings)

    def _verdict_on_two(self):
        """Return the sentence on two models, by the mean of their differences."""
        unit = Unit(self.means.metric, self.by_ratio)
        (first, second), estimate = self.pairs[0], self.tested.estimate[0]
        low, high = (end[0] for end in self.tested.interval(self.alpha))
        if estimate < 0:
            first, second, estimate, low, high = second, first, -estimate, -high, -low
        ahead, behind = self.means.names[second], self.means.names[first]
        p = equals("p", self.pvalues_adjusted[0], self.alpha)
        level = f"{percent(1 - self.alpha)} CI"
        over = f"Over {self.tested.n_datasets[0]} data sets,"
        width = narrowest(low, high)
        texts = unit.numbers([estimate, low, high], None, width)
        amount = magnitude(texts[0])
        amount += unit.after(amount)
        ends = interval_text(*texts[1:])
        if self.by_ratio:  # the worse beside the better
            amount = lower_or_higher(texts[0])
            ends = ratio_interval_text(*texts[1:])
        bracket = f"({level} {ends}, {p})" if np.isfinite(low + high) else f"({p})"
        if self.pvalues_adjusted[0] > self.alpha:
            lead = f"{ahead} is ahead by {amount} on average"
            if self.by_ratio:
                lead = f"{behind}'s {unit.word} is {amount} on average"
            if estimate == 0:
                lead = "their means are equal"
            names = " and ".join(self.means.names[i] for i in self.pairs[0])
            return (
                f"{over} no significant difference between {names}: {lead} {bracket}."
            )
        if self.by_ratio:
            return (
                f"{over} {ahead} is better than {behind}: {behind}'s {unit.word} is "
                f"{amount} on average {bracket}."
            )
        return (
            f"{over} {ahead} is better than {behind} by {amount} on average {bracket}."
        )

    def _method(self):
        """Return by which tests, and Friedman's."""
        if len(self.pairs) == 1:
            wilcoxon = equals("p", self.wilcoxon_pvalues[0], self.alpha)
            scale = "log ratios" if self.by_ratio else "differences"
            text = f"Student's t test of the {scale}, each data set an observation"
            return [f"{text}; Wilcoxon's signed-rank test: {wilcoxon}."]
        n = np.isfinite(self.wilcoxon_pvalues).sum()
        text = "p: Student's t test of each pair"
        if self.is_by_ranks:
            text = "p: Wilcoxon's signed-rank test of each pair"
        if self.p_adjust is not None and n > 1:
            method = METHODS_IN_WORDS[self.p_adjust]
            text += f", adjusted for {n} comparisons ({method})"
        quantity = "their mean log ratio" if self.by_ratio else "their mean difference"
        behind = f"Behind: {quantity} over the data sets."
        return [f"{text}.", behind, friedman_sentence(self.friedman)]

    def _failures(self):
        """Return which model has no result where."""
        is_missing = np.isnan(self.means.losses)
        texts = []
        for column in np.flatnonzero(is_missing.any(axis=0)):
            rows = np.flatnonzero(is_missing[:, column])
            names = join_names([self.means.datasets[row] for row in rows])
            count = f"{len(rows)} of {len(is_missing)} data sets"
            text = f"{self.means.names[column]} failed on {count} ({names})"
            if np.isnan(self.mean_ranks[column]):
                text += " and is not ranked"
            texts.append(text)
        if not texts:
            return ""
        rule = "they are left out of its pairs"
        if self.missing == "worst":
            rule = "it counts as the worst there"
        return f"{'; '.join(texts)}; {rule}."

    def _left(self):
        return [f"{note[0].upper()}{note[1:]}." for note in self.means.notes]

    def _table(self):
        """Return the table of models, the best rank first."""
        models = self.models
        unit = Unit(self.means.metric, self.by_ratio)
        rows = models.rows[:MOST_ROWS]
        texts = common_decimals([self.mean_ranks[row.position] for row in rows], 2)
        effects = np.array([row.effect for row in rows])
        behind = unit.numbers(np.nan_to_num(effects))
        lines = []
        for row, rank, text in zip(rows, texts, behind, strict=True):
            name = self.means.names[row.position]
            if row.decision in ("best", "not significant") and len(rows) > 2:
                name += " †"
            cells = ["", "", ""]
            if np.isfinite(row.effect):
                p = pvalue_text(row.pvalue, self.alpha)
                cells = [text, self._counts_text(row.position), p]
            lines.append([name, rank, *cells])
        for position in np.flatnonzero(np.isnan(self.mean_ranks)):
            lines.append([self.means.names[position], NOTHING, "", "", ""])
        name = "the best"
        if not models.is_about_best:
            name = self.means.names[models.reference]
        header = f"behind {name}"
        if self.means.metric.is_share:
            header += " (points)"
        return Table(["model", "mean rank", header, "wins/ties/losses", "p"], lines)

    def _counts_text(self, position):
        """Return wins, ties and losses of a model against the best or the reference."""
        row, sign = self._pair_of(position, self.models.reference)
        wins, ties, losses = (int(counts[row]) for counts in self._counts())
        if sign == 1:
            wins, losses = losses, wins
        return f"{wins}/{ties}/{losses}"

    def _forest(self):
        names = np.array(self.means.names, dtype=object)
        first, second = np.transpose(self.pairs)
        return ahead_forest(
            Unit(self.means.metric, self.by_ratio),
            names[first],
            names[second],
            self.tested.estimate,
            *self.tested.interval(self.alpha),
            confidence=1 - self.alpha,
            filled=self.tested.pvalue <= self.alpha,
            texts=[pvalue_text(p, self.alpha) for p in self.tested.pvalue],
            text_title="p, not adjusted",
        )


METHODS_IN_WORDS = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "hochberg": "Hochberg",
    "fdr_bh": "Benjamini–Hochberg",
}
