"""What the columns of a file seem to be, and the command that compares its models."""

from dataclasses import dataclass

from .._losses._metrics import is_bounded_by_one
from ._files import (
    DAMAGE,
    NUMBER,
    SEPARATORS,
    WITH_COMMA,
    opened,
    read_file,
    unreadable,
)
from ._tables import as_columns, is_hole, is_named_loss, plain_name

# What columns are called elsewhere, by the option that names them.
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
    "n-train": "n_train train_size",
    "n-test": "n_test test_size",
}
DEFAULTS = {"model": "model", "fold": "fold"}


@dataclass(frozen=True)
class Diagnosis:
    """What is found in a file.

    Attributes
    ----------
    paths : list of str
        The file, or logs and the options to read them.
    columns : dict of str to list
        Its columns.
    form : dict of str to str
        Options that say how it is written: "separator" and "decimal" of CSV.
    roles : dict of str to str
        The columns whose names tell what they are, by option.
    score, loss : str or None
        The column of values; of a wide table, what values are called.
    models : list of str
        The names of the models.
    wide : list of str
        In a wide table, the columns that hold the values of one model each.
    others : list of str
        Columns that are not used.
    percent : bool
        Whether values look like percent.
    are_logs : bool
        Whether the columns come from a table of logs and need no options.
    """

    paths: list
    columns: dict
    form: dict
    roles: dict
    score: str
    loss: str
    models: list
    wide: list
    others: list
    percent: bool
    are_logs: bool = False

    @property
    def is_one_set(self):
        """Whether rows are examples of one test set, without folds."""
        roles = self.roles
        return "example" in roles and self.count("fold") < 2

    def count(self, role):
        """Return how many values the column of a role has, 0 without one."""
        return len(set(self.columns[self.roles[role]])) if role in self.roles else 0

    @property
    def arguments(self):
        """The arguments of `sklearn-cvtest compare`, list of str."""
        found = list(self.paths)
        if self.are_logs:
            return found
        unused = (
            {"repeat", "dataset", "n-train", "n-test"} if self.is_one_set else {"run"}
        )
        for role, column in self.roles.items():
            is_default = plain_name(column) == DEFAULTS.get(role)
            is_unused = role in unused or (self.is_one_set and role == "fold")
            if not (is_default or is_unused):
                found += [f"--{role}", column]
        for name, column in (("score", self.score), ("loss", self.loss)):
            if column is not None and not self.wide:
                found += [f"--{name}", column]
        for option, value in self.form.items():
            found += [f"--{option}", value]
        if self.wide:
            left = [name for name in self.columns if name not in self.wide]
            left = [n for n in left if n not in self.roles.values() or n in unused]
            found += ["--wide", *(part for n in left for part in ("--ignore", n))]
        return found + ["--percent"] * self.percent


def diagnose(path):
    """Return the Diagnosis of a table in a file."""
    columns, form = _read(path)
    roles = {}
    for role, names in ROLES.items():
        alike = [c for c in columns if plain_name(str(c)) in names.split()]
        if alike:
            roles[role] = min(alike, key=lambda c: names.split().index(plain_name(c)))
    used = set(roles.values())
    numbers = [c for c in columns if c not in used and _are_numbers(columns[c])]
    score, loss = _value(numbers, columns)
    wide = []
    if "model" not in roles and len(numbers) > 1:
        wide, score, loss = _of_models(numbers, columns), "score", None
    value = [
        cell for name in wide or filter(None, (score, loss)) for cell in columns[name]
    ]
    models = wide or list(dict.fromkeys(map(str, columns.get(roles.get("model"), []))))
    name = score if loss is None else loss
    percent = bool(
        value
        and is_bounded_by_one(plain_name(name), loss is None)
        and not any("%" in str(cell) for cell in value)
        and 1 < max(_number(cell) for cell in value) <= 100
    )
    taken = used | {score, loss, *wide}
    others = [name for name in columns if name not in taken]
    return Diagnosis(
        [path], columns, form, roles, score, loss, models, wide, others, percent
    )


def of_logs(arguments, table):
    """Return the Diagnosis of the table of logs, read with these arguments."""
    roles = {name: name for name in table if name in ROLES}
    score, loss = (name if name in table else None for name in ("score", "loss"))
    models = list(dict.fromkeys(table["model"]))
    return Diagnosis(
        arguments, table, {}, roles, score, loss, models, [], [], False, are_logs=True
    )


def _read(path):
    """Return the columns of a file, and the options that are needed to read it."""
    form = {}
    base = path.removesuffix(".gz").lower()
    if base.endswith((".csv", ".txt")):
        try:
            with opened(path) as file:
                lines = [file.readline() for _ in range(5)]
        except DAMAGE as error:
            raise unreadable("an intact CSV file", path, error) from None
        counts = {s: {line.count(s) for line in lines if line} for s in SEPARATORS}
        likely = [s for s in SEPARATORS if len(counts[s]) == 1 and counts[s] != {0}]
        present = [s for s in SEPARATORS if s in lines[0]]
        if len(present) > 1 and likely:
            form["separator"] = likely[0]
    columns = as_columns(read_file(path, form.get("separator")))
    if base.endswith((".csv", ".txt", ".tsv")) and any(
        _are_numbers(column) and any(WITH_COMMA.fullmatch(str(cell)) for cell in column)
        for column in columns.values()
    ):
        form["decimal"] = ","
        columns = as_columns(read_file(path, form.get("separator"), ","))
    return columns, form


def _are_numbers(column):
    """Whether all cells that are filled are numbers, and some are."""
    filled = [str(cell) for cell in column if not is_hole(cell)]
    return bool(filled) and all(map(NUMBER.fullmatch, filled))


def _of_models(numbers, columns):
    """Return the columns with scores; integers beside other numbers count something."""
    with_decimals = [
        name
        for name in numbers
        if not all(str(cell).strip().isdecimal() for cell in columns[name])
    ]
    return with_decimals if len(with_decimals) > 1 else numbers


def _number(cell):
    try:
        return float(cell)
    except (TypeError, ValueError):
        return 0.0


def _value(numbers, columns):
    """Return the columns (score, loss), one of which is None, or both."""
    for kind, is_score in (("score", True), ("loss", False)):
        named = [c for c in numbers if plain_name(c) == kind]
        known = [c for c in numbers if is_bounded_by_one(plain_name(c), is_score)]
        if named or known:
            column = (named or known)[0]
            return (column, None) if is_score else (None, column)
    losses = [c for c in numbers if is_named_loss(c)]
    if losses:
        return None, losses[0]
    return (numbers[0], None) if len(numbers) == 1 else (None, None)
