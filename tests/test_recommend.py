"""recommend: advice whose code runs, from what was measured."""

import csv
from pathlib import Path

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import KFoldTTest, compare_table, recommend
from sklearn_cvtest._advice._study import HALVES, MEASURED, SUBSAMPLES, ZERO_ONE_RHO

STUDY = Path(__file__).parent.parent / "docs" / "study.csv"


@pytest.mark.parametrize(
    ("options", "cv", "test"),
    [
        ({}, "BlockKFold(5, n_repeats=2, stratify=True", "IntegratedRhoTest()"),
        ({"seconds_per_fit": 1, "budget": 12}, "BlockKFold(5, strat", "Integrated"),
        ({"seconds_per_fit": 1, "budget": 70}, "(5, n_repeats=6", "Integrated"),
        ({"metric": "top_k_accuracy"}, "(5, n_repeats=2", "CorrectedRepeatedKFold"),
        ({"metric": "squared_error"}, "(5, n_repeats=2, random", "Integrated"),
        ({"n_groups": 6}, "(5, n_repeats=2", "CorrectedRepeatedKFold"),
        ({"purpose": "conservative"}, "BlockKFold(10", "KFoldTTest()"),
        ({"purpose": "high rho"}, "PairedHalves(BlockKFold(5", "PairedHalvesTTest()"),
        (
            {"purpose": "high rho", "seconds_per_fit": 1, "budget": 99},
            "BlockKFold(10",
            "KFoldTTest()",
        ),
        ({"purpose": "reproducible"}, "(5, n_repeats=6", "Integrated"),
        ({"purpose": "fitted models"}, "RepeatedSubsample(1", "McNemarTest()"),
        ({"purpose": "forecasts"}, "TimeSeriesSplit(5)", "DieboldMarianoTest()"),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_advice_and_its_code(options, cv, test):
    advice = recommend(200, **options)
    assert cv in advice.cv
    assert test in advice.test
    if options.get("metric", "zero_one") == "zero_one":
        X = np.random.default_rng(0).normal(size=(200, 2))
        y = X[:, 0] + np.random.default_rng(1).normal(size=200) > 0
        models = {"a": DummyClassifier(), "b": DecisionTreeClassifier(max_depth=2)}
        names = {"models": models, "X": X, "y": y, "groups": np.arange(200) % 6}
        code = advice.code.replace("print(result)", "")
        exec(code, names)
        table = next(iter(names["result"].tables.values()))
        assert repr(table.test).split("(")[0] == advice.test.split("(")[0]
        assert len(names["result"].losses.block_losses) == advice.n_fits


def test_says_price_and_what_it_can_find():
    text = str(recommend(1000, seconds_per_fit=30))
    assert "10 fits of each estimator, 10 minutes for two" in text
    assert 0.03 < recommend(1000).detectable_difference < 0.04
    more = recommend(4000).detectable_difference
    assert more == pytest.approx(recommend(1000).detectable_difference / 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"budget": 10}, "`seconds_per_fit` must be given"),
        ({"budget": 10, "seconds_per_fit": 2}, "`budget` must be enough"),
        ({"purpose": "win"}, "`purpose` must be one of"),
        ({"n_groups": 101}, "at most n_samples"),
        ({"metric": "nonsense"}, r"`metric` must be one of get_loss_names"),
        ({"metric": "pinball(nonsense)"}, r"scorer; got 'pinball"),
    ],
)
def test_refusals(options, message):
    with pytest.raises(ValueError, match=message):
        recommend(100, **options)


@pytest.mark.skipif(not STUDY.exists(), reason="the study is not there")
@pytest.mark.parametrize("row", [*MEASURED, HALVES, SUBSAMPLES], ids=str)
def test_numbers_are_those_of_the_study(row):
    with STUDY.open() as file:
        cells = [
            cell
            for cell in csv.DictReader(file)
            if (cell["design"], cell["test"]) == (row.design, row.test)
        ]
    for column in ("size", "power_2sd", "power_3sd"):
        mean = np.mean([float(cell[column]) for cell in cells])
        assert getattr(row, column) == pytest.approx(mean, abs=0.006)


def test_rho_of_the_advice_is_that_of_the_study():
    with STUDY.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["loss"] == "zero_one"]
    names = ("population", "n", "first", "second", "half")
    cells = {tuple(row[name] for name in names): float(row["rho"]) for row in rows}
    assert np.median(list(cells.values())) == pytest.approx(ZERO_ONE_RHO, abs=0.005)


def test_a_comparison_says_when_more_was_at_hand():
    rng = np.random.default_rng(0)
    table = {
        "model": np.repeat(["a", "b"], 200),
        "fold": np.tile(np.arange(200) % 10, 2),
        "id": np.tile(np.arange(200), 2),
        "loss": rng.random(400),
    }
    result = compare_table(table, example="id", test=KFoldTTest())
    line = "For no more fits, 2 x 5-fold cross-validation with IntegratedRhoTest()"
    assert line in " ".join(str(result).split())
