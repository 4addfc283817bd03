"""Reductions: where nothing is added to a comparison, its answer stays as it was."""

from dataclasses import replace

import numpy as np
import pytest
from common import intervals_of
from interfaces import CASES, NAMES, SPLITTERS, data_of, quiet, random_designs, some_of
from sklearn.model_selection import KFold, TimeSeriesSplit

import sklearn_cvtest as cvtest

MOST_CASES = 1000  # their number of designs says what is quick

every_case = pytest.mark.parametrize("case", some_of(CASES, 8))
NUMBERS = ("estimate", "ci_low", "ci_high", "statistic", "pvalue", "rho_alpha")


def case_of(case, rng, n_models=3, n=60, **options):
    """Return a test, and the losses of recorded models by its design."""
    test, design = CASES[case]
    data = data_of(rng, n_models, n, isinstance(test, cvtest.McNemarTest), **options)
    return test, data.losses(SPLITTERS[design](int(rng.integers(1000))))


def numbers(result, pair, names=NUMBERS):
    """Return the numbers of a pair."""
    frame = result.to_frame().set_index(["first", "second"])
    return frame.loc[pair, list(names)].to_numpy(dtype=float)


def assert_same(result, other, pairs=None, rtol=1e-6):
    """Check that two results say the same of all pairs."""
    for pair in pairs or list(result.tests):
        np.testing.assert_allclose(
            numbers(result, pair), numbers(other, pair), rtol=rtol, atol=1e-9
        )


# Pairs, and those beside them ---------------------------------------------------------


@every_case
@random_designs(few=1, many=10)
def test_a_pair_is_the_same_alone_and_beside_others(case, seed):
    test, losses = case_of(case, np.random.default_rng(seed))
    result = cvtest.Comparison(losses, test=test)
    for first, second in result.tests:
        columns = [NAMES.index(first), NAMES.index(second)]
        alone = cvtest.Comparison(chosen(losses, columns), test=test)
        assert_same(alone, result)


def chosen(losses, columns):
    """Return the losses of some estimators in an order."""
    names = tuple(losses.names[column] for column in columns)
    return replace(losses, names=names, values=losses.values[:, columns])


@every_case
@random_designs(few=1, many=10)
def test_a_pair_without_variance_changes_nothing_for_others(case, seed):
    rng = np.random.default_rng(seed)
    test, losses = case_of(case, rng)
    columns = [0, 1, 2, int(rng.integers(3))]
    twice = replace(chosen(losses, columns), names=NAMES[:4])
    result = cvtest.Comparison(losses, test=test)
    assert_same(result, cvtest.Comparison(twice, test=test))


@every_case
@random_designs(few=1, many=10)
def test_order_and_names_of_models_change_nothing(case, seed):
    rng = np.random.default_rng(seed)
    test, losses = case_of(case, rng)
    if test.get_params().get("alternative", "two-sided") != "two-sided":
        test = test.set_params(alternative="two-sided")
    if test.get_params().get("popmean"):
        test = test.set_params(popmean=0.0)
    order = rng.permutation(3)
    result = cvtest.Comparison(losses, test=test)
    turned = cvtest.Comparison(chosen(losses, order), test=test)
    assert turned.best == result.best
    for pair in result.tests:
        if pair in turned.tests:
            assert_same(result, turned, [pair])
            continue
        one, other = numbers(result, pair), numbers(turned, pair[::-1])
        if not isinstance(test, cvtest.FiveByTwoTTest):
            np.testing.assert_allclose(one[0], -other[0], atol=1e-12)
            np.testing.assert_allclose(one[1:3], -other[[2, 1]], atol=1e-9)
        np.testing.assert_allclose(one[4], other[4], atol=1e-9)
    renamed = replace(losses, names=("x", "y", "z"))
    words = str.maketrans("abc", "xyz")
    frame, other = result.to_frame(), cvtest.Comparison(renamed, test=test).to_frame()
    frame["first"] = frame["first"].str.translate(words)
    frame["second"] = frame["second"].str.translate(words)
    numeric = frame.select_dtypes("number").columns
    assert frame[["first", "second"]].equals(other[["first", "second"]])
    np.testing.assert_allclose(frame[numeric], other[numeric])


@every_case
@random_designs(few=1, many=10)
def test_reference_of_two_models_is_their_comparison(case, seed):
    test, losses = case_of(case, np.random.default_rng(seed), 2)
    result = cvtest.Comparison(losses, test=test)
    with_first = cvtest.Comparison(losses, test=test, reference="a")
    assert_same(result, with_first)
    assert with_first.table.pvalue_adjusted == result.table.pvalue


@random_designs(few=2, many=20)
def test_order_of_rows_changes_nothing(seed):
    rng = np.random.default_rng(seed)
    data = data_of(rng, 2, spread=0.0)
    splits = list(KFold(6).split(data.X))
    order = rng.permutation(48)
    place = np.argsort(order)
    shuffled = data._replace(X=data.X[order], y=data.y[order])
    moved = [(place[train], place[test]) for train, test in splits]
    assert_same(data.compare(splits), shuffled.compare(moved))


