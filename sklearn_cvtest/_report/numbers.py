"""Numbers, p-values and lists of names as the texts that are printed."""

import math
import re

import numpy as np

from .._validation import one_line

NOTHING = "–"  # what is not known, in a table


def join_names(names):
    """Return names as a list, of many the first four."""
    names = list(names)
    if len(names) > 5:
        names = [*names[:4], f"{len(names) - 4} others"]
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


# Names that would be read as a word of the sentence
WORDS = set(
    [
        "all",
        "an",
        "and",
        "another",
        "best",
        "mean",
        "median",
        "none",
        "no",
        "other",
        "others",
        "the",
    ]
)


def quoted(name):
    """Return a name for a sentence, in quotes if it has a blank or is a word."""
    name = one_line(name)
    has_blank = " " in name and "=" not in name
    is_word = name.lower() in WORDS or re.fullmatch(r"[-+.\d]+(e[-+]?\d+)?", name)
    return f"'{name}'" if has_blank or is_word else name


def whose(name, word):
    """Return a metric with its model, such as "tree's RMSE"."""
    name = quoted(name)
    return f"the {word} of {name}" if name.endswith(("'", "s")) else f"{name}'s {word}"


def about_of(probability):
    """Return the nearest simple fraction, such as "3 of 4"."""
    fractions = [
        (9, 10),
        (4, 5),
        (3, 4),
        (2, 3),
        (1, 2),
        (1, 3),
        (1, 4),
        (1, 5),
        (1, 10),
    ]
    n, total = min(fractions, key=lambda pair: abs(pair[0] / pair[1] - probability))
    return f"{n} of {total}"


