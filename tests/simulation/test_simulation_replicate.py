"""replicate_losses: what it draws, splits, seeds, fits and refuses."""

import tracemalloc
from types import SimpleNamespace

import joblib
import numpy as np
import pytest
from simulation_doubles import (
    Fussy,
    PowersPopulation,
    Recording,
    SeedTeller,
    prediction,
    target,
)
from sklearn.datasets import load_digits, load_iris
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import BaggingClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    RepeatedKFold,
    ShuffleSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from sklearn_cvtest import (
    BlockKFold,
    FiveByTwo,
    PairedHalves,
    RepeatedSubsample,
    cross_val_losses,
)
from sklearn_cvtest.simulation import (
    ArrayPopulation,
    GaussianLinearPopulation,
    _replicate,
    replicate_losses,
)

GAUSSIAN = GaussianLinearPopulation(3)


def replicate(estimators=None, population=GAUSSIAN, **options):
    options = {
        "n_samples": 16,
        "cv": BlockKFold(4),
        "n_replications": 6,
        "random_state": 0,
        **options,
    }
    return replicate_losses(estimators or LinearRegression(), population, **options)


def equal(first, second):
    """Whether two simulations agree in every bit."""
    return np.array_equal(
        first.block_sums, second.block_sums, equal_nan=True
    ) and np.array_equal(first.block_products, second.block_products, equal_nan=True)


# What is kept -----------------------------------------------------------------


def test_block_statistics_are_sums_over_each_test_set():
    population = Recording(ArrayPopulation(*load_digits(return_X_y=True)))
    estimators = {
        "bayes": GaussianNB(var_smoothing=0.01),
        "tree": DecisionTreeClassifier(random_state=0),
        "dummy": DummyClassifier(),
    }
    replications = replicate(
        estimators, population, n_samples=62, cv=KFold(4), loss="zero_one"
    )
    assert len(population.drawn) == 7  # the first is drawn twice, to check arguments
    for number, (X, y) in enumerate(population.drawn[1:]):
        losses = cross_val_losses(estimators, X, y, cv=KFold(4), loss="zero_one")
        for split in range(4):
            rows = losses.losses[losses.row_split == split]
            assert replications.block_sums[number, split].tolist() == [
                sum(rows[:, a]) for a in range(3)
            ]
            assert replications.block_products[number, split].tolist() == [
                sum(rows[:, a] * rows[:, b]) for a in range(3) for b in range(a, 3)
            ]
    assert replications.n_test.tolist() == [16, 16, 15, 15]
    assert replications.n_train.tolist() == [46, 46, 47, 47]
    assert replications.estimator_names == ("bayes", "tree", "dummy")
    assert (replications.n_samples, replications.loss_name) == (62, "zero_one")


def test_samples_are_independent_of_each_other():
    population = Recording(GAUSSIAN)
    replicate(DummyRegressor(), population, n_replications=100)
    first = np.array([y for _, y in population.drawn[1:]])
    assert len({row.tobytes() for row in first}) == 100
    correlation = np.corrcoef(first[:-1].ravel(), first[1:].ravel())[0, 1]
    assert abs(correlation) < 4 / np.sqrt(first[1:].size)


@pytest.mark.parametrize(
    "change",
    [
        {"estimators": DummyRegressor()},
        {"estimators": [Ridge(), SeedTeller()]},
        {"cv": RepeatedSubsample(3)},
        {"cv": PairedHalves(BlockKFold(2), 2)},
        {"n_replications": 60},
        {"loss": "absolute_error"},
        {"error_score": 1.0},
    ],
    ids=lambda change: ", ".join(change),
)
def test_samples_follow_from_seed_and_size_alone(change):
    before, after = Recording(GAUSSIAN), Recording(GAUSSIAN)
    replicate(population=before)
    replicate(population=after, **change)
    for one, other in zip(before.drawn, after.drawn, strict=False):
        np.testing.assert_array_equal(one[0], other[0])
        np.testing.assert_array_equal(one[1], other[1])


