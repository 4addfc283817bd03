"""What the columns of a table are, where their names leave no doubt."""

from .._losses._metrics import is_bounded_by_one
from ._files import NUMBER
from ._tables import is_hole, is_named_loss, plain_name

# What columns are called elsewhere, by what they are.
ROLES = {
    "model": "model models estimator classifier regressor learner algorithm method "
    "system learner_id model_name provider provider.id",
    "fold": "fold folds split cv_fold fold_id iteration",
    "repeat": "repeat repetition rep",
    "example": "example item sample id doc_id item_id example_id sample_id question "
    "question_id instance instance_id row testidx",
    "run": "run seed epoch generation trial",
    "group": "group patient subject cluster document user",
    "dataset": "dataset data_set",
    "n_train": "n_train train_size",
    "n_test": "n_test test_size",
}
MOST_MODELS = 100


def found_columns(columns, given):
    """Return what columns are: what was given, and what else leaves no doubt.

    Parameters
    ----------
    columns : dict of str to sequence
        The columns of a table with a row for each value.
    given : dict of str to str or None
        The columns that were named, by what they are: `model`, `fold`, and so on.

    Returns
    -------
    found : dict of str to str or None
        `given`, with what else was found.

    Raises
    ------
    ValueError
        If there are several columns of scores or losses.
    """
    found = dict(given)

    def take(role, *roles):
        """Take the only column that is called so, if none is given."""
        names = " ".join(ROLES[name] for name in roles or [role]).split()
        alike = [c for c in _left(columns, found) if plain_name(str(c)) in names]
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
    if found["model"] is None:
        named = [c for c in _left(columns, found) if _names_models(columns[c])]
        found["model"] = named[0] if len(named) == 1 else None
    if found["score"] is None and found["loss"] is None:
        found |= _value(columns, found)
    for role in ("dataset", "repeat", "example", "run"):
        if not is_one_value():
            take(role)
    if found["run"] is not None and found["example"] is None:
        found["repeat"], found["run"] = found["run"], given["run"]  # of folds
    if (found["fold"], found["example"], given["repeat"]) == (None, None, None):
        found["fold"], found["repeat"] = found["repeat"], None  # splits, as it seems
    if found["example"] is not None:
        take("group")
    return found


def _left(columns, found):
    """Return the columns that are not taken."""
    return [name for name in columns if name not in found.values()]


def _names_models(column):
    """Whether text names a few, each equally often."""
    cells = [str(cell) for cell in column]
    counts = {cell: cells.count(cell) for cell in list(dict.fromkeys(cells))[:200]}
    is_text = not any(NUMBER.fullmatch(cell) for cell in counts)
    alike = len(set(counts.values())) == 1 and max(counts.values(), default=0) > 1
    return is_text and alike and 1 < len(counts) <= MOST_MODELS


def _value(columns, found):
    """Return {"score" or "loss": the column of values}, empty if there is none."""
    numbers = [c for c in _left(columns, found) if _are_numbers(columns[c])]
    plain = {name: plain_name(str(name)) for name in numbers}
    scores = [c for c in numbers if plain[c] == "score"] or [
        c for c in numbers if is_bounded_by_one(plain[c], True)
    ]
    losses = [c for c in numbers if plain[c] == "loss"] or [
        c for c in numbers if is_named_loss(c) or is_bounded_by_one(plain[c], False)
    ]
    losses = [c for c in losses if c not in scores]
    if len(scores) + len(losses) > 1:
        several = ", ".join(map(repr, [*scores, *losses]))
        raise ValueError(f"`score` (or `loss`) must be one of the columns {several}")
    return dict([("score", c) for c in scores] + [("loss", c) for c in losses])


def _are_numbers(column):
    """Whether all cells that are filled are numbers, and some are."""
    filled = [str(cell) for cell in column if not is_hole(cell)]
    return bool(filled) and all(map(NUMBER.fullmatch, filled))
