"""Size and power of every test on populations whose truth is known.

Draws many independent samples of each population, cross-validates two estimators on
each in every design, and counts rejections at the 5% level of

- a true null hypothesis: `popmean` is the expected difference, taken from all samples;
- two false ones: `popmean` is 2 or 3 standard deviations of the estimate away from it.

Run: python benchmarks/calibration.py [--samples 500] [--jobs 2] [--population NAME]
     [--design NAME]
Writes rows of docs/data/calibration.csv, keeps the others, and prints the table of
docs/calibration.md. The letter and
forest data are fetched by scikit-learn, or read from the folder given by --data.
"""

import argparse
import functools
import pathlib
import warnings

import joblib
import numpy as np
from earlier_study.populations import linear, linear_outliers, two_gaussians
from harness import merge_rows
from sklearn.base import clone
from sklearn.datasets import (
    fetch_covtype,
    fetch_openml,
    load_digits,
    make_friedman1,
)
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import RepeatedKFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import sklearn_cvtest as ct

ALPHA = 0.05
SHIFTS = (0, 2, 3)


def friedman(rng, n):
    return make_friedman1(n, noise=1.0, random_state=int(rng.integers(2**31)))


def digits(rng, n):
    X, y = load_digits(return_X_y=True)
    rows = rng.integers(len(y), size=n)
    return X[rows], y[rows] % 2


@functools.cache
def letter_data(folder=None):
    """Letter recognition, A to M against N to Z."""
    if folder is None:
        X, y = fetch_openml("letter", version=1, return_X_y=True, as_frame=False)
    else:
        table = np.loadtxt(
            pathlib.Path(folder) / "letter-recognition.csv",
            delimiter=",",
            skiprows=1,
            dtype=str,
        )
        y, X = table[:, 0], table[:, 1:].astype(float)
    return X, y >= "N"


@functools.cache
def forest_data(folder=None):
    """Forest cover type, class 2 against the rest."""
    if folder is None:
        X, y = fetch_covtype(return_X_y=True)
    else:
        path = pathlib.Path(folder) / "forest-cover-15k.csv"
        table = np.loadtxt(path, delimiter=",", skiprows=1)
        X, y = table[:, :-1], table[:, -1]
    return X, y == 2


def draw_from(load, rng, n):
    X, y = load(FOLDER)
    rows = rng.integers(len(y), size=n)
    return X[rows], y[rows]


FOLDER = None  # of --data
TREE = DecisionTreeClassifier(random_state=0)
POPULATIONS = {
    "friedman, ridge - tree": (
        lambda rng: friedman(rng, 100),
        [Ridge(), DecisionTreeRegressor(random_state=0)],
        "absolute_error",
    ),
    "linear, ols - ridge": (
        lambda rng: linear(rng, 120)[:2],
        [LinearRegression(), Ridge(30.0)],
        "squared_error",
    ),
    "linear, ols alone": (
        lambda rng: linear(rng, 120)[:2],
        [LinearRegression()],
        "squared_error",
    ),
    "linear with outliers, ols alone": (
        lambda rng: linear_outliers(rng, 120)[:2],
        [LinearRegression()],
        "squared_error",
    ),
    "gaussians, bayes - tree": (
        lambda rng: two_gaussians(rng, 100)[:2],
        [GaussianNB(), TREE],
        "zero_one",
    ),
    "digits, tree alone": (lambda rng: digits(rng, 100), [TREE], "zero_one"),
    "letter, tree alone": (
        lambda rng: draw_from(letter_data, rng, 100),
        [TREE],
        "zero_one",
    ),
    "forest, tree alone": (
        lambda rng: draw_from(forest_data, rng, 100),
        [TREE],
        "zero_one",
    ),
}

