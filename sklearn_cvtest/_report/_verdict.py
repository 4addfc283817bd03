"""The sentences of comparisons: which one is said, and with which numbers.

What is said follows from a decision (`_pairs/_model_table.py`) and from the traits of
the test; nothing is decided here. The sentences are in `_verdict_sentences.py`.
"""

import numpy as np

from .._pairs._model_table import (
    BETTER,
    DIFFERENT,
    EQUIVALENT,
    INCONCLUSIVE,
    NOT_EQUIVALENT,
    NOT_SIGNIFICANT,
    SAME,
    WORSE,
    decision_of,
    names_pairs_only,
    stability_of,
)
from .._pairs._ratios import as_effect
from .._splits._design import DesignKind
from . import _verdict_sentences as sentences
from ._findings import Verdict, is_bayesian, posterior, shifted_claim
from ._format import are, at_most, equals, level_text, listed, percent
from ._measure import (
    NUMBERS,
    counted,
    effect_measure,
    is_ratio,
    magnitude,
    measure_of,
    minus,
    narrowest,
)
from ._ratio_words import (
    better_by_ratio,
    lower_or_higher,
    ratio_interval_words,
    ratio_of,
)
from ._shown_pairs import pair_ahead, turned

POWER = 0.8
STABLE = 0.9  # of a decision that is worth no remark
HITS = "zero_one", "accuracy"
MOST_NAMED = 60  # characters of names of one group in a sentence
MOST_PAIRS = 4  # pairs that are named in a sentence
GROUPS = (
    (BETTER,), (NOT_SIGNIFICANT, SAME), (INCONCLUSIVE,),
    (EQUIVALENT,), (NOT_EQUIVALENT,), (WORSE,),
)  # fmt: skip


def verdicts(result):
    """Return {name of test: Verdict}."""
    return {name: _verdict(result, name) for name in result.tables}


def verdict_lines(result):
    """Return the sentences of all tests, with their names if there are several."""
    by_test = verdicts(result)
    if len(by_test) == 1:
        return [verdict.text for verdict in by_test.values()]
    return [
        f"By {short_name(name)}: {verdict.text}" for name, verdict in by_test.items()
    ]


def short_name(name):
    """Return the name of a test without empty brackets."""
    return name.removesuffix("()")


def _verdict(result, name):
    table = result.tables[name]
    if len(table) == 1:
        return _of_two(result, table)
    if names_pairs_only(result, table):
        return _of_pairs(result, table)
    return _of_many(result, result.decisions[name])


# Two -------------------------------------------------------------------------------


def _of_two(result, table):
    decision, pair = decision_of(table, 0), (table.row(0).first, table.row(0).second)
    text = _sentence_on_two(result, table, decision)
    probability = stability_of(table)[0]
    if probability < STABLE:
        splits, probability = other_splits(table), f"{probability:.2f}"
        text = text.removesuffix(".") + sentences.depends_on_split(splits, probability)
    detectable = np.nan
    if decision == NOT_SIGNIFICANT:
        detectable = float(table.detectable_difference(POWER)[0])
        text += _power_text(result, table, detectable)
    better = (table.row(0).winner,) if decision == BETTER else ()
    worse = tuple(name for name in pair if better and name not in better)
    is_unknown = decision in (DIFFERENT, NOT_EQUIVALENT) or bool(table.test.popmean)
    is_unknown |= decision == INCONCLUSIVE and not is_bayesian(table)
    tied = () if better or (is_unknown and decision != SAME) else pair
    return Verdict(
        decision, text, better, worse, tied, detectable_difference=detectable
    )


