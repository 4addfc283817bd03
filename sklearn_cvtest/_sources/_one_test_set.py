"""Scores of the examples of one test set, for which there is another function."""

from .._validation import invalid, invalid_words
from ._tables import column_of


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
