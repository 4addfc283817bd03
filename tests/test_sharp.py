"""SharpTest and PairedHalvesTTest: values by hand, of sharp-cv, limits."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from sklearn_cvtest import (
    BlockKFold,
    ConservativeZTest,
    CVResiduals,
    HalfSampleTTest,
    PairedHalves,
    PairedHalvesTTest,
    SharpTest,
)
from sklearn_cvtest.exceptions import DegenerateResidualsWarning

D = np.array(
    [
        [0.02, 0.01],
        [0.03, -0.01],
        [0.015, 0.005],
        [0, 0.02],
        [0.01, 0.025],
        [0.012, 0.018],
    ]
)


def of_halves(means, fold_noise=0.003):
    """Residuals whose halves have these means (J, 2), as two folds around each."""
    design = PairedHalves(BlockKFold(2), len(means)).get_design()
    folds = np.ravel(means)[:, np.newaxis] + [-fold_noise, fold_noise]
    return CVResiduals(
        values=np.r_[9 * folds[0], folds.ravel()],  # the whole sample is not used
        row_split=np.arange(2 + folds.size),
        n_train=np.full(2 + folds.size, 5),
        n_test=np.full(2 + folds.size, 5),
        n_samples=20,
        design=design,
        per_example=False,
    )


def test_ties_of_halves_by_hand():
    # s = 1, .2, .6: Q2 = (.16 + .16)/2 = .16, Q3 = 3/2 Q2 = .24, SE² = .24/6 = .04
    residuals = of_halves(np.repeat([[0.5], [0.1], [0.3]], 2, axis=1))
    with pytest.warns(DegenerateResidualsWarning):
        test = PairedHalvesTTest().fit(residuals)
    assert test.standard_error_ == pytest.approx(0.2)
    assert test.pvalue_ == pytest.approx(2 * stats.t.sf(1.5, 3))
    with pytest.warns(DegenerateResidualsWarning):
        test = ConservativeZTest().fit(residuals)  # 9 times the first mean
    assert test.standard_error_ == pytest.approx(np.sqrt(0.24 / 3))
    with pytest.warns(DegenerateResidualsWarning):
        assert HalfSampleTTest().fit(residuals).rho_ > 0.9


# Zeng et al. 2026, their package sharp-cv 0.1.0 on D, to the digits printed
def test_score_of_known_halves():
    test = SharpTest().fit(of_halves(D))
    assert f"{test.statistic_:.6f} {test.pvalue_:.6f}" == "1.257562 0.208550"
    low, high = test.confidence_interval()
    assert f"{low:.7f} {high:.7f}" == "-0.0144009 0.0402342"
    assert test.df_ == np.inf
    assert test.estimate_ == pytest.approx(D.mean())


def test_reml_of_known_halves():
    test = SharpTest("reml").fit(of_halves(D))
    assert f"{test.statistic_:.6f}" == "1.336952"
    assert f"{test.standard_error_**2:.6e}" == "9.334028e-05"
    # inside the range, (Q3 - Q2)/(2J): Wang and Lindsay 2014
    q2, q3 = 6 * D.sum(axis=1).var() / 2, np.sum(np.diff(D) ** 2) / 2
    assert 0 < test.rho_ < 0.499
    assert test.standard_error_**2 == pytest.approx((q3 - q2) / 12)


def test_t_of_known_halves():
    test = PairedHalvesTTest().fit(of_halves(D))
    assert f"{test.statistic_:.6f} {test.pvalue_:.6f}" == "1.275558 0.249269"
    assert test.df_ == 6


# by hand: d̄ = 2, Δ = (2, -2), SE² = (4 + 4)/8 = 1
def test_t_by_hand():
    test = PairedHalvesTTest(popmean=1).fit(of_halves([[3.0, 1.0], [1.0, 3.0]]))
    assert (test.statistic_, test.standard_error_) == pytest.approx((1.0, 1.0))
    assert test.pvalue_ == pytest.approx(2 * stats.t.sf(1.0, 2))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n_pairs", [2, 5, 30])
def test_equal_to_sharp_cv(seed, n_pairs):
    sharp_cv = pytest.importorskip("sharp_cv")
    rng = np.random.default_rng(seed)
    means = 0.3 + rng.normal(size=(n_pairs, 2)) + rng.normal(size=(n_pairs, 1)) / 2
    residuals = of_halves(means)
    for method, mode in (("score", "st"), ("reml", "rml")):
        test = SharpTest(method).fit(residuals)
        z, p = sharp_cv.sharp_test(means, mode=mode)
        assert_allclose((test.statistic_, test.pvalue_), (z, p), rtol=1e-10)
        interval = sharp_cv.sharp_confint(means, level=0.9, mode=mode)
        assert_allclose(test.confidence_interval(0.9), interval, rtol=1e-9)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("level", [0.3, 0.9])
@pytest.mark.parametrize("method", ["score", "reml"])
def test_interval_inverts_the_test(alternative, level, method):
    options = {"method": method, "alternative": alternative}
    ends = SharpTest(**options).fit(of_halves(D)).confidence_interval(level)
    for end in filter(np.isfinite, ends):
        test = SharpTest(popmean=end, **options).fit(of_halves(D))
        assert test.pvalue_ == pytest.approx(1 - level, rel=1e-9)


@pytest.mark.parametrize("n_pairs", [3, 4])
def test_few_pairs_hardly_reject(n_pairs):
    residuals = of_halves(1e6 + D[:n_pairs])
    with pytest.warns(UserWarning, match=f"{n_pairs} pairs of halves .z. cannot exc"):
        test = SharpTest().fit(residuals)
    assert test.statistic_ == pytest.approx(np.sqrt(2 * n_pairs), rel=1e-3)
    SharpTest("reml").fit(residuals)  # no warning


def test_interval_without_ends():
    residuals = of_halves(D[:3])
    assert SharpTest(popmean=1e6).fit(residuals).pvalue_ > 0.01
    interval = SharpTest().fit(residuals).confidence_interval(0.99)
    assert interval == (-np.inf, np.inf)


@pytest.mark.parametrize("Test", [SharpTest, PairedHalvesTTest])
class TestBoth:
    def test_swapping_mirrors(self, Test):
        first = Test(alternative="greater").fit(of_halves(D))
        second = Test(alternative="less").fit(of_halves(-D))
        assert first.pvalue_ == pytest.approx(second.pvalue_)
        assert first.statistic_ == pytest.approx(-second.statistic_)

    @pytest.mark.parametrize("scale", [1e-200, 1e200])
    def test_scaling_changes_nothing(self, Test, scale):
        scaled = Test().fit(of_halves(scale * D, scale * 0.003))
        assert scaled.pvalue_ == pytest.approx(Test().fit(of_halves(D)).pvalue_)

    def test_halves_that_are_all_equal(self, Test):
        residuals = of_halves(np.full((5, 2), 0.5), 0)
        assert Test(popmean=0.5).fit(residuals).pvalue_ == 1
        with pytest.warns(DegenerateResidualsWarning):
            test = Test().fit(residuals)
        assert (test.statistic_, test.pvalue_) == (np.inf, 0)
        assert test.confidence_interval() == (0.5, 0.5)

    def test_ties_of_halves_are_no_certainty_where_draws_differ(self, Test):
        residuals = of_halves(np.repeat([[0.5], [0.1], [0.3]], 2, axis=1))
        with pytest.warns(DegenerateResidualsWarning, match="two halves of every draw"):
            test = Test().fit(residuals)
        assert 0.005 < test.pvalue_ < 0.3
        low, high = test.confidence_interval()
        assert low < 0.3 < high
        assert test.estimate_ == pytest.approx(0.3)

    def test_one_pair_is_refused(self, Test):
        with pytest.raises(ValueError, match="at least 2 pairs of halves; got 1"):
            Test().fit(of_halves(D[:1]))
