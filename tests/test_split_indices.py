"""Lists of splits: checked, hashed, and their design recognised, whoever made them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    LeavePGroupsOut,
    LeavePOut,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
)

from sklearn_cvtest import (
    BlockKFold,
    CVLosses,
    FiveByTwo,
    PairedHalves,
    RepeatedSubsample,
    cross_val_losses,
)
from sklearn_cvtest._splits._indices import (
    ComplementSplit,
    check_splits,
    recognise_design,
    split_digest,
    train_size,
)
from sklearn_cvtest.results import Design

MOST_CASES = 1000  # that the suite runs of a test, see conftest.py
N = 24
X = np.arange(2.0 * N).reshape(N, 2)
Y = np.tile([0, 1], N // 2)
GROUPS = np.repeat(np.arange(6), 4)
UNEQUAL_GROUPS = np.repeat([0, 1, 2], [18, 4, 2])
EVERYTHING = np.arange(N)


def losses_of(cv, groups=None):
    return cross_val_losses(DummyClassifier(), X, Y, cv=cv, groups=groups)


def recognised(splits, n_samples=N):
    return recognise_design(check_splits(splits, n_samples), n_samples)


def complements(test_sets, n_samples=N):
    everything = np.arange(n_samples)
    return [(np.setdiff1d(everything, test), np.asarray(test)) for test in test_sets]


def bootstrap(n_splits):
    rng = np.random.RandomState(0)
    for _ in range(n_splits):
        train = rng.choice(N, N)
        yield train, np.setdiff1d(EVERYTHING, train)


# Splitters of scikit-learn ----------------------------------------------------

SCIKIT_LEARN = [
    (KFold(5), Design("k-fold", 5)),
    (KFold(7, shuffle=True, random_state=0), Design("k-fold", 7)),
    (KFold(2), Design("k-fold", 2)),
    (KFold(10), Design("k-fold", 10)),
    (StratifiedKFold(4), Design("k-fold", 4)),
    (LeaveOneOut(), Design("k-fold", N)),
    (LeavePOut(1), Design("k-fold", N)),
    (GroupKFold(4), Design("k-fold", 4)),
    (StratifiedGroupKFold(3), Design("k-fold", 3)),
    (LeaveOneGroupOut(), Design("k-fold", 6)),
    (PredefinedSplit(GROUPS), Design("k-fold", 6)),
    (PredefinedSplit(UNEQUAL_GROUPS), Design("k-fold", 3)),
    (RepeatedKFold(n_splits=4, n_repeats=3), Design("repeated k-fold", 4, 3)),
    (RepeatedKFold(n_splits=5, n_repeats=1), Design("k-fold", 5)),
    (RepeatedKFold(n_splits=2, n_repeats=4), Design("repeated k-fold", 2, 4)),
    (RepeatedKFold(n_splits=2, n_repeats=6), Design("repeated k-fold", 2, 6)),
    (RepeatedKFold(n_splits=5, n_repeats=2), Design("repeated k-fold", 5, 2)),
    (RepeatedKFold(n_splits=2, n_repeats=5), Design("5x2", 2, 5)),
    (RepeatedStratifiedKFold(n_splits=3, n_repeats=2), Design("repeated k-fold", 3, 2)),
    (RepeatedStratifiedKFold(n_splits=2, n_repeats=5), Design("5x2", 2, 5)),
    (ShuffleSplit(6, test_size=0.2, random_state=0), Design("subsample", 6)),
    (
        ShuffleSplit(6, test_size=0.1, train_size=0.5, random_state=0),
        Design("subsample", 6),
    ),
    (ShuffleSplit(10, test_size=0.5, random_state=0), Design("subsample", 10)),
    (ShuffleSplit(1), Design("holdout", 1)),
    (StratifiedShuffleSplit(6, random_state=0), Design("subsample", 6)),
    (GroupShuffleSplit(6, random_state=0), Design("subsample", 6)),
    (LeavePOut(2), Design("subsample", N * (N - 1) // 2)),
    (LeavePGroupsOut(2), Design("subsample", 15)),
    (PredefinedSplit(np.maximum(GROUPS - 3, -1)), Design("subsample", 3)),
    (PredefinedSplit(np.where(GROUPS == 0, 0, -1)), Design("holdout", 1)),
    (TimeSeriesSplit(5), Design("time series", 5)),
    (TimeSeriesSplit(5, max_train_size=4, gap=1), Design("time series", 5)),
    (TimeSeriesSplit(2, test_size=2), Design("time series", 2)),
]


@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.FewExamplesWarning")
@pytest.mark.parametrize(("cv", "design"), SCIKIT_LEARN)
def test_cross_val_losses_design_of_scikit_learn_splitter(cv, design):
    groups = GROUPS if "Group" in type(cv).__name__ else None
    assert losses_of(cv, groups).design == design


@pytest.mark.parametrize(("cv", "design"), SCIKIT_LEARN)
def test_recognise_design_of_scikit_learn_splitter(cv, design):
    groups = GROUPS if "Group" in type(cv).__name__ else None
    assert recognised(cv.split(X, Y, groups)) == design


def test_recognise_design_of_unequal_group_subsamples_is_other():
    # Training on 20, 6 and 22 examples is not one learning problem.
    cv = LeavePGroupsOut(1)
    splits = [*cv.split(X, Y, UNEQUAL_GROUPS), *cv.split(X, Y, UNEQUAL_GROUPS)][1:5]
    assert recognised(splits).kind == "other"


@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.FewExamplesWarning")
def test_cross_val_losses_sizes_are_actual_lengths():
    losses = losses_of(LeaveOneGroupOut(), UNEQUAL_GROUPS)
    assert losses.n_test.tolist() == [18, 4, 2]
    assert losses.n_train.tolist() == [6, 20, 22]
    assert losses.n_samples == N


# Our splitters ----------------------------------------------------------------

OURS = [
    BlockKFold(5),
    BlockKFold(5, shuffle=False),
    BlockKFold(5, n_repeats=2),
    RepeatedSubsample(4),
    RepeatedSubsample(1),
    FiveByTwo(stratify=True),
]


@pytest.mark.parametrize("cv", OURS)
def test_cross_val_losses_design_is_what_our_splitter_declares(cv):
    assert losses_of(cv).design == cv.get_design()


@pytest.mark.parametrize("cv", OURS)
def test_recognise_design_agrees_with_what_our_splitter_declares(cv):
    assert recognised(cv.split(X, Y)) == cv.get_design()


@pytest.mark.parametrize("cv", [BlockKFold(3), RepeatedSubsample(4)])
def test_cross_val_losses_design_of_paired_halves(cv):
    base = cv.get_design()
    expected = Design("paired halves", base.n_splits, 1, base.kind, 2)
    assert losses_of(PairedHalves(cv, 2)).design == expected


@pytest.mark.parametrize("cv", [BlockKFold(3), RepeatedSubsample(4)])
def test_recognise_design_of_bare_indices_of_paired_halves_is_other(cv):
    # Training sets of n and of n/2 examples; only PairedHalves knows the pairs.
    assert recognised(PairedHalves(cv, 2).split(X)).kind == "other"


@pytest.mark.parametrize(
    ("cv", "design"),
    [
        (None, Design("repeated k-fold", 5, 2)),
        (5, Design("k-fold", 5)),
        (np.int64(5), Design("k-fold", 5)),
    ],
)
def test_cross_val_losses_design_of_default_and_integer_cv(cv, design):
    assert losses_of(cv).design == design


@pytest.mark.parametrize(
    "cv",
    [
        np.int64(3),
        BlockKFold(np.int64(3)),
        RepeatedSubsample(np.int64(3)),
        PairedHalves(BlockKFold(3), np.int64(2)),
    ],
)
def test_design_of_numpy_integers_can_be_saved(cv, tmp_path):
    losses = losses_of(cv)
    losses.save(tmp_path / "losses")
    assert CVLosses.load(tmp_path / "losses").design == losses.design


# Iterables --------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrap",
    [
        list,
        tuple,
        iter,
        lambda splits: (split for split in splits),
        lambda splits: [list(split) for split in splits],
        lambda splits: [(a.tolist(), b.tolist()) for a, b in splits],
        lambda splits: [(a.astype(np.uint8), b.astype(np.int16)) for a, b in splits],
        lambda splits: [(pd.Index(a), pd.Series(b)) for a, b in splits],
        lambda splits: [(np.isin(EVERYTHING, a), b) for a, b in splits],
        lambda splits: [tuple(np.isin(EVERYTHING, s).tolist() for s in ab)
                        for ab in splits],
        lambda splits: [(a[::-1], b[::-1]) for a, b in splits],
        lambda splits: splits[::-1],
    ],
)  # fmt: skip
def test_cross_val_losses_recognises_k_fold_from_an_iterable(wrap):
    splits = list(KFold(5, shuffle=True, random_state=0).split(X))
    assert losses_of(wrap(splits)).design == Design("k-fold", 5)


def test_cross_val_losses_of_masks_equal_those_of_indices():
    splits = list(KFold(4).split(X))
    masks = [(np.isin(EVERYTHING, a), np.isin(EVERYTHING, b)) for a, b in splits]
    assert losses_of(masks).split_hash == losses_of(splits).split_hash
    np.testing.assert_array_equal(losses_of(masks).losses, losses_of(splits).losses)


def test_cross_val_losses_index_of_full_length_is_no_mask():
    # All training indices given as 0/1 integers would be a mask only by misreading.
    with pytest.raises(ValueError, match="disjoint"):
        losses_of([(np.r_[np.zeros(12, int), np.ones(12, int)], [0, 1])])


def test_cross_val_losses_one_split_is_a_holdout():
    assert losses_of([(EVERYTHING[6:], EVERYTHING[:6])]).design == Design("holdout", 1)


@pytest.mark.parametrize(
    "splits",
    [
        list(bootstrap(5)),
        [(EVERYTHING[5:], [0, 0, 1]), (EVERYTHING[:5], [7, 8, 9])],
        [(EVERYTHING[::2], EVERYTHING[1::2])] * 3,
        [([1, 2, 23], [9, 10, 11, 12]), ([4, 5, 22], [12, 11, 10, 9])],
        [(EVERYTHING[8:], [0, 1]), ([0, 1, 2], [8, 9, 10])],
        [([3, 3], [1])],
    ],
    ids=[
        "bootstrap",
        "repeated test examples",
        "one split repeated",
        "one test set",
        "training sets of very different sizes",
        "one bootstrap split",
    ],
)
def test_recognise_design_other(splits):
    assert recognised(splits) == Design("other", len(splits))


def test_recognise_design_of_expanding_windows_to_one_test_set_is_other():
    # A learning curve, tested on the same examples again and again.
    splits = [(EVERYTHING[:k], EVERYTHING[20:]) for k in (5, 10, 15)]
    assert recognised(splits).kind == "other"


def test_recognise_design_of_a_rolling_window_on_newest_first_data_is_other():
    forward = TimeSeriesSplit(5, max_train_size=4).split(X)
    backward = [(N - 1 - train, N - 1 - test) for train, test in forward]
    assert recognised(backward).kind == "other"


def test_recognise_design_training_set_short_of_one_example_is_no_k_fold():
    splits = list(KFold(4).split(X))
    splits[2] = (splits[2][0][1:], splits[2][1])
    assert recognised(splits) == Design("subsample", 4)


def test_recognise_design_incomplete_k_fold_is_no_k_fold():
    assert recognised(list(KFold(6).split(X))[:5]) == Design("subsample", 5)


def test_recognise_design_k_fold_with_a_repeated_fold_is_no_k_fold():
    splits = list(KFold(6).split(X))
    assert recognised([*splits, splits[0]]) == Design("subsample", 7)


def test_recognise_design_runs_of_different_k_are_no_repeated_k_fold():
    splits = [*KFold(4).split(X), *KFold(6).split(X)]
    assert recognised(splits) == Design("subsample", 10)


def test_recognise_design_interleaved_runs_are_no_repeated_k_fold():
    runs = [list(KFold(4, shuffle=True, random_state=s).split(X)) for s in (0, 1)]
    interleaved = [split for pair in zip(*runs, strict=True) for split in pair]
    assert recognised(interleaved) == Design("subsample", 8)


@st.composite
def runs_of_folds(draw):
    """R partitions of 0 ... n - 1 into K non-empty blocks of any sizes."""
    n_samples = draw(st.integers(3, 15))
    n_folds = draw(st.integers(2, n_samples))
    n_repeats = draw(st.integers(1, 5))
    test_sets = []
    for _ in range(n_repeats):
        order = draw(st.permutations(range(n_samples)))
        cuts = draw(
            st.sets(
                st.integers(1, n_samples - 1),
                min_size=n_folds - 1,
                max_size=n_folds - 1,
            )
        )
        test_sets += np.split(np.array(order), sorted(cuts))
    return n_samples, n_folds, n_repeats, complements(test_sets, n_samples)


def naive_folds_per_run(splits, n_samples):
    everything = list(range(n_samples))
    for k in range(2, len(splits) + 1):
        runs = [splits[start : start + k] for start in range(0, len(splits), k)]
        if all(
            len(run) == k
            and sorted(i for _, test in run for i in test) == everything
            and all(sorted([*train, *test]) == everything for train, test in run)
            for run in runs
        ):
            return k
    return None


@given(runs_of_folds())
@settings(max_examples=80, deadline=None)
def test_recognise_design_of_any_repeated_partition(case):
    n_samples, n_folds, n_repeats, splits = case
    expected = Design("repeated k-fold", n_folds, n_repeats)
    if n_repeats == 1:
        expected = Design("k-fold", n_folds)
    elif (n_folds, n_repeats) == (2, 5):
        expected = Design("5x2", 2, 5)
    assert recognised(splits, n_samples) == expected


@given(runs_of_folds(), st.data())
@settings(max_examples=80, deadline=None)
def test_recognise_design_agrees_with_a_naive_search_for_folds(case, data):
    n_samples, _, _, splits = case
    order = data.draw(st.permutations(range(len(splits))))
    keep = data.draw(st.integers(2, len(splits)))
    splits = [splits[position] for position in order[:keep]]
    k = naive_folds_per_run(splits, n_samples)
    design = recognised(splits, n_samples)
    if k is None:
        is_forward = all(train.max() < test.min() for train, test in splits)
        kinds = ("subsample", "other", *["time series"] * is_forward)
        assert design.kind in kinds
        assert design.n_splits == len(splits)
    else:
        assert design.kind in ("k-fold", "repeated k-fold", "5x2")
        assert (design.n_splits, design.n_repeats) == (k, len(splits) // k)


@given(runs_of_folds(), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_recognise_design_of_folds_does_not_depend_on_labels_and_order(case, random):
    n_samples, _, _, splits = case
    label = np.array(random.sample(range(n_samples), n_samples))
    moved = [
        tuple(label[random.sample(part.tolist(), len(part))] for part in split)
        for split in splits
    ]
    assert recognised(moved, n_samples) == recognised(splits, n_samples)


@given(st.integers(0, 2**32 - 1), st.integers(3, 40), st.integers(2, 12))
@settings(max_examples=40, deadline=None)
def test_recognise_design_of_random_subsamples(seed, n_samples, n_splits):
    cv = ShuffleSplit(n_splits, test_size=0.3, random_state=seed)
    splits = list(cv.split(np.zeros(n_samples)))
    distinct = {tuple(sorted(test)) for _, test in splits}
    ordered = all(train.max() < test.min() for train, test in splits)
    backward = all(train.min() > test.max() for train, test in splits)
    partition = naive_folds_per_run(splits, n_samples) is not None
    assume(len(distinct) > 1 and not (ordered or backward or partition))
    assert recognised(splits, n_samples) == Design("subsample", n_splits)


# Splits that are none ---------------------------------------------------------


@pytest.mark.parametrize(
    ("split", "where", "error"),
    [
        (([0, 1], [1, 2]), "split 1", ValueError),
        (([], [1]), "training set of split 1", ValueError),
        (([1], []), "test set of split 1", ValueError),
        ((np.zeros(N, bool), [1]), "training set of split 1", ValueError),
        (([0, N], [1]), "training set of split 1", ValueError),
        (([0], [N]), "test set of split 1", ValueError),
        (([0], [-1]), "test set of split 1", ValueError),
        (([-N, 0], [1]), "training set of split 1", ValueError),
        (([0.0, 1.0], [2]), "training set of split 1", TypeError),
        (([0], [np.nan]), "test set of split 1", TypeError),
        (([0], ["b"]), "test set of split 1", TypeError),
        (([0], None), "test set of split 1", TypeError),
        ((0, [1]), "training set of split 1", TypeError),
        (([[0, 2]], [1]), "training set of split 1", TypeError),
        (([0], [[1], [2, 3]]), "test set of split 1", TypeError),
        ((np.ones(N - 1, bool), [1]), "training set of split 1", TypeError),
        (([2**70], [1]), "training set of split 1", TypeError),
    ],
)
def test_cross_val_losses_bad_split_raises_saying_where(split, where, error):
    good = (EVERYTHING[6:], EVERYTHING[:6])
    with pytest.raises(error, match=rf"^`cv` must .+; .*{where}.*\.$"):
        losses_of([good, split])


@pytest.mark.parametrize("part", [0, 1])
def test_check_splits_error_of_overlap_counts_examples(part):
    split = [EVERYTHING[:12], EVERYTHING[12:]]
    split[part] = np.r_[split[part], split[1 - part][:3]]
    with pytest.raises(ValueError, match="got 3 examples in both in split 0"):
        check_splits([split], N)


def test_check_splits_returns_index_arrays():
    mask = np.arange(5) < 3
    [(train, test)] = check_splits([(mask, [4, 3])], 5)
    assert train.tolist() == [0, 1, 2]
    assert test.tolist() == [4, 3]
    assert train.dtype == test.dtype == np.intp


# Splitters that lie -----------------------------------------------------------


class LyingKFold(KFold):
    def get_n_splits(self, X=None, y=None, groups=None):
        return 3


class FirstBlocks(BlockKFold):
    def split(self, X, y=None, groups=None):
        return list(super().split(X, y))[:4]


class OnlySplit:
    """What cross_validate needs at least: a split method."""

    def split(self, X, y=None, groups=None):
        return iter(list(ShuffleSplit(6, random_state=0).split(X)))


def test_cross_val_losses_does_not_believe_get_n_splits():
    losses = losses_of(LyingKFold(6))
    assert losses.design == Design("k-fold", 6)
    assert len(losses.n_test) == 6


def test_cross_val_losses_does_not_believe_a_design_of_other_splits():
    assert losses_of(FirstBlocks(6)).design == Design("subsample", 4)


def test_cross_val_losses_needs_no_get_n_splits():
    assert losses_of(OnlySplit()).design == Design("subsample", 6)


# split_digest -----------------------------------------------------------------


def digest(*splits):
    return split_digest(check_splits(splits, 10))


def test_split_digest_depends_on_indices_alone():
    splits = [([1, 2], [3]), ([4], [5, 6])]
    small = [tuple(np.array(part, np.int8) for part in split) for split in splits]
    assert digest(*splits) == digest(*small)


@pytest.mark.parametrize(
    "splits",
    [
        [([1], [2, 3]), ([4], [5, 6])],
        [([2, 1], [3]), ([4], [5, 6])],
        [([4], [5, 6]), ([1, 2], [3])],
        [([1, 2], [3]), ([4], [5, 7])],
        [([1, 2], [3])],
        [([1, 2], [3]), ([4, 5], [6])],
    ],
)
def test_split_digest_differs_where_the_splits_do(splits):
    assert digest(*splits) != digest(([1, 2], [3]), ([4], [5, 6]))


def test_a_complement_is_the_pair_that_it_stands_for():
    pair = np.array([0, 2, 3, 5]), np.array([4, 1])
    complement = ComplementSplit(pair[1], 6)
    train, test = complement
    assert train.tolist() == pair[0].tolist()
    assert test is pair[1]
    assert train_size(complement) == train_size(pair) == 4
    assert split_digest([complement]) == split_digest([pair])


@pytest.mark.parametrize(
    "pair",
    [
        ([0, 3, 2, 5], [4, 1]),  # in another order
        ([0, 2, 3], [4, 1]),  # less
        ([0, 2, 3, 6], [4, 1]),
        ([0, 2, 3, 5, 6], [4, 1]),  # of a larger sample
        ([0, 2, 3, 5], [1, 4]),
        ([0, 2, 3], [4, 1, 1]),
    ],
)
def test_split_digest_tells_others_from_a_complement(pair):
    complement = ComplementSplit(np.array([4, 1]), 6)
    assert split_digest([complement]) != digest(pair)
