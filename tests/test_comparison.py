"""Comparison: what a comparison says, keeps and writes."""

import re
from dataclasses import replace

import numpy as np
import pytest
from common import ALL_TESTS, distance
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import RepeatedKFold, TimeSeriesSplit

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    Comparison,
    CorrectedResampledTTest,
    CrossedTest,
    EquivalenceTest,
    FiveByTwo,
    FiveByTwoFTest,
    FiveByTwoTTest,
    HalfSampleTTest,
    HoldoutTTest,
    KFoldTTest,
    KFoldZTest,
    McNemarTest,
    PairedHalves,
    RepeatedSubsample,
    ResampledTTest,
    compare_cv_results,
    compare_estimators,
    cross_val_losses,
)

FOLDS = BlockKFold(10, random_state=0)


class Column(RegressorMixin, BaseEstimator):
    """Predicts a column of X: with y = 0 and absolute errors, its losses are X."""

    def __init__(self, column=0, fails=False):
        self.column = column
        self.fails = fails

    def fit(self, X, y):
        if self.fails:
            raise RuntimeError("broken on purpose")
        return self

    def predict(self, X):
        return X[:, self.column]


def compare(columns, names="abcd", n_samples=100, cv=FOLDS, **options):
    """Compare estimators with chosen mean losses and a common noise."""
    rng = np.random.default_rng(0)
    X = np.abs(np.array(columns) + rng.normal(0, 0.3, (n_samples, len(columns))) + 9)
    estimators = {name: Column(i) for i, name in enumerate(names[: len(columns)])}
    y = np.zeros(n_samples)
    options = {"test": KFoldTTest() if cv is FOLDS else None} | options
    return compare_estimators(estimators, X, y, loss=distance, cv=cv, **options)


CLEAR = compare([1.0, 0.0])
UNCLEAR = compare([0.2, 0.0])
EQUAL = compare([0.0, 0.0])
THREE = compare([1.0, 0.0, 0.1], ["one", "two", "three"])


def unwrapped(text):
    return re.sub(r"\s+", " ", text)


KEPT = ("names", "row_split", "row_index", "design", "metric", "groups", "n_samples")


def everything(comparison):
    """Return all that a comparison says, for equality."""
    losses = comparison.losses
    metric = replace(losses.metric, function=None, constant=None)
    data = vars(losses) | {"metric": metric, "estimators": {}, "fit_time": None}
    return {
        "losses": {k: str(v) for k, v in data.items() if k in KEPT},
        "values": losses.values.tobytes(),
        "tests": {pair: repr(test) for pair, test in comparison.tests.items()},
        "options": [comparison.alpha, comparison.p_adjust, comparison.reference],
        "pvalue": repr(comparison.pvalue_),
        "rho_alpha": repr(comparison.rho_alpha_),
        "frame": comparison.to_frame().to_csv(),
        "text": [
            str(comparison),
            repr(comparison),
            comparison.report(),
            comparison._repr_html_(),
        ],
    }


# Premises of the tests below.
def test_comparisons_used_here_are_as_named():
    assert CLEAR.rho_alpha_ > 0.7
    assert 0 < UNCLEAR.rho_alpha_ < 0.7
    assert EQUAL.rho_alpha_ < 0


# Words ------------------------------------------------------------------------


@pytest.mark.parametrize(("rho", "shown"), [(0.5, "0.5"), ("nadeau-bengio", "0.526")])
def test_proviso_names_the_rho_assumed(rho, shown):
    text = CLEAR.retest(KFoldTTest(rho=rho)).report()
    assert f"ρ ≤ {shown}, " in text


# A smaller ρ makes t(ρ) larger: what is not significant at 0.7 may be below it.


def test_equal_estimators_do_not_differ_at_any_rho():
    assert str(EQUAL).startswith("No significant difference")
    assert EQUAL.rho_alpha_ < 0


def test_report_names_no_winner_of_an_unclear_difference():
    assert "is better than" not in UNCLEAR.report()
    assert "is better than" in CLEAR.report()


# The difference is about 1: significantly not 2, which is in nobody's favour.
def test_report_says_what_difference_was_tested():
    comparison = CLEAR.retest(KFoldTTest(popmean=2.0))
    assert comparison.pvalue_ < 0.05
    assert "1 difference tested against 2: significant" in unwrapped(
        comparison.report()
    )
    assert "is better than" not in comparison.report()


