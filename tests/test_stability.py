"""seed_stability_, and repeats that are added until verdicts are stable."""

import zlib
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import FitFailedWarning

from sklearn_cvtest import (
    BlockKFold,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    CVResiduals,
    EquivalenceTest,
    FiveByTwoTTest,
    KFoldTTest,
    KFoldZTest,
    RepeatedSubsample,
    compare_estimators,
    cross_val_losses,
)
from sklearn_cvtest.results import Design

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 1))
Y = X[:, 0] + RNG.normal(size=60)


class Shifted(RegressorMixin, BaseEstimator):
    """Predicts x plus a shift and noise that depends on its training set."""

    def __init__(self, shift=0.0, noise=0.0):
        self.shift = shift
        self.noise = noise

    def fit(self, X, y):
        seed = zlib.crc32(X.tobytes() + str(self.shift).encode())
        self.rng_ = np.random.default_rng(seed)
        return self

    def predict(self, X):
        noise = self.noise * self.rng_.normal(size=len(X))
        return X[:, 0] + self.shift + noise


MODELS = {"good": Shifted(), "bad": Shifted(5.0), "noisy": Shifted(0.3, 0.5)}
AUTO = BlockKFold(5, n_repeats="auto", random_state=0, max_repeats=6)


def test_stability_of_scores_by_hand():
    # means of three runs of two folds: 1, 3, 2; S² = 1, ν = 2
    folds = [0.0, 2.0, 2.0, 4.0, 3.0, 1.0]
    residuals = CVResiduals.from_array(
        folds, design=Design("repeated k-fold", 2, 3), n_train=10, n_test=10
    )
    test = CorrectedRepeatedKFoldTTest().fit(residuals)
    low, high = test.confidence_interval()
    margin = (high - low) / 2
    # that of the mean, and of the margin: of the root of S² of six values, 5 df
    variance = 1 / 3 + margin**2 / (2 * 5)
    assert low < 0 < high  # and neither end crosses 0
    crosses = stats.t.sf(np.array([-low, high]) / np.sqrt(2 * variance), 2)
    assert_allclose(test.seed_stability_, 1 - crosses.sum())


def test_stability_of_subsamples_is_that_of_their_means():
    values = [0.1, 0.3, 0.2, 0.6]
    residuals = CVResiduals.from_array(
        values, design="subsample", n_train=90, n_test=10
    )
    test = CorrectedResampledTTest(alternative="greater").fit(residuals)
    low, _ = test.confidence_interval()
    margin = test.estimate_ - low
    spread = np.sqrt(2 * (np.var(values, ddof=1) / 4 + margin**2 / (2 * 3)))
    assert_allclose(test.seed_stability_, stats.t.cdf(abs(low) / spread, 3))


