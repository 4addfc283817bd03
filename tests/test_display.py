"""Displays: what is drawn, in scikit-learn's convention."""

import pickle
import sys
from dataclasses import replace
from itertools import combinations, pairwise
from types import SimpleNamespace

import common
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from scipy import stats
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import RepeatedKFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    Comparison,
    ComparisonDisplay,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    CVResiduals,
    EquivalenceTest,
    FiveByTwo,
    KFoldTTest,
    RepeatedSubsample,
    RhoSensitivityDisplay,
    compare_cv_results,
    compare_estimators,
    compare_table,
    cross_val_interval,
    cross_val_losses,
)
from sklearn_cvtest.simulation import (
    CovarianceStructure,
    GaussianLinearPopulation,
    LossCovarianceDisplay,
    RejectionRateDisplay,
    rejection_rates,
    replicate_losses,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)
MODELS = {f"model {c:g}": LogisticRegression(C=c) for c in (1e-3, 1.0, 100.0)}
MODELS["bayes"] = GaussianNB()
LOSSES = cross_val_losses(MODELS, X, Y, cv=BlockKFold(5, random_state=0), loss="brier")
FOLDS = [0.010, -0.005, 0.020, 0.015, 0, 0.010, 0.025, -0.010, 0.005, 0.020]
STRUCTURE = CovarianceStructure(1.0, 0.1, 0.05, n_samples=100, n_splits=10)
RATES = SimpleNamespace(
    test_names=("one", "two"),
    alphas=np.array([0.01, 0.05]),
    popmeans=np.array([0.0, 0.1, 0.2]),
    rates=np.linspace(0.01, 0.9, 12).reshape(2, 2, 3),
    standard_errors=np.full((2, 2, 3), 0.02),
    true_mean=0.0,
    n_replications=100,
)


def pairs_of(display):
    """Return the pairs in the rows of a plot."""
    return [tuple(label.split(" − ")) for label in display.rows.labels]


def comparison(n_estimators=3, names=None, **options):
    names = LOSSES.names[:n_estimators] if names is None else names
    columns = np.arange(len(names)) % LOSSES.losses.shape[1]
    noise = np.random.default_rng(0).normal(
        0.01, 0.02, (len(LOSSES.losses), len(names))
    )
    losses = replace(
        LOSSES,
        estimator_names=tuple(names),
        losses=LOSSES.losses[:, columns] + noise * np.arange(len(names)),
        fit_time=LOSSES.fit_time[:, columns],
        score_time=LOSSES.score_time[:, columns],
        fit_failed=LOSSES.fit_failed[:, columns],
    )
    return Comparison(losses, **options)


def unplotted(display):
    """Return a display of the same data that has not been drawn."""
    names = type(display).__init__.__code__.co_varnames[1:]
    names = [name for name in names if hasattr(display, name)]
    return type(display)(**{name: getattr(display, name) for name in names})


def differences():
    return unplotted(comparison().plot(ax=axes()))


def sensitivity():
    return unplotted(RhoSensitivityDisplay.from_residuals(FOLDS, ax=axes()))


def curves():
    return unplotted(RejectionRateDisplay.from_rates(RATES, ax=axes()))


def grid():
    return RejectionRateDisplay(
        rates=[[0.0, 0.05], [0.1, 1.0], [0.2, 0.3]],
        row_values=[2, 5, 10],
        column_values=[1, 10],
        row_label="folds",
        column_label="repeats",
    )


def structure():
    return LossCovarianceDisplay(structure=STRUCTURE)


def axes():
    return Figure(layout="constrained").subplots()


MAKERS = [differences, sensitivity, structure, curves, grid]
every_display = pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)


def drawn(display):
    """Return the pixels of a display."""
    canvas = FigureCanvasAgg(display.figure_)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())


