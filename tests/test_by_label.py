"""Comparison.by: differences for each value of a label."""

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import LeaveOneGroupOut, ShuffleSplit, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    CorrectedResampledTTest,
    CVResiduals,
    DieboldMarianoTest,
    EquivalenceTest,
    FiveByTwo,
    HoldoutTTest,
    KFoldTTest,
    KFoldZTest,
    McNemarTest,
    PairedHalves,
    RepeatedSubsample,
    compare_estimators,
    compare_predictions,
)

N = 200
X, Y = make_classification(N, 6, flip_y=0.2, random_state=0)
MODELS = {"bayes": GaussianNB(), "neighbour": KNeighborsClassifier(1)}
SEX = np.where(np.arange(N) % 3 == 0, "f", "m")
FEMALE = SEX == "f"
CV = BlockKFold(5, random_state=0)


def compare(test=None, cv=CV, **options):
    return compare_estimators(MODELS, X, Y, cv=cv, test=test, **options)


def differences_of(result):
    """Return the mean difference of each example over its tests, nan without."""
    residuals = result.losses.residuals(0, 1)
    at = residuals.row_index
    counts = np.bincount(at, minlength=N)
    sums = np.bincount(at, residuals.values, N)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def test_the_test_of_a_label_is_the_t_test_of_its_examples():
    result = compare(KFoldZTest(0))
    found = result.by(SEX, p_adjust=None)
    assert found.to_frame().label.tolist() == ["f", "m"]
    assert found.to_frame().n_examples.tolist() == [67, 133]
    e = differences_of(result)[FEMALE]
    assert found.to_frame().estimate[0] == pytest.approx(e.mean())
    assert found.to_frame().df[0] == 66
    assert found.to_frame().pvalue[0] == pytest.approx(stats.ttest_1samp(e, 0).pvalue)


def test_groups_are_the_units():
    groups = np.arange(N) // 3
    sex = np.where(groups % 2 == 0, "f", "m")
    result = compare(KFoldZTest(0), groups=groups)
    found = result.by(sex)
    assert found.to_frame().n_groups.tolist() == [34, 33]
    e, of = differences_of(result)[sex == "f"], groups[sex == "f"] // 2
    sums = np.bincount(of, e - e.mean())
    t = e.mean() / (np.sqrt(34 / 33 * np.sum(sums**2)) / len(e))
    # one group has two rows and not three
    assert found.to_frame().pvalue[0] == pytest.approx(
        2 * stats.t.sf(abs(t), 33), rel=0.01
    )


def naive_pvalue(e):
    """Return p of residuals (n_examples, n_repeats) at ρ = 1/3."""
    n, n_repeats = e.shape
    theta_all = sum((row.mean() - e.mean()) ** 2 for row in e) / (n * (n - 1))
    theta_one = 0.0
    for run in e.T:
        theta_one += sum((x - run.mean()) ** 2 for x in run) / (n * (n - 1)) / n_repeats
    variance = theta_all + theta_one / 2
    return 2 * stats.t.sf(abs(e.mean()) / np.sqrt(variance), n - 1)


@pytest.mark.parametrize("n_repeats", [1, 2, 10])
@pytest.mark.parametrize("n_splits", [5, 10])
def test_the_variance_of_a_label_is_that_of_the_averages_and_of_one_run(
    n_splits, n_repeats
):
    result = compare(cv=BlockKFold(n_splits, n_repeats=n_repeats, random_state=0))
    found = result.by(SEX)
    assert isinstance(found.test, KFoldZTest)
    residuals = result.losses.residuals(0, 1)
    of_example = [residuals.values[residuals.row_index == i] for i in range(N)]
    e = np.array(of_example)[FEMALE]
    assert found.to_frame().estimate[0] == pytest.approx(e.mean())
    assert found.to_frame().pvalue[0] == pytest.approx(naive_pvalue(e))


GROUPS = np.arange(N) // 2
REPEATED = BlockKFold(5, n_repeats=2, random_state=0)
HALVES = PairedHalves(BlockKFold(5, random_state=0), 3, random_state=0)
OPTIONS = {
    "repeated K-fold": {"cv": REPEATED},
    "groups": {"cv": REPEATED, "groups": GROUPS},
    "weights": {"cv": REPEATED, "score_params": {"sample_weight": 1.0 + GROUPS % 3}},
    "one-sided": {"cv": REPEATED, "test": KFoldZTest(alternative="greater")},
    "from a margin": {"test": KFoldZTest(popmean=0.01)},
    "block means": {"test": KFoldTTest()},
    "equivalence": {"test": EquivalenceTest(KFoldTTest(), 0.1)},
    "subsamples": {"cv": RepeatedSubsample(15, random_state=0)},
    "5x2": {"cv": FiveByTwo(random_state=0)},
    "one split": {"cv": ShuffleSplit(1, test_size=0.5, random_state=0)},
    "counts": {
        "cv": ShuffleSplit(1, test_size=0.5, random_state=0),
        "test": McNemarTest(),
    },
    "halves": {"cv": HALVES},
    "three": {"models": MODELS | {"none": DummyClassifier()}},
}


