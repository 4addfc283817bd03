"""What is released: requirements, files, citation, and what CONTRIBUTING shows."""

import ast
import builtins
import inspect
import re
import runpy
import tomllib
from pathlib import Path

import pytest

import sklearn_cvtest

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parent.parent
PACKAGE = Path(sklearn_cvtest.__file__).parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
RUNTIME = {"numpy", "scipy", "scikit-learn", "joblib"}
OLDEST = runpy.run_path(str(ROOT / ".ci" / "oldest.py"))


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def python_blocks(name):
    return re.findall(r"^```python\n(.*?)^```", text(name), re.MULTILINE | re.DOTALL)


def names(requirements):
    return {re.match(r"[\w.-]+", requirement)[0] for requirement in requirements}


# Requirements -----------------------------------------------------------------


def test_there_are_four_runtime_dependencies():
    assert names(PROJECT["dependencies"]) == RUNTIME


@pytest.mark.parametrize("extra", ["plot", "pandas", "progress", "dask", "test"])
def test_every_requirement_of_an_extra_has_a_floor_that_is_tested(extra):
    pins = OLDEST["oldest_versions"]([extra])
    assert all(re.fullmatch(r"[\w.\[\]-]+==[\d.]+", pin) for pin in pins)
    assert names(pins) >= RUNTIME


def test_oldest_versions_are_the_floors():
    pins = OLDEST["oldest_versions"](["plot"])
    assert "scikit-learn==1.6" in pins
    assert len(pins) == len(RUNTIME) + 1


def test_oldest_versions_follow_extras_of_this_package():
    named = names(OLDEST["oldest_versions"](["test"]))
    assert {"matplotlib", "pandas", "pytest"} <= named
    assert "sklearn_cvtest" not in named


def test_requirement_without_a_floor_is_refused():
    with pytest.raises(ValueError, match="'numpy' must be name>=version"):
        OLDEST["oldest"]("numpy")


@pytest.mark.parametrize("extra", sorted(PROJECT["optional-dependencies"]))
def test_runtime_dependencies_are_not_repeated_in_extras(extra):
    assert not names(PROJECT["optional-dependencies"][extra]) & RUNTIME


# Files ------------------------------------------------------------------------


def test_texts_are_read_and_written_in_a_named_encoding():
    folders = "sklearn_cvtest", "tests", "docs", "benchmarks", "examples", "paper"
    paths = [path for name in folders for path in (ROOT / name).rglob("*.py")]
    calls = [
        (path.name, node.lineno)
        for path in paths
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and not names_its_encoding(node)
    ]
    assert calls == []


def names_its_encoding(call):
    """Whether a call that reads or writes text names the encoding; others do."""
    name = getattr(call.func, "attr", getattr(call.func, "id", None))
    place = {"open": 3, "read_text": 0, "write_text": 1}.get(name)
    is_open = name == "open"
    is_of_another = is_open and isinstance(call.func, ast.Attribute)
    is_binary = is_open and "b" in ast.unparse(call.args[1:2])
    is_named = any(keyword.arg == "encoding" for keyword in call.keywords)
    is_of_text = place is not None and not is_of_another and not is_binary
    return not is_of_text or is_named or len(call.args) > place


def test_package_holds_no_tests():
    assert not [path for path in PACKAGE.rglob("*") if path.name.startswith("test")]


@pytest.mark.parametrize(
    "name",
    ["README.md", "CONTRIBUTING.md", "AGENTS.md", "SUPPORT.md", "CODE_OF_CONDUCT.md"],
)
def test_links_to_files_are_right(name):
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text(name))
    local = [link for link in links if "://" not in link]
    missing = [link for link in local if not (ROOT / link).exists()]
    assert not missing


def test_readme_picture_is_drawn_by_the_script():
    name = re.search(r'"_static" / "(.+?)"', text("docs/readme_picture.py"))[1]
    picture = text(f"docs/_static/{name}")
    assert "<svg" in picture
    assert "sklearn" not in picture  # no path of the machine that drew it


def test_every_make_target_has_a_description():
    made = text("Makefile")
    targets = re.search(r"^\.PHONY: (.+)$", made, re.MULTILINE)[1].split()
    described = re.findall(r"^([\w-]+):.*  ## \S", made, re.MULTILINE)
    assert described == targets


def test_continuous_integration_runs_the_versions_that_are_promised():
    (versions,) = re.findall(r"python: \[(.+)\]", text(".github/workflows/ci.yml"))
    promised = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert re.findall(r"[\d.]+", versions) == promised
    assert PROJECT["requires-python"] == f">={promised[0]}"


def test_rules_for_programs_name_what_exists():
    rules = text("docs/guide/programs.md")
    places = sklearn_cvtest, sklearn_cvtest.Comparison, builtins
    calls = re.findall(r"`(?:result\.)?([a-z]\w+|[A-Z]\w+Test)\(", rules)
    missing = [call for call in calls if not any(hasattr(p, call) for p in places)]
    assert missing == []
    assert calls
    for call, words in re.findall(r"`(\w+)\((.*?)\)`", rules):
        known = getattr(sklearn_cvtest, call, None)
        for option in re.findall(r"(\w+)=", words) if known else ():
            assert option in inspect.signature(known).parameters


# Citation ---------------------------------------------------------------------


def test_citation_is_of_this_version():
    citation = text("CITATION.cff")
    assert f"\nversion: {sklearn_cvtest.__version__}\n" in citation
    assert f"\nlicense: {PROJECT['license']}\n" in citation


@pytest.mark.parametrize(
    "title",
    [
        "Hypothesis Testing for Cross-Validation",
        "No Unbiased Estimator of the Variance of K-Fold Cross-Validation",
        "Inference for the Generalization Error",
        "Evaluating the Replicability of Significance Tests for Comparing Learning",
    ],
)
def test_citation_refers_to_the_papers(title):
    references = text("CITATION.cff").partition("\nreferences:\n")[2]
    assert references.count(title) == 1
    assert references.count("\n  - type:") + references.startswith("  - type:") == 4


def test_changelog_begins_with_this_version():
    first = re.search(r"^## (\S+)", text("CHANGELOG.md"), re.MULTILINE)[1]
    assert first == sklearn_cvtest.__version__


# CONTRIBUTING -----------------------------------------------------------------


def test_contributing_names_files_that_are_there():
    named = re.findall(r"`(_\w+/\w+\.py)`", text("CONTRIBUTING.md"))
    assert [name for name in named if not (PACKAGE / name).exists()] == []
    assert named


def test_contributing_names_every_file_of_the_kernel():
    named = set(re.findall(r"\w+", text("CONTRIBUTING.md")))
    kernel = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    assert kernel <= named


def test_contributing_repeats_the_test_command_of_the_readme():
    (command,) = re.findall(
        r"^.*python -m pytest -n 2$", text("README.md"), re.MULTILINE
    )
    assert command in text("CONTRIBUTING.md").splitlines()


def test_an_editable_install_is_a_path_that_type_checkers_follow():
    # setuptools writes a plain .pth file where the only package directory is ""
    assert PYPROJECT["tool"]["setuptools"]["package-dir"] == {"": "."}
