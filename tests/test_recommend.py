"""recommend: advice whose code runs, from what was measured."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import KFoldTTest, compare_estimators, compare_table, recommend


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
    assert more == pytest.approx(recommend(1000).detectable_difference / 2, rel=0.01)


@pytest.mark.parametrize("n_samples", [12, 50, 113, 115, 130, 200])
def test_no_difference_is_larger_than_the_disagreement_it_is_said_for(n_samples):
    advice = recommend(n_samples)
    assert 0 < advice.detectable_difference < 1
    assert advice.detectable_difference <= recommend(10).detectable_difference
    is_small = advice.detectable_difference <= 0.1
    assert ("right on 10% of" in " ".join(str(advice).split())) == is_small


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


def test_a_comparison_says_when_more_was_at_hand():
    rng = np.random.default_rng(0)
    table = {
        "model": np.repeat(["a", "b"], 200),
        "fold": np.tile(np.arange(200) % 10, 2),
        "id": np.tile(np.arange(200), 2),
        "loss": rng.random(400),
    }
    result = compare_table(table, example="id", test=KFoldTTest())
    line = "For the same number of fits, 2 x 5-fold cross-validation with Integrated"
    assert line in " ".join(str(result).split())


def test_no_design_is_advised_that_few_groups_rule_out():
    rng = np.random.default_rng(0)
    X, y, groups = rng.normal(size=(70, 2)), rng.integers(2, size=70), np.arange(70) % 7
    models = {"a": DummyClassifier(), "b": DummyClassifier(strategy="uniform")}
    with pytest.warns(UserWarning, match="7 groups"):
        result = compare_estimators(models, X, y, groups=groups)
    assert "is more powerful" not in " ".join(str(result).split())
