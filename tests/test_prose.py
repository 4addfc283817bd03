"""Turns of phrase over which an English-speaking reader stumbles."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parent.parent
PAGES = [
    path
    for folder, pattern in (("docs", "*.rst"), ("docs", "*.md"), (".", "*.md"))
    for path in sorted((ROOT / folder).glob(pattern))
] + sorted((ROOT / "docs").glob("[gpc]*/*.rst"))
CODE = [
    path
    for folder in ("sklearn_cvtest", "examples")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
# "Of a search, rows are candidates" should be "for a search".
OPENS_WITH_OF = re.compile(
    r"(?:^|[.:;?]\s+|\n\n\s*)Of (?:an?|several|many|more|fewer) "
)
# What is printed names the noun.
VAGUE = re.compile(r"\b(?:that|those) of (?:that|those|whom|it|them)\b|did the null ")


def texts(path):
    """Yield the strings and comments of a module, or the text of a page."""
    source = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield source
        return
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.STRING, tokenize.COMMENT):
            yield token.string.strip("\"'# ")


def test_sentences_do_not_open_with_of():
    found = [
        (str(path.relative_to(ROOT)), text[match.start() : match.end() + 60])
        for path in PAGES + CODE
        for text in texts(path)
        for match in OPENS_WITH_OF.finditer(text)
    ]
    assert found == []


def printed(path):
    """Yield the strings of a module of words that are not docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in documented:
            yield node.value


def test_printed_words_name_the_noun():
    words = sorted((ROOT / "sklearn_cvtest" / "_report").glob("*.py"))
    assert [
        text for path in words for text in printed(path) if VAGUE.search(text)
    ] == []
