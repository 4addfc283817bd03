"""The metric behind a scorer; its value and pseudo-losses on a test set."""

import math
import pickle
import warnings
from functools import partial

import numpy as np
import pytest
from sklearn import config_context, datasets, metrics
from sklearn.cluster import KMeans
from sklearn.linear_model import (
    LinearRegression,
    LogisticRegression,
    Ridge,
    RidgeClassifier,
)
from sklearn.metrics import check_scoring, get_scorer, make_scorer
from sklearn.model_selection import KFold
from sklearn.multioutput import MultiOutputClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_cvtest import (
    BlockKFold,
    KFoldZTest,
    compare_predictions,
    cross_val_interval,
    cross_val_losses,
    interval_of_predictions,
)
from sklearn_cvtest._compat import scorer_parts
from sklearn_cvtest._losses._metrics import find_metric, score_range
from sklearn_cvtest._losses._rank_metrics import concordance_index
from sklearn_cvtest.exceptions import FewExamplesWarning, ThresholdWarning

MOST_CASES = 1000  # that the suite runs of a test, see conftest.py
BINARY = datasets.make_classification(150, n_informative=3, flip_y=0.2, random_state=0)
TERNARY = datasets.make_classification(
    150, n_informative=4, n_classes=3, flip_y=0.2, random_state=0
)
MULTILABEL = datasets.make_multilabel_classification(150, n_classes=3, random_state=0)
REGRESSION = datasets.make_regression(150, noise=50, random_state=0)
COUNTS = REGRESSION[0], np.exp(REGRESSION[1] / np.std(REGRESSION[1]))


class Positive(LinearRegression):
    """A regressor whose predictions are above -1/2, and mostly far from it."""

    def predict(self, X):
        return np.exp(np.clip(super().predict(X), -2, 2))


LINEAR, POSITIVE = LinearRegression(), Positive()
LOGISTIC, KNN = LogisticRegression(), KNeighborsClassifier(7)  # of tied scores
EACH = MultiOutputClassifier(LogisticRegression())

BY_NAME = [
    *(("binary", LOGISTIC, name) for name in ("accuracy", "f1", "jaccard", "recall")),
    *(("binary", RidgeClassifier(), name) for name in ("roc_auc", "matthews_corrcoef")),
    *(("binary", KNN, name) for name in ("roc_auc", "average_precision", "precision")),
    *(("binary", LOGISTIC, name) for name in ("neg_log_loss", "neg_brier_score")),
    *(
        ("ternary", LOGISTIC, name)
        for name in (
            "accuracy",
            "balanced_accuracy",
            "f1_macro",
            "f1_micro",
            "f1_weighted",
            "precision_macro",
            "recall_weighted",
            "jaccard_macro",
            "matthews_corrcoef",
            "neg_log_loss",
            "roc_auc_ovr",
            "roc_auc_ovo",
            "roc_auc_ovr_weighted",
            "roc_auc_ovo_weighted",
        )
    ),
    ("multilabel", EACH, "f1_micro"),
    ("multilabel", EACH, "jaccard_macro"),
    *(
        ("regression", LINEAR, name)
        for name in (
            "r2",
            "explained_variance",
            "neg_mean_squared_error",
            "neg_root_mean_squared_error",
            "neg_mean_absolute_error",
            "neg_mean_absolute_percentage_error",
        )
    ),
    *(
        ("counts", POSITIVE, name)
        for name in (
            "neg_mean_squared_log_error",
            "neg_root_mean_squared_log_error",
            "neg_mean_poisson_deviance",
            "neg_mean_gamma_deviance",
        )
    ),
]
LENIENT = {"zero_division": 0}
LIKELY = {"response_method": "predict_proba"}
MADE = [
    ("multilabel", EACH, make_scorer(metrics.f1_score, average="samples", **LENIENT)),
    ("ternary", LOGISTIC, make_scorer(metrics.f1_score, average="macro")),
    ("binary", LOGISTIC, make_scorer(metrics.fbeta_score, beta=2, pos_label=0)),
    ("binary", LOGISTIC, make_scorer(partial(metrics.fbeta_score, beta=0.5))),
    ("binary", LOGISTIC, make_scorer(metrics.zero_one_loss, greater_is_better=False)),
    ("ternary", LOGISTIC, make_scorer(metrics.cohen_kappa_score, weights="linear")),
    ("regression", LINEAR, make_scorer(concordance_index)),
    (
        "binary",
        LOGISTIC,
        make_scorer(metrics.average_precision_score, pos_label=0, **LIKELY),
    ),
]
DATA = {
    "binary": BINARY,
    "ternary": TERNARY,
    "multilabel": MULTILABEL,
    "regression": REGRESSION,
    "counts": COUNTS,
}


