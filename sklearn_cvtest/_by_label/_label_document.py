"""What is said of the differences for each value of a label."""

from itertools import compress

import numpy as np

from .._report import _format
from .._report._document import Document, Sentence, table_of, verdict
from .._report._format import ADJUSTMENTS, NOTHING, counted
from .._report._printed_names import in_sentences_by_name, in_tables_by_name
from .._report._shown_pairs import ahead_columns
from .._report._verdict import claim_of_pairs
from .._validation import one_line


def labels_document(result):
    """Return the Document of DifferencesByLabel."""
    n_labels = len(result.labels)
    n_pairs = len(result.pairs)
    traits = result.test.traits
    note = (
        f"{traits.name}: {traits.title}. {_adjustment(result)}Significance for one "
        "label and not for another is no evidence that the difference depends on the "
        "label."
    )
    blocks = [verdict(labels_sentence(result))]
    if np.isfinite(result.pvalue).any():
        blocks += [_labels_table(result), Sentence(note)]
    return Document(
        "Differences by label",
        f"{counted(n_labels, 'label')}, {counted(n_pairs, 'pair')}",
        lambda: tuple(blocks),
    )


def _adjustment(result):
    """Return how p-values and intervals of labels are adjusted, "" of one."""
    if result.n_comparisons == 1:
        return ""
    if result.p_adjust is None:
        return "p-values and intervals are not adjusted. "
    method = ADJUSTMENTS[result.p_adjust]
    return (
        "p-values, and intervals with them, are adjusted for "
        f"{result.n_comparisons} comparisons ({method}). "
    )


def _labels_table(result):
    """Return a row for each label and pair: the one that is ahead first."""
    short = in_tables_by_name(np.ravel(result.pairs))
    labels = []
    first = []
    second = []
    n_examples = []
    for label, n_examples_of_label in zip(
        result.labels, result.n_examples, strict=True
    ):
        for name, other in result.pairs:
            labels.append(str(label))
            first.append(short[name])
            second.append(short[other])
            n_examples.append(n_examples_of_label)
    lows, highs = result.shown_intervals
    sides = result.shown_effect.ravel(), lows.ravel(), highs.ravel()
    can_flip = result.test.alternative == "two-sided" and not result.test.popmean
    level = _format.percent(result.test.interval_level(result.alpha))
    first = np.array(first, dtype=object)
    second = np.array(second, dtype=object)
    pvalues = []
    for pvalue in result.pvalue_adjusted.ravel():
        text = NOTHING
        if not np.isnan(pvalue):
            text = _format.shown_pvalue(pvalue, result.alpha)
        pvalues.append(text)
    columns = {"label": labels}
    columns |= ahead_columns(result.measure, level, first, second, sides, can_flip)
    columns[_format.p_head(result.p_adjust if result.is_adjusted else None)] = pvalues
    columns["examples"] = n_examples
    is_tested = np.isfinite(result.pvalue).ravel()  # a warning has the others
    for head, values in columns.items():
        columns[head] = list(compress(values, is_tested))
    return table_of(columns, "Differences by label", n_left=3)


def labels_sentence(result):
    """Return for which labels which model is better."""
    adjusted = result.pvalue_adjusted
    alpha = result.alpha
    if np.isnan(adjusted).all():
        return "No label has enough examples for a test."
    symbol = "adjusted p" if result.is_adjusted else "p"
    claim = claim_of_pairs(result.test, result.measure)
    names = in_sentences_by_name(np.ravel(result.pairs))
    has_winners = result.test.traits.names_winner and not result.test.popmean
    if not (adjusted <= alpha).any():
        p = _format.equals(f"smallest {symbol}", np.nanmin(adjusted), alpha)
        if has_winners:
            models = _format.join_names(list(names.values()))
            text = f"No significant difference between {models} for any label ({p})."
        else:
            text = f"For no label is it shown that {claim} ({p})."
        return one_line(text)
    rows_of_claims = {}  # by who is better than whom, the rows of labels
    for row, column in np.argwhere(adjusted <= alpha).tolist():
        first, second = result.pairs[column]
        if has_winners and result.estimate[row, column] > 0:
            first, second = second, first
        rows_of_claims.setdefault((first, second, column), []).append(row)
    most = 4
    clauses = []
    for (first, second, column), rows in list(rows_of_claims.items())[:most]:
        labels = _format.join_names([str(result.labels[row]) for row in rows])
        p = _format.at_most(symbol, adjusted[rows, column], alpha)
        first = names[first]
        second = names[second]
        clause = f"{first}, {second}: {claim}"
        if has_winners:
            clause = f"{first} is significantly better than {second}"
        clauses.append(f"{clause} for {labels} ({p})")
    n_more = len(rows_of_claims) - most
    if n_more > 0:
        clauses.append(f"and {counted(n_more, 'more pair')}")
    return one_line(f"{'; '.join(clauses)}.")
