"""Scores of one test set: size and power with runs × examples, and with one run.

    python benchmarks/crossed.py calibration docs/data/crossed_calibration.csv
    python benchmarks/crossed.py mean-squares docs/data/crossed_mean_squares.csv
    python benchmarks/crossed.py power docs/data/crossed_power.csv
    python benchmarks/crossed.py proportions docs/data/paired_proportions.csv
    python benchmarks/crossed.py gates docs/data/gates.csv

calibration: eight models that are equally good, all pairs, in each sample. A score is
the sum of how easy the example is (the same for all models), of what the example is for
this model, of the run, and of noise; the variance of the run is a share of that of a
mean difference. "auc" is the AUC of such scores as predictions of two classes, which a
run tells apart more or less well; in "groups", five examples each have what is common
to them. Beside it, a t test of the means of runs (Welch's where runs are not paired),
and one of all scores. Standard errors are those between samples.

mean-squares: of normal scores the mean squares of runs, examples and both are
independent multiples of χ², and independent of the mean; so samples are numbers, and
200,000 of them quick. Shares are those of runs in the variance of the mean difference,
up to 0.8.

power: normal scores with paired runs, one test set, two models; the variance of runs is
a share of that of the mean difference. The true difference is given in standard
deviations of the estimated one; 0 is the size. The t test of means rejects true null
hypotheses far too often where runs differ little, so its rates are no power there.

proportions: how often intervals of paired proportions miss the difference, for one run.
Two models are right or wrong on n examples; exactly one of them is right on a share of
these, and their shares differ. All outcomes (b, c) are weighed by their probability, so
that nothing is simulated.

gates: how often a gate lets pass a new model that is worse by the margin, in examples
of n; a share of examples is right by one of the two only and by chance, as many by each
("others", in examples). Of one test set, by t. At most 5% should pass.
"""

import itertools
import warnings
import zlib

import numpy as np
from harness import parser_of, write_rows
from scipy import stats

from sklearn_cvtest import CrossedTest, compare_predictions, compare_scores

# Calibration -----------------------------------------------------------------------


RUNS = 2, 3, 5, 10
EXAMPLES = 50, 500
SHARES = 0.0, 0.2, 0.5
KINDS = "normal", "zero-one", "groups", "auc"
IN_GROUP = 5
PAIRINGS = "paired", "unpaired"
N_MODELS = 8
ALPHA = 0.05
FIELDS = "kind", "pairing", "n_runs", "n_examples", "share_of_runs", "n_samples"
FIELDS += "crossed", "crossed_se", "t_of_means", "t_of_all"


