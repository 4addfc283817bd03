"""Coverage of intervals of a metric on one test set, from its influences.

A fixed model is tested on sets of n examples; how often do 95% intervals hold its
metric on 10^6 others? "t": metric ± t s/√n of the pseudo-values; "range": the same
within the range of the metric. Run: python benchmarks/metric_coverage.py (2 minutes).
"""

import argparse
from functools import partial

import numpy as np

from sklearn_cvtest._inference._ranges import student_interval_in_range
from sklearn_cvtest._losses import _influence, _ranks

NONE, UNIT = (-np.inf, np.inf), (0, 1)
METRICS = {
    "roc_auc": (_ranks.roc_auc, "scores", UNIT),
    "average_precision": (_ranks.average_precision, "scores", UNIT),
    "f1": (_influence.fbeta, "labels", UNIT),
    "f1_macro": (partial(_influence.fbeta, average="macro"), "labels", UNIT),
    "balanced_accuracy": (_influence.balanced_accuracy, "labels", UNIT),
    "matthews_corrcoef": (_influence.matthews_corrcoef, "labels", (-1, 1)),
    "r2": (_influence.r2, "numbers", (-np.inf, 1)),
    "rmse": (_influence.root_mean_squared_error, "numbers", (0, np.inf)),
    "concordance": (_ranks.concordance, "numbers", UNIT),
}


def draw(kind, n, positives, signal, rng):
    """Return a target and predictions; classes are drawn, at least two of each."""
    if kind == "numbers":
        prediction = signal * rng.normal(size=n)
        return prediction + rng.normal(size=n), prediction
    y = (rng.random(n) < positives).astype(int)
    y[:4] = [0, 1, 0, 1]
    scores = signal * y + rng.normal(size=n)
    if kind == "scores":
        return y, scores
    return y, (scores > signal / 2).astype(int)


def coverage(name, n, positives, signal, n_samples, rng):
    """Return how often both intervals hold the metric, in percent."""
    function, kind, bounds = METRICS[name]
    truth = function(
        *draw(kind, 10**6 if name != "concordance" else 10**5, positives, signal, rng)
    )[0]
    inside = np.zeros(2)
    for _ in range(n_samples):
        value, influence = function(*draw(kind, n, positives, signal, rng))
        error = np.std(influence, ddof=1) / np.sqrt(n)
        for column, used in enumerate((NONE, bounds)):
            low, high = student_interval_in_range(value, error, n - 1, 0.95, used)
            inside[column] += low <= truth <= high
    return truth, 100 * inside / n_samples


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n-samples", type=int, default=2000)
    parser.add_argument("--metric", choices=METRICS, action="append")
    arguments = parser.parse_args()
    n_samples = arguments.n_samples
    print(f"{'metric':18} {'n':>5} {'positives':>9} {'truth':>6} {'t':>5} {'range':>5}")
    for name in arguments.metric or METRICS:
        kind = METRICS[name][1]
        shares = (0.5,) if kind == "numbers" else (0.5, 0.1)
        for positives in shares:
            for n in (20, 50, 100, 300):
                if n * positives < 5:
                    continue
                for signal in (1.0, 2.5):
                    rng = np.random.default_rng(n)
                    truth, (plain, ranged) = coverage(
                        name, n, positives, signal, n_samples, rng
                    )
                    print(
                        f"{name:18} {n:5} {positives:9} {truth:6.3f} {plain:5.1f} "
                        f"{ranged:5.1f}"
                    )


if __name__ == "__main__":
    main()
