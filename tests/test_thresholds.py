"""Metrics of labels whose probabilities crowd around the threshold."""

import re
import warnings

import numpy as np
import pytest
from sklearn import metrics
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    FixedThresholdClassifier,
    TunedThresholdClassifierCV,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

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
    "accuracy": metrics.accuracy_score,
    "matthews_corrcoef": metrics.matthews_corrcoef,
}


def drawn(seed, spread=0.05):
    """Return a target and two columns of probabilities that hardly tell of it."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=N)
    proba = 0.5 + spread * (rng.normal(size=(2, N)) + 0.3 * (2 * y - 1))
    return y, np.clip(proba, 0, 1), np.arange(N) % 5


def told(y, proba, folds, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        columns = dict(zip("ab", proba, strict=True))
        result = compare_predictions(y, columns, splits=folds, **options)
    return result, [str(w.message) for w in caught if w.category is ThresholdWarning]


@pytest.mark.parametrize("scoring", SCORES)
def test_what_moving_the_threshold_does_is_told(scoring):
    n_told = 0
    for seed in range(6):
        y, proba, folds = drawn(seed)
        score, tests = SCORES[scoring], [folds == k for k in range(5)]
        down, up = (
            [np.mean([score(y[t], p[t] > 0.5 + shift) for t in tests]) for p in proba]
            for shift in (-0.05, 0.05)
        )
        result, messages = told(y, proba, folds, scoring=scoring)
        q = y.mean()
        noise = 0.25 / np.sqrt(0.8 * N * q * (1 - q))
        errors = result.losses.losses.std(axis=0, ddof=1) / np.sqrt(N)
        shifts = np.abs(np.subtract(up, down)) / 0.1 * noise / errors
        assert bool(messages) == (shifts.max() > 1)
        if not messages:
            continue
        n_told += 1
        of = int(shifts[0] <= 1)
        assert messages[0].startswith(f"'{'ab'[of]}'")
        near = np.mean(np.abs(proba[of] - 0.5) <= 0.05)
        assert f"{near:.0%} of its probabilities are within 0.05" in messages[0]
        unit = 1 if scoring == "matthews_corrcoef" else 100
        ends = re.findall(r"At a .* is (\S+\d)%?, at 0.55 (\S+\d)%?\. ", messages[0])
        found = [float(x.replace("−", "-")) / unit for x in ends[0]]
        assert found == pytest.approx([down[of], up[of]], abs=6e-4)
    assert scoring != "recall" or n_told == 6


def test_error_rates_count_too():
    y, proba, folds = drawn(0)
    proba = np.clip(proba + 0.04, 0, 1)
    _, messages = told(y, proba, folds, loss="zero_one")
    _, of_scores = told(y, proba, folds, scoring="accuracy")
    assert len(messages) == len(of_scores)


@pytest.mark.parametrize("options", [{"scoring": "roc_auc"}, {"loss": "log_loss"}])
def test_scores_do_not_hang_on_it(options):
    assert not told(*drawn(0), **options)[1]


def test_probabilities_far_from_it_are_not_told_of():
    assert not told(*drawn(0, spread=2), scoring="recall")[1]


class Failing(LogisticRegression):
    def predict_proba(self, X):
        raise RuntimeError("not today")


@pytest.mark.parametrize(
    ("model", "is_told"),
    [
        (LogisticRegression(), True),
        (make_pipeline(StandardScaler(copy=False), LogisticRegression()), True),
        (Failing(), False),
        (FixedThresholdClassifier(LogisticRegression(), threshold=0.4), False),
        (DummyClassifier(), False),
    ],
)
def test_labels_of_one_half_are_looked_at(model, is_told, tmp_path):
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=N)
    X = rng.normal(size=(N, 4)) + 0.15 * y[:, np.newaxis]
    cv = BlockKFold(5, random_state=0, stratify=True)
    messages = set()
    for scoring in ("recall", ["recall", "roc_auc"]) if is_told else ("recall",):
        for _ in range(2):  # fitted, and stored
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                cross_val_losses(model, X, y, cv=cv, scoring=scoring, memory=tmp_path)
            found = [w for w in caught if w.category is ThresholdWarning]
            assert len(found) == is_told
            messages |= {str(w.message) for w in found}
    assert len(messages) == is_told  # the same each time


class Asked(LogisticRegression):
    """Counts how often it is asked for more than labels."""

    n_asked = 0

    def predict_proba(self, X):
        Asked.n_asked += 1
        return super().predict_proba(X)

    def predict(self, X):
        return self.classes_[(super().decision_function(X) > 0) * 1]

    def decision_function(self, X):
        Asked.n_asked += 1
        return super().decision_function(X)


def crowded():
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=N)
    return rng.normal(size=(N, 4)) + 0.15 * y[:, np.newaxis], y


@pytest.mark.parametrize(
    "run", [cross_val_losses, cross_val_interval, compare_estimators]
)
def test_it_can_be_switched_off(run, tmp_path):
    models = {"a": Asked(), "b": Asked(C=1e-3)}
    for scoring in "f1", ["recall", "accuracy"]:
        options = {"scoring": scoring, "memory": tmp_path}
        # fitted without, then with; and read from what is stored
        for number, check in enumerate([False, "ask", False, "ask"]):
            Asked.n_asked = 0
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                run(models, *crowded(), diagnostics=check, **options)
            assert (Asked.n_asked > 0) == (number == 1)
            is_told = any(w.category is ThresholdWarning for w in caught)
            assert is_told == (check == "ask")


@pytest.mark.parametrize(
    ("n", "share", "is_told"),
    [(300, 0.49, True), (1000, 0.48, True), (1000, 0.46, False), (4000, 0.48, False)],
)
def test_constant_labels_count_where_the_share_may_turn_them(n, share, is_told):
    y = (np.arange(n) >= share * n).astype(int)  # most are 1, and all predicted so
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cross_val_losses(DummyClassifier(), np.zeros((n, 1)), y, scoring="f1")
    assert any(w.category is ThresholdWarning for w in caught) == is_told


class Counted(LogisticRegression):
    """Counts how often a model is fitted."""

    n_fits = 0

    def fit(self, X, y):
        Counted.n_fits += 1
        return super().fit(X, y)


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
def test_few_positives_are_told_once_and_before_any_fit(n_positives, scoring, is_told):
    y = (np.arange(300) < n_positives).astype(int)
    X = np.random.default_rng(0).normal(size=(300, 2)) + 0.2 * y[:, np.newaxis]
    cv = BlockKFold(3, n_repeats=2, stratify=True, random_state=0)
    Counted.n_fits, n_fits = 0, []

    def note(message, category, *args, **options):
        if category is ThresholdWarning:
            n_fits.append((Counted.n_fits, str(message)))

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = note
        cross_val_losses(Counted(), X, y, cv=cv, scoring=scoring)
    before = [message for n, message in n_fits if n == 0]
    assert len(before) == is_told
    if is_told:
        (message,) = before
        assert len(n_fits) == 1  # although hardly any is found
        assert f"{n_positives} positives" in message
        assert f"{n_positives // 3} in each test set" in message


@pytest.mark.parametrize("is_tuned", [False, True])
def test_who_tunes_the_threshold_is_not_told_to(is_tuned):
    X, y = np.arange(800)[:, np.newaxis] % 7, (np.arange(800) % 20 == 0).astype(int)
    model = LogisticRegression()
    if is_tuned:
        model = TunedThresholdClassifierCV(model, scoring="accuracy", cv=2)
    cv = BlockKFold(2, stratify=True, random_state=0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cross_val_losses(make_pipeline(model), X, y, cv=cv, scoring="f1")
    (told,) = [str(w.message) for w in caught if w.category is ThresholdWarning]
    assert "of the positives (or of the rarer class) are predicted" in told
    assert ("TunedThresholdClassifierCV" in told) != is_tuned
