"""Random-effects synthesis of differences over data sets, as pure functions.

Everything is vectorised over leading axes (pairs): arrays have shape (..., D), with a
value for each data set.

What holds its level was found by simulation (`benchmarks/datasets.py`,
docs/data/datasets_calibration.csv: 3 to 30 data sets, τ from 0 to three times the
typical standard error). All data sets weigh the same, which is the t test of the
differences. Its size at the 5% level is 1.8 to 6.7% with normal differences, 0.7 to
7.5% as the default test hands on zero-one losses, 3.7 to 13.4% with cross-validated
models, whose true differences are skewed: the most with three data sets.

The variances, which serve τ² and the prediction interval, are moderated: shrunk towards
a common value, per example where sizes are known, by as much as their degrees of
freedom say that they scatter by chance. Weights 1/(v + τ²) are not taken: with more
examples models differ by more or less, so that such weights go with true differences,
and their mean is about larger data sets.

Degrees of freedom of a variance count what tells two models apart: where they agree on
nearly all examples, difference and variance are small together, so that weights would
draw the mean towards zero. A variance of zero is no variance known to be zero.
"""

from typing import NamedTuple

import numpy as np
from scipy import special

from .._inference._evaluation import EqualValues
from .._inference._zero_variance import equal_interval, equal_pvalue

ROUNDING = 8 * np.finfo(np.float64).eps  # of values about one
FLOOR = 1e-14  # variance of a data set whose blocks all agree, of the largest
STEPS = 100


class Synthesis(NamedTuple):
    """A random-effects mean over data sets; every field has shape (...,).

    `standard_error` and `df` belong to its t test. `tau2` is the variance of the
    true differences between data sets, `i2` its share in the variance of an estimate
    from a typical data set.
    `differences` and `variances`, of shape (..., D), are the estimates and their
    moderated variances, nan where one is missing. `n_datasets` is D without those.
    """

    estimate: np.ndarray
    standard_error: np.ndarray
    df: np.ndarray
    tau2: np.ndarray
    i2: np.ndarray
    differences: np.ndarray
    variances: np.ndarray
    n_datasets: np.ndarray

    @property
    def weights(self):
        """Equal weights of the data sets, which add up to one, 0 of what is missing."""
        count = np.maximum(self.n_datasets, 1)[..., np.newaxis]
        return np.isfinite(self.variances) / count