@pytest.mark.parametrize("name", OPTIONS)
def test_one_label_for_all_is_the_comparison_itself(name):
    options = dict(OPTIONS[name])
    models = options.pop("models", MODELS)
    result = compare_estimators(models, X, Y, **{"cv": CV} | options)
    found = result.by(np.zeros(N, dtype=int), p_adjust=None)
    frame, expected = found.to_frame(), result.to_frame()
    for column in ("estimate", "ci_low", "ci_high", "statistic", "pvalue"):
        np.testing.assert_allclose(frame[column], expected[column])


@pytest.mark.parametrize("test", [KFoldTTest(), CorrectedResampledTTest()])
def test_what_a_label_contributes_to_splits_is_a_ratio(test):
    result = compare(test)
    found = result.by(SEX)
    residuals = result.losses.residuals(0, 1)
    sums, counts = np.zeros(5), np.zeros(5)
    for value, split, i in zip(
        residuals.values, residuals.row_split, residuals.row_index, strict=True
    ):
        sums[split] += value * FEMALE[i] / (N / 5)
        counts[split] += FEMALE[i] / (N / 5)
    ratio = sums.sum() / counts.sum()
    values = ratio + (sums - ratio * counts) / counts.mean()
    residuals = CVResiduals.from_array(values, n_train=160, n_test=40)
    expected = clone(test).fit(residuals)
    assert found.to_frame().estimate[0] == pytest.approx(expected.estimate_)
    assert found.to_frame().pvalue[0] == pytest.approx(expected.pvalue_)
    assert type(found.test) is type(test)


@pytest.mark.parametrize("name", ["repeated K-fold", "groups", "block means", "5x2"])
def test_a_label_of_nearly_all_is_nearly_the_comparison(name):
    result = compare_estimators(MODELS, X, Y, **{"cv": CV} | OPTIONS[name])
    with pytest.warns(UserWarning, match="for a test of 'rare'"):
        found = result.by(np.where(np.arange(N) < 2, "rare", "common"))
    assert found.to_frame().pvalue[0] == pytest.approx(result.pvalue_, abs=0.04)


def test_a_label_of_few_subsamples_is_named():
    rng = np.random.default_rng(0)
    tests = [np.arange(20), np.arange(10, 30)]  # the label is in these alone
    tests += [rng.choice(np.arange(30, N), 20, replace=False) for _ in range(8)]
    cv = [(np.setdiff1d(np.arange(N), test), test) for test in tests]
    result = compare(CorrectedResampledTTest(), cv=cv)
    with pytest.warns(UserWarning, match=r"'early' \(in too few splits\)"):
        found = result.by(np.where(np.arange(N) < 30, "early", "late"))
    assert found.to_frame().label.tolist() == ["late"]


@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.FewExamplesWarning")
def test_sites_that_are_groups_have_their_own_intervals():
    sites = np.repeat(["a", "b", "c", "d"], 50)
    result = compare(KFoldTTest(), LeaveOneGroupOut(), groups=sites)
    found = result.by(sites)
    assert found.to_frame().n_groups.tolist() == [1] * 4
    assert np.isfinite(found.to_frame().pvalue).all()


def test_one_label_for_a_series_is_the_test_itself():
    result = compare(DieboldMarianoTest(3), TimeSeriesSplit(4))
    found = result.by(np.zeros(N, dtype=int))
    assert found.to_frame().pvalue[0] == pytest.approx(result.pvalue_)
    assert found.to_frame().ci_low[0] == pytest.approx(result.table.ci_low[0])
    assert np.isfinite(result.by(SEX).to_frame().pvalue).all()


def test_p_values_are_adjusted_for_labels_and_pairs():
    found = compare().by(SEX).to_frame()
    smaller, larger = np.sort(found.pvalue)
    expected = [min(2 * smaller, 1), max(min(2 * smaller, 1), larger)]
    assert np.sort(found.pvalue_adjusted) == pytest.approx(expected)
    wide = found.ci_high_simultaneous - found.ci_low_simultaneous
    assert np.all(wide > found.ci_high - found.ci_low)


