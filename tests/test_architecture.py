"""Modules import lower layers only, and extensions can be deleted."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sklearn_cvtest

pytestmark = pytest.mark.lint

ROOT = Path(sklearn_cvtest.__file__).parent
# Each layer imports those before it only; modules of one layer do not know each other.
LAYERS = (
    ("exceptions", "_compat", "_questions", "_validation", "_version"),
    ("_formulas",),
    ("_cells", "_design", "_diagnostics", "_memory", "_metrics"),
    ("_fitting", "_layout", "_metric_names", "_splits", "losses"),
    ("_columns",),
    ("_data",),
    ("_engine", "_inference"),
    ("_best_set", "_pairs", "_report", "_store", "simulation"),
    ("_excerpt", "_gate", "_interval", "_plan", "_ttest"),
    ("_by_label", "_winner"),
    ("_comparison",),
    ("_by_metric",),
    ("_cv_results", "_estimators", "_predictions"),
    ("_fold_table", "_scores", "_search"),
    ("_datasets",),
    ("_tables", "results"),
    ("__main__",),
)
LAYER = {name: number for number, names in enumerate(LAYERS) for name in names}
EXTENSIONS = ("_datasets", "_search", "_tables", "simulation")
DEPENDENCIES = {"joblib", "numpy", "scipy", "sklearn"}
MODULES = sorted(ROOT.rglob("*.py"))


def unit_of(path):
    """Return the module or folder of the package that a file belongs to."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports_of(path):
    """Yield (module or folder of the package, node) of each import from it."""
    depth = len(path.relative_to(ROOT).parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == depth:
            names = [node.module] if node.module else [a.name for a in node.names]
            for name in names:
                yield name.partition(".")[0], node


def test_every_module_is_in_one_layer():
    assert {unit_of(path) for path in MODULES} - {"__init__"} == set(LAYER)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_import_lower_layers_only(path):
    unit = unit_of(path)
    if unit == "__init__":
        return
    for name, _ in imports_of(path):
        assert name == unit or LAYER[name] < LAYER[unit], f"{unit} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_dependencies_are_imported_at_the_top(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tops = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            tops |= {alias.name.partition(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom) and not node.level:
            tops.add(node.module.partition(".")[0])
    assert tops <= DEPENDENCIES | set(sys.stdlib_module_names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_private_names_of_scikit_learn_are_in_one_module(path):
    if path.name == "_compat.py":
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "")[:8] == "sklearn.":
            names = [*node.module.split("."), *(alias.name for alias in node.names)]
            private = [name for name in names if name.startswith("_")]
            assert not private


CALL = """
import sklearn_cvtest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
models = {"bayes": GaussianNB(), "dummy": DummyClassifier()}
result = sklearn_cvtest.compare_estimators(models, *load_iris(return_X_y=True))
assert result.best == "bayes" and "bayes is better" in str(result)
"""


def without(text, module):
    """Return a facade without the imports of a module and the names they bring."""
    pattern = re.compile(rf"^from \.{module}\b.* import (\([^)]*\)|.*)\n", re.MULTILINE)
    for found in pattern.findall(text):
        for name in re.findall(r"\w+", found):
            text = text.replace(f'    "{name}",\n', "")
    return pattern.sub("", text)


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_an_extension_can_be_deleted(extension, tmp_path):
    package = tmp_path / "sklearn_cvtest"
    shutil.copytree(ROOT, package, ignore=shutil.ignore_patterns("__pycache__"))
    path = package / extension
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.with_suffix(".py").unlink()
    for facade in (package / "__init__.py", package / "results.py"):
        text = facade.read_text(encoding="utf-8")
        facade.write_text(without(text, extension), encoding="utf-8")
    call = [sys.executable, "-W", "error", "-c", CALL]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
