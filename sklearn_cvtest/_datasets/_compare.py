"""compare_over_datasets: which estimator is better on data sets like these."""

from __future__ import annotations

import os
import re
from typing import Literal

import numpy as np

from .._data._cvlosses import CVLosses
from .._inference._base_test import BaseCVTest
from .._results._estimator_comparison import Comparison
from .._sources._compare_estimators import compare_estimators
from .._sources._compare_table import compare_table
from .._splits._design import Design, DesignKind
from .._splits._layout import SplitLayout
from .._tables import _table_columns as _tables
from .._tables._column_names import NO_VALUES
from .._tables._long_rows import leave_out_summaries
from .._tables._table_rows import encode
from .._tables._unclear import UnclearRolesWarning
from .._typing import Any, Estimators
from .._validation import (
    check_named,
    invalid,
    invalid_words,
    one_line,
    warn,
    warnings_about,
)
from ._comparison import DatasetComparison, synthesise_datasets
from ._differences import check_settings, chosen_test


def _has(parameter, name, columns):
    """Whether a table has a column; one that is not called as usual must be there."""
    try:
        return _tables.check_column(parameter, name, columns) is not None
    except ValueError:
        if name != parameter:
            raise
        return False


def benchmark_losses(
    table,
    columns,
    *,
    model="model",
    dataset="dataset",
    score=None,
    loss=None,
    percent=False,
    fold=None,
    **others,
):
    """Return the losses on each data set: of one split that nothing is known of.

    Parameters
    ----------
    table : dataframe
        The table, for the labels of its rows.
    columns : dict of str to list
        Its columns: data sets, models and values; or data sets, and one column for
        each model.
    model, dataset, score, loss, percent, fold, **others : object
        As in :func:`compare_table`; others have no meaning here.

    Returns
    -------
    losses : dict of str to CVLosses
        By data set, without the models that have no number there.
    """
    for name, value in others.items():
        hint = "There is one number for each data set and model."
        raise invalid(name, "left out", value, TypeError, hint)
    if _has("model", model, columns):
        names, values, name, is_score = _of_long(columns, model, dataset, score, loss)
    else:
        names, values = _of_wide(table, columns, dataset)
        name, is_score = _named_value(score, loss)
    datasets, models = names
    is_finite = np.isfinite(values)
    _check_failures(is_finite, datasets, models)
    options = {"is_score": is_score, "percent": percent}
    shares = _tables.as_shares({"table": values}, name, **options)["table"]
    losses_of = {}
    sign = -1.0 if is_score else 1.0
    for row in range(len(values)):
        losses_of[datasets[row]] = CVLosses.from_values(
            [models[column] for column in np.flatnonzero(is_finite[row])],
            sign * shares[row : row + 1, is_finite[row]],
            SplitLayout(Design(DesignKind.OTHER, 1)),
            loss_name=name,
            is_score=is_score,
            value_range=_tables.range_of(
                name, shares[row, is_finite[row]], is_score=is_score
            ),
        )
    hint = "One says nothing about others."
    check_named("results", losses_of, "of at least two data sets", hint)
    return losses_of


def _of_long(columns, model, dataset, score, loss):
    """Return the names of data sets and models, the values (D, E), and what they are.

    A pair without a row, or with an empty cell, has nan.
    """
    model = _tables.check_column("model", model, columns)
    dataset = _tables.check_column("dataset", dataset, columns)
    columns, rows = leave_out_summaries(columns, {"dataset": dataset})
    value, is_score = _tables.value_column(score, loss, columns)
    of_rows = [encode(name, columns[name], are_names=True) for name in (dataset, model)]
    values = np.full([len(codes.labels) for codes in of_rows], np.nan)
    cells = of_rows[0].codes, of_rows[1].codes
    if len(set(zip(*cells, strict=True))) < len(cells[0]):
        raise ValueError(
            "`table` must have one row for each data set and model; got several. If "
            "rows are folds, name their column in `fold`."
        )
    values[cells] = _tables.as_numbers(value, columns[value], has_holes=True, rows=rows)
    return [codes.labels for codes in of_rows], values, value, is_score


def _of_wide(table, columns, dataset):
    """Return the names of data sets and models, and the values (D, E)."""
    texts = [name for name in columns if _is_text(columns[name])]
    if dataset in columns or dataset != "dataset":
        texts = [_tables.check_column("dataset", dataset, columns)]
    index = None if texts else _row_labels(table)
    if index is not None:
        texts = ["labels of rows"]
        columns = columns | {"labels of rows": index}
    if len(texts) != 1:
        allowed = "the column with the names of the data sets"
        raise invalid_words("dataset", allowed, ", ".join(map(repr, columns)))
    columns, rows = leave_out_summaries(columns, {"dataset": texts[0]})
    labels = encode(texts[0], columns.pop(texts[0]), are_names=True)
    if len(labels.labels) < len(labels.codes):
        allowed = "a column with another data set in each row"
        raise invalid_words("dataset", allowed, f"{texts[0]!r}")
    values = {
        name: _tables.as_numbers(name, column, has_holes=True, rows=rows)
        for name, column in columns.items()
    }
    for name, numbers in values.items():
        is_constant = len(numbers) > 2 and np.ptp(numbers) == 0
        if is_constant or _tables.plain_name(str(name)) in NO_VALUES:
            allowed = "without columns that are no models"
            raise invalid_words("table", allowed, f"{name!r}", hint="Leave it out.")
    names = labels.labels, [str(name) for name in values]
    return names, np.column_stack(list(values.values()))


