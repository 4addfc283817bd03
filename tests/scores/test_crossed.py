"""Runs × examples of one test set."""

import csv
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sklearn_cvtest import (
    Comparison,
    CrossedTest,
    CVResiduals,
    HoldoutTTest,
    compare_scores,
)
from sklearn_cvtest.exceptions import DegenerateResidualsWarning

# DESIGN, section 14
D = np.array([[0.2, -0.1, 0.3, 0.1], [0.1, 0.0, 0.4, 0.2], [0.3, -0.2, 0.2, 0.1]])
RNG = np.random.default_rng(0)


def drawn(n_runs, n_examples, seed=0):
    rng = np.random.default_rng(seed)
    d = rng.normal(size=(n_runs, n_examples)) + rng.normal(size=n_examples)
    return d + 0.2 * rng.normal(size=(n_runs, 1))


def test_by_hand():
    # MS_s .00583333, MS_i .08666667, MS_si .00916667: their sum .08333333 is less than
    # MS_i, so that Var = MS_i/12
    test = CrossedTest().fit(D)
    assert_allclose(test.estimate_, 0.13333333, rtol=1e-7)
    assert_allclose(test.standard_error_**2, 0.00722222, rtol=1e-6)
    assert_allclose(test.df_, 2.739726, rtol=1e-7)
    assert_allclose(test.statistic_, 1.568929, rtol=1e-6)
    assert_allclose(test.pvalue_, 0.223096, rtol=1e-5)


def naive(d):
    """Return the variance of the mean and its df, by loops."""
    s, n = d.shape
    mean = sum(map(sum, d)) / (s * n)
    rows = [sum(d[r]) / n for r in range(s)]
    columns = [sum(d[:, i]) / s for i in range(n)]
    ms_s = n * sum((row - mean) ** 2 for row in rows) / (s - 1)
    ms_i = s * sum((column - mean) ** 2 for column in columns) / (n - 1)
    both = 0.0
    for r in range(s):
        for i in range(n):
            both += (d[r, i] - rows[r] - columns[i] + mean) ** 2
    ms_si = both / ((s - 1) * (n - 1))
    variance = max(ms_s + ms_i - ms_si, ms_s, ms_i) / (s * n)
    if s == 2:  # see the Notes
        ms_s = 2 * ms_s
    total = ms_s + ms_i - ms_si
    parts = ms_s**2 / (s - 1) + ms_i**2 / (n - 1) + ms_si**2 / ((s - 1) * (n - 1))
    return variance, max(max(total, 0) ** 2 / parts, min(s, n) - 1)


@pytest.mark.parametrize("shape", [(2, 7), (2, 60), (3, 30), (12, 5), (100, 3)])
def test_is_the_naive_twin(shape):
    d = drawn(*shape)
    test = CrossedTest().fit(d)
    variance, df = naive(d)
    assert_allclose([test.standard_error_**2, test.df_], [variance, df], rtol=1e-10)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("n_groups", [None, 12])
def test_one_run_is_the_holdout_test(alternative, n_groups):
    e = drawn(1, 60)
    rng = np.random.default_rng(0)  # groups of alike sizes in any order
    groups = None if n_groups is None else rng.integers(0, n_groups, (1, 60))
    options = {"alternative": alternative, "popmean": 0.1}
    tests = {"crossed": CrossedTest(**options), "holdout": HoldoutTTest(**options)}
    found = [
        test.fit(CVResiduals.from_array(e, design=design, groups=groups))
        for design, test in tests.items()
    ]
    for name in ("estimate_", "standard_error_", "statistic_", "pvalue_", "df_"):
        one, other = (getattr(test, name) for test in found)
        assert_allclose(one, other, rtol=1e-11)


def test_groups_of_one_example_are_none():
    d = drawn(3, 40)
    groups = np.tile(np.arange(40), (3, 1))
    grouped = CrossedTest().fit(
        CVResiduals.from_array(d, design="crossed", groups=groups)
    )
    assert_allclose(grouped.pvalue_, CrossedTest().fit(d).pvalue_, rtol=1e-10)


