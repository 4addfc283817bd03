"""How often the 95% interval of one model misses the truth, by a single 10-fold.

The intervals are those of `interval_of_predictions` for the predictions of the first
10-fold that study.py stored, which are those that `cross_val_interval` gives for the
fits: of the accuracy, F1 and ROC AUC of two classes, and of the mean squared error
(whose root, the RMSE, misses as often) and mean absolute error. The truth is the
expected metric of models trained on nine tenths of so many examples. F1 is of the rarer
class.

A row of the table is a metric, a kind of population (of numbers: a range of the
L-skewness of the target in the sample), naive Bayes or other learners, and a size of
samples or all sizes:

- number: intervals, that is, samples times models;
- misses: how often the truth is outside, with its standard error over populations;
- undefined: for which share of samples times models there is no interval of the ROC
  AUC, as a test set has no example of a class.

    python benchmarks/evaluate_intervals.py    # writes docs/data/study_intervals.csv
"""

import itertools

import numpy as np
from harness import Table, command, grouped
from study import FULL, QUICK, SCORED_FOLDS, files

from sklearn_cvtest import interval_of_predictions

SKEWNESS = (0, 0.3, 1)
LOSSES = {"accuracy": "zero_one", "RMSE": "squared", "MAE": "absolute"}
OPTIONS = {  # of interval_of_predictions
    "accuracy": {"loss": "zero_one"},
    "F1": {"scoring": "f1"},
    "ROC AUC": {"scoring": "roc_auc", "response": "decision_function"},
    "RMSE": {"loss": "squared_error"},
    "MAE": {"loss": "absolute_error"},
}


# Cells ----------------------------------------------------------------------------


def metrics_of(file):
    """Return the metrics that are answered from a file."""
    if file.row.group:
        return []
    if file.row.task == "regression":
        return ["RMSE", "MAE"]
    return ["accuracy", "F1", "ROC AUC"] if "is_positive" in file.arrays else []


def truth_of(file, metric):
    """Return the expected metrics of the learners; of accuracy, the error rates."""
    if metric in LOSSES:
        return file.truth(LOSSES[metric], SCORED_FOLDS)
    name = {"F1": "f1", "ROC AUC": "roc_auc"}[metric]
    return file.arrays[f"{name}_{SCORED_FOLDS}"].mean(axis=0)


def predictions_of(file, sample, metric):
    """Return the target of a sample, predictions (n, learners), and folds."""
    folds = file.arrays[f"folds_{SCORED_FOLDS}"][sample, 0]
    run = file.arrays[f"runs_{SCORED_FOLDS}"][sample, 0]
    if file.row.task == "regression":
        return file.arrays["y"][sample], run, folds
    is_positive = file.arrays["is_positive"][sample]
    if metric == "ROC AUC":
        scores = file.arrays[f"scores_{SCORED_FOLDS}"][sample]
        return is_positive.astype(int), scores, folds
    labels = is_positive[:, np.newaxis] ^ run  # a run of classes is what is wrong
    return is_positive.astype(int), labels.astype(int), folds


def ends_of(file, sample, metric):
    """Return low and high ends by model.

    None where a test set has no example of a class: then there is no ROC AUC.
    """
    y, predictions, folds = predictions_of(file, sample, metric)
    if metric == "ROC AUC":
        n_positives = np.bincount(folds, y)
        if np.any((n_positives == 0) | (n_positives == np.bincount(folds))):
            return None
    models = dict(zip(file.learners, predictions.T, strict=True))
    result = interval_of_predictions(y, models, splits=folds, **OPTIONS[metric])
    return np.reshape(result.interval_, (-1, 2)).T


def l_skewness(y):
    """Return the third L-moment over the second: 0 if symmetric, 1/3 if exponential."""
    place = np.arange(len(y)) / (len(y) - 1)
    second = place * (place * (len(y) - 1) - 1) / (len(y) - 2)
    b0, b1, b2 = (np.mean(weight * np.sort(y)) for weight in (1, place, second))
    return (6 * b2 - 6 * b1 + b0) / (2 * b1 - b0)


