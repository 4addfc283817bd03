"""What all tests share: parameters, the design contract, fitted attributes."""

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.metadata_routing import UNUSED
from sklearn.utils.validation import check_is_fitted

from .._data._residuals import CVResiduals, residuals_of
from .._splits._design import Design
from .._validation import (
    check_flag,
    check_option,
    check_real,
    check_real_array,
    invalid,
    warn,
)
from ..exceptions import DegenerateResidualsWarning, HeavyTailedResidualsWarning
from ._student import relative_skewness, student_interval

__all__ = ["ALTERNATIVES", "BaseCVTest", "ConfidenceInterval"]

ALTERNATIVES = ("two-sided", "less", "greater")

# One tail of a studentised mean with this skewness is about twice as heavy as the
# normal's (Edgeworth); of fewer residuals the skewness says little.
MAX_SKEWNESS = 0.25
MIN_FOR_SKEWNESS = 40

RIGHT_TEST = {
    "k-fold": "KFoldTTest",
    "repeated k-fold": "CorrectedRepeatedKFoldTTest",
    "subsample": "CorrectedResampledTTest",
    "5x2": "FiveByTwoFTest",
    "holdout": "HoldoutTTest",
    "paired halves": "IntegratedRhoTest (K-fold) or ConservativeZTest",
}

RIGHT_TEST_OF_SCORES = {
    "k-fold": "KFoldTTest",
    "paired halves": "ConservativeZTest",
    "holdout": "several splits and CorrectedResampledTTest",
}


class ConfidenceInterval(NamedTuple):
    """A confidence interval.

    Attributes
    ----------
    low, high : float
        Its ends, in units of the loss.
    """

    low: float
    high: float


