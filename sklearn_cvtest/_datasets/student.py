"""The mean difference over data sets: Student's t test, each an observation."""

from typing import NamedTuple

import numpy as np
from scipy import special

from .._inference.student import ROUNDING


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
        with np.errstate(divide="ignore", invalid="ignore"):
            if is_new:
                is_few = self.n_datasets < 3
                error = self.spread * np.sqrt(1 + 1 / self.n_datasets)
                error = np.where(is_few, np.inf, error)
            margin = special.stdtrit(self.df, 1 - levels / 2) * error
            share = -np.expm1(np.log(levels / 2) / self.n_datasets)
            ends = []
            for sign in (-1, 1):
                bound = self.estimate + sign * share * (
                    self.most - sign * self.estimate
                )
                end = np.where(error == 0, bound, self.estimate + sign * margin)
                is_inside = np.isinf(error) | (np.abs(end) <= self.most)
                ends.append(np.where(is_inside, end, sign * self.most))
        return ends


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
        size = np.abs(np.nan_to_num(differences)).max(axis=1)
        are_equal = np.abs(offsets).max(axis=1) <= 1e3 * ROUNDING * size
        spread = np.sqrt(np.sum(offsets**2, axis=1) / df)
        spread = np.where(are_equal, 0.0, spread)
        error = np.where(n < 2, np.inf, spread / np.sqrt(n))
        statistic = np.where((mean == 0) | (n < 2), 0.0, mean / error)
        share_of_others = np.abs(mean) / (most + np.abs(mean))
    pvalue = np.minimum(2 * special.stdtr(df, -np.abs(statistic)), 1.0)
    equal_pvalue = np.minimum(2 * (1 - share_of_others) ** n, 1.0)
    pvalue = np.where(are_equal & (n > 1), equal_pvalue, pvalue)
    return MeanDifferences(mean, error, df, statistic, pvalue, spread, n, most)
