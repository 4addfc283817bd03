"""compare_table: from a long table of scores or losses to an answer, without fits."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from .._data._cvlosses import CVLosses
from .._results._estimator_comparison import Comparison
from .._splits._design import design_of_folds
from .._splits._groups import find_leaking_group, leak_message
from .._splits._layout import SplitLayout, layout_of_splits, resolve_layout, with_sizes
from .._splits._splitters import describe_splitter
from .._tables._column_names import may_be_fold
from .._tables._column_types import n_distinct, numbered
from .._tables._long_rows import leave_out_summaries
from .._tables._table_columns import (
    as_columns,
    as_counts,
    as_numbers,
    as_shares,
    check_column,
    column_of,
    range_of,
    value_column,
)
from .._tables._table_rows import Rows, encode, one_each
from .._tables._unclear import UnclearRolesWarning
from .._typing import Any
from .._validation import check_integer, invalid, invalid_words, warn
from ..exceptions import GroupLeakWarning

USUAL_FOLDS = 10  # of one cross-validation; more are likely to be of several
OF_DATASETS = re.compile(r"data[\W_]*sets?([\W_]*(name|id))?", re.IGNORECASE)


def compare_table(
    table: Any,
    *,
    model: str = "model",
    score: str | None = None,
    loss: str | None = None,
    fold: str = "fold",
    repeat: str | None = None,
    dataset: str | None = None,
    example: str | None = None,
    group: str | None = None,
    n_train: int | str | None = None,
    n_test: int | str | None = None,
    cv: Any = None,
    percent: bool = False,
    test: Any = None,
    reference: Any = None,
    p_adjust: Any = "holm",
    alpha: Any = 0.05,
) -> Comparison | dict[str, Comparison]:
    """Compare models by a table of scores or losses, as other tools write them.

    A table has a row for each model and fold, with the score of the fold; or for each
    model, fold and test example, with its loss. Nothing is fitted. What the splits are
    is read from columns and arguments and is never guessed; rows that are missing, rows
    that are there twice, and models on different folds are errors that name them. A
    score that is empty, or says that a run failed, is a failure of its model: the model
    is left out, and named. So are rows of folds that are called "mean" or "std".

    Parameters
    ----------
    table : dataframe or dict
        A pandas or polars data frame, or a dict of columns. Names of columns may differ
        in capitals and blanks. For files, and for other layouts, there is
        :func:`compare_file`.
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
        If an argument is not as described, a column or a row is missing, a score is
        neither a number nor known to be missing, models are on different folds, rows
        are there twice, or a test is not valid for the design.

    Warns
    -----
    UserWarning
        If a model or a row is left out; and if there are more than 10 folds, but no
        repeats, sizes or `cv`: they may be of several repeats, for which the test of
        one K-fold is not valid.

    See Also
    --------
    compare_file : For files, in the layouts that tools write.
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
    columns = as_columns(table)
    names = {"model": model, "fold": fold, "repeat": repeat}
    names |= {"dataset": dataset, "example": example, "group": group}
    names |= {"score": score, "loss": loss, "n_train": n_train, "n_test": n_test}
    score = names.pop("score")
    loss = names.pop("loss")
    n_train = names.pop("n_train")
    n_test = names.pop("n_test")
    if n_train is None and n_test is None:
        _refuse_one_test_set(columns, names, score, loss)
    names = {role: check_column(role, name, columns) for role, name in names.items()}
    columns, row_numbers = leave_out_summaries(columns, _filled(names))
    value, is_score = value_column(score, loss, columns)
    for role, name in names.items():
        if name == value:
            value_role = "score" if is_score else "loss"
            raise invalid(role, f"another column than `{value_role}`", name)
    sizes = {
        "n_train": _read_size("n_train", n_train, columns),
        "n_test": _read_size("n_test", n_test, columns),
    }
    has_holes = names["example"] is None  # of folds where a model failed
    values = as_numbers(value, columns[value], has_holes=has_holes, rows=row_numbers)
    parameter = f"table[{value!r}]"
    options = {"is_score": is_score, "percent": percent}
    values = as_shares({parameter: values}, value, **options)[parameter]
    if is_score and names["example"] is not None:
        hint = "Name their losses in `loss`, such as 1 for an error."
        raise invalid("score", "None with `example`", value, hint=hint)
    if names["group"] is not None and names["example"] is None:
        allowed = "None without `example`: scores of folds have no groups"
        raise invalid("group", allowed, names["group"])
    dataset = names["dataset"]
    if dataset is not None:
        del names["dataset"]
    rows = Rows(columns, names)
    table_of_all = _LongTable(rows, values, value, is_score, sizes, cv)
    test_options = {
        "test": test,
        "reference": reference,
        "p_adjust": p_adjust,
        "alpha": alpha,
    }
    if dataset is None:
        return Comparison(table_of_all.losses(), **test_options)
    codes, labels = encode(dataset, columns[dataset], are_names=True)
    return _compare_by_dataset(table_of_all, codes, labels, test_options)


