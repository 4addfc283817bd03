"""A cell of a column of numbers is a number, a failure of its model, or an error."""

import json
import sys
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from common import main

from sklearn_cvtest import (
    compare_file,
    compare_over_datasets,
    compare_scores,
)

FILES = Path(__file__).with_name("files")
RNG = np.random.default_rng(0)
EASY = RNG.uniform(0.6, 0.9, 12)
# the first is the best on each data set
SCORES = pd.DataFrame(
    {
        name: (EASY + shift + RNG.normal(0, 0.002, 12)).round(4)
        for name, shift in (("GBM", 0.05), ("Deep", 0.02), ("Tree", 0.0))
    }
)
SCORES.insert(0, "dataset", [f"data{number:02}" for number in range(12)])
NUMBERS = ["0.91*", "0.91†", "**0.91**", "0.91 (0.02)", "0.91±0.02", " 0.91 *"]
MISSING = ["", "NA", "NaN", "nan", "n/a", "n.a.", "-", "–", "—", "OOM", "DNF", "failed"]
MISSING += ["None", "null", "timeout", "?", "FAILED", " - "]
OTHERS = ["0.9l", "<0.91", "see text", "inf", "0_9", "٣", "0.91/0.92", "TLE2", "1e"]
LARGE = 60_000  # blank rows below a table, as spreadsheets leave them


def with_cell(cell):
    """Return the table with another cell of GBM in row 3."""
    table = SCORES.astype({"GBM": object})
    table.loc[3, "GBM"] = cell
    return table


def as_long(table):
    return table.melt(id_vars="dataset", var_name="model", value_name="accuracy")


def results_of(table, tmp_path):
    """Yield a function for each way to compare a table, column and row of the cell."""
    long = as_long(table)
    for column, frame in (("GBM", table), ("accuracy", long)):
        yield column, 3, lambda of=frame: compare_over_datasets(of, score="accuracy")
        for n_blank in (0, LARGE):
            path = tmp_path / f"{column}{n_blank}.csv"
            blank = "," * (frame.shape[1] - 1) + "\n"
            path.write_text(
                frame.to_csv(index=False) + n_blank * blank, encoding="utf-8"
            )
            yield column, 5, lambda path=path: compare_file(path, score="accuracy")


@pytest.mark.parametrize("cell", NUMBERS + MISSING + OTHERS)
def test_no_model_disappears_in_silence(tmp_path, cell):
    for column, row, compare in results_of(with_cell(cell), tmp_path):
        if cell in OTHERS:
            with pytest.raises(ValueError, match=f"^Row {row}, column '{column}': "):
                compare()
            continue
        result = compare()
        assert set(result.ranks().names) == {"GBM", "Deep", "Tree"}
        text = " ".join(str(result).split())
        is_missing = cell in MISSING
        assert ("GBM failed on 1 of 12 data sets (data03)" in text) == is_missing
        assert result.to_frame()["n_datasets"][0] == 12 - is_missing


@pytest.mark.parametrize("cell", [OTHERS[0], "OOM"])
def test_the_command_says_where_a_cell_is(tmp_path, capsys, cell):
    path = tmp_path / "scores.csv"
    with_cell(cell).to_csv(path, index=False)
    status = main(["compare", str(path), "--score", "accuracy"])
    assert status == (0 if cell == "OOM" else 2)
    if status:
        assert "scores.csv: Row 5, column 'GBM'" in capsys.readouterr().err


def test_rows_are_numbered_as_in_the_file(tmp_path):
    rows = ["# remark", "fold,a,b", "mean,0.9,0.8", "1,0.9,0.8", ",,", "2,0.9,x1"]
    paths = [tmp_path / "one.csv", tmp_path / "two.csv"]
    paths[0].write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(ValueError, match=r"^Row 6, column 'b': 'x1'"):
        compare_file(paths[0], score="accuracy")
    for path, cell in zip(paths, ("0.9", "0.9x"), strict=True):
        path.write_text(f"fold,accuracy\n1,0.8\n2,{cell}\n3,0.8", encoding="utf-8")
    with pytest.raises(ValueError, match=r"^Row 3 of two\.csv, column 'accuracy'"):
        compare_file(paths)


