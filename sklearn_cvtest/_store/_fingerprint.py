"""Hashes that are equal for what is certainly equal, in this process and in others.

A value is hashed as pickle writes it, and what pickle knows by name only, or as one of
several forms of the same, is described first: code of installed packages by its name
and their version; code of one's own by what it is compiled to, and by the values that
it has closed over or names; estimators also by `get_params`, arrays and tables by what
they show. (joblib.hash ignores the order of a dict and knows code by its name.) Where a
hash errs, it differs for what is equal.
"""

import contextlib
import functools
import hashlib
import itertools
import os
import pickle
import site
import sys
import sysconfig
import types

import numpy as np
from scipy import sparse

from .._validation import invalid, is_foreign, read_foreign, shown_foreign

# What pickle writes as it is.
PLAIN = {bool, int, float, complex, str, bytes, type(None), list, tuple, dict}
# What holds the functions of a property, and where.
PROPERTIES = {
    property: ("fget", "fset", "fdel"),
    functools.cached_property: ("func", "attrname"),
}
# What pickle writes by the name of the function in it, or not at all; what else calls
# a function is written with all that it holds.
WRAPPERS = {classmethod, staticmethod, type(functools.cache(len))}
# Attributes that Python makes, by which nothing runs; some have no fixed order.
OF_PYTHON = {
    *functools.WRAPPER_ASSIGNMENTS,
    "__firstlineno__",
    "__orig_bases__",
    "__parameters__",
    "__static_attributes__",
    "__type_params__",
    "__wrapped__",
    "_abc_impl",
}


class UnknownContentError(TypeError):
    """A value whose content cannot be known, such as a lock or an open file."""


def fingerprint(*values, digests=None):
    """Return a hash, a str, of values.

    Parameters
    ----------
    *values : object
        Data, estimators, functions, classes, or what holds such.
    digests : dict, default=None
        Digests of arrays and tables, kept from call to call while these live.

    Returns
    -------
    fingerprint : str
        32 hexadecimal digits.

    Raises
    ------
    UnknownContentError
        If the content of something cannot be known.
    """
    return _Reader({} if digests is None else digests).digest(values)


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

    def __init__(self, digests, is_of_module=False):
        self.digests = digests
        self.is_of_module = is_of_module  # then code that has a name is in some text
        self.code = {}  # number of each class and function read, by id

    def digest(self, value):
        """Return the hash of a value, whether parts of it are equal or the same."""
        code_before = self.code.copy()
        for is_by_value in (True, False):
            hasher = hashlib.blake2b(digest_size=16)
            pickler = _Pickler(hasher.update, self._describe)
            pickler.fast = is_by_value
            try:
                pickler.dump(value)
                return hasher.hexdigest()
            except UnknownContentError:
                raise
            except Exception as error:
                # by value, what holds itself cannot be written
                if not (
                    is_by_value and isinstance(error, (RecursionError, ValueError))
                ):
                    raise UnknownContentError(f"{error}") from None
                self.code = code_before

    def _describe(self, value):
        """Return what is hashed in place of a value, None for what pickle writes."""
        value_class = type(value)
        if value_class is types.FunctionType:
            return self._once(value, self._function)
        if isinstance(value, type):
            return self._once(value, self._class)
        if value_class is types.MethodType:
            return "method", value.__func__, value.__self__
        if value_class is types.ModuleType:
            return self._module(value)
        if value_class is types.CodeType:
            return _bytecode(value)
        if isinstance(value, np.ndarray):
            return self._large(value, _array)
        if value_class in (set, frozenset):  # whose order does not last
            apart = (_Reader(self.digests).digest(part) for part in value)
            return value_class.__name__, sorted(apart)
        if value_class in PROPERTIES:
            return value_class.__name__, *(
                getattr(value, name) for name in PROPERTIES[value_class]
            )
        if value_class in WRAPPERS:
            return value_class.__name__, value.__wrapped__, _attributes(value)
        if sparse.issparse(value):
            cells = value.tocoo()
            content = cells.shape, cells.data, cells.row, cells.col
            is_theirs = value_class.__module__.startswith("scipy.")
            return (
                "sparse",
                value_class,
                content,
                None if is_theirs else _attributes(value),
            )
        if is_foreign(value):
            return self._large(value, _foreign)
        if _is_pandas(value, "DataFrame", "Series", "Index"):
            return self._large(value, _table)
        if hasattr(value, "get_params"):  # pickling may leave some out
            return "estimator", value_class, _parameters(value), _attributes(value)
        return None

    def _large(self, value, describe):
        """Return the digest of something large, made once for all who read it."""
        entry = self.digests.get(id(value))
        if entry is None or entry[0] is not value:
            entry = value, _Reader(self.digests).digest(describe(value))
            self.digests[id(value)] = entry
        return "large", entry[1]

    # Code ---------------------------------------------------------------------

    def _once(self, value, describe):
        """Describe code the first time it is met; it may refer to itself."""
        if id(value) in self.code:
            return "code", self.code[id(value)][0]
        self.code[id(value)] = len(self.code), value  # held: its id stays its own
        name = value.__module__, value.__qualname__
        is_known = self.is_of_module or is_installed(name[0])
        if is_known and name[0] != "__main__" and _find(*name) is value:
            return "code", *name, version_of(name[0])
        return "code", *name, describe(value)

    def _module(self, module):
        name = module.__name__
        if is_installed(name) or self.is_of_module:
            return "module", name, version_of(name)
        return self._large(module, state_of_module)

    def _class(self, cls):
        attributes = [item for item in vars(cls).items() if _is_of_class(*item)]
        return type(cls), cls.__bases__, attributes

    def _function(self, function):
        code = function.__code__
        scope = function.__globals__
        cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
        held = {}
        for name, cell in cells:
            with contextlib.suppress(ValueError):  # it is empty
                held[name] = cell.cell_contents
        made_by = scope.get("__name__")
        signature = (
            function.__defaults__,
            function.__kwdefaults__,
            vars(function),
            made_by,
        )
        if is_installed(made_by):  # such as what `functools.wraps` has made
            return code.co_qualname, version_of(made_by), signature, held
        names = dict.fromkeys(name for c in _with_inner(code) for name in c.co_names)
        held |= {name: scope[name] for name in names if name in scope}
        modules = {n: v for n, v in held.items() if isinstance(v, types.ModuleType)}
        for name, module in modules.items():  # what is loaded, not what its file says
            attributes = {} if is_installed(module.__name__) else vars(module)
            held |= {
                f"{name}.{attribute}": attributes[attribute]
                for attribute in names
                if attribute in attributes
            }
        for name, part in held.items():
            if isinstance(part, types.ModuleType):  # by what is read of it, as above
                held[name] = "module", part.__name__, version_of(part.__name__)
        reference = f"to which {function.__qualname__} refers"
        return (
            code,
            signature,
            [self._told(f"`{n}`, {reference}", held[n]) for n in held],
        )

    def _told(self, label, value):
        """Return the digest of a value; one that cannot be known is told by a name."""
        try:
            return label, self.digest(value)
        except UnknownContentError as error:
            raise UnknownContentError(f"{label}: {error}") from None


