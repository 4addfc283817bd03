"""compare_table: from a long table of scores or losses to an answer, without fits."""

from __future__ import annotations

import copy
import re

import numpy as np

from .._data._cvlosses import CVLosses
from .._results._comparison import Comparison
from .._splits._design import design_of_folds
from .._splits._groups import checked_groups, leak_message
from .._splits._layout import (
    NOT_GIVEN,
    SplitLayout,
    layout_of_splits,
    resolve_layout,
    with_sizes,
)
from .._splits._splitters import describe_splitter
from .._typing import Any
from .._validation import ONE_MODEL, check_integer, invalid, invalid_words, warn
from ..exceptions import GroupLeakWarning
from ._found_columns import is_of_folds, refuse_one_test_set
from ._tables import (
    as_columns,
    as_counts,
    as_numbers,
    as_shares,
    check_column,
    encode,
    range_of,
    value_column,
)

MAX_SHOWN = 3
ROLES_OF_ROWS = {
    "repeat": "repeats",
    "dataset": "data sets",
    "example": "test examples",
}

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
    """Compare models by a long table of scores or losses, as other tools write them.

    A table has a row for each model and fold, with the score of the fold; or for each
    model, fold and test example, with its loss. Nothing is fitted. What the splits are
    is read from columns and arguments and is never guessed; holes, rows that are there
    twice, and models on different folds are errors that name them.

    Parameters
    ----------
    table : dataframe, dict or path
        A pandas or polars data frame, a dict of columns, or the path of a CSV file
        (which needs no pandas), also compressed as .csv.gz, of a file with a JSON
        object on each line (.jsonl), or of a Parquet file.
        :func:`adapters.read_table` reads others. Names of columns may differ in
        capitals and blanks.
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
    columns = as_columns(table)
    names = {"model": model, "fold": fold, "repeat": repeat}
    names |= {"dataset": dataset, "example": example, "group": group}
    check_column("model", model, columns)
    if n_train is None and n_test is None:
        refuse_one_test_set(columns, names, score, loss)
    for parameter, name in names.items():
        names[parameter] = check_column(parameter, name, columns)
    value, is_score = value_column(score, loss, columns)
    for parameter, name in names.items():
        if name is not None and name == value:
            allowed = f"another column than `{'score' if is_score else 'loss'}`"
            raise invalid(parameter, allowed, name)
    sizes = {}
    for name, size in (("n_train", n_train), ("n_test", n_test)):
        if isinstance(size, str):
            size = check_column(name, size, columns)
            size = as_counts(size, columns[size], 1)
        elif size is not None:
            size = check_integer(name, size, 1)
        sizes[name] = size
    rows = _LongTable(columns, names, value, is_score, sizes, cv, percent)
    options = {"test": test, "reference": reference}
    options |= {"p_adjust": p_adjust, "alpha": alpha}
    dataset = names["dataset"]
    if dataset is None:
        return Comparison(rows.losses(), **options)
    groups = encode(dataset, columns[dataset], are_names=True)
    return {
        label: _named(label, rows.part(groups.codes == number), options)
        for number, label in enumerate(groups.labels)
    }


def _named(label, rows, options):
    """Return the comparison on one data set, whose errors name it."""
    try:
        return Comparison(rows.losses(), **options)
    except (TypeError, ValueError) as error:
        raise type(error)(f"Data set {label!r}: {error}") from None


def rows_by_cell(model, cell, expected, wrong):
    """Return the rows of each model in the order of their cells, a list.

    Each must have one row for each of its cells.

    Parameters
    ----------
    model : Codes
        The model of each row.
    cell : ndarray of int
        The number of the cell of each row.
    expected : callable
        Returns the cells that there have to be, in order, of the rows of a model.
    wrong : callable
        Returns the error for "several" or "none" in cells of the model of a name.
    """
    by_model = []
    for number, name in enumerate(model.labels):
        rows = np.flatnonzero(model.codes == number)
        rows = rows[np.argsort(cell[rows], kind="stable")]
        own, counts = np.unique(cell[rows], return_counts=True)
        missing = np.setdiff1d(expected(rows), own)
        for found, cells in (("several", own[counts > 1]), ("none", missing)):
            if len(cells):
                raise wrong(found, name, cells)
        by_model.append(rows)
    return by_model


class _LongTable:
    """The rows of a table, and what its columns mean."""

    def __init__(self, columns, names, value, is_score, sizes, cv, percent):
        self.names, self.value, self.is_score, self.cv = names, value, is_score, cv
        self.values = as_shares(
            f"table[{value!r}]",
            as_numbers(value, columns[value]),
            value,
            is_score=is_score,
            percent=percent,
        )
        self.sizes = sizes
        self.keys = {
            parameter: encode(name, columns[name], are_names=parameter == "model")
            for parameter, name in names.items()
            if name is not None and parameter != "dataset"
        }
        if is_score and names["example"] is not None:
            hint = "Name their losses in `loss`, such as 1 for an error."
            raise invalid("score", "None with `example`", value, hint=hint)
        if names["group"] is not None and names["example"] is None:
            allowed = "None without `example`: scores of folds have no groups"
            raise invalid("group", allowed, names["group"])

    def part(self, mask):
        """Return some of the rows."""
        rows = copy.copy(self)
        rows.values = self.values[mask]
        rows.keys = {
            name: encode(name, np.array(key.labels, dtype=object)[key.codes[mask]])
            for name, key in self.keys.items()
        }
        rows.sizes = {
            name: size[mask] if np.ndim(size) else size
            for name, size in self.sizes.items()
        }
        return rows

    def losses(self):
        """Return the values of all models, aligned, as CVLosses."""
        if "example" in self.keys:  # so that rows of data keep their numbers
            self.keys["example"] = self.keys["example"].by_number()
        for name in ("fold", "repeat"):  # so that the order of rows does not matter
            if name in self.keys:
                self.keys[name] = self.keys[name].by_number()
        if "group" in self.keys:  # as the splitters number them
            self.keys["group"] = self.keys["group"].by_number(or_name=True)
        model = self.keys["model"]
        if len(model) < 2:
            shown = f"{len(model)}: {', '.join(map(repr, model.labels))}"
            raise invalid_words(
                self.names["model"], "at least two models", shown, hint=ONE_MODEL
            )
        split, labels = self._splits()
        cell = split
        if "example" in self.keys:
            example = self.keys["example"]
            cell = split * len(example) + example.codes
        cells = np.unique(cell)
        order = np.column_stack(
            rows_by_cell(model, cell, lambda rows: cells, self._wrong)
        )
        table = self.values[order]  # (n_cells, n_models)
        sign = -1.0 if self.is_score else 1.0
        cell_split = split[order[:, 0]]
        layout, rows = self._layout(order, cell_split, labels)
        return CVLosses.of_blocks(
            model.labels,
            np.ascontiguousarray(sign * table),
            layout,
            row_split=cell_split,
            loss_name=self.value,
            is_score=self.is_score,
            value_range=range_of(self.value, table, is_score=self.is_score),
            cv_description=describe_splitter(self.cv),
            **rows,
        )

    def _splits(self):
        """Return the number of the split of each row, and their labels, in order."""
        fold = self.keys["fold"]
        if "repeat" not in self.keys:
            return fold.codes, [f"fold {label}" for label in fold.labels]
        repeat = self.keys["repeat"]
        code = repeat.codes * len(fold) + fold.codes
        found = np.unique(code)
        labels = [
            f"repeat {repeat.labels[number // len(fold)]}, fold "
            f"{fold.labels[number % len(fold)]}"
            for number in found
        ]
        return np.searchsorted(found, code), labels

    def _wrong(self, found, name, cells):
        """Return the error for cells of which a model has no row, or several."""
        _, labels = self._splits()
        shown, hint, unit = [], "", "fold"
        for cell in cells[:MAX_SHOWN].tolist():
            if "example" in self.keys:
                split, which = divmod(cell, len(self.keys["example"]))
                label = self.keys["example"].labels[which]
                shown.append(f"{labels[split]}, example {label}")
                unit = "fold and example"
            else:
                shown.append(labels[cell])
        shown = "; ".join(shown) + "; ..." * (len(cells) > MAX_SHOWN)
        if found == "several":
            hint = "".join(
                f" If rows are {what}, name their column in `{parameter}`."
                for parameter, what in ROLES_OF_ROWS.items()
                if self.names[parameter] is None
            )
        return ValueError(
            f"`table` must have one row for each model and {unit}; got {found} of "
            f"{name!r} for {shown}.{hint}"
        )

    def _layout(self, order, cell_split, labels):
        """Return the layout of the splits, and the fields of rows."""
        sizes = {
            name: self._size(name, size, order, cell_split, len(labels))
            for name, size in self.sizes.items()
        }
        if "example" not in self.keys:
            layout = self._layout_of_folds(len(labels), sizes)
            return layout, {}
        example = self.keys["example"]
        index = example.codes[order[:, 0]]
        groups = self._groups(index)
        layout = self._layout_of_examples(index, cell_split, len(labels), sizes)
        if groups is not None:
            self._warn_of_leaks(groups, cell_split, layout.design)
        return layout, {"row_index": index, "groups": groups}

    def _groups(self, index):
        if "group" not in self.keys:
            return None
        codes, example = self.keys["group"].codes, self.keys["example"]
        codes = checked_groups(example.one_each(codes, "table", "have one group"))
        return None if codes is None else codes[index]

    def _warn_of_leaks(self, groups, cell_split, design):
        """Warn of a group that is in several folds of a run: models were trained on it.

        What subsamples were trained on is not known.
        """
        if design.kind not in ("k-fold", "repeated k-fold"):
            return
        run = cell_split // design.n_splits
        cells = np.unique(np.column_stack([run, groups, cell_split]), axis=0)
        divided = np.flatnonzero(np.all(cells[1:, :2] == cells[:-1, :2], axis=1))
        if len(divided):
            _, group, split = cells[divided[0]].tolist()
            label = self.keys["group"].labels[group]
            warn(leak_message(design, split, label), GroupLeakWarning)

    def _size(self, name, size, order, cell_split, n_splits):
        """Return sizes a user gave, one for each split."""
        if not np.ndim(size):
            return size
        found = np.zeros(n_splits, dtype=np.int64)
        found[cell_split] = size[order[:, 0]]
        wrong = np.flatnonzero((size[order] != found[cell_split][:, np.newaxis]).any(1))
        if len(wrong):
            allowed = "a column with one size for each split"
            raise invalid_words(name, allowed, "several sizes in a split")
        return found

    def _layout_of_folds(self, n_splits, sizes):
        """Return the layout of splits of which only scores are known."""
        if OF_DATASETS.fullmatch(self.names["fold"]):
            allowed = "a column of folds of one data set"
            hint = (
                "Data sets are no folds: they share no examples. Use "
                f"compare_over_datasets(table, dataset={self.names['fold']!r})."
            )
            raise invalid("fold", allowed, self.names["fold"], hint=hint)
        names = [self.names["fold"], *self.keys["fold"].labels]
        odd = [name for name in names if not is_of_folds(name)]
        if len(odd) > 1 and odd[0] == names[0]:
            warn(
                f"Are {self.names['fold']!r} folds of one data set? One is called "
                f"{odd[1]!r}. Data sets or tasks are no folds, as they share no "
                f"examples; for these use compare_over_datasets(table, "
                f"dataset={self.names['fold']!r}).",
                UserWarning,
            )
        if n_splits < 2 and self.cv is None:
            allowed = "at least two folds, by each of which the models are compared"
            raise invalid_words(self.names["fold"], allowed, "1")
        if self.cv is not None:
            return resolve_layout(self.cv, n_splits, **sizes)
        if "repeat" in self.keys:
            layout = SplitLayout(self._repeated(n_splits))
            return with_sizes(layout, n_splits, **sizes)
        if sizes["n_train"] is not None and sizes["n_test"] is not None:
            return resolve_layout(NOT_GIVEN, n_splits, **sizes)
        return resolve_layout(n_splits, n_splits, **sizes)

    def _repeated(self, n_splits):
        n_repeats = len(self.keys["repeat"])
        counts = np.unique(
            np.column_stack([self.keys["repeat"].codes, self.keys["fold"].codes]),
            axis=0,
        )[:, 0]
        counts = np.bincount(counts)
        if np.any(counts != counts[0]):
            allowed = "a table with as many folds in every repeat"
            shown = dict(zip(self.keys["repeat"].labels, counts.tolist(), strict=True))
            raise invalid_words("table", allowed, f"{shown}")
        return design_of_folds(n_splits // n_repeats, n_repeats)

    def _layout_of_examples(self, index, cell_split, n_splits, sizes):
        """Return the layout of splits of which the test examples are known."""
        n_samples, n_test = len(self.keys["example"]), np.bincount(cell_split)
        n_repeats = len(self.keys["repeat"]) if "repeat" in self.keys else 1
        counts = np.bincount(index, minlength=n_samples)
        tests = np.split(index, np.cumsum(n_test)[:-1])
        if n_splits > n_repeats and np.all(counts == n_repeats) and self.cv is None:
            everyone = np.arange(n_samples)
            splits = [(np.setdiff1d(everyone, test), test) for test in tests]
            layout = layout_of_splits(splits)
            if sizes["n_train"] is None and sizes["n_test"] is None:
                return layout
            known = {name: getattr(layout, name) for name in sizes}
            known |= {name: size for name, size in sizes.items() if size is not None}
            return with_sizes(layout, n_splits, **known)
        given = sizes["n_test"]
        if given is not None and np.any(np.asarray(given) != n_test):
            raise invalid(
                "n_test", f"None or what the rows show, {n_test.tolist()}", given
            )
        if sizes["n_train"] is None:
            raise ValueError(
                "`n_train` must be given: not every example is tested exactly once "
                "per repeat, so training-set sizes cannot be inferred."
            )
        kind = NOT_GIVEN if self.cv is None else self.cv
        layout = resolve_layout(kind, n_splits, sizes["n_train"], n_test)
        return layout._replace(n_samples=max(n_samples, layout.n_samples or 0))
