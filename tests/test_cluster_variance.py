"""Means and their variances by groups: arrays in, arrays out."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from sklearn_cvtest._data import _clusters
from sklearn_cvtest._data._clusters import (
    cluster_moments,
    effective_number,
    estimand_weights,
    null_cluster_chi2,
    unequal_allowance,
)
from sklearn_cvtest._data._moments import cluster_sums
from sklearn_cvtest._splits._groups import has_repeated_groups

RNG = np.random.default_rng(0)
D = np.array([0.1, 0.2, -0.1, 0.3, 0.0, 0.4])
PAIRS = np.array([0, 0, 1, 1, 2, 2])
CODES = RNG.permutation(np.repeat(np.arange(12), RNG.integers(1, 9, 12)))
N = len(CODES)
E = RNG.normal(0.3, 1, size=(2, 3, N)) + RNG.normal(size=(2, 3, 12))[..., CODES]
WEIGHTS = RNG.uniform(0.2, 2, N)
# Whole groups in each of 3 blocks.
BLOCKS = (np.arange(12) % 3)[CODES]


def naive_moments(e, codes, weights=None, blocks=None):
    """Mean, variance and skewness of one series, by loops over groups."""
    w = np.ones(len(e)) if weights is None else weights
    blocks = np.zeros(len(e), int) if blocks is None else blocks
    centre = {b: np.average(e[blocks == b], weights=w[blocks == b]) for b in blocks}
    deviations = e - [centre[b] for b in blocks]
    sums = [(w * deviations)[codes == g].sum() / w.sum() for g in np.unique(codes)]
    n_groups, n_blocks = len(sums), len(centre)
    squares = sum(u**2 for u in sums)
    skewness = sum(u**3 for u in sums) / squares**1.5
    variance = n_groups / (n_groups - n_blocks) * squares
    return np.average(e, weights=w), variance, skewness


def mean_of(moments):
    return moments.scale * moments.mean


def error_of(moments):
    return moments.scale * np.sqrt(moments.variance)


# By hand: the mean is .15, sums of deviations 0, -.1 and .1, so 3/2 (.02)/36 = 1/1200.
def test_cluster_moments_by_hand():
    moments = cluster_moments(D, PAIRS)
    assert_allclose(mean_of(moments), 0.15)
    assert_allclose(error_of(moments), 0.0288675, atol=5e-8)
    assert_allclose(moments.skewness, 0, atol=1e-12)
    assert moments.n_groups == 3


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("blocks", [None, BLOCKS])
def test_cluster_moments_agree_with_loops(weights, blocks):
    moments = cluster_moments(E, CODES, weights=weights, blocks=blocks)
    for place in np.ndindex(2, 3):
        expected = naive_moments(E[place], CODES, weights, blocks)
        got = mean_of(moments), error_of(moments) ** 2, moments.skewness
        assert_allclose([one[place] for one in got], expected, rtol=1e-10)


def test_cluster_moments_of_a_row_are_those_of_the_whole():
    whole, row = cluster_moments(E, CODES), cluster_moments(E[1, 2], CODES)
    assert_allclose(whole.variance[1, 2], row.variance, rtol=1e-13)


# Ordinary least squares on a constant, statsmodels 0.14: the same factor G/(G - 1).
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_standard_error_is_that_of_statsmodels(weights):
    ones = np.ones(N)
    model = sm.WLS(E[0, 0], ones, weights=ones if weights is None else weights)
    fitted = model.fit(cov_type="cluster", cov_kwds={"groups": CODES})
    moments = cluster_moments(E[0, 0], CODES, weights=weights)
    assert_allclose(error_of(moments), fitted.bse[0], rtol=1e-12)


def test_groups_of_one_value_give_theta5_and_theta4():
    e = RNG.normal(size=(5, 8))
    blocks, codes = np.repeat(np.arange(5), 8), np.arange(40)
    theta5 = cluster_moments(e.ravel(), codes)
    theta4 = cluster_moments(e.ravel(), codes, blocks=blocks)
    assert_allclose(error_of(theta5) ** 2, e.var(ddof=1) / 40, rtol=1e-12)
    within = e.var(axis=1, ddof=1).mean()
    assert_allclose(error_of(theta4) ** 2, within / 40, rtol=1e-12)


def test_skewness_of_groups_of_one_value_is_that_of_the_mean():
    e = RNG.exponential(size=50)
    centred = e - e.mean()
    expected = np.mean(centred**3) / np.mean(centred**2) ** 1.5 / np.sqrt(50)
    assert_allclose(cluster_moments(e, np.arange(50)).skewness, expected)


def test_estimand_groups_is_the_mean_of_group_means():
    means = np.array([E[0, 0][g == CODES].mean() for g in range(12)])
    moments = cluster_moments(E[0, 0], CODES, weights=estimand_weights(CODES, "groups"))
    assert_allclose(mean_of(moments), means.mean())
    assert_allclose(error_of(moments), means.std(ddof=1) / np.sqrt(12))


def test_estimand_examples_has_no_weights():
    assert estimand_weights(CODES, "examples") is None


@pytest.mark.parametrize("blocks", [None, BLOCKS])
def test_a_large_constant_changes_no_variance(blocks):
    first, moved = (
        error_of(cluster_moments(E + shift, CODES, blocks=blocks)) for shift in (0, 1e8)
    )
    assert_allclose(moved, first, rtol=1e-6)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_values_of_any_size_have_a_standard_error(scale):
    first, scaled = cluster_moments(E, CODES), cluster_moments(E * scale, CODES)
    assert_allclose(error_of(scaled), error_of(first) * scale)
    assert_allclose(scaled.skewness, first.skewness)


def test_codes_without_values_are_no_groups():
    first, other = cluster_moments(E, CODES), cluster_moments(E, 3 * CODES + 2)
    assert other.n_groups == 12
    assert_allclose(other.variance, first.variance)


def test_one_group_in_each_block_has_no_variance_within():
    assert np.isnan(cluster_moments(E[0, 0], BLOCKS, blocks=BLOCKS).variance)


def test_constant_values_have_no_variance():
    moments = cluster_moments(np.full(6, 0.1), PAIRS)
    assert (moments.variance, moments.skewness) == (0, 0)


def test_chunks_change_nothing(monkeypatch):
    expected = cluster_moments(E, CODES)
    monkeypatch.setattr(_clusters, "CHUNK", 2 * N)
    for got, one in zip(cluster_moments(E, CODES), expected, strict=True):
        assert_allclose(got, one, rtol=1e-13)


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("values", [E, E[0], E[0, 0], E[:1, :1]])
def test_cluster_sums_have_the_shape_of_their_values(values, weights):
    sums = cluster_sums(values, CODES, weights)
    weighted = values if weights is None else values * weights
    for group in range(12):
        expected = weighted[..., group == CODES].sum(axis=-1)
        assert_allclose(sums[..., group], expected, atol=1e-12)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=8))
@settings(max_examples=30, deadline=None)
def test_are_groups_if_any_code_is_there_twice(codes):
    assert has_repeated_groups(np.array(codes)) == (len(set(codes)) < len(codes))


def test_effective_number_by_hand():
    sites = np.repeat(np.arange(4), [420, 100, 30, 19])
    assert_allclose(effective_number(sites), 569**2 / (420**2 + 100**2 + 30**2 + 19**2))
    assert effective_number(PAIRS) == 3
    assert_allclose(effective_number(sites, estimand_weights(sites, "groups")), 4)


# Obuchowski's statistic, sums of groups 1, 2 and -1: 2/3 (2² / 6) = 4/9.
def test_unequal_allowance_by_hand():
    # shares 5/8 and three of 1/8: Σw² = 28/64, Σw³ = 1/4, (28/64)² = .191406, and
    # .4375/(.128906 · 4/3) = 2.545455; 1/.4375 = 2.285714 equal groups
    found = unequal_allowance(np.repeat([0, 1, 2, 4], [5, 1, 1, 1]))
    assert_allclose(found, (2.5454545, 1.2857143), atol=1e-6)
    assert unequal_allowance(np.repeat([0, 1, 2, 3], 3)) == (1, 3)


def test_unequal_allowance_does_not_jump():
    # one group of twelve that grows: at 3/4 of 12 effective groups df fell from 11 to 8
    sizes = [np.append(size, np.full(11, 100)) for size in range(100, 400)]
    found = np.array([unequal_allowance(np.repeat(np.arange(12), s)) for s in sizes])
    assert_array_equal(found[0], [1, 11])
    assert np.abs(np.diff(found, axis=0)).max() < 0.1
    assert np.all(np.diff(found, axis=0) * [1, -1] >= 0)


def test_unequal_allowance_is_what_the_variance_lacks():
    sizes = np.array([30, 10, 5, *[2] * 9])
    codes = np.repeat(np.arange(12), sizes)
    e = RNG.normal(size=(20000, 12))[:, codes]
    factor, _ = unequal_allowance(codes)
    moments = cluster_moments(e, codes)
    expected = moments.variance * moments.scale**2
    assert_allclose(factor * expected.mean(), mean_of(moments).var(), rtol=0.05)


def test_null_cluster_chi2_by_hand():
    differences = np.array([1, 0, 1, 1, 0, -1])
    assert_allclose(null_cluster_chi2(differences, PAIRS), 4 / 9)


def test_null_cluster_chi2_of_single_examples_is_mcnemars():
    differences = np.repeat([1.0, -1.0, 0.0], [9, 4, 27])
    expected = 39 / 40 * (9 - 4) ** 2 / (9 + 4)
    assert_allclose(null_cluster_chi2(differences, np.arange(40)), expected)


def test_null_cluster_chi2_without_differences_is_zero():
    assert_array_equal(null_cluster_chi2(np.zeros((2, 6)), PAIRS), [0, 0])


@pytest.mark.parametrize("sizes", [[10] * 20, [2, 30] * 15], ids=["equal", "unequal"])
def test_rejection_rate_of_groups_that_are_alike(sizes):
    # Intra-class correlation .5, 4000 samples. With equal groups the statistic is t
    # exactly: 5% within a 99.9% binomial interval; with very unequal ones about so.
    rng = np.random.default_rng(2)
    codes = np.repeat(np.arange(len(sizes)), sizes)
    noise = rng.normal(size=(4000, len(codes)))
    e = noise + rng.normal(size=(4000, len(sizes)))[:, codes]
    moments = cluster_moments(e, codes)
    statistic = np.abs(mean_of(moments) / error_of(moments))
    rate = np.mean(2 * stats.t.sf(statistic, moments.n_groups - 1) < 0.05)
    margin = 3.3 * np.sqrt(0.05 * 0.95 / 4000)
    assert abs(rate - 0.05) < (margin if sizes[0] == sizes[1] else 2 * margin)
