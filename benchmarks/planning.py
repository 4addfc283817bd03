"""Power at the difference that `IntegratedRhoTest` says it finds with 80%.

From docs/data/study.csv, which has the power of each cell at 2 and 3 standard
deviations of the estimate, and its ρ. By a probit line through both, a difference of d
standard deviations is found with probability Φ(a + b d), half of the time at d = -a/b:
there the interval ends at zero. The planned difference adds the 80% quantile of the
estimate, at the usual ρ of `sampling_error` in place of the cell's own. θ̂_R/θ̂_1 of R
repeats is 1 - 0.48 (1 - 1/R), the median of 12 populations of
benchmarks/intervals.py.

    python benchmarks/planning.py  # writes docs/data/planning.csv
"""

import csv

import numpy as np
from harness import DATA, shown, write_rows
from scipy import stats
from sklearn_cvtest._inference._averaged import usual_odds

NOISE = 0.48
RUNS = {"10-fold": 1, "5-fold": 1, "2 x 5-fold": 2, "3 x 5-fold": 3, "3 x 10-fold": 3}
HEADER = "design", "half", "cells", "median", "low", "high", "within_5"


def planned_power(rows, n_runs):
    """Return the power of each cell at its planned difference."""
    rho, two, three = (
        np.array([float(row[name]) for row in rows])
        for name in ("rho", "power_2sd", "power_3sd")
    )
    line = stats.norm.ppf(np.clip([two, three], 0.003, 0.997))
    slope = line[1] - line[0]
    share = 1 - NOISE * (1 - 1 / n_runs)
    ratio = (share + usual_odds(n_runs)) / np.maximum(share + rho / (1 - rho), 0.05)
    return stats.norm.cdf(slope * stats.norm.ppf(0.8) * np.sqrt(ratio))


def main():
    with (DATA / "study.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["second"]]
    rows = [row for row in rows if row["test"] == "IntegratedRhoTest()"]
    table = []
    for design, n_runs in RUNS.items():
        for half in ("decide", "verify"):
            ours = [r for r in rows if (r["design"], r["half"]) == (design, half)]
            power = planned_power(ours, n_runs)
            within = np.mean(np.abs(power - 0.8) <= 0.05)
            spread = np.quantile(power, [0.5, 0.1, 0.9])
            table.append((design, half, len(ours), *spread, within))
    write_rows(DATA / "planning.csv", HEADER, shown(table))


if __name__ == "__main__":
    main()
