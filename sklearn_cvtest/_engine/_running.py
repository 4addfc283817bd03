"""Running a plan: what is stored is read, the rest fitted here or in workers."""

import contextlib

import numpy as np

from .._compat import import_extra
from .._validation import check_flag, check_integer, warn
from ._arguments import check_error_score, check_n_jobs, check_pre_dispatch
from ._collector import Collector
from ._fit_messages import fits_are_lost, fits_are_stored
from ._installed_checks import installed_checks
from ._memory import open_store
from ._workers import Run, is_serial, run_in_workers, run_task


def run_plan(
    plan,
    *,
    error_score,
    n_jobs=None,
    verbose=0,
    pre_dispatch="2*n_jobs",
    memory=None,
    return_estimator=False,
    progress=False,
    advance=None,
):
    """Fit each model on each training set; return the losses of the test rows.

    `advance` moves a progress bar over several plans; of the later ones, `is_more`, no
    warning repeats what the first told. An error that comes after
    the first result has these as its `losses`, with nan for what is missing.
    """
    options = {
        "n_jobs": check_n_jobs(n_jobs),
        "verbose": verbose,
        "pre_dispatch": check_pre_dispatch(pre_dispatch),
    }
    if not isinstance(verbose, bool):
        check_integer("verbose", verbose, 0)
    check_flag("return_estimator", return_estimator)
    check_flag("progress", progress)
    error_score = check_error_score(error_score)
    checks = installed_checks()
    store = open_store(memory, plan)
    run = Run(plan, store, error_score, return_estimator)
    collector = Collector(plan, return_estimator)
    bar = contextlib.nullcontext(advance)
    if advance is None:
        bar = progress_bar(progress, len(plan.splits) * len(plan.jobs), "fit")
    with attach_partial_losses(collector, store), bar as advance:
        _fit_all(run, collector, options, advance)
        losses = collector.collect()
        if checks is not None:
            checks.warnings_after(collector, losses)
        return losses


def losses_by_split(plan, error_score):
    """Yield, for each split, an array (n_test, n_estimators) of losses."""
    run = Run(plan, error_score=error_score)
    values = [None] * len(plan.jobs)
    results = _run_serially(run, _all_columns(plan))
    for n_results, (_, column, result) in enumerate(results, start=1):
        values[column] = result.values
        if n_results % len(values) == 0:
            yield np.stack(values, axis=1)


@contextlib.contextmanager
def attach_partial_losses(collector, store):
    """Give what is raised the losses that are there; say how to go on after Ctrl-C."""
    try:
        yield
    except (Exception, KeyboardInterrupt, SystemExit) as error:
        if isinstance(error, KeyboardInterrupt):
            error.add_note(_how_to_go_on(collector, store))
        if collector.received.any():
            with contextlib.suppress(AttributeError):  # an error with slots
                error.losses = collector.losses_so_far()
        raise


def _how_to_go_on(collector, store):
    """Return which fits are done, and how not to do them again."""
    received = collector.received
    if store is None:
        return fits_are_lost(received.sum(), received.size)
    is_stored = received & ~collector.failed.any(axis=0)
    return fits_are_stored(is_stored.sum(), received.size, store.folder.path)


def _fit_all(run, collector, options, advance):
    """Hand the results of all fits to the collector, also those that are stored."""
    missing = _load_stored(run, collector)
    advance(np.count_nonzero(collector.received))
    if is_serial(options["n_jobs"]) and not options["verbose"]:
        results = _run_serially(run, missing)
    else:
        results = run_in_workers(run, missing, **options)
    with contextlib.closing(results):  # at once when interrupted
        for split, column, result in results:
            collector.receive(split, column, result)
            advance(1)


def _all_columns(plan):
    """Return the columns of all jobs for every split."""
    columns = list(range(len(plan.jobs)))
    return dict.fromkeys(range(len(plan.splits)), columns)


def _load_stored(run, collector):
    """Hand stored results to the collector; return the columns missing by split."""
    if run.store is None or run.return_estimator:  # fitted estimators are not stored
        return _all_columns(run.plan)
    missing = {}
    for number, split in enumerate(run.plan.splits):
        for column in range(len(run.plan.jobs)):
            result = run.store.load(column, split)
            if result is None:
                missing.setdefault(number, []).append(column)
            else:
                collector.receive(number, column, result)
    return missing


def _run_serially(run, missing):
    """Yield (split, column, result) of what is missing, split by split."""
    for number, columns in missing.items():
        split = run.plan.splits[number]
        for column, result in run_task(run, number, split, columns):
            yield number, column, result


def _tqdm():
    """Return the class of progress bars; warn and return None if it is missing."""
    try:
        return import_extra("tqdm.auto", "progress=True").tqdm
    except ImportError as error:
        warn(f"{error} There is no progress bar.", UserWarning)
        return None


@contextlib.contextmanager
def progress_bar(is_shown, total, unit):
    """Yield a function to call with the number of units done; silent unless `is_shown`.

    A second argument of it is the number of units that there are in addition, a third
    one what is said after the bar.
    """
    tqdm = _tqdm() if is_shown else None
    if tqdm is None:
        yield lambda n_done, n_more=0, note="": None
        return
    with tqdm(total=total, unit=unit) as bar:

        def advance(n_done, n_more=0, note=""):
            bar.total += n_more
            bar.set_postfix_str(note, refresh=False)
            bar.update(n_done)

        yield advance
