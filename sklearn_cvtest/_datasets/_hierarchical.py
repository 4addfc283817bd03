"""Bayesian comparison over data sets: the hierarchical model and the signed-rank test.

[C17] is G. Corani, A. Benavoli, J. Demšar, F. Mangili and M. Zaffalon, "Statistical
comparison of classifiers through Bayesian hierarchical modelling", Machine Learning
106, 1817-1837, 2017, :doi:`10.1007/s10994-017-5641-9`.
[B14] is A. Benavoli, F. Mangili, G. Corani, M. Zaffalon and F. Ruggeri, "A Bayesian
Wilcoxon signed-rank test based on the Dirichlet process", ICML 2014.
"""

from typing import NamedTuple

import numpy as np
from scipy import special

from .._inference._student import ROUNDING
from .._validation import check_integer, check_real, check_seed, invalid, invalid_words
from ._differences import scaled_chunks

# The priors of [C17], with baycomp's bounds.
ALPHA = (1.0, 2.0)  # shape of the gamma distribution of ν - 1
BETA = (0.01, 0.1)  # its rate
UPPER = 1000.0  # largest σ_i and σ0 over the observed
NU = 1 + np.geomspace(0.02, 1000, 48)  # where the posterior of ν is computed
TINY = 1e-200
UNDERFLOW = 1e-290  # tail probabilities below are drawn from without their inverse
FLAT = 1e-4  # deviation within a data set without any, over the typical one


class HierarchicalPosterior(NamedTuple):
    """Draws from the posterior of the hierarchical model.

    `delta0`, `sigma0` and `nu`, of shape (n_chains, n_draws), are mean, scale and
    degrees of freedom of the distribution that differences of data sets come from.
    `means` and `deviations`, of shape (D,), describe the posterior of the difference on
    each data set, which borrow strength from the others.
    """

    delta0: np.ndarray
    sigma0: np.ndarray
    nu: np.ndarray
    means: np.ndarray
    deviations: np.ndarray


def _below(distance, scale, df):
    """Return P(scale t < distance), a step where the scale is zero."""
    is_point = scale == 0
    ratio = distance / np.where(is_point, 1, scale)
    return np.where(is_point, distance > 0, special.stdtr(df, ratio))


def sample_hierarchical(
    means,
    squares,
    n_splits,
    correlations,
    *,
    n_chains=64,
    n_draws=400,
    n_burn=150,
    random_state=None,
):
    """Sample the posterior of the hierarchical model of [C17].

    x_i ~ N(δ_i 1, σ_i² M_i), δ_i ~ t(δ0, σ0, ν), with the flat priors σ_i ~ U(0, 1000
    s̄), δ0 ~ U(-max |x|, max |x|), σ0 ~ U(0, 1000 s0), and ν - 1 ~ Gamma(α, β),
    α ~ U(1, 2), β ~ U(0.01, 0.1): s̄ is the mean standard deviation within data sets,
    s0 the standard deviation of their means.

    Parameters
    ----------
    means, squares : ndarray of shape (D,)
        Mean difference x̄_i of the splits of each data set, and Σ_j (x_ij - x̄_i)².
    n_splits : ndarray of shape (D,)
        J_i >= 2: numbers of splits.
    correlations : ndarray of shape (D,)
        Correlation of two splits: n_test/(n_train + n_test), as in [C17]; in [0, 1).
    n_chains, n_draws, n_burn : int
        Independent chains, and how many draws of each are kept and dropped.
    random_state : int, RandomState or None, default=None
        Seed.

    Returns
    -------
    posterior : HierarchicalPosterior
        The draws.

    Raises
    ------
    ValueError
        With fewer than two data sets, or if the differences are all the same.

    Notes
    -----
    A Gibbs sampler. Given the precisions 1/σ_i² and t distributions as mixtures of
    normal ones [N(δ0, σ0²/λ_i), λ_i ~ Gamma(ν/2, ν/2)], δ0 and δ_i are normal, and
    1/σ_i², λ_i and 1/σ0² gamma variables. ν is drawn from 48 values, without the λ_i.
    σ0 is drawn twice: given δ_i, and given (δ_i - δ0)/σ0 (Yu and Meng 2011,
    :doi:`10.1198/jcgs.2011.203main`), so that it moves where it is small.

    A data set whose splits all agree does not show how much splits vary there: it gets
    the mean standard deviation of the others; if all agree everywhere, 1e-4 of the
    standard deviation of the means.
    """
    for name, value in (("n_chains", n_chains), ("n_draws", n_draws)):
        check_integer(name, value, 2)
    check_integer("n_burn", n_burn, 0)
    rng = check_seed("random_state", random_state)
    data = _DataSets(means, squares, n_splits, correlations)
    state = _Chains(data, n_chains, rng)
    kept = []
    total, total_squares = np.zeros(len(data.means)), np.zeros(len(data.means))
    for step in range(n_burn + n_draws):
        state.step()
        if step >= n_burn:
            kept.append((state.delta0, state.sigma0, state.nu))
            total += state.deltas.mean(axis=0)
            total_squares += np.mean(state.deltas**2, axis=0)
    delta0, sigma0, nu = (
        np.stack(column, axis=1) for column in zip(*kept, strict=True)
    )
    total, total_squares = total / n_draws, total_squares / n_draws
    deviations = np.sqrt(np.maximum(total_squares - total**2, 0))
    scale = data.scale
    return HierarchicalPosterior(
        scale * delta0, scale * sigma0, nu, scale * total, scale * deviations
    )


