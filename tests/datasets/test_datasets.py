"""Comparisons over many data sets."""

import re

import numpy as np
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
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    CorrectedResampledTTest,
    HoldoutTTest,
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
    np.testing.assert_allclose(result.statistics, expected.statistic)
    np.testing.assert_allclose(result.pvalues, expected.pvalue)
    low, high = expected.confidence_interval(0.95)
    np.testing.assert_allclose(result.intervals, np.column_stack([low, high]))


def test_estimates_are_those_of_the_test_on_each_data_set():
    parts = made_up()
    result = compare_over_datasets(parts, test=CorrectedResampledTTest())
    for column, comparison in enumerate(parts.values()):
        retested = comparison.retest(CorrectedResampledTTest())
        table = retested.table
        found = {
            "estimates": table.estimate,
            "standard_errors": table.total_error,
            "ci_low": table.ci_low,
            "ci_high": table.ci_high,
            "dataset_pvalues": table.pvalue,
        }
        for name, values in found.items():
            np.testing.assert_array_equal(getattr(result, name)[:, column], values)
        better = np.sign(table.estimate) * (table.pvalue <= 0.05)
        np.testing.assert_array_equal(result.marks[:, column], better)


def test_data_are_fitted_as_compare_estimators_does(fitted):
    X, y = DATA["noisy"]
    alone = compare_estimators(MODELS, X, y, cv=5)
    np.testing.assert_array_equal(fitted.losses["noisy"].losses, alone.losses.values)
    np.testing.assert_array_equal(fitted.estimates[:, 1], alone.table.estimate)


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
    assert result.synthesis.n_datasets.tolist() == [5, 4, 4]
    assert np.isnan(result.mean_losses[-1, 2])
    assert result.win_tie_loss.sum(axis=1).tolist() == [5, 4, 4]
    assert result.ranks().n_datasets == 4


def test_failed_fits_are_left_out_by_name():
    rng = np.random.default_rng(0)
    scores = {name: rng.normal(size=10) for name in "abc"}
    scores["c"][3] = np.nan
    with pytest.warns(UserWarning, match="left out"):
        broken = compare_cv_results(scores, cv=10)
    with pytest.warns(UserWarning, match="failed fits: 'x': c"):
        result = compare_over_datasets(made_up(3) | {"x": broken})
    assert result.left_out == {"x": ["c"]}
    assert re.search(r"\bx\b[^.]*: c\.", str(result))


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
    with pytest.warns(UserWarning, match="look like folds or repeats of one data set"):
        compare_over_datasets(parts)


def test_data_in_a_list_are_those_in_a_tuple(fitted):
    data = {name: list(of) for name, of in DATA.items()}
    found = compare_over_datasets(data, MODELS, cv=5)
    np.testing.assert_array_equal(found.mean_losses, fitted.mean_losses)


def test_words_say_who_is_better(fitted):
    two = compare_over_datasets(made_up(8, names=("a", "b")))
    estimate = two.synthesis.estimate[0]
    assert two.significant[0]
    assert estimate > 0  # scores: b is better
    first = str(two).splitlines()[0]
    assert re.search(r"\bb\b.*\ba\b", first)
    text = str(fitted)
    ranks = fitted.ranks()
    assert ranks.names[int(np.argmin(ranks.mean_ranks))] == "bayes"
    assert "bayes" in text.split(";")[0]
    assert "<table>" in fitted._repr_html_()


def test_latex_has_rules_and_escapes():
    parts = {f"data_{d}": one for d, one in enumerate(made_up(3).values())}
    text = compare_over_datasets(parts).to_latex()
    assert r"\begin{tabular}{@{}lrrr@{}}" in text
    assert r"data\_0" in text
    assert "mean rank" in text


def test_frame_holds_what_was_found(fitted):
    frame = fitted.to_frame()
    expected = "estimate ci_low ci_high pvalue pvalue_adjusted pi_low pi_high"
    assert {*expected.split(), "wins", "ties", "losses"} <= set(frame.columns)
    np.testing.assert_array_equal(frame["estimate"], fitted.synthesis.estimate)
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


@pytest.mark.full
def test_page_of_many_data_sets_has_few_forests(tmp_path):
    """A thousand take 3 s; 120 with six forests took 20."""
    compare_over_datasets(made_up(120)).to_html(tmp_path / "d.html")
    assert (tmp_path / "d.html").read_text().count("<img ") == 2 + 1


