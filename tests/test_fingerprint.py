"""What is equal has one hash everywhere; what differs in any way has another."""

import collections
import contextlib
import functools
import importlib
import itertools
import os
import re
import subprocess
import sys
import threading
import types

import numpy as np
import pandas as pd
import pytest
import sklearn
from common import n_stored
from joblib.externals.loky import get_reusable_executor
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, RegressorMixin, TransformerMixin
from sklearn.linear_model import Lasso, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from sklearn_cvtest import BlockKFold, cross_val_losses
from sklearn_cvtest._store._fingerprint import (
    UnknownContentError,
    fingerprint,
    states_of_own_modules,
)
from sklearn_cvtest.losses import make_loss

MOST_CASES = 1000  # that the suite runs of a test, see conftest.py
X = np.random.default_rng(0).normal(size=(60, 3)) ** 2 + 0.1
Y = X[:, 0] - X[:, 1]
FOLDS = BlockKFold(3, random_state=0)


class Forgetful(TransformerMixin, BaseEstimator):
    """Does not show its parameter to pickle."""

    def __init__(self, shift=0.0):
        self.shift = shift

    def __getstate__(self):
        return {}

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return X**2 + getattr(self, "shift", 0.0) * X


def key_of(value):
    """Return what a stored fit is known by."""
    return fingerprint(value), states_of_own_modules()


def made(source, name="Model", **others):
    """Return what a script with that source defines."""
    names = {"__name__": "__main__", "np": np, "Base": BaseEstimator} | others
    exec(source, names)
    return names[name]


MODEL = """
class Model(Base):
    def fit(self, X, y):
        self.mean_ = {fit}
        return self
    def predict(self, X):
        return np.full(len(X), self.mean_)
"""
CALLING = """
def helper(y):
    return {helper}
""" + MODEL.format(fit="helper(y)")


def closed_over(value):
    return lambda y_true, y_pred: np.abs(y_true - y_pred) * value


def with_default(value):
    def loss(y_true, y_pred, factor=value):
        return np.abs(y_true - y_pred) * factor

    return loss


def frame(**columns):
    return pd.DataFrame(columns)


MASKED = [np.ma.array([1, 2], mask=mask) for mask in ([0, 1], [1, 0])]
DATES = pd.to_datetime(["2020-01-01", "2021-01-01"])


class Scaled:
    """Calls a function, and hides behind its name."""

    def __init__(self, function, factor):
        functools.update_wrapper(self, function)
        self.factor = factor

    def __call__(self, X):
        return self.__wrapped__(X) * self.factor


class Slotted(BaseEstimator):
    """Has no dict of attributes for its own."""

    __slots__ = ("factor",)

    def __init__(self, factor=1):
        self.factor = factor


class OwnArray(np.ndarray):
    """Has attributes beside its values."""


class OwnSparse(sparse.csr_array):
    """Has attributes beside its values."""


class OwnFrame(pd.DataFrame):
    """Has attributes beside its values."""

    _metadata = ("factor",)


def with_factor(value, factor):
    """Return a value with an attribute."""
    value.factor = factor
    return value


def module_with(factor):
    return with_factor(types.ModuleType("own_module"), factor)


def class_with(part, factor):
    return made(f"class Model:\n    {part}", k=factor)


def with_keyword(factor):
    return functools.partial(np.mean, axis=factor)


