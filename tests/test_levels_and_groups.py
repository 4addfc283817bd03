"""Levels, groups and stored results: the same at every entry point.

An interval at a level of 80% is narrower than at 95% wherever a level can be asked for;
two equal rows in a group count as one row; what is loaded equals what was saved.
"""

import numpy as np
import pytest
from common import if_there
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold

import sklearn_cvtest as cvtest

pd = pytest.importorskip("pandas")
pytestmark = pytest.mark.filterwarnings(
    "ignore::UserWarning",  # of small samples, which these are
)
RNG = np.random.default_rng(3)
N = 120
X = RNG.normal(size=(N, 4))
Y = (X[:, 0] + RNG.normal(size=N) > 0).astype(int)
NUMBERS = X @ [1.0, 0.5, 0.2, 0.0] + RNG.normal(size=N)
MODELS = {
    name: LogisticRegression(C=C) for name, C in [("a", 1.0), ("b", 0.003), ("c", 1e-4)]
}
HITS = {
    name: (RNG.random(N) < share).astype(float)
    for name, share in [("a", 0.8), ("b", 0.72), ("c", 0.6)]
}
RUNS = {
    name: RNG.normal(shift, 1.0, size=(4, N))
    for name, shift in [("a", 0.3), ("b", 0.1), ("c", 0.0)]
}
LABELS = np.arange(N) % 2

# Levels ------------------------------------------------------------------------------


def fitted(alpha):
    return cvtest.compare_estimators(MODELS, X, Y, cv=5, alpha=alpha)


def searched(kind, alpha):
    options = {"cv": StratifiedKFold(5)}
    if kind is not GridSearchCV:
        options |= {"alpha": alpha, "random_state": 0}
    grid = {"C": [1e-4, 0.003, 1.0]}
    return kind(LogisticRegression(), grid, scoring="accuracy", **options).fit(X, Y)


def pair(alpha, **options):
    models = {name: MODELS[name] for name in ("a", "b")}
    return cvtest.compare_estimators(models, X, Y, cv=5, alpha=alpha, **options)


def tables(alpha, **options):
    predictions = {name: (LABELS + of) % 2 for name, of in HITS.items()}
    return cvtest.compare_predictions(LABELS, predictions, alpha=alpha, **options)


def interval(alpha):
    return cvtest.cross_val_interval(MODELS, X, Y, cv=5, confidence_level=1 - alpha)


def corrected(alpha):
    ends = cvtest.corrected_ttest(
        HITS["a"][:10] + RUNS["a"][0, :10], HITS["b"][:10], n_train=90, n_test=10
    ).confidence_interval(1 - alpha)
    return pd.DataFrame({"ci_low": [ends[0]], "ci_high": [ends[1]]})


FRAMES = {
    "compare_estimators": lambda alpha: fitted(alpha).to_frame(),
    "reference": lambda alpha: fitted(alpha).retest(reference="a").to_frame(),
    "retest": lambda alpha: fitted(0.5).retest(alpha=alpha).to_frame(),
    "by": lambda alpha: fitted(alpha).by(LABELS).to_frame(),
    "gate": lambda alpha: pair(alpha, reference="a").gate(0.1).to_frame(),
    "winner": lambda alpha: fitted(alpha).winner_interval().to_frame(),
    "compare_predictions": lambda alpha: tables(alpha).to_frame(),
    "cross_val_interval": lambda alpha: interval(alpha).to_frame(),
    "corrected_ttest": corrected,
}


def of_extension(name, *frames):
    """Add entry points of an extension that is there."""
    if if_there(getattr, cvtest, name) is not None:
        for label, frame in frames:
            FRAMES[label] = frame


of_extension(
    "compare_scores",
    ("scores", lambda alpha: cvtest.compare_scores(HITS, alpha=alpha).to_frame()),
    ("runs", lambda alpha: cvtest.compare_scores(RUNS, alpha=alpha).to_frame()),
    (
        "few hits",
        lambda alpha: cvtest.compare_scores(
            {name: of[:40] for name, of in HITS.items()}, score="accuracy", alpha=alpha
        ).to_frame(),
    ),
)
of_extension(
    "compare_candidates",
    (
        "candidates",
        lambda alpha: cvtest.compare_candidates(
            searched(GridSearchCV, alpha), alpha=alpha
        ).to_frame(),
    ),
)
of_extension(
    "compare_over_datasets",
    (
        "data sets",
        lambda alpha: cvtest.compare_over_datasets(
            {str(k): tables(alpha).losses for k in range(3)} | {"f": fitted(alpha)},
            alpha=alpha,
        ).to_frame(),
    ),
)


@pytest.mark.parametrize("name", FRAMES)
def test_intervals_are_narrower_at_a_lower_level(name):
    wide, narrow = FRAMES[name](0.05), FRAMES[name](0.2)
    lows = [column for column in wide if column == "low" or "ci_low" in column]
    assert lows
    for low in lows:
        high = low.replace("low", "high")
        widths = [frame[high] - frame[low] for frame in (wide, narrow)]
        known = np.isfinite(widths[0]) & (widths[0] > 0)
        assert (widths[1] < widths[0])[known].all()
        assert known.any()


# Groups ------------------------------------------------------------------------------


TWICE = np.repeat(np.arange(N), 2)
FOLD = np.arange(N) % 5
# of each label, all examples differ alike: there is no variance
CONSTANT = {"a": (np.arange(N) % 2).astype(float), "b": np.zeros(N)}


def doubled(values):
    return {name: of[..., TWICE] for name, of in values.items()}


