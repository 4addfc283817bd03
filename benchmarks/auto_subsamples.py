"""RepeatedSubsample("auto"): size, power, splits, and how often two seeds disagree.

Two learners are compared on samples of two populations, each with two seeds of up to
100 stratified subsamples of 10% of the rows. The null hypothesis is moved to 0, 2, 3
and 5 standard deviations of the mean over 100 subsamples from the truth, to both
sides; the truth is the mean over all samples.

Run: python benchmarks/auto_subsamples.py [--samples 150]
Writes docs/data/auto_subsamples.csv and prints the table.
"""

import argparse
import csv
import pathlib
from dataclasses import replace

import numpy as np
import sklearn
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    CorrectedResampledTTest,
    RepeatedSubsample,
    cross_val_losses,
)
from sklearn_cvtest._pairs._stability import are_stable

ALPHA = 0.05
MOST = 100
ADDED = range(10, MOST + 1, 5)  # as compare_estimators adds them
PAIR = np.array([[0, 1]])
RULE = {"alpha": ALPHA, "p_adjust": None, "stability": 0.99}
OUT = pathlib.Path(__file__).parents[1] / "docs" / "data" / "auto_subsamples.csv"
HEADER = (
    "population",
    "difference (s.d.)",
    "15 reject (%)",
    "100 reject (%)",
    "auto rejects (%)",
    "auto subsamples",
    "15: seeds differ (%)",
    "100: seeds differ (%)",
    "auto: seeds differ (%)",
    "auto differs from 100 (%)",
)


def ring(rng):
    """A ring of noisy radius: naive Bayes - tree."""
    X = rng.normal(size=(100, 2))
    y = np.hypot(*X.T) + 0.5 * rng.normal(size=100) > 1.2
    return X, y.astype(int), GaussianNB()


def plane(rng):
    """Two classes divided by a plane in five dimensions: LDA - tree."""
    X = rng.normal(size=(100, 5))
    y = X[:, 0] + X[:, 1] + rng.normal(size=100) > 0
    return X, y.astype(int), LinearDiscriminantAnalysis()


def losses_of(make, rng, seed):
    """Return the losses of 100 subsamples by two seeds."""
    X, y, model = make(rng)
    pair = {"model": model, "tree": DecisionTreeClassifier(random_state=0)}
    seeds = 2 * seed, 2 * seed + 1
    splitters = [RepeatedSubsample(MOST, random_state=s, stratify=True) for s in seeds]
    return [cross_val_losses(pair, X, y, cv=cv) for cv in splitters]


def first(losses, n_splits):
    """Return the losses of the first subsamples."""
    rows = losses.row_split < n_splits
    return replace(
        losses,
        design=losses.design.first(n_splits),
        losses=losses.losses[rows],
        row_index=losses.row_index[rows],
        row_split=losses.row_split[rows],
        n_train=losses.n_train[:n_splits],
        n_test=losses.n_test[:n_splits],
    )


def rejects(losses, popmean):
    test = CorrectedResampledTTest(popmean=popmean, alpha=ALPHA)
    return test.fit(losses.residuals("model", "tree")).pvalue_ <= ALPHA


def decisions(parts, popmean):
    """Return what 15, what 100 and what "auto" subsamples decide, and its number."""
    test = CorrectedResampledTTest(popmean=popmean, alpha=ALPHA)
    stopped = MOST
    for n_splits in ADDED:
        if are_stable(parts[n_splits], test, PAIR, MOST, **RULE):
            stopped = n_splits
            break
    counts = 15, MOST, stopped
    return [rejects(parts[n], popmean) for n in counts], stopped


def evaluate(samples, shift, truth, deviation):
    """Return a row of the table, without the population."""
    ends = (-shift, shift) if shift else (0,)
    verdicts, counts = [], []
    for sample in samples:
        for end in ends:
            found = [decisions(parts, truth + end * deviation) for parts in sample]
            verdicts.append([verdict for verdict, _ in found])
            counts += [count for _, count in found]
    verdicts = np.array(verdicts)  # (cases, seeds, designs)
    differ = verdicts[:, 0] != verdicts[:, 1]
    early = verdicts[..., 2] != verdicts[..., 1]
    shares = [*verdicts.mean((0, 1)), *differ.mean(0), early.mean()]
    shares = [f"{100 * share:.1f}" for share in shares]
    return [shift, *shares[:3], f"{np.mean(counts):.0f}", *shares[3:]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--samples", type=int, default=150)
    arguments = parser.parse_args()
    rows = []
    for number, make in enumerate((ring, plane)):
        rng = np.random.default_rng(number)
        with sklearn.config_context(assume_finite=True):
            drawn = [losses_of(make, rng, seed) for seed in range(arguments.samples)]
        means = [
            np.mean([losses.residuals("model", "tree").block_means for losses in pair])
            for pair in drawn
        ]
        truth, deviation = np.mean(means), np.std(means, ddof=1)
        samples = [
            [{n: first(losses, n) for n in {15, *ADDED}} for losses in pair]
            for pair in drawn
        ]
        for shift in (0, 2, 3, 5):
            rows.append([make.__name__, *evaluate(samples, shift, truth, deviation)])
            print(*rows[-1], flush=True)
    with OUT.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER, *rows])


if __name__ == "__main__":
    main()
