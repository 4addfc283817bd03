"""
Is ten-fold enough, and how much data do I need?
================================================

``compare_estimators(models, X, y).plan(0.02)``

A pilot study on 569 examples shows what can be detected. Two runs of 5-fold have 80%
power to detect a difference of 3.6 points of error, twelve runs one of 3 points. More
runs hardly help, because they use the same examples: infinitely many would detect 2.9
points. A difference of 1 point needs about 7,200 examples.
"""

# %%
# The pilot study, and the difference that has 80% power by number of examples.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import compare_estimators

X, y = load_breast_cancer(return_X_y=True)
models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "tree": DecisionTreeClassifier(random_state=0),
}
pilot = compare_estimators(models, X, y)
differences = np.linspace(0.008, 0.05, 60)
plans = [pilot.plan(difference) for difference in differences]
figure, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
ax.loglog([plan.n_samples for plan in plans], 100 * differences)
ax.plot(len(y), 100 * plans[0].detectable, "o", label="the pilot")
ax.set(xlabel="examples, by two runs of 5-fold", ylabel="difference (points of error)")
ax.set_yticks([1, 2, 3, 5], ["1", "2", "3", "5"])
ax.set_yticks([], minor=True)
ax.set_title("detected with 80% power", fontsize=10)
ax.legend()
plt.show()

for points in (1, 2, 3):
    print(pilot.plan(points / 100))
