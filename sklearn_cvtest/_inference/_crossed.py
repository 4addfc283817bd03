"""The test of several runs on the examples of one test set: both are samples."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from .._data._clusters import estimand_weights
from .._data._moments import cluster_sums
from .._data._residuals import CVResiduals
from .._validation import invalid_words
from ._evaluation import Evaluation
from ._papers import cite
from ._student import ROUNDING, scale_to_one, standardise, statistic_pvalue
from ._weighed_test import WEIGHTS, _WeighedTest


class MeanSquares(NamedTuple):
    """The analysis of variance of runs × units (examples or groups).

    Attributes
    ----------
    mean : ndarray of shape (...)
        The mean of all.
    runs, units, both : ndarray of shape (...)
        Mean squares of runs, of units and of their interaction; 0 where one run leaves
        none.
    shape : tuple of two int
        Numbers of runs and of units.
    """

    mean: np.ndarray
    runs: np.ndarray
    units: np.ndarray
    both: np.ndarray
    shape: tuple

    @property
    def sum(self):
        """MS_s + MS_i - MS_si, which estimates n_s n_i Var(mean) without bias."""
        return self.runs + self.units - self.both

    @property
    def variance(self):
        """The variance of the mean, at least what runs or units alone give."""
        largest = np.maximum(self.sum, np.maximum(self.runs, self.units))
        # nothing but noise that cancels in all means of runs and of units
        largest = np.where(largest <= ROUNDING**2, self.both, largest)
        return largest / (self.shape[0] * self.shape[1])

    @property
    def df(self):
        """Satterthwaite's degrees of freedom, at least min(n_s, n_i) - 1.

        The mean square of two runs, of one degree of freedom, is less than half of what
        is expected in every second sample, and counts twice.
        """
        n_runs, n_units = self.shape
        of_runs = max(n_runs - 1, 1)
        of_units = n_units - 1
        runs = self.runs
        if n_runs == 2:
            runs = 2 * runs
        total = np.maximum(runs + self.units - self.both, 0)
        denominator = runs**2 / of_runs + self.units**2 / of_units
        denominator = denominator + self.both**2 / (of_runs * of_units)
        df = total**2 / np.where(denominator > 0, denominator, 1)
        if n_runs == 1:
            return np.maximum(df, of_units)
        return np.maximum(df, min(of_runs, of_units))

    @property
    def components(self):
        """Variances of runs, of units and of both, none below 0."""
        n_runs, n_units = self.shape
        runs = np.maximum(self.runs - self.both, 0) / n_units
        return runs, np.maximum(self.units - self.both, 0) / n_runs, self.both


def mean_squares(values):
    """Return the MeanSquares of values of shape (..., n_runs, n_units)."""
    n_runs, n_units = values.shape[-2:]
    mean = values.mean(axis=(-2, -1))
    centred = values - mean[..., np.newaxis, np.newaxis]
    rounding = centred.mean(axis=(-2, -1))
    centred -= rounding[..., np.newaxis, np.newaxis]
    runs = n_units * np.sum(centred.mean(axis=-1) ** 2, axis=-1)
    units = n_runs * np.sum(centred.mean(axis=-2) ** 2, axis=-1)
    total = np.einsum("...si,...si->...", centred, centred)
    both = total - runs - units
    both = np.where(both <= ROUNDING * total, 0.0, both)
    of_runs = n_runs - 1
    of_units = n_units - 1
    if n_runs == 1:
        both = runs = np.zeros_like(runs)
        of_runs = 1
    return MeanSquares(
        mean + rounding,
        runs / of_runs,
        units / of_units,
        both / (of_runs * of_units),
        (n_runs, n_units),
    )


@dataclass(eq=False, repr=False)
class CrossedTest(_WeighedTest):
    """Test of models that were run several times on the examples of one test set.

    Tests whether the expected residual of a *new run* of both models (trained with
    another seed, or sampled anew) on a *new example* is `popmean`. Runs and examples
    are both samples, and every run meets every example: neither a t test of the means
    of runs, which takes the examples for all there are, nor one of all scores, which
    takes them for independent, keeps its level.

    Parameters
    ----------
    weights : {"examples", "groups"}, default="examples"
        What weighs the same in the mean if examples come in groups: "examples", so that
        a group counts as often as it has examples, or "groups".
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
    about = (
        "A t test with the variance of an analysis of variance of runs × examples: "
        "both are samples, and the runs share the examples. It is about new runs of "
        "these models on new examples; if they were trained anew, then on the same "
        "training set."
    )
    remark = (
        "This is about new runs of these models, trained or sampled anew, on new "
        "examples."
    )
    references = cite("Dorfman 1992", "Hillis 2007")
    designs = ("crossed",)
    default_for = ("crossed",)
    concerns = "runs"

    weights: Literal["examples", "groups"] = field(default="examples", metadata=WEIGHTS)

    def residuals_of_array(self, array):
        """Return an array (n_runs, n_examples) as residuals; see :class:`BaseCVTest`.

        One dimension is one run.
        """
        return CVResiduals.from_array(np.atleast_2d(array), design="crossed")

    def deviation_rows(self, residuals):
        """Return deviations of examples, and a run of each; see :class:`BaseCVTest`."""
        values, groups = _by_run(residuals)
        values = values - values.mean(axis=0)  # over models
        if groups is not None:
            values = _of_groups(values, groups, self.weights)
        squares = mean_squares(values)
        n_runs, n_units = squares.shape
        units = values.mean(axis=1) - squares.mean[:, np.newaxis]
        units /= np.sqrt(n_units * (n_units - 1))
        runs = np.sum(squares.runs - squares.both) / (n_runs * n_units)
        runs = np.sqrt(max(runs, 0) / max(len(values) - 1, 1))
        return np.hstack([units, runs * np.eye(len(values))])

    def evaluate(self, residuals):
        """Compute t of runs × examples; see :class:`BaseCVTest`."""
        values, groups = _by_run(residuals)
        if values.shape[-1] < 2:
            raise ValueError("CrossedTest needs at least 2 test examples; got 1.")
        scaled, scale = scale_to_one(values.reshape(*values.shape[:-2], -1))
        scaled = scaled.reshape(values.shape)
        if groups is not None:
            scaled = _of_groups(scaled, groups, self.weights)
        squares = mean_squares(scaled)
        deviation = np.sqrt(squares.variance)
        spread = deviation * np.sqrt(squares.shape[1])
        result = standardise(squares.mean, deviation, spread, scale, self.popmean)
        df = squares.df[()]
        pvalue = statistic_pvalue(result, df, self.alternative)
        of_runs, of_examples, of_both = squares.components
        columns = {
            "sd_runs": scale * np.sqrt(of_runs),
            "sd_examples": scale * np.sqrt(of_examples),
            "sd_both": scale * np.sqrt(of_both),
        }
        return Evaluation(*result, pvalue, df, columns=columns)


