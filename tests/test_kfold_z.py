"""KFoldZTest on one and on repeated K-folds, by the formulas written out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from sklearn_cvtest import BlockKFold, CVResiduals, KFoldZTest
from sklearn_cvtest.results import Design

N = 40


def sample(n_runs=3, seed=0):
    """e_ir: an example's own loss, and noise of the splits."""
    rng = np.random.default_rng(seed)
    return rng.normal(0.3, size=(1, N)) + 0.7 * rng.normal(size=(n_runs, N))


def of_runs(e, n_folds=5, **options):
    """Residuals of repeated K-fold whose example i has e[r, i] in run r."""
    n_runs = len(e)
    cv = BlockKFold(n_folds, n_repeats=n_runs, random_state=0)
    tests = [test for _, test in cv.split(np.zeros(e.shape[1]))]
    n_test = np.array(list(map(len, tests)))
    runs = np.arange(len(tests)) // n_folds
    return CVResiduals(
        values=np.concatenate(
            [e[r, test] for r, test in zip(runs, tests, strict=True)]
        ),
        row_split=np.repeat(np.arange(len(tests)), n_test),
        n_train=e.shape[1] - n_test,
        n_test=n_test,
        n_samples=e.shape[1],
        design=cv.get_design(),
        **{"row_index": np.concatenate(tests)} | options,
    )


def theta5(x):
    return np.sum((x - x.mean()) ** 2) / (len(x) * (len(x) - 1))


def variance(e, rho):
    """θ̂_R + ρ/(1-ρ) θ̂_1."""
    runs = np.mean([theta5(run) for run in e])
    return theta5(e.mean(axis=0)) + rho / (1 - rho) * runs


@pytest.mark.parametrize("n_runs", [2, 6])
@pytest.mark.parametrize("n_folds", [2, 5, 10])
@pytest.mark.parametrize("rho", [0, 0.3, 1 / 3, 0.7])
def test_statistic_is_that_of_the_formula(n_runs, n_folds, rho):
    e = sample(n_runs)
    test = KFoldZTest(rho, popmean=-0.1).fit(of_runs(e, n_folds))
    error = np.sqrt(variance(e, rho))
    z = (e.mean() + 0.1) / error
    found = test.estimate_, test.standard_error_, test.statistic_, test.pvalue_
    assert_allclose(found, (e.mean(), error, z, 2 * stats.norm.sf(abs(z))))
    assert test.rho_ == rho
    assert test.df_ == np.inf


@pytest.mark.parametrize("rho", [0, 1 / 3, 0.7])
def test_one_run_is_eq_9_with_theta5(rho):
    # [GB06] eq. (9): √(1-ρ) (μ̂ - μ0)/√θ̂
    e = np.random.default_rng(1).normal(0.2, size=(10, 10))
    z = np.sqrt(1 - rho) * e.mean() / np.sqrt(theta5(e.ravel()))
    assert KFoldZTest(rho).fit(e).statistic_ == pytest.approx(z, rel=1e-12)


def test_at_rho_0_it_is_the_t_test_of_scipy_but_for_its_law():
    e = np.random.default_rng(2).normal(0.2, size=(10, 10))
    expected = stats.ttest_1samp(e.ravel(), 0).statistic
    test = KFoldZTest(0).fit(e)
    assert test.statistic_ == pytest.approx(expected, rel=1e-12)
    assert test.traits.concerns == "models"
    assert KFoldZTest().traits.concerns == "algorithms"


