"""How often differences over data sets are called significant where there are none.

Two models, as `compare_over_datasets` is called: by the test that decides for so many
data sets. `size` is how often it rejects at the 5% level, `misses` how often its
interval does not hold the center of the differences, `prediction` how often the
prediction interval holds the difference on one more data set; `t` and `wilcoxon` are
the sizes of the two tests, whichever decides.

- "normal", "unequal" (normal, of log-normal scales), "heavy" (t with 2 degrees of
  freedom), "tied" (normal with standard deviation 1, rounded): symmetric differences.
- "skewed": exponential ones. Their center is the mean for the t test, for Wilcoxon's
  the median of averages of two. "skewed, mean": the mean for both.
- "scales, raw", "scales, logs": losses on scales of the data sets that are log-normal
  (standard deviation 2) and differ by factors exp(N(0, .15²)); as they are, and by
  ratio. `shift` is the log of the ratio: of 0.1, sizes are powers.
- "five models": whether any of ten pairs is called different, by Holm's method.

    python benchmarks/datasets.py    # writes docs/data/datasets_calibration.csv
"""

import numpy as np
import pandas as pd
from harness import Table, command

from sklearn_cvtest import compare_over_datasets

N_DATASETS = (3, 4, 5, 6, 8, 10, 20, 30, 50)
MEDIAN_OF_TWO = 0.8391735  # of averages of two exponential numbers
ENDS = {"t": "ci", "wilcoxon": "pseudomedian"}


def results_of(losses, base, **options):
    """Return the comparison of models (n_samples, D), each with a reference."""
    columns = {"base": base} | {f"m{k}": row for k, row in enumerate(losses)}
    table = pd.DataFrame(columns, [f"d{k}" for k in range(len(base))])
    options = {"reference": "base", "p_adjust": None, **options}
    return compare_over_datasets(table, loss="loss", **options)


def sizes_of(differences, center=0.0):
    """Return the columns of differences (n_samples, D + 1), the last on a new one."""
    base = np.linspace(100.0, 200.0, differences.shape[1] - 1)
    result = results_of(base + differences[:, :-1] - center, base)
    frame = result.to_frame()  # the reference is the first of each pair
    new = center - differences[:, -1]
    is_held = ~((frame.pi_low > new) | (frame.pi_high < new))  # nan where no bound
    return rates(result, frame) | {"prediction": is_held.mean()}


def rates(result, frame):
    ends = ENDS[result.decided_by]
    is_missed = (frame[f"{ends}_low"] > 0) | (frame[f"{ends}_high"] < 0)
    return {
        "decides": result.decided_by,
        "size": result.significant.mean(),
        "misses": is_missed.mean(),
        "t": np.mean(frame.pvalue <= 0.05),
        "wilcoxon": np.mean(frame.pvalue_wilcoxon <= 0.05),
    }


def of_differences(rng, n_samples, n_datasets):
    """Yield rows of differences that are drawn."""
    shape = n_samples, n_datasets + 1
    normal = rng.normal(size=shape)
    yield "normal", sizes_of(normal)
    yield "unequal", sizes_of(normal * np.exp(rng.normal(size=shape)))
    yield "heavy", sizes_of(rng.standard_t(2, size=shape))
    yield "tied", sizes_of(normal.round())
    exponential = rng.exponential(size=shape)
    of_mean = sizes_of(exponential, 1.0)
    is_mean = of_mean["decides"] == "t"
    yield "skewed", of_mean if is_mean else sizes_of(exponential, MEDIAN_OF_TWO)
    yield "skewed, mean", of_mean


def of_scales(rng, n_samples, n_datasets, shift):
    """Yield rows of losses on the scales of the data sets."""
    base = np.exp(rng.normal(0, 2, n_datasets))
    base[:2] = 0.5, 50  # so far apart that the scale decides for ratios
    factors = np.exp(rng.normal(shift, 0.15, (n_samples, n_datasets)))
    for kind, scale in (("raw", None), ("logs", "auto")):
        result = results_of(base * factors, base, scale=scale)
        yield f"scales, {kind}", rates(result, result.to_frame()) | {"prediction": ""}


def of_families(rng, n_samples, n_datasets):
    """Return how often any of five equal models differs from another one."""
    found = []
    for _ in range(n_samples):
        losses = 100 + rng.normal(size=(n_datasets, 5))
        table = pd.DataFrame(losses, [f"d{k}" for k in range(n_datasets)], [*"abcde"])
        result = compare_over_datasets(table, loss="loss")
        frame = result.to_frame()
        smallest = frame[["pvalue_adjusted", "pvalue_wilcoxon"]].min()
        found.append([result.significant.any(), *(smallest <= 0.05)])
    size, t, wilcoxon = np.mean(found, axis=0)
    sizes = {"size": size, "misses": "", "t": t, "wilcoxon": wilcoxon, "prediction": ""}
    return {"decides": result.decided_by} | sizes


def rows(n_samples):
    """Yield the rows of the table."""
    rng = np.random.default_rng(0)
    n_families = max(n_samples // 5, 1)
    for n_datasets in N_DATASETS:
        head = {"kind": "", "data_sets": n_datasets, "shift": 0.0}
        for kind, row in of_differences(rng, n_samples, n_datasets):
            yield head | {"kind": kind} | row | {"samples": n_samples}
        for shift in (0.0, 0.1):
            for kind, row in of_scales(rng, n_samples, n_datasets, shift):
                found = {"kind": kind, "shift": shift} | row
                yield head | found | {"samples": n_samples}
        row = of_families(rng, n_families, n_datasets)
        yield head | {"kind": "five models"} | row | {"samples": n_families}


KEYS = "kind", "data_sets", "shift"
RATES = dict.fromkeys(("size", "misses", "t", "wilcoxon", "prediction"))
TABLES = [Table("datasets_calibration", rows, KEYS, RATES, 2500, 100)]


if __name__ == "__main__":
    command(__doc__, *TABLES)