def test_samples_differ_with_seed_and_size():
    one = replicate(loss=target)
    assert not np.allclose(one.block_sums, replicate(random_state=1).block_sums)
    longer = replicate(n_samples=20, loss=target)
    assert not np.allclose(longer.block_sums.sum(axis=1), one.block_sums.sum(axis=1))


def test_without_seed_each_call_draws_anew_and_says_what():
    one = replicate(random_state=None)
    assert not equal(one, replicate(random_state=None))
    assert equal(one, replicate(random_state=one.seed))


@pytest.mark.full
@pytest.mark.parametrize("estimator", [LinearRegression(), Ridge(solver="svd")])
def test_result_does_not_depend_on_n_jobs(estimator):
    options = {
        "population": GaussianLinearPopulation(60),
        "n_samples": 120,
        "n_replications": 55,
    }
    with threadpool_limits(2):  # here, and not in workers
        one = replicate(estimator, n_jobs=1, **options)
        assert equal(one, replicate(estimator, n_jobs=2, **options))


def test_result_does_not_depend_on_the_backend():
    with joblib.parallel_config(backend="threading", n_jobs=2):
        threads = replicate(n_replications=55)
    assert equal(threads, replicate(n_replications=55))


@pytest.mark.full
def test_result_may_come_at_the_end(monkeypatch):
    monkeypatch.setattr(_replicate, "way_of_returning", lambda: "list")
    found = replicate(n_replications=55, n_jobs=2)
    monkeypatch.undo()
    assert equal(found, replicate(n_replications=55))


@pytest.mark.full
def test_memory_does_not_grow_with_the_size_of_samples():
    def peak(n_replications):
        tracemalloc.start()
        population = GaussianLinearPopulation(2)
        options = {"n_samples": 3000, "cv": BlockKFold(2), "population": population}
        replicate(DummyRegressor(), n_replications=n_replications, **options)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return peak

    peak(1)  # imports and caches
    # a sample's losses take 24 kB, what is kept of them 32 bytes, a task some 10 kB
    assert peak(60) - peak(10) < 4 * 24_000


# Splits -----------------------------------------------------------------------


def sets_tested(cv, n_samples=16, **options):
    """Return the test sets of each sample, as sets, told by the sums of 2^i."""
    sums = replicate(
        DummyRegressor(),
        PowersPopulation(),
        n_samples=n_samples,
        cv=cv,
        loss=target,
        **options,
    ).block_sums[:, :, 0]
    return [
        [frozenset(np.flatnonzero(int(x) >> np.arange(n_samples) & 1)) for x in row]
        for row in sums
    ]


@pytest.mark.parametrize(
    "cv",
    [
        BlockKFold(4),
        BlockKFold(4, random_state=0),
        KFold(4, shuffle=True, random_state=0),
        RepeatedKFold(n_splits=2, n_repeats=2, random_state=0),
        ShuffleSplit(3, test_size=4, random_state=0),
        RepeatedSubsample(3, test_size=4, random_state=0),
        FiveByTwo(random_state=0),
        PairedHalves(BlockKFold(2, random_state=0), 2, random_state=0),
        PairedHalves(
            RepeatedSubsample(3, test_size=2, random_state=0), 2, random_state=0
        ),
    ],
    ids=lambda cv: type(cv).__name__,
)
def test_splitters_are_seeded_anew_for_each_sample(cv):
    before = repr(cv)
    found = sets_tested(cv)
    assert len({tuple(sets) for sets in found}) == len(found)
    assert sets_tested(cv) == found
    assert repr(cv) == before


@pytest.mark.parametrize("cv", [BlockKFold(4, shuffle=False), KFold(4)])
def test_splitters_that_do_not_shuffle_split_in_order(cv):
    expected = [frozenset(range(i, i + 4)) for i in range(0, 16, 4)]
    assert sets_tested(cv) == [expected] * 6


def test_given_splits_are_used_as_they_are():
    splits = [(np.arange(8), np.arange(8, 12)), (np.arange(4, 16), np.arange(3))]
    expected = [frozenset(range(8, 12)), frozenset(range(3))]
    assert sets_tested(iter(splits)) == [expected] * 6


