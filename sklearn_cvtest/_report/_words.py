"""The sentences of comparisons: templates, and what stands in their places.

What is said follows from a decision (`_pairs/_models.py`) and from the traits of the
test; nothing is decided here.
"""

import numpy as np

from .._pairs._models import (
    BETTER,
    DIFFERENT,
    EQUIVALENT,
    INCONCLUSIVE,
    NOT_SIGNIFICANT,
    SAME,
    WORSE,
    decision_of,
    names_pairs_only,
    stability_of,
)
from ._findings import Verdict, posterior, shifted_claim
from ._format import are, at_most, equals, level_text, listed, percent
from ._measure import NUMBERS, measure_of, minus, narrowest

POWER = 0.8
STABLE = 0.9  # of a decision that is worth no remark
MOST_NAMED = 60  # characters of names of one group in a sentence

# Of two. "a" is ahead, or is what the alternative is about.
TWO = {
    SAME: "{first} and {second} have the same {word} in every {part}.",
    BETTER: "{a} is better than {b} by {amount} ({ci}, {p}).",
    NOT_SIGNIFICANT: "No significant difference between {first} and {second}: {place} "
    "({ci}, {p}).",
    DIFFERENT: "{first} and {second} differ significantly, but the test does not say "
    "which is better: {place} ({ci}, {p}).",
    EQUIVALENT: "{first} and {second} are equivalent within {margin}: {place} ({ci}, "
    "{p}).",
    INCONCLUSIVE: "{first} and {second} are not shown to be equivalent within "
    "{margin}: {place} ({ci}, {p}).",
}
ONE_SIDED = {
    NOT_SIGNIFICANT: "{a} is not significantly better than {b}: {it} ({ci}, {p}).",
    EQUIVALENT: "{a} is non-inferior to {b} within {margin}: {it} ({ci}, {p}).",
    INCONCLUSIVE: "{a} is not shown to be non-inferior to {b} within {margin}: {it} "
    "({ci}, {p}).",
}
POSTERIOR = {
    BETTER: "{a} is better than {b}{more} with at least {sure} probability: by "
    "{amount} ({ci}).",
    EQUIVALENT: "{first} and {second} are practically equivalent within {margin}, with "
    "at least {sure} probability: {place} ({ci}).",
    INCONCLUSIVE: "Inconclusive: neither {first} nor {second} is better{more} with "
    "{sure} probability: {place} ({ci}).",
}
SHIFTED = (
    "The difference loss({first}) - loss({second}), {number} ({ci}), is {claim} ({p})."
)
DETECTS = " The test has 80% power to detect a difference of {amount}."
UNSTABLE = "; {splits} would give the same decision with probability {chance}."
UNSTABLE_MANY = (
    " The decision{s} on {names} depend{not_s} on the random split (probability of the "
    "same decision: {chance})."
)
PLACES = {
    "ahead": "{a} is ahead by {amount}",
    "behind": "{a} is behind by {amount}",
    "equal": "their means are equal",
}
# Where there are several: with the best, or with a reference.
LEAD = {True: "{name} has the {best}, {mean}", False: "Compared with {name} ({mean})"}
GROUPS = {
    BETTER: "{names} {are} significantly better{by}",
    WORSE: "{names} {are} significantly worse{by}",
    NOT_SIGNIFICANT: "{names} {are} not significantly {how}",
    INCONCLUSIVE: "{names} {are} neither clearly better nor worse",
    EQUIVALENT: "{names} {are} practically equivalent, within {margin}",
    SAME: "{names} {are} not significantly {how}",
}
PAIRS = "{claim} in {number} pairs ({p}){listed}."


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
    row, test = table.row(0), table.test
    decision = decision_of(table, 0)
    measure = measure_of(result.losses)
    ahead_is_second = row.estimate > 0
    if test.alternative != "two-sided":  # the one that may be better
        ahead_is_second = test.alternative == "greater"
    names = row.first, row.second
    a, b = names[::-1] if ahead_is_second else names
    sides = -row.estimate, -row.ci_high, -row.ci_low
    if ahead_is_second:
        sides = row.estimate, row.ci_low, row.ci_high
    texts = measure.numbers(*sides)
    detectable = np.nan
    if decision == NOT_SIGNIFICANT:
        detectable = float(table.detectable_difference(POWER)[0])
    template = _template(table, decision)
    place, it = (_place(measure, name, sides[0], texts[0]) for name in (a, "it"))
    words = _words_of_two(table, row, measure, texts, sides)
    if template is SHIFTED:
        words |= _shifted_words(table, row, decision)
    text = template.format(a=a, b=b, place=place, it=it, **words)
    unstable = _unstable_pair(table)
    text = text.removesuffix(".") + unstable if unstable else text
    low, high = result.losses.value_range
    if np.isfinite(detectable) and 0 < detectable <= high - low:
        (shown,) = measure.numbers(*sides, detectable)[-1:]
        text += DETECTS.format(amount=shown + measure.points(shown))
    estimate, low, high = sides
    return Verdict(
        decision,
        text,
        estimate=estimate,
        low=low,
        high=high,
        level=test.interval_level(table.alpha),
        pvalue=row.pvalue_adjusted,
        detectable_difference=detectable,
        **_sides(decision, row, table),
    )


