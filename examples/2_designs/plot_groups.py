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

from sklearn_cvtest import (
    KFoldZTest,
    compare_estimators,
    cross_val_losses,
)
from sklearn_cvtest.exceptions import DependentRowsWarning

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
    name: compare_estimators(models, X, y, groups=groups, cv=10)
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
# groups, or ignores them. Features and noise are alike within a group.

groups = np.repeat(np.arange(30), 10)
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


def sample(rng):
    shared = rng.normal(scale=0.7**0.5, size=(30, 3))[groups]
    X0, X1, noise = (shared + rng.normal(scale=0.3**0.5, size=(300, 3))).T
    return np.column_stack([X0, X1]), X0 + X1 + noise


tests = {"ρ = 0": KFoldZTest(rho=0), "ρ = 1/3": KFoldZTest()}
rejected = {"ignored": [], "given": []}
rng_of_samples = np.random.default_rng(1)
for _ in range(100):
    X_sample, y_sample = sample(rng_of_samples)
    for name, given in {"ignored": None, "given": groups}.items():
        losses = cross_val_losses(
            {"first": First(), "second": Second()},
            X_sample,
            y_sample,
            cv=folds,
            groups=given,
            check_threshold=False,
        )
        residuals = losses.residuals("first", "second")
        pvalues = [test.fit(residuals).pvalue_ for test in tests.values()]
        rejected[name].append(np.array(pvalues) < 0.05)
rates = {name: np.mean(found, axis=0) for name, found in rejected.items()}
for name, shares in rates.items():
    print(f"groups {name}: {dict(zip(tests, shares.tolist(), strict=True))}")

fig, ax = plt.subplots(figsize=(6, 2.6), layout="constrained")
for offset, (name, shares) in enumerate(rates.items()):
    at = np.arange(2) + 0.35 * offset
    ax.barh(at, 100 * shares, height=0.33, label=f"groups {name}")
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
