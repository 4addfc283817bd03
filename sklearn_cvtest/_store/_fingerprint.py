"""Hashes that are equal for what is certainly equal, in this process and in others.

A value is hashed as pickle writes it, and what pickle knows by name only, or as one of
several forms of the same, is described first: functions and classes that belong to no
installed package by what they are compiled to and what they reach by a name, estimators
also by `get_params`, arrays and tables by what they show. (joblib.hash ignores the
order of a dict, knows code by its name and sees what a `__getstate__` shows.) Where a
hash errs, it differs for what is equal.
"""

import copyreg
import functools
import hashlib
import itertools
import pickle
import sys
import types

import numpy as np
from scipy import sparse

from .._validation import invalid, is_foreign, read_foreign, shown_foreign
from ._own_code import (
    closed_over,
    find,
    has_own_pickling,
    imported_module,
    imports,
    is_installed,
    is_own_module,
    names_in,
    version_of,
)

# What pickle writes as it is, and what is known by some of its attributes.
PLAIN = {
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    type(...),
    list,
    tuple,
    dict,
}
PARTS = {
    classmethod: ("__func__",),
    staticmethod: ("__func__",),
    property: ("fget", "fset", "fdel"),
    functools.cached_property: ("func",),
    types.MethodType: ("__func__", "__self__"),
}
DESCRIPTORS = (
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
    types.MethodWrapperType,
)
# What code that refers to globals by text uses.
BY_TEXT = {"globals", "eval", "exec", "__globals__"}
# What a class has of Python's own making, some of it in no fixed order.
NOT_CODE = {
    "__abstractmethods__",
    "__annotate__",
    "__annotate_func__",
    "__annotations__",
    "__annotations_cache__",
    "__conditional_annotations__",
    "__dict__",
    "__doc__",
    "__firstlineno__",
    "__module__",
    "__slotnames__",
    "__static_attributes__",
    "__weakref__",
    "_abc_impl",
}


class UnknownContentError(TypeError):
    """A value whose content cannot be known, such as a lock or an open file."""


def fingerprint(*values, digests=None, reached=None):
    """Return a hash, a str, of values.

    Parameters
    ----------
    *values : object
        Data, estimators, functions, classes, or what holds such.
    digests : dict, default=None
        Digests of arrays and tables, kept from call to call while these live.
    reached : set, default=None
        Is given the names of modules of one's own that code was found in, or refers to.

    Returns
    -------
    fingerprint : str
        32 hexadecimal digits.

    Raises
    ------
    UnknownContentError
        If the content of something cannot be known.
    """
    try:
        return _Reader({} if digests is None else digests, reached).digest(values)
    except RecursionError:
        raise UnknownContentError("it is nested too deeply") from None


def check_content(name, value, allowed, *content, **options):
    """Return the fingerprint of content; refuse an argument if it cannot be known."""
    try:
        return fingerprint(*content, **options)
    except UnknownContentError as error:
        raise invalid(name, allowed, value, hint=f"({error})") from None


class _Pickler(pickle.Pickler):
    """Writes to a hash, and descriptions in place of what is described."""

    def __init__(self, write, describe):
        super().__init__(types.SimpleNamespace(write=write), protocol=4)
        self._describe = describe

    def persistent_id(self, value):
        return None if type(value) in PLAIN else self._describe(value)


