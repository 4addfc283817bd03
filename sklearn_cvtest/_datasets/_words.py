"""What a comparison over data sets says: tables and sentences, as pure functions."""

from collections import Counter
from dataclasses import replace
from functools import partial

import numpy as np

from .._report._document import Document, Pictures, Section, Sentence, Table, verdict
from .._report._findings import design_words, sample_text
from .._report._format import (
    are,
    equals,
    listed,
    one_line,
    percent,
    short_names,
    shown_names,
    shown_pvalue,
    version_sentence,
)
from .._report._measure import measure_of, minus, narrowest, without_noise
from .._report._notes import METHODS
from .._report._rows import ahead_first, pairs_shown
from ._pictures import measure_of_data_sets
from ._ranks import average_ranks

MAX_NAME = 40  # characters of the name of an estimator
MAX_HEADER = 24  # characters of a name at the head of a column

# What is said of a pair, by what its test found.
PAIR = {
    "better": "{ahead} is better than {behind} by {by} on average",
    "not significant": "No significant difference between {ahead} and {behind}: "
    "{ahead} is ahead by {by} on average",
    "equal": "No difference between {ahead} and {behind} on average",
}
ONE = (
    "One data set says nothing about others: {first} and {second} were compared on "
    "{dataset} only, where {ahead} is ahead by {by}{how}."
)
NOT_KNOWN = "No data set shows how {first} and {second} differ, or how precisely."
PREDICTION = (
    "On another data set like these, {ahead} is predicted to be ahead of {behind} by "
    "{low} to {high} ({level} prediction interval)."
)
# Who is better (1) or worse than one, without and with a reference.
AROUND = {
    False: {-1: "it is better than {names}", 1: "{names} {are} better than it"},
    True: {1: "{names} {are} better", -1: "{names} {are} worse"},
}
TIED = "{names} {are} not significantly different from it"

SCALED = "Differences are of logarithms of losses."
NO_ERRORS = (
    "One number for each data set and estimator says nothing of its own error, which "
    "is in no interval or p-value here."
)
PREDICTED = (
    " The prediction interval is for the {true}difference on another data set like "
    "these."
)
COLUMNS = (
    "by: the difference in {word}, averaged over data sets.{predicted} "
    "wins/ties/losses count the data sets on which the one that is ahead is {counted}."
)
COUNTED = (
    "significantly better, neither is, or it is worse, at the {level} level, not "
    "adjusted"
)
MARKED = (
    "∘ is significantly better and • significantly worse than {base}, at the {level} "
    "level, not adjusted"
)
MARKED_ALONE = "∘ is better and • worse than {base}"
AVERAGED = (
    "averaged in a random-effects model with equal weights, and tested by Student's t "
    "test, each data set an observation; p-values are two-sided{adjusted}."
)


def _is_adjusted(result):
    return result.p_adjust is not None and len(result.pairs) > 1


def datasets_verdict(result):
    """Return one sentence on a pair, or on the estimator with the best mean rank."""
    if len(result.pairs) == 1:
        return _of_pair(result)
    shown = shown_names(result.estimator_names, MAX_NAME)
    over, pivot = f"Over {len(result.datasets)} data sets", result.reference
    if pivot is not None:
        lead = f"{over}, compared with {shown[pivot]}: "
    else:
        pivot, rank = _best_rank(result, shown)
        lead = f"{over}, {shown[pivot]} has the best mean rank ({rank}); "
    return lead + "; ".join(_around(result, pivot, shown)) + "."


def _best_rank(result, shown):
    """Return the estimator with the best mean rank, and that rank in words."""
    ranks, n_ranked = _mean_ranks(result)
    best, *equal = np.flatnonzero(np.isclose(ranks, ranks.min()))
    names = result.estimator_names
    rank = f"{ranks[best]:.2f}"
    if equal:
        rank += f", as {listed([shown[names[k]] for k in equal])}"
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
    sides = {1: [], -1: [], 0: []}
    for (first, second), estimate, is_significant in zip(
        result.pairs, result.synthesis.estimate, result.significant, strict=True
    ):
        if pivot in (first, second):
            side = 1 if (estimate > 0) == (first == pivot) else -1
            other = second if first == pivot else first
            sides[side * int(is_significant)].append(shown[other])
    said = [
        template.format(names=listed(sides[side]), are=are(sides[side]))
        for side, template in AROUND[result.reference is not None].items()
        if sides[side]
    ]
    if said:
        p = "p" if result.p_adjust is None else "adjusted p"
        yield f"{'; '.join(said)} ({p} ≤ {result.alpha:g})"
    if sides[0]:
        yield TIED.format(names=listed(sides[0]), are=are(sides[0]))


