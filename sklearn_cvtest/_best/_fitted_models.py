"""The fitted models that may be the best of a K-fold (Lei 2020)."""

from typing import NamedTuple

import numpy as np
from sklearn.utils import check_random_state

from .._data._moments import block_sums, cluster_sums
from .._inference._student import ROUNDING
from .._splits._design import DesignKind
from .._splits._groups import MIN_GROUPS
from .._validation import check_level, invalid_words, warn

BLOCK = 2**21  # floats held at a time: 16 MB


class FittedModel(NamedTuple):
    """One of the models as they were fitted.

    Attributes
    ----------
    name : str
        Its name.
    pvalue : float
        Of the hypothesis that no other model is better.
    mean_loss : float
        Its mean loss over splits.
    """

    name: str
    pvalue: float
    mean_loss: float


def models_by_loss(losses, alpha=0.05, n_boot=2000, random_state=0):
    """Return a FittedModel for each model without failed fits, the best first.

    See the notes of :meth:`Comparison.best_set`. An odd `n_boot` is increased by one.
    """
    check_level("alpha", alpha, 0.5)
    rng = check_random_state(random_state)
    _check_splits(losses)
    failed = losses.failed_splits()
    if failed:
        failed_names = ", ".join(map(repr, failed))
        warn(
            f"Losses must be finite; got nan or inf for {failed_names}. Estimators "
            "left out.",
            UserWarning,
        )
    names = losses.estimator_names
    positions = [i for i, name in enumerate(names) if name not in failed]
    values = losses.losses[:, positions]
    pvalues = _pvalues(values, losses, n_boot, rng)
    mean_losses = losses.mean_losses[positions]
    by_loss = np.argsort(values.mean(axis=0), kind="stable")
    return [
        FittedModel(names[positions[i]], float(pvalues[i]), float(mean_losses[i]))
        for i in by_loss
    ]


def _check_splits(losses):
    """Refuse losses that are not of the examples of one K-fold, or of few groups."""
    n_groups = losses.n_groups
    problem = ""
    if not losses.per_example:
        problem = "one value per split, as from `scoring` or `per_example=False`"
    elif losses.design.kind != DesignKind.K_FOLD:
        problem = str(losses.design)
    elif n_groups is not None and n_groups < MIN_GROUPS:  # which a variance is between
        problem = f"{n_groups} groups"
    if problem:
        allowed = f"of examples of one K-fold, in at least {MIN_GROUPS} groups if any"
        hint = "Use BlockKFold and a per-example `loss`, or about='algorithms'."
        raise invalid_words("losses", allowed, problem, hint=hint)


def _pvalues(values, losses, n_boot, rng):
    """Return the p-values of the columns of losses of single examples."""
    n_rows, n_models = values.shape
    n_draws = -(-n_boot // 2)  # each with its opposite
    means = values.mean(axis=0)
    if losses.groups is None:
        centred = _within_folds(values - means, losses.row_split, losses.n_test)
        sums = _bootstrap_sums(centred, n_draws, rng)
    else:  # a multiplier for each group
        centred = cluster_sums((values - means).T, losses.groups).T
        sums = _bootstrap_sums(centred, n_draws, rng)
        sums *= _student_factors(losses.n_groups, n_draws, rng)
    rounding = ROUNDING * np.abs(values).max()
    pvalues = [
        _pvalue(model, means, centred, sums, rounding, n_rows)
        for model in range(n_models)
    ]
    return np.array(pvalues)


def _within_folds(deviations, row_split, sizes):
    """Return deviations from the means of the folds."""
    fold_means = block_sums(deviations, row_split, len(sizes)) / sizes[:, np.newaxis]
    return deviations - np.repeat(fold_means, sizes, axis=0)


def _student_factors(n_groups, n_draws, rng):
    """Return factors that turn normal draws into Student's t with G - 1.

    The variance between few groups is not known well; G/(G - 1) makes it unbiased.
    """
    df = n_groups - 1
    unbiased = np.sqrt(n_groups / df)
    scales = np.sqrt(rng.chisquare(df, n_draws) / df)
    factors = unbiased / scales
    return factors[:, np.newaxis]


def _bootstrap_sums(centred, n_draws, rng):
    """Return G @ centred, G of shape (n_draws, n) standard normal."""
    sums = np.zeros((n_draws, centred.shape[1]))
    step = max(BLOCK // n_draws, 1)
    for start in range(0, len(centred), step):
        rows = centred[start : start + step]
        sums += rng.standard_normal((n_draws, len(rows))) @ rows
    return sums


def _pvalue(m, means, centred, sums, rounding, n):
    """Return the p-value of the hypothesis that no column is better than `m`.

    Lei (2020), section 3, for all j at once; the bootstrap is linear in the losses,
    so the bootstrap of a difference is the difference of `sums`. A mean difference or
    standard deviation below `rounding` is none.
    """
    others = np.arange(len(means)) != m
    excess = (means[m] - means)[others]
    root = _root_sum_of_squares(centred, m)[others]
    flat = root <= rounding * np.sqrt(n)
    if np.any(excess[flat] > rounding):
        return 1 / (2 * len(sums) + 1)
    if flat.all():
        return 1.0
    # √n mean/s = n mean/√(Σξ²), and the same for the sums
    varying = np.flatnonzero(others)[~flat]
    statistic = np.max(n * excess[~flat] / root[~flat])
    statistics = (sums[:, [m]] - sums[:, varying]) / root[~flat]
    largest = np.append(statistics.max(axis=1), -statistics.min(axis=1))
    n_larger = np.count_nonzero(largest >= statistic)
    return (1 + n_larger) / (1 + len(largest))


def _root_sum_of_squares(centred, m):
    """Return √Σξ² of the centred differences of column `m` from each."""
    difference = centred[:, [m]] - centred
    return np.sqrt(np.einsum("ij,ij->j", difference, difference))
