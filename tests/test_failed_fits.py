"""What goes wrong in a fit, in a worker or in the caller's hands, and what is kept."""

import itertools
import os
import warnings
from concurrent.futures.process import BrokenProcessPool
from fractions import Fraction

import joblib
import numpy as np
import pytest
from joblib.externals.loky.process_executor import TerminatedWorkerError
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

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
        if self.is_bad_ and self.fault == "exit":
            os._exit(7)
        if self.is_bad_ and self.fault == "unsendable":
            raise UnsendableError("one", "two")
        if self.is_bad_ and self.fault == "interrupt":
            raise KeyboardInterrupt
        self.mean_ = y.mean()
        return self

    def predict(self, X):
        y_pred = np.full(len(X), self.mean_)
        return y_pred[1:] if self.is_bad_ and self.fault == "short" else y_pred


def models(fault, split=3):
    return {"good": Ridge(), "bad": Faulty(fault, FIRST_TESTS[split])}


def losses_of(estimators, **options):
    return cross_val_losses(estimators, X, Y, **{"cv": FOLDS} | options)


EXPECTED = losses_of(models("none")).losses.reshape(5, 10, 2)


def assert_kept(losses, failed=((3, 1),)):
    """Check that all but some fits are what they are without a fault."""
    found, expected = losses.values.reshape(5, 10, 2), EXPECTED.copy()
    for split, column in failed:
        expected[split, :, column] = np.nan
    assert_array_equal(found, expected)
    assert sorted(failed) == [*zip(*np.nonzero(losses.fit_failed), strict=True)]


# A fit that fails is that one's failure ---------------------------------------


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("fault", ["short", "unsendable"])
def test_faults_of_a_fit_are_failed_fits(fault, n_jobs):
    with pytest.warns(FitFailedWarning, match=r"1 of 10 fits failed, .*'bad' 1"):
        losses = losses_of(models(fault), n_jobs=n_jobs)
    assert_kept(losses)


@pytest.mark.full
def test_fits_that_end_their_worker_are_failed_fits():
    message = "'bad' 1 (.|\n)*died repeatedly while fitting estimator 'bad' on split 3"
    with pytest.warns(FitFailedWarning, match=message):
        losses = losses_of(models("exit"), n_jobs=2)
    assert_kept(losses)


@pytest.mark.full
def test_fits_that_end_their_worker_are_named():
    with pytest.raises(BrokenProcessPool, match="estimator 'bad' on split 3") as raised:
        losses_of(models("exit"), n_jobs=2, error_score="raise")
    losses = raised.value.values
    there = ~np.repeat(losses.fit_failed, 10, axis=0)
    assert there.any()
    assert_array_equal(losses.values[there], EXPECTED.reshape(50, 2)[there])


class Mortal(Faulty):
    """Fails so many times as a fit does whose worker died; a thread, not a process."""

    n_fits = 0

    def __init__(self, n_deaths=0, row=0):
        super().__init__(row=row)
        self.n_deaths = n_deaths

    def fit(self, X, y):
        if self.row not in X[:, 0]:
            Mortal.n_fits += 1
            if Mortal.n_fits <= self.n_deaths:
                raise TerminatedWorkerError("gone")
        return super().fit(X, y)


@pytest.mark.parametrize("n_deaths", [1, 2, 3])
def test_fits_whose_worker_died_are_run_again_alone(n_deaths):
    pair = models("none") | {"bad": Mortal(n_deaths, FIRST_TESTS[3])}
    Mortal.n_fits = 0
    with joblib.parallel_config("threading"):
        if n_deaths < 3:
            assert_kept(losses_of(pair, n_jobs=2, error_score="raise"), [])
        else:
            with pytest.raises(BrokenProcessPool, match=r"died repeatedly .* 'bad' on"):
                losses_of(pair, n_jobs=2, error_score="raise")
    assert Mortal.n_fits == min(n_deaths + 1, 3)


class Counted(Ridge):
    n_fits = 0

    def fit(self, X, y):
        Counted.n_fits += 1
        return super().fit(X, y)


