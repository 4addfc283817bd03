"""Logs of evaluations of language models as long tables, without their frameworks.

The files of inspect-ai (.eval, a zip of JSON, and .json), of the lm-evaluation-harness
(samples_*.jsonl) and of promptfoo (.json, .jsonl) are known by their fields.
"""

import json
import os
import re
import struct
import zipfile
import zlib

from .._validation import invalid_words
from ._unclear import UnclearTableError

# What inspect-ai writes for correct, partially correct, incorrect, no answer.
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
HEADERS = ("header.json", "start.json", "_journal/start.json")
ZSTANDARD = 93  # as archives call this compression
SUMMARIES = ("summaries.json", "summary.json")
HARNESS = {"doc_id", "resps", "filtered_resps"}
OF_PROMPTFOO = {"testIdx", "promptIdx", "provider"}


def read_eval(path):
    """Return the columns of an .eval file of inspect-ai."""
    try:
        with zipfile.ZipFile(path) as archive:
            head, samples = _members(archive, path)
    except (zipfile.BadZipFile, zlib.error, EOFError, UnpackError) as error:
        why = f"{type(error).__name__}: {error}"
        raise invalid_words(
            "table", "an intact .eval file", f"{path!r} ({why})"
        ) from None
    return _of_inspect(head, samples, path)


def _members(archive, path):
    """Return the head of an .eval file, and its samples, or what sums them up."""
    names = archive.namelist()
    header = next((name for name in HEADERS if name in names), None)
    if header is None:
        allowed = "a log of inspect-ai"
        raise invalid_words("table", allowed, f"another archive {path!r}")
    samples = [name for name in names if re.fullmatch(r"samples/.*\.json", name)]
    summary = next((name for name in SUMMARIES if name in names), None)
    head = json.loads(_member(archive, header))
    if summary is not None:
        return head, json.loads(_member(archive, summary))
    return head, [json.loads(_member(archive, name)) for name in samples]


class UnpackError(ValueError):
    """A member of an archive is damaged, or compressed in an unknown way."""


def _member(archive, name):
    """Return the content of a member of an archive, which may be of Zstandard."""
    try:
        return archive.read(name)
    except NotImplementedError as error:  # before Python 3.14
        member = archive.getinfo(name)
        if member.compress_type != ZSTANDARD:
            raise UnpackError(str(error)) from None
    try:
        import zstandard
    except ImportError:
        raise ImportError(
            f"Reading {os.path.basename(archive.filename)} needs zstandard, by which "
            "inspect-ai compresses it: pip install zstandard. Or bring the log as "
            "JSON: inspect log convert --to json --output-dir FOLDER."
        ) from None
    with open(archive.filename, "rb") as file:
        file.seek(member.header_offset)
        name_and_extra = struct.unpack("<26x2H", file.read(30))
        file.seek(sum(name_and_extra), os.SEEK_CUR)
        content = file.read(member.compress_size)
    try:
        return zstandard.ZstdDecompressor().decompressobj().decompress(content)
    except zstandard.ZstdError as error:
        raise UnpackError(str(error)) from None


def columns_of_json(content, path):
    """Return the columns of a JSON file: a log, a list of rows, or columns."""
    if isinstance(content, dict) and "eval" in content and "samples" in content:
        return _of_inspect(content, content["samples"], path)
    results = content.get("results") if isinstance(content, dict) else None
    if isinstance(results, dict) and isinstance(results.get("results"), list):
        results = results["results"]  # of promptfoo
    rows = results if isinstance(results, list) else content
    if isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows):
        return columns_of_rows(rows, path)
    allowed = "a JSON file with a list of rows, or a log of inspect-ai or promptfoo"
    raise invalid_words("table", allowed, f"another one, {path!r}")


def columns_of_rows(rows, path):
    """Return the columns of JSON objects; inside of one, "outer.inner"."""
    fields = rows[0].keys()
    if fields >= HARNESS:
        return _of_harness(rows, path)
    if fields >= OF_PROMPTFOO:
        return _of_promptfoo(rows)
    return _flat(rows)


