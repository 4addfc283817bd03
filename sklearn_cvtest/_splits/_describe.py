"""What made the splits, in words that a reader can repeat."""

import inspect
import numbers

from sklearn.model_selection import BaseCrossValidator

__all__ = ["describe_splitter"]

ALWAYS = (
    "n_splits",
    "n_repeats",
    "test_size",
    "shuffle",
    "stratify",
    "random_state",
)
MAX_LENGTH = 300


def describe_splitter(cv, groups=None):
    """Return the call that makes a splitter, None for splits of unknown origin.

    Parameters are those that differ from their defaults, and those that say how many
    splits there are, whether they are stratified and from which seed. `groups` is what
    `split` was given.
    """
    if isinstance(cv, numbers.Integral) and not isinstance(cv, bool):
        text = f"{int(cv)}-fold cross-validation"
    elif isinstance(cv, (list, tuple)):
        text = f"a list of {len(cv)} (train, test)"
    elif hasattr(cv, "split") and not isinstance(cv, (str, bytes)):
        text = _call(cv)
    else:
        return None
    if groups is not None:
        text += ", with groups"
    return " ".join(text.split())[:MAX_LENGTH]


def _call(cv):
    try:
        parameters = inspect.signature(type(cv).__init__).parameters
    except (TypeError, ValueError):
        parameters = {}
    shown = []
    for name, parameter in list(parameters.items())[1:]:
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        value = getattr(cv, name, getattr(cv, "cvargs", {}).get(name, parameter.empty))
        if value is parameter.empty:
            continue
        is_default = type(value) is type(parameter.default) and value is not None
        is_default = is_default and bool(_is_equal(value, parameter.default))
        is_default |= value is None and parameter.default is None
        if name in ALWAYS or not is_default:
            nested = isinstance(value, BaseCrossValidator)
            shown.append(f"{name}={_call(value) if nested else repr(value)}")
    return f"{type(cv).__name__}({', '.join(shown)})"


def _is_equal(value, other):
    try:
        return bool(value == other)
    except (TypeError, ValueError):
        return False
