"""replicate_losses: cross-validate estimators on many independent samples."""

from __future__ import annotations

import contextlib
import copy
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning
from sklearn.utils.parallel import Parallel, delayed

from .._compat import single_threaded
from .._engine._arguments import (
    check_error_score,
    check_n_jobs,
    name_estimators,
    resolve_cv,
)
from .._engine._memory import setting_of_run
from .._engine._plan import plan_fits
from .._engine._running import losses_by_split, progress_bar
from .._engine._workers import way_of_returning
from .._losses._named_losses import Loss
from .._store._array_files import ArrayFolder
from .._store._fingerprint import check_content
from .._typing import Function, PathLike
from .._validation import check_flag, check_integer, check_path, invalid, warn
from ._populations import check_population, draw_sample
from ._replications import Replications, block_products, example_squares

# Samples per task: enough to make the cost of a task small, few enough to lose little
# when interrupted. The names of stored files depend on it.
BATCH = 25
MOST = 10**7  # samples in all
KEPT = "block_sums", "block_products", "example_squares"


def replicate_losses(
    estimators: Any,
    population: Any,
    *,
    n_samples: int,
    cv: Any = None,
    loss: str | Loss | Function = "auto",
    n_replications: int = 1000,
    random_state: int | None = None,
    n_jobs: int | None = None,
    error_score: Literal["raise"] | float = np.nan,
    memory: PathLike | None = None,
    progress: bool = False,
) -> Replications:
    """Cross-validate estimators on many independent samples of a population.

    Samples are drawn, cross-validated and reduced to sums over the test set of each
    split, and a few over all examples, one at a time, so that memory is proportional to
    the number of splits, not of examples.

    Parameters
    ----------
    estimators : estimator, list or dict
        As in :func:`~sklearn_cvtest.cross_val_losses`. A `random_state` of None, their
        own or of a splitter they hold, is set to a new integer for each sample; an
        integer is kept.
    population : object
        Has a method `sample(n_samples, rng) -> (X, y)`, with a
        :class:`numpy.random.Generator`: :class:`ArrayPopulation`,
        :class:`GaussianLinearPopulation`, or your own. `y` must be of the same kind in
        all samples.
    n_samples : int
        Size of each sample.
    cv : int, splitter, iterable of (train, test), or None, default=None
        As in :func:`~sklearn_cvtest.cross_val_losses`; the `random_state` of a splitter
        is set to a new integer for each sample. All samples must be split into training
        and test sets of the same sizes.
    loss : str, Loss or callable, default="auto"
        A per-example loss, as in :func:`~sklearn_cvtest.cross_val_losses`.
    n_replications : int, default=1000
        Number of samples.
    random_state : int, default=None
        Seed. Sample i depends only on the population, the seed, i and `n_samples`, not
        on the estimators, `cv`, `n_replications` or `n_jobs`. None draws a new seed.
    n_jobs : int, default=None
        Number of tasks of 25 samples run at a time, through joblib and the backend that
        :func:`joblib.parallel_config` has set: "loky", "threading", "dask" or another.
        Some, such as "multiprocessing", return all results at the end, and only then
        are they stored. Each task runs single-threaded.
    error_score : "raise" or float, default=nan
        What to do if a fit fails: raise, or use this value for the losses of the split.
        With nan, a warning says in how many samples a fit failed.
    memory : str or os.PathLike, default=None
        A folder in which the result of each task is stored. A later call with the same
        arguments, or with other `n_replications`, reads it. Code of installed packages
        is identified by its name and their version, other code by its content; for
        what is not seen, see :func:`~sklearn_cvtest.cross_val_losses`. Samples in which
        a fit failed are stored as such; clear the folder to try them again.
    progress : bool, default=False
        Whether to show a progress bar, with tqdm; a warning if it is missing.

    Returns
    -------
    replications : Replications
        Bit-identical for any `n_jobs`, and however often the run was interrupted.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or the sizes of the splits vary. Also if
        `error_score` is nan and every estimator fails in every sample; the error then
        says why.

    Warns
    -----
    FitFailedWarning
        If fits fail and `error_score` is nan.
    UserWarning
        If a result cannot be stored in `memory`.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn_cvtest import BlockKFold
    >>> from sklearn_cvtest.simulation import GaussianLinearPopulation
    >>> from sklearn_cvtest.simulation import replicate_losses
    >>> replications = replicate_losses(
    ...     LinearRegression(), GaussianLinearPopulation(5), n_samples=40,
    ...     cv=BlockKFold(10), n_replications=50, random_state=0,
    ... )
    >>> round(replications.residuals().structure().rho, 1)
    0.4
    """
    n_samples = check_integer("n_samples", n_samples, 2)
    n_replications = check_integer("n_replications", n_replications, 1, MOST)
    check_n_jobs(n_jobs)
    check_error_score(error_score)
    check_flag("progress", progress)
    seed = _check_seed(random_state, memory)
    setting = _plan(estimators, population, n_samples, cv, loss, seed, error_score)
    store = _Store(memory, setting)
    starts = range(0, n_replications, BATCH)
    batches = [(start, min(start + BATCH, n_replications)) for start in starts]
    done = {batch: store.load(batch) for batch in batches}
    missing = [batch for batch in batches if done[batch] is None]
    with progress_bar(progress, n_replications, "sample") as advance:
        advance(sum(stop - start for start, stop in set(batches) - set(missing)))
        with contextlib.closing(_run(setting, missing, n_jobs)) as results:
            for batch, result in results:
                store.save(batch, result)
                done[batch] = result
                advance(batch[1] - batch[0])
    return _collect(setting, [done[batch] for batch in batches])


