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
    compare_file,
    compare_predictions,
    compare_scores,
    compare_table,
    corrected_ttest,
)
from sklearn_cvtest.exceptions import DependentRowsWarning, FewExamplesWarning
from sklearn_cvtest.results import MultiMetricComparison

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


def test_a_file_is_the_table(tmp_path):
    path = tmp_path / "scores.csv"
    table = long_table()
    rows = zip(*table.values(), strict=True)
    lines = [",".join(table), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines))
    found = compare_file(path, **NAMES)
    expected = compare_scores(table, group="document", **NAMES)
    assert_allclose(found.table.pvalue, expected.table.pvalue, rtol=1e-12)


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


@pytest.mark.filterwarnings("ignore:The array of 'old' has 8 rows")
@pytest.mark.filterwarnings("ignore:CrossedTest. there are only 2 examples")
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
    assert_allclose(one.pvalue[0], result.table.pvalue, rtol=1e-9)
    assert result.retest(reference=None).letters()["new"] == "a"


def test_variance_table():
    pytest.importorskip("pandas")
    result = compare_scores(SCORES)
    found = result.variance_table()
    frame = found.to_frame()
    (table,) = result.tables.values()
    parts = (frame[f"variance_{name}"] for name in ("runs", "examples", "both"))
    runs, examples, both = parts
    now = np.sqrt(runs / 3 + examples / 40 + both / 120)
    assert_allclose(now, table.standard_error, rtol=1e-9)
    assert_allclose(found.errors["now"], now, rtol=1e-12)
    assert_allclose(
        frame["error_twice_runs"], np.sqrt(runs / 6 + examples / 40 + both / 240)
    )
    shares = frame[["share_runs", "share_examples", "share_both"]].sum(axis=1)
    assert_allclose(shares, 1)
    assert "2 × runs" in str(found)
    assert r"$\infty$" in found.to_latex()
    with pytest.raises(ValueError, match="of several runs"):
        compare_scores({n: x[0] for n, x in SCORES.items()}).variance_table()


def test_plan_leaves_runs_to_the_variance_table():
    with pytest.raises(ValueError, match="variance_table"):
        compare_scores(SCORES).plan(0.1)


def test_equal_runs_are_said():
    same = {"a": SCORES["old"], "b": SCORES["old"].copy()}
    result = compare_scores(same)
    assert result.pvalue_ == 1
    assert result.to_dict()["decision"] == "same"


def test_hundred_runs_of_few_examples():
    rng = np.random.default_rng(5)
    runs = {name: rng.normal(size=(100, 12)) for name in "ab"}
    (table,) = compare_scores(runs).tables.values()
    assert table.df[0] >= 11


def test_variance_table_is_drawn():
    pytest.importorskip("matplotlib")
    found = compare_scores(SCORES).variance_table()
    ax = found.plot()
    widths = np.array([[bar.get_width() for bar in part] for part in ax.containers])
    assert_allclose(widths.T, found.shares)


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
    "no run": (TABLE, {"example": "id"}, "If rows are runs, name their"),
    "one model": (long_table({"old": SCORES["old"]}), NAMES, "at least two models"),
    "score": (TABLE, NAMES | {"score": "skore"}, "`score` must be one of the columns"),
    "group": (
        TABLE | {"document": [*TABLE["document"][:-1], 99]},
        NAMES | {"group": "document"},
        "one group for each example",
    ),
    "hole": (SCORES | {"old": SCORES["old"] * np.nan}, {}, "nan in run 0, example 0"),
    "lengths": (SCORES | {"old": SCORES["old"][:, 1:]}, {}, "same examples"),
    "one array": ({"old": SCORES["old"]}, {}, "at least two models"),
    "strings": ({"old": ["x"], "new": ["y"]}, {}, r"scores\['old'\]"),
    "one run": (SCORES | {"old": SCORES["old"][0]}, {}, "one run of every model"),
    "groups": (SCORES, {"group": [1, 2]}, "one label for each example, of shape .40,"),
    "both": (SCORES, {"score": "a", "loss": "b"}, "None where `score` is given"),
    "name": ({1: [1.0, 2.0], "b": [1.0, 2.0]}, {}, "named by strings"),
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
    report = " ".join(result.report().split())
    says = "row counts as 1 where the predicted probability" in report
    assert says == (scoring == "f1")


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


