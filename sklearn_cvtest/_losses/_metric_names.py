"""What the name of a loss or score says: in a table, in a result, or of a scorer."""

import contextlib
import functools

import numpy as np
from sklearn.metrics import get_scorer, get_scorer_names

from .._compat import scorer_parts
from . import _formulas
from ._metric_measure import signed
from ._metrics import score_range
from ._named_losses import DIFFERENCE, RATIO, find_loss, get_loss_names, names_of_losses

# What scikit-learn calls scores that others call otherwise, or one of the same range.
SCORERS = {
    "acc": "accuracy",
    "accuracy_score": "accuracy",
    "auc": "roc_auc",
    "auroc": "roc_auc",
    "average_precision_score": "average_precision",
    "bacc": "balanced_accuracy",
    "balanced_accuracy_score": "balanced_accuracy",
    "f1_score": "f1",
    "iou": "jaccard",
    "jaccard_score": "jaccard",
    "kappa": "matthews_corrcoef",
    "mcc": "matthews_corrcoef",
    "precision_score": "precision",
    "r2_score": "r2",
    "recall_score": "recall",
    "roc_auc_score": "roc_auc",
}
# What is a share of examples, and is shown in percent.
SHARES = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "f1": "F1",
    "jaccard": "Jaccard index",
    "precision": "precision",
    "recall": "recall",
    "top_k_accuracy": "top-k accuracy",
    "zero_one": "error",
}
# What scikit-learn calls errors that are no means of the losses of examples.
ERRORS = {
    "medae": "median_absolute_error",
    "rmse": "root_mean_squared_error",
    "rmsle": "root_mean_squared_log_error",
}
NO_MEANS = {*ERRORS.values(), "max_error"}  # compared by their ratio, as errors are
# Scores that are means over examples.
MEANS = {"accuracy", "top_k_accuracy", "top_k_accuracy_score"}


def standard_name(name):
    """Return the name of a score or loss, without what other tools add to it."""
    name = name.strip().lower().removeprefix("test_")
    name = name.removeprefix("classif.").removeprefix("regr.")
    base, bracket, parameter = name.partition("(")
    return base.replace(" ", "_").replace("-", "_") + bracket + parameter


@functools.lru_cache(maxsize=256)
def named_loss(name):
    """Return the loss of which a name is one of the names, or None.

    Also of minus its mean, which begins with "neg".
    """
    name = standard_name(name).removeprefix("neg_")
    name = names_of_losses().get(name, name)
    if name.partition("(")[0] not in get_loss_names():
        return None
    try:
        return find_loss("name", name, {})
    except ValueError:  # a parameter that it does not have, or none that it needs
        return None


def metric_word(name):
    """Return what this package or scikit-learn calls what a name means.

    Without "neg" and without parameters; a name that means nothing here stays.
    """
    loss = named_loss(name)
    if loss is not None:
        return loss.name.partition("(")[0]
    standard = standard_name(name).removeprefix("neg_")
    standard = SCORERS.get(standard) or ERRORS.get(standard, standard)
    scorers = get_scorer_names()
    is_scorer = standard in scorers or f"neg_{standard}" in scorers
    if is_scorer or standard in NO_MEANS:
        return standard
    return name


def name_of_scorer(scorer, name):
    """Return the name of what a scorer measures, whatever the user calls it.

    It begins with "neg" where the scorer is minus its function. What is no scorer of
    `make_scorer` is known by its name alone.
    """
    components = scorer_parts(scorer)
    if components is None:
        return name
    if name in get_scorer_names() and scorer_parts(get_scorer(name)) == components:
        return name
    function = components.function
    while isinstance(function, functools.partial):
        function = function.func
    metric = getattr(function, "__name__", "").removesuffix("_score")
    if not metric.isidentifier():  # of a lambda
        metric = name if name.isidentifier() else "score"
    metric = SCORERS.get(metric, metric)
    if isinstance(components.arguments.get("average"), str):
        metric += f"_{components.arguments['average']}"
    return metric if components.sign > 0 else f"neg_{metric}"


