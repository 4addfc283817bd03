"""Which code is of an installed package, and what other code refers to.

Installed code is known by its name and version; a user's own may change under the same
name.
"""

import contextlib
import dis
import functools
import importlib
import importlib.util
import itertools
import os
import site
import sys
import sysconfig
import types

# Instructions that look up a name, or two, in one version of Python or another.
LOADS = (
    "LOAD_CLASSDEREF",
    "LOAD_DEREF",
    "LOAD_FAST",
    "LOAD_FROM_DICT",
    "LOAD_GLOBAL",
    "LOAD_NAME",
    "STORE_FAST_LOAD",
)
OF_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR")
PICKLING = ("__getstate__", "__reduce__", "__reduce_ex__")


def _installed_places():
    """Return the folders of Python's own modules and of installed packages."""
    paths = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib")]
    paths += [sysconfig.get_path(name) for name in ("purelib", "platlib")]
    paths += [*site.getsitepackages(), site.getusersitepackages()]
    return tuple({os.path.realpath(path) + os.sep for path in paths if path})


INSTALLED = _installed_places()
THIS_PACKAGE = __name__.partition(".")[0]  # known by its version, wherever it is
_installed = {}


def is_installed(name):
    """Whether a module is Python's, or of an installed package."""
    if not isinstance(name, str):
        return False
    if name not in _installed:
        _installed[name] = _has_installed_file(name)
    return _installed[name]


def is_own_module(value):
    """Whether a value is a module that is not installed."""
    return isinstance(value, types.ModuleType) and not is_installed(value.__name__)


def _has_installed_file(name):
    if name == "__main__" or not name:
        return False
    if name.partition(".")[0] == THIS_PACKAGE or name in sys.builtin_module_names:
        return True
    module = sys.modules.get(name)
    path = getattr(module, "__file__", None)
    if path is None:  # frozen, such as importlib's, or a part of an extension module
        root = name.partition(".")[0]
        return root in sys.stdlib_module_names or (root != name and is_installed(root))
    return os.path.realpath(path).startswith(INSTALLED)


def version_of(name):
    """Return what tells releases of an installed module apart."""
    if not is_installed(name):
        return ""
    root = name.partition(".")[0]
    if root in sys.stdlib_module_names:
        return str(sys.version_info[:2])
    module = sys.modules.get(root)
    version = getattr(module, "__version__", None)
    if isinstance(version, str):
        return version
    path = getattr(sys.modules.get(name), "__file__", None)
    if path is None:
        return ""
    file = os.stat(path)
    return f"{file.st_size} {file.st_mtime_ns}"


def find(module, name):
    """Return what a module has by a dotted name, or None."""
    found = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def replaced_methods(cls):
    """Return (name, function) of methods of an installed class that are not its own."""
    root = cls.__module__.partition(".")[0]
    return [
        (name, value)
        for base in cls.__mro__
        for name, value in vars(base).items()
        if type(value) is types.FunctionType
        and not str(value.__module__).startswith(root)
        and not is_installed(value.__module__)
    ]


def has_own_pickling(cls):
    """Whether code that is not installed says what is pickled."""
    return any(
        any(name in vars(base) for name in PICKLING)
        and not is_installed(base.__module__)
        for base in cls.__mro__
    )


def names_in(code):
    """Return the names that code looks up, inner functions included."""
    names = itertools.chain.from_iterable(one.co_names for one in inner_codes(code))
    return list(dict.fromkeys(names))


def closed_over(function):
    """Return what a function has closed over, by name."""
    cells = {}
    names = function.__code__.co_freevars
    for name, cell in zip(names, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # it is empty
            cells[name] = cell.cell_contents
    return cells


def inner_codes(code):
    """Return code and the code of all functions and classes in it."""
    inner = [part for part in code.co_consts if isinstance(part, types.CodeType)]
    return [code, *itertools.chain.from_iterable(map(inner_codes, inner))]


@functools.lru_cache(1000)
def lookups(code):
    """Return what code looks up, by the name it starts at: attributes of attributes.

    A name that is used as it is, such as an argument of a call, has an empty tuple.
    """
    found = {}
    for part in inner_codes(code):
        steps = list(dis.get_instructions(part))
        for number, step in enumerate(steps):
            if not step.opname.startswith(LOADS):
                continue
            names = step.argval if isinstance(step.argval, tuple) else (step.argval,)
            if step.opname.startswith("STORE"):  # a store and a load in one
                names = names[1:]
            after = itertools.takewhile(
                lambda step: step.opname in OF_ATTRIBUTES, steps[number + 1 :]
            )
            path = tuple(attribute.argval for attribute in after)
            for name in names:
                is_last = name is names[-1]
                found.setdefault(name, {})[path if is_last else ()] = None
    return found


def own_imports(code, names):
    """Return what code imports from modules that are not installed, by its name."""
    package = names.get("__package__") or ""
    found = {}
    for part in inner_codes(code):
        steps = list(dis.get_instructions(part))
        for number, step in enumerate(steps):
            if step.opname == "IMPORT_NAME":
                level, parts = (before.argval for before in steps[number - 2 : number])
                level = level if isinstance(level, int) else 0
                path = "." * level + step.argval
                found |= _bound(steps[number + 1 :], path, parts, package)
    return {name: value for name, value in found.items() if value is not None}


def _bound(steps, path, parts, package):
    """Return what an import binds, by name; `steps` are what follows it."""
    found, attribute = {}, None
    for step in steps:
        if step.opname == "IMPORT_FROM":
            attribute = step.argval
        elif step.opname.startswith("STORE_"):
            names = step.argval
            name = names[0] if isinstance(names, tuple) else names
            if parts:
                found[name] = _import_from(path, attribute, package)
            elif attribute is None:  # `import a.b` binds a
                _import_own(path, package)
                found[name] = _import_own(path.partition(".")[0], package)
            else:  # `import a.b as c`
                found[name] = _import_own(path, package)
            if not parts:
                break
        elif step.opname not in ("SWAP", "POP_TOP"):
            break
    return found


def _import_from(path, name, package):
    """Return what `from path import name` gives, None if it is installed."""
    module = _import_own(path, package)
    if module is None:
        return None
    if not hasattr(module, name):
        separator = "" if path.endswith(".") else "."
        return _import_own(f"{path}{separator}{name}", package)
    return getattr(module, name)


def _import_own(name, package):
    """Return a module that is not installed, as code will import it; else None."""
    try:
        name = importlib.util.resolve_name(name, package)
        root = name.partition(".")[0]
        if root not in sys.modules:
            spec = importlib.util.find_spec(root)
            path = os.path.realpath(getattr(spec, "origin", None) or "")
            if spec is None or path.startswith(INSTALLED):
                return None
        if is_installed(root) or root in sys.stdlib_module_names:
            return None
        return importlib.import_module(name)
    except Exception:  # what cannot be imported; or is no module, but in one
        return None
