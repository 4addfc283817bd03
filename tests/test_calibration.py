"""How often the tests reject a true null hypothesis.

Rates are compared with 5%, or with what theory says, within a 99.9% binomial
interval; all seeded. Where a test is liberal or conservative, the rate found is
stated.
"""

import dataclasses

import numpy as np
import pytest
from scipy import stats
from sklearn.model_selection import RepeatedKFold

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    ConservativeZTest,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    CVResiduals,
    EquivalenceTest,
    FiveByTwoFTest,
    FiveByTwoTTest,
    HalfSampleTTest,
    KFoldTTest,
    KFoldZTest,
    PairedHalves,
    PairedHalvesTTest,
    RepeatedSubsample,
    ResampledTTest,
)

ALPHA = 0.05


def assert_rate(rejected, expected, margin=0.0):
    """Check a rate against a probability known up to a margin."""
    n = len(rejected)
    low, _ = stats.binom.interval(0.999, n, expected - margin)
    _, high = stats.binom.interval(0.999, n, expected + margin)
    assert low <= np.sum(rejected) <= high, np.mean(rejected)


def assert_rate_at_most(rejected, largest):
    assert np.sum(rejected) <= stats.binom.ppf(0.999, len(rejected), largest)


def evaluated(test, samples):
    """Evaluate samples of block means or residuals, (n_draws, ...), all at once."""
    design = "5x2" if "5x2" in test.designs[:1] else "k-fold"
    one = CVResiduals.from_array(samples[0], design=design)
    values = np.reshape(samples, (len(samples), -1))
    return test.evaluate(dataclasses.replace(one, values=values))


def rejections(test, samples):
    return [test.fit(e).pvalue_ <= ALPHA for e in samples]


def t_rejections(e, rho, alternative="two-sided"):
    """Return what t(rho) rejects, vectorised over rows of block means."""
    return evaluated(KFoldTTest(rho, alternative=alternative), e).pvalue <= ALPHA


def exchangeable_blocks(n_draws, n_blocks, rho, seed=0):
    """Draw normal block means with γ/θ = rho: correlation ρ/(K - (K-1)ρ)."""
    rng = np.random.default_rng(seed)
    r = rho / (n_blocks - (n_blocks - 1) * rho)
    common = np.sqrt(r) * rng.normal(size=(n_draws, 1))
    return common + np.sqrt(1 - r) * rng.normal(size=(n_draws, n_blocks))


def exact_size(assumed, true, n_blocks):
    """Size of t(assumed) where ρ is `true`: t(true) is Student's, [GB06] eq. (9)."""
    critical = stats.t.isf(ALPHA / 2, n_blocks - 1)
    ratio = np.sqrt((1 - true) / (1 - assumed))
    return 2 * stats.t.sf(critical * ratio, n_blocks - 1)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("rho", [0.0, 0.3, 0.5, 0.7])
def test_t_at_the_true_rho_has_its_level(rho, alternative):
    e = exchangeable_blocks(50_000, 10, rho)
    assert_rate(t_rejections(e, rho, alternative), ALPHA)


@pytest.mark.parametrize("n_blocks", [2, 5, 30])
def test_t_at_the_true_rho_has_its_level_for_any_number_of_blocks(n_blocks):
    e = exchangeable_blocks(50_000, n_blocks, 0.5, seed=1)
    assert_rate(t_rejections(e, 0.5), ALPHA)


@pytest.mark.parametrize("true", [0.0, 0.5, 0.7])
@pytest.mark.parametrize("assumed", [0.0, 10 / 19, 0.7])
def test_t_at_another_rho_has_the_size_of_theory(assumed, true):
    e = exchangeable_blocks(20_000, 10, true, seed=2)
    assert_rate(t_rejections(e, assumed), exact_size(assumed, true, 10))


def test_naive_t_at_rho_07_rejects_a_quarter():
    # [GB06] section 4.2: "a type-I error of range 26%"; by eq. (9) it is 24.7% with
    # ten blocks, and 28.3% with many
    e = exchangeable_blocks(100_000, 10, 0.7, seed=3)
    rate = np.mean(t_rejections(e, 0.0))
    assert abs(rate - 0.26) < 0.02
    assert abs(exact_size(0.0, 0.7, 10) - 0.247) < 5e-4


