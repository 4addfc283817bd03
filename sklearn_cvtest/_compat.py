"""The only module that touches private or version-dependent scikit-learn names."""

import importlib

import numpy as np
from scipy import sparse
from sklearn import get_config
from sklearn.base import is_classifier, is_regressor
from sklearn.utils import _safe_indexing, get_tags

__all__ = [
    "copy_rows",
    "estimator_kind",
    "import_figure",
    "import_pandas",
    "import_posthocs",
    "import_pyplot",
    "is_deterministic",
    "is_pairwise",
    "n_rows",
    "routing_enabled",
    "single_threaded",
    "take_rows",
]


def routing_enabled():
    """Whether scikit-learn's metadata routing is switched on."""
    return get_config().get("enable_metadata_routing", False)


def is_pairwise(estimator):
    """Whether `estimator` takes a kernel or distance matrix for X."""
    return _has_tags(estimator) and get_tags(estimator).input_tags.pairwise


def is_deterministic(estimator):
    """Whether `estimator` says that a fixed `random_state` fixes what it does."""
    return not (_has_tags(estimator) and get_tags(estimator).non_deterministic)


def estimator_kind(estimator):
    """Return "classifier", "regressor" or None."""
    if not _has_tags(estimator):
        return getattr(estimator, "_estimator_type", None)
    if is_classifier(estimator):
        return "classifier"
    return "regressor" if is_regressor(estimator) else None


def _has_tags(estimator):
    """Whether scikit-learn can tell what the estimator is, without a warning."""
    return hasattr(estimator, "__sklearn_tags__")


def n_rows(X):
    """Return the number of examples in any container scikit-learn accepts."""
    shape = getattr(X, "shape", None)
    return shape[0] if shape else len(X)


def take_rows(X, indices, columns=None):
    """Return the rows `indices` of X (and `columns`, of a pairwise matrix)."""
    if X is None:
        return None
    if columns is not None:
        return X[np.ix_(indices, columns)]
    if type(X) is np.ndarray:  # what _safe_indexing does, without its checks
        return X[indices]
    return _safe_indexing(X, indices)


def copy_rows(X):
    """Return a copy of a slice that an estimator may write to."""
    if isinstance(X, np.ndarray) or sparse.issparse(X):
        return X.copy()
    if hasattr(X, "clone"):  # polars, copy on write
        return X.clone()
    if hasattr(X, "copy"):  # pandas, list
        return X.copy()
    return X


def import_pandas(needed_by):
    """Return the pandas module, or raise an ImportError saying how to get it."""
    return _import_extra("pandas", "pandas", "pandas", needed_by)


def import_pyplot(needed_by):
    """Return matplotlib's pyplot, or raise an ImportError saying how to get it."""
    return _import_extra("matplotlib.pyplot", "matplotlib", "plot", needed_by)


def import_figure(needed_by):
    """Return matplotlib's figure module, without pyplot and its state."""
    return _import_extra("matplotlib.figure", "matplotlib", "plot", needed_by)


def import_posthocs(needed_by):
    """Return the scikit_posthocs module, or raise an ImportError on how to get it."""
    return _import_extra("scikit_posthocs", "scikit-posthocs", "datasets", needed_by)


def _import_extra(module, package, extra, needed_by):
    try:
        return importlib.import_module(module)
    except ImportError:
        raise ImportError(
            f'{needed_by} needs {package}: pip install "sklearn_cvtest[{extra}]".'
        ) from None


def single_threaded():
    """Return a context in which BLAS and OpenMP use one thread."""
    from threadpoolctl import threadpool_limits  # scikit-learn depends on it

    return threadpool_limits(limits=1)
