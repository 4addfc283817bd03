"""rejection_rates: the same decisions as fitting every test on every sample."""

import dataclasses
import functools
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from simulation_doubles import gaussian_blocks, sums_of_examples
from simulation_doubles import replicated as blocks
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
    cross_val_losses,
)
from sklearn_cvtest.results import BaseCVTest
from sklearn_cvtest.simulation import (
    ArrayPopulation,
    ReplicatedResiduals,
    rejection_rates,
    replicate_losses,
)

MOST_CASES = 40  # that the suite runs of a test, see conftest.py

pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn_cvtest.exceptions.DegenerateResidualsWarning",
    "ignore::sklearn_cvtest.exceptions.HeavyTailedResidualsWarning",
)
N_SAMPLES, N_REPLICATIONS = 53, 4
ALPHAS = np.array([0.05, 0.2])
POPMEANS = np.array([0.0, 0.0501, 0.1003, -0.1007, 0.3001])

DESIGNS = {
    "k-fold": BlockKFold(10, random_state=0),
    "halves of k-fold": PairedHalves(BlockKFold(4, random_state=0), 3, random_state=1),
    "halves of subsamples": PairedHalves(
        RepeatedSubsample(6, random_state=0), 3, random_state=1
    ),
    "repeated k-fold": RepeatedKFold(n_splits=5, n_repeats=2, random_state=0),
    "subsamples": RepeatedSubsample(12, random_state=0),
    "5x2": FiveByTwo(random_state=0),
    "one split": ShuffleSplit(1, test_size=0.33, random_state=0),
}


class UnknownTTest(BaseCVTest):
    """A test that rejection_rates knows nothing of, and evaluates for every sample."""

    designs = ("k-fold",)

    def evaluate(self, residuals):
        params = {"alternative": self.alternative, "popmean": self.popmean}
        return KFoldTTest(0.0, **params).evaluate(residuals)


TESTS = [
    ("k-fold", KFoldTTest(rho=0.0)),
    ("k-fold", KFoldTTest()),
    ("k-fold", KFoldTTest("nadeau-bengio", alternative="greater")),
    ("k-fold", CorrectedResampledTTest(alternative="less")),
    ("k-fold", KFoldZTest()),
    ("k-fold", KFoldZTest(0, "theta4", alternative="less")),
    ("k-fold", KFoldZTest(0.5, variance="theta4")),
    ("k-fold", KFoldZTest(alternative="greater")),
    ("k-fold", KFoldZTest(alternative="less")),
    ("k-fold", BayesianCorrelatedTTest()),
    ("k-fold", EquivalenceTest(KFoldTTest(), 0.3)),
    ("k-fold", EquivalenceTest(KFoldTTest(0.0), 0.1, alternative="greater")),
    ("k-fold", EquivalenceTest(KFoldZTest(), 0.1, alternative="less")),
    ("k-fold", EquivalenceTest(KFoldZTest(alternative="less"), 0.15)),
    ("k-fold", EquivalenceTest(BayesianCorrelatedTTest(), 0.15)),
    ("k-fold", UnknownTTest()),
    ("k-fold", EquivalenceTest(UnknownTTest(), 0.15)),
    ("halves of k-fold", HalfSampleTTest()),
    ("halves of k-fold", HalfSampleTTest(rho_max=0.2, alternative="less")),
    ("halves of k-fold", PairedHalvesTTest()),
    ("halves of k-fold", ConservativeZTest()),
    ("halves of subsamples", ConservativeZTest(alternative="greater")),
    ("halves of k-fold", EquivalenceTest(HalfSampleTTest(), 0.2)),
    ("halves of subsamples", EquivalenceTest(ConservativeZTest(), 0.2)),
    ("repeated k-fold", CorrectedRepeatedKFoldTTest()),
    ("subsamples", ResampledTTest()),
    ("subsamples", CorrectedResampledTTest()),
    ("5x2", FiveByTwoTTest()),
    ("5x2", FiveByTwoTTest(alternative="greater")),
    ("5x2", FiveByTwoFTest()),
    ("5x2", EquivalenceTest(FiveByTwoTTest(), 0.15)),
    ("one split", HoldoutTTest()),
    ("one split", EquivalenceTest(HoldoutTTest(), 0.2)),
    ("one split", HoldoutTTest(alternative="less")),
    ("one split", McNemarTest()),
    ("one split", McNemarTest("mid-p", alternative="greater")),
    ("one split", McNemarTest("chi2")),
]


