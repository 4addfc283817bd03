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
from .._report._shown_pairs import ahead_columns, pairs_shown
from .._validation import one_line
from ._dataset_verdict import alone, datasets_verdict, prediction
from ._leaders import leader, mean_ranks, ranked_losses, shown_differences, unranked
from ._models_table import has_models_table, models_blocks, overall
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
            line += "; there, it is ranked last, and no win or loss is counted."
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
    differences, lows, highs = shown_differences(result, numbers)

    def columns_with(*ends):
        return ahead_columns(metric, level, first, second, (differences, *ends))

    columns = columns_with(lows, highs)
    head = p_head(result.p_adjust if is_adjusted(result) else None)
    pvalues = result.decisions.adjusted[numbers]
    columns[head] = [shown_pvalue(p, result.alpha) for p in pvalues]
    if predicts:
        predicted_columns = columns_with(*result.prediction_intervals[numbers].T)
        columns[f"{level} prediction interval"] = predicted_columns[f"{level} CI"]
    columns["wins/ties/losses"] = _counts_of_pairs(result, numbers, differences)
    return _document.table_of(columns, "Pairs", n_left=2)


def _counts_of_pairs(result, numbers, differences):
    """Return on how many data sets the one that is ahead wins, ties and loses."""
    win_tie_loss = result.win_tie_loss
    counts = []
    for number, difference in zip(numbers, differences, strict=True):
        second_wins, ties, first_wins = win_tie_loss[number].tolist()
        is_first_ahead = difference < 0
        if is_first_ahead:
            counts.append(f"{first_wins}/{ties}/{second_wins}")
        else:
            counts.append(f"{second_wins}/{ties}/{first_wins}")
    return counts


def _legend(result, *, predicts=False):
    """Return what the columns of the pairs mean."""
    counted = "better, equal, or worse"
    if result.has_errors:
        counted = (
            "significantly better, neither is, or it is worse, at the "
            f"{percent(result.alpha)} level, not adjusted"
        )
    predicted = ""
    if predicts:
        predicted = (
            " The prediction interval is for the difference on another data set like "
            "these."
        )
    metric = measure_of_data_sets(result)
    word = metric.word
    if not metric.is_ratio:
        return (
            f"by: the difference in {word}, {overall(result)}.{predicted} "
            "wins/ties/losses count the data sets on which the one that is ahead is "
            f"{counted}."
        )
    return (
        f"by: how much higher the {word} of the model behind is, {overall(result)}."
        f"{predicted} "
        "wins/ties/losses count the data sets on which the one that is ahead is "
        f"{counted}."
    )


def _means(result):
    """Return the means on all data sets as blocks."""
    table = _means_table(result)
    return table, _document.Sentence(table.note, "legend")


def _marks(result):
    """Return whether means are significantly better or worse than the base, as signs.

    Where a data set has one number for each estimator, none is known to be significant.
    """
    base = leader(result)
    names = result.estimator_names
    marks = np.full(result.mean_losses.shape, "", dtype=object)
    signs = np.array(["• ", "", "∘ "])  # worse, neither, better
    for (first, second), sides in zip(result.pairs, result.marks, strict=True):
        # a side is 1 where the second is better, -1 where the first is, else 0
        if first == base:
            marks[:, names.index(second)] = signs[1 + sides]
        elif second == base:
            marks[:, names.index(first)] = signs[1 - sides]
    is_untested = [result.tests[name] is None for name in result.datasets]
    marks[is_untested] = ""
    return marks


def _decimals(values):
    """Return how many decimals each row has, to show four digits of its largest value.

    Rows share their decimals if that leaves three digits of each; if not, data sets may
    have different units.
    """
    sizes = np.where(np.isfinite(values), np.abs(values), 0)
    largest = sizes.max(axis=1, initial=0)
    largest[largest == 0] = 1
    exponents = np.floor(np.log10(largest)).astype(int)
    if np.ptp(exponents) < 2:
        exponents[:] = exponents.max()
    return np.clip(3 - exponents, 0, 9)


def _means_table(result):
    """Return a row for each data set, in the user's sign, and one of mean ranks."""
    metrics = [metric_format_of(result.losses[name]) for name in result.datasets]
    values = np.empty(result.mean_losses.shape)
    for number, metric in enumerate(metrics):
        means = metric.sign * result.mean_losses[number]
        values[number] = metric.as_read(means)
    if all(metric.is_share for metric in metrics):
        values = 100 * values
        decimals = np.ones(len(values), dtype=int)
    else:
        decimals = _decimals(values)
    marks = _marks(result)
    rows = []
    for number, name in enumerate(result.datasets):
        row = [name]
        for value, mark in zip(values[number], marks[number], strict=True):
            row.append(_marked_mean(value, decimals[number], mark))
        rows.append(row)
    if result.has_ranks:
        row = ["mean rank"]
        for rank in mean_ranks(result):
            row.append("-" if np.isnan(rank) else f"{rank:.2f}")
        rows.append(row)
    headers = ["data set", *short_forms(result.estimator_names)]
    align = "<" + ">" * (len(headers) - 1)
    note = _means_legend(result, metrics)
    return _document.Table(headers, rows, align, label="Data sets", note=note)


