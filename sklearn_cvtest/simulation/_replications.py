"""What is kept of many cross-validated samples: sums over each test set."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from .._data._clusters import cluster_sums
from .._data._covariance import structure_of_block_sums
from .._data._files import damaged, load_arrays, save_arrays
from .._data._repeats import (
    ExampleMoments,
    count_different,
    example_moments,
    rows_by_example,
)
from .._data._residuals import CVResiduals, GroupCells, ReadOnlyArrays
from .._data._variance import (
    BlockMoments,
    VarianceEstimates,
    largest_magnitude,
    variances_from_blocks,
)
from .._inference._student import ROUNDING
from .._splits._design import Design
from .._validation import invalid, invalid_words

__all__ = [
    "ReplicatedResiduals",
    "Replications",
    "block_products",
    "example_sums",
]

# The designs in which every example of the sample is tested equally often.
EXAMPLE_DESIGNS = ("k-fold", "repeated k-fold", "5x2")


def block_products(losses):
    """Return Σ_i of the products of two columns, for every pair a <= b of columns."""
    return (losses.T @ losses)[np.triu_indices(losses.shape[1])]


def example_sums(losses, tests, design, groups=None):
    """Return, of every pair of columns, what tests need of single examples.

    Of the difference of the columns (one column, for a pair of the same), averaged per
    example over repeats: sums of the second and third powers of the deviations from its
    mean, and how many differ from the median. An array of shape (n_pairs, 3); without
    rows if the design is no K-fold, or there are groups.

    Parameters
    ----------
    losses : list of ndarray of shape (n_test, n_estimators)
        The losses of each split.
    tests : list of ndarray of shape (n_test,)
        The examples tested in each split.
    design : Design
        Of paired halves, the run on the whole sample is used.
    groups : ndarray of shape (n_samples,), default=None
        Groups of the examples: single ones then tell nothing.
    """
    run, base, _ = design.runs()[0]
    if base.kind not in EXAMPLE_DESIGNS or groups is not None:
        return np.empty((0, 3))
    rows = rows_by_example(np.concatenate(tests[run]))
    averages = np.concatenate(losses[run])[rows].mean(axis=1).T
    first, second = np.triu_indices(len(averages))
    pairs = averages[first] - np.where((first == second)[:, None], 0, averages[second])
    deviations = pairs - pairs.mean(axis=1, keepdims=True)
    squares, cubes = np.sum(deviations**2, axis=1), np.sum(deviations**3, axis=1)
    return np.stack([squares, cubes, count_different(pairs)], axis=1)


@dataclass(frozen=True, eq=False)
class Replications(ReadOnlyArrays):
    """Block statistics of estimators over many independent samples.

    Made by :func:`replicate_losses`. Of each split of each sample it holds the sums of
    the losses, of their squares and of their products, and of each sample a few sums
    over examples, which is all that the tests of this package need; not the losses.

    Attributes
    ----------
    estimator_names : tuple of str
        The E estimators.
    block_sums : ndarray of shape (n_replications, n_splits, n_estimators)
        Sum of the losses over the test set; nan where a fit failed.
    block_products : ndarray of shape (n_replications, n_splits, E (E + 1)/2)
        Sum of the products of two losses, for pairs of estimators in the order (0, 0),
        (0, 1), …, (1, 1), ….
    example_sums : ndarray of shape (n_replications, E (E + 1)/2, 3)
        Of the difference of each of these pairs (of one estimator, its loss), averaged
        per example over repeats: the sums of the second and of the third powers of the
        deviations from its mean, and how many examples differ from the median. Without
        pairs where examples are not all tested equally often.
    n_train, n_test : ndarray of shape (n_splits,)
        Sizes of the training and test sets, the same in all samples.
    n_samples : int
        Size of each sample.
    design : Design
        How the splits relate to each other.
    loss_name : str
        The loss.
    seed : int
        What all samples follow from.
    cell_sums : ndarray of shape (n_replications, n_cells, n_estimators) or None
        Sum of the losses of each group in each test set (of repeated K-fold: in each
        run), which tests of groups need; None without groups.
    cell_groups, cell_splits, cell_sizes : ndarray of shape (n_cells,) or None
        The group and the split (run) of each such sum, and its number of examples.
    """

    estimator_names: tuple
    block_sums: np.ndarray
    block_products: np.ndarray
    example_sums: np.ndarray
    n_train: np.ndarray
    n_test: np.ndarray
    n_samples: int
    design: Design
    loss_name: str
    seed: int
    cell_sums: np.ndarray | None = None
    cell_groups: np.ndarray | None = None
    cell_splits: np.ndarray | None = None
    cell_sizes: np.ndarray | None = None

    def __repr__(self):
        return (
            f"<Replications of {', '.join(self.estimator_names)}: "
            f"{self.n_replications} samples of {self.n_samples}, {self.design}, "
            f"{self.loss_name}>"
        )

    @property
    def n_replications(self):
        """Number of samples, int."""
        return len(self.block_sums)

    def residuals(self, first=0, second=None):
        """Return block statistics of loss(first) - loss(second), or loss(first) alone.

        Parameters
        ----------
        first : str or int, default=0
            Name or position of an estimator.
        second : str or int, default=None
            The estimator to compare it with.

        Returns
        -------
        residuals : ReplicatedResiduals
            Without the samples in which a fit failed.

        Raises
        ------
        ValueError
            If there is no such estimator, or no sample is left.
        """
        chosen = [self._column("first", first)]
        if second is not None:
            chosen.append(self._column("second", second))
        names = [self.estimator_names[column] for column in chosen]
        weights = np.zeros(len(self.estimator_names))
        np.add.at(weights, chosen, [1, -1][: len(chosen)])
        rows, columns = np.triu_indices(len(weights))
        twice = np.where(rows == columns, 1, 2)
        used = weights != 0
        pairs = used[rows] & used[columns]
        sums = self.block_sums[..., used] @ weights[used]
        squares = (
            self.block_products[..., pairs]
            @ (twice * weights[rows] * weights[columns])[pairs]
        )
        finite = np.isfinite(sums).all(axis=1) & np.isfinite(squares).all(axis=1)
        if not finite.any():
            raise ValueError(f"A fit of {' or '.join(names)} failed in every sample.")
        cells = None
        if self.cell_sums is not None:
            means = (self.cell_sums[..., used] @ weights[used]) / self.cell_sizes
            parts = self.cell_groups, self.cell_splits, self.cell_sizes
            cells = GroupCells(means[finite], *parts)
        return ReplicatedResiduals(
            group_cells=cells,
            block_means=(sums / self.n_test)[finite],
            block_squares=np.maximum(squares, 0)[finite],
            example_sums=self._example_sums(chosen, finite),
            n_train=self.n_train,
            n_test=self.n_test,
            n_samples=self.n_samples,
            design=self.design,
            names=tuple(names),
            loss_name=self.loss_name,
        )

    def _example_sums(self, chosen, finite):
        """Return those of a pair of columns, None if there are none."""
        if not self.example_sums.shape[1]:
            return None
        first, second = min(chosen), max(chosen)
        pairs = np.stack(np.triu_indices(len(self.estimator_names)), axis=1)
        pair = np.flatnonzero(np.all(pairs == (first, second), axis=1))[0]
        if chosen[0] == chosen[-1] and len(chosen) == 2:  # no difference
            return np.zeros((np.count_nonzero(finite), 3))
        sign = 1 if chosen[0] == first else -1
        return self.example_sums[finite, pair] * [1, sign, 1]

    def _column(self, parameter, estimator):
        names = self.estimator_names
        if isinstance(estimator, str) and estimator in names:
            return names.index(estimator)
        if type(estimator) is int and estimator in range(len(names)):
            return estimator
        allowed = f"one of {', '.join(map(repr, names))} or a position of one"
        raise invalid(parameter, allowed, estimator)

    def save(self, path):
        """Write them to a file that can hold no code.

        Parameters
        ----------
        path : str or os.PathLike
            The file, replaced if it exists. An npz archive without pickles, with a
            JSON header.
        """
        header = {
            "estimator_names": list(self.estimator_names),
            "n_samples": self.n_samples,
            "design": self.design.to_dict(),
            "loss_name": self.loss_name,
            "seed": str(self.seed),  # may be above what JSON readers take
        }
        names = _ARRAYS if self.cell_sums is None else (*_ARRAYS, *_CELLS)
        arrays = {name: getattr(self, name) for name in names}
        save_arrays(path, "Replications", header, arrays)

    @classmethod
    def load(cls, path):
        """Read what :meth:`save` wrote.

        Parameters
        ----------
        path : str or os.PathLike
            The file.

        Returns
        -------
        replications : Replications
            The same.

        Raises
        ------
        ValueError
            If it is not such a file, or damaged.
        """
        header, arrays = load_arrays(path, "Replications")
        try:
            header["design"] = Design(**header["design"])
            header["seed"] = int(header["seed"])
            header["estimator_names"] = tuple(header["estimator_names"])
            loaded = cls(**header, **arrays)
            loaded._check_shapes()
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise damaged(path, "Replications", error) from None
        return loaded

    def _check_shapes(self):
        n_estimators, n_splits = len(self.estimator_names), len(self.n_test)
        blocks = (self.n_replications, n_splits)
        n_pairs = n_estimators * (n_estimators + 1) // 2
        fits = (
            self.block_sums.shape == (*blocks, n_estimators)
            and self.block_products.shape == (*blocks, n_pairs)
            and self.example_sums.shape
            in [(blocks[0], pairs, 3) for pairs in (0, n_pairs)]
            and self.n_train.shape == (n_splits,)
            and self.design.n_total in (None, n_splits)
            and all(getattr(self, name).dtype.kind in "iuf" for name in _ARRAYS)
            and self._cells_fit()
        )
        if not fits:
            raise ValueError("its arrays do not fit together")

    def _cells_fit(self):
        cells = [getattr(self, name) for name in _CELLS]
        if all(part is None for part in cells):
            return True
        sums, groups, splits, sizes = cells
        shape = (self.n_replications, len(sizes), len(self.estimator_names))
        return (
            sums.shape == shape
            and groups.shape == splits.shape == sizes.shape
            and sums.dtype.kind == "f"
            and all(part.dtype.kind in "iu" for part in cells[1:])
            and groups.min() >= 0
            and np.array_equal(np.bincount(splits, sizes), self._tested_in_cells())
        )

    def _tested_in_cells(self):
        """Return how many examples are tested in each split, or run of several."""
        n_repeats = self.design.n_repeats
        if n_repeats == 1:
            return self.n_test
        return self.n_test.reshape(n_repeats, -1).sum(axis=1)


_ARRAYS = ("block_sums", "block_products", "example_sums", "n_train", "n_test")
_CELLS = ("cell_sums", "cell_groups", "cell_splits", "cell_sizes")


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


@dataclass(frozen=True, eq=False)
class ReplicatedResiduals(ReadOnlyArrays):
    """Block statistics of the residuals of many independent samples.

    Made by :meth:`Replications.residuals`; what :class:`~sklearn_cvtest.CVResiduals` is
    for one sample.

    Attributes
    ----------
    block_means : ndarray of shape (n_replications, n_splits)
        Mean residual of each split.
    block_squares : ndarray of shape (n_replications, n_splits)
        Sum of the squared residuals of each split.
    example_sums : ndarray of shape (n_replications, 3) or None
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

    def __repr__(self):
        return (
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
    def values(self):
        """None: single residuals are not kept."""
        return None

    @property
    def groups(self):
        """Group of each cell, ndarray of shape (n_cells,); None without groups."""
        return None if self.group_cells is None else self.group_cells.groups

    @property
    def n_groups(self):
        """Number of groups, int; None without groups."""
        if self.groups is None:
            return None
        return int(np.count_nonzero(np.bincount(self.groups)))

    def group_means(self):
        """Return the mean of each group, as residuals of so many groups.

        Returns
        -------
        residuals : ReplicatedResiduals
            With one cell for each group.

        Raises
        ------
        ValueError
            If there are no groups.
        """
        if self.group_cells is None:
            raise invalid("groups", "given for means of groups", None)
        values, groups, runs, sizes = self.group_cells
        if self.n_runs > 1:
            ones = np.ones(len(groups), dtype=np.intp)
            return replace(self, group_cells=GroupCells(values, groups, runs, ones))
        _, codes = np.unique(groups, return_inverse=True)
        totals = np.bincount(codes, sizes)
        each = np.arange(len(totals))
        means = cluster_sums(values * sizes, codes) / totals
        cells = GroupCells(means, each, each, np.ones(len(each), dtype=np.intp))
        return replace(self, group_cells=cells)

    def cells(self):
        """Return what tests of groups are computed from.

        Returns
        -------
        cells : GroupCells
            Values, and for each its group, its split and how many residuals it is the
            mean of.
        """
        return self.group_cells

    @property
    def magnitude(self):
        """None, as in CVResiduals."""
        return None

    @property
    def per_example(self):
        """True: their squares are known."""
        return True

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

    def runs(self):
        """Return the runs of paired halves, each as residuals of its own.

        Returns
        -------
        full : ReplicatedResiduals
            The run on the whole samples. For other designs, the residuals unchanged.
        halves : list of (ReplicatedResiduals, ReplicatedResiduals)
            The runs on each pair of disjoint halves; empty for other designs.
        """
        runs = self.design.runs()
        if len(runs) == 1:
            return self, []
        runs = [self._run(*run) for run in runs]
        return runs[0], list(zip(runs[1::2], runs[2::2], strict=True))

    def _run(self, splits, design, is_half):
        return replace(
            self,
            block_means=self.block_means[:, splits],
            block_squares=self.block_squares[:, splits],
            n_train=self.n_train[splits],
            n_test=self.n_test[splits],
            n_samples=self.n_samples // 2 if is_half else self.n_samples,
            design=design,
            group_cells=_cells_of(self.group_cells, splits),
            example_sums=None if is_half else self.example_sums,
        )

    @property
    def n_runs(self):
        """How often each example is tested in a (repeated) K-fold, int."""
        return self.design.n_repeats

    @cached_property
    def example_moments(self):
        """Moments of the residuals averaged per example over repeats.

        With groups, of their sums, each over the mean size of a group.
        """
        if self.group_cells is not None:
            return self._of_groups[0]
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
        squares, cubes, _ = self.example_sums.T
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

    def count_different(self, where=None):
        """Return how many examples differ from their median, averaged over repeats.

        Parameters
        ----------
        where : array-like of bool, default=None
            Which samples to look at. None: all.

        Returns
        -------
        n_different : ndarray
            Of the samples looked at.
        """
        where = ... if where is None else where
        if self.group_cells is not None:
            return count_different(self._of_groups[1][where])
        return self.example_sums[where, 2]

    @cached_property
    def _of_groups(self):
        """Moments and values of groups, as those of CVResiduals."""
        values, groups, runs, sizes = self.group_cells
        _, codes = np.unique(groups, return_inverse=True)
        if self.n_runs == 1:
            runs = np.zeros_like(codes)
        of_groups = []
        for run in range(self.n_runs):
            inside, size = runs == run, sizes[runs == run]
            of_run = values[:, inside]
            means = (of_run @ size / size.sum())[:, np.newaxis]
            sums = cluster_sums((of_run - means) * size, codes[inside])
            of_groups.append(means + sums * (sums.shape[-1] / size.sum()))
        return example_moments(np.stack(of_groups, axis=-1))

    def structure(self):
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

    def variance_estimates(self):
        """Estimate the variance of the mean in five ways in every sample.

        Returns
        -------
        estimates : VarianceEstimates
            As :func:`~sklearn_cvtest.variance_estimates`, with arrays of shape
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

    def template(self):
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
