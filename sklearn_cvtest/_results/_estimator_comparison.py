"""Comparison: the tests of several estimators over the same splits, as a result."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from .._best._best_results import WinnerInterval, winner_interval
from .._best._winner import winner
from .._data._cvlosses import CVLosses
from .._inference._base_test import BaseCVTest
from .._inference._choose_tests import (
    DefaultTest,
    Question,
    decode_test,
    encode_test,
)
from .._store._array_files import Saved, of_parts, parts_of
from .._typing import Any, ArrayLike, Self
from .._validation import check_level, invalid, one_warning_of_a_kind
from ._model_labels import ModelLabels
from ._pairwise_result import PairwiseResult
from ._several_metrics import MultiMetricComparison

if TYPE_CHECKING:
    from .._by_label._label_result import DifferencesByLabel
    from .._planning._plan_results import ComparisonPlan, Gate, VarianceTable

# The packages of single questions, except the best set, are imported when they are
# asked: each can be taken away.


class LossComparison(Saved, PairwiseResult):
    """A comparison of losses, with what can be asked of them without another fit."""

    @abstractmethod
    def _comparison_of(self, losses, question):
        """Return a comparison of other losses of the same models."""

    def retest(self, test: BaseCVTest | None = None, **options: Any) -> Self:
        """Apply another test to the same losses, without fitting anything.

        Parameters
        ----------
        test : test or None, default=None
            The test; None keeps the test of this comparison.
        **options : dict
            `reference`, `p_adjust` and `alpha` as they were given to make this
            comparison; those not given are unchanged.

        Returns
        -------
        comparison : Self
            A new one on the same losses.
        """
        return self._retest_on(self.losses, test, **options)

    def _retest_on(self, losses, test=None, **options):
        """Apply a test to other losses of the same models."""
        options = self._options() | options
        options["test"] = test
        if test is None:
            own = self.table.test
            options["test"] = own if self._asks_test else DefaultTest(own)
        return self._comparison_of(losses, Question(**options))

    def _options(self):
        return {
            "reference": "best" if self._reference_is_best else self.reference,
            "p_adjust": self.p_adjust,
            "alpha": self.alpha,
        }

    def by(
        self, labels: ArrayLike, *, p_adjust: str | None = "holm"
    ) -> DifferencesByLabel:
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
            Estimates, intervals and p-values, with `to_frame`, `plot` (a forest plot)
            and `sentence`. nan for labels of fewer than 10 examples, or of 2 to 9
            groups, and, of subsamples, for those in fewer than half of the splits.

        Raises
        ------
        TypeError, ValueError
            If there is not one label for each example, there is one value per split,
            examples have different weights, or `labels` is a
            column of pandas with the index of the examples in another order.

        Warns
        -----
        UserWarning
            If a label has too few examples or groups.
        HeavyTailedResidualsWarning
            If fewer than 10 examples of a label differ from the common value, as with
            two classifiers that are nearly always both right: the interval is then too
            narrow.

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
        splits, :class:`KFoldZTest` takes its place. For paired halves
        only the splits of the whole sample are used. Examples of a label that
        is one group, such as a site, are taken to be independent: the interval is about
        that site, and if all of it is in one test set, about the models that were
        tested there. If a label has few groups and their means are skewed, simultaneous
        intervals of many labels may be many times longer on one side; shorter ones miss
        more. In a time series the variance is the
        long-run variance of the deviations at the times of the label. Labels are to be
        chosen before looking at the losses.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from sklearn_cvtest import compare_estimators
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> models = [GaussianNB(), DecisionTreeClassifier(random_state=0)]
        >>> result = compare_estimators(models, X, y, cv=10)
        >>> result.by(X[:, 0] > 15).n_examples
        array([396, 173])
        """
        table = self.table
        pairs = list(zip(table.first.tolist(), table.second.tolist(), strict=True))
        options = {"p_adjust": p_adjust, "alpha": self.alpha}
        from .._by_label._label_result import differences_by_label

        return differences_by_label(self.losses, pairs, table.test, labels, **options)

    def plan(self, difference: float | str, power: float = 0.8) -> ComparisonPlan:
        """Return how many repeats or examples would find a difference.

        Parameters
        ----------
        difference : float or str
            The true difference of mean losses to find, above 0; for errors that
            are compared by ratio also a percentage of the better mean, such as "5%".
            For squared errors it has to be one, of the RMSE.
        power : float, default=0.8
            The probability of finding it, in (0, 1).

        Returns
        -------
        plan : ComparisonPlan
            For each pair; this comparison is the pilot.

        Raises
        ------
        TypeError, ValueError
            If an argument is not as described, or the design is crossed, for which
            there is :meth:`variance_table`.

        Notes
        -----
        The variance of the mean is taken to be a + b/R with R repeats, and to fall as
        1/n with the number of examples. For the corrected t tests [1]_ b/R is the share
        1 - ρ; for KFoldZTest it is the noise of the splits v̂/R. What R cannot
        change sets the floor: more splits of the same examples hold no more examples.
        An approximation, as variances and ρ are estimates and differences themselves
        change with n. Each of several pairs is planned for at the level of
        :meth:`detectable_difference`, which allows for their number.

        References
        ----------
        .. [1] C. Nadeau and Y. Bengio, "Inference for the generalization error",
           Machine Learning 52, 239-281, 2003. :doi:`10.1023/A:1024068626366`

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from sklearn_cvtest import compare_estimators
        >>> models = [GaussianNB(), DecisionTreeClassifier(random_state=0)]
        >>> result = compare_estimators(models, *load_breast_cancer(return_X_y=True))
        >>> result.plan(0.02).n_samples > 569
        True
        """
        from .._planning._plan_results import plan_comparison

        return plan_comparison(self, difference, power)

    def gate(self, margin: float | str, reference: str | None = None) -> Gate:
        """Return whether each model is not worse than another by more than a margin.

        Parameters
        ----------
        margin : float or str
            At least 0, in units of the loss or score: of an accuracy, 0.01 is one
            point. For errors that are compared by ratio also a percentage, such as
            "5%". For squared errors it has to be one, of the RMSE.
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
        from .._planning._plan_results import gate_of

        labels = self._models.labels
        return gate_of(self, margin, reference, self._retest_on, labels)

    def variance_table(self) -> VarianceTable:
        """Return what makes differences uncertain: runs, examples, or both.

        Returns
        -------
        table : VarianceTable
            The table of all pairs, with what more runs or more examples would bring.

        Raises
        ------
        ValueError
            If the test is not :class:`CrossedTest`.
        """
        from .._planning._plan_results import variance_table

        return variance_table(self)

    def winner_interval(self, alpha: float | None = None) -> WinnerInterval:
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
        seen in the splits, are taken from the intervals of single estimators
        (:meth:`estimator_intervals`); where the means differ less than that would make
        them, ρ is smaller, and so is the correction. From one value per split ρ is
        assumed; where it is smaller, the mean is corrected too far.

        On the side where the best came out, the interval ends as if nothing had been
        chosen: were the truth beyond, the truly best one would be, too, and that was
        not chosen by these losses. On the other side it allows for the noise of the
        largest of those that are near (coverage and bias: `docs/data/winner.csv`).

        A model that explodes in a few samples only, as one in 50, shows nothing of
        that in the others, and no interval from one of these allows for it: where
        models of high degree met rows far out, intervals held the expected squared
        error in 42 to 76% of samples. A HeavyTailedResidualsWarning comes where the
        L-skewness of the errors of the best, or of a quarter of the others, is above
        0.31: in 30 to 70% of these samples and in 4 to 14% where errors are normal
        (`docs/data/winner_tails.csv`).

        References
        ----------
        .. [1] N. L. Oliveira, J. Lei and R. J. Tibshirani, "Unbiased Risk Estimation in
           the Normal Means Problem via Coupled Bootstrap Techniques", 2021.
           :doi:`10.48550/arXiv.2111.09447`
        """
        alpha = check_level("alpha", self.alpha if alpha is None else alpha)
        selected = winner(self.losses, alpha)
        labels = self._models.labels
        noun = self._models.noun
        return winner_interval(selected, self.losses, alpha, labels, noun)

    def _to_parts(self):
        header, arrays = parts_of(self.losses)
        options = {"test": encode_test(self.table.test), **self._options()}
        options["asks_test"] = self._asks_test
        return header | {"comparison": options}, arrays


