"""Which estimators of a Comparison are told apart, and which are tied."""

import itertools
import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import FitFailedWarning

from sklearn_cvtest import (
    BlockKFold,
    Comparison,
    EquivalenceTest,
    KFoldTTest,
    PairedHalves,
    cross_val_losses,
)
from sklearn_cvtest._pairs import _ranking
from sklearn_cvtest._pairs._ranking import letter_display


class Column(RegressorMixin, BaseEstimator):
    """Predicts a column of X: with y = 0 and absolute errors, its losses are X."""

    def __init__(self, column=0, fails=False):
        self.column = column
        self.fails = fails

    def fit(self, X, y):
        if self.fails:
            raise RuntimeError("broken on purpose")
        return self

    def predict(self, X):
        return X[:, self.column]


def compare(means, *, fails="", cv=None, scoring=None, **options):
    """Compare estimators a, b, ... of these mean losses, the same noise in each."""
    rng = np.random.default_rng(0)
    X = 9 + np.array(means) + rng.normal(0, 0.3, (100, len(means)))
    estimators = {
        name: Column(i, name in fails)
        for i, name in enumerate("abcdefghijklmnopqrstuvwxyz"[: len(means)])
    }
    y = X.mean(axis=1) if scoring else np.zeros(100)
    measure = {"scoring": scoring} if scoring else {"loss": "absolute_error"}
    cv = BlockKFold(10, random_state=0) if cv is None else cv
    losses = cross_val_losses(estimators, X, y, **measure, cv=cv)
    return Comparison(losses, **options)


NAIVE = KFoldTTest(rho=0.0)
CHAIN = compare([0.2, 0.0, 0.17, 2.0], test=KFoldTTest("nadeau-bengio"))


def apart(comparison):
    """Return the pairs told apart, read off the frame."""
    frame = comparison.to_frame()
    rows = frame[frame["pvalue_adjusted"] <= comparison.alpha]
    return {frozenset(pair) for pair in zip(rows["first"], rows["second"], strict=True)}


# Letters ----------------------------------------------------------------------


# Worked by hand. All but one pair of 4 tied: {0,1,2,3} is split by (0, 3) into
# {1,2,3} and {0,1,2}. A chain: only neighbours are tied. 0 apart from all others.
@pytest.mark.parametrize(
    ("n", "pairs", "expected"),
    [
        (1, [], ["a"]),
        (3, [], ["a", "a", "a"]),
        (2, [(0, 1)], ["a", "b"]),
        (4, [(0, 3)], ["a", "ab", "ab", "b"]),
        (4, [(0, 2), (0, 3), (1, 3)], ["a", "ab", "bc", "c"]),
        (3, [(0, 1), (0, 2)], ["a", "b", "b"]),
        (3, [(0, 1), (0, 2), (1, 2)], ["a", "b", "c"]),
        (3, [(0, 1)], ["a", "b", "ab"]),
        # a cycle 0-1-2-3 of ties, which no order of means explains
        (4, [(0, 2), (1, 3)], ["ab", "ac", "cd", "bd"]),
    ],
)
def test_letters_by_hand(n, pairs, expected):
    assert letter_display(n, pairs) == expected


@pytest.mark.parametrize("seed", range(20))
def test_items_share_a_letter_if_and_only_if_they_are_not_apart(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 12))
    every = list(itertools.combinations(range(n), 2))
    pairs = [pair for pair in every if rng.random() < seed / 20]
    letters = letter_display(n, pairs)
    assert all(letters)
    for i, j in every:
        assert bool(set(letters[i]) & set(letters[j])) == ((i, j) not in pairs)


# Beyond so many groups, which could be too many to count, some are enough.
@pytest.mark.parametrize("seed", range(0, 20, 4))
def test_some_groups_say_the_same_as_all(seed, monkeypatch):
    monkeypatch.setattr(_ranking, "MAX_GROUPS", 0)
    test_items_share_a_letter_if_and_only_if_they_are_not_apart(seed)


