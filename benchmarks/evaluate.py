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

    python benchmarks/evaluate.py --fits out --csv study.csv --decision decision.md
    python benchmarks/evaluate.py --fits out --quick    # two designs
    python benchmarks/evaluate.py --check               # the test against known values
"""

import itertools
import pathlib
import warnings
from typing import NamedTuple

import numpy as np
import populations
from harness import as_text, parser_of, read, write_rows
from study import GROUP_SIZES, SIZES, path_of
from study_tables import KINDS, decision, kinds_table, table_of

from sklearn_cvtest import CVResiduals, KFoldZTest
from sklearn_cvtest.results import Design

ALPHA = 0.05
RHOS = {"1/4": 1 / 4, ".29": 0.29, "1/3": 1 / 3, ".375": 0.375, ".41": 0.41}
DESIGNS = [(5, 1), (5, 2), (5, 3), (5, 5), (10, 1), (10, 2)]
QUICK_DESIGNS = [(5, 2), (10, 1)]
SHIFTS = np.array([0, 2, -2, 3, -3])
FEWEST_DIFFERING = 10
LEAST_MIXTURE = 0.05  # the weight of the worse learner
FIELDS = [
    "population", "kind", "half", "n", "first", "second", "loss", "folds", "runs",
    "rule", "samples", "rho", "bias", "distance", "size", "power_2sd", "power_3sd",
    "significant", "misses", "mixed",
]  # fmt: skip


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


class File(NamedTuple):
    """What study.py stored of a population and size."""

    row: populations.Row
    n: int
    arrays: dict

    @property
    def learners(self):
        return [str(name) for name in self.arrays["learners"]]

    @property
    def group_rows(self):
        return int(self.row.group_rows or 0)

    @property
    def losses(self):
        if self.row.task == "classification":
            return ["zero_one"]
        return ["absolute", "squared"]

    def errors(self, n_folds):
        """Return errors of predictions (samples, runs, examples, learners)."""
        runs = self.arrays[f"runs_{n_folds}"].astype(np.float64)
        if self.row.task == "classification":
            return runs
        return runs - self.arrays["y"][:, np.newaxis, :, np.newaxis]

    def truth(self, loss, n_folds):
        """Return the expected losses of the learners."""
        if loss == "squared":
            return np.diag(self.products(n_folds))
        return self.arrays[f"{loss}_{n_folds}"].mean(axis=0)

    def products(self, n_folds):
        """Return the expected products of the errors of two learners."""
        return self.arrays[f"products_{n_folds}"].mean(axis=0)


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


def rho_of(e):
    """Return the ρ of one run that the samples show by their means."""
    variance = e.mean(axis=2).var(axis=0, ddof=1).mean()
    naive = e.var(axis=2, ddof=1).mean() / e.shape[2]
    return 1 - naive / variance


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


def cells_of_pair(file, loss, pair, errors, designs):
    """Yield a dict for each design and rule of a pair of learners.

    `errors` are those of all learners by the number of folds.
    """
    deviation = deviation_of(file, loss, pair)
    if not deviation > 1e-12:
        return
    names = [file.learners[number] for number in pair]
    for n_folds, n_runs in designs:
        of_pair = errors[n_folds][..., pair]
        truth = file.truth(loss, n_folds)[pair]
        difference = truth[0] - truth[1]
        losses = loss_of(of_pair, loss)
        e = losses[..., 0] - losses[..., 1]
        cell = {
            "population": file.row.name, "kind": kind_of(file, e),
            "half": file.row.half, "n": file.n, "first": names[0], "second": names[1],
            "loss": f"{loss}, naive Bayes" if "bayes" in names else loss,
            "folds": n_folds, "runs": n_runs, "samples": len(e), "rho": rho_of(e),
            "bias": (e.mean() - difference) / deviation,
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


def cells_of(file, designs):
    """Yield a dict for each cell and rule of a file."""
    errors = {n_folds: file.errors(n_folds) for n_folds in (5, 10)}
    pairs = list(itertools.combinations(range(len(file.learners)), 2))
    for loss, pair in itertools.product(file.losses, pairs):
        yield from cells_of_pair(file, loss, list(pair), errors, designs)


# Files ----------------------------------------------------------------------------


def read_files(folder):
    """Yield the path and what is in each file of a folder."""
    for row in populations.read_rows():
        for size in GROUP_SIZES if row.group else SIZES:
            path = path_of(folder, row, size)
            if path.exists():
                yield path, row, size


def write(path, fields, rows):
    """Write dicts, of which some have no value for a field."""
    cells = ([row.get(name) for name in fields] for row in rows)
    write_rows(path, fields, map(as_text, cells))


def stored_cells(folder, suffix, fields, cells_of_file):
    """Return the cells of all files; those of a file are stored beside it."""
    cells = []
    for path, row, size in read_files(folder):
        stored = folder / f"{path.stem}.{suffix}.csv"
        is_new = not stored.exists()
        if is_new or stored.stat().st_mtime < path.stat().st_mtime:
            with np.load(path) as arrays:
                file = File(row, size, dict(arrays))
            partial = stored.with_suffix(".part")
            write(partial, fields, cells_of_file(file))
            partial.rename(stored)
            print(path.stem, flush=True)
        cells += read(stored)
    return cells


def all_cells(folder, designs):
    """Return the cells of all files, of some designs."""
    suffix = len(designs)
    return stored_cells(folder, suffix, FIELDS, lambda file: cells_of(file, designs))


# The command ------------------------------------------------------------------------


def check():
    """Compare the test with values that were computed elsewhere."""
    e = np.random.default_rng(0).normal(0.3, size=(1, 1, 100))
    test = KFoldZTest(rho=1 / 3)
    result = test.evaluate(residuals_of(e, 10))
    np.testing.assert_allclose(result.statistic, 3.217904742541619)
    ends = test.interval(result, 1 - ALPHA)
    np.testing.assert_allclose(np.ravel(ends), (0.148978, 0.613215), atol=1e-6)
    rng = np.random.default_rng(1)
    base = rng.normal(0.15, 1, 60)
    e = (base + rng.normal(0, 0.5, (2, 60)))[np.newaxis]
    result = test.evaluate(residuals_of(e, 5))
    np.testing.assert_allclose(result.statistic, 0.407242288792235)
    rng = np.random.default_rng(2)
    s = rng.normal(0, 1, 80)
    first = (s + rng.normal(0, 0.6, (2, 80))) ** 2
    second = (s + rng.normal(0, 0.9, (2, 80))) ** 2
    ratios = {0.5604: True, 0.5605: False, 1.15188: False, 1.1519: True}
    for ratio, is_outside in ratios.items():
        residuals = residuals_of((first - ratio * second)[np.newaxis], 5)
        rejected = rejected_by_z(residuals, 1 / 3, np.zeros(1))
        np.testing.assert_array_equal(rejected, [[is_outside]])
    print("The test gives the known values.")


def parse():
    parser = parser_of(__doc__)
    parser.add_argument("--fits", type=pathlib.Path, help="folder of study.py's files")
    parser.add_argument("--csv", type=pathlib.Path, help="for the table")
    parser.add_argument("--decision", type=pathlib.Path, help="for the table of ρ")
    parser.add_argument("--quick", action="store_true", help="two designs")
    parser.add_argument(
        "--check", action="store_true", help="compare with known values"
    )
    return parser.parse_args()


def main():
    arguments = parse()
    warnings.simplefilter("ignore")
    if arguments.check or arguments.fits is None:
        check()
        return
    cells = all_cells(arguments.fits, QUICK_DESIGNS if arguments.quick else DESIGNS)
    rows = table_of(cells)
    if arguments.csv:
        write(arguments.csv, list(rows[0]), rows)
    text = "\n".join(decision(cells, kinds) for kinds in KINDS)
    for folds, runs in QUICK_DESIGNS:
        text += "\n" + kinds_table(cells, folds, runs)
    if arguments.decision:
        arguments.decision.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
