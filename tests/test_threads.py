"""What a thread does changes nothing that other threads share."""

import threading
import warnings

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, Ridge

from sklearn_cvtest import Comparison, KFoldTTest, cross_val_losses
from sklearn_cvtest.exceptions import FewExamplesWarning

WAIT = 30  # seconds
RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = X[:, 0] + RNG.normal(size=60)
LOSSES = cross_val_losses([Ridge(), Ridge(100.0)], X, Y, cv=5)
FIRST_COMPARES, SECOND_COMPARES, FIRST_IS_DONE = (threading.Event() for _ in range(3))


class OverlappingTest(KFoldTTest):
    """Computes in two threads at once, so that what began first also ends first."""

    def evaluate(self, residuals):
        if threading.current_thread().name == "first":
            FIRST_COMPARES.set()
            SECOND_COMPARES.wait(WAIT)
        elif threading.current_thread().name == "second":
            SECOND_COMPARES.set()
            FIRST_IS_DONE.wait(WAIT)
        return super().evaluate(residuals)


def compare():
    Comparison(LOSSES, test=OverlappingTest())


def test_comparisons_in_threads_leave_the_filters_of_warnings_as_they_were():
    before = list(warnings.filters)
    first, second = (
        threading.Thread(target=compare, name=name) for name in ("first", "second")
    )
    first.start()
    FIRST_COMPARES.wait(WAIT)
    second.start()
    first.join()
    FIRST_IS_DONE.set()
    second.join()
    assert warnings.filters == before
    with pytest.warns(FewExamplesWarning, match="coefficients"):
        cross_val_losses([LinearRegression()], X[:12], Y[:12], cv=3)
