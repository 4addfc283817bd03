"""Draw the picture of the first page, docs/_static/overlap-light.svg and -dark.svg.

Run: python docs/overlap_picture.py

One difference, over the same hundred folds, with the interval of the usual t test and
with the interval of a test that accounts for the overlap of the training sets.
"""

from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_cvtest import (
    BlockKFold,
    CVResiduals,
    ResampledTTest,
    compare_estimators,
)

FOLDER = Path(__file__).parent / "_static"
COLOURS = {  # text, faint, the usual test, the corrected one
    "light": ("#222832", "#8a929e", "#b3400f", "#0b5ca8"),
    "dark": ("#ced6dd", "#7e8894", "#f0955c", "#6cb2f5"),
}


def measure():
    """Return an interval in points of error and a p-value for each test."""
    X, y = load_breast_cancer(return_X_y=True)
    models = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    }
    folds = BlockKFold(10, n_repeats=10, random_state=0)
    result = compare_estimators(models, X, y, cv=folds)
    corrected = result.tests["logistic", "neighbours"]
    residuals = result.losses.residuals("logistic", "neighbours")
    as_if_independent = CVResiduals.from_array(
        residuals.block_means, design="subsample", n_train=512, n_test=57
    )
    usual = ResampledTTest().fit(as_if_independent)
    return [
        ("the usual t test: folds as if independent", usual),
        ("a test that counts their overlap", corrected),
    ]


def draw(tests, path, text, faint, *colours):
    figure, ax = plt.subplots(figsize=(6.4, 3.1), layout="constrained")
    for row, ((label, test), colour) in enumerate(zip(tests, colours, strict=True)):
        low, high = (100 * bound for bound in test.confidence_interval())
        at = -row
        ax.plot([0, 0], [at - 0.25, at + 0.2], "--", color=faint, linewidth=1.2)
        ax.plot(
            [low, high], [at, at], color=colour, linewidth=5, solid_capstyle="round"
        )
        ax.plot(100 * test.estimate_, at, "o", color=colour, markersize=11)
        p = f"p = {test.pvalue_:.2f}" if test.pvalue_ > 0.001 else "p < 0.000001"
        assert test.pvalue_ > 0.001 or test.pvalue_ < 1e-6
        ax.text(-3.2, at + 0.3, label, color=text, fontsize=13)
        ax.text(1.1, at, p, color=colour, fontsize=14, va="center", weight="bold")
    ax.set(xlim=(-3.25, 2.9), ylim=(-1.45, 0.75), yticks=[])
    ax.set_xlabel(
        "error of logistic regression − error of neighbours (points)",
        color=text,
        fontsize=12,
    )
    ax.tick_params(axis="x", colors=text, labelsize=12)
    for side in ("left", "right", "top"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(faint)
    figure.savefig(path, metadata={"Date": None}, transparent=True)
    plt.close(figure)


if __name__ == "__main__":
    # The same bytes at every run, so that a commit shows whether the picture changed.
    plt.rcParams["svg.hashsalt"] = "sklearn_cvtest"
    found = measure()
    for label, test in found:
        print(label, test.estimate_, test.confidence_interval(), test.pvalue_)
    for theme, colours in COLOURS.items():
        draw(found, FOLDER / f"overlap-{theme}.svg", *colours)
