"""Sizes of the default test in hard cells, by loss or metric, and whether it warned.

From the predictions that `hard_fits.py` stored: the share of samples in which
IntegratedRhoTest() on 2 x 5-fold rejects that the difference of two learners (or what
one loses) is its mean over the samples. `warned` is the share of samples with a warning
of the package, `warned_rejections` that of the `rejections` of the true hypothesis;
`rho` is what the samples show, `seen_rho` the median of what the runs of one show.

"tails" (docs/data/fresh_tails.csv): `huber` has delta half, `clipped` limit one
standard deviation of the target; `tails` is of HeavyTailedResidualsWarning for squared
errors. "classes" (docs/data/hard_classes.csv): labels with the threshold at one half.
`hits` is the number of positives that are predicted as such in a run (the smaller of
two learners), `near` the share of examples within 0.05 of the threshold, `shift` what a
shift of the threshold as large as the noise of the share of positives changes, in
standard errors (the larger). `threshold`, `few` and `high_rho` are the shares of
samples with a ThresholdWarning, HeavyTailedResidualsWarning and HighRhoWarning.

docs/data/heavy_tails.csv and docs/data/predicted_classes.csv are of earlier runs: the
populations of "decide" and "verify", and ten populations with scikit-learn's own
learners, `warned` of the tails and of few hits alone.

    python benchmarks/hard_cells.py tails --fits out --csv docs/data/fresh_tails.csv
    python benchmarks/hard_cells.py classes --fits out --csv docs/data/hard_classes.csv
"""

import argparse
import pathlib
import warnings

import numpy as np
from harness import as_text, write_table

from sklearn_cvtest import CVResiduals, IntegratedRhoTest
from sklearn_cvtest._data._moments import l_skewness
from sklearn_cvtest._engine._thresholds import (
    MAX_SHIFT,
    MIN_HITS,
    MIN_NEAR,
    MIN_SHARE,
)
from sklearn_cvtest._inference._problems import (
    CLEARLY,
    HIGH_RHO,
    MAX_TAIL,
    Problems,
)
from sklearn_cvtest._splits._design import Design
from sklearn_cvtest.losses import get_loss

N_FOLDS = 5
LOSSES = {
    "squared": get_loss("squared_error"),
    "absolute": get_loss("absolute_error"),
    "huber": get_loss("huber", delta=0.5),
    "clipped": get_loss("clipped_squared_error", limit=1.0),
}
PAIRS = {
    "tails": ((0, 1), (0, 2), (1, 2), (0, 3)),
    "classes": (
        *((0, 1), (0, 2), (1, 2), (1, 4), (2, 4), (0, 4), (2, 5), (2, 3)),
        *((k,) for k in range(6)),
    ),
}


class Noted(Problems):
    """The masks of what is noted of many pairs, in place of messages."""

    def _note(self, kind, mask, residuals, more=None, **details):
        self.messages[kind] = mask