def test_naive_p_of_a_fifth_of_a_percent_is_one_of_five_percent():
    # [GB06] section 4.2: "an alleged p-value of 0.2% in fact represents a true
    # p-value of 5%" (0.26% with ten blocks)
    e = np.random.default_rng(4).normal(size=10)
    high = KFoldTTest(0.7).fit(e).confidence_interval().high
    assert abs(KFoldTTest(0.7, popmean=high).fit(e).pvalue_ - 0.05) < 1e-9
    assert 0.002 < KFoldTTest(0.0, popmean=high).fit(e).pvalue_ < 0.003


@pytest.mark.parametrize("true", [0.0, 0.7])
def test_k_fold_t_of_the_facade_has_the_size_of_theory(true):
    e = exchangeable_blocks(1000, 10, true, seed=5)
    assert_rate(rejections(KFoldTTest(), e), exact_size(0.7, true, 10))


def rejections_over_splits(splitters, n_samples, tests, n_draws, seed=0):
    """Reject by vectorised t over block means of i.i.d. normal residuals.

    The residual depends on its test example alone, so that the correlation of two
    block means comes from the examples they share. One splitter a batch of draws;
    each test says its ρ for that design.
    """
    rng = np.random.default_rng(seed)
    rejected = {test: [] for test in tests}
    for cv in splitters:
        splits = list(cv.split(np.zeros(n_samples)))
        n_train, n_test = (np.array([len(s[i]) for s in splits]) for i in (0, 1))
        weights = np.zeros((n_samples, len(splits)))
        for split, (_, test) in enumerate(splits):
            weights[test, split] = 1 / len(test)
        e = rng.normal(size=(n_draws, n_samples)) @ weights
        for test in tests:
            residuals = CVResiduals.from_array(
                e[0], design=test.designs[0], n_train=n_train, n_test=n_test
            )
            rejected[test].append(t_rejections(e, test.fit(residuals).rho_))
    return [np.concatenate(rejected[test]) for test in tests]


@pytest.mark.parametrize(
    ("n_repeats", "test_size", "naive"),
    [(15, 0.1, 0.21), (15, 0.5, 0.60), (50, 0.1, 0.44)],
)
def test_corrected_resampled_t_of_residuals_of_examples(n_repeats, test_size, naive):
    # The correlation assumed is then the true one; given the splits, pairs share
    # more or fewer examples, for which the margin is: found are 5.0% to 5.3%.
    splitters = [
        RepeatedSubsample(n_repeats, test_size=test_size, random_state=seed)
        for seed in range(60)
    ]
    tests = [CorrectedResampledTTest(), ResampledTTest()]
    corrected, uncorrected = rejections_over_splits(splitters, 100, tests, 300)
    assert_rate(corrected, ALPHA, margin=0.004)
    assert_rate(uncorrected, naive, margin=0.01)


@pytest.mark.parametrize(
    ("n_folds", "n_repeats", "naive", "corrected"),
    [
        (2, 1, 0.05, 0.03),
        (10, 1, 0.05, 0.01),
        (2, 5, 0.49, 0.06),
        (10, 5, 0.39, 0.03),
    ],
)
def test_corrected_repeated_k_fold_t_as_published(n_folds, n_repeats, naive, corrected):
    # README of subsampling_significance_tests, fig/heatmap.png (papers/004): n = 100
    # standard normal effects, 10 000 iterations; rates are given to two digits
    splitters = [
        RepeatedKFold(n_splits=n_folds, n_repeats=n_repeats, random_state=seed)
        for seed in range(50)
    ]
    test = CorrectedRepeatedKFoldTTest()
    (rejected,) = rejections_over_splits(splitters, 100, [test], 200)
    assert_rate(rejected, corrected, margin=0.008)
    rng = np.random.default_rng(1)
    rejected = []
    for cv in splitters:
        test_sets = [test for _, test in cv.split(np.zeros(100))]
        e = rng.normal(size=(200, 100))
        means = np.stack([e[:, rows].mean(axis=1) for rows in test_sets], axis=1)
        rejected.append(t_rejections(means, 0.0))
    assert_rate(np.concatenate(rejected), naive, margin=0.008)


