"""What is said of how good models are: table, report and notes of their intervals."""

from functools import partial

import numpy as np
from sklearn.base import clone

from .._report._document import Document, Sentence, table_of, version_sentence
from .._report._findings import broken_groups_note, examples_text
from .._report._format import (
    NOTHING,
    counted,
    format_number,
    join_names,
    percent,
    short_name,
)
from .._report._metric_format import metric_format_of
from .._report._notes import equal_notes
from .._report._printed_names import in_sentences_by_name, in_tables_by_name
from .._splits._groups import few_groups_note

ENDS = ("estimate", "ci_low", "ci_high")


def intervals_document(result):
    """Return the Document of a CrossValInterval."""
    losses = next(iter(result.losses.values()))
    n_models = len(losses.estimator_names)
    models = counted(n_models, "model")
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
    if not np.isfinite(list(result.n_train.values())).all():
        del columns["trained on"]
    return table_of(columns, "Estimates", n_left=2)


def _interval_cells(result):
    """Generate each row with its metric, mean, interval and error as texts."""
    for metric, losses in result.losses.items():
        measure = metric_format_of(losses)
        rows = result.rows()
        rows = [row for row in rows if row["metric"] == metric]
        means, lows, highs = ([row[name] for row in rows] for name in ENDS)
        means, _ = measure.users_ends(means, means)
        texts = measure.means(means, *measure.users_ends(lows, highs))
        for row, mean, interval in zip(rows, *texts, strict=True):
            error = measure.error(row["standard_error"], row["estimate"])
            error = format_number(error, 3) if np.isfinite(error) else NOTHING
            yield row, measure, mean, interval, error


def _intervals_report(result, losses):
    level = percent(result.confidence_level)
    named = in_sentences_by_name(row["model"] for row in result.rows())
    means = []
    for row, measure, mean, interval, _ in _interval_cells(result):
        if measure.is_share:
            mean += "%"
        ends = f"no {level} interval"
        if interval != NOTHING:
            ends = f"{level} CI {interval}"
        means.append(f"{named[row['model']]}: {measure.word} {mean} ({ends}).")
    splitter = f", {losses.cv_description}," if losses.cv_description else ""
    n_examples = counted(losses.n_samples, "example")
    design = f"Estimated by {losses.design}{splitter} of {n_examples}."
    about = [block.text for block in _about_intervals(result)]
    return [" ".join(means), design, *about, version_sentence()]


def _about_intervals(result):
    """Return what the intervals are about, and whose variance they take."""
    by_test = {}
    notes = []
    for metric, intervals in result.intervals.items():
        test = intervals.test
        by_test.setdefault(test.traits.name, (test, []))[1].append(metric)
    for test, metrics in by_test.values():
        of_metrics = ""
        if len(by_test) > 1:
            words = [metric_format_of(result.losses[metric]).word for metric in metrics]
            of_metrics = f" of {join_names(words)}"
        notes.append(_reference_of_intervals(result, test, metrics[0], of_metrics))
        notes.append(_test_of_intervals(test))
    for metric, intervals in result.intervals.items():
        notes += equal_notes(result.losses[metric], intervals)
    losses = next(iter(result.losses.values()))
    notes += [few_groups_note(losses.n_groups), broken_groups_note(losses)]
    return [Sentence(note.strip()) for note in notes if note]


def _reference_of_intervals(result, test, metric, of_metrics):
    """Return which models the intervals of some metrics refer to."""
    losses = result.losses[metric]
    is_one = len(losses.estimator_names) == 1
    if test.traits.concerns == "algorithms":
        models = "a model" if is_one else "models"
        n_train = counted(result.n_train[metric], "example")
        return (
            f"The intervals{of_metrics} refer to {models} trained on {n_train} from "
            "the same population."
        )
    models = "these fitted models"
    if is_one and len(losses.fit_failed) == 1:
        models = "this fitted model"
    if losses.n_train is None:
        return f"The intervals{of_metrics} refer to {models}, not to other fits."
    n_train = examples_text(losses.n_train[losses.design.full])
    return (
        f"The intervals{of_metrics} refer to {models} (trained on {n_train}), not to "
        "other fits."
    )


def _test_of_intervals(test):
    """Return which test the intervals come from."""
    name = repr(clone(test).set_params(alpha=0.05))  # intervals have their own level
    title = test.traits.title.removeprefix("paired ")  # of one model nothing is paired
    return f"They come from {short_name(name)}: {title}."
