"""The command finds the columns of a table where their names leave no doubt."""

import numpy as np
import pytest
from common import main

RNG = np.random.default_rng(0)
FOLDS = [(m, f, RNG.normal(0.9, 0.01)) for m in ("a", "b") for f in range(8)]
ITEMS = [
    (m, s, i, RNG.integers(0, 2)) for m in ("a", "b") for s in (1, 2) for i in range(20)
]
REPEATED = [(m, f, r, s) for r in (0, 1) for m, f, s in FOLDS]

FILES = {
    "plain": (["model", "fold", "accuracy"], FOLDS, "--score accuracy"),
    "other names": (
        ["classifier", "cv_fold", "acc"],
        FOLDS,
        "--model classifier --score acc --fold cv_fold",
    ),
    "any text": (["Verfahren", "fold", "score"], FOLDS, "--model Verfahren"),
    "loss": (
        ["learner_id", "fold", "log_loss"],
        FOLDS,
        "--model learner_id --loss log_loss",
    ),
    "sizes": (
        ["model", "fold", "score", "n_train", "n_test"],
        [(*row, 90, 10) for row in FOLDS],
        "",
    ),
    "no folds, but runs": (["model", "seed", "f1"], FOLDS, "--score f1 --fold seed"),
    "repeats": (
        ["model", "fold", "rep", "auc"],
        REPEATED,
        "--score auc --repeat rep",
    ),
    "repeats by seed": (
        ["model", "fold", "seed", "auc"],
        REPEATED,
        "--score auc --repeat seed",
    ),
    "a column too many": (
        ["model", "fold", "id", "score"],
        [(m, f, n, s) for n, (m, f, s) in enumerate(FOLDS)],
        "",
    ),
    "runs": (
        ["model", "Seed", "Question ID", "score"],
        ITEMS,
        "--example 'Question ID' --run Seed",
    ),
    "one set": (
        ["model", "item", "correct", "score"],
        [(m, i, "x", s) for m, r, i, s in ITEMS if r == 1],
        "--example item",
    ),
}


def written(tmp_path, header, rows):
    path = tmp_path / "table.csv"
    path.write_text(
        "\n".join(",".join(map(str, row)) for row in [header, *rows]), encoding="utf-8"
    )
    return str(path)


@pytest.mark.parametrize("name", FILES)
def test_what_is_taken_is_said(tmp_path, capsys, name):
    header, rows, taken = FILES[name]
    assert main(["compare", written(tmp_path, header, rows)]) == 0
    said = [line for line in capsys.readouterr().err.splitlines() if "taken" in line]
    assert said == [f"sklearn-cvtest: taken: {taken}"] * bool(taken)


def test_what_is_named_is_kept(tmp_path, capsys):
    path = written(tmp_path, ["classifier", "fold", "acc"], FOLDS)
    assert main(["compare", path, "--model", "classifier", "--score", "acc"]) == 0
    assert "taken" not in capsys.readouterr().err


def test_several_scores_are_not_chosen_from(tmp_path, capsys):
    rows = [(*row, row[-1]) for row in FOLDS]
    assert main(["compare", written(tmp_path, ["model", "fold", "f1", "auc"], rows)])
    error = capsys.readouterr().err
    assert "'f1'" in error
    assert "'auc'" in error


@pytest.mark.parametrize("name", ["Test-RMSE", "mae", "log_loss", "error"])
def test_what_is_named_like_a_loss_is_one(tmp_path, capsys, name):
    path = written(tmp_path, ["model", "fold", name], FOLDS)
    assert main(["compare", path]) == 0
    assert f"--loss {name}" in capsys.readouterr().err
