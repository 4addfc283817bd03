"""Which cases of a test the suite runs, of many parameters; figures are closed; BLAS
has one thread: of small matrices, several wait for each other longer than they work.
"""

import gc
import os
import sys
from collections import defaultdict

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy is imported
MOST_CASES = 8  # of a test; a module may set another number under this name


@pytest.hookimpl(tryfirst=True)  # before tests are selected by their marks
def pytest_collection_modifyitems(items):
    """Mark as `full` all but some cases, spread evenly, of tests with many."""
    cases = defaultdict(list)
    for item in items:
        if hasattr(item, "callspec"):
            cases[item.path, item.originalname].append(item)
    for of_test in cases.values():
        most = getattr(of_test[0].module, "MOST_CASES", MOST_CASES)
        if len(of_test) <= most:
            continue
        taken = {int(number * len(of_test) / most) for number in range(most)}
        for number, item in enumerate(of_test):
            if number not in taken:
                item.add_marker(pytest.mark.full)


def pytest_collection_finish():
    """Keep modules and tests out of what is searched for garbage: they stay."""
    gc.freeze()


class NoFigureStays:
    """Figures are closed after each test; a plugin, so that doctests of an installed
    package have the fixture too.
    """

    @pytest.fixture(autouse=True)
    def no_figure_stays(self):
        yield
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")


def pytest_configure(config):
    config.pluginmanager.register(NoFigureStays())
    names_tests = any(".py" in argument for argument in config.args)
    arguments = config.invocation_params.args
    if names_tests and not any(str(one).startswith("-m") for one in arguments):
        config.option.markexpr = ""  # a file or a test that is named runs as a whole
