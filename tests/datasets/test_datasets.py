"""Comparisons over many data sets."""

import re

import numpy as np
import pandas as pd
import pytest
from common import n_stored
from interfaces import drawn_forest, text_tables
from scipy import stats
from sklearn.datasets import (
    load_breast_cancer,
    load_iris,
    load_wine,
    make_classification,
)
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    CorrectedResampledTTest,
    KFoldTTest,
    McNemarTest,
    compare_cv_results,
    compare_estimators,
    compare_file,
    compare_over_datasets,
    compare_predictions,
)
from sklearn_cvtest.results import DatasetComparison

DATA = {
    "cancer": load_breast_cancer(return_X_y=True),
    "noisy": make_classification(200, flip_y=0.2, random_state=0),
    "noisier": make_classification(150, flip_y=0.3, random_state=1),
}
MODELS = {
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
    "dummy": DummyClassifier(),
}


def p_text(pvalue):
    """Return a p-value as it is printed where it is near no level."""
    return f"{pvalue:.3f}" if pvalue >= 0.001 else "< 0.001"


def made_up(n_datasets=6, names=("a", "b", "c"), seed=0, n_splits=10):
    """Return comparisons of scores drawn at random, b better than the others."""
    rng = np.random.default_rng(seed)
    return {
        f"data {d}": compare_cv_results(
            {name: rng.normal(0.1 * (name == "b"), 0.05, n_splits) for name in names},
            cv=n_splits,
        )
        for d in range(n_datasets)
    }


@pytest.fixture(scope="module")
def fitted():
    return compare_over_datasets(DATA, MODELS, cv=5)


def test_equal_weights_are_the_t_test_of_the_estimates():
    result = compare_over_datasets(made_up(), p_adjust=None)
    expected = stats.ttest_1samp(result.estimates, 0, axis=1)
    frame = result.to_frame()
    np.testing.assert_allclose(frame.statistic, expected.statistic)
    np.testing.assert_allclose(frame.pvalue, expected.pvalue)
    low, high = expected.confidence_interval(0.95)
    np.testing.assert_allclose(frame[["ci_low", "ci_high"]].T, [low, high])


def test_estimates_are_those_of_the_test_on_each_data_set():
    parts = made_up()
    result = compare_over_datasets(parts, test=CorrectedResampledTTest())
    for column, comparison in enumerate(parts.values()):
        retested = comparison.retest(CorrectedResampledTTest())
        table = retested.table
        np.testing.assert_allclose(result.estimates[:, column], table.estimate)
        better = np.sign(table.estimate) * (table.pvalue <= 0.05)
        np.testing.assert_array_equal(result.marks[:, column], better)


def test_data_are_fitted_as_compare_estimators_does(fitted):
    X, y = DATA["noisy"]
    alone = compare_estimators(MODELS, X, y, cv=5)
    np.testing.assert_array_equal(fitted.losses["noisy"].values, alone.losses.values)
    np.testing.assert_allclose(fitted.estimates[:, 1], alone.table.estimate)


def test_interrupted_run_goes_on_from_memory(tmp_path):
    data = dict(DATA, broken=(DATA["noisy"][0], None))
    with pytest.raises((TypeError, ValueError)) as caught:
        compare_over_datasets(data, MODELS, cv=5, memory=tmp_path)
    assert "data set 'broken'" in "".join(caught.value.__notes__)
    stored = n_stored(tmp_path)
    assert stored == 3 * 5 * len(MODELS)
    compare_over_datasets(DATA, MODELS, cv=5, memory=tmp_path)
    assert n_stored(tmp_path) == stored


def test_pairs_miss_the_data_sets_where_one_was_not_evaluated():
    parts = made_up(4) | {"few": made_up(1, names=("a", "b"), seed=5)["data 0"]}
    result = compare_over_datasets(parts)
    assert result.pairs == [("a", "b"), ("a", "c"), ("b", "c")]
    assert result.to_frame().n_datasets.tolist() == [5, 4, 4]
    assert np.isnan(result.mean_losses[-1, 2])
    assert result.win_tie_loss.sum(axis=1).tolist() == [5, 4, 4]
    assert result.ranks().n_datasets == 4