def test_nobody_is_better_where_the_5x2_t_test_contradicts_the_means():
    n = 40
    cv = FiveByTwo(random_state=0)
    splits = list(cv.split(np.zeros(n)))
    first = set(splits[0][1])
    residual = np.array([3.0 if i in first else -4.0 for i in range(n)])
    X = np.c_[10 + residual, np.full(n, 10.0)]
    comparison = compare_estimators(
        {"a": Column(0), "b": Column(1)},
        X,
        np.zeros(n),
        loss="absolute_error",
        cv=splits,
        test=FiveByTwoTTest(alpha=0.5),
        alpha=0.5,
    )
    (test,) = comparison.tests.values()
    assert test.estimate_ < 0 < test.statistic_
    assert test.pvalue_ < 0.5
    assert not comparison.to_frame()["better"].item()


def test_p_adjust_none_adjusts_nothing():
    comparison = THREE.retest(None, p_adjust=None)
    frame = comparison.to_frame()
    assert_array_equal(frame["pvalue"], frame["pvalue_adjusted"])
    assert "not adjusted" in str(comparison)


# Tables -----------------------------------------------------------------------


def tables(text):
    """Return each table of a text as its lines."""
    blocks = [block.splitlines() for block in text.split("\n\n")]
    found = []
    for lines in blocks:
        rules = [i for i, line in enumerate(lines) if re.fullmatch(r"[- ]+", line)]
        found += [lines[i - 1 :] for i in rules]
    return found


@pytest.mark.parametrize("name", ["a\nb", "tab\tbed", "x" * 200, "ρ ≤ 1", "a  b"])
def test_str_keeps_the_numbers_of_an_estimator_on_one_line(name):
    comparison = compare([1.0, 0.0], [name, "other"])
    ((_, _, *models),) = tables(str(comparison))
    assert sum(bool(re.search(r"\d\.\d", line)) for line in models) == 2
    assert len(models) == 2 or len(name) > 60  # which is wrapped


def test_repr_is_one_line():
    assert repr(CLEAR).startswith("<Comparison of a and b")
    assert "\n" not in repr(CLEAR)


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "a & b", "</td><td>", '" onload="x', "'"]
)
def test_html_escapes_hostile_names(name):
    html = compare([1.0, 0.0], [name, "<b>"])._repr_html_()
    tags = set(re.findall(r"</?(\w+)", html))
    assert tags <= {
        *["div", "p", "table", "thead", "tbody", "tr", "th", "td", "strong"]
    }
    assert html.count("<td") == 6 * 2
    assert "<b>" not in html


def test_html_escapes_names_of_losses():
    def hostile(y_true, y_pred):
        return np.abs(y_true - y_pred)

    hostile.__name__ = "<i>"
    X = np.random.default_rng(0).normal(size=(60, 2))
    models = [Column(0), Column(1)]
    result = compare_estimators(models, X, np.zeros(60), cv=FOLDS, loss=hostile)
    assert "<i>" not in result._repr_html_()
    assert "&lt;i&gt;" in result._repr_html_()


def test_html_holds_a_row_for_every_model():
    assert THREE._repr_html_().count("<tr>") == 1 + 3


def failing_among_three():
    X = np.random.default_rng(0).normal(size=(60, 3))
    estimators = {"good": Column(0), "bad": Column(1, fails=True), "fair": Column(2)}
    with pytest.warns(FitFailedWarning):
        return compare_estimators(estimators, X, np.zeros(60), cv=FOLDS)


@pytest.mark.parametrize("say", [str, Comparison._repr_html_])
def test_estimators_left_out_are_named(say):
    text = unwrapped(say(failing_among_three()))
    assert re.search(r"\bbad \(\d+ of \d+", text)


# Frames -----------------------------------------------------------------------


def test_to_frame_has_a_row_per_pair():
    frame = THREE.to_frame()
    assert list(zip(frame["first"], frame["second"], strict=True)) == list(THREE.tests)
    for (_, row), test in zip(frame.iterrows(), THREE.tests.values(), strict=True):
        for name in ("estimate", "statistic", "df", "pvalue", "rho", "rho_alpha"):
            assert row[name] == pytest.approx(getattr(test, f"{name}_"), abs=1e-12)
        ends = test.confidence_interval(0.95)
        assert (row["ci_low"], row["ci_high"]) == pytest.approx(ends, abs=1e-12)
        assert row["test"] == "KFoldTTest()"


