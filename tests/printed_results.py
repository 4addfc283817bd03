"""Results that are printed: of every kind, and of every test with all its options."""

import functools
import warnings
from dataclasses import replace
from itertools import product

import numpy as np
from interfaces import CASES, SPLITTERS, Data, Recorded, data_of
from searches import results_of
from sklearn.base import BaseEstimator, RegressorMixin, clone

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    Comparison,
    CorrectedResampledTTest,
    EquivalenceTest,
    FiveByTwoFTest,
    FiveByTwoTTest,
    KFoldTTest,
    McNemarTest,
    RepeatedSubsample,
    compare_candidates,
    compare_cv_results,
    compare_over_datasets,
    cross_val_interval,
    cross_val_losses,
)

RNG = np.random.default_rng(20)
NOISE = RNG.normal(0, 0.02, (20, 10)).round(4)
LOSSES = RNG.random((60, 4)).round(3)
SHAKEN = RNG.normal(0, 0.02, (20, 6, 10)).round(4)  # models, data sets, folds
NAMES = [f"model {letter}" for letter in "abcdefghijklmnopqrst"]
CORRECTED = CorrectedResampledTTest()


def scores(*means, metric="accuracy", **options):
    """Compare models by scores over ten folds with about these means."""
    results = {
        name: {f"test_{metric}": mean + noise}
        for name, mean, noise in zip(NAMES, means, NOISE, strict=False)
    }
    sizes = {} if options.get("cv") == "5x2" else {"n_train": 90, "n_test": 10}
    options = {"cv": 10, "metric": f"test_{metric}", **sizes} | options
    return compare_cv_results(results, **options)


