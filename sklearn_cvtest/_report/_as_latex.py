"""The table for a paper of a document, in LaTeX."""

import re

from .._validation import one_line

MARKS = {"†": r"$^{\dagger}$", "∘": r"$\circ$", "•": r"$\bullet$"}
SPECIAL = (
    {
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
    }
    | MARKS
    | {character: f"\\{character}" for character in "&%$#_{}"}
)
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
    lines = [" & ".join(map(_marked, row)) + r" \\" for row in table.rows]
    return [
        rf"\begin{{tabular}}{{@{{}}l{'r' * (len(table.headers) - 1)}@{{}}}}",
        r"\toprule",
        " & ".join(map(_latex, table.headers)) + r" \\",
        r"\midrule",
        *lines,
        r"\bottomrule",
        r"\end{tabular}",
    ]


def _marked(cell):
    text = _latex(re.sub(r"(?<![\w-])-(?=\d)", "−", cell.text))
    if cell.is_bold:
        text = rf"\textbf{{{text}}}"
    return text + MARKS.get(cell.mark, "")


def _latex(text):
    return "".join(SPECIAL.get(character, character) for character in one_line(text))
