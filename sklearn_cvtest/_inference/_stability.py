"""How probable it is that another seed of the splits gives the same decision."""

import numpy as np
from scipy import special

from .._data._moments import power_of_two
from .._typing import Array, ArrayLike
from .._validation import check_level, check_real_array, invalid

# What v̂ is worth, in degrees of freedom, and the variance of a run's mean over it:
# noise of two examples in one split is correlated. Both by simulation.
PRIOR_DF, PRIOR_RATIO = 10, 1.25


def is_repeated(design):
    """Whether a design has runs of which each could have been another."""
    many = design.kind == "subsample" and (design.n_splits or 2) > 1
    return many or design.kind in ("repeated k-fold", "5x2")


def split_deviation(test, residuals):
    """Return the deviation of the mean over seeds, given the data, and its df.

    The mean is taken as the test does: over examples, or over groups of equal weight.

    Runs of a K-fold, or single subsamples, are independent given the data, so that its
    square is the variance of one run over their number. For runs with residuals of
    examples, the variance of their means is shrunk towards what the noise of examples
    says. nan where the runs are not known.
    """
    if test.traits.weighs == "groups" and residuals.groups is not None:
        residuals = residuals.group_means()
    design = residuals.design
    if design.kind == "subsample":
        return _of_means(residuals.block_means)
    if residuals.per_example and residuals.row_index is not None:
        moments = residuals.example_moments
        extra = moments.n_runs - 1
        df = PRIOR_DF + extra
        noise = PRIOR_DF * PRIOR_RATIO * moments.split_noise
        pooled = (noise + extra * moments.run_variance) / df
        return moments.scale * np.sqrt(pooled / moments.n_runs), df
    means = residuals.block_means
    if design.n_splits is None:
        return np.full(means.shape[:-1], np.nan)[()], 1
    runs = means.reshape(*means.shape[:-1], design.n_repeats, design.n_splits)
    return _of_means(runs.mean(axis=-1))


def _of_means(means):
    n_runs = means.shape[-1]
    scale = power_of_two(np.max(np.abs(means), axis=-1, keepdims=True))
    deviation = np.std(means / scale, axis=-1, ddof=1)  # squares as they are overflow
    return scale[..., 0] * deviation / np.sqrt(n_runs), n_runs - 1


def same_decision(test, evaluation, confidence_level, deviation, df, n_means=1):
    """Return the probability that the mean stays on its side of the threshold.

    `deviation` is the standard deviation of the mean over seeds; it enters `n_means`
    times (1 or 2 means are compared). The threshold varies with the standard error, as
    far as that is taken from the spread over splits.
    """
    ends = test.interval(evaluation, confidence_level)
    ends = np.stack(np.broadcast_arrays(*ends))
    with np.errstate(invalid="ignore", divide="ignore"):
        gaps = np.abs(ends - test.popmean)
        gaps = np.where(np.isnan(gaps), np.inf, gaps)
        margins = np.abs(ends - evaluation.estimate)
        nearest = np.argmin(gaps, axis=0)[np.newaxis]
        gap, margin = (
            np.take_along_axis(values, nearest, axis=0)[0] for values in (gaps, margins)
        )
        margin = np.where(np.isfinite(margin), margin, 0)
        deviation = np.hypot(deviation, test.error_noise(evaluation) * margin)
        distance = gap / (np.sqrt(n_means) * deviation)
    distance = np.where(deviation == 0, np.inf, distance)
    return special.stdtr(df, distance)[()]


def seed_stability(test, residuals, evaluation):
    """Return the probability that another seed gives the same decision.

    For a test that extrapolates to infinitely many repeats, the probability that these
    do.
    """
    deviation, df = split_deviation(test, residuals)
    n_means = 1 if test.traits.repeats == "extrapolated" else 2
    level = test.interval_level(test.alpha)
    return same_decision(test, evaluation, level, deviation, df, n_means)


def replicability(pvalues: ArrayLike, *, alpha: float = 0.05) -> float | Array:
    """Estimate the probability that two reruns of a test agree.

    A rerun draws other splits of the *same* sample: what differs between reruns is
    chance alone, and if the decision of a test depends on it, one may be tempted to try
    seeds until it rejects.

    Parameters
    ----------
    pvalues : array-like of shape (..., n_runs)
        p-values of the test over reruns with different seeds, at least two.
    alpha : float, default=0.05
        Level at which a run rejects, in (0, 1).

    Returns
    -------
    probability : float or ndarray of shape (...)
        [C(i, 2) + C(r - i, 2)] / C(r, 2) for i rejections in r runs: the share of
        pairs of runs that agree, between about 1/2 (with many runs) and 1.

    Raises
    ------
    TypeError, ValueError
        If a p-value is not in [0, 1] or there are fewer than two.

    References
    ----------
    .. [1] R. R. Bouckaert and E. Frank, "Evaluating the Replicability of
       Significance Tests for Comparing Learning Algorithms", PAKDD 2004.
       :doi:`10.1007/978-3-540-24775-3_3`

    Examples
    --------
    >>> from sklearn_cvtest import replicability
    >>> replicability([0.01, 0.03, 0.06, 0.02])
    0.5

    Over seeds of a splitter:

    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_cvtest import RepeatedSubsample, compare_estimators
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> models = [GaussianNB(), DecisionTreeClassifier(random_state=0)]
    >>> runs = [
    ...     compare_estimators(models, X, y, cv=RepeatedSubsample(5, random_state=seed))
    ...     for seed in range(4)
    ... ]
    >>> replicability([run.pvalue_ for run in runs])
    1.0
    """
    alpha = check_level("alpha", alpha)
    pvalues = np.atleast_1d(check_real_array("pvalues", pvalues))
    inside = (pvalues >= 0) & (pvalues <= 1)
    if not inside.all():
        raise invalid("pvalues", "in [0, 1]", float(pvalues[~inside].flat[0]))
    n_runs = pvalues.shape[-1]
    if n_runs < 2:
        raise invalid("pvalues", "from at least two runs", pvalues.tolist())
    rejections = np.sum(pvalues <= alpha, axis=-1)
    rest = n_runs - rejections
    agreeing = rejections * (rejections - 1) + rest * (rest - 1)
    probability = agreeing / (n_runs * (n_runs - 1))
    return float(probability) if probability.ndim == 0 else probability
