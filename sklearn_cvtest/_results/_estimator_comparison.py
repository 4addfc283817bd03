"""Comparison: the tests of several estimators over the same splits, as a result."""

from __future__ import annotations

from .._data._cvlosses import CVLosses
from .._inference._choose_tests import Question, Tests
from .._store._array_files import of_parts
from .._validation import check_option, invalid
from ._loss_comparison import LossComparison, question_from_header
from ._model_labels import ModelLabels


class Comparison(LossComparison):
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
    of_one_set = losses.design.kind in ("holdout", "crossed")
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


def assert_not_worse(
    result: LossComparison, model: str, *, than: str, margin: float | str
) -> None:
    """Raise an AssertionError unless a model is shown not to be worse by a margin.

    For a test suite.

    Parameters
    ----------
    result : Comparison or CandidateComparison
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
    if not isinstance(result, LossComparison):
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
