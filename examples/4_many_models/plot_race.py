"""
Why fit a candidate thirty times that is clearly bad after five?
================================================================

:class:`~sklearn_cvtest.RacingSearchCV` is used as GridSearchCV. It fits all candidates
on the first splits; then those leave that are worse than another one, and only the rest
is fitted on.
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
# Each line is the mean accuracy of a candidate so far; it ends with a cross where the
# candidate left.

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
# The first look is after two splits, which have a hundred test examples; the others are
# after 3, 5, 8, 10, 20 and 30. At each of them a candidate leaves if its p-value is at
# most a seventh of ``alpha``, so that the truly best one stays to the end with
# probability 1 - ``alpha``, however often one looks. Those left at the end do not
# differ significantly, and the mean score decides which of them is refitted:

print(search.best_set_.to_frame().head(10).round(4).to_string())

# %%
# Candidates that hardly differ do not leave: a race saves the fits of those that are
# clearly worse, and the more splits there are, the larger their share of the work.
