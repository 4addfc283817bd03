"""Moments of residuals, of blocks, examples or groups, and the variances built on them.

Pure functions of arrays; notation of [GB06] (Grandvalet & Bengio 2006) and [BG03]
(Bengio & Grandvalet 2003): n residuals in K blocks of sizes m_k.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse

# Number of residuals processed at a time, unless a single block holds more. Doubled,
# they may not fit into the cache of a processor.
CHUNK = 2**14
N_TYPICAL = 39  # of the first values, whose median is what most have in common


class VarianceEstimates(NamedTuple):
    """The estimates of Var μ̂ of [GB06], table 1 and section 3.5.

    Attributes
    ----------
    theta1, theta2, theta3, theta4, theta5 : float
        Unbiased if, in this order: μ = 0; ω = 0; γ = 0; γ = -mω/(n - m);
        ω = γ = 0.
    """

    theta1: float
    theta2: float
    theta3: float
    theta4: float
    theta5: float


def block_sums(values, row_split, n_splits, axis=0):
    """Return the sum of the values in each block, of length n_splits along `axis`.

    `row_split` is the block of each row, in ascending order and without gaps.
    """
    starts = np.searchsorted(row_split, np.arange(n_splits))
    return np.add.reduceat(values, starts, axis=axis)


def quadratic_moments(square_sum, sums, sizes):
    """Return (s1, s2, s3), the three invariant quadratic statistics.

    s1 is the mean of e_i^2, s2 the mean of e_i e_j over the pairs within a block,
    s3 the mean over the pairs of different blocks: [BG03] lemma 3, [GB06] eq. (8).
    With blocks of unequal sizes the means are still over all such pairs. A mean
    over no pair (s2 in leave-one-out) is nan.

    Parameters
    ----------
    square_sum : float
        The sum of e_i^2.
    sums, sizes : ndarray of shape (K,)
        Sum of the residuals of each block, and their number.
    """
    n = sizes.sum()
    n_within, n_between = _pair_counts(sizes)
    sums_squared = np.sum(sums**2)
    s1 = square_sum / n
    s2 = (sums_squared - square_sum) / n_within if n_within else np.nan
    s3 = (np.sum(sums) ** 2 - sums_squared) / n_between if n_between else np.nan
    return float(s1), float(s2), float(s3)


def _pair_counts(sizes):
    """Numbers of ordered pairs i != j within a block, and of different blocks."""
    n = float(sizes.sum())
    n_same = float(np.sum(sizes.astype(np.float64) ** 2))
    return n_same - n, n**2 - n_same


class BlockMoments(NamedTuple):
    """Moments of residuals divided by `scale`, a power of two near the largest.

    Attributes
    ----------
    scale : float or ndarray of shape (...)
        So that squares neither overflow nor vanish.
    sizes : ndarray of shape (K,)
        Sizes of the blocks.
    shift : float or ndarray of shape (...)
        A value near the mean of all residuals, which is subtracted from them.
    means : ndarray of shape (..., K)
        Means of the blocks, less `shift`.
    squares, cubes : ndarray of shape (..., K)
        Sums over each block of the second and third power of the deviation from its
        mean. `cubes` is None where third powers are not known.
    """

    scale: np.ndarray
    sizes: np.ndarray
    shift: np.ndarray
    means: np.ndarray
    squares: np.ndarray
    cubes: np.ndarray | None

    def of(self, blocks):
        """Return the moments of a slice of blocks; without third powers."""
        return self._replace(
            sizes=self.sizes[blocks],
            means=self.means[..., blocks],
            squares=self.squares[..., blocks],
            cubes=None,
        )

    @property
    def mean(self):
        """Mean of all residuals, divided by `scale`."""
        return self.shift + self.means @ self.sizes / self.sizes.sum()

    @property
    def deviations(self):
        """Means of the blocks less the mean of all."""
        mean = self.means @ self.sizes / self.sizes.sum()
        return self.means - np.expand_dims(mean, -1)

    @property
    def total_squares(self):
        """Sum of the squared deviations from the mean of all."""
        return self.squares.sum(axis=-1) + self.deviations**2 @ self.sizes

    @property
    def total_cubes(self):
        """Sum of the third powers of the deviations from the mean of all."""
        d = self.deviations
        within = self.cubes.sum(axis=-1) + 3 * np.sum(self.squares * d, axis=-1)
        return within + (d * d * d) @ self.sizes  # d**3 takes a hundred times as long

    @property
    def variances(self):
        """The five estimates of Var μ̂, for residuals divided by `scale`."""
        within = self.squares.sum(axis=-1)
        return variances_from_blocks(self.means, within, self.sizes, self.shift)


def block_moments(values, row_split, largest):
    """Return the moments of residuals (..., n) in ascending blocks, in one pass.

    `largest` is the magnitude of the largest, of shape (...).
    """
    scale = power_of_two(largest)
    starts = np.searchsorted(row_split, np.arange(row_split[-1] + 2))
    sizes = np.diff(starts)
    shift = None
    means = []
    squares = []
    cubes = []
    for first, last in _chunks(starts):
        chunk = values[..., starts[first] : starts[last]]
        with np.errstate(over="ignore"):  # numpy 1.26 reports one for subnormal numbers
            chunk = chunk / np.expand_dims(scale, -1)
        if shift is None:
            shift = chunk[..., : sizes[0]].mean(axis=-1)
        chunk -= np.expand_dims(shift, -1)
        starts_in_chunk = starts[first:last] - starts[first]
        sizes_in_chunk = sizes[first:last]
        means_in_chunk = np.add.reduceat(chunk, starts_in_chunk, axis=-1)
        means_in_chunk = means_in_chunk / sizes_in_chunk
        if last - first == 1:  # its mean need not be repeated
            chunk -= means_in_chunk
        else:
            chunk -= np.repeat(means_in_chunk, sizes_in_chunk, axis=-1)
        means.append(means_in_chunk)
        powers = chunk * chunk
        squares.append(np.add.reduceat(powers, starts_in_chunk, axis=-1))
        powers *= chunk
        cubes.append(np.add.reduceat(powers, starts_in_chunk, axis=-1))
    return BlockMoments(
        scale=scale,
        sizes=sizes,
        shift=shift,
        means=np.concatenate(means, axis=-1),
        squares=np.concatenate(squares, axis=-1),
        cubes=np.concatenate(cubes, axis=-1),
    )


def _chunks(starts):
    """Yield (first, last) blocks of chunks of whole blocks."""
    first = 0
    while first < len(starts) - 1:
        last = np.searchsorted(starts, starts[first] + CHUNK, side="right") - 1
        last = max(int(last), first + 1)
        yield first, last
        first = last


def largest_magnitude(values):
    """Return the largest absolute value along the last axis; nan or inf if one is."""
    return np.maximum(values.max(axis=-1), -values.min(axis=-1))[()]


def power_of_two(magnitude):
    """Return the largest power of two not above `magnitude`; 1 for 0."""
    magnitude = np.where(magnitude > 0, magnitude, 1.0)
    _, exponent = np.frexp(magnitude)
    return np.ldexp(1.0, exponent - 1)[()]


def variances_from_blocks(block_means, within, sizes, shift=0.0):
    """Return the five estimates of Var μ̂, vectorised over leading axes.

    Parameters
    ----------
    block_means : ndarray of shape (..., K)
        Means of the blocks, less `shift`.
    within : ndarray of shape (...)
        Sum over all examples of the squared deviation from their block's mean.
    sizes : ndarray of shape (K,)
        Sizes of the blocks.
    shift : ndarray of shape (...), default=0
        Value that was subtracted from all residuals beforehand, for accuracy.
    """
    n = sizes.sum()
    n_blocks = len(sizes)
    mean = block_means @ sizes / n
    sums = sizes * (block_means - np.expand_dims(mean, -1))
    sums_squared = np.sum(sums**2, axis=-1)
    square_sum = within + np.sum(sums**2 / sizes, axis=-1)
    # [GB06] table 1 on centred residuals (their sum, hence s3's, is zero); the
    # coefficients of theta 2-5 sum to zero, so that changes nothing for equal
    # blocks. n(m - 1) and n(n - m) are written as numbers of pairs.
    n_within, n_between = _pair_counts(sizes)
    with np.errstate(divide="ignore", invalid="ignore"):  # of one block: nan
        theta3 = sums_squared / n_between
    s1 = square_sum / n
    s3 = -theta3
    theta5 = square_sum / (n * (n - 1))
    if n_within:
        s2 = (sums_squared - square_sum) / n_within
        a = 1 / n
        c = n_between / n**2
        theta2 = a * s1 - (a + c) * s2 + c * s3
        theta4 = within / (n - n_blocks) / n
    else:  # leave-one-out
        theta2 = theta4 = np.full_like(theta5, np.nan)[()]
    return VarianceEstimates((mean + shift) ** 2, theta2, theta3, theta4, theta5)


# Residuals averaged over the runs of a repeated K-fold, or summed over groups ---


class ExampleMoments(NamedTuple):
    """Moments of residuals averaged per example over R runs, divided by `scale`.

    With e_ir the residual of example i in run r and ē_i its mean over the runs.

    Attributes
    ----------
    scale : float or ndarray of shape (...)
        A power of two near the largest residual.
    n_examples, n_runs : int
        Their numbers n and R.
    mean : float or ndarray of shape (...)
        Mean of the ē_i.
    squares, cubes : float or ndarray of shape (...)
        Sums of the second and third powers of the deviations of the ē_i from it.
    run_squares : float or ndarray of shape (...)
        Mean over the runs of the sum of the squared deviations of their residuals from
        their mean.
    run_variance : float or ndarray of shape (...)
        Sample variance of the means of the runs; nan of one.
    """

    scale: np.ndarray
    n_examples: int
    n_runs: int
    mean: np.ndarray
    squares: np.ndarray
    cubes: np.ndarray
    run_squares: np.ndarray
    run_variance: np.ndarray

    @property
    def theta(self):
        """θ̂5 of the averages."""
        return self.squares / (self.n_examples * (self.n_examples - 1))

    @property
    def run_theta(self):
        """Mean over the runs of θ̂5 of one run."""
        return self.run_squares / (self.n_examples * (self.n_examples - 1))

    @property
    def split_noise(self):
        """v̂ = Σ_i Σ_r (e_ir - ē_i)² / (n²(R - 1)); nan of one run.

        The split variance of the mean of a run, were the noise of examples independent.
        """
        if self.n_runs == 1:
            return np.full_like(self.squares, np.nan)[()]
        n = self.n_examples
        n_runs = self.n_runs
        # Σ(e_ir - ē_i)² = Σ_r Σ_i (e_ir - e_·r)² - R Σ(ē_i - ē)² + n Σ_r(e_·r - ē)²
        noise = n_runs * (self.run_squares - self.squares)
        noise = noise / (n_runs - 1) + n * self.run_variance
        return np.maximum(noise, 0) / n**2


def example_moments(values):
    """Return the moments of residuals (..., n_examples, n_runs), and the averages."""
    n_examples, n_runs = values.shape[-2:]
    flat = values.reshape(*values.shape[:-2], -1)
    scale = power_of_two(largest_magnitude(flat))
    with np.errstate(over="ignore"):  # numpy 1.26 reports one for subnormal numbers
        values = values / np.expand_dims(scale, (-2, -1))
    averages = values.mean(axis=-1)
    mean = averages.mean(axis=-1)
    deviations = averages - np.expand_dims(mean, -1)
    means = values.mean(axis=-2)
    within = values - np.expand_dims(means, -2)
    squares = deviations**2
    run_variance = np.full(np.shape(mean), np.nan)[()]
    if n_runs > 1:
        run_variance = means.var(axis=-1, ddof=1)
    moments = ExampleMoments(
        scale=scale,
        n_examples=n_examples,
        n_runs=n_runs,
        mean=mean,
        squares=squares.sum(axis=-1),
        cubes=np.sum(squares * deviations, axis=-1),
        run_squares=np.sum(within**2, axis=(-2, -1)) / n_runs,
        run_variance=run_variance,
    )
    return moments, averages


def count_different(values):
    """Return how many values differ from their median, along the last axis."""
    median = np.median(values, axis=-1, keepdims=True)
    return np.count_nonzero(values != median, axis=-1)


def count_untypical(values, largest):
    """Return how many values are not the median of the first, along the last axis.

    By more than rounding. If fewer than half of 39 differ from the others, the median
    of any 39 is what the others have in common.
    """
    typical = np.median(values[..., :N_TYPICAL], axis=-1, keepdims=True)
    rounding = 8 * np.finfo(np.float64).eps * np.expand_dims(largest, -1)
    is_different = (values < typical - rounding) | (values > typical + rounding)
    return np.count_nonzero(is_different, axis=-1)


def cluster_sums(values, codes, weights=None):
    """Return the (weighted) sum of the values of each group, of shape (..., G)."""
    shape = (*values.shape[:-1], codes.max() + 1)
    rows = values.reshape(-1, values.shape[-1])
    if len(rows) == 1:
        row = rows[0] if weights is None else rows[0] * weights
        return np.bincount(codes, weights=row).reshape(shape)
    n = len(codes)
    weights = np.ones(n) if weights is None else weights
    indicator = sparse.csr_array((weights, codes, np.arange(n + 1)), (n, shape[-1]))
    return (indicator.T @ rows.T).T.reshape(shape)


def group_values(values, codes):
    """Return residuals (..., n, R) as one value for each group, (..., G, R).

    The mean of a run plus the sum over the group of the deviations from it, over n/G:
    their mean equals the mean over examples, and their variance over G is θ̂5 by
    groups.
    """
    _, codes = np.unique(codes, return_inverse=True)
    means = values.mean(axis=-2, keepdims=True)
    sums = cluster_sums(np.swapaxes(values - means, -1, -2), codes)
    sums = np.swapaxes(sums, -1, -2)
    return means + sums * (sums.shape[-2] / values.shape[-2])


# How heavy the tails of the errors behind losses are ----------------------------


def error_tails(losses):
    """Return the L-skewness of the absolute errors of each estimator.

    Parameters
    ----------
    losses : CVLosses
        Squared errors.

    Returns
    -------
    tails : ndarray of shape (n_estimators,) or None
        None unless losses are of examples, without weights. An example that was tested
        several times has the mean of its errors.
    """
    if not losses.per_example or losses.is_weighted:
        return None
    values = np.sqrt(np.maximum(losses.losses.T, 0))
    if losses.row_index is not None:
        _, example = np.unique(losses.row_index, return_inverse=True)
        values = cluster_sums(values, example) / np.bincount(example)
    return l_skewness(values)


def l_skewness(values):
    """Return the L-skewness of values over the last axis, 0 if they do not vary.

    From probability-weighted moments; Hosking (1990), JRSS B 52, 105-124, section 3.
    """
    n = values.shape[-1]
    if n < 3:
        return np.zeros(values.shape[:-1])
    x = np.sort(values, axis=-1)
    largest = np.abs(x).max(axis=-1, keepdims=True)
    x = x / np.maximum(largest, np.finfo(float).tiny)
    i = np.arange(n)
    b0 = x.mean(axis=-1)
    b1 = x @ (i / (n * (n - 1)))
    b2 = x @ (i * (i - 1) / (n * (n - 1) * (n - 2)))
    spread = 2 * b1 - b0
    is_flat = ~(spread > 8 * np.finfo(float).eps)
    divisor = np.where(is_flat, 1, spread)
    return np.where(is_flat, 0, (6 * b2 - 6 * b1 + b0) / divisor)
