"""Models beside the best one or a reference: cells of a table, rows of a picture."""

from typing import NamedTuple

import numpy as np

from .forest import ForestRows
from .numbers import percent, pvalue_text, quoted
from .sentences import turned

MOST_ROWS = 25


class ModelRow(NamedTuple):
    """One model beside the best one, or beside a reference."""

    position: int
    decision: str  # "best", "reference", "better", "worse" or "not significant"
    effect: float = np.nan
    low: float = np.nan
    high: float = np.nan
    pvalue: float = np.nan
    stability: float = np.nan


class ModelTable(NamedTuple):
    """What is decided about each model, the best first."""

    rows: list
    reference: int
    is_about_best: bool
    symbol: str
    alpha: float

    @property
    def others(self):
        """The rows but the one that all are compared with."""
        return [row for row in self.rows if row.position != self.reference]

    def is_tied(self, row):
        """Whether a model of several has the mark of those not told apart."""
        return row.decision in ("best", "not significant") and len(self.rows) > 2


def row_beside(table, position, reference):
    """Return the row of a model by its pair with the reference in a PairTable."""
    number = table.number_of(position, reference)
    sides = table.effect[number], table.low[number], table.high[number]
    effect, low, high = sides if table.first[number] == position else turned(sides)
    if table.is_same[number]:
        low = high = np.nan
    decision = "not significant"
    if table.significant[number]:
        decision = "better" if effect < 0 else "worse"
    return ModelRow(
        position,
        decision,
        effect,
        low,
        high,
        table.pvalue_adjusted[number],
        table.seed_stability[number],
    )


def mark_sentence(models, names, has_tiers):
    """Return what the mark beside names says, "" if none has it."""
    if not any(map(models.is_tied, models.rows)):
        return ""
    if not models.is_about_best:
        name = quoted(names[models.reference])
        return f"† not significantly different from {name}."
    text = "† not significantly worse than the best."
    if has_tiers:
        text += " Models that share a letter do not differ significantly."
    return text


def rows_of_models(models, names, noun, before, head, beside, after, letters):
    """Return headers and rows of the table of models, the best first.

    Parameters
    ----------
    noun : str
        What a model is called.
    before, after : dict of str to list of str
        Columns before and after those of the differences.
    head : str
        What differences are.
    beside : dict of int to list of str
        Difference, interval and p of each model.
    letters : dict of str to str, or None
        Tiers.
    """
    level = f"{percent(1 - models.alpha)} CI"
    headers = [noun, *before, head, level, "p", *after]
    rows = []
    for number, row in enumerate(models.rows[:MOST_ROWS]):
        name = names[row.position]
        cells = [name + " †" if models.is_tied(row) else name]
        cells += [column[number] for column in before.values()]
        cells += beside[row.position]
        cells += [column[number] for column in after.values()]
        if letters:
            cells.append(letters[name])
        rows.append(cells)
    return [*headers, "tier"] if letters else headers, rows


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
    sides[0, np.isinf(sides[0])] = np.nan  # of models that failed
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
