"""RacingSearchCV: scikit-learn's search tests, and who leaves when."""

import fractions
import functools
import pickle
import warnings
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse, stats
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.cluster import KMeans
from sklearn.datasets import load_breast_cancer, load_digits, make_classification
from sklearn.decomposition import PCA
from sklearn.exceptions import FitFailedWarning, NotFittedError
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, make_scorer, recall_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    ParameterGrid,
    ParameterSampler,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from sklearn_cvtest import (
    BlockKFold,
    CorrectedResampledTTest,
    RacingSearchCV,
    compare_candidates,
)
from sklearn_cvtest._best._best_set import Best
from sklearn_cvtest._search._examples import Folds
from sklearn_cvtest._search._race import Race, look_times, looks_of
from sklearn_cvtest._splits._design import Design

X, Y = make_classification(
    200, n_features=8, n_informative=3, flip_y=0.05, random_state=0
)
CV = BlockKFold(10, random_state=0)
TREE = DecisionTreeClassifier(random_state=0)
GRID = {"max_depth": [1, 2, 4, 8], "max_features": [1, None]}


class Given(ClassifierMixin, BaseEstimator):
    """Predicts right with a probability, by the row; counts fits."""

    fits = 0

    def __init__(self, accuracy=0.5, fail_at=None):
        self.accuracy = accuracy
        self.fail_at = fail_at

    def fit(self, X, y, sample_weight=None):
        Given.fits += 1
        if self.fail_at is not None and self.fail_at not in X[:, 0]:
            raise ValueError("this fit fails")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        check = np.random.default_rng(0).random(len(NUMBERS))
        y = (X[:, 0] % 2).astype(int)
        return np.where(check[X[:, 0].astype(int)] < self.accuracy, y, 1 - y)


NUMBERS = np.arange(200.0)[:, np.newaxis]
LABELS = (NUMBERS[:, 0] % 2).astype(int)
CLEAR = {"accuracy": [0.3, 0.5, 0.9, 0.95]}


def race(estimator=TREE, grid=GRID, data=(X, Y), **options):
    options = {"cv": CV} | options
    return RacingSearchCV(estimator, grid, **options).fit(*data)


@functools.cache
def raced():
    """Return a race that tests only look at."""
    return race()


# The rule ---------------------------------------------------------------------------


def test_looks_are_farther_and_farther_apart_and_the_last_is_after_all():
    assert look_times(5, 10) == [5, 8, 10]
    assert look_times(5, 30) == [5, 8, 12, 18, 30]
    assert look_times(5, 3) == [3]


def test_looks_at_examples_begin_after_a_hundred_and_go_by_whole_runs():
    tests = [np.arange(20)] * 30
    folds = Folds(Design("repeated k-fold", 10, 3), tests)
    sizes = np.tile([180, 20], (30, 1))
    assert looks_of(folds, sizes, None) == [5, 8, 10, 20, 30]
    assert looks_of(folds, sizes, 3) == [3, 5, 8, 10, 20, 30]
    assert looks_of(folds, 100 * sizes, None) == [1, 2, 3, 5, 8, 10, 20, 30]
    assert looks_of(None, sizes, None) == [5, 8, 12, 18, 30]


