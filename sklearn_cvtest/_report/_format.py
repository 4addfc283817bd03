"""Names, numbers and tables as text and HTML, and the words of pictures."""

import math
import platform
import re
import textwrap
from html import escape
from itertools import pairwise, zip_longest

import numpy as np
import scipy
import sklearn

from .._validation import one_line, printable
from .._version import __version__
from ._measure import counted, is_ratio, minus
from ._printed_names import cut_names, shorten

MAX_LISTED = 4  # names in a sentence
LARGE = {10**12: "trillion", 10**9: "billion", 10**6: "million"}
WIDTH = 88  # characters of a line
MIN_NAME, MAX_NAME = 18, 40  # characters of a name in a line of a table
# A name is wrapped after a blank or a sign; the mark behind a name stays with it, and a
# dot is no end of a line within a number.
END_OF_PART = re.compile(r"[,;:|/([{]+ ?| (?!†)|(?<=[A-Za-z_])\.(?=[A-Za-z_])")
IN_PAIRS = 40  # characters of each of two names in a row of a picture


def listed(names):
    """Return names as a list, of many the first ones."""
    comma, last = (", ", " and ")
    if any(comma in name for name in names[: MAX_LISTED + 1]):
        comma, last = ("; ", "; and ")
    if len(names) > MAX_LISTED + 1:
        names = [*names[:MAX_LISTED], f"{len(names) - MAX_LISTED} others"]
    return last.join(filter(None, [comma.join(names[:-1]), *names[-1:]]))


def more_are(number, noun):
    """Return what is left out, such as "2 more candidates are"."""
    return f"{counted(number, f'more {noun}')} {'is' if number == 1 else 'are'}"


def about(number):
    """Return an estimated number in words, with two digits, such as "130 million"."""
    n_zeros = max(len(str(int(number))) - 2, 0)
    rounded = round(number / 10**n_zeros) * 10**n_zeros
    for size, word in LARGE.items():
        if rounded >= size:
            return f"{rounded / size:,.3g} {word}"
    return f"{rounded:,}"


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
    notation, digits = ("f", 3) if value >= 0.001 else ("e", 1)
    while value != alpha and float(f"{value:.{digits}{notation}}") == alpha:
        digits += 1
    return f"{value:.{digits}{notation}}"


def shown_pvalue(value, alpha, is_bound=False):
    """Return a p-value as a reader wants it: of small ones, that they are small."""
    if value < 0.001 < alpha:
        return "< 0.001"
    if is_bound:
        step = 0.001 if value >= 0.001 else _second_digit(value)
        return "≤ " + format_pvalue(_round_up(value, step), alpha)
    return format_pvalue(value, alpha)


def at_most(symbol, values, alpha, *, are_bounds=False):
    """Return what holds for all of some p-values, such as "p ≤ 0.012".

    Of several it is the largest, rounded up to two digits, or the level if rounding
    leads there. A single bound is shown in this way, too.
    """
    values = list(values)
    if len(values) == 1 and not are_bounds:
        return equals(symbol, values[0], alpha)
    largest = max(values)
    if largest < 0.001 < alpha:
        return f"{symbol} < 0.001"
    rounded = _round_up(largest, _second_digit(largest))
    if largest < alpha <= rounded:
        return f"{symbol} < {alpha:g}"
    return f"{symbol} ≤ {rounded:.2g}"


def _second_digit(value):
    """Return the size of the second significant digit, such as 0.01 for 0.3."""
    return 10.0 ** (math.floor(math.log10(value)) - 1) if value > 0 else 1.0


def _round_up(value, step):
    """Return the least multiple of a step that is not below a value.

    What is within rounding errors of a multiple is that multiple.
    """
    return math.ceil(value / step * (1 - 1e-12)) * step


def equals(symbol, value, alpha):
    """Return a p-value with its name, such as "p = 0.01"."""
    text = shown_pvalue(value, alpha)
    return f"{symbol} {'' if text[0] == '<' else '= '}{text}"


def p_head(p_adjust):
    """Return what stands above a column of p-values."""
    return f"p ({p_adjust})" if p_adjust else "p"


def statistic_words(symbol, value):
    """Return a statistic with its symbol, such as "t(9) = 2.31"."""
    if np.isnan(value):
        return f"{symbol} is not defined"
    return f"{symbol} = {value:.4g}" if np.isfinite(value) else f"{symbol} is infinite"


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
    """Return an aligned table; `align` holds "<" or ">" for each column.

    Where it is wider than a line, names are wrapped: the cells on the left, and what
    stands above a column. What is still too wide stays so.
    """
    cells = [[_cell_text(cell) for cell in row] for row in [headers, *rows]]
    widths = _column_widths(cells, align)
    texts = [_lines_of_row(row, widths, align) for row in cells]
    rule = "  ".join("-" * width for width in widths)
    head, *body = texts
    return "\n".join([*head, rule, *(line for lines in body for line in lines)])


