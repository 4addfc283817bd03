"""The random-effects synthesis of differences over data sets."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import optimize, stats
from statsmodels.stats.meta_analysis import combine_effects

from sklearn_cvtest._datasets._synthesis import (
    moderate_variances,
    prediction_interval,
    synthesis_interval,
    synthesis_pvalue,
    synthesise,
    variance_df,
)

# Thirteen trials of the BCG vaccine (Colditz et al. 1994), as in W. Viechtbauer,
# "Conducting Meta-Analyses in R with the metafor Package", JSS 36(3), 2010: cases and
# others among the vaccinated, cases and others among the rest.
BCG = np.array(
    [
        [4, 119, 11, 128],
        [6, 300, 29, 274],
        [3, 228, 11, 209],
        [62, 13536, 248, 12619],
        [33, 5036, 47, 5761],
        [180, 1361, 372, 1079],
        [8, 2537, 10, 619],
        [505, 87886, 499, 87892],
        [29, 7470, 45, 7232],
        [17, 1699, 65, 1600],
        [186, 50448, 141, 27197],
        [5, 2493, 3, 2338],
        [27, 16886, 29, 17825],
    ]
).T


def log_relative_risks():
    a, b, c, d = BCG
    effects = np.log(a / (a + b)) - np.log(c / (c + d))
    return effects, np.sqrt(1 / a - 1 / (a + b) + 1 / c - 1 / (c + d))


def collection(n_datasets, seed=0, tau=0.5, df=9, n_pairs=None):
    """Return estimates, standard errors and df of data sets of different sizes."""
    rng = np.random.default_rng(seed)
    shape = (n_datasets,) if n_pairs is None else (n_pairs, n_datasets)
    errors = np.exp(rng.normal(size=shape))
    estimates = tau * rng.normal(size=shape) + errors * rng.normal(size=shape)
    return estimates, errors * np.sqrt(rng.chisquare(df, size=shape) / df), df


@pytest.mark.parametrize(
    "data", [log_relative_risks(), collection(5)[:2], collection(30, 1)[:2]]
)
def test_paule_mandel_as_statsmodels(data):
    """τ² of known variances; the mean is the one of equal weights."""
    result = synthesise(*data)
    # where rounding keeps it from less, it gives up and says 0
    peer = combine_effects(data[0], data[1] ** 2, atol=1e-10)
    assert_allclose(result.tau2, peer.tau2, rtol=1e-8, atol=1e-12)
    assert_allclose(result.estimate, data[0].mean())
    assert_allclose(result.weights, 1 / len(data[0]))


def test_it_is_the_t_test_of_the_estimates():
    d, errors, df = collection(8)
    result = synthesise(d, errors, df)
    expected = stats.ttest_1samp(d, 0.1)
    assert_allclose(synthesis_pvalue(result, 0.1), expected[:2])
    assert_allclose(synthesis_interval(result, 0.9), expected.confidence_interval(0.9))


def test_known_variances_are_not_moderated():
    _, errors, _ = collection(8)
    assert_allclose(moderate_variances(errors**2, np.inf), errors**2, rtol=1e-12)


def test_moderated_variances_by_hand():
    """d0 = 4 and s0² = 1: the posterior of two variances with 4 degrees of freedom.

    The variance of log v is ψ'(2) + ψ'(2) = 2 (π²/6 - 1), its mean 0.
    """
    spread = np.sqrt(np.pi**2 / 6 - 1)
    v = np.exp([-spread, spread])
    assert_allclose(moderate_variances(v, np.array([4, 4])), (1 + v) / 2, rtol=1e-9)


def test_variances_that_differ_by_chance_become_one():
    v = moderate_variances(np.array([0.9, 1.0, 1.1]), np.full(3, 4))
    assert_allclose(v, v[0])


def test_pairs_and_missing_data_sets():
    """A table of pairs gives what each pair gives without what it misses."""
    d, errors, _ = collection(7, n_pairs=4)
    dfs = np.array([4, 9, 14, np.inf, 4, 9, 9])
    present = np.random.default_rng(0).random(d.shape) > 0.3
    d[~present] = np.nan
    table = synthesise(d, errors, dfs, present=present)
    for row, one in enumerate(present):
        alone = synthesise(d[row, one], errors[row, one], dfs[one])
        for name in ("estimate", "standard_error", "df", "tau2", "i2"):
            assert_allclose(getattr(table, name)[row], getattr(alone, name), rtol=1e-7)
        assert_allclose(table.weights[row, one], alone.weights, rtol=1e-7)
        assert (table.weights[row, ~one] == 0).all()
    assert_allclose(table.n_datasets, present.sum(axis=1))


def test_scaling_shifting_and_swapping():
    d, errors, df = collection(6, 2)
    plain = synthesise(d, errors, df)
    other = synthesise(3 - 1e-6 * d, 1e-6 * errors, df)
    assert_allclose(other.estimate - 3, -1e-6 * plain.estimate, rtol=1e-7)
    assert_allclose(other.standard_error, 1e-6 * plain.standard_error, rtol=1e-7)
    assert_allclose(other.tau2, 1e-12 * plain.tau2, rtol=1e-7)
    assert_allclose([other.i2, other.df], [plain.i2, plain.df])


def test_one_data_set_says_nothing_about_others():
    result = synthesise([0.3], [0.1], 9)
    assert result.estimate == 0.3
    assert synthesis_pvalue(result) == (0, 1)
    assert synthesis_interval(result) == (-np.inf, np.inf)
    assert np.isnan(result.tau2)


def test_no_data_set():
    result = synthesise([[0.3, 0.2]], [[0.1, 0.1]], 9, present=False)
    assert np.isnan(result.estimate).all()
    assert synthesis_pvalue(result) == (0, 1)


def test_two_data_sets_predict_nothing():
    result = synthesise([0.3, 0.5], [0.1, 0.1], 9)
    assert prediction_interval(result) == (-np.inf, np.inf)
    expected = stats.ttest_1samp([0.3, 0.5], 0).pvalue
    assert_allclose(synthesis_pvalue(result)[1], expected)


@pytest.mark.parametrize(
    ("estimates", "errors", "error", "pvalue"),
    [
        ([0, 0, 0], [0, 0, 0], 0, 1),
        ([1, 1, 1], [0, 0, 0], 0, 1),  # of no known range, which show nothing
        # equal estimates do not show how they scatter: 1/√Σw, t with 2 degrees
        ([0.1, 0.1, 0.1], [0.3] * 3, 0.3 / 3**0.5, 2 * stats.t.sf(1 / 3**0.5, 2)),
        ([1, 2, 3], [0, 0, 0], 1 / 3**0.5, stats.ttest_1samp([1, 2, 3], 0).pvalue),
    ],
)
def test_degenerate_collections(estimates, errors, error, pvalue):
    result = synthesise(estimates, errors, 4)
    assert_allclose(result.standard_error, error, rtol=1e-9)
    assert_allclose(synthesis_pvalue(result)[1], pvalue, rtol=1e-9)


NEAR_TEN = 0.01 + 0.002 * np.array([-2, -1, 0, 1, 2, -1, 1, 0, 0])


@pytest.mark.parametrize("df", [4, 14.5, np.inf])
def test_a_data_set_without_variance_is_not_known_to_have_none(df):
    """Both models agree on it: it weighs as others, whose variances are equal."""
    errors = np.full(9, 0.008)
    result = synthesise([*NEAR_TEN, 0.0], [*errors, 0.0], df)
    assert_allclose(result.weights, 0.1)
    expected = stats.ttest_1samp([*NEAR_TEN, 0.0], 0).pvalue
    assert_allclose(synthesis_pvalue(result)[1], expected)
    assert expected < 1e-4


def test_variance_of_zero_is_taken_for_the_one_that_others_let_expect():
    _, errors, df = collection(6, 4)
    v = moderate_variances(np.append(errors**2, 0), np.full(7, df))
    assert errors.min() ** 2 < v[-1] < errors.max() ** 2
    assert_allclose(v[:-1], moderate_variances(errors**2, np.full(6, df)))


def test_an_infinite_error_leaves_a_data_set_out():
    d, errors, df = collection(5, 3)
    expected = synthesise(d, errors, df)
    found = synthesise([*d, 9.0], [*errors, np.inf], df)
    assert_allclose(found.estimate, expected.estimate)
    assert_allclose(found.standard_error, expected.standard_error)
    assert found.n_datasets == 5


def test_variances_of_known_sizes_are_moderated_per_example():
    """Where all examples have one variance, variances follow the sizes."""
    sizes = np.array([50, 100, 400, 2000])
    errors = np.sqrt(0.1 / sizes)
    result = synthesise([0.1, 0.2, 0.1, 0.15], errors, 5, sizes=sizes)
    assert_allclose(result.variances, 0.1 / sizes)
    noisy = errors * [0.9, 1.1, 1.05, 0.95]
    result = synthesise([0.1, 0.2, 0.1, 0.15], noisy, 5, sizes=sizes)
    per_example = result.variances * sizes
    assert_allclose(per_example, per_example[0])
    same = synthesise([0.1, 0.2, 0.1, 0.15], noisy, 5, sizes=7 * sizes)
    assert_allclose(same.variances, result.variances)
    assert_allclose(same.tau2, result.tau2)


def test_df_of_a_variance_of_zero_one_losses():
    """Var v / E[v]² = 2/df of simulated zero-one differences."""
    n, k = 2000, 40
    n_first = np.random.default_rng(0).binomial(n, k / n, 40_000)
    v = n_first / n * (1 - n_first / n)
    df = variance_df(np.inf, k)
    assert_allclose(2 / df, v.var() / v.mean() ** 2, rtol=2 * k / n + 0.05)
    assert_allclose(variance_df([9, np.inf, 9], [np.inf, 5, 4.5]), [9, 10, 4.5])
    assert variance_df(14.5, 0) == 0


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_prediction_interval_by_roots_and_mixture(level):
    """As written: τ² at each quantile of Q by brentq, then quantiles of the mixture."""
    d, v = log_relative_risks()[0], log_relative_risks()[1] ** 2
    result = synthesise(d, np.sqrt(v))
    deviations = []
    for tail in (np.arange(128) + 0.5) / 128:
        quantile = stats.chi2.isf(tail, len(d) - 1)

        def excess(tau2, quantile=quantile):
            w = 1 / (v + tau2)
            return np.sum(w * (d - np.sum(w * d) / w.sum()) ** 2) - quantile

        tau2 = optimize.brentq(excess, 0, 1e6) if excess(0) > 0 else 0.0
        deviations.append(np.sqrt(tau2 + np.sum(result.weights**2 * (v + tau2))))
    for end, p in zip(prediction_interval(result, level), (0, 1), strict=True):
        share = stats.norm.cdf(end, result.estimate, deviations).mean()
        assert_allclose(share, [(1 - level) / 2, (1 + level) / 2][p], atol=1e-6)


def test_prediction_interval_contains_that_of_the_mean():
    d, errors, df = collection(3, 1, tau=0.0, n_pairs=500)
    result = synthesise(d, errors, df)
    low, high = synthesis_interval(result)
    pi_low, pi_high = prediction_interval(result)
    assert (pi_low <= low).all()
    assert (pi_high >= high).all()
    point = synthesise([0.1] * 3, [0.0] * 3)
    assert prediction_interval(point) == (-np.inf, np.inf)
    # of differences between -1 and 1: (1 - q)³ = .025, q = .708
    share = 1 - 0.025 ** (1 / 3)
    ends = 0.1 - share * 1.1, 0.1 + share * 0.9
    assert_allclose(synthesis_interval(point, most=1.0), ends)
    assert_allclose(synthesis_pvalue(point, ends[0], most=1.0)[1], 0.05)


@pytest.mark.parametrize("n_datasets", [4, 10])
@pytest.mark.parametrize("tau", [1.0, 3.0])
def test_prediction_interval_holds_the_next_difference(n_datasets, tau):
    """84% at τ = 1 of Higgins' interval; nothing is known better than 14 df."""
    rng = np.random.default_rng(1)
    shape = 600, n_datasets
    errors = np.sqrt(rng.chisquare(14, shape) / 14)
    d = tau * rng.normal(size=shape) + rng.normal(size=shape)
    low, high = prediction_interval(synthesise(d, errors, 14))
    new = tau * rng.normal(size=600)
    assert 0.92 <= np.mean((low <= new) & (new <= high)) <= 0.98