class BaseCVTest(ABC, BaseEstimator):
    """Base of the tests of the mean of cross-validation residuals.

    A subclass says which designs it is valid for (`designs`), whether it needs a
    residual per example (`needs_examples`), and computes in `_fit`.
    """

    designs = ()
    needs_examples = False
    base_design = None  # the only base of paired halves it is valid for
    title = ""  # how a report calls it
    symbol = "t"  # of its statistic
    names_winner = True  # whether a two-sided rejection says which one is better

    # BaseEstimator would make a set_fit_request(residuals=...) of our `fit`.
    __metadata_request__fit: ClassVar = {"residuals": UNUSED}

    def __init__(self, *, alpha=0.05, alternative="two-sided", popmean=0.0):
        self.alpha = alpha
        self.alternative = alternative
        self.popmean = popmean

    def fit(self, residuals):
        """Test residuals.

        Parameters
        ----------
        residuals : CVResiduals or array-like
            An array has shape (n_splits, m), or (n_splits,) for one value per
            split, and is taken to come from the design the test is for.

        Returns
        -------
        self : object
            The fitted test.

        Raises
        ------
        TypeError, ValueError
            If a parameter is out of range, the residuals are not finite, or
            come from a design the test is not valid for.
        """
        self._check_params()
        if not isinstance(residuals, CVResiduals):
            array = check_real_array("residuals", residuals, (1, 2))
            residuals = self._from_array(array)
        self.check_design(residuals.design, residuals.per_example)
        residuals.check_finite()
        self._fit(residuals)
        of = f" of {' - '.join(residuals.names)}" if residuals.names else ""
        if np.isinf(self.statistic_):
            warn(
                f"{type(self).__name__}: the residuals{of} have no variance and differ "
                f"from popmean, so the statistic is {self.statistic_} and the p-value "
                f"{self.pvalue_:g}. Are there enough test examples?",
                DegenerateResidualsWarning,
            )
        if self._assumes_normality() and residuals.per_example:
            self._warn_of_heavy_tails(residuals, of)
        return self

    def _assumes_normality(self):
        """Whether the test takes the mean residual for normal."""
        return True

    def _warn_of_heavy_tails(self, residuals, of):
        full = residuals.runs()[0]
        values = full.values
        n_distinct = min(len(values), residuals.n_samples or len(values))
        skewness = relative_skewness(full, n_distinct)
        if abs(skewness) <= MAX_SKEWNESS or n_distinct < MIN_FOR_SKEWNESS:
            return
        distances = np.sort(np.abs(values - np.median(values)))
        n_largest = int(np.ceil(0.05 * len(values)))
        share = distances[-n_largest:].sum() / distances.sum()
        advice = (
            "Compare with a bounded loss, or use "
            "IntegratedRhoTest(correct_skewness=True) on a K-fold."
        )
        if np.isin(values, (-1, 0, 1)).all():
            advice = "There are too few errors for it; more examples would help."
        warn(
            f"{type(self).__name__}: the residuals{of} are heavy-tailed (skewness "
            f"{skewness * np.sqrt(n_distinct):.1f}; the largest 5% of deviations make "
            f"up {share:.0%} of all), so their mean is not close to normal and the "
            f"test does not hold its level. {advice}",
            HeavyTailedResidualsWarning,
        )

    @abstractmethod
    def _fit(self, residuals):
        """Compute from checked residuals and call `_set_result`."""

    def _from_array(self, array):
        """Return the residuals a plain array stands for."""
        return residuals_of(array, self.designs[0])

    def _check_params(self):
        check_real("alpha", self.alpha, above=0, below=1)
        check_option("alternative", self.alternative, ALTERNATIVES)
        check_real("popmean", self.popmean)

    def check_design(self, design, per_example=True):
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
        name = type(self).__name__
        if design.kind not in self.designs:
            right = RIGHT_TEST.get(design.kind)
            advice = f" Use {right}." if right else ""
            raise ValueError(
                f"{name} is valid for residuals of {' or '.join(self.designs)}; got "
                f"{design}.{advice}"
            )
        wrong_base = self.base_design not in (None, design.base)
        if design.kind == "paired halves" and wrong_base:
            raise ValueError(
                f"{name} is valid for paired halves of {self.base_design}; got "
                f"{design}. Use PairedHalves(BlockKFold(...)), or ConservativeZTest."
            )
        if self.needs_examples and not per_example:
            right = RIGHT_TEST_OF_SCORES.get(design.kind)
            advice = f" or {right}" if right else ""
            raise ValueError(
                f"{name} needs one residual per test example; got one value per split, "
                "as from `scoring` or `per_example=False`. Use a per-example "
                f"`loss`{advice}."
            )

    def _set_result(
        self,
        estimate,
        standard_error,
        statistic,
        pvalue,
        df,
        rho=np.nan,
        rho_alpha=np.nan,
    ):
        self.estimate_ = float(estimate)
        self.standard_error_ = float(standard_error)
        self.statistic_ = float(statistic)
        self.pvalue_ = float(min(pvalue, 1.0))
        self.df_ = df
        self.rho_ = float(rho)
        self.rho_alpha_ = float(rho_alpha)

    def confidence_interval(self, confidence_level=0.95):
        """Return the values of `popmean` that the test does not reject.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Its level, in (0, 1).

        Returns
        -------
        interval : ConfidenceInterval
            A named tuple (low, high), in units of the loss; for a one-sided alternative
            one end is the largest (or smallest) possible value.

        Raises
        ------
        ValueError
            If `confidence_level` is out of range.
        """
        check_is_fitted(self, "statistic_")
        level = check_real("confidence_level", confidence_level, above=0, below=1)
        return ConfidenceInterval(*map(float, self._interval(level)))

    def _interval(self, level):
        return student_interval(
            self.estimate_, self.standard_error_, self.df_, level, self.alternative
        )

    def _statistic_text(self):
        """Return the statistic as a paper would print it."""
        df = self.df_ if isinstance(self.df_, tuple) else (self.df_,)
        df = ", ".join(f"{value:g}" for value in df if np.isfinite(value))
        degrees = f"({df})" if df else ""
        return f"{self.symbol}{degrees} = {self.statistic_:.4g}"

    def _proviso(self, significant):
        """Return the condition a conclusion stands under, "" if none."""
        return ""

    def _direction(self):
        """Return a number of the sign of what was found."""
        return self.estimate_ - self.popmean

    def _finding(self, significant):
        """Return what a p-value below (or above) the level says."""
        from_popmean = f" from {self.popmean:g}" if self.popmean else ""
        verdict = "is" if significant else "is not"
        return f"the difference{from_popmean} {verdict} significant"

    def _remark(self, first, second):
        """Return a sentence to add to a conclusion, "" if none."""
        return ""

    def _interval_level(self, alpha):
        """Return the level of the interval that goes with decisions at `alpha`."""
        return 1 - alpha
