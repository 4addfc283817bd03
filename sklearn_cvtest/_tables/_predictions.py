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
    models, others : list of str
        The columns.
    """
    columns = reading.columns
    roles = reading.roles
    target = as_labels(columns[roles["y_true"]])
    candidates = [name for name in columns if name not in roles.values()]
    values = {name: as_labels(columns[name]) for name in candidates}
    models = [name for name in candidates if _may_predict(values[name], target)]
    called = [name for name in models if PREDICTIONS.search(plain_name(str(name)))]
    models = called or models
    others = [name for name in candidates if name not in models]
    is_target = plain_name(str(roles["y_true"])) in TARGETS
    is_clear = is_named or bool(called) or (is_target and _are_labels(target))
    strange = [name for name in models if not _agrees(values[name], target)]
    features = [name for name in others if values[name].dtype.kind in "if"]
    is_alone = len(models) == 1 and not is_target  # a feature beside its target?
    unclear = strange or features or (models if is_alone else [])
    if models and not is_clear and unclear:
        listed = ", ".join(map(repr, unclear[:3]))
        raise UnclearTableError(
            f"Are all columns beside {roles['y_true']!r} predictions? "
            f"{listed} may be features. Leave out what is no model.",
            ({"y_true": roles["y_true"]}, ", if all are predictions"),
        )
    if not models:
        raise UnclearTableError(
            "No column beside the target holds predictions of it: labels, "
            "probabilities or numbers."
        )
    return models, others


def are_probabilities(values, target):
    """Whether predictions are probabilities of the second of two classes."""
    return values.dtype.kind == "f" and _are_labels(target)


def _classes(labels):
    """Return the different labels in ascending order, a list."""
    if labels.dtype.kind == "O":
        return sorted(set(labels.tolist()), key=str)
    return distinct(labels)


def _are_labels(target):
    """Whether a target holds classes: words, or few whole numbers."""
    return target.dtype.kind == "O" or (
        target.dtype.kind == "i" and len(_classes(target)) <= MOST_CLASSES
    )


def _may_predict(values, target):
    """Whether values are labels of the target, or numbers for a real one."""
    if not _are_labels(target):
        return values.dtype.kind in "if"
    classes = _classes(target)
    if values.dtype.kind == "f":
        return len(classes) == 2 and bool(np.all((values >= 0) & (values <= 1)))
    return set(classes).issuperset(_classes(values))


def _agrees(values, target):
    """Whether predictions agree with the target more than by chance."""
    if not _are_labels(target):
        return _is_close(values.astype(np.float64), target.astype(np.float64))
    if values.dtype.kind == "f":
        second = target == _classes(target)[-1]
        return _correlation(values, second.astype(np.float64)) > LEAST_CORRELATION
    classes = _classes(target)
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
