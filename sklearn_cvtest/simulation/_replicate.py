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
from .._engine._plan import plan_fits
from .._engine._running import losses_by_split, progress_bar, setting_of_run
from .._engine._workers import way_of_returning
from .._losses._named_losses import Loss
from .._splits._groups import encode_groups
from .._store._files import StoreFolder, check_memory
from .._store._fingerprint import check_content
from .._typing import ArrayLike, Function, PathLike
from .._validation import check_flag, check_integer, invalid, warn
from ._populations import check_population, draw_sample
from ._replications import Replications, block_products, example_sums

# Samples per task: enough to make the cost of a task small, few enough to lose little
# when interrupted. The names of stored files depend on it.
BATCH, MOST = 25, 10**7  # samples in a task, and in all
KEPT = "sums", "products", "examples", "cell_sums"  # the last of groups only


def replicate_losses(
    estimators: Any,
    population: Any,
    *,
    n_samples: int,
    cv: Any = None,
    groups: ArrayLike | None = None,
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
    groups : array-like of shape (n_samples,), default=None
        The group of each example, the same in all samples, as
        :meth:`GroupedPopulation.get_groups` returns them. Passed to the splitter; sums
        over groups are kept, from which tests of groups are computed. Groups of unequal
        sizes make test sets of other sizes in every sample, unless `cv` is a list of
        splits.
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
        Whether to show a progress bar; without tqdm, a number.

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
    setting = _plan(
        estimators, population, n_samples, cv, groups, loss, seed, error_score
    )
    store = _Store(memory, setting)
    batches = [
        (start, min(start + BATCH, n_replications))
        for start in range(0, n_replications, BATCH)
    ]
    done = {batch: store.load(*batch) for batch in batches}
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
    groups: Any
    cells: Any  # of `_cells`
    n_train: tuple
    n_test: tuple
    seed: int
    error_score: Any


def _plan(estimators, population, n_samples, cv, groups, loss, seed, error_score):
    """Check all arguments on the first sample."""
    check_population(population)
    rng, seeds = _randomness(seed, 0)
    X, y = draw_sample(population, n_samples, rng)
    if groups is not None:
        groups, _ = encode_groups(groups, shape=(n_samples,))
    cv = resolve_cv(cv, name_estimators(estimators), y, groups)
    plan = plan_fits(
        estimators, X, y, groups=groups, cv=_seeded(cv, seeds[0]), loss=loss
    )
    sizes = [[len(part) for part in parts] for parts in zip(*plan.splits, strict=True)]
    bare = replace(plan, data=plan.data._replace(X=None, y=None), splits=None)
    n_train, n_test = map(tuple, sizes)
    return _Setting(
        plan=bare,
        population=population,
        n_samples=n_samples,
        cv=cv,
        groups=groups,
        cells=_cells(plan, plan.splits),
        n_train=n_train,
        n_test=n_test,
        seed=seed,
        error_score=error_score,
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


def _seed_estimators(jobs, seed):
    """Return the jobs with the seed wherever an estimator's `random_state` is None."""
    return [
        job._replace(estimator=clone(job.estimator).set_params(**unset))
        if (unset := _seeded_params(job.estimator, seed))
        else job
        for job in jobs
    ]


def _seeded_params(estimator, seed):
    """Return the parameters that are, or hold, a `random_state` of None, seeded."""
    if not hasattr(estimator, "get_params"):
        return {}
    seeded = {}
    for name, value in estimator.get_params().items():
        if value is None and name.rpartition("__")[2] == "random_state":
            seeded[name] = seed
        elif hasattr(value, "split") and getattr(value, "random_state", 0) is None:
            seeded[name] = _seeded(value, seed)  # of a search, say
    return seeded


def _simulate(setting, batch):
    """Return a batch of samples, and what is kept of them."""
    with single_threaded():
        samples = [_one_sample(setting, number) for number in range(*batch)]
    return batch, tuple(np.array(part) for part in zip(*samples, strict=True))


def _one_sample(setting, number):
    rng, seeds = _randomness(setting.seed, number)
    X, y = draw_sample(setting.population, setting.n_samples, rng)
    cv = _seeded(setting.cv, seeds[0])
    given = {} if setting.groups is None else {"groups": setting.groups}
    splits = list(cv.split(X, y, **given))
    sizes = tuple(tuple(map(len, parts)) for parts in zip(*splits, strict=True))
    if sizes != (setting.n_train, setting.n_test):
        raise ValueError(
            "`cv` must give training and test sets of the same sizes in every sample; "
            f"in sample {number} they differ from the first."
        )
    plan = replace(setting.plan, jobs=_seed_estimators(setting.plan.jobs, seeds[1]))
    losses = list(losses_by_split(plan.on(X, y, splits), setting.error_score))
    tests = [test for _, test in splits]
    kept = [part.sum(axis=0) for part in losses], list(map(block_products, losses))
    if setting.cells is None:
        return *kept, example_sums(losses, tests, plan.design, plan.groups)
    cells = _cells(plan, splits)
    if not all(map(np.array_equal, cells, setting.cells)):
        raise ValueError(
            "`groups` must be divided among the test sets in the same way in every "
            f"sample; in sample {number} they differ from the first. Use "
            "groups of one size, or a list of splits for `cv`."
        )
    examples = example_sums(losses, tests, plan.design)
    runs = plan.design.n_repeats
    return *kept, examples, _cell_sums(plan.groups, splits, losses, runs)


# Designs with tests of single examples, in which each is tested once a run.
WITH_CELLS = "k-fold", "paired halves", "holdout", "repeated k-fold", "5x2"


def _cells(plan, splits):
    """Return group, split and size of each part of a group in a test set.

    Groups are numbered as they come in each run, so that the numbers do not depend on
    which groups are in which test set: all that matters is which parts belong together.
    For repeats, in which these are others in every run, a part is a group in a run.
    None for designs without tests of groups.
    """
    if plan.groups is None or plan.design.kind not in WITH_CELLS:
        return None
    if plan.design.n_repeats > 1:
        sizes = np.unique(plan.groups, return_counts=True)[1]
        n_runs, n_groups = plan.design.n_repeats, len(sizes)
        each = np.arange(n_runs * n_groups)
        return each % n_groups, each // n_groups, np.tile(sizes, n_runs)
    found = [np.unique(plan.groups[test], return_counts=True) for _, test in splits]
    groups, sizes = map(np.concatenate, zip(*found, strict=True))
    numbers = np.repeat(np.arange(len(found)), [len(part) for part, _ in found])
    for run, _, _ in plan.design.runs():
        start, stop, _ = run.indices(len(found))
        of_run = (numbers >= start) & (numbers < stop)
        _, first, codes = np.unique(
            groups[of_run], return_index=True, return_inverse=True
        )
        groups[of_run] = np.argsort(np.argsort(first))[codes]
    return groups, numbers, sizes


def _cell_sums(codes, splits, losses, n_runs):
    """Return the sum of the losses of each part of a group in a test set, or run."""
    if n_runs > 1:
        tests = np.concatenate([test for _, test in splits])
        _, groups = np.unique(codes[tests], return_inverse=True)
        run = np.repeat(np.arange(n_runs), len(tests) // n_runs)
        n_groups = groups.max() + 1
        sums = np.zeros((n_runs * n_groups, losses[0].shape[1]))
        np.add.at(sums, run * n_groups + groups, np.concatenate(losses))
        return sums
    parts = []
    for (_, test), loss in zip(splits, losses, strict=True):
        groups, at = np.unique(codes[test], return_inverse=True)
        sums = np.zeros((len(groups), loss.shape[1]))
        np.add.at(sums, at, loss)
        parts.append(sums)
    return np.concatenate(parts)


# All samples ------------------------------------------------------------------


def _run(setting, batches, n_jobs):
    """Yield (batch, result) as they come."""
    parallel = Parallel(n_jobs=n_jobs, return_as=way_of_returning())
    yield from parallel(delayed(_simulate)(setting, batch) for batch in batches)


class _Store:
    """A folder with one file for each task that is done."""

    def __init__(self, memory, setting):
        self.folder = None
        self.parts = KEPT if setting.cells is not None else KEPT[:3]
        if memory is None:
            return
        path = check_memory(memory, "None or the path of a folder")
        allowed = "None if the content of an argument cannot be known"
        content = setting, setting_of_run()
        self.key = check_content("memory", memory, allowed, *content)
        self.folder = StoreFolder(path, "samples")

    def _file(self, start, stop):
        """Return the name and the header of the file of a task."""
        header = {"key": self.key, "start": start, "stop": stop}
        return f"{self.key}-{start}-{stop}.npz", header

    def load(self, start, stop):
        """Return the stored result of the task, None if there is no intact one."""
        if self.folder is None:
            return None
        name, expected = self._file(start, stop)
        header, arrays = self.folder.load(name)
        if header == expected and set(self.parts) == set(arrays):
            return tuple(arrays[part] for part in self.parts)
        return None

    def save(self, batch, result):
        if self.folder is not None:
            arrays = dict(zip(self.parts, result, strict=True))
            self.folder.save(*self._file(*batch), arrays)


def _collect(setting, results):
    sums, products, examples, *cells = map(np.concatenate, zip(*results, strict=True))
    _report_failures(setting, sums)
    plan, fields = setting.plan, {}
    if setting.cells is not None:
        names = "cell_groups", "cell_splits", "cell_sizes", "cell_sums"
        fields = dict(zip(names, (*setting.cells, *cells), strict=True))
    return Replications(
        estimator_names=tuple(job.name for job in plan.jobs),
        block_sums=sums,
        block_products=products,
        example_sums=examples,
        n_train=np.array(setting.n_train),
        n_test=np.array(setting.n_test),
        n_samples=setting.n_samples,
        design=plan.design,
        loss_name=plan.data.measure.name,
        seed=setting.seed,
        **fields,
    )


def _report_failures(setting, sums):
    """Warn about samples in which fits failed, or raise if nothing else is left."""
    intact = np.isfinite(sums).all(axis=1)  # of each sample, each estimator
    if not intact.any():
        raise _total_failure(setting, len(sums))
    n_failed = np.count_nonzero(~intact.all(axis=1))
    if n_failed:
        warn(
            f"In {n_failed} of {len(sums)} samples a fit failed; residuals() leaves "
            "them out. Pass error_score='raise' to replicate_losses to see why.",
            FitFailedWarning,
        )


def _total_failure(setting, n_replications):
    """Return the error for fits that fail in every sample, with the first one's."""
    why = "Pass error_score='raise' to replicate_losses to see why."
    try:
        _simulate(setting._replace(error_score="raise"), (0, 1))
    except Exception as error:
        why = f"In the first, {type(error).__name__}: {error}"
    return ValueError(
        f"`estimators` must be able to fit the samples. In each of {n_replications} "
        f"samples a fit of every estimator failed. {why}"
    )