def test_to_frame_intervals_are_at_one_minus_alpha():
    comparison = CLEAR.retest(KFoldTTest(), alpha=0.2)
    (test,) = comparison.tests.values()
    row = comparison.to_frame().iloc[0]
    expected = pytest.approx(test.confidence_interval(0.8))
    assert (row["ci_low"], row["ci_high"]) == expected


@pytest.mark.parametrize("reference", [None, "two"])
def test_simultaneous_intervals_are_bonferronis(reference):
    options = {"p_adjust": "bonferroni", "reference": reference, "alpha": 0.06}
    comparison = THREE.retest(KFoldTTest(), **options)
    n_pairs = len(comparison.tests)
    rows = comparison.to_frame().itertuples()
    for row, test in zip(rows, comparison.tests.values(), strict=True):
        interval = pytest.approx(test.confidence_interval(1 - 0.06 / n_pairs))
        assert (row.ci_low_simultaneous, row.ci_high_simultaneous) == interval
        interval = pytest.approx(test.confidence_interval(0.94))
        assert (row.ci_low, row.ci_high) == interval


@pytest.mark.parametrize("p_adjust", ["holm", "bonferroni", "hochberg"])
def test_zero_is_outside_where_the_adjusted_p_says_so(p_adjust):
    for row in THREE.retest(p_adjust=p_adjust).to_frame().itertuples():
        is_outside = row.ci_low_simultaneous > 0 or row.ci_high_simultaneous < 0
        assert is_outside == (row.pvalue_adjusted <= 0.05)


@pytest.mark.parametrize("p_adjust", ["fdr_bh", None])
def test_no_simultaneous_intervals_without_familywise_control(p_adjust):
    comparison = THREE.retest(None, p_adjust=p_adjust)
    assert "ci_low_simultaneous" not in comparison.to_frame()
    assert "simultaneous" not in comparison.report()


def test_simultaneous_intervals_of_equivalence_are_those_it_decides_by():
    comparison = THREE.retest(EquivalenceTest(KFoldTTest(), 0.5), p_adjust="bonferroni")
    for row in comparison.to_frame().itertuples():
        inside = row.ci_low_simultaneous > -0.5 and row.ci_high_simultaneous < 0.5
        assert inside == (row.pvalue_adjusted < 0.05)


# Many estimators ----------------------------------------------------------------

MANY = compare([0.6, 0.5, 0.4, 0.3, 0.1, 0.2, 0.0], "abcdefg", test=KFoldTTest())


def test_conclusion_of_all_pairs_needs_a_winner():
    text = str(THREE.retest(EquivalenceTest(KFoldTTest(), 0.2)))
    assert "No pair is shown to be equivalent within" in " ".join(text.split())
    assert "not significantly" not in text


def test_conclusion_agrees_with_the_best_set():
    decisions = MANY.retest(reference="best").to_dict()["decisions"]
    tied = {
        name for name in decisions if decisions[name] in ("best", "not significant")
    }
    assert tied == set(MANY.best_set().names)


def test_changing_what_is_returned_changes_nothing():
    before = everything(THREE)
    THREE.pvalue_.clear()
    for frame in (THREE.to_frame(), THREE.losses.to_frame()):
        frame.iloc[:, 3:5] = 0.0
    assert everything(THREE) == before


# Testing again ----------------------------------------------------------------


@pytest.mark.parametrize(
    "test",
    [
        None,
        KFoldTTest(rho=0.2),
        KFoldZTest(),
        CorrectedResampledTTest(),
    ],
    ids=str,
)
def test_retest_equals_a_fresh_comparison(test):
    again = THREE.retest(test)
    options = {} if test is None else {"test": test}  # None keeps that of THREE
    fresh = compare([1.0, 0.0, 0.1], ["one", "two", "three"], **options)
    assert everything(again) == everything(fresh)


def test_retest_fits_nothing():
    again = THREE.retest(KFoldTTest(rho=0.1))
    assert again.losses is THREE.losses


def test_retest_leaves_the_first_comparison():
    before = everything(THREE)
    THREE.retest(KFoldTTest(rho=0), reference="two", p_adjust=None, alpha=0.5)
    assert everything(THREE) == before


def test_retest_keeps_the_options_it_is_not_given():
    comparison = compare(
        [1.0, 0.0, 0.1], reference="b", p_adjust="bonferroni", alpha=0.1
    )
    again = comparison.retest(KFoldTTest(rho=0.5))
    assert again.alpha == 0.1
    assert again.p_adjust == "bonferroni"
    assert list(again.tests) == [("b", "a"), ("b", "c")]


