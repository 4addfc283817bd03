"""Populations from which independent samples are drawn.

[BG03]: Bengio & Grandvalet 2003, "No Unbiased Estimator of the Variance of K-Fold
Cross-Validation".
"""

from dataclasses import dataclass

import numpy as np
from sklearn.utils import indexable

from .._compat import n_rows, take_rows
from .._validation import check_integer, check_real, invalid

OUTLIER_SHARE = 0.05  # of examples, [BG03] experiment 2
OUTLIER_SCALE = 10


class ArrayPopulation:
    """A data set that is treated as the whole population.

    Drawing from it with replacement gives independent samples whose distribution is
    known: the experiment of [1]_, section 5.

    Parameters
    ----------
    X : array-like, sparse matrix or dataframe of shape (n_population, n_features)
        The data.
    y : array-like of shape (n_population,) or (n_population, n_outputs)
        The target.
    replace : bool, default=True
        Whether an example can be drawn twice for the same sample.

    Raises
    ------
    TypeError, ValueError
        If X and y are not of the same length.

    References
    ----------
    .. [1] Y. Grandvalet and Y. Bengio, "Hypothesis Testing for
       Cross-Validation", Technical Report 1285, DIRO, Université de Montréal, 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_cvtest.simulation import ArrayPopulation
    >>> population = ArrayPopulation(*load_iris(return_X_y=True))
    >>> X, y = population.sample(20, np.random.default_rng(0))
    >>> X.shape, y.shape
    ((20, 4), (20,))
    """

    def __init__(self, X, y, replace=True):
        if y is None:
            raise invalid("y", "the target", y, TypeError)
        self.X, self.y = indexable(X, y)
        self.replace = replace

    def __repr__(self):
        return f"<ArrayPopulation of {n_rows(self.X)} examples>"

    def sample(self, n_samples, rng):
        """Draw a sample.

        Parameters
        ----------
        n_samples : int
            Its size.
        rng : numpy.random.Generator or int
            Source of randomness, or its seed.

        Returns
        -------
        X, y : objects of the types given
            The rows drawn.

        Raises
        ------
        TypeError, ValueError
            If `n_samples` is not a positive integer or, without replacement, exceeds
            the size of the population.
        """
        size = n_rows(self.X)
        check_integer("n_samples", n_samples, 1)
        if n_samples > size and not self.replace:
            allowed = f"at most {size}, the whole population, without replacement"
            raise invalid("n_samples", allowed, n_samples)
        rng = np.random.default_rng(rng)
        rows = rng.choice(size, size=n_samples, replace=self.replace)
        return take_rows(self.X, rows), take_rows(self.y, rows)


@dataclass(frozen=True)
class GaussianLinearPopulation:
    """Normal features and a linear target, with or without gross outliers.

    Experiments 1 and 2 of [1]_: d independent standard normal features, y a multiple
    of their sum plus standard normal noise. With outliers, one example in twenty has
    features and noise of 10 times the standard deviation, and noise and slope are
    rescaled so that the noise variance, and the share of the variance explained, stay
    the same on average.

    Parameters
    ----------
    n_features : int, default=30
        Number d of features, >= 1.
    r2 : float, default=0.75
        Share of the variance of y that the features explain, in (0, 1).
    outliers : bool, default=False
        Whether there are outliers.

    Raises
    ------
    TypeError, ValueError
        If a parameter is out of range.

    References
    ----------
    .. [1] Y. Bengio and Y. Grandvalet, "No Unbiased Estimator of the Variance of
       K-Fold Cross-Validation", NIPS 2003; JMLR 5, 1089-1105, 2004.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest.simulation import GaussianLinearPopulation
    >>> X, y = GaussianLinearPopulation().sample(100_000, np.random.default_rng(0))
    >>> round(float(np.var(np.sqrt(3 / 30) * X.sum(axis=1)) / np.var(y)), 2)
    0.75
    """

    n_features: int = 30
    r2: float = 0.75
    outliers: bool = False

    def __post_init__(self):
        check_integer("n_features", self.n_features, 1)
        check_real("r2", self.r2, 0, 1)

    def sample(self, n_samples, rng):
        """Draw a sample.

        Parameters
        ----------
        n_samples : int
            Its size.
        rng : numpy.random.Generator or int
            Source of randomness, or its seed.

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
            The features.
        y : ndarray of shape (n_samples,)
            The target.

        Raises
        ------
        TypeError, ValueError
            If `n_samples` is not a positive integer.
        """
        check_integer("n_samples", n_samples, 1)
        rng = np.random.default_rng(rng)
        total = 1.0  # [BG03] experiment 2: p + 100(1 - p)
        scale = np.ones(n_samples)
        if self.outliers:
            total = 1 - OUTLIER_SHARE + OUTLIER_SCALE**2 * OUTLIER_SHARE
            scale[rng.random(n_samples) >= 1 - OUTLIER_SHARE] = OUTLIER_SCALE
        X = rng.normal(size=(n_samples, self.n_features)) * scale[:, np.newaxis]
        noise = rng.normal(size=n_samples) * scale / np.sqrt(total)
        signal = self.r2 / (1 - self.r2)
        slope = np.sqrt(signal / (self.n_features * total))
        return X, slope * X.sum(axis=1) + noise
