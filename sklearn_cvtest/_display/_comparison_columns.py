"""What a forest plot shows of a comparison."""

import numpy as np

from .._inference._ends import POSTERIOR
from .._report._findings import is_bayesian
from .._report._format import level_text
from .._report._measure import measure_of
from .._report._plot_words import (
    axis_words,
    bounds_mean,
    bounds_of,
    factor_of,
    finding_of,
)
from .._report._rows import most_shown, shown_pairs


def columns_of_comparison(comparison, pairs):
    """Return the arguments of the display of a comparison, as a dict.

    Of no `pairs`, the models as they are printed, each against the best one or the
    reference; else the pairs, chosen and turned as in tables: see :func:`.shown_pairs`.
    """
    tables, measure = comparison.tables, measure_of(comparison.losses)
    factor = factor_of(measure)
    bounds = bounds_of(tables.values())
    decisions = comparison.decisions
    levels = {name: level_text(table) for name, table in tables.items()}
    is_one_level = len(set(levels.values())) == 1
    # a bound of one side belongs to one order of a pair
    by_model = pairs is None and set(bounds) == {-bound for bound in bounds}
    by_model = by_model and len(decisions) == len(tables)
    columns, order = {}, None
    for name, table in tables.items():
        if by_model:
            found = _of_models(decisions[name], comparison)
        else:
            table, numbers = shown_pairs(comparison, table, pairs)
            if order is None:  # the order by the first test
                ranks = np.argsort(table.estimate[numbers], kind="stable")
                order = numbers[ranks]
            found = _of_pairs(table, order)
        shown = name if is_one_level else f"{name} ({levels[name]} interval)"
        rows = len(found["first"])
        found |= {"test": [shown] * rows, "finding": [finding_of(table.test)] * rows}
        for column, values in found.items():
            columns.setdefault(column, []).extend(values)
    pivot, word = None, ""
    if is_one_level:
        kind = "credible interval" if all(map(is_bayesian, tables.values())) else "CI"
        word = f"{set(levels.values()).pop()} {kind}"
    is_adjusted = table.is_adjusted
    if by_model:
        first = next(iter(decisions.values()))
        is_adjusted = is_adjusted and first.family == "pairs"
        n_models, n_shown = len(first.rows), most_shown(comparison)
        if n_models > n_shown:
            word = f"{word}, the best {n_shown} of {n_models}".removeprefix(", ")
        pivot = "the best" if first.is_about_best else table.names[first.pivot]
    return columns | {
        "p_adjust": table.p_adjust if is_adjusted else None,
        "alpha": comparison.alpha,
        "xlabel": axis_words(measure, word, pivot),
        "factor": factor,
        "null_values": bounds,
        "null_label": bounds_mean(tables.values(), factor),
    }


def _of_models(found, comparison):
    """Return the columns of the models, each against the pivot."""
    names = comparison.losses.estimator_names
    rows = found.rows[: most_shown(comparison)]
    numbers = [(row.difference, *row.interval, row.pvalue) for row in rows]
    estimate, low, high, pvalue = np.transpose(numbers)
    return {
        "first": [names[row.position] for row in rows],
        "second": [names[found.pivot]] * len(rows),
        "estimate": np.where([row.is_pivot for row in rows], 0.0, estimate),
        "ci_low": low,
        "ci_high": high,
        "pvalue": pvalue,
        "is_bound": [row.is_bound for row in rows],
        "probabilities": [row.chances[::-1] or [np.nan] * 3 for row in rows],
    }


def _of_pairs(table, order):
    """Return the columns of pairs in an order."""
    low, high = table.shown_intervals
    chances = np.full((len(table), 3), np.nan)
    if is_bayesian(table):
        chances = np.column_stack([table.columns[name] for name in POSTERIOR])
    names = np.array(table.names, dtype=object)
    columns = {
        "first": names[table.first],
        "second": names[table.second],
        "estimate": table.estimate,
        "ci_low": low,
        "ci_high": high,
        "pvalue": table.pvalue_adjusted,
        "is_bound": np.zeros(len(table), dtype=bool),
        "probabilities": chances,
    }
    return {name: values[order] for name, values in columns.items()}
