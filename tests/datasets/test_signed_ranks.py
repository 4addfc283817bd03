"""Wilcoxon's signed-rank test of many pairs at once, against scipy's of one by one."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from sklearn_cvtest._datasets._signed_ranks import signed_rank_tests

RNG = np.random.default_rng(0)


def test_three_differences_by_hand():
    """Ranks 1, 3 and -2: of 8 choices of signs, 3 have a smaller sum of at most 2."""
    tests = signed_rank_tests(np.array([[0.1, 0.3, -0.2, 0.0]]))
    assert tests.sums.tolist() == [2.0]
    assert tests.pvalues.tolist() == [2 * 3 / 8]


def test_pairs_without_differences():
    tests = signed_rank_tests(np.zeros((2, 5)))
    assert tests.sums.tolist() == [0.0, 0.0]
    assert tests.pvalues.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("n_datasets", [1, 5, 12, 13, 14, 30, 50, 51, 80])
@pytest.mark.parametrize("decimals", [0, 1, 12])
def test_pairs_are_as_of_scipy_one_by_one(n_datasets, decimals):
    """With ties and zeros, and of each kind of law: exact, by all signs, normal."""
    shifts = np.linspace(0, 1, 12)[:, np.newaxis]
    differences = (RNG.normal(size=(12, n_datasets)) + shifts).round(decimals)
    differences[RNG.random(differences.shape) < 0.1] = 0.0
    tests = signed_rank_tests(differences)
    for row, total, pvalue in zip(differences, *tests, strict=True):
        assert_allclose(pvalue, wilcoxon_of_one(row[row != 0]), rtol=1e-12)
        ranks = stats.rankdata(np.abs(row[row != 0]))
        assert total == np.sum(np.sign(row[row != 0]) * ranks)


def wilcoxon_of_one(differences):
    """Return scipy's p-value; 1 where it has none, as no difference is left."""
    if not len(differences):
        return 1.0
    are_tied = len(np.unique(np.abs(differences))) < len(differences)
    if are_tied and len(differences) <= 13:
        return by_permutation(differences)  # which older versions do not do themselves
    return stats.wilcoxon(differences).pvalue


def by_permutation(differences):
    """Return scipy's p-value of the sum of ranks under all choices of signs."""
    ranks = np.sign(differences) * stats.rankdata(np.abs(differences))

    def rank_sum(values, axis=-1):
        return np.sum(values, axis=axis)

    return stats.permutation_test(
        (ranks,), rank_sum, permutation_type="samples", n_resamples=np.inf
    ).pvalue


def test_order_and_sign_of_pairs():
    differences = RNG.normal(size=(20, 9)).round(1)
    tests = signed_rank_tests(differences)
    turned = signed_rank_tests(-differences[::-1])
    assert_array_equal(turned.pvalues[::-1], tests.pvalues)
    assert_array_equal(turned.sums[::-1], -tests.sums)
