"""CVResiduals: the plain data on which tests are fitted.

[BG03]: Bengio & Grandvalet 2003, "No Unbiased Estimator of the Variance of K-Fold
Cross-Validation".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from .._losses._metric_names import how_compared
from .._row_labels import check_same_tables
from .._splits._design import (
    Design,
    DesignKind,
    as_design,
    as_sizes,
    known_sizes,
    runs_of_k_fold,
)
from .._splits._groups import encode_groups, has_repeated_groups
from .._typing import Array, ArrayLike, Self
from .._validation import check_real_array, invalid, invalid_words, one_line
from . import _moments
from ._protocol import Residuals, read_only, rows_by_example


@dataclass(frozen=True, eq=False)
class CVResiduals(Residuals):
    """Cross-validation residuals: the losses of one estimator, or a difference.

    With two estimators the residual of example i is e_i = loss(first) - loss(second),
    so a positive mean says that the *second* is better; with one estimator it is the
    loss. Made by :meth:`CVLosses.residuals`, or by :meth:`from_array` from an array.
    Tests are fitted on residuals.

    Attributes
    ----------
    values : ndarray of shape (n_rows,)
        The residuals, ordered by split. One per tested example and split, or
        one per split where `per_example` is False. For many pairs of estimators
        over the same splits, (n_pairs, n_rows), and `names` a list of the names of each
        pair: what is computed from them has the leading axis, too.
    row_split : ndarray of shape (n_rows,)
        The split of each row, ascending from 0.
    n_train, n_test : ndarray of shape (n_splits,) or None
        Actual sizes of the training and test sets; None if not known.
    n_samples : int or None
        Number of examples in the whole sample; None if not known.
    design : Design
        How the splits relate to each other.
    names : tuple of str
        Names of the estimators: (first, second), (first,), or ().
    per_example : bool
        Whether there is one value per tested example.
    split_hash : str or None
        Hash of the actual splits.
    loss_name : str or None
        The loss or scorer the values come from.
    metric_name : str or None
        What that measures, as :class:`CVLosses` has it.
    row_index : ndarray of shape (n_rows,) or None
        The example of each row; None if not known.
    groups : ndarray of shape (n_rows,) or None
        Integer code of the group that the example of each row belongs to; None
        without groups.
    magnitude : float or None
        Largest magnitude of what the values are differences of, below whose rounding
        errors they say nothing; None takes the largest of the values.
    value_range : tuple of two floats
        The smallest and largest mean there can be, which no interval leaves; infinite
        where there is none.
    rests_on : int or None
        How many independent examples (or groups) there are, of the rarest class that
        the metric needs; 0 if that is not known of the metric; None of arrays, whose
        metric is not known.
    identical : bool or ndarray of bool of shape (...)
        Whether two models have the same losses on all tested examples.
    compared_by : {"difference", "ratio"} or None
        How mean losses are compared; None: as the name of the loss says.
    rho : float
        The ρ that the default test assumes for the metric.
    second_losses : ndarray or None
        The losses of the second estimator where they are compared by ratio, in the
        shape of `values`; None of others.
    """

    values: np.ndarray
    row_split: np.ndarray
    n_train: np.ndarray | None
    n_test: np.ndarray | None
    n_samples: int | None
    design: Design
    names: tuple = ()
    per_example: bool = True
    split_hash: str | None = None
    loss_name: str | None = None
    row_index: np.ndarray | None = None
    groups: np.ndarray | None = None
    magnitude: float | None = None
    value_range: tuple = (-np.inf, np.inf)
    rests_on: int | None = None
    identical: np.ndarray | bool = False
    metric_name: str | None = None
    compared_by: str | None = None
    rho: float = 1 / 3
    second_losses: np.ndarray | None = None

    def __repr__(self):
        contents = f"{len(self.values)} pairs"
        if self.values.ndim == 1:
            contents = one_line(" - ".join(self.names)) or "residuals"
        return f"<CVResiduals {contents}: {self.n_values} values, {self.design}>"

    @classmethod
    def from_array(
        cls,
        e: ArrayLike,
        *,
        design: str | Design | None = None,
        n_train: int | ArrayLike | None = None,
        n_test: int | ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self:
        """Make residuals from an array.

        Parameters
        ----------
        e : array-like of shape (n_splits, m) or (n_splits,)
            Two dimensions: row k holds the residuals of the m test examples of
            split k. One dimension: one value per split, such as a difference of
            mean losses (minus the difference of scores).
        design : str or Design, default=None
            "k-fold", "repeated k-fold", "subsample", "5x2", "holdout", "crossed" (a row
            for each run) or "other"; None means K-fold.
        n_train : int or array-like of shape (n_splits,), default=None
            Sizes of the training sets. Known for a K-fold or 5x2 array of two
            dimensions; otherwise needed by the corrected resampled tests.
        n_test : int or array-like of shape (n_splits,), default=None
            Sizes of the test sets; known if `e` has two dimensions.
        groups : array-like of shape (n_splits, m), default=None
            A label for each test example, the same for those that belong together.

        Returns
        -------
        residuals : CVResiduals
            The residuals, on which any test of that design can be fitted.

        Raises
        ------
        TypeError, ValueError
            If `e` is not an array of finite numbers or the sizes do not fit it.

        Examples
        --------
        >>> from sklearn_cvtest import CVResiduals
        >>> residuals = CVResiduals.from_array([[0.1, 0.3], [0.2, 0.0]])
        >>> residuals.block_means
        array([0.2, 0.1])
        """
        tables = {"e": e, "groups": groups}
        e = check_real_array("e", e, (1, 2))
        n_splits = len(e)
        design = as_design(DesignKind.K_FOLD if design is None else design, n_splits)
        if design.kind == DesignKind.K_FOLD and n_splits < 2:
            raise invalid_words("e", "residuals of at least two blocks", "one block")
        if design.kind == DesignKind.HOLDOUT and n_splits != 1:
            raise invalid_words("e", "residuals of one split", f"{n_splits} splits")
        if e.ndim == 2:
            declared = as_sizes("n_test", n_test, n_splits)
            if declared is not None and np.any(declared != e.shape[1]):
                raise invalid("n_test", f"the number of columns, {e.shape[1]}", n_test)
            n_test = e.shape[1]
        sizes = known_sizes(design, n_splits, n_train, n_test)
        if groups is not None:
            if e.ndim == 1:
                allowed = "None for one value per split, which has no groups"
                raise invalid("groups", allowed, groups)
            codes, _ = encode_groups(groups, shape=e.shape)
            groups = codes if has_repeated_groups(codes) else None
            check_same_tables(tables)
        result = cls(
            values=e.ravel(),
            row_split=np.repeat(np.arange(n_splits), e.size // n_splits),
            design=design,
            per_example=e.ndim == 2,
            groups=groups,
            **sizes,
        )
        result.check_finite()
        return result

    def check_finite(self) -> None:
        """Check that no residual is nan or inf.

        Raises
        ------
        ValueError
            If one is; the message names the estimators and the splits.
        """
        is_finite = np.isfinite(self._largest_value)
        if is_finite.all():
            return
        if is_finite.ndim:
            self[int(np.argmin(is_finite))].check_finite()
        finite = np.isfinite(self.values)
        splits = np.unique(self.row_split[~finite]).tolist()
        pair = f" of {' and '.join(map(repr, self.names))}" if self.names else ""
        value = "nan" if np.isnan(self.values).any() else "inf"
        plural = "s" if len(splits) > 1 else ""
        raise ValueError(
            f"Residuals{pair} must be finite; got {value} in split{plural} "
            f"{', '.join(map(str, splits))}."
        )

    @cached_property
    def block_means(self) -> Array:
        """Mean residual of each split, ndarray of shape (n_splits,)."""
        if not self.per_example:
            return self.values
        values = self.values
        scale = 1.0
        if np.any(self.largest > 1e290):  # sums might overflow
            scale = np.expand_dims(_moments.power_of_two(self.largest), -1)
            values = values / scale
        sizes = self._sizes
        sums = _moments.block_sums(values, self.row_split, len(sizes), axis=-1)
        return read_only(sums / sizes * scale)

    @cached_property
    def largest(self) -> float:
        """Magnitude of the largest residual, nan or inf if one is.

        Or `magnitude`, where that is given.
        """
        return self._largest_value if self.magnitude is None else self.magnitude

    @cached_property
    def _largest_value(self):
        return _moments.largest_magnitude(self.values)

    @property
    def is_difference(self) -> bool:
        """Whether they are differences of the losses of two estimators, bool."""
        return self.values.ndim > 1 or super().is_difference

    def __getitem__(self, number):
        """Return the residuals of one of many pairs."""
        if self.values.ndim == 1:
            raise TypeError("These are the residuals of one pair.")
        magnitude = None if self.magnitude is None else self.magnitude[number]
        second_losses = self.second_losses
        return replace(
            self,
            second_losses=None if second_losses is None else second_losses[number],
            values=self.values[number],
            names=tuple(self.names[number]),
            magnitude=magnitude,
            identical=np.broadcast_to(self.identical, len(self.values))[number],
        )

    @property
    def is_ratio_scale(self) -> bool:
        """Whether they are differences of losses that are compared by ratio."""
        by = self.compared_by or how_compared(self.measured or "")
        return self.is_difference and by == "ratio"

    @property
    def n_values(self) -> int:
        """Number of residuals, int."""
        return len(self.row_split)

    @cached_property
    def spread(self):
        """The largest residual less the smallest."""
        return np.ptp(self.values, axis=-1)

    @cached_property
    def are_zero_one(self):
        """Whether all are differences of losses of 0 or 1, bool."""
        return bool(np.all(np.isin(self.values, (-1, 0, 1))))

    @cached_property
    def n_untypical(self):
        """How many values are another than the median of the first 39.

        By more than rounding.
        """
        return _moments.count_untypical(self.values, self.largest)

    def group_means(self) -> CVResiduals:
        """Return the mean of each group in each run, as residuals of so many groups.

        Returns
        -------
        residuals : CVResiduals
            With one value for each group and run.

        Raises
        ------
        ValueError
            If there are no groups, or not all examples are tested equally often.
        """
        if self.groups is None:
            raise invalid("groups", "given for means of groups", None)
        n_groups = self.n_groups
        n_runs = self.n_runs
        rows = self._rows_of_runs
        run = np.empty(rows.size, dtype=np.intp)
        run[rows] = np.arange(n_runs)
        _, group = np.unique(self.groups, return_inverse=True)
        codes = run * n_groups + group
        means = _moments.cluster_sums(self.values, codes) / np.bincount(codes)
        units = np.arange(n_groups * n_runs)
        return replace(
            self,
            values=means,
            second_losses=None,
            row_split=units,
            row_index=units % n_groups,
            groups=units % n_groups,
            n_train=None,
            n_test=np.ones_like(units),
            n_samples=n_groups,
            design=runs_of_k_fold(n_groups, n_runs),
            split_hash=None,
        )

    @cached_property
    def block_moments(self):
        """What the tests need to know about the residuals besides their block means."""
        return _moments.block_moments(self.values, self.row_split, self._largest_value)

    @cached_property
    def n_runs(self) -> int:
        """How often each example is tested in a (repeated) K-fold, int."""
        if self.design.kind == DesignKind.K_FOLD:
            return 1
        return self._rows_of_runs.shape[1]

    @cached_property
    def _rows_of_runs(self):
        """The rows of each example, ndarray of shape (n_examples, n_runs)."""
        if self.design.kind == DesignKind.K_FOLD:
            return np.arange(self.n_values)[:, np.newaxis]
        rows = rows_by_example(self.row_index)
        return rows if rows.shape[1] > 1 else np.sort(rows, axis=0)

    def _moments_without_groups(self):
        if self.n_runs > 1:
            return None
        moments = self.block_moments
        squares = moments.total_squares
        return _moments.ExampleMoments(
            scale=moments.scale,
            n_examples=self.n_values,
            n_runs=1,
            mean=moments.mean,
            squares=squares,
            cubes=moments.total_cubes,
            run_squares=squares,
            run_variance=np.nan,
        )

    @cached_property
    def _sizes(self):
        """Number of values of each split, ndarray of shape (n_splits,)."""
        ends = np.arange(int(self.row_split[-1]) + 2)
        return read_only(np.diff(np.searchsorted(self.row_split, ends)))

    @cached_property
    def moments(self):
        """The moments (s1, s2, s3) of K-fold residuals, in O(n).

        s1 is the mean of e_i^2; s2 the mean of e_i e_j over pairs within a block, s3
        over pairs of different blocks: [BG03] lemma 3. These moments lose accuracy
        where the mean of the residuals is large compared with their spread;
        :func:`.variance_estimates` does not.
        """
        check_k_fold(self, "moments")
        sums = _moments.block_sums(self.values, self.row_split, len(self._sizes))
        return _moments.quadratic_moments(self.values @ self.values, sums, self._sizes)

    def _of_splits(self, splits, is_half):
        rows = slice(None)
        if splits.stop is not None:
            rows = slice(*np.searchsorted(self.row_split, (splits.start, splits.stop)))
        return {
            "values": self.values[..., rows],
            "second_losses": rows_of(self.second_losses, rows),
            "row_split": self.row_split[rows] - (splits.start or 0),
            "row_index": None if self.row_index is None else self.row_index[rows],
            "groups": None if self.groups is None else self.groups[rows],
            "split_hash": None,
        }

    def scaled(self, first, second):
        """Return the residuals of losses that are multiplied by two factors."""
        if first == second == 1:
            return self
        if self.second_losses is None:
            allowed = "a number, as the losses of both models are not known"
            raise invalid_words("margin", allowed, "a percentage")
        return replace(
            self,
            values=first * self.values + (first - second) * self.second_losses,
            magnitude=None,
            identical=False,
        )

    def __sub__(self, other):
        """Subtract the losses of another estimator over the same splits."""
        if not isinstance(other, CVResiduals):
            return NotImplemented
        are_alike = self.split_hash is not None and self.split_hash == other.split_hash
        if not are_alike or not np.array_equal(self.groups, other.groups):
            raise ValueError(
                "Residuals can be subtracted only if they come from the same splits "
                "and have the same groups; these do not. Evaluate both estimators in "
                "one call, or with the same data, the same `groups`, the same `cv` and "
                "an integer `random_state`."
            )
        single = len(self.names) == len(other.names) == 1
        if self.loss_name != other.loss_name or not single:
            raise ValueError(
                "Only the losses of one estimator can be subtracted from the losses of "
                f"another, in the same loss; got {self!r} in {self.loss_name!r} and "
                f"{other!r} in {other.loss_name!r}."
            )
        return replace(
            self,
            values=self.values - other.values,
            second_losses=other.values,
            names=self.names + other.names,
        )


def rows_of(values, rows):
    """Return some rows of values along the last axis, None of None."""
    return None if values is None else values[..., rows]


def check_k_fold(residuals, quantity):
    """Check that residuals come from a K-fold, one per example."""
    if residuals.design.kind != DesignKind.K_FOLD:
        raise ValueError(
            f"{quantity} are defined for residuals of a K-fold; got "
            f"{residuals.design}. Use BlockKFold."
        )
    if not residuals.per_example:
        raise ValueError(
            f"{quantity} need one residual per example; got one value per split, as "
            "from `scoring` or `per_example=False`. Use a per-example `loss`."
        )


def residuals_of(array, design=DesignKind.K_FOLD):
    """Return the residuals that an array given for `residuals` stands for."""
    if design == DesignKind.K_FOLD and len(array) < 2:
        shape = f"an array of shape {array.shape}"
        raise invalid_words("residuals", "of at least two blocks", shape)
    return CVResiduals.from_array(array, design=design)


class PairNames:
    """Names of the estimators of pairs, made where they are asked for."""

    def __init__(self, names, first, second):
        self.names = names
        self.first = first
        self.second = second

    def __getitem__(self, number):
        return self.names[self.first[number]], self.names[self.second[number]]


def checked_pairs(pairs, n_estimators):
    """Return positions of pairs as an array of shape (n_pairs, 2)."""
    array = np.asarray(pairs)
    is_of_pairs = array.dtype.kind in "iu" and array.size % 2 == 0
    if not is_of_pairs or (array < 0).any() or (array >= n_estimators).any():
        allowed = f"pairs of positions, integers from 0 to {n_estimators - 1}"
        raise invalid("pairs", allowed, pairs)
    return array.astype(np.intp).reshape(-1, 2)
