"""The report page: what it says, and that it is whole, valid and safe."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
import scipy
import sklearn
from interfaces import text_tables
from sklearn.dummy import DummyRegressor

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    Comparison,
    EquivalenceTest,
    FiveByTwo,
    FiveByTwoFTest,
    KFoldTTest,
    __version__,
    compare_candidates,
    compare_over_datasets,
    corrected_ttest,
    cross_val_losses,
)
from sklearn_cvtest.results import MultiMetricComparison

VOID = {"meta", "img", "br", "link", "hr", "input"}
HOSTILE = [
    "<script>alert(1)</script>",
    "a & b &amp; c",
    "\"quoted\" and 'quoted'",
    '"><img src=x onerror=alert(1)>',
    "</title></style><h1>",
    "two\nlines\r\nand\ttabs",
    "$x$ \\undefined $",
    "<!-- -- -->",
    "]]> {} %s {0}",
    "\u202eright to left\u2066",
    "שלום",
    "nul\x00 escape\x1b[31m bell\x07",
    "lone surrogate \udcff",
    "_hidden_ *em* `code` :doi:`x`",
]
TAGS = (
    "html head meta title style body main section h1 h2 h3 p div figure img figcaption "
    "table thead tbody tr th td ul li blockquote footer details summary "
    "pre strong"
)
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
    None,
)


class Page(HTMLParser):
    """A parsed page: elements, attributes and text; unbalanced tags are errors."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.texts, self.ids = [], [], [], []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_decl(self, decl):
        assert decl == "DOCTYPE html"

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

    def tags(self):
        return {tag for tag, _ in self.elements}

    def text(self, inside="main"):
        return " ".join(
            " ".join(data for path, data in self.texts if inside in path).split()
        )

    def headings(self):
        return [data for path, data in self.texts if path[-1:] == ("h2",)]


def losses(n_estimators=2, cv=None):
    X = np.random.default_rng(0).normal(size=(60, 1))
    models = [DummyRegressor(strategy="constant", constant=c) for c in range(9)]
    cv = BlockKFold(10, random_state=0) if cv is None else cv
    result = cross_val_losses(
        [(f"model {c}", model) for c, model in enumerate(models[:n_estimators])],
        X,
        X[:, 0],
        cv=cv,
        loss="absolute_error",
    )
    means = 0.4 * np.arange(n_estimators)
    noise = np.random.default_rng(0).normal(means, size=result.losses.shape)
    return replace(result, losses=noise)


TWO, SIX = losses(2), losses(6)
PLAIN = {}  # the pages of these, which many tests read


def write(path, names=None, of=TWO, **options):
    if names is not None:
        of = replace(of, estimator_names=tuple(names))
    comparison = Comparison(of, **options)
    comparison.to_html(path)
    return comparison


@pytest.fixture
def page(tmp_path):
    """Return a function that writes a page and parses it."""

    def make(*args, new=False, **options):
        is_plain = not (args or new or options.keys() - {"of"})
        key = id(options.get("of", TWO))
        if is_plain and key in PLAIN:
            return PLAIN[key]
        path = tmp_path / "report.html"
        write(path, *args, **options)
        made = Page(path.read_text(encoding="utf-8"))
        if is_plain and key in (id(TWO), id(SIX)):
            PLAIN[key] = made
        return made

    return make


def shown(name):
    """Return a name as the page shows it."""
    name = " ".join(name.split())
    invisible = "[\x00-\x1f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
    return re.sub(invisible, lambda match: f"\\u{ord(match[0]):04x}", name)


def pictures(page):
    images = [attributes for tag, attributes in page.elements if tag == "img"]
    prefix = "data:image/svg+xml;base64,"
    assert all(image["src"].startswith(prefix) for image in images)
    return [base64.b64decode(image["src"].removeprefix(prefix)) for image in images]


# The page ---------------------------------------------------------------------


def test_page_has_its_sections(page):
    assert page().headings() == [
        "Conclusion",
        "Differences",
        "All pairs",
        "Other pictures",
        "How to read this",
        "What the tests assume",
        "For a paper",
    ]


