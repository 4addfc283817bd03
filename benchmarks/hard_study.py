"""Size, power and warnings of the default in cells that are meant to fail.

From the predictions that `hard_kinds.py` stored: each sample goes through
`cross_val_losses`, with models that return what was stored, so that the thresholds,
the tails, the runs and the groups are looked at by the package itself. A row is a pair
of learners in a population and by a loss: the size of IntegratedRhoTest() on 2 x 5
folds at the true difference (the mean over samples), its power at 2 and 3 standard
deviations of its estimate and of that of one of the two runs (above and below), the
share of samples in which a comparison brings each warning, and the share of the false
rejections in which the test of the true difference brings one; `warned_else` leaves out
what neighbouring rows tell (`rows`). `rho` is what the samples show, `seen_rho` the
median of what the two runs of one show.

    python benchmarks/hard_study.py study --fits out --sums sums \
        --csv docs/data/hard_cells.csv

`--sums` is where the statistics of the samples are kept, for other rules.

blocks: The drifted populations of `hard_kinds.py`, 2 x 5-fold, 200 samples: in the one
case the folds of single rows, in the others those of 10, 20 and 40 groups of
consecutive rows, which the test knows. Size is at the true difference of each (the mean
over samples) of the error rate or the squared error.

    python benchmarks/hard_study.py blocks --data DIR --wheels DIR \
        --csv docs/data/drifted_blocks.csv
"""

import argparse
import dataclasses
import pathlib
import sys
import warnings
import zlib

import hard_fits
import hard_kinds
import numpy as np
from hard_cells import N_FOLDS, Noted, is_rejected
from harness import as_text, write_table
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn_cvtest._inference._integrated import corrected_skewness

from sklearn_cvtest import IntegratedRhoTest, cross_val_losses
from sklearn_cvtest._data._protocol import rows_by_example
from sklearn_cvtest._inference._problems import visible_rho
from sklearn_cvtest.exceptions import DependentRowsWarning, ThresholdWarning

# Study -----------------------------------------------------------------------------


PAIRS = (
    ("bayes", "lda"), ("bayes", "logistic"), ("lda", "logistic"), ("bayes", "tree"),
    ("logistic", "tree"), ("logistic", "5nn"), ("5nn", "1nn"), ("logistic", "1nn"),
    ("hgb", "logistic"), ("ridge", "tree"), ("ridge", "5nn"), ("tree", "5nn"),
    ("ridge", "mean"), ("hgb", "ridge"), ("hgb", "tree"),
)  # fmt: skip
NEAR = {"knn": {"5nn", "1nn"}, "bayes": {"bayes", "lda"}}
POWERS = "power_2sd", "power_3sd", "power_2sd_run", "power_3sd_run"
# A wind of 1,048 miles an hour, stones without extent; 14 distinct rows; and features
# that are mostly indicators, which naive Bayes takes for independent.
EXTREME = {"humid", "pressure", "diamonds-log", "titanic"}
INDICATORS = {"covertype", "chess", "german", "chile"}
MANY_POSITIVES = 75  # in a sample, so that F1 has values of examples
SIGNS = {
    "few errors": "few",
    "heavy tails": "skewed",
    "heavy errors": "tails",
    "high ρ": "high_rho",
}


class Stored:
    """Returns the predictions that are stored for the training set it is given."""

    def __init__(self, predicted, fold):
        self.predicted, self.fold = predicted, fold

    def __sklearn_clone__(self):
        return type(self)(self.predicted, self.fold)

    def fit(self, X, y):
        out = np.ones(self.fold.shape[1], dtype=bool)
        out[X[:, 0].astype(int)] = False
        self.run_ = int(np.argmin(np.ptp(self.fold[:, out], axis=1)))
        return self

    def stored(self, X):
        return self.predicted[self.run_, X[:, 0].astype(int)]


class StoredNumbers(Stored, RegressorMixin, BaseEstimator):
    def predict(self, X):
        return self.stored(X)


class StoredClasses(Stored, ClassifierMixin, BaseEstimator):
    classes_ = np.arange(2)

    def predict_proba(self, X):
        found = self.stored(X)
        return np.column_stack([1 - found, found])

    def predict(self, X):
        return (self.stored(X) > 0.5).astype(int)


