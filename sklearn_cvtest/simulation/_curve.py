"""covariance_curve: σ², ω and γ against sample size or number of folds.

[BG03]: Bengio & Grandvalet 2003, "No Unbiased Estimator of the Variance of K-Fold
Cross-Validation".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._compat import import_pandas
from .._data._protocol import ReadOnlyArrays
from .._engine._arguments import name_estimators
from .._losses._named_losses import Loss
from .._splits._block_kfold import BlockKFold
from .._typing import Any, DataFrame, Function, PathLike, Sequence
from .._validation import check_integer, invalid
from ._replicate import replicate_losses


@dataclass(frozen=True, eq=False)
class CovarianceCurve(ReadOnlyArrays):
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

    def to_frame(self) -> DataFrame:
        """Return a pandas DataFrame with one row per point.

        Returns
        -------
        frame : pandas.DataFrame
            Columns n_samples, n_splits; the three contributions sigma2, omega, gamma,
            each with a column of standard errors ending in "_se"; theta; rho.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        columns = {"n_samples": self.n_samples, "n_splits": self.n_splits}
        for i, name in enumerate(("sigma2", "omega", "gamma")):
            columns[name] = self.contributions[:, i]
            columns[f"{name}_se"] = self.standard_errors[:, i]
        for name in ("theta", "rho"):
            columns[name] = [getattr(structure, name) for structure in self.structures]
        return import_pandas("CovarianceCurve.to_frame").DataFrame(columns)


def covariance_curve(
    estimators: Any,
    population: Any,
    *,
    n_samples: int | Sequence[int],
    n_splits: int | Sequence[int] = 10,
    loss: str | Loss | Function = "auto",
    n_replications: int = 1000,
    random_state: int | None = None,
    n_jobs: int | None = None,
    memory: PathLike | None = None,
    progress: bool = False,
) -> CovarianceCurve:
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
    loss : str, Loss or callable, default="auto"
        A per-example loss.
    n_replications : int, default=1000
        Number of samples at each point, at least 2.
    random_state : int, default=None
        Seed.
    n_jobs : int, default=None
        As in :func:`replicate_losses`.
    memory : str or os.PathLike, default=None
        As in :func:`replicate_losses`.
    progress : bool, default=False
        Whether to show a progress bar for each point.

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
    residuals = []
    points = _check_points(n_samples, n_splits)
    for n, k in points:
        replications = replicate_losses(
            estimators,
            population,
            n_samples=n,
            cv=BlockKFold(k),
            loss=loss,
            n_replications=n_replications,
            random_state=random_state,
            n_jobs=n_jobs,
            memory=memory,
            progress=progress,
        )
        residuals.append(replications.residuals(*range(len(names))))
    n_samples, n_splits = map(np.array, zip(*points, strict=True))
    contributions, errors = zip(*map(_contributions, residuals), strict=True)
    return CovarianceCurve(
        n_samples=n_samples,
        n_splits=n_splits,
        structures=tuple(of_size.structure() for of_size in residuals),
        contributions=np.array(contributions),
        standard_errors=np.array(errors),
        n_replications=residuals[0].n_replications,
    )


def _check_points(n_samples, n_splits):
    """Return pairs of an n and a K."""
    for name, values in (("n_samples", n_samples), ("n_splits", n_splits)):
        allowed = "an integer, or a sequence of at least one integer"
        try:
            shape = np.asarray(values).shape
        except ValueError:  # lists of different lengths
            raise invalid(name, allowed, values, TypeError) from None
        if len(shape) > 1 or 0 in shape:
            raise invalid(name, allowed, values)
    if np.ndim(n_samples) and np.ndim(n_splits):
        raise invalid("n_splits", "an integer if `n_samples` is a sequence", n_splits)
    sizes, folds = np.broadcast_arrays(np.atleast_1d(n_samples), n_splits)
    points = list(zip(sizes.tolist(), folds.tolist(), strict=True))
    for n, k in points:
        check_integer("n_splits", k, 2)
        check_integer("n_samples", n, k)
        if n % k:
            raise invalid("n_samples", f"a multiple of n_splits={k}", n)
    return points


def _contributions(residuals):
    """Return the three terms of [BG03] eq. (4), and their standard errors."""
    structure = residuals.structure()
    n, m = structure.n_samples, structure.block_size
    parts = (
        structure.sigma2 / n,
        (m - 1) * structure.omega / n,
        (n - m) * structure.gamma / n,
    )
    # one sample's share of each: Σ e_i e_j/n² over the pairs, e about the true mean
    means = residuals.block_means - residuals.estimates.mean()
    squares = (residuals.within + m * means**2).sum(axis=1)
    sums = np.sum((m * means) ** 2, axis=1)
    shares = (
        np.array([squares, sums - squares, (m * means).sum(axis=1) ** 2 - sums]) / n**2
    )
    return parts, shares.std(axis=1, ddof=1) / np.sqrt(residuals.n_replications)