class Samples:
    """The samples of a population, one after the other."""

    def __init__(self):
        X, y = load_digits(return_X_y=True)
        self.population = ArrayPopulation(X[:, :20], y % 2)
        self.drawn = []

    def sample(self, n_samples, rng):
        self.drawn.append(self.population.sample(n_samples, rng))
        return self.drawn[-1]


ESTIMATORS = {
    "tree": DecisionTreeClassifier(random_state=0),
    "bayes": GaussianNB(var_smoothing=0.01),
}


@functools.cache
def replicated(design):
    """Return the replicated residuals of a design, and those of each sample."""
    samples, cv = Samples(), DESIGNS[design]
    options = {"n_samples": N_SAMPLES, "n_replications": N_REPLICATIONS}
    # splits that are the same in all samples, to be repeated here
    splits = list(cv.split(np.zeros((N_SAMPLES, 1))))
    replications = replicate_losses(
        ESTIMATORS, samples, cv=splits, random_state=0, **options
    )
    one_by_one = [
        cross_val_losses(ESTIMATORS, X, y, cv=cv, loss="zero_one").residuals(0, 1)
        for X, y in samples.drawn[1:]  # the first is drawn twice, to check arguments
    ]
    residuals = replications.residuals("tree", "bayes")
    # an iterable of splits does not say that it is one of paired halves
    sums = example_squares_of(one_by_one)
    return (
        replace(residuals, design=one_by_one[0].design, example_squares=sums),
        one_by_one,
    )


def example_squares_of(one_by_one):
    """Return those of the runs on whole samples; None if they are no one K-fold."""
    runs = [one.runs()[0] for one in one_by_one]
    if runs[0].design.kind != "k-fold":
        return None
    return sums_of_examples(np.array([run.values for run in runs]))


@pytest.mark.parametrize("design", DESIGNS)
def test_block_statistics_are_those_of_the_residuals(design):
    residuals, one_by_one = replicated(design)
    for number, one in enumerate(one_by_one):
        np.testing.assert_allclose(residuals.block_means[number], one.block_means)
        squares = np.bincount(one.row_split, one.values**2)
        np.testing.assert_allclose(residuals.block_squares[number], squares)


def at(test, popmean):
    """Return a test of a hypothesis; McNemarTest knows no other than 0."""
    is_free = "popmean" in test.get_params(deep=False)
    return clone(test).set_params(popmean=popmean) if is_free else test


@pytest.mark.parametrize(
    ("design", "test"), TESTS, ids=lambda x: " ".join(repr(x).split())
)
def test_rates_are_those_of_fitting_each_sample(design, test):
    residuals, one_by_one = replicated(design)
    popmeans = POPMEANS[:1] if isinstance(test, McNemarTest) else POPMEANS
    rates = rejection_rates(residuals, test, alphas=ALPHAS, popmeans=popmeans)
    expected = np.zeros((len(ALPHAS), len(popmeans)))
    for column, popmean in enumerate(popmeans):
        for one in one_by_one:
            # whose bounds of the metric are not those of residuals alone
            fitted = at(test, popmean).fit(dataclasses.replace(one, rests_on=None))
            expected[:, column] += fitted.pvalue_ <= ALPHAS
    np.testing.assert_allclose(rates.rates[0] * N_REPLICATIONS, expected, atol=1e-9)


# Without spread ---------------------------------------------------------------

FLAT = [
    *("zero", "constant", "minus constant", "one in three", "two by two", "one"),
    "one and minus one",
]


