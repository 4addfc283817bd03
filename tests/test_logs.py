"""Logs of inspect-ai and lm-evaluation-harness: the same answer as arrays in memory."""

import json
import os
import subprocess
import sys
import textwrap
import zipfile

import numpy as np
import pytest
from common import main
from log_files import (
    CORRECT,
    FOLDER,
    inspect_log,
    lm_eval_rows,
    write_inspect,
    write_lm_eval,
)

from sklearn_cvtest import compare_scores
from sklearn_cvtest.adapters import read_inspect, read_lm_eval
from sklearn_cvtest.exceptions import MissingScoresWarning

OF_RUNS = compare_scores(CORRECT).pvalue_
INSPECT = [FOLDER / "inspect" / f"{name}.eval" for name in CORRECT]


def pvalue(table, **options):
    return compare_scores(table, run="run", **options).pvalue_


def write_all(folder, logs):
    paths = [folder / f"{number}.json" for number in range(len(logs))]
    for path, log in zip(paths, logs, strict=True):
        write_inspect(path, log)
    return paths


@pytest.mark.parametrize("ends", [("eval", "eval"), ("json", "eval")])
def test_epochs_are_runs(ends):
    paths = [path.with_suffix(f".{e}") for path, e in zip(INSPECT, ends, strict=True)]
    table = read_inspect(paths)
    assert list(table) == ["model", "example", "run", "score"]
    assert list(dict.fromkeys(table["model"])) == ["mockllm/old", "mockllm/new"]
    assert pvalue(table) == OF_RUNS
    named = read_inspect({"a": paths[0], "b": [paths[1]]})
    assert set(named["model"]) == {"a", "b"}


def test_several_logs_are_runs(tmp_path):
    logs = [
        inspect_log(name, run[np.newaxis], created=f"2026-01-0{day}")
        for name, scores in CORRECT.items()
        for day, run in enumerate(scores, 1)
    ]
    write_all(tmp_path, logs)
    assert pvalue(read_inspect(tmp_path)) == OF_RUNS


def test_samples_of_lm_eval(tmp_path):
    table = read_lm_eval([FOLDER / "lm_eval" / name for name in CORRECT])
    assert list(dict.fromkeys(table["model"])) == ["old", "new"]
    assert pvalue(table) == OF_RUNS
    for name, scores in CORRECT.items():
        write_lm_eval(tmp_path / name, name, lm_eval_rows(scores[0]), better=False)
    assert "loss" in read_lm_eval(tmp_path)


def test_groups_of_examples(tmp_path):
    inspected = read_inspect(INSPECT, group="document")
    harness = read_lm_eval(FOLDER / "lm_eval", group="document")
    for table in (inspected, harness):
        assert table["group"][:4] == ["d0", "d0", "d1", "d1"]
    with pytest.raises(ValueError, match=r"`group` must be a field .* example q0"):
        read_inspect(INSPECT, group="patient")


def test_zstandard_as_inspect_ai_writes_it(tmp_path):
    zstandard = pytest.importorskip("zstandard")
    path = tmp_path / "a.eval"
    content = json.dumps(inspect_log("old", CORRECT["old"])["samples"]).encode()
    frames = [content[:100], content[100:]]  # it writes several
    compressed = b"".join(map(zstandard.ZstdCompressor().compress, frames))
    write_inspect(path, inspect_log("old", CORRECT["old"]), zipfile.ZIP_STORED)
    with zipfile.ZipFile(path) as archive:
        header = archive.read("header.json")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", header)
        archive.writestr("summaries.json", compressed)
        member = archive.getinfo("summaries.json")
        start = member.header_offset
        member.compress_type, member.CRC = 93, zipfile.crc32(content)
        member.file_size = len(content)
    assert read_inspect(path)["score"] == CORRECT["old"].ravel().tolist()
    damaged = bytearray(path.read_bytes())
    damaged[start + 30 + len("summaries.json") + 40] ^= 255
    path.write_bytes(damaged)
    with pytest.raises(ValueError, match=r"`paths` must be an intact log .*a\.eval"):
        read_inspect(path)


