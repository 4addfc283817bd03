"""The test of several runs on the examples of one test set: both are samples.

[D92] Dorfman, Berbaum & Metz (1992), Investigative Radiology 27, 723-731; [H07] Hillis
(2007), Statistics in Medicine 26, 596-619.
"""

from typing import NamedTuple

import numpy as np

from .._data import group_sums
from .._validation import invalid
from .base import BaseCVTest, student_evaluation
from .student import ROUNDING


class MeanSquares(NamedTuple):
    """The analysis of variance of runs × units, which are examples or groups."""

    mean: np.ndarray
    runs: np.ndarray
    units: np.ndarray
    both: np.ndarray
    n_runs: int
    n_units: int

    @property
    def variance(self):
        """The variance of the mean, at least what runs or units alone give: [D92]."""
        largest = self.runs + self.units - self.both
        largest = np.maximum(largest, np.maximum(self.runs, self.units))
        # where all means of runs and units are equal, the rest
        largest = np.where(largest <= ROUNDING**2 * self.both, self.both, largest)
        return largest / (self.n_runs * self.n_units)

    @property
    def df(self):
        """Satterthwaite's degrees of freedom, at least the fewer of both: [H07].

        The mean square of two runs, of one degree of freedom, counts twice: in every
        second sample it is less than half of what is expected.
        """
        df_runs = max(self.n_runs - 1, 1)
        df_units = self.n_units - 1
        runs = 2 * self.runs if self.n_runs == 2 else self.runs
        total = np.maximum(runs + self.units - self.both, 0)
        largest = np.maximum(np.maximum(runs, self.units), self.both)
        scale = np.where(largest > 0, largest, 1.0)  # for squares of large losses
        runs, units, both = runs / scale, self.units / scale, self.both / scale
        squares = runs**2 / df_runs + units**2 / df_units
        squares = squares + both**2 / (df_runs * df_units)
        df = (total / scale) ** 2 / np.where(squares > 0, squares, 1.0)
        fewest = df_units if self.n_runs == 1 else min(df_runs, df_units)
        return np.maximum(df, fewest)


def mean_squares(values):
    """Return the MeanSquares of values of shape (..., n_runs, n_units)."""
    n_runs, n_units = values.shape[-2:]
    mean = values.mean(axis=(-2, -1))
    centred = values - mean[..., np.newaxis, np.newaxis]
    runs = n_units * np.sum(centred.mean(axis=-1) ** 2, axis=-1)
    units = n_runs * np.sum(centred.mean(axis=-2) ** 2, axis=-1)
    total = np.sum(centred**2, axis=(-2, -1))
    both = total - runs - units
    both = np.where(both <= ROUNDING * total, 0.0, both)
    if n_runs == 1:
        runs = both = np.zeros_like(runs)
    df_runs = max(n_runs - 1, 1)
    df_units = n_units - 1
    return MeanSquares(
        mean=mean,
        runs=runs / df_runs,
        units=units / df_units,
        both=both / (df_runs * df_units),
        n_runs=n_runs,
        n_units=n_units,
    )