def test_retest_refuses_a_test_for_another_design():
    with pytest.raises(ValueError, match="Use KFoldZTest"):
        THREE.retest(ResampledTTest())


def test_comparison_of_losses_equals_compare_estimators():
    assert everything(Comparison(THREE.losses, test=KFoldTTest())) == everything(THREE)


def test_comparison_needs_two_estimators():
    losses = cross_val_losses(Column(), np.zeros((20, 1)), np.zeros(20), cv=5)
    with pytest.raises(ValueError, match="`estimators` must be at least two"):
        Comparison(losses)


# Files ------------------------------------------------------------------------

HALVES = PairedHalves(BlockKFold(3, random_state=0), 2, random_state=0)


@pytest.mark.parametrize(
    ("cv", "options"),
    [
        (FOLDS, {}),
        (FOLDS, {"test": KFoldTTest("nadeau-bengio", popmean=0.25, alpha=0.1)}),
        (FOLDS, {"test": KFoldZTest(0.5)}),
        (FOLDS, {"test": KFoldTTest(alternative="less")}),
        (FOLDS, {"reference": "b", "p_adjust": None, "alpha": 0.1}),
        (BlockKFold(np.int64(4), random_state=0), {"p_adjust": "fdr_bh"}),
        (np.int64(4), {}),
        (RepeatedSubsample(np.int32(4), random_state=0), {}),
        (FiveByTwo(random_state=0), {"test": FiveByTwoFTest()}),
        (FiveByTwo(random_state=0), {"test": FiveByTwoTTest()}),
        (HALVES, {"test": HalfSampleTTest(rho_max=0.5)}),
        (RepeatedSubsample(1, random_state=0), {"test": HoldoutTTest()}),
    ],
    ids=str,
)
def test_load_gives_what_was_saved(cv, options, tmp_path):
    comparison = compare([0.5, 0.0, 0.1], cv=cv, **options)
    comparison.save(tmp_path / "comparison")
    loaded = Comparison.load(tmp_path / "comparison")
    assert everything(loaded) == everything(comparison)


def test_save_takes_parameters_of_numpy_types(tmp_path):
    test = KFoldTTest(rho=np.float32(0.25), popmean=np.int64(1))
    comparison = compare([0.5, 0.0], test=test)
    comparison.save(tmp_path / "comparison")
    loaded = Comparison.load(tmp_path / "comparison")
    assert_array_equal(loaded.to_frame()["pvalue"], comparison.to_frame()["pvalue"])


def test_load_gives_scores_that_were_saved(tmp_path):
    X = np.random.default_rng(0).normal(size=(300, 2))
    comparison = compare_estimators(
        [Column(0), Column(1)], X, X.sum(axis=1), scoring="r2", cv=FOLDS
    )
    comparison.save(tmp_path / "comparison")
    assert everything(Comparison.load(tmp_path / "comparison")) == everything(
        comparison
    )


CV_OF_DESIGN = {
    "k-fold": FOLDS,
    "repeated k-fold": RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
    "subsample": RepeatedSubsample(4, random_state=0),
    "5x2": FiveByTwo(random_state=0),
    "holdout": RepeatedSubsample(1, test_size=0.5, random_state=0),
    "paired halves": HALVES,
    "time series": TimeSeriesSplit(3),
}


@pytest.mark.parametrize(
    "Test",
    [T for T in ALL_TESTS if T is not CrossedTest],
    ids=lambda Test: Test.__name__,
)
def test_every_test_is_said_saved_and_loaded(Test, tmp_path):
    test = Test(KFoldTTest(), 0.2) if Test is EquivalenceTest else Test()
    X = np.random.default_rng(0).integers(0, 2, (60, 2))
    comparison = compare_estimators(
        {"a": Column(0), "b": Column(1)},
        X,
        np.zeros(60, int),
        loss="zero_one",
        cv=CV_OF_DESIGN[test.designs[0]],
        test=test,
    )
    for text in (str(comparison), comparison.report()):
        assert Test.__name__ in text
        assert "nan" not in text
    comparison.save(tmp_path / "comparison")
    assert everything(Comparison.load(tmp_path / "comparison")) == everything(
        comparison
    )


def test_load_keeps_estimators_left_out(tmp_path):
    comparison = failing_among_three()
    comparison.save(tmp_path / "comparison")
    loaded = Comparison.load(tmp_path / "comparison")
    assert everything(loaded) == everything(comparison)


