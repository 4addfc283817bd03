"""Populations from which independent samples are drawn.

[BG03]: Bengio & Grandvalet 2003, "No Unbiased Estimator of the Variance of K-Fold
Cross-Validation".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._compat import n_rows, take_rows
from .._row_labels import warn_of_another_order
from .._splits._groups import check_lengths
from .._typing import Any, Array, ArrayLike
from .._validation import check_flag, check_integer, check_real, invalid, invalid_words

SHARE = 0.95  # of examples that are not outliers


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
        error_class = TypeError if isinstance(error, TypeError) else ValueError
        hint = f"{type(error).__name__}: {error}"
        raise invalid("population", allowed, population, error_class, hint) from error
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
        _check_draw(n_samples, rng)
        if self.replace:
            rows = rng.integers(size, size=n_samples)
        elif n_samples > size:
            allowed = f"at most {size}, the whole population, without replacement"
            raise invalid("n_samples", allowed, n_samples)
        else:
            rows = rng.choice(size, size=n_samples, replace=False)
        return take_rows(self.X, rows), take_rows(self.y, rows)


def _check_draw(n_samples, rng):
    """Return the number of examples to draw; check the source of randomness."""
    if not isinstance(rng, np.random.Generator):
        raise invalid("rng", "a numpy.random.Generator", rng, TypeError)
    return check_integer("n_samples", n_samples, 1)


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
        check_real("r2", self.r2, above=0, below=1)
        check_flag("outliers", self.outliers)

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
        _check_draw(n_samples, rng)
        total = 1.0  # [BG03] experiment 2: p + 100(1 - p)
        scale = np.ones(n_samples)
        if self.outliers:
            total = SHARE + 100 * (1 - SHARE)
            scale[rng.random(n_samples) >= SHARE] = 10
        X = rng.normal(size=(n_samples, self.n_features)) * scale[:, np.newaxis]
        noise = rng.normal(size=n_samples) * scale / np.sqrt(total)
        signal = self.r2 / (1 - self.r2)
        slope = np.sqrt(signal / (self.n_features * total))
        return X, slope * X.sum(axis=1) + noise