def test_failed_fits_are_left_out_by_name():
    rng = np.random.default_rng(0)
    scores = {name: rng.normal(size=10) for name in "abc"}
    scores["c"][3] = np.nan
    with pytest.warns(FitFailedWarning, match="the score is nan"):
        broken = compare_cv_results(scores, cv=10)
    result = compare_over_datasets(made_up(3) | {"x": broken})
    assert "c failed on 1 of 4 data sets (x)" in " ".join(str(result).split())


def test_scales_have_no_unit():
    rng = np.random.default_rng(0)

    def parts(unit):
        return {
            f"data {d}": compare_cv_results(
                {name: -unit * (0.2 + 0.1 * values) for name, values in losses.items()},
                cv=10,
            )
            for d, losses in enumerate(drawn)
        }

    drawn = [{name: rng.random(10) for name in "ab"} for _ in range(4)]
    result = compare_over_datasets(parts(1.0), scale="log")
    other = compare_over_datasets(parts(1000.0), scale="log")
    np.testing.assert_allclose(other.pvalues, result.pvalues)
    assert np.sign(result.estimates).tolist() == [
        np.sign([d["a"].mean() - d["b"].mean() for d in drawn]).tolist()
    ]


def zero_one(n, rate=0.1, seed=0, n_splits=10, n_repeats=1, folds=None):
    """Return a comparison of errors of two models that disagree on some examples."""
    rng = np.random.default_rng(seed)
    a = (rng.random(n) < 0.3).astype(int)
    b = np.where(rng.random(n) < rate, 1 - a, a)
    if folds is None:
        folds = np.stack([rng.permutation(n) % n_splits for _ in range(n_repeats)], 1)
    return compare_predictions(
        np.zeros(len(a), dtype=int),
        {"a": _as_run(a, folds), "b": _as_run(b, folds)},
        splits=folds[:, 0] if folds.shape[1] == 1 else folds,
    )


def _as_run(x, folds):
    """Return labels, the same in all repeats if there are any."""
    return x if folds.shape[1] == 1 else np.tile(x, (folds.shape[1], 1)).T


@pytest.mark.parametrize("test", [None, KFoldTTest()])
def test_log_difference_is_of_the_means_that_the_test_takes(test):
    """Folds of 180, 10 and 10: means of examples, or of folds."""
    folds = np.repeat([0, 1, 2], [180, 10, 10])[:, np.newaxis]
    parts = {str(d): zero_one(200, 0.2, d, folds=folds) for d in range(2)}
    result = compare_over_datasets(parts, scale="log", test=test)
    for column, part in enumerate(parts.values()):
        a, b = part.losses.values.T
        means = np.array([a.mean(), b.mean()])
        if test is not None:
            means = part.losses.block_losses.mean(axis=0)
        expected = np.log(means[0] / means[1])
        assert result.estimates[0, column] == pytest.approx(expected)


def test_loss_of_zero_has_no_logarithm():
    parts = {
        f"data {d}": compare_cv_results(
            {"a": np.full(10, -0.5) + np.arange(10) / 100, "b": np.zeros(10)}, cv=10
        )
        for d in range(2)
    }
    with pytest.raises(
        ValueError, match=r"`scale` must be None where .* data set 'data"
    ):
        compare_over_datasets(parts, scale="log")


def test_folds_of_one_data_set_get_a_warning():
    parts = dict(zip(("fold 1", "fold 2", "fold 3"), made_up(3).values(), strict=True))
    rows = pd.DataFrame({"a": [0.7, 0.8], "b": [0.6, 0.9]}, index=["fold 1", "fold 2"])
    for results, options in ((parts, {}), (rows, {"score": "accuracy"})):
        with pytest.warns(UserWarning, match="look like folds or repeats of one data"):
            compare_over_datasets(results, **options)


