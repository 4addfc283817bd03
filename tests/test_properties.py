"""Properties of results for any data: what must hold whatever the residuals are."""

import warnings

import numpy as np
import pytest
from bad_input_calls import TESTS
from common import design_of, made
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.dummy import DummyRegressor

import sklearn_cvtest as cvtest
from sklearn_cvtest import CVResiduals, adjust_pvalues

few = settings(
    derandomize=True,
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
HALVES = cvtest.PairedHalves(cvtest.BlockKFold(3), 2).get_design()
SHAPES = {
    "k-fold": ((4, 5), {"design": "k-fold"}),
    "repeated k-fold": ((4, 5), {"design": "k-fold"}),
    "subsample": ((4, 5), {"design": "subsample", "n_train": 9}),
    "5x2": ((10, 3), {"design": "5x2"}),
    "holdout": ((1, 9), {"design": "holdout"}),
    "time series": ((1, 9), {"design": "time series"}),
    "paired halves": ((15, 4), {"design": HALVES, "n_train": 8}),
    "crossed": ((3, 5), {"design": "crossed"}),
}
ALTERNATIVES = ("two-sided", "less", "greater")
EXTREME = [0.0, 1.0, -1.0, 1e-60, -1e-60, -1e60, 1e50, 3e-50, 1e16]
ordinary = st.integers(-400, 400).map(lambda number: number / 8)
extreme = st.sampled_from(EXTREME) | ordinary
T_TESTS = ("KFoldTTest", "ResampledTTest", "CorrectedResampledTTest")
T_TESTS += ("CorrectedRepeatedKFoldTTest",)
every_test = pytest.mark.parametrize("name", TESTS)
every_t_test = pytest.mark.parametrize("name", T_TESTS)


def values_for(name, elements):
    shape, _ = SHAPES[design_of(TESTS[name])]
    if name == "McNemarTest":
        elements = st.sampled_from([-1.0, 0.0, 1.0])
    return arrays(np.float64, shape, elements=elements)


def fit(name, values, **options):
    """Fit a test; what it warns of is not of interest here."""
    design = design_of(TESTS[name])
    residuals = CVResiduals.from_array(values, **SHAPES[design][1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return made(TESTS[name], **options).fit(residuals)


def is_spread(values):
    """Whether block means, and values within blocks, differ by more than rounding."""
    size = np.abs(values).max()
    means = values.mean(axis=1)
    spreads = [np.ptp(values, axis=1).max(), np.ptp(means) if len(means) > 1 else size]
    return size > 0 and min(spreads) > 1e-6 * size


# Tests of residuals ---------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:FiveByTwoFTest rejects every popmean")
@every_test
@few
@given(data=st.data())
def test_results_of_any_finite_residuals_are_numbers(name, data):
    one = fit(name, data.draw(values_for(name, extreme)))
    assert 0 <= one.pvalue_ <= 1
    assert not np.isnan([one.estimate_, one.standard_error_, one.statistic_]).any()
    low, high = one.confidence_interval(0.9)
    assert low <= high
    # the interval of one is that of the margins, of the other is around one value
    if name not in ("EquivalenceTest", "FiveByTwoTTest"):
        assert low <= one.estimate_ <= high


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@few
@given(data=st.data(), alpha=st.sampled_from([0.01, 0.05, 0.3]))
def test_p_value_at_rho_alpha_is_alpha(alternative, data, alpha):
    values = data.draw(values_for("KFoldTTest", ordinary))
    assume(is_spread(values))
    options = {"alpha": alpha, "alternative": alternative}
    rho = fit("KFoldTTest", values, rho=0.0, **options).rho_alpha_
    assume(np.isfinite(rho) and -1e6 < rho < 1 - 1e-6)
    assert_allclose(fit("KFoldTTest", values, rho=rho, **options).pvalue_, alpha)
    beyond = fit("KFoldTTest", values, rho=(1 + rho) / 2, **options)
    assert beyond.pvalue_ > alpha


@every_t_test
@few
@given(data=st.data())
def test_p_value_is_below_alpha_if_rho_is_below_rho_alpha(name, data):
    one = fit(name, data.draw(values_for(name, ordinary)), alpha=0.2)
    assume(abs(one.rho_ - one.rho_alpha_) > 1e-9)
    assert (one.pvalue_ < 0.2) == (one.rho_ < one.rho_alpha_)


# Splitters -----------------------------------------------------------------------


seeds = st.integers(0, 2**32 - 1)


@st.composite
def splitters(draw):
    seed = draw(seeds)
    folds = cvtest.BlockKFold(draw(st.integers(2, 5)), random_state=seed)
    shuffles = cvtest.RepeatedSubsample(
        draw(st.integers(2, 4)),
        test_size=draw(st.sampled_from([0.2, 0.4, 3])),
        random_state=seed,
    )
    base = draw(st.sampled_from([folds, shuffles]))
    halves = cvtest.PairedHalves(base, draw(st.integers(1, 3)), random_state=seed)
    five = cvtest.FiveByTwo(random_state=seed)
    return draw(st.sampled_from([folds, shuffles, halves, five]))


@few
@given(splitters(), st.integers(12, 45))
def test_splits_are_disjoint_counted_and_the_same_again(cv, n_samples):
    X = np.zeros(n_samples)
    splits = list(cv.split(X))
    assert len(splits) == cv.get_n_splits() == cv.get_design().n_total
    for (train, test), again in zip(splits, cv.split(X), strict=True):
        assert_array_equal(train, again[0])
        assert_array_equal(test, again[1])
        assert len(set(train) | set(test)) == len(train) + len(test)
        assert {*train, *test} <= set(range(n_samples))
        assert train.size
        assert test.size


@few
@given(splitters(), st.integers(12, 45))
def test_the_design_of_the_indices_is_that_declared(cv, n_samples):
    n_full = cv.cv.get_n_splits() if hasattr(cv, "cv") else cv.get_n_splits()
    declared = (cv.cv if hasattr(cv, "cv") else cv).get_design()
    X = np.zeros((n_samples, 1))
    splits = list(cv.split(X))[:n_full]
    losses = cvtest.cross_val_losses(DummyRegressor(), X, X[:, 0], cv=splits)
    assert losses.design == declared


# Many comparisons ------------------------------------------------------------------


pvalue_lists = st.lists(
    st.sampled_from([0.0, 1.0, 5e-324, 1e-12, 0.5]) | st.floats(0, 1), min_size=1
).map(np.array)
METHODS = ("holm", "bonferroni", "hochberg", "fdr_bh")


@pytest.mark.parametrize("method", METHODS)
@few
@given(p=pvalue_lists, data=st.data())
def test_adjusted_p_values_keep_order_and_bounds(method, p, data):
    order = data.draw(st.permutations(range(len(p))))
    got = adjust_pvalues(p, method)
    assert np.all((p <= got) & (got <= 1))
    assert np.all(np.diff(got[np.argsort(p)]) >= 0)
    assert_array_equal(adjust_pvalues(p[order], method), got[order])
    assert np.all(adjust_pvalues(p / 2, method) <= got)


@few
@given(p=pvalue_lists)
def test_methods_are_ordered_by_power(p):
    p = np.where(p < 1e-300, 0.0, p)  # products of subnormal numbers are coarse
    methods = ("bonferroni", "holm", "hochberg", "fdr_bh")
    assert set(methods) == set(METHODS)
    bonferroni, holm, hochberg, fdr = (adjust_pvalues(p, method) for method in methods)
    slack = 1 + 1e-12  # the same products, in another order
    assert np.all(holm <= bonferroni * slack)
    assert np.all(hochberg <= holm * slack)
    assert np.all(fdr <= hochberg * slack)
