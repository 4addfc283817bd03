"""What a race is run on: its splits, and the metric that gives examples losses."""

from typing import NamedTuple

import numpy as np
from sklearn.model_selection import check_cv
from sklearn.utils import indexable
from sklearn.utils.multiclass import type_of_target

from .._compat import metric_of_score, n_rows
from .._losses._metrics import find_metric
from .._splits._block_kfold import BlockKFold
from .._splits._design import Design
from .._splits._indices import check_splits, recognise_design
from .._validation import as_numpy, invalid_words

MOST_VALUES = 10**8  # that a race keeps, of all candidates and splits


def example_measure(scoring, refit, estimator, has_metadata):
    """Return the MetricMeasure of the metric to race by; None if there is none.

    Its name is `scoring`, or empty if that is no name.
    """
    name = scoring if isinstance(scoring, str) else ""
    if isinstance(scoring, dict):
        scoring = scoring.get(refit)
    elif isinstance(scoring, (list, tuple, set)):
        scoring = refit
    elif scoring is None and not has_metadata:  # which `score` may ask for
        scoring = metric_of_score(estimator)
    return None if scoring is None else find_metric(scoring, name=name)


class Folds(NamedTuple):
    """The test sets of runs of a K-fold, one after the other.

    Attributes
    ----------
    design : Design
        What they are.
    tests : list of ndarray
        The examples of each.
    """

    design: Design
    tests: list


def folds_of_examples(measure, splits, design, y, groups):
    """Return Folds if losses of their examples tell more than scores; None if not."""
    if measure is None or y is None or groups is not None:
        return None
    if not design.kind.is_k_fold:
        return None
    tests = [test for _, test in splits]
    return None if measure.few_examples(y, splits) else Folds(design, tests)


# The splits of a race ---------------------------------------------------------


def default_folds(X, y, has_classes, random_state):
    """Return ten folds, or as many as some class has examples."""
    X, y = indexable(X, y)  # what has no length is an array then
    n_samples = most = n_rows(X)
    if n_samples < 2:
        raise invalid_words("X", "at least two examples", f"n_samples={n_samples}")
    target_type = type_of_target(y) if has_classes and y is not None else ""
    stratify = target_type in ("binary", "multiclass")
    if stratify:
        most = np.unique(as_numpy("y", y), return_counts=True)[1].max()
    n_splits = int(np.clip(most, 2, 10))
    return BlockKFold(n_splits, stratify=stratify, random_state=random_state)


def splits_of_race(cv, X, y, has_classes, split_params):
    """Return all splits of a race, and their design.

    Parameters
    ----------
    cv : splitter, int or iterable
        As the search was given.
    X, y : array-like
        The data.
    has_classes : bool
        Whether an int stands for stratified folds.
    split_params : dict
        For the splitter.

    Returns
    -------
    splits : list of (train, test)
        Arrays of indices.
    design : Design
        How they relate to each other.
    """
    y = as_numpy("y", y)
    n_samples = n_rows(X)
    params = {name: as_numpy(name, value) for name, value in split_params.items()}
    cv = check_cv(cv, y, classifier=has_classes)
    splits = check_splits(cv.split(X, y, **params), n_samples)
    design = recognise_design(splits, n_samples)
    if not design.kind.has_exchangeable_splits:
        allowed = "a splitter that makes (repeated) K-folds or subsamples"
        raise invalid_words("cv", allowed, f"one of {design}")
    return splits, design