class _Reader:
    """Describes values, such that nothing can be confused."""

    def __init__(self, digests, reached):
        self.digests = digests
        self.reached = set() if reached is None else reached
        self.code = {}  # number of each class and function read, by id
        self.open = {}  # depth of each object that is being read, by id
        self.modules = set()  # that were read, and for which names

    def digest(self, value):
        """Return the hash of a value, whether parts of it are equal or the same."""
        known = self.code.copy(), self.modules.copy()
        for is_by_value in (True, False):
            found = hashlib.blake2b(digest_size=16)
            pickler = _Pickler(found.update, self._describe)
            pickler.fast = is_by_value
            try:
                pickler.dump(value)
                break
            except ValueError:  # it holds itself
                self.code, self.modules = (of.copy() for of in known)
                if not is_by_value:
                    raise
        return found.hexdigest()

    def _describe(self, value):
        kind = type(value)
        if kind is types.FunctionType:
            return self._once(value, self._function)
        if isinstance(value, type):
            return self._once(value, self._class)
        if kind is types.ModuleType:
            return self._module(value, vars(value))
        if isinstance(value, np.ndarray):
            return self._large(value, _array)
        if isinstance(value, np.generic):
            return "scalar", np.asarray(value)
        if isinstance(value, np.dtype):
            name = repr(value) if value.fields else f"{value.str} {value}"
            return "dtype", name, dict(value.metadata or {})
        if kind in PARTS:
            return kind.__name__, *(getattr(value, name) for name in PARTS[kind])
        if kind in (set, frozenset):  # whose order does not last
            apart = (_Reader(self.digests, self.reached).digest(v) for v in value)
            return kind.__name__, sorted(apart)
        if kind is types.MappingProxyType:
            return "mappingproxy", dict(value)
        if kind is types.BuiltinFunctionType:
            of = value.__self__
            of = None if isinstance(of, types.ModuleType) else of
            return "builtin", value.__module__, value.__qualname__, of
        if kind is types.CodeType:
            return _bytecode(value)
        if isinstance(value, DESCRIPTORS):
            return "descriptor", value.__qualname__
        if sparse.issparse(value):
            cells = value.tocoo()
            return "sparse", kind, cells.shape, cells.data, cells.row, cells.col
        if is_foreign(value):
            return self._large(value, _foreign)
        if _is_pandas(value, "DataFrame", "Series", "Index"):
            return self._large(value, _table)
        return self._object(value)

    def _large(self, value, describe):
        """Return the digest of something large, made once for all who read it."""
        known = self.digests.get(id(value))
        if known is None or known[0] is not value:
            reader = _Reader(self.digests, None)
            known = value, reader.digest(describe(value)), reader.reached
            self.digests[id(value)] = known
        self.reached |= known[2]
        return "large", known[1]

    # Objects ------------------------------------------------------------------

    def _object(self, value):
        """Describe what may hold anything, itself included."""
        if id(value) in self.open:
            return "above", len(self.open) - self.open[id(value)]
        self.open[id(value)] = len(self.open)
        try:
            return "object", self.digest(self._state(value))
        finally:
            del self.open[id(value)]

    def _state(self, value):
        """Return what pickle would keep of an object, and more."""
        cls = type(value)
        reduce = copyreg.dispatch_table.get(cls, lambda value: value.__reduce_ex__(4))
        try:
            state = reduce(value)
        except Exception as error:
            name = f"{cls.__module__}.{cls.__qualname__}"
            raise UnknownContentError(f"a {name} cannot be read: {error}") from None
        if isinstance(state, str):  # its name, as of a ufunc
            module = pickle.whichmodule(value, state)
            if find(module, state) is not value:
                raise UnknownContentError(f"{state!r} cannot be found in {module!r}")
            name, is_all = self._name(value, module, state)
            return name, None if is_all else _attributes(value)
        items = [list(part or ()) for part in state[3:5]]  # of lists and dicts
        params = _parameters(value) if hasattr(value, "get_params") else None
        # its own pickling may leave something out
        hidden = _attributes(value) if has_own_pickling(cls) else None
        return state[:3], items, state[5:], params, hidden

    # Code ---------------------------------------------------------------------

    def _once(self, value, describe):
        """Describe code the first time it is met; it may refer to itself."""
        if id(value) in self.code:
            return "code", self.code[id(value)][0]
        self.code[id(value)] = len(self.code), value  # held: its id stays its own
        return describe(value)

    def _name(self, value, module, name):
        """Return the name of code, and whether this says all, as of installed one."""
        self.reached.add(module)
        is_all = is_installed(module) and find(module, name) is value
        return (module, name, version_of(module)), is_all

    def _class(self, cls):
        name, is_all = self._name(cls, cls.__module__, cls.__qualname__)
        if is_all:
            return "class", name
        parts = [(k, v) for k, v in vars(cls).items() if k not in NOT_CODE]
        return "class", name, type(cls), cls.__bases__, parts

    def _function(self, function):
        name, is_all = self._name(function, function.__module__, function.__qualname__)
        if is_all:
            return "function", name
        # what `functools.wraps` has made goes by the name of another
        module = function.__globals__.get("__name__") or ""
        code, cells = function.__code__, closed_over(function)
        inner, is_all = self._name(function, module, code.co_qualname)
        if is_all:
            return "function", name, inner
        given = function.__defaults__, function.__kwdefaults__, vars(function)
        if is_installed(module):
            return "function", name, inner, given, cells
        return "function", name, inner, given, code, self._lookups(function, cells)

    def _lookups(self, function, cells):
        """Describe what a function of one's own refers to beyond itself."""
        code, scope = function.__code__, function.__globals__
        names, told = names_in(code), f"to which {function.__qualname__} refers"
        if not BY_TEXT.isdisjoint(names):  # any of them may be meant
            names = [*names, *(name for name in scope if name[:2] != "__")]
        named = {name: scope[name] for name in names if name in scope}
        if imports(code):
            package = scope.get("__package__") or ""
            found = {name: imported_module(name, package) for name in names}
            named |= {name: module for name, module in found.items() if module}
        return [
            (name, self._named(value, f"`{name}`, {told}", names))
            for name, value in [*cells.items(), *named.items()]
        ]

    def _named(self, value, what, names):
        """Return the digest of what has a name; an unknown content is told by it."""
        try:
            if is_own_module(value):
                return self._module(value, names)
            return self.digest(value)
        except UnknownContentError as error:
            raise UnknownContentError(f"{what}: {error}") from None

    def _module(self, module, names):
        """Describe what of a module, if it is one's own, has one of these names."""
        name = module.__name__
        self.reached.add(name)
        key, parts = (name, tuple(names)), []
        if not is_installed(name) and key not in self.modules:
            self.modules.add(key)
            held = {of: vars(module).get(of) for of in names if of[:2] != "__"}
            parts = [
                (of, self._named(value, f"`{name}.{of}`", names))
                for of, value in held.items()
                if value is not None
            ]
        return "module", name, version_of(name), parts


