"""What holds for every test of cross-validation residuals."""

import contextlib
import pickle
import warnings
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from common import ALL_TESTS, design_of, made
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    ConservativeZTest,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    CrossedTest,
    CVResiduals,
    DieboldMarianoTest,
    EquivalenceTest,
    FiveByTwoFTest,
    FiveByTwoTTest,
    HalfSampleTTest,
    HoldoutTTest,
    KFoldTTest,
    KFoldZTest,
    McNemarTest,
    PairedHalvesTTest,
    RepeatedSubsample,
    ResampledTTest,
    cross_val_losses,
)
from sklearn_cvtest.exceptions import DegenerateResidualsWarning
from sklearn_cvtest.results import Design

MOST_CASES = 30  # that the suite runs of a test, see conftest.py

HALVES_OF_K_FOLD = Design("paired halves", 2, 1, "k-fold", 2)
HALVES_OF_SUBSAMPLE = Design("paired halves", 2, 1, "subsample", 2)
VALID_FOR = {
    BayesianCorrelatedTTest: {"subsample", "k-fold", "repeated k-fold", "5x2"},
    ConservativeZTest: {"halves of k-fold", "halves of subsample"},
    CorrectedRepeatedKFoldTTest: {"repeated k-fold", "5x2", "k-fold"},
    CorrectedResampledTTest: {"subsample", "k-fold"},
    CrossedTest: {"crossed"},
    DieboldMarianoTest: {"time series", "holdout"},
    EquivalenceTest: {"k-fold"},
    FiveByTwoFTest: {"5x2"},
    FiveByTwoTTest: {"5x2"},
    HalfSampleTTest: {"halves of k-fold"},
    HoldoutTTest: {"holdout"},
    KFoldZTest: {"k-fold", "repeated k-fold", "5x2"},
    KFoldTTest: {"k-fold"},
    McNemarTest: {"holdout"},
    PairedHalvesTTest: {"halves of k-fold"},
    ResampledTTest: {"subsample", "crossed"},
}
DESIGNS = {
    "k-fold": "k-fold",
    "repeated k-fold": "repeated k-fold",
    "subsample": "subsample",
    "5x2": "5x2",
    "holdout": "holdout",
    "time series": "time series",
    "crossed": "crossed",
    "other": "other",
    "halves of k-fold": HALVES_OF_K_FOLD,
    "halves of subsample": HALVES_OF_SUBSAMPLE,
}
RIGHT_TEST = {
    "k-fold": "KFoldZTest",
    "repeated k-fold": "KFoldZTest",
    "subsample": "CorrectedResampledTTest",
    "5x2": "FiveByTwoFTest",
    "holdout": "HoldoutTTest",
    "time series": "DieboldMarianoTest",
    "crossed": "CrossedTest",
    "halves of k-fold": "PairedHalvesTTest",
    "halves of subsample": "ConservativeZTest",
}
FITTED = ["statistic_", "pvalue_", "estimate_", "standard_error_"]
FITTED += ["rho_", "rho_alpha_"]
UNORDERED = [Test for Test in ALL_TESTS if Test is not DieboldMarianoTest]
NEEDS_EXAMPLES = [DieboldMarianoTest, HoldoutTTest, KFoldZTest]
NEEDS_EXAMPLES += [McNemarTest, CrossedTest]
NEEDS_HALVES = [ConservativeZTest, HalfSampleTTest, PairedHalvesTTest]
CONTINUOUS = [t for t in ALL_TESTS if t not in (McNemarTest, EquivalenceTest)]
WITH_ZERO = [*CONTINUOUS, McNemarTest]
SIGNED = [t for t in CONTINUOUS if t is not FiveByTwoFTest]
DIRECTED = [t for t in SIGNED if t is not BayesianCorrelatedTTest]
ALTERNATIVES = ("two-sided", "less", "greater")

every_test = pytest.mark.parametrize("Test", ALL_TESTS)
every_continuous_test = pytest.mark.parametrize("Test", CONTINUOUS)
every_signed_test = pytest.mark.parametrize("Test", SIGNED)


def make_residuals(e, design):
    """Return the 30 values as residuals of a design: 10 splits of 3, or 1 of 30."""
    shape = (1, 30) if design == "holdout" else (10, 3)
    e = np.reshape(np.asarray(e, dtype=float), shape)
    return CVResiduals.from_array(e, design=design, n_train=27)


