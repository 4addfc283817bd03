"""`memory=` tells apart what differs in any way, in this process and in the next."""

import importlib
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import sklearn
from common import n_stored
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from sklearn_cvtest import BlockKFold, cross_val_losses
from sklearn_cvtest.losses import make_loss

X = np.random.default_rng(0).normal(size=(60, 3)) ** 2 + 0.1
Y = X[:, 0] - X[:, 1]
FOLDS = BlockKFold(3, random_state=0)
IMPORTS = "import numpy as np\nfrom sklearn.base import BaseEstimator as Base\n"


@pytest.fixture(name="imported")
def importer_of_own_modules(tmp_path, monkeypatch):
    """Return a function that imports a new module of some source."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def imported(source, name="own_model"):
        (tmp_path / f"{name}.py").write_text(IMPORTS + source, encoding="utf-8")
        sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return importlib.import_module(name)

    yield imported
    for name in [name for name in sys.modules if name.startswith("own_")]:
        del sys.modules[name]


def losses_of(model, folder, X=X, **options):
    options = {"cv": FOLDS, "loss": "squared_error", "memory": folder} | options
    return cross_val_losses(model, X, Y, **options)


def assert_is_not_mistaken(model, folder, **options):
    """Check that losses are the same with and without stored ones."""
    stored = losses_of(model, folder, **options)
    assert_array_equal(stored.values, losses_of(model, None, **options).values)


# Code -----------------------------------------------------------------------------

# A model whose losses follow from VALUE, which stands somewhere in it.
FIT = """
    def fit(self, X, y):
        self.mean_ = {mean}
        return self
    def predict(self, X):
        return np.full(len(X), float(self.mean_))
"""
MODEL = "\nclass Model(Base):" + FIT
SOURCES = {
    "method": MODEL.format(mean="VALUE"),
    "helper": "def helper():\n    return VALUE" + MODEL.format(mean="helper()"),
    "helper in a comprehension": "def helper():\n    return VALUE"
    + MODEL.format(mean="sum([helper() for _ in 'a'])"),
    "remembering helper": "import functools\n@functools.cache\ndef helper():\n"
    "    return VALUE" + MODEL.format(mean="helper()"),
    "global": "K = VALUE" + MODEL.format(mean="K"),
    "closure": "def outer(k):\n    return lambda: k\nhelper = outer(VALUE)"
    + MODEL.format(mean="helper()"),
    "default": "def helper(k=VALUE):\n    return k" + MODEL.format(mean="helper()"),
    "base": "class First(Base):\n    K = VALUE\nclass Model(First):"
    + FIT.format(mean="self.K"),
    "property": "class Model(Base):\n    @property\n    def k(self):\n"
    "        return VALUE" + FIT.format(mean="self.k"),
    "static method": "class Model(Base):\n    @staticmethod\n    def k():\n"
    "        return VALUE" + FIT.format(mean="self.k()"),
    "abstract base": "import abc\nclass Model(Base, abc.ABC):\n    K = VALUE"
    + FIT.format(mean="self.K"),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_two_states_of_a_file_are_told_apart(kind, imported, tmp_path):
    for value in ("1", "2"):
        model = imported(SOURCES[kind].replace("VALUE", value)).Model()
        assert_is_not_mistaken(model, tmp_path)
    assert n_stored(tmp_path) == 6
    losses_of(imported(SOURCES[kind].replace("VALUE", "1")).Model(), tmp_path)
    assert n_stored(tmp_path) == 6  # the same code once more


@pytest.mark.parametrize("kind", SOURCES)
def test_code_counts_as_it_was_loaded_whatever_the_file_says(kind, imported, tmp_path):
    old, new = (SOURCES[kind].replace("VALUE", value) for value in ("1", "25"))
    model = imported(old).Model()
    (tmp_path / "own_model.py").write_text(IMPORTS + new, encoding="utf-8")
    before = losses_of(model, tmp_path)
    model = imported(new).Model()
    assert_is_not_mistaken(model, tmp_path)
    assert (losses_of(model, tmp_path).values != before.values).all()


USES = {
    "module": "import own_values\ndef scaled(e):\n    return own_values.get() * e",
    "name": "from own_values import get\ndef scaled(e):\n    return get() * e",
    "within": "def scaled(e):\n    import own_values\n    return own_values.get() * e",
}


@pytest.mark.parametrize("kind", USES)
def test_modules_that_code_uses_are_seen(kind, imported, tmp_path):
    for value in (1, 5):
        imported(f"def get():\n    return {value}\n", "own_values")
        imported(USES[kind], "own_scales")
        loss = imported(
            "import own_scales\n"
            "def loss(y, p):\n    return own_scales.scaled(np.abs(y - p))"
        ).loss
        assert_is_not_mistaken(Ridge(), tmp_path, loss=loss)


def test_modules_that_code_does_not_use_change_nothing(imported, tmp_path):
    model = imported(SOURCES["method"].replace("VALUE", "1")).Model()
    losses_of(model, tmp_path)
    imported("K = 1", "own_other")
    losses_of(model, tmp_path)
    assert n_stored(tmp_path) == 3


class Local:
    """What a notebook defines is in no file."""


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"loss": lambda y, p: np.abs(y - p)}, "Can't pickle .*<lambda>"),
        ({"model": FunctionTransformer(lambda X: X)}, "Can't pickle .*<lambda>"),
        ({"model": FunctionTransformer(kw_args={"a": Local()})}, "notebook"),
    ],
)
def test_code_without_a_name_or_a_file_is_refused(
    options, reason, tmp_path, monkeypatch
):
    monkeypatch.delattr(sys.modules["__main__"], "__file__", raising=False)
    monkeypatch.setattr(sys.modules["__main__"], "Local", Local, raising=False)
    monkeypatch.setattr(Local, "__module__", "__main__")
    options = dict(options)
    model = make_pipeline(options.pop("model", StandardScaler()), Ridge())
    message = f"`memory` must be None for such code; .*{reason}.*Define its code under"
    with pytest.raises(ValueError, match=message):
        losses_of(model, tmp_path, **options)
    assert n_stored(tmp_path) == 0


SCRIPT = """
import sys
import numpy as np
from sklearn.base import BaseEstimator as Base
from sklearn_cvtest import cross_val_losses
if True:
    KNOWN = frozenset("abcdef")
    class Model(Base):
        def __init__(self, words=None):
            self.words = words
        def fit(self, X, y):
            self.mean_ = len(KNOWN) + ("a" in {"a", "b", "c"})
            return self
        def predict(self, X):
            return np.full(len(X), float(self.mean_))
