"""The sentences of comparisons: which one is said, and with which numbers.

What is said follows from a decision (`_pairs/_model_table.py`) and from the traits of
the test; nothing is decided here. The sentences are in `_verdict_sentences.py`.
"""

import numpy as np

from .._pairs._model_table import Decision, decision_of, stability_of
from .._pairs._ratios import as_effect
from . import _verdict_sentences as sentences
from ._findings import Verdict, posterior
from ._format import (
    are,
    at_most,
    capitalised,
    counted,
    equals,
    interval_words,
    join_names,
    level_text,
    magnitude,
    minus,
    narrowest,
    percent,
)
from ._metric_format import NUMBERS, metric_format_of
from ._shown_pairs import pair_ahead, reversed_sides

POWER = 0.8
STABLE = 0.9  # of a decision that is worth no remark


def verdicts(result):
    """Return {name of test: Verdict}."""
    by_test = {}
    for name, table in result.tables.items():
        if len(table) == 1:
            by_test[name] = _of_two(result.losses, table)
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


def short_name(name):
    """Return the name of a test without empty brackets."""
    return name.removesuffix("()")


# Two -------------------------------------------------------------------------------


def _of_two(losses, table):
    """Return the Verdict on two models."""
    row = table.row(0)
    decision = decision_of(table, 0)
    metric = metric_format_of(losses).effect(table.is_by_ratio)
    text = _sentence_on_two(losses, table, row, metric, decision)
    stability = stability_of(table)[0]
    if stability < STABLE:
        text = text.removesuffix(".") + (
            "; another random split would give the same decision with probability "
            f"{stability:.2f}."
        )
    pair = (row.first, row.second)
    if decision == Decision.BETTER:
        worse = tuple(name for name in pair if name != row.winner)
        return Verdict(decision, text, better=(row.winner,), worse=worse)
    detectable = np.nan
    if decision == Decision.NOT_SIGNIFICANT:
        differences = table.detectable_difference(POWER)
        detectable = float(differences[0])
        text += _power_text(losses, table, metric, differences)
    tied = pair if _are_tied(table, decision) else ()
    return Verdict(decision, text, tied=tied, detectable_difference=detectable)


def _are_tied(table, decision):
    """Whether two of which none is better are known to be about as good."""
    if decision == Decision.SAME:
        return True
    if table.test.popmean:
        return False
    if decision == Decision.INCONCLUSIVE:
        return table.is_bayesian
    return decision in (Decision.NOT_SIGNIFICANT, Decision.EQUIVALENT)


def _sentence_on_two(losses, table, row, metric, decision):
    """Return the sentence on the decision on two models."""
    test = table.test
    if decision == Decision.SAME:
        return _sentence_on_same(losses, table, row, metric)
    if test.popmean and table.is_bayesian:
        return f"{posterior(metric, table, row)}."
    if test.popmean:
        return _sentence_on_shifted(table, row, decision)
    texts = _pair_texts(losses, table, row, metric)
    if decision == Decision.BETTER and losses.size_is_unknown:
        return sentences.better_from_few_positives(texts, losses.few_positives)
    if decision == Decision.BETTER and metric.is_ratio:
        return sentences.better_by_ratio(texts, metric.word)
    if table.is_bayesian:
        return _sentence_by_probability(texts, decision)
    is_one_sided = test.alternative != "two-sided"
    if decision == Decision.EQUIVALENT:
        identical = identical_words(losses, table, 0)
        return _sentence_on_equivalent(texts, identical, is_one_sided)
    if is_one_sided and decision in (Decision.NOT_SIGNIFICANT, Decision.INCONCLUSIVE):
        return _sentence_by_one_side(texts, decision)
    return _sentence_by_pvalue(texts, decision)


def _sentence_by_pvalue(texts, decision):
    if decision == Decision.BETTER:
        return sentences.better(texts)
    if decision == Decision.NOT_SIGNIFICANT:
        return sentences.not_significant(texts)
    if decision == Decision.DIFFERENT:
        return sentences.different(texts)
    if decision == Decision.NOT_EQUIVALENT:
        return sentences.not_equivalent(texts)
    return sentences.not_shown_equivalent(texts)


