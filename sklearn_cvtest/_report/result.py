"""What all results can do: be printed, shown, written and drawn."""

import html
import json
import re
import textwrap
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .._compat import import_extra

WIDTH = 88
MIN_NAME = 12


@dataclass(frozen=True)
class Table:
    """A table of texts; all but the first columns are numbers."""

    headers: list
    rows: list
    n_left: int = 1

    def to_text(self):
        """Return the table with aligned columns."""
        cells = [self.headers, *self.rows]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        excess = sum(widths) + 2 * (len(widths) - 1) - WIDTH
        if excess > 0:
            widths[0] = max(widths[0] - excess, MIN_NAME)
        names = [break_name(row[0], widths[0]) for row in cells]
        widths[0] = max(len(line) for lines in names for line in lines)
        lines = []
        for (first_line, *more), row in zip(names, cells, strict=True):
            lines.append(self._line([first_line, *row[1:]], widths))
            lines += more
        lines.insert(len(names[0]), "  ".join("-" * width for width in widths))
        return "\n".join(lines)

    def _line(self, row, widths):
        padded = []
        for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
            is_left = place < self.n_left
            padded.append(cell.ljust(width) if is_left else cell.rjust(width))
        return "  ".join(padded).rstrip()

    def to_html(self):
        """Return the table as HTML."""
        lines = []
        for tag, row in [("th", self.headers), *(("td", row) for row in self.rows)]:
            cells = "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row)
            lines.append(f"<tr>{cells}</tr>")
        return f"<div style='overflow-x: auto'><table>{''.join(lines)}</table></div>"

    def to_markdown(self):
        """Return the table in GitHub's Markdown."""
        sides = ["---" if i < self.n_left else "---:" for i in range(len(self.headers))]
        rows = [self.headers, sides, *self.rows]
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)

    def to_latex(self):
        """Return the table in LaTeX, for the package booktabs."""
        sides = "l" * self.n_left + "r" * (len(self.headers) - self.n_left)
        rows = []
        for row in [self.headers, *self.rows]:
            cells = [cell.translate(LATEX) for cell in row]
            rows.append(" & ".join(cells) + r" \\")
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
        "%": r"\%",
        "_": r"\_",
        "&": r"\&",
        "#": r"\#",
        "$": r"\$",
        "<": r"\textless{}",
        "≤": r"$\leq$",
        "−": "$-$",
        "ρ": r"$\rho$",
        "²": "$^2$",
        "†": r"$^{\dagger}$",
    }
)


HEAD = (
    "<!doctype html><html lang='en'><meta charset='utf-8'>"
    "<meta name='viewport' content='width=device-width, initial-scale=1'>"
    "<style>body {margin: 1em auto; max-width: 50em; padding: 0 1em}"
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
    """Return a name in lines, broken after blanks, commas and "=", never in a word."""
    lines = [""]
    for word in re.findall(r"[^ ,=]+[ ,=]*", name):
        if lines[-1] and len(lines[-1] + word.rstrip()) > width:
            lines.append("  ")
        lines[-1] += word
    return [line.rstrip() for line in lines]


def wrap(text):
    """Return text in lines of at most 88 characters."""
    lines = textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


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
        parts = [wrap(content.verdict)]
        if content.table is not None:
            parts.append(content.table.to_text())
        parts.append(wrap(content.method))
        return "\n\n".join(filter(None, parts))

    def __repr__(self):
        return f"<{type(self).__name__} of {self._content().lead}>"

    def _repr_html_(self):
        content = self._content()
        parts = []
        if content.verdict:
            parts.append(f"<p><strong>{html.escape(content.verdict)}</strong></p>")
        if content.table is not None:
            parts.append(content.table.to_html())
        parts.append(f"<p>{html.escape(content.method)}</p>")
        return "".join(parts)

    def report(self):
        """Return sentences for a paper.

        Returns
        -------
        text : str
            A paragraph, and tables of more than two; no advice.
        """
        return wrap(" ".join(self._content().paragraph))

    def to_frame(self):
        """Return the losses as a pandas DataFrame, a row per tested example.

        Returns
        -------
        frame : pandas.DataFrame
            Columns "split", "index" (the row of X, where known), "group" (its
            code, where there are groups), and one per estimator, nan where it was not
            fitted.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pd = import_extra("pandas")

        return pd.DataFrame(self._columns())

    def to_dict(self):
        """Return the fields as JSON types.

        Returns
        -------
        fields : dict
            By name.
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
            An object with what was found, and a list "rows" with an object for each
            row of :meth:`to_frame`; numbers that are not finite are null.

        Raises
        ------
        TypeError
            If `path` is not a path.
        """
        text = json.dumps(self.to_dict(), indent=2, ensure_ascii=False)
        if path is None:
            return text
        Path(path).write_text(text, encoding="utf-8")

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
        page = f"{HEAD}{self._repr_html_()}"
        page += f"<p>{html.escape(self.report())}</p>"
        Path(path).write_text(page, encoding="utf-8")

    def to_latex(self):
        """Return a LaTeX table for a paper; it needs booktabs and graphicx.

        Parameters
        ----------
        caption : str, default=None
            The caption, as plain text; None says what is shown, and explains marks.
        label : str, default=None
            The label, to refer to the table.
        width : {"page", "column"}, default="page"
            What the table has to fit, by scaling it down if it is too wide: the width
            of the text, over all columns of the page, or one of the two columns of a
            paper.

        Returns
        -------
        text : str
            A table environment; with `width="page"`, table*, which in a paper of one
            column is a table.

        Raises
        ------
        TypeError, ValueError
            If the caption or the label is not a str, or the width none of these.
        """
        return self._content().table.to_latex()

    def to_markdown(self):
        """Return the table of :meth:`to_latex` in GitHub's Markdown.

        Returns
        -------
        text : str
            The table, and a line that explains it.
        """
        return self._content().table.to_markdown()

    def plot(self, ax=None):
        """Plot the differences with their intervals.

        Parameters
        ----------
        **options : dict
            As in :meth:`ComparisonDisplay.from_comparison`, such as `ax`, and `pairs`,
            "best", "all" or a list of pairs; without it, each model is shown against
            the best one or the reference, as in print.

        Returns
        -------
        display : ComparisonDisplay
            The plot.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        from .forest import draw_forest

        return draw_forest(self._forest(), ax)


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
