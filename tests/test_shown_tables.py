"""The tables that pages show: what is made of the measured ones."""

import csv
import importlib
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def tables():
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        return importlib.import_module("tables")
    finally:
        sys.path.pop(0)


def measured(name):
    with (ROOT / "docs" / "data" / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_many_digits_are_twelve_or_more(tables):
    rows = agreement_rows(("12", ""), ("9", ""), ("1", "ours: the other is an error"))
    assert [row[-1] for row in tables.agreements(rows)] == ["12 or more", "9"]
    (row,) = tables.differing(rows)
    assert row[2:] == ["−0.1", "−0.2", "ours: the other is an error"]


def agreement_rows(*found):
    names = "package", "version", "theirs", "ours", "what", "numbers"
    numbers = {"our_number": "-0.2", "their_number": "-0.1"}
    row = {**dict.fromkeys(names, ""), **numbers}
    return [{**row, "digits": digits, "right": right} for digits, right in found]


def test_rates_of_missing_have_a_column_for_each_situation(tables):
    common = {"version": "1", "misses": "0.0512"}
    rows = [
        {**common, "package": package, "situation": situation}
        for package, situation in (("this package", "a"), ("other", "b"))
    ]
    expected = [["this package", "5.1", ""], ["other 1", "", "5.1"]]
    assert list(tables.missed(rows, ["a", "b"])) == expected
    assert list(tables.missed(rows, ["b"])) == [["other 1", "5.1"]]


def test_largest_difference_from_published_numbers(tables):
    assert tables._reproduced("what", [1.0, 2.0], [1.5, 1.8])[-1] == "0.5"
    rows = list(tables.reproductions(ROOT))
    assert [row[1] for row in rows] == ["7"] * 6 + ["25"] * 2


def test_behaviours_have_a_row_for_each_package(tables):
    rows = measured("peer_behaviour.csv")
    table = list(tables.behaviours(rows))
    assert [row[0] for row in table] == list(rows[0])[1:]
    assert "-" not in {cell for row in table for cell in row}
