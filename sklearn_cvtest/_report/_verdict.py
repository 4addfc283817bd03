"""The verdict: what a test found, in one sentence that anyone can read.

One function, `verdicts`, goes from the tables of a result to sentences; text, reports,
pages and notebooks all begin with them.
"""

from dataclasses import dataclass

import numpy as np

from .._pairs._ranking import why_no_letters
from ._format import format_pvalue, measure_of, short_names

__all__ = ["POSTERIOR", "Verdict", "verdict_lines", "verdicts"]

MAX_NAMES = 4
MAX_NAME = 40  # characters of a name, where many are listed
POWER = 0.8
POSTERIOR = ("prob_less", "prob_rope", "prob_greater")  # first better, equal, second


@dataclass(frozen=True)
class Verdict:
    """What a test found.

    Attributes
    ----------
    decision : str
        Of two: "better", "not told apart", "same", "equivalent", "not shown",
        "different" (of a test that does not say which is better). Of many: "ranking".
    better, worse, tied : tuple of str
        Of two: who is better than whom, or who are tied. Of many: who is better or
        worse than `pivot`, or tied with it.
    pivot : str or None
        Of many: whom the others are compared with, the best or the reference.
    estimate, low, high : float
        Of two: the difference, in the unit of the loss or score and positive if the
        one that is named first is ahead, and its interval; nan of many.
    level : float
        The level of the interval.
    pvalue : float
        The p-value that decides; nan of many.
    detectable_difference : float
        Of two that are not told apart: a difference that would have been found with
        probability 80%, approximately; else nan.
    text : str
        The sentence or sentences.
    """

    decision: str
    text: str
    better: tuple = ()
    worse: tuple = ()
    tied: tuple = ()
    pivot: str | None = None
    estimate: float = np.nan
    low: float = np.nan
    high: float = np.nan
    level: float = np.nan
    pvalue: float = np.nan
    detectable_difference: float = np.nan


def verdicts(result):
    """Return {name of test: Verdict}."""
    return {name: _verdict(result, table) for name, table in result.tables.items()}


def verdict_lines(result):
    """Return the sentences of all tests, with their names if there are several."""
    found = verdicts(result)
    if len(found) == 1:
        return [sentence.text for sentence in found.values()]
    return [f"By {name}: {sentence.text}" for name, sentence in found.items()]


def _verdict(result, table):
    if len(table) == 1:
        return _PairVerdict(result, table).verdict()
    return _of_many(result, table)


def is_bayesian(table):
    """Whether a table has posterior probabilities, which decide."""
    return "prob_greater" in table.columns


# About what ------------------------------------------------------------------------


def scope(result, test):
    """Return what a verdict is about: ", trained on 512 examples"."""
    losses = result.losses
    sizes = getattr(losses, "n_train", None)
    on = ""
    if sizes is not None and np.asarray(sizes).dtype.kind in "iu":
        sizes = sizes[losses.design.full]
        low, high = sizes.min(), sizes.max()
        on = f"{low}" if low == high else f"{low} to {high}"
        on = f" on {on} example{'s' * bool(high > 1)}"
    about = {
        "algorithms": f", trained{on}" if on else "",
        "models": f", as fitted here{on}",
        "forecasts": ", in these forecasts",
    }[test.concerns]
    is_grouped = getattr(losses, "groups", None) is not None
    return about + ", for examples of new groups" * is_grouped


# Two -------------------------------------------------------------------------------


