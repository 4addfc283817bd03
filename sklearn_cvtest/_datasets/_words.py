"""What a comparison over data sets says: tables and sentences, as pure functions."""

from collections import Counter
from functools import partial

import numpy as np

from .._report._document import (
    Document,
    Pictures,
    Section,
    Sentence,
    Table,
    verdict,
)
from .._report._findings import design_words, sample_text
from .._report._format import (
    are,
    format_by_unit,
    format_column,
    format_pvalue,
    listed,
    one_line,
    short_names,
    shown_names,
)
from .._report._measure import measure_of, minus, narrowest, without_noise
from .._report._notes import METHODS
from .._report._rows import pairs_shown
from .._report._versions import version_sentence
from ._pictures import measure_of_data_sets
from ._ranks import average_ranks

MAX_NAME = 40  # characters of the name of an estimator
MAX_HEADER = 24  # characters of a name at the head of a column

SCALED = "Differences are of logarithms of losses."


def datasets_verdict(result):
    """Return one sentence on a pair, or on the estimator with the best mean rank."""
    if len(result.pairs) == 1:
        return _pair_verdict(result, 0)
    names, pivot = result.estimator_names, result.reference
    ranks, n_ranked = _mean_ranks(result)
    best = int(np.argmin(ranks))
    shown = shown_names(names, MAX_NAME)
    lead = f"Over {len(result.datasets)} data sets"
    if pivot is not None:
        lead += f", compared with {shown[pivot]}: "
    else:
        pivot = names[best]
        over = f" over the {n_ranked} with results of all"
        over *= n_ranked != len(result.datasets)
        equal = [names[k] for k in np.flatnonzero(np.isclose(ranks, ranks[best]))[1:]]
        equal = f", as {listed([shown[name] for name in equal])}" * bool(equal)
        rank = f"{ranks[best]:.2f}{equal}{over}"
        lead += f", {shown[pivot]} has the best mean rank ({rank}); "
    return lead + "; ".join(_around(result, pivot, shown)) + "."


def _around(result, pivot, shown):
    """Yield who is better and worse than an estimator, then who is not."""
    groups = _groups_around(result, pivot)
    better, worse, tied = ([shown[name] for name in group] for group in groups)
    decided = []
    if result.reference is None:
        if worse:
            decided.append(f"it is better than {listed(worse)}")
        if better:
            decided.append(f"{listed(better)} {are(better)} better than it")
    else:
        if better:
            decided.append(f"{listed(better)} {are(better)} better")
        if worse:
            decided.append(f"{listed(worse)} {are(worse)} worse")
    if decided:
        p = "adjusted p" if result.p_adjust is not None else "p"
        yield f"{'; '.join(decided)} ({p} ≤ {result.alpha:g})"
    if tied:
        yield f"{listed(tied)} {are(tied)} not significantly different from it"


def _groups_around(result, pivot):
    """Return who is better than `pivot`, worse, and neither."""
    better, worse, tied = [], [], []
    for row, pair in enumerate(result.pairs):
        if pivot not in pair:
            continue
        other = pair[1] if pair[0] == pivot else pair[0]
        second_ahead = result.synthesis.estimate[row] > 0
        group = tied
        if result.significant[row]:
            group = better if second_ahead == (pair[1] == other) else worse
        group.append(other)
    return better, worse, tied


def _pair_verdict(result, row):
    n = int(result.synthesis.n_datasets[row])
    if n < 2:
        return _alone(result, row)
    estimate, ends = result.synthesis.estimate[row], result.intervals[row]
    ahead, behind, by, ci = _lead_of(result, row, estimate, ends)
    p = f"p = {format_pvalue(result.pvalues[row], result.alpha)}"
    if result.p_adjust is not None and len(result.pairs) > 1:
        p += f", adjusted {format_pvalue(result.pvalues_adjusted[row], result.alpha)}"
    if result.significant[row]:
        lead = f"{ahead} is better than {behind} by {by} on average"
    else:
        lead = f"No significant difference between {ahead} and {behind}: "
        lead += f"{ahead} is ahead by {by} on average"
        if not estimate:
            lead = f"No difference between {ahead} and {behind} on average"
    return f"Over {n} data sets: {lead} ({ci}, {p})."


