"""Parameter checks with one error grammar, and warnings at the caller's line.

Every message reads "`name` must be <what is allowed>; got <value>.": TypeError
for a wrong type, ValueError for a wrong value.
"""

import contextlib
import difflib
import functools
import json
import math
import numbers
import os
import reprlib
import sys
import unicodedata
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from importlib.resources import files
from typing import ParamSpec, TypeVar

import numpy as np
from sklearn import get_config
from sklearn.utils import check_random_state

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 80


def invalid(name, allowed, value, error=ValueError, hint=""):
    """Return the exception for a bad parameter, in the one grammar."""
    return invalid_words(name, allowed, _short.repr(value), error, hint)


def invalid_words(name, allowed, value_text, error=ValueError, hint=""):
    """Return the same for a value described in words."""
    hint = f" {hint}" if hint else ""
    return error(printable(f"`{name}` must be {allowed}; got {value_text}.{hint}"))


@functools.cache
def packaged(package, name):
    """Return the text of a file of a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


@functools.cache
def packaged_data(package, name):
    """Return what a JSON file of a package holds."""
    return json.loads(packaged(package, name))


# What is said where two models are asked for.
ONE_MODEL = "For one model, use cross_val_interval."

# What options are called elsewhere, where letters alone do not tell: {words: options}.
ALIASES = {
    "acc": "accuracy zero_one",
    "accuracy error": "zero_one",
    "auc auroc": "roc_auc",
    "benjamini benjamini_hochberg bh fdr": "fdr_bh",
    "cross_entropy": "log_loss neg_log_loss",
    "mae": "absolute_error neg_mean_absolute_error",
    "mape": "absolute_percentage_error neg_mean_absolute_percentage_error",
    "mcc": "matthews_corrcoef",
    "mse": "squared_error neg_mean_squared_error",
    "quantile quantile_loss mean_pinball_loss neg_mean_pinball_loss": "pinball",
    "rmse": "neg_root_mean_squared_error squared_error",
}


Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")
# Options of splitters, which belong into `cv`.
SPLITTERS = {
    "n_splits": "BlockKFold",
    "n_repeats": "BlockKFold",
    "shuffle": "BlockKFold",
    "stratify": "BlockKFold",
    "random_state": "BlockKFold",
    "test_size": "RepeatedSubsample",
    "train_size": "RepeatedSubsample",
}


def refuse_splitter_options(
    function: Callable[Parameters, Returned],
) -> Callable[Parameters, Returned]:
    """Decorate a function with `cv`: options of splitters are refused with a hint."""

    @functools.wraps(function)
    def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Returned:
        for name, value in kwargs.items():
            if name in SPLITTERS:
                raise TypeError(
                    f"{function.__name__}() got an unexpected keyword argument "
                    f"{name!r}. It is an option of the splitter: pass "
                    f"cv={SPLITTERS[name]}({name}={reprlib.repr(value)})."
                )
        return function(*args, **kwargs)

    return call


def nearest(value, options):
    """Return the question whether another option was meant, "" if none is near."""
    if not isinstance(value, str):
        return ""
    word = value.strip().lower().replace("-", "_").replace(" ", "_")
    texts = {str(option).lower(): option for option in options}
    matches = []
    for words, names in ALIASES.items():
        if word in words.split():
            matches += [name for name in names.split() if name in texts]
    if not matches:
        matches = difflib.get_close_matches(word, texts, 1)
    return f"Did you mean {texts[matches[0]]!r}?" if matches else ""


def printable(text):
    """Return text with what would not be seen, or do harm, as an escape."""
    if text.isprintable():
        return text
    return "".join(map(_printable_character, text))


def _printable_character(character):
    """Return a character, or its escape.

    One that a terminal obeys or hides, that turns the text after it round, or that
    cannot be encoded; not the joiners, which some scripts need.
    """
    number = ord(character)
    is_hidden = unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    is_none = number & 0xFFFE == 0xFFFE  # no character, ever
    is_needed = character in "\n\t\u200c\u200d"
    if is_needed or not (is_hidden or is_none):
        return character
    if number < 2**16:
        return f"\\u{number:04x}"
    return f"\\U{number:08x}"


def one_line(text):
    """Return text on one line, with what cannot be shown as an escape."""
    return printable(" ".join(str(text).split()))


def first_few(texts, n_shown, separator=", "):
    """Return the first of some texts in a row, with "..." if there are more."""
    row = separator.join(texts[:n_shown])
    return f"{row}{separator}..." if len(texts) > n_shown else row


# The warnings that this thread keeps for now, a list; None: they are given at once.
_kept_warnings = ContextVar("kept_warnings", default=None)


def warn(message, category):
    """Warn at the first line outside this package, or keep the warning for later."""
    kept = _kept_warnings.get()
    if kept is not None:
        kept.append((printable(message), category))
        return
    # the contexts of this package are left through contextlib
    not_of_users = (os.path.dirname(__file__) + os.sep, contextlib.__file__)
    frame = sys._getframe(1)
    level = 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(
        not_of_users
    ):
        frame = frame.f_back
        level = level + 1
    warnings.warn(printable(message), category, stacklevel=level)


@contextlib.contextmanager
def keep_warnings():
    """Context in which this package gives no warnings; returns a list of them.

    Each is a pair (message, category). Only code of the same thread is concerned:
    `warnings.catch_warnings` changes the filters of the whole process, and threads
    that leave it in another order than they entered it leave wrong ones behind.
    """
    kept = []
    token = _kept_warnings.set(kept)
    try:
        yield kept
    finally:
        _kept_warnings.reset(token)


@contextlib.contextmanager
def one_warning_of_a_kind():
    """Context that gives the first warning of each kind, and how many others came."""
    kept = []
    try:
        with keep_warnings() as kept:
            yield
    finally:
        first = {}
        n_others = Counter()
        for message, category in kept:
            if category in first:
                n_others[category] += 1
            else:
                first[category] = message
        for category, message in first.items():
            if n_others[category] == 1:
                message += " (The same holds for 1 other pair.)"
            elif n_others[category] > 1:
                n_pairs = n_others[category]
                message += f" (The same holds for {n_pairs} other pairs.)"
            warn(message, category)


@contextlib.contextmanager
def warnings_about(subject, earlier):
    """Context whose warnings begin with their subject.

    None is given that is in the set `earlier`, to which the others are added.
    """
    kept = []
    try:
        with keep_warnings() as kept:
            yield
    finally:
        for message, category in kept:
            message = f"{subject}: {message}"
            if message not in earlier:
                earlier.add(message)
                warn(message, category)


def check_integer(name, value, minimum, maximum=math.inf):
    """Return `value` as an int from `minimum` to `maximum`."""
    allowed = f"an integer >= {minimum}" if minimum > -math.inf else "an integer"
    if maximum < math.inf:
        allowed = f"an integer from {minimum} to {maximum}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral):
        raise invalid(name, allowed, value, TypeError)
    if not minimum <= value <= maximum:
        raise invalid(name, allowed, value)
    return int(value)


def check_real(name, value, *, above=-math.inf, below=math.inf, closed=""):
    """Return `value` as a float in the interval from `above` to `below`.

    `closed` holds "low" and/or "high" where an end belongs to the interval.
    """
    allowed = "a finite real number"
    if math.isfinite(above) or math.isfinite(below):
        opening = "[" if "low" in closed else "("
        closing = "]" if "high" in closed else ")"
        allowed = f"a real number in {opening}{above:g}, {below:g}{closing}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise invalid(name, allowed, value, TypeError)
    try:
        number = float(value)
    except OverflowError:
        raise invalid(name, allowed, value) from None
    is_inside = above < number < below
    is_at_low_end = "low" in closed and number == above
    is_at_high_end = "high" in closed and number == below
    if not math.isfinite(number) or not (is_inside or is_at_low_end or is_at_high_end):
        raise invalid(name, allowed, number)
    return number


def check_level(name, value, below=1):
    """Return a level `value` in (0, `below`), and 1 less which is a level, too."""
    level = check_real(name, value, above=0, below=below)
    if 1 - level == 1:
        raise invalid(name, "large enough to tell from 0", value)
    return level


def check_option(name, value, options):
    """Return `value` if it is one of the strings (or None) in `options`."""
    allowed = "one of " + ", ".join(map(repr, options))
    if not isinstance(value, str) and not (value is None and None in options):
        raise invalid(name, allowed, value, TypeError)
    if value not in options:
        raise invalid(name, allowed, value, hint=nearest(value, options))
    return value


def check_flag(name, value):
    """Return `value` as a bool."""
    if not isinstance(value, (bool, np.bool_)):
        raise invalid(name, "True or False", value, TypeError)
    return bool(value)


def check_named(name, values, allowed, hint=ONE_MODEL, least=2):
    """Raise unless values are a dict of at least so many, named by strings."""
    if not isinstance(values, Mapping):
        raise invalid(name, allowed, values, TypeError)
    if any(not isinstance(key, str) for key in values):
        raise invalid(name, "named by strings", list(values), TypeError)
    if len(values) < least:
        raise invalid(name, allowed, list(values), hint=hint if least > 1 else "")


def check_path(name, value, allowed=None):
    """Return a path as a str; `allowed` is what else may be given."""
    try:
        path = os.fsdecode(value)
        is_path = b"\0" not in os.fsencode(path)
    except TypeError:
        allowed = allowed or "a str or an os.PathLike"
        raise invalid(name, allowed, value, TypeError) from None
    except UnicodeEncodeError:
        is_path = False
    if not is_path or (allowed and not path):
        raise invalid(name, allowed or "the path of a file", value)
    return path


def check_regular(name, path):
    """Refuse a path that can be read for ever, or only once: a FIFO or a device."""
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        raise invalid(name, "the path of a regular file", path)


def check_seed(name, value):
    """Return the numpy RandomState that a seed stands for."""
    allowed = "None, an integer from 0 to 2**32 - 1 or a numpy RandomState"
    if isinstance(value, (bool, np.bool_)):
        raise invalid(name, allowed, value)
    try:
        return check_random_state(value)
    except ValueError:
        raise invalid(name, allowed, value) from None


def is_foreign(values):
    """Whether values are an array of another library than numpy: torch, JAX, ..."""
    if isinstance(values, (np.ndarray, np.generic)):
        return False
    return _is_tensor(values) or hasattr(type(values), "__array_namespace__")


def _is_tensor(values):
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(values, torch.Tensor)


def read_foreign(values):
    """Return a foreign array as one of numpy, a TypeError if that cannot be."""
    first = _read_tensor if _is_tensor(values) else np.asarray
    for read in (first, functools.partial(np.from_dlpack, device="cpu")):
        try:
            array = read(values)
        except Exception:  # each library refuses in its own way
            continue
        if array.dtype != object:
            return array
    raise TypeError(f"{shown_foreign(values)} cannot be read")


def _read_tensor(tensor):
    tensor = tensor.detach().cpu().resolve_conj().resolve_neg()
    # numpy has no such floats; all of them are also of 32 bits
    return np.asarray(tensor.float() if "bfloat16" in str(tensor.dtype) else tensor)


def shown_foreign(array):
    """Return what errors call a foreign array, by its library, dtype and device."""
    library = type(array).__module__.partition(".")[0]
    device = getattr(array, "device", "an unknown device")
    return f"an array of {library} ({array.dtype} on {device})"


def as_numpy(name, values):
    """Return an array of another library, or a list of such, as numpy's.

    What is none is returned as it is. This is where arrays of torch, JAX, CuPy and
    whatever else has an array API come in, moved from their devices.
    """
    if isinstance(values, (list, tuple)) and values and is_foreign(values[0]):
        return [as_numpy(f"{name}[{i}]", value) for i, value in enumerate(values)]
    if not is_foreign(values):
        return values
    try:
        return read_foreign(values)
    except TypeError:
        allowed = "an array that numpy can read"
        raise invalid_words(name, allowed, shown_foreign(values), TypeError) from None


def refuse_masked(name, values):
    """Raise if some of the values are masked."""
    if np.ma.is_masked(values):
        raise invalid_words(name, "without masked values", "a masked array")


def as_array(name, values, allowed):
    """Return values as an array of numpy; masks, and ragged lists, are errors."""
    refuse_masked(name, values)
    try:
        return np.asarray(as_numpy(name, values))
    except ValueError:  # lists of different lengths
        raise invalid(name, allowed, values, TypeError) from None


def as_data(name, values):
    """Return what estimators get: another library's array only if scikit-learn lets it.

    That is under `config_context(array_api_dispatch=True)`.
    """
    if is_foreign(values) and get_config().get("array_api_dispatch", False):
        return values.detach() if _is_tensor(values) else values
    return as_numpy(name, values)


def check_real_array(name, values, ndims=None):
    """Return `values` as a non-empty float array.

    `ndims` are the numbers of dimensions allowed; None allows any.
    """
    allowed = "a non-empty array of real numbers"
    if ndims is not None:
        allowed += f" with {' or '.join(map(str, ndims))} dimension"
        allowed += "" if tuple(ndims) == (1,) else "s"
    values = as_numpy(name, values)
    try:
        if np.ma.is_masked(values):
            raise TypeError
        array = np.asarray(values)
        if array.dtype.kind not in "biufO":
            raise TypeError
        if array.dtype.kind == "O":
            for value in array.flat:  # numpy would convert text and None
                if isinstance(value, str) or value is None:
                    raise TypeError
        array = array.astype(np.float64)  # of objects that are numbers, too
    except (OverflowError, TypeError, ValueError):
        raise invalid(name, allowed, values, TypeError) from None
    if (ndims is not None and array.ndim not in ndims) or array.size == 0:
        raise invalid_words(name, allowed, f"an array of shape {array.shape}")
    return array


def find_missing(values):
    """Return where labels are nan, NaT, None or the like."""
    if values.dtype.kind == "O":
        missing = [is_missing(value) for value in values.flat]
        return np.reshape(np.array(missing, dtype=bool), values.shape)
    if values.dtype.kind in "fcmM":
        return values != values
    return np.zeros(values.shape, dtype=bool)


def is_missing(value):
    """Whether a label is None, or nan or pandas.NA: it does not equal itself."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):  # pandas.NA is not comparable
        return True
