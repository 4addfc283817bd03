"""Splitters: scikit-learn's own checks of its splitters, and what the papers say."""

import pickle
from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from common import ALL_SPLITTERS
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_val_predict,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    BlockKFold,
    FiveByTwo,
    PairedHalves,
    RepeatedSubsample,
)
from sklearn_cvtest.results import Design

N = 30
X = np.arange(2.0 * N).reshape(N, 2)
Y = np.tile([0, 1, 1], N // 3)
GROUPS = np.repeat(np.arange(10), 3)


def block_kfold(**options):
    return BlockKFold(3, **options)


def repeated_subsample(**options):
    return RepeatedSubsample(4, test_size=0.2, **options)


def paired_blocks(random_state=None, stratify=False):
    cv = BlockKFold(3, stratify=stratify, random_state=random_state)
    return PairedHalves(cv, 2, stratify=stratify, random_state=random_state)


def paired_subsamples(random_state=None, stratify=False):
    cv = RepeatedSubsample(
        4, test_size=0.2, stratify=stratify, random_state=random_state
    )
    return PairedHalves(cv, 2, stratify=stratify, random_state=random_state)


MAKERS = [block_kfold, repeated_subsample, FiveByTwo, paired_blocks, paired_subsamples]
N_SPLITS = {
    block_kfold: 3,
    repeated_subsample: 4,
    FiveByTwo: 10,
    paired_blocks: 3 * 5,
    paired_subsamples: 4 * 5,
}
every_splitter = pytest.mark.parametrize("make", MAKERS)


def message(name):
    return rf"(?s)^`{name}` must be .+; got .+\."


def equal_splits(first, second):
    return len(first) == len(second) and all(
        np.array_equal(a, b)
        for one, other in zip(first, second, strict=True)
        for a, b in zip(one, other, strict=True)
    )


def test_makers_cover_all_splitters():
    assert {type(make()) for make in MAKERS} == set(ALL_SPLITTERS)


# What scikit-learn checks of its own ------------------------------------------


@every_splitter
def test_splitter_get_n_splits_is_the_number_of_splits(make):
    cv = make(random_state=0)
    assert cv.get_n_splits() == cv.get_n_splits(X, Y) == N_SPLITS[make]
    assert len(list(cv.split(X, Y))) == N_SPLITS[make]


@every_splitter
@pytest.mark.parametrize("stratify", [False, True])
def test_splitter_train_and_test_are_disjoint_unique_indices_in_range(make, stratify):
    for train, test in make(random_state=0, stratify=stratify).split(X, Y):
        both = np.concatenate([train, test])
        assert train.dtype.kind == test.dtype.kind == "i"
        assert len(np.unique(both)) == len(both)
        assert len(train)
        assert len(test)
        assert both.min() >= 0
        assert both.max() < N


@every_splitter
def test_splitter_int_seed_gives_the_same_splits_at_every_call(make):
    cv = make(random_state=3)
    first = list(cv.split(X, Y))
    assert equal_splits(first, list(cv.split(X, Y)))
    assert equal_splits(first, list(make(random_state=3).split(X, Y)))


@every_splitter
@pytest.mark.parametrize("seed", [lambda: None, lambda: np.random.RandomState(0)])
def test_splitter_without_int_seed_differs_between_calls(make, seed):
    cv = make(random_state=seed())
    assert not equal_splits(list(cv.split(X, Y)), list(cv.split(X, Y)))


@every_splitter
def test_splitter_random_state_instance_gives_the_splits_of_its_seed(make):
    seeded = list(make(random_state=np.random.RandomState(5)).split(X, Y))
    again = list(make(random_state=np.random.RandomState(5)).split(X, Y))
    assert equal_splits(seeded, again)


@every_splitter
def test_splitter_different_seeds_differ(make):
    assert not equal_splits(
        list(make(random_state=0).split(X, Y)), list(make(random_state=1).split(X, Y))
    )


@pytest.mark.parametrize("make", [block_kfold, repeated_subsample, FiveByTwo])
def test_splitter_leaves_the_global_random_state_alone(make):
    np.random.seed(0)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    list(make(random_state=0).split(X, Y))
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


@every_splitter
@pytest.mark.parametrize(
    "convert",
    [
        lambda a: a[:, 0],
        np.ndarray.tolist,
        pd.DataFrame,
        pl.DataFrame,
        sparse.csr_matrix,
        sparse.csr_array,
        sparse.coo_array,
        lambda a: pd.DataFrame(a, index=np.arange(N)[::-1] + 100),
        lambda a: np.zeros((N, 2, 2)),
    ],
)
def test_splitter_uses_only_the_length_of_x(make, convert):
    cv = make(random_state=0)
    assert equal_splits(list(cv.split(X, Y)), list(cv.split(convert(X), Y)))


@every_splitter
@pytest.mark.parametrize(
    "convert",
    [
        np.ndarray.tolist,
        pd.Series,
        pl.Series,
        lambda y: y[:, np.newaxis],
        lambda y: np.array(["no", "yes"])[y],
        lambda y: pd.Series(pd.Categorical(np.array(["no", "yes"])[y])),
        lambda y: pd.Series(y, index=np.arange(N)[::-1] + 100, dtype="Int64"),
        lambda y: pl.Series(np.array(["no", "yes"])[y]),
    ],
)
def test_splitter_stratifies_any_container_of_y(make, convert):
    cv = make(random_state=0, stratify=True)
    assert equal_splits(list(cv.split(X, Y)), list(cv.split(X, convert(Y))))


@every_splitter
def test_splitter_ignores_y_unless_stratified(make):
    cv = make(random_state=0)
    alone = list(cv.split(X))
    assert equal_splits(alone, list(cv.split(X, Y)))
    assert equal_splits(alone, list(cv.split(X, np.linspace(0, 1, N))))
    assert equal_splits(alone, list(cv.split(X, np.eye(N))))


@every_splitter
def test_splitter_stratify_without_y_fails_where_split_is_called(make):
    with pytest.raises(ValueError, match=message("y")):
        make(stratify=True).split(X)


@every_splitter
def test_splitter_inconsistent_lengths_raise(make):
    with pytest.raises(ValueError, match="inconsistent"):
        list(make(stratify=True).split(X, Y[:-1]))


@every_splitter
def test_splitter_without_x_raises_naming_it(make):
    with pytest.raises((TypeError, ValueError), match=message("X")):
        list(make().split(None, Y))


@every_splitter
def test_splitter_continuous_y_cannot_be_stratified(make):
    with pytest.raises(ValueError, match=r"continuous|least populated"):
        list(make(stratify=True).split(X, np.linspace(0, 1, N)))


@every_splitter
def test_splitter_pickles(make):
    cv = make(random_state=0)
    copy = pickle.loads(pickle.dumps(cv))
    assert repr(copy) == repr(cv)
    assert equal_splits(list(cv.split(X, Y)), list(copy.split(X, Y)))


@every_splitter
def test_splitter_calls_do_not_interfere(make):
    cv = make(random_state=0)
    expected = list(cv.split(X, Y))
    interleaved = list(zip(cv.split(X, Y), cv.split(X, Y), strict=True))
    assert equal_splits(expected, [one for one, _ in interleaved])
    assert equal_splits(expected, [other for _, other in interleaved])


@pytest.mark.parametrize(
    ("cv", "expected"),
    [
        (BlockKFold(), "BlockKFold(n_repeats=1, n_splits=10, random_state=None, "
         "shuffle=True, stratify=False)"),
        (RepeatedSubsample(3, random_state=1), "RepeatedSubsample(n_repeats=3, "
         "random_state=1, stratify=False, test_size=0.1, train_size=None)"),
        (FiveByTwo(stratify=True), "FiveByTwo(random_state=None, stratify=True)"),
        (PairedHalves(BlockKFold(2), 4), "PairedHalves(cv=BlockKFold(n_repeats=1, "
         "n_splits=2, random_state=None, shuffle=True, stratify=False), n_halvings=4, "
         "random_state=None, stratify=False)"),
    ],
)  # fmt: skip
def test_splitter_repr_shows_all_parameters(cv, expected):
    assert " ".join(repr(cv).split()) == expected


@pytest.mark.parametrize(
    ("cv", "defaults"),
    [
        (
            BlockKFold(),
            dict(
                n_splits=10,
                n_repeats=1,
                shuffle=True,
                stratify=False,
            ),
        ),
        (
            RepeatedSubsample(),
            dict(n_repeats=15, test_size=0.1, train_size=None, stratify=False),
        ),
        (FiveByTwo(), dict(stratify=False)),
        (PairedHalves(BlockKFold()), dict(n_halvings=10, stratify=False)),
    ],
)
def test_splitter_defaults_are_those_of_the_contract(cv, defaults):
    assert cv.random_state is None
    assert {name: getattr(cv, name) for name in defaults} == defaults


@every_splitter
@pytest.mark.parametrize("enabled", [False, True])
def test_splitter_requests_groups(make, enabled):
    cv = make()
    with sklearn.config_context(enable_metadata_routing=enabled):
        assert cv.get_metadata_routing().split.requests == {"groups": True}


# In scikit-learn's tools ------------------------------------------------------


@every_splitter
def test_splitter_works_in_cross_validate(make):
    X, y = load_iris(return_X_y=True)
    cv = make(random_state=0, stratify=True)
    model = make_pipeline(StandardScaler(), DummyClassifier())
    result = cross_validate(model, X, y, cv=cv, return_indices=True)
    got = list(zip(result["indices"]["train"], result["indices"]["test"], strict=True))
    assert equal_splits(got, list(cv.split(X, y)))


@every_splitter
@pytest.mark.parametrize("requested", [None, True, False])
def test_splitter_is_given_routed_groups_unless_told_otherwise(make, requested):
    cv, options = make(random_state=0), {"params": {"groups": GROUPS}}
    with sklearn.config_context(enable_metadata_routing=True):
        if requested is not None:
            cv.set_split_request(groups=requested)
        if requested is False:
            with pytest.raises(TypeError, match="groups"):
                cross_validate(DummyClassifier(), X, Y, cv=cv, **options)
            return
        options["return_indices"] = True
        result = cross_validate(DummyClassifier(), X, Y, cv=cv, **options)
    got = list(zip(result["indices"]["train"], result["indices"]["test"], strict=True))
    assert equal_splits(got, list(cv.split(X, groups=GROUPS)))


def test_block_kfold_works_in_cross_val_predict():
    predicted = cross_val_predict(
        DummyClassifier(), X, Y, cv=BlockKFold(3, random_state=0)
    )
    expected = cross_val_predict(
        DummyClassifier(), X, Y, cv=KFold(3, shuffle=True, random_state=0)
    )
    np.testing.assert_array_equal(predicted, expected)


@pytest.mark.parametrize("make", [m for m in MAKERS if m is not block_kfold])
def test_splitter_that_is_no_partition_is_refused_by_cross_val_predict(make):
    with pytest.raises(ValueError, match="only works for partitions"):
        cross_val_predict(DummyClassifier(), X, Y, cv=make(random_state=0))


@every_splitter
def test_splitter_works_in_grid_search_and_its_clone(make):
    X, y = load_iris(return_X_y=True)
    tree = DecisionTreeClassifier(random_state=0)
    cv = make(random_state=0, stratify=True)
    search = clone(GridSearchCV(tree, {"max_depth": [1, 2]}, cv=cv)).fit(X, y)
    one = cross_validate(tree.set_params(max_depth=2), X, y, cv=cv)["test_score"]
    got = [search.cv_results_[f"split{k}_test_score"][1] for k in range(len(one))]
    assert search.n_splits_ == N_SPLITS[make]
    np.testing.assert_allclose(got, one)


# Constructor arguments --------------------------------------------------------


def test_paired_halves_rejects_a_repeated_k_fold():
    with pytest.raises(ValueError, match="`cv` must be a BlockKFold of one run or"):
        PairedHalves(BlockKFold(3, n_repeats=2))


def test_block_kfold_rejects_a_seed_that_has_no_effect():
    with pytest.raises(ValueError, match=message("random_state")):
        BlockKFold(shuffle=False, random_state=0)


@pytest.mark.parametrize(
    "cv",
    [
        BlockKFold(np.int64(3), stratify=np.bool_(True), random_state=np.int32(0)),
        RepeatedSubsample(np.int8(3), test_size=np.float32(0.25), random_state=0),
        RepeatedSubsample(3, test_size=np.int64(5), train_size=np.float64(0.5)),
        PairedHalves(BlockKFold(3), np.int64(3)),
    ],
)
def test_splitter_accepts_numpy_scalars(cv):
    assert len(list(cv.split(X, Y))) == cv.get_n_splits()


@pytest.mark.parametrize("sizes", [(0.6, 0.6), (20, 20), (N, None), (N + 1, None)])
def test_repeated_subsample_sizes_that_do_not_fit_raise(sizes):
    test_size, train_size = sizes
    with pytest.raises(ValueError, match="test_size"):
        list(RepeatedSubsample(test_size=test_size, train_size=train_size).split(X))


@pytest.mark.parametrize("stratify", [False, True])
def test_block_kfold_more_blocks_than_examples_raises(stratify):
    with pytest.raises(ValueError, match=message("n_splits")):
        list(BlockKFold(N + 1, stratify=stratify).split(X, Y))


# BlockKFold -------------------------------------------------------------------


@given(
    n_samples=st.integers(2, 60),
    n_splits=st.integers(2, 60),
    stratify=st.booleans(),
    seed=st.integers(0, 99),
)
@settings(max_examples=60, deadline=None)
def test_block_kfold_partitions_into_blocks_of_equal_sizes(
    n_samples, n_splits, stratify, seed
):
    assume(n_splits <= n_samples // (2 if stratify else 1))
    y = np.arange(n_samples) % 2
    cv = BlockKFold(n_splits, stratify=stratify, random_state=seed)
    splits = list(cv.split(y, y))
    sizes = [len(test) for _, test in splits]
    assert len(splits) == n_splits
    assert max(sizes) - min(sizes) <= 1
    assert sorted(np.concatenate([test for _, test in splits])) == list(
        range(n_samples)
    )
    for train, test in splits:
        assert sorted([*train, *test]) == list(range(n_samples))


@pytest.mark.parametrize("seed", [0, 7])
def test_block_kfold_equals_kfold_of_the_seed(seed):
    got = list(BlockKFold(4, random_state=seed).split(X))
    expected = list(KFold(4, shuffle=True, random_state=seed).split(X))
    assert equal_splits(got, expected)


def test_block_kfold_unshuffled_equals_kfold():
    assert equal_splits(
        list(BlockKFold(4, shuffle=False).split(X)), list(KFold(4).split(X))
    )


@pytest.mark.parametrize("shuffle", [False, True])
def test_block_kfold_stratified_equals_stratified_kfold(shuffle):
    seed = 0 if shuffle else None
    ours = BlockKFold(4, stratify=True, shuffle=shuffle, random_state=seed)
    theirs = StratifiedKFold(4, shuffle=shuffle, random_state=seed)
    assert equal_splits(list(ours.split(X, Y)), list(theirs.split(X, Y)))


def test_block_kfold_shuffles_by_default():
    # Sorted classes in unshuffled blocks: a training set without a class.
    y = np.repeat([0, 1, 2], 10)
    for train, _ in BlockKFold(3, random_state=0).split(y):
        assert set(y[train]) == {0, 1, 2}


@pytest.mark.parametrize("k", [2, 5, 10])
@pytest.mark.parametrize("shuffle", [False, True])
def test_block_kfold_stratify_keeps_proportions(k, shuffle):
    # scikit-learn's test_stratified_kfold_ratios
    y = np.repeat([4, 0, 1], [100, 890, 10])
    cv = BlockKFold(
        k, stratify=True, shuffle=shuffle, random_state=0 if shuffle else None
    )
    for train, test in cv.split(y, y):
        for label, share in {4: 0.10, 0: 0.89, 1: 0.01}.items():
            assert np.mean(y[train] == label) == pytest.approx(share, abs=0.01)
            assert np.mean(y[test] == label) == pytest.approx(share, abs=0.01)


def test_block_kfold_stratify_warns_of_a_class_smaller_than_the_number_of_blocks():
    y = np.repeat([0, 1], [N - 1, 1])
    with pytest.warns(UserWarning, match="least populated class"):
        list(BlockKFold(3, stratify=True).split(X, y))


# BlockKFold, repeated ---------------------------------------------------------


@pytest.mark.parametrize("stratify", [False, True])
def test_block_kfold_repeats_extend_those_of_the_same_seed(stratify):
    options = dict(stratify=stratify, random_state=4)
    one = list(BlockKFold(3, **options).split(X, Y))
    two = list(BlockKFold(3, n_repeats=2, **options).split(X, Y))
    three = list(BlockKFold(3, n_repeats=3, **options).split(X, Y))
    assert equal_splits(one, two[:3])
    assert equal_splits(two, three[:6])
    assert not equal_splits(three[:3], three[3:6])
    assert not equal_splits(three[3:6], three[6:])


def test_block_kfold_repeats_of_neighbouring_seeds_differ():
    first, second = (
        list(BlockKFold(3, n_repeats=3, random_state=seed).split(X)) for seed in (0, 1)
    )
    tests = {test.tobytes() for _, test in first + second}
    assert len(tests) == 18


def test_block_kfold_repeats_later_runs_are_of_the_documented_seed():
    second = list(BlockKFold(3, n_repeats=2, random_state=4).split(X))[3:]
    seed = np.random.RandomState([4, 1])
    assert equal_splits(
        second, list(KFold(3, shuffle=True, random_state=seed).split(X))
    )


def test_block_kfold_unshuffled_cannot_be_repeated():
    with pytest.raises(ValueError, match="`n_repeats` must be 1 if shuffle=False"):
        BlockKFold(3, n_repeats=2, shuffle=False)


# RepeatedSubsample ------------------------------------------------------------


@pytest.mark.parametrize(
    ("test_size", "train_size"), [(0.1, None), (7, None), (0.3, 0.4), (1, 2), (0.34, 9)]
)
def test_repeated_subsample_equals_shuffle_split_of_the_seed(test_size, train_size):
    options = dict(test_size=test_size, train_size=train_size, random_state=0)
    assert equal_splits(
        list(RepeatedSubsample(5, **options).split(X)),
        list(ShuffleSplit(5, **options).split(X)),
    )


def test_repeated_subsample_stratified_equals_stratified_shuffle_split():
    assert equal_splits(
        list(RepeatedSubsample(5, stratify=True, random_state=0).split(X, Y)),
        list(StratifiedShuffleSplit(5, test_size=0.1, random_state=0).split(X, Y)),
    )


@pytest.mark.parametrize(
    ("test_size", "train_size", "n_test", "n_train"),
    [(0.1, None, 4, 27), (0.25, 0.5, 8, 15), (5, None, 5, 26), (5, 6, 5, 6)],
)
def test_repeated_subsample_rounds_test_up_and_train_down(
    test_size, train_size, n_test, n_train
):
    cv = RepeatedSubsample(3, test_size=test_size, train_size=train_size)
    for train, test in cv.split(np.zeros(31)):
        assert (len(train), len(test)) == (n_train, n_test)


def test_repeated_subsample_tests_every_example_equally_often():
    # 1000 draws of 3 out of 30: 100 expected, s.d. 9.5
    cv = RepeatedSubsample(1000, random_state=0)
    counts = np.bincount(np.concatenate([test for _, test in cv.split(X)]))
    assert counts.sum() == 3000
    assert np.all(np.abs(counts - 100) < 4 * 9.5)


def test_repeated_subsample_stratify_keeps_proportions():
    y = np.repeat([0, 1, 2], [60, 30, 10])
    for train, test in RepeatedSubsample(5, stratify=True, random_state=0).split(y, y):
        assert Counter(y[test].tolist()) == {0: 6, 1: 3, 2: 1}
        assert Counter(y[train].tolist()) == {0: 54, 1: 27, 2: 9}


# FiveByTwo --------------------------------------------------------------------


@pytest.mark.parametrize("n_samples", [N, N + 1])
@pytest.mark.parametrize("stratify", [False, True])
def test_five_by_two_runs_are_pairs_of_complementary_halves(n_samples, stratify):
    y = np.arange(n_samples) % 2
    splits = list(FiveByTwo(stratify=stratify, random_state=0).split(y, y))
    for (train1, test1), (train2, test2) in zip(splits[::2], splits[1::2], strict=True):
        np.testing.assert_array_equal(np.sort(train1), np.sort(test2))
        np.testing.assert_array_equal(np.sort(test1), np.sort(train2))
        assert sorted([*test1, *test2]) == list(range(n_samples))
        assert abs(len(test1) - len(test2)) <= 1


def test_five_by_two_replications_differ():
    firsts = [tuple(test) for _, test in FiveByTwo(random_state=0).split(X)][::2]
    assert len(set(firsts)) == 5


@pytest.mark.parametrize(
    ("stratify", "reference"), [(False, RepeatedKFold), (True, RepeatedStratifiedKFold)]
)
def test_five_by_two_equals_repeated_two_fold_of_the_seed(stratify, reference):
    theirs = reference(n_splits=2, n_repeats=5, random_state=0)
    ours = FiveByTwo(stratify=stratify, random_state=0)
    assert equal_splits(list(ours.split(X, Y)), list(theirs.split(X, Y)))


def test_five_by_two_stratify_keeps_proportions():
    y = np.repeat([0, 1], [20, 10])
    for train, test in FiveByTwo(stratify=True, random_state=0).split(y, y):
        assert np.bincount(y[train]).tolist() == np.bincount(y[test]).tolist()


def test_five_by_two_of_one_example_raises():
    with pytest.raises(ValueError, match="1"):
        list(FiveByTwo().split(np.zeros(1)))


# PairedHalves -----------------------------------------------------------------


def runs_of(splits, n_splits):
    return [
        splits[start : start + n_splits] for start in range(0, len(splits), n_splits)
    ]


def union(run):
    return np.unique(np.concatenate([part for split in run for part in split]))


@pytest.mark.parametrize(
    "cv",
    [
        BlockKFold(3, random_state=0),
        BlockKFold(3, shuffle=False),
        BlockKFold(3, stratify=True, random_state=0),
        RepeatedSubsample(4, random_state=0),
        RepeatedSubsample(4, test_size=0.2, train_size=0.3, random_state=0),
    ],
)
def test_paired_halves_begins_with_the_splits_of_cv(cv):
    first = list(cv.split(X, Y))
    splits = list(PairedHalves(cv, 2, random_state=1).split(X, Y))
    assert equal_splits(splits[: len(first)], first)


@pytest.mark.parametrize("n_samples", [N, N + 1])
@pytest.mark.parametrize("stratify", [False, True])
@pytest.mark.parametrize("cv", [BlockKFold(3), RepeatedSubsample(40, test_size=5)])
def test_paired_halves_are_disjoint_and_of_floor_half_the_size(cv, n_samples, stratify):
    y = np.arange(n_samples) % 2
    halver = PairedHalves(cv, 4, stratify=stratify, random_state=0)
    runs = runs_of(list(halver.split(y, y)), cv.get_n_splits())
    assert len(runs) == 9
    for first, second in zip(runs[1::2], runs[2::2], strict=True):
        assert len(union(first)) == len(union(second)) == n_samples // 2
        assert not set(union(first)) & set(union(second))


@pytest.mark.parametrize("n_samples", [N, N + 1, N + 3])
def test_paired_halves_of_block_kfold_makes_k_folds_of_each_half(n_samples):
    halver = PairedHalves(BlockKFold(4), 2, random_state=0)
    for run in runs_of(list(halver.split(np.zeros(n_samples))), 4)[1:]:
        tested = np.concatenate([test for _, test in run])
        sizes = [len(test) for _, test in run]
        np.testing.assert_array_equal(np.sort(tested), union(run))
        assert max(sizes) - min(sizes) <= 1
        for train, test in run:
            np.testing.assert_array_equal(np.sort([*train, *test]), union(run))


@pytest.mark.parametrize("n_samples", [40, 41, 49])
@pytest.mark.parametrize("test_size", [0.1, 0.33, 1, 7])
def test_paired_halves_of_subsamples_keeps_the_number_of_test_examples(
    n_samples, test_size
):
    # [NB99] section 3: n2 as in the whole sample, n1' = floor(n/2) - n2
    cv = RepeatedSubsample(3, test_size=test_size)
    splits = list(PairedHalves(cv, 2).split(np.zeros(n_samples)))
    n_test = len(splits[0][1])
    assert {len(test) for _, test in splits} == {n_test}
    assert {len(train) for train, _ in splits[:3]} == {n_samples - n_test}
    assert {len(train) for train, _ in splits[3:]} == {n_samples // 2 - n_test}


@pytest.mark.parametrize(
    ("train_size", "whole", "half"),
    [(0.25, 10, 10), (5, 5, 5), (0.75, 30, 16), (16, 16, 16), (17, 17, 16)],
)
def test_paired_halves_of_subsamples_never_trains_on_more_than_asked(
    train_size, whole, half
):
    cv = RepeatedSubsample(2, test_size=4, train_size=train_size)
    sizes = [len(train) for train, _ in PairedHalves(cv, 1).split(np.zeros(40))]
    assert sizes == [whole] * 2 + [half] * 4


def test_paired_halves_halvings_differ():
    halver = PairedHalves(BlockKFold(2, random_state=0), 5, random_state=0)
    runs = runs_of(list(halver.split(X)), 2)
    assert len({tuple(union(run)) for run in runs[1:]}) == 10


def test_paired_halves_halvings_are_uniform():
    # Each pair of examples is in the same half with probability (n/2-1)/(n-1).
    halver = PairedHalves(BlockKFold(2), 2000, random_state=0)
    halves = [union(run) for run in runs_of(list(halver.split(np.zeros(6))), 2)[1:]]
    together = np.mean([{0, 1} <= set(half) for half in halves]) * 2
    assert together == pytest.approx(2 / 5, abs=4 * np.sqrt(0.24 / 2000))


def test_paired_halves_of_an_odd_sample_leaves_every_example_out_sometimes():
    halver = PairedHalves(RepeatedSubsample(1, test_size=1), 200, random_state=0)
    runs = runs_of(list(halver.split(np.zeros(7))), 1)[1:]
    left_out = {
        (set(range(7)) - {*union(a), *union(b)}).pop()
        for a, b in zip(runs[::2], runs[1::2], strict=True)
    }
    assert left_out == set(range(7))


def test_paired_halves_seeds_halvings_and_cv_apart():
    splits = [
        list(PairedHalves(BlockKFold(2, random_state=a), 1, random_state=b).split(X))
        for a, b in [(0, 0), (0, 1), (1, 0)]
    ]
    assert equal_splits(splits[0][:2], splits[1][:2])
    assert not np.array_equal(union(splits[0][2:4]), union(splits[1][2:4]))
    assert not equal_splits(splits[0][:2], splits[2][:2])
    np.testing.assert_array_equal(union(splits[0][2:4]), union(splits[2][2:4]))


def test_paired_halves_stratify_keeps_proportions_in_the_halves():
    y = np.repeat([0, 1], [24, 12])
    halver = PairedHalves(BlockKFold(3), 5, stratify=True, random_state=0)
    for run in runs_of(list(halver.split(y, y)), 3)[1:]:
        assert np.bincount(y[union(run)]).tolist() == [12, 6]


@pytest.mark.parametrize(
    ("cv", "n_tested"),
    [
        (BlockKFold(3, stratify=True), [4, 2]),
        (RepeatedSubsample(3, test_size=6, stratify=True), [4, 2]),
    ],
)
def test_paired_halves_stratified_cv_keeps_proportions_inside_the_halves(cv, n_tested):
    y = np.repeat([0, 1], [24, 12])
    halver = PairedHalves(cv, 3, stratify=True, random_state=0)
    for _, test in list(halver.split(y, y))[3:]:
        assert np.bincount(y[test]).tolist() == n_tested


@pytest.mark.parametrize(
    "halver",
    [
        PairedHalves(BlockKFold(3), stratify=True),
        PairedHalves(BlockKFold(3, stratify=True)),
        PairedHalves(RepeatedSubsample(3, stratify=True)),
    ],
)
def test_paired_halves_stratified_anywhere_needs_y(halver):
    with pytest.raises(ValueError, match=message("y")):
        list(halver.split(X))


@pytest.mark.parametrize(
    ("cv", "n_samples"),
    [
        (BlockKFold(5), 9),
        (BlockKFold(2), 3),
        (RepeatedSubsample(test_size=5), 10),
        (RepeatedSubsample(test_size=5), 11),
        (RepeatedSubsample(test_size=0.5), 40),
        (RepeatedSubsample(test_size=0.6, train_size=0.1), 40),
    ],
)
def test_paired_halves_too_small_a_half_raises(cv, n_samples):
    with pytest.raises(ValueError, match=r"must be|will be empty|should be"):
        list(PairedHalves(cv).split(np.zeros(n_samples)))


@pytest.mark.parametrize(
    ("cv", "n_samples"),
    [(BlockKFold(5), 10), (RepeatedSubsample(test_size=4), 10), (BlockKFold(2), 5)],
)
def test_paired_halves_smallest_possible_half_works(cv, n_samples):
    halver = PairedHalves(cv, 2)
    assert len(list(halver.split(np.zeros(n_samples)))) == halver.get_n_splits()


def test_paired_halves_leaves_its_cv_unchanged():
    cv = RepeatedSubsample(3, random_state=0)
    before = repr(cv)
    halver = PairedHalves(cv, 2, random_state=0)
    list(halver.split(X))
    assert halver.cv is cv
    assert repr(cv) == before


# The declared design ----------------------------------------------------------


@pytest.mark.parametrize(
    ("cv", "design"),
    [
        (BlockKFold(7), Design("k-fold", 7)),
        (BlockKFold(7, n_repeats=3), Design("repeated k-fold", 7, 3)),
        (BlockKFold(2, n_repeats=5), Design("5x2", 2, 5)),
        (RepeatedSubsample(3), Design("subsample", 3)),
        (RepeatedSubsample(1), Design("holdout", 1)),
        (FiveByTwo(), Design("5x2", 2, 5)),
        (PairedHalves(BlockKFold(7), 3), Design("paired halves", 7, 1, "k-fold", 3)),
        (
            PairedHalves(RepeatedSubsample(3), 4),
            Design("paired halves", 3, 1, "subsample", 4),
        ),
    ],
)
def test_splitter_declares_its_design(cv, design):
    assert cv.get_design() == design


@pytest.mark.parametrize("make", [m for m in MAKERS if m is not FiveByTwo])
def test_splitter_design_follows_changed_attributes(make):
    cv = make()
    changed = getattr(cv, "cv", cv)
    setattr(changed, "n_splits" if hasattr(changed, "n_splits") else "n_repeats", 2)
    assert cv.get_design().n_splits == 2
    assert len(list(cv.split(X, Y))) == cv.get_n_splits()


@pytest.mark.parametrize("Splitter", [FiveByTwo, BlockKFold, RepeatedSubsample])
def test_one_example_cannot_be_split(Splitter):
    with pytest.raises(ValueError, match=r"must be|n_samples=1"):
        list(Splitter().split(np.zeros((1, 2))))


def test_a_model_is_no_data():
    with pytest.raises(TypeError, match=r"^`X` must be an array or a table"):
        next(BlockKFold(5).split(make_pipeline(StandardScaler(), DummyClassifier())))
