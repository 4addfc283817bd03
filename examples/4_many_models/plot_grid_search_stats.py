"""
Which kernels of a grid search are really worse?
================================================

``compare_candidates(search)``

A grid search over the kernel of a support vector machine ranks four candidates on
noisy half moons. Does the ranking mean anything? Only in part: one candidate is
significantly worse than the best.

The example follows "Statistical comparison of models using grid search" in the
scikit-learn documentation, with the same data, the same candidates and the same
corrected t statistic.
"""

# %%
# The search holds the scores of every split, so nothing is fitted again. The
# differences are tested by Nadeau & Bengio's corrected t over the 100 test sets, and
# the p-values are adjusted for three comparisons.

import matplotlib.pyplot as plt
from sklearn.datasets import make_moons
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.svm import SVC

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    CVResiduals,
    compare_candidates,
)

X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
search = GridSearchCV(
    SVC(random_state=0),
    [
        {"kernel": ["linear"]},
        {"kernel": ["poly"], "degree": [2, 3]},
        {"kernel": ["rbf"]},
    ],
    scoring="roc_auc",
    cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0),
)
search.fit(X, y)

result = compare_candidates(search)
result.plot()
plt.show()
print(result)

# %%
# Only the polynomial of degree 2 is significantly worse than the best. The linear
# kernel and the polynomial of degree 3 do not differ significantly from the radial:

print(result.best_set())

# %%
# The best was chosen by its score. To compare all pairs, without such a choice:

print(compare_candidates(search, reference=None, p_adjust="bonferroni"))

# %%
# What differs from the scikit-learn example? Not the statistic, which is the same to
# the last digits. As the p-value the example uses one tail of ``abs(t)``, whichever
# candidate is ahead: half the two-sided p-value. If one looks at the direction first
# and then tests in it, both tails must count. The example applies Bonferroni's
# correction to these halves.

frame = compare_candidates(search, reference=None, p_adjust="bonferroni").to_frame()
frame["one tail of abs(t)"] = frame["pvalue"] / 2
columns = ["first", "second", "statistic", "one tail of abs(t)"]
print(frame[[*columns, "pvalue", "pvalue_adjusted"]].round(4).to_string(index=False))

# %%
# For posterior probabilities, with differences below 0.01 taken to be negligible, apply
# the Bayesian test to the scores of the two best.

scores = {
    row: [search.cv_results_[f"split{j}_test_score"][row] for j in range(100)]
    for row in (3, 0)
}
differences = [b - a for a, b in zip(scores[3], scores[0], strict=True)]
residuals = CVResiduals.from_array(
    differences, design="repeated k-fold", n_train=90, n_test=10
)
bayes = BayesianCorrelatedTTest(rope=0.01).fit(residuals)
print(f"rbf better than linear   {bayes.prob_less_:.3f}")
print(f"practically equivalent   {bayes.prob_rope_:.3f}")
print(f"linear better than rbf   {bayes.prob_greater_:.3f}")
