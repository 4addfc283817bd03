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
        if pairs == "best":
            best = names.index(comparison.best)
            numbers = np.flatnonzero((table.first == best) | (table.second == best))
        return PairsOfModels(comparison, table.take(numbers))
    numbers = []
    for pair in pairs:
        if len(pair) != 2 or not set(pair) <= set(names):
            raise invalid("pairs", "'all', 'best' or a list of two names each", pair)
        numbers.append(table.number_of(*map(names.index, pair)))
    return PairsOfModels(comparison, table.take(np.array(numbers)))


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
        rows = ahead_rows(unit, first, second, table.effect, table.low, table.high)
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
        return forest_of_pairs(self.table, self.comparison.losses.metric)


def ahead_rows(unit, first, second, effects, lows, highs):
    """Return [ahead, behind, by how much, interval] of pairs, the one ahead first."""
    is_second = np.asarray(effects) > 0
    sides = [
        np.abs(effects),
        np.where(is_second, lows, -highs),
        np.where(is_second, highs, -lows),
    ]
    texts, cells = unit.differences(*sides)
    rows = []
    for number, (text, cell) in enumerate(zip(texts, cells, strict=True)):
        pair = [first[number], second[number]]
        if is_second[number]:
            pair.reverse()
        rows.append([*pair, text, cell])
    return rows


def forest_of_pairs(table, metric, reference=None):
    """Return the ForestRows of pairs: differences, or percentages of ratios.

    A percentage is of the worse beside the better, or beside the reference.
    """
    unit = Unit(metric, table.by_ratio)
    first, second = table.first, table.second
    values = unit.scale * np.array([table.effect, table.low, table.high])
    sign, header = "−", f"difference in {unit.word}"
    if table.by_ratio:
        sign, header = "beside", f"difference in {unit.word} (%)"
        first, second, log_ratios = _beside_better(table, reference)
        values = 100 * np.expm1(table.root * log_ratios)
    labels = []
    for one, other in zip(first, second, strict=True):
        labels.append(f"{table.names[one]} {sign} {table.names[other]}")
    return ForestRows(
        labels=labels,
        estimates=values[0],
        lows=values[1],
        highs=values[2],
        filled=table.significant,
        xlabel=f"{header}, {percent(1 - table.alpha)} CI",
        texts=[pvalue_text(p, table.alpha) for p in table.pvalue_adjusted],
    )


def _beside_better(table, reference):
    """Return pairs and their log ratios, turned so that the base is the second."""
    is_turned = table.effect < 0
    if reference is not None:
        is_turned = table.first == reference
    first = np.where(is_turned, table.second, table.first)
    second = np.where(is_turned, table.first, table.second)
    sides = np.array([table.effect, table.low, table.high])
    turned = np.array([-table.effect, -table.high, -table.low])
    return first, second, np.where(is_turned, turned, sides)
