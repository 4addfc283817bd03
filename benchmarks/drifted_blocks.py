"""Size of the default on drifted rows: shuffled, and with blocks of rows as groups.

The drifted populations of `hard_kinds.py`, 2 x 5-fold, 200 samples: in the one case the
folds of single rows, in the others those of 10, 20 and 40 groups of consecutive rows,
which the test knows. Size is at the true difference of each (the mean over samples) of
the error rate or the squared error.

    python benchmarks/drifted_blocks.py --data DIR --wheels DIR \
        --csv docs/data/drifted_blocks.csv
"""

import argparse
import pathlib
import warnings
import zlib

import hard_fits
import hard_kinds
import numpy as np
from hard_cells import N_FOLDS, is_rejected
from hard_study import PAIRS
from harness import as_text, write_table
from sklearn import config_context

BLOCKS = 0, 10, 20, 40  # 0: none
N_RUNS = 2


def losses_of(rng, X, y, is_class, n_blocks, names):
    """Return losses (runs, n, learners) of folds of that many blocks."""
    if n_blocks:
        block = np.arange(len(y)) * n_blocks // len(y)
        folds = [rng.permutation(np.arange(n_blocks) % N_FOLDS) for _ in range(N_RUNS)]
        folds = [fold[block] for fold in folds]
    else:
        folds = [hard_fits.folds_of(rng, y, is_class) for _ in range(N_RUNS)]
    found = hard_kinds.out_of_fold(names, X, y, np.array(folds), is_class, rng)
    wrong = (found > 0.5) != y[:, np.newaxis]
    return wrong * 1.0 if is_class else (found - y[:, np.newaxis]) ** 2


def rows_of(half, name, source, n, n_samples):
    """Yield the rows of a population: one by number of blocks and pair."""
    rng = np.random.default_rng(zlib.crc32(f"blocks {name} {n}".encode()))
    losses = {n_blocks: [] for n_blocks in BLOCKS}
    for _ in range(n_samples):
        X, y, _, is_class = hard_kinds.drawn("drifted", source, rng, n)
        names = hard_kinds.learners_of("drifted", n, is_class)
        for n_blocks, of in losses.items():
            of.append(losses_of(rng, X, y, is_class, n_blocks, names))
    for n_blocks, of in losses.items():
        groups = np.arange(n) * n_blocks // n if n_blocks else None
        for first, second in PAIRS:
            if {first, second} <= set(names):
                e = np.array([m[..., names.index(first)] for m in of])
                e = e - np.array([m[..., names.index(second)] for m in of])
                yield {
                    "half": half,
                    "population": name,
                    "n": n,
                    "blocks": n_blocks,
                    "first": first,
                    "second": second,
                    "samples": n_samples,
                    "size": is_rejected(e, e.mean(), groups).mean(),
                }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--wheels", type=pathlib.Path, required=True)
    parser.add_argument("--csv", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=int, default=200)
    arguments = parser.parse_args()
    hard_fits.ARGUMENTS = argparse.Namespace(
        data=arguments.data / "populations", wheels=arguments.wheels
    )
    warnings.simplefilter("ignore")
    table = []
    with config_context(assume_finite=True, skip_parameter_validation=True):
        for n in (300, 1000):
            for half in ("decide", "verify"):
                for name, source in getattr(hard_kinds.KINDS["drifted"], half).items():
                    table += rows_of(half, name, source, n, arguments.samples)
                    print(name, n, flush=True)
    shown = [dict(zip(row, as_text(row.values()), strict=True)) for row in table]
    write_table(arguments.csv, shown)


if __name__ == "__main__":
    main()
