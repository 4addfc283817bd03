"""A document as HTML: for notebooks, and as a page of its own."""

from html import escape

from .._store._array_files import written_whole
from .._validation import packaged
from ._document import Code, Papers, Section, Sentence, Table
from ._format import html_table, html_text, version_sentence

ADDRESSES = {"doi": "https://doi.org/", "arxiv": "https://arxiv.org/abs/"}
KINDS = {
    "verdict": '<p class="verdict"><strong>{}</strong></p>\n',
    "quote": "<blockquote>\n<p>{}</p>\n</blockquote>\n",
}


def write_page(path, document, printed):
    """Write the page of a document, whole or not at all; `printed` are its blocks."""
    text = page(document, printed).encode()
    with written_whole(path, begins=b"<!DOCTYPE html>") as file:
        file.write(text)


def summary_html(printed):
    """Return what a notebook shows: the blocks that are printed."""
    body = "".join(_on_page(block, 3) for block in printed)
    style = f"<style>{packaged(__package__, 'notebook.css')}</style>"
    return f'<div class="sklearn-cvtest-comparison">{body}{style}</div>'


def page(document, printed):
    """Return a self-contained page: the sections of a document."""
    heading, style = html_text(document.heading), packaged(__package__, "page.css")
    sections = document.sections() or (
        Section("Conclusion", printed),
        Section("For a paper", document.for_paper(), True),
    )
    body = "".join(_on_page(section, 2) for section in sections)
    lead, written = map(html_text, (document.lead, version_sentence("Written")))
    words = {"heading": heading, "style": style, "lead": lead, "written": written}
    return packaged(__package__, "page.html").format(body=body, **words)


def _paragraph(text):
    return f"<p>{html_text(text)}</p>\n"


def _scroll(label, body):
    """Return what scrolls by itself where the page is too narrow for it."""
    attributes = f'role="region" tabindex="0" aria-label="{html_text(label)}"'
    return f'<div class="scroll" {attributes}>{body}</div>\n'


def _on_page(block, level):
    """Return a block as HTML; `level` is the level of headings."""
    if isinstance(block, Section):
        return _section(block, level)
    if isinstance(block, Sentence):
        return KINDS.get(block.kind, "<p>{}</p>\n").format(html_text(block.text))
    if isinstance(block, Table):
        title = f"<h3>{html_text(block.title)}</h3>\n" if block.title else ""
        table = html_table(block.headers, block.rows, block.align)
        return title + _scroll(block.label, table)
    if isinstance(block, Papers):
        items = "".join(f"<li>{_paper(*paper)}</li>\n" for paper in block.papers)
        return f"<ul>\n{items}</ul>\n" if items else ""
    if isinstance(block, Code):
        return _scroll("LaTeX", f"<pre>{escape(block.text)}</pre>")
    try:
        pictures = block.draw()[block.start : block.stop]
    except ImportError as error:  # said once
        return "" if block.start else _paragraph(f"No pictures: {error}")
    return "".join(map(_figure, pictures))


def _section(block, level):
    body = "".join(_on_page(part, 3) for part in block.blocks)
    if not body:
        return ""
    heading = f"<h{level}>{html_text(block.title)}</h{level}>"
    if block.is_folded:
        return f"<details>\n<summary>{heading}</summary>\n{body}</details>\n"
    if level > 2:
        return f"{heading}\n{body}"
    return f"<section>\n{heading}\n{body}</section>\n"


def _paper(text, identifier):
    """Return a paper, with a link to it."""
    scheme, _, number = identifier.partition(":")
    if scheme.lower() not in ADDRESSES:
        return html_text(f"{text} {identifier}".strip())
    address = html_text(ADDRESSES[scheme.lower()] + number)
    return f'{html_text(text)} <a href="{address}">{html_text(identifier)}</a>'


def _figure(picture):
    alt, caption = html_text(picture.title), html_text(picture.caption)
    image = f'<img src="{html_text(picture.uri)}" alt="{alt}">'
    body = _scroll("Picture", image)
    return f"<figure>\n{body}<figcaption>{alt}. {caption}</figcaption>\n</figure>\n"
