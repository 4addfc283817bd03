"""What is found over data sets, of a pair and of several estimators, in sentences."""

from dataclasses import dataclass

import numpy as np

from .._report._format import (
    are,
    at_most,
    equals,
    join_names,
    lower_or_higher,
    magnitude,
    narrowest,
    percent,
    ratio_interval_words,
    whose,
)
from .._report._printed_names import in_sentences_by_name
from .._report._shown_pairs import ahead_first
from ._leaders import (
    decides_by_ranks,
    leader,
    pairs_with,
    rank_words,
    shown_differences,
    unranked,
)
from ._pictures import measure_of_data_sets


def datasets_verdict(result):
    """Return one sentence on a pair, or on the estimator with the best mean rank."""
    if len(result.pairs) == 1 and not result.ranks_failures:
        return _of_pair(result)
    name_texts = in_sentences_by_name(result.estimator_names)
    reference = leader(result)
    if result.reference is not None:
        lead = f"compared with {name_texts[reference]}: "
    elif decides_by_ranks(result):
        rank = rank_words(result, name_texts)
        lead = f"{name_texts[reference]} has the best mean rank ({rank}); "
    else:
        lead = f"{name_texts[reference]} has the best mean; "
    clauses = "; ".join(_around(result, reference, name_texts))
    return f"Over {len(result.datasets)} data sets, {lead}{clauses}."


def _around(result, reference, name_texts):
    """Yield who is better and worse than an estimator, then who is not."""
    better = []
    worse = []
    tied = []
    pvalues = []
    without_rank = set()
    if decides_by_ranks(result):
        without_rank = set(unranked(result))
    for other, is_better, pvalue in pairs_with(result, reference):
        if other in without_rank:
            continue
        if pvalue > result.alpha:
            tied.append(name_texts[other])
            continue
        pvalues.append(pvalue)
        if is_better:
            better.append(name_texts[other])
        else:
            worse.append(name_texts[other])
    clauses = []
    if better and result.reference:
        clauses.append(f"{join_names(better)} {are(better)} better")
    if worse and result.reference:
        clauses.append(f"{join_names(worse)} {are(worse)} worse")
    elif worse:
        clauses.append(f"it is better than {join_names(worse)}")
    if better and not result.reference:
        clauses.append(f"{join_names(better)} {are(better)} better than it")
    if clauses:
        symbol = "p" if result.p_adjust is None else "adjusted p"
        p = at_most(symbol, pvalues, result.alpha)
        test = ", Wilcoxon's signed-rank test" if decides_by_ranks(result) else ""
        yield f"{'; '.join(clauses)} ({p}{test})"
    if tied:
        yield f"{join_names(tied)} {are(tied)} not significantly different from it"


def _of_pair(result):
    """Return what is found of the only pair."""
    n_datasets = int(result.synthesis.n_datasets[0])
    if n_datasets < 2:
        return alone(result, 0)
    (estimate,), *ends = shown_differences(result, [0])
    lead = _lead_of(result, 0, estimate, np.ravel(ends))
    p = equals("p", result.decisions.adjusted[0], result.alpha)
    details = f"({lead.interval}, {p})"
    where = "on a typical data set" if decides_by_ranks(result) else "on average"
    if not estimate:
        return (
            f"Over {n_datasets} data sets, there is no difference between "
            f"{lead.ahead} and {lead.behind} {where} {details}."
        )
    is_by_ratio = result.scale == "log"
    if result.significant[0] and is_by_ratio:
        return (
            f"Over {n_datasets} data sets, {lead.ahead} is better than {lead.behind}: "
            f"{whose(lead.behind, lead.word)} is {lead.amount} {where} {details}."
        )
    if result.significant[0]:
        return (
            f"Over {n_datasets} data sets, {lead.ahead} is better than {lead.behind} "
            f"by {lead.amount} {where} {details}."
        )
    if is_by_ratio:
        return (
            f"Over {n_datasets} data sets, there is no significant difference between "
            f"{lead.ahead} and {lead.behind}: {whose(lead.behind, lead.word)} is "
            f"{lead.amount} {where} {details}."
        )
    return (
        f"Over {n_datasets} data sets, there is no significant difference between "
        f"{lead.ahead} and {lead.behind}: {lead.ahead} is ahead by {lead.amount} "
        f"{where} {details}."
    )


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
    ahead, behind = str(ahead), str(behind)
    metric = measure_of_data_sets(result)
    level = percent(1 - result.alpha)
    interval = f"no {level} interval"
    is_bounded = np.isfinite(ends).all()
    width = narrowest(*ends)
    if metric.is_ratio:
        by, low, high = metric.numbers(*sides, width=width)
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


def alone(result, row):
    """Return what fewer than two data sets show of a pair."""
    name_texts = in_sentences_by_name(result.estimator_names)
    first, second = (name_texts[name] for name in result.pairs[row])
    columns = np.flatnonzero(result.present[row])
    if not len(columns):
        return f"No data set shows how {first} and {second} differ, or how precisely."
    (column,) = columns
    dataset = result.datasets[column]
    ends = result.ci_low[row, column], result.ci_high[row, column]
    lead = _lead_of(result, row, result.estimates[row, column], ends)
    details = ""
    if result.tests[dataset]:
        p = equals("p", result.dataset_pvalues[row, column], result.alpha)
        details = f" ({lead.interval}, {p})"
    compared = (
        f"One data set says nothing about others: {first} and {second} were compared "
        f"on {dataset} only"
    )
    if lead.word:
        return (
            f"{compared}, where {whose(lead.behind, lead.word)} is "
            f"{lead.amount}{details}."
        )
    return f"{compared}, where {lead.ahead} is ahead by {lead.amount}{details}."


def prediction(result):
    """Return what is predicted of the only pair on another data set, "" if nothing."""
    (ends,) = result.prediction_intervals
    if not np.isfinite(ends[0]):
        return ""
    (estimate,), *_ = shown_differences(result, [0])
    lead = _lead_of(result, 0, estimate, ends)
    if lead.word:
        return (
            f"On another data set like these, {whose(lead.behind, lead.word)} is "
            f"predicted to be {lead.ratio_ends} than {lead.ahead}'s "
            f"({lead.level} prediction interval)."
        )
    return (
        f"On another data set like these, {lead.ahead} is predicted to be ahead of "
        f"{lead.behind} by {lead.low} to {lead.high} ({lead.level} prediction "
        "interval)."
    )
