"""cross_val_interval: estimates and intervals of single models."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import Ridge
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import ShuffleSplit, TimeSeriesSplit, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    BlockKFold,
    CorrectedResampledTTest,
    HoldoutTTest,
    KFoldTTest,
    KFoldZTest,
    RepeatedSubsample,
    compare_estimators,
    cross_val_interval,
    cross_val_losses,
    load,
)

CANCER = load_breast_cancer(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)
FOLDS = BlockKFold(5, stratify=True, random_state=0)
STUMP = DecisionTreeClassifier(max_depth=1, random_state=0)


def test_one_model_has_floats():
    result = cross_val_interval(GaussianNB(), *CANCER, scoring="roc_auc", cv=FOLDS)
    scores = cross_val_score(GaussianNB(), *CANCER, scoring="roc_auc", cv=FOLDS)
    assert_allclose(result.estimate_, scores.mean(), atol=2e-4)  # blocks differ by one
    low, high = result.interval_
    assert 0.9 < low < result.estimate_ < high < 1
    assert 0 < result.standard_error_ < 0.02


def test_frame_has_a_row_per_model_and_metric():
    models = {"bayes": GaussianNB(), "stump": STUMP}
    result = cross_val_interval(models, *CANCER, scoring=["f1", "roc_auc"], cv=FOLDS)
    frame = result.to_frame()
    columns = ["model", "metric", "estimate", "standard_error", "ci_low", "ci_high"]
    assert list(frame) == [*columns, "n_train"]
    assert frame["model"].tolist() == ["bayes", "stump"] * 2
    assert frame["n_train"].tolist() == [455] * 4
    assert_allclose(frame["estimate"][2:], result["roc_auc"].estimate_)
    assert (frame["ci_low"] < frame["estimate"]).all()


def test_several_scorers_keep_their_names_and_tests():
    scoring = {"hits": "accuracy", "F1 of 0": make_scorer(f1_score, pos_label=0)}
    result = cross_val_interval(GaussianNB(), *CANCER, scoring=scoring, cv=FOLDS)
    text = " ".join(str(result).split())
    assert "hits (%)" in text
    assert "F1 of 0 (%)" in text
    assert "Those of hits come from KFoldZTest: z test at ρ = 1/3." in text
    assert "Those of F1 of 0 come from KFoldZTest: z test at ρ = 0.6." in text


def test_interval_is_that_of_the_test_within_the_range():
    test = KFoldZTest(0.6)
    losses = cross_val_losses(Ridge(), *DIABETES, cv=FOLDS_5)
    fitted = test.fit(losses.residuals(0))
    low, high = fitted.confidence_interval(0.9)
    result = cross_val_interval(
        Ridge(),
        *DIABETES,
        cv=FOLDS_5,
        confidence_level=0.9,
        test=KFoldZTest(0.6),
    )
    estimate = fitted.estimate_
    # log scale: y e^(±w/y)
    expected = [estimate * np.exp((end - estimate) / estimate) for end in (low, high)]
    assert_allclose(result.interval_, expected, rtol=1e-12)


FOLDS_5 = BlockKFold(5, random_state=0)


@pytest.mark.parametrize(
    ("options", "Test", "about"),
    [
        ({"cv": FOLDS}, KFoldZTest, "455"),
        ({"cv": FOLDS, "scoring": "roc_auc"}, KFoldZTest, "455"),
        (
            {"cv": FOLDS, "groups": np.arange(569) % 7},
            CorrectedResampledTTest,
            "to 488",
        ),
        (
            {"cv": RepeatedSubsample(1, random_state=0)},
            HoldoutTTest,
            "this fitted model",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.FewExamplesWarning")
def test_text_says_what_it_is_about(options, Test, about):
    if "groups" in options:
        options = options | {"cv": BlockKFold(5, random_state=0)}
    result = cross_val_interval(GaussianNB(), *CANCER, **options)
    assert type(result.intervals.test) is Test
    text = " ".join(str(result).split())
    assert about in text
    assert Test.__name__ in text
    assert about in " ".join(result.report().split())
    assert "gaussiannb" in result._repr_html_()


def test_a_model_without_errors_has_an_interval():
    y = np.arange(40) >= 20
    X = np.arange(40.0)[:, np.newaxis] + 100 * y[:, np.newaxis]
    result = cross_val_interval(GaussianNB(), X, y, scoring="accuracy", cv=FOLDS)
    assert result.interval_ == pytest.approx((0.025 ** (1 / 40), 1))


def test_picture_shows_the_intervals():
    models = {"bayes": GaussianNB(), "stump": STUMP}
    result = cross_val_interval(models, *CANCER, cv=FOLDS)
    axes = result.plot()
    axes = getattr(axes, "ax_", axes)
    ends = [segment[:, 0] for segment in axes.collections[0].get_segments()]
    assert_allclose(ends, 100 * result.interval_)
    assert [label.get_text() for label in axes.get_yticklabels()] == list(models)


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"test": [KFoldTTest()]}, TypeError, "`test` must be a test such as"),
    ],
)
def test_bad_arguments_are_refused(options, error, match):
    with pytest.raises(error, match=match):
        cross_val_interval(STUMP, *CANCER, **options)


# Intervals of all estimators of a comparison --------------------------------------


def test_intervals_of_a_comparison_are_those_of_each_model():
    models = {"bayes": GaussianNB(), "stump": STUMP}
    found = compare_estimators(models, *CANCER, cv=FOLDS).intervals
    for column, model in enumerate(models.values()):
        alone = cross_val_interval(model, *CANCER, cv=FOLDS)
        assert_allclose(alone.interval_, (found.low[column], found.high[column]))


def test_a_split_without_errors_has_clopper_and_pearsons_interval():
    X = np.repeat([[0.0], [1.0]], 30, axis=0)
    cv = RepeatedSubsample(1, test_size=0.2, random_state=0)
    result = cross_val_interval(STUMP, X, X[:, 0].astype(int), cv=cv)
    assert result.estimate_ == 0
    # none of 12: (1 - p)^12 = 0.025
    assert_allclose(result.interval_, (0, 1 - 0.025 ** (1 / 12)), atol=1e-12)


@pytest.mark.parametrize("options", [{"loss": "zero_one"}, {"scoring": "accuracy"}])
@pytest.mark.parametrize(
    ("cv", "n_tested"),
    [
        (TimeSeriesSplit(4, test_size=20), 80),
        (ShuffleSplit(1, test_size=50, random_state=0), 50),
        (RepeatedSubsample(30, test_size=0.1, random_state=0), None),
        (BlockKFold(5, n_repeats=2, random_state=0), 1000),
    ],
)
def test_a_perfect_model_is_perfect_on_what_was_tested(cv, n_tested, options):
    X, y = np.zeros((1000, 1)), np.zeros(1000, dtype=int)
    if n_tested is None:
        n_tested = len({row for _, test in cv.split(X) for row in test})
    found = cross_val_interval(DummyClassifier(), X, y, cv=cv, **options)
    estimate, low, high = found.to_frame()[["estimate", "ci_low", "ci_high"]].iloc[0]
    assert high - low == pytest.approx(1 - 0.025 ** (1 / n_tested))
    assert estimate in (low, high)


RARE = np.zeros((1000, 1)), (np.arange(1000) % 83 == 0).astype(int)  # 13 positives
NEVER = DummyClassifier(strategy="constant", constant=0)


@pytest.mark.parametrize("scoring", ["recall", "jaccard", "f1", "precision"])
@pytest.mark.parametrize("n_folds", [2, 10])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_model_that_finds_no_positive_tells_of_positives(scoring, n_folds):
    cv = BlockKFold(n_folds, stratify=True, random_state=0)
    found = cross_val_interval(NEVER, *RARE, cv=cv, scoring=scoring)
    assert found.interval_[0] == 0
    assert found.interval_[1] == pytest.approx(1 - 0.025 ** (1 / 13))


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_model_that_finds_no_positive_tells_of_their_groups():
    groups = np.arange(1000) // 100
    found = cross_val_interval(
        NEVER, *RARE, groups=groups, scoring="recall", cv=BlockKFold(2, random_state=0)
    )
    assert found.interval_[1] == pytest.approx(1 - 0.025**0.1)  # all have one


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_files_say_what_scores_rest_on(tmp_path):
    cv = BlockKFold(2, stratify=True, random_state=0)
    models = {"a": NEVER, "b": NEVER}
    result = compare_estimators(models, *RARE, cv=cv, scoring="recall")
    result.save(tmp_path / "result")
    table, again = result.to_frame(), load(tmp_path / "result").to_frame()
    assert_allclose(table[["ci_low", "ci_high"]], again[["ci_low", "ci_high"]])
    assert_allclose(table["ci_high"], 1 - 0.025 ** (1 / 13))


def test_equal_means_of_splits_are_as_many_as_splits():
    y = np.tile([0, 0, 0, 0, 1], 20)
    cv = BlockKFold(5, stratify=True, random_state=0)
    options = {"cv": cv, "test": CorrectedResampledTTest(), "loss": "zero_one"}
    found = cross_val_interval(NEVER, np.zeros((100, 1)), y, **options)
    reach = 1 - 0.025**0.2
    assert_allclose(found.interval_, (0.2 * (1 - reach), 0.2 + 0.8 * reach))


def test_fits_on_different_numbers_of_examples_are_said_to_be():
    result = cross_val_interval(Ridge(), *DIABETES, cv=TimeSeriesSplit(5))
    sizes = result.losses.n_train
    assert f"{sizes.min()} to {sizes.max()}" in str(result)
