"""Which column holds the values of a table, and whether greater is better."""

import re

import numpy as np

from .._losses._metric_names import is_bounded_by_one
from .._validation import first_few
from ._column_names import direction_of, direction_of_metric, metric_of
from ._table_columns import as_numbers, check_column, is_hole, plain_name
from ._unclear import UnclearTableError


def one_value(fit, columns, user_roles):
    """Return {"score" or "loss": the column of values} of a long table."""
    if not fit.values:
        raise UnclearTableError("No column of the table holds numbers to compare.")
    for role in ("score", "loss"):
        if role in user_roles:
            return {role: check_column(role, user_roles[role], columns)}
    if len(fit.values) > 1:
        raise several_values(fit.values)
    (name,) = fit.values
    direction = fit.layout.direction or direction_of(name)
    if fit.layout.direction and "metric" in columns:
        _check_signs(columns, name)
    if direction is None:
        raise UnclearTableError(
            f"Is a greater {name!r} better?",
            ({"score": name}, ", if greater is better"),
            ({"loss": name}, ", if smaller is better"),
        )
    return {direction: name}


def several_values(names):
    """Return the error for several columns of which one has to be chosen."""
    answers = []
    for name in names[:3]:
        direction = direction_of(name)
        answers.append(({direction or "score": name}, ""))
    listed = ", ".join(map(repr, names))
    return UnclearTableError(f"By which of {listed}?", *answers)


def _check_signs(columns, name):
    """Refuse results that are said to be scores and of a metric that is a loss."""
    metrics = {str(cell) for cell in columns["metric"] if not is_hole(cell)}
    losses = {m for m in metrics if direction_of_metric(m.lower()) == "loss"}
    numbers = as_numbers(name, columns[name], has_holes=True)
    are_positive = any(
        metric in losses and number > 0
        for metric, number in zip(columns["metric"], numbers, strict=True)
    )
    if are_positive and losses == metrics:
        raise UnclearTableError(
            f"Is a greater {name!r} better, of the metric {min(losses)!r}?",
            ({"score": name}, ", if greater is better"),
            ({"loss": name}, ", if smaller is better"),
        )
    if are_positive:
        raise UnclearTableError(
            f"The column {name!r} holds scores, and positive numbers of the metric "
            f"{min(losses)!r}, of which smaller is better. Bring them as scores, with "
            "a minus, or each metric in a file of its own."
        )


def metric_of_search(fit, roles, user_roles):
    """Return roles with the metric of a search, which must be one."""
    metrics = sorted({header_of(fit.layout, name)["metric"] for name in fit.values})
    chosen = user_roles.get("score") or user_roles.get("loss")
    if len(metrics) > 1 and chosen not in metrics:
        raise several_values(metrics)
    return roles | {"score": chosen or metrics[0]}


def header_of(layout, name):
    """Return the groups of the pattern in the name of a column of values."""
    match = re.fullmatch(layout.values, plain_name(str(name)))
    groups = match.groupdict() if match else {}
    for part in ("metric", "model"):
        if groups.get(part) is not None:
            groups[part] = _as_written(groups[part], str(name))
    return groups


def _as_written(part, name):
    """Return a part of a name with its capitals."""
    start = plain_name(name).find(part)
    return name.strip()[start : start + len(part)] if start >= 0 else part


def metric_of_headers(layout, values, user_roles):
    """Return the metric that headers name, None of none, and its columns."""
    by_metric = {}
    for name in values:
        by_metric.setdefault(header_of(layout, name).get("metric"), []).append(name)
    chosen = user_roles.get("score") or user_roles.get("loss")
    if len(by_metric) == 1:
        return next(iter(by_metric.items()))
    for metric, of_metric in by_metric.items():
        if metric is not None and chosen == metric:
            return metric, of_metric
    raise several_values([metric for metric in by_metric if metric is not None])


def direction_of_values(layout, metric, user_roles, values):
    """Return "score" or "loss" of spread values, and their name."""
    for role in ("score", "loss"):
        if role in user_roles:
            return role, user_roles[role]
    direction = direction_of(metric) if metric else None
    if direction:
        return direction, metric
    listed = first_few([*map(repr, values)], 3)
    raise UnclearTableError(
        f"What are the numbers in the columns {listed}, and is greater better?",
        ({"score": "accuracy"}, " (or another name), if greater is better"),
        ({"loss": "error"}, ", if smaller is better"),
    )


def in_shares(reading, fit, percent):
    """Return a reading with the name of its metric, and whether it is in percent."""
    role = "score" if "score" in reading.roles else "loss"
    name = reading.roles[role]
    is_of_layout = reading.layout.percent and name in fit.values
    header = (
        re.fullmatch(reading.layout.values, plain_name(name)) if is_of_layout else None
    )
    metric = "accuracy" if header else metric_of(name)
    columns = reading.columns
    roles = dict(reading.roles)
    is_bounded = is_bounded_by_one(metric, role == "score")
    if is_bounded and metric != name and metric not in columns:
        columns = {
            metric if key == name else key: cells for key, cells in columns.items()
        }
        roles[role] = name = metric
    is_percent = percent or header is not None
    if is_bounded and not is_percent:
        is_percent = _are_percent(columns[name])
    return reading._replace(columns=columns, roles=roles, percent=is_percent)


def _are_percent(numbers):
    """Whether numbers that are at most 1 as shares can only be percent."""
    numbers = numbers[np.isfinite(numbers)]
    return len(numbers) > 0 and bool(numbers.min() > 1.5 and numbers.max() <= 100)
