"""The command, as a user or a build runs it."""

import gzip
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from common import main

from sklearn_cvtest import (
    Comparison,
    McNemarTest,
    __version__,
    compare_file,
    compare_predictions,
)

MEANS = np.array([[0.9], [0.9], [0.8]])
SCORES = np.random.default_rng(0).normal(MEANS, 0.01, (3, 10))


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "scores.csv"
    rows = [
        f"{name},{fold},{SCORES[number, fold].item()!r}"
        for number, name in enumerate(["old", "new", "bad"])
        for fold in range(10)
    ]
    path.write_text("\n".join(["model,fold,accuracy", *rows]), encoding="utf-8")
    return str(path)


def run(*arguments):
    command = [sys.executable, "-m", "sklearn_cvtest", "compare", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_says_what_python_says(table, tmp_path):
    out = tmp_path / "out.json"
    page = tmp_path / "out.html"
    options = ("--score", "accuracy", "--json", str(out), "--html", str(page))
    found = run(table, *options)
    taken = "sklearn-cvtest: taken: a row for each model and fold\n"
    assert (found.returncode, found.stderr) == (0, taken)
    result = compare_file(table, score="accuracy")
    assert found.stdout == f"{result}\n"
    content = json.loads(out.read_text(encoding="utf-8"))
    assert [row["pvalue"] for row in content["rows"]] == result.table.pvalue.tolist()
    assert content["verdict"] in " ".join(found.stdout.split())
    assert page.read_text(encoding="utf-8").lower().startswith("<!doctype html>")


def test_candidates_of_a_search_are_named_by_their_parameters(tmp_path, capsys):
    path = tmp_path / "search.csv"
    rows = ["params," + ",".join(f"split{number}_test_score" for number in range(10))]
    for depth, scores in zip((1, 2, 5), SCORES, strict=True):
        cells = [f"\"{{'max_depth': {depth}, 'leaf': 1}}\"", *map(str, scores)]
        rows.append(",".join(cells))
    path.write_text("\n".join(rows), encoding="utf-8")
    assert main(["compare", str(path)]) == 0
    printed = capsys.readouterr().out
    for depth in (1, 2, 5):
        assert f"max_depth={depth}" in printed


def test_a_build_fails_where_a_model_is_worse(table, capsys):
    options = ["compare", table, "--score", "accuracy", "--fail-if-worse"]
    assert main([*options, "--reference", "old"]) == 1
    assert "bad is significantly worse" in " ".join(capsys.readouterr().out.split())
    assert main([*options, "--reference", "bad"]) == 0


def test_data_sets_have_one_verdict(table, tmp_path, capsys):
    header, *rows = Path(table).read_text(encoding="utf-8").splitlines()
    path = tmp_path / "two.csv"
    both = [f"{row},{name}" for name in ("x", "y") for row in rows]
    path.write_text("\n".join([f"{header},data", *both]), encoding="utf-8")
    assert main(["compare", str(path)]) == 0
    assert capsys.readouterr().out.startswith("Over 2 data sets, ")


def test_percent(table, tmp_path, capsys):
    path = tmp_path / "percent.csv"
    rows = [row.split(",") for row in Path(table).read_text(encoding="utf-8").split()]
    rows[1:] = [[*row[:2], repr(100 * float(row[2]))] for row in rows[1:]]
    path.write_text("\n".join(",".join(row) for row in rows), encoding="utf-8")
    assert main(["compare", str(path)]) == 0
    text = capsys.readouterr().out
    assert main(["compare", table]) == 0
    assert capsys.readouterr().out == text


def test_a_damaged_file_is_bad_input(table, tmp_path, capsys):
    """Not exit status 1, which says that a model is worse."""
    path = tmp_path / "scores.csv.gz"
    path.write_bytes(gzip.compress(Path(table).read_bytes())[:-20])
    assert main(["compare", str(path), "--score", "accuracy"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "scores.csv.gz cannot be read" in line


def test_version_is_said(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"sklearn-cvtest {__version__}\n"


def test_json_on_stdout_is_json_alone(table, capsys):
    assert main(["compare", table, "--score", "accuracy", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("new,3,", "new,2,"), "new has 2 rows for 2"),
        (lambda text: text + "\nmore", "old has no result for fold (blank)"),
        (lambda text: text.replace("old,9,", "old,8,"), "old has 2 rows for 8"),
        (lambda text: text + "\nnew,10,0.5", "old has no result for fold 10"),
        (lambda text: text.replace("accuracy", "auc"), "--score auc"),
        (lambda text: "", "other.csv is empty"),
        (
            lambda text: re.sub(r"\n\w+,[1-9].*", "", text),
            "One number for each model cannot",
        ),
    ],
)
def test_bad_files_are_one_line_and_status_2(table, tmp_path, capsys, change, message):
    path = tmp_path / "other.csv"
    path.write_text(change(Path(table).read_text(encoding="utf-8")), encoding="utf-8")
    assert main(["compare", str(path), "--score", "accuracy"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


@pytest.mark.parametrize(
    "options",
    [
        ["nowhere.csv"],
        ["table.xls"],
        [],
        ["a.csv", "--test", "Nothing"],
        ["a.csv", "--test", "EquivalenceTest"],
        ["a", "--x"],
        ["a.csv", "--fail-if-worse"],
        ["a.csv", "--missing", "all"],
        ["a.csv", "--n-train", "x"],
    ],
)
def test_bad_options_are_status_2(options, capsys):
    try:
        status = main(["compare", *options])
    except SystemExit as error:
        status = error.code
    assert status == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("margin", "message"),
    [
        ("2", "--margin must be a share; got 2"),
        ("five", "--margin must be a number"),
        ("5%", "--margin must be a number, as accuracy is not compared by ratio"),
        ("-0.01", "--margin must be"),
        ("nan", "--margin must be"),
    ],
)
def test_margins_that_say_nothing_are_told_in_words(table, capsys, margin, message):
    assert main(["compare", table, "--reference", "old", f"--margin={margin}"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


def test_a_gate_has_four_answers(table, tmp_path, capsys):
    path = tmp_path / "errors.csv"
    rows = [
        row.replace("accuracy", "mae")
        for row in Path(table).read_text(encoding="utf-8").split()
    ]
    path.write_text(
        "\n".join(row for row in rows if not row.startswith("bad")), encoding="utf-8"
    )
    options = ["compare", str(path), "--reference", "old", "--json", "-", "--margin"]
    for margin, decision, status in (
        ("5%", "shown", 0),
        ("0.05", "shown", 0),
        ("0.001%", "inconclusive", 3),
    ):
        assert main([*options, margin]) == status
        gate = json.loads(capsys.readouterr().out)["gate"]
        assert gate["decisions"] == {"new": decision}
    assert main(["compare", table, "--reference", "old", "--margin", "0.02"]) == 1
    assert "bad" in capsys.readouterr().out


def test_folds_of_one_model_ask_for_the_others(tmp_path, capsys):
    path = tmp_path / "pull.csv"
    rows = ["Fold,Accuracy,AUC", "0,0.8,0.9", "1,0.7,0.8", "Mean,0.75,0.85"]
    path.write_text("\n".join(rows), encoding="utf-8")
    assert main(["compare", str(path)]) == 2
    assert "Name the files of all models" in capsys.readouterr().err


def test_help_teaches(capsys):
    with pytest.raises(SystemExit):
        main(["compare", "--help"])
    shown = capsys.readouterr().out
    for word in ("taken:", "--fail-if-worse", "exit status", "--n-train", "--margin"):
        assert word in shown


def test_writes_a_page_and_says_warnings_in_a_line_each(tmp_path, capsys):
    path, page, out = (tmp_path / name for name in ("a.csv", "a.html", "a.json"))
    rows = [f"{int(i < 5)},{int(i < 4)},{int(2 < i < 9)}" for i in range(90)]
    path.write_text("\n".join(["y_true,a,b", *rows]), encoding="utf-8")
    options = ["--html", str(page), "--json", str(out), "--score", "f1"]
    assert main(["compare", str(path), *options]) == 0
    said = capsys.readouterr()
    assert said.err.splitlines()[1].startswith("sklearn-cvtest: warning: ")
    assert page.read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    assert json.loads(out.read_text(encoding="utf-8"))["rows"]


def test_no_output_is_an_input(table, capsys):
    before = Path(table).read_text(encoding="utf-8")
    for option in ("--html", "--json"):
        assert main(["compare", table, "--score", "accuracy", option, table]) == 2
        assert "is a file that is read" in capsys.readouterr().err
    assert Path(table).read_text(encoding="utf-8") == before


def test_any_error_ends_with_one_line_and_status_2(table, capsys, monkeypatch):
    def fail(*args, **options):
        raise RecursionError("too deep\nby far")

    monkeypatch.setattr(Comparison, "__str__", fail)
    assert main(["compare", table, "--score", "accuracy"]) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert error == "sklearn-cvtest: scores.csv: RecursionError: too deep by far"


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "ascii"])
def test_output_of_any_encoding(table, encoding, monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["compare", table, "--score", "accuracy"]) == 0
    stream.flush()
    assert b"old" in stream.buffer.getvalue()


def test_a_missing_column_of_targets_is_named(tmp_path, capsys):
    path = tmp_path / "predictions.csv"
    path.write_text("y_true,a,b\n" + "0,0,1\n1,1,1\n" * 20, encoding="utf-8")
    assert main(["compare", str(path), "--y-true", "target"]) == 2
    said = capsys.readouterr().err
    assert "KeyError" not in said
    assert "'y_true', 'a', 'b'" in said


def test_predictions_may_be_words(tmp_path, capsys):
    # "bad" has each word equally often, as a column with the names of models has
    number = np.arange(60)
    cells = {"target": number % 3 > 0, "good": number % 7 > 0, "bad": number % 2 > 0}
    texts = []
    for words in (("no", "yes"), ("0", "1")):
        table = {name: np.where(of, *words[::-1]) for name, of in cells.items()}
        rows = [",".join(row) for row in zip(*table.values(), strict=True)]
        path = tmp_path / "predictions.csv"
        path.write_text("\n".join([",".join(table), *rows]), encoding="utf-8")
        assert main(["compare", str(path), "--y-true", "target", "--json", "-"]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    target, good, bad = cells.values()
    models = {"good": good, "bad": bad}
    expected = compare_predictions(target, models, test=McNemarTest())
    assert json.loads(texts[0])["rows"][0]["pvalue"] == pytest.approx(expected.pvalue_)


def test_messages_name_the_column(tmp_path, capsys):
    path = tmp_path / "scores.csv"
    rows = [f"{model},{fold},0.{fold}" for model in "ab" for fold in range(1, 6)]
    path.write_text("model,fold,hit rate\n" + "\n".join(rows) + "x", encoding="utf-8")
    assert main(["compare", str(path), "--score", "hit rate"]) == 2
    said = capsys.readouterr().err
    assert "scores.csv: Row 11, column 'hit rate': '0.5x' is no number" in said
    assert "table[" not in said


def test_no_option_is_advised_that_there_is_not(tmp_path, capsys):
    path = tmp_path / "predictions.csv"
    path.write_text("y_true,a,b\n" + "0,0,1\n1,1,1\n" * 20, encoding="utf-8")
    assert main(["compare", str(path), "--score", "roc_auc"]) == 2
    assert "response" not in capsys.readouterr().err


def test_none_may_be_written_as_in_python(table, capsys):
    texts = []
    for none in ("none", "None"):
        options = ["--score", "accuracy", "--p-adjust", none]
        assert main(["compare", table, *options]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