@pytest.mark.parametrize("test", [None, cvtest.KFoldTTest()])
@random_designs(few=1, many=20)
def test_a_search_of_two_candidates_is_the_comparison_of_the_two(test, seed):
    rng = np.random.default_rng(seed)
    scores = rng.standard_normal((2, 6))
    scores[1] += rng.choice([0.3, 2])
    search = {f"split{k}_test_score": column for k, column in enumerate(scores.T)}
    search["params"] = [{"C": 1}, {"C": 2}]
    both = {name: {"test_score": of} for name, of in zip("ab", scores, strict=True)}
    two = cvtest.compare_cv_results(both, cv=6, test=test)
    for reference in ("best", None, 0):
        found = cvtest.compare_candidates(search, cv=6, reference=reference, test=test)
        sign = 1 if next(iter(found.tests))[0] == "C=1" else -1
        assert found.table.pvalue == pytest.approx(two.table.pvalue)
        assert found.table.pvalue_adjusted == pytest.approx(two.table.pvalue_adjusted)
        assert sign * found.table.estimate == pytest.approx(two.table.estimate)
        ends = sign * intervals_of(two)[0]
        assert intervals_of(found)[0] == pytest.approx(ends[::sign])


# Rows, groups, weights, repeats -------------------------------------------------------


@every_case
@random_designs(few=1, many=10)
def test_groups_of_one_row_are_no_groups(case, seed):
    test, design = CASES[case]
    rng = np.random.default_rng(seed)
    data = data_of(rng, 2, classes=isinstance(test, cvtest.McNemarTest))
    cv = SPLITTERS[design](int(rng.integers(1000)))
    plain = data.compare(cv, test=test)
    assert_same(plain, data.compare(cv, test=test, groups=np.arange(48)))


# The tests whose variance is that of single losses, or of groups of them
OF_ROWS = "HoldoutTTest", "KFoldZTest", "KFoldZTest, repeated"


@pytest.mark.parametrize("case", OF_ROWS)
@random_designs(few=1, many=10)
def test_groups_of_equal_rows_count_once(case, seed):
    rng = np.random.default_rng(seed)
    test, losses = case_of(case, rng, 2, n=120)
    twice = replace(
        losses,
        values=np.repeat(losses.values, 2, axis=0),
        row_split=np.repeat(losses.row_split, 2),
        row_index=np.add.outer(2 * losses.row_index, [0, 1]).ravel(),
        n_train=2 * losses.n_train,
        n_test=2 * losses.n_test,
        n_samples=2 * losses.n_samples,
        groups=np.repeat(losses.row_index, 2),
        n_groups=losses.n_samples,
    )
    result = cvtest.Comparison(losses, test=test)
    grouped = cvtest.Comparison(twice, test=test)
    names = ("estimate", "total_error")
    (pair,) = result.tests
    one, other = (numbers(r, pair, names) for r in (result, grouped))
    # Between groups there is one degree of freedom less: n/(n - 1) at most.
    np.testing.assert_allclose(one, other, rtol=0.03)
    spans = [np.ptp(numbers(r, pair, ("ci_low", "ci_high"))) for r in (result, grouped)]
    assert not np.isfinite(spans[0]) or spans[1] == pytest.approx(spans[0], rel=0.02)


@every_case
@random_designs(few=1, many=10)
def test_weights_of_one_are_no_weights(case, seed):
    rng = np.random.default_rng(seed)
    test, design = CASES[case]
    data = data_of(rng, 2, classes=isinstance(test, cvtest.McNemarTest))
    cv = SPLITTERS[design](seed)
    scale = float(rng.choice([1.0, 3.0]))  # of weights, only ratios count
    weighted = {"score_params": {"sample_weight": np.full(len(data.y), scale)}}
    plain, other = data.compare(cv, test=test), data.compare(cv, test=test, **weighted)
    assert_same(plain, other)


@random_designs(few=2, many=20)
def test_one_repeat_is_the_k_fold(seed):
    data = data_of(np.random.default_rng(seed), 2)
    once = cvtest.BlockKFold(6, n_repeats=1, random_state=seed)
    result = data.compare(once)
    assert_same(result, data.compare(cvtest.BlockKFold(6, random_state=seed)))
    assert_same(result, data.compare(list(once.split(data.X))))


@random_designs(few=2, many=20)
def test_repeats_of_the_same_splits_add_nothing(seed):
    rng = np.random.default_rng(seed)
    data = data_of(rng, 2, spread=0.0)
    splits = list(cvtest.BlockKFold(6, random_state=seed).split(data.X))
    once, thrice = data.losses(splits), data.losses(splits * 3)
    test = cvtest.KFoldZTest(0.6)  # the range of ρ is that of the design, else
    one, other = (cvtest.Comparison(part, test=test) for part in (once, thrice))
    pair = ("a", "b")
    names = ("estimate", "total_error", "statistic")
    np.testing.assert_allclose(numbers(one, pair, names), numbers(other, pair, names))


