"""compare_file: from files, as tools write them, to what the command prints."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

import numpy as np
from sklearn.model_selection import RepeatedKFold

from .._datasets._compare import compare_over_datasets
from .._interval._interval_of_predictions import interval_of_predictions
from .._scores._compare_scores import compare_scores
from .._search._compare_candidates import compare_candidates
from .._sources._compare_predictions import compare_predictions
from .._sources._compare_table import compare_table
from .._tables._layout_row import CANDIDATES, PREDICTIONS
from .._tables._predictions import are_probabilities, predictions_of
from .._tables._reading import read_layout
from .._tables._search_results import n_splits_of_search, results_of_search
from .._tables._several_files import read_files
from .._tables._table_columns import Columns
from .._typing import Any, PathLike, Sequence
from .._validation import check_flag, check_path, invalid, warn

ROLES = (
    *("model", "score", "loss", "fold", "repeat", "example", "run", "group"),
    *("dataset", "y_true"),
)
CHOICES = "test", "reference", "p_adjust", "alpha"
OF_SPLITS = "n_train", "n_test", "cv", "each_dataset"


def compare_file(
    path: PathLike | Sequence[PathLike],
    *,
    model: str | None = None,
    score: str | None = None,
    loss: str | None = None,
    fold: str | None = None,
    repeat: str | None = None,
    example: str | None = None,
    run: str | None = None,
    group: str | None = None,
    dataset: str | None = None,
    y_true: str | None = None,
    separator: Literal[",", ";", "\t", "|"] | None = None,
    decimal: Literal[".", ","] | None = None,
    wide: bool = False,
    ignore: Sequence[str] = (),
    n_train: int | str | None = None,
    n_test: int | str | None = None,
    cv: Any = None,
    each_dataset: bool = False,
    missing: Literal["drop", "worst"] | None = None,
    percent: bool = False,
    test: Any = None,
    reference: Any = None,
    p_adjust: Any = "holm",
    alpha: Any = 0.05,
) -> Any:
    """Compare the models of a file, in the layout that a tool or a person wrote.

    What the command ``sklearn-cvtest compare`` does. The layout is recognised by the
    names of columns; what no layout says is not guessed but asked, in an error that
    says what to pass.

    Parameters
    ----------
    path : str or os.PathLike
        A CSV file (.csv, .tsv or .txt; it needs pandas), JSON (.json, .jsonl), each
        also as .gz, .arff, .parquet, or a log of inspect-ai (.eval, .json), of
        lm-evaluation-harness or of promptfoo. Or a list of files, one below the other;
        a model that none of them names is called as its file is.
    model, fold, repeat, example, run, group, dataset, y_true : str, default=None
        Columns, as in :func:`compare_table` and :func:`compare_scores`; None: those
        with a usual name.
    score, loss : str, default=None
        The column of scores, of which greater is better, or of losses; or what the
        numbers of columns of models, or of folds, are called. With predictions, the
        metric.
    separator, decimal : str, default=None
        What separates the columns and the decimals of a CSV file; None finds them.
    wide : bool, default=False
        Whether every column of numbers is a model.
    ignore : list of str, default=()
        Columns to leave out.
    n_train, n_test, cv : object, default=None
        As in :func:`compare_table`; "5x10" is ten folds repeated five times.
    each_dataset : bool, default=False
        Whether there is a comparison for each data set, by its folds, in place of one
        over data sets.
    missing : {"drop", "worst"}, default=None
        Over data sets, as in :func:`compare_over_datasets`, where None is "drop".
    percent, test, reference, p_adjust, alpha : object
        As in :func:`compare_table`.

    Returns
    -------
    result : object
        What :func:`compare_table`, :func:`compare_scores`,
        :func:`compare_over_datasets`, :func:`compare_predictions`,
        :func:`interval_of_predictions` or :func:`compare_candidates` returns.

    Raises
    ------
    TypeError, ValueError
        If a file cannot be read, something has to be asked, or an argument is not as
        described. A cell of a column of numbers that is neither a number nor known to
        be missing is named by its row and column.

    Warns
    -----
    UserWarning
        If rows, columns or models are left out, which are named.

    See Also
    --------
    compare_table : For a data frame with a row for each model and fold.

    Examples
    --------
    >>> import os, tempfile
    >>> from sklearn_cvtest import compare_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "scores.csv")
    ...     with open(path, "w") as file:
    ...         _ = file.write("fold;forest;tree\\n1;0,95;0,91\\n2;0,94;0,92\\n")
    ...     result = compare_file(path, score="accuracy")
    >>> result.losses.mean_losses.round(3).tolist()
    [-0.945, -0.915]
    """
    options = dict(locals())
    table = read_answerable(options.pop("path"), options)
    if table.left_out:
        warn(f"Left out: {', '.join(table.left_out)}.", UserWarning)
    return answer(table, options)


class FileTable(NamedTuple):
    """What files hold.

    Attributes
    ----------
    reading : Reading
        The layout that was taken, and its columns.
    left_out : list of str
        Rows, columns and models that were left out.
    target : ndarray or None
        The target of predictions.
    predictions : dict of str to ndarray
        The predictions of each model, where there is a target.
    """

    reading: Any
    left_out: list
    target: Any = None
    predictions: dict = {}  # noqa: RUF012, never changed


def read_answerable(path, options):
    """Return the FileTable of files, with the options of `compare_file`."""
    several = path if isinstance(path, (list, tuple)) else [path]
    paths = [check_path("path", one) for one in several]
    if not paths:
        raise invalid("path", "a file, or a list of files", path)
    for name in ("wide", "each_dataset", "percent"):
        check_flag(name, options[name])
    for name in ROLES:
        if not isinstance(options[name], (str, type(None))):
            raise invalid(name, "the name of a column", options[name], TypeError)
    if options["score"] is not None and options["loss"] is not None:
        raise invalid("loss", "None where `score` is given", options["loss"])
    ignore = options["ignore"]
    if not isinstance(ignore, (list, tuple)):
        raise invalid("ignore", "a list of columns", ignore, TypeError)
    columns = read_files(paths, options["separator"], options["decimal"], ignore)
    sizes = {name: options[name] for name in ("n_train", "n_test")}
    roles = {name: options[name] for name in ROLES}
    roles |= {name: size for name, size in sizes.items() if isinstance(size, str)}
    is_sized = all(size is not None for size in sizes.values())
    reading = read_layout(
        columns,
        roles,
        percent=options["percent"],
        is_wide=options["wide"],
        is_designed=options["cv"] is not None or is_sized,
    )
    if reading.unit != PREDICTIONS:
        return FileTable(reading, list(reading.left_out))
    named = [options[name] for name in ("y_true", "score", "loss")]
    is_named = any(name is not None for name in named)
    target, predictions, others = predictions_of(reading, is_named)
    return FileTable(reading, others, target, predictions)


def answer(table, options):
    """Return the result that the layout of a FileTable is for."""
    choices = {name: options[name] for name in CHOICES}
    if options["missing"] is not None and not is_over_datasets(table, options):
        raise ValueError("`missing` is for a comparison over data sets.")
    if table.reading.unit == PREDICTIONS:
        return _of_predictions(table, options, choices)
    if table.reading.unit == CANDIDATES:
        return _of_candidates(table.reading, options, choices)
    return _of_table(table, options, choices)


def is_over_datasets(table, options):
    """Whether models are compared over data sets."""
    is_of_folds = "fold" in table.reading.roles
    is_each = is_of_folds and options["each_dataset"]
    return "dataset" in table.reading.roles and not is_each


def _of_table(table, options, choices):
    """Compare by scores of folds, runs, examples or data sets."""
    reading = table.reading
    is_of_folds = "fold" in reading.roles
    if not is_of_folds:
        _refuse_splits(options, reading.layout.name)
    choices = choices | {"percent": reading.percent}
    columns = Columns(reading.columns)
    roles = dict(reading.roles)
    if is_of_folds:
        for name in ("n_train", "n_test"):
            size = options[name]
            roles[name] = roles.get(name) if size is None else size
        cv = _splitter(options["cv"])
        roles["cv"] = reading.cv if cv is None else cv
    if is_over_datasets(table, options):
        missing = options["missing"] or "drop"
        return compare_over_datasets(columns, **roles, **choices, missing=missing)
    if is_of_folds:
        return compare_table(columns, **roles, **choices)
    return compare_scores(columns, **roles, **choices)


def _refuse_splits(options, source):
    """Refuse options about splits for a table that has none."""
    for name in OF_SPLITS:
        if options[name] not in (None, False):
            raise ValueError(f"`{name}` is not for {source}; leave it out.")


def _of_candidates(reading, options, choices):
    """Compare the candidates of a search by the scores of its splits."""
    metric = reading.roles["score"]
    results = results_of_search(reading.columns, metric)
    cv = _splitter(options["cv"])
    cv = n_splits_of_search(results) if cv is None else cv
    reference = choices["reference"] or "best"
    choices = choices | {"reference": reference}
    return compare_candidates(results, cv=cv, metric=metric, **choices)


def _of_predictions(table, options, choices):
    """Compare models by their predictions beside the target; one has an interval."""
    columns = table.reading.columns
    roles = table.reading.roles
    fold = np.array(columns[roles["fold"]]) if "fold" in roles else None
    group = np.array(columns[roles["group"]]) if "group" in roles else None
    measured = {"splits": fold, "groups": group, "n_train": options["n_train"]}
    measured |= {"scoring": options["score"], "loss": options["loss"] or "auto"}
    if len(table.predictions) > 1:
        return compare_predictions(
            table.target, table.predictions, **measured, **choices
        )
    ((model, predicted),) = table.predictions.items()
    if choices["reference"] is not None:
        raise ValueError(f"`reference` is for several models; {model!r} is alone.")
    is_named = options["score"] or options["loss"]
    if not is_named and are_probabilities(predicted, table.target):
        measured["scoring"] = "roc_auc"  # which needs no threshold
    measured |= {"confidence_level": 1 - choices["alpha"], "test": choices["test"]}
    return interval_of_predictions(table.target, table.predictions, **measured)


def _splitter(cv):
    """Return how splits were made: an int, "5x10" for repeats, or a design."""
    if not isinstance(cv, str):
        return cv
    repeated = re.fullmatch(r"(\d+) *[x×*] *(\d+)", cv)
    if repeated:
        n_repeats, n_splits = map(int, repeated.groups())
        return RepeatedKFold(n_splits=n_splits, n_repeats=n_repeats)
    return int(cv) if cv.isdecimal() else cv
