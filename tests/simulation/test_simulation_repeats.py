"""The default test of a simulation is that of single samples."""

import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import LinearRegression, Ridge

from sklearn_cvtest import BlockKFold, KFoldZTest, cross_val_losses
from sklearn_cvtest.simulation import GaussianLinearPopulation, replicate_losses


class FixedRuns:
    """Splits that are the same for every sample."""

    def __init__(self, n_repeats):
        self.n_repeats = n_repeats

    def split(self, X, y=None, groups=None):
        return BlockKFold(5, n_repeats=self.n_repeats, random_state=0).split(X)

    def get_n_splits(self, X=None, y=None, groups=None):
        return 5 * self.n_repeats


class Recording(GaussianLinearPopulation):
    def __init__(self):
        super().__init__(5, outliers=True)
        self.drawn = []

    def sample(self, n_samples, rng):
        self.drawn.append(super().sample(n_samples, rng))
        return self.drawn[-1]


@pytest.mark.filterwarnings(
    "ignore::sklearn_cvtest.exceptions.HeavyTailedResidualsWarning"
)
@pytest.mark.parametrize("n_repeats", [1, 3])
@pytest.mark.parametrize("loss", ["squared_error", "absolute_error"])
@pytest.mark.parametrize("pair", [("b", "a"), ("a", "b"), ("a",)])
def test_simulation_agrees_with_single_samples(n_repeats, pair, loss):
    estimators = {"a": LinearRegression(), "b": Ridge(20)}
    population, cv = Recording(), FixedRuns(n_repeats)
    replications = replicate_losses(
        estimators,
        population,
        n_samples=60,
        cv=cv,
        loss=loss,
        n_replications=2,
        random_state=0,
    )
    found = KFoldZTest().evaluate(replications.residuals(*pair))
    of_runs = replications.residuals(*pair).example_moments
    of_runs = of_runs.run_variance * of_runs.scale**2
    for number, (X, y) in enumerate(population.drawn[-2:]):
        losses = cross_val_losses(estimators, X, y, cv=cv, loss=loss)
        test = KFoldZTest().fit(losses.residuals(*pair))
        assert_allclose(found.pvalue[number], test.pvalue_, rtol=1e-6)
        assert_allclose(found.standard_error[number], test.standard_error_)
        moments = losses.residuals(*pair).example_moments
        if n_repeats > 1:  # else they have no variance
            assert_allclose(of_runs[number], moments.run_variance * moments.scale**2)
