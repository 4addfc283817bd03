"""What the scripts of this folder share: options, runs that add up, CSV files.

A run stores the intervals and truths of its samples in a file of its own, whose name
ends in its seed; the table is made of the files of all runs.
"""

import argparse
import csv
import math
import pathlib
import warnings
from functools import partial
from typing import NamedTuple

import numpy as np
from sklearn import config_context

from sklearn_cvtest import CVLosses
from sklearn_cvtest._losses import _influence, _rank_metrics
from sklearn_cvtest._losses._metrics import ROWS, find_metric

DATA = pathlib.Path(__file__).parent.parent / "docs" / "data"
OF = {metric.__name__: row.influence for metric, row in ROWS.items()}
UNCHECKED = {"assume_finite": True, "skip_parameter_validation": True}


# CSV files --------------------------------------------------------------------------


def write_rows(path, header, rows):
    with pathlib.Path(path).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def write_table(path, table):
    """Write dicts with the same keys, which are the header."""
    write_rows(path, table[0], (row.values() for row in table))


def merge_rows(path, header, rows, n_key):
    """Write rows to a file in place of those with the same first cells."""
    kept = {}
    if path.exists():
        with path.open(encoding="utf-8") as file:
            kept = {tuple(row[:n_key]): row for row in list(csv.reader(file))[1:]}
    kept |= {tuple(row[:n_key]): row for row in rows}
    write_rows(path, header, kept.values())


def shown(rows):
    """Return rows as text, and print them."""
    rows = list(map(as_text, rows))
    for row in rows:
        print(*row, sep=",", flush=True)
    return rows


def as_text(row):
    cells = [float(cell) if isinstance(cell, np.floating) else cell for cell in row]
    cells = ["" if cell is None else cell for cell in cells]
    return [f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in cells]


def read(path):
    """Return the rows of a CSV, whose first lines may be comments."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def grouped(rows, *columns):
    """Return lists of rows by the values of columns, in the order of the file."""
    cells = {}
    for row in rows:
        cells.setdefault(tuple(row[column] for column in columns), []).append(row)
    return cells


def mean(rows, column):
    return 100 * sum(float(row[column]) for row in rows) / len(rows)


def is_over(row, most=0.06):
    """Whether a size is significantly (one-sided, 5%) above 6%."""
    error = math.sqrt(most * (1 - most) / int(row["samples"]))
    return float(row["size"]) > most + 1.645 * error


# Runs that add up -------------------------------------------------------------------


def run_parser(doc, sizes):
    """Return the parser of a script that simulates cells (case, size, design)."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, help="folder of real populations")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--size", type=int, choices=sizes, action="append")
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--population", action="append")
    parser.add_argument("--csv", type=pathlib.Path)
    return parser


def is_asked(case, n, design, arguments):
    """Return whether --size and --population ask for a cell."""
    return n in (arguments.size or [n]) and case.population in (
        arguments.population or [case.population]
    )


def run(cells, arguments, asked, simulate, summaries):
    """Simulate the cells that are asked for, or write the table of all, with --csv.

    `simulate` takes a cell, the number of samples, the folder and the seed;
    `summaries` a cell and the folder.
    """
    warnings.simplefilter("ignore")
    if arguments.csv:
        table = [row for cell in cells for row in summaries(*cell, arguments.out)]
        write_table(arguments.csv, table)
        return
    with config_context(**UNCHECKED):
        for cell in cells:
            if asked(*cell, arguments):
                simulate(*cell, arguments.samples, arguments.out, arguments.seed)


def store(folder, label, seed, intervals, truths, **more):
    """Store {(measure, test): rows}, {measure: truths} and other values of a run."""
    arrays = {"|".join(key): rows for key, rows in intervals.items()}
    arrays |= {f"{measure}|truth": values for measure, values in truths.items()}
    folder.mkdir(exist_ok=True)
    np.savez(folder / f"{file_stem(label)}{seed}.npz", **more, **arrays)


def stored(folder, label):
    """Return what each run has stored."""
    paths = sorted(folder.glob(f"{file_stem(label)}*.npz"))
    return [np.load(path) for path in paths]


def file_stem(label):
    return f"{label} ".replace(" ", "_")


def joined(parts, key):
    return np.concatenate([part[key] for part in parts if key in part.files])


class Measure(NamedTuple):
    """A metric with influences, and what it takes: labels, scores, proba, numbers."""

    function: object
    takes: str
    range: tuple  # of the loss, or of minus the score
    is_score: bool = True
    scorer: str = ""


