"""What a comparison over data sets says: tables and sentences, as pure functions."""

from collections import Counter
from dataclasses import dataclass
from functools import partial

import numpy as np

from .._report import _document, _format
from .._report._findings import design_words, sample_text
from .._report._format import (
    ADJUSTMENTS,
    lower_or_higher,
    magnitude,
    minus,
    narrowest,
    ratio_interval_words,
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
    ahead_first,
    pairs_shown,
    reversed_sides,
)
from .._validation import one_line
from . import _sentences
from ._leaders import (
    best_mean,
    best_rank,
    by_ranks,
    decides_by_ranks,
    mean_ranks,
    unranked,
)
from ._pictures import is_adjusted, measure_of_data_sets


def datasets_verdict(result):
    """Return one sentence on a pair, or on the estimator with the best mean rank."""
    if len(result.pairs) == 1 and not decides_by_ranks(result):
        return _of_pair(result)
    name_texts = in_sentences_by_name(result.estimator_names)
    n_datasets, reference = len(result.datasets), result.reference
    if reference is not None:
        lead = _sentences.compared_with(n_datasets, name_texts[reference])
    elif not decides_by_ranks(result):
        reference = best_mean(result)
        lead = _sentences.best_mean(n_datasets, name_texts[reference])
    else:
        reference, rank = best_rank(result, name_texts)
        lead = _sentences.best_mean_rank(n_datasets, name_texts[reference], rank)
    return lead + "; ".join(_around(result, reference, name_texts)) + "."


def _missing_notes(result, name_texts):
    """Yield who has no result on some data sets, and whether it is ranked."""
    n_datasets, without_rank = len(result.datasets), unranked(result)
    is_missing = np.isnan(result.mean_losses)
    for name, missing in zip(result.estimator_names, is_missing.T, strict=True):
        if not missing.any():
            continue
        where = [result.datasets[row] for row in np.flatnonzero(missing)]
        lacks = _sentences.missing_results(name_texts[name], where, n_datasets)
        if result.ranks_failures:
            yield _sentences.ranked_last(lacks)
        elif name in without_rank:
            yield _sentences.not_ranked(lacks)
        else:
            yield _sentences.not_compared(lacks)


def _around(result, reference, name_texts):
    """Yield who is better and worse than an estimator, then who is not.

    About the best mean rank, ranks decide; about a reference or the best mean, means.
    """
    better, worse, tied, pvalues = [], [], [], []
    signs, decisive = result.synthesis.estimate, result.pvalues_adjusted
    without_rank = set()
    if decides_by_ranks(result):
        signs, decisive = by_ranks(result)
        without_rank = set(unranked(result))
    for (first, second), estimate, pvalue in zip(
        result.pairs, signs, decisive, strict=True
    ):
        if reference not in (first, second):
            continue
        other = second if first == reference else first
        if other in without_rank:
            continue
        if not pvalue <= result.alpha:  # nan, too
            tied.append(name_texts[other])
            continue
        pvalues.append(pvalue)
        if (estimate > 0) == (first == reference):
            better.append(name_texts[other])
        else:
            worse.append(name_texts[other])
    if result.reference:
        clauses = _sentences.around_the_reference(better, worse)
    else:
        clauses = _sentences.around_the_best(better, worse)
    if clauses:
        symbol = "p" if result.p_adjust is None else "adjusted p"
        p = _format.at_most(symbol, pvalues, result.alpha)
        test = ", Wilcoxon's signed-rank test" if decides_by_ranks(result) else ""
        yield f"{'; '.join(clauses)} ({p}{test})"
    if tied:
        yield _sentences.not_different(tied)


def _of_pair(result):
    n_datasets = int(result.synthesis.n_datasets[0])
    estimate = result.synthesis.estimate[0]
    if n_datasets < 2:
        return _alone(result, 0)
    lead = _lead_of(result, 0, estimate, result.intervals[0])
    p = _format.equals("p", result.pvalues[0], result.alpha)
    is_significant = result.significant[0]
    if estimate and result.scale == "log":
        return _sentences.ratio_on_average(n_datasets, lead, p, is_significant)
    if is_significant:
        return _sentences.better(n_datasets, lead, p)
    if estimate:
        return _sentences.not_significant(n_datasets, lead, p)
    return _sentences.equal_on_average(n_datasets, lead, p)


@dataclass(frozen=True)
class _Lead:
    """Who is ahead, by how much, and the interval, as texts."""

    ahead: str
    behind: str
    amount: str
    low: str
    high: str
    interval: str
    level: str
    word: str = ""
    ratio_ends: str = ""


def _lead_of(result, row, estimate, ends):
    """Return the `_Lead` of a pair."""
    name_texts = in_sentences_by_name(result.estimator_names)
    first, second = (name_texts[name] for name in result.pairs[row])
    ahead, behind, *sides = ahead_first(first, second, estimate, *ends, can_flip=True)
    metric = measure_of_data_sets(result)
    level = _format.percent(1 - result.alpha)
    interval = f"no {level} interval"
    is_bounded = np.isfinite(ends).all()
    width = narrowest(*ends)
    if metric.is_ratio:
        by, low, high = metric.numbers(*reversed_sides(*sides), width=width)
        ratio_ends = ratio_interval_words(low, high)
        if is_bounded:
            interval = f"{level} CI {ratio_ends}"
        return _Lead(
            ahead=ahead,
            behind=behind,
            amount=lower_or_higher(by),
            low=low,
            high=high,
            interval=interval,
            level=level,
            word=metric.word,
            ratio_ends=ratio_ends,
        )
    by, low, high = metric.numbers(*sides, width=width)
    if is_bounded:
        interval = f"{level} CI {low} to {high}"
    return _Lead(
        ahead=ahead,
        behind=behind,
        amount=magnitude(by) + metric.unit(by),
        low=low,
        high=high + metric.unit(high),
        interval=interval,
        level=level,
    )


