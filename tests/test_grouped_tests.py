"""Tests of losses in groups: from the public functions to the p-value."""

from dataclasses import replace

import joblib
import numpy as np
import pytest
from scipy import stats
from sklearn import config_context
from sklearn.datasets import make_classification
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    LeaveOneGroupOut,
    PredefinedSplit,
    StratifiedGroupKFold,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from sklearn_cvtest import (
    BlockKFold,
    Comparison,
    CorrectedResampledTTest,
    CVResiduals,
    HoldoutTTest,
    KFoldTTest,
    KFoldZTest,
    PairedHalves,
    RepeatedSubsample,
    compare_estimators,
    compare_predictions,
    compare_table,
    cross_val_interval,
    cross_val_losses,
)
from sklearn_cvtest.exceptions import (
    FewExamplesWarning,
    GroupLeakWarning,
)

N = 180
X, Y = make_classification(N, 6, flip_y=0.2, random_state=0)
GROUPS = np.random.default_rng(0).permutation(np.repeat(np.arange(45), 4))
LABELS = np.array([f"p{group:02}" for group in GROUPS])
MODELS = {"bayes": GaussianNB(), "neighbour": KNeighborsClassifier(1)}
# The check values, six times over: 18 groups, so that no test refuses them.
D = np.tile([0.1, 0.2, -0.1, 0.3, 0.0, 0.4], (6, 1))
CODES = np.arange(18).repeat(2).reshape(6, 6)


def losses(cv=5, groups=LABELS, **options):
    cv = BlockKFold(cv, random_state=0) if isinstance(cv, int) else cv
    return cross_val_losses(MODELS, X, Y, cv=cv, groups=groups, **options)


def same(first, second):
    return np.array_equal(first.values, second.values) and (
        first.groups is second.groups or np.array_equal(first.groups, second.groups)
    )


HOLDOUT = list(GroupShuffleSplit(1, test_size=0.5, random_state=0).split(X, Y, GROUPS))
HALVES = PairedHalves(BlockKFold(3, random_state=0), 2, random_state=0)
EVERY = [
    (KFoldZTest(), 5),
    (HoldoutTTest(), HOLDOUT),
    (KFoldTTest(), 5),
]
every_test = pytest.mark.parametrize(
    ("test", "cv"), EVERY, ids=lambda value: repr(value)[:40]
)


# Values -------------------------------------------------------------------------


@pytest.mark.parametrize("test", [KFoldZTest(0), HoldoutTTest()])
def test_standard_error_by_hand(test):
    # sums of deviations from 0.15: 0, -0.1, 0.1; (18/17) · 6 · 0.02 / 36²
    fitted = test.fit(
        CVResiduals.from_array(D, groups=CODES)
        if isinstance(test, KFoldZTest)
        else CVResiduals.from_array(
            D.reshape(1, -1), design="holdout", groups=CODES.reshape(1, -1)
        )
    )
    assert fitted.estimate_ == pytest.approx(0.15)
    assert fitted.standard_error_ == pytest.approx(np.sqrt(18 / 17 * 0.12) / 36)
    assert fitted.df_ == 17
    expected = 2 * stats.t.sf(0.15 / fitted.standard_error_, 17)
    assert fitted.pvalue_ == pytest.approx(expected)


def test_k_fold_z_of_groups_uses_students_t():
    residuals = CVResiduals.from_array(D, groups=CODES)
    test, at_0 = KFoldZTest().fit(residuals), KFoldZTest(0).fit(residuals)
    assert test.df_ == 17
    # [GB06] eq. (9)
    assert test.statistic_ == pytest.approx(np.sqrt(2 / 3) * at_0.statistic_)
    expected = 2 * stats.t.sf(abs(test.statistic_), 17)
    assert test.pvalue_ == pytest.approx(expected)
    interval = test.confidence_interval()
    at_end = KFoldZTest(popmean=interval.low).fit(residuals)
    assert at_end.pvalue_ == pytest.approx(0.05)


