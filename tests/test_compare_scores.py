"""Scores of every example of one test set."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from sklearn_cvtest import Comparison, CrossedTest, HoldoutTTest, compare_scores

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
    found = compare_scores(path, **NAMES)
    assert_allclose(found.pvalues, compare_scores(SCORES).pvalues, rtol=1e-12)


def test_one_run_is_the_paired_t_test():
    a, b = SCORES["old"][0], SCORES["new"][0]
    result = compare_scores({"old": a, "new": b})
    assert isinstance(result.tests["old", "new"], HoldoutTTest)
    assert_allclose(result.pvalue_, stats.ttest_rel(a, b).pvalue, rtol=1e-12)
    one = compare_scores({"old": a[np.newaxis], "new": b[np.newaxis]})
    assert one.pvalue_ == result.pvalue_
    assert "as fitted here" in str(result)


def test_several_runs_are_crossed():
    result = compare_scores(SCORES)
    assert isinstance(result.tests["old", "new"], CrossedTest)
    test = CrossedTest().fit(SCORES["new"] - SCORES["old"])
    assert_allclose(result.pvalue_["old", "new"], test.pvalue_, rtol=1e-12)
    assert result.best == "new"


def test_losses_are_scores_with_another_sign():
    scores = compare_scores(SCORES)
    losses = compare_scores({name: -x for name, x in SCORES.items()}, loss="cost")
    assert_allclose(scores.estimates, losses.estimates, rtol=1e-12)
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
    first = -result.losses.losses[:, 0].reshape(3, 50)
    x = scores["old"]
    expected = (x[:3] - x[:3].mean(axis=0)) * np.sqrt(3 / 6)
    assert_allclose(first - x.mean(axis=0), expected, atol=1e-12)


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
    assert_allclose(found.pvalues, expected.pvalues, rtol=1e-10)
    assert found.losses.n_groups == 14
    assert "examples of new groups" in " ".join(str(found).split())


def test_percent():
    shares = {name: 1 / (1 + np.exp(-x)) for name, x in SCORES.items()}
    percent = {name: 100 * x for name, x in shares.items()}
    result = compare_scores(percent, score="accuracy", percent=True)
    expected = compare_scores(shares, score="accuracy")
    assert_allclose(result.estimates, expected.estimates, rtol=1e-10)
    with pytest.raises(ValueError, match="percent=True"):
        compare_scores(percent, score="accuracy")
    with pytest.raises(ValueError, match="`percent` must be False"):
        compare_scores(shares, score="accuracy", percent=True)


def test_is_saved_and_labelled_as_all_comparisons(tmp_path):
    result = compare_scores(SCORES, reference="old")
    result.save(tmp_path / "result.npz")
    loaded = Comparison.load(tmp_path / "result.npz")
    assert_allclose(loaded.pvalues, result.pvalues, rtol=1e-12)
    one = result.by(np.zeros(40, dtype=int), p_adjust=None)
    assert_allclose(one.pvalue[0], result.pvalues, rtol=1e-9)
    assert result.retest(reference=None).letters()["new"] == "a"
    with pytest.raises(ValueError, match="max-t"):
        result.retest(p_adjust="max-t", reference=None)


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
    assert r"$\infty$ examples" in found.to_latex()
    with pytest.raises(ValueError, match="of several runs"):
        compare_scores({n: x[0] for n, x in SCORES.items()}).variance_table()


def test_plan_leaves_runs_to_the_variance_table():
    with pytest.raises(ValueError, match="variance_table"):
        compare_scores(SCORES).plan(0.1)


def test_equal_runs_are_said():
    same = {"a": SCORES["old"], "b": SCORES["old"].copy()}
    result = compare_scores(same)
    assert result.pvalue_ == 1
    assert "same mean score in every run" in " ".join(str(result).split())


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
    "no run": (TABLE, {"example": "id"}, "If these are several runs, name their"),
    "no example": (TABLE, {"run": "seed"}, "`example` must be one of the columns"),
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
    "groups": (SCORES, {"group": [1, 2]}, "one label for each of the 40 examples"),
    "both": (SCORES, {"score": "a", "loss": "b"}, "None where `score` is given"),
    "name": ({1: [1.0, 2.0], "b": [1.0, 2.0]}, {}, "named by strings"),
    "number": (7, {}, "`scores` must be a data frame"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name):
    scores, options, text = BAD[name]
    with pytest.raises((TypeError, ValueError), match=text):
        compare_scores(scores, **options)


def test_input_is_not_changed():
    before = {name: values.copy() for name, values in SCORES.items()}
    compare_scores(SCORES, loss="cost")
    assert all(np.array_equal(before[name], SCORES[name]) for name in SCORES)


def test_prints_the_margin_of_the_interval():
    result = compare_scores({name: SCORES[name] for name in ("old", "new")})
    low, high = result.intervals[0]
    text = " ".join(str(result).split())
    found = re.search(r"interval ([\d.−-]+) to ([\d.−-]+)", text)
    shown = [float(text.replace("−", "-")) for text in found.groups()]
    assert_allclose(shown, [low, high], atol=0.01)
