"""Words whose absence a test asserts are words that the package can print."""

import ast
import functools
import re
from pathlib import Path

import pytest

import sklearn_cvtest

pytestmark = pytest.mark.lint

PACKAGE, TESTS = Path(sklearn_cvtest.__file__).parent, Path(__file__).parent
TEMPLATES = ".json", ".html", ".css"
NOT_OURS = {"Overfull"}  # LaTeX says it


def strings_of(tree):
    """Return all string constants, those that Python joins as one."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return [node.value for node in nodes if isinstance(node.value, str)]


@functools.cache
def texts_of_the_package():
    texts = [p.read_text("utf-8") for p in PACKAGE.rglob("*") if p.suffix in TEMPLATES]
    for path in PACKAGE.rglob("*.py"):
        texts += strings_of(ast.parse(path.read_text("utf-8")))
    return " ".join(" ".join(texts).split()).lower()


def absent_words(tree):
    """Yield line and words of `"words" not in text` and `not re.search("words", ...)`.

    Of a pattern, each run of letters and blanks with a blank between two words.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Compare(
                left=ast.Constant(value=str(words)), ops=[ast.NotIn()]
            ) if re.fullmatch(r"\W?(?:[a-z]+ )+[a-z]+\W?|[A-Z][a-z]+", words):
                yield node.lineno, words
            case ast.UnaryOp(
                op=ast.Not(),
                operand=ast.Call(
                    func=ast.Attribute(attr="search" | "findall"),
                    args=[ast.Constant(value=str(pattern)), *_],
                ),
            ):
                for words in re.findall(r"(?<![\\\w])[a-z]+(?: [a-z]+)+", pattern):
                    yield node.lineno, words


@pytest.mark.parametrize("path", sorted(TESTS.rglob("test_*.py")), ids=lambda p: p.stem)
def test_what_is_asserted_absent_can_be_printed(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for line, words in absent_words(tree):
        is_printable = words.lower() in texts_of_the_package() or words in NOT_OURS
        assert is_printable, f"{path.name}:{line}: no text of the package has {words!r}"
