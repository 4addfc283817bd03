"""What is wrong is refused in words that name the parameter, at each entry point."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression, Ridge

from sklearn_cvtest import (
    compare_cv_results,
    compare_predictions,
    compare_table,
    cross_val_losses,
)
from sklearn_cvtest._checks import _all_checks
from sklearn_cvtest.losses import concordance_index

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 3))
Y = X[:, 0] + RNG.normal(size=90)
LABELS = (np.arange(90) % 9 == 0).astype(int)
LOSSES = cross_val_losses([Ridge(), Ridge(99.0)], X, Y, cv=5)
TUPLES = pd.MultiIndex.from_tuples([(0, number % 3) for number in range(90)])
SCORES = {f"split{number}_test_score": [0.1, 0.2] for number in range(3)}
ARABIC = {"model": ["a", "b"] * 3, "fold": [0, 0, 1, 1, 2, 2], "loss": ["٣"] * 6}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: LOSSES.losses_of(7),
            "`column` must be an integer from 0 to 1; got 7.",
        ),
        (
            lambda: LOSSES.losses_of(-1),
            "`column` must be an integer from 0 to 1; got -1.",
        ),
        (
            lambda: LOSSES.losses_of("a"),
            "`column` must be an integer from 0 to 1; got 'a'",
        ),
        (lambda: LOSSES.pair_residuals([[0, 9]]), "`pairs` must be pairs of positions"),
        (lambda: LOSSES.pair_residuals([0, 1, 1]), "`pairs` must be pairs of positio"),
        (lambda: LOSSES.pair_residuals([["a", "b"]]), "`pairs` must be pairs of posi"),
        (
            lambda: compare_predictions(Y, {"a": Y, "b": Y + 1}, splits=TUPLES),
            "`splits` must be a fold for each of the 90 rows",
        ),
        (
            lambda: compare_cv_results({"a": SCORES, "b": SCORES}, metric=[np.ones(2)]),
            "`metric` must be a name, or a list of names; got array",
        ),
        (
            lambda: concordance_index(np.ones(5), np.arange(5.0)),
            "`y_true` must be of at least one pair",
        ),
        (
            lambda: compare_table(ARABIC, loss="loss"),
            "`table['loss']` must be a finite number in every row; got '٣'",
        ),
    ],
)
def test_what_is_wrong_is_named(call, message):
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        call()


class WithoutProbabilities(LogisticRegression):
    """Has a property in place of a method, which raises."""

    @property
    def predict_proba(self):
        raise RuntimeError("there are none")


@pytest.mark.filterwarnings("ignore")
def test_a_property_that_raises_fails_only_the_scorers_that_ask_for_it():
    scoring = ["accuracy", "neg_log_loss"]
    found = cross_val_losses(
        WithoutProbabilities(), X, LABELS, cv=3, scoring=scoring, error_score=np.nan
    )
    assert np.isfinite(found["accuracy"].losses).all()
    assert np.isnan(found["neg_log_loss"].losses).all()


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_check_that_fails_is_told_and_stops_no_other(monkeypatch):
    def fail(*args):
        raise KeyError("broken")

    monkeypatch.setattr(_all_checks, "threshold_warnings", fail)
    later = [("told all the same", UserWarning)]
    monkeypatch.setattr(_all_checks, "dependent_rows_warnings", lambda *args: later)
    with pytest.warns(UserWarning, match="KeyError: 'broken'") as caught:
        cross_val_losses(LogisticRegression(), X, LABELS, cv=3)
    texts = " ".join(str(warning.message) for warning in caught)
    assert "told all the same" in texts


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_names_of_metrics_are_on_one_line_in_warnings():
    with pytest.warns(UserWarning, match="FORGED has a value") as caught:
        cross_val_losses(
            LogisticRegression(),
            X,
            LABELS,
            cv=5,
            scoring={"a\nFORGED": "f1", "b": "f1"},
        )
    assert not any("\nFORGED" in str(warning.message) for warning in caught)
