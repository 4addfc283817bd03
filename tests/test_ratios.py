"""Losses on a scale are compared by ratio, with Fieller's interval."""

import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Lasso, RidgeCV
from sklearn.model_selection import cross_val_predict
from sklearn.neighbors import KNeighborsRegressor

from sklearn_cvtest import (
    BlockKFold,
    Comparison,
    CorrectedResampledTTest,
    FiveByTwo,
    FiveByTwoFTest,
    FiveByTwoTTest,
    KFoldTTest,
    KFoldZTest,
    PairedHalves,
    RepeatedSubsample,
    assert_not_worse,
    compare_estimators,
    compare_scores,
    cross_val_interval,
    cross_val_losses,
)
from sklearn_cvtest.losses import Metric, make_loss
from sklearn_cvtest.results import CVLosses, Design

X, Y = load_diabetes(return_X_y=True)
MODELS = {
    "ridge": RidgeCV(),
    "knn": KNeighborsRegressor(20),
    "lasso": Lasso(alpha=1.0),
}
FOLDS = BlockKFold(5, random_state=0)
TWO = {name: MODELS[name] for name in ("ridge", "lasso")}


SQUARED = Metric(
    "squared_error", "squared error", None, by_ratio=True, root_word="RMSE"
)


def squared_losses(first, second, n_folds=10):
    """Return CVLosses of squared errors, each of shape (n_runs, n)."""
    n_runs, n = first.shape
    n_splits = n_runs * n_folds
    return CVLosses(
        names=("a", "b"),
        values=np.column_stack([first.ravel(), second.ravel()]),
        row_split=np.repeat(np.arange(n_splits), n // n_folds),
        row_index=np.tile(np.arange(n), n_runs),
        n_train=np.full(n_splits, n - n // n_folds),
        n_test=np.full(n_splits, n // n_folds),
        n_samples=n,
        design=Design("repeated k-fold" if n_runs > 1 else "k-fold", n_folds, n_runs),
        metric=SQUARED,
    )


@pytest.fixture(scope="module")
def losses():
    return cross_val_losses(MODELS, X, Y)


@pytest.fixture(scope="module")
def two(losses):
    return Comparison(losses_of(losses, "ridge", "lasso"))


def losses_of(losses, *names):
    """Return the losses of some models, in this order."""
    columns = [losses.names.index(name) for name in names]
    values = losses.values[:, columns]
    return replace(losses, names=names, values=values)


# The interval ---------------------------------------------------------------------


def test_known_values():
    rng = np.random.default_rng(2)
    signal = rng.normal(0, 1, 80)
    first = (signal + rng.normal(0, 0.6, (2, 80))) ** 2
    second = (signal + rng.normal(0, 0.9, (2, 80))) ** 2
    table = Comparison(squared_losses(first, second)).to_frame()
    np.testing.assert_allclose(
        table[["ratio", "ratio_low", "ratio_high", "statistic"]].iloc[0].astype(float),
        [0.813485588992135, 0.560471109538461, 1.151890116540204, -1.192834355638223],
        rtol=1e-12,
    )


def scaled_pvalue(test, losses, ratio):
    """Return the p-value of mean(L1 - ratio L2), by the test itself."""
    factors = np.array([1.0, ratio])
    scaled = replace(losses, values=losses.values * factors)
    return test.evaluate(scaled.residuals(0, 1)).pvalue


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(
    ("cv", "test"),
    [
        (BlockKFold(10, random_state=0), KFoldZTest()),
        (BlockKFold(5, n_repeats=3, random_state=0), KFoldZTest(rho=0.2)),
        (BlockKFold(10, random_state=0), KFoldTTest()),
        (RepeatedSubsample(15, random_state=0), CorrectedResampledTTest()),
        (FiveByTwo(random_state=0), FiveByTwoTTest()),
        (FiveByTwo(random_state=0), FiveByTwoFTest()),
        (PairedHalves(BlockKFold(5), 10, random_state=0), None),
    ],
    ids=repr,
)
def test_ends_are_the_ratios_that_the_test_just_does_not_reject(cv, test, alternative):
    result = compare_estimators(TWO, X, Y, cv=cv, test=test)
    if alternative != "two-sided":
        test = result.table.test
        if not test.is_directed:
            pytest.skip("the F test has two sides")
        test = type(test)(**test.get_params() | {"alternative": alternative})
        result = result.retest(test)
    row = result.to_frame().iloc[0]
    test = result.table.test
    ends = [row.ratio_low, row.ratio_high]
    if alternative != "two-sided":
        ends = [row.ratio_low if alternative == "greater" else row.ratio_high]
    for ratio in ends:
        assert scaled_pvalue(test, result.losses, ratio) == pytest.approx(0.05)


def test_groups_have_the_same_quadratic():
    groups = np.arange(len(Y)) // 4
    result = compare_estimators(TWO, X, Y, groups=groups)
    row = result.to_frame().iloc[0]
    for ratio in (row.ratio_low, row.ratio_high):
        pvalue = scaled_pvalue(result.table.test, result.losses, ratio)
        assert pvalue == pytest.approx(0.05)


@pytest.mark.parametrize("seed", range(8))
def test_interval_holds_one_exactly_if_the_difference_is_not_significant(seed):
    rng = np.random.default_rng(seed)
    first = rng.normal(0, 1, (2, 60)) ** 2
    second = (1 + 0.3 * rng.random()) * rng.normal(0, 1, (2, 60)) ** 2
    row = Comparison(squared_losses(first, second)).to_frame().iloc[0]
    assert (row.ratio_low <= 1 <= row.ratio_high) == (row.pvalue > 0.05)
    assert (row.ci_low <= 0 <= row.ci_high) == (row.pvalue > 0.05)


def test_a_pair_turned_round_has_the_inverse_ratio(losses):
    names = ("ridge", "knn", "lasso")
    frame = Comparison(losses_of(losses, *names)).to_frame()
    turned = Comparison(losses_of(losses, *names[::-1])).to_frame().iloc[::-1]
    assert list(frame["first"]) == list(turned["second"])
    for one, other in (("low", "high"), ("high", "low")):
        np.testing.assert_allclose(frame[f"ratio_{one}"], 1 / turned[f"ratio_{other}"])
        for end in ("", "_simultaneous"):
            np.testing.assert_allclose(
                frame[f"ci_{one}{end}"], -turned[f"ci_{other}{end}"]
            )
    np.testing.assert_allclose(frame["ratio"], 1 / turned["ratio"])
    np.testing.assert_allclose(frame["estimate"], -turned["estimate"])
    np.testing.assert_allclose(frame["pvalue"], turned["pvalue"])


def test_columns_of_differences_are_the_interval_of_the_test_itself(losses):
    for row in Comparison(losses).to_frame().itertuples():
        for level, end in ((0.95, ""), (1 - 0.05 / 3, "_simultaneous")):
            test = KFoldZTest().fit(losses.residuals(row.first, row.second))
            ends = getattr(row, f"ci_low{end}"), getattr(row, f"ci_high{end}")
            np.testing.assert_allclose(ends, test.confidence_interval(level))


def test_columns_of_differences_cover_the_difference_in_either_order():
    covered = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        first = rng.normal(0, 1, (1, 80)) ** 2
        second = rng.normal(0, 3, (1, 80)) ** 2
        row = Comparison(squared_losses(first, second)).to_frame().iloc[0]
        turned = Comparison(squared_losses(second, first)).to_frame().iloc[0]
        covered.append(
            [row.ci_low <= 1 - 9 <= row.ci_high, turned.ci_low <= 8 <= turned.ci_high]
        )
    rates = np.mean(covered, axis=0)
    assert rates[0] == rates[1]
    assert 0.92 < rates[0] < 1


def test_an_interval_without_an_end_is_not_printed():
    rng = np.random.default_rng(0)
    first, second = rng.random((1, 60)), 1e-3 * rng.random((1, 60))
    second[0, 0] = 40.0  # the mean of the second rests on one example
    for pair in ((first, second), (second, first)):
        result = Comparison(squared_losses(*pair))
        row = result.to_frame().iloc[0]
        assert row.ratio_low == 0 or row.ratio_high == np.inf
        assert row.ratio_low < row.ratio < row.ratio_high
        assert row.ci_low < 0 < row.ci_high
        assert "inf" not in str(result)
        assert "nan" not in str(result)


def test_of_two_pieces_the_interval_is_the_one_with_the_estimate():
    rng = np.random.default_rng(0)
    second = rng.random((1, 60))
    second[0, 0] = 60.0  # both means rest on it, their difference does not
    first = second + 0.3 + 0.1 * rng.random((1, 60))
    row = Comparison(squared_losses(first, second)).to_frame().iloc[0]
    turned = Comparison(squared_losses(second, first)).to_frame().iloc[0]
    assert row.pvalue < 0.001
    assert 1 < row.ratio_low < row.ratio
    assert row.ratio_high == np.inf
    assert turned.ratio_low == 0
    assert turned.ratio < turned.ratio_high < 1
    np.testing.assert_allclose(turned.ratio_high, 1 / row.ratio_low)


def test_identical_losses_have_the_ratio_one():
    values = np.random.default_rng(0).random((2, 60))
    row = Comparison(squared_losses(values, values)).to_frame().iloc[0]
    assert (row.ratio, row.ratio_low, row.ratio_high) == (1, 1, 1)


# Which losses, and which tests ----------------------------------------------------


@pytest.mark.parametrize(
    ("options", "is_ratio"),
    [
        ({"loss": "squared_error"}, True),
        ({"loss": "absolute_error"}, True),
        ({"loss": "pinball(0.9)"}, True),
        ({"scoring": "neg_mean_squared_error"}, True),
        ({"scoring": "neg_root_mean_squared_error"}, True),
        ({"scoring": "neg_median_absolute_error"}, True),
        ({"scoring": "r2"}, False),
        ({"loss": make_loss(lambda y, p: np.abs(y - p), name="mine")}, False),
        (
            {
                "loss": make_loss(
                    lambda y, p: np.abs(y - p), name="mine", compared_by="ratio"
                )
            },
            True,
        ),
    ],
)
def test_compared_by(options, is_ratio, tmp_path):
    result = compare_estimators(TWO, X, Y, **options)
    assert result.table.by_ratio == is_ratio
    assert ("ratio" in result.to_frame()) == is_ratio
    result.save(tmp_path / "result.npz")
    assert Comparison.load(tmp_path / "result.npz").table.by_ratio == is_ratio


def test_a_ratio_of_negative_losses_is_refused():
    loss = make_loss(lambda y, p: y - p, name="excess", compared_by="ratio")
    with pytest.raises(ValueError, match="values of at least 0"):
        compare_estimators(TWO, X, Y, loss=loss)


def test_a_mean_of_zero_is_compared_by_difference():
    values = np.random.default_rng(0).random((1, 60))
    result = Comparison(squared_losses(values, np.zeros((1, 60))))
    assert not result.table.by_ratio


def test_another_hypothesis_than_equality_is_in_units(two):
    result = two.retest(KFoldZTest(popmean=300.0))
    assert not result.table.by_ratio
    text = " ".join(str(result).split())
    assert "1 difference tested against 300: significant" in text
    assert "−857" in text


# What people read -----------------------------------------------------------------


def test_no_squared_unit_is_printed(losses):
    for names in (("ridge", "lasso"), ("ridge", "knn", "lasso")):
        result = Comparison(losses_of(losses, *names))
        everything = [
            str(result),
            result.report(),
            str(result.best_set()),
            str(result.winner_interval()),
            str(result.pairs()),
            str(result.plan("5%")),
            str(result.gate("5%", "ridge")),
            str(result.by(X[:, 1] > 0)),
        ]
        for text in everything:
            assert "squared" not in text
            largest = [float(word) for word in text.split() if word.isdigit()]
            assert not any(number > 2000 for number in largest if number != 442)


def test_sentence_and_table_of_two_have_the_same_numbers(two):
    text = str(two)
    assert "ridge is better than lasso: lasso's RMSE is 13.4% higher (95% CI" in text
    assert "behind the best" in text
    assert "13.4%  8.3% to 19.1%" in text


def axes_of(result):
    display = result.plot()
    return getattr(display, "ax_", display)


def percentages_of(result):
    """Return by how many percent lasso and ridge differ, wherever it is said."""
    pytest.importorskip("matplotlib")
    picture = axes_of(result)
    points = np.concatenate([dots.get_offsets()[:, 0] for dots in picture.collections])
    return " ".join(str(result).split()), str(result.pairs()), points


def test_one_percentage_wherever_it_is_said(losses):
    """The worse beside the better: 13.4%; with a reference, beside the reference."""
    for names in (("ridge", "lasso"), ("lasso", "ridge"), ("ridge", "knn", "lasso")):
        result = Comparison(losses_of(losses, *names))
        text, pairs, points = percentages_of(result)
        assert "13.4%" in text
        assert "13.4%" in pairs
        assert "11.8%" not in text + pairs
        assert np.isclose(points, 13.4, atol=0.05).any()
        frame = result.to_frame()
        row = frame[frame[["first", "second"]].isin(["ridge", "lasso"]).all(axis=1)]
        assert row.percent.item() == pytest.approx(13.4, abs=0.05)
        assert row.percent_low.item() < 13.4 < row.percent_high.item()
    for names in (("ridge", "lasso"), ("ridge", "knn", "lasso")):
        two = losses_of(losses, *names)
        result = Comparison(two, reference="lasso")
        text, _, points = percentages_of(result)
        assert "−11.8%" in text
        assert "13.4%" not in text
        assert np.isclose(points, -11.8, atol=0.05).any()
        gate = result.gate("5%").sentences()["ridge"]
        assert "ridge's RMSE is 11.8% lower (" in gate


def test_why_a_ratio_has_no_interval_is_said():
    rng = np.random.default_rng(0)
    first, second = rng.random((1, 60)), 1e-3 * rng.random((1, 60))
    second[0, 0] = 40.0
    text = " ".join(str(Comparison(squared_losses(first, second))).split())
    assert "(no CI, as the ratio has no upper bound, p = 0.843)" in text
    assert "0.0%" not in text


@pytest.mark.parametrize(("length", "is_named"), [(14, True), (40, False)])
def test_short_names_of_references_stand_above_the_column(losses, length, is_named):
    reference = "lasso".ljust(length, "o")
    two = losses_of(losses, "ridge", "lasso")
    named = replace(two, names=("ridge", reference))
    text = str(Comparison(named, reference=reference))
    assert (f"against {reference}" in text) == is_named


def test_json_has_ratios_and_differences(losses):
    result = Comparison(losses)
    for row in json.loads(result.to_json())["rows"]:
        means = losses_of(losses, row["first"], row["second"]).mean_losses
        np.testing.assert_allclose(row["ratio"], means[0] / means[1])
        np.testing.assert_allclose(row["estimate"], means[0] - means[1])
        assert (row["ci_low"] > 0) == (row["ratio_low"] > 1)
        assert (row["ci_high"] > 0) == (row["ratio_high"] > 1)


def test_best_set_excludes_exactly_those_whose_ratio_is_above_one(losses):
    best = Comparison(losses).best_set()
    frame = best.to_frame().set_index("estimator")
    for name in ("knn", "lasso"):
        assert (frame.ratio_low[name] > 1) == (name not in best.names)
        assert (frame.ci_low[name] > 0) == (frame.ratio_low[name] > 1)
        assert frame.ci_high[name] > 0


def test_picture_has_an_axis_of_percent(losses):
    pytest.importorskip("matplotlib")
    axes = axes_of(Comparison(losses))
    assert "RMSE (%)" in axes.get_xlabel()
    worst = Comparison(losses).best_set().to_frame().ratio.max()
    low, high = axes.get_xlim()
    assert low < 100 * (np.sqrt(worst) - 1) < high


def test_one_rmse_by_whichever_name():
    options = [{}, {"scoring": "neg_root_mean_squared_error"}]
    options += [{"loss": "squared_error"}, {"scoring": "neg_mean_squared_error"}]
    prints = set()
    for each in options:
        result = compare_estimators(TWO, X, Y, cv=FOLDS, **each)
        rows = [line for line in str(result).splitlines() if line[:5] in TWO]
        prints.add(tuple(rows))
    assert len(prints) == 1
    errors = (Y - cross_val_predict(TWO["lasso"], X, Y, cv=FOLDS)) ** 2
    assert f"{np.sqrt(errors.mean()):.1f}" in str(result)


def test_one_mean_of_a_model_wherever_it_is_said():
    """Folds of 7 and 8 rows: the mean is that of the examples."""
    rows = slice(0, 38)
    models = {"ridge": RidgeCV(), "knn": KNeighborsRegressor(2)}
    result = compare_estimators(models, X[rows], Y[rows], cv=5, loss="absolute_error")
    means = dict(zip(models, result.losses.values.mean(axis=0), strict=True))
    best = min(means, key=means.get)
    best_set = result.best_set().to_frame().set_index("estimator").mean_loss
    winner = result.winner_interval()
    np.testing.assert_allclose(winner.mean, means[best])
    options = {"cv": 5, "loss": "absolute_error"}
    for name, mean in means.items():
        np.testing.assert_allclose(best_set[name], mean)
        alone = cross_val_interval(models[name], X[rows], Y[rows], **options)
        np.testing.assert_allclose(alone.to_frame().estimate[0], mean)
        assert f"{mean:.0f}" in str(result)
    row = result.to_frame().iloc[0]
    np.testing.assert_allclose(row.estimate, means["ridge"] - means["knn"])


@pytest.mark.parametrize("role", ["loss", "score"])
def test_examples_have_no_rmse(role):
    errors = np.abs(np.random.default_rng(0).normal(size=(2, 90)))
    name = "rmse" if role == "loss" else "neg_root_mean_squared_error"
    errors = errors if role == "loss" else -errors
    with pytest.raises(ValueError, match="'squared_error' if it is squared"):
        compare_scores({"a": errors[0], "b": errors[1]}, **{role: name})


# Gates, plans, labels --------------------------------------------------


@pytest.mark.parametrize("margin", ["1%", "3%", "10%", "20.5 %"])
def test_gate_in_percent_is_the_test_of_scaled_losses(two, margin):
    gate = two.gate(margin, "ridge")
    ratio = (1 + float(margin.strip("% ")) / 100) ** 2
    test = KFoldZTest(alternative="less")  # of lasso - ratio * ridge
    losses = losses_of(two.losses, "lasso", "ridge")
    pvalue = scaled_pvalue(test, losses, ratio)
    assert gate.to_frame().pvalue_not_worse[0] == pytest.approx(pvalue)
    assert gate.passed == (pvalue <= 0.05)
    assert gate.passed == (gate.to_frame().ratio_high[0] <= ratio)
    assert f"by more than {margin.strip()}" in str(gate)


def test_assert_not_worse_takes_a_percentage(two):
    assert_not_worse(two, "ridge", than="lasso", margin="1%")
    with pytest.raises(AssertionError, match=r"lasso's RMSE is 13\.4% higher"):
        assert_not_worse(two, "lasso", than="ridge", margin="1%")


def test_plan_in_percent_is_of_the_better_model(losses):
    for names in (("ridge", "lasso"), ("lasso", "ridge")):
        result = Comparison(losses_of(losses, *names))
        plan = result.plan("5%")
        difference = (1.05**2 - 1) * losses.values[:, 0].mean()  # of ridge
        detectable = result.detectable_difference()
        assert plan.detectable == detectable
        assert plan.n_samples == np.ceil(442 * (detectable / difference) ** 2)
        assert "a difference of 5%" in " ".join(str(plan).split())


def test_labels_have_the_ratios_of_their_rows(two):
    labels = np.where(X[:, 1] > 0, "b", "a")
    frame = two.by(labels).to_frame()
    row_labels = labels[two.losses.row_index]
    for row in frame.itertuples():
        means = two.losses.values[row_labels == row.label].mean(axis=0)
        np.testing.assert_allclose(row.ratio, means[0] / means[1])
        assert (row.ratio_low <= 1 <= row.ratio_high) == (row.pvalue > 0.05)


def test_one_label_for_all_is_the_comparison_itself(two):
    row = two.by(np.zeros(len(Y))).to_frame().iloc[0]
    whole = two.to_frame().iloc[0]
    for name in ("ratio", "ratio_low", "ratio_high", "ci_low"):
        np.testing.assert_allclose(row[name], whole[name])
