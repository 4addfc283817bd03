"""The documentation: its code runs, its names and links exist, its numbers hold.

Write what the code of the pages prints now into them: python tests/test_docs.py
"""

import ast
import doctest
import html.parser
import importlib
import inspect
import json
import re
import subprocess
import sys
import urllib.parse
from pathlib import Path

import common
import numpy as np
import pytest
import sklearn.experimental.enable_halving_search_cv
import sklearn.model_selection
import threadpoolctl

import sklearn_cvtest
from sklearn_cvtest import exceptions, simulation

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parent.parent
PUBLISHED = json.loads(
    (ROOT / "examples/papers/published.json").read_text(encoding="utf-8")
)
DOCS = ROOT / "docs"
BUILT = DOCS / "_build" / "html"
MADE = {"_build", "auto_examples", "generated", "_templates"}
PAGES = [
    path
    for path in sorted([*DOCS.rglob("*.rst"), *DOCS.rglob("*.md")])
    if not MADE & set(path.relative_to(DOCS).parts)
]
PEERS = {"mlxtend", "baycomp"}  # pages that need the package
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
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


class Failures(doctest.DocTestRunner):
    """Collects the examples that print something else, and what they print."""

    def __init__(self):
        super().__init__(optionflags=OPTIONS)
        self.outputs = []

    def report_failure(self, out, test, example, got):
        self.outputs.append((example, got))

    def report_unexpected_exception(self, out, test, example, exc_info):
        raise exc_info[1]


def code_of(text, suffix):
    """Return the text of a page in which only its code is left, on the same lines."""
    if suffix == ".rst":
        return text
    lines = text.split("\n")
    is_code = False
    for number, line in enumerate(lines):
        if line in ("```pycon", "```"):
            is_code = line == "```pycon"
        if not is_code or line == "```pycon":
            lines[number] = "" if line != "```" else "```"
        elif not line:  # within an output, if no prompt follows
            after = next(one for one in lines[number:] if one)
            lines[number] = "" if after[:3] in (">>>", "```") else "<BLANKLINE>"
    return "\n".join("" if line == "```" else line for line in lines)


def run_code(path):
    """Return the number of examples of a page, and those that print something else."""
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("Agg")
    code = code_of(path.read_text(encoding="utf-8"), path.suffix)
    page = doctest.DocTestParser().get_doctest(code, {}, path.name, str(path), 0)
    runner = Failures()
    with threadpoolctl.threadpool_limits(1):  # small problems, and other tests beside
        n_examples = runner.run(page).attempted
    plt.close("all")
    return n_examples, runner.outputs


def blank_lines_marked(got, suffix):
    """Return an output as pages have it; a traceback is its last line."""
    got = re.sub(r"(?m)(^Traceback .*\n)(?: .*\n)+", r"\1...\n", got.rstrip("\n"))
    return got.replace("\n\n", "\n<BLANKLINE>\n") if suffix == ".rst" else got


def rewritten(path):
    """Return the text of a page with what its code prints now."""
    lines = path.read_text(encoding="utf-8").split("\n")
    for example, got in reversed(run_code(path)[1]):
        first = example.lineno + example.source.count("\n")
        last = first + example.want.count("\n")
        lines[first:last] = blank_lines_marked(got, path.suffix).split("\n")
    return "\n".join(lines)


@every_tested_page
def test_code_of_page_runs(path):
    if path.stem in PEERS:
        pytest.importorskip(path.stem)
    n_examples, others = run_code(path)
    assert n_examples
    assert [(example.source, got) for example, got in others] == []


def test_recipe_of_boosting_gives_each_fit_a_validation_set_of_its_own():
    from sklearn.datasets import load_wine
    from sklearn.naive_bayes import GaussianNB

    class Booster(GaussianNB):  # numbers for labels only, as XGBoost
        def fit(self, X, y, *, eval_set, verbose):
            ((X_stop, y_stop),) = eval_set
            assert set(y) == set(y_stop) == {0, 1, 2}
            self.shared_ = set(map(tuple, X)) & set(map(tuple, X_stop))
            self.n_rows_ = len(X), len(X_stop)
            return super().fit(X, y)

    recipe = PYTHON.findall(text_of("guide/boosting.md"))
    made = {}
    exec(recipe[0], made)
    X, y = load_wine(return_X_y=True)
    y = np.array(["a", "b", "c"])[y]
    options = {"cv": 5, "loss": "log_loss", "return_estimator": True}
    model = made["EarlyStopped"](Booster(), {"verbose": False})
    losses = sklearn_cvtest.cross_val_losses(model, X, y, **options)
    for fitted in losses.estimators["earlystopped"]:
        assert fitted.estimator_.shared_ == set()
        assert sum(fitted.estimator_.n_rows_) in (142, 143)
        assert set(fitted.predict(X)) == set(y)
    assert losses.values.mean() < 0.3


# Names ------------------------------------------------------------------------


def test_api_pages_list_every_public_name_once():
    lists = [
        part
        for path in sorted((DOCS / "api").glob("*.rst"))
        for part in path.read_text("utf-8").split(":nosignatures:")[1:]
    ]
    listed = re.findall(r"^   (?:\w+\.)?(\w+)$", "\n".join(lists), re.MULTILINE)
    assert sorted(listed) == sorted(common.PUBLIC)


