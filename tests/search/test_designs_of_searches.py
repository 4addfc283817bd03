"""Which design the splits of a search are, from its `cv`."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from searches import IRIS, RESULTS, SCORES, TREE, compare, fitted_search
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    LeavePOut,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
)

from sklearn_cvtest import (
    BlockKFold,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    FiveByTwo,
    FiveByTwoFTest,
    HalfSampleTTest,
    KFoldTTest,
    PairedHalves,
    PairedHalvesTTest,
    RepeatedSubsample,
    compare_candidates,
)

RNG = np.random.default_rng(0)


def test_leave_one_out_is_a_k_fold():
    scores = np.random.default_rng(0).integers(2, size=(2, 40))
    test = CorrectedResampledTTest()
    result = compare(scores, cv=LeaveOneOut(), test=test)
    assert str(result.losses.design) == "40-fold cross-validation"
    assert_allclose(result.table.rho, rho_of(40, 1 / 39))


def rho_of(n_splits, ratio):
    return ratio / (ratio + 1 / n_splits)


MASKS = [(np.arange(150) % 3 != k, np.arange(150) % 3 == k) for k in range(3)]


@pytest.mark.parametrize(
    ("cv", "kind", "Test", "rho"),
    [
        (None, "k-fold", KFoldTTest, rho_of(5, 1 / 4)),
        (4, "k-fold", KFoldTTest, rho_of(4, 1 / 3)),
        (StratifiedKFold(3), "k-fold", KFoldTTest, rho_of(3, 1 / 2)),
        (BlockKFold(3, random_state=0), "k-fold", KFoldTTest, rho_of(3, 1 / 2)),
        (PredefinedSplit(np.arange(150) % 3), "k-fold", KFoldTTest, rho_of(3, 1 / 2)),
        (
            list(KFold(3, shuffle=True, random_state=0).split(*IRIS)),
            "k-fold",
            KFoldTTest,
            rho_of(3, 1 / 2),
        ),
        (MASKS, "k-fold", KFoldTTest, rho_of(3, 1 / 2)),
        (
            RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0),
            "repeated k-fold",
            CorrectedRepeatedKFoldTTest,
            rho_of(6, 1 / 2),
        ),
        (
            RepeatedKFold(n_splits=2, n_repeats=5, random_state=0),
            "5x2",
            FiveByTwoFTest,
            np.nan,
        ),
        (
            RepeatedKFold(n_splits=3, n_repeats=1, random_state=0),
            "k-fold",
            KFoldTTest,
            rho_of(3, 1 / 2),
        ),
        (FiveByTwo(random_state=0), "5x2", FiveByTwoFTest, np.nan),
        (
            ShuffleSplit(4, random_state=0),
            "subsample",
            CorrectedResampledTTest,
            rho_of(4, 1 / 9),
        ),
        (
            StratifiedShuffleSplit(4, test_size=0.3, random_state=0),
            "subsample",
            CorrectedResampledTTest,
            rho_of(4, 3 / 7),
        ),
        (
            ShuffleSplit(4, train_size=0.6, random_state=0),
            "subsample",
            CorrectedResampledTTest,
            rho_of(4, 4 / 6),
        ),
        (
            ShuffleSplit(4, train_size=60, test_size=15, random_state=0),
            "subsample",
            CorrectedResampledTTest,
            rho_of(4, 15 / 60),
        ),
        (
            RepeatedSubsample(4, test_size=0.2, random_state=0),
            "subsample",
            CorrectedResampledTTest,
            rho_of(4, 1 / 4),
        ),
        (
            list(
                ShuffleSplit(4, test_size=30, train_size=60, random_state=0).split(
                    *IRIS
                )
            ),
            "subsample",
            CorrectedResampledTTest,
            rho_of(4, 30 / 60),
        ),
        (
            PairedHalves(
                BlockKFold(3, stratify=True, random_state=0), 2, random_state=0
            ),
            "paired halves",
            PairedHalvesTTest,
            np.nan,
        ),
    ],
    ids=repr,
)
def test_design_and_default_test_of_a_search(cv, kind, Test, rho):
    result = compare_candidates(fitted_search(cv))
    assert result.losses.design.kind == kind
    assert type(result.table.test) is Test
    assert_allclose(result.table.rho, rho, rtol=1e-12)


@pytest.mark.parametrize("cv", [GroupKFold(5), LeaveOneGroupOut()])
def test_designs_of_groups_that_are_folds(cv):
    search = GridSearchCV(TREE, {"max_depth": [1, 2]}, cv=cv)
    search.fit(*IRIS, groups=np.arange(150) % 5)
    result = compare_candidates(search, test=CorrectedResampledTTest())
    assert str(result.losses.design) == "5-fold cross-validation"
    assert_allclose(result.table.rho, rho_of(5, 1 / 4))


@pytest.mark.parametrize(
    "cv",
    [
        GroupShuffleSplit(5),
        ShuffleSplit(5, test_size=30),
        ShuffleSplit(5, test_size=30, train_size=0.5),
        RepeatedSubsample(5, test_size=30),
        LeavePOut(2),
        "subsample",
        "repeated k-fold",
    ],
    ids=repr,
)
def test_unknown_sizes_are_asked_for_and_used(cv):
    with pytest.raises(ValueError, match=r"Pass `n_train` and|needs the sizes"):
        compare(SCORES[:, :5], cv=cv)
    result = compare(SCORES[:, :5], cv=cv, n_train=120, n_test=30)
    assert_allclose(result.table.rho, rho_of(5, 1 / 4))
    sizes = {"n_train": [119, 120, 120, 120, 121], "n_test": np.full(5, 60)}
    result = compare(SCORES[:, :5], cv=cv, **sizes)
    assert_allclose(result.table.rho, rho_of(5, 1 / 2))


class Unknown:
    """A splitter of no known design."""

    def split(self, X, y=None, groups=None):
        return KFold(5).split(X)

    def get_n_splits(self, X=None, y=None, groups=None):
        return 5


@pytest.mark.parametrize("cv", [Unknown(), KFold(5).split(*IRIS)])
def test_splits_of_unknown_design_need_sizes(cv):
    search = fitted_search(cv)
    with pytest.raises(ValueError, match=r"`search.cv` must be .* Pass `n_train`"):
        compare_candidates(search)
    result = compare_candidates(search, n_train=120, n_test=30)
    assert result.losses.design.kind == "subsample"
    assert_allclose(result.table.rho, rho_of(5, 1 / 4))
    assert compare_candidates(search, cv=KFold(5)).losses.design.kind == "k-fold"


def test_results_alone_need_cv():
    with pytest.raises(ValueError, match=r"`cv` must be a splitter.*got None"):
        compare_candidates(RESULTS)


def test_time_series_are_refused():
    search = fitted_search(TimeSeriesSplit(5), error_score=0.0)
    with pytest.raises(ValueError, match=r"one value a split|fold means|per-example"):
        compare_candidates(search)


def test_one_split_is_refused():
    search = fitted_search(ShuffleSplit(1))
    with pytest.raises(ValueError, match=r"one value a split|fold means|per-example"):
        compare_candidates(search)


@pytest.mark.parametrize(
    "cv",
    [
        4,
        KFold(3),
        RepeatedKFold(n_splits=3, n_repeats=4),
        ShuffleSplit(9),
        BlockKFold(11),
        FiveByTwo(),
        list(KFold(3).split(*IRIS)),
    ],
    ids=repr,
)
def test_cv_that_makes_other_splits_is_refused(cv):
    with pytest.raises(ValueError, match=r"`cv` must be what made the 8 splits"):
        compare(SCORES[:, :8], cv=cv)


@pytest.mark.parametrize(
    ("sizes", "error", "message"),
    [
        ({"n_train": [90] * 9, "n_test": 10}, ValueError, "`n_train` must be a posit"),
        ({"n_train": 90, "n_test": [10] * 3}, ValueError, "`n_test` must be a posit"),
        ({"n_train": 90, "n_test": 0}, ValueError, "`n_test` must be a posit"),
        ({"n_train": 0.9, "n_test": 0.1}, ValueError, "`n_train` must be a posit"),
        ({"n_train": 90}, ValueError, "`n_test` must be given"),
    ],
)
def test_wrong_sizes(sizes, error, message):
    with pytest.raises(error, match=message):
        compare(SCORES, cv=ShuffleSplit(10), **sizes)


def test_sizes_that_are_not_those_of_the_indices_are_refused():
    splits = list(KFold(10).split(*IRIS))
    compare(SCORES, cv=splits, n_train=135, n_test=15)
    with pytest.raises(ValueError, match="`n_train` must be None or the actual sizes"):
        compare(SCORES, cv=splits, n_train=100, n_test=15)


def test_paired_halves_rank_by_the_whole_sample():
    halves = RNG.normal(size=8) / 10
    scores = np.array([[0.5, 0.6, *halves + 0.9], [0.7, 0.81, *halves[::-1]]])
    cv = PairedHalves(BlockKFold(2), 2)
    result = compare(scores, cv=cv, test=HalfSampleTTest())
    assert result.best == "C=1"
    assert_allclose(-result.losses.mean_losses, [0.55, 0.755])
    assert_allclose(result.table.estimate, [-0.205])
