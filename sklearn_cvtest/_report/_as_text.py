"""A document as text: for a terminal, a paper (paragraph, LaTeX, Markdown), as JSON."""

import json
import math
import re

import numpy as np

from .._validation import one_line
from ._document import Bold, Code, Section, Sentence, Table
from ._format import MAX_NAME, text_table, versions, wrap, wrapped_name

MORE = "More: report()."
LINES_OF_SENTENCE = 4  # that are counted


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
        most += sum(map(_lines_of_names, blocks))
    sentences = [last.text]
    for number, note in enumerate(notes, 1):
        marker = [MORE] * (number < len(notes))
        if _has_room([*blocks, _paragraph([*sentences, note, *marker])], most):
            sentences.append(note)
    paragraph = _paragraph([*sentences, *[MORE] * (len(sentences) <= len(notes))])
    fits = _has_room([*blocks, paragraph], most)
    return (*blocks, paragraph if fits else _paragraph(sentences))


def _paragraph(sentences):
    return Sentence(" ".join(sentences))


def _has_room(blocks, most):
    return most is None or len(text_of(blocks).splitlines()) <= most


def _lines_of_names(block):
    """Return how many lines a block has more than with short names."""
    n_lines = len(_shown(block).splitlines())
    if isinstance(block, Table):
        return n_lines - len(block.rows) - 2 - bool(block.title)
    return max(n_lines - LINES_OF_SENTENCE, 0)


def text_of(blocks):
    """Return blocks as text, a blank line between them but before a legend."""
    text = ""
    for block in blocks:
        block_text = _shown(block)
        is_close = isinstance(block, Sentence) and block.kind == "legend"
        text += ("\n" if is_close else "\n\n") * bool(text and block_text) + block_text
    return text


def _shown(block):
    if isinstance(block, Sentence):
        return wrap(block.text)
    if isinstance(block, Table):
        table = text_table(block.headers, block.rows, block.align)
        return f"{wrap(block.title)}\n{table}" if block.title else table
    if isinstance(block, Section):
        heading = one_line(block.title)
        texts = [f"{heading}\n{'=' * len(heading)}", *map(_shown, block.blocks)]
        return "\n\n".join(filter(None, texts))
    return block.text if isinstance(block, Code) else ""  # pictures


# The table for a paper of a document, in LaTeX -------------------------------


SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
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
} | {character: f"\\{character}" for character in "&%$#_{}"}
# The environment, and the length that a table must not exceed.
PLACES = {"column": ("table", r"\columnwidth"), "page": ("table*", r"\textwidth")}


def latex_table(table, caption=None, label=None, width="page"):
    """Return a table environment for the packages booktabs and graphicx.

    What is too wide is scaled down, nothing is scaled up.
    """
    environment, room = PLACES[width]
    note = _latex(table.note)
    body = [
        rf"\begin{{{environment}}}",
        r"\centering",
        r"\setlength{\emergencystretch}{3em}",
        rf"\caption{{{note if caption is None else _latex(caption)}}}",
        *([rf"\label{{{one_line(label)}}}"] if label else []),
        rf"\resizebox{{\ifdim\width>{room} {room}\else\width\fi}}{{!}}{{%",
        *_tabular(table),
        "}",
        *([rf"\par\smallskip\footnotesize {note}"] if caption is not None else []),
        rf"\end{{{environment}}}",
    ]
    return "\n".join(body) + "\n"


def _tabular(table):
    rows = [table.headers, *table.rows]
    head, *lines = (" & ".join(map(_latex_cell, row)) + r" \\" for row in rows)
    sides = "".join("l" if side == "<" else "r" for side in table.align)
    return [
        rf"\begin{{tabular}}{{@{{}}{sides}@{{}}}}",
        r"\toprule",
        head,
        r"\midrule",
        *lines,
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
    text = "".join(SPECIAL.get(character, character) for character in text)
    return rf"\textbf{{{text}}}" if isinstance(value, Bold) else text


# The table for a paper of a document, in Markdown ----------------------------


def markdown_table(table):
    """Return the same as a table of GitHub's Markdown."""
    rows = [table.headers, *table.rows]
    head, *lines = (f"| {' | '.join(map(_markdown, row))} |" for row in rows)
    sides = ("---" if side == "<" else "---:" for side in table.align)
    rule = f"| {' | '.join(sides)} |"
    return "\n".join([head, rule, *lines]) + f"\n\n{one_line(table.note)}\n"


def _markdown(value):
    text = "".join(f"\\{c}" if c in "\\`*_|<>[]" else c for c in one_line(value))
    return f"**{text}**" if isinstance(value, Bold) else text


# The numbers of a result as JSON ---------------------------------------------


def json_text(content):
    """Return a dict as JSON, with the versions of the libraries."""
    content = content | {"versions": versions()}
    text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    if text.replace("\n", "").isprintable():
        return text
    # what would not be seen, or turn the text around, in a terminal
    characters = (
        c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text
    )
    return "".join(characters)


def json_content(document, columns):
    """Return what was found, and a dict for each row of the columns, as JSON types."""
    values = (_plain(list(column)) for column in columns.values())
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]
    return _plain(document.findings()) | {document.rows: rows}


def _plain(value):
    """Return a value as JSON types; numbers that are not finite are None."""
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return list(map(_plain, value))
    return None if isinstance(value, float) and not math.isfinite(value) else value
