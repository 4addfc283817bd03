"""What the columns of a table are, where their names or values leave no doubt."""

import re

import numpy as np

from .._losses._names import is_bounded_by_one
from .._validation import invalid, invalid_words
from ._files import NUMBER
from ._tables import as_labels, column_of, is_hole, is_named_loss, plain_name

# What columns are called elsewhere, by what they are.
NAMES = {
    "model": "model models estimator classifier regressor learner algorithm method "
    "system learner_id model_name provider provider.id",
    "fold": "fold folds split cv_fold fold_id iteration",
    "repeat": "repeat repetition rep",
    "example": "example item sample id doc_id item_id example_id sample_id question "
    "question_id instance instance_id row testidx",
    "run": "run seed epoch generation trial",
    "group": "group patient subject cluster document user",
    "dataset": "dataset data_set datensatz",
    "n_train": "n_train train_size",
    "n_test": "n_test test_size",
    "y_true": "y_true y target truth true actual ground_truth label gold",
    "nothing": "time fit_time score_time seconds duration index unnamed:_0",
}
ROLES = {role: names.split() for role, names in NAMES.items()}
KNOWN = {name for names in ROLES.values() for name in names} | {""}
MOST_MODELS = 100
MOST_FOLDS = 30  # of a column that is not called so: more may be examples
MOST_CLASSES = 30  # of whole numbers that are labels

NUMBERED = re.compile(r"[+-]?(?<!\d)\d+$")
LETTERS = re.compile(r"[^\W\d_]+")
OF_FOLDS = {
    *("fold", "folds", "split", "cv", "part", "f", "k", "s"),
    *("rep", "repeat", "repetition", "resample", "run", "seed", "iter", "iteration"),
    "r",
}


def is_of_folds(name):
    """Whether a fold, or a column of them, may be called so: "fold 3", 3, "split"."""
    return OF_FOLDS.issuperset(LETTERS.findall(name.lower()))


def found_columns(columns, given):
    """Return what columns are: what was given, and what else leaves no doubt.

    Parameters
    ----------
    columns : dict of str to sequence
        The columns of a table with a row for each value, or for each example, with the
        target and the predictions of each model.
    given : dict of str to str or None
        The columns that were named, by what they are: `model`, `fold`, and so on.

    Returns
    -------
    found : dict of str to str or None
        `given`, with what else was found; `y_true` of predictions only.

    Raises
    ------
    ValueError
        If there are several columns of scores or losses.
    """
    found = {role: column_of(name, columns) or name for role, name in given.items()}

    def take(role):
        """Take the only column that is called so, if none is given."""
        alike = [c for c in _left(columns, found) if plain_name(str(c)) in ROLES[role]]
        alike = [c for c in alike if plain_name(str(c)) == role] or alike
        if found.get(role) is None and len(alike) == 1:
            found[role] = alike[0]

    def is_one_value():
        """Whether each row is known by what was found."""
        roles = "model", "fold", "repeat", "example", "run", "dataset"
        keys = [columns[found[r]] for r in roles if found.get(r) in columns]
        rows = list(zip(*keys, strict=True))
        return len(set(rows)) == len(rows) > 0

    for role in ("model", "fold", "n_train", "n_test"):
        take(role)
    if found["model"] is None and found["y_true"] is None:  # no predicted words
        found["model"] = _only_one(
            [c for c in columns_of_models(columns, found) if _names_models(columns[c])],
            lambda name: not _are_numbered(columns[name]),
        )
    if found["model"] is None and found["y_true"] is None:
        take("y_true")
    if found["y_true"] is not None:
        take("group")
        return found
    keys = _likely_keys(columns, found)
    if found["score"] is None and found["loss"] is None:
        found |= _value(columns, found, keys)
    for role in ("dataset", "repeat", "example", "run"):
        if not is_one_value():
            take(role)
    if not is_one_value() and found["fold"] is None and len(keys) == 1:
        values = columns.get(found["score"] or found["loss"], [])
        is_of_example = set() < set(map(str, values)) <= {"0", "1", "0.0", "1.0"}
        if is_of_example or len(set(columns[keys[0]])) <= MOST_FOLDS:
            found["example" if is_of_example else "fold"] = keys[0]
    if found["run"] is not None and found["example"] is None:
        found["repeat"], found["run"] = found["run"], given["run"]  # of folds
    if (found["fold"], found["example"], given["repeat"]) == (None, None, None):
        found["fold"], found["repeat"] = found["repeat"], None  # splits, as it seems
    if found["example"] is not None:
        take("group")
    return found


def columns_of_models(columns, given, is_wide=False):
    """Return the columns that are nothing else, where there is one for each model.

    In a wide table, numbers that count the rows are folds.
    """
    return [
        name
        for name in _left(columns, given)
        if plain_name(str(name)) not in KNOWN
        and not (is_wide and _counts_rows(columns[name]))
    ]


def columns_of_predictions(columns, found):
    """Return the columns that hold what models predict of `y_true`, and the others.

    Of numbers, numbers; of labels, some of these, or numbers of the second of two.
    """
    target = as_labels(columns[found["y_true"]])
    classes, kind = set(target.tolist()), target.dtype.kind
    may_be_any = kind == "f" or (kind == "i" and len(classes) > MOST_CLASSES)
    models, others = [], []
    for name in columns_of_models(columns, found):
        values = as_labels(columns[name])
        is_real = values.dtype.kind == "f" and len(classes) == 2
        is_number = may_be_any and values.dtype.kind in "if"
        is_model = is_real or is_number or classes.issuperset(values.tolist())
        (models if is_model else others).append(name)
    return models, others