def of_rows(values, groups=None, **options):
    rows = len(next(iter(values.values())))
    target = np.zeros(rows, dtype=int)
    target[:2] = 1
    splits = FOLD if groups is None else FOLD[TWICE]
    options = {"loss": "zero_one", "splits": splits, "groups": groups} | options
    wrong = {name: np.abs(target - of.astype(int)) for name, of in values.items()}
    return cvtest.compare_predictions(target, wrong, **options)


def scored(values, groups=None):
    return cvtest.compare_scores(values, group=groups, loss="cost")


def assert_equal_but_sizes(single, pairs):
    for column in single.select_dtypes("number"):
        if column not in ("n_examples", "n_groups", "df"):
            np.testing.assert_allclose(
                single[column], pairs[column], rtol=1e-9, err_msg=column
            )


@pytest.mark.parametrize("values", [HITS, CONSTANT], ids=["hits", "constant"])
@pytest.mark.parametrize("splits", [None, FOLD], ids=["one test set", "folds"])
def test_labels_of_pairs_of_equal_rows_are_those_of_single_rows(values, splits):
    options = {"splits": splits}
    if splits is None:  # groups have no score test
        options["test"] = cvtest.HoldoutTTest()
    single = of_rows(values, **options).by(LABELS)
    if splits is not None:
        options["splits"] = splits[TWICE]
    pairs = of_rows(doubled(values), TWICE, **options).by(LABELS[TWICE])
    assert_equal_but_sizes(single.to_frame(), pairs.to_frame())


def test_means_of_pairs_of_equal_rows_are_those_of_single_rows():
    options = {"splits": None, "test": cvtest.HoldoutTTest()}
    single = of_rows(HITS, **options)
    pairs = of_rows(doubled(HITS), TWICE, **options)
    assert_equal_but_sizes(single.to_frame(), pairs.to_frame())


@pytest.mark.skipif(
    if_there(getattr, cvtest, "compare_scores") is None, reason="without its extension"
)
def test_runs_of_pairs_of_equal_rows_are_those_of_single_rows():
    single, pairs = scored(RUNS), scored(doubled(RUNS), TWICE)
    assert_equal_but_sizes(single.to_frame(), pairs.to_frame())


# What is stored -----------------------------------------------------------------------


STORED = {
    "comparison": lambda: fitted(0.1),
    "reference": lambda: fitted(0.1).retest(reference="b", p_adjust="hochberg"),
}


@pytest.mark.parametrize("name", STORED)
def test_what_is_loaded_equals_what_was_saved(name, tmp_path):
    result = STORED[name]()
    result.save(tmp_path / "file")
    loaded = cvtest.load(tmp_path / "file")
    assert str(result) == str(loaded)
    assert result.to_json() == loaded.to_json()
    assert result.to_frame().equals(loaded.to_frame())
    assert result.losses.to_frame().equals(loaded.losses.to_frame())


# Single numbers -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("p_adjust", "is_simultaneous"),
    [("holm", True), ("bonferroni", True), ("hochberg", True), ("fdr_bh", False)],
)
def test_intervals_of_labels_hold_together_where_the_error_is_familywise(
    p_adjust, is_simultaneous
):
    found = fitted(0.05).by(LABELS, p_adjust=p_adjust)
    assert ("simultaneous" in str(found)) == is_simultaneous
    assert ("ci_low_simultaneous" in found.to_frame()) == is_simultaneous
    for row in found.to_frame().itertuples() if is_simultaneous else ():
        is_outside = row.ci_low_simultaneous > 0 or row.ci_high_simultaneous < 0
        assert is_outside == (row.pvalue_adjusted <= 0.05)


def test_p_without_variance_is_two_sided():
    # 5 examples, of which all have the difference 1 of a range of -1 to 1: against
    # 0.5, others could be half as large in 0.25 of the range, (1 - 0.25)^5 on a side
    values = {"a": np.ones(5), "b": np.zeros(5)}
    options = {"loss": "zero_one"}
    target = np.zeros(5, dtype=int)
    values = {name: of.astype(int) for name, of in values.items()}
    sides = {}
    for side in ("two-sided", "greater"):
        options["test"] = cvtest.HoldoutTTest(popmean=0.5, alternative=side)
        sides[side] = cvtest.compare_predictions(target, values, **options).pvalue_
    assert sides["greater"] == pytest.approx(0.75**5)
    assert sides["two-sided"] == pytest.approx(2 * 0.75**5)


SCORERS = ["accuracy", "roc_auc", "neg_log_loss", "neg_brier_score", "f1"]


@pytest.mark.skipif(
    if_there(getattr, cvtest, "compare_scores") is None, reason="without its extension"
)
@pytest.mark.parametrize("scoring", SCORERS)
def test_scores_of_predictions_have_the_range_of_the_metric(scoring):
    outputs = {name: RNG.random((2, N)) for name in ("a", "b")}
    if scoring in ("accuracy", "f1"):
        outputs = {name: (of > 0.5).astype(int) for name, of in outputs.items()}
    runs = cvtest.compare_scores(outputs, y_true=Y, scoring=scoring)
    first = {name: of[0] for name, of in outputs.items()}
    one = cvtest.compare_scores(first, y_true=Y, scoring=scoring)
    predicted = cvtest.compare_predictions(Y, first, scoring=scoring).losses
    for result in (runs, one):
        assert result.losses.metric.loss_range == predicted.metric.loss_range
        assert result.losses.metric.name == predicted.metric.name
