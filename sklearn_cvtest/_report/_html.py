"""A comparison as HTML: for notebooks, and as a page of its own."""

import inspect
import platform
import re

import numpy as np
import scipy
import sklearn
from sklearn.base import BaseEstimator

from .._data._files import written_whole
from .._version import __version__
from ._format import html_table, html_text

__all__ = ["report_page", "summary_html", "write_page"]

FEW_PAIRS = 3
SECTION = re.compile(r"^(\w[\w ]*)\n-+$", re.MULTILINE)
REFERENCE = re.compile(r"^\.\. \[\d+\] ", re.MULTILINE)
MARKUP = [  # reStructuredText, after escaping
    (re.compile(r":doi:`([^`]+)`"), r'<a href="https://doi.org/\1">doi:\1</a>'),
    (
        re.compile(r":arxiv:`([^`]+)`"),
        r'<a href="https://arxiv.org/abs/\1">arXiv:\1</a>',
    ),
    (re.compile(r"(?::\w+:)?`+([^`]+)`+"), r"<code>\1</code>"),
    (re.compile(r"(?<!\w)\*([^*\s][^*]*)\*"), r"<em>\1</em>"),
    (re.compile(r"\[(\d+)\]_"), r"[\1]"),
]

SIMULTANEOUS = " Of several pairs, at a level at which all hold at once (Bonferroni)."
P_MEANING = (
    "How probable a result at least as extreme would be, did the null hypothesis of "
    "the test hold and were its assumptions met. It is not the probability of the null "
    "hypothesis, and a large one is no evidence for it."
)
RHO_MEANING = (
    "The share of the variance of the mean difference that comes from splits moving "
    "together, as they do because they share training examples. The usual t test takes "
    "it for 0. One cross-validation gives no unbiased estimate of it."
)
RHO_ALPHA_MEANING = (
    "The largest ρ at which the difference is still significant, before any "
    "adjustment: whoever takes ρ to be smaller may call it significant, whoever takes "
    "it to be larger may not. Negative: it is not significant even at ρ = 0. In "
    "10-fold cross-validation, Grandvalet and Bengio (2006) saw no ρ above 0.7."
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
td { min-width: 4.5rem; max-width: 20rem; }
td[style*="right"] { white-space: nowrap; }
figure { margin: 1rem 0; }
figure img { display: block; max-width: 100%; height: auto; background: #ffffff;
  border: 1px solid var(--line); border-radius: 4px; padding: .5rem; }
@media screen and (max-width: 40rem) { figure img { max-width: none;
  width: 32rem; } }
figcaption { font-size: .9rem; margin-top: .3rem; }
blockquote { margin: .5rem 0; padding: .2rem 1rem; background: var(--panel);
  border-left: 4px solid var(--line); }
dt { font-weight: 600; margin-top: .6rem; }
dd { margin: 0 0 0 1.2rem; }
code { font-size: .9em; }
footer { margin-top: 2.5rem; font-size: .85rem; }
@media print { :root { --ink: #000000; --soft: #333333; --line: #999999;
  --ground: #ffffff; --panel: #ffffff; --link: #000000; }
  main { max-width: none; padding: 0; }
  figure, table, blockquote p { break-inside: avoid; } h2, h3 { break-after: avoid; }
  .scroll { overflow: visible; } }
"""


def write_page(path, page):
    """Write a page to `path`, whole or not at all."""
    with written_whole(path) as file:
        file.write(page.encode())


def summary_html(comparison):
    """Return tables and conclusion of a comparison, for a notebook."""
    table = html_table(*comparison._estimator_table())
    parts = [_paragraph(comparison._title()), table]
    for name in comparison._fitted:
        parts += [
            _paragraph(comparison._test_title(name)),
            html_table(*comparison._test_table(name)),
        ]
    parts.append(_paragraph(comparison._sign_convention()))
    if len(comparison.pairs) == 1:
        parts += [_paragraph(comparison._conclusion(row)) for row in comparison._rows()]
    parts += map(_paragraph, comparison._notes())
    return f'<div class="sklearn-cvtest-comparison">{"".join(parts)}</div>'


def report_page(comparison, draw):
    """Return a self-contained HTML page; `draw` makes the pictures of a comparison."""
    title = _page_title(comparison)
    sections = [
        _section("Conclusion", _conclusion(comparison)),
        _section("Pictures", _pictures(comparison, draw)),
        _section("Estimators", _scroll(comparison._estimator_table(), "Estimators")),
        _section("Tests", _tests(comparison)),
        _section("How to read this", _glossary(comparison)),
        _section("What the tests assume", _assumptions(comparison)),
        _section("For a paper", _paper(comparison)),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html_text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<main>\n<h1>{html_text(title)}</h1>\n"
        f'<p class="lead">{html_text(comparison._title())}.</p>\n'
        f"{''.join(sections)}{_footer()}</main>\n</body>\n</html>\n"
    )


def _page_title(comparison):
    names = comparison.estimator_names
    if len(names) == 2:
        return f"Comparison of {names[0]} and {names[1]}"
    return f"Comparison of {len(names)} estimators"


def _section(title, body):
    return f"<section>\n<h2>{html_text(title)}</h2>\n{body}</section>\n"


def _paragraph(text):
    return f"<p>{html_text(text)}</p>"


def _paragraphs(texts):
    return "".join(f"{_paragraph(text)}\n" for text in texts)


def _scroll(table, label):
    """Return a table that scrolls by itself where the page is too narrow for it."""
    label = html_text(label)
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{label}">'
        f"{html_table(*table)}</div>\n"
    )


def _conclusion(comparison):
    """Return the conclusions for few pairs; for many, how many were significant."""
    rows = list(comparison._rows())
    if len(comparison.pairs) <= FEW_PAIRS:
        texts = [_row_conclusion(comparison, row) for row in rows]
    else:
        texts = [_count(comparison, name, rows) for name in comparison._fitted]
    return _paragraphs([*texts, *comparison._notes()])


def _row_conclusion(comparison, row):
    start = f"{row['first']} and {row['second']}"
    if len(comparison._fitted) > 1:
        start += f", by {row['test']}"
    return f"{start}: {comparison._conclusion(row)}"


def _count(comparison, name, rows):
    p = f"p ({comparison.p_adjust})" if comparison._is_adjusted() else "p"
    rows = [row for row in rows if row["test"] == name]
    found = [row for row in rows if row["pvalue_adjusted"] <= comparison.alpha]
    names = "; ".join(
        f"{row['first']} and {row['second']}"
        + (f" ({comparison._better(row)} is better)" if comparison._better(row) else "")
        for row in found
    )
    listed = f": {names}" if names else ""
    return (
        f"{name}: {len(found)} of {len(rows)} pairs have {p} ≤ "
        f"{comparison.alpha:g}{listed}."
    )


def _tests(comparison):
    parts = [
        f"<h3>{html_text(comparison._test_title(name))}</h3>\n"
        + _scroll(comparison._test_table(name), f"Results of {name}")
        for name in comparison._fitted
    ]
    return "".join(parts) + _paragraph(comparison._sign_convention()) + "\n"


def _pictures(comparison, draw):
    try:
        pictures = draw(comparison, "A picture")
    except ImportError as error:
        return _paragraphs([f"No pictures: {error}"])
    return "".join(map(_figure, pictures))


def _figure(picture):
    alt, caption = html_text(picture.title), html_text(picture.caption)
    return (
        '<figure>\n<div class="scroll" role="region" tabindex="0" aria-label="Picture">'
        f'<img src="{html_text(picture.uri)}" alt="{alt}"></div>\n'
        f"<figcaption>{alt}. {caption}</figcaption>\n</figure>\n"
    )


def _glossary(comparison):
    """Return what the columns mean, of those that there are."""
    entries = {
        "difference": f"{comparison._sign_convention()} A loss is smaller-is-better.",
        "interval": "The differences that the test does not reject."
        + SIMULTANEOUS * comparison._has_simultaneous_intervals(),
        "p": P_MEANING,
    }
    if comparison._is_adjusted():
        entries[f"p ({comparison.p_adjust})"] = (
            f"The same, adjusted for having made {len(comparison.pairs)} comparisons: "
            "decisions are by this one."
        )
    if not np.isnan([row["rho_alpha"] for row in comparison._rows()]).all():
        entries["ρ (rho)"] = RHO_MEANING
        entries["ρ_α (rho_alpha)"] = RHO_ALPHA_MEANING
    body = "".join(
        f"<dt>{html_text(term)}</dt>\n<dd>{html_text(text)}</dd>\n"
        for term, text in entries.items()
    )
    return f"<dl>\n{body}</dl>\n"


def _kinds(comparison):
    """Return one test of each class, and of the tests inside them."""
    kinds = {}
    for one in comparison._unfitted.values():
        for test in (one, *one.get_params(deep=False).values()):
            if isinstance(test, BaseEstimator):
                kinds.setdefault(type(test), test)
    return kinds


def _assumptions(comparison):
    """Return what each kind of test says of itself."""
    parts = []
    for kind, test in _kinds(comparison).items():
        parts.append(f"<h3>{html_text(kind.__name__)}: {html_text(test.title)}</h3>\n")
        texts = _docstring(kind)[""].strip().split("\n\n")
        parts += [f"<p>{_markup(text)}</p>\n" for text in texts]
        items = "".join(f"<li>{_markup(paper)}</li>\n" for paper in _papers(kind))
        parts.append(f"<ol>\n{items}</ol>\n" if items else "")
    return "".join(parts)


def _papers(kind):
    return REFERENCE.split(_docstring(kind).get("References", ""))[1:]


def _docstring(kind):
    """Return the sections of a numpydoc docstring, the first one under ""."""
    first, *rest = SECTION.split(inspect.getdoc(kind) or "")
    return {"": first} | dict(zip(rest[::2], rest[1::2], strict=True))


def _markup(text):
    text = html_text(text)
    for pattern, replacement in MARKUP:
        text = pattern.sub(replacement, text)
    return text


def _paper(comparison):
    """Return the report, and the papers to cite: the first of each test."""
    sentences = _paragraphs(comparison.report().split("\n"))
    papers = [_papers(kind)[:1] for kind in _kinds(comparison)]
    papers = dict.fromkeys(_markup(paper) for found in papers for paper in found)
    items = "".join(f"<li>{paper}</li>\n" for paper in papers)
    cited = f"<p>To cite:</p>\n<ul>\n{items}</ul>\n" if items else ""
    return f"<blockquote>\n{sentences}</blockquote>\n{cited}"


def _footer():
    versions = {
        "sklearn_cvtest": __version__,
        "scikit-learn": sklearn.__version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "Python": platform.python_version(),
    }
    listed = ", ".join(f"{name} {version}" for name, version in versions.items())
    return f"<footer>Written with {html_text(listed)}.</footer>\n"
