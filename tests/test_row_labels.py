"""Rows, or columns, that are labelled in another order are refused, or a warning comes.

One row for each entry point, and each of its arguments with labels.
"""

import warnings

import numpy as np
import pytest
from common import if_there
from sklearn.linear_model import LogisticRegression

import sklearn_cvtest as cvtest
from sklearn_cvtest import losses
from sklearn_cvtest.results import CVResiduals

pd = pytest.importorskip("pandas")
RNG = np.random.default_rng(0)
N = 40
INDEX = pd.Index([f"row {i:02}" for i in range(N)])
ORDER = RNG.permutation(N)
X = pd.DataFrame(RNG.normal(size=(N, 2)), INDEX)
Y = pd.Series((X[0] + RNG.normal(size=N) > 0).astype(int), INDEX)
GROUPS = pd.Series(np.arange(N) // 2, INDEX)
WEIGHT = pd.Series(RNG.random(N), INDEX)
MODELS = {"a": LogisticRegression(), "b": LogisticRegression(C=0.01)}
PAIR = {
    name: pd.Series((RNG.random(N) > 0.5).astype(int), INDEX) for name in ("a", "b")
}
RUNS = {
    name: pd.DataFrame(RNG.random((3, N)), [f"run {i}" for i in range(3)], INDEX)
    for name in ("a", "b")
}
SPLITS = pd.Series(np.arange(N) % 4, INDEX)
FOLDS = {name: pd.Series(RNG.random(N), INDEX) for name in ("a", "b")}
LONG = {
    "model": pd.Series(["a", "b"] * (N // 2), INDEX),
    "fold": pd.Series(np.arange(N) // 2, INDEX),
    "score": pd.Series(RNG.random(N), INDEX),
}
ROWS = {"model": LONG["model"], "example": LONG["fold"], "score": LONG["score"]}


def other(values):
    """The same rows in another order."""
    return values.iloc[ORDER]


def second(pair):
    return pair | {"b": other(pair["b"])}


def arguments_of(function, given, names):
    """Each of the named arguments in another order, by its name."""
    for name in names:
        yield name, function, given | {name: other(given[name])}


def entry_points():
    rows = {"X": X, "y": Y, "groups": GROUPS}
    fits = {"estimators": MODELS, "cv": 4, **rows}
    for function in (cvtest.compare_estimators, cvtest.cross_val_losses):
        yield from arguments_of(function, fits, ["y", "groups"])
        weights = {"sample_weight": other(WEIGHT)}
        yield "params", function, fits | {"params": weights}
        unlabelled = fits | {"X": X.to_numpy(), "groups": other(GROUPS)}
        yield "groups without X", function, unlabelled
        counting = fits | {"X": X.reset_index(drop=True), "groups": other(GROUPS)}
        yield "groups with another X", function, counting
    yield from arguments_of(cvtest.cross_val_interval, fits, ["y", "groups"])
    weights = {"params": {"sample_weight": other(WEIGHT)}}
    yield "params", cvtest.cross_val_interval, fits | weights
    scored = {"score_params": weights["params"]}
    yield "score_params", cvtest.compare_estimators, fits | scored

    predicted = {"y_true": Y, "predictions": PAIR, "splits": SPLITS}
    predicted |= {"groups": GROUPS, "sample_weight": WEIGHT}
    names = ["y_true", "splits", "groups", "sample_weight"]
    function = cvtest.compare_predictions
    yield from arguments_of(function, predicted, names)
    yield "predictions", function, predicted | {"predictions": second(PAIR)}
    yield from arguments_of(cvtest.interval_of_predictions, predicted, names)

    function = if_there(getattr, cvtest, "compare_scores")
    if function is not None:
        yield "scores", function, {"scores": second(FOLDS)}
        yield "runs", function, {"scores": RUNS | {"b": RUNS["b"].iloc[::-1]}}
        columns = RUNS | {"b": RUNS["b"].iloc[:, ORDER]}
        yield "examples of runs", function, {"scores": columns}
        yield "group", function, {"scores": FOLDS, "group": other(GROUPS)}
        yield "group of runs", function, {"scores": RUNS, "group": other(GROUPS)}
        target = {"scores": PAIR, "scoring": "accuracy"}
        yield "y_true", function, target | {"y_true": other(Y)}
    pair = {"a": FOLDS["a"], "b": FOLDS["b"], "n_train": 30, "n_test": 10}
    yield from arguments_of(cvtest.corrected_ttest, pair, ["b"])

    concordance = {"y_true": WEIGHT, "y_pred": X[0], "sample_weight": WEIGHT}
    names = ["y_pred", "sample_weight"]
    yield from arguments_of(losses.concordance_index, concordance, names)

    table = pd.DataFrame(RNG.random((4, 5)), list("abcd"))
    groups = pd.DataFrame(np.arange(20).reshape(4, 5) // 2, list("abcd"))
    from_array = CVResiduals.from_array
    yield "groups", from_array, {"e": table, "groups": groups.iloc[::-1]}
    for splitter in (cvtest.BlockKFold(4), cvtest.RepeatedSubsample(2)):
        yield from arguments_of(splitter.split, rows, ["y", "groups"])

    over_datasets = if_there(getattr, cvtest, "compare_over_datasets")
    if over_datasets is not None:
        for name, one in (("y", (X, other(Y))), ("groups", (X, Y, other(GROUPS)))):
            sets = {"results": {"one": one, "two": (X, Y)}, "estimators": MODELS}
            yield name, over_datasets, sets | {"cv": 4}


CALLS = list(entry_points())


@pytest.mark.parametrize(
    "call", CALLS, ids=lambda call: f"{getattr(call[1], '__qualname__', '')}-{call[0]}"
)
def test_rows_in_another_order_are_told(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, function, arguments = call
    told = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            function(**arguments)
        except ValueError as error:
            told.append(str(error))
    told += [str(warning.message) for warning in caught]
    told = [text for text in told if " labels" in text and " order" in text]
    assert len(set(told)) == 1, told


def test_labels_in_the_same_order_are_not_told():
    result = cvtest.compare_estimators(MODELS, X, Y, cv=4, groups=GROUPS)
    plain = cvtest.compare_estimators(
        MODELS, X.to_numpy(), Y.to_numpy(), cv=4, groups=GROUPS.to_numpy()
    )
    assert result.pvalue_ == plain.pvalue_
    if if_there(getattr, cvtest, "compare_scores") is not None:
        plain = {name: frame.to_numpy() for name, frame in RUNS.items()}
        labelled = cvtest.compare_scores(RUNS)
        assert labelled.pvalue_ == cvtest.compare_scores(plain).pvalue_
