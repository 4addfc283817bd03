"""The test of forecasts over time."""

from typing import Literal

import numpy as np

from .._data._residuals import CVResiduals
from .._splits._design import Design
from .._typing import Alternative
from .._validation import check_integer, check_option, invalid_words, warn
from ..exceptions import DegenerateResidualsWarning
from ._base import BaseCVTest
from ._evaluation import Evaluation
from ._long_run import KERNELS, diebold_mariano
from ._student import Statistic, statistic_pvalue
from ._traits import Reference


class DieboldMarianoTest(BaseCVTest):
    """Diebold and Mariano's test of two forecasts of a time series.

    Tests whether the expected loss difference of the forecasts that were made is
    `popmean`. Differences at neighbouring times are correlated, so that the variance of
    their mean is the long-run variance of the series, not the variance for independent
    examples. It is about these forecasts, with the training sets as they grew, not
    about the learning algorithms on other data.

    Parameters
    ----------
    horizon : int, default=1
        Number of steps ahead h that were forecast, at least 1 and below the number of
        times. Errors of forecasts h steps ahead are correlated up to lag h - 1.
    kernel : {"uniform", "bartlett"}, default="uniform"
        How the autocovariances up to lag h - 1 are weighed: all alike, as in [1]_, or
        by 1 - k/h, which cannot give a negative variance.
    alpha : float, default=0.05
        Level in (0, 1); kept for reports.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "greater": the expected residual is above `popmean`, that is (with 0)
        the second estimator is better.
    popmean : float, default=0.0
        Expected residual under the null hypothesis.

    Attributes
    ----------
    statistic_, pvalue_ : float
        The statistic with the factor of [2]_, and its p-value from Student's t.
    estimate_, standard_error_ : float
        Mean difference over all times, and its standard error.
    df_ : int
        T - 1, of T times.
    rho_, rho_alpha_ : float
        nan: there are no exchangeable blocks.

    Warns
    -----
    DegenerateResidualsWarning
        If the variance by the uniform kernel is not positive; Bartlett's takes its
        place.

    Notes
    -----
    With γ̂_k the autocovariances of the differences, the variance of the mean is
    (γ̂_0 + 2 Σ_{k<h} w_k γ̂_k)/T, and the statistic is multiplied by
    √((T + 1 - 2h + h(h - 1)/T)/T) [2]_. Residuals are put in the order of the rows of
    X, which must be their order in time; an example that is tested twice is refused.
    `fit` also takes an array of differences in the order of time.

    References
    ----------
    .. [1] F. X. Diebold and R. S. Mariano, "Comparing Predictive Accuracy", Journal of
       Business & Economic Statistics 13(3), 253-263, 1995.
       :doi:`10.1080/07350015.1995.10524599`
    .. [2] D. Harvey, S. Leybourne and P. Newbold, "Testing the equality of prediction
       mean squared errors", International Journal of Forecasting 13(2), 281-291, 1997.
       :doi:`10.1016/S0169-2070(96)00719-4`

    Examples
    --------
    >>> from sklearn_cvtest import DieboldMarianoTest
    >>> e = [0.2, 0.3, 0.1, -0.1, 0, 0.3, 0.4, 0.1]
    >>> test = DieboldMarianoTest(horizon=2).fit(e)
    >>> round(test.statistic_, 4), round(test.pvalue_, 4)
    (1.9197, 0.0964)
    """

    about = (
        "A t test of the mean loss difference over time, with a variance that accounts "
        "for the correlation of differences at neighbouring times. It is about the "
        "forecasts that were made, not about the learning algorithms on other data."
    )
    references = (
        Reference(
            'F. X. Diebold and R. S. Mariano, "Comparing Predictive Accuracy", Journal '
            "of Business & Economic Statistics 13(3), 253-263, 1995.",
            "doi:10.1080/07350015.1995.10524599",
        ),
        Reference(
            'D. Harvey, S. Leybourne and P. Newbold, "Testing the equality of '
            'prediction mean squared errors", International Journal of Forecasting '
            "13(2), 281-291, 1997.",
            "doi:10.1016/S0169-2070(96)00719-4",
        ),
    )
    designs = ("time series",)
    default_for = ("time series",)
    needs_examples = True
    vectorised = True
    assumes_normality = False
    concerns = "forecasts"
    remark = "This is about these forecasts, not the learning algorithms."
    title = "test of forecasts (Diebold & Mariano 1995; Harvey et al. 1997)"

    def __init__(
        self,
        horizon: int = 1,
        kernel: Literal["uniform", "bartlett"] = "uniform",
        *,
        alpha: float = 0.05,
        alternative: Alternative = "two-sided",
        popmean: float = 0.0,
    ):
        self.horizon = horizon
        self.kernel = kernel
        super().__init__(alpha=alpha, alternative=alternative, popmean=popmean)

    def check_params(self) -> None:
        """Check the parameters; see :class:`BaseCVTest`."""
        super().check_params()
        check_integer("horizon", self.horizon, 1)
        check_option("kernel", self.kernel, KERNELS)

    def residuals_of_array(self, array):
        """Return differences in the order of time; see :class:`BaseCVTest`."""
        if array.ndim != 1:
            allowed = "differences in the order of time, an array of one dimension"
            shown = f"an array of shape {array.shape}"
            raise invalid_words("residuals", allowed, shown)
        times = np.arange(len(array))
        return CVResiduals(
            values=array,
            row_split=np.zeros(len(array), dtype=np.intp),
            n_train=None,
            n_test=np.array([len(array)]),
            n_samples=None,
            design=Design("time series", 1),
            row_index=times,
        )

    def evaluate(self, residuals):
        """Compute t of the series; see :class:`BaseCVTest`."""
        series = _in_order_of_time(residuals)
        n_times = series.shape[-1]
        if n_times <= self.horizon:
            raise ValueError(
                "DieboldMarianoTest needs more times than the horizon, "
                f"{self.horizon}; got {n_times}."
            )
        found = diebold_mariano(series, self.horizon, self.kernel, self.popmean)
        if np.any(found.is_bartlett):
            warn(
                "DieboldMarianoTest: the variance by the uniform kernel is not "
                "positive; Bartlett's kernel took its place.",
                DegenerateResidualsWarning,
            )
        result = Statistic(found.estimate, found.standard_error, found.statistic)
        pvalue = statistic_pvalue(result, found.df, self.alternative)
        return Evaluation(*result, pvalue, found.df)


def _in_order_of_time(residuals):
    """Return the residuals in the order of the rows of X, each tested once."""
    if residuals.row_index is None:
        return residuals.values
    times, counts = np.unique(residuals.row_index, return_counts=True)
    if counts.max() > 1:
        raise ValueError(
            "DieboldMarianoTest needs test sets without a common example; got row "
            f"{times[counts > 1][0]} of X in {counts.max()} test sets. Make the "
            "test sets disjoint: no longer than the step between them."
        )
    return residuals.values[..., np.argsort(residuals.row_index)]
