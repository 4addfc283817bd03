"""Which rows stand for all others that differ from them by a constant."""

import numpy as np

# Of deviations that are at most 1: equal ones differ by rounding, 1e-16, and two
# decimals more would tell them apart; two fewer change bounds in the twelfth digit.
DECIMALS = 14
AT_EACH_END = 2  # of a group: an end, and who takes its place where it is left out


def representatives(deviations, means):
    """Return the ends of each group of rows that differ by a constant.

    The distance to any other row is the same for all rows of a group, so that those
    with the smallest and the largest mean give the extremes of a statistic.

    Parameters
    ----------
    deviations : ndarray of shape (k, n_blocks)
        Rows, less the mean of each, or a constant row more; at most about 1.
    means : ndarray of shape (k,)
        The means of the rows.

    Returns
    -------
    places : ndarray of int
        The two rows with the smallest and the two with the largest mean of each group,
        in ascending order.
    """
    rounded = np.round(deviations, DECIMALS) + 0.0  # -0.0 is 0.0
    _, groups, sizes = np.unique(
        rounded, axis=0, return_inverse=True, return_counts=True
    )
    groups = groups.ravel()
    order = np.lexsort([means, groups])
    starts = np.cumsum(sizes) - sizes
    sorted_groups = groups[order]
    from_start = np.arange(len(order)) - starts[sorted_groups]
    from_end = sizes[sorted_groups] - 1 - from_start
    is_at_end = np.minimum(from_start, from_end) < AT_EACH_END
    return np.sort(order[is_at_end])
