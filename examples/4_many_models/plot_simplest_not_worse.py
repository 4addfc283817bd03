"""
What is the simplest model that is not worse?
=============================================

``GridSearchCV(model, grid, refit=NotSignificantlyWorse("max_depth")).fit(X, y)``

How many principal components does a classifier of digits need? The most accurate
candidate of a grid search is rarely the simplest that would suffice: here it has 35
components, and the rules below select 15 to 25.

The scikit-learn documentation answers with a ``refit`` callable that selects the
simplest candidate within one standard *deviation* of the best ("Balance model
complexity and cross-validated score"). The rule it intends uses one standard *error*.
"""

# %%
# To find it, pass :class:`~sklearn_cvtest.NotSignificantlyWorse` as ``refit``. It
# rejects every candidate that is significantly worse than the best over the same folds,
# and refits the one with the fewest components among the others. The last 497 images
# are set aside.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import Pipeline

from sklearn_cvtest import (
    NotSignificantlyWorse,
    compare_candidates,
    one_standard_error,
)

digits = load_digits()
X, y = digits.data[:1300], digits.target[:1300]
model = Pipeline(
    [
        ("reduce_dim", PCA(random_state=42)),
        ("classify", LinearDiscriminantAnalysis()),
    ]
)
name = "reduce_dim__n_components"
cv = StratifiedKFold(10, shuffle=True, random_state=0)
search = GridSearchCV(
    model,
    {name: [6, 8, 10, 15, 20, 25, 35, 45, 55]},
    cv=cv,
    refit=NotSignificantlyWorse(name, cv=cv),
)
search.fit(X, y)
print(search.best_params_)

# %%
# The comparison it is based on:

result = compare_candidates(search)
result.plot()
plt.show()
print(str(result).partition("\n\n")[0])

# %%
# Other rules, on the same results. The standard deviation of ten scores is 2.2 times
# the corrected standard error of their mean (the uncorrected standard error, which
# divides by the root of ten, is 0.7 times the corrected one), so the recipe accepts
# simpler candidates than the rule it intends.


def best_low_complexity(results):
    """Return the simplest candidate within one standard deviation of the best."""
    means = results["mean_test_score"]
    best = np.argmax(means)
    least = means[best] - results["std_test_score"][best]
    return int(np.flatnonzero(means >= least)[0])  # the grid is in order


rules = {
    "best mean score": lambda results: int(results["mean_test_score"].argmax()),
    "one standard deviation": best_low_complexity,
    "one corrected standard error": one_standard_error(name, cv=cv),
    "not significantly worse": NotSignificantlyWorse(name, cv=cv),
    "worse by less than 0.02": NotSignificantlyWorse(name, margin=0.02, cv=cv),
}
print(f"{'rule':30}components  accuracy")
for label, rule in rules.items():
    row = rule(search.cv_results_)
    components = search.cv_results_["params"][row][name]
    print(
        f"{label:30}{components:10}  {search.cv_results_['mean_test_score'][row]:.4f}"
    )

# %%
# Which rule should you use? "Not significantly worse" accepts the simplest candidate
# that may be the best: the burden of proof is on the difference, ten folds rarely find
# one, and the 15 components it selects may well be worse. One corrected standard error
# selects among the same candidates, but none that is farther behind. With a margin the
# burden of proof is on the simpler candidate: the probability of selecting one whose
# accuracy is worse by 0.02 or more is at most 5%. If you can say how small a difference
# is negligible, that is the rule to use.
#
# The accuracy on the images that were set aside, for these candidates:

for components in (35, 25, 20, 15):
    model.set_params(**{name: components}).fit(X, y)
    accuracy = model.score(digits.data[1300:], digits.target[1300:])
    print(f"{components} components  {accuracy:.3f}")