X = np.arange(12.0).reshape(-1, 1)
model = Model(frozenset(["x", "y", "z"]))
cross_val_losses(model, X, X[:, 0], cv=3, loss="squared_error", memory=sys.argv[1])
"""


def test_a_stored_fit_is_found_by_another_process(tmp_path):
    (tmp_path / "own_script.py").write_text(SCRIPT, encoding="utf-8")
    for seed in "12":
        subprocess.run(
            [sys.executable, str(tmp_path / "own_script.py"), str(tmp_path)],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.getcwd()},
            check=True,
        )
    assert n_stored(tmp_path) == 3


# Values ---------------------------------------------------------------------------


class Scaled:
    """Multiplies its argument; a loss, and a function of a transformer."""

    def __init__(self, factor):
        self.factor = factor

    def __call__(self, X, y=0):
        return np.abs(X - y) * self.factor


class Valued(RegressorMixin, BaseEstimator):
    """Has a value, of which its predictions are the text's length."""

    def __init__(self, value=None):
        self.value = value

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.full(len(X), float(len(str(self.value))))


def frame(*columns):
    return pd.DataFrame([[1] * len(columns)], columns=columns)


@pytest.mark.parametrize(
    "pair",
    [
        pytest.param((1, 1.0), id="types of numbers"),
        pytest.param((1, True), id="truth"),
        pytest.param((0.0, -0.0), id="sign of zero"),
        pytest.param(("a", b"a"), id="text and bytes"),
        pytest.param(([1], (1,)), id="list and tuple"),
        pytest.param(([[1], [2, 3]], [[1, 2], [3]]), id="nesting"),
        pytest.param((["a", "bc"], ["ab", "c"]), id="where a text ends"),
        pytest.param(({1}, frozenset([1])), id="set and frozenset"),
        pytest.param((np.zeros(2), np.zeros(2, np.float32)), id="dtype"),
        pytest.param((np.zeros((2, 3)), np.zeros((3, 2))), id="shape"),
        pytest.param((sparse.eye(3).tocsr(), sparse.eye(3).tocsc()), id="sparse"),
        pytest.param((frame("a", "b"), frame("b", "a")), id="columns"),
        pytest.param((frame("a"), frame("a").set_axis([1])), id="index"),
        pytest.param((np.mean, np.median), id="functions"),
        pytest.param((np.log, np.exp), id="ufuncs"),
        pytest.param((Scaled(1), Scaled(2)), id="attributes"),
        pytest.param((Ridge(1), Ridge(2)), id="parameters"),
    ],
)
def test_values_that_differ_are_told_apart(pair, tmp_path):
    for number, value in enumerate(pair, start=1):
        for _ in range(2):  # and found again
            losses_of(Valued(value), tmp_path)
            assert n_stored(tmp_path) == 3 * number


@pytest.mark.parametrize(
    "pair",
    [
        pytest.param((X, X[::1].copy()), id="copies"),
        pytest.param(({"a", "b", "c"}, {"c", "b", "a"}), id="order of a set"),
        pytest.param(({"a": 1, "b": 2}, {"b": 2, "a": 1}), id="order of a dict"),
        pytest.param((float("nan"), float("nan")), id="missing values"),
        pytest.param((Scaled(1), Scaled(1)), id="attributes"),
    ],
)
def test_values_that_are_equal_are_found(pair, tmp_path):
    for value in pair:
        losses_of(Valued(value), tmp_path)
    assert n_stored(tmp_path) == 3


def test_losses_and_functions_with_a_value_are_told_apart(tmp_path):
    for factor in (1, 100):
        scaled = FunctionTransformer(Scaled(factor))
        assert_is_not_mistaken(make_pipeline(scaled, Ridge(10.0)), tmp_path)
        assert_is_not_mistaken(
            Ridge(), tmp_path, loss=make_loss(Scaled(factor), name="scaled")
        )


class OutputKind(RegressorMixin, BaseEstimator):
    """Predicts 1 if scaling gives a frame."""

    def fit(self, X, y):
        self.kind_ = float(hasattr(StandardScaler().fit_transform(X), "iloc"))
        return self

    def predict(self, X):
        return np.full(len(X), self.kind_)


def test_options_of_scikit_learn_are_seen(tmp_path):
    losses_of(OutputKind(), tmp_path)
    with sklearn.config_context(transform_output="pandas"):
        assert_is_not_mistaken(OutputKind(), tmp_path)
    with sklearn.config_context(display="text"):
        losses_of(OutputKind(), tmp_path)
    assert n_stored(tmp_path) == 6
