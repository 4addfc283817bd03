"""What all results can do: be printed, shown, written and drawn."""

import html
import json
import re
import textwrap
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from itertools import zip_longest

import numpy as np

from .._compat import import_extra, write_file
from .._validation import one_line

WIDTH = 88


@dataclass(frozen=True)
class Table:
    """A table of texts; all but the first columns are numbers."""

    headers: list
    rows: list
    n_left: int = 1

    @property
    def cells(self):
        """The headers and the rows, with names that can be shown."""
        return [list(map(one_line, row)) for row in [self.headers, *self.rows]]

    def to_text(self):
        """Return the table with aligned columns."""
        cells = self.cells
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        for place in range(self.n_left):
            excess = sum(widths) + 2 * (len(widths) - 1) - WIDTH
            if excess > 0:
                widths[place] = max(widths[place] - excess, 16)
                for row in cells:
                    row[place] = "\n".join(break_name(row[place], widths[place]))
        columns = zip(*cells, strict=True)
        widths = [max(map(len, "\n".join(column).split("\n"))) for column in columns]
        head, *rows = (self._lines(row, widths) for row in cells)
        rule = "  ".join("-" * width for width in widths)
        return "\n".join([*head, rule, *(line for lines in rows for line in lines)])

    def _lines(self, row, widths):
        """Return the lines of a row, whose names may have several."""
        lines = []
        for texts in zip_longest(*(cell.split("\n") for cell in row), fillvalue=""):
            padded = []
            for place, (part, width) in enumerate(zip(texts, widths, strict=True)):
                is_left = place < self.n_left
                padded.append(part.ljust(width) if is_left else part.rjust(width))
            lines.append("  ".join(padded).rstrip())
        return lines

    def to_html(self):
        """Return the table as HTML."""
        head, *rows = self.cells
        lines = []
        for tag, row in [("th", head), *(("td", row) for row in rows)]:
            cells = "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row)
            lines.append(f"<tr>{cells}</tr>")
        return f"<div style='overflow-x: auto'><table>{''.join(lines)}</table></div>"

    def to_markdown(self):
        """Return the table in GitHub's Markdown."""
        sides = ["---" if i < self.n_left else "---:" for i in range(len(self.headers))]
        head, *rows = [list(map(in_markdown, row)) for row in self.cells]
        return "\n".join(f"| {' | '.join(row)} |" for row in [head, sides, *rows])

    def to_latex(self):
        """Return the table in LaTeX, for the package booktabs."""
        sides = "l" * self.n_left + "r" * (len(self.headers) - self.n_left)
        rows = []
        for row in self.cells:
            rows.append(" & ".join(cell.translate(LATEX) for cell in row) + r" \\")
        lines = [
            rf"\begin{{tabular}}{{{sides}}}",
            r"\toprule",
            rows[0],
            r"\midrule",
            *rows[1:],
            r"\bottomrule",
            r"\end{tabular}",
        ]
        return "\n".join(lines)


LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "%": r"\%",
        "_": r"\_",
        "&": r"\&",
        "#": r"\#",
        "$": r"\$",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "[": "{[}",
        "≤": r"$\leq$",
        "≥": r"$\geq$",
        "−": "$-$",
        "ρ": r"$\rho$",
        "α": r"$\alpha$",
        "²": "$^2$",
        "†": r"$^{\dagger}$",
    }
)


def in_markdown(text):
    """Return a text in which nothing is markup."""
    return re.sub(r"([\\`*_\[\]<>|$~])", r"\\\1", text)


HEAD = (
    "<!doctype html><html lang='en'><meta charset='utf-8'>"
    "<meta name='viewport' content='width=device-width, initial-scale=1'>"
    "<style>:root {color-scheme: light dark}"
    "body {margin: 1em auto; max-width: 50em; padding: 0 1em; overflow-wrap: anywhere}"
    "td, th {padding: 0 .5em; text-align: right; white-space: nowrap}"
    "td:first-child, th:first-child {text-align: left}</style>"
)


@dataclass(frozen=True)
class Content:
    """All that a result says.

    `verdict`, `table` and `method` are printed; `paragraph` is for a paper.
    """

    lead: str
    verdict: str
    table: Table
    method: str
    paragraph: list = field(default_factory=list)
    findings: dict = field(default_factory=dict)


def break_name(name, width):
    """Return a name in lines, broken after blanks and commas or "=", not in words."""
    words = []
    for word in re.findall(r"[^ ,]+[ ,]*|[ ,]+", name):
        is_long = len(word.rstrip()) > width
        words += re.findall(r"[^=]*=|[^=]+$", word) if is_long else [word]
    lines = [""]
    for part in words:
        if lines[-1].strip() and len(lines[-1] + part.rstrip()) > width:
            lines.append("  ")
        lines[-1] += part
    return [line.rstrip() for line in lines]


