"""Is seed_stability_ calibrated? Predicted against observed agreement with another seed.

Run: python stability.py --fits DIR [--max-samples 300]
"""

import argparse
import pathlib
import warnings

import numpy as np
import pandas as pd
from auto import critical_table, paths
from fits import setup_name, setups
from scipy import stats
from summaries import cells_of, load_fits

warnings.simplefilter("ignore")


def stability(p, k, mu0, crit, nu0, kappa):
    """Verdict of the first k + 2 repeats and the probability that another seed agrees."""
    R = k + 2
    threshold = crit(
        p["theta"][:, k] / np.maximum(p["theta1"][:, k], 1e-300)
    ) * np.sqrt(p["theta1"][:, k])
    gap = np.abs(p["mean"][:, k] - mu0) - threshold
    s = (nu0 * kappa * p["v"][:, k] + (R - 1) * p["sm2"][:, k]) / (nu0 + R - 1)
    with np.errstate(all="ignore"):
        t = np.where(gap == 0, 0, np.abs(gap) / np.sqrt(2 * s / R))
    return gap > 0, stats.t.cdf(t, nu0 + R - 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fits", type=pathlib.Path, required=True)
    parser.add_argument("--max-samples", type=int, default=300)
    arguments = parser.parse_args()
    crit = critical_table(2 / 3)
    found = []
    for name, n in setups():
        arrays = load_fits(arguments.fits, setup_name(name, n), arguments.max_samples)
        for _, _, loss, e in cells_of(arrays):
            if loss in ("log", "brier"):
                continue
            k5 = e["k5"]
            d = k5.mean(axis=2).std(axis=0, ddof=1).mean()
            mean = k5.mean()
            for R in (2, 3, 6):
                one, two = paths(k5[:, :R], R), paths(k5[:, R : 2 * R], R)
                for shift in (0, 1, 2, -2, 3, 5):
                    v1, p1 = stability(one, R - 2, mean + shift * d, crit, 10, 1.25)
                    v2, _ = stability(two, R - 2, mean + shift * d, crit, 10, 1.25)
                    found.append(
                        pd.DataFrame(
                            {"R": R, "shift": abs(shift), "p": p1, "same": v1 == v2}
                        )
                    )
    f = pd.concat(found)
    f["bin"] = pd.cut(f["p"], [0.49, 0.55, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.01])
    print(
        f.groupby(["R", "bin"], observed=True)
        .agg(n=("p", "size"), said=("p", "mean"), was=("same", "mean"))
        .round(3)
        .to_string()
    )
    print(
        f.groupby(["R", "shift"])
        .agg(said=("p", "mean"), was=("same", "mean"))
        .round(3)
        .to_string()
    )


if __name__ == "__main__":
    main()
