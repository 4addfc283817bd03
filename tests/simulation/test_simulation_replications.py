"""Replications and ReplicatedResiduals: contrasts, covariances, files."""

import functools
import io
import pickle

import numpy as np
import pytest
from simulation_doubles import gaussian_blocks, replicated
from sklearn.datasets import load_digits
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    BlockKFold,
    PairedHalves,
    RepeatedSubsample,
    cross_val_losses,
)
from sklearn_cvtest.simulation import (
    ArrayPopulation,
    CovarianceStructure,
    GaussianLinearPopulation,
    Replications,
    replicate_losses,
    variance_estimates,
)

ESTIMATORS = {
    "linear": LinearRegression(),
    "ridge": Ridge(30),
    "mean": DummyRegressor(),
}
N_SAMPLES, N_REPLICATIONS = 20, 30


class Recording(GaussianLinearPopulation):
    def __init__(self):
        super().__init__(3)
        self.drawn = []

    def sample(self, n_samples, rng):
        self.drawn.append(super().sample(n_samples, rng))
        return self.drawn[-1]


@functools.cache
def simulated():
    """Return replications, and the losses of each sample on its own."""
    population, cv = Recording(), KFold(5)
    replications = replicate_losses(
        ESTIMATORS,
        population,
        n_samples=N_SAMPLES,
        cv=cv,
        n_replications=N_REPLICATIONS,
        random_state=0,
    )
    one_by_one = [
        cross_val_losses(ESTIMATORS, X, y, cv=cv) for X, y in population.drawn[1:]
    ]
    return replications, one_by_one


# Contrasts --------------------------------------------------------------------

PAIRS = [(0, None), ("mean", None), (0, 1), ("linear", "mean"), ("mean", 0), (2, 1)]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_contrasts_are_those_of_the_losses(first, second):
    replications, one_by_one = simulated()
    found = replications.residuals(first, second)
    for number, losses in enumerate(one_by_one):
        expected = losses.residuals(first, second)
        np.testing.assert_allclose(found.block_means[number], expected.block_means)
        squares = np.bincount(expected.row_split, expected.values**2)
        np.testing.assert_allclose(found.block_squares[number], squares)
    assert found.names == expected.names
    assert found.design == expected.design
    assert found.n_test.tolist() == expected.n_test.tolist()


def test_contrast_changes_sign_with_the_order():
    replications, _ = simulated()
    one, other = replications.residuals(0, 1), replications.residuals(1, 0)
    np.testing.assert_array_equal(one.block_means, -other.block_means)
    np.testing.assert_array_equal(one.block_squares, other.block_squares)


def test_contrast_of_an_estimator_with_itself_is_zero():
    same = simulated()[0].residuals("ridge", "ridge")
    assert same.names == ("ridge", "ridge")
    assert not same.block_means.any()
    assert not same.block_squares.any()


@pytest.mark.parametrize("estimator", ["lasso", 3, -1, 1.0, True, None])
@pytest.mark.parametrize("position", ["first", "second"])
def test_unknown_estimators_are_named(estimator, position):
    if position == "second" and estimator is None:
        return
    options = {"first": 0, position: estimator}
    message = f"`{position}` must be one of 'linear', 'ridge', 'mean' .*{estimator}"
    with pytest.raises(ValueError, match=message):
        simulated()[0].residuals(**options)


def test_repr_says_what_it_is():
    replications, _ = simulated()
    assert repr(replications) == (
        "<Replications of linear, ridge, mean: 30 samples of 20, "
        "5-fold cross-validation, squared_error>"
    )
    assert repr(replications.residuals("linear", "mean")) == (
        "<ReplicatedResiduals linear - mean: 30 samples of 20, 5-fold cross-validation>"
    )


@pytest.mark.parametrize("name", ["block_sums", "block_products", "n_test"])
def test_arrays_are_read_only(name):
    with pytest.raises(ValueError, match="read-only"):
        getattr(simulated()[0], name)[:] = 0


# Covariances ------------------------------------------------------------------


