"""How often intervals of other packages, and ours, miss: two models on one test set.

"runs" are evaluations of the same examples; where they differ, a fifth of the variance
of the mean difference is that of runs (as in crossed.py). In groups, half of the
variance is what five examples have in common. "12% discordant" is the share of examples
that one of the two models only gets right. Every package is called as its documentation
says, with fewer resamples; one that has no argument for what a situation is about is
left out of it.

    python benchmarks/peers.py    # writes docs/data/peer_rates.csv

It needs: pip install -e ".[peers]"
"""

import contextlib
import io
import warnings

import numpy as np
import pandas as pd
from crossed import scores_of
from harness import Table, command, version

import sklearn_cvtest as ct

# Rates -----------------------------------------------------------------------------


RESAMPLES = 2000
ROUNDING = 1e-9
N_RUNS, N_EXAMPLES = 5, 100
IN_GROUP, N_GROUPS = 5, 12


# Samples: scores (2, runs, examples), groups or None, difference ----------------------


def runs(rng, share):
    scores = scores_of(rng, "normal", (N_RUNS, N_RUNS), N_EXAMPLES, share)
    return np.array(list(scores.values())), None, 0.0


def in_groups(rng):
    n = N_GROUPS * IN_GROUP
    groups = np.arange(n) // IN_GROUP
    common = rng.normal(size=(2, 1, N_GROUPS))[..., groups]
    return common + rng.normal(size=(2, 1, n)), groups, 0.0


def right_or_wrong(rng, discordant, difference):
    both = 0.7
    shares = (discordant + difference) / 2, (discordant - difference) / 2
    kinds = rng.choice(4, 50, p=[both, *shares, 1 - both - discordant])
    scores = np.array([kinds <= 1, (kinds == 0) | (kinds == 2)], dtype=float)
    return scores[:, None], None, difference


SITUATIONS = {
    "5 runs that are alike": lambda rng: runs(rng, 0.0),
    "5 runs that differ": lambda rng: runs(rng, 0.2),
    "12 groups of 5 examples": in_groups,
    "right or wrong, 12% discordant": lambda rng: right_or_wrong(rng, 0.12, 0.1),
    "right or wrong, 4% discordant": lambda rng: right_or_wrong(rng, 0.04, 0.02),
}


# Packages: (call, interval of first - second), None where there is no such argument ---


def ours(scores, groups, rng):
    options = {} if groups is None else {"group": groups}
    result = ct.compare_scores(
        dict(zip("ab", scores.squeeze(), strict=True)), **options
    )
    (pair,) = result.tests
    low, high = result.tests[pair].confidence_interval()
    return "compare_scores", (-high, -low)  # of losses


def evalci(scores, groups, rng):
    import evalci

    if groups is not None:
        return None
    table = long_table(scores).rename(columns={"item": "item_id", "run": "sample_idx"})
    row = evalci.multi_compare(table, n_resamples=RESAMPLES, random_state=seed(rng))
    return "multi_compare", (row.ci_low[0], row.ci_high[0])


def evalconfidence(scores, groups, rng):
    from evalconfidence import ItemResult, compare

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


def truescore(scores, groups, rng):
    import truescore

    first, second = scores.mean(axis=1)
    if groups is None and set(np.unique(scores)) <= {0, 1} and scores.shape[1] == 1:
        found = truescore.mcnemar(first.astype(int), second.astype(int))
        return "mcnemar", (found.low, found.high)
    found = truescore.paired_bootstrap(
        first, second, n_bootstrap=RESAMPLES, seed=seed(rng), clusters=groups
    )
    return "paired_bootstrap", (found.low, found.high)


def seed(rng):
    return int(rng.integers(2**31))


def long_table(scores):
    _, n_runs, n = scores.shape
    levels = {
        "model": list("ab"),
        "run": range(n_runs),
        "item": [f"i{k}" for k in range(n)],
    }
    index = pd.MultiIndex.from_product(levels.values(), names=levels)
    table = pd.DataFrame({"score": scores.ravel()}, index=index).reset_index()
    return table if n_runs > 1 else table.drop(columns="run")


PEERS = truescore, evalci, evalconfidence
PACKAGES = {"this package": ours} | {call.__name__: call for call in PEERS}


# Counting -----------------------------------------------------------------------


def rates(n_samples):
    """Yield rows, but where a package has no argument for what a situation is about."""
    for situation, draw in SITUATIONS.items():
        for package in PACKAGES:
            rng, missed, call = np.random.default_rng(0), 0, None  # samples as for all
            for number in range(n_samples):
                *sample, difference = draw(rng)
                resampling = np.random.default_rng(number)
                found = quietly(PACKAGES[package], *sample, resampling)
                if found is None:
                    break
                call, (low, high) = found
                missed += not low - ROUNDING <= difference <= high + ROUNDING
            if call:
                row = {"package": package, "version": version(package)}
                row |= {"situation": situation, "call": call}
                yield row | {"misses": missed / n_samples, "samples": n_samples}


def quietly(call, *arguments):
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(*arguments)


TABLES = [
    Table("peer_rates", rates, ("package", "situation"), {"misses": None}, 1000, 30)
]


if __name__ == "__main__":
    command(__doc__, *TABLES)
