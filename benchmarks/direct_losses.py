"""The losses that cross_val_losses makes, without its checks and without scorers.

For simulations: scorers take most of the time of fits of a millisecond. Each model
predicts a test set once, for all measures. `interval_coverage.py` checks on the first
sample of every case that the public function gives the same.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from sklearn_cvtest import CVLosses
from sklearn_cvtest._losses import _influence, _ranks
from sklearn_cvtest._losses._metrics import find_metric


class Measure(NamedTuple):
    """A metric with influences, and what it takes: labels, scores, proba, numbers."""

    function: object
    takes: str
    range: tuple  # of the loss, or of minus the score
    is_score: bool = True


RATE, LOSS = (-1.0, 0.0), (0.0, np.inf)
MEASURES = {
    "zero_one": Measure(_influence.zero_one_loss, "labels", (0.0, 1.0), False),
    "log_loss": Measure(_influence.log_loss, "proba", LOSS, False),
    "squared_error": Measure(_influence.mean_squared_error, "numbers", LOSS, False),
    "absolute_error": Measure(_influence.mean_absolute_error, "numbers", LOSS, False),
    "roc_auc": Measure(_ranks.roc_auc, "scores", RATE),
    "average_precision": Measure(_ranks.average_precision, "scores", RATE),
    "f1": Measure(_influence.fbeta, "labels", RATE),
    "f1_macro": Measure(partial(_influence.fbeta, average="macro"), "labels", RATE),
    "balanced_accuracy": Measure(_influence.balanced_accuracy, "labels", RATE),
    "r2": Measure(_influence.r2, "numbers", (-1.0, np.inf)),
}


def values_and_influences(model, X, y, train, test, measures):
    """Fit a model; return {measure: (value, influences)} on the test set."""
    model.fit(X[train], y[train])
    if hasattr(model, "predict_proba"):
        proba = model.predict_proba(X[test])
        outputs = {
            "proba": proba,
            "scores": proba[:, -1],
            "labels": model.classes_[proba.argmax(axis=1)],
        }
    else:
        outputs = {"numbers": model.predict(X[test])}
    return {
        name: MEASURES[name].function(y[test], outputs[MEASURES[name].takes])
        for name in measures
    }


def direct_losses(models, X, y, splits, design, measures, *, groups=None, fewest=10):
    """Return {measure: CVLosses}.

    Of a score, values per example where every test set has at least `fewest` examples
    of each class that it needs.
    """
    found = [
        [values_and_influences(m, X, y, *split, measures) for m in models]
        for split in splits
    ]
    n_test = np.array([len(test) for _, test in splits])
    unknown = np.zeros((len(splits), len(models)))
    common = {
        "estimator_names": tuple(f"model {number}" for number in range(len(models))),
        "n_train": np.array([len(train) for train, _ in splits]),
        "n_test": n_test,
        "n_samples": len(y),
        "design": design,
        "fit_time": unknown,
        "score_time": unknown,
        "fit_failed": unknown > 0,
        "split_hash": "",
    }
    row_index = np.concatenate([test for _, test in splits])
    result = {}
    for name in measures:
        measure = MEASURES[name]
        sign = -1 if measure.is_score else 1
        common |= {"loss_name": name, "is_score": measure.is_score}
        common |= {"value_range": measure.range}
        values = np.array([[of[name][0] for of in split] for split in found])
        if not _has_examples(name, y, splits, fewest):
            result[name] = CVLosses(
                losses=sign * values,
                row_split=np.arange(len(splits)),
                row_index=None,
                per_example=False,
                **common,
            )
            continue
        rows = [
            np.stack([of[name][0] + of[name][1] for of in split], axis=1)
            for split in found
        ]
        result[name] = CVLosses(
            losses=sign * np.concatenate(rows),
            row_split=np.repeat(np.arange(len(splits)), n_test),
            row_index=row_index,
            groups=None if groups is None else groups[row_index],
            **common,
        )
    return result


def _has_examples(name, y, splits, fewest):
    if not MEASURES[name].is_score:
        return True
    return find_metric(name).smallest_classes(y, splits).min() >= fewest
