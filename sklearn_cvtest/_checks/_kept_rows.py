"""What all fits kept of the first rows, one test set after the other."""

from typing import NamedTuple

import numpy as np


class KeptRows(NamedTuple):
    """What all fits kept of the rows that are looked at, one split after the other.

    Attributes
    ----------
    numbers : list of int
        The splits, of full size, with such rows.
    starts : ndarray of shape (n_splits,)
        Where the rows of each begin.
    places, rows : ndarray of shape (n_rows,)
        The position of its split in `numbers`, and where it is in the data.
    values : ndarray of shape (n_rows, n_estimators)
        The probabilities or errors, of 32 bits.
    """

    numbers: list
    starts: np.ndarray
    places: np.ndarray
    rows: np.ndarray
    values: np.ndarray

    @classmethod
    def of(cls, fits):
        """Return what the fits of a Collector kept."""
        full_splits = np.arange(len(fits.n_test))[fits.plan.design.full]
        numbers = []
        rows = []
        values = []
        for number in full_splits:
            test = fits.plan.splits[number][1]
            kept_of_test = test[fits.is_kept[number]]
            if len(kept_of_test) > 0:
                numbers.append(number)
                rows.append(kept_of_test)
                values.append(fits.kept_values[number])
        sizes = [len(kept_of_test) for kept_of_test in rows]
        return cls(
            numbers=numbers,
            starts=np.cumsum([0, *sizes[:-1]]),
            places=np.repeat(np.arange(len(numbers)), sizes),
            rows=np.concatenate(rows),
            values=np.concatenate(values),
        )

    def losses_of(self, fits):
        """Return the losses of the rows by the first measure, nan if it has none."""
        if not fits.plan.has_examples(fits.plan.measures[0]):
            return np.nan
        starts = fits.ends - fits.sizes.sum(axis=1)
        rows = []
        for number in self.numbers:
            rows.append(starts[number] + np.flatnonzero(fits.is_kept[number]))
        return fits.values[np.concatenate(rows)]

    def any_in_split(self, mask):
        """Return, for each row, whether the mask holds anywhere in its split."""
        return np.logical_or.reduceat(mask, self.starts)[self.places]

    def largest(self, values):
        """Return the largest value of each split."""
        return np.maximum.reduceat(values, self.starts)