def test_values_computed_elsewhere():
    # by a separate implementation of the two formulas
    e = np.random.default_rng(0).normal(0.3, size=(10, 10))
    one = KFoldZTest().fit(e)
    expected = 0.381096693490716, 3.217904742541619, 0.0012913069562794
    assert_allclose((one.estimate_, one.statistic_, one.pvalue_), expected, rtol=1e-12)
    assert_allclose(one.confidence_interval(), (0.148978, 0.613215), atol=5e-7)
    assert one.rho_alpha_ == pytest.approx(0.752680, abs=5e-7)
    rng = np.random.default_rng(1)
    base = rng.normal(0.15, 1, 60)
    two = KFoldZTest().fit(of_runs(base + rng.normal(0, 0.5, (2, 60))))
    found = two.estimate_, two.statistic_, two.pvalue_, two.rho_alpha_
    expected = 0.058385853727771, 0.407242288792235, 0.683830044851361
    assert_allclose(found, (*expected, -4.863224888418548), rtol=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("n_runs", [1, 3])
def test_it_rejects_up_to_rho_alpha(alternative, n_runs):
    e = sample(n_runs) * (-1 if alternative == "less" else 1)
    options = {"alternative": alternative}
    largest = KFoldZTest(**options).fit(of_runs(e)).rho_alpha_
    assert 0 < largest < 1
    for rho, rejects in ((largest - 1e-9, True), (largest + 1e-9, False)):
        test = KFoldZTest(rho, **options).fit(of_runs(e))
        assert (test.pvalue_ <= 0.05) == rejects


def test_one_sided_tests_of_the_other_side_never_reject():
    test = KFoldZTest(alternative="less").fit(of_runs(sample()))
    assert test.rho_alpha_ == -np.inf


def test_repeats_of_the_same_run_are_one_run():
    e = sample(1)
    one, many = KFoldZTest().fit(e.reshape(10, 4)), of_runs(np.repeat(e, 3, 0))
    many = KFoldZTest().fit(many)
    for name in ("statistic_", "pvalue_", "rho_alpha_", "standard_error_"):
        assert_allclose(getattr(many, name), getattr(one, name))
    assert many.seed_stability_ == 1


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_interval_inverts_the_test(alternative):
    residuals = of_runs(sample())
    options = {"alternative": alternative}
    interval = KFoldZTest(**options).fit(residuals).confidence_interval(0.9)
    for end in filter(np.isfinite, interval):
        test = KFoldZTest(popmean=end, **options).fit(residuals)
        assert test.pvalue_ == pytest.approx(0.1)


def test_order_of_examples_and_runs_does_not_matter():
    e = sample()
    first = KFoldZTest().fit(of_runs(e))
    second = KFoldZTest().fit(of_runs(e[::-1, ::-1]))
    assert first.pvalue_ == pytest.approx(second.pvalue_)


def test_groups_of_equal_examples_count_once():
    e = sample()
    alone = KFoldZTest().fit(of_runs(e))
    # every example twice, in one group
    design = Design("repeated k-fold", 5, 3)
    residuals = of_runs(e)
    twice = {
        name: np.repeat(getattr(residuals, name), 2) for name in ("values", "row_split")
    }
    index = np.repeat(2 * residuals.row_index, 2)
    index[1::2] += 1
    both = CVResiduals(
        **twice,
        row_index=index,
        groups=index // 2,
        n_train=2 * residuals.n_train,
        n_test=2 * residuals.n_test,
        n_samples=2 * N,
        design=design,
    )
    test = KFoldZTest().fit(both)
    assert_allclose(test.statistic_, alone.statistic_)
    assert test.df_ == N - 1
    assert test.pvalue_ > alone.pvalue_


@pytest.mark.parametrize(
    ("residuals", "message"),
    [
        (of_runs(sample(), row_index=None), "of known examples"),
        (
            of_runs(sample(), row_index=np.r_[0, 0 : 3 * N - 1] % N),
            "the same examples in every repeat; got examples that occur 2 to 4 times",
        ),
    ],
)
def test_unknown_examples_are_refused(residuals, message):
    with pytest.raises(ValueError, match=message):
        KFoldZTest().fit(residuals)


def test_theta4_is_refused():
    with pytest.raises(ValueError, match="`variance` must be 'theta5' for repeated"):
        KFoldZTest(variance="theta4").fit(of_runs(sample()))
