"""compare_estimators: from estimators and data to an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, overload

import numpy as np

from .._inference._choose_tests import Question, Tests, asks_examples, choose_pairs
from .._losses._named_losses import Loss
from .._results._by_metric import compare_by_metric
from .._results._estimator_comparison import Comparison
from .._results._several_metrics import MultiMetricComparison
from .._typing import Any, ArrayLike, Estimators, Function, Sequence, SeveralMetrics
from .._validation import ONE_MODEL, invalid, refuse_splitter_options
from ._cross_val_losses import plan_repeats, run_repeats


@overload
def compare_estimators(
    estimators: Estimators,
    X: Any,
    y: ArrayLike | None = None,
    *,
    cv: Any = None,
    loss: str | Loss | Function = "auto",
    scoring: str | Function | None = None,
    test: Tests | None = None,
    reference: str | None = None,
    p_adjust: str | None = "holm",
    alpha: float = 0.05,
    groups: ArrayLike | None = None,
    params: dict[str, Any] | None = None,
    score_params: dict[str, Any] | None = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    pre_dispatch: int | str = "2*n_jobs",
    error_score: Literal["raise"] | float = np.nan,
    memory: Any = None,
    return_estimator: bool = False,
    per_example: bool = True,
    share_steps: bool = True,
    check_threshold: bool | Literal["ask"] = True,
    progress: bool = False,
) -> Comparison: ...
@overload
def compare_estimators(
    estimators: Estimators,
    X: Any,
    y: ArrayLike | None = None,
    *,
    cv: Any = None,
    loss: str | Loss | Function = "auto",
    scoring: SeveralMetrics,
    test: Tests | None = None,
    reference: str | None = None,
    p_adjust: str | None = "holm",
    alpha: float = 0.05,
    groups: ArrayLike | None = None,
    params: dict[str, Any] | None = None,
    score_params: dict[str, Any] | None = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    pre_dispatch: int | str = "2*n_jobs",
    error_score: Literal["raise"] | float = np.nan,
    memory: Any = None,
    return_estimator: bool = False,
    per_example: bool = True,
    share_steps: bool = True,
    check_threshold: bool | Literal["ask"] = True,
    progress: bool = False,
) -> MultiMetricComparison: ...
@refuse_splitter_options
def compare_estimators(
    estimators: Estimators,
    X: Any,
    y: ArrayLike | None = None,
    *,
    cv: Any = None,
    loss: str | Loss | Function = "auto",
    scoring: str | Function | Sequence[Any] | dict[str, Any] | None = None,
    test: Tests | None = None,
    reference: str | None = None,
    p_adjust: str | None = "holm",
    alpha: float = 0.05,
    groups: ArrayLike | None = None,
    params: dict[str, Any] | None = None,
    score_params: dict[str, Any] | None = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    pre_dispatch: int | str = "2*n_jobs",
    error_score: Literal["raise"] | float = np.nan,
    memory: Any = None,
    return_estimator: bool = False,
    per_example: bool = True,
    share_steps: bool = True,
    check_threshold: bool | Literal["ask"] = True,
    progress: bool = False,
) -> Comparison | MultiMetricComparison:
    """Compare estimators by cross-validation and test their differences.

    Fits every estimator once on every split, in parallel, keeps the loss of every
    test example, and tests for each pair whether the expected losses of the two
    *learning algorithms*, over training sets of that size, differ.

    Parameters
    ----------
    estimators : list or dict
        At least two estimators: a list, a list of (name, estimator), or a dict.
        They are cloned, never changed.
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), default=None
        The target. May be None only with `scoring`.
    cv : int, splitter, iterable of (train, test), or None, default=None
        None means `BlockKFold(5, n_repeats=2, random_state=0)` and an int K
        `BlockKFold(K, random_state=0)`, stratified for classifiers if that is possible.
        A BlockKFold or RepeatedSubsample with `n_repeats="auto"` is repeated until the
        verdict on every pair, by every metric, is stable.
    loss : str, Loss or callable, default="auto"
        "auto" is zero_one for classifiers and squared_error for regressors; a
        name out of :func:`.get_loss_names`, a :func:`.make_loss`, or a callable
        `(y_true, y_pred) -> (n_samples,)` of smaller-is-better losses. Squared errors
        of a skewed target (incomes, prices, counts) need some 200 rows;
        "absolute_error" holds its level with fewer, and finds somewhat less.
    scoring : str, callable, list or dict, default=None
        A scikit-learn scorer in place of `loss`. The losses are minus its score: where
        it is a function of sums, as AUC, F1 and R² are, one for each example, whose
        mean over a split is minus the score, so that every test accepts them; otherwise
        one for each split, for the tests of block means. A list of names, or a dict of
        name: scorer, compares by several metrics of each fit.
    test : test, list or dict of tests, or None, default=None
        None chooses by the design of the splits, which is recognised from the actual
        indices: :class:`KFoldZTest` for K-fold and repeated K-fold,
        :class:`CorrectedResampledTTest` for random subsamples,
        :class:`FiveByTwoFTest` for 5x2, :class:`PairedHalvesTTest` for paired halves of
        K-fold and :class:`ConservativeZTest` for paired halves of subsamples,
        :class:`HoldoutTTest` for one split. With one value per split, as
        from some `scoring`: :class:`KFoldTTest` with Nadeau and Bengio's ρ for K-fold,
        and :class:`CorrectedRepeatedKFoldTTest` for repeated K-fold.
    reference : str, default=None
        Name of the estimator to compare all others with; it is the first of every
        pair. None compares all pairs. "best" is the one with the smallest mean loss:
        its pairs have the p-values of :meth:`Comparison.best_set`, and the table shows
        which may be the best.
    p_adjust : str or None, default="holm"
        How p-values are adjusted for the number of pairs: a `method` of
        :func:`adjust_pvalues`; None does not adjust them. "max-t", which accounts for
        the correlation of the differences, takes :class:`KFoldZTest`,
        :class:`HoldoutTTest` and the corrected t tests of means of splits.
    alpha : float, default=0.05
        Level, in (0, 1), of decisions, of `rho_alpha_` and, as 1 - alpha, of intervals;
        it takes the place of the `alpha` of the tests.
    groups : array-like of shape (n_samples,), default=None
        Label of the group (patient, site, ...) of each example. Passed to the splitter,
        which keeps groups whole if it is the default or one of this package; the tests
        then use the variance between groups. With metadata routing on, pass it in
        `params`.
    params : dict, default=None
        Passed to `fit`, sliced where they have one value per example (such as
        `sample_weight`). With metadata routing on, routed to estimators, splitter
        and scorer.
    score_params : dict, default=None
        Passed to the scorer, sliced likewise; `sample_weight` also weighs losses, see
        :func:`cross_val_losses`.
    n_jobs : int, default=None
        Number of (split, estimator) pairs fitted at a time, as in joblib.
    verbose : int, default=0
        Verbosity of joblib.
    pre_dispatch : int or str, default="2*n_jobs"
        Number of tasks dispatched beforehand, as in joblib.
    error_score : "raise" or float, default=nan
        What to do if fitting or predicting fails, or a loss is not finite: raise, or
        warn and use this value for the losses of the split (with `scoring`, for its
        score). Pairs with a nan are left out.
    memory : None, str, os.PathLike or joblib.Memory, default=None
        Where to store the result of each (split, estimator), as in
        :func:`cross_val_losses`: a run that was interrupted resumes from there.
    return_estimator : bool, default=False
        Whether to keep the fitted estimators, in `losses.estimators`.
    per_example : bool, default=True
        Whether to keep the loss of every test example, or only the mean of every test
        set, as in :func:`cross_val_losses`.
    share_steps : bool, default=True
        Whether leading steps that several pipelines have in common are fitted once per
        split, as in :func:`cross_val_losses`.
    check_threshold : bool or "ask", default=True
        Whether warnings look at more than losses, such as the probabilities of two
        classes, as in :func:`cross_val_losses`.
    progress : bool, default=False
        Whether to show a progress bar of fits, with tqdm; a warning if it is missing.

    Returns
    -------
    comparison : Comparison or MultiMetricComparison
        The tests, with `pvalue_`, `rho_alpha_`, tables and sentences; with a list or
        dict of scorers, one for each, as in `comparison["roc_auc"]`. p-values are
        adjusted within a metric.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or a test is not valid for the design;
        before anything is fitted.

    Warns
    -----
    FitFailedWarning
        If some fits fail and `error_score` is a number.
    FewExamplesWarning
        If a test set has too few examples of a class for values per example of a
        scorer, and tests of such values are not ruled out by `test`.
    UserWarning
        If a result cannot be stored in `memory`.

    See Also
    --------
    cross_val_losses : The losses alone.
    Comparison.best_set : Which of many estimators may be the best.

    Notes
    -----
    "max-t" compares each difference with the largest of all: the adjusted p-value is
    the probability that, if all expected differences are zero, any statistic is as
    large as this one. It is never above Bonferroni's p-value, and far below it where
    differences are strongly correlated, as among variants of one model. Intervals are
    simultaneous by the same law. For tests of single examples, the correlations given ρ
    are taken from the differences of examples (or groups): Σ_R + ρ/(1-ρ) Σ_1, with Σ_R
    the covariance of what is averaged over repeats and Σ_1 the covariance of one run.
    The probability is averaged over ρ as in the test, all pairs having the same ρ, and
    steps down [2]_: pairs that were rejected before are left out. For t tests of means
    of splits, correlations from few splits would make it liberal; a rotation test [1]_
    needs no estimate: given the inner products of the block means, the mean shrunk by
    √(1-ρ), it is exact if they are normal and ρ is the one assumed. (Holm's method,
    which steps down, may still reject more than that.)

    References
    ----------
    .. [1] Ø. Langsrud, "Rotation tests", Statistics and Computing 15, 53-60, 2005.
       :doi:`10.1007/s11222-005-4789-5`
    .. [2] P. H. Westfall and S. S. Young, "Resampling-Based Multiple Testing", Wiley,
       1993.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_cvtest import BlockKFold, compare_estimators
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> result = compare_estimators(
    ...     {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)},
    ...     X, y, cv=BlockKFold(10, random_state=0),
    ... )
    >>> round(result.pvalue_, 2), round(result.rho_alpha_, 2)
    (0.17, -0.36)
    """
    question = Question(test, reference, p_adjust, alpha)
    plan = plan_repeats(
        estimators,
        X,
        y,
        groups=groups,
        cv=cv,
        loss=loss,
        scoring=scoring,
        params=params,
        score_params=score_params,
        per_example=per_example,
        share_steps=share_steps,
        check_threshold=check_threshold,
        asks_examples=asks_examples(test),
    )
    if len(plan.names) < 2:
        allowed = "at least two estimators"
        raise invalid("estimators", allowed, list(plan.names), hint=ONE_MODEL)
    plan = replace(plan, min_complete=2)
    choose_pairs(plan.names, reference)
    tests = question.tests_of_plan(plan)
    planned = plan, cv, question, tests
    losses = run_repeats(
        *planned,
        n_jobs=n_jobs,
        verbose=verbose,
        pre_dispatch=pre_dispatch,
        error_score=error_score,
        memory=memory,
        return_estimator=return_estimator,
        progress=progress,
    )
    return compare_by_metric(losses, question, tests)
