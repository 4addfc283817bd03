"""Numbers and tables in the pages are the measured ones, and so are claims.

Write them: python benchmarks/quoted.py --write
"""

import importlib
import re
import runpy
from pathlib import Path

import pytest

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def quoted():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "benchmarks")
        return importlib.import_module("quoted")


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


def test_pages_have_the_measured_numbers_and_tables(quoted):
    # A page that has only names of numbers, |name|, gets them when it is built.
    pages = [page for page in quoted.pages() if not is_unwritten(text_of(page))]
    others = [page for page in pages if quoted.written(page) != text_of(page)]
    assert others == []


def test_no_page_in_markdown_waits_for_a_number():
    paths = ROOT.glob("docs/**/*.md")
    assert [path for path in paths if is_unwritten(path.read_text("utf-8"))] == []


def is_unwritten(text):
    return re.search(r"\|[a-z]\w+\|%", text) is not None


def test_no_number_is_made_that_is_not_quoted(quoted):
    text = str(quoted.SENTENCES)
    named = set(re.findall(r"{(\w+)}", text))
    assert named == set(quoted.quoted())


def test_every_table_is_on_a_page(quoted):
    text = "".join(path.read_text("utf-8") for path in ROOT.glob("docs/**/*.md"))
    assert set(re.findall(r"<!-- table (\w+) -->", text)) == set(quoted.tables.TABLES)


def test_a_number_that_changed_is_written_into_its_sentence(quoted):
    name, number = next(iter(quoted.quoted().items()))
    sentence = f"It is {{{name}}}% of all"
    for old in ("1.5", "3 to 10", f"|{name}|"):
        text = f"So. It\n  is {old}% of all."
        found = quoted.with_numbers(text, sentence, "page")
        assert found == f"So. It\n  is {number}% of all."
    with pytest.raises(ValueError, match="page has no sentence"):
        quoted.with_numbers("It was 1%.", sentence, "page")


# Claims -------------------------------------------------------------------------------


def test_intervals_of_winners_are_as_the_guide_says(quoted):
    rows = quoted.rows_of("winner", "method == 'winner_interval'")
    for values, most in (("splits", 0.26), ("examples", 0.40)):
        bias = [-row["bias"] for row in rows if row["values"] == values]
        assert round(max(bias), 2) == most
    assert max(row["width"] for row in rows if row["truth"] == "clear") < 1.014


# Other packages, scripts --------------------------------------------------------------


def test_agreement_with_other_packages_is_current(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    script = runpy.run_path(str(ROOT / "benchmarks" / "agreement.py"))
    measured = script["measure"]()
    assert measured
    assert list(script["differences"](measured, script["stored"]())) == []


def test_packages_agree_where_nobody_errs(quoted):
    assert all(row["digits"] >= 5 for row in quoted.table("agreement"))


def test_versions_of_peers_are_those_that_were_tried(quoted):
    read, page = quoted.read, " ".join(text_of("docs/comparison.md").split())
    apart = "scipy", "scikit-learn", "statsmodels", "dieboldmariano"
    rates = [
        row
        for row in read(quoted.DATA / "peer_rates.csv")
        if row["package"] != "this package"
    ]
    assert {row["samples"] for row in rates} == {"1000"}  # as the page says
    tried = [*read(quoted.DATA / "agreement.csv"), *rates]
    names = [f"{row['package']} {row['version']}" for row in tried]
    names = [name for name in names if not name.startswith(apart)]
    assert [name for name in names if name not in page] == []


# Tables -------------------------------------------------------------------------------


@pytest.fixture
def tables(quoted):
    return quoted.tables


def test_many_digits_are_twelve_or_more(tables):
    row = dict.fromkeys(("package", "version", "theirs"), "") | {"numbers": "1"}
    rows = [row | {"digits": digits} for digits in ("12", "9")]
    assert [one[-1] for one in tables.agreement(rows[:1])] == ["12 or more"]
    assert [one[-1] for one in tables.agreement(rows)] == ["9"]  # the fewest


def test_rates_of_missing_have_a_column_for_each_situation(tables):
    _, header, make = tables.TABLES["misses"]
    common = {"version": "1", "misses": "0.0512"}
    rows = [
        {**common, "package": package, "situation": situation}
        for package, situation in (("this package", header[1]), ("other", header[3]))
    ]
    assert list(make(rows)) == [
        ["this package", "5.1", "", "", "", ""],
        ["other 1", "", "", "5.1", "", ""],
    ]


def test_largest_difference_from_published_numbers(tables):
    assert tables.reproduced("what", [1.0, 2.0], [1.5, 1.8])[-1] == "0.5"
    _, rows = tables.rows_of_table("reproductions")
    assert [row[1] for row in rows] == ["7"] * 6 + ["25"] * 2
