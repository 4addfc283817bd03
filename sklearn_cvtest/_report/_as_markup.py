"""The table for a paper of a document, in LaTeX or Markdown."""

from .._validation import one_line

MAX_LINE = 45  # characters of a name that is not broken into lines
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
        "≤": r"$\leq$",
        "…": r"\ldots{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
    }
    | MARKS
    | {character: f"\\{character}" for character in "&%$#_{}"}
)


def latex_table(table, caption=None, label=None):
    """Return a table environment for the package booktabs."""
    note = _latex(table.note)
    longest = max(len(row[0].text) for row in table.rows)
    names = "l" if longest <= MAX_LINE else r"p{.35\linewidth}"
    lines = [" & ".join(map(_latex_cell, row)) + r" \\" for row in table.rows]
    if table.n_footer:
        lines.insert(-table.n_footer, r"\midrule")
    body = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{note if caption is None else _latex(caption)}}}",
        *([rf"\label{{{label}}}"] if label else []),
        rf"\begin{{tabular}}{{{names}{'r' * (len(table.headers) - 1)}}}",
        r"\toprule",
        " & ".join(map(_latex, table.headers)) + r" \\",
        r"\midrule",
        *lines,
        r"\bottomrule",
        r"\end{tabular}",
        *([rf"\par\smallskip\footnotesize {note}"] if caption is not None else []),
        r"\end{table}",
    ]
    return "\n".join(body) + "\n"


def _latex_cell(cell):
    text = _latex(cell.text)
    if cell.is_bold:
        text = rf"\textbf{{{text}}}"
    return text + MARKS.get(cell.mark, "")


def _latex(text):
    return "".join(SPECIAL.get(character, character) for character in one_line(text))


def markdown_table(table):
    """Return the same as a table of GitHub's Markdown."""
    lines = [f"| {' | '.join(map(_markdown_cell, row))} |" for row in table.rows]
    heads = f"| {' | '.join(map(_markdown, table.headers))} |"
    rule = f"| --- |{' ---: |' * (len(table.headers) - 1)}"
    return "\n".join([heads, rule, *lines]) + f"\n\n{one_line(table.note)}\n"


def _markdown_cell(cell):
    text = _markdown(cell.text)
    if cell.is_bold:
        text = f"**{text}**"
    return f"{text} {_markdown(cell.mark)}".strip()


def _markdown(text):
    return "".join(f"\\{c}" if c in "\\`*_|<>[]" else c for c in one_line(text))
