"""`sklearn-cvtest doctor`: what a file supports, and a command that works."""

import shlex

import numpy as np
import pytest
from common import main

RNG = np.random.default_rng(0)
FOLDS = [(m, f, RNG.normal(0.9, 0.01)) for m in ("a", "b") for f in range(8)]
ITEMS = [
    (m, s, i, RNG.integers(0, 2)) for m in ("a", "b") for s in (1, 2) for i in range(20)
]


def lines(header, rows, separator=","):
    return "\n".join(separator.join(map(str, row)) for row in [header, *rows])


FILES = {
    "plain": (lines(["model", "fold", "accuracy"], FOLDS), "KFoldTTest"),
    "german": (
        lines(
            ["Model", "Fold", "Accuracy (%)"],
            [(m, f, f"{100 * s:.2f}".replace(".", ",")) for m, f, s in FOLDS],
            ";",
        ),
        "KFoldTTest",
    ),
    "loss": (
        lines(["learner_id", "fold", "log_loss"], [(m, f, 1 - s) for m, f, s in FOLDS]),
        "KFoldTTest",
    ),
    "rmse": (
        lines(["model", "fold", "Test-RMSE"], [(m, f, 1 - s) for m, f, s in FOLDS]),
        "KFoldTTest",
    ),
    "sizes": (
        lines(
            ["model", "fold", "score", "n_train", "n_test"],
            [(*row, 90, 10) for row in FOLDS],
        ),
        "CorrectedResampledTTest",
    ),
    "ambiguous": (lines(["model", "fold", "score, mean"], FOLDS, ";"), "KFoldTTest"),
    "wide": (
        lines(["fold", "a b", "c"], [(f, *RNG.random(2)) for f in range(5)]),
        "KFoldTTest",
    ),
    "wide with a count": (
        lines(
            ["fold", "seconds", "a", "b"], [(f, 3, *RNG.random(2)) for f in range(5)]
        ),
        "KFoldTTest",
    ),
    "runs": (lines(["model", "Seed", "Question ID", "correct"], ITEMS), "CrossedTest"),
    "one set": (
        lines(
            ["model", "fold", "item", "score"],
            [(m, 0, i, s) for m, r, i, s in ITEMS if r == 1],
        ),
        "HoldoutTTest",
    ),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.filterwarnings("ignore")
def test_the_command_to_type_works(tmp_path, capsys, name):
    text, test = FILES[name]
    path = tmp_path / "my scores.csv"
    path.write_text(text)
    assert main(["doctor", str(path)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 5
    assert test in said[2]
    assert "seconds" not in said[2]
    assert ("--ignore seconds" in said[4]) == ("seconds" in text)
    command = shlex.split(said[4].partition("Type: ")[2])
    assert command[0] == "sklearn-cvtest"
    assert main(command[1:]) == 0
    assert test in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "option"),
    [("rmse", "--loss"), ("neg_log_loss", "--score"), ("wer", "--loss")],
)
def test_what_is_named_like_a_loss_is_one(tmp_path, capsys, name, option):
    path = tmp_path / "a.csv"
    path.write_text(lines(["model", "fold", name], FOLDS))
    main(["doctor", str(path)])
    assert f"{option} {name}" in capsys.readouterr().out
    assert main(["compare", str(path), "--score", name]) == 0
    is_told = "named like a loss" in capsys.readouterr().err
    assert is_told == (option == "--loss")


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("a,b\n1,x\n2,y", "a column of models (--model COLUMN)"),
        ("model,fold\na,0\nb,0", "a column of scores or losses"),
        ("model,x,score\na,0,1\nb,0,1", "a column of folds"),
        (FILES["plain"][0].replace("b,3,", "b,2,"), "several of 'b' for fold 2"),
    ],
)
def test_says_what_is_missing(tmp_path, capsys, text, missing):
    path = tmp_path / "a.csv"
    path.write_text(text)
    assert main(["doctor", str(path)]) == 2
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 5
    assert "nothing yet" in said[2]
    assert missing in said[3]
    assert said[4].startswith("Then type: sklearn-cvtest compare")


def test_a_file_that_cannot_be_read_is_a_line(tmp_path, capsys):
    assert main(["doctor", str(tmp_path / "none.csv")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    path = tmp_path / "a.csv"
    path.write_bytes(bytes(range(256)))
    assert main(["doctor", str(path)]) == 2
    assert "must be an intact CSV file" in capsys.readouterr().err
