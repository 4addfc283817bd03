"""Folders import lower layers only, and nothing reads what is private elsewhere."""

import ast
import functools
import os
import re
import shutil
import subprocess
import sys
from ast import unparse as text
from pathlib import Path

import pytest

import sklearn_cvtest
from sklearn_cvtest.results import BaseCVTest, Design

pytestmark = pytest.mark.lint

PACKAGE = "sklearn_cvtest"
ROOT = Path(sklearn_cvtest.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
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
    {"_datasets", "_ledger", "_scores", "_search", "simulation"},
    {"adapters", "losses", "results"},
    {"__main__"},
]
FACADES = {"adapters", "losses", "results"}  # they only pass names on, as `__init__`
EXTENSIONS = LAYERS[-3]  # all that is their own; nothing but the facade imports them
# What answers one question: all of it in one package, imported when it is asked.
QUESTIONS = {"_by_label", "_checks", "_interval", "_planning"}
LONGEST_CHAIN = 15  # modules, each importing the next; `__init__` not counted
MOST_AT_ROOT = 10
MOST_LINES, MOST_IN_A_BODY = 500, 50  # of a file, and of a function but its docstring
DEPENDENCIES = {"numpy", "scipy", "sklearn", "joblib", PACKAGE}
VERSION_DEPENDENT = {"get_tags", "validate_data", "fixes", "parse_version"}
TAGS = {"__sklearn_tags__", "_estimator_type", "_get_tags", "_more_tags"}
OUTSIDE = {"_compat", "_validation"}  # read what is private of scikit-learn and sys
OF_NAMED_TUPLES = {"_asdict", "_fields", "_replace"}


def module_name(path):
    """Return the dotted name of a module within the package, "" for the package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


NAMES = {module_name(path): path for path in MODULES}


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


def imports(path, nodes=ast.walk):
    return [
        name
        for node in nodes(tree_of(path))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in imported(path, node)
    ]


def outside_functions(node):
    """Walk the nodes that run when a module is imported."""
    yield node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        for child in ast.iter_child_nodes(node):
            yield from outside_functions(child)


def modules_imported(path):
    """Return the modules of this package that one imports, anywhere in it."""
    found = set()
    for name in imports(path):
        first, _, rest = name.partition(".")
        if first == PACKAGE:
            owner = rest if rest in NAMES else rest.rpartition(".")[0]
            found.add(owner)
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


def test_there_are_few_files_at_the_root():
    assert len([name for name in NAMES if "." not in name and is_module(name)]) <= (
        MOST_AT_ROOT
    )


def body_lengths(tree):
    """Yield the name of each function, and the lines after signature and docstring."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[ast.get_docstring(node) is not None :]
            start = body[0].lineno if body else node.end_lineno + 1
            yield node.name, node.end_lineno + 1 - start


def test_lines_of_a_body_are_counted():
    code = (
        'def f(\n    x,\n):\n    """Two.\n\n    Lines."""\n    y = x\n\n    return y\n'
    )
    assert list(body_lengths(ast.parse(code))) == [("f", 3)]
    assert list(body_lengths(ast.parse('def g():\n    """None."""'))) == [("g", 0)]


