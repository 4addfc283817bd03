"""Levels: an interval and a p-value of one test decide alike, and each family of pairs
is counted once.
"""

import numpy as np
import pytest
from interfaces import (
    CASES,
    SPLITTERS,
    compared,
    data_of,
    random_designs,
    some_of,
)
from scipy import stats

import sklearn_cvtest as cvtest

MOST_CASES = 1000  # their number of designs says what is quick


def search_of(rng, n_candidates=4, n_splits=6):
    """Return what a search leaves: scores of candidates by splits."""
    shift = rng.normal(0, rng.choice([0.1, 1.5]), n_candidates)
    scores = rng.standard_normal((n_splits, n_candidates)) + shift
    found = {f"split{k}_test_score": row for k, row in enumerate(scores)}
    return found | {"params": [{"C": c} for c in range(n_candidates)]}


# McNemar's p is exact, and its interval documented as another one's
INVERTED = [case for case in CASES if case != "McNemarTest"]
every_case = pytest.mark.parametrize(
    "case", some_of(INVERTED, 8, always=["KFoldTTest, not zero"])
)


def excludes(low, high, value):
    return (low > value) | (high < value)


def decides_alike(pvalues, level, low, high, value=0.0):
    """Check that intervals exclude a value exactly where p is not above the level."""
    clear = np.abs(pvalues - level) > 1e-6 * level
    assert np.array_equal(excludes(low, high, value)[clear], (pvalues <= level)[clear])


@every_case
@random_designs(few=2, many=30)
def test_an_interval_excludes_what_the_test_rejects(case, seed):
    rng = np.random.default_rng(seed)
    alpha = float(rng.choice([0.05, 0.3]))
    result = compared(case, rng, 3, alpha=alpha)
    table, test = result.table, result.test
    if isinstance(test, cvtest.BayesianCorrelatedTTest):
        return  # posterior probabilities decide
    if isinstance(test, cvtest.EquivalenceTest):
        inside = (table.ci_low >= -test.margin) & (table.ci_high <= test.margin)
        assert np.array_equal(inside, table.pvalue <= alpha)
        return
    decides_alike(table.pvalue, alpha, table.ci_low, table.ci_high, test.popmean)
    for fitted in result.tests.values():  # also at the level that is just p
        for level in (0.999 * fitted.pvalue_, 1.001 * fitted.pvalue_):
            if 1e-4 < level < 0.9:
                ends = fitted.confidence_interval(1 - level)
                assert excludes(*ends, test.popmean) == (fitted.pvalue_ <= level)


DECIDED = [case for case in CASES if case != "BayesianCorrelatedTTest"]


@pytest.mark.parametrize("case", some_of(DECIDED, 10))
@random_designs(few=1, many=20)
def test_of_many_the_adjusted_p_value_decides(case, seed):
    result = compared(case, np.random.default_rng(seed), 3, p_adjust="bonferroni")
    rows = result.to_frame().to_dict("records")
    adjusted = [row for row in rows if 3e-6 < row["pvalue_adjusted"] < 0.49]
    for row in adjusted[:1]:
        pair = row["first"], row["second"]
        for factor in (0.5, 1.01):  # above p, but below what it is adjusted to; above
            again = result.retest(alpha=factor * row["pvalue_adjusted"])
            at = list(again.tests).index(pair)
            assert again.table.significant[at] == (factor > 1)
            assert factor > 1 or again.table.winner[at] < 0


def check_simultaneous(result, n_family):
    """Check that intervals hold at once at the level at which p-values do."""
    table, test, alpha = result.table, result.test, result.alpha
    bonferroni = np.minimum(n_family * table.pvalue, 1)
    ends = table.simultaneous
    if result.reference == "best":  # of the steps to the best set
        pvalues = result.best_set().pvalues
        of_set = [pvalues[second] for _, second in result.tests]
        assert table.pvalue_adjusted.tolist() == of_set
        decides_alike(table.pvalue_adjusted, alpha, *ends, test.popmean)
        return
    assert table.pvalue_adjusted == pytest.approx(bonferroni)
    level = test.level_of_interval(alpha / n_family)
    for fitted, *sides in zip(result.tests.values(), *ends, strict=True):
        assert tuple(fitted.confidence_interval(level)) == pytest.approx(tuple(sides))
    if isinstance(test, cvtest.EquivalenceTest):
        inside = (ends[0] >= -test.margin) & (ends[1] <= test.margin)
        assert np.array_equal(inside, bonferroni <= alpha)
        return
    decides_alike(bonferroni, alpha, *ends, test.popmean)