def test_fits_that_were_stored_before_their_worker_died_are_not_run_again(tmp_path):
    last = {"good": Counted(), "bad": Mortal(1, FIRST_TESTS[3])}
    pair = {k: make_pipeline(FunctionTransformer(), last[k]) for k in last}  # one task
    Mortal.n_fits = Counted.n_fits = 0
    with joblib.parallel_config("threading"):
        losses = losses_of(pair, n_jobs=2, error_score="raise", memory=tmp_path)
    assert_kept(losses, [])
    assert (Counted.n_fits, Mortal.n_fits) == (5, 2)


# What was computed is kept ----------------------------------------------------


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_errors_that_cannot_be_sent_are_told_as_text(n_jobs):
    with pytest.raises((UnsendableError, RuntimeError), match="one and two") as raised:
        losses_of(models("unsendable"), n_jobs=n_jobs, error_score="raise")
    assert raised.value.__notes__ == ["raised by estimator 'bad', split 3"]
    if n_jobs == 2:
        assert "UnsendableError" in str(raised.value)
        assert "raise UnsendableError" in str(raised.value.__cause__)


def test_failed_fits_tell_their_reason_without_a_traceback():
    def fail(self, X, y):
        raise RuntimeError("no good")

    bad = type("Bad", (Ridge,), {"fit": fail})()
    reason = r"5 of them: RuntimeError: no good \(.*, line"
    three = {"good": Ridge(), "bad": bad, "other": Ridge(2.0)}
    with pytest.warns(FitFailedWarning, match=reason) as warned:
        compare_estimators(three, X, Y, cv=FOLDS)
    # where no pair is left, the error says so alone
    two = {"good": Ridge(), "bad": bad}
    with pytest.raises(ValueError, match=reason) as raised:
        compare_estimators(two, X, Y, cv=FOLDS)
    assert str(raised.value).startswith("No pair is left to compare: 5 of 10 fits")
    assert raised.value.losses.fit_failed.tolist() == [[False, True]] * 5
    assert "Traceback" not in str(raised.value) + str(warned[0].message)


@pytest.mark.parametrize(
    ("run", "error"),
    [(cross_val_losses, FitFailedWarning), (compare_estimators, ValueError)],
)
def test_errors_of_failed_fits_carry_the_losses(run, error):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(error) as raised:
            run(models("short"), X, Y, cv=FOLDS)
    assert_kept(raised.value.values)


@pytest.mark.parametrize(
    ("fault", "error"),
    [("unsendable", UnsendableError), ("interrupt", KeyboardInterrupt)],
)
def test_errors_carry_the_losses_there_are(fault, error):
    with pytest.raises(error) as raised:
        losses_of(models(fault), error_score="raise")
    assert_kept(raised.value.values, [(3, 1), (4, 0), (4, 1)])


def test_errors_of_a_loss_carry_the_losses_there_are():
    def loss(y_true, y_pred):
        if FIRST_TESTS[3] == np.flatnonzero(y_true[0] == Y):
            raise ZeroDivisionError("in the loss")
        return (y_true - y_pred) ** 2

    with pytest.raises(ValueError, match="in the loss") as raised:
        losses_of(models("none"), loss=loss)
    assert_kept(raised.value.values, [*itertools.product((3, 4), (0, 1))])


def test_errors_before_the_first_result_carry_no_losses():
    with pytest.raises(UnsendableError) as raised:
        losses_of({"bad": Faulty("unsendable", FIRST_TESTS[0])}, error_score="raise")
    assert not hasattr(raised.value, "losses")


# What the caller has given stays as it is -------------------------------------


class Writing(RegressorMixin, BaseEstimator):
    """Writes to all that it is given."""

    def fit(self, X, y, steps, notes):
        steps += 1
        notes["fits"].append(1)
        X[0][0].append(1)
        self.mean_ = steps[0] + len(notes["fits"]) + len(X[0][0])
        return self

    def predict(self, X):
        X[0][0].append(1)
        return np.full(len(X), self.mean_, dtype=float)