def test_scorers_tasks_and_values(tmp_path):
    log = inspect_log("old", CORRECT["old"])
    for sample in log["samples"]:
        sample["scores"]["grade"] = {"value": {"style": "P", "facts": 0.25}}
    other = inspect_log("old", CORRECT["old"], task="words", created="2026-02")
    paths = write_all(tmp_path, [log, other])
    with pytest.raises(ValueError, match="`task` must be one of 'sums', 'words'"):
        read_inspect(paths)
    with pytest.raises(ValueError, match="`scorer` must be one of 'grade/facts'"):
        read_inspect(paths, task="sums")
    table = read_inspect(paths, task="sums", scorer="grade/style")
    assert set(table["score"]) == {0.5}
    both = read_inspect(paths, task=["sums", "words"], scorer="match")
    assert both["example"][0] == "sums/q0"
    assert len(both["score"]) == 2 * CORRECT["old"].size


def test_filters_and_metrics(tmp_path):
    rows = lm_eval_rows([0, 1, 1], ("strict", "flexible"), f1=0.5, pair=[1, 2])
    write_lm_eval(tmp_path, "a", rows)
    with pytest.raises(ValueError, match="`metric` must be one of 'acc', 'f1', 'pair'"):
        read_lm_eval(tmp_path)
    with pytest.raises(
        ValueError, match="`filter` must be one of 'flexible', 'strict'"
    ):
        read_lm_eval(tmp_path, metric="f1")
    table = read_lm_eval(tmp_path, metric="acc", filter="strict")
    assert table["score"] == [0, 1, 1]
    with pytest.raises(ValueError, match="`metric` must be one number for each"):
        read_lm_eval(tmp_path, metric="pair", filter="strict")


@pytest.mark.parametrize("defect", ["error", "unscored", "not run"])
def test_missing_scores_are_named_dropped_or_zero(tmp_path, defect):
    log = inspect_log("old", CORRECT["old"])
    sample = next(s for s in log["samples"] if (s["id"], s["epoch"]) == ("q3", 2))
    if defect == "error":
        sample |= {"scores": {}, "error": "RuntimeError"}
    elif defect == "unscored":
        sample["scores"]["match"]["value"] = float("nan")
    else:
        log["samples"].remove(sample)
    paths = write_all(tmp_path, [log, inspect_log("new", CORRECT["new"])])
    with pytest.raises(
        ValueError, match=r"1 without: 'mockllm/old', run 2, example q3"
    ):
        read_inspect(paths)
    with pytest.warns(MissingScoresWarning, match="one example is left out of all"):
        table = read_inspect(paths, missing="drop")
    without = {name: np.delete(scores, 3, axis=1) for name, scores in CORRECT.items()}
    assert pvalue(table) == pytest.approx(compare_scores(without).pvalue_)
    with pytest.warns(MissingScoresWarning, match="1 scores are counted as 0"):
        table = read_inspect(paths, missing="zero")
    zero = {name: scores.copy() for name, scores in CORRECT.items()}
    zero["old"][1, 3] = False
    assert pvalue(table) == pytest.approx(compare_scores(zero).pvalue_)


def changed(name="new", **changes):
    return inspect_log(name, CORRECT[name], **changes)


def with_other_input():
    log = changed()
    log["samples"][4]["input"] = "another"
    return log


def with_word():
    log = changed()
    log["samples"][0]["scores"]["match"]["value"] = "excellent"
    return log