class Cell:
    """The samples of one file."""

    def __init__(self, path):
        self.kind, self.half, self.population, n = path.stem.split("_")
        self.n, self.stored = int(n), dict(np.load(path))
        self.is_class = bool(self.stored["is_class"])
        self.names = [str(name) for name in self.stored["learners"]]
        self.pairs = [p for p in PAIRS if set(p) <= set(self.names)]
        if self.kind == "boosting":  # the others are among the regular ones
            self.pairs = [p for p in self.pairs if "hgb" in p]
        self.columns = [tuple(map(self.names.index, pair)) for pair in self.pairs]
        self.groups, self.known = self.stored.get("groups"), {}

    @property
    def losses(self):
        if not self.is_class:
            return "squared_error", "absolute_error"
        positives = self.stored["y"].sum(axis=1)
        has_f1 = self.kind == "rare" and positives.min() >= MANY_POSITIVES
        has_f1 &= self.n <= 1000
        return ("zero_one", "brier", *(["f1"] if has_f1 else []))

    def collected(self, sample, loss):
        """Return the losses of a sample, and for each pair what the fits warn of.

        That thresholds matter, and that neighbouring rows are alike. The values of a
        second loss, which asks for no labels, take the place of the first's.
        """
        fold = self.stored["fold"][sample]
        predicted = self.stored["predicted"][sample].astype(float)
        y = self.stored["y"][sample].astype(float)
        if loss in ("brier", "absolute_error"):
            values = np.abs(predicted - y[:, np.newaxis])
            values = values**2 if loss == "brier" else values
            known, of_fits = self.known[sample]
            run = known.row_split // N_FOLDS
            losses = dataclasses.replace(
                known, losses=values[run, known.row_index], loss_name=loss
            )
            is_told = np.zeros(len(self.pairs), dtype=bool)
            return losses, {"threshold": is_told} | of_fits
        model = StoredClasses if self.is_class else StoredNumbers
        models = {
            name: model(predicted[..., j], fold) for j, name in enumerate(self.names)
        }
        splits = [
            (np.flatnonzero(run != k), np.flatnonzero(run == k))
            for run in fold
            for k in range(N_FOLDS)
        ]
        rows = np.arange(float(self.n))[:, np.newaxis]
        target = y.astype(int) if self.is_class else y
        how = {"scoring": "f1"} if loss == "f1" else {"loss": loss}
        how |= {"cv": splits, "groups": self.groups}
        losses = cross_val_losses(models, rows, target, check_threshold=False, **how)
        told = [
            told_of({name: models[name] for name in pair}, rows, target, how)
            for pair in self.pairs
        ]
        of_fits = {"rows": np.array([DependentRowsWarning in kinds for kinds in told])}
        self.known[sample] = losses, of_fits
        is_told = [ThresholdWarning in kinds for kinds in told]
        return losses, {"threshold": np.array(is_told)} | of_fits


