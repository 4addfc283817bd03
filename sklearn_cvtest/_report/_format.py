"""Names, numbers and tables as text and HTML, and the words of pictures."""

import os
import platform
import textwrap
from collections import Counter
from html import escape

import numpy as np
import scipy
import sklearn

from .._validation import one_line, printable, words_of
from .._version import __version__
from ._measure import minus

MAX_LISTED = 4  # names in a sentence
WIDTH = 88  # characters of a line
IN_PAIRS = 40  # characters of each of two names in a row of a picture


def shorten(text, length):
    """Return a name on one line, with its middle left out if it is too long."""
    text = one_line(text)
    if len(text) <= length:
        return text
    tail = (length - 1) // 2
    return f"{text[: length - 1 - tail]}…{text[len(text) - tail :]}"


def short_names(names, length):
    """Return names of at most `length` characters, as different as they were.

    Long names lose their middle; where that makes them alike, before it what they all
    begin with, up to a bracket, comma or blank.
    """
    names = [one_line(str(name)) for name in names]
    shown = [shorten(name, length) for name in names]
    if len(set(shown)) == len(set(names)):
        return shown
    long = [name for name in names if len(name) > length]
    begin = os.path.commonprefix(long) if len(long) > 1 else ""  # noqa: RUF071
    cut = 1 + max(begin.rfind(mark) for mark in "([{,;:|/ ")
    shown = [
        shorten("…" + name[cut:] if cut > 1 and len(name) > length else name, length)
        for name in names
    ]
    counts = Counter(shown)
    return [
        f"{shorten(short, length - 4)} #{number}" if counts[short] > 1 else short
        for number, short in enumerate(shown, 1)
    ]


def shown_names(names, length):
    """Return {name: short name}."""
    return dict(zip(names, short_names(names, length), strict=True))


def listed(names):
    """Return names as a list, of many the first ones."""
    comma, last = (", ", " and ")
    if any(comma in name for name in names[: MAX_LISTED + 1]):
        comma, last = ("; ", "; and ")
    if len(names) > MAX_LISTED + 1:
        names = [*names[:MAX_LISTED], f"{len(names) - MAX_LISTED} others"]
    return last.join(filter(None, [comma.join(names[:-1]), *names[-1:]]))


def are(names):
    return "are" if len(names) > 1 else "is"


def html_text(text):
    """Return text for a page, all of it escaped."""
    return escape(one_line(text))


def format_rho_alpha(value):
    """Return the largest ρ at which a test rejects, "none" where it does at none."""
    return "none" if value < 0 else f"{value:.3f}"


def format_pvalue(value, alpha=None):
    """Return a p-value with three digits, small ones as a power of ten.

    One that would be rounded to the level `alpha` gets the digits that show its side.
    """
    if value == 0:
        return "0"
    kind, digits = ("f", 3) if value >= 0.001 else ("e", 1)
    while value != alpha and float(f"{value:.{digits}{kind}}") == alpha:
        digits += 1
    return f"{value:.{digits}{kind}}"


def shown_pvalue(value, alpha, is_bound=False):
    """Return a p-value as a reader wants it: of small ones, that they are small."""
    if value < 0.001 < alpha:
        return "< 0.001"
    return "≤ " * bool(is_bound) + format_pvalue(value, alpha)


def at_most(kind, value, alpha):
    """Return the largest of some p-values with its name, such as "p ≤ 0.01"."""
    return f"{kind} {shown_pvalue(value, alpha, is_bound=True)}"


def equals(kind, value, alpha):
    """Return a p-value with its name, such as "p = 0.01"."""
    text = shown_pvalue(value, alpha)
    return f"{kind} {'' if text[0] == '<' else '= '}{text}"


def p_head(p_adjust):
    """Return what stands above a column of p-values."""
    return f"p ({p_adjust})" if p_adjust else "p"


def percent(share):
    """Return a share as text, such as "95%"."""
    return f"{100 * share:g}%"


def level_text(table):
    """Return the level of the intervals, such as "95%"."""
    return percent(table.test.interval_level(table.alpha))