def name_of_measure(measure):
    """Return the name of what a measure measures; empty of a loss of the user's."""
    if measure.is_score:
        return name_of_scorer(measure.scorer, measure.name)
    return "" if measure.loss.task is None else measure.loss.name


def named_ranges(name, is_score):
    """Return ranges of that score, or loss, by its name, from the narrowest.

    Where there are several, the first is of two classes.
    """
    loss = named_loss(name)
    if loss is not None:
        sign = -1 if is_score else 1
        return tuple(signed(ends, sign) for ends in loss.value_ranges)
    name = standard_name(name)
    for average in ("_macro", "_micro", "_weighted", "_samples"):
        name = name.removesuffix(average)
    if is_score:
        return (score_range(SCORERS.get(name, name)),)
    name = name.removeprefix("neg_")
    error = ERRORS.get(name, name)
    return (signed(score_range(f"neg_{error}"), -1),)


def how_compared(name):
    """Return how two values of that score, or loss, are compared, by its name.

    "ratio" of errors on a scale that begins at 0 and has no end, and of scores that are
    minus such errors; else "difference".
    """
    loss = named_loss(name)
    if loss is not None:
        return loss.compared_by
    return RATIO if metric_word(name) in NO_MEANS else DIFFERENCE


def is_squared(name):
    """Return whether that score, or loss, is in squared units, by its name."""
    loss = named_loss(name)
    return loss is not None and loss.is_squared


def is_bounded_by_one(name, is_score):
    """Return whether no value of that score, or loss, is above one, by its name."""
    return named_ranges(name, is_score)[-1][1] == 1.0


def are_hits(values):
    """Whether all values are 0 or 1, and not all the same."""
    is_hit = (values == 0) | (values == 1)
    return bool(is_hit.all() and np.ptp(values) == 1)


def is_mean(name, is_score):
    """Return whether a score, or loss, of that name is a mean over examples."""
    if named_loss(name) is not None:
        return True
    name = metric_word(name)
    return name in MEANS if is_score else name not in NO_MEANS


# The loss of a model that says the same of every example ------------------------


def loss_of_a_constant(name, y, rows):
    """Return the mean loss of the best constant, None where it is not known.

    It is the most frequent class, the frequencies of the classes, the mean or the
    median of the tested examples. For ROC AUC and average precision, all constants are
    the same.

    Parameters
    ----------
    name : str
        The loss, or the score, of which the loss is minus.
    y : array-like of shape (n_samples,)
        The target.
    rows : ndarray of int
        The examples that were tested.
    """
    loss = named_loss(name)
    constant = OF_CONSTANTS.get(metric_word(name)) if loss is None else loss.constant
    y = np.asarray(y)
    if constant is None or y.ndim != 1 or not len(rows):
        return None
    is_tested = np.zeros(len(y), dtype=bool)
    is_tested[rows] = True
    if not is_tested.all():
        y = y[is_tested]
    with contextlib.suppress(TypeError, ValueError):  # several kinds, or no numbers
        return float(constant(y))
    return None


def _of_two_classes(value, y):
    """Return what a constant scores by a ranking of two classes."""
    shares = _formulas.shares_of_classes(y)
    if len(shares) != 2:
        raise ValueError("a ranking is of two classes")
    return value(shares)


# Minus the scores of constants, and errors that are no mean of a loss; the rows of
# losses have theirs.
OF_CONSTANTS = {
    "accuracy": lambda y: -_formulas.shares_of_classes(y).max(),
    "root_mean_squared_error": lambda y: np.sqrt(_formulas.variance(y)),
    "roc_auc": functools.partial(_of_two_classes, lambda shares: -0.5),
    "average_precision": functools.partial(_of_two_classes, lambda shares: -shares[1]),
}
