"""Statistics, p-values and bounds of Student's t, by hand and by scipy."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import optimize, stats

from sklearn_cvtest import CVResiduals
from sklearn_cvtest._inference import _averaged as averaged
from sklearn_cvtest._inference._student import (
    Average,
    hall_transform,
    invert_hall_transform,
    largest_rho,
    ratio_or_limit,
    relative_skewness,
    rho_alpha,
    scaled_root,
    shrinkage,
    student_density,
    student_interval,
    student_pvalue,
    t_statistic,
)

T = np.array([-2.5, -0.3, 0.0, 1.2, 4.0])


@pytest.mark.parametrize("df", [2.6, 9, np.inf])
def test_density_and_pvalues_are_scipys(df):
    law = stats.norm if df == np.inf else stats.t(df)
    assert_allclose(student_density(T, df), law.pdf(T), rtol=1e-12)
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


@pytest.mark.parametrize("skewness", [1e-300, 3e-17, -1e-14, 1e-8, -1e-5])
@pytest.mark.parametrize("z", [-3.0, 1.96, 8.0])
def test_inverse_of_hall_transform_is_exact_for_small_skewness(skewness, z):
    h = hall_transform(z, skewness)
    assert_allclose(invert_hall_transform(h, skewness), z, rtol=1e-12)


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


@pytest.mark.parametrize("skewness", [-0.8, -0.1, 0.0, 0.3, 1.5])
def test_hall_transform_is_monotone_and_inverted(skewness):
    z = np.linspace(-9, 9, 181)
    h = hall_transform(z, skewness)
    assert np.all(np.diff(h) >= 0)
    # ((1 + az/3)³ - 1)/a + a/6: flat at z = -3/a, where inversion loses digits
    steep = np.abs(1 + skewness * z / 3) > 0.05
    assert_allclose(invert_hall_transform(h, skewness)[steep], z[steep], atol=1e-8)


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


@pytest.mark.parametrize("skewness", [-0.4, 0.0, 0.3])
def test_halls_transform_by_hand(skewness):
    z = 1.5
    expected = z + skewness * (2.25 / 3 + 1 / 6) + skewness**2 * 3.375 / 27
    assert hall_transform(z, skewness) == pytest.approx(expected)
    for each in (-6.0, z, 40.0):  # monotone: there is one z for each
        h = hall_transform(each, skewness)
        assert invert_hall_transform(h, skewness) == pytest.approx(each)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize(("skewness", "df"), [(0.0, np.inf), (0.3, 7.0)])
def test_slope_of_the_averaged_pvalue_is_its_derivative(alternative, skewness, df):
    factors, weights = np.array([1.0, 0.6, 0.3]), np.array([0.2, 0.5, 0.3])
    average = Average(np.zeros(3), weights, df, alternative, 0.0)
    for z in (-2.1, 0.7, 3.0):
        slope = average.slope(z, factors, skewness)
        ends = average.pvalue(np.array([z - 1e-5, z + 1e-5]), factors, skewness)
        assert slope == pytest.approx((ends[1] - ends[0]) / 2e-5, rel=1e-6)
    by_hand = sum(weights * student_pvalue(2.0 * factors, df, alternative))
    assert average.pvalue(2.0, factors) == pytest.approx(by_hand)


# Roots of many pairs start from a polynomial in the share of the noise of splits that
# repeats leave; each is also that of a bisection by itself.
@pytest.mark.parametrize("side", ["two-sided", "greater"])
def test_roots_of_many_pairs_are_those_of_each(side):
    rng = np.random.default_rng(0)
    n_pairs, share = 200, rng.uniform(0.2, 1, 200)
    skewness = np.where(rng.random(n_pairs) < 0.2, rng.uniform(-0.6, 0.6, n_pairs), 0.0)
    rho, weights = averaged.rho_prior(0.7)
    average = Average(rho, weights, np.inf, side, 0.7)
    for error, row in itertools.product((0.05, 1e-7), range(0, n_pairs, 20)):
        roots = averaged.averaged_roots(error, share, skewness, average)
        options = shrinkage(rho, share[row]), skewness[row]

        def excess(z, options=options, error=error):
            return average.pvalue(z, *options) / error - 1

        expected = optimize.brentq(excess, 0.1, 200, xtol=1e-13)
        assert_allclose(roots[row], expected, rtol=1e-10)
