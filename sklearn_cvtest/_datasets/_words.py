"""What a comparison over data sets says: tables and sentences, as pure functions."""

from collections import Counter
from functools import partial

import numpy as np

from .._report import _document, _format
from .._report._findings import design_words, sample_text
from .._report._measure import magnitude, measure_of, minus, narrowest, without_noise
from .._report._names import (
    in_sentences_by_name,
    in_tables_by_name,
    names_note,
    short_forms,
)
from .._report._notes import METHODS
from .._report._rows import ahead_columns, ahead_first, pairs_shown
from .._validation import words_of
from ._pictures import is_adjusted, measure_of_data_sets
from ._ranks import average_ranks

TEXTS = words_of(__package__)
PAIR, MANY, NOTES, REPORT = (TEXTS[k] for k in ("pair", "many", "notes", "report"))
FINDINGS = "datasets", "alpha", "p_adjust", "reference", "scale"


def datasets_verdict(result):
    """Return one sentence on a pair, or on the estimator with the best mean rank."""
    if len(result.pairs) == 1:
        return _of_pair(result)
    shown = in_sentences_by_name(result.estimator_names)
    pivot, rank = result.reference, ""
    if pivot is None:
        pivot, rank = _best_rank(result, shown)
    lead = MANY["best rank" if rank else "reference"].format(
        n=len(result.datasets), name=shown[pivot], rank=rank
    )
    return lead + "; ".join(_around(result, pivot, shown)) + "."


def _best_rank(result, shown):
    """Return the estimator with the best mean rank, and that rank in words."""
    ranks, n_ranked = _mean_ranks(result)
    best, *equal = np.flatnonzero(np.isclose(ranks, ranks.min()))
    names = result.estimator_names
    rank = f"{ranks[best]:.2f}"
    if equal:
        rank += f", as {_format.listed([shown[names[k]] for k in equal])}"
    if n_ranked != len(result.datasets):
        rank += f" over the {n_ranked} with results of all"
    return names[best], rank


def _mean_ranks(result):
    """Return mean ranks, and over how many data sets."""
    whole = result.mean_losses[np.isfinite(result.mean_losses).all(axis=1)]
    if not len(whole):
        return np.nanmean(result.mean_losses, axis=0), len(result.datasets)
    return average_ranks(whole), len(whole)


def _around(result, pivot, shown):
    """Yield who is better and worse than an estimator, then who is not."""
    sides, pvalues = {"better": [], "worse": [], "tied": []}, []
    rows = result.pairs, result.synthesis.estimate, result.pvalues_adjusted
    for (first, second), estimate, pvalue in zip(*rows, strict=True):
        if pivot in (first, second):
            is_significant = pvalue <= result.alpha
            pvalues += [pvalue] * bool(is_significant)
            side = "better" if (estimate > 0) == (first == pivot) else "worse"
            other = second if first == pivot else first
            sides[side if is_significant else "tied"].append(shown[other])
    templates = TEXTS["around the reference" if result.reference else "around the best"]
    said = [
        template.format(names=_format.listed(sides[side]), are=_format.are(sides[side]))
        for side, template in templates.items()
        if sides[side]
    ]
    if said:
        kind = "p" if result.p_adjust is None else "adjusted p"
        p = _format.at_most(kind, pvalues, result.alpha)
        yield f"{'; '.join(said)} ({p})"
    if sides["tied"]:
        yield TEXTS["tied"].format(
            names=_format.listed(sides["tied"]), are=_format.are(sides["tied"])
        )


def _of_pair(result):
    n, estimate = int(result.synthesis.n_datasets[0]), result.synthesis.estimate[0]
    if n < 2:
        return _alone(result, 0)
    parts = _lead_of(result, 0, estimate, result.intervals[0])
    kind = "not significant" if estimate else "equal"
    p = _format.equals("p", result.pvalues[0], result.alpha)
    return PAIR["better" if result.significant[0] else kind].format(**parts, n=n, p=p)


def _lead_of(result, row, estimate, ends):
    """Return who is ahead, by how much, and the interval."""
    shown = in_sentences_by_name(result.estimator_names)
    pair = (shown[name] for name in result.pairs[row])
    *pair, by, low, high = ahead_first(*pair, estimate, *ends, can_turn=True)
    measure, level = measure_of_data_sets(result), _format.percent(1 - result.alpha)
    is_bounded = np.isfinite([low, high]).all()
    by, low, high = measure.numbers(by, low, high, width=narrowest(low, high))
    return {
        "ahead": pair[0],
        "behind": pair[1],
        "by": magnitude(by) + measure.unit(by),
        "low": low,
        "high": high + measure.unit(high),
        "ci": f"{level} CI {low} to {high}" if is_bounded else f"no {level} interval",
        "level": level,
    }


