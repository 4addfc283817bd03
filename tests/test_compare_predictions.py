"""compare_predictions: predictions made before."""

import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sklearn_cvtest import (
    BlockKFold,
    Comparison,
    HoldoutTTest,
    McNemarTest,
    compare_estimators,
    compare_predictions,
)
from sklearn_cvtest.exceptions import GroupLeakWarning, ThresholdWarning

CANCER = load_breast_cancer(return_X_y=True)
IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)
CLASSIFIERS = {
    "bayes": GaussianNB(),
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
}
REGRESSORS = {
    "ridge": Ridge(),
    "stump": DecisionTreeRegressor(max_depth=1, random_state=0),
}
FOLDS = BlockKFold(5, random_state=0)
GROUPS = np.arange(569) // 4


def out_of_fold(models, X, y, cv, method="predict"):
    """Return predictions and folds, of shape (n, R, ...) of R repeats."""
    n_repeats = cv.n_repeats
    folds = np.zeros((len(y), n_repeats), dtype=int)
    predictions = {name: [None] * n_repeats for name in models}
    for number, (train, test) in enumerate(cv.split(X, y)):
        run = number // cv.n_splits
        folds[test, run] = number
        for name, model in models.items():
            found = getattr(clone(model).fit(X[train], y[train]), method)(X[test])
            if predictions[name][run] is None:
                shape = (len(y), *found.shape[1:])
                predictions[name][run] = np.zeros(shape, dtype=found.dtype)
            predictions[name][run][test] = found
    if n_repeats == 1:
        return {name: runs[0] for name, runs in predictions.items()}, folds[:, 0]
    return {name: np.stack(runs, axis=1) for name, runs in predictions.items()}, folds


@pytest.mark.parametrize(
    ("models", "data", "method", "options"),
    [
        (CLASSIFIERS, CANCER, "predict", {}),
        (CLASSIFIERS, CANCER, "predict", {"scoring": "f1"}),
        (CLASSIFIERS, CANCER, "predict", {"groups": GROUPS}),
        (CLASSIFIERS, CANCER, "predict_proba", {"scoring": "roc_auc"}),
        (CLASSIFIERS, IRIS, "predict_proba", {"loss": "brier"}),
        (REGRESSORS, DIABETES, "predict", {}),
        (REGRESSORS, DIABETES, "predict", {"scoring": "r2"}),
    ],
)
@pytest.mark.parametrize("n_repeats", [1, 2])
def test_out_of_fold_predictions_are_those_of_the_estimators(
    models, data, method, options, n_repeats
):
    cv = BlockKFold(5, n_repeats=n_repeats, random_state=0)
    given, folds = out_of_fold(models, *data, cv, method)
    pairs = list(cv.split(*data))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GroupLeakWarning)
        expected = compare_estimators(models, *data, cv=pairs, **options)
        result = compare_predictions(data[1], given, splits=folds, **options)
    assert_array_equal(result.losses.values, expected.losses.values)
    assert result.pvalue_ == expected.pvalue_
    assert_array_equal(result.losses.n_train, expected.losses.n_train)
    assert str(result.losses.design) == str(expected.losses.design)


def test_pairs_of_indices_are_splits_too():
    given, folds = out_of_fold(CLASSIFIERS, *CANCER, FOLDS)
    pairs = list(FOLDS.split(*CANCER))
    by_pairs = compare_predictions(CANCER[1], given, splits=pairs)
    by_folds = compare_predictions(CANCER[1], given, splits=folds)
    assert by_pairs.pvalue_ == by_folds.pvalue_


def test_probabilities_of_the_second_class_are_enough():
    given, folds = out_of_fold(CLASSIFIERS, *CANCER, FOLDS, "predict_proba")
    options = {"splits": folds, "scoring": ["roc_auc", "neg_brier_score", "accuracy"]}
    both = compare_predictions(CANCER[1], given, **options)
    second = {name: values[:, 1] for name, values in given.items()}
    one = compare_predictions(CANCER[1], second, **options)
    assert one["roc_auc"].pvalue_ == both["roc_auc"].pvalue_
    assert one["accuracy"].pvalue_ == both["accuracy"].pvalue_
    logits = {name: np.log(p + 1e-9) - np.log1p(1e-9 - p) for name, p in second.items()}
    ranked = compare_predictions(
        CANCER[1],
        {"bayes": logits["bayes"], "none": np.zeros(569) - 1},
        splits=folds,
        scoring="roc_auc",
        response="decision_function",
    )
    assert ranked.best == "bayes"