def test_halves_are_disjoint_and_seeded_within_too():
    cv = PairedHalves(BlockKFold(2, random_state=5), 3, random_state=5)
    found = sets_tested(cv)
    for sets in found:
        runs = [sets[i] | sets[i + 1] for i in range(0, 14, 2)]
        assert runs[0] == set(range(16))
        for first, second in zip(runs[1::2], runs[2::2], strict=True):
            assert len(first) == len(second) == 8
            assert first | second == set(range(16))
    assert len({sets[0] for sets in found}) == 6  # the whole sample's folds
    assert len({sets[2] | sets[3] for sets in found}) == 6  # the first half
    # which positions of the first half are tested first
    within = {tuple(sorted(s[2] | s[3]).index(i) for i in sorted(s[2])) for s in found}
    assert len(within) > 1


@pytest.mark.parametrize(("cv", "splits"), [(None, 10), (3, 3)])
def test_default_splitters_are_those_of_the_package(cv, splits):
    iris = ArrayPopulation(*load_iris(return_X_y=True))
    replications = replicate(GaussianNB(), iris, cv=cv, n_samples=60)
    assert replications.block_sums.shape == (6, splits, 1)
    assert replications.design.kind == ("k-fold" if cv else "repeated k-fold")


def test_sizes_of_splits_must_not_vary():
    class VaryingSplits(KFold):
        def split(self, X, y=None, groups=None):
            n = 5 + int(y[0] > 0)
            yield np.arange(n), np.arange(n, len(X))

    message = "`cv` must give training and test sets of the same sizes in every sample"
    with pytest.raises(ValueError, match=message):
        replicate(cv=VaryingSplits(2), n_replications=20)


# Estimators -------------------------------------------------------------------


def told_seeds(estimator, **options):
    found = replicate(estimator, loss=prediction, **options)
    return found.block_sums[:, :, 0] / found.n_test


@pytest.mark.parametrize(
    "estimator",
    [SeedTeller(), make_pipeline(StandardScaler(), SeedTeller())],
    ids=["alone", "in a pipeline"],
)
def test_unset_random_state_is_one_integer_per_sample(estimator):
    seeds = told_seeds(estimator)
    assert (seeds == seeds[:, :1]).all()
    assert len(np.unique(seeds)) == 6
    np.testing.assert_array_equal(seeds, told_seeds(estimator))
    assert estimator.get_params()[[*estimator.get_params()][-1]] is None


def test_set_random_state_stays():
    assert np.unique(told_seeds(SeedTeller(7))).tolist() == [7]


def test_seeds_of_estimators_are_not_those_of_others():
    seeds = told_seeds(SeedTeller(), n_replications=60)[:, 0]
    assert len(set(seeds)) == 60
    assert len(set(told_seeds(SeedTeller(), random_state=1)[:, 0]) & set(seeds)) == 0


@pytest.mark.full
def test_random_estimators_give_the_same_for_any_n_jobs():
    X, y = load_digits(return_X_y=True)
    bagging = BaggingClassifier(DecisionTreeClassifier(max_features=1), 2)
    options = {"population": ArrayPopulation(X[:, :20], y % 2), "n_replications": 30}
    one = replicate([bagging], **options)
    assert equal(one, replicate([bagging], n_jobs=2, **options))
    assert bagging.random_state is None
    assert "estimators_" not in vars(bagging)


@pytest.mark.parametrize("loss", ["log_loss", "brier"])
def test_samples_may_lack_a_class(loss):
    X, y = load_iris(return_X_y=True)
    rare = np.flatnonzero(y == 2)[:5]
    keep = np.r_[np.flatnonzero(y < 2), rare]
    population = Recording(ArrayPopulation(X[keep], np.array(list("abc"))[y[keep]]))
    dummy = DummyClassifier(strategy="prior")
    replications = replicate(
        dummy, population, n_replications=20, cv=KFold(4), loss=loss
    )
    counts = {len(set(y)) for _, y in population.drawn[1:]}
    assert {2, 3} <= counts
    full = [len(set(y)) == 3 for _, y in population.drawn[1:]]
    for number in np.flatnonzero(full):
        X, y = population.drawn[1 + number]
        # without the warning of copies: samples are drawn with replacement
        options = {"cv": KFold(4), "loss": loss, "diagnostics": False}
        one = cross_val_losses(dummy, X, y, **options).block_losses
        np.testing.assert_allclose(replications.block_sums[number] / 4, one)
    assert np.isfinite(replications.block_sums).all()