class _PairVerdict:
    """The verdict on two: their row, and who of them is ahead."""

    def __init__(self, result, table, number=0):
        self.result, self.table, self.test = result, table, table.test
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
            return self._make(
                "same",
                f"{row.first} and {row.second} have the same mean {word} in every "
                f"split{scope(self.result, test)}.",
                tied=(row.first, row.second),
            )
        if test.popmean:
            return self._shifted()
        if is_bayesian(self.table):
            return self._bayesian()
        if getattr(test, "margin", None) is not None:
            return self._equivalence()
        if not test.names_winner:
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

    def _amount(self, share=False):
        """Return the difference with its unit and interval."""
        _, low, high = self.sides
        texts = self.measure.numbers(*self.sides)
        of = self._share(texts[0]) if share else ""
        level = f"{100 * self.level:g}%"
        if np.isinf(high) and np.isinf(low):
            interval = ""
        elif np.isinf(high):
            interval = f" ({level} bound: at least {texts[1]})"
        elif np.isinf(low):
            interval = f" ({level} bound: at most {texts[2]})"
        else:
            kind = "credible " if is_bayesian(self.table) else ""
            interval = f" ({level} {kind}interval {texts[1]} to {texts[2]})"
        return f"{texts[0]}{self.measure.unit(texts[0])}{of}{interval}"

    def _share(self, shown):
        """Return how much a difference of losses is of the larger one, in percent."""
        losses = self.result.losses
        if self.measure.is_share or self.measure.sign < 0 or not float_of(shown):
            return ""
        whole = losses.mean_losses[losses.estimator_names.index(self.behind)]
        if not (np.isfinite(whole) and whole > self.sides[0] > 0):
            return ""
        return f", {100 * self.sides[0] / whole:.2g}% of that of {self.behind}"

    def _tail(self):
        p = "p"
        if self.test.alternative != "two-sided":
            p = "one-sided p"
        if self.table.is_adjusted:
            p = f"adjusted {p}"
        return f"{scope(self.result, self.test)}; {p} {_p(self.row.pvalue_adjusted)}"

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
        names = f"{self.ahead} is better than {self.behind}"
        if self.row.winner == self.ahead:
            text = f"{names} by {self._amount(share=True)}{self._tail()}."
            return self._make(
                "better", text, better=(self.ahead,), worse=(self.behind,)
            )
        tied = {"tied": (self.row.first, self.row.second)}
        tied["detectable_difference"] = self.detectable
        if self.test.alternative != "two-sided":
            text = (
                f"It is not shown that {names}: its lead is {self._amount()}"
                f"{self._tail()}.{self._found()}"
            )
            return self._make("not told apart", text, **tied)
        text = (
            f"{self.row.first} and {self.row.second} cannot be told apart: "
            f"{self.ahead} is ahead by {self._amount()}{self._tail()}.{self._found()}"
        )
        return self._make("not told apart", text, **tied)

    def _undirected(self):
        both = f"{self.row.first} and {self.row.second}"
        if self.significant:
            text = (
                f"{both} differ, but the test does not say which is better: "
                f"{self.ahead} is ahead by {self._amount()}{self._tail()}."
            )
            return self._make("different", text)
        text = (
            f"{both} cannot be told apart: {self.ahead} is ahead by "
            f"{self._amount()}{self._tail()}."
        )
        return self._make(
            "not told apart", text, tied=(self.row.first, self.row.second)
        )

    def _equivalence(self):
        test, row = self.test, self.row
        within = self.measure.margin(test.margin)
        claim = f"{row.first} and {row.second} are equivalent within {within}"
        two_sided = test.alternative == "two-sided"
        if not two_sided:
            claim = f"{self.ahead} is non-inferior to {self.behind} within {within}"
        lead = f"{self.ahead} is ahead by" if two_sided else "its lead is"
        amount = f"{lead} {self._amount()}{self._tail()}."
        if self.significant:
            return self._make(
                "equivalent", f"{claim}: {amount}", tied=(row.first, row.second)
            )
        return self._make("not shown", f"It is not shown that {claim}: {amount}")

    def _shifted(self):
        row, test = self.row, self.test
        than = {"two-sided": "different from", "greater": "above", "less": "below"}
        is_shown = "is" if self.significant else "is not shown to be"
        low, high = row.ci_low, row.ci_high
        text = (
            f"The difference loss({row.first}) - loss({row.second}), "
            f"{row.estimate:.4g} ({100 * self.level:g}% interval {low:.4g} to "
            f"{high:.4g}), {is_shown} {than[test.alternative]} {test.popmean:g}"
        )
        if getattr(test, "margin", None) is not None:
            finding = test.finding(self.significant)
            text = f"Around {test.popmean:g}, {finding}"
        if is_bayesian(self.table):
            return self._make("not shown", f"{posterior(self.table, row)}.")
        decision = "different" if self.significant else "not shown"
        return self._make(decision, f"{text}{self._tail()}.")

    def _bayesian(self):
        row, table = self.row, self.table
        within = getattr(self.test, "rope", 0.0)
        about = scope(self.result, self.test)
        estimated = f"{self.ahead} is ahead by {self._amount()}{about}"
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
        text = (
            f"{both[0]} and {both[1]} cannot be told apart with {probability}: "
            f"{estimated}; {chances}."
        )
        return self._make("not told apart", text, tied=both)


