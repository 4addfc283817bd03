"""What this package and others do in eight situations, tried one by one.

Run: python benchmarks/peer_behaviour.py           Needs: pip install -e ".[test,peers]"
Writes docs/data/peer_behaviour.csv: a row for each situation, a column for each package
with the version that was tried. "-" means that the situation cannot arise, because the
package takes arrays of scores, or fits models, only.
"""

import contextlib
import importlib.metadata
import io
import warnings

import baycomp
import nestkit
import numpy as np
import pandas as pd
import scikit_posthocs
import sharp_cv
from autorank import autorank
from harness import DATA, write_rows
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

PEERS = "mlxtend", "baycomp", "autorank", "scikit-posthocs", "nestkit", "sharp-cv"
NONE = "-"
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
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = call()
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


def ours(first=PAIR[0], second=PAIR[1], X=X, cv=5, **options):
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


SITUATIONS = {
    "two models with the same scores": (
        lambda: kfold_of_mlxtend(second=GaussianNB()),
        lambda: two_tails(SCORES, SCORES),
        lambda: ranked(SCORES, SCORES),
        lambda: posthoc(SCORES, SCORES),
        lambda: nested_p(nested(), nested()),
        lambda: sharp(second=GaussianNB()),
        lambda: ours(second=GaussianNB()),
    ),
    "a score that is missing (NaN)": (
        NONE,
        lambda: two_tails(SCORES, HOLED),
        lambda: ranked(SCORES, HOLED),
        lambda: posthoc(SCORES, HOLED),
        lambda: nadeau_bengio_corrected_ttest(SCORES, HOLED, 11, 1)["p_value"],
        lambda: sharp_cv.sharp_test(np.c_[SCORES, HOLED])[1],
        lambda: of_scores(SCORES, HOLED),
    ),
    "X is a data frame": (
        lambda: accepted(lambda: kfold_of_mlxtend(X=pd.DataFrame(X))),
        NONE,
        NONE,
        NONE,
        lambda: accepted(lambda: nested(X=pd.DataFrame(X))),
        lambda: accepted(lambda: sharp(X=pd.DataFrame(X))),
        lambda: accepted(lambda: ours(X=pd.DataFrame(X))),
    ),
    "the estimators that you pass": (
        lambda: fate(lambda one: kfold_of_mlxtend(first=one)),
        NONE,
        NONE,
        NONE,
        lambda: fate(
            lambda one: nestkit.NestedCVClassifier(
                one, {"var_smoothing": [1e-9]}, outer_cv=3, scoring="accuracy"
            ).fit(X, Y)
        ),
        lambda: fate(lambda one: sharp(first=one)),
        lambda: fate(lambda one: ours(first=one)),
    ),
    "rows in groups": (
        lambda: accepted(lambda: kfold_of_mlxtend(groups=GROUPS)),
        NONE,
        NONE,
        NONE,
        lambda: kept_whole(lambda: nested(GroupKFold(5), groups=GROUPS)),
        lambda: sharp(cv=GroupKFold(5)),
        with_groups,
    ),
    "splits in time order": (
        lambda: kfold_of_mlxtend(cv=TimeSeriesSplit(5)),
        NONE,
        NONE,
        NONE,
        lambda: accepted(
            lambda: nested_p(nested(TimeSeriesSplit(5)), nested(TimeSeriesSplit(5)))
        ),
        lambda: sharp(cv=TimeSeriesSplit(5)),
        in_time,
    ),
    "results on different splits": (
        NONE,
        NONE,
        NONE,
        NONE,
        lambda: nested_p(
            nested(), nested(StratifiedKFold(5, shuffle=True, random_state=1))
        ),
        NONE,
        other_splits,
    ),
    "30 scores of 70/30 splits": (
        NONE,
        lambda: two_tails(*SUBSAMPLES),
        lambda: ranked(*SUBSAMPLES),
        lambda: posthoc(*SUBSAMPLES),
        lambda: nadeau_bengio_corrected_ttest(*SUBSAMPLES, 70, 30)["p_value"],
        NONE,
        lambda: ct.corrected_ttest(*SUBSAMPLES, n_train=70, n_test=30).pvalue,
    ),
}


def main():
    versions = [f"{name} {importlib.metadata.version(name)}" for name in PEERS]
    header, rows = ["situation", *versions, "this package"], []
    for situation, calls in SITUATIONS.items():
        cells = [call if call == NONE else tried(call) for call in calls]
        rows.append([situation, *cells])
        print(" | ".join(rows[-1]))
    write_rows(DATA / "peer_behaviour.csv", header, rows)


if __name__ == "__main__":
    main()
