"""The ρ that runs of a repeated K-fold show by what they differ in."""

import re
import warnings
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from sklearn_cvtest import (
    BlockKFold,
    CorrectedRepeatedKFoldTTest,
    CVResiduals,
    IntegratedRhoTest,
    compare_estimators,
    cross_val_interval,
    cross_val_losses,
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
        told = messages(as_residuals(*drawn), IntegratedRhoTest())
        assert bool(told) == (rho > 0.7 and z > 4)
        if told:
            assert f"a ρ of about {rho:.2f}: most of" in told[0]
        n_told += len(told)
    assert 1 <= n_told <= 7


def test_is_seen_in_ten_runs_where_it_is_high():
    tests = {0.9: CorrectedRepeatedKFoldTTest(), 0.0: IntegratedRhoTest()}
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
    assert messages(as_residuals(*drawn), IntegratedRhoTest())
    in_groups = as_residuals(*drawn, groups=np.arange(60) // 2)
    assert not messages(in_groups, IntegratedRhoTest())
    # no two training sets of a run have anything in common
    of_two = as_residuals(*draw(3, 0.97, n_folds=2, n_runs=10))
    assert not messages(of_two, IntegratedRhoTest())


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
        assert message.startswith("IntegratedRhoTest: what the residuals of first")
        assert "Its interval is too short then. (The same holds for 1 other" in message


# Naive Bayes, and variances that few examples decide ------------------------------


def with_marks(n_marks, n_of_first=0, n=200):
    """Return features of two classes; one is 0, but for so many of the second."""
    rng = np.random.default_rng(4)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, 3)) + 0.5 * y[:, np.newaxis]
    mark = np.zeros(n)
    mark[1 : 2 * n_marks : 2] = mark[: 2 * n_of_first : 2] = 1
    return np.column_stack([X, mark, np.ones(n)]), y


