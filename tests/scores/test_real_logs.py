"""Logs that inspect-ai, lm-eval and promptfoo wrote, beside what their JSON says."""

import gzip
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from common import main

from sklearn_cvtest import compare_file, compare_scores

FILES = Path(__file__).parents[1] / "files"


def hits_of_inspect():
    """Return {model: hits} as the JSON logs say them."""
    hits = {}
    for path in sorted(FILES.glob("inspect_*.json.gz")):
        log = json.loads(gzip.decompress(path.read_bytes()))
        values = [sample["scores"]["match"]["value"] for sample in log["samples"]]
        hits[log["eval"]["model"]] = np.array(values) == "C"
    return hits


def hits_of_harness():
    hits = {}
    for name in ("old", "new"):
        lines = (FILES / "harness" / name / "samples_sums.jsonl").read_text(
            encoding="utf-8"
        )
        rows = sorted(map(json.loads, lines.splitlines()), key=lambda r: r["doc_id"])
        hits[name] = np.array([row["exact_match"] for row in rows])
    return hits


def hits_of_promptfoo():
    log = json.loads(gzip.decompress((FILES / "promptfoo.json.gz").read_bytes()))
    rows = sorted(log["results"]["results"], key=lambda row: row["testIdx"])
    hits = {}
    for number, prompt in enumerate(("{{old}}", "{{new}}")):
        of_prompt = [row["success"] for row in rows if row["promptIdx"] == number]
        hits[f"echo {prompt}"] = np.array(of_prompt)
    return hits


LOGS = {
    "inspect-ai .eval": ("inspect_*.eval", hits_of_inspect),
    "inspect-ai JSON": ("inspect_*.json.gz", hits_of_inspect),
    "lm-eval": ("harness/*/*.jsonl", hits_of_harness),
    "promptfoo": ("promptfoo.json.gz", hits_of_promptfoo),
}


@pytest.mark.parametrize("name", LOGS)
def test_logs_are_compared(capsys, name):
    if name.endswith(".eval"):
        pytest.importorskip("zstandard")
    pattern, hits_of = LOGS[name]
    paths = sorted(map(str, FILES.glob(pattern)))
    assert main(["compare", *paths, "--json", "-"]) == 0
    answer, hits = json.loads(capsys.readouterr().out), hits_of()
    assert answer["means"] == pytest.approx({k: v.mean() for k, v in hits.items()})
    expected = compare_scores({k: v.astype(float) for k, v in hits.items()})
    assert answer["rows"][0]["pvalue"] == pytest.approx(expected.pvalue_)
    assert compare_file(paths).pvalue_ == pytest.approx(expected.pvalue_)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python reads it")
def test_a_log_that_is_compressed_says_what_is_needed(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "zstandard", None)
    assert main(["compare", str(FILES / "inspect_1.eval")]) == 2
    error = capsys.readouterr().err
    assert "needs zstandard" in error
    assert "inspect log convert" in error


def test_a_log_of_a_failed_evaluation_is_refused(tmp_path, capsys):
    log = json.loads(gzip.decompress((FILES / "inspect_1.json.gz").read_bytes()))
    path = tmp_path / "failed.json"
    path.write_text(json.dumps(log | {"status": "error"}), encoding="utf-8")
    assert main(["compare", str(path)]) == 2
    assert "with the status 'error'" in capsys.readouterr().err