def _flat(rows):
    flat = [dict(_cells(row)) for row in rows]
    names = dict.fromkeys(name for row in flat for name in row)
    return {name: [row.get(name) for row in flat] for name in names}


def _cells(row, prefix=""):
    for key, value in row.items():
        if isinstance(value, dict):
            yield from _cells(value, f"{prefix}{key}.")
        else:
            is_list = isinstance(value, list)
            yield f"{prefix}{key}", json.dumps(value) if is_list else value


def _of_inspect(log, samples, path):
    """Return the columns of the samples of inspect-ai, one for each scorer."""
    status = log.get("status", "success")
    head = log["eval"]
    if status != "success":
        raise UnclearTableError(
            f"The evaluation in {os.path.basename(path)} has the status {status!r}, "
            "and may lack samples. Bring the log of one that was completed."
        )
    columns = {"model": [], "dataset": [], "example": [], "run": []}
    scores = [dict(_scores_of_sample(sample.get("scores") or {})) for sample in samples]
    scorers = dict.fromkeys(name for of_sample in scores for name in of_sample)
    for sample in samples:
        columns["model"].append(head["model"])
        columns["dataset"].append(head.get("task", ""))
        columns["example"].append(sample["id"])
        columns["run"].append(sample.get("epoch", 1))
    for scorer in scorers:
        name = "score" if len(scorers) == 1 else f"score_{scorer}"
        columns[name] = [of_sample.get(scorer) for of_sample in scores]
    return columns


def _scores_of_sample(scores):
    """Yield names and numbers of the scores of a sample."""
    for scorer, score in scores.items():
        value = score.get("value") if isinstance(score, dict) else score
        values = value if isinstance(value, dict) else {"": value}
        for part, number in values.items():
            name = f"{scorer}_{part}" if part else scorer
            is_letter = isinstance(number, str) and number in LETTERS
            yield name, LETTERS[number] if is_letter else number


def _of_harness(rows, path):
    """Return the columns of samples of the lm-evaluation-harness, one for each metric.

    The file lies in a folder that is called as the model, which no field names. Where
    answers were filtered in several ways, each is a column of its own.
    """
    folder = os.path.basename(os.path.dirname(os.path.abspath(path)))
    filters = dict.fromkeys(str(row.get("filter", "none")) for row in rows)
    metrics = rows[0].get("metrics") or [
        name
        for name, value in rows[0].items()
        if isinstance(value, (int, float)) and name != "doc_id"
    ]
    by_document = {}
    for row in rows:
        cells = by_document.setdefault(row["doc_id"], {})
        for metric in metrics:
            way = str(row.get("filter", "none"))
            name = metric if len(filters) == 1 else f"{metric},{way}"
            cells[name] = row.get(metric)
    columns = {"model": [folder] * len(by_document), "example": list(by_document)}
    for name in dict.fromkeys(name for cells in by_document.values() for name in cells):
        columns[name] = [cells.get(name) for cells in by_document.values()]
    return columns


def _of_promptfoo(rows):
    """Return the columns of results of promptfoo.

    A test that was repeated has a number for each repeat: it is the same example, known
    by its variables, in another run.
    """
    columns = {"model": [], "example": [], "run": []}
    prompts = {row["promptIdx"] for row in rows}
    providers = {_provider(row) for row in rows}
    counts = {}
    for row in rows:
        model = _provider(row)
        prompt = row.get("prompt")
        if len(prompts) > len(providers) and isinstance(prompt, dict):
            model = f"{model} {prompt.get('label') or prompt.get('raw', '')}"
        variables = row.get("vars") or (row.get("testCase") or {}).get("vars")
        example = json.dumps(variables, sort_keys=True) if variables else row["testIdx"]
        key = (model, example)
        counts[key] = counts.get(key, 0) + 1
        columns["model"].append(model)
        columns["example"].append(example)
        columns["run"].append(counts[key])
    return _flat(rows) | columns


def _provider(row):
    """Return what a provider of promptfoo is called."""
    provider = row["provider"]
    if isinstance(provider, dict):
        return provider.get("label") or provider["id"]
    return str(provider)
