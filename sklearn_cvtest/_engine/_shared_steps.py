"""Leading steps that pipelines have in common, to be fitted once per split."""

import numbers
import pickle
from collections import Counter

import joblib
import numpy as np
from sklearn.pipeline import Pipeline

from .._compat import is_deterministic, routing_enabled
from .._store._fingerprint import fingerprint


def mark_shared_steps(jobs):
    """Return the jobs with the keys of the leading steps that other jobs have too."""
    if sum(type(job.estimator) is Pipeline for job in jobs) < 2:
        return jobs
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
    """Return a key for each leading step whose result is deterministic.

    Only for plain pipelines without options that change how steps are fitted; with
    metadata routing nothing is shared.
    """
    pipeline = job.estimator
    if type(pipeline) is not Pipeline or job.pairwise or routing_enabled():
        return ()
    if any(
        getattr(pipeline, option, None)
        for option in ("memory", "verbose", "transform_input")
    ):
        return ()
    keys = []
    for name, step in pipeline.steps[:-1]:
        # all jobs have the same fit parameters: names say which of them a step gets
        params = [param for param in job.fit_params if param.startswith(f"{name}__")]
        key = _key(step, sorted(params))
        if key is None:
            break
        keys.append(key)
    return tuple(keys)


def _key(step, fit_params):
    """Return hashes of a step, None if it may be random or cannot be hashed."""
    if not hasattr(step, "get_params") or not hasattr(step, "transform"):
        return None  # "passthrough", or a sampler
    params = step.get_params(deep=True)
    if not is_deterministic(step) or any(map(_is_random, params, params.values())):
        return None
    try:
        # includes what set_output has set; each sees something that the other does not
        return joblib.hash((step, fit_params)), fingerprint(step, fit_params)
    except (pickle.PicklingError, AttributeError, RecursionError, TypeError):
        return None


def _is_random(name, value):
    """Whether a parameter is a source of randomness, or contains one without a seed."""
    if isinstance(value, (np.random.RandomState, np.random.Generator)):
        return True
    if name.rpartition("__")[2] != "random_state":
        value = getattr(value, "random_state", 0)  # such as a splitter's
    return not isinstance(value, numbers.Integral) or isinstance(value, bool)


def group_jobs(jobs):
    """Return lists of positions of jobs that share steps, in order."""
    groups = {}
    for position, job in enumerate(jobs):
        key = job.shared[:1] or position
        groups.setdefault(key, []).append(position)
    return list(groups.values())