def labels(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def legend_labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


# All displays -----------------------------------------------------------------


def test_every_public_display_is_tried():
    assert {type(make()) for make in MAKERS} == set(common.ALL_DISPLAYS)


@every_display
def test_plot_returns_the_display_with_axes_and_figure(make):
    display = make()
    assert display.plot() is display
    assert display.ax_.figure is display.figure_
    assert plt.get_fignums() == [display.figure_.number]


@every_display
def test_plot_draws_on_given_axes_and_makes_no_figure(make):
    ax = axes()
    display = make().plot(ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is ax.figure
    assert plt.get_fignums() == []


@every_display
def test_plot_leaves_the_current_axes_alone(make):
    _, (first, second) = plt.subplots(1, 2)
    assert plt.gca() is second
    make().plot(ax=first)
    assert plt.gca() is second


@every_display
def test_plot_leaves_the_style_alone(make):
    before = dict(plt.rcParams)
    make().plot()
    assert dict(plt.rcParams) == before


@every_display
def test_plot_twice_draws_the_same(make):
    display = make()
    first = drawn(display.plot(ax=axes()))
    np.testing.assert_array_equal(drawn(display.plot(ax=axes())), first)


@every_display
def test_plot_leaves_the_data_alone(make):
    display = make()
    before = pickle.dumps(display)
    display.plot()
    assert pickle.dumps(unplotted(display)) == before


@every_display
def test_displays_survive_pickling(make):
    display = make()
    before = pickle.loads(pickle.dumps(display))
    expected = drawn(display.plot(ax=axes()))
    for copy in (before, pickle.loads(pickle.dumps(display))):
        np.testing.assert_array_equal(drawn(copy.plot(ax=axes())), expected)


@every_display
def test_plot_without_matplotlib_names_the_extra(make, monkeypatch):
    display = make()
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r'pip install "sklearn_cvtest\[plot\]"'):
        display.plot()


@every_display
def test_all_that_is_drawn_is_inside_the_figure(make):
    display = make().plot()
    display.figure_.canvas.draw()
    inside = display.figure_.bbox.padded(1)
    for ax in display.figure_.axes:
        box = ax.get_tightbbox()
        assert inside.x0 <= box.x0 <= box.x1 <= inside.x1
        assert inside.y0 <= box.y0 <= box.y1 <= inside.y1


# Differences ------------------------------------------------------------------


def filled(display):
    """Return which markers are filled, in all rows."""
    faces = np.concatenate([part.get_facecolors() for part in display.points_])[:, :3]
    return ~(faces == 1).all(axis=1)


@pytest.mark.parametrize("n_estimators", [2, 3])
def test_comparison_plot_has_a_row_for_each_model_the_best_on_top(n_estimators):
    result = comparison(n_estimators)
    display = result.plot()
    (found,) = result.decisions.values()
    names = [result.names[row.position] for row in found.rows]
    assert labels(display.ax_) == names
    assert names[0] == result.best
    assert display.ax_.yaxis_inverted()
    estimates = display.points_[0].get_offsets()[:, 0]
    assert estimates[0] == 0
    np.testing.assert_allclose(estimates[1:], [row.effect for row in found.others])
    segments = [s for s in display.intervals_[0].get_segments() if len(s)]
    ends = [(row.low, row.high) for row in found.others]
    np.testing.assert_allclose(np.array(segments)[:, :, 0], ends)
    assert display.comparison_ is result


def test_comparison_plot_of_pairs_shows_estimates_and_intervals():
    result = comparison()
    display = result.plot(pairs=list(result.tests))
    frame = result.to_frame().sort_values("estimate")
    np.testing.assert_array_equal(
        display.points_[0].get_offsets(),
        np.column_stack([frame["estimate"], range(3)]),
    )
    segments = np.array(display.intervals_[0].get_segments())
    ends = frame[["ci_low_simultaneous", "ci_high_simultaneous"]]
    np.testing.assert_allclose(segments[:, :, 0], ends)


def test_filled_markers_are_significant_in_all_pictures_of_a_comparison():
    result = comparison(test=KFoldTTest(rho=0), alpha=0.2)
    display = result.plot(pairs="all")
    frame = result.to_frame().set_index(["first", "second"])["pvalue_adjusted"]
    pairs = pairs_of(display)
    pvalues = [frame[pair] if pair in frame else frame[pair[::-1]] for pair in pairs]
    assert 0 < sum(p <= 0.2 for p in pvalues) < 3
    assert filled(display).tolist() == [p <= 0.2 for p in pvalues]
    best = result.best_set(alpha=0.2)
    (found,) = result.decisions.values()
    worse = [row.decision == "worse" for row in found.rows]
    assert filled(result.plot()).tolist() == worse
    (points,) = (c for c in best.plot().collections if len(c.get_offsets()) == 3)
    faces = points.get_facecolors()[:, :3]
    assert (~(faces == 1).all(axis=1)).tolist() == worse
    assert any(worse)
    assert not all(worse)


def test_comparison_plot_writes_pvalues_in_a_column_as_in_words():
    display = comparison().plot(pairs="all")
    assert display.text_[0].get_text() == "p (holm)"
    assert len(display.text_) == 4


@pytest.mark.parametrize("scoring", ["accuracy", "neg_log_loss", None])
def test_better_is_left_for_losses_and_right_for_scores_in_the_unit_of_words(scoring):
    models = {"good": LogisticRegression(), "poor": DummyClassifier()}
    options = {"loss": "zero_one"} if scoring is None else {"scoring": scoring}
    result = compare_estimators(models, X, Y, cv=5, **options)
    display = result.plot()
    best, other = display.points_[0].get_offsets()[:, 0]
    is_score = scoring == "accuracy"
    assert (other < best) == is_score
    first, second = result.losses.mean_losses
    scale = 1 if scoring == "neg_log_loss" else 100
    assert abs(other) == pytest.approx(scale * abs(first - second))
    *_, sides = display.ax_.get_xlabel().splitlines()
    assert (sides.index("better") < sides.index("worse")) == (not is_score)
    word = {"accuracy": "accuracy", "neg_log_loss": "log loss"}.get(scoring, "error")
    assert word in display.ax_.get_xlabel()
    sign = 1 if scoring in (None, "neg_log_loss") else -1
    assert display.rows.factor == sign * scale


def test_a_title_of_the_user_lies_on_nothing():
    displays = [
        comparison().plot(),
        comparison().plot(pairs="all"),
        sensitivity().plot(),
        RhoSensitivityDisplay.from_comparison(comparison(test=KFoldTTest())),
    ]
    for display in displays:
        ax = display.ax_
        assert ax.get_title() == ax.get_title("left") == ""
        title = ax.set_title("A title of my own that is as long as the axes are wide")
        display.figure_.canvas.draw()
        box = title.get_window_extent()
        others = [*ax.texts, *ax.get_legend().get_texts(), *ax.get_yticklabels()]
        assert not any(box.overlaps(text.get_window_extent()) for text in others)


def test_every_picture_has_a_legend_and_the_same_frame():
    result = comparison(8, names=EIGHT)
    axes = [
        result.plot().ax_,
        result.best_set().plot(),
        sensitivity().plot().ax_,
        result.by(np.arange(len(Y)) % 2).plot(),
        cross_val_interval(MODELS, X, Y, cv=5).plot(),
    ]
    for ax in axes:
        assert ax.get_legend() is not None
        shown = [side for side, spine in ax.spines.items() if spine.get_visible()]
        assert sorted(shown) == ["bottom", "left"]


def test_comparison_plot_with_a_reference_names_it():
    display = comparison(3, reference="model 1").plot()
    assert "from model 1" in display.ax_.get_xlabel()
    assert set(labels(display.ax_)) == {"model 0.001", "model 1", "model 100"}


def test_intervals_without_end_are_at_the_frame():
    display = comparison(2, test=KFoldTTest(alternative="less")).plot()
    (segment,) = [s for s in display.intervals_[0].get_segments() if len(s)]
    assert np.isin(display.ax_.get_xlim(), segment[:, 0]).sum() == 1


@pytest.mark.parametrize("n_estimators", [2, 3, 5, 10])
def test_comparison_plot_keeps_rows_apart(n_estimators):
    names = [
        f"make_pipeline(StandardScaler(), SVC(C={i}))" for i in range(n_estimators)
    ]
    display = comparison(names=names).plot(pairs="all")
    display.figure_.canvas.draw()
    boxes = [label.get_window_extent() for label in display.ax_.get_yticklabels()]
    assert len(boxes) == n_estimators * (n_estimators - 1) // 2
    for above, below in pairwise(boxes):
        assert above.y0 >= below.y1
    assert display.ax_.get_window_extent().width >= 2.5 * display.figure_.dpi


EIGHT = [f"model {number}" for number in range(8)]


def test_plots_of_many_show_the_pairs_with_the_best():
    result = comparison(names=EIGHT, test=BayesianCorrelatedTTest(0.01))

    def plot(**options):
        return ComparisonDisplay.from_comparison(result, **options)

    best = result.best
    for options in ({}, {"pairs": "best"}):
        display = plot(**options)
        shown = display.rows.labels
        assert len({*shown} - {best}) == 7
        assert options == {} or all(best in label for label in shown)
    assert len(plot(pairs="all").rows.labels) == 28
    first, second = list(result.tests)[3]
    display = plot(pairs=[(first, second), list(result.tests)[9][::-1]])
    shown = set(pairs_of(display))
    assert shown == {(first, second), list(result.tests)[9][::-1]}


def test_pairs_in_a_list_have_the_sign_of_their_order():
    result = comparison()
    pair = next(iter(result.tests))
    (there,) = result.plot(pairs=[pair]).rows.estimates
    (back,) = result.plot(pairs=[pair[::-1]]).rows.estimates
    assert there == -back == result.to_frame()["estimate"][0]


@pytest.mark.parametrize("few", [3, 8])
def test_p_against_rho_takes_the_same_words(few):
    result = comparison(names=EIGHT[:few])

    def curves(**options):
        return len(RhoSensitivityDisplay.from_comparison(result, **options).labels)

    assert curves(pairs="best") == few - 1
    assert curves(pairs="all") == few * (few - 1) // 2
    assert curves(pairs=list(result.tests)[:2]) == 2


def test_pairs_of_a_one_sided_test_are_never_turned():
    result = comparison(names=EIGHT, test=KFoldTTest(alternative="less"))
    display = result.plot(pairs="all")
    shown = set(pairs_of(display))
    assert shown == set(list(result.tests))
    with pytest.raises(ValueError, match="`pairs` must be"):
        result.plot(pairs=[next(iter(result.tests))[::-1]])


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
    boxes = [text.get_window_extent().padded(-0.5) for text in texts if str(text)]
    shown = [text.get_text() for text in texts if str(text)]
    return [
        (shown[one], shown[other])
        for one, other in combinations(range(len(boxes)), 2)
        if shown[one] and shown[other] and boxes[one].overlaps(boxes[other])
    ]


@pytest.mark.parametrize(
    "name", ["model {}", "LongEstimator(rate={:02}, seed=1) and on"]
)
def test_sixty_models_are_on_a_page_that_can_be_printed(name):
    names = [name.format(i) for i in range(60)]
    display = comparison(names=names, test=KFoldTTest()).plot()
    width, height = display.figure_.get_size_inches()
    assert width <= 7
    assert height <= 9.4
    assert len(display.rows.labels) == 60
    assert is_whole(display.figure_)
    assert not overlaps(display.ax_)
    assert min(text.get_fontsize() for text in display.text_) >= 6.5


def test_a_picture_of_some_models_says_of_how_many():
    names = [f"m{number}" for number in range(62)]
    display = comparison(names=names, test=KFoldTTest()).plot()
    assert len(labels(display.ax_)) == 60
    assert "60 of 62" in " ".join(display.ax_.get_xlabel().split())


@pytest.mark.parametrize("n_models", [2, 4, 8])
@pytest.mark.parametrize("name", ["m{}", "LongEstimator(rate=0.{}, seed=1) and on"])
def test_plots_in_a_column_of_a_paper_are_whole(n_models, name):
    result = comparison(names=[name.format(i) for i in range(n_models)])
    figure, ax = plt.subplots(figsize=(3.3, 2.9))  # no option for the layout
    result.plot(ax=ax)
    assert is_whole(figure)
    assert not overlaps(ax)


@pytest.mark.parametrize("width", [3.3, 4.0, 6.4])
def test_rho_plots_in_low_figures_are_whole(width):
    """With a difference that is significant at no ρ, whose legend is the longest."""
    rng = np.random.default_rng(0)
    scores = {
        name: rng.normal(mean, 0.03, 10)
        for name, mean in [("a long name", 0.8), ("another name", 0.82), ("c", 0.84)]
    }
    result = compare_cv_results(scores, cv=10)
    figure, ax = plt.subplots(figsize=(width, 3))
    display = RhoSensitivityDisplay.from_comparison(result, ax=ax)
    assert min(display.rho_alpha) < 0
    assert is_whole(figure)


def test_axes_laid_out_by_hand_stay_so():
    figure, ax = plt.subplots(layout="tight")
    comparison().plot(ax=ax)
    assert "Tight" in type(figure.get_layout_engine()).__name__


def test_long_names_wrap_and_are_whole():
    names = [
        "fifteen nearest neighbours with a scaler before them",
        "logistic regression of all pairs of features",
    ]
    display = comparison(names=names).plot()
    shown = labels(display.ax_)
    assert {" ".join(label.split()) for label in shown} == set(names)
    assert all("\n" in label for label in shown)
    assert not overlaps(display.ax_)


@pytest.mark.parametrize(
    "name",
    ["$\\badmath$", "_hidden", "a\nb", "<script>", "tab\tx", "\x1b[1m", "{x}", "%s"],
)
def test_any_name_can_be_drawn(name):
    result = comparison(names=[name, "b"])
    display = result.plot()
    drawn(display)
    shown = " ".join(name.split()).replace("\x1b", "\\u001b")
    assert shown in labels(display.ax_)
    drawn(RhoSensitivityDisplay.from_comparison(result))


# ρ ------------------------------------------------------------------------------


def test_rho_curve_is_the_pvalue_of_the_test_at_each_rho():
    display = RhoSensitivityDisplay.from_residuals(FOLDS)
    expected = [KFoldTTest(rho=rho).fit(FOLDS).pvalue_ for rho in display.rho]
    np.testing.assert_allclose(display.pvalues[0], expected, rtol=1e-10)
    np.testing.assert_allclose(display.lines_[0].get_ydata(), expected, rtol=1e-10)


def test_rho_curve_begins_at_the_usual_t_test():
    display = RhoSensitivityDisplay.from_residuals(FOLDS)
    assert display.pvalues[0, 0] == pytest.approx(stats.ttest_1samp(FOLDS, 0).pvalue)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("popmean", [0.0, -0.01])
def test_rho_alpha_is_where_the_curve_crosses_the_level(alternative, popmean):
    options = {"alternative": alternative, "popmean": popmean, "alpha": 0.1}
    display = RhoSensitivityDisplay.from_residuals(FOLDS, **options)
    test = KFoldTTest(**options).fit(FOLDS)
    assert display.rho_alpha == [test.rho_alpha_]
    if test.rho_alpha_ > 0:
        at = np.interp(test.rho_alpha_, display.rho, display.pvalues[0])
        assert at == pytest.approx(0.1, rel=1e-3)
        assert display.rho_alpha_points_[0].get_xydata().tolist() == [
            [test.rho_alpha_, 0.1]
        ]
    else:
        assert display.rho_alpha_points_ == []
        assert legend_labels(display.ax_)[0].endswith("significant at no ρ")


def test_rho_plot_marks_nadeau_bengio_and_the_largest_seen():
    display = RhoSensitivityDisplay.from_residuals(FOLDS)
    assert display.marks == {
        "Nadeau & Bengio's ρ": pytest.approx(10 / 19),
        "largest seen in 10-fold": 0.7,
    }
    assert [text.get_text() for text in display.ax_.texts] == ["0.526", "0.7"]
    shown = legend_labels(display.ax_)[1:]
    assert shown == [
        "0.526: Nadeau & Bengio's ρ",
        "0.7: largest seen in 10-fold",
        "level 5%",
    ]
    assert [line.get_xdata()[0] for line in display.mark_lines_] == list(
        display.marks.values()
    )


@pytest.mark.parametrize(
    ("design", "test"),
    [
        ("subsample", CorrectedResampledTTest()),
        ("repeated k-fold", CorrectedRepeatedKFoldTTest()),
    ],
)
def test_rho_plot_of_other_designs_marks_their_rho_only(design, test):
    residuals = CVResiduals.from_array(FOLDS, design=design, n_train=90, n_test=10)
    display = RhoSensitivityDisplay.from_residuals(residuals)
    expected = test.fit(residuals).rho_
    assert display.marks == {"Nadeau & Bengio's ρ": pytest.approx(expected)}


def test_rho_plot_of_subsamples_of_unknown_sizes_marks_nothing():
    residuals = CVResiduals.from_array(FOLDS, design="subsample")
    assert RhoSensitivityDisplay.from_residuals(residuals).marks == {}


def test_rho_plot_of_a_comparison_has_a_curve_for_each_pair():
    result = comparison(test=KFoldTTest(rho=0.2, alternative="less"))
    display = RhoSensitivityDisplay.from_comparison(result)
    assert len(display.lines_) == 3
    for curve, test in zip(display.pvalues, result.tests.values(), strict=True):
        at = np.interp(0.2, display.rho, curve)
        assert at == pytest.approx(test.pvalue_, rel=1e-9)


def test_rho_plot_of_chosen_pairs():
    pair = list(comparison().tests)[1]
    display = RhoSensitivityDisplay.from_comparison(comparison(), pairs=[pair])
    assert display.labels == [" − ".join(pair)]


def test_rho_plot_of_no_pairs_is_an_error():
    with pytest.raises(
        ValueError, match=r"`pairs` must be 'best', 'all' or a list.*; got \[\]"
    ):
        RhoSensitivityDisplay.from_comparison(comparison(), pairs=[])


def test_rho_plot_of_no_difference_stays_at_one():
    display = RhoSensitivityDisplay.from_residuals(np.zeros(10))
    np.testing.assert_array_equal(display.pvalues, 1)


def test_rho_plot_of_a_constant_difference_can_be_drawn():
    display = RhoSensitivityDisplay.from_residuals(np.ones(10))
    np.testing.assert_array_equal(display.pvalues, 0)
    assert display.rho_alpha == [1.0]
    assert np.isfinite(drawn(display)).all()
    assert (display.lines_[0].get_ydata() > 0).all()


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
def test_rho_plot_of_designs_with_exchangeable_block_means(cv):
    result = compare_estimators([LogisticRegression(), GaussianNB()], X, Y, cv=cv)
    display = RhoSensitivityDisplay.from_comparison(result)
    (name,) = result.tables
    title = display.ax_.get_legend().get_title().get_text()
    assert display.test == name
    assert title.split()[0] == name.split()[0]
    assert display.rho_alpha == [result.rho_alpha_]  # of the test that the table shows
    rho = result.rho_alpha_
    if rho > 0:
        at = np.interp(rho, display.rho, display.pvalues[0])
        assert at == pytest.approx(result.alpha, rel=1e-3)
    else:
        assert display.pvalues.min() > result.alpha


@pytest.mark.parametrize(
    "cv",
    [FiveByTwo(random_state=0), ShuffleSplit(1, random_state=0)],
    ids=repr,
)
def test_rho_plot_of_other_designs_says_what_to_use(cv):
    result = compare_estimators([LogisticRegression(), GaussianNB()], X, Y, cv=cv)
    with pytest.raises(ValueError, match=r"`residuals` must be of .*Use BlockKFold"):
        RhoSensitivityDisplay.from_comparison(result)


# Covariance -----------------------------------------------------------------------


def test_covariance_plot_shows_blocks():
    display = LossCovarianceDisplay.from_structure(
        CovarianceStructure(1, 0.2, 0.1, 4, 2)
    )
    np.testing.assert_array_equal(
        display.im_.get_array(),
        [[2, 1, 0, 0], [1, 2, 0, 0], [0, 0, 2, 1], [0, 0, 1, 2]],
    )


def test_covariance_shares_add_up_to_theta():
    # n = 100, m = 10, θ = (1 + 9·0.1 + 90·0.05)/100 = 0.064
    assert structure().shares == pytest.approx((1 / 6.4, 0.9 / 6.4, 4.5 / 6.4))


def test_covariance_plot_says_parameters_and_shares():
    assert legend_labels(structure().plot().ax_) == [
        "variance σ² = 1: 15.6% of θ",
        "within blocks ω = 0.1: 14.1% of θ",
        "between blocks γ = 0.05: 70.3% of θ",
        "θ = 0.064,  ρ = γ/θ = 0.781",
    ]


def test_covariance_plot_of_a_large_matrix_says_what_is_shown():
    display = structure().plot()
    assert display.im_.get_array().shape == (20, 20)
    assert display.ax_.get_title().splitlines() == [
        "covariance of 100 residuals in 10 blocks of 10",
        "first 5 residuals of the first 4 blocks shown",
    ]


def test_covariance_plot_of_leave_one_out_has_no_block():
    display = LossCovarianceDisplay.from_structure(CovarianceStructure(1, 0, 0.1, 3, 3))
    np.testing.assert_array_equal(display.im_.get_array(), 2 * np.eye(3))
    assert not any("ω" in text for text in legend_labels(display.ax_))


def test_covariance_without_variance_has_no_shares():
    display = LossCovarianceDisplay.from_structure(CovarianceStructure(0, 0, 0, 4, 2))
    assert np.isnan(display.shares).all()


def test_covariance_plot_can_be_told_apart_in_grey():
    display = structure().plot()
    red, green, blue, _ = display.im_.cmap(np.arange(3)).T
    grey = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    assert (np.diff(grey) < -0.2).all()


# Rejection rates --------------------------------------------------------------------


def test_rate_curves_show_rates_with_two_standard_errors():
    display = RejectionRateDisplay.from_rates(RATES)
    for number, line in enumerate(display.lines_):
        np.testing.assert_array_equal(line.get_xdata(), RATES.popmeans)
        np.testing.assert_array_equal(line.get_ydata(), RATES.rates[number, 1])
    low = display.bands_[0].get_paths()[0].vertices[:, 1].min()
    assert low == pytest.approx(RATES.rates[0, 1].min() - 0.04)
    assert legend_labels(display.ax_) == ["one", "two"]


def test_rate_curves_of_a_simulation():
    replications = replicate_losses(
        LinearRegression(),
        GaussianLinearPopulation(3),
        n_samples=20,
        cv=BlockKFold(5),
        n_replications=20,
        random_state=0,
    )
    tests = {"naive": KFoldTTest(rho=0), "safe": KFoldTTest(rho=0.7)}
    popmeans = [0.0, 0.5, 1.0]
    rates = rejection_rates(replications.residuals(), tests, popmeans=popmeans)
    display = RejectionRateDisplay.from_rates(rates)
    np.testing.assert_array_equal(display.lines_[1].get_ydata(), rates.rates[1, 0])
    assert legend_labels(display.ax_) == ["naive", "safe"]


def test_rate_curves_are_drawn_in_order_of_popmean():
    shuffled = replace_namespace(
        RATES, popmeans=RATES.popmeans[::-1], rates=RATES.rates[:, :, ::-1]
    )
    line = RejectionRateDisplay.from_rates(shuffled).lines_[0]
    np.testing.assert_array_equal(line.get_xdata(), RATES.popmeans)
    np.testing.assert_array_equal(line.get_ydata(), RATES.rates[0, 1])


def replace_namespace(namespace, **changes):
    return SimpleNamespace(**{**vars(namespace), **changes})


@pytest.mark.parametrize(
    ("alphas", "alpha", "shown"),
    [([0.01, 0.05], None, 0.05), ([0.01, 0.1], None, 0.01), ([0.01, 0.05], 0.01, 0.01)],
)
def test_rate_curves_of_a_level(alphas, alpha, shown):
    rates = replace_namespace(RATES, alphas=alphas)
    display = RejectionRateDisplay.from_rates(rates, alpha)
    assert display.alpha == shown
    texts = [text.get_text() for text in display.ax_.texts]
    assert texts == [f"level {100 * shown:g}%", "true mean 0"]


def test_rate_curves_name_the_levels_there_are():
    with pytest.raises(
        ValueError, match=r"`alpha` must be one of 0\.01, 0\.05; got 0\.1"
    ):
        RejectionRateDisplay.from_rates(RATES, 0.1)


def test_rate_curves_differ_in_more_than_colour():
    first, second = RejectionRateDisplay.from_rates(RATES).lines_
    assert first.get_linestyle() != second.get_linestyle()
    assert first.get_marker() != second.get_marker()


def heat_map(rates, rows, columns):
    return RejectionRateDisplay(
        rates=rates, row_values=rows, column_values=columns
    ).plot()


def test_heat_map_writes_every_rate():
    display = grid().plot()
    texts = [text.get_text() for text in display.text_]
    assert texts == [".000", ".050", ".100", "1.000", ".200", ".300"]
    assert labels(display.ax_) == ["2", "5", "10"]
    assert display.ax_.get_xlabel() == "repeats"
    assert display.ax_.get_ylabel() == "folds"


def test_heat_map_is_centred_at_the_level():
    display = grid().plot()
    assert display.im_.norm(0.05) == 0.5
    assert display.im_.norm(0.0) == 0.0
    red, green, blue, _ = display.im_.cmap(display.im_.norm(0.05))
    assert min(red, green, blue) > 0.95


def test_heat_map_numbers_stand_out_from_their_cells():
    display = grid().plot()
    for text, rate in zip(display.text_, np.ravel(grid().rates), strict=True):
        cell = np.array(display.im_.cmap(display.im_.norm(rate))[:3])
        light = cell @ [0.2126, 0.7152, 0.0722]
        assert (text.get_color() == "white") == (light < 0.4)


@pytest.mark.parametrize(
    ("rates", "message"),
    [
        (
            [[0.1]],
            r"`row_values` must be a list of 1, as `rates` has rows; got 3",
        ),
        ([[0.1, 2.0]] * 3, r"`rates` must be in \[0, 1\].*; got rates from 0\.1 to 2"),
        ([0.1], r"`rates` must be a non-empty array .*; got an array of shape \(1,\)"),
    ],
)
def test_heat_map_names_rates_that_do_not_fit(rates, message):
    one = grid()
    with pytest.raises(ValueError, match=message):
        heat_map(rates, one.row_values, one.column_values)


def test_heat_map_colour_bar_spans_rates_of_many_digits():
    rates = np.array([[0.05, 0.72945], [0.2, 0.1]])
    display = heat_map(rates, [2, 6], [1, 5])
    bar = display.im_.colorbar
    assert bar.ax.get_ylim() == pytest.approx((0, 0.72945))
    assert [label.get_text() for label in bar.ax.get_yticklabels()] == [
        "0.00",
        "0.05",
        "0.73",
    ]


def test_heat_map_leaves_unknown_rates_blank():
    rates = [[0.05, np.nan], [0.2, 0.1]]
    display = heat_map(rates, [2, 6], [1, 5])
    assert [text.get_text() for text in display.text_] == [".050", ".200", ".100"]


def test_rho_alpha_of_one_curve_may_be_a_number():
    options = {"rho": [0.0, 0.5], "pvalues": [[0.01, 0.2]], "labels": ["a − b"]}
    number = RhoSensitivityDisplay(rho_alpha=0.25, **options).plot()
    array = RhoSensitivityDisplay(rho_alpha=[0.25], **options).plot()
    found, expected = (
        display.rho_alpha_points_[0].get_xdata() for display in (number, array)
    )
    np.testing.assert_array_equal(found, expected)


# What a picture says of its own test ------------------------------------------------


def test_rho_plot_says_so_where_the_test_has_no_rho():
    test = EquivalenceTest(KFoldTTest(), margin=0.1)
    display = RhoSensitivityDisplay.from_comparison(comparison(test=test))
    title = " ".join(display.ax_.get_legend().get_title().get_text().split())
    assert title.startswith("t test on the means of splits: EquivalenceTest(")
    assert title.endswith("has no p-value for each ρ")


def test_bounds_of_pvalues_are_those_of_the_table():
    scores = 0.8 + np.repeat([0, 0.02, 0.05], 10)
    scores += np.random.default_rng(3).normal(0, 0.02, 30)
    table = {
        "model": np.repeat(["a", "b", "c"], 10),
        "fold": np.tile(np.arange(10), 3),
        "accuracy": scores.round(3),
    }
    result = compare_table(table, score="accuracy")
    texts = [text.get_text() for text in result.plot().ax_.texts]
    bounds = [text for text in texts if text.startswith("≤")]
    assert bounds == ["≤ 0.003", "≤ 0.024"]  # of 0.00231 and 0.02336
    assert all(bound in str(result) for bound in bounds)


@pytest.mark.parametrize(
    ("test", "kinds", "dotted", "bounds"),
    [
        (
            EquivalenceTest(KFoldTTest(), margin=0.9),
            ["inconclusive", "equivalent, p (holm) ≤ 0.05"],
            "margin of equivalence (−0.9, 0.9)",
            {-0.9, 0.9},
        ),
        (
            EquivalenceTest(KFoldTTest(), margin=0.9, alternative="greater"),
            ["inconclusive", "non-inferior, p (holm) ≤ 0.05"],
            "margin of non-inferiority (−0.9)",
            {-0.9},
        ),
        (
            BayesianCorrelatedTTest(rope=0.9),
            [
                "significantly different, P ≥ 0.95",
                "inconclusive",
                "equivalent, P ≥ 0.95",
            ],
            "region of practical equivalence (−0.9, 0.9)",
            {-0.9, 0.9},
        ),
        (
            KFoldTTest(popmean=-0.9),
            ["significantly different, p (holm) ≤ 0.05", "not significant"],
            "null hypothesis (−0.9)",
            {-0.9},
        ),
    ],
)
def test_bounds_are_on_the_axis_and_the_legend_says_what_was_found(
    test, kinds, dotted, bounds
):
    display = ComparisonDisplay.from_comparison(comparison(test=test))
    assert legend_labels(display.ax_) == [*kinds, dotted]
    low, high = display.ax_.get_xlim()
    assert all(low < bound < high for bound in bounds)
    lines = [line.get_xdata()[0] for line in display.ax_.get_lines()]
    assert bounds <= set(lines)
    if test.traits.decides == "equivalence":  # equivalent is grey and never filled
        faces = display.points_[0].get_facecolors()[:, :3]
        assert {*faces.ravel().round(2)} <= {0.75, 1.0}
