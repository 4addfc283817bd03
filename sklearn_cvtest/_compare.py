"""compare_estimators: from estimators and data to an answer."""

import numpy as np

from ._choice import choose_pairs, choose_tests
from ._comparison import Comparison
from ._engine import plan_fits
from ._multiplicity import METHODS
from ._validation import check_option, check_real, fail

__all__ = ["compare_estimators"]


def compare_estimators(
    estimators,
    X,
    y=None,
    *,
    cv=None,
    loss="auto",
    scoring=None,
    test=None,
    reference=None,
    p_adjust="holm",
    alpha=0.05,
    groups=None,
    params=None,
    n_jobs=None,
    verbose=0,
    pre_dispatch="2*n_jobs",
    error_score=np.nan,
    memory=None,
    return_estimator=False,
):
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
        None takes `RepeatedSubsample(15, random_state=0)` and an int K
        `BlockKFold(K, random_state=0)`, stratified for classifiers if that
        can be done.
    loss : str, Loss or callable, default="auto"
        "auto" is zero_one for classifiers and squared_error for regressors; a
        name out of :func:`get_loss_names`, a :func:`make_loss`, or a callable
        `(y_true, y_pred) -> (n_samples,)` of smaller-is-better losses.
    scoring : str or callable, default=None
        A scikit-learn scorer in place of `loss`: one value a split, minus the
        score, which the tests of block means accept.
    test : test, list or dict of tests, or None, default=None
        None chooses by the design of the splits: :class:`KFoldTTest` for K-fold,
        :class:`CorrectedRepeatedKFoldTTest` for repeated K-fold,
        :class:`CorrectedResampledTTest` for random subsamples,
        :class:`FiveByTwoFTest` for 5x2, :class:`IntegratedRhoTest` for paired halves
        of K-fold, :class:`ConservativeZTest` for those of subsamples (and with
        `scoring`), :class:`HoldoutTTest` for one split. The design is read off the
        actual indices.
    reference : str, default=None
        Name of the estimator to compare all others with; it is the first of every
        pair. None compares all pairs.
    p_adjust : {"holm", "bonferroni", "hochberg", "fdr_bh"} or None, default="holm"
        How p-values are adjusted for the number of pairs, see
        :func:`adjust_pvalues`.
    alpha : float, default=0.05
        Level of decisions and, as 1 - alpha, of intervals, in (0, 1). A test that
        is passed keeps its own for `rho_alpha_`.
    groups : array-like of shape (n_samples,), default=None
        Passed to the splitter. With metadata routing on, pass it in `params`.
    params : dict, default=None
        Passed to `fit`, sliced where they have one value per example (such as
        `sample_weight`). With metadata routing on, routed to estimators, splitter
        and scorer.
    n_jobs : int, default=None
        Number of (split, estimator) pairs fitted at a time, as in joblib.
    verbose : int, default=0
        Verbosity of joblib.
    pre_dispatch : int or str, default="2*n_jobs"
        Number of tasks dispatched beforehand, as in joblib.
    error_score : "raise" or float, default=nan
        What to do where fitting or predicting fails: raise, or warn and take this
        value for the losses of the split (with `scoring`, for its score). Pairs
        with a nan are left out.
    memory : None, str or joblib.Memory, default=None
        Where to cache the result of each (split, estimator), as in
        :func:`cross_val_losses`.
    return_estimator : bool, default=False
        Whether to keep the fitted estimators, in `losses.estimators`.

    Returns
    -------
    comparison : Comparison
        The tests, with `pvalue_`, `rho_alpha_`, tables and sentences.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or a test is not valid for the design;
        before anything is fitted.

    Warns
    -----
    FitFailedWarning
        If some fits fail and `error_score` is a number.

    See Also
    --------
    cross_val_losses : The losses alone.

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
    (0.53, -2.53)
    """
    check_real("alpha", alpha, above=0, below=1)
    check_option("p_adjust", p_adjust, (*METHODS, None))
    plan = plan_fits(
        estimators,
        X,
        y,
        groups=groups,
        cv=cv,
        loss=loss,
        scoring=scoring,
        params=params,
    )
    names = [job.name for job in plan.jobs]
    if len(names) < 2:
        hint = "Use cross_val_losses for one."
        raise fail("estimators", "at least two estimators", names, hint=hint)
    choose_pairs(names, reference)
    choose_tests(test, plan.design, plan.per_example, alpha)
    losses = plan.run(
        n_jobs=n_jobs,
        verbose=verbose,
        pre_dispatch=pre_dispatch,
        error_score=error_score,
        memory=memory,
        return_estimator=return_estimator,
    )
    return Comparison(
        losses, test=test, reference=reference, p_adjust=p_adjust, alpha=alpha
    )