def _words_of_two(table, row, measure, texts, sides):
    """Return what templates name, of whichever is ahead."""
    is_posterior = table.test.traits.decides == "posterior"
    return {
        "first": row.first,
        "second": row.second,
        "word": measure.word,
        "part": "run" if table.traits.concerns == "runs" else "split",
        "amount": _amount(measure, texts[0]),
        "ci": _interval(table, *_as_said(measure, table, texts, sides)),
        "p": p_words(table, row.pvalue_adjusted),
        "sure": percent(1 - table.alpha),
        "chances": posterior(measure, table, row) if is_posterior else "",
        **_margin_words(measure, table.test),
    }


def _as_said(measure, table, texts, sides):
    """Return the ends of the interval of what is said: by how much one is behind."""
    if table.test.alternative == "two-sided" or not sides[0] < 0:
        return texts[1:]
    return measure.numbers(-sides[0], -sides[2], -sides[1])[1:]


def _shifted_words(table, row, decision):
    """Return what is named of a difference that is tested against another than 0."""
    ends = row.ci_low, row.ci_high
    sides, width = (row.estimate, *ends), narrowest(*ends)
    number, *ends = NUMBERS.numbers(*sides, width=width)
    claim = shifted_claim(table.test)
    claim = claim if decision == DIFFERENT else f"not shown to be {claim}"
    return {"number": number, "ci": _interval(table, *ends), "claim": claim}


def _template(table, decision):
    """Return the template of a decision on two."""
    test = table.test
    if decision == SAME:
        return TWO[SAME]
    if test.traits.decides == "posterior":
        return "{chances}." if test.popmean else POSTERIOR[decision]
    if test.popmean:
        return SHIFTED
    kinds = TWO if test.alternative == "two-sided" else TWO | ONE_SIDED
    return kinds[decision]


def _sides(decision, row, table):
    """Return who is better, worse or tied, as fields of a Verdict."""
    both = {"tied": (row.first, row.second)}
    if decision == BETTER:
        other = row.second if row.winner == row.first else row.first
        return {"better": (row.winner,), "worse": (other,)}
    is_shifted = bool(table.test.popmean)
    is_bayesian = table.test.traits.decides == "posterior"
    if decision == DIFFERENT or (decision == INCONCLUSIVE and not is_bayesian):
        return {}
    return {} if is_shifted and decision != SAME else both


def _place(measure, name, estimate, text):
    """Return who is ahead, and by how much."""
    kind = "ahead" if estimate > 0 else "behind" if estimate < 0 else "equal"
    return PLACES[kind].format(a=name, amount=_amount(measure, text.lstrip("−")))


def _amount(measure, text):
    return f"{text}{measure.unit(text)}"


def _interval(table, low, high):
    """Return an interval or bound, of ends as texts."""
    level, bayes = level_text(table), table.test.traits.decides == "posterior"
    is_open = [end.endswith("inf") for end in (low, high)]
    if all(is_open):
        return f"no {level} interval"
    if any(is_open):
        return f"{level} bound: " + (
            f"at most {high}" if is_open[0] else f"at least {low}"
        )
    kind = "credible interval" if bayes else "CI"
    if not table.traits.uses_all_splits:
        kind += " of the first split"
    simultaneous = "simultaneous " * (table.ci_low_simultaneous is not None)
    return f"{simultaneous}{level} {kind} {low} to {high}"


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


def _unstable_pair(table):
    chance = stability_of(table)[0]
    if not chance < STABLE:
        return ""
    return UNSTABLE.format(splits=other_splits(table), chance=f"{chance:.2f}")


def other_splits(table):
    """Return with what splits the decision might be another."""
    if table.test.traits.repeats == "extrapolated":
        return "infinitely many repeats"
    return "another random split"


# Many ------------------------------------------------------------------------------


