"""Numbers of one column share their decimals, in every table that can be shown."""

import re

import numpy as np
import pytest
from seams import quiet
from test_texts import CANDIDATES, DATA_SETS, INTERVALS, MANY, PAIRS, errors

from sklearn_cvtest._report._document import PaperTable, Section, Table
from sklearn_cvtest._report._format import format_by_unit

NUMBER = re.compile(r"\d+(?:\.(\d+))?(e[-+]\d+)?")
# p-values have three decimals, and two digits below 0.001 (4.3e-04), as is the custom
IS_P = re.compile(r"p\b")
KINDS = {
    "pairs": PAIRS,
    "many": MANY,
    "candidates": CANDIDATES,
    "data sets": DATA_SETS,
    "intervals": INTERVALS,
    "others": {
        "labels": lambda: errors(0.0, 0.1, 0.9).by(np.arange(60) % 2),
        "plan": lambda: errors(0.0, 0.02, 0.9).plan(0.1),
        "ranks": lambda: DATA_SETS["best"]().ranks(),
        "best set": lambda: MANY["best"]().best_set(),
    },
}


def tables_of(blocks):
    for block in blocks:
        if isinstance(block, Section):
            yield from tables_of(block.blocks)
        elif isinstance(block, Table | PaperTable):
            yield block


def shown(document):
    """Return all tables of a document: in print, reports, pages and papers."""
    blocks = *document.summary(), *document.report_tables(), *document.page()
    return [*tables_of(blocks), document.paper_table()]


def columns_of(table):
    """Yield the head and the cells of each column of numbers that are not p-values."""
    for column, head in enumerate(table.headers):
        is_left = table.align[column] == "<" if isinstance(table, Table) else not column
        cells = [getattr(row[column], "text", str(row[column])) for row in table.rows]
        if not is_left and not IS_P.match(head):
            # neither counts such as (5/0/0), nor what is not known
            yield (
                head,
                [cell for cell in cells if "/" not in cell and "nan" not in cell],
            )


def decimals(cells):
    """Return the numbers of decimals, each with whether there is an exponent."""
    found = {match.groups() for cell in cells for match in NUMBER.finditer(cell)}
    return {(len(after or ""), bool(exponent)) for after, exponent in found}


@pytest.mark.parametrize("kind", KINDS)
def test_decimals_of_a_column_agree(kind):
    n_columns = 0
    for name, make in KINDS[kind].items():
        with quiet():
            document = make()._document()
            for table in shown(document):
                for head, cells in columns_of(table):
                    assert len(decimals(cells)) <= 1, (name, head, cells)
                    n_columns += bool(decimals(cells))
    assert n_columns > 4


def test_units_of_another_size_have_their_own_decimals():
    values = np.array([[0.4203, 0.3604], [-0.1356, -0.3595], [3406.0, 2983.0]])
    first, second = format_by_unit(["r2", "r2", "mse"], *values.T, sizes=values)
    assert first == ["0.4203", "-0.1356", "3406"]
    assert second == ["0.3604", "-0.3595", "2983"]
    near = format_by_unit(["a", "b"], [0.4, 0.05], sizes=[0.4, 0.05])
    assert near == [["0.4000", "0.0500"]]
