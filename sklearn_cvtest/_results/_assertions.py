"""Assertions about comparisons, for test suites."""

from __future__ import annotations

from .._validation import check_option, invalid
from ._estimator_comparison import LossComparison


def assert_not_worse(
    result: LossComparison, model: str, *, than: str, margin: float | str
) -> None:
    """Raise an AssertionError unless a model is shown not to be worse by a margin.

    For a test suite.

    Parameters
    ----------
    result : Comparison or CandidateComparison
        With both models.
    model : str
        The name of the one in question.
    than : str
        The name of the one that it must not be worse than.
    margin : float or str
        By how much it may be worse, in units of the loss or score (of an accuracy, 0.01
        is one point), or of errors that are compared by ratio a percentage such as
        "5%".

    Raises
    ------
    AssertionError
        If that is refuted or not shown; the message says which, and what could have
        been shown.
    TypeError, ValueError
        If an argument is not as described.

    See Also
    --------
    Comparison.gate : The same for all models, as a result.

    Notes
    -----
    Nothing is asked about the other models in `result`, so p-values are not adjusted.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest import assert_not_worse, compare_scores
    >>> noise = np.random.default_rng(0).normal(size=(2, 1000))
    >>> scores = {"old": 2 + noise[0], "new": 2 + noise[0] + 0.1 * noise[1]}
    >>> assert_not_worse(compare_scores(scores), "new", than="old", margin=0.02)
    """
    __tracebackhide__ = True  # so that pytest shows the sentence alone
    if not isinstance(result, LossComparison):
        raise invalid("result", "a Comparison", result, TypeError)
    for argument, name in (("model", model), ("than", than)):
        if not isinstance(name, str):
            raise invalid(argument, "the name of an estimator", name, TypeError)
    check_option("than", than, result.estimator_names)
    others = [name for name in result.estimator_names if name != than]
    check_option("model", model, others)
    gate = result.retest(p_adjust=None).gate(margin, than)
    if gate.decisions.get(model) != "shown":
        raise AssertionError(gate.sentences[model])


def worse_than(reference, result, dataset=""):
    """Return a sentence on each model that is significantly worse than the reference.

    Parameters
    ----------
    reference : str
        The model that all others were compared with.
    result : Comparison
        The comparison, by one test.
    dataset : str, default=""
        The data set that it is of, if there are several.
    """
    table = result.table
    where = f" on {dataset}" if dataset else ""
    return [
        f"{table.names[other]} is significantly worse than {reference}{where}"
        for other in table.second[table.winner == table.first]
    ]
