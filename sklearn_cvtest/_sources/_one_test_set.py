"""Scores of the examples of one test set, for which there is another function."""

import shlex

from .._validation import invalid, invalid_words
from ._tables import check_column


def refuse_one_test_set(columns, names, score, loss):
    """Raise for scores of examples of one test set, with the call that takes them."""
    fold, example = (_column(names[name], columns) for name in ("fold", "example"))
    runs = _column(names["repeat"], columns)
    if fold is not None:
        if example is None:
            return
        model = _column(names["model"], columns)
        n_models, n_folds, n_examples = (
            len(set(map(str, columns.get(name, [])))) for name in (model, fold, example)
        )
        if n_folds > 1:
            if len(columns[fold]) < n_models * n_folds * n_examples:
                return
            runs = fold
    value = ("loss", loss) if score is None and loss is not None else ("score", score)
    given = {"model": names["model"], "example": example or "...", "run": runs}
    given = {**given, value[0]: value[1]}
    if given["model"] == "model":
        del given["model"]
    given = {key: name for key, name in given.items() if name is not None}
    call = ", ".join(["table", *(f"{key}={name!r}" for key, name in given.items())])
    typed = shlex.join(
        part for key, name in given.items() for part in (f"--{key}", str(name))
    )
    hint = f"For scores of the examples of one test set, use compare_scores({call})"
    hint += f" (in the command, {typed}, without --fold and --repeat)."
    hint += " For one score of each data set, use compare_over_datasets(table)."
    if fold is None:
        allowed = f"one of the columns, {', '.join(map(repr, columns))}"
        kind = ValueError if isinstance(names["fold"], str) else TypeError
        raise invalid("fold", allowed, names["fold"], kind, hint)
    why = "has one fold only" if n_folds < 2 else "tests every example in every fold"
    shown = f"{fold!r}, which {why}"
    raise invalid_words("fold", "the column of folds", shown, hint=hint)


def _column(name, columns):
    """Return the column that a name means, None if there is none."""
    try:
        return check_column("", name, columns)
    except (TypeError, ValueError):
        return None
