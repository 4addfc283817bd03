"""How good models are, in words: table, report and notes of their intervals."""

from functools import partial
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from .._report._document import Document, Sentence, table_of, version_sentence
from .._report._findings import broken_groups_note, examples_text, sample_text
from .._report._format import (
    NOTHING,
    counted,
    format_number,
    join_names,
    percent,
    short_name,
)
from .._report._metric_format import MetricFormat, metric_format_of
from .._report._notes import equal_notes
from .._report._printed_names import in_sentences_by_name, in_tables_by_name
from .._splits._groups import few_groups_note


def intervals_document(result):
    """Return the Document of a CrossValInterval."""
    losses = next(iter(result.losses.values()))
    models = counted(len(losses.estimator_names), "model")
    lead = f"{models} on {sample_text(losses)}, {losses.design}"

    def summary():
        return Sentence(lead), _intervals_table(result), *_about_intervals(result)

    report = partial(_intervals_report, result, losses)
    return Document("How good the models are", lead, summary, report=report)


class _ModelTexts(NamedTuple):
    """One model by one metric, as texts."""

    model: str
    metric: MetricFormat
    mean: str
    interval: str
    standard_error: str
    n_train: str


def _model_texts(result):
    """Return the texts of each model by each metric, a list."""
    all_texts = []
    for metric_name, losses in result.losses.items():
        metric = metric_format_of(losses)
        rows = [row for row in result.rows() if row["metric"] == metric_name]
        estimates = [row["estimate"] for row in rows]
        if metric.is_negated:
            estimates = np.negative(estimates)
        ci_lows = [row["ci_low"] for row in rows]
        ci_highs = [row["ci_high"] for row in rows]
        lows, highs = metric.users_ends(ci_lows, ci_highs)
        means, intervals = metric.means(estimates, lows, highs)
        for row, mean, interval in zip(rows, means, intervals, strict=True):
            error = metric.error(row["standard_error"], row["estimate"])
            error_text = format_number(error, 3) if np.isfinite(error) else NOTHING
            n_train = str(row["n_train"])
            all_texts.append(
                _ModelTexts(row["model"], metric, mean, interval, error_text, n_train)
            )
    return all_texts


def _intervals_table(result):
    """Return the table of models, with a row for each metric."""
    level = percent(result.confidence_level)
    all_texts = _model_texts(result)
    short_names = in_tables_by_name(texts.model for texts in all_texts)
    columns = {
        "model": [short_names[texts.model] for texts in all_texts],
        "metric": [texts.metric.header for texts in all_texts],
        "mean": [texts.mean for texts in all_texts],
        f"{level} CI": [texts.interval for texts in all_texts],
        "standard error": [texts.standard_error for texts in all_texts],
    }
    if np.isfinite(list(result.n_train.values())).all():
        columns["trained on"] = [texts.n_train for texts in all_texts]
    return table_of(columns, "Estimates", n_left=2)


def _intervals_report(result, losses):
    """Return the sentences for a paper: means, design, and what they are about."""
    level = percent(result.confidence_level)
    all_texts = _model_texts(result)
    names = in_sentences_by_name(texts.model for texts in all_texts)
    means = []
    for texts in all_texts:
        mean = texts.mean
        if texts.metric.is_share:
            mean += "%"
        interval = f"no {level} interval"
        if texts.interval != NOTHING:
            interval = f"{level} CI {texts.interval}"
        name = names[texts.model]
        means.append(f"{name}: {texts.metric.word} {mean} ({interval}).")
    splitter = ""
    if losses.cv_description:
        splitter = f", {losses.cv_description},"
    design = f"Estimated by {losses.design}{splitter} of {sample_text(losses)}."
    about = [sentence.text for sentence in _about_intervals(result)]
    return [" ".join(means), design, *about, version_sentence()]


def _about_intervals(result):
    """Return what the intervals are about, and whose variance they take."""
    tests = {}
    metrics_of_test = {}
    for metric, intervals in result.intervals.items():
        title = intervals.test.traits.title
        tests.setdefault(title, intervals.test)
        metrics_of_test.setdefault(title, []).append(metric)
    notes = []
    for title, test in tests.items():
        metrics = metrics_of_test[title]
        of_metrics = ""
        if len(tests) > 1:
            words = [metric_format_of(result.losses[metric]).word for metric in metrics]
            of_metrics = f" of {join_names(words)}"
        notes.append(_reference_of_intervals(result, test, metrics[0], of_metrics))
        notes.append(_test_of_intervals(test))
    for metric, intervals in result.intervals.items():
        notes += equal_notes(result.losses[metric], intervals)
    losses = next(iter(result.losses.values()))
    notes.append(few_groups_note(losses.n_groups))
    notes.append(broken_groups_note(losses))
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
    # intervals have their own level, so that the test's is shown as the default
    at_default_level = clone(test).set_params(alpha=0.05)
    name = short_name(repr(at_default_level))
    title = test.traits.title.removeprefix("paired ")  # of one model nothing is paired
    return f"They come from {name}: {title}."