def _alone(result, row):
    """Return what is known of a pair that fewer than two data sets have."""
    shown = in_sentences_by_name(result.estimator_names)
    first, second = (shown[name] for name in result.pairs[row])
    known = np.flatnonzero(np.isfinite(result.synthesis.variances[row]))
    if not len(known):
        return PAIR["unknown"].format(first=first, second=second)
    (column,) = known
    ends = result.ci_low[row, column], result.ci_high[row, column]
    parts = _lead_of(result, row, result.estimates[row, column], ends)
    parts |= {"first": first, "second": second, "dataset": result.datasets[column]}
    p, how = _format.equals("p", result.dataset_pvalues[row, column], result.alpha), ""
    if result.tests[result.datasets[column]]:
        how = f" ({parts['ci']}, {p})"
    return PAIR["one"].format(**parts, how=how)


def _pair_table(result, *, predicts=False):
    """Return the table of pairs, who is ahead first."""
    level, measure = _format.percent(1 - result.alpha), measure_of_data_sets(result)
    numbers, shown = (
        pairs_shown(result),
        in_tables_by_name(result.estimator_names),
    )
    pairs = np.array([[shown[name] for name in result.pairs[row]] for row in numbers])
    estimates = result.synthesis.estimate[numbers]

    def in_order(ends):
        numbered = *pairs.T, estimates, *ends[numbers].T, True
        return ahead_columns(measure, level, *numbered)

    columns = in_order(result.intervals)
    pvalues = {"p": result.pvalues}
    if is_adjusted(result):
        pvalues[_format.p_head(result.p_adjust)] = result.pvalues_adjusted
    for head, values in pvalues.items():
        columns[head] = [_format.shown_pvalue(p, result.alpha) for p in values[numbers]]
    if predicts:
        intervals = in_order(result.prediction_intervals)[f"{level} CI"]
        columns[f"{level} prediction interval"] = intervals
    counts = result.win_tie_loss[numbers]
    counts = np.where(estimates[:, np.newaxis] >= 0, counts, counts[:, ::-1])
    columns["wins/ties/losses"] = ["/".join(map(str, row)) for row in counts.tolist()]
    return _document.table_of(columns, "Pairs", n_left=2)


