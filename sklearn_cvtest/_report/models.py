"""Models beside the best one or a reference: cells of a table, rows of a picture."""

import numpy as np

from .forest import ForestRows
from .numbers import percent, pvalue_text
from .sentences import turned

MOST_ROWS = 25


def head_beside(models, names, by_ratio):
    """Return what differences are, in a table and in a picture."""
    if models.is_about_best:
        return "behind the best"
    name = names[models.reference]
    if len(name) > 24:
        return "against reference" if by_ratio else "ahead"
    return f"{'against' if by_ratio else 'ahead of'} {name}"


def sides_of(models, rows, by_ratio):
    """Return differences of models and their ends, as in a table."""
    sides = np.array([[row.effect, row.low, row.high] for row in rows]).T
    if not models.is_about_best and not by_ratio:
        sides = turned(sides)
    return sides


def cells_beside(models, unit):
    """Return {position: cells} of differences from the best or the reference."""
    rows = [row for row in models.rows[:MOST_ROWS] if row.position != models.reference]
    texts, cells = unit.differences(*sides_of(models, rows, unit.by_ratio))
    beside = {models.reference: ["", "", ""]}
    for row, text, cell in zip(rows, texts, cells, strict=True):
        beside[row.position] = [text, cell, pvalue_text(row.pvalue, models.alpha)]
    return beside


def forest_of_models(models, names, unit):
    """Return the rows of the picture, as in the table."""
    rows = models.rows[:MOST_ROWS]
    sides = sides_of(models, rows, unit.by_ratio)
    estimates, lows, highs = map(unit.as_shown, sides)
    texts = [pvalue_text(row.pvalue, models.alpha) for row in rows]
    for number, row in enumerate(rows):
        if row.position == models.reference:
            texts[number] = row.decision
    head = head_beside(models, names, unit.by_ratio)
    xlabel = f"{head}: {unit.difference_word}, {percent(1 - models.alpha)} CI"
    if len(rows) < len(models.rows):
        xlabel += f"; {len(rows)} of {len(models.rows)} models"
    return ForestRows(
        labels=[names[row.position] for row in rows],
        estimates=estimates,
        lows=lows,
        highs=highs,
        filled=[row.decision in ("better", "worse") for row in rows],
        xlabel=xlabel,
        texts=texts,
        text_title=models.symbol,
    )
