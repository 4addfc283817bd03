"""compare_scores: scores of the examples of one test set, of one or several runs."""

from collections.abc import Mapping

import numpy as np

from .._data._cvlosses import CVLosses
from .._results._comparison import Comparison
from .._splits._design import Design
from .._splits._groups import are_groups, encode_groups, warn_of_few_groups
from .._splits._layout import SplitLayout
from .._validation import ONE_MODEL, invalid, invalid_words
from ._tables import (
    as_columns,
    as_numbers,
    as_shares,
    check_column,
    encode,
    value_column,
)


def compare_scores(
    scores,
    *,
    model="model",
    example="example",
    run=None,
    group=None,
    score=None,
    loss=None,
    percent=False,
    test=None,
    reference=None,
    p_adjust="holm",
    alpha=0.05,
):
    """Compare models by their scores of each example of one test set.

    For evaluations that exist already: one or several runs (training seeds, generations
    of a language model) of each model, all tested on the same examples. There are no
    folds, and nothing is fitted.

    Parameters
    ----------
    scores : dataframe, path or dict
        A long table with a row for each model, run and example: a pandas or polars data
        frame, a dict of columns, or the path of a CSV or Parquet file. Or a dict of
        arrays by the name of the model, of shape (n_examples,) or (n_runs, n_examples).
    model : str, default="model"
        The column with the names of the models.
    example : str, default="example"
        The column with the examples.
    run : str, default=None
        The column with the runs of a model. Where all models have the same runs, these
        are paired (as by a seed); so are the rows of arrays of one shape.
    group : str or array-like of shape (n_examples,), default=None
        The column with the group (such as a document or a patient) of each example, or,
        with arrays, the groups.
    score, loss : str, default=None
        The column with the scores, of which greater is better, or with the losses. None
        for both takes the column that is called "score" or "loss". With arrays, what
        the values are, by default "score".
    percent : bool, default=False
        Whether the scores (or losses) are in percent. They are divided by 100.
    test, reference, p_adjust, alpha : object
        As in :func:`compare_estimators`. The default is :class:`HoldoutTTest` of one
        run, and :class:`CrossedTest` of several.

    Returns
    -------
    comparison : Comparison
        The tests. Of one run they are about these models as they are; of several, about
        new runs of them.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, a column or a value is missing, rows are
        there twice, or models were not tested on the same examples; the message names
        model, run and example.

    See Also
    --------
    compare_table : Scores of the folds of a cross-validation.
    compare_predictions : From predictions, by any metric.
    Comparison.variance_table : What more runs or more examples would bring.
    Comparison.gate : Whether a model is not worse by more than a margin.

    Notes
    -----
    Runs that are not paired, because models have other runs or more of them, are made
    as many as those of the model with the fewest by Scheffé's transformation [1]_: the
    mean of a model stays that of all its runs, and the deviations of the first R of its
    R_m runs from their mean are multiplied by √(R/R_m), so that their variance is what
    it should be. Runs are taken in the order of their names.

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
    new is better than old by 9.8 points of accuracy (95% interval ...
    """
    given = {"score": score, "loss": loss, "percent": percent}
    if _are_arrays(scores, model, example):
        parts = _of_arrays(scores, group, given)
    else:
        columns = {"model": model, "example": example, "run": run, "group": group}
        try:
            parts = _of_table(scores, columns, given)
        except (TypeError, ValueError) as error:  # as the parameter is called here
            text = str(error).replace("`table", "`scores")
            raise type(error)(text) from None
    losses = _as_losses(*parts)
    options = {"reference": reference, "p_adjust": p_adjust, "alpha": alpha}
    return Comparison(losses, test=test, **options)


