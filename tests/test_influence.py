"""Metrics and influences on them, against scikit-learn and resampling."""

from functools import partial

import numpy as np
import pytest
from sklearn import metrics as sk

from sklearn_cvtest._losses import _influence as smooth
from sklearn_cvtest._losses import _rank_metrics as ranks
from sklearn_cvtest._losses._formulas import reweighted_losses
from sklearn_cvtest._losses._metrics import METRICS

MOST_CASES = 1000  # that the suite runs of a test, see conftest.py
OF = {metric.__name__: row.influence for metric, row in METRICS.items()}
AVERAGES = ("macro", "micro", "weighted")


def sample(kind, n_samples, rng):
    """Return a target and a prediction of some skill, with ties."""
    if kind in ("labels", "scores", "probabilities", "one column"):
        y = rng.random(n_samples) < 0.4
        scores = np.round(y + rng.normal(size=n_samples), 1)
        predictions = {
            "labels": (scores > 0.5).astype(int),
            "scores": scores,
            "probabilities": 1 / (1 + np.exp(0.5 - scores)),
            "one column": 1 / (1 + np.exp(0.5 - scores[:, np.newaxis])),
        }
        return y.astype(int), predictions[kind]
    if kind in ("classes", "class probabilities"):
        y = rng.choice(3, size=n_samples, p=[0.5, 0.3, 0.2])
        scores = np.eye(3)[y] + rng.normal(size=(n_samples, 3))
        proba = np.exp(np.round(scores, 1))
        proba /= proba.sum(axis=1, keepdims=True)
        return y, proba.argmax(axis=1) if kind == "classes" else proba
    if kind in ("multilabel", "multilabel scores"):
        y = (rng.random((n_samples, 3)) < [0.5, 0.3, 0.6]).astype(int)
        scores = np.round(y + rng.normal(size=y.shape), 1)
        return y, (scores > 0.5).astype(int) if kind == "multilabel" else scores
    shape = (n_samples, 2) if kind == "outputs" else n_samples
    y = rng.gamma(2, size=shape)
    return np.round(y, 1) + 0.1, np.round(y * rng.gamma(5, 0.2, size=shape), 1) + 0.1


def naive_concordance(y_true, y_pred, sample_weight=None):
    """Return Harrell's C by a loop over all pairs."""
    weight = np.ones(len(y_pred)) if sample_weight is None else sample_weight
    seen, time = np.ones(len(y_pred), dtype=bool), y_true
    if y_true.dtype.names:
        seen, time, y_pred = y_true["seen"], y_true["time"], -y_pred
    right = total = 0.0
    for i in range(len(time)):
        tied = (time[i] == time) & ~seen
        later = seen[i] & ((time[i] < time) | tied)
        order = (y_pred[i] < y_pred) + 0.5 * (y_pred[i] == y_pred)
        total += weight[i] * weight[later].sum()
        right += weight[i] * (weight * order)[later].sum()
    return right / total


def counts(name, ours):
    score = getattr(sk, name)
    return [
        ("labels", score, ours, {}),
        ("labels", score, ours, {"pos_label": 0}),
        ("multilabel", score, ours, {"average": "samples", "zero_division": 0}),
        *(("classes", score, ours, {"average": average}) for average in AVERAGES),
        *(("multilabel", score, ours, {"average": average}) for average in AVERAGES),
        ("classes", score, ours, {"average": "weighted", "labels": [2, 0]}),
    ]