def posterior(table, row):
    """Return the posterior probabilities of a row as text."""
    rope = getattr(table.test, "rope", 0.0)
    if table.test.popmean:
        return _shifted_posterior(table.test.popmean, rope, row)
    equal = ""
    if rope:
        equal = f", P(equivalent within {rope:g}) = {row.columns['prob_rope']:.3f}"
    return (
        f"P({row.first} better) = {row.columns['prob_less']:.3f}{equal}, "
        f"P({row.second} better) = {row.columns['prob_greater']:.3f}"
    )


def _shifted_posterior(popmean, rope, row):
    """Return them of a difference that is not compared with 0: none is better."""
    low, high = popmean - rope, popmean + rope
    difference = f"loss({row.first}) - loss({row.second})"
    equal = ""
    if rope:
        equal = f", P(within {rope:g} of {popmean:g}) = {row.columns['prob_rope']:.3f}"
    return (
        f"P({difference} < {low:g}) = {row.columns['prob_less']:.3f}{equal}, "
        f"P({difference} > {high:g}) = {row.columns['prob_greater']:.3f}"
    )


def _p(value):
    return "< 0.001" if value < 0.001 else f"= {format_pvalue(value)}"


def float_of(text):
    """Return the number that a text shows."""
    return float(text.replace("−", "-"))


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


def groups_around(table, pivot, ranking):
    """Return positions of those better, worse and not told apart from `pivot`."""
    involved = (table.first == pivot) | (table.second == pivot)
    others = np.where(table.first == pivot, table.second, table.first)[involved]
    winners = table.winner[involved]
    place = {position: number for number, position in enumerate(ranking)}
    kinds = (winners == others, winners == pivot, winners < 0)
    return [sorted(others[kind].tolist(), key=place.__getitem__) for kind in kinds]


def _around_best(result, table, pivot, better, worse, tied):
    measure = measure_of(result.losses)
    name = short_names(table.names, MAX_NAME)[pivot]
    count = len(better) + len(worse) + len(tied) + 1
    mean = measure.value(result.losses.mean_losses[pivot])
    about = scope(result, table.test)
    lead = f"{name} has the {measure.best} of {count} {result.noun}s, {mean}{about}."
    equal, unclear = _equal(table, pivot, tied)
    rest = "it" if worse or better else f"it{_by(table, measure, False)}"
    parts = []
    if worse:
        whom = _list(table, worse) if better or tied else "all others"
        amount = _range(measure, table, pivot, worse)
        parts.append(f"It is better than {whom}, {amount}{_by(table, measure)}")
    if equal:
        who = f"{_list(table, equal)} {_are(equal)}"
        within = f"within {measure.margin(table.test.rope)}"
        parts.append(f"{who} practically equivalent to it, {within}")
    if unclear:
        whom = _list(table, unclear)
        if not (worse or better or equal):
            whom = f"The other {len(unclear)}"
        parts.append(f"{whom} cannot be told apart from {rest}")
    if better:
        parts.append(f"{_list(table, better)} {_are(better)} better than it")
    return f"{lead} {'; '.join(parts)}."


