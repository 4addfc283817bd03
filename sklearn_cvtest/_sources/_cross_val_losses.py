"""cross_val_losses: estimators, data and splits in, losses out."""

from __future__ import annotations

from typing import Literal, overload

import numpy as np

from .._data._cvlosses import CVLosses
from .._engine._plan import plan_fits
from .._engine._running import run_plan
from .._losses._named_losses import Loss
from .._typing import Any, ArrayLike, Function, Sequence, SeveralMetrics
from .._validation import refuse_splitter_options


@overload
def cross_val_losses(
    estimators: Any,
    X: Any,
    y: ArrayLike | None = None,
    *,
    groups: ArrayLike | None = None,
    cv: Any = None,
    loss: str | Loss | Function = "auto",
    scoring: str | Function | None = None,
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
) -> CVLosses: ...
@overload
def cross_val_losses(
    estimators: Any,
    X: Any,
    y: ArrayLike | None = None,
    *,
    groups: ArrayLike | None = None,
    cv: Any = None,
    loss: str | Loss | Function = "auto",
    scoring: SeveralMetrics,
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
) -> dict[str, CVLosses]: ...
@refuse_splitter_options
def cross_val_losses(
    estimators: Any,
    X: Any,
    y: ArrayLike | None = None,
    *,
    groups: ArrayLike | None = None,
    cv: Any = None,
    loss: str | Loss | Function = "auto",
    scoring: str | Function | Sequence[Any] | dict[str, Any] | None = None,
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
) -> CVLosses | dict[str, CVLosses]:
    """Fit estimators over shared splits and keep the loss of every test example.

    The splits are drawn once and used by all estimators; each (split, estimator) is
    fitted once, on a clone. Unlike :func:`~sklearn.model_selection.cross_val_predict`
    it accepts designs that are not partitions, and unlike
    :func:`~sklearn.model_selection.cross_validate` it keeps what the tests of this
    package need.

    Parameters
    ----------
    estimators : estimator, list or dict
        One estimator, a list of estimators, a list of (name, estimator), or a
        dict of them. They are cloned, never changed.
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        The data; n_samples x n_samples for estimators on precomputed kernels.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), default=None
        The target. May be None only with `scoring`.
    groups : array-like of shape (n_samples,), default=None
        Label of the group (patient, site, ...) of each example, kept with the losses.
        Passed to the splitter, which keeps groups whole if it is the default or one of
        this package. With metadata routing on, pass it in `params`.
    cv : int, splitter, iterable of (train, test), or None, default=None
        None means `BlockKFold(5, n_repeats=2, random_state=0)` and an int K
        `BlockKFold(K, random_state=0)`, stratified for classifiers if that is possible.
    loss : str, Loss or callable, default="auto"
        "auto" is zero_one for classifiers and squared_error for regressors; a
        name out of :func:`.get_loss_names`, a :func:`.make_loss`, or a callable
        `(y_true, y_pred) -> (n_samples,)` of smaller-is-better losses.
    scoring : str, callable, list or dict, default=None
        A scikit-learn scorer in place of `loss`. The losses are minus its score: where
        it is a function of sums, as AUC, F1 and R² are, one for each example, whose
        mean over a split is minus the score; otherwise one for each split, which tests
        that need values of examples do not accept. A list of names, or a dict of name:
        scorer, measures several on each fit.
    params : dict, default=None
        Passed to `fit`, sliced where they have one value per example (such as
        `sample_weight`), otherwise copied for each fit. With metadata routing on,
        routed to estimators, splitter and scorer.
    score_params : dict, default=None
        Passed to the scorer, sliced likewise. `sample_weight` also weighs losses: the
        mean over a test set is the weighted mean.
    n_jobs : int, default=None
        Number of (split, estimator) pairs fitted at a time, as in joblib.
    verbose : int, default=0
        Verbosity of joblib.
    pre_dispatch : int or str, default="2*n_jobs"
        Number of tasks dispatched beforehand, as in joblib.
    error_score : "raise" or float, default=nan
        What to do if fitting or predicting fails, a loss is not finite, or the worker
        process of a fit dies repeatedly: raise, or warn and use this value for the
        losses of the split (with `scoring`, for its score).
    memory : None, str, os.PathLike or joblib.Memory, default=None
        A folder in which the result of each (split, estimator) is stored as soon as it
        is known, in files that cannot contain executable code. A later call with the
        same name, estimator, data, split, parameters, loss and scikit-learn options
        reads it, unless fitted estimators are requested. Code of installed packages is
        identified by its name and their version, other code by the text of its module
        and of one's own modules that this uses. Lambdas, and code of a notebook, are
        refused: define them in a file. Not seen, so that a folder of its own is needed,
        are: values and functions of modules that are replaced at run time, modules
        that are imported only while a fit runs, what an object leaves out when it is
        pickled, and numpy's error state. Several runs can use one folder at the same
        time. Workers must reach the folder.
    return_estimator : bool, default=False
        Whether to keep the fitted estimators.
    per_example : bool, default=True
        Whether to keep the loss of every test example; otherwise only its mean over
        each test set, which is all that most tests need. Those that need more refuse
        the result: KFoldZTest, HoldoutTTest and McNemarTest.
    diagnostics : bool, default=True
        Whether anything is looked at for warnings: rows of X, errors of predictions,
        and with a metric of the labels of one class, such as F1, their probabilities,
        which are asked for once a fit. With False, only failed fits and groups in a
        training and a test set are warned of.
    progress : bool, default=False
        Whether to show a progress bar of fits, with tqdm; a warning if it is missing.

    Returns
    -------
    losses : CVLosses or dict of str to CVLosses
        The losses, with what is known about the splits; with several scorers, by name.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or the splits are not pairs of
        disjoint index arrays. If all fits fail, the error holds the reasons.
        An error that comes after the first result has what is there as its attribute
        `losses`, with nan for what is missing; so have `KeyboardInterrupt` and
        `SystemExit`, which end the run whatever `error_score` is.

    Warns
    -----
    FitFailedWarning
        If some fits fail and `error_score` is a number.
    FewExamplesWarning
        If a test set has too few examples of a class for values per example of a
        scorer.
    UserWarning
        If a result cannot be stored in `memory`, or a stored one is damaged.

    See Also
    --------
    compare_estimators : Also tests the differences.

    Notes
    -----
    The result does not depend on `n_jobs` for estimators with a fixed
    `random_state`. A `sample_weight` in `params` weighs the training examples, one in
    `score_params` the tested ones. For losses x with weights w and the weighted mean m
    over a test set, the values kept are m + (w/w̄)(x - m), whose plain mean is m and
    whose plain variance, over n, is the variance of m: what follows needs no weights.
    Test sets weigh equally, or by their number of examples.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_cvtest import BlockKFold, cross_val_losses
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> losses = cross_val_losses(
    ...     {"tree": tree, "dummy": DummyClassifier()},
    ...     X, y, cv=BlockKFold(5, random_state=0),
    ... )
    >>> losses.losses.shape
    (150, 2)
    >>> losses.residuals("tree", "dummy").block_means.round(2)
    array([-0.8 , -0.73, -0.67, -0.7 , -0.63])
    """
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
    )
    return run_plan(
        plan,
        n_jobs=n_jobs,
        verbose=verbose,
        pre_dispatch=pre_dispatch,
        error_score=error_score,
        memory=memory,
        return_estimator=return_estimator,
        progress=progress,
    )
