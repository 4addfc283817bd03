"""What a comparison over data sets says: tables and sentences, as pure functions."""

from collections import Counter
from functools import partial

import numpy as np

from .._report import _document
from .._report._findings import design_words, sample_text
from .._report._format import (
    ADJUSTMENTS,
    equals,
    join_names,
    minus,
    more_are,
    p_head,
    percent,
    shown_pvalue,
    without_noise,
)
from .._report._metric_format import metric_format_of
from .._report._printed_names import (
    in_sentences_by_name,
    in_tables_by_name,
    names_note,
    short_forms,
)
from .._report._shown_pairs import (
    ahead_columns,
    pairs_shown,
)
from .._validation import one_line
from ._dataset_verdict import alone, datasets_verdict, prediction
from ._leaders import (
    decides_by_ranks,
    mean_ranks,
    ranked_losses,
    unranked,
)
from ._models_table import has_models_table, models_blocks
from ._pictures import is_adjusted, measure_of_data_sets
from ._ranks import failures_last, friedman


def _missing_notes(result, name_texts):
    """Return who has no result on some data sets, and whether it is ranked."""
    n_datasets = len(result.datasets)
    without_rank = unranked(result)
    is_missing = np.isnan(result.mean_losses)
    lines = []
    for name, missing in zip(result.estimator_names, is_missing.T, strict=True):
        if not missing.any():
            continue
        datasets = [result.datasets[row] for row in np.flatnonzero(missing)]
        line = (
            f"{name_texts[name]} has no result on {len(datasets)} of {n_datasets} data "
            f"sets ({join_names(datasets)})"
        )
        if result.ranks_failures:
            line += "; there, it is ranked last, and left out of the mean differences."
        elif name in without_rank:
            line += " and is not ranked."
        else:
            line += "; there, it is not compared."
        lines.append(line)
    return lines


def _pair_table(result, *, predicts=False):
    """Return the table of pairs, who is ahead first."""
    level = percent(1 - result.alpha)
    metric = measure_of_data_sets(result)
    numbers = pairs_shown(result)
    name_texts = in_tables_by_name(result.estimator_names)
    pairs = [result.pairs[number] for number in numbers]
    first = np.array([name_texts[name] for name, _ in pairs])
    second = np.array([name_texts[name] for _, name in pairs])
    estimates = result.synthesis.estimate[numbers]

    def columns_with(intervals):
        lows, highs = intervals[numbers].T
        return ahead_columns(metric, level, first, second, (estimates, lows, highs))

    columns = columns_with(result.intervals)
    pvalues = {"p": result.pvalues}
    if is_adjusted(result):
        pvalues[p_head(result.p_adjust)] = result.pvalues_adjusted
    for head, values in pvalues.items():
        columns[head] = [shown_pvalue(p, result.alpha) for p in values[numbers]]
    if predicts:
        intervals = columns_with(result.prediction_intervals)[f"{level} CI"]
        columns[f"{level} prediction interval"] = intervals
    counts = []
    for estimate, (wins, ties, losses) in zip(
        estimates, result.win_tie_loss[numbers].tolist(), strict=True
    ):
        if estimate < 0:  # the second of the pair is behind
            wins, losses = losses, wins
        counts.append(f"{wins}/{ties}/{losses}")
    columns["wins/ties/losses"] = counts
    return _document.table_of(columns, "Pairs", n_left=2)


def _legend(result, *, predicts=False):
    """Return what the columns of the pairs mean."""
    if result.has_errors:
        counted = (
            "significantly better, neither is, or it is worse, at the "
            f"{percent(result.alpha)} level, not adjusted"
        )
        quantity = "the true difference"
    else:
        counted, quantity = "better, equal, or worse", "the difference"
    predicted = ""
    if predicts:
        predicted = (
            f" The prediction interval is for {quantity} on another data set like "
            "these."
        )
    metric = measure_of_data_sets(result)
    word = metric.word
    if not metric.is_ratio:
        return (
            f"by: the difference in {word}, averaged over data sets.{predicted} "
            "wins/ties/losses count the data sets on which the one that is ahead is "
            f"{counted}."
        )
    return (
        f"difference: by how many percent the {word} of the one that is ahead is above "
        f"that of the other, or below (−), averaged over data sets.{predicted} "
        "wins/ties/losses count the data sets on which the one that is ahead is "
        f"{counted}."
    )


def _means(result):
    """Return the means on all data sets as blocks."""
    table = _means_table(result)
    return table, _document.Sentence(table.note, "legend")


