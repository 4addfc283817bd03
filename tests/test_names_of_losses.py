"""A loss is the same loss by each of its names, whatever it comes from."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics as sk
from sklearn.linear_model import LogisticRegression, PoissonRegressor
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, RepeatedKFold

from sklearn_cvtest import (
    compare_candidates,
    compare_estimators,
    compare_predictions,
    compare_scores,
    compare_table,
    cross_val_losses,
)

pytestmark = pytest.mark.filterwarnings(
    "ignore::UserWarning:sklearn_cvtest", "ignore::UserWarning"
)
MOST_CASES = 4  # that the suite runs of a test, see conftest.py
RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
NOISE = RNG.normal(size=60)
LABELS = (X[:, 0] + NOISE > 0).astype(int)
NUMBERS = np.exp(X[:, 0] + 0.5 * NOISE)
CLASSIFIERS = {"a": LogisticRegression(), "b": LogisticRegression(C=0.01)}
REGRESSORS = {"a": PoissonRegressor(), "b": PoissonRegressor(alpha=20.0)}
CV = RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)
OF_CLASSES = {
    "zero_one": ["zero_one_loss", "error_rate", "Error rate", "mmce"],
    "log_loss": ["logloss", "Log loss", "cross_entropy", "neg_log_loss"],
    "brier": ["brier_score", "brier_score_loss", "neg_brier_score"],
}
OF_NUMBERS = {
    "squared_error": ["mse", "MSE", "mean_squared_error", "neg_mean_squared_error"],
    "absolute_error": ["mae", "mean_absolute_error", "neg_mean_absolute_error"],
    "squared_log_error": ["msle", "mean_squared_log_error"],
    "absolute_percentage_error": ["mape", "mean_absolute_percentage_error"],
    "pinball": ["mean_pinball_loss", "Quantile loss"],
    "pinball(alpha=0.9)": ["pinball(0.9)"],
    "poisson_deviance": ["mean_poisson_deviance"],
    "gamma_deviance": ["mean_gamma_deviance"],
}
NAMES = OF_CLASSES | OF_NUMBERS
SCORES = {
    "accuracy": ["acc", "accuracy_score"],
    "balanced_accuracy": ["bacc", "bal_acc", "balanced_accuracy_score"],
    "f1_macro": ["macro_f1", "f1_score_macro", "F1-macro"],
    "roc_auc": ["auc", "AUROC", "roc_auc_score"],
    "matthews_corrcoef": ["mcc"],
    "average_precision": ["auprc", "pr_auc"],
}


def data_of(name):
    return (CLASSIFIERS, LABELS) if name in OF_CLASSES else (REGRESSORS, NUMBERS)


def assert_same_frames(result, expected):
    """Each column is equal, of two comparisons of the same losses."""
    first, second = result.to_frame(), expected.to_frame()
    assert first.columns.tolist() == second.columns.tolist()
    for column in second:
        if pd.api.types.is_float_dtype(second[column]):
            assert_allclose(first[column], second[column], rtol=1e-9, err_msg=column)
        else:
            pd.testing.assert_series_equal(first[column], second[column])
    found, range_ = result.losses.metric, expected.losses.metric.loss_range
    assert found.loss_range == range_


@pytest.mark.parametrize("name", NAMES)
def test_the_names_that_people_type_mean_it(name):
    models, y = data_of(name)
    for typed in (name, *NAMES[name]):
        losses = cross_val_losses(models, X, y, cv=3, loss=typed)
        assert losses.metric.name == name


@pytest.mark.parametrize("name", SCORES)
def test_the_names_of_scores_mean_them_as_loss_and_as_scoring(name):
    y = np.tile(LABELS, 3)
    for typed in (name, *SCORES[name]):
        for options in ({"loss": typed}, {"scoring": typed}):
            losses = cross_val_losses(CLASSIFIERS, np.tile(X, (3, 1)), y, **options)
            assert losses.metric.name == name


@pytest.mark.parametrize("typed", ["rmse", "RMSE", "neg_root_mean_squared_error"])
def test_a_root_is_measured_by_squares_and_read_as_a_root(typed):
    expected = compare_estimators(REGRESSORS, X, NUMBERS, cv=CV, loss="mse")
    found = compare_estimators(REGRESSORS, X, NUMBERS, cv=CV, loss=typed)
    assert_same_frames(found, expected)
    assert "RMSE" in str(found)
    assert str(found) == str(expected)


@pytest.mark.parametrize("name", NAMES)
def test_a_column_of_losses_gives_what_fits_give(name):
    models, y = data_of(name)
    fitted = compare_estimators(models, X, y, cv=CV, loss=name)
    frame = fitted.losses.to_frame()
    frame["repeat"] = frame["split"] // 5
    keys = ["split", "repeat", "index"]
    long = frame.melt(keys, ["a", "b"], var_name="model", value_name="value")
    columns = [name, f"test_{name}"]
    columns += [typed for typed in NAMES[name] if not typed.startswith("neg_")]
    columns += ["classif.ce"] * (name == "zero_one")
    for column in columns:
        table = long.rename(columns={"value": column})
        roles = {"fold": "split", "repeat": "repeat", "example": "index"}
        assert_same_frames(compare_table(table, loss=column, **roles), fitted)


@pytest.mark.parametrize("name", NAMES)
def test_losses_in_hand_give_what_predictions_give(name):
    models, y = data_of(name)
    response = "predict" if name in OF_NUMBERS or name == "zero_one" else None
    response = response or "predict_proba"
    outputs = {n: getattr(m.fit(X, y), response)(X) for n, m in models.items()}
    predicted = compare_predictions(y, outputs, loss=name, response=response)
    losses = dict(zip("ab", predicted.losses.values.T, strict=True))
    assert_same_frames(compare_scores(losses, loss=name), predicted)


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
        assert result.losses.metric.loss_range == (0, expected)


@pytest.mark.parametrize("typed", ["rmse", "RMSE", "rmsle"])
def test_a_root_is_no_value_of_one_example(typed):
    errors = {name: np.abs(RNG.normal(size=40)) for name in "ab"}
    message = "`loss` must be a value of one example; .*'absolute_error'"
    with pytest.raises(ValueError, match=message):
        compare_scores(errors, loss=typed)
    table = {"model": ["a"] * 10 + ["b"] * 10, "fold": [0, 1] * 10}
    table |= {"id": [*range(10)] * 2, typed: np.arange(20.0)}
    with pytest.raises(ValueError, match=message):
        compare_table(table, loss=typed, example="id")
    scores = {"model": ["a"] * 5 + ["b"] * 5, "fold": [*range(5)] * 2}
    result = compare_table(scores | {typed: np.arange(10.0) + 1}, loss=typed)
    assert result.to_frame()["ratio"].notna().all()  # of folds it is one


# Scorers that are minus an error --------------------------------------------------


def own_cost(y_true, y_pred):
    return np.mean(y_true != y_pred)


MINUS = {
    "hamming loss": make_scorer(sk.hamming_loss, greater_is_better=False),
    "own cost": make_scorer(own_cost, greater_is_better=False),
    "score": make_scorer(lambda y, p: np.mean(y != p), greater_is_better=False),
}
THREE = CLASSIFIERS | {"c": LogisticRegression(C=0.001)}


@pytest.mark.parametrize("word", MINUS)
def test_minus_an_error_is_shown_as_an_error(word):
    scorer = MINUS[word]
    result = compare_estimators(THREE, X, LABELS, cv=5, scoring=scorer)
    first = " ".join(str(result).split("\n\n")[0].split())
    least = result.losses.mean_losses.min()
    assert f"has the lowest mean {word}, {least:.3f}" in first
    search = GridSearchCV(LogisticRegression(), {"C": [0.001, 0.01, 1.0]}, cv=5)
    search.set_params(scoring=scorer).fit(X, LABELS)
    shown = " ".join(str(compare_candidates(search)).split())
    assert f"the lowest mean {word}" in shown
    assert "−0." not in shown.partition(".")[0]
