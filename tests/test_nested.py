"""Nested K-fold: its splits, and the standard error it gives."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression

from sklearn_cvtest import BlockKFold, NestedKFold, compare_estimators, cross_val_losses
from sklearn_cvtest._inference._nested_test import nested_errors, nested_estimates
from sklearn_cvtest.results import NestedCVTest

E_OUT = [(0.1, 0.3, -0.2, 0.4), (0, 0.5, 0.2, -0.1), (0.3, 0.3, -0.4, 0.2)]
E_IN = [
    (0.2, 0.4, -0.1, 0.1, 0.3, 0.2, -0.3, 0.4),
    (0.9, 0.6, 0.2, 0.4, 0.7, 0.1, 0.2, 0.5),
    (0.1, 0.3, 0, 0.3, 0.1, 0.4, 0.2, -0.1),
]
E_OUT, E_IN = list(map(np.array, E_OUT)), list(map(np.array, E_IN))


def splits_of(n_samples, **options):
    cv = NestedKFold(4, n_repeats=2, random_state=0, **options)
    return list(cv._iter_splits(n_samples, None))


# Splits -------------------------------------------------------------------------


def test_splits_are_a_k_fold_and_then_all_pairs_of_its_folds():
    splits = splits_of(11)
    assert len(splits) == 2 * (4 + 6)
    for run in (splits[:10], splits[10:]):
        folds = [test for _, test in run[:4]]
        assert sorted(np.concatenate(folds)) == list(range(11))
        pairs = iter(run[4:])
        for a in range(4):
            for b in range(a + 1, 4):
                _, test = next(pairs)
                np.testing.assert_array_equal(test, [*folds[a], *folds[b]])
    for train, test in splits:
        np.testing.assert_array_equal(train, np.setdiff1d(np.arange(11), test))


def test_first_folds_are_those_of_block_kfold_and_runs_differ():
    splits = splits_of(11)
    blocks = BlockKFold(4, random_state=0).split(np.zeros(11))
    for (_, test), (_, expected) in zip(splits, blocks, strict=False):
        np.testing.assert_array_equal(test, expected)
    assert not all(
        np.array_equal(one[1], other[1])
        for one, other in zip(splits[:4], splits[10:14], strict=True)
    )


def test_stratified_folds_have_the_same_classes():
    y = np.repeat([0, 1], [16, 8])
    cv = NestedKFold(4, n_repeats=1, stratify=True, random_state=0)
    for _, test in cv.split(np.zeros(24), y):
        assert y[test].mean() == pytest.approx(1 / 3)


@pytest.mark.parametrize("options", [{"n_splits": 2}, {"n_repeats": 0}])
def test_refuses_too_few_folds_or_runs(options):
    with pytest.raises(ValueError, match="must be an integer >= "):
        NestedKFold(**options)


# Estimates ----------------------------------------------------------------------


def test_estimates_by_hand():
    # a: 0, .3², .0625²; b: .07/4, .07/4, .11333/4; MSE' = 2/3 (.031302 - .021111)
    found = nested_estimates(E_OUT, E_IN, 3)
    assert found.mse == pytest.approx(0.0067940, abs=5e-8)
    assert found.standard_error == pytest.approx(0.0824256, abs=5e-8)
    assert found.error_ncv == pytest.approx(0.2541667, abs=5e-8)
    assert found.error_cv == pytest.approx(0.1333333, abs=5e-8)
    assert found.estimate == pytest.approx(0.0930556, abs=5e-8)
    assert found.bounds[0] == pytest.approx(np.std(np.ravel(E_IN), ddof=1) / 12**0.5)


@pytest.mark.parametrize(("shift", "bound"), [(0, 0), (10, 1)])
def test_standard_error_stays_within_its_bounds(shift, bound):
    spread = np.array([-1.0, 1, -1, 1])
    e_out = [spread + shift * fold for fold in (-1, 0, 1)]
    e_in = [np.tile(spread, 2)] * 3
    found = nested_estimates(e_out, e_in, 3)
    assert found.standard_error == found.bounds[bound]
    assert found.bounds[1] == pytest.approx(np.sqrt(3) * found.bounds[0])
    assert (found.mse < 0) == (shift == 0)


def test_estimates_move_and_scale_with_the_losses():
    found = nested_estimates(E_OUT, E_IN, 3)
    scaled = [[5 - 2 * e for e in part] for part in (E_OUT, E_IN)]
    other = nested_estimates(*scaled, 3)
    assert other.estimate == pytest.approx(5 - 2 * found.estimate)
    assert other.standard_error == pytest.approx(2 * found.standard_error)


def test_groups_of_one_are_no_groups_and_doubled_rows_are_no_news():
    alone = nested_estimates(E_OUT, E_IN, 3)
    rows = [np.arange(4 * fold, 4 * fold + 4) for fold in range(3)]
    others = [np.concatenate([rows[j] for j in range(3) if j != k]) for k in range(3)]
    single = nested_estimates(E_OUT, E_IN, 3, rows, others)
    assert single.mse == pytest.approx(alone.mse)
    doubled = [[np.repeat(e, 2) for e in part] for part in (E_OUT, E_IN, rows, others)]
    double = nested_estimates(*doubled[:2], 3, *doubled[2:])
    for name, value in vars(single).items():
        assert vars(double)[name] == pytest.approx(value)


def test_errors_are_sorted_by_the_folds_that_fits_leave_out():
    # the loss of an example tells which split it is of, and which row
    splits = splits_of(11)
    values = np.concatenate(
        [100 * number + test for number, (_, test) in enumerate(splits)]
    )
    n_test = np.array([len(test) for _, test in splits])
    e_out, e_in = nested_errors(values, n_test, 4)
    assert len(e_out) == len(e_in) == 8
    for run in range(2):
        folds = [set(test) for _, test in splits[10 * run : 10 * run + 4]]
        for k in range(4):
            outer, inner = e_out[4 * run + k], e_in[4 * run + k]
            assert set(outer % 100) == folds[k]
            assert set(outer // 100) == {10 * run + k}
            assert sorted(inner % 100) == sorted(set(range(11)) - folds[k])
            for split, row in zip(inner // 100, inner % 100, strict=True):
                train, test = splits[split]
                assert row in test
                assert folds[k] <= set(test)  # unseen by the model, both
                assert not folds[k] & set(train)


def ridge_losses(X, y, splits):
    losses = []
    for train, test in splits:
        gram = X[train].T @ X[train] + np.eye(X.shape[1])
        coef = np.linalg.solve(gram, X[train].T @ y[train])
        losses.append((y[test] - X[test] @ coef) ** 2)
    return np.concatenate(losses)


def test_interval_covers_the_error_more_often_than_the_naive_one():
    # Least squares with many features, where [BHT24] find naive intervals too short. In
    # 300 samples 90% intervals covered 95% and 84%.
    rng = np.random.default_rng(0)
    n, p, n_samples = 100, 20, 60
    splits = list(NestedKFold(5, n_repeats=4, random_state=0)._iter_splits(n, None))
    n_test = np.array([len(test) for _, test in splits])
    fresh = [(np.arange(n), np.arange(n, n + 2000))]
    covered = np.zeros(2)
    for _ in range(n_samples):
        X, y = rng.normal(size=(n + 2000, p)), rng.normal(size=n + 2000)
        error = ridge_losses(X, y, fresh).mean()
        errors = nested_errors(ridge_losses(X, y, splits), n_test, 5)
        found = nested_estimates(*errors, 5)
        covered[0] += abs(found.estimate - error) < 1.645 * found.standard_error
        covered[1] += abs(found.error_cv - error) < 1.645 * found.bounds[0]
    assert covered[0] > covered[1]
    assert covered[0] >= 0.87 * n_samples


# The test -----------------------------------------------------------------------


def test_bounds_of_groups_are_those_of_single_inner_k_folds():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(12), 2)
    cv = NestedKFold(3, n_repeats=2, random_state=0)
    splits = list(cv.split(groups, groups=groups))
    values = [rng.normal(size=len(test)) for _, test in splits]
    n_test = np.array([len(test) for _, test in splits])
    parts = nested_errors(np.concatenate(values), n_test, 3)
    codes = np.concatenate([groups[test] for _, test in splits])
    found = nested_estimates(*parts, 3, *nested_errors(codes, n_test, 3))
    variances = []
    for run in (0, 6):
        folds = [set(test) for _, test in splits[run : run + 3]]
        for k in range(3):
            inner = {}  # of fold j, models of all but j and k
            for number in range(run + 3, run + 6):
                _, test = splits[number]
                if folds[k] <= set(test):
                    inner |= dict(zip(test, values[number], strict=True))
            inner = {row: value for row, value in inner.items() if row not in folds[k]}
            mean = np.mean(list(inner.values()))
            sums = {}
            for row, value in inner.items():
                sums[row // 2] = sums.get(row // 2, 0.0) + value - mean
            n, n_groups = len(inner), len(sums)
            scale = n_groups / (n_groups - 1) / n**2
            variances.append(scale * sum(x**2 for x in sums.values()))
    assert found.bounds[0] == pytest.approx(np.sqrt(2 / 3 * np.mean(variances)))


def test_bounds_of_groups_do_not_shrink_with_repeats_that_do_not_agree():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(30), 2)
    bounds = {}
    for n_repeats in (1, 20):
        cv = NestedKFold(5, n_repeats=n_repeats, random_state=0)
        tests = [test for _, test in cv.split(groups, groups=groups)]
        n_test = np.array([len(test) for test in tests])
        parts = nested_errors(rng.normal(size=n_test.sum()), n_test, 5)
        codes = nested_errors(
            np.concatenate([groups[test] for test in tests]), n_test, 5
        )
        bounds[n_repeats] = nested_estimates(*parts, 5, *codes).bounds[0]
    assert bounds[20] == pytest.approx(60**-0.5, rel=0.05)
    assert bounds[1] == pytest.approx(60**-0.5, rel=0.15)


@pytest.mark.parametrize(
    ("n_splits", "groups", "message"),
    [
        (
            10,
            np.arange(12).repeat(5),
            "at most 6, so that every fold has two of the 12",
        ),
        (6, np.arange(11), "at most 5, so that every fold has two of the 11 examples"),
        (4, np.repeat(np.arange(9), [90, *[5] * 8]), "smaller, .* A large group can"),
    ],
)
def test_folds_without_a_variance_are_refused_before_any_fit(n_splits, groups, message):
    class Never(LinearRegression):
        def fit(self, X, y):
            raise AssertionError("fitted")

    X = np.arange(len(groups), dtype=float)[:, np.newaxis]
    cv = NestedKFold(n_splits, random_state=0)
    with pytest.raises(ValueError, match=f"`n_splits` must be {message}"):
        compare_estimators([Never(), Never()], X, X[:, 0], cv=cv, groups=groups)


def test_residuals_of_folds_without_a_variance_are_refused():
    cv = NestedKFold(3, n_repeats=1, random_state=0)
    X = np.arange(24.0)[:, np.newaxis]
    losses = cross_val_losses({"mean": DummyRegressor()}, X, X[:, 0], cv=cv)
    group = np.arange(24)
    group[next(cv.split(X))[1]] = 0
    residuals = replace(losses.residuals(0), groups=group[losses.row_index])
    with pytest.raises(
        ValueError, match="`residuals` must be of at least two examples"
    ):
        NestedCVTest().fit(residuals)
