"""Metrics of one class's labels whose probabilities crowd around the threshold."""

import warnings

import numpy as np
import pytest
from sklearn import metrics
from sklearn.compose import ColumnTransformer
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from sklearn_cvtest import (
    BlockKFold,
    compare_estimators,
    compare_predictions,
    cross_val_interval,
    cross_val_losses,
)
from sklearn_cvtest.exceptions import ThresholdWarning

N = 300
SCORES = {
    "f1": metrics.f1_score,
    "recall": metrics.recall_score,
    "precision": metrics.precision_score,
    "jaccard": metrics.jaccard_score,
}


def drawn(seed, spread=0.05):
    """Return a target and two columns of probabilities that hardly tell of it."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=N)
    proba = 0.5 + spread * (rng.normal(size=(2, N)) + 0.3 * (2 * y - 1))
    return y, np.clip(proba, 0, 1), np.arange(N) % 5


def threshold_warnings(run, *args, **options):
    """Return what a call gives, and the texts of its ThresholdWarnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = run(*args, **options)
    return result, [str(w.message) for w in caught if w.category is ThresholdWarning]


def of_predictions(y, proba, folds, **options):
    columns = dict(zip("ab", proba, strict=True))
    return threshold_warnings(compare_predictions, y, columns, splits=folds, **options)


@pytest.mark.parametrize("scoring", SCORES)
def test_what_another_threshold_does_is_told(scoring):
    n_told = 0
    for seed in range(6):
        y, proba, folds = drawn(seed)
        down, up = (
            [SCORES[scoring](y, p > 0.5 + shift) for p in proba]
            for shift in (-0.05, 0.05)
        )
        result, messages = of_predictions(y, proba, folds, scoring=scoring)
        q = y.mean()
        noise = 0.25 / np.sqrt(0.8 * N * q * (1 - q))
        errors = result.losses.values.std(axis=0, ddof=1) / np.sqrt(N)
        shifts = np.abs(np.subtract(up, down)) / 0.1 * noise / errors
        assert bool(messages) == (shifts.max() > 1)
        if not messages:
            continue
        n_told += 1
        of = int(shifts[0] <= 1)
        near = np.mean(np.abs(proba[of] - 0.5) < 0.05)
        name = {"f1": "F1", "jaccard": "Jaccard index"}.get(scoring, scoring)
        others = " (and 1 more)" if shifts.min() > 1 else ""
        assert messages[0].startswith(
            f"'{'ab'[of]}'{others}: at a threshold of 0.45 {name} is {down[of]:.1%}, "
            f"at 0.55 {up[of]:.1%}, and {near:.0%} of the probabilities lie between."
        )
    assert scoring != "recall" or n_told == 6


@pytest.mark.parametrize(
    "options",
    [
        {"scoring": "roc_auc"},
        {"scoring": "accuracy"},
        {"scoring": "f1_macro"},
        {"loss": "zero_one"},
        {"loss": "log_loss"},
    ],
)
def test_other_metrics_are_not_looked_at(options):
    assert not of_predictions(*drawn(0), **options)[1]


def test_probabilities_far_from_it_are_not_told_of():
    assert not of_predictions(*drawn(0, spread=2), scoring="recall")[1]


@pytest.mark.parametrize("share", [0.25, pytest.param(0.5, marks=pytest.mark.full)])
def test_learners_of_clearly_separated_classes_are_hardly_ever_told_of(share):
    rng = np.random.default_rng(0)
    models = {"logistic": LogisticRegression(), "bayes": GaussianNB()}
    n_told = 0
    for _ in range(60):
        y = (rng.random(N) < share).astype(int)
        X = rng.normal(size=(N, 4)) + y[:, np.newaxis]
        options = {"scoring": "f1", "cv": BlockKFold(3, stratify=True, random_state=0)}
        _, found = threshold_warnings(cross_val_losses, models, X, y, **options)
        n_told += len(found)
    assert n_told <= 1


