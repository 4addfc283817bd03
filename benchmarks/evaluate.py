"""Size and power of the z test at several ρ in populations whose truth is known.

A cell is a population, a size of sample, a pair of learners, a loss and a design, K
folds and a number of runs, from what study.py stored. The truth is the expected
difference (or ratio) at that training size. Tests are two-sided at the level 5%:

- size: how often the true difference is rejected, which is how often the interval of
  the difference misses it;
- power_2sd, power_3sd: how often differences are rejected that are 2 and 3 standard
  deviations of one 10-fold mean away from the truth, above and below;
- misses: how often the true ratio of the expected losses is outside the interval of
  ratios, the r for which the mean of L1 - r L2 is not rejected (Fieller); of absolute
  and squared errors. This is also the size of the test of equality with the losses of
  the first learner divided by the true ratio;
- mixed: how often two models with equal expected squared errors are called different:
  the better learner against that mixture of the predictions of both whose expected loss
  is the better one's, where there is one (its weights are from the truth);
- found: how often the difference is significant, by how large it truly is in standard
  deviations of one 10-fold mean (1 to 2, 2 to 4).

`over` counts cells whose size is significantly above 6% (binomial, one-sided, 5%): of
20 cells that are exactly at 6%, one. `error` is the standard error of the mean size, by
files. Pairs with naive Bayes are apart, and so are classifiers that differ on fewer
than 10 examples of a run (median).

    python benchmarks/evaluate.py    # a day; writes docs/data/study.csv
"""

import itertools

import numpy as np
from harness import Table, command, grouped
from scipy import stats
from study import FULL, QUICK, files

from sklearn_cvtest import CVResiduals, KFoldZTest
from sklearn_cvtest.results import Design

ALPHA = 0.05
RHOS = {"1/4": 1 / 4, ".29": 0.29, "1/3": 1 / 3, ".375": 0.375, ".41": 0.41}
DESIGNS = [(5, 1), (5, 2), (5, 3), (5, 5), (10, 1), (10, 2)]
SHOWN_DESIGNS = [(5, 2), (10, 1)]  # at all ρ
DEFAULT = "1/3"
MOST_SIZE = 0.06  # that a cell may have
SHIFTS = np.array([0, 2, -2, 3, -3])
FEWEST_DIFFERING = 10
LEAST_MIXTURE = 0.05  # the weight of the worse learner


# Tests ----------------------------------------------------------------------------


