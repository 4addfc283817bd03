"""Losses of models over shared splits, and residuals, on which tests are made."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ._design import FIVE_BY_TWO, HOLDOUT, K_FOLD, Design, as_design
from ._metrics import Metric
from ._splits import encode_groups
from ._validation import check_array, check_option, invalid


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
        On how many independent examples (or groups) a mean rests at least, 0 if that is
        not known of the metric; None of arrays, whose metric is not known.
    n_counted : float
        Of a metric that counts predicted labels, as F1 does, the number of examples of
        the rarer class; 0 of other metrics, and with groups.
    identical : bool or ndarray of bool of shape (...)
        Whether two models have the same losses on all tested examples.
    compared_by : {"difference", "ratio"} or None
        How mean losses are compared; None: as the name of the loss says.
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

    @classmethod
    def from_array(cls, e, *, design=K_FOLD, groups=None, n_train=None, n_test=None):
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
        e = check_array("e", e, (1, 2))
        n_splits = len(e)
        design = as_design(design, n_splits)
        per_example = e.ndim == 2
        if per_example:
            n_test = e.shape[1]
        if n_test is not None:
            n_test = np.broadcast_to(n_test, n_splits)
        if n_train is not None:
            n_train = np.broadcast_to(n_train, n_splits)
        elif n_test is not None and design.kind in (K_FOLD, FIVE_BY_TWO):
            n_train = n_test[: design.n_splits].sum() - n_test
        if groups is not None:
            groups = encode_groups(np.ravel(groups))
        split = np.repeat(np.arange(n_splits), e.size // n_splits)
        residuals = cls(
            e.ravel(), split, design, None, groups, n_train, n_test, per_example
        )
        residuals.check_finite()
        return residuals

    def __getitem__(self, number):
        """Return the residuals of one of many pairs."""
        return replace(self, values=self.values[number], largest=self.magnitude[number])

    def check_finite(self):
        """Check that no residual is nan or inf.

        Raises
        ------
        ValueError
            If one is; the message names the estimators and the splits.
        """
        if not np.isfinite(self.values).all():
            raise invalid("residuals", "finite", self.values)

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
        return self.unit_runs.mean(axis=-1)


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
    rests_on : tuple of three floats or None
        On how many of the examples, or groups, tested a mean rests that is equal in all
        splits: where it is the smaller end of `value_range`, neither, and the larger; 0
        where that is not known. None: on all, for a mean over examples.
    of_constant : float or None
        The loss of the best constant prediction: of the most frequent class, the mean
        or the median. None where it is not known.
    compared_by : {"difference", "ratio"} or None
        How the means of two estimators are compared; None: as the name of the loss
        says.
    few_positives : int
        The number of examples of the rarer of two classes, where so few decide what a
        metric of predicted labels shows; else 0.
    example_labels : sequence or None
        The index labels of the examples, where they were given with any: what has
        another index cannot go with them by mistake. Not saved.
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
    loss_of_constant: float | None = None
    errors: dict = field(default_factory=dict)
    estimators: dict = field(default_factory=dict)
    constant_names: tuple = ()
    noun: str = "estimator"

    @property
    def per_example(self):
        """Whether there is a loss for each example."""
        return self.row_index is not None

    @cached_property
    def block_losses(self):
        """Mean loss of each split, ndarray of shape (n_splits, n_models)."""
        return self._residuals(self.values.T).block_means.T

    @cached_property
    def mean_losses(self):
        """Mean over splits of the mean losses of test sets, of shape (n_estimators,).

        For paired halves, over the splits of the whole sample; for a nested K-fold,
        over its splits with a single fold. Splits weigh equally,
        whatever the number of their test examples.
        """
        if not self.per_example:
            return self.block_losses[: self.design.n_of_whole].mean(axis=0)
        n_splits = self.design.n_of_whole or self.row_split[-1] + 1
        return self.values[self.row_split < n_splits].mean(axis=0)

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
        column = self.position("first", first)
        if second is None:
            return self.single([column])[0]
        return self.pairs(np.array([[column, self.position("second", second)]]))[0]

    def position(self, parameter, model):
        """Return the position of a model, which may be a name or a position."""
        if type(model) is int and 0 <= model < len(self.names):
            return model
        check_option(parameter, model, self.names)
        return self.names.index(model)

    def single(self, columns):
        """Return the losses of some models as residuals of each alone."""
        return self._residuals(self.values.T[columns])

    def pairs(self, pairs):
        """Return the differences of pairs of positions (n_pairs, 2) as residuals."""
        first, second = np.transpose(pairs)
        losses = self.values.T
        largest = np.maximum(np.abs(losses[first]), np.abs(losses[second]))
        differences = losses[first] - losses[second]
        low, high = self.metric.loss_range
        return replace(
            self._residuals(differences),
            value_range=(low - high, high - low),
            largest=largest.max(axis=1),
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
        import pandas as pd

        columns = {"split": self.row_split}
        if self.per_example:
            columns["index"] = self.row_index
        for position, name in enumerate(self.names):
            columns[name] = self.values[:, position]
        return pd.DataFrame(columns)
