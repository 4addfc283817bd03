"""Size of the synthesis over data sets, on simulated collections of known truth.

Draws collections of D data sets: true differences N(0, τ²), estimates that scatter
about them with variances that differ between data sets (log-normal; median 1), and
estimates of these variances with few degrees of freedom, as a corrected t test has
them. Counts how often the synthesis rejects at the 5% level that the mean difference is
zero, and how often its prediction interval holds the true difference on one more data
set. `stated` is the variance that the test believes in over the true one: a corrected t
test may be wrong about ρ. Zero-one losses, whose variances depend on their means, are
drawn block by block: 10 blocks, 50 to 2000 examples, a mean difference of 0.03.

Run: python benchmarks/datasets.py [--samples 10000] [--seed 0]
Writes docs/datasets_calibration.csv and prints the table.
"""

import argparse
import itertools

import numpy as np
from harness import write_table

from sklearn_cvtest._inference._prediction import prediction_interval
from sklearn_cvtest._inference._synthesis import (
    synthesis_pvalue,
    synthesise,
)

ALPHA = 0.05
SPREADS = {"equal": 0.0, "unequal": 1.0, "very unequal": 2.0}  # sd of log variance
N_DATASETS = (5, 10, 30)
DFS = (4, 9, 14)
TAUS = (0.0, 0.5, 2.0)
METHODS = {
    "robust": {},
    "robust, reml": {"tau2": "reml"},
    "inverse, robust": {"weights": "inverse"},
    "moderated, hartung-knapp": {"interval": "hartung-knapp"},
    "inverse, hartung-knapp": {"weights": "inverse", "interval": "hartung-knapp"},
    "inverse, modified": {"weights": "inverse", "interval": "modified"},
    "equal, hartung-knapp": {"weights": "equal", "interval": "hartung-knapp"},
}
ZERO_ONE = "zero-one losses"
MEAN = 0.03  # their difference


def draw(rng, n_samples, n_datasets, df, tau, spread, stated):
    """Return estimates and standard errors."""
    shape = n_samples, n_datasets
    variances = np.exp(spread * rng.normal(size=shape))
    truth = tau * rng.normal(size=shape)
    estimates = truth + np.sqrt(variances) * rng.normal(size=shape)
    squares = stated * variances * rng.chisquare(df, size=shape) / df
    return estimates, np.sqrt(squares)


def draw_zero_one(rng, n_samples, n_datasets, df, tau):
    """Return the same of differences of error rates, on df + 1 blocks each."""
    shape = n_samples, n_datasets
    sizes = np.exp(rng.uniform(np.log(5), np.log(200), size=shape)).astype(int)
    truth = MEAN + tau * rng.normal(size=shape)
    different = np.maximum(rng.beta(2, 10, size=shape), np.abs(truth))
    first, second = (different + truth) / 2, (different - truth) / 2
    sizes, first, second = (x[..., np.newaxis] for x in (sizes, first, second))
    wrong = rng.binomial(sizes, first, size=(*shape, df + 1))
    other = np.clip(second / (1 - first), 0, 1)
    blocks = (wrong - rng.binomial(sizes - wrong, other)) / sizes
    return blocks.mean(axis=-1), blocks.std(axis=-1, ddof=1) / np.sqrt(df + 1)


def measure(rng, n_samples, n_datasets, df, tau, spread, stated):
    """Return a row for each method."""
    if spread == ZERO_ONE:
        data, mean = draw_zero_one(rng, n_samples, n_datasets, df, tau), MEAN
    else:
        scenario = n_datasets, df, tau, SPREADS[spread], stated
        data, mean = draw(rng, n_samples, *scenario), 0.0
    new = mean + tau * rng.normal(size=n_samples)
    for name, options in METHODS.items():
        result = synthesise(*data, df, **options)
        low, high = prediction_interval(result)
        yield {
            "data_sets": n_datasets,
            "variances": spread,
            "df": df,
            "tau": tau,
            "stated": stated,
            "method": name,
            "size": np.mean(synthesis_pvalue(result, popmean=mean)[1] <= ALPHA),
            "sd": np.round(result.estimate.std(), 4),
            "prediction_coverage": np.mean((low <= new) & (new <= high)),
            "samples": n_samples,
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", default="docs/datasets_calibration.csv")
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    rows = []
    scenarios = [
        *itertools.product(N_DATASETS, DFS, TAUS, SPREADS, [1.0]),
        *itertools.product(N_DATASETS, [9], TAUS, SPREADS, [0.5, 2.0]),
        *itertools.product(N_DATASETS, [9], [0.0, 0.02], [ZERO_ONE], [1.0]),
    ]
    names = "sizes in %: " + " | ".join(METHODS) + " | coverage of prediction"
    print("data sets, df, τ, variances, stated;", names)
    for scenario in scenarios:
        new = list(measure(rng, arguments.samples, *scenario))
        sizes = " | ".join(f"{100 * row['size']:.1f}" for row in new)
        coverage = f"{100 * new[0]['prediction_coverage']:.1f}"
        print(*scenario, "|", sizes, "|", coverage, flush=True)
        rows += new
    write_table(arguments.out, rows)


if __name__ == "__main__":
    main()
