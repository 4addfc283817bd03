"""The ranges of scores and losses, and what their names alone say."""

import math

import numpy as np

UNIT, POSITIVE, BELOW_ONE = (0.0, 1.0), (0.0, math.inf), (-math.inf, 1.0)
CORRELATION, ENDLESS = (-1.0, 1.0), (-math.inf, math.inf)
# Functions of scikit-learn without values of examples that have a range.
FUNCTIONS = {"max_error": POSITIVE, "median_absolute_error": POSITIVE}
FUNCTIONS |= {"top_k_accuracy_score": UNIT, "label_ranking_loss": UNIT}
FUNCTIONS |= {"label_ranking_average_precision_score": UNIT}

# What scikit-learn calls scores that others call otherwise, or one of the same range.
SCORERS = dict.fromkeys(("acc", "accuracy_score"), "accuracy")
SCORERS |= dict.fromkeys(("auc", "auroc"), "roc_auc")
SCORERS |= dict.fromkeys(("kappa", "mcc"), "matthews_corrcoef")
SCORERS |= {"bacc": "balanced_accuracy", "f1_score": "f1", "iou": "jaccard"}
SCORERS["r2_score"] = "r2"
# Losses that are at most one, and scores that are means over examples.
LOSSES = {"zero_one", "zero_one_loss", "hamming", "hamming_loss", "error_rate"}
LOSSES |= {"ce", "misclassification_rate"}
MEANS = {"accuracy", "neg_brier_score", "top_k_accuracy", "top_k_accuracy_score"}
# How scores begin that count predicted labels, and rest on the labels of a class.
COUNTS = ("f1", "fbeta", "recall", "jaccard", "balanced_accuracy", "matthews")
COUNTS += ("cohen_kappa", "precision", "bacc", "mcc", "kappa")
NOTHING = 0.0, 0.0, 0.0  # what a metric rests on that is not known
AVERAGES = ("_macro", "_micro", "_weighted", "_samples")


def loss_range(name, n_classes=None):
    """Return the smallest and largest mean of a named loss, tuple of two floats."""
    if name in ("zero_one", "hamming") or (name == "brier" and n_classes == 2):
        return UNIT
    if name.startswith("clipped_squared_error"):
        return 0.0, float(name.partition("=")[2].rstrip(")")) ** 2
    return (0.0, 2.0) if name == "brier" else POSITIVE


def standard_name(name):
    """Return the name of a score or loss, without what other tools add to it."""
    name = name.removeprefix("test_").removeprefix("classif.").lower()
    return name.replace(" ", "_").replace("-", "_")


def without_average(name):
    """Return the standard name of a score or loss, whatever it is averaged over."""
    name = standard_name(name)
    for average in AVERAGES:
        name = name.removesuffix(average)
    return name


def counts_labels(name):
    """Return whether a score of that name counts predicted labels, unevenly."""
    return standard_name(name).startswith(COUNTS)


def is_mean(name, is_score):
    """Return whether a score, or loss, of that name is a mean over examples."""
    name = standard_name(name)
    return not is_score or SCORERS.get(name, name) in MEANS


# The loss of a model that says the same of every example ------------------------


SHARES = ("zero_one", "accuracy")
SQUARES = ("squared_error", "neg_mean_squared_error", "neg_root_mean_squared_error")
DISTANCES = ("absolute_error", "neg_mean_absolute_error")


def loss_of_a_constant(name, y, rows):
    """Return the mean loss of the best constant, None where it is not known.

    It is the most frequent class, the mean or the median of the tested examples.

    Parameters
    ----------
    name : str
        The loss, or the score, of which the loss is minus.
    y : array-like of shape (n_samples,)
        The target.
    rows : ndarray of int
        The examples that were tested.
    """
    y = np.asarray(y)
    if name not in (*SHARES, *SQUARES, *DISTANCES) or y.ndim != 1 or not len(rows):
        return None
    y = y[np.bincount(rows, minlength=len(y)) > 0]
    try:
        counts = np.unique(y, return_counts=True)[1] if name in SHARES else None
        y = y if name in SHARES else y.astype(np.float64)
    except (TypeError, ValueError):  # labels of several kinds, or no numbers
        return None
    if counts is not None:
        most = counts.max() / len(y)
        return float(1 - most if name == "zero_one" else -most)
    if name in DISTANCES:
        return float(np.mean(np.abs(y - np.median(y))))
    variance = float(np.var(y))
    return variance**0.5 if "root" in name else variance