def _is_text(column):
    """Whether a column holds something else than numbers and signs of failed runs."""
    is_empty = all(map(_tables.has_no_value, column))
    return not is_empty and not _tables.are_numbers(column)


def _row_labels(table):
    """Return the labels of the rows of a data frame, None if they are numbers."""
    index = getattr(table, "index", None)
    if index is None or callable(index) or type(index).__name__ == "RangeIndex":
        return None
    return list(index)


def _check_failures(is_finite, datasets, models):
    """Refuse models, and data sets, of which there is no result at all."""
    for axis, names, noun in ((0, models, "model"), (1, datasets, "data set")):
        empty = np.flatnonzero(~is_finite.any(axis=axis))
        if len(empty):
            raise ValueError(
                f"`table` must have a result of every {noun}; got none of "
                f"{names[empty[0]]!r}. Leave it out."
            )


def _named_value(score, loss):
    """Return what the numbers of a table without such a column are called."""
    if (score is None) == (loss is None):
        allowed = "the name of what the numbers are, such as 'accuracy'"
        got = "both" if score is not None else "neither"
        hint = "Greater is better for a `score`, smaller for a `loss`."
        raise invalid_words("score` or `loss", allowed, got, hint=hint)
    name = loss if score is None else score
    if not isinstance(name, str) or not name:
        raise invalid("score", "a name such as 'accuracy'", name, TypeError)
    return one_line(name), loss is None


COMPARED = Comparison, CVLosses  # of which there are losses
FOLD = re.compile(r"(fold|split|seed|repeat|run)\W*\d+", re.IGNORECASE)


