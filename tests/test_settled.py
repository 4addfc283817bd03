"""Estimators that "auto" repeats do not fit again, once all about them is settled."""

import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, RegressorMixin

from sklearn_cvtest import (
    BlockKFold,
    CorrectedRepeatedKFoldTTest,
    IntegratedRhoTest,
    RepeatedSubsample,
    compare_estimators,
    cross_val_losses,
)
from sklearn_cvtest.results import Comparison, CVLosses, Design

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 1))
Y = X[:, 0] + RNG.normal(size=60)
FITS = []


class Shifted(RegressorMixin, BaseEstimator):
    """Predicts x plus a shift and noise that depends on its training set."""

    def __init__(self, shift=0.0, noise=0.0):
        self.shift = shift
        self.noise = noise

    def fit(self, X, y, sample_weight=None):
        seed = zlib.crc32(X.tobytes() + str(self.shift).encode())
        self.rng_ = np.random.default_rng(seed)
        return self

    def predict(self, X):
        noise = self.noise * self.rng_.normal(size=len(X))
        return X[:, 0] + self.shift + noise


class Counted(Shifted):
    def fit(self, X, y):
        FITS.append(self.shift)
        return super().fit(X, y)


MODELS = {
    "good": Shifted(),
    "bad": Shifted(5.0),
    "noisy": Shifted(0.31, 0.5),
    "near": Shifted(0.3, 0.6),
    "worse": Shifted(2.0, 0.4),
}
AUTO = BlockKFold(5, n_repeats="auto", random_state=0, max_repeats=6)
EXTRAPOLATED = IntegratedRhoTest(extrapolate=True)


@pytest.fixture(scope="module")
def result():
    return compare_estimators(MODELS, X, Y, cv=AUTO, return_estimator=True)


@pytest.fixture(scope="module")
def whole():
    return cross_val_losses(MODELS, X, Y, cv=AUTO)


def repeats_note(result):
    words = " ".join(str(result).split())
    return words[words.index("Estimators were not fitted") : words.index("both have;")]


