"""Checks of arguments: what passes, the form of messages, and what to do instead."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression

import sklearn_cvtest as cvtest

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 3))
LABELS = (np.arange(90) % 9 == 0).astype(int)


class NoRepr:
    def __repr__(self):
        raise RuntimeError("no repr")


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: cvtest.BlockKFold(1),
            ValueError,
            "`n_splits` must be an integer >= 2; got 1.",
        ),
        (
            lambda: cvtest.BlockKFold("3"),
            TypeError,
            "`n_splits` must be an integer >= 2; got '3'.",
        ),
        (
            lambda: cvtest.adjust_pvalues([0.1], "sidak"),
            ValueError,
            "`method` must be one of 'holm', 'bonferroni', 'hochberg', 'fdr_bh'; "
            "got 'sidak'.",
        ),
    ],
)
def test_messages_name_parameter_what_is_allowed_and_value(call, error, message):
    with pytest.raises(error) as info:
        call()
    assert str(info.value) == message


@pytest.mark.parametrize(
    "value",
    [
        "x" * 10_000,
        list(range(10_000)),
        np.arange(10_000.0),
        pd.DataFrame(np.zeros((500, 50))),
        {k: k for k in range(10_000)},
        10**4000,
        NoRepr(),
    ],
    ids=lambda value: type(value).__name__,
)
def test_messages_shorten_any_value(value):
    with pytest.raises(TypeError, match="`losses` must be CVLosses; got") as info:
        cvtest.Comparison(value)
    assert len(str(info.value)) < 300


@pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3)])
def test_any_integer_is_one(value):
    assert cvtest.BlockKFold(value).get_n_splits() == 3


@pytest.mark.parametrize("value", [0.5, np.float32(0.5), Fraction(1, 2)])
def test_any_real_number_is_one(value):
    folds = [0.1, 0.3, 0.2, 0.4]
    expected = cvtest.KFoldTTest(rho=0.5).fit(folds).pvalue_
    assert cvtest.KFoldTTest(rho=value).fit(folds).pvalue_ == expected


@pytest.mark.parametrize(
    "values",
    [
        (0.25, 0.5),
        np.array([0.25, 0.5], dtype=np.float16),
        np.array([0.25, 0.5], dtype=object),
        [Fraction(1, 4), Decimal("0.5")],
        pd.Series([0.25, 0.5], index=[5, 4]),
        pd.Series([0.25, 0.5], dtype="Float64"),
    ],
)
def test_any_array_of_numbers_is_one_and_stays(values):
    before = list(values)
    assert_array_equal(cvtest.adjust_pvalues(values, "bonferroni"), [0.5, 1.0])
    assert list(values) == before


@pytest.mark.parametrize(
    ("call", "instead"),
    [
        (
            lambda: cvtest.compare_estimators([DummyClassifier()], X, LABELS),
            "cross_val_interval",
        ),
        (
            lambda: cvtest.compare_predictions([0, 1], {"a": [0, 1]}),
            "interval_of_predictions",
        ),
    ],
)
def test_one_model_is_sent_to_its_function(call, instead):
    with pytest.raises(ValueError, match=rf"For one model, use {instead}\.$"):
        call()


class WithoutProbabilities(LogisticRegression):
    """Has a property in place of a method, which raises."""

    @property
    def predict_proba(self):
        raise RuntimeError("there are none")


@pytest.mark.filterwarnings("ignore")
def test_a_property_that_raises_is_said():
    with pytest.raises(ValueError, match="RuntimeError: there are none"):
        cvtest.cross_val_losses(
            WithoutProbabilities(), X, LABELS, cv=3, scoring="neg_log_loss"
        )