def _is_of_class(name, part):
    """Whether what is in a class was written there, and can matter."""
    if isinstance(part, (types.GetSetDescriptorType, types.MemberDescriptorType)):
        return False
    if name in OF_PYTHON:
        return False
    is_of_a_library = name[:2] == "__"  # which may keep there what nobody can read
    is_plain = type(part) in PLAIN - {list, dict}
    return not is_of_a_library or callable(part) or is_plain or type(part) in WRAPPERS


def _attributes(value):
    """Return the attributes that an object has itself, {name: value}."""
    slots = {
        name
        for cls in type(value).__mro__
        for name, part in vars(cls).items()
        if isinstance(part, types.MemberDescriptorType) and hasattr(value, name)
    }
    held = {name: getattr(value, name) for name in sorted(slots)}
    held |= getattr(value, "__dict__", {})
    return {name: part for name, part in held.items() if name not in OF_PYTHON}


def _with_inner(code):
    """Return code and the code of all functions and classes in it."""
    inner = [part for part in code.co_consts if isinstance(part, types.CodeType)]
    return [code, *itertools.chain.from_iterable(map(_with_inner, inner))]


def _bytecode(code):
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    fields = code.co_name, code.co_flags, counts, names, code.co_consts
    return sys.version_info[:2], code.co_code, code.co_exceptiontable, *fields


def _find(module, name):
    """Return what a module has by a dotted name, or None."""
    value = sys.modules.get(module)
    for part in name.split("."):
        value = getattr(value, part, None)
    return value


# Modules: installed ones are known by their version, one's own by what they hold -----


def _installed_places():
    """Return the folders of Python's own modules and of installed packages."""
    paths = map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib"))
    paths = [*paths, *site.getsitepackages(), site.getusersitepackages()]
    return tuple({os.path.realpath(path) + os.sep for path in paths if path})


INSTALLED = _installed_places()
THIS_PACKAGE = __name__.partition(".")[0]  # known by its version, wherever it is


