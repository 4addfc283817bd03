"""The mean difference over data sets: Student's t test, each an observation."""

from typing import NamedTuple

import numpy as np

from .._inference.student import (
    ROUNDING,
    critical_value,
    pvalue_of,
    ratio_or_limit,
)


class MeanDifferences(NamedTuple):
    """Student's t test of each pair, an array for each column."""

    estimate: np.ndarray
    standard_error: np.ndarray
    df: np.ndarray
    statistic: np.ndarray
    pvalue: np.ndarray
    spread: np.ndarray
    n_datasets: np.ndarray
    most: float

    def interval(self, levels, is_new=False):
        """Return the interval of the mean, or of the difference on a new data set.

        Where all differences are equal and have a range, a new one is another with a
        probability that their number bounds, as Clopper and Pearson have it.
        """
        error = self.standard_error
        n, most = self.n_datasets, self.most
        error = self.standard_error
        with np.errstate(divide="ignore", invalid="ignore"):
            if is_new:
                error = self.spread * np.sqrt(1 + 1 / n)
                error = np.where(n < 3, np.inf, error)
            share = -np.expm1(np.log(levels / 2) / n)
            below = share * (most + self.estimate)
            above = share * (most - self.estimate)
            margin = critical_value(1 - levels, self.df, "two-sided") * error
        low = self.estimate - np.where(error == 0, below, margin)
        high = self.estimate + np.where(error == 0, above, margin)
        return np.clip(low, -most, most), np.clip(high, -most, most)


def mean_differences(differences, most=np.inf):
    """Test that differences (n_pairs, D), nan of missing ones, have mean 0.

    Parameters
    ----------
    most : float
        The largest difference that there can be; it bounds p where all are equal.
    """
    n = np.isfinite(differences).sum(axis=1)
    df = np.maximum(n - 1.0, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.nansum(differences, axis=1) / n
        offsets = np.nan_to_num(differences - mean[:, np.newaxis])
        spread = np.sqrt(np.sum(offsets**2, axis=1) / df)
        size = np.abs(np.nan_to_num(differences)).max(axis=1)
        spread = np.where(spread <= 1e3 * ROUNDING * size, 0.0, spread)
        error = np.where(n < 2, np.inf, spread / np.sqrt(n))
        statistic = np.where(n < 2, 0.0, ratio_or_limit(mean, error))
        share = np.abs(mean) / (most + np.abs(mean))
    equal_pvalue = np.minimum(2 * (1 - share) ** n, 1.0)
    is_equal = (error == 0) & (n > 1)
    pvalue = np.where(is_equal, equal_pvalue, pvalue_of(statistic, df, "two-sided"))
    return MeanDifferences(mean, error, df, statistic, pvalue, spread, n, most)
