"""
Is the difference between two AUCs real?
========================================

``compare_estimators(models, X, y, scoring="roc_auc")``

On a problem with one positive in eight, nearest neighbours have an AUC of 0.86 and
logistic regression one of 0.81. From 400 examples, this difference is not significant
(p = 0.19). The t test on the AUCs of fifty folds rejects (p < 0.00001), because it
treats the folds as fifty independent experiments.
"""

# %%
# With ``scoring="roc_auc"``, every test example has a value, its influence on the AUC
# of its test set, so the same tests apply to AUC, F1 or R² as to error rates. Nothing
# is pooled over folds, whose scores have different scales. DeLong's test is for two
# fitted models on one test set, and ``compare_predictions`` does that.

import matplotlib.pyplot as plt
import numpy as np
from scipy import stats
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

from sklearn_cvtest import compare_estimators

X, y = make_classification(
    400, n_informative=5, weights=[0.875], class_sep=0.8, random_state=3
)
models = {
    "logistic": LogisticRegression(max_iter=1000),
    "neighbours": KNeighborsClassifier(25),
}
cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=10, random_state=0)
result = compare_estimators(models, X, y, scoring="roc_auc", cv=cv)
folds = result.losses.residuals("logistic", "neighbours").block_means
usual = stats.ttest_1samp(folds, 0)
test = result.tests["logistic", "neighbours"]
intervals = {
    f"usual t test, p = {usual.pvalue:.6f}": usual.confidence_interval(),
    f"{type(test).__name__}, p = {test.pvalue_:.2f}": test.confidence_interval(),
}
figure, ax = plt.subplots(figsize=(6.4, 2.6), layout="constrained")
jitter = np.random.default_rng(0).uniform(-0.12, 0.12, len(folds))
ax.plot(folds, 2 + jitter, ".", color="0.6")
for row, (low, high) in enumerate(intervals.values()):
    ax.plot([low, high], [1 - row, 1 - row], linewidth=4, solid_capstyle="butt")
ax.axvline(0, color="grey", linestyle="--", linewidth=0.8)
ax.set_yticks([2, 1, 0], ["fifty folds", *intervals])
ax.set_xlabel("AUC of neighbours - AUC of logistic")
ax.set_title("the same fifty differences, with two intervals", fontsize=10)
plt.show()
print(result)

# %%
# The losses of scores are minus scores, and a difference is loss(first) - loss(second),
# so that a positive one means that the second has the larger AUC. F1, R² and several
# scores at once are given in the same way, such as ``scoring=["roc_auc", "accuracy"]``.

print(compare_estimators(models, X, y, scoring=["roc_auc", "accuracy"]))