def measure_of(scoring):
    return find_metric(scoring, name="the metric")


def case_id(value):
    return value if isinstance(value, str) else ""


@pytest.mark.parametrize(("data", "model", "scoring"), BY_NAME + MADE, ids=case_id)
def test_mean_of_a_split_is_minus_the_score(data, model, scoring):
    X, y = DATA[data]
    measure, scorer = measure_of(scoring), get_scorer(scoring)
    measure = pickle.loads(pickle.dumps(measure))
    for train, test in KFold(3, shuffle=True, random_state=1).split(X):
        model.fit(X[train], y[train])
        response = measure.respond(model, X[test], y[test], {})
        values = measure.values(response, model, y[train], None)
        assert values.shape == (len(test),)
        score = scorer(model, X[test], y[test])
        assert response.score == score
        assert np.mean(values) == pytest.approx(-score, rel=1e-12, abs=1e-12)
        assert np.ptp(values) > 0


def test_single_precision_is_close_enough_and_the_score_stays():
    class Single(LogisticRegression):
        def predict_proba(self, X):
            return super().predict_proba(X).astype(np.float32)

    X, y = BINARY
    model, measure = Single().fit(X, y), measure_of("neg_log_loss")
    response = measure.respond(model, X, y, {})
    values = measure.values(response, model, y, None)
    assert np.mean(values) == pytest.approx(-float(response.score), rel=1e-12)


def test_pseudo_losses_of_accuracy_are_minus_the_hits():
    X, y = BINARY
    model = LogisticRegression().fit(X, y)
    measure = measure_of("accuracy")
    values = measure.values(measure.respond(model, X, y, {}), model, y, None)
    np.testing.assert_array_equal(values, np.where(model.predict(X) == y, -1, 0))


def test_response_is_computed_once():
    class Counted(LogisticRegression):
        n_calls = 0

        def predict_proba(self, X):
            type(self).n_calls += 1
            return super().predict_proba(X)

    X, y = BINARY
    model = Counted().fit(X, y)
    measure = measure_of("neg_log_loss")
    measure.values(measure.respond(model, X, y, {}), model, y, None)
    assert Counted.n_calls == 1


def test_labels_may_be_words():
    X, y = BINARY
    words = np.array(["bad", "good"], dtype=object)[y]
    model = LogisticRegression().fit(X, words)
    scorer = make_scorer(metrics.f1_score, pos_label="good")
    for scoring in (scorer, "roc_auc", "neg_log_loss", "matthews_corrcoef"):
        measure = measure_of(scoring)
        response = measure.respond(model, X, words, {})
        values = measure.values(response, model, words, None)
        assert np.mean(values) == pytest.approx(-get_scorer(scoring)(model, X, words))


@pytest.mark.parametrize("scoring", ["roc_auc", "f1", "neg_log_loss", "accuracy"])
def test_weights_go_into_score_and_influence(scoring):
    X, y = BINARY
    weight = np.random.default_rng(0).random(len(y))
    model = LogisticRegression().fit(X, y)
    with config_context(enable_metadata_routing=True):
        scorer = get_scorer(scoring).set_score_request(sample_weight=True)
        measure = find_metric(scorer, name=scoring)
        params = {"sample_weight": weight}
        response = measure.respond(model, X, y, params)
        score = scorer(model, X, y, **params)
    values = measure.values(response, model, y, None)
    assert score != get_scorer(scoring)(model, X, y)
    assert np.mean(values) == pytest.approx(-score, rel=1e-12)


def own(y_true, y_pred):
    return 0.5


@pytest.mark.parametrize(
    "scoring",
    [
        "neg_median_absolute_error",
        "adjusted_rand_score",
        "no such scorer",
        own,
        lambda estimator, X, y: 0.5,
        make_scorer(own),
        make_scorer(
            metrics.roc_auc_score, response_method="predict_proba", max_fpr=0.2
        ),
        make_scorer(metrics.f1_score, average=None),
        make_scorer(metrics.accuracy_score, normalize=False),
        make_scorer(metrics.r2_score, multioutput="raw_values"),
        make_scorer(metrics.roc_auc_score, average="samples", **LIKELY),
    ],
)
def test_what_is_no_function_of_sums_has_no_metric(scoring):
    assert find_metric(scoring) is None


