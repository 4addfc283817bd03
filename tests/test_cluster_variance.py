"""Groups are the units: means and their variances, against statsmodels and by hand."""

from dataclasses import replace

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.testing import assert_allclose
from scipy import stats

from sklearn_cvtest import CVResiduals, HoldoutTTest, KFoldZTest

RNG = np.random.default_rng(0)
CODES = RNG.permutation(np.repeat(np.arange(12), RNG.integers(1, 9, 12)))
N = len(CODES)
E = RNG.normal(0.3, 1, N) + RNG.normal(size=12)[CODES]


def fit(test, e, codes):
    shape = 1, -1
    residuals = CVResiduals.from_array(
        np.reshape(e, shape), design="holdout", groups=np.reshape(codes, shape)
    )
    return test.fit(residuals)


def k_fold(e, codes, n_splits):
    """Return residuals of a K-fold of equal blocks."""
    shape = n_splits, -1
    return CVResiduals.from_array(np.reshape(e, shape), groups=np.reshape(codes, shape))


# Ordinary least squares on a constant, statsmodels 0.14: the same factor G/(G - 1).
def test_standard_error_of_equal_groups_is_that_of_statsmodels():
    codes = RNG.permutation(np.arange(15).repeat(4))
    e = RNG.normal(0.3, 1, 60) + RNG.normal(size=15)[codes]
    fitted = sm.OLS(e, np.ones(60)).fit(cov_type="cluster", cov_kwds={"groups": codes})
    order = np.argsort(codes, kind="stable")  # whole groups in each of 5 blocks
    for test in (
        fit(HoldoutTTest(), e, codes),
        KFoldZTest(0).fit(k_fold(e[order], codes[order], 5)),
    ):
        assert_allclose(test.standard_error_, fitted.bse[0], rtol=1e-10)
        assert test.df_ == 14


def naive_unequal(e, codes):
    """Return t of groups of other sizes and its df, by loops: the module's rule."""
    sums, shares = [], []
    for group in np.unique(codes):
        sums.append(np.sum(e[codes == group] - e.mean()))
        shares.append(np.mean(codes == group))
    second, third = np.sum(np.square(shares)), np.sum(np.power(shares, 3))
    expected = second - 2 * third + second**2
    variance = second / expected * np.sum(np.square(sums)) / len(e) ** 2
    return e.mean() / np.sqrt(variance), 1 / second - 1


def test_unequal_groups_by_loops():
    """The sum of squares times what it lacks, with 1/Σw² - 1 degrees of freedom."""
    residuals = CVResiduals.from_array(E[:, np.newaxis], groups=CODES[:, np.newaxis])
    test = KFoldZTest(0).fit(residuals)
    statistic, df = naive_unequal(E, CODES)
    assert_allclose([test.statistic_, test.df_], [statistic, df], rtol=1e-10)
    assert_allclose(test.pvalue_, 2 * stats.t.sf(abs(statistic), df), rtol=1e-8)


@pytest.mark.parametrize("scale", [1e-100, 1e100])
def test_values_of_any_size_have_a_standard_error(scale):
    first, scaled = (fit(HoldoutTTest(), s * E, CODES) for s in (1, scale))
    assert_allclose(scaled.standard_error_, first.standard_error_ * scale)


def test_a_large_constant_changes_no_variance():
    first, moved = (fit(HoldoutTTest(), E + shift, CODES) for shift in (0, 1e8))
    assert_allclose(moved.standard_error_, first.standard_error_, rtol=1e-6)


def test_constant_values_have_no_variance():
    test = fit(HoldoutTTest(popmean=0.1), np.full(N, 0.1), CODES)
    assert (test.standard_error_, test.pvalue_) == (0, 1)


def test_the_allowance_for_unequal_groups_does_not_jump():
    """One group of twelve that grows: at 3/4 of 12 equal ones df fell from 11 to 8."""
    found = []
    for size in range(10, 40):
        codes = np.repeat(np.arange(12), [size, *[10] * 11])[:, np.newaxis]
        e = np.zeros(codes.shape)
        e[-1] = 1.0
        found.append(KFoldZTest(0).fit(CVResiduals.from_array(e, groups=codes)).df_)
    assert found[0] == 11
    assert np.all(np.diff(found) <= 0)
    assert np.abs(np.diff(found)).max() < 0.5


@pytest.mark.parametrize("sizes", [[10] * 20, [2, 30] * 15], ids=["equal", "unequal"])
def test_rejection_rate_of_groups_that_are_alike(sizes):
    # Intra-class correlation .5, 4000 samples. With equal groups the statistic is t
    # exactly: 5% within a 99.9% binomial interval; with very unequal ones about so.
    rng = np.random.default_rng(2)
    codes = np.repeat(np.arange(len(sizes)), sizes)
    noise = rng.normal(size=(4000, len(codes)))
    e = noise + rng.normal(size=(4000, len(sizes)))[:, codes]
    one = CVResiduals.from_array(np.zeros((len(codes), 1)), groups=codes[:, np.newaxis])
    pvalues = KFoldZTest(0).evaluate(replace(one, values=e)).pvalue
    margin = 3.3 * np.sqrt(0.05 * 0.95 / 4000)
    bound = margin if sizes[0] == sizes[1] else 2 * margin
    assert abs(np.mean(pvalues < 0.05) - 0.05) < bound