def test_groups_that_are_copies_are_the_examples():
    d = drawn(3, 20)
    copies = np.repeat(d, 2, axis=1)
    codes = np.tile(np.repeat(np.arange(20), 2), (3, 1))
    residuals = CVResiduals.from_array(copies, design="crossed", groups=codes)
    grouped, plain = CrossedTest().fit(residuals), CrossedTest().fit(d)
    assert_allclose(grouped.pvalue_, plain.pvalue_, rtol=1e-10)


def test_order_of_runs_and_examples_does_not_matter():
    d = drawn(4, 25)
    other = d[RNG.permutation(4)][:, RNG.permutation(25)]
    found = [CrossedTest().fit(x).pvalue_ for x in (d, other, 1e6 * d, -d)]
    assert_allclose(found, found[0], rtol=1e-9)
    shifted = CrossedTest(popmean=1e8).fit(d + 1e8)
    assert_allclose(shifted.pvalue_, found[0], rtol=1e-4)


def test_many_pairs_at_once_are_each_alone():
    scores = {f"m{k}": drawn(3, 30, k) for k in range(4)}
    result = compare_scores(scores)
    table = result.table
    for number, pair in enumerate(result.tests):
        alone = CrossedTest().fit(scores[pair[1]] - scores[pair[0]])
        found = table.pvalue[number], table.df[number]
        assert_allclose(found, [alone.pvalue_, alone.df_], rtol=1e-10)
        ends = alone.confidence_interval(0.95)
        found = table.ci_low[number], table.ci_high[number]
        assert_allclose(found, ends, rtol=1e-10)


def test_degenerate_residuals():
    assert CrossedTest().fit(np.zeros((3, 5))).pvalue_ == 1
    with pytest.warns(DegenerateResidualsWarning):
        found = CrossedTest().fit(np.full((3, 5), 0.1))
    assert (found.statistic_, found.pvalue_) == (np.inf, 0)
    # all means of runs and of examples are the same: noise, and no certainty
    found = CrossedTest().fit([[1.0, 0.0], [0.0, 1.0]])
    assert 0.1 < found.pvalue_ < 1


def test_level_holds_unless_runs_vary_much():
    root = Path(__file__).parents[2] / "docs"
    with (root / "data" / "crossed_mean_squares.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    rates = [float(row["rate"]) for row in rows if row["share_of_runs"] != "0.8"]
    assert max(rates) <= 0.06


@pytest.mark.full
@pytest.mark.parametrize("share", [0.0, 0.5])
@pytest.mark.parametrize("n_runs", [2, 5])
def test_keeps_its_level(n_runs, share):
    rng, n, size = np.random.default_rng(1), 100, 4000
    d = rng.normal(size=(size, n_runs, n)) + rng.normal(size=(size, 1, n))
    run = np.sqrt(share / (1 - share) * n_runs * (1 / n + 1 / (n * n_runs)))
    d += run * rng.normal(size=(size, n_runs, 1))
    rejections = [CrossedTest().fit(one).pvalue_ <= 0.05 for one in d]
    rate = np.mean(rejections)
    assert rate < 0.05 + 3.3 * np.sqrt(0.05 * 0.95 / size) + 0.005


def test_says_what_it_is_about():
    result = compare_scores({"a": D, "b": D[::-1] + 0.1})
    assert "new runs of these models" in " ".join(result.report().split())
    assert_array_equal(result.losses.row_split, np.repeat([0, 1, 2], 4))


def test_crossed_test_is_said_saved_and_loaded(tmp_path):
    runs = np.random.default_rng(0).integers(0, 2, (60, 2)).T.reshape(2, 3, 20)
    comparison = compare_scores(dict(zip("ab", runs, strict=True)), loss="zero_one")
    for text in (str(comparison), comparison.report()):
        assert "CrossedTest" in text
        assert "nan" not in text
    comparison.save(tmp_path / "comparison")
    loaded = Comparison.load(tmp_path / "comparison")
    assert str(loaded) == str(comparison)
    assert loaded.to_dict() == comparison.to_dict()
