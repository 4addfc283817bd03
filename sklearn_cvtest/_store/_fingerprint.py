"""Hashes of what decides a result: joblib's, and of the modules of one's own code."""

import os
import site
import sys
import sysconfig
import types

import joblib
from joblib.hashing import NumpyHasher

from .._validation import invalid, is_foreign, read_foreign, shown_foreign


def check_content(name, value, allowed, *content, states=None):
    """Return a hash of content and of the code it reaches, a str.

    An argument is refused if that cannot be known, as of a lambda. `states` keeps what
    is known of modules from one call to the next.
    """
    hasher = _Hasher("sha1")
    try:
        digest = hasher.hash(content)
        modules = _states(hasher.modules, {} if states is None else states)
    except Exception as error:  # pickle's, or that of a class which refuses
        reason = error.args[0] if error.args else type(error).__name__
        hint = f"({reason}) Define its code under a name in a file that is imported."
        raise invalid(name, allowed, value, hint=hint) from None
    return joblib.hash((digest, modules))


class _Hasher(NumpyHasher):
    """Joblib's, the same in all processes; it notes the modules of code that it meets.

    Attributes
    ----------
    modules : set of str
        Names of modules.
    """

    def __init__(self, hash_name):
        super().__init__(hash_name)
        self.modules = set()

    def save(self, value):
        """Hash a value, or a description in its place."""
        if isinstance(value, (type, types.FunctionType)):
            self.modules.add(value.__module__)
        elif isinstance(value, frozenset):
            value = "frozenset", set(value)
        elif isinstance(value, types.CodeType):
            value = value.co_code, value.co_consts, value.co_names, value.co_varnames
        elif is_foreign(value):
            value = type(value).__name__, shown_foreign(value), read_foreign(value)
        super().save(value)


# Modules: installed ones are known by their version, one's own by what they hold -----


def _installed_places():
    """Return the folders of Python's own modules and of installed packages."""
    paths = map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib"))
    paths = [*paths, *site.getsitepackages(), site.getusersitepackages()]
    return tuple({os.path.realpath(path) + os.sep for path in paths if path})


INSTALLED = _installed_places()
THIS_PACKAGE = __name__.partition(".")[0]  # its version is part of each setting


def _states(names, known):
    """Return {name: state} of modules, and of those that one's own modules use."""
    states = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        root = str(name).partition(".")[0]
        if name in states or root == THIS_PACKAGE:
            continue
        if root != "__main__" and _is_installed(name):
            states[root] = getattr(sys.modules.get(root), "__version__", "")
            continue
        if name not in known:
            known[name] = _state(sys.modules[name])
        states[name], used = known[name]
        waiting += used
    return states


def _is_installed(name):
    """Whether a module is Python's, of an installed package, or of no file."""
    path = getattr(sys.modules.get(name), "__file__", None)
    return path is None or os.path.realpath(path).startswith(INSTALLED)


def _state(module):
    """Return the hash of a module of one's own, and the names of modules it uses.

    Its text, and its code and constants as they are loaded: the file may have been
    edited since.
    """
    if getattr(module, "__file__", None) is None:
        raise TypeError("Code of a notebook is in no file.")
    with open(module.__file__, "rb") as file:
        text = file.read()
    used = set()
    for value in vars(module).values():
        is_module = isinstance(value, types.ModuleType)
        used.add(value.__name__ if is_module else getattr(value, "__module__", None))
    loaded = _loaded(module)
    for part in loaded:
        if isinstance(part, types.CodeType):
            used |= _names(part)
    return _Hasher("sha1").hash((text, loaded)), used & set(sys.modules)


def _loaded(module):
    """Return the code of functions and methods of a module, numbers and texts."""
    parts = []
    classes = set()
    waiting = [value for key, value in vars(module).items() if key[:2] != "__"]
    while waiting:
        value = waiting.pop()
        for name in ("fget", "func", "__func__", "__wrapped__"):  # of what wraps it
            value = getattr(value, name, value)
        if isinstance(value, (bool, int, float, str)):
            parts.append(value)
        elif getattr(value, "__module__", None) != module.__name__:
            continue
        elif isinstance(value, types.FunctionType):
            parts.append(value.__code__)
            waiting += value.__defaults__ or ()
            waiting += (value.__kwdefaults__ or {}).values()
            waiting += [cell.cell_contents for cell in value.__closure__ or ()]
        elif isinstance(value, type) and value not in classes:
            classes.add(value)
            waiting += vars(value).values()
    return parts


def _names(code):
    """Return the names that code uses, and code in it: some are those of modules."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names(constant)
    return names
