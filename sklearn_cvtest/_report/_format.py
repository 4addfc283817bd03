"""Tables and numbers as text and HTML."""

from html import escape

import numpy as np

from .._validation import one_line

__all__ = [
    "format_number",
    "format_pvalue",
    "html_table",
    "html_text",
    "one_line",
    "shorten",
    "text_table",
]


def shorten(text, length):
    """Return a name on one line, with its middle left out if it is too long."""
    text = one_line(text)
    if len(text) <= length:
        return text
    tail = (length - 1) // 2
    return f"{text[: length - 1 - tail]}…{text[len(text) - tail :]}"


def html_text(text):
    """Return text for a page, all of it escaped."""
    return escape(one_line(text))


def format_number(value, digits=4):
    """Return a number with `digits` significant digits."""
    if isinstance(value, str):
        return value
    if not np.isfinite(value):
        return f"{value:g}"
    magnitude = abs(value)
    if magnitude and not 1e-4 <= magnitude < 1e6:
        return f"{value:.{digits - 1}e}"
    decimals = digits - 1 - (int(np.floor(np.log10(magnitude))) if magnitude else 0)
    most = digits if magnitude >= 0.01 else digits + 2
    return f"{value + 0.0:.{max(min(decimals, most), 0)}f}"


def format_pvalue(value):
    """Return a p-value with three digits, small ones as a power of ten."""
    if value == 0 or value >= 0.001:
        return f"{value:.3f}"
    return f"{value:.1e}"


def text_table(headers, rows, align):
    """Return an aligned table; `align` holds "<" or ">" for each column."""
    cells = [[one_line(cell) for cell in row] for row in [headers, *rows]]
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
    return f"<table><thead>{line('th', headers)}</thead><tbody>{body}</tbody></table>"
