"""A comparison as HTML: for notebooks, and as a separate page."""

from html import escape

import numpy as np

from .._data._files import written_whole
from ._findings import is_bayesian
from ._format import html_table, html_text
from ._paper_table import latex_table
from ._text import (
    conclusions,
    estimator_table,
    notes,
    sign_convention,
    test_table,
    test_title,
    title,
)
from ._verdict import verdict_lines
from ._versions import version_sentence

__all__ = [
    "details",
    "figure",
    "paragraphs",
    "report_page",
    "scroll",
    "section",
    "summary_html",
    "whole_page",
    "write_page",
]

SIMULTANEOUS = " Of several pairs, at a level at which all hold at once."
P_MEANING = (
    "The probability of a result at least this extreme if the null hypothesis and the "
    "test's assumptions hold. It is not the probability of the null hypothesis, and a "
    "large one is no evidence for it."
)
POSTERIOR_MEANING = (
    "How probable it is, given these results and the prior of the test, that the first "
    "is better, that the two are practically equivalent (differ by no more than the "
    "width that was chosen), and that the second is better."
)
RHO_MEANING = (
    "The share of the variance of the mean difference that comes from splits moving "
    "together, as they do because they share training examples. The usual t test takes "
    "it for 0. One cross-validation gives no unbiased estimate of it."
)
RHO_ALPHA_MEANING = (
    "The largest ρ at which the difference is still significant, before any "
    "adjustment: if you believe that ρ is smaller than this, the difference is "
    "significant; if larger, it is not. None: it is not significant even at ρ = 0."
)

STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de;
  --ground: #ffffff; --panel: #f6f8fa; --link: #0550ae; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9da7b3;
  --line: #3d444d; --ground: #0d1117; --panel: #161b22; --link: #79c0ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 64rem; margin: 0 auto; padding: 1.5rem 1rem 3rem;
  overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; padding-bottom: .2rem;
  border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
