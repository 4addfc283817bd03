"""Statistics, p-values and bounds of Student's t, by hand and by scipy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from sklearn_cvtest import CVResiduals
from sklearn_cvtest._inference._student import (
    largest_rho,
    ratio_or_limit,
    relative_skewness,
    rho_alpha,
    scaled_root,
    student_interval,
    student_pvalue,
    t_statistic,
)

T = np.array([-2.5, -0.3, 0.0, 1.2, 4.0])


@pytest.mark.parametrize("df", [2.6, 9, np.inf])
def test_pvalues_and_intervals_are_scipys(df):
    law = stats.norm if df == np.inf else stats.t(df)
    assert_allclose(student_pvalue(T, df, "less"), law.cdf(T), rtol=1e-12)
    assert_allclose(student_pvalue(T, df, "greater"), law.sf(T), rtol=1e-12)
    both = 2 * law.sf(np.abs(T))
    assert_allclose(student_pvalue(T, df, "two-sided"), both, rtol=1e-12)
    half = law.isf(0.05) * 0.2
    assert_allclose(
        student_interval(1.0, 0.2, df, 0.9, "two-sided"), (1 - half, 1 + half)
    )
    half = law.isf(0.1) * 0.2
    assert_allclose(student_interval(1.0, 0.2, df, 0.9, "less"), (-np.inf, 1 + half))
    assert_allclose(student_interval(1.0, 0.2, df, 0.9, "greater"), (1 - half, np.inf))


def test_t_by_hand():
    # mean 3, S² = 4, so √(1 - ρ) (3 - 1)/√(4/4) with ρ = 0.19
    values = np.array([1.0, 5.0, 3.0 + np.sqrt(2), 3.0 - np.sqrt(2)])
    found = t_statistic(values, 0.19, popmean=1.0)
    assert_allclose(found, (3.0, 1 / 0.9, 1.8))
    assert t_statistic(np.full(4, 0.1), popmean=0.1) == (0.1, 0.0, 0.0)
    assert t_statistic(np.full(4, 0.1))[1:] == (0.0, np.inf)


def test_t_is_vectorised_over_leading_axes():
    rng = np.random.default_rng(2)
    e, rho = rng.normal(size=(3, 4, 6)), rng.uniform(size=(3, 4))
    found = t_statistic(e, rho, 0.1).statistic
    for i, j in np.ndindex(3, 4):
        expected = stats.ttest_1samp(e[i, j], 0.1).statistic * np.sqrt(1 - rho[i, j])
        assert_allclose(found[i, j], expected, rtol=1e-12)


def test_rho_alpha_is_vectorised():
    t = np.array([-3.0, 0.0, 1.0, 3.0])
    together = rho_alpha(t, 9, 0.05, "two-sided")
    expected = [rho_alpha(one, 9, 0.05, "two-sided") for one in t]
    assert_allclose(together, expected, rtol=1e-15)


def test_relative_skewness_is_scipys_over_the_root_of_n():
    e = np.random.default_rng(0).lognormal(sigma=2.0, size=120)
    moments = CVResiduals.from_array(e.reshape(10, 12)).example_moments
    assert_allclose(
        relative_skewness(moments.squares, moments.cubes, e.size),
        stats.skew(e) / np.sqrt(e.size),
        rtol=1e-12,
    )


def test_largest_rho_by_hand():
    # √(1 - ρ) 4 = 2 at ρ = 3/4; what is not above 0 is never rejected
    statistics = [4.0, 2.0, 1.0, 0.0, -4.0]
    assert largest_rho(statistics, 2.0).tolist() == [0.75, 0, -3, -np.inf, -np.inf]
    assert largest_rho(statistics, -1.0).tolist() == [1.0] * 5
    critical = stats.t.isf(0.025, 9)
    for statistic, alternative, alpha in (
        (-2 * critical, "two-sided", 0.05),
        (2 * critical, "greater", 0.025),
        (-2 * critical, "less", 0.025),
    ):
        assert rho_alpha(statistic, 9, alpha, alternative) == pytest.approx(0.75)
    assert rho_alpha(2 * critical, 9, 0.025, "less") == -np.inf


def test_limits():
    ratios = ratio_or_limit(np.array([0.0, 1.0, -1.0, 3.0]), np.array([0.0, 0, 0, 2]))
    assert ratios.tolist() == [0, np.inf, -np.inf, 1.5]
    assert scaled_root(np.inf, 0.0) == 0.0
    assert scaled_root(3.0, 2.0) == 6.0


# Roots of many pairs start from a polynomial in the share of the noise of splits that
# repeats leave; each is also that of a bisection by itself.
