"""Populations from which independent samples are drawn.

[BG03]: Bengio & Grandvalet 2003, "No Unbiased Estimator of the Variance of K-Fold
Cross-Validation".
"""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import BaseCrossValidator

from .._compat import n_rows, take_rows
from .._splits._groups import check_lengths, warn_of_another_order
from .._typing import Any, Array, ArrayLike, Iterator
from .._validation import check_flag, check_integer, check_real, invalid, invalid_words


def check_population(population):
    """Check that samples can be drawn from an object."""
    is_class = isinstance(population, type)
    if is_class or not callable(getattr(population, "sample", None)):
        allowed = "an object with a method sample(n_samples, rng)"
        hint = "Pass an instance." if is_class else ""
        raise invalid("population", allowed, population, TypeError, hint)


def draw_sample(population, n_samples, rng):
    """Return X and y of a sample of the requested size."""
    rows = f"{n_samples} rows"
    allowed = f"an object whose sample({n_samples}, rng) returns X and y of {rows}"
    try:
        X, y = population.sample(n_samples, rng)
        X, y, _ = check_lengths(X, _check_target(y), None)
    except Exception as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        hint = f"{type(error).__name__}: {error}"
        raise invalid("population", allowed, population, kind, hint) from error
    if n_rows(X) != n_samples:
        raise invalid_words("population", allowed, f"{n_rows(X)} rows")
    return X, y


def _check_target(y):
    if y is None:
        raise invalid("y", "the target", y, TypeError)
    return y


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
        If X and y are not of the same length, or have no rows.

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

    def __init__(self, X: Any, y: ArrayLike, replace: bool = True):
        warn_of_another_order({"X": X, "y": y})
        self.X, self.y, _ = check_lengths(X, _check_target(y), None)
        if n_rows(self.X) == 0:
            raise invalid_words("X", "data with at least one row", "no rows")
        self.replace = check_flag("replace", replace)

    def __repr__(self):
        return f"<ArrayPopulation of {n_rows(self.X)} examples>"

    def sample(self, n_samples: int, rng: np.random.Generator) -> tuple[Any, Any]:
        """Draw a sample.

        Parameters
        ----------
        n_samples : int
            Its size.
        rng : numpy.random.Generator
            Source of randomness.

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
        _check_generator(rng)
        if self.replace:
            rows = rng.integers(size, size=n_samples)
        elif n_samples > size:
            allowed = f"at most {size}, the whole population, without replacement"
            raise invalid("n_samples", allowed, n_samples)
        else:
            rows = rng.choice(size, size=n_samples, replace=False)
        return take_rows(self.X, rows), take_rows(self.y, rows)


def _check_generator(rng):
    if not isinstance(rng, np.random.Generator):
        raise invalid("rng", "a numpy.random.Generator", rng, TypeError)


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

    _share = 0.95  # of examples that are not outliers

    def __init__(self, n_features: int = 30, r2: float = 0.75, outliers: bool = False):
        self.n_features = check_integer("n_features", n_features, 1)
        self.r2 = check_real("r2", r2, above=0, below=1)
        self.outliers = check_flag("outliers", outliers)

    def __repr__(self):
        return (
            f"GaussianLinearPopulation(n_features={self.n_features}, r2={self.r2:g}, "
            f"outliers={self.outliers})"
        )

    def sample(self, n_samples: int, rng: np.random.Generator) -> tuple[Array, Array]:
        """Draw a sample.

        Parameters
        ----------
        n_samples : int
            Its size.
        rng : numpy.random.Generator
            Source of randomness.

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
        _check_generator(rng)
        total = 1.0  # [BG03] experiment 2: p + 100(1 - p)
        scale = np.ones(n_samples)
        if self.outliers:
            total = self._share + 100 * (1 - self._share)
            scale[rng.random(n_samples) >= self._share] = 10
        X = rng.normal(size=(n_samples, self.n_features)) * scale[:, np.newaxis]
        noise = rng.normal(size=n_samples) * scale / np.sqrt(total)
        signal = self.r2 / (1 - self.r2)
        slope = np.sqrt(signal / (self.n_features * total))
        return X, slope * X.sum(axis=1) + noise


