"""Reference formulas of the study, pure numpy, vectorised over leading axes.

Shapes: e (..., R, n) residuals of R repeats of K-fold, one value per repeat and example;
D (..., J, 2) estimates in the two halves of J pairs. `python reference.py` runs the checks.
"""

import numpy as np
from scipy import optimize, special

NODES, WEIGHTS = np.polynomial.legendre.leggauss(64)
NODES, WEIGHTS = (NODES + 1) / 2, WEIGHTS / 2


# ------------------------------------------------------------------ 1. repeated K-fold
NU0, KAPPA = 10, 1.25


def rho_range(n_repeats, n_splits, rho_max=0.75):
    """Upper end b of the prior of ρ, which is that of one run whatever n_repeats."""
    if n_repeats == 1:
        return rho_max
    return rho_max * (1 - (10 - min(max(n_splits, 5), 10)) / 45)


def theta5(values, groups=None):
    """Σ(x_i - x̄)²/(n(n-1)) over the last axis; of group sums where groups are given."""
    n = values.shape[-1]
    deviation = values - values.mean(axis=-1, keepdims=True)
    if groups is None:
        return np.sum(deviation**2, axis=-1) / (n * (n - 1))
    sums = group_sums(deviation, groups)
    n_groups = sums.shape[-1]
    return n_groups / (n_groups - 1) * np.sum(sums**2, axis=-1) / n**2


def group_sums(values, groups):
    _, codes = np.unique(groups, return_inverse=True)
    return values @ np.eye(codes.max() + 1)[codes]


def split_noise(e, groups=None):
    """v̂: what θ̂5 of one repeat holds of split noise, Σ_i Σ_r (e_ir - ē_i)²/(n²(R-1)).

    With groups, of the sums of e over a group. Var(mean of example i's noise) over the
    repeats, summed over examples, over n²: were the noise of examples independent, v̂ would
    estimate the split variance of the mean of one repeat.
    """
    n_repeats, n = e.shape[-2:]
    units = e if groups is None else group_sums(e, groups)
    deviation = units - units.mean(axis=-2, keepdims=True)
    return np.sum(deviation**2, axis=(-2, -1)) / (n**2 * (n_repeats - 1))


def run_variance(e):
    """s_m²: sample variance of the means of the repeats."""
    return e.mean(axis=-1).var(axis=-1, ddof=1)