def repeats(losses):
    return (losses.n_splits_run // losses.design.n_splits).tolist()


def test_settled_estimators_are_not_fitted_again():
    FITS.clear()
    models = {name: Counted(**model.get_params()) for name, model in MODELS.items()}
    losses = compare_estimators(models, X, Y, cv=AUTO).losses
    counts = [FITS.count(model.shift) for model in MODELS.values()]
    assert counts == losses.n_splits_run.tolist()
    assert min(counts) < max(counts) == losses.design.n_total
    assert_array_equal(np.isfinite(losses.block_losses).sum(axis=0), counts)
    assert not losses.fit_failed.any()
    assert not losses.failed_splits()


def test_decisions_are_those_of_all_repeats(result, whole):
    full = Comparison(whole, test=EXTRAPOLATED)
    assert_array_equal(result.significant, full.significant)
    assert result.best_set().names == full.best_set().names
    assert result.best == full.best


def test_each_leaves_where_its_own_pair_is_stable_by_hand():
    # of pairs with a reference that are not adjusted, each is on its own
    cv = BlockKFold(5, n_repeats="auto", random_state=1, max_repeats=6)
    options = {"reference": "good", "p_adjust": None}
    found = compare_estimators(MODELS, X, Y, cv=cv, **options)
    expected = {}
    for name in list(MODELS)[1:]:
        pair = {"good": MODELS["good"], name: MODELS[name]}
        for n in range(2, 7):
            folds = BlockKFold(5, n_repeats=n, random_state=1)
            alone = compare_estimators(pair, X, Y, cv=folds, test=EXTRAPOLATED)
            (test,) = alone.tests.values()
            if test.seed_stability_ >= cv.stability:
                break
        expected[name] = n, test.pvalue_
    numbers = dict(zip(MODELS, repeats(found.losses), strict=True))
    assert numbers.pop("good") == max(numbers.values()) > min(numbers.values())
    assert numbers == {name: n for name, (n, _) in expected.items()}
    assert_allclose(found.pvalues, [p for _, p in expected.values()], rtol=1e-12)
    table = found.to_frame()
    assert_allclose(table["pvalue"], found.pvalues)
    assert [found.tests["good", name].pvalue_ for name in expected] == pytest.approx(
        [p for _, p in expected.values()]
    )


def test_residuals_are_those_of_the_repeats_that_both_have(result):
    losses = result.losses
    first, second = np.argsort(losses.n_splits_run)[[0, -1]].tolist()
    n = repeats(losses)[first]
    cv = BlockKFold(5, n_repeats=n, random_state=0)
    part = cross_val_losses(MODELS, X, Y, cv=cv)
    for pair in ((first, second), (first,)):
        found, expected = losses.residuals(*pair), part.residuals(*pair)
        assert_array_equal(found.values, expected.values)
        assert_array_equal(found.row_index, expected.row_index)
        assert (found.design, found.names) == (expected.design, expected.names)
    assert len(losses.estimators[losses.estimator_names[first]]) == 5 * n
    both = losses.pair_residuals([[first, second], [second, first]])
    assert_array_equal(both.values[0], -both.values[1])


def test_means_allow_for_the_repeats_that_are_missing_by_hand():
    # b is 2 better than a in the first run; the second is harder by 3 for a and c
    blocks = np.array([[4.0, 2, 6], [6, 4, 6], [8, np.nan, 9], [8, np.nan, 9]])
    cv = BlockKFold(2, n_repeats=2, random_state=0)
    losses = cross_val_losses(dict.fromkeys("abc", Shifted()), X, Y, cv=cv)
    losses = replace(losses, per_example=False, losses=blocks, row_split=np.arange(4))
    losses = replace(losses, n_splits_run=np.array([4, 2, 4]))
    assert_allclose(losses.mean_losses, [6.5, 3 + (7 - 5.5), 7.5])
    assert not losses.failed_splits()
    with_failed = replace(losses, losses=np.where(blocks == 9, np.nan, blocks))
    assert_allclose(with_failed.mean_losses[:2], [6.5, 3 + (6.5 - 5)])


def test_a_mean_and_its_interval_agree(result):
    losses, found = result.losses, result.estimator_intervals()
    assert_allclose(found.estimate, losses.mean_losses)
    assert (found.ci_low <= losses.mean_losses).all()


def test_a_test_with_one_rho_takes_what_all_have(result):
    test = CorrectedRepeatedKFoldTTest()
    again = result.retest(test, p_adjust="max-t")
    n = min(repeats(result.losses))
    cv = BlockKFold(5, n_repeats=n, random_state=0)
    expected = compare_estimators(MODELS, X, Y, cv=cv, test=test, p_adjust="max-t")
    assert again.losses.n_splits_run is None
    assert again.losses.design == Design("repeated k-fold", 5, n)
    assert_allclose(again.pvalues_adjusted, expected.pvalues_adjusted)


def test_max_t_is_that_of_all_where_all_have_the_same(result, whole):
    adjusted = result.retest(p_adjust="max-t").pvalues_adjusted
    assert np.all(adjusted <= result.retest(p_adjust="bonferroni").pvalues_adjusted)
    assert np.all(adjusted >= result.pvalues)
    unequal = replace(whole, n_splits_run=np.full(5, whole.design.n_total))
    same, options = Comparison(whole, test=EXTRAPOLATED), {"test": EXTRAPOLATED}
    assert_array_equal(Comparison(unequal, **options).pvalues, same.pvalues)
    found, expected = (c.best_set() for c in (Comparison(unequal, **options), same))
    assert found.pvalues == expected.pvalues


@pytest.mark.parametrize(
    "numbers",
    [[10, 10, 10, 10, 10], [0, 30, 30, 30, 30], [7, 30, 30, 30, 30], [30.0] * 5],
)
def test_files_with_other_numbers_are_damaged(result, numbers):
    header, arrays = result.losses.to_parts()
    arrays = arrays | {"n_splits_run": np.array(numbers)}
    with pytest.raises(ValueError, match="n_splits_run not as saved"):
        CVLosses.from_parts("file", header, arrays)


class Interrupted(Shifted):
    """Is interrupted once there are so many stored fits as a file says."""

    def __init__(self, shift=0.0, noise=0.0, folder=None):
        super().__init__(shift, noise)
        self.folder = folder

    def fit(self, X, y):
        stop = Path(self.folder) / "stop"
        if stop.exists() and n_stored(self.folder) == int(stop.read_text()):
            raise KeyboardInterrupt
        return super().fit(X, y)


def n_stored(folder):
    return len(list(Path(folder).rglob("*.npz")))


def test_a_run_that_was_interrupted_goes_on(result, tmp_path):
    models = {
        name: Interrupted(model.shift, model.noise, str(tmp_path))
        for name, model in MODELS.items()
    }
    n_run = result.losses.n_splits_run
    stop = tmp_path / "stop"
    stop.write_text(str(n_run.sum() - 3))
    with pytest.raises(KeyboardInterrupt) as caught:
        compare_estimators(models, X, Y, cv=AUTO, memory=tmp_path)
    losses = caught.value.losses
    assert_array_equal(losses.n_splits_run, n_run)
    assert np.isfinite(losses.block_losses).sum() == n_run.sum() - 3
    assert losses.fit_failed.sum() == 3  # what is missing of the last run
    stop.unlink()
    again = compare_estimators(models, X, Y, cv=AUTO, memory=tmp_path)
    assert n_stored(tmp_path) == n_run.sum()
    assert_array_equal(again.losses.losses, result.losses.losses)


def test_everything_can_be_asked_of_unequal_repeats(result):
    found = result.winner_interval()
    assert found.ci_low < result.losses.mean_losses.min() < found.ci_high
    one = result.by(np.zeros(60))
    assert np.isfinite(one.pvalue).all()
    again = result.retest(IntegratedRhoTest(), reference="good")
    plan = again.plan(0.1)
    assert set(plan.n_samples) == set(list(again.tests))
    assert again.gate(0.5).decision == "refuted"
    assert result.retest(reference="best").best == result.best
    assert result.letters()["bad"] != result.letters()["good"]
    assert len(result.estimator_intervals().estimate) == 5


def test_all_metrics_must_be_settled():
    metrics = ["neg_mean_squared_error", "neg_mean_absolute_error"]
    both = compare_estimators(MODELS, X, Y, cv=AUTO, scoring=metrics)
    alone = [
        compare_estimators(MODELS, X, Y, cv=AUTO, scoring=name).losses.n_splits_run
        for name in metrics
    ]
    together = both[metrics[0]].losses.n_splits_run
    assert_array_equal(together, both[metrics[1]].losses.n_splits_run)
    assert np.all(together >= np.max(alone, axis=0))


def test_groups_and_weights():
    groups = np.repeat(np.arange(20), 3)
    weights = np.linspace(1, 2, 60)
    found = compare_estimators(
        MODELS,
        X,
        Y,
        cv=AUTO,
        groups=groups,
        params={"sample_weight": weights},
        score_params={"sample_weight": weights},
    )
    assert found.losses.n_splits_run.min() < found.losses.design.n_total
    assert found.losses.residuals("bad", "good").n_groups == 20
    assert found.best_set().names


@pytest.mark.parametrize(
    "options",
    [
        {"test": CorrectedRepeatedKFoldTTest()},
        {"per_example": False},
        {"cv": RepeatedSubsample("auto", random_state=0, max_repeats=20)},
        {"test": {"a": IntegratedRhoTest(), "b": CorrectedRepeatedKFoldTTest()}},
    ],
)
def test_tests_that_do_not_extrapolate_have_all_repeats(options):
    found = compare_estimators(MODELS, X, Y, **({"cv": AUTO} | options))
    assert found.losses.n_splits_run is None


class Fails(Shifted):
    def fit(self, X, y):
        raise ValueError("no")