def _as_losses(values, is_paired, groups, name, is_score):
    """Return {model: (n_runs, n_examples)} of scores or losses as CVLosses."""
    counts = {model: len(of_model) for model, of_model in values.items()}
    n_runs, made = min(counts.values()), None
    if not is_paired:
        if n_runs == 1 < max(counts.values()):
            hint = "The scores of a model that is always the same can be repeated."
            allowed = "of one run of every model, or of several of each"
            raise invalid_words("scores", allowed, f"{counts}", hint=hint)
        values = {model: _scheffe(array, n_runs) for model, array in values.items()}
        made = "runs not paired" if n_runs > 1 else None
    n_examples = next(iter(values.values())).shape[1]
    rows = np.empty((len(values), n_runs, n_examples))
    for row, of_model in zip(rows, values.values(), strict=True):
        np.multiply(of_model, -1.0 if is_score else 1.0, out=row)
    kind = "crossed" if n_runs > 1 else "holdout"
    sizes = np.full(n_runs, n_examples)
    layout = SplitLayout(Design(kind, n_runs), None, sizes, n_examples)
    return CVLosses.of_blocks(
        values,
        rows.reshape(len(rows), -1).T,  # in memory, models follow each other
        layout,
        row_index=np.tile(np.arange(n_examples), n_runs),
        row_split=np.repeat(np.arange(n_runs), n_examples),
        groups=None if groups is None else np.tile(groups, n_runs),
        loss_name=name,
        is_score=is_score,
        cv_description=made,
    )


def _scheffe(values, n_runs):
    """Return so many runs with the mean of all and the variance of that mean."""
    first = values[:n_runs]
    deviations = first - first.mean(axis=0)
    return values.mean(axis=0) + deviations * np.sqrt(n_runs / len(values))


def _checked_groups(codes):
    """Return the groups of examples if they are some."""
    if not are_groups(codes):
        return None
    warn_of_few_groups(codes)
    return codes


# Arrays -------------------------------------------------------------------------


def _are_arrays(scores, model, example):
    """Whether scores are {model: array}, and no dict of columns."""
    for parameter, name in (("model", model), ("example", example)):
        if not isinstance(name, str):
            raise invalid(parameter, "the name of a column", name, TypeError)
    return isinstance(scores, Mapping) and model not in scores and example not in scores


def _of_arrays(scores, group, given):
    """Return the parts of losses from {model: array}."""
    if given["score"] is not None and given["loss"] is not None:
        raise invalid("loss", "None where `score` is given", given["loss"])
    is_score = given["loss"] is None
    name = (given["score"] or "score") if is_score else given["loss"]
    if not isinstance(name, str):
        raise invalid("score" if is_score else "loss", "a name", name, TypeError)
    if len(scores) < 2:
        shown = ", ".join(map(repr, scores)) or "none"
        raise invalid_words("scores", "of at least two models", shown, hint=ONE_MODEL)
    values = {model: _array(model, array) for model, array in scores.items()}
    top = max(values, key=lambda model: values[model].max())
    for model in (top, *values):  # percent is known by the largest of all
        percent = given["percent"] and values[top].max() > 1
        if model is top:
            percent = given["percent"]
        as_shares(
            f"scores[{model!r}]",
            values[model].ravel(),
            name,
            is_score=is_score,
            percent=percent,
            where="element",
        )
    if given["percent"]:
        values = {model: array / 100 for model, array in values.items()}
    first, reference = next(iter(values.items()))
    for model, array in values.items():
        if array.shape[1] != reference.shape[1]:
            shown = f"{array.shape[1]} of {model!r}, {reference.shape[1]} of {first!r}"
            raise invalid_words("scores", "of the same examples for all models", shown)
    groups = None
    if group is not None:
        groups = _group_codes(group, reference.shape[1])
    is_paired = len({len(array) for array in values.values()}) == 1
    return values, is_paired, groups, name, is_score


def _array(model, array):
    """Return the scores of a model as floats (n_runs, n_examples)."""
    if not isinstance(model, str):
        raise invalid("scores", "with models named by strings", model, TypeError)
    parameter = f"scores[{model!r}]"
    allowed = "numbers of shape (n_examples,) or (n_runs, n_examples)"
    hint = "Of a table, name the columns in `model` and `example`."
    try:
        found = np.asarray(array)
        if found.dtype.kind not in "biuf":
            raise ValueError
    except ValueError:
        raise invalid(parameter, allowed, array, TypeError, hint=hint) from None
    if found.ndim not in (1, 2) or not found.size:
        raise invalid_words(parameter, allowed, f"shape {found.shape}")
    found = np.atleast_2d(found).astype(np.float64, copy=False)
    wrong = np.argwhere(~np.isfinite(found))
    if len(wrong) or np.ma.is_masked(array):
        run, example = (
            wrong[0]
            if len(wrong)
            else np.argwhere(np.atleast_2d(np.ma.getmaskarray(array)))[0]
        )
        shown = f"{found[run, example]} in run {run}, example {example}"
        raise invalid_words(parameter, "finite", shown)
    return found


