"""Scores of every example of one test set."""

import warnings

import numpy as np
import pytest
from common import intervals_of
from numpy.testing import assert_allclose
from scipy import stats
from sklearn import metrics as sk

from sklearn_cvtest import (
    Comparison,
    CrossedTest,
    HoldoutTTest,
    compare_predictions,
    compare_scores,
    compare_table,
    corrected_ttest,
)
from sklearn_cvtest.results import ComparisonsByMetric

RNG = np.random.default_rng(0)
EASY = RNG.normal(size=40)
SCORES = {
    name: EASY + skill + RNG.normal(size=(3, 40))
    for name, skill in [("old", 0.0), ("new", 0.5), ("mid", 0.2)]
}


def long_table(scores=SCORES, first_run=0):
    columns = {"model": [], "seed": [], "id": [], "score": [], "document": []}
    for name, values in scores.items():
        for run, row in enumerate(values):
            for example, value in enumerate(row.tolist()):
                cell = name, run + first_run, example, value, example // 3
                for column, part in zip(columns.values(), cell, strict=True):
                    column.append(part)
    return columns


NAMES = {"example": "id", "run": "seed"}


def shuffled(table, seed=0):
    order = np.random.default_rng(seed).permutation(len(table["model"]))
    return {name: [column[row] for row in order] for name, column in table.items()}


def test_a_table_in_any_order_is_the_arrays():
    pd = pytest.importorskip("pandas")
    expected = compare_scores(SCORES)
    for table in (long_table(), shuffled(long_table()), pd.DataFrame(long_table())):
        found = compare_scores(table, **NAMES)
        by_pair = {frozenset(pair): p for pair, p in found.pvalue_.items()}
        for pair, pvalue in expected.pvalue_.items():
            assert_allclose(by_pair[frozenset(pair)], pvalue, rtol=1e-10)


def test_one_run_is_the_paired_t_test():
    a, b = SCORES["old"][0], SCORES["new"][0]
    result = compare_scores({"old": a, "new": b})
    assert isinstance(result.tests["old", "new"], HoldoutTTest)
    assert_allclose(result.pvalue_, stats.ttest_rel(a, b).pvalue, rtol=1e-12)
    one = compare_scores({"old": a[np.newaxis], "new": b[np.newaxis]})
    assert one.pvalue_ == result.pvalue_


def test_several_runs_are_crossed():
    result = compare_scores(SCORES)
    assert isinstance(result.tests["old", "new"], CrossedTest)
    test = CrossedTest().fit(SCORES["new"] - SCORES["old"])
    assert_allclose(result.pvalue_["old", "new"], test.pvalue_, rtol=1e-12)
    assert result.best == "new"


def test_losses_are_scores_with_another_sign():
    scores = compare_scores(SCORES)
    losses = compare_scores({name: -x for name, x in SCORES.items()}, loss="cost")
    assert_allclose(scores.table.estimate, losses.table.estimate, rtol=1e-12)
    assert "score" in str(scores)
    assert "cost" in str(losses)


def test_runs_that_are_not_paired():
    # Scheffé: means of all runs, and the variance of their mean
    scores = {"old": RNG.normal(size=(6, 50)), "new": RNG.normal(size=(3, 50))}
    result = compare_scores(scores)
    means = [x.mean() for x in scores.values()]
    assert_allclose(-result.losses.mean_losses, means, rtol=1e-10)
    assert result.losses.design.n_splits == 3
    assert "runs not paired" in result.report()
    first = -result.losses.values[:, 0].reshape(3, 50)
    x = scores["old"]
    expected = (x[:3] - x[:3].mean(axis=0)) * np.sqrt(3 / 6)
    assert_allclose(first - x.mean(axis=0), expected, atol=1e-12)


@pytest.mark.filterwarnings("ignore:The arrays have 4 rows")
def test_scheffes_runs_have_the_variance_of_the_mean():
    rng = np.random.default_rng(3)
    ratios = []
    for _ in range(100):
        scores = {"old": rng.normal(size=(8, 2)), "new": np.zeros((4, 2))}
        block = compare_scores(scores).losses.block_losses[:, 0]
        ratios.append(block.var(ddof=1) / 4)
    assert np.mean(ratios) == pytest.approx(1 / 16, rel=0.25)  # of 8 runs, 2 examples


def test_other_runs_in_a_table_are_not_paired():
    table, other = (
        long_table({"old": SCORES["old"]}),
        long_table({"new": SCORES["new"][:2]}, first_run=7),
    )
    both = {name: table[name] + other[name] for name in table}
    found = compare_scores(both, **NAMES)
    arrays = {"old": SCORES["old"], "new": SCORES["new"][:2]}
    assert_allclose(found.pvalue_, compare_scores(arrays).pvalue_, rtol=1e-12)


