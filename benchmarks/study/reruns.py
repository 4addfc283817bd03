"""How often two seeds on the same data disagree, for designs that fits.py runs once.

Run: python reruns.py --data DIR [--samples 200]
"""

import argparse
import pathlib

import numpy as np
import populations
from evaluate import corrected_t, rates, rho_range, shared, skew_rule
from fits import alone_and_pairs, folds, learner_names, losses_of_samples, subsample
from summaries import moments

KEY = 77  # of the random numbers
SETUPS = [
    ("ring", 100),
    ("magic", 100),
    ("diamonds-log", 100),
    ("waveform", 60),
    ("letter", 100),
    ("houses", 100),
]


class Reruns:
    def __init__(self, rng, n, y):
        T = []
        self.fold = {}
        for K, R in ((10, 6), (3, 6)):
            self.fold[K] = np.array([folds(rng, K, n, y) for _ in range(R)])
            for fold in self.fold[K]:
                T.extend(fold == np.arange(K)[:, None])
        for share in (0.1, 0.2):
            T.extend(subsample(rng, share, n, y) for _ in range(30))
        self.T = np.array(T)
        self.W = ~self.T

    def gather(self, losses):
        rows = np.arange(losses.shape[1])
        ten = losses[(10 * np.arange(6))[:, None] + self.fold[10], rows]
        three = losses[60 + (3 * np.arange(6))[:, None] + self.fold[3], rows]
        means = (losses * self.T).sum(1)[78:] / self.T.sum(1)[78:]
        return ten, three, means[:30], means[30:]


def two_seeds(parts, fold):
    """Yield (design, summary with one seed, summary with another)."""
    ten, three, *subsamples = parts
    for label, x, f, R in (
        ("1x10", ten, fold[10], 1),
        ("3x10", ten, fold[10], 3),
        ("3x3", three, fold[3], 3),
    ):
        both = [
            moments(x[:, p].mean(1), x[:, p], f[:, p])
            for p in (slice(0, R), slice(R, 2 * R))
        ]
        yield label, *(one | {"a_used": skew_rule(one)} for one in both)
    for label, x in zip(("s10", "s20"), subsamples):
        yield (
            label,
            *(
                {"mean": p.mean(1), "S2": p.var(1, ddof=1), "J": 15, "name": label}
                for p in (x[:, :15], x[:, 15:])
            ),
        )


def integrated(s, mu0):
    return shared(s, mu0, rho_range(s), s["a_used"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=int, default=200)
    arguments = parser.parse_args()
    populations.DATA = arguments.data
    table = {}
    for name, n in SETUPS:
        learners = [one for one in learner_names(name, n) if one != "forest"]
        designs, kept = losses_of_samples(
            name, n, KEY, arguments.samples, Reruns, learners
        )
        fold = {K: np.array([one.fold[K] for one in designs]) for K in (10, 3)}
        for parts in alone_and_pairs(kept):
            d = np.sqrt(parts[0].mean(2).var(axis=0, ddof=1).mean())
            for label, one, two in two_seeds(parts, fold):
                mean = (one["mean"].mean() + two["mean"].mean()) / 2
                tests = {"corrected t": corrected_t}
                if "a_used" in one:
                    tests["integrated"] = integrated
                for test, p_of in tests.items():
                    out, differ = rates(p_of, one, mean, d, two)
                    table.setdefault((label, test), []).append(out + differ)
    print("design, test: size, power at 2, 3; two seeds disagree at 0, 2, 3 s.d.")
    for key, values in table.items():
        print(*key, len(values), np.round(100 * np.mean(values, axis=0), 1))


if __name__ == "__main__":
    main()
