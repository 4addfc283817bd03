"""What a test finds: its result, and what it answers about that."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from .._typing import Alternative
from .._validation import invalid
from ._ends import POSTERIOR
from ._flat import flat_interval
from ._ratio import fieller_interval
from ._student import critical_value, student_interval
from ._traits import class_traits


class ConfidenceInterval(NamedTuple):
    """A confidence interval.

    Attributes
    ----------
    low, high : float
        Its ends, in units of the loss.
    """

    low: float
    high: float


@dataclass(frozen=True)
class Evaluation:
    """The result of a test: numbers, or arrays with one element for each pair.

    Attributes
    ----------
    estimate, standard_error, statistic, pvalue : float or ndarray of shape (...)
        As in the fitted attributes of a test.
    df : float, tuple or ndarray of shape (...)
        Degrees of freedom of the statistic.
    rho, rho_alpha : float or ndarray of shape (...)
        The ρ assumed, and the largest at which the test rejects; nan if there is none.
    columns : dict of str to float or ndarray of shape (...)
        Further results of the test, such as posterior probabilities: attributes of the
        fitted test (with "_" appended) and columns of tables.
    state : dict
        Values that only the interval needs, floats or arrays of shape (..., m).
    """

    estimate: np.ndarray
    standard_error: np.ndarray
    statistic: np.ndarray
    pvalue: np.ndarray
    df: object
    rho: np.ndarray = np.nan
    rho_alpha: np.ndarray = np.nan
    columns: dict = field(default_factory=dict)
    state: dict = field(default_factory=dict)


def signal_of(square, evaluation):
    """Return a squared statistic times its variance: of what does not vary, the mean's.

    Parameters
    ----------
    square : float or ndarray of shape (...)
        The square of the statistic, or F; infinite where nothing varies.
    evaluation : Evaluation
        Whose standard error that is.
    """
    noise = np.square(evaluation.standard_error)
    varies = noise > 0
    signal = np.where(varies, square, 0.0) * noise
    return np.where(varies, signal, np.square(evaluation.estimate))


@dataclass(eq=False, repr=False, kw_only=True)
class Answers(ABC):
    """What a test answers about its data and its result.

    :class:`.BaseCVTest` is made of it: a test has to say how it evaluates residuals,
    and overrides what is otherwise for it than for most.
    """

    alpha: float = 0.05
    alternative: Alternative = "two-sided"
    popmean: float = 0.0

    @property
    def traits(self):
        """What the test is and how it is spoken of: :class:`.Traits`."""
        return class_traits(type(self))

    def traits_of(self, row):
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

    @abstractmethod
    def evaluate(self, residuals):
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

    def interval(self, evaluation, confidence_level):
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

    def check_range(self, low, high):
        """Refuse a hypothesis about differences that there cannot be.

        Parameters
        ----------
        low, high : float
            The smallest and largest expected residual.

        Raises
        ------
        ValueError
            If `popmean`, or the margin or region of the test, is beyond them.
        """
        if not low <= self.popmean <= high:
            allowed = f"in [{low:g}, {high:g}], where all differences are"
            raise invalid("popmean", allowed, self.popmean)
        most, traits = max(-low, high), self.traits
        if traits.region >= most:
            name = "margin" if traits.decides == "equivalence" else "rope"
            allowed = f"below {most:g}, the largest difference that there can be"
            raise invalid(name, allowed, traits.region)

    def bounded_interval(self, evaluation, confidence_level, value_range):
        """Return the interval within the smallest and largest mean there can be.

        Parameters
        ----------
        evaluation : Evaluation
            What :meth:`evaluate` returned.
        confidence_level : float
            Its level, in (0, 1).
        value_range : tuple of two floats
            As residuals have it: the range of the loss, or of differences of it.

        Returns
        -------
        low, high : float or ndarray of shape (...)
            The ends of :meth:`interval`, cut off at the range: no other mean was
            possible, so that it covers as often. A one-sided interval stays open.
        """
        ends = self.interval(evaluation, confidence_level)
        low, high = flat_interval(ends, evaluation, confidence_level, self.alternative)
        if self.alternative != "less":
            low = np.clip(low, *value_range)
        if self.alternative != "greater":
            high = np.clip(high, *value_range)
        return low, high

    @property
    def has_ratio_interval(self):
        """Whether :meth:`ratio_interval` belongs to the test.

        It does where :meth:`interval` is the estimate plus and minus a quantile of its
        standard error; a test with another interval has to say so.
        """
        return type(self).interval is Answers.interval

    def signal_and_noise(self, evaluation):
        """Return what the test compares: it rejects where signal > threshold * noise.

        Both are quadratic in the residuals, which Fieller's interval of a ratio needs;
        see :meth:`ratio_threshold`.

        Parameters
        ----------
        evaluation : Evaluation
            What :meth:`evaluate` returned, for `popmean=0`.

        Returns
        -------
        signal, noise : float or ndarray of shape (...)
            For most tests the square of what is tested, and of its standard error.
        """
        noise = np.square(evaluation.standard_error)
        return signal_of(np.square(evaluation.statistic), evaluation), noise

    def ratio_threshold(self, evaluation, confidence_level):
        """Return the threshold of :meth:`signal_and_noise`.

        Parameters
        ----------
        evaluation : Evaluation
            What :meth:`evaluate` returned.
        confidence_level : float
            One minus the level of the test, in (0, 1).

        Returns
        -------
        threshold : float or ndarray of shape (...)
            For most tests the square of the critical value.
        """
        critical = critical_value(confidence_level, evaluation.df, self.alternative)
        return np.square(critical)

    def ratio_interval(self, evaluation, first, second, confidence_level):
        """Return Fieller's interval of the ratio of the mean losses of two models.

        Parameters
        ----------
        evaluation : Evaluation
            What :meth:`evaluate` returned of the differences, for `popmean=0`.
        first, second : tuple of two arrays of shape (...)
            What :meth:`signal_and_noise` returned of the losses of each model alone.
        confidence_level : float
            Its level, in (0, 1).

        Returns
        -------
        low, high : ndarray of shape (...)
            The ends; see :func:`fieller_interval`.
        """
        terms = zip(first, second, self.signal_and_noise(evaluation), strict=True)
        signals, noises = (np.array(np.broadcast_arrays(*term)) for term in terms)
        threshold = self.ratio_threshold(evaluation, confidence_level)
        return fieller_interval(signals, noises, threshold, self.alternative)

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
        df = np.inf if isinstance(evaluation.df, tuple) else evaluation.df
        return evaluation.standard_error, df

    def pvalues_at(self, evaluation, rho):
        """Return the p-values that the test has if ρ is taken to be known.

        Asked for only if `varies_with_rho`.

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
        NotImplementedError
            If the test has none.
        """
        raise NotImplementedError(f"{type(self).__name__} has no p-value for each ρ")

    def error_noise(self, evaluation, residuals, confidence_level):
        """Return how the ends of :meth:`interval` vary with the seed of the splits.

        Parameters
        ----------
        evaluation, residuals : Evaluation, CVResiduals
            What :meth:`evaluate` returned of what.
        confidence_level : float
            The level of the interval, in (0, 1).

        Returns
        -------
        deviation : float or ndarray of shape (...)
            The relative standard deviation of the standard error, apart from the
            estimate; 0 unless a test takes it from the spread over splits.
        influences : ndarray of shape (2, ..., n_examples) or None
            By how much the low and the high end grow with the mean residual of each
            example (or group); None where that is 1/n.
        """
        return 0.0, None

    def caution(self, design):
        """Return what to warn of whenever the test is used on a design.

        Parameters
        ----------
        design : Design
            For which the test is valid.

        Returns
        -------
        text : str
            Sentences; "" if there is nothing.
        """
        return ""

    def extended(self, evaluation, residuals, n_splits):
        """Return the result as it would be of more splits of the same kind.

        Parameters
        ----------
        evaluation : Evaluation
            What :meth:`evaluate` returned of the residuals.
        residuals : CVResiduals
            The residuals.
        n_splits : int
            Number of splits.

        Returns
        -------
        evaluation : Evaluation
            With the standard error and degrees of freedom of `n_splits` splits of the
            same mean and spread; unless a test says otherwise, as it is.
        """
        return evaluation

    def winners(self, estimate, rejected, columns, alpha):
        """Return which of the two is found to be better.

        Parameters
        ----------
        estimate : ndarray of shape (n_pairs,)
            The differences.
        rejected : ndarray of bool of shape (n_pairs,)
            Where the null hypothesis is rejected.
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

    def interval_level(self, alpha):
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