def test_api_page_of_a_comparison_lists_every_member_once():
    page = text_of("_templates/autosummary/comparison.rst")
    listed = re.findall(r'"([a-z]\w+)"', " ".join(re.findall(r"\[.+\]", page)))
    members = [name for name in dir(sklearn_cvtest.Comparison) if name[0] != "_"]
    assert sorted(listed) == members


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
def test_names_in_pages_exist(path):
    """Of classes: in Markdown they are literals, which the build links."""
    classes = r"`([A-Z]\w+(?:Test|Warning|Display|SearchCV|Subsample|Halves))[(`]"
    places = sklearn_cvtest, sklearn_cvtest.results, exceptions, simulation
    places = (*places, sklearn.model_selection)
    missing = [
        name
        for name in re.findall(classes, text_of(path))
        if not any(hasattr(place, name) for place in places)
    ]
    assert path.suffix == ".rst" or missing == []


def calls_in(text):
    """Yield the calls of literals that are code, with the public callable of each."""
    for code in re.findall(r"`([^`\n]+)`", text):
        try:
            nodes = list(ast.walk(ast.parse(code)))
        except SyntaxError:
            continue
        for node in nodes:
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func).rpartition(".")[2]
                for place in (sklearn_cvtest, sklearn_cvtest.Comparison):
                    if callable(item := getattr(place, name, None)):
                        yield node, inspect.signature(item).parameters


@every_page
def test_calls_in_pages_name_arguments_that_exist(path):
    wrong = [
        ast.unparse(call)
        for call, parameters in calls_in(text_of(path))
        if "options" not in parameters
        for keyword in call.keywords
        if keyword.arg and keyword.arg not in parameters
    ]
    assert wrong == []


@every_page
def test_files_that_are_named_exist(path):
    named = re.findall(r"`((?:docs|tests|benchmarks|examples)/[\w/.]+)`", text_of(path))
    assert [name for name in named if not (ROOT / name).exists()] == []
    links = re.findall(r"\]\(([^)#\s]+)", text_of(path)) if path.suffix == ".md" else []
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (path.parent / link).exists()] == []


def test_every_table_names_the_script_that_writes_it():
    page = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    scripts = {}
    for line in page.splitlines():
        files = re.findall(r"`([\w/]+(?:\.py|/))`", line.rpartition("|")[0])
        for table in re.findall(r"`(\w+\.csv)`", line) if line[0:1] == "|" else ():
            scripts.setdefault(table, []).extend(files)
    assert sorted(scripts) == sorted(path.name for path in DOCS.glob("data/*.csv"))
    assert all(scripts.values())
    for name in {name for names in scripts.values() for name in names}:
        assert (ROOT / "benchmarks" / name).exists()


@every_page
def test_examples_that_are_referred_to_exist(path):
    for label in re.findall(r"sphx_glr_auto_examples_(\w+)\.py", text_of(path)):
        folder, _, stem = label.partition("_plot_")
        assert (ROOT / "examples" / folder / f"plot_{stem}.py").exists()


# Numbers ----------------------------------------------------------------------


@pytest.fixture
def extensions(monkeypatch):
    """Let the modules of docs/_ext be imported."""
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))


@pytest.mark.parametrize("project", ["sklearn", "numpy", "scipy", "matplotlib"])
def test_inventories_hold_what_examples_use(project, extensions):
    inventories = importlib.import_module("inventories")
    assert inventories.read(project) == inventories.entries()[project]


def test_names_of_other_projects_are_found_in_code(extensions):
    inventories = importlib.import_module("inventories")
    source = "import numpy as np\nfrom sklearn import svm\nnp.linalg.solve(svm.SVC)"
    names = inventories.names_used(source)
    assert names >= {"numpy.linalg.solve", "sklearn.svm.SVC"}
    line = inventories.entry("numpy.abs", np.abs)
    assert "reference/generated/numpy.absolute.html#numpy.absolute" in line


def test_switcher_names_this_version():
    entries = json.loads(text_of("_static/switcher.json"))
    assert sklearn_cvtest.__version__ in {entry["version"] for entry in entries}


@pytest.mark.parametrize(
    ("page", "key", "data", "row", "label"),
    [
        ("papers/grandvalet_bengio.md", "GB06-table2", "letter", "type1_rho0", "ρ = 0"),
        (
            "papers/grandvalet_bengio.md",
            "GB06-table2",
            "letter",
            "type1_rho07",
            "ρ = 0.7",
        ),
    ],
)
def test_published_rates_are_those_of_the_paper(page, key, data, row, label):
    values = PUBLISHED[key][data][row]
    cells = " | ".join(f"{value:.1f}" for value in values)
    assert f"| type I, {label} | {cells} |" in text_of(page)


@pytest.mark.parametrize("kind", ["standard", "corrected"])
def test_published_heat_map_is_that_of_the_package(kind):
    published = PUBLISHED["004-heatmap"]
    values = [row[published["k"].index(10)] for row in published[kind]]
    cells = " | ".join(f"{100 * value:.0f}" for value in values)
    label = "standard t" if kind == "standard" else kind
    assert f"| {label} | {cells} |" in text_of("papers/bouckaert_frank.md")


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
    (tmp_path / "a.html").write_text(
        '<p id="x"><a href="#x"></a><a href="b.html#y">', encoding="utf-8"
    )
    (tmp_path / "b.html").write_text(
        '<img src="none.png"><a href="https://e.org/x">', encoding="utf-8"
    )
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


if __name__ == "__main__":
    for page in PAGES:
        if ">>> " in page.read_text(encoding="utf-8"):
            page.write_text(rewritten(page), encoding="utf-8")
