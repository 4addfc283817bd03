"""Tables of the cells of evaluate.py, and the ρ that they choose.

The default is to have the largest power at which, without naive Bayes, the mean size of
zero-one and absolute errors together is at most 4%, and at most 3% of the cells are
significantly above 6%.
"""

import numpy as np
from scipy import stats

RULES = "1/4", ".29", "1/3", ".375", ".41"
KINDS = ("ordinary",), ("ordinary", "skewed target", "rare class")
POWERS = "power_2sd", "power_3sd"
MOST_SIZE = 0.06  # that a cell may have
MOST_MEAN_SIZE, MOST_SHARE_OVER = 0.04, 0.03  # of the cells, to choose ρ


def mean(cells, column):
    values = [float(cell[column]) for cell in cells if cell[column] != ""]
    return np.mean(values) if values else np.nan


def is_over(cell, column="size"):
    """Return whether a rate is significantly above 6%."""
    if cell[column] == "":
        return False
    n = int(cell["samples"])
    count = round(float(cell[column]) * n)
    return stats.binom.sf(count - 1, n, MOST_SIZE) <= 0.05


def error_of(cells, column="size"):
    """Return the standard error of a mean rate; cells of a file share samples."""
    files = {}
    cells = [cell for cell in cells if cell[column] != ""]
    for cell in cells:
        key = cell["population"], cell["n"]
        files.setdefault(key, []).append(float(cell[column]))
    if len(files) < 2:
        return np.nan
    total = mean(cells, column)
    sums = [sum(value - total for value in values) for values in files.values()]
    n_files = len(files)
    return np.sqrt(np.sum(np.square(sums)) * n_files / (n_files - 1)) / len(cells)


def significant(cells, low, high):
    """Return how often differences of a true distance are significant."""
    inside = [cell for cell in cells if low <= float(cell["distance"]) < high]
    return mean(inside, "significant")


def row_of(cells):
    """Return the columns of the table that sum up cells."""
    return {
        "populations": len({cell["population"] for cell in cells}),
        "cells": len(cells),
        "samples": int(np.median([int(cell["samples"]) for cell in cells])),
        "rho": np.median([float(cell["rho"]) for cell in cells]),
        "size": mean(cells, "size"),
        "error": error_of(cells),
        "over": sum(is_over(cell) for cell in cells),
        "power_2sd": mean(cells, "power_2sd"),
        "power_3sd": mean(cells, "power_3sd"),
        "misses": mean(cells, "misses"),
        "misses_error": error_of(cells, "misses"),
        "misses_over": sum(is_over(cell, "misses") for cell in cells),
        "mixed": mean(cells, "mixed"),
        "mixed_over": sum(is_over(cell, "mixed") for cell in cells),
        "found_1_2sd": significant(cells, 1, 2),
        "found_2_4sd": significant(cells, 2, 4),
    }


def by(cells, *columns):
    groups = {}
    for cell in cells:
        groups.setdefault(tuple(cell[name] for name in columns), []).append(cell)
    return groups


def table_of(cells):
    """Return rows by loss, kind, half ("both" or "verify"), design and rule."""
    keys = ("loss", "kind", "folds", "runs", "rule")
    rows = []
    for key, inside in sorted(by(cells, *keys).items()):
        head = dict(zip(keys, key, strict=True))
        for half in ("both", "verify"):
            used = [cell for cell in inside if half in ("both", cell["half"])]
            if used:
                rows.append({"half": half} | head | row_of(used))
    return rows


def decisive(cells, kinds):
    """Return the cells on which ρ is chosen, by loss.

    Zero-one errors without naive Bayes, and absolute errors, of independent rows.
    """
    used = [cell for cell in cells if cell["kind"] in kinds]
    return {
        loss: [cell for cell in used if cell["loss"] == loss]
        for loss in ("zero_one", "absolute")
    }


def percent(value, decimals=1):
    return "" if np.isnan(value) else f"{100 * value:.{decimals}f}"


def with_error(cells):
    return f"{percent(mean(cells, 'size'))} ± {percent(error_of(cells))}"


def count_over(cells, column="size"):
    count = sum(is_over(cell, column) for cell in cells)
    return f"{count} of {sum(cell[column] != '' for cell in cells)}"


def holds(cells):
    """Return whether sizes are as small as they must be."""
    n_over = sum(is_over(cell) for cell in cells)
    is_rarely_over = n_over <= MOST_SHARE_OVER * len(cells)
    return mean(cells, "size") <= MOST_MEAN_SIZE and is_rarely_over


def smallest_rule(failing):
    """Return the smallest ρ that fails in no design."""
    holding = [rule for rule in RULES if rule not in failing]
    return holding[0] if holding else "none"


def decision(cells, kinds):
    """Return the table by design and ρ as Markdown, and the ρ that follows from it."""
    lines = [
        f"Populations: {', '.join(kinds)}.",
        "",
        "| design | ρ | size, zero-one (%) | size, absolute (%) | cells above 6% |"
        " power at 2 and 3 s.d. (%) | holds |",
        "|---|---|---|---|---|---|---|",
    ]
    failing = set()
    failing_of_one_loss = set()
    designs = by(cells, "folds", "runs")
    for folds, runs in sorted(designs, key=lambda key: (int(key[0]), int(key[1]))):
        rules = by(designs[folds, runs], "rule")
        for rule in RULES:
            losses = decisive(rules[rule,], kinds)
            if not all(losses.values()):
                continue
            pooled = losses["zero_one"] + losses["absolute"]
            is_held = holds(pooled)
            if not is_held:
                failing.add(rule)
            if any(
                mean(of_loss, "size") > MOST_MEAN_SIZE for of_loss in losses.values()
            ):
                failing_of_one_loss.add(rule)
            powers = [percent(mean(pooled, name), 0) for name in POWERS]
            lines.append(
                f"| {runs} × {folds} | {rule} | {with_error(losses['zero_one'])} |"
                f" {with_error(losses['absolute'])} | {count_over(pooled)} |"
                f" {' · '.join(powers)} | {'yes' if is_held else 'no'} |"
            )
    of_each = smallest_rule(failing | failing_of_one_loss)
    lines += [
        "",
        f"The smallest ρ that holds in every design: {smallest_rule(failing)}. With "
        f"the same limit for each loss: {of_each}.",
    ]
    return "\n".join(lines) + "\n"


def kinds_table(cells, folds, runs):
    """Return the rates by loss, kind and rule in one design as Markdown."""
    lines = [
        f"{runs} × {folds}-fold, by kind of population, in %:",
        "",
        "| loss | kind | rule | populations | size | cells above 6% | power |"
        " ratio misses | above 6% | mixed | found 1-2 · 2-4 s.d. |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    used = [c for c in cells if (c["folds"], c["runs"]) == (str(folds), str(runs))]
    for (loss, kind), inside in sorted(by(used, "loss", "kind").items()):
        rules = by(inside, "rule")
        for rule in RULES:
            chosen = rules[rule,]
            row = row_of(chosen)
            powers = [percent(row[name], 0) for name in POWERS]
            found = [percent(row[name], 0) for name in ("found_1_2sd", "found_2_4sd")]
            lines.append(
                f"| {loss} | {kind} | {rule} | {row['populations']} |"
                f" {with_error(chosen)} | {count_over(chosen)} | {' · '.join(powers)} |"
                f" {percent(row['misses'])} | {count_over(chosen, 'misses')} |"
                f" {percent(row['mixed'])} | {' · '.join(found)} |"
            )
    return "\n".join(lines) + "\n"
