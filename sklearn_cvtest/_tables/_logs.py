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

from ._unclear import UnclearTableError

# What inspect-ai writes for correct, partially correct, incorrect, no answer.
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
HEADERS = ("header.json", "start.json", "_journal/start.json")
ZSTANDARD = 93  # as archives call this compression
MOST_BYTES = 500_000_000  # that are unpacked
SUMMARIES = ("summaries.json", "summary.json")
HARNESS = {"doc_id", "resps", "filtered_resps"}
OF_PROMPTFOO = {"testIdx", "promptIdx", "provider"}


def read_eval(path):
    """Return the columns of an .eval file of inspect-ai."""
    with zipfile.ZipFile(path) as archive:
        n_bytes = sum(member.file_size for member in archive.infolist())
        if n_bytes > MOST_BYTES:
            raise ValueError(f"it unpacks to {n_bytes:,} bytes, above {MOST_BYTES:,}")
        names = archive.namelist()
        header = next((name for name in HEADERS if name in names), None)
        if header is None:
            raise ValueError("it is another archive, and no log of inspect-ai")
        head = parsed(_member(archive, header))
        summary = next((name for name in SUMMARIES if name in names), None)
        if summary is not None:
            samples = parsed(_member(archive, summary))
        else:
            members = [n for n in names if re.fullmatch(r"samples/.*\.json", n)]
            samples = [parsed(_member(archive, name)) for name in members]
    return _of_inspect(head, samples, path)


def parsed(text):
    """Return what JSON says; a name that comes twice in an object is an error."""
    return json.loads(text, object_pairs_hook=one_each_name)


def one_each_name(pairs):
    """Return a dict of pairs; a name that comes twice is an error."""
    named = dict(pairs)
    if len(named) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} comes twice in one row")
    return named


def _member(archive, name):
    """Return the content of a member of an archive, which may be of Zstandard."""
    member = archive.getinfo(name)
    try:
        return archive.read(name)
    except NotImplementedError:  # before Python 3.14
        if member.compress_type != ZSTANDARD:
            raise
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
    reader = zstandard.ZstdDecompressor().stream_reader(content)
    content = reader.read(member.file_size)
    if zlib.crc32(content) != member.CRC:
        raise ValueError(f"the checksum of {name!r} is another one")
    return content


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
    raise ValueError("it holds no list of rows, and no log of inspect-ai or promptfoo")


def columns_of_rows(rows, path):
    """Return the columns of JSON objects; inside of one, "outer.inner"."""
    fields = rows[0].keys()
    if fields >= HARNESS:
        return _with_texts(_of_harness(rows, path))
    if fields >= OF_PROMPTFOO:
        return _with_texts(_of_promptfoo(rows))
    return _with_texts(_flat(rows))


def _with_texts(columns):
    """Return columns with the JSON of lists and objects in cells."""
    return {
        name: [
            json.dumps(cell) if isinstance(cell, (list, dict)) else cell
            for cell in cells
        ]
        for name, cells in columns.items()
    }


def _flat(rows):
    flat = [one_each_name(list(_cells(row))) for row in rows]
    names = dict.fromkeys(name for row in flat for name in row)
    return {name: [row.get(name) for row in flat] for name in names}


def _cells(row, prefix=""):
    for key, value in row.items():
        if isinstance(value, dict):
            yield from _cells(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


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
    scores = [
        one_each_name(list(_scores_of_sample(sample.get("scores") or {})))
        for sample in samples
    ]
    scorers = dict.fromkeys(name for of_sample in scores for name in of_sample)
    for sample in samples:
        columns["model"].append(head["model"])
        columns["dataset"].append(head.get("task", ""))
        columns["example"].append(sample["id"])
        columns["run"].append(sample.get("epoch", 1))
    for scorer in scorers:
        name = "score" if len(scorers) == 1 else f"score_{scorer}"
        columns[name] = [of_sample.get(scorer) for of_sample in scores]
    return _with_texts(columns)


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
    answers were filtered in several ways, each is a column of its own. A document of
    another task may have the same number: its hash tells them apart.
    """
    folder = os.path.basename(os.path.dirname(os.path.abspath(path)))
    filters = dict.fromkeys(str(row.get("filter", "none")) for row in rows)
    keys = [(str(row["doc_id"]), str(row.get("doc_hash", ""))) for row in rows]
    are_apart = len({document for document, _ in keys}) == len(set(keys))
    by_document = {}
    for row, (document, digest) in zip(rows, keys, strict=True):
        label = document if are_apart else f"{document} {digest[:12]}"
        cells = by_document.setdefault(label, {})
        for metric in row.get("metrics") or _numeric_fields(row):
            way = str(row.get("filter", "none"))
            name = metric if len(filters) == 1 else f"{metric},{way}"
            if name in cells:
                raise ValueError(f"the document {document} comes twice")
            cells[name] = row.get(metric)
    columns = {"model": [folder] * len(by_document), "example": list(by_document)}
    for name in dict.fromkeys(name for cells in by_document.values() for name in cells):
        columns[name] = [cells.get(name) for cells in by_document.values()]
    return columns


def _numeric_fields(row):
    return [
        name
        for name, value in row.items()
        if isinstance(value, (int, float)) and name != "doc_id"
    ]


def _of_promptfoo(rows):
    """Return the columns of results of promptfoo.

    Tests with the same variables, such as repeats of one, are examples of a group.
    """
    prompts = {row["promptIdx"] for row in rows}
    providers = {_provider(row) for row in rows}
    models = []
    variables = []
    for row in rows:
        model = _provider(row)
        prompt = row.get("prompt")
        if len(prompts) > len(providers) and isinstance(prompt, dict):
            model = f"{model} {prompt.get('label') or prompt.get('raw', '')}"
        models.append(model)
        of_test = row.get("vars") or (row.get("testCase") or {}).get("vars")
        variables.append(json.dumps(of_test, sort_keys=True))
    columns = {"model": models, "example": [row["testIdx"] for row in rows]}
    if 1 < len(set(variables)) < len(set(columns["example"])):
        columns["group"] = variables
    return _flat(rows) | columns


def _provider(row):
    """Return what a provider of promptfoo is called."""
    provider = row["provider"]
    if isinstance(provider, dict):
        return provider.get("label") or provider["id"]
    return str(provider)
