"""compare_table: a long table with a row for each model and fold, or test example."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from . import _diagnostics as diagnostics
from ._columns import (
    Cells,
    as_columns,
    as_numbers,
    check_column,
    check_value_of_row,
    encode,
    metric_of_values,
    one_for_each,
    value_columns,
)
from ._comparison import Comparison
from ._cv_results import fold_losses
from ._data import CVLosses
from ._design import design_of_folds
from ._layout import layout_of_cv, layout_of_splits, refuse_other_sizes
from ._splits import count_groups, encode_groups
from ._validation import check_integer, invalid, warn


def compare_table(
    table,
    *,
    model="model",
    score=None,
    loss=None,
    fold="fold",
    repeat=None,
    dataset=None,
    example=None,
    group=None,
    n_train=None,
    n_test=None,
    cv=None,
    percent=False,
    test=None,
    reference=None,
    p_adjust="holm",
    alpha=0.05,
):
    """Compare models by a table of scores or losses, as other tools write them.

    A table has a row for each model and fold, with the score of the fold; or for each
    model, fold and test example, with its loss. Nothing is fitted. What the splits are
    is read from columns and arguments and is never guessed; holes, rows that are there
    twice, and models on different folds are errors that name them. For files, and
    tables in other layouts, see :func:`compare_file`.

    Parameters
    ----------
    table : dataframe or dict
        A pandas or polars data frame, or a dict of columns.
    model : str, default="model"
        The column with the names of the models.
    score, loss : str, default=None
        The column with the scores, of which greater is better, or with the losses.
        None for both takes the column that is called "score" or "loss". Other names
        show in the report and, such as "accuracy" or "zero_one", give it its unit.
    fold : str, default="fold"
        The column that says to which split a row belongs.
    repeat : str, default=None
        The column with the repeats of a repeated K-fold, where folds are numbered anew
        in each.
    dataset : str, default=None
        The column with the data set: one comparison is made for each, and returned in a
        dict, as :func:`compare_over_datasets` takes it.
    example : str, default=None
        The column with the test example, if there is a row for each; then tests that
        need the losses of single examples can be used.
    group : str, default=None
        With `example`: the column with the group (such as a patient) of an example.
    n_train, n_test : int or str, default=None
        Sizes of the training and test sets, or the columns that hold them. Without
        them, folds are the K folds of one K-fold, or of each repeat; with both and
        without `repeat` or `cv`, splits are taken to be random subsamples, whose test
        is valid for a K-fold, too. With `example`, where every example is tested once
        (in every repeat), sizes are known.
    cv : object, default=None
        How the splits were made: a splitter, an int (K-fold), or the name of a design,
        as in :func:`compare_cv_results`.
    percent : bool, default=False
        Whether the scores (or losses) are in percent, as 92.1 for an accuracy of 0.921.
        They are divided by 100, and shown as what they then are.
    test, reference, p_adjust, alpha : object
        As in :func:`compare_estimators`.

    Returns
    -------
    comparison : Comparison or dict of str to Comparison
        The tests; with `dataset`, for each data set.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, a column or a value is missing, models are
        on different folds, rows are there twice, or a test is not valid for the design.

    Warns
    -----
    UserWarning
        If there are more than 10 folds, but no repeats, sizes or `cv`: they may be of
        several repeats, for which the test of one K-fold is not valid.

    See Also
    --------
    compare_cv_results : For what `cross_validate` returns.
    compare_estimators : Fits the models, too.

    Examples
    --------
    >>> from sklearn_cvtest import compare_table
    >>> table = {
    ...     "model": ["bayes"] * 5 + ["tree"] * 5,
    ...     "fold": [0, 1, 2, 3, 4] * 2,
    ...     "accuracy": [0.94, 0.92, 0.95, 0.93, 0.96, 0.91, 0.90, 0.91, 0.92, 0.92],
    ... }
    >>> result = compare_table(table, score="accuracy", n_train=400, n_test=100)
    >>> print(str(result).splitlines()[0])
    bayes is better than tree by 2.8 points of accuracy (95% CI ...
    """
    options = {
        "test": test,
        "reference": reference,
        "p_adjust": p_adjust,
        "alpha": alpha,
    }
    columns = as_columns(table, "table")
    if group is not None and example is None:
        raise invalid("group", "None where `example` is", group)
    (name,), is_score = value_columns(columns, score, loss)
    roles = {"repeat": repeat, "fold": fold, "example": example}
    if dataset is not None:
        labels, codes = encode(
            dataset, columns[check_column("dataset", dataset, columns)]
        )
        arguments = {
            "model": model,
            "score" if is_score else "loss": name,
            "group": group,
            "n_train": n_train,
            "n_test": n_test,
            "cv": cv,
            "percent": percent,
        }
        comparisons = {}
        for number, label in enumerate(labels):
            rows = {key: values[codes == number] for key, values in columns.items()}
            options_of_part = arguments | roles | options
            try:
                comparisons[str(label)] = compare_table(rows, **options_of_part)
            except ValueError as error:
                raise ValueError(f"Data set {str(label)!r}: {error}") from None
        return comparisons
    values = as_numbers(name, columns[name])
    metric, values = metric_of_values(name, is_score, values, percent)
    if example is not None:
        check_value_of_row("loss", metric)
    table = FoldTable(columns, fold, Cells.of_columns(columns, model, roles))
    sizes = {"n_train": n_train, "n_test": n_test}
    sizes = {key: table.sizes(key, size) for key, size in sizes.items()}
    values = values[table.order]
    if example is None:
        layout = table.layout_of_folds(cv, **sizes)
        losses = fold_losses(table.cells.names, values, layout, metric, cv)
    else:
        losses = table.losses_of_examples(values, metric, group, cv, **sizes)
    return Comparison(losses, **options)


@dataclass(frozen=True, eq=False)
class FoldTable:
    """The columns of a table, the name of that of folds, and the cells of its rows."""

    columns: dict
    fold: str
    cells: Cells

    @cached_property
    def order(self):
        """The row of each cell and model, ndarray of shape (n_cells, n_models)."""
        return self.cells.order()

    @property
    def n_repeats(self):
        """Number of repeats."""
        return len(self.cells.labels.get("repeat", [0]))

    @cached_property
    def split(self):
        """The number of the split of each cell."""
        codes = self.cells.codes
        number = codes["fold"]
        if "repeat" in codes:
            number = codes["repeat"] * len(self.cells.labels["fold"]) + number
        return np.unique(number[self.order[:, 0]], return_inverse=True)[1]

    def sizes(self, parameter, size):
        """Return a size, or the sizes of all splits from their column."""
        if not isinstance(size, str):
            return size if size is None else check_integer(parameter, size, 1)
        column = as_numbers(
            size, self.columns[check_column(parameter, size, self.columns)]
        )
        return one_for_each(size, column[self.order[:, 0]], self.split)

    def layout_of_folds(self, cv, n_train, n_test):
        """Return the SplitLayout of splits whose scores alone are known."""
        n_splits = int(self.split.max()) + 1
        if n_splits < 2:
            raise invalid("fold", "a column of at least two folds", self.fold)
        if cv is not None:
            return layout_of_cv(cv, n_splits, n_train, n_test)
        is_sized = n_train is not None and n_test is not None
        if "repeat" in self.cells.labels:
            _, first = np.unique(self.split, return_index=True)
            repeats = self.cells.codes["repeat"][self.order[first, 0]]
            n_folds = np.bincount(repeats)
            if np.ptp(n_folds):
                allowed = "of as many folds in every repeat"
                raise invalid("table", allowed, n_folds.tolist())
            design = design_of_folds(int(n_folds[0]), self.n_repeats)
            return layout_of_cv(design, n_splits, n_train, n_test)
        if not is_sized and n_splits > 10:
            warn(
                f"The {n_splits} values of {self.fold!r} are taken to be the "
                f"folds of one {n_splits}-fold cross-validation. If they are folds of "
                "several repeats, the p-value is too small: name the column with the "
                "repeats in `repeat`, or pass the splitter as `cv`."
            )
        return layout_of_cv(None if is_sized else n_splits, n_splits, n_train, n_test)

    def losses_of_examples(self, values, metric, group, cv, n_train, n_test):
        """Return the CVLosses of values of examples (n_cells, n_models)."""
        split = self.split
        order = np.argsort(split, kind="stable")
        values, split = values[order], split[order]
        index = self.cells.codes["example"][self.order[order, 0]]
        n_samples = int(index.max()) + 1
        n_splits = int(split[-1]) + 1
        tests = [index[split == number] for number in range(n_splits)]
        rows = np.arange(n_samples)
        splits = [(np.setdiff1d(rows, test), test) for test in tests]
        is_tested_once = np.all(np.bincount(index) == self.n_repeats)
        if n_splits > self.n_repeats and is_tested_once and cv is None:
            layout = layout_of_splits(splits, n_samples)
            refuse_other_sizes(layout, n_train=n_train, n_test=n_test)
        elif n_splits == self.n_repeats:
            hint = "For scores of the examples of one test set, use compare_scores."
            raise invalid("fold", "a column of several folds", self.fold, hint=hint)
        elif n_train is None:
            raise invalid(
                "n_train", "given where not every example is tested once", None
            )
        else:
            layout = layout_of_cv(cv, n_splits, n_train, [len(test) for test in tests])
        codes = None
        if group is not None:
            labels = self.columns[check_column("group", group, self.columns)]
            of_rows = encode(group, labels)[1][self.order[order, 0]]
            codes = encode_groups(one_for_each(group, of_rows, index), n_samples)
        losses = CVLosses(
            names=self.cells.names,
            values=values,
            row_split=split,
            design=layout.design,
            metric=metric,
            row_index=index,
            groups=None if codes is None else codes[index],
            n_train=layout.n_train,
            n_test=layout.n_test,
            n_samples=n_samples,
            n_groups=count_groups(codes),
        )
        if codes is not None:
            diagnostics.warn_of_groups(codes, splits)
        return losses
