"""A loss is the same loss by each of its names, whatever it comes from."""

import numpy as np
import pandas as pd
import pytest
from common import if_there
from numpy.testing import assert_allclose
from sklearn import metrics as sk
from sklearn.linear_model import LogisticRegression, PoissonRegressor
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, RepeatedKFold

import sklearn_cvtest
from sklearn_cvtest import compare_estimators, compare_predictions, compare_table
from sklearn_cvtest._losses._metric_names import named_loss
from sklearn_cvtest._losses._named_losses import names_of_losses
from sklearn_cvtest.losses import get_loss, get_loss_names

pytestmark = pytest.mark.filterwarnings(
    "ignore::UserWarning:sklearn_cvtest", "ignore::UserWarning"
)
RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
NOISE = RNG.normal(size=60)
LABELS = (X[:, 0] + NOISE > 0).astype(int)
NUMBERS = np.exp(X[:, 0] + 0.5 * NOISE)
CLASSIFIERS = {"a": LogisticRegression(), "b": LogisticRegression(C=0.01)}
REGRESSORS = {"a": PoissonRegressor(), "b": PoissonRegressor(alpha=20.0)}
CV = RepeatedKFold(n_splits=5, n_repeats=3, random_state=0)
PARAMETER = {"clipped_squared_error": "clipped_squared_error(limit=1.5)"}
NAMES = [PARAMETER.get(name, name) for name in get_loss_names()]


def other_names(name):
    """The names of a loss in tables, in capitals and with what tools add, too."""
    base = name.partition("(")[0]
    others = [other for other, own in names_of_losses().items() if own == base]
    full = get_loss(name).name
    return [full, f"test_{full}", *others, *map(str.upper, others)]


def assert_same_frames(result, expected):
    """Each column is equal, of two comparisons of the same losses."""
    first, second = result.to_frame(), expected.to_frame()
    assert first.columns.tolist() == second.columns.tolist()
    for column in second:
        if pd.api.types.is_float_dtype(second[column]):
            assert_allclose(first[column], second[column], rtol=1e-9, err_msg=column)
        else:
            pd.testing.assert_series_equal(first[column], second[column])
    assert result.losses.value_range == expected.losses.value_range


def data_of(name):
    if get_loss(name).task == "classification":
        return CLASSIFIERS, LABELS
    return REGRESSORS, NUMBERS


@pytest.mark.parametrize("name", NAMES)
def test_a_column_of_losses_gives_what_fits_give(name):
    models, y = data_of(name)
    fitted = compare_estimators(models, X, y, cv=CV, loss=name)
    frame = fitted.losses.to_frame()
    frame["repeat"] = frame["split"] // 5
    keys = ["split", "repeat", "index"]
    long = frame.melt(keys, ["a", "b"], var_name="model", value_name="value")
    for column in other_names(name):
        table = long.rename(columns={"value": column})
        roles = {"fold": "split", "repeat": "repeat", "example": "index"}
        assert_same_frames(compare_table(table, loss=column, **roles), fitted)


@pytest.mark.parametrize("name", NAMES)
def test_losses_in_hand_give_what_predictions_give(name):
    compare_scores = if_there(getattr, sklearn_cvtest, "compare_scores")
    if compare_scores is None:
        pytest.skip("without the extension of scores")
    models, y = data_of(name)
    loss = get_loss(name)
    response = loss.response_method
    outputs = {n: getattr(m.fit(X, y), response)(X) for n, m in models.items()}
    classes = [0, 1] if loss.task == "classification" else None
    losses = {
        n: loss.evaluate(y, output, classes, 2 if classes else None)
        for n, output in outputs.items()
    }
    predicted = compare_predictions(y, outputs, loss=name, response=response)
    for column in other_names(name):
        assert_same_frames(compare_scores(losses, loss=column), predicted)


USUAL = {
    "zero_one": ["zero_one_loss", "error_rate", "classif.ce"],
    "hamming": ["hamming_loss"],
    "log_loss": ["logloss", "Log loss", "cross_entropy", "neg_log_loss"],
    "brier": ["brier_score", "brier_score_loss", "neg_brier_score"],
    "squared_error": ["mse", "MSE", "mean_squared_error", "regr.mse"],
    "absolute_error": ["mae", "mean_absolute_error", "neg_mean_absolute_error"],
    "squared_log_error": ["msle", "mean_squared_log_error"],
    "absolute_percentage_error": ["mape", "mean_absolute_percentage_error"],
    "poisson_deviance": ["mean_poisson_deviance"],
    "gamma_deviance": ["mean_gamma_deviance"],
}


@pytest.mark.parametrize("name", USUAL)
def test_losses_are_known_by_their_usual_names(name):
    for other in USUAL[name]:
        assert named_loss(other) == get_loss(name)


SCORERS = {
    "log_loss": "neg_log_loss",
    "brier": "neg_brier_score",
    "squared_error": "neg_mean_squared_error",
    "absolute_error": "neg_mean_absolute_error",
    "absolute_percentage_error": "neg_mean_absolute_percentage_error",
    "squared_log_error": "neg_mean_squared_log_error",
    "poisson_deviance": "neg_mean_poisson_deviance",
    "gamma_deviance": "neg_mean_gamma_deviance",
}


@pytest.mark.parametrize("name", SCORERS)
def test_minus_a_loss_as_a_score_gives_what_the_loss_gives(name):
    models, y = data_of(name)
    fitted = compare_estimators(models, X, y, cv=CV, loss=name)
    scorer = sk.get_scorer(SCORERS[name])
    for scoring in (SCORERS[name], scorer, {"own": scorer}):
        result = compare_estimators(models, X, y, cv=CV, scoring=scoring)
        result = result["own"] if isinstance(scoring, dict) else result
        assert_same_frames(result, fitted)
        assert str(result).splitlines()[0] == str(fitted).splitlines()[0]


def test_brier_scores_have_the_narrowest_range_that_holds_them():
    cells = {"model": ["a", "a", "b", "b"], "fold": [0, 1, 0, 1]}
    for values, expected in [([0.1, 0.2, 0.3, 1.0], 1), ([0.1, 0.2, 0.3, 1.1], 2)]:
        table = cells | {"brier": values}
        result = compare_table(table, loss="brier", n_train=10, n_test=5)
        assert result.losses.value_range == (0, expected)


# Scorers that are minus an error --------------------------------------------------


def own_cost(y_true, y_pred):
    return np.mean(y_true != y_pred)


MINUS = {
    "Hamming loss": make_scorer(sk.hamming_loss, greater_is_better=False),
    "own cost": make_scorer(own_cost, greater_is_better=False),
    "score": make_scorer(lambda y, p: np.mean(y != p), greater_is_better=False),
}
THREE = CLASSIFIERS | {"c": LogisticRegression(C=0.001)}


@pytest.mark.parametrize("word", MINUS)
def test_minus_an_error_is_shown_as_an_error(word):
    scorer = MINUS[word]
    result = compare_estimators(THREE, X, LABELS, cv=5, scoring=scorer)
    first = str(result).splitlines()[0]
    least = result.losses.mean_losses.min()
    assert f"has the lowest mean {word}, {least:.3f}" in first
    search = GridSearchCV(LogisticRegression(), {"C": [0.001, 0.01, 1.0]}, cv=5)
    search.set_params(scoring=scorer).fit(X, LABELS)
    compare_candidates = if_there(getattr, sklearn_cvtest, "compare_candidates")
    if compare_candidates is not None:
        shown = str(compare_candidates(search))
        assert f"the lowest mean {word}" in shown
        assert "−0." not in shown.splitlines()[0]