def _base(result):
    """Return whom all others are marked against: the reference, or the first."""
    return result.reference or result.estimator_names[0]


def _marks(result):
    """Return whether means are better or worse than the base, as signs."""
    base = _base(result)
    names = result.estimator_names
    marks = np.full(result.mean_losses.shape, "", dtype=object)
    signs = np.array(["• ", "", "∘ "])  # worse, neither, better
    for (first, second), sides in zip(result.pairs, result.marks, strict=True):
        if first == base:
            marks[:, names.index(second)] = signs[sides + 1]
        elif second == base:
            marks[:, names.index(first)] = signs[1 - sides]
    return marks


def _decimals(values):
    """Return decimals of rows that show four digits of the largest.

    Rows share their decimals if three digits are left of all: other data sets may have
    other units.
    """
    sizes = np.where(np.isfinite(values), np.abs(values), 0).max(axis=1, initial=0)
    places = np.floor(np.log10(np.where(sizes > 0, sizes, 1))).astype(int)
    if np.ptp(places) < 2:
        places[:] = places.max()
    return np.clip(3 - places, 0, 9)


def _means_table(result):
    """Return a row for each data set, in the user's sign, and one of mean ranks."""
    metrics = [metric_format_of(result.losses[name]) for name in result.datasets]
    values = np.empty(result.mean_losses.shape)
    for row, metric in enumerate(metrics):
        values[row] = metric.as_read(metric.sign * result.mean_losses[row])
    if all(metric.is_share for metric in metrics):
        values = 100 * values
        decimals = np.ones(len(values), dtype=int)
    else:
        decimals = _decimals(values)
    marks = _marks(result)
    rows = []
    for row, name in enumerate(result.datasets):
        cells = [name]
        for value, mark in zip(values[row], marks[row], strict=True):
            text = "-"
            if not np.isnan(value):
                number = f"{without_noise(value):.{decimals[row]}f}"
                text = f"{mark}{minus(number)}"
            cells.append(text)
        rows.append(cells)
    if result.has_ranks:
        ranks = mean_ranks(result)
        texts = ["-" if np.isnan(rank) else f"{rank:.2f}" for rank in ranks]
        rows.append(["mean rank", *texts])
    headers = ["data set", *short_forms(result.estimator_names)]
    align = "<" + ">" * (len(headers) - 1)
    note = _means_legend(result, metrics)
    return _document.Table(headers, rows, align, label="Data sets", note=note)


def _means_legend(result, metrics):
    base = in_sentences_by_name(result.estimator_names)[_base(result)]
    if result.has_errors:
        marks = (
            f"∘ is significantly better and • significantly worse than {base}, at the "
            f"{percent(result.alpha)} level, not adjusted"
        )
    else:
        marks = f"∘ is better and • worse than {base}"
    word = metrics[0].header if len(set(metrics)) == 1 else "loss"
    ranks = ""
    if result.has_ranks:
        ranks = "; the last row has mean ranks, 1 is best"
    return f"Mean {word} on {len(result.datasets)} data sets; {marks}{ranks}."


def _notes(result):
    name_texts = in_sentences_by_name(result.estimator_names)
    lines = []
    if is_adjusted(result):
        lines.append("Intervals are not adjusted for the number of pairs.")
    if result.scale is not None:
        lines.append(
            "Losses are compared by ratio: averages are over their logarithms."
        )
    if None in result.tests.values():
        lines.append(
            "One number for each data set and estimator says nothing of its own error, "
            "which is in no interval or p-value here."
        )
    if len(result.estimator_names) > 2 and result.has_ranks:
        ranked = friedman(failures_last(ranked_losses(result)))
        p = equals("p", ranked.pvalue, result.alpha)
        lines.append(f"Friedman's test that all rank alike: {p}.")
    lines += _missing_notes(result, name_texts)
    for dataset, names in result.left_out.items():
        left_out = ", ".join(name_texts[name] for name in names)
        lines.append(f"Left out on {dataset}, where fits failed: {left_out}.")
    note = names_note(result.estimator_names)
    if note:
        lines.append(note)
    return lines


def _hidden_pairs(result):
    """Return where the pairs are that a table leaves out, as blocks."""
    n_hidden = len(result.pairs) - len(pairs_shown(result))
    if not n_hidden:
        return []
    return [_document.Sentence(f"{more_are(n_hidden, 'pair')} in to_frame().")]


def _models(result):
    """Return a row for each of many estimators, and notes, as blocks; of few, none."""
    if not has_models_table(result):
        return []
    return [*models_blocks(result), _document.Sentence(" ".join(_notes(result)))]


