"""Numbers in texts that no build makes are the measured ones, and so are claims.

Elsewhere, |name| in a page takes its number from docs/data/shown/quoted.json
(benchmarks/quoted.toml), which test_shown_tables.py holds.
"""

import importlib
import json
import re
import runpy
from pathlib import Path

import pytest

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parent.parent
NUMBERS = json.loads((ROOT / "docs/data/shown/quoted.json").read_text("utf-8"))
QUOTED = [  # the file, and a sentence with the names of numbers
    ("README.md", "agreement with {agreement_packages} other packages"),
    (
        "paper/paper.md",
        "found a difference in {tukey_bayes}% of samples for naive Bayes and in "
        "{tukey_tree}% for decision trees.",
    ),
    (
        "paper/paper.md",
        "found one in {ranks_bayes}% and {ranks_tree}% when folds were taken for data "
        "sets, and even the paired t test on a single 10-fold, with Bonferroni's "
        "adjustment, in {bonferroni_bayes}% and {bonferroni_tree}%. The default of "
        "`sklearn_cvtest` did so in {holm_bayes}% and {holm_tree}%.",
    ),
    (
        "paper/paper.md",
        "in {agreement_exact} of {agreement_n} comparisons to 12 digits or more",
    ),
    ("paper/paper.md", "published ones by at most {largest_difference} percentage"),
    (
        "sklearn_cvtest/_inference/_single_split.py",
        "it misses it in {paired_50_t}% of samples, and where few or no examples "
        "differ it has no width; the interval of the score test [2]_ misses it in "
        "{paired_50_score}% (docs/data/paired_proportions.csv)",
    ),
    (
        "sklearn_cvtest/_inference/_single_split.py",
        "the latter rejects at most {paired_equal_max_score}% (docs/data/paired_",
    ),
]


def text_of(page):
    """Return a file in one line."""
    return " ".join((ROOT / page).read_text(encoding="utf-8").split())


@pytest.mark.parametrize(("page", "words"), QUOTED)
def test_quoted_numbers_are_the_measured_ones(page, words):
    assert words.format(**NUMBERS) in text_of(page)


def test_the_numbers_that_are_made_are_those_that_are_quoted():
    pages = [*ROOT.glob("docs/*.*"), *ROOT.glob("docs/[cgp]*/*.rst")]
    pages = [path for path in pages if path.suffix in (".rst", ".md")]
    text = "\n".join(path.read_text("utf-8") for path in pages)
    named = set(re.findall(r"\|(\w+)\|", text))
    named |= {name for _, words in QUOTED for name in re.findall(r"{(\w+)}", words)}
    assert named == set(NUMBERS)


# Claims -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def quoted():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "benchmarks")
        return importlib.import_module("quoted")


def test_a_race_did_not_drop_the_best(quoted):
    rows = quoted.rows_of("racing", "way == 'RacingSearchCV' and splits == 10")
    assert {row["best_dropped"] for row in rows} == {0}


def test_intervals_of_winners_are_as_the_guide_says(quoted):
    rows = quoted.rows_of("winner", "method == 'winner_interval'")
    assert len(rows) == 90
    bias = [abs(row["bias"]) for row in rows]
    assert round(max(bias), 2) == 0.18
    assert sum(value > 0.15 for value in bias) == 3
    low = [row for row in rows if row["coverage"] < 0.94]
    found = [(row["truth"], f"{row['coverage']:.4f}"[:4]) for row in low]
    assert found == [("clear", "0.93")] * 2
    assert max(row["width"] for row in rows if row["truth"] == "clear") < 1.01


def test_warned_samples_of_winners_are_the_better_ones(quoted):
    normal = "('normal', 'uniform', 't3', 'counts', 'incomes')"
    for row in quoted.rows_of("winner_tails", f"population not in {normal}"):
        assert row["coverage_others"] < row["coverage_warned"]


# Other packages, scripts --------------------------------------------------------------


def test_agreement_with_other_packages_is_current(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    script = runpy.run_path(str(ROOT / "benchmarks" / "agreement.py"))
    measured = script["measure"]()
    assert measured
    assert list(script["differences"](measured, script["stored"]())) == []


def test_packages_agree_where_nobody_errs(quoted):
    for row in quoted.table("agreement"):
        assert (row["digits"] >= 5) == (not row["right"])


def test_versions_of_peers_are_those_that_were_tried(quoted):
    read, page = quoted.read, text_of("docs/comparison.rst")
    (row, *_) = read(quoted.DATA / "peer_behaviour.csv")
    apart = "scipy", "scikit-learn", "statsmodels", "dieboldmariano"
    rates = [
        row
        for row in read(quoted.DATA / "peer_rates.csv")
        if row["package"] != "this package"
    ]
    assert {row["samples"] for row in rates} == {"1000", "200"}  # as the page says
    tried = [*read(quoted.DATA / "agreement.csv"), *rates]
    names = [f"{row['package']} {row['version']}" for row in tried]
    names = [*list(row)[1:-1], *(name for name in names if not name.startswith(apart))]
    assert [name for name in names if name not in page] == []