def residuals_for(Test, e):
    return make_residuals(e, DESIGNS.get(design_of(Test), HALVES_OF_K_FOLD))


def array_for(Test, e):
    """Return the 30 values in the shape in which the test takes an array."""
    if Test is DieboldMarianoTest:
        return e
    return e.reshape((1, 30) if design_of(Test) == "holdout" else (10, 3))


def sample(Test, seed=0, mean=0.3):
    """Return 30 random values the test accepts."""
    rng = np.random.default_rng(seed)
    if Test is McNemarTest:
        return rng.choice([-1.0, 0.0, 1.0], size=30, p=[0.1, 0.5, 0.4])
    return rng.normal(mean, size=30)


def fit(Test, e, **params):
    return made(Test, **params).fit(residuals_for(Test, e))


def result(test):
    """Return all fitted numbers and the interval as one array."""
    fitted = [v for k, v in sorted(vars(test).items()) if k.endswith("_")]
    numbers = [v for v in fitted if isinstance(v, (int, float, tuple))]
    return np.hstack([*numbers, test.confidence_interval()])


def alternatives_of(Test):
    return ALTERNATIVES[:1] if Test is FiveByTwoFTest else ALTERNATIVES


SIDES = [(Test, side) for Test in ALL_TESTS for side in alternatives_of(Test)]
CONTINUOUS_SIDES = [(Test, side) for Test, side in SIDES if Test in CONTINUOUS]


def test_registry_knows_every_test():
    assert set(VALID_FOR) == set(ALL_TESTS)


# fitted attributes


@every_test
def test_fit_sets_the_common_attributes_and_returns_self(Test):
    test = made(Test)
    assert test.fit(residuals_for(Test, sample(Test))) is test
    for name in FITTED:
        assert type(getattr(test, name)) is float
    assert isinstance(test.df_, (int, float, tuple))
    assert 0 <= test.pvalue_ <= 1
    assert np.isfinite([test.statistic_, test.estimate_, test.standard_error_]).all()
    assert test.standard_error_ > 0


@every_test
def test_estimate_is_the_mean_residual_of_the_whole_sample(Test):
    e = sample(Test)
    used = e[:6] if Test in NEEDS_HALVES else e
    if Test is PairedHalvesTTest:  # about models of half the size
        used = e[6:]
    assert_allclose(fit(Test, e).estimate_, used.mean(), rtol=1e-13)


@pytest.mark.parametrize("Test", [FiveByTwoFTest, FiveByTwoTTest, *NEEDS_EXAMPLES])
def test_rho_alpha_is_nan_only_without_exchangeable_blocks(Test):
    exchangeable = Test is KFoldZTest
    assert np.isnan(fit(Test, sample(Test)).rho_alpha_) != exchangeable


@every_continuous_test
def test_statistic_is_in_units_of_the_standard_error(Test):
    test = fit(Test, sample(Test), popmean=0.25)
    if Test is FiveByTwoFTest:
        e = sample(Test).reshape(10, 3).mean(axis=1)
        expected = np.mean((e - 0.25) ** 2) / test.standard_error_**2
    else:  # of the 5x2 t test, that of the first of its ten differences
        estimate = getattr(test, "first_difference_", test.estimate_)
        expected = (estimate - 0.25) / test.standard_error_
    assert_allclose(test.statistic_, expected, rtol=1e-12)


# invariances


@pytest.mark.parametrize("Test", [*SIGNED, EquivalenceTest])
def test_swapping_the_estimators_mirrors_the_result(Test):
    e = sample(Test)
    for side, mirrored in zip(
        ALTERNATIVES, ("two-sided", "greater", "less"), strict=True
    ):
        one = fit(Test, e, alternative=side, popmean=0.1)
        other = fit(Test, -e, alternative=mirrored, popmean=-0.1)
        assert_allclose(other.statistic_, -one.statistic_, rtol=1e-12)
        assert_allclose(other.pvalue_, one.pvalue_, rtol=1e-11)
        assert_allclose(other.estimate_, -one.estimate_, rtol=1e-12)
        assert_allclose(other.rho_alpha_, one.rho_alpha_, rtol=1e-10)
        low, high = one.confidence_interval()
        assert_allclose(other.confidence_interval(), (-high, -low), rtol=1e-9)