@pytest.mark.full
def test_splitters_of_searches_are_seeded_too():
    ridge = GridSearchCV(
        Ridge(), {"alpha": [0.1, 1, 10, 100]}, cv=KFold(2, shuffle=True)
    )
    one = replicate(ridge, n_replications=20)
    assert equal(one, replicate(ridge, n_replications=20))
    assert ridge.cv.random_state is None
    ridge.cv.random_state = 0
    assert not equal(one, replicate(ridge, n_replications=20))


# Failing fits -----------------------------------------------------------------


def test_failed_fits_are_told_and_left_out():
    with pytest.warns(FitFailedWarning, match=r"In (\d+) of 40 samples a fit") as told:
        failing = replicate([Fussy(), Fussy(1e9)], n_replications=40)
    failed = np.isnan(failing.block_sums).any(axis=(1, 2))
    assert 0 < failed.sum() < 40
    assert f"In {failed.sum()} of" in str(told[0].message)
    assert told[0].filename == __file__
    residuals = failing.residuals(0, 1)
    assert residuals.n_replications == 40 - failed.sum()
    assert failing.residuals(1).n_replications == 40
    same = replicate(Fussy(1e9), n_replications=40).residuals()
    np.testing.assert_array_equal(failing.residuals(1).block_means, same.block_means)


def test_failed_fits_in_every_sample_leave_no_residuals():
    with pytest.warns(FitFailedWarning, match="In 6 of 6 samples"):
        failing = replicate({"never": Fussy(-1e9), "always": Fussy(1e9)})
    with pytest.raises(ValueError, match="A fit of never failed in every sample"):
        failing.residuals("never")
    with pytest.raises(ValueError, match="always or never failed"):
        failing.residuals("always", "never")


def test_fits_that_all_fail_say_why():
    estimators = {"never": Fussy(-1e9), "nor this": Fussy(-1e9)}
    message = (
        "In each of 30 samples a fit of every .*In the first, ValueError: y starts"
    )
    with pytest.raises(ValueError, match=message):
        replicate(estimators, n_replications=30)


def test_fits_that_all_failed_but_do_not_now_advise(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="y starts with"):
        replicate(Fussy(-1e9), memory=tmp_path)
    monkeypatch.setattr(_replicate, "_simulate", lambda setting, batch: None)
    message = "In each of 6 samples .*Pass error_score='raise' to replicate_losses"
    with pytest.raises(ValueError, match=message):
        replicate(Fussy(-1e9), memory=tmp_path)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_losses_that_are_not_finite_are_those_of_failed_fits(value):
    estimators, options = [SeedTeller(value), DummyRegressor()], {"loss": prediction}
    with pytest.warns(FitFailedWarning, match="In 6 of 6 samples a fit failed"):
        replicate(estimators, **options)
    with pytest.raises(ValueError, match=r"predict returned (nan|inf)"):
        replicate(estimators, error_score="raise", **options)


def test_failed_fits_take_the_number_given():
    found = replicate(Fussy(-1e9), error_score=3.0)
    np.testing.assert_array_equal(found.block_sums[:, :, 0], 3.0 * 4)
    np.testing.assert_array_equal(found.block_products[:, :, 0], 9.0 * 4)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_failed_fits_can_stop_everything(n_jobs):
    with (
        joblib.parallel_config("threading", n_jobs=n_jobs),
        pytest.raises(ValueError, match="y starts with"),
    ):
        replicate(Fussy(), error_score="raise", n_replications=30)


# Progress ---------------------------------------------------------------------


