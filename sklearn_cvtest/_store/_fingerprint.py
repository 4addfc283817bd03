"""Hashes of what determines a stored fit: joblib's, and the source of one's own code."""

import functools
import inspect
import marshal
import os
import site
import sys
import sysconfig
import types

from joblib.hashing import NumpyHasher

from .._validation import invalid, is_foreign, read_foreign, shown_foreign


class UnknownContentError(TypeError):
    """A value whose content cannot be known, such as a lock or an open file."""


def fingerprint(*values, digests=None):
    """Return a hash, a str, of values."""
    try:
        return _Hasher("sha1").hash(values)
    except RecursionError:
        raise
    except Exception as error:
        raise UnknownContentError(f"{error}") from None


def check_content(name, value, allowed, *content, **options):
    """Return the fingerprint of content; refuse an argument if it cannot be known."""
    try:
        return fingerprint(*content, **options)
    except UnknownContentError as error:
        raise invalid(name, allowed, value, hint=f"({error})") from None


class _Hasher(NumpyHasher):
    """Joblib's, which also knows functions and classes of one's own by their code."""

    def __init__(self, hash_name):
        super().__init__(hash_name)
        self.read_code = {}  # functions and classes, which may refer to themselves

    def save(self, value):
        """Hash a value, or a description in its place."""
        is_code = isinstance(value, (types.FunctionType, type))
        if is_code and not is_installed(value.__module__):
            value = self._code(value)
        elif isinstance(value, types.ModuleType):
            value = "module", value.__name__, version_of(value.__name__)
        elif is_foreign(value):
            value = type(value).__name__, shown_foreign(value), read_foreign(value)
        super().save(value)

    def _code(self, value):
        """Describe a function or class: its source, and what it refers to."""
        name = "code", value.__module__, value.__qualname__
        if id(value) in self.read_code:
            return name
        self.read_code[id(value)] = value
        if isinstance(value, type):
            members = {k: v for k, v in vars(value).items() if callable(v)}
            return name, _source(value), value.__bases__, members
        refers = inspect.getclosurevars(value)
        defaults = value.__defaults__, value.__kwdefaults__, vars(value)
        return (
            name,
            _source(value),
            dict(refers.nonlocals),
            dict(refers.globals),
            defaults,
        )


def _source(value):
    """Return the source of a function or class, or its code where there is no text."""
    try:
        return inspect.getsource(value)
    except (OSError, TypeError):
        return marshal.dumps(value.__code__) if hasattr(value, "__code__") else ""


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
    if root == THIS_PACKAGE or root in sys.stdlib_module_names:
        return True
    path = getattr(sys.modules.get(name), "__file__", None)
    return path is None or os.path.realpath(path).startswith(INSTALLED)


def version_of(name):
    """Return what tells releases of an installed module apart."""
    root = name.partition(".")[0]
    if root in sys.stdlib_module_names:
        return str(sys.version_info[:2])
    return str(getattr(sys.modules.get(root), "__version__", ""))


def states_of_own_modules():
    """Return {name: hash} of all modules of one's own that are loaded, by content."""
    states = {}
    for name, module in sorted(sys.modules.items()):
        is_file = isinstance(getattr(module, "__file__", None), str)
        if (
            is_file
            and name not in ("__main__", "__mp_main__")
            and not is_installed(name)
        ):
            states[name] = state_of_module(module)
    return states


def state_of_module(module):
    """Return a hash of a module: of its text, and of its values."""
    text = b""
    if os.path.isfile(module.__file__):
        with open(module.__file__, "rb") as file:
            text = file.read()
    values = []
    for name, value in sorted(vars(module).items()):
        if name[:2] == "__" or callable(value) or isinstance(value, types.ModuleType):
            continue
        try:
            values.append((name, fingerprint(value)))
        except UnknownContentError:
            continue
    return fingerprint(text, values)
