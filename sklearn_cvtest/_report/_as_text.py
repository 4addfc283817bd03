"""A document as text: for a terminal, and as the paragraph of a paper."""

from .._validation import one_line
from ._document import Code, Section, Sentence, Table
from ._format import WIDTH, text_table, wrap

LENGTHS = range(40, 8, -2)  # of names, the first that there is room for
MORE = "More: report()."


def printed_blocks(document):
    """Return the blocks that are printed, within their width and number of lines.

    Names are as long as there is room, and as many notes follow.
    """
    summary, most = document.summary(), document.n_lines
    for length in LENGTHS:
        *blocks, last = document.renamed(summary, length)
        if _has_room([*blocks, last], most):
            break
    notes = document.renamed(map(Sentence, document.notes()), length)
    if not notes:
        return (*blocks, last)
    said = [last.text]
    for number, note in enumerate(notes, 1):
        more = [MORE] * (number < len(notes))
        if _has_room([*blocks, _paragraph([*said, note.text, *more])], most):
            said.append(note.text)
    whole = _paragraph([*said, *[MORE] * (len(said) <= len(notes))])
    fits = _has_room([*blocks, whole], most)
    return (*blocks, whole if fits else _paragraph(said))


def _paragraph(sentences):
    return Sentence(" ".join(sentences))


def _has_room(blocks, most):
    lines = text_of(blocks).splitlines()
    return max(map(len, lines), default=0) <= WIDTH and (
        most is None or len(lines) <= most
    )


def text_of(blocks):
    """Return blocks as text, a blank line between them but before a legend."""
    text = ""
    for block in blocks:
        shown = _shown(block)
        is_close = isinstance(block, Sentence) and block.kind == "legend"
        text += ("\n" if is_close else "\n\n") * bool(text and shown) + shown
    return text


def report_text(document):
    """Return the paragraph of a paper, and the tables that follow it."""
    return text_of(document.for_paper())


def _shown(block):
    if isinstance(block, Sentence):
        return wrap(block.text)
    if isinstance(block, Table):
        table = text_table(block.headers, block.rows, block.align)
        return f"{wrap(block.title)}\n{table}" if block.title else table
    if isinstance(block, Section):
        heading = one_line(block.title)
        parts = [f"{heading}\n{'=' * len(heading)}", *map(_shown, block.blocks)]
        return "\n\n".join(filter(None, parts))
    return block.text if isinstance(block, Code) else ""  # pictures
