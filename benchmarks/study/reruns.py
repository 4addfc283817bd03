"""How often two seeds on the same data disagree, for designs that fits.py runs once.

Run: python reruns.py --data DIR [--samples 200]
"""

import argparse
import pathlib
import zlib

import numpy as np
import populations
from evaluate import corrected_t, rates, rho_range, shared, skew_rule
from fits import all_losses, folds, learner_names, subset
from populations import POPULATIONS
from summaries import moments

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
            for _ in range(30):
                test = np.zeros(n, dtype=bool)
                test[subset(rng, round(share * n), n, y)] = True
                T.append(test)
        self.T = np.array(T)
        self.W = ~self.T

    def gather(self, losses):
        rows = np.arange(losses.shape[1])
        ten = losses[(10 * np.arange(6))[:, None] + self.fold[10], rows]
        three = losses[60 + (3 * np.arange(6))[:, None] + self.fold[3], rows]
        means = (losses * self.T).sum(1)[78:] / self.T.sum(1)[78:]
        return ten, three, means[:30], means[30:]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=int, default=200)
    arguments = parser.parse_args()
    populations.DATA = arguments.data
    table = {}
    for name, n in SETUPS:
        kept, fold = {}, []
        for sample in range(arguments.samples):
            rng = np.random.default_rng([zlib.crc32(name.encode()), 77, sample])
            X, y, n_classes = POPULATIONS[name](rng, n)
            designs = Reruns(rng, n, y if n_classes else None)
            fold.append(designs.fold)
            names = [one for one in learner_names(name, n) if one != "forest"]
            for learner, loss, losses in all_losses(
                X, y, n_classes, names, designs, rng
            ):
                if loss in ("zo", "absolute"):
                    kept.setdefault(learner, []).append(
                        designs.gather(losses.astype(float))
                    )
        fold = {K: np.array([f[K] for f in fold]) for K in (10, 3)}
        arrays = {a: [np.array(x) for x in zip(*v)] for a, v in kept.items()}
        names = list(arrays)
        for i, a in enumerate(names):
            for b in [None, *names[i + 1 :]]:
                ten, three, s10, s20 = (
                    [x - y for x, y in zip(arrays[a], arrays[b])] if b else arrays[a]
                )
                d = np.sqrt(ten.mean(2).var(axis=0, ddof=1).mean())
                cells = {}
                for label, x, f, R in (
                    ("1x10", ten, fold[10], 1),
                    ("3x10", ten, fold[10], 3),
                    ("3x3", three, fold[3], 3),
                ):
                    cells[label] = [
                        moments(x[:, p].mean(1), x[:, p], f[:, p])
                        for p in (slice(0, R), slice(R, 2 * R))
                    ]
                for label, x in (("s10", s10), ("s20", s20)):
                    cells[label] = [
                        {
                            "mean": x[:, p].mean(1),
                            "S2": x[:, p].var(1, ddof=1),
                            "J": 15,
                            "name": label,
                        }
                        for p in (slice(0, 15), slice(15, 30))
                    ]
                for label, (one, two) in cells.items():
                    tests = {"corrected t": corrected_t}
                    if label[0] != "s":
                        one["a_used"], two["a_used"] = skew_rule(one), skew_rule(two)
                        tests["integrated"] = lambda s, m: shared(
                            s, m, rho_range(s), s["a_used"]
                        )
                    for test, p_of in tests.items():
                        out, differ = rates(
                            p_of,
                            one,
                            (one["mean"].mean() + two["mean"].mean()) / 2,
                            d,
                            two,
                        )
                        table.setdefault((label, test), []).append(out + differ)
    print("design, test: size, power at 2, 3; two seeds disagree at 0, 2, 3 s.d.")
    for key, values in table.items():
        print(*key, len(values), np.round(100 * np.mean(values, axis=0), 1))


if __name__ == "__main__":
    main()
