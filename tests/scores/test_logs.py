"""Logs of inspect-ai, the lm-evaluation-harness and promptfoo, without these packages.

The logs are made here, with the fields that the tools write.
"""

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
        "results": {"total_samples": 120, "scores": []},
        "stats": {"started_at": "2026-01-01T00:00:00"},
        "samples": [
            sample_of_inspect(number, epoch, is_right)
            for epoch, answers in enumerate(ANSWERS[model])
            for number, is_right in enumerate(answers)
        ],
    }


def write_eval(path, log, header="header.json", summaries="summaries.json"):
    """Write a log as the .eval file of inspect-ai: a zip of JSON."""
    samples = log["samples"]
    head = {key: value for key, value in log.items() if key != "samples"}
    with zipfile.ZipFile(path, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", json.dumps(head))
        for sample in samples:
            name = f"samples/{sample['id']}_epoch_{sample['epoch']}.json"
            archive.writestr(name, json.dumps(sample))
        if summaries:
            archive.writestr(summaries, json.dumps(samples))
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


@pytest.mark.parametrize(
    "names", [("header.json", "summaries.json"), ("start.json", None)]
)
def test_eval_files_of_inspect(tmp_path, capsys, names):
    paths = [tmp_path / f"{name.rpartition('/')[2]}.eval" for name in ANSWERS]
    for path, model in zip(paths, ANSWERS, strict=True):
        write_eval(path, log_of_inspect(model), *names)
    answer, said = answer_of(capsys, paths)
    expected = compare_scores(ANSWERS)
    assert answer["rows"][0]["pvalue"] == pytest.approx(expected.pvalue_)
    assert set(answer["means"]) == set(ANSWERS)
    assert "taken: a row for each model and example (--" not in said


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


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.eval", b"PK", "a.eval"),
        ("a.json", b"{", "a.json"),
        ("a.json", b'{"a": 1}', "no list of rows"),
    ],
)
def test_damaged_logs_are_named(tmp_path, capsys, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    assert main(["compare", str(path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