@pytest.mark.parametrize("second", [None, 2])
def test_structure_is_that_of_the_residuals(second):
    replications, one_by_one = simulated()
    e = [losses.residuals(0, second).values.reshape(5, 4) for losses in one_by_one]
    found = replications.residuals(0, second).structure()
    expected = CovarianceStructure.from_replications(e)
    for name in ("sigma2", "omega", "gamma", "theta", "rho"):
        value = getattr(expected, name)
        assert getattr(found, name) == pytest.approx(value, rel=1e-9), name
    assert (found.n_samples, found.n_splits) == (20, 5)


@pytest.mark.parametrize("shift", [1e6, -1e6])
def test_structure_does_not_depend_on_the_mean(shift):
    e = gaussian_blocks(np.random.default_rng(0), 50)
    expected, found = replicated(e).structure(), replicated(e + shift).structure()
    assert found.gamma == pytest.approx(expected.gamma, abs=1e-4)
    assert found.rho == pytest.approx(expected.rho, abs=1e-3)


def test_structure_finds_the_truth():
    # 4000 samples: σ² = 1 + γ, ω = γ = 1/20 at ρ = 1/2
    structure = replicated(gaussian_blocks(np.random.default_rng(0), 4000)).structure()
    assert structure.sigma2 == pytest.approx(1.05, abs=0.03)
    assert structure.omega == pytest.approx(0.05, abs=0.01)
    assert structure.gamma == pytest.approx(0.05, abs=0.01)
    assert structure.rho == pytest.approx(0.5, abs=0.04)


def test_structure_of_leave_one_out_has_no_omega():
    e = np.random.default_rng(0).normal(size=(40, 6, 1))
    assert replicated(e).structure() == CovarianceStructure.from_replications(e)
    assert replicated(e).structure().omega == 0


@pytest.mark.full
@pytest.mark.parametrize("rho", [0.0, 0.3, 0.7])
def test_rho_error_is_the_spread_over_simulations(rho):
    rng = np.random.default_rng(0)
    several = [replicated(gaussian_blocks(rng, 300, rho=rho)) for _ in range(200)]
    found = [one.structure().rho for one in several]
    # the standard deviation of 200 values is known to 5%
    expected = np.mean([one.rho_error for one in several])
    assert np.std(found) == pytest.approx(expected, rel=0.2)
    assert np.mean(found) == pytest.approx(rho, abs=4 * expected / np.sqrt(200))


def test_rho_error_falls_with_the_root_of_the_number_of_samples():
    e = gaussian_blocks(np.random.default_rng(0), 400)
    four_times = replicated(np.concatenate([e, e, e, e])).rho_error
    assert four_times == pytest.approx(replicated(e).rho_error / 2, rel=0.01)


def test_variance_estimates_are_those_of_each_sample():
    replications, one_by_one = simulated()
    found = replications.residuals(0, 1).variance_estimates()
    for number, losses in enumerate(one_by_one):
        expected = variance_estimates(losses.residuals(0, 1))
        for name, value in expected._asdict().items():
            assert getattr(found, name)[number] == pytest.approx(value, rel=1e-7)


def test_variance_estimates_have_a_value_per_sample_even_if_undefined():
    found = replicated(np.random.default_rng(0).normal(size=(7, 6, 1)))
    for name, values in found.variance_estimates()._asdict().items():
        assert values.shape == (7,)
        assert np.isnan(values).all() == (name in ("theta2", "theta4"))


@pytest.mark.parametrize("what", ["structure", "variance_estimates"])
def test_covariances_need_a_k_fold(what):
    residuals = replicate_losses(
        LinearRegression(),
        GaussianLinearPopulation(2),
        n_samples=20,
        cv=RepeatedSubsample(3),
        n_replications=2,
        random_state=0,
    ).residuals()
    message = f"{what} needs residuals of a K-fold; got 3 subsamples."
    with pytest.raises(ValueError, match=message):
        getattr(residuals, what)()


def test_structure_needs_equal_blocks_and_two_samples():
    population, cv = GaussianLinearPopulation(2), BlockKFold(3)
    replications = replicate_losses(
        LinearRegression(), population, n_samples=20, cv=cv, n_replications=1
    )
    with pytest.raises(ValueError, match=r"needs blocks of one size; got \[6, 7\]"):
        replications.residuals().structure()
    with pytest.raises(ValueError, match="needs at least 2 samples; got 1"):
        replicated(np.zeros((1, 3, 2))).structure()


