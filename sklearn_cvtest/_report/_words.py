"""The sentences of comparisons: what stands in the places of their templates.

What is said follows from a decision (`_pairs/_models.py`) and from the traits of the
test; nothing is decided here. The templates are in `words.json`.
"""

import numpy as np

from .._pairs._models import (
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
from .._validation import words_of
from ._findings import Verdict, is_bayesian, posterior, shifted_claim
from ._format import are, at_most, equals, level_text, listed, percent
from ._measure import (
    NUMBERS,
    counted,
    effect_measure,
    magnitude,
    measure_of,
    minus,
    narrowest,
)
from ._ratio_words import (
    better_by_ratio,
    is_ratio,
    lower_or_higher,
    ratio_interval_words,
    ratio_of,
)
from ._rows import pair_ahead, turned

TEXTS = words_of(__package__)
POWER = 0.8
STABLE = 0.9  # of a decision that is worth no remark
HITS = "zero_one", "accuracy"
MOST_NAMED = 60  # characters of names of one group in a sentence
GROUPS = (
    (BETTER,), (NOT_SIGNIFICANT, SAME), (INCONCLUSIVE,),
    (EQUIVALENT,), (NOT_EQUIVALENT,), (WORSE,),
)  # fmt: skip


def verdicts(result):
    """Return {name of test: Verdict}."""
    return {name: _verdict(result, name) for name in result.tables}


def verdict_lines(result):
    """Return the sentences of all tests, with their names if there are several."""
    found = verdicts(result)
    if len(found) == 1:
        return [sentence.text for sentence in found.values()]
    return [f"By {short_name(name)}: {said.text}" for name, said in found.items()]


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
    row, test, measure = table.row(0), table.test, effect_measure(result.losses, table)
    decision, pair = decision_of(table, 0), (row.first, row.second)
    ahead, behind, *sides = pair_ahead(table)
    a, b = table.names[ahead], table.names[behind]
    width = narrowest(*sides[1:])
    if is_ratio(measure):  # of the loss of a to that of b
        shown, *ends = measure.numbers(*turned(*sides), against=width)
    else:
        shown, *ends = measure.numbers(*sides, against=width)
        if sides[0] < 0:  # by how much "a" is behind
            ends = measure.numbers(*turned(*sides), against=width)[1:]
    interval = _interval(table, *ends)
    if result.losses.size_is_unknown:
        interval = no_interval_from(result.losses.few_positives)
    words = _words_of_two(table, row, measure) | {"ci": interval}
    amount = magnitude(shown) + measure.unit(shown)
    words |= {"a": a, "b": b, "amount": amount}
    words |= {"place": place(measure, a, sides[0], shown)}
    words |= {"it": place(measure, "it", sides[0], shown)}
    if test.popmean and decision != SAME and not is_bayesian(table):
        words |= _shifted_words(table, row, decision)
    words["identical"] = identical_words(result.losses, table, 0)
    if result.losses.size_is_unknown and decision == BETTER:
        n_positives = result.losses.few_positives
        text = better_from_few_positives(a, b, words["p"], n_positives)
    elif is_ratio(measure) and decision == BETTER:
        amount = lower_or_higher(shown)
        text = better_by_ratio(a, b, measure.word, amount, words["ci"], words["p"])
    else:
        template = _template(table, decision, bool(words["identical"]))
        text = template.format(**words)
    chance, detectable = stability_of(table)[0], np.nan
    if chance < STABLE:
        known = {"splits": other_splits(table), "chance": f"{chance:.2f}"}
        text = text.removesuffix(".") + TEXTS["two"]["unstable"].format(**known)
    if decision == NOT_SIGNIFICANT:
        detectable = float(table.detectable_difference(POWER)[0])
    low, high = result.losses.value_range
    is_possible = np.isfinite(detectable) and 0 < detectable <= high - low
    if is_possible and not result.losses.few_positives:
        smallest = table.detectable_effect(POWER)[0]
        shown = measure.numbers(*sides, smallest, against=width)[-1]
        amount = shown + measure.points(shown)
        text += TEXTS["two"]["detects"].format(amount=amount)
    better = (row.winner,) if decision == BETTER else ()
    worse = tuple(name for name in pair if better and name not in better)
    is_unknown = decision in (DIFFERENT, NOT_EQUIVALENT) or bool(test.popmean)
    is_unknown |= decision == INCONCLUSIVE and not is_bayesian(table)
    tied = () if better or (is_unknown and decision != SAME) else pair
    return Verdict(
        decision, text, better, worse, tied, detectable_difference=detectable
    )


def _words_of_two(table, row, measure):
    """Return what templates name, of whichever is ahead."""
    return {
        "first": row.first,
        "second": row.second,
        "word": measure.word,
        "part": "run" if table.traits.concerns == "runs" else "split",
        "p": p_words(table, row.pvalue_adjusted),
        "sure": percent(1 - table.alpha),
        "chances": posterior(measure, table, row) if is_bayesian(table) else "",
        **_margin_words(measure, table.test),
    }


def _shifted_words(table, row, decision):
    """Return what is named of a difference that is tested against another than 0."""
    ends = row.ci_low, row.ci_high
    number, *ends = NUMBERS.numbers(row.estimate, *ends, width=narrowest(*ends))
    negation = {DIFFERENT: "", NOT_EQUIVALENT: "not "}
    claim = negation.get(decision, "not shown to be ") + shifted_claim(table.test)
    return {"number": number, "ci": _interval(table, *ends), "claim": claim}


def _template(table, decision, are_identical):
    """Return the template of a decision on two."""
    test, kinds = table.test, TEXTS["two"]
    if decision == SAME:
        return kinds["identical" if are_identical else SAME]
    if is_bayesian(table):
        return TEXTS["posterior"]["shifted" if test.popmean else decision]
    if test.popmean:
        return TEXTS["shifted"]
    one_sided = {} if test.alternative == "two-sided" else TEXTS["one-sided"]
    if are_identical and decision == EQUIVALENT:
        decision = "identical, equivalent"
    return one_sided.get(decision, kinds[decision])


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
    kind = "losses"
    if losses.rests_on is not None:  # of examples, a metric has no values of its own
        kind = "predictions"
    if losses.loss_name in HITS:
        kind = "errors"
    n_examples = np.count_nonzero(np.bincount(losses.row_index))
    word = measure_of(losses).word
    return TEXTS["identical"][kind].format(n=n_examples, word=word)


def place(measure, name, estimate, text, templates=TEXTS["places"]):
    """Return who is ahead, and by how much; `text` is the number that is shown."""
    if is_ratio(measure):
        return ratio_of(name, measure.word, lower_or_higher(text))
    kind = "ahead" if estimate > 0 else "behind" if estimate < 0 else "equal"
    text = magnitude(text)
    return templates[kind].format(a=name, amount=text + measure.unit(text))


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
    kind = "credible interval" if is_bayesian(table) else "CI"
    kind += " of the first split" * (not table.traits.uses_all_splits)
    simultaneous = "simultaneous " * (table.ci_low_simultaneous is not None)
    ends = ratio_interval_words(low, high) if table.is_by_ratio else f"{low} to {high}"
    return f"{simultaneous}{level} {kind} {ends}"


def p_words(table, value):
    """Return a p-value with what kind it is, such as "adjusted p = 0.03"."""
    partly = "" if table.traits.uses_all_splits else ", from the first split alone"
    return equals(kind_of_p(table), value, table.alpha) + partly


def kind_of_p(table):
    """Return what the p-values of a table are called."""
    p = "p" if table.test.alternative == "two-sided" else "one-sided p"
    return f"adjusted {p}" if table.is_adjusted else p


def _margin_words(measure, test):
    region = test.traits.region
    margin = measure.margin(region) if region else ""
    return {"margin": margin, "more": f" by more than {margin}" if margin else ""}


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
    lead = TEXTS["many"]["best" if models.is_about_best else "reference"]
    lead = lead.format(name=name, best=measure.best, mean=mean)
    by_kinds = ([r for r in models.others if r.decision in kinds] for kinds in GROUPS)
    parts = (_group(measure, models, rows) for rows in by_kinds if rows)
    as_good = [NOT_SIGNIFICANT, SAME, EQUIVALENT]
    as_good += [INCONCLUSIVE] * is_bayesian(table)
    sets = (
        tuple(table.names[i] for i in models.positions(*kinds))
        for kinds in ([BETTER], [WORSE], as_good)
    )
    text = f"{lead}{'; '.join(parts)}.{_unstable_models(models)}"
    return Verdict("ranking", text, *sets, pivot=name)


def _group(measure, models, rows):
    """Return what is said of those with one decision."""
    names, n_others = [models.table.names[row.position] for row in rows], len(rows)
    named = listed(names)
    if 2 < n_others == len(models.others):
        named = f"the other {n_others}"
    elif n_others > 2 and len(named) > MOST_NAMED:  # the table has their names
        named = f"{n_others} others"
    words = _margin_words(measure, models.table.test)
    words |= {"by": _by(models, rows), "how": _how(models)}
    return TEXTS["many"][rows[0].decision].format(names=named, are=are(rows), **words)


def _how(models):
    """Return what those that are not significant are not shown to be."""
    test = models.table.test
    if models.is_about_best:
        return "worse"
    if test.alternative == "two-sided":
        return "different"
    is_first = bool((models.table.first == models.pivot).any())
    return "worse" if (test.alternative == "less") == is_first else "better"


def _by(models, rows):
    """Return by which p-values, or probabilities, that is decided."""
    table = models.table
    if is_bayesian(table):
        return f" (probability at least {percent(1 - table.alpha)})"
    kind = "p" if models.family == "best set" else kind_of_p(table)
    values = [row.pvalue for row in rows]
    are_bounds = any(row.is_bound for row in rows)
    return f" ({at_most(kind, values, table.alpha, are_bounds=are_bounds)})"


def _unstable_models(models):
    rows = [row for row in models.others if row.stability < STABLE]
    if not rows:
        return ""
    ends = [f"{end([row.stability for row in rows]):.2f}" for end in (min, max)]
    names = listed([models.table.names[row.position] for row in rows])
    words = {"s": "s" * (len(rows) > 1), "not_s": "s" * (len(rows) == 1)}
    chance = "–".join(dict.fromkeys(ends))
    return TEXTS["many"]["unstable"].format(names=names, chance=chance, **words)


# Pairs -----------------------------------------------------------------------------


def _of_pairs(result, table):
    """Return what is found of pairs of which no test says which of two is better."""
    n, unfound = len(table), (NOT_SIGNIFICANT, INCONCLUSIVE, NOT_EQUIVALENT, SAME)
    found = [i for i in range(n) if decision_of(table, i) not in unfound]
    some = [f"{row.first} and {row.second}" for row in table.rows(found[:4])]
    more = f" and {len(found) - 4} more" * (len(found) > 4)
    claim = claim_of_pairs(table.test, measure_of(result.losses))
    if is_bayesian(table):
        p = f"probability {percent(1 - table.alpha)}"
    elif found:
        p = at_most(kind_of_p(table), table.pvalue_adjusted[found], table.alpha)
    else:
        smallest = np.nanmin(table.pvalue_adjusted)
        p = equals(f"smallest {kind_of_p(table)}", smallest, table.alpha)
    text = TEXTS["many"]["pairs"].format(
        claim=claim[0].upper() + claim[1:],
        number=f"all {n}" if len(found) == n else f"{len(found) or 'none'} of the {n}",
        p=p,
        listed=f": {', '.join(some)}{more}" * bool(some),
    )
    return Verdict("ranking", text)


def claim_of_pairs(test, measure):
    """Return what a test that names no winner shows of "the first" and "the second"."""
    centre, region, decides = test.popmean, test.traits.region, test.traits.decides
    sides = {"greater": ("second", "first"), "less": ("first", "second")}
    one, other = sides.get(test.alternative, ("", ""))
    kind = "better" if one else "different"
    if centre:
        kind = "posterior" if decides == "posterior" else "shifted"
    elif decides == "equivalence":
        kind = "non-inferior" if one else "equivalent"
    low, high = (minus(f"{end:g}") for end in (centre - region, centre + region))
    words = {"one": one, "other": other, "low": low, "high": high}
    words |= {"claim": shifted_claim(test), "margin": measure.margin(region)}
    return TEXTS["claims"][kind].format(**words)