def _compare_by_dataset(table, codes, labels, test_options):
    """Return the comparison on each data set, by its label."""
    comparisons = {}
    for number, label in enumerate(labels):
        try:
            losses = table.part(codes == number).losses()
            comparisons[label] = Comparison(losses, **test_options)
        except (TypeError, ValueError) as error:
            raise type(error)(f"Data set {label!r}: {error}") from None
    return comparisons


def _filled(names):
    return {role: name for role, name in names.items() if name is not None}


def _refuse_one_test_set(columns, names, score, loss):
    """Raise for scores of examples of one test set, with the call that takes them."""
    fold = column_of(names["fold"], columns)
    example = column_of(names["example"], columns)
    run = column_of(names["repeat"], columns)
    model = column_of(names["model"], columns)
    if fold is None or example is None:
        return
    n_models = n_distinct(columns.get(model, []))
    n_folds = n_distinct(columns.get(fold, []))
    n_examples = n_distinct(columns.get(example, []))
    if n_folds > 1 and len(columns[fold]) < n_models * n_folds * n_examples:
        return
    fold_text = f"{fold!r}, which has one fold only"
    if n_folds > 1:
        fold_text = f"{fold!r}, which tests every example in every fold"
        run = fold
    call_args = {"example": example, "run": run, "score": score, "loss": loss}
    if names["model"] != "model":
        call_args = {"model": names["model"], **call_args}
    call = ", ".join(f"{key}={name!r}" for key, name in call_args.items() if name)
    hint = (
        f"For scores of the examples of one test set, use compare_scores(table, {call})"
        ", which takes them without folds."
    )
    raise invalid_words("fold", "the column of folds", fold_text, hint=hint)


def _read_size(name, size, columns):
    """Return a size, or the sizes in a column; None of None."""
    if isinstance(size, str):
        column = check_column(name, size, columns)
        return as_counts(column, columns[column], 1)
    if size is None:
        return None
    return check_integer(name, size, 1)


def _warn_of_many_folds(column, n_folds):
    warn(
        f"The {n_folds} values of {column!r} are taken to be the folds of one "
        f"{n_folds}-fold cross-validation. If they are folds of several repeats, the "
        "p-value is too small: name the column with the repeats in `repeat`, or pass "
        f"the splitter as `cv`. If there was only one, pass cv={n_folds}; of random "
        "splits, pass `n_train` and `n_test`.",
        UnclearRolesWarning,
    )


def _all_but(rows, n_samples):
    """Return the rows that are not among others, in ascending order."""
    is_other = np.ones(n_samples, dtype=bool)
    is_other[rows] = False
    return np.flatnonzero(is_other)


