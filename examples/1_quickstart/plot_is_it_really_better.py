"""
Is logistic regression really better than a random forest?
==========================================================

On the breast cancer data, cross-validation finds a lower error rate for logistic
regression than for a random forest. Is that a difference between the learning
algorithms, or would another sample reverse it? The first sentence that is printed
answers.
"""

# %%
# One call fits both over the same splits, two runs of 5-fold cross-validation, and
# tests the difference. The folds share most of their training data, so that their
# differences move together; the test accounts for that, and the usual t test does not.

from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_cvtest import compare_estimators

X, y = load_breast_cancer(return_X_y=True)
estimators = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "forest": RandomForestClassifier(random_state=0),
}
result = compare_estimators(estimators, X, y, n_jobs=-1)
print(result)

# %%
# The difference with its interval; this needs matplotlib.

from importlib.util import find_spec

if find_spec("matplotlib"):
    import matplotlib.pyplot as plt

    result.plot()
    plt.show()

# %%
# Next: ``result.report()`` is a paragraph for a paper, ``result.to_html("page.html")``
# a page to send, and ``result.retest(test)`` another test of the same losses, without
# a fit.
