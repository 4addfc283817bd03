"""Annotations are what docstrings say, and type checkers find them."""

import contextlib
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal, Self

import common
import numpy as np
import pytest
import signatures

import sklearn_cvtest
from sklearn_cvtest import _typing
from sklearn_cvtest._data._moments import VarianceEstimates
from sklearn_cvtest._inference._choose_tests import Tests
from sklearn_cvtest._inference._multiplicity import Adjustment
from sklearn_cvtest._results._estimator_comparison import LossComparison

pytestmark = pytest.mark.lint

RESULTS = re.compile(r"(Returns|Yields)\n-+\n(.+?)(?:\n\n\w[\w ]*\n-+\n|\Z)", re.DOTALL)
RESULT = re.compile(r"^(?:(\w+(?:, \w+)*) : )?(\S.*)", re.MULTILINE)
# Longer descriptions, without their default.
WHOLE = {
    "array-like of bool": "ArrayLike",
    "array-like, sparse matrix or dataframe": "Any",
    "array-like or list of array-like": "Any",
    "dataframe, dict or path": "Any",
    "dataframe, path or dict": "Any",
    "Comparison or CandidateComparison": "LossComparison",
    "dict of str to Comparison or CandidateComparison": "Mapping[str, Any]",
    "BlockKFold of one run, or RepeatedSubsample": "BlockKFold | RepeatedSubsample",
    "dict or data frame": "Any",
    "dict, list or skore.ComparisonReport": "Any",
    "dict, or table": "Any",
    "estimator, list or dict": "Any",
    "estimator, or list or dict of one or two": "Any",
    "int or list of int": "int | list[int] | None",
    "int, splitter or iterable of (train, test)": "Any",
    "int, splitter, iterable of (train, test), or None": "Any",
    '{"best", "all"} or list of (str, str)': "Pairs",
    "list of (slice, Design, bool)": "list[tuple[slice, Design, bool]]",
    "list or dict": "Estimators",
    "None, str or joblib.Memory": "Any",
    "None, str, os.PathLike or joblib.Memory": "Any",
    "object or dict": "Any",
    "int, RandomState instance or None": "Seed",
    "test, list or dict of tests": "Tests",
    "tuple of two floats": "Sequence[float]",
}
WORDS = {
    '{"holm", "bonferroni", "hochberg", "fdr_bh"}': "Adjustment",
    '{"two-sided", "less", "greater"}': "Alternative",
    '"auto"': 'Literal["auto"]',
    '"best"': 'Literal["best"]',
    '"nadeau-bengio"': 'Literal["nadeau-bengio"]',
    '"raise"': 'Literal["raise"]',
    "array-like": "ArrayLike",
    "array-like of bool": "ArrayLike",
    "array-like of the shape of `rates`": "ArrayLike",
    "callable": "Function",
    "dict": "dict[str, Any]",
    "estimator": "Any",
    "iterator of (ndarray, ndarray)": "Iterator[tuple[Array, Array]]",
    "iterable of int": "Iterable[int]",
    "iterable of str": "Iterable[str]",
    "list": "Sequence[Any]",
    "matplotlib Axes": "Axes",
    "ndarray": "Array",
    "ndarray of int": "Array",
    "None": "None",
    "numpy.random.Generator": "np.random.Generator",
    "object": "Any",
    "objects of the types given": "Any",
    "optuna.Study": "Any",
    "os.PathLike": "os.PathLike[str]",
    "pandas.DataFrame": "DataFrame",
    "sequence": "Sequence[Any]",
    "splitter": "Any",
    "test": "BaseCVTest",
    "tuple of ndarray": "tuple[Array, ...]",
}
# What is taken may be of more kinds than what is returned.
FORMS = {
    True: {"dict of str to ": "dict[str, {}]", "list of ": "list[{}]"},
    False: {
        "dict of str to ": "Mapping[str, {}]",
        "list of ": "Sequence[{}]",
        "sequence of ": "Sequence[{}]",
    },
}


def annotation_of(description, *, is_result=False):
    """Return the annotation that a description of a type stands for, as text."""
    text, _, default = description.partition(", default=")
    optional = " | None" if default == "None" else ""
    text = re.sub(
        r",? of (?:shape|length) (?:\([^)]*\)|n_\w+)(?: or \([^)]*\))?", "", text
    )
    found = WHOLE.get(text) or _of_words(text, is_result)
    if found == "str | os.PathLike[str]":
        found = "PathLike"
    known = found == "Any" or found.endswith("None") or found == "Seed"
    return found if known else found + optional


def _of_words(text, is_result):
    if text.startswith("{"):
        options, brace, rest = text.partition("}")
        found = WORDS.get(options + brace, f"Literal[{options[1:]}]")
        return f"{found} | None" if rest == " or None" else found
    if text in WORDS:
        return WORDS[text]
    words = re.split(r",? or |, (?!\.)", text)
    found = dict.fromkeys(_of_word(word, is_result) for word in words)
    return "Any" if "Any" in found else " | ".join(found)


