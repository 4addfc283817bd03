"""
What if rows belong together?
=============================

Sixty patients come five times each. Visits of a patient are alike, and they have the
same diagnosis. Splits that ignore this test a model on patients it knows, and tests
that ignore it count 300 visits as 300 independent examples.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier

from sklearn_cvtest import IntegratedRhoTest, KFoldZTest, compare_estimators
from sklearn_cvtest.exceptions import DependentRowsWarning
from sklearn_cvtest.simulation import (
    GroupedPopulation,
    rejection_rates,
    replicate_losses,
)

# %%
# Splits
# ------
# Without groups, the nearest neighbours of a visit are other visits of the same
# patient: they seem to be the better model. They are not, for a patient they have not
# seen. As visits stand together in the data, a warning says that errors of neighbouring
# rows are correlated; it is not shown here.

warnings.simplefilter("ignore", DependentRowsWarning)
rng = np.random.default_rng(0)
patients = np.repeat(np.arange(60), 5)
ill = rng.random(60) < 0.5
X = rng.normal(size=(60, 4))[patients] + rng.normal(scale=0.5, size=(300, 4))
X[:, 0] += 1.2 * ill[patients]
y = ill[patients].astype(int)
models = {"logistic": LogisticRegression(), "neighbours": KNeighborsClassifier(3)}
found = {
    name: compare_estimators(
        models, X, y, groups=groups, cv=10, test=IntegratedRhoTest()
    )
    for name, groups in {"ignored": None, "whole": patients}.items()
}
for name, result in found.items():
    losses = result.losses.mean_losses
    shown = dict(zip(models, losses.round(2).tolist(), strict=True))
    print(f"patients {name}: {shown}")

# %%
# Tests
# -----
# Two equally good models, 100 samples of 30 groups of 10 rows: how often does the test
# find a difference at the 5% level? The splits keep groups whole; the test uses the
# groups, or ignores them.

population = GroupedPopulation(10, icc=0.5)
groups = population.get_groups(300)
folds = [
    (np.flatnonzero(groups % 10 != k), np.flatnonzero(groups % 10 == k))
    for k in range(10)
]


class First(Ridge):
    """Ridge regression on one of two features, of which neither is better."""

    column = slice(0, 1)

    def fit(self, X, y):
        return super().fit(X[:, self.column], y)

    def predict(self, X):
        return super().predict(X[:, self.column])


class Second(First):
    column = slice(1, 2)


rates = {}
for name, given in {"ignored": None, "given": groups}.items():
    replications = replicate_losses(
        [First(), Second()],
        population,
        n_samples=300,
        cv=folds,
        groups=given,
        n_replications=100,
        random_state=0,
    )
    tests = {"KFoldZTest": KFoldZTest(), "IntegratedRhoTest": IntegratedRhoTest()}
    rates[name] = rejection_rates(replications.residuals(0, 1), tests, popmeans=0.0)
    shares = rates[name].rates.ravel().round(3).tolist()
    print(f"groups {name}: {dict(zip(tests, shares, strict=True))}")

fig, ax = plt.subplots(figsize=(6, 2.6), layout="constrained")
for offset, (name, found_rates) in enumerate(rates.items()):
    at = np.arange(2) + 0.35 * offset
    ax.barh(at, 100 * found_rates.rates.ravel(), height=0.33, label=f"groups {name}")
ax.axvline(5, color="0.4", linestyle=":")
ax.set_yticks(np.arange(2) + 0.17, list(tests))
ax.set_xlabel("rejections of a true hypothesis (%)")
ax.legend()

# %%
# Where is it better?
# -------------------
# The same losses by a label of the examples, with intervals that count patients.

ages = np.array(["young", "old"])[(rng.random(60) < 0.5).astype(int)][patients]
by_age = found["whole"].by(ages)
print(by_age)
by_age.plot()
plt.show()