fbeta = partial(sk.fbeta_score, beta=2)
CASES = [
    *counts("f1_score", smooth.fbeta),
    *counts("precision_score", smooth.precision)[:4],
    *counts("recall_score", smooth.recall)[:4],
    *counts("jaccard_score", smooth.jaccard)[:4],
    ("classes", fbeta, partial(smooth.fbeta, beta=2), {"average": "macro"}),
    ("classes", sk.accuracy_score, OF["accuracy_score"], {}),
    ("multilabel", sk.accuracy_score, OF["accuracy_score"], {}),
    ("classes", sk.zero_one_loss, OF["zero_one_loss"], {}),
    ("multilabel", sk.hamming_loss, OF["hamming_loss"], {}),
    ("classes", sk.balanced_accuracy_score, smooth.balanced_accuracy, {}),
    (
        "labels",
        sk.balanced_accuracy_score,
        smooth.balanced_accuracy,
        {"adjusted": True},
    ),
    ("labels", sk.matthews_corrcoef, smooth.matthews_corrcoef, {}),
    ("classes", sk.matthews_corrcoef, smooth.matthews_corrcoef, {}),
    ("classes", sk.cohen_kappa_score, smooth.cohen_kappa, {}),
    ("classes", sk.cohen_kappa_score, smooth.cohen_kappa, {"weights": "quadratic"}),
    ("classes", sk.cohen_kappa_score, smooth.cohen_kappa, {"labels": [0, 2]}),
    ("scores", sk.roc_auc_score, ranks.roc_auc, {}),
    *(
        ("multilabel scores", sk.roc_auc_score, ranks.roc_auc, {"average": average})
        for average in AVERAGES
    ),
    *(
        (
            "class probabilities",
            sk.roc_auc_score,
            ranks.roc_auc,
            {"multi_class": way, "average": average},
        )
        for way in ("ovr", "ovo")
        for average in ("macro", "weighted")
    ),
    ("scores", sk.average_precision_score, ranks.average_precision, {}),
    ("scores", sk.average_precision_score, ranks.average_precision, {"pos_label": 0}),
    *(
        (
            "class probabilities",
            sk.average_precision_score,
            ranks.average_precision,
            {"average": average},
        )
        for average in AVERAGES
    ),
    ("probabilities", sk.log_loss, smooth.log_loss, {}),
    ("one column", sk.log_loss, smooth.log_loss, {}),
    ("class probabilities", sk.log_loss, smooth.log_loss, {}),
    ("probabilities", sk.brier_score_loss, smooth.brier_score_loss, {}),
    ("probabilities", sk.brier_score_loss, smooth.brier_score_loss, {"pos_label": 0}),
    ("numbers", naive_concordance, ranks.concordance, {}),
    ("numbers", sk.r2_score, smooth.r2, {}),
    ("outputs", sk.r2_score, smooth.r2, {"multioutput": "variance_weighted"}),
    ("outputs", sk.r2_score, smooth.r2, {"multioutput": [0.3, 0.7]}),
    ("outputs", sk.explained_variance_score, smooth.explained_variance, {}),
    ("outputs", sk.root_mean_squared_error, OF["root_mean_squared_error"], {}),
    ("numbers", sk.root_mean_squared_log_error, OF["root_mean_squared_log_error"], {}),
    ("outputs", sk.mean_squared_error, OF["mean_squared_error"], {}),
    ("numbers", sk.mean_squared_log_error, OF["mean_squared_log_error"], {}),
    ("numbers", sk.mean_absolute_error, OF["mean_absolute_error"], {}),
    (
        "numbers",
        sk.mean_absolute_percentage_error,
        OF["mean_absolute_percentage_error"],
        {},
    ),
    ("numbers", sk.mean_pinball_loss, OF["mean_pinball_loss"], {"alpha": 0.9}),
    ("numbers", sk.mean_tweedie_deviance, OF["mean_tweedie_deviance"], {"power": 1.5}),
]


def case_id(case):
    kind, score, _, options = case
    score = getattr(score, "func", score)
    return "-".join([kind, score.__name__, *map(str, options.values())])


every_case = pytest.mark.parametrize("case", CASES, ids=case_id)


@every_case
def test_value_is_scikit_learns_and_influences_have_mean_zero(case):
    kind, score, function, options = case
    rng = np.random.default_rng(0)
    for n_samples in (23, 60):
        y_true, y_pred = sample(kind, n_samples, rng)
        for weight in (None, rng.integers(1, 4, n_samples) / 2):
            if weight is not None and options.get("multi_class") == "ovo":
                continue  # scikit-learn takes no weights there
            value, influence = function(y_true, y_pred, sample_weight=weight, **options)
            expected = score(y_true, y_pred, sample_weight=weight, **options)
            assert value == pytest.approx(expected, rel=1e-12, abs=1e-12)
            mean = np.average(influence, weights=weight)
            assert mean == pytest.approx(0, abs=1e-14 * (1 + np.ptp(influence)))


@every_case
def test_influence_is_the_jackknifes_to_order_1_over_n(case):
    kind, score, function, options = case
    n_samples = 400
    y_true, y_pred = sample(kind, n_samples, np.random.default_rng(1))
    value, influence = function(y_true, y_pred, **options)
    left_out = np.arange(0, n_samples, 40)
    for i in left_out:
        rest = np.arange(n_samples) != i
        jackknife = (n_samples - 1) * (
            value - score(y_true[rest], y_pred[rest], **options)
        )
        spread = np.std(influence) + abs(influence[i])
        assert abs(jackknife - influence[i]) < 15 * spread / n_samples


def test_integer_weights_are_repeated_rows():
    rng = np.random.default_rng(2)
    y_true, y_pred = sample("scores", 30, rng)
    repeats = rng.integers(0, 3, 30)
    for function in (ranks.roc_auc, ranks.average_precision):
        value, influence = function(y_true, y_pred, sample_weight=repeats)
        rows = np.repeat(np.arange(30), repeats)
        value_of_rows, influence_of_rows = function(y_true[rows], y_pred[rows])
        assert value == pytest.approx(value_of_rows)
        np.testing.assert_allclose(influence[rows], influence_of_rows, atol=1e-12)