def test_runs_of_predictions_that_are_not_paired():
    some = OUTPUTS | {"old": np.vstack([OUTPUTS["old"], OUTPUTS["mid"]])}
    found = compare_scores(some, y_true=TARGET, scoring="roc_auc")
    of_runs = [sk.roc_auc_score(TARGET, of_run) for of_run in some["old"]]
    assert_allclose(-found.losses.mean_losses[0], np.mean(of_runs), rtol=1e-10)
    assert found.losses.cv_description == "runs not paired"


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
    text = {name: [str(value) for value in table[name]] for name in ("score", "truth")}
    found = compare_scores(table | text, y_true="truth", scoring="f1", **NAMES)
    assert "row counts as 1 where" in found.report()
    wrong = table | {"truth": [1 - table["truth"][0], *table["truth"][1:]]}
    with pytest.raises(ValueError, match="one target for each example"):
        compare_scores(wrong, y_true="truth", scoring="roc_auc", **NAMES)


def test_several_scores_are_each_alone():
    table = long_table()
    table["cost"] = [-2.0 * value for value in table["score"]]
    table["bonus"] = [value / 2 for value in table["score"]]
    found = compare_scores(table, score=["score", "bonus"], **NAMES)
    assert isinstance(found, MultiMetricComparison)
    assert list(found) == ["score", "bonus"]
    for name, result in found.items():
        alone = compare_scores(table, score=name, **NAMES)
        assert_allclose(result.table.pvalue, alone.table.pvalue, rtol=1e-12)
    assert list(compare_scores(table, loss=["cost"], **NAMES)) == ["cost"]
    both = compare_scores(OUTPUTS, y_true=TARGET, scoring=["roc_auc", "f1"])
    assert list(both) == ["roc_auc", "f1"]


