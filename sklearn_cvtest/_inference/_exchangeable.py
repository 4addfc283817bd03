"""The corrected t tests: one statistic, [GB06] eq. (9), each with its own ρ.

[GB06]: Grandvalet & Bengio 2006, "Hypothesis Testing for Cross-Validation".
[NB99]: Nadeau & Bengio 1999, "Inference for the Generalization Error".
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from .._data._residuals import residuals_of
from .._splits._design import DesignKind
from .._validation import check_real, invalid
from . import _student
from ._base_test import BaseCVTest
from ._evaluation import Evaluation
from ._papers import cite
from ._parameters import checked_by


class _ExchangeableTTest(BaseCVTest):
    """t test on block means; a subclass declares its ρ."""

    vectorised = True
    rho_is_fixed = True

    @abstractmethod
    def assumed_rho(self, residuals):
        """Return the ρ = γ/θ that the test takes for true.

        Parameters
        ----------
        residuals : CVResiduals
            The residuals, of any leading axes.

        Returns
        -------
        rho : float or ndarray of shape (...)
            A float if it follows from the splits alone.
        """

    def evaluate(self, residuals):
        """Compute t(ρ) of the block means; see :class:`BaseCVTest`."""
        values = residuals.whole.block_means
        n_values = values.shape[-1]
        if n_values < 2:
            raise ValueError(f"{type(self).__name__} needs at least 2 splits; got 1.")
        rho = self.assumed_rho(residuals)
        df = n_values - 1
        naive = _student.t_statistic(values, 0.0, self.popmean, residuals.largest)
        if residuals.magnitude is not None:
            # means that differ by no more than rounding are the same
            rounding = _student.ROUNDING * residuals.magnitude
            is_same = np.abs(naive.estimate - self.popmean) <= rounding
            naive = naive._replace(
                estimate=np.where(is_same, self.popmean, naive.estimate),
                statistic=np.where(is_same, 0.0, naive.statistic),
            )
        result = _at_rho(naive, np.sqrt(1 - np.asarray(rho)))
        pvalue = _student.statistic_pvalue(result, df, self.alternative)
        largest_rho = _student.rho_alpha(
            naive.statistic, df, self.alpha, self.alternative
        )
        return Evaluation(*result, pvalue, df, rho, largest_rho)

    def pvalues_at(self, evaluation, rho):
        """Return the p-values of t(ρ) = √(1-ρ) t(0); see :class:`BaseCVTest`."""
        result = _at_rho(evaluation, np.sqrt((1 - rho) / (1 - evaluation.rho)))
        return _student.statistic_pvalue(result, evaluation.df, self.alternative)


def _at_rho(result, root):
    """Return a Statistic at another ρ: t(ρ) = √(1-ρ) t(0), [GB06] eq. (9)."""
    error = result.standard_error / root
    return _student.Statistic(result.estimate, error, result.statistic * root)


def _check_rho(name, value):
    if isinstance(value, str) and value == "nadeau-bengio":
        return
    try:
        check_real(name, value, below=1)
    except (TypeError, ValueError) as error:
        error_class = ValueError if isinstance(value, str) else type(error)
        allowed = "a real number below 1 or 'nadeau-bengio'"
        raise invalid(name, allowed, value, error_class) from None


@dataclass(eq=False, repr=False)
class KFoldTTest(_ExchangeableTTest):
    """t test for one K-fold with an assumed between-block parameter ρ.

    Tests whether the expected residual is `popmean`: for the difference of two
    estimators, whether their expected losses, over training sets of size n - n/K,
    differ. The usual t test on folds assumes ρ = 0 and rejects a true null hypothesis
    far too often, since the training sets overlap. The authors never saw ρ above 0.7 in
    their experiments; the test is conservative as long as the true ρ is below the
    assumed one.

    Parameters
    ----------
    rho : float or "nadeau-bengio", default=0.7
        ρ = γ/θ, below 1: the covariance γ of two block means over the variance θ of
        the mean of all K. 0 is the usual, liberal t test;
        "nadeau-bengio" is K/(2K-1), the correction of
        :class:`CorrectedResampledTTest` for K folds.
    alpha : float, default=0.05
        Level of `rho_alpha_`, in (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "greater": the expected residual is above `popmean`, that is (with 0)
        the second estimator is better.
    popmean : float, default=0.0
        Expected residual under the null hypothesis.

    Attributes
    ----------
    statistic_ : float
        t(ρ).
    pvalue_ : float
        Its p-value, valid if the true ρ is at most `rho_`.
    estimate_ : float
        Mean of the block means.
    standard_error_ : float
        √(S²/(K(1-ρ))).
    df_ : int
        K - 1.
    rho_ : float
        The assumed ρ.
    rho_alpha_ : float
        The largest ρ at which the null hypothesis is rejected at level `alpha`: 1 -
        (t_crit/|t(0)|)². If negative, it is not rejected even at ρ = 0; if -inf, at no
        ρ.

    See Also
    --------
    CorrectedResampledTTest : For random subsamples.
    CorrectedRepeatedKFoldTTest : For repeated K-fold.

    Notes
    -----
    With S² the sample variance of the K block means [1]_ (eq. 9),

    .. math:: t(\\rho) = \\sqrt{1-\\rho}\\,
              \\frac{\\hat\\mu - \\mu_0}{\\sqrt{S^2/K}} \\sim t_{K-1}

    exactly if the block means are jointly normal with that ρ. ρ is not the correlation
    r of two block means but K r/(1 + (K-1) r): the share of the variance of μ̂ that
    S²/K misses. It needs no fit beyond the K-fold. Blocks have equal weights even if
    their sizes differ.

    References
    ----------
    .. [1] Y. Grandvalet and Y. Bengio, "Hypothesis Testing for
       Cross-Validation", Technical Report 1285, DIRO, Université de Montréal,
       2006. Equation (9) and section 4.2.

    Examples
    --------
    >>> from sklearn_cvtest import KFoldTTest
    >>> folds = [0.010, -0.005, 0.020, 0.015, 0, 0.010, 0.025, -0.010, 0.005, 0.020]
    >>> test = KFoldTTest().fit(folds)
    >>> round(test.pvalue_, 3), round(test.rho_alpha_, 3)
    (0.208, 0.165)
    """

    title = "t test for K-fold cross-validation (Grandvalet & Bengio 2006)"
    about = (
        "The t test on the means of the folds, with an assumed share ρ of the variance "
        "that comes from folds moving together. The usual t test takes ρ = 0 and "
        "rejects a true null hypothesis far too often. With ρ = 0.7, the largest value "
        "its authors saw in 10-fold cross-validation, the test is conservative."
    )
    references = cite("Grandvalet 2006")
    designs = ("k-fold",)
    default_for = ("k-fold",)
    default_options: ClassVar = {"rho": "nadeau-bengio"}
    rho_is_assumed = True

    rho: float | Literal["nadeau-bengio"] = field(
        default=0.7, metadata=checked_by(_check_rho)
    )

    def assumed_rho(self, residuals):
        """Return `rho` as a number."""
        if isinstance(self.rho, str):
            n_splits = residuals.block_means.shape[-1]
            return n_splits / (2 * n_splits - 1)
        return float(self.rho)


class ResampledTTest(_ExchangeableTTest):
    """The t test of the means of runs; over random subsamples liberal.

    Treats the J mean differences as independent. Runs on one test set, such as seeds,
    are: it is then about new runs on this test set. Random subsamples are not, as their
    training sets overlap, and it rejects a true null hypothesis far more often than
    `alpha`. There it is included because papers report it; use
    :class:`CorrectedResampledTTest` instead.

    Parameters
    ----------
    alpha : float, default=0.05
        Level of `rho_alpha_`, in (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "greater": the expected residual is above `popmean`, that is (with 0)
        the second estimator is better.
    popmean : float, default=0.0
        Expected residual under the null hypothesis.

    Attributes
    ----------
    statistic_, pvalue_, estimate_, standard_error_, df_, rho_, rho_alpha_ : float
        As in :class:`KFoldTTest`, with J splits for K blocks; `rho_` is 0.

    Notes
    -----
    Over subsamples it rejects too often, with more splits even more: all splits draw
    from one sample.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error",
       Machine Learning 52, 239-281, 2003. :doi:`10.1023/A:1024068626366`.
       Table 1 of the version in NIPS 1999, "resampled t".

    Examples
    --------
    >>> from sklearn_cvtest import ResampledTTest
    >>> round(ResampledTTest().fit([0.01, 0.02, 0.04, 0.03]).pvalue_, 3)
    0.03
    """

    title = "t test without a correction"
    about = (
        "Takes the differences for independent. Runs on one test set are, for this "
        "test set. Random splits are not, as their training sets overlap: there it "
        "rejects a true null hypothesis far more often than its level."
    )
    references = cite("Nadeau 2003")
    designs = ("subsample", "crossed")
    default_for = ("crossed",)  # of runs of which the examples are not known

    def assumed_rho(self, residuals):
        """Return 0."""
        return 0.0


class _NadeauBengioTTest(_ExchangeableTTest):
    """ρ such that the variance of the mean is (1/J + n2/n1) S²."""

    def assumed_rho(self, residuals):
        """Return r/(r + 1/J), with r = n2/n1."""
        ratio = self._size_ratio(residuals)  # [NB99] section 3: ρ0 = n2/(n1 + n2)
        return ratio / (ratio + 1 / residuals.block_means.shape[-1])

    def _size_ratio(self, residuals):
        """Return n2/n1, from the actual sizes where they are known."""
        if residuals.n_train is not None and residuals.n_test is not None:
            return residuals.n_test.sum() / residuals.n_train.sum()
        n_folds = residuals.design.n_splits
        if residuals.design.kind.is_made_of_folds and n_folds:
            return 1 / (n_folds - 1)
        raise ValueError(
            f"{type(self).__name__} needs the sizes of the training and test sets; got "
            "an array without them. Use CVResiduals.from_array(e, design=..., "
            "n_train=..., n_test=...)."
        )

    def residuals_of_array(self, array):
        """Return an array as residuals; see :class:`BaseCVTest`."""
        if array.ndim == 2 and self.traits.designs[0] == DesignKind.SUBSAMPLE:
            return residuals_of(array)  # rows are the blocks of a K-fold
        return super().residuals_of_array(array)


class CorrectedResampledTTest(_NadeauBengioTTest):
    """Nadeau and Bengio's corrected resampled t test.

    Tests whether the expected residual, over training sets of size n1 and independent
    test examples, is `popmean`. The usual variance S²/J of a mean over J random splits
    ignores that they share examples; this test assumes that their correlation is
    n2/(n1 + n2), as if a loss depended on its test example only.

    Parameters
    ----------
    alpha : float, default=0.05
        Level of `rho_alpha_`, in (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "greater": the expected residual is above `popmean`, that is (with 0)
        the second estimator is better.
    popmean : float, default=0.0
        Expected residual under the null hypothesis.

    Attributes
    ----------
    statistic_, pvalue_, estimate_, standard_error_, df_, rho_, rho_alpha_ : float
        As in :class:`KFoldTTest`, with J splits for K blocks;
        `standard_error_` is √((1/J + n2/n1) S²).

    See Also
    --------
    KFoldTTest : `rho="nadeau-bengio"` is this test for one K-fold.
    CorrectedRepeatedKFoldTTest : The same for repeated K-fold.

    Notes
    -----
    It is t(ρ) of :class:`KFoldTTest` with ρ = r/(r + 1/J), r = n2/n1; for a K-fold,
    which it accepts too, that is ρ = K/(2K-1). r is the ratio of the actual total sizes
    of all test and all training sets. The test is liberal or conservative according to
    whether the true correlation of block means is above or below n2/(n1 + n2). It needs
    no fit beyond the J splits. The rows of a two-dimensional array are treated as the
    blocks of a K-fold; with one value per split the sizes are needed.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error",
       Machine Learning 52, 239-281, 2003. :doi:`10.1023/A:1024068626366`.
       Section 3, first method.

    Examples
    --------
    >>> from sklearn_cvtest import CorrectedResampledTTest, CVResiduals
    >>> e = CVResiduals.from_array(
    ...     [0.01, 0.02, 0.04, 0.03], design="subsample", n_train=90, n_test=10
    ... )
    >>> round(CorrectedResampledTTest().fit(e).pvalue_, 3)
    0.048
    """

    title = "corrected resampled t test (Nadeau & Bengio 2003)"
    about = (
        "The t test on the differences of random splits, with a variance that accounts "
        "for the examples that splits share: (1/J + n2/n1) S². It assumes that the "
        "correlation of two splits is n2/(n1 + n2), as if a loss depended on its test "
        "example only."
    )
    references = cite("Nadeau 2003")
    designs = ("subsample", "k-fold")
    default_for = ("subsample",)


class CorrectedRepeatedKFoldTTest(_NadeauBengioTTest):
    """The corrected t test for repeated K-fold cross-validation.

    Tests the same hypothesis as :class:`CorrectedResampledTTest`, for R runs of a
    K-fold: the variance of the mean is (1/(RK) + n2/n1) S², with S² over all RK block
    means, and the degrees of freedom are RK - 1.

    Parameters
    ----------
    alpha : float, default=0.05
        Level of `rho_alpha_`, in (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "greater": the expected residual is above `popmean`, that is (with 0)
        the second estimator is better.
    popmean : float, default=0.0
        Expected residual under the null hypothesis.

    Attributes
    ----------
    statistic_, pvalue_, estimate_, standard_error_, df_, rho_, rho_alpha_ : float
        As in :class:`CorrectedResampledTTest`, with J = RK.

    See Also
    --------
    CorrectedResampledTTest : For random subsamples.

    Notes
    -----
    One K-fold (R = 1) and 5x2 (K = 2, R = 5) are accepted as repeated K-folds.
    Repeating averages over partitions but adds no data, and the correction n2/n1 does
    not decrease with R. It takes RK fits.

    References
    ----------
    .. [1] R. R. Bouckaert and E. Frank, "Evaluating the Replicability of
       Significance Tests for Comparing Learning Algorithms", PAKDD 2004.
       :doi:`10.1007/978-3-540-24775-3_3`
    .. [2] C. Nadeau and Y. Bengio, "Inference for the Generalization Error",
       Machine Learning 52, 239-281, 2003. :doi:`10.1023/A:1024068626366`

    Examples
    --------
    >>> from sklearn_cvtest import CorrectedRepeatedKFoldTTest, CVResiduals
    >>> e = CVResiduals.from_array(
    ...     [0.01, 0.02, 0.04, 0.03], design="repeated k-fold", n_train=50, n_test=50
    ... )
    >>> round(CorrectedRepeatedKFoldTTest().fit(e).pvalue_, 3)
    0.182
    """

    title = "corrected repeated K-fold t test (Bouckaert & Frank 2004)"
    about = (
        "The corrected resampled t test over all folds of all repeats. Repeating "
        "averages over partitions; it adds no data, and the variance (1/J + n2/n1) S² "
        "accounts for that."
    )
    references = cite("Bouckaert 2004", "Nadeau 2003")
    designs = ("repeated k-fold", "5x2", "k-fold")
    default_for = ("repeated k-fold",)