@pytest.mark.parametrize("Test", [FiveByTwoFTest, McNemarTest])
def test_swapping_the_estimators_keeps_an_unsigned_statistic(Test):
    one, other = fit(Test, sample(Test)), fit(Test, -sample(Test))
    assert_allclose(other.statistic_, one.statistic_, rtol=1e-13)
    assert_allclose(other.pvalue_, one.pvalue_, rtol=1e-13)
    low, high = one.confidence_interval()
    assert_allclose(other.confidence_interval(), (-high, -low), rtol=1e-12)


@every_signed_test
def test_one_sided_pvalues_add_to_one_and_the_smaller_is_half_the_two_sided(Test):
    two, less, greater = (fit(Test, sample(Test), alternative=a) for a in ALTERNATIVES)
    assert_allclose(less.pvalue_ + greater.pvalue_, 1, rtol=1e-12)
    assert_allclose(2 * min(less.pvalue_, greater.pvalue_), two.pvalue_, rtol=1e-12)


@pytest.mark.parametrize("Test", [*SIGNED, EquivalenceTest])
def test_alternative_greater_looks_for_a_better_second_estimator(Test):
    e = sample(Test, mean=2.0)
    assert fit(Test, e, alternative="greater").pvalue_ < 0.1
    assert fit(Test, e, alternative="less").pvalue_ > 0.9


@pytest.mark.parametrize(("Test", "side"), CONTINUOUS_SIDES)
@pytest.mark.parametrize("scale", [2.0**-100, 2.0**40, 2.0**100])
def test_scaling_scales_the_estimate_and_keeps_the_pvalue(Test, side, scale):
    e = sample(Test)
    one = fit(Test, e, alternative=side, popmean=0.1)
    other = fit(Test, scale * e, alternative=side, popmean=scale * 0.1)
    for name in ("statistic_", "pvalue_", "rho_", "rho_alpha_"):
        assert_allclose(getattr(other, name), getattr(one, name), rtol=1e-12)
    for name in ("estimate_", "standard_error_"):
        assert_allclose(getattr(other, name), scale * getattr(one, name), rtol=1e-12)
    expected = scale * np.array(one.confidence_interval())
    assert_allclose(other.confidence_interval(), expected, rtol=1e-9)


