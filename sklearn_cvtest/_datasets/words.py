"""What is found over data sets, in sentences, a table and a picture."""

from typing import NamedTuple

import numpy as np

from .._metrics import Metric
from .._report.models import MOST_ROWS, cells_beside, head_beside
from .._report.numbers import (
    NOTHING,
    counted,
    equals,
    interval_text,
    join_names,
    lower_or_higher,
    magnitude,
    narrowest,
    percent,
    quoted,
    ratio_interval_text,
    whose,
)
from .._report.result import Content, Table
from .._report.sentences import (
    METHODS,
    left_out_sentence,
    software_sentence,
    verdict_on_many,
)
from .._report.units import Unit

TESTS = {"wilcoxon": "Wilcoxon's signed-rank test", "t": "Student's t test"}


class RankedMeans(NamedTuple):
    """What a sentence on many models reads: what they are ordered by."""

    names: tuple
    mean_losses: np.ndarray
    metric: Metric


def content_of(result):
    """Return the Content of a DatasetComparison."""
    n_datasets = len(result.datasets)
    verdict = _verdict(result).replace("Compared with", "compared with")
    verdict = f"Over {n_datasets} data sets, {verdict}"
    method = [
        _method_sentence(result),
        _counts_sentence(result),
        _mark_sentence(result),
        left_out_sentence(len(result.models.rows) - MOST_ROWS),
        friedman_sentence(result.friedman) if len(result.names) > 2 else "",
        _failure_sentence(result),
        *(f"{note[0].upper()}{note[1:]}." for note in result.means.notes),
    ]
    unit = unit_of(result)
    opening = (
        f"We compared {join_names(result.names)} by {unit.word} on {n_datasets} data "
        f"sets: {', '.join(result.datasets)}."
    )
    method = " ".join(filter(None, method))
    models = result.models
    return Content(
        lead=f"{counted(len(result.names), 'model')} on {n_datasets} data sets",
        verdict=verdict,
        table=_table(result),
        method=method,
        paragraph=[opening, verdict, method, software_sentence()],
        findings={
            "metric": result.means.metric.name,
            "greater_is_better": result.means.metric.is_score,
            "mean_ranks": dict(zip(result.names, result.mean_ranks, strict=True)),
            "decisions": {result.names[r.position]: r.decision for r in models.rows},
            "decided_by": result.decided_by,
            "scale": result.scale,
            "n_datasets": n_datasets,
            "friedman_pvalue": result.friedman and result.friedman.pvalue,
            "alpha": result.alpha,
        },
    )


def unit_of(result):
    """Return how differences are shown."""
    return Unit(result.means.metric, result.scale is not None)


def _verdict(result):
    if len(result.pairs) == 1 and not result.has_ranked_failures:
        return _verdict_on_two(result)
    if result.decided_by == "wilcoxon":
        ranked = RankedMeans(
            result.names, result.mean_ranks, Metric("rank", "rank", None)
        )
    elif result.scale is None:
        means = result.means_of_complete
        ranked = RankedMeans(result.names, means, result.means.metric)
    else:
        unit = unit_of(result)
        power = unit.metric.exponent
        logarithm = Metric("log", f"logarithm of the {unit.word}", None)
        values = power * result.means_of_complete
        ranked = RankedMeans(result.names, values, logarithm)
    return verdict_on_many(ranked, result.models)


def _verdict_on_two(result):
    """Return the sentence on two models, by the test that decides."""
    unit = unit_of(result)
    first, second = result.pairs[0]
    effect, low, high = (values[0] for values in result.effects(np.array([0])))
    if effect < 0:
        first, second, effect, low, high = second, first, -effect, -high, -low
    ahead, behind = quoted(second), quoted(first)
    texts = unit.numbers([effect, low, high], None, narrowest(low, high))
    p = equals("p", result.models.others[0].pvalue, result.alpha)
    interval = f"no {percent(1 - result.alpha)} interval"
    where = "on average"
    if result.decided_by == "wilcoxon":
        where = "on a typical data set"
    amount = magnitude(texts[0])
    amount += unit.after(amount)
    words = interval_text(*texts[1:])
    lead = f"{ahead} is ahead by {amount} {where}"
    if unit.by_ratio:  # the worse beside the better
        amount = lower_or_higher(texts[0])
        words = ratio_interval_text(*texts[1:])
        lead = f"{whose(first, unit.word)} is {amount} {where}"
    if np.isfinite(low) and np.isfinite(high):
        interval = f"{percent(1 - result.alpha)} CI {words}"
    if effect == 0:
        lead = f"no difference {where}"
    if not result.significant[0]:
        names = " and ".join(map(quoted, result.pairs[0]))
        return f"no significant difference between {names}: {lead} ({interval}, {p})."
    if unit.by_ratio:
        return f"{ahead} is better than {behind}: {lead} ({interval}, {p})."
    return f"{ahead} is better than {behind} by {amount} {where} ({interval}, {p})."


