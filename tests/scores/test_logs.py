"""Logs of inspect-ai, the lm-evaluation-harness and promptfoo, without these packages.

The logs are made here, with the fields that the tools write.
"""

import gzip
import json
import zipfile

import numpy as np
import pytest
from common import main

from sklearn_cvtest import compare_file, compare_scores

RNG = np.random.default_rng(0)
ANSWERS = {
    name: (RNG.random((2, 60)) < skill).astype(int)
    for name, skill in (("openai/old", 0.5), ("openai/new", 0.75))
}


def sample_of_inspect(number, epoch, is_right):
    score = {"value": "C" if is_right else "I", "answer": "4", "explanation": "..."}
    return {
        "id": f"q{number}",
        "epoch": epoch + 1,
        "input": f"What is {number}?",
        "target": "4",
        "scores": {"match": score},
        "messages": [],
        "metadata": {},
    }


def log_of_inspect(model):
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "run_id": "x",
            "task": "sums",
            "model": model,
            "dataset": {"name": "sums", "samples": 60},
            "config": {"epochs": 2},
        },
        "plan": {"name": "plan", "steps": []},
        "results": {"completed_samples": 120, "scores": []},
        "stats": {"started_at": "2026-01-01T00:00:00"},
        "samples": [
            sample_of_inspect(number, epoch, is_right)
            for epoch, answers in enumerate(ANSWERS[model])
            for number, is_right in enumerate(answers)
        ],
    }


def write_eval(path, log, header="header.json", compression=zipfile.ZIP_DEFLATED):
    """Write a log as the .eval file of inspect-ai: a zip of JSON."""
    samples = log["samples"]
    head = {key: value for key, value in log.items() if key != "samples"}
    with zipfile.ZipFile(path, "w", compression=compression) as archive:
        archive.writestr("_journal/start.json", json.dumps(head))
        for sample in samples:
            name = f"samples/{sample['id']}_epoch_{sample['epoch']}.json"
            archive.writestr(name, json.dumps(sample))
        archive.writestr("summaries.json", json.dumps(samples))
        archive.writestr("reductions.json", "[]")
        archive.writestr(header, json.dumps(head))


def samples_of_harness(answers, filters=("none",)):
    return "\n".join(
        json.dumps(
            {
                "doc_id": number,
                "doc": {"question": "?"},
                "target": "4",
                "arguments": {"gen_args_0": {"arg_0": "?"}},
                "resps": [["4"]],
                "filtered_resps": ["4"],
                "filter": way,
                "metrics": ["exact_match"],
                "doc_hash": "a",
                "prompt_hash": "b",
                "target_hash": "c",
                "exact_match": float(is_right),
            }
        )
        for number, is_right in enumerate(answers.tolist())
        for way in filters
    )


def rows_of_promptfoo(n_repeats):
    return [
        {
            "id": f"{model}-{number}-{repeat}",
            "promptIdx": 0,
            "testIdx": n_repeats * number + repeat,
            "promptId": "p",
            "testCase": {"vars": {"q": f"question {number}"}},
            "vars": {"q": f"question {number}"},
            "provider": {"id": model, "label": ""},
            "prompt": {"raw": "Answer: {{q}}", "label": "answer"},
            "response": {"output": "4"},
            "success": bool(answers[repeat, number]),
            "score": int(answers[repeat, number]),
            "latencyMs": 12,
            "cost": 0.1,
            "namedScores": {},
        }
        for model, answers in ANSWERS.items()
        for number in range(60)
        for repeat in range(n_repeats)
    ]


def answer_of(capsys, paths):
    status = main(["compare", *map(str, paths), "--json", "-"])
    said = capsys.readouterr()
    assert status == 0, said.err
    return json.loads(said.out), said.err


def test_eval_files_of_inspect(tmp_path, capsys):
    paths = [tmp_path / f"{name.rpartition('/')[2]}.eval" for name in ANSWERS]
    for path, model in zip(paths, ANSWERS, strict=True):
        write_eval(path, log_of_inspect(model))
    answer, said = answer_of(capsys, paths)
    expected = compare_scores(ANSWERS)
    assert answer["rows"][0]["pvalue"] == pytest.approx(expected.pvalue_)
    assert set(answer["means"]) == set(ANSWERS)
    assert said.endswith("taken: a row for each model and example\n")


def test_json_files_of_inspect(tmp_path, capsys):
    paths = []
    for model in ANSWERS:
        paths.append(tmp_path / f"{model.rpartition('/')[2]}.json")
        paths[-1].write_text(json.dumps(log_of_inspect(model)), encoding="utf-8")
    answer, _ = answer_of(capsys, paths)
    expected = compare_scores(ANSWERS).pvalue_
    assert answer["rows"][0]["pvalue"] == pytest.approx(expected)


