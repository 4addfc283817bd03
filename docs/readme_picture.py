"""Draw the picture of the README, docs/_static/comparison.svg.

Run: python docs/readme_picture.py
"""

from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import RhoSensitivityDisplay, compare_estimators

PICTURE = Path(__file__).parent / "_static" / "comparison.svg"


def compare():
    X, y = load_breast_cancer(return_X_y=True)
    estimators = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier()),
        "bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=0),
    }
    return compare_estimators(estimators, X, y)


def draw(comparison, path):
    figure, (differences, sensitivity) = plt.subplots(
        1, 2, figsize=(13, 4.6), layout="constrained", width_ratios=(3, 2)
    )
    comparison.plot(ax=differences)
    RhoSensitivityDisplay.from_comparison(comparison, ax=sensitivity)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    # The same bytes at every run, so that a commit shows whether the picture changed.
    plt.rcParams["svg.hashsalt"] = "sklearn_cvtest"
    PICTURE.parent.mkdir(exist_ok=True)
    draw(compare(), PICTURE)
