"""Size of the default test under heavy tails, by loss, and whether it warned.

From the predictions that `hard_fits.py tails` stored: the share of samples in which
IntegratedRhoTest() on 2 x 5-fold rejects that the difference of two learners is its
mean over the samples. `huber` has delta half, `clipped` limit one standard deviation of
the target. `warned` is the share of samples of which HeavyTailedResidualsWarning tells
for squared errors, `warned_rejections` that of the `rejections` of the true hypothesis.

    python benchmarks/hard_cells.py --fits out --csv docs/heavy_tails.csv
"""

import argparse
import pathlib
import warnings

import numpy as np
from harness import as_text, write_table

from sklearn_cvtest import CVResiduals, IntegratedRhoTest
from sklearn_cvtest._data._tails import l_skewness
from sklearn_cvtest._inference._problems import MAX_TAIL
from sklearn_cvtest._splits._design import Design
from sklearn_cvtest.losses import get_loss

LOSSES = {
    "squared": get_loss("squared_error"),
    "absolute": get_loss("absolute_error"),
    "huber": get_loss("huber", delta=0.5),
    "clipped": get_loss("clipped_squared_error", limit=1.0),
}
PAIRS = (0, 1), (0, 2), (1, 2), (0, 3)


def residuals_of(e):
    """Return residuals (samples, runs, n) as those of many pairs.

    The test takes no notice of which examples are in a fold.
    """
    n_samples, n_runs, n = e.shape
    size = np.full(5 * n_runs, n // 5)
    return CVResiduals(
        values=e.reshape(n_samples, -1),
        row_split=np.repeat(np.arange(5 * n_runs), n // 5),
        n_train=n - size,
        n_test=size,
        n_samples=n,
        design=Design("repeated k-fold", 5, n_runs),
        row_index=np.tile(np.arange(n), n_runs),
        names=[("first", "second")] * n_samples,
    )


def rows_of(path):
    _, half, population, n = path.stem.split("_")
    stored = np.load(path)
    y, predicted = stored["y"].astype(float), stored["predicted"].astype(float)
    names, (n_samples, _, n) = stored["learners"], predicted.shape[:-1]
    y = np.broadcast_to(y[:, np.newaxis], predicted.shape[:-1])
    losses = {
        name: loss.evaluate(np.repeat(y.ravel(), len(names)), predicted.ravel())
        for name, loss in LOSSES.items()
    }
    losses = {name: of.reshape(predicted.shape) for name, of in losses.items()}
    tails = l_skewness(np.moveaxis(losses["absolute"].mean(axis=1), 1, 2))
    for first, second in PAIRS:
        tail = tails[:, [first, second]].min(axis=1)
        row = {"half": half, "population": population, "n": n}
        row |= {"first": names[first], "second": names[second], "samples": n_samples}
        row |= {"tail": np.median(tail), "warned": np.mean(tail > MAX_TAIL)}
        for name, of_loss in losses.items():
            e = of_loss[..., first] - of_loss[..., second]
            test = IntegratedRhoTest(popmean=e.mean())
            rejected = test.evaluate(residuals_of(e)).pvalue <= 0.05
            row[name] = rejected.mean()
            if name == "squared":
                run = e[:, 0]
                naive = run.var(axis=1, ddof=1).mean() / n
                row["rho"] = 1 - naive / run.mean(axis=1).var(ddof=1)
                row["rejections"] = int(rejected.sum())
                found = tail[rejected] > MAX_TAIL
                row["warned_rejections"] = found.mean() if len(found) else 0.0
        yield row


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fits", type=pathlib.Path, required=True)
    parser.add_argument("--csv", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    paths = sorted(arguments.fits.glob("tails_*.npz"))
    rows = [row for path in paths if path.stat().st_size for row in rows_of(path)]
    shown = [dict(zip(row, as_text(row.values()), strict=True)) for row in rows]
    write_table(arguments.csv, shown)


if __name__ == "__main__":
    main()
