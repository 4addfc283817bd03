"""Hashes that are equal for what is certainly equal, in this process and in others.

joblib.hash ignores the order of a dict, knows code by its name and sees what a
`__getstate__` shows. Here the order counts, parameters are read by `get_params`, and
functions and classes that belong to no installed package are known by what they are
compiled to and what they reach by a name. Where a hash errs, it differs for what is
equal.
"""

import contextlib
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

ATOMS = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
WRAPPERS = (classmethod, staticmethod)
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
    reader = _Reader(
        {} if digests is None else digests, set() if reached is None else reached
    )
    try:
        reader.read(values)
    except RecursionError:
        raise UnknownContentError("it is nested too deeply") from None
    return reader.hash.hexdigest()


def check_content(name, value, allowed, *content, **options):
    """Return the fingerprint of content; refuse an argument if it cannot be known."""
    try:
        return fingerprint(*content, **options)
    except UnknownContentError as error:
        raise invalid(name, allowed, value, hint=f"({error})") from None


class _Reader:
    """Feeds a hash with a description of values in which nothing can be confused."""

    def __init__(self, digests, reached):
        self.hash = hashlib.blake2b(digest_size=16)
        self.digests = digests
        self.reached = reached
        self.code = {}  # number of each class, function and module read, by id
        self.open = {}  # depth of each value that is being read, by id
        self.modules = set()  # that were read, and for which names

    def put(self, tag, content=b""):
        """Add a part; its length keeps neighbours apart."""
        if isinstance(content, str):
            content = content.encode("utf-8", "surrogatepass")
        self.hash.update(f"{tag}:{len(content)};".encode() + content)

    def read(self, value):
        kind = type(value)
        if kind is float:
            self.put("float", value.hex())
        elif kind is int:
            self.put("int", hex(value))
        elif kind in ATOMS:
            self.put(kind.__name__, value if kind in (str, bytes) else repr(value))
        elif isinstance(value, np.ndarray):
            self._read_once(value, self._read_array)
        elif isinstance(value, (np.generic, np.dtype)):
            self._read_numpy(value)
        elif isinstance(value, type):
            self._read_code(value, self._read_class)
        elif kind is types.FunctionType:
            self._read_code(value, self._read_function)
        elif kind is types.ModuleType:
            self._read_module(value, vars(value))
        else:
            self._read_nested(value)

    def _read_nested(self, value):
        """Read what may hold anything, itself included."""
        if id(value) in self.open:
            self.put("above", str(len(self.open) - self.open[id(value)]))
            return
        self.open[id(value)] = len(self.open)
        try:
            self._read_parts(value)
        finally:
            del self.open[id(value)]

    def _read_parts(self, value):
        kind = type(value)
        if kind in (list, tuple):
            self._read_sequence(value)
        elif kind is dict:
            self._read_items("dict", value.items())
        elif kind in (set, frozenset):
            self._read_set(value)
        elif kind in WRAPPERS:
            self.put(kind.__name__)
            self.read(value.__func__)
        elif kind is property:
            self.put("property")
            self.read((value.fget, value.fset, value.fdel))
        elif kind is functools.cached_property:  # has a lock
            self.put("cached_property")
            self.read(value.func)
        elif kind is types.MappingProxyType:
            self._read_items("mappingproxy", value.items())
        elif kind is types.MethodType:
            self.put("method")
            self.read((value.__func__, value.__self__))
        elif kind is types.BuiltinFunctionType:
            self._read_builtin(value)
        elif kind is types.CodeType:
            self._read_bytecode(value)
        elif isinstance(value, DESCRIPTORS):
            self.put("descriptor", value.__qualname__)
        elif sparse.issparse(value):
            self._read_sparse(value)
        elif is_foreign(value):
            self._read_once(value, self._read_foreign)
        elif _is_pandas(value, "DataFrame", "Series", "Index"):
            self._read_once(value, self._read_pandas)
        else:
            self._read_object(value)

    def _read_once(self, value, read):
        """Add the digest of something large, made once for all who read it."""
        known = self.digests.get(id(value))
        if known is None or known[0] is not value:
            outer, self.hash = self.hash, hashlib.blake2b(digest_size=16)
            n_code = len(self.code)
            try:
                read(value)
                known = value, self.hash.digest()
            finally:
                self.hash = outer
            if len(self.code) == n_code:  # else it depends on what was read before
                self.digests[id(value)] = known
        self.put("large", known[1])

    # Containers ---------------------------------------------------------------

    def _read_sequence(self, values):
        name = type(values).__name__
        if len(values) > 99 and all(type(value) is str for value in values):
            self.put(f"{name} of str", ",".join(str(len(value)) for value in values))
            self.put("", "".join(values))
            return
        self.put(name, str(len(values)))
        for value in values:
            self.read(value)

    def _read_items(self, tag, items):
        """Read pairs in their order."""
        items = list(items)
        self.put(tag, str(len(items)))
        for key, value in items:
            self.read(key)
            self.read(value)

    def _read_set(self, values):
        """Read the elements of a set, which have no order that lasts."""
        self.put(type(values).__name__, str(len(values)))
        for element in sorted(fingerprint(value) for value in values):
            self.put("element", element)

    # Data ---------------------------------------------------------------------

    def _read_array(self, array):
        if type(array) not in (np.ndarray, np.memmap):
            self._read_type(type(array))
            self._read_items("state", sorted(getattr(array, "__dict__", {}).items()))
        if isinstance(array, np.ma.MaskedArray):
            self.read(np.ma.getmaskarray(array))
        array = np.asarray(array)
        flags = array.flags  # sums may depend on the layout
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "other"
        self._read_numpy(array.dtype)
        self.put(layout, str(array.shape))
        if array.dtype.hasobject:
            self._read_sequence(array.ravel().tolist())
        else:
            array = np.ascontiguousarray(array).reshape(-1)
            self.hash.update(array.view(np.uint8) if array.nbytes else b"")

    def _read_foreign(self, array):
        self._read_type(type(array))
        self.put("foreign", shown_foreign(array))
        try:
            self._read_array(read_foreign(array))
        except TypeError as error:
            raise UnknownContentError(str(error)) from None

    def _read_numpy(self, value):
        if isinstance(value, np.generic):
            self.put("scalar")
            self._read_array(np.asarray(value))
            return
        self.put("dtype", repr(value) if value.fields else f"{value.str} {value}")
        if value.metadata:
            self._read_items("metadata", value.metadata.items())

    def _read_sparse(self, matrix):
        self._read_type(type(matrix))
        if matrix.format not in ("csr", "csc", "bsr", "coo"):
            matrix = matrix.tocsr()
        self.put(matrix.format, str(matrix.shape))
        if matrix.format == "coo":
            parts = matrix.data, matrix.row, matrix.col
        else:
            parts = matrix.data, matrix.indices, matrix.indptr
        for part in parts:
            self._read_array(part)

    def _read_pandas(self, table):
        """Read what a table shows, not how pandas holds it."""
        self._read_type(type(table))
        self.read(dict(table.attrs) if hasattr(table, "attrs") else None)
        if _is_pandas(table, "Index"):
            self.read(list(table.names))
            levels = [table]
            if hasattr(table, "levels"):
                levels = [table.get_level_values(i) for i in range(table.nlevels)]
            for level in levels:
                self._read_column(level)
            return
        self.read(table.index)
        if table.ndim == 1:
            self.read(table.name)
            self._read_column(table)
            return
        self.read(table.columns)
        for number in range(table.shape[1]):
            self._read_column(table.iloc[:, number])

    def _read_column(self, column):
        dtype = column.dtype
        self.put("column", f"{type(dtype).__name__} {dtype}")
        if isinstance(dtype, np.dtype):
            values = np.asarray(column)
        elif hasattr(dtype, "categories"):
            self.read((dtype.categories, dtype.ordered))
            values = column.array.codes
        else:
            values = np.asarray(column, dtype=object)
        # a column of a block is laid out as the block is
        self._read_array(np.ascontiguousarray(values))

    # Objects ------------------------------------------------------------------

    def _read_object(self, value):
        """Read what pickle would keep of an object, and more."""
        cls = type(value)
        if cls in copyreg.dispatch_table:
            state = copyreg.dispatch_table[cls](value)
        else:
            try:
                state = value.__reduce_ex__(4)
            except Exception as error:
                name = f"{cls.__module__}.{cls.__qualname__}"
                why = f"a {name} cannot be read: {error}"
                raise UnknownContentError(why) from None
        if isinstance(state, str):
            self._read_global_object(value, state)
            return
        self.put("object", str(len(state)))
        for part in state[:3]:
            self.read(part)
        for items in state[3:5]:  # of subclasses of list and dict
            self._read_items("items", enumerate(items or ()))
        self.read(state[5:])
        if hasattr(value, "get_params"):
            self._read_items("params", _parameters(value).items())
        if has_own_pickling(cls):  # which may leave something out
            self._read_items("all", _attributes(value))

    def _read_global_object(self, value, name):
        """Read what pickle knows by its name, such as a ufunc."""
        module = pickle.whichmodule(value, name)
        if find(module, name) is not value:
            raise UnknownContentError(f"{name!r} cannot be found in {module!r}")
        if not self._read_name(value, module, name):
            self._read_items("all", _attributes(value))

    def _read_builtin(self, function):
        self.put("builtin", f"{function.__module__} {function.__qualname__}")
        if not isinstance(function.__self__, types.ModuleType | None):
            self.read(function.__self__)

    # Code ---------------------------------------------------------------------

    def _read_code(self, value, read):
        """Read code the first time it is met; it may refer to itself."""
        if id(value) in self.code:
            self.put("code", str(self.code[id(value)][0]))
            return
        self.code[id(value)] = len(self.code), value  # held: its id stays its own
        read(value)

    def _read_type(self, cls):
        self._read_code(cls, self._read_class)

    def _read_name(self, value, module, name):
        """Read the name of code; return whether this says all, for an installed one."""
        self.put("name", f"{module} {name}")
        self.reached.add(module)
        self.put("version", version_of(module))
        return is_installed(module) and find(module, name) is value

    def _read_class(self, cls):
        if self._read_name(cls, cls.__module__, cls.__qualname__):
            return
        self.read(type(cls))
        self.read(cls.__bases__)
        parts = {k: v for k, v in vars(cls).items() if k not in NOT_CODE}
        self._read_items("class", parts.items())

    def _read_function(self, function):
        if self._read_name(function, function.__module__, function.__qualname__):
            return
        # what `functools.wraps` has made goes by the name of another
        module = function.__globals__.get("__name__") or ""
        code = function.__code__
        if self._read_name(function, module, code.co_qualname):
            return
        if not is_installed(module):
            self._read_bytecode(code)
        self.read((function.__defaults__, function.__kwdefaults__))
        self._read_items("attributes", vars(function).items())
        cells = closed_over(function)
        if is_installed(module):
            self._read_items("closure", cells.items())
        else:
            self._read_lookups(function, cells)

    def _read_lookups(self, function, cells):
        """Read what a function of one's own refers to beyond itself."""
        code, scope = function.__code__, function.__globals__
        names = names_in(code)
        if not BY_TEXT.isdisjoint(names):  # any of them may be meant
            names = [*names, *(name for name in scope if name[:2] != "__")]
        named = {name: scope[name] for name in names if name in scope}
        if imports(code):
            package = scope.get("__package__") or ""
            found = {name: imported_module(name, package) for name in names}
            named |= {name: module for name, module in found.items() if module}
        for values in (cells, named):
            for name, value in values.items():
                self.put("global", name)
                with _told(f"`{name}`, to which {function.__qualname__} refers"):
                    if is_own_module(value):
                        self._read_module(value, names)
                    else:
                        self.read(value)

    def _read_bytecode(self, code):
        self.put("python", str(sys.version_info[:2]))
        self.put("bytecode", code.co_code)
        counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount
        names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
        self.read((code.co_name, code.co_flags, counts, names, code.co_consts))
        self.put("exceptions", getattr(code, "co_exceptiontable", b""))

    def _read_module(self, module, names):
        """Read what of a module, if it is one's own, has one of these names."""
        self.put("module", f"{module.__name__} {version_of(module.__name__)}")
        self.reached.add(module.__name__)
        key = module.__name__, tuple(names)
        if is_installed(module.__name__) or key in self.modules:
            return
        self.modules.add(key)
        for name in names:
            value = vars(module).get(name)
            self.put("attribute", name * (value is not None))
            with _told(f"`{module.__name__}.{name}`"):
                if is_own_module(value):
                    self._read_module(value, names)
                elif name[:2] != "__":
                    self.read(value)


@contextlib.contextmanager
def _told(what):
    """Say of what an unknown content is."""
    try:
        yield
    except UnknownContentError as error:
        raise UnknownContentError(f"{what}: {error}") from None


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