def test_rare_labels_are_named():
    label = np.where(np.arange(N) < 5, "rare", "common")
    with pytest.warns(UserWarning, match=r"test of 'rare' \(5 examples\)"):
        found = compare().by(label)
    assert found.to_frame().label.tolist() == ["common"]
    assert "rare" not in str(found).partition("Left out")[0]
    few = np.where(np.arange(N) < 30, "few", "many")
    with pytest.warns(UserWarning, match=r"'few' \(3 groups\)"):
        compare(groups=np.arange(N) // 10).by(few)


def test_text_and_picture():
    pytest.importorskip("matplotlib").use("Agg")
    found = compare().by(SEX)
    assert "<table>" in found._repr_html_()
    axes = found.plot()
    axes = getattr(axes, "ax_", axes)
    labels = [tick.get_text() for tick in axes.get_yticklabels()]
    assert [label[0] for label in labels] == ["f", "m"]
    axes.figure.clear()


def test_the_better_one_is_named():
    worse = compare_estimators(
        {"bayes": GaussianNB(), "none": KNeighborsClassifier(N // 2)},
        X[:, :1],
        Y,
        cv=CV,
    )
    name = worse.by(np.zeros(N), p_adjust=None)
    better = "none" if name.to_frame().estimate[0] > 0 else "bayes"
    is_first = str(name).split()[0] == better
    assert is_first == (name.to_frame().pvalue[0] <= 0.05)


@pytest.mark.parametrize(
    ("options", "labels", "text"),
    [
        ({}, SEX[:50], "`labels` must be an array of 200"),
        ({}, np.full(N, np.nan), "`labels` must be given for all rows"),
        ({"per_example": False}, SEX, "a value for each example"),
        (OPTIONS["weights"], SEX, "without weights"),
    ],
)
def test_what_cannot_be_labelled_is_refused(options, labels, text):
    with pytest.raises(ValueError, match=text):
        compare(**options).by(labels)


def answers_by_label(n, wrong_of_a, wrong_of_b):
    """Return the target, and the labels that two models give."""
    y = np.zeros(n, dtype=int)
    a, b = y.copy(), y.copy()
    a[wrong_of_a], b[wrong_of_b] = 1, 1
    return y, {"a": a, "b": b}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "test", [*map(McNemarTest, ("exact", "mid-p", "chi2")), HoldoutTTest()]
)
def test_a_label_of_one_test_set_is_tested_as_its_rows_alone(test):
    wrong = [*range(6), *range(120, 126)], [6, 130, 131, 132]
    y, given = answers_by_label(240, *wrong)
    found = compare_predictions(y, given, test=test).by(np.arange(240) // 120)
    for number, rows in enumerate((slice(0, 120), slice(120, 240))):
        alone = {name: labels[rows] for name, labels in given.items()}
        alone = compare_predictions(y[rows], alone, test=test)
        assert found.to_frame().pvalue[number] == pytest.approx(alone.pvalue_)
        assert found.to_frame().statistic[number] == pytest.approx(
            alone.table.statistic[0]
        )


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_label_without_differences_shows_what_so_few_equal_ones_can():
    """Clopper and Pearson's limit: 15 of 15 are equal."""
    y, given = answers_by_label(300, range(20, 60), range(50, 80))
    label, folds = np.arange(300) < 15, np.arange(300) % 10
    found = compare_predictions(y, given, splits=folds).by(label)
    most = 1 - 0.025 ** (1 / 15)
    assert found.to_frame().ci_high[1] == pytest.approx(most)
    assert found.to_frame().ci_low[1] == pytest.approx(-most)
    test = EquivalenceTest(KFoldZTest(), 0.05)
    found = compare_predictions(y, given, splits=folds, test=test).by(label)
    assert found.to_frame().pvalue[1] == pytest.approx(0.95**15)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_labels_without_a_test_are_not_printed():
    """A warning names them; nobody is ahead where nothing is known."""
    result = compare()
    few = result.by(np.where(np.arange(N) < 5, "few", "many"))
    assert few.to_frame().label.tolist() == ["many"]
    assert "few (5 examples)" in " ".join(str(few).split())
    with pytest.raises(ValueError, match="of 10 examples each"):
        result.by(np.arange(N))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("p_adjust", ["holm", "bonferroni", "hochberg", None])
@pytest.mark.parametrize("loss", ["zero_one", "absolute_error"])
def test_zero_is_outside_exactly_where_p_says_so(p_adjust, loss):
    """Ends and p of a row are of one family: Holm's beside Holm's."""
    n_significant = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        wrong = rng.random((3, 400)) < np.array([[0.15], [0.35], [0.55]])
        models = dict(zip("abc", wrong.astype(int), strict=True))
        y, folds = np.zeros(400, dtype=int), np.arange(400) % 5
        result = compare_predictions(y, models, splits=folds, loss=loss)
        frame = result.by(rng.integers(5, size=400), p_adjust=p_adjust).to_frame()
        kind = "_simultaneous" if p_adjust else ""
        low, high = frame[f"ci_low{kind}"], frame[f"ci_high{kind}"]
        is_outside = (low > 0) | (high < 0)
        assert (is_outside == (frame["pvalue_adjusted"] <= 0.05)).all()
        n_significant += is_outside.sum()
    assert n_significant > 4


def test_nothing_is_adjusted_for_one_label():
    text = str(compare().by(np.zeros(N)))
    assert "adjusted" not in text
    assert "holm" not in text


def test_a_posterior_has_no_p_for_labels():
    with pytest.raises(ValueError, match="one with p-values"):
        compare(BayesianCorrelatedTTest(0.01)).by(SEX)
