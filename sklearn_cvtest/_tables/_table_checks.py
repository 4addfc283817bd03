"""What rows may not be: one model, one fold, parts of the data, folds of repeats."""

import numpy as np

from .._losses._metric_names import is_bounded_by_one
from ._column_types import distinct
from ._layout_row import DATASETS, EXAMPLES, FOLDS, RUNS
from ._table_columns import as_numbers, plain_name
from ._unclear import UnclearTableError

MOST_FOLDS = 10  # of one cross-validation; more are likely to be of several
MOST_MEANS = 30  # that are called examples, and may be folds
PARTS_OF_DATA = {"train", "test", "val", "valid", "validation", "dev", "eval"}


def check_rows(layout, columns, roles, is_designed):
    """Ask about folds that may be something else, and refuse what cannot be tested."""
    models = set(map(str, distinct(columns[roles["model"]])))
    if len(models) < 2:
        (model,) = models
        raise UnclearTableError(
            f"There is one model, {model!r}. Bring the results of another one on the "
            "same folds, runs, examples or data sets, in this file or as another one."
        )
    if layout.unit == DATASETS and len(distinct(columns[roles["dataset"]])) < 2:
        raise UnclearTableError(
            "There is one number for each model, which cannot be tested. Bring the "
            "score of each fold or run, of each test example, or of several data sets."
        )
    if layout.unit == RUNS and len(distinct(columns[roles["run"]])) < 2:
        raise UnclearTableError("There is one run of each model. Bring several.")
    if layout.unit == FOLDS and "fold" in roles:  # else of random splits
        _check_folds(columns, roles, is_designed)


def _check_folds(columns, roles, is_designed):
    """Ask about folds that are parts of the data, or may be of several repeats."""
    column = roles["fold"]
    labels = {str(cell) for cell in distinct(columns[column])}
    names_of_parts = sorted(label for label in labels if label.lower() in PARTS_OF_DATA)
    if names_of_parts:
        raise UnclearTableError(
            f"The column {column!r} holds no folds but parts of the data, such as "
            f"{names_of_parts[0]!r}. Bring the scores of test sets, one for each fold."
        )
    if len(labels) < 2:
        raise UnclearTableError(
            f"There is one fold in the column {column!r}, and so one number for each "
            "model, which cannot be tested. Bring the scores of folds or examples."
        )
    if not is_designed:
        _check_numbers(column, labels)
    is_single = "repeat" not in roles and "run" not in roles
    is_sized = "n_train" in roles and "n_test" in roles
    if len(labels) <= MOST_FOLDS or not is_single or is_sized or is_designed:
        return
    n_folds = len(labels)
    question = f"Are the {n_folds} values of {column!r} folds of one cross-validation?"
    raise ask_of_folds(question, n_folds)


def _check_numbers(column, labels):
    """Ask about folds whose numbers have gaps, or begin above 1: some are missing."""
    if all(map(str.isdecimal, labels)):
        ask_of_missing(f"The folds in {column!r}", sorted(map(int, labels)))


def ask_of_missing(items, numbers):
    """Ask about numbers of folds that do not follow each other from 0 or from 1."""
    first = numbers[0]
    last = numbers[-1]
    if first > 1 or last - first + 1 > len(numbers):
        listed = ", ".join(map(str, numbers[:10]))
        raise UnclearTableError(
            f"{items} are numbered {listed}: is one missing? Bring all of them.",
            ({"cv": len(numbers)}, f", if there were {len(numbers)}"),
        )


def check_folds_in_columns(metric, keys, values, numbers, columns):
    """Ask about columns of folds of which one is missing, as their mean shows."""
    ask_of_missing("The columns of folds", sorted(map(int, keys)))
    means = {plain_name(str(name)): cells for name, cells in columns.items()}
    mean = plain_name(f"{metric}_mean") if metric else "mean"
    if mean not in means:
        return
    expected = as_numbers(mean, means[mean], has_holes=True)
    n_decimals = min(_decimals(means[mean]), *(_decimals(columns[v]) for v in values))
    found = np.mean(numbers, axis=0)
    is_known = np.isfinite(found) & np.isfinite(expected)
    is_near = np.allclose(
        found[is_known], expected[is_known], rtol=1e-9, atol=10.0**-n_decimals
    )
    if not is_near:
        raise UnclearTableError(
            f"The column {mean!r} is not the mean of the {len(keys)} columns of "
            "folds: is one missing? Bring all of them."
        )


def _decimals(cells):
    """Return how many decimals the numbers of a column are written with."""
    return max(len(str(cell).partition(".")[2]) for cell in cells)


def check_resampling(columns, column, is_designed):
    """Ask how splits were made that mlr3 says to be no cross-validation."""
    if column is None or is_designed:
        return
    ways = sorted(set(map(str, distinct(columns[column]))) - {"cv"})
    if ways:
        raise UnclearTableError(
            f"The resampling is {ways[0]!r}. How were the splits made?",
            ({"cv": "RxK"}, ", for R repeats of K folds"),
            ({"n_train": "N", "n_test": "N"}, ", for random splits"),
        )


def check_examples(layout, columns, roles):
    """Ask about few examples whose scores are means over test sets."""
    if layout.unit != EXAMPLES or "fold" in roles or "score" not in roles:
        return
    example = roles["example"]
    score = roles["score"]
    n_examples = len(distinct(columns[example]))
    if n_examples > MOST_MEANS or not is_bounded_by_one(score, True):
        return
    if len(distinct(columns[score])) <= 3:
        return  # of hits
    raise UnclearTableError(
        f"Are the {n_examples} values of {example!r} test examples, or folds? "
        f"Their scores {score!r} are means over examples.",
        ({"example": example}, ", for examples"),
        ({"fold": example, "cv": n_examples}, ", for folds"),
    )


def ask_of_folds(question, n_folds):
    """Return the error that asks of which cross-validation so many folds are."""
    answers = [({"cv": n_folds}, f", for one {n_folds}-fold cross-validation")]
    possible = [k for k in (10, 5, 3, 2) if n_folds % k == 0 and n_folds > k]
    usual = [k for k in possible if k >= 5] or possible[:1]
    for k in usual:
        n_repeats = n_folds // k
        repeats = {"cv": f"{n_repeats}x{k}"}
        answers.append((repeats, f", for {n_repeats} repeats of {k} folds"))
    return UnclearTableError(question, *answers)
