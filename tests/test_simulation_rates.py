"""rejection_rates: the same decisions as fitting every test on every sample."""

import functools
from dataclasses import replace

import numpy as np
import pytest
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
    EquivalenceTest,
    FiveByTwo,
    FiveByTwoFTest,
    FiveByTwoTTest,
    HalfSampleTTest,
    HoldoutTTest,
    IntegratedRhoTest,
    KFoldTTest,
    KFoldZTest,
    McNemarTest,
    PairedHalves,
    RepeatedSubsample,
    ResampledTTest,
    cross_val_losses,
)
from sklearn_cvtest.simulation import (
    ArrayPopulation,
    rejection_rates,
    replicate_losses,
)

pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn_cvtest.DegenerateResidualsWarning",
    "ignore::sklearn_cvtest.HeavyTailedResidualsWarning",
)
N_SAMPLES, N_REPLICATIONS = 53, 20
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
TESTS = [
    ("k-fold", KFoldTTest(rho=0.0)),
    ("k-fold", KFoldTTest()),
    ("k-fold", KFoldTTest("nadeau-bengio", alternative="greater")),
    ("k-fold", CorrectedResampledTTest(alternative="less")),
    ("k-fold", KFoldZTest()),
    ("k-fold", KFoldZTest("theta4", alternative="less")),
    ("k-fold", IntegratedRhoTest()),
    ("k-fold", IntegratedRhoTest(rho_max=0.5, variance="theta4")),
    ("k-fold", IntegratedRhoTest(alternative="greater")),
    ("k-fold", IntegratedRhoTest(alternative="less")),
    ("k-fold", BayesianCorrelatedTTest()),
    ("k-fold", EquivalenceTest(KFoldTTest(), 0.3)),
    ("halves of k-fold", HalfSampleTTest()),
    ("halves of k-fold", HalfSampleTTest(rho_max=0.2, alternative="less")),
    ("halves of k-fold", IntegratedRhoTest()),
    ("halves of k-fold", IntegratedRhoTest(alternative="less")),
    ("halves of k-fold", ConservativeZTest()),
    ("halves of subsamples", ConservativeZTest(alternative="greater")),
    ("repeated k-fold", CorrectedRepeatedKFoldTTest()),
    ("subsamples", ResampledTTest()),
    ("subsamples", CorrectedResampledTTest()),
    ("5x2", FiveByTwoTTest()),
    ("5x2", FiveByTwoTTest(alternative="greater")),
    ("5x2", FiveByTwoFTest()),
    ("one split", HoldoutTTest()),
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


ESTIMATORS = {"tree": DecisionTreeClassifier(random_state=0), "bayes": GaussianNB()}


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
    return replace(residuals, design=one_by_one[0].design), one_by_one


@pytest.mark.parametrize("design", DESIGNS)
def test_block_statistics_are_those_of_the_residuals(design):
    residuals, one_by_one = replicated(design)
    for number, one in enumerate(one_by_one):
        np.testing.assert_allclose(residuals.block_means[number], one.block_means)
        squares = np.bincount(one.row_split, one.values**2)
        np.testing.assert_allclose(residuals.block_squares[number], squares)


@pytest.mark.parametrize(
    ("design", "test"), TESTS, ids=lambda x: " ".join(repr(x).split())
)
def test_rates_are_those_of_fitting_each_sample(design, test):
    residuals, one_by_one = replicated(design)
    popmeans = POPMEANS[:1] if isinstance(test, McNemarTest) else POPMEANS
    if isinstance(test, EquivalenceTest):
        popmeans = POPMEANS[:3]
    rates = rejection_rates(residuals, test, alphas=ALPHAS, popmeans=popmeans)
    expected = np.zeros((len(ALPHAS), len(popmeans)))
    for column, popmean in enumerate(popmeans):
        for one in one_by_one:
            fitted = clone(test).set_params(popmean=popmean).fit(one)
            expected[:, column] += fitted.pvalue_ <= ALPHAS
    np.testing.assert_allclose(rates.rates[0] * N_REPLICATIONS, expected, atol=1e-9)