def test_page_declares_language_charset_and_viewport(page):
    elements = page().elements
    assert ("html", {"lang": "en"}) in elements
    assert ("meta", {"charset": "utf-8"}) in elements
    content = "width=device-width, initial-scale=1"
    assert ("meta", {"name": "viewport", "content": content}) in elements


def test_page_is_self_contained(page):
    for tag, attributes in page().elements:
        assert tag not in ("script", "link", "iframe", "object", "svg")
        assert attributes.get("src", "data:").startswith("data:")
        assert not any(name.startswith("on") for name in attributes)


def test_page_has_styles_for_phones_dark_mode_and_print(page):
    style = page().text("style")
    for query in ("max-width: 40rem", "prefers-color-scheme: dark", "print"):
        assert query in style


def test_page_titles_name_what_was_compared(page):
    one = page()
    assert one.text("h1") == one.text("title") == "Comparison of model 0 and model 1"
    assert page(of=SIX).text("h1") == "Comparison of 6 estimators"


def test_page_holds_the_tables_and_the_report(page, tmp_path):
    text = page().text()
    comparison = Comparison(TWO)
    words = " ".join(text.split())
    assert str(comparison).split("\n\n")[0].replace("\n", " ") in words
    tables = text_tables(str(comparison))
    assert len(tables) == 1
    for table in tables:
        assert all(cell in text for row in table.rows for cell in row)


def test_page_cites_the_paper_of_the_test(page):
    assert "Grandvalet and Y. Bengio" in page(test=KFoldTTest()).text("ul")
    one = page(test=EquivalenceTest(KFoldTTest(), margin=0.1))
    assert "Schuirmann" in one.text("ul")
    links = {attributes["href"] for tag, attributes in one.elements if tag == "a"}
    assert "https://doi.org/10.1007/BF01068419" in links


def test_page_says_what_the_tests_assume(page):
    text = page(test=KFoldTTest()).text()
    assert KFoldTTest().traits.about in text
    assert "[1]_" not in text
    assert "``" not in text


def test_page_explains_rho_alpha_only_where_it_is_shown(page):
    assert "The largest ρ at which" in page().text()
    of = losses(2, FiveByTwo(random_state=0))
    text = page(of=of, test=FiveByTwoFTest()).text()
    assert "The largest ρ at which" not in text


def test_page_explains_adjusted_pvalues_only_where_there_are_some(page):
    assert "p (holm)" in page(of=SIX).text()
    assert "adjusted for" in page(of=SIX).text()
    assert "adjusted for" not in page().text()


def test_page_opens_with_the_verdict(page):
    for of in (TWO, SIX):
        one = page(of=of)
        assert [a for t, a in one.elements if t == "p"][1] == {"class": "verdict"}
        assert one.text("section").startswith(
            f"Conclusion {Comparison(of).to_dict()['verdict']}"
        )


def test_page_names_no_parameters(page):
    test = BayesianCorrelatedTTest(0.1)
    for text in (page().text(), page(of=SIX, test=test).text()):
        for word in ("popmean", "n_boot", "prob_"):
            assert word not in text


def test_page_names_failures(page):
    values = SIX.losses.copy()
    values[3, 0] = np.nan
    with pytest.warns(UserWarning, match="model 0"):
        text = page(of=replace(SIX, losses=values)).text()
    assert "Left out: model 0 (nan)." in text


def test_page_names_versions(page):
    footer = page().text("footer")
    for version in (
        __version__,
        np.__version__,
        scipy.__version__,
        sklearn.__version__,
    ):
        assert version in footer


# Pictures ------------------------------------------------------------------------


def test_page_has_pictures_that_are_xml_with_a_text_for_each(page):
    one = page()
    assert len(pictures(one)) == 2
    for picture in pictures(one):
        assert ElementTree.fromstring(picture).tag.endswith("svg")
    alts = [attributes["alt"] for tag, attributes in one.elements if tag == "img"]
    assert alts[0].startswith("Difference in mean")
    assert "ρ" in alts[1]


def test_page_of_many_pairs_has_the_curves_of_the_best(page):
    assert len(pictures(page(of=SIX))) == 2


def test_page_of_a_bayesian_test_has_its_posterior(page):
    assert len(pictures(page(of=SIX, test=BayesianCorrelatedTTest(0.1)))) == 2


