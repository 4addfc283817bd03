"""Results of Optuna. Nothing is fitted."""

from __future__ import annotations

import numpy as np

from .._typing import Any
from .._validation import invalid, invalid_words
from ._compare import compare_candidates
from ._comparison import CandidateComparison

__all__ = ["compare_optuna"]


def compare_optuna(
    study: Any, *, cv: Any, metric: str = "objective", **options: Any
) -> CandidateComparison:
    """Compare the trials of an Optuna study that reports the score of every fold.

    The objective function has called `trial.report(score, step=fold)` for every fold.
    Trials that were pruned or failed have no scores in some folds, and are left out
    with a warning. For an `OptunaSearchCV`, use :func:`compare_candidates`.

    Parameters
    ----------
    study : optuna.Study
        The study, of one objective.
    cv : object
        How the splits were made, the same for all trials: the splitter, an int
        (K-fold) or the name of a design.
    metric : str, default="objective"
        What the values are called. Where they are minimised, they become scores by
        negation.
    **options : dict
        As in :func:`compare_candidates`: `reference`, `test`, `p_adjust`, `alpha`,
        `n_train`, `n_test`.

    Returns
    -------
    comparison : CandidateComparison
        The tests; a candidate is the number of a trial.

    Raises
    ------
    TypeError, ValueError
        If it is no such study, or no trial has reported values.

    Examples
    --------
    >>> from sklearn_cvtest.adapters import compare_optuna
    >>> study.optimize(objective, n_trials=20)  # doctest: +SKIP
    >>> compare_optuna(study, cv=5, metric="accuracy")  # doctest: +SKIP
    """
    allowed = "an Optuna study of one objective"
    if not hasattr(study, "trials") or not hasattr(study, "directions"):
        raise invalid("study", allowed, study, TypeError)
    if len(study.directions) != 1:
        raise invalid_words("study", allowed, f"{len(study.directions)} objectives")
    if not isinstance(metric, str):
        raise invalid("metric", "a name", metric, TypeError)
    is_minimised = study.directions[0].name == "MINIMIZE"
    trials = study.trials
    steps = sorted({step for trial in trials for step in trial.intermediate_values})
    if not steps:
        allowed = "a study whose trials call trial.report(score, step=fold)"
        raise invalid_words("study", allowed, "no intermediate values")
    sign = -1.0 if is_minimised else 1.0
    name = f"neg_{metric}" if is_minimised else metric
    results = {
        f"split{number}_test_{name}": np.array(
            [sign * trial.intermediate_values.get(step, np.nan) for trial in trials]
        )
        for number, step in enumerate(steps)
    }
    results["params"] = [dict(trial.params) for trial in trials]
    found: Any = compare_candidates(results, cv=cv, **options)
    return found