def _legend(result, *, predicts=False):
    """Return what the columns of the pairs mean."""
    texts = TEXTS["columns"]
    counted = texts["significant" if result.has_errors else "ahead"]
    predicted = texts["predicted"].format(true="true " * result.has_errors)
    return texts["legend"].format(
        word=measure_of_data_sets(result).word,
        predicted=predicted * predicts,
        counted=counted.format(level=_format.percent(result.alpha)),
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
    base, names = _base(result), result.estimator_names
    marks = np.full(result.mean_losses.shape, "", dtype=object)
    for (first, second), sides in zip(result.pairs, result.marks, strict=True):
        if base in (first, second):
            other, sides = (second, sides) if first == base else (first, -sides)
            marks[:, names.index(other)] = np.array(["• ", "", "∘ "])[sides + 1]
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
    measures = [measure_of(result.losses[name]) for name in result.datasets]
    values = np.array([[measure.sign] for measure in measures]) * result.mean_losses
    are_shares = all(measure.is_share for measure in measures)
    values, decimals = (
        (100 * values, [1]) if are_shares else (values, _decimals(values))
    )
    decimals, rows = np.broadcast_to(decimals, len(values)), []
    for row in zip(result.datasets, decimals, values, _marks(result), strict=True):
        name, n, *cells = row
        texts = (
            "-"
            if np.isnan(value)
            else f"{mark}{minus(f'{without_noise(value):.{n}f}')}"
            for value, mark in zip(*cells, strict=True)
        )
        rows.append([name, *texts])
    if result.has_ranks:
        rows.append(["mean rank", *(f"{rank:.2f}" for rank in _mean_ranks(result)[0])])
    headers = ["data set", *short_forms(result.estimator_names)]
    texts, align = TEXTS["means"], "<" + ">" * (len(headers) - 1)
    marked = texts["significant" if result.has_errors else "ahead"]
    note = texts["legend"].format(
        word=measures[0].header if len({*measures}) == 1 else "loss",
        n=len(result.datasets),
        marked=marked.format(
            base=in_sentences_by_name(result.estimator_names)[_base(result)],
            level=_format.percent(result.alpha),
        ),
        ranked=texts["ranked"] * result.has_ranks,
    )
    return _document.Table(headers, rows, align, label="Data sets", note=note)


def _notes(result):
    shown = in_sentences_by_name(result.estimator_names)
    lines = [NOTES["adjusted"]] * is_adjusted(result)
    lines += [NOTES["scaled"]] * (result.scale is not None)
    lines += [NOTES["no errors"]] * (None in result.tests.values())
    if len(result.estimator_names) > 2 and result.has_ranks:
        p = _format.equals("p", result.ranks().friedman.pvalue, result.alpha)
        lines.append(NOTES["friedman"].format(p=p))
    for dataset, names in result.left_out.items():
        left_out = ", ".join(shown[name] for name in names)
        lines.append(NOTES["left out"].format(dataset=dataset, names=left_out))
    note = names_note(result.estimator_names)
    lines += [note] * bool(note)
    n_hidden = len(result.pairs) - len(pairs_shown(result))
    return lines + [
        NOTES["hidden"].format(more_are=_format.more_are(n_hidden, "pair"))
    ] * bool(n_hidden)


def datasets_document(result, draw):
    """Return the Document of a DatasetComparison; `draw` makes its pictures."""
    n_datasets = len(result.datasets)
    lead = f"{len(result.estimator_names)} estimators on {n_datasets} data sets"
    said = _document.verdict(datasets_verdict(result))
    about = map(_document.Sentence, [_legend(result), *_notes(result)])
    pairs = (_pair_table(result), *about)
    document = _document.Document(
        f"Comparison over {n_datasets} data sets",
        lead,
        lambda: (said, _document.Sentence(lead), *pairs, *_means(result)),
        report=partial(_report, result),
        report_tables=partial(_report_tables, result),
        sections=lambda: (
            _document.Section("Conclusion", (said,)),
            _document.Section("Differences", (_document.Pictures(draw, 0, 1),)),
            _document.Section("Data sets", _means(result)),
            _document.Section("Pairs", pairs, True),
            _document.Section("Other pictures", (_document.Pictures(draw, 1),), True),
            _document.Section("For a paper", document.for_paper(), True),
        ),
        table=partial(_means_table, result),
        findings=lambda: {
            "verdict": said.text,
            "difference": "loss(first) - loss(second)",
            **{name: getattr(result, name) for name in FINDINGS},
        },
        rows="pairs",
    )
    return document


def _report(result):
    """Return sentences for a paper."""
    is_one, adjusted = len(result.pairs) == 1, ""
    if is_adjusted(result):
        adjusted = f", adjusted ({METHODS[result.p_adjust]})"
    averaged = REPORT["averaged"].format(adjusted=adjusted)
    how = REPORT["tested" if result.has_errors else "differences"]
    n, designs = len(result.estimator_names), _designs(result)
    return [
        datasets_verdict(result),
        REPORT["compared"].format(n=n, designs=designs),
        how.format(tests=_tests(result), averaged=averaged),
        *([*_notes(result), *_prediction(result)] if is_one else []),
        _format.version_sentence(),
    ]


def _report_tables(result):
    """Return the table of several pairs that follows these sentences, and its notes."""
    if len(result.pairs) == 1:
        return ()
    few = [row for row in pairs_shown(result) if result.synthesis.n_datasets[row] < 2]
    lines = [_legend(result, predicts=True), *_notes(result)]
    lines += [_alone(result, row) for row in few]
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
        described = f", {losses.cv_description}" if losses.cv_description else ""
        word, size = measure_of(losses).word, sample_text(losses)
        design = f"by {design_words(losses.design)}{described}, by {word}"
        if result.tests[name] is None:
            design = f"by one number each, {word}"
        sized = _format.one_line(name) + f" ({size})" * bool(size)
        by_design.setdefault(design, []).append(sized)
    on = f" on {len(result.datasets)} data sets: "
    if len(by_design) == 1:
        ((design, names),) = by_design.items()
        return f" {design},{on}{', '.join(names)}"
    parts = (f"{', '.join(names)} {design}" for design, names in by_design.items())
    return on + "; ".join(parts)


def _prediction(result):
    """Return what is predicted of one pair, in a list that may be empty."""
    (ends,) = result.prediction_intervals
    if not np.isfinite(ends[0]):
        return []
    estimate = result.synthesis.estimate[0]
    return [PAIR["prediction"].format(**_lead_of(result, 0, estimate, ends))]


# Ranks -------------------------------------------------------------------------------


def ranks_document(result):
    """Return the Document of a RankComparison."""
    n, found, k = result.n_datasets, result.friedman, len(result.mean_ranks)
    p, f_p = (
        _format.equals("p", v, result.alpha) for v in (found.pvalue, found.f_pvalue)
    )
    chi2 = _format.statistic_words(f"χ²({found.df})", found.statistic)
    f_df = ", ".join(map(str, found.f_df))
    f = _format.statistic_words(f"F({f_df})", found.f_statistic)
    numbers = {"chi2": chi2, "f": f, "critical": result.critical_difference}
    numbers |= {"n": n, "k": k}
    level = _format.percent(result.alpha)
    said = TEXTS["ranks"]["found"].format(**numbers, p=p, f_p=f_p, level=level)
    columns = {
        "estimator": result.estimator_names,
        "mean rank": [f"{rank:.2f}" for rank in result.mean_ranks],
    }
    for test in ("Nemenyi", "Wilcoxon"):
        pvalues = getattr(result, f"{test.lower()}_pvalues")[0, 1:]  # against the best
        columns[f"p, {test}"] = [
            "-",
            *(_format.shown_pvalue(p, result.alpha) for p in pvalues),
        ]
    table, about = (
        _document.table_of(columns, "Mean ranks"),
        _document.Sentence(TEXTS["ranks"]["p"]),
    )
    summary = _document.Sentence(said), table, about
    lead = f"{k} estimators on {n} data sets"
    return _document.Document("Mean ranks over data sets", lead, lambda: summary)
