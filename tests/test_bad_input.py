"""Bad inputs: an error of this package that names the parameter and shows the value."""

import inspect
import os
import traceback
import warnings

import pytest
from bad_input_calls import CALLS
from bad_input_table import CASES
from bad_input_values import Bad

import sklearn_cvtest
from sklearn_cvtest import simulation

PACKAGE = os.path.dirname(sklearn_cvtest.__file__) + os.sep
MADE_BY_THE_PACKAGE = {
    "BestEstimatorSet",
    "CVLosses",
    "CVResiduals",
    "CandidateComparison",
    "CovarianceCurve",
    "DegenerateResidualsWarning",
    "GroupLeakWarning",
    "HeavyTailedResidualsWarning",
    "Loss",
    "RejectionRates",
    "ReplicatedResiduals",
    "Replications",
}
NOT_REFUSED = {
    "IndependentHoldouts.split.groups": "ignored, as scikit-learn's KFold does",
    "xlabel": "any text",
    "row_label": "any text",
    "column_label": "any text",
    "options": "names that go on to a callable of the table",
    "plot_options": "names that go on to a callable of the table",
    "colorbar": "only its truth is used",
    "ComparisonDisplay.p_adjust": "any name",
    "CVResiduals.with_values.values": "for the package's own arrays",
    "Loss.check_target.y": "called by the engine; see test_losses.py",
    "Loss.evaluate": "called by the engine; see test_losses.py",
    "get_n_splits": "ignores all its arguments, as scikit-learn's",
    "IndependentHoldouts.split.y": "ignored, as scikit-learn's KFold does",
}


def rows():
    """Yield each bad input, with an id."""
    for name, parameters in CASES.items():
        for parameter, cases in parameters.items():
            for number, case in enumerate(cases):
                case = case if isinstance(case, Bad) else Bad(case)
                short = f"{name}-{parameter}-{number}"
                yield pytest.param(name, parameter, case, id=short)


ROWS = list(rows())


def call_with(name, parameter, case):
    """Make a call that works, but for one bad argument."""
    call, good = CALLS[name]
    arguments = {**good, **dict(case.others), parameter: case.value}
    if inspect.signature(public(name)).parameters[parameter].kind.name == "VAR_KEYWORD":
        arguments |= arguments.pop(parameter)
    return call(**arguments)


def public(name):
    """Return what a dotted name of the public API stands for."""
    first, *rest = name.split(".")
    found = getattr(sklearn_cvtest, first, None) or getattr(simulation, first)
    for part in rest:
        found = getattr(found, part)
    return found


@pytest.fixture(autouse=True, scope="module")
def folder_without_files(tmp_path_factory):
    plt = pytest.importorskip("matplotlib.pyplot")
    before = os.getcwd()
    os.chdir(tmp_path_factory.mktemp("files"))
    yield
    os.chdir(before)
    plt.close("all")


@pytest.mark.parametrize(("name", "parameter", "case"), ROWS)
def test_bad_input_is_refused(name, parameter, case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises((TypeError, ValueError)) as caught:
            call_with(name, parameter, case)
    message = str(caught.value)
    assert (case.named or f"`{parameter}`") in message
    shown = repr(case.value)[:12] if case.shown is None else case.shown
    assert shown in message
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.filename.startswith(PACKAGE), last


READ_OR_WRITE = ("load", "save", "to_html", "load_forest", "load_letter")


@pytest.mark.parametrize("name", CALLS)
def test_calls_work_but_for_the_bad_input(name):
    call, good = CALLS[name]
    if name.rpartition(".")[2] in READ_OR_WRITE:
        with pytest.raises(TypeError, match=r"path|folder"):
            call(path=0) if "." in name else call(folder=0)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        call(**good)


def public_callables():
    """Yield the name and signature of each public function, class and method."""
    for module in (sklearn_cvtest, simulation):
        for name in module.__all__:
            item = getattr(module, name)
            if name not in MADE_BY_THE_PACKAGE:
                yield name, inspect.signature(item)
            for method in dir(item) if inspect.isclass(item) else ():
                function = inspect.getattr_static(item, method)
                function = getattr(function, "__func__", function)
                of_ours = getattr(function, "__module__", "") or ""
                if (
                    not method.startswith("_")
                    and inspect.isfunction(function)
                    and of_ours.startswith("sklearn_cvtest")
                ):
                    signature = inspect.signature(getattr(item, method))
                    yield f"{name}.{method}", signature


@pytest.mark.parametrize(("name", "signature"), list(public_callables()))
def test_every_public_parameter_is_in_the_table(name, signature):
    wanted = {
        parameter
        for parameter in set(signature.parameters) - {"self", "cls"}
        if not NOT_REFUSED.keys() & {parameter, name, name.rpartition(".")[2]}
        and f"{name}.{parameter}" not in NOT_REFUSED
    }
    assert wanted <= CASES.get(name, {}).keys()


def test_the_table_is_long_and_has_no_callable_of_another_name():
    assert len(ROWS) > 1000
    assert CASES.keys() <= {name for name, _ in public_callables()}
