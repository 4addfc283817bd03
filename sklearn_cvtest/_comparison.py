"""Comparison: tests of the differences between models, and what they say."""

import warnings
from functools import cached_property

import numpy as np
from sklearn.base import clone

from ._best_set import letters_of, step_down
from ._by_label import DifferencesByLabel, differences_by_label
from ._data import CVLosses
from ._excerpt import pairs_of
from ._gate import Gate, gate_of
from ._inference import checked_test
from ._inference.adjust import METHODS
from ._interval import model_intervals
from ._pairs import all_pairs, pair_table, pairs_with
from ._plan import Plan, plan_of
from ._report import practical, sentences
from ._report.models import (
    MOST_ROWS,
    ModelRow,
    ModelTable,
    cells_beside,
    forest_of_models,
    head_beside,
    mark_sentence,
    row_beside,
    rows_of_models,
)
from ._report.numbers import NOTHING, percent
from ._report.result import Content, Result, Table
from ._report.units import Unit
from ._store import Saved
from ._validation import check_integer, check_option, check_real, invalid
from ._winner import WinnerInterval, winner_of

MOST_PAIRS_AT_ONCE = 5000  # that are tested before they are asked for
THE_BEST = True  # as `reference`, also if a model is called "best"


def check_comparison(losses, test, reference, p_adjust, alpha):
    """Return the test of a comparison, if its options are as they should be."""
    check_real("alpha", alpha, 0, 1)
    check_option("p_adjust", p_adjust, (*METHODS, None))
    if reference is not THE_BEST:
        check_option("reference", reference, (*losses.names, "best", None))
    test = checked_test(test, losses, alpha)
    test.check_metric(losses.metric)
    return test