def test_samples_of_the_harness_are_called_as_their_folders(tmp_path, capsys):
    paths = []
    for model, answers in ANSWERS.items():
        folder = tmp_path / model.replace("/", "__")
        folder.mkdir()
        paths.append(folder / "samples_gsm8k_2026-01-01T00-00-00.jsonl")
        paths[-1].write_text(samples_of_harness(answers[0]), encoding="utf-8")
    answer, _ = answer_of(capsys, paths)
    one_run = {name: answers[0] for name, answers in ANSWERS.items()}
    expected = compare_scores(one_run, score="accuracy").pvalue_
    assert answer["rows"][0]["pvalue"] == pytest.approx(expected)
    assert set(answer["means"]) == {"old", "new"}


def test_filters_of_the_harness_are_asked_about(tmp_path, capsys):
    paths = [tmp_path / "old.jsonl", tmp_path / "new.jsonl"]
    ways = ("strict-match", "flexible-extract")
    for path, answers in zip(paths, ANSWERS.values(), strict=True):
        path.write_text(samples_of_harness(answers[0], ways), encoding="utf-8")
    assert main(["compare", *map(str, paths)]) == 2
    assert "--score exact_match,strict-match" in capsys.readouterr().err
    options = ["--score", "exact_match,strict-match", "--json", "-"]
    assert main(["compare", *map(str, paths), *options]) == 0
    assert set(json.loads(capsys.readouterr().out)["means"]) == {"old", "new"}


@pytest.mark.parametrize("n_repeats", [1, 2])
@pytest.mark.parametrize("kind", ["json", "jsonl"])
def test_results_of_promptfoo(tmp_path, capsys, n_repeats, kind):
    rows = rows_of_promptfoo(n_repeats)
    path = tmp_path / f"out.{kind}"
    if kind == "json":
        results = {"version": 3, "prompts": [], "results": rows, "stats": {}}
        path.write_text(
            json.dumps({"evalId": "e", "results": results, "config": {}}),
            encoding="utf-8",
        )
    else:
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    answer, _ = answer_of(capsys, [path])
    # tests with the same variables are examples of one group, and no runs
    expected = {name: answers[:n_repeats].ravel() for name, answers in ANSWERS.items()}
    groups = np.tile(np.arange(60), n_repeats) if n_repeats > 1 else None
    expected = compare_scores(expected, group=groups).pvalue_
    assert answer["rows"][0]["pvalue"] == pytest.approx(expected)


def test_python_reads_logs(tmp_path):
    path = tmp_path / "out.jsonl"
    path.write_text("\n".join(map(json.dumps, rows_of_promptfoo(1))), encoding="utf-8")
    one_run = {name: answers[0] for name, answers in ANSWERS.items()}
    assert compare_file(path).pvalue_ == compare_scores(one_run).pvalue_