def test_page_of_other_designs_has_no_curves(page):
    of = losses(2, FiveByTwo(random_state=0))
    assert len(pictures(page(of=of, test=FiveByTwoFTest()))) == 1


def test_pictures_leave_pyplot_alone(page):
    import matplotlib.pyplot as plt

    before = plt.get_fignums()  # of other tests
    page(new=True)
    assert plt.get_fignums() == before


def test_page_without_matplotlib_says_so(page, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    one = page(new=True)
    assert pictures(one) == []
    assert 'No pictures: A picture needs matplotlib: pip install "sklearn_cvtest' in (
        one.text()
    )


# Hostile names -------------------------------------------------------------------


PAIRS = list(zip(HOSTILE[::2], HOSTILE[1::2], strict=True))


@pytest.mark.parametrize("names", PAIRS)
def test_hostile_names_are_text(page, names):
    one = page(names)
    assert one.tags() == set(TAGS.split())
    both = [shown(name) for name in names]
    assert one.text("h1") == "Comparison of {} and {}".format(*both)
    cells = [data for path, data in one.texts if path[-1:] == ("td",)]
    assert set(both) <= set(cells)  # whole, in the table of all pairs
    for picture in pictures(one):
        tags = {
            element.tag.rpartition("}")[2]
            for element in ElementTree.fromstring(picture).iter()
        }
        assert not tags & {"script", "foreignObject", "a", "image"}


def test_loss_names_are_text(page):
    one = page(of=replace(TWO, loss_name="<script>1</script>"))
    assert "script" not in one.tags()
    assert "<script>1</script>" in one.text()


def test_summary_for_notebooks_escapes_control_characters():
    comparison = Comparison(replace(TWO, estimator_names=("a\u202eb\x1b", "c")))
    html = comparison._repr_html_()
    assert "\u202e" not in html
    assert "\x1b" not in html
    assert "a\\u202eb\\u001b" in html


def hostile(n_estimators=3):
    of = replace(
        many(n_estimators).losses, estimator_names=("<b>&", "\u202eb", "c")[:3]
    )
    return Comparison(of)


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: hostile(), id="Comparison"),
        pytest.param(lambda: hostile().best_set(), id="BestSet"),
        pytest.param(lambda: candidates(), id="CandidateComparison"),
        pytest.param(
            lambda: MultiMetricComparison({"<b>&": hostile()}),
            id="MultiMetricComparison",
        ),
        pytest.param(
            lambda: compare_over_datasets({"<b>&": hostile(), "w": hostile()}),
            id="DatasetComparison",
        ),
        pytest.param(
            lambda: compare_over_datasets({"v": hostile(), "w": hostile()}).ranks(),
            id="ranks",
        ),
        pytest.param(lambda: hostile().by(np.arange(60) < 30), id="by"),
        pytest.param(
            lambda: corrected_ttest([1, 2, 3.5], [2, 4, 4], 20, 10),
            id="corrected_ttest",
        ),
        pytest.param(lambda: many(2).plan(0.1), id="plan"),
    ],
)
def test_notebook_views_are_html_and_names_are_text(make):
    shown = make()
    one = Page(shown._repr_html_())
    assert one.tags() <= set(TAGS.split())
    text = " ".join(data for _, data in one.texts)
    assert "\u202e" not in text
    is_hostile = "<b>&" in getattr(shown, "estimator_names", ())
    names = ("<b>&", "\\u202eb") if is_hostile else ()
    assert all(name in text for name in names)
    words = re.findall(r"[a-z]{4,}|\d\.\d{3}", str(shown).partition("\n\n")[0])
    if type(shown).__str__ is not object.__str__:
        assert all(word in text for word in words)


# Files ---------------------------------------------------------------------------


