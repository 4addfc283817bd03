"""Corrected resampled t as subsamples are added: its size with J - 1 and with at most 14 df.

Run: python subsamples.py --data DIR [--samples 300]
"""

import argparse
import pathlib

import numpy as np
import populations
from fits import alone_and_pairs, learner_names, losses_of_samples, subsample
from scipy import special

KEY = 99  # of the random numbers
SETUPS = [
    ("ring", 100),
    ("magic", 100),
    ("diamonds-log", 100),
    ("waveform", 60),
    ("sphere", 100),
    ("letter", 100),
]
SIZES = (15, 30, 60, 100)


class Subsamples:
    def __init__(self, rng, n, y):
        self.T = np.array([subsample(rng, 0.1, n, y) for _ in range(SIZES[-1])])
        self.W = ~self.T

    def gather(self, losses):
        return ((losses * self.T).sum(1) / self.T.sum(1),)


def size_and_power(means, J, df):
    """Return the size and the power at 2 and 3 s.d. of the first J subsamples."""
    d = means.mean(axis=1).std()  # of all 100
    m, s2 = means[:, :J].mean(1), means[:, :J].var(1, ddof=1)
    out = []
    for shift in (0, 2, -2, 3, -3):
        t = np.abs(m - means.mean() - shift * d) / np.sqrt((1 / J + 1 / 9) * s2)
        out.append((2 * special.stdtr(df, -t) <= 0.05).mean())
    return [out[0], (out[1] + out[2]) / 2, (out[3] + out[4]) / 2]


def label_of(J, df):
    if df == 14:
        return "at most 14"
    return "J - 1" if df == J - 1 else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=int, default=300)
    arguments = parser.parse_args()
    populations.DATA = arguments.data
    rows = {}
    for name, n in SETUPS:
        _, kept = losses_of_samples(
            name, n, KEY, arguments.samples, Subsamples, learner_names(name, n)
        )
        for (means,) in alone_and_pairs(kept):
            for J in SIZES:
                for df in {J - 1, min(J - 1, 14)}:
                    found = size_and_power(means, J, df)
                    rows.setdefault((J, label_of(J, df)), []).append(found)
    for key, values in sorted(rows.items()):
        v = 100 * np.array(values)
        print(
            key,
            len(v),
            "size %.1f  power %.1f %.1f  over 6%%+: %.0f%%  max %.1f"
            % (
                *v.mean(0),
                100 * (v[:, 0] > 6 + 1.645 * 23.7 / np.sqrt(arguments.samples)).mean(),
                v[:, 0].max(),
            ),
        )


if __name__ == "__main__":
    main()
