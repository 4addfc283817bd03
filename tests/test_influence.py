"""Values of examples: their mean is the score, their spread its standard error."""

from functools import partial

import numpy as np
import pytest
from sklearn import metrics as sk
from sklearn.metrics import make_scorer

from sklearn_cvtest import interval_of_predictions
from sklearn_cvtest.losses import concordance_index

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
MOST_CASES = 1000  # that the suite runs of a test, see conftest.py
AVERAGES = ("macro", "micro", "weighted")
RESPONSE = {"scores": "decision_function", "probabilities": "predict_proba"}
RESPONSE["class probabilities"] = "predict_proba"


def sample(kind, n_samples, rng):
    """Return a target and a prediction of some skill, with ties."""
    if kind in ("labels", "scores", "probabilities"):
        y = rng.random(n_samples) < 0.4
        scores = np.round(y + rng.normal(size=n_samples), 1)
        predictions = {
            "labels": (scores > 0.5).astype(int),
            "scores": scores,
            "probabilities": 1 / (1 + np.exp(0.5 - scores)),
        }
        return y.astype(int), predictions[kind]
    if kind in ("classes", "class probabilities"):
        y = rng.choice(3, size=n_samples, p=[0.5, 0.3, 0.2])
        scores = np.eye(3)[y] + rng.normal(size=(n_samples, 3))
        proba = np.exp(np.round(scores, 1))
        proba /= proba.sum(axis=1, keepdims=True)
        return y, proba.argmax(axis=1) if kind == "classes" else proba
    y = rng.gamma(2, size=n_samples)
    return np.round(y, 1) + 0.1, np.round(y * rng.gamma(5, 0.2, n_samples), 1) + 0.1


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


COUNTS = (sk.f1_score, sk.precision_score, sk.recall_score, sk.jaccard_score)
LOSSES = {
    "probabilities": [sk.log_loss, sk.brier_score_loss],
    "class probabilities": [sk.log_loss],
    "labels": [sk.zero_one_loss],
    "numbers": [
        sk.mean_squared_error,
        sk.mean_squared_log_error,
        sk.mean_absolute_error,
        sk.mean_absolute_percentage_error,
        partial(sk.mean_pinball_loss, alpha=0.9),
        sk.mean_poisson_deviance,
        sk.mean_gamma_deviance,
    ],
}
CASES = [
    *(("labels", score, {}) for score in COUNTS),
    *(("labels", score, {"pos_label": 0}) for score in COUNTS[:2]),
    *(("classes", score, {"average": a}) for score in COUNTS for a in AVERAGES),
    ("labels", sk.fbeta_score, {"beta": 2}),
    ("labels", sk.matthews_corrcoef, {}),
    ("classes", sk.matthews_corrcoef, {}),
    ("classes", sk.accuracy_score, {}),
    ("classes", sk.balanced_accuracy_score, {}),
    ("scores", sk.roc_auc_score, {}),
    ("scores", sk.average_precision_score, {}),
    *(
        ("class probabilities", sk.roc_auc_score, {"multi_class": way})
        for way in ("ovr", "ovo")
    ),
    ("numbers", sk.r2_score, {}),
    ("numbers", concordance_index, {}),
    *((kind, loss, None) for kind, losses in LOSSES.items() for loss in losses),
]


def case_id(case):
    kind, score, options = case
    name = getattr(score, "func", score).__name__
    return "-".join([kind, name, *map(str, (options or {}).values())])


every_case = pytest.mark.parametrize("case", CASES, ids=case_id)


