"""Logs of lm-evaluation-harness as tables of scores."""

import json
import math
import os
import re
from pathlib import Path
from typing import Literal

from .._typing import Any, Sequence
from .._validation import check_option, invalid_words
from ._files import read_json_lines, unreadable
from ._logs import (
    MISSING,
    Answer,
    as_table,
    choose,
    group_of,
    named_paths,
    number_runs,
    tasks_of,
)

SAMPLES = re.compile(r"samples_(.+)_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)\.jsonl")
SETTINGS = ("model_args", "gen_kwargs", "model")  # the same in all runs


def read_lm_eval(
    paths: str | os.PathLike[str] | Sequence[Any] | dict[str, Any],
    *,
    metric: str | None = None,
    task: str | Sequence[str] | None = None,
    filter: str | None = None,
    group: str | None = None,
    missing: Literal["error", "drop", "zero"] = "error",
) -> dict[str, Sequence[Any]]:
    """Read the samples that lm-evaluation-harness logs as a table of scores.

    Needs what `lm_eval --log_samples --output_path ...` writes. Several evaluations of
    a model, such as with other seeds, are runs: compare them with `run="run"`.

    Parameters
    ----------
    paths : str, os.PathLike, list or dict
        One or several files samples_TASK_TIME.jsonl, or folders with such. Models are
        called as results_TIME.json beside them says or, without it, as the folder; of a
        dict, as its keys.
    metric : str, default=None
        The metric to take, such as "acc". None is for logs with one only.
    task : str or list of str, default=None
        The task, or several: the examples of all of them, each of the same weight. None
        is for logs with one only.
    filter : str, default=None
        The filter of the answers, such as "strict-match". None is for logs with one
        only.
    group : str, default=None
        A field of the documents that becomes the column "group".
    missing : {"error", "drop", "zero"}, default="error"
        What is done with examples that some run has not: an error that names them, the
        example left out of all models, or a score of 0.

    Returns
    -------
    table : dict of str to list
        The columns "model", "example", "run", "score" ("loss" of a metric of which
        smaller is better), and "group" if asked for.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, a file is damaged, the metric is no number
        for each example, or an example is another in some log; the message names it.

    See Also
    --------
    compare_scores : Compares the models of such a table.
    read_inspect : For logs of inspect-ai.

    Examples
    --------
    >>> from sklearn_cvtest import compare_scores
    >>> from sklearn_cvtest.adapters import read_lm_eval
    >>> table = read_lm_eval("results", metric="acc")  # doctest: +SKIP
    >>> compare_scores(table)  # doctest: +SKIP
    """
    check_option("missing", missing, MISSING)
    logs = [_Log(name, path) for name, path in named_paths(paths, find_lm_eval)]
    parts = tasks_of(logs, task)
    logs = [log for _, of_task in parts for log in of_task]
    metric = choose("metric", metric, {m for log in logs for m in log.metrics})
    filter = choose(
        "filter", filter, {row["filter"] for log in logs for row in log.rows}
    )
    signs = {log.is_score(metric) for log in logs}
    if len(signs) > 1:
        shown = f"both, for {metric!r}"
        raise invalid_words("task", "tasks that agree on what is better", shown)
    answers = [
        log.answer(row, prefix, number + 1, metric, group)
        for prefix, of_task in parts
        for log, number in number_runs(of_task)
        for row in log.rows
        if row["filter"] == filter
    ]
    return as_table(answers, missing, "score" if signs == {True} else "loss")


def find_lm_eval(folder):
    """Return the files of samples in a folder."""
    found = folder.rglob("samples_*.jsonl")
    return [path for path in found if SAMPLES.fullmatch(path.name)]


def is_lm_eval(path):
    """Whether a path names a file of samples, or a folder with such files."""
    if os.path.isdir(path):
        return bool(find_lm_eval(Path(path)))
    return SAMPLES.fullmatch(os.path.basename(path)) is not None


class _Log:
    """The samples of a task.

    Attributes
    ----------
    model, task, time, path : str
        The names of the model and of the task, when it was evaluated, and the file.
    rows : list of dict
        A row for each document and filter.
    """

    def __init__(self, name, path):
        folder, file = os.path.split(os.path.abspath(path))
        parts = SAMPLES.fullmatch(file)
        if parts is None:
            allowed = "files of samples, samples_TASK_TIME.jsonl, or their folders"
            raise invalid_words("paths", allowed, repr(path))
        self.path, (self.task, self.time) = path, parts.groups()
        self.rows = read_json_lines(path, "paths")
        self._results = _results(os.path.join(folder, f"results_{self.time}.json"))
        self.model = str(
            name or self._results.get("model_name") or _folder_name(folder)
        )
        for number, row in enumerate(self.rows):
            row.setdefault("filter", "none")
            if not {"doc_id", "doc"} <= row.keys() or not isinstance(
                row["filter"], str
            ):
                shown = f"another row, {number} of {path!r}"
                raise invalid_words("paths", "rows of samples with a doc_id", shown)

    @property
    def metrics(self):
        """The metrics of which there is a number for each document."""
        row = self.rows[0] if self.rows else {}
        asked = row.get("metrics") or [k for k in row if _number(row[k]) is not None]
        return [name for name in asked if name != "doc_id"]

    @property
    def settings(self):
        """What is the same in all runs of a model."""
        config = self._results.get("config") or {}
        shots = (self._results.get("n-shot") or {}).get(self.task)
        version = (self._results.get("versions") or {}).get(self.task)
        found = {key: config.get(key) for key in SETTINGS}
        return found | {"number of shots": shots, "version of the task": version}

    def is_score(self, metric):
        """Whether greater is better, as results say; a metric is a score else."""
        sides = self._results.get("higher_is_better") or {}
        return (sides.get(self.task) or {}).get(metric) is not False

    def answer(self, row, prefix, run, metric, group):
        """Return the Answer of a row."""
        example = f"{prefix}{row['doc_id']}"
        value = row.get(metric)
        score = _number(value)
        if score is None and value is not None:
            shown = f"{value!r} for {metric!r} of example {example} in {self.path!r}"
            raise invalid_words("metric", "one number for each example", shown)
        content = row.get("doc_hash") or json.dumps(row["doc"], sort_keys=True)
        group = group_of(group, row["doc"], example)
        return Answer(self.model, run, example, score, group, content)


def _number(value):
    """Return a number that is finite, None of all else."""
    is_number = isinstance(value, (bool, int, float)) and math.isfinite(value)
    return float(value) if is_number else None


def _results(path):
    """Return the results beside samples, {} where there are none."""
    if not os.path.isfile(path):
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except ValueError as error:
        raise unreadable("intact results", path, error, "paths") from None
    return found if isinstance(found, dict) else {}


def _folder_name(folder):
    """Return what a model is called by its folder."""
    return os.path.basename(folder).replace("__", "/")