@pytest.mark.parametrize(
    ("logs", "message"),
    [
        ([changed() | {"status": "error"}], "that finished; got status 'error'"),
        ([changed() | {"invalidated": True}], "'invalidated'"),
        ([changed() | {"samples": None}], "logs with samples"),
        ([changed(), changed()], "different evaluations; got the same"),
        ([changed("old"), with_other_input()], "got another example q4"),
        ([with_word()], "'excellent' by 'match' of example q0"),
        ([changed(), changed(created="2", task_args={"x": 1})], "another task_args"),
        (
            [changed(), changed(created="2") | {"plan": {"steps": [{"solver": "x"}]}}],
            "another solver",
        ),
        ([{"eval": {}}], "an intact log"),
    ],
)
def test_defects_of_logs_are_named(tmp_path, logs, message):
    paths = write_all(tmp_path, logs)
    with pytest.raises(ValueError, match=f"`paths` must be .*{message}"):
        read_inspect(paths)


def test_another_seed_is_another_run_of_the_same(tmp_path):
    logs = [
        changed(created=str(seed), model_generate_config={"seed": seed})
        for seed in (1, 2)
    ]
    assert set(read_inspect(write_all(tmp_path, logs))["run"]) == {1, 2, 3, 4, 5, 6}


def test_damaged_and_unfinished_files(tmp_path):
    path = tmp_path / "a.eval"
    content = INSPECT[0].read_bytes()
    for number in (10, len(content) // 2, len(content) - 5):
        path.write_bytes(content[:number])
        with pytest.raises(ValueError, match=r"an intact log .*a\.eval"):
            read_inspect(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("_journal/start.json", json.dumps(changed()))
    with pytest.raises(ValueError, match="got status 'started'"):
        read_inspect(path)
    with pytest.raises(FileNotFoundError):
        read_inspect(tmp_path / "none.eval")
    with pytest.raises(ValueError, match="files or folders with logs"):
        read_lm_eval(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[:-1], "example 11"),
        (lambda rows: [*rows, rows[0]], "example 0 twice"),
        (lambda rows: [row | {"doc_hash": "x"} for row in rows], "another example 0"),
        (lambda rows: [{"a": 1}], "rows of samples"),
    ],
)
def test_defects_of_samples_are_named(tmp_path, change, message):
    write_lm_eval(tmp_path / "old", "old", lm_eval_rows(CORRECT["old"][0]))
    write_lm_eval(tmp_path / "new", "new", change(lm_eval_rows(CORRECT["new"][0])))
    with pytest.raises(ValueError, match=f"`paths` must be .*{message}"):
        read_lm_eval(tmp_path)
    write_lm_eval(
        tmp_path / "new", "old", lm_eval_rows(CORRECT["new"][0]), model_args=3
    )
    with pytest.raises(ValueError, match="'old' with another model_args"):
        read_lm_eval(tmp_path)


def test_a_verdict_from_logs_on_the_command_line(capsys):
    paths = [str(path) for path in INSPECT]
    assert main(["compare", *paths]) == 0
    assert f"p = {OF_RUNS:.3f}" in capsys.readouterr().out
    gate = ["--reference", "mockllm/old", "--margin", "0.02"]
    assert main(["compare", *paths, *gate]) in (0, 3)
    capsys.readouterr()
    assert main(["compare", str(FOLDER / "lm_eval"), "--metric", "acc"]) == 0
    assert f"p = {OF_RUNS:.3f}" in capsys.readouterr().out
    assert main(["doctor", str(FOLDER / "lm_eval")]) == 0
    assert capsys.readouterr().out.count("\n") == 5
    assert main(["compare", "a.csv", "b.csv"]) == 2
    assert "several files are for logs only" in capsys.readouterr().err


