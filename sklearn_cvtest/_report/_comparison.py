"""The document of a comparison: what it says, in print, on a page and in a paper."""

import dataclasses
from functools import partial

import numpy as np

from .._pairs._models import names_pairs_only
from ._as_latex import latex_table
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
from ._findings import design_words, is_bayesian
from ._format import listed, shown_pvalue
from ._measure import measure_of
from ._models import models_block, pairs_block, paper_table, shown_letters
from ._notes import design_line, notes, report_sentences, short_name
from ._rows import shown_pairs
from ._words import verdict_lines, verdicts

P_MEANING = (
    "The probability of a difference at least this large if there is none and the "
    "test's assumptions hold. A large p is no evidence of equality."
)
BEST_P_MEANING = (
    "The probability that another model comes out ahead at least as clearly if all are "
    "equally good, adjusted for the number of models. Small if a model is not the best."
)
POSTERIOR_MEANING = (
    "The probability, given these results and the prior of the test, that the model is "
    "worse, practically equivalent, or better."
)
RHO_MEANING = (
    "The share of the variance of the mean difference that is due to the correlation "
    "between splits, which share training examples. The usual t test takes it for 0. "
    "One cross-validation gives no unbiased estimate of it."
)
RHO_ALPHA_MEANING = (
    "The largest ρ at which the difference is significant, before adjustment. None: it "
    "is not significant even at ρ = 0."
)
LETTERS = "Models that share a letter do not differ significantly, by all pairs."


def comparison_document(result, draw):
    """Return the Document of a comparison; `draw` makes its pictures."""
    return Document(
        _heading(result),
        title(result),
        partial(_summary, result),
        report=partial(report_sentences, result),
        report_tables=partial(_report_tables, result),
        sections=partial(_sections, {"": result}, {"": draw}),
        table=partial(_paper_table, result),
        findings=partial(_findings, result),
        rows="pairs",
    )


def metrics_document(results, draws):
    """Return the Document of comparisons by several metrics: {metric: comparison}."""
    example = next(iter(results.values()))
    return Document(
        f"{_heading(example)} by {len(results)} metrics",
        f"{title(example).rpartition(', ')[0]}, by {', '.join(results)}",
        lambda: _summary_of_metrics(results),
        report=lambda: [
            sentence
            for name, result in results.items()
            for sentence in (f"By {name}:", *report_sentences(result))
        ],
        report_tables=lambda: tuple(
            Section(f"By {name}", blocks)
            for name, result in results.items()
            for blocks in [_report_tables(result)]
            if blocks
        ),
        sections=partial(_sections, results, draws),
        table=partial(_tables_in_one, results),
        findings=lambda: {
            "metrics": {name: _findings(result) for name, result in results.items()}
        },
    )


def pairs_document(result, pairs):
    """Return the Document of the pairs of a comparison: "best", "all" or a list."""
    blocks = _pairs(result, partial(shown_pairs, pairs=pairs))
    return Document(f"Pairs of {result.noun}s", title(result), lambda: blocks)


def title(result):
    """Return what was compared, on which data, how, and in which loss."""
    losses = result.losses
    sample = f" on {losses.n_samples} examples" if losses.n_samples else ""
    compared = f"{len(losses.estimator_names)} {result.noun}s{sample}"
    word = measure_of(losses).word
    return f"{compared}, {design_words(losses.design)}, {word}"


def _heading(result):
    names = result.losses.estimator_names
    if len(names) == 2:
        return f"Comparison of {names[0]} and {names[1]}"
    return f"Comparison of {len(names)} {result.noun}s"


def _summary(result):
    """Return the blocks that are printed, and shown first on a page."""
    *blocks, last = _by_test(result)
    last = Sentence(" ".join([last.text, *notes(result)]))
    return (*map(Verdict, verdict_lines(result)), *blocks, last)


def _by_test(result):
    """Return a table of models (or pairs) for each test, and how it was made."""
    blocks = []
    for name, table in result.tables.items():
        block = models_block(result, name)
        if len(result.tables) > 1:
            block = dataclasses.replace(block, title=short_name(name))
        blocks.append(block)
        if names_pairs_only(result, table):
            blocks.append(pairs_block(result, name, shown_pairs))
        blocks.append(Sentence(design_line(result, name)))
    return blocks


def _pairs(result, choose):
    blocks = []
    for name in result.tables:
        block = pairs_block(result, name, choose)
        if len(result.tables) > 1:
            block = dataclasses.replace(block, title=short_name(name))
        blocks += [block, Sentence(design_line(result, name, shows_pairs=True))]
    return tuple(blocks)


