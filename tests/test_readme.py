"""The README: its code runs, and prints what it says."""

import doctest
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.lint

README = Path(__file__).parent.parent / "README.md"
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(language):
    text = README.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def run(code, namespace, capsys):
    capsys.readouterr()
    exec(code, namespace)
    return capsys.readouterr().out


def is_as_shown(printed):
    (shown,) = blocks("text")
    return doctest.OutputChecker().check_output(shown, printed, OPTIONS)


@pytest.fixture
def namespace():
    """What the three lines take for granted, as the example below them makes it."""
    names = {}
    exec(blocks("python")[1].partition("result = ")[0], names)
    names["models"] = names["estimators"]
    return names


def test_three_lines_print_what_is_shown(namespace, capsys):
    assert is_as_shown(run(blocks("python")[0], namespace, capsys))


def test_example_prints_what_is_shown_and_begins_with_the_verdict(namespace, capsys):
    exec(blocks("python")[0], namespace)
    printed = run(blocks("python")[1], namespace, capsys)
    assert is_as_shown(printed)
    verdict = " ".join(printed.partition("\n\n")[0].split())
    lines = README.read_text(encoding="utf-8").splitlines()
    assert verdict == " ".join(line[2:] for line in lines if line.startswith("> "))


@pytest.mark.filterwarnings("ignore::UserWarning")  # of losses with heavy tails
def test_all_else_runs(namespace, monkeypatch, tmp_path):
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("Agg")
    monkeypatch.chdir(tmp_path)
    for code in blocks("python")[:3]:  # the fourth needs a cluster
        exec(code, namespace)
    plt.close("all")
