"""Regular expressions take time that is linear in the length of a text."""

import ast
import re
import time
from pathlib import Path

import pytest

import sklearn_cvtest

pytestmark = pytest.mark.lint

ROOT = Path(sklearn_cvtest.__file__).parent
COMPILING = {"compile", "escape"}
REPEATED = ("1", " ", "a", "_", "-", ",", "1,", "a ", "a.", "'", "(", "[", "%", "\t")
FEW, MANY = 5_000, 20_000  # characters
SHORT = 0.05  # seconds


def is_of_re(node):
    """Whether an expression is a call such as `re.compile(...)`."""
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return is_call and getattr(node.func.value, "id", "") == "re"


def patterns():
    """Yield (file, pattern, name of the method by which it is used)."""
    trees = {
        path: ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(ROOT.rglob("*.py"))
    }
    nodes = [(path, node) for path, tree in trees.items() for node in ast.walk(tree)]
    methods = {}
    for _, node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            methods.setdefault(node.value.id, set()).add(node.attr)
    compiled = {
        id(node.value): node.targets[0].id
        for _, node in nodes
        if isinstance(node, ast.Assign) and is_of_re(node.value)
        if isinstance(node.targets[0], ast.Name)
    }
    for path, node in nodes:
        if not is_of_re(node) or not isinstance(node.args[0], ast.Constant):
            continue
        used = {node.func.attr} - COMPILING
        used |= {m for m in methods.get(compiled.get(id(node)), ()) if hasattr(re, m)}
        for method in sorted(used):
            yield path.name, node.args[0].value, method


def seconds(pattern, method, text):
    """Return the time that a pattern takes on a text."""
    use = getattr(re.compile(pattern, re.DOTALL), method)
    start = time.process_time()
    use("", text) if method in ("sub", "subn") else use(text)
    return time.process_time() - start


CASES = sorted(set(patterns()))


def test_there_are_patterns():
    assert len(CASES) > 20


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}: {case[1]}")
def test_patterns_take_linear_time(case):
    _, pattern, method = case
    for unit in REPEATED:
        texts = [(unit * size)[:size] + "x" for size in (FEW, MANY)]
        slow = seconds(pattern, method, texts[1])
        if slow > SHORT:
            assert slow < 8 * seconds(pattern, method, texts[0]), unit