def _alone(result, row):
    """Return what fewer than two data sets show of a pair."""
    name_texts = in_sentences_by_name(result.estimator_names)
    first, second = (name_texts[name] for name in result.pairs[row])
    columns = np.flatnonzero(np.isfinite(result.synthesis.variances[row]))
    if not len(columns):
        return _sentences.no_data_set(first, second)
    (column,) = columns
    dataset = result.datasets[column]
    ends = result.ci_low[row, column], result.ci_high[row, column]
    lead = _lead_of(result, row, result.estimates[row, column], ends)
    details = ""
    if result.tests[dataset]:
        p = _format.equals("p", result.dataset_pvalues[row, column], result.alpha)
        details = f" ({lead.interval}, {p})"
    return _sentences.one_data_set(first, second, dataset, lead, details)


def _pair_table(result, *, predicts=False):
    """Return the table of pairs, who is ahead first."""
    level = _format.percent(1 - result.alpha)
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
        pvalues[_format.p_head(result.p_adjust)] = result.pvalues_adjusted
    for head, values in pvalues.items():
        columns[head] = [_format.shown_pvalue(p, result.alpha) for p in values[numbers]]
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
        counted = _sentences.counted_by_tests(_format.percent(result.alpha))
        quantity = "the true difference"
    else:
        counted, quantity = "better, equal, or worse", "the difference"
    prediction = ""
    if predicts:
        prediction = _sentences.prediction_interval_is_for(quantity)
    metric = measure_of_data_sets(result)
    if metric.is_ratio:
        return _sentences.ratios_legend(metric.word, counted, prediction)
    return _sentences.pairs_legend(metric.word, counted, prediction)


def _means(result):
    """Return the means on all data sets as blocks."""
    table = _means_table(result)
    return table, _document.Sentence(table.note, "legend")


def _base(result):
    """Return whom all others are marked against: the reference, or the first."""
    return result.reference or result.estimator_names[0]


def _marks(result):
    """Return whether means are better or worse than the base, as signs."""
    base, names = _base(result), result.estimator_names
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
    marks, rows = _marks(result), []
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
        marks = _sentences.marks_by_tests(base, _format.percent(result.alpha))
    else:
        marks = _sentences.marks_by_means(base)
    word = metrics[0].header if len(set(metrics)) == 1 else "loss"
    n_datasets = len(result.datasets)
    return _sentences.means_legend(word, n_datasets, marks, result.has_ranks)


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
        lines.append(_sentences.no_errors())
    if len(result.estimator_names) > 2 and result.has_ranks:
        p = _format.equals("p", result.ranks().friedman.pvalue, result.alpha)
        lines.append(_sentences.friedman_note(p))
    lines += _missing_notes(result, name_texts)
    for dataset, names in result.left_out.items():
        left_out = ", ".join(name_texts[name] for name in names)
        lines.append(_sentences.left_out_note(dataset, left_out))
    note = names_note(result.estimator_names)
    if note:
        lines.append(note)
    n_hidden = len(result.pairs) - len(pairs_shown(result))
    if n_hidden:
        more_are = _format.more_are(n_hidden, "pair")
        lines.append(_sentences.hidden_pairs_note(more_are))
    return lines


def datasets_document(result, draw):
    """Return the Document of a DatasetComparison; `draw` makes its pictures."""
    n_datasets = len(result.datasets)
    lead = f"{len(result.estimator_names)} estimators on {n_datasets} data sets"
    conclusion = _document.verdict(datasets_verdict(result))
    pairs = [_pair_table(result)]
    for text in (_legend(result), *_notes(result)):
        pairs.append(_document.Sentence(text))
    document = _document.Document(
        f"Comparison over {n_datasets} data sets",
        lead,
        lambda: (conclusion, _document.Sentence(lead), *pairs, *_means(result)),
        report=partial(_report, result),
        report_tables=partial(_report_tables, result),
        sections=lambda: (
            _document.Section("Conclusion", (conclusion,)),
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
        _sentences.estimators_compared(n_estimators, _designs(result)),
        _averaging(result),
    ]
    if len(result.pairs) == 1:
        lines += _notes(result)
        lines += _prediction(result)
    lines.append(_document.version_sentence())
    return lines


def _averaging(result):
    """Return how differences were tested and averaged, in a sentence."""
    adjusted = ""
    if is_adjusted(result):
        adjusted = f", adjusted ({ADJUSTMENTS[result.p_adjust]})"
    averaged = _sentences.random_effects(adjusted)
    if result.has_errors:
        return _sentences.tested_and_averaged(_tests(result), averaged)
    return _sentences.differences_averaged(averaged)


def _report_tables(result):
    """Return the table of several pairs that follows these sentences, and its notes."""
    if len(result.pairs) == 1:
        return ()
    lines = [_legend(result, predicts=True), *_notes(result)]
    for row in pairs_shown(result):
        if result.synthesis.n_datasets[row] < 2:
            lines.append(_alone(result, row))
    return _pair_table(result, predicts=True), *map(_document.Sentence, lines)


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
        word, size = metric_format_of(losses).word, sample_text(losses)
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


def _prediction(result):
    """Return what is predicted of one pair, in a list that may be empty."""
    (ends,) = result.prediction_intervals
    if not np.isfinite(ends[0]):
        return []
    estimate = result.synthesis.estimate[0]
    return [_sentences.prediction(_lead_of(result, 0, estimate, ends))]
