"""Losses of estimators of which some have fewer repeats than others."""

from dataclasses import replace
from functools import cached_property

import numpy as np

# What has a row for each row of the losses, or for each split.
OF_ROWS = "losses", "row_split", "row_index", "groups"
OF_SPLITS = "n_train", "n_test", "fit_time", "score_time", "fit_failed"


class UnequalRuns:
    """Lets estimators have the first splits only: `n_splits_run` of CVLosses.

    What is computed of several estimators is computed of the splits that all of these
    have; what is computed of one, of its own.
    """

    @property
    def was_run(self):
        """Whether each estimator was fitted on each split, (n_splits, n_estimators).

        True if all were on all.
        """
        if self.n_splits_run is None:
            return True
        return np.arange(len(self.fit_time))[:, None] < self.n_splits_run

    @property
    def mean_shift(self):
        """What is added to mean losses over fewer splits, (n_estimators,).

        The mean over all splits less that over theirs, of those that have all.
        """
        if self.n_splits_run is None:
            return np.zeros(len(self.estimator_names))
        whole = np.isfinite(self.block_losses).all(axis=0)
        if not whole.any():
            return np.zeros(len(whole))
        means = self.block_losses[:, whole].mean(axis=1)
        so_far = np.cumsum(means) / np.arange(1, len(means) + 1)
        return so_far[-1] - so_far[self.n_splits_run - 1]

    def alike(self, pairs):
        """Return pairs in order, in parts that have the same splits.

        Parameters
        ----------
        pairs : ndarray of int of shape (n_pairs, 2)
            Positions of the estimators.

        Returns
        -------
        parts : list of ndarray of shape (n, 2)
            One unless some have fewer splits.
        """
        if self.n_splits_run is None:
            return [pairs]
        numbers = self.n_splits_run[pairs].min(axis=1)
        return np.split(pairs, np.flatnonzero(np.diff(numbers)) + 1)

    def known_of(self, columns=slice(None)):
        """Return the losses on the splits on which all of some were fitted.

        Parameters
        ----------
        columns : int, slice or ndarray of int, default=slice(None, None, None)
            Their positions; all by default.

        Returns
        -------
        losses : CVLosses
            Losses on the first splits.
        """
        if self.n_splits_run is None or not np.size(self.n_splits_run[columns]):
            return self
        return self._first(int(np.min(self.n_splits_run[columns])))

    def _first(self, n_splits):
        """Return the losses on the first splits."""
        if n_splits == len(self.fit_time):
            return self
        if n_splits not in self._parts:
            self._parts[n_splits] = self._cut(n_splits)
        return self._parts[n_splits]

    @cached_property
    def _parts(self):
        return {}

    def _cut(self, n_splits):
        rows = slice(np.searchsorted(self.row_split, n_splits))
        known = {name: getattr(self, name) for name in (*OF_ROWS, *OF_SPLITS)}
        fields = {
            name: array[rows if name in OF_ROWS else slice(n_splits)]
            for name, array in known.items()
            if array is not None
        }
        if self.estimators is not None:
            models = self.estimators.items()
            fields["estimators"] = {name: made[:n_splits] for name, made in models}
        numbers = np.minimum(self.n_splits_run, n_splits)
        return replace(
            self,
            **fields,
            design=self.design.first(n_splits),
            split_hash=None,
            n_splits_run=None if numbers.min() == n_splits else numbers,
        )