@pytest.mark.parametrize(("Test", "side"), CONTINUOUS_SIDES)
@pytest.mark.parametrize("constant", [-3.5, 1e4])
def test_adding_a_constant_to_residuals_and_popmean_changes_nothing(
    Test, side, constant
):
    e = sample(Test)
    one = fit(Test, e, alternative=side, popmean=0.1)
    other = fit(Test, e + constant, alternative=side, popmean=0.1 + constant)
    for name in ("statistic_", "pvalue_", "standard_error_", "rho_", "rho_alpha_"):
        assert_allclose(getattr(other, name), getattr(one, name), rtol=1e-7)
    moved = np.array(other.confidence_interval()) - constant
    assert_allclose(moved, one.confidence_interval(), rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("Test", UNORDERED)
def test_permuting_the_examples_of_a_split_changes_nothing(Test):
    e = sample(Test).reshape(10, 3)
    shuffled = np.random.default_rng(1).permuted(e, axis=1)
    if design_of(Test) == "holdout":
        shuffled = np.random.default_rng(1).permutation(e)
    if design_of(Test) == "crossed":  # all runs have the same examples
        shuffled = e[:, [2, 0, 1]]
    assert_allclose(result(fit(Test, shuffled)), result(fit(Test, e)), rtol=1e-9)


ORDERS = {
    "splits": [[3, 7, 1, 0, 9, 4, 2, 8, 6, 5]],
    # replications among themselves, and the halves of each
    "5x2": [[4, 5, 0, 1, 8, 9, 2, 3, 6, 7], [1, 0, 2, 3, 5, 4, 7, 6, 9, 8]],
    # the first replication is the numerator's
    "5x2 t": [[0, 1, 8, 9, 4, 5, 2, 3, 6, 7], [0, 1, 3, 2, 5, 4, 6, 7, 9, 8]],
    # of two splits each: whole sample, first pair, second pair; splits within a
    # run, the halves of a pair, and the pairs
    "halves": [
        [1, 0, 3, 2, 4, 5, 7, 6, 8, 9],
        [0, 1, 4, 5, 2, 3, 6, 7, 8, 9],
        [0, 1, 6, 7, 8, 9, 2, 3, 4, 5],
    ],
}


def orders_for(Test):
    if Test in (FiveByTwoFTest, FiveByTwoTTest):
        return ORDERS["5x2" if Test is FiveByTwoFTest else "5x2 t"]
    return ORDERS["halves" if Test in NEEDS_HALVES else "splits"]


@pytest.mark.parametrize(
    ("Test", "order"),
    [(Test, order) for Test in UNORDERED for order in orders_for(Test)],
)
def test_permuting_exchangeable_splits_changes_nothing(Test, order):
    e = sample(Test).reshape(10, 3)
    assert_allclose(result(fit(Test, e[order])), result(fit(Test, e)), rtol=1e-9)


# parameters and the estimator contract


@every_test
def test_refit_equals_a_fresh_fit(Test):
    first, second = sample(Test, seed=1), sample(Test, seed=2)
    refitted = fit(Test, first).fit(residuals_for(Test, second))
    assert_array_equal(result(refitted), result(fit(Test, second)))
    assert vars(refitted).keys() == vars(fit(Test, second)).keys()


@every_test
def test_fit_leaves_parameters_and_residuals_untouched(Test):
    residuals = residuals_for(Test, sample(Test))
    before = residuals.values.copy()
    test = made(Test)
    params = test.get_params()
    test.fit(residuals).confidence_interval()
    assert_array_equal(residuals.values, before)
    assert test.get_params() == params


@pytest.mark.parametrize("Test", [t for t in ALL_TESTS if t not in NEEDS_HALVES])
def test_fit_leaves_a_plain_array_untouched(Test):
    array = array_for(Test, sample(Test))
    before = array.copy()
    with contextlib.suppress(ValueError):  # where an array does not say the sizes
        made(Test).fit(array)
    assert_array_equal(array, before)


@every_test
def test_fractions_are_numbers(Test):
    """A real number of any type gives what the float gives, and stays as given."""
    params = {"alpha": 0.125, "rho": 0.25, "rho_max": 0.5, "rope": 0.125, "margin": 0.5}
    params |= {"popmean": 0.0 if Test is McNemarTest else 0.125}
    exact = {name: Fraction(value) for name, value in params.items()}
    found = fit(Test, sample(Test), **exact)
    assert_array_equal(result(found), result(fit(Test, sample(Test), **params)))
    assert found.alpha == Fraction(1, 8)


@every_test
def test_parameters_are_stored_as_given(Test):
    params = {"alpha": np.float64(0.1), "alternative": "two" + "-sided", "popmean": 0}
    test = made(Test, **params)
    for name in params.keys() & test.get_params():
        assert getattr(test, name) is params[name]


@every_test
def test_nothing_is_checked_before_fit(Test):
    params = {name: object() for name in made(Test).get_params(deep=False)}
    assert Test(**params).get_params() == params


@every_test
def test_common_parameters_are_keyword_only(Test):
    defaults = {"alpha": 0.05, "alternative": "two-sided", "popmean": 0.0}
    if Test is McNemarTest:
        del defaults["popmean"]
    if Test is FiveByTwoFTest:
        del defaults["alternative"]
    params = made(Test).get_params(deep=False)
    assert defaults.items() <= params.items()
    with pytest.raises(TypeError, match="positional"):
        Test(*[0.5] * (len(params) - len(defaults) + 1))


@every_test
def test_clone_and_set_params(Test):
    test = fit(Test, sample(Test), alpha=0.1)
    copy = clone(test)
    assert repr(copy) == repr(test)
    assert not hasattr(copy, "pvalue_")
    copy.set_params(alpha=0.2).fit(residuals_for(Test, sample(Test)))
    expected = result(fit(Test, sample(Test), alpha=0.2))
    assert_array_equal(result(copy), expected)


@every_test
def test_repr_and_html_name_the_test_and_what_was_set(Test):
    test = made(Test, alpha=0.125)
    assert repr(test).startswith(f"{Test.__name__}(alpha=0.125")
    for one in (test, test.fit(residuals_for(Test, sample(Test)))):
        html = one._repr_html_()
        assert Test.__name__ in html
        assert "0.125" in html


@every_test
def test_pickle_keeps_the_result(Test):
    test = fit(Test, sample(Test))
    copy = pickle.loads(pickle.dumps(test))
    assert_array_equal(result(copy), result(test))
    assert repr(copy) == repr(test)


@every_test
def test_fit_asks_for_no_metadata_routing(Test):
    assert not hasattr(made(Test), "set_fit_request")


@every_test
def test_test_has_a_title_for_reports(Test):
    assert made(Test).title
    assert made(Test).concerns


@every_test
def test_confidence_interval_needs_fit(Test):
    with pytest.raises(NotFittedError):
        made(Test).confidence_interval()


# residuals


@every_test
@pytest.mark.parametrize("kind", DESIGNS)
def test_fit_refuses_designs_it_is_not_valid_for(Test, kind):
    residuals = make_residuals(sample(McNemarTest), DESIGNS[kind])
    if kind in ("5x2", "repeated k-fold"):  # each of 6 examples once in a repeat
        residuals = replace(residuals, row_index=np.tile(np.arange(6), 5))
    if kind in VALID_FOR[Test]:
        assert made(Test).fit(residuals).pvalue_ <= 1
        return
    right = RIGHT_TEST.get(kind, "")
    match = f"`test` must be .+ which {Test.__name__} is not; got .+{right}"
    with pytest.raises(ValueError, match=match):
        made(Test).fit(residuals)


@every_test
def test_check_design_says_so_before_anything_is_fitted(Test):
    with pytest.raises(ValueError, match="of no recognised design, which "):
        made(Test).check_design(Design("other", 10))


@pytest.mark.parametrize("Test", [t for t in NEEDS_EXAMPLES if t is not CrossedTest])
def test_fit_refuses_one_value_a_split_where_it_needs_examples(Test):
    cv = RepeatedSubsample(1, random_state=0)
    if Test is KFoldZTest:
        cv = BlockKFold(3, random_state=0)
    if Test is DieboldMarianoTest:
        cv = TimeSeriesSplit(3)
    losses = cross_val_losses(
        [GaussianNB(), DecisionTreeClassifier(random_state=0)],
        *load_iris(return_X_y=True),
        cv=cv,
        scoring=lambda fitted, X, y: fitted.score(X, y),  # one value a split
    )
    match = f"there is one value a split; {Test.__name__} is not"
    with pytest.raises(ValueError, match=match):
        Test().fit(losses.residuals(0, 1))


@pytest.mark.parametrize("Test", [t for t in ALL_TESTS if t not in NEEDS_EXAMPLES])
def test_fit_takes_one_value_a_split_where_it_needs_no_examples(Test):
    e = sample(Test).reshape(10, 3)
    design = residuals_for(Test, e).design
    means = CVResiduals.from_array(e.mean(axis=1), design=design, n_train=27, n_test=3)
    expected = result(fit(Test, e))
    assert_allclose(result(made(Test).fit(means)), expected, rtol=1e-12)


@pytest.mark.parametrize("Test", NEEDS_HALVES)
def test_fit_refuses_arrays_where_it_needs_paired_halves(Test):
    with pytest.raises(TypeError, match=r"`residuals` must be CVResiduals .+; got "):
        Test().fit(np.ones((10, 3)))


@pytest.mark.parametrize("Test", [t for t in ALL_TESTS if t not in NEEDS_HALVES])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_fit_refuses_arrays_that_are_not_finite(Test, bad):
    array = array_for(Test, sample(Test))
    array[-1, ...] = bad
    last = 0 if array.ndim == 1 else len(array) - 1
    with pytest.raises(ValueError, match=f"got {str(bad)[:3]} in split {last}"):
        made(Test).fit(array)


@every_test
def test_fit_names_estimators_and_splits_that_are_not_finite(Test):
    residuals = residuals_for(Test, sample(Test))
    values = residuals.values.copy()
    values[0] = np.nan
    residuals = replace(residuals, values=values, names=("tree", "bayes"))
    with pytest.raises(ValueError, match="nan in split 0 of 'tree' and 'bayes'"):
        made(Test).fit(residuals)


@pytest.mark.parametrize("Test", [KFoldTTest, ResampledTTest, HoldoutTTest])
def test_fit_needs_two_values(Test):
    with pytest.raises(ValueError, match=r"at least (2|two)"):
        Test().fit([1.0])


# degenerate residuals


@pytest.mark.parametrize(("Test", "side"), [c for c in SIDES if c[0] in WITH_ZERO])
def test_zero_residuals_give_statistic_zero_and_pvalue_one(Test, side):
    test = fit(Test, np.zeros(30), alternative=side)
    assert (test.statistic_, test.pvalue_) == (0, 1)
    assert (test.estimate_, test.standard_error_) == (0, 0)
    assert not np.isnan(test.confidence_interval()).any()


CONSTANTS = [0.1, 1 / 3, -2.7, 1e8 / 3, 1e-100, 1e100]


@pytest.mark.parametrize(("Test", "side"), CONTINUOUS_SIDES)
@pytest.mark.parametrize("constant", CONSTANTS)
def test_constant_residuals_equal_to_popmean_give_pvalue_one(Test, side, constant):
    test = fit(Test, np.full(30, constant), alternative=side, popmean=constant)
    assert (test.statistic_, test.pvalue_) == (0, 1)


@pytest.mark.parametrize(("Test", "side"), CONTINUOUS_SIDES)
@pytest.mark.parametrize("constant", CONSTANTS)
def test_constant_residuals_give_an_infinite_statistic_and_warn(Test, side, constant):
    with pytest.warns(DegenerateResidualsWarning, match=Test.__name__):
        test = fit(Test, np.full(30, constant), alternative=side)
    sign = 1 if Test is FiveByTwoFTest else np.sign(constant)
    assert test.statistic_ == sign * np.inf
    against = side == ("less" if constant > 0 else "greater")
    assert_allclose(test.pvalue_, float(against), rtol=1e-15)
    assert_allclose(test.estimate_, constant, rtol=1e-14)
    assert test.standard_error_ == 0
    interval = np.array(test.confidence_interval())
    assert_allclose(interval[np.isfinite(interval)], constant, rtol=1e-14)


@every_continuous_test
def test_residuals_equal_but_for_the_last_digit_have_no_variance(Test):
    e = np.where(np.arange(30) % 4 < 2, 0.3, 0.1 + 0.2)
    test = fit(Test, e, popmean=0.3)
    assert (test.statistic_, test.pvalue_) == (0, 1)
    assert test.standard_error_ == 0


@every_continuous_test
def test_degenerate_warning_points_at_the_call_of_fit(Test):
    residuals = residuals_for(Test, np.ones(30))
    with pytest.warns(DegenerateResidualsWarning) as record:
        Test().fit(residuals)
    assert {warning.filename for warning in record} == {__file__}


@every_test
def test_ordinary_residuals_do_not_warn(Test):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit(Test, sample(Test)).confidence_interval()


# confidence intervals and rho_alpha


def refit_at(Test, e, popmean, **params):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateResidualsWarning)
        return fit(Test, e, popmean=popmean, **params).pvalue_


