"""compare_table: the answers of the fits it came from, and errors that name holes."""

import time

import numpy as np
import pandas as pd
import polars as pl
import pytest
from common import intervals_of
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    BlockKFold,
    RepeatedSubsample,
    compare_cv_results,
    compare_estimators,
    compare_table,
)
from sklearn_cvtest.exceptions import GroupLeakWarning

X, Y = (part[:200] for part in load_breast_cancer(return_X_y=True))
MODELS = {
    "bayes": GaussianNB(),
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
}


def run(cv, **options):
    return compare_estimators(MODELS, X, Y, cv=cv, **options)


def long_table(losses, n_folds, name="zero_one"):
    """Return a long frame as other tools write them."""
    frame = losses.to_frame().melt(
        id_vars=["split"] + ["index"] * losses.per_example,
        value_vars=list(losses.names),
        var_name="model",
        value_name=name,
    )
    frame["fold"] = frame["split"] % n_folds
    frame["repeat"] = frame["split"] // n_folds
    return frame


def folds(values, **columns):
    """Return a table of folds, values of shape (n_models, n_folds)."""
    n_models, n_folds = np.shape(values)
    table = {
        "model": np.repeat(list("abc")[:n_models], n_folds),
        "fold": np.tile(np.arange(n_folds), n_models),
        "score": np.ravel(values),
    }
    return table | columns


SCORES = np.random.default_rng(0).normal(0.9, 0.02, (3, 10))


@pytest.mark.parametrize("n_repeats", [1, 3])
def test_example_losses_give_the_same_to_the_last_bit(n_repeats):
    result = run(BlockKFold(5, n_repeats=n_repeats, random_state=0))
    frame = long_table(result.losses, 5)
    rows = np.random.default_rng(0).permutation(len(frame))
    rows = rows[np.argsort(frame["model"].iloc[rows], kind="stable")]
    options = {"example": "index", "repeat": "repeat"}
    found = compare_table(frame.iloc[rows], loss="zero_one", **options)
    assert found.losses.design == result.losses.design
    assert_array_equal(found.table.pvalue, result.table.pvalue)
    assert_array_equal(intervals_of(found), intervals_of(result))
    assert str(found).split("\n\n")[0] == str(result).split("\n\n")[0]


def test_kinds_of_tables_give_the_same():
    scores = {name: SCORES[number] for number, name in enumerate("abc")}
    result = compare_cv_results(scores, cv=10, metric="score")
    frame = pd.DataFrame(folds(SCORES))
    shuffled = frame.sample(frac=1, random_state=0)
    for table in (folds(SCORES), frame, pl.DataFrame(folds(SCORES))):
        found = compare_table(table)
        assert_allclose(found.table.pvalue, result.table.pvalue, rtol=1e-12)
    by_name = dict(zip(list(result.tests), result.table.pvalue, strict=True))
    found = compare_table(shuffled)
    for pair, pvalue in zip(list(found.tests), found.table.pvalue, strict=True):
        expected = by_name.get(pair, by_name.get(pair[::-1]))
        assert pvalue == expected


def test_sizes_make_random_subsamples():
    result = compare_table(folds(SCORES), n_train=90, n_test=10)
    assert result.losses.design.kind == "subsample"
    table = folds(SCORES, n=np.full(30, 90))
    assert (
        compare_table(table, n_train="n", n_test=10).table.pvalue[0]
        == result.table.pvalue[0]
    )


def test_subsamples_of_examples_need_the_training_size():
    result = run(RepeatedSubsample(6, test_size=0.2, random_state=0))
    frame = long_table(result.losses, 6)
    options = {"loss": "zero_one", "example": "index"}
    with pytest.raises(ValueError, match="`n_train` must be given"):
        compare_table(frame, **options)
    found = compare_table(frame, n_train=160, **options)
    assert_array_equal(found.table.pvalue, result.table.pvalue)


@pytest.mark.parametrize("n_repeats", [1, 2])  # a group is in a fold of each
def test_groups_travel_with_examples(n_repeats):
    groups = np.arange(200) // 4
    cv = BlockKFold(5, n_repeats=n_repeats, random_state=0)
    result = run(cv, groups=groups)
    frame = long_table(result.losses, 5)
    frame["patient"] = groups[frame["index"]]
    options = {"example": "index", "group": "patient", "repeat": "repeat"}
    found = compare_table(frame, loss="zero_one", **options)
    assert found.losses.n_groups == 50
    assert_array_equal(found.table.pvalue, result.table.pvalue)


def test_a_group_in_several_folds_warns():
    frame = long_table(run(BlockKFold(5, random_state=0)).losses, 5)
    frame["patient"] = frame["index"] // 4
    with pytest.warns(GroupLeakWarning, match="both in the training and in the test"):
        compare_table(frame, loss="zero_one", example="index", group="patient")


def test_datasets_are_compared_one_by_one():
    tables = [folds(SCORES + shift) for shift in (0, 0.01, 0.03)]
    table = {key: np.concatenate([one[key] for one in tables]) for key in tables[0]}
    table["data"] = np.repeat(["x", "y", "z"], 30)
    results = compare_table(table, dataset="data")
    assert list(results) == ["x", "y", "z"]
    assert {len(result.losses.names) for result in results.values()} == {3}


def hole(table):
    return {key: np.delete(column, 13) for key, column in table.items()}


def twice(table):
    return {key: np.append(column, column[13]) for key, column in table.items()}


