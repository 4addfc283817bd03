"""
Is logistic regression really better than nearest neighbours?
=============================================================

``compare_estimators(models, X, y)``

On the breast cancer data, cross-validation finds a lower error rate for logistic
regression than for nearest neighbours. Is that a difference between the learning
algorithms, or would another sample reverse it? The first sentence that is printed
answers.
"""

# %%
# One call fits both over the same splits, two runs of 5-fold cross-validation, and
# tests the difference. The folds share most of their training data, so that their
# differences move together; the test accounts for that, and the usual t test does not.

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_cvtest import compare_estimators

X, y = load_breast_cancer(return_X_y=True)
estimators = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier()),
}
result = compare_estimators(estimators, X, y)
print(result)

# %%
# Next: ``result.plot()`` draws the difference with its interval (with matplotlib),
# ``result.report()`` writes a paragraph for a paper, ``result.to_html("page.html")`` a
# page to send: :ref:`sphx_glr_auto_examples_1_quickstart_plot_what_next.py`.

# sphinx_gallery_thumbnail_path = '_static/pages/overlap.svg'
