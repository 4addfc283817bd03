"""compare_scores: scores of the examples of one test set, in one or several runs."""

from dataclasses import dataclass, replace

import numpy as np

from ._by_metric import compare_losses
from ._columns import (
    Cells,
    as_columns,
    as_numbers,
    check_column,
    check_value_of_row,
    encode,
    metric_of_values,
    one_for_each,
    value_columns,
)
from ._data import CVLosses
from ._design import CROSSED, Design, runs_on_one_test_set
from ._metrics import choose_metrics, is_several
from ._predictions import HeldOut, check_target, given_models, measure_models
from ._splits import count_groups, encode_groups
from ._validation import check_row_order, invalid, warn
from .exceptions import FewExamplesWarning

FEW_VALUES = 30  # that may be scores of folds


def compare_scores(
    scores,
    *,
    model="model",
    example="example",
    run=None,
    group=None,
    score=None,
    loss=None,
    y_true=None,
    scoring=None,
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
    scores : dataframe or dict
        A long table with a row for each model, run and example: a pandas or polars data
        frame, or a dict of columns. Or a dict of arrays by the name of the model, of
        shape (n_examples,) or (n_runs, n_examples). For files, see
        :func:`compare_file`.
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
        run, and :class:`CrossedTest` of several.

    Returns
    -------
    comparison : Comparison or ComparisonsByMetric
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
    Comparison.plan : How many examples a difference needs.
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
    options = {
        "test": test,
        "reference": reference,
        "p_adjust": p_adjust,
        "alpha": alpha,
    }
    if (y_true is None) != (scoring is None):
        names = ["scoring", "y_true"]
        missing, other = names if scoring is None else names[::-1]
        raise invalid(missing, f"given where `{other}` is", None)
    if y_true is not None and (loss is not None or percent):
        name, value = ("percent", percent) if loss is None else ("loss", loss)
        raise invalid(name, "left out with `y_true`", value)
    if isinstance(scores, dict) and model not in scores and example not in scores:
        runs = _runs_of_arrays(scores, group, y_true, score, loss)
    else:
        runs = _runs_of_table(scores, model, example, run, group, y_true, score, loss)
    if scoring is not None:
        (predictions,) = runs.values.values()
        return compare_losses(runs.measured(predictions, scoring), **options)
    losses = {}
    for name, values in runs.values.items():
        losses[name] = runs.losses(name, values, percent)
    if not isinstance(score or loss, list):
        (losses,) = losses.values()
    return compare_losses(losses, **options)


@dataclass(frozen=True, eq=False)
class Runs:
    """What models scored, or predicted: {score: {model: (n_runs, n_examples, ...)}}."""

    values: dict
    is_score: bool
    is_paired: bool
    groups: np.ndarray | None = None
    target: np.ndarray | None = None
    is_of_examples: bool = True

    def losses(self, name, values, percent=False):
        """Return the CVLosses of scores."""
        lengths = {model: len(array) for model, array in values.items()}
        n_runs = min(lengths.values())
        if not self.is_paired and n_runs == 1 < max(lengths.values()):
            allowed = "of one run of every model, or of several of each"
            raise invalid("scores", allowed, lengths)
        if not self.is_paired:
            values = {model: _fewer_runs(a, n_runs) for model, a in values.items()}
        stacked = np.stack([array.ravel() for array in values.values()], axis=1)
        metric, stacked = metric_of_values(name, self.is_score, stacked, percent)
        if self.is_of_examples:
            check_value_of_row("loss", metric)
        losses = self._as_losses(tuple(values), stacked, n_runs, metric)
        return losses if self.is_paired else replace(losses, cv_words="runs not paired")

    def _as_losses(self, names, values, n_runs, metric):
        if not self.is_of_examples:
            if n_runs < 2:
                raise invalid("scores", "of several runs of each model", "one")
            design = Design(CROSSED, n_runs)
            return CVLosses(
                names, values, np.arange(n_runs), design, metric, noun="model"
            )
        n_examples = len(values) // n_runs
        groups = self.groups
        return CVLosses(
            names=names,
            values=values,
            row_split=np.repeat(np.arange(n_runs), n_examples),
            design=runs_on_one_test_set(n_runs),
            metric=metric,
            row_index=np.tile(np.arange(n_examples), n_runs),
            groups=None if groups is None else np.tile(groups, n_runs),
            n_test=np.full(n_runs, n_examples),
            n_samples=n_examples,
            n_groups=count_groups(groups),
            noun="model",
        )

    def measured(self, predictions, scoring):
        """Return the CVLosses of predictions by a scorer, or a dict by several."""
        n_runs = min(map(len, predictions.values()))
        if not self.is_paired:
            lengths = {model: len(array) for model, array in predictions.items()}
            raise invalid("scores", "predictions of the same runs", lengths)
        rows = np.arange(len(self.target))
        test_sets = HeldOut(
            [(rows[:0], rows)] * n_runs,
            list(range(n_runs)),
            runs_on_one_test_set(n_runs),
        )
        by_row = {}
        for model, array in predictions.items():
            by_row[model] = array[0] if n_runs == 1 else np.swapaxes(array, 0, 1)
        models = given_models(by_row, self.target, test_sets, "auto")
        metrics = choose_metrics(models.values(), self.target, "auto", scoring)
        by_metric = measure_models(models, self.target, metrics, test_sets, self.groups)
        for name, losses in by_metric.items():
            by_metric[name] = replace(losses, noun="model", n_train=None)
        return by_metric if is_several(scoring) else by_metric[name]


def _fewer_runs(values, n_runs):
    """Return so many runs with the mean of all and the variance of that mean.

    Scheffé (1943), doi:10.1214/aoms/1177731494.
    """
    first = values[:n_runs]
    deviations = first - first.mean(axis=0)
    return values.mean(axis=0) + deviations * np.sqrt(n_runs / len(values))


def _runs_of_arrays(scores, group, y_true, score, loss):
    """Return the Runs of {model: array}."""
    name = score or loss or "score"
    if score is not None and loss is not None:
        raise invalid("loss", "None where `score` is given", loss)
    if not isinstance(name, str):
        raise invalid("score", "one name, of arrays", name)
    if len(scores) < 2:
        hint = "For one model, use interval_of_predictions."
        raise invalid("scores", "of at least two models", list(scores), hint=hint)
    tables = {f"scores[{model!r}]": array for model, array in scores.items()}
    check_row_order(must_match=True, **tables)
    examples = {n: t.T if hasattr(t, "iloc") else t for n, t in tables.items()}
    check_row_order(must_match=True, **examples, group=group, y_true=y_true)
    arrays = {}
    for model, array in scores.items():
        arrays[str(model)] = _check_runs(model, array, y_true is not None)
    sizes = {model: array.shape[1] for model, array in arrays.items()}
    if len(set(sizes.values())) > 1:
        raise invalid("scores", "of the same examples for all models", sizes)
    n_examples = next(iter(sizes.values()))
    n_runs = {len(array) for array in arrays.values()}
    if n_examples < min(FEW_VALUES, min(n_runs)):
        warn(
            f"The arrays have {min(n_runs)} rows, which are runs, and {n_examples} "
            "columns, which are examples. If rows are examples, pass the transpose.",
            FewExamplesWarning,
        )
    codes = encode_groups(group, n_examples, "group")
    target = None if y_true is None else check_target(y_true)
    if target is None and n_runs == {1}:
        _warn_of_folds(next(iter(arrays.values())))
    if target is not None and len(target) != n_examples:
        raise invalid("y_true", f"of {n_examples} examples", y_true)
    return Runs({name: arrays}, loss is None, len(n_runs) == 1, codes, target)


def _check_runs(model, array, are_predictions):
    """Return the scores of a model as an array (n_runs, n_examples, ...)."""
    array = np.asarray(array)
    if array.ndim == 1:
        array = array[np.newaxis]
    where = f"scores[{model!r}]"
    if not 2 <= array.ndim <= 2 + are_predictions or not array.size:
        raise invalid(where, "of shape (n_examples,) or (n_runs, n_examples)", array)
    if are_predictions:
        return array
    if array.dtype.kind not in "biuf":
        hint = "For a table, name the columns in `model` and `example`."
        raise invalid(where, "numbers", array, TypeError, hint)
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        run, number = np.argwhere(~np.isfinite(array))[0]
        raise invalid(where, "finite", f"{array[run, number]} in example {number}")
    return array


def _warn_of_folds(values):
    """Warn of so few values, of which nothing says what they are of."""
    if values.shape[1] > FEW_VALUES or np.isin(values, (0, 1)).all():
        return
    warn(
        f"The {values.shape[1]} values of each model are taken for independent "
        "examples of one test set. If they are scores of the folds of a "
        "cross-validation, whose training sets overlap, the p-value is too small: use "
        "corrected_ttest with the `cv` that made them, or compare_table.",
        FewExamplesWarning,
    )


def _runs_of_table(table, model, example, run, group, y_true, score, loss):
    """Return the Runs of a long table."""
    columns = as_columns(table, "scores")
    names, is_score = value_columns(columns, score, loss)
    is_of_examples = example in columns
    if run is None and "run" in columns:
        run = "run"
    roles = {"run": run, "example": example if is_of_examples else None}
    if not is_of_examples and run is None:
        raise invalid("example", "a column of the table", example)
    rows, is_paired = _rows_of_runs(Cells.of_columns(columns, model, roles))
    codes = target = None
    if is_of_examples:
        index = encode(example, columns[example])[1]
        if group is not None:
            labels = columns[check_column("group", group, columns)]
            codes = encode_groups(
                one_for_each(group, encode(group, labels)[1], index), index.max() + 1
            )
        if y_true is not None:
            labels = columns[check_column("y_true", y_true, columns)]
            target = check_target(one_for_each(y_true, labels, index))
    values = {}
    for name in names:
        column = (
            columns[name] if target is not None else as_numbers(name, columns[name])
        )
        values[name] = {m: column[of_model] for m, of_model in rows.items()}
    return Runs(values, is_score, is_paired, codes, target, is_of_examples)


def _rows_of_runs(cells):
    """Return {model: rows (n_runs, n_examples)}, and whether all have the same runs."""
    n_examples = len(cells.labels.get("example", [0]))
    run = cells.codes.get("run", np.zeros_like(cells.model))
    rows = {}
    runs = set()
    for position, name in enumerate(cells.names):
        of_model = np.unique(run[cells.model == position])
        expected = np.add.outer(of_model * n_examples, np.arange(n_examples)).ravel()
        rows[name] = cells.rows_of(position, expected).reshape(-1, n_examples)
        runs.add(tuple(of_model))
    return rows, len(runs) == 1