def _of_many(result, models):
    table, measure = models.table, measure_of(result.losses)
    shown = table.names
    is_best = models.is_about_best
    name, mean = (
        shown[models.pivot],
        measure.value(result.losses.mean_losses[models.pivot]),
    )
    lead = LEAD[is_best].format(name=name, best=measure.best, mean=mean)
    parts = []
    for kinds in (
        (BETTER,),
        (NOT_SIGNIFICANT, SAME),
        (INCONCLUSIVE,),
        (EQUIVALENT,),
        (WORSE,),
    ):
        rows = [row for row in models.others if row.decision in kinds]
        if rows:
            parts.append(_group(measure, table, models, rows, shown))
    text = f"{lead}{'; ' if is_best else ', '}{'; '.join(parts)}."
    names = table.names
    as_good = [NOT_SIGNIFICANT, SAME, EQUIVALENT]
    as_good += [INCONCLUSIVE] * (table.test.traits.decides == "posterior")
    ahead, behind, tied = (
        tuple(names[i] for i in models.positions(*kinds))
        for kinds in ((BETTER,), (WORSE,), as_good)
    )
    return Verdict(
        "ranking",
        text + _unstable_models(models, shown),
        better=ahead,
        worse=behind,
        tied=tied,
        pivot=names[models.pivot],
        level=table.test.interval_level(table.alpha),
    )


def _group(measure, table, models, rows, shown):
    """Return what is said of those with one decision."""
    names = listed([shown[row.position] for row in rows])
    everybody = len(rows) == len(models.others) and len(rows) > 2
    if everybody:
        names = f"the other {len(rows)}"
    elif len(rows) > 2 and len(names) > MOST_NAMED:  # the table has their names
        names = f"{len(rows)} others"
    words = _margin_words(measure, table.test)
    return GROUPS[rows[0].decision].format(
        names=names, are=are(rows), by=_by(models, rows), how=_how(models), **words
    )


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
    if table.test.traits.decides == "posterior":
        return f" (probability at least {percent(1 - table.alpha)})"
    largest = max(row.pvalue for row in rows)
    kind = "p" if models.family == "best set" else kind_of_p(table)
    return f" ({at_most(kind, largest, table.alpha)})"


def _unstable_models(models, shown):
    rows = [row for row in models.others if row.stability < STABLE]
    if not rows:
        return ""
    ends = [f"{end([row.stability for row in rows]):.2f}" for end in (min, max)]
    return UNSTABLE_MANY.format(
        names=listed([shown[row.position] for row in rows]),
        s="s" * (len(rows) > 1),
        not_s="s" * (len(rows) == 1),
        chance="–".join(dict.fromkeys(ends)),
    )


# Pairs -----------------------------------------------------------------------------


def _of_pairs(result, table):
    """Return what is found of pairs of which no test says which of two is better."""
    found = np.flatnonzero(
        [
            decision_of(table, n) not in (NOT_SIGNIFICANT, INCONCLUSIVE, SAME)
            for n in range(len(table))
        ]
    )
    some = [f"{row.first} and {row.second}" for row in table.rows(found[:4].tolist())]
    more = f" and {len(found) - 4} more" * (len(found) > 4)
    claim = claim_of_pairs(table.test, measure_of(result.losses))
    sure = f"probability {percent(1 - table.alpha)}"
    is_bayesian = table.test.traits.decides == "posterior"
    text = PAIRS.format(
        claim=claim[0].upper() + claim[1:],
        number=_how_many(len(found), len(table)),
        p=sure if is_bayesian else f"{kind_of_p(table)} ≤ {table.alpha:g}",
        listed=f": {', '.join(some)}{more}" * bool(some),
    )
    return Verdict("ranking", text)


def _how_many(n, total):
    return f"all {n}" if n == total else f"{n or 'none'} of the {total}"


def claim_of_pairs(test, measure):
    """Return what a test that names no winner shows of "the first" and "the second"."""
    one, other = {"greater": ("second", "first"), "less": ("first", "second")}.get(
        test.alternative, ("two", "")
    )
    if test.popmean and test.traits.decides == "posterior":
        ends = test.popmean - test.traits.region, test.popmean + test.traits.region
        low, high = (minus(f"{end:g}") for end in ends)
        return f"loss(first) - loss(second) is below {low} or above {high}"
    if test.popmean:
        return f"loss(first) - loss(second) is {shifted_claim(test)}"
    if test.traits.decides == "equivalence":
        within = measure.margin(test.traits.region)
        what = f"non-inferior to the {other}" if other else "equivalent"
        return f"the {one} {'is' if other else 'are'} {what} within {within}"
    return f"the {one} is better than the {other}" if other else "the two differ"
