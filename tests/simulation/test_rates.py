"""rejection_rates: the same decisions as fitting every test on every sample."""

import functools

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.model_selection import RepeatedKFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    ConservativeZTest,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    CVResiduals,
    EquivalenceTest,
    FiveByTwo,
    FiveByTwoFTest,
    FiveByTwoTTest,
    HalfSampleTTest,
    HoldoutTTest,
    KFoldTTest,
    KFoldZTest,
    McNemarTest,
    PairedHalves,
    PairedHalvesTTest,
    RepeatedSubsample,
    ResampledTTest,
)
from sklearn_cvtest.results import Design
from sklearn_cvtest.simulation import ArrayPopulation, rejection_rates, replicate_losses

N_GAUSSIAN = 2000
MODELS = {
    "tree": DecisionTreeClassifier(random_state=0),
    "bayes": GaussianNB(var_smoothing=0.01),
}
DESIGNS = {
    "k-fold": BlockKFold(10),
    "halves of k-fold": PairedHalves(BlockKFold(4), 3),
    "halves of subsamples": PairedHalves(RepeatedSubsample(6), 3),
    "repeated k-fold": RepeatedKFold(n_splits=5, n_repeats=2),
    "subsamples": RepeatedSubsample(12),
    "5x2": FiveByTwo(),
    "one split": ShuffleSplit(1, test_size=0.33),
}
TESTS = [
    ("k-fold", KFoldTTest(rho=0.0)),
    ("k-fold", KFoldTTest("nadeau-bengio", alternative="greater")),
    ("k-fold", CorrectedResampledTTest(alternative="less")),
    ("k-fold", KFoldZTest()),
    ("k-fold", KFoldZTest(alternative="less")),
    ("k-fold", BayesianCorrelatedTTest()),
    ("k-fold", EquivalenceTest(KFoldTTest(), 0.3)),
    ("halves of k-fold", HalfSampleTTest()),
    ("halves of k-fold", PairedHalvesTTest()),
    ("halves of subsamples", ConservativeZTest(alternative="greater")),
    ("repeated k-fold", CorrectedRepeatedKFoldTTest()),
    ("repeated k-fold", KFoldZTest()),
    ("subsamples", ResampledTTest()),
    ("5x2", FiveByTwoTTest(alternative="greater")),
    ("5x2", FiveByTwoFTest()),
    ("one split", HoldoutTTest()),
]


@functools.cache
def residuals_of(design):
    X, y = load_digits(return_X_y=True)
    samples = replicate_losses(
        MODELS,
        ArrayPopulation(X[:, :20], y % 2),
        n_samples=53,
        cv=DESIGNS[design],
        loss="zero_one",
        n_replications=4,
        random_state=0,
    )
    return [losses.residuals("tree", "bayes") for losses in samples]


@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.FewExamplesWarning")
@pytest.mark.parametrize(
    ("design", "test"), TESTS, ids=lambda x: " ".join(repr(x).split())
)
def test_rates_are_those_of_fitting_each_sample(design, test):
    alphas, popmeans = np.array([0.05, 0.2]), np.array([0.0, 0.0501, -0.1007])
    samples = residuals_of(design)
    rates = rejection_rates(samples, test, alphas=alphas, popmeans=popmeans)
    for column, popmean in enumerate(popmeans.tolist()):
        fitted = [clone(test).set_params(popmean=popmean).fit(s) for s in samples]
        pvalues = np.array([one.pvalue_ for one in fitted])
        expected = (pvalues <= alphas[:, np.newaxis]).mean(axis=1)
        np.testing.assert_allclose(rates.rates[0, :, column], expected)


def test_mcnemar_is_about_a_difference_of_zero():
    rates = rejection_rates(residuals_of("one split"), McNemarTest(), popmeans=0.0)
    fitted = [McNemarTest().fit(sample).pvalue_ for sample in residuals_of("one split")]
    assert rates.rates.item() == np.mean(np.array(fitted) <= 0.05)


# Known truth ------------------------------------------------------------------------


@functools.cache
def gaussian(rho=0.5, mean=0.0):
    """Return 2,000 samples of 10 × 4 residuals with γ = ρθ.

    Independent ones, and a common shift of each sample: θ = 1/n + γ, γ = ρ/(1-ρ)/n.
    """
    rng = np.random.default_rng(0)
    gamma = rho / (1 - rho) / 40
    values = rng.normal(mean, size=(N_GAUSSIAN, 40))
    values += np.sqrt(gamma) * rng.normal(size=(N_GAUSSIAN, 1))
    sizes = np.full(10, 4)
    return CVResiduals(
        values,
        np.repeat(np.arange(10), 4),
        Design("k-fold", 10),
        n_train=40 - sizes,
        n_test=sizes,
    )


def within_binomial(rate, probability):
    low, high = stats.binom.interval(0.999, N_GAUSSIAN, probability)
    return low <= rate * N_GAUSSIAN <= high


