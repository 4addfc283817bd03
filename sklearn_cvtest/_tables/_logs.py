"""Logs of evaluations of language models as long tables, without their frameworks.

The files of inspect-ai (.eval, a zip of JSON, and .json), of the lm-evaluation-harness
(samples_*.jsonl) and of promptfoo (.json, .jsonl) are known by their fields.
"""

import json
import os
import zipfile
import zlib

from .._validation import invalid_words

# What inspect-ai writes for correct, partially correct, incorrect, no answer.
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
HEADERS = ("header.json", "start.json", "_journal/start.json")
SUMMARIES = ("summaries.json", "summary.json")
HARNESS = {"doc_id", "resps", "filtered_resps"}
OF_PROMPTFOO = {"testIdx", "promptIdx", "provider"}


def read_eval(path):
    """Return the columns of an .eval file of inspect-ai."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            header = next((name for name in HEADERS if name in names), None)
            summaries = next((name for name in SUMMARIES if name in names), None)
            if header is None:
                allowed = "a log of inspect-ai"
                raise invalid_words("table", allowed, f"another archive {path!r}")
            head = json.loads(archive.read(header))
            if summaries is not None:
                samples = json.loads(archive.read(summaries))
            else:
                samples = [
                    json.loads(archive.read(name))
                    for name in names
                    if name.startswith("samples/") and name.endswith(".json")
                ]
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        why = f"{type(error).__name__}: {error}"
        raise invalid_words(
            "table", "an intact .eval file", f"{path!r} ({why})"
        ) from None
    return _of_inspect(head["eval"], samples)


def columns_of_json(content, path):
    """Return the columns of a JSON file: a log, a list of rows, or columns."""
    if isinstance(content, dict) and "eval" in content and "samples" in content:
        return _of_inspect(content["eval"], content["samples"])
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


def _of_inspect(head, samples):
    """Return the columns of the samples of inspect-ai, one for each scorer."""
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
