"""The table for a paper of a document, in LaTeX: as wide as it may be."""

import re
from dataclasses import replace
from typing import NamedTuple

from .._validation import one_line
from ._format import short_names

MARKS = {"†": r"$^{\dagger}$", "∘": r"$\circ$", "•": r"$\bullet$"}
BREAK = "\u200b"  # where a line may end
SPECIAL = (
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "−": "$-$",
        "×": r"$\times$",
        "∞": r"$\infty$",
        "ρ": r"$\rho$",
        "≤": r"$\leq$",
        "…": r"\ldots{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        BREAK: r"\allowbreak{}",
    }
    | MARKS
    | {character: f"\\{character}" for character in "&%$#_{}"}
)
LONGEST = 10  # characters of a name on a line that cannot end sooner


class Place(NamedTuple):
    """Where a table has to fit.

    Attributes
    ----------
    environment, width : str
        The environment of the table, and the length that it must not exceed.
    points : float
        The smallest that this is in usual classes.
    fonts : tuple of (str, float)
        Commands for the size of letters, the largest first, and that in points: of
        computer modern, in which small letters are wider than their size says.
    gap : int
        Points between two columns.
    longest : int
        Characters of a name in several lines.
    """

    environment: str
    width: str
    points: float
    fonts: tuple
    gap: int
    longest: int


# An article in two columns of 10 point has columns of 229.9 pt; ICML's, 234.9; ACM's,
# 241; IEEE's, 252. One column of an article is 345 pt.
PLACES = {
    "column": Place(
        "table",
        r"\columnwidth",
        228,
        ((r"\footnotesize", 8.5), (r"\scriptsize", 8.0)),
        6,
        40,
    ),
    "page": Place(
        "table*",
        r"\textwidth",
        344,
        ((r"\normalsize", 10.0), (r"\small", 9.3), (r"\footnotesize", 8.5)),
        10,
        80,
    ),
}
# Widths of letters in units of their size; of others, .51 or, of capitals, .78.
LETTERS = {
    **dict.fromkeys("iljtfI.,:;'|!()[] ", 0.4),
    **dict.fromkeys("0123456789-", 0.5),
    **dict.fromkeys("−×≤∞…mM", 0.92),
    **dict.fromkeys("wW%@", 1.03),
}


def latex_table(table, caption=None, label=None, width="page"):
    """Return a table environment for the package booktabs."""
    place, note = PLACES[width], _escaped(_breakable(one_line(table.note), 20))
    body = [
        rf"\begin{{{place.environment}}}",
        r"\centering",
        r"\setlength{\emergencystretch}{3em}",
        rf"\caption{{{note if caption is None else _latex(caption)}}}",
        *([rf"\label{{{label}}}"] if label else []),
        *_tabulars(table, place),
        *([rf"\par\smallskip\footnotesize {note}"] if caption is not None else []),
        rf"\end{{{place.environment}}}",
    ]
    return "\n".join(body) + "\n"


def _tabulars(table, place):
    """Return the lines of the table: of what is too wide, parts below each other."""
    columns = list(range(1, len(table.headers)))
    tried = (
        (command, _parts(table, columns, points, place))
        for command, points in place.fonts
    )
    command, parts = min(tried, key=lambda found: len(found[1]))
    lines = [command, rf"\setlength{{\tabcolsep}}{{{place.gap / 2:g}pt}}"]
    for number, (some, names) in enumerate(parts):
        lines += [r"\par\medskip"] * bool(number)
        lines += _tabular(table, some, names, place)
    return lines


def _names_width(table, columns, points, place):
    """Return the width of the first column in points, 0 for its own, None for none."""
    others = sum(_column_width(table, column, points) for column in columns)
    room = place.points - others - place.gap * len(columns)
    if _column_width(table, 0, points) <= room:
        return 0
    return room if room >= LONGEST * 0.6 * points else None


