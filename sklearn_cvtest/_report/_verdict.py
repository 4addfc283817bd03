"""The verdict: what a test found, in one sentence that anyone can read.

One function, `verdicts`, goes from the tables of a result to sentences; text, reports,
pages and notebooks all begin with them.
"""

import numpy as np

from .._inference._traits import POSTERIOR
from .._pairs._ranking import best_groups, groups_around, pairs_with, why_no_letters
from ._findings import (
    STABLE,
    Verdict,
    best_sentence,
    claim_of_pairs,
    is_bayesian,
    minus,
    other_splits,
    posterior,
    proviso,
    scope,
    shifted_claim,
    stability,
)
from ._format import (
    MAX_LISTED,
    are,
    format_intervals,
    listed,
    measure_of,
    p_of_set,
    short_names,
    shown_pvalue,
)

WORSE_BETTER = ("worse", "better")
MAX_NAME = 40  # characters of a name, where many are listed
POWER = 0.8
ONE_SPLIT = " (p and interval are from the first split alone)"


def verdicts(result):
    """Return {name of test: Verdict}."""
    return {name: _verdict(result, name) for name in result.tables}


def verdict_lines(result):
    """Return the sentences of all tests, with their names if there are several."""
    found = verdicts(result)
    if len(found) == 1:
        return [sentence.text for sentence in found.values()]
    return [f"By {name}: {sentence.text}" for name, sentence in found.items()]


def _verdict(result, name):
    table, best = result.tables[name], result.best_sets.get(name)
    if len(table) == 1:
        return _PairVerdict(result, table).verdict()
    return _of_many(result, table) if best is None else _of_best(result, table, best)


