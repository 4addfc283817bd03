"""compare_cv_results: from the output of cross_validate to an answer."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import accuracy_score
from sklearn.model_selection import (
    KFold,
    RepeatedKFold,
    ShuffleSplit,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    BlockKFold,
    Comparison,
    ConservativeZTest,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    FiveByTwo,
    FiveByTwoFTest,
    KFoldTTest,
    PairedHalves,
    RepeatedSubsample,
    compare_cv_results,
    compare_estimators,
)

X, Y = (part[:200] for part in load_breast_cancer(return_X_y=True))
MODELS = {
    "bayes": GaussianNB(),
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
    "ridge": RidgeClassifier(),
}
FOLDS = KFold(10, shuffle=True, random_state=0)
RANDOM = ShuffleSplit(8, test_size=0.2, random_state=0)
A, B, C = np.random.default_rng(0).normal(size=(3, 10))


def validate(cv, scoring="accuracy", names=("bayes", "stump", "ridge"), **options):
    return {
        name: cross_validate(MODELS[name], X, Y, cv=cv, scoring=scoring, **options)
        for name in names
    }


@pytest.fixture(scope="module")
def of_folds():
    return validate(FOLDS, return_indices=True)


def test_by_hand():
    # differences 0.1, 0.1, 0.4: mean 0.2, S² = 0.03, n2/n1 = 20/40, so that
    # t = 0.2/√((1/3 + 1/2) 0.03) = 0.2/√0.025
    results = {"a": [0.5, 0.6, 0.7], "b": [0.6, 0.7, 1.1]}
    result = compare_cv_results(results, n_train=40, n_test=20)
    test = result.tests["a", "b"]
    assert isinstance(test, CorrectedResampledTTest)
    assert_allclose(test.estimate_, 0.2)
    assert_allclose(test.standard_error_, np.sqrt(0.025))
    assert_allclose(result.pvalue_, 2 * stats.t.sf(0.2 / np.sqrt(0.025), 2))


def of_split(model, X, y):
    return accuracy_score(y, model.predict(X))


@pytest.mark.parametrize(
    "cv",
    [
        FOLDS,
        RANDOM,
        RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
        BlockKFold(4, random_state=0),
        RepeatedSubsample(5, random_state=0),
        FiveByTwo(random_state=0),
        PairedHalves(BlockKFold(3, random_state=0), 2, random_state=0),
    ],
    ids=lambda cv: type(cv).__name__,
)
def test_equals_compare_estimators_with_a_scorer(cv):
    # of "accuracy" compare_estimators has a value for each example
    expected = compare_estimators(MODELS, X, Y, cv=cv, scoring=of_split)
    results = validate(cv, of_split, return_indices=True)
    # the indices do not tell halves from other splits: those need `cv`
    given = cv if isinstance(cv, PairedHalves) else None
    result = compare_cv_results(results, cv=given)
    assert result.losses.design == expected.losses.design
    assert result.losses.n_samples == 200
    assert_array_equal(result.losses.n_test, expected.losses.n_test)
    assert_array_equal(result.losses.values, expected.losses.values)
    pd.testing.assert_frame_equal(result.to_frame(), expected.to_frame())


@pytest.mark.parametrize(
    ("cv", "Test"),
    [
        (10, KFoldTTest),
        (FOLDS, KFoldTTest),
        ("k-fold", KFoldTTest),
        (RepeatedKFold(n_splits=5, n_repeats=2), CorrectedRepeatedKFoldTTest),
        ("5x2", FiveByTwoFTest),
        (PairedHalves(RepeatedSubsample(2), 2), ConservativeZTest),
        (list(ShuffleSplit(10, random_state=0).split(X)), CorrectedResampledTTest),
    ],
    ids=repr,
)
def test_cv_says_what_indices_would(cv, Test):
    result = compare_cv_results({"a": A, "b": B}, cv=cv)
    assert isinstance(result.tests["a", "b"], Test)


def test_k_fold_needs_no_sizes(of_folds):
    plain = {name: {"test_score": one["test_score"]} for name, one in of_folds.items()}
    result = compare_cv_results(plain, cv=FOLDS, test=CorrectedResampledTTest())
    expected = compare_cv_results(of_folds, test=CorrectedResampledTTest())
    assert result.pvalue_ == expected.pvalue_
    assert result.losses.n_samples is None
    assert result.losses.n_train is None


def test_sizes_make_random_subsamples():
    sizes = {"n_train": [80] * 9 + [90], "n_test": 20}
    for cv in (None, ShuffleSplit(10, test_size=20), "subsample"):
        result = compare_cv_results({"a": A, "b": B}, cv=cv, **sizes)
        ratio = 200 / 810
        assert_allclose(result.tests["a", "b"].rho_, ratio / (ratio + 1 / 10))


@pytest.mark.parametrize(
    ("metric", "low", "high"),
    [("accuracy", 0, 1), ("matthews_corrcoef", -1, 1), ("neg_log_loss", -np.inf, 0)],
)
def test_intervals_stay_in_the_range_that_the_name_says(metric, low, high):
    """Nearly perfect: the mean plus two standard errors is above the best score."""
    best = np.repeat([high, high - 0.2], [9, 1])
    scores = {"a": best, "b": best - np.arange(10) / 50}
    frames = {name: {f"test_{metric}": values} for name, values in scores.items()}
    result = compare_cv_results(frames, metric=metric, cv=10)
    sign = result.losses.metric.sign
    assert result.losses.metric.loss_range == (
        (-high, -low) if sign < 0 or low == -np.inf else (low, high)
    )
    found = result.intervals
    ends = np.column_stack([found.low, found.mean, found.high])
    bounds = sorted(result.losses.metric.loss_range)
    assert np.all((ends >= bounds[0]) & (ends <= bounds[1]))
    assert np.all(np.diff(ends, axis=1) > 0)


def test_data_frames_and_arrays_of_scores(of_folds):
    expected = compare_cv_results(of_folds)
    frames = validate(FOLDS)
    frames = {name: pd.DataFrame(one) for name, one in frames.items()}
    frames["ridge"] = cross_val_score(MODELS["ridge"], X, Y, cv=FOLDS)
    result = compare_cv_results(frames, cv=FOLDS)
    assert result.pvalue_ == expected.pvalue_


def test_indices_of_one_result_are_enough(of_folds):
    mixed = {"a": A, **of_folds}
    assert_array_equal(compare_cv_results(mixed).losses.n_test, 20)


@pytest.mark.parametrize("metric", ["test_neg_log_loss", "neg_log_loss"])
def test_one_of_several_metrics(metric):
    names = ("bayes", "stump")
    several = validate(FOLDS, ["accuracy", "neg_log_loss"], names)
    one = validate(FOLDS, "neg_log_loss", names)
    result = compare_cv_results(several, metric=metric, cv=FOLDS)
    assert result.pvalue_ == compare_cv_results(one, cv=FOLDS).pvalue_
    assert result.losses.metric.name == "log_loss"


def test_options_are_those_of_comparison(of_folds):
    options = {"reference": "stump", "p_adjust": "bonferroni", "alpha": 0.1}
    test = KFoldTTest(0.1)
    result = compare_cv_results(of_folds, test=test, **options)
    assert set(result.tests) == {("stump", "bayes"), ("stump", "ridge")}
    expected = Comparison(result.losses, test=test, **options)
    pd.testing.assert_frame_equal(result.to_frame(), expected.to_frame())


def test_greater_scores_are_better():
    result = compare_cv_results({"a": A, "b": A + 1 + 0.1 * B}, cv=10)
    assert result.tests["a", "b"].estimate_ > 0
    assert result.best == "b"


def test_text_and_report_of_unknown_sizes():
    result = compare_cv_results({"a": A, "b": B}, cv=10)
    assert "None" not in str(result)
    assert "None" not in result.report()


@pytest.mark.parametrize("known", [True, False])
def test_save_and_load(known, of_folds, tmp_path):
    result = compare_cv_results(of_folds)
    if not known:
        result = compare_cv_results({"a": A, "b": B}, cv=10)
    result.save(tmp_path / "it.npz")
    again = Comparison.load(tmp_path / "it.npz")
    assert str(again) == str(result)
    assert str(again.losses.design) == str(result.losses.design)


def test_failed_fits_are_left_out():
    split = [(np.arange(50), np.arange(50, 200)), (np.arange(60, 200), [0, 1])]
    with pytest.warns(FitFailedWarning):
        failed = cross_validate(FailsOnFew(), X, Y, cv=split)
    good = validate(split, names=("bayes", "stump"))
    with pytest.warns(FitFailedWarning, match="the score is nan"):
        result = compare_cv_results({**good, "few": failed}, cv="subsample", **SIZES)
    assert set(result.tests) == {("bayes", "stump")}
    assert_array_equal(np.isnan(result.losses.values[:, 2]), [True, False])
    assert list(result.losses.errors) == ["few"]


SIZES = {"n_train": [50, 140], "n_test": [150, 2]}


class FailsOnFew(GaussianNB):
    def fit(self, X, y):
        if len(y) < 60:
            raise RuntimeError("broken on purpose")
        return super().fit(X, y)


# Errors -------------------------------------------------------------------------------


def test_other_indices_are_refused(of_folds):
    other = validate(KFold(10, shuffle=True, random_state=1), return_indices=True)
    message = "other indices for 'stump' than for 'bayes'.*integer `random_state`"
    with pytest.raises(ValueError, match=f"`results` must be of the same.*{message}"):
        compare_cv_results({"bayes": of_folds["bayes"], "stump": other["stump"]})


def test_other_numbers_of_splits_are_refused():
    message = "same splits; got {'a': 10, 'b': 9}"
    with pytest.raises(ValueError, match=f"`results` must be of the {message}"):
        compare_cv_results({"a": A, "b": B[:9]}, cv=10)


@pytest.mark.parametrize("what", ["cv", "n_train", "return_indices=True"])
def test_unknown_splits_say_what_to_pass(what):
    with pytest.raises(ValueError, match=f"splits of `results` are not known.*{what}"):
        compare_cv_results({"a": A, "b": B})


@pytest.mark.parametrize("cv", [ShuffleSplit(10, test_size=5), "subsample"], ids=repr)
def test_random_splits_need_sizes(cv):
    with pytest.raises(ValueError, match=r"n_train` (must be|and)"):
        compare_cv_results({"a": A, "b": B}, cv=cv)


def test_sizes_that_contradict_the_indices_are_refused(of_folds):
    compare_cv_results(of_folds, n_train=180, n_test=20)
    with pytest.raises(ValueError, match="`n_test` must be None or the actual sizes"):
        compare_cv_results(of_folds, n_train=180, n_test=10)


@pytest.mark.parametrize(
    ("results", "error", "message"),
    [
        ([A, B], TypeError, "`results` must be a dict"),
        ({"a": A}, ValueError, "at least two; got"),
        ({"a": A, "b": None}, ValueError, r"`results\['b'\]` must be"),
        ({"a": A, "b": np.outer(A, B)}, ValueError, r"`results\['b'\]` must be"),
        ({"a": A, "b": {"test_r2": B}}, ValueError, "`metric` must be one of 'test_r2"),
        ({"a": A, "b": {"test_score": list("abc")}}, TypeError, r"`results\['b'\]`"),
    ],
)
def test_wrong_results(results, error, message):
    with pytest.raises(error, match=message):
        compare_cv_results(results, cv=10)


def test_results_of_one_estimator_are_named_as_such(of_folds):
    with pytest.raises(ValueError, match="outputs of cross_validate by name"):
        compare_cv_results(of_folds["bayes"])


def test_metric_that_is_not_there_names_those_that_are(of_folds):
    with pytest.raises(ValueError, match="must be one of 'test_score'; got 'auc'"):
        compare_cv_results(of_folds, metric="auc")


def test_scores_in_percent_are_refused_unless_that_is_said():
    shares = {"a": {"test_f1": [0.9, 0.8, 0.7]}, "b": {"test_f1": [0.8, 0.8, 0.6]}}
    percent = {
        name: {"test_f1": [100 * value for value in of["test_f1"]]}
        for name, of in shares.items()
    }
    with pytest.raises(
        ValueError, match=r"`f1` must be between 0 and 1; got '60 to 90'.*percent=True"
    ):
        compare_cv_results(percent, metric="f1", cv=3)
    for metric in ("f1", ["f1"]):
        found = compare_cv_results(percent, metric=metric, cv=3, percent=True)
        expected = compare_cv_results(shares, metric=metric, cv=3)
        assert str(found) == str(expected)


def test_losses_are_minus_scores():
    losses = {"a": np.exp(A), "b": np.exp(B)}
    found = compare_cv_results(losses, loss="rmse", cv=10)
    scores = {name: -values for name, values in losses.items()}
    expected = compare_cv_results(scores, metric="neg_root_mean_squared_error", cv=10)
    assert found.pvalue_ == expected.pvalue_
    assert_array_equal(found.losses.values, expected.losses.values)
    assert str(found) == str(expected)


def test_losses_are_found_by_their_key():
    a, b = np.exp(A), np.exp(B)
    losses = {
        "a": {"test_rmse": a, "test_r2": -b},
        "b": {"test_rmse": b, "test_r2": -a},
    }
    result = compare_cv_results(losses, loss="rmse", cv=10)
    assert result.losses.metric.word == "RMSE"
    assert_allclose(result.losses.values, np.column_stack([a, b]))
    for options, message in [
        ({"loss": "mae"}, "`loss` must be one of 'test_rmse', 'test_r2'"),
        ({"loss": "rmse", "metric": "test_r2"}, "`metric` must be left out with"),
        ({"loss": "rmse", "metric": ["r2", "rmse"]}, "`metric` must be left out with"),
    ]:
        with pytest.raises(ValueError, match=message):
            compare_cv_results(losses, cv=10, **options)
    with pytest.raises(TypeError, match="`loss` must be a name"):
        compare_cv_results(losses, loss=["rmse"], cv=10)
