"""compare_scores: scores of the examples of one test set, of one or several runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from .._data._cvlosses import CVLosses
from .._engine._installed_checks import installed_checks
from .._inference._choose_tests import Question
from .._losses._metric_names import metric_word
from .._results._estimator_comparison import Comparison, compare_by_metric
from .._results._several_metrics import MultiMetricComparison
from .._row_labels import check_same_labels
from .._sources._given_predictions import check_target, measured, plan_predictions
from .._splits._design import Design, DesignKind, runs_on_one_test_set
from .._splits._groups import checked_groups, encode_groups
from .._splits._layout import SplitLayout
from .._tables._table_columns import as_shares, range_of
from .._typing import Any, ArrayLike, Function, Sequence
from .._validation import (
    as_array,
    check_named,
    find_missing,
    invalid,
    invalid_words,
    warn,
)
from ..exceptions import FewExamplesWarning
from ._tables import Scores, scores_of_table

FEW_EXAMPLES = 10  # and fewer than runs: perhaps an array is the wrong way round
FEW_VALUES = 30  # of one run, without names: perhaps they are scores of folds


def compare_scores(
    scores: Any,
    *,
    model: str = "model",
    example: str = "example",
    run: str | None = None,
    group: str | ArrayLike | None = None,
    score: str | Sequence[str] | None = None,
    loss: str | Sequence[str] | None = None,
    y_true: str | ArrayLike | None = None,
    scoring: str | Function | Sequence[Any] | dict[str, Any] | None = None,
    percent: bool = False,
    test: Any = None,
    reference: Any = None,
    p_adjust: Any = "holm",
    alpha: Any = 0.05,
) -> Comparison | MultiMetricComparison:
    """Compare models by their scores of each example of one test set.

    For evaluations that exist already: one or several runs (training seeds, generations
    of a language model) of each model, all tested on the same examples. There are no
    folds, and nothing is fitted.

    Parameters
    ----------
    scores : dataframe or dict
        A long table with a row for each model, run and example: a pandas or polars data
        frame, or a dict of columns (for files, there is :func:`compare_file`). Or a
        dict of arrays by the name of the model, of shape (n_examples,) or
        (n_runs, n_examples).
    model : str, default="model"
        The column with the names of the models.
    example : str, default="example"
        The column with the examples. Without such a column, and with `run`, there is a
        score for each run on one test set; the answer is then about new runs on this
        test set, by the t test of the runs.
    run : str, default=None
        The column with the runs of a model. Where all models have the same runs, these
        are paired (as by a seed); so are the rows of arrays of one shape.
    group : str or array-like of shape (n_examples,), default=None
        The column with the group (such as a document or a patient) of each example, or,
        with arrays, the groups.
    score, loss : str or list of str, default=None
        The column with the scores, of which greater is better, or with the losses. None
        for both takes the column that is called "score" or "loss". A list compares by
        each of several columns. With arrays, what the values are, by default "score".
    y_true : str or array-like of shape (n_examples,), default=None
        The column with the target or, with arrays, the target. The scores are then what
        the models predict of each example: labels, numbers, probabilities or decision
        values of the second of two classes, or, in arrays of shape (n_runs, n_examples,
        n_classes), probabilities of classes.
    scoring : str, callable, list or dict, default=None
        With `y_true`, one or several scorers, as in :func:`compare_predictions`, that
        are functions of sums, such as "roc_auc", "f1" or "accuracy".
    percent : bool, default=False
        Whether the scores (or losses) are in percent. They are divided by 100.
    test, reference, p_adjust, alpha : object
        As in :func:`compare_estimators`. The default is :class:`HoldoutTTest` of one
        run, by its score test for few examples that are right or wrong (see `method`
        there), and :class:`CrossedTest` of several.

    Returns
    -------
    comparison : Comparison or MultiMetricComparison
        The tests; one for each of several scores or scorers. With one run they are
        about these models as they are; with several, about new runs of them.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, a column or a value is missing, rows are
        there twice, or models were not tested on the same examples; the message names
        model, run and example. Data frames and columns of pandas must have their rows
        and columns in the same order.

    Warns
    -----
    FewExamplesWarning
        If there are at most 30 values of each model, of one run, that nothing names:
        they may be scores of folds, which are not independent.

    See Also
    --------
    compare_table : Scores of the folds of a cross-validation.
    compare_predictions : From predictions, by any metric.
    Comparison.variance_table : What more runs or more examples would bring.
    Comparison.gate : Whether a model is not worse by more than a margin.

    Notes
    -----
    Runs that are not paired, because models have other runs or more of them, are
    reduced to the fewest that a model has by Scheffé's transformation [1]_: the mean of
    a model stays the mean of all its runs, and the deviations of the first R of its R_m
    runs from their mean are multiplied by √(R/R_m), so that their variance is what it
    should be. Runs are taken in the order of their names.

    By a scorer, each example has the score of the run plus its influence on it, whose
    mean is the score of the run, as in :func:`compare_estimators`.

    References
    ----------
    .. [1] H. Scheffé, "On Solutions of the Behrens-Fisher Problem, Based on the
       t-Distribution", Annals of Mathematical Statistics 14(1), 35-44, 1943.
       :doi:`10.1214/aoms/1177731494`

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest import compare_scores
    >>> rng = np.random.default_rng(0)
    >>> easy = rng.normal(size=300)
    >>> scores = {
    ...     name: easy + rng.normal(skill, 1.0, size=(3, 300)) > 0
    ...     for name, skill in [("old", 0.5), ("new", 1.0)]
    ... }
    >>> result = compare_scores(scores, score="accuracy")
    >>> print(str(result).splitlines()[0])
    new is better than old by 9.8 points of accuracy (95% CI ...
    """
    question = Question(test, reference, p_adjust, alpha)
    user_args = {"score": score, "loss": loss, "y_true": y_true, "percent": percent}
    _check_scoring(scoring, user_args)
    if _are_arrays(scores, model, example):
        scores_by_name = _of_arrays(scores, group, user_args)
    else:
        columns = {"model": model, "example": example, "run": run, "group": group}
        try:
            scores_by_name = scores_of_table(scores, columns, user_args)
        except (TypeError, ValueError) as error:  # as the parameter is called here
            text = str(error).replace("`table", "`scores")
            error_class = ValueError if isinstance(error, ValueError) else TypeError
            raise error_class(text) from None
    if y_true is not None:
        (outputs,) = scores_by_name.values()
        losses = _measured(outputs, scoring)
    else:
        losses = {
            name: _as_losses(of_score) for name, of_score in scores_by_name.items()
        }
        if not isinstance(loss if score is None else score, list):
            (losses,) = losses.values()
    target = None if y_true is None else outputs.y_true
    checks = installed_checks()
    if checks is not None:
        checks.warn_of_dependent_losses(losses, target, "group")
    return compare_by_metric(losses, question)


def _check_scoring(scoring, user_args):
    """Check that the target and scorers are given together, and with them no losses."""
    if user_args["score"] is not None and user_args["loss"] is not None:
        raise invalid("loss", "None where `score` is given", user_args["loss"])
    if (user_args["y_true"] is None) != (scoring is None):
        names = ("y_true", "scoring")
        missing, other = names if scoring is not None else names[::-1]
        raise invalid_words(missing, f"given where `{other}` is", "None")
    for name, unset in (("loss", None), ("percent", False)):
        if scoring is not None and user_args[name] is not unset:
            raise invalid(name, f"{unset} with `y_true`", user_args[name])


def _measured(outputs, scoring):
    """Return CVLosses of predictions by a scorer, or a dict of them by its name.

    All runs are tests of the same examples; of a model with fewer runs, these are there
    again.
    """
    n_runs = max(map(len, outputs.values.values()))
    named = {
        name: values[np.arange(n_runs) % len(values)]
        for name, values in outputs.values.items()
    }
    rows = np.arange(len(outputs.y_true))
    plan = plan_predictions(
        named,
        outputs.y_true,
        [(np.empty(0, dtype=np.intp), rows)] * n_runs,
        scoring=scoring,
        parameter="scores",
        design=runs_on_one_test_set(n_runs),
    )
    losses = measured(plan, list(range(n_runs)))
    if isinstance(losses, dict):
        return {name: _of_influence(outputs, losses[name]) for name in losses}
    return _of_influence(outputs, losses)


def _of_influence(outputs, losses):
    """Return what a scorer says of runs by its values of examples, if there are any."""
    if not losses.per_example:
        return losses
    values = {
        model: -column.reshape(-1, losses.n_samples)[: len(outputs.values[model])]
        for model, column in zip(outputs.values, losses.losses.T, strict=True)
    }
    fields = {"value_range": losses.value_range, "labels_from": losses.labels_from}
    fields |= {"metric_name": losses.metric_name}
    scores = outputs._replace(values=values, name=losses.loss_name, is_score=True)
    return replace(_as_losses(scores), **fields)


def _as_losses(scores):
    """Return scores, or losses, as CVLosses."""
    values = scores.values
    description = None
    groups = scores.groups
    counts = {model: len(of_model) for model, of_model in values.items()}
    n_runs = min(counts.values())
    if not scores.is_paired:
        if n_runs == 1 < max(counts.values()):
            hint = "The scores of a model that is always the same can be repeated."
            allowed = "of one run of every model, or of several of each"
            raise invalid_words("scores", allowed, f"{counts}", hint=hint)
        values = {model: _scheffe(array, n_runs) for model, array in values.items()}
        description = "runs not paired"
    if scores.is_of_runs:
        return _losses_of_runs(scores, values, n_runs, description)
    if metric_word(scores.name).startswith("root_mean_squared"):
        hint = (
            "Are these squared errors (loss='squared_error') or absolute errors "
            "(loss='absolute_error')?"
        )
        role = "score" if scores.is_score else "loss"
        allowed = "what has a value for each example, which an RMSE has not"
        raise invalid(role, allowed, scores.name, hint=hint)
    n_examples = next(iter(values.values())).shape[1]
    rows = np.stack(list(values.values()))
    rows = np.negative(rows, out=rows) if scores.is_score else rows
    design = runs_on_one_test_set(n_runs)
    layout = SplitLayout(design, None, np.full(n_runs, n_examples), n_examples)
    every = np.concatenate([array.ravel() for array in scores.values.values()])
    return CVLosses.from_values(
        values,
        rows.reshape(len(rows), -1).T,  # in memory, models follow each other
        layout,
        row_index=np.tile(np.arange(n_examples), n_runs),
        row_split=np.repeat(np.arange(n_runs), n_examples),
        groups=None if groups is None else np.tile(groups, n_runs),
        loss_name=scores.name,
        is_score=scores.is_score,
        value_range=range_of(scores.name, every, is_score=scores.is_score),
        cv_description=description,
        example_labels=scores.example_labels,
    )


def _losses_of_runs(scores, values, n_runs, description):
    """Return scores of whole runs on one test set as CVLosses."""
    if n_runs < 2:
        hint = "One number for each model cannot be tested."
        raise invalid_words("scores", "of several runs of each model", "one", hint=hint)
    rows = np.column_stack([array[:, 0] for array in values.values()])
    every = np.concatenate([array.ravel() for array in scores.values.values()])
    return CVLosses.from_values(
        values,
        -rows if scores.is_score else rows,
        SplitLayout(Design(DesignKind.CROSSED, n_runs)),
        loss_name=scores.name,
        is_score=scores.is_score,
        value_range=range_of(scores.name, every, is_score=scores.is_score),
        cv_description=description,
    )


def _scheffe(values, n_runs):
    """Return so many runs with the mean of all and the variance of that mean."""
    first = values[:n_runs]
    deviations = first - first.mean(axis=0)
    return values.mean(axis=0) + deviations * np.sqrt(n_runs / len(values))


# Arrays -------------------------------------------------------------------------


def _are_arrays(scores, model, example):
    """Whether scores are {model: array}, and no dict of columns."""
    for parameter, name in (("model", model), ("example", example)):
        if not isinstance(name, str):
            raise invalid(parameter, "the name of a column", name, TypeError)
    return isinstance(scores, Mapping) and model not in scores and example not in scores


def _of_arrays(scores, group, user_args):
    """Return {name: Scores} of {model: array}."""
    role = "score" if user_args["loss"] is None else "loss"
    name = "score" if user_args[role] is None else user_args[role]
    if not isinstance(name, str):
        hint = "A list is of columns of a table." if isinstance(name, list) else ""
        raise invalid(role, "a name", name, TypeError, hint=hint)
    check_named("scores", scores, "a table, or a dict of arrays of at least two models")
    is_measured = user_args["y_true"] is not None
    labelled = {f"scores[{model!r}]": array for model, array in scores.items()}
    arrays = [_array(model, array, is_measured) for model, array in scores.items()]
    if not is_measured:
        shares = dict(zip(labelled, arrays, strict=True))
        options = {"is_score": role == "score", "percent": user_args["percent"]}
        arrays = as_shares(shares, name, **options, where="element").values()
    values = dict(zip(scores, arrays, strict=True))
    first, reference = next(iter(values.items()))
    n_runs, n_examples = reference.shape[:2]
    for model, array in values.items():
        if array.shape[1] != n_examples:
            lengths = f"{array.shape[1]} of {model!r}, {n_examples} of {first!r}"
            raise invalid_words(
                "scores", "of the same examples for all models", lengths
            )
    example_labels = _check_labels(
        labelled, {"y_true": user_args["y_true"], "group": group}
    )
    if n_examples < min(FEW_EXAMPLES, n_runs):
        warn(
            f"The array of {first!r} has {n_runs} rows, which are runs, and "
            f"{n_examples} columns, which are examples. If rows are examples, pass its "
            "transpose.",
            FewExamplesWarning,
        )
    if n_runs == 1 and not is_measured and example_labels is None:
        _warn_of_folds(first, reference)
    groups = target = None
    if group is not None:
        groups = checked_groups(encode_groups(group, "group", (n_examples,))[0])
    if is_measured:
        target = check_target(user_args["y_true"])
        if len(target) != n_examples:
            allowed = f"one label or number for each of the {n_examples} examples"
            raise invalid_words("y_true", allowed, f"{len(target)} of them")
    is_paired = len(set(map(len, values.values()))) == 1
    is_score = role == "score"
    fields = groups, name, is_score, target, example_labels
    return {name: Scores(values, is_paired, *fields)}


def _warn_of_folds(model, values):
    """Warn of so few values, of which nothing says what they are of.

    Zeros and ones are no scores of folds.
    """
    n_values = values.shape[1]
    if n_values > FEW_VALUES or np.isin(values, (0, 1)).all():
        return
    warn(
        f"The {n_values} values of {model!r} are taken to be of {n_values} independent "
        "examples of one test set. If they are scores of the folds of a "
        "cross-validation, whose training sets overlap, the p-value is too small: use "
        "corrected_ttest with the `cv` that made them, or compare_table. If they are "
        "of examples, name these by an index of pandas, or by the column `example` of "
        "a table.",
        FewExamplesWarning,
    )


def _check_labels(arrays, columns):
    """Refuse tables of runs or examples in different orders; return the examples'.

    Rows of a table are runs, and its columns are examples, which the index of a single
    column is, too.
    """
    tables = {
        name: array for name, array in arrays.items() if hasattr(array, "columns")
    }
    runs = {}
    examples = {}
    for name, array in tables.items():
        labels = list(array.columns)
        if labels != [f"column_{i}" for i in range(len(labels))]:  # of polars
            examples[name] = labels
        if hasattr(array, "iloc"):
            runs[name] = array.index
    if len({len(of_runs) for of_runs in runs.values()}) == 1:  # else not paired
        check_same_labels(runs)
    for name, array in (arrays | columns).items():
        if name not in tables and hasattr(array, "iloc"):
            examples[name] = list(array.index)
    check_same_labels(examples, "column" if tables else "index")
    return next(iter(examples.values()), None)


def _array(model, array, is_measured):
    """Return the scores of a model as floats (n_runs, n_examples), or predictions."""
    parameter = f"scores[{model!r}]"
    allowed = "numbers of shape (n_examples,) or (n_runs, n_examples)"
    hint = "For a table, name the columns in `model` and `example`."
    if is_measured:
        allowed = "predictions of shape (n_examples,), (n_runs, n_examples) or "
        allowed = f"{allowed}(n_runs, n_examples, n_classes)"
        hint = ""
    scores = as_array(parameter, array, allowed)
    if not is_measured and scores.dtype.kind not in "biuf":
        raise invalid(parameter, allowed, array, TypeError, hint=hint)
    if not 1 <= scores.ndim <= 2 + is_measured or not scores.size:
        raise invalid_words(parameter, allowed, f"shape {scores.shape}")
    scores = scores[np.newaxis] if scores.ndim == 1 else scores
    wrong = find_missing(scores)
    allowed = "without missing values"
    if not is_measured:
        scores = scores.astype(np.float64, copy=False)
        wrong = ~np.isfinite(scores)
        allowed = "finite"
    if wrong.any():
        run, example = np.argwhere(wrong)[0, :2].tolist()
        place = f"{scores[run, example]} in run {run}, example {example}"
        raise invalid_words(parameter, allowed, place)
    return scores
