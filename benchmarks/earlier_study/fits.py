"""Fit every set-up of the study and keep the losses, so that any test can be judged later.

A set-up is a population and a size; each sample is cross-validated in all designs, by all
learners at once on the same splits. Chunks of 100 samples are files of --out; a chunk that
is there is not computed again.

Run: python fits.py --data DIR --out DIR [--samples 500] [--setup ring:100]
"""

import argparse
import pathlib
import time
import warnings
import zlib

import numpy as np
import populations
from learners import LEARNERS, PROBABILISTIC
from populations import (
    CLASSIFIERS,
    FOREST,
    MANY_REPEATS,
    POPULATIONS,
    REGRESSORS,
    SIZES,
)

CHUNK = 100
N_PAIRS = 6


def setups():
    for name in POPULATIONS:
        for n in SIZES[name]:
            yield name, n


def setup_name(name, n, kind="main"):
    return f"{name.replace(':', '-')}_{n}" + ("" if kind == "main" else f"_{kind}")


def learner_names(name, n):
    names = (CLASSIFIERS.get(name) or REGRESSORS[name]).split()
    return names + (["forest"] if (name, n) in FOREST else [])


def folds(rng, n_splits, n, y=None):
    """Return the fold of each example; stratified by y as StratifiedKFold does."""
    if y is None:
        fold = np.arange(n) % n_splits
        return rng.permutation(np.sort(fold)).astype(np.uint8)
    classes, codes = np.unique(y, return_inverse=True)
    ordered = np.sort(codes)
    fold = np.empty(n, dtype=np.uint8)
    allocation = [
        np.bincount(ordered[k::n_splits], minlength=len(classes))
        for k in range(n_splits)
    ]
    for c in range(len(classes)):
        of_class = np.arange(n_splits).repeat([a[c] for a in allocation])
        fold[codes == c] = rng.permutation(of_class)
    return fold


def subset(rng, size, n, y=None):
    """Return a random subset; of every class its share, to within one example."""
    order = rng.permutation(n)
    if y is None:
        return order[:size]
    order = order[np.argsort(y[order], kind="stable")]
    return order[np.floor((np.arange(size) + rng.random()) * n / size).astype(int)]


def subsample(rng, share, n, y=None):
    """Return where a random test set is, True for a share of the examples."""
    test = np.zeros(n, dtype=bool)
    test[subset(rng, max(1, round(share * n)), n, y)] = True
    return test