def _lead_of(result, row, estimate, ends):
    """Return who is ahead, and behind, by how much, and with which interval."""
    sign = 1 if estimate > 0 else -1
    ahead, behind = result.pairs[row][::-sign]
    low, high = sorted(sign * ends)
    measure = measure_of_data_sets(result)
    by, low, high = measure.numbers(sign * estimate, low, high, width=high - low)
    level = f"{100 * (1 - result.alpha):g}% CI"
    return ahead, behind, by + measure.unit(by), f"{level} {low} to {high}"


def _alone(result, row):
    """Return what is known of a pair that fewer than two data sets have."""
    first, second = result.pairs[row]
    known = np.flatnonzero(np.isfinite(result.synthesis.variances[row]))
    if not len(known):
        return f"No data set shows how {first} and {second} differ, or how precisely."
    (column,) = known
    p = format_pvalue(result.dataset_pvalues[row, column], result.alpha)
    ends = np.array([result.ci_low[row, column], result.ci_high[row, column]])
    ahead, _, by, ci = _lead_of(result, row, result.estimates[row, column], ends)
    return (
        f"One data set says nothing about others: {first} and {second} were compared "
        f"on {result.datasets[column]} only, where {ahead} is ahead by {by}"
        + f" ({ci}, p = {p})" * bool(result.tests[result.datasets[column]])
        + "."
    )


def _mean_ranks(result):
    """Return mean ranks, and over how many data sets."""
    whole = result.mean_losses[np.isfinite(result.mean_losses).all(axis=1)]
    if not len(whole):
        return np.nanmean(result.mean_losses, axis=0), len(result.datasets)
    return average_ranks(whole), len(whole)


def _signs(result):
    """Return -1 for each pair that is shown turned round, the one ahead first."""
    return np.where(result.synthesis.estimate < 0, 1, -1)


def _pair_table(result, *, predicts=False):
    """Return headers, rows and alignment of the pairs, with what is predicted or τ."""
    level, adjusted = f"{100 * (1 - result.alpha):g}%", _is_adjusted(result)
    measure = measure_of_data_sets(result)
    headers = ["ahead", "behind", "by" + " (points)" * measure.is_share]
    headers += [f"{level} CI", "p"] + [f"p ({result.p_adjust})"] * adjusted
    headers += [f"{level} prediction interval" if predicts else "tau"]
    headers += ["wins/ties/losses"]
    shown = shown_names(result.estimator_names, MAX_NAME)
    numbers, signs = pairs_shown(result), _signs(result)
    of = -signs[numbers, np.newaxis]  # losses of who is behind
    lows, highs = np.sort(of * result.intervals[numbers]).T
    estimates = of[:, 0] * result.synthesis.estimate[numbers]
    texts = measure.numbers(*estimates, *lows, *highs, width=narrowest(lows, highs))
    k = len(numbers)
    (others,) = format_column(
        measure.unit_size * np.sqrt(result.synthesis.tau2[numbers]), digits=3
    )
    if predicts:
        lows, highs = np.sort(of * result.prediction_intervals[numbers]).T
        found = measure.numbers(*lows, *highs, width=narrowest(lows, highs))
        others = [
            f"{low} to {high}" for low, high in zip(found[:k], found[k:], strict=True)
        ]
    rows = [
        [
            *(shown[name] for name in result.pairs[row][:: signs[row]]),
            *(texts[n], f"{texts[k + n]} to {texts[2 * k + n]}"),
            format_pvalue(result.pvalues[row], result.alpha),
            *[format_pvalue(result.pvalues_adjusted[row], result.alpha)] * adjusted,
            "-" if "nan" in others[n] else others[n],
            "/".join(map(str, result.win_tie_loss[row][:: -signs[row]])),
        ]
        for n, row in enumerate(numbers)
    ]
    return headers, rows, "<<" + ">" * (len(headers) - 2)


def _means(result):
    """Return the means on all data sets as blocks."""
    return _means_table(result), Sentence(_of_means(result), "legend")


def _of_means(result):
    measures = {measure_of(losses) for losses in result.losses.values()}
    word = measures.pop().header if len(measures) == 1 else "loss"
    ranked = "; the last row has mean ranks, 1 is best" * result.has_ranks
    return f"Mean {word} on {len(result.datasets)} data sets{ranked}."


