"""Scores of one test set: size and power with runs × examples, and with one run.

    python benchmarks/crossed.py    # writes the tables of docs/data named below

crossed_calibration: eight models that are equally good, all pairs, in each sample. A
score is the sum of how easy the example is (the same for all models), of what the
example is for this model, of the run, and of noise; the variance of the run is a share
of that of a mean difference. "auc" is the AUC of such scores as predictions of two
classes, which a run tells apart more or less well; in "groups", five examples each have
what is common to them. Beside it, a t test of the means of runs (Welch's where runs are
not paired), and one of all scores. Standard errors are those between samples.

crossed_mean_squares: of normal scores the mean squares of runs, examples and both are
independent multiples of χ², and independent of the mean; so samples are numbers, and
many of them quick. Shares are those of runs in the variance of the mean difference, up
to 0.8.

crossed_power: normal scores with paired runs, one test set, two models; the variance of
runs is a share of that of the mean difference. The true difference is given in standard
deviations of the estimated one; 0 is the size. The t test of means rejects true null
hypotheses far too often where runs differ little, so its rates are no power there.

paired_proportions: how often intervals of paired proportions miss the difference, for
one run. Two models are right or wrong on n examples; exactly one of them is right on a
share of these, and their shares differ. All outcomes (b, c) are weighed by their
probability, so that nothing is simulated.

gates: how often a gate lets pass a new model that is worse by the margin, in examples
of n; a share of examples is right by one of the two only and by chance, as many by each
("others", in examples). Of one test set, by t. At most 5% should pass.
"""

import itertools
import zlib

import numpy as np
from harness import Table, command
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


SCORE_OF_KIND = {"zero-one": lambda found: found > -0.7}
SCORE_OF_KIND["auc"] = lambda found: stats.norm.cdf(found / 4)  # probabilities


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
        scores[f"m{number}"] = SCORE_OF_KIND.get(kind, np.asarray)(found)
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


def rng_of(*cell):
    """Return the generator of a row, which does not depend on the others."""
    return np.random.default_rng(zlib.crc32(repr(cell).encode()))


def rates_of_tests(kind, pairing, n_runs, n_examples, share, n_samples):
    """Return the rates of three tests, and the standard error of the first."""
    rng = rng_of(kind, pairing, n_runs, n_examples, share, n_samples)
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
    names = "crossed", "crossed_se", "t_of_means", "t_of_all"
    return dict(zip(names, rates, strict=True))


def calibration(n_samples):
    for cell in itertools.product(KINDS, PAIRINGS, RUNS, EXAMPLES, SHARES):
        kind, pairing, n_runs, n_examples, share = cell
        if kind in KINDS[:2] or pairing == "paired":
            row = {"kind": kind, "pairing": pairing, "n_runs": n_runs}
            row |= {"n_examples": n_examples, "share_of_runs": share}
            row["samples"] = n_samples
            yield row | rates_of_tests(*cell, n_samples)


# Mean squares ----------------------------------------------------------------------


SHARES_UP_TO_MUCH = 0.0, 0.2, 0.5, 0.8


def rejection_rate(rng, n_runs, n_examples, share, n_samples):
    """Return how often the null hypothesis is rejected at the 5% level."""
    of_examples = both = 1.0
    rest = of_examples / n_examples + both / (n_examples * n_runs)
    of_runs = share / (1 - share) * n_runs * rest
    expected = n_examples * of_runs + both, n_runs * of_examples + both, both
    df = n_runs - 1, n_examples - 1, (n_runs - 1) * (n_examples - 1)
    squares = [
        value * rng.chisquare(count, n_samples) / count
        for value, count in zip(expected, df, strict=True)
    ]
    variance = (expected[0] + expected[1] - both) / (n_runs * n_examples)
    mean = np.sqrt(variance) * rng.normal(size=n_samples)
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


def mean_squares(n_samples):
    rng = np.random.default_rng(0)
    for cell in itertools.product(RUNS, EXAMPLES, SHARES_UP_TO_MUCH):
        row = dict(zip(("n_runs", "n_examples", "share_of_runs"), cell, strict=True))
        rate = rejection_rate(rng, *cell, n_samples)
        yield row | {"rate": rate, "samples": n_samples}


