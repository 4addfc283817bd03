"""Corrected resampled t as subsamples are added: its size with J - 1 and with at most 14 df.

Run: python subsamples.py --data DIR [--samples 300]
"""

import argparse
import pathlib
import zlib

import numpy as np
import populations
from fits import all_losses, learner_names, subset
from populations import POPULATIONS
from scipy import special

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
    def __init__(self, rng, n, y, share, repeats):
        self.T = np.zeros((repeats, n), dtype=bool)
        for test in self.T:
            test[subset(rng, max(1, round(share * n)), n, y)] = True
        self.W = ~self.T


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=int, default=300)
    arguments = parser.parse_args()
    populations.DATA = arguments.data
    rows = {}
    for name, n in SETUPS:
        found = {}
        for sample in range(arguments.samples):
            rng = np.random.default_rng([zlib.crc32(name.encode()), 99, sample])
            X, y, n_classes = POPULATIONS[name](rng, n)
            designs = Subsamples(rng, n, y if n_classes else None, 0.1, SIZES[-1])
            one = {}
            for learner, loss, losses in all_losses(
                X, y, n_classes, learner_names(name, n), designs, rng
            ):
                if loss in ("zo", "absolute"):
                    one[learner] = (losses * designs.T).sum(1) / designs.T.sum(1)
            names = list(one)
            for i, a in enumerate(names):
                found.setdefault(a, []).append(one[a])
                for b in names[i + 1 :]:
                    found.setdefault((a, b), []).append(one[a] - one[b])
        for key, values in found.items():
            v = np.array(values)
            mean = v.mean()
            d = v.mean(axis=1).std()  # of all 100
            for J in SIZES:
                m, s2 = v[:, :J].mean(1), v[:, :J].var(1, ddof=1)
                for df in {J - 1, min(J - 1, 14)}:
                    out = []
                    for shift in (0, 2, -2, 3, -3):
                        t = np.abs(m - mean - shift * d) / np.sqrt((1 / J + 1 / 9) * s2)
                        out.append((2 * special.stdtr(df, -t) <= 0.05).mean())
                    label = (
                        "J - 1"
                        if df == J - 1 and df != 14
                        else "at most 14"
                        if df == 14
                        else ""
                    )
                    rows.setdefault((J, label), []).append(
                        [out[0], (out[1] + out[2]) / 2, (out[3] + out[4]) / 2]
                    )
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