def test_candidates_leave_by_the_losses_of_examples_so_far():
    """A naive race: z at the ρ of the corrected test, largest of normal draws."""
    search = raced()
    splits, right = list(CV.split(X)), np.empty((8, 200))
    for row, params in enumerate(ParameterGrid(GRID)):
        for train, test in splits:
            model = clone(TREE).set_params(**params).fit(X[train], Y[train])
            right[row, test] = model.predict(X[test]) == Y[test]
    left, expected = np.arange(8), np.zeros(8)
    for stop in [5, 8, 10]:
        expected[left] = stop
        tested = np.concatenate([test for _, test in splits[:stop]])
        seen = right[np.ix_(left, tested)]
        extra = (stop + 2) / (10 + 2) * 10 / 9
        noise = np.random.default_rng(1).normal(size=(20000, len(tested)))
        stays = []
        for r in range(len(left)):
            gaps = np.delete(seen - seen[r], r, axis=0)
            gaps = gaps[gaps.any(axis=1)]
            centred = gaps - gaps.mean(axis=1, keepdims=True)
            sizes = np.sqrt((centred**2).sum(axis=1))
            z = gaps.mean(axis=1) * np.sqrt(len(tested) * (len(tested) - 1)) / sizes
            largest = (noise @ (centred / sizes[:, np.newaxis]).T).max(axis=1)
            p = np.mean(largest >= z.max() / np.sqrt(1 + extra))
            stays.append(p > 0.05 / 3)
        left = left[stays]
    assert_array_equal(search.n_splits_run_, expected)
    assert set(search.best_set_.names) == set(left.tolist())
    assert len(left) < 8


def right_share(estimator, X, y):
    return accuracy_score(y, estimator.predict(X))  # of which no metric is known


def test_candidates_leave_as_by_best_set_of_the_splits_so_far():
    """A naive race over the scores of a GridSearchCV of the same splits."""
    search = race(scoring=right_share)
    whole = GridSearchCV(TREE, GRID, cv=CV).fit(X, Y).cv_results_
    scores = np.column_stack([whole[f"split{j}_test_score"] for j in range(10)])
    left, expected = np.arange(8), np.zeros(8)
    for stop in [5, 8, 10]:
        expected[left] = stop
        so_far = {f"split{j}_test_score": scores[left, j] for j in range(stop)}
        so_far["params"] = [whole["params"][row] for row in left]
        sizes = {"n_train": 180, "n_test": 20}
        test = CorrectedResampledTTest()
        losses = compare_candidates(so_far, test=test, **sizes).losses
        found = Best(test, losses, 0.05 / 3, keeps_one=True)
        kept = np.sort(found.order[found.kept])
        left = left[kept]
    assert_array_equal(search.n_splits_run_, expected)
    assert set(search.best_set_.names) == set(left.tolist())
    assert len(left) < 8


def test_scores_are_those_of_a_grid_search_where_candidates_were_fitted():
    search = race(return_train_score=True)
    whole = GridSearchCV(TREE, GRID, cv=CV, return_train_score=True).fit(X, Y)
    results, expected = search.cv_results_, whole.cv_results_
    assert list(results) == list(expected)
    was_fitted = np.arange(10) < search.n_splits_run_[:, np.newaxis]
    assert not was_fitted.all()
    for kind in ("test", "train"):
        for j in range(10):
            ours = results[f"split{j}_{kind}_score"]
            theirs = expected[f"split{j}_{kind}_score"]
            assert_array_equal(ours, np.where(was_fitted[:, j], theirs, np.nan))
    stayed = search.n_splits_run_ == 10
    for key in ("mean_test_score", "std_test_score", "mean_train_score"):
        assert_allclose(results[key][stayed], expected[key][stayed])
    assert results["params"] == expected["params"]
    assert_array_equal(results["param_max_depth"], expected["param_max_depth"])
    assert search.best_index_ == whole.best_index_
    assert search.best_score_ == pytest.approx(whole.best_score_)


def test_ranks_go_by_the_number_of_splits_and_then_by_the_score():
    search = raced()
    order = np.argsort(search.cv_results_["rank_test_score"], kind="stable")
    assert (np.diff(search.n_splits_run_[order]) <= 0).all()
    for n_run in np.unique(search.n_splits_run_):
        of_run = search.n_splits_run_ == n_run
        means = search.cv_results_["mean_test_score"][of_run]
        ranks = search.cv_results_["rank_test_score"][of_run]
        expected = stats.rankdata(-means, "min") - 1 + ranks.min()
        assert_array_equal(ranks, expected)