@pytest.mark.full
@pytest.mark.parametrize("scoring", ["f1", "recall"])
def test_false_verdicts_on_labels_near_the_threshold_are_told_of(scoring):
    rng = np.random.default_rng(0)
    models = {}
    for name, columns in {"a": slice(0, 3), "b": slice(3, 6)}.items():
        own = ColumnTransformer([("own", "passthrough", columns)])
        models[name] = make_pipeline(own, LogisticRegression())
    n_false = n_told = 0
    for _ in range(60):
        y = rng.integers(2, size=N)
        X = rng.normal(size=(N, 6)) + 0.1 * y[:, np.newaxis]
        result, found = threshold_warnings(
            compare_estimators, models, X, y, scoring=scoring, cv=3
        )
        if result.pvalue_ < 0.05:
            n_false += 1
            n_told += bool(found)
    assert n_false >= 1
    assert n_told >= 0.9 * n_false


def crowded():
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=N)
    return rng.normal(size=(N, 4)) + 0.15 * y[:, np.newaxis], y


class Failing(LogisticRegression):
    def predict_proba(self, X):
        raise RuntimeError("not today")


@pytest.mark.parametrize(
    ("model", "is_told"),
    [
        (LogisticRegression(), True),
        (make_pipeline(StandardScaler(copy=False), LogisticRegression()), True),
        (GridSearchCV(LogisticRegression(), {"C": [1]}, cv=2), True),
        (LinearSVC(), False),  # has no probabilities
        (Failing(), False),
        (FixedThresholdClassifier(LogisticRegression(), threshold=0.4), False),
        (DummyClassifier(), False),
    ],
)
def test_labels_of_one_half_are_looked_at(model, is_told, tmp_path):
    X, y = crowded()
    cv = BlockKFold(5, random_state=0, stratify=True)
    messages = set()
    for scoring in ("recall", ["accuracy", "recall"]) if is_told else ("recall",):
        for _ in range(2):  # fitted, and stored
            options = {"cv": cv, "scoring": scoring, "memory": tmp_path}
            _, found = threshold_warnings(cross_val_losses, model, X, y, **options)
            assert len(found) == is_told
            messages |= set(found)
    assert len(messages) == is_told  # the same each time


class Asked(LogisticRegression):
    """Counts how often it is asked for more than labels."""

    n_asked = 0

    def predict_proba(self, X):
        Asked.n_asked += 1
        return super().predict_proba(X)


@pytest.mark.parametrize(
    "run", [cross_val_losses, cross_val_interval, compare_estimators]
)
def test_it_can_be_switched_off(run, tmp_path):
    models = {"a": Asked(), "b": Asked(C=1e-3)}
    for scoring in "f1", "recall":
        options = {"scoring": scoring, "memory": tmp_path, "cv": 3}
        # fitted without, then with; and read from what is stored
        for check, n_asked in [(False, 0), (True, 6), (False, 0), (True, 0)]:
            Asked.n_asked = 0
            _, found = threshold_warnings(
                run, models, *crowded(), diagnostics=check, **options
            )
            assert Asked.n_asked == n_asked
            assert bool(found) == check


@pytest.mark.parametrize(
    ("n_positives", "scoring", "is_told"),
    [
        (30, "f1", True),
        (30, "balanced_accuracy", True),
        (30, ["roc_auc", "recall"], True),
        (12, "f1", True),  # no values per example
        (31, "f1", False),
        (30, "roc_auc", False),
        (30, "accuracy", True),
        (31, "accuracy", False),
    ],
)
def test_few_positives_are_told_once(n_positives, scoring, is_told):
    y = (np.arange(300) < n_positives).astype(int)
    X = np.random.default_rng(0).normal(size=(300, 2)) + 0.2 * y[:, np.newaxis]
    cv = BlockKFold(3, n_repeats=2, stratify=True, random_state=0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cross_val_losses(LogisticRegression(), X, y, cv=cv, scoring=scoring)
    few = [str(w.message) for w in caught if "verdict" in str(w.message)]
    assert len(few) == is_told
    for message in few:
        assert f"{n_positives} positives" in message
        assert f"{n_positives // 3} in each test set" in message
