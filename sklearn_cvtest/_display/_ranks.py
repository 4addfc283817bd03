"""The critical-difference diagram, drawn by scikit-posthocs."""

import numpy as np

from .._compat import import_pandas, import_posthocs
from ._draw import make_axes, shorten

__all__ = ["draw_critical_differences"]

LONGEST = 40


def draw_critical_differences(names, mean_ranks, pvalues, alpha=0.05, ax=None):
    """Draw mean ranks on a line, and bars over those that do not differ.

    Parameters
    ----------
    names : list of str
        Names of k estimators, all different.
    mean_ranks : ndarray of shape (k,)
        Mean ranks over data sets; 1 is best.
    pvalues : ndarray of shape (k, k)
        Adjusted p-values of all pairs, of Nemenyi's or any other test.
    alpha : float, default=0.05
        A bar joins estimators whose p-values are all above it.
    ax : matplotlib Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on.

    Raises
    ------
    ImportError
        If scikit-posthocs is not installed.
    """
    posthocs = import_posthocs("A critical-difference diagram")
    pandas = import_pandas("A critical-difference diagram")
    ax = make_axes(ax, "A critical-difference diagram", (7, 1.2 + 0.18 * len(names)))
    names = [shorten(name, LONGEST) for name in names]
    is_same = np.asarray(pvalues) > alpha
    posthocs.critical_difference_diagram(
        pandas.Series(mean_ranks, index=names),
        pandas.DataFrame(is_same.astype(float), index=names, columns=names),
        ax=ax,
        label_props={"parse_math": False},
    )
    return ax
