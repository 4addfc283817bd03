"""Modules import lower layers only, and heavy or private names where they may."""

import ast
import sys
from pathlib import Path

import pytest

import sklearn_cvtest

ROOT = Path(sklearn_cvtest.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
# Each room imports the ones before it only; rooms of one line do not know each other.
LAYERS = [
    {"exceptions", "_compat", "_version"},
    {"_validation"},
    {"_splits", "_losses"},
    {"_data"},
    {"_engine", "_inference"},
    {"_pairs"},
    {"_report"},
    {"_results"},
    {"_display"},
]
# The only imports of a higher layer: methods of a result that picture it.
UPWARD = {("_comparison.py", "plot"), ("_comparison.py", "to_html")}
DEPENDENCIES = {"numpy", "scipy", "sklearn", "joblib", "sklearn_cvtest"}
VERSION_DEPENDENT = {"get_tags", "validate_data", "fixes", "parse_version"}
TAGS = {"__sklearn_tags__", "_estimator_type", "_get_tags", "_more_tags"}


def module_id(path):
    return path.relative_to(ROOT).as_posix()


every_module = pytest.mark.parametrize("path", MODULES, ids=module_id)


def unit(path):
    """Return the module or subpackage of the package that a file belongs to."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported(path, node):
    """Return the absolute dotted names that an import statement asks for."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    base = [node.module] if node.module else []
    if node.level:
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        base = [*parts[: -node.level], *base]
    return [".".join([*base, alias.name]) for alias in node.names]


def imports(path, nodes=ast.walk):
    return [
        name
        for node in nodes(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in imported(path, node)
    ]


def outside_functions(node):
    """Walk the nodes that run when a module is imported."""
    yield node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        for child in ast.iter_child_nodes(node):
            yield from outside_functions(child)


def units_imported(path):
    names = [name.split(".") for name in imports(path)]
    return {parts[1] for parts in names if parts[0] == "sklearn_cvtest"} - {unit(path)}


def upward_imports(path):
    """Yield function (or "") and unit of each import from no lower layer."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            inside = [one.name for one in functions if node in ast.walk(one)]
            names = [name.split(".") for name in imported(path, node)]
            units = {parts[1] for parts in names if parts[0] == "sklearn_cvtest"}
            for name in units - {unit(path)}:
                if layer(name) >= layer(unit(path)):
                    yield inside[-1] if inside else "", name


def layer(name):
    return [name in layer for layer in LAYERS].index(True)


def test_every_module_has_a_layer():
    units = {unit(path) for path in MODULES} - {"__init__", "simulation"}
    assert units == set().union(*LAYERS)


@every_module
def test_modules_import_lower_layers_only(path):
    if unit(path) in ("__init__", "simulation"):  # may import every layer
        return
    upward = set(upward_imports(path))
    allowed = {(function, "_display") for name, function in UPWARD if name == path.name}
    assert upward == allowed


@every_module
def test_nothing_imports_simulation(path):
    assert unit(path) == "simulation" or "simulation" not in units_imported(path)


@every_module
def test_tests_never_see_what_fits_or_measures(path):
    if unit(path) == "_inference":
        assert not units_imported(path) & {"_engine", "_losses", "_splitters"}


@every_module
def test_only_dependencies_are_imported_outside_functions(path):
    roots = {name.split(".")[0] for name in imports(path, outside_functions)}
    assert roots <= DEPENDENCIES | sys.stdlib_module_names


@every_module
def test_private_scikit_learn_is_imported_in_compat_only(path):
    if path.name == "_compat.py":
        return
    names = [name.split(".") for name in imports(path) if name.startswith("sklearn.")]
    private = [
        parts
        for parts in names
        if VERSION_DEPENDENT & set(parts) or any(part[0] == "_" for part in parts)
    ]
    assert not private
    tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    assert not TAGS & {node.attr for node in tree if isinstance(node, ast.Attribute)}


@every_module
def test_modules_do_not_assert_print_or_catch_everything(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not isinstance(node, ast.Assert), node.lineno
        assert not (isinstance(node, ast.ExceptHandler) and node.type is None)
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        assert not (called and node.func.id == "print"), node.lineno


def test_imports_resolves_relative_names(tmp_path):
    path = ROOT / "_inference" / "_base.py"
    node = ast.parse("from .._data._residuals import CVResiduals").body[0]
    assert imported(path, node) == ["sklearn_cvtest._data._residuals.CVResiduals"]
    node = ast.parse("from . import _student").body[0]
    assert imported(path, node) == ["sklearn_cvtest._inference._student"]