def test_files_and_functions_are_short():
    lines = {path: len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert not {path for path, number in lines.items() if number > MOST_LINES}
    long = {
        (name, function, number)
        for name, path in NAMES.items()
        for function, number in body_lengths(tree_of(path))
        if number > MOST_IN_A_BODY
    }
    assert not long


def test_each_folder_says_in_a_sentence_what_it_is():
    for name, path in NAMES.items():
        if name and not is_module(name):
            first = ast.get_docstring(tree_of(path)).partition("\n")[0]
            assert first.endswith("."), name


def test_no_two_files_have_the_same_name():
    names = [path.name for path in MODULES if path.name != "__init__.py"]
    assert len(names) == len(set(names))


def test_modules_import_lower_layers_only():
    upward = {
        (name, folder_of(target))
        for name in NAMES
        for target in modules_imported(NAMES[name])
        if name and target and folder_of(target) != folder_of(name)
        if level(target) >= level(name)
    }
    assert not upward


def test_imports_have_no_cycle_and_no_long_chain():
    def passed_on(name, seen):
        """Yield the modules that one imports, those passed on by `__init__` too."""
        for target in modules_imported(NAMES[name]) - seen:
            seen.add(target)
            if is_module(target):
                yield target
            else:
                yield from passed_on(target, seen)

    @functools.cache
    def chain_from(name):
        assert name not in above, f"cycle through {name}"
        above.append(name)
        chains = [chain_from(target) for target in sorted(passed_on(name, {name, ""}))]
        above.pop()
        return [name, *max(chains, key=len, default=[])]

    above = []
    longest = max(map(chain_from, filter(is_module, NAMES)), key=len)
    assert len(longest) <= LONGEST_CHAIN, longest


def test_nothing_private_of_other_folders_is_imported():
    private = []
    for name, path in NAMES.items():
        for target in imports(path):
            first, _, rest = target.partition(".")
            if first != PACKAGE or rest in NAMES or folder_of(rest) == folder_of(name):
                continue
            last = rest.rpartition(".")[2]
            if last.startswith("_") and not last.startswith("__"):
                private.append((name, target))
    assert not private


def test_nothing_private_of_other_modules_is_read():
    read = []
    for name, path in NAMES.items():
        nodes = list(ast.walk(tree_of(path)))
        own = set(OF_NAMED_TUPLES)
        for node in nodes:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                own.add(node.name)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                own.add(node.attr)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                own.add(node.target.id)
        for node in nodes:
            if not isinstance(node, ast.Attribute) or not re.match("_[^_]", node.attr):
                continue
            of_self = getattr(node.value, "id", "") in ("self", "cls")
            if not (of_self or node.attr in own or name in OUTSIDE):
                read.append((name, node.lineno, node.attr))
    assert not read


def test_only_dependencies_are_imported_outside_functions():
    for path in MODULES:
        roots = {name.split(".")[0] for name in imports(path, outside_functions)}
        if path.name == "_typing.py":  # where no program runs
            roots -= {"matplotlib", "pandas"}
        assert roots <= DEPENDENCIES | sys.stdlib_module_names, path


def test_private_scikit_learn_is_imported_in_compat_only():
    for path in MODULES:
        if path.name == "_compat.py":
            continue
        names = [name.split(".") for name in imports(path)]
        private = [
            parts
            for parts in names
            if parts[0] == "sklearn"
            and (VERSION_DEPENDENT & set(parts) or any(p[0] == "_" for p in parts))
        ]
        assert not private, path
        nodes = ast.walk(tree_of(path))
        attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        assert not TAGS & attributes, path


def test_modules_do_not_assert_print_or_catch_everything():
    for path in MODULES:
        for node in ast.walk(tree_of(path)):
            where = path, getattr(node, "lineno", 0)
            assert not isinstance(node, ast.Assert), where
            assert not (isinstance(node, ast.ExceptHandler) and not node.type), where
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            assert not (called and node.func.id == "print"), where


def test_filters_of_warnings_are_not_changed():
    """They belong to all threads: only what runs alone may change them, and a search,
    in which scikit-learn repeats what it has warned of before.
    """
    functions = {"catch_warnings", "filterwarnings", "simplefilter", "resetwarnings"}
    changing = {
        name
        for name, path in NAMES.items()
        for node in ast.walk(tree_of(path))
        if getattr(node, "attr", getattr(node, "id", "")) in functions
    }
    assert changing == {"__main__", "_search._racing"}


READERS = {"_pairs", "_report", "_results", "_display", "simulation"}
READERS |= {"_best", *QUESTIONS}
PROBES = {"getattr", "hasattr", "vars", "isinstance"}
SEVERAL = {"list", "tuple", "dict"}  # of tests
OF_ANY_TEST = {*dir(BaseCVTest), "alpha", "alternative", "popmean"} - {"get_params"}
OF_NO_TEST = {"append", "partition"}  # of test sets, and of the name of a test
# Only a test of a series can test the times of a label.
OF_A_SERIES = {("_by_label._label_tests", "evaluate_times")}


def is_test(node):
    """Whether an expression is called as tests are, such as `table.test`."""
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name == "test"


def asked(tree):
    """Yield the line and the word by which a test is asked what it happens to have."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_test(node.value):
            if node.attr not in OF_ANY_TEST | OF_NO_TEST and node.attr[-1] != "_":
                yield node.lineno, node.attr
        elif isinstance(node, ast.Call) and node.args and is_test(node.args[0]):
            names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            if names & PROBES and not names & SEVERAL:
                yield node.lineno, text(node)
        elif isinstance(node, ast.Compare) and re.match(r"'prob_\w+' in", text(node)):
            yield node.lineno, text(node)


@pytest.mark.parametrize(
    "code",
    [
        "getattr(table.test, 'margin', 0)",
        "hasattr(test, 'weights')",
        "isinstance(test, KFoldTTest)",
        "'variance' in test.get_params(deep=False)",
        "test.rope",
        "self.test.concerns",
        "'prob_greater' in table.columns",
    ],
)
def test_asking_a_test_what_it_has_is_seen(code):
    assert list(asked(ast.parse(code)))


def test_nothing_asks_a_test_what_it_happens_to_have():
    found = {
        (name, word)
        for name, path in NAMES.items()
        if folder_of(name) in READERS
        for _, word in asked(tree_of(path))
    }
    assert found == OF_A_SERIES


KINDS_OF_DESIGNS = {kind.value for kind in type(Design("k-fold").kind)}


def compared_kinds(tree):
    """Yield the comparisons with a kind of design that is written as a string."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Compare):
            continue
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and part.value in KINDS_OF_DESIGNS:
                yield text(node)


@pytest.mark.parametrize(
    "code", ["design.kind == 'k-fold'", "base_kind not in ('subsample', 'k-fold')"]
)
def test_a_comparison_with_the_string_of_a_kind_is_seen(code):
    assert list(compared_kinds(ast.parse(code)))


def test_kinds_of_designs_are_asked_by_name():
    """A misspelt member is an error, a misspelt string is never equal."""
    found = [text for path in MODULES for text in compared_kinds(tree_of(path))]
    assert not found


def test_relative_imports_are_resolved():
    path = ROOT / "_inference" / "_base_test.py"
    node = ast.parse("from .._data._residuals import CVResiduals").body[0]
    assert list(imported(path, node)) == [f"{PACKAGE}._data._residuals.CVResiduals"]
    node = ast.parse("from . import _student").body[0]
    assert list(imported(path, node)) == [f"{PACKAGE}._inference._student"]


# Tests --------------------------------------------------------------------------------

TESTS = Path(__file__).parent


def private_names(tree):
    """Yield what a test file names that is private here, in imports and in strings."""
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = imported(TESTS, node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names = re.findall(rf"\b{PACKAGE}[\w.]+", node.value)
        for name in names:
            first, *parts = name.split(".")
            private = [part for part in parts if re.match("_[a-z]|__main__", part)]
            if first == PACKAGE and private:
                yield name


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("from sklearn_cvtest import _data, __version__", 1),
        ("from sklearn_cvtest.__main__ import main", 1),
        ("import sklearn_cvtest.simulation._curve", 1),
        ("import_module('sklearn_cvtest._data._moments')", 1),
        ("from sklearn_cvtest.results import Design", 0),
    ],
)
def test_private_names_are_seen(code, count):
    assert len(list(private_names(ast.parse(code)))) == count


