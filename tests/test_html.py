"""Pages and views of notebooks: whole, valid, narrow enough, and safe."""

import json
import re
import shutil
import subprocess
from dataclasses import replace
from html import escape
from html.parser import HTMLParser

import numpy as np
import pytest
from interfaces import html_tables, text_tables
from sklearn.dummy import DummyRegressor

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    Comparison,
    EquivalenceTest,
    KFoldTTest,
    compare_candidates,
    compare_over_datasets,
    corrected_ttest,
    cross_val_losses,
)

VOID = {"meta", "br", "hr"}
HOSTILE = [
    "<script>alert(1)</script>",
    "a & b &amp; c",
    "\"quoted\" and 'quoted'",
    '"><img src=x onerror=alert(1)>',
    "</title></style><h1>",
    "two\nlines\r\nand\ttabs",
    "<!-- -- -->",
    "]]> {} %s {0}",
    "\u202eright to left\u2066",
    "שלום",
    "nul\x00 escape\x1b[31m bell\x07",
    "lone surrogate \udcff",
]
TAGS = {"html", "meta", "title", "style", "h1", "p", "strong", "div"}
TAGS |= {"table", "tr", "th", "td"}
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
    None,
)


class Page(HTMLParser):
    """A parsed page: elements, attributes and text; unbalanced tags are errors."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.texts = [], [], []
        self.feed(html)
        self.close()
        assert self.open in ([], ["html"])

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")

    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs)
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append((tuple(self.open), data))

    def text(self, inside):
        found = [data for path, data in self.texts if inside in path]
        return " ".join(" ".join(found).split())


def losses(names):
    names = tuple(names)
    X = np.zeros((60, 1))
    models = [(str(i), DummyRegressor()) for i in range(len(names))]
    cv = BlockKFold(10, random_state=0)
    found = cross_val_losses(models, X, X[:, 0], cv=cv, loss="absolute_error")
    means = 3 + 0.4 * np.arange(len(names))
    values = np.random.default_rng(0).normal(means, size=found.values.shape)
    return replace(found, names=names, values=values, constant_names=())


def compared(*names, **options):
    return Comparison(losses(names), **options)


def candidates():
    searched = {
        f"split{j}_test_score": np.random.default_rng(j).normal(size=4)
        for j in range(6)
    }
    searched["params"] = [{"pipeline__classifier__C": c} for c in range(4)]
    return compare_candidates(searched, cv=6)


LONG = [
    f"make_pipeline(StandardScaler(), HistGradientBoostingClassifier(max_iter={i}))"
    for i in range(30)
]
NAMES = ("<b>&", "\u202eb", "c")
RESULTS = {
    "two": lambda: compared(*NAMES[:2]),
    "three": lambda: compared(*NAMES),
    "thirty": lambda: compared(*LONG),
    "reference": lambda: compared(*LONG[:12], reference=LONG[3]),
    "posterior": lambda: compared(*NAMES, test=BayesianCorrelatedTTest(0.3)),
    "equivalence": lambda: compared(
        *LONG[:2], test=EquivalenceTest(KFoldTTest(), margin=0.1)
    ),
    "best set": lambda: compared(*NAMES).best_set(),
    "gate": lambda: compared(*NAMES).gate(0.1, NAMES[0]),
    "winner": lambda: compared(*NAMES).winner_interval(),
    "candidates": candidates,
    "data sets": lambda: compare_over_datasets(
        {"<b>&": losses(NAMES), "w": losses(NAMES)}
    ),
    "ranks": lambda: compare_over_datasets(
        {"v": losses(NAMES), "w": losses(NAMES)}
    ).ranks(),
    "by label": lambda: compared(*NAMES).by(np.repeat(["<i>", "\x1b"], 30)),
    "corrected_ttest": lambda: corrected_ttest([1, 2, 3.5], [2, 4, 4], 20, 10),
    "plan": lambda: compared(*NAMES[:2]).plan(0.1),
}
every_result = pytest.mark.parametrize("make", RESULTS.values(), ids=RESULTS)


@pytest.fixture
def page_of(tmp_path):
    """Return a function that writes the page of a result and returns its text."""

    def write(result):
        result.to_html(tmp_path / "page.html")
        return (tmp_path / "page.html").read_text(encoding="utf-8")

    return write


@every_result
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pages_and_notebooks_show_the_print_and_no_markup_of_names(make, page_of):
    result = make()
    page = page_of(result)
    verdict, *_ = str(result).split("\n\n")
    for html in (page, result._repr_html_()):
        parsed = Page(html)
        assert {tag for tag, _ in parsed.elements} <= TAGS
        words = "".join(data for _, data in parsed.texts)
        assert not set(words) & set("\u202e\x1b\x00")
        assert set(re.findall(r"\d\.\d+", verdict)) <= set(
            re.findall(r"\d\.\d+", words)
        )
        printed = ["".join(row).replace(" ", "") for row in text_rows(str(result))]
        shown = ["".join(row).replace(" ", "") for row in html_rows(html)]
        assert "".join(sorted("".join(printed))) == "".join(sorted("".join(shown)))
    assert page.startswith("<!doctype html>")
    elements = Page(page).elements
    assert ("html", {"lang": "en"}) in elements
    assert ("meta", {"charset": "utf-8"}) in elements
    assert any(a.get("name") == "viewport" for _, a in elements)
    assert not any("src" in a or "href" in a for _, a in elements)
    assert " ".join(result.report().split()) in Page(page).text("html")


def text_rows(text):
    return [row for table in text_tables(text) for row in table.rows]


def html_rows(html):
    return [row for table in html_tables(html) for row in table.rows]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_text(name, page_of):
    shown = " ".join(name.split()).encode("unicode_escape").decode()
    if name.isprintable() or "\n" in name:
        shown = " ".join(name.split())
    page = Page(page_of(compared(name, "other")))
    assert {tag for tag, _ in page.elements} == TAGS
    assert page.text("h1") == page.text("title") == f"{shown} and other"
    assert shown in [data for path, data in page.texts if path[-1:] == ("td",)]


# In a browser --------------------------------------------------------------------

LOOK = """
addEventListener("load", () => setTimeout(() => {
  const page = document.getElementById("page").contentDocument;
  const wide = [...page.querySelectorAll("*")].filter(one =>
    !one.closest("div") && one.getBoundingClientRect().right > 391);
  document.getElementById("found").textContent = JSON.stringify({
    page: page.documentElement.scrollWidth, wide: wide.length,
    tables: [...page.querySelectorAll("div")].map(one => one.clientWidth)});
}, 500));
"""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium was found")
@pytest.mark.full
@every_result
def test_tables_scroll_inside_their_box_on_a_phone(make, page_of, tmp_path):
    page = page_of(make())
    path = tmp_path / "frame.html"
    path.write_text(
        '<!DOCTYPE html><meta charset="utf-8"><pre id="found"></pre><iframe id="page" '
        f'style="width: 390px; height: 900px; border: 0" srcdoc="{escape(page)}">'
        f"</iframe><script>{LOOK}</script>",
        encoding="utf-8",
    )
    options = "--headless --no-sandbox --disable-gpu --no-first-run --disable-sync"
    options += " --disable-background-networking --virtual-time-budget=20000"
    options += f" --user-data-dir={tmp_path / 'profile'} --dump-dom"
    command = [CHROMIUM, *options.split(), path.as_uri()]
    done = subprocess.run(command, capture_output=True, timeout=300, check=True)
    text = re.search(r'<pre id="found">(.*?)</pre>', done.stdout.decode())[1]
    found = json.loads(text)
    assert found["page"] <= 390
    assert not found["wide"]
    assert all(width <= 390 for width in found["tables"])
