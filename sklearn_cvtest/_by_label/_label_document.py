"""What is said of the differences for each value of a label."""

import numpy as np

from .._report import _format
from .._report._document import Document, Sentence, table_of, verdict
from .._report._format import NOTHING, counted
from .._report._note_sentences import METHODS
from .._report._printed_names import in_sentences_by_name, in_tables_by_name
from .._report._shown_pairs import ahead_columns
from .._report._verdict import claim_of_pairs
from .._validation import one_line
from . import _label_sentences as sentences

MOST_CLAIMS = 4  # that are named in a sentence


def labels_document(result):
    """Return the Document of DifferencesByLabel."""
    n_labels, n_pairs = len(result.labels), len(result.pairs)
    traits, adjustment = result.test.traits, sentences.LABELS_NOT_ADJUSTED
    if result.p_adjust is not None:
        intervals = "not adjusted"
        if result.is_simultaneous:
            intervals = "simultaneous (Bonferroni)"
        n_comparisons = int(np.isfinite(result.pvalue).sum())
        comparisons = counted(n_comparisons, "comparison")
        method = METHODS[result.p_adjust]
        adjustment = sentences.labels_adjusted(comparisons, method, intervals)
    note = sentences.labels_note(traits.name, traits.title, adjustment)
    blocks = [verdict(labels_sentence(result))]
    if np.isfinite(result.pvalue).any():
        blocks += [_labels_table(result), Sentence(note)]
    return Document(
        "Differences by label",
        f"{counted(n_labels, 'label')}, {counted(n_pairs, 'pair')}",
        lambda: tuple(blocks),
    )


def _labels_table(result):
    """Return a row for each label and pair: the one that is ahead first."""
    short = in_tables_by_name(np.ravel(result.pairs))
    pairs = [[short[name] for name in pair] for pair in result.pairs]
    measure, names = result.measure, np.array(pairs, dtype=object)
    first, second = np.tile(names.T, len(result.labels))
    sides = (ends.ravel() for ends in (result.shown_effect, *result.shown_intervals))
    can_flip = result.test.alternative == "two-sided" and not result.test.popmean
    level = _format.percent(result.test.interval_level(result.alpha))
    columns = {
        "label": [str(label) for label in result.labels for _ in names],
        **ahead_columns(measure, level, first, second, sides, can_flip),
        _format.p_head(result.p_adjust): [
            NOTHING if np.isnan(value) else _format.shown_pvalue(value, result.alpha)
            for value in result.pvalue_adjusted.ravel()
        ],
        "examples": np.repeat(result.n_examples, len(names)),
    }
    is_tested = np.flatnonzero(np.isfinite(result.pvalue))  # a warning has the others
    columns = {head: [values[k] for k in is_tested] for head, values in columns.items()}
    return table_of(columns, "Differences by label", n_left=3)


def labels_sentence(result):
    """Return for which labels which model is better."""
    test, alpha, adjusted = result.test, result.alpha, result.pvalue_adjusted
    symbol = "p" if result.p_adjust is None else "adjusted p"
    significant = np.argwhere(adjusted <= alpha)
    claim = claim_of_pairs(test, result.measure)
    names = in_sentences_by_name(np.ravel(result.pairs))
    has_winners = test.traits.names_winner and not test.popmean
    if np.isnan(adjusted).all():
        return sentences.NO_LABEL_IS_TESTED
    if not len(significant):
        p = _format.equals(f"smallest {symbol}", np.nanmin(adjusted), alpha)
        if has_winners:
            names = _format.join_names(list(names.values()))
            return one_line(sentences.no_label_differs(names, p))
        return one_line(sentences.claim_for_no_label(claim, p))
    groups = {}
    for row, column in significant.tolist():
        first, second = (names[name] for name in result.pairs[column])
        if not has_winners:
            text = sentences.claim_for_labels(first, second, claim)
        elif result.estimate[row, column] > 0:
            text = sentences.better_for_labels(second, first)
        else:
            text = sentences.better_for_labels(first, second)
        groups.setdefault(text, []).append((row, adjusted[row, column]))
    claims = []
    for text, rows in list(groups.items())[:MOST_CLAIMS]:
        labels = _format.join_names([str(result.labels[row]) for row, _ in rows])
        p = _format.at_most(symbol, [p for _, p in rows], alpha)
        claims.append(f"{text} for {labels} ({p})")
    n_more = len(groups) - MOST_CLAIMS
    if n_more > 0:
        claims.append(f"and {counted(n_more, 'more pair')}")
    return one_line(f"{'; '.join(claims)}.")
