"""Numbers of one column share their decimals, in every table that can be shown."""

import re

import numpy as np
import pytest
from interfaces import html_tables, markdown_tables, quiet, text_tables
from printed_results import (
    CANDIDATES,
    DATA_SETS,
    INTERVALS,
    MANY,
    PAIRS,
    errors,
    intervals,
)

from sklearn_cvtest import compare_cv_results

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


def tables_of(result):
    """Return all tables of a result: in print, a report, a notebook and a paper."""
    tables = [*text_tables(str(result)), *text_tables(result.report())]
    tables += html_tables(result._repr_html_())
    return [*tables, *markdown_tables(result.to_markdown())]


def columns_of(table, datasets=()):
    """Yield the head and the cells of each column of numbers that are not p-values.

    Of means on data sets, without the row of mean ranks.
    """
    rows = [row for row in table.rows if row[0] in datasets] or table.rows
    for head, *cells in zip(table.headers, *rows, strict=True):
        # neither counts such as (5/0/0), nor what is not known
        known = [cell for cell in cells if "/" not in cell and re.search("\\d", cell)]
        is_number = all(re.match(r"[\[−-]?\d", cell) for cell in known)
        if is_number and not IS_P.match(head):
            yield head, known


def decimals(cells):
    """Return the numbers of decimals, each with whether there is an exponent."""
    found = {match.groups() for cell in cells for match in NUMBER.finditer(cell)}
    return {(len(after or ""), bool(exponent)) for after, exponent in found}


@pytest.mark.parametrize("kind", KINDS)
def test_decimals_of_a_column_agree(kind):
    n_columns = 0
    for name, make in KINDS[kind].items():
        with quiet():
            result = make()
            tables = tables_of(result)
        for table in tables:
            for head, cells in columns_of(table, getattr(result, "datasets", ())):
                assert len(decimals(cells)) <= 1, (name, head, cells)
                n_columns += bool(decimals(cells))
    assert n_columns > 4


def test_what_is_half_way_is_the_same_text_everywhere():
    """A mean accuracy of 327/400 = 0.8175: of folds of 40 examples, in any order."""
    rng, shown = np.random.default_rng(0), set()
    for _ in range(20):
        hits = rng.multinomial(27, np.full(10, 0.1)) + 30
        others = rng.integers(10, 20, size=(2, 10))
        scores = dict(zip("abc", np.vstack([hits, others]) / 40, strict=True))
        result = compare_cv_results(scores, cv=10)
        said = re.search(r"(\d\.\d+)", " ".join(str(result).split()))
        (table,) = text_tables(str(result.winner_interval()))
        shown |= {said[1], table.rows[0][1]}
    assert shown == {"0.818"}


def test_metrics_of_another_size_have_their_own_decimals():

    def large(estimator, X, y):
        return -1e5 * np.mean(np.abs(estimator.predict(X) - y))

    by_size = {"large": large, "small": "neg_mean_absolute_error"}
    rows = text_tables(str(intervals(loss="auto", scoring=by_size)))[0].rows
    names = ("large", "small")
    cells = {name: [row[2] for row in rows if name in row[1]] for name in names}
    assert decimals(cells["small"]) == {(3, False)}
    assert decimals(cells["large"]) == {(0, False)}


def test_the_narrowest_interval_of_a_table_has_two_digits():
    """Beside a model that is far behind, whose interval alone would need fewer."""
    rng = np.random.default_rng(0)
    near, far = rng.normal([[0.002], [0.5]], [[0.01], [0.12]], size=(2, 10))
    scores = {"best": np.full(10, 0.9), "near": 0.9 - near, "far": 0.9 - far}
    result = compare_cv_results(scores, cv=10)
    (row,) = [row for row in result.to_markdown().splitlines() if "near" in row]
    assert re.search(r"0\.0\d\d\d \| −0\.0\d\d\d to 0\.0\d\d\d", row)
    (row,) = [row for row in str(result.best_set()).splitlines() if row[:5] == "near "]
    assert re.search(r" 0\.\d{4} +−0\.\d{4} to 0\.\d{4} ", row)