# Power -----------------------------------------------------------------------------


def powers_of_tests(n_runs, n_examples, share, difference, n_samples):
    """Return how often CrossedTest, and a t test of means, reject."""
    rng = rng_of(n_runs, n_examples, share, difference)
    rest = 1 / n_examples + 1 / (n_examples * n_runs)  # as of examples and of noise
    of_runs = share / (1 - share) * n_runs * rest
    shift = difference * np.sqrt(rest + of_runs / n_runs)
    rates = np.zeros(2)
    for _ in range(n_samples):
        d = rng.normal(size=n_examples) + rng.normal(size=(n_runs, n_examples))
        d += shift + np.sqrt(of_runs) * rng.normal(size=(n_runs, 1))
        pvalues = CrossedTest().fit(d).pvalue_, stats.ttest_1samp(d.mean(1), 0).pvalue
        rates += np.array(pvalues) <= ALPHA
    return rates / n_samples


def power(n_samples):
    names = "n_runs", "n_examples", "share_of_runs", "difference"
    for cell in itertools.product(RUNS, (200,), SHARES, (0, 2, 3, 4)):
        crossed, of_means = powers_of_tests(*cell, n_samples)
        rates = {"crossed": crossed, "t_of_means": of_means, "samples": n_samples}
        yield dict(zip(names, cell, strict=True)) | rates


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


def proportions(n_samples):
    for n, discordant, difference in itertools.product(SIZES, DISCORDANT, DIFFERENCES):
        if difference > discordant:
            continue
        shares = (discordant + difference) / 2, (discordant - difference) / 2
        b, c = outcomes(n)
        counts = np.column_stack([b, c, n - b - c])
        weights = stats.multinomial.pmf(counts, n, [*shares, 1 - sum(shares)])
        of_t, of_ours = (weights @ missed for missed in misses(b, c, n, difference))
        cell = {"n": n, "discordant": discordant, "difference": difference}
        yield cell | {"t": of_t, "bonett_price": of_ours, "error": 0.0001}  # rounding


# Gates ----------------------------------------------------------------------------

GATES = (1000, 3, 0), (1000, 3, 1), (1000, 3.4, 0), (1000, 5, 0), (1000, 5.3, 0)
GATES += (1000, 10, 5), (1000, 20, 10), (2000, 20, 10), (2000, 40, 40)


def passed_gates(n, margin, others, n_samples):
    """Return in how many samples a gate lets a worse model pass."""
    rng = rng_of("gates", n, margin, others)
    worse, better = (margin + others) / n, others / n
    passed = 0
    for _ in range(n_samples):
        u = rng.random(n)
        old, new = (worse <= u) & (u < worse + better), u < worse
        given = {"old": old * 1, "new": new * 1}
        result = compare_predictions(np.zeros(n, dtype=int), given)
        passed += result.gate(margin / n, reference="old").passed
    return passed


def gates(n_samples):
    for n, margin, others in GATES:
        passed = passed_gates(n, margin, others, n_samples) / n_samples
        cell = {"n": n, "margin": margin, "others": others}
        yield cell | {"samples": n_samples, "passed": passed}


CELL = "n_runs", "n_examples", "share_of_runs"
TABLES = [
    Table(
        "crossed_calibration", calibration, ("kind", "pairing", *CELL),
        {"crossed": "crossed_se", "t_of_means": None, "t_of_all": None}, 300, 10,
    ),
    Table("crossed_mean_squares", mean_squares, CELL, {"rate": None}, 200_000, 20_000),
    Table(
        "crossed_power", power, (*CELL, "difference"),
        {"crossed": None, "t_of_means": None}, 1000, 100,
    ),
    Table(
        "paired_proportions", proportions, ("n", "discordant", "difference"),
        {"t": "error", "bonett_price": "error"}, 1, 1,
    ),
    Table("gates", gates, ("n", "margin", "others"), {"passed": None}, 1000, 100),
]  # fmt: skip


if __name__ == "__main__":
    command(__doc__, *TABLES)
