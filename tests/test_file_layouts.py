"""Files are read as tools and people write them; what no layout says is asked."""

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from common import main
from scipy import stats

from sklearn_cvtest import (
    McNemarTest,
    compare_file,
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
    path.write_text(
        "\n".join(",".join(row) for row in zip(*cells, strict=True)), encoding="utf-8"
    )
    status = main(["compare", str(path)])
    (line,) = capsys.readouterr().err.splitlines()
    if "one number for each model" in name:
        assert "cannot be tested" in line
    elif "Optuna" in name:
        assert "of no known layout" in line
    elif status == 0:
        assert line.startswith(f"sklearn-cvtest: taken: {name}")
    else:
        command = shlex.split(re.search("sklearn-cvtest (compare .*)", line)[1])
        assert main(command) == 0


@pytest.mark.parametrize(
    ("header", "rows", "taken"),
    [
        pytest.param(["model", "fold", "accuracy"], FOLDS, "", id="plain"),
        pytest.param(
            ["classifier", "cv_fold", "acc"],
            FOLDS,
            "model 'classifier', fold 'cv_fold'",
            id="other names",
        ),
        pytest.param(
            ["Verfahren", "fold", "score"],
            FOLDS,
            "model 'Verfahren'",
            id="another language",
        ),
        pytest.param(
            ["learner_id", "fold", "log_loss"],
            FOLDS,
            "model 'learner_id'",
            id="loss",
        ),
        pytest.param(
            ["model", "fold", "score", "n_train", "n_test"],
            [(*row, 90, 10) for row in FOLDS],
            "",
            id="sizes",
        ),
        pytest.param(["model", "seed", "f1"], FOLDS, "run 'seed'", id="runs, no folds"),
        pytest.param(
            ["model", "fold", "rep", "auc"], REPEATED, "repeat 'rep'", id="repeats"
        ),
        pytest.param(
            ["model", "fold", "seed", "auc"],
            REPEATED,
            "run 'seed'",
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
            "example 'Question ID', run 'Seed'",
            id="runs",
        ),
        pytest.param(
            ["model", "item", "correct", "score"],
            [(m, i, "x", s) for m, r, i, s in ITEMS if r == 1],
            "example 'item'",
            id="one set",
        ),
    ],
)
def test_what_is_taken_is_said(tmp_path, capsys, header, rows, taken):
    assert main(["compare", written(tmp_path, header, rows)]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("sklearn-cvtest: taken: a row for each model and ")
    assert "".join(re.findall(r"\((.*)\)", line)) == taken


def test_several_scores_are_not_chosen_from(tmp_path, capsys):
    rows = [(*row, row[-1]) for row in FOLDS]
    path = written(tmp_path, ["model", "fold", "f1", "auc"], rows)
    assert main(["compare", path]) == 2
    assert "Which of f1, auc is compared?" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name", ["Test-RMSE", "mae", "log_loss", "error", "train_error"]
)
def test_what_is_named_like_a_loss_is_one(tmp_path, capsys, name):
    path = written(tmp_path, ["model", "fold", name], FOLDS)
    result = compare_file(path)
    assert result.losses.metric.is_score is False
    assert main(["compare", path, "--score", name]) == 2
    assert f"--loss {name}" in capsys.readouterr().err


SCORE_NAMES = """accuracy acc auc roc_auc AUROC auprc ap mAP f1 f1_macro precision
    recall sensitivity specificity mcc kappa r2 r_squared rsq pearson spearman bleu
    rouge exact_match em ndcg@10 mrr hit_rate iou dice psnr ssim win_rate elo val_acc
    TestAccuracy neg_log_loss test_neg_mean_squared_error val_neg_rmse -rmse FOO↑
    Genauigkeit 正解率 mIoU nDCG ELBO"""
LOSS_NAMES = """error err error_rate loss log_loss logloss cross_entropy brier
    brier_score rmse mse mae mape smape mase wape wer cer perplexity ppl nll fid latency
    runtime time memory crps crps_score pinball deviance val_loss Test-RMSE FOO↓
    MeanAbsoluteError train_time_s dice_loss neg_log_likelihood interval_score
    Fehlerrate 1-accuracy 1-AUC MedAE HD95 minDCF false_positive_rate"""


@pytest.mark.parametrize("name", [*SCORE_NAMES.split(), *LOSS_NAMES.split()])
def test_names_of_metrics_have_their_direction(tmp_path, capsys, name):
    """At once, or by the command that is advised."""
    sign = -1 if name.startswith(("neg_log_loss", "test_neg", "val_neg", "-")) else 1
    rows = [(m, f, sign * (0.5 + s)) for m, f, s in FOLDS]
    path = written(tmp_path, ["model", "fold", name], rows)
    command = ["compare", path]
    if main([*command, "--json", "-"]) == 2:
        advice = re.search("sklearn-cvtest (compare .*)", capsys.readouterr().err)[1]
        command = shlex.split(advice)
        assert main([*command, "--json", "-"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    mean = {m: np.mean([s for n, _, s in rows if n == m]) for m in "ab"}
    assert (row["estimate"] > 0) == (
        (mean[row["second"]] > mean[row["first"]]) == (name in SCORE_NAMES.split())
    )


@pytest.mark.parametrize("name", ["rmse", "log_loss", "neg_log_loss", "accuracy↓"])
def test_a_direction_that_the_numbers_or_a_sign_deny_is_asked(tmp_path, name):
    sign = 1 if name in ("neg_log_loss", "accuracy↓") else -1
    rows = [(m, f, sign * s) for m, f, s in FOLDS]
    path = written(tmp_path, ["model", "fold", name], rows)
    with pytest.raises(ValueError, match=f"Is a greater '{name}' better"):
        compare_file(path)
    for options in ({"score": name}, {"loss": name}):
        result = compare_file(path, **options)
        assert result.losses.metric.is_score is ("score" in options)


def test_a_column_of_metrics_says_what_is_compared(tmp_path, capsys):
    rows = [(m, f, "RMSE", s) for m, f, s in FOLDS]
    path = written(tmp_path, ["model", "fold", "metric", "value"], rows)
    assert compare_file(path).losses.metric.is_score is False
    both = [*rows, *((m, f, "AUC", 1 - s) for m, f, s in FOLDS)]
    path = written(tmp_path, ["model", "fold", "metric", "value"], both)
    assert main(["compare", path]) == 2
    assert "By which of RMSE, AUC?" in capsys.readouterr().err
    assert compare_file(path, score="AUC").losses.metric.is_score is True
    assert compare_file(path, score="auc").losses.metric.is_score is True
    assert main(["compare", path, "--score", "recall"]) == 2
    advice = re.search("sklearn-cvtest (compare .*)", capsys.readouterr().err)[1]
    assert main(shlex.split(advice)) == 0


@pytest.mark.parametrize("name", ["value", "y", "lift", "metric", "gain"])
def test_what_does_not_say_whether_greater_is_better_is_asked(tmp_path, capsys, name):
    path = written(tmp_path, ["model", "fold", name], FOLDS)
    assert main(["compare", path]) == 2
    error = capsys.readouterr().err
    assert f"Is a greater '{name}' better (--loss if not)?" in error
    assert f"--score {name}" in error


def test_a_search_by_several_metrics_is_asked_about(tmp_path, capsys):
    header = ["params", *(f"split{k}_test_{m}" for m in ("auc", "acc") for k in (0, 1))]
    rows = [(f"{{'a': {n}}}", *RNG.uniform(0.7, 0.9, 4)) for n in range(3)]
    path = written(tmp_path, header, rows)
    for options in ([], ["--score", "f1"], ["--loss", "acc"]):
        assert main(["compare", path, *options]) == 2
        advice = re.search("sklearn-cvtest (compare .*)", capsys.readouterr().err)[1]
        assert main([*shlex.split(advice), "--json", "-"]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert answer["design"] == "2-fold cross-validation"


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
            ["model", "fold", "id", "accuracy"],
            [(m, f, "test", 0.9 - f / 50) for m in "ab" for f in range(5)],
            id="one example",
        ),
        pytest.param(
            ["y", "y_std"], [(0.6 + k / 50, 0.01) for k in range(5)], id="deviations"
        ),
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


@pytest.mark.parametrize("name", ["Mean", "std", "Average", "SD", "all", "±"])
def test_rows_that_summarise_folds_are_left_out(tmp_path, capsys, name):
    rows = [*FOLDS, ("a", name, 0.1), ("b", name, 0.2)]
    path = written(tmp_path, ["model", "fold", "accuracy"], rows)
    assert main(["compare", path, "--json", "-"]) == 0
    said = capsys.readouterr()
    assert f"no fold: {name}" in said.err
    expected = compare_file(written(tmp_path, ["model", "fold", "accuracy"], FOLDS))
    assert json.loads(said.out)["rows"][0]["pvalue"] == expected.pvalue_


def test_folds_in_columns_are_those_in_rows(tmp_path, capsys):
    folds = {m: [s for n, _, s in FOLDS if n == m] for m in "ab"}
    rows = [(m, *of_model, np.mean(of_model), 0.01) for m, of_model in folds.items()]
    header = ["model", *(f"fold_{k}" for k in range(8)), "mean", "std"]
    expected = compare_file(written(tmp_path, ["model", "fold", "accuracy"], FOLDS))
    path = written(tmp_path, header, rows)
    assert main(["compare", path]) == 2
    assert "--score score" in capsys.readouterr().err
    assert compare_file(path, score="accuracy").pvalue_ == expected.pvalue_


# Languages, and what is not clear -----------------------------------------------------


def comma(value):
    return f"{value:.3f}".replace(".", ",")


GERMAN = {
    "scores": (
        ["Modell", "fold", "Genauigkeit"],
        [(m, f, comma(s)) for (m, f), s in MEANS.items()],
        "model 'Modell'",
    ),
    "percent": (
        ["Verfahren", "Lauf", "Treffer"],
        [(m, f"Lauf {f}", comma(100 * s) + " %") for (m, f), s in MEANS.items()],
        "model 'Verfahren', run 'Lauf'",
    ),
    "errors": (
        ["Modell", "Durchlauf", "Fehlerrate"],
        [(m, f, comma(1 - s)) for (m, f), s in MEANS.items()],
        "model 'Modell', run 'Durchlauf'",
    ),
    "right or wrong": (
        ["Modell", "Frage", "Punkte"],
        [(m, i, RNG.integers(0, 2)) for m in MODELS for i in range(90)],
        "model 'Modell', example 'Frage'",
    ),
    "data sets": (
        ["Datensatz", "Modell", "Genauigkeit"],
        [("uvwxyz"[f], m, comma(s)) for (m, f), s in MEANS.items()],
        "model 'Modell', dataset 'Datensatz'",
    ),
}


def german(tmp_path, header, rows):
    path = tmp_path / "Tabelle.csv"
    path.write_text(
        "\n".join(";".join(map(str, row)) for row in [header, *rows]), encoding="utf-8"
    )
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
    assert re.search("sklearn-cvtest compare .* --model .* --fold", error)


@pytest.mark.parametrize("is_wide", [False, True])
def test_a_fold_that_is_missing_is_noticed(tmp_path, capsys, is_wide):
    header, rows = ["model", "fold", "acc"], [row for row in FOLDS if row[1] != 3]
    if is_wide:
        header = ["model", *(f"acc_fold_{k}" for k in range(8) if k != 3)]
        rows = [(m, *(s for n, _, s in rows if n == m)) for m in "ab"]
    path = written(tmp_path, header, rows)
    assert main(["compare", path]) == 2
    assert "0, 1, 2, 4, 5, 6, 7. If none is missing" in capsys.readouterr().err
    assert main(["compare", path, "--cv", "7"]) == 0


@pytest.mark.parametrize(
    ("n_folds", "designs"),
    [(20, ["2x10", "4x5", "20"]), (15, ["3x5", "5x3", "15"]), (12, ["4x3", "12"])],
)
def test_many_folds_may_be_of_repeats(tmp_path, capsys, n_folds, designs):
    rows = [(m, f, RNG.random()) for m in "ab" for f in range(n_folds)]
    path = written(tmp_path, ["model", "fold", "accuracy"], rows)
    assert main(["compare", path]) == 2
    assert re.findall(r"--cv (\w+)", capsys.readouterr().err) == designs
    for design in designs:
        assert main(["compare", path, "--cv", design]) == 0


def test_models_are_called_by_what_differs_in_the_names_of_files(tmp_path, capsys):
    paths = []
    for model in ("HC2", "TS_Forest"):
        paths.append(tmp_path / f"run1_{model}_accuracy.csv")
        scores = [f"d{k},{RNG.random()},{RNG.random()}" for k in range(5)]
        paths[-1].write_text("\n".join(["Resamples:,0,1", *scores]), encoding="utf-8")
    options = ["--score", "accuracy", "--json", "-"]
    assert main(["compare", *map(str, paths), *options]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["rows"]
    assert {pair["first"], pair["second"]} == {"HC2", "TS_Forest"}


def test_runs_are_about_new_runs_on_this_test_set(tmp_path, capsys):
    rows = [(m, s, v + 0.05 * (m == "b")) for m, s, v in FOLDS]
    path = written(tmp_path, ["model", "seed", "accuracy"], rows)
    assert main(["compare", path, "--run", "seed", "--json", "-"]) == 0
    answer = json.loads(capsys.readouterr().out)
    by_model = [[v for n, _, v in rows if n == m] for m in "ab"]
    expected = stats.ttest_rel(*by_model)
    assert answer["rows"][0]["pvalue"] == pytest.approx(expected.pvalue)
    assert answer["design"] == "8 runs on one test set"
    text = " ".join(str(compare_file(path)).split())
    assert "8 runs on one test set, for new runs on this test set;" in text


def test_equal_runs_are_called_runs(tmp_path):
    rows = [(m, run, 0.9 - run / 10) for m in "ab" for run in range(3)]
    text = str(compare_file(written(tmp_path, ["model", "run", "score"], rows)))
    assert text.startswith("a and b have the same score in every run.")
    assert "split" not in text


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
    assert answer["design"] == "10-fold cross-validation repeated twice"


def test_python_reads_what_the_command_reads(tmp_path, capsys):
    header = ["dataset_name", "classifier_name", "accuracy"]
    rows = [(d, m, s - 0.1 * d) for d in range(3) for m, _, s in FOLDS[::8]]
    path = written(tmp_path, header, rows)
    result = compare_file(path)
    assert main(["compare", path]) == 0
    assert capsys.readouterr().out == f"{result}\n"
    assert str(result) == str(compare_file([path], score="accuracy"))
    for compare in (compare_table, compare_scores):
        with pytest.raises(TypeError, match="use compare_file"):
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
        ("y_true", TRUTH, GUESSES, {}, [], {"test": McNemarTest()}),
        (
            "truth",
            WORDS[TRUTH],
            {k: WORDS[v] for k, v in GUESSES.items()},
            {},
            [],
            {"test": McNemarTest()},
        ),
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
        (
            "Wahrheit",
            TRUTH,
            GUESSES,
            {},
            ["--y-true", "Wahrheit"],
            {"test": McNemarTest()},
        ),
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
    (pair,) = json.loads(said.out)["rows"]
    assert pair["pvalue"] == pytest.approx(expected.pvalue_, rel=1e-9)
    assert ("no model: note" in said.err) == ("note" in others)


@pytest.mark.parametrize("role", ["fold", "patient"])
def test_folds_and_groups_count_for_predictions_in_rows(tmp_path, role):
    labels = np.arange(90) // 2 if role == "patient" else np.arange(90) % 5
    columns = {"id": np.arange(90), "y_true": TRUTH, role: labels, **GUESSES}
    wide = list(zip(*columns.values(), strict=True))
    expected = compare_file(written(tmp_path, columns, wide))
    long = [(m, *row[:3], row[3 + k]) for k, m in enumerate(GUESSES) for row in wide]
    header = ["model", "id", "y_true", role, "y_pred"]
    assert compare_file(written(tmp_path, header, long)).pvalue_ == pytest.approx(
        expected.pvalue_, rel=1e-9
    )
    long[0] = (*long[0][:3], 99, long[0][4])
    with pytest.raises(ValueError, match=f"each with the same y_true and {role}"):
        compare_file(written(tmp_path, header, long))


def test_roles_that_predictions_do_not_have_are_refused(tmp_path, capsys):
    rows = zip(TRUTH, *GUESSES.values(), strict=True)
    path = written(tmp_path, ["y_true", *GUESSES], rows)
    assert main(["compare", path, "--repeat", "tree"]) == 2
    assert "No layout has repeat 'tree'" in capsys.readouterr().err


# Hints -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "rows", "options", "hint"),
    [
        (
            ["model", "fold", "score"],
            [(m, f, f"{f + 1},123") for m, f, _ in FOLDS],
            ["--separator", ";"],
            "--decimal",
        ),
        (["model", "fold", "acc"], FOLDS, ["--test", "KFoldTest"], "--test must be"),
        (["model", "part", "acc"], FOLDS, ["--fold", "no"], "one of"),
        (["model", "fold", "acc"], FOLDS * 2, [], "with --repeat"),
    ],
)
def test_hints_name_options(tmp_path, capsys, header, rows, options, hint):
    write = german if "--separator" in options else written
    assert main(["compare", write(tmp_path, header, rows), *options]) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert hint in error
    assert not re.search(r"\w\(|compare_|\w=", error)


@pytest.mark.parametrize("key", ["folds:", "Resamples:", "dataset"])
def test_numbered_columns_are_no_models(tmp_path, capsys, key):
    rows = [[f"set{k}", 0.5 + k / 50, 0.6 - k / 70, 0.7] for k in range(7)]
    path = written(tmp_path, [key, "0", "1", "2"], rows)
    call = ["compare", path, "--dataset", key, "--score", "accuracy"]
    for command in (call[:2], call):
        assert main(command) == 2
        assert "numbered, as folds or runs of one model" in capsys.readouterr().err
    assert main([*call, "--ignore", "NONE"]) == 0


@pytest.mark.parametrize("other", ["len_train_window", "cutoffs", "test_mse"])
def test_a_metric_beside_what_describes_it_is_one_model(tmp_path, capsys, other):
    rows = [[f"2020-0{k}", 0.13 + k / 100, 24 + 12 * k] for k in range(1, 8)]
    path = written(tmp_path, ["cutoff", "test_mape", other], rows)
    assert main(["compare", path]) == 2
    error = capsys.readouterr().err
    assert "One number for each model" in error or "metrics of one model" in error


@pytest.mark.parametrize("labels", [["no", "yes"], [0, 1]])
def test_features_and_foreign_cells_are_no_predictions(tmp_path, capsys, labels):
    table = {"y_true": TRUTH, **GUESSES, "new": TRUTH}
    table = {name: np.array(labels)[cells] for name, cells in table.items()}
    expected = written(tmp_path, table, zip(*table.values(), strict=True))
    expected = compare_file(expected).to_frame()
    table["age"] = np.arange(90) % 50 + 20
    path = written(tmp_path, table, zip(*table.values(), strict=True))
    if main(["compare", path]) == 2:
        assert "age: by the numbers no predictions" in capsys.readouterr().err
        assert main(["compare", path, "--ignore", "age"]) == 0
    found = compare_file(path, ignore=["age"]).to_frame()
    assert found.equals(expected)
    for cell, message in (("NA", "'tree' has empty cells"), ("maybe", "'maybe' is no")):
        rows = [list(row) for row in zip(*table.values(), strict=True)]
        rows[4][2] = cell
        path = written(tmp_path, table, rows)
        with pytest.raises(ValueError, match=message):
            compare_file(path, ignore=["age"])