class _DataSets:
    """What the model knows of the data sets, in units of the typical deviation."""

    def __init__(self, means, squares, n_splits, correlations):
        means, squares, n_splits, correlations = (
            np.asarray(values, dtype=np.float64)
            for values in (means, squares, n_splits, correlations)
        )
        if means.ndim != 1 or len(means) < 2:
            allowed = "an array of at least two data sets"
            raise invalid_words("means", allowed, f"one of shape {means.shape}")
        n_splits, correlations = (
            np.broadcast_to(values, means.shape) for values in (n_splits, correlations)
        )
        if n_splits.min() < 2:
            raise invalid("n_splits", "integers >= 2", n_splits.min())
        if correlations.min() < 0 or correlations.max() >= 1:
            raise invalid("correlations", "in [0, 1)", correlations.tolist())
        deviations = np.sqrt(squares / n_splits)
        among = means.std()
        self.scale = deviations.mean() or among
        if self.scale == 0:
            hint = "They do not show how much differences scatter."
            raise invalid(
                "squares", "not all zero if all means are equal", 0.0, hint=hint
            )
        typical = deviations[deviations > 0].mean() if deviations.any() else 0.0
        deviations = np.where(deviations > 0, deviations, typical) / self.scale
        deviations = np.maximum(deviations, FLAT)
        self.means, self.n_splits = means / self.scale, n_splits
        self.spread = n_splits * deviations**2 / (1 - correlations)
        # the variance of a mean is σ²/n_effective
        self.n_effective = n_splits / (1 + (n_splits - 1) * correlations)
        self.upper = UPPER * deviations.mean()
        among = among / self.scale
        is_rounding = among < ROUNDING * max(np.abs(self.means).max(), 1)
        self.upper0 = UPPER * (deviations.mean() if is_rounding else among)
        # the largest |x|, of which the mean and the spread are known
        self.bound = np.max(np.abs(self.means) + deviations * np.sqrt(n_splits - 1))


