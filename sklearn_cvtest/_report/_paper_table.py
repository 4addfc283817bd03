"""A table for a paper: a row for each estimator, in LaTeX or Markdown."""

import numpy as np

from .._pairs._ranking import why_no_letters
from ._findings import is_bayesian, scope
from ._format import interval_title, measure_of, one_line, short_names, shown_pvalue
from ._verdict import groups_around

__all__ = ["latex_table", "latex_text", "markdown_table"]

MAX_LINE = 45  # characters of a name that is not broken into lines
MAX_NAME = 24  # of the reference, in the head of a column
SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "ρ": r"$\rho$",
    "≤": r"$\leq$",
    "…": r"\ldots{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
} | {character: f"\\{character}" for character in "&%$#_{}"}


def latex_table(result, caption=None, label=None):
    """Return a table environment for the package booktabs."""
    headers, rows, note = _rows(result, bold=r"\textbf{%s}".__mod__, escape=latex_text)
    marks = {True: r"$^{\dagger}$", False: ""}
    lines = [
        " & ".join([row[0] + marks[tied], *row[1:]]) + r" \\" for tied, row in rows
    ]
    note = latex_text(note).replace("†", r"$^{\dagger}$")
    text = latex_text(caption) if caption is not None else note
    longest = max(len(name) for name in result.losses.estimator_names)
    names = "l" if longest <= MAX_LINE else r"p{.35\linewidth}"
    body = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{text}}}",
        *([rf"\label{{{label}}}"] if label else []),
        rf"\begin{{tabular}}{{{names}{'r' * (len(headers) - 1)}}}",
        r"\toprule",
        " & ".join(headers) + r" \\",
        r"\midrule",
        *lines,
        r"\bottomrule",
        r"\end{tabular}",
        *([rf"\par\smallskip\footnotesize {note}"] if caption is not None else []),
        r"\end{table}",
    ]
    return "\n".join(body) + "\n"


def markdown_table(result):
    """Return the same as a table of GitHub's Markdown."""
    headers, rows, note = _rows(result, bold="**%s**".__mod__, escape=_markdown)
    lines = [
        f"| {' | '.join([row[0] + ' †' * tied, *row[1:]])} |" for tied, row in rows
    ]
    rule = f"| --- |{' ---: |' * (len(headers) - 1)}"
    table = "\n".join([f"| {' | '.join(headers)} |", rule, *lines])
    return f"{table}\n\n{note}\n"


def _rows(result, bold, escape):
    """Return headers, (whether tied, cells) of each estimator, and a note."""
    table = next(iter(result.tables.values()))
    losses, measure = result.losses, measure_of(result.losses)
    is_best = result.reference_position is None
    pivot = result.ranking[0] if is_best else result.reference_position
    tied = set()
    if table.names_winner and not (is_best and why_no_letters(table.test, None)):
        tied = set(groups_around(table, pivot, result.ranking)[2])
    by_other = {
        int(sum(pair) - pivot): number
        for number, pair in enumerate(zip(table.first, table.second, strict=True))
        if pivot in pair
    }
    percent = " (%)" if measure.is_share else ""
    against = "the best" if is_best else short_names(table.names, MAX_NAME)[pivot]
    p = f"p ({table.p_adjust})" if table.is_adjusted else "p"
    headers = [
        result.noun.capitalize(),
        f"Mean {measure.word}{percent}",
        f"Difference from {against}{percent}",
        _capital(interval_title(table)),
        *([] if is_bayesian(table) else [p]),
        *(["P(worse)", "P(equivalent)"] if is_bayesian(table) else []),
    ]
    numbers = np.sort(list(by_other.values()))
    amounts = _amounts(table, measure, numbers, pivot)
    amounts = dict(zip(numbers.tolist(), amounts, strict=True))
    rows = []
    for position in result.ranking:
        mean = measure.value(losses.mean_losses[position]).rstrip("%")
        cells = [escape(one_line(table.names[position])), escape(mean)]
        if position == result.ranking[0]:
            cells = [bold(cell) for cell in cells]
        if position in by_other:
            number = by_other[position]
            cells += map(escape, amounts[number])
            cells += map(escape, _against(table, number, pivot))
        else:
            cells += ["--"] * (len(headers) - 2)
        rows.append((position in tied, cells))
    note = f"By {losses.design}{scope(result, table.test)}; {table.traits.title}."
    if tied:
        whom = "the best" if is_best else one_line(against)
        said = f"cannot be told apart from {whom} at the {100 * table.alpha:g}% level"
        if is_bayesian(table):
            probable = f"{100 * (1 - table.alpha):g}% probability"
            said = f"neither better nor worse than {whom} with at least {probable}"
        note += f" † {said}."
    return list(map(escape, map(one_line, headers))), rows, note


def _amounts(table, measure, numbers, pivot):
    """Return differences and intervals as texts: in the user's sign, other less pivot.

    All of them with the same decimals.
    """
    columns = table.estimate, *table.shown_intervals
    estimate, low, high = (column[numbers] for column in columns)
    # loss(first) - loss(second), as the value of the other less that of the pivot
    turned = (table.first[numbers] == pivot) != (measure.sign < 0)
    estimate = np.where(turned, -estimate, estimate)
    low, high = np.where(turned, -high, low), np.where(turned, -low, high)
    texts = measure.numbers(*np.concatenate([estimate, low, high]))
    parts = (texts[start :: len(numbers)] for start in range(len(numbers)))
    return [[difference, f"{low} to {high}"] for difference, low, high in parts]


def _against(table, number, pivot):
    """Return what else the row of another one says than the difference."""
    row = table.row(number)
    if is_bayesian(table):
        worse = "prob_less" if table.first[number] == pivot else "prob_greater"
        return [f"{row.columns[name]:.3f}" for name in (worse, "prob_rope")]
    shown = row.pvalue_adjusted if table.is_adjusted else row.pvalue
    return [shown_pvalue(shown, table.alpha)]


def _capital(text):
    return text[0].upper() + text[1:]


def latex_text(text):
    """Return text with the characters that LaTeX reads otherwise written out."""
    return "".join(SPECIAL.get(character, character) for character in text)


def _markdown(text):
    return "".join(f"\\{c}" if c in "\\`*_|<>[]" else c for c in text)
