"""corrected_ttest: two columns of scores over the same splits."""

from dataclasses import dataclass, replace

import numpy as np

from ._columns import metric_of_values
from ._data import CVResiduals
from ._inference import CorrectedResampledTTest
from ._inference.base import ALTERNATIVES
from ._layout import layout_of_cv
from ._report.numbers import equals
from ._report.result import Content, Result
from ._report.units import Unit
from ._validation import check_array, check_option, check_row_order, invalid


def corrected_ttest(
    a, b, n_train=None, n_test=None, *, cv=None, alternative="two-sided"
) -> "CorrectedTTest":
    r"""Compare two models by their scores over the same splits, correctly.

    Nadeau and Bengio's corrected resampled t test, for scores of cross-validation,
    repeated cross-validation or random subsamples. Scores of different splits are not
    independent, because training sets overlap; the usual paired t test takes them for
    independent and finds differences where there are none.

    Parameters
    ----------
    a, b : array-like of shape (n_splits,)
        The scores (or losses) of the two models, in the same order of splits.
    n_train, n_test : int or array-like of shape (n_splits,), default=None
        Numbers of examples in the training and test sets: 90 and 10 for 10-fold
        cross-validation of 100 examples. None if `cv` says their ratio.
    cv : object, default=None
        How the splits were made, in place of `n_train` and `n_test`: the splitter, an
        int (K-fold), or a list of (train, test), as in :func:`compare_cv_results`.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "greater": the expectation of `a` is above the expectation of `b`.

    Returns
    -------
    result : CorrectedTTestResult
        With `estimate` (mean of a - b), `pvalue`, `statistic`, `standard_error`, `df`
        and `confidence_interval()`.

    Raises
    ------
    TypeError, ValueError
        If the arrays are not of the same number of finite scores, at least two, the
        sizes are not positive, or neither they nor `cv` say what n_test/n_train is.

    Warns
    -----
    DegenerateResidualsWarning
        If all differences are the same and not 0.

    See Also
    --------
    compare_cv_results : For several models, from the output of `cross_validate`.
    compare_estimators : Fits the models, too.

    Notes
    -----
    With d = a - b and S² their sample variance [1]_,

    .. math:: t = \frac{\bar d}{\sqrt{(1/J + n_2/n_1)\, S^2}} \sim t_{J-1}.

    If all differences are the same, they do not show what others would be: p = 1, and
    the interval has no ends. t is then 0, or infinite where they are not 0.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error",
       Machine Learning 52, 239-281, 2003. :doi:`10.1023/A:1024068626366`

    Examples
    --------
    >>> from sklearn_cvtest import corrected_ttest
    >>> a = [0.94, 0.91, 0.96, 0.93, 0.95, 0.97, 0.92, 0.95, 0.93, 0.96]
    >>> b = [0.92, 0.92, 0.93, 0.91, 0.94, 0.95, 0.89, 0.95, 0.91, 0.94]
    >>> result = corrected_ttest(a, b, n_train=90, n_test=10)
    >>> round(result.pvalue_, 3)
    0.022
    >>> print(result)
    mean(a) − mean(b) = 0.016, 95% CI 0.003 to 0.029, t(9) = 2.753, ...
    >>> corrected_ttest(a, b, cv=10).pvalue_ == result.pvalue_
    True
    """
    check_option("alternative", alternative, ALTERNATIVES)
    check_row_order(must_match=True, a=a, b=b)
    a = check_array("a", a, (1,))
    b = check_array("b", b, (1,))
    if len(a) != len(b) or len(a) < 2:
        raise invalid("b", "scores of the same splits as `a`, at least two", b)
    for name, values in (("a", a), ("b", b)):
        if not np.isfinite(values).all():
            raise invalid(name, "finite", values)
    layout = layout_of_cv(cv, len(a), n_train, n_test)
    if not (layout.design.is_k_fold or layout.design.kind in ("subsample", "5x2")):
        allowed = "a K-fold, repeated or not, or random subsamples"
        raise invalid("cv", allowed, str(layout.design))
    n_train, n_test = layout.n_train, layout.n_test
    if n_test is None:  # the folds of a K-fold
        n_train, n_test = layout.design.n_splits - 1, 1
    residuals = replace(
        CVResiduals.from_array(a - b, design="subsample"),
        n_train=np.broadcast_to(n_train, len(a)),  # shares will do
        n_test=np.broadcast_to(n_test, len(a)),
        largest=max(np.abs(a).max(), np.abs(b).max()),
        value_range=(-np.inf, np.inf),
    )
    test = CorrectedResampledTTest(alternative=alternative)
    return CorrectedTTest(test.fit(residuals))


@dataclass(frozen=True, repr=False)
class CorrectedTTest(Result):
    """The corrected t test of two columns of scores, made by :func:`corrected_ttest`.

    Attributes
    ----------
    test : CorrectedResampledTTest
        The fitted test.
    estimate_, standard_error_ : float
        Mean of a - b, and its standard error.
    statistic_, df_, pvalue_ : float
        t, its degrees of freedom, and the p-value.
    """

    test: CorrectedResampledTTest

    def __getattr__(self, name):
        if name in ("estimate_", "standard_error_", "statistic_", "df_", "pvalue_"):
            return getattr(self.test, name)
        raise AttributeError(name)

    def confidence_interval(self, confidence_level=0.95):
        """Return the interval of the mean difference.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Its level, in (0, 1).

        Returns
        -------
        interval : ConfidenceInterval
            A named tuple (low, high); of a one-sided alternative one end is infinite.

        Raises
        ------
        ValueError
            If `confidence_level` is out of range.
        """
        return self.test.confidence_interval(confidence_level)

    def _columns(self):
        low, high = self.confidence_interval()
        return {
            "estimate": [self.estimate_],
            "ci_low": [low],
            "ci_high": [high],
            "statistic": [self.statistic_],
            "df": [self.df_],
            "pvalue": [self.pvalue_],
        }

    def _content(self):
        low, high = self.confidence_interval()
        unit = Unit(metric_of_values("score", True, np.zeros(1))[0])
        (mean,), (interval,) = unit.differences([self.estimate_], [low], [high])
        is_two_sided = self.test.alternative == "two-sided"
        p = equals("p" if is_two_sided else "one-sided p", self.pvalue_)
        t = f"{self.statistic_:.4g}".replace("-", "−")
        text = (
            f"mean(a) − mean(b) = {mean}, 95% CI {interval}, t({self.df_}) = {t}, {p} "
            "(corrected resampled t test)"
        )
        if self.standard_error_ == 0:
            text = (
                f"mean(a) − mean(b) = {mean} in each of the {self.df_ + 1} splits; "
                f"without any variance there is no 95% CI ({p}, corrected resampled t "
                "test)"
            )
        return Content("a and b", text, None, "", [text])
