"""How often 95% intervals miss the true difference: packages for scores in hand.

Two models on one test set. "runs" are evaluations of the same examples; where they
differ, a fifth of the variance of the mean difference is that of runs (as in
crossed_calibration.py). In groups, half of the variance is what five examples have in
common. "12% discordant" is the share of examples that one of the two models only gets
right. Every package is called as its documentation says, with fewer resamples; one that
has no argument for what a situation is about is left out of it.

Run: python benchmarks/peer_rates.py [--samples 1000]  writes docs/data/peer_rates.csv
Needs: evalstats, stambo, truescore, evalsig, evalci and evalconfidence; rows of what is
not installed stay as they are.
"""

import argparse
import contextlib
import csv
import importlib.metadata
import io
import logging
import warnings

import numpy as np
from crossed_calibration import scores_of
from harness import DATA, write_rows
from scipy import stats

import sklearn_cvtest as ct

HEADER = "package", "version", "situation", "call", "misses", "samples"
RESAMPLES = 2000
ROUNDING = 1e-9
N_RUNS, N_EXAMPLES = 5, 100
IN_GROUP, N_GROUPS = 5, 12
PREDICTIONS = 200  # samples of AUC, for which a bootstrap takes long


# Samples: scores (2, runs, examples), groups or None, target or None, difference ------


def runs(rng, share):
    scores = scores_of(rng, "normal", (N_RUNS, N_RUNS), N_EXAMPLES, share)
    return np.array(list(scores.values())), None, None, 0.0


def in_groups(rng):
    n = N_GROUPS * IN_GROUP
    groups = np.arange(n) // IN_GROUP
    common = rng.normal(size=(2, 1, N_GROUPS))[..., groups]
    return common + rng.normal(size=(2, 1, n)), groups, None, 0.0


def right_or_wrong(rng, discordant, difference):
    both = 0.7
    shares = (discordant + difference) / 2, (discordant - difference) / 2
    kinds = rng.choice(4, 50, p=[both, *shares, 1 - both - discordant])
    scores = np.array([kinds <= 1, (kinds == 0) | (kinds == 2)], dtype=float)
    return scores[:, None], None, None, difference


