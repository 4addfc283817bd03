"""Folders import lower layers only, in no circle; extensions can be deleted."""

import ast
import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sklearn_cvtest

pytestmark = pytest.mark.lint

PACKAGE = "sklearn_cvtest"
ROOT = Path(sklearn_cvtest.__file__).parent
# Each layer imports those before it only; folders of one layer do not know each other.
LAYERS = [
    {"exceptions", "_compat", "_version", "_typing"},
    {"_validation"},
    {"_row_labels"},
    {"_splits", "_losses"},
    {"_store"},
    {"_data", "_tables"},
    {"_checks"},
    {"_engine", "_inference"},
    {"_pairs"},
    {"_report"},
    {"_display"},
    {"_best", "_by_label", "_planning"},
    {"_results"},
    {"_sources"},
    {"_interval"},
    {"_datasets", "_scores", "_search", "simulation"},
    {"_files"},
    {"losses", "results"},
    {"__main__"},
]
FACADES = {"losses", "results"}  # they only pass names on, as `__init__`
EXTENSIONS = LAYERS[-4]  # all that is their own; nothing but the facade imports them
# What answers one question: all of it in one package, imported when it is asked.
QUESTIONS = {"_by_label", "_checks", "_interval", "_planning"}


def module_name(path):
    """Return the dotted name of a module within the package, "" for the package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


NAMES = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}


@functools.cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path, node):
    """Yield the absolute dotted names that an import statement asks for."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    base = [node.module] if node.module else []
    if node.level:
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        base = [*parts[: -node.level], *base]
    yield from (".".join([*base, alias.name]) for alias in node.names)


def modules_imported(path):
    """Return the modules of this package that one imports, anywhere in it."""
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for name in imported(path, node):
                first, _, rest = name.partition(".")
                if first == PACKAGE:
                    found.add(rest if rest in NAMES else rest.rpartition(".")[0])
    return found


def folder_of(name):
    return name.partition(".")[0]


def level(name):
    return next(
        number for number, layer in enumerate(LAYERS) if folder_of(name) in layer
    )


def is_module(name):
    return name and name not in FACADES and NAMES[name].name != "__init__.py"


def test_every_module_is_in_a_layer():
    assert {folder_of(name) for name in NAMES if name} == set().union(*LAYERS)


def test_modules_import_lower_layers_only():
    upward = {
        (name, folder_of(target))
        for name in NAMES
        for target in modules_imported(NAMES[name])
        if name and target and folder_of(target) != folder_of(name)
        if level(target) >= level(name)
    }
    assert not upward


def test_imports_have_no_circle():
    def passed_on(name, seen):
        """Yield the modules that one imports, those passed on by `__init__` too."""
        for target in modules_imported(NAMES[name]) - seen:
            seen.add(target)
            if is_module(target):
                yield target
            else:
                yield from passed_on(target, seen)

    @functools.cache
    def visit(name):
        assert name not in above, f"circle through {name}"
        above.append(name)
        for target in sorted(passed_on(name, {name, ""})):
            visit(target)
        above.pop()

    above = []
    for name in filter(is_module, NAMES):
        visit(name)


# Extensions ---------------------------------------------------------------------------


def names_of_extensions():
    """Return {public name: its extension}, read from the facade's code."""
    found = {}
    for facade in ("__init__", "results"):
        prefix = PACKAGE if facade == "__init__" else f"{PACKAGE}.{facade}"
        for node in ast.walk(tree_of(ROOT / f"{facade}.py")):
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                extension = folder_of(node.module or "")
                if extension in EXTENSIONS:
                    names = [alias.name for alias in node.names]
                    found |= {f"{prefix}.{name}": extension for name in names}
    return found


# An editable installation would find what is missing in a copy.
SITE = """
import sys
sys.meta_path[:] = [
    finder for finder in sys.meta_path if "editable" not in str(finder).lower()
]
"""


