"""The table for a paper of a document, in Markdown."""

from .._validation import one_line


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