@pytest.mark.parametrize(("Test", "side"), CONTINUOUS_SIDES)
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_confidence_interval_inverts_the_test(Test, side, level):
    e = sample(Test, mean=0.0)
    interval = fit(Test, e, alternative=side).confidence_interval(level)
    assert interval.low == interval[0] < interval[1] == interval.high
    ends = [end for end in interval if np.isfinite(end)]
    assert len(ends) == (2 if side == "two-sided" else 1)
    for end in ends:
        pvalue = refit_at(Test, e, end, alternative=side)
        assert_allclose(pvalue, 1 - level, rtol=1e-6)


# how far the scaled t may be from half the interval at 90, 95 and 99%
TOTAL_IS_NEAR = {FiveByTwoFTest: (0.05, 1e-9, 0.2)}


@every_test
def test_total_error_gives_the_interval_of_the_test(Test):
    test = fit(Test, sample(Test, mean=0.1))
    tolerances = TOTAL_IS_NEAR.get(Test, (1e-12,) * 3)
    for level, tolerance in zip((0.9, 0.95, 0.99), tolerances, strict=True):
        low, high = test.confidence_interval(level)
        margin = stats.t.ppf((1 + level) / 2, test.total_df_) * test.total_error_
        if np.isfinite(tolerance):
            assert margin == pytest.approx((high - low) / 2, rel=tolerance), level


