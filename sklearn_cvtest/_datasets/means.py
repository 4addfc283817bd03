"""Mean losses of models on data sets, whatever they come from."""

import re
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np

from .._cells import as_numbers, holds_no_model, is_summary
from .._comparison import Comparison
from .._data import CVLosses
from .._engine import cross_val_losses
from .._metric_names import as_losses, metric_named
from .._metrics import Metric
from .._pairs import pair_table
from .._questions import TableError
from .._validation import invalid, warn

FOLD = re.compile(r"(fold|split|seed|repeat|run)\W*\d+", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class DatasetMeans:
    """A mean loss for each data set and model.

    Attributes
    ----------
    datasets, names : tuple of str
        Data sets and models.
    losses : ndarray of shape (n_datasets, n_models)
        nan where a model failed.
    metric : Metric
    comparisons : dict of str to Comparison
        By data set, where there are fits or folds.
    notes : list of str
        What was left out.
    """

    datasets: tuple
    names: tuple
    losses: np.ndarray
    metric: Metric
    comparisons: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)

    @property
    def asks_for_ratios(self):
        """Whether the scale of the data sets asks for ratios.

        So do losses on a scale from 0 without end, if they are named so, or where the
        data sets lie more than a factor of ten apart.
        """
        finite = self.losses[np.isfinite(self.losses)]
        if self.metric.is_score or self.metric.high < np.inf or finite.min() <= 0:
            return False
        sizes = np.nanmedian(self.losses, axis=1)
        is_wide = sizes.max() > 10 * sizes.min() and finite.max() > 1
        return self.metric.by_ratio or bool(is_wide)


def means_of_results(results, estimators, test, alpha, options):
    """Return the DatasetMeans of comparisons, losses or data by data set."""
    if not isinstance(results, dict) or len(results) < 2:
        allowed = "a table, or a dict of comparisons or data, of at least two data sets"
        raise invalid("results", allowed, results)
    comparisons = {}
    for dataset, result in results.items():
        with named_by(dataset):
            result = _comparison_of(result, estimators, test, alpha, options)
        comparisons[str(dataset)] = result
    _warn_of_folds(comparisons)
    names = [name for result in comparisons.values() for name in result.losses.names]
    names = tuple(dict.fromkeys(names))
    losses = np.full((len(comparisons), len(names)), np.nan)
    for row, result in enumerate(comparisons.values()):
        usable = result.losses.ranking
        columns = [names.index(result.losses.names[place]) for place in usable]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what matters has been said
            evaluation = result.test.evaluate(result.losses.single(usable))
        losses[row, columns] = evaluation.estimate  # of examples or of splits
    metrics = [result.losses.metric for result in comparisons.values()]
    metric = metrics[0]
    if len({metric.name for metric in metrics}) > 1:
        metric = Metric("loss", "loss", None, low=-np.inf)
    return DatasetMeans(tuple(comparisons), names, losses, metric, comparisons)


