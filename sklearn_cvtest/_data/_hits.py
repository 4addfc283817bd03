"""Whether losses are hits and misses, so few that the t test is not as good."""

import numpy as np

# Numbers of examples, and of those that only one of two models gets right, from which
# on the t test is as good as the score test (docs/data/paired_proportions.csv,
# gates.csv).
FEW_HITS = 200
FEW_DIFFERENT = 100
# With more models than these, the t test is taken for all, because it is faster.
MOST_MODELS = 100
# Of many rows, these mostly show that enough differ.
FIRST_ROWS = 10_000


def is_small_zero_one(losses):
    """Return whether all are hits or misses, few, or few where two models differ.

    Parameters
    ----------
    losses : ndarray of shape (n_rows, n_models)
        The losses, or minus scores, of a test set.
    """
    n_rows, n_models = losses.shape
    if n_rows <= FEW_HITS:
        return _are_hits(losses)
    first = losses[:FIRST_ROWS]
    if n_models > MOST_MODELS or not _are_hits(first):
        return False
    if _numbers_of_different(first).min(initial=np.inf) >= FEW_DIFFERENT:
        return False
    if not _are_hits(losses):
        return False
    numbers = _numbers_of_different(losses)
    return bool(numbers[numbers > 0].min(initial=np.inf) < FEW_DIFFERENT)


def _are_hits(losses):
    """Return whether all losses are 0 or 1, or all 0 or -1, as of scores."""
    low = losses.min()
    high = losses.max()
    if not (low >= -1 and high <= 1 and high - low <= 1):  # nan is neither
        return False
    hits = np.abs(losses)
    return np.array_equal(hits * hits, hits)  # 0 and 1 are their own squares


def _numbers_of_different(losses):
    """Return on how many rows each two models differ, ndarray of shape (n_pairs,)."""
    hits = np.abs(losses)
    total = hits.sum(axis=0)
    differ = total + total[:, np.newaxis] - 2 * hits.T @ hits
    return differ[np.triu_indices(len(total), 1)]
