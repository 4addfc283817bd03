"""What a result says: one document of blocks, which each renderer shows in its way.

A result makes its Document; `_as_text`, `_as_html`, `_as_markup` and `_as_json` show
it. No renderer knows a result, and no result knows how it is shown.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ._versions import version_sentence


@dataclass(frozen=True)
class Verdict:
    """What was found, in a sentence that stands before all others."""

    text: str


@dataclass(frozen=True)
class Sentence:
    """One or more sentences, a paragraph of their own.

    Attributes
    ----------
    text : str
        The sentences.
    is_legend : bool
        Whether they explain the block before them, and stay close to it.
    """

    text: str
    is_legend: bool = False


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
    """

    headers: list
    rows: list
    align: str
    title: str = ""
    label: str = "Table"

    def for_paper(self, note):
        """Return it as a PaperTable."""
        rows = [[Cell(str(cell)) for cell in row] for row in self.rows]
        return PaperTable(self.headers, rows, note)


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
class Terms:
    """What words mean: {word: sentences}."""

    entries: dict


@dataclass(frozen=True)
class Papers:
    """Papers to read or cite, as (text, identifier), under a title."""

    papers: tuple
    title: str = ""
    is_numbered: bool = True


@dataclass(frozen=True)
class Quote:
    """Sentences for a paper."""

    sentences: tuple


@dataclass(frozen=True)
class Code:
    """Text to copy as it is, under a title."""

    text: str
    title: str = ""
    label: str = "Code"


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
class Cell:
    """A cell of a table for a paper.

    Attributes
    ----------
    text : str
        What it holds, as plain text.
    is_bold : bool
        Whether it is set in bold.
    mark : str
        A sign that the note explains, "" for none.
    """

    text: str
    is_bold: bool = False
    mark: str = ""


@dataclass(frozen=True)
class PaperTable:
    """A table for a paper.

    Attributes
    ----------
    headers : list of str
        The heads of the columns; the first column is aligned left, others right.
    rows : list of list of Cell
        The cells.
    note : str
        What the reader must know: how it was made, and what marks mean.
    n_footer : int
        How many of the last rows are sums.
    """

    headers: list
    rows: list
    note: str
    n_footer: int = 0


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
    report : callable
        Returns the sentences of a paragraph for a paper; None: the sentences of the
        summary.
    report_tables : callable
        Returns the blocks that follow this paragraph: tables, and what explains them.
    sections : callable
        Returns the Section blocks of a page; None: the summary, and the report.
    table : callable
        Returns the PaperTable; None: the first table of the summary.
    findings : callable
        Returns what JSON says beside the rows of the data frame, a dict.
    rows : str
        What JSON calls these rows.
    """

    heading: str
    lead: str
    summary: Callable
    report: Callable | None = None
    report_tables: Callable = tuple
    sections: Callable | None = None
    table: Callable | None = None
    findings: Callable = dict
    rows: str = "rows"

    def sentences(self):
        """Return the sentences of a paragraph for a paper."""
        if self.report is not None:
            return self.report()
        said = [b.text for b in self.summary() if isinstance(b, Verdict | Sentence)]
        return [*said, version_sentence()]

    def page(self):
        """Return the sections of a page."""
        if self.sections is not None:
            return self.sections()
        paper = Section("For a paper", (Quote(tuple(self.sentences())),), True)
        return (Section("Conclusion", self.summary()), paper)

    def paper_table(self):
        """Return the table for a paper."""
        if self.table is not None:
            return self.table()
        shown = next((b for b in self.summary() if isinstance(b, Table)), None)
        if shown is None:
            rows = [[Cell(sentence)] for sentence in self.sentences()[:-1]]
            return PaperTable([self.heading], rows, f"{self.lead}.")
        return shown.for_paper(f"{self.lead}.")
