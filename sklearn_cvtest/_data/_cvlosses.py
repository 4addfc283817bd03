"""CVLosses: the losses of estimators over shared splits, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from numbers import Integral

import numpy as np

from .._compat import import_extra
from .._losses._metric_names import how_compared, is_mean
from .._splits._design import Design, DesignKind
from .._store._array_files import Saved
from .._typing import Any, Array, ArrayLike, DataFrame, Iterable, Self
from .._validation import check_integer, invalid, one_line
from ._hits import is_small_zero_one
from ._moments import block_sums, largest_magnitude
from ._protocol import ReadOnlyArrays, read_only
from ._residuals import CVResiduals, PairNames, checked_pairs

NOT_SAVED = {"estimators", "errors", "example_labels"}


@dataclass(frozen=True, eq=False)
class CVLosses(Saved, ReadOnlyArrays):
    """The losses of estimators over shared splits.

    Made by :func:`cross_val_losses`; holds data only and can be saved to a file that
    cannot contain executable code.

    Attributes
    ----------
    estimator_names : tuple of str
        Names of the estimators, the order of the columns.
    losses : ndarray of shape (n_rows, n_estimators)
        One row per tested example and split, ordered by split; one row per split where
        there are no values of examples. For a score, rows are minus its pseudo-values,
        whose mean over a split is minus the score. nan where a fit failed.
    row_split : ndarray of shape (n_rows,)
        The split of each row.
    row_index : ndarray of shape (n_rows,) or None
        The row of X that was tested; None without values of examples.
    n_train, n_test : ndarray of shape (n_splits,) or None
        Actual sizes of the training and test sets. These, `n_samples` and
        `split_hash` are None where they are not known, as of scores, tables, searches
        or predictions that were given.
    n_samples : int or None
        Number of examples in X.
    design : Design
        How the splits relate to each other; of estimators that have all.
    fit_time, score_time : ndarray of shape (n_splits, n_estimators)
        Seconds spent fitting, and predicting and computing losses; nan if not known.
    fit_failed : ndarray of shape (n_splits, n_estimators)
        Whether fitting or predicting failed, so that losses are `error_score`.
    split_hash : str or None
        Hash of the actual indices of all splits.
    loss_name : str
        The loss or scorer.
    metric_name : str or None
        What it measures, as this package or scikit-learn calls it, whatever the user
        does: for minus an error, it begins with `neg_`. Empty if that is not known;
        None: `loss_name` says it.
    per_example : bool
        Whether there is one row per tested example.
    is_score : bool
        Whether the values are minus a score.
    estimators : dict of str to list of estimators or None
        The fitted estimators by name, one per split (None where a fit failed); None
        unless requested. Not saved.
    groups : ndarray of shape (n_rows,) or None
        Integer code of the group of each row; None without groups.
    tested_groups : int or None
        Number of groups tested, where rows are not of examples; None without groups.
    value_range : tuple of two floats
        The smallest and largest mean loss (or minus a score) there can be.
    errors : dict of str to str or None
        Why the first of the fits of an estimator failed, by name, where one did. Not
        saved.
    cv_description : str or None
        What made the splits: the splitter with its seed, None if it is not known.
    labels_from : str or None
        A sentence on how given probabilities or decision values were made labels; None
        if they were not.
    is_weighted : bool
        Whether examples have different weights (`sample_weight`) in the means.
    rests_on : int or None
        Number of tested examples, or groups, of the rarest class that a metric needs;
        None of means over all.
    of_constant : float or None
        The loss of the best constant prediction: of the most frequent class, the mean
        or the median. None where it is not known.
    constant_models : tuple of int
        The positions of estimators that predict a constant.
    compared_by : {"difference", "ratio"} or None
        How the means of two estimators are compared; None: as the name of the loss
        says.
    few_positives : int
        The number of examples of the rarer of two classes, where so few decide what a
        metric of predicted labels shows; else 0.
    rho : float
        The ρ that the default test assumes for the metric.
    example_labels : sequence or None
        The index labels of the examples, where they were given with any: what has
        another index cannot go with them by mistake. Not saved.
    """

    estimator_names: tuple
    losses: np.ndarray
    row_split: np.ndarray
    row_index: np.ndarray | None
    n_train: np.ndarray | None
    n_test: np.ndarray | None
    n_samples: int | None
    design: Design
    fit_time: np.ndarray
    score_time: np.ndarray
    fit_failed: np.ndarray
    split_hash: str | None
    loss_name: str
    per_example: bool = True
    is_score: bool = False
    estimators: dict | None = field(default=None, repr=False)
    cv_description: str | None = None
    groups: np.ndarray | None = None
    value_range: tuple = (-np.inf, np.inf)
    errors: dict | None = field(default=None, repr=False)
    labels_from: str | None = None
    is_weighted: bool = False
    tested_groups: int | None = None
    rests_on: int | None = None
    of_constant: float | None = None
    constant_models: tuple = ()
    metric_name: str | None = None
    compared_by: str | None = None
    few_positives: int = 0
    rho: float = 1 / 3
    example_labels: Any = field(default=None, repr=False)

    @classmethod
    def from_values(
        cls,
        names: Iterable[str],
        losses: Array,
        layout: Any,
        *,
        row_index: Array | None = None,
        **fields: Any,
    ) -> Self:
        """Make losses of what was not fitted here: scores of splits, or of examples.

        Parameters
        ----------
        names : iterable of str
            The estimators.
        losses : ndarray of shape (n_rows, n_estimators)
            One row for each split; with `row_index`, for each of its test examples.
        layout : object
            The layout of the splits.
        row_index : ndarray of shape (n_rows,), default=None
            The example of each row.
        **fields : dict
            Other fields, instead of splits that follow each other, times that are not
            known and fits that did not fail.

        Returns
        -------
        losses : CVLosses
            The losses, with values per example if `row_index` is given.
        """
        row_split = fields.pop("row_split", np.arange(len(losses)))
        unknown = np.full((int(row_split[-1]) + 1, losses.shape[1]), np.nan)
        unfitted = {
            "fit_time": unknown,
            "score_time": unknown,
            "fit_failed": np.zeros(unknown.shape, dtype=bool),
            "per_example": row_index is not None,
        }
        return cls(
            estimator_names=tuple(names),
            losses=losses,
            row_split=row_split,
            row_index=row_index,
            **layout._asdict() | unfitted | fields,
        )

    def __repr__(self):
        names = one_line(", ".join(self.estimator_names))
        return (
            f"<CVLosses of {names}: {len(self.losses)} rows, {self.design}, "
            f"{self.loss_name}>"
        )

    @cached_property
    def block_losses(self) -> Array:
        """Mean loss of each split, ndarray of shape (n_splits, n_estimators)."""
        if not self.per_example:
            return self.losses
        sums = block_sums(self.losses, self.row_split, len(self.n_test))
        return read_only(sums / np.reshape(self.n_test, (-1, 1)))

    @property
    def n_groups(self) -> int | None:
        """Number of groups tested, int; None without groups."""
        if self.groups is None:
            return self.tested_groups
        return int(np.count_nonzero(np.bincount(self.groups)))

    @property
    def n_tested(self) -> int | None:
        """Number of different examples tested, or groups, int; None if not known.

        Without values of examples, of random subsamples, about so many.
        """
        if self.n_groups is not None:
            return self.n_groups
        if self.row_index is not None:
            if self.design.kind == DesignKind.HOLDOUT:
                return len(self.row_index)
            return int(np.count_nonzero(np.bincount(self.row_index)))
        if self.n_samples is None or self.n_test is None:
            return None
        if self.design.kind in (DesignKind.HOLDOUT, DesignKind.TIME_SERIES):
            return min(int(self.n_test.sum()), self.n_samples)
        if self.design.base_kind in (DesignKind.SUBSAMPLE, DesignKind.OTHER):
            missed = np.prod(1 - self.n_test[self.design.full] / self.n_samples)
            return round(self.n_samples * (1 - missed))
        return self.n_samples

    @property
    def is_small_zero_one(self):
        """Whether all are hits or misses of one split, few where models differ."""
        is_one = self.design.kind == DesignKind.HOLDOUT and self.per_example
        if not is_one or self.is_weighted or self.groups is not None:
            return False
        return is_small_zero_one(self.losses)

    @property
    def is_ratio_scale(self) -> bool:
        """Whether mean losses are compared by their ratio, not by their difference."""
        return (self.compared_by or how_compared(self.measured)) == "ratio"

    @property
    def size_is_unknown(self) -> bool:
        """Whether few positives show who is better, but not by how much.

        Of the error rate and the accuracy: the means of hits.
        """
        return bool(self.few_positives) and is_mean(self.measured, self.is_score)

    @cached_property
    def mean_losses(self) -> Array:
        """Mean losses of the tested examples, of shape (n_estimators,).

        Of one value per split, over splits. For paired halves, over the splits of the
        whole sample.
        """
        sizes = np.bincount(self.row_split)[self.design.full]
        return read_only(np.average(self.block_losses[self.design.full], 0, sizes))

    def residuals(
        self, first: str | int, second: str | int | None = None
    ) -> CVResiduals:
        """Return loss(first) - loss(second), or loss(first) alone.

        Parameters
        ----------
        first : str or int
            Name or position of an estimator.
        second : str or int, default=None
            The estimator to compare it with.

        Returns
        -------
        residuals : CVResiduals
            A positive mean says that `second` is better.

        Raises
        ------
        ValueError
            If there is no such estimator, or a fit failed and left nan: the
            message names estimator and split.
        """
        columns = [self._column("first", first)]
        if second is not None:
            columns.append(self._column("second", second))
        for column in columns:
            self.losses_of(column).check_finite()
        if second is not None:
            return self.pair_residuals([columns])[0]
        return self.losses_of(columns[0])

    def pair_residuals(self, pairs: ArrayLike) -> CVResiduals:
        """Return loss(first) - loss(second) of many pairs at once.

        Parameters
        ----------
        pairs : array-like of shape (n_pairs, 2)
            Positions of the estimators of each pair.

        Returns
        -------
        residuals : CVResiduals
            Residuals whose values have shape (n_pairs, n_rows).
        """
        first, second = checked_pairs(pairs, len(self.estimator_names)).T
        values = self._by_estimator[first]
        second_losses = self._by_estimator[second]
        values -= second_losses
        # differences hold the rounding of what they are differences of
        largest = np.maximum(self._largest[first], self._largest[second])
        magnitudes = largest_magnitude(values)
        identical = np.zeros(len(first), dtype=bool)
        if self.per_example:
            # of losses that are computed in two ways
            is_rounding = magnitudes <= 64 * np.finfo(np.float64).eps * largest
            values[is_rounding] = 0.0
            magnitudes[is_rounding] = 0.0
            identical = (magnitudes == 0) & self.tells_models_apart[first]
        low, high = self.value_range
        residuals = replace(
            self.losses_of(0),
            values=values,
            names=PairNames(self.estimator_names, first, second),
            value_range=(low - high, high - low),
            magnitude=None if self.per_example else largest,
            identical=identical,
            second_losses=second_losses if self.is_ratio_scale else None,
        )
        vars(residuals)["_largest_value"] = magnitudes  # known already
        return residuals

    @cached_property
    def _by_estimator(self):
        """The losses as rows, which are faster to subtract."""
        return np.ascontiguousarray(self.losses.T)

    @cached_property
    def tells_models_apart(self):
        """Whether equal values mean that models predict alike, (n_estimators,).

        Losses do. The values of a metric such as F1 or ROC AUC are all 0 beside a mean
        at the end of its range, whatever was predicted.
        """
        if self.rests_on is None or is_mean(self.loss_name, self.is_score):
            return np.ones(len(self.estimator_names), dtype=bool)
        return np.ptp(self._by_estimator, axis=1) > 0

    @cached_property
    def _largest(self):
        return largest_magnitude(self._by_estimator)

    def _column(self, parameter, estimator):
        names = self.estimator_names
        if isinstance(estimator, str) and estimator in names:
            return names.index(estimator)
        is_integer = isinstance(estimator, Integral)
        is_position = is_integer and not isinstance(estimator, bool)
        if is_position and estimator in range(len(names)):
            return int(estimator)
        listed = ", ".join(map(repr, names))
        allowed = f"one of {listed} or a position below {len(names)}"
        raise invalid(parameter, allowed, estimator)

    def losses_of(self, column: int) -> CVResiduals:
        """Return the losses of the estimator at a position as residuals.

        Parameters
        ----------
        column : int
            The position.

        Returns
        -------
        residuals : CVResiduals
            Its losses, which may be nan where fits failed.

        Raises
        ------
        TypeError
            If `column` is no integer.
        ValueError
            If there is no estimator at this position.
        """
        column = check_integer("column", column, 0, len(self.estimator_names) - 1)
        return CVResiduals(
            values=self.losses[:, column],
            names=(self.estimator_names[column],),
            rests_on=self._n_equal,
            **{name: getattr(self, name) for name in SHARED},
        )

    @cached_property
    def _n_equal(self):
        """How many values bound a mean if all are equal, 0 if that is not known."""
        if self.rests_on is not None:
            return self.rests_on
        is_known = self.per_example or is_mean(self.measured, self.is_score)
        return int(self.n_tested or 0) * is_known

    def _to_parts(self):
        header = {}
        arrays = {}
        for attribute in fields(self):
            value = getattr(self, attribute.name)
            if attribute.name in NOT_SAVED:
                continue
            if isinstance(value, np.ndarray):
                arrays[attribute.name] = value
            else:
                header[attribute.name] = value
        header["design"] = self.design.to_dict()
        return header, arrays

    @classmethod
    def _of_parts(cls, path, header, arrays):
        values = dict.fromkeys(attribute.name for attribute in fields(cls))
        values |= header
        values |= arrays
        values["estimator_names"] = tuple(header["estimator_names"])
        values["design"] = Design(**header["design"])
        values["value_range"] = tuple(header["value_range"])
        values["constant_models"] = tuple(values["constant_models"] or ())
        values["few_positives"] = int(values["few_positives"] or 0)
        return cls(**values)

    def failed_splits(self) -> dict[str, list[int]]:
        """Return the splits whose losses are not finite, by estimator.

        Returns
        -------
        failed : dict of str to list of int
            Only estimators that have such splits.
        """
        has_failed = ~np.isfinite(self.block_losses)
        failed = {}
        for column, name in enumerate(self.estimator_names):
            splits = np.flatnonzero(has_failed[:, column]).tolist()
            if splits:
                failed[name] = splits
        return failed

    def to_frame(self) -> DataFrame:
        """Return the losses as a pandas DataFrame, a row per tested example.

        Returns
        -------
        frame : pandas.DataFrame
            Columns "split", "index" (the row of X, where known), "group" (its
            code, where there are groups), and one per estimator, nan where it was not
            fitted.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pd = import_extra("pandas", "CVLosses.to_frame")
        columns = {"split": self.row_split}
        if self.row_index is not None:
            columns["index"] = self.row_index
        if self.groups is not None:
            columns["group"] = self.groups
        columns = pd.DataFrame(columns)
        losses = pd.DataFrame(self.losses, columns=list(self.estimator_names))
        return pd.concat([columns, losses], axis=1)


# What the residuals of an estimator have as its losses have it.
SHARED = {attribute.name for attribute in fields(CVLosses)}
SHARED &= {attribute.name for attribute in fields(CVResiduals)}
SHARED -= {"rests_on"}
