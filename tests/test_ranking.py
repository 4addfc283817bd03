"""Which estimators of a Comparison are told apart, and which are tied."""

import time
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import FitFailedWarning

from sklearn_cvtest import (
    BlockKFold,
    Comparison,
    EquivalenceTest,
    FiveByTwo,
    KFoldTTest,
    adjust_pvalues,
    compare_predictions,
    cross_val_losses,
)


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


# Letters ----------------------------------------------------------------------


def test_letters_are_by_mean_loss():
    assert CHAIN.letters() == {"b": "a", "c": "b", "a": "b", "d": "c"}
    assert list(CHAIN.letters()) == ["b", "c", "a", "d"]
    assert list(CHAIN.letters(2)) == ["b", "c"]


@pytest.mark.parametrize("seed", range(6))
def test_who_shares_a_letter_is_not_told_apart_by_the_steps(seed):
    """Each pair has the level of the step at which the first of the two leaves."""
    rng = np.random.default_rng(seed)
    result = compare(rng.uniform(0, 0.4, 9), test=NAIVE)
    letters = result.letters()
    tied = [name for name in letters if set(letters[name]) & set(letters[result.best])]
    assert tuple(tied) == result.best_set().names
    pvalues = result.retest(p_adjust=None).pvalue_
    apart = [p for pair, p in pvalues.items() if not _share(letters, pair)]
    shared = [p for pair, p in pvalues.items() if _share(letters, pair)]
    assert max(apart, default=0) < 0.05
    assert min(shared, default=1) > 0.05 / (9 * 8 / 2)


def _share(letters, pair):
    return bool(set(letters[pair[0]]) & set(letters[pair[1]]))


def test_letters_beyond_z_are_capitals_and_then_numbers():
    y = np.zeros(400)
    rng = np.random.default_rng(0)
    noise = 0.01 * rng.normal(size=(60, 400))
    models = {f"m{k}": 1.0 + k + noise[k] for k in range(60)}
    letters = compare_predictions(y, models, loss="absolute_error").letters()
    assert [letters[f"m{k}"] for k in (0, 25, 26, 51, 52)] == [
        "a",
        "z",
        "A",
        "Z",
        "(53)",
    ]


def test_letters_of_hundreds_take_little_time():
    rng = np.random.default_rng(0)
    y = np.zeros(300)
    models = {f"m{k}": rng.normal(0, 1 + 0.01 * k, 300) for k in range(200)}
    result = compare_predictions(y, models, loss="absolute_error")
    start = time.process_time()
    letters = result.letters()
    assert time.process_time() - start < 5
    assert len(set(letters.values())) > 2


# The best -----------------------------------------------------------------------


@pytest.mark.parametrize("reference", [None, "best", "a"])
def test_the_best_set_does_not_depend_on_the_pairs_compared(reference):
    other = CHAIN.retest(reference=reference, p_adjust="bonferroni")
    assert other.best_set().names == CHAIN.best_set().names


def test_reference_best_is_the_best_with_p_of_the_set():
    found = CHAIN.retest(reference="best")
    assert list(found.tests) == [("b", "a"), ("b", "c"), ("b", "d")]
    pvalues = found.best_set().pvalues
    assert found.table.pvalue_adjusted.tolist() == [pvalues[name] for name in "acd"]


def test_reference_best_of_a_file(tmp_path):
    found = CHAIN.retest(reference="best")
    found.save(tmp_path / "best")
    assert str(Comparison.load(tmp_path / "best")) == str(found)


def test_an_estimator_may_be_called_best():
    losses = replace(compare([1.0, 0.0, 0.5]).losses, names=("best", "b", "c"))
    found = Comparison(losses, reference="best")
    assert list(found.tests) == [("best", "b"), ("best", "c")]


def test_tests_without_a_best_set_adjust_for_the_pairs_with_the_best():
    halves = compare([0.2, 0.0, 0.17], cv=FiveByTwo(random_state=0), reference="best")
    pvalue = halves.table.pvalue
    assert_allclose(halves.table.pvalue_adjusted, adjust_pvalues(pvalue))
    with pytest.raises(ValueError, match="says which is better"):
        halves.best_set()


def test_equal_estimators_are_all_tied():
    losses = compare([0.0, 0.0, 0.0]).losses
    same = replace(losses, values=losses.values[:, [0, 0, 0]])
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


def test_a_test_that_names_no_winner_has_no_letters():
    comparison = CHAIN.retest(EquivalenceTest(KFoldTTest(), 0.2))
    with pytest.raises(ValueError, match="says which is better"):
        comparison.letters()


def test_tables_of_several_estimators_mark_those_without_losses():
    with (
        pytest.warns(FitFailedWarning),
    ):
        comparison = compare([1.0, 0.0, 0.0, 0.1], fails="b")
    line = next(line for line in str(comparison).splitlines() if line[:2] == "b ")
    assert line.split()[1] == "failed"