@pytest.mark.parametrize("cell", ["", "nan", "failed"])
def test_a_failure_on_a_fold_is_one_of_its_model(tmp_path, cell):
    scores = [0.9, 0.8, 0.85, 0.7, 0.6, 0.5, 0.8, 0.8, 0.7]
    table = pd.DataFrame({"model": [*"aaabbbccc"], "fold": [0, 1, 2] * 3})
    table["score"] = [*scores[:4], cell, *scores[5:]]
    path = tmp_path / "scores.csv"
    table.to_csv(path, index=False)
    result = compare_file(path)
    assert "Left out: b (1 of 3 fits failed)" in " ".join(str(result).split())
    assert result.to_frame()[["first", "second"]].values.tolist() == [["a", "c"]]


def test_a_failure_on_an_example_is_said(tmp_path, capsys):
    path = tmp_path / "scores.csv"
    hits = ["1", "0", "NA", "0", "1"] * 8
    rows = [f"{m},{i},{hits[i] if m == 'a' else 1}" for m in "ab" for i in range(40)]
    path.write_text("\n".join(["model,example,score", *rows]), encoding="utf-8")
    assert main(["compare", str(path)]) == 0
    said = capsys.readouterr()
    text = "left out: 8 examples without a result of all models (a lacks 8)"
    assert text in said.err


def test_who_has_no_result_at_all_is_named():
    table = SCORES.assign(Deep=np.nan)
    text = " ".join(str(compare_over_datasets(table, score="accuracy")).split())
    assert "Deep failed on 12 of 12 data sets" in text
    table = SCORES.copy()
    table.iloc[2, 1:] = None
    text = " ".join(str(compare_over_datasets(table, score="accuracy")).split())
    assert "No result: data02" in text


def test_rows_of_a_frame_that_summarise_data_sets_are_refused():
    last = pd.DataFrame([["Average", 0.9, 0.8, 0.7]], columns=SCORES.columns)
    table = pd.concat([SCORES, last], ignore_index=True)
    with pytest.raises(ValueError, match="without summaries of others; got 'Average'"):
        compare_over_datasets(table, score="accuracy")


@pytest.mark.parametrize("cells", [["0.8", "91%"], ["0.8", "91"]])
def test_shares_and_percent_are_not_mixed(tmp_path, cells):
    table = SCORES.astype({"GBM": object})
    table.loc[:1, "GBM"] = cells
    path = tmp_path / "scores.csv"
    table.to_csv(path, index=False)
    with pytest.raises(ValueError, match="percent"):
        compare_file(path, score="accuracy")


# Text first --------------------------------------------------------------------------


def test_blank_rows_count_for_nothing_at_any_size(tmp_path, capsys):
    truth = RNG.integers(0, 2, 500)
    table = pd.DataFrame({"id": np.arange(500), "y_true": truth})
    table["a"] = np.where(RNG.random(500) < 0.7, truth, 1 - truth)
    table["b"] = np.where(RNG.random(500) < 0.8, truth, 1 - truth)
    answers = []
    for n_blank in (0, 10, 700_000):
        path = tmp_path / "table.csv"
        path.write_text(table.to_csv(index=False) + n_blank * ",,,\n", encoding="utf-8")
        assert main(["compare", str(path), "--json", "-"]) == 0
        answers.append(json.loads(capsys.readouterr().out))
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["means"]["a"] == pytest.approx(np.mean(table.a != truth))


def test_names_of_digits_stay_apart(tmp_path):
    models = ["1.1", "1.10", "7", "007"]
    rows = [f"{m},{fold},{RNG.random():.3f}" for m in models for fold in range(5)]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(["model,fold,accuracy", *rows]), encoding="utf-8")
    assert compare_file(path).losses.names == tuple(models)


