"""Tables in files as people have them: separators, commas, percent, wide tables."""

from pathlib import Path

import numpy as np
import pytest
from common import main

from sklearn_cvtest import (
    compare_cv_results,
    compare_file,
    compare_table,
)

WIDE = Path(__file__).parent / "wide.csv"
MODELS = ["forest", "tree", "logit"]
SCORES = np.random.default_rng(0).normal([[0.95], [0.91], [0.93]], 0.01, (3, 10))
SCORES = SCORES.round(3)
PVALUES = compare_table(
    {
        "model": np.repeat(MODELS, 10),
        "fold": np.tile(np.arange(10), 3),
        "accuracy": SCORES.ravel(),
    },
    score="accuracy",
).table.pvalue


def as_text(header, separator=",", cell="{}".format):
    rows = [
        separator.join([name, str(fold), cell(SCORES[number, fold])])
        for number, name in enumerate(MODELS)
        for fold in range(10)
    ]
    return "\n".join([separator.join(header), *rows])


def comma(value):
    return str(value).replace(".", ",")


@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("a.csv", as_text(["model", "fold", "accuracy"], ";"), {}),
        ("a.tsv", as_text(["model", "fold", "accuracy"], "\t"), {}),
        ("a.txt", as_text(["model", "fold", "accuracy"], "|"), {}),
        ("a.csv", as_text(["model", "fold", "accuracy"], ";", comma), {"decimal": ","}),
        ("a.csv", "sep=;\n" + as_text(["model", "fold", "accuracy"], ";"), {}),
        ("a.csv", as_text([" Model", "FOLD", "Accuracy (%)"]), {}),
        ("a.csv", as_text(["model", "fold", "a,b"], ";"), {"separator": ";"}),
        ("a.csv", as_text(["model", "fold", "accuracy"], cell="{:.1%}".format), {}),
        ("a.csv", as_text(["model", "fold", "accuracy", ""]) + "\n,,,\n", {}),
    ],
)
def test_tables_as_people_have_them(tmp_path, name, text, options):
    (tmp_path / name).write_text(text)
    score = "a,b" if "a,b" in text else "accuracy"
    found = compare_file(tmp_path / name, score=score, **options)
    assert found.losses.loss_name == score
    if "%" not in text.partition("\n")[2]:
        assert found.table.pvalue.tolist() == pytest.approx(PVALUES.tolist(), rel=1e-9)
    else:
        assert found.table.pvalue == pytest.approx(PVALUES, rel=0.2)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("model;fold;a,b\na;0;1", {}, r"separates the columns .* separator=','; or"),
        ("model,fold,score\na,0,0,5", {}, "A comma in a number or name needs quotes"),
        ("model;fold;n\na;0;1.000\nb;0;1,5", {"decimal": ","}, "thousands"),
        ("a;a\n1;2", {}, "columns with different names"),
        ("model;fold;n\na;0;1,234\nb;0;2,345", {"score": "n"}, "Is the comma decimal"),
    ],
)
def test_what_is_not_clear_is_refused(tmp_path, text, options, message):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(ValueError, match=message):
        compare_file(tmp_path / "a.csv", **options)


def test_options_of_csv_are_for_csv(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n')
    with pytest.raises(ValueError, match="`separator` must be left out"):
        compare_file(tmp_path / "a.jsonl", separator=",")
    for text, message in (
        ("{", "JSONDecodeError"),
        ("[1]", "line 1 is no JSON object"),
        ("", "no rows"),
        ('{"a": 1, "a": 2}', "'a' comes twice"),
        ('{"a": {"b": 1}, "a.b": 2}', "'a.b' comes twice"),
    ):
        (tmp_path / "b.jsonl").write_text(text)
        with pytest.raises(ValueError, match=rf"b\.jsonl' .*{message}"):
            compare_file(tmp_path / "b.jsonl")


def test_commas_and_percent_are_named_where_they_are_met():
    table = {"model": ["a", "b"] * 2, "fold": [0, 0, 1, 1]}
    commas = table | {"score": ["0,9", "0,8", "0,75", "0,6"]}
    points = commas | {"score": [0.9, 0.8, 0.75, 0.6]}
    assert str(compare_table(commas)) == str(compare_table(points))
    mixed = table | {"score": ["90%", "0.8", "70%", "60%"]}
    with pytest.raises(ValueError, match=r"got '0.8' in row 1"):
        compare_table(mixed)


def test_names_that_two_columns_have_are_refused():
    table = {"Model": ["a"], "model ": ["a"], "fold": [0], "score": [1]}
    with pytest.raises(ValueError, match="which is like 'Model' and 'model '"):
        compare_table(table)


def test_arrays_of_examples_are_no_results_of_folds():
    scores = {"a": np.arange(60) % 2, "b": np.arange(60) % 3}
    with pytest.raises(ValueError, match=r"use compare_scores\(results\)"):
        compare_cv_results(scores)
    results = {name: {"test_score": of_model} for name, of_model in scores.items()}
    with pytest.raises(ValueError, match=r"return_indices=True\)\.$"):
        compare_cv_results(results)


def test_wide_and_commas_on_the_command_line(capsys):
    options = ["--decimal", ",", "--wide", "--score", "accuracy"]
    assert main(["compare", str(WIDE), *options]) == 0
    found = compare_file(WIDE, decimal=",", wide=True, score="accuracy")
    assert capsys.readouterr().out == f"{found}\n"
    assert found.losses.names == tuple(MODELS)
    assert found.losses.values[:3, 0].tolist() == [-0.95, -0.94, -0.96]
    assert main(["compare", str(WIDE), *options, "--ignore", "logit"]) == 0
    assert "logit" not in capsys.readouterr().out
    assert main(["compare", str(WIDE), "--score", "forest", "--ignore", "tree"]) == 2
    assert "No column says it" in capsys.readouterr().err


def test_blanks_after_separators_are_no_part_of_a_cell(tmp_path):
    lines = ["model,fold,accuracy"]
    scores = np.random.default_rng(0).uniform(size=10)
    for number, score in enumerate(scores):
        lines.append(f"{'ab'[number % 2]},{number // 2},{score / (1 + number % 2)}")
    texts = {"plain": lines, "blanks": [line.replace(",", " , ") for line in lines]}
    texts["quotes"] = [
        line.replace(",", ', "').replace(', "', '", "') for line in lines
    ]
    texts["quotes"] = [f'"{line}"' for line in texts["quotes"]]
    prints = set()
    for name, text in texts.items():
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join(text))
        result = compare_file(path, score="accuracy")
        assert result.names == ("a", "b")
        prints.add(str(result))
    assert len(prints) == 1
