"""Logs of inspect-ai as tables of scores."""

import json
import math
import os
import struct
import sys
import zipfile
import zlib
from pathlib import Path
from typing import Literal

from .._typing import Any, Sequence
from .._validation import check_option, invalid_words
from ._files import unreadable
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

ZSTANDARD = 93  # as inspect-ai compresses, and Python itself since 3.14
ALLOWED = "an intact log of inspect-ai, .eval or .json"
DAMAGE = zipfile.BadZipFile, zlib.error, EOFError, KeyError, struct.error, ValueError
# What scorers write for numbers, as inspect-ai reads it.
WORDS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
ANSWERS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
SETTINGS = ("task_version", "task_args", "model_args")  # the same in all runs


def read_inspect(
    paths: str | os.PathLike[str] | Sequence[Any] | dict[str, Any],
    *,
    scorer: str | None = None,
    task: str | Sequence[str] | None = None,
    group: str | None = None,
    missing: Literal["error", "drop", "zero"] = "error",
) -> dict[str, Sequence[Any]]:
    """Read logs of inspect-ai as a table of scores.

    Epochs, and several logs of a model, are runs: compare them with `run="run"`.

    Parameters
    ----------
    paths : str, os.PathLike, list or dict
        One or several logs (.eval or .json) or folders with such, of evaluations that
        finished. Models are called as the logs call them; of a dict, as its keys.
    scorer : str, default=None
        The scorer whose scores to take; of one with several values, "scorer/value".
        None is for logs with one only.
    task : str or list of str, default=None
        The task, or several: the samples of all of them, each of the same weight. None
        is for logs of one only.
    group : str, default=None
        A field of the metadata of the samples, such as a document, that becomes the
        column "group".
    missing : {"error", "drop", "zero"}, default="error"
        What is done with samples that ended in an error, were not run or not scored:
        an error that names them, the example left out of all models, or a score of 0.

    Returns
    -------
    table : dict of str to list
        The columns "model", "example", "run", "score", and "group" if asked for.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, a log is damaged, not finished or marked as
        invalid, or an example is another in some log; the message names it.
    ImportError
        If a log is compressed by Zstandard, and neither Python (since 3.14) nor the
        package `zstandard` (of the extra "logs") reads that.

    See Also
    --------
    compare_scores : Compares the models of such a table.
    read_lm_eval : For logs of lm-evaluation-harness.

    Notes
    -----
    Scores are read as inspect-ai reads them: "C" is 1, "P" 0.5, "I" and "N" 0. Groups
    come from the summaries of samples, which leave out long fields.

    Examples
    --------
    >>> from sklearn_cvtest import compare_scores
    >>> from sklearn_cvtest.adapters import read_inspect
    >>> table = read_inspect("logs", scorer="match")  # doctest: +SKIP
    >>> compare_scores(table, run="run")  # doctest: +SKIP
    """
    check_option("missing", missing, MISSING)
    logs = [_Log(name, path) for name, path in named_paths(paths, find_inspect)]
    _check_different(logs)
    parts = tasks_of(logs, task)
    logs = [log for _, of_task in parts for log in of_task]
    found = {name for log in logs for s in log.samples.values() for name in _values(s)}
    if not found:
        raise invalid_words("paths", "logs with scores", "none")
    scorer = choose("scorer", scorer, found)
    n_epochs = max(log.n_epochs for log in logs)
    answers = [
        log.answer(cell, prefix, number * n_epochs + cell[1], scorer, group)
        for prefix, of_task in parts
        for log, number in number_runs(of_task)
        for cell in log.cells
    ]
    return as_table(answers, missing)


def find_inspect(folder):
    """Return the logs in a folder."""
    return list(folder.rglob("*.eval")) or list(folder.rglob("*.json"))


def is_inspect(path):
    """Whether a path names a log, or a folder with logs."""
    if os.path.isdir(path):
        return bool(find_inspect(Path(path)))
    return path.endswith((".eval", ".json"))