def _bytecode(code):
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    table = getattr(code, "co_exceptiontable", b"")
    parts = code.co_name, code.co_flags, counts, names, code.co_consts, table
    return "bytecode", sys.version_info[:2], code.co_code, *parts


# Data -------------------------------------------------------------------------


def _array(array):
    """Describe an array by its values and its layout, on which sums may depend."""
    own = None
    if type(array) not in (np.ndarray, np.memmap):
        own = type(array), sorted(getattr(array, "__dict__", {}).items())
    mask = np.ma.getmaskarray(array) if isinstance(array, np.ma.MaskedArray) else None
    array = np.asarray(array)
    flags = array.flags
    layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "other"
    if array.dtype.hasobject:
        content = array.ravel().tolist()
    else:
        flat = np.ascontiguousarray(array).reshape(-1)
        content = hashlib.blake2b(flat.view(np.uint8) if flat.nbytes else b"").digest()
    return own, mask, array.dtype, layout, array.shape, content


def _foreign(array):
    try:
        values = read_foreign(array)
    except TypeError as error:
        raise UnknownContentError(str(error)) from None
    return type(array), shown_foreign(array), values


def _table(table):
    """Describe what a table of pandas shows, not how pandas holds it."""
    kind, attrs = type(table), dict(getattr(table, "attrs", {}))
    if _is_pandas(table, "Index"):
        levels = [table]
        if hasattr(table, "levels"):
            levels = [table.get_level_values(i) for i in range(table.nlevels)]
        return kind, attrs, list(table.names), list(map(_column, levels))
    if table.ndim == 1:
        return kind, attrs, table.index, table.name, _column(table)
    columns = [_column(table.iloc[:, number]) for number in range(table.shape[1])]
    return kind, attrs, table.index, table.columns, columns


def _column(column):
    dtype, order = column.dtype, None
    if isinstance(dtype, np.dtype):
        values = np.asarray(column)
    elif hasattr(dtype, "categories"):
        order, values = (dtype.categories, dtype.ordered), column.array.codes
    else:
        values = np.asarray(column, dtype=object)
    # a column of a block is laid out as the block is
    return type(dtype).__name__, str(dtype), order, _array(np.ascontiguousarray(values))


def _attributes(value):
    """Return the names and values of all attributes of an instance."""
    slots = itertools.chain.from_iterable(
        (names,) if isinstance(names := vars(cls).get("__slots__", ()), str) else names
        for cls in type(value).__mro__
    )
    held = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return sorted((held | getattr(value, "__dict__", {})).items())


def _parameters(estimator):
    try:
        return estimator.get_params(deep=False)
    except Exception as error:
        why = f"get_params of a {type(estimator).__name__} fails: {error}"
        raise UnknownContentError(why) from None


def _is_pandas(value, *names):
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(
        value, tuple(getattr(pandas, name) for name in names)
    )