@contextmanager
def named_by(dataset):
    """Let warnings and errors name their data set."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        except Exception as error:
            error.add_note(f"This is about data set {dataset!r}.")
            raise
    for warning in caught:
        warn(f"Data set {dataset!r}: {warning.message}", warning.category)


def _comparison_of(result, estimators, test, alpha, options):
    """Return the Comparison of one data set."""
    is_of_data = isinstance(result, (tuple, list))
    if options and not is_of_data:
        name, value = next(iter(options.items()))
        raise invalid(name, "left out where nothing is fitted", value, TypeError)
    if is_of_data:
        X, y, groups = (*result, None)[:3]
        result = cross_val_losses(estimators, X, y, groups=groups, **options)
    if isinstance(result, CVLosses):
        result = Comparison(result, test=test, alpha=alpha)
    elif not isinstance(result, Comparison):
        allowed = "a Comparison, CVLosses or (X, y) for each data set"
        raise invalid("results", allowed, result, TypeError)
    elif test is not None:
        result = result.retest(test)
    is_plain = result.test.is_directed and result.test.alternative == "two-sided"
    if not is_plain or result.test.popmean:
        raise invalid("test", "a two-sided test of no difference", result.test)
    return result


def _warn_of_folds(datasets):
    """Warn if what is called a data set looks like a fold of one."""
    if all(FOLD.fullmatch(str(dataset)) for dataset in datasets):
        warn(
            "The data sets look like folds or repeats of one data set, which share "
            "examples: they are no sample of data sets. Use compare_cv_results."
        )


def means_of_frame(frame, score, loss, model, dataset, percent):
    """Return the DatasetMeans of a frame, long or with a column for each model."""
    if score is not None and loss is not None:
        raise invalid("score` or `loss", "given, not both", (score, loss))
    name = loss if score is None else score
    if hasattr(frame, "to_pandas"):  # of polars
        frame = frame.to_pandas()
    if model in frame and dataset in frame:
        name = _column_of_values(frame, name, (model, dataset))
        wide = _pivoted(frame, name, model, dataset)
    else:
        wide = frame.set_index(dataset) if dataset in frame else frame
        if type(wide.index).__name__ == "RangeIndex" or not wide.index.is_unique:
            columns = ", ".join(map(repr, frame.columns))
            allowed = "a column with another data set in each row"
            raise invalid("dataset", allowed, columns)
        wide = wide.apply(_numbers)
        for column in wide:
            if holds_no_model(column):
                raise invalid("results", "of columns that are models", str(column))
    for label in (*wide.index, *wide.columns):
        if is_summary(label):
            raise invalid("results", "without summaries of others", label)
    _warn_of_folds(wide.index)
    if name is None:
        raise TableError("Is a greater number better?", score="score")
    is_score = None if score is None and loss is None else loss is None
    metric = metric_named(name, is_score, wide.to_numpy())
    if metric is None:
        raise TableError(f"Is a greater {name} better?", score=name)
    losses, metric = _as_losses(wide.to_numpy(), metric, percent)
    datasets, names = (tuple(map(str, labels)) for labels in wide.axes)
    return DatasetMeans(datasets, names, losses, metric)


def _column_of_values(frame, name, roles):
    """Return the column of numbers of a long frame."""
    others = [column for column in frame if column not in roles]
    if name is None and len(others) == 1:
        return others[0]
    if name not in frame:
        raise TableError("Which column holds the numbers?", score=others[0])
    return name


def _numbers(column):
    """Return the numbers of a column of any cells."""
    texts = column.astype(object).where(column.notna(), "").astype(str)
    return as_numbers(texts.reset_index(drop=True))


def _pivoted(frame, name, model, dataset):
    """Return a long frame with a row for each data set, a column for each model."""
    cells = frame[[dataset, model]]
    if cells.duplicated().any():
        twice = cells[cells.duplicated()].iloc[0].tolist()
        hint = "If rows are folds, name their column in `fold`."
        allowed = "of one row for each data set and model"
        raise invalid("results", allowed, twice, hint=hint)
    frame = frame.assign(**{name: _numbers(frame[name])})
    wide = frame.pivot(index=dataset, columns=model, values=name)
    return wide.reindex(cells[dataset].unique())[cells[model].unique()]


def _as_losses(numbers, metric, percent):
    """Return losses, and the Metric, of numbers that are in percent only if said so."""
    if percent:
        return as_losses(numbers / 100, metric)
    largest = np.nanmax(numbers, initial=-np.inf)
    if metric.is_share and largest > 1 + 1e-9:
        if metric.is_score:
            hint = "If these are percent, pass percent=True."
            raise invalid(metric.name, "at most 1", float(largest), hint=hint)
        metric = replace(metric, high=np.inf, is_share=False)
    return as_losses(numbers, metric)


def keep_usable(means, missing):
    """Return means without data sets that tell nothing of any pair; raise if none."""
    fewest = 1 if missing == "worst" else 2
    is_kept = np.isfinite(means.losses).sum(axis=1) >= fewest
    if is_kept.sum() < 2:
        hint = "One says nothing about others."
        n_datasets = int(is_kept.sum())
        raise invalid(
            "results", "of two models on two data sets", n_datasets, hint=hint
        )
    datasets = np.array(means.datasets, dtype=object)
    notes = list(means.notes)
    if not is_kept.all():
        notes.append(f"No result: {', '.join(datasets[~is_kept])}.")
    kept = tuple(datasets[is_kept])
    return replace(means, datasets=kept, losses=means.losses[is_kept], notes=notes)


def rounded(values):
    """Return numbers with twelve digits: the same but for rounding is a tie."""
    sizes = np.where(np.isfinite(values) & (values != 0), np.abs(values), 1.0)
    factor = 10.0 ** (11 - np.floor(np.log10(sizes)))
    return np.round(values * factor) / factor


def ahead_by_dataset(means, pairs, alpha):
    """Return 1 where the second of a pair is better, -1 where the first, (n_pairs, D).

    Where there are folds, significantly better; not adjusted.
    """
    first, second = means.losses.T[pairs[:, 0]], means.losses.T[pairs[:, 1]]
    marks = np.nan_to_num(np.sign(rounded(first - second))).astype(int)
    for column, result in enumerate(map(means.comparisons.get, means.datasets)):
        if result is None:
            continue
        marks[:, column] = 0
        losses = result.losses
        place_of = {losses.names[place]: place for place in losses.ranking}
        places = np.array([place_of.get(name, -1) for name in means.names])[pairs]
        rows = np.flatnonzero((places >= 0).all(axis=1))
        if not len(rows):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they have been given
            table = pair_table(result.test, losses, places[rows], alpha, None)
        is_second = (table.winner == table.second).astype(int)
        marks[rows, column] = is_second - (table.winner == table.first)
    return marks