def residuals_of(e, groups=None, tail=None):
    """Return residuals (samples, runs, n) as those of many pairs.

    The test takes no notice of which examples are in a fold.
    """
    n_samples, n_runs, n = e.shape
    size = np.full(N_FOLDS * n_runs, n // N_FOLDS)
    return CVResiduals(
        values=e.reshape(n_samples, -1),
        row_split=np.repeat(np.arange(len(size)), n // N_FOLDS),
        n_train=n - size,
        n_test=size,
        n_samples=n,
        design=Design("repeated k-fold", N_FOLDS, n_runs),
        row_index=np.tile(np.arange(n), n_runs),
        groups=None if groups is None else np.tile(groups, n_runs),
        names=[("first", "second")] * n_samples,
        error_tail=tail,
    )


def seen_in_runs(e, fold):
    """Return what `visible_rho` does, of samples with folds of their own."""
    n_samples, _, n = e.shape
    cell = fold[:, 0].astype(int) * N_FOLDS + fold[:, 1]
    cell += np.arange(n_samples)[:, np.newaxis] * N_FOLDS**2
    u, shape = e[:, 0] - e[:, 1], (n_samples, N_FOLDS**2)
    sums, squares, fourths, counts = (
        np.bincount(cell.ravel(), v.ravel(), n_samples * N_FOLDS**2).reshape(shape)
        for v in (u, u**2, u**4, np.ones_like(u))
    )
    k, m = np.divmod(np.arange(N_FOLDS**2), N_FOLDS)
    c = N_FOLDS * ((k[:, np.newaxis] == k) + 1.0 * (m[:, np.newaxis] == m)) - 2
    product = (sums @ c * sums).sum(axis=1) - c[0, 0] * squares.sum(axis=1)
    weight = (counts @ c**2 * counts).sum(axis=1) - c[0, 0] ** 2 * n
    others = squares.sum(axis=1) ** 2 - fourths.sum(axis=1)
    gamma = N_FOLDS * (N_FOLDS - 2) * product / weight
    theta = e.var(axis=2, ddof=1).mean(axis=1) / n
    deviation = np.sqrt(2 * weight / (n * (n - 1)) * others)
    z = product / np.where(deviation > 0, deviation, np.inf)
    return gamma / np.maximum(np.maximum(gamma, 0) + theta, 1e-300), z


def rho_of(e):
    """Return the ρ of one run that samples show by their means."""
    run = e[:, 0]
    variance = run.mean(axis=1).var(ddof=1)
    naive = run.var(axis=1, ddof=1).mean() / run.shape[1]
    return 1 - naive / variance if variance else np.nan


def is_rejected(e, popmean, groups=None, tail=None):
    """Return where the default rejects, of residuals (samples, runs, n).

    `tail` is what is known of the errors (samples,) if these are squares.
    """
    residuals = residuals_of(e, groups, tail)
    return IntegratedRhoTest(popmean=popmean).evaluate(residuals).pvalue <= 0.05


def measured(e, fold, tail=None, **warned):
    """Return the columns of all tables, of losses e; `warned` are masks by warning."""
    mean, deviation = e.mean(), e.mean(axis=(1, 2)).std(ddof=1)
    rejected = is_rejected(e, mean, tail=tail)
    rho, z = seen_in_runs(e, fold)
    warned["high_rho"] = (rho > HIGH_RHO) & (z > CLEARLY)
    any_warning = np.any(list(warned.values()), axis=0)
    found = any_warning[rejected].mean() if rejected.any() else 0.0
    return {
        "rho": rho_of(e),
        "seen_rho": np.median(rho),
        "size": rejected.mean(),
        "power_2sd": is_rejected(e, mean + 2 * deviation, tail=tail).mean(),
        "power_3sd": is_rejected(e, mean + 3 * deviation, tail=tail).mean(),
        **{name: mask.mean() for name, mask in warned.items()},
        "warned": any_warning.mean(),
        "rejections": int(rejected.sum()),
        "warned_rejections": found,
    }


def tails_of(cell, stored):
    """Yield rows of the squared errors of numbers, beside sizes by other losses."""
    y, predicted = stored["y"].astype(float), stored["predicted"].astype(float)
    learners, shape = stored["learners"], predicted.shape
    y = np.broadcast_to(y[:, np.newaxis, :, np.newaxis], shape)
    losses = {
        name: loss.evaluate(y.ravel(), predicted.ravel()).reshape(shape)
        for name, loss in LOSSES.items()
    }
    tails = l_skewness(np.moveaxis(losses["absolute"].mean(axis=1), 1, 2))
    for first, second in PAIRS["tails"]:
        tail = tails[:, [first, second]].min(axis=1)
        names = {"first": learners[first], "second": learners[second]}
        e = {loss: of[..., first] - of[..., second] for loss, of in losses.items()}
        squared = measured(e["squared"], stored["fold"], tail, tails=tail > MAX_TAIL)
        squared["squared"] = squared.pop("size")
        others = {
            loss: is_rejected(e[loss], e[loss].mean()).mean()
            for loss in ("absolute", "huber", "clipped")
        }
        yield (
            cell
            | names
            | {"samples": len(y), "tail": np.median(tail)}
            | (squared | others)
        )


# Metrics as functions of the shares of hits, of predicted and of true positives.
METRICS = {
    "f1": lambda a, p, q: _ratio(2 * a, p + q),
    "recall": lambda a, p, q: a / q,
    "precision": lambda a, p, q: _ratio(a, p),
    "jaccard": lambda a, p, q: a / (p + q - a),
    "balanced_accuracy": lambda a, p, q: (a / q + (1 - p - q + a) / (1 - q)) / 2,
    "matthews_corrcoef": lambda a, p, q: _ratio(
        a - p * q, np.sqrt(p * (1 - p) * q * (1 - q))
    ),
    "accuracy": lambda a, p, q: 1 - p - q + 2 * a,
}


def _ratio(above, below):
    return np.where(below == 0, 0, above / np.where(below == 0, 1, below))


def pseudo_losses(metric, y, labels, fold):
    """Return those of labels (samples, runs, n, learners), in folds of equal size.

    The slopes are derivatives in the complex plane, exact to rounding.
    """
    n_samples, n_runs, n, n_learners = labels.shape
    shape = n_samples, n_runs, N_FOLDS, n // N_FOLDS, n_learners
    order = np.argsort(fold, axis=-1, kind="stable")[..., np.newaxis]
    predicted = np.take_along_axis(labels, order, 2).reshape(shape).astype(float)
    true = np.broadcast_to(y[:, np.newaxis, :, np.newaxis], labels.shape)
    true = np.take_along_axis(true, order, 2).reshape(shape).astype(float)
    parts = predicted * true, predicted, true
    means, step = [part.mean(axis=3, keepdims=True) for part in parts], 1e-20
    found = -METRICS[metric](*means) + 0 * predicted
    for number, (part, mean) in enumerate(zip(parts, means, strict=True)):
        moved = [m + 1j * step * (k == number) for k, m in enumerate(means)]
        found -= METRICS[metric](*moved).imag / step * (part - mean)
    out = np.empty(labels.shape)
    np.put_along_axis(out, order, found.reshape(labels.shape), 2)
    return out


def score_of(metric, y, labels):
    """Return the metric of each sample and learner, a mean over runs."""
    true = y[:, np.newaxis, :, np.newaxis]
    shares = (labels * true).mean(axis=2), labels.mean(axis=2), true.mean(axis=2)
    return METRICS[metric](*shares).mean(axis=1)


def classes_of(cell, stored):
    """Yield rows of the metrics of predicted classes."""
    y, proba = stored["y"].astype(int), stored["predicted"].astype(float)
    learners, n, q = stored["learners"], y.shape[1], y.mean(axis=1, keepdims=True)
    down, labels, up = ((proba > 0.5 + d).astype(int) for d in (-0.05, 0, 0.05))
    hits = (labels * y[:, np.newaxis, :, np.newaxis]).sum(axis=2).mean(axis=1)
    near = (np.abs(proba - 0.5) <= 0.05).mean(axis=(1, 2))
    noise = 0.25 / np.sqrt((1 - 1 / N_FOLDS) * n * q * (1 - q)) / 0.1
    is_crowded = (near >= MIN_SHARE) & (near * n >= MIN_NEAR)
    for metric in METRICS:
        losses = pseudo_losses(metric, y, labels, stored["fold"])
        error = losses.mean(axis=1).std(axis=1, ddof=1) / np.sqrt(n)
        slope = np.abs(score_of(metric, y, up) - score_of(metric, y, down))
        shift = slope * noise / np.maximum(error, 1e-300)
        is_few = (hits < MIN_HITS) & (metric != "accuracy")
        told = is_few | (is_crowded & (shift > MAX_SHIFT))
        for pair in PAIRS["classes"]:
            columns, e = list(pair), losses[..., pair[0]]
            if len(pair) == 2:
                e = e - losses[..., pair[1]]
            noted, residuals = Noted(IntegratedRhoTest()), residuals_of(e)
            noted.note(residuals, noted.test.evaluate(residuals))
            masks = [
                noted.messages.get(k, False) for k in ("few errors", "heavy tails")
            ]
            few = masks[0] | masks[1]
            found = measured(
                e, stored["fold"], threshold=told[:, columns].any(axis=1), few=few
            )
            yield cell | {
                "positives": y.mean(),
                "first": learners[pair[0]],
                "second": learners[pair[1]] if len(pair) == 2 else "",
                "metric": metric,
                "samples": len(y),
                "hits": hits[:, columns].min(axis=1).mean(),
                "near": near[:, columns].max(axis=1).mean(),
                "shift": np.median(shift[:, columns].max(axis=1)),
                **found,
            }


def tables_of(arguments):
    """Yield the rows of the files of one kind."""
    rows_of = {"tails": tails_of, "classes": classes_of}[arguments.kind]
    for path in sorted(arguments.fits.glob(f"{arguments.kind}_*.npz")):
        if path.stat().st_size:
            _, half, population, n = path.stem.split("_")
            yield rows_of(
                {"half": half, "population": population, "n": n}, np.load(path)
            )
            print(path.stem, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=["tails", "classes"])
    parser.add_argument("--fits", type=pathlib.Path, required=True)
    parser.add_argument("--csv", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    table = [row for rows in tables_of(arguments) for row in rows]
    shown = [dict(zip(row, as_text(row.values()), strict=True)) for row in table]
    write_table(arguments.csv, shown)


if __name__ == "__main__":
    main()