@every_signed_test
def test_total_error_has_no_side(Test):
    expected, *others = (
        fit(Test, sample(Test), alternative=side) for side in ALTERNATIVES
    )
    for other in others:
        assert other.total_df_ == expected.total_df_
        assert other.total_error_ == pytest.approx(expected.total_error_, rel=1e-9)


@every_signed_test
def test_one_sided_interval_is_open_on_the_side_of_the_alternative(Test):
    e = sample(Test)
    assert fit(Test, e, alternative="greater").confidence_interval().high == np.inf
    assert fit(Test, e, alternative="less").confidence_interval().low == -np.inf


@every_test
def test_confidence_interval_widens_with_its_level(Test):
    test = fit(Test, sample(Test, seed=3, mean=0.0))
    narrow, wide = test.confidence_interval(0.9), test.confidence_interval(0.99)
    assert wide.low <= narrow.low <= narrow.high <= wide.high
    assert wide != narrow


@every_continuous_test
def test_confidence_interval_does_not_depend_on_popmean(Test):
    e = sample(Test)
    expected = fit(Test, e).confidence_interval()
    moved = fit(Test, e, popmean=5.0).confidence_interval()
    assert_allclose(moved, expected, rtol=1e-12)


# equivalence, around any test that has a direction


def equivalence(Test, e, margin, **params):
    return EquivalenceTest(Test(), margin, **params).fit(residuals_for(Test, e))


