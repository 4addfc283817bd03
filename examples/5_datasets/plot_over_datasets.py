"""
Is it better on data sets like these?
=====================================

``compare_over_datasets({name: (X, y), ...}, models)``

Over eight data sets, logistic regression has a smaller error than a decision tree, and
the interval of the difference on a typical one excludes zero. On a single data set, the
difference is significant in six of the eight cases.

:func:`~sklearn_cvtest.compare_over_datasets` fits the estimators on every data set,
takes the difference of the corrected test on each, and tests them by Wilcoxon's
signed-rank test.
"""

# %%
# Three data sets that come with scikit-learn, and five synthetic ones.

import matplotlib.pyplot as plt
from sklearn import datasets
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import BlockKFold, compare_over_datasets

X, y = datasets.load_digits(return_X_y=True)
X_diabetes, y_diabetes = datasets.load_diabetes(return_X_y=True)
data = {
    "breast cancer": datasets.load_breast_cancer(return_X_y=True),
    "diabetes": (X_diabetes, y_diabetes > 140),
    "digits": (X[:600], y[:600]),
    "synthetic 0": datasets.make_classification(300, flip_y=0.2, random_state=4),
    "synthetic 4": datasets.make_classification(400, flip_y=0.1, random_state=5),
    "synthetic 1": datasets.make_classification(300, random_state=1),
    "synthetic 2": datasets.make_classification(300, n_informative=5, random_state=2),
    "synthetic 3": datasets.make_moons(300, noise=0.4, random_state=3),
}
models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "tree": DecisionTreeClassifier(random_state=0),
    "bayes": GaussianNB(var_smoothing=0.01),
}
cv = BlockKFold(10, stratify=True, random_state=0)
result = compare_over_datasets(data, models, cv=cv, n_jobs=2)
print(result)

# %%
# The frame has the mean of each pair, and the prediction interval for one more data
# set, which is wider.

result.plot()
plt.show()

frame = result.to_frame().set_index(["first", "second"])
print(frame[["estimate", "ci_low", "ci_high", "pi_low", "pi_high"]].round(3))

# %%
# Mean ranks need no common scale, and forget how large a difference is.

ranks = result.ranks()
for name, rank in zip(ranks.names, ranks.mean_ranks, strict=True):
    print(f"{name:10} {rank:.2f}")
print(f"Friedman's test: p = {ranks.friedman.pvalue:.3f}")
