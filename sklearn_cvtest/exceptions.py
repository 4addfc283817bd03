"""Warnings raised by sklearn_cvtest."""

__all__ = ["DegenerateResidualsWarning"]


class DegenerateResidualsWarning(UserWarning):
    """The residuals have no variance, so a test gives its defined limit.

    Raised when all values a statistic is computed from are equal but differ
    from the tested mean: the statistic is then infinite and the p-value 0,
    which says more about the experiment (too few examples, a loss too coarse)
    than about the estimators.
    """
