"""compare_estimators: from estimators and data to an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, overload

import numpy as np

from .._engine._plan import plan_fits
from .._engine._running import run_plan
from .._inference._base_test import BaseCVTest
from .._inference._choose_tests import Question, choose_pairs, needs_examples
from .._losses._named_losses import Loss
from .._results._estimator_comparison import Comparison, compare_by_metric
from .._results._several_metrics import MultiMetricComparison
from .._typing import Any, ArrayLike, Estimators, Function, Sequence, SeveralMetrics
from .._validation import ONE_MODEL, invalid, refuse_splitter_options


@overload
def compare_estimators(
    estimators: Estimators,
    X: Any,
    y: ArrayLike | None = None,
    *,
    cv: Any = None,
    loss: str | Loss | Function = "auto",
    scoring: str | Function | None = None,
    test: BaseCVTest | None = None,
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
    diagnostics: bool = True,
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
    test: BaseCVTest | None = None,
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
    diagnostics: bool = True,
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
    test: BaseCVTest | None = None,
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
    diagnostics: bool = True,
    progress: bool = False,
) -> Comparison | MultiMetricComparison:
    """Compare estimators by cross-validation and test their differences.

    Fits every estimator once on every split, keeps the loss of every test example, and
    tests whether the expected losses of two *learning algorithms* differ.

    The usual call::

        print(compare_estimators({"logistic": logistic, "tree": tree}, X, y))

    Parameters
    ----------
    estimators : list or dict
        At least two: a list, a list of (name, estimator), or a dict. They are cloned.
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), default=None
        The target. May be None only with `scoring`.
    cv : int, splitter, iterable of (train, test), or None, default=None
        None is `BlockKFold(5, n_repeats=2, random_state=0)`, an int K is
        `BlockKFold(K, random_state=0)`, stratified for classifiers.
    loss : str, Loss or callable, default="auto"
        One of :func:`.get_loss_names`, a :func:`.make_loss`, or `(y_true, y_pred) ->
        (n_samples,)`. "auto" is zero_one for classifiers, squared_error for regressors.
    scoring : str, callable, list or dict, default=None
        scikit-learn scorers in place of `loss`. AUC, F1, R² and others that are
        functions of sums have a value for each example; others one for each split. A
        list of names, or a dict of name: scorer, compares by several metrics.
    test : test or None, default=None
        None chooses by the splits (see Notes).
    reference : str, default=None
        The estimator that all others are compared with; None compares all pairs; "best"
        is the one with the smallest mean loss, with the p-values of its best set.
    p_adjust : str or None, default="holm"
        How p-values of pairs are adjusted: a `method` of :func:`adjust_pvalues`.
    alpha : float, default=0.05
        Level of decisions and, as 1 - alpha, of intervals, in (0, 1).
    groups : array-like of shape (n_samples,), default=None
        The group (patient, site, ...) of each example: folds keep groups whole, and the
        tests use the variance between them. With metadata routing, pass it in `params`.
    params, score_params : dict, default=None
        Passed to `fit`, and to the scorer; sliced where they have one value per
        example. `sample_weight` in `score_params` also weighs losses.
    n_jobs : int, default=None
        Number of (split, estimator) pairs fitted at a time, as in joblib.
    verbose : int, default=0
        Verbosity of joblib.
    pre_dispatch : int or str, default="2*n_jobs"
        Number of tasks dispatched beforehand, as in joblib.
    error_score : "raise" or float, default=nan
        What to do if a fit fails, or a loss is not finite: raise, or warn and use this
        value for the losses of the split. Pairs with a nan are left out.
    memory : None, str, os.PathLike or joblib.Memory, default=None
        Where to store the result of each fit: a run that was interrupted resumes there.
    return_estimator : bool, default=False
        Whether to keep the fitted estimators, in `losses.estimators`.
    per_example : bool, default=True
        Whether to keep the loss of every test example, or only the mean of every split.
    diagnostics : bool, default=True
        Whether anything is looked at for warnings; see :func:`cross_val_losses`.
    progress : bool, default=False
        Whether to show a progress bar of fits, with tqdm.

    Returns
    -------
    comparison : Comparison or MultiMetricComparison
        The tests, with `pvalue_`, `rho_alpha_`, tables and sentences; of several
        scorers one for each, as in `comparison["roc_auc"]`.

    Raises
    ------
    TypeError, ValueError
        If an argument is wrong, or a test is not valid for the design; before any fit.

    Warns
    -----
    FitFailedWarning, FewExamplesWarning, UserWarning
        If fits fail, a class has too few examples, or a result cannot be stored.

    See Also
    --------
    cross_val_losses : The losses alone.
    Comparison.best_set : Which of many estimators may be the best.

    Notes
    -----
    The default test is :class:`KFoldZTest` for K-fold and repeated K-fold (at ρ = 1/3;
    0.6 for F1, recall, precision or Jaccard of one class, 0.5 for balanced accuracy,
    macro averages and Matthews correlation of two unequal classes),
    :class:`CorrectedResampledTTest` for random subsamples, :class:`FiveByTwoFTest` for
    5x2, :class:`PairedHalvesTTest` or :class:`ConservativeZTest` for paired halves of
    K-fold or of subsamples, :class:`HoldoutTTest` for one split; with one value per
    split, :class:`KFoldTTest` and :class:`CorrectedRepeatedKFoldTTest`. They allow for
    overlapping training sets [1]_, which no unbiased estimate of a variance does.

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
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> result = compare_estimators(models, *load_breast_cancer(return_X_y=True), cv=10)
    >>> round(result.pvalue_, 2), round(result.rho_alpha_, 2)
    (0.29, -1.32)
    """
    # check the arguments, and make the splits
    question = Question(test, reference, p_adjust, alpha)
    plan = plan_fits(
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
        diagnostics=diagnostics,
        needs_examples=needs_examples(test),
    )
    if len(plan.names) < 2:
        allowed = "at least two estimators"
        raise invalid("estimators", allowed, list(plan.names), hint=ONE_MODEL)
    plan = replace(plan, min_complete=2)
    choose_pairs(plan.names, reference)
    question.tests_of_plan(plan)  # an error now, not after the fits
    # fit each model on each training set, and take the losses of the test rows
    losses = run_plan(
        plan,
        n_jobs=n_jobs,
        verbose=verbose,
        pre_dispatch=pre_dispatch,
        error_score=error_score,
        memory=memory,
        return_estimator=return_estimator,
        progress=progress,
    )
    # test the differences of the losses
    return compare_by_metric(losses, question)
