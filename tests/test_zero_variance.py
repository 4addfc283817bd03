"""Residuals without variance show no more than so many equal values can."""

import numpy as np
import pytest
from scipy import stats
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    EquivalenceTest,
    KFoldTTest,
    KFoldZTest,
    assert_not_worse,
    compare_cv_results,
    compare_estimators,
    compare_predictions,
)

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def rare(n, n_positive, seed=0, shift=0.0):
    rng = np.random.default_rng(seed)
    y = np.zeros(n, dtype=int)
    y[:n_positive] = 1
    return rng.standard_normal((n, 3)) + shift * y[:, np.newaxis], y


ALIKE = {
    "a": DummyClassifier(strategy="most_frequent"),
    "b": DummyClassifier(strategy="constant", constant=0),
}


@pytest.mark.parametrize("n", [60, 300])
def test_the_same_errors_on_all_examples_are_no_difference(n):
    result = compare_estimators(ALIKE, *rare(n, n // 10))
    (found,) = result.to_frame().to_dict("records")
    assert (found["ci_low"], found["ci_high"], found["pvalue"]) == (0, 0, 1)
    assert f"have the same error on all {n} examples" in " ".join(str(result).split())
    gate = result.gate(0.001, reference="a")
    assert gate.decisions == {"b": "shown"}
    assert f"they have the same error on all {n} examples" in gate.sentences()["b"]


@pytest.mark.parametrize("n", [5, 8, 20])
def test_disagreement_on_all_shows_what_clopper_and_pearson_do(n):
    y = np.zeros(n, dtype=int)
    result = compare_predictions(y, {"right": y, "wrong": 1 - y})
    (found,) = result.to_frame().to_dict("records")
    # a share of others, each of which takes 2 from the difference at most
    bound = stats.binomtest(0, n).proportion_ci(0.95, "exact").high
    assert (found["ci_low"], found["ci_high"]) == pytest.approx((-1, 2 * bound - 1))
    assert found["pvalue"] == pytest.approx(2 * 0.5**n)
    # one-sided: none of n if a share (1 - margin)/2 were others
    gate = result.gate(0.4, reference="right").to_frame()
    assert gate["pvalue_worse"][0] == pytest.approx((1 - 0.3) ** n)
    assert gate["decision"][0] == ("refuted" if 0.7**n <= 0.05 else "inconclusive")


@pytest.mark.parametrize("metric", ["f1", "recall", "precision", "jaccard"])
def test_two_scores_of_zero_pass_no_gate(metric):
    result = compare_estimators(ALIKE, *rare(300, 11), scoring=metric)
    assert result.gate(0.05, reference="a").decisions == {"b": "inconclusive"}
    with pytest.raises(AssertionError):
        assert_not_worse(result, "b", than="a", margin=0.05)
    (found,) = result.to_frame().to_dict("records")
    assert found["ci_high"] - found["ci_low"] > 0.4


def test_equivalence_and_rope_take_the_same_bound():
    n, margin = 60, 0.02  # positives, none of which is found by either
    result = compare_estimators(ALIKE, *rare(300, n), scoring="recall")
    test = EquivalenceTest(KFoldZTest(), margin=margin)
    assert result.retest(test).pvalue_ == pytest.approx((1 - margin) ** n)
    posterior = result.retest(BayesianCorrelatedTTest(rope=margin)).to_frame()
    assert posterior["prob_rope"][0] == pytest.approx(1 - (1 - margin) ** n)


def test_identical_models_are_equivalent_by_any_test():
    result = compare_estimators(ALIKE, *rare(120, 12))
    assert result.retest(EquivalenceTest(KFoldZTest(), margin=1e-6)).pvalue_ == 0
    posterior = result.retest(BayesianCorrelatedTTest(rope=1e-6)).to_frame()
    assert posterior["prob_rope"][0] == 1


def test_equal_means_of_splits_show_no_more_than_their_number():
    scores = {"test_accuracy": np.full(10, 0.8)}
    sizes = {"cv": 10, "n_train": 90, "n_test": 10, "metric": "test_accuracy"}
    result = compare_cv_results({"a": scores, "b": scores}, **sizes, test=KFoldTTest())
    assert result.gate(0.05, reference="a").decisions == {"b": "inconclusive"}
    assert result.gate(0.5, reference="a").decisions == {"b": "shown"}


def several_classes(n_classes, n_each, n_differ):
    """Return a target, predictions of which the first errs less, and folds."""
    rng = np.random.default_rng(0)
    y = np.tile(np.arange(n_classes), n_each)
    good = np.where(rng.random(len(y)) < 0.1, (y + 1) % n_classes, y)
    bad = good.copy()
    spoiled = rng.choice(np.flatnonzero(good == y), n_differ, replace=False)
    bad[spoiled] = (y[spoiled] + 1) % n_classes
    folds = np.arange(len(y)) // (len(y) // 5)
    return y, {"good": good, "bad": bad}, folds


SEVERAL = {
    "balanced_accuracy": 0.05,
    "recall_macro": 0.05,
    "f1_macro": 0.05,
    "f1_weighted": 0.05,
    "matthews_corrcoef": 0.05,
    "jaccard_macro": 0.15,
}


@pytest.mark.parametrize("metric", SEVERAL)
@pytest.mark.parametrize(("n_classes", "n_differ"), [(2, 12), (4, 12), (20, 40)])
def test_metrics_of_several_classes_have_the_power_of_accuracy(
    metric, n_classes, n_differ
):
    y, predictions, folds = several_classes(n_classes, 1000 // n_classes, n_differ)
    results = compare_predictions(
        y, predictions, splits=folds, scoring=["accuracy", metric]
    )
    accuracy, found = (
        results[name].to_frame().iloc[0] for name in ("accuracy", metric)
    )
    tolerance = SEVERAL[metric]
    assert found.statistic == pytest.approx(accuracy.statistic, rel=tolerance)
    assert found.pvalue == pytest.approx(2 * stats.norm.sf(abs(found.statistic)))
    half_width = (found.ci_high - found.ci_low) / 2
    assert half_width < results[metric].detectable_difference()


@pytest.mark.full
@pytest.mark.parametrize("n", [100, 300])
@pytest.mark.parametrize("share", [0.03, 0.05])
@pytest.mark.parametrize("metric", ["accuracy", "f1", "recall", "balanced_accuracy"])
def test_gates_of_rare_classes_keep_their_level(n, share, metric):
    models = {"bayes": GaussianNB(), "near": KNeighborsClassifier(5)}
    n_positive, n_samples = max(round(share * n), 5), 40
    large = rare(20_000, round(20_000 * n_positive / n), seed=1, shift=1.2)
    truth = []
    for seed in range(10):
        X, y = rare(n, n_positive, seed=100 + seed, shift=1.2)
        truth.append([_score(metric, m.fit(X, y), *large) for m in models.values()])
    means = dict(zip(models, np.mean(truth, axis=0), strict=True))
    worse, better = sorted(models, key=means.get)
    # the truth is beyond the margin, or on it where the two are about equally good
    margin = max(means[better] - means[worse] - 0.01, 0.0)
    decisions = []
    for seed in range(n_samples):
        X, y = rare(n, n_positive, seed=1000 + seed, shift=1.2)
        result = compare_estimators(models, X, y, scoring=metric, cv=5)
        decisions += result.gate(margin, reference=better).decisions.values()
    assert decisions.count("shown") <= stats.binom.ppf(0.999, n_samples, 0.05)


def _score(metric, model, X, y):
    from sklearn.metrics import get_scorer

    return get_scorer(metric)(model, X, y)