def copy_without(extensions, folder):
    """Copy the package without some folders; return the environment to use it in.

    What the facade imports of them goes, too.
    """
    ignored = shutil.ignore_patterns("__pycache__", *extensions)
    shutil.copytree(ROOT, folder / PACKAGE, ignore=ignored)
    for facade in ("__init__", *FACADES):
        tree = ast.parse((ROOT / f"{facade}.py").read_text(encoding="utf-8"))
        for node in list(tree.body):
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                names = [alias for alias in node.names if alias.name not in extensions]
                if folder_of(node.module or "") in extensions or not names:
                    tree.body.remove(node)
                node.names = names
        (folder / PACKAGE / f"{facade}.py").write_text(ast.unparse(tree), "utf-8")
    (folder / "sitecustomize.py").write_text(SITE)
    return os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}


def run_without(extension, folder, code):
    """Return the lines that code prints where a folder of the package is missing."""
    env = copy_without([extension], folder)
    command = [sys.executable, "-c", code]
    options = {"capture_output": True, "text": True, "check": False}
    done = subprocess.run(command, env=env, cwd=folder, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


# What the public modules cannot find.
ASK_ALL = """
import importlib
for name in ("", "__main__", "exceptions", "losses", "results"):
    module = importlib.import_module(f"sklearn_cvtest.{name}".rstrip("."))
    for public in module.__all__ if name != "exceptions" else ():
        try:
            getattr(module, public)
        except AttributeError:
            print(f"{module.__name__}.{public}")
"""


@pytest.mark.parametrize("extension", sorted(EXTENSIONS))
def test_the_package_works_without_an_extension(extension, tmp_path):
    missing = run_without(extension, tmp_path, ASK_ALL)
    of_extension = [
        name for name, owner in names_of_extensions().items() if owner == extension
    ]
    assert sorted(missing) == sorted(of_extension)


# A comparison, without an extension or a package that answers another question.
COMPARE = """
import numpy as np, sklearn_cvtest as cvtest
y = np.arange(40) % 2
rng = np.random.default_rng(0)
rates = {"a": 0.9, "b": 0.6, "c": 0.8}
guesses = {name: np.where(rng.random(40) < p, y, 1 - y) for name, p in rates.items()}
result = cvtest.compare_predictions(y, guesses, splits=np.arange(40) % 5)
text = str(result) + result.report() + result._repr_html_() + result.to_json()
assert result.best_set().names and result.winner_interval().name and text
print(cvtest.__file__)
"""


@pytest.mark.parametrize("folder", sorted(QUESTIONS - {"_interval"} | EXTENSIONS))
def test_the_kernel_compares_without_what_can_be_deleted(folder, tmp_path):
    (path,) = run_without(folder, tmp_path, COMPARE)
    assert path.startswith(str(tmp_path))


# Fits of copied rows, and two models as they are of rows that depend on each other.
FIT = """
import warnings
import numpy as np, sklearn_cvtest as cvtest
from sklearn.tree import DecisionTreeClassifier
rng = np.random.default_rng(0)
X, y = rng.normal(size=(60, 4)), rng.integers(2, size=60)
X, y = np.concatenate([X, X]), np.concatenate([y, y])
walks = np.repeat(rng.normal(size=(12, 2)), 10, axis=0)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    losses = cvtest.cross_val_losses(DecisionTreeClassifier(random_state=0), X, y)
    predictions = {"a": walks[:, 0], "b": walks[:, 1]}
    result = cvtest.compare_predictions(np.zeros(120), predictions)
print(sorted(warning.category.__name__ for warning in caught))
print(losses.losses.ravel().tolist(), result.to_json())
"""


def test_without_checks_fits_run_and_nothing_is_warned(tmp_path):
    warned, *results = run_without("nothing", tmp_path / "whole", FIT)
    assert warned == "['DependentRowsWarning', 'DependentRowsWarning']"
    assert run_without("_checks", tmp_path / "less", FIT) == ["[]", *results]