def synthesise(estimates, standard_errors, dfs=np.inf, *, sizes=1.0, present=None):
    """Return the random-effects mean of differences over data sets.

    d_i ~ N(δ_i, v_i), δ_i ~ N(μ, τ²); v_i is estimated with df_i degrees of freedom.

    Parameters
    ----------
    estimates, standard_errors : ndarray of shape (..., D)
        d_i and √v_i, such as a corrected t test gives.
    dfs : ndarray that broadcasts to (..., D), default=inf
        Degrees of freedom of each v_i: J - 1 of a t test, inf where it is known; see
        :func:`variance_df`.
    sizes : ndarray that broadcasts to (..., D), default=1
        Numbers of examples n_i, if v_i is about proportional to 1/n_i: the n_i v_i are
        then moderated.
    present : ndarray of bool that broadcasts to (..., D), default=None
        False where a data set has no estimate for a pair. None: all have.

    Returns
    -------
    Synthesis
        The mean, its test and what it is made of, for each pair.

    Notes
    -----
    τ² is Paule and Mandel's, of the moderated v_i. All data sets weigh the same: the
    test is the t test of the D estimates, which never rejects a true null hypothesis
    too often however unequal the variances [1]_ (at levels up to 8%), but loses power
    where variances are very unequal and τ is small.
    `i2` is τ²/(τ² + s²) with Higgins and Thompson's typical variance s² [2]_ eq. (9).
    Other estimators, weights and intervals are in
    ``statsmodels.stats.meta_analysis.combine_effects``.

    One data set says nothing about others: the standard error is inf and τ² nan; with
    none the mean is nan too. If all estimates are equal, which says nothing about their
    spread, the standard error is 1/√Σw with D - 1 degrees of freedom. A standard error
    of zero says nothing: the variance that the other data sets let expect takes its
    place, whatever the weights. So does one of infinity: that data set is left out.

    References
    ----------
    .. [1] N. K. Bakirov and G. J. Székely, "Student's t-test for Gaussian scale
       mixtures", Journal of Mathematical Sciences 139, 6497-6505, 2006.
       :doi:`10.1007/s10958-006-0366-5`
    .. [2] J. P. T. Higgins and S. G. Thompson, "Quantifying heterogeneity in a
       meta-analysis", Statistics in Medicine 21, 1539-1558, 2002.
       :doi:`10.1002/sim.1186`
    """
    (d, centre, scale), errors, present = _scaled(estimates, standard_errors, present)
    dfs, sizes = (np.broadcast_to(values, d.shape) for values in (dfs, sizes))
    v = _variances(errors**2, dfs, sizes, present)
    between = paule_mandel(d, v, present)
    n_datasets = present.sum(axis=-1)
    mean = d.sum(axis=-1) / np.maximum(n_datasets, 1)
    error, df = _standard_error(d, v, between, mean, present)
    is_unknown = n_datasets < 2
    return Synthesis(
        np.where(n_datasets == 0, np.nan, centre + scale * mean)[()],
        np.where(is_unknown, np.inf, scale * error)[()],
        df[()],
        np.where(is_unknown, np.nan, scale**2 * between)[()],
        np.where(is_unknown, np.nan, _heterogeneity(v, between, present))[()],
        np.where(present, centre[..., np.newaxis] + scale[..., np.newaxis] * d, np.nan),
        np.where(present, scale[..., np.newaxis] ** 2 * v, np.nan),
        n_datasets,
    )


def _scaled(estimates, errors, present):
    """Return centred estimates and errors about one, 0 and 1 where missing."""
    d, errors = np.broadcast_arrays(
        np.asarray(estimates, dtype=np.float64), np.asarray(errors, dtype=np.float64)
    )
    present = np.isfinite(errors) & (True if present is None else present)
    n_datasets = np.maximum(present.sum(axis=-1), 1)
    centre = np.sum(np.where(present, d, 0), axis=-1) / n_datasets
    offsets = np.where(present, d - centre[..., np.newaxis], 0)
    size = np.where(present, np.abs(d), 0).max(axis=-1)
    is_rounding = np.abs(offsets).max(axis=-1) <= ROUNDING * size
    offsets = np.where(is_rounding[..., np.newaxis], 0, offsets)
    errors = np.where(present, errors, 0)
    scale = np.maximum(np.abs(offsets).max(axis=-1), errors.max(axis=-1))
    scale = np.where(scale > 0, scale, 1.0)
    divisor = scale[..., np.newaxis]
    return (offsets / divisor, centre, scale), errors / divisor, present


def variance_df(df, n_informative):
    """Return the degrees of freedom of a variance of so many informative examples.

    The squared relative error of a variance is 2/df where values are normal, and
    (κ - 1)/n from n examples with kurtosis κ; zero-one losses of models that disagree
    on k of n have κ = n/k. So the errors of an assumption and of the examples add up to
    1/df + 1/(2k). Nothing is known (0) if no example differs.

    Parameters
    ----------
    df, n_informative : float or ndarray
        Degrees of freedom that a test has for its error, and the number of examples
        that differ from their median; both may be inf.
    """
    df, count = np.broadcast_arrays(np.asarray(df, float), n_informative)
    with np.errstate(divide="ignore"):
        return 1 / (1 / df + 1 / (2 * count))


def _variances(v, dfs, sizes, present):
    """Return the moderated variances within data sets, above zero."""
    moderated = moderate_variances(v * sizes, dfs, present) / sizes
    return np.where(present, np.maximum(moderated, FLOOR), 1.0)