def told(run, *args, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = run(*args, **options)
    found = [str(w.message) for w in caught if w.category is HighRhoWarning]
    return result, [message for message in found if "naive Bayes" in message]


def change_by_loops(X, y, added=1e-9):
    """Return how much one more example changes probabilities, one number at a time."""
    ways = []
    for is_more in (False, True):
        logs = np.zeros((len(X), 2))
        for c in (0, 1):
            logs[:, c] += np.log(np.mean(y == c))
            for j in range(X.shape[1]):
                mine = X[y == c, j]
                z, few = (mine - mine.mean()) ** 2, min(2.6, len(mine) / 8)
                variance = z.mean() + added * X.var(axis=0).max()
                differs = len(set(X[:, j])) > 1
                if is_more and differs and sum(z) ** 2 <= few * sum(z**2):
                    far = max(abs(x - mine.mean()) for x in X[:, j])
                    variance += far**2 / len(mine)
                gap = (X[:, j] - mine.mean()) ** 2 / variance
                logs[:, c] -= (gap + np.log(variance)) / 2
        odds = logs[:, 1] - logs[:, 0]
        ways.append(1 / (1 + np.exp(-np.clip(odds, -700, 700))))
    return np.mean(np.abs(ways[1] - ways[0]))


@pytest.mark.parametrize("marks", [(0, 0), (1, 0), (2, 30), (9, 0), (9, 9)])
def test_what_one_more_example_changes_is_told_of(marks):
    X, y = with_marks(*marks)
    cv = BlockKFold(5, n_repeats=2, random_state=1, stratify=True)
    losses, found = told(cross_val_losses, {"nb": GaussianNB()}, X, y, cv=cv)
    changes = []
    for fold in range(10):
        train = np.setdiff1d(
            np.arange(len(y)), losses.row_index[losses.row_split == fold]
        )
        changes.append(change_by_loops(X[train], y[train]))
    assert bool(found) == (np.mean(changes) > 0.2 / np.sqrt(200))
    # of a constant there is nothing to tell, nor where both classes have some
    assert bool(found) == (marks not in {(0, 0), (9, 9)})
    if found:
        assert found[0].startswith("'nb': where at most two examples of a class")
        assert f"change its probabilities by {np.mean(changes):.3f} on" in found[0]


def test_it_is_told_of_in_pipelines_by_all_measures_and_of_stored_fits(tmp_path):
    X, y = with_marks(1)
    scaled = make_pipeline(StandardScaler(), GaussianNB())
    other = make_pipeline(StandardScaler(), LogisticRegression())
    models = {"line": other, "a": scaled, "b": GaussianNB()}
    texts = set()
    for _ in range(2):
        for how in ({"scoring": ["roc_auc", "accuracy"]}, {"loss": "brier"}):
            _, found = told(compare_estimators, models, X, y, memory=tmp_path, **how)
            assert len(found) == 1
            texts.update(found)
    # scaled or not, and whether a scorer gets the pipeline or only its last step
    assert len(texts) == 1
    assert texts.pop().startswith("'a' (and 1 more): where")
    assert not told(compare_estimators, models, X, y, check_threshold=False)[1]


def test_of_a_pipeline_the_features_of_its_last_step_are_looked_at():
    X, y = with_marks(1)
    steps = StandardScaler(), "passthrough", make_pipeline(MinMaxScaler(), GaussianNB())
    changes = []
    for model in (GaussianNB(), make_pipeline(*steps)):
        (text,) = told(cross_val_losses, model, X, y)[1]
        changes.append(float(re.search(r"probabilities by (\S+) on", text)[1]))
    assert changes[0] == pytest.approx(changes[1], abs=0.002)  # what is added differs


def test_repeats_that_are_added_say_it_once():
    X, y = with_marks(1)
    models = {"line": LogisticRegression(), "bayes": GaussianNB()}
    cv = BlockKFold(5, n_repeats="auto", max_repeats=4, stability=0.999)
    result, found = told(compare_estimators, models, X, y, cv=cv)
    assert result.losses.design.n_repeats > 1
    assert len(found) == 1


def test_a_table_and_words_for_classes_make_no_difference():
    X, y = with_marks(1)
    table = pd.DataFrame(X, columns=list("abcde"))
    _, plain = told(cross_val_losses, GaussianNB(), X, y)
    _, found = told(cross_val_losses, GaussianNB(), table, np.array(["no", "yes"])[y])
    assert found == plain
    assert len(found) == 1


def passengers(seed, n=100):
    """Return indicators of few distinct rows, and who survived."""
    rng = np.random.default_rng(seed)
    place = rng.choice(4, n, p=[0.15, 0.13, 0.4, 0.32])
    child = (rng.random(n) < 0.05) & (place != 2)
    woman = rng.random(n) < np.where(place == 2, 0.03, 0.35)
    odds = 2.4 * woman + 1.1 * child + np.array([0.9, 0, -0.1, -0.9])[place] - 1.2
    X = np.column_stack([place == 0, place == 1, place == 2, child, woman])
    return X.astype(float), (rng.random(n) < 1 / (1 + np.exp(-odds))).astype(int)


def test_few_distinct_rows_are_told_of_and_numbers_are_not():
    line, n_told = LogisticRegression(), {"rows": 0, "numbers": 0, "bernoulli": 0}
    for seed in range(10):
        X, y = passengers(seed)
        rng = np.random.default_rng(seed)
        numbers = rng.normal(size=(100, 5)) + 0.5 * y[:, np.newaxis]
        for key, data, bayes in (
            ("rows", X, GaussianNB()),
            ("numbers", numbers, GaussianNB()),
            ("bernoulli", X, BernoulliNB()),
        ):
            cv = BlockKFold(5, random_state=0, stratify=True)
            models = {"line": line, "bayes": bayes}
            found = told(cross_val_losses, models, data, y, cv=cv, loss="brier")[1]
            n_told[key] += len(found)
    assert n_told["rows"] >= 7
    assert n_told["numbers"] == n_told["bernoulli"] == 0


def test_what_is_added_to_variances_makes_them_harmless():
    told_of = [
        told(cross_val_losses, GaussianNB(var_smoothing=added), *with_marks(1))[1]
        for added in (1e-6, 1e-3)
    ]
    assert [len(found) for found in told_of] == [1, 0]
