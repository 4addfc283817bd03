"""
Why fit a candidate thirty times that is clearly bad after five?
================================================================

``RacingSearchCV(estimator, grid, cv=10).fit(X, y)``

:class:`~sklearn_cvtest.RacingSearchCV` is used as GridSearchCV. It fits all candidates
on the first splits, drops those that are significantly worse, and fits only the others
on further splits.
"""

# %%
# Thirty support vector classifiers, and ten folds repeated three times:

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from sklearn_cvtest import BlockKFold, RacingSearchCV

X, y = load_breast_cancer(return_X_y=True)
grid = {
    "svc__C": np.logspace(-2, 3, 6).tolist(),
    "svc__gamma": np.logspace(-4, 0, 5).tolist(),
}
search = RacingSearchCV(
    make_pipeline(StandardScaler(), SVC()),
    grid,
    scoring="accuracy",
    cv=BlockKFold(10, n_repeats=3, stratify=True, random_state=0),
)
search.fit(X, y)
print(search.best_params_)
print(f"{search.n_splits_run_.sum()} fits instead of {30 * search.n_splits_}")

# %%
# Each line is the mean accuracy of a candidate so far; it ends with a cross when the
# candidate was dropped.

names = [f"split{number}_test_score" for number in range(search.n_splits_)]
scores = np.column_stack([search.cv_results_[name] for name in names])
fig, ax = plt.subplots(layout="constrained")
for row, n_splits in enumerate(search.n_splits_run_):
    means = np.cumsum(scores[row, :n_splits]) / np.arange(1, n_splits + 1)
    is_left = row in search.best_set_.names
    color, marker = ("C0", "o") if is_left else ("0.7", "x")
    ax.plot(range(1, n_splits + 1), means, color, marker=marker, markevery=[-1])
ax.set(xlabel="splits", ylabel="mean accuracy so far")
plt.show()

# %%
# Candidates are tested after 2, 3, 5, 8, 10, 20 and 30 splits; two splits have a
# hundred test examples. A candidate is dropped if its p-value is at most a seventh of
# ``alpha``, so the truly best one is never dropped with probability 1 - ``alpha``. The
# remaining candidates do not differ significantly, and the best mean score is refitted:

print(search.best_set_.to_frame().head(10).round(4).to_string())

# %%
# Candidates that hardly differ are not dropped. A race saves the fits of those that are
# clearly worse; the more splits, the larger their share of the work.
