"""The sentences of comparisons: which one is said, and with which numbers.

What is said follows from a decision (`_pairs/_model_table.py`) and from the traits of
the test; nothing is decided here. Those on two models are in `_verdict_on_two.py`.
"""

import numpy as np

from .._pairs._model_table import Decision, decision_of
from ._findings import Verdict, shifted_claim
from ._format import (
    are,
    at_most,
    capitalised,
    equal_means,
    equals,
    general_number,
    join_names,
    kind_of_p,
    percent,
    short_name,
)
from ._metric_format import metric_format_of
from ._verdict_on_two import STABLE, verdict_on_two


def verdicts(result):
    """Return {name of test: Verdict}."""
    by_test = {}
    for name, table in result.tables.items():
        if len(table) == 1:
            reference = result.reference_position
            by_test[name] = verdict_on_two(result.losses, table, reference)
        elif name in result.decisions:
            by_test[name] = _of_many(result, result.decisions[name])
        else:
            by_test[name] = _of_pairs(result, table)
    return by_test


def verdict_lines(result):
    """Return the sentences of all tests, with their names if there are several."""
    by_test = verdicts(result)
    if len(by_test) == 1:
        return [verdict.text for verdict in by_test.values()]
    lines = []
    for name, verdict in by_test.items():
        lines.append(f"By {short_name(name)}: {verdict.text}")
    return lines


# Many ------------------------------------------------------------------------------


def _of_many(result, models):
    """Return the Verdict on models that are compared with the best or a reference."""
    metric = metric_format_of(result.losses)
    is_by_ratio = models.table.is_by_ratio
    name = models.table.names[models.reference]
    lead = _lead_of_many(result.losses, models)
    clauses = []
    for decisions in (
        (Decision.BETTER,),
        (Decision.NOT_SIGNIFICANT, Decision.SAME),
        (Decision.INCONCLUSIVE,),
        (Decision.EQUIVALENT,),
        (Decision.NOT_EQUIVALENT,),
        (Decision.WORSE,),
    ):
        rows = [row for row in models.others if row.decision in decisions]
        if rows:
            clauses.append(_clause(metric.effect(is_by_ratio), models, rows))
    as_good = [Decision.NOT_SIGNIFICANT, Decision.SAME, Decision.EQUIVALENT]
    if models.table.is_bayesian:
        as_good.append(Decision.INCONCLUSIVE)
    return Verdict(
        "ranking",
        f"{lead}{'; '.join(clauses)}.{_unstable_models(models)}",
        better=_names_with(models, Decision.BETTER),
        worse=_names_with(models, Decision.WORSE),
        tied=_names_with(models, *as_good),
        reference=name,
    )


def _lead_of_many(losses, models):
    """Return the mean of the reference, and of the best who has the same mean."""
    metric = metric_format_of(losses)
    name = models.table.names[models.reference]
    means = losses.mean_losses
    mean = metric.value(means[models.reference])
    if not models.is_about_best:
        return f"Compared with {name} ({mean}), "
    are_equal = np.isclose(means, means[models.reference], rtol=1e-12, atol=0)
    equal = [
        models.table.names[row.position]
        for row in models.others
        if are_equal[row.position]
    ]
    return f"{name} has the {metric.best}, {mean}{equal_means(equal)}; "


def _names_with(models, *decisions):
    """Return the names of the models with some decisions."""
    return tuple(models.table.names[i] for i in models.positions(*decisions))


def _clause(metric, models, rows):
    """Return the clause on the models with one decision."""
    names = [models.table.names[row.position] for row in rows]
    subject = f"{join_names(names)} {are(names)}"
    if 2 < len(rows) == len(models.others):
        subject = f"the other {len(rows)} are"
    elif len(rows) > 2 and len(join_names(names)) > 60:  # the table has their names
        subject = f"{len(rows)} others are"
    decision = rows[0].decision
    region = models.table.test.traits.region
    if decision == Decision.BETTER:
        return f"{subject} significantly better ({_pvalues_text(models, rows)})"
    if decision == Decision.WORSE:
        return f"{subject} significantly worse ({_pvalues_text(models, rows)})"
    if decision in (Decision.NOT_SIGNIFICANT, Decision.SAME):
        return _not_significant_clause(models, subject)
    if decision == Decision.INCONCLUSIVE:
        return f"{subject} neither clearly better nor worse"
    if decision == Decision.EQUIVALENT:
        return f"{subject} practically equivalent, within {metric.margin(region)}"
    return f"{subject} not equivalent within {metric.margin(region)}"


