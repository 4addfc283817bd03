"""What goes wrong in a fit, in a worker or in the caller's hands, and what is kept."""

from fractions import Fraction

import joblib
import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB

from sklearn_cvtest import BlockKFold, compare_estimators, cross_val_losses

X = np.random.default_rng(0).normal(size=(50, 2))
X[:, 0] = np.arange(50)
Y = X[:, 1] + np.sin(np.arange(50.0))
FOLDS = BlockKFold(5, random_state=0)
FIRST_TESTS = [test[0] for _, test in FOLDS.split(X)]


class UnsendableError(Exception):
    """Cannot be made from its message, as pickle would."""

    def __init__(self, first, second):
        super().__init__(f"{first} and {second}")


class Faulty(RegressorMixin, BaseEstimator):
    """Does something bad where a row is not in the training set."""

    def __init__(self, fault="none", row=0):
        self.fault = fault
        self.row = row

    def fit(self, X, y):
        self.is_bad_ = self.row not in X[:, 0]
        if self.is_bad_ and self.fault == "unsendable":
            raise UnsendableError("one", "two")
        self.mean_ = y.mean()
        return self

    def predict(self, X):
        y_pred = np.full(len(X), self.mean_)
        return y_pred[1:] if self.is_bad_ and self.fault == "short" else y_pred


def models(fault, split=3):
    return {"good": Ridge(), "bad": Faulty(fault, FIRST_TESTS[split])}


def losses_of(estimators, **options):
    return cross_val_losses(estimators, X, Y, **{"cv": FOLDS} | options)


EXPECTED = losses_of(models("none")).values.reshape(5, 10, 2)


def assert_kept(losses, failed=((3, 1),)):
    """Check that all but some fits are what they are without a fault."""
    found, expected = losses.values.reshape(5, 10, 2), EXPECTED.copy()
    for split, column in failed:
        expected[split, :, column] = np.nan
    assert_array_equal(found, expected)


# A fit that fails is that one's failure ---------------------------------------


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("fault", ["short", "unsendable"])
def test_faults_of_a_fit_are_failed_fits(fault, n_jobs):
    with pytest.warns(FitFailedWarning, match=r"1 of 10 fits failed, .*'bad' 1"):
        losses = losses_of(models(fault), n_jobs=n_jobs)
    assert_kept(losses)


# What was computed is kept ----------------------------------------------------


def test_errors_of_fits_are_raised_as_they_are():
    with pytest.raises(UnsendableError, match="one and two") as raised:
        losses_of(models("unsendable"), error_score="raise")
    assert raised.value.__notes__ == ["raised by estimator 'bad'"]


def test_failed_fits_tell_their_reason_without_a_traceback():
    def fail(self, X, y):
        raise RuntimeError("no good")

    bad = type("Bad", (Ridge,), {"fit": fail})()
    reason = "RuntimeError: no good"
    three = {"good": Ridge(), "bad": bad, "other": Ridge(2.0)}
    with pytest.warns(FitFailedWarning, match=reason) as warned:
        compare_estimators(three, X, Y, cv=FOLDS)
    two = {"good": Ridge(), "bad": bad}
    with pytest.warns(FitFailedWarning), pytest.raises(ValueError, match=reason):
        compare_estimators(two, X, Y, cv=FOLDS)
    assert "Traceback" not in str(warned[0].message)


# What the caller has given stays as it is -------------------------------------


class Writing(RegressorMixin, BaseEstimator):
    """Writes to all that it is given."""

    def fit(self, X, y, steps, notes):
        steps += 1
        notes["fits"].append(1)
        X[:] = 1
        self.mean_ = steps[0] + len(notes["fits"]) + X[0, 0]
        return self

    def predict(self, X):
        X[:] = 1
        return np.full(len(X), self.mean_, dtype=float)


def predicted(y_true, y_pred):
    return y_pred


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_fits_write_to_copies_of_their_own(n_jobs):
    data = X.copy()
    params = {"steps": np.zeros(2), "notes": {"fits": []}}
    options = {"params": params, "n_jobs": n_jobs, "loss": predicted}
    with joblib.parallel_config("threading"):
        losses = cross_val_losses([Writing(), Writing()], data, Y, cv=FOLDS, **options)
    assert_array_equal(losses.values, 3)
    assert not params["steps"].any()
    assert params["notes"] == {"fits": []}
    assert_array_equal(data, X)


def test_error_score_may_be_any_real_number():
    with pytest.warns(FitFailedWarning):
        losses = losses_of(models("short"), error_score=Fraction(1, 2))
    assert (losses.values.reshape(5, 10, 2)[3, :, 1] == 0.5).all()
    assert len(losses.errors["bad"]) == 1


class Nan(Faulty):
    """Predicts nan, and writes no labels."""

    def predict(self, X):
        return np.full(len(X), np.nan)


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"scoring": "neg_mean_absolute_error"},
        {"scoring": ["neg_mean_squared_error"]},
    ],
)
def test_predictions_of_nan_are_named(how):
    with pytest.warns(FitFailedWarning) as caught:
        losses_of({"good": Ridge(), "bug": Nan()}, **how)
    (warning,) = caught
    assert "'bug' 5 (of 5 splits)" in str(warning.message)
    assert "predict returned nan" in str(warning.message)
    with pytest.raises(ValueError, match="predict returned nan") as raised:
        losses_of({"bug": Nan()}, error_score="raise", **how)
    assert type(raised.value) is ValueError


@pytest.mark.parametrize("missing", [None, np.nan])
@pytest.mark.parametrize("how", [{}, {"scoring": "accuracy"}])
def test_missing_labels_are_refused(missing, how):
    labels = np.where(Y > 0, "yes", "no").astype(object)
    labels[[3, 5, 8]] = missing
    with pytest.raises(ValueError, match="`y` must be given for all rows"):
        cross_val_losses(GaussianNB(), X, labels, cv=FOLDS, **how)


def test_missing_numbers_are_refused():
    with pytest.raises(ValueError, match="`y` must be given for all rows"):
        cross_val_losses(Ridge(), X, np.where(Y[7] == Y, np.nan, Y), cv=FOLDS)


class Stops(Ridge):
    def fit(self, X, y, eval_set=None, eval_names=None):
        return super().fit(X, y)
