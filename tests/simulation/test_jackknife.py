import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import LeaveOneOut, ShuffleSplit
from sklearn.naive_bayes import GaussianNB

from sklearn_cvtest import BlockKFold, KFoldTTest
from sklearn_cvtest.simulation import loss_jackknife_residuals, variance_estimates

X, Y = load_diabetes(return_X_y=True)
X, Y = X[:61], Y[:61]
CV = BlockKFold(5, random_state=0)


def naive_residuals(estimator, cv):
    """Return K L(A(D), z_i) - Σ_{l≠k} L(A(D_l), z_i), example by example."""
    splits = list(cv.split(X))
    full = (estimator.fit(X, Y).predict(X) - Y) ** 2
    losses = [
        (estimator.fit(X[train], Y[train]).predict(X) - Y) ** 2 for train, _ in splits
    ]
    residuals = np.empty(len(Y))
    for k, (_, test) in enumerate(splits):
        for i in test:
            others = sum(losses[j][i] for j in range(len(splits)) if j != k)
            residuals[i] = len(splits) * full[i] - others
    return residuals


@pytest.mark.parametrize("cv", [CV, LeaveOneOut()], ids=["5-fold", "leave-one-out"])
def test_jackknife_residuals_are_a_naive_loop(cv):
    losses = loss_jackknife_residuals(Ridge(0.1), X, Y, cv=cv)
    expected = naive_residuals(Ridge(0.1), cv)
    assert_allclose(losses.values[:, 0], expected[losses.row_index], rtol=1e-9)
    tests = [test for _, test in cv.split(X)]
    np.testing.assert_array_equal(losses.row_index, np.concatenate(tests))


# [BG03] section 2.2: JK = R - (K-1)(mean over folds of training errors - R), R = R(D),
# in its form for blocks of equal size.
def test_mean_is_the_jackknife_estimate():
    n = 60
    model, cv = LinearRegression(), BlockKFold(5, random_state=0)
    risk = np.mean((model.fit(X[:n], Y[:n]).predict(X[:n]) - Y[:n]) ** 2)
    training_risks = []
    for train, _ in cv.split(X[:n]):
        model.fit(X[train], Y[train])
        training_risks.append(np.mean((model.predict(X[train]) - Y[train]) ** 2))
    losses = loss_jackknife_residuals(LinearRegression(), X[:n], Y[:n], cv=cv)
    expected = risk - 4 * (np.mean(training_risks) - risk)
    assert_allclose(losses.values.mean(), expected)
    assert expected > risk  # the training error is too small


def test_result_is_a_k_fold_that_tests_accept():
    iris = load_iris(return_X_y=True)
    models = {"bayes": GaussianNB(), "logistic": LogisticRegression(max_iter=1000)}
    losses = loss_jackknife_residuals(models, *iris, loss="brier")
    assert str(losses.design) == "10-fold cross-validation"
    assert losses.n_train.tolist() == [135] * 10
    residuals = losses.residuals("bayes", "logistic")
    assert 0 <= KFoldTTest().fit(residuals).pvalue_ <= 1
    assert variance_estimates(residuals).theta5 > 0


def test_jackknife_needs_a_k_fold():
    with pytest.raises(ValueError, match="`cv` must be a K-fold; got"):
        loss_jackknife_residuals(Ridge(), X, Y, cv=ShuffleSplit(3, random_state=0))