def test_progress_is_quiet_unless_asked_for(capfd):
    replicate()
    assert capfd.readouterr() == ("", "")


def test_progress_goes_to_stderr(capfd):
    pytest.importorskip("tqdm")
    replicate(progress=True, n_replications=30)
    out, err = capfd.readouterr()
    assert out == ""
    assert "30/30" in err
    assert "sample" in err


# Bad arguments ----------------------------------------------------------------


X, Y = GAUSSIAN.sample(16, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("sample", "why"),
    [
        pytest.param(lambda n, rng: None, "TypeError: cannot unpack", id="nothing"),
        pytest.param(
            lambda n, rng: (X, Y, Y), "ValueError: too many values", id="too many parts"
        ),
        pytest.param(lambda n, rng: (X[:15], Y[:15]), "15 rows.", id="too few rows"),
        pytest.param(
            lambda n, rng: (X[[*range(16), 0]], Y[[*range(16), 0]]),
            "17",
            id="too many rows",
        ),
        pytest.param(
            lambda n, rng: (X, Y[:9]),
            "`y` must .* 16 rows; got 9 rows",
            id="other lengths",
        ),
        pytest.param(
            lambda n, rng: (X, None), "`y` must be the target; got None", id="no target"
        ),
        pytest.param(
            lambda n, rng: (3, 4),
            "`X` must be an array or a table .*; got 3",
            id="no rows",
        ),
        pytest.param(
            lambda n: (X, Y),
            "TypeError: .*takes 1 positional argument",
            id="a signature",
        ),
        pytest.param(
            lambda n, rng: 1 / 0, "ZeroDivisionError: division by zero", id="an error"
        ),
    ],
)
def test_samples_are_what_was_asked_for(sample, why):
    message = rf"`population` must be an object whose sample\(16, rng\) .*; got .*{why}"
    with pytest.raises((TypeError, ValueError), match=message):
        replicate(population=SimpleNamespace(sample=sample))


def test_errors_of_a_population_are_chained():
    with pytest.raises(ValueError, match="`population`") as raised:
        replicate(population=SimpleNamespace(sample=lambda n, rng: 1 / 0))
    assert isinstance(raised.value.__cause__, ZeroDivisionError)


class Shrinking(GaussianLinearPopulation):
    """Draws ever smaller samples."""

    n_drawn = 0

    def sample(self, n_samples, rng):
        self.n_drawn += 1
        return super().sample(n_samples - self.n_drawn // 4, rng)


def test_later_samples_are_what_was_asked_for():
    with pytest.raises(ValueError, match=r"`population` .* 16 rows; got 15 rows"):
        replicate(population=Shrinking(3))


def test_memory_needs_a_seed(tmp_path):
    message = "`random_state` must be an integer if `memory` is given; got None."
    with pytest.raises(ValueError, match=message):
        replicate(memory=tmp_path, random_state=None)


def test_memory_refuses_what_it_cannot_read(tmp_path):
    message = r"`memory` must be None if .*pickle .*lambda"
    with pytest.raises(ValueError, match=message):
        replicate(memory=tmp_path, loss=lambda y_true, y_pred: y_true)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"loss": "log_loss"}, "`loss`='log_loss' needs `predict_proba`"),
        ({"loss": "accuracy"}, "`loss` must be .*; got 'accuracy'"),
        ({"cv": BlockKFold(17)}, "`n_splits` must be at most .* 16; got 17"),
    ],
    ids=lambda option: "",
)
def test_arguments_are_checked_on_the_first_sample(options, message):
    population = Recording(GAUSSIAN)
    with pytest.raises(ValueError, match=message):
        replicate(population=population, **options)
    assert len(population.drawn) == 1


# On a cluster: last, for its threads outlive it ---------------------------------


@pytest.mark.slow
def test_result_is_the_same_on_a_dask_cluster():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            2, threads_per_worker=1, dashboard_address=None
        ) as two,
        distributed.Client(two),
        joblib.parallel_config(backend="dask"),
    ):
        found = replicate(n_replications=110, n_jobs=-1)
    assert equal(found, replicate(n_replications=110))
