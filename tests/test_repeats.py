"""IntegratedRhoTest on repeated K-fold, by the formulas written out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from sklearn_cvtest import BlockKFold, CVResiduals, IntegratedRhoTest
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


def naive_pvalue(e, n_folds, popmean, extrapolate=False):
    n_runs = len(e)
    theta = theta5(e.mean(axis=0))
    theta_run = np.mean([theta5(run) for run in e])
    if extrapolate:
        noise = np.sum((e - e.mean(axis=0)) ** 2) / (N**2 * (n_runs - 1))
        theta = max(theta - noise / n_runs, theta / 4)
    end = 0.75 * (1 - (10 - min(max(n_folds, 5), 10)) / 45)
    rho = (np.arange(20_000) + 0.5) / 20_000 * end
    z = (e.mean() - popmean) / np.sqrt(theta + rho / (1 - rho) * theta_run)
    return np.mean(2 * stats.norm.sf(np.abs(z))), np.sqrt(theta)


@pytest.mark.parametrize("n_runs", [2, 6])
@pytest.mark.parametrize("n_folds", [2, 5, 8, 10])
@pytest.mark.parametrize("extrapolate", [False, True])
def test_pvalue_is_the_average_over_rho(n_runs, n_folds, extrapolate):
    e = sample(n_runs)
    test = IntegratedRhoTest(popmean=-0.1, extrapolate=extrapolate)
    test.fit(of_runs(e, n_folds))
    pvalue, error = naive_pvalue(e, n_folds, -0.1, extrapolate)
    assert_allclose((test.pvalue_, test.standard_error_), (pvalue, error), rtol=1e-6)
    assert_allclose(test.estimate_, e.mean())
    assert_allclose(test.statistic_, (e.mean() + 0.1) / error)


# of formulas and numbers of a separate implementation: exponential losses, three runs
def test_skewed_residuals_as_elsewhere():
    rng = np.random.default_rng(1)
    e = rng.exponential(size=100) + 0.5 * rng.normal(size=(3, 100))
    with pytest.warns(UserWarning, match="heavy-tailed"):
        test = IntegratedRhoTest(popmean=0.6).fit(of_runs(e))
    found = [test.pvalue_, test.rho_alpha_, *test.confidence_interval()]
    # p, ρ_α and the 95% interval
    expected = [0.00611408, 0.69791972, 0.71500865, 1.45006129]
    assert_allclose(found, expected, rtol=1e-5)


def test_repeats_of_the_same_run_are_one_run_with_a_smaller_range():
    e = sample(1)
    one = IntegratedRhoTest(2 / 3, correct_skewness=False).fit(e.reshape(10, 4))
    many = IntegratedRhoTest(correct_skewness=False).fit(of_runs(np.repeat(e, 3, 0)))
    for name in ("statistic_", "pvalue_", "rho_alpha_", "rho_"):
        assert_allclose(getattr(many, name), getattr(one, name))
    assert many.seed_stability_ < 1  # one example may change all the same


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_interval_inverts_the_test(alternative):
    residuals = of_runs(sample())
    options = {"alternative": alternative}
    interval = IntegratedRhoTest(**options).fit(residuals).confidence_interval(0.9)
    for end in filter(np.isfinite, interval):
        test = IntegratedRhoTest(popmean=end, **options).fit(residuals)
        assert test.pvalue_ == pytest.approx(0.1)


def test_order_of_examples_and_runs_does_not_matter():
    e = sample()
    first = IntegratedRhoTest().fit(of_runs(e))
    second = IntegratedRhoTest().fit(of_runs(e[::-1, ::-1]))
    assert first.pvalue_ == pytest.approx(second.pvalue_)


def test_groups_of_equal_examples_count_once():
    e = sample()
    alone = IntegratedRhoTest(correct_skewness=False).fit(of_runs(e))
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
    test = IntegratedRhoTest(correct_skewness=False).fit(both)
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
        IntegratedRhoTest().fit(residuals)


def test_theta4_is_refused():
    with pytest.raises(ValueError, match="`variance` must be 'theta5' for repeated"):
        IntegratedRhoTest(variance="theta4").fit(of_runs(sample()))


@pytest.mark.parametrize("n_folds", [2, 5, 10])
@pytest.mark.parametrize("n_runs", [2, 20])
def test_total_error_is_of_the_law_averaged_over_rho(n_folds, n_runs):
    """At the ends of its t intervals the averaged p is what it should be."""
    e = sample(n_runs, seed=1)
    test = IntegratedRhoTest(correct_skewness=False).fit(of_runs(e, n_folds))
    assert test.total_error_ > 1.1 * test.standard_error_
    assert test.total_df_ < 25
    for level, tolerance in ((0.9, 0.03), (0.95, 1e-3), (0.99, 1e-3)):
        margin = stats.t.ppf((1 + level) / 2, test.total_df_) * test.total_error_
        found = naive_pvalue(e, n_folds, e.mean() + margin)[0]
        assert found == pytest.approx(1 - level, rel=tolerance)