INSPECT_SCRIPT = """
    import json, random, sys
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import includes, match
    from inspect_ai.solver import generate

    samples = [
        Sample(id=f"q{i}", input=f"{i}?", target="yes", metadata={"document": i // 2})
        for i in range(40)
    ]
    scores = {}
    for name, skill in (("old", 0.4), ("new", 0.7)):
        for end in ("eval", "json"):
            rng = random.Random(name)
            right = [[rng.random() < skill for _ in samples] for _ in range(3)]
            outputs = [
                ModelOutput.from_content("mock", "it is yes" if one else "it is no")
                for epoch in right
                for one in epoch
            ]
            for output in outputs:  # which it would count by a tokenizer, from afar
                output.usage = ModelUsage()
            mock = f"mockllm/{name}"
            model = get_model(mock, custom_outputs=outputs, memoize=False)
            scorer = [includes(), match()]
            task = Task(name="yes", dataset=samples, solver=generate(), scorer=scorer)
            (log,) = eval(
                task, model=model, epochs=3, log_dir=end, log_format=end,
                display="none", max_connections=1, max_samples=1,
            )
            assert log.status == "success", log.error
            found = {(s.id, s.epoch): s.scores["includes"] for s in log.samples}
            scores[name] = [
                [found[s.id, epoch].value == "C" for s in samples]
                for epoch in (1, 2, 3)
            ]
    json.dump(scores, open("scores.json", "w"))
"""
LM_EVAL_SCRIPT = """
    import json, os
    import yaml
    from lm_eval import simple_evaluate
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    os.mkdir("tasks")
    with open("data.json", "w") as file:
        for i in range(40):
            doc = {"question": f"{i} mod 3?", "answer": i % 3, "document": f"d{i // 2}"}
            file.write(json.dumps(doc) + "\\n")
    task = {
        "task": "sums", "dataset_path": "json", "test_split": "test",
        "dataset_kwargs": {"data_files": {"test": os.path.abspath("data.json")}},
        "output_type": "multiple_choice", "doc_to_text": "{{question}}",
        "doc_to_choice": ["0", "1", "2"], "doc_to_target": "{{answer}}",
        "metric_list": [{"metric": "acc"}, {"metric": "acc_norm"}],
    }
    with open("tasks/sums.yaml", "w") as file:
        yaml.safe_dump(task, file)
    scores = {}
    for name in ("old", "new"):
        for seed in (1, 2, 3):
            tracker = EvaluationTracker(output_path="logs")
            results = simple_evaluate(
                model="dummy", model_args=f"pretrained={name}", tasks=["sums"],
                task_manager=TaskManager(include_path="tasks"), log_samples=True,
                random_seed=10 * seed + len(scores), evaluation_tracker=tracker,
            )
            samples = results.pop("samples")
            tracker.save_results_aggregated(results=results, samples=samples)
            tracker.save_results_samples(task_name="sums", samples=samples["sums"])
            scores.setdefault(name, []).append([row["acc"] for row in samples["sums"]])
    json.dump(scores, open("scores.json", "w"))
"""


@pytest.mark.full
@pytest.mark.parametrize("package", ["inspect_ai", "lm_eval"])
def test_logs_that_the_packages_write(tmp_path, package):
    pytest.importorskip(package, reason=f"needs {package}, of the extra evals")
    script = {"inspect_ai": INSPECT_SCRIPT, "lm_eval": LM_EVAL_SCRIPT}[package]
    (tmp_path / "script.py").write_text(textwrap.dedent(script))
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    environment = os.environ | offline | {"HF_HOME": str(tmp_path / "home")}
    found = subprocess.run(
        [sys.executable, "script.py"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert found.returncode == 0, found.stderr[-2000:]
    scores = json.loads((tmp_path / "scores.json").read_text())
    scores = {name: np.array(runs) for name, runs in scores.items()}
    expected = compare_scores(scores).pvalue_
    assert 0 < expected < 1
    if package == "lm_eval":
        tables = [read_lm_eval(tmp_path / "logs", metric="acc", group="document")]
    else:
        tables = [
            read_inspect(tmp_path / end, scorer="includes", group="document")
            for end in ("eval", "json")
        ]
    for table in tables:
        assert pvalue(table) == pytest.approx(expected, rel=1e-12)
        of_groups = compare_scores(scores, group=np.repeat(np.arange(20), 2)).pvalue_
        assert pvalue(table, group="group") == pytest.approx(of_groups, rel=1e-12)
