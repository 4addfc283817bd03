"""
Are two models as good as each other?
=====================================

``compare_estimators(models, X, y, test=EquivalenceTest(KFoldZTest(), 0.02))``

A difference that is not significant does not show that they are; a test of equivalence
can. On the digits, two ridge classifiers with very different penalties differ by less
than two percentage points. One of them and naive Bayes are neither significantly
different nor equivalent.
"""

# %%
# First decide which difference would not matter: here, 0.02 in error rate. The null
# hypothesis is then that the difference is *at least* that large, and a small p-value
# is evidence that it is smaller.

from sklearn.datasets import load_digits
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    EquivalenceTest,
    KFoldTTest,
    compare_estimators,
)

X, y = load_digits(return_X_y=True)
margin = 0.02
ridge = RidgeClassifier(1.0)
pairs = [
    {"ridge, 1": ridge, "ridge, 1000": RidgeClassifier(1000.0)},
    {"ridge, 1": ridge, "bayes": GaussianNB(var_smoothing=0.01)},
]
for estimators in pairs:
    difference = KFoldTTest("nadeau-bengio")
    folds = BlockKFold(10, random_state=0)
    result = compare_estimators(estimators, X, y, cv=folds, test=difference)
    equivalence = result.retest(EquivalenceTest(difference, margin))
    posterior = result.retest(BayesianCorrelatedTTest(rope=margin))
    first, second = estimators
    bayes = posterior.tests[first, second]
    low, high = result.tests[first, second].confidence_interval(0.90)
    print(f"{first} - {second}: {bayes.estimate_:.4f}, 90% [{low:.4f}, {high:.4f}]")
    print(f"  p of the null hypothesis of no difference     {result.pvalue_:.3f}")
    print(f"  p of the null hypothesis of 0.02 or more      {equivalence.pvalue_:.3f}")
    print(f"  posterior probability of less than 0.02       {bayes.prob_rope_:.3f}")

# %%
# Equivalence at the 5% level means that the 90% interval lies within the margin. The
# Bayesian test asks the same of its posterior, which has the mean, the standard error
# and the degrees of freedom of the corrected t test, so the two can hardly disagree.
# For the second pair:

import matplotlib.pyplot as plt
import numpy as np
from scipy import stats

figure, ax = plt.subplots(figsize=(6.4, 3), layout="constrained")
at = np.linspace(bayes.estimate_ - 0.05, bayes.estimate_ + 0.05, 400)
density = stats.t.pdf(at, bayes.df_, bayes.estimate_, bayes.standard_error_)
ax.plot(at, density, color="#1f4e79")
within = abs(at) < margin
ax.fill_between(at[within], density[within], color="#b8cbe0")
for edge in (-margin, margin):
    ax.axvline(edge, color="grey", linewidth=0.8, linestyle="--")
ax.set(xlabel=f"expected difference, {first} - {second}", yticks=[], ylim=(0, None))
ax.set_title(f"posterior: {bayes.prob_rope_:.0%} within the margin", fontsize=10)
plt.show()
