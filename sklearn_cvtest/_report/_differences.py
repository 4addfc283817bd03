"""What is said of differences: a gate, labels, shares of a variance, plans, scores."""

import numpy as np

from .._validation import one_line
from ._document import Document, Sentence, table_of, verdict
from ._findings import scope
from ._format import at_most, equals, listed, percent, shown_pvalue, version_sentence
from ._measure import NOTHING, NUMBERS, format_number, measure_of
from ._notes import METHODS
from ._rows import ahead_first
from ._words import claim_of_pairs

MOST_ROWS, MOST_CLAIMS = 10, 4  # that are printed, or named in a sentence
# A gate.
GATE = {
    "shown": "{name} is not worse than {reference}{margin}: {place} ({level} bound: at "
    "worst {low}){about}; {p}.",
    "refuted": "{name} is worse than {reference}{margin}: {place} ({level} bound: at "
    "best {high}){about}; {p}.",
    "inconclusive": "Inconclusive: {name} may be worse than {reference}{margin}; "
    "{place} ({level} bounds: at worst {low}, at best {high}){about}.{could}",
}
COULD = (
    " With equally good models, this comparison has 80% power for a margin of {amount}."
)
GATE_NOTE = (
    "Differences from {reference} in {unit}, above 0 where the model is better, with "
    "one-sided bounds."
)
# Labels.
NO_LABEL = "No significant difference between {names} for any label ({p})."
UNSHOWN = "For no label is it shown that {claim} ({p})."
DEPENDS = (
    "Significance for one label and not for another is no evidence that the difference "
    "depends on the label."
)
# Shares of the variance.
VARIANCE = (
    "Shares of the variance of the mean difference ({lead}), its standard error, and "
    "approximately that with twice or infinitely many runs or {unit} (n); 0 if nothing "
    "else is estimated to vary."
)
# Plans.
PLAN = "What it takes to detect a difference of {amount} with probability {power}"
PLAN_LEGEND = (
    "examples: needed with the same design; repeats: of the splits of the present "
    "sample, – if no number of them suffices or none is known; at best: the difference "
    "that infinitely many repeats would detect."
)
NOW = "This comparison has {power} power to detect a difference of {now}."
ENOUGH = "It needs no more examples or repeats to detect one of {amount}."
EXAMPLES = (
    "To detect a difference of {amount}, the same design needs about {n_samples:,} "
    "examples."
)
REPEATS = (
    "With the present sample, {n_repeats} repeat{s} of the splits would detect it; "
    "infinitely many would detect {floor}."
)
NO_REPEATS = (
    "No number of repeats of the present sample would detect it: even infinitely many "
    "would detect {least}."
)
UNKNOWN_REPEATS = "It is not known how much more repeats would help."
TTEST = (
    "mean(a) - mean(b) = {by}, 95% CI {interval}, t({df}) = {t:.4g}, {p} (corrected "
    "resampled t test)"
)


def _more(n_rows):
    """Return how many pairs are not printed, as a sentence, "" if all are."""
    n_more = n_rows - MOST_ROWS
    return f" {n_more} more pairs: to_frame()." * (n_more > 0)


# A gate -----------------------------------------------------------------------------


def gate_document(gate):
    """Return the Document of a Gate."""
    measure, found = measure_of(gate.comparison.losses), gate_sentences(gate)
    margin, models = _by_margin(gate, measure), list(found)
    said = (verdict(found[models[0]]),)
    unit = measure.unit("").removeprefix(" ").removeprefix("in ")
    table, note = (
        _gate_table(gate),
        GATE_NOTE.format(reference=gate.reference, unit=unit),
    )
    if len(models) > 1:
        decided = list(gate.decisions.values())
        counts = {f"{kind} for": decided.count(kind) for kind in GATE}
        counts = ", ".join(f"{kind} {n}" for kind, n in counts.items() if n)
        of_all = f"{margin}: {counts} of {len(models)} models."
        of_all = verdict(f"Not worse than {gate.reference}{of_all}")
        said = of_all, table, Sentence(note)
    return Document(
        f"Not worse than {gate.reference}{margin}",
        f"{len(models)} model{'s' * (len(models) > 1)} against {gate.reference}",
        lambda: said,
        tuple(gate.comparison.estimator_names),
        report=lambda: [*found.values(), version_sentence()],
        table=lambda: table.for_paper(note),
        findings=lambda: {
            "decision": gate.decision,
            "margin": gate.margin,
            "reference": gate.reference,
            "sentences": found,
        },
        rows="models",
    )


def _by_margin(gate, measure):
    return f" by more than {measure.margin(gate.margin)}" if gate.margin else ""


def _gate_numbers(gate):
    """Return differences, both bounds, and both p-values of the models."""
    shown, refuted = (gate.comparison.tables[name] for name in ("shown", "refuted"))
    bounds = shown.shown_intervals[0], refuted.shown_intervals[1]
    return (shown.estimate, *bounds), (shown.pvalue_adjusted, refuted.pvalue_adjusted)


