"""The t statistic with between-block parameter ρ, as pure functions.

Everything is vectorised over leading axes: block means have shape (..., J).

[GB06]: Grandvalet & Bengio 2006, "Hypothesis Testing for Cross-Validation".
"""

from typing import NamedTuple

import numpy as np
from scipy import special

from .._data._moments import power_of_two
from ._ends import ends

# A spread of at most this many units in the last place of the values is rounding.
ROUNDING = 8 * np.finfo(np.float64).eps
# Examples that the skewness can be told from.
MIN_INFORMATIVE = 20


class Statistic(NamedTuple):
    """An estimate, its standard error, and the statistic."""

    estimate: np.ndarray
    standard_error: np.ndarray
    statistic: np.ndarray


def t_statistic(values, rho=0.0, popmean=0.0, magnitude=0.0):
    """Compute t(ρ) of exchangeable values with between-block parameter ρ.

    [GB06] eq. (9): √(1-ρ) (μ̂ - μ0) / √(S²/J), with S² the sample variance of the
    J values, follows Student's t with J - 1 degrees of freedom if ρ is γ/θ, the
    covariance of two block means over the variance of their mean. At ρ = 0 it is
    the one-sample t statistic.

    Values that do not vary give 0 if they equal `popmean` and ±inf otherwise.
    `magnitude` is the largest of what the values are means of: a spread that is small
    against it is rounding.
    """
    n_values = values.shape[-1]
    scaled, scale = scale_to_one(values, magnitude)
    spread = scaled.std(axis=-1, ddof=1)
    deviation = spread / np.sqrt(n_values * (1 - np.asarray(rho)))
    estimate = scaled.mean(axis=-1, keepdims=True)
    estimate = estimate + (scaled - estimate).mean(axis=-1, keepdims=True)  # its error
    return standardise(estimate[..., 0], deviation, spread, scale, popmean)


def standardise(estimate, deviation, spread, scale, popmean):
    """Return the statistic (scale * estimate - popmean)/(scale * deviation).

    Estimate, its deviation and the spread of the values belong to values divided by
    `scale`, about the largest magnitude, so that squares neither overflow nor vanish. A
    spread that is only rounding counts as 0, and so does an estimate or its difference
    from `popmean`; without a spread the statistic is 0 or ±inf.
    """
    is_flat = np.asarray(spread) <= ROUNDING
    estimate = np.where(np.abs(estimate) <= ROUNDING, 0.0, estimate)
    estimate = scale * estimate
    standard_error = scale * np.where(is_flat, 0, deviation)
    difference = estimate - popmean
    difference = np.where(np.abs(difference) <= ROUNDING * scale, 0, difference)
    statistic = ratio_or_limit(difference, standard_error)
    return Statistic(estimate, standard_error, statistic)


def scale_to_one(values, magnitude=0.0):
    """Return values divided, without rounding, by a power of two, and that.

    It is the largest not above `magnitude` and the largest magnitude of the values.
    """
    scale = np.maximum(np.abs(values).max(axis=-1), magnitude)
    scale = power_of_two(scale)
    with np.errstate(over="ignore"):  # numpy 1.26 reports one for subnormal numbers
        return values / np.expand_dims(scale, -1), scale


def ratio_or_limit(difference, standard_error):
    """Return difference / standard_error: 0 for 0/0, ±inf for a zero error."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.divide(difference, standard_error)
    return np.where(np.asarray(difference) == 0, 0.0, ratio)[()]


def relative_skewness(squares, cubes, n):
    """Return the skewness of the mean of n independent examples: theirs over √n.

    From the sums of the second and third powers of deviations.
    """
    variance = squares / n
    is_flat = np.sqrt(variance) <= ROUNDING
    skewness = cubes / n / np.where(is_flat, 1, variance) ** 1.5
    return np.where(is_flat, 0, skewness / np.sqrt(n))[()]


def statistic_pvalue(result, df, alternative):
    """Return the p-value of a Statistic; 1 if there is no difference anywhere."""
    is_same = (result.statistic == 0) & (result.standard_error == 0)
    pvalue = student_pvalue(result.statistic, df, alternative)
    return np.where(is_same, 1.0, pvalue)[()]


def student_pvalue(statistic, df, alternative):
    """Return the p-value of a statistic; `df=np.inf` for the normal distribution."""
    if alternative == "two-sided":
        return 2 * _lower_tail(-np.abs(statistic), df)
    sign = -1 if alternative == "greater" else 1
    return _lower_tail(sign * np.asarray(statistic), df)


def _lower_tail(statistic, df):
    if np.ndim(df) == 0 and df == np.inf:
        return special.ndtr(statistic)
    return special.stdtr(df, statistic)


def critical_value(level, df, alternative):
    """Return the quantile that a test of size 1 - level compares with."""
    tail = (1 + level) / 2 if alternative == "two-sided" else level
    is_normal = np.isinf(df)
    student = special.stdtrit(np.where(is_normal, 1, df), tail)
    return np.where(is_normal, special.ndtri(tail), student)[()]


def rho_alpha(statistic, df, alpha, alternative):
    """Return the largest ρ at which t(ρ) still rejects, given t(0).

    1 - (t_crit/|t(0)|)², from [GB06] eq. (9) and section 4.2; one-sided tests use
    the signed statistic. -inf where no ρ rejects.
    """
    critical = critical_value(1 - alpha, df, alternative)
    if alternative == "two-sided":
        statistic = np.abs(statistic)
    elif alternative == "less":
        statistic = np.negative(statistic)
    return largest_rho(statistic, critical)


def largest_rho(statistic, critical):
    """Return the largest ρ with √(1-ρ) statistic >= critical, -inf if there is none."""
    statistic = np.asarray(statistic, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        rho = 1 - (critical / statistic) ** 2
    rho = np.where(statistic > 0, rho, -np.inf)
    # one-sided with alpha > 1/2: t -> 0 always rejects
    return np.where(np.asarray(critical) < 0, 1.0, rho)[()]


def scaled_root(root, standard_error):
    """Return root * standard_error, 0 without an error even if the root is infinite."""
    is_zero = np.asarray(standard_error) == 0
    return np.where(is_zero, 0.0, np.where(is_zero, 0.0, root) * standard_error)[()]


def student_interval(estimate, standard_error, df, level, alternative):
    """Return the means that a test of size 1 - level does not reject."""
    margin = scaled_root(critical_value(level, df, alternative), standard_error)
    return ends(lambda side: estimate + side * margin, alternative, np.shape(estimate))
