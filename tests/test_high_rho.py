"""The ρ that runs of a repeated K-fold show by what they differ in."""

import warnings
from itertools import combinations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin

from sklearn_cvtest import (
    BlockKFold,
    CorrectedRepeatedKFoldTTest,
    CVResiduals,
    KFoldZTest,
    cross_val_interval,
)
from sklearn_cvtest.exceptions import HighRhoWarning
from sklearn_cvtest.results import Design


def draw(seed, rho, n=60, n_folds=5, n_runs=3, shift=None):
    """Return losses (n_runs, n), which move with the training set, and folds.

    The mean of n values of variance ρ/(1 - ρ), those trained on, is in each loss.
    """
    rng = np.random.default_rng(seed)
    folds = np.array([rng.permutation(np.arange(n) % n_folds) for _ in range(n_runs)])
    influence = np.sqrt(rho / (1 - rho)) * rng.normal(size=n)
    e = rng.normal(size=n) + 0.3 * rng.normal(size=(n_runs, n))
    for of_run, fold in zip(e, folds, strict=True):
        for k in range(n_folds):
            of_run[fold == k] += influence[fold != k].mean()
    return e, folds


def as_residuals(e, folds, groups=None):
    n_runs, n = e.shape
    order = np.argsort(folds, axis=1, kind="stable")
    n_folds = folds.max() + 1
    n_test = np.concatenate([np.bincount(fold) for fold in folds])
    return CVResiduals(
        values=np.take_along_axis(e, order, axis=1).ravel(),
        row_split=np.repeat(np.arange(n_folds * n_runs), n_test),
        n_train=n - n_test,
        n_test=n_test,
        n_samples=n,
        design=Design("repeated k-fold", int(n_folds), n_runs),
        row_index=order.ravel(),
        groups=None if groups is None else groups[order.ravel()],
    )


def by_hand(e, folds):
    """Return ρ and its z by loops over all pairs of runs and of examples."""
    n_runs, n = e.shape
    n_folds, product, weight, variance = folds.max() + 1, 0.0, 0.0, 0.0
    for r, s in combinations(range(n_runs), 2):
        u, mine, fourth = e[r] - e[s], 0.0, 0.0
        for i in range(n):
            for j in set(range(n)) - {i}:
                same = int(folds[r, i] == folds[r, j]) + int(folds[s, i] == folds[s, j])
                c = n_folds * same - 2
                product += c * u[i] * u[j]
                mine += c**2
                fourth += u[i] ** 2 * u[j] ** 2
        weight += mine
        variance += 2 * mine * fourth / (n * (n - 1))
    gamma = n_folds * (n_folds - 2) * product / weight
    theta = np.mean([np.var(run, ddof=1) for run in e]) / n
    z = product / np.sqrt(variance * (1 + (n_runs - 2) / 4))
    return gamma / (max(gamma, 0) + theta), z


def messages(residuals, test):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        test.fit(residuals)
    return [str(w.message) for w in caught if w.category is HighRhoWarning]


@pytest.mark.parametrize("options", [{}, {"n": 43, "n_folds": 3}, {"n_runs": 2}])
def test_is_that_of_loops_over_pairs(options):
    n_told = 0
    for seed in range(8):
        drawn = draw(seed, 0.9, **options)
        rho, z = by_hand(*drawn)
        told = messages(as_residuals(*drawn), KFoldZTest())
        assert bool(told) == (rho > 0.7 and z > 4)
        if told:
            assert f"a ρ of about {rho:.2f} in" in told[0]
        n_told += len(told)
    assert 1 <= n_told <= 7


def test_is_seen_in_ten_runs_where_it_is_high():
    tests = {0.9: CorrectedRepeatedKFoldTTest(), 0.0: KFoldZTest()}
    told = {
        rho: sum(
            len(messages(as_residuals(*draw(seed, rho, 150, 5, 10)), test))
            for seed in range(20)
        )
        for rho, test in tests.items()
    }
    assert told[0.9] >= 15
    assert told[0.0] == 0


def test_is_not_looked_for_in_groups_nor_halves():
    drawn = draw(3, 0.97, n_runs=10)
    assert messages(as_residuals(*drawn), KFoldZTest())
    in_groups = as_residuals(*drawn, groups=np.arange(60) // 2)
    assert not messages(in_groups, KFoldZTest())
    # no two training sets of a run have anything in common
    of_two = as_residuals(*draw(3, 0.97, n_folds=2, n_runs=10))
    assert not messages(of_two, KFoldZTest())


class MeanOfX(RegressorMixin, BaseEstimator):
    """Predicts the mean of the X that it was trained on."""

    def fit(self, X, y):
        self.mean_ = X.mean()
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)


def sum_of_both(y_true, y_pred):
    return y_true + y_pred


@pytest.mark.parametrize(("spread", "is_told"), [(6, 1), (0, 0)])
def test_an_interval_tells_of_it(spread, is_told):
    rng = np.random.default_rng(0)
    X, y = spread * rng.normal(size=(60, 1)), rng.normal(size=60)
    cv = BlockKFold(5, n_repeats=10, random_state=0)
    models = {"first": MeanOfX(), "second": MeanOfX()}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cross_val_interval(models, X, y, loss=sum_of_both, cv=cv)
    told = [str(w.message) for w in caught if w.category is HighRhoWarning]
    assert len(told) == len(caught) == is_told
    for message in told:
        assert "in the residuals of first" in message
        assert "Its interval is too short then. (The same holds for 1 other" in message
