"""The page "In your build": its workflow, script and schema are tried."""

import contextlib
import copy
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from common import main

from sklearn_cvtest import assert_not_worse, compare_file

GUIDE = Path(__file__).parents[1] / "docs" / "guide"
FILES = GUIDE / "gate_files"
SCHEMA = json.loads((FILES / "gate.schema.json").read_text(encoding="utf-8"))
OPTIONS = ["--score", "accuracy", "--example", "id", "--run", "seed"]
OPTIONS += ["--reference", "production"]
TYPES = {"object": dict, "array": list, "string": str, "number": float | int}
TYPES |= {"null": type(None), "boolean": bool}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder after the step "Evaluate", with the commands that steps call."""
    path = tmp_path_factory.mktemp("build")
    shutil.copy(FILES / "evaluate.py", path)
    for name, module in (("python", ""), ("sklearn-cvtest", "-m sklearn_cvtest ")):
        command = path / "bin" / name
        command.parent.mkdir(exist_ok=True)
        command.write_text(
            f'#!/bin/sh\nexec "{sys.executable}" {module}"$@"\n', encoding="utf-8"
        )
        command.chmod(0o755)
    with (
        open(path / "scores.csv", "w", encoding="utf-8") as file,
        contextlib.redirect_stdout(file),
    ):
        runpy.run_path(str(path / "evaluate.py"), run_name="__main__")
    return path


def run_step(script, folder):
    """Run a script as GitHub Actions does with `shell: bash`."""
    (folder / "step.sh").write_text(script, encoding="utf-8")
    root = str(Path(__file__).parents[1])
    path = os.pathsep.join([str(folder / "bin"), os.environ["PATH"]])
    python_path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), root]))
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "step.sh"],
        cwd=folder,
        env=os.environ | {"PATH": path, "PYTHONPATH": python_path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def steps():
    """Return the scripts of the workflow, by their names."""
    yaml = pytest.importorskip("yaml")
    workflow = yaml.safe_load((FILES / "model-gate.yml").read_text(encoding="utf-8"))
    job = workflow["jobs"]["gate"]
    assert job["defaults"]["run"]["shell"] == "bash"
    return {step["name"]: step["run"] for step in job["steps"] if "run" in step}


def with_candidate(text, change):
    """Return scores in which the examples of the candidate are changed."""
    return re.sub(r"(candidate,\d+,(\d+)),([01])$", change, text, flags=re.MULTILINE)


@pytest.mark.full
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_the_workflow_passes_a_good_model_and_stops_a_bad_one(folder):
    scripts = steps()
    assert list(scripts) == ["Install", "Evaluate", "Gate"]
    assert scripts["Install"].endswith("pip install sklearn_cvtest")
    assert run_step(scripts["Evaluate"], folder).returncode == 0
    scores = (folder / "scores.csv").read_text(encoding="utf-8")
    found = run_step(scripts["Gate"], folder)
    assert found.returncode == 0, found.stderr
    assert (
        "candidate is not worse than production by more than 2 points" in found.stdout
    )
    assert (folder / "gate.txt").read_text(encoding="utf-8") == found.stdout
    gate = json.loads((folder / "gate.json").read_text(encoding="utf-8"))["gate"]
    assert gate["decisions"] == {"candidate": "shown"}
    assert "<html" in (folder / "gate.html").read_text(encoding="utf-8")
    bad = with_candidate(scores, lambda m: f"{m[1]},{m[3] if int(m[2]) % 5 else 0}")
    (folder / "scores.csv").write_text(bad, encoding="utf-8")
    assert run_step(scripts["Gate"], folder).returncode == 1
    (folder / "scores.csv").write_text("model\n", encoding="utf-8")
    assert run_step(scripts["Gate"], folder).returncode == 2
    (folder / "scores.csv").write_text(scores, encoding="utf-8")


@pytest.mark.full
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_an_inconclusive_answer_can_be_a_warning(folder):
    text = (GUIDE / "build.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"^```bash\n(.*?)^```", text, re.M | re.S)
    found = run_step(script, folder)
    assert found.returncode == 0
    assert "::warning::" not in found.stdout
    few = script.replace("0.02", "0.001")
    found = run_step(few, folder)
    assert found.returncode == 0
    assert "::warning::not known" in found.stdout
    assert run_step(few.replace("production", "nobody"), folder).returncode == 2


def test_the_script_of_the_page_is_a_table_of_scores(folder):
    table = folder / "scores.csv"
    result = compare_file(table, example="id", run="seed", score="accuracy")
    assert_not_worse(result, "candidate", than="production", margin=0.02)


def problems(value, schema, where="gate"):
    """Yield what is not as a schema says, of the keywords that are used here."""
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(isinstance(value, TYPES[kind]) for kind in kinds):
        yield f"{where}: {value!r} is no {kinds}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r}"
    if value is not None and not (
        schema.get("minimum", value) <= value <= schema.get("maximum", value)
        if isinstance(value, float | int)
        else True
    ):
        yield f"{where}: {value!r} is outside"
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from problems(item, schema["items"], f"{where}[{number}]")
    if isinstance(value, dict):
        yield from (
            f"{where}: no {n}" for n in schema.get("required", []) if n not in value
        )
        known, others = schema.get("properties", {}), schema.get("additionalProperties")
        for name, item in value.items():
            if name in known or isinstance(others, dict):
                yield from problems(item, known.get(name, others), f"{where}.{name}")
            elif others is False:
                yield f"{where}: {name} is not known"


def gates(folder, capsys):
    """Yield the gates of some margins, as the command writes them."""
    for margin in ("0", "0.001", "0.02", "0.5"):
        table = str(folder / "scores.csv")
        main(["compare", table, *OPTIONS, "--margin", margin, "--json", "-"])
        yield json.loads(capsys.readouterr().out)["gate"]


def test_the_schema_describes_what_is_written(folder, capsys):
    keywords = {"$schema", "title", "description", "type", "required", "properties"}
    keywords |= {"enum", "minimum", "maximum", "items", "additionalProperties"}
    found = json.dumps(SCHEMA)
    assert set(SCHEMA) <= keywords, found
    for gate in gates(folder, capsys):
        assert not list(problems(gate, SCHEMA))
        assert set(gate) - {"versions"} == set(SCHEMA["properties"])


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("decision", "passed"),
        ("margin", -1),
        ("pvalue_worse", 1.5),
        ("model", None),
        ("more", 1),
        ("estimate", "0.1"),
    ],
)
def test_the_schema_refuses_other_output(folder, capsys, key, value):
    gate = copy.deepcopy(next(gates(folder, capsys)))
    gate["rows"][0][key] = value
    assert list(problems(gate, SCHEMA))
    del gate["rows"][0]["model"]
    assert any("no model" in problem for problem in problems(gate, SCHEMA))
