"""plan_comparison: what it would take to find a given difference."""

from typing import NamedTuple

import numpy as np

from .._report._format import format_number, html_text
from .._validation import check_real, invalid
from ._comparison import Comparison

__all__ = ["ComparisonPlan", "plan_comparison"]


FACTOR = 1e6  # of a difference that can be planned for


class ComparisonPlan(NamedTuple):
    """What it would take to find a difference. Made by :func:`plan_comparison`.

    Attributes
    ----------
    n_repeats : int or None
        Repeats of the K-fold, or subsamples, with which it would be found; None if no
        number of them would do, or if one K-fold does not say.
    n_samples : int or None
        Examples with which the same splits would find it; None if the number that
        there are is not known, or `detectable_difference` is 0 or nan.
    floor : float
        The difference that infinitely many repeats would find: a smaller one takes more
        examples. nan if one K-fold does not say.
    detectable_difference : float
        The difference that the comparison finds.
    """

    n_repeats: int | None
    n_samples: int | None
    floor: float
    detectable_difference: float

    def __str__(self):
        return " ".join(self._sentences())

    def _repr_html_(self):
        return "".join(
            f"<p>{html_text(sentence)}</p>" for sentence in self._sentences()
        )

    def _sentences(self):
        found = format_number(self.detectable_difference, 3)
        yield f"This comparison detects a difference of about {found}."
        if self.n_samples is not None:
            yield (
                "To detect the difference that was asked for, the same design needs "
                f"about {self.n_samples:,} examples."
            )
        floor = format_number(self.floor, 3)
        if self.n_repeats is not None:
            yield (
                f"With the present sample, {self.n_repeats:,} "
                f"repeat{'s' * (self.n_repeats > 1)} of the splits would detect it; "
                f"infinitely many would detect {floor}."
            )
        elif np.isfinite(self.floor):
            yield (
                "No number of repeats of the present sample would detect it: even "
                f"infinitely many would detect only {floor}."
            )
        else:
            yield "This comparison does not tell how much more repeats would help."


def plan_comparison(result, difference, power=0.8):
    """Return how many repeats or examples would find a difference.

    Parameters
    ----------
    result : Comparison
        A comparison of the same kind, such as a pilot, by one test.
    difference : float
        The true difference of mean losses to find, above 0.
    power : float, default=0.8
        The probability of finding it, in (0, 1).

    Returns
    -------
    plan : ComparisonPlan or dict
        Of two estimators, the plan; of more, a dict with the keys of `result.tests`.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Notes
    -----
    The variance of the mean is taken to be a + b/R with R repeats, and to fall as 1/n
    with the number of examples. For the corrected t tests [1]_ b/R is the share 1 - ρ;
    for IntegratedRhoTest it is the noise of the splits v̂/R. What R cannot change sets
    the floor: more splits of the same examples hold no more examples. An approximation,
    as variances and ρ are estimates and differences themselves change with n.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the generalization error", Machine
       Learning 52, 239-281, 2003. :doi:`10.1023/A:1024068626366`

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_cvtest import compare_estimators, plan_comparison
    >>> models = [GaussianNB(), DecisionTreeClassifier(random_state=0)]
    >>> result = compare_estimators(models, *load_breast_cancer(return_X_y=True))
    >>> plan_comparison(result, 0.02).n_samples > 569
    True
    """
    if not isinstance(result, Comparison):
        raise invalid("result", "a Comparison", result, TypeError)
    if len(result.tables) > 1:
        raise invalid("result", "a Comparison by one test", list(result.tables))
    difference = check_real("difference", difference, above=0)
    (table,) = result.tables.values()
    found = result.detectable_difference(power)
    shares = _shares_of_repeats(table, result.losses)
    plans = {
        pair: _plan(result.losses, *of_pair, difference)
        for pair, *of_pair in zip(result.tests, found.tolist(), shares, strict=True)
    }
    return next(iter(plans.values())) if len(result.estimator_names) == 2 else plans


def _plan(losses, detectable, share, difference):
    if not detectable > 0:  # nothing varies, or the test has no such number
        return ComparisonPlan(None, None, np.nan, detectable)
    if not 1 / FACTOR < difference / detectable < FACTOR:
        allowed = f"within a factor of {FACTOR:g} of what is found, {detectable:.3g}"
        raise invalid("difference", allowed, difference)
    ratio = (difference / detectable) ** 2  # of the variance needed to that there is
    n_samples = losses.n_samples
    if n_samples is not None:
        n_samples = int(np.ceil(n_samples / ratio))
    if np.isnan(share):
        return ComparisonPlan(None, n_samples, np.nan, detectable)
    design = losses.design
    n_now = design.n_splits if design.kind == "subsample" else design.n_repeats
    floor, n_repeats = detectable * float(np.sqrt(1 - share)), None
    if difference > floor:  # 1 - share + share n_now / R = ratio
        n_repeats = max(int(np.ceil(share * n_now / (ratio - 1 + share))), 1)
    return ComparisonPlan(n_repeats, n_samples, floor, detectable)


def _shares_of_repeats(table, losses):
    """Return the share of the variance that falls as 1/R, nan if unknown."""
    n_pairs, kind = len(table), losses.design.kind
    if kind not in ("repeated k-fold", "5x2", "subsample"):
        return np.full(n_pairs, np.nan)
    traits = table.test.traits
    if traits.rho_is_fixed:  # variance (1/J + n2/n1) S²
        return np.broadcast_to(1 - table.rho, n_pairs)
    if not traits.repeats:
        return np.full(n_pairs, np.nan)
    pairs = np.column_stack([table.first, table.second])
    moments = losses.pair_residuals(pairs).example_moments
    noise = moments.split_noise / moments.n_runs
    if traits.repeats == "extrapolated":
        return np.zeros(n_pairs)
    odds = table.rho / (1 - table.rho)
    noise = np.minimum(noise, 0.75 * moments.theta)
    return noise / (moments.theta + odds * moments.run_theta)