def _not_significant_clause(models, subject):
    """Return what those that are not significant are not shown to be."""
    test = models.table.test
    if models.is_about_best:
        return f"{subject} not significantly worse"
    if test.alternative == "two-sided":
        return f"{subject} not significantly different"
    is_first = bool((models.table.first == models.reference).any())
    if (test.alternative == "less") == is_first:
        return f"{subject} not significantly worse"
    return f"{subject} not significantly better"


def _pvalues_text(models, rows):
    """Return by which p-values, or probabilities, that is decided."""
    table = models.table
    if table.is_bayesian:
        return f"probability at least {percent(1 - table.alpha)}"
    symbol = "p" if models.family == "best set" else kind_of_p(table)
    values = [row.pvalue for row in rows]
    return at_most(symbol, values, table.alpha)


def _unstable_models(models):
    """Return which decisions depend on the split, "" if none does."""
    rows = [row for row in models.others if row.stability < STABLE]
    if not rows:
        return ""
    names = [models.table.names[row.position] for row in rows]
    probabilities = [row.stability for row in rows]
    smallest = f"{min(probabilities):.2f}"
    largest = f"{max(probabilities):.2f}"
    probability = smallest
    if largest != smallest:
        probability = f"{smallest}–{largest}"
    if len(names) == 1:
        return (
            f" The decision on {names[0]} depends on the random split (probability of "
            f"the same decision: {probability})."
        )
    return (
        f" The decisions on {join_names(names)} depend on the random split "
        f"(probability of the same decision: {probability})."
    )


# Pairs -----------------------------------------------------------------------------


def _of_pairs(result, table):
    """Return what is found of pairs of which no test says which of two is better."""
    n_pairs = len(table)
    undecided = (
        Decision.NOT_SIGNIFICANT,
        Decision.INCONCLUSIVE,
        Decision.NOT_EQUIVALENT,
        Decision.SAME,
    )
    decided = [i for i in range(n_pairs) if decision_of(table, i) not in undecided]
    metric = metric_format_of(result.losses).effect(table.is_by_ratio)
    claim = claim_of_pairs(table.test, metric)
    if table.is_bayesian:
        p = f"probability {percent(1 - table.alpha)}"
    elif decided:
        p = at_most(kind_of_p(table), table.pvalue_adjusted[decided], table.alpha)
    else:
        smallest = np.nanmin(table.pvalue_adjusted)
        p = equals(f"smallest {kind_of_p(table)}", smallest, table.alpha)
    number = f"{len(decided) or 'none'} of the {n_pairs}"
    if len(decided) == n_pairs:
        number = f"all {n_pairs}"
    pairs = _pairs_text(table, decided)
    text = f"{capitalised(claim)} in {number} pairs ({p}){pairs}."
    return Verdict("ranking", text)


def _pairs_text(table, decided):
    """Return the first of the decided pairs, "" if there is none."""
    if not decided:
        return ""
    most = 4
    pairs = [f"{row.first} and {row.second}" for row in table.rows(decided[:most])]
    text = f": {', '.join(pairs)}"
    n_more = len(decided) - most
    if n_more > 0:
        text += f" and {n_more} more"
    return text


def claim_of_pairs(test, metric):
    """Return what a test that names no winner shows of "the first" and "the second"."""
    centre = test.popmean
    region = test.traits.region
    decides = test.traits.decides
    if centre and decides == "posterior":
        low = general_number(centre - region)
        high = general_number(centre + region)
        return f"loss(first) - loss(second) is below {low} or above {high}"
    if centre:
        return f"loss(first) - loss(second) is {shifted_claim(test)}"
    if test.alternative == "two-sided" and decides == "equivalence":
        return f"the two are equivalent within {metric.margin(region)}"
    if test.alternative == "two-sided":
        return "the two differ"
    one, other = "first", "second"
    if test.alternative == "greater":
        one, other = other, one
    if decides == "equivalence":
        margin = metric.margin(region)
        return f"the {one} is non-inferior to the {other} within {margin}"
    return f"the {one} is better than the {other}"
