"""What is found over data sets, in sentences, a table and a picture."""

from typing import NamedTuple

import numpy as np

from .._metrics import Metric
from .._report.models import (
    MOST_ROWS,
    cells_beside,
    head_beside,
    mark_sentence,
    rows_of_models,
)
from .._report.numbers import (
    NOTHING,
    counted,
    equals,
    join_names,
    percent,
    quoted,
)
from .._report.result import Content, Table
from .._report.sentences import (
    METHODS,
    ahead_and_behind,
    amount_and_interval,
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
        mark_sentence(result.models, result.names, _has_tiers(result)),
        left_out_sentence(len(result.models.rows) - MOST_ROWS),
        friedman_sentence(result.friedman) if len(result.names) > 2 else "",
        _failure_sentence(result),
        *result.means.notes,
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
    values, metric = result.mean_ranks, Metric("rank", "rank", None)
    if result.decided_by == "t":
        values, metric = result.means_of_complete, result.means.metric
    if result.decided_by == "t" and result.scale is not None:
        unit = unit_of(result)
        values = unit.metric.exponent * values
        metric = Metric("log", f"logarithm of the {unit.word}", None)
    return verdict_on_many(RankedMeans(result.names, values, metric), result.models)


def _verdict_on_two(result):
    """Return the sentence on two models, by the test that decides."""
    unit, pair = unit_of(result), result.beside
    reference = None if result.reference is None else result.models.reference
    ahead, behind, (effect, _, _) = ahead_and_behind(pair)
    ahead, behind = quoted(result.names[ahead]), quoted(result.names[behind])
    amount, lead, interval = amount_and_interval(unit, pair, reference)
    p = equals("p", pair.pvalue_adjusted[0], result.alpha)
    where = "on average"
    if result.decided_by == "wilcoxon":
        where = "on a typical data set"
    if effect == 0:
        lead = "no difference"
    if not result.significant[0]:
        names = " and ".join(map(quoted, result.pairs[0]))
        verdict = f"no significant difference between {names}"
        return f"{verdict}: {lead} {where} ({interval}, {p})."
    if unit.by_ratio:
        return f"{ahead} is better than {behind}: {lead} {where} ({interval}, {p})."
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
        datasets = np.array(result.datasets, dtype=object)[is_missing[:, column]]
        count = f"{len(datasets)} of {len(is_missing)} data sets"
        name = quoted(result.names[column])
        text = f"{name} failed on {count} ({join_names(list(datasets))})"
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
    positions = [row.position for row in models.rows[:MOST_ROWS]]
    ranks = result.mean_ranks[positions]
    before = {"mean rank": [f"{r:.2f}".replace("nan", NOTHING) for r in ranks]}
    if result.scale is None:
        losses = result.means_of_complete[positions]
        nothing = np.full(len(losses), np.nan)
        before[unit.header] = unit.means(losses, nothing, nothing)[0]
    head = head_beside(models, result.names, unit.by_ratio)
    beside = cells_beside(models, unit)
    after = {"W/T/L": _counts(result, positions)}
    letters = result.letters() if _has_tiers(result) else None
    headers, rows = rows_of_models(
        models, result.names, "model", before, head, beside, after, letters
    )
    ranked = {row.position for row in models.rows}
    for position, name in enumerate(result.names):
        if position not in ranked and len(rows) == len(ranked):
            rows.append([name, NOTHING, *[""] * (len(headers) - 2)])
    return Table(headers, rows)


def _counts(result, positions):
    """Return wins, ties and losses of models against the best or the reference."""
    texts = {result.models.reference: ""}
    counts = result.win_tie_loss[result.rows_beside]
    pairs = zip(result.beside.first, result.beside.second, counts, strict=True)
    for first, second, numbers in pairs:
        is_first = second == result.models.reference
        other = first if is_first else second
        texts[other] = "/".join(map(str, numbers[::-1] if is_first else numbers))
    return [texts[position] for position in positions]
