"""Size and power of the mean of unequal groups by several degrees of freedom.

Group means are normal, with a variance of icc + (1 - icc)/n for n rows. The t statistic
has the variance by groups (Liang & Zeger), and

- "G - 1": no allowance;
- "Kish": the allowance of `IntegratedRhoTest`, which multiplies the variance by what it
  lacks if rows of a group are alike, with the effective number of groups less one;
- "Satterthwaite, alike": that factor with the degrees of freedom of the quadratic form
  (Bell & McCaffrey), if rows of a group are alike;
- "Satterthwaite, independent": the same, if rows are independent;
- "Satterthwaite, true": the same, with the true correlation.

    python benchmarks/unequal_groups.py  # writes docs/data/unequal_groups.csv, a minute
"""

import numpy as np
from harness import DATA, shown, write_rows
from scipy import stats

from sklearn_cvtest._data._clusters import unequal_allowance

SAMPLES = 20_000
SIZES = {
    "12 of 10": np.full(12, 10),
    "20, 11 of 10": np.append(20, np.full(11, 10)),
    "12 of 10 to 20": np.rint(np.geomspace(10, 20, 12)),
    "12 of 2 to 50": np.rint(np.geomspace(2, 50, 12)),
    "30 of 2 to 50": np.rint(np.geomspace(2, 50, 30)),
    "100, 11 of 10": np.append(100, np.full(11, 10)),
    "3 of 50, 20 of 5": np.repeat([50, 5], [3, 20]),
    "420, 100, 30, 19": np.array([420, 100, 30, 19]),
    "40 of a Pareto law": np.rint(5 + 5 * np.random.default_rng(2).pareto(1.2, 40)),
}
HEADER = "sizes", "icc", "rule", "df", "size", "power_2sd", "samples"


def satterthwaite(shares, variances):
    """Return factor and df of the variance by groups of means with these variances."""
    n = len(shares)
    deviations = np.diag(shares) @ (np.eye(n) - np.outer(np.ones(n), shares))
    form = deviations @ np.diag(variances) @ deviations.T
    trace, true = np.trace(form), np.sum(shares**2 * variances)
    return true / (n / (n - 1) * trace), trace**2 / np.sum(form**2)


def rules(sizes, icc):
    shares, n = sizes / sizes.sum(), len(sizes)
    return {
        "G - 1": (1.0, n - 1),
        "Kish": unequal_allowance(np.repeat(np.arange(n), sizes.astype(int))),
        "Satterthwaite, alike": satterthwaite(shares, np.ones(n)),
        "Satterthwaite, independent": satterthwaite(shares, 1 / sizes),
        "Satterthwaite, true": satterthwaite(shares, icc + (1 - icc) / sizes),
    }


def measure(sizes, icc, rng):
    shares, n = sizes / sizes.sum(), len(sizes)
    values = rng.standard_normal((SAMPLES, n)) * np.sqrt(icc + (1 - icc) / sizes)
    mean = values @ shares
    sums = shares * (values - mean[:, np.newaxis])
    error = np.sqrt(n / (n - 1) * np.sum(sums**2, axis=1))
    for rule, (factor, df) in rules(sizes, icc).items():
        bound = stats.t.ppf(0.975, df) * np.sqrt(factor) * error
        found = [np.mean(np.abs(mean + shift * mean.std()) > bound) for shift in (0, 2)]
        yield rule, float(df), *found, SAMPLES


def main():
    rng = np.random.default_rng(0)
    rows = shown(
        (name, icc, *row)
        for name, sizes in SIZES.items()
        for icc in (0.0, 0.2, 0.5, 1.0)
        for row in measure(sizes, icc, rng)
    )
    write_rows(DATA / "unequal_groups.csv", HEADER, rows)


if __name__ == "__main__":
    main()
