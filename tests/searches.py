"""What the tests of searches share: results as a search keeps them."""

import numpy as np
from sklearn.datasets import load_iris
from sklearn.experimental import enable_halving_search_cv
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import compare_candidates

EXPERIMENTAL = enable_halving_search_cv  # its import makes halving importable
IRIS = load_iris(return_X_y=True)
TREE = DecisionTreeClassifier(random_state=0)


def results_of(scores, metric="score", **columns):
    """Return what a search keeps of scores (n_candidates, n_splits)."""
    scores = np.asarray(scores, dtype=float)
    kept = {f"split{j}_test_{metric}": column for j, column in enumerate(scores.T)}
    return kept | {"params": [{"C": c} for c in range(len(scores))]} | columns


def compare(scores, cv=None, **options):
    n_splits = np.shape(scores)[1]
    return compare_candidates(
        results_of(scores), cv=n_splits if cv is None else cv, **options
    )


def fitted_search(cv, **options):
    grid = {"max_depth": [1, 2, 3], "min_samples_leaf": [1, 10]}
    return GridSearchCV(TREE, grid, cv=cv, **options).fit(*IRIS)


SCORES = np.random.default_rng(0).normal(size=(6, 10)) / 20
SCORES += np.linspace(0.7, 0.9, 6)[:, np.newaxis]
RESULTS = results_of(SCORES)
LEVELS = np.array([0.9, 0.89, 0.5, 0.7, 0.895])[:, np.newaxis]
CLEAR = LEVELS + np.random.default_rng(1).normal(size=(5, 10)) / 50