def _method_sentence(result):
    """Return what a difference over data sets is, and by which test."""
    behind = "Differences: means over the data sets"
    reason = " (so few data sets cannot be significant by Wilcoxon's test)"
    if result.decided_by == "wilcoxon":
        behind = "Differences: on a typical data set (Hodges and Lehmann's estimate)"
        reason = ""
    if result.scale is not None:
        behind += ", of logarithms"
    tests = f"intervals and p-values are from {TESTS[result.decided_by]}{reason}"
    n_pairs = len(result.pairs)
    if n_pairs > 1 and result.p_adjust is None:
        tests += ", not adjusted"
    elif n_pairs > 1:
        tests += f", adjusted for {n_pairs} pairs ({METHODS[result.p_adjust]})"
    return f"{behind}; {tests}."


def _counts_sentence(result):
    """Return what wins and losses are."""
    whom = "the best"
    if result.reference is not None:
        whom = quoted(result.reference)
    if result.means.comparisons:
        level = percent(result.alpha)
        return (
            f"W/T/L: on how many data sets the model is significantly better than "
            f"{whom} at the {level} level (not adjusted), neither, or worse."
        )
    return (
        f"W/T/L: on how many data sets the model is better than {whom}, equal, or "
        "worse."
    )


def _is_tied(row, models):
    return row.decision in ("best", "not significant") and len(models.rows) > 2


def _mark_sentence(result):
    models = result.models
    if not any(_is_tied(row, models) for row in models.rows):
        return ""
    if not models.is_about_best:
        return f"† not significantly different from {quoted(result.reference)}."
    text = "† not significantly worse than the best."
    if _has_tiers(result):
        text += " Models that share a letter do not differ significantly."
    return text


def _has_tiers(result):
    """Whether there are so many models that letters say more than marks."""
    return result.reference is None and len(result.names) > 6


def friedman_sentence(friedman):
    """Return Friedman's test as a sentence, "" if there is none."""
    if friedman is None:
        return ""
    return f"Friedman's test that all rank alike: {equals('p', friedman.pvalue)}."


def _failure_sentence(result):
    """Return which model has no result where, and what that counts."""
    is_missing = np.isnan(result.mean_losses)
    texts = []
    for column in np.flatnonzero(is_missing.any(axis=0)):
        rows = np.flatnonzero(is_missing[:, column])
        names = join_names([result.datasets[row] for row in rows])
        count = f"{len(rows)} of {len(is_missing)} data sets"
        text = f"{quoted(result.names[column])} failed on {count} ({names})"
        if np.isnan(result.mean_ranks[column]):
            text += " and is not ranked"
        texts.append(text)
    if not texts:
        return ""
    rule = "there, it is not compared"
    if result.missing == "worst":
        rule = "there, it is ranked last, and no win or loss is counted"
    return f"{'; '.join(texts)}; {rule}."


def _table(result):
    """Return the table of models, the best first."""
    models = result.models
    unit = unit_of(result)
    printed = models.rows[:MOST_ROWS]
    positions = [row.position for row in printed]
    left_out = [n for n in range(len(result.names)) if n not in result.order]
    head = head_beside(models, result.names, unit.by_ratio)
    level = f"{percent(1 - result.alpha)} CI"
    columns = {"model": [], "mean rank": _rank_texts(result, positions)}
    if result.scale is None:
        losses = result.means_of_complete[positions]
        nothing = np.full(len(losses), np.nan)
        columns[unit.header] = unit.means(losses, nothing, nothing)[0]
    beside = cells_beside(models, unit)
    cells = zip(*(beside[position] for position in positions), strict=True)
    columns |= zip((head, level + " ", "p"), cells, strict=True)
    columns["W/T/L"] = _counts(result, positions)
    if _has_tiers(result):
        letters = result.letters()
        columns["tier"] = [letters[result.names[position]] for position in positions]
    for row in printed:
        mark = " †" if _is_tied(row, models) else ""
        columns["model"].append(result.names[row.position] + mark)
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    for position in left_out if len(printed) == len(models.rows) else []:
        if position != models.reference:
            rows.append([result.names[position], NOTHING, *[""] * (len(columns) - 2)])
    headers = [header.rstrip() for header in columns]
    return Table(headers, rows)


def _rank_texts(result, positions):
    ranks = result.mean_ranks[positions]
    return [NOTHING if np.isnan(rank) else f"{rank:.2f}" for rank in ranks]


def _counts(result, positions):
    """Return wins, ties and losses of models against the best or the reference."""
    reference = result.models.reference
    others = [position for position in positions if position != reference]
    rows, signs = result.pairs_of(reference, others)
    texts = {reference: ""}
    for other, row, sign in zip(others, rows, signs, strict=True):
        counts = result.win_tie_loss[row][:: -int(sign)]
        texts[other] = "/".join(map(str, counts))
    return [texts[position] for position in positions]
