"""The z test that averages over the unknown ρ."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from .._data._clusters import unequal_allowance
from .._splits._groups import MIN_GROUPS
from .._validation import check_flag, check_real, invalid
from . import _averaged, _student
from ._base import WeighedTest, one_of
from ._ends import ends
from ._evaluation import Evaluation
from ._halves import block_means_of_halves, half_sample_variance
from ._joint import JointStatistics, repeat_rows, single_rows
from ._kfold_z import root_theta, z_statistic
from ._traits import class_traits

WORTH_CORRECTING = 0.15
LEAST_VARIANCE = 1 / 4


def corrected_skewness(residuals):
    """Return the skewness of the mean that is worth a correction, else 0.

    That is where it is above 0.15 and at least 20 examples differ from the median: of
    fewer it cannot be told, and correcting for it costs power where errors are rare.
    Ten groups suffice: the losses of few groups are usually skewed.
    """
    moments = residuals.example_moments
    known = moments.squares, moments.cubes, moments.n_examples
    skewness = np.array(_student.relative_skewness(*known))
    large = np.array(np.abs(skewness) > WORTH_CORRECTING)
    if not large.any():
        return np.zeros_like(skewness)[()]
    informative = residuals.count_different(large if skewness.ndim else ...)
    are_groups = residuals.groups is not None
    large[large] = informative >= (
        MIN_GROUPS if are_groups else _student.MIN_INFORMATIVE
    )
    return np.where(large, skewness, 0.0)[()]


@dataclass(eq=False, repr=False)
class IntegratedRhoTest(WeighedTest):
    """Z test for (repeated) K-fold that averages its p-value over the unknown ρ.

    The statistic of [1]_, eq. (9), has the K - 1 degrees of freedom of θ̂3, the
    variance of the block means; θ̂5, the variance of the residuals, has n - 1 and
    nearly the same bias, -γ. So z(ρ) = √(1-ρ)(μ̂ - popmean)/√θ̂5 is treated as standard
    normal, and as ρ is not known, the p-value is averaged over it. For a repeated
    K-fold, residuals are averaged per example first, which takes the noise of the
    splits away.

    Parameters
    ----------
    rho_max : float, default=0.75
        For one K-fold, the prior of ρ is uniform on [0, `rho_max`]; in (0, 1). The
        authors of [1]_ saw no ρ above 0.7. For repeats of 5 folds or fewer it ends at
        8/9 of that, for 10 or more at `rho_max`, in between linearly. For fewer than 35
        groups it ends later, see Notes.
    variance : {"theta5", "theta4"}, default="theta5"
        The variance estimate, as in :func:`.variance_estimates`; of repeats "theta5".
    alpha : float, default=0.05
        Level of `rho_alpha_`, in (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "greater": the expected residual is above `popmean`, that is (with 0)
        the second estimator is better.
    popmean : float, default=0.0
        Expected residual under the null hypothesis.
    weights : {"examples", "groups"}, default="examples"
        What weighs the same in the mean if there are groups: every example, or every
        group; "groups" with "theta5" only.
    correct_skewness : bool, default=True
        Whether to transform z(ρ) by Hall's [2]_ monotone cubic, which removes the
        first-order effect of skewed residuals. Applied where the skewness of the mean
        is above 0.15 and at least 20 examples, or 10 groups, differ from the median;
        with fewer, it cannot be estimated. For differences of squared errors, whose
        skewness a sample without the rare large ones does not show, both variances are
        multiplied instead by 1 + 15 (τ - 0.2)/√n where the L-skewness τ of the absolute
        errors, of the model with the lighter tail, is above the 0.2 of normal ones.
    extrapolate : bool, default=False
        Whether to estimate the verdict that infinitely many repeats would give, by
        subtracting from the variance what is left in it of the noise of the splits.
        Without repeats it changes nothing. `n_repeats="auto"` of :class:`BlockKFold`
        sets it.

    Attributes
    ----------
    statistic_ : float
        z(0).
    pvalue_ : float
        ∫ p(z(ρ)) π(ρ) dρ.
    estimate_ : float
        Mean residual of the (repeated) K-fold of the whole sample.
    standard_error_ : float
        √θ̂, the standard error at ρ = 0; for pooling or planning take `total_error_`.
    df_ : float
        inf; G - 1 of G groups of one size, see Notes.
    total_error_, total_df_ : float
        Standard error that includes what is not known of ρ, and its degrees of freedom:
        1.26 √θ̂ and 14.5 for one K-fold, see Notes.
    rho_ : float
        Mean of ρ under π.
    rho_alpha_ : float
        The largest ρ (of one run) at which z(ρ) still rejects: for one K-fold 1 -
        (z_crit/|z(0)|)², as in :class:`KFoldTTest`. z_crit is transformed where
        skewness is corrected.
    seed_stability_ : float
        With repeats, the estimated probability that another seed of the splits leads to
        the same decision at level `alpha`; with `extrapolate`, that infinitely many
        repeats do. At most what so few repeats can show: .9925 for two.

    Raises
    ------
    ValueError
        If the residuals of repeats do not say which example each belongs to, or if not
        all examples occur equally often.

    See Also
    --------
    KFoldTTest : Assumes one ρ; needs no loss per example.
    CorrectedRepeatedKFoldTTest : For repeats, without losses per example.

    Notes
    -----
    With one K-fold, π is uniform and there is no extra fit. With R repeats, e_ir is the
    residual of example i in repeat r, ē_i its mean over the repeats, and

    .. math:: \\mathrm{Var}\\,\\hat\\mu = \\hat\\theta_R +
              \\frac{\\rho}{1-\\rho}\\,\\hat\\theta_1

    with θ̂_R = θ̂5 of the ē_i and θ̂_1 the mean over the repeats of θ̂5 of one. ρ
    refers to a single run: repeating averages out the noise of the splits, but not the
    variance that all training sets share, ρ/(1-ρ) θ̂_1. At R = 1 this is the test of
    one K-fold. With `extrapolate`, θ̂_R is replaced by max(θ̂_R - v̂/R, θ̂_R/4), v̂ =
    Σ_i Σ_r (e_ir - ē_i)²/(n²(R-1)).

    With PairedHalves(BlockKFold(K), M), π is multiplied by the likelihood of ρ given
    the halves: with q = [Σ_m (μ̂_m - μ̂_m^c)²/2] / mean θ̂5(half), q(1-ρ) follows the χ²
    distribution with M degrees of freedom. Where ρ is smaller at n than at n/2, this
    errs on the safe side. The interval contains the values of `popmean` that are not
    rejected.

    The level holds on average over the prior, not at every ρ: with normal residuals,
    one 10-fold rejects a true null at the 5% level in 0.7, 2.4, 5.6 and 13.9% of
    samples at ρ = 0, 0.3, 0.5 and 0.7 (tests/test_calibration.py). It is conservative
    below ρ = 0.47, where most differences between estimators are, and liberal above.
    The estimate has no normal distribution if ρ is uncertain, but one with longer
    tails. `total_error_` and `total_df_` describe the scaled t with the same 95% and
    99% points: matched variance and kurtosis would miss these by up to 10% (of many
    repeats, where nearly all variance is what ρ says). The 90% points then agree within
    1% for one K-fold and 4% always, the 99.9% points within 2% for one K-fold of single
    examples; a t errs towards the longer interval. Skewness is not in it.

    docs/calibration.md has its size and power on real populations. It weighs examples
    equally, whereas the t tests weigh blocks equally.

    With G groups, θ̂5 is as in :class:`KFoldZTest`, and Student's t with G - 1 degrees
    of freedom takes the place of the normal. If they are not of one size, θ̂ is
    multiplied by what it lacks if the rows of a group are all alike,
    Σw² / [(Σw² - 2Σw³ + (Σw²)²) G/(G-1)] with w the shares of the groups, and the
    degrees of freedom are one less than the number of equal groups that weigh like
    these, 1/Σw² (Kish). `standard_error_` and `statistic_` are without the factor.
    Models that were fitted to few groups have more in common: of G < 35, the range of ρ
    is 1 + (35 - G)/100 times as long (of repeats, /50), but ends at most halfway to 1:
    at 0.7875 for 30 groups, 0.8625 for 20, 0.875 for 15 or fewer.

    References
    ----------
    .. [1] Y. Grandvalet and Y. Bengio, "Hypothesis Testing for
       Cross-Validation", Technical Report 1285, DIRO, Université de Montréal,
       2006. Equation (9); the averaging is this package's.
    .. [2] P. Hall, "On the Removal of Skewness by Transformation", JRSS B 54(1),
       221-228, 1992. :doi:`10.1111/j.2517-6161.1992.tb01876.x`

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest import IntegratedRhoTest
    >>> e = np.random.default_rng(0).normal(0.3, size=(10, 10))
    >>> round(IntegratedRhoTest().fit(e).pvalue_, 3)
    0.007
    """

    designs = ("k-fold", "repeated k-fold", "5x2", "paired halves")
    default_for = ("k-fold", "repeated k-fold", "paired halves")
    allows_unequal_groups = True
    for_single_examples: ClassVar = {"variance": "theta5"}
    for_endless_repeats: ClassVar = {"extrapolate": True}
    varies_with_rho = True
    base_design = "k-fold"
    _checks: ClassVar = WeighedTest._checks | {
        "rho_max": partial(check_real, above=0, below=1),
        "variance": one_of("theta5", "theta4"),
        "correct_skewness": check_flag,
        "extrapolate": check_flag,
    }

    rho_max: float = 0.75
    variance: Literal["theta5", "theta4"] = "theta5"
    _: KW_ONLY
    correct_skewness: bool = True
    extrapolate: bool = False

    @property
    def traits(self):
        """What the test is and how it is spoken of; see :class:`BaseCVTest`."""
        return class_traits(
            type(self),
            weighs_groups=self.weights == "groups",
            corrects_skewness=self.correct_skewness,
            repeats="extrapolated" if self.extrapolate else "averaged",
        )

    def check_params(self) -> None:
        """Check the parameters; see :class:`BaseCVTest`."""
        super().check_params()
        if self.weights == "groups" and self.variance != "theta5":
            raise invalid("variance", "'theta5' with weights='groups'", self.variance)

    def evaluate(self, residuals):
        """Compute z(0) and its averaged p-value; see :class:`BaseCVTest`."""
        full = residuals.whole
        # a fold may be without any of the residuals, as of one label
        n_folds = full.design.n_splits or full.block_means.shape[-1] / full.n_runs
        is_tailed = self.correct_skewness and _averaged.are_squares(full)
        full = self._weighed(full)
        result, z_run, root_run, share, df = self._statistic(full)
        allowance, skewness = 1.0, 0.0
        if full.groups is not None:
            allowance, df = unequal_allowance(full.groups)
        if is_tailed:
            allowance = allowance * _averaged.tail_allowance(full)
        elif self.correct_skewness:
            skewness = corrected_skewness(full)
        z_run, root_run = z_run / np.sqrt(allowance), root_run * np.sqrt(allowance)
        end = _averaged.end_of_range(self.rho_max, full.n_runs, n_folds, full.n_groups)
        rho, weights = self._posterior(residuals, end)
        average = _student.Average(rho, weights, df, self.alternative, end)
        pvalue = average.pvalue(z_run, average.factors(share), skewness)
        is_same = (result.statistic == 0) & (result.standard_error == 0)
        return Evaluation(
            *result,
            np.where(is_same, 1.0, pvalue)[()],
            df,
            weights @ rho,
            self._rho_alpha(z_run, share, skewness, df),
            state={
                "average": average,
                "allowance": allowance,
                "share": share,
                "skewness": skewness,
                "root_run": root_run,
                "z_run": z_run,
                "n_runs": full.n_runs,
                "known": {},  # roots that were asked for
            },
        )

    def _weighed(self, full):
        """Return the residuals of whatever weighs the same in the mean."""
        by_group = self.weights == "groups" and full.groups is not None
        return full.group_means() if by_group else full

    def _statistic(self, full):
        """Return the Statistic at ρ = 0, (μ̂ - μ0)/√θ̂_1, √θ̂_1, θ̂_R/θ̂_1 and df."""
        if full.n_runs == 1:
            result, df = z_statistic(full, self.variance, self.popmean)
            share = np.ones(np.shape(result.statistic))
            return result, result.statistic, result.standard_error, share, df
        if self.variance != "theta5":
            allowed = "'theta5' for repeated K-fold, whose averages are in no blocks"
            raise invalid("variance", allowed, self.variance)
        moments = full.example_moments
        scale, n = moments.scale, moments.n_examples
        is_flat = np.sqrt(n * moments.run_theta) <= _student.ROUNDING
        theta, run_theta = (
            np.where(is_flat, 0, value) for value in (moments.theta, moments.run_theta)
        )
        if self.extrapolate:
            noise = moments.split_noise / moments.n_runs
            theta = np.maximum(theta - noise, theta * LEAST_VARIANCE)
        deviation = np.sqrt(theta)
        spread = deviation * np.sqrt(n)
        result = _student.standardise(
            moments.mean, deviation, spread, scale, self.popmean
        )
        root_run = scale * np.sqrt(run_theta)
        z_run = _student.ratio_or_limit(result.estimate - self.popmean, root_run)
        z_run = np.where(result.statistic == 0, 0.0, z_run)
        share = np.where(is_flat, 1.0, theta / np.where(is_flat, 1, run_theta))
        df = np.inf if full.groups is None else n - 1
        return result, z_run, root_run, share, df

    def _rho_alpha(self, z_run, share, skewness, df):
        """Return the largest ρ of one run at which the transformed z(ρ) rejects."""
        side = np.where(self.alternative == "less", -1.0, 1.0)
        if self.alternative == "two-sided":
            side = np.where(np.asarray(z_run) < 0, -1.0, 1.0)
        critical = _student.critical_value(1 - self.alpha, df, self.alternative)
        critical = side * _student.invert_hall_transform(side * critical, skewness)
        # 1/(1 - ρ) = 1 + ρ/(1 - ρ), and ρ/(1 - ρ) + share = (z/critical)²
        with np.errstate(divide="ignore", invalid="ignore"):
            inverse = (z_run / critical) ** 2 + 1 - share
            rho = np.where(inverse > 0, 1 - 1 / inverse, -np.inf)
        rho = np.where(side * z_run > 0, rho, -np.inf)
        return np.where(critical < 0, 1.0, rho)[()]  # z -> 0 always rejects

    def _posterior(self, residuals, end):
        """Return nodes in the range of ρ and their probabilities under π."""
        rho, weights = _averaged.rho_prior(end)
        n_pairs = residuals.design.n_halvings
        if n_pairs:
            q = self._variance_ratio(residuals, n_pairs)
            weights = _averaged.weigh_by_halves(rho, weights, q, n_pairs)
        return rho, weights

    def _variance_ratio(self, residuals, n_pairs):
        """Return q, M times the variance at n/2 over its naive estimate."""
        scale, _, means = block_means_of_halves(residuals)
        if residuals.groups is None:
            moments, n_blocks = residuals.block_moments, residuals.design.n_splits
            starts = range(n_blocks, len(moments.sizes), n_blocks)
            halves = (moments.of(slice(i, i + n_blocks)) for i in starts)
            errors = [root_theta(half, self.variance) for half in halves]
            errors = np.where(np.array(errors) <= _student.ROUNDING, 0, errors)
            errors = errors * (moments.scale / scale)
        else:
            pairs = residuals.runs()[1]
            errors = [
                z_statistic(half, self.variance, 0.0)[0].standard_error / scale
                for pair in pairs
                for half in pair
            ]
        theta = np.mean(np.square(errors), axis=0)
        return _student.ratio_or_limit(n_pairs * half_sample_variance(means), theta)

    def pvalues_at(self, evaluation, rho):
        """Return the p-values of z(ρ), transformed like the mean; see `BaseCVTest`.

        ρ refers to one run.
        """
        state = evaluation.state
        if state["z_run"] == 0 and evaluation.standard_error == 0:
            return np.ones(len(rho))
        average = state["average"]._replace(rho=rho)
        factors = average.factors(state["share"])
        return average.pvalues(state["z_run"], factors, state["skewness"])

    def total_error(self, evaluation):
        """Return the scaled t that is like the normal averaged over ρ.

        It has the same two-sided 95% and 99% points, without a correction of skewness.
        """
        state = evaluation.state
        if np.any(state["skewness"]):
            state = state | {"skewness": 0.0, "known": {}}
        ends = (
            self._root(state, 1 - level, "two-sided", 1) for level in _student.LEVELS
        )
        scale, df = _student.matching_t(*ends)
        return _student.scaled_root(scale, state["root_run"]), df

    def sampling_error(self, evaluation):
        """Return √Var μ̂ at a usual ρ; see :class:`BaseCVTest`.

        p is averaged over ρ up to 3/4: with that error, plans would ask for too much.
        Not with groups, of which it would ask for too few.
        """
        state = evaluation.state
        usual = state["share"] + _averaged.usual_odds(
            state["n_runs"], np.isfinite(evaluation.df)
        )
        return _student.scaled_root(np.sqrt(usual), state["root_run"]), evaluation.df

    def joint_rows(self, residuals):
        """Return the deviations of examples or groups; see :class:`BaseCVTest`."""
        full = self._weighed(residuals.whole)
        if full.n_runs > 1:
            return repeat_rows(full)
        return (single_rows(full, within_blocks=self.variance == "theta4"),)

    def joint_statistics(self, evaluation):
        """Return z(ρ), without skewness, at each ρ; see :class:`BaseCVTest`."""
        state, average = evaluation.state, evaluation.state["average"]
        share, z_run, skewness = np.broadcast_arrays(
            state["share"], state["z_run"], state["skewness"]
        )
        with np.errstate(invalid="ignore"):  # of differences without variance
            z = average.factors(share) * z_run[:, np.newaxis]
            scores = _student.hall_transform(z, skewness[:, np.newaxis])
        return JointStatistics(scores, share, skewness, average)

    def interval(self, evaluation, confidence_level):
        """Invert p, which depends on popmean through the statistic only."""
        state, estimate = evaluation.state, evaluation.estimate

        def end(side):
            root = self._root(state, 1 - confidence_level, self._tail, -side)
            return estimate + side * _student.scaled_root(root, state["root_run"])

        return ends(end, self.alternative, np.shape(estimate))

    @property
    def _tail(self):
        """The alternative of either end, as if it were the upper one."""
        return "two-sided" if self.alternative == "two-sided" else "greater"

    def error_noise(self, evaluation, residuals, confidence_level):
        """Return what the residual of each example does to the ends; see `Answers`."""
        full, state = self._weighed(residuals.whole), evaluation.state
        average = state["average"]._replace(alternative=self._tail)
        error, least = 1 - confidence_level, LEAST_VARIANCE
        roots = [self._root(state, error, self._tail, side) for side in (1, -1)]
        return 0.0, _averaged.end_influences(full, state, roots, average, least)

    def _root(self, state, error, alternative, side):
        """Return how far on a side the statistic has an averaged p-value of `error`.

        The lower side is the upper one of the opposite skewness.
        """
        if not np.any(state["skewness"]):
            side = 1
        key = error, alternative, side
        if key not in state["known"]:
            average = state["average"]._replace(alternative=alternative)
            skewness = side * state["skewness"]
            shape = np.shape(state["share"])
            parts = map(np.ravel, np.broadcast_arrays(state["share"], skewness))
            roots = _averaged.averaged_roots(error, *parts, average)
            state["known"][key] = roots.reshape(shape)[()]
        return state["known"][key]