@pytest.mark.parametrize("Test", DIRECTED)
@pytest.mark.parametrize("seed", range(3))
def test_equivalence_is_the_larger_of_two_one_sided_pvalues(Test, seed):
    e = sample(Test, seed, mean=0.0)
    test = equivalence(Test, e, 0.6, popmean=0.1)
    lower = fit(Test, e, alternative="greater", popmean=-0.5).pvalue_
    upper = fit(Test, e, alternative="less", popmean=0.7).pvalue_
    assert_allclose(test.pvalue_, max(lower, upper), rtol=1e-12)
    for side, expected in (("greater", lower), ("less", upper)):
        one = equivalence(Test, e, 0.6, popmean=0.1, alternative=side)
        assert_allclose(one.pvalue_, expected, rtol=1e-12)


@pytest.mark.parametrize("Test", DIRECTED)
@pytest.mark.parametrize("margin", [0.05, 0.4, 0.8, 3.0])
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_equivalence_is_an_interval_within_the_margin(Test, margin, alpha):
    e = sample(Test, seed=4, mean=0.0)
    low, high = fit(Test, e).confidence_interval(1 - 2 * alpha)
    test = equivalence(Test, e, margin)
    assert (test.pvalue_ <= alpha) == (-margin <= low <= high <= margin)


@pytest.mark.parametrize("margin", [0.3, 1.0])
def test_equivalence_rho_alpha_is_the_largest_rho_that_concludes_it(margin):
    residuals = residuals_for(KFoldTTest, sample(KFoldTTest, seed=5, mean=0.1))
    largest = EquivalenceTest(KFoldTTest(), margin).fit(residuals).rho_alpha_
    assert -np.inf < largest < 1
    below, above = (
        EquivalenceTest(KFoldTTest(largest + step), margin).fit(residuals).pvalue_
        for step in (-1e-6, 1e-6)
    )
    assert below <= 0.05 < above


@pytest.mark.parametrize("test", [None, "KFoldTTest", KFoldTTest, FiveByTwoFTest()])
def test_equivalence_refuses_what_is_no_directed_test(test):
    with pytest.raises(TypeError, match=r"^`test` must be .+; got .+\.$"):
        EquivalenceTest(test, 0.1).fit(residuals_for(KFoldTTest, np.arange(30.0)))


def test_equivalence_of_zero_residuals_is_certain():
    with pytest.warns(DegenerateResidualsWarning, match="EquivalenceTest") as record:
        test = equivalence(KFoldTTest, np.zeros(30), 0.1)
    assert test.pvalue_ == 0
    assert len(record) == 1


@pytest.mark.parametrize("Test", [KFoldTTest, KFoldZTest, CorrectedResampledTTest])
def test_array_of_one_block_is_refused_by_name(Test):
    with pytest.raises(ValueError, match="`residuals` must be of at least 2 splits"):
        Test().fit([[1.0, 2.0]])


@pytest.mark.parametrize("Test", [FiveByTwoTTest, FiveByTwoFTest])
def test_array_of_another_design_is_refused_by_name(Test):
    with pytest.raises(ValueError, match=r"of shape \(5, 2\)"):
        Test().fit([[1.0, 2.0], [3.0, 4.0]])
