"""What is said of a file: what it holds, supports and lacks, and what to type."""

import shlex

from ._comparison import title
from ._notes import short_name

MOST_SHOWN = 6
NEEDS = {
    "no_values": "a column of scores or losses: name it by --score COLUMN (greater is "
    "better) or --loss COLUMN",
    "no_models": "a column of models (--model COLUMN), or one for each model (--wide)",
    "no_folds": "a column of folds (--fold COLUMN), or of the examples of one test set "
    "(--example COLUMN)",
}


def doctor_lines(found, result, error):
    """Return five lines on a Diagnosis, from its Comparison or the error of it."""
    typed = shlex.join(["sklearn-cvtest", "compare", *found.arguments])
    label = "Type:     " if error is None else "Then type:"
    return [
        f"File:      {_file(found)}",
        f"Found:     {_parts(found)}",
        f"Supports:  {_supported(result)}",
        f"Missing:   {_missing(found, error)}",
        f"{label} {typed}",
    ]


def _file(found):
    n_rows = len(next(iter(found.columns.values())))
    form = found.form
    how = f", separated by {form['separator']!r}" if "separator" in form else ""
    how += ", with decimal commas" if "decimal" in form else ""
    columns = _listed(found.columns)
    return f"{' '.join(found.paths)}: {n_rows} rows; columns {columns}{how}."


def _listed(names):
    names = [repr(str(name)) for name in names]
    more = f" and {len(names) - MOST_SHOWN} more" * (len(names) > MOST_SHOWN)
    return ", ".join(names[:MOST_SHOWN]) + more


def _parts(found):
    """Return what the columns are."""
    parts = []
    if found.models:
        where = "a column each" if found.wide else repr(found.roles["model"])
        parts.append(f"{len(found.models)} models ({where}: {_listed(found.models)})")
    for role, column in found.roles.items():
        if role != "model" and not role.startswith("n-"):
            count = found.count(role)
            kind = {"dataset": "data set"}.get(role, role)
            parts.append(f"{count} {kind}{'s' * (count > 1)} ({column!r})")
    for kind, column in (("scores", found.score), ("losses", found.loss)):
        if column is not None and not found.wide:
            parts.append(f"{kind} {column!r}{' in percent' * found.percent}")
    if found.wide:
        parts.append("leave out a column that is not a model with --ignore COLUMN")
    if found.others:
        parts.append(f"not used: {_listed(found.others)}")
    return f"{'; '.join(parts)}." if parts else "nothing that could be recognised."


def _supported(result):
    if result is None:
        return "nothing yet."
    name = next(iter(result.tables))
    return f"{title(result)}, by {short_name(name)}."


def _missing(found, error):
    needs = []
    if found.score is None and found.loss is None:
        needs.append(NEEDS["no_values"])
    if not found.models:
        needs.append(NEEDS["no_models"])
    if not {"fold", "example"} & set(found.roles):
        needs.append(NEEDS["no_folds"])
    if needs:
        return f"{'; '.join(needs)}."
    if error is not None:
        return " ".join(str(error).split())
    if found.is_one_set:
        if found.count("run") > 1:
            return "nothing."
        return (
            "nothing that is needed. Several runs of each model (a column for --run) "
            "would tell what another seed would give."
        )
    if {"n-train", "example", "repeat"} & set(found.roles):
        return "nothing."
    return (
        "nothing if these are the folds of one K-fold; else the sizes of the sets, "
        "--n-train N --n-test N."
    )
