"""The documentation: its code runs, its names and links exist, its numbers hold."""

import csv
import doctest
import html.parser
import importlib
import re
import subprocess
import sys
import urllib.parse
from pathlib import Path

import pytest
import threadpoolctl

import sklearn_cvtest
from sklearn_cvtest import simulation

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
BUILT = DOCS / "_build" / "html"
MADE = {"_build", "auto_examples", "generated", "_templates"}
PAGES = [
    path
    for path in sorted([*DOCS.rglob("*.rst"), *DOCS.rglob("*.md")])
    if not MADE & set(path.relative_to(DOCS).parts)
]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def page_id(path):
    return path.relative_to(DOCS).as_posix()


def text_of(page):
    return (DOCS / page).read_text(encoding="utf-8")


every_page = pytest.mark.parametrize("path", PAGES, ids=page_id)
every_tested_page = pytest.mark.parametrize(
    "path", [path for path in PAGES if ">>> " in text_of(path)], ids=page_id
)


# Code -------------------------------------------------------------------------


@every_tested_page
def test_code_of_page_runs(path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("Agg")
    if "mlxtend" in path.stem or "baycomp" in path.stem:
        pytest.importorskip(path.stem)
    with threadpoolctl.threadpool_limits(1):  # small problems, and other tests beside
        failed, attempted = doctest.testfile(
            str(path), module_relative=False, optionflags=OPTIONS, encoding="utf-8"
        )
    plt.close("all")
    assert attempted
    assert not failed


# Names ------------------------------------------------------------------------


def test_api_page_lists_every_public_name_once():
    listed = re.findall(r"^   (\w+)$", text_of("api.rst"), re.MULTILINE)
    assert sorted(listed) == sorted([*sklearn_cvtest.__all__, *simulation.__all__])


@every_page
def test_roles_name_what_exists(path):
    for target in re.findall(r":(?:class|func|meth):`([^`]+)`", text_of(path)):
        name = target.rpartition("<")[2].strip("~>")
        module = (
            "sklearn_cvtest.simulation" if ".simulation." in name else "sklearn_cvtest"
        )
        item = importlib.import_module(module)
        for part in name.removeprefix(f"{module}.").split("."):
            item = getattr(item, part)


@every_page
def test_files_that_are_named_exist(path):
    named = re.findall(r"`((?:docs|tests|benchmarks|examples)/[\w/.]+)`", text_of(path))
    assert [name for name in named if not (ROOT / name).exists()] == []


@every_page
def test_examples_that_are_referred_to_exist(path):
    for label in re.findall(r"sphx_glr_auto_examples_(\w+)\.py", text_of(path)):
        folder, _, stem = label.partition("_plot_")
        assert (ROOT / "examples" / folder / f"plot_{stem}.py").exists()


# Numbers ----------------------------------------------------------------------


def calibration():
    with (DOCS / "calibration.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def percents(column, test, design=None, outliers=False):
    """Return the smallest and the largest rate in percent."""
    rates = [
        100 * float(row[column])
        for row in calibration()
        if row["test"] == test
        and ("outliers" in row["population"]) == outliers
        and design in (None, row["design"])
    ]
    return min(rates), max(rates)


def rows_of(name):
    with (DOCS / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def mean_percent(rows, column):
    weights = [int(row["samples"]) for row in rows]
    rates = [float(row[column]) * n for row, n in zip(rows, weights, strict=True)]
    return 100 * sum(rates) / sum(weights)


def test_calibration_page_shows_the_measured_rates_of_metrics():
    cells = {}
    for row in rows_of("metric_calibration.csv"):
        if row["metric"] in ("roc_auc", "f1", "r2") and row["second"]:
            key = row["metric"], row["positives"], row["design"], row["test"], row["n"]
            cells.setdefault(key, []).append(row)
    assert len(cells) == 2 * 3 * 2 * (2 + 2 + 1)
    for rows in cells.values():
        size, *power = (
            mean_percent(rows, key) for key in ("size", "power_2sd", "power_3sd")
        )
        shown = f"{size:.1f} · {power[0]:.0f} · {power[1]:.0f}"
        assert shown in text_of("calibration.md")


def test_calibration_page_shows_the_measured_coverage():
    cells = {}
    for row in rows_of("interval_coverage.csv"):
        if row["test"] != "rho 0" and row["design"] == "10-fold":
            key = row["population"], row["learner"], row["role"]
            sizes = cells.setdefault(key, {})
            sizes.setdefault(row["n"], []).append(round(100 * float(row["coverage"])))
    for key, sizes in cells.items():
        spans = [sorted(sizes.get(n, [])) for n in ("100", "300", "1000")]
        shown = [
            "" if not s else "–".join(map(str, sorted({s[0], s[-1]}))) for s in spans
        ]
        assert f"| {' | '.join([*key, *shown])} |" in text_of("calibration.md")


def test_calibration_page_shows_the_measured_rates():
    cells = {}
    for row in calibration():
        size, *power = (
            100 * float(row[key]) for key in ("size", "power_2sd", "power_3sd")
        )
        shown = f"{size:.1f} · {power[0]:.0f} · {power[1]:.0f}"
        key = f"| {row['design']} ({row['fits']}) | {row['test']} |"
        cells[key] = [*cells.get(key, []), shown]
    for key, rates in cells.items():
        assert f"{key} {' | '.join(rates)} |" in text_of("calibration.md")


@pytest.mark.parametrize(
    ("page", "words", "column", "test"),
    [
        (
            "guide/pitfalls.rst",
            "up to {high:.0f}% of true",
            "size",
            "KFoldTTest(rho=0.0)",
        ),
        (
            "guide/pitfalls.rst",
            "rejected {low:.0f} to {high:.0f}%",
            "size",
            "HoldoutTTest()",
        ),
        (
            "papers/nadeau_bengio.rst",
            "rejected {low:.0f} to {high:.0f}%",
            "size",
            "ConservativeZTest()",
        ),
        (
            "coming_from/mlr3inferr.rst",
            "rejected up to {high:.0f}%",
            "size",
            "KFoldZTest()",
        ),
    ],
)
def test_quoted_rates_are_the_measured_ones(page, words, column, test):
    low, high = percents(column, test)
    assert words.format(low=low, high=high) in " ".join(text_of(page).split())


def test_quoted_rates_under_heavy_tails_are_the_measured_ones():
    rows = [row for row in calibration() if "outliers" in row["population"]]
    skew = [100 * float(r["size"]) for r in rows if "skewness" in r["test"]]
    sizes = [100 * float(row["size"]) for row in rows]
    words = " ".join(text_of("guide/which_test.rst").split())
    assert f"({min(sizes):.0f} to {max(sizes):.0f}% of true hypotheses" in words
    assert f"rejected {min(skew):.0f} to {max(skew):.0f}% there" in words


PUBLISHED = [
    ("papers/grandvalet_bengio.rst", "GB06-table2", "letter", "type1_rho0", "ρ = 0"),
    ("papers/grandvalet_bengio.rst", "GB06-table2", "letter", "type1_rho07", "ρ = 0.7"),
]


@pytest.mark.parametrize(("page", "key", "data", "row", "label"), PUBLISHED)
def test_published_rates_are_those_of_the_paper(page, key, data, row, label):
    values = simulation.load_published()[key][data][row]
    cells = "".join(f"     - {value:.1f}\n" for value in values)
    assert f"   * - type I, {label}\n{cells}" in text_of(page)


@pytest.mark.parametrize("kind", ["standard", "corrected"])
def test_published_heat_map_is_that_of_the_package(kind):
    published = simulation.load_published()["004-heatmap"]
    values = [row[published["k"].index(10)] for row in published[kind]]
    cells = "".join(f"     - {100 * value:.0f}\n" for value in values)
    label = "standard t" if kind == "standard" else kind
    assert f"   * - {label}\n{cells}" in text_of("papers/bouckaert_frank.rst")


# The built site ---------------------------------------------------------------


class Links(html.parser.HTMLParser):
    """The ids of a page, and what it links to or shows."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.targets = set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids |= {attributes.get("id"), attributes.get("name")}
        name = "href" if tag in ("a", "link") else "src"
        if attributes.get(name):
            self.targets.append(attributes[name])


def broken_links(folder):
    """Yield page and target of each relative link that leads nowhere."""
    paths = [path for path in folder.rglob("*.html") if "_static" not in path.parts]
    pages = {path.resolve(): Links(path) for path in paths}
    for path, page in pages.items():
        for target in page.targets:
            url = urllib.parse.urlsplit(target)
            if url.scheme or url.netloc:
                continue
            to = path
            if url.path:
                to = (path.parent / urllib.parse.unquote(url.path)).resolve()
            anchor = urllib.parse.unquote(url.fragment)
            wrong_anchor = anchor and to in pages and anchor not in pages[to].ids
            if not to.exists() or wrong_anchor:
                yield path.name, target


def test_broken_links_are_found(tmp_path):
    (tmp_path / "a.html").write_text('<p id="x"><a href="#x"></a><a href="b.html#y">')
    (tmp_path / "b.html").write_text('<img src="none.png"><a href="https://e.org/x">')
    assert sorted(broken_links(tmp_path)) == [
        ("a.html", "b.html#y"),
        ("b.html", "none.png"),
    ]


@pytest.mark.skipif(
    not (BUILT / "index.html").exists(), reason="the documentation is not built"
)
def test_links_of_the_built_site_lead_somewhere():
    assert list(broken_links(BUILT)) == []


@pytest.mark.slow
def test_site_builds_without_a_warning(tmp_path):
    pytest.importorskip("sphinx")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", DOCS, tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert list(broken_links(tmp_path)) == []
