"""Some pairs of a comparison, to print and to look up."""

import numpy as np

from ._report import sentences
from ._report.forest import ForestRows
from ._report.numbers import counted, percent, pvalue_text
from ._report.result import Content, Result, Table
from ._report.units import Unit
from ._validation import check_option, invalid

MOST_ROWS = 60


def pairs_of(comparison, pairs):
    """Return the PairsOfModels of "all", of "best", or of a list of (name, name)."""
    table = comparison.table
    names = comparison.losses.names
    if isinstance(pairs, str):
        check_option("pairs", pairs, ("all", "best"))
        numbers = np.arange(len(table))
        if pairs == "best" and comparison.reference is None:
            best = names.index(comparison.best)
            numbers = np.flatnonzero((table.first == best) | (table.second == best))
        return PairsOfModels(comparison, table.take(numbers))
    numbers = [table.number_of(*pair) for pair in positions_of_pairs(pairs, names)]
    return PairsOfModels(comparison, table.take(np.array(numbers)))


def positions_of_pairs(pairs, names):
    """Return the positions of pairs of names, (n_pairs, 2)."""
    try:
        if isinstance(pairs, str) or not len(pairs):
            raise ValueError
        return np.array([[names.index(one), names.index(two)] for one, two in pairs])
    except (TypeError, ValueError):
        allowed = f"pairs of two of the names {', '.join(names)}"
        raise invalid("pairs", allowed, pairs) from None


class PairsOfModels(Result):
    """Pairs of a comparison, with p-values that are adjusted for all of its pairs."""

    def __init__(self, comparison, table):
        self.comparison = comparison
        self.table = table

    def _columns(self):
        return self.table.columns()

    def _content(self):
        losses, table = self.comparison.losses, self.table
        unit = Unit(losses.metric, table.by_ratio)
        names = losses.names
        first = [names[position] for position in table.first]
        second = [names[position] for position in table.second]
        lows, highs = np.where(table.is_same, np.nan, (table.low, table.high))
        rows = ahead_rows(unit, first, second, table.effect, lows, highs)
        decisions = np.where(table.significant, "significant", "not significant")
        for row, p, decision in zip(
            rows, table.pvalue_adjusted, decisions, strict=True
        ):
            row += [pvalue_text(p, table.alpha), str(decision)]
        level = f"{percent(1 - table.alpha)} CI"
        headers = ["ahead", "behind", unit.amount_header, level, "p", "decision"]
        all_pairs = self.comparison.table
        method = [
            sentences.design_sentence(losses, table),
            sentences.adjustment_sentence(all_pairs, False),
            sentences.left_out_sentence(len(rows) - MOST_ROWS, "pair"),
        ]
        lead = f"{counted(len(rows), 'pair')} of {len(all_pairs)}"
        return Content(
            lead=lead,
            verdict="",
            table=Table(headers, rows[:MOST_ROWS], n_left=2),
            method=" ".join(filter(None, method)),
            paragraph=[lead],
        )

    def _forest(self):
        table = self.table
        names = np.array(table.names, dtype=object)
        return ahead_forest(
            Unit(self.comparison.losses.metric, table.by_ratio),
            names[table.first],
            names[table.second],
            table.effect,
            table.low,
            table.high,
            confidence=1 - table.alpha,
            filled=table.significant,
            texts=[pvalue_text(p, table.alpha) for p in table.pvalue_adjusted],
        )


def ahead_first(first, second, effects, lows, highs):
    """Return pairs (ahead, behind) and by how much one is ahead, with the ends."""
    is_second = np.asarray(effects) > 0
    pairs = []
    for is_ahead, *pair in zip(is_second, first, second, strict=True):
        pairs.append(pair[::-1] if is_ahead else pair)
    sides = [
        np.abs(effects),
        np.where(is_second, lows, -highs),
        np.where(is_second, highs, -lows),
    ]
    return pairs, sides


def ahead_rows(unit, *columns):
    """Return [ahead, behind, by how much, interval] of pairs, the one ahead first."""
    pairs, sides = ahead_first(*columns)
    texts, cells = unit.differences(*sides)
    return [[*p, text, cell] for p, text, cell in zip(pairs, texts, cells, strict=True)]


def ahead_forest(unit, *columns, confidence, **others):
    """Return the ForestRows of pairs, the one ahead first."""
    pairs, sides = ahead_first(*columns)
    estimates, lows, highs = map(unit.as_shown, sides)
    xlabel = f"ahead by, in {unit.difference_word}"
    if unit.by_ratio:
        xlabel = f"how much higher the {unit.word} of the worse is (%)"
    return ForestRows(
        labels=[f"{ahead} ahead of {behind}" for ahead, behind in pairs],
        estimates=estimates,
        lows=lows,
        highs=highs,
        xlabel=f"{xlabel}, {percent(confidence)} CI",
        **others,
    )
