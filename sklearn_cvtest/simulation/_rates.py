"""rejection_rates: size and power of tests over many samples."""

from dataclasses import dataclass, replace

import numpy as np

from .._compat import import_extra
from .._data import CVResiduals
from .._inference.base import BaseCVTest, evaluate_limited
from .._validation import check_array, check_real, invalid


@dataclass(frozen=True, eq=False)
class RejectionRates:
    """How often tests rejected, at each level and each hypothesis.

    Made by :func:`rejection_rates`.

    Attributes
    ----------
    test_names : tuple of str
        The T tests.
    alphas : ndarray of shape (A,)
        The levels.
    popmeans : ndarray of shape (M,)
        The hypotheses: expected residuals that the tests are asked to reject.
    rates : ndarray of shape (T, A, M)
        Shares of the samples in which the test rejected.
    standard_errors : ndarray of shape (T, A, M)
        Their Monte-Carlo standard errors, binomial.
    true_mean : float
        The expected residual, estimated by the mean over all samples. Rates there are
        the sizes of the tests; elsewhere, their power.
    true_mean_error : float
        Its standard error.
    n_replications : int
        Number of samples.
    """

    test_names: tuple
    alphas: np.ndarray
    popmeans: np.ndarray
    rates: np.ndarray
    standard_errors: np.ndarray
    true_mean: float
    true_mean_error: float
    n_replications: int

    def to_frame(self):
        """Return a pandas DataFrame with one row per test, level and hypothesis.

        Returns
        -------
        frame : pandas.DataFrame
            Columns test, alpha, popmean, rate, standard_error.
        """
        pd = import_extra("pandas")

        names = ["test", "alpha", "popmean"]
        values = self.test_names, self.alphas, self.popmeans
        index = pd.MultiIndex.from_product(values, names=names)
        errors = self.standard_errors.ravel()
        columns = {"rate": self.rates.ravel(), "standard_error": errors}
        return pd.DataFrame(columns, index=index).reset_index()


def rejection_rates(residuals, tests, *, alphas=0.05, popmeans=None):
    """Count how often tests reject, over many samples, at many hypotheses at once.

    Parameters
    ----------
    residuals : list of CVResiduals, or CVResiduals
        The residuals of each sample, such as ``[losses.residuals("a", "b") for losses
        in replicate_losses(...)]``; or those of all samples, of which `values` has the
        shape (n_replications, n_rows).
    tests : test, list or dict of tests
        Tests valid for the design of the residuals. Their own `alpha` and `popmean` are
        not used; `alternative` is.
    alphas : float or array-like of shape (A,), default=0.05
        Levels, in (0, 1).
    popmeans : float or array-like of shape (M,), default=None
        Hypotheses. None is the true mean: what is counted then is the size.

    Returns
    -------
    rates : RejectionRates
        The rates, with their Monte-Carlo standard errors.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or a test is not valid for the design.

    Notes
    -----
    With `popmeans=None` the true mean is estimated from the same samples; the rates of
    one-sided tests then vary less than their binomial standard errors say.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn_cvtest import BlockKFold, KFoldTTest
    >>> from sklearn_cvtest.simulation import GaussianLinearPopulation
    >>> from sklearn_cvtest.simulation import rejection_rates, replicate_losses
    >>> samples = replicate_losses(
    ...     LinearRegression(), GaussianLinearPopulation(5), n_samples=40,
    ...     cv=BlockKFold(10), n_replications=50, random_state=0,
    ... )
    >>> residuals = [losses.residuals("linearregression") for losses in samples]
    >>> rejection_rates(residuals, KFoldTTest(rho=0.7)).rates.shape
    (1, 1, 1)
    """
    samples = [residuals] if isinstance(residuals, CVResiduals) else residuals
    is_list = isinstance(samples, (list, tuple)) and len(samples)
    if not is_list or not all(isinstance(sample, CVResiduals) for sample in samples):
        raise invalid("residuals", "a list of CVResiduals", residuals, TypeError)
    tests = _named(tests)
    for test in tests.values():
        test.check_params()
        first = samples[0]
        test.check_design(first.design, first.per_example, first.n_groups)
    alphas = np.atleast_1d(check_array("alphas", alphas, (0, 1)))
    for alpha in alphas:
        check_real("alphas", float(alpha), 0, 1)
    estimates = [np.ravel(evaluate_limited(test, one).estimate) for one in samples]
    estimates = np.concatenate(estimates)
    true_mean = float(estimates.mean())
    popmeans = true_mean if popmeans is None else popmeans
    popmeans = np.atleast_1d(check_array("popmeans", popmeans, (0, 1)))
    if not np.isfinite(popmeans).all():
        raise invalid("popmeans", "finite", popmeans)
    counts = np.zeros((len(tests), len(alphas), len(popmeans)))
    for number, test in enumerate(tests.values()):
        for sample in samples:
            pvalues = _pvalues(test, sample, popmeans)
            rejected = pvalues <= alphas[:, np.newaxis, np.newaxis]
            counts[number] += rejected.sum(axis=-1)
    n = len(estimates)
    rates = counts / n
    return RejectionRates(
        test_names=tuple(tests),
        alphas=alphas,
        popmeans=popmeans,
        rates=rates,
        standard_errors=np.sqrt(rates * (1 - rates) / n),
        true_mean=true_mean,
        true_mean_error=float(estimates.std() / np.sqrt(n)),
        n_replications=n,
    )


def _named(tests):
    if not isinstance(tests, dict):
        tests = tests if isinstance(tests, (list, tuple)) else [tests]
        tests = {repr(test): test for test in tests}
    for test in tests.values():
        if not isinstance(test, BaseCVTest):
            raise invalid("tests", "a test, a list or a dict of tests", test, TypeError)
    return tests


def _pvalues(test, residuals, popmeans):
    """Return the p-values (n_popmeans, n_samples) of each hypothesis."""
    values = np.atleast_2d(residuals.values)
    shifts = (popmeans - test.popmean)[:, np.newaxis]
    bounds = residuals.value_range
    shifted = replace(
        residuals,
        values=values - shifts[..., np.newaxis],
        value_range=bounds and tuple(bound - shifts for bound in bounds),
    )
    return evaluate_limited(test, shifted).pvalue
