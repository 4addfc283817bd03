"""What a result says: one document of blocks, which each renderer shows in its way.

A result makes its Document; `_as_text` and `_as_html` show it. No renderer knows a
result, and no result knows how it is shown.
"""

import platform
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import scipy
import sklearn

from .._validation import one_line
from .._version import __version__


@dataclass(frozen=True)
class Sentence:
    """One or more sentences, a paragraph of their own.

    Attributes
    ----------
    text : str
        The sentences.
    kind : {"", "verdict", "legend", "quote"}
        Whether they are what was found, explain the block before them and stay close to
        it, or are for a paper.
    """

    text: str
    kind: str = ""


def verdict(text):
    """Return what was found, before all others."""
    return Sentence(text, "verdict")


@dataclass(frozen=True)
class Table:
    """A table of texts.

    Attributes
    ----------
    headers : list of str
        The heads of the columns.
    rows : list of list
        The cells; shown as str.
    align : str
        "<" or ">" for each column.
    title : str
        A line above it, "" for none.
    label : str
        What it holds, for readers who cannot see it.
    note : str
        In a paper, what the reader must know: how it was made, and what marks mean; ""
        for the lead of the document.
    """

    headers: list
    rows: list
    align: str
    title: str = ""
    label: str = "Table"
    note: str = ""


class Bold(str):
    """A text that is set in bold in a paper."""


def table_of(columns, label="Table", n_left=1, n_shown=None, note=""):
    """Return the Table of {header: texts}; all but the first columns are numbers."""
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    align = "<" * n_left + ">" * (len(columns) - n_left)
    return Table(list(columns), rows[:n_shown], align, label=label, note=note)


@dataclass(frozen=True)
class Pictures:
    """Pictures, drawn when a page needs them.

    Attributes
    ----------
    draw : callable
        Returns a list of pictures; raises ImportError without matplotlib.
    start, stop : int or None
        Which of them, as in a slice.
    """

    draw: Callable
    start: int | None = None
    stop: int | None = None


@dataclass(frozen=True)
class Papers:
    """Papers to read or cite, as (text, identifier)."""

    papers: tuple


@dataclass(frozen=True)
class Code:
    """Text to copy as it is."""

    text: str


@dataclass(frozen=True)
class Section:
    """A part of a page.

    Attributes
    ----------
    title : str
        Its heading.
    blocks : tuple of block
        What it holds; Section blocks are parts of it.
    is_folded : bool
        Whether it is shown only when it is asked for.
    """

    title: str
    blocks: tuple
    is_folded: bool = False


@dataclass(frozen=True)
class Document:
    """All that a result says; what is not asked for is not computed.

    Attributes
    ----------
    heading : str
        The title of a page.
    lead : str
        What was compared and how, in a line.
    summary : callable
        Returns the blocks that are printed, and shown in a notebook.
    notes : callable
        Returns sentences to add to these blocks, the most important first, as far as
        there is room.
    n_lines : int or None
        How many lines are printed at most.
    report : callable
        Returns the sentences of a paragraph for a paper; None: the sentences of the
        summary.
    report_tables : callable
        Returns the blocks that follow this paragraph: tables, and what explains them.
    sections : callable
        Returns the Section blocks of a page; none: the summary, and the report.
    table : callable
        Returns the Table for a paper; None: the first one of the summary.
    findings : callable
        Returns what JSON says beside the rows of the data frame, a dict.
    rows : str
        What JSON calls these rows.
    pictures : callable
        Returns the pictures of a page, a list.
    """

    heading: str
    lead: str
    summary: Callable
    notes: Callable = tuple
    n_lines: int | None = None
    report: Callable | None = None
    report_tables: Callable = tuple
    sections: Callable = tuple
    table: Callable | None = None
    findings: Callable = dict
    rows: str = "rows"
    pictures: Callable = list

    def sentences(self):
        """Return the sentences of a paragraph for a paper."""
        if self.report is not None:
            return list(self.report())
        blocks = self.summary()
        texts = [block.text for block in blocks if isinstance(block, Sentence)]
        return [*texts, *self.notes(), version_sentence()]

    def for_paper(self):
        """Return the blocks of a paper: the paragraph, and its tables."""
        paragraph = " ".join(one_line(text) for text in self.sentences())
        return (Sentence(paragraph, "quote"), *self.report_tables())

    def paper_table(self):
        """Return the table for a paper."""
        table = self.table() if self.table is not None else self._first_table()
        return replace(table, note=table.note or f"{self.lead}.")

    def _first_table(self):
        """Return the first table of the summary, without any its sentences as one."""
        for block in self.summary():
            if isinstance(block, Table):
                return block
        rows = [[sentence] for sentence in self.sentences()[:-1]]
        return Table([self.heading], rows, "<")


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
    libraries = [f"{name} {version}" for name, version in versions().items()]
    return f"{verb} with {', '.join(libraries)}."