def scores_of(rng, kind, counts, n_examples, share):
    """Return {model: scores (n_runs, n_examples)} of equally good models."""
    n_runs, size = min(counts), IN_GROUP if kind == "groups" else 1
    of_examples, noise = 0.5, 0.5
    rest = of_examples / (n_examples / size) + noise / (n_examples * n_runs)
    of_runs = share / (1 - share) * n_runs * rest
    effect = 1.0
    if kind == "auc":  # of the difference between the means of two halves
        of_runs, effect = 4 * of_runs, target_of(n_examples)
    easy = rng.normal(size=n_examples) + (kind == "auc") * effect
    scores = {}
    for number, count in enumerate(counts):
        own = np.sqrt(of_examples) * rng.normal(size=n_examples // size)
        run = np.sqrt(of_runs) * rng.normal(size=(count, 1)) * effect
        each = np.sqrt(noise) * rng.normal(size=(count, n_examples))
        found = easy + np.repeat(own, size) + run + each
        scores[f"m{number}"] = found > -0.7 if kind == "zero-one" else found
    return scores


def target_of(n_examples):
    """Return two classes of the same size."""
    return np.arange(n_examples) % 2


def options_of(kind, n_examples):
    """Return how scores of a kind are compared."""
    if kind == "auc":
        return {"y_true": target_of(n_examples), "scoring": "roc_auc"}
    if kind == "groups":
        return {"group": np.arange(n_examples) // IN_GROUP}
    return {}


def naive_pvalues(first, second, is_paired):
    """Return the p-values of t tests of the means of runs, and of all scores."""
    means = first.mean(axis=1), second.mean(axis=1)
    if is_paired:
        of_means = stats.ttest_rel(*means)
        of_all = stats.ttest_rel(first.ravel(), second.ravel())
    else:
        of_means = stats.ttest_ind(*means, equal_var=False)
        of_all = stats.ttest_ind(first.ravel(), second.ravel())
    return of_means.pvalue, of_all.pvalue


def measure(kind, pairing, n_runs, n_examples, share, n_samples):
    """Return a row of the table."""
    cell = kind, pairing, n_runs, n_examples, share, n_samples
    rng = np.random.default_rng(zlib.crc32(repr(cell).encode()))
    is_paired = pairing == "paired"
    counts = [
        n_runs * (1 if is_paired else 1 + number % 2) for number in range(N_MODELS)
    ]
    found, naive = [], []
    for _ in range(n_samples):
        scores = scores_of(rng, kind, counts, n_examples, share)
        options = options_of(kind, n_examples)
        result = compare_scores(scores, p_adjust=None, **options)
        found.append(np.mean(result.table.pvalue <= ALPHA))
        first, second = scores["m0"] * 1.0, scores["m1"] * 1.0
        if kind == "auc":
            values = result.losses.values.T.reshape(N_MODELS, n_runs, n_examples)
            first, second = values[:2]
        naive.append(np.array(naive_pvalues(first, second, is_paired)) <= ALPHA)
    error = np.std(found, ddof=1) / np.sqrt(n_samples)
    rates = np.mean(found), error, *np.mean(naive, axis=0)
    return [*cell, *(f"{rate:.4f}" for rate in rates)]


def calibration_table(options):
    """Write the table."""
    warnings.simplefilter("ignore")  # of scores that do not vary, in 0/0
    cells = [
        cell
        for cell in itertools.product(options.kinds, PAIRINGS, RUNS, EXAMPLES, SHARES)
        if cell[0] in KINDS[:2] or cell[1] == "paired"
    ]
    write_rows(options.out, FIELDS, (measure(*one, options.n_samples) for one in cells))


# Mean squares ----------------------------------------------------------------------


SHARES_UP_TO_MUCH = 0.0, 0.2, 0.5, 0.8
N_DRAWN = 200_000


def rejection_rate(rng, n_runs, n_examples, share):
    """Return how often the null hypothesis is rejected at the 5% level."""
    of_examples = both = 1.0
    rest = of_examples / n_examples + both / (n_examples * n_runs)
    of_runs = share / (1 - share) * n_runs * rest
    expected = n_examples * of_runs + both, n_runs * of_examples + both, both
    df = n_runs - 1, n_examples - 1, (n_runs - 1) * (n_examples - 1)
    squares = [
        value * rng.chisquare(count, N_DRAWN) / count
        for value, count in zip(expected, df, strict=True)
    ]
    variance = (expected[0] + expected[1] - both) / (n_runs * n_examples)
    mean = np.sqrt(variance) * rng.normal(size=N_DRAWN)
    error, df_of_t = variance_of_mean(*squares, n_runs, n_examples)
    return np.mean(2 * stats.t.sf(np.abs(mean) / error, df_of_t) <= 0.05)


def variance_of_mean(runs, examples, both, n_runs, n_examples):
    """Return the standard error of a mean and its df, as CrossedTest has them."""
    largest = np.maximum(runs + examples - both, np.maximum(runs, examples))
    df = n_runs - 1, n_examples - 1
    of_runs = 2 * runs if n_runs == 2 else runs
    total = np.maximum(of_runs + examples - both, 0)
    squares = of_runs**2 / df[0] + examples**2 / df[1] + both**2 / (df[0] * df[1])
    df_of_t = np.maximum(total**2 / squares, min(df))
    return np.sqrt(largest / (n_runs * n_examples)), df_of_t


def mean_squares_table(options):
    """Write the table."""
    rng = np.random.default_rng(0)
    cells = itertools.product(RUNS, EXAMPLES, SHARES_UP_TO_MUCH)
    rows = [[*cell, f"{rejection_rate(rng, *cell):.4f}"] for cell in cells]
    write_rows(options.out, ["n_runs", "n_examples", "share_of_runs", "rate"], rows)


# Power -----------------------------------------------------------------------------


POWER_FIELDS = (
    "n_runs",
    "n_examples",
    "share_of_runs",
    "difference",
    "crossed",
    "t_of_means",
)
N_SAMPLES = 1000


def measure_power(n_runs, n_examples, share, difference):
    """Return a row of the table."""
    cell = n_runs, n_examples, share, difference
    rng = np.random.default_rng(zlib.crc32(repr(cell).encode()))
    rest = 1 / n_examples + 1 / (n_examples * n_runs)  # as of examples and of noise
    of_runs = share / (1 - share) * n_runs * rest
    shift = difference * np.sqrt(rest + of_runs / n_runs)
    rates = np.zeros(2)
    for _ in range(N_SAMPLES):
        d = rng.normal(size=n_examples) + rng.normal(size=(n_runs, n_examples))
        d += shift + np.sqrt(of_runs) * rng.normal(size=(n_runs, 1))
        pvalues = CrossedTest().fit(d).pvalue_, stats.ttest_1samp(d.mean(1), 0).pvalue
        rates += np.array(pvalues) <= ALPHA
    return [*cell, *(f"{rate:.3f}" for rate in rates / N_SAMPLES)]


def power_table(options):
    """Write the table."""
    cells = itertools.product((2, 3, 5, 10), (200,), (0.0, 0.2, 0.5), (0, 2, 3, 4))
    write_rows(options.out, POWER_FIELDS, [measure_power(*cell) for cell in cells])


# Proportions ---------------------------------------------------------------------

SIZES = 10, 20, 30, 50, 100, 200, 400
DISCORDANT = 0.04, 0.12, 0.3
DIFFERENCES = 0.0, 0.02, 0.1


def outcomes(n):
    """Return all numbers (b, c) of examples that only one of the two gets wrong."""
    b, c = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    kept = b + c <= n
    return b[kept], c[kept]


def misses(b, c, n, difference):
    """Return whether 95% intervals of t, and of Bonett and Price, miss."""
    critical = stats.norm.isf(ALPHA / 2)
    estimate, error = (b - c) / n, np.sqrt((b + c - (b - c) ** 2 / n) / (n - 1) / n)
    far = np.abs(estimate - difference)
    of_t = far > np.maximum(stats.t.isf(ALPHA / 2, n - 1) * error, 1e-12)
    first, second = (b + 1) / (n + 2), (c + 1) / (n + 2)
    centre = first - second
    error = np.sqrt((first + second - centre**2) / (n + 2))
    return of_t, np.abs(centre - difference) > critical * error


def proportions_table(options):
    """Write the table."""
    rows = []
    for cell in itertools.product(SIZES, DISCORDANT, DIFFERENCES):
        n, discordant, difference = cell
        if difference > discordant:
            continue
        shares = (discordant + difference) / 2, (discordant - difference) / 2
        b, c = outcomes(n)
        counts = np.column_stack([b, c, n - b - c])
        weights = stats.multinomial.pmf(counts, n, [*shares, 1 - sum(shares)])
        rates = [weights @ missed for missed in misses(b, c, n, difference)]
        rows.append([*cell, *(f"{rate:.4f}" for rate in rates)])
    names = "n", "discordant", "difference", "t", "bonett_price"
    write_rows(options.out, names, rows)


# Gates ----------------------------------------------------------------------------

GATES = (1000, 3, 0), (1000, 3, 1), (1000, 3.4, 0), (1000, 5, 0), (1000, 5.3, 0)
GATES += (1000, 10, 5), (1000, 20, 10), (2000, 20, 10), (2000, 40, 40)
N_GATES = 1000


def gate_rates(n, margin, others):
    """Return in how many samples a gate lets a worse model pass."""
    rng = np.random.default_rng(zlib.crc32(f"gates {n} {margin} {others}".encode()))
    worse, better = (margin + others) / n, others / n
    passed = 0
    for _ in range(N_GATES):
        u = rng.random(n)
        old, new = (worse <= u) & (u < worse + better), u < worse
        given = {"old": old * 1, "new": new * 1}
        result = compare_predictions(np.zeros(n, dtype=int), given)
        passed += result.gate(margin / n, reference="old").passed
    return passed


def gates_table(options):
    """Write the table of gates."""
    warnings.simplefilter("ignore")  # of few errors
    rows = [(*cell, N_GATES, f"{gate_rates(*cell) / N_GATES:.4f}") for cell in GATES]
    header = "n", "margin", "others", "samples", "passed"
    write_rows(options.out, header, rows)


TABLES = {
    "calibration": calibration_table,
    "mean-squares": mean_squares_table,
    "power": power_table,
    "proportions": proportions_table,
    "gates": gates_table,
}


def main():
    parser = parser_of(__doc__)
    parser.add_argument("table", choices=TABLES)
    parser.add_argument("out")
    parser.add_argument("--n-samples", type=int, default=300, help="of calibration")
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    options = parser.parse_args()
    TABLES[options.table](options)


if __name__ == "__main__":
    main()