def counted(number, noun):
    """Return a number with its noun, such as "1 example"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def sizes_text(sizes):
    """Return numbers of examples with their noun, such as "455 or 456 examples"."""
    low, high = sizes.min(), sizes.max()
    if high < 1:  # shares of a sample of unknown size
        return f"{percent(low)} of the examples"
    text = f"{low} to {high}"
    if low == high:
        text = f"{low}"
    elif low + 1 == high:
        text = f"{low} or {high}"
    return f"{text} examples"


def percent(share):
    """Return a share as text, such as "95%"."""
    return f"{100 * share:g}%"


def capitalised(text):
    """Return a text that begins with a capital letter."""
    return text[0].upper() + text[1:]


def minus(text):
    """Return a number with a minus for its hyphen, none before a zero."""
    if text.startswith("-") and not text.strip("-0."):
        return text[1:]
    return text.replace("-", "−")


def magnitude(text):
    """Return a number as text without its sign."""
    number = text.lstrip("<>−")
    return f"less than {number}" if text[:1] in ("<", ">") else number


def significant_digits(value, digits):
    """Return a number with so many significant digits."""
    value = float(f"{value:.12g}")  # half-way is so in any order of a sum
    if not np.isfinite(value):
        return f"{value:g}"
    size = abs(value)
    if size and not 1e-4 <= size < 1e6:
        return f"{value:.{digits - 1}e}"
    decimals = digits - 1
    if size:
        decimals -= math.floor(math.log10(size))
    most = digits if size >= 0.01 else digits + 2
    decimals = max(min(decimals, most), 0)
    return f"{value + 0.0:.{decimals}f}"


def common_decimals(values, least=0, half_width=None, negligible=0.0):
    """Return numbers as texts with the same decimals, as the widest needs them.

    Parameters
    ----------
    least : int
        Decimals at least.
    half_width : float or None
        Half the width of the narrowest interval, which gets two digits.
    negligible : float
        What may be shown as 0.
    """
    values = [float(f"{value:.12g}") for value in values]
    finite = np.array([value for value in values if np.isfinite(value)])
    spread = np.ptp(finite) / 2 if len(finite) > 1 else 0.0
    size = spread or np.abs(finite).max(initial=0.0)
    if size and not 1e-5 <= size < 1e6:
        return [minus(f"{value:.2e}") for value in values]
    decimals = 1 - math.floor(math.log10(size)) if size else 0
    if half_width:
        wanted = 1 - math.floor(math.log10(half_width))
        decimals = min(max(decimals, wanted), decimals + 2)
    if spread == 0:
        decimals += 1
    decimals = max(decimals, least)
    visible = finite[np.abs(finite) > max(1e-9 * size, negligible)]
    for _ in range(2):
        if not any(_is_hidden(value, decimals) for value in visible):
            break
        decimals += 1
    return [_with_decimals(value, decimals, 1e-9 * size) for value in values]


def _is_hidden(value, decimals):
    return bool(value) and not float(f"{value:.{decimals}f}")


def _with_decimals(value, decimals, noise):
    if abs(value) > noise and _is_hidden(value, decimals):
        last = f"{10.0**-decimals:.{decimals}f}"
        return f"<{last}" if value > 0 else f">−{last}"
    return minus(f"{value + 0.0:.{decimals}f}")


def narrowest(lows, highs):
    """Return the width of the narrowest interval that has one, or None."""
    with np.errstate(invalid="ignore"):
        widths = np.atleast_1d(np.subtract(highs, lows))
    widths = widths[np.isfinite(widths) & (widths > 0)]
    return float(widths.min()) if widths.size else None


def interval_text(low, high, at_most="at most ", at_least="at least "):
    """Return an interval or a bound, of ends as texts; "" if nothing is known."""
    has_low = not low.endswith(("inf", "nan"))
    has_high = not high.endswith(("inf", "nan"))
    if has_low and has_high:
        return f"{low} to {high}"
    if has_high:
        return f"{at_most}{high}"
    return f"{at_least}{low}" if has_low else ""


def interval_cell(low, high):
    """Return an interval or a bound for a table."""
    return interval_text(low, high, "≤ ", "≥ ") or NOTHING


def lower_or_higher(text):
    """Return a percentage with its direction, such as "12.0% lower"."""
    if text.startswith(">−"):
        return f"less than {text[2:]} lower"
    if text.startswith("<"):
        return f"less than {text[1:]} higher"
    if text.startswith("−"):
        return f"{text[1:]} lower"
    if not text.strip("0.%"):
        return ""
    return f"{text} higher"


def ratio_interval_text(low, high):
    """Return an interval of percentages in words."""
    low = low if low.endswith("inf") else lower_or_higher(low) or "equal"
    high = high if high.endswith("inf") else lower_or_higher(high) or "equal"
    if low.endswith("inf"):
        return f"at least {high}" if high.endswith(" lower") else f"at most {high}"
    if high.endswith("inf"):
        return f"at most {low}" if low.endswith(" lower") else f"at least {low}"
    if low.endswith(" lower") and high.endswith(" lower"):
        return f"{high.removesuffix(' lower')} to {low}"  # the smaller number first
    if low.endswith(" higher") and high.endswith(" higher"):
        return f"{low.removesuffix(' higher')} to {high}"
    return f"{low} to {high}"


def pvalue_text(value, alpha=0.05):
    """Return a p-value as a reader wants it: of small ones, that they are small."""
    if value < 0.001 < alpha:
        return "< 0.001"
    digits = 3
    text = f"{value:.{digits}f}"
    while value != alpha and float(text) == alpha:  # on which side it is
        digits += 1
        text = f"{value:.{digits}f}"
    return text


def equals(symbol, value, alpha=0.05):
    """Return a p-value with its name, such as "p = 0.010"."""
    text = pvalue_text(value, alpha)
    return f"{symbol} {text}" if text.startswith("<") else f"{symbol} = {text}"


def at_most(symbol, values, alpha=0.05):
    """Return what holds for all of some p-values, such as "p ≤ 0.012"."""
    if len(values) == 1:
        return equals(symbol, values[0], alpha)
    largest = max(values)
    if largest < 0.001 < alpha:
        return f"{symbol} < 0.001"
    step = 10.0 ** (math.floor(math.log10(largest)) - 1)
    rounded = math.ceil(largest / step * (1 - 1e-12)) * step
    if largest < alpha <= rounded:
        return f"{symbol} < {alpha:g}"
    return f"{symbol} ≤ {rounded:.2g}"