@every_case
@random_designs(few=2, many=30)
def test_simultaneous_intervals_decide_as_adjusted_p_values(case, seed):
    rng = np.random.default_rng(seed)
    options = {"alpha": float(rng.choice([0.05, 0.4])), "p_adjust": "bonferroni"}
    reference, n_models = ["b", None][seed % 2], 4 + seed % 2
    result = compared(case, rng, n_models, reference=reference, **options)
    if result.test.decides == "posterior":
        assert result.table.simultaneous is None
        return
    n_pairs = n_models * (n_models - 1) // 2
    check_simultaneous(result, n_models - 1 if reference else n_pairs)


TWO_SIDED = [case for case in CASES if not case.endswith(("greater", "less"))]


@pytest.mark.parametrize("case", some_of(TWO_SIDED, 6))
@random_designs(few=2, many=20)
def test_the_total_error_is_that_of_the_interval(case, seed):
    """What is handed on to be pooled includes what the interval includes."""
    result = compared(case, np.random.default_rng(seed), 2)
    (fitted,) = result.tests.values()
    (row,) = result.to_frame().to_dict("records")
    level = fitted.level_of_interval(result.alpha)
    quantile = stats.t.ppf((1 + level) / 2, result.table.total_df)
    width = row["ci_high"] - row["ci_low"]
    assert 2 * quantile * row["total_error"] == pytest.approx(width, rel=1e-3)


@pytest.mark.parametrize("reference", ["best", None, 1])
@random_designs(few=3, many=30)
def test_candidates_count_their_family_once(reference, seed):
    rng = np.random.default_rng(seed)
    alpha, m = float(rng.choice([0.05, 0.4])), int(rng.integers(3, 7))
    result = cvtest.compare_candidates(
        search_of(rng, m), cv=6, reference=reference, p_adjust="bonferroni", alpha=alpha
    )
    family = m - 1 if reference == 1 else m * (m - 1) // 2
    check_simultaneous(result, family)


@pytest.mark.parametrize("design", ["k-fold", "repeated k-fold", "holdout"])
@random_designs(few=2, many=30)
def test_labels_count_labels_and_pairs(design, seed):
    rng = np.random.default_rng(seed)
    alpha = float(rng.choice([0.05, 0.4]))
    data = data_of(rng, 3, 96)
    result = data.compare(SPLITTERS[design](seed), alpha=alpha)
    by_label = result.by(np.arange(96) % 3, p_adjust="bonferroni").to_frame()
    tested = np.isfinite(by_label.pvalue)
    adjusted = np.minimum(tested.sum() * by_label.pvalue, 1)
    np.testing.assert_allclose(by_label.pvalue_adjusted, adjusted)
    ends = by_label.ci_low_simultaneous, by_label.ci_high_simultaneous
    decides_alike(by_label.pvalue, alpha, by_label.ci_low, by_label.ci_high)
    decides_alike(adjusted, alpha, *ends)


@random_designs(few=2, many=20)
def test_a_corrected_ttest_excludes_what_it_rejects(seed):
    a, b = np.random.default_rng(seed).standard_normal((2, 10))
    result = cvtest.corrected_ttest(a, b, 90, 10)
    for level in (0.05, result.pvalue_ * 1.001, result.pvalue_ * 0.999):
        if 0 < level < 1:
            low, high = result.confidence_interval(1 - level)
            assert excludes(low, high, 0) == (result.pvalue_ <= level)