def test_fits_are_those_that_n_splits_run_counts():
    Given.fits = 0
    search = race(Given(), CLEAR, (NUMBERS, LABELS))
    assert Given.fits == search.n_splits_run_.sum() + 1
    assert search.n_splits_run_.max() <= search.n_splits_  # no more than a plain one
    assert search.n_splits_run_.tolist()[:2] == [5, 5]
    assert Given.fits < 40


class Counted(LogisticRegression):
    """Counts how often it is asked for anything."""

    n_asked = 0

    def decision_function(self, X):
        Counted.n_asked += 1
        return super().decision_function(X)


@pytest.mark.parametrize("scoring", [None, "accuracy", ["accuracy", "roc_auc"]])
def test_each_fit_is_predicted_once(scoring):
    several = isinstance(scoring, list)  # `predict` and `decision_function`
    Counted.n_asked = 0
    refit = "accuracy" if several else False
    search = race(Counted(), {"C": [1e-3, 1.0]}, scoring=scoring, refit=refit)
    assert Counted.n_asked == search.n_splits_run_.sum() * (1 + several)


class CannotScore(LogisticRegression):
    """Has no decision values with a small penalty."""

    def decision_function(self, X):
        if self.C > 10:
            raise RuntimeError("no decision")
        return super().decision_function(X)


@pytest.mark.parametrize("error_score", [np.nan, 0.0])
@pytest.mark.filterwarnings("ignore:One or more of the test scores:UserWarning")
def test_a_candidate_that_cannot_be_scored_has_the_score_of_an_error(error_score):
    grid = {"C": [1.0, 100.0]}
    with pytest.warns(UserWarning, match="Scoring failed"):
        search = race(CannotScore(), grid, scoring="roc_auc", error_score=error_score)
    assert_array_equal(search.cv_results_["split0_test_score"][1], error_score)
    assert search.best_params_ == {"C": 1.0}
    assert search.n_splits_run_[1] < 10


def test_the_race_ends_when_one_is_left():
    grid = {"accuracy": [0.2, 0.95]}
    search = race(Given(), grid, (NUMBERS, LABELS))
    assert search.n_splits_run_.max() < search.n_splits_ == 10
    assert search.best_set_.names == (1,)
    assert search.best_params_ == {"accuracy": 0.95}
    assert np.isnan(search.cv_results_["split9_test_score"]).all()


def test_the_race_ends_when_all_left_are_within_the_margin():
    grid, data = {"C": [1e-9, 1.0, 0.01]}, load_breast_cancer(return_X_y=True)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    grid = {f"logisticregression__{name}": values for name, values in grid.items()}
    whole, short = race(model, grid, data), race(model, grid, data, margin=0.1)
    assert whole.n_splits_run_.max() == 10
    assert short.n_splits_run_.max() < 10
    kept = [short.best_set_.differences[row] for row in short.best_set_.names[1:]]
    assert max(high for _, _, high in kept) <= 0.1


def test_same_scores_stay_together():
    search = race(Given(), {"accuracy": [0.9, 0.9, 0.3]}, (NUMBERS, LABELS))
    assert search.best_set_.names == (0, 1)
    assert search.cv_results_["rank_test_score"].tolist() == [1, 1, 3]


def test_adjusted_pvalues_tell_who_left():
    search = raced()
    found = search.best_set_
    assert set(found.pvalues) == set(range(8))
    for row, p in found.pvalues.items():
        assert (p > found.alpha) == (row in found.names)
    assert found.n_splits_run == dict(
        zip(found.pvalues, search.n_splits_run_[list(found.pvalues)], strict=True)
    )
    assert found.to_frame()["n_splits_run"].max() == 10
    text = " ".join(str(found).split())
    assert " splits " in text
    assert not text.count("nan")