def test_page_is_the_same_every_time(tmp_path):
    for name in "ab":
        write(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize(
    "kind", [str, os.fsencode, Path], ids=lambda kind: kind.__name__
)
def test_page_goes_to_any_kind_of_path(tmp_path, kind):
    write(kind(str(tmp_path / "page é.html")))
    assert [path.name for path in tmp_path.iterdir()] == ["page é.html"]


def test_page_replaces_a_file(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("<!doctype html>old")
    write(path)
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert os.listdir(tmp_path) == ["page.html"]


def test_a_failing_page_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "page.html"
    path.write_text("<!doctype html>old")

    def fail(*args):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write(path)
    assert path.read_text() == "<!doctype html>old"
    assert os.listdir(tmp_path) == ["page.html"]


def test_page_into_no_folder_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        write(tmp_path / "nowhere" / "page.html")


# In a browser --------------------------------------------------------------------


in_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium was found")
# What is wrong on a page that is shown in a frame of some width, and its headings.
LOOK = """
const luminance = color => {
  const parts = color.match(/[\\d.]+/g).slice(0, 3).map(Number).map(value => {
    value /= 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]; };
const ground = element => {
  for (; element; element = element.parentElement) {
    const color = getComputedStyle(element).backgroundColor;
    if (!/, 0\\)$/.test(color)) return color; }
  return "rgb(255, 255, 255)"; };
const look = (frame, fold) => {
  const page = frame.contentDocument, width = frame.clientWidth, wrong = new Set();
  const all = [...page.querySelectorAll("body *")];
  for (const one of page.querySelectorAll("details")) {
    if (one.open) wrong.add("a part is not folded");
    one.open = !fold; }
  if (page.documentElement.scrollWidth > width) wrong.add("the page scrolls");
  for (const one of all) {
    const style = getComputedStyle(one), box = one.getBoundingClientRect();
    const folded = one.closest("details:not([open])");
    if (!box.width) continue;
    if (folded && one.closest("summary") === null && one !== folded) {
      if (one.checkVisibility({contentVisibilityAuto: true})) wrong.add("not folded");
      continue; }
    const name = one.tagName + " " + one.textContent.slice(0, 30);
    const holder = one.closest(".scroll") || page.body;
    const scrolls = one.closest(".scroll") && (width < 641 || one.tagName === "IMG");
    if (!scrolls && box.right > holder.getBoundingClientRect().right + 0.5)
      wrong.add("wider than its column: " + name);
    if (one.matches("td, th, p, pre, li") && one.scrollWidth > one.clientWidth + 1)
      wrong.add("cut: " + name);
    const texts = [...one.childNodes].some(node => node.nodeType === 3
      && node.textContent.trim());
    if (!texts) continue;
    if (parseFloat(style.fontSize) < 11) wrong.add("small: " + name);
    const [dark, light] = [luminance(style.color), luminance(ground(one))].sort();
    if ((light + 0.05) / (dark + 0.05) < 4.5) wrong.add("faint: " + name); }
  return {wrong: [...wrong], dark: luminance(ground(page.body)) < 0.1,
    headings: [...page.querySelectorAll("h2")].map(one => one.textContent)}; };
addEventListener("load", () => setTimeout(() => {
  const found = [...document.querySelectorAll("iframe")].map(frame => look(frame,
    frame.dataset.fold === "yes"));
  document.getElementById("found").textContent = JSON.stringify(found); }, 500));
"""
SHOWN = [(width, fold) for width in (1280, 390) for fold in ("yes", "no")]


def dom(tmp_path, address, *options):
    """Return the page that the browser makes of an address."""
    command = [
        CHROMIUM,
        *[
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-sync",
        ],
        "--disable-background-networking",
        "--disable-component-update",
        f"--user-data-dir={tmp_path / 'profile'}",
        *options,
        "--dump-dom",
        address,
    ]
    done = subprocess.run(command, capture_output=True, timeout=300, check=True)
    return Page(done.stdout.decode())


def looked_at(tmp_path, page, *options):
    """Return what the browser finds at each of SHOWN."""
    frames = "".join(
        f'<iframe data-fold="{fold}" style="width: {width}px; height: 900px; border: 0"'
        f' srcdoc="{escape(page)}"></iframe>'
        for width, fold in SHOWN
    )
    path = tmp_path / "frames.html"
    path.write_text(
        '<!DOCTYPE html><meta charset="utf-8"><meta name="color-scheme" '
        f'content="light dark"><pre id="found"></pre>{frames}<script>{LOOK}</script>',
        encoding="utf-8",
    )
    options = (*options, "--window-size=1400,1000", "--virtual-time-budget=20000")
    text = dom(tmp_path, path.as_uri(), *options).text("pre")
    return dict(zip(SHOWN, json.loads(text), strict=True))


LONG = [
    f"make_pipeline(StandardScaler(), HistGradientBoostingClassifier(max_iter={i}))"
    for i in range(60)
]


def many(n_estimators, **options):
    """Return a comparison of estimators with long names."""
    n = n_estimators
    values = np.random.default_rng(1).normal(
        np.linspace(0, 2, n), size=(len(TWO.losses), n)
    )
    made = {
        name: np.tile(getattr(TWO, name)[:, :1], n)
        for name in ("fit_time", "score_time", "fit_failed")
    }
    names = tuple(LONG[:n])
    of = replace(TWO, estimator_names=names, losses=values, estimators=None, **made)
    return Comparison(of, **options)


def candidates(test=None):
    searched = {
        f"split{j}_test_score": np.random.default_rng(j).normal(size=4)
        for j in range(6)
    }
    searched["params"] = [{"pipeline__classifier__C": c} for c in range(4)]
    return compare_candidates(searched, cv=6, test=test)


def several_metrics():
    return MultiMetricComparison({"accuracy": many(3), "f1": many(3)})


def over_datasets():
    return compare_over_datasets({"wine": many(4), "iris": many(4)})


BAYESIAN = BayesianCorrelatedTTest(0.3)


@in_browser
@pytest.mark.full
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: many(2), id="two"),
        pytest.param(lambda: many(12), id="twelve"),
        pytest.param(lambda: many(60), id="sixty"),
        pytest.param(lambda: many(12, reference=LONG[3]), id="reference"),
        pytest.param(lambda: many(12, test=BAYESIAN), id="bayesian"),
        pytest.param(
            lambda: many(2, test=EquivalenceTest(KFoldTTest(), margin=0.1)),
            id="equivalence",
        ),
        pytest.param(lambda: candidates(), id="candidates"),
        pytest.param(
            lambda: candidates(BayesianCorrelatedTTest(0.1)), id="bayesian candidates"
        ),
        pytest.param(several_metrics, id="metrics"),
        pytest.param(over_datasets, id="data sets"),
    ],
)
def test_browser_finds_nothing_cut_small_or_faint(tmp_path, make):
    path = tmp_path / "page.html"
    make().to_html(path)
    page = path.read_text(encoding="utf-8")
    whole = Page(page)
    for word in ("popmean", "n_boot", "prob_", "n_train", "p_adjust", "random_state"):
        assert word not in whole.text("section")
    for scheme, is_dark in ((1, False), (0, True)):
        option = f"--blink-settings=preferredColorScheme={scheme}"
        found = looked_at(tmp_path, page, option)
        for one in found.values():
            assert one["wrong"] == []
            assert one["headings"] == whole.headings()
            assert one["dark"] == is_dark


@in_browser
@pytest.mark.full
def test_browser_shows_the_page_and_runs_nothing(tmp_path):
    path = tmp_path / "page.html"
    names = ['<script>document.title = "hit"</script>', '"><img src=x onerror="hit()">']
    write(path, names)
    page = dom(tmp_path, path.as_uri())
    assert page.text("title") == f"Comparison of {names[0]} and {names[1]}"
    assert page.tags() == Page(path.read_text(encoding="utf-8")).tags()
    assert len(page.headings()) == 7
    assert len(pictures(page)) == 2


def test_candidates_have_pages_with_their_parameters(tmp_path):
    candidates().to_html(tmp_path / "page.html")
    text = Page((tmp_path / "page.html").read_text(encoding="utf-8")).text()
    assert "p-values against" in text
    assert "C=3" in text


def test_several_metrics_have_a_page(tmp_path):
    several_metrics().to_html(tmp_path / "page.html")
    page = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert page.text("h1") == "Comparison of 3 estimators by 2 metrics"
    titles = [data for path, data in page.texts if path[-1:] == ("h3",)]
    assert titles[:2] == ["accuracy", "f1"]
    assert len(pictures(page)) == 4
