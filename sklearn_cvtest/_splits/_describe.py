"""What made the splits, in words that a reader can repeat."""

import inspect
import numbers

from sklearn.model_selection import BaseCrossValidator

__all__ = ["describe_splitter"]

# Said by the design, or in words of their own.
SAID = ("n_splits", "n_repeats", "test_size", "shuffle", "stratify", "random_state")
MAX_LENGTH = 300


def describe_splitter(cv, groups=None):
    """Return words such as "stratified, seed 0 (BlockKFold)", beside the design.

    None for a number of folds, and for splits of unknown origin. `groups` is what
    `split` was given.
    """
    if isinstance(cv, (list, tuple)):
        text = f"given as a list of {len(cv)} (train, test)"
    elif hasattr(cv, "split") and not isinstance(cv, (str, bytes)):
        text = _words(cv)
    else:
        return None
    if groups is not None:
        text = f"by groups, {text}"
    return " ".join(text.split())[:MAX_LENGTH]


def _words(cv):
    """Return whether it stratifies and shuffles, its seed, and what it is."""
    name = type(cv).__name__
    is_shuffled = getattr(cv, "shuffle", True) is not False
    words = []
    if getattr(cv, "stratify", False) is True or "Stratified" in name:
        words.append("stratified")
    if not is_shuffled:
        words.append("not shuffled")
    elif hasattr(cv, "random_state"):
        words.append(_seed(cv.random_state))
    return f"{', '.join(words)} ({', '.join([name, *_others(cv)])})".strip()


def _seed(random_state):
    if isinstance(random_state, numbers.Integral):
        return f"seed {int(random_state)}"
    return "no fixed seed"


def _others(cv):
    """Return what else is not as by default."""
    try:
        parameters = inspect.signature(type(cv).__init__).parameters
    except (TypeError, ValueError):
        parameters = {}
    shown = []
    for name, parameter in list(parameters.items())[1:]:
        value = getattr(cv, name, parameter.default)
        if name in SAID or _is_default(value, parameter):
            continue
        nested = isinstance(value, BaseCrossValidator)
        shown.append(f"{name}={_words(value) if nested else repr(value)}")
    return shown


def _is_default(value, parameter):
    if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
        return True
    if value is parameter.default:
        return True
    try:
        return type(value) is type(parameter.default) and bool(
            value == parameter.default
        )
    except (TypeError, ValueError):
        return False
