"""Files are read as tools and people write them; what no layout says is asked."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from common import main
from scipy import stats

from sklearn_cvtest import (
    compare_file,
    compare_over_datasets,
    compare_predictions,
    compare_scores,
    compare_table,
)

# Five lines of a file of each layout, by what the command calls it.
LAYOUTS = json.loads(
    (Path(__file__).parent / "files" / "layouts.json").read_text(encoding="utf-8")
)
RNG = np.random.default_rng(0)
FOLDS = [(m, f, RNG.normal(0.9, 0.01)) for m in ("a", "b") for f in range(8)]
ITEMS = [
    (m, s, i, RNG.integers(0, 2)) for m in ("a", "b") for s in (1, 2) for i in range(20)
]
REPEATED = [(m, f, r, s) for r in (0, 1) for m, f, s in FOLDS]


def written(tmp_path, header, rows):
    path = tmp_path / "table.csv"
    path.write_text(
        "\n".join(",".join(map(str, row)) for row in [header, *rows]), encoding="utf-8"
    )
    return str(path)


def columns_of(text):
    """Return the columns of a CSV text without quotes."""
    header, *rows = (re.split(r",(?![^{(]*[)}])", line) for line in text.splitlines())
    return dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))


# Each layout --------------------------------------------------------------------------


@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize("name", LAYOUTS)
def test_examples_are_compared_or_asked_about(tmp_path, capsys, name, is_turned):
    path = tmp_path / "example.csv"
    columns = columns_of(LAYOUTS[name])
    columns = dict(reversed(columns.items())) if is_turned else columns
    cells = [[f'"{cell}"' for cell in (name, *of)] for name, of in columns.items()]
    path.write_text("\n".join(",".join(row) for row in zip(*cells, strict=True)))
    status = main(["compare", str(path)])
    error = capsys.readouterr().err.splitlines()[-1]
    if "one number for each model" in name or "Optuna" in name:
        assert "cannot be tested" in error
    elif status == 0:
        assert f"taken: {name}" in error or "warning" in error
    else:
        assert re.search(
            r"Type: sklearn-cvtest compare .* --(score|loss|y-true|cv)", error
        )


@pytest.mark.parametrize(
    ("header", "rows", "taken"),
    [
        pytest.param(
            ["model", "fold", "accuracy"], FOLDS, "--score accuracy", id="plain"
        ),
        pytest.param(
            ["classifier", "cv_fold", "acc"],
            FOLDS,
            "--model classifier --score acc --fold cv_fold",
            id="other names",
        ),
        pytest.param(
            ["Verfahren", "fold", "score"],
            FOLDS,
            "--model Verfahren",
            id="another language",
        ),
        pytest.param(
            ["learner_id", "fold", "log_loss"],
            FOLDS,
            "--model learner_id --loss log_loss",
            id="loss",
        ),
        pytest.param(
            ["model", "fold", "score", "n_train", "n_test"],
            [(*row, 90, 10) for row in FOLDS],
            "--n-train n_train --n-test n_test",
            id="sizes",
        ),
        pytest.param(
            ["model", "seed", "f1"],
            FOLDS,
            "--run seed --score f1",
            id="no folds, but runs",
        ),
        pytest.param(
            ["model", "fold", "rep", "auc"],
            REPEATED,
            "--score auc --repeat rep",
            id="repeats",
        ),
        pytest.param(
            ["model", "fold", "seed", "auc"],
            REPEATED,
            "--score auc --repeat seed",
            id="repeats by seed",
        ),
        pytest.param(
            ["model", "fold", "id", "score"],
            [(m, f, n, s) for n, (m, f, s) in enumerate(FOLDS)],
            "",
            id="a column too many",
        ),
        pytest.param(
            ["model", "Seed", "Question ID", "score"],
            ITEMS,
            "--example 'Question ID' --run Seed",
            id="runs",
        ),
        pytest.param(
            ["model", "item", "correct", "score"],
            [(m, i, "x", s) for m, r, i, s in ITEMS if r == 1],
            "--example item",
            id="one set",
        ),
    ],
)
def test_what_is_taken_is_said(tmp_path, capsys, header, rows, taken):
    assert main(["compare", written(tmp_path, header, rows)]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("sklearn-cvtest: taken: a row for each model and ")
    options = re.findall(r"\((--.*)\)", line)
    assert sorted(" ".join(options).split()) == sorted(taken.split())


def test_what_is_named_is_kept(tmp_path, capsys):
    path = written(tmp_path, ["classifier", "fold", "acc"], FOLDS)
    assert main(["compare", path, "--model", "classifier", "--score", "acc"]) == 0
    assert "--" not in capsys.readouterr().err


def test_several_scores_are_not_chosen_from(tmp_path, capsys):
    rows = [(*row, row[-1]) for row in FOLDS]
    assert main(["compare", written(tmp_path, ["model", "fold", "f1", "auc"], rows)])
    assert "'f1', 'auc'? Type: " in capsys.readouterr().err


@pytest.mark.parametrize("name", ["Test-RMSE", "mae", "log_loss", "error"])
def test_what_is_named_like_a_loss_is_one(tmp_path, capsys, name):
    path = written(tmp_path, ["model", "fold", name], FOLDS)
    assert main(["compare", path]) == 0
    assert f"--loss {name}" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["value", "y", "1-accuracy", "metric", "gain"])
def test_what_does_not_say_whether_greater_is_better_is_asked(tmp_path, capsys, name):
    path = written(tmp_path, ["model", "fold", name], FOLDS)
    assert main(["compare", path]) == 2
    error = capsys.readouterr().err
    assert f"--score {name}, if greater is better" in error
    assert f"--loss {name}, if smaller is better" in error


# What is never taken -----------------------------------------------------------------

MODELS = {"Wald": 0.95, "Baum": 0.91, "Logit": 0.93}
MEANS = {(m, f): RNG.normal(mean, 0.01) for m, mean in MODELS.items() for f in range(6)}


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        pytest.param(
            ["param_C", "param_depth", "mean_test_score", "std_test_score"],
            [(c, d, 0.8 + 0.1 * c, 0.01) for c in (1, 2) for d in range(5)],
            id="params",
        ),
        pytest.param(
            ["age", "income", "target"],
            [(RNG.normal(), RNG.normal(), RNG.integers(0, 2)) for _ in range(40)],
            id="features",
        ),
        pytest.param(
            ["sepal", "petal", "species"],
            [(RNG.normal(), RNG.normal(), RNG.integers(0, 3)) for _ in range(40)],
            id="features of classes",
        ),
        pytest.param(
            ["smoker", "male", "label"],
            [tuple(RNG.integers(0, 2, 3)) for _ in range(60)],
            id="binary features",
        ),
        pytest.param(
            ["model", "split", "accuracy"],
            [(m, s, RNG.random()) for m in "ab" for s in ("train", "valid", "test")],
            id="parts of the data",
        ),
        pytest.param(["model", "accuracy"], [("a", 0.8), ("b", 0.9)], id="one number"),
        pytest.param(
            ["model", "accuracy", "accuracy_std"],
            [("a", 0.8, 0.1), ("b", 0.9, 0.1)],
            id="mean and deviation",
        ),
        pytest.param(
            ["model", "epoch", "accuracy"],
            [(m, e, RNG.random()) for m in "ab" for e in range(5)],
            id="curves",
        ),
        pytest.param(
            ["model", "fold", "accuracy"],
            [(m, f, RNG.random()) for m in "ab" for f in range(20)],
            id="twenty folds",
        ),
        pytest.param(
            ["model", *(f"fold{k}" for k in range(20))],
            [(m, *RNG.random(20)) for m in "ab"],
            id="twenty columns of folds",
        ),
        pytest.param(
            ["dataset", "n_rows", "weight", "rf", "svm"],
            [(f"d{i}", 500 + i, 100.0 * i + 300, *RNG.random(2)) for i in range(9)],
            id="sizes beside models",
        ),
        pytest.param(
            ["Unnamed", "F1", "F2", "F3"],
            [(f"d{i}", *RNG.normal(size=3)) for i in range(9)],
            id="models called as F1",
        ),
        pytest.param(
            ["fold", "age", "income", "target"],
            [(k % 5, *RNG.normal(size=2), k % 2) for k in range(40)],
            id="fold of a data set",
        ),
    ],
)
def test_what_is_never_taken(tmp_path, capsys, header, rows):
    assert main(["compare", written(tmp_path, header, rows)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_no_verdict_follows_a_warning_about_roles(tmp_path, capsys):
    rows = [(m, f"set {i}", s, s) for m, i, s in FOLDS]
    path = written(tmp_path, ["model", "town", "error", "accuracy"], rows)
    options = ["--fold", "town", "--score", "accuracy"]
    assert main(["compare", path, *options]) == 2
    assert "Are 'town' folds of one data set?" in capsys.readouterr().err
    path = written(tmp_path, ["model", "fold", "error"], FOLDS)
    assert main(["compare", path, "--score", "error"]) == 2
    assert "named like a loss" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["Mean", "std", "Average", "SD", "all", "±"])
def test_rows_that_summarise_folds_are_left_out(tmp_path, capsys, name):
    rows = [*FOLDS, ("a", name, 0.1), ("b", name, 0.2)]
    path = written(tmp_path, ["model", "fold", "accuracy"], rows)
    assert main(["compare", path, "--json", "-"]) == 0
    said = capsys.readouterr()
    assert f"left out: row {name}" in said.err
    expected = compare_file(written(tmp_path, ["model", "fold", "accuracy"], FOLDS))
    assert json.loads(said.out)["pairs"][0]["pvalue"] == expected.pvalue_
    names = ["model", "fold", "accuracy"]
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    with pytest.warns(UserWarning, match=f"row {re.escape(name)}"):
        again = compare_table(columns, score="accuracy")
    assert again.pvalue_ == expected.pvalue_


def test_folds_in_columns_are_those_in_rows(tmp_path, capsys):
    folds = {m: [s for n, _, s in FOLDS if n == m] for m in "ab"}
    rows = [(m, *of_model, np.mean(of_model), 0.01) for m, of_model in folds.items()]
    header = ["model", *(f"fold_{k}" for k in range(8)), "mean", "std"]
    path = written(tmp_path, header, rows)
    expected = compare_file(written(tmp_path, ["model", "fold", "accuracy"], FOLDS))
    path = written(tmp_path, header, rows)
    assert main(["compare", path]) == 2
    assert "--score accuracy" in capsys.readouterr().err
    with pytest.warns(UserWarning, match="Left out: mean, std"):
        found = compare_file(path, score="accuracy")
    assert found.pvalue_ == expected.pvalue_


# Languages, and what is not clear -----------------------------------------------------


def comma(value):
    return f"{value:.3f}".replace(".", ",")


GERMAN = {
    "scores": (
        ["Modell", "fold", "Genauigkeit"],
        [(m, f, comma(s)) for (m, f), s in MEANS.items()],
        "--model Modell --score Genauigkeit",
    ),
    "percent": (
        ["Verfahren", "Lauf", "Treffer"],
        [(m, f"Lauf {f}", comma(100 * s) + " %") for (m, f), s in MEANS.items()],
        "--model Verfahren --run Lauf --score Treffer",
    ),
    "errors": (
        ["Modell", "Durchlauf", "Fehlerrate"],
        [(m, f, comma(1 - s)) for (m, f), s in MEANS.items()],
        "--model Modell --run Durchlauf --loss Fehlerrate",
    ),
    "right or wrong": (
        ["Modell", "Frage", "Punkte"],
        [(m, i, RNG.integers(0, 2)) for m in MODELS for i in range(90)],
        "--model Modell --example Frage --score Punkte",
    ),
    "data sets": (
        ["Datensatz", "Modell", "Genauigkeit"],
        [("uvwxyz"[f], m, comma(s)) for (m, f), s in MEANS.items()],
        "--model Modell --dataset Datensatz --score Genauigkeit",
    ),
}


def german(tmp_path, header, rows):
    path = tmp_path / "Tabelle.csv"
    path.write_text("\n".join(";".join(map(str, row)) for row in [header, *rows]))
    return str(path)


@pytest.mark.parametrize("name", GERMAN)
def test_headers_may_be_of_other_languages(tmp_path, capsys, name):
    header, rows, taken = GERMAN[name]
    assert main(["compare", german(tmp_path, header, rows), "--json", "-"]) == 0
    said = capsys.readouterr()
    assert f"({taken})" in said.err
    means = json.loads(said.out).get("means")
    if name in ("scores", "percent"):
        for model in MODELS:
            expected = np.mean([MEANS[model, fold] for fold in range(6)])
            assert means[model] == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        (["m", "f", "a", "b"], [(m, f, s, s) for (m, f), s in MEANS.items()]),
        (["m", "f", "a"], [(m, f, f / 99) for m in "ab" for f in range(50)]),
        (["model", "f", "a"], [(m, f, f / 99) for m in "ab" for f in range(50)]),
    ],
)
def test_what_is_not_clear_is_asked(tmp_path, capsys, header, rows):
    assert main(["compare", german(tmp_path, header, rows)]) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert re.search("Type: sklearn-cvtest compare .* --fold COLUMN", error)


@pytest.mark.parametrize("gone", [0, 3, 7])
def test_a_column_of_folds_that_is_missing_is_noticed(tmp_path, capsys, gone):
    folds = {m: [s for n, _, s in FOLDS if n == m] for m in "ab"}
    rows = [(m, *of_model, np.mean(of_model)) for m, of_model in folds.items()]
    header = ["model", *(f"acc_fold_{k}" for k in range(8)), "acc_mean"]
    rows = [[*row[: gone + 1], *row[gone + 2 :]] for row in rows]
    header = [*header[: gone + 1], *header[gone + 2 :]]
    path = written(tmp_path, header, rows)
    assert main(["compare", path]) == 2
    assert "is one missing?" in capsys.readouterr().err
    assert main(["compare", path, "--cv", "7"]) == 0


@pytest.mark.parametrize(
    ("n_folds", "designs"),
    [(20, ["20", "2x10", "4x5"]), (15, ["15", "3x5"]), (12, ["12", "4x3"])],
)
def test_many_folds_may_be_of_repeats(tmp_path, capsys, n_folds, designs):
    rows = [(m, f, RNG.random()) for m in "ab" for f in range(n_folds)]
    path = written(tmp_path, ["model", "fold", "accuracy"], rows)
    assert main(["compare", path]) == 2
    assert re.findall(r"--cv (\w+)", capsys.readouterr().err) == designs
    assert main(["compare", path, "--cv", designs[-1]]) == 0


def test_models_are_called_by_what_differs_in_the_names_of_files(tmp_path, capsys):
    paths = []
    for model in ("HC2", "TS_Forest"):
        paths.append(tmp_path / f"run1_{model}_accuracy.csv")
        scores = [f"d{k},{RNG.random()},{RNG.random()}" for k in range(5)]
        paths[-1].write_text("\n".join(["Resamples:,0,1", *scores]))
    options = ["--score", "accuracy", "--json", "-"]
    assert main(["compare", *map(str, paths), *options]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["pairs"]
    assert {pair["first"], pair["second"]} == {"HC2", "TS_Forest"}


def test_runs_are_about_new_runs_on_this_test_set(tmp_path, capsys):
    rows = [(m, s, v + 0.05 * (m == "b")) for m, s, v in FOLDS]
    path = written(tmp_path, ["model", "seed", "accuracy"], rows)
    assert main(["compare", path, "--run", "seed", "--json", "-"]) == 0
    answer = json.loads(capsys.readouterr().out)
    by_model = [[v for n, _, v in rows if n == m] for m in "ab"]
    expected = stats.ttest_rel(*by_model)
    assert answer["pairs"][0]["pvalue"] == pytest.approx(expected.pvalue)
    assert main(["compare", path]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "8 runs on one test set, for new runs on this test set" in text
    assert "on this test set, not other examples" in compare_file(path).report()


def test_equal_runs_are_called_runs():
    runs = {"model": ["a"] * 3 + ["b"] * 3, "run": [0, 1, 2] * 2}
    result = compare_scores({**runs, "score": [0.9, 0.8, 0.7] * 2}, run="run")
    assert str(result).startswith("a and b have the same score in every run.")
    assert "split" not in str(result) + result.report()


def test_schemes_of_weka_are_called_with_their_options(tmp_path, capsys):
    scheme = "weka.classifiers.trees.J48"
    header = ["Key_Dataset", "Key_Run", "Key_Fold", "Key_Scheme", "Key_Scheme_options"]
    rows = [
        ("iris", run, fold, scheme, f"'-C {c} -M 2'", 90 + 9 * RNG.random())
        for run in (1, 2)
        for fold in range(1, 11)
        for c in (0.25, 0.1)
    ]
    path = written(tmp_path, [*header, "Percent_correct"], rows)
    assert main(["compare", path, "--json", "-"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert set(answer["means"]) == {"trees.J48 -C 0.25 -M 2", "trees.J48 -C 0.1 -M 2"}
    assert answer["design"] == "2 x 10-fold cross-validation"


def test_python_reads_what_the_command_reads(tmp_path, capsys):
    header = ["dataset_name", "classifier_name", "accuracy"]
    rows = [(d, m, s - 0.1 * d) for d in range(3) for m, _, s in FOLDS[::8]]
    path = written(tmp_path, header, rows)
    result = compare_file(path)
    assert main(["compare", path]) == 0
    assert capsys.readouterr().out == f"{result}\n"
    assert str(result) == str(compare_file([path], score="accuracy"))
    for compare in (compare_table, compare_scores, compare_over_datasets):
        with pytest.raises(TypeError, match=r"use compare_file\(path\)"):
            compare(path)


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
    assert "(forest, tree)" in said.err
    assert ("left out: note" in said.err) == ("note" in others)


def test_roles_that_predictions_do_not_have_are_refused(tmp_path, capsys):
    rows = zip(TRUTH, *GUESSES.values(), strict=True)
    path = written(tmp_path, ["y_true", *GUESSES], rows)
    assert main(["compare", path, "--repeat", "tree"]) == 2
    assert "is not known" in capsys.readouterr().err


# Hints -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "rows", "options", "hint"),
    [
        (["model", "fold", "auc"], [(m, f, f) for m, f, _ in FOLDS], [], "--percent"),
        (
            ["model", "item", "x"],
            [(m, i, s) for m, _, i, s in ITEMS],
            ["--example", "item", "--score", "x"],
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
        (["model", "part", "acc"], FOLDS, ["--fold", "no"], "one of the columns"),
        (["model", "fold", "acc"], FOLDS * 2, [], "in --repeat"),
    ],
)
def test_hints_name_options(tmp_path, capsys, header, rows, options, hint):
    write = german if "--separator" in options else written
    assert main(["compare", write(tmp_path, header, rows), *options]) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert hint in error
    assert not re.search(r"\w\(|compare_|\w=|`", error)