@pytest.mark.parametrize(
    "design", ["k-fold", "repeated k-fold", "holdout", "paired halves"]
)
@pytest.mark.parametrize("spread", [0.3, 2.0])
@random_designs(few=2, many=20)
def test_one_label_for_all_rows_gives_the_answer_without_labels(design, spread, seed):
    data = data_of(np.random.default_rng(seed), 3, 240, spread=spread)
    result = data.compare(SPLITTERS[design](seed))
    if design == "paired halves":  # of which labels use the splits of the whole sample
        splits = list(SPLITTERS[design](seed).split(data.X))[:3]
        result = data.compare(splits)
    by_label = result.by(np.zeros(240, dtype=int))
    frame, table = by_label.to_frame(), result.to_frame()
    for name in ("estimate", "pvalue", "ci_low", "ci_high"):
        np.testing.assert_allclose(frame[name], table[name], rtol=1e-9)


@pytest.mark.parametrize("design", ["k-fold", "repeated k-fold"])
@random_designs(few=2, many=20)
def test_a_label_of_nearly_all_rows_gives_nearly_the_answer(design, seed):
    data = data_of(np.random.default_rng(seed), 2, 240, spread=2.0)
    result = data.compare(SPLITTERS[design](seed))
    label = np.arange(240) < 12
    row = result.by(label).to_frame().iloc[0]
    assert not row.label
    width = np.ptp(intervals_of(result))
    assert row.ci_high - row.ci_low == pytest.approx(width, rel=0.15)


@random_designs(few=2, many=20)
def test_intervals_by_label_hold_at_the_level_of_one_label(seed):
    """One label, one pair: nothing to adjust."""
    data = data_of(np.random.default_rng(seed), 2)
    row = data.compare(6).by(["all"] * 48).to_frame().iloc[0]
    assert row.pvalue_adjusted == pytest.approx(row.pvalue)
    assert "ci_low_simultaneous" not in row


def signed_error(y_true, y_pred):
    return y_pred - y_true


@pytest.mark.parametrize("design", ["k-fold", "subsample"])
@random_designs(few=1, many=10)
def test_interval_of_a_model_is_its_difference_from_no_loss(design, seed):
    data = data_of(np.random.default_rng(seed), 2)
    data.X[:, 1] = 0.0
    data.models["b"].set_params(spread=0.0)
    options = {"cv": SPLITTERS[design](seed), "loss": signed_error}
    options["test"] = CASES[{"k-fold": "KFoldTTest"}.get(design, "ResampledTTest")][0]
    model = data.models["a"]
    alone = cvtest.cross_val_interval(model, data.X, data.y, **options)
    (beside,) = intervals_of(data.compare(**options))
    np.testing.assert_allclose(alone.interval_, beside)


# Data sets ----------------------------------------------------------------------------


def easy(losses):
    """Return losses on a data set on which all models agree."""
    same = np.repeat(losses.values[:, :1], len(losses.names), axis=1)
    return replace(losses, values=same)


@pytest.mark.parametrize("design", ["k-fold", "repeated k-fold", "paired halves"])
@random_designs(few=2, many=20)
def test_a_data_set_without_variance_decides_nothing(design, seed):
    rng = np.random.default_rng(seed)
    found = {}
    for k in range(8):  # much the same: what they differ by is chance
        data = data_of(rng, 2, 60)
        alike = rng.standard_normal((60, 2)) * [1.3, 1.0]
        found[f"d{k}"] = data._replace(X=alike).losses(SPLITTERS[design](k))
    result = cvtest.compare_over_datasets(found | {"easy": easy(found["d0"])})
    assert np.isfinite(result.to_frame()["estimate"][0])
    assert "nan" not in str(result)


@random_designs(few=2, many=20)
def test_wins_are_what_each_test_found(seed):
    rng = np.random.default_rng(seed)
    found = {f"d{k}": data_of(rng, 2).compare(6) for k in range(6)}
    frame = cvtest.compare_over_datasets(found).to_frame()
    sides = [
        np.sign(part.table.estimate[0]) * (part.pvalue_ <= 0.05)
        for part in found.values()
    ]
    counted = frame[["wins", "ties", "losses"]].to_numpy()[0].tolist()
    assert counted == [sides.count(1), sides.count(0), sides.count(-1)]


# Rows that are not tested, folds without variance -------------------------------------


@pytest.mark.parametrize("n_untested", [10, 900])
def test_rows_never_tested_say_nothing_of_a_model(n_untested):
    """Clopper and Pearson's interval of no error in 80 tested rows."""
    n = n_untested + 80
    y = np.arange(n) % 2
    X = np.where(y, 1.0, -1.0)[:, np.newaxis]
    model = data_of(np.random.default_rng(0), 1, classes=True, spread=0.0).models["a"]
    cv = TimeSeriesSplit(4, test_size=20)
    with quiet():
        found = cvtest.cross_val_interval(model, X, y, cv=cv, loss="zero_one")
    assert found.interval_ == pytest.approx((0, 1 - 0.025 ** (1 / 80)), abs=1e-3)