@pytest.mark.parametrize(
    ("scoring", "sign", "score_range", "needs"),
    [
        ("roc_auc", 1, (0, 1), "classes"),
        ("f1", 1, (0, 1), "positives"),
        ("f1_macro", 1, (0, 1), "classes"),
        ("f1_micro", 1, (0, 1), "examples"),
        ("r2", 1, (-math.inf, 1), "examples"),
        ("matthews_corrcoef", 1, (-1, 1), "classes"),
        ("neg_root_mean_squared_error", -1, (-math.inf, 0), "examples"),
        ("neg_log_loss", -1, (-math.inf, 0), "nothing"),
        ("neg_brier_score", -1, (-1, 0), "nothing"),
    ],
)
def test_metric_says_what_it_is(scoring, sign, score_range, needs):
    metric = find_metric(scoring, BINARY[1])
    assert (metric.sign, metric.needs) == (sign, needs)
    assert metric.score_range == score_range


def test_range_of_brier_knows_the_number_of_classes():
    assert find_metric("neg_brier_score", TERNARY[1]).range == (0, 2)
    assert find_metric("neg_brier_score", BINARY[1]).range == (0, 1)


def test_parts_of_a_scorer_are_those_given():
    scorer = make_scorer(
        metrics.log_loss, response_method="predict_proba", greater_is_better=False
    )
    assert scorer_parts(scorer) == (metrics.log_loss, {}, -1, "predict_proba")
    assert scorer_parts(own) is None


# Few examples -------------------------------------------------------------------


def split_of(*tests):
    return [(np.array([0]), np.asarray(test)) for test in tests]


def test_few_examples_of_a_class_are_named():
    y = np.repeat(["a", "b"], [30, 14])
    splits = split_of(np.arange(34, 44), np.arange(20, 44))
    assert not measure_of("accuracy").few_examples(y, splits)
    message = measure_of("roc_auc").few_examples(y, splits)
    assert "at least 10 examples of each class" in message
    assert "the test set of split 0 holds 0" in message
    assert not measure_of("roc_auc").few_examples(y, splits[1:])


STRATIFIED, SORTED = (
    [(np.array([0]), np.arange(k, 100, 5)) for k in range(5)],
    [(np.array([0]), np.arange(20 * k, 20 * k + 20)) for k in range(5)],
)


@pytest.mark.parametrize(
    ("scoring", "n_positives", "splits", "advice"),
    [
        ("f1_macro", 30, STRATIFIED, "Use fewer splits."),
        ("f1_macro", 30, SORTED, "Use fewer splits, stratified ones."),
        ("f1_macro", 50, SORTED, "Use stratified splits."),
        ("f1", 30, SORTED, "Use stratified splits."),
        ("f1", 1, STRATIFIED, "1 positive is too few for any number of folds."),
        ("f1_macro", 30, STRATIFIED[:1], "Use a larger test set."),
        ("r2", 30, SORTED, "Use fewer splits."),
    ],
)
def test_few_examples_are_no_reason_for_what_was_done(
    scoring, n_positives, splits, advice
):
    y = (np.arange(100) < n_positives).astype(int)
    assert f" {advice}" in measure_of(scoring).few_examples(y, splits)


def test_average_precision_needs_more_examples():
    y = np.repeat([0, 1], [30, 14])
    message = measure_of("average_precision").few_examples(y, split_of(np.arange(44)))
    assert "at least 15 examples of each class" in message
    assert "it is also too high on average" in message


def test_variance_of_the_target_needs_more_examples():
    y = np.arange(59.0)
    for scoring in ("r2", "explained_variance"):
        message = measure_of(scoring).few_examples(y, split_of(np.arange(29)))
        assert "at least 30 examples; the test set of split 0 holds 29" in message
        assert "it is also too low on average" in message
        assert not measure_of(scoring).few_examples(y, split_of(np.arange(30)))
    few = split_of(np.arange(29))
    assert not measure_of("neg_root_mean_squared_error").few_examples(y, few)


def test_few_examples_are_counted_of_what_the_metric_needs():
    y = np.repeat([0, 1], [30, 9])
    splits = split_of(np.arange(39))
    assert "9" in measure_of("f1_macro").few_examples(y, splits)
    assert not measure_of("f1").few_examples(y, splits)
    without_positives = measure_of("f1").few_examples(y, split_of(np.arange(30)))
    assert "at least 1 example of the positive class" in without_positives
    only_zero = make_scorer(metrics.f1_score, average="macro", labels=[0])
    assert not measure_of(only_zero).few_examples(y, splits)
    assert not measure_of("f1_micro").few_examples(y, splits)
    multilabel = np.repeat([[0, 1], [1, 1]], 20, axis=0)
    few = measure_of("roc_auc").few_examples(multilabel, split_of(np.arange(40)))
    assert few.count("holds 0")
    assert not measure_of("f1_macro").few_examples(multilabel, split_of(np.arange(40)))


