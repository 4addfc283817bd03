"""A document as text: for a terminal, and as the paragraph of a paper."""

from functools import singledispatch

from .._validation import one_line
from ._document import Code, Quote, Section, Sentence, Table, Terms, Verdict
from ._format import text_table, wrap


def summary_text(document):
    """Return what is printed: the blocks of the summary, a blank line between them."""
    return text_of(document.summary())


def text_of(blocks):
    """Return blocks as text; a legend stays close to what it explains."""
    text = ""
    for block in blocks:
        shown = _shown(block)
        is_close = isinstance(block, Sentence) and block.is_legend
        text += ("\n" if is_close else "\n\n") * bool(text and shown) + shown
    return text


def report_text(document):
    """Return the sentences as a paragraph, and what follows it."""
    sentences = wrap(" ".join(map(one_line, document.sentences())))
    tables = text_of(document.report_tables())
    return f"{sentences}\n\n{tables}" if tables else sentences


@singledispatch
def _shown(block):  # pictures
    return ""


@_shown.register(Verdict)
@_shown.register(Sentence)
def _(block):
    return wrap(block.text)


@_shown.register
def _(block: Table):
    table = text_table(block.headers, block.rows, block.align)
    return f"{wrap(block.title)}\n{table}" if block.title else table


@_shown.register
def _(block: Terms):
    return "\n".join(wrap(f"{word}: {text}") for word, text in block.entries.items())


@_shown.register
def _(block: Quote):
    return "\n".join(map(wrap, block.sentences))


@_shown.register
def _(block: Code):
    return f"{wrap(block.title)}\n\n{block.text}" if block.title else block.text


@_shown.register
def _(block: Section):
    heading = one_line(block.title)
    parts = [f"{heading}\n{'=' * len(heading)}", *map(_shown, block.blocks)]
    return "\n\n".join(filter(None, parts))
