"""
What do the differences between my models look like?
====================================================

``compare_estimators(models, X, y).plot()``

Two plots show four classifiers on the breast cancer data, over the same ten folds. With
Nadeau and Bengio's correction, logistic regression is significantly better than the
tree, and no other difference is significant. Two more plots, of a simulation, show why
the correction is needed.
"""

# %%
# The differences
# ---------------
# Each row is a model, the best on top: the difference of its error rate from that of
# the best, with an interval that holds for all simultaneously. A filled marker is a
# significant difference. For an error, better is to the left; for a score, to the
# right: the axis says so.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    BlockKFold,
    KFoldTTest,
    RhoSensitivityDisplay,
    compare_estimators,
)
from sklearn_cvtest.simulation import LossCovarianceDisplay, RejectionRateDisplay

X, y = load_breast_cancer(return_X_y=True)
estimators = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
}
comparison = compare_estimators(
    estimators,
    X,
    y,
    cv=BlockKFold(10, random_state=0),
    test=KFoldTTest("nadeau-bengio"),
)
print(comparison)
comparison.plot()
plt.show()

# %%
# What follows from each assumption
# ---------------------------------
# ρ, the share of the variance that comes from folds moving together, is not known. The
# curves show the p-value for every value of it, and the markers the largest ρ at which
# a difference is significant: the farther to the right, the weaker the assumption
# needed. These p-values are not adjusted for the number of pairs.

RhoSensitivityDisplay.from_comparison(comparison)
plt.show()

# %%
# Where the variance comes from
# -----------------------------
# With many independent samples, as in a simulation, ρ can be measured. The squared
# errors of least squares on 60 examples have three covariances: of an error with
# itself, with one of the same fold, and with one of another fold. The last is small,
# but there are so many pairs of different folds that it makes up about a quarter of the
# variance of the mean, and it is the part that the usual t test leaves out.

from sklearn.linear_model import LinearRegression

from sklearn_cvtest.simulation import (
    GaussianLinearPopulation,
    rejection_rates,
    replicate_losses,
)

replications = replicate_losses(
    LinearRegression(),
    GaussianLinearPopulation(10),
    n_samples=60,
    cv=BlockKFold(10),
    loss="squared_error",
    n_replications=300,
    random_state=0,
)
residuals = replications.residuals()
LossCovarianceDisplay.from_structure(residuals.structure())
plt.show()

# %%
# How often tests reject
# ----------------------
# The same samples show how often a test rejects a hypothesis about the expected loss.
# At the true mean, the rate should be at most the level; elsewhere, the higher the
# better. The usual t test, with ρ = 0, gains its power by rejecting true hypotheses too
# often.

mean, deviation = residuals.estimates.mean(), residuals.estimates.std()
rates = rejection_rates(
    residuals,
    {
        "usual t test, ρ = 0": KFoldTTest(rho=0),
        "Nadeau and Bengio, ρ = 0.526": KFoldTTest("nadeau-bengio"),
        "ρ = 0.7": KFoldTTest(rho=0.7),
    },
    popmeans=mean + deviation * np.linspace(-4, 4, 17),
)
RejectionRateDisplay.from_rates(rates)
plt.show()
