"""Replicability: the share of pairs of runs that decide alike."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sklearn_cvtest.simulation import replicability


# i = 3 of r = 5 reject: [C(3, 2) + C(2, 2)]/C(5, 2) = (3 + 1)/10
def test_replicability_by_hand():
    assert replicability([0.01, 0.2, 0.03, 0.9, 0.05]) == pytest.approx(0.4)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.5])
def test_replicability_is_the_share_of_agreeing_pairs(alpha):
    p = np.random.default_rng(0).uniform(size=9) ** 3
    agree = [(a <= alpha) == (b <= alpha) for a, b in combinations(p, 2)]
    assert_allclose(replicability(p, alpha=alpha), np.mean(agree))


def test_replicability_is_vectorised():
    p = np.random.default_rng(1).uniform(size=(2, 3, 6))
    expected = [[replicability(row) for row in rows] for rows in p]
    assert_allclose(replicability(p, alpha=0.05), expected)


@pytest.mark.parametrize("p", [[0.1, 0.2], [0.01, 0.02]])
def test_replicability_of_runs_that_agree_is_one(p):
    assert replicability(p) == 1.0
