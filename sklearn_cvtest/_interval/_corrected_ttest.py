"""corrected_ttest: Nadeau and Bengio's test of two arrays of scores."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from .._data._residuals import CVResiduals
from .._inference._evaluation import ConfidenceInterval
from .._inference._exchangeable import CorrectedResampledTTest
from .._report._result import Result
from .._row_labels import check_same_index
from .._splits._design import DesignKind
from .._splits._layout import resolve_layout
from .._typing import Alternative, Any, ArrayLike
from .._validation import check_real_array, invalid, invalid_words
from ._ttest_document import ttest_document


@dataclass(frozen=True)
class CorrectedTTestResult(Result):
    """The result of :func:`corrected_ttest`.

    Attributes
    ----------
    estimate : float
        Mean of a - b.
    standard_error : float
        Its corrected standard error, √((1/J + n_test/n_train) S²).
    statistic : float
        Their ratio, t.
    df : int
        J - 1.
    pvalue : float
        The p-value.
    alternative : str
        Its alternative.
    """

    estimate: float
    standard_error: float
    statistic: float
    df: int
    pvalue: float
    alternative: str
    _test: CorrectedResampledTTest = field(repr=False, compare=False)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
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
        return ConfidenceInterval(*self._test.confidence_interval(confidence_level))

    def _document(self):
        return ttest_document(self)

    def _columns(self):
        names = ("estimate", "standard_error", "statistic", "df", "pvalue")
        return {name: [getattr(self, name)] for name in names}


def corrected_ttest(
    a: ArrayLike,
    b: ArrayLike,
    n_train: int | ArrayLike | None = None,
    n_test: int | ArrayLike | None = None,
    *,
    cv: Any = None,
    alternative: Alternative = "two-sided",
) -> CorrectedTTestResult:
    """Compare two models by their scores over the same splits, correctly.

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

    .. math:: t = \\frac{\\bar d}{\\sqrt{(1/J + n_2/n_1)\\, S^2}} \\sim t_{J-1}.

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
    >>> round(result.pvalue, 3)
    0.022
    >>> print(result)
    mean(a) - mean(b) = 0.016, 95% CI 0.003 to 0.029, t(9) = 2.753, ...
    >>> corrected_ttest(a, b, cv=10).pvalue == result.pvalue
    True
    """
    columns = {"a": a, "b": b}
    a = check_real_array("a", a, (1,))
    b = check_real_array("b", b, (1,))
    if len(a) != len(b) or len(a) < 2:
        allowed = "two arrays of scores of the same splits, at least two"
        raise invalid_words("a` and `b", allowed, f"{len(a)} and {len(b)} scores")
    check_same_index(columns, len(a))
    for name, values in (("a", a), ("b", b)):
        if not np.isfinite(values).all():
            where = np.flatnonzero(~np.isfinite(values)).tolist()
            raise invalid_words(name, "finite", f"nan or inf in splits {where}")
    if cv is None:
        for name, size in (("n_train", n_train), ("n_test", n_test)):
            if size is None:
                allowed = f"a positive integer, or {len(a)} of them"
                hint = "Pass both sizes, or the `cv` that made the splits."
                raise invalid(name, allowed, size, hint=hint)
        sizes = {"n_train": n_train, "n_test": n_test}
        residuals = CVResiduals.from_array(a - b, design=DesignKind.SUBSAMPLE, **sizes)
    else:
        sizes = _sizes_of(cv, len(a), n_train, n_test)
        residuals = CVResiduals.from_array(a - b, design=DesignKind.SUBSAMPLE)
        residuals = replace(residuals, **sizes)
    largest = max(np.abs(a).max(), np.abs(b).max())  # differences hold its rounding
    test = CorrectedResampledTTest(alternative=alternative)
    # of no known metric: equal differences show nothing of other splits
    test.fit(replace(residuals, magnitude=largest, rests_on=len(a)))
    return CorrectedTTestResult(
        test.estimate_,
        test.standard_error_,
        test.statistic_,
        test.df_,
        test.pvalue_,
        alternative,
        test,
    )


def _sizes_of(cv, n_splits, n_train, n_test):
    """Return the sizes of the sets of the splits that `cv` made, as far as n2/n1."""
    layout = resolve_layout(cv, n_splits, n_train, n_test)
    design = layout.design
    if not design.kind.has_exchangeable_splits:
        allowed = "a K-fold, repeated or not, or random subsamples"
        raise invalid_words("cv", allowed, f"{design}")
    if layout.n_train is not None and layout.n_test is not None:
        return {"n_train": layout.n_train, "n_test": layout.n_test}
    # each example is tested by a model of all other folds
    return {
        "n_train": np.full(n_splits, design.n_splits - 1.0),
        "n_test": np.ones(n_splits),
    }
