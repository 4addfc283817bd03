"""A document as text: for a terminal, a paper (paragraph, LaTeX, Markdown), as JSON."""

import json
import math
import re
import textwrap
from itertools import pairwise, zip_longest

import numpy as np

from .._validation import one_line, printable
from ._document import Bold, Code, Section, Sentence, Table, versions

WIDTH = 88  # characters of a line
MIN_NAME, MAX_NAME = 18, 40  # characters of a name in a line of a table


def printed_blocks(document):
    """Return the blocks that are printed, and as many notes as there are lines for.

    Lines that long names take are not counted.
    """
    *blocks, last = document.summary()
    notes = tuple(document.notes())
    if not notes:
        return (*blocks, last)
    most = document.n_lines
    if most is not None:
        most += sum(_lines_of_names(block) for block in blocks)

    def has_room(sentences):
        paragraph = Sentence(" ".join(sentences))
        if most is None:
            return True
        return len(text_of([*blocks, paragraph]).splitlines()) <= most

    marker = "More: report()."
    sentences = [last.text]
    for number, note in enumerate(notes, 1):
        longer = [*sentences, note]
        if number < len(notes):
            longer.append(marker)
        if has_room(longer):
            sentences.append(note)
    is_whole = len(sentences) > len(notes)
    if not is_whole and has_room([*sentences, marker]):
        sentences.append(marker)
    return (*blocks, Sentence(" ".join(sentences)))


def _lines_of_names(block):
    """Return how many lines a block has more than with short names."""
    n_lines = len(_block_text(block).splitlines())
    if isinstance(block, Table):
        return n_lines - len(block.rows) - 2 - bool(block.title)
    return max(n_lines - 4, 0)  # four lines of a sentence are counted


def text_of(blocks):
    """Return blocks as text, a blank line between them but before a legend."""
    text = ""
    for block in blocks:
        block_text = _block_text(block)
        is_legend = isinstance(block, Sentence) and block.kind == "legend"
        if text and block_text:
            text += "\n" if is_legend else "\n\n"
        text += block_text
    return text


def _block_text(block):
    if isinstance(block, Sentence):
        return wrap(block.text)
    if isinstance(block, Table):
        table = text_table(block.headers, block.rows, block.align)
        if not block.title:
            return table
        return f"{wrap(block.title)}\n{table}"
    if isinstance(block, Section):
        heading = one_line(block.title)
        texts = [f"{heading}\n{'=' * len(heading)}"]
        for part in block.blocks:
            texts.append(_block_text(part))
        return "\n\n".join(filter(None, texts))
    return block.text if isinstance(block, Code) else ""  # pictures


def wrap(text):
    """Return text in lines of at most `WIDTH` characters."""
    # Not after a hyphen: joined again, "two-" and "sided" would be two words.
    text = printable(text)  # names of many kinds, from files, too
    lines = textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


# A table as text ------------------------------------------------------------------


def text_table(headers, rows, align):
    """Return an aligned table; `align` holds "<" or ">" for each column.

    Where it is wider than a line, names are wrapped: the cells on the left, and what
    stands above a column. What is still too wide stays so.
    """
    cells = []
    for row in [headers, *rows]:
        cells.append([_cell_text(cell) for cell in row])
    widths = _column_widths(cells, align)
    head, *body = cells
    lines = _lines_of_row(head, widths, align)
    lines.append("  ".join("-" * width for width in widths))
    for row in body:
        lines += _lines_of_row(row, widths, align)
    return "\n".join(lines)


def _cell_text(cell):
    """Return a cell on one line; blanks at its end align it with cells with marks."""
    text = str(cell)
    n_blanks = len(text) - len(text.rstrip(" "))
    return one_line(text) + " " * n_blanks


def _column_widths(cells, align):
    """Return the widths of columns, of which those with names are as wide as fits."""
    columns = list(zip(*cells, strict=True))
    widths = [max(map(len, column)) for column in columns]
    least = []
    for (head, *body), width, side in zip(columns, widths, align, strict=True):
        narrow = MIN_NAME
        if side == ">":  # numbers are not wrapped
            narrow = max(map(len, [*body, head[:MIN_NAME]]))
        least.append(min(width, narrow))
    room = WIDTH - 2 * (len(widths) - 1)
    if sum(least) > room:  # it is too wide anyway
        for column, width in enumerate(widths):
            least[column] = min(width, max(least[column], MAX_NAME))
    while sum(widths) > room and widths != least:
        wide = [
            column for column in range(len(widths)) if widths[column] > least[column]
        ]
        widest = max(wide, key=lambda column: (widths[column], column))
        widths[widest] -= 1
    return widths


def _lines_of_row(row, widths, align):
    """Return the lines of a row, of which lower cells end with empty lines."""
    cells = [wrapped_name(text, width) for text, width in zip(row, widths, strict=True)]
    lines = []
    for texts in zip_longest(*cells, fillvalue=""):
        padded = []
        for text, side, width in zip(texts, align, widths, strict=True):
            padded.append(f"{text:{side}{width}}")
        lines.append("  ".join(padded).rstrip())
    return lines


