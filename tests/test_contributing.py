"""CONTRIBUTING's table of where one goes for what leaves out no file."""

import ast
import functools
import re
from pathlib import Path

import pytest
import test_architecture

import sklearn_cvtest

pytestmark = pytest.mark.lint

ROOT = Path(sklearn_cvtest.__file__).parent
GUIDE = ROOT.parent / "CONTRIBUTING.md"

# What the files to change name, by an example of each; "def" and "class" where only
# the file that defines it is opened.
EXAMPLES = {
    "a loss": {"gamma_deviance", "def squared_log_error"},
    "a metric": {"average_precision", "average_precision_score"},
    "which test is the default": {"default_for"},
    "a test that needs nested fits": {"NestedCVTest", "NestedKFold", "nested k-fold"},
    "how p is adjusted": {"hochberg"},
    "how names are printed": {"def in_sentences", "def text_table"},
    "the text of `report()`": {
        "def report_sentences",
        "def verdict_lines",
        "def few_groups_note",
    },
    "what `memory=` stores": {
        "def open_store",
        "def failed_result",
        "def fingerprint",
        "def inner_codes",
    },
    "a new kind of estimator": {"regressor", "class Responses", "class LabelRule"},
    "a plot": {"RhoSensitivityDisplay"},
    "a renderer": {"markdown_table"},
    "a layout of files": {"class Layout", "def direction_of_metric"},
    "a source": {"compare_predictions"},
}


@functools.cache
def words_of(path):
    """Return what the code of a file names: identifiers, texts and definitions."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    found = set()
    for node in ast.walk(tree):
        if node in texts:  # a docstring
            continue
        for field in ("id", "attr", "name", "value", "arg"):
            word = getattr(node, field, None)
            if isinstance(word, str):
                found.add(word)
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            kind = "class" if isinstance(node, ast.ClassDef) else "def"
            found.add(f"{kind} {node.name}")
    return found


def files_that_name(words):
    return {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        if words_of(path) & words
    }


def table():
    """Return {change: files and folders to open} of the table."""
    text = GUIDE.read_text(encoding="utf-8")
    lines = text.partition("| to change | open |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (.+?) \| (.+) \|$", lines, re.MULTILINE)
    return {
        change: re.findall(r"`([\w/]+(?:\.py|/))`", files) for change, files in rows
    }


def test_the_table_has_these_rows():
    assert set(table()) == set(EXAMPLES)


@pytest.mark.parametrize("change", EXAMPLES)
def test_the_table_names_all_files_that_name_what_changes(change):
    found, listed = files_that_name(EXAMPLES[change]), table()[change]
    assert found
    left_out = {
        name
        for name in found
        if name not in listed and f"{name.partition('/')[0]}/" not in listed
    }
    assert not left_out


@pytest.mark.parametrize("change", EXAMPLES)
def test_the_files_of_the_table_exist(change):
    assert all((ROOT / name).exists() for name in table()[change])


def test_the_picture_shows_the_layers_that_there_are():
    text = GUIDE.read_text(encoding="utf-8")
    start = text.index("    __main__\n")
    lines = text[start : text.index("\n\n", start)].splitlines()
    drawn = [set(re.findall(r"\w+", line.partition("(")[0])) for line in lines]
    assert drawn == test_architecture.LAYERS[::-1]


def without_docstrings(tree):
    """Return a syntax tree whose functions and classes have no docstrings."""
    for node in ast.walk(tree):
        is_definition = isinstance(node, ast.FunctionDef | ast.ClassDef)
        if is_definition and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return tree


@functools.cache
def statements_of_the_package():
    """Return the statements of all modules and classes, and all calls, as texts."""
    statements = set()
    for path in ROOT.rglob("*.py"):
        tree = without_docstrings(ast.parse(path.read_text(encoding="utf-8")))
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef):
                statements |= {ast.unparse(statement) for statement in node.body}
            elif isinstance(node, ast.Call):
                statements.add(ast.unparse(node))
    return statements


def quoted_statements():
    """Return the statements that the guide quotes from the package."""
    text = GUIDE.read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    trees = [without_docstrings(ast.parse(block)) for block in blocks]
    return [ast.unparse(statement) for tree in trees for statement in tree.body]


@pytest.mark.parametrize("statement", quoted_statements())
def test_code_is_quoted_from_the_package(statement):
    assert statement in statements_of_the_package()
