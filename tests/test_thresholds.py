"""Metrics of labels that rest on few positives."""

import warnings

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from sklearn_cvtest import (
    BlockKFold,
    cross_val_losses,
)
from sklearn_cvtest.exceptions import ThresholdWarning


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