def test_few_events_are_few_examples():
    y = np.zeros(30, dtype=[("seen", bool), ("time", float)])
    y["seen"][:9] = True
    measure = measure_of(make_scorer(concordance_index))
    assert "holds 9" in measure.few_examples(y, split_of(np.arange(30)))


def test_undefined_score_of_a_split_is_that_of_all_its_examples():
    scorer = make_scorer(metrics.precision_score, zero_division=np.nan)
    X, y = BINARY
    model = LogisticRegression().fit(X, y)
    model.intercept_ -= 1e6
    measure = measure_of(scorer)
    values = measure.values(measure.respond(model, X, y, {}), model, y, None)
    assert values.shape == y.shape
    assert np.isnan(values).all()


def test_failed_fit_has_the_error_score_for_all_examples():
    np.testing.assert_array_equal(measure_of("f1").failed(2, 0.25), [-0.25, -0.25])


def test_spread_of_pseudo_losses_is_the_standard_error_on_new_samples():
    X, y = datasets.make_classification(4200, n_informative=3, random_state=2)
    model = LogisticRegression().fit(X[:200], y[:200])
    measure, scores, errors = measure_of("roc_auc"), [], []
    X, y = X[200:], y[200:]
    for _, test in KFold(20).split(X):  # samples of 200
        response = measure.respond(model, X[test], y[test], {})
        values = measure.values(response, model, None, None)
        scores.append(response.score)
        errors.append(np.std(values, ddof=1) / np.sqrt(len(test)))
    assert np.mean(errors) == pytest.approx(np.std(scores, ddof=1), rel=0.35)


class TestFewHits:
    """Metrics of a predicted class that hardly any example is predicted to be of."""

    RNG = np.random.default_rng(0)
    RARE = (RNG.random(800) < 0.1).astype(int)
    WEAK = RNG.normal(size=(800, 4)) + 0.3 * RARE[:, np.newaxis]

    def losses(self, y=None, **options):
        y = self.RARE if y is None else y
        cv = BlockKFold(5, n_repeats=2, stratify=True, random_state=0)
        return cross_val_losses(LogisticRegression(), self.WEAK, y, cv=cv, **options)

    @pytest.mark.parametrize(
        "scoring", ["f1", "recall", "balanced_accuracy", "matthews_corrcoef"]
    )
    def test_are_warned_of(self, scoring):
        with pytest.warns(ThresholdWarning, match=rf"hardly any of.*'{scoring}'"):
            self.losses(scoring=scoring)

    def test_are_those_of_the_rarer_class_whatever_it_is_called(self):
        scoring = "balanced_accuracy"
        y = np.where(self.RARE == 1, "a", "b")
        with pytest.warns(ThresholdWarning, match="hardly any"):
            self.losses(y, scoring=scoring)

    @pytest.mark.parametrize("options", [{"scoring": "roc_auc"}, {"loss": "zero_one"}])
    def test_do_not_matter_to_scores_and_rates(self, options):
        self.losses(**options)

    def test_many_are_not_warned_of(self):
        y = (self.WEAK[:, 0] > 1).astype(int)
        self.losses(y, scoring="f1")

    @pytest.mark.parametrize(("n_hits", "is_told"), [(9, True), (10, False)])
    def test_from_how_many_on(self, n_hits, is_told):
        y = np.arange(200) < 60
        predicted = np.arange(200) < n_hits
        folds = np.arange(200) % 5
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            compare_predictions(y, {"a": predicted, "b": y}, splits=folds, scoring="f1")
        told = [w for w in caught if w.category is ThresholdWarning]
        assert bool(told) == is_told
        if is_told:
            assert "only about 9 of the positives" in str(told[0].message)

    def test_are_known_of_stored_fits(self, tmp_path):
        for _ in range(2):
            with pytest.warns(ThresholdWarning):
                self.losses(scoring=["f1", "roc_auc"], memory=tmp_path)


class OwnScore(LogisticRegression):
    def score(self, X, y, sample_weight=None):
        return 100 * super().score(X, y, sample_weight)