HALVINGS = 3
DESIGNS = {
    "2 x 5-fold": lambda seed: ct.BlockKFold(5, n_repeats=2, random_state=seed),
    "10-fold": lambda seed: ct.BlockKFold(10, random_state=seed),
    "10-fold + 3 pairs of halves": lambda seed: ct.PairedHalves(
        ct.BlockKFold(10, random_state=seed), HALVINGS, random_state=seed
    ),
    "5-fold + 6 pairs of halves": lambda seed: ct.PairedHalves(
        ct.BlockKFold(5, random_state=seed), 2 * HALVINGS, random_state=seed
    ),
    "3 x 10-fold": lambda seed: RepeatedKFold(
        n_splits=10, n_repeats=3, random_state=seed
    ),
    "15 subsamples": lambda seed: ct.RepeatedSubsample(15, random_state=seed),
    "15 subsamples + 3 pairs of halves": lambda seed: ct.PairedHalves(
        ct.RepeatedSubsample(15, random_state=seed), HALVINGS, random_state=seed
    ),
    "5x2": lambda seed: ct.FiveByTwo(random_state=seed),
    "one split": lambda seed: ShuffleSplit(1, test_size=0.33, random_state=seed),
}
TESTS = {
    "2 x 5-fold": [
        ct.IntegratedRhoTest(),
        ct.IntegratedRhoTest(correct_skewness=False),
        ct.CorrectedRepeatedKFoldTTest(),
    ],
    "10-fold": [
        ct.KFoldTTest(rho=0.0),
        ct.KFoldTTest("nadeau-bengio"),
        ct.KFoldTTest(rho=0.7),
        ct.IntegratedRhoTest(),
        ct.IntegratedRhoTest(correct_skewness=False),
        ct.KFoldZTest(),
        ct.KFoldZTest("theta4"),
    ],
    "10-fold + 3 pairs of halves": [
        ct.HalfSampleTTest(),
        ct.IntegratedRhoTest(),
        ct.IntegratedRhoTest(correct_skewness=False),
    ],
    "5-fold + 6 pairs of halves": [
        ct.HalfSampleTTest(),
        ct.IntegratedRhoTest(),
        ct.PairedHalvesTTest(),
        ct.SharpTest(),
    ],
    "3 x 10-fold": [ct.CorrectedRepeatedKFoldTTest()],
    "15 subsamples": [ct.ResampledTTest(), ct.CorrectedResampledTTest()],
    "15 subsamples + 3 pairs of halves": [ct.ConservativeZTest()],
    "5x2": [ct.FiveByTwoTTest(), ct.FiveByTwoFTest()],
    "one split": [ct.HoldoutTTest()],
}


def one_sample(population, seed, designs):
    """Return the residuals of one sample by design."""
    draw, estimators, loss = POPULATIONS[population]
    X, y = draw(np.random.default_rng([seed, sum(map(ord, population))]))
    residuals = {}
    for design in designs:
        cv = DESIGNS[design](seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FitFailedWarning)
            losses = ct.cross_val_losses(estimators, X, y, cv=cv, loss=loss)
        residuals[design] = losses.residuals(0, 1 if len(estimators) == 2 else None)
    return residuals


def rejection_rates(test, residuals, mean, deviation):
    """Return the shares of rejections at each shift, averaged over both signs."""
    rates = []
    for shift in SHIFTS:
        popmeans = {mean - shift * deviation, mean + shift * deviation}
        pvalues = [
            clone(test).set_params(popmean=popmean).fit(one).pvalue_
            for popmean in popmeans
            for one in residuals
        ]
        rates.append(float(np.mean(np.array(pvalues) <= ALPHA)))
    return rates


def measure(population, n_samples, n_jobs, designs=tuple(DESIGNS)):
    """Yield a row for each test of each design."""
    samples = joblib.Parallel(n_jobs=n_jobs)(
        joblib.delayed(one_sample)(population, seed, designs)
        for seed in range(n_samples)
    )
    warnings.simplefilter("ignore", ct.exceptions.DegenerateResidualsWarning)
    warnings.simplefilter("ignore", ct.exceptions.HeavyTailedResidualsWarning)
    for design in designs:
        residuals = [sample[design] for sample in samples]
        for test in TESTS[design]:
            estimates = [clone(test).fit(one).estimate_ for one in residuals]
            deviation = np.std(estimates, ddof=1)
            rates = rejection_rates(test, residuals, np.mean(estimates), deviation)
            yield {
                "population": population,
                "design": design,
                "test": " ".join(repr(test).split()),
                "fits": len(residuals[0].n_test),
                "size": rates[0],
                "power_2sd": rates[1],
                "power_3sd": rates[2],
                "samples": n_samples,
            }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--population", choices=POPULATIONS, action="append")
    parser.add_argument("--design", choices=DESIGNS, action="append")
    parser.add_argument("--out", default="docs/data/calibration.csv")
    parser.add_argument("--data", help="folder with the letter and forest files")
    arguments = parser.parse_args()
    global FOLDER
    FOLDER = arguments.data
    pathlib.Path(arguments.out).parent.mkdir(parents=True, exist_ok=True)
    rows = []
    for population in arguments.population or POPULATIONS:
        designs = arguments.design or tuple(DESIGNS)
        for row in measure(population, arguments.samples, arguments.jobs, designs):
            rows.append(row)
            size, *power = (100 * row[k] for k in ("size", "power_2sd", "power_3sd"))
            cells = [row[key] for key in ("population", "design", "test", "fits")]
            cells += [f"{size:.1f}", f"{power[0]:.0f}", f"{power[1]:.0f}"]
            print(f"| {' | '.join(map(str, cells))} |", flush=True)
    table = [list(map(str, row.values())) for row in rows]
    merge_rows(pathlib.Path(arguments.out), list(rows[0]), table, n_key=3)


if __name__ == "__main__":
    main()