def test_without_pandas_the_command_says_what_to_install(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert main(["compare", str(FILES / "skore_folds.csv")]) == 2
    assert 'pip install "sklearn_cvtest[pandas]"' in capsys.readouterr().err


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["0,95", "0,91", "0,85", "0,8"], [0.95, 0.91, 0.85, 0.8]),
        (["1,234.5", "999", "2,000.25", "1,100"], [1234.5, 999, 2000.25, 1100]),
        (["95 %", "90%", "85.5%", "80%"], [95, 90, 85.5, 80]),
        (["12,5", "13,25", "11,125", "10"], [12.5, 13.25, 11.125, 10]),
    ],
)
def test_numbers_are_written_in_many_ways(tmp_path, cells, values):
    table = {"model": [*"aabb"], "fold": [0, 1] * 2, "mae": cells}
    path = tmp_path / "scores.csv"
    pd.DataFrame(table).to_csv(path, index=False, sep=";")
    losses = compare_file(path).losses
    assert losses.values.T.ravel().tolist() == pytest.approx(values)


# What is no model --------------------------------------------------------------------


@pytest.mark.parametrize("name", ["threshold", "seed", "run", "example", "iteration"])
@pytest.mark.parametrize("value", [0.9, 0.95])
def test_constants_and_roles_are_no_models(tmp_path, capsys, name, value):
    table = pd.DataFrame({"fold": range(5), "forest": EASY[:5], "tree": EASY[5:10]})
    table[name] = value
    path = tmp_path / "scores.csv"
    table.to_csv(path, index=False)
    status = main(["compare", str(path), "--score", "accuracy", "--json", "-"])
    said = capsys.readouterr()
    if status == 0:
        assert set(json.loads(said.out)["means"]) == {"forest", "tree"}
        assert f"no model: {name}" in said.err or name in ("seed", "run")
    else:
        assert name in ("threshold", "example")
    table = table.rename(columns={"fold": "dataset"}).astype({"dataset": str})
    with pytest.raises(ValueError, match=f"that are models; got '{name}'"):
        compare_over_datasets(table, score="accuracy", dataset="dataset")


@pytest.mark.parametrize(
    "name", ["N-BEATS", "RankNet", "TimeSeriesForest", "no_dropout", "o3-mini-high"]
)
def test_models_are_not_lost_by_their_names(tmp_path, name):
    path = tmp_path / "scores.csv"
    SCORES.rename(columns={"GBM": name}).to_csv(path, index=False)
    assert name in compare_file(path, score="accuracy").names


@pytest.mark.parametrize("name", ["VAR", "GAIN", "Mean", "Best", "Best-of-5"])
def test_models_called_as_summaries_are_asked_about(tmp_path, capsys, name):
    path = tmp_path / "scores.csv"
    for table in (SCORES, as_long(SCORES)):
        renamed = table.rename(columns={"GBM": name}).replace("GBM", name)
        renamed.to_csv(path, index=False)
        assert main(["compare", str(path), "--score", "accuracy"]) == 2
        assert f"{name!r} is called as a summary" in capsys.readouterr().err
        result = compare_file(path, score="accuracy", ignore=["NONE"])
        assert name in result.names


@pytest.mark.parametrize("name", ["Mean", "Ø", "среднее", "平均", "keskiarvo", "Lagin"])
def test_a_mean_is_no_model_and_no_unit_in_any_language(tmp_path, capsys, name):
    path = tmp_path / "scores.csv"
    models = SCORES.columns[1:]
    wide = SCORES.assign(**{name: SCORES[models].mean(axis=1)})
    tall = pd.concat([SCORES, SCORES[models].mean().to_frame().T], ignore_index=True)
    tall["dataset"] = tall["dataset"].fillna(name)
    for table, noun in ((wide, "model"), (tall, "data set")):
        table.to_csv(path, index=False)
        assert main(["compare", str(path), "--score", "accuracy", "--json", "-"]) == 0
        said = capsys.readouterr()
        assert f"no {noun}: {name}" in said.err
        content = json.loads(said.out)
        assert content["rows"][0]["n_datasets"] == 12
        assert {row["second"] for row in content["rows"]} <= set(models)