def test_few_tests_import_what_is_private():
    """Else a change of what is inside rewrites the tests that should hold it."""
    others = [path for path in TESTS.rglob("*.py") if path.name != Path(__file__).name]
    assert len([path for path in others if any(private_names(tree_of(path)))]) <= 33


# Extensions ---------------------------------------------------------------------------

# Tests at the top that are about the whole package; the others there are the core's,
# and those of an extension are in its folder.
OF_THE_WHOLE = {
    "ambiguous_folds",
    "annotations",
    "architecture",
    "array_api",
    "bad_input",
    "command",
    "continuous_integration",
    "copied_results",
    "decimals",
    "decisions",
    "display",
    "docs",
    "examples",
    "file_layouts",
    "file_writes",
    "first_use",
    "fuzz_calls",
    "fuzz_files",
    "html",
    "interfaces",
    "interfaces_levels",
    "interfaces_modules",
    "interfaces_reductions",
    "interfaces_results",
    "intervals_and_pvalues",
    "levels_and_groups",
    "names_of_losses",
    "paper",
    "paper_table",
    "printed_text",
    "public",
    "quoted_numbers",
    "random_tables",
    "readme",
    "release",
    "row_labels",
    "signatures",
    "terminal_escapes",
    "texts",
    "without_extensions",
}
OF_CORE = sorted(
    path
    for path in TESTS.glob("test_*.py")
    if path.stem.removeprefix("test_") not in OF_THE_WHOLE
)