def _sentence_on_two(result, table, decision):
    """Return the sentence on the decision on two models."""
    losses, test, row = result.losses, table.test, table.row(0)
    measure = effect_measure(losses, table)
    if decision == SAME:
        return _sentence_on_same(losses, table)
    if is_bayesian(table) and test.popmean:
        return f"{posterior(measure, table, row)}."
    if test.popmean:
        return _sentence_on_shifted(table, row, decision)
    texts = _pair_texts(losses, table, measure)
    if decision == BETTER and losses.size_is_unknown:
        return better_from_few_positives(
            texts.ahead, texts.behind, texts.p, losses.few_positives
        )
    if decision == BETTER and is_ratio(measure):
        return better_by_ratio(
            texts.ahead,
            texts.behind,
            measure.word,
            texts.amount,
            texts.interval,
            texts.p,
        )
    if is_bayesian(table):
        return SENTENCES_ON_POSTERIOR[decision](texts)
    is_one_sided = test.alternative != "two-sided"
    if decision == EQUIVALENT and texts.identical:
        if is_one_sided:
            return sentences.non_inferior_as_identical(texts)
        return sentences.equivalent_as_identical(texts)
    if is_one_sided and decision in ONE_SIDED_SENTENCES:
        return ONE_SIDED_SENTENCES[decision](texts)
    return SENTENCES_ON_TWO[decision](texts)


# The sentence on each decision on two models, by p-values, by a one-sided test where it
# is another, and by posterior probabilities.
SENTENCES_ON_TWO = {
    BETTER: sentences.better,
    NOT_SIGNIFICANT: sentences.not_significant,
    DIFFERENT: sentences.different,
    EQUIVALENT: sentences.equivalent,
    NOT_EQUIVALENT: sentences.not_equivalent,
    INCONCLUSIVE: sentences.not_shown_equivalent,
}
ONE_SIDED_SENTENCES = {
    NOT_SIGNIFICANT: sentences.not_significantly_better,
    EQUIVALENT: sentences.non_inferior,
    INCONCLUSIVE: sentences.not_shown_non_inferior,
}
SENTENCES_ON_POSTERIOR = {
    BETTER: sentences.probably_better,
    EQUIVALENT: sentences.probably_equivalent,
    INCONCLUSIVE: sentences.nothing_probable,
}


def _sentence_on_same(losses, table):
    """Return that two models do not differ on any example, or in any split."""
    row, identical = table.row(0), identical_words(losses, table, 0)
    if identical:
        return sentences.identical(row.first, row.second, identical)
    part = "run" if losses.design.kind == DesignKind.CROSSED else "split"
    word = effect_measure(losses, table).word
    return sentences.same_in_every_split(row.first, row.second, word, part)


def _sentence_on_shifted(table, row, decision):
    """Return what is shown of a difference that is tested against another than 0."""
    ends = row.ci_low, row.ci_high
    number, *ends = NUMBERS.numbers(row.estimate, *ends, width=narrowest(*ends))
    claim = shifted_claim(table.test)
    if decision == NOT_EQUIVALENT:
        claim = f"not {claim}"
    elif decision != DIFFERENT:
        claim = f"not shown to be {claim}"
    interval, p = _interval(table, *ends), p_words(table, row.pvalue_adjusted)
    return sentences.difference_from_another_value(
        row.first, row.second, number, interval, claim, p
    )


def _pair_texts(losses, table, measure):
    """Return what sentences on two models name, of whichever is ahead."""
    row = table.row(0)
    ahead, behind, *sides = pair_ahead(table)
    ahead, behind = table.names[ahead], table.names[behind]
    difference, *ends = _numbers_of_two(measure, sides)
    interval = _interval(table, *ends)
    if losses.size_is_unknown:
        interval = no_interval_from(losses.few_positives)
    amount = magnitude(difference) + measure.unit(difference)
    if is_ratio(measure):
        amount = lower_or_higher(difference)
    region = table.test.traits.region
    return sentences.PairTexts(
        first=row.first,
        second=row.second,
        ahead=ahead,
        behind=behind,
        amount=amount,
        place=place(measure, ahead, sides[0], difference),
        place_of_it=place(measure, "it", sides[0], difference),
        interval=interval,
        p=p_words(table, row.pvalue_adjusted),
        margin=measure.margin(region) if region else "",
        probability=percent(1 - table.alpha),
        identical=identical_words(losses, table, 0),
    )


def _numbers_of_two(measure, sides):
    """Return a difference and the ends of its interval as texts."""
    width = narrowest(*sides[1:])
    if is_ratio(measure):  # of the loss of the one ahead to the loss of the other
        return measure.numbers(*turned(*sides), against=width)
    difference, *ends = measure.numbers(*sides, against=width)
    if sides[0] < 0:  # by how much it is behind
        ends = measure.numbers(*turned(*sides), against=width)[1:]
    return difference, *ends


