"""What is said of the means of models: intervals, the best of many, the best set."""

from functools import partial

import numpy as np
from sklearn.base import clone

from .._splits._groups import few_groups_note
from ._document import Document, Sentence, table_of, verdict
from ._findings import broken_groups_note, scope
from ._format import are, at_most, listed, percent, shown_pvalue, version_sentence
from ._measure import format_number, measure_of, users_ends
from ._notes import equal_notes
from ._words import short_name

ENDS = ("estimate", "ci_low", "ci_high")
MAX_ROWS = 60
# The set that may hold the best.
ALONE = "{best} is significantly better than all others ({p})."
ALL = (
    "{best} has the {measure}, {mean}; none of the other {n} is significantly worse "
    "({p})."
)
SOME = (
    "{best} has the {measure}, {mean}; {tied} {are} not significantly worse; {out} "
    "{are_out} significantly worse ({p})."
)
IN_SET = "† may be the best ({sure} confidence); p is one-sided, against all others"
RACE = (
    " Candidates leave the race when another is significantly better; each mean is "
    "over the splits that were run, and p is adjusted for the number of looks."
)
# The best one, corrected for selection.
WINNER = (
    "{name} was selected as {best}. After correction for selection, its {word} is "
    "estimated at {middle} ({level} CI {interval}){about}; uncorrected: {mean}."
)
SELECTED = (
    "The mean of the best of many models is optimistically biased by selection. The "
    "corrected mean and its interval account for this bias."
)
ASSUMED = (
    " With one score per split, the correction depends on the ρ that the test assumes: "
    "if ρ is smaller, the correction is too large."
)


def best_set_document(result):
    """Return the Document of a BestSet."""
    lead = f"{len(result.pvalues)} {result.noun}s by {measure_of(result.losses).word}"
    return Document(
        f"The best {result.noun}s",
        lead,
        lambda: (verdict(_best_set_sentence(result)), *_best_set_blocks(result)),
        result.shown_names,
    )


def _best_set_sentence(result):
    """Return who may be the best, and how many others are worse."""
    measure, k = measure_of(result.losses), len(result.pvalues)
    by_name = dict(zip(result.pvalues, result.shown_names, strict=True))
    best, *tied = (by_name[name] for name in result.names)
    out = [by_name[name] for name in by_name if name not in result.names]
    pvalues = [p for name, p in result.pvalues.items() if name not in result.names]
    return (ALL if not out else SOME if tied else ALONE).format(
        best=best,
        measure=measure.best,
        mean=measure.value(next(iter(result.mean_losses.values()))),
        tied=listed(tied),
        are=are(tied),
        n=k - 1,
        out=f"the other {len(out)}" if len(out) > 4 else listed(out),
        are_out=are(out),
        p=at_most("p", max(pvalues), result.alpha) if out else f"p > {result.alpha:g}",
    )


def _best_set_blocks(result):
    """Return the table of a BestSet, and what explains it."""
    measure, names = measure_of(result.losses), list(result.pvalues)[:MAX_ROWS]
    marks = [" †" * (name in result.names) for name in names]
    shown = zip(result.shown_names, marks, strict=False)
    means = [measure.sign * result.mean_losses[name] for name in names]
    columns = {result.noun: [name + mark for name, mark in shown]}
    if result.n_splits_run is not None:
        columns["splits"] = [str(result.n_splits_run[name]) for name in names]
    columns[measure.header] = measure.numbers(*means)
    if result.found is not None:
        found = result.found.differences_of(np.arange(len(names)))
        heads = "behind the best", f"{percent(1 - result.alpha)} CI"
        columns |= zip(heads, measure.intervals(*found), strict=True)
    columns["p"] = [
        shown_pvalue(result.pvalues[name], result.alpha, name in result.at_most)
        for name in names
    ]
    n_hidden = len(result.pvalues) - MAX_ROWS
    more = [Sentence(f"And {n_hidden} more: to_frame().")] if n_hidden > 0 else []
    note = IN_SET.format(sure=percent(1 - result.alpha))
    note += "; intervals hold simultaneously" * (result.found is not None)
    note += "; about these fitted models" * (result.about == "models")
    note += f".{RACE * (result.n_splits_run is not None)}"
    return table_of(columns, "Which may be the best"), *more, Sentence(note)


# The best one ------------------------------------------------------------------------


