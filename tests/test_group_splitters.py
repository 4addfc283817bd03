"""Splitters that are given groups: whole, as equal as they allow, random."""

import time

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import GroupKFold, StratifiedGroupKFold

from sklearn_cvtest import BlockKFold, FiveByTwo, PairedHalves, RepeatedSubsample

RNG = np.random.default_rng(0)
SIZES = RNG.integers(2, 30, 40)
GROUPS = RNG.permutation(np.repeat(np.arange(40), SIZES))
N = len(GROUPS)
X = np.zeros((N, 1))
# Three classes, of other shares in every group.
SHARES = RNG.dirichlet(np.ones(3), 40)
Y = np.array([RNG.choice(3, p=SHARES[group]) for group in GROUPS])

SPLITTERS = [
    BlockKFold(5, random_state=0),
    BlockKFold(5, shuffle=False),
    BlockKFold(5, stratify=True, random_state=0),
    BlockKFold(4, n_repeats=3, random_state=0),
    RepeatedSubsample(6, random_state=0),
    RepeatedSubsample(6, stratify=True, random_state=0),
    RepeatedSubsample(6, test_size=50, train_size=0.4, random_state=0),
    FiveByTwo(random_state=0),
    FiveByTwo(stratify=True, random_state=0),
    PairedHalves(BlockKFold(5, random_state=0), 3, random_state=0),
    PairedHalves(
        RepeatedSubsample(4, random_state=0), 3, stratify=True, random_state=0
    ),
    PairedHalves(
        RepeatedSubsample(4, train_size=0.3, random_state=0), 3, random_state=0
    ),
]
every_splitter = pytest.mark.parametrize("cv", SPLITTERS, ids=lambda cv: repr(cv)[:60])


def split(cv, groups=GROUPS, y=None):
    y = Y if y is None and len(groups) == N else y
    return list(cv.split(np.zeros((len(groups), 1)), y, groups))


def same(first, second):
    return all(
        np.array_equal(a, b)
        for one, other in zip(first, second, strict=True)
        for a, b in zip(one, other, strict=True)
    )


def spread(splits):
    """Return the size of the largest test set less that of the smallest."""
    return np.ptp([len(test) for _, test in splits])


def arrangement(splits, groups):
    """Return the groups tested together."""
    return frozenset(frozenset(groups[test].tolist()) for _, test in splits)


def groups_of(sizes):
    return np.repeat(np.arange(len(sizes)), sizes)


# Whole, and otherwise as without groups ---------------------------------------


@every_splitter
def test_groups_stay_whole(cv):
    splits = split(cv)
    assert len(splits) == cv.get_n_splits()
    for train, test in splits:
        assert len(train)
        assert len(test)
        assert not set(GROUPS[train]) & set(GROUPS[test])
        assert len(np.unique([*train, *test])) == len(train) + len(test)


@every_splitter
def test_groups_of_one_example_are_no_groups(cv):
    assert same(split(cv, RNG.permutation(N)), split(cv, np.arange(N)))
    assert same(split(cv, np.arange(N)), list(cv.split(X, Y)))


@every_splitter
@pytest.mark.parametrize(
    "convert",
    [
        np.ndarray.tolist,
        pd.Series,
        pl.Series,
        lambda g: g.astype(float),
        lambda g: np.char.zfill(g.astype(str), 2),
        lambda g: pd.Series(pd.Categorical(np.char.zfill(g.astype(str), 2))),
        lambda g: np.datetime64("2020") + g,
    ],
)
def test_labels_of_any_type_make_the_same_splits(cv, convert):
    assert same(split(cv), split(cv, convert(GROUPS)))


def test_later_runs_are_the_same_with_groups_and_any_number_of_repeats():
    expected = split(BlockKFold(4, n_repeats=3, random_state=0))
    assert same(expected[:4], split(BlockKFold(4, random_state=0)))
    assert same(expected[:8], split(BlockKFold(4, n_repeats=2, random_state=0)))


# Sizes ------------------------------------------------------------------------


@given(
    sizes=st.lists(st.integers(1, 40), min_size=5, max_size=40),
    n_splits=st.integers(2, 5),
    seed=st.integers(0, 9),
)
@settings(max_examples=60, deadline=None)
def test_blocks_are_as_equal_as_those_of_group_k_fold(sizes, n_splits, seed):
    groups = groups_of(sizes)
    splits = split(BlockKFold(n_splits, random_state=seed), groups)
    theirs = list(GroupKFold(n_splits).split(groups, groups=groups))
    tested = np.sort(np.concatenate([test for _, test in splits]))
    np.testing.assert_array_equal(tested, np.arange(len(groups)))
    # no fold leaves the range of theirs, or 5% (at least a row) around the mean
    sizes, known = ([len(test) for _, test in some] for some in (splits, theirs))
    mean = len(groups) / n_splits
    slack = max(1, 0.05 * mean)
    assert max(sizes) <= max(*known, mean + slack)
    assert min(sizes) >= min(*known, mean - slack)


