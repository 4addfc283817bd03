"""Pictures: what is printed, in scikit-learn's convention of displays."""

import sys
from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from interfaces import drawn_forest, new_axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedKFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    ComparisonDisplay,
    EquivalenceTest,
    FiveByTwo,
    KFoldTTest,
    RepeatedSubsample,
    RhoSensitivityDisplay,
    compare_cv_results,
    compare_estimators,
    cross_val_interval,
)

MOST_CASES = 6  # that the suite runs of a test, see conftest.py
RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)
MODELS = {f"model {c:g}": LogisticRegression(C=c) for c in (1e-3, 1.0, 100.0)}
MODELS["bayes"] = GaussianNB()
FITTED = compare_estimators(MODELS, X, Y, cv=BlockKFold(5, random_state=0))
DISPLAYS = [ComparisonDisplay, RhoSensitivityDisplay]
every_display = pytest.mark.parametrize("Display", DISPLAYS)


def compared(names, spread=0.02, **options):
    rng = np.random.default_rng(0)
    means = np.linspace(0.9, 0.8, len(names))
    scores = {n: rng.normal(m, spread, 10) for n, m in zip(names, means, strict=True)}
    return compare_cv_results(scores, metric="accuracy", cv=10, **options)


def drawn(display):
    """Return the pixels of a display."""
    canvas = FigureCanvasAgg(display.figure_)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())


