"""
Is logistic regression really better than the random forest?
============================================================

On the breast cancer data, 10-fold cross-validation finds a lower error rate for
logistic regression than for a random forest, 2.1% against 4.0%. Is it a difference
between the learning algorithms, or would another sample reverse it? From these ten
folds we cannot tell: the difference is not significant.
"""

# %%
# Fit both over the same ten folds and test the difference. The folds share most of
# their training data, so their differences are correlated. How strongly is not known.
# The test is conservative as long as ρ is at most 0.7, the largest value that
# Grandvalet and Bengio saw. ρ is the share of the variance of the mean that comes from
# folds moving together. It is not the correlation r of two folds, which would be 0.19:
# with K folds, ρ = K r/(1 + (K-1) r).

from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_cvtest import BlockKFold, KFoldTTest, compare_estimators

X, y = load_breast_cancer(return_X_y=True)
estimators = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "forest": RandomForestClassifier(random_state=0),
}
result = compare_estimators(
    estimators,
    X,
    y,
    cv=BlockKFold(10, random_state=0),
    test=KFoldTTest(rho=0.7),
    n_jobs=-1,
)
print(result)

# %%
# The difference with its interval; this needs matplotlib.

from importlib.util import find_spec

if find_spec("matplotlib"):
    import matplotlib.pyplot as plt

    result.plot()
    plt.show()

# %%
# The two numbers on their own. ``rho_alpha_`` needs no assumption about ρ: it is the
# largest ρ at which the difference would still be significant. Here it is negative: the
# difference would not be significant even if the folds were independent.

print(f"\np-value   {result.pvalue_:.3f}")
print(f"rho_alpha {result.rho_alpha_:.3f}")

# %%
# Another test of the same losses needs no further fit. The usual t test on folds, with
# ρ = 0, rejects true null hypotheses too often.

again = result.retest({"naive": KFoldTTest(rho=0), "rho = 0.7": KFoldTTest(rho=0.7)})
for name, test in again.tests["logistic", "forest"].items():
    print(f"{name:10} p = {test.pvalue_:.3f}")

# %%
# Sentences for a paper:

print()
print(result.report())
