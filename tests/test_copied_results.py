"""What was read of a result changes nothing about its copies: pickled, saved, deep."""

import contextlib
import copy
import pickle

import joblib
import numpy as np
import pytest
from interfaces import quiet
from sklearn.linear_model import Lasso, LinearRegression, Ridge
from sklearn.model_selection import GridSearchCV

import sklearn_cvtest as cvtest
from sklearn_cvtest import BlockKFold, compare_estimators, results

plt = pytest.importorskip("matplotlib.pyplot")

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 3))
Y = X[:, 0] + RNG.normal(size=120)
LABELS = (Y > 0).astype(int)
MODELS = {"ols": LinearRegression(), "ridge": Ridge(50.0), "lasso": Lasso(0.3)}
FOLDS = BlockKFold(5, n_repeats=2, random_state=0)
SETS = {name: (X[start::3], Y[start::3]) for start, name in enumerate("abc")}


def made_results():
    """Return an object of each public class of results, {name: object}."""
    several = compare_estimators(MODELS, X, Y, cv=FOLDS, loss="squared_error")
    two = compare_estimators(dict([*MODELS.items()][:2]), X, Y, cv=FOLDS)
    metrics = ["r2", "neg_mean_absolute_error"]
    scores = {name: RNG.normal(size=(4, 60)) for name in MODELS}
    runs = cvtest.compare_scores(scores)
    sets = cvtest.compare_over_datasets(SETS, MODELS, cv=5)
    search = GridSearchCV(Ridge(), {"alpha": [1.0, 10.0, 99.0]}, cv=FOLDS)
    return {
        "two models": two,
        "several models": several,
        "with a reference": compare_estimators(MODELS, X, Y, cv=5, reference="ols"),
        "several metrics": compare_estimators(MODELS, X, Y, cv=5, scoring=metrics),
        "best set": several.best_set(),
        "plan": two.plan("10%"),
        "gate": two.gate("50%", "ols"),
        "runs": runs,
        "by label": several.by(LABELS),
        "winner": several.winner_interval(),
        "intervals": several.intervals,
        "table": several.table,
        "losses": several.losses,
        "design": several.losses.design,
        "residuals": several.losses.residuals(0, 1),
        "evaluation": two.table.test.evaluate(two.losses.residuals(0, 1)),
        "confidence interval": two.tests["ols", "ridge"].confidence_interval(),
        "models by metric": cvtest.cross_val_interval(MODELS, X, Y, scoring=metrics),
        "one model": cvtest.cross_val_interval(Ridge(), X, Y, cv=5),
        "corrected t test": cvtest.corrected_ttest([0.1, 0.3], [0.2, 0.1], 80, 20),
        "data sets": sets,
        "ranks": sets.ranks(),
        "candidates": cvtest.compare_candidates(search.fit(X, Y)),
    }


READERS = ("report", "to_dict", "to_latex", "to_markdown", "to_json", "_repr_html_")
WAYS = {
    "pickle": lambda value, _: pickle.loads(pickle.dumps(value)),
    "deepcopy": lambda value, _: copy.deepcopy(value),
    "joblib": lambda value, path: joblib.load(joblib.dump(value, path)[0]),
}


def read(value):
    """Read all that there is to read of a result; return what it prints."""
    for name in READERS:
        if hasattr(value, name):
            getattr(value, name)()
    if hasattr(value, "plot"):
        with contextlib.suppress(TypeError):  # pictures of some need a model's name
            value.plot()
        plt.close("all")
    return str(value)


@pytest.fixture(scope="module", name="made")
def made_and_read():
    """Return what there is, read, and what it prints: {name: (object, text)}."""
    with quiet():
        return {name: (value, read(value)) for name, value in made_results().items()}


def test_there_is_one_of_each_public_class(made):
    names = {type(value).__name__ for value, _ in made.values()}
    assert set(results.__all__) - names == {"BaseCVTest"}


@pytest.mark.parametrize("way", WAYS)
def test_results_can_be_copied_after_they_were_read(way, made, tmp_path):
    for name, (value, text) in made.items():
        copied = WAYS[way](value, tmp_path / "copy.joblib")
        assert type(copied) is type(value), name
        assert str(copied) == text, name