class _PairVerdict:
    """The verdict on two: their row, and who of them is ahead."""

    def __init__(self, result, table, number=0):
        self.result, self.table, self.test = result, table, table.test
        self.traits = table.test.traits
        self.number = number
        self.row = row = table.row(number)
        self.measure = measure_of(result.losses)
        self.level = table.test.interval_level(table.alpha)
        self.significant = bool(row.pvalue_adjusted <= table.alpha)
        ahead_is_second = row.estimate > 0
        if self.test.alternative != "two-sided":  # the one that may be better
            ahead_is_second = self.test.alternative == "greater"
        self.ahead, self.behind = row.first, row.second
        self.sides = -row.estimate, -row.ci_high, -row.ci_low
        if ahead_is_second:
            self.ahead, self.behind = row.second, row.first
            self.sides = row.estimate, row.ci_low, row.ci_high
        self.detectable = float(table.detectable_difference(POWER)[number])

    def verdict(self):
        row, test = self.row, self.test
        if row.statistic == 0 and row.standard_error == 0 and row.estimate == 0:
            word = "score" if self.measure.sign < 0 else "loss"
            part = "run" if self.traits.concerns == "runs" else "split"
            return self._make(
                "same",
                f"{row.first} and {row.second} have the same mean {word} in every "
                f"{part}{scope(self.result, test)}.",
                tied=(row.first, row.second),
            )
        if test.popmean:
            return self._shifted()
        if is_bayesian(self.table):
            return self._bayesian()
        if self.traits.decides == "equivalence":
            return self._equivalence()
        if not self.traits.names_winner:
            return self._undirected()
        return self._difference()

    def _make(self, decision, text, **parts):
        estimate, low, high = self.sides
        return Verdict(
            decision,
            text,
            estimate=estimate,
            low=low,
            high=high,
            level=self.level,
            pvalue=self.row.pvalue_adjusted,
            **parts,
        )

    def _place(self, name):
        """Return by how much one is ahead or behind, `name` is who."""
        estimate, low, high = self.sides
        if not estimate:
            return f"their means are equal, a difference of {self._amount()}"
        if estimate < 0:
            return f"{name} is behind by {self._amount((-estimate, -high, -low))}"
        return f"{name} is ahead by {self._amount()}"

    def _amount(self, sides=None, share=False):
        """Return a difference with its unit and interval."""
        sides = self.sides if sides is None else sides
        texts = self.measure.numbers(*sides)
        of = self._share(texts[0]) if share else ""
        inside = "; ".join(filter(None, [of, self._interval(*texts[1:])]))
        return f"{texts[0]}{self.measure.unit(texts[0])}" + f" ({inside})" * bool(
            inside
        )

    def _interval(self, low, high):
        """Return an interval or bound, of ends as texts."""
        level, ends = f"{100 * self.level:g}%", [low, high]
        is_open = [end.endswith("inf") for end in ends]
        if all(is_open):
            return ""
        if any(is_open):
            bound = f"at most {high}" if is_open[0] else f"at least {low}"
            return f"{level} bound: {bound}"
        kind = "credible " if is_bayesian(self.table) else ""
        return f"{level} {kind}interval {low} to {high}"

    def _share(self, shown):
        """Return how much a difference of losses is of the larger one, in percent."""
        losses = self.result.losses
        if (
            self.measure.is_share
            or self.measure.sign < 0
            or not float(shown.replace("−", "-"))
        ):
            return ""
        whole = losses.mean_losses[losses.estimator_names.index(self.behind)]
        if not (np.isfinite(whole) and whole > self.sides[0] > 0):
            return ""
        return f"{100 * self.sides[0] / whole:.2g}% of {self.behind}'s"

    def _tail(self):
        p = "p"
        if self.test.alternative != "two-sided":
            p = "one-sided p"
        if self.table.is_adjusted:
            p = f"adjusted {p}"
        value = shown_pvalue(self.row.pvalue_adjusted, self.table.alpha)
        p = f"{p} {'' if value[0] == '<' else '= '}{value}"
        partly = "" if self.traits.uses_all_splits else ONE_SPLIT
        return f"{scope(self.result, self.test)}; {p}{partly}{self._unstable()}"

    def _unstable(self):
        """Return that another seed might decide otherwise, "" if that is improbable."""
        probability = stability(self.table)[self.number]
        if not probability < STABLE:
            return ""
        before = " (before adjustment)" * self.table.is_adjusted
        return (
            f", and with {other_splits(self.table)} the decision{before} would be the "
            f"same with probability only {probability:.3f}"
        )

    def _found(self):
        """Return what difference could have been found, "" if that is not known."""
        if not np.isfinite(self.detectable) or self.detectable <= 0:
            return ""
        shown = self.measure.numbers(*self.sides, self.detectable)[-1]
        unit = (
            self.measure.unit(shown).split(" of ")[0] if self.measure.is_share else ""
        )
        return (
            f" A difference of about {shown}{unit} would have been found with "
            f"probability {100 * POWER:g}%."
        )

    def _difference(self):
        if self.row.winner == self.ahead:
            text = (
                f"{self.ahead} is better than {self.behind} by "
                f"{self._amount(share=True)}{self._tail()}."
            )
            return self._make(
                "better", text, better=(self.ahead,), worse=(self.behind,)
            )
        if self.significant:
            return self._undirected()
        tied = {"tied": (self.row.first, self.row.second)}
        tied["detectable_difference"] = self.detectable
        claim = f"{self.row.first} and {self.row.second} cannot be told apart"
        who = self.ahead
        if self.test.alternative != "two-sided":
            claim = f"{self.ahead} is not shown to be better than {self.behind}"
            who = "it"
        text = f"{claim}: {self._place(who)}{self._tail()}.{self._found()}"
        return self._make("not told apart", text, **tied)

    def _undirected(self):
        both = f"{self.row.first} and {self.row.second}"
        place = f"{self._place(self.ahead)}{self._tail()}."
        if self.significant:
            text = f"{both} differ, but the test does not say which is better: {place}"
            return self._make("different", text)
        tied = self.row.first, self.row.second
        return self._make(
            "not told apart", f"{both} cannot be told apart: {place}", tied=tied
        )

    def _equivalence(self):
        test, row = self.test, self.row
        within = self.measure.margin(self.traits.region)
        who, is_are, claim = f"{row.first} and {row.second}", "are", "equivalent"
        place = self._place(self.ahead)
        if test.alternative != "two-sided":
            who, is_are, claim = self.ahead, "is", f"non-inferior to {self.behind}"
            place = self._place("it")
        shown = is_are if self.significant else f"{is_are} not shown to be"
        text = f"{who} {shown} {claim} within {within}: {place}{self._tail()}."
        if self.significant:
            return self._make("equivalent", text, tied=(row.first, row.second))
        return self._make("not shown", text)

    def _shifted(self):
        row = self.row
        if is_bayesian(self.table):
            return self._make("not shown", f"{posterior(self.table, row)}.")
        is_shown = "is" if self.significant else "is not shown to be"
        numbers = np.array([[row.estimate], [row.ci_low], [row.ci_high]])
        estimate, *ends = (minus(text) for (text,) in format_intervals(*numbers))
        text = (
            f"The difference loss({row.first}) - loss({row.second}), "
            f"{estimate} ({self._interval(*ends)}), {is_shown} "
            f"{shifted_claim(self.test)}{self._tail()}."
        )
        return self._make("different" if self.significant else "not shown", text)

    def _bayesian(self):
        row, table = self.row, self.table
        within = self.traits.region
        estimated = f"{self._place(self.ahead)}{scope(self.result, self.test)}"
        chances = posterior(table, row)
        probability = f"at least {100 * (1 - table.alpha):g}% probability"
        if row.winner:
            other = row.second if row.winner == row.first else row.first
            more = f" by more than {self.measure.margin(within)}" if within else ""
            text = (
                f"{row.winner} is better than {other}{more} with {probability}: "
                f"{estimated}; {chances}."
            )
            return self._make("better", text, better=(row.winner,), worse=(other,))
        both = row.first, row.second
        if row.columns["prob_rope"] >= 1 - table.alpha:
            text = (
                f"{both[0]} and {both[1]} are practically equivalent, within "
                f"{self.measure.margin(within)}, with {probability}: {estimated}; "
                f"{chances}."
            )
            return self._make("equivalent", text, tied=both)
        more = f" by more than {self.measure.margin(within)}" if within else ""
        text = (
            f"{both[0]} and {both[1]} cannot be told apart, as neither is better{more} "
            f"with {probability}: {estimated}; {chances}."
        )
        return self._make("not told apart", text, tied=both)