def question_from_header(header):
    """Take the Question of a comparison from the header of a file."""
    options = dict(header.pop("comparison"))
    test = decode_test(options.pop("test"))
    if not options.pop("asks_test"):
        test = DefaultTest(test)
    return Question(test, **options)


class Comparison(LossComparison):
    """Tests of the differences between estimators over the same splits.

    Made by :func:`compare_estimators`. In every pair, the difference is loss(first)
    - loss(second): positive means that the second is better.

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
        it takes the place of the `alpha` of the tests.

    Attributes
    ----------
    losses : CVLosses
        The losses.
    table : PairTable
        What the test found, a column for each thing: `table.estimate`,
        `table.pvalue_adjusted`.
    tests : mapping
        {(first, second): fitted test}.
    pvalue_, rho_alpha_ : float or dict
        A float for two estimators; otherwise a dict with the keys of `tests`. Not
        adjusted. ρ_α is negative where the test does not reject at ρ = 0.
    reference : str or None
        What all others were compared with; None of all pairs.
    best : str
        The estimator with the smallest mean loss.
    estimator_names : tuple of str
        The estimators.

    Raises
    ------
    ValueError
        If there is no pair of estimators without failed fits, or a test does not
        accept their residuals; the error's `losses` are what was computed.

    Warns
    -----
    UserWarning
        If an estimator is left out because its losses are not all finite.

    Notes
    -----
    `to_frame` has one row per pair (and test), with columns first, second, test,
    estimate (of loss(first) - loss(second)), ci_low, ci_high, statistic, df, pvalue,
    pvalue_adjusted, rho, rho_alpha, total_error and total_df (a standard error that
    includes ρ, to pool or to plan with, and its degrees of freedom), and what else a
    test says, such as prob_less, prob_rope and prob_greater; detectable_difference,
    with a power of 80%; and better, the name of the better one or None. ci_low and
    ci_high are not adjusted for the number of pairs. For several pairs, and if
    `p_adjust` controls the probability of any false rejection, there are also
    ci_low_simultaneous and ci_high_simultaneous, but not for a Bayesian test:
    Bonferroni's intervals, which all cover with probability 1 - alpha. If only a later
    step of a step-down method rejects a pair, its interval has the level of that step,
    so that 0 is outside exactly if pvalue_adjusted is at most alpha. For three
    estimators or more without a reference, what is printed first is about the best one,
    by the p-values of :meth:`best_set`, not about these pairs.

    Examples
    --------
    Losses are computed once, and can be asked several questions:

    >>> from sklearn.datasets import load_wine
    >>> from sklearn.linear_model import RidgeClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_cvtest import cross_val_losses
    >>> from sklearn_cvtest.results import Comparison
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
        self,
        losses: CVLosses,
        *,
        test: BaseCVTest | None = None,
        reference: str | None = None,
        p_adjust: str | None = "holm",
        alpha: float = 0.05,
    ):
        if not isinstance(losses, CVLosses):
            raise invalid("losses", "CVLosses", losses, TypeError)
        question = Question(test, reference, p_adjust, alpha)
        models = ModelLabels(losses.estimator_names, _noun_of(losses))
        super().__init__(losses, question, models)

    def _comparison_of(self, losses, question):
        return compare_losses(losses, question)

    @classmethod
    def _of_parts(cls, path, header, arrays):
        question = question_from_header(header)
        return compare_losses(of_parts(CVLosses, path, header, arrays), question)


def _noun_of(losses):
    """Return what is compared: of scores or predictions of one test set, models."""
    is_given = losses.n_train is None
    of_one_set = losses.design.kind.has_one_test_set
    return "model" if is_given and of_one_set else "estimator"


def compare_losses(losses, question):
    """Return the Comparison of losses that answers a Question."""
    return Comparison(
        losses,
        test=question.test,
        reference=question.reference,
        p_adjust=question.p_adjust,
        alpha=question.alpha,
    )


def compare_by_metric(losses, question):
    """Return the comparison of losses, or of the losses by each metric."""
    if not isinstance(losses, dict):
        return compare_losses(losses, question)
    with one_warning_of_a_kind():
        return MultiMetricComparison(
            {
                metric: compare_losses(metric_losses, question)
                for metric, metric_losses in losses.items()
            }
        )
