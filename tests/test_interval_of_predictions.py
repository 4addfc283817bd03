"""interval_of_predictions: how good a model is, from its predictions or counts."""

import csv
import json

import numpy as np
import pandas as pd
import pytest
from common import main
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB

from sklearn_cvtest import (
    compare_predictions,
    cross_val_interval,
    interval_of_predictions,
)

RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 2, 120)
CHANCE = np.clip(0.5 + 0.2 * (TRUTH - 0.5) + RNG.normal(0, 0.2, 120), 0.01, 0.99)
LABELS = (CHANCE > 0.5).astype(int)


def written(folder, columns):
    path = folder / "predictions.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return str(path)


def delong_error(truth, values):
    """Return DeLong's standard error of the area under the curve, by its placements."""
    wins = values[truth == 1][:, None] > values[truth == 0]
    of_positives, of_negatives = wins.mean(axis=1), wins.mean(axis=0)
    parts = [of.var(ddof=1) / len(of) for of in (of_positives, of_negatives)]
    return np.sqrt(sum(parts))


def test_area_under_the_curve_has_delongs_error():
    result = interval_of_predictions(TRUTH, CHANCE, scoring="roc_auc")
    assert result.estimate_ == pytest.approx(roc_auc_score(TRUTH, CHANCE))
    assert_allclose(result.standard_error_, delong_error(TRUTH, CHANCE), rtol=0.02)
    low, high = result.interval_
    assert 0 < low < result.estimate_ < high < 1


def test_counts_are_repeated_answers():
    # 87 of 100: √(.87 · .13/99) = .0338; on the scale of the logit
    # log(87/13) ± t · .0338/(.87 · .13)
    result = interval_of_predictions([1] * 100, [1] * 87 + [0] * 13, scoring="accuracy")
    error = np.sqrt(0.87 * 0.13 / 99)
    half = stats.t.ppf(0.975, 99) * error / (0.87 * 0.13)
    ends = 1 / (1 + np.exp(-(np.log(87 / 13) + np.array([-half, half]))))
    assert result.standard_error_ == pytest.approx(error)
    assert_allclose(result.interval_, ends)


def test_it_is_the_interval_beside_the_mean_in_a_comparison():
    models = {"chance": CHANCE, "constant": np.full(120, 0.4)}
    options = {"scoring": "neg_brier_score"}
    result = interval_of_predictions(TRUTH, models, **options)
    compared = compare_predictions(TRUTH, models, **options)
    assert_allclose(result.intervals.low, compared.intervals.low)
    assert_allclose(result.intervals.high, compared.intervals.high)


def test_out_of_fold_predictions_have_the_interval_of_the_cross_validation():
    X, y = load_breast_cancer(return_X_y=True)
    cv = KFold(5, shuffle=True, random_state=0)
    predicted = cross_val_predict(GaussianNB(), X, y, cv=cv)
    splits = list(cv.split(X))
    result = interval_of_predictions(y, predicted, splits=splits)
    expected = cross_val_interval(GaussianNB(), X, y, cv=splits)
    assert_allclose(result.interval_, expected.interval_)
    assert_allclose(result.to_frame()["n_train"], expected.to_frame()["n_train"])


def test_a_test_set_of_unknown_training_is_not_said_to_be_trained_on_so_many():
    result = interval_of_predictions(TRUTH, LABELS)
    assert "trained on" not in str(result) + result.report()
    assert "paired" not in str(result) + result.report()
    assert np.isnan(result.to_frame()["n_train"]).all()
    known = interval_of_predictions(TRUTH, LABELS, n_train=300)
    assert "this fitted model (trained on 300 examples)" in str(known)


def test_several_metrics_are_in_one_table():
    result = interval_of_predictions(TRUTH, CHANCE, scoring=["roc_auc", "accuracy"])
    assert list(result) == result.to_frame()["metric"].tolist()
    assert "ROC AUC" in result._repr_html_()
    assert "accuracy" in str(result)


@pytest.mark.parametrize(
    ("predictions", "message"),
    [
        (pd.DataFrame(index=range(120)), "at least 1 models"),
        (np.tile(CHANCE, (5, 1)).T, "pass `splits` with a column for each"),
    ],
)
def test_what_is_no_prediction_is_refused(predictions, message):
    with pytest.raises(ValueError, match=message):
        interval_of_predictions(TRUTH, predictions)


# The command --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "options", "metric"),
    [
        (CHANCE, [], "roc_auc"),
        (CHANCE, ["--score", "accuracy"], "accuracy"),
        (LABELS, [], "zero_one"),
    ],
)
def test_the_command_answers_for_one_model(tmp_path, capsys, values, options, metric):
    path = written(tmp_path, {"y_true": TRUTH, "rf": values})
    assert main(["compare", path, "--json", "-", *options]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert (row["model"], row["metric"]) == ("rf", metric)
    scoring = {} if metric == "zero_one" else {"scoring": metric}
    expected = interval_of_predictions(TRUTH, values, **scoring)
    assert_allclose((row["ci_low"], row["ci_high"]), expected.interval_)


def test_the_command_refuses_a_reference_for_one_model(tmp_path, capsys):
    path = written(tmp_path, {"y_true": TRUTH, "rf": LABELS})
    assert main(["compare", path, "--reference", "rf"]) == 2
    assert "A reference is for several models; 'rf' is alone" in capsys.readouterr().err
