"""The README: its code runs, and prints what it says.

Write what it prints now into it: python tests/test_readme.py
"""

import contextlib
import doctest
import io
import re
from pathlib import Path

import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

pytestmark = pytest.mark.lint

README = Path(__file__).parent.parent / "README.md"
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
# code, and what is shown below it, which may end with "..."
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", re.M | re.S)
SENTENCE = re.compile(r"^> (.*)$", re.M)


def outputs(text):
    """Yield what each block shows, and all that it prints."""
    names = {}
    for code, shown in BLOCK.findall(text):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(code, names)
        yield shown, printed.getvalue()


def as_shown(shown, printed):
    """Return as many lines of the output as are shown."""
    if not shown.endswith("...\n"):
        return printed
    n_lines = shown.count("\n") - 1
    return "".join(printed.splitlines(keepends=True)[:n_lines]) + "...\n"


def verdict(text):
    """Return the first sentence of the first output in one line."""
    return " ".join(BLOCK.findall(text)[0][1].partition("\n\n")[0].split())


def rewritten(text):
    for shown, printed in outputs(text):
        if shown:
            old, new = (
                f"```text\n{part}```" for part in (shown, as_shown(shown, printed))
            )
            text = text.replace(old, new, 1)
    return SENTENCE.sub(lambda found: f"> {verdict(text)}", text)


def test_first_output_begins_with_the_sentence_at_the_top():
    text = README.read_text(encoding="utf-8")
    assert SENTENCE.findall(text) == [verdict(text)]


def test_code_runs_from_top_to_bottom_and_prints_what_is_shown():
    found = list(outputs(README.read_text(encoding="utf-8")))
    for shown, printed in found:
        assert not shown or doctest.OutputChecker().check_output(
            shown, printed, OPTIONS
        ), printed
    assert sum(bool(shown) for shown, _ in found) == 2


def test_calls_of_the_list_can_be_made():
    text = README.read_text(encoding="utf-8")
    names = {}
    exec("from sklearn_cvtest import *", names)
    exec(BLOCK.findall(text)[0][0], names)
    model, X, y = names["models"]["logistic"], names["X"], names["y"]
    names |= {"model": model, "y_test": y[400:]}
    names["search"] = GridSearchCV(names["models"]["tree"], {"max_depth": [1, 2]})
    names["search"].fit(X, y)
    names["predictions"] = {
        name: clone(model).fit(X[:400], y[:400]).predict(X[400:])
        for name, model in names["models"].items()
    }
    calls = re.findall(r"^- \*\*.+?\*\* `(\w.*?)`", text, re.M)
    assert len(calls) == 5
    for call in calls:
        exec(call, names)


if __name__ == "__main__":
    README.write_text(rewritten(README.read_text("utf-8")), encoding="utf-8")
