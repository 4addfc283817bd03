"""Frames of skore that were saved as CSV: tests/files/README.md says how."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from common import main

from sklearn_cvtest import compare_file, corrected_ttest

FILES = Path(__file__).with_name("files")


def scores_of_skore(metric):
    """Return the scores of the splits of both models."""
    with open(FILES / "skore_folds.csv", encoding="utf-8", newline="") as file:
        row = next(row for row in csv.reader(file) if row[0] == metric)
    scores = list(map(float, row[1:]))
    return scores[:5], scores[5:]


@pytest.mark.parametrize("name", ["skore_folds.csv", "skore_summary.csv"])
@pytest.mark.parametrize(
    ("option", "metric"), [("score", "accuracy"), ("loss", "log_loss")]
)
def test_metrics_of_skore_are_compared_by_splits(capsys, name, option, metric):
    path = str(FILES / name)
    assert main(["compare", path, f"--{option}", metric, "--json", "-"]) == 0
    answer = json.loads(capsys.readouterr().out)
    logistic, tree = scores_of_skore(metric)
    means = {"logistic": np.mean(logistic), "tree": np.mean(tree)}
    assert answer["means"] == pytest.approx(means)
    assert answer["design"] == "5-fold cross-validation"
    expected = corrected_ttest(logistic, tree, cv=5)
    result = compare_file(path, **{option: metric})
    assert result.pvalue_ == answer["rows"][0]["pvalue"]
    if metric == "accuracy":
        assert result.pvalue_ == pytest.approx(expected.pvalue_)


def test_the_metric_of_skore_is_asked(capsys):
    assert main(["compare", str(FILES / "skore_folds.csv")]) == 2
    error = capsys.readouterr().err
    assert "accuracy" in error
    assert "fit_time" not in error


@pytest.mark.parametrize("name", ["skore_means.csv", "skore_estimators.csv"])
@pytest.mark.parametrize("options", [[], ["--score", "accuracy"]])
def test_means_of_skore_cannot_be_tested(capsys, name, options):
    assert main(["compare", str(FILES / name), *options]) == 2
    assert "cannot be tested" in capsys.readouterr().err
