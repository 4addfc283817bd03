"""adjust_pvalues."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from statsmodels.stats.multitest import multipletests

from sklearn_cvtest import (
    adjust_pvalues,
)
from sklearn_cvtest._inference import _multiplicity as multiplicity

PEERS = {
    "holm": "holm",
    "bonferroni": "bonferroni",
    "hochberg": "simes-hochberg",
    "fdr_bh": "fdr_bh",
}
every_method = pytest.mark.parametrize("method", PEERS)


# p sorted 0.01, 0.02, 0.03, 0.5; n = 4.
# holm        4 x .01 = .04, 3 x .02 = .06, max(.06, 2 x .03) = .06, max(.06, .5) = .5
# bonferroni  .04, .08, .12, min(1, 2) = 1
# hochberg    from the largest: .5, 2 x .03 = .06, min(.06, 3 x .02) = .06, min(.06,
#             4 x .01) = .04
# fdr_bh      from the largest: .5, 4/3 x .03 = .04, min(.04, 4/2 x .02) = .04, and
#             min(.04, 4 x .01) = .04
@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("holm", [0.5, 0.04, 0.06, 0.06]),
        ("bonferroni", [1, 0.04, 0.12, 0.08]),
        ("hochberg", [0.5, 0.04, 0.06, 0.06]),
        ("fdr_bh", [0.5, 0.04, 0.04, 0.04]),
    ],
)
def test_adjust_pvalues_by_hand(method, expected):
    assert_allclose(adjust_pvalues([0.5, 0.01, 0.03, 0.02], method), expected)


# holm: 2 x .03 = .06, max(.06, .04) = .06; hochberg: .04, min(.04, 2 x .03) = .04.
def test_hochberg_rejects_more_than_holm():
    assert_allclose(adjust_pvalues([0.03, 0.04], "holm"), [0.06, 0.06])
    assert_allclose(adjust_pvalues([0.03, 0.04], "hochberg"), [0.04, 0.04])


@every_method
@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_adjust_pvalues_agrees_with_statsmodels(method, n):
    rng = np.random.default_rng(n)
    for p in (rng.uniform(size=n), rng.uniform(size=n) ** 6, rng.integers(0, 4, n) / 4):
        expected = multipletests(p, method=PEERS[method])[1]
        assert_allclose(adjust_pvalues(p, method), expected, rtol=1e-12, atol=1e-300)


def closed_holm(p):
    """Adjust by the closure of Bonferroni tests, over all subsets."""
    n = len(p)
    subsets = [
        subset
        for size in range(1, n + 1)
        for subset in itertools.combinations(range(n), size)
    ]
    return [
        max(
            min(1, len(subset) * min(p[i] for i in subset))
            for subset in subsets
            if k in subset
        )
        for k in range(n)
    ]


def test_holm_is_the_closure_of_bonferroni():
    for p in np.random.default_rng(0).uniform(size=(20, 5)) ** 3:
        assert_allclose(adjust_pvalues(p, "holm"), closed_holm(p))


@every_method
def test_adjust_pvalues_treats_rows_as_families(method):
    p = np.random.default_rng(1).uniform(size=(2, 3, 5)) ** 3
    adjusted = adjust_pvalues(p, method)
    assert adjusted.shape == p.shape
    for index in np.ndindex(2, 3):
        assert_array_equal(adjusted[index], adjust_pvalues(p[index], method))


@every_method
def test_adjust_pvalues_follows_the_order_given(method):
    rng = np.random.default_rng(2)
    p, order = rng.uniform(size=9) ** 2, rng.permutation(9)
    assert_allclose(
        adjust_pvalues(p[order], method), adjust_pvalues(p, method)[order], rtol=1e-15
    )


@every_method
def test_adjust_pvalues_never_decreases_and_stays_below_one(method):
    p = np.random.default_rng(3).uniform(size=(50, 6))
    adjusted = adjust_pvalues(p, method)
    assert np.all(adjusted >= p)
    assert np.all(adjusted <= 1)
    order = np.argsort(p, axis=-1)
    assert np.all(np.diff(np.take_along_axis(adjusted, order, -1), axis=-1) >= 0)


@every_method
@pytest.mark.parametrize("p", [[0.0, 0.0, 0.0], [1.0, 1.0], [0.2]])
def test_adjust_pvalues_keeps_zeros_ones_and_single_values(p, method):
    assert_array_equal(adjust_pvalues(p, method), p)


@every_method
def test_adjust_pvalues_of_a_number_is_an_array_of_one(method):
    assert_array_equal(adjust_pvalues(0.3, method), [0.3])


@every_method
def test_adjust_pvalues_leaves_its_input(method):
    p = np.array([0.3, 0.01, 0.2])
    before = p.copy()
    adjusted = adjust_pvalues(p, method)
    adjusted[:] = 0
    assert_array_equal(p, before)


def test_adjust_pvalues_is_holm_unless_told():
    p = [0.03, 0.04, 0.2]
    assert_array_equal(adjust_pvalues(p), adjust_pvalues(p, "holm"))


# max-t --------------------------------------------------------------------------

# It is computed to about 1%.
ABOUT = {"rtol": 0.03}


def adjust_max_t(p, correlation, df=np.inf, alternative="two-sided"):
    return adjust_pvalues(
        p, "max-t", correlation=correlation, df=df, alternative=alternative
    )


def pvalues_of(t, df, alternative="two-sided"):
    if alternative == "two-sided":
        return 2 * stats.t.sf(np.abs(t), df)
    return stats.t.sf(t if alternative == "greater" else np.negative(t), df)


def random_correlation(n, rank, seed=0):
    rows = np.random.default_rng(seed).normal(size=(n, rank))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows @ rows.T


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_max_t_agrees_with_dunnett(alternative):
    rng = np.random.default_rng(0)
    sizes = np.array([8, 7, 9, 6])
    control, *samples = (rng.normal(0.5 * i, size=n) for i, n in enumerate(sizes))
    peer = stats.dunnett(
        *samples, control=control, alternative=alternative, random_state=0
    )
    share = np.sqrt(sizes[1:] / (sizes[1:] + sizes[0]))
    correlation = np.outer(share, share)
    np.fill_diagonal(correlation, 1)
    df = sizes.sum() - 4
    p = pvalues_of(peer.statistic, df, alternative)
    adjusted = adjust_max_t(p, correlation, df, alternative)
    assert_allclose(adjusted, peer.pvalue, **ABOUT)


def test_max_t_of_all_pairs_is_tukeys_test():
    rng = np.random.default_rng(1)
    samples = rng.normal([[0.0], [0.4], [0.8], [1.0]], size=(4, 9))
    pairs = list(itertools.combinations(range(4), 2))
    contrasts = np.array([np.eye(4)[i] - np.eye(4)[j] for i, j in pairs])
    error = np.sqrt(2 * samples.var(axis=1, ddof=1).mean() / 9)
    p = pvalues_of(contrasts @ samples.mean(axis=1) / error, 32)
    expected = [stats.tukey_hsd(*samples).pvalue[pair] for pair in pairs]
    assert_allclose(adjust_max_t(p, contrasts @ contrasts.T / 2, 32), expected, **ABOUT)


@pytest.mark.parametrize("t", [1.0, 2.5, 4.0])
@pytest.mark.parametrize("df", [4, 30])
def test_max_t_is_the_tail_of_the_multivariate_t(t, df):
    correlation = np.array([[1, 0.5, -0.3], [0.5, 1, 0.2], [-0.3, 0.2, 1]])
    law = stats.multivariate_t(shape=correlation, df=df, seed=0)
    inside = {
        "two-sided": law.cdf([t] * 3, lower_limit=[-t] * 3, maxpts=100_000),
        "greater": law.cdf([t] * 3, maxpts=100_000),
    }
    for alternative, expected in inside.items():
        p = np.repeat(pvalues_of(t, df, alternative), 3)
        adjusted = adjust_max_t(p, correlation, df, alternative)
        assert_allclose(adjusted, 1 - expected, **ABOUT)


def test_one_sided_max_t_of_negative_statistics():
    t = np.array([-2.0, -0.5, 0.0])
    correlation = random_correlation(3, 2)
    draws = stats.multivariate_t(
        shape=correlation, df=5, allow_singular=True, seed=0
    ).rvs(100_000)
    expected = np.mean(draws.max(axis=1)[:, np.newaxis] >= t, axis=0)
    adjusted = adjust_max_t(pvalues_of(t, 5, "greater"), correlation, 5, "greater")
    assert_allclose(adjusted, expected, atol=0.01)


@pytest.mark.parametrize("p", [0.0, 1e-12, 0.03, 0.5, 1.0])
@pytest.mark.parametrize("alternative", ["two-sided", "less"])
def test_max_t_of_one_comparison_adjusts_nothing(p, alternative):
    assert_array_equal(adjust_max_t([p], [[1.0]], 5, alternative), [p])


def test_max_t_of_the_same_statistic_adjusts_next_to_nothing():
    p = [0.001, 0.04, 0.3]
    signs = np.array([[1, -1, 1], [-1, 1, -1], [1, -1, 1.0]])
    assert_allclose(adjust_max_t(p, signs, 7), p, rtol=0.01)


def test_max_t_of_independent_normal_statistics_is_sidaks():
    p = np.array([1e-6, 0.001, 0.02, 0.3, 0.9])
    assert_allclose(adjust_max_t(p, np.eye(5)), 1 - (1 - p) ** 5, **ABOUT)


def test_max_t_of_small_p_values_is_bonferronis():
    p = np.array([1e-9, 1e-7, 1e-5])
    assert_allclose(adjust_max_t(p, np.eye(3)), 3 * p, **ABOUT)


def test_max_t_is_between_p_and_bonferronis():
    p = np.append(np.geomspace(1e-14, 1, 37), [0.0, 1.0, 1.0])
    adjusted = adjust_max_t(p, random_correlation(40, 6), 9)
    assert np.all((adjusted >= p) & (adjusted <= np.minimum(40 * p, 1)))
    assert np.all(np.diff(adjusted[:37]) >= 0)
    assert list(adjusted[37:]) == [0, 1, 1]


def test_max_t_treats_rows_as_families_of_one_correlation():
    p = np.random.default_rng(0).uniform(size=(2, 3, 4))
    correlation = random_correlation(4, 3)
    adjusted = adjust_max_t(p, correlation, 8)
    for index in np.ndindex(2, 3):
        assert_array_equal(adjusted[index], adjust_max_t(p[index], correlation, 8))


def test_max_t_follows_the_order_given():
    p, order = np.array([0.001, 0.02, 0.04, 0.5]), [2, 0, 3, 1]
    correlation = random_correlation(4, 2)
    again = adjust_max_t(p[order], correlation[np.ix_(order, order)], 6)
    assert_allclose(again, adjust_max_t(p, correlation, 6)[order], **ABOUT)


def test_max_t_is_the_same_each_time():
    p, correlation = [0.01, 0.2], random_correlation(2, 2)
    assert_array_equal(adjust_max_t(p, correlation), adjust_max_t(p, correlation))


@every_method
@pytest.mark.parametrize("name", ["correlation", "df"])
def test_other_methods_refuse_what_only_max_t_uses(method, name):
    with pytest.raises(
        ValueError, match=f"`{name}` must be None with method='{method}'"
    ):
        adjust_pvalues([0.1, 0.2], method, **{name: 1.0})


def test_alternative_is_one_of_three():
    with pytest.raises(ValueError, match=r"`alternative` must be .*; got 'both'"):
        adjust_pvalues([0.1], alternative="both")


# Rotation -----------------------------------------------------------------------


def t_of_rows(values):
    return stats.ttest_1samp(values, 0, axis=-1)


def rotated(values, n_draws, rng):
    """Return the largest |t| of rows after random rotations of the blocks."""
    n_blocks = values.shape[1]
    turns, upper = np.linalg.qr(rng.normal(size=(n_draws, n_blocks, n_blocks)))
    turns *= np.sign(np.diagonal(upper, axis1=1, axis2=2))[:, np.newaxis]  # Haar
    return np.abs(stats.ttest_1samp(values @ turns, 0, axis=-1).statistic).max(axis=1)


def rotation_pvalues(pvalues, values, alternative="two-sided"):
    return multiplicity.rotation_adjustment(pvalues, values, alternative)[0]


@pytest.mark.parametrize("n_rows", [3, 12])  # fewer and more than blocks
def test_rotation_pvalues_are_those_of_random_rotations(n_rows):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(n_rows, 6)) @ np.diag([1, 2, 1, 1, 3, 1]) + 0.7
    found = t_of_rows(values)
    adjusted = rotation_pvalues(found.pvalue, values)
    largest = rotated(values, 20_000, rng)
    expected = np.mean(largest[:, np.newaxis] >= np.abs(found.statistic), axis=0)
    assert_allclose(adjusted, expected, atol=0.014)  # 4 standard errors


def test_rotation_pvalue_of_one_row_is_that_of_the_t_test():
    values = np.random.default_rng(1).normal(size=(1, 8))
    p = t_of_rows(values).pvalue
    assert_array_equal(rotation_pvalues(p, values), p)


def test_rows_of_zeros_have_no_part():
    values = np.random.default_rng(2).normal(size=(3, 8))
    p = t_of_rows(values).pvalue
    one = rotation_pvalues(p, values)
    two = rotation_pvalues(np.append(p, 1.0), np.vstack([values, np.zeros(8)]))
    assert_allclose(two, np.append(one, 1.0))
    assert list(rotation_pvalues(np.ones(2), np.zeros((2, 8)))) == [1, 1]


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_rotation_pvalues_do_not_depend_on_the_unit(scale):
    values = np.random.default_rng(3).normal(size=(4, 8))
    p = t_of_rows(values).pvalue
    assert_allclose(
        rotation_pvalues(p, scale * values),
        rotation_pvalues(p, values),
    )


def differences(rng, n_blocks, n_candidates, shared):
    """Return block means of all pairs: exchangeable normal, some candidates alike."""
    scale = np.array([1.0, 1.0, 1.0, 5.0, 0.1])[:n_candidates]
    blocks = rng.normal(size=(n_candidates, n_blocks))
    blocks = scale[:, np.newaxis] * (
        blocks + shared * rng.normal(size=(n_candidates, 1))
    )
    pairs = itertools.combinations(range(n_candidates), 2)
    return np.array([blocks[i] - blocks[j] for i, j in pairs])


# The variance of a mean is 1/J + shared², and ρ the share of shared² in it. (The
# multivariate t with correlations estimated from the blocks rejects 7 to 8% with 5
# equal candidates and 10 blocks, 31% with 10 candidates and 5 blocks.)
@pytest.mark.full
@pytest.mark.parametrize(("n_blocks", "shared"), [(5, 0.3), (10, 0.0)])
@pytest.mark.parametrize("real", [0.0, 4.0])
def test_rotation_keeps_the_familywise_error(n_blocks, shared, real, monkeypatch):
    monkeypatch.setattr(multiplicity, "DRAWS_PER_LEVEL", 250)
    rng = np.random.default_rng(0)
    rho = shared**2 / (1 / n_blocks + shared**2)
    n_families, n_false = 400, 0
    truth = np.array([0, 0, 0, 1, 0, 0, 1, 0, 1, 1]) > 0  # pairs with candidate 3
    for _ in range(n_families):
        values = differences(rng, n_blocks, 5, shared) + real * truth[:, np.newaxis]
        mean = values.mean(axis=1, keepdims=True)
        values += (np.sqrt(1 - rho) - 1) * mean
        adjusted = rotation_pvalues(t_of_rows(values).pvalue, values)
        null = ~truth if real else np.ones(10, dtype=bool)
        n_false += adjusted[null].min() <= 0.05
    low, high = stats.binom.ppf([0.0005, 0.9995], n_families, 0.05)
    assert n_false <= high
    if not real:
        assert n_false >= low