def _power_text(result, table, detectable):
    """Return which difference would have been detected, "" if none can be."""
    losses, measure = result.losses, effect_measure(result.losses, table)
    low, high = losses.value_range
    is_possible = np.isfinite(detectable) and 0 < detectable <= high - low
    if not is_possible or losses.few_positives:
        return ""
    sides = pair_ahead(table)[2:]
    smallest = as_effect(table, table.detectable_difference(POWER))[0]
    width = narrowest(*sides[1:])
    number = measure.numbers(*sides, smallest, against=width)[-1]
    return sentences.power_to_detect(number + measure.points(number))


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
    if losses.loss_name in HITS:
        return sentences.same_errors(n_examples)
    if losses.rests_on is not None:  # of examples, a metric has no values of its own
        return sentences.same_predictions(n_examples)
    return sentences.same_losses(n_examples, measure_of(losses).word)


def place(measure, name, estimate, text):
    """Return who is ahead, and by how much; `text` is the number that is shown."""
    if is_ratio(measure):
        return ratio_of(name, measure.word, lower_or_higher(text))
    text = magnitude(text)
    return sentences.place_of(name, estimate, text + measure.unit(text))


def _interval(table, low, high):
    """Return an interval or bound, of ends as texts."""
    level, is_open = level_text(table), [end.endswith("inf") for end in (low, high)]
    if all(is_open):
        return f"no {level} interval"
    if any(is_open):
        bound = f"at most {high}" if is_open[0] else f"at least {low}"
        if table.is_by_ratio:
            bound = ratio_interval_words(low, high)
        return f"{level} bound: {bound}"
    noun = "credible interval" if is_bayesian(table) else "CI"
    if not table.traits.uses_all_splits:
        noun += " of the first split"
    simultaneous = ""
    if table.ci_low_simultaneous is not None:
        simultaneous = "simultaneous "
    ends = ratio_interval_words(low, high) if table.is_by_ratio else f"{low} to {high}"
    return f"{simultaneous}{level} {noun} {ends}"


def p_words(table, value):
    """Return a p-value with what kind it is, such as "adjusted p = 0.03"."""
    partly = "" if table.traits.uses_all_splits else ", from the first split alone"
    return equals(kind_of_p(table), value, table.alpha) + partly


def kind_of_p(table):
    """Return what the p-values of a table are called."""
    p = "p" if table.test.alternative == "two-sided" else "one-sided p"
    return f"adjusted {p}" if table.is_adjusted else p


def better_from_few_positives(better, worse, p, n_positives):
    """Return that one model is better, where few positives do not show by how much."""
    return (
        f"{better} is better than {worse} ({p}). By how much cannot be said from "
        f"{counted(n_positives, 'positive')}."
    )


def no_interval_from(n_positives):
    """Return why there is no interval of a difference."""
    return f"no CI from {counted(n_positives, 'positive')}"


def other_splits(table):
    """Return with what splits the decision might be another."""
    return "another random split"


# Many ------------------------------------------------------------------------------


def _of_many(result, models):
    table, measure = models.table, measure_of(result.losses)
    name = table.names[models.pivot]
    mean = measure.value(result.losses.mean_losses[models.pivot])
    lead = sentences.compared_with_reference(name, mean)
    if models.is_about_best:
        lead = sentences.best_model(name, measure.best, mean)
    clauses = []
    for decisions in GROUPS:
        rows = [row for row in models.others if row.decision in decisions]
        if rows:
            clauses.append(_clause(measure, models, rows))
    as_good = [NOT_SIGNIFICANT, SAME, EQUIVALENT]
    if is_bayesian(table):
        as_good.append(INCONCLUSIVE)
    text = f"{lead}{'; '.join(clauses)}.{_unstable_models(models)}"
    return Verdict(
        "ranking",
        text,
        better=_names_with(models, BETTER),
        worse=_names_with(models, WORSE),
        tied=_names_with(models, *as_good),
        pivot=name,
    )


def _names_with(models, *decisions):
    """Return the names of the models with some decisions."""
    return tuple(models.table.names[i] for i in models.positions(*decisions))


