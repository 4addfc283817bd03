"""Which columns beside a target are predictions of models, and which are features."""

import numpy as np

from ._column_names import PREDICTIONS, TARGETS
from ._column_types import distinct
from ._table_columns import as_labels, plain_name
from ._unclear import UnclearTableError

MOST_CLASSES = 30  # of whole numbers that are labels
LEAST_AGREEMENT = 0.15  # beyond chance, of predictions and a target
LEAST_CORRELATION = 0.25


def predictions_of(reading, is_named):
    """Return the columns that are predictions of the target, and the others.

    Columns that are called so, as "pred_rf" and "prob_rf", else those that hold labels
    of the target, probabilities or, of a real target, numbers. Where a target may be
    one of data, with features beside it, all columns must agree with it, and one column
    alone is not taken.

    Parameters
    ----------
    reading : Reading
        A table with a target.
    is_named : bool
        Whether the user named the target, and so says that the others are predictions.

    Returns
    -------
    target : ndarray of shape (n_rows,)
        The target.
    predictions : dict of str to ndarray of shape (n_rows,)
        The columns of predictions.
    others : list of str
        The other columns.
    """
    columns = reading.columns
    roles = reading.roles
    target = as_labels(columns[roles["y_true"]])
    candidates = [name for name in columns if name not in roles.values()]
    values = {name: as_labels(columns[name]) for name in candidates}
    classes = _classes_of_target(target)
    models = [name for name in candidates if _may_predict(values[name], classes)]
    called = [name for name in models if PREDICTIONS.search(plain_name(str(name)))]
    models = called or models
    others = [name for name in candidates if name not in models]
    if not models:
        raise UnclearTableError(
            "No column beside the target holds predictions of it: labels, "
            "probabilities or numbers."
        )
    is_target = plain_name(str(roles["y_true"])) in TARGETS
    if is_named or called or (is_target and classes is not None):
        return target, {name: values[name] for name in models}, others
    strange = [name for name in models if not _agrees(values[name], target, classes)]
    features = [name for name in others if values[name].dtype.kind in "if"]
    is_alone = len(models) == 1 and not is_target  # a feature beside its target?
    unclear = strange or features or (models if is_alone else [])
    if unclear:
        listed = ", ".join(map(repr, unclear[:3]))
        raise UnclearTableError(
            f"Are all columns beside {roles['y_true']!r} predictions? "
            f"{listed} may be features. Leave out what is no model.",
            ({"y_true": roles["y_true"]}, ", if all are predictions"),
        )
    return target, {name: values[name] for name in models}, others


def are_probabilities(values, target):
    """Whether predictions are probabilities of the second of two classes."""
    return values.dtype.kind == "f" and _classes_of_target(target) is not None


def _classes(labels):
    """Return the different labels in ascending order, a list."""
    if labels.dtype.kind == "O":
        return sorted(set(labels.tolist()), key=str)
    if labels.dtype.kind == "U":
        return np.unique(labels)
    return distinct(labels)


def _classes_of_target(target):
    """Return the classes of a target of words or of few whole numbers, else None."""
    if target.dtype.kind == "f":
        return None
    classes = _classes(target)
    is_number = target.dtype.kind == "i"
    return None if is_number and len(classes) > MOST_CLASSES else classes


def _may_predict(values, classes):
    """Whether values are labels of the target, or numbers for a real one."""
    if classes is None:
        return values.dtype.kind in "if"
    if values.dtype.kind == "f":
        return len(classes) == 2 and bool(np.all((values >= 0) & (values <= 1)))
    return set(classes).issuperset(_classes(values))


def _agrees(values, target, classes):
    """Whether predictions agree with the target more than by chance."""
    if classes is None:
        return _is_close(values.astype(np.float64), target.astype(np.float64))
    if values.dtype.kind == "f":
        second = target == classes[-1]
        return _correlation(values, second.astype(np.float64)) > LEAST_CORRELATION
    chance = sum(np.mean(values == c) * np.mean(target == c) for c in classes)
    return np.mean(values == target) - chance > LEAST_AGREEMENT


def _is_close(values, target):
    """Whether numbers are on the scale of the target, and follow it."""
    if _correlation(values, target) < LEAST_CORRELATION:
        return False
    return np.mean((values - target) ** 2) < 4 * np.var(target)


def _correlation(values, target):
    """Return the correlation, 0 of constants."""
    if np.ptp(values) == 0 or np.ptp(target) == 0:
        return 0.0
    return np.corrcoef(values, target)[0, 1]
