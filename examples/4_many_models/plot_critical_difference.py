"""
Which algorithm is best over many data sets?
============================================

``compare_over_datasets({name: (X, y), ...}, models).ranks()``

The tests of this package are about *one* data set: would another sample of it reverse
the result? A benchmark over several data sets asks something else: is one algorithm
better on data sets like these? There, the data sets are the independent experiments,
and the usual answer is a Friedman test, Nemenyi's test of all pairs and a critical
difference diagram: ``ranks()`` of a comparison over data sets.

On the five data sets below, logistic regression is significantly better than a single
tree; no other difference is significant.

Do **not** use a row for each fold: these tests assume independent rows, and the folds
of one data set are not independent. With 10-fold cross-validation repeated ten times,
they find a difference between equally good algorithms in some 70% of samples, where 5%
would be right. The second half of this example shows it.
"""

# %%
# The mean losses of five classifiers on five classification problems from data that
# come with scikit-learn (one is the diabetes data, cut at the median of its target).
# Every data set has its own splits, shared by all classifiers.

import numpy as np
import pandas as pd
import scikit_posthocs
from sklearn import datasets
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import BlockKFold, compare_over_datasets, cross_val_losses

classifiers = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "bayes": GaussianNB(var_smoothing=1e-3),
    "tree": DecisionTreeClassifier(random_state=0),
    "forest": RandomForestClassifier(30, random_state=0),
}
problems = {
    name: getattr(datasets, f"load_{name}")(return_X_y=True)
    for name in ("breast_cancer", "diabetes", "digits", "iris", "wine")
}
X, y = problems["diabetes"]
problems["diabetes"] = X, y > np.median(y)

cv = BlockKFold(5, stratify=True, random_state=0)
losses = {
    name: cross_val_losses(classifiers, X, y, cv=cv)
    for name, (X, y) in problems.items()
}
errors = pd.DataFrame(
    {name: one.mean_losses for name, one in losses.items()}, index=list(classifiers)
).T
print(errors.round(3))

# %%
# The Friedman test asks whether the ranks differ at all, Nemenyi's test which pairs
# differ. Algorithms whose lines do not overlap differ significantly.

ranks = compare_over_datasets(losses).ranks()
print(ranks)
ranks.plot()

# %%
# Five data sets are few: with five algorithms, Nemenyi's test detects a difference only
# if two mean ranks differ by 2.7. It also treats these five data sets as a
# sample of all the data sets of interest, which bundled data sets hardly are.

# %%
# Why the folds of one data set cannot be used
# --------------------------------------------
# Take three algorithms that are equally good by construction: least squares on three
# disjoint sets of features that have the same effect on y. A test at the 5% level
# should find a difference in at most 5% of all samples. Below, each of 100 samples of
# 60 examples goes through 10-fold cross-validation, once or ten times, and the folds
# become the rows of the table, as if they were data sets. The same fold means are
# tested by ``CorrectedRepeatedKFoldTTest`` with Bonferroni's adjustment for three
# pairs.

from itertools import combinations

from sklearn_cvtest import CorrectedRepeatedKFoldTTest, CVResiduals, adjust_pvalues


def fold_losses(X, y, n_repeats):
    """Return mean absolute errors, a row for each fold, a column for each algorithm."""
    rows = []
    for seed in range(n_repeats):
        for train, test in BlockKFold(10, random_state=seed).split(X):
            fits = [
                np.linalg.lstsq(X[train, i::3], y[train], rcond=None)[0]
                for i in range(3)
            ]
            errors = [y[test] - X[test, i::3] @ fit for i, fit in enumerate(fits)]
            rows.append(np.abs(errors).mean(axis=1))
    return np.array(rows)


def corrected_pvalues(losses):
    """Return adjusted p-values of all pairs, from fold means alone."""
    sizes = {"design": "repeated k-fold", "n_train": 54, "n_test": 6}
    pvalues = [
        CorrectedRepeatedKFoldTTest()
        .fit(CVResiduals.from_array(losses[:, i] - losses[:, j], **sizes))
        .pvalue_
        for i, j in combinations(range(3), 2)
    ]
    return adjust_pvalues(pvalues, "bonferroni")


random = np.random.default_rng(0)
n_samples = 100
found = pd.DataFrame(0.0, ["Nemenyi over folds", "corrected t test"], [1, 10])
for _ in range(n_samples):
    X = random.normal(size=(60, 9))
    y = X.sum(axis=1) + random.normal(size=60)
    for n_repeats in found.columns:
        rows = fold_losses(X, y, n_repeats)
        over_folds = scikit_posthocs.posthoc_nemenyi_friedman(rows).to_numpy()
        found.loc["Nemenyi over folds", n_repeats] += (over_folds <= 0.05).any()
        found.loc["corrected t test", n_repeats] += (
            corrected_pvalues(rows) <= 0.05
        ).any()

print("Share of samples with a false finding, by repeats of 10-fold:")
print(found / n_samples)

# %%
# With one run, Nemenyi's test over ten folds has so little power that it does little
# harm. But every repeat adds rows without adding data, and with a hundred rows the test
# finds a difference in most samples although there is none. To compare several
# algorithms on one data set, use ``compare_estimators``, which adjusts for the number
# of pairs.