def _of_pair(result):
    n = int(result.synthesis.n_datasets[0])
    if n < 2:
        return _alone(result, 0)
    estimate = result.synthesis.estimate[0]
    parts, ci = _lead_of(result, 0, estimate, result.intervals[0])
    decision = "not significant" if estimate else "equal"
    if result.significant[0]:
        decision = "better"
    p = equals("p", result.pvalues[0], result.alpha)
    return f"Over {n} data sets: {PAIR[decision].format(**parts)} ({ci}, {p})."


def _lead_of(result, row, estimate, ends):
    """Return who is ahead, by how much, and the interval."""
    ahead, behind, by, low, high = ahead_first(
        *result.pairs[row], estimate, *ends, can_turn=True
    )
    measure = measure_of_data_sets(result)
    by, low, high = measure.numbers(by, low, high, width=high - low)
    parts = {"ahead": ahead, "behind": behind, "by": by + measure.unit(by)}
    return parts, f"{percent(1 - result.alpha)} CI {low} to {high}"


def _alone(result, row):
    """Return what is known of a pair that fewer than two data sets have."""
    first, second = result.pairs[row]
    known = np.flatnonzero(np.isfinite(result.synthesis.variances[row]))
    if not len(known):
        return NOT_KNOWN.format(first=first, second=second)
    (column,) = known
    ends = result.ci_low[row, column], result.ci_high[row, column]
    parts, ci = _lead_of(result, row, result.estimates[row, column], ends)
    dataset, how = result.datasets[column], ""
    if result.tests[dataset]:
        p = equals("p", result.dataset_pvalues[row, column], result.alpha)
        how = f" ({ci}, {p})"
    return ONE.format(**parts, first=first, second=second, dataset=dataset, how=how)


def _pair_table(result, *, predicts=False):
    """Return the table of pairs, who is ahead first."""
    level, measure = percent(1 - result.alpha), measure_of_data_sets(result)
    numbers = np.array(pairs_shown(result))
    shown = shown_names(result.estimator_names, MAX_NAME)
    first, second = np.array(
        [[shown[name] for name in result.pairs[row]] for row in numbers]
    ).T
    estimates = result.synthesis.estimate[numbers]

    def in_order(ends):
        return ahead_first(first, second, estimates, *ends[numbers].T, can_turn=True)

    ahead, behind, by, *ends = in_order(result.intervals)
    by, intervals = _with_intervals(measure, by, *ends)
    counts = [
        counts[:: 1 if estimate >= 0 else -1]
        for counts, estimate in zip(
            result.win_tie_loss[numbers].tolist(), estimates, strict=True
        )
    ]
    columns = {
        "ahead": ahead,
        "behind": behind,
        "by" + " (points)" * measure.is_share: by,
        f"{level} CI": intervals,
        "p": [shown_pvalue(p, result.alpha) for p in result.pvalues[numbers]],
    }
    if _is_adjusted(result):
        adjusted = result.pvalues_adjusted[numbers]
        columns[f"p ({result.p_adjust})"] = [
            shown_pvalue(p, result.alpha) for p in adjusted
        ]
    if predicts:
        _, _, _, *ends = in_order(result.prediction_intervals)
        columns[f"{level} prediction interval"] = _with_intervals(measure, (), *ends)[1]
    columns["wins/ties/losses"] = ["/".join(map(str, count)) for count in counts]
    return _of_columns(columns, "Pairs", n_left=2)


def _of_columns(columns, label, n_left):
    """Return a Table of columns by their heads, the first of them aligned left."""
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    align = "<" * n_left + ">" * (len(columns) - n_left)
    return Table(list(columns), rows, align, label=label)