def test_the_best_of_two_is_ahead():
    """Also where the mean ranks are the other way round."""
    a = np.array([0.8, 0.7, 0.9, 0.6, 0.75, 0.85, 0.65, 0.7])
    b = a + np.array([-0.01, -0.01, -0.01, -0.01, -0.01, 0.1, 0.1, 0.1])
    rows = pd.DataFrame({"a": a, "b": b}, index=list("efghijkl"))
    verdict, table, _ = str(compare_over_datasets(rows, score="accuracy")).split("\n\n")
    assert "b is ahead by" in verdict.replace("\n", " ")
    assert [line.split()[0] for line in table.splitlines()[2:]] == ["b", "a"]


def test_data_in_a_list_are_those_in_a_tuple(fitted):
    data = {name: list(of) for name, of in DATA.items()}
    found = compare_over_datasets(data, MODELS, cv=5)
    np.testing.assert_array_equal(found.mean_losses, fitted.mean_losses)


def test_words_say_who_is_better(fitted):
    two = compare_over_datasets(made_up(8, names=("a", "b")))
    assert two.significant[0]
    assert two.to_frame().estimate[0] > 0  # scores: b is better
    first = str(two).splitlines()[0]
    assert re.search(r"\bb\b.*\ba\b", first)
    text = str(fitted)
    ranks = fitted.ranks()
    assert ranks.names[int(np.argmin(ranks.mean_ranks))] == "bayes"
    assert "bayes" in text.split(";")[0]
    assert "<table>" in fitted._repr_html_()


def test_frame_holds_what_was_found(fitted):
    frame = fitted.to_frame()
    expected = "estimate ci_low ci_high pvalue pvalue_adjusted pi_low pi_high"
    assert {*expected.split(), "wins", "ties", "losses"} <= set(frame.columns)
    np.testing.assert_allclose(frame["estimate"], fitted.estimates.mean(axis=1))
    assert (frame["pi_low"] <= frame["ci_low"]).all()
    assert frame[["wins", "ties", "losses"]].to_numpy().sum() == 9


def test_file_gives_the_same_comparison(fitted, tmp_path):
    fitted.save(tmp_path / "d.npz")
    loaded = DatasetComparison.load(tmp_path / "d.npz")
    np.testing.assert_array_equal(loaded.pvalues, fitted.pvalues)
    assert str(loaded) == str(fitted)
    (tmp_path / "d.npz").write_bytes(b"no archive")
    with pytest.raises(ValueError, match="DatasetComparison"):
        DatasetComparison.load(tmp_path / "d.npz")


def test_file_of_many_data_sets_can_be_read(tmp_path):
    """The list of its members is longer than 64 kB."""
    many = compare_over_datasets(made_up(250, names=("a", "b"), n_splits=3))
    many.save(tmp_path / "d.npz")
    loaded = DatasetComparison.load(tmp_path / "d.npz")
    assert loaded.datasets == many.datasets
    np.testing.assert_array_equal(loaded.estimates, many.estimates)


def test_report_has_the_verdict_and_names_data(fitted):
    text = " ".join(fitted.report().split())
    assert " ".join(str(fitted).split("\n\n")[0].split()) in text
    assert all(name in text for name in fitted.datasets)


@pytest.mark.parametrize("scale", [None, "log"])
def test_signs_do_not_flip_in_what_is_shown(scale):
    """Pairs are turned, number by number, but not in the frame."""
    rng, means = np.random.default_rng(0), {"a": -0.5, "b": -0.4, "c": -0.45}
    parts = {
        f"d{d}": compare_cv_results(
            {name: rng.normal(mean, 0.02, 10) for name, mean in means.items()}, cv=10
        )
        for d in range(4)
    }
    result = compare_over_datasets(parts, scale=scale)
    frame = result.to_frame().set_index(["first", "second"])
    assert list(frame.index) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert frame.loc[("b", "c"), "estimate"] < 0
    (models,) = text_tables(str(result))
    assert [row[0].removesuffix(" †") for row in models.rows] == ["b", "c", "a"]
    ends = ["estimate", "ci_low_simultaneous", "ci_high_simultaneous"]
    for name, *_, estimate, interval, _, counts in models.rows[1:]:
        other = name.removesuffix(" †")
        sign = 1 if (other, "b") in frame.index else -1
        row = frame.loc[(other, "b")[::sign]]
        known = np.sort(sign * row[ends].to_numpy(dtype=float))[[1, 0, 2]]
        shown = [number_of(estimate), *map(number_of, interval.split(" to "))]
        if scale is not None:
            known = 100 * np.expm1(known)
        assert shown == pytest.approx(known, abs=6e-3 if scale is None else 0.06)
        counted = [int(row[name]) for name in ("losses", "ties", "wins")][::sign]
        assert counts == "/".join(map(str, counted))