@pytest.mark.parametrize("as_frame", [False, True])
def test_a_test_set_takes_tests_of_one_split(as_frame, tmp_path):
    y = ["yes", "no", "yes", "yes", "no", "no", "yes", "yes"]
    given = {"a": list(y), "b": ["no", "yes", "no", "yes", "yes", "no", "no", "yes"]}
    given["a"][3] = "no"
    given = pd.DataFrame(given) if as_frame else given
    result = compare_predictions(y, given, n_train=100)
    assert isinstance(result.tests["a", "b"], HoldoutTTest)
    # a alone wrong: row 3; b alone wrong: rows 0, 1, 2, 4, 6
    assert result.retest(McNemarTest()).pvalue_ == pytest.approx(14 / 64)
    assert result.losses.n_train == [100]
    compare_predictions(y, given).save(tmp_path / "a.npz")
    assert Comparison.load(tmp_path / "a.npz").pvalue_ == result.pvalue_
    assert "trained" not in result.report()


def test_weights_weigh_rows():
    y, given = np.array([0, 1, 0, 1]), {"a": [0, 1, 1, 1], "b": [1, 1, 0, 0]}
    result = compare_predictions(y, given, sample_weight=[1, 1, 4, 2])
    assert result.losses.mean_losses == pytest.approx([4 / 8, 3 / 8])
    result = compare_predictions(y, given, sample_weight=[1, 1, 4, 0])  # may be 0
    assert result.losses.mean_losses == pytest.approx([4 / 6, 1 / 6])


def test_rows_of_no_test_set_need_no_prediction():
    y = np.arange(12.0)
    splits = np.repeat([0, 1, 2, -1], 3)
    given = {"a": y + 0.5, "b": y + np.tile([1.0, 0.2], 6)}
    given["a"][11] = np.nan
    result = compare_predictions(y, given, splits=splits)
    assert result.losses.n_test.tolist() == [3, 3, 3]
    assert result.losses.n_train.tolist() == [9, 9, 9]


@pytest.mark.parametrize(
    ("given", "options", "match"),
    [
        ({"a": [0, 1, 0, 1]}, {}, "at least 2 models"),
        ({"a": [0, 1, None, 1], "b": [0] * 4}, {}, r"\['a'\]` must be given .* row 2"),
        ({"a": [0, 1, 1], "b": [0] * 4}, {}, r"\['a'\]` must be of shape"),
        ({"a": np.ones((4, 3)), "b": [0] * 4}, {}, "of 2 columns, one for each class"),
        ({"a": [0, 1, 1, 0], "b": [0] * 4}, {"splits": [0, 1]}, "a fold for each"),
        ({"a": [0, 1, 1, 0], "b": [0] * 4}, {"splits": [1] * 4}, "at least two folds"),
        (
            {"a": [0, 1, 1, 0], "b": [0] * 4},
            {"splits": [([0, 1], [2, 3]), ([0], [2])]},
            "row 2 in 2 test sets",
        ),
        (
            {"a": [0, 1, 1, 0], "b": [0] * 4},
            {"splits": [[0, 1], [2]]},
            "`splits` must be a fold for each of the 4 rows",
        ),
        (
            {"a": [0, 1, 1, 0], "b": [0] * 4},
            {"splits": [0, 1, 0, 1], "n_train": 2},
            "`n_train` must be None with `splits`, which say it; got 2",
        ),
    ],
)
def test_bad_predictions_are_named(given, options, match):
    with pytest.raises((TypeError, ValueError), match=match):
        compare_predictions([0, 1, 0, 1], given, **options)


def test_predictions_are_a_table():
    with pytest.raises(ValueError, match="a dict or data frame"):
        compare_predictions([0, 1], [[0, 1], [1, 1]])


def test_missing_targets_are_named():
    with pytest.raises(ValueError, match="`y_true` must be given for all rows"):
        compare_predictions([0.0, np.nan], {"a": [0, 1], "b": [1, 1]})


def test_ragged_targets_are_named():
    with pytest.raises(ValueError, match="`y_true` must be"):
        compare_predictions([[1], [2, 3]], {"a": [0, 1], "b": [1, 1]})


