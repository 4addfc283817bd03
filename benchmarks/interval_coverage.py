"""Coverage of the intervals of cross_val_interval on known populations.

Each sample gives an interval; the truth is the mean of the estimates over all samples,
which are unbiased for the algorithm trained on that many examples (with NestedKFold:
the mean loss of models trained on all examples). Coverage within 93-97% is what is
aimed at. Run: python benchmarks/interval_coverage.py --csv docs/interval_coverage.csv
"""

import argparse
import csv
import warnings

import numpy as np
from sklearn.datasets import load_digits, make_friedman1
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    BlockKFold,
    IntegratedRhoTest,
    KFoldZTest,
    NestedKFold,
    RepeatedSubsample,
    cross_val_losses,
)
from sklearn_cvtest._pairs._intervals import estimator_intervals

DIGITS = load_digits(return_X_y=True)


def gaussians(n, rng, shift=1.0, share=0.5):
    y = (rng.random(n) < share).astype(int)
    return rng.normal(size=(n, 5)) + shift * y[:, np.newaxis] * [1, 1, 0, 0, 0], y


def digits(n, rng):
    rows = rng.integers(len(DIGITS[1]), size=n)
    return DIGITS[0][rows], DIGITS[1][rows]


def linear(n, rng):
    X = rng.normal(size=(n, 30))
    return X, X.sum(axis=1) / np.sqrt(10) + rng.normal(size=n)


def friedman(n, rng):
    return make_friedman1(n, random_state=rng.integers(2**31))


def few_positives(n, rng):
    return gaussians(n, rng, 2.0, 0.2)


def grouped(n, rng):
    """Groups of five, which share half of the noise."""
    X = rng.normal(size=(n, 10))
    common = np.repeat(rng.normal(size=n // 5), 5)
    noise = (common + rng.normal(size=n)) / np.sqrt(2)
    return X, X.sum(axis=1) / np.sqrt(10) + noise


TREE = DecisionTreeClassifier(random_state=0)
CASES = {
    # name: draw, model, options
    "gaussians, bayes": (gaussians, GaussianNB(), {}),
    "gaussians, logistic, AUC": (gaussians, LogisticRegression(), "roc_auc"),
    "20% positives, bayes": (few_positives, GaussianNB(), {}),
    "20% positives, bayes, F1": (few_positives, GaussianNB(), "f1"),
    "digits, tree": (digits, TREE, {}),
    "linear, ols": (linear, LinearRegression(), {}),
    "friedman, ridge": (friedman, Ridge(), {}),
    "friedman, ridge, R2": (friedman, Ridge(), "r2"),
    "linear in groups, ridge": (grouped, Ridge(), "groups"),
}
DESIGNS = {
    "10-fold": BlockKFold(10, random_state=0),
    "5-fold": BlockKFold(5, random_state=0),
    "15 subsamples": RepeatedSubsample(15, random_state=0),
    "5 x nested 5-fold": NestedKFold(5, random_state=0),
}
TESTS = {
    "": None,
    "rho_max 0.75": IntegratedRhoTest(),
    "rho 0": KFoldZTest(),
}


def losses_of(case, design, n, rng):
    draw, model, options = CASES[case]
    X, y = draw(n, rng)
    cv = DESIGNS[design]
    given = {}
    if options == "groups":
        given["groups"] = np.arange(n) // 5
    elif options:
        given["scoring"] = options
    if hasattr(model, "predict_proba"):
        cv = type(cv)(**{**vars(cv), "stratify": True})
    return cross_val_losses({"model": model}, X, y, cv=cv, **given)


def coverage(case, design, n, n_samples, seed=0):
    """Return rows of coverage of the default, and of what it could be."""
    rng = np.random.default_rng(seed)
    found = {name: [] for name in TESTS}
    for _ in range(n_samples):
        losses = losses_of(case, design, n, rng)
        for name, test in TESTS.items():
            others = losses.design.kind != "k-fold" or not losses.per_example
            if test is not None and others:
                continue
            one = estimator_intervals(losses, 0.05, test)
            found[name].append((one.estimate[0], one.ci_low[0], one.ci_high[0]))
    rows = []
    for name, intervals in found.items():
        if intervals:
            estimate, low, high = np.array(intervals).T
            truth = estimate.mean()
            below, above = (high < truth).mean(), (low > truth).mean()
            rows.append(
                {
                    "population": case,
                    "design": design,
                    "test": name or "default",
                    "n": n,
                    "coverage": round(1 - below - above, 4),
                    "below": round(below, 4),
                    "above": round(above, 4),
                    "width": round(float(np.mean(high - low)), 4),
                    "deviation": round(float(np.std(estimate)), 4),
                    "samples": n_samples,
                }
            )
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--n", type=int, default=120)
    parser.add_argument("--case", choices=CASES, action="append")
    parser.add_argument("--design", choices=DESIGNS, action="append")
    parser.add_argument("--csv")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = []
    for design in arguments.design or DESIGNS:
        for case in arguments.case or CASES:
            rows += (new := coverage(case, design, arguments.n, arguments.samples))
            for row in new:
                print(*row.values(), sep="  ", flush=True)
    if arguments.csv:
        with open(arguments.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