def labels(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


# Both displays ----------------------------------------------------------------


@every_display
def test_displays_follow_the_convention(Display):
    display = Display.from_comparison(FITTED)
    assert type(display) is Display
    assert display.ax_.figure is display.figure_
    assert plt.get_fignums() == [display.figure_.number]
    first = drawn(display)
    assert display.plot() is display
    np.testing.assert_array_equal(drawn(display), first)
    with pytest.raises(TypeError):
        display.plot(new_axes())


@every_display
def test_given_axes_are_drawn_on_and_all_else_is_left_alone(Display):
    _, (first, second) = plt.subplots(1, 2)
    style = dict(plt.rcParams)
    display = Display.from_comparison(FITTED, ax=first)
    assert display.ax_ is first
    assert plt.gca() is second
    assert dict(plt.rcParams) == style
    assert len(plt.get_fignums()) == 1
    assert FITTED.plot(second) is second
    assert FITTED.plot(ax=second) is second


@every_display
def test_without_matplotlib_the_extra_is_named(Display, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r'pip install "sklearn_cvtest\[plot\]"'):
        Display.from_comparison(FITTED)


def is_whole(figure):
    """Whether all that is drawn is inside of a figure."""
    figure.canvas.draw()
    inside, boxes = figure.bbox.padded(1), [ax.get_tightbbox() for ax in figure.axes]
    return all(
        inside.x0 <= box.x0 <= box.x1 <= inside.x1
        and inside.y0 <= box.y0 <= box.y1 <= inside.y1
        for box in boxes
    )


def overlaps(ax):
    """Return the texts of axes that lie on each other."""
    texts = [*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels(), ax.xaxis.label]
    texts += ax.get_legend().get_texts()
    shown = [text for text in texts if text.get_text()]
    boxes = {text: text.get_window_extent().padded(-0.5) for text in shown}
    return [
        (one.get_text(), other.get_text())
        for one, other in combinations(shown, 2)
        if boxes[one].overlaps(boxes[other])
    ]


@every_display
@pytest.mark.parametrize("n_models", [2, 4, 8, 40])
@pytest.mark.parametrize("name", ["m{}", "LongEstimator(rate=0.{}, seed=1) and on"])
def test_all_that_is_drawn_is_inside_and_apart(Display, n_models, name):
    result = compared([name.format(i) for i in range(n_models)])
    display = Display.from_comparison(result)
    assert is_whole(display.figure_)
    assert not overlaps(display.ax_)
    assert max(display.figure_.get_size_inches()) <= 11


@every_display
@pytest.mark.parametrize(
    "name", ["$\\badmath$", "_hidden", "a\nb", "<script>", "tab\tx", "\x1b[1m", "%s"]
)
def test_any_name_can_be_drawn(Display, name):
    drawn(Display.from_comparison(compared([name, "b"])))


# Comparisons ------------------------------------------------------------------


@pytest.mark.parametrize("n_models", [2, 3, 8])
@pytest.mark.parametrize("reference", [None, "m1"])
def test_a_row_for_each_model_has_the_numbers_of_the_table(n_models, reference):
    result = compared([f"m{i}" for i in range(n_models)], reference=reference)
    ax = result.plot(new_axes())
    table = [line.split("  ") for line in str(result).split("\n\n")[1].splitlines()[2:]]
    assert labels(ax) == [row[0].removesuffix(" †") for row in table]
    base = reference or result.best
    beside = dict(zip(labels(ax), [t.get_text() for t in ax.texts][1:], strict=True))
    rows = {row.label: row for row in drawn_forest(ax) if np.isfinite(row.estimate)}
    for line in table:
        cells = [cell.strip() for cell in line if cell.strip()]
        name = cells[0].removesuffix(" †")
        if name == base:
            assert beside[name] in ("best", "reference")
            assert name not in rows
            continue
        assert beside[name] == cells[5]
        numbers = [rows[name].estimate, *rows[name].intervals[0]]
        shown = [cells[3], *cells[4].split(" to ")]
        for number, text in zip(numbers, shown, strict=True):
            assert abs(number - float(text.replace("−", "-"))) <= 0.051
        low, high = rows[name].intervals[0]
        assert rows[name].is_filled == (not low <= 0 <= high)
    assert base not in " ".join(legend(ax))


@pytest.mark.parametrize("scoring", ["accuracy", "neg_log_loss"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_behind_the_best_is_to_the_right_in_the_unit_of_words(scoring):
    models = {"good": LogisticRegression(), "poor": DummyClassifier()}
    result = compare_estimators(models, X, Y, cv=5, scoring=scoring)
    ax = result.plot(new_axes())
    scale, word = (100, "points of accuracy") if scoring == "accuracy" else (1, "log")
    (other,) = (row for row in drawn_forest(ax) if np.isfinite(row.estimate))
    gap = abs(np.subtract(*result.losses.mean_losses))
    assert other.estimate == pytest.approx(scale * gap)
    assert ax.get_xlabel().startswith("behind the best")
    assert word in ax.get_xlabel()


def test_intervals_without_end_reach_the_frame():
    ax = compared("ab", test=KFoldTTest(alternative="less")).plot(new_axes())
    (row,) = (row for row in drawn_forest(ax) if np.isfinite(row.estimate))
    assert np.isin(ax.get_xlim(), row.intervals[0]).sum() == 1


def test_a_picture_of_some_models_says_of_how_many():
    result = compared([f"m{number}" for number in range(62)])
    ax = result.plot(new_axes())
    assert f"{len(labels(ax))} of 62 models" in ax.get_xlabel()
    assert f"{62 - len(labels(ax))} more models are in to_frame()" in " ".join(
        str(result).split()
    )


@pytest.mark.parametrize(
    ("test", "word", "bounds"),
    [
        (EquivalenceTest(KFoldTTest(), margin=0.3), "margin: 30 points", {-30, 30}),
        (BayesianCorrelatedTTest(rope=0.3), "margin: 30 points", {-30, 30}),
        (KFoldTTest(popmean=-0.3), "null hypothesis", {-30}),
    ],
)
def test_margins_are_on_the_axis_and_named(test, word, bounds):
    ax = compared("abc", test=test).plot(new_axes())
    assert any(text.startswith(word) for text in legend(ax))
    low, high = ax.get_xlim()
    lines = {round(line.get_xdata()[0]) for line in ax.get_lines()}
    assert bounds <= lines
    assert all(low < bound < high for bound in bounds)


def test_legends_speak_of_decisions_only_where_some_are_made():
    assert legend(FITTED.plot(new_axes()))[-1] == "not significant"
    intervals = cross_val_interval(MODELS, X, Y, cv=5).plot(new_axes())
    assert intervals.get_legend() is None
    assert FITTED.winner_interval().plot(new_axes()).get_legend() is None


# ρ ------------------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("popmean", [0.0, -0.01])
def test_rho_curve_is_the_p_value_at_each_rho(alternative, popmean):
    options = {"alternative": alternative, "popmean": popmean}
    result = compared("ab", test=KFoldTTest(0.2, **options), alpha=0.1)
    display = RhoSensitivityDisplay.from_comparison(result, ax=new_axes())
    (curve,) = display.pvalues
    for rho, pvalue in list(zip(display.rho, curve, strict=True))[::40]:
        expected = result.retest(KFoldTTest(rho, **options)).pvalue_
        assert pvalue == pytest.approx(expected, rel=1e-9)
    assert display.rho_alpha == pytest.approx(result.rho_alpha_)
    if result.rho_alpha_ > 0:
        at = np.interp(result.rho_alpha_, display.rho, curve)
        assert at == pytest.approx(0.1, rel=0.03)
        assert f"ρ_α = {result.rho_alpha_:.3g}" in legend(display.ax_)[0]
    else:
        assert legend(display.ax_)[0].endswith("significant at no ρ")


@pytest.mark.parametrize("n_models", [3, 12])
def test_rho_plot_of_many_has_the_best_with_up_to_seven(n_models):
    result = compared([f"m{i}" for i in range(n_models)])
    display = RhoSensitivityDisplay.from_comparison(result, ax=new_axes())
    assert len(display.labels) == min(n_models - 1, 7)
    assert all(result.best in label.split(" − ") for label in display.labels)
    table = result.retest(KFoldTTest(0.0)).to_frame()
    for label, curve in zip(display.labels, display.pvalues, strict=True):
        first, second = label.split(" − ")
        row = table[(table["first"] == first) & (table["second"] == second)]
        assert len(row) == 0 or curve[0] == pytest.approx(row["pvalue"].item())


@pytest.mark.parametrize(
    "cv",
    [
        BlockKFold(5, random_state=0),
        RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
        RepeatedSubsample(5, random_state=0),
        ShuffleSplit(5, test_size=0.2, random_state=0),
    ],
    ids=repr,
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_rho_plot_names_its_test_and_has_its_rho_alpha(cv):
    result = compare_estimators([LogisticRegression(), GaussianNB()], X, Y, cv=cv)
    display = RhoSensitivityDisplay.from_comparison(result, ax=new_axes())
    assert display.rho_alpha == pytest.approx(result.rho_alpha_)
    title = display.ax_.get_legend().get_title().get_text()
    assert title == type(display.test).__name__


@pytest.mark.parametrize(
    "cv", [FiveByTwo(random_state=0), ShuffleSplit(1, random_state=0)], ids=repr
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_rho_plot_of_other_designs_says_what_it_needs(cv):
    result = compare_estimators([LogisticRegression(), GaussianNB()], X, Y, cv=cv)
    with pytest.raises(ValueError, match="KFoldTTest"):
        RhoSensitivityDisplay.from_comparison(result)


@pytest.mark.parametrize("second", [[0.1] * 10, [0.2] * 10])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_rho_plot_of_constant_differences_can_be_drawn(second):
    result = compare_cv_results({"a": [0.1] * 10, "b": second}, cv=10)
    display = RhoSensitivityDisplay.from_comparison(result, ax=new_axes())
    assert np.isfinite(drawn(display)).all()
