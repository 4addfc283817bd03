"""Bad inputs: an error of this package that names the parameter and shows the value."""

import inspect
import os
import traceback

import pytest
from bad_input_calls import CALLS
from bad_input_table import (
    CASES,
    DELEGATED,
    Bad,
    public,
    public_callables,
    refusing,
)

import sklearn_cvtest

MOST_CASES = 1000  # that the suite runs of a test, see conftest.py
PACKAGE = os.path.dirname(sklearn_cvtest.__file__) + os.sep


def call_with(name, parameter, case):
    """Make a call that works, but for one bad argument."""
    call, good = CALLS[name]
    return call(**{**good, **dict(case.others), parameter: case.value})


@pytest.fixture(autouse=True)
def folder_without_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
def test_bad_inputs_are_refused(name):
    """By an error of this package that names the parameter and shows the value."""
    wrong = []
    for parameter, values in CASES[name].items():
        for case in values:
            case = case if isinstance(case, Bad) else Bad(case)
            shown = repr(case.value)[:12] if case.shown is None else case.shown
            named = f"`{parameter}" if case.named is None else case.named
            call = f"{parameter}={repr(case.value)[:60]}"
            try:
                call_with(name, parameter, case)
                wrong.append(f"{call} is not refused")
            except Exception as error:
                last = traceback.extract_tb(error.__traceback__)[-1]
                if not isinstance(error, (TypeError, ValueError)):
                    wrong.append(f"{call}: {error!r}, {last}")
                elif parameter in DELEGATED:
                    continue
                elif not last.filename.startswith(PACKAGE):
                    wrong.append(f"{call}: refused outside the package, {last}")
                elif named not in str(error):
                    wrong.append(f"{call}: {parameter} is not named in '{error}'")
                elif shown not in str(error):
                    wrong.append(f"{call}: {shown} is not shown in '{error}'")
    assert not wrong, "\n".join(wrong)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_calls_work_but_for_the_bad_input(name):
    call, good = CALLS[name]
    if "path" in inspect.signature(public(name)).parameters and not good:
        good = {"path": "file"}
        if name.endswith("load"):
            with pytest.raises(FileNotFoundError):
                call(**good)
            return
    call(**good)


def test_every_public_parameter_is_in_the_table():
    left_out = {}
    for name in public_callables():
        missing = set(refusing(name)) - CASES.get(name, {}).keys()
        if missing:
            left_out[name] = missing
    assert not left_out
