"""Scores in files, and calls that refusals of other entry points give."""

import gzip
import json

import numpy as np
import pytest

from sklearn_cvtest import (
    compare_file,
    compare_predictions,
    compare_scores,
    compare_table,
)
from sklearn_cvtest.exceptions import FewExamplesWarning


def items():
    """Return the columns of scores of examples of one test set."""
    rng = np.random.default_rng(0)
    names, items, scores = np.repeat(["a", "b"], 30), [*range(30)] * 2, rng.random(60)
    return {"model": names, "item": items, "score": scores}


def test_json_lines_are_tables_by_column_names(tmp_path):
    """As promptfoo and others write them."""
    rng = np.random.default_rng(1)
    scores = {name: rng.integers(0, 2, 40) for name in ("old", "new")}
    rows = [
        {"provider": {"id": name}, "testIdx": i, "score": int(s), "vars": {"q": ["x"]}}
        for name, of_model in scores.items()
        for i, s in enumerate(of_model)
    ]
    path = tmp_path / "out.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    found = compare_file(path, model="provider.id", example="testIdx")
    assert found.pvalue_ == compare_scores(scores).pvalue_


@pytest.mark.parametrize(
    ("more", "options"),
    [
        ({"fold": [0] * 60}, {"example": "item", "score": "score"}),
        ({"fold": [0] * 60}, {"example": "item", "loss": "score"}),
    ],
)
def test_one_test_set_is_refused_with_the_call_that_takes_it(more, options):
    table = items() | more
    with pytest.raises((ValueError, TypeError), match="use compare_scores") as error:
        compare_table(table, **options)
    call = str(error.value).partition("use ")[2].partition(", which takes")[0]
    expected = compare_scores(items(), example="item", score="score").pvalue_
    found = eval(call, {"compare_scores": compare_scores, "table": table})
    assert found.pvalue_ == expected


def test_runs_as_folds_are_refused_with_the_call():
    one = items()
    table = {name: [*column] * 3 for name, column in one.items()}
    table["score"] = np.random.default_rng(1).random(180)
    table["seed"] = np.repeat([0, 1, 2], 60)
    with pytest.raises(ValueError, match="use compare_scores") as error:
        compare_table(table, example="item", loss="score", fold="seed")
    call = str(error.value).partition("use ")[2].partition(", which takes")[0]
    found = eval(call, {"compare_scores": compare_scores, "table": table})
    assert found.losses.design.kind == "crossed"


@pytest.mark.parametrize("rows_are_runs", [False, True])
def test_runs_of_predictions_are_refused_with_the_call(rows_are_runs):
    rng = np.random.default_rng(0)
    for y_true, guess in (
        (rng.integers(0, 2, 60), lambda: rng.integers(0, 2, (60, 5))),
        (rng.normal(size=60), lambda: rng.normal(size=(60, 5))),
    ):
        predictions = {name: guess() for name in ("a", "b")}
        expected = {name: (y_true != p.T) * 1.0 for name, p in predictions.items()}
        if y_true.dtype.kind == "f":
            expected = {name: (p.T - y_true) ** 2 for name, p in predictions.items()}
        if rows_are_runs:
            predictions = {name: p.T for name, p in predictions.items()}
        with pytest.raises(ValueError, match="use compare_scores") as error:
            compare_predictions(y_true, predictions)
        call = str(error.value).partition("use ")[2].removesuffix(".")
        names = {"compare_scores": compare_scores, "y_true": y_true}
        found = eval(call, names | {"predictions": predictions})
        assert found.losses.design.kind == "crossed"
        expected = compare_scores(expected, loss="loss").pvalue_
        assert found.pvalue_ == pytest.approx(expected, rel=1e-9)


def test_an_array_that_may_be_transposed_is_a_warning():
    scores = {name: np.random.default_rng(0).random((60, 5)) for name in ("a", "b")}
    with pytest.warns(FewExamplesWarning, match="pass its transpose"):
        compare_scores(scores)