class _LongTable(NamedTuple):
    """The rows of a table, their values, and how the splits were made."""

    rows: Rows
    values: np.ndarray
    value: str
    is_score: bool
    sizes: dict
    cv: Any

    def part(self, mask):
        """Return some of the rows."""
        sizes = self.sizes.copy()
        for name, size in sizes.items():
            if np.ndim(size):
                sizes[name] = size[mask]
        rows = self.rows.part(mask)
        return self._replace(rows=rows, values=self.values[mask], sizes=sizes)

    def losses(self):
        """Return the values of all models, aligned, as CVLosses."""
        rows = self.rows
        order = np.column_stack(rows.by_model("repeat", "fold", "example"))
        split, cells = numbered(rows.cells("repeat", "fold"))
        values = self.values[order]  # (n_cells, n_models)
        of_cell = split[order[:, 0]]
        sizes = self.sizes.copy()
        for name, size in sizes.items():
            if np.ndim(size):
                sizes[name], wrong = one_each(size, split)
                if wrong is not None:
                    allowed = "a column with one size for each split"
                    raise invalid_words(name, allowed, "several sizes in a split")
        fields = {}
        if "example" in rows:
            index = rows["example"].codes[order[:, 0]]
            groups = rows.groups()
            fields["row_index"] = index
            fields["example_labels"] = rows["example"].labels
            fields["groups"] = None if groups is None else groups[index]
            layout = self._layout_of_examples(index, of_cell, sizes, groups)
        else:
            fields["fit_failed"] = np.isnan(values)
            layout = self._layout_of_folds(cells, sizes)
        return CVLosses.from_values(
            rows["model"].labels,
            np.ascontiguousarray(-values if self.is_score else values),
            layout,
            row_split=of_cell,
            loss_name=self.value,
            is_score=self.is_score,
            value_range=range_of(self.value, values, is_score=self.is_score),
            cv_description=describe_splitter(self.cv),
            **fields,
        )

    def _layout_of_folds(self, splits, sizes):
        """Return the layout of splits, by their cells, whose scores alone are known."""
        column = self.rows.names["fold"]
        n_splits = len(splits)
        hint = f"compare_over_datasets(table, dataset={column!r})."
        if OF_DATASETS.fullmatch(column):
            hint = f"Data sets are no folds: they share no examples. Use {hint}"
            raise invalid(
                "fold", "a column of folds of one data set", column, hint=hint
            )
        odd = [name for name in self.rows["fold"].labels if not may_be_fold(name)]
        may_be_datasets = len(odd) > 0 and not may_be_fold(column)
        if may_be_datasets:
            warn(
                f"Are {column!r} folds of one data set? One is called {odd[0]!r}. Data "
                "sets or tasks are no folds, as they share no examples; for these use "
                f"{hint}",
                UnclearRolesWarning,
            )
        if self.cv is not None:
            return resolve_layout(self.cv, n_splits, **sizes)
        if n_splits < 2:
            allowed = "at least two folds, by each of which the models are compared"
            raise invalid_words(column, allowed, "1")
        if "repeat" in self.rows:
            n_folds = len(self.rows["fold"].labels)
            repeats = self.rows["repeat"].labels
            counts = np.bincount(splits // n_folds)
            if np.any(counts != counts[0]):
                allowed = "a table with as many folds in every repeat"
                fold_counts = dict(zip(repeats, counts.tolist(), strict=True))
                raise invalid_words("table", allowed, f"{fold_counts}")
            design = design_of_folds(int(counts[0]), len(repeats))
            return with_sizes(SplitLayout(design), n_splits, **sizes)
        is_sized = sizes["n_train"] is not None and sizes["n_test"] is not None
        if not is_sized and n_splits > USUAL_FOLDS and not may_be_datasets:
            _warn_of_many_folds(column, n_splits)
        return resolve_layout(None if is_sized else n_splits, n_splits, **sizes)

    def _layout_of_examples(self, index, of_cell, sizes, groups):
        """Return the layout of splits of which the test examples are known.

        Warn of a group that is in several folds of a run: models were trained on it.
        What subsamples were trained on is not known.
        """
        n_test = np.bincount(of_cell)
        n_samples = int(index.max()) + 1
        n_splits = len(n_test)
        n_repeats = 1
        if "repeat" in self.rows:
            n_repeats = len(self.rows["repeat"].labels)
        tests = np.split(index, np.cumsum(n_test)[:-1])
        splits = [(_all_but(test, n_samples), test) for test in tests]
        is_tested_once = np.all(np.bincount(index) == n_repeats)
        if n_splits > n_repeats and is_tested_once and self.cv is None:
            layout = with_sizes(layout_of_splits(splits), n_splits, **sizes)
        else:
            user_sizes = sizes["n_test"]
            n_train = sizes["n_train"]
            if user_sizes is not None and np.any(np.asarray(user_sizes) != n_test):
                allowed = f"None or what the rows show, {n_test.tolist()}"
                raise invalid("n_test", allowed, user_sizes)
            if n_train is None:
                raise ValueError(
                    "`n_train` must be given: not every example is tested exactly once "
                    "per repeat, so training-set sizes cannot be inferred."
                )
            layout = resolve_layout(self.cv, n_splits, n_train, n_test)
            n_samples = max(n_samples, layout.n_samples or 0)
            layout = layout._replace(n_samples=n_samples)
        if groups is not None and layout.design.kind.is_k_fold:
            leak = find_leaking_group(splits, groups)
            if leak is not None:
                split, group = leak
                label = self.rows["group"].labels[group]
                message = leak_message(layout.design, split, label)
                warn(message, GroupLeakWarning)
        return layout