def residuals_of(e, n_folds, group_rows=0):
    """Return residuals (samples, runs, examples) as those of many pairs.

    The test takes no notice of which examples are in a fold. Rows of a group are
    adjacent, and all groups have `group_rows`.
    """
    n_samples, n_runs, n = e.shape
    sizes = [len(rows) for rows in np.array_split(np.arange(n), n_folds)] * n_runs
    sizes = np.array(sizes)
    groups = None
    if group_rows:
        groups = np.tile(np.arange(n) // group_rows, n_runs)
    name = "repeated k-fold" if n_runs > 1 else "k-fold"
    return CVResiduals(
        values=e.reshape(n_samples, -1),
        row_split=np.repeat(np.arange(len(sizes)), sizes),
        n_train=n - sizes,
        n_test=sizes,
        design=Design(name, n_folds, n_runs),
        row_index=np.tile(np.arange(n), n_runs),
        groups=groups,
    )


def rejected_by_z(residuals, rho, means):
    """Return which means are outside the interval of the test at ρ (samples, means)."""
    test = KFoldZTest(rho=rho)
    low, high = test.interval(test.evaluate(residuals), 1 - ALPHA)
    return (means < low[:, np.newaxis]) | (means > high[:, np.newaxis])


# Cells ----------------------------------------------------------------------------


def loss_of(errors, loss):
    return errors**2 if loss == "squared" else np.abs(errors)


def mixture(products, better, worse):
    """Return the weight of the worse learner in a mixture as good as the better.

    With errors r of the better and r + d of the worse, E(r + vd)² = E r² at
    v = -2 E(rd)/E(d²). None where that is no mixture of the two.
    """
    square = products[better, better] - 2 * products[better, worse]
    square += products[worse, worse]
    product = products[better, worse] - products[better, better]
    if square <= 0:
        return None
    weight = -2 * product / square
    return weight if LEAST_MIXTURE <= weight < 1 else None


def deviation_of(file, loss, pair):
    """Return the standard deviation of the mean difference in one 10-fold."""
    losses = loss_of(file.errors(10)[..., pair], loss)
    means = (losses[..., 0] - losses[..., 1]).mean(axis=2)
    return np.sqrt(means.var(axis=0, ddof=1).mean())


def kind_of(file, e):
    """Return the kind of a cell: that of the population, but for two."""
    if file.row.task == "classification":
        differing = np.median((e[:, 0] != 0).sum(axis=1))
        if differing < FEWEST_DIFFERING:
            return "few differing examples"
    return f"{file.n} groups" if file.row.group else file.row.kind


def decisions(e, n_folds, group_rows, means):
    """Return {rule: which means are rejected (samples, means)} of residuals."""
    residuals = residuals_of(e, n_folds, group_rows)
    means = np.asarray(means)
    return {rule: rejected_by_z(residuals, rho, means) for rule, rho in RHOS.items()}


def rates_of_difference(file, loss, n_folds, errors, truth, deviation):
    """Return {rule: size, power, share of significant differences}.

    `errors` are those of a pair (samples, runs, examples, 2), `truth` their losses.
    """
    losses = loss_of(errors, loss)
    e = losses[..., 0] - losses[..., 1]
    means = np.append(truth[0] - truth[1] + SHIFTS * deviation, 0.0)
    rates = {}
    for rule, rejected in decisions(e, n_folds, file.group_rows, means).items():
        shares = rejected.mean(axis=0)
        rates[rule] = {
            "size": shares[0],
            "power_2sd": shares[1:3].mean(),
            "power_3sd": shares[3:5].mean(),
            "significant": shares[5],
        }
    return rates


def rates_of_ratio(file, loss, n_folds, errors, truth):
    """Return {rule: how often the true ratio is outside its interval}."""
    losses = loss_of(errors, loss)
    e = losses[..., 0] - truth[0] / truth[1] * losses[..., 1]
    rejected = decisions(e, n_folds, file.group_rows, [0.0])
    return {rule: {"misses": column.mean()} for rule, column in rejected.items()}


def rates_of_mixture(file, n_folds, errors, products):
    """Return {rule: how often the better learner and its equal mixture differ}."""
    better = int(products[1, 1] < products[0, 0])
    weight = mixture(products, better, 1 - better)
    if weight is None:
        return {}
    best, worst = errors[..., better], errors[..., 1 - better]
    mixed = (1 - weight) * best + weight * worst
    e = best**2 - mixed**2
    rejected = decisions(e, n_folds, file.group_rows, [0.0])
    return {rule: {"mixed": column.mean()} for rule, column in rejected.items()}


def cells_of_pair(file, loss, pair, errors):
    """Yield a dict for each design and rule of a pair of learners.

    `errors` are those of all learners by the number of folds.
    """
    deviation = deviation_of(file, loss, pair)
    if not deviation > 1e-12:
        return
    names = [file.learners[number] for number in pair]
    for n_folds, n_runs in DESIGNS:
        of_pair = errors[n_folds][..., pair]
        truth = file.truth(loss, n_folds)[pair]
        difference = truth[0] - truth[1]
        losses = loss_of(of_pair, loss)
        e = losses[..., 0] - losses[..., 1]
        cell = {
            "population": file.row.name, "kind": kind_of(file, e),
            "half": file.row.half, "n": file.n, "first": names[0], "second": names[1],
            "loss": f"{loss}, naive Bayes" if "bayes" in names else loss,
            "folds": n_folds, "runs": n_runs, "samples": len(e),
            "distance": abs(difference) / deviation,
        }  # fmt: skip
        of_runs = of_pair[:, :n_runs]
        rates = rates_of_difference(file, loss, n_folds, of_runs, truth, deviation)
        ratios, mixtures = {}, {}
        if loss != "zero_one":
            ratios = rates_of_ratio(file, loss, n_folds, of_runs, truth)
        if loss == "squared":
            products = file.products(n_folds)[np.ix_(pair, pair)]
            mixtures = rates_of_mixture(file, n_folds, of_runs, products)
        for rule, columns in rates.items():
            more = ratios.get(rule, {}) | mixtures.get(rule, {})
            yield cell | {"rule": rule} | columns | more


def cells_of(file):
    """Yield a dict for each cell and rule of a file."""
    errors = {n_folds: file.errors(n_folds) for n_folds in (5, 10)}
    pairs = list(itertools.combinations(range(len(file.learners)), 2))
    for loss, pair in itertools.product(file.losses, pairs):
        yield from cells_of_pair(file, loss, list(pair), errors)


# The table ------------------------------------------------------------------------


def known(cells, column):
    return [cell for cell in cells if cell.get(column) is not None]


def mean(cells, column):
    values = [cell[column] for cell in known(cells, column)]
    return np.mean(values) if values else None


def count_over(cells, column):
    """Return how many rates are significantly above 6%."""
    used = known(cells, column)
    n = np.array([cell["samples"] for cell in used])
    counts = np.round(n * np.array([cell[column] for cell in used]))
    return np.sum(stats.binom.sf(counts - 1, n, MOST_SIZE) <= 0.05)


def error_of(cells, column):
    """Return the standard error of a mean rate; cells of a file share samples."""
    cells = known(cells, column)
    n_files = len(files_of := grouped(cells, "population", "n"))
    if n_files < 2:
        return None
    total = mean(cells, column)
    sums = [sum(cell[column] - total for cell in one) for one in files_of.values()]
    return np.sqrt(np.sum(np.square(sums)) * n_files / (n_files - 1)) / len(cells)


def significant(cells, low, high):
    """Return how often differences of a true distance are significant."""
    inside = [cell for cell in cells if low <= cell["distance"] < high]
    return mean(inside, "significant")


def row_of(cells):
    """Return the columns of the table that sum up cells."""
    return {
        "populations": len({cell["population"] for cell in cells}),
        "cells": len(cells),
        "samples": int(np.median([cell["samples"] for cell in cells])),
        "size": mean(cells, "size"),
        "error": error_of(cells, "size"),
        "over": count_over(cells, "size"),
        "power_2sd": mean(cells, "power_2sd"),
        "power_3sd": mean(cells, "power_3sd"),
        "misses": mean(cells, "misses"),
        "misses_error": error_of(cells, "misses"),
        "misses_over": count_over(cells, "misses"),
        "mixed": mean(cells, "mixed"),
        "found_1_2sd": significant(cells, 1, 2),
        "found_2_4sd": significant(cells, 2, 4),
    }


def rows(n_samples):
    """Yield rows by loss, kind, design and rule, and of the populations to verify."""
    cells = [cell for file in files(n_samples) for cell in cells_of(file)]
    for key, inside in sorted(grouped(cells, *KEYS[1:]).items()):
        _, kind, *design, rule = key
        is_shown = kind == "ordinary" and tuple(design) in SHOWN_DESIGNS
        if rule == DEFAULT or is_shown:
            head = dict(zip(KEYS[1:], key, strict=True))
            yield {"half": "both"} | head | row_of(inside)
        used = [cell for cell in inside if cell["half"] == "verify"]
        if rule == DEFAULT and used:
            yield {"half": "verify"} | head | row_of(used)


KEYS = "half", "loss", "kind", "folds", "runs", "rule"
RATES = {"size": "error", "misses": "misses_error"}
TABLES = [Table("study", rows, KEYS, RATES, FULL, QUICK)]


if __name__ == "__main__":
    command(__doc__, *TABLES)
