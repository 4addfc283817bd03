"""Intervals of one model's metric where a sample shows no error, or no hit at all.

Such a sample has one interval by `cross_val_interval`, which is asked for once. Rules
that find each positive with one probability, and call each negative positive with
another, give such a sample with a probability that is known, and have metrics that are
known. So how often an interval misses needs no simulation: it is the largest
probability of such a sample among rules whose metric the interval does not hold. A 95%
interval should have 0.025 at most, as it has two ends.

    python benchmarks/constant_metrics.py --csv docs/data/constant_metrics.csv
"""

import argparse
import itertools
import warnings

import numpy as np
from harness import write_table
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import cohen_kappa_score, get_scorer, make_scorer

from sklearn_cvtest import BlockKFold, cross_val_interval

NAMES = "recall", "f1", "jaccard", "precision", "balanced_accuracy"
NAMES += ("matthews_corrcoef", "roc_auc", "average_precision", "accuracy", "f1_macro")
SCORERS = {name: get_scorer(name) for name in NAMES}
SCORERS |= {"kappa": make_scorer(cohen_kappa_score)}
SIZES, SHARES = (200, 500, 1000), (0.01, 0.02, 0.05, 0.3)
CHANCES = np.geomspace(0.001, 0.5, 200)  # of a sample that shows nothing
PARTS = np.linspace(0, 1, 21)  # of its logarithm that is due to the positives


class Rule(ClassifierMixin, BaseEstimator):
    """Predicts what the first column says."""

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        return X[:, 0].astype(int)

    def predict_proba(self, X):
        return np.eye(2)[self.predict(X)]


def intervals_of(found, n, n_positives):
    """Return {metric: interval} of a sample in which all or no positives are found."""
    y = (np.arange(n) < n_positives).astype(int)
    X = (y * found)[:, np.newaxis]
    cv = BlockKFold(min(10, n_positives), stratify=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = cross_val_interval(Rule(), X, y, scoring=SCORERS, cv=cv)
    rows = [row for row in result.rows() if row["standard_error"] == 0]
    return {row["metric"]: (row["ci_low"], row["ci_high"]) for row in rows}


def metrics_of(found, wrong, share):
    """Return the metrics of rules with these rates of hits and of false positives."""
    hits, false = share * found, (1 - share) * wrong
    missed, right = share - hits, 1 - share - false
    given = hits + false
    both = 2 * right / (2 * right + missed + false)
    agree, chance = hits + right, share * given + (1 - share) * (1 - given)
    ranked = (1 + found - wrong) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        precision = np.where(given > 0, hits / given, 0.0)
        root = np.sqrt(given * (1 - given) * share * (1 - share))
        matthews = np.where(root > 0, (hits - share * given) / root, 0.0)
    f1 = 2 * hits / (share + given)
    return {
        "recall": found, "f1": f1, "jaccard": hits / (share + false),
        "precision": precision, "balanced_accuracy": ranked,
        "matthews_corrcoef": matthews, "roc_auc": ranked,
        "average_precision": found * precision + (1 - found) * share,
        "accuracy": agree, "f1_macro": (f1 + both) / 2,
        "kappa": (agree - chance) / (1 - chance),
    }  # fmt: skip


def rows_of(shows, n, share):
    n_positives = round(n * share)
    chance, part = np.meshgrid(CHANCES, PARTS)
    right = chance ** (part / n_positives)  # of a positive
    wrong = 1 - chance ** ((1 - part) / (n - n_positives))
    found = right if shows == "no error" else 1 - right
    true = metrics_of(found, wrong, share)
    of_sample = intervals_of(shows == "no error", n, n_positives)
    for metric, (low, high) in of_sample.items():
        missed = (true[metric] < low - 1e-9) | (true[metric] > high + 1e-9)
        yield {
            "shows": shows, "n": n, "positives": n_positives, "metric": metric,
            "low": round(low, 4), "high": round(high, 4),
            "missed": round(float(chance[missed].max(initial=0.0)), 4),
        }  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--csv", required=True)
    options = parser.parse_args()
    cells = itertools.product(("no hit", "no error"), SIZES, SHARES)
    write_table(options.csv, [row for cell in cells for row in rows_of(*cell)])


if __name__ == "__main__":
    main()