def test_5x2_tests_of_independent_differences_are_conservative():
    # Numerator and denominator share the differences: F = (1 + A/B)/2 with A, B
    # independent χ²_5, so its size is P(F_{5,5} > 2 F_crit - 1) = 1.75%; that of t
    # is 2.8% (found in 400 000 draws)
    p = np.random.default_rng(6).normal(size=(2000, 5, 2))
    critical = stats.f.isf(ALPHA, 10, 5)
    exact = stats.f.sf(2 * critical - 1, 5, 5)
    assert abs(exact - 0.0175) < 5e-5
    assert_rate(evaluated(FiveByTwoFTest(), p.reshape(-1, 10)).pvalue <= ALPHA, exact)
    assert_rate(evaluated(FiveByTwoTTest(), p.reshape(-1, 10)).pvalue <= ALPHA, 0.028)


@pytest.mark.full
def test_5x2_tests_of_residuals_of_examples_are_conservative():
    # The two halves of any replication add to the same sum: p_i = μ̂ ± d_i, where
    # d_i has the variance of μ̂, and the d_i hardly covary. F = (1 + F_{1,5})/2: 3.3%
    # of rejections; t: 2.8%
    rng = np.random.default_rng(7)
    n_draws, n_samples = 2000, 40
    order = rng.permuted(np.tile(np.arange(n_samples), (n_draws, 5, 1)), axis=2)
    e = rng.normal(size=(n_draws, 1, n_samples))
    halves = np.take_along_axis(np.broadcast_to(e, order.shape), order, axis=2)
    p = halves.reshape(n_draws, 5, 2, n_samples // 2).mean(axis=3)
    exact = stats.f.sf(2 * stats.f.isf(ALPHA, 10, 5) - 1, 1, 5)
    assert abs(exact - 0.0334) < 5e-5
    assert_rate(
        evaluated(FiveByTwoFTest(), p.reshape(-1, 10)).pvalue <= ALPHA,
        exact,
        margin=0.003,
    )
    assert_rate(
        evaluated(FiveByTwoTTest(), p.reshape(-1, 10)).pvalue <= ALPHA,
        0.028,
        margin=0.003,
    )


def residuals_with_rho(rho, n_blocks, m, rng):
    """Draw normal K-fold residuals with ω = γ, of γ/θ = rho: γ = ρ/(n(1-ρ))."""
    n = n_blocks * m
    common = np.sqrt(rho / (n * (1 - rho))) * rng.normal()
    return common + rng.normal(size=(n_blocks, m))


def exact_size_of_z(assumed, true):
    """Size of z(assumed) where ρ is `true`, of many examples: z(true) is normal."""
    critical = stats.norm.isf(ALPHA / 2)
    return 2 * stats.norm.sf(critical * np.sqrt((1 - true) / (1 - assumed)))


@pytest.mark.parametrize("true", [0.0, 1 / 3, 0.5, 0.7])
@pytest.mark.parametrize("test", [KFoldZTest(), KFoldZTest(rho=0)], ids=repr)
def test_k_fold_z_has_the_size_of_theory(test, true):
    rng = np.random.default_rng(8)
    e = [residuals_with_rho(true, 10, 20, rng) for _ in range(1000)]
    expected = exact_size_of_z(test.rho, true)
    assert_rate(evaluated(test, e).pvalue <= ALPHA, expected, margin=0.003)


def paired_halves_rejections(base, n_samples, n_halvings, common, tests, n_draws):
    """Reject over samples where real halves are cross-validated.

    The residual of example i in a split is z_i + common * mean of u over the split's
    training set, z and u standard normal: its expectation is 0, ρ is about
    common²/(1 + common²) at n and at n/2 alike, the worst case for tests that
    take it to fall with n.
    """
    cv = PairedHalves(base, n_halvings, random_state=1)
    splits = list(cv.split(np.zeros(n_samples)))
    n_train, n_test = np.array([[len(part) for part in split] for split in splits]).T
    row_index = np.concatenate([test for _, test in splits])
    row_split = np.repeat(np.arange(len(splits)), n_test)
    weights = np.zeros((n_samples, len(splits)))
    for split, (train, _) in enumerate(splits):
        weights[train, split] = common / len(train)
    rng = np.random.default_rng(11)
    rejected = [[] for _ in tests]
    for _ in range(n_draws):
        z, u = rng.normal(size=(2, n_samples))
        residuals = CVResiduals(
            values=z[row_index] + (u @ weights)[row_split],
            row_split=row_split,
            n_train=n_train,
            n_test=n_test,
            design=cv.get_design(),
        )
        for test, found in zip(tests, rejected, strict=True):
            found.append(test.fit(residuals).pvalue_ <= ALPHA)
    return rejected


@pytest.mark.full
def test_tests_of_paired_k_folds_hold_their_level():
    base = BlockKFold(5, random_state=0)
    tests = [ConservativeZTest(), HalfSampleTTest(), PairedHalvesTTest()]
    for rejected in paired_halves_rejections(base, 60, 5, 0.5, tests, 200):
        assert_rate_at_most(rejected, 0.06)


@pytest.mark.full
def test_conservative_z_of_paired_subsamples_holds_its_level():
    base = RepeatedSubsample(5, random_state=0)
    (rejected,) = paired_halves_rejections(
        base, 60, 10, 0.5, [ConservativeZTest()], 500
    )
    assert_rate_at_most(rejected, 0.065)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("common", "conservative", "half_sample"),
    [
        # largest true rates allowed; ρ = 0, 0.2, 0.5, 0.7. The estimated ρ is noisy
        # (M = 10 pairs), and taken for the truth by HalfSampleTTest. The variance of
        # PairedHalvesTTest is that of the difference here, which is linear in the
        # examples, and so its level is the nominal one.
        (0.0, 0.04, 0.05),
        (0.5, 0.04, 0.06),
        (1.0, 0.04, 0.075),
        (1.5, 0.04, 0.085),
    ],
)
def test_size_of_tests_of_paired_k_folds(common, conservative, half_sample):
    base = BlockKFold(10, random_state=0)
    tests = [ConservativeZTest(), HalfSampleTTest(), PairedHalvesTTest()]
    rates = paired_halves_rejections(base, 100, 10, common, tests, 2000)
    limits = (conservative, half_sample, ALPHA)
    for rejected, largest in zip(rates, limits, strict=True):
        assert_rate_at_most(rejected, largest)