class _Chains:
    """The state of all chains: deltas and mixing weights of shape (n_chains, D)."""

    def __init__(self, data, n_chains, rng):
        self.data, self.rng = data, rng
        shape = n_chains, len(data.means)
        start = max(data.means.std(), 0.1)
        self.sigma0 = start * np.exp(rng.normal(size=n_chains))
        self.deltas = data.means + start * rng.normal(size=shape)
        self.mixing = np.ones(shape)
        self.log_prior = _log_prior(NU)

    def step(self):
        """Draw everything once."""
        self._draw_precisions()
        self._draw_delta0()
        self._draw_deltas()
        self._draw_nu()
        self._draw_sigma0()
        self._rescale()

    def _draw_precisions(self):
        """1/σ_i² given δ_i; then the precision of the mean of a data set."""
        data = self.data
        squares = data.spread + data.n_effective * (data.means - self.deltas) ** 2
        shape = np.broadcast_to((data.n_splits - 1) / 2, squares.shape)
        lowest = data.upper**-2
        precisions = self.rng.standard_gamma(shape) * 2 / squares
        low = precisions < lowest
        precisions[low] = self._gamma_above(shape[low], squares[low] / 2, lowest)
        self.precisions = precisions * data.n_effective

    def _gamma_above(self, shape, rate, lowest):
        """Draw gamma variables above a bound."""
        upper = special.gammaincc(shape, rate * lowest)
        share = 1 - self.rng.random_sample(np.shape(rate))
        draws = special.gammainccinv(shape, share * upper) / rate
        far = upper < UNDERFLOW  # where the inverse is infinite
        if far.any():
            shape = np.broadcast_to(shape, far.shape)[far]
            draws[far] = _gamma_tail(self.rng, shape, (rate * lowest)[far]) / rate[far]
        return np.maximum(draws, lowest)

    def _draw_delta0(self):
        """δ0 given everything but δ_i: the means are N(δ0, 1/precision + σ0²/λ_i)."""
        variances = self.sigma0[:, np.newaxis] ** 2 / self.mixing
        weights = 1 / (1 / self.precisions + variances)
        total = weights.sum(axis=1)
        mean, deviation = weights @ self.data.means / total, total**-0.5
        bounds = np.array([[-self.data.bound], [self.data.bound]])
        low, high = special.ndtr((bounds - mean) / deviation)
        share = self.rng.random_sample(len(mean))
        z = special.ndtri(low + share * (high - low))
        self.delta0 = np.clip(mean + deviation * z, *bounds)

    def _draw_deltas(self):
        """δ_i given δ0: between the mean of the data set and δ0."""
        prior = self.mixing / self.sigma0[:, np.newaxis] ** 2
        total = self.precisions + prior
        mean = self.precisions * self.data.means + prior * self.delta0[:, np.newaxis]
        noise = self.rng.standard_normal(total.shape)
        self.deltas = mean / total + noise / np.sqrt(total)

    def _draw_nu(self):
        """Draw ν given δ_i, of its grid, then λ_i."""
        offsets = self.deltas - self.delta0[:, np.newaxis]
        squares = (offsets / self.sigma0[:, np.newaxis]) ** 2
        logs = [np.log1p(squares / nu).sum(axis=1) for nu in NU]
        density = self.log_prior - (NU + 1) / 2 * np.stack(logs, axis=1)
        density += squares.shape[1] * _log_t_constant(NU)
        mass = np.cumsum(np.exp(density - density.max(axis=1, keepdims=True)), axis=1)
        share = self.rng.random_sample((len(mass), 1)) * mass[:, -1:]
        self.nu = NU[np.minimum(np.sum(mass < share, axis=1), len(NU) - 1)]
        nu = self.nu[:, np.newaxis]
        shape = np.broadcast_to((nu + 1) / 2, squares.shape)
        self.mixing = self.rng.standard_gamma(shape) * 2 / (nu + squares)

    def _draw_sigma0(self):
        """σ0 given δ_i."""
        offsets = self.deltas - self.delta0[:, np.newaxis]
        squares = np.maximum(np.sum(self.mixing * offsets**2, axis=1), TINY)
        shape = (offsets.shape[1] - 1) / 2
        precision = self._gamma_above(shape, squares / 2, self.data.upper0**-2)
        self.sigma0 = precision**-0.5

    def _rescale(self):
        """σ0 given (δ_i - δ0)/σ0, in which the means are linear; moves the δ_i."""
        relative = self.deltas - self.delta0[:, np.newaxis]
        relative /= self.sigma0[:, np.newaxis]
        offsets = self.data.means - self.delta0[:, np.newaxis]
        total = np.sum(self.precisions * relative**2, axis=1)
        total = np.maximum(total, TINY)  # but for rounding, all may be δ0
        mean = np.sum(self.precisions * relative * offsets, axis=1) / total
        deviation = total**-0.5
        share = np.log(1 - self.rng.random_sample(len(mean)))
        above = special.log_ndtr(mean / deviation)  # of a positive value
        sigma0 = mean - deviation * special.ndtri_exp(share + above)
        self.sigma0 = np.clip(sigma0, TINY, self.data.upper0)
        self.deltas = self.delta0[:, np.newaxis] + self.sigma0[:, np.newaxis] * relative


def _gamma_tail(rng, shape, bound):
    """Draw gamma variables above bounds far in their tails, by rejection.

    The proposal is the bound plus an exponential variable: above shape 1 with the rate
    of the tangent of the log density, which is concave; below, of rate 1.
    """
    rate = 1 - np.maximum(shape - 1, 0) / bound
    draws, missing = np.empty_like(bound), np.ones(bound.shape, dtype=bool)
    while missing.any():
        excess = rng.standard_exponential(np.count_nonzero(missing)) / rate[missing]
        a, start = shape[missing], bound[missing]
        log_ratio = (a - 1) * np.log1p(excess / start) - excess * (1 - rate[missing])
        draws[missing] = start + excess
        missing[missing] = np.log(1 - rng.random_sample(len(a))) > log_ratio
    return draws


def _log_t_constant(nu):
    """Return the log of the constant of Student's density."""
    return special.gammaln((nu + 1) / 2) - special.gammaln(nu / 2) - np.log(nu) / 2


