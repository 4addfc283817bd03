"""The base of all tests, and what every test does alike."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.metadata_routing import UNUSED
from sklearn.utils.validation import check_is_fitted

from .._data import CVResiduals
from .._validation import check_array, check_option, check_real, invalid, warn
from ..exceptions import DegenerateResidualsWarning
from .stability import seed_stability
from .student import ROUNDING, interval_of, pvalue_of, ratio_or_limit
from .zero_variance import evaluate_limited, limited_interval

ALTERNATIVES = ("two-sided", "less", "greater")
TESTS_OF_EXAMPLES = {
    "k-fold": "KFoldZTest",
    "repeated k-fold": "KFoldZTest",
    "holdout": "HoldoutTTest",
    "time series": "DieboldMarianoTest",
    "crossed": "CrossedTest",
}
TESTS_OF_MEANS = {
    "k-fold": "KFoldTTest",
    "repeated k-fold": "CorrectedRepeatedKFoldTTest",
    "subsample": "CorrectedResampledTTest",
    "5x2": "FiveByTwoFTest",
    "paired halves": "PairedHalvesTTest",
    "crossed": "ResampledTTest",
}
MIN_GROUPS = 10  # of fewer, a variance between groups is hardly known


def name_of_test(design, per_example=True, n_groups=None):
    """Return the name of the strongest test whose level holds, None if there is none.

    Of few groups of a K-fold, a test of means.
    """
    if design.base == "subsample":
        return "ConservativeZTest"
    has_few_groups = n_groups is not None and n_groups < MIN_GROUPS
    of_means = TESTS_OF_MEANS.get(design.kind)
    if not per_example or (has_few_groups and design.is_k_fold):
        return of_means
    return TESTS_OF_EXAMPLES.get(design.kind, of_means)


class Evaluation(NamedTuple):
    """The numbers of a test: floats, or arrays over pairs.

    Attributes
    ----------
    estimate, standard_error : float or ndarray of shape (...)
        Mean residual, and its standard error.
    statistic, pvalue, df : float or ndarray of shape (...)
        The statistic, its p-value and degrees of freedom.
    rho, rho_alpha : float or ndarray of shape (...)
        The ρ that is assumed, and the largest at which the test still rejects; nan of a
        test without one.
    detail : object
        What only the methods of the same test read.
    """

    estimate: Any
    standard_error: Any
    statistic: Any
    pvalue: Any
    df: Any
    rho: Any = np.nan
    rho_alpha: Any = np.nan
    detail: Any = None


class ConfidenceInterval(NamedTuple):
    """A confidence interval.

    Attributes
    ----------
    low, high : float
        Its ends, in units of the loss.
    """

    low: float
    high: float


class BaseCVTest(BaseEstimator, ABC):
    """Base of all tests of the mean of cross-validation residuals.

    A subclass declares what it is by class attributes, takes its options in
    `__init__`, and computes in :meth:`evaluate`. Comparisons, reports, pictures and
    simulations read these; they never ask for its class or its options.

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
        What :meth:`evaluate` found.
    total_error_, total_df_ : float
        What :meth:`total_error` makes of it: the standard error that includes all that
        the test assumes, ρ too, and its degrees of freedom.

    See Also
    --------
    KFoldTTest : The t test for a K-fold.

    Notes
    -----
    What a test is, it declares by class attributes: `title` and `symbol`, for readers;
    `designs`, for which it is valid; `needs_examples`, whether it needs a residual for
    each example; `is_directed`, whether it has one-sided alternatives; `concerns`, what
    it is about; `uses_all_splits`; `rho_is_shown`; `decides`; `has_joint_law`, with a
    method `deviation_rows(residuals)`, if it is known how its statistics vary together.

    It has to define :meth:`evaluate`, and may override :meth:`interval` and
    :meth:`total_error`, where its interval is not Student's, :meth:`check_params` and
    :meth:`from_array`.

    Examples
    --------
    A sign test of the fold means:

    >>> import numpy as np
    >>> from scipy.stats import binom
    >>> from sklearn_cvtest.results import BaseCVTest
    >>> from sklearn_cvtest.results import Evaluation
    >>> class SignTest(BaseCVTest):
    ...     designs = ("k-fold",)
    ...     title = "sign test of the fold means"
    ...     symbol = "folds above"
    ...     is_directed = False
    ...     def evaluate(self, residuals):
    ...         means = residuals.block_means  # of shape (..., n_splits)
    ...         n = means.shape[-1]
    ...         above = np.sum(means > self.popmean, axis=-1)
    ...         tail = binom.cdf(np.minimum(above, n - above), n, 0.5)
    ...         error = means.std(axis=-1, ddof=1) / np.sqrt(n)
    ...         pvalue = np.minimum(2 * tail, 1.0)
    ...         return Evaluation(means.mean(axis=-1), error, above, pvalue, df=n - 1)
    >>> SignTest().fit([0.1, 0.3, 0.2, 0.1, 0.4, 0.2]).pvalue_
    0.03125
    """

    __metadata_request__fit: ClassVar = {"residuals": UNUSED}

    title = "user-defined test"
    symbol = "t"
    designs = ()
    needs_examples = False
    decides = "difference"  # or "equivalence", or "posterior"
    is_directed = True  # whether one-sided alternatives make sense
    has_joint_law = False  # whether it is known how statistics vary together
    concerns = "algorithms"  # or what was fitted, such as "these forecasts"
    rho_is_shown = False
    uses_all_splits = True
    compares_ratios = True  # whether means are, where their metric is
    has_own_limits = False  # whether `evaluate` decides where values do not vary

    def __init__(self, *, alpha=0.05, alternative="two-sided", popmean=0.0):
        self.alpha = alpha
        self.alternative = alternative
        self.popmean = popmean

    @property
    def of_difference(self):
        """The test whose interval is shown."""
        return self

    @abstractmethod
    def evaluate(self, residuals):
        """Compute the result of the test.

        Parameters
        ----------
        residuals : CVResiduals
            Checked residuals of a design for which the test is valid. They may have
            leading axes: one for pairs of estimators, or for samples.

        Returns
        -------
        evaluation : Evaluation
            The results, with the shape of the leading axes.
        """

    def interval(self, evaluation, level):
        """Return the values of `popmean` that the test does not reject.

        Parameters
        ----------
        evaluation : Evaluation
            What :meth:`evaluate` returned.
        level : float
            Its level, in (0, 1).

        Returns
        -------
        low, high : float or ndarray of shape (...)
            The ends.
        """
        return interval_of(
            evaluation.estimate,
            self.total_error(evaluation)[0],
            evaluation.df,
            level,
            self.alternative,
        )

    def decide(self, table):
        """Return "significant" or "not significant" for each pair of a PairTable."""
        return np.where(table.significant, "significant", "not significant")

    def level_of_interval(self, alpha):
        """Return the level of the interval that agrees with decisions at alpha."""
        return 1 - alpha

    def total_error(self, evaluation):
        """Return the standard error that includes everything the test assumes.

        What a reader needs who pools estimates or plans: one that knows of ρ, as
        `standard_error` need not, and how well it is known.

        Parameters
        ----------
        evaluation : Evaluation
            What :meth:`evaluate` returned.

        Returns
        -------
        error, df : float or ndarray of shape (...)
            The estimate ± error times the quantile of Student's t with `df` degrees of
            freedom is the interval of the test, or near it. Unless a test says
            otherwise, its standard error and degrees of freedom.
        """
        return evaluation.standard_error, evaluation.df

    def check_params(self):
        """Check the parameters.

        Raises
        ------
        TypeError, ValueError
            If one is not as described.
        """
        check_real("alpha", self.alpha, 0, 1)
        check_real("popmean", self.popmean)
        check_option("alternative", self.alternative, ALTERNATIVES)

    def check_metric(self, metric):
        """Check that `popmean`, or a margin, is one that the metric can have.

        Parameters
        ----------
        metric : Metric
            What is measured.

        Raises
        ------
        ValueError
            If it is not.
        """
        low, high = metric.loss_range
        if abs(self.popmean) > high - low:
            allowed = f"in [{low - high:g}, {high - low:g}]"
            raise invalid("popmean", allowed, self.popmean)

    def check_design(self, design, per_example=True, n_groups=None):
        """Check that the test is valid for a design.

        Parameters
        ----------
        design : Design
            The design of the splits.
        per_example : bool, default=True
            Whether there is a residual per test example.
        n_groups : int, default=None
            Number of groups; None without groups.

        Raises
        ------
        ValueError
            If it is not; the message names a test that is.
        """
        name = type(self).__name__
        if design.kind not in self.designs:
            allowed = f"a test for {design}, which {name} is not"
            right = name_of_test(design, per_example, n_groups)
            hint = f"Use {right}." if right else ""
            raise invalid("test", allowed, self, hint=hint)
        if self.needs_examples and not per_example:
            allowed = f"one of fold means, as there is one value a split; {name} is not"
            raise invalid("test", allowed, self)
        if self.needs_examples and n_groups is not None and n_groups < MIN_GROUPS:
            allowed = f"one of fold means, as there are only {n_groups} groups"
            right = TESTS_OF_MEANS.get(design.kind)
            hint = f"Use {right}." if right else f"None is valid for {design}."
            raise invalid("test", allowed, self, hint=hint)

    def from_array(self, array):
        """Return the CVResiduals of an array, of the first design of the test."""
        return CVResiduals.from_array(array, design=self.designs[0])

    def fit(self, residuals):
        """Test residuals.

        Parameters
        ----------
        residuals : CVResiduals or array-like
            An array has shape (n_splits, m), or (n_splits,) for one value per split,
            and is assumed to come from a design of the test.

        Returns
        -------
        self : object
            The fitted test.

        Raises
        ------
        TypeError, ValueError
            If a parameter is out of range, the residuals are not finite, or come from a
            design for which the test is not valid.
        """
        self.check_params()
        if not isinstance(residuals, CVResiduals):
            residuals = self.from_array(check_array("residuals", residuals, (1, 2)))
        residuals.check_finite()
        self.check_design(residuals.design, residuals.per_example, residuals.n_groups)
        return self._keep(evaluate_limited(self, residuals), residuals)

    def _keep(self, evaluation, residuals):
        """Take the numbers of one pair as attributes."""
        if np.any(np.isinf(evaluation.statistic)):
            warn(
                f"{type(self).__name__}: residuals do not vary, and their mean is not "
                "`popmean`.",
                DegenerateResidualsWarning,
            )
        self._evaluation = evaluation
        self._residuals = residuals
        self.estimate_ = float(evaluation.estimate)
        self.standard_error_ = float(evaluation.standard_error)
        self.statistic_ = float(evaluation.statistic)
        self.pvalue_ = float(evaluation.pvalue)
        self.df_ = evaluation.df
        if np.ndim(self.df_) == 0:
            self.df_ = np.asarray(self.df_).item()
        self.total_error_, self.total_df_ = map(float, self.total_error(evaluation))
        self.rho_ = float(evaluation.rho)
        self.rho_alpha_ = float(evaluation.rho_alpha)
        self.seed_stability_ = np.nan
        if residuals is not None:
            self.seed_stability_ = float(seed_stability(self, residuals, evaluation))
        return self

    def confidence_interval(self, confidence_level=0.95):
        """Return the values of `popmean` that the test does not reject.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Its level, in (0, 1).

        Returns
        -------
        interval : ConfidenceInterval
            A named tuple (low, high), in units of the loss, within its range where
            there is one; for a one-sided alternative one end is infinite.

        Raises
        ------
        ValueError
            If `confidence_level` is out of range.
        """
        check_is_fitted(self, "statistic_")
        level = check_real("confidence_level", confidence_level, 0, 1)
        ends = limited_interval(self, self._evaluation, self._residuals, level)
        return ConfidenceInterval(*map(float, ends))


def student_evaluation(test, residuals, mean, error, df):
    """Return the Evaluation of a mean by Student's t; p is 1 where nothing differs."""
    estimate, statistic = standardise(mean, error, residuals.magnitude, test.popmean)
    is_same = (np.asarray(error) == 0) & (np.asarray(statistic) == 0)
    pvalue = np.where(is_same, 1.0, pvalue_of(statistic, df, test.alternative))[()]
    return Evaluation(estimate, error, statistic, pvalue, df)


def standardise(estimate, error, magnitude, popmean):
    """Return (estimate, statistic), without what is rounding."""
    is_zero = np.abs(estimate) <= ROUNDING * magnitude
    estimate = np.where(is_zero, 0.0, estimate)
    difference = estimate - popmean
    is_rounding = np.abs(difference) <= ROUNDING * magnitude
    difference = np.where(is_rounding, 0.0, difference)
    return estimate, ratio_or_limit(difference, error)
