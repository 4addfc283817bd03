"""Size of the default test of metrics of a predicted class, and whether it warned.

From the probabilities that `hard_fits.py classes` stored, with the threshold at one
half: the share of samples in which IntegratedRhoTest() on 2 x 5-fold rejects that the
difference of two learners (or the metric of one) is its mean over the samples. `hits`
is the number of positives that are predicted as such in a run, the smaller of two
learners; `near` the share of examples within 0.05 of the threshold, the larger of two;
`warned` the share of samples with a ThresholdWarning, `warned_rejections` that of the
`rejections` of the true hypothesis.

    python benchmarks/hard_classes.py --fits out --csv docs/predicted_classes.csv
"""

import argparse
import pathlib
import warnings

import numpy as np
from hard_cells import residuals_of
from harness import as_text, write_table

from sklearn_cvtest import IntegratedRhoTest
from sklearn_cvtest._losses._metrics import MIN_HITS, find_metric

METRICS = "f1", "recall", "balanced_accuracy", "matthews_corrcoef", "zero_one"
PAIRS = (0, 1), (0, 2), (1, 2), (1, 3), (2, 4), (0, 3), (0,), (1,), (2,), (3,), (4,)


def losses_of(metric, y, labels, fold):
    """Return the pseudo-losses of labels (samples, runs, n, learners)."""
    if metric == "zero_one":
        return (labels != y[:, np.newaxis, :, np.newaxis]).astype(float)
    influence, found = find_metric(metric).influence, np.empty(labels.shape)
    for s, r, j in np.ndindex(*labels.shape[:2], labels.shape[-1]):
        for k in range(fold.max() + 1):
            test = fold[s, r] == k
            value, of_examples = influence(y[s, test], labels[s, r, test, j])
            found[s, r, test, j] = -(value + of_examples)
    return found


def rows_of(path):
    _, half, population, n = path.stem.split("_")
    stored = np.load(path)
    y, predicted = stored["y"].astype(int), stored["predicted"]
    labels, names = (predicted > 0.5).astype(int), stored["learners"]
    hits = (labels * y[:, np.newaxis, :, np.newaxis]).sum(axis=2).mean(axis=1)
    near = (np.abs(predicted - 0.5) <= 0.05).mean(axis=(1, 2))
    for metric in METRICS:
        losses = losses_of(metric, y, labels, stored["fold"])
        for pair in PAIRS:
            columns = list(pair)
            e = losses[..., pair[0]]
            if len(pair) == 2:
                e = e - losses[..., pair[1]]
            test = IntegratedRhoTest(popmean=e.mean())
            rejected = test.evaluate(residuals_of(e)).pvalue <= 0.05
            warned = hits[:, columns].min(axis=1) < MIN_HITS
            if metric == "zero_one":
                warned = np.zeros(len(y), dtype=bool)
            run = e[:, 0]
            naive = run.var(axis=1, ddof=1).mean() / int(n)
            variance = run.mean(axis=1).var(ddof=1)
            yield {
                "half": half,
                "population": population,
                "n": n,
                "positives": y.mean(),
                "first": names[pair[0]],
                "second": names[pair[1]] if len(pair) == 2 else "",
                "metric": metric,
                "samples": len(y),
                "hits": hits[:, columns].min(axis=1).mean(),
                "near": near[:, columns].max(axis=1).mean(),
                "rho": 1 - naive / variance if variance else np.nan,
                "size": rejected.mean(),
                "warned": warned.mean(),
                "rejections": int(rejected.sum()),
                "warned_rejections": warned[rejected].mean() if rejected.any() else 0.0,
            }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fits", type=pathlib.Path, required=True)
    parser.add_argument("--csv", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    paths = sorted(arguments.fits.glob("classes_*.npz"))
    rows = [row for path in paths if path.stat().st_size for row in rows_of(path)]
    shown = [dict(zip(row, as_text(row.values()), strict=True)) for row in rows]
    write_table(arguments.csv, shown)


if __name__ == "__main__":
    main()
