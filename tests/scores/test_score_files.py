"""Scores in files, and calls that refusals of other entry points give."""

import gzip
import json

import numpy as np
import pytest

from sklearn_cvtest import (
    compare_file,
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
    assert compare_file(path).pvalue_ == compare_scores(scores).pvalue_


def test_one_test_set_is_refused_with_the_call_that_takes_it():
    table = items() | {"fold": [0] * 60}
    with pytest.raises(ValueError, match="use compare_scores"):
        compare_table(table, example="item", score="score")


def test_an_array_that_may_be_transposed_is_a_warning():
    scores = {name: np.random.default_rng(0).random((60, 5)) for name in ("a", "b")}
    with pytest.warns(FewExamplesWarning, match="pass the transpose"):
        compare_scores(scores)
