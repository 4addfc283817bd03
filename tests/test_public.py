"""What is public: names, docstrings and registries."""

import ast
import importlib
import inspect
import pkgutil
import re
import textwrap
from importlib.metadata import version

import common
import numpy as np
import pytest

import sklearn_cvtest
from sklearn_cvtest import simulation
from sklearn_cvtest._inference import BaseCVTest

MODULES = (sklearn_cvtest, simulation)
NAMES = [name for module in MODULES for name in module.__all__]
DATA = {
    "BestEstimatorSet",
    "CVLosses",
    "CVResiduals",
    "CandidateComparison",
    "Comparison",
    "MultiMetricComparison",
    "CovarianceCurve",
    "CovarianceStructure",
    "DegenerateResidualsWarning",
    "GroupLeakWarning",
    "HeavyTailedResidualsWarning",
    "Design",
    "Loss",
    "RejectionRates",
    "ReplicatedResiduals",
    "Replications",
}
# Engine, files, pictures and losses: no statistic of their own.
WITHOUT_SOURCE = {
    "ComparisonDisplay",
    "NotSignificantlyWorse",
    "RejectionRateDisplay",
    "compare_candidates",
    "compare_cv_results",
    "cross_val_losses",
    "get_loss",
    "get_loss_names",
    "load_forest",
    "load_published",
    "make_loss",
    "rejection_rates",
    "replicate_losses",
}
LINKED = r":(doi|arxiv):`[^`]+`"
WITHOUT_DOI = r"Technical Report|JMLR|Scandinavian\s+Journal|Regression\s+Trees"
SECTION = re.compile(r"^(\w[\w ]*)\n-+$", re.MULTILINE)
PARAMETER = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*) : (.+)$", re.MULTILINE)


def public(name):
    return getattr(
        sklearn_cvtest if name in sklearn_cvtest.__all__ else simulation, name
    )


def methods(cls):
    """Yield the public methods that a class of this package documents."""
    for name in dir(cls):
        method = inspect.getattr_static(cls, name)
        function = getattr(method, "__func__", method)
        if (
            not name.startswith("_")
            and inspect.isfunction(function)
            and function.__module__.startswith("sklearn_cvtest")
        ):
            yield f"{cls.__name__}.{name}", getattr(cls, name)


CALLABLES = {name: public(name) for name in NAMES if callable(public(name))}
for name in NAMES:
    if inspect.isclass(public(name)):
        CALLABLES |= dict(methods(public(name)))
every_callable = pytest.mark.parametrize("name", CALLABLES)


def sections(item):
    """Return the sections of a numpydoc docstring, the first one under ""."""
    first, *rest = SECTION.split(inspect.getdoc(item))
    return {"": first} | dict(zip(rest[::2], rest[1::2], strict=True))


def documented(item):
    """Return the description line of each documented parameter."""
    found = sections(item)
    text = found.get("Parameters", "")
    if hasattr(item, "__dataclass_fields__"):  # made by the package, not by users
        text += found.get("Attributes", "")
    return {
        name.strip().lstrip("*"): described
        for names, described in PARAMETER.findall(text)
        for name in names.split(",")
    }


def parameters(item):
    try:
        found = inspect.signature(item).parameters
    except ValueError:  # a warning class
        return {}
    if inspect.isclass(item) and issubclass(item, Warning):
        return {}
    return {name: one for name, one in found.items() if name not in ("self", "cls")}


@pytest.mark.parametrize("module", MODULES)
def test_all_is_sorted_and_has_no_doubles(module):
    assert sorted(set(module.__all__)) == list(module.__all__)
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_public_names_can_be_imported(name):
    assert public(name) is not None
    assert not name.startswith("_")


@every_callable
def test_public_names_are_not_collected_by_pytest(name):
    assert not re.match("[tT]est", name.split(".")[-1])


@pytest.mark.parametrize("module", MODULES)
def test_nothing_else_is_public(module):
    found = {
        name
        for name, item in vars(module).items()
        if not name.startswith("_") and not inspect.ismodule(item)
    }
    assert found == set(module.__all__)


def test_version_is_that_of_the_distribution():
    assert version("sklearn_cvtest") == sklearn_cvtest.__version__


# Docstrings -------------------------------------------------------------------


@every_callable
def test_docstring_begins_with_one_line(name):
    first, *rest = inspect.getdoc(CALLABLES[name]).splitlines()
    assert first.endswith((".", "?"))
    assert len(first) < 88
    assert not rest or not rest[0]


