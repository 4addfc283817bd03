"""What is said of the best set, and of the best of many."""

import numpy as np

from .._report._document import Document, Sentence, table_of, verdict
from .._report._findings import scope
from .._report._format import (
    MAX_LISTED,
    are,
    at_most,
    capitalised,
    join_names,
    more_are,
    percent,
    shown_pvalue,
)
from .._report._metric_format import metric_format_of
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
    by_name = dict(zip(result.pvalues, shown_names, strict=True))
    best, *tied = (by_name.pop(name) for name in result.names)
    worse = list(by_name.values())
    p = f"p > {result.alpha:g}"
    if worse:
        values = [result.pvalues[name] for name in by_name]
        are_bounds = any(name in result.at_most for name in by_name)
        p = at_most("p", values, result.alpha, are_bounds=are_bounds)
    mean = measure.value(next(iter(result.mean_losses.values())))
    if not tied and worse:
        return f"{best} is significantly better than all others ({p})."
    tied_text = f"{join_names(tied)} {are(tied)}"
    if not worse and len(tied) > MAX_LISTED:
        tied_text = f"the other {len(tied)} are"
    if not worse:
        return (
            f"{best} has the {measure.best}, {mean}; {tied_text} not significantly "
            f"worse ({p})."
        )
    worse_text = join_names(worse)
    if len(worse) > 4:
        worse_text = f"the other {len(worse)}"
    return (
        f"{best} has the {measure.best}, {mean}; {tied_text} not significantly worse; "
        f"{worse_text} {are(worse)} significantly worse ({p})."
    )


def _best_set_blocks(result):
    """Return the table of a BestSet, and what explains it."""
    measure, names = metric_format_of(result.losses), list(result.pvalues)[:MAX_ROWS]
    name_texts = list(short_forms(result.shown_names)[: len(names)])
    for row, name in enumerate(names):
        if name in result.names:
            name_texts[row] += " †"
    columns = {result.noun: name_texts}
    if result.n_splits_run is not None:
        columns["splits"] = [str(result.n_splits_run[name]) for name in names]
    means = [measure.sign * result.mean_losses[name] for name in names]
    columns[measure.header] = [measure.end(mean) for mean in means]
    if result.found is not None:
        behind = result.found.differences_of(np.arange(len(names)))
        effect = measure.effect(result.found.ratios is not None)
        heads = "behind the best", f"{percent(1 - result.alpha)} CI"
        columns |= zip(heads, effect.intervals(*behind), strict=True)
    columns["p"] = [
        shown_pvalue(result.pvalues[name], result.alpha, name in result.at_most)
        for name in names
    ]
    if result.found is not None:  # the best is not behind itself
        for head in (*heads, "p"):
            columns[head][0] = ""
    blocks = [table_of(columns, "Which may be the best")]
    n_hidden = len(result.pvalues) - MAX_ROWS
    if n_hidden > 0:
        blocks.append(Sentence(f"{more_are(n_hidden, result.noun)} in to_frame()."))
    return *blocks, Sentence(_best_set_note(result))


def _best_set_note(result):
    """Return what the mark in the table means, and what p-values are."""
    mark = f"† may be the best ({percent(1 - result.alpha)} confidence)"
    if result.n_splits_run is not None:  # of a race
        return (
            f"{mark}; p is one-sided, against all others. Candidates leave the race "
            "when another is significantly better; each mean is over the splits that "
            "were run, and p is adjusted for the number of looks."
        )
    if result.about == "models":
        return f"{mark}; p is one-sided, against all others; about these fitted models."
    return f"{mark}; p-values and intervals are adjusted for all pairs of models."


# The best one ------------------------------------------------------------------------


def winner_document(result):
    """Return the Document of a WinnerInterval."""
    names = result.losses.estimator_names
    name = in_tables_by_name(names)[result.shown_name]
    name_in_sentence = in_sentences_by_name(names)[result.shown_name]
    best = f"the best of {result.n_compared} {result.noun}s"
    about = scope(result, result.test)
    (mean, corrected), (mean_interval, interval) = _percents(result)
    level, measure = percent(1 - result.alpha), metric_format_of(result.losses)
    sentence = (
        f"{name_in_sentence} was selected as {best}. After correction for selection, "
        f"its {measure.word} is estimated at {corrected} ({level} CI {interval})"
        f"{about}; uncorrected: {mean}."
    )
    columns = {
        name: ["uncorrected", "corrected for selection"],
        measure.mean_word: [mean, corrected],
        f"{level} CI": [mean_interval, interval],
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
    measure = metric_format_of(result.losses)
    middles = [result.mean, result.estimate]
    middles, _ = measure.users_ends(middles, middles)
    lows, highs = [result.mean_low, result.ci_low], [result.mean_high, result.ci_high]
    middles, intervals = measure.means(middles, *measure.users_ends(lows, highs))
    sign = "%" if measure.is_share else ""
    intervals = [text.replace(" to", f"{sign} to") + sign for text in intervals]
    return [text + sign for text in middles], intervals


# Each one ----------------------------------------------------------------------------