def _parts(table, columns, points, place):
    """Return columns that fit together, each with the width of the first one."""
    parts = []
    for column in columns:
        wider = [*parts[-1][0], column] if parts else [column]
        names = _names_width(table, wider, points, place)
        if parts and names is not None:
            parts[-1] = (wider, names)
        else:
            alone = _names_width(table, [column], points, place)
            parts.append(([column], place.points / 3 if alone is None else alone))
    return parts


def _tabular(table, columns, names, place):
    """Return one tabular of the first column and some of the others."""
    first = [row[0] for row in table.rows]
    if names:
        shown = short_names([cell.text for cell in first], place.longest)
        first = [replace(c, text=name) for c, name in zip(first, shown, strict=True)]
    lines = []
    for cell, row in zip(first, table.rows, strict=True):
        text = _marked(cell, is_broken=bool(names))
        text = rf"\raggedright\hangindent=.8em {text}" if names else text
        cells = [text, *(_marked(row[column]) for column in columns)]
        lines.append(" & ".join(cells) + r" \\")
    if table.n_footer:
        lines.insert(-table.n_footer, r"\midrule")
    share = int(100 * names / place.points) / 100
    align = (f"p{{{share:g}{place.width}}}" if names else "l") + "r" * len(columns)
    heads = [_head(table, column, "r" if column else "l") for column in (0, *columns)]
    return [
        rf"\begin{{tabular}}{{@{{}}{align}@{{}}}}",
        r"\toprule",
        " & ".join(heads) + r" \\",
        r"\midrule",
        *lines,
        r"\bottomrule",
        r"\end{tabular}",
    ]


def _head(table, column, side):
    lines = _head_lines(table, column)
    if len(lines) == 1:
        return _latex(lines[0])
    stacked = r"\\".join(map(_latex, lines))
    return rf"\begin{{tabular}}[b]{{@{{}}{side}@{{}}}}{stacked}\end{{tabular}}"


def _head_lines(table, column):
    """Return the head of a column in lines that are hardly wider than its cells."""
    head = _breakable(one_line(table.headers[column]), LONGEST + 4)
    words = [
        (" " * (not number) + piece)
        for word in head.split()
        for number, piece in enumerate(word.split(BREAK))
    ] or [""]
    cells = max(_measure(row[column].text, 1) for row in table.rows)
    widest = max(cells, *(_measure(word.strip(), 1) for word in words))
    lines = [words[0].strip()]
    for word in words[1:]:
        if _measure(lines[-1] + word, 1) <= widest:
            lines[-1] += word
        else:
            lines.append(word.strip())
    return lines


def _column_width(table, column, points):
    cells = [
        _measure(row[column].text, points) * (1.15 if row[column].is_bold else 1)
        + 0.5 * points * bool(row[column].mark)
        for row in table.rows
    ]
    heads = (_measure(line, points) for line in _head_lines(table, column))
    return max(*cells, *heads)


def _measure(text, points):
    """Return about how wide a text is, rather too much than too little."""
    other = {True: 0.78, False: 0.51}
    return points * sum(LETTERS.get(c, other[c.isupper()]) for c in one_line(text))


def _breakable(text, longest):
    """Return a text in which words longer than that may be broken."""
    return " ".join(
        _broken(word) if len(word) > longest else word for word in text.split(" ")
    )


def _broken(word):
    """Return a word with breaks behind signs, before capitals, and in what is long."""
    word = re.sub(
        r"(?<=[_=,(/:|-])(?=.)|(?<=\.)(?=\D)|(?<=[a-z])(?=[A-Z])", BREAK, word
    )
    pieces = (re.findall(f".{{1,{LONGEST}}}", piece) for piece in word.split(BREAK))
    return BREAK.join(BREAK.join(piece) for piece in pieces)


def _marked(cell, is_broken=False):
    text = re.sub(r"(?<![\w-])-(?=\d)", "−", one_line(cell.text))
    text = _escaped(_breakable(text, LONGEST) if is_broken else text)
    if cell.is_bold:
        text = rf"\textbf{{{text}}}"
    return text + MARKS.get(cell.mark, "")


def _latex(text):
    return _escaped(one_line(text))


def _escaped(text):
    return "".join(SPECIAL.get(character, character) for character in text)