def test_groups_from_a_column_or_an_array():
    found = compare_scores(long_table(), group="document", **NAMES)
    labels = [f"document {number // 3}" for number in range(40)]
    expected = compare_scores(SCORES, group=labels)
    assert_allclose(found.table.pvalue, expected.table.pvalue, rtol=1e-10)
    assert found.losses.n_groups == 14


def test_percent():
    shares = {name: 1 / (1 + np.exp(-x)) for name, x in SCORES.items()}
    percent = {name: 100 * x for name, x in shares.items()}
    result = compare_scores(percent, score="accuracy", percent=True)
    expected = compare_scores(shares, score="accuracy")
    assert_allclose(result.table.estimate, expected.table.estimate, rtol=1e-10)
    with pytest.raises(ValueError, match="percent=True"):
        compare_scores(percent, score="accuracy")
    with pytest.raises(ValueError, match="`percent` must be False"):
        compare_scores(shares, score="accuracy", percent=True)


def test_is_saved_and_labelled_as_all_comparisons(tmp_path):
    result = compare_scores(SCORES, reference="old")
    result.save(tmp_path / "result.npz")
    loaded = Comparison.load(tmp_path / "result.npz")
    assert_allclose(loaded.table.pvalue, result.table.pvalue, rtol=1e-12)
    one = result.by(np.zeros(40, dtype=int), p_adjust=None)
    assert_allclose(one.to_frame()["pvalue"], result.table.pvalue, rtol=1e-9)
    assert result.retest(reference=None).letters()["new"] == "a"


def test_equal_runs_are_said():
    same = {"a": SCORES["old"], "b": SCORES["old"].copy()}
    result = compare_scores(same)
    assert result.pvalue_ == 1
    assert "same" in str(result)


@pytest.mark.filterwarnings("ignore:The arrays have 100 rows")
def test_hundred_runs_of_few_examples():
    rng = np.random.default_rng(5)
    runs = {name: rng.normal(size=(100, 12)) for name in "ab"}
    assert compare_scores(runs).table.df[0] >= 11


def without(table, row):
    return {name: column[:row] + column[row + 1 :] for name, column in table.items()}