def wrap(text):
    """Return text in lines of at most `WIDTH` characters."""
    # Not after a hyphen: joined again, "two-" and "sided" would be two words.
    text = printable(text)  # names of many kinds, from files, too
    lines = textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def text_table(headers, rows, align):
    """Return an aligned table; `align` holds "<" or ">" for each column."""
    cells = [[_cell_text(cell) for cell in row] for row in [headers, *rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(headers))]
    lines = [
        "  ".join(
            f"{cell:{side}{width}}"
            for cell, side, width in zip(row, align, widths, strict=True)
        ).rstrip()
        for row in cells
    ]
    rule = "  ".join("-" * width for width in widths)
    return "\n".join([lines[0], rule, *lines[1:]])


def _cell_text(cell):
    """Return a cell on one line; blanks at its end align it with cells with marks."""
    text = str(cell)
    return one_line(text) + " " * (len(text) - len(text.rstrip(" ")))


def html_table(headers, rows, align):
    """Return the table as HTML, every cell escaped."""

    def line(tag, row):
        cells = "".join(
            f'<{tag} style="text-align: {"left" if side == "<" else "right"}">'
            f"{html_text(cell)}</{tag}>"
            for cell, side in zip(row, align, strict=True)
        )
        return f"<tr>{cells}</tr>"

    body = "".join(line("td", row) for row in rows)
    head = line("th", headers)
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


# What the axis, the markers and the dotted lines of a picture mean ------------


def _bounds(test):
    """Return the bounds that a test tests: one if it is about one side."""
    low, high = test.popmean - test.traits.region, test.popmean + test.traits.region
    if test.traits.decides != "equivalence":
        return {low, high}
    return {"two-sided": {low, high}, "greater": {low}, "less": {high}}[
        test.alternative
    ]


def bounds_of(tables):
    """Return the values other than zero that the tests of tables test, sorted."""
    return sorted(set().union(*(_bounds(table.test) for table in tables)) - {0.0})


def bounds_mean(tables, factor=1):
    """Return what these are, None if there are none; numbers are multiplied."""
    parts = []
    for table in tables:
        test = table.test
        values = sorted(factor * v for v in _bounds(test) - {0.0})
        kind = words_of(__package__)["bounds"][test.traits.decides]
        if test.alternative != "two-sided":
            kind = kind.replace("of equivalence", "of non-inferiority")
        if values:
            parts.append(f"{kind} ({minus(', '.join(f'{v:g}' for v in values))})")
    return "; ".join(dict.fromkeys(parts)) or None


def finding_of(test):
    """Return what a small p-value shows, None if it is a difference."""
    if test.traits.decides != "equivalence":
        return None
    return "equivalent" if test.alternative == "two-sided" else "non-inferior"


def factor_of(measure):
    """Return what differences of losses are multiplied by for a reader."""
    return measure.sign * measure.unit_size


def axis_words(measure, level="", pivot=None, pair=("first", "second")):
    """Return what the axis of differences shows, and on which side who is better.

    `pivot` is whom all are compared with; None: the rows are pairs, as is `pair`.
    """
    pair = [shorten(name, IN_PAIRS) for name in pair]
    what = f" from {shorten(pivot, IN_PAIRS)}" if pivot else ", " + " − ".join(pair)
    sides = ["better", "worse"] if pivot else [f"{name} better" for name in pair]
    left, right = sides[:: measure.sign]
    detail = ", ".join(filter(None, ["points" * measure.is_share, level]))
    word = measure.word if "mean" in measure.word else f"mean {measure.word}"
    line = f"difference in {word}{what}{f' ({detail})' * bool(detail)}"
    return f"{line}\n← {left} | {right} →"


def pair_labels(pairs, sign="−"):
    """Return pairs as texts, of names that are short enough for two in a row."""
    pairs = [tuple(map(str, pair)) for pair in pairs]
    names = dict.fromkeys(name for pair in pairs for name in pair)
    short = shown_names(list(names), IN_PAIRS)
    return [f" {sign} ".join(short[name] for name in pair) for pair in pairs]


# The versions of the libraries that computed a result ------------------------


def versions():
    """Return {library: version}."""
    return {
        "sklearn_cvtest": __version__,
        "scikit-learn": sklearn.__version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "Python": platform.python_version(),
    }


def version_sentence(verb="Computed"):
    """Return a sentence of them."""
    listed = ", ".join(f"{name} {version}" for name, version in versions().items())
    return f"{verb} with {listed}."