def told_of(models, rows, target, options):
    """Return the kinds of warnings that the fits of two models bring."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cross_val_losses(models, rows, target, **options)
    return {each.category for each in caught}


def signs_of(residuals, popmean=0.0):
    """Return the masks of what the test warns of, by name, and its evaluation."""
    test = IntegratedRhoTest(popmean=popmean)
    found, evaluation = Noted(test), test.evaluate(residuals)
    found.note(residuals, evaluation)
    shape = np.shape(evaluation.pvalue)
    masks = dict.fromkeys((*SIGNS.values(), "other"), np.zeros(shape, dtype=bool))
    for sign, mask in found.messages.items():
        # of groups, and of designs, there is a message for all pairs
        is_told = np.broadcast_to(True if isinstance(mask, str) else mask, shape)
        name = SIGNS.get(sign, "other")
        masks[name] = masks[name] | is_told
    return masks, evaluation


def statistics(cell, loss):
    """Return residuals (samples, pairs, runs, n), and what is known of each pair."""
    every, noted = [], []
    for sample in range(len(cell.stored["y"])):
        losses, of_fits = cell.collected(sample, loss)
        residuals = losses.pair_residuals(cell.columns)
        masks, evaluation = signs_of(residuals)
        seen, z = visible_rho(residuals, rows_by_example(residuals.row_index))
        moments = residuals.example_moments
        noted.append(
            {
                **masks,
                **of_fits,
                "pvalue": evaluation.pvalue,
                "seen": seen,
                "seen_z": z,
                "theta": moments.theta * moments.scale**2,
                "run_theta": moments.run_theta * moments.scale**2,
                "mean": evaluation.estimate,
                "tail": np.array(tails_of([residuals]), dtype=float).ravel(),
                "skewness": corrected_skewness(residuals) + np.zeros(len(cell.pairs)),
            }
        )
        every.append(residuals)
    noted = {key: np.array([part[key] for part in noted]) for key in noted[0]}
    rows = [rows_by_example(residuals.row_index) for residuals in every]
    parts = zip(every, rows, strict=True)
    values = np.array([of.values[:, row].transpose(0, 2, 1) for of, row in parts])
    return values, noted | of_true_differences(
        every, values, noted["threshold"], cell.groups
    )


def of_true_differences(every, values, is_told, groups):
    """Return where these are rejected, and where there was a warning then."""
    true = values.mean(axis=(0, 2, 3))
    of_pairs = zip(values.swapaxes(0, 1), true, tails_of(every), strict=True)
    rejected = np.transpose(
        [is_rejected(e, popmean, groups, tail) for e, popmean, tail in of_pairs]
    )
    warned = np.zeros_like(rejected)
    for sample, j in np.argwhere(rejected):
        masks, _ = signs_of(every[sample][j], true[j])
        warned[sample, j] = np.any([is_told[sample, j], *masks.values()])
    return {"rejected": rejected, "warned_then": warned}


def kind_of(cell, pair, loss):
    """Return the kind of a row, as the table of the page has it."""
    is_bayes, is_knn = NEAR["bayes"] & set(pair), NEAR["knn"] & set(pair)
    if cell.population in EXTREME and cell.kind in ("regular", "boosting"):
        return "outliers in features, or few distinct rows"
    if cell.kind == "dimensions" and is_knn:
        return "nearest neighbours in many dimensions"
    if cell.kind in ("correlated", "dimensions", "regular"):
        is_regular = cell.kind == "regular" and cell.population not in INDICATORS
        if is_bayes and not is_regular:
            return "naive Bayes and LDA, correlated features"
        return "regular" if cell.n > 40 else "regular, 40 examples"
    return {
        "rare": "rare positives",
        "boosting": "early-stopped boosting",
        "tails": f"counts and expenditures, {loss.split('_')[0]} errors",
        "drifted": "drifted rows",
    }.get(cell.kind, cell.kind)


def rows_of_cell(cell, sums):
    y = cell.stored["y"]
    for loss in cell.losses:
        values, noted = statistics(cell, loss)
        if sums:
            name = f"{cell.kind}_{cell.half}_{cell.population}_{cell.n}_{loss}"
            pairs = ["|".join(pair) for pair in cell.pairs]
            np.savez(sums / f"{name}.npz", pairs=pairs, **noted)
        for j, pair in enumerate(cell.pairs):
            e = values[:, j]
            if np.ptp(e.mean(axis=(1, 2))) > 0:
                yield {
                    "kind": kind_of(cell, pair, loss),
                    "half": cell.half,
                    "population": cell.population,
                    "n": cell.n,
                    "positives": y.mean() if cell.is_class else None,
                    "first": pair[0],
                    "second": pair[1],
                    "loss": loss,
                    "samples": len(y),
                    **rates(e, {k: v[:, j] for k, v in noted.items()}, cell.groups),
                }


def tails_of(every):
    """Return what is known of squared errors (samples,), of each pair, else None."""
    if every[0].error_tail is None:
        return [None] * len(every[0].values)
    return list(np.transpose([residuals.error_tail for residuals in every]))


def rates(e, noted, groups):
    """Return the last columns of a row, of residuals (samples, runs, n)."""
    tail = None if np.isnan(noted["tail"]).any() else noted["tail"]
    means, one_run = e.mean(axis=(1, 2)), e[:, 0].mean(axis=1)
    powers = [
        np.mean(
            [
                is_rejected(e, means.mean() + k * deviation, groups, tail)
                for k in (times, -times)
            ]
        )
        for deviation in (means.std(ddof=1), one_run.std(ddof=1))
        for times in (2, 3)
    ]
    variance, naive = one_run.var(ddof=1), noted["run_theta"].mean()
    names = *SIGNS.values(), "threshold", "rows", "other"
    masks = {name: noted[name] for name in names}
    warned, rejected = np.any(list(masks.values()), axis=0), noted["rejected"]
    then, near = (noted[name] for name in ("warned_then", "rows"))
    told = {"warned_rejections": then | near, "warned_else": then}
    n_rejected = rejected.sum()
    return {
        "rho": 1 - naive / variance if variance else np.nan,
        "seen_rho": np.median(noted["seen"]),
        "size": rejected.mean(),
        **dict(zip(POWERS, powers, strict=True)),
        **{key: mask.mean() for key, mask in masks.items()},
        "warned": warned.mean(),
        "rejections": int(n_rejected),
        **{k: is_[rejected].sum() / max(n_rejected, 1) for k, is_ in told.items()},
    }


def study_table():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fits", type=pathlib.Path, required=True)
    parser.add_argument("--sums", type=pathlib.Path)
    parser.add_argument("--csv", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="*", help="files whose name fits")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    if arguments.sums:
        arguments.sums.mkdir(exist_ok=True)
    table = []
    for path in sorted(arguments.fits.glob(f"{arguments.only}.npz")):
        table += rows_of_cell(Cell(path), arguments.sums)
        print(path.stem, flush=True)
    shown = [dict(zip(row, as_text(row.values()), strict=True)) for row in table]
    write_table(arguments.csv, shown)


# Blocks ----------------------------------------------------------------------------


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


def blocks_table():
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


TABLES = {"study": study_table, "blocks": blocks_table}


if __name__ == "__main__":
    TABLES[sys.argv.pop(1)]()
