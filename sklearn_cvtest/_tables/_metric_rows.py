"""Tables of skore, with a row for each metric, of which one is compared."""

import numpy as np

from ._column_names import direction_of
from ._table_columns import as_numbers, is_hole
from ._unclear import UnclearTableError
from ._values import direction_of_values, header_of, several_values


def rows_of_metric(columns, fit, roles, user_roles):
    """Return the long table of one metric, and its roles.

    Parameters
    ----------
    columns : dict of str to list
        The columns of the file.
    fit : Fit
        Its layout.
    roles : dict of str to str
        The column of each role; "metric" holds the names of metrics.
    user_roles : dict of str to str
        What the user named: `score` or `loss` is the metric.
    """
    names = _metrics(columns, roles)
    metric = _chosen_metric(names, user_roles)
    rows = [row for row, name in enumerate(names) if name == metric]
    values = {
        name: as_numbers(
            name, [columns[name][row] for row in rows], has_holes=True, rows=rows
        )
        for name in fit.values
    }
    if "model" in roles:
        long = {
            role: [columns[roles[role]][row] for row in rows]
            for role in ("model", "fold")
        }
        long[metric] = values[fit.values[0]]
    else:
        long = _unfolded(values, fit, metric)
    direction, name = direction_of_values(fit.layout, metric, user_roles, [metric])
    return long, {"model": "model", "fold": "fold", direction: name}


def _metrics(columns, roles):
    """Return the metric of each row, such as "recall_1" for recall of the label 1."""
    names = [str(cell) for cell in columns[roles["metric"]]]
    if "label" not in roles:
        return names
    labels = columns[roles["label"]]
    return [
        name if is_hole(label) else f"{name}_{label}"
        for name, label in zip(names, labels, strict=True)
    ]


def _chosen_metric(names, user_roles):
    """Return the metric that the user named, or the only one; ask of several."""
    chosen = user_roles.get("score") or user_roles.get("loss")
    metrics = [name for name in dict.fromkeys(names) if direction_of(name)]
    if chosen in names:
        return chosen
    if len(metrics) == 1 and chosen is None:
        return metrics[0]
    raise several_values(metrics)


def _unfolded(values, fit, metric):
    """Return a row for each model and split, from a column for each."""
    long = {"model": [], "fold": [], metric: []}
    for name, numbers in values.items():
        header = header_of(fit.layout, name)
        cells = numbers[np.isfinite(numbers)].tolist()
        if len(cells) != 1:
            raise UnclearTableError(
                f"The column {name!r} has {len(cells)} rows {metric!r}. Bring one: "
                "models need names that differ."
            )
        long["model"].append(header["model"])
        long["fold"].append(header["key"])
        long[metric].append(cells[0])
    return long