def test_weighed_values_are_as_sums_over_repeated_rows():
    values = np.random.default_rng(6).random(20)
    repeats = np.arange(20) % 3
    mean = np.average(values, weights=repeats)
    weighed = reweighted_losses(values, mean, repeats)
    assert np.mean(weighed) == pytest.approx(mean)
    rows = np.repeat(np.arange(20), repeats)
    sums = np.bincount(rows, values[rows] - mean, 20)
    np.testing.assert_allclose((weighed - mean) / 20, sums / len(rows), atol=1e-15)
    assert reweighted_losses(values, values.mean(), np.ones(20)) is values


def test_concordance_knows_times_that_were_not_seen():
    rng = np.random.default_rng(3)
    y = np.zeros(40, dtype=[("seen", bool), ("time", float)])
    y["seen"], y["time"] = rng.random(40) < 0.6, rng.integers(1, 12, 40)
    risk, weight = rng.integers(0, 9, 40).astype(float), rng.random(40) + 0.5
    value, influence = ranks.concordance(y, risk, sample_weight=weight)
    assert value == pytest.approx(naive_concordance(y, risk, weight))
    assert ranks.concordance_index(y, risk, sample_weight=weight) == value
    step = 1e-6 * (np.arange(40) == 7)
    shares = weight / weight.sum()
    ends = [
        naive_concordance(y, risk, shares * (1 - sign * 1e-6) + sign * step)
        for sign in (1, -1)
    ]
    assert influence[7] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6)


def test_classes_never_predicted_or_absent_are_as_in_scikit_learn():
    y_true = np.array(["a", "b", "a", "b", "c", "a"])
    y_pred = np.array(["a", "a", "a", "b", "b", "a"])  # c never, d neither
    for missing in (0.0, 1.0, np.nan):
        options = {"average": "macro", "zero_division": missing}
        options["labels"] = ["a", "b", "c", "d"]
        value, influence = smooth.precision(y_true, y_pred, **options)
        assert value == pytest.approx(sk.precision_score(y_true, y_pred, **options))
        assert np.isfinite(influence).all()


@pytest.mark.parametrize(
    ("function", "y_true", "y_pred", "expected"),
    [
        (smooth.matthews_corrcoef, [0, 0, 1], [0, 0, 0], 0),
        (smooth.r2, [1.0, 1.0], [1.0, 1.0], 1),
        (smooth.r2, [1.0, 1.0], [1.0, 2.0], 0),
        (OF["root_mean_squared_error"], [1.0, 2.0], [1.0, 2.0], 0),
        (smooth.fbeta, [0, 0], [0, 0], 0),
    ],
)
def test_degenerate_predictions_have_a_value_and_no_influence(
    function, y_true, y_pred, expected
):
    value, influence = function(np.array(y_true), np.array(y_pred))
    assert value == expected
    np.testing.assert_array_equal(influence, 0)


# Check values ------------------------------------------------------------------


def test_auc_over_folds_is_that_of_the_package_cvauc():
    # ci.cvAUC on two folds, by hand: the AUCs are .75 and 2/3; its influence
    # curve has the shares of the classes in all folds, 4/9 and 5/9; σ², the mean over
    # folds of the mean squares, is .3457271, and the standard error √(σ²/9).
    y = [np.array([1, 1, 0, 0]), np.array([1, 0, 0, 0, 1])]
    s = [np.array([0.9, 0.4, 0.5, 0.1]), np.array([0.7, 0.6, 0.2, 0.8, 0.75])]
    values, squares = [], []
    for y_fold, s_fold in zip(y, s, strict=True):
        value, influence = ranks.roc_auc(y_fold, s_fold)
        own = np.where(y_fold == 1, y_fold.mean(), 1 - y_fold.mean())
        pooled = np.where(y_fold == 1, 4 / 9, 5 / 9)
        values.append(value)
        squares.append(np.mean((influence * own / pooled) ** 2))
    assert np.mean(values) == pytest.approx(0.7083333, abs=5e-8)
    assert np.sqrt(np.mean(squares) / 9) == pytest.approx(0.1959951, abs=5e-8)


def delong_variance(y, scores):
    """Return the variance of an AUC: DeLong et al. 1988, eq. 6-8."""
    wins = np.subtract.outer(scores[y == 1], scores[y == 0])
    wins = (wins > 0) + 0.5 * (wins == 0)
    return sum(
        np.var(wins.mean(axis=axis), ddof=1) / wins.shape[1 - axis] for axis in (0, 1)
    )