def measured(case, y, prediction, weight=None):
    """Return the values of examples, and how scikit-learn scores, with the sign."""
    kind, score, options = case
    sign = -1 if options is None else 1
    options = dict(options or {})
    if isinstance(score, partial):
        options |= score.keywords
        score = score.func
    response = RESPONSE.get(kind, "predict")
    made = {"greater_is_better": sign > 0, "response_method": response}
    losses = interval_of_predictions(
        y,
        prediction,
        scoring=make_scorer(score, **options, **made),
        response=response,
        sample_weight=weight,
    ).losses
    assert losses.per_example
    scorer = naive_concordance if score is concordance_index else score

    def scored(y, prediction, **weights):
        return sign * scorer(y, prediction, **options, **weights)

    return -losses.values[:, 0], scored


@every_case
def test_mean_is_scikit_learns_score(case):
    rng = np.random.default_rng(0)
    for n_samples in (100, 130):
        y, prediction = sample(case[0], n_samples, rng)
        values, scored = measured(case, y, prediction)
        assert values.mean() == pytest.approx(scored(y, prediction), rel=1e-10)
        weight = rng.integers(1, 4, n_samples) / 2
        if "ovo" in (case[2] or {}).values():
            continue  # scikit-learn takes no weights there
        values, scored = measured(case, y, prediction, weight)
        expected = scored(y, prediction, sample_weight=weight)
        assert values.mean() == pytest.approx(expected, rel=1e-10)


@every_case
def test_influence_is_the_jackknifes_to_order_1_over_n(case):
    n_samples = 400
    y, prediction = sample(case[0], n_samples, np.random.default_rng(1))
    values, scored = measured(case, y, prediction)
    mean = values.mean()
    for i in range(0, n_samples, 40):
        rest = np.arange(n_samples) != i
        jackknife = (n_samples - 1) * (mean - scored(y[rest], prediction[rest]))
        spread = np.std(values) + abs(values[i] - mean)
        assert abs(jackknife - (values[i] - mean)) < 15 * spread / n_samples


