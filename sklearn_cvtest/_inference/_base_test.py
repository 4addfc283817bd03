"""Base of all tests: parameters, what is checked, and what a test may override."""

from __future__ import annotations

import numbers
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Literal

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils.metadata_routing import UNUSED
from sklearn.utils.validation import check_is_fitted

from .. import _validation
from .._data._residuals import CVResiduals, residuals_of
from .._splits._design import Design, DesignKind, designs_needed
from .._splits._groups import MIN_GROUPS
from .._typing import Any, Array, ArrayLike, Self
from ._evaluation import Answers, ConfidenceInterval, Evaluation
from ._flat import evaluated
from ._joint import single_rows
from ._problems import Problems
from ._split_stability import is_repeated, seed_stability
from ._traits import class_traits, default_test, register


def one_of(*options):
    """Return what checks that a parameter is one of these, for a table of checks."""
    return partial(_validation.check_option, options=options)


NUMBERS = (float, numbers.Integral)  # with which NumPy computes


def with_floats(test):
    """Return a test whose numbers are floats, itself if they are.

    A Fraction is a real number, too, which NumPy cannot compute with.
    """
    odd = {}
    for name, value in vars(test).items():
        if name[0] == "_" or name[-1] == "_":  # no parameter
            continue
        if isinstance(value, BaseCVTest):
            plain = with_floats(value)
            odd |= {} if plain is value else {name: plain}
        elif isinstance(value, numbers.Real) and not isinstance(value, NUMBERS):
            odd[name] = float(value)
    return clone(test).set_params(**odd) if odd else test


