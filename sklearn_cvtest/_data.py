"""Losses of models over shared splits, and residuals, on which tests are made."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Integral

import numpy as np

from ._compat import import_extra
from ._design import FIVE_BY_TWO, HOLDOUT, K_FOLD, Design, as_design
from ._metrics import UNKNOWN, Metric
from ._splits import encode_groups
from ._validation import (
    check_array,
    check_option,
    check_row_order,
    check_sizes,
    invalid,
    one_line,
)


@dataclass(frozen=True, eq=False)
class CVResiduals:
    """Cross-validation residuals: the losses of one estimator, or a difference.

    With two estimators the residual of example i is e_i = loss(first) - loss(second),
    so a positive mean says that the *second* is better; with one estimator it is the
    loss. Made by :meth:`CVLosses.residuals`, or by :meth:`from_array` from an array.
    Tests are fitted on residuals.

    Attributes
    ----------
    values : ndarray of shape (n_rows,)
        The residuals, ordered by split. One per tested example and split, or one per
        split where `per_example` is False. For many pairs of estimators, or many
        samples, over the same splits, (..., n_rows): what is computed from them has the
        leading axes, too.
    row_split : ndarray of shape (n_rows,)
        The split of each row, ascending from 0.
    design : Design
        How the splits relate to each other.
    row_index : ndarray of shape (n_rows,) or None
        The example of each row; None if not known.
    groups : ndarray of shape (n_rows,) or None
        Integer code of the group that the example of each row belongs to; None
        without groups.
    n_train, n_test : ndarray of shape (n_splits,) or None
        Actual sizes of the training and test sets; None if not known.
    per_example : bool
        Whether there is one value per tested example.
    value_range : tuple of two floats or None
        The smallest and largest mean there can be, which no interval leaves; None of
        arrays.
    largest : float or None
        Largest magnitude of what the values are differences of, below whose rounding
        errors they say nothing; None takes the largest of the values.
    names : tuple of str
        Names of the estimators: (first, second), (first,), or ().
    metric : Metric
        What is measured; of arrays, one without a name.
    n_counted : int or None
    is_part : bool
        As in :class:`CVLosses`.
    pair : tuple or None
        Of differences of losses: the losses (n_models, n_rows), and the positions of
        the first and of the second.
    """

    values: np.ndarray
    row_split: np.ndarray
    design: Design
    row_index: np.ndarray | None = None
    groups: np.ndarray | None = None
    n_train: np.ndarray | None = None
    n_test: np.ndarray | None = None
    per_example: bool = True
    value_range: tuple | None = None
    largest: np.ndarray | float | None = None
    names: tuple = ()
    metric: Metric = UNKNOWN
    n_counted: int | None = None
    is_part: bool = False
    pair: tuple | None = None

    def __repr__(self):
        names = " - ".join(self.names) or "an array"
        return one_line(f"<CVResiduals of {names}: {self.design}>")

    def __sub__(self, other):
        """Return the difference of the losses of two estimators over the same splits.

        Raises
        ------
        ValueError
            If the splits are not known or not the same, the losses are of other
            metrics, or one of the two is a difference already.
        """
        if not isinstance(other, CVResiduals):
            return NotImplemented
        if len(self.names) != 1 or len(other.names) != 1:
            raise ValueError("Only losses of one estimator over known splits subtract.")
        if self.metric.name != other.metric.name:
            raise ValueError(
                f"Residuals must be of the same loss; got {self.metric.name} and "
                f"{other.metric.name}."
            )
        is_same = self.design == other.design and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("row_split", "row_index", "n_train", "n_test", "groups")
        )
        if not is_same:
            raise ValueError("Residuals must be of the same splits and groups.")
        low, high = self.value_range
        return replace(
            self,
            values=self.values - other.values,
            largest=np.maximum(self.magnitude, other.magnitude),
            value_range=(low - high, high - low),
            names=self.names + other.names,
            pair=(np.stack([self.values, other.values]), 0, 1),
        )

    @classmethod
    def from_array(cls, e, *, design=K_FOLD, groups=None, n_train=None, n_test=None):
        """Make residuals from an array.

        Parameters
        ----------
        e : array-like of shape (n_splits, m) or (n_splits,)
            Two dimensions: row k holds the residuals of the m test examples of
            split k. One dimension: one value per split, such as a difference of
            mean losses (minus the difference of scores).
        design : str or Design, default="k-fold"
            "k-fold", "repeated k-fold", "subsample", "5x2", "holdout", "crossed" (a row
            for each run) or "other".
        groups : array-like of shape (n_splits, m), default=None
            A label for each test example, the same for those that belong together.
        n_train : int or array-like of shape (n_splits,), default=None
            Sizes of the training sets. Known for a K-fold or 5x2 array of two
            dimensions; otherwise needed by the corrected resampled tests.
        n_test : int or array-like of shape (n_splits,), default=None
            Sizes of the test sets; known if `e` has two dimensions.

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
        check_row_order(e=e, groups=groups)
        e = check_array("e", e, (1, 2))
        n_splits = len(e)
        design = as_design(design, n_splits)
        per_example = e.ndim == 2
        if per_example:
            if n_test is not None and np.any(
                check_array("n_test", n_test) != e.shape[1]
            ):
                raise invalid("n_test", f"{e.shape[1]}, the columns of `e`", n_test)
            n_test = e.shape[1]
        if n_test is not None:
            n_test = check_sizes("n_test", n_test, n_splits)
        if n_train is not None:
            n_train = check_sizes("n_train", n_train, n_splits)
        elif n_test is not None and design.kind in (K_FOLD, FIVE_BY_TWO):
            n_train = n_test[: design.n_splits].sum() - n_test
        if groups is not None:
            groups = encode_groups(np.ravel(groups), e.size)
        split = np.repeat(np.arange(n_splits), e.size // n_splits)
        residuals = cls(
            e.flatten(), split, design, None, groups, n_train, n_test, per_example
        )
        residuals.check_finite()
        return residuals

    def __getitem__(self, number):
        """Return the residuals of one of many pairs."""
        pair = self.pair
        if pair is not None:
            losses, first, second = pair
            pair = losses, first[number], second[number]
        largest = self.magnitude[number]
        return replace(self, values=self.values[number], largest=largest, pair=pair)

    def scaled(self, first, second):
        """Return the residuals where the losses of both are multiplied by factors."""
        losses, i, j = self.pair
        return replace(self, values=first * losses[i] - second * losses[j])

    def check_finite(self):
        """Check that no residual is nan or inf.

        Raises
        ------
        ValueError
            If one is; the message names the estimators and the splits.
        """
        is_bad = ~np.isfinite(self.values)
        if is_bad.any():
            rows = is_bad.reshape(-1, is_bad.shape[-1]).any(axis=0)
            splits = np.unique(self.row_split[rows])
            names = " and ".join(map(repr, self.names))
            raise ValueError(
                f"`residuals` must be finite; got {self.values[is_bad][0]} in split "
                f"{', '.join(map(str, splits))}{names and f' of {names}'}."
            )

    @cached_property
    def magnitude(self):
        """The size of the largest loss, below whose rounding values are equal."""
        if self.largest is not None:
            return np.asarray(self.largest)
        return np.abs(self.values).max(axis=-1)

    @cached_property
    def block_means(self):
        """Mean of each split, ndarray of shape (..., n_splits)."""
        if not self.per_example:
            return self.values
        starts = np.flatnonzero(np.diff(self.row_split, prepend=-1))
        sizes = np.diff(starts, append=len(self.row_split))
        return np.add.reduceat(self.values, starts, axis=-1) / sizes

    @property
    def whole_means(self):
        """The same of the splits of the whole sample, without its halves."""
        return self.block_means[..., : self.design.n_of_whole]

    @cached_property
    def n_runs(self):
        """How often each example is tested."""
        if self.design.kind in (K_FOLD, HOLDOUT):
            return 1
        return self._rows_of_runs.shape[1]

    @cached_property
    def n_groups(self):
        """Number of groups, None without groups."""
        if self.groups is None:
            return None
        return len(np.unique(self.groups))

    @cached_property
    def _rows_of_runs(self):
        """The rows of each example, ndarray of shape (n_examples, n_runs)."""
        if self.design.kind in (K_FOLD, HOLDOUT):
            return np.arange(len(self.row_split))[:, np.newaxis]
        if self.row_index is None:
            raise invalid("residuals", "of known examples for several runs", None)
        _, counts = np.unique(self.row_index, return_counts=True)
        if counts.min() != counts.max():
            raise invalid("residuals", "of the same examples in each run", None)
        return np.argsort(self.row_index, kind="stable").reshape(-1, counts[0])

    @cached_property
    def unit_runs(self):
        """Values of examples, or of groups, in each run: (..., n_units, n_runs).

        The value of a group is such that the variance of the mean of groups is that
        of the mean of examples, however alike the examples of a group are.
        """
        rows = self._rows_of_runs
        values = self.values[..., rows]
        if self.groups is None:
            return values
        _, codes = np.unique(self.groups[rows[:, 0]], return_inverse=True)
        means = values.mean(axis=-2, keepdims=True)
        sums = group_sums(np.swapaxes(values - means, -1, -2), codes)
        return means + np.swapaxes(sums, -1, -2) * (sums.shape[-1] / len(codes))

    @cached_property
    def unit_means(self):
        """The same averaged over the runs, (..., n_units)."""
        runs = self.unit_runs
        return runs[..., 0] if runs.shape[-1] == 1 else runs.mean(axis=-1)


def group_sums(values, codes):
    """Return sums of values (..., n) over groups, (..., n_groups)."""
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    return np.add.reduceat(values[..., order], starts, axis=-1)


@dataclass(frozen=True, eq=False)
class CVLosses:
    """The losses of estimators over shared splits.

    Made by :func:`cross_val_losses`; holds data only and can be saved to a file that
    cannot contain executable code.

    Attributes
    ----------
    names : tuple of str
        The E estimators.
    values : ndarray of shape (n_rows, E)
        Their losses, ordered by split: one for each tested example and split, or one
        for each split where `per_example` is False. Scores are negative losses; nan
        where a fit failed.
    row_split : ndarray of shape (n_rows,)
        The split of each row, ascending from 0.
    design : Design
        How the splits relate to each other.
    metric : Metric
        What is measured.
    row_index : ndarray of shape (n_rows,) or None
        The example of each row; None if a row is a split.
    groups : ndarray of shape (n_rows,) or None
        Integer code of the group of each row; None without groups.
    n_train, n_test : ndarray of shape (n_splits,) or None
        Sizes of the training and test sets; None if not known.
    n_samples : int or None
        Number of examples in X.
    n_groups : int or None
        Number of groups; None without groups.
    fit_time : ndarray of shape (n_splits, E) or None
        Seconds spent fitting; None if not known.
    cv_words : str
        What made the splits, in words.
    few_positives : int
        The number of examples of the rarer of two classes, where so few decide what a
        metric of predicted labels shows; else 0.
    n_counted : int or None
        The number of tested examples, or groups, of the rarest class that the metric
        needs; None of other metrics.
    is_part : bool
        Whether the examples are a part, chosen by a label.
    loss_of_constant : float or None
        The loss of the best constant prediction: of the most frequent class, the mean
        or the median. None where it is not known.
    errors : dict of str to list of str
        Why fits of an estimator failed, by name.
    estimators : dict of str to list of estimators
        The fitted estimators by name, one for each split; empty unless asked for. Not
        saved.
    constant_names : tuple of str
        The estimators that predict a constant.
    noun : str
        What one of them is called.
    """

    names: tuple
    values: np.ndarray
    row_split: np.ndarray
    design: Design
    metric: Metric
    row_index: np.ndarray | None = None
    groups: np.ndarray | None = None
    n_train: np.ndarray | None = None
    n_test: np.ndarray | None = None
    n_samples: int | None = None
    n_groups: int | None = None
    fit_time: np.ndarray | None = None
    cv_words: str = ""
    few_positives: int = 0
    n_counted: int | None = None
    is_part: bool = False
    loss_of_constant: float | None = None
    errors: dict = field(default_factory=dict)
    estimators: dict = field(default_factory=dict)
    constant_names: tuple = ()
    noun: str = "estimator"

    def __repr__(self):
        names = ", ".join(self.names)
        return one_line(f"<CVLosses of {names}: {self.metric.word}, {self.design}>")

    @property
    def per_example(self):
        """Whether there is a loss for each example."""
        return self.row_index is not None

    @cached_property
    def block_losses(self):
        """Mean loss of each split, ndarray of shape (n_splits, n_models)."""
        return self._residuals(self.values.T).block_means.T

    @property
    def has_whole_groups(self):
        """Whether no group is in two test sets of a K-fold."""
        if self.groups is None or not self.design.is_k_fold:
            return True
        cells = np.unique([self.groups, self.row_split], axis=1)
        return cells.shape[1] == self.n_groups * self.design.n_repeats

    @cached_property
    def mean_losses(self):
        """Mean loss of all tested examples, of shape (n_models,).

        Of one value a split, the mean of the splits. For paired halves, of the splits
        of the whole sample.
        """
        if not self.per_example:
            return self.block_losses[: self.design.n_of_whole].mean(axis=0)
        values = self.values
        if self.design.n_of_whole:
            values = values[self.row_split < self.design.n_of_whole]
        return values.mean(axis=0)

    @cached_property
    def ranking(self):
        """Positions of the models without failed fits, the best first."""
        order = np.argsort(self.mean_losses, kind="stable")
        return order[np.isfinite(self.mean_losses[order])]

    def residuals(self, first, second=None):
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
        columns = [self.position("first", first)]
        if second is None:
            residuals = self.single(columns)[0]
        else:
            columns.append(self.position("second", second))
            residuals = self.pairs(np.array([columns]))[0]
        names = tuple(self.names[column] for column in columns)
        residuals = replace(residuals, names=names)
        residuals.check_finite()
        return residuals

    def position(self, parameter, model):
        """Return the position of a model, which may be a name or a position."""
        if isinstance(model, Integral) and 0 <= model < len(self.names):
            return int(model)
        check_option(parameter, model, self.names)
        return self.names.index(model)

    def single(self, columns):
        """Return the losses of some models as residuals of each alone."""
        return self._residuals(self.values.T[columns])

    def pairs(self, pairs):
        """Return the differences of pairs of positions (n_pairs, 2) as residuals."""
        first, second = np.transpose(pairs)
        losses = self.values.T
        largest = np.array([np.abs(column).max() for column in losses])
        differences = losses[first] - losses[second]
        low, high = self.metric.loss_range
        return replace(
            self._residuals(differences),
            value_range=(low - high, high - low),
            largest=np.maximum(largest[first], largest[second]),
            pair=(losses, first, second),
        )

    def _residuals(self, values):
        return CVResiduals(
            values,
            self.row_split,
            self.design,
            self.row_index,
            self.groups,
            self.n_train,
            self.n_test,
            self.per_example,
            self.metric.loss_range,
            metric=self.metric,
            n_counted=self.n_counted,
            is_part=self.is_part,
        )

    def to_frame(self):
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
        pd = import_extra("pandas")

        columns = {"split": self.row_split}
        if self.per_example:
            columns["index"] = self.row_index
        if self.groups is not None:
            columns["group"] = self.groups
        for position, name in enumerate(self.names):
            columns[name] = self.values[:, position]
        return pd.DataFrame(columns)
