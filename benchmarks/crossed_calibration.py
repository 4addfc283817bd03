"""Type-I error of compare_scores: runs × examples of one test set.

    python benchmarks/crossed_calibration.py docs/data/crossed_calibration.csv

Eight models that are equally good, all pairs, in each sample. A score is the sum of how
easy the example is (the same for all models), of what the example is for this model, of
the run, and of noise; the variance of the run is a share of that of a mean difference.
"auc" is the AUC of such scores as predictions of two classes, which a run tells apart
more or less well; in "groups", five examples each have what is common to them. Beside
it, a t test of the means of runs (Welch's where runs are not paired), and one of
all scores. Standard errors are those between samples.
"""

import argparse
import csv
import itertools
import warnings
import zlib

import numpy as np
from scipy import stats

from sklearn_cvtest import compare_scores

RUNS = 2, 3, 5, 10
EXAMPLES = 50, 500
SHARES = 0.0, 0.2, 0.5
KINDS = "normal", "zero-one", "groups", "auc"
IN_GROUP = 5
PAIRINGS = "paired", "unpaired"
N_MODELS = 8
ALPHA = 0.05
FIELDS = "kind", "pairing", "n_runs", "n_examples", "share_of_runs", "n_samples"
FIELDS += "crossed", "crossed_se", "t_of_means", "t_of_all"


def scores_of(rng, kind, counts, n_examples, share):
    """Return {model: scores (n_runs, n_examples)} of equally good models."""
    n_runs, size = min(counts), IN_GROUP if kind == "groups" else 1
    of_examples, noise = 0.5, 0.5
    rest = of_examples / (n_examples / size) + noise / (n_examples * n_runs)
    of_runs = share / (1 - share) * n_runs * rest
    effect = 1.0
    if kind == "auc":  # of the difference between the means of two halves
        of_runs, effect = 4 * of_runs, target_of(n_examples)
    easy = rng.normal(size=n_examples) + (kind == "auc") * effect
    scores = {}
    for number, count in enumerate(counts):
        own = np.sqrt(of_examples) * rng.normal(size=n_examples // size)
        run = np.sqrt(of_runs) * rng.normal(size=(count, 1)) * effect
        each = np.sqrt(noise) * rng.normal(size=(count, n_examples))
        found = easy + np.repeat(own, size) + run + each
        scores[f"m{number}"] = found > -0.7 if kind == "zero-one" else found
    return scores


def target_of(n_examples):
    """Return two classes of the same size."""
    return np.arange(n_examples) % 2


def options_of(kind, n_examples):
    """Return how scores of a kind are compared."""
    if kind == "auc":
        return {"y_true": target_of(n_examples), "scoring": "roc_auc"}
    if kind == "groups":
        return {"group": np.arange(n_examples) // IN_GROUP}
    return {}


def naive_pvalues(first, second, is_paired):
    """Return the p-values of t tests of the means of runs, and of all scores."""
    means = first.mean(axis=1), second.mean(axis=1)
    if is_paired:
        of_means = stats.ttest_rel(*means)
        of_all = stats.ttest_rel(first.ravel(), second.ravel())
    else:
        of_means = stats.ttest_ind(*means, equal_var=False)
        of_all = stats.ttest_ind(first.ravel(), second.ravel())
    return of_means.pvalue, of_all.pvalue


def measure(kind, pairing, n_runs, n_examples, share, n_samples):
    """Return a row of the table."""
    cell = kind, pairing, n_runs, n_examples, share, n_samples
    rng = np.random.default_rng(zlib.crc32(repr(cell).encode()))
    is_paired = pairing == "paired"
    counts = [
        n_runs * (1 if is_paired else 1 + number % 2) for number in range(N_MODELS)
    ]
    found, naive = [], []
    for _ in range(n_samples):
        scores = scores_of(rng, kind, counts, n_examples, share)
        options = options_of(kind, n_examples)
        result = compare_scores(scores, p_adjust=None, **options)
        found.append(np.mean(result.pvalues <= ALPHA))
        first, second = scores["m0"] * 1.0, scores["m1"] * 1.0
        if kind == "auc":
            values = result.losses.losses.T.reshape(N_MODELS, n_runs, n_examples)
            first, second = values[:2]
        naive.append(np.array(naive_pvalues(first, second, is_paired)) <= ALPHA)
    error = np.std(found, ddof=1) / np.sqrt(n_samples)
    rates = np.mean(found), error, *np.mean(naive, axis=0)
    return [*cell, *(f"{rate:.4f}" for rate in rates)]


def main():
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--n-samples", type=int, default=300)
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # of scores that do not vary, in 0/0
    cells = [
        cell
        for cell in itertools.product(options.kinds, PAIRINGS, RUNS, EXAMPLES, SHARES)
        if cell[0] in KINDS[:2] or cell[1] == "paired"
    ]
    with open(options.out, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(FIELDS)
        for cell in cells:
            writer.writerow(measure(*cell, options.n_samples))
            file.flush()


if __name__ == "__main__":
    main()
