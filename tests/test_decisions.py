"""What is decided of many comparisons stays as it is: tests/decisions.csv.

`python tests/test_decisions.py` writes the file again; read what changed. How it is
said is no part of it.
"""

import csv
import itertools
import warnings
from pathlib import Path

import numpy as np
import pytest
from interfaces import Recorded, RecordedClasses
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
COLUMNS = ("case", "pairs", "best set")
N = 120


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
    predictions = shared(rng, 0, 0.5, 0.2)
    predictions[7, 2] = np.nan
    return predictions


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


def options_of(design):
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


def comparisons(name, make, measures):
    """Yield (case, comparison or error) of a data set, by designs and measures."""
    for design, measure in itertools.product(DESIGNS, measures):
        if name.startswith("six") and design in ("halves", "5x2", "subsamples"):
            continue
        if design == "series" and "groups" in measure:
            continue
        X = make(np.random.default_rng([len(name), *name.encode()]))
        y = np.zeros(N)
        if measure == "accuracy":
            y[::3] = 1
        if measure == "R2":  # which a constant has not
            y = np.random.default_rng(0).standard_normal(N)
            X += y[:, np.newaxis]
        kind = RecordedClasses if set(np.unique(X)) <= {0, 1} else Recorded
        models = {"ABCDEF"[j]: kind(j, spread=0.0) for j in range(X.shape[1])}
        options = {"groups": np.arange(N) // 4} if "groups" in measure else {}
        options |= measures[measure]
        case = f"{name} | {design} | {measure}"
        try:
            fitted = compare_estimators(models, X, y, cv=DESIGNS[design], **options)
        except ValueError as error:
            yield case, error
            continue
        for words, result in retested(fitted, design):
            yield f"{case} | {words}", result


def retested(fitted, design):
    """Yield (options, comparison or error) of tests, references and adjustments."""
    is_pair = len(fitted.losses.names) == 2
    references = (None,) if is_pair else (None, "B")
    adjustments = ("holm",) if is_pair else ("holm", None, "fdr_bh")
    for (name, test), reference, p_adjust in itertools.product(
        options_of(design).items(), references, adjustments
    ):
        if name != "default" and p_adjust not in ("holm", None):
            continue
        options = {} if test is None else {"test": test}
        options |= {"reference": reference, "p_adjust": p_adjust}
        try:
            result = fitted.retest(**options)
        except ValueError as error:
            result = error
        yield f"{name}, reference {reference}, {p_adjust}", result


def pairs_of(result):
    """Return what is decided of each pair: who is better, or equivalent, or nothing."""
    table, names = result.table, result.losses.names
    texts = []
    for first, second, winner, decision in zip(
        table.first, table.second, table.winner, table.test.decide(table), strict=True
    ):
        text = names[winner] if winner >= 0 else "-"
        if decision in ("equivalent", "not equivalent", "non-inferior"):
            text = decision
        texts.append(f"{names[first]}{names[second]} {text}")
    return ", ".join(texts)


def best_of(result):
    """Return who may be the best, if three or more are compared by default."""
    asked = result.reference is not None or len(result.losses.names) < 3
    if asked or not result.test.is_directed:
        return ""
    return " ".join(result.best_set().names)


def decisions():
    """Return the rows of the file."""
    rows = [list(COLUMNS)]
    for name, make in DATA.items():
        is_labels = name in ("clear", "unclear", "the same", "constant")
        measures = {"loss": {"loss": "zero_one" if is_labels else "absolute_error"}}
        if name in ("clear", "near", "three", "six 0"):
            measures["loss, groups"] = measures["loss"]
        if is_labels:
            measures["accuracy"] = {"scoring": "accuracy"}
        elif name in ("far", "three", "six 0"):
            measures["R2"] = {"scoring": "r2"}
        for case, result in comparisons(name, make, measures):
            if isinstance(result, ValueError):
                rows.append([case, type(result).__name__, ""])
            else:
                rows.append([case, pairs_of(result), best_of(result)])
    return rows


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")
def test_decisions_are_those_of_the_file():
    with PATH.open(newline="", encoding="utf-8") as file:
        rows = zip(csv.reader(file), decisions(), strict=True)
        changed = [pair for pair in rows if pair[0] != pair[1]]
    assert not changed, f"{len(changed)} decisions changed, such as {changed[:3]}"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with PATH.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(decisions())
