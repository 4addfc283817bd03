"""The command finds the columns of a table where names or values leave no doubt."""

import json
import re

import numpy as np
import pytest
from common import main

from sklearn_cvtest import compare_predictions

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
        "--n-train n_train --n-test n_test",
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


# Values tell where names do not ------------------------------------------------------

MODELS = {"Wald": 0.95, "Baum": 0.91, "Logit": 0.93}
MEANS = {(m, f): RNG.normal(mean, 0.01) for m, mean in MODELS.items() for f in range(6)}


def comma(value):
    return f"{value:.3f}".replace(".", ",")


GERMAN = {
    "scores": (
        ["Modell", "Durchlauf", "Genauigkeit"],
        [(m, f, comma(s)) for (m, f), s in MEANS.items()],
        "--model Modell --score Genauigkeit --fold Durchlauf; greater is better (else "
        "--loss Genauigkeit)",
    ),
    "percent": (
        ["Verfahren", "Lauf", "Treffer"],
        [(m, f"Lauf {f}", comma(100 * s) + " %") for (m, f), s in MEANS.items()],
        "--model Verfahren --score Treffer --fold Lauf; greater is better (else "
        "--loss Treffer)",
    ),
    "errors": (
        ["Modell", "Durchlauf", "Fehlerrate"],
        [(m, f, comma(1 - s)) for (m, f), s in MEANS.items()],
        "--model Modell --loss Fehlerrate --fold Durchlauf",
    ),
    "another number": (
        ["Modell", "Durchlauf", "Baujahr", "Genauigkeit"],
        [(m, f, 1990, comma(s)) for (m, f), s in MEANS.items()],
        "--model Modell --score Genauigkeit --fold Durchlauf; greater is better (else "
        "--loss Genauigkeit)",
    ),
    "right or wrong": (
        ["Modell", "Frage", "Punkte"],
        [(m, i, RNG.integers(0, 2)) for m in MODELS for i in range(90)],
        "--model Modell --score Punkte --example Frage; greater is better (else "
        "--loss Punkte)",
    ),
    "data sets": (
        ["Datensatz", "Modell", "Genauigkeit"],
        [("uvwxyz"[f], m, comma(s)) for (m, f), s in MEANS.items()],
        "--model Modell --score Genauigkeit --dataset Datensatz; greater is better "
        "(else --loss Genauigkeit)",
    ),
}


def german(tmp_path, header, rows):
    path = tmp_path / "Tabelle.csv"
    path.write_text("\n".join(";".join(map(str, row)) for row in [header, *rows]))
    return str(path)


@pytest.mark.parametrize("name", GERMAN)
def test_headers_may_be_of_any_language(tmp_path, capsys, name):
    header, rows, taken = GERMAN[name]
    assert main(["compare", german(tmp_path, header, rows), "--json", "-"]) == 0
    said = capsys.readouterr()
    lines = [line for line in said.err.splitlines() if "warning" not in line]
    assert lines == [f"sklearn-cvtest: taken: {taken}"]
    means = json.loads(said.out).get("means")
    if name in ("scores", "percent", "another number"):
        for model in MODELS:
            expected = np.mean([MEANS[model, fold] for fold in range(6)])
            assert means[model] == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(
    ("header", "rows", "asked"),
    [
        # two that may be scores; two that may be folds; a score for each of many
        (["m", "f", "a", "b"], [(m, f, s, s) for (m, f), s in MEANS.items()], "score"),
        (
            ["m", "f", "g", "a"],
            [(m, f, g, s) for (m, f), s in MEANS.items() for g in (0, 1)],
            "fold",
        ),
        (["m", "f", "a"], [(m, f, f / 99) for m in "ab" for f in range(50)], "fold"),
    ],
)
def test_what_is_not_clear_is_asked(tmp_path, capsys, header, rows, asked):
    assert main(["compare", german(tmp_path, header, rows)]) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith(f"sklearn-cvtest: --{asked} ")


# Predictions -------------------------------------------------------------------------