# Of each branch by which a value is described: how to make one with an attribute.
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(
            lambda k: with_factor(made("def f(X): return X", "f"), k), id="function"
        ),
        pytest.param(
            lambda k: with_factor(
                contextlib.contextmanager(made("def f(X): return X", "f")), k
            ),
            id="function of an installed module",
        ),
        pytest.param(lambda k: with_factor(class_with("pass", 0), k), id="class"),
        pytest.param(
            lambda k: class_with("def __new__(cls): return k", k), id="class, __new__"
        ),
        pytest.param(
            lambda k: class_with(f"f = str.{'lower' if k == 1 else 'upper'}", k),
            id="class, method of an installed class",
        ),
        pytest.param(
            lambda k: class_with(
                "__call__ = __import__('functools').partial(max, k)", k
            ),
            id="class, __call__",
        ),
        pytest.param(lambda k: types.MethodType(len, Scaled(len, k)), id="method"),
        pytest.param(
            lambda k: types.MethodType(
                with_factor(made("def f(X): return X", "f"), k), 1
            ),
            id="method, its function",
        ),
        pytest.param(module_with, id="module"),
        pytest.param(lambda k: with_factor(np.zeros(2).view(OwnArray), k), id="array"),
        pytest.param(
            lambda k: np.ma.array([1, 2], mask=[0, 1], fill_value=k), id="masked array"
        ),
        pytest.param(lambda k: {Scaled(len, k)}, id="set"),
        pytest.param(lambda k: property(Scaled(len, k)), id="property"),
        pytest.param(
            lambda k: functools.cached_property(Scaled(len, k)), id="cached property"
        ),
        pytest.param(lambda k: with_factor(staticmethod(len), k), id="static method"),
        pytest.param(lambda k: with_factor(classmethod(len), k), id="class method"),
        pytest.param(
            lambda k: with_factor(functools.cache(len), k), id="cached function"
        ),
        pytest.param(functools.lru_cache, id="cached function, its options"),
        pytest.param(lambda k: with_factor(OwnSparse(np.eye(2)), k), id="sparse"),
        pytest.param(lambda k: with_factor(OwnFrame({"a": [1]}), k), id="frame"),
        pytest.param(lambda k: with_factor(pd.Series([1]), k), id="column"),
        pytest.param(
            lambda k: pd.date_range("2020", periods=1, freq=f"{k}D"), id="index"
        ),
        pytest.param(lambda k: with_factor(Ridge(), k), id="estimator"),
        pytest.param(lambda k: with_factor(Slotted(), k), id="estimator with slots"),
        pytest.param(lambda k: Scaled(len, k), id="wrapper"),
        pytest.param(lambda k: Scaled(Ridge(k), 1), id="wrapper of an estimator"),
        pytest.param(lambda k: types.SimpleNamespace(factor=k), id="object"),
        pytest.param(with_keyword, id="partial"),
    ],
)
def test_values_that_differ_in_one_attribute_have_different_hashes(make):
    assert fingerprint(make(1)) != fingerprint(make(2))
    assert fingerprint(make(1)) == fingerprint(make(1))


