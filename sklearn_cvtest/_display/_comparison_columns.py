"""What a forest plot shows of a comparison."""

import numpy as np

from .._inference._names import POSTERIOR
from .._report._findings import is_bayesian
from .._report._format import level_text, one_line
from .._report._plot_words import bounds_mean, bounds_of, finding_of
from .._report._rows import shown_pairs

OF_SCORES = ", second − first"
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


def columns_of_comparison(comparison, pairs):
    """Return the arguments of the display of a comparison, as a dict.

    `pairs` are chosen, and turned, as in tables: see :func:`.shown_pairs`.
    """
    columns = {}
    tables = comparison.tables.values()
    intervals = {level_text(table) for table in tables}
    order = None
    for name, table in comparison.tables.items():
        shown = name
        if len(intervals) > 1:
            shown = f"{name} ({level_text(table)} interval)"
        table, numbers = shown_pairs(comparison, table, pairs)
        if order is None:  # the order by the first test
            order = numbers[np.argsort(-table.estimate[numbers], kind="stable")]
        found = _columns_of(table, order, comparison)
        for column, values in (found | {"test": [shown] * len(order)}).items():
            columns.setdefault(column, []).extend(values)
    if "pvalue_adjusted" in columns:
        columns["p_adjust"] = table.p_adjust
    columns["alpha"] = comparison.alpha
    columns["xlabel"] = _xlabel(comparison, intervals)
    columns["null_values"] = bounds_of(tables)
    columns["null_label"] = bounds_mean(tables)
    columns["finding"] = finding_of(tables)
    return columns


def _columns_of(table, order, comparison):
    """Return the columns of a display for the pairs in an order."""
    columns = {n: v for n, v in table.to_columns().items() if n in COLUMNS}
    if table.is_adjusted:
        columns["pvalue_adjusted"] = table.pvalue_adjusted
    tables = comparison.tables.values()
    if any(of_test.ci_low_simultaneous is not None for of_test in tables):
        for end in ("ci_low", "ci_high"):  # of a Bayesian test there are no others
            columns.setdefault(f"{end}_simultaneous", columns[end])
    if any(map(is_bayesian, tables)):
        columns["probabilities"] = _probabilities(table)
    return {name: values[order] for name, values in columns.items()}


def _probabilities(table):
    """Return posterior probabilities (n_pairs, 3), nan where there are none."""
    if not is_bayesian(table):
        return np.full((len(table), 3), np.nan)
    return np.column_stack([table.columns[name] for name in POSTERIOR])


def _xlabel(comparison, levels):
    """Return what the differences of a comparison are, with the unit."""
    losses = comparison.losses
    name = one_line(losses.loss_name)
    what = f"mean {name}{' loss' * (not name.endswith('loss'))}"
    if losses.is_score:
        what = f"mean {name}{OF_SCORES}"
    kind = ""
    if all(map(is_bayesian, comparison.tables.values())):
        kind = "credible "
    intervals = f" ({levels.pop()} {kind}intervals)" if len(levels) == 1 else ""
    return f"difference of {what}{intervals}"