def _with_intervals(measure, values, lows, highs):
    """Return numbers and intervals as texts with the same decimals; "-" of no ends."""
    texts = measure.numbers(*values, *lows, *highs, width=narrowest(lows, highs))
    lows_at, highs_at = len(values), len(values) + len(lows)
    ends = zip(texts[lows_at:highs_at], texts[highs_at:], lows, strict=True)
    intervals = [
        f"{low} to {high}" if np.isfinite(end) else "-" for low, high, end in ends
    ]
    return texts[:lows_at], intervals


def _legend(result, *, predicts=False):
    """Return what the columns of the pairs mean."""
    counted = "better, equal, or worse"
    if result.has_errors:
        counted = COUNTED.format(level=percent(result.alpha))
    predicted = PREDICTED.format(true="true " * result.has_errors) * predicts
    word = measure_of_data_sets(result).word
    return COLUMNS.format(word=word, predicted=predicted, counted=counted)


def _means(result):
    """Return the means on all data sets as blocks."""
    return _means_table(result), Sentence(_of_means(result), "legend")


def _of_means(result):
    measures = {measure_of(losses) for losses in result.losses.values()}
    word = measures.pop().header if len(measures) == 1 else "loss"
    marked = MARKED if result.has_errors else MARKED_ALONE
    marked = marked.format(base=_base(result), level=percent(result.alpha))
    ranked = "; the last row has mean ranks, 1 is best" * result.has_ranks
    return f"Mean {word} on {len(result.datasets)} data sets; {marked}{ranked}."


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


def _of_any_size(values):
    """Return rows as texts of four digits of the largest.

    Rows share their decimals if three digits are left of all: other data sets may have
    other units.
    """
    sizes = np.where(np.isfinite(values), np.abs(values), 0).max(axis=1, initial=0)
    places = np.floor(np.log10(np.where(sizes > 0, sizes, 1))).astype(int)
    if np.ptp(places) < 2:
        places[:] = places.max()
    decimals = np.clip(3 - places, 0, 9)
    return [
        [f"{without_noise(value) + 0.0:.{n}f}" for value in row]
        for row, n in zip(values, decimals, strict=True)
    ]


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
        columns = list(zip(*_of_any_size(values), strict=True))
    rows = [
        [name, *("-" if t == "nan" else m + minus(t) for m, t in zip(*of, strict=True))]
        for name, *of in zip(
            result.datasets, _marks(result), zip(*columns, strict=True), strict=True
        )
    ]
    if result.has_ranks:
        rows.append(["mean rank", *(f"{rank:.2f}" for rank in _mean_ranks(result)[0])])
    headers = ["data set", *short_names(result.estimator_names, MAX_HEADER)]
    return Table(headers, rows, "<" + ">" * len(columns), label="Data sets")


def _notes(result):
    lines = []
    if _is_adjusted(result):
        lines.append("Intervals are not adjusted for the number of pairs.")
    if result.scale is not None:
        lines.append(SCALED)
    if None in result.tests.values():
        lines.append(NO_ERRORS)
    if len(result.estimator_names) > 2 and result.has_ranks:
        p = equals("p", result.ranks().friedman.pvalue, result.alpha)
        lines.append(f"Friedman's test that all rank alike: {p}.")
    for dataset, names in result.left_out.items():
        lines.append(f"Left out on {dataset}, where fits failed: {', '.join(names)}.")
    n_hidden = len(result.pairs) - len(pairs_shown(result))
    if n_hidden:
        lines.append(f"{n_hidden} more pairs are in to_frame().")
    return lines


