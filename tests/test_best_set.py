"""Which of many may be the best: `best_set`, letters, and what print shows of them."""

import itertools
import json
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    EquivalenceTest,
    KFoldTTest,
    RepeatedSubsample,
    compare_cv_results,
    compare_estimators,
    compare_predictions,
)


def candidates(scores, **options):
    """Return the comparison of candidates with these scores, (k, J)."""
    named = {f"C={number}": row for number, row in enumerate(scores)}
    options = {"reference": None, "p_adjust": None, "test": KFoldTTest(0.5)} | options
    return compare_cv_results(named, cv=scores.shape[1], **options)


def noise(k=6, n_splits=10, spread=1.0, seed=0):
    rng = np.random.default_rng(seed)
    common = rng.normal(size=n_splits)
    return common + rng.normal(size=(k, n_splits)) - spread * np.arange(k)[:, None]


def guesses(k=8, n=200, seed=0, worse_by=0.12):
    """Return a target, and predictions that are worse and worse."""
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    errors = {"abcdefgh"[i]: (1 + worse_by * i) * rng.normal(size=n) for i in range(k)}
    return y, {name: y + error for name, error in errors.items()}


def labels(k=8, n=200, seed=0, worse_by=0.03):
    """Return a target of two classes, and labels that are wrong more and more often."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n)
    wrong = {"abcdefgh"[i]: rng.random(n) < 0.1 + worse_by * i for i in range(k)}
    return y, {name: np.where(where, 1 - y, y) for name, where in wrong.items()}


FOLDS = np.arange(200) % 5
COMPARISONS = {
    "one test set": lambda seed, **o: compare_predictions(*guesses(seed=seed), **o),
    "RMSE, 5-fold": lambda seed, **o: compare_predictions(
        *guesses(seed=seed), splits=FOLDS, **o
    ),
    "error, 5-fold": lambda seed, **o: compare_predictions(
        *labels(seed=seed), splits=FOLDS, **o
    ),
    "groups": lambda seed, **o: compare_predictions(
        *labels(seed=seed), groups=np.arange(200) // 5, **o
    ),
    "scores of splits": lambda seed, **o: candidates(
        noise(8, spread=0.4, seed=seed),
        **{"test": None, "reference": "best", "p_adjust": "holm"} | o,
    ),
}


def differences(best):
    """Return {model: (difference from the best, low, high)}."""
    frame = best.to_frame()[1:]
    rows = frame[["difference", "ci_low", "ci_high"]].to_numpy().tolist()
    return dict(zip(frame.iloc[:, 0], rows, strict=True))


ALL_COMPARISONS = pytest.mark.parametrize(
    "compare", COMPARISONS.values(), ids=COMPARISONS
)


# p-values ---------------------------------------------------------------------------


def step_down(statistics, drawn):
    """p of each model against the first, in the range of those that are left.

    `statistics` are of the others; `drawn[i, j]` are draws of the statistic of a pair.
    """
    left = list(range(len(statistics) + 1))
    pvalues = {}
    smallest = 0.0
    for model in 1 + np.argsort(statistics)[::-1]:
        pairs = itertools.combinations(left, 2)
        largest = np.max([np.abs(drawn[pair]) for pair in pairs], axis=0)
        smallest = max(smallest, np.mean(largest >= statistics[model - 1]))
        pvalues[int(model)] = smallest
        left.remove(model)
    return pvalues


def check_pvalues(best, expected):
    """0.014 is more than 3 standard errors of the difference of two such shares."""
    for place, name in enumerate(best.pvalues):
        if place:
            assert_allclose(best.pvalues[name], expected[place], atol=0.014)


def test_pvalues_by_splits_are_those_of_the_loop():
    best = candidates(noise(spread=0.4)).best_set()
    numbers = [int(name.removeprefix("C=")) for name in best.pvalues]
    losses = -noise(spread=0.4)[numbers]
    k, n_splits = losses.shape
    directions = np.random.default_rng(1).normal(size=(20000, n_splits))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    cosines = {}
    for pair in itertools.combinations(range(k), 2):
        loss = losses[pair[1]] - losses[pair[0]]
        row = loss - loss.mean() + np.sqrt(1 - 0.5) * loss.mean()  # rho is 0.5
        cosines[pair] = row.sum() / np.sqrt(n_splits) / np.linalg.norm(row)
        directed = directions @ row / np.linalg.norm(row)
        cosines[pair] = cosines[pair], directed
    observed = [cosines[0, other][0] for other in range(1, k)]
    drawn = {pair: draws for pair, (_, draws) in cosines.items()}
    check_pvalues(best, step_down(observed, drawn))


def test_pvalues_of_examples_are_those_of_the_loop():
    y, predictions = guesses(5, worse_by=0.06)
    best = compare_predictions(y, predictions).best_set()
    losses = np.array([(predictions[name] - y) ** 2 for name in best.pvalues])
    k, n = losses.shape
    rng = np.random.default_rng(1)
    noises = rng.normal(size=(20000, n))
    scale = np.sqrt(rng.chisquare(n - 1, 20000) / (n - 1))
    observed, drawn = {}, {}
    for first, second in itertools.combinations(range(k), 2):
        loss = losses[second] - losses[first]
        observed[first, second] = stats.ttest_1samp(loss, 0).statistic
        deviations = (loss - loss.mean()) / np.std(loss) / np.sqrt(n)
        drawn[first, second] = noises @ deviations / scale
    check_pvalues(best, step_down([observed[0, i] for i in range(1, k)], drawn))


@ALL_COMPARISONS
@pytest.mark.parametrize("seed", range(4))
def test_who_is_more_clearly_worse_has_no_larger_pvalue(compare, seed):
    result = compare(seed)
    alone = {}
    for (first, second), test in result.tests.items():
        if result.best in (first, second):
            alone[second if first == result.best else first] = test.pvalue_
    pvalues = result.best_set().pvalues
    in_order = [pvalues[name] for name in sorted(alone, key=alone.get)]
    assert np.all(np.diff(in_order) >= 0)
    for name, pvalue in alone.items():
        assert pvalue * (1 - 1e-9) <= pvalues[name] <= 8 * 7 / 2 * pvalue * (1 + 1e-9)


@pytest.mark.parametrize("cv", [5, RepeatedSubsample(random_state=0)])
def test_of_two_pvalue_and_interval_are_those_of_the_pair(cv):
    X, y = load_breast_cancer(return_X_y=True)
    models = [GaussianNB(), DecisionTreeClassifier(max_depth=2)]
    result = compare_estimators(models, X, y, cv=cv)
    best = result.best_set()
    table = result.table
    assert_allclose(min(best.pvalues.values()), result.pvalue_, rtol=1e-9)
    ends = [table.ci_low[0], table.ci_high[0]]
    if table.estimate[0] < 0:
        ends = [-ends[1], -ends[0]]
    assert_allclose(next(iter(differences(best).values()))[1:], ends, rtol=1e-6)


def test_order_of_models_changes_nothing():
    y, predictions = guesses(5)
    best = compare_predictions(y, predictions).best_set()
    turned = compare_predictions(y, dict(reversed(predictions.items()))).best_set()
    assert turned.names == best.names
    assert list(turned.pvalues) == list(best.pvalues)
    assert_allclose(list(turned.pvalues.values()), list(best.pvalues.values()))


def test_clearly_worse_models_leave_and_equal_ones_stay():
    best = candidates(noise(spread=5)).best_set()
    assert best.names == ("C=0",)
    assert "C=0" not in differences(best)
    equal = candidates(np.tile(noise()[:1], (4, 1))).best_set()
    assert equal.names == ("C=0", "C=1", "C=2", "C=3")
    assert set(equal.pvalues.values()) == {1.0}


def test_a_strict_test_keeps_more():
    scores = noise(spread=0.8)
    loose, strict = (
        candidates(scores, test=KFoldTTest(rho)).best_set() for rho in (0.0, 0.7)
    )
    assert set(loose.names) < set(strict.names)


def test_of_many_candidates_fewer_draws_decide():
    result = candidates(noise(700, spread=0.002), test=KFoldTTest(0.0))
    pvalues = result.best_set().pvalues
    assert 0.05 < min(pvalues.values()) < 0.5


def test_constant_differences_of_many_candidates_show_nothing():
    rng = np.random.default_rng(0)
    scores = 0.9 - np.arange(3000)[:, None] / 30000 + 0.02 * rng.normal(size=10)
    result = candidates(scores, reference="best")
    best = result.best_set()
    assert len(best.names) == 3000
    assert best.to_frame().pvalue.min() == 1


def test_tests_without_a_direction_are_refused():
    result = candidates(noise()).retest(EquivalenceTest(KFoldTTest(), margin=1))
    with pytest.raises(ValueError, match="says which is better"):
        result.best_set()


# 99.9% bounds of 300 draws at 0.95; of six that are equally good none leaves.
@pytest.mark.full
@pytest.mark.parametrize("k", [2, 6])
def test_all_that_are_the_best_are_kept_at_the_confidence_level(k):
    kept = 0
    for seed in range(300):
        scores = noise(k, spread=0, seed=seed)
        best = candidates(scores, test=KFoldTTest(0.0)).best_set()
        kept += len(best.names) == k
    low, high = stats.binom.ppf([0.0005, 0.9995], 300, 0.95)
    assert low <= kept <= high


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
    assert "worse" not in found.to_dict()["decisions"].values()


# Intervals ----------------------------------------------------------------------------


@ALL_COMPARISONS
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_zero_is_outside_exactly_if_a_model_has_left(compare, alpha):
    result = compare(1, alpha=alpha)
    best = result.best_set()
    for name, (estimate, low, high) in differences(best).items():
        assert low <= estimate <= high
        assert (low > 0) == (name not in best.names)


def test_the_interval_is_around_the_difference_from_the_named_best():
    y, predictions = guesses(5)
    best = compare_predictions(y, predictions, splits=FOLDS).best_set()
    mse = {name: np.mean((p - y) ** 2) for name, p in predictions.items()}
    widths = []
    for name, (estimate, low, high) in differences(best).items():
        assert_allclose(estimate, mse[name] - mse[best.names[0]])
        assert_allclose((low + high) / 2, estimate)
        pair = {key: predictions[key] for key in (best.names[0], name)}
        table = compare_predictions(y, pair, splits=FOLDS).table
        alone = table.ci_high[0] - table.ci_low[0]
        widths.append((best.pvalues[name], (high - low) / alone))
    widths = [width for _, width in sorted(widths, reverse=True)]
    assert np.all(np.diff(widths) >= -1e-9)  # the critical values of the steps
    assert min(widths) >= 1


@ALL_COMPARISONS
def test_print_frame_picture_and_json_show_one_interval(compare):
    result = compare(2).retest(reference="best")
    best = result.best_set()
    rows = differences(best)
    table = result.to_frame().set_index("second")
    ends = -table[["estimate", "ci_high_simultaneous", "ci_low_simultaneous"]]
    assert_allclose(ends.loc[list(rows)], list(rows.values()))
    for row in json.loads(best.to_json())["rows"][1:]:
        name = row[result.losses.noun]
        keys = ("difference", "ci_low", "ci_high")
        assert_allclose([row[key] for key in keys], rows[name])
    shown = np.array(list(rows.values()))
    frame = best.to_frame()[1:]
    if "ratio" in frame:
        shown = np.sqrt(frame[["ratio", "ratio_low", "ratio_high"]].to_numpy()) - 1
    scale = 100 if result.losses.metric.is_share or "ratio" in frame else 1
    axes = best.plot()
    lines, *points = getattr(axes, "ax_", axes).collections
    segments = [line[:, 0] for line in lines.get_segments() if np.ndim(line) == 2]
    assert_allclose(np.ravel(segments), scale * np.ravel(shown[:, 1:]), atol=1e-9)
    drawn = np.concatenate([dots.get_offsets()[:, 0] for dots in points])
    for value in scale * shown[:, 0]:
        assert np.isclose(drawn, value).any()


# What is printed ----------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["one test set", "RMSE, 5-fold", "error, 5-fold"])
def test_who_is_worse_shares_no_letter_with_the_best(name, seed, alpha):
    result = COMPARISONS[name](seed, alpha=alpha)
    letters = result.letters()
    of_best = set(letters[result.best])
    names = result.best_set().names
    assert {name for name in letters if of_best & set(letters[name])} == set(names)
    rows = [line.split() for line in str(result).splitlines() if " " in line]
    tiers = {row[0]: row[-1] for row in rows if row[0] in letters and "to" in row}
    assert tiers == letters


def test_models_that_a_table_leaves_out_are_said():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=300)
    trees = {}
    for number in range(30):
        wrong = rng.random(300) < 0.1 + 0.01 * number
        trees[f"tree {number}"] = np.where(wrong, 1 - y, y)
    result = compare_predictions(y, trees)
    assert "5 more models are in to_frame()." in " ".join(str(result).split())
    del trees["tree 29"], trees["tree 28"], trees["tree 27"], trees["tree 26"]
    assert "1 more model is in to_frame()." in " ".join(
        str(compare_predictions(y, trees)).split()
    )
    del trees["tree 25"]
    assert "more" not in str(compare_predictions(y, trees)).partition("Predicting")[0]
    many = candidates(noise(30), reference="best", p_adjust="holm")
    assert "5 more models are in to_frame()." in " ".join(str(many).split())


def test_equal_means_of_the_best_are_told():
    y = np.arange(40) % 2
    order = np.random.default_rng(0).permutation(40)
    wrong = np.where(order < 15, 1 - y, y)
    other = np.where(order >= 39, 1 - y, y)
    same = np.where(order < 1, 1 - y, y)
    predictions = {"a": same, "b": other, "c": wrong}
    result = compare_predictions(y, predictions)
    for text in (str(result), str(result.best_set())):
        start = "a has the lowest mean error, 2.5%, equal to that of b; "
        assert " ".join(text.split()).startswith(start)
    two = compare_predictions(y, {"a": same, "c": wrong})
    assert "equal to" not in str(two)


# Labels that are all right or all wrong; Brier scores, and numbers, that differ by a
# constant; models that are the same, or only some of them.
NOTHING_VARIES = {
    "labels": lambda y, i: (y, y if i == 0 else 1 - y, {}),
    "Brier": lambda y, i: (y, np.abs(y - 0.1 * i), {"loss": "brier"}),
    "numbers": lambda y, i: (
        0.0 * y,
        np.full(len(y), 1.0 + i),
        {"loss": "absolute_error"},
    ),
    "same": lambda y, i: (y, y, {}),
    "twins": lambda y, i: (y, np.full(len(y), i // 2 % 2), {}),
}


@pytest.mark.parametrize("make", NOTHING_VARIES.values(), ids=NOTHING_VARIES)
@pytest.mark.parametrize("n", [2, 3, 5, 10])
@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("has_folds", [False, True])
def test_models_are_printed_where_nothing_varies(make, n, k, has_folds):
    y = np.arange(n) % 2
    made = [make(y, number) for number in range(k)]
    target, _, options = made[0]
    predictions = {"abcde"[number]: made[number][1] for number in range(k)}
    if has_folds:
        options = options | {"splits": np.arange(n)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = compare_predictions(target, predictions, **options)
        best = result.best_set()
        texts = [str(result), result.report(), str(best)]
        assert set(result.letters()) == set(predictions)
    for text in texts:
        assert " nan" not in text
        assert " inf" not in text
    for name, row in differences(best).items():
        assert not np.isnan(row).any()
        assert (row[1] > 0) == (name not in best.names)