def moderate_variances(variances, dfs, present=None):
    """Shrink variances estimated with few degrees of freedom towards a common one.

    v_i is s_i² χ²(df_i)/df_i and 1/s_i² is χ²(d0)/(d0 s0²): the posterior mean of
    1/s_i² is (d0 + df_i)/(d0 s0² + df_i v_i), with d0 and s0² from the mean and
    variance of log v_i. Where these differ by no more than chance all become the pooled
    variance. Known variances (df_i = inf) are left as they are. A variance of zero is
    not known, whatever its df: it becomes s0², in which it has no part.

    G. K. Smyth, "Linear Models and Empirical Bayes Methods for Assessing Differential
    Expression in Microarray Experiments", Statistical Applications in Genetics and
    Molecular Biology 3:3, 2004, section 6.2, :doi:`10.2202/1544-6115.1027`.

    Parameters
    ----------
    variances, dfs : ndarray of shape (..., D)
        v_i and df_i.
    present : ndarray of bool of shape (..., D), default=None
        False where there is no value.
    """
    variances = np.asarray(variances, dtype=np.float64)
    dfs = np.broadcast_to(np.asarray(dfs, dtype=np.float64), variances.shape)
    used = variances > 0 if present is None else (variances > 0) & present
    n_used = np.maximum(used.sum(axis=-1, keepdims=True), 1)
    is_known = np.isinf(dfs) & used
    half = np.where(np.isinf(dfs), 1.0, np.maximum(dfs / 2, 1e-3))
    bias = np.where(is_known, 0.0, special.digamma(half) - np.log(half))
    noise = np.where(is_known, 0.0, special.polygamma(1, half))
    logs = np.where(used, np.log(np.where(used, variances, 1)) - bias, 0)
    mean = logs.sum(axis=-1, keepdims=True) / n_used
    squares = np.where(used, (logs - mean) ** 2 / np.maximum(n_used - 1, 1) * n_used, 0)
    excess = (squares - np.where(used, noise, 0)).sum(axis=-1, keepdims=True) / n_used
    prior_half, prior = _prior(excess, mean)
    prior = np.where(np.isinf(prior_half), _pooled(variances, half, used), prior)
    share = np.where(np.isinf(prior_half), 0.0, half / (prior_half + half))
    share = np.where(used, np.where(is_known, 1.0, share), 0.0)  # df/(d0 + df)
    moderated = (1 - share) * prior + share * variances
    return np.where(used.any(axis=-1, keepdims=True), moderated, variances)


def _prior(excess, mean):
    """Return d0/2 and s0² from the variance and mean of log s²."""
    is_common = excess <= 1e-6  # no more spread than chance makes
    prior_half = _inverse_trigamma(np.where(is_common, 1.0, excess))
    shift = special.digamma(prior_half) - np.log(prior_half)
    return np.where(is_common, np.inf, prior_half), np.exp(mean + shift)


def _pooled(variances, half, used):
    """Return the common variance where they differ by chance only."""
    total = np.where(used, half, 0).sum(axis=-1, keepdims=True)
    squares = np.where(used, half * variances, 0).sum(axis=-1, keepdims=True)
    return squares / np.where(total > 0, total, 1)


def _inverse_trigamma(y):
    """Return x with ψ'(x) = y, by Newton's method for 1/ψ' as in Smyth (2004)."""
    x = 0.5 + 1 / y
    for _ in range(8):  # quadratic; five are enough
        value = special.polygamma(1, x)
        x = x + value * (1 - value / y) / special.polygamma(2, x)
    return x


def _weights(v, tau2, present):
    """Return 1/(v + τ²), 0 where a data set is missing."""
    return np.where(present, 1 / (v + tau2[..., np.newaxis]), 0.0)


def _deviations(d, w):
    """Return d - Σwd/Σw, d without weights."""
    total = w.sum(axis=-1)
    mean = np.sum(w * d, axis=-1) / np.where(total > 0, total, 1)
    return d - mean[..., np.newaxis]