def _by_run(residuals):
    """Return residuals as (..., n_runs, n_examples), and the groups of examples."""
    values = residuals.values
    n_runs = int(residuals.row_split[-1]) + 1
    n_examples = values.shape[-1] // n_runs
    index = residuals.row_index
    run_of_row = np.repeat(np.arange(n_runs), n_examples)
    fits = np.array_equal(residuals.row_split, run_of_row)
    if fits and index is not None:
        fits = bool(np.all(index.reshape(n_runs, -1) == index[:n_examples]))
    if not fits:
        raise invalid_words(
            "residuals", "of the same examples in the same order in every run", "others"
        )
    groups = residuals.groups
    if groups is not None:  # of the examples of one run
        groups = groups[:n_examples]
    return values.reshape(*values.shape[:-1], n_runs, n_examples), groups


def _of_groups(values, groups, weights):
    """Return a value for each run and group; their mean is the mean over examples.

    The mean plus G times the weighted sum of the deviations of the group: the variance
    of the mean of a run is then the cluster-robust one.
    """
    _, codes = np.unique(groups, return_inverse=True)
    shares = estimand_weights(codes, weights)
    if shares is None:
        shares = np.full(len(codes), 1 / len(codes))
    shares = shares / shares.sum()
    mean = (values @ shares).mean(axis=-1)[..., np.newaxis, np.newaxis]
    sums = cluster_sums(values - mean, codes, shares)
    return mean + sums.shape[-1] * sums
