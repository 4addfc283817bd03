"""replicate_losses: cross-validate estimators on many independent samples."""

import copy

import numpy as np
from sklearn.base import clone
from sklearn.utils.parallel import Parallel, delayed

from .._compat import import_extra
from .._engine import cross_val_losses, name_estimators, resolve_cv
from .._validation import check_integer, invalid


def replicate_losses(
    estimators,
    population,
    *,
    n_samples,
    cv=None,
    loss="auto",
    n_replications=1000,
    random_state=None,
    n_jobs=None,
    error_score=np.nan,
    progress=False,
):
    """Cross-validate estimators on many independent samples of a population.

    Parameters
    ----------
    estimators : estimator, list or dict
        As in :func:`~sklearn_cvtest.cross_val_losses`. A `random_state` of None is set
        to a new integer for each sample; an integer is kept.
    population : object
        Has a method `sample(n_samples, rng) -> (X, y)`, with a
        :class:`numpy.random.Generator`: :class:`ArrayPopulation`,
        :class:`GaussianLinearPopulation`, or your own.
    n_samples : int
        Size of each sample.
    cv : int, splitter, iterable of (train, test), or None, default=None
        As in :func:`~sklearn_cvtest.cross_val_losses`; the `random_state` of a splitter
        is set to a new integer for each sample.
    loss : str, Metric or callable, default="auto"
        A loss, as in :func:`~sklearn_cvtest.cross_val_losses`.
    n_replications : int, default=1000
        Number of samples.
    random_state : int, default=None
        Seed. Sample i depends only on the population, the seed, i and `n_samples`, not
        on the estimators, `cv`, `n_replications` or `n_jobs`. None draws a new seed.
    n_jobs : int, default=None
        Number of samples at a time, through joblib.
    error_score : "raise" or float, default=nan
        What to do if a fit fails: raise, or use this value for the losses of the split.
    progress : bool, default=False
        Whether to show a progress bar, with tqdm.

    Returns
    -------
    samples : list of CVLosses
        The losses of each sample, the same for any `n_jobs`. A sample takes
        8 × n_samples × n_estimators bytes in each run.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn_cvtest import BlockKFold
    >>> from sklearn_cvtest.simulation import GaussianLinearPopulation
    >>> from sklearn_cvtest.simulation import replicate_losses
    >>> samples = replicate_losses(
    ...     LinearRegression(), GaussianLinearPopulation(5), n_samples=40,
    ...     cv=BlockKFold(10), n_replications=50, random_state=0,
    ... )
    >>> len(samples), samples[0].values.shape
    (50, (40, 1))
    """
    check_integer("n_samples", n_samples, 2)
    check_integer("n_replications", n_replications, 1)
    if isinstance(population, type) or not hasattr(population, "sample"):
        allowed = "an object with a method sample(n_samples, rng)"
        raise invalid("population", allowed, population, TypeError)
    if random_state is None:
        random_state = np.random.SeedSequence().entropy
    check_integer("random_state", random_state, 0)
    options = {"cv": cv, "loss": loss, "error_score": error_score}
    run = Parallel(n_jobs=n_jobs, return_as="generator")
    samples = run(
        delayed(_losses_of_sample)(
            estimators, population, n_samples, random_state, number, options
        )
        for number in range(n_replications)
    )
    if progress:
        tqdm = import_extra("tqdm.auto").tqdm

        samples = tqdm(samples, total=n_replications, desc="samples")
    return list(samples)


def _losses_of_sample(estimators, population, n_samples, seed, number, options):
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number, 0)))
    others = np.random.SeedSequence(seed, spawn_key=(number, 1))
    cv_seed, model_seed = (int(state) for state in others.generate_state(2) >> 1)
    X, y = population.sample(n_samples, rng)
    models = name_estimators(estimators)
    cv = resolve_cv(options["cv"], models.values(), y, None)
    models = {name: _seeded_model(model, model_seed) for name, model in models.items()}
    options = options | {"cv": _seeded_splitter(cv, cv_seed)}
    return cross_val_losses(models, X, y, diagnostics=False, **options)


def _seeded_splitter(cv, seed):
    """Return a copy of a splitter with the seed, where it takes one."""
    if not hasattr(cv, "split"):
        return cv
    cv = copy.copy(cv)
    if hasattr(cv, "random_state") and getattr(cv, "shuffle", True):
        cv.random_state = seed
    if hasattr(getattr(cv, "cv", None), "split"):  # of PairedHalves
        cv.cv = _seeded_splitter(cv.cv, seed ^ 1)  # halves are not unions of its folds
    return cv


def _seeded_model(model, seed):
    """Return it with the seed in place of each `random_state` of None."""
    params = model.get_params()
    seeds = {
        name: seed
        for name, value in params.items()
        if name.rpartition("__")[2] == "random_state" and value is None
    }
    return clone(model).set_params(**seeds)
