"""What other packages do with the same questions.

peer_rates: Two models on one test set. "runs" are evaluations of the same examples;
where they differ, a fifth of the variance of the mean difference is that of runs (as in
crossed.py). In groups, half of the variance is what five examples have in common. "12%
discordant" is the share of examples that one of the two models only gets right. Every
package is called as its documentation says, with fewer resamples; one that has no
argument for what a situation is about is left out of it.

peer_behaviour: what they and this package do in eight situations, tried one by one. A
row for each situation, a column for each package with the version that was tried. "-"
means that the situation cannot arise, because the package takes arrays of scores, or
fits models, only.

    python benchmarks/peers.py    # writes both tables of docs/data

It needs: pip install -e ".[test,peers]"
"""

import contextlib
import io
import warnings

import baycomp
import nestkit
import numpy as np
import pandas as pd
import scikit_posthocs
import sharp_cv
from autorank import autorank
from crossed import scores_of
from harness import Table, command, version
from mlxtend import evaluate
from nestkit.comparison import NestedCVComparator
from nestkit.comparison.statistical_tests import nadeau_bengio_corrected_ttest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

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


# Behaviour -------------------------------------------------------------------------


TRIED_PEERS = "mlxtend", "baycomp", "autorank", "scikit-posthocs", "nestkit", "sharp-cv"
X, Y = load_breast_cancer(return_X_y=True)
GROUPS = np.arange(len(Y)) // 5
PAIR = GaussianNB(), DecisionTreeClassifier(max_depth=2, random_state=0)
RNG = np.random.default_rng(0)
SCORES = RNG.normal(0.8, 0.02, 12)
HOLED = np.r_[SCORES[:-1], np.nan]
SUBSAMPLES = RNG.normal([0.81, 0.80], 0.02, (30, 2)).T
HALVES = RepeatedStratifiedKFold(n_splits=3, n_repeats=3, random_state=0)


def tried(call):
    """Return in a word or two what a call gives."""
    try:
        value = quietly(call)
    except Exception as error:  # whatever it is, it is the answer
        return type(error).__name__
    if isinstance(value, str):
        return value
    return f"p = {value:.3g}" if np.isfinite(value) else "nan"


def nested(cv=5, X=X, groups=None):
    grid = {"max_depth": [1, 3]}
    search = nestkit.NestedCVClassifier(
        DecisionTreeClassifier(random_state=0),
        grid,
        outer_cv=cv,
        inner_cv=3,
        scoring="accuracy",
    )
    return search.fit(X, Y, groups=groups).results_


def nested_p(first, second):
    comparator = NestedCVComparator()
    comparator.add("first", first)
    comparator.add("second", second)
    return comparator.corrected_paired_ttest("accuracy", "first", "second")["p_value"]


def accepted(call):
    call()
    return "accepted"


def kept_whole(call):
    call()
    return "groups kept whole"


def sharp(first=PAIR[0], second=PAIR[1], X=X, cv=HALVES):
    return sharp_cv.sharp_cross_val_test(first, second, X, Y, cv=cv).pvalue


def kfold_of_mlxtend(first=PAIR[0], second=PAIR[1], X=X, cv=5, **options):
    return evaluate.paired_ttest_kfold_cv(first, second, X, Y, cv=cv, **options)[1]


def two_tails(a, b, **options):
    return 2 * min(baycomp.two_on_single(a, b, **options))


def ranked(a, b):
    return autorank(pd.DataFrame({"a": a, "b": b})).pvalue


def posthoc(a, b):
    return scikit_posthocs.posthoc_wilcoxon([a, b]).iloc[0, 1]


def our_answer(first=PAIR[0], second=PAIR[1], X=X, cv=5, **options):
    return ct.compare_estimators([first, second], X, Y, cv=cv, **options).pvalue_


def of_scores(a, b, cv=12):
    return ct.compare_cv_results({"a": a, "b": b}, cv=cv).pvalue_


def fate(call):
    """Say whether a call fits the estimators that it is given."""
    first = GaussianNB()
    call(first)
    return "fitted in place" if hasattr(first, "classes_") else "copied"


def with_groups():
    result = ct.compare_estimators(PAIR, X, Y, cv=5, groups=GROUPS)
    assert result.losses.n_groups == GROUPS.max() + 1
    return "kept whole, cluster-robust"


def in_time():
    result = ct.compare_estimators(PAIR, X, Y, cv=TimeSeriesSplit(5))
    return type(result.tests[next(iter(result.tests))]).__name__