def test_a_comparison_of_candidates_takes_those_of_the_last_split():
    search = raced()
    last = np.flatnonzero(search.n_splits_run_ == 10)
    result = compare_candidates(search)
    assert_array_equal(result.candidates, last)
    assert result.reference == search.best_index_
    assert not result.failed.size
    assert f"{len(last)} of 8 candidates" in " ".join(str(result).split())


def test_the_winner_is_that_of_a_comparison_of_the_last_split():
    search = raced()
    last = np.flatnonzero(search.n_splits_run_ == 10)
    results = {"params": [search.cv_results_["params"][row] for row in last]}
    for key in (f"split{j}_test_score" for j in range(10)):
        results[key] = search.cv_results_[key][last]
    whole = SimpleNamespace(cv_results_=results, scorer_=search.scorer_)
    found = compare_candidates(whole, n_train=180, n_test=20).winner_interval()
    ours = search.winner_interval_
    assert ours.name == search.best_index_ == last[found.name]
    assert ours.n_compared == len(last) < 8
    assert ours.mean == pytest.approx(search.best_score_)
    for name in ("estimate", "ci_low", "ci_high"):
        assert getattr(ours, name) == pytest.approx(getattr(found, name))
    assert race(grid={"max_depth": [1]}).winner_interval_ is None


@pytest.mark.parametrize(
    "scoring", ["accuracy", ["accuracy"], {"accuracy": "accuracy"}]
)
def test_the_interval_of_the_winner_is_within_the_range_of_the_score(scoring):
    grid = {"accuracy": [0.985, 0.99]}
    search = race(Given(), grid, (NUMBERS, LABELS), scoring=scoring, refit="accuracy")
    assert search.winner_interval_.ci_high <= 1
    assert "the best of 2 candidates" in str(search.winner_interval_)


@pytest.mark.full
@pytest.mark.parametrize(("n_candidates", "n_runs"), [(2, 400), (5, 100)])
def test_a_candidate_as_good_as_all_others_stays(n_candidates, n_runs):
    """Scores of equal candidates with the correlation that is assumed."""
    rng, dropped = np.random.default_rng(1), 0
    sizes = np.tile([90, 10], (10, 1))
    for _ in range(n_runs):
        shared = rng.normal(size=(n_candidates, 1)) * np.sqrt(0.1)
        scores = shared + rng.normal(size=(n_candidates, 10)) * np.sqrt(0.9)
        found = Race(n_candidates, sizes, look_times(5, 10), 0.05, None)
        while not found.is_over:
            found.add(scores[found.left, found.n_done])
        dropped += 0 not in found.left
    assert dropped <= stats.binom.ppf(0.9995, n_runs, 0.05)


# In scikit-learn's place ------------------------------------------------------------


def as_grid_search(search):
    """The checks that GridSearchCV does not pass, either."""
    if isinstance(search.estimator, LogisticRegression):
        return {}
    return {"check_supervised_y_2d": "a column is taken as several targets"}


