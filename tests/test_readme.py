"""The README: its code runs, and prints what it says."""

import doctest
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.lint

README = Path(__file__).parent.parent / "README.md"
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
# code, and what is shown below it
BLOCK = r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?"


def blocks():
    text = README.read_text(encoding="utf-8")
    return re.findall(BLOCK, text, re.MULTILINE | re.DOTALL)


def test_first_output_begins_with_the_sentence_at_the_top():
    verdict = " ".join(blocks()[0][1].partition("\n\n")[0].split())
    lines = README.read_text(encoding="utf-8").splitlines()
    assert verdict == " ".join(line[2:] for line in lines if line.startswith("> "))


@pytest.mark.filterwarnings("ignore::UserWarning")  # of losses with heavy tails
def test_code_runs_from_top_to_bottom_and_prints_what_is_shown(
    monkeypatch, tmp_path, capsys
):
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("Agg")
    monkeypatch.chdir(tmp_path)
    *code, cluster = blocks()
    assert "dask" in cluster[0]
    names = {}
    for block, shown in code:
        exec(block, names)
        printed = capsys.readouterr().out
        assert not shown or doctest.OutputChecker().check_output(
            shown, printed, OPTIONS
        ), printed
    plt.close("all")
    assert sum(bool(shown) for _, shown in code) == 5
