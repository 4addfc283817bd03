"""Comparison: the tests of several estimators over the same splits, as a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._best._best_results import best_algorithms, best_models, winner_interval
from .._best._best_set import Best, tables_of
from .._best._winner import winner
from .._data._cvlosses import CVLosses
from .._inference._choose_tests import (
    Question,
    Tests,
    choose_pairs,
    decode_test,
    encode_test,
    is_best,
)
from .._pairs._ranking import why_no_best_set
from .._pairs._table import pairs_without_failures
from .._report._result import concat_columns
from .._store._array_files import Saved, of_parts, parts_of
from .._typing import Any, ArrayLike
from .._validation import check_option, invalid
from ._pairwise_result import PairwiseResult, pair_columns

if TYPE_CHECKING:
    from .._by_label._label_result import DifferencesByLabel
    from .._planning._plan_results import ComparisonPlan, Gate, VarianceTable

# The packages of single questions, except the best set, are imported when they are
# asked: each can be taken away.


class Comparison(Saved, PairwiseResult):
    """Tests of the differences between estimators over the same splits.

    Made by :func:`compare_estimators`. In every pair, the difference is loss(first)
    - loss(second): positive means that the second is better.

    Parameters
    ----------
    losses : CVLosses
        The losses of at least two estimators.
    test : test, list or dict of tests, or None, default=None
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
    tables : dict of str to PairTable
        What each test found, a column for each thing, by the name of the test.
    tests : mapping
        {(first, second): fitted test}; with several tests,
        {(first, second): {name of test: fitted test}}.
    pvalue_, rho_alpha_ : float or dict
        A float for two estimators and one test; otherwise a dict with the keys of
        `tests`. Not adjusted. ρ_α is negative where the test does not reject at ρ = 0.
    table : PairTable
        The first of these, or the only one: `table.estimate`, `table.pvalue_adjusted`.
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
    Bonferroni's intervals, or the "max-t" intervals, which all cover with probability
    1 - alpha. If only a later step of a step-down method rejects a pair, its interval
    has the level of that step, so that 0 is outside exactly if pvalue_adjusted is at
    most alpha. For three estimators or more without a reference, what is printed first
    is about the best one, by the p-values of :meth:`best_set`, not about these pairs.
    """

    losses: CVLosses

    def __init__(
        self,
        losses: CVLosses,
        *,
        test: Tests | None = None,
        reference: str | None = None,
        p_adjust: str | None = "holm",
        alpha: float = 0.05,
    ):
        if not isinstance(losses, CVLosses):
            raise invalid("losses", "CVLosses", losses, TypeError)
        question = Question(test, reference, p_adjust, alpha)
        tests = question.tests(losses.design, losses.per_example, losses.n_groups)
        self._compare(losses, question, tests)

    def _compare(self, losses, question, tests):
        """Test the pairs with tests that are checked."""
        names = losses.estimator_names
        pairs, position = choose_pairs(names, question.reference, losses.mean_losses)
        self._reference_is_best = is_best(names, question.reference)
        if not len(pairs):
            raise invalid("estimators", "at least two to compare", list(names))
        pairs = pairs_without_failures(losses, pairs)
        tests = question.suited(tests, losses)
        try:
            best = position if self._reference_is_best else None
            tables_and_best = tables_of(tests, losses, pairs, best, question)
        except (TypeError, ValueError) as error:
            error.losses = losses  # so that nothing computed is lost
            raise
        self.reference = None if position is None else names[position]
        self._hold(losses, *tables_and_best, question, position, names)

    def _best_by(self, name, alpha):
        """Return the BestSet of one test, made once."""
        test = self.tables[name].test
        reason = why_no_best_set(test)
        if reason:
            raise ValueError(f"`best_set` needs {reason}.")
        if (name, alpha) not in self._found_sets:
            best_set = self._best_set_of(Best(test, self.losses, alpha))
            self._found_sets[name, alpha] = best_set
        return self._found_sets[name, alpha]

    def _best_set_of(self, best):
        return best_algorithms(best, self._labels, self.noun)

    def _best_models(self, alpha):
        return best_models(self.losses, alpha)

    def _winner(self, alpha):
        selected = winner(self.losses, alpha)
        return winner_interval(selected, self.losses, alpha, self._labels, self.noun)

    @property
    def estimator_names(self) -> tuple[str, ...]:
        return self.losses.estimator_names

    @property
    def noun(self) -> str:
        """What is compared: of scores or predictions of one test set, models."""
        is_given = self.losses.n_train is None
        of_one_set = self.losses.design.kind in ("holdout", "crossed")
        return "model" if is_given and of_one_set else "estimator"

    def retest(self, test: Tests | None = None, **options: Any) -> Comparison:
        """Apply another test to the same losses, without fitting anything.

        Parameters
        ----------
        test : test, list or dict of tests, or None, default=None
            The test or tests; None keeps the tests of this comparison.
        **options : dict
            `reference`, `p_adjust` and `alpha` as in :class:`Comparison`; those not
            given are unchanged.

        Returns
        -------
        comparison : Comparison
            A new one on the same losses.
        """
        return self._retest_on(self.losses, test, **options)

    def _retest_on(self, losses, test=None, **options):
        """Apply a test to other losses of the same estimators."""
        again = Comparison(losses, **self._asked_again(test, options))
        return self._family_of(again, test)

    def _family_of(self, again, test):
        """Return another one, of which a test is asked only if it is of this one."""
        again._asks_test = self._asks_test or test is not None
        return again

    def _asked_again(self, test, options):
        """Return the options of a comparison, but for those that are given."""
        if test is None:
            tests = {name: table.test for name, table in self.tables.items()}
            test = next(iter(tests.values())) if self._is_single else tests
        return self._options() | {"test": test} | options

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
            :func:`adjust_pvalues`, but "max-t".

        Returns
        -------
        differences : DifferencesByLabel
            Estimates, intervals and p-values, with `to_frame`, `plot` (a forest plot)
            and `sentence`. nan for labels of fewer than 10 examples, or of 2 to 9
            groups, and, of subsamples, for those in fewer than half of the splits.

        Raises
        ------
        TypeError, ValueError
            If there is not one label for each example, there are several tests, there
            is one value per split, examples have different weights, or `labels` is a
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
        splits, :class:`KFoldZTest` takes its place. For paired halves and nested
        K-folds only the splits of the whole sample are used. Examples of a label that
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
        if not self._is_single:
            raise ValueError(
                "`by` needs one test; got a list or a dict of tests. Use "
                "retest(test).by(labels)."
            )
        (table,) = self.tables.values()
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
            are compared by ratio also a percentage, such as "5%" (for squared errors,
            of the RMSE).
        power : float, default=0.8
            The probability of finding it, in (0, 1).

        Returns
        -------
        plan : ComparisonPlan
            For each pair; this comparison is the pilot.

        Raises
        ------
        TypeError, ValueError
            If an argument is not as described, there are several tests, or the design
            is crossed, for which there is :meth:`variance_table`.

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
        return self._gate(margin, reference)

    def _gate(self, margin, reference, **options):
        """Return the Gate of this comparison; see :meth:`gate`."""
        from .._planning._plan_results import gate_of

        return gate_of(
            self, margin, reference, self._retest_on, self._labels, **options
        )

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

    def _options(self):
        return {
            "reference": "best" if self._reference_is_best else self.reference,
            "p_adjust": self.p_adjust,
            "alpha": self.alpha,
        }

    def _columns(self):
        frames = [pair_columns(name, table) for name, table in self.tables.items()]
        return concat_columns(frames)

    def _to_parts(self):
        header, arrays = parts_of(self.losses)
        tests = {name: encode_test(table.test) for name, table in self.tables.items()}
        options = {"tests": tests, "single": self._is_single, **self._options()}
        options["asks_test"] = self._asks_test
        return header | {"comparison": options}, arrays

    @classmethod
    def _of_parts(cls, path, header, arrays):
        test, options = tests_from_header(header)
        asks_test = options.pop("asks_test")
        comparison = cls(of_parts(CVLosses, path, header, arrays), test=test, **options)
        comparison._asks_test = asks_test
        return comparison


def tests_from_header(header):
    """Take the tests and the options of a comparison from the header of a file."""
    options = dict(header.pop("comparison"))
    single, encoded = options.pop("single"), options.pop("tests")
    tests = {name: decode_test(test) for name, test in encoded.items()}
    return (next(iter(tests.values())) if single else tests), options


def compare_losses(losses, question, tests):
    """Return the Comparison of losses by tests that are checked."""
    comparison = Comparison.__new__(Comparison)
    comparison._compare(losses, question, tests)
    return comparison


def assert_not_worse(
    result: Comparison, model: str, *, than: str, margin: float | str
) -> None:
    """Raise an AssertionError unless a model is shown not to be worse by a margin.

    For a test suite.

    Parameters
    ----------
    result : Comparison
        With both models.
    model : str
        The name of the one in question.
    than : str
        The name of the one that it must not be worse than.
    margin : float or str
        By how much it may be worse, in units of the loss or score (of an accuracy, 0.01
        is one point), or of errors a percentage such as "5%".

    Raises
    ------
    AssertionError
        If that is refuted or not shown; the message says which, and what could have
        been shown.
    TypeError, ValueError
        If an argument is not as described.

    See Also
    --------
    Comparison.gate : The same for all models, as a result.

    Notes
    -----
    Nothing is asked about the other models in `result`, so p-values are not adjusted.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest import assert_not_worse, compare_scores
    >>> noise = np.random.default_rng(0).normal(size=(2, 1000))
    >>> scores = {"old": 2 + noise[0], "new": 2 + noise[0] + 0.1 * noise[1]}
    >>> assert_not_worse(compare_scores(scores), "new", than="old", margin=0.02)
    """
    __tracebackhide__ = True  # so that pytest shows the sentence alone
    if not isinstance(result, Comparison):
        raise invalid("result", "a Comparison", result, TypeError)
    for argument, name in (("model", model), ("than", than)):
        if not isinstance(name, str):
            raise invalid(argument, "the name of an estimator", name, TypeError)
    check_option("than", than, result.estimator_names)
    others = [name for name in result.estimator_names if name != than]
    check_option("model", model, others)
    gate = result._gate(margin, than, p_adjust=None)
    if gate.decisions.get(model) != "shown":
        raise AssertionError(gate.sentences[model])