@pytest.mark.parametrize(
    "name", ["ρ ✓ 日本 🌲", "a\nb", "\x00", "\ud800", "' \" \\ <b>"]
)
def test_save_keeps_any_name(name, tmp_path):
    comparison = compare([1.0, 0.0], [name, "other"])
    comparison.save(tmp_path / "comparison")
    loaded = Comparison.load(tmp_path / "comparison")
    assert loaded.losses.names == comparison.losses.names


class OwnTest(KFoldTTest):
    pass


def test_save_refuses_tests_of_others(tmp_path):
    comparison = compare([1.0, 0.0], test=OwnTest())
    with pytest.raises(TypeError, match="OwnTest"):
        comparison.save(tmp_path / "comparison")
    assert not list(tmp_path.iterdir())


def test_comparison_with_own_test_is_reported():
    comparison = compare([1.0, 0.0], test=OwnTest())
    assert "OwnTest" in str(comparison)
    assert comparison.pvalue_ == CLEAR.pvalue_


# Warnings and errors of the tests ----------------------------------------------


def test_losses_survive_a_test_that_refuses_them():
    X = np.random.default_rng(0).normal(size=(20, 2))
    cv = [(np.arange(10), np.arange(10, 20))]
    with pytest.raises(ValueError, match="zero-one") as info:
        compare_estimators(
            {"a": Column(0), "b": Column(1)},
            X,
            X.sum(axis=1),
            loss="squared_error",
            cv=cv,
            test=McNemarTest(),
        )
    assert info.value.losses.values.shape == (10, 2)


def test_failed_fits_with_a_finite_error_score_are_said():
    X = np.random.default_rng(0).normal(size=(60, 2))
    with pytest.warns(FitFailedWarning):
        comparison = compare_estimators(
            {"good": Column(0), "bad": Column(1, fails=True)},
            X,
            np.zeros(60),
            loss="absolute_error",
            cv=FOLDS,
            error_score=0.0,
        )
    for say in (str, Comparison._repr_html_):
        assert "bad (10 of 10 fits failed)" in unwrapped(say(comparison))


def test_interval_of_an_equivalence_test_is_the_one_it_decides_by():
    comparison = UNCLEAR.retest(EquivalenceTest(KFoldTTest(), margin=2.0))
    (test,) = comparison.tests.values()
    low, high = test.confidence_interval(0.9)
    assert comparison.pvalue_ < 0.05
    assert -2 < low < high < 2
    row = comparison.to_frame().iloc[0]
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((low, high))
    assert "are equivalent within" in str(comparison)


def test_bayesian_probabilities_add_up():
    row = CLEAR.retest(BayesianCorrelatedTTest(rope=0.1)).to_frame().iloc[0]
    parts = row[["prob_less", "prob_rope", "prob_greater"]].astype(float)
    assert parts.sum() == pytest.approx(1)
    assert parts["prob_greater"] > 0.9


def test_of_very_many_pairs_those_of_the_best_are_shown():
    rng = np.random.default_rng(0)
    means = rng.permutation(102) / 100
    scores = {f"m{n}": rng.normal(mean, 0.01, 10) for n, mean in enumerate(means)}
    result = compare_cv_results(scores, cv=10, reference="m5")
    (models,) = tables(str(result))
    assert len(models) == 2 + 25
    best = sorted(scores, key=lambda name: -scores[name].mean())
    assert [line.split()[0] for line in models[2:]] == best[:25]


@pytest.mark.parametrize("reference", [None, "a"])
def test_the_numbers_of_pairs_are_of_those_that_were_asked_for(reference):
    rng = np.random.default_rng(0)
    scores = {name: rng.normal(0.8, 0.05, 10) for name in "abcd"}
    result = compare_cv_results(scores, cv=10, reference=reference)
    asked = [("a", "b"), ("a", "d")] if reference is None else [("a", "b")]
    excerpt = result.pairs(asked)
    frame = excerpt.to_frame()
    assert list(zip(frame["first"], frame["second"], strict=True)) == asked
    rows = excerpt.to_dict()["rows"]
    assert [(row["first"], row["second"]) for row in rows] == asked
    whole = result.to_frame().set_index(["first", "second"])
    for row in frame.itertuples():
        known = whole.loc[row.first, row.second]
        assert row.estimate == known.estimate
        assert row.pvalue_adjusted == known.pvalue_adjusted
    assert len(result.pairs([("d", "a")]).to_frame()) == 1
    n_best = len(result.pairs("best").to_frame())
    assert n_best == len(result.losses.names) - 1
    assert len(result.pairs().to_frame()) == len(result.to_frame())