def kind_of(file, sample):
    """Return the kind of a population, or the range of the L-skewness of a target."""
    if file.row.task == "classification":
        return file.row.kind
    y = file.arrays["y"][sample].astype(np.float64)
    place = np.searchsorted(SKEWNESS, abs(l_skewness(y)), side="right")
    return name_of_range(SKEWNESS[place - 1], SKEWNESS[place])


def name_of_range(low, high):
    return f"L-skewness {low:g} to {high:g}"


def counts_of(ends, truth, is_used):
    """Return numbers of models: with an interval, missed, and without an interval."""
    if ends is None:
        return np.array([0, 0, is_used.sum()])
    low, high = ends
    is_missed = (truth < low) | (truth > high)
    return np.array([is_used.sum(), is_missed[is_used].sum(), 0])


def cells_of(file):
    """Yield counts by metric, kind of population and kind of learner of a file."""
    is_bayes = np.array(file.learners) == "bayes"
    groups = {"others": ~is_bayes, "naive Bayes": is_bayes}
    groups = {name: is_used for name, is_used in groups.items() if is_used.any()}
    n_samples = len(file.arrays[f"runs_{SCORED_FOLDS}"])
    counts = {}
    for metric, sample in itertools.product(metrics_of(file), range(n_samples)):
        ends = ends_of(file, sample, metric)
        for learners, is_used in groups.items():
            key = kind_of(file, sample), learners, metric
            more = counts_of(ends, truth_of(file, metric), is_used)
            counts[key] = counts.get(key, 0) + more
    for (kind, learners, metric), sums in counts.items():
        row = {"population": file.row.name, "kind": kind, "n": file.n}
        row |= {"learners": learners, "metric": metric}
        yield row | dict(zip(COUNTS, sums, strict=True))


COUNTS = "number", "missed", "undefined"


# The table --------------------------------------------------------------------------


def error_of(missed, number):
    """Return the standard error of the pooled rate of populations."""
    n_populations = len(number)
    if n_populations < 2:
        return np.nan
    residuals = missed - missed.sum() / number.sum() * number
    scale = n_populations / (n_populations - 1)
    return np.sqrt(scale * np.sum(residuals**2)) / number.sum()


def row_of(cells):
    """Return the columns of the table that sum up cells."""
    of_populations = grouped(cells, "population").values()
    sums = np.array(
        [[sum(cell[name] for cell in one) for name in COUNTS] for one in of_populations]
    )
    number, missed, undefined = sums.T
    has_intervals = number.sum() > 0
    return {
        "populations": len(sums),
        "number": number.sum(),
        "misses": missed.sum() / number.sum() if has_intervals else None,
        "error": error_of(missed, number) if has_intervals else None,
        "undefined": undefined.sum() / (number + undefined).sum(),
    }


def table_of(cells):
    """Return rows by metric, kind of population, learners and size, and all sizes."""
    keys = "metric", "kind", "learners", "n"
    groups = grouped(cells, *keys)
    groups |= grouped([cell | {"n": "all"} for cell in cells], *keys)
    return [
        dict(zip(keys, key, strict=True)) | row_of(groups[key])
        for key in sorted(groups, key=order_of)
    ]


def order_of(key):
    """Return what rows are sorted by: naive Bayes after others, all sizes last."""
    metric, kind, learners, size = key
    place = list(OPTIONS).index(metric)
    number = np.inf if size == "all" else int(size)
    return place, kind, learners != "others", number


def rows(n_samples):
    return table_of([cell for file in files(n_samples) for cell in cells_of(file)])


KEYS = "metric", "kind", "learners", "n"
TABLES = [Table("study_intervals", rows, KEYS, {"misses": "error"}, FULL, QUICK)]


if __name__ == "__main__":
    command(__doc__, *TABLES)