def _means_table(result):
    """Return a row for each data set, in the user's sign, and one of mean ranks."""
    measures = [measure_of(result.losses[name]) for name in result.datasets]
    signs = np.array([measure.sign for measure in measures])[:, np.newaxis]
    values = signs * result.mean_losses
    if all(measure.is_share for measure in measures):
        columns = [
            [f"{without_noise(100 * v):.1f}" for v in column] for column in values.T
        ]
    else:
        columns = format_by_unit(range(len(values)), *values.T, sizes=values)
    rows = [
        [name, *("-" if text == "nan" else minus(text) for text in texts)]
        for name, *texts in zip(result.datasets, *columns, strict=True)
    ]
    if result.has_ranks:
        rows.append(["mean rank", *(f"{rank:.2f}" for rank in _mean_ranks(result)[0])])
    headers = ["data set", *short_names(result.estimator_names, MAX_HEADER)]
    return Table(headers, rows, "<" + ">" * len(columns), label="Data sets")


def _is_adjusted(result):
    return result.p_adjust is not None and len(result.pairs) > 1


TAU = "tau is the standard deviation of the {}differences between data sets"
PREDICTED = (
    "The prediction interval is for the {}difference on another data set like these"
)
NO_ERRORS = (
    "One number for each data set and estimator says nothing of its own error, which "
    "is in no interval or p-value here."
)


def _legend(result, other):
    """Return what the columns of the pairs mean."""
    word = measure_of_data_sets(result).word
    by = f"by: the difference in {word}, averaged over data sets"
    counted = (
        "the one that is ahead is significantly better, neither is, or it is worse"
    )
    level = f", at the {100 * result.alpha:g}% level, not adjusted"
    if not result.has_errors:
        counted, level = "the one that is ahead is better, equal, or worse", ""
    other = other.format("true " * result.has_errors)
    counts = f"wins/ties/losses count the data sets on which {counted}{level}"
    return f"{by}. {other}; {counts}."


def _notes(result):
    lines = []
    if _is_adjusted(result):
        lines.append("Intervals are not adjusted for the number of pairs.")
    if result.scale is not None:
        lines.append(SCALED)
    if None in result.tests.values():
        lines.append(NO_ERRORS)
    if len(result.estimator_names) > 2 and result.has_ranks:
        p = format_pvalue(result.ranks().friedman.pvalue, result.alpha)
        lines.append(f"Friedman's test that all rank alike: p = {p}.")
    for dataset, names in result.left_out.items():
        lines.append(f"Left out on {dataset}, where fits failed: {', '.join(names)}.")
    n_hidden = len(result.pairs) - len(pairs_shown(result))
    if n_hidden:
        lines.append(f"{n_hidden} more pairs are in to_frame().")
    return lines


def datasets_document(result, draw):
    """Return the Document of a DatasetComparison; `draw` makes its pictures."""
    return Document(
        f"Comparison over {len(result.datasets)} data sets",
        _lead(result),
        partial(_summary, result),
        (*result.estimator_names, *result.datasets),
        report=partial(_report, result),
        report_tables=partial(_report_tables, result),
        sections=partial(_sections, result, draw),
        table=lambda: _means_table(result).for_paper(_of_means(result)),
        findings=lambda: {
            "verdict": datasets_verdict(result),
            "datasets": result.datasets,
            "alpha": result.alpha,
            "p_adjust": result.p_adjust,
            "reference": result.reference,
            "scale": result.scale,
            "difference": "loss(first) - loss(second)",
        },
        rows="pairs",
    )


def _lead(result):
    return (
        f"{len(result.estimator_names)} estimators on {len(result.datasets)} data sets"
    )


def _summary(result):
    return (
        verdict(datasets_verdict(result)),
        Sentence(_lead(result)),
        Table(*_pair_table(result), label="Pairs"),
        *map(Sentence, [_legend(result, TAU), *_notes(result)]),
        *_means(result),
    )


def _report(result):
    """Return sentences for a paper."""
    is_one = len(result.pairs) == 1
    adjusted = ""
    if _is_adjusted(result):
        adjusted = f", adjusted ({METHODS[result.p_adjust]})"
    return [
        datasets_verdict(result),
        f"We compared {len(result.estimator_names)} estimators{_designs(result)}.",
        _method(result) + f"; p-values are two-sided{adjusted}.",
        *([*_notes(result), *_prediction(result)] if is_one else []),
        version_sentence(),
    ]


