"""compare_estimators: models that are fitted by cross-validation."""

from functools import partial

import numpy as np

from ._by_metric import compare_losses
from ._comparison import check_comparison
from ._engine import fit_losses
from ._validation import invalid


def compare_estimators(
    estimators,
    X,
    y=None,
    *,
    test=None,
    reference=None,
    p_adjust="holm",
    alpha=0.05,
    groups=None,
    cv=None,
    loss="auto",
    scoring=None,
    params=None,
    score_params=None,
    n_jobs=None,
    verbose=0,
    pre_dispatch="2*n_jobs",
    error_score=np.nan,
    memory=None,
    return_estimator=False,
    per_example=True,
    diagnostics=True,
    progress=False,
):
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
        The target; None only with a scorer that needs none.
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
    cv : int, splitter, iterable of (train, test), or None, default=None
        None is `BlockKFold(5, n_repeats=2, random_state=0)`, an int K is
        `BlockKFold(K, random_state=0)`, stratified for classifiers.
    loss : str, Metric or callable, default="auto"
        A name such as "absolute_error", a :func:`.make_loss`, or `(y_true, y_pred) ->
        (n_samples,)`. "auto" is zero_one for classifiers, squared_error for regressors.
    scoring : str, callable, list or dict, default=None
        scikit-learn scorers in place of `loss`. AUC, F1, R² and others that are
        functions of sums have a value for each example; others one for each split. A
        list of names, or a dict of name: scorer, compares by several metrics.
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
    memory : str or os.PathLike, default=None
        Where to store the result of each fit: a run that was interrupted resumes there.
    return_estimator : bool, default=False
        Whether to keep the fitted estimators, in `losses.estimators`.
    per_example : bool, default=True
        Whether to keep the loss of every test example, or only the mean of every split.
    diagnostics : bool, default=True
        Whether rows and losses are looked at, after the fits, for what makes tests too
        optimistic. False looks at nothing.
    progress : bool, default=False
        Whether to show a progress bar of fits, with tqdm.

    Returns
    -------
    comparison : Comparison or ComparisonsByMetric
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
    The default test is :class:`KFoldZTest` for K-fold and repeated K-fold,
    :class:`CorrectedResampledTTest` for random subsamples, :class:`FiveByTwoFTest` for
    5x2, :class:`PairedHalvesTTest` or :class:`ConservativeZTest` for paired halves of
    K-fold or of subsamples, :class:`HoldoutTTest` for one split,
    :class:`DieboldMarianoTest` for time series; with one value per split,
    :class:`KFoldTTest` and :class:`CorrectedRepeatedKFoldTTest`. They allow for
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
    if not isinstance(estimators, (list, tuple, dict)) or len(estimators) < 2:
        hint = "For one model, use cross_val_interval."
        raise invalid("estimators", "at least two", estimators, hint=hint)
    options = {
        "test": test,
        "reference": reference,
        "p_adjust": p_adjust,
        "alpha": alpha,
    }
    losses = fit_losses(
        estimators,
        X,
        y,
        partial(check_comparison, **options),
        groups=groups,
        cv=cv,
        loss=loss,
        scoring=scoring,
        params=params,
        score_params=score_params,
        n_jobs=n_jobs,
        verbose=verbose,
        pre_dispatch=pre_dispatch,
        error_score=error_score,
        memory=memory,
        return_estimator=return_estimator,
        per_example=per_example,
        diagnostics=diagnostics,
        progress=progress,
    )
    try:
        return compare_losses(losses, **options)
    except ValueError as error:
        error.losses = losses  # which took long
        raise