def relative_skewness(values):
    """Skewness over √n: the skewness of the mean of independent values."""
    n = values.shape[-1]
    d = values - values.mean(axis=-1, keepdims=True)
    m2, m3 = np.mean(d**2, axis=-1), np.mean(d**3, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(m2 > 0, m3 / m2**1.5 / np.sqrt(n), 0.0)


def hall(z, a):
    return z + a * (z**2 / 3 + 1 / 6) + a**2 * z**3 / 27


def invert_hall(h, a):
    """The z whose transform is h; a scalar."""
    if a == 0:
        return h
    return 3 / a * (np.cbrt(1 + a * (h - a / 6)) - 1)


def used_skewness(values):
    """a of ē where at least 20 examples differ from the median and |a| > 0.15, else 0."""
    a = relative_skewness(values)
    differ = np.sum(values != np.median(values, axis=-1, keepdims=True), axis=-1)
    return np.where((differ >= 20) & (np.abs(a) > 0.15), a, 0.0)


def averaged_pvalue(difference, theta, theta1, b, a=0.0):
    """p of μ̂ - μ0: the average over ρ in U[0, b] of that of z(ρ) = difference/√Var(ρ)."""
    rho = b * NODES
    theta, theta1 = np.asarray(theta)[..., None], np.asarray(theta1)[..., None]
    variance = theta + rho / (1 - rho) * theta1
    z = hall(
        np.asarray(difference)[..., None] / np.sqrt(variance), np.asarray(a)[..., None]
    )
    return (2 * special.ndtr(-np.abs(z))) @ WEIGHTS


def integrated_critical(alpha, b):
    """The |z(0)| of one K-fold at which the averaged two-sided p-value is alpha."""
    low = -special.ndtri(alpha / 2)
    odds = b / (1 - b)
    return optimize.brentq(
        lambda z: averaged_pvalue(z, 1.0, 1.0, b) - alpha,
        low,
        low * np.sqrt(1 + odds),
        xtol=1e-13,
    )


def integrated(
    e,
    n_splits,
    popmean=0.0,
    rho_max=0.75,
    correct_skewness=True,
    limit=False,
    alpha=0.05,
):
    """IntegratedRhoTest on e (R, n); limit: the verdict of infinitely many repeats."""
    R = len(e)
    mean = e.mean(axis=0)
    theta, theta1 = theta5(mean), theta5(e).mean()
    if limit:
        theta = max(theta - split_noise(e) / R, theta / 4)
    b = rho_range(R, n_splits, rho_max)
    a = float(used_skewness(mean)) if correct_skewness else 0.0
    difference = mean.mean() - popmean
    critical = -special.ndtri(alpha / 2)
    side = 1.0 if difference >= 0 else -1.0
    largest = side * invert_hall(side * critical, a)
    odds = ((difference / largest) ** 2 - theta) / theta1
    rho_alpha = odds / (1 + odds) if odds > -1 else -np.inf

    def end(side):
        quantile = invert_hall(side * critical, a)
        ends = sorted(quantile * np.sqrt([theta, theta + b / (1 - b) * theta1]))
        ends = [ends[0] - 1e-9 * abs(ends[0]), ends[1] + 1e-9 * abs(ends[1])]
        at = optimize.brentq(
            lambda d: averaged_pvalue(d, theta, theta1, b, a) - alpha,
            *ends,
            xtol=1e-300,
            rtol=1e-12,
        )
        return mean.mean() - at

    return {
        "estimate": mean.mean(), "standard_error": np.sqrt(theta),
        "statistic": difference / np.sqrt(theta),
        "pvalue": averaged_pvalue(difference, theta, theta1, b, a),
        "rho_alpha": rho_alpha, "interval": (end(1.0), end(-1.0)), "skewness": a,
    }  # fmt: skip


# ------------------------------------------------------------- 4, 5. seeds and repeats
def split_variance(e):
    """Ŝ, the variance over seeds of the mean of one repeat, and its degrees of freedom."""
    R = e.shape[-2]
    shrunk = NU0 * KAPPA * split_noise(e) + (R - 1) * run_variance(e)
    return shrunk / (NU0 + R - 1), NU0 + R - 1


def probability_of_same(gap, variance, df):
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(variance > 0, gap / np.sqrt(variance), np.inf)
    return special.stdtr(df, t)


def seed_stability(e, n_splits, popmean=0.0, limit=False):
    """Probability that another seed (limit: infinitely many repeats) decides the same.

    As in the study, without the noise of the standard error.
    """
    result = integrated(e, n_splits, popmean, limit=limit)
    gap = np.min(np.abs(np.array(result["interval"]) - popmean))
    variance, df = split_variance(e)
    return float(probability_of_same(gap, (1 if limit else 2) * variance / len(e), df))


def repeats_needed(e, n_splits, popmean=0.0, level=0.99):
    """Repeats at which auto stops, of the repeats e (max_repeats, n)."""
    for R in range(2, len(e)):
        if seed_stability(e[:R], n_splits, popmean, limit=True) >= level:
            return R
    return len(e)


def largest_influence(e, fold):
    """max |z_i| of section 6 and the bound at which to warn; e, fold (R, n)."""
    R, n = e.shape
    d = e - e.mean(axis=0)
    s = np.zeros(n)
    for one, blocks in zip(d, fold):
        size = np.bincount(blocks)[blocks]
        s += (np.bincount(blocks, one)[blocks] - one) / np.maximum(size - 1, 1)
    return np.abs(s).max() / s.std(), -special.ndtri(0.005 / n)


# --------------------------------------------------------------------- 7. halves
def sharp_squares(D, popmean=0.0):
    J = D.shape[-2]
    s = D.sum(axis=-1)
    centre = D.mean(axis=(-2, -1)) - popmean
    q1 = 2 * J * centre**2
    q2 = np.sum((s - s.mean(axis=-1, keepdims=True)) ** 2, axis=-1) / 2
    q3 = np.sum((D[..., 0] - D[..., 1]) ** 2, axis=-1) / 2
    return centre, q1, q2, q3


def sharp_variance_of_mean(sigma2, rho, J):
    return sigma2 * (1 / (2 * J) + (J - 1) * rho / J)


def sharp_score(D, popmean=0.0, rho_max=0.499):
    """z of the score test: (σ², ρ) maximise the likelihood under the null mean.

    The deviance 2J log q(ρ) + Σ mult log λ(ρ) turns only at roots of a cubic.
    """
    J = D.shape[-2]
    centre, q1, q2, q3 = sharp_squares(np.asarray(D, dtype=float), popmean)
    a = J - 1
    coefficients = np.stack(
        [
            4 * a**2 * q3,
            2 * a * (a * q2 - q1 - (J - 2) * q3),
            a * (3 * q1 + 3 * q2 - q3),
            q2 - a * q1,
        ],
        axis=-1,
    )
    roots = np.empty(coefficients.shape[:-1] + (3,))
    for index in np.ndindex(*roots.shape[:-1]):
        found = np.roots(coefficients[index]).real
        roots[index] = np.resize(found, 3) if len(found) else 0.0
    ends = np.broadcast_to([0.0, rho_max], roots.shape[:-1] + (2,))
    rho = np.concatenate([ends, np.clip(roots, 0, rho_max)], axis=-1)
    l1, l2 = 1 + 2 * a * rho, 1 - 2 * rho
    q = q1[..., None] / l1 + q2[..., None] / l2 + q3[..., None]
    deviance = 2 * J * np.log(q / (2 * J)) + np.log(l1) + a * np.log(l2)
    best = deviance.argmin(axis=-1)[..., None]
    rho = np.take_along_axis(rho, best, -1)[..., 0]
    sigma2 = np.take_along_axis(q, best, -1)[..., 0] / (2 * J)
    return centre / np.sqrt(sharp_variance_of_mean(sigma2, rho, J)), rho


def sharp_reml(D, popmean=0.0, rho_max=0.499):
    """z and the variance of the mean by restricted maximum likelihood, closed form."""
    J = D.shape[-2]
    centre, _, q2, q3 = sharp_squares(np.asarray(D, dtype=float), popmean)
    rho = np.clip((1 - J * q2 / ((J - 1) * q3)) / 2, 0, rho_max)
    sigma2 = (q2 / (1 - 2 * rho) + q3) / (2 * J - 1)
    variance = sharp_variance_of_mean(sigma2, rho, J)
    return centre / np.sqrt(variance), variance, rho


def sharp_interval(D, level=0.95):
    """Means that the score test does not reject; ends may be infinite."""
    critical = -special.ndtri((1 - level) / 2)
    estimate = np.mean(D)
    scale = np.sqrt(np.mean((D[:, 0] - D[:, 1]) ** 2) / 2 / (2 * len(D)))

    def excess(mu):
        return abs(sharp_score(D, mu)[0]) - critical

    ends = []
    for side in (-1, 1):
        near, step, end = estimate, side * scale, side * np.inf
        for _ in range(60):
            far = estimate + step if near == estimate else near + step
            if excess(far) > 0:
                end = optimize.brentq(
                    excess, *sorted((near, far)), xtol=1e-14, rtol=8.9e-16
                )
                break
            near, step = far, 2 * step
        ends.append(end)
    return tuple(ends)


def paired_halves_t(D, popmean=0.0):
    """T = (d̄ - μ0)/SE, SE² = Σ Δ_j²/(4J), and its p-value with t_J."""
    J = D.shape[-2]
    se = np.sqrt(np.sum((D[..., 0] - D[..., 1]) ** 2, axis=-1) / (4 * J))
    t = (D.mean(axis=(-2, -1)) - popmean) / se
    return t, 2 * special.stdtr(J, -np.abs(t))


def check():
    D = np.array(
        [
            [0.02, 0.01],
            [0.03, -0.01],
            [0.015, 0.005],
            [0, 0.02],
            [0.01, 0.025],
            [0.012, 0.018],
        ]
    )
    z, _ = sharp_score(D)
    assert f"{z:.6f}" == "1.257562" and f"{2 * special.ndtr(-abs(z)):.6f}" == "0.208550"
    low, high = sharp_interval(D)
    assert f"{low:.7f}" == "-0.0144009" and f"{high:.7f}" == "0.0402342"
    z, variance, _ = sharp_reml(D)
    assert f"{z:.6f}" == "1.336952" and f"{variance:.6e}" == "9.334028e-05"
    t, p = paired_halves_t(D)
    assert f"{t:.6f}" == "1.275558" and f"{p:.6f}" == "0.249269"
    rng = np.random.default_rng(0)
    one = rng.normal(0.3, size=(1, 100))
    result = integrated(one, 10)
    c = -special.ndtri(0.025)
    assert abs(result["rho_alpha"] - (1 - (c / result["statistic"]) ** 2)) < 1e-12
    e = one + rng.normal(size=(4, 100))
    left = 100 * 99 * (theta5(e).mean() - theta5(e.mean(axis=0)))
    right = 0.75 * (100**2 * split_noise(e) - 100 * run_variance(e))
    assert abs(left - right) < 1e-9  # the identity of formulas.md, section 1
    result = integrated(e, 5)
    for end in result["interval"]:
        assert abs(integrated(e, 5, end)["pvalue"] - 0.05) < 1e-9
    w = 1 - theta5(e.mean(axis=0)) / theta5(e).mean()
    rho = 0.4 / (1 - w * 0.6)  # of ē
    var = theta5(e.mean(axis=0)) + 0.4 / 0.6 * theta5(e).mean()
    assert abs(theta5(e.mean(axis=0)) / (1 - rho) - var) < 1e-12
    rng = np.random.default_rng(1)
    e = rng.exponential(size=100) + 0.5 * rng.normal(size=(3, 100))
    print({k: np.round(v, 8) for k, v in integrated(e, 5, 0.6).items()})
    print("stability", seed_stability(e, 5, 0.6), seed_stability(e, 5, 0.6, limit=True))
    print("checks passed")


if __name__ == "__main__":
    check()