class GroupedPopulation:
    """Normal features and a linear target of rows in groups that are alike.

    d standard normal features, y a multiple of their sum plus standard normal noise.
    Features and noise of the rows of a group have the correlation √ρ, with ρ the
    intra-class correlation `icc`. Products of two of them, and so the differences
    between the squared errors of linear models, then have the correlation ρ.

    Parameters
    ----------
    group_size : int, default=10
        Rows of each group, >= 1; the last group may have fewer.
    icc : float, default=0.5
        Intra-class correlation of products of features and noise, in [0, 1].
    n_features : int, default=2
        Number d of features, >= 1.
    r2 : float, default=0.75
        Share of the variance of y that the features explain, in (0, 1).

    Raises
    ------
    TypeError, ValueError
        If a parameter is out of range.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest.simulation import GroupedPopulation
    >>> population = GroupedPopulation(group_size=2, icc=0.5)
    >>> X, y = population.sample(100_000, np.random.default_rng(0))
    >>> products = (X[:, 0] * X[:, 1]).reshape(-1, 2)
    >>> round(float(np.corrcoef(products.T)[0, 1]), 1)
    0.5
    >>> population.get_groups(5)
    array([0, 0, 1, 1, 2])
    """

    def __init__(
        self,
        group_size: int = 10,
        icc: float = 0.5,
        n_features: int = 2,
        r2: float = 0.75,
    ):
        self.group_size = check_integer("group_size", group_size, 1)
        self.icc = check_real("icc", icc, above=0, below=1, closed="low high")
        self.n_features = check_integer("n_features", n_features, 1)
        self.r2 = check_real("r2", r2, above=0, below=1)

    def __repr__(self):
        return (
            f"GroupedPopulation(group_size={self.group_size}, icc={self.icc:g}, "
            f"n_features={self.n_features}, r2={self.r2:g})"
        )

    def get_groups(self, n_samples: int) -> Array:
        """Return the group of each row of a sample.

        Parameters
        ----------
        n_samples : int
            Its size.

        Returns
        -------
        groups : ndarray of shape (n_samples,)
            Integers from 0, the same in all samples: what `replicate_losses` takes.

        Raises
        ------
        TypeError, ValueError
            If `n_samples` is not a positive integer.
        """
        return np.arange(check_integer("n_samples", n_samples, 1)) // self.group_size

    def sample(self, n_samples: int, rng: np.random.Generator) -> tuple[Array, Array]:
        """Draw a sample.

        Parameters
        ----------
        n_samples : int
            Its size.
        rng : numpy.random.Generator
            Source of randomness.

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
        groups = self.get_groups(n_samples)
        _check_generator(rng)
        shape = (n_samples, self.n_features + 1)
        shared = rng.normal(size=(groups[-1] + 1, shape[1]))[groups]
        alike = np.sqrt(self.icc)  # of factors; of their products it is the square
        values = np.sqrt(alike) * shared + np.sqrt(1 - alike) * rng.normal(size=shape)
        X, noise = values[:, :-1], values[:, -1]
        slope = np.sqrt(self.r2 / (1 - self.r2) / self.n_features)
        return X, slope * X.sum(axis=1) + noise


# The ideal hold-out: several independent training and test sets -----------------


class IndependentHoldouts(BaseCrossValidator):
    """Cut a sample into disjoint training and test sets, all of the same size.

    The ideal situation of [1]_, experiment 1, in which no example is used twice; a
    sample of 2Kn examples gives K training and K test sets of n.

    Parameters
    ----------
    n_splits : int, default=10
        Number K of training and of test sets.

    Raises
    ------
    TypeError, ValueError
        If `n_splits` is not an integer >= 1.

    References
    ----------
    .. [1] Y. Bengio and Y. Grandvalet, "No Unbiased Estimator of the Variance of
       K-Fold Cross-Validation", NIPS 2003; JMLR 5, 1089-1105, 2004.

    Examples
    --------
    >>> from sklearn_cvtest.simulation import IndependentHoldouts
    >>> [(train.tolist(), test.tolist())
    ...  for train, test in IndependentHoldouts(2).split([0] * 8)]
    [([0, 1], [2, 3]), ([4, 5], [6, 7])]
    """

    def __init__(self, n_splits: int = 10):
        self.n_splits = check_integer("n_splits", n_splits, 1)

    def split(
        self, X: ArrayLike, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[Array, Array]]:
        """Generate the splits, in the order of the examples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data; only its length is used.
        y, groups : object, default=None
            Ignored, exist for API compatibility.

        Returns
        -------
        splits : iterator of (ndarray, ndarray)
            The training and the test set indices of each split.

        Raises
        ------
        ValueError
            If the number of examples is not a multiple of 2K.
        """
        X, *_ = check_lengths(X, None, None)
        n_samples, n_sets = n_rows(X), 2 * self.n_splits
        if n_samples == 0 or n_samples % n_sets:
            raise invalid_words("X", f"a multiple of {n_sets} examples", f"{n_samples}")
        sets = np.arange(n_samples).reshape(n_sets, -1)
        return zip(sets[::2], sets[1::2], strict=True)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits.

        Parameters
        ----------
        X, y, groups : object, default=None
            Ignored, exist for API compatibility.

        Returns
        -------
        n_splits : int
            K.
        """
        return self.n_splits