def _of_word(word, is_result):
    for start, form in FORMS[is_result].items():
        if word.startswith(start) and word not in WORDS:
            return form.format(_of_words(word.removeprefix(start), is_result))
    return WORDS.get(word, word)


def public_functions():
    """Yield (name, function, {parameter: annotation}, annotation of the result)."""
    for name, item in signatures.public_callables():
        parameters = signatures.described(item)
        function = item
        if inspect.isclass(item):
            function = vars(item).get("__init__")
            if (
                not hasattr(function, "__code__")
                or "dataclass" in str(function)
                or (
                    hasattr(item, "__dataclass_fields__")
                    and item not in common.ALL_TESTS
                )
            ):
                continue
        if not function.__module__.startswith("sklearn_cvtest"):
            continue
        yield (
            name,
            function,
            {p: annotation_of(kind) for p, kind in parameters.items()},
            None if inspect.isclass(item) else _of_result(inspect.getdoc(item)),
        )


def _of_result(docstring):
    """Return the annotation of what a docstring says is returned, None if nothing."""
    found = RESULTS.search(docstring or "")
    if found is None:
        return None
    kinds = []
    for names, description in RESULT.findall(found[2]):
        kind = annotation_of(description, is_result=True)
        kinds += [kind] * (names.count(",") + 1)
    kind = kinds[0] if len(kinds) == 1 else f"tuple[{', '.join(kinds)}]"
    return f"Iterator[{kind}]" if found[1] == "Yields" else kind


FUNCTIONS = {name: rest for name, *rest in public_functions()}
KNOWN = vars(_typing) | vars(sklearn_cvtest.results) | common.PUBLIC
KNOWN |= {"np": np, "os": os, "Literal": Literal, "Tests": Tests}
KNOWN |= {"LossComparison": LossComparison}
KNOWN |= {"Adjustment": Adjustment, "Path": _typing.PathLike}
KNOWN |= {"VarianceEstimates": VarianceEstimates}


def is_as_described(annotation, text, function):
    """Whether an annotation is what a docstring describes, or says less where it must.

    A layer does not know what higher ones define.
    """
    if isinstance(annotation, str):
        return annotation == text
    if annotation is Any:
        names = set(re.findall(r"[A-Za-z_]\w+", text))
        elsewhere = names - function.__globals__.keys()
        return bool(names & {"Any", "Axes", "DataFrame"} or elsewhere)
    return annotation is Self or annotation == eval(text, function.__globals__ | KNOWN)


def annotated(name):
    """Yield (annotation, its description) of what a public function takes and gives."""
    function, parameters, result = FUNCTIONS[name]
    signature = inspect.signature(function, locals=KNOWN, eval_str=True)
    for parameter, text in parameters.items():
        found = signature.parameters[parameter]
        if found.kind is not found.VAR_KEYWORD:
            yield found.annotation, text
    if result is not None:
        yield signature.return_annotation, result


@pytest.mark.parametrize("name", FUNCTIONS)
def test_annotations_are_those_of_the_docstring(name):
    for annotation, text in annotated(name):
        if annotation is not inspect.Parameter.empty:
            assert is_as_described(annotation, text, FUNCTIONS[name][0])


def test_what_is_public_is_annotated():
    all_of_them = [pair for name in FUNCTIONS for pair in annotated(name)]
    left = [text for kind, text in all_of_them if kind is inspect.Parameter.empty]
    assert len(all_of_them) > 400
    assert len(left) < 0.03 * len(all_of_them), left


def test_descriptions_stand_for_annotations():
    assert annotation_of("int or sequence of int, default=10") == "int | Sequence[int]"
    assert (
        annotation_of('{"a", "b"} or None, default="a"') == 'Literal["a", "b"] | None'
    )
    assert annotation_of("ndarray of shape (n, m), default=None") == "Array | None"
    assert len(FUNCTIONS) > 150


def test_type_checkers_find_the_types_of_typical_code_and_no_error():
    pytest.importorskip("mypy")
    root = Path(__file__).parent.parent
    assert (root / "sklearn_cvtest" / "py.typed").exists()
    command = [sys.executable, "-m", "mypy", "--no-incremental"]
    done = subprocess.run(
        command, cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


SHORT = 60, 45  # characters of a signature: at most, and for each parameter


def test_signatures_show_short_names():
    long = {}
    for name, item in signatures.public_callables():
        with contextlib.suppress(ValueError):  # classes without a signature
            shown = inspect.signature(item)
            size, least = len(str(shown)), SHORT[0] + SHORT[1] * len(shown.parameters)
            if size > least or "numpy._typing" in str(shown):
                long[name] = size
    assert not long
