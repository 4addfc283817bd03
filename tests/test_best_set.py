"""best_models: the estimators that cannot be told from the best."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import KFold, RepeatedKFold

from sklearn_cvtest import (
    BlockKFold,
    FiveByTwo,
    KFoldTTest,
    PairedHalves,
    RepeatedSubsample,
    compare_predictions,
    cross_val_losses,
)
from sklearn_cvtest._best._best_results import best_models
from sklearn_cvtest._pairs import _model_table as _models


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


def make_losses(values, cv=None, names="abcdefghijklmnopqrst", **options):
    """Return the losses of estimators whose losses are the columns, not negative."""
    estimators = {name: Column(i) for i, name in enumerate(names[: values.shape[1]])}
    options = {"loss": "absolute_error", **options}
    cv = KFold(5) if cv is None else cv
    return cross_val_losses(estimators, values, np.zeros(len(values)), cv=cv, **options)


def noise(n=100, n_estimators=3, seed=0, worse_by=0.0):
    losses = 9 + np.random.default_rng(seed).normal(size=(n, n_estimators))
    return losses + np.asarray(worse_by)


def looped(losses, n_boot, seed):
    """Lei (2020), section 3, a pair and a draw at a time."""
    values, folds = losses.values, losses.row_split
    n, n_estimators = values.shape
    draws = np.random.RandomState(seed).standard_normal((n_boot // 2, n))
    found = {}
    for m in range(n_estimators):
        statistics, centred = [], []
        for j in set(range(n_estimators)) - {m}:
            xi = values[:, m] - values[:, j]
            fold_means = np.array([xi[folds == fold].mean() for fold in folds])
            scale = np.sqrt(np.mean((xi - fold_means) ** 2))
            statistics.append(np.sqrt(n) * xi.mean() / scale)
            centred.append((xi - fold_means) / scale)
        count = 0
        for draw in draws:
            for sign in (1, -1):
                drawn = [np.sum(xi * sign * draw) / np.sqrt(n) for xi in centred]
                count += max(drawn) >= max(statistics)
        found[losses.names[m]] = (1 + count) / (1 + n_boot)
    return found


@pytest.mark.parametrize("n_splits", [5, 7])  # 7 blocks of two sizes
@pytest.mark.parametrize("n_estimators", [2, 4])
def test_pvalues_are_those_of_the_loop(n_splits, n_estimators):
    values = noise(60, n_estimators) + np.linspace(0, 0.3, n_estimators)
    losses = make_losses(values, KFold(n_splits))
    best = best_models(losses, n_boot=200, random_state=3)
    expected = looped(losses, 200, 3)
    assert {name: best.pvalues[name] for name in expected} == expected


# Of two estimators, T is z = √n mean/s and the bootstrap is standard normal; 0.03 is
# more than 3 standard errors.
def test_pvalues_of_two_are_of_the_normal_distribution():
    losses = make_losses(noise(5000, 2, worse_by=[0, 0.03]))
    difference = losses.residuals("b", "a").values
    blocks = difference.reshape(5, -1)
    deviation = np.sqrt(np.mean((blocks - blocks.mean(axis=1, keepdims=True)) ** 2))
    z = np.sqrt(5000) * difference.mean() / deviation
    best = best_models(losses, n_boot=4000, random_state=0)
    for name, sign in (("a", -1), ("b", 1)):
        assert_allclose(best.pvalues[name], stats.norm.sf(sign * z), atol=0.03)


def test_clearly_worse_estimators_are_left_out():
    best = best_models(make_losses(noise(worse_by=[1, 0, 2])), random_state=0)
    assert best.names == ("b",)
    assert best.pvalues["a"] == best.pvalues["c"] == 1 / 2001


def test_names_are_those_with_pvalues_above_alpha_by_mean_loss():
    losses = make_losses(noise(n_estimators=6) + np.linspace(0.5, 0, 6))
    for alpha in (0.01, 0.1, 0.4):
        best = best_models(losses, alpha=alpha, random_state=0)
        assert best.names == tuple(n for n, p in best.pvalues.items() if p > alpha)
        assert list(best.pvalues) == list(best.mean_losses)
        assert_allclose(
            list(best.mean_losses.values()), sorted(losses.values.mean(axis=0))
        )
        assert best.alpha == alpha


@pytest.mark.parametrize("seed", range(10))
def test_set_is_never_empty(seed):
    losses = make_losses(noise(20, 2, seed))
    best = best_models(losses, alpha=0.499, n_boot=100, random_state=seed)
    assert best.names[0] == min(best.mean_losses, key=best.mean_losses.get)
    assert best.pvalues[best.names[0]] >= 0.5


# 99.9% bounds of 400 draws at 0.95, less what n = 100 may cost.
@pytest.mark.full
@pytest.mark.parametrize("common", [0, 3])
def test_the_best_is_kept_at_the_confidence_level(common):
    rng = np.random.default_rng(1)
    values = rng.normal(size=(400, 100, 5)) + common * rng.normal(size=(400, 100, 1))
    template = make_losses(noise(100, 5))
    kept = sum(
        "a" in best_models(with_values(template, one), n_boot=400, random_state=0).names
        for one in values
    )
    low, high = stats.binom.ppf([0.0005, 0.9995], 400, [0.93, 0.95])
    assert low <= kept <= high


def with_values(losses, values):
    return type(losses)(**{**losses_fields(losses), "losses": values})


def losses_fields(losses):
    return {name: getattr(losses, name) for name in type(losses).__dataclass_fields__}


def test_equal_estimators_are_all_kept():
    best = best_models(make_losses(noise()[:, [0, 0, 0]]))
    assert best.pvalues == {"a": 1.0, "b": 1.0, "c": 1.0}


# b is a: both differ from c, and each other's copy says nothing.
def test_a_copy_of_an_estimator_changes_nothing():
    values = noise(n_estimators=2, worse_by=[0, 0.2])
    one = best_models(make_losses(values), random_state=0)
    two = best_models(make_losses(values[:, [0, 0, 1]]), random_state=0)
    assert two.pvalues["a"] == two.pvalues["b"] == one.pvalues["a"]
    assert two.pvalues["c"] == one.pvalues["b"]


@pytest.mark.parametrize("offset", [0.5, 1e-6])
def test_constant_differences_are_decided(offset):
    values = noise(n_estimators=1, worse_by=[0, offset])
    best = best_models(make_losses(values), n_boot=200)
    assert best.pvalues == {"a": 1.0, "b": 1 / 201}


@pytest.mark.parametrize("change", [lambda x: x + 1000, lambda x: 1e-9 * x])
def test_pvalues_do_not_depend_on_origin_and_unit(change):
    values = noise(worse_by=[0, 0.1, 0.2])
    one, two = (
        best_models(make_losses(x), random_state=0) for x in (values, change(values))
    )
    assert_allclose(
        list(one.pvalues.values()), list(two.pvalues.values()), atol=2 / 2001
    )


def test_random_state_repeats_the_draws():
    losses = make_losses(noise())
    seeded = [best_models(losses, random_state=5).pvalues for _ in range(2)]
    assert seeded[0] == seeded[1]
    assert best_models(losses, random_state=6).pvalues != seeded[0]


def test_losses_are_left_as_they_are():
    losses = make_losses(noise())
    before = losses.values.copy()
    best_models(losses)
    assert np.array_equal(losses.values, before)


def test_odd_n_boot_is_raised_by_one():
    losses = make_losses(noise())
    odd, even = (best_models(losses, n_boot=n, random_state=0) for n in (199, 200))
    assert odd == even


def failing(*names):
    X = noise(20, 3)
    estimators = {name: Column(i, name in names) for i, name in enumerate("abc")}
    with pytest.warns(FitFailedWarning):
        return cross_val_losses(
            estimators, X, np.zeros(20), loss="absolute_error", cv=KFold(5)
        )


def test_estimators_without_losses_are_left_out():
    losses = failing("b")
    with pytest.warns(
        UserWarning, match="nan or inf for 'b'. Estimators left"
    ) as caught:
        best = best_models(losses)
    assert caught[0].filename == __file__
    assert set(best.pvalues) == {"a", "c"}


@pytest.mark.parametrize(
    ("cv", "shown"),
    [
        (RepeatedKFold(n_splits=3, n_repeats=2), "2 x 3-fold"),
        (RepeatedSubsample(4), "4 subsamples"),
        (FiveByTwo(), "5x2"),
        (PairedHalves(BlockKFold(3), 2), "pairs of halves"),
        (RepeatedSubsample(1), "one train-test split"),
    ],
)
def test_other_designs_are_refused(cv, shown):
    losses = make_losses(noise(60), cv)
    match = (
        f"`losses` must be of examples of one K-fold.*; got .*{shown}.*Use BlockKFold"
    )
    with pytest.raises(ValueError, match=match):
        best_models(losses)


def test_scores_are_refused():
    losses = make_losses(noise(60), loss="auto", scoring="neg_max_error")
    with pytest.raises(ValueError, match=r"of examples of.*; got one value.*`loss`"):
        best_models(losses)


def test_intervals_of_many_models_are_those_found_at_once(monkeypatch):
    rng = np.random.default_rng(0)
    y, given = rng.integers(2, size=200), {}
    for i in range(9):
        given[f"m{i}"] = np.where(rng.random(200) < 0.1 + 0.02 * i, 1 - y, y)
    splits = np.arange(200) % 5
    for test in (None, KFoldTTest()):
        shown = []
        for many, few in ((100, 10), (3, 2)):
            monkeypatch.setattr(_models, "MANY", many)
            monkeypatch.setattr(_models, "INTERVALS_AT_ONCE", few)
            options = {} if test is None else {"test": test, "reference": "best"}
            result = compare_predictions(y, given, splits=splits, **options)
            (found,) = result.decisions.values()
            shown.append([row.interval for row in found.rows])
        assert len(shown[0]) == 9
        assert_allclose(shown[1], shown[0], rtol=1e-12)


def test_equal_models_do_not_widen_the_intervals_of_others():
    """Of a pair without any difference, no interval is known: it says nothing."""
    rng = np.random.default_rng(0)
    values = rng.normal(2, 0.3, (60, 4)) + np.array([0, 0.02, 0.3, 0.5])
    twins = np.column_stack([values, values[:, :2]])
    alone, found = (
        compare_predictions(
            np.zeros(60), dict(zip("abcdef", v.T, strict=False)), splits=FOLDS_OF_60,
            loss="absolute_error",
        ).best_set()
        for v in (values, twins)
    )  # fmt: skip
    ends = [dict(zip(of.pvalues, of.found.differences.high, strict=True))
            for of in (alone, found)]  # fmt: skip
    for name in "cd":
        assert ends[1][name] == pytest.approx(ends[0][name], rel=0.3)
    assert max(list(ends[1].values())[1:]) < 1.5


FOLDS_OF_60 = np.arange(60) % 5


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_few_positives_limit_the_set_as_they_limit_pairs():
    """What two models do not show by F1, the same two do not show beside a third."""
    y = np.r_[np.ones(60, int), np.zeros(540, int)]
    a = y.copy()
    a[:3], a[60:62] = 0, 1
    c = a.copy()
    c[100:104] = 1
    options = {"scoring": "f1", "splits": np.arange(600) % 5}
    pair = compare_predictions(y, {"a": a, "c": c}, **options)
    found = compare_predictions(y, {"a": a, "b": a.copy(), "c": c}, **options)
    assert found.best_set().pvalues["c"] >= pair.pvalue_ > 0.05
    assert found.to_dict()["worse"] == []


def test_equal_means_of_the_best_are_told():
    y = np.arange(40) % 2
    wrong = np.where(np.arange(40) < 15, 1 - y, y)
    other = np.where(np.arange(40) >= 39, 1 - y, y)
    same = np.where(np.arange(40) < 1, 1 - y, y)
    predictions = {"a": same, "b": other, "c": wrong}
    result = compare_predictions(y, predictions)
    for text in (str(result), str(result.best_set())):
        start = "a has the lowest mean error, 2.5%, equal to that of b; "
        assert " ".join(text.split()).startswith(start)
    two = compare_predictions(y, {"a": same, "c": wrong})
    assert "equal to" not in str(two)
