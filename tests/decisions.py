"""The catalogue of decisions: what is decided of many comparisons, as data.

`python tests/decisions.py` writes tests/decisions.csv again; read what changed. How it
is said is no part of it.
"""

import csv
import itertools
import warnings
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.model_selection import ShuffleSplit, TimeSeriesSplit

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    EquivalenceTest,
    FiveByTwo,
    FiveByTwoTTest,
    HoldoutTTest,
    KFoldTTest,
    KFoldZTest,
    McNemarTest,
    PairedHalves,
    RepeatedSubsample,
    compare_estimators,
)

PATH = Path(__file__).parent / "decisions.csv"
COLUMNS = ("case", "decision", "better", "worse", "tied")
N = 120


class Column(BaseEstimator):
    """Predicts a column of X."""

    def __init__(self, column):
        self.column = column

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return X[:, self.column]


class Classifier(ClassifierMixin, Column):
    pass


class Regressor(RegressorMixin, Column):
    pass


def labels(rng, *rates):
    """Return predictions of labels that are all 0, wrong at these rates."""
    return np.column_stack([rng.random(N) < rate for rate in rates]).astype(float)


def shared(rng, *shifts):
    """Return predictions of zeros whose errors have a part in common."""
    common = rng.standard_normal(N)
    columns = [
        common + 0.5 * rng.standard_normal(N) + np.sign(common) * shift
        for shift in shifts
    ]
    return np.column_stack(columns)


def with_nan(rng):
    predicted = shared(rng, 0, 0.5, 0.2)
    predicted[7, 2] = np.nan
    return predicted


DATA = {
    "clear": lambda rng: labels(rng, 0.05, 0.4),
    "unclear": lambda rng: labels(rng, 0.2, 0.25),
    "the same": lambda rng: np.repeat(labels(rng, 0.2), 2, axis=1),
    "constant": lambda rng: np.column_stack([np.zeros(N), np.ones(N)]),
    "near": lambda rng: shared(rng, 0, 0.15),
    "far": lambda rng: shared(rng, 0, 0.6),
    "three": lambda rng: shared(rng, 0, 0.1, 0.6),
    "two the same": lambda rng: shared(rng, 0, 0.4)[:, [0, 0, 1]],
    "one failed": with_nan,
    **{
        f"six {seed}": lambda rng: shared(rng, 0, 0, 0.05, 0.1, 0.2, 0.3)
        for seed in range(3)
    },
}
DESIGNS = {
    "10-fold": BlockKFold(10, random_state=0),
    "2 x 5-fold": BlockKFold(5, n_repeats=2, random_state=0),
    "subsamples": RepeatedSubsample(10, random_state=0),
    "5x2": FiveByTwo(random_state=0),
    "halves": PairedHalves(BlockKFold(5, random_state=0), 3, random_state=0),
    "one split": ShuffleSplit(1, test_size=60, random_state=0),
    "series": TimeSeriesSplit(5),
}
SIDES = ("two-sided", "less", "greater")


def tests_of(design):
    """Return {name: test} of what is tried on a design, the default as None."""
    found = {"default": None}
    by_design = {
        "10-fold": [KFoldTTest, KFoldZTest, CorrectedResampledTTest],
        "2 x 5-fold": [CorrectedRepeatedKFoldTTest, KFoldZTest],
        "subsamples": [CorrectedResampledTTest],
        "5x2": [FiveByTwoTTest],
        "one split": [HoldoutTTest],
    }
    for kind, side in itertools.product(by_design.get(design, ()), SIDES):
        found[f"{kind.__name__} {side}"] = kind(alternative=side)
    if design == "one split":
        found["McNemar"] = McNemarTest()
    if design in ("10-fold", "2 x 5-fold"):
        found["Bayes"] = BayesianCorrelatedTTest()
        found["Bayes, rope"] = BayesianCorrelatedTTest(rope=0.3)
        inner = KFoldTTest(rho=0.5) if design == "10-fold" else KFoldZTest()
        for margin, side in itertools.product((0.02, 0.8), SIDES):
            test = EquivalenceTest(inner, margin=margin, alternative=side)
            found[f"equivalence {margin} {side}"] = test
        found["not zero"] = KFoldZTest(popmean=0.1)
    return found


def decided(result):
    """Return what a comparison decides, as texts."""
    content = result.to_dict()
    names = (" ".join(content[part]) for part in COLUMNS[2:])
    return [content["decision"], *names]


def comparisons(name, make, measures):
    """Yield (case, function that makes the comparison)."""
    for design, cv in DESIGNS.items():
        if name.startswith("six") and design in ("halves", "5x2", "subsamples"):
            continue
        for measure, options in measures.items():
            # the same data in every process
            rng = np.random.default_rng([len(name), *name.encode()])
            X = make(rng)
            y = np.zeros(N)
            if "roc_auc" in str(options) or "accuracy" in str(options):
                y[::3] = 1
            groups = np.arange(N) // 4 if "groups" in measure else None
            if design == "series" and groups is not None:
                continue
            kind = Classifier if set(np.unique(X)) <= {0, 1} else Regressor
            models = {"ABCDEF"[j]: kind(j) for j in range(X.shape[1])}
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    fitted = compare_estimators(
                        models, X, y, cv=cv, groups=groups, **options
                    )
            except ValueError as error:
                yield f"{name} | {design} | {measure}", str(type(error).__name__)
                continue
            yield from questions(f"{name} | {design} | {measure}", fitted, design)


def questions(case, fitted, design):
    """Yield (case, what is decided) for tests, references and adjustments."""
    k = len(fitted.losses.estimator_names)
    references = (None, "B") if k > 2 else (None,)
    adjustments = ("holm", None, "max-t", "fdr_bh") if k > 2 else ("holm",)
    for (test, which), reference, p_adjust in itertools.product(
        tests_of(design).items(), references, adjustments
    ):
        if test != "default" and p_adjust not in ("holm", None):
            continue
        options = {"reference": reference, "p_adjust": p_adjust}
        asked = {} if which is None else {"test": which}
        words = f"{test}, reference {reference}, {p_adjust}"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield f"{case} | {words}", decided(fitted.retest(**asked, **options))
        except ValueError as error:
            yield f"{case} | {words}", str(type(error).__name__)


def catalogue():
    """Return the rows of the catalogue."""
    rows = []
    for name, make in DATA.items():
        is_labels = name in ("clear", "unclear", "the same", "constant")
        measures = {"loss": {"loss": "zero_one" if is_labels else "absolute_error"}}
        if name in ("clear", "near", "three", "six 0"):
            measures["loss, groups"] = measures["loss"]
        if is_labels:
            measures["accuracy"] = {"scoring": "accuracy"}
        elif name in ("far", "three", "six 0"):
            measures["R2"] = {"scoring": "r2"}
        for case, found in comparisons(name, make, measures):
            rows.append(
                [case, *([found, "", "", ""] if isinstance(found, str) else found)]
            )
    return rows


if __name__ == "__main__":
    with PATH.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *catalogue()])