def names_of_extensions():
    """Return {public name: its extension}, read from the facade's code."""
    found = {}
    for facade in ("__init__", "adapters", "results"):
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
        (folder / PACKAGE / f"{facade}.py").write_text(text(tree), encoding="utf-8")
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
for name in ("", "__main__", "adapters", "exceptions", "losses", "results"):
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


# A comparison of its own, without a package that answers another question.
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


@pytest.mark.parametrize("question", sorted(QUESTIONS - {"_interval"}))
def test_the_kernel_compares_without_the_answer_to_a_question(question, tmp_path):
    (path,) = run_without(question, tmp_path, COMPARE)
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


def test_packages_of_questions_are_named_inside_methods_only():
    for name, path in NAMES.items():
        if folder_of(name) in {*QUESTIONS, *EXTENSIONS} or name in ("", *FACADES):
            continue
        for_types = {
            target
            for node in ast.walk(tree_of(path))
            if isinstance(node, ast.If) and text(node.test) == "TYPE_CHECKING"
            for child in node.body
            if isinstance(child, ast.Import | ast.ImportFrom)
            for target in imported(path, child)
        }
        for target in set(imports(path, outside_functions)) - for_types:
            owner = target.removeprefix(f"{PACKAGE}.")
            assert folder_of(owner) not in QUESTIONS, name


def test_who_decides_knows_what_equal_differences_show():
    """What a test finds is read by `full_evaluation`, also where nothing varies. These
    read what `evaluate` returns for another purpose: laws of many, stability, its p.
    """
    found = {
        path.relative_to(ROOT).as_posix()
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "evaluate"
        and "loss" not in ast.unparse(node.func.value)
    }
    assert found == {
        "_datasets/_differences.py",
        "_inference/_equivalence.py",
        "_inference/_zero_variance.py",
        "_best/_best_set.py",
        "_pairs/_intervals.py",
        "_by_label/_label_tests.py",
        "_pairs/_ratios.py",
        "_pairs/_stability_monitor.py",
        "_pairs/_tested.py",
        "_report/_paragraph.py",
        "simulation/_rates.py",
    }


def test_each_extension_has_a_folder_of_tests():
    assert all((TESTS / f"test_{name}.py").exists() for name in OF_THE_WHOLE)
    folders = {path.parent.name for path in TESTS.glob("*/test_*.py")}
    assert folders == {extension.removeprefix("_") for extension in EXTENSIONS}


def words_of(path):
    """Return the names in the code of a test file, and of the tests it imports."""
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom | ast.Import):
            names = [word for name in imported(path, node) for word in name.split(".")]
            found |= set(names)
            for helper in {f"{name}.py" for name in names} - {"common.py", path.name}:
                if (TESTS / helper).exists():
                    found |= words_of(TESTS / helper)
        found |= {getattr(node, "id", ""), getattr(node, "attr", "")}
    return found


def test_tests_of_the_core_name_nothing_of_an_extension():
    of_extensions = {name.rpartition(".")[2] for name in names_of_extensions()}
    of_extensions |= EXTENSIONS
    found = {path.name: words_of(path) & of_extensions for path in OF_CORE}
    assert not {name: words for name, words in found.items() if words}


def test_contributing_shows_the_layers():
    text = (ROOT.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    start = text.index("    __main__\n")
    lines = text[start : text.index("\n\n", start)].splitlines()
    shown = [set(re.findall(r"\w+", line.partition("(")[0])) for line in lines]
    assert shown == LAYERS[::-1]


def test_sentences_stand_in_code_where_a_search_finds_them():
    """Files of JSON hold names and titles, and no templates of what is printed."""
    for path in ROOT.rglob("*.json"):
        texts = re.findall(r'"((?:[^"\\]|\\.)*)"', path.read_text(encoding="utf-8"))
        assert not [text for text in texts if "{" in text], path.name
