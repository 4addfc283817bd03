"""Logs of evaluations as tables: the parts that all of their readers share."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from .._validation import (
    check_option,
    check_path,
    check_regular,
    invalid,
    invalid_words,
    warn,
)
from ..exceptions import MissingScoresWarning

MISSING = ("error", "drop", "zero")
MAX_SHOWN = 3


class Answer(NamedTuple):
    """What a log says of an example in a run of a model."""

    model: str
    run: int
    example: str
    score: float | None  # None where it was not scored
    group: object
    content: str | None  # by which it is known that examples are the same


def named_paths(paths, find):
    """Return [(name or None, path of a file)], of files that `find` finds in folders.

    `paths` is a path, a list of them, or a dict of these by the name of the model.
    """
    if isinstance(paths, Mapping):
        for name in paths:
            if not isinstance(name, str):
                raise invalid("paths", "with models named by strings", name, TypeError)
        given = [(name, one) for name, of in paths.items() for one in _listed(of)]
    else:
        given = [(None, one) for one in _listed(paths)]
    found = []
    for name, path in given:
        path = check_path("paths", path)
        check_regular("paths", path)
        inside = sorted(find(Path(path))) if os.path.isdir(path) else [Path(path)]
        if not inside:
            raise invalid("paths", "files or folders with logs", path)
        found += [(name, os.fspath(file)) for file in inside]
    real = [os.path.realpath(path) for _, path in found]
    if not found or len(set(real)) < len(real):
        raise invalid("paths", "at least one path, and none twice", paths)
    return found


def _listed(paths):
    return paths if isinstance(paths, (list, tuple)) else [paths]


def choose(parameter, asked, found, *, one=True):
    """Return what is asked of what logs have; None is the only one that there is."""
    found = sorted(found)
    allowed = f"one of {', '.join(map(repr, found))}"
    if asked is None:
        if len(found) == 1:
            return found[0]
        hint = f"The logs have several (in the command, --{parameter} NAME)."
        raise invalid_words(parameter, allowed, "None", hint=hint)
    if one:
        return check_option(parameter, asked, found)
    return [check_option(parameter, name, found) for name in _listed(asked)]


def tasks_of(logs, asked):
    """Return [(prefix of the names of examples, logs)] of the tasks asked for.

    Logs of one model are together, in the order of models, and sorted by time.
    """
    place = {}
    for log in logs:
        place.setdefault(log.model, len(place))
    logs = sorted(logs, key=lambda log: (place[log.model], log.time))
    tasks = choose("task", asked, {log.task for log in logs}, one=False)
    tasks = [tasks] if isinstance(tasks, str) else tasks
    return [
        (f"{task}/" * (len(tasks) > 1), [log for log in logs if log.task == task])
        for task in tasks
    ]


def number_runs(logs):
    """Return (log, its number among the model's logs, from 0), for one task.

    What differs in its settings is no other run of the same.
    """
    first, numbered = {}, []
    for log in logs:
        runs = first.setdefault(log.model, [])
        runs.append(log)
        for key, value in log.settings.items():
            if value != runs[0].settings[key]:
                shown = f"{log.model!r} with another {key} in {log.path!r}"
                shown += f" than in {runs[0].path!r}"
                hint = "Name the models: paths={'a': ..., 'b': ...}."
                raise invalid_words("paths", "of runs that are alike", shown, hint=hint)
        numbered.append((log, len(runs) - 1))
    return numbered


def as_table(answers, missing, value="score"):
    """Return answers as a long table, without examples that were not scored."""
    _check_same_content(answers)
    cells = {}
    for answer in answers:
        key = answer.model, answer.run, answer.example
        if key in cells:
            raise invalid_words("paths", "logs of different runs", f"{_say(key)} twice")
        cells[key] = answer
    runs = dict.fromkeys(key[:2] for key in cells)
    examples = {}
    for answer in answers:
        if examples.get(answer.example) is None:
            examples[answer.example] = answer.group
    keys = [(*run, example) for run in runs for example in examples]
    unscored = [k for k in keys if k not in cells or cells[k].score is None]
    left_out = set()
    if unscored:
        _say_missing(unscored, missing)
        left_out = {key[2] for key in unscored} if missing == "drop" else set()
    keys = [key for key in keys if key[2] not in left_out]
    if not keys:
        raise invalid_words("paths", "of examples with a score", "none in every run")
    unscored = set(unscored)
    table = {
        "model": [key[0] for key in keys],
        "example": [key[2] for key in keys],
        "run": [key[1] for key in keys],
        value: [0.0 if key in unscored else cells[key].score for key in keys],
    }
    if any(group is not None for group in examples.values()):
        table["group"] = [examples[key[2]] for key in keys]
    return table


def _say(key):
    model, run, example = key
    return f"{model!r}, run {run}, example {example}"


def _say_missing(unscored, missing):
    shown = "; ".join(map(_say, unscored[:MAX_SHOWN]))
    shown += "; ..." * (len(unscored) > MAX_SHOWN)
    if missing == "error":
        hint = "Pass missing='drop' to leave these examples out of all models, or "
        hint += "'zero' to count them as 0 (in the command, --missing)."
        shown = f"{len(unscored)} without: {shown}"
        allowed = "with a score of every example in every run"
        raise invalid_words("paths", allowed, shown, hint=hint)
    n_examples = len({example for _, _, example in unscored})
    done = "are counted as 0"
    if missing == "drop":
        what = f"{n_examples} examples are" if n_examples > 1 else "one example is"
        done = f"are missing, and {what} left out of all models"
    warn(f"{len(unscored)} scores {done}: {shown}.", MissingScoresWarning)


def _check_same_content(answers):
    """Raise where an example is not the same in all logs."""
    contents = {}
    for answer in answers:
        if answer.content is None:  # of one that was not run
            continue
        first = contents.setdefault(answer.example, answer)
        if first.content != answer.content:
            shown = (
                f"another example {answer.example} of {answer.model!r}, run "
                f"{answer.run}, than of {first.model!r}, run {first.run}"
            )
            raise invalid_words("paths", "of the same examples", shown)


def group_of(name, fields, example):
    """Return the group of an example by the name of a field, None without a name."""
    if name is None:
        return None
    if not isinstance(name, str):
        raise invalid("group", "the name of a field", name, TypeError)
    value = fields.get(name) if isinstance(fields, dict) else None
    if not isinstance(value, (str, int, float)):
        shown = f"{name!r}, which example {example} does not have"
        raise invalid_words("group", "a field of every example", shown)
    return value