MEASURED = {"y_true": TARGET, "scoring": "roc_auc"}
BAD_OUTPUTS = {
    "no scorer": (OUTPUTS, {"y_true": TARGET}, "`scoring` must be given where"),
    "no target": (OUTPUTS, {"scoring": "f1"}, "`y_true` must be given where"),
    "loss": (OUTPUTS, MEASURED | {"loss": "a"}, "`loss` must be None with `y_true`"),
    "percent": (OUTPUTS, MEASURED | {"percent": True}, "`percent` must be False with"),
    "length": (OUTPUTS, MEASURED | {"y_true": TARGET[1:]}, "each of the 40 examples"),
    "hole": (
        OUTPUTS | {"old": OUTPUTS["old"] * [[1], [np.nan], [1]]},
        MEASURED,
        "nan in run 1, example 0",
    ),
    "shape": (OUTPUTS | {"old": np.zeros((1, 2, 3, 4))}, MEASURED, r"shape \(1, 2"),
    "median": (
        {name: values[0] for name, values in OUTPUTS.items()},
        MEASURED | {"scoring": "neg_median_absolute_error"},
        "needs one residual per test example",
    ),
    "list": (SCORES, {"score": ["a"]}, "A list is of columns of a table"),
    "columns": (long_table(), NAMES | {"score": ["score", "score"]}, "different ones"),
    "none": (long_table(), NAMES | {"score": []}, "different ones"),
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
    assert "rho" not in texts[0] + texts[1]
    assert result.summary().columns[0] == "model"


def test_input_is_not_changed():
    before = {name: values.copy() for name, values in SCORES.items()}
    compare_scores(SCORES, loss="cost")
    assert all(np.array_equal(before[name], SCORES[name]) for name in SCORES)


def test_labels_of_pandas_are_not_ignored():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    a = pd.Series(rng.random(30), index=[f"q{i}" for i in range(30)])
    b = a + 0.1 * rng.random(30)
    with pytest.raises(ValueError, match="index labels"):
        compare_scores({"a": a, "b": b.sort_values(ascending=False)})
    with pytest.raises(ValueError, match="index labels"):
        compare_scores(
            {"a": a, "b": b}, group=pd.Series(range(30), index=a.index[::-1])
        )
    with pytest.raises(ValueError, match="index labels"):
        corrected_ttest(a, b[::-1], n_train=9, n_test=1)
    assert compare_scores({"a": a, "b": b}).pvalue_ < 1


def test_more_runs_or_examples_make_no_error_larger():
    for seed in range(60):
        d = np.random.default_rng(seed).normal(size=(3, 12))
        result = compare_scores({"a": np.zeros((3, 12)), "b": d})
        found = result.variance_table()
        assert_allclose(found.errors["now"], result.to_frame()["total_error"])
        for name, errors in found.errors.items():
            assert (errors <= found.errors["now"] * (1 + 1e-12)).all(), name


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
        found = result.estimator_intervals()
        assert np.all((found.estimate < found.ci_high) & (found.ci_high <= 1))


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
    assert result.to_dict()["decision"] == "same"


def test_few_hits_take_the_score_test():
    rng = np.random.default_rng(0)
    hits = {name: rng.random(200) < 0.8 for name in "abc"}
    few = compare_scores(hits, score="accuracy")
    assert few.tests["a", "b"].method == "score"
    loss = compare_scores({name: 1 - x for name, x in hits.items()}, loss="error")
    assert_allclose(intervals_of(loss), intervals_of(few), rtol=1e-9)
    target = rng.integers(0, 2, 200)
    given = {name: np.where(x, target, 1 - target) for name, x in hits.items()}
    of_predictions = compare_predictions(target, given)
    assert_allclose(intervals_of(of_predictions), intervals_of(few), rtol=1e-9)
    for other in (
        compare_scores({name: np.tile(x, 4) for name, x in hits.items()}),
        compare_scores(hits, test=HoldoutTTest()),
        compare_scores(hits, group=np.arange(200) // 3),
        compare_scores({name: x / 2 for name, x in hits.items()}),
    ):
        assert other.tests["a", "b"].method == "t"


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
    with pytest.raises(ValueError, match=r"`scores\['a'\]` must be probabilities"):
        compare_scores(runs, y_true=y, scoring=scoring)


def test_one_model_is_sent_to_the_function_of_one():
    with pytest.raises(ValueError, match=r"For one model, use cross_val_interval\.$"):
        compare_scores({"a": [0.1, 0.2]})


@pytest.mark.filterwarnings("ignore:The 2 values of 'a' are taken")
def test_two_examples_bring_a_warning():
    with pytest.warns(FewExamplesWarning, match="only 2 examples"):
        compare_scores({"a": [0.9, 0.8], "b": [0.7, 0.62]})


@pytest.mark.parametrize("kind", ["score", "loss"])
def test_hits_and_misses_stay_between_0_and_1_whatever_they_are_called(kind):
    rng = np.random.default_rng(0)
    hits = {name: (rng.random(12) < p) * 1.0 for name, p in (("a", 0.9), ("b", 0.5))}
    result = compare_scores(hits, **{kind: "found it"})
    found = result.estimator_intervals()
    ends = np.abs([found.ci_low, found.ci_high])
    assert ends.max() <= 1


@pytest.mark.parametrize("n_runs", [1, 3])
def test_examples_that_follow_each_other_are_told_of(n_runs):
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(2, n_runs, 323))
    averages = np.array(
        [[np.convolve(run, np.ones(24), "valid") for run in model] for model in noise]
    )
    losses = dict(zip("ab", averages**2, strict=True))

    def messages(losses, **options):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            compare_scores(losses, **options)
        kinds = [w for w in caught if w.category is DependentRowsWarning]
        return [str(w.message) for w in kinds]

    of_losses = {"loss": "squared_error"}
    (message,) = messages(losses, **of_losses)
    assert "loss differences of rows up to 10 apart" in message
    assert "pass `group`" in message
    assert not messages(losses, **of_losses, group=np.arange(300) // 10)
    order = rng.permutation(300)
    mixed = {name: np.array(values)[:, order] for name, values in losses.items()}
    assert not messages(mixed, **of_losses)
    y = np.cumsum(rng.normal(size=300))
    predictions = {name: y + run for name, run in zip("ab", averages, strict=True)}
    options = {"y_true": y, "scoring": "neg_mean_squared_error"}
    assert len(messages(predictions, **options)) == 1
    assert not messages(predictions, group=np.arange(300) // 10, **options)
    ranked = {"a": np.sort(np.array(losses["a"])[0]), "b": np.array(losses["b"])[0]}
    assert not messages(ranked, **of_losses)