@pytest.mark.parametrize(
    "pair",
    [
        pytest.param((np, pd), id="installed modules"),
        pytest.param(({"a": 1, "b": 2}, {"b": 2, "a": 1}), id="order of a dict"),
        pytest.param(
            [
                collections.OrderedDict(pairs)
                for pairs in ([("a", 1), ("b", 2)], [("b", 2), ("a", 1)])
            ],
            id="order of an OrderedDict",
        ),
        pytest.param(({"a": 1}, collections.OrderedDict(a=1)), id="kind of a dict"),
        pytest.param(
            ([{"a": 1, "b": 2}], [{"b": 2, "a": 1}]), id="rows that are dicts"
        ),
        pytest.param((1, 1.0), id="types of numbers"),
        pytest.param((1, True), id="truth"),
        pytest.param((0.0, -0.0), id="sign of zero"),
        pytest.param(("a", b"a"), id="text and bytes"),
        pytest.param(([1], (1,)), id="list and tuple"),
        pytest.param(([[1], [2, 3]], [[1, 2], [3]]), id="nesting"),
        pytest.param((["a", "bc"], ["ab", "c"]), id="where a text ends"),
        pytest.param(
            (["a"] * 100 + ["bc"], ["a"] * 99 + ["ab", "c"]), id="long lists of text"
        ),
        pytest.param(({1}, frozenset([1])), id="set and frozenset"),
        pytest.param((np.zeros(2), np.zeros(2, dtype=np.float32)), id="dtype"),
        pytest.param((np.zeros((2, 3)), np.zeros((3, 2))), id="shape"),
        pytest.param(
            (np.ones((2, 3)), np.asfortranarray(np.ones((2, 3)))), id="layout"
        ),
        pytest.param(MASKED, id="mask"),
        pytest.param(
            (np.array([1, "1"], object), np.array(["1", 1], object)),
            id="objects of an array",
        ),
        pytest.param(
            (sparse.eye(3, format="csr"), sparse.eye(3, format="csc")), id="sparse"
        ),
        pytest.param((frame(a=[1], b=[1]), frame(b=[1], a=[1])), id="columns"),
        pytest.param(
            [
                pd.Series(["a"], dtype=pd.CategoricalDtype(list(c)))
                for c in ("ab", "ba")
            ],
            id="categories",
        ),
        pytest.param(
            (DATES.tz_localize("UTC"), DATES.tz_localize("Asia/Tokyo")), id="time zone"
        ),
        pytest.param((frame(a=[1, 2]), frame(a=[1, 2]).set_axis([1, 2])), id="index"),
        pytest.param(
            (Forgetful(1.0), Forgetful(2.0)), id="parameters that pickle does not see"
        ),
        pytest.param(
            [made(MODEL.format(fit=fit)) for fit in ("y.mean()", "y.max()")],
            id="methods",
        ),
        pytest.param(
            [made(MODEL.format(fit=fit)) for fit in ("1", "2")], id="constants"
        ),
        pytest.param(
            [made(CALLING.format(helper=text)) for text in ("y.min()", "y.max()")],
            id="helpers",
        ),
        pytest.param((closed_over(1), closed_over(2)), id="closures"),
        pytest.param((with_default(1), with_default(2)), id="defaults"),
        pytest.param(
            [made("def f(y): return y * k", "f", k=k) for k in (1, 2)], id="globals"
        ),
        pytest.param(
            [functools.partial(np.mean, axis=a) for a in (0, 1)],
            id="arguments of partial",
        ),
        pytest.param(
            (Forgetful(1.0).transform, Forgetful(2.0).transform), id="bound to"
        ),
        pytest.param(
            (make_loss(closed_over(1)), make_loss(closed_over(2))), id="losses"
        ),
        pytest.param(
            [
                made("class Model(B): pass", B=made(MODEL.format(fit=fit)))
                for fit in "12"
            ],
            id="a base",
        ),
        pytest.param(
            [
                made("def f(y): return m.g(y)", "f", m=m)
                for m in (types.ModuleType("m"), types.ModuleType("n"))
            ],
            id="modules",
        ),
        pytest.param(
            [np.dtype(float, metadata={"k": k}) for k in (1, 2)],
            id="metadata of a dtype",
        ),
        pytest.param((np.mean, np.median), id="installed functions"),
        pytest.param((np.log, np.exp), id="ufuncs"),
    ],
)
def test_what_differs_has_another_hash(pair):
    first, second = pair
    assert fingerprint(first) != fingerprint(second)
    assert fingerprint(first) == fingerprint(first)


OWN_CFG = """
import threading, time
K, D, lock, started = 1.0, {"K": 1.0}, threading.Lock(), time.time()
class Box:
    K = 1.0
box = Box()
"""
OWN_FILES = {
    "own_cfg.py": OWN_CFG,
    "own_getter.py": "import own_cfg\ndef get():\n    return own_cfg.K\n",
    "own_pack/__init__.py": "",
    "own_pack/sub.py": "K = 1.0\n",
    "own_free.py": "K = 1.0\n",
}
# What a function says that uses a module, and what then changes.
OWN_USES = {
    "value": ("own_cfg.K", "own_cfg.K = 5.0"),
    "dict": ("own_cfg.D['K']", "own_cfg.D['K'] = 5.0"),
    "class": ("own_cfg.Box.K", "own_cfg.Box.K = 5.0"),
    "instance": ("own_cfg.box.K", "own_cfg.box.K = 5.0"),
    "submodule": ("own_pack.sub.K", "own_pack.sub.K = 5.0"),
    "getter": ("own_getter.get()", "own_cfg.K = 5.0"),
    "module of a module": ("own_getter.own_cfg.K", "own_cfg.K = 5.0"),
    "lambda": ("(lambda: own_cfg.K)()", "own_cfg.K = 5.0"),
    "name in a text": ("getattr(own_free, 'K')", "own_free.K = 5.0"),
    "argument": ("(lambda m: m.K)(own_free)", "own_free.K = 5.0"),
    "another name": ("[m.K for m in [own_free]][0]", "own_free.K = 5.0"),
    "function": ("own_getter.get()", "own_getter.get = lambda: 5.0"),
}
OWN_IMPORTS = {
    "above": """
import own_cfg, own_getter, own_free, own_pack.sub
def f():
""",
    "in it": """
def f():
    import own_cfg, own_getter, own_free
    import own_pack.sub
""",
    "by parts": """
from own_pack import sub
def f():
    import own_cfg, own_getter, own_free
    import own_pack.sub as other
    import own_pack
""",
}


