"""What is said of the differences for each value of a label."""

from functools import partial

import numpy as np

from ._document import Document, Sentence, Table
from ._findings import finding
from ._format import format_intervals, format_pvalue
from ._measure import minus
from ._notes import METHODS

MOST = 4  # that are named in a sentence


def labels_document(result):
    """Return the Document of DifferencesByLabel."""
    n_labels, n_pairs = len(result.labels), len(result.pairs)
    lead = f"{n_labels} labels, {n_pairs} pair{'s' * (n_pairs > 1)}"
    names = tuple(dict.fromkeys(name for pair in result.pairs for name in pair))
    return Document("Differences by label", lead, partial(_summary, result), names)


def _summary(result):
    table = Table(*_table(result), label="Differences by label")
    return table, Sentence(labels_sentence(result))


def _table(result):
    several = len(result.pairs) > 1
    headers = ["label", *["difference of"] * several, "examples", "difference"]
    level = result.test.interval_level(result.alpha)
    headers += [f"{100 * level:g}% CI", "p", "p adjusted"]
    cells = _cells(result)
    rows = [
        [
            label,
            *[" - ".join(pair)] * several,
            result.n_examples[row],
            *cells[row, column],
            format_pvalue(result.pvalue[row, column], result.alpha),
            format_pvalue(result.pvalue_adjusted[row, column], result.alpha),
        ]
        for row, label in enumerate(result.labels)
        for column, pair in enumerate(result.pairs)
    ]
    return headers, rows, "<" * (1 + several) + ">" * 5


def _cells(result):
    """Return {(row, column): (difference, interval)} as texts."""
    columns = result.estimate, result.ci_low, result.ci_high
    texts, *ends = format_intervals(*(column.ravel() for column in columns))
    texts, *ends = ([minus(text) for text in column] for column in (texts, *ends))
    intervals = map("{} to {}".format, *ends)
    cells = (
        (t, "–" if t == "nan" else ci) for t, ci in zip(texts, intervals, strict=True)
    )
    return dict(zip(np.ndindex(result.estimate.shape), cells, strict=True))


def labels_sentence(result):
    """Return for which labels which estimator is better."""
    traits = result.test.traits
    found = np.argwhere(result.pvalue_adjusted <= result.alpha)
    n_tested = int(np.isfinite(result.pvalue).sum())
    how = f"not adjusted for {n_tested} comparisons"
    if result.p_adjust is not None:
        how = f"adjusted for {n_tested} comparisons ({METHODS[result.p_adjust]})"
    intro = f"By {traits.name} at level {result.alpha:g}, {how}, "
    if not len(found) and not traits.names_winner:
        return f"{intro}{finding(result.test, False)}, for any label."
    if not len(found):
        return (
            f"{intro}the difference is not significant for any label. This does not "
            f"show that it is the same for all.{_of_pair(result)}"
        )
    cells = _cells(result)
    parts = [_found(result, row, column, cells) for row, column in found[:MOST]]
    parts += [f"and {len(found) - MOST} more"] * (len(found) > MOST)
    return (
        f"{intro}{finding(result.test, True)} for {', '.join(parts)}.{_of_pair(result)}"
    )


def _of_pair(result):
    """Return whom a difference favours, where the rows are of a single pair."""
    if len(result.pairs) > 1:
        return ""
    ((first, second),) = result.pairs
    return f" A difference above 0 favours {second}, below 0 {first}."


def _found(result, row, column, cells):
    pair = result.pairs[column]
    of = f"{' - '.join(pair)}: " if len(result.pairs) > 1 else ""
    p = format_pvalue(result.pvalue_adjusted[row, column], result.alpha)
    estimate = result.estimate[row, column]
    better = ""
    if result.test.traits.names_winner and not result.test.popmean:
        better = f"; {pair[int(estimate > 0)]} is better"
    by, interval = cells[row, column]
    return f"{result.labels[row]} ({of}{by}, CI {interval}, p = {p}{better})"
