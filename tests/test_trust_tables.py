"""Tables of the trust page: what they make of small files."""

import csv
import re
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parent.parent
DASH = "\u2060–\u2060"  # not broken


@pytest.fixture(scope="module")
def trust():
    pytest.importorskip("sphinx")
    sys.path.insert(0, str(ROOT / "docs" / "_ext"))
    try:
        import trust
    finally:
        sys.path.pop(0)
    return trust


def test_sizes_and_powers_are_spans_and_outliers_are_apart(trust):
    common = {"design": "10-fold", "test": "T()"}
    rows = [
        {**common, "population": "a", "size": "0.02", "power_2sd": "0.4"},
        {**common, "population": "b", "size": "0.08", "power_2sd": "0.4"},
        {**common, "population": "c with outliers", "size": "0.3", "power_2sd": "1"},
    ]
    expected = ["T()", "10-fold", f"2{DASH}8", "30", "40"]
    assert list(trust.tests_of(rows)) == [expected]


def test_sizes_by_rho_are_means_of_bands(trust):
    sizes = {0.0: 0.01, 0.1: 0.02, 0.3: 0.04, 0.4: 0.05, 0.55: 0.06, 0.7: 0.2}
    common = {"design": "10-fold", "test": "T()", "fits": "10"}
    rows = [{**common, "rho": rho, "size": size} for rho, size in sizes.items()]
    expected = ["T()", "10-fold", "1", "3", "5", "6", "20"]
    assert list(trust.sizes_by_rho(rows)) == [expected]


def test_many_digits_are_twelve_or_more(trust):
    rows = agreement_rows(("12", ""), ("9", ""), ("1", "ours: the other is an error"))
    assert [row[-1] for row in trust.agreements(rows)] == ["12 or more", "9"]
    (row,) = trust.differing(rows)
    assert row[2:] == ["−0.1", "−0.2", "ours: the other is an error"]


def agreement_rows(*found):
    names = "package", "version", "theirs", "ours", "what", "numbers"
    numbers = {"our_number": "-0.2", "their_number": "-0.1"}
    row = {**dict.fromkeys(names, ""), **numbers}
    return [{**row, "digits": digits, "right": right} for digits, right in found]


def test_rates_of_missing_have_a_column_for_each_situation(trust):
    common = {"version": "1", "misses": "0.0512"}
    rows = [
        {**common, "package": package, "situation": situation}
        for package, situation in (("this package", "a"), ("other", "b"))
    ]
    expected = [["this package", "5.1", ""], ["other 1", "", "5.1"]]
    assert list(trust.missed(rows, ["a", "b"])) == expected
    assert list(trust.missed(rows, ["b"])) == [["other 1", "5.1"]]


def test_largest_difference_from_published_numbers(trust):
    assert trust._reproduced("what", [1.0, 2.0], [1.5, 1.8])[-1] == "0.5"
    rows = list(trust.reproductions(ROOT))
    assert [row[1] for row in rows] == ["7"] * 6 + ["25"] * 2


def test_behaviours_have_a_row_for_each_package(trust):
    with (ROOT / "docs" / "data" / "peer_behaviour.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    table = list(trust.behaviours(rows))
    assert [row[0] for row in table] == list(rows[0])[1:]
    assert "-" not in {cell for row in table for cell in row}


def guards():
    text = (ROOT / "docs" / "trust.rst").read_text(encoding="utf-8")
    return sorted(set(re.findall(r"``(tests/\w+\.py)::(\w+)``", text)))


def test_what_was_mended_is_guarded():
    assert len(guards()) > 40
    for path, name in guards():
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), name
