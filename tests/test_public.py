"""What is public: names, docstrings and registries."""

import ast
import inspect
import re
import subprocess
import sys
import textwrap

import common
import numpy as np
import pytest

from sklearn_cvtest import exceptions

MODULES = common.MODULES
NAMES = list(common.PUBLIC)
# What functions of the package make, and warnings: no example, no source.
DATA = common.MADE_BY_THE_PACKAGE | {"Comparison"}
DATA |= {"CovarianceStructure", "Design", "load"}
# Engine, files and losses: no statistic of their own.
WITHOUT_SOURCE = {
    *("BaseCVTest", "NotSignificantlyWorse", "assert_not_worse", "compare_candidates"),
    *("compare_cv_results", "compare_file", "compare_predictions", "compare_table"),
    *("cross_val_losses", "interval_of_predictions", "make_loss"),
    *("rejection_rates", "replicate_losses"),
}
LINKED = r":(doi|arxiv):`[^`]+`"
WITHOUT_DOI = r"Technical Report|JMLR|Scandinavian\s+Journal|Regression\s+Trees"
WITHOUT_DOI += r"|Statistics\s+in\s+Medicine|Wiley"
SECTION = re.compile(r"^(\w[\w ]*)\n-+$", re.MULTILINE)
PARAMETER = re.compile(r"^(\*{0,2}\w+(?:, +\*{0,2}\w+)*) : (.+)$", re.MULTILINE)


def public(name):
    return common.PUBLIC[name]


def methods(cls):
    """Yield the public methods of a class where they are documented.

    That is where they are defined first: what overrides a method does what it does.
    """
    for name in dir(cls):
        owner = [base for base in cls.__mro__ if name in vars(base)][-1]
        method = vars(owner)[name]
        function = getattr(method, "__func__", method)
        if (
            not name.startswith("_")
            and inspect.isfunction(function)
            and function.__module__.startswith("sklearn_cvtest")
            and SECTION.search(inspect.getdoc(function) or "")  # for users
        ):
            yield f"{owner.__name__}.{name}", getattr(owner, name)


CALLABLES = {name: public(name) for name in NAMES if callable(public(name))}
for name in NAMES:
    if inspect.isclass(public(name)):
        CALLABLES |= dict(methods(public(name)))


def without(check, names=CALLABLES):
    """Return the names of what does not pass a check."""
    return [name for name in names if not check(CALLABLES[name])]


def sections(item):
    """Return the sections of a numpydoc docstring, the first one under ""."""
    first, *rest = SECTION.split(inspect.getdoc(item))
    return {"": first} | dict(zip(rest[::2], rest[1::2], strict=True))


def documented(item):
    """Return the description line of each documented parameter."""
    found = sections(item)
    text = found.get("Parameters", "")
    if hasattr(item, "__dataclass_fields__") or hasattr(
        item, "_fields"
    ):  # made by the package, not by users
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
    if inspect.isclass(item) and item.__name__ in common.MADE_BY_THE_PACKAGE:
        return {}
    return {name: one for name, one in found.items() if name not in ("self", "cls")}


@pytest.mark.parametrize("module", MODULES)
def test_all_is_sorted_and_is_what_is_public(module):
    assert sorted(set(module.__all__)) == list(module.__all__)
    found = {
        name
        for name, item in vars(module).items()
        if not name.startswith("_") and not inspect.ismodule(item)
    }
    # those of extensions come when they are asked for
    assert found <= set(module.__all__)


def test_no_public_name_is_collected_by_pytest():
    last = [name.split(".")[-1] for name in CALLABLES]
    assert not [name for name in last if re.match("[tT]est", name) and name != "tests"]


# Docstrings -------------------------------------------------------------------


@pytest.mark.lint
def test_docstrings_begin_with_one_line():
    def begins_with_a_line(item):
        first, *rest = inspect.getdoc(item).splitlines()
        ends = first.endswith((".", "?"))
        return ends and len(first) < 88 and not (rest and rest[0])

    assert not without(begins_with_a_line)


