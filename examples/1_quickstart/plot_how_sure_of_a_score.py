"""
How sure am I of this AUC?
==========================

``cross_val_interval(models, X, y, scoring="roc_auc")``

:func:`~sklearn_cvtest.cross_val_interval` gives the interval of a cross-validated
score. On the breast cancer data, naive Bayes has an AUC of 0.988, with a 95% interval
from 0.976 to 0.994, and an accuracy of 93.9%, from 90.9 to 95.9%. The mean of ten folds
± two standard deviations, as it is often reported, is no such interval: here it ends at
1.012.
"""

# %%
# Several models and scores at once; each model is fitted once on each split.

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import cross_val_interval

X, y = load_breast_cancer(return_X_y=True)
models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
}
result = cross_val_interval(models, X, y, scoring=["roc_auc", "accuracy"])
result["roc_auc"].plot()
plt.show()
print(result)

# %%
# What does the interval cover? The expected score of the learning algorithm, trained on
# this many examples of this kind. It allows for the choice of the test examples as well
# as of the training sets. The intervals of two models may overlap although one is
# significantly better: to compare them, test their difference over the same splits,
# with :func:`~sklearn_cvtest.compare_estimators`.

# %%
# The usual recipes, for the AUC of naive Bayes. Two standard deviations describe how
# folds of 57 patients vary, not how sure their mean is. Dividing by the root of ten
# takes the folds for ten independent experiments.

import numpy as np
from sklearn.model_selection import cross_val_score

scores = cross_val_score(GaussianNB(), X, y, cv=10, scoring="roc_auc")
deviation = scores.std(ddof=1)
low, high = result["roc_auc"].interval_[list(models).index("bayes")]
print(f"cross_val_interval          {low:.3f} to {high:.3f}")
for recipe, half in {
    "mean ± 2 sd of folds": 2 * deviation,
    "mean ± 2 sd / root of 10": 2 * deviation / np.sqrt(10),
}.items():
    print(f"{recipe:27} {scores.mean() - half:.3f} to {scores.mean() + half:.3f}")

# %%
# For the sentences of a paper:

print(result.report())
