"""The ranges of scores and losses, and which names say that they are at most one."""

import math

UNIT, POSITIVE, BELOW_ONE = (0.0, 1.0), (0.0, math.inf), (-math.inf, 1.0)

# Other names of scores that are at most one, and of losses.
SCORES = {"acc", "accuracy_score", "auc", "auroc", "f1_score", "kappa", "mcc"}
SCORES |= {"accuracy", "bacc", "f1", "iou", "jaccard", "precision", "r2_score"}
SCORES |= {"recall", "top_k_accuracy"}
LOSSES = {"zero_one", "zero_one_loss", "hamming", "hamming_loss", "error_rate"}
LOSSES |= {"ce", "misclassification_rate"}
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


def is_known_bounded(name, is_score):
    """Whether a score, or loss, of that standard name is known to be at most one."""
    for average in AVERAGES:
        name = name.removesuffix(average)
    return name in (SCORES if is_score else LOSSES)
