"""Residuals of examples, averaged over the runs of a repeated K-fold."""

from typing import NamedTuple

import numpy as np

from .._validation import invalid_words
from ._variance import largest_magnitude, power_of_two

__all__ = [
    "ExampleMoments",
    "count_different",
    "example_moments",
    "rows_by_example",
]


class ExampleMoments(NamedTuple):
    """Moments of residuals averaged per example over R runs, divided by `scale`.

    With e_ir the residual of example i in run r and ē_i its mean over the runs.

    Attributes
    ----------
    scale : float or ndarray of shape (...)
        A power of two near the largest residual.
    n_examples, n_runs : int
        Their numbers n and R.
    mean : float or ndarray of shape (...)
        Mean of the ē_i.
    squares, cubes : float or ndarray of shape (...)
        Sums of the second and third powers of the deviations of the ē_i from it.
    run_squares : float or ndarray of shape (...)
        Mean over the runs of the sum of the squared deviations of their residuals from
        their mean.
    run_variance : float or ndarray of shape (...)
        Sample variance of the means of the runs; nan of one.
    """

    scale: np.ndarray
    n_examples: int
    n_runs: int
    mean: np.ndarray
    squares: np.ndarray
    cubes: np.ndarray
    run_squares: np.ndarray
    run_variance: np.ndarray

    @property
    def theta(self):
        """θ̂5 of the averages."""
        return self.squares / (self.n_examples * (self.n_examples - 1))

    @property
    def run_theta(self):
        """Mean over the runs of θ̂5 of one run."""
        return self.run_squares / (self.n_examples * (self.n_examples - 1))

    @property
    def split_noise(self):
        """v̂ = Σ_i Σ_r (e_ir - ē_i)² / (n²(R - 1)); nan of one run.

        The split variance of the mean of a run, were the noise of examples independent.
        """
        if self.n_runs == 1:
            return np.full_like(self.squares, np.nan)[()]
        n, n_runs = self.n_examples, self.n_runs
        # Σ(e_ir - ē_i)² = Σ_r Σ_i (e_ir - e_·r)² - R Σ(ē_i - ē)² + n Σ_r(e_·r - ē)²
        noise = n_runs * (self.run_squares - self.squares)
        noise = noise / (n_runs - 1) + n * self.run_variance
        return np.maximum(noise, 0) / n**2


def rows_by_example(row_index):
    """Return the rows of each example, ndarray of shape (n_examples, n_runs).

    They are in the order of the rows.
    """
    if row_index is None:
        raise invalid_words(
            "residuals",
            "of known examples (`row_index`) for averages over repeats",
            "residuals without",
            hint="Take those of cross_val_losses, or pass `row_index` to CVResiduals.",
        )
    counts = np.unique(row_index, return_counts=True)[1]
    if np.any(counts != counts[0]):
        raise invalid_words(
            "residuals",
            "of the same examples in every repeat",
            f"examples that occur {counts.min()} to {counts.max()} times",
        )
    return np.argsort(row_index, kind="stable").reshape(-1, counts[0])


def example_moments(values):
    """Return the moments of residuals (..., n_examples, n_runs), and the averages."""
    n_examples, n_runs = values.shape[-2:]
    flat = values.reshape(*values.shape[:-2], -1)
    scale = power_of_two(largest_magnitude(flat))
    with np.errstate(over="ignore"):  # numpy 1.26 reports one for subnormal numbers
        values = values / np.expand_dims(scale, (-2, -1))
    averages = values.mean(axis=-1)
    mean = averages.mean(axis=-1)
    deviations = averages - np.expand_dims(mean, -1)
    means = values.mean(axis=-2)
    within = values - np.expand_dims(means, -2)
    squares = deviations**2
    moments = ExampleMoments(
        scale=scale,
        n_examples=n_examples,
        n_runs=n_runs,
        mean=mean,
        squares=squares.sum(axis=-1),
        cubes=np.sum(squares * deviations, axis=-1),
        run_squares=np.sum(within**2, axis=(-2, -1)) / n_runs,
        run_variance=_variance(means),
    )
    return moments, averages


def _variance(means):
    if means.shape[-1] == 1:
        return np.full(means.shape[:-1], np.nan)[()]
    return means.var(axis=-1, ddof=1)


def count_different(values):
    """Return how many values differ from their median, along the last axis."""
    median = np.median(values, axis=-1, keepdims=True)
    return np.count_nonzero(values != median, axis=-1)
