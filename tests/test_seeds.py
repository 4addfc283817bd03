"""Several seeds of the estimators on one split."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import BaggingClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    Comparison,
    CrossedTest,
    KFoldTTest,
    compare_estimators,
)

X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[:200, :5], Y[:200]
SPLIT = np.arange(120), np.arange(120, 200)
TREE = DecisionTreeClassifier(max_features=1)
MODELS = {
    "tree": TREE,
    "bag": make_pipeline(StandardScaler(), BaggingClassifier(TREE, n_estimators=3)),
    "bayes": GaussianNB(),
}


def compared(models=MODELS, **options):
    return compare_estimators(models, X, Y, cv=[SPLIT], n_seeds=4, **options)


def errors_of(name, seed):
    """Return the errors of a model fitted by hand."""
    train, test = SPLIT
    model = clone(MODELS[name])
    if name == "tree":
        model.set_params(random_state=seed)
    elif name == "bag":
        bag = model.named_steps["baggingclassifier"]
        bag.set_params(random_state=seed, estimator__random_state=seed)
    return 1.0 * (model.fit(X[train], Y[train]).predict(X[test]) != Y[test])


def test_is_the_crossed_test_of_models_fitted_by_hand():
    result = compared()
    errors = {n: np.array([errors_of(n, seed) for seed in range(4)]) for n in MODELS}
    for first, second in list(result.tests):
        test = CrossedTest().fit(errors[first] - errors[second])
        assert_allclose(result.pvalue_[first, second], test.pvalue_, rtol=1e-10)
    assert np.ptp(result.losses.block_losses[:, 0]) > 0
    assert np.ptp(result.losses.block_losses[:, 2]) == 0
    assert "for new runs on new examples" in " ".join(str(result).split())


def test_losses_are_those_of_runs(tmp_path):
    result = compared(return_estimator=True, groups=np.arange(200) // 4)
    losses = result.losses
    assert_array_equal(losses.n_train, [120] * 4)
    assert_array_equal(losses.row_index, np.tile(SPLIT[1], 4))
    assert losses.fit_time.shape == (4, 3)
    assert losses.n_groups == 20
    seeds = [tree.random_state for tree in losses.estimators["tree"]]
    assert seeds == [0, 1, 2, 3]
    assert len({id(bayes) for bayes in losses.estimators["bayes"]}) == 1
    assert TREE.random_state is None
    result.save(tmp_path / "seeds.npz")
    assert_allclose(
        Comparison.load(tmp_path / "seeds.npz").table.pvalue, result.table.pvalue
    )
    table = result.variance_table()
    assert (table.n_runs, table.n_units, table.unit) == (4, 20, "groups")
    assert compared().variance_table().n_units == 80


def test_scorers_of_each_seed():
    found = compared(scoring=["roc_auc", "f1"])
    train, test = SPLIT
    for seed in range(4):
        tree = clone(TREE).set_params(random_state=seed).fit(X[train], Y[train])
        expected = roc_auc_score(Y[test], tree.predict_proba(X[test])[:, 1])
        assert_allclose(-found["roc_auc"].losses.block_losses[seed, 0], expected)
    assert list(found) == ["roc_auc", "f1"]


class Failing(DecisionTreeClassifier):
    def fit(self, X, y):
        if self.random_state == 2:
            raise ValueError("not this seed")
        return super().fit(X, y)


def test_a_seed_that_fails_is_named():
    models = MODELS | {"failing": Failing()}
    with pytest.warns() as found:
        result = compared(models)
    assert any(issubclass(warning.category, FitFailedWarning) for warning in found)
    assert ("tree", "failing") not in list(result.tests)
    assert "not this seed" in result.losses.errors["failing"]
    assert_array_equal(result.losses.fit_failed[:, 3], [False, False, True, False])


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"cv": 5}, "`n_seeds` must be None with several splits; got 4. Where every"),
        ({"estimators": [GaussianNB(), GaussianNB(priors=[0.5, 0.5])]}, "`n_seeds`"),
        ({"estimators": {"a": TREE}}, "at least two estimators"),
        ({"test": KFoldTTest()}, "Use CrossedTest"),
        ({"per_example": False}, "needs one residual per test example"),
        ({"reference": "tree, seed 0"}, "`reference`"),
    ],
)
def test_bad_input(options, text):
    options = {"estimators": MODELS, "cv": [SPLIT], "n_seeds": 4} | options
    with pytest.raises(ValueError, match=text):
        compare_estimators(X=X, y=Y, **options)