class Designs:
    """The training and test sets of all designs on one sample, and where they are."""

    def __init__(self, rng, n, y, repeats):
        stratify = y
        self.W, self.T = [], []
        self.fold = {}
        self.first = {}
        for design, (n_splits, n_repeats) in repeats.items():
            self.first[design] = len(self.T)
            self.fold[design] = np.array(
                [folds(rng, n_splits, n, stratify) for _ in range(n_repeats)]
            )
            for fold in self.fold[design]:
                test = fold == np.arange(n_splits)[:, np.newaxis]
                self.T.extend(test)
                self.W.extend(~test)
        if "k10" not in repeats:
            self.T, self.W = np.array(self.T), np.array(self.W)
            return
        for design, share in {"s10": 0.1, "s20": 0.2}.items():
            self.first[design] = len(self.T)
            for _ in range(15):
                test = subsample(rng, share, n, stratify)
                self.T.append(test)
                self.W.append(~test)
        self.first["halves"] = len(self.T)
        self.half = []
        for _ in range(N_PAIRS):
            order = subset(rng, n // 2, n, stratify)
            rest = np.setdiff1d(np.arange(n), order)
            pair = (np.sort(order), rng.permutation(rest)[: n // 2])
            for rows in pair:
                rows = np.sort(rows)
                of_half = None if stratify is None else stratify[rows]
                fold = folds(rng, 5, len(rows), of_half)
                self.half.append((rows, fold))
                for k in range(5):
                    test = np.zeros(n, dtype=bool)
                    test[rows[fold == k]] = True
                    train = np.zeros(n, dtype=bool)
                    train[rows] = True
                    self.T.append(test)
                    self.W.append(train & ~test)
        self.T, self.W = np.array(self.T), np.array(self.W)

    def gather(self, losses, kind):
        """Return what is kept of losses (F, n), a dict of arrays."""
        kept = {}
        for design, fold in self.fold.items():
            n_splits = int(fold.max()) + 1
            run = self.first[design] + n_splits * np.arange(len(fold))[:, np.newaxis]
            kept[design] = losses[run + fold, np.arange(fold.shape[1])]
        if kind != "main":
            return kept
        for design in ("s10", "s20"):
            rows = slice(self.first[design], self.first[design] + 15)
            test = self.T[rows]
            kept[design] = (losses[rows] * test).sum(axis=1) / test.sum(axis=1)
        first = self.first["halves"]
        kept["halves"] = np.array(
            [
                losses[first + 5 * h + fold.astype(int), rows]
                for h, (rows, fold) in enumerate(self.half)
            ]
        ).reshape(N_PAIRS, 2, -1)
        return kept


def all_losses(X, y, n_classes, names, designs, rng):
    """Yield (learner, loss name, losses (F, n))."""
    for name in names:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            out = LEARNERS[name](X, y, n_classes, designs.W, designs.T, rng)
        if not n_classes:
            error = np.where(designs.T, out - y, 0)
            yield name, "squared", error**2
            yield name, "absolute", np.abs(error)
            continue
        yield name, "zo", out.argmax(axis=-1) != y
        if name in PROBABILISTIC and n_classes == 2:
            chosen = out[:, np.arange(len(y)), y.astype(int)]
            yield name, "brier", (1 - chosen) ** 2
            yield name, "log", -np.log(np.clip(chosen, 1e-15, 1))


def losses_of_samples(name, n, key, n_samples, make_designs, learners):
    """Return the designs of samples and, by learner, what they gather of its losses."""
    every, kept = [], {}
    for sample in range(n_samples):
        rng = np.random.default_rng([zlib.crc32(name.encode()), key, sample])
        X, y, n_classes = POPULATIONS[name](rng, n)
        designs = make_designs(rng, n, y if n_classes else None)
        every.append(designs)
        for learner, loss, losses in all_losses(
            X, y, n_classes, learners, designs, rng
        ):
            if loss in ("zo", "absolute"):
                gathered = designs.gather(losses.astype(float))
                kept.setdefault(learner, []).append(gathered)
    return every, kept


def alone_and_pairs(kept):
    """Yield the arrays kept of each learner, and the differences of each pair."""
    arrays = {a: [np.array(part) for part in zip(*kept[a])] for a in kept}
    names = list(arrays)
    for i, a in enumerate(names):
        yield arrays[a]
        for b in names[i + 1 :]:
            yield [x - y for x, y in zip(arrays[a], arrays[b])]


def repeats_of(name, n, kind):
    if kind == "long":
        return {"k5": (5, 200)}
    many = 40 if (name, n) in MANY_REPEATS else 20
    return {"k5": (5, many), "k10": (10, 3), "k3": (3, 10)}


def fit_chunk(name, n, chunk, kind="main"):
    arrays = {}
    names = learner_names(name, n)
    for sample in range(CHUNK * chunk, CHUNK * (chunk + 1)):
        seed = [zlib.crc32(setup_name(name, n, kind).encode()), sample]
        rng = np.random.default_rng(seed)
        X, y, n_classes = POPULATIONS[name](rng, n)
        stratify = y if n_classes else None
        designs = Designs(rng, n, stratify, repeats_of(name, n, kind))
        for learner, loss, losses in all_losses(X, y, n_classes, names, designs, rng):
            if kind == "long" and loss not in ("zo", "absolute"):
                continue
            for design, values in designs.gather(losses, kind).items():
                small = np.uint8 if loss == "zo" and design[0] != "s" else np.float32
                arrays.setdefault(f"{learner}|{loss}|{design}", []).append(
                    values.astype(small)
                )
        for design, fold in designs.fold.items():
            arrays.setdefault(f"fold|{design}", []).append(fold)
    return {key: np.array(values) for key, values in arrays.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--setup", action="append", help="population:size, as ring:100")
    parser.add_argument("--kind", choices=["main", "long"], default="main")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    populations.DATA = arguments.data
    arguments.out.mkdir(exist_ok=True, parents=True)
    todo = list(setups())
    if arguments.setup:
        wanted = {tuple(one.rsplit(":", 1)) for one in arguments.setup}
        todo = [(name, n) for name, n in todo if (name, str(n)) in wanted]
    n_chunks = -(-arguments.samples // CHUNK)
    stages = [range(1), range(1, 3), range(3, n_chunks)]  # all set-ups at 100, 300, ...
    todo.sort(key=lambda one: (one in MANY_REPEATS, one[1]))
    slow = {("letter", 1000), ("covertype", 400), ("covertype", 100), ("spambase", 100)}
    slow |= {one for one in todo if one[1] >= 400} | {("optdigits", 200)}
    rounds = [([one for one in todo if one not in slow], stage) for stage in stages]
    rounds += [([one for one in todo if one in slow], stage) for stage in stages]
    for some, stage in rounds:
        for name, n in some:
            for chunk in stage:
                if chunk >= n_chunks:
                    continue
                path = (
                    arguments.out / f"{setup_name(name, n, arguments.kind)}.{chunk}.npz"
                )
                if path.exists():
                    continue
                start = time.perf_counter()
                arrays = fit_chunk(name, n, chunk, arguments.kind)
                part = path.with_suffix(".part.npz")
                np.savez(part, **arrays)
                part.rename(path)
                print(path.stem, round(time.perf_counter() - start, 1), flush=True)


if __name__ == "__main__":
    main()