def test_a_model_that_is_always_right_is_one(tmp_path):
    table = pd.DataFrame({"id": range(30), "a": 1, "b": np.arange(30) % 3 > 0})
    path = tmp_path / "scores.csv"
    table.astype(int).to_csv(path, index=False)
    result = compare_file(path, score="accuracy")
    assert result.losses.names == ("a", "b")


# Logs --------------------------------------------------------------------------------


def harness(task, hits):
    return [
        {
            "doc_id": number,
            "doc_hash": f"{task}{number}",
            "resps": [["4"]],
            "filtered_resps": ["4"],
            "filter": "none",
            "metrics": ["exact_match"],
            "exact_match": float(hit),
        }
        for number, hit in enumerate(hits)
    ]


def test_two_tasks_of_one_log_are_kept_apart(tmp_path):
    hits = {name: RNG.integers(0, 2, (2, 100)) for name in ("old", "new")}
    paths = []
    for name, (first, second) in hits.items():
        (tmp_path / name).mkdir()
        paths.append(tmp_path / name / "samples.jsonl")
        rows = harness("a", first) + harness("b", second)
        paths[-1].write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    result = compare_file(paths)
    expected = compare_scores({name: two.ravel() for name, two in hits.items()})
    assert len(result.losses.values) == 200
    assert result.pvalue_ == pytest.approx(expected.pvalue_)
    again = harness("a", hits["old"][0]) * 2
    paths[0].write_text("\n".join(map(json.dumps, again)), encoding="utf-8")
    with pytest.raises(ValueError, match="twice"):
        compare_file(paths)


def test_an_unknown_letter_is_no_score(tmp_path, capsys):
    samples = [
        {"id": n, "epoch": 1, "scores": {"m": {"value": letter}}}
        for n, letter in enumerate("CICZ")
    ]
    log = {"status": "success", "eval": {"model": "a", "task": "t"}}
    path = tmp_path / "log.json"
    for letters in (samples, samples[3:] * 2):
        path.write_text(json.dumps(log | {"samples": letters}), encoding="utf-8")
        assert main(["compare", str(path)]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert "greater 'run'" not in line
        assert "log.json" in line


def test_what_unpacks_to_too_much_is_refused(tmp_path):
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", "{}")
        with archive.open("samples/a.json", "w", force_zip64=True) as member:
            for _ in range(51):
                member.write(bytes(10_000_000))
    with pytest.raises(ValueError, match=r"log\.eval.*unpacks to more than"):
        compare_file(path)


def damaged(content, rng):
    """Return bytes that are flipped, cut or left out somewhere."""
    place = int(rng.integers(len(content)))
    kind = rng.integers(3)
    if kind == 0:
        return content[:place]
    if kind == 1:
        return content[:place] + content[place + int(rng.integers(1, 40)) :]
    return content[:place] + bytes([rng.integers(256)]) + content[place + 1 :]


@pytest.mark.parametrize(
    "name", ["inspect_1.eval", "inspect_1.json.gz", "promptfoo.json.gz"]
)
def test_damaged_logs_are_one_line_that_names_the_file(tmp_path, capsys, name):
    if name.endswith(".eval"):
        pytest.importorskip("zstandard")
    rng = np.random.default_rng(0)
    content = (FILES / name).read_bytes()
    path = tmp_path / name
    for _ in range(40):
        path.write_bytes(damaged(content, rng))
        status = main(["compare", str(path), str(FILES / "inspect_2.eval")])
        error = capsys.readouterr().err.splitlines()[-1]
        assert status in (0, 2)
        assert status == 0 or name in error, error


# Searches ----------------------------------------------------------------------------


def test_saved_searches_may_have_capitals_and_odd_parameters(tmp_path):
    header = "PARAMS,SPLIT0_TEST_AUC,SPLIT1_TEST_AUC,SPLIT2_TEST_AUC"
    rows = [
        "\"{'a': 1}\",0.8,0.9,0.85",
        "{[1]: 2},0.7,0.8,0.8",
        "\"{'a': 3}\",0.8,0.7,0.9",
    ]
    path = tmp_path / "search.csv"
    path.write_text("\n".join([header, *rows]), encoding="utf-8")
    result = compare_file(path)
    assert len(result.losses.names) == 3