def wrap(text):
    """Return text in lines of at most 88 characters."""
    text = one_line(text)
    lines = textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def stacked(frames, header):
    """Return the columns of {key: frame} below one another; the first has the keys."""
    names = dict.fromkeys(name for frame in frames.values() for name in frame)
    columns = {header: []} | {name: [] for name in names}
    for key, frame in frames.items():
        n_rows = len(next(iter(frame.values())))
        columns[header] += [key] * n_rows
        for name in names:
            columns[name] += list(frame.get(name, [np.nan] * n_rows))
    return columns


def in_html(text):
    """Return a text in which nothing is markup."""
    return html.escape(one_line(text))


class Result(ABC):
    """A result: what it says, and columns of numbers."""

    @abstractmethod
    def _content(self):
        """Return the Content."""

    @abstractmethod
    def _columns(self):
        """Return the columns of a data frame."""

    def _forest(self):
        """Return the ForestRows of the picture."""
        raise TypeError(f"{type(self).__name__} has no picture")

    def __str__(self):
        content = self._content()
        paragraphs = [wrap(content.verdict)]
        if content.table is not None:
            paragraphs.append(content.table.to_text())
        paragraphs.append(wrap(content.method))
        return "\n\n".join(filter(None, paragraphs))

    def __repr__(self):
        return f"<{type(self).__name__} of {one_line(self._content().lead)}>"

    def _repr_html_(self):
        content = self._content()
        elements = []
        if content.verdict:
            elements.append(f"<p><strong>{in_html(content.verdict)}</strong></p>")
        if content.table is not None:
            elements.append(content.table.to_html())
        return "".join([*elements, f"<p>{in_html(content.method)}</p>"])

    def report(self):
        """Return sentences for a paper.

        Returns
        -------
        text : str
            One paragraph.
        """
        return wrap(" ".join(self._content().paragraph))

    def to_frame(self):
        """Return the numbers as a pandas DataFrame.

        Returns
        -------
        frame : pandas.DataFrame
            A row for each pair, model or label that is compared.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pd = import_extra("pandas")

        return pd.DataFrame(self._columns())

    def to_dict(self):
        """Return what was found as JSON types.

        Returns
        -------
        content : dict
            What :meth:`to_json` writes.
        """
        columns = {name: list(values) for name, values in self._columns().items()}
        rows = [
            dict(zip(columns, row, strict=True))
            for row in zip(*columns.values(), strict=True)
        ]
        content = self._content()
        return plain({"verdict": content.verdict} | content.findings | {"rows": rows})

    def to_json(self, path=None):
        """Return or write the numbers as JSON.

        Parameters
        ----------
        path : str or os.PathLike, default=None
            The file, replaced if it exists; None returns the text.

        Returns
        -------
        text : str or None
            An object with the "verdict", what was found, and a list "rows" with an
            object for each row of :meth:`to_frame`; numbers that are not finite are
            null.

        Raises
        ------
        TypeError
            If `path` is not a path.
        """
        text = json.dumps(self.to_dict(), indent=2, ensure_ascii=False)
        text = re.sub(r"[^\n -~]", _visible_in_json, text)
        if path is None:
            return text
        write_file(path, text)

    def to_html(self, path):
        """Write a self-contained HTML page to read, print or send.

        Parameters
        ----------
        path : str or os.PathLike
            The file, replaced if it exists.

        Raises
        ------
        TypeError
            If `path` is not a path.
        """
        title = in_html(self._content().lead)
        page = f"{HEAD}<title>{title}</title><h1>{title}</h1>{self._repr_html_()}"
        write_file(path, f"{page}<p>{in_html(self.report())}</p>")

    def to_latex(self, caption=None, label=None):
        """Return a LaTeX table for a paper; it needs the package booktabs.

        Parameters
        ----------
        caption : str, default=None
            The caption, as plain text; None: how the numbers were made.
        label : str, default=None
            The label, to refer to the table.

        Returns
        -------
        text : str
            A table environment.
        """
        content = self._content()
        caption = one_line(caption or content.method or content.verdict)
        lines = [r"\begin{table}", r"\centering"]
        lines.append(rf"\caption{{{caption.translate(LATEX)}}}")
        if label is not None:
            lines.append(rf"\label{{{label}}}")
        if content.table is not None:
            lines.append(content.table.to_latex())
        return "\n".join([*lines, r"\end{table}"])

    def to_markdown(self):
        """Return the table of :meth:`to_latex` in GitHub's Markdown.

        Returns
        -------
        text : str
            The table, and a line on how the numbers were made.
        """
        content = self._content()
        table = "" if content.table is None else content.table.to_markdown()
        text = in_markdown(one_line(content.method or content.verdict))
        return f"{table}\n\n{text}".strip()

    def plot(self, ax=None):
        """Draw the numbers with their intervals.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        ax : matplotlib Axes
            With the drawing.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        from .forest import draw_forest

        return draw_forest(self._forest(), ax)


def _visible_in_json(match):
    """Return a character, or its escape if a terminal would obey it."""
    return match[0] if match[0].isprintable() else json.dumps(match[0])[1:-1]


def plain(value):
    """Return a value as JSON types; numbers that are not finite are None."""
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value