def _column_widths(cells, align):
    """Return the widths of columns, of which those with names are as wide as fits."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    least = [
        min(width, MIN_NAME if side == "<" else max(map(len, [*body, head[:MIN_NAME]])))
        for width, side, (head, *body) in zip(
            widths, align, zip(*cells, strict=True), strict=True
        )
    ]
    room = WIDTH - 2 * (len(widths) - 1)
    if sum(least) > room:  # it is too wide anyway
        least = [
            min(width, max(low, MAX_NAME))
            for width, low in zip(widths, least, strict=True)
        ]
    while sum(widths) > room and widths != least:
        _, column = max((w, i) for i, w in enumerate(widths) if w > least[i])
        widths[column] -= 1
    return widths


def _lines_of_row(row, widths, align):
    """Return the lines of a row, of which lower cells end with empty lines."""
    cells = [wrapped_name(text, width) for text, width in zip(row, widths, strict=True)]
    return [
        "  ".join(
            f"{cell:{side}{width}}"
            for cell, side, width in zip(line, align, widths, strict=True)
        ).rstrip()
        for line in zip_longest(*cells, fillvalue="")
    ]


def _parts_of_name(text):
    """Return what stands together in a line, of which the text consists."""
    ends = [match.end() for match in END_OF_PART.finditer(text)]
    return [text[start:end] for start, end in pairwise([0, *ends, len(text)])]


def wrapped_name(text, width):
    """Return a name as lines of at most a width, which end after blanks or signs."""
    lines = [""]
    for part in _parts_of_name(text):
        if lines[-1] and len(lines[-1]) + len(part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
        while len(lines[-1].rstrip()) > width:
            lines[-1:] = lines[-1][:width], lines[-1][width:]
    if len(lines) == 1:
        return lines
    return [line.rstrip() for line in lines if line.strip()]


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
    bounds = []
    for table in tables:
        test = table.test
        values = sorted(factor * v for v in _bounds(test) - {0.0})
        if values:
            numbers = ", ".join(f"{value:g}" for value in values)
            bounds.append(f"{_bound_of(test)} ({minus(numbers)})")
    return "; ".join(dict.fromkeys(bounds)) or None


def _bound_of(test):
    """Return what the values other than zero that a test tests are."""
    if test.traits.decides == "difference":
        return "null hypothesis"
    if test.traits.decides == "posterior":
        return "region of practical equivalence"
    if test.alternative == "two-sided":
        return "margin of equivalence"
    return "margin of non-inferiority"


def finding_of(test):
    """Return what a small p-value shows, None if it is a difference."""
    if test.traits.decides != "equivalence":
        return None
    return "equivalent" if test.alternative == "two-sided" else "non-inferior"


def factor_of(measure):
    """Return what differences of losses are multiplied by for a reader."""
    return measure.sign * measure.unit_size


def scale_of(measure):
    """Return how a picture shows differences, or log ratios: a factor, or percent."""
    if is_ratio(measure):
        return {"percent": measure.percent}
    return {"factor": factor_of(measure)}


def mean_header(measure):
    """Return what an axis of means shows."""
    return measure.header if measure.is_root else f"mean {measure.header}"


def axis_words(measure, level="", pivot=None, pair=("first", "second")):
    """Return what the axis of differences shows, and on which side who is better.

    `pivot` is whom all are compared with; None: the rows are pairs, as is `pair`.
    """
    pair = [shorten(name, IN_PAIRS) for name in pair]
    if is_ratio(measure):
        return _ratio_axis_words(measure, level, pivot, pair)
    pair_text = (
        f" from {shorten(pivot, IN_PAIRS)}" if pivot else ", " + " − ".join(pair)
    )
    sides = ["better", "worse"] if pivot else [f"{name} better" for name in pair]
    left_side, right = sides[:: measure.sign]
    details = [level] if level else []
    if measure.is_share:
        details.insert(0, "points")
    word = measure.word if "mean" in measure.word else f"mean {measure.word}"
    line = f"difference in {word}{pair_text}"
    if details:
        line += f" ({', '.join(details)})"
    return f"{line}\n← {left_side} | {right} →"


def _ratio_axis_words(measure, level, pivot, pair):
    """Return what the axis of ratios in percent shows; see :func:`axis_words`."""
    first, other = pair
    left_side, right = f"{first} better", f"{other} better"
    if pivot:
        other, left_side, right = shorten(pivot, IN_PAIRS), "better", "worse"
    elif other == "second":  # of several pairs
        other = "the second"
    detail = f" (%, {level})" if level else " (%)"
    return (
        f"difference in {measure.word} from {other}{detail}\n← {left_side} | {right} →"
    )


def pair_labels(pairs, sign="−"):
    """Return pairs as texts, of names that are short enough for two in a row."""
    pairs = [tuple(map(str, pair)) for pair in pairs]
    names = dict.fromkeys(name for pair in pairs for name in pair)
    short = dict(zip(names, cut_names(list(names), IN_PAIRS), strict=True))
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