class BaseCVTest(Answers, BaseEstimator):
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

    # What checks each parameter, by name: a subclass adds those that are its own.
    _checks: ClassVar = {
        "alpha": _validation.check_level,
        "alternative": one_of("two-sided", "less", "greater"),
        "popmean": _validation.check_real,
    }

    # BaseEstimator would make a set_fit_request(residuals=...) of our `fit`.
    __metadata_request__fit: ClassVar = {"residuals": UNUSED}

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        register(cls)

    def assess(self, residuals: CVResiduals) -> Evaluation:
        """Compute the result, and how stable it is.

        Parameters
        ----------
        residuals : CVResiduals
            As :meth:`evaluate` takes them.

        Returns
        -------
        evaluation : Evaluation
            As returned by :meth:`evaluate`; for repeated designs with a column
            "seed_stability", as :meth:`stability` returns it.
        """
        self.check_range(*residuals.value_range)
        evaluation = evaluated(self, residuals)
        columns = evaluation.columns | self.stability(residuals, evaluation)
        return replace(evaluation, columns=columns)

    def stability(
        self, residuals: CVResiduals, evaluation: Evaluation
    ) -> dict[str, Any]:
        """Return how probable the same decision is with another seed of the splits.

        Parameters
        ----------
        residuals : CVResiduals
            As :meth:`evaluate` takes them.
        evaluation : Evaluation
            What it returned.

        Returns
        -------
        columns : dict
            For repeated designs, "seed_stability": the estimated probability of the
            same decision at level `alpha`; empty for others.
        """
        traits = self.traits
        is_known = traits.is_directed and traits.uses_all_splits
        if not (is_known and is_repeated(residuals.design)):
            return {}
        return {"seed_stability": seed_stability(self, residuals, evaluation)}

    def joint_rows(self, residuals: CVResiduals) -> Array:
        """Return residuals as deviations with the covariance of the means.

        "max-t" and the set of the best take these, if the test has the trait
        `has_joint_law`.

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
            If the test has no such law.
        """
        raise TypeError(f"{type(self).__name__} has no joint law of many pairs")

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
            array = _validation.check_real_array("residuals", residuals, (1, 2))
            residuals = self.residuals_of_array(array)
        self.check_design(residuals.design, residuals.per_example)
        self.check_groups(residuals.n_groups, residuals.design)
        residuals.check_finite()
        test = with_floats(self)
        evaluation = test.assess(residuals)
        self.store(evaluation)
        self._value_range = residuals.value_range
        problems = Problems(test)
        problems.note(residuals, evaluation)
        problems.warn()
        return self

    _value_range = (-np.inf, np.inf)

    def store(self, evaluation: Evaluation) -> None:
        """Store a result as fitted attributes.

        Parameters
        ----------
        evaluation : Evaluation
            What :meth:`evaluate` returned, of one pair.
        """
        self._evaluation = evaluation
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

    def check_params(self) -> None:
        """Check the parameters.

        Raises
        ------
        TypeError, ValueError
            If one is not as described.
        """
        for name, check in self._checks.items():
            check(name, getattr(self, name))

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
            raise _validation.invalid("design", "a Design", design, TypeError)
        _validation.check_flag("per_example", per_example)
        refusal = self._refusal(design, per_example)
        if refusal:
            raise ValueError(refusal)

    def check_groups(self, n_groups: int | None, design: Design) -> None:
        """Check that there are enough groups for a variance between groups.

        Parameters
        ----------
        n_groups : int or None
            Number of groups; None without groups.
        design : Design
            The design of the splits.

        Raises
        ------
        ValueError
            If there are fewer than ten and the test needs single examples; the message
            names a test of block means.
        """
        if n_groups is None or n_groups >= MIN_GROUPS or not self.traits.needs_examples:
            return
        right = default_test(design, per_example=False)
        advice = "No test for these splits works with fewer groups."
        if right:
            advice = f"Use {right.__name__}, a test of the means of splits."
        raise ValueError(
            f"{type(self).__name__} needs at least {MIN_GROUPS} groups, because its "
            f"variance is the variance between groups; got {n_groups}. {advice}"
        )

    def _refusal(self, design, per_example):
        """Return why the test is not valid for a design, "" if it is."""
        traits, name = self.traits, type(self).__name__
        if design.kind not in traits.designs:
            advice = _advice(design, per_example)
            return (
                f"{name} needs {designs_needed(traits.designs)}; got {design}.{advice}"
            )
        if traits.base_design not in (None, design.base_kind) and design.base:
            of_run = designs_needed([traits.base_design])
            return (
                f"{name} needs paired halves of {of_run}; "
                f"got {design}.{_advice(design, per_example)} Or use "
                "PairedHalves(BlockKFold(...))."
            )
        if traits.needs_examples and not per_example:
            right = default_test(design, per_example=False)
            advice = f" or {right.__name__}" if right else ""
            if design.kind == DesignKind.HOLDOUT:
                advice += " or several splits"
            return (
                f"{name} needs one residual per test example; got one value per split, "
                "as from `scoring` or `per_example=False`. Use a per-example "
                f"`loss`{advice}."
            )
        return ""

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
        level = _validation.check_level("confidence_level", confidence_level)
        test = with_floats(self)
        low, high = test.bounded_interval(self._evaluation, level, self._value_range)
        return ConfidenceInterval(float(low), float(high))


@dataclass(eq=False, repr=False, kw_only=True)
class WeighedTest(BaseCVTest):
    """A test of single examples, or of groups that may weigh the same in the mean."""

    weights: Literal["examples", "groups"] = "examples"

    needs_examples = vectorised = has_joint_law = True
    equal_groups = "weights='groups'"
    _checks: ClassVar = BaseCVTest._checks | {"weights": one_of("examples", "groups")}

    @property
    def traits(self):
        """What the test is and how it is spoken of; see :class:`BaseCVTest`."""
        return class_traits(type(self), weighs_groups=self.weights == "groups")

    def joint_rows(self, residuals):
        """Return the deviations of examples or groups; see :class:`BaseCVTest`."""
        return single_rows(residuals, self.weights)


def _advice(design, per_example):
    right = default_test(design, per_example)
    return f" Use {right.__name__}." if right else ""
