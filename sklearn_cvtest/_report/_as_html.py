"""A document as HTML: for notebooks, and as a page of its own."""

from html import escape

from .._store._array_files import written_whole
from .._validation import one_line, packaged
from ._document import Code, Papers, Section, Sentence, Table, version_sentence


def write_page(path, document, printed):
    """Write the page of a document, whole or not at all; `printed` are its blocks."""
    text = page(document, printed).encode()
    with written_whole(path, begins=b"<!DOCTYPE html>") as file:
        file.write(text)


def summary_html(printed):
    """Return what a notebook shows: the blocks that are printed."""
    body = "".join(_block_html(block, 3) for block in printed)
    style = f"<style>{packaged(__package__, 'notebook.css')}</style>"
    return f'<div class="sklearn-cvtest-comparison">{body}{style}</div>'


def page(document, printed):
    """Return a self-contained page: the sections of a document."""
    sections = document.sections()
    if not sections:
        conclusion = Section("Conclusion", printed)
        paper = Section("For a paper", document.for_paper(), is_folded=True)
        sections = (conclusion, paper)
    return packaged(__package__, "page.html").format(
        heading=html_text(document.heading),
        style=packaged(__package__, "page.css"),
        lead=html_text(document.lead),
        body="".join(_block_html(section, 2) for section in sections),
        written=html_text(version_sentence("Written")),
    )


def html_text(text):
    """Return text for a page, all of it escaped."""
    return escape(one_line(text))


def _block_html(block, level):
    """Return a block as HTML; `level` is the level of headings."""
    if isinstance(block, Section):
        return _section(block, level)
    if isinstance(block, Sentence):
        return _sentence(block)
    if isinstance(block, Table):
        title = f"<h3>{html_text(block.title)}</h3>\n" if block.title else ""
        table = html_table(block.headers, block.rows, block.align)
        return title + _scroll(block.label, table)
    if isinstance(block, Papers):
        return _papers(block.papers)
    if isinstance(block, Code):
        return _scroll("LaTeX", f"<pre>{escape(block.text)}</pre>")
    return _pictures(block)


def _section(section, level):
    """Return a section, "" if nothing is in it."""
    body = "".join(_block_html(part, 3) for part in section.blocks)
    if not body:
        return ""
    heading = f"<h{level}>{html_text(section.title)}</h{level}>"
    if section.is_folded:
        return f"<details>\n<summary>{heading}</summary>\n{body}</details>\n"
    if level > 2:
        return f"{heading}\n{body}"
    return f"<section>\n{heading}\n{body}</section>\n"


def _sentence(sentence):
    text = html_text(sentence.text)
    if sentence.kind == "verdict":
        return f'<p class="verdict"><strong>{text}</strong></p>\n'
    if sentence.kind == "quote":
        return f"<blockquote>\n<p>{text}</p>\n</blockquote>\n"
    return f"<p>{text}</p>\n"


def _scroll(label, body):
    """Return what scrolls by itself where the page is too narrow for it."""
    attributes = f'role="region" tabindex="0" aria-label="{html_text(label)}"'
    return f'<div class="scroll" {attributes}>{body}</div>\n'


def html_table(headers, rows, align):
    """Return the table as HTML, every cell escaped."""
    head = _table_row("th", headers, align)
    body = "".join(_table_row("td", row, align) for row in rows)
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


def _table_row(tag, row, align):
    cells = []
    for cell, side in zip(row, align, strict=True):
        word = "left" if side == "<" else "right"
        style = f"text-align: {word}"
        cells.append(f'<{tag} style="{style}">{html_text(cell)}</{tag}>')
    return f"<tr>{''.join(cells)}</tr>"


def _papers(papers):
    """Return a list of papers, each with a link to it; "" if there are none."""
    if not papers:
        return ""
    addresses = {"doi": "https://doi.org/", "arxiv": "https://arxiv.org/abs/"}
    items = []
    for text, identifier in papers:
        scheme, _, number = identifier.partition(":")
        item = html_text(f"{text} {identifier}".strip())
        if scheme.lower() in addresses:
            address = html_text(addresses[scheme.lower()] + number)
            link = f'<a href="{address}">{html_text(identifier)}</a>'
            item = f"{html_text(text)} {link}"
        items.append(f"<li>{item}</li>\n")
    return f"<ul>\n{''.join(items)}</ul>\n"


def _pictures(block):
    """Return the pictures of a block; without matplotlib, why there are none."""
    try:
        pictures = block.draw()[block.start : block.stop]
    except ImportError as error:
        if block.start:  # the first block has said so
            return ""
        return f"<p>{html_text(f'No pictures: {error}')}</p>\n"
    return "".join(_figure(picture) for picture in pictures)


def _figure(picture):
    alt = html_text(picture.title)
    caption = html_text(picture.caption)
    image = f'<img src="{html_text(picture.uri)}" alt="{alt}">'
    body = _scroll("Picture", image)
    return f"<figure>\n{body}<figcaption>{alt}. {caption}</figcaption>\n</figure>\n"