def _group_codes(group, n_examples):
    allowed = f"one label for each of the {n_examples} examples"
    try:
        labels = np.ma.asarray(group) if np.ma.is_masked(group) else np.asarray(group)
    except ValueError:
        raise invalid("group", allowed, group) from None
    if labels.shape != (n_examples,):
        raise invalid_words("group", allowed, f"shape {labels.shape}")
    return _checked_groups(encode_groups(labels)[0])


# Tables -------------------------------------------------------------------------


def _of_table(table, names, given):
    """Return the parts of losses from a long table."""
    columns = as_columns(table)
    for parameter, name in names.items():
        check_column(parameter, name, columns)
    value, is_score = value_column(given["score"], given["loss"], columns)
    values = as_shares(
        f"table[{value!r}]",
        as_numbers(value, columns[value]),
        value,
        is_score=is_score,
        percent=given["percent"],
    )
    keys = {
        parameter: encode(name, columns[name], are_names=parameter == "model")
        for parameter, name in names.items()
        if name is not None
    }
    if len(keys["model"]) < 2:
        shown = f"{len(keys['model'])}: {', '.join(keys['model'].labels)}"
        raise invalid_words(
            names["model"], "at least two models", shown, hint=ONE_MODEL
        )
    for name in ("example", "run"):  # so that the order of rows does not matter
        if name in keys:
            keys[name] = keys[name].by_number(or_name=True)
    runs = keys["run"].codes if "run" in keys else np.zeros(len(values), dtype=np.intp)
    of_models, sets = {}, set()
    for number, label in enumerate(keys["model"].labels):
        rows = np.flatnonzero(keys["model"].codes == number)
        own, places = np.unique(runs[rows], return_inverse=True)
        cells = places * len(keys["example"]) + keys["example"].codes[rows]
        counts = np.bincount(cells, minlength=len(own) * len(keys["example"]))
        if np.any(counts != 1):
            raise ValueError(_wrong_cell(label, own, counts, keys))
        scores = np.empty(len(counts))
        scores[cells] = values[rows]
        of_models[label] = scores.reshape(len(own), -1)
        sets.add(tuple(own.tolist()))
    groups = _groups_of(keys) if "group" in keys else None
    return of_models, len(sets) == 1, groups, value, is_score


def _wrong_cell(label, own, counts, keys):
    """Return what is said of a cell that is missing, or there twice."""
    place = int(np.argmax(counts != 1))
    run, example = divmod(place, len(keys["example"]))
    where = f"example {keys['example'].labels[example]}"
    unit, hint = "model and example", ""
    if "run" in keys:
        where = f"run {keys['run'].labels[own[run]]}, {where}"
        unit = "model, run and example"
    elif counts[place]:
        hint = " If these are several runs, name their column in `run`."
    found = "several" if counts[place] else "none"
    n_wrong = int(np.count_nonzero(counts != 1))
    also = f" ({n_wrong} such cells)" if n_wrong > 1 else ""
    return (
        f"`scores` must have one row for each {unit}; got {found} of {label!r} for "
        f"{where}{also}.{hint}"
    )


def _groups_of(keys):
    """Return the group of each example."""
    group, example = keys["group"].by_number(or_name=True), keys["example"]
    of_example = np.empty(len(example), dtype=np.intp)
    of_example[example.codes] = group.codes
    mixed = np.flatnonzero(of_example[example.codes] != group.codes)
    if len(mixed):
        label = example.labels[example.codes[mixed[0]]]
        raise ValueError(
            "`scores` must have one group for each example; got several of example "
            f"{label}."
        )
    return _checked_groups(of_example)