def _counts_rows(column):
    cells = [str(cell) for cell in column]
    return any(cells == [str(i + k) for i in range(len(cells))] for k in (0, 1))


def means_more_is_better(name):
    """Whether the name of a column says that greater values are better."""
    return name is None or name == "score" or is_bounded_by_one(plain_name(name), True)


def _left(columns, found):
    """Return the columns that are not taken."""
    return [name for name in columns if name not in found.values()]


def _only_one(names, prefers):
    """Return the only name, or the only one of several that is preferred, or None."""
    names = names if len(names) < 2 else list(filter(prefers, names))
    return names[0] if len(names) == 1 else None


def _names_models(column):
    """Whether text names a few, each equally often, that are no folds."""
    cells = [str(cell) for cell in column]
    counts = {cell: cells.count(cell) for cell in list(dict.fromkeys(cells))[:200]}
    is_text = not any(NUMBER.fullmatch(cell) for cell in counts)
    alike = len(set(counts.values())) == 1 and max(counts.values(), default=0) > 1
    is_few = 1 < len(counts) <= MOST_MODELS
    return is_text and alike and is_few and not all(map(is_of_folds, counts))


def _are_numbered(column):
    """Whether cells are whole numbers, or such after the same text: "pli 3"."""
    return len({NUMBERED.sub("", str(cell)) for cell in column}) == 1


def _likely_keys(columns, found):
    """Return the columns, numbered or of folds, that have all cells for each model.

    What is called something else is left out.
    """
    if found["model"] not in columns:
        return []
    models = np.array([str(cell) for cell in columns[found["model"]]])
    likely = []
    for name in columns_of_models(columns, found):
        cells = np.array([str(cell) for cell in columns[name]])
        levels = sorted(set(cells))
        is_key = _are_numbered(levels) or all(map(is_of_folds, levels))
        of_models = (sorted(cells[models == model]) for model in set(models))
        if is_key and all(of_one == levels for of_one in of_models):
            likely.append(name)
    return likely


def _value(columns, found, keys):
    """Return {"score" or "loss": the column of values}, empty if there is none.

    Of several numbers it is the one whose name tells, or that alone has decimals; where
    the name does not tell, greater is better.
    """
    numbers = [c for c in _left(columns, found) if _are_numbers(columns[c])]
    plain = {name: plain_name(str(name)) for name in numbers}
    scores = [c for c in numbers if plain[c] == "score"] or [
        c for c in numbers if is_bounded_by_one(plain[c], True)
    ]
    losses = [c for c in numbers if plain[c] == "loss"] or [
        c for c in numbers if is_named_loss(c) or is_bounded_by_one(plain[c], False)
    ]
    losses = [c for c in losses if c not in scores]
    if found["model"] in columns and not scores and not losses:
        scores = [c for c in numbers if c not in keys and plain[c] not in KNOWN]
        value = _only_one(scores, lambda name: as_labels(columns[name]).dtype == float)
        scores = scores if value is None else [value]
    if len(scores) + len(losses) > 1:
        several = ", ".join(map(repr, [*scores, *losses]))
        raise ValueError(f"`score` (or `loss`) must be one of the columns {several}")
    return dict([("score", c) for c in scores] + [("loss", c) for c in losses])


def _are_numbers(column):
    """Whether all cells that are filled are numbers, and some are."""
    filled = [str(cell) for cell in column if not is_hole(cell)]
    return bool(filled) and all(map(NUMBER.fullmatch, filled))


# Scores of the examples of one test set: another function -----------------------


def refuse_one_test_set(columns, names, score, loss):
    """Raise for scores of examples of one test set, with the call that takes them."""
    parts = ("fold", "example", "repeat", "model")
    fold, example, runs, model = (column_of(names[part], columns) for part in parts)
    if fold is not None:
        n_models, n_folds, n_examples = (
            len(set(map(str, columns.get(name, [])))) for name in (model, fold, example)
        )
        is_crossed = len(columns[fold]) >= n_models * n_folds * n_examples
        if example is None or (n_folds > 1 and not is_crossed):
            return
        runs = fold if n_folds > 1 else runs
    given = {"example": example or "...", "run": runs, "score": score, "loss": loss}
    if names["model"] != "model":
        given = {"model": names["model"], **given}
    call = ", ".join(f"{key}={name!r}" for key, name in given.items() if name)
    hint = (
        f"For scores of the examples of one test set, use compare_scores(table, {call})"
        ", which takes no folds. For one score of each data set, use "
        "compare_over_datasets(table, dataset='...')."
    )
    if fold is None:
        allowed = f"one of the columns, {', '.join(map(repr, columns))}"
        kind = ValueError if isinstance(names["fold"], str) else TypeError
        raise invalid("fold", allowed, names["fold"], kind, hint)
    why = "has one fold only" if n_folds < 2 else "tests every example in every fold"
    shown = f"{fold!r}, which {why}"
    raise invalid_words("fold", "the column of folds", shown, hint=hint)