def wrapped_name(text, width):
    """Return a name as lines of at most a width, which end after blanks or signs."""
    if len(text) <= width:
        return [text]
    # The mark behind a name stays with it, and a dot is no end of a line in a number.
    ends = r"[,;:|/([{]+ ?| (?!†)|(?<=[A-Za-z_])\.(?=[A-Za-z_])"
    positions = [match.end() for match in re.finditer(ends, text)]
    lines = [""]
    for start, end in pairwise([0, *positions, len(text)]):
        part = text[start:end]
        length = len(lines[-1]) + len(part.rstrip())
        if lines[-1] and length > width:
            lines.append("")
        lines[-1] += part
        while len(lines[-1].rstrip()) > width:
            line = lines.pop()
            lines += [line[:width], line[width:]]
    if len(lines) == 1:
        return lines
    return [line.rstrip() for line in lines if line.strip()]


# The table for a paper of a document, in LaTeX -------------------------------


# The environment, and the length that a table must not exceed.
PLACES = {"column": ("table", r"\columnwidth"), "page": ("table*", r"\textwidth")}
LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "−": "$-$",
    "×": r"$\times$",
    "∞": r"$\infty$",
    "ρ": r"$\rho$",
    "²": r"$^2$",
    "≤": r"$\leq$",
    "…": r"\ldots{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "†": r"$^{\dagger}$",
    "∘": r"$\circ$",
    "•": r"$\bullet$",
}


def latex_table(table, caption=None, label=None, width="page"):
    """Return a table environment for the packages booktabs and graphicx.

    What is too wide is scaled down, nothing is scaled up.
    """
    environment, room = PLACES[width]
    note = _latex(table.note)
    caption_text = note if caption is None else _latex(caption)
    lines = [
        rf"\begin{{{environment}}}",
        r"\centering",
        r"\setlength{\emergencystretch}{3em}",
        rf"\caption{{{caption_text}}}",
    ]
    if label:
        lines.append(rf"\label{{{one_line(label)}}}")
    lines.append(rf"\resizebox{{\ifdim\width>{room} {room}\else\width\fi}}{{!}}{{%")
    lines += _tabular(table)
    lines.append("}")
    if caption is not None:
        lines.append(rf"\par\smallskip\footnotesize {note}")
    lines.append(rf"\end{{{environment}}}")
    return "\n".join(lines) + "\n"


def _tabular(table):
    """Return the lines of a tabular environment."""
    rows = []
    for row in [table.headers, *table.rows]:
        rows.append(" & ".join(map(_latex_cell, row)) + r" \\")
    sides = table.align.replace("<", "l").replace(">", "r")
    return [
        rf"\begin{{tabular}}{{@{{}}{sides}@{{}}}}",
        r"\toprule",
        rows[0],
        r"\midrule",
        *rows[1:],
        r"\bottomrule",
        r"\end{tabular}",
    ]


def _latex_cell(value):
    """Return a cell, a long name on several lines."""
    lines = wrapped_name(one_line(value), MAX_NAME)
    if len(lines) == 1:
        return _latex(value)
    text_type = Bold if isinstance(value, Bold) else str
    stacked = r" \\ ".join(_latex(text_type(line)) for line in lines)
    return rf"\shortstack[l]{{{stacked}}}"


def _latex(value):
    text = re.sub(r" (?=†$)", "", one_line(value))
    text = re.sub(r"(?<![\w-])-(?=\d)", "−", text)
    text = "".join(LATEX.get(character, character) for character in text)
    return rf"\textbf{{{text}}}" if isinstance(value, Bold) else text


# The table for a paper of a document, in Markdown ----------------------------


def markdown_table(table):
    """Return the same as a table of GitHub's Markdown."""
    lines = []
    for row in [table.headers, *table.rows]:
        lines.append(f"| {' | '.join(map(_markdown, row))} |")
    rules = ["---" if side == "<" else "---:" for side in table.align]
    lines.insert(1, f"| {' | '.join(rules)} |")
    return "\n".join(lines) + f"\n\n{one_line(table.note)}\n"


def _markdown(value):
    text = re.sub(r"([\\`*_|<>\[\]])", r"\\\1", one_line(value))
    return f"**{text}**" if isinstance(value, Bold) else text


# The numbers of a result as JSON ---------------------------------------------


def json_text(content):
    """Return a dict as JSON, with the versions of the libraries."""
    content = content | {"versions": versions()}
    text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    if text.replace("\n", "").isprintable():
        return text
    # what would not be seen, or turn the text around, in a terminal
    characters = []
    for character in text:
        if not character.isprintable() and character != "\n":
            character = json.dumps(character)[1:-1]
        characters.append(character)
    return "".join(characters)


def json_content(document, columns):
    """Return what was found, and a dict for each row of the columns, as JSON types."""
    values = [_plain(list(column)) for column in columns.values()]
    rows = []
    for row in zip(*values, strict=True):
        rows.append(dict(zip(columns, row, strict=True)))
    return _plain(document.findings()) | {document.rows: rows}


def _plain(value):
    """Return a value as JSON types; numbers that are not finite are None."""
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