def _check_seed(random_state, memory):
    if random_state is not None:
        return check_integer("random_state", random_state, 0)
    if memory is not None:
        raise invalid("random_state", "an integer if `memory` is given", random_state)
    return np.random.SeedSequence().entropy


class _Setting(NamedTuple):
    """Everything that determines the losses of a sample."""

    plan: Any  # its data come from another sample
    population: Any
    n_samples: int
    cv: Any
    sizes: tuple  # of all training sets, and of all test sets
    seed: int
    error_score: Any


def _plan(estimators, population, n_samples, cv, loss, seed, error_score):
    """Check all arguments on the first sample."""
    check_population(population)
    rng, seeds = _randomness(seed, 0)
    X, y = draw_sample(population, n_samples, rng)
    cv = resolve_cv(cv, name_estimators(estimators), y)
    plan = plan_fits(estimators, X, y, cv=_seeded(cv, seeds[0]), loss=loss)
    sizes = _sizes(plan.splits)
    bare = replace(plan, data=plan.data._replace(X=None, y=None), splits=None)
    return _Setting(bare, population, n_samples, cv, sizes, seed, error_score)


def _sizes(splits):
    return tuple(
        tuple(map(len, index_sets)) for index_sets in zip(*splits, strict=True)
    )


# One sample -------------------------------------------------------------------


