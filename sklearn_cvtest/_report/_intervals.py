"""What is said of the intervals of single models."""

from functools import partial

from sklearn.base import clone

from .._splits._groups import few_groups_note
from ._document import Document, Sentence, Table
from ._findings import broken_groups_note
from ._format import format_number
from ._measure import measure_of, narrowest, users_ends
from ._notes import equal_notes
from ._versions import version_sentence

ENDS = ("estimate", "ci_low", "ci_high")


def intervals_document(result):
    """Return the Document of a CrossValInterval."""
    heading = "How good the models are"
    return Document(
        heading,
        _lead(result),
        partial(_summary, result),
        tuple(name for found in result.intervals.values() for name in found.names),
        report=partial(_report, result),
    )


def _summary(result):
    table = Table(*_table(result), label="Estimates")
    return Sentence(_lead(result)), table, *map(Sentence, _notes(result))


def _lead(result):
    losses = next(iter(result.losses.values()))
    n_models = len(losses.estimator_names)
    models = "1 model" if n_models == 1 else f"{n_models} models"
    return f"{models} on {losses.n_samples} examples, {losses.design}"


def _level(result):
    return f"{100 * result.confidence_level:g}%"


def _table(result):
    headers = ["model", "metric", "mean", f"{_level(result)} CI", "standard error"]
    rows = [
        [row["model"], measure.header, mean, ci, error, str(row["n_train"])]
        for row, measure, mean, ci, error in _cells(result)
    ]
    return [*headers, "trained on"], rows, "<<>>>>"


def _cells(result):
    """Generate each row with its metric, mean, interval and error as texts."""
    for metric, losses in result.losses.items():
        measure, rows = measure_of(losses), result.rows()
        rows = [row for row in rows if row["metric"] == metric]
        means, lows, highs = ([row[name] for row in rows] for name in ENDS)
        means, _ = users_ends(losses, means, means)
        lows, highs = users_ends(losses, lows, highs)
        texts = measure.numbers(*means, *lows, *highs, width=narrowest(lows, highs))
        for k, row in enumerate(rows):
            mean, low, high = texts[k :: len(rows)]
            error = format_number(row["standard_error"] * measure.unit_size, 3)
            yield row, measure, mean, f"{low} to {high}", error


def _report(result):
    values = " ".join(
        f"{row['model']}: {measure.word} {mean}{'%' * measure.is_share} "
        f"({_level(result)} CI {interval})."
        for row, measure, mean, interval, _ in _cells(result)
    )
    losses = next(iter(result.losses.values()))
    splitter = f", {losses.cv_description}," if losses.cv_description else ""
    how = f"By {losses.design}{splitter} of {losses.n_samples} examples."
    return [values, how, *_notes(result), version_sentence()]


def _notes(result):
    """Return what the intervals are about, and whose variance they take."""
    by_test = {}
    for metric, found in result.intervals.items():
        by_test.setdefault(found.test.traits.name, (found.test, []))[1].append(metric)
    notes = []
    for test, metrics in by_test.values():
        of = f" ({', '.join(metrics)})" if len(by_test) > 1 else ""
        n_train = result.n_train[metrics[0]]
        is_one = len(result.losses[metrics[0]].estimator_names) == 1
        notes.append(f"The intervals{of} refer to {_about(test, n_train, is_one)}.")
        shown = clone(test)
        shown.alpha = 0.05  # the level belongs to the intervals
        note = f"Their test is {shown}: {test.traits.title}. "
        notes.append((note + test.traits.interval_note).strip())
    for metric, found in result.intervals.items():
        notes.extend(equal_notes(result.losses[metric], found))
    losses = next(iter(result.losses.values()))
    about = few_groups_note(losses.n_groups), broken_groups_note(losses)
    return [*notes, *filter(None, about)]


def _about(test, n_train, is_one):
    if test.traits.concerns == "algorithms":
        what = "a model" if is_one else "models"
        return f"{what} trained on {n_train} examples from the same population"
    which = "this fitted model" if is_one else "these fitted models"
    return f"{which} ({n_train} training examples), not to other fits"
