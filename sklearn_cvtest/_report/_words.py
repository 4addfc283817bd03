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
from ._measure import NUMBERS, measure_of, minus, narrowest

TEXTS = words_of(__package__)
POWER = 0.8
STABLE = 0.9  # of a decision that is worth no remark
MOST_NAMED = 60  # characters of names of one group in a sentence
GROUPS = (BETTER,), (NOT_SIGNIFICANT, SAME), (INCONCLUSIVE,), (EQUIVALENT,), (WORSE,)


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
    row, test, measure = table.row(0), table.test, measure_of(result.losses)
    decision, pair = decision_of(table, 0), (row.first, row.second)
    ahead_is_second = row.estimate > 0
    if test.alternative != "two-sided":  # the one that may be better
        ahead_is_second = test.alternative == "greater"
    a, b = pair[::-1] if ahead_is_second else pair
    sides = row.estimate, row.ci_low, row.ci_high
    sides = sides if ahead_is_second else _turned(*sides)
    shown, *ends = measure.numbers(*sides)
    if sides[0] < 0:  # by how much "a" is behind
        ends = measure.numbers(*_turned(*sides))[1:]
    words = _words_of_two(table, row, measure) | {"ci": _interval(table, *ends)}
    words |= {"a": a, "b": b, "amount": shown + measure.unit(shown)}
    words |= {"place": place(measure, a, sides[0], shown)}
    words |= {"it": place(measure, "it", sides[0], shown)}
    if test.popmean and decision != SAME and not is_bayesian(table):
        words |= _shifted_words(table, row, decision)
    text = _template(table, decision).format(**words)
    chance, detectable = stability_of(table)[0], np.nan
    if chance < STABLE:
        known = {"splits": other_splits(table), "chance": f"{chance:.2f}"}
        text = text.removesuffix(".") + TEXTS["two"]["unstable"].format(**known)
    if decision == NOT_SIGNIFICANT:
        detectable = float(table.detectable_difference(POWER)[0])
    low, high = result.losses.value_range
    if np.isfinite(detectable) and 0 < detectable <= high - low:
        shown = measure.numbers(*sides, detectable)[-1]
        amount = shown + measure.points(shown)
        text += TEXTS["two"]["detects"].format(amount=amount)
    better = (row.winner,) if decision == BETTER else ()
    worse = tuple(name for name in pair if better and name not in better)
    is_unknown = decision == DIFFERENT or bool(test.popmean)
    is_unknown |= decision == INCONCLUSIVE and not is_bayesian(table)
    tied = () if better or (is_unknown and decision != SAME) else pair
    return Verdict(
        decision, text, better, worse, tied, detectable_difference=detectable
    )


def _turned(middle, low, high):
    """Return a difference and its interval the other way round."""
    return -middle, -high, -low


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
    claim = "not shown to be " * (decision != DIFFERENT) + shifted_claim(table.test)
    return {"number": number, "ci": _interval(table, *ends), "claim": claim}


def _template(table, decision):
    """Return the template of a decision on two."""
    test, kinds = table.test, TEXTS["two"]
    if decision == SAME:
        return kinds[SAME]
    if is_bayesian(table):
        return TEXTS["posterior"]["shifted" if test.popmean else decision]
    if test.popmean:
        return TEXTS["shifted"]
    one_sided = {} if test.alternative == "two-sided" else TEXTS["one-sided"]
    return one_sided.get(decision, kinds[decision])


def place(measure, name, estimate, text):
    """Return who is ahead, and by how much; `text` is the number that is shown."""
    kind = "ahead" if estimate > 0 else "behind" if estimate < 0 else "equal"
    text = text.lstrip("−")
    return TEXTS["places"][kind].format(a=name, amount=text + measure.unit(text))


def _interval(table, low, high):
    """Return an interval or bound, of ends as texts."""
    level, is_open = level_text(table), [end.endswith("inf") for end in (low, high)]
    if all(is_open):
        return f"no {level} interval"
    if any(is_open):
        bound = f"at most {high}" if is_open[0] else f"at least {low}"
        return f"{level} bound: {bound}"
    kind = "credible interval" if is_bayesian(table) else "CI"
    kind += " of the first split" * (not table.traits.uses_all_splits)
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
    largest = max(row.pvalue for row in rows)
    kind = "p" if models.family == "best set" else kind_of_p(table)
    return f" ({at_most(kind, largest, table.alpha)})"


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
    n, unfound = len(table), (NOT_SIGNIFICANT, INCONCLUSIVE, SAME)
    found = [i for i in range(n) if decision_of(table, i) not in unfound]
    some = [f"{row.first} and {row.second}" for row in table.rows(found[:4])]
    more = f" and {len(found) - 4} more" * (len(found) > 4)
    claim = claim_of_pairs(table.test, measure_of(result.losses))
    p = f"{kind_of_p(table)} ≤ {table.alpha:g}"
    if is_bayesian(table):
        p = f"probability {percent(1 - table.alpha)}"
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