def test_k_fold_z_allows_for_very_unequal_groups():
    # shares .5 and .5/9 of 10 groups: Σw² = .277778, Σw³ = .126543, so the factor is
    # .277778/((.277778 - .253086 + .0771605) 10/9) = 2.454545, with 3.6 - 1 df
    codes = np.repeat(np.arange(10), [9, *[1] * 9]).reshape(6, 3)
    e = np.random.default_rng(0).normal(0.5, 1, codes.shape)
    residuals = CVResiduals.from_array(e, groups=codes)
    test = KFoldZTest(0)
    test.fit(residuals)
    sums = np.bincount(codes.ravel(), e.ravel() - e.mean())
    t = e.mean() / (np.sqrt(2.4545454545 * 10 / 9 * np.sum(sums**2)) / 18)
    assert test.df_ == pytest.approx(2.6)
    assert test.pvalue_ == pytest.approx(2 * stats.t.sf(abs(t), 2.6), rel=1e-6)
    low, high = test.confidence_interval(1 - test.pvalue_)
    assert min(abs(low), abs(high)) == pytest.approx(0, abs=1e-6)


# What does not change -----------------------------------------------------------


@every_test
def test_groups_of_one_row_are_no_groups(test, cv):
    alone = losses(cv, groups=np.arange(N))
    without = losses(cv, groups=None)
    assert alone.groups is None
    assert same(alone, without)
    with_groups = test.fit(alone.residuals(0, 1)).pvalue_
    assert with_groups == test.fit(without.residuals(0, 1)).pvalue_


@every_test
def test_names_of_groups_and_the_order_of_pairs_change_nothing(test, cv):
    residuals = losses(cv).residuals(0, 1)
    shuffled = np.random.default_rng(1).permutation(45)[residuals.groups]
    renamed = test.fit(replace(residuals, groups=shuffled)).pvalue_
    assert renamed == pytest.approx(test.fit(residuals).pvalue_, rel=1e-9)
    swapped = test.fit(losses(cv).residuals(1, 0)).pvalue_
    assert swapped == pytest.approx(renamed, rel=1e-9)


@every_test
def test_tables_agree_with_single_fits(test, cv):
    found = losses(cv)
    comparison = Comparison(found, test=test)
    assert comparison.pvalue_ == test.fit(found.residuals(0, 1)).pvalue_


def test_tests_of_means_of_splits_do_not_use_groups():
    residuals = losses().residuals(0, 1)
    without = KFoldTTest().fit(replace(residuals, groups=None))
    assert KFoldTTest().fit(residuals).pvalue_ == without.pvalue_


# Sources of groups --------------------------------------------------------------