class Comparison(Saved, Result):
    """The models of a cross-validation, or of other scores, compared.

    Made by :func:`compare_estimators` and the like. In every pair, the difference is
    loss(first) - loss(second): positive means that the second is better.

    Parameters
    ----------
    losses : CVLosses
        The losses of at least two estimators.
    test : test or None, default=None
        As in :func:`compare_estimators`.
    reference : str, default=None
        Name of the estimator to compare all others with, or "best"; None compares all
        pairs.
    p_adjust : str or None, default="holm"
        How p-values are adjusted for the number of pairs, as in
        :func:`compare_estimators`.
    alpha : float, default=0.05
        Level, in (0, 1), of decisions, of `rho_alpha_` and, as 1 - alpha, of intervals;
        it takes the place of the `alpha` of the test.

    Attributes
    ----------
    table : PairTable
        What the test found, an array for each column: `table.pvalue_adjusted`.

    Raises
    ------
    ValueError
        If there is no pair of estimators without failed fits, or the test does not
        accept their residuals.

    Notes
    -----
    `to_frame` has one row per pair, with columns first, second, test, estimate (of
    loss(first) - loss(second)), ci_low, ci_high, statistic, df, pvalue,
    pvalue_adjusted, rho, rho_alpha, total_error (a standard error that includes ρ, to
    plan with), significant, and what else a test says, such as prob_less, prob_rope and
    prob_greater; seed_stability; detectable_difference, with a power of 80%; and
    better, the name of the better one or None. Of losses compared by ratio, ratio,
    ratio_low and ratio_high are those of the mean loss of the first to that of the
    second, and percent is by how much what people read of the worse is higher. ci_low
    and ci_high are not adjusted for the number of pairs; ci_low_simultaneous and
    ci_high_simultaneous all hold with probability 1 - alpha, and 0 is outside exactly
    if pvalue_adjusted is at most alpha. For three estimators or more without a
    reference, what is printed first is about the best one, by the p-values of
    :meth:`best_set`, not about these pairs.

    Examples
    --------
    Losses are computed once, and can be asked several questions:

    >>> from sklearn.datasets import load_wine
    >>> from sklearn.linear_model import RidgeClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_cvtest import Comparison, cross_val_losses
    >>> X, y = load_wine(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    >>> models = {"ridge": RidgeClassifier(), "tree": tree}
    >>> losses = cross_val_losses(models, X, y, cv=10)
    >>> result = Comparison(losses)
    >>> result.best, round(result.pvalue_, 4)
    ('ridge', 0.0004)
    >>> print(str(result.retest(alpha=0.01)).splitlines()[0])
    ridge is better than tree by 10.7 points of error (99% CI 2.9 to 18.4, p < 0.001).
    """

    def __init__(
        self, losses, *, test=None, reference=None, p_adjust="holm", alpha=0.05
    ):
        if not isinstance(losses, CVLosses):
            raise invalid("losses", "CVLosses", losses, TypeError)
        self.losses = losses
        self.reference = reference
        self.p_adjust = p_adjust
        self.alpha = alpha
        self._asked_test = test
        self.test = check_comparison(losses, test, reference, p_adjust, alpha)
        if self.test.decides == "posterior":
            self.p_adjust = None
        self._pairs = self._pairs_to_test()
        if len(self._pairs) <= MOST_PAIRS_AT_ONCE:
            _ = self.table  # what cannot be tested is refused at once

    @cached_property
    def table(self):
        """The PairTable of all pairs, or of those with the reference."""
        pairs = self._pairs
        best = None
        is_chosen = self._is_with_best and self.p_adjust is not None
        if is_chosen and len(pairs) > 1 and self.test.is_directed:
            best = self._steps
            pairs = pairs_with(int(best.order[0]), np.sort(best.order))
        options = self.alpha, self.p_adjust
        return pair_table(self.test, self.losses, pairs, *options, best=best)

    def _pairs_to_test(self):
        """Return the pairs of positions to test, without failed fits."""
        usable = np.sort(self.losses.ranking)
        if len(usable) < 2:
            reasons = [f"{k!r}: {v[0]}" for k, v in self.losses.errors.items()]
            hint = "; ".join(reasons)
            raise invalid("estimators", "at least two to compare", usable, hint=hint)
        if self.reference is None:
            return all_pairs(usable)
        position = self._reference_position()
        if position not in usable:
            hint = self.losses.errors.get(self.reference, [""])[0]
            allowed = "a model without failed fits"
            raise invalid("reference", allowed, self.reference, hint=hint)
        return pairs_with(position, usable)

    @property
    def _is_with_best(self):
        """Whether the reference stands for the best, whoever that is."""
        is_no_name = "best" not in self.losses.names
        return self.reference is THE_BEST or (self.reference == "best" and is_no_name)

    def _reference_position(self):
        if self._is_with_best:
            return int(self.losses.ranking[0])
        return self.losses.names.index(self.reference)

    # Numbers ------------------------------------------------------------------------

    @property
    def pvalue_(self):
        """p-value of the only pair, or {pair: p-value}; not adjusted."""
        return self._by_pair(self.table.pvalue)

    @property
    def rho_alpha_(self):
        """The largest ρ at which a pair still differs significantly, as `pvalue_`."""
        return self._by_pair(self.table.rho_alpha)

    def _by_pair(self, values):
        if len(values) == 1:
            return float(values[0])
        names = self.losses.names
        pairs = zip(self.table.first, self.table.second, strict=True)
        return {
            (names[i], names[j]): float(value)
            for (i, j), value in zip(pairs, values, strict=True)
        }

    @property
    def best(self):
        """The one with the smallest mean loss, or the highest mean score."""
        return self.losses.names[self.losses.ranking[0]]

    @cached_property
    def tests(self):
        """{(first, second): the test, fitted to their residuals}, dict."""
        names = self.losses.names
        fitted = {}
        for i, j in zip(self.table.first, self.table.second, strict=True):
            residuals = self.losses.residuals(names[i], names[j])
            fitted[names[i], names[j]] = clone(self.test).fit(residuals)
        return fitted

    @cached_property
    def _steps(self):
        """The StepDown to the models that may be the best."""
        if not self.test.is_directed:
            raise invalid("test", "one that says which is better", self.test)
        return step_down(self.test, self.losses, self.alpha)

    def best_set(self) -> "BestSet":
        """Which models may be the best: a set that holds it with probability 1 - alpha.

        Returns
        -------
        best_set : BestSet
            Its `names`, the `pvalues` of all models, and how far each is behind the
            best one.

        Notes
        -----
        Models leave one after the other, the most clearly worse first, if their
        difference from the best mean is beyond the critical value of the largest
        difference among those that are still in the set. p-values and intervals are
        those of the steps: 0 is outside an interval exactly if the model has left.
        """
        return BestSet(self.retest(reference=THE_BEST))

    @cached_property
    def intervals(self):
        """The ModelIntervals of each model alone."""
        return model_intervals(self.losses, self.alpha)

    def retest(self, test=None, **options) -> "Comparison":
        """Apply another test to the same losses, without fitting anything.

        Parameters
        ----------
        test : test or None, default=None
            The test; None keeps that of this comparison.
        **options : dict
            `reference`, `p_adjust` and `alpha`; those not given are unchanged.

        Returns
        -------
        comparison : Comparison
            A new one on the same losses.
        """
        settings = {
            "test": self._asked_test if test is None else test,
            "reference": self.reference,
            "p_adjust": self.p_adjust,
            "alpha": self.alpha,
        }
        return Comparison(self.losses, **settings | options)

    def gate(self, margin, reference=None) -> Gate:
        """Return whether each model is not worse than another by more than a margin.

        Parameters
        ----------
        margin : float or str
            At least 0, in units of the loss or score: of an accuracy, 0.01 is one
            point. For errors that are compared by ratio also a percentage, such as "5%"
            (for squared errors, of the RMSE).
        reference : str, default=None
            The model that the others must not be worse than; None takes the reference
            of this comparison.

        Returns
        -------
        gate : Gate
            With a `decision` on each model and a sentence: "shown", if the one-sided
            test at level `alpha` rejects that it is worse by `margin` or more,
            "refuted", if it rejects that it is worse by less, or "inconclusive". With
            several models, at `alpha` over their number, unless p-values are not
            adjusted. A model with the same losses as the reference on all tested
            examples passes every margin above 0: by convention, and the sentence has
            the number of examples.

        Raises
        ------
        TypeError, ValueError
            If an argument is not as described, or there is no single test with
            one-sided alternatives.
        """
        reference = self.reference if reference is None else reference
        check_option("reference", reference, self.losses.names)
        return gate_of(self, margin, reference)

    def letters(self, n_models=None) -> dict:
        """Return {model: letters}, the best first; who shares one is not told apart.

        By the steps of the best set, so that who is worse than the best shares none
        with it.

        Parameters
        ----------
        n_models : int, default=None
            How many models get letters, the best first; None: all.

        Returns
        -------
        letters : dict
            {name: letters}.

        Raises
        ------
        ValueError
            If the test does not say which of two is better.
        """
        if n_models is not None:
            check_integer("n_models", n_models, 1)
        letters = letters_of(self.test, self.losses, self._steps, n_models)
        order = self._steps.order[:n_models]
        names = [self.losses.names[position] for position in order]
        return dict(zip(names, letters, strict=True))

    def pairs(self, pairs="all"):
        """Return the pairs, to print.

        Parameters
        ----------
        pairs : {"best", "all"} or list of pairs, default="all"
            Those with the best, or with the reference; all; or some.

        Returns
        -------
        pairs : Excerpt
            With a row for each pair, the one that is ahead first; p-values of the
            pairs, adjusted for their number.

        Raises
        ------
        TypeError, ValueError
            If `pairs` is none of these.
        """
        return pairs_of(self, pairs)

    def by(self, labels, p_adjust="holm") -> DifferencesByLabel:
        """Return the differences for each value of a label: where is which better?

        Parameters
        ----------
        labels : array-like of shape (n_samples,)
            A label for each example, such as site, sex or difficulty.
        p_adjust : str or None, default="holm"
            How p-values are adjusted for the number of labels and pairs: as in
            :func:`adjust_pvalues`.

        Returns
        -------
        differences : DifferencesByLabel
            Estimates, intervals and p-values, with `plot` (a forest plot), `report` and
            `to_frame`, whose columns are those of the comparison's. Labels of fewer
            than 10 examples, or of 2 to 9 groups, and, of subsamples, those in fewer
            than half of the splits, are left out.

        Raises
        ------
        TypeError, ValueError
            If there is not one label for each example, or one value per split.

        Warns
        -----
        UserWarning
            If a label has too few examples or groups.

        Notes
        -----
        Nothing is fitted. One label for all examples gives the comparison itself. With
        several labels, a test of single examples is applied to the examples of each
        label as if there were no others: the variance is the variance between them (or
        their groups), with repeats θ̂_R + ρ/(1-ρ) θ̂_1 as in
        :class:`KFoldZTest`. Student's t with their number less one takes the
        place of the normal distribution. A test of means of splits is applied to what
        the examples of a label contribute to each split, the linearised ratio of their
        sum to their share of the test set; where a label is in fewer than half of the
        splits, :class:`KFoldZTest` takes its place. For paired halves only
        the splits of the whole sample are used. Examples of a label that
        is one group, such as a site, are taken to be independent: the interval is about
        that site, and if all of it is in one test set, about the models that were
        tested there. If a label has few groups and their means are skewed, simultaneous
        intervals of many labels may be many times longer on one side; shorter ones miss
        more. In a time series the examples of a label are taken to be consecutive.
        Labels are to be chosen before looking at the losses.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from sklearn_cvtest import compare_estimators
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> models = [GaussianNB(), DecisionTreeClassifier(random_state=0)]
        >>> result = compare_estimators(models, X, y, cv=10)
        >>> len(result.by(X[:, 0] > 15).to_frame())
        2
        """
        return differences_by_label(self, labels, p_adjust)

    def detectable_difference(self):
        """Return the differences that the test detects with a power of 80%.

        Returns
        -------
        differences : float or dict
            In units of the loss, of the only pair, or {pair: difference}; adjusted for
            the number of pairs, by Bonferroni's method.
        """
        return self._by_pair(self.table.detectable_difference)

    def winner_interval(self, alpha=None) -> WinnerInterval:
        """Return how good the best one is, corrected for having been chosen.

        Parameters
        ----------
        alpha : float, default=None
            One minus the level of the interval, in (0, 1); None takes the comparison's.

        Returns
        -------
        winner : WinnerInterval
            The expected loss, or score, of the one with the smallest mean loss, with
            an interval, beside its mean as it came out.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is out of range, or there is no interval of one estimator for
            the splits.

        Notes
        -----
        The smallest of k mean losses is too small: part of what it was chosen for is
        noise. Noise with the covariance of the mean losses, drawn 2,000 times with a
        fixed seed, is added to them to choose by, and what is independent of this
        choice says how good the chosen one is [1]_. Variances, with the ρ that is not
        seen in the splits, are taken from `intervals`; where the means differ less than
        that would make them, ρ is smaller, and so is the correction. From one value per
        split ρ is assumed; where it is smaller, the mean is corrected too far.

        On the side where the best came out, the interval ends as if nothing had been
        chosen: were the truth beyond, the truly best one would be, too, and that was
        not chosen by these losses. On the other side it allows for the noise of the
        largest of those that are near (coverage and bias: `docs/data/winner.csv`).

        A model that explodes in a few samples only, as one in 50, shows nothing of
        that in the others, and no interval from one of these allows for it: where
        models of high degree met rows far out, intervals held the expected squared
        error in 42 to 76% of samples (`docs/data/winner_tails.csv`).

        References
        ----------
        .. [1] N. L. Oliveira, J. Lei and R. J. Tibshirani, "Unbiased Risk Estimation in
           the Normal Means Problem via Coupled Bootstrap Techniques", 2021.
           :doi:`10.48550/arXiv.2111.09447`
        """
        return winner_of(self.losses, self.alpha if alpha is None else alpha)

    def plan(self, difference=None) -> Plan:
        """Return what is detectable, and how many examples a difference needs.

        Parameters
        ----------
        difference : float or str, default=None
            The true difference of mean losses to detect, above 0; for errors that are
            compared by ratio a percentage, such as "5%". None: what is detectable
            alone.

        Returns
        -------
        plan : Plan
            Two numbers, with a power of 80%; this comparison is the pilot.

        Raises
        ------
        TypeError, ValueError
            If `difference` is not as described.
        """
        return plan_of(self, difference)

    # What is decided ----------------------------------------------------------------

    @cached_property
    def models(self):
        """The ModelTable: of three or more models, by the set of the best."""
        table = self._printed_table
        order, symbol = self.losses.ranking, sentences.symbol_of_p(table)
        if self._is_about_set:
            order, symbol = self._steps.order, "p"
        is_about_best = self.reference is None or self._is_with_best
        reference = int(order[0]) if is_about_best else self._reference_position()
        rows = []
        for position in order.tolist():
            if position != reference:
                rows.append(row_beside(table, position, reference))
                continue
            rows.append(ModelRow(position, "best" if is_about_best else "reference"))
        return ModelTable(rows, reference, is_about_best, symbol, self.alpha)

    @property
    def _is_about_set(self):
        """Whether three or more models are compared with the best, as by default."""
        if len(self._pairs) == 1 or not self.test.is_directed:
            return False
        if self._is_with_best:
            return True
        asks_for_pairs = self._asked_test is not None or self.p_adjust != "holm"
        return self.reference is None and not asks_for_pairs

    @cached_property
    def best_table(self):
        """The PairTable of the best with each, by the steps of the best set."""
        if self._is_with_best:
            return self.table
        best = self._steps
        pairs = pairs_with(int(best.order[0]), np.sort(best.order))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # given already, of all pairs
            return pair_table(self.test, self.losses, pairs, self.alpha, best=best)

    @property
    def _printed_table(self):
        """The PairTable that is printed."""
        return self.best_table if self._is_about_set else self.table

    # Words and pictures -------------------------------------------------------------

    def _content(self):
        losses, table = self.losses, self._printed_table
        mark = ""
        if self._has_margin:
            verdict = practical.verdict(losses, table)
            excerpt = self._pairs_with_margin()
            rows = practical.table_of_pairs(losses, excerpt)
            left_out = sentences.left_out_sentence(len(table) - len(excerpt), "pair")
        else:
            verdict = self._verdict()
            rows = self._models_as_table()
            left_out = sentences.left_out_sentence(len(self.models.rows) - MOST_ROWS)
            mark = mark_sentence(self.models, losses.names, self._has_tiers)
            if losses.few_positives and len(self._pairs) > 1:
                mark += sentences.without_differences(losses)
        lead = f"{len(losses.names)} {losses.noun}s"
        if len(losses.names) == 2:
            lead = " and ".join(losses.names)
        method = [
            sentences.design_sentence(losses, table),
            sentences.adjustment_sentence(table, self._is_about_set),
            mark,
            sentences.endless_sentence(losses, self.models, table),
            left_out,
            sentences.failure_sentence(losses),
            sentences.constant_sentence(losses, self.intervals),
        ]
        paragraph = [
            sentences.methods_sentence(losses),
            sentences.means_sentence(losses, self.intervals, self.alpha),
            verdict,
            *sentences.sentences_on_test(table, self._is_about_set),
            sentences.split_sentence(losses),
            sentences.software_sentence(),
        ]
        names = losses.names
        unit = Unit(losses.metric)
        return Content(
            lead=lead,
            verdict=verdict,
            table=rows,
            method=" ".join(filter(None, method)),
            paragraph=list(filter(None, paragraph)),
            findings={
                "metric": losses.metric.name,
                "greater_is_better": losses.metric.is_score,
                "means": dict(
                    zip(names, unit.as_read(losses.mean_losses), strict=True)
                ),
                "decisions": {names[r.position]: r.decision for r in self.models.rows},
                "design": str(losses.design),
                "test": repr(self.test),
                "alpha": self.alpha,
            },
        )

    def _verdict(self):
        """Return the sentence on two models, or on all beside one."""
        if len(self._pairs) > 1:
            return sentences.verdict_on_many(self.losses, self.models)
        reference = None if self.models.is_about_best else self.models.reference
        return sentences.verdict_on_two(self.losses, self._printed_table, reference)

    @property
    def _has_margin(self):
        """Whether the test compares differences with something else than zero."""
        return self.test.decides != "difference" or self.test.popmean != 0

    def _pairs_with_margin(self):
        """Return the PairTable that is shown: of many pairs, those with the best."""
        table = self.table
        if len(table) <= 10:
            return table
        best = self.losses.ranking[0]
        is_shown = (table.first == best) | (table.second == best)
        if self.reference is not None:
            is_shown[:] = True
        return table.take(np.flatnonzero(is_shown)[:MOST_ROWS])

    def _models_as_table(self):
        """Return the table of models, the best first."""
        losses, models = self.losses, self.models
        unit = Unit(losses.metric, self._printed_table.by_ratio)
        order = [row.position for row in models.rows[:MOST_ROWS]]
        intervals = self.intervals
        means, cells = unit.means(
            losses.mean_losses[order], intervals.low[order], intervals.high[order]
        )
        beside = cells_beside(models, unit)
        if losses.few_positives:
            for position in order:
                if position != models.reference:
                    beside[position][1] = NOTHING
        columns = {unit.header: means, f"{percent(1 - self.alpha)} CI": cells}
        head = head_beside(models, losses.names, unit.by_ratio)
        letters = self.letters(len(order)) if self._has_tiers else None
        headers, rows = rows_of_models(
            models, losses.names, losses.noun, columns, head, beside, {}, letters
        )
        for position, name in enumerate(losses.names):
            if position not in losses.ranking:
                rows.append([name, "failed", *[""] * (len(headers) - 2)])
        return Table(headers, rows)

    @property
    def _has_tiers(self):
        """Whether there are so many models that letters say more than marks."""
        return self._is_about_set and len(self.models.rows) > 6

    def _columns(self):
        return self.table.columns()

    def _forest(self):
        if self._has_margin:
            return practical.forest(self.losses, self._pairs_with_margin())
        unit = Unit(self.losses.metric, self._printed_table.by_ratio)
        return forest_of_models(self.models, self.losses.names, unit)


