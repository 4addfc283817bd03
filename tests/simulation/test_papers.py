"""The scripts that reproduce the papers: from stored results, and simulated anew."""

import csv
import runpy
import sys
from pathlib import Path

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")
import matplotlib.pyplot as plt

FOLDER = Path(__file__).parents[2] / "examples" / "papers"
SCRIPTS = sorted(FOLDER.glob("plot_*.py"))
every_script = pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)

pytestmark = [
    pytest.mark.lint,
    pytest.mark.skipif(not SCRIPTS, reason="the examples are not there"),
    pytest.mark.filterwarnings("ignore:.*layout engine.*:UserWarning"),
]


@pytest.fixture
def run_script(monkeypatch, capsys):
    """Return a function that runs a script with options and returns what it prints."""
    monkeypatch.syspath_prepend(str(FOLDER))
    for name in ("_papers", "_contributions"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    # Agg shows nothing and says so
    monkeypatch.setattr(plt, "show", lambda *args, **kwargs: None)

    def run(script, *options):
        monkeypatch.setattr(sys, "argv", [str(script), *map(str, options)])
        capsys.readouterr()
        run.names = runpy.run_path(str(script), run_name="__main__")
        assert plt.get_fignums()
        plt.close("all")
        return capsys.readouterr().out

    return run


@pytest.fixture
def data(tmp_path):
    """Return a folder with small files of the format of the real ones."""
    rng = np.random.default_rng(0)
    y = rng.integers(26, size=600)
    X = rng.normal(size=(600, 16)) + y[:, np.newaxis] / 13
    with (tmp_path / "letter-recognition.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["Letter", *range(1, 17)])
        writer.writerows([chr(65 + k), *x.round(3)] for k, x in zip(y, X, strict=True))
    y = rng.integers(1, 4, size=500)
    X = rng.normal(size=(500, 54)) + y[:, np.newaxis] / 2
    with (tmp_path / "forest-cover-15k.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"x{i}" for i in range(54)), "Cover_Type"])
        writer.writerows([*x.round(3), k] for k, x in zip(y, X, strict=True))
    return tmp_path


@every_script
def test_script_draws_its_stored_results(run_script, script):
    out = run_script(script)
    assert "DOES NOT HOLD" not in out
    assert "False" not in out
    assert "nan" not in out


@every_script
def test_stored_results_say_what_made_them(script):
    path = FOLDER / "results" / f"{script.stem.removeprefix('plot_')}.csv"
    command, versions, seed, *_ = path.read_text(encoding="utf-8").splitlines()
    assert command.startswith(f"# python {script.name} ")
    assert "--full" in command
    assert "/" not in command
    assert "sklearn_cvtest" in versions
    assert "numpy" in versions
    assert seed.startswith("# seed ")


@every_script
def test_script_simulates_the_rows_it_draws(run_script, script, data, tmp_path):
    stored = FOLDER / "results" / f"{script.stem.removeprefix('plot_')}.csv"
    before = stored.stat().st_mtime_ns
    out = tmp_path / "rows.csv"
    options = ["--quick", "--most", 8, "--jobs", 1, "--data", data]
    first = run_script(script, *options, "--out", out)
    assert "DOES NOT HOLD" not in first  # too few samples for a verdict
    rows = out.read_text(encoding="utf-8")
    assert rows.count("\n") > 4
    assert str(tmp_path) not in rows
    assert stored.stat().st_mtime_ns == before


def test_standard_error_of_a_relative_bias_is_its_deviation(run_script):
    run_script(FOLDER / "plot_grandvalet2006_variance.py")
    rng = np.random.default_rng(0)
    found = [
        run_script.names["relative_bias"](
            rng.normal(0.6, 0.1, size=500), rng.normal(size=500) ** 2
        )
        for _ in range(400)
    ]
    biases, errors = np.transpose(found)
    assert biases.mean() == pytest.approx(-0.4, abs=0.01)
    assert errors.mean() == pytest.approx(biases.std(), rel=0.1)