def runs_as_residuals(e, groups=None):
    """Runs (..., runs, examples) of five folds."""
    n_runs, n = e.shape[-2:]
    split = np.arange(n_runs)[:, np.newaxis] * 5 + np.arange(n) * 5 // n
    return CVResiduals(
        values=e.reshape(*e.shape[:-2], -1),
        row_split=split.ravel(),
        row_index=np.tile(np.arange(n), n_runs),
        n_train=np.full(5 * n_runs, n - n // 5),
        n_test=np.full(5 * n_runs, n // 5),
        n_samples=n,
        design=Design("repeated k-fold", 5, n_runs),
        groups=None if groups is None else np.tile(groups, n_runs),
        names=("a", "b") if e.ndim == 2 else [("a", "b")] * len(e),
    )


@pytest.mark.parametrize(("n", "is_sure"), [(12, False), (1200, True)])
def test_two_runs_that_agree_prove_little_of_few_examples(n, is_sure):
    e = np.tile(np.arange(n) % 12 < 5, (2, 1)).astype(float)
    test = KFoldZTest().fit(runs_as_residuals(e))
    assert test.pvalue_ < 0.05
    assert (test.seed_stability_ > 0.99) == is_sure
    equal = KFoldZTest().fit(runs_as_residuals(np.zeros_like(e)))
    assert equal.seed_stability_ == 1


def ends_of(test, e, groups=None):
    residuals = runs_as_residuals(e, groups)
    return np.array(test.interval(test.evaluate(residuals), 0.95))


def slopes_of_ends(test, e, groups):
    """What the ends grow by with each example, or group: as differences."""
    codes, h = np.arange(e.shape[-1]) if groups is None else groups, 1e-3
    shifts = h * (codes == np.unique(codes)[:, np.newaxis])[:, np.newaxis]
    up, down = (ends_of(test, e + sign * shifts, groups) for sign in (1, -1))
    is_finite = np.isfinite(up)
    return np.where(is_finite, up - np.where(is_finite, down, 0), np.nan) / (2 * h)


NOISY = np.random.default_rng(4)
EXAMPLES = {
    "normal": NOISY.normal(0.2, size=60) + NOISY.normal(size=(3, 60)),
    "skewed": NOISY.exponential(size=60) ** 2 + 0.5 * NOISY.normal(size=(3, 60)),
    "noise only": 0.1 * NOISY.normal(size=60) + 3 * NOISY.normal(size=(2, 60)),
}
OPTIONS = [{}, {"rho": 0}, {"alternative": "greater"}]


@pytest.mark.parametrize("options", [*OPTIONS, {"weights": "groups"}])
@pytest.mark.parametrize("kind", EXAMPLES)
def test_influences_are_the_derivatives_of_the_ends(kind, options):
    e = 1e3 * EXAMPLES[kind]
    groups = np.arange(60) // 4 if options.get("weights") else None
    test = KFoldZTest(**options)
    residuals = runs_as_residuals(e, groups)
    _, found = test.interval_influences(test.evaluate(residuals), residuals, 0.95)
    expected = slopes_of_ends(test, e, groups)
    is_finite = np.isfinite(expected)
    assert is_finite[0].all()
    assert_allclose(found[is_finite], expected[is_finite], atol=1e-6)


@pytest.mark.filterwarnings(
    "ignore::sklearn_cvtest.exceptions.HeavyTailedResidualsWarning"
)
@pytest.mark.parametrize("kind", EXAMPLES)
def test_stability_by_hand(kind):
    e = 1e3 * EXAMPLES[kind]
    n_runs, n = e.shape
    test = KFoldZTest(popmean=100.0)
    slopes, crosses, changes = slopes_of_ends(test, e, None), [], []
    for end, slope, side in zip(ends_of(test, e), slopes, (1, -1), strict=True):
        d = [[e[r, i] - e[:, i].mean() for i in range(n)] for r in range(n_runs)]
        each = [slope[i] ** 2 * np.var(e[:, i], ddof=1) for i in range(n)]
        runs = sum(np.dot(slope, row) ** 2 for row in d) / (n_runs - 1)
        df = (n_runs + 1) * sum(each) ** 2 / sum(value**2 for value in each)
        prior = 1 / (1 / 10 + 1 / df)
        pooled = prior * 1.25 * sum(each) + (n_runs - 1) * runs
        variance = pooled / (prior + n_runs - 1) / n_runs
        t = side * (100 - end) / np.sqrt(2 * variance)
        crosses.append(stats.t.sf(t, prior + n_runs - 1))
        most = max(np.ptp(e[:, i]) for i in range(n)) * np.abs(slope).max() / n_runs
        changes.append(side * (100 - end) / most)
    expected = sum(crosses)  # it rejects if an end is beyond popmean
    test.fit(runs_as_residuals(e))
    is_found = test.pvalue_ <= 0.05
    expected = expected if is_found else 1 - expected
    m = -min(changes) if is_found else min(changes)  # of the end that is turned
    expected = min(expected, 1 - 0.5 / (1 + m**2) - 0.03 / n_runs**2)
    assert_allclose(test.seed_stability_, expected, rtol=1e-4)


def test_many_pairs_are_as_stable_as_each():
    e = np.stack([EXAMPLES["normal"], EXAMPLES["skewed"], np.zeros((3, 60))])
    test = KFoldZTest()
    residuals = runs_as_residuals(e)
    together = test.interval_influences(test.evaluate(residuals), residuals, 0.95)[1]
    for number, one in enumerate(map(runs_as_residuals, e)):
        alone = test.interval_influences(test.evaluate(one), one, 0.95)[1]
        assert_allclose(together[:, number], alone)


def test_ends_vary_over_seeds_as_foretold():
    # the largest losses vary most, and one end moves more with them
    rng = np.random.default_rng(0)
    means = rng.exponential(size=100)
    e = means + means * rng.normal(size=(300, 2, 100))
    test = KFoldZTest()
    residuals = runs_as_residuals(e)
    evaluation = test.evaluate(residuals)
    measured = np.std(test.interval(evaluation, 0.95), axis=1)
    _, influences = test.interval_influences(evaluation, residuals, 0.95)
    of_examples = np.var(e, axis=1, ddof=1) / 2
    told = np.sqrt(np.sum(influences**2 * of_examples, axis=-1))
    ratio = np.sqrt(np.mean(told**2, axis=1)) / measured
    assert ((ratio > 0.85) & (ratio < 1.15)).all()
    of_mean = np.sqrt(np.mean(np.sum(of_examples, axis=-1))) / 100
    assert of_mean / measured.min() > 1.05
    assert of_mean / measured.max() < 0.8


def test_stability_of_equivalence_is_that_of_the_margin():
    # whether they differ takes more repeats; that they are within the margin does not
    models = {name: MODELS[name] for name in ("good", "noisy")}
    differ = compare_estimators(models, X, Y, cv=AUTO)
    test = EquivalenceTest(KFoldZTest(), 10.0)
    same = compare_estimators(models, X, Y, cv=AUTO, test=test)
    assert differ.losses.design.n_repeats > same.losses.design.n_repeats == 2


def test_one_k_fold_says_nothing_of_other_seeds():
    assert not hasattr(KFoldTTest().fit([0.1, 0.2, 0.4]), "seed_stability_")
    halves = CVResiduals.from_array(np.arange(10.0) % 3, design="5x2")
    assert not hasattr(FiveByTwoTTest().fit(halves), "seed_stability_")
    result = compare_estimators(
        {"a": Shifted(), "b": Shifted(1.0)}, X, Y, cv=5, loss="squared_error"
    )
    assert "seed_stability" not in result.to_frame()


def test_report_and_frame_say_how_stable_a_verdict_is():
    result = compare_estimators({"a": Shifted(), "b": Shifted(1.0)}, X, Y)
    (test,) = result.tests.values()
    assert result.to_frame()["seed_stability"].item() == test.seed_stability_


def test_clear_verdicts_take_two_repeats():
    models = {"good": Shifted(), "bad": Shifted(5.0)}
    result = compare_estimators(models, X, Y, cv=AUTO)
    assert result.losses.design.n_repeats == 2
    (test,) = result.tests.values()
    assert test.seed_stability_ >= 0.99


def test_subsamples_are_added_five_at_a_time():
    cv = RepeatedSubsample("auto", random_state=0, max_repeats=23)
    result = compare_estimators(MODELS, X, Y, cv=cv, return_estimator=True)
    n_splits = result.losses.design.n_splits
    assert n_splits in (10, 15, 20, 23)
    expected = cross_val_losses(
        MODELS, X, Y, cv=RepeatedSubsample(n_splits, random_state=0)
    )
    for name in ("split_hash", "design", "cv_description"):
        assert getattr(result.losses, name) == getattr(expected, name)
    for name in ("losses", "row_index", "row_split", "n_test"):
        assert_array_equal(getattr(result.losses, name), getattr(expected, name))
    assert len(result.losses.estimators["bad"]) == n_splits
    clear = {"good": Shifted(), "bad": Shifted(5.0)}
    assert compare_estimators(clear, X, Y, cv=cv).losses.design.n_splits == 10


@pytest.mark.parametrize(("other", "n_repeats"), [("bad", 2), ("noisy", 5)])
def test_five_runs_of_two_folds_are_no_5x2_when_there_may_be_fewer(other, n_repeats):
    cv = BlockKFold(2, n_repeats="auto", random_state=0, max_repeats=5)
    models = {"good": MODELS["good"], other: MODELS[other]}
    result = compare_estimators(models, X, Y, cv=cv)
    assert result.losses.design == Design("repeated k-fold", 2, n_repeats)
    assert isinstance(result.tests["good", other], KFoldZTest)


class FailsWithoutBoth(Shifted):
    """Fails where it is trained on neither of two rows."""

    def __init__(self, rows=()):
        super().__init__()
        self.rows = rows

    def fit(self, X, y):
        if not np.isin(self.rows, X).any():
            raise ValueError("both rows are missed")
        return super().fit(X, y)


def test_an_error_of_a_later_repeat_is_kept():
    cv = BlockKFold(5, n_repeats="auto", random_state=0, max_repeats=2)
    splits = list(BlockKFold(5, n_repeats=2, random_state=0).split(X))
    # two rows that are tested together in the second run and not in the first
    first, *others = splits[5][1]
    (alone,) = (test for _, test in splits[:5] if first in test)
    second = next(row for row in others if row not in alone)
    models = {
        "good": Shifted(),
        "fails": FailsWithoutBoth(tuple(X[[first, second], 0])),
    }
    with pytest.warns(FitFailedWarning, match="1 of 10 fits failed"):
        losses = cross_val_losses(models, X, Y, cv=cv, error_score=np.nan)
    assert set(losses.errors) == {"fails"}


class FailsAt(Shifted):
    """Fails where it is trained for the n-th time."""

    n_fits = 0

    def __init__(self, shift=0.0, noise=0.0, n=1):
        super().__init__(shift, noise)
        self.n = n

    def fit(self, X, y):
        FailsAt.n_fits += 1
        if FailsAt.n_fits == self.n:
            raise ValueError("no more today")
        return super().fit(X, y)


def test_an_error_in_a_later_repeat_carries_all_losses_so_far():
    cv = BlockKFold(5, n_repeats="auto", random_state=0, max_repeats=4)
    FailsAt.n_fits = 0
    models = {"good": Shifted(), "fails": FailsAt(0.3, 0.5, n=13)}
    with pytest.raises(ValueError, match="no more today") as caught:
        cross_val_losses(models, X, Y, cv=cv, error_score="raise")
    losses = caught.value.losses
    assert losses.design == Design("repeated k-fold", 5, 3)
    assert np.isfinite(losses.block_losses[:12]).all()
    assert np.isnan(losses.block_losses[12, 1])
    whole = cross_val_losses(
        {"good": Shifted()}, X, Y, cv=BlockKFold(5, n_repeats=2, random_state=0)
    )
    assert_array_equal(losses.block_losses[:10, :1], whole.block_losses)


@pytest.mark.parametrize("cv", [AUTO, RepeatedSubsample("auto", random_state=0)])
def test_verdicts_by_every_metric_are_stable(cv):
    models = {"good": Shifted(), "noisy": Shifted(0.3, 0.5)}
    metrics = ["neg_mean_squared_error", "neg_mean_absolute_error"]
    both = compare_estimators(models, X, Y, cv=cv, scoring=metrics)
    alone = [
        compare_estimators(models, X, Y, cv=cv, scoring=metric).losses.design
        for metric in metrics
    ]
    together = both[metrics[0]].losses.design
    assert together == both[metrics[1]].losses.design
    assert together.n_total == max(design.n_total for design in alone)


def test_more_splits_narrow_the_interval_of_a_corrected_test():
    values = RNG.normal(size=10)
    few = CVResiduals.from_array(values, design="subsample", n_train=90, n_test=10)
    test = CorrectedResampledTTest()
    extended = test.with_more_splits(test.evaluate(few), few, 100)
    error = np.sqrt((1 / 100 + 10 / 90) * values.var(ddof=1))
    assert_allclose((extended.standard_error, extended.df), (error, 99))
    assert extended.estimate == test.evaluate(few).estimate


def test_one_progress_bar_grows_with_the_repeats(capfd):
    models = {"good": Shifted(), "noisy": Shifted(0.3, 0.5)}
    result = compare_estimators(models, X, Y, cv=AUTO, progress=True)
    err = capfd.readouterr().err
    n_fits = 2 * result.losses.design.n_total
    assert f"{n_fits}/{n_fits}" in err
    assert "/20 " in err  # those of two runs, at first
    assert "/10 " not in err


def test_result_is_an_ordinary_repeated_k_fold():
    losses = cross_val_losses(MODELS, X, Y, cv=AUTO, return_estimator=True)
    n_repeats = losses.design.n_repeats
    assert 2 <= n_repeats <= 6
    cv = BlockKFold(5, n_repeats=n_repeats, random_state=0)
    expected = cross_val_losses(MODELS, X, Y, cv=cv)
    assert_array_equal(losses.losses, expected.losses)
    for name in ("split_hash", "design", "cv_description"):
        assert getattr(losses, name) == getattr(expected, name)
    assert_array_equal(losses.row_index, expected.row_index)
    assert len(losses.estimators["bad"]) == 5 * n_repeats


def test_repeats_stop_at_the_first_that_is_stable_for_all_pairs():
    result = compare_estimators(MODELS, X, Y, cv=AUTO, p_adjust=None)
    n_repeats = result.losses.design.n_repeats
    assert 2 <= n_repeats <= 6
    if n_repeats > 2:  # fewer were not enough
        options = {"random_state": 0, "max_repeats": n_repeats - 1}
        cv = BlockKFold(5, n_repeats="auto", **options)
        fewer = compare_estimators(MODELS, X, Y, cv=cv, p_adjust=None)
        assert fewer.losses.design.n_repeats == n_repeats - 1


def test_memory_is_shared_with_longer_runs(tmp_path):
    first = cross_val_losses(MODELS, X, Y, cv=AUTO, memory=tmp_path)
    cv = BlockKFold(5, n_repeats=first.design.n_repeats, random_state=0)
    again = cross_val_losses(MODELS, X, Y, cv=cv, memory=tmp_path)
    assert_array_equal(again.fit_time, first.fit_time)  # as stored


@pytest.mark.parametrize("random_state", [None, np.random.RandomState(0)])
def test_any_random_state_will_do(random_state):
    cv = BlockKFold(5, n_repeats="auto", random_state=random_state, max_repeats=2)
    assert cross_val_losses(MODELS, X, Y, cv=cv).design.n_repeats == 2


def test_one_estimator_has_no_verdict():
    with pytest.raises(ValueError, match="`n_repeats` must be an integer for one"):
        cross_val_losses(Shifted(), X, Y, cv=AUTO)


@pytest.mark.parametrize("p_adjust", ["holm", "bonferroni", "hochberg", "fdr_bh", None])
def test_every_adjustment_stops(p_adjust):
    result = compare_estimators(MODELS, X, Y, cv=AUTO, p_adjust=p_adjust)
    assert result.losses.design.n_repeats <= 6


def test_stability_is_the_share_of_seeds_that_agree():
    # told for each of many seeds, against how many pairs of seeds do agree
    models = {"a": Shifted(0.0, 0.5), "b": Shifted(0.55, 0.5)}
    tests = []
    for seed in range(40):
        cv = BlockKFold(5, n_repeats=2, random_state=seed)
        result = compare_estimators(models, X, Y, cv=cv, loss="absolute_error")
        tests += result.tests.values()
    rejects = np.array([test.pvalue_ <= 0.05 for test in tests])
    agree = rejects.mean() ** 2 + (1 - rejects.mean()) ** 2
    told = np.mean([test.seed_stability_ for test in tests])
    assert abs(told - agree) < 0.15


@pytest.mark.filterwarnings("ignore::UserWarning")  # of skewness
@pytest.mark.parametrize(("apart", "is_told"), [(0.75, True), (5.0, False)])
def test_reports_say_how_stable_a_decision_is_where_it_is_not(apart, is_told):
    models = {"a": Shifted(0.0, 0.5), "b": Shifted(apart, 0.5)}
    cv = BlockKFold(5, n_repeats=2, random_state=0)
    result = compare_estimators(models, X, Y, cv=cv, loss="absolute_error")
    (test,) = result.tests.values()
    assert (test.seed_stability_ < 0.9) == is_told
    report = " ".join(result.report().split())
    assert (f"{test.seed_stability_:.2f}." in report) == is_told


@pytest.mark.filterwarnings("ignore::UserWarning")  # of skewness
@pytest.mark.parametrize(
    ("second", "sentence"),
    [
        (5.0, "The decision on b depends on the random split"),
        (0.75, "The decisions on b and c depend on the random split"),
    ],
)
def test_prints_name_the_models_on_which_the_decision_is_not_stable(second, sentence):
    models = {
        "a": Shifted(0.0, 0.5),
        "b": Shifted(0.75, 0.5),
        "c": Shifted(second, 0.5),
    }
    cv = BlockKFold(5, n_repeats=2, random_state=0)
    result = compare_estimators(models, X, Y, cv=cv, loss="absolute_error")
    assert sentence in " ".join(str(result).split())


def test_a_log_loss_may_be_that_of_a_probability_of_zero_with_another_seed():
    rng = np.random.default_rng(0)
    differences = 0.06 + rng.normal(size=100) / 10
    residuals = runs_as_residuals(differences + rng.normal(size=(2, 100)) / 1000)
    found = {}
    for name in ("log_loss", "neg_log_loss", "squared_error"):
        test = KFoldZTest().fit(replace(residuals, loss_name=name))
        found[name] = test.seed_stability_
    # of 72 that a difference may vary by a quarter, 0.09 of the mean of two runs
    assert found["log_loss"] == found["neg_log_loss"] < 0.9 < found["squared_error"]
