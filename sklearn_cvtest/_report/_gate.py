"""What is said of models that must not be worse than a reference by a margin."""

from itertools import chain, islice

from .._validation import one_line
from ._document import Document, Sentence, Table, verdict
from ._findings import scope
from ._format import shown_pvalue
from ._measure import measure_of
from ._versions import version_sentence

CLAIMS = {
    "shown": "{} is not worse than {}{}",
    "refuted": "{} is worse than {}{}",
    "inconclusive": "Inconclusive: {} may be worse than {}{}",
}


def gate_sentences(gate):
    """Return what was found of each model, {model: sentence}."""
    return {
        name: one_line(_sentence(gate, name, number))
        for number, name in enumerate(gate.decisions)
    }


def gate_document(gate):
    """Return the Document of a Gate."""
    losses = gate.comparison.losses
    margin = _by_margin(gate, measure_of(losses))
    heading = f"Not worse than {gate.reference}{margin}"
    found = gate_sentences(gate)
    table = Table(*_table(gate), "<<>>>>>")
    unit = measure_of(losses).unit("").removeprefix(" ").removeprefix("in ")
    note = (
        f"Differences from {gate.reference} in {unit}, above 0 where the model is "
        "better, with one-sided bounds."
    )
    said = (verdict(next(iter(found.values()))),)
    if len(found) > 1:
        said = verdict(_of_all(gate, margin)), table, Sentence(note)
    return Document(
        heading,
        f"{len(found)} model{'s' * (len(found) > 1)} against {gate.reference}",
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


def _of_all(gate, margin):
    """Return how many models passed."""
    kinds = list(gate.decisions.values())
    shown, refuted = kinds.count("shown"), kinds.count("refuted")
    unknown = len(kinds) - shown - refuted
    parts = [
        f"shown for {shown}",
        f"refuted for {refuted}",
        f"inconclusive for {unknown}",
    ]
    said = ", ".join(p for p in parts if not p.endswith(" 0"))
    return f"Not worse than {gate.reference}{margin}: {said} of {len(kinds)} models."


def _table(gate):
    headers = ["model", "decision", "difference", "low", "high", "p not worse"]
    measure = measure_of(gate.comparison.losses)
    not_worse, worse = _tables(gate)
    rows = []
    values = [_values(gate, number) for number in range(len(gate.decisions))]
    texts = iter(measure.numbers(*chain.from_iterable(values)))
    for number, (name, decision) in enumerate(gate.decisions.items()):
        numbers = list(islice(texts, len(values[number])))
        pvalues = [t.pvalue_adjusted[number] for t in (not_worse, worse)]
        shown = [shown_pvalue(p, not_worse.alpha) for p in pvalues]
        rows.append([name, decision, *numbers, *shown])
    return [*headers, "p worse"], rows


def _tables(gate):
    tables = gate.comparison.tables
    return tables["shown"], tables["refuted"]


def _values(gate, number):
    """Return the difference of a model, and its one-sided bounds."""
    not_worse, worse = _tables(gate)
    low, high = not_worse.shown_intervals[0], worse.shown_intervals[1]
    return not_worse.estimate[number], low[number], high[number]


def _sentence(gate, name, number):
    """Return what was found of a model."""
    decision = gate.decisions[name]
    measure = measure_of(gate.comparison.losses)
    table = _tables(gate)[decision == "refuted"]
    claim = CLAIMS[decision].format(name, gate.reference, _by_margin(gate, measure))
    values = _values(gate, number)
    detectable = gate.detectable_margins[name]
    *texts, could = measure.numbers(*values, detectable)
    sides = [_side(*pair) for pair in zip(values, texts, strict=True)]
    level = 100 * (1 - table.alpha)
    kind = "simultaneous " * (table.ci_low_simultaneous is not None)
    bound = {
        "shown": f"{kind}{level:g}% bound: at worst {sides[1]}",
        "refuted": f"{kind}{level:g}% bound: at best {sides[2]}",
        "inconclusive": f"{kind}{level:g}% bounds: at worst {sides[1]}, at best "
        f"{sides[2]}",
    }[decision]
    number_text = texts[0].lstrip("−")
    word = "behind" if values[0] < 0 else "ahead"
    place = f"it is {word} by {number_text}{measure.unit(number_text)} ({bound})"
    if not values[0]:
        place = f"their means are equal ({bound})"
    about = scope(gate.comparison, table.test)
    if decision == "inconclusive":
        return f"{claim}; {place}{about}.{_could(gate, measure, could, detectable)}"
    p = shown_pvalue(table.pvalue_adjusted[number], table.alpha)
    p = f"{'adjusted ' * table.is_adjusted}one-sided p {'' if p[0] == '<' else '= '}{p}"
    return f"{claim}: {place}{about}; {p}."


def _side(value, text):
    """Return a difference as ahead or behind."""
    return f"{text.lstrip('−')} {'behind' if value < 0 else 'ahead'}"


def _could(gate, measure, text, detectable):
    """Return what could have been shown."""
    if not detectable > 0:
        return ""
    return (
        " With equally good models, this comparison has 80% power for a margin of "
        f"{text}{measure.unit(text)}."
    )
