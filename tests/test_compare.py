"""compare_estimators: from estimators and data to fitted tests."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.datasets import load_diabetes, load_iris
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import Ridge
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from statsmodels.stats.multitest import multipletests

from sklearn_cvtest import (
    BlockKFold,
    ConservativeZTest,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    FiveByTwo,
    FiveByTwoFTest,
    FiveByTwoTTest,
    HalfSampleTTest,
    HoldoutTTest,
    KFoldTTest,
    KFoldZTest,
    McNemarTest,
    PairedHalves,
    PairedHalvesTTest,
    RepeatedSubsample,
    ResampledTTest,
    compare_estimators,
    cross_val_losses,
)

IRIS = load_iris(return_X_y=True)
DIABETES = tuple(part[:150] for part in load_diabetes(return_X_y=True))
FOLDS = BlockKFold(5, random_state=0)
HALVES = PairedHalves(BlockKFold(3, random_state=0), 2, random_state=0)
SUB_HALVES = PairedHalves(RepeatedSubsample(3, random_state=0), 2, random_state=0)
TWO = {
    "bayes": GaussianNB(),
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
}
THREE = TWO | {"tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
REGRESSORS = {
    "ridge": Ridge(0.01),
    "shrunk": Ridge(3.0),
    "tree": DecisionTreeRegressor(max_depth=2, random_state=0),
    "stump": DecisionTreeRegressor(max_depth=1, random_state=0),
}
FITS = []


def score(estimator, X, y):
    """A scorer without values per example."""
    return estimator.score(X, y)


# of iris, where models differ in few examples


class Counted(RegressorMixin, BaseEstimator):
    """Counts its fits and fails where it is told to."""

    def __init__(self, fails_without=None):
        self.fails_without = fails_without

    def fit(self, X, y):
        FITS.append(self)
        if self.fails_without is not None and self.fails_without not in X[:, 0]:
            raise RuntimeError("broken on purpose")
        self.mean_ = np.mean(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)


@pytest.fixture(autouse=True)
def _no_fits():
    FITS.clear()


# The test taken ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("cv", "Test"),
    [
        (None, KFoldZTest),
        (4, KFoldZTest),
        (FOLDS, KFoldZTest),
        (KFold(3), KFoldZTest),
        (StratifiedKFold(3), KFoldZTest),
        (LeaveOneOut(), KFoldZTest),
        (
            RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
            KFoldZTest,
        ),
        (
            RepeatedStratifiedKFold(n_splits=2, n_repeats=3, random_state=0),
            KFoldZTest,
        ),
        (RepeatedSubsample(4, random_state=0), CorrectedResampledTTest),
        (ShuffleSplit(4, random_state=0), CorrectedResampledTTest),
        (FiveByTwo(random_state=0), FiveByTwoFTest),
        (RepeatedKFold(n_splits=2, n_repeats=5, random_state=0), FiveByTwoFTest),
        (HALVES, PairedHalvesTTest),
        (SUB_HALVES, ConservativeZTest),
        (RepeatedSubsample(1, test_size=0.5, random_state=0), HoldoutTTest),
        (ShuffleSplit(1, test_size=0.5, random_state=0), HoldoutTTest),
        (PredefinedSplit(np.repeat([0, -1], 15)), HoldoutTTest),
    ],
    ids=str,
)
def test_compare_estimators_takes_the_test_for_the_design(cv, Test):
    X, y = IRIS[0][60:90], np.arange(30) % 3 == 0
    estimators = [
        DecisionTreeClassifier(random_state=0),
        GaussianNB(var_smoothing=0.01),
    ]
    comparison = compare_estimators(estimators, X, y, cv=cv)
    (test,) = comparison.tests.values()
    assert type(test) is Test


@pytest.mark.parametrize(
    ("cv", "Test"),
    [
        (None, CorrectedRepeatedKFoldTTest),
        (FOLDS, KFoldTTest),
        (RepeatedSubsample(4, random_state=0), CorrectedResampledTTest),
        (FiveByTwo(random_state=0), FiveByTwoFTest),
        (HALVES, PairedHalvesTTest),
        (SUB_HALVES, ConservativeZTest),
    ],
)
def test_compare_estimators_takes_a_test_that_scores_allow(cv, Test):
    comparison = compare_estimators(
        [Ridge(), Ridge(9)], *DIABETES, cv=cv, scoring=score
    )
    (test,) = comparison.tests.values()
    assert type(test) is Test
    assert getattr(test, "rho", None) in (None, "nadeau-bengio")


def test_compare_estimators_keeps_groups_together():
    groups = np.arange(150) % 10
    comparison = compare_estimators(TWO, *IRIS, cv=GroupKFold(5), groups=groups)
    expected = compare_estimators(
        TWO, *IRIS, cv=list(GroupKFold(5).split(*IRIS, groups))
    )
    assert_array_equal(comparison.losses.row_index, expected.losses.row_index)
    assert isinstance(comparison.tests["bayes", "stump"], KFoldZTest)


@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_compare_estimators_gives_alpha_to_the_default_test(alpha):
    comparison = compare_estimators(TWO, *IRIS, cv=FOLDS, alpha=alpha)
    assert comparison.tests["bayes", "stump"].alpha == alpha
    assert comparison.alpha == alpha


@pytest.mark.parametrize(
    ("test", "cv", "advice"),
    [
        (KFoldTTest(), RepeatedSubsample(3), "Use CorrectedResampledTTest"),
        (ResampledTTest(), FOLDS, "Use KFoldZTest"),
        (FiveByTwoTTest(), FOLDS, "Use KFoldZTest"),
        (CorrectedResampledTTest(), FiveByTwo(), "Use FiveByTwoFTest"),
        (KFoldTTest(), HALVES, "Use PairedHalvesTTest"),
        (HalfSampleTTest(), SUB_HALVES, "ConservativeZTest"),
        (ConservativeZTest(), FOLDS, "Use KFoldZTest"),
        (McNemarTest(), FOLDS, "Use KFoldZTest"),
        (KFoldTTest(), RepeatedSubsample(1), "Use HoldoutTTest"),
        (KFoldTTest(), RepeatedKFold(n_splits=3, n_repeats=2), "Use KFoldZTest"),
        (KFoldTTest(), TimeSeriesSplit(3), "3 splits in time order"),
        (None, [([3, 4], [0, 1]), ([5, 6], [2])], "No test is valid .* Use BlockKFold"),
    ],
)
def test_tests_invalid_for_the_design_are_refused_before_any_fit(test, cv, advice):
    with pytest.raises(ValueError, match=advice):
        compare_estimators([Counted(), Ridge()], *DIABETES, cv=cv, test=test)
    assert not FITS


@pytest.mark.parametrize(
    ("cv", "test"),
    [
        (RepeatedSubsample(1), None),
        (RepeatedSubsample(1), HoldoutTTest()),
        (FOLDS, KFoldZTest()),
    ],
)
def test_tests_of_examples_refuse_scores_before_any_fit(cv, test):
    with pytest.raises(ValueError, match=r"one of fold means|Use a per-example loss"):
        compare_estimators(
            [Counted(), Ridge()], *DIABETES, cv=cv, test=test, scoring=score
        )
    assert not FITS


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"alpha": 0}, ValueError, "`alpha` must be .* between 0 and 1; got 0"),
        ({"p_adjust": "none"}, ValueError, "`p_adjust` must be one of 'holm'"),
        ({"reference": "nobody"}, ValueError, "`reference` must be one of 'counted', "),
        ({"test": KFoldTTest}, TypeError, "`test` must be a test such as KFoldTTest"),
        ({"test": KFoldTTest(rho=1)}, ValueError, "`rho` must be"),
        ({"test": KFoldTTest(alternative="more")}, ValueError, "`alternative` must be"),
        ({"error_score": "no"}, Exception, "`error_score` must be"),
    ],
)
def test_bad_options_are_refused_before_any_fit(options, error, match):
    estimators = {"counted": Counted(), "ridge": Ridge()}
    with pytest.raises(error, match=match):
        compare_estimators(estimators, *DIABETES, **{"cv": FOLDS} | options)
    assert not FITS


@pytest.mark.parametrize("estimators", [Counted(), [Counted()], {"a": Counted()}])
def test_one_estimator_cannot_be_compared(estimators):
    with pytest.raises(ValueError, match="`estimators` must be at least two"):
        compare_estimators(estimators, *DIABETES, cv=FOLDS)
    assert not FITS


def test_tests_given_are_not_fitted_themselves():
    test = KFoldTTest(rho=0.3)
    comparison = compare_estimators(TWO, *IRIS, cv=FOLDS, test=test)
    assert vars(test) == vars(KFoldTTest(rho=0.3))
    assert comparison.tests["bayes", "stump"].rho_ == 0.3


# Pairs and values -------------------------------------------------------------


def test_each_estimator_is_fitted_once_a_split():
    estimators = {name: Counted() for name in "abcd"}
    compare_estimators(estimators, *DIABETES, cv=FOLDS).retest(KFoldTTest(rho=0))
    assert len(FITS) == 4 * 5


def test_compare_estimators_equals_its_parts():
    comparison = compare_estimators(THREE, *IRIS, cv=FOLDS, test=KFoldTTest(rho=0.4))
    losses = cross_val_losses(THREE, *IRIS, cv=FOLDS)
    assert_array_equal(comparison.losses.values, losses.values)
    for pair, fitted in comparison.tests.items():
        alone = KFoldTTest(rho=0.4).fit(losses.residuals(*pair))
        assert (fitted.statistic_, fitted.pvalue_) == (alone.statistic_, alone.pvalue_)


@pytest.mark.parametrize(
    ("reference", "pairs"),
    [
        (None, ["bayes-stump", "bayes-tree", "stump-tree"]),
        ("bayes", ["bayes-stump", "bayes-tree"]),
        ("tree", ["tree-bayes", "tree-stump"]),
    ],
)
def test_reference_chooses_the_pairs(reference, pairs):
    comparison = compare_estimators(THREE, *IRIS, cv=FOLDS, reference=reference)
    assert ["-".join(pair) for pair in comparison.tests] == pairs
    assert list(comparison.pvalue_) == list(comparison.tests)


def test_reference_comes_first_of_two():
    comparison = compare_estimators(TWO, *IRIS, cv=FOLDS, reference="stump")
    (fitted,) = comparison.tests.values()
    mean_losses = dict(
        zip(comparison.losses.names, comparison.losses.mean_losses, strict=True)
    )
    assert list(comparison.tests) == [("stump", "bayes")]
    assert_allclose(fitted.estimate_, mean_losses["stump"] - mean_losses["bayes"])


def test_two_estimators_and_one_test_give_floats():
    comparison = compare_estimators(TWO, *IRIS, cv=FOLDS)
    (fitted,) = comparison.tests.values()
    assert type(comparison.pvalue_) is type(comparison.rho_alpha_) is float
    assert comparison.pvalue_ == fitted.pvalue_
    assert comparison.rho_alpha_ == fitted.rho_alpha_


def test_three_estimators_give_dicts():
    comparison = compare_estimators(THREE, *IRIS, cv=FOLDS)
    for attribute in ("pvalue_", "rho_alpha_"):
        expected = {p: getattr(t, attribute) for p, t in comparison.tests.items()}
        assert getattr(comparison, attribute) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("cv", "test"),
    [
        (FOLDS, KFoldTTest()),
        (FOLDS, KFoldZTest()),
        (RepeatedSubsample(5, random_state=0), CorrectedResampledTTest()),
        (FiveByTwo(random_state=0), FiveByTwoTTest()),
        (FiveByTwo(random_state=0), FiveByTwoFTest()),
        (HALVES, HalfSampleTTest()),
        (SUB_HALVES, ConservativeZTest()),
        (RepeatedSubsample(1, test_size=0.5, random_state=0), HoldoutTTest()),
        (RepeatedSubsample(1, test_size=0.5, random_state=0), McNemarTest()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_swapping_the_estimators_mirrors_the_comparison(cv, test):
    swapped = {"stump": TWO["stump"], "bayes": TWO["bayes"]}
    one = compare_estimators(TWO, *IRIS, cv=cv, test=test).to_frame().iloc[0]
    other = compare_estimators(swapped, *IRIS, cv=cv, test=test).to_frame().iloc[0]
    assert (one["first"], one["second"]) == (other["second"], other["first"])
    assert_allclose(one["estimate"], -other["estimate"])
    assert_allclose([one["ci_low"], one["ci_high"]], [-other.ci_high, -other.ci_low])
    assert_allclose(abs(one["statistic"]), abs(other["statistic"]))
    for column in ("pvalue", "rho", "rho_alpha"):
        assert_allclose(one[column], other[column])


def test_swapping_mirrors_one_sided_p_values():
    swapped = {"stump": TWO["stump"], "bayes": TWO["bayes"]}
    greater, less = (KFoldTTest(alternative=side) for side in ("greater", "less"))
    one = compare_estimators(TWO, *IRIS, cv=FOLDS, test=greater)
    other = compare_estimators(swapped, *IRIS, cv=FOLDS, test=less)
    assert_allclose(one.pvalue_, other.pvalue_)
    assert one.pvalue_ > 0.99  # bayes is better, and "greater" claims the second is


def test_positive_estimates_say_that_the_second_is_better():
    losses = compare_estimators(TWO, *IRIS, cv=FOLDS, reference="stump")
    scores = compare_estimators(
        TWO, *IRIS, cv=FOLDS, reference="stump", scoring="accuracy"
    )
    for comparison in (losses, scores):
        assert comparison.to_frame()["estimate"].item() > 0.2
    assert_allclose(losses.pvalue_, scores.pvalue_)


@pytest.mark.parametrize(
    ("p_adjust", "peer"),
    [
        ("holm", "holm"),
        ("bonferroni", "bonferroni"),
        ("hochberg", "simes-hochberg"),
        ("fdr_bh", "fdr_bh"),
        (None, None),
    ],
)
@pytest.mark.parametrize("reference", [None, "shrunk"])
def test_p_adjust_agrees_with_statsmodels(p_adjust, peer, reference):
    frame = compare_estimators(
        REGRESSORS,
        *DIABETES,
        cv=FOLDS,
        p_adjust=p_adjust,
        reference=reference,
        test=KFoldTTest(rho=0.3),
    ).to_frame()
    assert len(frame) == (6 if reference is None else 3)
    expected = frame["pvalue"]
    if peer is not None:
        expected = multipletests(expected, method=peer)[1]
    assert_allclose(frame["pvalue_adjusted"], expected, rtol=1e-12)


def test_identical_estimators_have_p_one():
    same = [Ridge(), Ridge()]
    comparison = compare_estimators(same, *DIABETES, cv=FOLDS)
    assert comparison.pvalue_ == 1
    assert comparison.rho_alpha_ < 0


# Failures ---------------------------------------------------------------------

NUMBERED = np.arange(30.0)[:, np.newaxis], np.sin(np.arange(30.0))


def failing_split():
    return [0 in test for _, test in FOLDS.split(NUMBERED[0])].index(True)


def test_estimator_failing_among_three_is_left_out():
    estimators = {"a": Counted(), "bad": Counted(0), "c": Ridge()}
    with pytest.warns(FitFailedWarning, match="'bad' 1") as record:
        comparison = compare_estimators(estimators, *NUMBERED, cv=FOLDS)
    assert [warning.filename for warning in record] == [__file__]
    assert list(comparison.tests) == [("a", "c")]
    assert "bad" in comparison.losses.names
    expected = compare_estimators({"a": Counted(), "c": Ridge()}, *NUMBERED, cv=FOLDS)
    assert comparison.pvalue_ == expected.pvalue_


def test_no_pair_left_raises_and_carries_the_losses():
    two = {"good": Counted(), "bad": Counted(0)}
    with (
        pytest.warns(FitFailedWarning),
        pytest.raises(ValueError, match=r"at least two .*'bad'.*on purpose") as caught,
    ):
        compare_estimators(two, *NUMBERED, cv=FOLDS)
    losses = caught.value.losses
    assert losses.names == tuple(two)
    assert np.isfinite(losses.residuals("good").values).all()


def test_a_reference_that_failed_raises_and_carries_the_losses():
    three = {"good": Counted(), "bad": Counted(0), "c": Ridge()}
    match = "without failed fits; got 'bad'.*broken on purpose"
    with (
        pytest.warns(FitFailedWarning),
        pytest.raises(ValueError, match=match) as caught,
    ):
        compare_estimators(three, *NUMBERED, cv=FOLDS, reference="bad")
    assert caught.value.losses.names == tuple(three)


def test_numeric_error_score_is_compared_as_a_loss():
    estimators = {"good": Counted(), "bad": Counted(0)}
    with pytest.warns(FitFailedWarning):
        comparison = compare_estimators(
            estimators, *NUMBERED, cv=FOLDS, error_score=100.0
        )
    block = comparison.losses.block_losses[failing_split()]
    assert block[1] == 100
    assert comparison.to_frame()["estimate"].item() < -10


def test_all_estimators_failing_raises():
    with pytest.raises(ValueError, match="All fits failed"):
        compare_estimators([Counted(-1), Counted(-1)], *NUMBERED, cv=FOLDS)


def test_return_estimator_keeps_the_fits():
    comparison = compare_estimators(TWO, *IRIS, cv=FOLDS, return_estimator=True)
    assert {name: len(kept) for name, kept in comparison.losses.estimators.items()} == {
        "bayes": 5,
        "stump": 5,
    }


def test_memory_spares_fits(tmp_path):
    first = compare_estimators(TWO, *IRIS, cv=FOLDS, memory=tmp_path)
    second = compare_estimators(TWO, *IRIS, cv=FOLDS, memory=tmp_path)
    assert_array_equal(first.losses.fit_time, second.losses.fit_time)
    assert first.pvalue_ == second.pvalue_