class _Log:
    """A log of inspect-ai.

    Attributes
    ----------
    model, task, time, path : str
        The names of the model and of the task, when it was evaluated, and the file.
    spec : dict
        What was evaluated, and how.
    samples : dict of (str, int) to dict
        By example and epoch.
    """

    def __init__(self, name, path):
        self.path = path
        try:
            log = _read_eval(path) if path.endswith(".eval") else _read_json(path)
            self.spec, samples = log["eval"], log["samples"]
            self.samples = {(str(s["id"]), int(s["epoch"])): s for s in samples or ()}
            self.task, self.time = str(self.spec["task"]), str(self.spec["created"])
            self.model = name or str(self.spec["model"])
            steps = (log.get("plan") or {}).get("steps") or []
            self.settings = {key: self.spec.get(key) for key in SETTINGS} | {
                "solver": [[step.get("solver"), step.get("params")] for step in steps],
                "generation": (self.spec.get("model_generate_config") or {})
                | {"seed": None},
            }
            status = "invalidated" if log.get("invalidated") else log.get("status")
        except (*DAMAGE, AttributeError, TypeError) as error:
            raise unreadable(ALLOWED, path, error, "paths") from None
        if status != "success":
            allowed = "logs of evaluations that finished"
            shown = f"status {status!r} in {path!r}"
            raise invalid_words("paths", allowed, shown)
        if not self.samples:
            raise invalid_words("paths", "logs with samples", f"none in {path!r}")

    @property
    def n_epochs(self):
        """How many epochs there should be."""
        said = (self.spec.get("config") or {}).get("epochs")
        return max(said or 1, *(epoch for _, epoch in self.samples))

    @property
    def cells(self):
        """The examples and epochs that there should be, and that are there."""
        ids = (self.spec.get("dataset") or {}).get("sample_ids") or ()
        epochs = range(1, self.n_epochs + 1)
        return dict.fromkeys(
            [*((str(i), e) for i in ids for e in epochs), *self.samples]
        )

    def answer(self, cell, prefix, run, scorer, group):
        """Return the Answer of an example in an epoch."""
        sample, example = self.samples.get(cell), f"{prefix}{cell[0]}"
        if sample is None:
            return Answer(self.model, run, example, None, None, None)
        return Answer(
            self.model,
            run,
            example,
            _as_number(_values(sample).get(scorer), scorer, example, self.path),
            group_of(group, sample.get("metadata"), example),
            json.dumps(sample.get("input"), sort_keys=True),
        )


def _check_different(logs):
    """Raise where an evaluation is there twice, as in two formats."""
    seen = {}
    for log in logs:
        other = seen.setdefault(log.spec.get("eval_id", log.path), log)
        if other is not log:
            shown = f"the same in {other.path!r} and {log.path!r}"
            raise invalid_words("paths", "logs of different evaluations", shown)


def _read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def _read_eval(path):
    """Return the header and the summaries of samples of an archive."""
    with zipfile.ZipFile(path) as archive:
        if "header.json" not in archive.namelist():
            start = json.loads(_member(archive, "_journal/start.json"))
            return start | {"samples": [], "status": "started"}
        samples = json.loads(_member(archive, "summaries.json"))
        return json.loads(_member(archive, "header.json")) | {"samples": samples}


def _member(archive, name):
    """Return the bytes of a file in an archive, also as Zstandard compresses them."""
    member = archive.getinfo(name)
    if member.compress_type != ZSTANDARD or sys.version_info >= (3, 14):
        return archive.read(name)
    try:
        import zstandard
    except ImportError:
        raise ImportError(
            f"Reading {archive.filename!r} needs the package zstandard: pip install "
            "zstandard. A log in the .json format needs nothing."
        ) from None
    with open(archive.filename, "rb") as file:
        file.seek(member.header_offset)
        lengths = struct.unpack("<HH", file.read(30)[26:])  # of the name, and more
        file.seek(sum(lengths), 1)
        compressed = file.read(member.compress_size)
    reader = zstandard.ZstdDecompressor().stream_reader(
        compressed, read_across_frames=True
    )
    try:
        content = reader.read()
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from None
    if zlib.crc32(content) != member.CRC:
        raise ValueError(f"Bad CRC-32 for file {name!r}")
    return content


def _values(sample):
    """Return the scores of a sample by scorer, or by scorer and value."""
    found = {}
    for scorer, score in (sample.get("scores") or {}).items():
        value = score.get("value")
        if isinstance(value, dict):
            found |= {f"{scorer}/{key}": part for key, part in value.items()}
        else:
            found[scorer] = value
    return found


def _as_number(value, scorer, example, path):
    """Return a score as a number, None where there is none."""
    if value is None or value != value:  # nan, as inspect-ai writes it
        return None
    if isinstance(value, str):
        value = WORDS.get(value, ANSWERS.get(value.strip().lower(), value))
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        shown = f"{value!r} by {scorer!r} of example {example} in {path!r}"
        raise invalid_words("paths", "logs with scores that are numbers", shown)
    return number