@pytest.mark.lint
def test_docstrings_document_the_parameters_in_their_order():
    def documents_all(item):
        if not set(documented(item)) >= set(parameters(item)):
            return False
        if "Parameters" not in sections(item) or not parameters(item):
            return True
        groups = PARAMETER.findall(sections(item)["Parameters"])
        shown = [
            name.strip().lstrip("*") for group, _ in groups for name in group.split(",")
        ]
        return shown == list(parameters(item))

    assert not without(documents_all)


def shown_default(value):
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, float) and np.isnan(value):
        return "nan"
    if value == 1 / 3:
        return "1/3"
    return repr(value)


@pytest.mark.lint
def test_docstrings_give_the_defaults_of_the_signature():
    def gives_defaults(item):
        if "Parameters" not in sections(item):
            return True
        described = documented(item)
        for parameter in parameters(item).values():
            line = described[parameter.name]
            shown = re.search(r"default=(.+)$", line)
            if parameter.default is parameter.empty or line == "object":
                if shown is not None:
                    return False
            elif shown is None or shown[1] != shown_default(parameter.default):
                return False
        return True

    assert not without(gives_defaults)


def raises(function):
    """Whether a function raises, or calls what checks its arguments."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    calls = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    return any(isinstance(node, ast.Raise) for node in ast.walk(tree)) or any(
        name.startswith("check_") for name in calls
    )


@pytest.mark.lint
def test_docstrings_say_what_is_returned_and_raised():
    def says_what_is_returned(item):
        if not inspect.isfunction(item) or inspect.isgeneratorfunction(item):
            return True
        returns = re.search(r"^\s+return .", inspect.getsource(item), re.MULTILINE)
        return not returns or "Returns" in sections(item)

    def says_what_is_raised(item):
        function = vars(item).get("__init__") if inspect.isclass(item) else item
        is_dataclass = hasattr(item, "__dataclass_fields__")
        is_made = is_dataclass or item.__name__ in common.MADE_BY_THE_PACKAGE
        if not inspect.isfunction(function) or is_made:
            return True
        return "Raises" in sections(item) or not raises(function)

    assert not without(says_what_is_returned)
    assert not without(says_what_is_raised)


@pytest.mark.lint
def test_docstrings_cite_their_sources():
    def cites(item):
        references = sections(item).get("References", "")
        entries = re.split(r"^\.\. \[\d+\] ", references, flags=re.MULTILINE)[1:]
        return entries and all(
            re.search(f"{LINKED}|{WITHOUT_DOI}", entry) for entry in entries
        )

    assert not without(cites, sorted(set(NAMES) - DATA - WITHOUT_SOURCE))


@pytest.mark.lint
def test_docstrings_have_examples():
    names = sorted(set(NAMES) - DATA)
    assert not without(lambda item: ">>> " in sections(item).get("Examples", ""), names)


@pytest.mark.lint
def test_docstrings_of_tests_name_their_attributes():
    fitted = {"statistic_", "pvalue_", "estimate_", "standard_error_", "df_"}
    fitted |= {"rho_", "rho_alpha_"}

    def names_attributes(item):
        groups = PARAMETER.findall(sections(item)["Attributes"])
        shown = {name.strip() for names, _ in groups for name in names.split(",")}
        return shown >= fitted

    assert not without(names_attributes, [Test.__name__ for Test in common.ALL_TESTS])


# Modules ----------------------------------------------------------------------


def modules_imported(statement):
    """Return the modules that are there after a statement in a new process."""
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_importing_takes_no_module_that_few_need():
    """What `sklearn.model_selection` does not import either, and takes time."""
    slow = {"linear_model", "discriminant_analysis", "ensemble", "svm"}
    slow = {f"sklearn.{name}" for name in slow} | {"matplotlib", "tqdm"}
    assert not slow & modules_imported("from sklearn_cvtest import compare_estimators")


@pytest.mark.parametrize("name", exceptions.__all__)
def test_each_warning_is_raised_somewhere(name):
    sources = [
        path.read_text(encoding="utf-8")
        for path in common.PACKAGE.rglob("*.py")
        if path.name != "exceptions.py"
    ]
    assert any(re.search(rf"^\s+{name},?$", source, re.M) for source in sources)