def _around_reference(result, table, pivot, better, worse, tied):
    measure = measure_of(result.losses)
    name = short_names(table.names, MAX_NAME)[pivot]
    mean = measure.value(result.losses.mean_losses[pivot])
    parts = []
    for group, word in ((better, "better"), (worse, "worse")):
        if group:
            amount = _range(measure, table, pivot, group)
            parts.append(f"{_list(table, group)} {_are(group)} {word}, {amount}")
    by = _by(table, measure, bool(better or worse))
    if parts:  # what was decided stands before how
        parts[-1] += by
    equal, unclear = _equal(table, pivot, tied)
    if equal:
        who = f"{_list(table, equal)} {_are(equal)}"
        within = f"within {measure.margin(table.test.rope)}"
        parts.append(f"{who} practically equivalent to it, {within}")
    if unclear:
        end = "" if better or worse else by
        parts.append(f"{_list(table, unclear)} cannot be told apart from it{end}")
    about = scope(result, table.test)
    return (
        f"Compared with {name} (mean {measure.word} {mean}){about}: {'; '.join(parts)}."
    )


def _count(result, table):
    n_found, of = int(table.significant.sum()), f"of {len(table)} pairs"
    test, measure = table.test, measure_of(result.losses)
    margin = getattr(test, "margin", None)
    about = scope(result, test)
    what = f"The null hypothesis is rejected for {n_found} {of}"
    if margin is not None and not test.popmean and test.alternative == "two-sided":
        found = "None" if not n_found else f"{n_found}"
        verb = "are" if n_found > 1 else "is"
        what = f"{found} of the {len(table)} pairs {verb} shown to be equivalent within"
        what += f" {measure.margin(margin)}"
    shown = [
        f"{row.first} and {row.second}"
        for row in table.rows(np.flatnonzero(table.significant)[:MAX_NAMES].tolist())
    ]
    listed = f": {', '.join(shown)}" + ", ..." * (n_found > MAX_NAMES) if shown else ""
    return Verdict("ranking", f"{what}{about}{_by(table, measure)}{listed}.")


def _by(table, measure, found=True):
    if is_bayesian(table):
        within = getattr(table.test, "rope", 0.0)
        more = f"more than {measure.margin(within)} " if within else ""
        return f" ({more}with at least {100 * (1 - table.alpha):g}% probability)"
    p = "adjusted p" if table.is_adjusted else "p"
    if table.test.alternative != "two-sided":
        p = f"one-sided {p}"
    proviso = table.test.proviso(table.rho[0], found).rstrip(", ")
    proviso = f", {proviso[0].lower()}{proviso[1:]}" if proviso else ""
    if not found:
        return f" at the {100 * table.alpha:g}% level{proviso}"
    return f" ({p} ≤ {table.alpha:g}{proviso})"


def _equal(table, pivot, tied):
    """Return those practically equivalent to `pivot`, and the others of `tied`.

    Only a Bayesian test with a region of equivalence has the first.
    """
    if not is_bayesian(table) or not getattr(table.test, "rope", 0):
        return [], tied
    involved = (table.first == pivot) | (table.second == pivot)
    others = np.where(table.first == pivot, table.second, table.first)
    is_equal = involved & (table.columns["prob_rope"] >= 1 - table.alpha)
    equal = set(others[is_equal].tolist())
    return (
        [other for other in tied if other in equal],
        [other for other in tied if other not in equal],
    )


def _range(measure, table, pivot, group):
    """Return by how much those of a group differ from `pivot`."""
    involved = (table.first == pivot) | (table.second == pivot)
    others = np.where(table.first == pivot, table.second, table.first)
    sizes = np.abs(table.estimate[involved & np.isin(others, group)])
    low, high = sizes.min(), sizes.max()
    texts = measure.numbers(low, high)
    if len(group) == 1 or texts[0] == texts[1]:
        texts = measure.numbers(high)
        return f"by {texts[0]}{measure.unit(texts[0])}"
    return f"by {texts[0]} to {texts[1]}{measure.unit('')}"


def _list(table, positions):
    """Return names as a list, of many the first ones."""
    shown = short_names(table.names, MAX_NAME)
    names = [shown[position] for position in positions]
    if len(names) > MAX_NAMES + 1:
        names = [*names[:MAX_NAMES], f"{len(names) - MAX_NAMES} others"]
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _are(group):
    return "are" if len(group) > 1 else "is"
