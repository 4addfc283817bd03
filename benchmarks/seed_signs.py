"""What shows that `seed_stability_` is too high for log losses.

From the predictions that benchmarks/seed_stability.py stored: how often the decision is
the same with other seeds, where more than 0.99 or 0.999 is said, by what the losses of
both models show. "zero" is a probability of 1 for the right class and none for another;
"clipped", one for another class, a loss of 36.

    python benchmarks/seed_signs.py --out out --csv docs/data/seed_signs.csv
"""

import argparse
import itertools
import pathlib

import numpy as np
import pandas as pd
from seed_stability import (
    CLASS_PAIRS,
    CLASSIFIERS,
    N_RUNS,
    POPULATIONS,
    SHIFTS,
    SMOOTH,
    judge,
    tested_values,
)

SIZES, LIMITS, CLIPPED = (2, 4), (0.99, 0.999, 1.0), 36


def log_losses(path):
    """Return (samples, runs, examples, models), None where there are no classes."""
    with np.load(path) as found:
        y, p = found["y"][:, np.newaxis, :, np.newaxis], found["predicted"]
    if p.shape[-1] != len(CLASSIFIERS):
        return None
    right = np.where(y > 0, p, 1 - p.astype(float))
    return -np.log(np.clip(right, np.finfo(float).eps, 1))


def rows_of(half, values, pair, size):
    values = values[..., list(pair)]
    e = values[..., 0] - values[..., 1]
    n_groups, n = N_RUNS // size, e.shape[2]
    decisions, said = judge(e.reshape(-1, size, n), tested_values(e, SHIFTS), False)
    groups = decisions.reshape(len(e), n_groups, -1)
    yes = groups.sum(axis=1, keepdims=True)
    others = np.where(groups, yes - 1, n_groups - yes - 1) / (n_groups - 1)
    of_groups = values.reshape(len(e) * n_groups, -1)
    shows = np.where((of_groups == 0).any(axis=1), "zero", "neither")
    shows = np.where((of_groups > CLIPPED).any(axis=1), "clipped", shows)
    kind = "smooth" if pair in SMOOTH else "tree, forest or neighbours"
    return pd.DataFrame({
        "half": half, "models": kind, "shows": np.repeat(shows, said.shape[1]),
        "said": pd.cut(said.ravel(), LIMITS).astype(str), "same": others.ravel(),
    })  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--csv", required=True)
    options, parts = parser.parse_args(), []
    for half in POPULATIONS:
        for path in sorted(options.out.glob(f"{half}_*.npz")):
            values = log_losses(path)
            if values is None:
                continue
            for pair, size in itertools.product(CLASS_PAIRS, SIZES):
                parts.append(rows_of(half, values, pair, size))
    rows = pd.concat(parts).groupby(["half", "models", "shows", "said"])["same"]
    rows = rows.agg(decisions="size", same="mean").round(4).reset_index()
    rows[rows["said"] != "nan"].to_csv(options.csv, index=False)


if __name__ == "__main__":
    main()