# Paired halves ----------------------------------------------------------------


@pytest.mark.parametrize("base", [BlockKFold(3), RepeatedSubsample(4)], ids=repr)
def test_runs_are_those_of_each_half(base):
    X, y = load_digits(return_X_y=True)
    residuals = replicate_losses(
        [GaussianNB(), DecisionTreeClassifier()],
        ArrayPopulation(X[:, :20], y % 2),
        n_samples=41,
        cv=PairedHalves(base, 2),
        n_replications=4,
        random_state=0,
    ).residuals(0, 1)
    full, halves = residuals.runs()
    n_splits = base.get_n_splits()
    assert (full.n_samples, full.design) == (41, base.get_design())
    assert len(halves) == 2
    flat = [full, *(half for pair in halves for half in pair)]
    means = np.concatenate([run.block_means for run in flat], axis=1)
    np.testing.assert_array_equal(means, residuals.block_means)
    for run in flat[1:]:
        assert (run.n_samples, run.design.n_splits) == (20, n_splits)
        assert run.n_test.shape == run.n_train.shape == (n_splits,)
    np.testing.assert_allclose(residuals.estimates, full.block_means.mean(axis=1))
    assert full.runs() == (full, [])


def test_within_is_the_squared_deviation_of_each_block():
    e = np.random.default_rng(0).normal(3, size=(5, 4, 6))
    expected = ((e - e.mean(axis=2, keepdims=True)) ** 2).sum(axis=2)
    np.testing.assert_allclose(replicated(e).within, expected)
    assert not replicated(np.full((2, 3, 7), 0.1)).within.any()


# Files ------------------------------------------------------------------------


def assert_same(first, second):
    for name, value in vars(first).items():
        np.testing.assert_array_equal(getattr(second, name), value)
        assert type(getattr(second, name)) is type(value)


@pytest.mark.parametrize("seed", [0, None])
def test_files_give_back_what_was_saved(tmp_path, seed):
    replications = replicate_losses(
        {"ä": Ridge(), "b": LinearRegression()},
        GaussianLinearPopulation(2),
        n_samples=20,
        cv=PairedHalves(BlockKFold(3), 2),
        n_replications=3,
        random_state=seed,
    )
    replications.save(tmp_path / "file")
    assert_same(replications, Replications.load(tmp_path / "file"))
    assert_same(replications, Replications.load(str(tmp_path / "file")))


def test_pickles_give_back_what_was_pickled():
    replications, _ = simulated()
    again = pickle.loads(pickle.dumps(replications))
    assert_same(replications, again)
    assert not again.block_sums.flags.writeable


def rewritten(content, **arrays):
    """Return a saved file with other arrays."""
    with np.load(io.BytesIO(content)) as archive:
        arrays = {**archive, **arrays}
    file = io.BytesIO()
    np.savez(file, **{name: part for name, part in arrays.items() if part is not None})
    return file.getvalue()


DAMAGE = {
    "empty": lambda content: b"",
    "text": lambda content: b"block_sums = 1",
    "truncated": lambda content: content[: len(content) // 2],
    "no header": lambda content: rewritten(content, header=None),
    "no array": lambda content: rewritten(content, n_test=None),
    "other shape": lambda content: rewritten(content, n_test=np.ones(4)),
    "one number": lambda content: rewritten(content, block_sums=np.array(1.0)),
    "fewer products": lambda content: rewritten(
        content, block_products=np.ones((30, 5, 5))
    ),
    "strings": lambda content: rewritten(content, n_train=np.array(list("abcde"))),
    "another array": lambda content: rewritten(content, more=np.zeros(3)),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damaged_files_are_refused(tmp_path, kind):
    path = tmp_path / "file"
    simulated()[0].save(path)
    path.write_bytes(DAMAGE[kind](path.read_bytes()))
    message = "`path` must be an intact Replications file; got .*file"
    with pytest.raises(ValueError, match=message):
        Replications.load(path)