TRUTH = RNG.integers(0, 2, 90)
GUESSES = {
    name: np.where(RNG.random(90) < p, TRUTH, 1 - TRUTH)
    for name, p in (("forest", 0.9), ("tree", 0.7))
}
SHARES = {name: (guess + RNG.random(90)) / 2 for name, guess in GUESSES.items()}
WORDS = np.array(["no", "yes"])
NUMBERS = {name: g + RNG.random(90) for name, g in GUESSES.items()}


@pytest.mark.parametrize(
    ("target", "y_true", "predictions", "others", "options", "python"),
    [
        ("y_true", TRUTH, GUESSES, {}, [], {}),
        ("truth", WORDS[TRUTH], {k: WORDS[v] for k, v in GUESSES.items()}, {}, [], {}),
        ("target", TRUTH, SHARES, {"note": ["x"] * 90}, [], {}),
        (
            "target",
            TRUTH,
            SHARES,
            {"id": range(90)},
            ["--score", "roc_auc"],
            {"scoring": "roc_auc"},
        ),
        ("y", TRUTH, SHARES, {}, ["--loss", "brier"], {"loss": "brier"}),
        ("Wahrheit", TRUTH, GUESSES, {}, ["--y-true", "Wahrheit"], {}),
        ("y", TRUTH + RNG.random(90), NUMBERS, {}, [], {}),
        (
            "y",
            TRUTH,
            GUESSES,
            {"fold": np.arange(90) % 5},
            [],
            {"splits": np.arange(90) % 5},
        ),
        (
            "y",
            TRUTH,
            GUESSES,
            {"patient": np.arange(90) // 2},
            [],
            {"groups": np.arange(90) // 2},
        ),
    ],
)
def test_predictions_are_read_as_such(
    tmp_path, capsys, target, y_true, predictions, others, options, python
):
    columns = {target: y_true, **predictions, **others}
    path = written(tmp_path, list(columns), zip(*columns.values(), strict=True))
    assert main(["compare", path, "--json", "-", *options]) == 0
    said = capsys.readouterr()
    expected = compare_predictions(y_true, predictions, **python)
    (pair,) = json.loads(said.out)["pairs"]
    assert pair["pvalue"] == pytest.approx(expected.pvalue_, rel=1e-9)
    assert "predictions of forest, tree" in said.err
    assert ("(not of note)" in said.err) == ("note" in others)


def test_roles_that_predictions_do_not_have_are_refused(tmp_path, capsys):
    rows = zip(TRUTH, *GUESSES.values(), strict=True)
    path = written(tmp_path, ["y_true", *GUESSES], rows)
    assert main(["compare", path, "--repeat", "tree"]) == 2
    assert "--repeat is not for predictions" in capsys.readouterr().err


# Hints -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "rows", "options", "hint"),
    [
        (["model", "fold", "auc"], [(m, f, 50) for m, f, _ in FOLDS], [], "--percent"),
        (["fold", "a", "b"], [(f, 0.5, s) for _, f, s in FOLDS[:8]], [], "--wide"),
        (
            ["model", "item", "x"],
            [(m, i, s) for m, _, i, s in ITEMS],
            ["--example", "item"],
            "in --run",
        ),
        (
            ["model", "fold", "score"],
            [(m, f, f"{f + 1},123") for m, f, _ in FOLDS],
            ["--separator", ";"],
            "--decimal ,",
        ),
        (["model", "dataset", "acc"], FOLDS, ["--fold", "dataset"], "--dataset data"),
        (["model", "fold", "acc"], FOLDS, ["--test", "KFoldTest"], "--test must be"),
        (["model", "part", "acc"], FOLDS, ["--fold", "no"], "use --example ..."),
        (["model", "fold", "acc"], FOLDS * 2, [], "in --repeat"),
    ],
)
def test_hints_name_options(tmp_path, capsys, header, rows, options, hint):
    write = german if "--separator" in options else written
    assert main(["compare", write(tmp_path, header, rows), *options]) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert hint in error
    assert not re.search(r"\w\(|adapters|compare_|\w=|`", error)