@pytest.mark.parametrize("n_datasets", [5, 30])
@pytest.mark.parametrize("tau", [0.0, 0.5])
def test_size(n_datasets, tau):
    """Variances that differ a hundredfold, each from five blocks."""
    d, errors, df = collection(n_datasets, 0, tau, 4, n_pairs=4000)
    pvalues = synthesis_pvalue(synthesise(d, errors, df))[1]
    assert np.sum(pvalues <= 0.05) <= stats.binom.ppf(0.9995, 4000, 0.05)


def test_true_differences_that_go_with_the_variance():
    """The mean is one over data sets, whatever their variances."""
    errors = np.array([0.3, 1.0, 3.0] * 10)
    d = errors + errors * np.random.default_rng(0).normal(size=(2000, 30))
    result = synthesise(d, errors, 14)
    size = np.mean(synthesis_pvalue(result, popmean=errors.mean())[1] <= 0.05)
    assert size < 0.065


def test_interval_and_pvalue_by_hand():
    # equal weights: mean .3, standard error sd/sqrt(4), t with 3 degrees of freedom
    d = np.array([0.1, 0.2, 0.4, 0.5])
    result = synthesise(d, np.full(4, 0.01))
    error = d.std(ddof=1) / 2
    assert_allclose(result.standard_error, error)
    margin = stats.t.ppf(0.95, 3) * error
    assert_allclose(synthesis_interval(result, 0.9), (0.3 - margin, 0.3 + margin))
    assert_allclose(synthesis_pvalue(result)[1], 2 * stats.t.sf(0.3 / error, 3))
