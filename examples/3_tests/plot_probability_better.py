"""
How probable is it that one model is better?
============================================

``compare_estimators(models, X, y, test=BayesianCorrelatedTTest(rope=0.01))``

The Bayesian correlated t test answers in probabilities. If differences below one point
of error are called equal, logistic regression is better than a tree with probability
0.999. It is better than nearest neighbours with probability 0.68, equal with 0.32, and
worse with 0.002: we do not know which of the first two, but can rule out the third.
"""

# %%
# Say first which difference would not matter, the region of practical equivalence
# (``rope``). The three probabilities of a pair add up to one.

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import BayesianCorrelatedTTest, BlockKFold, compare_estimators

X, y = load_breast_cancer(return_X_y=True)
models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "tree": DecisionTreeClassifier(random_state=0),
}
result = compare_estimators(
    models,
    X,
    y,
    cv=BlockKFold(10, n_repeats=3, random_state=0),
    test=BayesianCorrelatedTTest(rope=0.01),
)
result.plot()
plt.show()
print(result)

# %%
# The probabilities depend on what is called equal. How much?

print("rope    logistic better   equal   neighbours better")
for rope in (0, 0.005, 0.01, 0.02):
    test = result.retest(BayesianCorrelatedTTest(rope=rope))
    test = test.tests["logistic", "neighbours"]
    parts = test.prob_less_, test.prob_rope_, test.prob_greater_
    print("{:5.3f} {:17.2f} {:7.2f} {:19.2f}".format(rope, *parts))

# %%
# With a flat prior, the posterior is the distribution of the corrected t test, so that
# the probabilities are right where its p-values are: they allow for the overlap of the
# training sets by its correlation of 1/K.