class BestSet(Result):
    """Which of many may be the best.

    Made by :meth:`Comparison.best_set`.

    Attributes
    ----------
    comparison : Comparison
        Of each model with the best one.
    names : tuple
        Those that may be the best, by mean loss.
    pvalues : dict
        {name: p-value} of all, by mean loss; small if the best one is better.
    alpha : float
        One minus the confidence that the best is in the set, or, of several that are
        equally good, that all of them are.
    """

    def __init__(self, comparison):
        self.comparison = comparison
        self.alpha = comparison.alpha
        steps = comparison._steps
        names = [comparison.losses.names[position] for position in steps.order]
        self.pvalues = dict(zip(names, steps.pvalues.tolist(), strict=True))
        self.names = tuple(name for name in names if self.pvalues[name] > self.alpha)

    def _content(self):
        return self.comparison._content()

    def _forest(self):
        return self.comparison._forest()

    def _columns(self):
        losses, table = self.comparison.losses, self.comparison.best_table
        best, *others = [losses.names.index(name) for name in self.pvalues]
        table = table.take([table.number_of(best, position) for position in others])
        low, high = table.simultaneous or (table.ci_low, table.ci_high)
        columns = {
            losses.noun: list(self.pvalues),
            "mean_loss": losses.mean_losses[[best, *others]],
            "pvalue": list(self.pvalues.values()),
            "may_be_best": [name in self.names for name in self.pvalues],
            "difference": np.append(np.nan, -table.estimate),
            "ci_low": np.append(np.nan, -high),
            "ci_high": np.append(np.nan, -low),
        }
        if table.by_ratio:
            columns["ratio"] = np.exp(np.append(np.nan, -table.effect))
            columns["ratio_low"] = np.exp(np.append(np.nan, -table.high))
            columns["ratio_high"] = np.exp(np.append(np.nan, -table.low))
        return columns


def load(path) -> Comparison:
    """Read a comparison that `save` has written.

    Parameters
    ----------
    path : str or os.PathLike
        The file.

    Returns
    -------
    comparison : Comparison
        The comparison, with the same numbers.

    Raises
    ------
    ValueError
        If the file holds no comparison.
    """
    return Comparison.load(path)
