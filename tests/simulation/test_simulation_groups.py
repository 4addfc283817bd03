"""Simulation of samples in groups: what is kept, and what the tests make of it."""

import numpy as np
import pytest
from simulation_doubles import Recording
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import GroupKFold

from sklearn_cvtest import (
    BlockKFold,
    FiveByTwo,
    HoldoutTTest,
    IntegratedRhoTest,
    KFoldTTest,
    KFoldZTest,
    PairedHalves,
    RepeatedSubsample,
    cross_val_losses,
)
from sklearn_cvtest.simulation import (
    GroupedPopulation,
    Replications,
    rejection_rates,
    replicate_losses,
)

POPULATION = GroupedPopulation(5, icc=0.5)
MODELS = {"ols": LinearRegression(), "ridge": Ridge(20)}
GROUPS = POPULATION.get_groups(100)
HALVES = PairedHalves(BlockKFold(5), 2)


def replicate(cv, n=6, groups=GROUPS, population=POPULATION, **options):
    return replicate_losses(
        MODELS,
        population,
        n_samples=100,
        cv=cv,
        groups=groups,
        n_replications=n,
        random_state=0,
        **options,
    )


@pytest.mark.parametrize(
    ("cv", "test"),
    [
        (BlockKFold(5), KFoldZTest()),
        (BlockKFold(5), KFoldZTest("theta4", weights="groups")),
        (GroupKFold(5), IntegratedRhoTest(correct_skewness=True)),
        (HALVES, IntegratedRhoTest()),
        (RepeatedSubsample(1, test_size=0.5), HoldoutTTest()),
        (BlockKFold(5, n_repeats=2), IntegratedRhoTest()),
        (BlockKFold(5, n_repeats=2), IntegratedRhoTest(weights="groups")),
        (FiveByTwo(), IntegratedRhoTest()),
    ],
    ids=repr,
)
def test_sums_of_groups_give_what_single_losses_give(cv, test, monkeypatch):
    population, made, split = Recording(POPULATION), [], type(cv).split

    def recorded(*args, **options):
        made.append(list(split(*args, **options)))
        return iter(made[-1])

    monkeypatch.setattr(type(cv), "split", recorded)
    residuals = replicate(cv, population=population).residuals("ols", "ridge")
    found = test.evaluate(residuals)
    drawn, made = population.drawn[-6:], made[-6:]
    for number in range(2):
        splits = made[number]
        monkeypatch.setattr(type(cv), "split", lambda *_, of=splits, **__: iter(of))
        losses = cross_val_losses(MODELS, *drawn[number], cv=cv, groups=GROUPS)
        one = test.evaluate(losses.residuals("ols", "ridge"))
        assert found.pvalue[number] == pytest.approx(one.pvalue, rel=1e-6)


def test_groups_change_the_rates_of_tests_of_single_examples():
    tests = {"z": KFoldZTest(), "t": KFoldTTest()}
    grouped, without = (
        rejection_rates(replicate(GroupKFold(5), 50).residuals(0, 1), tests),
        rejection_rates(
            replicate(list(GroupKFold(5).split(GROUPS, groups=GROUPS)), 50, None)
            .residuals(0, 1),
            tests,
        ),
    )  # fmt: skip
    assert grouped.rates[0] < without.rates[0]


def test_files_and_stores_hold_groups(tmp_path):
    stored = [replicate(GroupKFold(5), memory=tmp_path / "store") for _ in range(2)]
    stored[0].save(tmp_path / "file.npz")
    stored.append(Replications.load(tmp_path / "file.npz"))
    pvalues = [KFoldZTest().evaluate(one.residuals(0, 1)).pvalue for one in stored]
    assert np.array_equal(pvalues[0], pvalues[1])
    assert np.array_equal(pvalues[0], pvalues[2])
    n_files = len(list((tmp_path / "store").rglob("*.npz")))
    replicate(GroupKFold(5), groups=GROUPS // 2, memory=tmp_path / "store")
    assert len(list((tmp_path / "store").rglob("*.npz"))) == 2 * n_files


def test_files_hold_groups_of_repeats(tmp_path):
    first = replicate(BlockKFold(5, n_repeats=2))
    first.save(tmp_path / "file.npz")
    pvalues = [
        IntegratedRhoTest().evaluate(one.residuals(0, 1)).pvalue
        for one in (first, Replications.load(tmp_path / "file.npz"))
    ]
    assert np.array_equal(*pvalues)


def test_subsamples_keep_no_groups():
    assert replicate(RepeatedSubsample(3)).cell_sums is None


@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.FewExamplesWarning")
def test_few_groups_are_refused():
    residuals = replicate(GroupKFold(2), groups=GROUPS % 4).residuals(0, 1)
    with pytest.raises(ValueError, match="at least 10 groups"):
        rejection_rates(residuals, KFoldZTest())


def test_groups_must_fit_the_sample():
    with pytest.raises(ValueError, match=r"`groups` must be one label for each"):
        replicate(GroupKFold(5), groups=GROUPS[:50])


def test_correlation_of_products_within_groups():
    X, y = GroupedPopulation(2, icc=0.3).sample(100_000, np.random.default_rng(0))
    noise = y - np.sqrt(3 / 2) * X.sum(axis=1)
    products = ((X[:, 0] - X[:, 1]) * noise).reshape(-1, 2)
    assert np.corrcoef(products.T)[0, 1] == pytest.approx(0.3, abs=0.03)
    assert np.var(noise) == pytest.approx(1, abs=0.03)
