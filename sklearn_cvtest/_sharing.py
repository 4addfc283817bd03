"""Which leading steps of pipelines are the same, and can be fitted once a split."""

import pickle
from collections import Counter

import joblib
from sklearn.pipeline import Pipeline

from ._compat import routing_enabled

__all__ = ["group_jobs", "mark_shared_steps"]


def mark_shared_steps(jobs):
    """Return the jobs with the keys of the leading steps that others have, too."""
    chains = [_step_keys(job) for job in jobs]
    counts = Counter(
        chain[:length] for chain in chains for length in range(1, len(chain) + 1)
    )
    return [
        job._replace(
            shared=max(
                (
                    chain[:length]
                    for length in range(len(chain) + 1)
                    if not length or counts[chain[:length]] > 1
                ),
                key=len,
            )
        )
        for job, chain in zip(jobs, chains, strict=True)
    ]


def _step_keys(job):
    """Return a key for each leading step whose result does not depend on chance.

    Of plain pipelines without options that change how steps are fitted; with fit
    parameters or metadata routing nothing is shared.
    """
    pipeline = job.estimator
    plain = type(pipeline) is Pipeline and not (
        job.fit_params or job.pairwise or routing_enabled()
    )
    if not plain or any(
        getattr(pipeline, option, None)
        for option in ("memory", "verbose", "transform_input")
    ):
        return ()
    keys = []
    for _, step in pipeline.steps[:-1]:
        key = _key(step)
        if key is None:
            break
        keys.append(key)
    return tuple(keys)


def _key(step):
    """Return a hash of a step, None if it cannot be told that it is deterministic."""
    if not hasattr(step, "get_params") or not hasattr(step, "transform"):
        return None  # "passthrough", or a sampler
    for name, value in step.get_params(deep=True).items():
        if name.rpartition("__")[2] == "random_state" and not _is_seed(value):
            return None
    try:
        return joblib.hash((type(step), step.get_params(deep=False)))
    except (pickle.PicklingError, AttributeError, TypeError):
        return None


def _is_seed(value):
    return isinstance(value, int) and not isinstance(value, bool)


def group_jobs(jobs):
    """Return lists of positions of jobs that share steps, in order."""
    groups = {}
    for position, job in enumerate(jobs):
        key = job.shared[:1] or position
        groups.setdefault(key, []).append(position)
    return list(groups.values())
