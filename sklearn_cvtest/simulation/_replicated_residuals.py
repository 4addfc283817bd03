"""ReplicatedResiduals: what tests are given of many samples at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._data import _moments
from .._data._protocol import Residuals
from .._inference._student import ROUNDING
from .._splits._design import Design, DesignKind
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
    example_squares : ndarray of shape (n_replications,) or None
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
    metric_name : str or None
        What it measures; None: `loss_name` says it.
    """

    block_means: np.ndarray
    block_squares: np.ndarray
    n_train: np.ndarray
    n_test: np.ndarray
    n_samples: int
    design: Design
    names: tuple = ()
    loss_name: str = ""
    metric_name: str | None = None
    example_squares: np.ndarray | None = None

    # single residuals are not kept, but their squares are known; there are no groups
    values = row_index = magnitude = groups = None
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
    def within(self):
        """Sum of squared deviations from the block mean, of the shape of the means."""
        within = self.block_squares - self.n_test * self.block_means**2
        # less than the sum of squares can tell is rounding
        return np.where(within > ROUNDING * self.block_squares, within, 0)

    @property
    def n_values(self):
        """Number of residuals of a sample, int."""
        return int(self.n_test.sum())

    @cached_property
    def largest(self):
        """Magnitude of the largest block mean, ndarray of shape (n_replications,)."""
        return _moments.largest_magnitude(self.block_means)

    @cached_property
    def block_moments(self):
        """What the tests need of the residuals beyond their block means."""
        return _moments.BlockMoments(
            1.0, self.n_test, 0.0, self.block_means, self.within, cubes=None
        )

    def _of_splits(self, splits, is_half):
        return {
            "block_means": self.block_means[:, splits],
            "block_squares": self.block_squares[:, splits],
            "example_squares": None if is_half else self.example_squares,
        }

    @property
    def n_runs(self):
        """How often each example is tested in a (repeated) K-fold, int."""
        return self.design.n_repeats

    def _moments_without_groups(self):
        if self.example_squares is None:
            allowed = "made by replicate_losses of a (repeated) K-fold, which keeps "
            allowed = f"{allowed}moments of examples"
            raise invalid_words("residuals", allowed, f"{self.design} without")
        runs = (self.n_replications, self.n_runs, -1)
        sizes = self.n_test.reshape(self.n_runs, -1)
        n = int(sizes[0].sum())
        blocks = self.block_means.reshape(runs)
        means = np.sum(sizes * blocks, axis=-1) / n
        between = np.sum(sizes * (blocks - means[..., np.newaxis]) ** 2, axis=(1, 2))
        return _moments.ExampleMoments(
            scale=np.ones(self.n_replications),
            n_examples=n,
            n_runs=self.n_runs,
            mean=means.mean(axis=-1),
            squares=self.example_squares,
            cubes=None,
            run_squares=(self.within.sum(axis=-1) + between) / self.n_runs,
            run_variance=means.var(axis=-1, ddof=min(1, self.n_runs - 1)),
        )

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
        squares, sums = _about_true_mean(self, m)
        return structure_of_block_sums(squares, sums, m)

    @property
    def rho_error(self):
        """Monte-Carlo standard error of `structure().rho` (delta method), float.

        Reliable from about 50 samples on; with heavy tails, where a few samples
        dominate, it takes more.
        """
        structure = self.structure()
        shares = contributions(self)
        gamma = shares[2] / (1 - 1 / structure.n_splits)
        errors = (gamma - structure.rho * shares.sum(axis=0)) / structure.theta
        return float(np.std(errors, ddof=1) / np.sqrt(self.n_replications))

    def variance_estimates(self) -> _moments.VarianceEstimates:
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
        estimates = _moments.variances_from_blocks(
            self.block_means, self.within.sum(axis=1), self.n_test
        )
        shape = (self.n_replications,)
        return _moments.VarianceEstimates(
            *(np.broadcast_to(e, shape) for e in estimates)
        )

    def _check_k_fold(self, method):
        if self.design.kind != DesignKind.K_FOLD:
            raise ValueError(
                f"{method} needs residuals of a K-fold; got {self.design}."
            )

    def _block_size(self, method):
        self._check_k_fold(method)
        sizes = np.unique(self.n_test)
        if len(sizes) > 1:
            raise ValueError(
                f"{method} needs blocks of one size; got {sizes.tolist()}."
            )
        return int(sizes[0])


def contributions(residuals):
    """Return the shares of each sample in σ²/n, (m-1)ω/n and (n-m)γ/n, (3, R).

    Each is Σ e_i e_j/n² over the pairs, with e about the true mean.
    """
    squares, sums = _about_true_mean(residuals, residuals.n_test[0])
    totals = sums.sum(axis=1) ** 2
    products = np.sum(sums**2, axis=1)
    terms = squares, products - squares, totals - products
    return np.array(terms) / residuals.n_samples**2


def _about_true_mean(residuals, m):
    """Return sums of squares (R,) and block sums (R, K) of deviations from the mean."""
    means = residuals.block_means - residuals.estimates.mean()
    return (residuals.within + m * means**2).sum(axis=1), m * means
