"""Not worse by more than a margin: the command, and its exit status."""

import json

import pytest
from common import SCORES, main

from sklearn_cvtest import compare_scores


@pytest.fixture
def path(tmp_path):
    rows = [
        f"{name},{example},{value!r}"
        for name in ("old", "same", "bad", "wild")
        for example, value in enumerate(SCORES[name].tolist())
    ]
    file = tmp_path / "scores.csv"
    file.write_text("\n".join(["model,id,score", *rows]), encoding="utf-8")
    return file


def only(path, *names):
    lines = path.read_text(encoding="utf-8").split("\n")
    kept = [line for line in lines if line.split(",")[0] in ("model", "old", *names)]
    path.write_text("\n".join(kept), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("names", "status"),
    [(("same",), 0), (("same", "bad"), 1), (("same", "wild"), 3), (("bad", "wild"), 1)],
)
def test_exit_status(path, names, status, capsys):
    options = ["compare", only(path, *names), "--example", "id", "--reference", "old"]
    assert main([*options, "--margin", "0.05"]) == status
    text = capsys.readouterr().out
    scores = {name: SCORES[name] for name in ("old", *names)}
    gate = compare_scores(scores, reference="old").gate(0.05)
    assert text.endswith(f"\n{gate}\n")
    assert main([*options, "--margin", "0.05", "--json", "-"]) == status
    content = json.loads(capsys.readouterr().out)
    assert content["gate"]["decisions"] == gate.decisions


def test_command_needs_a_reference(path, capsys):
    assert main(["compare", str(path), "--example", "id", "--margin", "0.1"]) == 2
    assert "--margin and --fail-if-worse need --reference" in capsys.readouterr().err
