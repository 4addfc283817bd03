"""The tables that pages show: what is made of the measured ones."""

import csv
import importlib
import re
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parent.parent
DASH = "\u2060–\u2060"  # not broken


@pytest.fixture(scope="module")
def tables():
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        return importlib.import_module("tables")
    finally:
        sys.path.pop(0)


def test_shown_tables_are_those_of_the_measured_ones(tables):
    shown = {path.name: path.read_text("utf-8") for path in tables.FOLDER.iterdir()}
    assert shown == {name: make() for name, make in tables.FILES.items()}


def test_every_shown_table_is_on_a_page(tables):
    pages = [*ROOT.glob("docs/*.*"), *ROOT.glob("docs/*/*.rst")]
    text = "\n".join(path.read_text("utf-8") for path in pages if path.is_file())
    used = set(re.findall(r"/data/shown/(\w+)\.csv", text))
    assert used == set(tables.TABLES)


def measured(name):
    with (ROOT / "docs" / "data" / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def row_of(rows, *first):
    """Return the rest of the row that begins so."""
    (row,) = [row for row in rows if row[: len(first)] == list(first)]
    return row[len(first) :]


def test_table_of_populations_shows_the_measured_rates(tables):
    test = tables.linked("KFoldTTest(rho=0.0)")
    sizes = list(tables.populations(measured("calibration.csv"), "size"))
    powers = list(tables.populations(measured("calibration.csv"), "power_3sd"))
    assert row_of(sizes, test, "10-fold (10)")[:3] == ["**12.2**", "0.2", "**10.2**"]
    assert row_of(powers, test, "10-fold (10)")[:3] == ["87", "30", "88"]
    assert len(sizes) == len(
        {(r["design"], r["test"]) for r in measured("calibration.csv")}
    )


def test_table_of_the_study_shows_means_over_cases(tables):
    rows = tables.study(measured("study.csv"))
    shown = row_of(rows, tables.linked("KFoldZTest()"), "2 x 5-fold")
    assert shown == ["10", "2.8", "4", "44", "78", "20"]


def test_what_was_said_of_other_seeds_stands_beside_what_was(tables):
    common = {"loss": "log loss", "half": "verify", "from": "0.9", "to": "0.95"}
    row = common | {"decisions": "200", "said": "0.93", "was": "0.901"}
    few = row | {"from": "0.95", "to": "0.99", "decisions": "199"}
    ((*words, cell, empty),) = tables.seed_stability([row, few])
    assert words == ["log loss", "verifying"]
    assert (cell, empty) == ("**90.1 (93.0)**", "")
    common = {"loss": "log loss", "half": "verify", "samples": "50", "repeats": "4"}
    rows = [
        common | {"early": "40", "changed": "1"},
        common | {"early": "50", "changed": "0"},
    ]
    ((*_, n, early, repeats, changed, most),) = tables.early_stops(rows)
    assert (n, early, repeats) == ("100", "90", "4.0")
    assert (changed, most) == ("1.00", "2.00")


def test_table_of_learners_shows_their_rho(tables):
    rows = list(tables.rho_of_learners(measured("study.csv")))
    assert row_of(rows, "naive Bayes") == [
        "87",
        "0.17",
        "0.43",
        "0.79",
        "2.8",
        "**12.8**",
    ]
    assert row_of(rows, "random forest")[-1] == ""


def test_table_of_hard_cells_holds_all(tables):
    cells = measured("hard_cells.csv")
    rows = [*tables.hard_kinds(cells)]
    assert sum(int(row[1]) for row in rows) == len(cells)
    regular = [row for row in cells if row["kind"] == "regular"]
    over = [row for row in regular if tables.is_over(row)]
    untold = sum(float(row["warned_rejections"]) < 0.5 for row in over)
    shown = row_of(rows, "regular")
    assert shown[:2] == ["666", "2.3"]
    assert shown[2:4] == [str(len(over)), str(untold)]


def test_table_of_metrics_shows_means_over_pairs(tables):
    row = {"metric": "f1", "positives": "0.1", "design": "10-fold", "n": "300"}
    row |= {"second": "b", "test": "KFoldZTest", "power_3sd": "0.7"}
    rows = [
        row | {"size": "0.02", "power_2sd": "0.4", "samples": "100"},
        row | {"size": "0.05", "power_2sd": "0.5", "samples": "200"},
        row | {"second": "", "size": "1", "power_2sd": "", "samples": "1"},
    ]
    for smallest, shown in (("10", "4.0 · 47 · 70"), ("3", "(4.0 · 47 · 70)")):
        found = [one | {"smallest_class": smallest} for one in rows]
        ((*_, none, rate, _),) = tables.metrics(found)
        assert (none, rate) == ("", shown)
    found = list(tables.metrics(measured("metric_calibration.csv")))
    assert len(found) == 2 * 2 * (3 * 2 + 1)
    assert not any(rate == "" for *_, a, b, c in found for rate in (a, b, c))


def test_a_size_that_is_significantly_above_six_percent_stands_out(tables):
    row = {"design": "d", "fits": "1", "test": "t()", "samples": "500"}
    sizes = [{**row, "size": size} for size in ("0.077", "0.078")]  # 6 + 1.645 * 1.06
    ((_, _, *cells),) = tables.populations(sizes, "size")
    assert cells == ["7.7", "**7.8**"]


def test_sizes_and_powers_are_spans_and_outliers_are_apart(tables):
    common = {"design": "10-fold", "test": "T()"}
    rows = [
        {**common, "population": "a", "size": "0.02", "power_2sd": "0.4"},
        {**common, "population": "b", "size": "0.08", "power_2sd": "0.4"},
        {**common, "population": "c with outliers", "size": "0.3", "power_2sd": "1"},
    ]
    expected = [tables.linked("T()"), "10-fold", f"2{DASH}8", "30", "40"]
    assert list(tables.tests_of(rows)) == [expected]


def test_sizes_by_rho_are_means_of_bands(tables):
    sizes = {0.0: 0.01, 0.1: 0.02, 0.3: 0.04, 0.4: 0.05, 0.55: 0.06, 0.7: 0.2}
    common = {"design": "10-fold", "test": "T()", "fits": "10"}
    rows = [{**common, "rho": rho, "size": size} for rho, size in sizes.items()]
    expected = [tables.linked("T()"), "10-fold", "1", "3", "5", "6", "20"]
    assert list(tables.sizes_by_rho(rows)) == [expected]


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
