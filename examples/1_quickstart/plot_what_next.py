"""
I have a result: what do I do with it?
======================================

``compare_estimators(models, X, y).plot()``

Draw it, write it down, ask it how much more data a decision would need. Nothing is
fitted again: the losses of all test examples are in the result.
"""

# %%
# Three models on the wine data.

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import compare_estimators

X, y = load_wine(return_X_y=True)
models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "tree": DecisionTreeClassifier(random_state=0),
}
result = compare_estimators(models, X, y)
print(result)

# %%
# A picture. A filled marker is a significant difference.

result.plot()
plt.show()

# %%
# The paragraph for a paper, and the table as LaTeX (or ``to_markdown()``).

print(result.report())
print(result.to_latex())

# %%
# How many examples, or repeats, it takes to detect a difference of three points.

print(result.plan(0.03))