class Column(RegressorMixin, BaseEstimator):
    """Predicts a column of X: with y = 0, its absolute errors are X."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        return self

    def predict(self, X):
        return X[:, self.column]


def losses_of(*shifts, cv=None, loss="absolute_error", noise=1.0, **options):
    """Return losses of 60 examples for models, with times that are always the same."""
    X = noise * LOSSES[:, : len(shifts)] + np.array(shifts)
    models = {name: Column(i) for i, name in enumerate(NAMES[: len(shifts)])}
    cv = BlockKFold(5, random_state=0) if cv is None else cv
    found = cross_val_losses(models, X, np.zeros(60), cv=cv, loss=loss, **options)
    times = np.full(found.fit_time.shape, 0.125) * np.arange(1, 1 + len(shifts))
    return replace(found, fit_time=times)


def errors(*shifts, test=None, p_adjust="holm", reference=None, **options):
    losses = losses_of(*shifts, **options)
    return Comparison(losses, test=test, p_adjust=p_adjust, reference=reference)


def with_failures():
    """Return a comparison where a fit of the last model failed."""
    losses = losses_of(0.0, 0.5, 0.9, 0.1)
    values = losses.values.copy()
    values[12:24, 3] = np.nan
    errors = {"model d": ["no memory"]}
    return Comparison(replace(losses, values=values, errors=errors))


def same():
    numbers = 0.8 + NOISE[0]
    results = {name: {"test_f1": numbers} for name in ("one", "other")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compare_cv_results(results, cv=10, metric="test_f1", test=KFoldTTest())


def candidates(*means, **options):
    """Compare candidates by scores with about these means."""
    found = NOISE[: len(means)] + np.array(means)[:, np.newaxis]
    params = [
        {"tree__depth": row, "svm__depth": -row, "kind": "x", "tree__cost": cost}
        for row, cost in enumerate(np.linspace(0.1, 3, len(means)))
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compare_candidates(results_of(found, params=params), cv=10, **options)


def on_data_sets(*means, n=5, spread=0.0, **options):
    """Compare models over data sets, on each of which these are about the means."""
    parts = {
        f"data {number}": compare_cv_results(
            {
                name: mean + spread * number * (name == NAMES[0]) + noise[number]
                for name, mean, noise in zip(
                    NAMES, means, NOISE.reshape(20, 1, 10) + SHAKEN, strict=False
                )
            },
            cv=10,
        )
        for number in range(n)
    }
    return compare_over_datasets(parts, **options)


PAIRS = {
    "better": lambda: scores(0.9, 0.82),
    "behind": lambda: scores(0.7, 0.82, test=CORRECTED),
    "tied": lambda: scores(0.9, 0.895, test=CORRECTED),
    "r2": lambda: scores(0.5, 0.6, metric="r2", test=KFoldTTest(), alpha=0.01),
    "loss": lambda: errors(0.3, 1.0),
    "loss, tied": lambda: errors(0.0, 0.05, test=KFoldTTest(0.2)),
    "same": same,
    "one-sided": lambda: scores(
        0.8, 0.9, test=CorrectedResampledTTest(alternative="greater")
    ),
    "one-sided, behind": lambda: scores(
        0.8, 0.79, test=KFoldTTest(alternative="greater")
    ),
    "less": lambda: scores(0.9, 0.8, test=CorrectedResampledTTest(alternative="less")),
    "shifted": lambda: scores(0.9, 0.7, test=CorrectedResampledTTest(popmean=0.1)),
    "shifted, not shown": lambda: scores(
        0.9, 0.8, test=KFoldTTest(popmean=-0.1, alternative="less")
    ),
    "subsamples": lambda: errors(0.0, 0.9, cv=RepeatedSubsample(15, random_state=0)),
    "t of 5x2": lambda: scores(0.9, 0.85, cv="5x2", test=FiveByTwoTTest()),
    "F of 5x2": lambda: scores(0.9, 0.7, cv="5x2", test=FiveByTwoFTest()),
    "F of 5x2, tied": lambda: scores(0.9, 0.9, cv="5x2", test=FiveByTwoFTest()),
    "posterior, shifted": lambda: scores(
        0.9, 0.8, test=BayesianCorrelatedTTest(0.01, popmean=-0.1)
    ),
    "equivalence, shifted": lambda: scores(
        0.9, 0.8, test=EquivalenceTest(CORRECTED, margin=0.05, popmean=-0.1)
    ),
    "equivalent": lambda: scores(
        0.9, 0.9, test=EquivalenceTest(CORRECTED, margin=0.05)
    ),
    "not worse": lambda: scores(
        0.9,
        0.91,
        test=EquivalenceTest(CORRECTED, margin=0.05, alternative="greater"),
    ),
    "not equivalent": lambda: scores(
        0.9, 0.9, test=EquivalenceTest(CORRECTED, margin=0.002)
    ),
    "posterior": lambda: scores(0.9, 0.8, test=BayesianCorrelatedTTest(0.01)),
    "posterior, tied": lambda: scores(0.9, 0.89, test=BayesianCorrelatedTTest()),
    "posterior, equivalent": lambda: scores(
        0.9, 0.9, test=BayesianCorrelatedTTest(0.05)
    ),
}
MANY = {
    "best": lambda: scores(0.9, 0.8, 0.895, 0.7),
    "reference": lambda: scores(0.8, 0.9, 0.7, 0.805, reference="model a"),
    "not told apart": lambda: scores(0.8, 0.805, 0.8, 0.795, test=CORRECTED),
    "none like it": lambda: errors(0.0, 3.0, 5.0, p_adjust=None),
    "many": lambda: scores(*np.linspace(0.5, 0.9, 17), test=CORRECTED),
    "many, reference": lambda: scores(
        *np.linspace(0.5, 0.9, 18), test=CORRECTED, reference="model j"
    ),
    "unadjusted": lambda: scores(0.9, 0.8, 0.88, p_adjust=None, test=KFoldTTest(0.5)),
    "posterior": lambda: scores(
        0.9, 0.895, 0.7, 0.84, test=BayesianCorrelatedTTest(0.05)
    ),
    "posterior, reference": lambda: scores(
        0.9, 0.895, 0.7, 0.84, test=BayesianCorrelatedTTest(0.05), reference="model b"
    ),
    "equivalence": lambda: scores(
        0.9, 0.895, 0.7, test=EquivalenceTest(CORRECTED, margin=0.06)
    ),
    "all equivalent": lambda: scores(
        0.9, 0.9, 0.9, 0.9, test=EquivalenceTest(CORRECTED, margin=0.06)
    ),
    "F of 5x2": lambda: scores(0.9, 0.7, 0.89, cv="5x2", test=FiveByTwoFTest()),
    "failed fits": with_failures,
}
CANDIDATES = {
    "best": lambda: candidates(0.9, 0.895, 0.8, 0.7),
    "given": lambda: candidates(0.8, 0.9, 0.81, 0.7, reference=0),
    "many": lambda: candidates(*np.linspace(0.9, 0.5, 20), reference=15),
    "pairs": lambda: candidates(0.9, 0.8, 0.895, reference=None),
    "all pairs": lambda: candidates(*np.linspace(0.9, 0.5, 12), reference=None),
    "failed": lambda: candidates(0.9, np.nan, 0.8, 0.7, np.inf),
    "posterior": lambda: candidates(
        0.9, 0.895, 0.8, 0.86, test=BayesianCorrelatedTTest(0.04)
    ),
    "posterior, pairs": lambda: candidates(
        0.9, 0.895, 0.8, test=BayesianCorrelatedTTest(), reference=None
    ),
    "equivalence": lambda: candidates(
        0.9, 0.895, 0.8, test=EquivalenceTest(CORRECTED, margin=0.05), reference=None
    ),
}
DATA_SETS = {
    "pair": lambda: on_data_sets(0.5, 0.6),
    "pair, tied": lambda: on_data_sets(0.5, 0.51, spread=0.01, p_adjust=None),
    "best": lambda: on_data_sets(0.5, 0.6, 0.7, 0.7),
    "reference": lambda: on_data_sets(0.6, 0.5, 0.7, 0.6, 0.7, reference="model a"),
    "logs": lambda: on_data_sets(-0.5, -0.6, -0.5, scale="log"),
    "many": lambda: on_data_sets(*np.linspace(0.4, 0.5, 8), n=3),
    "ranks": lambda: on_data_sets(0.5, 0.51, spread=0.005, n=6),
    "ranks, logs": lambda: on_data_sets(-0.5, -0.6, scale="log", n=6),
    "ranks, many": lambda: on_data_sets(*np.linspace(0.4, 0.5, 8), n=6, p_adjust=None),
}


def intervals(cv=None, n_models=2, **options):
    X = LOSSES[:, :2] + [0.0, 0.4]
    models = dict([("one", Column(0)), ("other", Column(1))][:n_models])
    cv = BlockKFold(5, random_state=0) if cv is None else cv
    options = {"loss": "absolute_error"} | options
    return cross_val_interval(models, X, np.ones(60), cv=cv, **options)


INTERVALS = {
    "loss": intervals,
    "one model": lambda: intervals(n_models=1),
    "scores": lambda: intervals(
        loss="auto", scoring=["neg_median_absolute_error", "neg_mean_squared_error"]
    ),
    "subsamples": lambda: intervals(
        RepeatedSubsample(4, test_size=0.2, random_state=0)
    ),
}


# Every sentence that a comparison can print ------------------------------------------

SIZES = {"same": 1.0, "near": 1.1, "far": 3.0}


def recorded(rng, n_models, size):
    """Return data on which each model is worse than the one before, by a factor."""
    X = rng.standard_normal((48, n_models)) * size ** np.arange(n_models)
    X += 0.3 * rng.standard_normal((48, 1))
    return Data(X, np.zeros(48), {f"m{i}": Recorded(i) for i in range(n_models)})


def all_comparisons():
    """Yield names and functions that compare: tests, margins, centres and options."""
    yield from of_tests()
    yield from of_margins()
    yield from of_options()


@functools.cache
def losses_for(case, n_models, size):
    """Return losses of a design for the test of a case."""
    test, design = CASES[case]
    rng = np.random.default_rng(len(case))
    if isinstance(test, McNemarTest):
        data = data_of(rng, n_models, 60, classes=True)
    else:
        data = recorded(rng, n_models, SIZES[size])
    return data.losses(SPLITTERS[design](1))


def of_tests():
    for case, size in product(CASES, SIZES):
        test, _ = CASES[case]
        first = "a" if isinstance(test, McNemarTest) else "m1"
        tests = [test]
        if case in ("KFoldTTest", "KFoldZTest, repeated", "FiveByTwoTTest"):
            tests += [
                clone(test).set_params(alternative=s) for s in ("less", "greater")
            ]
        for n_models, reference in ((2, None), (4, None), (4, first)):
            for each in tests:

                def compare(key=(case, n_models, size), test=each, reference=reference):
                    return Comparison(losses_for(*key), test=test, reference=reference)

                name = f"{case} {each.alternative}, {n_models} models, {size}"
                yield f"{name}, {reference}", compare


def of_margins():
    sides, centres = ("two-sided", "less", "greater"), (0.0, -0.5)
    tests = [
        EquivalenceTest(KFoldTTest(0.3), margin, alternative=side, popmean=popmean)
        for margin, side, popmean in product((0.3, 3.0), sides, centres)
    ]
    tests += [
        BayesianCorrelatedTTest(rope, popmean=popmean, alternative=side)
        for rope, popmean, side in product((0.0, 3.0), centres, sides[:2])
    ]
    for size, test, n_models in product(SIZES, tests, (2, 3)):

        def compare(key=("KFoldTTest", n_models, size), test=test):
            return Comparison(losses_for(*key), test=test)

        yield f"{' '.join(str(test).split())}, {size}, {n_models}", compare


def of_options():
    weights = np.random.default_rng(3).uniform(0.5, 2, 48)
    options = {
        "weights": {"score_params": {"sample_weight": weights}},
        "groups": {"groups": np.arange(48) // 3},
        "stratified": {"cv": BlockKFold(4, stratify=True, random_state=0)},
        "accuracy": {"scoring": "accuracy"},
        "f1": {"scoring": "f1_macro"},
        "r2": {"scoring": "r2"},
        "zero-one": {"loss": "zero_one"},
        "bayes": {"test": BayesianCorrelatedTTest(0.1)},
        "alpha": {"alpha": 0.01},
    }
    for how in ("bonferroni", "hochberg", "fdr_bh", None):
        options[f"p_adjust {how}"] = {"p_adjust": how}
    for name, size, n_models in product(options, SIZES, (2, 4)):

        def compare(name=name, size=size, n_models=n_models):
            cv = SPLITTERS["k-fold"](1)
            if name in ("accuracy", "r2", "groups") and n_models == 2:
                cv = BlockKFold(4, n_repeats=2, random_state=1)
            if name in ("accuracy", "f1", "zero-one", "stratified"):
                data = data_of(np.random.default_rng(len(size)), n_models, 48, True)
            else:
                data = recorded(np.random.default_rng(8), n_models, SIZES[size])
            return data.compare(**{"cv": cv} | options[name])

        yield f"{name}, {size}, {n_models}", compare