class CrossedTest(BaseCVTest):
    """Test of models that were run several times on the examples of one test set.

    Tests whether the expected residual of a *new run* of both models (trained with
    another seed, or sampled anew) on a *new example* is `popmean`. Runs and examples
    are both samples, and every run meets every example: neither a t test of the means
    of runs, which takes the examples for all there are, nor one of all scores, which
    takes them for independent, keeps its level.

    Parameters
    ----------
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
        t and its p-value, from Student's t.
    estimate_, standard_error_ : float
        Mean residual and its standard error.
    df_ : float
        Satterthwaite's degrees of freedom.
    sd_runs_, sd_examples_, sd_both_ : float
        Components of a residual, as standard deviations: of runs, of examples (or
        groups), and of what a run adds to an example; 0 where the variance is not
        estimated to be above that.
    rho_, rho_alpha_ : float
        nan: nothing is split.

    See Also
    --------
    HoldoutTTest : The same test where there is one run.

    Notes
    -----
    With the mean squares of the analysis of variance of n_s runs × n_i examples, MS_s,
    MS_i and MS_si, the variance of the mean is
    max(MS_s + MS_i - MS_si, MS_s, MS_i)/(n_s n_i) [1]_, and the degrees of freedom are
    (MS_s + MS_i - MS_si)² / (MS_s²/(n_s - 1) + MS_i²/(n_i - 1) +
    MS_si²/((n_s - 1)(n_i - 1))), or min(n_s, n_i) - 1 if that is more [2]_. For
    examples in groups, which are then what is sampled, the sum of the deviations of a
    group takes the place of an example, as in :class:`HoldoutTTest`. Two runs say
    little of how runs vary: with them the test is weak, and MS_s, of one degree of
    freedom, is doubled in the degrees of freedom, as it is less than half of its
    expectation in every second sample. The level, as measured, is in
    docs/data/crossed_calibration.csv.

    For the best of many, each statistic is turned into the normal score of
    its p-value; scores vary together as the means of models do, whose covariance is the
    covariance of the examples' means over runs plus one variance of runs, the mean over
    models, because few runs do not show their correlations.

    References
    ----------
    .. [1] D. D. Dorfman, K. S. Berbaum and C. E. Metz, "Receiver Operating
       Characteristic Rating Analysis: Generalization to the Population of Readers and
       Patients with the Jackknife Method", Investigative Radiology 27(9), 723-731,
       1992. :doi:`10.1097/00004424-199209000-00015`
    .. [2] S. L. Hillis, "A Comparison of Denominator Degrees of Freedom Methods for
       Multiple Observer ROC Analysis", Statistics in Medicine 26(3), 596-619, 2007.
       :doi:`10.1002/sim.2532`

    Examples
    --------
    Three runs on four examples:

    >>> from sklearn_cvtest import CrossedTest
    >>> d = [[0.2, -0.1, 0.3, 0.1], [0.1, 0.0, 0.4, 0.2], [0.3, -0.2, 0.2, 0.1]]
    >>> round(CrossedTest().fit(d).pvalue_, 4)
    0.2231
    """

    title = "test of runs × examples (Dorfman, Berbaum & Metz 1992; Hillis 2007)"
    designs = ("crossed",)
    needs_examples = True
    concerns = "new runs of these models"
    has_joint_law = True

    def from_array(self, array):
        """Return CVResiduals of an array (n_runs, n_examples), or (n_examples,)."""
        return super().from_array(np.atleast_2d(array))

    def evaluate(self, residuals):
        """Compute t of runs × examples."""
        squares = mean_squares(_values_by_run(residuals))
        error = np.sqrt(squares.variance)
        rounding = ROUNDING * residuals.magnitude / np.sqrt(squares.n_units)
        error = np.where(error <= rounding, 0.0, error)
        return student_evaluation(self, residuals, squares.mean, error, squares.df)

    def deviation_rows(self, residuals):
        """Return deviations of units, and one variance of runs for each model.

        Few runs do not show how those of several models are correlated.
        """
        values = _values_by_run(residuals)
        values = values - values.mean(axis=0)
        squares = mean_squares(values)
        n_models = len(values)
        units = values.mean(axis=1) - squares.mean[:, np.newaxis]
        units = units / np.sqrt(squares.n_units * (squares.n_units - 1))
        excess = np.sum(squares.runs - squares.both)
        of_runs = max(excess, 0.0) / (squares.n_runs * squares.n_units)
        deviation = np.sqrt(of_runs / max(n_models - 1, 1))
        return np.hstack([units, deviation * np.eye(n_models)])


def _values_by_run(residuals):
    """Return residuals as (..., n_runs, n_units).

    The value of a group is such that the variance of the mean of groups is that of the
    mean of examples, however alike the examples of a group are.
    """
    n_runs = int(residuals.row_split[-1]) + 1
    n_examples = residuals.values.shape[-1] // n_runs
    index = residuals.row_index
    if index is not None:
        is_same = np.array_equal(index, np.tile(index[:n_examples], n_runs))
        if not is_same:
            raise invalid("residuals", "of the same examples in each run", index)
    if n_examples < 2:
        raise invalid("residuals", "of at least 2 examples", n_examples)
    values = residuals.values.reshape(*residuals.values.shape[:-1], n_runs, n_examples)
    if residuals.groups is None:
        return values
    _, codes = np.unique(residuals.groups[:n_examples], return_inverse=True)
    mean = values.mean(axis=(-2, -1), keepdims=True)
    sums = group_sums(values - mean, codes)
    return mean + sums * (sums.shape[-1] / n_examples)
