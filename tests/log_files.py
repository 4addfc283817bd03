"""Small logs in the formats of inspect-ai and lm-evaluation-harness, made by hand.

`python tests/log_files.py` writes those in tests/logs again. That these are what the
packages write is what `test_logs.py::test_logs_that_the_packages_write` checks.
"""

import json
import zipfile
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent / "logs"
TIME = "2026-01-0{}T00-00-00.000000"
CORRECT = {  # (n_runs, n_examples)
    "old": np.random.default_rng(0).random((3, 12)) < 0.5,
    "new": np.random.default_rng(1).random((3, 12)) < 0.8,
}


def inspect_log(model, scores, *, scorer="match", created="2026-01-01", **changes):
    """Return a log as inspect-ai writes it in JSON; `scores` (n_epochs, n_examples)."""
    n_epochs, n_examples = np.shape(scores)
    ids = [f"q{number}" for number in range(n_examples)]
    samples = [
        {
            "id": name,
            "epoch": epoch + 1,
            "input": f"question {name}",
            "target": name,
            "metadata": {"document": f"d{number // 2}"},
            "scores": {scorer: {"value": "C" if scores[epoch][number] else "I"}},
        }
        for epoch in range(n_epochs)
        for number, name in enumerate(ids)
    ]
    spec = {
        "eval_id": f"{model} {created}",
        "created": created,
        "task": "sums",
        "task_version": 0,
        "task_args": {},
        "model": f"mockllm/{model}",
        "model_args": {},
        "model_generate_config": {},
        "dataset": {"samples": n_examples, "sample_ids": ids, "shuffled": False},
        "config": {"epochs": n_epochs},
    }
    plan = {"steps": [{"solver": "generate", "params": {}}]}
    return {
        "version": 2,
        "status": "success",
        "eval": spec | changes,
        "plan": plan,
        "samples": samples,
    }


def write_inspect(path, log, compression=zipfile.ZIP_DEFLATED):
    """Write a log as .eval or .json."""
    if path.suffix == ".json":
        path.write_text(json.dumps(log))
        return
    header = {key: value for key, value in log.items() if key != "samples"}
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr("_journal/start.json", json.dumps(header))
        archive.writestr("summaries.json", json.dumps(log["samples"]))
        archive.writestr("header.json", json.dumps(header))


def lm_eval_rows(scores, filters=("none",), **metrics):
    """Return the samples that lm-evaluation-harness writes of one run."""
    return [
        {
            "doc_id": number,
            "doc": {"question": f"q{number}", "document": f"d{number // 2}"},
            "filter": name,
            "metrics": ["acc", *metrics],
            "doc_hash": f"hash of {number}",
            "acc": float(score),
        }
        | metrics
        for number, score in enumerate(scores)
        for name in filters
    ]


def write_lm_eval(folder, model, rows, *, task="sums", day=1, better=True, **config):
    """Write samples, and results beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    results = {
        "model_name": model,
        "higher_is_better": {task: {"acc": better}},
        "n-shot": {task: 0},
        "versions": {task: 1},
        "config": {"model": "dummy", "model_args": {}, "gen_kwargs": {}} | config,
    }
    time = TIME.format(day)
    (folder / f"results_{time}.json").write_text(json.dumps(results))
    lines = "\n".join(map(json.dumps, rows))
    (folder / f"samples_{task}_{time}.jsonl").write_text(lines)


if __name__ == "__main__":
    for name, scores in CORRECT.items():
        write_inspect(FOLDER / "inspect" / f"{name}.json", inspect_log(name, scores))
        write_inspect(FOLDER / "inspect" / f"{name}.eval", inspect_log(name, scores))
        for day, run in enumerate(scores, 4 if name == "old" else 1):
            write_lm_eval(FOLDER / "lm_eval" / name, name, lm_eval_rows(run), day=day)