N_TEST = 4000  # examples that a true value is computed from
RATE, LOSS = (-1.0, 0.0), (0.0, np.inf)
MEASURES = {
    "zero_one": Measure(OF["zero_one_loss"], "labels", (0.0, 1.0), False),
    "log_loss": Measure(_influence.log_loss, "proba", LOSS, False),
    "squared_error": Measure(OF["mean_squared_error"], "numbers", LOSS, False),
    "absolute_error": Measure(OF["mean_absolute_error"], "numbers", LOSS, False),
    "rmse": Measure(OF["root_mean_squared_error"], "numbers", LOSS, False),
    "roc_auc": Measure(_rank_metrics.roc_auc, "scores", RATE),
    "average_precision": Measure(_rank_metrics.average_precision, "scores", RATE),
    "f1": Measure(_influence.fbeta, "labels", RATE),
    "f1_macro": Measure(partial(_influence.fbeta, average="macro"), "labels", RATE),
    "balanced_accuracy": Measure(_influence.balanced_accuracy, "labels", RATE),
    "matthews_corrcoef": Measure(_influence.matthews_corrcoef, "labels", (-1.0, 1.0)),
    "precision": Measure(_influence.precision, "labels", RATE),
    "recall": Measure(_influence.recall, "labels", RATE),
    "jaccard": Measure(_influence.jaccard, "labels", RATE),
    "r2": Measure(_influence.r2, "numbers", (-1.0, np.inf)),
}
MEASURES = {name: one._replace(scorer=name) for name, one in MEASURES.items()}


def values_and_influences(model, X, y, train, test, measures):
    """Fit a model; return {measure: (value, influences)} on the test set."""
    model.fit(X[train], y[train])
    if hasattr(model, "predict_proba"):
        proba = model.predict_proba(X[test])
        outputs = {
            "proba": proba,
            "scores": proba[:, -1],
            "labels": model.classes_[proba.argmax(axis=1)],
        }
    else:
        outputs = {"numbers": model.predict(X[test])}
    return {
        name: MEASURES[name].function(y[test], outputs[MEASURES[name].takes])
        for name in measures
    }


def large_test_values(draw, models, measures, n_train, n_samples):
    """Return {measure: values of the models, by sample} on large test sets.

    `draw` takes a number of examples and returns X, y, and perhaps more.
    """
    found = {name: [] for name in measures}
    for _ in range(n_samples):
        X, y, *_ = draw(n_train + N_TEST)
        split = np.arange(n_train), np.arange(n_train, len(y))
        each = [values_and_influences(m, X, y, *split, measures) for m in models]
        for name, values in found.items():
            values.append([one[name][0] for one in each])
    return found


def direct_losses(models, X, y, splits, design, measures, **options):
    """Return {measure: CVLosses}, with the options of losses_of_values."""
    found = [
        [values_and_influences(m, X, y, *split, measures) for m in models]
        for split in splits
    ]
    return {
        name: losses_of_values(
            name,
            [[of[name] for of in split] for split in found],
            y,
            splits,
            design,
            **options,
        )
        for name in measures
    }


def losses_of_values(name, found, y, splits, design, *, groups=None, fewest=None):
    """Return CVLosses of (value, influences) of each split and model.

    Of a score, values per example where every test set has at least `fewest` examples
    of each class that it needs; None: as many as the package asks for.
    """
    measure, n_models = MEASURES[name], len(found[0])
    n_test = np.array([len(test) for _, test in splits])
    row_index = np.concatenate([test for _, test in splits])
    sign = -1 if measure.is_score else 1
    unknown = np.zeros((len(splits), n_models))
    parts = {
        "losses": sign * np.array([[value for value, _ in one] for one in found]),
        "row_split": np.arange(len(splits)),
        "row_index": None,
        "per_example": False,
    }
    if _has_examples(measure, y, splits, fewest):
        rows = [np.stack([value + i for value, i in one], axis=1) for one in found]
        parts = {
            "losses": sign * np.concatenate(rows),
            "row_split": np.repeat(np.arange(len(splits)), n_test),
            "row_index": row_index,
            "groups": None if groups is None else groups[row_index],
        }
    return CVLosses(
        estimator_names=tuple(f"model {number}" for number in range(n_models)),
        n_train=np.array([len(train) for train, _ in splits]),
        n_test=n_test,
        n_samples=len(y),
        design=design,
        fit_time=unknown,
        score_time=unknown,
        fit_failed=unknown > 0,
        split_hash="",
        loss_name=name,
        is_score=measure.is_score,
        value_range=measure.range,
        **parts,
    )


def _has_examples(measure, y, splits, fewest):
    if not measure.is_score:
        return fewest is None or np.isfinite(fewest)
    if fewest == 0 or fewest == np.inf:
        return fewest == 0
    metric = find_metric(measure.scorer)
    least = metric.row.fewest if fewest is None else fewest
    return metric.smallest_classes(y, splits).min() >= least


def is_outside(test, evaluation, alpha, popmeans):
    """Return whether hypotheses are outside the intervals, (n_samples, n_popmeans)."""
    ends = test.interval(evaluation, 1 - alpha)
    low, high = (np.expand_dims(end, -1) for end in ends)
    return (popmeans <= low) | (popmeans >= high)