def paule_mandel(d, v, present=None, target=None):
    """Return the τ² with Q(τ²) = Σ (d_i - μ̂)²/(v_i + τ²) = D - 1, 0 if there is none.

    Q is a mixture of 1/(λ + τ²), so that 1/Q is concave and Newton's method for it goes
    up to the root without passing it. (DerSimonian and Kacker (2007), Contemporary
    Clinical Trials 28, 105-114, use that for Q, with the same root.)

    Parameters
    ----------
    d, v : ndarray of shape (..., D)
        Estimates and their variances, above zero.
    present : ndarray of bool of shape (..., D), default=None
        False where a data set is missing.
    target : ndarray of shape (...), default=None
        What Q is to be; None is D - 1.
    """
    present = np.broadcast_to(True if present is None else present, d.shape)
    if target is None:
        target = np.maximum(present.sum(axis=-1) - 1.0, 1.0)
    tau2 = np.zeros(d.shape[:-1])
    for _ in range(STEPS):
        w = _weights(v, tau2, present)
        squares = w * _deviations(d, w) ** 2
        q = squares.sum(axis=-1)
        slope = (w * squares).sum(axis=-1)
        step = q * (q - target) / (target * np.where(slope > 0, slope, 1))
        step = np.where(q > target, step, 0)
        tau2 = tau2 + step
        if (step <= ROUNDING * tau2).all():
            break
    return tau2


def _heterogeneity(v, tau2, present):
    """Return I² = τ²/(τ² + s²), Higgins and Thompson (2002) eq. (9) for s²."""
    w = np.where(present, 1 / v, 0.0)
    total = w.sum(axis=-1)
    cross_products = np.sum(w * (total[..., np.newaxis] - w), axis=-1)
    typical = (
        (present.sum(axis=-1) - 1)
        * total
        / np.where(cross_products > 0, cross_products, 1)
    )
    both = tau2 + typical
    return tau2 / np.where(both > 0, both, 1)


def _standard_error(d, v, tau2, mean, present):
    """Return the standard error of the mean and its degrees of freedom."""
    total = np.where(present.any(axis=-1), _weights(v, tau2, present).sum(axis=-1), 1.0)
    squares = np.where(present, (d - mean[..., np.newaxis]) ** 2, 0)
    n_datasets = np.maximum(present.sum(axis=-1), 1)
    df = np.maximum(n_datasets - 1.0, 1.0)
    has_errors = 1 / total > 2 * FLOOR  # else no data set has any spread at all
    is_tie = squares.max(axis=-1) <= ROUNDING**2
    of_tie = np.where(has_errors, 1 / total, 0)
    variance = np.where(is_tie, of_tie, squares.sum(axis=-1) / (n_datasets * df))
    return np.sqrt(variance), df


def synthesis_pvalue(result, popmean=0.0, most=np.inf):
    """Return statistic and two-sided p-value of a mean difference of `popmean`.

    Without any spread the statistic is 0 if the mean is `popmean`, else ±inf, and p is
    what so many equal values show if no difference is larger than `most`: nothing, if
    that is infinite. From one data set the statistic is 0, and p is 1.
    """
    distance = np.asarray(result.estimate - popmean)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(distance == 0, 0.0, distance / result.standard_error)
    is_unknown = np.isinf(result.standard_error)
    statistic = np.where(is_unknown, 0.0, statistic)
    pvalue = 2 * special.stdtr(result.df, -np.abs(statistic))
    pvalue = np.where(is_unknown, 1.0, pvalue)
    equal = _equal_differences(result, most)
    bound = equal_pvalue(result.estimate, popmean, "two-sided", equal)
    return statistic[()], np.where(equal.flat, bound, pvalue)[()]


def synthesis_interval(result, level=0.95, most=np.inf):
    """Return the mean differences that a test at size 1 - level does not reject."""
    margin = special.stdtrit(result.df, (1 + level) / 2) * result.standard_error
    ends = result.estimate - margin, result.estimate + margin
    equal = _equal_differences(result, most)
    bounds = equal_interval(result.estimate, level, "two-sided", equal)
    return tuple(
        np.where(equal.flat, bound, end)[()]
        for bound, end in zip(bounds, ends, strict=True)
    )


