"""Differences without a unit, so that data sets can be compared, as pure functions.

A squared error of 3 says nothing beside one of 0.01 on another data set. A relative
difference, or one of logarithms or logits, does. Each function here returns values ψ
whose mean is the scale-free difference and whose deviations come from its linearisation
(the delta method). Whatever test is right for the mean of residuals is right for the
mean of ψ: the correlation of the losses is in them, block by block.

Arrays have shape (..., J): losses of J blocks, or of J examples with the means of the
block means as `means`, without which the mean of the values themselves is taken.
"""

import numpy as np

from .._validation import invalid


def relative_residuals(first, second, baseline=None, *, means=None):
    """Return ψ of the difference over the loss of a baseline.

    r = (ā - b̄)/c̄ and ψ = r + (a - b - r c)/c̄, for losses a, b and c.

    Parameters
    ----------
    first, second : ndarray of shape (..., J)
        Losses of two estimators.
    baseline : ndarray of shape (..., J), default=None
        Losses of the baseline; None: the second estimator is it.
    means : tuple of three floats or arrays of shape (...,), default=None
        ā, b̄ and c̄.

    Raises
    ------
    ValueError
        If the mean loss of the baseline is not above zero.

    Examples
    --------
    >>> from sklearn_cvtest._datasets._scale_free import relative_residuals
    >>> relative_residuals([3.0, 5.0], [4.0, 6.0]).round(3)
    array([-0.24, -0.16])
    """
    baseline = second if baseline is None else baseline
    first, second, baseline = _arrays(first, second, baseline)
    mean_first, mean_second, mean_baseline = _means(means, first, second, baseline)
    _check_positive("baseline", mean_baseline)
    ratio = (mean_first - mean_second) / mean_baseline
    return ratio + (first - second - ratio * baseline) / mean_baseline


def log_ratio_residuals(first, second, *, means=None):
    """Return ψ of the log ratio of two losses: log ā - log b̄ + a/ā - b/b̄.

    It changes its sign if the estimators are swapped, as a relative difference does
    not: a half and a double loss are log 2 away from each other.

    Parameters
    ----------
    first, second : ndarray of shape (..., J)
        Losses of two estimators.
    means : tuple of two floats or arrays of shape (...,), default=None
        ā and b̄.

    Raises
    ------
    ValueError
        If a mean loss is not above zero.
    """
    first, second = _arrays(first, second)
    mean_first, mean_second = _means(means, first, second)
    _check_positive("first", mean_first)
    _check_positive("second", mean_second)
    ratio = np.log(mean_first) - np.log(mean_second)
    return ratio + first / mean_first - second / mean_second


def logit_residuals(first, second, *, means=None, n_examples=None):
    """Return ψ of the difference of the logits of two error rates.

    logit ā - logit b̄ + (a - ā)/(ā (1 - ā)) - (b - b̄)/(b̄ (1 - b̄)).

    Parameters
    ----------
    first, second : ndarray of shape (..., J)
        Error rates of two estimators.
    means : tuple of two floats or arrays of shape (...,), default=None
        ā and b̄.
    n_examples : int or ndarray of shape (...,), default=None
        Number of examples, n. With it each rate p becomes (n p + 1/2)/(n + 1), whose
        logit is finite for rates of 0 and 1 too, and all but unbiased: D. R. Cox and
        E. J. Snell, "Analysis of Binary Data", 2nd ed., 1989.

    Raises
    ------
    ValueError
        If a mean is not between 0 and 1, or, without `n_examples`, is one of them.
    """
    first, second = _arrays(first, second)
    parts = zip(("first", "second"), (first, second), strict=True)
    means = _means(means, first, second)
    terms = [
        _logit(name, values, mean, n_examples)
        for (name, values), mean in zip(parts, means, strict=True)
    ]
    return terms[0] - terms[1]


def _logit(name, rates, mean, n_examples):
    """Return the logit of a mean rate, linear in the rates."""
    if n_examples is not None:
        n = np.asarray(n_examples, dtype=np.float64)[..., np.newaxis]
        rates, mean = (n * rates + 0.5) / (n + 1), (n * mean + 0.5) / (n + 1)
    inside = (mean > 0) & (mean < 1)
    if not inside.all():
        hint = "Give `n_examples` where a rate may be 0 or 1."
        wrong = float(np.asarray(mean)[~inside].flat[0])
        raise invalid(name, "error rates with a mean in (0, 1)", wrong, hint=hint)
    return np.log(mean) - np.log1p(-mean) + (rates - mean) / (mean * (1 - mean))


def _arrays(*losses):
    return [np.asarray(values, dtype=np.float64) for values in losses]


def _means(means, *losses):
    """Return the means, given or of the values, with an axis for the values."""
    if means is None:
        return [values.mean(axis=-1, keepdims=True) for values in losses]
    return [np.asarray(mean, dtype=np.float64)[..., np.newaxis] for mean in means]


def _check_positive(name, mean):
    if not (mean > 0).all():
        hint = "Compare differences as they are, or leave out this data set."
        wrong = float(mean[~(mean > 0)].flat[0])
        raise invalid(name, "losses with a mean above 0", wrong, hint=hint)