@pytest.mark.parametrize(
    ("estimator", "expected"),
    [
        (LogisticRegression(), (0, 1)),
        (make_pipeline(StandardScaler(), LogisticRegression()), (0, 1)),
        (Ridge(), (-math.inf, 1)),
        (OwnScore(), (-math.inf, math.inf)),
        (KMeans(), (-math.inf, math.inf)),
    ],
)
def test_range_of_an_estimators_own_score(estimator, expected):
    assert score_range(check_scoring(estimator)) == expected


@pytest.mark.parametrize(
    ("scoring", "expected"),
    [
        ("top_k_accuracy", (0, 1)),
        ("neg_max_error", (-math.inf, 0)),
        (make_scorer(metrics.median_absolute_error), (0, math.inf)),
        ("d2_absolute_error_score", (-math.inf, 1)),
        (make_scorer(metrics.accuracy_score, normalize=False), (-math.inf, math.inf)),
        (make_scorer(own), (-math.inf, math.inf)),
        ("no such scorer", (-math.inf, math.inf)),
    ],
)
def test_range_of_what_is_no_function_of_sums(scoring, expected):
    assert score_range(scoring) == expected


@pytest.mark.parametrize(
    ("scoring", "highest"), [("top_k_accuracy", 1), ("neg_max_error", 0)]
)
def test_intervals_of_single_values_stay_within_the_range(scoring, highest):
    # the interval of the first, 0.965, ended at 1.025
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = np.exp(X[:, 0] + 0.3 * rng.normal(size=200))
    model, target = Ridge(), y
    if scoring == "top_k_accuracy":
        model, target = LogisticRegression(), np.digitize(y, [0.8, 1.2])
    found = cross_val_interval(model, X, target, scoring=scoring, cv=5)
    low, high = found.interval_
    assert low < found.estimate_ < high < highest


# The ρ of a metric ----------------------------------------------------------------


def target_of(share, n=200):
    """Return a target of two classes, and two predictions of it."""
    rng = np.random.default_rng(0)
    y = (np.arange(n) < share * n).astype(int)[rng.permutation(n)]
    good, bad = (np.where(rng.random(n) < p, 1 - y, y) for p in (0.1, 0.3))
    return y, {"good": good, "bad": bad}


ONE_MACRO = make_scorer(metrics.f1_score, average="macro", labels=[1])
F2 = make_scorer(metrics.fbeta_score, beta=2)


@pytest.mark.parametrize(
    ("scoring", "share", "rho"),
    [
        *((name, 0.5, 0.6) for name in ("f1", "recall", "precision", "jaccard", F2)),
        (ONE_MACRO, 0.5, 0.6),
        *((name, 0.5, 1 / 3) for name in ("f1_macro", "balanced_accuracy")),
        *((name, 0.3, 0.5) for name in ("f1_macro", "balanced_accuracy")),
        ("matthews_corrcoef", 0.5, 1 / 3),
        ("matthews_corrcoef", 0.3, 0.5),
        ("recall_weighted", 0.3, 1 / 3),
        *((name, 0.3, 1 / 3) for name in ("accuracy", "f1_micro", "f1_weighted")),
    ],
)
def test_one_rho_of_a_metric_in_tests_and_intervals(scoring, share, rho):
    y, predictions = target_of(share)
    folds = np.arange(200) % 5
    options = {"splits": folds, "scoring": scoring}
    result = compare_predictions(y, predictions, **options)
    (test,) = result.tests.values()
    assert test.rho == pytest.approx(rho)
    assert result.winner_interval().test.rho == test.rho
    (losses,) = interval_of_predictions(y, predictions, **options).intervals.values()
    assert losses.test.rho == test.rho
    (named,) = result.retest(KFoldZTest(rho=0.1)).tests.values()
    assert named.rho == 0.1


@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.ThresholdWarning")
@pytest.mark.parametrize("scoring", ["f1", "recall", "precision", "jaccard"])
def test_metrics_of_one_class_have_values_of_examples_with_few_positives(scoring):
    y, predictions = target_of(0.1)
    folds = np.empty(200, dtype=int)
    for label in (0, 1):  # four positives in each fold
        folds[y == label] = np.arange(np.count_nonzero(y == label)) % 5
    result = compare_predictions(y, predictions, splits=folds, scoring=scoring)
    assert result.losses.per_example
    with pytest.warns(FewExamplesWarning, match="at least 10 examples of each class"):
        result = compare_predictions(
            y, predictions, splits=folds, scoring="balanced_accuracy"
        )
    assert not result.losses.per_example
