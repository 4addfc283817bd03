"""
What do the differences between my models look like?
====================================================

``compare_estimators(models, X, y).plot()``

Two plots show four classifiers on the breast cancer data, over the same ten folds. With
Nadeau and Bengio's correction, logistic regression is significantly better than the
tree, and no other difference is significant.
"""

# %%
# The differences
# ---------------
# Each row is a model, the best on top: the difference of its error rate from that of
# the best, with an interval that holds for all simultaneously. A filled marker is a
# significant difference. For an error, better is to the left; for a score, to the
# right: the axis says so.

import matplotlib.pyplot as plt
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
