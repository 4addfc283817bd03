"""Tests that learn from pairs of disjoint halves."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression, Ridge

from sklearn_cvtest import (
    BlockKFold,
    ConservativeZTest,
    CVResiduals,
    HalfSampleTTest,
    KFoldTTest,
    PairedHalves,
    PairedHalvesTTest,
    RepeatedSubsample,
    cross_val_losses,
)
from sklearn_cvtest.results import Design

MOST_CASES = 1000  # that the suite runs of a test, see conftest.py
ALTERNATIVES = ("two-sided", "less", "greater")
OF_HALVES = pytest.mark.parametrize("Test", [ConservativeZTest, HalfSampleTTest])


def paired(e, n_splits=2, base="k-fold"):
    """Return residuals of a run on the whole sample and on pairs of halves."""
    n_halvings = (len(e) // n_splits - 1) // 2
    design = Design("paired halves", n_splits, 1, base, n_halvings)
    return CVResiduals.from_array(e, design=design)


def random_run(seed=0, n_splits=3, n_halvings=4, m=5):
    e = np.random.default_rng(seed).normal(
        0.2, size=(n_splits * (1 + 2 * n_halvings), m)
    )
    return e, paired(e, n_splits)


def half_means(e, n_splits):
    means = e.mean(axis=1).reshape(-1, n_splits).mean(axis=1)
    return means[1::2], means[2::2]


def naive_half_sample_variance(e, n_splits):
    """[NB99] eq. (8)."""
    first, second = half_means(e, n_splits)
    return sum((first - second) ** 2) / (2 * len(first))


# whole sample: block means 1, 3; one pair of halves: 1, 2 and 4, 5.5
BY_HAND = [1.0, 3.0, 1.0, 2.0, 4.0, 5.5]


def test_conservative_z_by_hand():
    # μ̂ = 2; halves 1.5 and 4.75: σ̂² = 3.25²/2
    test = ConservativeZTest().fit(paired(BY_HAND))
    assert test.estimate_ == 2
    assert_allclose(test.standard_error_, 3.25 / np.sqrt(2), rtol=1e-14)
    assert_allclose(test.statistic_, 2 * np.sqrt(2) / 3.25, rtol=1e-14)
    expected = 2 * stats.norm.sf(2 * np.sqrt(2) / 3.25)
    assert_allclose(test.pvalue_, expected, rtol=1e-12)
    assert test.df_ == np.inf
    assert np.isnan(test.rho_)


def test_conservative_z_is_a_root_mean_square_of_pairs():
    # differences of halves 1 and 3: σ̂² = (1 + 9)/(2*2)
    e = [1.0, 3.0, 0, 0, 1, 1, 2, 4, 6, 6]
    assert_allclose(ConservativeZTest().fit(paired(e)).standard_error_, np.sqrt(2.5))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("base", ["k-fold", "subsample"])
def test_conservative_z_equals_the_formula_of_the_paper(base, alternative):
    e, _ = random_run()
    test = ConservativeZTest(alternative=alternative, popmean=0.1)
    test.fit(paired(e, 3, base))
    z = (e[:3].mean() - 0.1) / np.sqrt(naive_half_sample_variance(e, 3))
    tails = {"less": stats.norm.cdf(z), "greater": stats.norm.sf(z)}
    assert_allclose(test.statistic_, z, rtol=1e-12)
    expected = tails.get(alternative, 2 * stats.norm.sf(abs(z)))
    assert_allclose(test.pvalue_, expected, rtol=1e-12)


def test_conservative_z_has_the_rho_alpha_of_the_whole_sample():
    e, residuals = random_run()
    expected = KFoldTTest().fit(e[:3]).rho_alpha_
    assert_allclose(ConservativeZTest().fit(residuals).rho_alpha_, expected)


def test_conservative_z_of_single_splits_has_no_rho_alpha():
    residuals = paired([1.0, 3.0, 2.0], n_splits=1, base="subsample")
    assert np.isnan(ConservativeZTest().fit(residuals).rho_alpha_)


def test_half_sample_t_by_hand():
    # θ̂3 of the halves (0.25 + 0.25)/2 and (0.5625 + 0.5625)/2: mean 0.40625;
    # variance at n/2 3.25²/2 = 5.28125; ρ̂ = 1 - 1/13; whole sample θ̂3 = 1
    test = HalfSampleTTest().fit(paired(BY_HAND))
    assert_allclose(test.rho_, 12 / 13, rtol=1e-14)
    assert_allclose(test.statistic_, 2 / np.sqrt(13), rtol=1e-14)
    assert test.df_ == 1
    expected = 2 * stats.t.sf(2 / np.sqrt(13), 1)
    assert_allclose(test.pvalue_, expected, rtol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_half_sample_t_is_the_k_fold_t_at_the_estimated_rho(seed):
    e, residuals = random_run(seed)
    runs = e.mean(axis=1).reshape(-1, 3)
    theta3 = np.mean(runs[1:].var(axis=1, ddof=1) / 3)
    rho = 1 - theta3 / naive_half_sample_variance(e, 3)
    test = HalfSampleTTest().fit(residuals)
    assert_allclose(test.rho_, np.clip(rho, 0, 0.95), rtol=1e-12)
    expected = KFoldTTest(test.rho_).fit(e[:3])
    for name in ("statistic_", "pvalue_", "standard_error_", "rho_alpha_"):
        assert_allclose(getattr(test, name), getattr(expected, name), rtol=1e-12)


@pytest.mark.parametrize(("rho_max", "expected"), [(0.5, 0.5), (0, 0), (0.95, 12 / 13)])
def test_half_sample_t_clips_rho_from_above(rho_max, expected):
    test = HalfSampleTTest(rho_max).fit(paired(BY_HAND))
    assert_allclose(test.rho_, expected, rtol=1e-14)


def test_half_sample_t_clips_rho_from_below():
    # halves agree, their blocks do not: the estimate would be far below zero
    test = HalfSampleTTest().fit(paired([1.0, 3.0, 0.0, 4.0, 1.5, 2.4]))
    assert test.rho_ == 0


def run_models(cv):
    X, y = load_diabetes(return_X_y=True)
    models = [LinearRegression(), Ridge(10.0)]
    return cross_val_losses(models, X[:101], y[:101], cv=cv).residuals(0, 1)


@OF_HALVES
def test_halves_are_those_of_the_splitter(Test):
    base = BlockKFold(5, random_state=0)
    residuals = run_models(PairedHalves(base, 3, random_state=0))
    alone = run_models(base)
    assert_allclose(
        Test().fit(residuals).estimate_, alone.block_means.mean(), rtol=0.01
    )
    first = residuals.block_means[5:].reshape(3, 2, 5).mean(axis=2)
    if Test is ConservativeZTest:
        expected = np.mean(np.diff(first) ** 2) / 2
        assert_allclose(Test().fit(residuals).standard_error_ ** 2, expected)


@pytest.mark.parametrize("Test", [HalfSampleTTest, PairedHalvesTTest])
def test_halves_of_subsamples_are_told_the_right_test(Test):
    cv = PairedHalves(RepeatedSubsample(3, random_state=0), 2, random_state=0)
    residuals = run_models(cv)
    match = r"`test` must be .+; got .+ ConservativeZTest\."
    with pytest.raises(ValueError, match=match):
        Test().fit(residuals)
    assert 0 <= ConservativeZTest().fit(residuals).pvalue_ <= 1


@pytest.mark.parametrize(
    ("Test", "base"),
    [
        (ConservativeZTest, RepeatedSubsample(5, random_state=0)),
        (ConservativeZTest, BlockKFold(5, random_state=0)),
        (HalfSampleTTest, BlockKFold(5, random_state=0)),
    ],
)
@pytest.mark.parametrize("constant", [0.1, 1 / 3])
@pytest.mark.filterwarnings(
    "ignore::sklearn_cvtest.exceptions.DegenerateResidualsWarning"
)
def test_rounding_of_runs_is_no_variance(Test, base, constant):
    # runs of different sizes: their means of a constant differ in the last digit
    cv = PairedHalves(base, 3, random_state=0)
    splits = list(cv.split(np.zeros(101)))
    n_train, n_test = np.array([[len(part) for part in split] for split in splits]).T
    residuals = CVResiduals(
        values=np.full(n_test.sum(), constant),
        row_split=np.repeat(np.arange(len(splits)), n_test),
        n_train=n_train,
        n_test=n_test,
        design=cv.get_design(),
    )
    assert Test().fit(residuals).statistic_ == np.inf
    test = Test(popmean=constant).fit(residuals)
    assert (test.statistic_, test.pvalue_) == (0, 1)


@pytest.mark.parametrize(
    "make",
    [
        lambda n: PairedHalves(BlockKFold(2), n_halvings=n),
        lambda n: BlockKFold(2, n_repeats=n),
        lambda n: RepeatedSubsample(n),
    ],
)
def test_splits_without_an_end_are_refused(make):
    with pytest.raises(ValueError, match="must be an integer from 1 to 100000; got"):
        make(2**63)
