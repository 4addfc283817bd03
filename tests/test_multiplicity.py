"""adjust_pvalues."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from statsmodels.stats.multitest import multipletests

from sklearn_cvtest import (
    adjust_pvalues,
)

PEERS = {
    "holm": "holm",
    "bonferroni": "bonferroni",
    "hochberg": "simes-hochberg",
    "fdr_bh": "fdr_bh",
}
every_method = pytest.mark.parametrize("method", PEERS)


# p sorted 0.01, 0.02, 0.03, 0.5; n = 4.
# holm        4 x .01 = .04, 3 x .02 = .06, max(.06, 2 x .03) = .06, max(.06, .5) = .5
# bonferroni  .04, .08, .12, min(1, 2) = 1
# hochberg    from the largest: .5, 2 x .03 = .06, min(.06, 3 x .02) = .06, min(.06,
#             4 x .01) = .04
# fdr_bh      from the largest: .5, 4/3 x .03 = .04, min(.04, 4/2 x .02) = .04, and
#             min(.04, 4 x .01) = .04
@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("holm", [0.5, 0.04, 0.06, 0.06]),
        ("bonferroni", [1, 0.04, 0.12, 0.08]),
        ("hochberg", [0.5, 0.04, 0.06, 0.06]),
        ("fdr_bh", [0.5, 0.04, 0.04, 0.04]),
    ],
)
def test_adjust_pvalues_by_hand(method, expected):
    assert_allclose(adjust_pvalues([0.5, 0.01, 0.03, 0.02], method), expected)


# holm: 2 x .03 = .06, max(.06, .04) = .06; hochberg: .04, min(.04, 2 x .03) = .04.
def test_hochberg_rejects_more_than_holm():
    assert_allclose(adjust_pvalues([0.03, 0.04], "holm"), [0.06, 0.06])
    assert_allclose(adjust_pvalues([0.03, 0.04], "hochberg"), [0.04, 0.04])


@every_method
@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_adjust_pvalues_agrees_with_statsmodels(method, n):
    rng = np.random.default_rng(n)
    for p in (rng.uniform(size=n), rng.uniform(size=n) ** 6, rng.integers(0, 4, n) / 4):
        expected = multipletests(p, method=PEERS[method])[1]
        assert_allclose(adjust_pvalues(p, method), expected, rtol=1e-12, atol=1e-300)


def closed_holm(p):
    """Adjust by the closure of Bonferroni tests, over all subsets."""
    n = len(p)
    subsets = [
        subset
        for size in range(1, n + 1)
        for subset in itertools.combinations(range(n), size)
    ]
    return [
        max(
            min(1, len(subset) * min(p[i] for i in subset))
            for subset in subsets
            if k in subset
        )
        for k in range(n)
    ]


def test_holm_is_the_closure_of_bonferroni():
    for p in np.random.default_rng(0).uniform(size=(20, 5)) ** 3:
        assert_allclose(adjust_pvalues(p, "holm"), closed_holm(p))


@every_method
def test_adjust_pvalues_treats_rows_as_families(method):
    p = np.random.default_rng(1).uniform(size=(2, 3, 5)) ** 3
    adjusted = adjust_pvalues(p, method)
    assert adjusted.shape == p.shape
    for index in np.ndindex(2, 3):
        assert_array_equal(adjusted[index], adjust_pvalues(p[index], method))


@every_method
def test_adjust_pvalues_follows_the_order_given(method):
    rng = np.random.default_rng(2)
    p, order = rng.uniform(size=9) ** 2, rng.permutation(9)
    assert_allclose(
        adjust_pvalues(p[order], method), adjust_pvalues(p, method)[order], rtol=1e-15
    )


@every_method
def test_adjust_pvalues_never_decreases_and_stays_below_one(method):
    p = np.random.default_rng(3).uniform(size=(50, 6))
    adjusted = adjust_pvalues(p, method)
    assert np.all(adjusted >= p)
    assert np.all(adjusted <= 1)
    order = np.argsort(p, axis=-1)
    assert np.all(np.diff(np.take_along_axis(adjusted, order, -1), axis=-1) >= 0)


@every_method
@pytest.mark.parametrize("p", [[0.0, 0.0, 0.0], [1.0, 1.0], [0.2]])
def test_adjust_pvalues_keeps_zeros_ones_and_single_values(p, method):
    assert_array_equal(adjust_pvalues(p, method), p)


@every_method
def test_adjust_pvalues_of_a_number_is_an_array_of_one(method):
    assert_array_equal(adjust_pvalues(0.3, method), [0.3])


@every_method
def test_adjust_pvalues_leaves_its_input(method):
    p = np.array([0.3, 0.01, 0.2])
    before = p.copy()
    adjusted = adjust_pvalues(p, method)
    adjusted[:] = 0
    assert_array_equal(p, before)


def test_adjust_pvalues_is_holm_unless_told():
    p = [0.03, 0.04, 0.2]
    assert_array_equal(adjust_pvalues(p), adjust_pvalues(p, "holm"))
