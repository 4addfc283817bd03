"""
What does repeating cross-validation do to the usual t test?
============================================================

``compare_estimators(models, X, y, cv=RepeatedKFold(n_splits=10))``

It makes the test reject true null hypotheses. Here, 10-fold cross-validation of
two algorithms that are equally good by construction is repeated up to ten times. At the
5% level, a t test that treats the fold means as independent rejects the true null
hypothesis in more samples with every repeat, and with ten repeats in more than half of
them. The corrected test keeps its level.
"""

# %%
# The algorithms are least squares on two disjoint halves of six features that have the
# same effect on y, so neither is better. 1000 samples of 60 examples are
# cross-validated at once, by solving the normal equations of all of them together.

import matplotlib.pyplot as plt
import numpy as np

from sklearn_cvtest import (
    BlockKFold,
    CorrectedResampledTTest,
    CVResiduals,
    ResampledTTest,
)
from sklearn_cvtest.simulation import rejection_rates

n_samples, n_replications, n_folds, repeats = 60, 1000, 10, 10
rng = np.random.default_rng(0)
X = rng.normal(size=(n_replications, n_samples, 6))
y = X.sum(axis=2) + rng.normal(size=(n_replications, n_samples))


def squared_errors(X, y, train, test):
    """Return the squared errors of least squares in every replication."""
    A, b = X[:, train], y[:, train, None]
    transposed = A.swapaxes(1, 2)
    coef = np.linalg.solve(transposed @ A, transposed @ b)
    return (y[:, test] - (X[:, test] @ coef)[..., 0]) ** 2


residuals = [
    squared_errors(X[..., :3], y, train, test)
    - squared_errors(X[..., 3:], y, train, test)
    for seed in range(repeats)
    for train, test in BlockKFold(n_folds, random_state=seed).split(y[0])
]
block_means = np.stack([one.mean(axis=1) for one in residuals], axis=1)

# %%
# Rejections of the true hypothesis that the difference is 0, from the first r repeats:

tests = {"usual t test": ResampledTTest(), "corrected": CorrectedResampledTTest()}
rates = []
for r in range(1, repeats + 1):
    n_splits = r * n_folds
    samples = [
        CVResiduals.from_array(
            means[:n_splits],
            design="subsample",  # what both tests take them for
            n_train=n_samples - n_samples // n_folds,
            n_test=n_samples // n_folds,
        )
        for means in block_means
    ]
    rates.append(rejection_rates(samples, tests, popmeans=0.0).rates[:, 0, 0])
rates = np.array(rates)

print("repeats   " + "   ".join(tests))
for r, row in enumerate(rates, start=1):
    print(f"{r:7} {row[0]:13.3f} {row[1]:12.3f}")

figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for name, one, colour in zip(tests, rates.T, ["#D55E00", "#0072B2"], strict=True):
    ax.plot(range(1, repeats + 1), one, "o-", color=colour, label=name)
ax.axhline(0.05, color="grey", linestyle="--", linewidth=0.8)
ax.set(xlabel="repeats of 10-fold", ylabel="true hypotheses rejected", ylim=(0, None))
ax.legend()
plt.show()

# %%
# More repeats do not help the usual test: its standard error goes to 0 as their number
# grows, but the estimate does not become exact, as it still comes from the same 60
# examples. The correction n2/n1 does not go to 0.