@pytest.mark.slow
@pytest.mark.parametrize("common", [0.0, 0.5, 1.0, 1.5])
def test_size_of_conservative_z_of_paired_subsamples(common):
    base = RepeatedSubsample(15, random_state=0)
    (rejected,) = paired_halves_rejections(
        base, 100, 10, common, [ConservativeZTest()], 2000
    )
    assert_rate_at_most(rejected, 0.065)


# On the edge of the region the null hypothesis of difference is true, and only one of
# the two one-sided tests is in play if the margin is large: its level exactly.
@pytest.mark.parametrize("rho", [0.0, 0.3, 0.5, 0.7])
@pytest.mark.parametrize("side", [-1, 1])
def test_equivalence_test_has_its_level_at_the_margin(rho, side):
    e = exchangeable_blocks(1500, 10, rho) + side * 30.0
    test = EquivalenceTest(KFoldTTest(rho=rho), margin=30.0)
    assert_rate(evaluated(test, e).pvalue <= ALPHA, ALPHA)


@pytest.mark.full
@pytest.mark.parametrize("rho", [0.0, 0.5])
def test_equivalence_test_is_conservative_for_a_small_margin(rho):
    e = exchangeable_blocks(500, 10, rho) + 0.05
    test = EquivalenceTest(KFoldTTest(rho=rho), margin=0.05)
    assert_rate_at_most(rejections(test, e), 0.01)


# At Nadeau and Bengio's ρ the posterior is calibrated: each tail is uniform.
def test_bayesian_tail_probabilities_are_uniform_at_its_rho():
    n_blocks = 10
    draws = exchangeable_blocks(2000, n_blocks, n_blocks / (2 * n_blocks - 1), seed=3)
    tails = evaluated(BayesianCorrelatedTTest(), draws).detail.greater
    assert stats.kstest(tails, "uniform").pvalue > 0.001