# Items on a line with gaps that vary: 160 groups of 250, of which the algorithm that
# inserted pair by pair needed minutes.
def test_letters_of_hundreds_take_no_time():
    rng = np.random.default_rng(0)
    means, n = np.sort(rng.normal(size=250)), 250
    gaps = 1 + 0.15 * rng.normal(size=(n, n))
    every = itertools.combinations(range(n), 2)
    pairs = {(i, j) for i, j in every if means[j] - means[i] > gaps[i, j]}
    start = time.process_time()
    groups = _ranking.tied_groups(n, pairs)
    assert time.process_time() - start < 3
    tied = {pair for group in groups for pair in itertools.combinations(group, 2)}
    assert tied == set(itertools.combinations(range(n), 2)) - pairs


def test_letters_do_not_depend_on_the_order_of_pairs():
    pairs = [(0, 2), (0, 3), (1, 3), (2, 3)]
    assert letter_display(4, pairs[::-1]) == letter_display(4, pairs)


# Only neighbours in the chain are tied: n - 1 groups, one letter each.
def test_letters_beyond_z_are_capitals_and_then_numbers():
    pairs = [(i, j) for i in range(60) for j in range(i + 2, 60)]
    letters = letter_display(60, pairs)
    assert letters[0] == "a"
    assert letters[26] == "zA"
    assert letters[52] == "Z(53)"
    assert letters[59] == "(59)"


# The groups {0,3}, {1,4}, {2,5} of ties are also held by those of all "even" items.
def test_groups_that_tell_nothing_are_dropped():
    tied = {(0, 1), (0, 2), (1, 2), (1, 3), (2, 4), (3, 4), (1, 4), (2, 3), (0, 4)}
    pairs = [pair for pair in itertools.combinations(range(5), 2) if pair not in tied]
    letters = letter_display(5, pairs)
    for i, j in itertools.combinations(range(5), 2):
        assert bool(set(letters[i]) & set(letters[j])) == ((i, j) in tied)


def test_letters_of_a_comparison_agree_with_its_frame():
    assert 0 < len(apart(CHAIN)) < 6
    letters = CHAIN.letters()
    for pair in list(CHAIN.tests):
        shared = set(letters[pair[0]]) & set(letters[pair[1]])
        assert bool(shared) == (frozenset(pair) not in apart(CHAIN))


def test_letters_are_by_mean_loss():
    assert CHAIN.letters() == {"b": "a", "c": "ab", "a": "b", "d": "c"}
    assert list(CHAIN.letters()) == ["b", "c", "a", "d"]


# The best -----------------------------------------------------------------------


def test_tied_with_best_are_the_names_of_the_best_set():
    tied = CHAIN.tied_with_best()
    assert tied == CHAIN.best_set().names
    assert tied[0] == "b"
    assert "d" not in tied


@pytest.mark.parametrize("reference", [None, "best", "a"])
def test_the_best_set_does_not_depend_on_the_pairs_compared(reference):
    other = CHAIN.retest(reference=reference, p_adjust="bonferroni")
    assert other.tied_with_best() == CHAIN.best_set().names


def test_reference_best_is_the_best_with_p_of_the_set():
    found = CHAIN.retest(reference="best")
    assert (found.reference, found._reference_is_best) == ("b", True)
    assert list(found.tests) == [("b", "a"), ("b", "c"), ("b", "d")]
    pvalues = found.best_set().pvalues
    assert found.table.pvalue_adjusted.tolist() == [pvalues[name] for name in "acd"]
    assert found.retest(KFoldTTest())._reference_is_best
    assert found.retest(reference="b")._reference_is_best is False


def test_reference_best_of_a_file(tmp_path):
    found = CHAIN.retest(reference="best")
    found.save(tmp_path / "best")
    assert str(Comparison.load(tmp_path / "best")) == str(found)


def test_an_estimator_may_be_called_best():
    losses = compare([1.0, 0.0, 0.5]).losses
    losses = replace(losses, estimator_names=("best", "b", "c"))
    found = Comparison(losses, reference="best")
    assert (found.reference, found._reference_is_best) == ("best", False)
    assert list(found.tests) == [("best", "b"), ("best", "c")]


