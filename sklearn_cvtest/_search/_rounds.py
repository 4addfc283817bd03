"""The splits of a race, of which a search is given one at a time."""

import numpy as np
from sklearn.model_selection import check_cv
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import get_routing_for_object
from sklearn.utils.multiclass import type_of_target

from .._compat import n_rows
from .._splits._block_kfold import BlockKFold
from .._splits._indices import check_splits, recognise_design
from .._validation import as_numpy, invalid_words
from ._examples import folds_of_examples

EXCHANGEABLE = ("k-fold", "repeated k-fold", "subsample", "5x2")


def default_folds(X, y, has_classes, random_state):
    """Return ten folds, or as many as some class has examples."""
    X, y = indexable(X, y)  # what has no length is an array then
    n_samples = most = n_rows(X)
    if n_samples < 2:
        raise invalid_words("X", "at least two examples", f"n_samples={n_samples}")
    kind = type_of_target(y) if has_classes and y is not None else ""
    stratify = kind in ("binary", "multiclass")
    if stratify:
        most = np.unique(as_numpy("y", y), return_counts=True)[1].max()
    n_splits = int(np.clip(most, 2, 10))
    return BlockKFold(n_splits, stratify=stratify, random_state=random_state)


class Rounds:
    """One split of each round, as a search asks for.

    Parameters
    ----------
    cv : splitter, int, iterable or None
        As the search was given.
    is_classifier : bool
        Whether an int stands for stratified folds.
    measure : MetricMeasure or None
        What candidates race by, if examples have losses.

    Attributes
    ----------
    splits : list of (train, test)
        All splits, made at the first call of `split`.
    folds : Folds or None
        Their test sets, if the losses of examples are of use.
    at : int
        The split of this round.
    """

    def __init__(self, cv, is_classifier, measure):
        self.cv, self.is_classifier, self.measure = cv, is_classifier, measure
        self.splits, self.folds, self.at = None, None, 0

    def get_metadata_routing(self):
        return get_routing_for_object(self.cv)

    def get_n_splits(self, X=None, y=None, **params):
        return 1

    def split(self, X, y=None, **params):
        if self.splits is None:
            y = as_numpy("y", y)
            params = {name: as_numpy(name, value) for name, value in params.items()}
            cv = check_cv(self.cv, y, classifier=self.is_classifier)
            n_samples = n_rows(X)
            self.splits = check_splits(cv.split(X, y, **params), n_samples)
            design = recognise_design(self.splits, n_samples)
            if design.kind not in EXCHANGEABLE:
                allowed = "a splitter that makes (repeated) K-folds or subsamples"
                raise invalid_words("cv", allowed, f"one of {design}")
            given = self.measure, self.splits, design, y, params.get("groups")
            self.folds = folds_of_examples(*given)
        yield self.splits[self.at]