def _gate_table(gate):
    numbers, pvalues = _gate_numbers(gate)
    texts = measure_of(gate.comparison.losses).numbers(*np.ravel(numbers))
    n, alpha = len(gate.decisions), gate.comparison.alpha
    columns = {"model": list(gate.decisions), "decision": [*gate.decisions.values()]}
    for place, head in enumerate(("difference", "low", "high")):
        columns[head] = texts[place * n : (place + 1) * n]
    for head, values in zip(("p not worse", "p worse"), pvalues, strict=True):
        columns[head] = [shown_pvalue(p, alpha) for p in values]
    return table_of(columns, "Models", n_left=2)


def gate_sentences(gate):
    """Return what was found of each model, {model: sentence}."""
    result, measure = gate.comparison, measure_of(gate.comparison.losses)
    margin, numbers = _by_margin(gate, measure), np.transpose(_gate_numbers(gate)[0])
    sentences = {}
    for number, (name, decision) in enumerate(gate.decisions.items()):
        table = result.tables["refuted" if decision == "refuted" else "shown"]
        detectable = gate.detectable_margins[name]
        *texts, could = measure.numbers(*numbers[number], detectable)
        by, low, high = map(_side, numbers[number], texts)
        amount = f"{could}{measure.unit(could)}"
        side, shown = by.split()[::-1]
        place = f"it is {side} by {shown}{measure.unit(shown)}"
        kind = "one-sided p"
        said = GATE[decision].format(
            name=name,
            reference=gate.reference,
            margin=margin,
            place=place if numbers[number][0] else "their means are equal",
            level="simultaneous " * (table.ci_low_simultaneous is not None)
            + percent(1 - table.alpha),
            low=low,
            high=high,
            about=scope(result, table.test),
            p=equals(
                f"adjusted {kind}" if table.is_adjusted else kind,
                table.pvalue_adjusted[number],
                table.alpha,
            ),
            could=COULD.format(amount=amount) if detectable > 0 else "",
        )
        sentences[name] = one_line(said)
    return sentences


def _side(value, text):
    """Return a difference as ahead or behind."""
    return f"{text.lstrip('−')} {'behind' if value < 0 else 'ahead'}"


# Labels -----------------------------------------------------------------------------


def labels_document(result):
    """Return the Document of DifferencesByLabel."""
    n_labels, n_pairs = len(result.labels), len(result.pairs)
    traits, n_tested = result.test.traits, int(np.isfinite(result.pvalue).sum())
    how = "p-values and intervals are not adjusted"
    if result.p_adjust is not None:
        kind = "simultaneous (Bonferroni)" if result.is_simultaneous else "not adjusted"
        how = (
            f"p-values are adjusted for {n_tested} comparisons "
            f"({METHODS[result.p_adjust]}); intervals are {kind}"
        )
    note = Sentence(f"{traits.name}: {traits.title}. {how}. {DEPENDS}")
    return Document(
        "Differences by label",
        f"{n_labels} labels, {n_pairs} pair{'s' * (n_pairs > 1)}",
        lambda: (verdict(labels_sentence(result)), _labels_table(result), note),
        tuple(dict.fromkeys(name for pair in result.pairs for name in pair)),
    )


def _labels_table(result):
    """Return a row for each label and pair: the one that is ahead first."""
    measure, names = result.measure, np.array(result.pairs, dtype=object)
    estimate = result.estimate.ravel()
    first, second = np.tile(names.T, len(result.labels))
    low, high = (ends.ravel() for ends in result.shown_intervals)
    can_turn = result.test.alternative == "two-sided" and not result.test.popmean
    sides = ahead_first(first, second, estimate, low, high, can_turn)
    by, intervals = measure.intervals(*sides[2:])
    p = "p" if result.p_adjust is None else f"p ({result.p_adjust})"
    pvalues = result.pvalue_adjusted.ravel()
    columns = {
        "label": [str(label) for label in result.labels for _ in names],
        "ahead": sides[0],
        "behind": sides[1],
        "examples": np.repeat(result.n_examples, len(names)),
        f"by{' (points)' * measure.is_share}": by,
        f"{percent(result.test.interval_level(result.alpha))} CI": intervals,
        p: [
            NOTHING if np.isnan(value) else shown_pvalue(value, result.alpha)
            for value in pvalues
        ],
    }
    return table_of(columns, "Differences by label", n_left=3)


def labels_sentence(result):
    """Return for which labels which model is better."""
    test, alpha, adjusted = result.test, result.alpha, result.pvalue_adjusted
    kind = "p" if result.p_adjust is None else "adjusted p"
    found = np.argwhere(adjusted <= alpha)
    claim = claim_of_pairs(test, result.measure)
    has_winners = test.traits.names_winner and not test.popmean
    if not len(found):
        smallest = np.nanmin(adjusted, initial=1.0)
        p = equals(f"smallest {kind}", smallest, alpha)
        names = listed(list(dict.fromkeys(np.ravel(result.pairs))))
        template = NO_LABEL if has_winners else UNSHOWN
        return one_line(template.format(names=names, claim=claim, p=p))
    groups = {}
    for row, column in found.tolist():
        first, second = result.pairs[column]
        said = f"{first}, {second}: {claim}"
        if has_winners:
            pair = (
                (second, first) if result.estimate[row, column] > 0 else (first, second)
            )
            said = "{} is significantly better than {}".format(*pair)
        groups.setdefault(said, []).append((row, adjusted[row, column]))
    claims = []
    for said, rows in list(groups.items())[:MOST_CLAIMS]:
        labels = listed([str(result.labels[row]) for row, _ in rows])
        one_or_most = at_most if len(rows) > 1 else equals
        p = one_or_most(kind, max(p for _, p in rows), alpha)
        claims.append(f"{said} for {labels} ({p})")
    n_more = len(groups) - MOST_CLAIMS
    more = f"; and {n_more} more pairs" * (n_more > 0)
    return one_line(f"{'; '.join(claims)}{more}.")