def as_objects(rows):
    array = np.empty((len(rows), 1), dtype=object)
    array[:, 0] = [row[0] for row in rows]
    return array


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("container", [list, as_objects])
def test_fits_write_to_copies_of_their_own(container, n_jobs):
    data = container([[[]] for _ in Y])
    params = {"steps": np.zeros(2), "notes": {"fits": []}}
    with joblib.parallel_config("threading"):
        losses = cross_val_losses(
            [Writing(), Writing()],
            data,
            Y,
            cv=FOLDS,
            params=params,
            n_jobs=n_jobs,
            loss=lambda y_true, y_pred: y_pred,
        )
    assert_array_equal(losses.values, 3)
    assert not params["steps"].any()
    assert params["notes"] == {"fits": []}
    assert all(row[0] == [] for row in data)


# Arguments that would fail late, or never end ---------------------------------


def endless():
    yield from itertools.repeat((np.arange(40), np.arange(40, 50)))


class Endless:
    def split(self, X, y=None, groups=None):
        return endless()


@pytest.mark.parametrize(
    "make", [endless, pytest.param(Endless, marks=pytest.mark.full)]
)
def test_splits_without_an_end_are_refused(make):
    message = "`cv` must make at most 100000 splits; got more"
    with pytest.raises(ValueError, match=message):
        losses_of(Ridge(), cv=make())


def test_too_many_splits_are_refused_before_any_is_drawn(monkeypatch):
    monkeypatch.setattr(BlockKFold, "split", None)
    message = "`cv` must make at most 100000 splits; got 5000000"
    with pytest.raises(ValueError, match=message):
        losses_of(Ridge(), cv=BlockKFold(5, n_repeats=10**6))


@pytest.mark.parametrize(
    "options",
    [
        {"n_jobs": 10**12},
        {"pre_dispatch": 10**30},
        {"pre_dispatch": "9" * 400},
        {"pre_dispatch": "\u0663*n_jobs"},
        {"error_score": 10**400},
        {"error_score": np.float64(1) * 1j},
    ],
    ids=repr,
)
def test_numbers_that_are_too_much_are_refused(options):
    (name,) = options
    with pytest.raises((TypeError, ValueError), match=f"`{name}` must be"):
        losses_of(Ridge(), **options)


@pytest.mark.parametrize("pre_dispatch", ["2 * n_jobs", "n_jobs", None, "all", 3])
def test_ways_to_say_how_much_is_dispatched(pre_dispatch):
    with joblib.parallel_config("threading"):
        losses = losses_of(models("none"), n_jobs=2, pre_dispatch=pre_dispatch)
    assert_kept(losses, [])


def test_error_score_may_be_any_real_number():
    with pytest.warns(FitFailedWarning):
        losses = losses_of(models("short"), error_score=Fraction(1, 2))
    assert (losses.values.reshape(5, 10, 2)[3, :, 1] == 0.5).all()


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
    assert "'bug'.predict returned nan for 10 of 10 rows" in str(warning.message)
    assert ".py" not in str(warning.message)
    with pytest.raises(ValueError, match=r"^'bug'.predict returned nan") as raised:
        losses_of({"bug": Nan()}, error_score="raise", **how)
    assert type(raised.value) is ValueError


@pytest.mark.parametrize("missing", [None, np.nan])
@pytest.mark.parametrize("how", [{}, {"scoring": "accuracy"}])
def test_missing_labels_are_counted(missing, how):
    labels = np.where(Y > 0, "yes", "no").astype(object)
    labels[[3, 5, 8]] = missing
    with pytest.raises(ValueError, match=r"`y` must be .*; got 3 of 50 "):
        cross_val_losses(GaussianNB(), X, labels, cv=FOLDS, **how)


def test_missing_numbers_are_counted():
    with pytest.raises(ValueError, match=r"`y` must be .*; got 1 of 50 "):
        cross_val_losses(Ridge(), X, np.where(Y[7] == Y, np.nan, Y), cv=FOLDS)


class Stops(Ridge):
    def fit(self, X, y, eval_set=None, eval_names=None):
        return super().fit(X, y)