@parametrize_with_checks(
    [RacingSearchCV(Ridge(), {"alpha": [0.1, 1.0]}, cv=2)],
    expected_failed_checks=as_grid_search,
)
def test_scikit_learn_accepts_it(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


STEPS = make_pipeline(PCA(), Ridge())


@pytest.mark.full
@parametrize_with_checks(
    [
        RacingSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=2),
        RacingSearchCV(STEPS, {"ridge__alpha": [0.1, 1.0]}, cv=2),
        RacingSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, random_state=0),
        RacingSearchCV(Ridge(), {"alpha": [0.1, 1.0]}, random_state=0),
    ],
    expected_failed_checks=as_grid_search,
)
def test_scikit_learn_accepts_it_for_classifiers_and_pipelines(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


def test_clone_and_parameters():
    search = RacingSearchCV(TREE, GRID, alpha=0.1, margin=0.01, min_splits=5)
    copy = clone(search)
    assert copy.get_params()["estimator__max_depth"] is None
    assert copy.set_params(estimator__max_depth=3).estimator.max_depth == 3
    assert search.estimator.max_depth is None
    assert "alpha=0.1" in repr(search)


def test_fit_changes_no_parameter():
    search = RacingSearchCV(TREE, GRID, cv=CV)
    before = search.get_params(deep=False)
    search.fit(X, Y)
    after = search.get_params(deep=False)
    assert all(after[name] is before[name] for name in before)
    assert not hasattr(TREE, "tree_")


def test_pickled_search_is_the_same():
    search = raced()
    copy = pickle.loads(pickle.dumps(search))
    assert_array_equal(copy.predict(X), search.predict(X))
    assert copy.best_set_.differences == search.best_set_.differences
    assert copy.best_set_.names == search.best_set_.names


def test_html_shows_the_estimator():
    html = raced()._repr_html_()
    assert "RacingSearchCV" in html
    assert "DecisionTreeClassifier" in html


def test_methods_are_those_of_the_best_estimator():
    search = race(SVC(), {"C": [0.1, 1]})
    best = search.best_estimator_
    assert_array_equal(search.predict(X), best.predict(X))
    assert_array_equal(search.decision_function(X), best.decision_function(X))
    assert search.score(X, Y) == best.score(X, Y)
    assert_array_equal(search.classes_, [0, 1])
    assert search.n_features_in_ == 8
    assert not hasattr(search, "predict_proba")
    tree = raced()
    assert_array_equal(tree.predict_proba(X), tree.best_estimator_.predict_proba(X))
    bayes = race(GaussianNB(), {"var_smoothing": [1e-9, 0.1]})
    log_proba = bayes.best_estimator_.predict_log_proba(X)
    assert_array_equal(bayes.predict_log_proba(X), log_proba)
    reduced = race(PCA(), {"n_components": [2, 3]}, (X, None), cv=KFold(4))
    assert reduced.transform(X).shape == (200, reduced.best_params_["n_components"])
    assert reduced.inverse_transform(reduced.transform(X)).shape == X.shape


def test_without_refit_nothing_predicts():
    search = race(refit=False)
    assert not hasattr(search, "best_estimator_")
    assert not hasattr(search, "predict")
    assert search.best_params_ == raced().best_params_
    unfitted = RacingSearchCV(TREE, GRID)
    with pytest.raises(NotFittedError):
        unfitted.predict(X)


def test_feature_names_are_those_of_the_frame():
    frame = pd.DataFrame(X, columns=list("abcdefgh"))
    search = race(data=(frame, pd.Series(Y)))
    assert list(search.feature_names_in_) == list("abcdefgh")


@pytest.mark.parametrize("refit", ["accuracy", "recall"])
def test_several_metrics_race_by_that_of_refit(refit):
    scoring = {"accuracy": "accuracy", "recall": make_scorer(recall_score)}
    search = race(scoring=scoring, refit=refit)
    alone = race(scoring=scoring[refit])
    assert_array_equal(search.n_splits_run_, alone.n_splits_run_)
    assert search.multimetric_
    assert search.best_index_ == alone.best_index_
    means = search.cv_results_[f"mean_test_{refit}"]
    assert_array_equal(means, alone.cv_results_["mean_test_score"])
    assert search.score(X, Y) == alone.score(X, Y)
    other = ({"accuracy", "recall"} - {refit}).pop()
    columns = [search.cv_results_[f"split{j}_test_{other}"] for j in range(10)]
    assert_array_equal(np.isfinite(columns).sum(axis=0), search.n_splits_run_)


def several_scores(estimator, X, y):
    right = accuracy_score(y, estimator.predict(X))
    return {"right": right, "wrong": 1 - right}


def test_a_callable_may_return_several_scores():
    search = race(scoring=several_scores, refit="right")
    assert_array_equal(search.n_splits_run_, race(scoring=right_share).n_splits_run_)
    with pytest.raises(ValueError, match="`refit` must be the name of the metric"):
        race(scoring=several_scores, refit=False)


@pytest.mark.parametrize("refit", [True, False, lambda results: 0])
def test_several_metrics_need_one_to_race_by(refit):
    with pytest.raises(ValueError, match="`refit` must be the name of the metric"):
        race(scoring=["accuracy", "recall"], refit=refit)


def test_refit_may_be_a_function_of_the_results():
    search = race(refit=lambda results: int(np.argmax(results["rank_test_score"])))
    assert search.best_index_ == search.cv_results_["rank_test_score"].argmax()


def test_groups_go_to_the_splitter():
    groups = np.arange(200) // 10
    search = RacingSearchCV(TREE, GRID, cv=GroupKFold(5)).fit(X, Y, groups=groups)
    whole = GridSearchCV(TREE, GRID, cv=GroupKFold(5)).fit(X, Y, groups=groups)
    assert search.n_splits_ == 5
    key = "split0_test_score"
    assert_array_equal(search.cv_results_[key], whole.cv_results_[key])
    with pytest.raises(ValueError, match="groups"):
        RacingSearchCV(TREE, GRID, cv=GroupKFold(5)).fit(X, Y)


def test_metadata_are_routed():
    weights, groups = np.linspace(0, 1, 200), np.arange(200) // 10
    with config_context(enable_metadata_routing=True):
        scorer = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        tree = clone(TREE).set_fit_request(sample_weight=True)
        options = {"cv": GroupKFold(5), "scoring": scorer}
        given = {"sample_weight": weights, "groups": groups}
        search = RacingSearchCV(tree, GRID, **options).fit(X, Y, **given)
        whole = GridSearchCV(tree, GRID, **options).fit(X, Y, **given)
    stayed = search.n_splits_run_ == 5
    ours, theirs = (s.cv_results_["mean_test_score"][stayed] for s in (search, whole))
    assert_allclose(ours, theirs)


def test_weights_go_to_fits():
    weights = np.random.default_rng(0).random(200)
    options = {"cv": CV, "scoring": "accuracy"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search, whole = (
            kind(TREE, GRID, **options).fit(X, Y, sample_weight=weights)
            for kind in (RacingSearchCV, GridSearchCV)
        )
    key = "split0_test_score"
    assert_array_equal(search.cv_results_[key], whole.cv_results_[key])


@pytest.mark.parametrize("form", [sparse.csr_matrix, np.ndarray.tolist, pd.DataFrame])
def test_containers(form):
    search = race(data=(form(X), Y.tolist()))
    assert_array_equal(search.n_splits_run_, raced().n_splits_run_)


def test_a_kernel_matrix_is_cut_in_rows_and_columns():
    kernel = X @ X.T
    grid = {"C": [0.001, 0.1, 1]}
    search = race(SVC(kernel="precomputed"), grid, (kernel, Y))
    plain = race(SVC(kernel="linear"), grid)
    key = "split0_test_score"
    assert_allclose(search.cv_results_[key], plain.cv_results_[key])


def test_without_a_target():
    grid = {"n_clusters": [2, 3, 4]}
    model = KMeans(n_init=1, random_state=0)
    search = RacingSearchCV(model, grid, cv=KFold(5)).fit(X)
    assert search.best_params_["n_clusters"] in {2, 3, 4}


def test_pipelines_keep_their_memory(tmp_path):
    steps = make_pipeline(StandardScaler(), TREE, memory=str(tmp_path))
    grid = {f"decisiontreeclassifier__{name}": values for name, values in GRID.items()}
    search = race(steps, grid)
    assert search.n_splits_run_.max() == 10
    assert any(tmp_path.iterdir())


def test_inside_of_another_cross_validation():
    search = RacingSearchCV(TREE, {"max_depth": [1, 3]}, cv=4, min_splits=3)
    assert cross_val_score(search, X, Y, cv=3).shape == (3,)


@pytest.mark.full
def test_jobs_change_nothing():
    search, alone = race(n_jobs=2), raced()
    assert_array_equal(search.n_splits_run_, alone.n_splits_run_)
    key = "mean_test_score"
    assert_array_equal(search.cv_results_[key], alone.cv_results_[key])


def test_the_level_may_be_any_real_number():
    grid, levels = {"alpha": [1, 9]}, (fractions.Fraction(1, 20), 0.05)
    races = [RacingSearchCV(Ridge(), grid, cv=5, alpha=level) for level in levels]
    one, other = (race.fit(X, X[:, 0]).winner_interval_ for race in races)
    assert str(one) == str(other)


def test_ten_shuffled_folds_are_the_default():
    search = RacingSearchCV(TREE, GRID, random_state=1).fit(X, Y)
    folds = BlockKFold(10, stratify=True, random_state=1)
    key = "split0_test_score"
    assert search.n_splits_ == 10
    assert_array_equal(search.cv_results_[key], race(cv=folds).cv_results_[key])
    plain = RacingSearchCV(Ridge(), {"alpha": [1, 9]}, random_state=1).fit(X, X[:, 0])
    splits = list(BlockKFold(10, random_state=1).split(X))
    given = race(Ridge(), {"alpha": [1, 9]}, (X, X[:, 0]), cv=splits)
    assert_array_equal(plain.cv_results_[key], given.cv_results_[key])


def test_candidates_may_be_drawn():
    distributions = {"max_depth": stats.randint(1, 9), "max_features": [1, None]}
    search = RacingSearchCV(
        TREE,
        param_distributions=distributions,
        n_iter=6,
        random_state=0,
        cv=ShuffleSplit(8, test_size=0.2, random_state=0),
    ).fit(X, Y)
    drawn = list(ParameterSampler(distributions, 6, random_state=0))
    assert search.cv_results_["params"] == drawn


def test_several_grids_have_masked_parameters():
    grid = [{"kernel": ["linear"], "C": [1]}, {"kernel": ["rbf"], "gamma": [0.1, 1]}]
    search = race(SVC(), grid)
    assert search.cv_results_["params"] == list(ParameterGrid(grid))
    masked = search.cv_results_["param_gamma"].mask
    assert masked.tolist() == [True, False, False]


# Failures and edges -----------------------------------------------------------------


def test_a_candidate_that_fails_leaves_and_is_last():
    grid = {"fail_at": [None, 0.0], "accuracy": [0.8, 0.9]}
    with pytest.warns(FitFailedWarning), pytest.warns(UserWarning, match="non-finite"):
        search = race(Given(), grid, (NUMBERS, LABELS), cv=KFold(10))
    failed = np.array(
        [params["fail_at"] == 0 for params in search.cv_results_["params"]]
    )
    assert search.n_splits_run_[failed].tolist() == [1, 1]
    assert np.isnan(search.cv_results_["mean_test_score"][failed]).all()
    assert search.cv_results_["rank_test_score"][failed].tolist() == [3, 3]
    assert set(search.best_set_.pvalues) == set(np.flatnonzero(~failed).tolist())


def test_what_failed_is_said_once():
    grid = {"fail_at": [None, 0.0], "accuracy": [0.8, 0.9]}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        race(Given(), grid, (NUMBERS, LABELS), cv=KFold(10))
    assert sum("non-finite" in str(w.message) for w in caught) == 1


def test_a_failing_fit_may_count_as_a_score():
    grid = {"fail_at": [None, 0.0], "accuracy": [0.9]}
    with pytest.warns(FitFailedWarning):
        search = race(Given(), grid, (NUMBERS, LABELS), cv=KFold(10), error_score=0.0)
    assert search.cv_results_["split0_test_score"].tolist()[1] == 0
    assert search.n_splits_run_[1] >= 5


def test_a_failing_fit_may_raise():
    grid = {"fail_at": [0.0]}
    with pytest.raises(ValueError, match="this fit fails"):
        race(Given(), grid, (NUMBERS, LABELS), cv=KFold(10), error_score="raise")


def test_scores_may_be_the_same_on_all_splits():
    search = race(Given(), {"accuracy": [1.0, 1.0, 0.5]}, (NUMBERS, LABELS))
    winner = search.winner_interval_
    assert (winner.mean, winner.estimate) == (1, 1)


def test_one_candidate_runs_no_race():
    search = race(grid={"max_depth": [3]})
    assert search.best_set_ is None
    assert search.n_splits_run_.tolist() == [5]


def test_few_splits_are_one_look():
    search = race(cv=3, scoring=right_share)
    assert search.n_splits_run_.tolist() == [3] * 8


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cv": TimeSeriesSplit(4)}, "`cv` must be a splitter that makes"),
        ({"cv": ShuffleSplit(1)}, "`cv` must be a splitter that makes .* one train"),
        ({"param_distributions": GRID}, "`param_grid` must be given .* got both"),
        ({"grid": {"alpha": []}}, r"`param_grid` must be a dict.* got {'alpha': \[\]}"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        race(**options)


def test_what_is_no_estimator_is_named():
    with pytest.raises(TypeError, match=r"`estimator` must be an estimator; got \[\]"):
        RacingSearchCV([], GRID).fit(X, Y)


def test_the_bar_says_how_many_are_left(capsys):
    pytest.importorskip("tqdm")
    search = race(progress=True)
    shown = capsys.readouterr().err
    n_fits = search.n_splits_run_.sum()
    assert f"{n_fits}/{n_fits}" in shown
    assert f"{len(search.best_set_.names)} left" in shown


def test_a_race_that_the_first_fold_decides():
    X, y = load_digits(return_X_y=True)
    tree = DecisionTreeClassifier(random_state=0)
    search = RacingSearchCV(tree, {"max_depth": [1, 10]}).fit(X, y)
    assert search.best_params_ == {"max_depth": 10}
    assert search.n_splits_run_.tolist() == [1, 1]


@pytest.mark.parametrize("name", ["pre_dispatch", "random_state"])
def test_options_that_mean_nothing_are_refused(name):
    with pytest.raises((TypeError, ValueError), match=f"`{name}`"):
        race(Given(), CLEAR, (NUMBERS, LABELS), **{name: "zz"})


class FailsWithout(DecisionTreeClassifier):
    """A tree that cannot be fitted, if it is deep, without a certain row."""

    def fit(self, X, y, sample_weight=None, check_input=True):
        if self.max_depth >= 8 and not (X[:, -1] == 77).any():
            raise ValueError("the row is not there")
        return super().fit(X, y, sample_weight, check_input)


@pytest.mark.filterwarnings("ignore")
def test_leaders_that_all_fail_on_a_fold_do_not_end_the_search():
    X, y = load_digits(return_X_y=True)
    cv = BlockKFold(10, stratify=True, random_state=0)
    row = [test for _, test in cv.split(X, y)][6][0]
    X = np.column_stack([X, np.zeros(len(X))])
    X[row, -1] = 77
    grid, model = {"max_depth": [1, 2, 5, 6, 10, 12]}, FailsWithout(random_state=0)
    with pytest.warns(FitFailedWarning, match="On split 6: All the 2 fits failed"):
        race = RacingSearchCV(model, grid, cv=cv, random_state=0).fit(X, y)
    whole = GridSearchCV(model, grid, cv=cv).fit(X, y)
    assert race.best_params_ == whole.best_params_ == {"max_depth": 6}
    assert race.n_splits_run_[-2:].tolist() == [7, 7]
    assert np.isnan(race.cv_results_["mean_test_score"]).tolist() == [False] * 4 + [
        True,
        True,
    ]
    assert race.best_set_.names[0] == 3
    assert str(race.best_set_)
    with pytest.raises(ValueError, match="the row is not there"):
        RacingSearchCV(model, grid, cv=cv, error_score="raise").fit(X, y)