def test_page_is_written(fitted, tmp_path):
    fitted.to_html(tmp_path / "d.html")
    page = (tmp_path / "d.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert re.search("<h1>.*3.*</h1>", page)
    assert page.count("<img ") == 2 + len(fitted.pairs)


def test_report_begins_with_the_verdict_and_names_data_and_method(fitted):
    text = " ".join(fitted.report().split())
    assert text.startswith(" ".join(str(fitted).split("\n\n")[0].split()))
    assert all(name in text for name in fitted.datasets)
    assert text.count("5-fold cross-validation, stratified, seed 0") == 1


def test_report_of_several_is_a_paragraph_and_a_table(fitted):
    paragraph, table, *notes = fitted.report().split("\n\n")
    assert not re.search(r"prediction interval|wins/ties", paragraph)
    assert "95% prediction interval" in table
    assert len(table.split("\n")) == 2 + len(fitted.pairs)
    assert " - " not in " ".join(notes).replace("loss(first) - loss(second)", "")


def test_design_is_said_once_if_it_is_the_same():
    report = " ".join(compare_over_datasets(made_up(4)).report().split())
    assert report.count("cross-validation, ") == report.count("cross-validation") == 1
    parts = {"short": made_up(1, n_splits=5)["data 0"], **made_up(2)}
    sentence = " ".join(compare_over_datasets(parts).report().split())
    assert sentence.count("cross-validation") == 2
    assert sentence.count("data 0, data 1 by 10-fold") == 1


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
    printed, _ = text_tables(str(result))
    for table in (printed, *text_tables(result.report())):
        pairs = [tuple(row[:2]) for row in table.rows]
        turned = [("b", "a"), ("c", "a"), ("b", "c")]  # who is ahead comes first
        assert pairs == turned
        for pair, (_, _, estimate, interval, *_, counts) in zip(
            pairs, table.rows, strict=True
        ):
            row = frame.loc[pair if pair in frame.index else pair[::-1]]
            sign = 1 if pair not in frame.index else -1
            ends = row[["ci_low_simultaneous", "ci_high_simultaneous"]]
            ends = sorted(sign * ends)
            found = [number_of(text) for text in interval.split(" to ")]
            shown = [number_of(estimate), *found]
            if scale is None:
                assert shown[0] >= 0
                known = [sign * row["estimate"], *ends]
                assert shown == pytest.approx(known, abs=6e-3)
            else:  # of the one behind to the other, in percent
                known = [sign * row["estimate"], *ends]
                percent = (100 * np.expm1(known)).tolist()
                assert shown[0] >= 0
                assert shown == pytest.approx(percent, abs=0.06)
            counted = [int(row[name]) for name in ("wins", "ties", "losses")][::sign]
            assert counts == "/".join(map(str, counted))


def test_default_test_hands_on_what_it_knows_of_rho():
    parts = {f"d{d}": zero_one(100 + 50 * d, seed=d) for d in range(3)}
    result = compare_over_datasets(parts)
    for column, part in enumerate(parts.values()):
        (test,) = part.tests.values()
        assert result.standard_errors[0, column] == test.total_error_


def test_a_data_set_on_which_both_agree_does_not_decide():
    """It is one value among ten, and moves p as one value does."""
    parts = {f"d{d}": zero_one(300, 0.05, d) for d in range(9)}
    result = compare_over_datasets(parts)
    easy = {"easy": zero_one(300, 0.0)}
    other = compare_over_datasets(parts | easy)
    assert other.standard_errors[0, -1] == 0
    assert other.pvalues[0] < 3 * result.pvalues[0]


@pytest.mark.parametrize("test", [None, KFoldTTest(0.3)])
def test_picture_draws_what_the_test_of_each_data_set_found(test):
    """Read from the artists: estimates, ends of intervals, p."""
    parts = {f"d{d}": zero_one(120, 0.2, d) for d in range(4)}
    result = compare_over_datasets(parts, test=test)
    drawn = {row.label: row for row in drawn_forest(result.plot())}
    for name, part in parts.items():
        one = part if test is None else part.retest(test)
        (found,) = one.tests.values()
        assert drawn[name].estimate == 100 * found.estimate_  # in points
        ends = 100 * np.array(found.confidence_interval())
        np.testing.assert_allclose(drawn[name].intervals[0], ends)
        assert drawn[name].texts["p"] == p_text(one.pvalue_)


def test_picture_has_a_row_for_each_data_set(fitted):
    rows = drawn_forest(fitted.plot("bayes", "dummy"))
    assert len(rows) == 4
    assert rows[-1].label == "mean over data sets"
    assert rows[-1].estimate == 100 * fitted.synthesis.estimate[1]
    fitted.ranks().plot()


@pytest.mark.parametrize(
    ("change", "error", "match"),
    [
        ({"results": {"a": ([1], [1]), "b": ([1], [1])}}, TypeError, "`estimators`"),
        ({"weighting": "equal"}, TypeError, "`weighting` must be left out"),
        ({"test": [KFoldTTest()]}, TypeError, "`test` must be one test"),
        ({"test": McNemarTest()}, ValueError, "McNemarTest needs one train-test split"),
    ],
)
def test_bad_input_is_refused(change, error, match):
    with pytest.raises(error, match=match):
        compare_over_datasets(**{"results": made_up(2), **change})


@pytest.mark.parametrize("reference", [None, "b"])
def test_means_are_marked_against_whom_the_sentence_names(reference):
    result = compare_over_datasets(made_up(3), reference=reference)
    if reference:
        assert result.pairs == [("b", "a"), ("b", "c")]
    base = reference or "b"  # the best
    name_of_best = "b has the best mean" if reference is None else "compared with b"
    assert name_of_best in str(result)
    assert "worse than b, at" in " ".join(str(result).split())
    _, table = text_tables(str(result))
    for row, name in zip(table.rows, result.datasets, strict=False):
        for estimator, cell in zip(result.names, row[1:], strict=True):
            side = 0
            for pair, sides in zip(result.pairs, result.marks, strict=True):
                if {*pair} == {base, estimator}:
                    side = sides[result.datasets.index(name)]
                    side *= 1 if pair[0] == base else -1
            assert ("∘" in cell, "•" in cell) == (side > 0, side < 0)
    assert (result.marks != 0).any()


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
    path.write_text("\n".join(["dataset,model,fold,score", *rows]))
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
    assert not few.has_ranks
    one_whole = made_up(1) | {"pair": made_up(1, names=("a", "b"), seed=5)["data 0"]}
    assert not compare_over_datasets(one_whole).has_ranks
    assert compare_over_datasets(made_up(2)).has_ranks


def test_a_data_set_without_the_pair_counts_for_the_others_only():
    parts = made_up(3) | {"other": made_up(1, names=("c", "d"), seed=3)["data 0"]}
    result = compare_over_datasets(parts, reference="a")
    assert result.synthesis.n_datasets.tolist() == [3, 3, 0]
    assert np.isfinite(result.mean_losses[-1]).tolist() == [False, False, True, True]
    assert not result.present[:, -1].any()


def number_of(text):
    """Return a printed number, perhaps a percentage."""
    return float(text.replace("−", "-").removesuffix("%"))


def test_a_pair_on_one_data_set_has_the_answer_of_that_data_set():
    (one,) = made_up(1).values()
    (other,) = made_up(1, names=("a", "c"), seed=1).values()
    result = compare_over_datasets({"one": one, "other": other}, reference="a")
    p = p_text(one.tests["a", "b"].pvalue_)
    words = " ".join(result.report().split())
    assert (
        "One data set says nothing about others: a and b were compared on one" in words
    )
    assert f"p = {p})" in words.partition("One data set says")[2]
    assert result.pvalues[0] == 1.0
    assert result.to_frame().loc[0, "n_datasets"] == 1


def test_readers_of_ratios_show_the_frame():
    parts = {f"d{d}": zero_one(100 + 40 * d, 0.15, d) for d in range(5)}
    result = compare_over_datasets(parts, scale="log")
    (row,) = result.to_frame().itertuples()
    numbers = np.array([row.estimate, row.ci_low, row.ci_high])
    if row.estimate < 0:  # the first is ahead: of the loss of the second to its own
        numbers = -numbers[[0, 2, 1]]
    estimate, low, high = (100 * np.expm1(numbers)).tolist()
    table = text_tables(str(result))[0].rows[0]
    shown = [number_of(table[2]), *map(number_of, table[3].split(" to "))]
    assert shown == pytest.approx([estimate, low, high], abs=0.06)
    words = " ".join(str(result).split())
    assert f"is {estimate:.1f}% higher on average" in words
    *_, mean = drawn_forest(result.plot())
    side = 1 if row.estimate > 0 else -1
    drawn = 100 * np.expm1([row.estimate, row.ci_low, row.ci_high])
    assert side * mean.estimate > 0
    assert mean.estimate == pytest.approx(drawn[0])
    np.testing.assert_allclose(mean.intervals[0], drawn[1:])


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
    page = (tmp_path / "page.html").read_text()
    for text in (str(result), result._repr_html_(), page, result.report()):
        words = " ".join(text.split())
        *found, p = said.search(words).groups()
        found = [float(number.replace("−", "-")) for number in found]
        assert found == pytest.approx([estimate, low, high], abs=0.06)
        assert p == p_text(row.pvalue)
    for text in (str(result), result._repr_html_(), page):
        counts = (row.wins, row.ties, row.losses)[::sign]
        assert "/".join(map(str, counts)) in text
    *of_sets, mean = drawn_forest(axes := result.plot())
    assert mean.label == "mean over data sets"
    assert mean.estimate == unit * row.estimate
    np.testing.assert_allclose(
        mean.intervals[0], [unit * row.ci_low, unit * row.ci_high]
    )
    assert len(axes.collections[-1].get_offsets()) == 1  # a diamond of its own
    assert mean.texts["p"] == p_text(row.pvalue_adjusted)
    is_found = [float(found.texts["p"]) <= 0.05 for found in of_sets]
    assert [found.is_filled for found in of_sets] == is_found
    assert sum(is_found) == row.wins + row.losses
    first = next(iter(result.mean_losses))
    assert all(f"{100 * loss:.1f}" in result.to_latex() for loss in first)


def test_options_of_fits_are_refused_where_nothing_is_fitted():
    with pytest.raises(TypeError, match=r"`weights` must be left out; got 'equal'"):
        compare_over_datasets(made_up(3), weights="equal")


def test_retest_is_the_comparison_by_another_test(fitted):
    again = fitted.retest(KFoldTTest(), alpha=0.2, scale="log")
    expected = compare_over_datasets(
        fitted.losses, test=KFoldTTest(), alpha=0.2, scale="log"
    )
    np.testing.assert_array_equal(again.pvalues, expected.pvalues)
    np.testing.assert_array_equal(again.intervals, expected.intervals)
    assert str(fitted.retest()) == str(fitted)
    with pytest.raises(ValueError, match="`options` must be some of"):
        fitted.retest(level=0.2)


def test_reference_of_data_sets_is_a_name():
    with pytest.raises(ValueError, match="`reference` must be one of 'a', 'b', 'c'"):
        compare_over_datasets(made_up(), reference="best")


@pytest.mark.filterwarnings("ignore::UserWarning")  # of skewness
def test_intervals_on_a_scale_are_not_cut_off_at_the_range_of_the_loss():
    # error rates of 0.02 and 0.5: logarithms that differ by 3.2
    y = np.tile([0, 1], 100)
    some = {"a": np.where(np.arange(200) % 50 < 1, 1 - y, y), "b": np.zeros(200, int)}
    data = {name: compare_predictions(y, some) for name in "uv"}
    result = compare_over_datasets(data, scale="log", test=HoldoutTTest())
    assert (result.ci_low < result.estimates).all()
    assert (result.estimates < result.ci_high).all()
    assert np.ptp(result.ci_low + result.ci_high - 2 * result.estimates) < 1e-9


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_intervals_hold_differences_that_there_can_be():
    data = {"wine": load_wine(return_X_y=True), "iris": load_iris(return_X_y=True)}
    models = {"tree": MODELS["tree"], "neighbours": KNeighborsClassifier()}
    result = compare_over_datasets(data, models | {"dummy": DummyClassifier()}, cv=5)
    assert np.abs(result.intervals).max() == 1
    ends = result.prediction_intervals
    assert np.all((np.abs(ends) <= 1) | np.isinf(ends))