TABLE = long_table()
BAD = {
    "missing": (without(TABLE, 45), NAMES, "none of 'old' for run 1, example 5."),
    "twice": (
        {name: [*column, column[0]] for name, column in TABLE.items()},
        NAMES,
        "several of 'old' for run 0, example 0.",
    ),
    "no run": (
        TABLE,
        {"example": "id"},
        "If rows are of something else, name its column.*run",
    ),
    "one model": (long_table({"old": SCORES["old"]}), NAMES, "at least two models"),
    "score": (TABLE, NAMES | {"score": "skore"}, "`score` must be one of the columns"),
    "group": (
        TABLE | {"document": [*TABLE["document"][:-1], 99]},
        NAMES | {"group": "document"},
        "the same in all rows of an example",
    ),
    "hole": (SCORES | {"old": SCORES["old"] * np.nan}, {}, "nan in example 0"),
    "lengths": (SCORES | {"old": SCORES["old"][:, 1:]}, {}, "same examples"),
    "one array": ({"old": SCORES["old"]}, {}, "at least two models"),
    "strings": ({"old": ["x"], "new": ["y"]}, {}, r"scores\['old'\]"),
    "one run": (SCORES | {"old": SCORES["old"][0]}, {}, "one run of every model"),
    "groups": (SCORES, {"group": [1, 2]}, "an array of 40 labels"),
    "both": (SCORES, {"score": "a", "loss": "b"}, "None where `score` is given"),
    "number": (7, {}, "`scores` must be a data frame"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name):
    scores, options, text = BAD[name]
    with pytest.raises((TypeError, ValueError), match=text):
        compare_scores(scores, **options)


# Predictions of several runs, by scorers ----------------------------------------

TARGET = (EASY > 0).astype(int)
OUTPUTS = {name: 1 / (1 + np.exp(-values)) for name, values in SCORES.items()}
METRICS = {"roc_auc": sk.roc_auc_score, "f1": sk.f1_score, "neg_log_loss": None}


@pytest.mark.parametrize("scoring", METRICS)
def test_scorers_of_runs_are_those_of_each_run(scoring):
    result = compare_scores(OUTPUTS, y_true=TARGET, scoring=scoring)
    for column, values in enumerate(OUTPUTS.values()):
        for run, of_run in enumerate(values):
            if scoring == "roc_auc":
                expected = sk.roc_auc_score(TARGET, of_run)
            elif scoring == "f1":
                expected = sk.f1_score(TARGET, of_run > 0.5)
            else:
                expected = -sk.log_loss(TARGET, of_run)
            found = -result.losses.block_losses[run, column]
            assert_allclose(found, expected, rtol=1e-10)
    assert isinstance(result.tests["old", "new"], CrossedTest)


def test_accuracy_of_predictions_is_scores_of_hits():
    labels = {name: values > 0.5 for name, values in OUTPUTS.items()}
    hits = {name: values == TARGET for name, values in labels.items()}
    groups = np.arange(40) // 3
    found = compare_scores(labels, y_true=TARGET, scoring="accuracy", group=groups)
    expected = compare_scores(hits, score="accuracy", group=groups)
    assert_allclose(found.table.pvalue, expected.table.pvalue, rtol=1e-9)
    assert_allclose(intervals_of(found), intervals_of(expected), rtol=1e-9)


def test_one_run_of_predictions_is_compare_predictions():
    one = {name: values[0] for name, values in OUTPUTS.items()}
    found = compare_scores(one, y_true=TARGET, scoring="roc_auc")
    expected = compare_predictions(TARGET, one, scoring="roc_auc")
    assert_allclose(found.table.pvalue, expected.table.pvalue, rtol=1e-12)
    assert_allclose(intervals_of(found), intervals_of(expected), rtol=1e-12)


def test_probabilities_of_three_classes_and_words():
    rng = np.random.default_rng(2)
    target = np.array(["cat", "dog", "eel"])[rng.integers(0, 3, 60)]
    outputs = {name: rng.dirichlet([1, 1, 1], size=(4, 60)) for name in "ab"}
    found = compare_scores(outputs, y_true=target, scoring="f1_macro")
    names = np.array(["cat", "dog", "eel"])
    labels = {name: names[p.argmax(axis=-1)] for name, p in outputs.items()}
    expected = compare_scores(labels, y_true=target, scoring="f1_macro")
    assert_allclose(found.pvalue_, expected.pvalue_, rtol=1e-10)


def test_predictions_in_a_table():
    table = shuffled(
        long_table(OUTPUTS) | {"truth": np.tile(TARGET, 9).tolist()},
    )
    found = compare_scores(table, y_true="truth", scoring="roc_auc", **NAMES)
    expected = compare_scores(OUTPUTS, y_true=TARGET, scoring="roc_auc")
    assert_allclose(
        sorted(found.table.pvalue), sorted(expected.table.pvalue), rtol=1e-9
    )
    wrong = table | {"truth": [1 - table["truth"][0], *table["truth"][1:]]}
    with pytest.raises(ValueError, match="the same in all rows of an example"):
        compare_scores(wrong, y_true="truth", scoring="roc_auc", **NAMES)


def test_several_scores_are_each_alone():
    table = long_table()
    table["cost"] = [-2.0 * value for value in table["score"]]
    table["bonus"] = [value / 2 for value in table["score"]]
    found = compare_scores(table, score=["score", "bonus"], **NAMES)
    assert isinstance(found, ComparisonsByMetric)
    assert list(found) == ["score", "bonus"]
    for name in found:
        alone = compare_scores(table, score=name, **NAMES)
        assert_allclose(found[name].table.pvalue, alone.table.pvalue, rtol=1e-12)
    assert list(compare_scores(table, loss=["cost"], **NAMES)) == ["cost"]
    both = compare_scores(OUTPUTS, y_true=TARGET, scoring=["roc_auc", "f1"])
    assert list(both) == ["roc_auc", "f1"]


MEASURED = {"y_true": TARGET, "scoring": "roc_auc"}
BAD_OUTPUTS = {
    "no scorer": (
        OUTPUTS,
        {"y_true": TARGET},
        "`scoring` must be given where",
    ),
    "no target": (
        OUTPUTS,
        {"scoring": "f1"},
        "`y_true` must be given where",
    ),
    "loss": (
        OUTPUTS,
        MEASURED | {"loss": "a"},
        "`loss` must be left out with",
    ),
    "percent": (
        OUTPUTS,
        MEASURED | {"percent": True},
        "`percent` must be left out",
    ),
    "length": (
        OUTPUTS,
        MEASURED | {"y_true": TARGET[1:]},
        "must be of 40 examples",
    ),
    "hole": (
        OUTPUTS | {"old": OUTPUTS["old"] * [[1], [np.nan], [1]]},
        MEASURED,
        "40 missing, the first in row 0",
    ),
    "shape": (
        OUTPUTS | {"old": np.zeros((1, 2, 3, 4))},
        MEASURED,
        "must be of shape",
    ),
    "median": (
        {name: values[0] for name, values in OUTPUTS.items()},
        MEASURED | {"scoring": "neg_median_absolute_error"},
        "Use a per-example loss",
    ),
    "list": (SCORES, {"score": ["a"]}, "`score` must be one name, of arrays"),
    "columns": (
        long_table(),
        NAMES | {"score": ["score", "score"]},
        "different columns",
    ),
    "none": (long_table(), NAMES | {"score": []}, "different columns"),
}


@pytest.mark.parametrize("name", BAD_OUTPUTS)
def test_bad_predictions(name):
    scores, options, text = BAD_OUTPUTS[name]
    with pytest.raises((TypeError, ValueError), match=text):
        compare_scores(scores, **options)


# Many models --------------------------------------------------------------------


def test_many_models_are_models():
    pytest.importorskip("pandas")
    result = compare_scores(SCORES)
    texts = str(result), result.report(), result.to_latex(), str(result.best_set())
    assert not any("stimator" in text for text in texts)


def test_input_is_not_changed():
    before = {name: values.copy() for name, values in SCORES.items()}
    compare_scores(SCORES, loss="cost")
    assert all(np.array_equal(before[name], SCORES[name]) for name in SCORES)


def test_labels_of_pandas_are_not_ignored():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    a = pd.Series(rng.random(31), index=[f"q{i}" for i in range(31)])
    b = a + 0.1 * rng.random(31)
    with pytest.raises(ValueError, match="index labels"):
        compare_scores({"a": a, "b": b.sort_values(ascending=False)})
    with pytest.raises(ValueError, match="index labels"):
        compare_scores(
            {"a": a, "b": b}, group=pd.Series(range(31), index=a.index[::-1])
        )
    with pytest.raises(ValueError, match="index labels"):
        corrected_ttest(a, b[::-1], n_train=9, n_test=1)
    assert compare_scores({"a": a, "b": b}).pvalue_ < 1


def test_tables_keep_their_intervals_in_the_range_of_a_name():
    """Folds, and examples of one test set nearly all of which are right."""
    right = np.ones(30)
    right[0] = 0
    long = {"model": np.repeat(["a", "b"], 30), "accuracy": [*right, *right[::-1]]}
    long["i"] = np.tile(np.arange(30), 2)
    folds = compare_table(long, fold="i", score="accuracy", cv=30)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        examples = compare_scores(long, example="i", score="accuracy")
    for result in (folds, examples):
        found = result.intervals  # of minus the accuracy
        assert np.all((found.low >= -1) & (found.low < found.mean))


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_constant_difference_within_the_range():
    # 50 of 50 examples lost by .1: at most a share 1 - .025^(1/50) can have others
    scores = {"a": np.full(50, 0.5), "b": np.full(50, 0.4)}
    result = compare_scores(scores, score="accuracy")
    (found,) = result.to_frame().to_dict("records")
    share = 1 - 0.025 ** (1 / 50)
    # loss(a) - loss(b) is -.1
    assert found["ci_low"] == pytest.approx(-0.1 - share * (1 - 0.1))
    assert found["ci_high"] == pytest.approx(-0.1 + share * (1 + 0.1))


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_rounding_is_no_difference():
    a = np.random.default_rng(0).random(2000)
    result = compare_scores({"a": a, "b": a * (1 / 3) * 3})
    assert result.pvalue_ == 1


@pytest.mark.parametrize(
    "scoring", ["roc_auc", "neg_log_loss", ["accuracy", "roc_auc"]]
)
@pytest.mark.parametrize("words", [False, True])
def test_labels_are_refused_where_scorers_ask_for_more(scoring, words):
    y = np.arange(60) % 2
    runs = {"a": np.stack([y, y]), "b": np.stack([np.arange(60) % 3 > 0] * 2) + 0}
    if words:
        names = np.array(["no", "yes"])
        y, runs = names[y], {model: names[values] for model, values in runs.items()}
    with pytest.raises(ValueError, match=r"\['a'\]` must be probabilities"):
        compare_scores(runs, y_true=y, scoring=scoring)


def test_one_model_is_sent_to_the_function_of_one():
    with pytest.raises(ValueError, match="use interval_of_predictions"):
        compare_scores({"a": [0.1, 0.2]})
