"""check_claim: what published means and spreads say of a difference, and what not."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

import numpy as np
from scipy import stats

from .._report._claim import claim_document
from .._typing import Sequence
from .._validation import (
    check_integer,
    check_level,
    check_option,
    check_real_array,
    invalid,
)
from ._result import Result

LARGEST_RHO = 0.7  # of one run of a K-fold: the largest that [GB06] saw
SHOWN_R = (0.0, 0.5, 0.8, 0.9, 0.95)


@dataclass(frozen=True, repr=False)
class ClaimCheck(Result):
    """What follows from published numbers. Made by :func:`check_claim`.

    Attributes
    ----------
    difference : float
        The mean of a less the mean of b.
    pvalue_range : tuple of two floats
        The smallest and largest p-value that the numbers allow: over every correlation
        r, every ρ from 0 to the last of `rhos`, and the rounding.
    rhos : tuple of float
        ρ of the usual t test, of Nadeau and Bengio's, and the largest; of repeats and
        seeds only 0.
    needed_r : tuple of float
        For each of them, the correlation of the scores of a and b above which
        p <= alpha: -1 or less if for any, inf if for none.
    n : int
        Number of scores that each mean is of.
    of : {"folds", "repeats", "seeds"}
        What the scores are of.
    alpha : float
        The level.
    table : list of dict
        p-values by r and ρ, as published, without the rounding.
    """

    difference: float
    pvalue_range: tuple
    rhos: tuple
    needed_r: tuple
    n: int
    of: str
    alpha: float
    table: list

    no_picture = "its table is small."
    no_file = "it is computed from four numbers in no time."

    def _document(self):
        return claim_document(self)

    def _columns(self):
        return {key: [row[key] for row in self.table] for key in ("r", "rho", "pvalue")}


def check_claim(
    a: Sequence[float],
    b: Sequence[float],
    *,
    spread: Literal["sd", "se", "ci"] = "sd",
    of: Literal["folds", "repeats", "seeds"] = "folds",
    n: int,
    cv: int | None = None,
    alpha: float = 0.05,
) -> ClaimCheck:
    """Check a published claim that one model is better, from means and spreads alone.

    A table says "0.762 ± 0.028 against 0.750 ± 0.031". Whether that is a difference
    depends on two things that are not in the table: how strongly the scores of the two
    models are correlated (both find the same folds hard), and how strongly folds are
    correlated with each other (ρ). This gives the range of p-values over both.

    Parameters
    ----------
    a, b : tuple of two floats
        Mean and spread of each model as published, in the same unit. They are taken to
        be rounded to as many decimals as the one with most has.
    spread : {"sd", "se", "ci"}, default="sd"
        Standard deviation, standard error of the mean, or half the width of a 95%
        confidence interval.
    of : {"folds", "repeats", "seeds"}, default="folds"
        What it is the spread of: scores of test folds, means of whole runs of
        cross-validation on the same data, or runs with other seeds on one split.
    n : int
        How many of them.
    cv : int, default=None
        Number of folds K of a run, for folds only. None takes `n`: one run.
    alpha : float, default=0.05
        The level, in (0, 1).

    Returns
    -------
    claim : ClaimCheck
        With `pvalue_range` and `needed_r`, sentences and a table.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    See Also
    --------
    corrected_ttest : For the scores of the folds.

    Notes
    -----
    With standard deviations :math:`s_a`, :math:`s_b` of n scores that have the
    correlation r, the differences have the variance
    :math:`s^2 = s_a^2 + s_b^2 - 2 r s_a s_b`, and

    .. math:: t = \\sqrt{n (1 - \\rho)}\\, (\\bar a - \\bar b) / s \\sim t_{n-1}.

    Of the folds of m runs, ρ is 0 for the usual t test, m w/(1 + m w) with w =
    K/(K - 1) for Nadeau and Bengio's [1]_, and at most 1 - 0.3/m: 0.7 of a single run
    is the largest that Grandvalet and Bengio [2]_ saw, and further runs may add
    nothing. Standard deviations may be divided by n - 1 or by n, and half an interval
    may be 1.96 standard errors or as many as the t distribution says: the range holds
    for either. The means of runs vary by the splits alone, since each run has all
    examples, and runs of other seeds on one split by the seeds alone: their spread says
    nothing about other data, only whether other splits, or seeds, would lead to the
    same conclusion.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error",
       Machine Learning 52, 239-281, 2003. :doi:`10.1023/A:1024068626366`
    .. [2] Y. Grandvalet and Y. Bengio, "Hypothesis Testing for
       Cross-Validation", Technical Report 1285, DIRO, Université de Montréal, 2006.

    Examples
    --------
    >>> from sklearn_cvtest import check_claim
    >>> claim = check_claim((0.762, 0.028), (0.750, 0.031), n=10)
    >>> print([round(p, 3) for p in claim.pvalue_range])
    [0.0, 0.77]
    >>> print(round(claim.needed_r[1], 2))
    0.93
    """
    means, spreads = zip(*(_pair(*item) for item in (("a", a), ("b", b))), strict=True)
    check_option("spread", spread, ("sd", "se", "ci"))
    check_option("of", of, ("folds", "repeats", "seeds"))
    n = check_integer("n", n, 2, 10**9)
    alpha = check_level("alpha", alpha)
    rhos = _rhos(of, n, cv)
    half = 0.5 * 10.0 ** -max(map(_decimals, means + spreads))  # 0.90 is given as 0.9
    low, middle, high = _deviations(np.array(spreads), half, spread, n)
    difference = means[0] - means[1]
    least = max(abs(difference) - 2 * half, 0.0)
    apart = max(low[0] - high[1], low[1] - high[0], 0.0)
    needed = [_needed_r(difference, middle, n, rho, alpha) for rho in rhos]
    return ClaimCheck(
        difference=float(difference),
        pvalue_range=(
            _pvalue(abs(difference) + 2 * half, apart, n, 0.0),
            _pvalue(least, high.sum(), n, rhos[-1]),
        ),
        rhos=rhos,
        needed_r=tuple(needed),
        n=n,
        of=of,
        alpha=alpha,
        table=[
            {"r": r, "rho": rho, "pvalue": _pvalue(difference, _of(middle, r), n, rho)}
            for r in SHOWN_R
            for rho in rhos
        ],
    )


def _pair(name, values):
    """Return a mean and a spread."""
    values = check_real_array(name, values, (1,))
    if len(values) != 2 or not np.isfinite(values).all() or values[1] < 0:
        allowed = "a finite mean and a spread that is not negative"
        raise invalid(name, allowed, values.tolist())
    return values.tolist()


def _rhos(of, n, cv):
    """Return ρ of the usual t test, Nadeau and Bengio's, and the largest."""
    if of != "folds":
        if cv is not None:
            raise invalid("cv", f"None for {of}, which share their examples", cv)
        return (0.0,)
    cv = check_integer("cv", n if cv is None else cv, 2, 10**9)
    if n % cv:
        raise invalid("cv", f"a divisor of n, {n}", cv)
    n_runs = n // cv
    weight = n_runs * cv / (cv - 1)
    # the largest: as if all runs were copies of one
    return 0.0, weight / (1 + weight), 1 - (1 - LARGEST_RHO) / n_runs