def test_blocks_of_equal_groups_by_hand():
    # 7 groups of 3 in 3 blocks: 3, 2 and 2 groups
    splits = split(BlockKFold(3, random_state=0), groups_of([3] * 7))
    assert sorted(len(test) for _, test in splits) == [6, 6, 9]


def test_unshuffled_blocks_are_those_of_group_k_fold():
    groups = groups_of([9, 2, 7, 11, 4, 1])  # no two of a size, so no ties
    ours = split(BlockKFold(3, shuffle=False), groups)
    theirs = list(GroupKFold(3).split(groups, groups=groups))
    assert arrangement(ours, groups) == arrangement(theirs, groups)


@pytest.mark.parametrize(
    "sizes", [[10] * 20, range(1, 31), range(10, 301, 10), range(11, 31)]
)
def test_seeds_and_repeats_give_other_blocks(sizes):
    # Largest first alone would give one arrangement where all sizes differ.
    groups = groups_of(sizes)
    splits = split(BlockKFold(5, n_repeats=10, random_state=0), groups)
    runs = [splits[k : k + 5] for k in range(0, 50, 5)]
    assert len({arrangement(run, groups) for run in runs}) == 10


def test_each_group_is_as_often_in_each_block():
    # 300 runs, 4 blocks: 75 expected, s.d. 7.5
    groups = groups_of([8, 7, 5, 4, 3, 3, 2, 2, 1, 1])
    splits = split(BlockKFold(4, n_repeats=300, random_state=0), groups)
    firsts = np.concatenate([np.unique(groups[test]) for _, test in splits[::4]])
    assert np.all(np.abs(np.bincount(firsts) - 75) < 4 * 7.5)