def compare_over_datasets(
    results: Any,
    estimators: Estimators | None = None,
    *,
    test: BaseCVTest | None = None,
    reference: str | None = None,
    p_adjust: str | None = "holm",
    alpha: float = 0.05,
    scale: Literal["auto", "log"] | None = "auto",
    missing: Literal["drop", "worst"] = "drop",
    **options: Any,
) -> DatasetComparison:
    """Compare estimators over many data sets.

    Is one better than another on data sets like these? Each data set is an observation:
    differences are tested by Wilcoxon's signed-rank test, or by Student's t test where
    so few data sets cannot be significant by ranks.

    Parameters
    ----------
    results : dict, or table
        Name of each data set, at least two, and what there is of it: a
        :class:`Comparison`, a :class:`CVLosses`, or data (X, y) or (X, y, groups), with
        `estimators`. Data sets may differ in size, design and loss. Or a data frame: a
        long table, as :func:`compare_table` takes it, with a column of data sets. Or a
        benchmark, one number for each data set and model: a
        long table without folds, or a wide one with a row for each data set and a
        column for each model. What these numbers would be on other examples is then
        not known, and not in any interval.
    estimators : list or dict, default=None
        The estimators to fit on data, as in :func:`compare_estimators`.
    test : test, default=None
        The test whose estimates and total errors are used on every data set. None takes
        the test of each Comparison, else the default of its design.
    reference : str, default=None
        Name of the estimator to compare all others with; None compares all pairs.
    p_adjust : str or None, default="holm"
        How p-values are adjusted for the number of pairs: a `method` of
        :func:`adjust_pvalues`.
    alpha : float, default=0.05
        Level of decisions and, as 1 - alpha, of intervals, in (0, 1).
    scale : {"auto", "log"} or None, default="auto"
        None compares losses as they are, which needs a common scale, such as error
        rates have. "log": by ratios, as differences of logarithms of losses, of the
        means that the test takes, over examples or over splits; all must be above 0.
        "auto" takes ratios of losses above 0 without an end that are known to be
        compared so, such as squared and absolute errors, or, if some are above 1, whose
        sizes on the data sets are more than a factor of 10 apart; of others
        differences.
    missing : {"drop", "worst"}, default="drop"
        What a data set counts for an estimator without a result on it: "drop": it is
        left out of the estimator's pairs. "worst": the estimator is ranked last there;
        mean differences are of the others.
    **options : dict
        For data: as in :func:`compare_estimators`, such as `cv`, `loss`, `n_jobs`,
        `memory` (one folder for all; a run that was interrupted goes on from there) and
        `progress`. For a table: as in :func:`compare_table`, such as `score`, `fold`
        and `dataset` (the column of data sets, "dataset" by default). For a wide
        table, `score` or `loss` is what its numbers are called.

    Returns
    -------
    comparison : DatasetComparison
        Means, intervals, prediction intervals, ranks and tables.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Warns
    -----
    UserWarning
        If an estimator is left out on a data set because fits failed, or the data sets
        look like folds of one data set.

    See Also
    --------
    compare_estimators : On one data set.

    Notes
    -----
    Ranks decide if the smallest p-value of D data sets, 2/2^D times the number of pairs
    if it is adjusted, is at most alpha. The difference is then Hodges and Lehmann's
    estimate, the median of the averages of two data sets' differences, with the shifts
    that Wilcoxon's test [1]_ does not reject; differences of zero are left out. Else it
    is the mean, with its t test. Intervals have the levels of the adjusted p-values, so
    that 0 is outside exactly if p is at most alpha. All data sets weigh the same.

    In the simulations of benchmarks/datasets.py, of 3 to 50 data sets, either test
    rejected symmetric differences in at most 6.4% (±0.7) of samples at the 5% level,
    and the t test exponential ones of mean 0 in up to 12%.

    References
    ----------
    .. [1] J. Demšar, "Statistical Comparisons of Classifiers over Multiple Data Sets",
       JMLR 7, 1-30, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer, load_digits
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_cvtest import compare_over_datasets
    >>> data = {
    ...     "cancer": load_breast_cancer(return_X_y=True),
    ...     "digits": load_digits(return_X_y=True),
    ...     "noisy": make_classification(200, flip_y=0.2, random_state=0),
    ... }
    >>> bayes = GaussianNB(var_smoothing=0.01)
    >>> models = {"bayes": bayes, "tree": DecisionTreeClassifier(random_state=0)}
    >>> result = compare_over_datasets(data, models, cv=5)
    >>> result.pairs, result.win_tie_loss.tolist()
    ([('bayes', 'tree')], [[0, 1, 2]])

    A benchmark with a failed run, which is ranked last:

    >>> import pandas as pd
    >>> knn = [0.91, 0.82, 0.74, 0.88, 0.93, 0.79, 0.85]
    >>> svm = [0.92, None, 0.75, 0.89, 0.94, 0.80, 0.86]
    >>> table = pd.DataFrame({"knn": knn, "svm": svm}, index=[*"abcdefg"])
    >>> result = compare_over_datasets(table, score="accuracy", missing="worst")
    >>> result.ranks().mean_ranks.round(2).tolist()
    [1.14, 1.86]
    """
    settings = {"reference": reference, "p_adjust": p_adjust, "alpha": alpha}
    settings = check_settings(**settings, scale=scale, missing=missing)
    if isinstance(results, (str, os.PathLike)) or hasattr(results, "columns"):
        columns = _tables.as_columns(results)
        has_examples = options.get("example") is not None
        # without folds and examples, a row is a data set
        if has_examples or _has("fold", options.get("fold", "fold"), columns):
            options = {"dataset": "dataset", **options}
            results = compare_table(columns, test=test, **options)
        else:
            results = benchmark_losses(results, columns, **options)
        options = {}
    _check_results(results, estimators, options)
    losses = {}
    tests = {}
    earlier = set()
    fit = {**options, "reference": reference}  # no warnings of other pairs
    for name, source in results.items():
        with warnings_about(f"Data set {name!r}", earlier):
            losses[name], tests[name] = _losses_of(
                name, source, estimators, test, settings["alpha"], fit
            )
    _warn_of_folds(losses)
    return synthesise_datasets(losses, tests, earlier, **settings)


def _check_results(results, estimators, options):
    """Check what there is of data sets, and that what is fitted needs the options."""
    allowed = "a dict of data sets by name, at least two"
    hint = "One says nothing about others; use compare_estimators."
    check_named("results", results, allowed, hint=hint)
    data = {k: part for k, part in results.items() if not isinstance(part, COMPARED)}
    for name, part in data.items():
        if not isinstance(part, (tuple, list)) or len(part) not in (2, 3):
            allowed = "a Comparison, CVLosses, (X, y) or (X, y, groups)"
            raise invalid(f"results[{name!r}]", allowed, part, TypeError)
        if estimators is None:
            hint = "They are fitted on the data."
            raise invalid("estimators", "given with (X, y)", None, TypeError, hint)
    if options and not data:
        hint = "It is an option of fits, and no data (X, y) are given."
        raise invalid(min(options), "left out", options[min(options)], TypeError, hint)


def _losses_of(name, part, estimators, test, alpha, options):
    """Return the losses on a data set, fitted if need be, and the test to use."""
    if not isinstance(part, COMPARED):
        X, y, groups = (*part, None)[:3]
        try:
            part = compare_estimators(
                estimators, X, y, groups=groups, test=test, alpha=alpha, **options
            )
        except Exception as error:
            error.add_note(f"raised by data set {name!r}")
            raise
    if isinstance(part, Comparison):
        if test is None:
            test = next(iter(part.tables.values())).test
        part = part.losses
    return part, chosen_test(test, part, alpha)


def _warn_of_folds(losses):
    sizes = {of_dataset.n_samples for of_dataset in losses.values()}
    if len(sizes) == 1 and all(FOLD.search(name) for name in losses):
        warn(
            "The data sets look like folds or repeats of one data set: they share "
            "examples, and a mean over them is not one over independent data sets. Use "
            "compare_estimators or compare_table for one data set.",
            UnclearRolesWarning,
        )
