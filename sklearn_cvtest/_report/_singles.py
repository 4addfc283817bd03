"""What is said of the means of models: intervals, the best of many, the best set."""

from functools import partial

import numpy as np
from sklearn.base import clone

from .._splits._groups import few_groups_note
from .._validation import words_of
from ._document import Document, Sentence, table_of, verdict
from ._findings import broken_groups_note, examples_text, scope
from ._format import (
    MAX_LISTED,
    are,
    at_most,
    listed,
    more_are,
    percent,
    shown_pvalue,
    version_sentence,
)
from ._measure import NOTHING, counted, format_number, measure_of, users_ends
from ._names import (
    in_sentences,
    in_sentences_by_name,
    in_tables_by_name,
    short_forms,
)
from ._notes import equal_notes
from ._words import short_name

TEXTS = words_of(__package__)
SET, WINNER, INTERVALS = TEXTS["best set"], TEXTS["winner"], TEXTS["intervals"]
ENDS = ("estimate", "ci_low", "ci_high")
MAX_ROWS = 60


def best_set_document(result):
    """Return the Document of a BestSet."""
    lead = f"{len(result.pvalues)} {result.noun}s by {measure_of(result.losses).word}"
    return Document(
        f"The best {result.noun}s",
        lead,
        lambda: (verdict(_best_set_sentence(result)), *_best_set_blocks(result)),
    )


def _best_set_sentence(result):
    """Return who may be the best, and how many others are worse."""
    measure = measure_of(result.losses)
    shown_names = in_sentences(result.shown_names)
    by_name = dict(zip(result.pvalues, shown_names, strict=True))
    best, *tied = (by_name.pop(name) for name in result.names)
    out, p = list(by_name.values()), f"p > {result.alpha:g}"
    if out:
        values = [result.pvalues[name] for name in by_name]
        are_bounds = any(name in result.at_most for name in by_name)
        p = at_most("p", values, result.alpha, are_bounds=are_bounds)
    mean = measure.value(next(iter(result.mean_losses.values())))
    words = {"best": best, "measure": measure.best, "mean": mean, "p": p}
    named = listed(tied)
    if not out and len(tied) > MAX_LISTED:
        named = f"the other {len(tied)}"
    words |= {"tied": named, "are": are(tied)}
    others = f"the other {len(out)}" if len(out) > 4 else listed(out)
    template = SET["all" if not out else "some" if tied else "alone"]
    return template.format(out=others, are_out=are(out), **words)


def _best_set_blocks(result):
    """Return the table of a BestSet, and what explains it."""
    measure, names = measure_of(result.losses), list(result.pvalues)[:MAX_ROWS]
    marked = zip(names, short_forms(result.shown_names), strict=False)
    columns = {result.noun: [s + " †" * (name in result.names) for name, s in marked]}
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
    n_hidden = len(result.pvalues) - MAX_ROWS
    hidden = SET["hidden"].format(more_are=more_are(n_hidden, result.noun))
    hidden = [Sentence(hidden)] * (n_hidden > 0)
    is_race = result.n_splits_run is not None
    more = SET["models"] if result.about == "models" else SET["adjusted"]
    if is_race or result.about == "models":
        more = SET["one-sided"] + more * (not is_race)
    race = SET["race"] * is_race
    note = SET["note"].format(sure=percent(1 - result.alpha), more=more, race=race)
    return table_of(columns, "Which may be the best"), *hidden, Sentence(note)


# The best one ------------------------------------------------------------------------


def winner_document(result):
    """Return the Document of a WinnerInterval."""
    names, whole = result.losses.estimator_names, result.shown_name
    name, best = (
        in_tables_by_name(names)[whole],
        f"the best of {result.n_compared} {result.noun}s",
    )
    (mean, middle), (own, interval) = _percents(result)
    level, measure = percent(1 - result.alpha), measure_of(result.losses)
    word = measure.word
    words = {"best": best, "about": scope(result, result.test)}
    words["name"] = in_sentences_by_name(names)[whole]
    sentence = WINNER["verdict"].format(
        word=word, middle=middle, level=level, interval=interval, mean=mean, **words
    )
    columns = {
        name: ["uncorrected", "corrected for selection"],
        measure.mean_word: [mean, middle],
        f"{level} CI": [own, interval],
    }
    caption = WINNER["caption"].format(design=result.losses.design, **words)
    table = table_of(columns, "Means", note=caption)
    metric = result.losses.loss_name
    note = WINNER["selected"] + WINNER["assumed"] * (not result.losses.per_example)
    return Document(
        best[0].upper() + best[1:],
        f"{name}, {best}",
        lambda: (verdict(sentence), table, Sentence(note)),
        findings=lambda: {"verdict": sentence, "metric": metric, "alpha": result.alpha},
        rows="winner",
    )