def _summary_of_metrics(results):
    """Return a row for each metric, and how it was made."""
    rows = []
    for metric, result in results.items():
        verdict, measure = (
            next(iter(verdicts(result).values())),
            measure_of(result.losses),
        )
        best = result.losses.estimator_names[result.ranking[0]]
        mean = measure.value(result.losses.mean_losses[result.ranking[0]])
        models = next(iter(result.decisions.values()), None)
        beaten = ", ".join(verdict.worse) or "-"
        tied = ", ".join(name for name in verdict.tied if name != best) or "-"
        p = [row.pvalue for row in models.others] if models else []
        shown = shown_pvalue(min(p), result.alpha) if p else "-"
        rows.append([metric, best, mean, beaten, tied, shown])
    headers = [
        "metric",
        "best",
        "mean",
        "significantly worse",
        "not significant",
        "smallest p",
    ]
    result = next(iter(results.values()))
    line = design_line(result, next(iter(result.tables)), shows_pairs=True)
    more = f"p-values are not adjusted for the {len(results)} metrics."
    noted = dict.fromkeys(note for of in results.values() for note in notes(of))
    return (
        Table(headers, rows, "<<><<>", label="Metrics"),
        Sentence(line),
        Sentence(more),
        *map(Sentence, noted),
    )


def _findings(result):
    """Return what JSON says beside the pairs."""
    losses, found = result.losses, verdicts(result)
    verdict, sign = next(iter(found.values())), -1 if losses.is_score else 1
    means = zip(losses.estimator_names, sign * losses.mean_losses, strict=True)
    name = next(iter(found))
    return {
        "verdict": " ".join(verdict_lines(result)),
        "decision": verdict.decision,
        "family": "best set" if name in result.best_sets else "pairs",
        "better": verdict.better,
        "worse": verdict.worse,
        "tied": verdict.tied,
        "detectable_difference": verdict.detectable_difference,
        "metric": losses.loss_name,
        "greater_is_better": losses.is_score,
        "means": dict(means),
        "design": str(losses.design),
        "test": ", ".join(found),
        "alpha": result.alpha,
        "p_adjust": next(iter(result.tables.values())).p_adjust,
        "reference": result.reference,
        "difference": "loss(first) - loss(second); minus scores are losses",
    }


def _paper_table(result, name=None):
    name = next(iter(result.tables)) if name is None else name
    return paper_table(result, design_line(result, name), name)


def _report_tables(result):
    """Return the tables of a report, of tests of more than one pair, as blocks."""
    if len(next(iter(result.tables.values()))) == 1:
        return ()
    blocks = []
    for name in result.tables:
        block = models_block(result, name)
        if len(result.tables) > 1:
            block = dataclasses.replace(block, title=short_name(name))
        blocks += [block, Sentence(design_line(result, name))]
    return tuple(blocks)


def _tables_in_one(results):
    """Return the tables of all metrics for a paper in one, one after the other."""
    parts = {name: _paper_table(result) for name, result in results.items()}
    first = next(iter(parts.values()))
    percent = " (%)"  # of each metric, and so with its name
    rows = [
        [dataclasses.replace(row[0], text=f"{name}{unit}: {row[0].text}"), *row[1:]]
        for name, part in parts.items()
        for unit in [percent * part.headers[1].endswith(percent)]
        for row in part.rows
    ]
    headers = [first.headers[0], "Mean", *first.headers[2:]]
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
            f"Racing search: {n_compared} of {n_searched} candidates were fitted on "
            "all splits and are compared; the others were dropped earlier."
        )
    elif n_searched is not None:
        sentences.append(
            f"Successive halving: {n_compared} of {n_searched} candidates reached "
            "the last iteration and are compared; the others were scored on smaller "
            "samples."
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

    def pairs(_, result):
        return (*_pairs(result, partial(shown_pairs, pairs="all")), *_letters(result))

    return (
        Section("Conclusion", each(lambda _, result: _summary(result))),
        Section("Differences", pictures(0, 1)),
        Section("All pairs", each(pairs), True),
        Section("Other pictures", pictures(1, None), True),
        Section("How to read this", (_glossary(example),), True),
        Section("What the tests assume", _assumptions(example), True),
        Section("For a paper", each(lambda _, result: _paper(result)), True),
    )


def _letters(result):
    """Return the letters as a table, if there are some."""
    letters = shown_letters(result)
    if letters is None:
        return ()
    rows = [[name, shared] for name, shared in letters.items()]
    return Table([result.noun, "letters"], rows, "<<", label="Letters"), Sentence(
        LETTERS
    )


def _glossary(result):
    """Return what the columns mean, of those that there are."""
    tables = result.tables.values()
    if all(map(is_bayesian, tables)):
        return Terms({"P(worse), P(equivalent), P(better)": POSTERIOR_MEANING})
    entries = {"p": BEST_P_MEANING if result.best_sets else P_MEANING}
    entries["ρ (rho)"] = RHO_MEANING
    if any(np.isfinite(of_test.rho_alpha).any() for of_test in tables):
        entries["ρ_α (rho_alpha)"] = RHO_ALPHA_MEANING
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
    latex = latex_table(_paper_table(result))
    return (
        Quote(tuple(report_sentences(result))),
        *_report_tables(result),
        Papers(tuple(dict.fromkeys(papers)), "To cite:", is_numbered=False),
        Code(latex, "A table (LaTeX, with booktabs and graphicx):", "LaTeX"),
    )
