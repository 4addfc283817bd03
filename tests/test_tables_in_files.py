"""Tables in files as people have them: separators, commas, percent, wide tables."""

import gzip
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


def plain(name):
    return name.strip().lower().removesuffix(" (%)")


def comma(value):
    return str(value).replace(".", ",")


@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("a.csv", as_text(["model", "fold", "accuracy"], ";"), {}),
        ("a.tsv", as_text(["model", "fold", "accuracy"], "\t"), {}),
        ("a.tsv.gz", as_text(["model", "fold", "accuracy"], "\t"), {}),
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
    content = text.encode()
    content = gzip.compress(content) if name.endswith(".gz") else content
    (tmp_path / name).write_bytes(content)
    score = "a,b" if "a,b" in text else "accuracy"
    found = compare_file(tmp_path / name, score=score, **options)
    assert plain(found.losses.metric.name) == score
    if "%" not in text.partition("\n")[2]:
        assert found.table.pvalue.tolist() == pytest.approx(PVALUES.tolist(), rel=1e-9)
    else:
        assert found.table.pvalue == pytest.approx(PVALUES, rel=0.2)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            "model,fold,score\na,0,0,5\na,1,0,5",
            {},
            "A comma in a number or name needs quotes",
        ),
        (
            "model;fold;v\na;0;1.000\nb;0;1,5",
            {"decimal": ",", "score": "v"},
            "'1.000' has a point, and decimals have commas",
        ),
        ("a;a\n1;2", {}, "several columns 'a'"),
        (
            "model;fold;v\na;0;1,234\nb;0;2,345",
            {"score": "v"},
            "Does the comma of '1,234' in column 'v' mark thousands",
        ),
    ],
)
def test_what_is_not_clear_is_refused(tmp_path, text, options, message):
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        compare_file(tmp_path / "a.csv", **options)


@pytest.mark.parametrize("text", ["", "{", "[1]", "[]", "3", '"a"', "\x00", "{}\n{}"])
@pytest.mark.parametrize("name", ["b.json", "b.jsonl", "b.csv", "b.arff"])
def test_what_holds_no_table_is_refused_by_name(tmp_path, capsys, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert main(["compare", str(tmp_path / name)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert name in line
    assert "Error" not in line.replace("JSONDecodeError", "").replace("ValueError", "")


def test_arrays_of_examples_are_no_results_of_folds():
    scores = {"a": np.arange(60) % 2, "b": np.arange(60) % 3}
    with pytest.raises(ValueError, match=r"use compare_scores\(results\)"):
        compare_cv_results(scores)
    results = {name: {"test_score": of_model} for name, of_model in scores.items()}
    with pytest.raises(ValueError, match=r"return_indices=True\)"):
        compare_cv_results(results)


def test_wide_and_commas_on_the_command_line(capsys):
    options = ["--score", "accuracy"]
    assert main(["compare", str(WIDE), *options]) == 0
    found = compare_file(WIDE, score="accuracy")
    assert capsys.readouterr().out == f"{found}\n"
    assert found.losses.names == tuple(MODELS)
    assert found.losses.values[:3, 0].tolist() == [-0.95, -0.94, -0.96]
    assert main(["compare", str(WIDE), *options, "--ignore", "logit"]) == 0
    assert "logit" not in capsys.readouterr().out


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
        path.write_text("\n".join(text), encoding="utf-8")
        result = compare_file(path, score="accuracy")
        assert result.losses.names == ("a", "b")
        prints.add(str(result))
    assert len(prints) == 1


def test_options_that_there_are_not_are_refused():
    with pytest.raises(TypeError, match=r"of model, fold, .* got 'percent'"):
        compare_file(WIDE, percent=True)