def _log_prior(nu):
    """Return the log probability of values of ν, by its gamma prior's mean."""
    alpha = np.linspace(*ALPHA, 41)[:, np.newaxis]
    beta = np.linspace(*BETA, 41)[:, np.newaxis, np.newaxis]
    excess = nu - 1
    logs = alpha * np.log(beta) + (alpha - 1) * np.log(excess) - beta * excess
    density = np.exp(logs - special.gammaln(alpha)).mean(axis=(0, 1))
    return np.log(density * np.gradient(excess))


def next_dataset_probabilities(posterior, rope=0.0):
    """Return, for each draw, the probabilities of the difference on a new data set.

    [C17]: P(δ < -rope), P(|δ| <= rope), P(δ > rope) of δ ~ t(δ0, σ0, ν), of
    shape (n_chains, n_draws, 3). Their mean over draws is the predictive probability.
    """
    check_real("rope", rope, above=0, closed="low")
    centre, law = posterior.delta0, (posterior.sigma0, posterior.nu)
    less, greater = _below(-rope - centre, *law), _below(centre - rope, *law)
    return np.stack([less, np.maximum(1 - less - greater, 0), greater], axis=-1)


def signed_rank_probabilities(
    differences, rope=0.0, *, prior=0.5, n_draws=50000, random_state=None
):
    """Sample the Bayesian signed-rank test of differences on data sets.

    [B14]: the distribution of differences is a Dirichlet process with a prior
    observation of zero; a draw gives the probabilities that the mean of two
    differences is below, within and above the rope. Ties with its bounds count half.

    Parameters
    ----------
    differences : ndarray of shape (D,)
        A difference for each data set.
    rope : float, default=0.0
        Half the width of the region of practical equivalence.
    prior : float, default=0.5
        Strength of the prior observation.
    n_draws : int, default=50000
        Number of draws.
    random_state : int, RandomState or None, default=None
        Seed.

    Returns
    -------
    ndarray of shape (n_draws, 3)
        The sample; with the same seed, the one of `baycomp.SignedRankTest`.
    """
    check_real("rope", rope, above=0, closed="low")
    check_real("prior", prior, above=0)
    check_integer("n_draws", n_draws, 1)
    values = np.concatenate([[0.0], np.asarray(differences, dtype=np.float64)])
    sums = values[:, np.newaxis] + values
    weights = check_seed("random_state", random_state).dirichlet(
        [prior, *np.ones(len(values) - 1)], n_draws
    )
    less = _quadratic_form(weights, _above(-sums, 2 * rope))
    greater = _quadratic_form(weights, _above(sums, 2 * rope))
    return np.stack([less, np.maximum(1 - less - greater, 0), greater], axis=1)


def _above(sums, bound):
    return (sums > bound) + 0.5 * (sums == bound)


def _quadratic_form(weights, matrix):
    return np.sum(weights @ matrix * weights, axis=1)


# What the Bayesian models say of a pair on a new data set -----------------------


def posterior_of(result, datasets, pair, rope, random_state):
    """Return probabilities by name, as :meth:`DatasetComparison.posterior` does."""
    blocks = [_block_means(result, name, pair) for name in datasets]
    means = np.array([values.mean() for values in blocks])
    found = sample_hierarchical(
        means,
        np.array([np.sum((values - values.mean()) ** 2) for values in blocks]),
        np.array([len(values) for values in blocks]),
        np.array([_test_share(result.losses[name]) for name in datasets]),
        random_state=random_state,
    )
    predictive = next_dataset_probabilities(found, rope).mean(axis=(0, 1))
    ranked = signed_rank_probabilities(means, rope, random_state=random_state)
    sides = ("less", "rope", "greater")
    return dict(zip(sides, predictive.tolist(), strict=True)) | {
        f"signed_rank_{side}": value
        for side, value in zip(sides, ranked.mean(axis=0).tolist(), strict=True)
    }


def _block_means(result, dataset, pair):
    """Return the block means of the differences of a pair, on the scale."""
    losses = result.losses[dataset]
    place = {name: position for position, name in enumerate(losses.estimator_names)}
    options = result.scale, dataset, place.get(result.reference)
    positions = np.array([[place[name] for name in pair]])
    (stack,) = scaled_chunks(result.tests[dataset], losses, positions, *options)
    return stack.runs()[0].block_means[0]


def _test_share(losses):
    """Return the correlation of two splits, n_test/(n_train + n_test)."""
    if losses.n_train is not None and losses.n_test is not None:
        n_test = losses.n_test[losses.design.full].sum()
        return float(n_test / (n_test + losses.n_train[losses.design.full].sum()))
    return 1 / losses.design.n_splits