def _percents(result):
    """Return the mean as it came out and corrected, and their intervals, as texts."""
    measure, losses = measure_of(result.losses), result.losses
    middles, _ = users_ends(losses, *[[result.mean, result.estimate]] * 2)
    lows, highs = [result.mean_low, result.ci_low], [result.mean_high, result.ci_high]
    middles, intervals = measure.means(middles, *users_ends(losses, lows, highs))
    sign = "%" * measure.is_share
    intervals = [text.replace(" to", f"{sign} to") + sign for text in intervals]
    return [text + sign for text in middles], intervals


# Each one ----------------------------------------------------------------------------


def intervals_document(result):
    """Return the Document of a CrossValInterval."""
    losses = next(iter(result.losses.values()))
    n_models = len(losses.estimator_names)
    models = f"{n_models} model{'s' * (n_models > 1)}"
    lead = f"{models} on {counted(losses.n_samples, 'example')}, {losses.design}"
    return Document(
        "How good the models are",
        lead,
        lambda: (Sentence(lead), _intervals_table(result), *_about_intervals(result)),
        report=partial(_intervals_report, result, losses),
    )


def _intervals_table(result):
    level = f"{percent(result.confidence_level)} CI"
    heads = "model", "metric", "mean", level, "standard error", "trained on"
    short = in_tables_by_name(row["model"] for row in result.rows())
    cells = [
        (short[row["model"]], measure.header, mean, ci, error, str(row["n_train"]))
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
        texts = measure.means(means, *users_ends(losses, lows, highs))
        for row, mean, interval in zip(rows, *texts, strict=True):
            error = measure.error(row["standard_error"], row["estimate"])
            error = format_number(error, 3) if np.isfinite(error) else NOTHING
            yield row, measure, mean, interval, error


def _intervals_report(result, losses):
    level = percent(result.confidence_level)
    named = in_sentences_by_name(row["model"] for row in result.rows())
    values = []
    for row, measure, mean, interval, _ in _interval_cells(result):
        words = {"model": named[row["model"]], "word": measure.word}
        words["mean"] = mean + "%" * measure.is_share
        ends = f"no {level} interval"
        if interval != NOTHING:
            ends = f"{level} CI {interval}"
        words["mean"] += f" ({ends})"
        values.append(INTERVALS["mean"].format(**words))
    splitter = f", {losses.cv_description}," if losses.cv_description else ""
    n_examples = counted(losses.n_samples, "example")
    words = {"design": losses.design, "splitter": splitter, "examples": n_examples}
    about = [block.text for block in _about_intervals(result)]
    how = INTERVALS["how"].format(**words)
    return [" ".join(values), how, *about, version_sentence()]


def _about_intervals(result):
    """Return what the intervals are about, and whose variance they take."""
    by_test, notes = {}, []
    for metric, found in result.intervals.items():
        by_test.setdefault(found.test.traits.name, (found.test, []))[1].append(metric)
    for test, metrics in by_test.values():
        losses = result.losses[metrics[0]]
        n = counted(result.n_train[metrics[0]], "example")
        words_of_metrics = [measure_of(result.losses[name]).word for name in metrics]
        is_one, is_general = len(losses.estimator_names) == 1, True
        if test.traits.concerns != "algorithms":
            is_general, n = False, examples_text(losses.n_train[losses.design.full])
        is_fit = is_one and len(losses.fit_failed) == 1
        shown = clone(test).set_params(alpha=0.05)  # intervals have their own level
        words = {
            "of": f" of {listed(words_of_metrics)}" if len(by_test) > 1 else "",
            "n": n,
            "these": "this" if is_fit else "these",
            "models": "a model" if is_one else "models",
            "s": "" if is_fit else "s",
            "test": short_name(repr(shown)),
            "title": test.traits.title,
            "note": test.traits.interval_note,
        }
        about = INTERVALS["algorithms" if is_general else "models"]
        notes += [about.format(**words), INTERVALS["test"].format(**words)]
    for metric, found in result.intervals.items():
        notes += equal_notes(result.losses[metric], found)
    losses = next(iter(result.losses.values()))
    notes += [few_groups_note(losses.n_groups), broken_groups_note(losses)]
    return [Sentence(note.strip()) for note in notes if note]