@pytest.mark.parametrize("assumed", [0.0, 0.5, 0.7])
@pytest.mark.parametrize("true", [0.0, 0.5])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_size_of_the_t_test_is_as_computed(true, assumed, alternative):
    # t(ρ) at the true ρ is Student's t; at another, that times √((1-ρ)/(1-true))
    alphas = np.array([0.01, 0.05, 0.1])
    test = KFoldTTest(rho=assumed, alternative=alternative)
    found = rejection_rates(gaussian(true), test, alphas=alphas, popmeans=0.0)
    tails = alphas / 2 if alternative == "two-sided" else alphas
    factor = np.sqrt((1 - true) / (1 - assumed))
    size = stats.t.sf(stats.t.isf(tails, 9) * factor, 9) * alphas / tails
    for rate, expected in zip(found.rates[0, :, 0], size, strict=True):
        assert within_binomial(rate, expected)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_power_of_the_t_test_is_as_computed(alternative):
    # θ = 1/n + γ = 2/n at ρ = 1/2, n = 40
    shift = 0.5
    test = KFoldTTest(rho=0.5, alternative=alternative)
    found = rejection_rates(gaussian(0.5), test, popmeans=[-shift, shift])
    noncentrality = shift / np.sqrt(2 / 40)
    critical = stats.t.isf(0.025 if alternative == "two-sided" else 0.05, 9)
    right = stats.nct.sf(critical, 9, noncentrality)
    wrong = stats.nct.cdf(-critical, 9, noncentrality)
    above, below = {  # an estimate above popmean, and below
        "two-sided": (right + wrong, right + wrong),
        "greater": (right, wrong),
        "less": (wrong, right),
    }[alternative]
    assert within_binomial(found.rates[0, 0, 0], above)
    assert within_binomial(found.rates[0, 0, 1], below)


def test_rates_at_the_mean_of_all_samples_are_sizes():
    found = rejection_rates(gaussian(0.5, mean=3.0), KFoldTTest(rho=0.5))
    assert found.popmeans.tolist() == [found.true_mean]
    assert found.true_mean == pytest.approx(3, abs=4 * found.true_mean_error)
    assert found.true_mean_error == pytest.approx(np.sqrt(2 / 40 / 2000), rel=0.1)
    assert within_binomial(found.rates[0, 0, 0], 0.05)


def test_own_level_and_hypothesis_of_a_test_are_not_used():
    test = KFoldTTest(alpha=0.5, popmean=7.0)
    found, expected = (
        rejection_rates(gaussian(), one, popmeans=0.1) for one in (test, KFoldTTest())
    )
    assert found.rates == expected.rates
    assert (test.alpha, test.popmean) == (0.5, 7.0)
    assert not hasattr(test, "pvalue_")


def test_samples_of_equal_values_are_judged_by_the_range_of_the_mean():
    split = np.repeat(np.arange(10), 2)
    residuals = CVResiduals(
        values=np.zeros((3, 20)),
        row_split=split,
        row_index=np.arange(20),
        design=Design("k-fold", 10),
        value_range=(0.0, 1.0),
    )
    rates = rejection_rates(residuals, KFoldZTest(), popmeans=[0.0, 0.16, 0.17])
    assert 2 * (1 - 0.17) ** 20 < 0.05 < 2 * (1 - 0.16) ** 20
    np.testing.assert_array_equal(rates.rates.ravel(), [0, 0, 1])


def test_frame_has_a_row_per_rate_with_its_binomial_error():
    tests = {"a": KFoldTTest(0.0), "b": KFoldTTest()}
    found = rejection_rates(gaussian(), tests, alphas=[0.05, 0.1])
    frame = found.to_frame()
    assert list(frame) == ["test", "alpha", "popmean", "rate", "standard_error"]
    assert frame["test"].tolist() == ["a", "a", "b", "b"]
    assert frame["alpha"].tolist() == [0.05, 0.1] * 2
    np.testing.assert_array_equal(frame["rate"], found.rates.ravel())
    errors = np.sqrt(found.rates * (1 - found.rates) / N_GAUSSIAN)
    np.testing.assert_allclose(frame["standard_error"], errors.ravel())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"residuals": np.zeros((5, 4))}, "`residuals` must be a list of CVResiduals"),
        ({"residuals": []}, "`residuals` must be a list of CVResiduals"),
        ({"tests": None}, "`tests` must be"),
        ({"tests": "t"}, "`tests` must be"),
        ({"tests": FiveByTwoTTest()}, "`test` must be .* FiveByTwoTTest"),
        ({"alphas": 0.0}, "`alphas` must be .*; got 0.0"),
        ({"alphas": [0.1, 1]}, "`alphas` must be .*; got 1.0"),
        ({"alphas": "5%"}, "`alphas` must be .*; got '5%'"),
        ({"popmeans": np.inf}, "`popmeans` must be finite"),
        ({"popmeans": "0"}, "`popmeans` must be .*; got '0'"),
    ],
)
def test_arguments_are_named_with_their_value(options, message):
    options = {"residuals": gaussian(), "tests": KFoldTTest(), **options}
    residuals, tests = options.pop("residuals"), options.pop("tests")
    with pytest.raises((TypeError, ValueError), match=message):
        rejection_rates(residuals, tests, **options)
