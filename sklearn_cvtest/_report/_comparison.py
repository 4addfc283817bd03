"""The document of a comparison: what it says, in print, on a page and in a paper."""

import dataclasses
from functools import partial

import numpy as np

from ._as_latex import latex_table
from ._best_set import best_table
from ._document import (
    Code,
    Document,
    Papers,
    Pictures,
    Quote,
    Section,
    Sentence,
    Table,
    Terms,
    Verdict,
)
from ._findings import is_bayesian, repeats_of
from ._format import listed
from ._paper_table import paper_table, report_tables
from ._sentences import conclusions, notes, report_sentences, shows_set
from ._text import estimator_table, sign_convention, test_table, test_title, title
from ._verdict import verdict_lines, verdicts

SIMULTANEOUS = " For several pairs, at a level at which all hold at once."
P_MEANING = (
    "The probability of a result at least this extreme if the null hypothesis and the "
    "test's assumptions hold. It is not the probability of the null hypothesis, and a "
    "large one is no evidence for it."
)
BEST_P_MEANING = (
    "The probability that another one comes out ahead at least as clearly if all are "
    "equally good: small if one is not the best. It is adjusted for the number of the "
    "others, but not for the number of p-values."
)
POSTERIOR_MEANING = (
    "How probable it is, given these results and the prior of the test, that the first "
    "is better, that the two are practically equivalent (differ by no more than the "
    "width that was chosen), and that the second is better."
)
RHO_MEANING = (
    "The share of the variance of the mean difference that comes from splits moving "
    "together, as they do because they share training examples. The usual t test takes "
    "it for 0. One cross-validation gives no unbiased estimate of it."
)
RHO_ALPHA_MEANING = (
    "The largest ρ at which the difference is still significant, before any "
    "adjustment: if you believe that ρ is smaller than this, the difference is "
    "significant; if larger, it is not. None: it is not significant even at ρ = 0."
)


def comparison_document(result, draw):
    """Return the Document of a comparison; `draw` makes its pictures."""
    return Document(
        _heading(result),
        title(result),
        partial(_summary, result),
        report=partial(report_sentences, result),
        report_tables=partial(report_tables, result),
        sections=partial(_sections, {"": result}, {"": draw}),
        table=partial(paper_table, result),
        findings=partial(_findings, result),
        rows="pairs",
    )


def metrics_document(results, draws):
    """Return the Document of comparisons by several metrics: {metric: comparison}."""
    example = next(iter(results.values()))
    return Document(
        f"{_heading(example)} by {len(results)} metrics",
        f"{title(example).rpartition(', ')[0]}, by {', '.join(results)}",
        lambda: tuple(Section(name, _summary(of)) for name, of in results.items()),
        report=lambda: [
            sentence
            for name, result in results.items()
            for sentence in (f"By {name}:", *report_sentences(result))
        ],
        report_tables=lambda: tuple(
            Section(f"By {name}", blocks)
            for name, result in results.items()
            for blocks in [report_tables(result)]
            if blocks
        ),
        sections=partial(_sections, results, draws),
        table=partial(_tables_in_one, results),
        findings=lambda: {
            "metrics": {name: _findings(result) for name, result in results.items()}
        },
    )


def _heading(result):
    names = result.losses.estimator_names
    if len(names) == 2:
        return f"Comparison of {names[0]} and {names[1]}"
    return f"Comparison of {len(names)} {result.noun}s"


def _summary(result):
    """Return the blocks that are printed."""
    return (
        *map(Verdict, verdict_lines(result)),
        Sentence(title(result)),
        _estimators(result),
        *_tests(result),
        *map(Sentence, [*conclusions(result), *notes(result)]),
    )


def _estimators(result):
    return Table(*estimator_table(result), label="Means")


def _tests(result):
    """Return the tables of pairs, or of which may be the best, and what they mean."""
    blocks, pairs = [], False
    for name, table in result.tables.items():
        title = test_title(name, table)
        if shows_set(result) and name in result.best_sets:
            of_test, *rest = best_table(result.best_sets[name], result.most_shown)
            blocks += [dataclasses.replace(of_test, title=title), *rest]
            continue
        pairs = True
        blocks.append(Table(*test_table(result, name), title, f"Results of {name}"))
    return (*blocks, *[Sentence(sign_convention(result))] * pairs)


def _findings(result):
    """Return what JSON says beside the pairs."""
    losses, found = result.losses, verdicts(result)
    verdict, sign = next(iter(found.values())), -1 if losses.is_score else 1
    means = zip(losses.estimator_names, sign * losses.mean_losses, strict=True)
    return {
        "verdict": " ".join(verdict_lines(result)),
        "decision": verdict.decision,
        "better": verdict.better,
        "worse": verdict.worse,
        "tied": verdict.tied,
        "detectable_difference": verdict.detectable_difference,
        "metric": losses.loss_name,
        "greater_is_better": losses.is_score,
        "means": dict(means),
        "design": str(losses.design),
        **_repeats(losses),
        "test": ", ".join(found),
        "alpha": result.alpha,
        "p_adjust": next(iter(result.tables.values())).p_adjust,
        "reference": result.reference,
        "difference": "loss(first) - loss(second); minus scores are losses",
    }