TABLE = folds(SCORES)


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        (hole(TABLE), {}, "none of 'b' for fold 3"),
        (twice(TABLE), {}, "several of 'b' for fold 3.*'repeat'"),
        (folds(SCORES[:1]), {}, "at least two models"),
        (TABLE | {"score": [*SCORES.ravel()[:-1], "0.9x"]}, {}, "'0.9x' in row 29"),
        (TABLE | {"fold": [None, *range(29)]}, {}, "without missing values"),
        (TABLE, {"score": "auc"}, "one of the columns 'model', 'fold', 'score'"),
        (TABLE | {"loss": SCORES.ravel()}, {}, "`score` must be named, where not one"),
        (
            TABLE | {"r": [0] * 4 + [1] * 6 + [0] * 20},
            {"repeat": "r"},
            "none of 'a' for",
        ),
        (TABLE, {"group": "fold"}, "None where `example` is"),
        (
            TABLE | {"r": ([0] * 4 + [1] * 6) * 3},
            {"repeat": "r"},
            "as many folds in every repeat",
        ),
        (
            twice(TABLE | {"loss": SCORES.ravel(), "x": [0, 7, 2, 3, 4] * 6}),
            {"loss": "loss", "example": "x"},
            "several of 'b' for fold 3, example 3",
        ),
        (
            TABLE | {"loss": SCORES.ravel(), "x": [0] * 30},
            {"loss": "loss", "example": "x", "n_test": 2},
            "`n_train` must be given where not every",
        ),
        (TABLE | {"d": ["x"] * 15 + ["y"] * 15}, {"dataset": "d"}, "Data set 'x': "),
        ({"model": ["a"], "score": [1]}, {}, "`fold` must be one of the columns"),
    ],
)
def test_refusals_name_what_is_wrong(table, options, message):
    with pytest.raises(ValueError, match=message):
        compare_table(table, **options)


def test_time_grows_as_rows_do():
    def seconds(n, models=4):
        table = {
            "model": np.repeat([f"m{i}" for i in range(models)], n),
            "fold": np.tile(np.arange(n) % 10, models),
            "id": np.tile(np.arange(n), models),
            "loss": np.random.default_rng(0).integers(0, 2, n * models),
        }
        start = time.process_time()
        result = compare_table(table, example="id")
        assert result.losses.values.shape == (n, models)
        return time.process_time() - start

    assert seconds(50_000) < 30 * seconds(5_000)


def test_one_and_the_text_1_are_one_fold():
    table = folds(SCORES)
    table["fold"] = [*table["fold"][:10].tolist(), *map(str, table["fold"][10:])]
    found = compare_table(table)
    assert_array_equal(found.table.pvalue, compare_table(TABLE).table.pvalue)


def test_sizes_of_examples_may_be_said_again():
    frame = long_table(run(BlockKFold(5, random_state=0)).losses, 5)
    options = {"loss": "zero_one", "example": "index"}
    found = compare_table(frame, **options, n_train=160)
    assert_array_equal(found.losses.n_train, 160)
    assert_array_equal(found.losses.n_test, 40)
    with pytest.raises(ValueError, match="`n_train` must be None or"):
        compare_table(frame, **options, n_train=150)


# What is refused at entry -----------------------------------------------------------

ACCURACY = [0.94, 0.92, 0.95, 0.93, 0.96, 0.91, 0.90, 0.91, 0.92, 0.92]


def of_two(values, name="accuracy"):
    return {"model": ["a"] * 5 + ["b"] * 5, "fold": [0, 1, 2, 3, 4] * 2, name: values}


@pytest.mark.parametrize("name", ["accuracy", "F1-macro", "classif.acc"])
def test_scores_in_percent_are_refused_unless_that_is_said(name):
    percent = [100 * value for value in ACCURACY]
    message = f"`{name}` must be between .* and 1; got '90 to 96'.*"
    message += "percent=True"
    with pytest.raises(ValueError, match=message):
        compare_table(of_two(percent, name), score=name)
    found = compare_table(of_two(percent, name), score=name, percent=True)
    expected = compare_table(of_two(ACCURACY, name), score=name)
    assert str(found) == str(expected)
    with pytest.raises(ValueError, match=r"`percent` must be False for shares"):
        compare_table(of_two(ACCURACY, name), score=name, percent=True)


def test_percent_is_a_unit_of_losses_too():
    errors = [6.0, 8.0, 5.0, 7.0, 4.0, 0.5, 1.0, 0.9, 0.8, 0.8]
    with pytest.raises(ValueError, match="`zero_one` must be between 0 and 1"):
        compare_table(of_two(errors, "zero_one"), loss="zero_one")
    result = compare_table(of_two(errors, "zero_one"), loss="zero_one", percent=True)
    assert result.losses.mean_losses == pytest.approx([0.06, 0.008])
    assert "5.2 points of error" in str(result)
    compare_table(of_two(errors, "rmse"), loss="rmse")  # of no known bound


def test_columns_of_one_name_are_refused():
    with pytest.raises(ValueError, match="columns with different names"):
        compare_table(of_two(ACCURACY, "1") | {1: ACCURACY[::-1]}, score="1")
    frame = pd.DataFrame(of_two(ACCURACY)).join(pd.Series(ACCURACY, name="x"))
    frame.columns = ["model", "fold", "accuracy", "accuracy"]
    with pytest.raises(ValueError, match="columns with different names"):
        compare_table(frame, score="accuracy")


def test_a_file_is_sent_to_compare_file():
    with pytest.raises(TypeError, match="For a file, use compare_file"):
        compare_table("scores.csv")


def test_digits_with_underscores_are_no_numbers():
    texts = [str(value) for value in ACCURACY]
    texts[3] = "0_9"  # 9 to Python
    with pytest.raises(ValueError, match=r"a column of numbers; got .*'0_9'.* row 3"):
        compare_table(of_two(texts), score="accuracy")
    folds = of_two(ACCURACY) | {"fold": ["1", "2", "3", "4", "1_0"] * 2}
    assert compare_table(folds, score="accuracy").pvalue_ < 0.5