# Many ------------------------------------------------------------------------------


def _of_many(result, table):
    test = table.test
    reference = result.reference_position
    if (reference is None and why_no_letters(test, None)) or not table.names_winner:
        return _count(result, table)
    is_best = reference is None or getattr(result, "reference_is_best", False)
    pivot = result.ranking[0] if reference is None else reference
    better, worse, tied = groups_around(table, pivot, result.ranking)
    names = table.names
    parts = {
        "better": tuple(names[i] for i in better),
        "worse": tuple(names[i] for i in worse),
        "tied": tuple(names[i] for i in tied),
        "pivot": names[pivot],
    }
    describe = _around_best if is_best else _around_reference
    text = describe(result, table, pivot, better, worse, tied)
    return Verdict("ranking", text, level=test.interval_level(table.alpha), **parts)


def _of_best(result, table, best):
    """Return the verdict on who may be the best, and how far the others are behind."""
    measure = measure_of(result.losses)
    pivot, tied, worse = best_groups(best)
    names, behind = short_names(table.names, MAX_NAME), ""
    condition = proviso(table.test, table.rho[0], bool(worse))
    p = f"{p_of_set(best)}{f', {condition}' * bool(condition)}"
    kept, about = [names[i] for i in (pivot, *tied)], scope(result, table.test)
    text = best_sentence(kept, len(best.pvalues), result.noun, p, about)
    name = names[pivot] if tied else "It"
    mean = measure.value(result.losses.mean_losses[pivot])
    if worse:
        who = "those that are worse" if tied else "the others"
        if len(worse) <= MAX_LISTED:
            who = _list(table, worse)
        behind = _range(measure, table, pivot, worse)
        behind = f"; {who} {are(worse)} behind {behind}"
    place = f"{name} has the {measure.best}, {mean}{behind}{_unstable(table, pivot)}."
    names = table.names
    return Verdict(
        "ranking",
        f"{text} {place}",
        level=table.test.interval_level(table.alpha),
        worse=tuple(names[i] for i in worse),
        tied=tuple(names[i] for i in tied),
        pivot=names[pivot],
    )