def two_classes(rng):
    y = (np.arange(N_EXAMPLES) < N_EXAMPLES // 5).astype(int)
    shared = rng.normal(size=N_EXAMPLES)
    values = y + shared + rng.normal(size=(2, 1, N_EXAMPLES))
    return stats.norm.cdf(values), None, y, 0.0


SITUATIONS = {
    "5 runs that are alike": lambda rng: runs(rng, 0.0),
    "5 runs that differ": lambda rng: runs(rng, 0.2),
    "12 groups of 5 examples": in_groups,
    "right or wrong, 12% discordant": lambda rng: right_or_wrong(rng, 0.12, 0.1),
    "right or wrong, 4% discordant": lambda rng: right_or_wrong(rng, 0.04, 0.02),
    "AUC of 20 and 80 examples": two_classes,
}


# Packages: (call, interval of first - second), None where there is no such argument ---


def ours(scores, groups, y, rng):
    options = {} if groups is None else {"group": groups}
    if y is not None:
        options |= {"y_true": y, "scoring": "roc_auc"}
    result = ct.compare_scores(
        dict(zip("ab", scores.squeeze(), strict=True)), **options
    )
    (pair,) = result.tests
    low, high = result.tests[pair].confidence_interval()
    return "compare_scores", (-high, -low)  # of losses


def evalstats(scores, groups, y, rng):
    import evalstats as es

    if groups is not None or y is not None:
        return None
    result = es.compare(es.load_from(long_table(scores)), factors="model")
    (pair,) = result.to_dict()["pairwise"]
    return "compare", (pair["ci_low"], pair["ci_high"])


def evalci(scores, groups, y, rng):
    import evalci

    if groups is not None or y is not None:
        return None
    table = long_table(scores).rename(columns={"item": "item_id", "run": "sample_idx"})
    row = evalci.multi_compare(table, n_resamples=RESAMPLES, random_state=seed(rng))
    return "multi_compare", (row.ci_low[0], row.ci_high[0])


def evalconfidence(scores, groups, y, rng):
    from evalconfidence import ItemResult, compare

    if y is not None:
        return None
    first, second = (
        [
            ItemResult(
                str(k), name, value, run, None if groups is None else str(groups[k])
            )
            for run, line in enumerate(values)
            for k, value in enumerate(line)
        ]
        for name, values in zip("ab", scores, strict=True)
    )
    return "compare", compare(first, second).ci_diff


def evalsig(scores, groups, y, rng):
    from evalsig.compare import compare
    from evalsig.types import ItemResult, RunFrame

    if y is not None:
        return None
    frames = [
        RunFrame(name, name, "task", "score", items=[
            ItemResult(str(k), value, None if groups is None else str(groups[k]), run)
            for run, line in enumerate(values)
            for k, value in enumerate(line)
        ])
        for name, values in zip("ab", scores, strict=True)
    ]  # fmt: skip
    cluster = None if groups is None else "group"
    found = compare(*frames, cluster=cluster, n_resamples=RESAMPLES, rng=seed(rng))
    return "compare", (-found.ci[1], -found.ci[0])  # of second - first


def truescore(scores, groups, y, rng):
    import truescore

    if y is not None:
        return None
    first, second = scores.mean(axis=1)
    if groups is None and set(np.unique(scores)) <= {0, 1} and scores.shape[1] == 1:
        found = truescore.mcnemar(first.astype(int), second.astype(int))
        return "mcnemar", (found.low, found.high)
    found = truescore.paired_bootstrap(
        first, second, n_bootstrap=RESAMPLES, seed=seed(rng), clusters=groups
    )
    return "paired_bootstrap", (found.low, found.high)


def stambo(scores, groups, y, rng):
    import stambo

    options = {"n_bootstrap": 500, "seed": seed(rng), "silent": True}
    if y is not None:
        found = stambo.compare_models(
            y, *scores[::-1, 0], metrics=("ROCAUC",), **options
        )
        return "compare_models", found["ROCAUC"][2:4]
    n_runs, n = scores.shape[1:]
    units = groups if groups is not None else np.arange(n) if n_runs > 1 else None
    found = stambo.two_sample_test(
        *(values.ravel() for values in scores[::-1]),
        {"mean": np.mean},
        groups=None if units is None else np.tile(units, n_runs),
        **options,
    )
    return "two_sample_test", found["mean"][2:4]


def seed(rng):
    return int(rng.integers(2**31))


def long_table(scores):
    import pandas as pd

    _, n_runs, n = scores.shape
    levels = {
        "model": list("ab"),
        "run": range(n_runs),
        "item": [f"i{k}" for k in range(n)],
    }
    index = pd.MultiIndex.from_product(levels.values(), names=levels)
    table = pd.DataFrame({"score": scores.ravel()}, index=index).reset_index()
    return table if n_runs > 1 else table.drop(columns="run")


PEERS = evalstats, stambo, truescore, evalsig, evalci, evalconfidence
PACKAGES = {"this package": ours} | {call.__name__: call for call in PEERS}


# Counting -----------------------------------------------------------------------


def measure(package, situation, n_samples):
    """Return a row of the table, None where the package has no argument for it."""
    rng = np.random.default_rng(0)  # the same samples for all
    n_samples = (
        min(n_samples, PREDICTIONS) if situation.startswith("AUC") else n_samples
    )
    missed = 0
    for number in range(n_samples):
        *sample, difference = SITUATIONS[situation](rng)
        found = quietly(PACKAGES[package], *sample, np.random.default_rng(number))
        if found is None:
            return None
        call, (low, high) = found
        missed += not low - ROUNDING <= difference <= high + ROUNDING
    rate = f"{missed / n_samples:.4f}"
    return [package, version(package), situation, call, rate, n_samples]


def quietly(call, *arguments):
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(*arguments)


def version(package):
    """Return the version that is installed, None without it."""
    name = "sklearn_cvtest" if package == "this package" else package
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--only", default="", help="part of the name of a situation")
    options = parser.parse_args()
    logging.disable()
    path = DATA / "peer_rates.csv"
    with path.open(encoding="utf-8") if path.exists() else io.StringIO() as file:
        rows = {(row[0], row[2]): row for row in list(csv.reader(file))[1:]}
    for situation in [name for name in SITUATIONS if options.only in name]:
        for package in filter(version, PACKAGES):
            row = measure(package, situation, options.samples)
            if row is not None:
                rows[package, situation] = row
                print(*row, sep=", ", flush=True)
    write_rows(path, HEADER, rows.values())


if __name__ == "__main__":
    main()