@every_callable
def test_docstring_documents_every_parameter(name):
    item = CALLABLES[name]
    if parameters(item):
        assert set(documented(item)) >= set(parameters(item))


@every_callable
def test_docstring_documents_no_other_parameter_and_keeps_their_order(name):
    item = CALLABLES[name]
    if "Parameters" in sections(item):
        names = PARAMETER.findall(sections(item)["Parameters"])
        shown = [
            one.strip().lstrip("*") for group, _ in names for one in group.split(",")
        ]
        assert shown == list(parameters(item))


def shown_default(value):
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, float) and np.isnan(value):
        return "nan"
    return repr(value)


@every_callable
def test_docstring_defaults_are_those_of_the_signature(name):
    item = CALLABLES[name]
    if "Parameters" not in sections(item):
        return
    described = documented(item)
    for parameter in parameters(item).values():
        line = described[parameter.name]
        default = re.search(r"default=(.+)$", line)
        if parameter.default is parameter.empty or line == "object":
            assert default is None, parameter
        else:
            assert default is not None, parameter
            assert default[1] == shown_default(parameter.default), parameter


@every_callable
def test_docstring_says_what_is_returned(name):
    item = CALLABLES[name]
    if inspect.isfunction(item) and not inspect.isgeneratorfunction(item):
        returns = re.search(r"^\s+return .", inspect.getsource(item), re.MULTILINE)
        assert not returns or "Returns" in sections(item)


def raises(function):
    """Whether a function raises, or calls what checks its arguments."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    calls = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    return any(isinstance(node, ast.Raise) for node in ast.walk(tree)) or any(
        re.match("(check_|fail$)", name) for name in calls
    )


@every_callable
def test_docstring_says_what_is_raised(name):
    item = CALLABLES[name]
    function = vars(item).get("__init__") if inspect.isclass(item) else item
    written = inspect.isfunction(function) and not hasattr(item, "__dataclass_fields__")
    if written and raises(function):
        assert "Raises" in sections(item)


@pytest.mark.parametrize("name", sorted(set(NAMES) - DATA - WITHOUT_SOURCE))
def test_docstring_cites_its_source(name):
    references = sections(public(name))["References"]
    entries = re.split(r"^\.\. \[\d+\] ", references, flags=re.MULTILINE)[1:]
    assert entries
    for entry in entries:
        assert re.search(f"{LINKED}|{WITHOUT_DOI}", entry), entry


@pytest.mark.parametrize("name", sorted(set(NAMES) - DATA))
def test_docstring_has_an_example(name):
    assert ">>> " in sections(public(name))["Examples"]


@pytest.mark.parametrize("Test", common.ALL_TESTS, ids=lambda Test: Test.__name__)
def test_docstrings_of_tests_name_their_paper_and_attributes(Test):
    found = sections(Test)
    assert "References" in found
    attributes = {
        one.strip()
        for names, _ in PARAMETER.findall(found["Attributes"])
        for one in names.split(",")
    }
    assert attributes >= {
        "statistic_",
        "pvalue_",
        "estimate_",
        "standard_error_",
        "df_",
        "rho_",
        "rho_alpha_",
    }


# Registries -------------------------------------------------------------------


def classes_of_package():
    """Yield the classes that modules of the package offer to each other."""
    for info in pkgutil.walk_packages(sklearn_cvtest.__path__, "sklearn_cvtest."):
        module = importlib.import_module(info.name)
        for name in getattr(module, "__all__", []):
            item = getattr(module, name)
            if inspect.isclass(item) and item.__module__ == info.name:
                yield item


def test_every_public_class_is_in_a_registry():
    known = {*common.ALL_TESTS, *common.ALL_SPLITTERS, *common.REFIT_RULES}
    known |= {*common.ALL_POPULATIONS, *common.SIMULATION_SPLITTERS}
    known |= {public(name) for name in DATA}
    known |= set(getattr(common, "ALL_DISPLAYS", []))
    assert {public(name) for name in NAMES if inspect.isclass(public(name))} == known


def test_registries_share_nothing():
    assert not set(common.ALL_TESTS) & set(common.ALL_SPLITTERS)


def test_every_test_and_splitter_is_public():
    found = {
        item
        for item in classes_of_package()
        if not inspect.isabstract(item)
        and (issubclass(item, BaseCVTest) or hasattr(item, "split"))
    }
    splitters = {*common.ALL_SPLITTERS, *common.SIMULATION_SPLITTERS}
    assert found == {*common.ALL_TESTS, *splitters}