# Shares of a variance ---------------------------------------------------------------


def variance_document(found):
    """Return the Document of a VarianceTable."""
    unit, lead = found.unit, f"{found.n_runs} runs of {found.n_units} {found.unit}"
    first, second = zip(*found.pairs, strict=True)
    columns = {"first": first, "second": second}
    for name, shares in zip(found.names, found.shares.T, strict=True):
        columns[name] = [f"{100 * share:.0f}%" for share in shares]
    names = "twice_runs", "all_runs", f"twice_{unit}", f"all_{unit}"
    errors = [found.standard_error, *(found.errors[name] for name in names)]
    texts, n = NUMBERS.numbers(*np.ravel(errors)), len(first)
    for place, head in enumerate(("error", "2 × runs", "∞ runs", "2 × n", "∞ n")):
        columns[head] = texts[place * n : (place + 1) * n]
    legend = Sentence(VARIANCE.format(lead=lead, unit=unit) + _more(n))
    return Document(
        "Where the variance comes from",
        lead,
        lambda: (table_of(columns, n_left=2, n_shown=MOST_ROWS), legend),
        tuple(dict.fromkeys([*first, *second])),
        table=lambda: table_of(columns, n_left=2).for_paper(f"{lead}."),
    )


# Plans ------------------------------------------------------------------------------


def plan_document(plan):
    """Return the Document of a ComparisonPlan: sentences of one pair, else a table."""
    measure, plans = plan.measure, list(plan.by_pair.values())
    power, amount = percent(plan.power), _by(measure, plan.difference)
    lead = PLAN.format(amount=amount, power=power)
    first, second = zip(*plan.by_pair, strict=True)
    names = "detectable_difference", "floor"
    found, floors = ([getattr(of, name) for of in plans] for name in names)
    texts = measure.numbers(*found, *floors)
    columns = {
        "first": first,
        "second": second,
        f"detectable now{' (points)' * measure.is_share}": texts[: len(plans)],
        "examples": [_count(of.n_samples) for of in plans],
        "repeats": [_count(of.n_repeats) for of in plans],
        "at best": [text.replace("nan", NOTHING) for text in texts[len(plans) :]],
    }
    said = [
        Sentence(f"{lead}."),
        table_of(columns, n_left=2, n_shown=MOST_ROWS),
        Sentence(PLAN_LEGEND + _more(len(plans))),
    ]
    if len(plans) == 1:
        of_pair = _plan_of_pair(measure, plans[0], plan.difference, power)
        said = [Sentence(" ".join(of_pair))]
    return Document(
        lead,
        lead,
        lambda: tuple(said),
        tuple(dict.fromkeys(map(str, [*first, *second]))),
        table=lambda: table_of(columns, n_left=2).for_paper(f"{lead}."),
    )


def _count(number):
    return NOTHING if number is None else f"{number:,}"


def _by(measure, value):
    """Return a difference with its unit."""
    number = format_number(measure.unit_size * value, 3)
    return number + measure.unit(number)


def _plan_of_pair(measure, plan, difference, power):
    """Return sentences on what it would take to detect a difference."""
    amount, now, floor = (
        _by(measure, value)
        for value in (difference, plan.detectable_difference, plan.floor)
    )
    words = plan._asdict() | {"amount": amount, "floor": floor}
    said = [NOW.format(power=power, now=now)]
    if difference >= plan.detectable_difference:
        return [*said, ENOUGH.format(amount=amount)]
    if plan.n_samples is not None:
        said.append(EXAMPLES.format(**words))
    if plan.n_repeats is not None:
        said.append(REPEATS.format(**words, s="s" * (plan.n_repeats > 1)))
    elif np.isfinite(plan.floor):
        least = f"only {floor}" if floor != now else "no smaller one than now"
        said.append(NO_REPEATS.format(least=least))
    else:
        said.append(UNKNOWN_REPEATS)
    return said


def ttest_document(result):
    """Return the Document of a CorrectedTTestResult."""
    (by,), (interval,) = NUMBERS.intervals(
        [result.estimate], *([end] for end in result.confidence_interval())
    )
    kind = "p" if result.alternative == "two-sided" else "one-sided p"
    p = equals(kind, result.pvalue, 0.05)
    text = TTEST.format(by=by, interval=interval, df=result.df, t=result.statistic, p=p)
    return Document("Corrected resampled t test", "a and b", lambda: (Sentence(text),))