def test_influence_of_an_auc_is_delongs_but_for_n_minus_1():
    y, scores = sample("scores", 50, np.random.default_rng(4))
    _, influence = ranks.roc_auc(y, scores)
    parts = [np.sum(influence[y == label] ** 2) for label in (0, 1)]
    sizes = np.bincount(y)
    corrected = np.sum(parts * sizes / (sizes - 1)) / 50**2
    assert corrected == pytest.approx(delong_variance(y, scores))


# The standard error against the bootstrap --------------------------------------

N_BOOTSTRAP, N = 10_000, 500


def resample(rng):
    """Yield how often each example is drawn, in chunks of 1000 resamples."""
    for _ in range(N_BOOTSTRAP // 1000):
        yield rng.multinomial(N, np.full(N, 1 / N), size=1000).astype(float)


def auc_of_counts(y, s, drawn):
    order = np.argsort(s, kind="stable")  # scores without ties
    up, down = drawn[:, order] * y[order], drawn[:, order] * (1 - y[order])
    below = np.cumsum(down, axis=1)
    return (up * below).sum(axis=1) / up.sum(axis=1) / down.sum(axis=1)


def ap_of_counts(y, s, drawn):
    order = np.argsort(-s, kind="stable")
    drawn, y = drawn[:, order], y[order]
    hits, seen = np.cumsum(drawn * y, axis=1), np.cumsum(drawn, axis=1)
    precision = hits / np.maximum(seen, 1)
    return (drawn * y * precision).sum(axis=1) / hits[:, -1]


def f1_of_counts(y, p, drawn):
    classes = np.unique(y)
    each = []
    for label in classes:
        both = drawn @ ((y == label) & (p == label))
        each.append(2 * both / (drawn @ (y == label) + drawn @ (p == label)))
    return np.mean(each, axis=0)


def mcc_of_counts(y, p, drawn):
    n = drawn.sum(axis=1)
    a, b, both = drawn @ y / n, drawn @ p / n, drawn @ (y * p) / n
    return (both - a * b) / np.sqrt(a * (1 - a) * b * (1 - b))


def r2_of_counts(y, p, drawn):
    n = drawn.sum(axis=1)
    variance = drawn @ y**2 / n - (drawn @ y / n) ** 2
    return 1 - drawn @ (y - p) ** 2 / n / variance


def rmse_of_counts(y, p, drawn):
    return np.sqrt(drawn @ (y - p) ** 2 / drawn.sum(axis=1))


def concordance_of_counts(y, p, drawn):
    above = np.subtract.outer(y, y) > 0
    right = above * (np.sign(np.subtract.outer(p, p)) + 1) / 2
    top, bottom = ((drawn @ part * drawn).sum(axis=1) for part in (right, above))
    return top / bottom


@pytest.mark.parametrize(
    ("kind", "function", "of_counts"),
    [
        ("scores", ranks.roc_auc, auc_of_counts),
        ("scores", ranks.average_precision, ap_of_counts),
        ("classes", partial(smooth.fbeta, average="macro"), f1_of_counts),
        ("labels", smooth.matthews_corrcoef, mcc_of_counts),
        ("numbers", smooth.r2, r2_of_counts),
        ("numbers", OF["root_mean_squared_error"], rmse_of_counts),
        ("numbers", ranks.concordance, concordance_of_counts),
    ],
)
def test_standard_error_is_the_bootstraps(kind, function, of_counts):
    rng = np.random.default_rng(5)
    y, prediction = sample(kind, N, rng)
    if kind == "scores":
        prediction = prediction + 0.01 * rng.normal(size=N)
    if kind == "numbers":  # light tails, or the bootstrap itself needs more than 500
        y = rng.normal(size=N)
        prediction = y + rng.normal(size=N)
    value, influence = function(y, prediction)
    assert of_counts(y, prediction, np.ones((1, N)))[0] == pytest.approx(value)
    draws = [of_counts(y, prediction, drawn) for drawn in resample(rng)]
    bootstrap = np.std(np.concatenate(draws))
    assert np.std(influence) / np.sqrt(N) == pytest.approx(bootstrap, rel=0.05)


def test_log_loss_of_whole_probabilities_is_sklearns():
    y, proba = [0, 1, 1], np.array([[1, 0], [0, 1], [1, 0]])
    value, _ = smooth.log_loss(y, proba)
    np.testing.assert_allclose(value, sk.log_loss(y, proba.astype(float)))
    single = proba.astype(np.float32)
    value, _ = smooth.log_loss(y, single)
    np.testing.assert_allclose(value, sk.log_loss(y, single))