def datasets_document(result, draw):
    """Return the Document of a DatasetComparison; `draw` makes its pictures."""
    n_datasets = len(result.datasets)
    lead = f"{len(result.estimator_names)} estimators on {n_datasets} data sets"
    said = verdict(datasets_verdict(result))
    pairs = (
        _pair_table(result),
        *map(Sentence, [_legend(result), *_notes(result)]),
    )
    document = Document(
        f"Comparison over {n_datasets} data sets",
        lead,
        lambda: (said, Sentence(lead), *pairs, *_means(result)),
        (*result.estimator_names, *result.datasets),
        report=partial(_report, result),
        report_tables=partial(_report_tables, result),
        sections=lambda: (
            Section("Conclusion", (said,)),
            Section("Differences", (Pictures(draw, 0, 1),)),
            Section("Data sets", _means(result)),
            Section("Pairs", pairs, True),
            Section("Other pictures", (Pictures(draw, 1),), True),
            Section("For a paper", document.for_paper(), True),
        ),
        table=lambda: replace(_means_table(result), note=_of_means(result)),
        findings=lambda: {
            "verdict": said.text,
            "difference": "loss(first) - loss(second)",
            **{name: getattr(result, name) for name in FINDINGS},
        },
        rows="pairs",
    )
    return document


FINDINGS = "datasets", "alpha", "p_adjust", "reference", "scale"


def _report(result):
    """Return sentences for a paper."""
    is_one, adjusted = len(result.pairs) == 1, ""
    if _is_adjusted(result):
        adjusted = f", adjusted ({METHODS[result.p_adjust]})"
    how = "The differences on the data sets were "
    if result.has_errors:
        how = f"Differences on each data set are from {_tests(result)}. They were "
    return [
        datasets_verdict(result),
        f"We compared {len(result.estimator_names)} estimators{_designs(result)}.",
        how + AVERAGED.format(adjusted=adjusted),
        *([*_notes(result), *_prediction(result)] if is_one else []),
        version_sentence(),
    ]


def _report_tables(result):
    """Return the table of several pairs that follows these sentences, and its notes."""
    if len(result.pairs) == 1:
        return ()
    few = [row for row in pairs_shown(result) if result.synthesis.n_datasets[row] < 2]
    lines = [_legend(result, predicts=True), *_notes(result)]
    lines += [_alone(result, row) for row in few]
    return _pair_table(result, predicts=True), *map(Sentence, lines)


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
    ahead, behind, _, *ends = ahead_first(
        *result.pairs[0], result.synthesis.estimate[0], *ends, can_turn=True
    )
    measure, level = measure_of_data_sets(result), percent(1 - result.alpha)
    low, high = measure.numbers(*ends)
    high += measure.unit(high)
    said = {"ahead": ahead, "behind": behind, "low": low, "high": high}
    return [PREDICTION.format(**said, level=level)]


def ranks_document(result):
    """Return the Document of a RankComparison."""
    n, k = result.n_datasets, len(result.mean_ranks)
    summary = (
        Sentence(_rank_sentence(result)),
        _rank_table(result),
        Sentence(P_OF_RANKS),
    )
    lead = f"{k} estimators on {n} data sets"
    return Document("Mean ranks over data sets", lead, lambda: summary)


def _rank_sentence(result):
    found, k = result.friedman, len(result.mean_ranks)
    friedman = equals("p", found.pvalue, result.alpha)
    davenport = equals("p", found.f_pvalue, result.alpha)
    return (
        f"Mean ranks of {k} estimators over {result.n_datasets} data sets, 1 is the "
        f"best. Tests that all are equally good: Friedman's χ²({found.df}) = "
        f"{found.statistic:.4g}, {friedman}; Iman and Davenport's F"
        f"({found.f_df[0]}, {found.f_df[1]}) = {found.f_statistic:.4g}, "
        f"{davenport}. Mean ranks that differ by more than "
        f"{result.critical_difference:.3g} differ significantly at the "
        f"{100 * result.alpha:g}% level (Nemenyi)."
    )


def _rank_table(result):
    def against_best(pvalues):
        return ["-", *(shown_pvalue(p, result.alpha) for p in pvalues[0, 1:])]

    columns = {
        "estimator": result.estimator_names,
        "mean rank": [f"{rank:.2f}" for rank in result.mean_ranks],
        "p, Nemenyi": against_best(result.nemenyi_pvalues),
        "p, Wilcoxon": against_best(result.wilcoxon_pvalues),
    }
    return _of_columns(columns, "Mean ranks", n_left=1)


P_OF_RANKS = (
    "The p-values compare each estimator with the first, adjusted for all pairs: "
    "Nemenyi's test, and Wilcoxon's signed-rank test by Holm's method."
)
