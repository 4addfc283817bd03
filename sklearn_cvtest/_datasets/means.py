"""Mean losses of models on data sets, whatever they come from."""

from dataclasses import dataclass, field, replace

import numpy as np

from .._cells import as_numbers, holds_no_model, is_summary
from .._comparison import Comparison
from .._compat import import_extra
from .._data import CVLosses
from .._engine import cross_val_losses
from .._metric_names import as_losses, metric_named
from .._metrics import Metric
from .._pairs import pair_table
from .._questions import TableError
from .._validation import invalid


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
    def by_ratio(self):
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
        if isinstance(result, tuple):
            X, y, *groups = result
            groups = groups[0] if groups else None
            result = cross_val_losses(estimators, X, y, groups=groups, **options)
        if isinstance(result, CVLosses):
            result = Comparison(result, test=test, alpha=alpha)
        elif not isinstance(result, Comparison):
            allowed = "a Comparison, CVLosses or (X, y) for each data set"
            raise invalid("results", allowed, result, TypeError)
        elif test is not None:
            result = result.retest(test)
        comparisons[str(dataset)] = result
    names = [name for result in comparisons.values() for name in result.losses.names]
    names = tuple(dict.fromkeys(names))
    losses = np.full((len(comparisons), len(names)), np.nan)
    for row, result in enumerate(comparisons.values()):
        columns = [names.index(name) for name in result.losses.names]
        losses[row, columns] = _means_of(result.losses)
    metrics = [result.losses.metric for result in comparisons.values()]
    metric = metrics[0]
    if len({metric.name for metric in metrics}) > 1:
        metric = Metric("loss", "loss", None, low=-np.inf)
    return DatasetMeans(tuple(comparisons), names, losses, metric, comparisons)


def _means_of(losses):
    """Return the mean loss of examples, of splits where there are none."""
    if losses.per_example and losses.design.is_k_fold:
        return losses.values.mean(axis=0)
    return losses.mean_losses


def means_of_frame(frame, score, loss, model, dataset):
    """Return the DatasetMeans of a frame, long or with a column for each model."""
    pd = import_extra("pandas")

    if model in frame and dataset in frame:
        value = loss if score is None else score
        columns = [column for column in frame if column not in (model, dataset)]
        if value is None and len(columns) == 1:
            value = columns[0]
        if value not in frame:
            raise TableError("Which column holds the numbers?", score=columns[0])
        rows = frame[[dataset, model, value]].astype(str).replace("nan", "")
        rows = rows.set_axis(["dataset", "model", "value"], axis=1)
        rows["header"] = value
        return means_of_rows(rows, value, score, loss)
    wide = frame.set_index(dataset) if dataset in frame else frame
    if isinstance(wide.index, pd.RangeIndex):
        columns = ", ".join(map(repr, frame.columns))
        raise invalid("dataset", "the column with the data sets", columns)
    wide = wide.astype(object).where(wide.notna(), "")
    for column in wide:
        is_constant = len(wide) > 2 and len(set(wide[column]) | {""}) == 2
        if (holds_no_model(column) and not is_summary(column)) or is_constant:
            raise invalid("results", "of columns that are models", str(column))
    names = np.tile(wide.columns.astype(str), len(wide))
    rows = pd.DataFrame(
        {
            "dataset": np.repeat(wide.index.astype(str), wide.shape[1]),
            "model": names,
            "value": wide.to_numpy().ravel().astype(str),
            "header": names,
        },
        index=np.repeat(np.arange(len(wide)), wide.shape[1]),
    )
    name = loss if score is None else score
    if name is None:
        raise TableError("Is a greater number better?", score="score")
    return means_of_rows(rows, name, score, loss)


def means_of_rows(rows, name, score=None, loss=None):
    """Return the DatasetMeans of rows with "dataset", "model", "value" as texts.

    "header" is the column of each value in the table.

    Several rows of a data set and model, of folds or runs, are averaged.
    """
    pd = import_extra("pandas")

    notes = []
    for column in ("dataset", "model"):
        is_left = rows[column].map(is_summary)
        summaries = list(dict.fromkeys(rows[column][is_left]))
        if summaries:
            notes.append(f"left out as a summary: {', '.join(summaries)}")
        rows = rows[~is_left]
    is_score = None if score is None and loss is None else loss is None
    metric = metric_named(name, is_score)
    if metric is None:
        raise TableError(f"Is a greater {name} better?", score=name)
    keys = {}
    for column in ("dataset", "model"):
        codes, labels = pd.factorize(rows[column])
        keys[column] = codes, tuple(map(str, labels))
    numbers = as_numbers(rows["value"], headers=rows["header"])
    losses, metric = as_losses(numbers, metric)
    (row, datasets), (column, names) = keys["dataset"], keys["model"]
    counts = np.zeros((len(datasets), len(names)))
    sums = np.zeros_like(counts)
    np.add.at(counts, (row, column), 1)
    np.add.at(sums, (row, column), losses)
    with np.errstate(invalid="ignore"):
        means = sums / counts
    return DatasetMeans(datasets, names, means, metric, notes=notes)


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
    datasets = tuple(np.array(means.datasets, dtype=object)[is_kept])
    lost = set(means.datasets) - set(datasets)
    notes = list(means.notes)
    if lost:
        notes.append(f"no result: {', '.join(sorted(lost))}")
    return replace(means, datasets=datasets, losses=means.losses[is_kept], notes=notes)


def ahead_by_dataset(means, pairs, alpha):
    """Return 1 where the second of a pair is better, -1 where the first, (n_pairs, D).

    Where there are folds, significantly better; not adjusted.
    """
    first, second = means.losses.T[pairs[:, 0]], means.losses.T[pairs[:, 1]]
    marks = np.nan_to_num(np.sign(_rounded(first - second)))
    for column, dataset in enumerate(means.datasets):
        result = means.comparisons.get(dataset)
        if result is None:
            continue
        marks[:, column] = 0
        names = result.losses.names
        usable = result.losses.ranking.tolist()
        rows, positions = [], []
        for row, (i, j) in enumerate(pairs):
            pair = [means.names[i], means.names[j]]
            places = [names.index(name) for name in pair if name in names]
            if len(places) == 2 and set(places) <= set(usable):
                rows.append(row)
                positions.append(places)
        if not rows:
            continue
        table = pair_table(result.test, result.losses, np.array(positions), alpha, None)
        side = np.where(table.winner == table.second, 1, -1)
        marks[rows, column] = np.where(table.significant, side, 0)
    return marks


def _rounded(values):
    return np.where(np.abs(values) < 1e-14, 0.0, values)
