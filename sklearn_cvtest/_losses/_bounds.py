"""The ranges of scores and losses, and which of them names alone say."""

import math

UNIT, POSITIVE, BELOW_ONE = (0.0, 1.0), (0.0, math.inf), (-math.inf, 1.0)
ENDLESS = -math.inf, math.inf
# Functions of scikit-learn without values of examples that have a range.
FUNCTIONS = {"max_error": POSITIVE, "median_absolute_error": POSITIVE}
FUNCTIONS |= {"top_k_accuracy_score": UNIT, "label_ranking_loss": UNIT}
FUNCTIONS |= {"label_ranking_average_precision_score": UNIT}

# Other names of scores that have a range, and of losses that are at most one.
OF_SHARES = ("acc", "accuracy_score", "accuracy", "auc", "auroc", "bacc", "f1")
OF_SHARES += ("f1_score", "iou", "jaccard", "precision", "recall")
SCORES = dict.fromkeys(OF_SHARES, UNIT) | {"r2_score": BELOW_ONE}
SCORES |= dict.fromkeys(("kappa", "mcc"), (-1.0, 1.0))
LOSSES = {"zero_one", "zero_one_loss", "hamming", "hamming_loss", "error_rate"}
LOSSES |= {"ce", "misclassification_rate"}
# Scores that are means over examples.
MEANS = {"acc", "accuracy_score", "accuracy", "neg_brier_score"}
MEANS |= {"top_k_accuracy", "top_k_accuracy_score"}
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


def function_range(name):
    """Return the smallest and largest value of a function of that name."""
    return FUNCTIONS.get(name, BELOW_ONE if name.startswith("d2_") else ENDLESS)


def standard_name(name):
    """Return the name of a score or loss, without what other tools add to it."""
    name = name.removeprefix("test_").removeprefix("classif.").lower()
    return name.replace(" ", "_").replace("-", "_")


def known_range(name, is_score):
    """Return the range of a score, or loss, of that standard name; None: not known."""
    for average in AVERAGES:
        name = name.removesuffix(average)
    if is_score:
        return SCORES.get(name)
    return UNIT if name in LOSSES else None


def counts_labels(name):
    """Return whether a score of that name counts predicted labels, unevenly."""
    return standard_name(name).startswith(COUNTS)


def is_mean(name, is_score):
    """Return whether a score, or loss, of that name is a mean over examples."""
    return not is_score or standard_name(name) in MEANS
