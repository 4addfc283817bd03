"""Warnings raised by sklearn_cvtest."""

__all__ = ["DegenerateResidualsWarning", "HeavyTailedResidualsWarning"]


class DegenerateResidualsWarning(UserWarning):
    """The residuals have no variance, so a test returns the limit defined for that.

    Raised when all values a statistic is computed from are equal but differ
    from the tested mean: the statistic is then infinite and the p-value 0,
    which says more about the experiment (too few examples, a loss too coarse)
    than about the estimators.
    """


class HeavyTailedResidualsWarning(UserWarning):
    """The residuals are so skewed that their mean is not close to normal.

    A few large losses then dominate the mean, and tests of it do not keep their level.
    Raised where there are at least 40 residuals and their skewness, divided by the root
    of their number, exceeds 0.25: by the Edgeworth expansion one tail of the
    studentised mean is then about twice as heavy as that of the normal distribution.
    With gross outliers the tests rejected 6 to 42% of true null hypotheses at the 5%
    level in the simulations of docs/calibration.md.
    """