def test_a_data_set_on_which_both_agree_does_not_decide():
    """It is one value among ten, and moves p as one value does."""
    parts = {f"d{d}": zero_one(300, 0.05, d) for d in range(9)}
    result = compare_over_datasets(parts)
    easy = {"easy": zero_one(300, 0.0)}
    other = compare_over_datasets(parts | easy)
    assert other.estimates[0, -1] == 0
    assert other.pvalues[0] < 3 * result.pvalues[0]


ROWS = pd.DataFrame({"a": [0.7, 0.8], "b": [0.6, 0.9]}, index=["one", "two"])


@pytest.mark.parametrize(
    ("change", "error", "match"),
    [
        ({"results": {"a": ([1], [1]), "b": ([1], [1])}}, TypeError, "`estimators`"),
        ({"weighting": "equal"}, TypeError, "`weighting` must be left out"),
        ({"test": [KFoldTTest()]}, TypeError, "`test` must be a test"),
        ({"results": ROWS, "test": KFoldTTest()}, TypeError, "`test` must be left out"),
        ({"test": McNemarTest()}, ValueError, "which McNemarTest is not"),
        ({"test": KFoldTTest(alternative="less")}, ValueError, "a two-sided test"),
    ],
)
def test_bad_input_is_refused(change, error, match):
    with pytest.raises(error, match=match):
        compare_over_datasets(**{"results": made_up(2), **change})


def test_groups_go_with_data():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(30), 4)
    X = rng.normal(size=(120, 3))
    y = (X[:, 0] + rng.normal(size=120) > 0).astype(int)
    data = {"one": (X, y, groups), "two": (X[::-1], y[::-1], groups)}
    models = {"bayes": GaussianNB(), "logistic": LogisticRegression()}
    result = compare_over_datasets(data, models, cv=5)
    assert result.losses["one"].n_groups == 30


def test_long_table_is_a_comparison_on_each_data_set(tmp_path):
    parts = made_up(3)
    path = tmp_path / "scores.csv"
    rows = [
        f"{dataset},{name},{fold},{-loss!r}"
        for dataset, one in parts.items()
        for column, name in enumerate(one.losses.names)
        for fold, loss in enumerate(one.losses.values[:, column].tolist())
    ]
    path.write_text("\n".join(["dataset,model,fold,score", *rows]), encoding="utf-8")
    found = compare_file(path, score="score")
    expected = compare_over_datasets(parts)
    assert found.datasets == expected.datasets
    np.testing.assert_array_equal(found.estimates, expected.estimates)
    np.testing.assert_array_equal(found.pvalues, expected.pvalues)


def test_one_data_set_has_no_ranks():
    parts = made_up(1) | {"other": made_up(1, names=("c", "d"), seed=3)["data 0"]}
    few = compare_over_datasets(parts)
    with pytest.raises(ValueError, match=r"Ranks need at least 2 .*; got 0\."):
        few.ranks()
    assert compare_over_datasets(made_up(2)).ranks().n_datasets == 2


def test_a_data_set_without_the_pair_counts_for_the_others_only():
    parts = made_up(3) | {"other": made_up(1, names=("c", "d"), seed=3)["data 0"]}
    result = compare_over_datasets(parts, reference="a")
    assert result.to_frame().n_datasets.tolist() == [3, 3]  # d is not ranked
    assert np.isfinite(result.mean_losses[-1]).tolist() == [False, False, True, True]
    assert np.isnan(result.estimates[:, -1]).all()
    assert "nan" not in str(result)


def number_of(text):
    """Return a printed number, perhaps a percentage."""
    return float(text.replace("−", "-").removesuffix("%"))


