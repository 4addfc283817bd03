"""Bad inputs: an error of this package that names the parameter and shows the value."""

import inspect
import os
import traceback
import warnings
from fractions import Fraction

import common
import pytest
from bad_input_calls import CALLS
from bad_input_table import CASES, public, refusing
from bad_input_values import Bad

import sklearn_cvtest
from sklearn_cvtest.results import BaseCVTest

MOST_CASES = 1000  # that the suite runs of a test, see conftest.py

PACKAGE = os.path.dirname(sklearn_cvtest.__file__) + os.sep
# What the package calls with what it has checked.
HOOKS = {name for name in dir(BaseCVTest) if not name.startswith("_")}
HOOKS -= {"fit", "confidence_interval", "check_design"}
HOOKS |= {"assumed_rho", "pair_residuals", "row", "rows"}
HOOKS |= {"evaluate_times", "found_with", "of_comparison"}


def call_with(name, parameter, case):
    """Make a call that works, but for one bad argument."""
    call, good = CALLS[name]
    arguments = {**good, **dict(case.others), parameter: case.value}
    if inspect.signature(public(name)).parameters[parameter].kind.name == "VAR_KEYWORD":
        arguments |= arguments.pop(parameter)
    return call(**arguments)


@pytest.fixture(autouse=True, scope="module")
def folder_without_files(tmp_path_factory):
    before = os.getcwd()
    os.chdir(tmp_path_factory.mktemp("files"))
    yield
    os.chdir(before)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
def test_bad_inputs_are_refused(name):
    """By an error of this package that names the parameter and shows the value."""
    wrong = []
    for parameter, values in CASES[name].items():
        for case in values:
            case = case if isinstance(case, Bad) else Bad(case)
            shown = repr(case.value)[:12] if case.shown is None else case.shown
            try:
                call_with(name, parameter, case)
                wrong.append(f"{parameter}={case.value!r} is not refused")
            except (TypeError, ValueError) as error:
                message = str(error)
                last = traceback.extract_tb(error.__traceback__)[-1]
                if (case.named or f"`{parameter}`") not in message:
                    wrong.append(f"{parameter} is not named in {message!r}")
                if shown not in message:
                    wrong.append(f"{case.value!r} is not shown in {message!r}")
                if not last.filename.startswith(PACKAGE):
                    wrong.append(f"{parameter} is refused outside the package, {last}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "name",
    ["RejectionRateDisplay", "RhoSensitivityDisplay"],
)
def test_displays_take_a_level_of_any_type(name):
    call_with(name, "alpha", Bad(Fraction(1, 20)))


READ_OR_WRITE = ("load", "save", "to_html")


@pytest.mark.parametrize("name", CALLS)
def test_calls_work_but_for_the_bad_input(name):
    call, good = CALLS[name]
    if name.rpartition(".")[2] in READ_OR_WRITE:
        with pytest.raises(TypeError, match="path"):
            call(path=0)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        call(**good)


SHARED = ("Result", "PairwiseResult", "LossComparison")  # their methods, once


def public_callables():
    """Yield the name and signature of each public function, class and method."""
    for name, item in common.PUBLIC.items():
        if name not in common.MADE_BY_THE_PACKAGE:
            yield name, inspect.signature(item)
        is_concrete = inspect.isclass(item) and not inspect.isabstract(item)
        for method in dir(item) if is_concrete else ():
            function = inspect.getattr_static(item, method)
            function = getattr(function, "__func__", function)
            of_ours = getattr(function, "__module__", "") or ""
            owner = getattr(function, "__qualname__", "").partition(".")[0]
            if owner in SHARED and name != "Comparison":
                continue
            if (
                not method.startswith("_")
                and inspect.isfunction(function)
                and of_ours.startswith("sklearn_cvtest")
            ):
                signature = inspect.signature(getattr(item, method))
                yield f"{name}.{method}", signature


def test_every_public_parameter_is_in_the_table():
    left_out = {}
    for name, signature in public_callables():
        missing = set(refusing(name, signature)) - CASES.get(name, {}).keys()
        if missing and name.rpartition(".")[2] not in HOOKS:
            left_out[name] = missing
    assert not left_out
