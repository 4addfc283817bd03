"""What all results can do: be printed, shown, written and drawn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Literal

import numpy as np

from .._compat import import_extra
from .._store._array_files import write_json
from .._typing import Any, DataFrame, PathLike
from .._validation import check_option, check_path, invalid, one_line
from . import _as_text
from ._as_html import summary_html, write_page

# What numbers and tables are called elsewhere, and what to write here.
ELSEWHERE = {
    "p": "pvalue_",
    "pval": "pvalue_",
    "p_value": "pvalue_",
    "pvalues": "pvalue_",
    "p_values": "pvalue_",
    "to_df": "to_frame()",
    "to_dataframe": "to_frame()",
    "to_pandas": "to_frame()",
    "to_csv": "to_frame().to_csv(...)",
    "to_excel": "to_frame().to_excel(...)",
    "to_feather": "to_frame().to_feather(...)",
    "to_markdown": "to_frame().to_markdown(...)",
    "to_parquet": "to_frame().to_parquet(...)",
    "to_pickle": "to_frame().to_pickle(...)",
}


def attribute_hint(cls, name):
    """Return what to write in place of an attribute that results do not have."""
    if hasattr(cls, f"{name}_"):
        return f"Use `{name}_`."
    instead = ELSEWHERE.get(name)
    if instead is not None and hasattr(cls, instead.partition("(")[0]):
        return f"Use `{instead}`."
    return ""


class Result(ABC):
    """A result: a document of words, tables and pictures, and columns of numbers."""

    if not TYPE_CHECKING:  # a checker would take any attribute for one that exists

        def __getattr__(self, name):
            cls = type(self)
            if hasattr(cls, name):  # a property that raised keeps its own words
                return object.__getattribute__(self, name)
            message = f"{cls.__name__!r} object has no attribute {name!r}"
            hint = attribute_hint(cls, name)
            if hint:
                message = f"{message}. {hint}"
            raise AttributeError(message, name=name, obj=self)

    @abstractmethod
    def _document(self):
        """Return the Document that all renderers show."""

    @abstractmethod
    def _columns(self):
        """Return the columns of a data frame: {name: values}."""

    def __str__(self):
        return _as_text.text_of(_as_text.printed_blocks(self._document()))

    def __repr__(self):
        return one_line(f"<{type(self).__name__} of {self._document().lead}>")

    def _repr_html_(self):
        return summary_html(_as_text.printed_blocks(self._document()))

    def report(self) -> str:
        """Return sentences for a paper.

        Returns
        -------
        text : str
            A paragraph, and tables of more than two; no advice.
        """
        return _as_text.text_of(self._document().for_paper())

    def to_frame(self) -> DataFrame:
        """Return the numbers as a pandas DataFrame.

        Returns
        -------
        frame : pandas.DataFrame
            A row for each thing that was found.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pd = import_extra("pandas", f"{type(self).__name__}.to_frame")
        return pd.DataFrame(self._columns())

    def to_html(self, path: PathLike) -> None:
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
        check_path("path", path)  # before the plots, which take seconds
        document = self._document()
        write_page(path, document, _as_text.printed_blocks(document))

    def to_latex(
        self,
        *,
        caption: str | None = None,
        label: str | None = None,
        width: Literal["page", "column"] = "page",
    ) -> str:
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
        for name, value in (("caption", caption), ("label", label)):
            if not isinstance(value, str | None):
                raise invalid(name, "a str or None", value, TypeError)
        check_option("width", width, tuple(_as_text.PLACES))
        return _as_text.latex_table(
            self._document().paper_table(), caption, label, width
        )

    def to_markdown(self) -> str:
        """Return the table of :meth:`to_latex` in GitHub's Markdown.

        Returns
        -------
        text : str
            The table, and a line that explains it.
        """
        return _as_text.markdown_table(self._document().paper_table())

    def to_json(self, path: PathLike | None = None) -> str | None:
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
        text = _as_text.json_text(self.to_dict())
        if path is None:
            return text
        write_json(path, text)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as JSON types.

        Returns
        -------
        content : dict
            What :meth:`to_json` writes.
        """
        return _as_text.json_content(self._document(), self._columns())


class Excerpt(Result):
    """A part of a result, to print or to write.

    Made by :meth:`Comparison.pairs`.

    Parameters
    ----------
    document : Document
        What it says.
    columns : dict
        What its data frame holds.
    """

    def __init__(self, document: Any, columns: dict[str, Any]):
        self._content = document
        self._frame = columns

    def _document(self):
        return self._content

    def _columns(self):
        return self._frame


def concat_columns(frames):
    """Return tables of columns in one, nan where one lacks a column."""
    names = {}
    for frame in frames:
        names |= dict.fromkeys(frame)
    columns = {name: [] for name in names}
    for frame in frames:
        missing = np.full(len(frame["first"]), np.nan)
        for name, values in columns.items():
            values.extend(frame.get(name, missing))
    return columns