def test_tests_without_a_best_set_adjust_for_all_pairs():
    options = {"reference": "best", "p_adjust": "bonferroni"}
    found = CHAIN.retest(KFoldTTest(alternative="less"), **options)
    assert_allclose(found.table.pvalue_adjusted, np.minimum(6 * found.table.pvalue, 1))


def test_equal_estimators_are_all_tied():
    losses = compare([0.0, 0.0, 0.0]).losses
    same = type(losses)(
        **{name: getattr(losses, name) for name in losses.__dataclass_fields__}
        | {"losses": losses.values[:, [0, 0, 0]]}
    )
    comparison = Comparison(same)
    assert comparison.best_set().names == ("a", "b", "c")
    assert comparison.letters() == dict.fromkeys("abc", "a")


def test_two_estimators_have_groups():
    assert compare([1.0, 0.0]).best_set().names == ("b",)
    assert compare([1.0, 0.0]).letters() == {"b": "a", "a": "b"}


def test_groups_of_scores_have_the_highest_score_first():
    comparison = compare([0.0, 0.3, 2.0], scoring="neg_mean_squared_error")
    scores = dict(zip("abc", -comparison.losses.mean_losses, strict=True))
    assert comparison.best_set().names[0] == max(scores, key=scores.get)
    assert list(comparison.summary()["mean_score"]) == sorted(
        scores.values(), reverse=True
    )


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"test": None, "reference": "a"}, "all pairs; got reference='a'"),
        ({"test": KFoldTTest(alternative="less")}, "a two-sided test .*'less'"),
        ({"test": KFoldTTest(popmean=0.5)}, "of no difference; got .*popmean=0.5"),
        ({"test": EquivalenceTest(KFoldTTest(), 0.2)}, "got EquivalenceTest"),
    ],
)
def test_groups_need_all_pairs_and_a_winner(options, reason):
    comparison = CHAIN.retest(**options)
    with pytest.raises(ValueError, match=f"`letters` needs .*{reason}"):
        comparison.letters()
    assert "letters" not in str(comparison)
    assert "letters" not in comparison.summary()


# Summary ------------------------------------------------------------------------


def test_summary_has_a_row_per_estimator():
    frame = CHAIN.summary()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == [
        "estimator",
        "mean_loss",
        "std",
        "fit_seconds",
        "rank",
        "letters",
    ]
    assert list(frame["estimator"]) == ["b", "c", "a", "d"]
    assert list(frame["rank"]) == [1, 2, 3, 4]
    blocks = CHAIN.losses.block_losses[:, [1, 2, 0, 3]]
    assert_allclose(frame["mean_loss"], blocks.mean(axis=0))
    assert_allclose(frame["std"], blocks.std(axis=0, ddof=1))
    assert_allclose(
        frame["fit_seconds"], CHAIN.losses.fit_time.sum(axis=0)[[1, 2, 0, 3]]
    )
    assert list(frame["letters"]) == list(CHAIN.letters().values())


def test_summary_of_paired_halves_is_of_the_whole_sample():
    cv = PairedHalves(BlockKFold(4, random_state=0), 2, random_state=0)
    comparison = compare([1.0, 0.0], cv=cv)
    blocks = comparison.losses.block_losses[:4, ::-1]
    assert_allclose(comparison.summary()["mean_loss"], blocks.mean(axis=0))
    assert_allclose(comparison.summary()["std"], blocks.std(axis=0, ddof=1))


def test_estimators_without_losses_come_last():
    with (
        pytest.warns(FitFailedWarning),
    ):
        comparison = compare([1.0, 0.0, 0.0], fails="b")
    frame = comparison.summary()
    assert list(frame["estimator"]) == ["c", "a", "b"]
    assert_allclose(frame["rank"], [1, 2, np.nan])
    assert comparison.best_set().names == ("c",)
    assert list(comparison.letters()) == ["c", "a"]


def test_tables_of_several_estimators_mark_those_without_losses():
    with (
        pytest.warns(FitFailedWarning),
    ):
        comparison = compare([1.0, 0.0, 0.0, 0.1], fails="b")
    line = next(line for line in str(comparison).splitlines() if line[:2] == "b ")
    assert line.split()[1] == "failed"