@pytest.mark.parametrize(
    "case",  # scikit-learn takes no weights with "ovo"
    [case for case in CASES if "ovo" not in (case[2] or {}).values()],
    ids=case_id,
)
def test_influence_is_the_derivative_by_the_weight_of_an_example(case):
    """As mass moves to an example; of a weighted score, times w/w̄."""
    rng = np.random.default_rng(2)
    y, prediction = sample(case[0], 120, rng)
    weight = rng.random(120) + 0.5
    values, scored = measured(case, y, prediction, weight)
    shares = weight / weight.sum()
    for i in (7, 50, 99):
        step = 1e-5 * (np.arange(120) == i)
        ends = [
            scored(y, prediction, sample_weight=shares * (1 - s * 1e-5) + s * step)
            for s in (1, -1)
        ]
        derivative = (ends[0] - ends[1]) / 2e-5
        influence = (values[i] - values.mean()) * weight.mean() / weight[i]
        assert influence == pytest.approx(derivative, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("kind", ["scores", "labels"])
def test_integer_weights_are_repeated_rows(kind):
    rng = np.random.default_rng(2)
    y, prediction = sample(kind, 100, rng)
    repeats = rng.integers(1, 3, 100)
    case = next(case for case in CASES if case[0] == kind)
    values, _ = measured(case, y, prediction, repeats)
    rows = np.repeat(np.arange(100), repeats)
    repeated, _ = measured(case, y[rows], prediction[rows])
    assert values.mean() == pytest.approx(repeated.mean())
    influence = (values - values.mean()) * repeats.mean() / repeats
    np.testing.assert_allclose(influence[rows], repeated - values.mean(), atol=1e-12)


def test_concordance_knows_times_that_were_not_seen():
    rng = np.random.default_rng(3)
    y = np.zeros(40, dtype=[("seen", bool), ("time", float)])
    y["seen"], y["time"] = rng.random(40) < 0.6, rng.integers(1, 12, 40)
    risk, weight = rng.integers(0, 9, 40).astype(float), rng.random(40) + 0.5
    value = concordance_index(y, risk, sample_weight=weight)
    assert value == pytest.approx(naive_concordance(y, risk, weight))
    case = ("numbers", concordance_index, {})
    values, _ = measured(case, y, risk, weight)
    assert values.mean() == pytest.approx(value)


@pytest.mark.parametrize(
    ("scoring", "y", "prediction", "expected"),
    [
        ("matthews_corrcoef", np.arange(40) % 2, np.zeros(40, int), 0),
        ("f1", (np.arange(40) == 0).astype(int), np.zeros(40, int), 0),
        ("precision", np.arange(40) % 2, np.zeros(40, int), 0),
        ("r2", np.arange(40.0), np.arange(40.0), 1),
    ],
)
def test_degenerate_predictions_have_a_value_and_no_influence(
    scoring, y, prediction, expected
):
    losses = interval_of_predictions(y, prediction, scoring=scoring).losses
    np.testing.assert_allclose(losses.values, -expected, atol=1e-15)


# Check values ------------------------------------------------------------------


def test_auc_over_folds_is_that_of_the_package_cvauc():
    # ci.cvAUC on two folds, by hand: the AUCs are .75 and 2/3; its influence
    # curve has the shares of the classes in all folds, 4/9 and 5/9; σ², the mean over
    # folds of the mean squares, is .3457271, and the standard error √(σ²/9). Each
    # example ten times here, which changes neither.
    y = [np.array([1, 1, 0, 0]), np.array([1, 0, 0, 0, 1])]
    s = [np.array([0.9, 0.4, 0.5, 0.1]), np.array([0.7, 0.6, 0.2, 0.8, 0.75])]
    values, squares = [], []
    for y_fold, s_fold in zip(y, s, strict=True):
        case = ("scores", sk.roc_auc_score, {})
        found, _ = measured(case, np.repeat(y_fold, 10), np.repeat(s_fold, 10))
        influence = (found - found.mean())[::10]
        own = np.where(y_fold == 1, y_fold.mean(), 1 - y_fold.mean())
        pooled = np.where(y_fold == 1, 4 / 9, 5 / 9)
        values.append(found.mean())
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
    values, _ = measured(("scores", sk.roc_auc_score, {}), y, scores)
    influence = values - values.mean()
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
    each = []
    for label in np.unique(y):
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


def concordance_of_counts(y, p, drawn):
    above = np.subtract.outer(y, y) > 0
    right = above * (np.sign(np.subtract.outer(p, p)) + 1) / 2
    top, bottom = ((drawn @ part * drawn).sum(axis=1) for part in (right, above))
    return top / bottom


@pytest.mark.parametrize(
    ("case", "of_counts"),
    [
        (("scores", sk.roc_auc_score, {}), auc_of_counts),
        (("scores", sk.average_precision_score, {}), ap_of_counts),
        (("classes", sk.f1_score, {"average": "macro"}), f1_of_counts),
        (("labels", sk.matthews_corrcoef, {}), mcc_of_counts),
        (("numbers", sk.r2_score, {}), r2_of_counts),
        (("numbers", concordance_index, {}), concordance_of_counts),
    ],
    ids=lambda value: value[1].__name__ if isinstance(value, tuple) else "",
)
def test_standard_error_is_the_bootstraps(case, of_counts):
    rng = np.random.default_rng(5)
    kind = case[0]
    y, prediction = sample(kind, N, rng)
    if kind == "scores":
        prediction = prediction + 0.01 * rng.normal(size=N)
    if kind == "numbers":  # light tails, or the bootstrap itself needs more than 500
        y = rng.normal(size=N)
        prediction = y + rng.normal(size=N)
    values, _ = measured(case, y, prediction)
    ones = np.ones((1, N))
    assert of_counts(y, prediction, ones)[0] == pytest.approx(values.mean())
    draws = [of_counts(y, prediction, drawn) for drawn in resample(rng)]
    bootstrap = np.std(np.concatenate(draws))
    assert np.std(values) / np.sqrt(N) == pytest.approx(bootstrap, rel=0.05)
