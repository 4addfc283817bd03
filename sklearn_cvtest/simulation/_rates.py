"""rejection_rates: size and power of tests, from block statistics of many samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.base import clone

from .._compat import import_extra
from .._data._protocol import ReadOnlyArrays
from .._data._residuals import CVResiduals
from .._inference._choose_tests import Tests, choose_tests
from .._typing import ArrayLike, DataFrame
from .._validation import check_real, check_real_array, invalid, one_warning_of_a_kind
from ._replicated_residuals import ReplicatedResiduals


@dataclass(frozen=True, eq=False)
class RejectionRates(ReadOnlyArrays):
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

    def to_frame(self) -> DataFrame:
        """Return a pandas DataFrame with one row per test, level and hypothesis.

        Returns
        -------
        frame : pandas.DataFrame
            Columns test, alpha, popmean, rate, standard_error.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pd = import_extra("pandas", "RejectionRates.to_frame")
        names = ["test", "alpha", "popmean"]
        values = self.test_names, self.alphas, self.popmeans
        index = pd.MultiIndex.from_product(values, names=names)
        errors = self.standard_errors.ravel()
        columns = {"rate": self.rates.ravel(), "standard_error": errors}
        return pd.DataFrame(columns, index=index).reset_index()


def rejection_rates(
    residuals: ReplicatedResiduals,
    tests: Tests,
    *,
    alphas: float | ArrayLike = 0.05,
    popmeans: float | ArrayLike | None = None,
) -> RejectionRates:
    """Count how often tests reject, over many samples, at many hypotheses at once.

    Parameters
    ----------
    residuals : ReplicatedResiduals
        From :meth:`Replications.residuals`.
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
        If an argument is not as described, or a test is not valid for the design or
        cannot be computed from block statistics.

    Notes
    -----
    A test rejects the hypotheses outside its interval, so that all of them cost one
    comparison each. A test that is not vectorised is computed for every sample and
    hypothesis, which is slow, from block means only.
    :class:`~sklearn_cvtest.McNemarTest` has no hypothesis but 0.

    With `popmeans=None` the true mean is estimated from the same samples; the rates of
    one-sided tests then vary less than their binomial standard errors say.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn_cvtest import BlockKFold, KFoldTTest
    >>> from sklearn_cvtest.simulation import GaussianLinearPopulation
    >>> from sklearn_cvtest.simulation import rejection_rates, replicate_losses
    >>> replications = replicate_losses(
    ...     LinearRegression(), GaussianLinearPopulation(5), n_samples=40,
    ...     cv=BlockKFold(10), n_replications=50, random_state=0,
    ... )
    >>> rates = rejection_rates(replications.residuals(), KFoldTTest(rho=0.7))
    >>> rates.rates.shape
    (1, 1, 1)
    """
    if not isinstance(residuals, ReplicatedResiduals):
        hint = "Take replicate_losses(...).residuals()."
        raise invalid("residuals", "ReplicatedResiduals", residuals, TypeError, hint)
    if tests is None:
        raise invalid("tests", "a test, a list or a dict of tests", tests, TypeError)
    tests = choose_tests(tests, residuals.design, True, 0.05, parameter="tests")
    alphas = np.atleast_1d(check_real_array("alphas", alphas, (0, 1)))
    for alpha in alphas:
        check_real("alphas", float(alpha), above=0, below=1)
    mean = residuals.estimates.mean()
    popmeans = mean if popmeans is None else popmeans
    popmeans = np.atleast_1d(check_real_array("popmeans", popmeans, (0, 1)))
    if not np.isfinite(popmeans).all():
        raise invalid("popmeans", "finite", popmeans)
    n = residuals.n_replications
    rates = np.array(
        [rejection_counts(test, residuals, alphas, popmeans) for test in tests.values()]
    )
    rates = rates / n
    return RejectionRates(
        test_names=tuple(tests),
        alphas=alphas,
        popmeans=popmeans,
        rates=rates,
        standard_errors=np.sqrt(rates * (1 - rates) / n),
        true_mean=float(mean),
        true_mean_error=float(residuals.estimates.std() / np.sqrt(n)),
        n_replications=n,
    )


def rejection_counts(test, residuals, alphas, popmeans):
    """Return how many samples reject, of shape (n_alphas, n_popmeans)."""
    with one_warning_of_a_kind():
        pvalues = [_pvalues(test, residuals, popmean) for popmean in popmeans.tolist()]
    return np.sum(np.array(pvalues) <= alphas[:, np.newaxis, np.newaxis], axis=-1)


def _pvalues(test, residuals, popmean):
    """Return the p-values of all samples."""
    test = clone(test)
    try:
        test.set_params(**{"popmean": popmean} if popmean != test.popmean else {})
    except ValueError:
        raise invalid("popmeans", f"0 for {test.traits.name}", popmean) from None
    if test.traits.vectorised:
        return test.evaluate(residuals).pvalue
    if test.traits.needs_examples:
        raise invalid("tests", "computable from block statistics", test)
    sizes = {"n_train": residuals.n_train, "n_test": residuals.n_test}
    samples = (
        CVResiduals.from_array(means, design=residuals.design, **sizes)
        for means in residuals.block_means
    )
    return [test.evaluate(sample).pvalue for sample in samples]