def flat_values(kind, n):
    number = np.arange(n)
    return {
        "zero": np.zeros(n),
        "constant": np.ones(n),
        "minus constant": -np.ones(n),
        "one in three": (number % 3 == 0).astype(float),
        "two by two": (number // 2 % 2).astype(float),
        "one": (number == 0).astype(float),
        "one and minus one": (number == 0).astype(float) - (number == 1),
    }[kind]


@functools.cache
def degenerate(design, scale):
    """Return samples of many zeros or equal values, and each one's residuals."""
    splits = list(DESIGNS[design].split(np.zeros((24, 1))))
    n_train, n_test = (
        np.array([len(p) for p in part]) for part in zip(*splits, strict=True)
    )
    known = dict(
        n_train=n_train,
        n_test=n_test,
        n_samples=24,
        design=replicated(design)[0].design,
    )
    row_split = np.repeat(np.arange(len(splits)), n_test)
    values = [scale * flat_values(kind, len(row_split)) for kind in FLAT]
    one_by_one = [CVResiduals(values=v, row_split=row_split, **known) for v in values]
    residuals = ReplicatedResiduals(
        block_means=np.array([one.block_means for one in one_by_one]),
        block_squares=np.array([np.bincount(row_split, v**2) for v in values]),
        loss_name="zero_one",
        example_squares=example_squares_of(one_by_one),
        **known,
    )
    return residuals, one_by_one


@pytest.mark.parametrize("alpha", [1e-12, 0.05, 0.3])
@pytest.mark.parametrize(
    ("design", "test"), TESTS, ids=lambda x: " ".join(repr(x).split())
)
def test_degenerate_samples_are_judged_as_one_by_one(design, test, alpha):
    scale = 1.0 if isinstance(test, McNemarTest) else 0.1
    popmeans = np.array([0.0]) if scale == 1 else np.array([0.0, 0.1, -0.1, 0.02])
    residuals, one_by_one = degenerate(design, scale)
    found = rejection_rates(residuals, test, alphas=alpha, popmeans=popmeans)
    for column, popmean in enumerate(popmeans):
        one = at(test, popmean)
        expected = sum(one.fit(each).pvalue_ <= alpha for each in one_by_one)
        assert found.rates[0, 0, column] * len(FLAT) == pytest.approx(expected)


@pytest.mark.parametrize(("design", "test"), TESTS[::3], ids=lambda x: type(x).__name__)
def test_levels_below_the_resolution_of_one_are_possible(design, test):
    residuals, _ = degenerate(design, 1.0)
    rates = rejection_rates(residuals, test, alphas=[1e-20, 0.05], popmeans=0.0).rates
    assert (rates[0, 0] <= rates[0, 1]).all()


# Known truth ------------------------------------------------------------------

GAUSSIAN = [KFoldTTest(rho=0.0), KFoldTTest(rho=0.5), KFoldTTest(rho=0.7)]
N_GAUSSIAN = 2000


@functools.cache
def gaussian(rho=0.5, mean=0.0):
    rng = np.random.default_rng(0)
    return blocks(gaussian_blocks(rng, N_GAUSSIAN, 10, 4, rho=rho, mean=mean))


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
    tail = 0.025 if alternative == "two-sided" else 0.05
    critical = stats.t.isf(tail, 9)
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


def test_standard_errors_are_binomial():
    found = rejection_rates(gaussian(), GAUSSIAN, alphas=[0.01, 0.3], popmeans=[0, 0.3])
    assert found.rates.shape == found.standard_errors.shape == (3, 2, 2)
    np.testing.assert_allclose(
        found.standard_errors, np.sqrt(found.rates * (1 - found.rates) / 2000)
    )
    assert found.n_replications == 2000


@pytest.mark.parametrize("alpha", [1e-9, 1 - 1e-9])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_extreme_levels_reject_nothing_or_all(alpha, alternative):
    test = KFoldTTest(rho=0.5, alternative=alternative)
    rate = rejection_rates(gaussian(), test, alphas=alpha, popmeans=0.0).rates[0, 0, 0]
    assert rate == round(alpha)


def test_one_sided_rates_mirror_each_other():
    alphas, popmeans = [0.05, 0.4], np.array([-0.2, 0.0, 0.3])
    for make in (KFoldTTest, KFoldZTest):
        one, other = (make(alternative=side) for side in ("less", "greater"))
        residuals = gaussian()
        mirrored = replace(residuals, block_means=-residuals.block_means)
        np.testing.assert_array_equal(
            rejection_rates(residuals, one, alphas=alphas, popmeans=popmeans).rates,
            rejection_rates(mirrored, other, alphas=alphas, popmeans=-popmeans).rates,
        )


def test_all_at_once_are_one_by_one():
    tests = {"t": KFoldTTest(), "z": KFoldZTest(), "p": KFoldZTest(0)}
    alphas, popmeans = [0.02, 0.2], [0.0, 0.2, -0.4]
    found = rejection_rates(gaussian(), tests, alphas=alphas, popmeans=popmeans)
    assert found.test_names == ("t", "z", "p")
    for i, test in enumerate(tests.values()):
        for j, alpha in enumerate(alphas):
            for k, popmean in enumerate(popmeans):
                one = rejection_rates(gaussian(), test, alphas=alpha, popmeans=popmean)
                assert one.rates.item() == found.rates[i, j, k]


def test_own_level_and_hypothesis_of_a_test_are_not_used():
    test = KFoldTTest(alpha=0.5, popmean=7.0)
    found, expected = (
        rejection_rates(gaussian(), one, popmeans=0.1) for one in (test, KFoldTTest())
    )
    assert found.rates == expected.rates
    assert (test.alpha, test.popmean) == (0.5, 7.0)
    assert not hasattr(test, "pvalue_")


def test_frame_has_a_row_per_rate():
    found = rejection_rates(
        gaussian(), {"a": KFoldTTest(0.0), "b": KFoldTTest()}, alphas=[0.05, 0.1]
    )
    frame = found.to_frame()
    assert list(frame) == ["test", "alpha", "popmean", "rate", "standard_error"]
    assert frame["test"].tolist() == ["a", "a", "b", "b"]
    assert frame["alpha"].tolist() == [0.05, 0.1] * 2
    np.testing.assert_array_equal(frame["rate"], found.rates.ravel())
    np.testing.assert_array_equal(
        frame["standard_error"], found.standard_errors.ravel()
    )


# Bad arguments ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"residuals": np.zeros((5, 4))}, "`residuals` must be ReplicatedResiduals"),
        (
            {"tests": None},
            "`tests` must be a test, a list or a dict of tests; got None",
        ),
        ({"tests": "t"}, ".*; got 't'"),
        ({"tests": FiveByTwoTTest()}, "FiveByTwoTTest.*5x2"),
        ({"tests": HalfSampleTTest()}, "HalfSampleTTest.*paired halves"),
        ({"alphas": 0.0}, r"`alphas` must be a real number in \(0, 1\); got 0.0"),
        ({"alphas": [0.1, 1]}, r"`alphas` must be a real number in \(0, 1\); got 1.0"),
        ({"alphas": np.nan}, r"`alphas` must be a real number in \(0, 1\); got nan"),
        ({"alphas": []}, "`alphas` must be a non-empty array of real numbers"),
        ({"alphas": "5%"}, "`alphas` must be a non-empty array .*; got '5%'"),
        ({"alphas": [[0.1]]}, r"`alphas` must be .*; got an array of shape \(1, 1\)"),
        ({"popmeans": np.inf}, r"`popmeans` must be finite; got array\(\[inf\]\)"),
        ({"popmeans": "0"}, "`popmeans` must be a non-empty array .*; got '0'"),
    ],
)
def test_arguments_are_named_with_their_value(options, message):
    options = {"residuals": gaussian(), "tests": KFoldTTest(), **options}
    residuals, tests = options.pop("residuals"), options.pop("tests")
    with pytest.raises((TypeError, ValueError), match=message):
        rejection_rates(residuals, tests, **options)


@pytest.mark.parametrize("side", ["less", "greater"])
def test_one_sided_z_tests_have_levels_above_a_half(side):
    e = gaussian_blocks(np.random.default_rng(0), 100, 10, 4)
    alphas, test = np.array([0.4, 0.5, 0.9]), KFoldZTest(alternative=side)
    rates = rejection_rates(blocks(e), test, alphas=alphas, popmeans=0.0).rates
    pvalues = np.array([test.fit(one).pvalue_ for one in e])
    expected = [np.count_nonzero(pvalues <= alpha) for alpha in alphas]
    np.testing.assert_allclose(rates[0, :, 0] * 100, expected)


def test_mcnemar_tests_that_there_is_no_difference_in_zero_one_loss():
    residuals, _ = replicated("one split")
    with pytest.raises(ValueError, match="`popmeans` must be 0 for McNemarTest; got"):
        rejection_rates(residuals, McNemarTest(), popmeans=[0.0, 0.1])
    other = replace(residuals, loss_name="brier")
    message = "`residuals` must be of zero_one loss for McNemarTest; got 'brier'"
    with pytest.raises(ValueError, match=message):
        rejection_rates(other, McNemarTest(), popmeans=0.0)