def test_size_of_the_training_set_is_that_of_every_metric():
    y = np.arange(40) % 2
    given = {"a": y, "b": np.arange(40) % 4 // 2}
    metrics = ["accuracy", "balanced_accuracy"]
    result = compare_predictions(y, given, n_train=30, scoring=metrics)
    assert [result[name].losses.n_train.tolist() for name in result] == [[30], [30]]


def test_two_folds_are_enough():
    y = np.arange(8.0)
    given = {"a": y + [0.1, 0.4] * 4, "b": y + [0.3, 0.2, 0.1, 0.9] * 2}
    result = compare_predictions(y, given, splits=np.arange(8) % 2)
    assert str(result.losses.design) == "2-fold cross-validation"
    assert result.losses.n_train.tolist() == [4, 4]


# What predictions are ---------------------------------------------------------------

LABELS = np.array([0, 1, 0, 1, 1, 0, 1, 0])
SHARES = np.array([0.2, 0.9, 0.4, 0.6, 0.7, 0.1, 0.3, 0.45])
COLUMNS = np.column_stack([1 - SHARES, SHARES])


def test_probabilities_out_of_range_are_no_decision_values():
    outside = SHARES.copy()
    outside[5] = 1.02  # moved the threshold of all rows from 0.5 to 0
    given = {"A": outside, "B": SHARES}
    message = r"`predictions\['A'\]` must be probabilities .* got '1.02 in row 5'.*"
    with pytest.raises(ValueError, match=f"{message}response='decision_function'"):
        compare_predictions(LABELS, given)
    with pytest.raises(ValueError, match=message):
        compare_predictions(LABELS, given, loss="log_loss")
    with pytest.raises(ValueError, match=message):
        compare_predictions(LABELS, given, scoring="accuracy")
    with pytest.raises(ValueError, match=message):
        compare_predictions(LABELS, given, response="predict_proba")


@pytest.mark.parametrize("shift", [0.0, 0.01])
def test_probabilities_of_a_row_sum_to_one(shift):
    columns = COLUMNS.copy()
    columns[3, 0] += shift
    given = {"a": columns, "b": LABELS}
    if not shift:
        assert compare_predictions(LABELS, given).losses.values[3, 0] == 0
        return
    with pytest.raises(ValueError, match=r"got 'a sum of 1.01 in row 3'\."):
        compare_predictions(LABELS, given)


def test_rows_that_are_not_tested_are_not_checked():
    columns, splits = COLUMNS.copy(), np.array([0, 1, 0, -1, 1, 0, 1, 0])
    columns[3] = np.nan
    given = {"a": columns, "b": LABELS}
    compare_predictions(LABELS, given, splits=splits)
    columns[3] = 7.0
    compare_predictions(LABELS, given, splits=splits)


@pytest.mark.parametrize("kind", [int, float, str])
def test_columns_of_labels_are_several_runs_of_a_model(kind):
    runs = np.column_stack([LABELS, 1 - LABELS])
    runs[0] = 1  # else they could be probabilities
    y = LABELS.astype(int).astype(kind)
    given = {"a": runs.astype(int).astype(kind), "b": y}
    with pytest.raises(ValueError, match=r"runs on one test set, use compare_scores"):
        compare_predictions(y, given)


@pytest.mark.parametrize("options", [{"scoring": "roc_auc"}, {}, {"loss": "brier"}])
def test_predictions_of_repeats_need_splits(options):
    runs = np.random.default_rng(0).random((len(LABELS), 5))
    for given, hint in [(runs, "pass `splits` with a column"), (runs.T, "transpose")]:
        with pytest.raises(ValueError, match=hint):
            compare_predictions(LABELS, {"a": given, "b": given}, **options)
    splits = np.array([np.arange(len(LABELS)) % 2] * 5)
    with pytest.raises(ValueError, match=r"\(n, R\) for R repeats"):
        compare_predictions(LABELS, {"a": runs, "b": runs}, splits=splits)


def test_decision_values_are_decision_values_where_that_is_said():
    given = {"a": SHARES, "b": SHARES - 0.5}  # of a, all are above 0
    result = compare_predictions(LABELS, given, response="decision_function")
    assert_array_equal(result.losses.values[:, 0], 1 - LABELS)
    assert_array_equal(result.losses.values[:, 1], (SHARES > 0.5) != LABELS)


def test_a_loss_of_numbers_takes_the_numbers():
    """Of a target of two numbers, too, they are not made labels."""
    given = {"a": SHARES, "b": SHARES + 0.7}
    for loss in ("squared_error", lambda y, p: (y - p) ** 2):
        losses = compare_predictions(LABELS, given, loss=loss).losses.values
        assert losses[:, 0] == pytest.approx((SHARES - LABELS) ** 2)
    losses = compare_predictions(LABELS, given, response="predict").losses
    assert losses.metric.name == "squared_error"


def test_whole_probabilities_are_probabilities_of_a_loss_of_them():
    given = {"a": LABELS.astype(float), "b": SHARES}
    result = compare_predictions(LABELS, given, loss="brier")
    assert_array_equal(result.losses.values[:, 0], 0)


def test_a_loss_that_returns_one_number_is_an_ordinary_error():
    given = {"a": LABELS, "b": 1 - LABELS}
    with pytest.raises(ValueError, match="must be one number per example"):
        compare_predictions(LABELS, given, loss=lambda y, p: 1)


# Rows of pandas ---------------------------------------------------------------------

INDEX = np.array([10, 11, 12, 13, 14, 15, 16, 17])
ORDER = np.array([3, 0, 7, 1, 6, 2, 5, 4])


def series(values, index=INDEX):
    return pd.Series(np.asarray(values), index=index)


@pytest.mark.parametrize(
    "given",
    [
        {"predictions": pd.DataFrame({"a": LABELS, "b": SHARES}, INDEX).iloc[ORDER]},
        {"predictions": {"a": series(LABELS), "b": series(SHARES).iloc[ORDER]}},
        {"splits": series([0, 1] * 4).iloc[ORDER]},
        {"splits": pd.DataFrame({"x": [0, 1] * 4, "y": [1, 1, 0, 0] * 2}, ORDER + 10)},
        {"groups": series(list("aabbccdd")).iloc[ORDER]},
        {"sample_weight": series(SHARES).iloc[ORDER]},
        {"y_true": series(LABELS, list("abcdefgh"))},
        {"y_true": series(LABELS, np.arange(8)), "groups": series(INDEX, ORDER)},
    ],
)
def test_rows_of_other_labels_are_refused(given):
    runs = np.ndim(given.get("splits", 0)) == 2
    values = {"a": LABELS, "b": 1 - LABELS}
    if runs:
        values = {name: np.column_stack([v, v]) for name, v in values.items()}
    elif "groups" not in given or "y_true" not in given:
        values = {"a": LABELS, "b": series(1 - LABELS)}
    given = {"y_true": series(LABELS), "predictions": values} | given
    if "y_true" in given and "groups" in given:
        given["predictions"] = {"a": LABELS, "b": 1 - LABELS}
    message = (
        r"must have the index labels of `.*` in the same order; got (another|other)"
    )
    with pytest.raises(ValueError, match=message):
        compare_predictions(**given)


def test_rows_of_the_same_labels_and_of_none_go_by_position():
    expected = compare_predictions(LABELS, {"a": LABELS, "b": SHARES}).pvalue_
    shuffled = INDEX[ORDER]
    for a, b in [
        (series(LABELS, shuffled), series(SHARES, shuffled)),
        (LABELS, series(SHARES, shuffled)),
        (pd.Series(LABELS), pd.Series(SHARES)),  # as made from arrays
    ]:
        result = compare_predictions(series(LABELS, shuffled), {"a": a, "b": b})
        assert result.pvalue_ == expected


@pytest.mark.parametrize(
    "scoring", ["roc_auc", "neg_log_loss", ["accuracy", "roc_auc"]]
)
@pytest.mark.parametrize("words", [False, True])
def test_labels_are_refused_where_scores_ask_for_more(scoring, words):
    y = np.arange(60) % 2
    given = {"a": 1.0 * y, "b": 1.0 * (np.arange(60) % 3 > 0)}
    if words:
        y = np.array(["no", "yes"])[y]
        given = {
            name: np.array(["no", "yes"])[v.astype(int)] for name, v in given.items()
        }
    message = (
        r"`predictions\['a'\]` must be probabilities or decision values for .*labels"
    )
    with pytest.raises(ValueError, match=message):
        compare_predictions(y, given, scoring=scoring)


def test_probabilities_near_the_threshold_warn_of_it_only():
    rng = np.random.default_rng(0)  # of no known training set
    y, noise = rng.random(300) < 0.3, rng.normal(size=(2, 300))
    near = {"a": 0.5 + 0.03 * noise[0], "b": 0.5 + 0.03 * noise[1] + 0.02 * y}
    with pytest.warns(ThresholdWarning) as caught:
        compare_predictions(y.astype(int), near, scoring="f1")
    assert {warning.category for warning in caught} == {ThresholdWarning}


def test_several_columns_of_labels_are_refused_by_their_shape():
    labels = np.array([["x", "y", "x", "y"]] * 2).T
    allowed = r"one label for each row; got 'an array of shape \(4, 2\)"
    with pytest.raises(ValueError, match=allowed):
        compare_predictions(
            list("xyxy"), {"a": labels, "b": labels}, response="predict"
        )
