"""Size of the tests over data sets, on differences whose center is known to be 0.

`t` and `wilcoxon` are how often Student's t test and Wilcoxon's signed-rank test reject
at the 5% level, 1 - coverage of their intervals; `prediction` is how often the
prediction interval holds the difference on one more data set.

- "normal", "unequal" (normal, of log-normal scales), "heavy" (t with 2 degrees of
  freedom): symmetric differences, on one number for each data set and model.
- "skewed": exponential ones. The t test has differences of mean 0, Wilcoxon's test
  those whose averages of two have the median 0.
- "scales, raw", "scales, logs": losses on scales of the data sets that are log-normal
  (standard deviation 2) and differ by factors exp(N(0, .15²)); as they are, and by
  ratio. `shift` is the log of the ratio: of 0.1, the columns are powers.
- "five models": whether any of ten pairs is rejected, by Holm's method.

    python benchmarks/datasets.py    # writes docs/data/datasets_calibration.csv
"""

import numpy as np
import pandas as pd
from harness import Table, command

from sklearn_cvtest import compare_over_datasets

N_DATASETS = (3, 5, 6, 10, 20, 50)
MEDIAN_OF_TWO = 0.8391735  # of averages of two exponential numbers


def frame_of(losses, base, **options):
    """Return the frame of models (n_samples, D), each compared with a reference."""
    columns = {"base": base} | {f"m{k}": row for k, row in enumerate(losses)}
    table = pd.DataFrame(columns, [f"d{k}" for k in range(len(base))])
    options = {"reference": "base", "p_adjust": None, **options}
    return compare_over_datasets(table, loss="loss", **options).to_frame()


def sizes_of(differences, for_ranks=None):
    """Return the columns of differences (n_samples, D + 1), the last on a new one."""
    new = -differences[:, -1]  # the reference is the first of each pair
    base = np.arange(differences.shape[1] - 1)
    frame = frame_of(base + differences[:, :-1], base, scale=None)
    ranked = frame
    if for_ranks is not None:
        ranked = frame_of(base + for_ranks[:, :-1], base, scale=None)
    is_held = (frame.pi_low <= new) & (new <= frame.pi_high)
    return rates(frame.pvalue, ranked.pvalue_wilcoxon) | {"prediction": is_held.mean()}


def rates(pvalues, wilcoxon):
    return {"t": np.mean(pvalues <= 0.05), "wilcoxon": np.mean(wilcoxon <= 0.05)}


def of_differences(rng, n_samples, n_datasets):
    """Yield rows of differences that are drawn."""
    shape = n_samples, n_datasets + 1
    normal = rng.normal(size=shape)
    yield "normal", sizes_of(normal)
    yield "unequal", sizes_of(normal * np.exp(rng.normal(size=shape)))
    yield "heavy", sizes_of(rng.standard_t(2, size=shape))
    exponential = rng.exponential(size=shape)
    yield "skewed", sizes_of(exponential - 1, exponential - MEDIAN_OF_TWO)


def of_scales(rng, n_samples, n_datasets, shift):
    """Yield rows of losses on the scales of the data sets."""
    base = np.exp(rng.normal(0, 2, n_datasets))
    base[:2] = 0.5, 50  # so far apart that the scale decides for ratios
    factors = np.exp(rng.normal(shift, 0.15, (n_samples, n_datasets)))
    for kind, scale in (("raw", None), ("logs", "auto")):
        frame = frame_of(base * factors, base, scale=scale)
        found = rates(frame.pvalue, frame.pvalue_wilcoxon)
        yield f"scales, {kind}", found | {"prediction": ""}


def of_families(rng, n_samples, n_datasets):
    """Return how often any of five equal models differs from another one."""
    smallest = []
    for _ in range(n_samples):
        losses = rng.normal(size=(n_datasets, 5))
        table = pd.DataFrame(losses, [f"d{k}" for k in range(n_datasets)], [*"abcde"])
        frame = compare_over_datasets(table, loss="loss", scale=None).to_frame()
        smallest.append(frame[["pvalue_adjusted", "pvalue_wilcoxon"]].min())
    return rates(*np.transpose(smallest)) | {"prediction": ""}


def rows(n_samples):
    """Yield the rows of the table."""
    rng = np.random.default_rng(0)
    n_families = max(n_samples // 5, 1)
    for n_datasets in N_DATASETS:
        head = {"kind": "", "data_sets": n_datasets, "shift": 0.0}
        for kind, rates in of_differences(rng, n_samples, n_datasets):
            yield head | {"kind": kind} | rates | {"samples": n_samples}
        for shift in (0.0, 0.1):
            for kind, rates in of_scales(rng, n_samples, n_datasets, shift):
                found = {"kind": kind, "shift": shift} | rates
                yield head | found | {"samples": n_samples}
        rates = of_families(rng, n_families, n_datasets)
        yield head | {"kind": "five models"} | rates | {"samples": n_families}


KEYS = "kind", "data_sets", "shift"
RATES = dict.fromkeys(("t", "wilcoxon", "prediction"))
TABLES = [Table("datasets_calibration", rows, KEYS, RATES, 1000, 100)]


if __name__ == "__main__":
    command(__doc__, *TABLES)