def _around_best(result, table, pivot, better, worse, tied):
    measure = measure_of(result.losses)
    name = short_names(table.names, MAX_NAME)[pivot]
    count = len(better) + len(worse) + len(tied) + 1
    mean = measure.value(result.losses.mean_losses[pivot])
    about = scope(result, table.test)
    about += _unstable(table, pivot)
    lead = f"{name} has the {measure.best} of {count} {result.noun}s, {mean}{about}."
    parts = []
    if worse:
        whom = _list(table, worse) if better or tied else "all others"
        amount = _range(measure, table, pivot, worse)
        parts.append(f"It is better than {whom}, {amount}{_by(table, measure)}")
    whom = "" if worse or better else f"The other {len(tied)}"
    parts += _rest(table, pivot, tied, measure, worse + better, whom)
    if better:
        parts.append(f"{_list(table, better)} {are(better)} better than it")
    return f"{lead} {'; '.join(parts)}."


def _around_reference(result, table, pivot, better, worse, tied):
    measure = measure_of(result.losses)
    name = short_names(table.names, MAX_NAME)[pivot]
    mean = measure.value(result.losses.mean_losses[pivot])
    parts = []
    for group, word in ((better, "better"), (worse, "worse")):
        if group:
            amount = _range(measure, table, pivot, group)
            parts.append(f"{_list(table, group)} {are(group)} {word}, {amount}")
    if parts:  # what was decided stands before how
        parts[-1] += _by(table, measure)
    parts += _rest(table, pivot, tied, measure, worse + better)
    about = scope(result, table.test)
    return (
        f"Compared with {name} (mean {measure.word} {mean}){about}: {'; '.join(parts)}"
        f"{_unstable(table, pivot)}."
    )


def _rest(table, pivot, tied, measure, decided, everybody=""):
    """Yield what is said of those that are neither better nor worse than `pivot`.

    `decided` are the others; `everybody` is what all are called if there is none.
    """
    equal, unclear = _equal(table, pivot, tied)
    if equal:
        who = f"{_list(table, equal)} {are(equal)}"
        within = f"within {measure.margin(table.test.traits.region)}"
        yield f"{who} practically equivalent to it, {within}"
    if unclear:
        who = everybody if everybody and not equal else _list(table, unclear)
        finding = "cannot be told apart from it"
        if table.test.alternative != "two-sided" and not is_bayesian(table):
            is_worse = (table.test.alternative == "less") == bool(
                (table.first == pivot).any()
            )
            finding = f"{are(unclear)} not shown to be {WORSE_BETTER[not is_worse]}"
        yield f"{who} {finding}{_by(table, measure, False, not decided)}"