def datasets_document(result, draw):
    """Return the Document of a DatasetComparison; `draw` makes its pictures."""
    n_datasets = len(result.datasets)
    lead = f"{len(result.estimator_names)} estimators on {n_datasets} data sets"
    conclusion = _document.verdict(datasets_verdict(result))
    pairs = [_pair_table(result)]
    for text in (_legend(result), *_notes(result)):
        pairs.append(_document.Sentence(text))
    pairs += _hidden_pairs(result)
    models = _models(result)
    printed = models or [*pairs, *_means(result)]
    document = _document.Document(
        f"Comparison over {n_datasets} data sets",
        lead,
        lambda: (conclusion, _document.Sentence(lead), *printed),
        report=partial(_report, result),
        report_tables=partial(_report_tables, result),
        sections=lambda: (
            _document.Section("Conclusion", (conclusion, *models)),
            _document.Section("Differences", (_document.Pictures(draw, 0, 1),)),
            _document.Section("Data sets", _means(result)),
            _document.Section("Pairs", tuple(pairs), True),
            _document.Section("Other pictures", (_document.Pictures(draw, 1),), True),
            _document.Section("For a paper", document.for_paper(), True),
        ),
        table=partial(_means_table, result),
        findings=lambda: {
            "verdict": conclusion.text,
            "difference": "loss(first) - loss(second)",
            "datasets": result.datasets,
            "alpha": result.alpha,
            "p_adjust": result.p_adjust,
            "reference": result.reference,
            "scale": result.scale,
        },
        rows="pairs",
    )
    return document


def _report(result):
    """Return sentences for a paper."""
    n_estimators = len(result.estimator_names)
    lines = [
        datasets_verdict(result),
        f"We compared {n_estimators} estimators{_designs(result)}.",
        _averaging(result),
    ]
    if len(result.pairs) == 1:
        lines += _notes(result)
        lines += filter(None, [prediction(result)])
    lines.append(_document.version_sentence())
    return lines


def _averaging(result):
    """Return how differences were tested and averaged, in a sentence."""
    adjusted = ""
    if is_adjusted(result):
        adjusted = f", adjusted ({ADJUSTMENTS[result.p_adjust]})"
    averaged = (
        "averaged in a random-effects model with equal weights, and tested by "
        "Student's t test, each data set an observation; p-values are "
        f"two-sided{adjusted}."
    )
    if has_models_table(result) and decides_by_ranks(result):
        averaged = (
            "averaged in a random-effects model with equal weights, with intervals "
            "from Student's t distribution, each data set an observation; p-values are "
            f"from Wilcoxon's signed-rank test, two-sided{adjusted}."
        )
    if result.has_errors:
        return (
            f"Differences on each data set are from {_tests(result)}. They were "
            f"{averaged}"
        )
    return f"The differences on the data sets were {averaged}"


def _report_tables(result):
    """Return the table of several pairs that follows these sentences, and its notes."""
    if len(result.pairs) == 1:
        return ()
    if has_models_table(result):
        return tuple(_models(result))
    lines = [_legend(result, predicts=True), *_notes(result)]
    for row in pairs_shown(result):
        if result.synthesis.n_datasets[row] < 2:
            lines.append(alone(result, row))
    blocks = [_document.Sentence(line) for line in lines]
    return _pair_table(result, predicts=True), *blocks, *_hidden_pairs(result)


def _tests(result):
    """Return the tests by name, with the number of data sets if they are several."""
    tests = filter(None, result.tests.values())
    counts = Counter(" ".join(repr(test).split()) for test in tests)
    if len(counts) == 1:
        return next(iter(counts))
    return ", ".join(f"{name} ({n} data sets)" for name, n in counts.items())


def _designs(result):
    """Return each design once, with the data sets that have it if there are several."""
    by_design = {}
    for name, losses in result.losses.items():
        word = metric_format_of(losses).word
        size = sample_text(losses)
        splits = design_words(losses.design)
        if losses.cv_description:
            splits += f", {losses.cv_description}"
        design = f"by {splits}, by {word}"
        if result.tests[name] is None:
            design = f"by one number each, {word}"
        dataset = one_line(name)
        if size:
            dataset += f" ({size})"
        by_design.setdefault(design, []).append(dataset)
    on = f" on {len(result.datasets)} data sets: "
    if len(by_design) == 1:
        ((design, names),) = by_design.items()
        return f" {design},{on}{', '.join(names)}"
    clauses = (f"{', '.join(names)} {design}" for design, names in by_design.items())
    return on + "; ".join(clauses)
