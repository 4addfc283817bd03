"""The corrected t tests: one statistic, [GB06] eq. (9), each with its own ρ.

[GB06]: Grandvalet & Bengio 2006, "Hypothesis Testing for Cross-Validation".
[NB99]: Nadeau & Bengio 1999 and 2003, "Inference for the Generalization Error".
"""

import numpy as np

from .._data import CVResiduals
from .._validation import check_real, invalid
from .base import BaseCVTest, student_evaluation
from .student import ROUNDING, critical_value, largest_rho


class ExchangeableTTest(BaseCVTest):
    """t test on block means: t(ρ) = √(1-ρ) t(0), [GB06] eq. (9)."""

    has_joint_law = True

    def assumed_rho(self, residuals):
        """Return the ρ that the test takes for true."""
        raise NotImplementedError

    def evaluate(self, residuals):
        """Compute t(ρ) of the means of splits."""
        means = residuals.whole_means
        n_splits = means.shape[-1]
        if n_splits < 2:
            raise invalid("residuals", "of at least 2 splits", n_splits)
        rho = self.assumed_rho(residuals)
        df = n_splits - 1
        spread = means.std(axis=-1, ddof=1)
        spread = np.where(spread <= ROUNDING * residuals.magnitude, 0.0, spread)
        error = spread / np.sqrt(n_splits * (1 - rho))
        mean = means.mean(axis=-1)
        evaluation = student_evaluation(self, residuals, mean, error, df)
        critical = critical_value(1 - self.alpha, df, self.alternative)
        at_zero = evaluation.statistic / np.sqrt(1 - rho)
        rho_alpha = largest_rho(at_zero, critical, self.alternative)
        return evaluation._replace(rho=rho, rho_alpha=rho_alpha)


class KFoldTTest(ExchangeableTTest):
    r"""t test for one K-fold with an assumed between-block parameter ρ.

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

    .. math:: t(\rho) = \sqrt{1-\rho}\,
              \frac{\hat\mu - \mu_0}{\sqrt{S^2/K}} \sim t_{K-1}

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
    designs = ("k-fold",)
    rho_is_shown = True

    def __init__(self, rho=0.7, *, alpha=0.05, alternative="two-sided", popmean=0.0):
        self.rho = rho
        super().__init__(alpha=alpha, alternative=alternative, popmean=popmean)

    def check_params(self):
        """Check the options."""
        super().check_params()
        if isinstance(self.rho, str) and self.rho != "nadeau-bengio":
            allowed = "a real number below 1 or 'nadeau-bengio'"
            raise invalid("rho", allowed, self.rho)
        if self.rho != "nadeau-bengio":
            check_real("rho", self.rho, high=1)

    def assumed_rho(self, residuals):
        """Return `rho` as a number."""
        if self.rho == "nadeau-bengio":
            n_splits = residuals.block_means.shape[-1]
            return n_splits / (2 * n_splits - 1)
        return float(self.rho)


class ResampledTTest(ExchangeableTTest):
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
    designs = ("subsample", "crossed")

    def assumed_rho(self, residuals):
        """Return 0."""
        return 0.0


class CorrectedResampledTTest(ExchangeableTTest):
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
    designs = ("subsample", "k-fold")

    def from_array(self, array):
        """Return CVResiduals; the rows of an array are the blocks of a K-fold."""
        if array.ndim == 2:
            return CVResiduals.from_array(array)
        return super().from_array(array)

    def assumed_rho(self, residuals):
        """Return r/(r + 1/J) with r = n2/n1: [NB99] section 3."""
        n_splits = residuals.block_means.shape[-1]
        if residuals.n_train is not None and residuals.n_test is not None:
            ratio = residuals.n_test.sum() / residuals.n_train.sum()
        elif residuals.design.kind != "subsample" and residuals.design.n_splits:
            ratio = 1 / (residuals.design.n_splits - 1)
        else:
            raise ValueError(
                f"{type(self).__name__} needs the sizes of training and test sets: "
                "CVResiduals.from_array(e, n_train=90, n_test=10, design=...)."
            )
        return ratio / (ratio + 1 / n_splits)


class CorrectedRepeatedKFoldTTest(CorrectedResampledTTest):
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
    designs = ("repeated k-fold", "5x2", "k-fold")
    from_array = BaseCVTest.from_array  # an array does not say its K
