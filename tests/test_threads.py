"""What a thread does changes nothing that other threads share."""

import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import KFold

from sklearn_cvtest import compare_estimators, cross_val_losses
from sklearn_cvtest.exceptions import FewExamplesWarning

WAIT = 30  # seconds
MOST_CASES = 1  # that the suite runs of a test, see conftest.py
RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = X[:, 0] + RNG.normal(size=60)
FIRST_SPLITS, SECOND_SPLITS, FIRST_IS_DONE = (threading.Event() for _ in range(3))


class OverlappingKFold(KFold):
    """Splits in two threads at once, so that what began first also ends first."""

    def split(self, X, y=None, groups=None):
        if threading.current_thread().name == "first":
            FIRST_SPLITS.set()
            SECOND_SPLITS.wait(WAIT)
        elif threading.current_thread().name == "second":
            SECOND_SPLITS.set()
            FIRST_IS_DONE.wait(WAIT)
        return super().split(X, y)


def compare():
    compare_estimators([Ridge(), Ridge(100.0)], X, Y, cv=OverlappingKFold(5))


def test_comparisons_in_threads_leave_the_filters_of_warnings_as_they_were():
    before = list(warnings.filters)
    first, second = (
        threading.Thread(target=compare, name=name) for name in ("first", "second")
    )
    first.start()
    assert FIRST_SPLITS.wait(WAIT)
    second.start()
    first.join()
    FIRST_IS_DONE.set()
    second.join()
    assert SECOND_SPLITS.is_set()
    assert warnings.filters == before
    with pytest.warns(FewExamplesWarning, match="groups"):
        cross_val_losses([LinearRegression()], X, Y, groups=np.arange(len(X)) % 4)


ASK_IN_TWO_THREADS = """
import sys, threading
errors, barrier = [], threading.Barrier(2)
def ask(name):
    barrier.wait()
    try:
        exec(f"from sklearn_cvtest import {name}")
    except BaseException as error:
        errors.append(error)
threads = [threading.Thread(target=ask, args=[name]) for name in sys.argv[1:]]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.exit(str(errors) if errors else 0)
"""


@pytest.mark.parametrize(
    "names",
    [
        ("compare_scores", "compare_table"),
        ("KFoldZTest", "EquivalenceTest"),
        ("compare_estimators", "simulation"),
        ("BlockKFold", "results"),
    ],
)
def test_two_threads_of_a_new_process_import_at_once(names):
    command = [sys.executable, "-c", ASK_IN_TWO_THREADS, *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
