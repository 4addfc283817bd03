"""Which code is of an installed package, and what other code refers to.

Installed code is known by its name and version; that of one's own may change under the
same name.
"""

import dis
import importlib
import importlib.util
import os
import site
import sys
import sysconfig
import types

__all__ = [
    "find",
    "has_own_pickling",
    "is_installed",
    "names_in",
    "own_imports",
    "replaced_methods",
    "version_of",
]

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
    """Return the names that code looks up, that of inner functions included."""
    names = dict.fromkeys(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= dict.fromkeys(names_in(constant))
    return list(names)


def own_imports(code, names):
    """Return the modules that code imports when it runs, but installed ones."""
    found = []
    steps = list(dis.get_instructions(code))
    for number, step in enumerate(steps):
        if step.opname != "IMPORT_NAME":
            continue
        level, parts = (before.argval for before in steps[number - 2 : number])
        level = level if isinstance(level, int) else 0
        name = "." * level + step.argval
        package = names.get("__package__") or ""
        inner = [f"{name}.{part}" for part in parts or () if part != "*"]
        found += [_import_own(path, package) for path in (name, *inner)]
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found += own_imports(constant, names)
    return [module for module in found if module is not None]


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