def other_splits():
    scores = [
        cross_validate(
            model,
            X,
            Y,
            cv=KFold(5, shuffle=True, random_state=seed),
            return_indices=True,
        )
        for seed, model in enumerate(PAIR)
    ]
    return ct.compare_cv_results(dict(zip("ab", scores, strict=True))).pvalue_


TRIED = {  # by package; others take no such thing
    "two models with the same scores": {
        "mlxtend": lambda: kfold_of_mlxtend(second=GaussianNB()),
        "baycomp": lambda: two_tails(SCORES, SCORES),
        "autorank": lambda: ranked(SCORES, SCORES),
        "scikit-posthocs": lambda: posthoc(SCORES, SCORES),
        "nestkit": lambda: nested_p(nested(), nested()),
        "sharp-cv": lambda: sharp(second=GaussianNB()),
        "this package": lambda: our_answer(second=GaussianNB()),
    },
    "a score that is missing (NaN)": {
        "baycomp": lambda: two_tails(SCORES, HOLED),
        "autorank": lambda: ranked(SCORES, HOLED),
        "scikit-posthocs": lambda: posthoc(SCORES, HOLED),
        "nestkit": lambda: nadeau_bengio_corrected_ttest(SCORES, HOLED, 11, 1)[
            "p_value"
        ],
        "sharp-cv": lambda: sharp_cv.sharp_test(np.c_[SCORES, HOLED])[1],
        "this package": lambda: of_scores(SCORES, HOLED),
    },
    "X is a data frame": {
        "mlxtend": lambda: accepted(lambda: kfold_of_mlxtend(X=pd.DataFrame(X))),
        "nestkit": lambda: accepted(lambda: nested(X=pd.DataFrame(X))),
        "sharp-cv": lambda: accepted(lambda: sharp(X=pd.DataFrame(X))),
        "this package": lambda: accepted(lambda: our_answer(X=pd.DataFrame(X))),
    },
    "the estimators that you pass": {
        "mlxtend": lambda: fate(lambda one: kfold_of_mlxtend(first=one)),
        "nestkit": lambda: fate(
            lambda one: nestkit.NestedCVClassifier(
                one, {"var_smoothing": [1e-9]}, outer_cv=3, scoring="accuracy"
            ).fit(X, Y)
        ),
        "sharp-cv": lambda: fate(lambda one: sharp(first=one)),
        "this package": lambda: fate(lambda one: our_answer(first=one)),
    },
    "rows in groups": {
        "mlxtend": lambda: accepted(lambda: kfold_of_mlxtend(groups=GROUPS)),
        "nestkit": lambda: kept_whole(lambda: nested(GroupKFold(5), groups=GROUPS)),
        "sharp-cv": lambda: sharp(cv=GroupKFold(5)),
        "this package": with_groups,
    },
    "splits in time order": {
        "mlxtend": lambda: kfold_of_mlxtend(cv=TimeSeriesSplit(5)),
        "nestkit": lambda: accepted(
            lambda: nested_p(nested(TimeSeriesSplit(5)), nested(TimeSeriesSplit(5)))
        ),
        "sharp-cv": lambda: sharp(cv=TimeSeriesSplit(5)),
        "this package": in_time,
    },
    "results on different splits": {
        "nestkit": lambda: nested_p(
            nested(), nested(StratifiedKFold(5, shuffle=True, random_state=1))
        ),
        "this package": other_splits,
    },
    "30 scores of 70/30 splits": {
        "baycomp": lambda: two_tails(*SUBSAMPLES),
        "autorank": lambda: ranked(*SUBSAMPLES),
        "scikit-posthocs": lambda: posthoc(*SUBSAMPLES),
        "nestkit": lambda: nadeau_bengio_corrected_ttest(*SUBSAMPLES, 70, 30)[
            "p_value"
        ],
        "this package": lambda: (
            ct.corrected_ttest(*SUBSAMPLES, n_train=70, n_test=30).pvalue
        ),
    },
}


def behaviours(n_samples):
    """Yield a row for each situation; nothing is drawn."""
    packages = {f"{name} {version(name)}": name for name in TRIED_PEERS}
    packages["this package"] = "this package"
    for situation, calls in TRIED.items():
        cells = {
            column: tried(calls[name]) if name in calls else "-"
            for column, name in packages.items()
        }
        yield {"situation": situation} | cells


TABLES = [
    Table("peer_rates", rates, ("package", "situation"), {"misses": None}, 1000, 30),
    Table("peer_behaviour", behaviours, ("situation",), {}, 1, 1),
]


if __name__ == "__main__":
    command(__doc__, *TABLES)