def _equal_differences(result, most):
    """Return what is known of differences that are the same on all data sets."""
    flat = np.asarray(result.standard_error) == 0
    none = np.zeros_like(flat)
    return EqualValues(flat, none, none, result.n_datasets, -most, most)


# The interval for the true difference on a new data set -----------------------------


TAIL = (np.arange(128) + 0.5) / 128  # of the distribution of Q
MOST = 2**22  # values at once
BISECTIONS = 50


def prediction_interval(result, level=0.95, most=np.inf):
    """Return an interval for the true difference on a new data set.

    Q(τ²) follows χ² with D - 1 degrees of freedom at the true τ², whatever that is: so
    the data say how probable each τ² is (its confidence distribution, K. Nagashima, H.
    Noma and T. A. Furukawa, "Prediction intervals for random-effects meta-analysis: a
    confidence distribution approach", Statistical Methods in Medical Research 28,
    1689-1702, 2019, :doi:`10.1177/0962280218773520`, who take DerSimonian and Laird's
    Q). Given τ², a new difference is N(μ̂, τ² + Var μ̂); the interval has the quantiles
    of the mixture, and contains the interval of the mean. Infinite with one or two data
    sets. It is about the true difference; an estimate of it scatters more. It does not
    depend on the estimator of τ².

    A τ² that is small against the variances of the estimates cannot be told from zero:
    without any differences between data sets the interval holds more than 95%
    (docs/data/datasets_calibration.csv).
    """
    half = _mixture_quantile(_deviations_of(result), (1 + level) / 2)
    below = result.estimate - half
    above = result.estimate + half
    low, high = synthesis_interval(result, level, most)
    is_known = (result.n_datasets > 2) & (np.asarray(result.standard_error) > 0)
    low, high = (  # without any spread, the interval of the mean
        np.where(is_known, np.minimum(below, low), low),
        np.where(is_known, np.maximum(above, high), high),
    )
    is_few = result.n_datasets < 3
    return np.where(is_few, -np.inf, low)[()], np.where(is_few, np.inf, high)[()]


def _deviations_of(result):
    """Return √(τ² + Var μ̂) at equally probable τ², (..., n_nodes)."""
    present = np.isfinite(result.variances)
    d = np.where(present, result.differences, 0)
    d = np.where(present, d - np.asarray(result.estimate)[..., np.newaxis], 0)
    v = np.where(present, result.variances, 1)
    scale = np.sqrt(np.max(np.maximum(d**2, v), axis=-1, keepdims=True))
    n_free = np.maximum(result.n_datasets - 1.0, 1.0)[..., np.newaxis]
    n_chunks = 1 + d.size * len(TAIL) // MOST
    chunks = [
        _tau2_at(d / scale, v / scale**2, present, special.chdtri(n_free, tail))
        for tail in np.array_split(TAIL, n_chunks)
    ]
    tau2 = scale**2 * np.concatenate(chunks, axis=-1)
    squares = result.weights**2
    within = np.sum(squares * v, axis=-1)
    between = np.sum(squares, axis=-1)
    return np.sqrt(tau2 * (1 + between[..., np.newaxis]) + within[..., np.newaxis])


def _tau2_at(d, v, present, quantiles):
    """Return the τ² at which Q is one of the quantiles, of their shape (..., n)."""
    shape = (*quantiles.shape, d.shape[-1])
    d, v, present = (
        np.broadcast_to(values[..., np.newaxis, :], shape) for values in (d, v, present)
    )
    return paule_mandel(d, v, present, quantiles)


def _mixture_quantile(deviations, p):
    """Return the quantile of equal parts of centred normals, of the last axis."""
    far = special.ndtri(p) * deviations
    low = far.min(axis=-1)
    high = far.max(axis=-1)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        below = special.ndtr(middle[..., np.newaxis] / deviations).mean(axis=-1) < p
        low = np.where(below, middle, low)
        high = np.where(below, high, middle)
    return (low + high) / 2