def _unstable(table, pivot=None):
    """Return about whom another seed might decide otherwise, "" if about nobody."""
    rows, others = np.arange(len(table)), None
    if pivot is not None:
        rows, others = pairs_with(table, pivot)
    values = stability(table)
    is_unstable = values[rows] < STABLE
    rows = rows[is_unstable]
    if not len(rows):
        return ""
    low, high = (f"{end:.3f}" for end in (values[rows].min(), values[rows].max()))
    chance = low if low == high else f"{low} to {high}"
    before = " (before adjustment)" * table.is_adjusted
    if pivot is None:
        return (
            f"; with {other_splits(table)} the decision{'s' * (len(rows) > 1)} for "
            f"{len(rows)} of the pairs{before} would be the same with probability only "
            f"{chance}"
        )
    who = others[is_unstable].tolist()
    differ = "differ" if len(who) > 1 else "differs"
    return (
        f"; with {other_splits(table)}, whether {_list(table, who)} {differ} "
        f"significantly from {_list(table, [pivot])}{before} would be decided in the "
        f"same way with probability only {chance}"
    )


def _count(result, table):
    found, measure = np.flatnonzero(_decided(table)), measure_of(result.losses)
    about = f"{scope(result, table.test)}{_by(table, measure, bool(len(found)))}"
    number = f"{len(found) or 'none'} of the {len(table)} pairs"
    if len(found) == len(table):
        number = f"all {len(table)} pairs"
    shown = [
        f"{row.first} and {row.second}"
        for row in table.rows(found[:MAX_LISTED].tolist())
    ]
    more = f" and {len(found) - MAX_LISTED} more" * (len(found) > MAX_LISTED)
    listed = f": {', '.join(shown)}{more}"
    claim = claim_of_pairs(table.test, measure)
    said = f"{claim[0].upper()}{claim[1:]} in {number}{about}{_unstable(table)}"
    return Verdict("ranking", f"{said}{listed * bool(shown)}.")


def _decided(table):
    """Return of which pairs something is found, whatever it is."""
    if not is_bayesian(table):
        return table.significant
    sides = (table.columns[name] for name in (POSTERIOR[0], POSTERIOR[2]))
    return np.maximum(*sides) >= 1 - table.alpha


def _by(table, measure, found=True, is_conditional=True):
    if is_bayesian(table):
        within = table.test.traits.region
        level = f"at least {100 * (1 - table.alpha):g}%"
        more = f"more than {measure.margin(within)}" if within else ""
        if table.test.popmean:
            return f" ({'one' if found else 'neither'} with {level} probability)"
        if found:
            return f" ({more} with {level} probability)".replace("( ", "(")
        if within:
            return f" (no difference of {more} is {level} probable)"
        return f" (neither is better with {level} probability)"
    p = "adjusted p" if table.is_adjusted else "p"
    if table.test.alternative != "two-sided":
        p = f"one-sided {p}"
    condition = proviso(table.test, table.rho[0], found)
    condition = f", {condition}" if condition and is_conditional else ""
    return f" ({p} {'≤' if found else '>'} {table.alpha:g}{condition})"


def _equal(table, pivot, tied):
    """Return those practically equivalent to `pivot`, and the others of `tied`.

    Only a Bayesian test with a region of equivalence has the first.
    """
    if not is_bayesian(table) or not table.test.traits.region:
        return [], tied
    rows, others = pairs_with(table, pivot)
    equal = others[table.columns["prob_rope"][rows] >= 1 - table.alpha]
    return [[i for i in tied if (i in equal) == is_equal] for is_equal in (True, False)]


def _range(measure, table, pivot, group):
    """Return by how much the members of a group differ from `pivot`."""
    rows, others = pairs_with(table, pivot)
    sizes = np.abs(table.estimate[rows[np.isin(others, group)]])
    low, high = sizes.min(), sizes.max()
    _, *texts = measure.numbers(0, low, high)  # as decimals of sizes, not of a spread
    if len(group) == 1 or texts[0] == texts[1]:
        texts = measure.numbers(high)
        return f"by {texts[0]}{measure.unit(texts[0])}"
    return f"by {texts[0]} to {texts[1]}{measure.unit('')}"


def _list(table, positions):
    """Return the names at some positions as a list."""
    shown = short_names(table.names, MAX_NAME)
    return listed([shown[position] for position in positions])
