"""Which code is of an installed package, and which is one's own.

Installed code is known by its name and version; a user's own may change under the same
name.
"""

import contextlib
import dis
import importlib
import importlib.util
import itertools
import os
import site
import sys
import sysconfig
import types

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


def imports(code):
    """Whether code, or a function in it, imports something."""
    number = dis.opmap["IMPORT_NAME"]
    return any(number in one.co_code[::2] for one in inner_codes(code))


def imported_module(name, package):
    """Return a module of one's own that code may import by a name, else None."""
    for full in (name, f"{package}.{name}"):
        root = full.partition(".")[0]
        try:
            spec = sys.modules.get(root) or importlib.util.find_spec(root)
            origin = getattr(spec, "__file__", None) or getattr(spec, "origin", None)
            if origin and not os.path.realpath(origin).startswith(INSTALLED):
                return importlib.import_module(full)
        except Exception:  # what cannot be imported; or is no module, but in one
            continue
    return None


def text_of(module):
    """Return the content of the file of a module, b"" if there is none."""
    source = getattr(module, "__file__", None)
    if not source or not os.path.isfile(source):
        return b""
    with open(source, "rb") as file:
        return file.read()
