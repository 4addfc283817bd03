"""Scores that may be of folds, and folds that may be of several repeats, are told."""

import warnings

import numpy as np
import pytest

from sklearn_cvtest import compare_scores, compare_table

RNG = np.random.default_rng(0)


def told(function, *args, **kwargs):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*args, **kwargs)
    texts = [str(warning.message) for warning in caught]
    return [text for text in texts if " taken " in text]


def values_of(n):
    return {"a": RNG.random(n), "b": RNG.random(n)}


@pytest.mark.parametrize("n", [5, 10, 30])
def test_few_values_without_names_may_be_of_folds(n):
    (text,) = told(compare_scores, values_of(n))
    assert f"The {n} values of each model are taken for independent examples" in text
    assert ", or compare_table." in text
    assert told(compare_scores, values_of(n), score="accuracy")


def test_hits_runs_predictions_and_named_examples_are_no_folds():
    ten = values_of(10)
    assert not told(compare_scores, {name: of > 0.5 for name, of in ten.items()})
    assert not told(compare_scores, {name: RNG.random((3, 10)) for name in ten})
    assert not told(compare_scores, values_of(31))
    predicted = {name: (of > 0.5).astype(int) for name, of in ten.items()}
    target = np.arange(10) % 2
    assert not told(compare_scores, predicted, y_true=target, scoring="accuracy")
    names = [f"question {i}" for i in range(10)]
    table = {"model": ["a"] * 10 + ["b"] * 10, "example": names * 2}
    assert not told(compare_scores, table | {"score": RNG.random(20)})


def folds_of(n, **more):
    table = {"model": ["a"] * n + ["b"] * n, "fold": list(range(n)) * 2}
    return table | {"score": RNG.random(2 * n)} | more


def test_more_than_ten_folds_may_be_of_repeats():
    (text,) = told(compare_table, folds_of(20))
    assert "The 20 values of 'fold' are taken to be the folds of one 20-fold" in text
    assert "`repeat`" in text
    assert not told(compare_table, folds_of(10))
    assert not told(compare_table, folds_of(20), cv=20)
    assert not told(compare_table, folds_of(20), n_train=90, n_test=10)
    repeats = [0] * 10 + [1] * 10
    table = folds_of(20, repeat=repeats * 2) | {"fold": list(range(10)) * 4}
    assert not told(compare_table, table, repeat="repeat")