def _randomness(seed, number):
    """Return the generator of a sample, and seeds for splitter and estimators."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number, 0)))
    others = np.random.SeedSequence(seed, spawn_key=(number, 1))
    return rng, [int(state) for state in others.generate_state(2) >> 1]


def _seeded(cv, seed):
    """Return a copy of a splitter with the seed, where it takes one."""
    inner = getattr(cv, "cv", None)
    shuffles = hasattr(cv, "random_state") and getattr(cv, "shuffle", True)
    if not shuffles and inner is None:
        return cv
    cv = copy.copy(cv)
    if shuffles:
        cv.random_state = seed
    if hasattr(inner, "split"):  # of PairedHalves
        cv.cv = _seeded(inner, seed ^ 1)  # halves that are not unions of its folds
    return cv


def _seeded_estimator(estimator, seed):
    """Return it with the seed in place of each `random_state` of None.

    Also of the splitters that it holds, as a search does.
    """
    params = estimator.get_params() if hasattr(estimator, "get_params") else {}
    seeded = {
        name: seed if value is None else _seeded(value, seed)
        for name, value in params.items()
        if (value is None and name.rpartition("__")[2] == "random_state")
        or (hasattr(value, "split") and getattr(value, "random_state", 0) is None)
    }
    return clone(estimator).set_params(**seeded) if seeded else estimator


def _simulate(setting, batch):
    """Return a batch of samples, and what is kept of them."""
    with single_threaded():
        samples = [_one_sample(setting, number) for number in range(*batch)]
    columns = map(np.array, zip(*samples, strict=True))
    return batch, dict(zip(KEPT, columns, strict=True))


def _one_sample(setting, number):
    rng, seeds = _randomness(setting.seed, number)
    X, y = draw_sample(setting.population, setting.n_samples, rng)
    splits = list(_seeded(setting.cv, seeds[0]).split(X, y))
    if _sizes(splits) != setting.sizes:
        raise ValueError(
            "`cv` must give training and test sets of the same sizes in every sample; "
            f"in sample {number} they differ from the first."
        )
    jobs = [
        job._replace(estimator=_seeded_estimator(job.estimator, seeds[1]))
        for job in setting.plan.jobs
    ]
    plan = replace(setting.plan, jobs=jobs)
    losses = list(losses_by_split(plan.on(X, y, splits), setting.error_score))
    sums = [part.sum(axis=0) for part in losses]
    of_examples = example_squares(losses, [test for _, test in splits], plan.design)
    return sums, list(map(block_products, losses)), of_examples


# All samples ------------------------------------------------------------------


def _run(setting, batches, n_jobs):
    """Yield (batch, result) as they come."""
    parallel = Parallel(n_jobs=n_jobs, return_as=way_of_returning())
    yield from parallel(delayed(_simulate)(setting, batch) for batch in batches)


class _Store:
    """A folder with one file for each task that is done, if there is one."""

    def __init__(self, memory, setting):
        self.folder = None
        if memory is not None:
            path = check_path("memory", memory, "None or the path of a folder")
            allowed = "None if the content of an argument cannot be known"
            content = setting, setting_of_run()
            self.key = check_content("memory", memory, allowed, *content)
            self.folder = ArrayFolder(path)

    def load(self, batch):
        """Return the stored result of the task, None if there is no intact one."""
        if self.folder is None:
            return None
        return self.folder.load("{}-{}-{}".format(self.key, *batch), KEPT)

    def save(self, batch, result):
        if self.folder is not None:
            self.folder.save("{}-{}-{}".format(self.key, *batch), **result)


def _collect(setting, results):
    kept = {name: np.concatenate([part[name] for part in results]) for name in KEPT}
    _report_failures(setting, kept["block_sums"])
    plan = setting.plan
    (n_train, n_test) = map(np.array, setting.sizes)
    return Replications(
        estimator_names=plan.names,
        **kept,
        n_train=n_train,
        n_test=n_test,
        n_samples=setting.n_samples,
        design=plan.design,
        loss_name=plan.data.measure.name,
        seed=setting.seed,
    )


def _report_failures(setting, sums):
    """Warn about samples in which fits failed, or raise if nothing else is left."""
    intact = np.isfinite(sums).all(axis=1)  # of each sample, each estimator
    why = "Pass error_score='raise' to replicate_losses to see why."
    if intact.all():
        return
    if intact.any():
        n_failed = np.count_nonzero(~intact.all(axis=1))
        warn(
            f"In {n_failed} of {len(sums)} samples a fit failed; residuals() leaves "
            f"them out. {why}",
            FitFailedWarning,
        )
        return
    try:
        _simulate(setting._replace(error_score="raise"), (0, 1))
    except Exception as error:
        why = f"In the first, {type(error).__name__}: {error}"
    raise ValueError(
        f"`estimators` must be able to fit the samples. In each of {len(sums)} "
        f"samples a fit of every estimator failed. {why}"
    )
