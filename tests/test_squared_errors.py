"""The allowance for heavy tails in differences of squared errors."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import integrate, stats

from sklearn_cvtest import (
    CVResiduals,
    IntegratedRhoTest,
    compare_predictions,
)

pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn_cvtest.exceptions.HeavyTailedResidualsWarning"
)

N = 60
RNG = np.random.default_rng(3)
ERRORS = RNG.lognormal(size=(N, 2)) * RNG.choice([-1, 1], size=(N, 2))
SQUARES = ERRORS**2


def known(e, tail, **options):
    """Residuals of two models' squared errors, whose tail is known."""
    residuals = CVResiduals.from_array(e)
    return replace(residuals, names=("a", "b"), error_tail=tail, **options)


def l_skewness_by_pairs(x):
    """By the definition of Hosking (1990), of all triples and pairs."""
    threes = [c - 2 * b + a for a, b, c in combinations(np.sort(x), 3)]
    twos = [b - a for a, b in combinations(np.sort(x), 2)]
    return np.mean(threes) / 3 / (np.mean(twos) / 2)


def naive_pvalue(e, factor):
    """p averaged over ρ of one K-fold, its variance times a factor."""
    z = e.mean() / np.sqrt(factor * e.var(ddof=1) / len(e))

    def p(rho):
        return 2 * stats.norm.sf(abs(z) * np.sqrt(1 - rho))

    return integrate.quad(p, 0, 0.75)[0] / 0.75


def test_variance_is_larger_by_the_tail_of_the_lighter_model():
    split = np.repeat(np.arange(10), 6)
    predictions = {"a": ERRORS[:, 0], "b": ERRORS[:, 1]}
    found = compare_predictions(
        np.zeros(N), predictions, loss="squared_error", splits=split
    )
    tail = min(l_skewness_by_pairs(np.abs(column)) for column in ERRORS.T)
    assert tail > 0.3
    factor = 1 + 15 * (tail - 0.2) / np.sqrt(N)
    e = SQUARES[:, 0] - SQUARES[:, 1]
    assert_allclose(found.pvalue_, naive_pvalue(e, factor), rtol=1e-6)
    # absolute errors are skewed as well, and are corrected for that
    absolute = compare_predictions(
        np.zeros(N), predictions, loss="absolute_error", splits=split
    )
    e = np.abs(ERRORS[:, 0]) - np.abs(ERRORS[:, 1])
    order = np.argsort(split, kind="stable")
    plain = IntegratedRhoTest().fit(e[order].reshape(10, 6))
    assert_allclose(absolute.pvalue_, plain.pvalue_, rtol=1e-12)


@pytest.mark.parametrize("tail", [0.1, 0.2])
def test_errors_with_light_tails_need_no_allowance(tail):
    e = (SQUARES[:, 0] - SQUARES[:, 1]).reshape(10, 6)
    test = IntegratedRhoTest().fit(known(e, tail))
    plain = IntegratedRhoTest(correct_skewness=False).fit(e)
    assert test.pvalue_ == plain.pvalue_


def test_swapped_and_scaled_squares_give_the_same():
    e = (SQUARES[:, 0] - SQUARES[:, 1]).reshape(10, 6)
    tests = [
        IntegratedRhoTest(alternative=side).fit(known(scale * e, 0.5))
        for side, scale in (("less", 1), ("greater", -1), ("less", 1e6))
    ]
    assert_allclose([test.pvalue_ for test in tests], tests[0].pvalue_)


def test_interval_inverts_p_and_errors_hold_the_allowance():
    e = (SQUARES[:, 0] - SQUARES[:, 1]).reshape(10, 6)
    residuals = known(e, 0.5)
    test = IntegratedRhoTest().fit(residuals)
    for end in test.confidence_interval():
        at_end = IntegratedRhoTest(popmean=end).fit(residuals)
        assert_allclose(at_end.pvalue_, 0.05, rtol=1e-6)
    root = np.sqrt(1 + 15 * 0.3 / np.sqrt(N))
    plain = IntegratedRhoTest(correct_skewness=False).fit(e)
    assert_allclose(test.total_error_, root * plain.total_error_)
    assert_allclose(test.standard_error_, plain.standard_error_)


def test_many_pairs_have_allowances_of_their_own():
    values = RNG.normal(0.3, size=(3, N))
    tails = np.array([0.2, 0.3, 0.6])
    many = replace(
        known(values[0].reshape(10, 6), None),
        values=values,
        names=[("a", "b")] * 3,
        error_tail=tails,
    )
    found = IntegratedRhoTest().evaluate(many)
    single = [
        IntegratedRhoTest().fit(known(e.reshape(10, 6), tail)).pvalue_
        for e, tail in zip(values, tails, strict=True)
    ]
    assert_allclose(found.pvalue, single)


def test_groups_of_several_rows_have_no_allowance():
    groups = np.arange(N) // 3
    e = (SQUARES[:, 0] - SQUARES[:, 1]).reshape(10, 6)
    for weights in ("examples", "groups"):
        test = IntegratedRhoTest(weights=weights)
        residuals = known(e, 0.5, groups=groups)
        expected = test.fit(replace(residuals, error_tail=None)).pvalue_
        assert test.fit(residuals).pvalue_ == expected
