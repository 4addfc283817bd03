"""σ², ω and γ against sample size or number of folds; jackknife residuals.

[BG03]: Bengio & Grandvalet 2003, "No Unbiased Estimator of the Variance of K-Fold
Cross-Validation".
"""

from dataclasses import dataclass, replace

import numpy as np
from sklearn.base import clone

from .._compat import import_extra, take_rows
from .._design import K_FOLD
from .._engine import cross_val_losses, name_estimators
from .._inference.variances import CovarianceStructure
from .._metrics import MetricGroup
from .._splits import BlockKFold
from .._validation import check_array, check_integer, invalid
from ._replicate import replicate_losses


@dataclass(frozen=True, eq=False)
class CovarianceCurve:
    """Covariances of K-fold residuals at several sample sizes or numbers of folds.

    Made by :func:`covariance_curve`.

    Attributes
    ----------
    n_samples, n_splits : ndarray of shape (n_points,)
        n and K at each point.
    structures : tuple of CovarianceStructure
        The estimates at each point.
    contributions : ndarray of shape (n_points, 3)
        σ²/n, (m-1)ω/n and (n-m)γ/n, which add up to the variance θ of the mean.
    standard_errors : ndarray of shape (n_points, 3)
        Monte-Carlo standard errors of the contributions.
    n_replications : int
        Number of samples at each point.
    """

    n_samples: np.ndarray
    n_splits: np.ndarray
    structures: tuple
    contributions: np.ndarray
    standard_errors: np.ndarray
    n_replications: int

    def to_frame(self):
        """Return a pandas DataFrame with one row per point.

        Returns
        -------
        frame : pandas.DataFrame
            Columns n_samples, n_splits; the three contributions sigma2, omega, gamma,
            each with a column of standard errors ending in "_se"; theta; rho.
        """
        pd = import_extra("pandas")

        columns = {"n_samples": self.n_samples, "n_splits": self.n_splits}
        for i, name in enumerate(("sigma2", "omega", "gamma")):
            columns[name] = self.contributions[:, i]
            columns[f"{name}_se"] = self.standard_errors[:, i]
        columns["theta"] = [structure.theta for structure in self.structures]
        columns["rho"] = [structure.rho for structure in self.structures]
        return pd.DataFrame(columns)


