"""What a forest plot shows of a comparison."""

import numpy as np

from .._inference._traits import POSTERIOR
from .._report._findings import is_bayesian
from .._report._format import level_text, one_line
from .._report._plot_words import bounds_mean, bounds_of, finding_of
from .._report._rows import rows_shown, turned_pairs

COLUMNS = (
    "first",
    "second",
    "test",
    "estimate",
    "ci_low",
    "ci_high",
    "ci_low_simultaneous",
    "ci_high_simultaneous",
    "pvalue",
)


def columns_of_comparison(comparison, selected):
    """Return the arguments of the display of a comparison, as a dict.

    `selected`: only the pairs that its tables show; of many, those with the best, which
    then comes second, so that all differences are its lead.
    """
    columns = {}
    intervals = {level_text(table) for table in comparison.tables.values()}
    order = _order(comparison, selected)
    for name, table in comparison.tables.items():
        shown = name
        if len(intervals) > 1:
            shown = f"{name} ({level_text(table)} interval)"
        found = _columns_of(table, order, comparison, selected)
        for column, values in (found | {"test": [shown] * len(order)}).items():
            columns.setdefault(column, []).extend(values)
    if "pvalue_adjusted" in columns:
        columns["p_adjust"] = next(iter(comparison.tables.values())).p_adjust
    columns["alpha"] = comparison.alpha
    columns["xlabel"] = _xlabel(comparison, intervals)
    tables = comparison.tables.values()
    columns["null_values"] = bounds_of(tables)
    columns["null_label"] = bounds_mean(tables)
    columns["finding"] = finding_of(tables)
    return columns


def _order(comparison, selected):
    """Return the positions of the pairs to show, by the difference."""
    table = next(iter(comparison.tables.values()))
    shown = rows_shown(comparison, table) if selected else np.arange(len(table))
    estimates = np.where(_is_turned(table, comparison, selected), -1, 1)
    estimates = (estimates * table.estimate)[shown]
    return shown[np.argsort(-estimates, kind="stable")]


def _is_turned(table, comparison, selected):
    """Return where a pair is turned round, so that the best comes second."""
    if selected:
        return turned_pairs(table, comparison)
    return np.zeros(len(table), dtype=bool)


def _columns_of(table, order, comparison, selected):
    """Return the columns of a display for the pairs in an order."""
    turned = _is_turned(table, comparison, selected)
    columns = {n: v for n, v in table.to_columns().items() if n in COLUMNS}
    if table.is_adjusted:
        columns["pvalue_adjusted"] = table.pvalue_adjusted
    opposite = {"first": "second", "ci_low": "ci_high"}
    opposite["ci_low_simultaneous"] = "ci_high_simultaneous"
    opposite |= {other: name for name, other in opposite.items()}
    found = {}
    for name, values in columns.items():
        other = columns[opposite.get(name, name)]
        sign = -1 if name == "estimate" or name.startswith("ci_") else 1
        other = sign * other if sign < 0 else other
        found[name] = np.where(turned, other, values)[order]
    tables = comparison.tables.values()
    if any(of_test.ci_low_simultaneous is not None for of_test in tables):
        for end in ("ci_low", "ci_high"):  # of a Bayesian test there are no others
            found.setdefault(f"{end}_simultaneous", found[end])
    if any(map(is_bayesian, tables)):
        found["probabilities"] = _probabilities(table, turned)[order]
    return found


def _probabilities(table, turned):
    """Return posterior probabilities (n_pairs, 3), nan where there are none."""
    if not is_bayesian(table):
        return np.full((len(table), 3), np.nan)
    chances = np.column_stack([table.columns[name] for name in POSTERIOR])
    return np.where(turned[:, np.newaxis], chances[:, ::-1], chances)


def _xlabel(comparison, levels):
    """Return what the differences of a comparison are, with the unit."""
    losses = comparison.losses
    name = one_line(losses.loss_name)
    what = f"mean {name}, second − first" if losses.is_score else f"mean {name} loss"
    kind = ""
    if all(map(is_bayesian, comparison.tables.values())):
        kind = "credible "
    intervals = f" ({levels.pop()} {kind}intervals)" if len(levels) == 1 else ""
    return f"difference of {what}{intervals}"