@pytest.fixture(name="own_modules")
def modules_of_own(tmp_path, monkeypatch):
    """Return a function that gives a function f of a source that imports modules."""
    (tmp_path / "own_pack").mkdir()
    for name, text in OWN_FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield lambda source: made(source, "f", Base=None)
    for name in [name for name in sys.modules if name.startswith("own_")]:
        del sys.modules[name]


# Code is known where it is reached: by what is imported outside of the function.
OF_CODE = "class", "function"


@pytest.mark.parametrize(
    ("imports", "use"),
    [
        (imports, use)
        for imports, use in itertools.product(OWN_IMPORTS, OWN_USES)
        if imports == "above" or use not in OF_CODE
    ],
)
def test_modules_of_ones_own_are_known_by_what_they_hold(imports, use, own_modules):
    said, change = OWN_USES[use]
    function = own_modules(f"{OWN_IMPORTS[imports]}    return {said}")
    assert function() == 1  # from here on, they are loaded
    before = key_of(function)
    assert key_of(function) == before
    exec(f"import own_cfg, own_getter, own_free, own_pack.sub; {change}", {})
    assert function() == 5
    assert key_of(function) != before


def test_values_changed_at_run_time_are_seen(own_modules, tmp_path):
    loss = own_modules(
        "import own_cfg\n"
        "def f(y, p):\n    return own_cfg.D['K'] * own_cfg.K * abs(y - p)"
    )
    module = sys.modules["own_cfg"]
    for change in ("module.K = 5.0", "module.D['K'] = 9.0"):
        losses_of(Ridge(), tmp_path, loss=loss)
        exec(change, {"module": module})
        stored, alone = (losses_of(Ridge(), m, loss=loss) for m in (tmp_path, None))
        assert_array_equal(stored.losses, alone.losses)


def with_touched_dates():
    table = frame(when=DATES, x=[1.0, 2.0])
    table.iloc[0:1]
    table["when"].iloc[0]
    return table


@functools.lru_cache
def remembered(x):
    return x


@pytest.mark.parametrize(
    "pair",
    [
        pytest.param((X, X.copy()), id="copies"),
        pytest.param((X[::2][:10], X[::2][:10]), id="views"),
        pytest.param(
            (frame(when=DATES, x=[1.0, 2.0]), with_touched_dates()),
            id="frames touched by iloc",
        ),
        pytest.param(
            (frame(a=[1], b=[2]), frame(a=[1, 9], b=[2, 9]).head(1)),
            id="consolidated frames",
        ),
        pytest.param(
            ({"a", "b", "c"}, {"c", "b", "a"}), id="sets made in another order"
        ),
        pytest.param(
            [made(CALLING.format(helper="y.min()")) for _ in "ab"], id="redefined code"
        ),
        pytest.param((make_pipeline(StandardScaler(), Ridge()),) * 2, id="parameters"),
        pytest.param((re.compile("a"), re.compile("a")), id="patterns"),
        pytest.param((remembered, remembered), id="cached functions"),
        pytest.param((float("nan"), float("nan")), id="missing values"),
    ],
)
def test_what_is_equal_has_one_hash(pair):
    first, second = pair
    assert fingerprint(first) == fingerprint(second)


def loop_of(make):
    """Return a list that holds itself, by way of what is made of it."""
    loop = []
    loop.append(make(loop))
    return loop


@pytest.mark.parametrize(
    "make",
    [
        lambda loop: loop,
        lambda loop: {"loop": loop},
        lambda loop: types.SimpleNamespace(loop=loop),
        lambda loop: functools.partial(max, loop),
    ],
)
def test_what_holds_itself_can_be_read(make):
    assert fingerprint(loop_of(make)) == fingerprint(loop_of(make))
    assert fingerprint(loop_of(make)) != fingerprint([make([])])
    code = [[made("def f(y): return k", "f", k=k), loop_of(make)] for k in (1, 2)]
    assert fingerprint(code[0]) != fingerprint(code[1])


@pytest.mark.parametrize(
    "make",
    [
        lambda: (number for number in ()),
        lambda: np.frompyfunc(abs, 1, 1),
        threading.Lock,
        lambda: functools.reduce(lambda inner, _: [inner], range(9999), []),
    ],
)
def test_what_cannot_be_read_is_refused(make):
    value = make()
    with pytest.raises(UnknownContentError):
        fingerprint(value)