def _repeats(losses):
    """Return how many repeats each estimator has, where that differs."""
    numbers = repeats_of(losses)
    if numbers is None:
        return {}
    return {"n_repeats": dict(zip(losses.estimator_names, numbers, strict=True))}


def _tables_in_one(results):
    """Return the tables of all metrics for a paper in one, one after the other."""
    parts = {name: paper_table(result) for name, result in results.items()}
    first = next(iter(parts.values()))
    percent = " (%)"  # of each metric, and so with its name
    rows = [
        [dataclasses.replace(row[0], text=f"{name}{unit}: {row[0].text}"), *row[1:]]
        for name, part in parts.items()
        for unit in [percent * part.headers[1].endswith(percent)]
        for row in part.rows
    ]
    headers = [first.headers[0], "Mean", first.headers[2].removesuffix(percent)]
    headers += first.headers[3:]
    by_note = {}
    for name, part in parts.items():
        by_note.setdefault(part.note, []).append(name)
    noted = first.note
    if len(by_note) > 1:
        noted = " ".join(f"{listed(of)}: {note}" for note, of in by_note.items())
    return dataclasses.replace(first, headers=headers, rows=rows, note=noted)


def candidate_remarks(n_compared, n_searched, n_failed, *, is_race=False):
    """Return which candidates were left out, and why, a tuple of sentences."""
    sentences = []
    if is_race:
        sentences.append(
            f"The search is a race: {n_compared} of {n_searched} candidates were "
            "fitted to the end and are compared; the others left it earlier."
        )
    elif n_searched is not None:
        sentences.append(
            f"The search is one of successive halving: {n_compared} of {n_searched} "
            "candidates reached its last iteration and are compared; the others were "
            "scored on smaller samples."
        )
    if n_failed:
        plural = "s" if n_failed > 1 else ""
        sentences.append(
            f"{n_failed} candidate{plural} with scores that are not finite "
            f"{'are' if plural else 'is'} left out."
        )
    return tuple(sentences)


# The page ------------------------------------------------------------------------


def _sections(results, draws):
    """Return the sections of a page: first what was found; the rest is folded."""
    example = next(iter(results.values()))

    def each(part):
        parts = {name: tuple(part(name, result)) for name, result in results.items()}
        if len(parts) == 1:
            return next(iter(parts.values()))
        return tuple(Section(name, blocks) for name, blocks in parts.items() if blocks)

    def pictures(*which):
        return each(lambda name, _: [Pictures(draws[name], *which)])

    noun = f"{example.noun.capitalize()}s"
    return (
        Section("Conclusion", each(lambda _, result: _conclusion(result))),
        Section("Differences", pictures(0, 1)),
        Section(noun, each(lambda _, result: [_estimators(result)])),
        Section("Tests", each(lambda _, result: _tests(result)), True),
        Section("Other pictures", pictures(1, None), True),
        Section("How to read this", (_glossary(example),), True),
        Section("What the tests assume", _assumptions(example), True),
        Section("For a paper", each(lambda _, result: _paper(result)), True),
    )


def _conclusion(result):
    """Return the verdicts, and what has to be known beside them."""
    rest = map(Sentence, [*conclusions(result), *notes(result)])
    return (*map(Verdict, verdict_lines(result)), *rest)


def _glossary(result):
    """Return what the columns mean, of those that there are."""
    tables = result.tables.values()
    table = next(iter(tables))
    if shows_set(result):
        return Terms({"p": BEST_P_MEANING, "ρ (rho)": RHO_MEANING})
    entries = {
        "difference": f"{sign_convention(result)} The smaller the loss, the better.",
        "interval": "The differences that the test does not reject."
        + SIMULTANEOUS * (table.ci_low_simultaneous is not None),
    }
    if all(map(is_bayesian, tables)):
        entries["P(first), P(equivalent), P(second)"] = POSTERIOR_MEANING
        return Terms(entries)
    entries["p"] = P_MEANING
    if table.is_adjusted:
        entries[f"p ({table.p_adjust})"] = (
            f"The same, adjusted for having made {table.n_comparisons} comparisons: "
            "decisions are by this one."
        )
    if any(np.isfinite(of_test.rho_alpha).any() for of_test in tables):
        entries |= {"ρ (rho)": RHO_MEANING, "ρ_α (rho_alpha)": RHO_ALPHA_MEANING}
    return Terms(entries)


def _kinds(result):
    """Return the traits of each kind of test, and of the tests inside them, by name."""
    kinds = {}
    for table in result.tables.values():
        traits = table.test.traits
        while traits is not None:
            kinds.setdefault(traits.name, traits)
            traits = traits.inner
    return list(kinds.values())


def _assumptions(result):
    """Return the description of each kind of test."""
    return tuple(
        Section(
            f"{traits.name}: {traits.title}",
            (*[Sentence(traits.about)] * bool(traits.about), Papers(traits.references)),
        )
        for traits in _kinds(result)
    )


def _paper(result):
    """Return the report, and the papers to cite: the first of each test."""
    papers = (paper for traits in _kinds(result) for paper in traits.references[:1])
    latex = latex_table(paper_table(result))
    return (
        Quote(tuple(report_sentences(result))),
        *report_tables(result),
        Papers(tuple(dict.fromkeys(papers)), "To cite:", is_numbered=False),
        Code(latex, "A table (LaTeX, with booktabs):", "LaTeX"),
    )