def covariance_curve(
    estimators,
    population,
    *,
    n_samples,
    n_splits=10,
    loss="auto",
    n_replications=1000,
    random_state=None,
    n_jobs=None,
):
    """Estimate the covariances of K-fold residuals at several n or K.

    The experiment of figures 3 and 4 of [1]_.

    Parameters
    ----------
    estimators : estimator, or list or dict of one or two
        With one estimator, the residuals are its losses; with two, the differences of
        their losses.
    population : object
        As in :func:`replicate_losses`.
    n_samples : int or sequence of int
        Sizes n of the samples; multiples of `n_splits`.
    n_splits : int or sequence of int, default=10
        Numbers K of folds. At most one of `n_samples` and `n_splits` is a sequence.
    loss : str, Metric or callable, default="auto"
        A loss with a value for each example.
    n_replications : int, default=1000
        Number of samples at each point, at least 2.
    random_state : int, default=None
        Seed.
    n_jobs : int, default=None
        As in :func:`replicate_losses`.

    Returns
    -------
    curve : CovarianceCurve
        The estimates with their standard errors.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    .. [1] Y. Bengio and Y. Grandvalet, "No Unbiased Estimator of the Variance of
       K-Fold Cross-Validation", NIPS 2003; JMLR 5, 1089-1105, 2004. Experiment 2.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn_cvtest.simulation import GaussianLinearPopulation
    >>> from sklearn_cvtest.simulation import covariance_curve
    >>> curve = covariance_curve(
    ...     LinearRegression(), GaussianLinearPopulation(5), n_samples=[20, 40],
    ...     n_replications=100, random_state=0,
    ... )
    >>> bool(curve.structures[0].theta > curve.structures[1].theta)
    True
    """
    names = list(name_estimators(estimators))
    if len(names) > 2:
        raise invalid("estimators", "one or two estimators", names)
    check_integer("n_replications", n_replications, 2)
    for name, values in (("n_samples", n_samples), ("n_splits", n_splits)):
        sizes = check_array(name, values, (0, 1))
        if (sizes % 1 != 0).any():
            raise invalid(name, "an integer, or a sequence of integers", values)
    if np.ndim(n_samples) and np.ndim(n_splits):
        raise invalid("n_splits", "an integer if `n_samples` is a sequence", n_splits)
    sizes, folds = np.broadcast_arrays(np.atleast_1d(n_samples), n_splits)
    for n, k in zip(sizes.tolist(), folds.tolist(), strict=True):
        check_integer("n_splits", k, 2)
        check_integer("n_samples", n, k)
        if n % k:
            raise invalid("n_samples", f"a multiple of n_splits={k}", n)
    structures, contributions, errors = [], [], []
    for n, k in zip(sizes.tolist(), folds.tolist(), strict=True):
        samples = replicate_losses(
            estimators,
            population,
            n_samples=n,
            cv=BlockKFold(k),
            loss=loss,
            n_replications=n_replications,
            random_state=random_state,
            n_jobs=n_jobs,
        )
        residuals = [losses.residuals(*names).values for losses in samples]
        blocks = np.reshape(residuals, (n_replications, k, n // k))
        structures.append(CovarianceStructure.from_replications(blocks))
        contributions.append(structures[-1].contributions)
        errors.append(_errors_of_contributions(blocks))
    return CovarianceCurve(
        n_samples=sizes,
        n_splits=folds,
        structures=tuple(structures),
        contributions=np.array(contributions),
        standard_errors=np.array(errors),
        n_replications=n_replications,
    )


def _errors_of_contributions(blocks):
    """Return the standard errors of σ²/n, (m-1)ω/n and (n-m)γ/n, of (R, K, m).

    Each is the mean over samples of Σ e_i e_j/n² over its pairs, with e about the mean.
    """
    n = blocks[0].size
    e = blocks - blocks.mean()
    sums = e.sum(axis=2)
    squares = np.sum(e**2, axis=(1, 2))
    products = np.sum(sums**2, axis=1)
    totals = sums.sum(axis=1) ** 2
    terms = np.array([squares, products - squares, totals - products]) / n**2
    return terms.std(axis=1, ddof=1) / np.sqrt(len(blocks))


# Jackknife residuals of a loss: [BG03] section 2.2 ----------------------------------


def loss_jackknife_residuals(estimators, X, y, *, cv=10, loss="auto"):
    """Compute the delete-m jackknife residuals of the loss over a K-fold.

    Their mean is the jackknife estimate of the prediction error of the estimator fitted
    on the whole sample: its training error, with the bias removed. The residual of
    example i in block k is K L(A(D), z_i) - Σ_{l≠k} L(A(D_l), z_i), where D_l is the
    sample without block l.

    Parameters
    ----------
    estimators : estimator, list or dict
        As in :func:`~sklearn_cvtest.cross_val_losses`.
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        The target.
    cv : int, splitter or iterable of (train, test), default=10
        A K-fold.
    loss : str, Metric or callable, default="auto"
        As in :func:`~sklearn_cvtest.cross_val_losses`.

    Returns
    -------
    losses : CVLosses
        Jackknife residuals in place of losses, rows ordered by block; its
        `residuals(first, second)` gives the residuals of a difference, on which the
        tests for K-fold can be fitted.

    Raises
    ------
    ValueError
        If the splits are not a K-fold.

    Notes
    -----
    Costs 2K + 1 fits per estimator.

    References
    ----------
    .. [1] Y. Bengio and Y. Grandvalet, "No Unbiased Estimator of the Variance of
       K-Fold Cross-Validation", NIPS 2003; JMLR 5, 1089-1105, 2004. Section 2.2.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn_cvtest import BlockKFold
    >>> from sklearn_cvtest.simulation import loss_jackknife_residuals
    >>> X, y = load_diabetes(return_X_y=True)
    >>> cv = BlockKFold(10, random_state=0)
    >>> losses = loss_jackknife_residuals(LinearRegression(), X, y, cv=cv)
    >>> losses.values.mean(axis=0).round()
    array([2919.])
    """
    losses = cross_val_losses(estimators, X, y, cv=cv, loss=loss, diagnostics=False)
    if losses.design.kind != K_FOLD or not losses.per_example:
        raise invalid("cv", "a K-fold", str(losses.design))
    rows, split = losses.row_index, losses.row_split
    measured = MetricGroup({losses.metric.name: losses.metric})
    n_blocks = losses.design.n_splits
    target = np.asarray(y)
    total = np.zeros((len(target), len(losses.names)))
    for block in range(n_blocks + 1):  # the last is of the whole sample
        train = np.sort(rows[split != block])
        # row i is in the training sets of all blocks but its own: a sum over l ≠ k
        sign = n_blocks if block == n_blocks else -1
        for column, model in enumerate(name_estimators(estimators).values()):
            X_train, y_train = take_rows(X, train), target[train]
            fitted = clone(model).fit(X_train, y_train)
            of_train = measured.losses(fitted, X_train, y_train, y_train)
            total[train, column] += sign * of_train
    return replace(losses, values=total[rows])