def _sentence_by_one_side(texts, decision):
    if decision == Decision.NOT_SIGNIFICANT:
        return sentences.not_significantly_better(texts)
    return sentences.not_shown_non_inferior(texts)


def _sentence_on_equivalent(texts, identical, is_one_sided):
    """Return that models are equivalent; `identical` says in what they are the same."""
    if is_one_sided and identical:
        return sentences.non_inferior_as_identical(texts, identical)
    if identical:
        return sentences.equivalent_as_identical(texts, identical)
    if is_one_sided:
        return sentences.non_inferior(texts)
    return sentences.equivalent(texts)


def _sentence_by_probability(texts, decision):
    if decision == Decision.BETTER:
        return sentences.probably_better(texts)
    if decision == Decision.EQUIVALENT:
        return sentences.probably_equivalent(texts)
    return sentences.nothing_probable(texts)


def _sentence_on_same(losses, table, row, metric):
    """Return that two models do not differ on any example, or in any split."""
    identical = identical_words(losses, table, 0)
    if identical:
        return f"{row.first} and {row.second} {identical}."
    part = "run" if losses.design.kind == "crossed" else "split"
    return f"{row.first} and {row.second} have the same {metric.word} in every {part}."


def _sentence_on_shifted(table, row, decision):
    """Return what is shown of a difference that is tested against another than 0."""
    width = narrowest(row.ci_low, row.ci_high)
    difference, low, high = NUMBERS.numbers(
        row.estimate, row.ci_low, row.ci_high, width=width
    )
    claim = _shifted_claim(table.test)
    if decision == Decision.NOT_EQUIVALENT:
        claim = f"not {claim}"
    elif decision != Decision.DIFFERENT:
        claim = f"not shown to be {claim}"
    interval = _interval(table, low, high)
    p = p_words(table, row.pvalue_adjusted)
    return (
        f"The difference loss({row.first}) - loss({row.second}), {difference} "
        f"({interval}), is {claim} ({p})."
    )


def _shifted_claim(test):
    """Return what is shown of a difference that is not compared with 0."""
    centre, region = test.popmean, test.traits.region
    is_equivalence = test.traits.decides == "equivalence"
    if is_equivalence and test.alternative == "two-sided":
        return f"within {region:g} of {minus(f'{centre:g}')}"
    if is_equivalence and test.alternative == "less":
        centre += region
    elif is_equivalence:
        centre -= region
    than = {"two-sided": "different from", "greater": "above", "less": "below"}
    return f"{than[test.alternative]} {minus(f'{centre:g}')}"


def _pair_texts(losses, table, row, metric):
    """Return what sentences on two models name, of whichever is ahead."""
    ahead, behind, *sides = pair_ahead(table)
    ahead, behind = table.names[ahead], table.names[behind]
    difference, low, high = _numbers_of_two(metric, sides)
    interval = _interval(table, low, high)
    if losses.size_is_unknown:
        interval = f"no CI from {counted(losses.few_positives, 'positive')}"
    if metric.is_ratio:
        amount = sentences.lower_or_higher(difference)
        lead = sentences.ratio_of(ahead, metric.word, amount)
        lead_of_it = sentences.ratio_of("it", metric.word, amount)
    else:
        number = magnitude(difference)
        amount = number + metric.unit(number)
        lead = sentences.lead_clause(ahead, sides[0], amount)
        lead_of_it = sentences.lead_clause("it", sides[0], amount)
    region = table.test.traits.region
    return sentences.PairTexts(
        first=row.first,
        second=row.second,
        ahead=ahead,
        behind=behind,
        amount=amount,
        lead=lead,
        lead_of_it=lead_of_it,
        interval=interval,
        p=p_words(table, row.pvalue_adjusted),
        margin=metric.margin(region) if region else "",
        probability=percent(1 - table.alpha),
    )