@pytest.mark.parametrize(
    ("cv", "design"),
    [
        (GroupKFold(5), "5-fold cross-validation"),
        (StratifiedGroupKFold(5), "5-fold cross-validation"),
        (LeaveOneGroupOut(), "45-fold cross-validation"),
        (PredefinedSplit(GROUPS % 4), "4-fold cross-validation"),
        (GroupShuffleSplit(6, random_state=0), "6 subsamples"),
        (None, "5-fold cross-validation repeated twice"),
        (10, "10-fold cross-validation"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_splits_by_groups_do_not_leak(cv, design):
    found = cross_val_losses(MODELS, X, Y, cv=cv, groups=LABELS)
    assert str(found.design) == design
    assert found.n_groups <= 45
    assert np.array_equal(found.groups, GROUPS[found.row_index])
    for split in range(len(found.n_test)):
        tested = found.row_index[found.row_split == split]
        assert not set(GROUPS[tested]) & set(np.delete(GROUPS, tested))


@pytest.mark.parametrize("routing", [False, True])
def test_a_group_on_both_sides_warns(routing):
    splits = KFold(5, shuffle=True, random_state=0)
    with config_context(enable_metadata_routing=routing):
        if routing:
            splits = list(splits.split(X))
            splits = BlockKFoldWithout(splits).set_split_request(groups=True)
        given = {"params": {"groups": LABELS}} if routing else {"groups": LABELS}
        with pytest.warns(
            GroupLeakWarning, match=r"group of row \d+ .* such as BlockKFold"
        ):
            found = cross_val_losses(MODELS, X, Y, cv=splits, **given)
    assert found.n_groups == 45


@pytest.mark.filterwarnings("ignore")
def test_groups_on_both_sides_are_not_called_new():
    broken = compare_estimators(MODELS, X, Y, cv=KFold(5), groups=LABELS)
    text = f"{broken} {broken.report()}"
    text = " ".join(text.split())
    assert "in 45 groups, some in both training and test sets" in text
    whole = compare_estimators(MODELS, X, Y, cv=LeaveOneGroupOut(), groups=LABELS)
    assert "both training" not in " ".join(str(whole).split())
    assert "by groups (LeaveOneGroupOut)" in " ".join(whole.report().split())


class BlockKFoldWithout(GroupKFold):
    """Yields given splits, whatever the groups."""

    def __init__(self, splits):
        self.splits = splits

    def split(self, X, y=None, groups=None):
        return self.splits


@pytest.mark.parametrize("cv", [5, None, GroupKFold(5)], ids=repr)
def test_routed_groups_are_those_given(cv):
    direct = cross_val_losses(MODELS, X, Y, cv=cv, groups=LABELS)
    with config_context(enable_metadata_routing=True):
        routed = cross_val_losses(MODELS, X, Y, cv=cv, params={"groups": LABELS})
    assert same(direct, routed)


def test_jobs_and_scores_have_the_same_groups():
    with joblib.parallel_config("threading"):
        assert same(losses(), losses(n_jobs=2))
    assert losses(per_example=False).groups is None


@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.FewExamplesWarning")
def test_a_rare_class_in_few_groups_is_not_stratified():
    rare = np.where(GROUPS < 3, 1, 0)  # no fold of ten can have it
    found = cross_val_losses(GaussianNB(), X, rare, cv=10, groups=GROUPS)
    assert found.n_groups == 45


# Files, frames, subtraction -----------------------------------------------------


def test_files_and_frames_hold_groups(tmp_path):
    comparison = Comparison(losses(), test=KFoldZTest())
    comparison.save(tmp_path / "comparison.json")
    loaded = Comparison.load(tmp_path / "comparison.json")
    assert same(loaded.losses, comparison.losses)
    assert loaded.pvalue_ == comparison.pvalue_
    frame = comparison.losses.to_frame()
    assert np.array_equal(frame["group"], GROUPS[frame["index"]])
    assert "group" not in losses(groups=None).to_frame()


def test_losses_with_other_groups_cannot_be_subtracted():
    splits = list(GroupKFold(5).split(X, Y, GROUPS))
    first, second = losses(splits), losses(splits, groups=None)
    both = first.residuals(0) - first.residuals(1)
    assert np.array_equal(both.groups, first.groups)
    with pytest.raises(ValueError, match="same splits and groups"):
        first.residuals(0) - second.residuals(1)


# Few groups ---------------------------------------------------------------------

FEW = GROUPS % 6


@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.FewExamplesWarning")
@pytest.mark.parametrize(
    ("test", "right"),
    [(KFoldZTest(), "KFoldTTest")],
)
def test_fewer_than_ten_groups_are_refused(test, right):
    with pytest.raises(ValueError, match=rf"only 6 groups; got .* Use {right}\."):
        compare_estimators(MODELS, X, Y, cv=3, groups=FEW, test=test)


@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.FewExamplesWarning")
def test_the_default_of_few_groups_is_a_test_of_means():
    found = compare_estimators(MODELS, X, Y, cv=HALVES, groups=FEW)
    assert type(found.table.test).__name__ == "PairedHalvesTTest"


@pytest.mark.parametrize("n_groups", [3, 9])
def test_few_groups_are_said_everywhere(n_groups):
    groups = np.arange(N) % n_groups
    text = f"{n_groups} groups"
    table = {"model": ["a", "b"] * N, "example": np.repeat(np.arange(N), 2)}
    table |= {"group": np.repeat(groups, 2), "fold": np.repeat(groups % 3, 2)}
    table["loss"] = np.random.default_rng(0).random(2 * N)
    given = {"groups": groups, "cv": 3}
    predictions = {"a": np.roll(Y, 7), "b": np.roll(Y, 9)}
    columns = {"loss": "loss", "example": "example", "group": "group"}
    calls = (
        lambda: compare_estimators(MODELS, X, Y, **given),
        lambda: compare_estimators(MODELS, X, Y, per_example=False, **given),
        lambda: cross_val_interval(GaussianNB(), X, Y, **given),
        lambda: compare_predictions(Y, predictions, groups=groups, splits=groups % 3),
        lambda: compare_table(table, **columns),
    )
    for call in calls:
        with pytest.warns(FewExamplesWarning, match=text):
            result = call()
        assert text in " ".join(str(result).split())
        assert text in " ".join(result.report().split())


def test_ten_groups_are_no_few():
    found = compare_estimators(MODELS, X, Y, cv=3, groups=np.arange(N) % 10)
    assert "The examples come from" not in str(found)


@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.FewExamplesWarning")
def test_a_test_set_of_few_groups_is_refused():
    models = {"a": Y, "b": 1 - Y}
    text = r"only 6 groups; got HoldoutTTest.* None is valid for one train-test split"
    with pytest.raises(ValueError, match=text):
        compare_predictions(Y, models, groups=FEW)


@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.FewExamplesWarning")
@pytest.mark.parametrize("n_groups", [4, 5])
def test_by_default_each_of_few_groups_is_a_fold(n_groups):
    found = compare_estimators(MODELS, X, Y, groups=np.arange(N) % n_groups)
    assert str(found.losses.design) == f"{n_groups}-fold cross-validation"
    with pytest.raises(ValueError, match=r"`cv` must be at most the number of groups"):
        compare_estimators(MODELS, X, Y, cv=6, groups=np.arange(N) % n_groups)
    interval = cross_val_interval(GaussianNB(), X, Y, groups=np.arange(N) % n_groups)
    assert f"{n_groups}-fold" in str(interval)


# The rest of the package --------------------------------------------------------


def test_repeats_of_groups_take_students_t():
    found = losses(BlockKFold(3, n_repeats=2, random_state=0)).residuals(0, 1)
    test = KFoldZTest().fit(found)
    assert test.df_ == 44
    assert test.pvalue_ != KFoldZTest().fit(replace(found, groups=None)).pvalue_


@pytest.mark.parametrize("icc", [0.0, 0.5])
def test_size_of_tests_of_groups(icc):
    # 1500 samples of 30 groups of 10 normal residuals, level 5%: 99.9% interval
    rng = np.random.default_rng(0)
    shared = rng.normal(size=(1500, 30, 1)) * np.sqrt(icc)
    e = (shared + rng.normal(size=(1500, 30, 10)) * np.sqrt(1 - icc)).reshape(1500, -1)
    one = CVResiduals.from_array(
        np.zeros((10, 30)), groups=np.arange(30).repeat(10).reshape(10, 30)
    )
    stack = replace(one, values=e)
    rejected = KFoldZTest(0).evaluate(stack).pvalue <= 0.05
    low, high = stats.binom.interval(0.999, 1500, 0.05)
    assert low <= np.count_nonzero(rejected) <= high
    assert np.mean(KFoldZTest().evaluate(stack).pvalue <= 0.05) < 0.05


@pytest.mark.parametrize("n_groups", [12, 30])
@pytest.mark.parametrize("unequal", [False, True])
def test_k_fold_z_keeps_its_level_where_rho_is_a_third(n_groups, unequal):
    # normal residuals, intra-class correlation .5, a third of the variance of the mean
    # in common to all folds. 3000 samples.
    sizes = np.full(n_groups, 5)
    if unequal:
        sizes = np.rint(np.geomspace(2, 50, n_groups)).astype(int)
    codes, n = np.repeat(np.arange(n_groups), sizes), sizes.sum()
    rng = np.random.default_rng(1)
    e = rng.normal(size=(3000, n)) + rng.normal(size=(3000, n_groups))[:, codes]
    shared = rng.normal(size=(3000, 1)) * np.sqrt(n + np.sum(sizes**2)) / n
    e += np.sqrt(1 / 2) * shared
    one = CVResiduals.from_array(
        np.zeros((n, 1)), groups=codes.reshape(-1, 1), n_train=n - 1
    )
    stack = replace(one, values=e)
    rejected = np.count_nonzero(KFoldZTest().evaluate(stack).pvalue <= 0.05)
    assert rejected <= stats.binom.ppf(0.9995, 3000, 0.065)


def test_subsamples_of_groups_take_the_corrected_test():
    cv = RepeatedSubsample(5, random_state=0)
    found = compare_estimators(MODELS, X, Y, cv=cv, groups=GROUPS)
    assert isinstance(found.tests["bayes", "neighbour"], CorrectedResampledTTest)


# Very unequal groups ------------------------------------------------------------

SITES = np.repeat(np.arange(12), [61, 21, *[10] * 10])[:N]
UNEQUAL = np.random.default_rng(0).permutation(
    np.append(SITES, [11] * (N - len(SITES)))
)