def _clause(measure, models, rows):
    """Return the clause on the models with one decision."""
    names, n_others = [models.table.names[row.position] for row in rows], len(rows)
    subject = f"{listed(names)} {are(names)}"
    if 2 < n_others == len(models.others):
        subject = f"the other {n_others} are"
    elif n_others > 2 and len(listed(names)) > MOST_NAMED:  # the table has their names
        subject = f"{n_others} others are"
    decision, test = rows[0].decision, models.table.test
    if decision == BETTER:
        return sentences.significantly_better(subject, _pvalues_text(models, rows))
    if decision == WORSE:
        return sentences.significantly_worse(subject, _pvalues_text(models, rows))
    if decision in (NOT_SIGNIFICANT, SAME):
        return _not_significant_clause(models, subject)
    if decision == INCONCLUSIVE:
        return sentences.neither_better_nor_worse(subject)
    margin = measure.margin(test.traits.region)
    if decision == EQUIVALENT:
        return sentences.practically_equivalent(subject, margin)
    return sentences.outside_the_margin(subject, margin)


def _not_significant_clause(models, subject):
    """Return what those that are not significant are not shown to be."""
    test = models.table.test
    if models.is_about_best:
        return sentences.not_significantly_worse(subject)
    if test.alternative == "two-sided":
        return sentences.not_significantly_different(subject)
    is_first = bool((models.table.first == models.pivot).any())
    if (test.alternative == "less") == is_first:
        return sentences.not_significantly_worse(subject)
    return sentences.are_not_significantly_better(subject)


def _pvalues_text(models, rows):
    """Return by which p-values, or probabilities, that is decided."""
    table = models.table
    if is_bayesian(table):
        return f"probability at least {percent(1 - table.alpha)}"
    symbol = "p" if models.family == "best set" else kind_of_p(table)
    values = [row.pvalue for row in rows]
    are_bounds = any(row.is_bound for row in rows)
    return at_most(symbol, values, table.alpha, are_bounds=are_bounds)


def _unstable_models(models):
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
        return sentences.decision_depends_on_split(names[0], probability)
    return sentences.decisions_depend_on_split(listed(names), probability)


# Pairs -----------------------------------------------------------------------------


def _of_pairs(result, table):
    """Return what is found of pairs of which no test says which of two is better."""
    n = len(table)
    undecided = NOT_SIGNIFICANT, INCONCLUSIVE, NOT_EQUIVALENT, SAME
    decided = [i for i in range(n) if decision_of(table, i) not in undecided]
    claim = claim_of_pairs(table.test, measure_of(result.losses))
    if is_bayesian(table):
        p = f"probability {percent(1 - table.alpha)}"
    elif decided:
        p = at_most(kind_of_p(table), table.pvalue_adjusted[decided], table.alpha)
    else:
        smallest = np.nanmin(table.pvalue_adjusted)
        p = equals(f"smallest {kind_of_p(table)}", smallest, table.alpha)
    number = f"{len(decided) or 'none'} of the {n}"
    if len(decided) == n:
        number = f"all {n}"
    text = sentences.claim_in_pairs(claim, number, p, _pairs_text(table, decided))
    return Verdict("ranking", text)


def _pairs_text(table, decided):
    """Return the first of the decided pairs, "" if there is none."""
    if not decided:
        return ""
    pairs = [
        f"{row.first} and {row.second}" for row in table.rows(decided[:MOST_PAIRS])
    ]
    text = f": {', '.join(pairs)}"
    n_more = len(decided) - MOST_PAIRS
    if n_more > 0:
        text += f" and {n_more} more"
    return text


def claim_of_pairs(test, measure):
    """Return what a test that names no winner shows of "the first" and "the second"."""
    centre, region, decides = test.popmean, test.traits.region, test.traits.decides
    sides = {"greater": ("second", "first"), "less": ("first", "second")}
    one, other = sides.get(test.alternative, ("", ""))
    if centre and decides == "posterior":
        low, high = minus(f"{centre - region:g}"), minus(f"{centre + region:g}")
        return sentences.outside_of_region(low, high)
    if centre:
        return sentences.shifted_difference(shifted_claim(test))
    if decides == "equivalence" and one:
        return sentences.one_is_non_inferior(one, other, measure.margin(region))
    if decides == "equivalence":
        return sentences.two_are_equivalent(measure.margin(region))
    if one:
        return sentences.one_is_better(one, other)
    return sentences.TWO_DIFFER