def refusal_of(capsys, *paths):
    """Return the one line that refuses files."""
    assert main(["compare", *map(str, paths)]) == 2
    said = capsys.readouterr()
    (line,) = said.err.splitlines()
    assert not said.out
    return line


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.eval", b"PK", "a.eval cannot be read"),
        ("a.json", b"{", "a.json cannot be read"),
        ("a.json", b"[" * 100_000, "a.json cannot be read"),
        ("a.json", "[{'é': 1}]".encode("latin-1"), "a.json cannot be read"),
        ("a.json.gz", b"PK", "a.json.gz cannot be read"),
        ("a.jsonl", b"", "no list of rows"),
        ("a.json", b'{"a": 1}', "no list of rows"),
        ("a.jsonl.gz", gzip.compress(bytes(250_000_001)), "more than 250,000,000"),
    ],
    ids=range(8),
)
def test_damaged_logs_are_named(tmp_path, capsys, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    assert message in refusal_of(capsys, path)


TWICE = lambda rows: rows.append(rows[0])  # noqa: E731
DAMAGES = {
    "inspect": [
        (lambda log: TWICE(log["samples"]), "has sums q0 1 twice"),
        (lambda log: log["samples"].pop(), "holds 119 of 120 samples"),
        (lambda log: log.pop("status"), "status 'started'"),
        (lambda log: log["eval"].update(model=None), "'model' must be"),
        (lambda log: log["samples"][0].update(id=[1]), "'id' must be"),
        (lambda log: log["samples"][0].update(epoch=1.5), "'epoch' must be"),
        (lambda log: log["samples"][0].update(scores=[1]), "cannot be read"),
        (lambda log: log["samples"][0]["scores"].update(match={}), "cannot be read"),
        (lambda log: log["samples"][0]["scores"].update(match={"value": "x"}), "Row 1"),
    ],
    "harness": [
        (TWICE, "twice"),
        (lambda rows: rows[0].update(doc_id=None), "'doc_id' must be"),
        (lambda rows: rows[9].pop("doc_id"), "cannot be read"),
        (lambda rows: rows[0].update(metrics="exact_match"), "cannot be read"),
        (lambda rows: rows[0].update(exact_match="x"), "Row 1"),
        (lambda rows: rows[0].update(exact_match=float("inf")), "Row 1"),
    ],
    "promptfoo": [
        (TWICE, "has openai/old 0 twice"),
        (lambda rows: rows[0].update(testIdx=None), "'testIdx' must be"),
        (lambda rows: rows[0].update(provider=""), "'provider' must be"),
        (lambda rows: rows[0].update(score="x"), "Row 1"),
    ],
}


@pytest.mark.parametrize(
    ("tool", "damage", "message"),
    [(tool, *case) for tool, cases in DAMAGES.items() for case in cases],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_logs_with_wrong_fields_are_refused(tmp_path, capsys, tool, damage, message):
    paths = [tmp_path / "old.jsonl", tmp_path / "new.jsonl"]
    if tool == "inspect":
        paths = [path.with_suffix(".json") for path in paths]
        logs = [log_of_inspect(model) for model in ANSWERS]
        damage(logs[0])
        texts = map(json.dumps, logs)
    elif tool == "harness":
        texts = [samples_of_harness(answers[0]) for answers in ANSWERS.values()]
        rows = [json.loads(line) for line in texts[0].splitlines()]
        damage(rows)
        texts[0] = "\n".join(map(json.dumps, rows))
    else:
        rows = rows_of_promptfoo(1)
        damage(rows)
        texts = ["\n".join(map(json.dumps, rows))]
        paths = paths[:1]
    for path, text in zip(paths, texts, strict=False):
        path.write_text(text, encoding="utf-8")
    assert message in refusal_of(capsys, *paths)


def test_zips_that_lie_of_their_size_or_did_not_end_are_refused(tmp_path, capsys):
    log, path = log_of_inspect("openai/old"), tmp_path / "a.eval"
    log["samples"][0]["input"] = " " * 10**7
    write_eval(path, log)
    content = bytearray(path.read_bytes())
    entry = content.rindex(b"PK\1\2", 0, content.rindex(b"samples/q0_epoch_1.json"))
    content[entry + 24 : entry + 28] = (100).to_bytes(4, "little")
    path.write_bytes(content)
    assert "a.eval cannot be read" in refusal_of(capsys, path)
    write_eval(path, log, compression=zipfile.ZIP_BZIP2)
    assert "compressed by the method 12" in refusal_of(capsys, path)
    write_eval(path, log, header="start.json")
    assert "no item named 'header.json'" in refusal_of(capsys, path)


def test_lines_may_hold_separators_of_lines(tmp_path, capsys):
    paths = [tmp_path / "old.jsonl", tmp_path / "new.jsonl"]
    for path, answers in zip(paths, ANSWERS.values(), strict=True):
        text = samples_of_harness(answers[0]).replace('"?"', '"\u2028\x85?"')
        path.write_text(text, encoding="utf-8-sig")
    answer, _ = answer_of(capsys, paths)
    expected = compare_scores({name: rows[0] for name, rows in ANSWERS.items()})
    assert answer["rows"][0]["pvalue"] == pytest.approx(expected.pvalue_)


@pytest.mark.parametrize("change", ["task", "id", "scorer"])
def test_samples_of_other_tasks_or_scorers_are_not_paired(tmp_path, capsys, change):
    logs = [log_of_inspect(model) for model in ANSWERS]
    if change == "task":
        logs[1]["eval"]["task"] = "products"
    for sample in logs[1]["samples"]:
        if change == "id":
            sample["id"] = f"new {sample['id']}"
        elif change == "scorer":
            sample["scores"] = {"judge": sample["scores"]["match"]}
    paths = [tmp_path / "old.json", tmp_path / "new.json"]
    for path, log in zip(paths, logs, strict=True):
        path.write_text(json.dumps(log), encoding="utf-8")
    line = refusal_of(capsys, *paths)
    assert ("not paired" in line) == (change != "scorer")


@pytest.mark.parametrize("n_fields", [2, 12])
def test_other_documents_of_the_harness_are_not_paired(tmp_path, capsys, n_fields):
    """Also if a version writes fewer fields beside number, content and score."""
    paths = []
    for answers, content in zip(ANSWERS.values(), "ab", strict=True):
        rows = map(json.loads, samples_of_harness(answers[0]).splitlines())
        kept = ["doc_id", "exact_match", "filter", "metrics"][:n_fields]
        texts = [
            json.dumps({k: row[k] for k in kept} | {"doc_hash": content})
            for row in rows
        ]
        paths.append(tmp_path / f"{content}.jsonl")
        paths[-1].write_text("\n".join(texts), encoding="utf-8")
    assert "not paired" in refusal_of(capsys, *paths)
    paths[1].write_text(paths[1].read_text("utf-8").replace('"b"', '"a"'), "utf-8")
    answer_of(capsys, paths)
