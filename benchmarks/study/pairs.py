"""n_repeats="auto" with many pairs and Holm: family-wise size, fits, agreement of two seeds.

Run: python pairs.py --fits DIR [--max-samples 300]
"""

import argparse
import pathlib
import warnings

import numpy as np
from auto import critical_table, paths
from evaluate import WEIGHTS, X
from fits import setup_name, setups
from scipy import special, stats
from summaries import cells_of, load_fits

warnings.simplefilter("ignore")
B, NU0, KAPPA, LEVEL, CAP = 2 / 3, 10, 1.25, 0.99, 20
ODDS = B * X / (1 - B * X)


def run(pairs, shifts, tables):
    """Return rejected (S, m) at the stop, repeats, and rejected at the cap."""
    R = np.arange(2, CAP + 1)
    m = len(pairs)
    p, distance, scale = [], [], []
    for one, mu0 in zip(pairs, shifts):
        limit = np.maximum(one["theta"] - one["v"] / R, one["theta"] / 4)
        theta1 = np.maximum(one["theta1"], 1e-300)
        diff = np.abs(one["mean"] - mu0)
        z = diff[..., None] / np.sqrt(limit[..., None] + ODDS * theta1[..., None])
        p.append((2 * special.ndtr(-z)) @ WEIGHTS)
        s = (NU0 * KAPPA * one["v"] + (R - 1) * one["sm2"]) / (NU0 + R - 1)
        scale.append(stats.t.ppf(LEVEL, NU0 + R - 1) * np.sqrt(s / R))
        distance.append(
            [diff - t(limit / theta1) * np.sqrt(theta1) for t in tables[:m]]
        )
    p, scale = np.array(p), np.array(scale)  # (m, S, R)
    distance = np.array(distance)  # (m, levels, S, R)
    rank = p.argsort(axis=0).argsort(axis=0)
    # Holm: the pair of rank k is compared with alpha/(m - k): table m - k - 1
    gap = np.take_along_axis(distance, (m - 1 - rank)[:, None], 1)[:, 0]
    reject = gap > 0
    first_accepted = np.where(reject, m, rank).min(axis=0)
    rejected = rank < first_accepted
    matters = rank <= first_accepted
    stable = (~matters | (np.abs(gap) >= scale)).all(axis=0)
    stable[:, -1] = True
    stop = stable.argmax(axis=1)
    rows = np.arange(len(stop))
    return rejected[:, rows, stop].T, R[stop], rejected[:, :, -1].T


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fits", type=pathlib.Path, required=True)
    parser.add_argument("--max-samples", type=int, default=300)
    arguments = parser.parse_args()
    tables = [critical_table(B, 0.05 / k) for k in range(1, 16)]
    all_rows = []
    for name, n in setups():
        arrays = load_fits(arguments.fits, setup_name(name, n), arguments.max_samples)
        if not arrays or next(iter(arrays.values())).shape[1] < 2 * CAP:
            continue
        for loss in ("zo", "absolute"):
            cells = [e["k5"] for a, b, got, e in cells_of(arrays) if got == loss and b]
            if len(cells) < 3:
                continue
            one = [paths(e[:, :CAP], CAP) for e in cells]
            two = [paths(e[:, CAP:], CAP) for e in cells]
            means = np.array([e.mean() for e in cells])
            d = np.array([e.mean(axis=2).std(axis=0, ddof=1).mean() for e in cells])
            for shift in (0, 2, 3, 5):
                mu0 = means + shift * d * np.where(np.arange(len(d)) % 2, 1, -1)
                v1, r1, c1 = run(one, mu0, tables)
                v2, r2, _ = run(two, mu0, tables)
                all_rows.append(
                    (
                        shift,
                        v1.any(axis=1).mean(),
                        c1.any(axis=1).mean(),
                        v1.mean(),
                        (r1.mean() + r2.mean()) * 2.5,
                        (v1 != v2).any(axis=1).mean(),
                        (v1 != v2).mean(),
                        (v1 != c1).any(axis=1).mean(),
                    )
                )
                if shift == 0:
                    print(
                        name,
                        n,
                        len(cells),
                        "pairs, FWER %.3f, at the cap %.3f, fits %.0f, disagree in any pair %.3f"
                        % (
                            all_rows[-1][1],
                            all_rows[-1][2],
                            all_rows[-1][4],
                            all_rows[-1][5],
                        ),
                    )
    for shift in (0, 2, 3, 5):
        r = np.array([x[1:] for x in all_rows if x[0] == shift])
        print(
            shift,
            "s.d.: any rejected %.3f (cap %.3f), share rejected %.3f, fits %.1f, two seeds differ: any pair %.3f, a pair %.3f; early stop changed any %.3f"
            % tuple(r.mean(axis=0)),
        )


if __name__ == "__main__":
    main()