p, dl, ol { margin: .5rem 0; }
a { color: var(--link); }
.lead, figcaption, footer { color: var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums;
  overflow-wrap: normal; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th { border-bottom-width: 2px; white-space: nowrap; }
td { max-width: 20rem; overflow-wrap: anywhere; }
td[style*="left"] { min-width: 7.5rem; }
td:first-child { max-width: 38rem; }
td[style*="right"] { white-space: nowrap; }
tbody tr:hover { background: var(--panel); }
.verdict { font-size: 1.15rem; line-height: 1.45; margin: .6rem 0 1rem;
  padding: .7rem 1rem; background: var(--panel); border-left: 4px solid var(--link); }
details { border-top: 1px solid var(--line); }
details[open] { padding-bottom: 1rem; }
section + details { margin-top: 2rem; }
summary { cursor: pointer; padding: .6rem 0; }
summary h2 { display: inline; border: 0; margin: 0; padding: 0; font-size: 1.1rem; }
pre { margin: 0; padding: .8rem; background: var(--panel); font-size: .8rem;
  white-space: pre-wrap; }
figure { margin: 1rem 0; }
figure img { display: block; max-width: 100%; height: auto; background: #ffffff;
  border: 1px solid var(--line); border-radius: 4px; padding: .5rem; }
figcaption { font-size: .9rem; margin-top: .3rem; }
blockquote { margin: .5rem 0; padding: .2rem 1rem; background: var(--panel);
  border-left: 4px solid var(--line); }
dt { font-weight: 600; margin-top: .6rem; }
dd { margin: 0 0 0 1.2rem; }
code { font-size: .9em; }
footer { margin-top: 2.5rem; font-size: .85rem; }
@media screen and (prefers-color-scheme: dark) {
  figure img { filter: invert(.92) hue-rotate(180deg); border-color: #c2bbb2; } }
@media screen and (max-width: 40rem) {
  figure img { max-width: none; border: 0; padding: 0; border-radius: 0; }
  picture:has(source) img { max-width: 100%; }
  .cards, .cards tbody { display: block; }
  .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden;
    clip-path: inset(50%); }
  .cards tr { display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; padding: .5rem 0;
    border-bottom: 1px solid var(--line); }
  .cards td { display: block; padding: 0; border: 0; min-width: 0;
    text-align: left !important; }
  .cards td::before { content: attr(data-label); display: block; font-size: .75rem;
    color: var(--soft); }
  .cards td:first-child { flex-basis: 100%; max-width: none; font-weight: 600; }
  .cards td:first-child::before { display: none; } }
@media print { :root { --ink: #000000; --soft: #333333; --line: #999999;
  --ground: #ffffff; --panel: #ffffff; --link: #000000; }
  main { max-width: none; padding: 0; }
  figure, tr, blockquote p { break-inside: avoid; } h2, h3 { break-after: avoid; }
  .scroll { overflow: visible; } table { font-size: .7rem; }
  th, td { padding: .2rem .35rem; } th { white-space: normal; }
  td[style*="left"] { min-width: 4rem; }
  details::details-content { content-visibility: visible; display: block; } }
"""


def write_page(path, page):
    """Write a page to `path`, whole or not at all."""
    with written_whole(path) as file:
        file.write(page.encode())


def summary_html(result):
    """Return verdict, tables and conclusion of a comparison, for a notebook."""
    parts = [f"<p><strong>{html_text(v)}</strong></p>" for v in verdict_lines(result)]
    parts += [_paragraph(title(result)), html_table(*estimator_table(result))]
    for name, table in result.tables.items():
        parts += [
            _paragraph(test_title(name, table)),
            html_table(*test_table(result, name)),
        ]
    parts += map(
        _paragraph, [sign_convention(result), *conclusions(result), *notes(result)]
    )
    return f'<div class="sklearn-cvtest-comparison">{"".join(parts)}</div>'


def report_page(results, draw):
    """Return a self-contained HTML page; `draw` makes the pictures of a result.

    First what was found, the differences and the estimators; what else there is to know
    is folded.

    Parameters
    ----------
    results : dict
        A comparison by what it is about, such as a metric; of only one, "".
    draw : callable
        Of a comparison and of what needs it, to a list of pictures.
    """
    example = next(iter(results.values()))
    heading = _page_title(example)
    lead = title(example)
    if len(results) > 1:
        heading += f" by {len(results)} metrics"
        lead = lead.rpartition(", ")[0]
    pictures = {name: _pictures(result, draw) for name, result in results.items()}
    others = _each({name: other for name, (_, other) in pictures.items()}, str)
    sections = [
        section("Conclusion", _each(results, _conclusion)),
        section("Differences", _each(pictures, lambda both: both[0])),
        section(f"{example.noun.capitalize()}s", _each(results, _estimators)),
        details("Tests", _each(results, _tests)),
        details("Other pictures", others) if others else "",
        details("How to read this", _glossary(example)),
        details("What the tests assume", _assumptions(example)),
        details("For a paper", _each(results, _paper)),
    ]
    return whole_page(heading, lead, sections)


def whole_page(heading, lead, sections):
    """Return a page of sections."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html_text(heading)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n<h1>{html_text(heading)}</h1>\n"
        f'<p class="lead">{html_text(lead)}.</p>\n'
        f"{''.join(sections)}{_footer()}</main>\n</body>\n</html>\n"
    )


def _each(results, part):
    """Return a part of every result, of several under the name of each."""
    parts = {name: part(result) for name, result in results.items()}
    if len(parts) == 1:
        return next(iter(parts.values()))
    return "".join(
        f"<h3>{html_text(name)}</h3>\n{body}" for name, body in parts.items() if body
    )


def _estimators(result):
    return scroll(estimator_table(result), "Means")


def details(title, body):
    """Return a part that is folded until it is asked for."""
    return (
        f"<details>\n<summary><h2>{html_text(title)}</h2></summary>\n{body}</details>\n"
    )


def _page_title(result):
    names = result.losses.estimator_names
    if len(names) == 2:
        return f"Comparison of {names[0]} and {names[1]}"
    return f"Comparison of {len(names)} {result.noun}s"


def section(title, body):
    return f"<section>\n<h2>{html_text(title)}</h2>\n{body}</section>\n"


def _paragraph(text):
    return f"<p>{html_text(text)}</p>"


def paragraphs(texts):
    return "".join(f"{_paragraph(text)}\n" for text in texts)


def scroll(table, label):
    """Return a table that scrolls by itself where the page is too narrow for it."""
    label = html_text(label)
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{label}">'
        f"{html_table(*table, cards=True)}</div>\n"
    )


def _conclusion(result):
    """Return the verdicts, and what has to be known beside them."""
    found = "".join(
        f'<p class="verdict">{html_text(text)}</p>\n' for text in verdict_lines(result)
    )
    return found + paragraphs([*conclusions(result), *notes(result)])


def _tests(result):
    parts = [
        f"<h3>{html_text(test_title(name, table))}</h3>\n"
        + scroll(test_table(result, name), f"Results of {name}")
        for name, table in result.tables.items()
    ]
    return "".join(parts) + _paragraph(sign_convention(result)) + "\n"


def _pictures(result, draw):
    """Return the picture of the differences, and the others."""
    try:
        first, *others = draw(result, "A picture")
    except ImportError as error:
        return paragraphs([f"No pictures: {error}"]), ""
    return figure(first), "".join(map(figure, others))


def figure(picture):
    alt, caption = html_text(picture.title), html_text(picture.caption)
    narrow = ""
    if picture.narrow_uri is not None:
        address = html_text(picture.narrow_uri)
        narrow = f'<source media="screen and (max-width: 40rem)" srcset="{address}">'
    return (
        '<figure>\n<div class="scroll" role="region" tabindex="0" aria-label="Picture">'
        f'<picture>{narrow}<img src="{html_text(picture.uri)}" alt="{alt}"></picture>'
        f"</div>\n<figcaption>{alt}. {caption}</figcaption>\n</figure>\n"
    )


def _glossary(result):
    """Return what the columns mean, of those that there are."""
    table = next(iter(result.tables.values()))
    entries = {
        "difference": f"{sign_convention(result)} The smaller the loss, the better.",
        "interval": "The differences that the test does not reject."
        + SIMULTANEOUS * (table.ci_low_simultaneous is not None),
    }
    by_probability = all(map(is_bayesian, result.tables.values()))
    if by_probability:
        entries["P(first), P(equivalent), P(second)"] = POSTERIOR_MEANING
    else:
        entries["p"] = P_MEANING
    if table.is_adjusted and not by_probability:
        entries[f"p ({table.p_adjust})"] = (
            f"The same, adjusted for having made {table.n_comparisons} comparisons: "
            "decisions are by this one."
        )
    known = any(
        np.isfinite(of_test.rho_alpha).any() for of_test in result.tables.values()
    )
    if known and not by_probability:
        entries["ρ (rho)"] = RHO_MEANING
        entries["ρ_α (rho_alpha)"] = RHO_ALPHA_MEANING
    body = "".join(
        f"<dt>{html_text(term)}</dt>\n<dd>{html_text(text)}</dd>\n"
        for term, text in entries.items()
    )
    return f"<dl>\n{body}</dl>\n"


def _kinds(result):
    """Return the traits of each class of tests, and of the tests inside them."""
    kinds = {}
    for table in result.tables.values():
        traits = table.test.traits
        while traits is not None:
            kinds.setdefault(traits.name, traits)
            traits = traits.inner
    return list(kinds.values())


def _assumptions(result):
    """Return the description of each kind of test."""
    parts = []
    for kind in _kinds(result):
        name = html_text(f"{kind.name}: {kind.title}")
        parts.append(f"<h3>{name}</h3>\n{paragraphs([kind.about] * bool(kind.about))}")
        items = "".join(f"<li>{_reference(paper)}</li>\n" for paper in kind.references)
        parts.append(f"<ol>\n{items}</ol>\n" if items else "")
    return "".join(parts)


ADDRESSES = {"doi": "https://doi.org/", "arxiv": "https://arxiv.org/abs/"}


def _reference(paper):
    """Return a paper, with a link to it."""
    text, identifier = paper
    kind, _, number = identifier.partition(":")
    if kind.lower() not in ADDRESSES:
        return html_text(f"{text} {identifier}".strip())
    address = html_text(ADDRESSES[kind.lower()] + number)
    return f'{html_text(text)} <a href="{address}">{html_text(identifier)}</a>'


def _paper(result):
    """Return the report, and the papers to cite: the first of each test."""
    sentences = paragraphs(result.report().split("\n"))
    papers = dict.fromkeys(
        _reference(paper) for kind in _kinds(result) for paper in kind.references[:1]
    )
    items = "".join(f"<li>{paper}</li>\n" for paper in papers)
    table = (
        "<p>A table (LaTeX, with booktabs):</p>\n"
        '<div class="scroll" role="region" tabindex="0" aria-label="LaTeX">'
        f"<pre>{escape(latex_table(result))}</pre></div>\n"
    )
    cited = f"<p>To cite:</p>\n<ul>\n{items}</ul>\n" if items else ""
    return f"<blockquote>\n{sentences}</blockquote>\n{cited}{table}"


def _footer():
    return f"<footer>{html_text(version_sentence('Written'))}</footer>\n"
