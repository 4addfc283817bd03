"""What is said of the best set, and of the best of many."""

import numpy as np

from .._report._document import Document, Sentence, table_of, verdict
from .._report._findings import scope
from .._report._format import (
    MAX_LISTED,
    are,
    at_most,
    capitalised,
    equal_means,
    join_names,
    more_are,
    percent,
    shown_pvalue,
)
from .._report._metric_format import metric_format_of
from .._report._notes import FAMILY_OF_SET
from .._report._printed_names import (
    in_sentences,
    in_sentences_by_name,
    in_tables_by_name,
    short_forms,
)

# What the corrected mean of the best of many is.
SELECTION_BIAS = (
    "The mean of the best of many models is optimistically biased by selection. The "
    "corrected mean and its interval account for this bias."
)
SELECTION_BIAS_OF_SCORES = (
    " With one score per split, the correction depends on the ρ that the test assumes: "
    "if ρ is smaller, the correction is too large."
)
MAX_ROWS = 60
MAX_WORSE_LISTED = 4  # names of worse ones in a sentence


def best_set_document(result):
    """Return the Document of a BestSet."""
    word = metric_format_of(result.losses).word
    lead = f"{len(result.pvalues)} {result.noun}s by {word}"
    return Document(
        f"The best {result.noun}s",
        lead,
        lambda: (verdict(_best_set_sentence(result)), *_best_set_blocks(result)),
    )


def _best_set_sentence(result):
    """Return who may be the best, and how many others are worse."""
    measure = metric_format_of(result.losses)
    shown_names = in_sentences(result.shown_names)
    name_texts = dict(zip(result.pvalues, shown_names, strict=True))
    best, *tied = (name_texts.pop(name) for name in result.names)
    worse = list(name_texts.values())
    p = f"p > {result.alpha:g}"
    if worse:
        pvalues = [result.pvalues[name] for name in name_texts]
        p = at_most("p", pvalues, result.alpha)
    if worse and not tied:
        return f"{best} is significantly better than all others ({p})."
    least, *means = (result.mean_losses[name] for name in result.names)
    are_equal = np.isclose(means, least, rtol=1e-12, atol=0)
    equal = [name for name, is_equal in zip(tied, are_equal, strict=True) if is_equal]
    mean = f"{measure.value(least)}{equal_means(equal)}"
    tied_text = f"{join_names(tied)} {are(tied)}"
    if not worse and len(tied) > MAX_LISTED:
        tied_text = f"the other {len(tied)} are"
    if not worse:
        return (
            f"{best} has the {measure.best}, {mean}; {tied_text} not significantly "
            f"worse ({p})."
        )
    worse_text = join_names(worse)
    if len(worse) > MAX_WORSE_LISTED:
        worse_text = f"the other {len(worse)}"
    return (
        f"{best} has the {measure.best}, {mean}; {tied_text} not significantly worse; "
        f"{worse_text} {are(worse)} significantly worse ({p})."
    )


def _best_set_blocks(result):
    """Return the table of a BestSet, and what explains it."""
    table = table_of(_best_set_columns(result), "Which may be the best")
    note = Sentence(_best_set_note(result))
    n_hidden = len(result.pvalues) - MAX_ROWS
    if n_hidden <= 0:
        return table, note
    hidden = Sentence(f"{more_are(n_hidden, result.noun)} in to_frame().")
    return table, hidden, note


def _best_set_columns(result):
    """Return the columns of the printed table of a BestSet, lists of texts."""
    measure = metric_format_of(result.losses)
    names = list(result.pvalues)[:MAX_ROWS]
    name_texts = list(short_forms(result.shown_names)[: len(names)])
    may_be_best = set(result.names)
    for row, name in enumerate(names):
        if name in may_be_best:
            name_texts[row] += " †"
    columns = {result.noun: name_texts}
    means = [measure.sign * result.mean_losses[name] for name in names]
    columns[measure.header] = [measure.end(mean) for mean in means]
    p_texts = [shown_pvalue(result.pvalues[name], result.alpha) for name in names]
    differences = [side[: len(names)] for side in result.found.differences]
    effect = measure.effect(result.found.ratios is not None)
    distances, intervals = effect.intervals(*differences)
    columns_of_others = {
        "behind the best": distances,
        f"{percent(1 - result.alpha)} CI": intervals,
        "p": p_texts,
    }
    for texts in columns_of_others.values():
        texts[0] = ""  # the best is not behind itself
    return columns | columns_of_others


def _best_set_note(result):
    """Return what the mark in the table means, and what p-values are."""
    mark = f"† may be the best ({percent(1 - result.alpha)} confidence)"
    return f"{mark}; {FAMILY_OF_SET}"


# The best one ------------------------------------------------------------------------


def winner_document(result):
    """Return the Document of a WinnerInterval."""
    names = result.losses.estimator_names
    name = in_tables_by_name(names)[result.shown_name]
    name_in_sentence = in_sentences_by_name(names)[result.shown_name]
    best = f"the best of {result.n_compared} {result.noun}s"
    about = scope(result, result.test)
    means, intervals = _percents(result)
    mean, corrected = means
    _, interval = intervals
    level = percent(1 - result.alpha)
    measure = metric_format_of(result.losses)
    sentence = (
        f"{name_in_sentence} was selected as {best}. After correction for selection, "
        f"its {measure.word} is estimated at {corrected} ({level} CI {interval})"
        f"{about}; uncorrected: {mean}."
    )
    columns = {
        name: ["uncorrected", "corrected for selection"],
        measure.mean_word: means,
        f"{level} CI": intervals,
    }
    caption = (
        f"{name_in_sentence}, {best}: uncorrected, and corrected for selection. By "
        f"{result.losses.design}{about}."
    )
    table = table_of(columns, "Means", note=caption)
    metric = result.losses.loss_name
    note = SELECTION_BIAS
    if not result.losses.per_example:
        note += SELECTION_BIAS_OF_SCORES
    return Document(
        capitalised(best),
        f"{name}, {best}",
        lambda: (verdict(sentence), table, Sentence(note)),
        findings=lambda: {"verdict": sentence, "metric": metric, "alpha": result.alpha},
        rows="winner",
    )


def _percents(result):
    """Return the mean as it came out and corrected, and their intervals, as texts."""
    losses = result.losses
    measure = metric_format_of(losses)
    means = [result.mean, result.estimate]
    lows = [result.mean_low, result.ci_low]
    highs = [result.mean_high, result.ci_high]
    users_means, _ = measure.users_ends(means, means)
    users_lows, users_highs = measure.users_ends(lows, highs)
    texts, intervals = measure.means(users_means, users_lows, users_highs)
    if not measure.is_share:
        return texts, intervals
    texts = [f"{text}%" for text in texts]
    intervals = [interval.replace(" to", "% to") + "%" for interval in intervals]
    return texts, intervals