@functools.cache
def is_installed(name):
    """Whether a module is Python's, or of an installed package."""
    if not isinstance(name, str) or name in ("", "__main__"):
        return False
    root = name.partition(".")[0]
    if root == THIS_PACKAGE or name in sys.builtin_module_names:
        return True
    path = getattr(sys.modules.get(name), "__file__", None)
    if path is None:  # frozen, such as importlib's, or a part of an extension module
        return root in sys.stdlib_module_names or (root != name and is_installed(root))
    return os.path.realpath(path).startswith(INSTALLED)


def version_of(name):
    """Return what tells releases of an installed module apart."""
    if not is_installed(name):
        return ""
    root = name.partition(".")[0]
    if root in sys.stdlib_module_names:
        return str(sys.version_info[:2])
    version = getattr(sys.modules.get(root), "__version__", None)
    path = getattr(sys.modules.get(name), "__file__", None)
    if isinstance(version, str) or path is None:
        return f"{version}"
    file = os.stat(path)
    return f"{file.st_size} {file.st_mtime_ns}"


def states_of_own_modules():
    """Return {name: hash} of all modules of one's own that are loaded, by content.

    Without the main module, of which only that counts which is reached, and without
    what has no file: namespaces, and what extension modules make.
    """
    user_modules = {
        name: module
        for name, module in list(sys.modules.items())
        if isinstance(getattr(module, "__file__", None), str)
        if name not in ("__main__", "__mp_main__") and not is_installed(name)
    }
    return {name: state_of_module(user_modules[name]) for name in sorted(user_modules)}


def state_of_module(module):
    """Return a hash of a module: of its text, and of its values.

    Functions, classes and modules in it are in this text, or in another; values whose
    content cannot be known are left out.
    """
    text = b""
    digests = []
    reader = _Reader({}, is_of_module=True)
    if os.path.isfile(getattr(module, "__file__", None) or ""):
        with open(module.__file__, "rb") as file:
            text = file.read()
    for name, value in sorted(vars(module).items()):
        if name[:2] == "__" or callable(value) or isinstance(value, types.ModuleType):
            continue
        with contextlib.suppress(UnknownContentError):
            digests.append((name, reader.digest(value)))
    return fingerprint(text, digests)


# Data -------------------------------------------------------------------------


def _array(array):
    """Describe an array by its values and its layout, on which sums may depend."""
    class_and_attributes = None
    if type(array) not in (np.ndarray, np.memmap):
        class_and_attributes = (
            type(array),
            sorted(getattr(array, "__dict__", {}).items()),
        )
    mask = np.ma.getmaskarray(array) if isinstance(array, np.ma.MaskedArray) else None
    array = np.asarray(array)
    flags = array.flags
    layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "other"
    if array.dtype.hasobject:
        content = array.ravel().tolist()
    else:
        flat = np.ascontiguousarray(array).reshape(-1)
        content = hashlib.blake2b(flat.view(np.uint8) if flat.nbytes else b"").digest()
    return class_and_attributes, mask, array.dtype, layout, array.shape, content


def _foreign(array):
    try:
        values = read_foreign(array)
    except TypeError as error:
        raise UnknownContentError(str(error)) from None
    return type(array), shown_foreign(array), values


def _table(table):
    """Describe what a table of pandas shows, not how pandas holds it."""
    table_class = type(table)
    attrs = _attributes_of_table(table)
    if _is_pandas(table, "Index"):
        levels = [table]
        if hasattr(table, "levels"):
            levels = [table.get_level_values(i) for i in range(table.nlevels)]
        return table_class, attrs, list(table.names), list(map(_column, levels))
    if table.ndim == 1:
        return table_class, attrs, table.index, table.name, _column(table)
    columns = [_column(table.iloc[:, number]) for number in range(table.shape[1])]
    return table_class, attrs, table.index, table.columns, columns


def _attributes_of_table(table):
    """Return what a table of pandas has beside its values, {name: value}."""
    public = {n: v for n, v in vars(table).items() if n[:1] != "_"}
    public |= {
        name: getattr(table, name, None) for name in getattr(table, "_metadata", ())
    }
    others = {"attrs": dict(getattr(table, "attrs", {}))}
    others["flags"] = str(getattr(table, "flags", None))
    others["freq"] = getattr(table, "freqstr", None)
    return public, others


def _column(column):
    dtype = column.dtype
    order = None
    if isinstance(dtype, np.dtype):
        values = np.asarray(column)
    elif hasattr(dtype, "categories"):
        order = (dtype.categories, dtype.ordered)
        values = column.array.codes
    else:
        values = np.asarray(column, dtype=object)
    # a column of a block is laid out as the block is
    return type(dtype).__name__, str(dtype), order, _array(np.ascontiguousarray(values))


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
