"""The base of all tests: what a test may override, and what every test does alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.metadata_routing import UNUSED
from sklearn.utils.validation import check_is_fitted

from .._data._residuals import CVResiduals, residuals_of
from .._splits._design import Design
from .._typing import Alternative, Any, Array, ArrayLike, Mapping, Self, Sequence
from .._validation import check_flag, check_level, check_real, check_real_array, invalid
from ._ends import POSTERIOR
from ._evaluation import ConfidenceInterval, Evaluation
from ._parameters import check_parameters, checked_by, one_of, with_floats
from ._problems import Problems
from ._split_stability import evaluate_with_stability
from ._student import student_interval
from ._traits import Traits, class_traits, register
from ._validity import check_groups, refused_design
from ._zero_variance import bounded_interval

# Traits that follow from what a class overrides, unless it says otherwise.
FOLLOWS = {
    "interval": ("has_ratio_interval", False),
    "pvalues_at": ("varies_with_rho", True),
    "deviation_rows": ("has_joint_law", True),
}


@dataclass(eq=False, repr=False, kw_only=True)
class BaseCVTest(BaseEstimator, ABC):
    """Base of all tests of the mean of cross-validation residuals.

    A subclass declares what it is by class attributes, takes its options in
    `__init__`, and computes in :meth:`evaluate`. Comparisons, reports, pictures and
    simulations read its `traits`; they never ask for its class or its options.

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
    What a test is, it declares by class attributes with the names of :class:`.Traits`:
    `designs`, for which it is valid, and whatever differs from the defaults there, such
    as `title` or `needs_examples`. A trait that depends on an option is replaced in the
    property `traits`, as `dataclasses.replace(super().traits, region=self.rope)`.

    A test has to define :meth:`evaluate`. It may override nine others: `traits` and
    :meth:`traits_of`, what it is; :meth:`residuals_of_array`, what arrays stand for;
    :meth:`interval`, :meth:`total_error`, :meth:`pvalues_at` and :meth:`better_side`,
    what follows from a result; :meth:`deviation_rows`, how many pairs vary together;
    :meth:`design_warning`.

    Examples
    --------
    A sign test of the fold means:

    >>> import numpy as np
    >>> from scipy.stats import binomtest
    >>> from sklearn_cvtest.results import BaseCVTest
    >>> from sklearn_cvtest.results import Evaluation
    >>> class SignTest(BaseCVTest):
    ...     designs = ("k-fold",)
    ...     title = "sign test of the fold means"
    ...     symbol = "folds above"
    ...     def evaluate(self, residuals):
    ...         above = int(np.sum(residuals.block_means > self.popmean))
    ...         n = len(residuals.block_means)
    ...         pvalue = binomtest(above, n, alternative=self.alternative).pvalue
    ...         estimate = residuals.block_means.mean()
    ...         error = residuals.block_means.std(ddof=1) / np.sqrt(n)
    ...         return Evaluation(estimate, error, above, pvalue, df=n - 1)
    >>> SignTest().fit([0.1, 0.3, 0.2, 0.1, 0.4, 0.2]).pvalue_
    0.03125
    """

    alpha: float = field(default=0.05, metadata=checked_by(check_level))
    alternative: Alternative = field(
        default="two-sided", metadata=one_of("two-sided", "less", "greater")
    )
    popmean: float = field(default=0.0, metadata=checked_by(check_real))

    # BaseEstimator would make a set_fit_request(residuals=...) of our `fit`.
    __metadata_request__fit: ClassVar = {"residuals": UNUSED}

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        for method, (trait, value) in FOLLOWS.items():
            if method in vars(cls) and trait not in vars(cls):
                setattr(cls, trait, value)
        register(cls)

    # What a test may override -----------------------------------------------------

    @property
    def traits(self) -> Traits:
        """What the test is and how it is spoken of: :class:`.Traits`."""
        return class_traits(type(self))

    def traits_of(self, row: Any) -> Traits:
        """Return the traits that the test has for some data.

        Parameters
        ----------
        row : PairRow
            The results of one pair.

        Returns
        -------
        traits : Traits
            `traits`, unless the test takes another form for these data.
        """
        return self.traits

    def residuals_of_array(self, array: Array) -> CVResiduals:
        """Return the residuals that a plain array represents.

        Parameters
        ----------
        array : ndarray of shape (n_splits, m) or (n_splits,)
            The array given to :meth:`fit`.

        Returns
        -------
        residuals : CVResiduals
            Residuals of the first of `designs`.
        """
        return residuals_of(array, self.traits.designs[0])

    @abstractmethod
    def evaluate(self, residuals: CVResiduals) -> Evaluation:
        """Compute the result of the test.

        Parameters
        ----------
        residuals : CVResiduals
            Checked residuals of a design for which the test is valid. If `vectorised`,
            they may have leading axes: one for pairs of estimators, or for samples.

        Returns
        -------
        evaluation : Evaluation
            The results, with the shape of the leading axes.
        """

    def interval(self, evaluation: Evaluation, confidence_level: float) -> Any:
        """Return the values of `popmean` that the test does not reject.

        Parameters
        ----------
        evaluation : Evaluation
            What :meth:`evaluate` returned.
        confidence_level : float
            Its level, in (0, 1).

        Returns
        -------
        low, high : float or ndarray of shape (...)
            The ends.
        """
        return student_interval(
            evaluation.estimate,
            evaluation.standard_error,
            evaluation.df,
            confidence_level,
            self.alternative,
        )

    def total_error(self, evaluation: Evaluation) -> Any:
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
        df = evaluation.df
        if isinstance(df, tuple):  # of an F
            df = np.inf
        return evaluation.standard_error, df

    def pvalues_at(self, evaluation: Evaluation, rho: Array) -> Array:
        """Return the p-values that the test has if ρ is taken to be known.

        Parameters
        ----------
        evaluation : Evaluation
            What :meth:`evaluate` returned of one pair.
        rho : ndarray of shape (n_rho,)
            Values of ρ in [0, 1).

        Returns
        -------
        pvalues : ndarray of shape (n_rho,)
            They cross `alpha` at `rho_alpha_`.

        Raises
        ------
        TypeError
            If the test has none; its trait `varies_with_rho` says so.
        """
        raise TypeError(f"{type(self).__name__} has no p-value for each ρ")

    def better_side(
        self,
        estimate: Array,
        rejected: Array,
        columns: Mapping[str, Array],
        alpha: float,
    ) -> Array:
        """Return which of the two is found to be better.

        Parameters
        ----------
        estimate : ndarray of shape (n_pairs,)
            The differences.
        rejected : ndarray of shape (n_pairs,)
            Whether the null hypothesis is rejected.
        columns : dict of str to ndarray of shape (n_pairs,)
            What else the test found.
        alpha : float
            The level.

        Returns
        -------
        sides : ndarray of shape (n_pairs,)
            1 for the second, -1 for the first, 0 for neither. Where a posterior
            decides, its region of practical equivalence says what better means.

        Raises
        ------
        ValueError
            If a posterior decides and `columns` are without it.
        """
        if not self.traits.names_winner or self.popmean:
            return np.zeros(len(estimate), dtype=int)
        if self.traits.decides != "posterior":
            return np.where(rejected, np.where(estimate > 0, 1, -1), 0)
        if not columns.keys() >= set(POSTERIOR):
            allowed = f"{', '.join(POSTERIOR)} where a posterior decides"
            raise invalid("columns", allowed, list(columns))
        less, _, greater = (columns[name] >= 1 - alpha for name in POSTERIOR)
        return np.where(greater, 1, np.where(less, -1, 0))

    def deviation_rows(self, residuals: CVResiduals) -> Array:
        """Return residuals as deviations with the covariance of the means.

        The set of the best takes these.

        Parameters
        ----------
        residuals : CVResiduals
            The residuals of many differences.

        Returns
        -------
        rows : ndarray of shape (n_differences, n_units)
            Deviations whose products have the covariance of the means, up to a factor.

        Raises
        ------
        TypeError
            If the test has no such law; its trait `has_joint_law` says so.
        """
        raise TypeError(f"{type(self).__name__} has no joint law of many pairs")

    # What every test does alike -----------------------------------------------------

    def fit(self, residuals: CVResiduals | ArrayLike) -> Self:
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
            array = check_real_array("residuals", residuals, (1, 2))
            residuals = self.residuals_of_array(array)
        self.check_design(residuals.design, residuals.per_example)
        check_groups(self.traits, residuals.n_groups, residuals.design)
        residuals.check_finite()
        test = with_floats(self)
        evaluation = evaluate_with_stability(test, residuals)
        self.set_fitted(evaluation, residuals.value_range)
        problems = Problems(test)
        problems.add(residuals, evaluation)
        problems.warn()
        return self

    def check_params(self) -> None:
        """Check the parameters.

        Raises
        ------
        TypeError, ValueError
            If one is not as described.
        """
        check_parameters(self)

    def check_design(self, design: Design, per_example: bool = True) -> None:
        """Check that the test is valid for a design.

        Parameters
        ----------
        design : Design
            The design of the splits.
        per_example : bool, default=True
            Whether there is a residual per test example.

        Raises
        ------
        ValueError
            If it is not; the message names a test that is.
        """
        if not isinstance(design, Design):
            raise invalid("design", "a Design", design, TypeError)
        check_flag("per_example", per_example)
        self.check_params()
        traits = self.traits.inner or self.traits
        refusal = refused_design(traits, design, per_example)
        if refusal:
            raise ValueError(refusal)

    def set_fitted(
        self,
        evaluation: Evaluation,
        value_range: Sequence[float] = (-np.inf, np.inf),
    ) -> None:
        """Store a result as fitted attributes.

        Parameters
        ----------
        evaluation : Evaluation
            What :meth:`evaluate` returned, of one pair.
        value_range : tuple of two floats, default=(-inf, inf)
            The smallest and largest difference there can be.
        """
        self._evaluation = evaluation
        self._value_range = value_range
        self.estimate_ = float(evaluation.estimate)
        self.standard_error_ = float(evaluation.standard_error)
        self.statistic_ = float(evaluation.statistic)
        self.pvalue_ = float(min(evaluation.pvalue, 1.0))
        self.df_ = evaluation.df
        self.total_error_, self.total_df_ = map(float, self.total_error(evaluation))
        self.rho_ = float(evaluation.rho)
        self.rho_alpha_ = float(evaluation.rho_alpha)
        for name, value in evaluation.columns.items():
            setattr(self, f"{name}_", float(value))

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
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
        level = check_level("confidence_level", confidence_level)
        test = with_floats(self)
        low, high = bounded_interval(test, self._evaluation, level, self._value_range)
        return ConfidenceInterval(float(low), float(high))

    def interval_level(self, alpha: float) -> float:
        """Return the level of the interval that goes with decisions at a level.

        Parameters
        ----------
        alpha : float
            The level of the decisions.

        Returns
        -------
        confidence_level : float
            1 - alpha; of equivalence, which two one-sided tests show, 1 - 2 alpha.
        """
        if self.traits.decides != "equivalence" or self.alternative != "two-sided":
            return 1 - alpha
        return max(1 - 2 * alpha, 1e-9)