def _method(result):
    """Return how differences were found and averaged."""
    if not result.has_errors:
        return (
            "The differences on the data sets were averaged and tested by Student's t "
            "test, each data set an observation"
        )
    return (
        f"Differences on each data set, with standard errors that include what the "
        f"test assumes about the correlation of splits, are from {_tests(result)}. "
        f"They were averaged in a random-effects model (weights: equal; τ² by Paule "
        f"and Mandel's method; a robust variance with Satterthwaite's degrees of "
        f"freedom)"
    )


def _report_tables(result):
    """Return the table of several pairs that follows these sentences, and its notes."""
    if len(result.pairs) == 1:
        return ()
    few = [row for row in pairs_shown(result) if result.synthesis.n_datasets[row] < 2]
    lines = [_legend(result, PREDICTED), *_notes(result)]
    lines += [_alone(result, row) for row in few]
    return (
        Table(*_pair_table(result, predicts=True), label="Pairs"),
        *map(Sentence, lines),
    )


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
        word = measure_of(losses).word
        design = f"by {design_words(losses.design)}{described}, by {word}"
        if result.tests[name] is None:
            design = f"by one number each, {word}"
        size = sample_text(losses)
        by_design.setdefault(design, []).append(
            one_line(name) + f" ({size})" * bool(size)
        )
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
    sign = 1 if result.synthesis.estimate[0] > 0 else -1
    ahead, behind = result.pairs[0][::-sign]
    low, high = sorted(sign * ends)
    low, high = measure_of_data_sets(result).numbers(low, high)
    return [
        f"On another data set like these, {ahead} is predicted to be ahead of {behind} "
        f"by {low} to {high}{measure_of_data_sets(result).unit(high)} "
        f"({100 * (1 - result.alpha):g}% prediction interval)."
    ]


def _sections(result, draw):
    """Return the sections of a page."""
    pairs = Table(*_pair_table(result), label="Pairs")
    notes = [_legend(result, TAU), *_notes(result)]
    return (
        Section("Conclusion", (verdict(datasets_verdict(result)),)),
        Section("Differences", (Pictures(draw, 0, 1),)),
        Section("Data sets", _means(result)),
        Section("Pairs", (pairs, *map(Sentence, notes)), True),
        Section("Other pictures", (Pictures(draw, 1),), True),
        Section("For a paper", datasets_document(result, draw).for_paper(), True),
    )


def ranks_document(result):
    """Return the Document of a RankComparison."""
    n, k = result.n_datasets, len(result.mean_ranks)
    summary = (
        Sentence(_rank_sentence(result)),
        Table(*_rank_table(result), label="Mean ranks"),
        Sentence(P_OF_RANKS),
    )
    lead = f"{k} estimators on {n} data sets"
    return Document("Mean ranks over data sets", lead, lambda: summary)


def _rank_sentence(result):
    found, k = result.friedman, len(result.mean_ranks)
    friedman = format_pvalue(found.pvalue)
    davenport = format_pvalue(found.f_pvalue)
    return (
        f"Mean ranks of {k} estimators over {result.n_datasets} data sets, 1 is the "
        f"best. Tests that all are equally good: Friedman's χ²({found.df}) = "
        f"{found.statistic:.4g}, p = {friedman}; Iman and Davenport's F"
        f"({found.f_df[0]}, {found.f_df[1]}) = {found.f_statistic:.4g}, "
        f"p = {davenport}. Mean ranks that differ by more than "
        f"{result.critical_difference:.3g} differ significantly at the "
        f"{100 * result.alpha:g}% level (Nemenyi)."
    )


def _rank_table(result):
    headers = ["estimator", "mean rank", "p, Nemenyi", "p, Wilcoxon"]
    rows = [
        [
            name,
            f"{rank:.2f}",
            format_pvalue(nemenyi) if number else "-",
            format_pvalue(wilcoxon) if number else "-",
        ]
        for number, (name, rank, nemenyi, wilcoxon) in enumerate(
            zip(
                result.estimator_names,
                result.mean_ranks,
                result.nemenyi_pvalues[0],
                result.wilcoxon_pvalues[0],
                strict=True,
            )
        )
    ]
    return headers, rows, "<>>>"


P_OF_RANKS = (
    "The p-values compare each estimator with the first, adjusted for all pairs: "
    "Nemenyi's test, and Wilcoxon's signed-rank test by Holm's method."
)