def test_hashes_last_from_process_to_process(own_modules, tmp_path):
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import own_cfg, own_getter, own_pack.sub\n"
        "def own(y): return own_cfg.K, own_getter.get(), own_pack.sub, own_cfg.box\n"
        "from sklearn_cvtest._store._fingerprint import fingerprint as f\n"
        "from sklearn.feature_extraction.text import TfidfVectorizer as T\n"
        "def g(y): return y in {'a', 'b', 'c'}\n"
        "print(f(frozenset('abcdef'), T(stop_words=frozenset(['x', 'y'])), g, own))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(found) == 1


# By the public functions ----------------------------------------------------


def losses_of(model, folder, **options):
    return cross_val_losses(model, X, Y, **{"cv": FOLDS, "memory": folder} | options)


@pytest.mark.parametrize("source", [MODEL, CALLING], ids=["own", "helper"])
def test_memory_tells_models_of_two_scripts_apart(source, tmp_path):
    for fit in ("y.mean()", "y.max() + 9"):
        model = made(source.format(fit=fit, helper=fit))()
        stored = losses_of({"m": model}, tmp_path, loss="squared_error")
        alone = losses_of({"m": model}, None, loss="squared_error")
        assert_array_equal(stored.losses, alone.losses)


def test_memory_tells_wrappers_of_one_function_apart(tmp_path):
    for factor in (1, 100):
        scaled = FunctionTransformer(Scaled(np.sqrt, factor))
        model = make_pipeline(scaled, Ridge(10.0))
        stored, alone = (losses_of(model, folder) for folder in (tmp_path, None))
        assert_array_equal(stored.losses, alone.losses)


def test_memory_tells_losses_of_two_scripts_apart(tmp_path):
    for factor in (1, 2):
        source = f"def loss(y, p): return {factor} * np.abs(y - p)"
        loss = made(source, "loss")
        stored, alone = (losses_of(Ridge(), m, loss=loss) for m in (tmp_path, None))
        assert_array_equal(stored.losses, alone.losses)


USER = """
import own_user
def loss(y, p):
    return own_user.scaled(np.abs(y - p))
"""


def test_memory_knows_the_code_that_is_loaded_not_its_file(tmp_path, own_modules):
    path = tmp_path / "own_user.py"
    path.write_text("def scaled(e):\n    return e\n")
    loss = made(USER, "loss")
    path.write_text("def scaled(e):\n    return e * 25.0\n")
    stale = losses_of(Ridge(), tmp_path, loss=loss)
    del sys.modules["own_user"]
    importlib.invalidate_caches()
    loss = made(USER, "loss")
    stored, alone = (
        losses_of(Ridge(), folder, loss=loss) for folder in (tmp_path, None)
    )
    assert_array_equal(stored.losses, alone.losses)
    assert_array_equal(stored.losses, 25 * stale.losses)


@pytest.mark.full
def test_workers_with_another_state_of_a_module_store_nothing(tmp_path, own_modules):
    (tmp_path / "own_user.py").write_text("K = 1.0\ndef scaled(e):\n    return K * e\n")
    loss = made(USER, "loss")
    sys.modules["own_user"].K = 5.0
    get_reusable_executor().shutdown()  # new workers, that know where the module is
    losses_of(Ridge(), tmp_path, loss=loss, n_jobs=2)
    stored, alone = (
        losses_of(Ridge(), folder, loss=loss) for folder in (tmp_path, None)
    )
    assert_array_equal(stored.losses, alone.losses)


class OutputKind(RegressorMixin, BaseEstimator):
    """Predicts 1 if scaling gives a frame."""

    def fit(self, X, y):
        self.kind_ = float(hasattr(StandardScaler().fit_transform(X), "iloc"))
        return self

    def predict(self, X):
        return np.full(len(X), self.kind_)


def test_memory_knows_the_options_of_scikit_learn(tmp_path):
    losses_of(OutputKind(), tmp_path)
    with sklearn.config_context(transform_output="pandas"):
        stored, alone = (losses_of(OutputKind(), folder) for folder in (tmp_path, None))
    assert_array_equal(stored.losses, alone.losses)
    with sklearn.config_context(display="text"):
        losses_of(OutputKind(), tmp_path)
    assert n_stored(tmp_path) == 6