def _decimals(value):
    """Return how many decimals a number is given with."""
    return max(0, -Decimal(repr(value)).as_tuple().exponent)


def _deviations(spreads, half, kind, n):
    """Return the least, the likely and the largest standard deviations."""
    as_sample = np.sqrt(n / (n - 1))
    few, many = 1.0, 1.0
    if kind == "se":
        few = many = np.sqrt(n)
    if kind == "ci":
        few, many = (
            np.sqrt(n) / q for q in (stats.t.ppf(0.975, n - 1), stats.norm.ppf(0.975))
        )
    least = np.maximum(spreads - half, 0.0) * few
    return least, spreads * few, (spreads + half) * many * as_sample


def _of(deviations, r):
    """Return the standard deviation of the differences."""
    first, second = deviations
    return np.sqrt(max(first**2 + second**2 - 2 * r * first * second, 0.0))


def _pvalue(difference, deviation, n, rho):
    """Return the two-sided p-value."""
    if difference == 0:
        return 1.0
    with np.errstate(divide="ignore"):
        t = np.sqrt(n * (1 - rho)) * abs(difference) / np.float64(deviation)
    return float(2 * stats.t.sf(t, n - 1))


def _needed_r(difference, deviations, n, rho, alpha):
    """Return the correlation above which p <= alpha: -1 if any, inf if none."""
    largest = np.sqrt(n * (1 - rho)) * abs(difference) / stats.t.isf(alpha / 2, n - 1)
    first, second = deviations
    if first + second <= largest:
        return -1.0
    if difference == 0 or abs(first - second) > largest:
        return np.inf
    return float((first**2 + second**2 - largest**2) / (2 * first * second))