def _numbers_of_two(metric, sides):
    """Return a difference and the ends of its interval as texts."""
    effect, low, high = sides
    width = narrowest(low, high)
    if metric.is_ratio:  # of the loss of the one ahead to the loss of the other
        return metric.numbers(*reversed_sides(*sides), against=width)
    texts = metric.numbers(*sides, against=width)
    if effect < 0:  # by how much it is behind
        _, *ends = metric.numbers(*reversed_sides(*sides), against=width)
        texts = [texts[0], *ends]
    return texts


def _power_text(losses, table, metric, differences):
    """Return which difference would have been detected, "" if none can be."""
    low, high = losses.value_range
    if losses.few_positives or not 0 < differences[0] <= high - low:
        return ""
    _, _, *sides = pair_ahead(table)
    smallest = as_effect(table, differences)[0]
    width = narrowest(*sides[1:])
    number = metric.numbers(*sides, smallest, against=width)[-1]
    amount = number + metric.points(number)
    return f" The test has 80% power to detect a difference of {amount}."


def identical_words(losses, table, number):
    """Return in what two models are the same, as a predicate; "" if they differ.

    Parameters
    ----------
    losses : CVLosses
        The losses.
    table, number : PairTable, int
        A row of the table is about the two.
    """
    pair = [(table.first[number], table.second[number])]
    if not losses.pair_residuals(pair).identical[0]:
        return ""
    n_examples = np.count_nonzero(np.bincount(losses.row_index))
    if losses.loss_name in ("zero_one", "accuracy"):
        return f"make the same errors on all {n_examples} examples"
    if losses.rests_on is not None:  # of examples, a metric has no values of its own
        return f"make the same predictions on all {n_examples} examples"
    word = metric_format_of(losses).word
    return f"have the same {word} on all {n_examples} examples"


def _interval(table, low, high):
    """Return an interval or bound, of ends as texts."""
    level = level_text(table)
    if table.is_by_ratio:
        words = sentences.ratio_interval_words(low, high)
    else:
        words = interval_words(low, high)
    if not words:
        return f"no {level} interval"
    if low.endswith("inf") or high.endswith("inf"):
        return f"{level} bound: {words}"
    noun = "credible interval" if table.is_bayesian else "CI"
    if not table.traits.uses_all_splits:
        noun += " of the first split"
    if table.ci_low_simultaneous is not None:
        level = f"simultaneous {level}"
    return f"{level} {noun} {words}"


def p_words(table, value):
    """Return a p-value with what kind it is, such as "adjusted p = 0.03"."""
    text = equals(kind_of_p(table), value, table.alpha)
    if table.traits.uses_all_splits:
        return text
    return f"{text}, from the first split alone"


def kind_of_p(table):
    """Return what the p-values of a table are called."""
    p = "p" if table.test.alternative == "two-sided" else "one-sided p"
    return f"adjusted {p}" if table.is_adjusted else p


# Many ------------------------------------------------------------------------------


def _of_many(result, models):
    """Return the Verdict on models that are compared with the best or a reference."""
    metric = metric_format_of(result.losses)
    name = models.table.names[models.reference]
    mean = metric.value(result.losses.mean_losses[models.reference])
    lead = f"Compared with {name} ({mean}), "
    if models.is_about_best:
        lead = f"{name} has the {metric.best}, {mean}; "
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
            clauses.append(_clause(metric, models, rows))
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
    are_bounds = any(row.is_bound for row in rows)
    return at_most(symbol, values, table.alpha, are_bounds=are_bounds)


def _unstable_models(models):
    """Return which decisions depend on the split, "" if none does."""
    rows = [row for row in models.others if row.stability < STABLE]
    if not rows:
        return ""
    names = [models.table.names[row.position] for row in rows]
    probabilities = [row.stability for row in rows]
    smallest, largest = f"{min(probabilities):.2f}", f"{max(probabilities):.2f}"
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
    claim = claim_of_pairs(table.test, metric_format_of(result.losses))
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
        low, high = minus(f"{centre - region:g}"), minus(f"{centre + region:g}")
        return f"loss(first) - loss(second) is below {low} or above {high}"
    if centre:
        return f"loss(first) - loss(second) is {_shifted_claim(test)}"
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
