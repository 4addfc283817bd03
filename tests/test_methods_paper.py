"""The papers: every number is that of the committed results; sections as asked for."""

import re

import pytest
from test_quoted_numbers import NUMBERS, ROOT, quoted  # noqa: F401  a fixture
from test_shown_tables import measured, tables  # noqa: F401  a fixture

pytestmark = pytest.mark.lint

LABELS = {
    "KFoldZTest()": "integrated",
    "KFoldTTest()": r"t, $\rho = 0.7$",
    'KFoldTTest("nadeau-bengio")': "corrected t",
    "CorrectedRepeatedKFoldTTest()": "corrected t",
    "CorrectedResampledTTest()": "corrected t",
    "SharpTest()": "SHARP, score",
    'SharpTest("reml")': "SHARP, REML",
    "PairedHalvesTTest()": "t of paired halves",
}
# What no file says: levels, definitions, the sizes of designs.
GIVEN = {"5%", "6%", "7%", "8%", "10%", "20%", "95%"}


def lines():
    return (ROOT / "paper/methods.md").read_text(encoding="utf-8").splitlines()


def table(label):
    """Return the rows of the table above a label, as lists of cells."""
    end = next(k for k, line in enumerate(lines()) if rf"\label{{tab:{label}}}" in line)
    end = max(k for k in range(end) if lines()[k].startswith("|"))
    start = max(k for k in range(end) if not lines()[k].startswith("|")) + 1
    rows = lines()[start + 2 : end + 1]
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows]


def labelled(test, design):
    return [LABELS[test], design.removesuffix(", 5-fold")]


def test_no_rate_is_written_by_hand():
    """The build inserts them where their names are."""
    prose = " ".join(line for line in lines() if not line.startswith("|"))
    prose = re.sub(r"\{width=\d+%\}", "", prose)
    assert set(re.findall(r"\d[\d.]*%", prose)) <= GIVEN


def test_table_of_rates_is_that_of_the_study(quoted):  # noqa: F811
    expected = []
    cells = quoted.grouped(quoted.table("study"), "test", "design")
    for (test, design), rows in cells.items():
        shown = [("size", 1), ("over", 1), ("power", 0), ("power3", 0)]
        is_twice = all(row["seeds_differ_2sd"] != "" for row in rows)
        shown += [("differ", 0)] if is_twice else []
        rates = [quoted.quantity("study", rows, *one) for one in shown]
        rates += [] if is_twice else [""]
        expected.append([*labelled(test, design), f"{rows[0]['fits']:.0f}", *rates])
    assert sorted(expected) == sorted(table("rates"))


def test_table_of_sizes_by_rho_is_that_of_the_study(tables):  # noqa: F811
    rows = tables.sizes_by_rho(measured("study.csv"))
    expected = [
        [*labelled(test.split("`")[1].partition(" <")[0], design), *sizes]
        for test, design, *sizes in rows
    ]
    *found, cases = table("rho")
    assert [row for row in found if row not in expected] == []
    bands = "rho_to_0", "rho_to_03", "rho_to_05", "rho_to_06", "default_highest"
    assert cases[1:] == ["", *(NUMBERS[f"{name}_n"] for name in bands)]


# The paper about the software, as the journal asks for it ----------------------------

SECTIONS = [
    "Summary",
    "Statement of need",
    "State of the field",
    "Software design",
    "Research impact statement",
    "AI usage disclosure",
    "Acknowledgements",
    "References",
]


def test_paper_has_the_sections_and_the_length_that_are_asked_for():
    text = (ROOT / "paper/paper.md").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^# (.*)$", text) == SECTIONS
    words = text.partition("# Summary")[2].split()
    assert 750 <= len(words) <= 1750


def test_what_people_have_to_say_is_left_to_them():
    text = (ROOT / "paper/paper.md").read_text(encoding="utf-8")
    assert text.count("> **To be completed by the authors before submission.**") == 2


@pytest.mark.parametrize("name", ["paper", "methods"])
def test_all_that_is_cited_is_in_the_bibliography(name):
    text = (ROOT / f"paper/{name}.md").read_text(encoding="utf-8")
    known = set(re.findall(r"@\w+\{(\w+),", (ROOT / "paper/paper.bib").read_text()))
    cited = set(re.findall(r"(?<![\w`])@([a-z]\w+)", text))
    assert cited
    assert cited <= known