def _marked_mean(mean, n_decimals, mark):
    """Return a mean with its mark as text, a dash if there is none."""
    if np.isnan(mean):
        return "-"
    number = f"{without_noise(mean):.{n_decimals}f}"
    return f"{mark}{minus(number)}"


def _means_legend(result, metrics):
    """Return what the means and their marks are."""
    base = in_sentences_by_name(result.estimator_names)[leader(result)]
    marks = ""
    if result.has_errors:
        marks = (
            f"; ∘ is significantly better and • significantly worse than {base}, at "
            f"the {percent(result.alpha)} level, not adjusted"
        )
    word = "loss"
    if len(set(metrics)) == 1:
        word = metrics[0].header
    ranks = ""
    if result.has_ranks:
        ranks = "; the last row has mean ranks, 1 is best"
    return f"Mean {word} on {len(result.datasets)} data sets{marks}{ranks}."


def _notes(result):
    """Return what a reader must know besides, sentences."""
    name_texts = in_sentences_by_name(result.estimator_names)
    lines = []
    if is_adjusted(result):
        lines.append(
            f"p-values, and intervals with them, are adjusted for {len(result.pairs)} "
            f"pairs ({ADJUSTMENTS[result.p_adjust]})."
        )
    if result.scale is not None:
        lines.append("Losses are compared by ratio, as differences of logarithms.")
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
    """Return blocks that say where the pairs are that a table leaves out."""
    n_hidden = len(result.pairs) - len(pairs_shown(result))
    if not n_hidden:
        return []
    return [_document.Sentence(f"{more_are(n_hidden, 'pair')} in to_frame().")]


def _models(result):
    """Return blocks with a row for each of many estimators; of few, no blocks."""
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
    tables = models
    if not models:
        tables = [*pairs, *_means(result)]

    def summary():
        return conclusion, _document.Sentence(lead), *tables

    def sections():
        return (
            _document.Section("Conclusion", (conclusion, *models)),
            _document.Section("Differences", (_document.Pictures(draw, 0, 1),)),
            _document.Section("Data sets", _means(result)),
            _document.Section("Pairs", tuple(pairs), True),
            _document.Section("Other pictures", (_document.Pictures(draw, 1),), True),
            _document.Section("For a paper", document.for_paper(), True),
        )

    def findings():
        return {
            "verdict": conclusion.text,
            "difference": "loss(first) - loss(second)",
            "datasets": result.datasets,
            "alpha": result.alpha,
            "p_adjust": result.p_adjust,
            "reference": result.reference,
            "scale": result.scale,
            "decided_by": result.decided_by,
        }

    document = _document.Document(
        f"Comparison over {n_datasets} data sets",
        lead,
        summary,
        report=partial(_report, result),
        report_tables=partial(_report_tables, result),
        sections=sections,
        table=partial(_means_table, result),
        findings=findings,
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
        predicted = prediction(result)
        if predicted:
            lines.append(predicted)
    lines.append(_document.version_sentence())
    return lines


def _averaging(result):
    """Return how differences were tested, in a sentence."""
    tested = (
        "averaged over data sets and tested by Student's t test, each data set an "
        "observation"
    )
    if result.decided_by == "wilcoxon":
        tested = (
            "tested by Wilcoxon's signed-rank test, each data set an observation; on a "
            "typical one they are Hodges and Lehmann's estimates"
        )
    tested += "; p-values are two-sided"
    if is_adjusted(result):
        tested += f", adjusted ({ADJUSTMENTS[result.p_adjust]})"
    if result.has_errors:
        return (
            f"Differences on each data set are from {_tests(result)}. They were "
            f"{tested}."
        )
    return f"The differences on the data sets were {tested}."


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
    n_datasets = Counter()
    for test in result.tests.values():
        if test is not None:
            in_one_line = " ".join(repr(test).split())
            n_datasets[in_one_line] += 1
    if len(n_datasets) == 1:
        return next(iter(n_datasets))
    return ", ".join(f"{test} ({n} data sets)" for test, n in n_datasets.items())


def _designs(result):
    """Return each design once, with the data sets that have it if there are several."""
    datasets_of = {}  # by design
    for name, losses in result.losses.items():
        word = metric_format_of(losses).word
        splits = design_words(losses.design)
        if losses.cv_description:
            splits += f", {losses.cv_description}"
        if result.tests[name] is None:
            design = f"by one number each, {word}"
        else:
            design = f"by {splits}, by {word}"
        dataset = one_line(name)
        size = sample_text(losses)
        if size:
            dataset += f" ({size})"
        datasets_of.setdefault(design, []).append(dataset)
    on = f"on {len(result.datasets)} data sets"
    clauses = []
    for design, datasets in datasets_of.items():
        names = ", ".join(datasets)
        if len(datasets_of) == 1:
            return f" {design}, {on}: {names}"
        clauses.append(f"{names} {design}")
    return f" {on}: {'; '.join(clauses)}"