def test_readers_of_ratios_show_the_frame():
    parts = {f"d{d}": zero_one(100 + 40 * d, 0.15, d) for d in range(5)}
    result = compare_over_datasets(parts, scale="log")
    (row,) = result.to_frame().itertuples()
    numbers = np.array([row.estimate, row.ci_low, row.ci_high])
    if row.estimate < 0:  # the first is ahead: of the loss of the second to its own
        numbers = -numbers[[0, 2, 1]]
    estimate, low, high = (100 * np.expm1(numbers)).tolist()
    (models,) = text_tables(str(result))
    *_, by, interval, _, _ = models.rows[1]
    shown = [number_of(by), *map(number_of, interval.split(" to "))]
    assert shown == pytest.approx([estimate, low, high], abs=0.06)
    words = " ".join(str(result).split())
    assert f"is {estimate:.1f}% higher on average" in words
    (drawn,) = drawn_forest(result.plot())
    assert drawn.estimate == pytest.approx(estimate)
    np.testing.assert_allclose(drawn.intervals[0], [low, high])


@pytest.mark.parametrize("test", [None, KFoldTTest(0.3)])
def test_every_reader_shows_the_same_numbers(test, tmp_path):
    """Frame, print, notebook, report, page, artists: one number each."""
    parts = {f"d{d}": zero_one(100 + 40 * d, 0.15, d) for d in range(5)}
    result = compare_over_datasets(parts, test=test)
    result.to_html(tmp_path / "page.html")
    (row,) = result.to_frame().itertuples()
    numbers = row.estimate, row.ci_low, row.ci_high
    unit, sign = 100, 1 if row.estimate > 0 else -1
    estimate, low, high = unit * row.estimate, *sorted(unit * np.array(numbers[1:]))
    if sign < 0:
        estimate, low, high = -estimate, -high, -low
    said = re.compile(r"by ([\d.]+)\D*95% CI (−?[\d.]+) to (−?[\d.]+), p = ([\d.e-]+)")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for text in (str(result), result._repr_html_(), page, result.report()):
        words = " ".join(text.split())
        *found, p = said.search(words).groups()
        found = [float(number.replace("−", "-")) for number in found]
        assert found == pytest.approx([estimate, low, high], abs=0.06)
        assert p == p_text(row.pvalue)
    for text in (str(result), result._repr_html_(), page):
        counts = (row.losses, row.ties, row.wins)[::sign]
        assert "/".join(map(str, counts)) in text
    (drawn,) = drawn_forest(result.plot())
    assert drawn.estimate == pytest.approx(estimate)
    np.testing.assert_allclose(drawn.intervals[0], [low, high])
    assert list(drawn.texts.values()) == [p_text(row.pvalue_adjusted)]
    assert drawn.is_filled == (row.pvalue_adjusted <= 0.05)


def test_retest_is_the_comparison_by_another_test(fitted):
    again = fitted.retest(KFoldTTest(), alpha=0.2, scale="log")
    expected = compare_over_datasets(
        fitted.losses, test=KFoldTTest(), alpha=0.2, scale="log"
    )
    np.testing.assert_array_equal(again.pvalues, expected.pvalues)
    assert str(again) == str(expected)
    assert str(fitted.retest()) == str(fitted)
    with pytest.raises(TypeError, match="'level'"):
        fitted.retest(level=0.2)


def test_reference_of_data_sets_is_a_name():
    with pytest.raises(ValueError, match="`reference` must be one of 'a', 'b', 'c'"):
        compare_over_datasets(made_up(), reference="best")


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_intervals_hold_differences_that_there_can_be():
    data = {"wine": load_wine(return_X_y=True), "iris": load_iris(return_X_y=True)}
    models = {"tree": MODELS["tree"], "neighbours": KNeighborsClassifier()}
    result = compare_over_datasets(data, models | {"dummy": DummyClassifier()}, cv=5)
    frame = result.to_frame()
    assert np.abs(frame[["ci_low", "ci_high"]]).to_numpy().max() == 1
    assert np.abs(frame[["pi_low", "pi_high"]]).to_numpy().max() == 1
    assert not np.isinf(frame.drop(columns=["first", "second"]).to_numpy(float)).any()
