"""What data have in common: read-only arrays, and what tests ask of residuals."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from functools import cached_property

import numpy as np

from .._validation import invalid_words, one_line
from ._moments import example_moments, group_values


def read_only(array):
    """Return a view of an array that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view


# Fields that nothing is looked up by; code and files may give them any text.
LABELS = "cv_description", "labels_from", "loss_name", "metric_name"


class ReadOnlyArrays:
    """Makes array fields of a frozen dataclass read-only, and labels printable."""

    def __post_init__(self):
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, read_only(value))
            elif name in LABELS and isinstance(value, str):
                object.__setattr__(self, name, one_line(value))

    @property
    def measured(self):
        """What is measured, a name of this package's or scikit-learn's where known."""
        return self.loss_name if self.metric_name is None else self.metric_name

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.__post_init__()


class Residuals(ReadOnlyArrays, ABC):
    """What tests ask of residuals: of one pair, of many pairs, or of many samples.

    Results have the leading axes of `block_means`, of shape (..., n_splits): none, one
    for pairs or one for samples. A subclass is a frozen dataclass with the fields
    `design`, `names`, `n_train`, `n_test` and `n_samples`; where single residuals are
    not kept, its `values` is None.
    """

    @property
    def is_difference(self):
        """Whether they are differences of the losses of two estimators, bool."""
        return isinstance(self.names, tuple) and len(self.names) == 2

    @property
    def is_ratio_scale(self):
        """Whether they are differences of losses that are compared by ratio, bool."""
        return False

    @cached_property
    def n_groups(self):
        """Number of groups, int; None without groups."""
        if self.groups is None:
            return None
        return int(np.count_nonzero(np.bincount(self.groups)))

    def runs(self):
        """Return the runs of paired halves, each as residuals of its own.

        Returns
        -------
        full : CVResiduals or ReplicatedResiduals
            The run on the whole sample. For other designs, the residuals unchanged.
        halves : list of (CVResiduals, CVResiduals)
            The runs on each pair of disjoint halves; empty for other designs.
        """
        return self.whole, list(zip(self._halves[::2], self._halves[1::2], strict=True))

    @property
    def whole(self):
        """The run on the whole sample, which is all but of paired halves."""
        return self._whole or self  # a reference to itself would outlive its readers

    @cached_property
    def _whole(self):
        run, *halves = self.design.runs()
        return self._run(*run) if halves else None

    @cached_property
    def _halves(self):
        return [self._run(*run) for run in self.design.runs()[1:]]

    def _run(self, splits, design, is_half):
        n_samples = self.n_samples
        if is_half and n_samples is not None:
            n_samples //= 2
        return replace(
            self,
            n_train=None if self.n_train is None else self.n_train[splits],
            n_test=None if self.n_test is None else self.n_test[splits],
            n_samples=n_samples,
            design=design,
            **self._of_splits(splits, is_half),
        )

    @cached_property
    def example_moments(self):
        """Moments of the residuals averaged per example over repeats.

        With groups, of their sums, each over the mean size of a group.
        """
        moments = None if self.groups is not None else self._moments_without_groups()
        return moments or self._of_examples[0]

    def example_runs(self):
        """Return the residuals of examples (or groups) in each run.

        Returns
        -------
        residuals : ndarray of shape (..., n_examples, n_runs)
            In the order of :attr:`example_means`.

        Raises
        ------
        ValueError
            If only sums over examples were kept.
        """
        if self.values is None:
            allowed = f"{type(self).__name__} must hold the residuals of examples"
            raise ValueError(f"{allowed}; got sums over examples.")
        rows = self._rows_of_runs
        groups = self.groups
        values = self.values[..., rows]
        return values if groups is None else group_values(values, groups[rows[:, 0]])

    @cached_property
    def _of_examples(self):
        """The moments and the averages of examples (or groups) over repeats."""
        return example_moments(self.example_runs())

    @property
    def example_means(self):
        """Residuals averaged per example over repeats, (..., n_examples)."""
        if self.n_runs > 1 or self.groups is not None:
            return self._of_examples[1]
        return self.values

    @abstractmethod
    def _of_splits(self, splits, is_half):
        """Return the fields that are other ones of a slice of splits, a dict."""

    @abstractmethod
    def _moments_without_groups(self):
        """Return the moments of examples; None where they follow from the averages."""


def rows_by_example(row_index):
    """Return the rows of each example, ndarray of shape (n_examples, n_runs).

    They are in the order of the rows.
    """
    if row_index is None:
        raise invalid_words(
            "residuals",
            "of known examples (`row_index`) for averages over repeats",
            "residuals without",
            hint="Use cross_val_losses, or pass `row_index` to CVResiduals.",
        )
    counts = np.unique(row_index, return_counts=True)[1]
    if np.any(counts != counts[0]):
        raise invalid_words(
            "residuals",
            "of the same examples in every repeat",
            f"examples that occur {counts.min()} to {counts.max()} times",
        )
    return np.argsort(row_index, kind="stable").reshape(-1, counts[0])