def winner_document(result):
    """Return the Document of a WinnerInterval."""
    name, best = result.shown_name, f"the best of {result.n_compared} {result.noun}s"
    (mean, middle), (own, interval) = _percents(result)
    level, word = percent(1 - result.alpha), measure_of(result.losses).word
    about = scope(result, result.test)
    sentence = WINNER.format(
        name=name, best=best, word=word, middle=middle, level=level,
        interval=interval, about=about, mean=mean,
    )  # fmt: skip
    columns = {
        name: ["uncorrected", "corrected for selection"],
        f"mean {word}": [mean, middle],
        f"{level} CI": [own, interval],
    }
    table = table_of(columns, "Means")
    note = SELECTED + ASSUMED * (not result.losses.per_example)
    what = "uncorrected, and corrected for selection"
    caption = f"{name}, {best}: {what}. By {result.losses.design}{about}."
    return Document(
        best[0].upper() + best[1:],
        f"{name}, {best}",
        lambda: (verdict(sentence), table, Sentence(note)),
        (name,),
        table=lambda: table.for_paper(caption),
        findings=lambda: {
            "verdict": sentence,
            "metric": result.losses.loss_name,
            "alpha": result.alpha,
        },
        rows="winner",
    )


def _percents(result):
    """Return the mean as it came out and corrected, and their intervals, as texts."""
    measure, losses = measure_of(result.losses), result.losses
    middles, _ = users_ends(losses, *[[result.mean, result.estimate]] * 2)
    lows, highs = [result.mean_low, result.ci_low], [result.mean_high, result.ci_high]
    middles, intervals = measure.intervals(middles, *users_ends(losses, lows, highs))
    sign = "%" * measure.is_share
    intervals = [text.replace(" to", f"{sign} to") + sign for text in intervals]
    return [text + sign for text in middles], intervals


# Each one ----------------------------------------------------------------------------


def intervals_document(result):
    """Return the Document of a CrossValInterval."""
    losses = next(iter(result.losses.values()))
    n_models = len(losses.estimator_names)
    models = f"{n_models} model{'s' * (n_models > 1)}"
    lead = f"{models} on {losses.n_samples} examples, {losses.design}"
    return Document(
        "How good the models are",
        lead,
        lambda: (Sentence(lead), _intervals_table(result), *_about_intervals(result)),
        tuple(name for found in result.intervals.values() for name in found.names),
        report=partial(_intervals_report, result, losses),
    )


def _intervals_table(result):
    level = f"{percent(result.confidence_level)} CI"
    heads = "model", "metric", "mean", level, "standard error", "trained on"
    cells = [
        (row["model"], measure.header, mean, ci, error, str(row["n_train"]))
        for row, measure, mean, ci, error in _interval_cells(result)
    ]
    columns = dict(zip(heads, zip(*cells, strict=True), strict=True))
    return table_of(columns, "Estimates", n_left=2)


def _interval_cells(result):
    """Generate each row with its metric, mean, interval and error as texts."""
    for metric, losses in result.losses.items():
        measure, rows = measure_of(losses), result.rows()
        rows = [row for row in rows if row["metric"] == metric]
        means, lows, highs = ([row[name] for row in rows] for name in ENDS)
        means, _ = users_ends(losses, means, means)
        texts = measure.intervals(means, *users_ends(losses, lows, highs))
        for row, mean, interval in zip(rows, *texts, strict=True):
            error = format_number(row["standard_error"] * measure.unit_size, 3)
            yield row, measure, mean, interval, error


def _intervals_report(result, losses):
    level = percent(result.confidence_level)
    values = " ".join(
        f"{row['model']}: {measure.word} {mean}{'%' * measure.is_share} "
        f"({level} CI {interval})."
        for row, measure, mean, interval, _ in _interval_cells(result)
    )
    splitter = f", {losses.cv_description}," if losses.cv_description else ""
    how = f"Estimated by {losses.design}{splitter} of {losses.n_samples} examples."
    about = [block.text for block in _about_intervals(result)]
    return [values, how, *about, version_sentence()]


def _about_intervals(result):
    """Return what the intervals are about, and whose variance they take."""
    by_test = {}
    for metric, found in result.intervals.items():
        by_test.setdefault(found.test.traits.name, (found.test, []))[1].append(metric)
    notes = []
    for test, metrics in by_test.values():
        of = f" of {listed(metrics)}" if len(by_test) > 1 else ""
        n_train = result.n_train[metrics[0]]
        is_one = len(result.losses[metrics[0]].estimator_names) == 1
        which = "this fitted model" if is_one else "these fitted models"
        about = f"{which} ({n_train} training examples), not to other fits"
        if test.traits.concerns == "algorithms":
            which = "a model" if is_one else "models"
            about = f"{which} trained on {n_train} examples from the same population"
        shown = clone(test)
        shown.alpha = 0.05  # the level belongs to the intervals
        by = f"They come from {short_name(repr(shown))}: {test.traits.title}."
        notes.append(f"The intervals{of} refer to {about}.")
        notes.append(f"{by} {test.traits.interval_note}")
    for metric, found in result.intervals.items():
        notes.extend(equal_notes(result.losses[metric], found))
    losses = next(iter(result.losses.values()))
    notes += [few_groups_note(losses.n_groups), broken_groups_note(losses)]
    return [Sentence(note.strip()) for note in notes if note]