@pytest.mark.parametrize(("test_size", "n_test"), [(0.1, N // 10 + 1), (50, 50)])
def test_subsamples_are_as_near_to_their_size_as_groups_allow(test_size, n_test):
    splits = split(RepeatedSubsample(50, test_size=test_size, random_state=0))
    sizes = np.array([len(test) for _, test in splits])
    assert np.all(np.abs(sizes - n_test) <= 15)  # groups have 2 to 29 rows
    assert abs(sizes.mean() - n_test) < 3
    assert len({test.tobytes() for _, test in splits}) > 45
    assert all(len(train) == N - len(test) for train, test in splits)


def test_subsamples_test_a_group_that_is_too_large_alone():
    groups = groups_of([200, *[10] * 20])
    splits = split(RepeatedSubsample(400, random_state=0), groups)
    with_large = [test for _, test in splits if 0 in test]
    # where it comes first, in one of 21: 19 expected, s.d. 4.3
    assert 5 <= len(with_large) <= 33
    assert {len(test) for test in with_large} == {200}
    assert {len(test) for _, test in splits} <= {10, 20, 30, 40, 200}


def test_subsamples_test_groups_of_all_sizes_equally_often():
    splits = split(RepeatedSubsample(600, test_size=0.2, random_state=0))
    tested = np.concatenate([np.unique(GROUPS[test]) for _, test in splits])
    counts = np.bincount(tested)
    halves = np.split(counts[np.argsort(SIZES)], 2)
    # 120 expected, s.d. 9.8 of one and less than 2.2 of the mean of 20
    assert np.all(np.abs([half.mean() - 120 for half in halves]) < 8)
    assert np.all(np.abs(counts - 120) < 5 * 9.8)


def test_subsamples_train_on_whole_groups_near_train_size():
    cv = RepeatedSubsample(20, test_size=0.2, train_size=0.5, random_state=0)
    for train, _ in split(cv):
        assert abs(len(train) - 0.5 * N) <= 15


def test_subsamples_leave_a_group_to_train_on():
    cv = RepeatedSubsample(5, test_size=0.9, random_state=0)
    for train, _ in split(cv, groups_of([1, 2, 30])):
        assert len(train)


def test_five_by_two_halves_are_equal_and_differ():
    splits = split(FiveByTwo(random_state=0))
    assert spread(splits) <= 2
    assert len({arrangement([one], GROUPS) for one in splits}) == 10


def test_paired_halves_are_halves_of_groups():
    splits = split(PairedHalves(BlockKFold(5), 3, random_state=0))
    seen = [
        set(GROUPS[np.concatenate([test for _, test in splits[k : k + 5]])])
        for k in range(0, 35, 5)
    ]
    assert seen[0] == set(range(40))
    for first, second in zip(seen[1::2], seen[2::2], strict=True):
        assert not first & second
        assert first | second == seen[0]
        assert abs(sum(SIZES[list(first)]) - N / 2) <= 1


# Stratified -------------------------------------------------------------------


def imbalance(splits):
    """Return the mean standard deviation of the shares of classes in test sets."""
    counts = np.array([np.bincount(Y[test], minlength=3) for _, test in splits])
    return (counts / counts.sum(axis=0)).std(axis=0).mean()


@pytest.mark.parametrize("shuffle", [False, True])
def test_stratified_blocks_are_no_worse_than_those_of_scikit_learn(shuffle):
    seed = 0 if shuffle else None
    ours = split(BlockKFold(5, stratify=True, shuffle=shuffle, random_state=seed))
    theirs = StratifiedGroupKFold(5, shuffle=shuffle, random_state=seed)
    theirs = list(theirs.split(X, Y, GROUPS))
    plain = split(BlockKFold(5, shuffle=shuffle, random_state=seed))
    assert imbalance(ours) <= imbalance(theirs)
    assert imbalance(ours) < imbalance(plain) / 2
    assert spread(ours) <= spread(theirs)


def test_stratified_subsamples_keep_shares_of_classes():
    plain, ours = (
        split(RepeatedSubsample(40, test_size=0.2, stratify=stratify, random_state=0))
        for stratify in (False, True)
    )
    share = np.bincount(Y) / N
    errors = [
        np.mean(
            [np.abs(np.bincount(Y[t], minlength=3) / len(t) - share) for _, t in run]
        )
        for run in (plain, ours)
    ]
    assert errors[1] < errors[0] / 2


@pytest.mark.parametrize("labels", [["a", "b"], [False, True]])
def test_classes_may_have_any_labels(labels):
    y = np.arange(12) % 2
    cv = BlockKFold(3, stratify=True, random_state=0)
    groups = np.repeat(np.arange(6), 2)
    assert same(split(cv, groups, y), split(cv, groups, np.array(labels)[y]))


# Refusals ---------------------------------------------------------------------


@pytest.mark.parametrize("stratify", [False, True])
def test_fewer_groups_than_blocks_raises(stratify):
    groups = np.arange(12) % 4
    expected = "`n_splits` must be at most the 4 groups; got 5"
    with pytest.raises(ValueError, match=expected):
        split(BlockKFold(5, stratify=stratify), groups, np.repeat([0, 1], 6))


@pytest.mark.parametrize(
    ("cv", "groups"),
    [
        (RepeatedSubsample(3), [0] * 12),
        (RepeatedSubsample(3, train_size=2), [0, 1] * 6),
        (PairedHalves(BlockKFold(3)), np.arange(12) % 5),
        (PairedHalves(RepeatedSubsample(3)), np.arange(12) % 3),
    ],
)
def test_too_few_groups_raises(cv, groups):
    with pytest.raises(
        ValueError, match=r"at least (\d|two groups)|at most the \d groups"
    ):
        split(cv, np.array(groups), None)


@pytest.mark.parametrize(
    ("groups", "error", "text"),
    [
        (GROUPS[1:], ValueError, f"an array of {N} labels"),
        (np.where(GROUPS == 3, np.nan, GROUPS), ValueError, f"got .{SIZES[3]} missing"),
        ([None, *GROUPS[1:]], ValueError, "got .1 missing"),
        (pd.Series([pd.NA, *GROUPS[1:]], dtype="Int64"), ValueError, "got .1 missing"),
        (np.tile(GROUPS, (2, 1)).T, ValueError, f"an array of {N} labels"),
    ],
)
def test_bad_groups_raise_where_split_is_called(groups, error, text):
    with pytest.raises(error, match=rf"^`groups` must be .*{text}"):
        BlockKFold(3).split(X, Y, groups)


def test_stratify_needs_classes():
    cv = BlockKFold(3, stratify=True)
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        split(cv, y=np.linspace(0.1, 1, N))


def test_stratify_warns_of_a_class_in_few_groups():
    y = (GROUPS < 2).astype(int)
    with pytest.warns(UserWarning, match=r"in y has examples in 2 groups only, fewer"):
        split(BlockKFold(3, stratify=True), y=y)


def test_stratify_refuses_more_blocks_than_examples_of_any_class():
    groups = np.repeat(np.arange(6), 2)
    expected = "`n_splits` must be at most the size of the largest class, 4; got 5"
    with pytest.raises(ValueError, match=expected):
        split(BlockKFold(5, stratify=True), groups, np.arange(12) % 3)
    assert len(split(BlockKFold(4, stratify=True), groups, np.arange(12) % 3)) == 4


def test_time_grows_as_groups_do():
    def seconds(n_groups):
        groups = RNG.integers(0, n_groups, 10 * n_groups)
        start = time.process_time()
        split(BlockKFold(10), groups, None)
        return time.process_time() - start

    assert seconds(20_000) < 40 * seconds(2_000)
