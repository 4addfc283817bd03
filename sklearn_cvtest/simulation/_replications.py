"""What is kept of many cross-validated samples: sums over each test set."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._data._protocol import ReadOnlyArrays, rows_by_example
from .._splits._design import Design
from .._store._array_files import Saved
from .._validation import invalid, one_line
from ._replicated_residuals import ReplicatedResiduals

ARRAYS = "block_sums", "block_products", "example_squares", "n_train", "n_test"


def block_products(losses):
    """Return Σ_i of the products of two columns, for every pair a <= b of columns."""
    return (losses.T @ losses)[np.triu_indices(losses.shape[1])]


def example_squares(losses, tests, design):
    """Return, of every pair of columns, the sum of squares that a mean needs.

    For the difference of the columns (one column, for a pair of the same), averaged per
    example over repeats: the sum of the squared deviations from its mean. An array of
    shape (n_pairs,); empty if the design is no K-fold.

    Parameters
    ----------
    losses : list of ndarray of shape (n_test, n_estimators)
        The losses of each split.
    tests : list of ndarray of shape (n_test,)
        The examples tested in each split.
    design : Design
        The design; for paired halves, the run on the whole sample is used.
    """
    run, base, _ = design.runs()[0]
    if not base.kind.is_made_of_folds:
        return np.empty(0)
    rows = rows_by_example(np.concatenate(tests[run]))
    averages = np.concatenate(losses[run])[rows].mean(axis=1).T
    first, second = np.triu_indices(len(averages))
    pairs = averages[first] - np.where((first == second)[:, None], 0, averages[second])
    deviations = pairs - pairs.mean(axis=1, keepdims=True)
    return np.sum(deviations**2, axis=1)


@dataclass(frozen=True, eq=False)
class Replications(Saved, ReadOnlyArrays):
    """Block statistics of estimators over many independent samples.

    Made by :func:`replicate_losses`. For each split of each sample it holds the sums of
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
    example_squares : ndarray of shape (n_replications, E (E + 1)/2)
        For the difference of each of these pairs (for one estimator, its loss),
        averaged per example over repeats: the sum of the squared deviations from its
        mean. Without pairs where examples are not all tested equally often.
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
    """

    estimator_names: tuple
    block_sums: np.ndarray
    block_products: np.ndarray
    example_squares: np.ndarray
    n_train: np.ndarray
    n_test: np.ndarray
    n_samples: int
    design: Design
    loss_name: str
    seed: int

    def __repr__(self):
        return one_line(
            f"<Replications of {', '.join(self.estimator_names)}: "
            f"{self.n_replications} samples of {self.n_samples}, {self.design}, "
            f"{self.loss_name}>"
        )

    @property
    def n_replications(self) -> int:
        """Number of samples, int."""
        return len(self.block_sums)

    def residuals(
        self, first: str | int = 0, second: str | int | None = None
    ) -> ReplicatedResiduals:
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
        i = chosen[0]
        j = chosen[-1]
        products = self.block_products
        sums = self.block_sums[..., i]
        squares = products[..., self._pair(i, i)]
        if second is not None:
            sums = sums - self.block_sums[..., j]
            squares = squares + products[..., self._pair(j, j)]
            squares = squares - 2 * products[..., self._pair(i, j)]
        finite = np.isfinite(sums).all(axis=1) & np.isfinite(squares).all(axis=1)
        if not finite.any():
            raise ValueError(
                "`estimators` must be able to fit the samples. A fit of "
                f"{' or '.join(names)} failed in every sample."
            )
        examples = None
        if self.example_squares.shape[1]:
            examples = self.example_squares[finite, self._pair(i, j)]
            if second is not None and i == j:  # no difference
                examples = np.zeros_like(examples)
        return ReplicatedResiduals(
            block_means=(sums / self.n_test)[finite],
            block_squares=np.maximum(squares, 0)[finite],
            example_squares=examples,
            n_train=self.n_train,
            n_test=self.n_test,
            n_samples=self.n_samples,
            design=self.design,
            names=tuple(names),
            loss_name=self.loss_name,
        )

    def _pair(self, *columns):
        """Return the place of the products of two columns."""
        pairs = np.column_stack(np.triu_indices(len(self.estimator_names)))
        return pairs.tolist().index(sorted(columns))

    def _column(self, parameter, estimator):
        names = self.estimator_names
        if isinstance(estimator, str) and estimator in names:
            return names.index(estimator)
        if type(estimator) is int and estimator in range(len(names)):
            return estimator
        allowed = f"one of {', '.join(map(repr, names))} or a position of one"
        raise invalid(parameter, allowed, estimator)

    def _to_parts(self):
        header = {
            "estimator_names": list(self.estimator_names),
            "n_samples": self.n_samples,
            "design": self.design.to_dict(),
            "loss_name": self.loss_name,
            "seed": str(self.seed),  # may be above what JSON readers take
        }
        return header, {name: getattr(self, name) for name in ARRAYS}

    @classmethod
    def _of_parts(cls, path, header, arrays):
        header["design"] = Design(**header["design"])
        header["seed"] = int(header["seed"])
        header["estimator_names"] = tuple(header["estimator_names"])
        return cls(**header, **arrays)
