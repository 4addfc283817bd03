"""ReplicatedResiduals: what tests are given of many samples at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from .._data._clusters import GroupCells
from .._data._moments import (
    SQUARES,
    BlockMoments,
    ExampleMoments,
    VarianceEstimates,
    largest_magnitude,
    variances_from_blocks,
)
from .._data._protocol import Residuals
from .._data._residuals import CVResiduals
from .._inference._student import ROUNDING
from .._splits._design import Design
from .._validation import invalid_words, one_line
from ._covariance import CovarianceStructure, structure_of_block_sums


@dataclass(frozen=True, eq=False)
class ReplicatedResiduals(Residuals):
    """Block statistics of the residuals of many independent samples.

    Made by :meth:`Replications.residuals`; what :class:`~sklearn_cvtest.CVResiduals` is
    for one sample.

    Attributes
    ----------
    block_means : ndarray of shape (n_replications, n_splits)
        Mean residual of each split.
    block_squares : ndarray of shape (n_replications, n_splits)
        Sum of the squared residuals of each split.
    example_sums : ndarray of shape (n_replications, 4) or None
        As in :class:`Replications`.
    n_train, n_test : ndarray of shape (n_splits,)
        Sizes of the training and test sets.
    n_samples : int
        Size of each sample.
    design : Design
        How the splits relate to each other.
    names : tuple of str
        (first, second), or (first,).
    loss_name : str
        The loss.
    group_cells : GroupCells or None
        Mean residual of each group in each test set (of repeated K-fold: in each run),
        with values of shape (n_replications, n_cells); None without groups.
    """

    block_means: np.ndarray
    block_squares: np.ndarray
    n_train: np.ndarray
    n_test: np.ndarray
    n_samples: int
    design: Design
    names: tuple = ()
    loss_name: str = ""
    group_cells: GroupCells | None = None
    example_sums: np.ndarray | None = None

    # single residuals are not kept, but their squares are known
    values = row_index = magnitude = None
    per_example = True

    def __repr__(self):
        return one_line(
            f"<ReplicatedResiduals {' - '.join(self.names)}: {self.n_replications} "
            f"samples of {self.n_samples}, {self.design}>"
        )

    @property
    def n_replications(self):
        """Number of samples, int."""
        return len(self.block_means)

    @cached_property
    def estimates(self):
        """Mean of the block means of each sample, ndarray of shape (n_replications,).

        For paired halves, of the run on the whole sample.
        """
        return self.runs()[0].block_means.mean(axis=1)

    @property
    def error_tail(self):
        """How heavy the tails of squared errors are, (n_replications,); else None."""
        is_known = self.loss_name in SQUARES and self.example_sums is not None
        return self.example_sums[:, 3] if is_known else None

    @property
    def within(self):
        """Sum of squared deviations from the block mean, of the shape of the means."""
        within = self.block_squares - self.n_test * self.block_means**2
        # less than the sum of squares can tell is rounding
        return np.where(within > ROUNDING * self.block_squares, within, 0)

    @property
    def groups(self):
        """Group of each cell, ndarray of shape (n_cells,); None without groups."""
        return None if self.group_cells is None else self.group_cells.groups

    def cells(self):
        """Return the means of groups in test sets; see :class:`GroupCells`."""
        return self.group_cells

    def _of_groups(self, means):
        each = np.arange(means.shape[-1])
        run, group = np.divmod(each, self.n_groups)
        split = run if self.n_runs > 1 else each
        return replace(
            self, group_cells=GroupCells(means, group, split, np.ones_like(each))
        )

    @property
    def n_values(self):
        """Number of residuals of a sample, int."""
        return int(self.n_test.sum())

    @cached_property
    def largest(self):
        """Magnitude of the largest block mean, ndarray of shape (n_replications,)."""
        return largest_magnitude(self.block_means)

    @cached_property
    def block_moments(self):
        """What the tests need of the residuals beyond their block means."""
        return BlockMoments(
            1.0, self.n_test, 0.0, self.block_means, self.within, cubes=None
        )

    def _of_splits(self, splits, is_half):
        return {
            "block_means": self.block_means[:, splits],
            "block_squares": self.block_squares[:, splits],
            "group_cells": _cells_of(self.group_cells, splits),
            "example_sums": None if is_half else self.example_sums,
        }

    @property
    def n_runs(self):
        """How often each example is tested in a (repeated) K-fold, int."""
        return self.design.n_repeats

    @cached_property
    def _rows_of_runs(self):
        """The cells of each group, ndarray of shape (n_groups, n_runs)."""
        _, groups, runs, _ = self.group_cells
        if self.n_runs == 1:
            return np.arange(len(groups))[:, np.newaxis]
        return np.lexsort((groups, runs)).reshape(self.n_runs, -1).T

    def _moments_without_groups(self):
        if self.example_sums is None:
            raise invalid_words(
                "residuals",
                "made by replicate_losses of a (repeated) K-fold, which keeps moments "
                "of examples",
                f"{self.design} without",
                hint="Or use a test without them, such as one with "
                "correct_skewness=False on one K-fold.",
            )
        runs = (self.n_replications, self.n_runs, -1)
        sizes = self.n_test.reshape(self.n_runs, -1)
        n = int(sizes[0].sum())
        blocks = self.block_means.reshape(runs)
        means = np.sum(sizes * blocks, axis=-1) / n
        between = np.sum(sizes * (blocks - means[..., np.newaxis]) ** 2, axis=(1, 2))
        squares, cubes = self.example_sums.T[:2]
        return ExampleMoments(
            scale=np.ones(self.n_replications),
            n_examples=n,
            n_runs=self.n_runs,
            mean=means.mean(axis=-1),
            squares=squares,
            cubes=cubes,
            run_squares=(self.within.sum(axis=-1) + between) / self.n_runs,
            run_variance=means.var(axis=-1, ddof=min(1, self.n_runs - 1)),
        )

    def count_different(self, where=...):
        """Return how many examples differ from their median; see CVResiduals."""
        if self.groups is not None:
            return super().count_different(where)
        return self.example_sums[where, 2]

    def structure(self) -> CovarianceStructure:
        """Estimate the covariances of the residuals from all samples.

        Returns
        -------
        structure : CovarianceStructure
            Unbiased estimates of σ², ω and γ; its `rho` is the true ρ of the tests, up
            to Monte-Carlo error.

        Raises
        ------
        ValueError
            If the design is no K-fold of equal blocks, or there is one sample only.
        """
        m = self._block_size("structure")
        if self.n_replications < 2:
            raise ValueError("structure needs at least 2 samples; got 1.")
        shift = self.estimates.mean()
        means = self.block_means - shift
        squares = self.within + m * means**2
        return structure_of_block_sums(squares.sum(axis=1), m * means, m)

    @property
    def rho_error(self):
        """Monte-Carlo standard error of `structure().rho` (delta method), float.

        Reliable from about 50 samples on; with heavy tails, where a few samples
        dominate, it takes more.
        """
        structure = self.structure()
        n, m = structure.n_samples, structure.block_size
        sums = m * (self.block_means - self.estimates.mean())
        total = sums.sum(axis=1) ** 2
        theta, gamma = total / n**2, (total - np.sum(sums**2, axis=1)) / (n * (n - m))
        deviation = np.std(gamma - structure.rho * theta, ddof=1) / structure.theta
        return float(deviation / np.sqrt(self.n_replications))

    def variance_estimates(self) -> VarianceEstimates:
        """Estimate the variance of the mean in five ways in every sample.

        Returns
        -------
        estimates : VarianceEstimates
            As :func:`.variance_estimates`, with arrays of shape
            (n_replications,).

        Raises
        ------
        ValueError
            If the design is no K-fold.
        """
        self._check_k_fold("variance_estimates")
        estimates = variances_from_blocks(
            self.block_means, self.within.sum(axis=1), self.n_test
        )
        shape = (self.n_replications,)
        return VarianceEstimates(*(np.broadcast_to(e, shape) for e in estimates))

    def _check_k_fold(self, what):
        if self.design.kind != "k-fold":
            raise ValueError(f"{what} needs residuals of a K-fold; got {self.design}.")

    def _block_size(self, what):
        self._check_k_fold(what)
        sizes = np.unique(self.n_test)
        if len(sizes) > 1:
            raise ValueError(f"{what} needs blocks of one size; got {sizes.tolist()}.")
        return int(sizes[0])

    def template(self) -> CVResiduals:
        """Return residuals of one sample, all zero, of the same design and sizes.

        Returns
        -------
        residuals : CVResiduals
            One value per split.
        """
        n_splits = len(self.n_test)
        return CVResiduals(
            values=np.zeros(n_splits),
            row_split=np.arange(n_splits),
            n_train=self.n_train,
            n_test=self.n_test,
            n_samples=self.n_samples,
            design=self.design,
            names=self.names,
            per_example=False,
        )


def _cells_of(cells, splits):
    """Return the cells of a slice of splits."""
    if cells is None:
        return None
    start, stop, _ = splits.indices(int(cells.splits.max()) + 1)
    rows = (cells.splits >= start) & (cells.splits < stop)
    sizes = cells.sizes[rows]
    return GroupCells(
        cells.values[:, rows], cells.groups[rows], cells.splits[rows] - start, sizes
    )
