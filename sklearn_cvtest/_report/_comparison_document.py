"""The document of a comparison: what it says, in print, on a page and in a paper."""

from dataclasses import replace
from functools import partial

import numpy as np

from .._pairs._model_table import MANY, TIED, WORSE, is_about_set, names_pairs_only
from .._pairs._ranking import ranking_of
from . import _note_sentences as sentences
from ._as_text import latex_table, printed_blocks
from ._document import (
    Code,
    Document,
    Papers,
    Pictures,
    Section,
    Sentence,
    Table,
    table_of,
    verdict,
)
from ._findings import design_words, is_bayesian
from ._format import listed, shown_pvalue
from ._measure import counted, measure_of
from ._models_block import models_table, pairs_block, shown_letters
from ._notes import design_line, notes, report_of_metrics, report_sentences, tested
from ._printed_names import for_sentences, for_tables, names_note
from ._shown_pairs import most_shown
from ._verdict import short_name, verdict_lines, verdicts

MOST_LINES = 12  # of two, by one test; of more, one for each
LINES_OF_TEST = 5  # of each further test
FEW_PAIRS = 6  # of more, those with the best are printed
DECIDED = "decision", "better", "worse", "tied", "detectable_difference"
NARROW = 18  # characters of names in a column


def comparison_document(result, draw, remarks=()):
    """Return the Document of a comparison.

    `draw` makes its pictures; `remarks` are sentences on what was compared.
    """
    n_models = len(result.losses.estimator_names)
    n_lines = min(n_models, most_shown(result)) if n_models > 2 else 0
    in_sentences, tabled = for_sentences(result), for_tables(result)
    remarks = (*remarks, names_note(result.losses.estimator_names))
    document = Document(
        _heading(in_sentences),
        title(result),
        partial(_summary, in_sentences, tabled),
        partial(notes, in_sentences, remarks),
        MOST_LINES + n_lines + LINES_OF_TEST * (len(result.tables) - 1),
        report=partial(report_sentences, in_sentences, remarks),
        report_tables=partial(_report_tables, in_sentences, tabled),
        sections=lambda: _sections({"": (result, document)}),
        table=partial(_paper_table, in_sentences, tabled),
        findings=partial(_findings, result, in_sentences),
        rows="pairs",
        pictures=draw,
    )
    return document


def metrics_document(by_metric):
    """Return the Document of {metric: (comparison, its Document)}."""
    results = {name: result for name, (result, _) in by_metric.items()}
    documents = {name: document for name, (_, document) in by_metric.items()}
    in_sentences = {name: for_sentences(result) for name, result in results.items()}
    tabled = {name: for_tables(result) for name, result in results.items()}
    example, words = next(iter(in_sentences.values())), _words_of_metrics(results)
    return Document(
        f"{_heading(example)} by {len(results)} metrics",
        f"{title(example).rpartition(', ')[0]}, by {', '.join(words.values())}",
        lambda: _summary_of_metrics(in_sentences, tabled),
        lambda: _notes_of_metrics(documents),
        MOST_LINES,
        report=lambda: report_of_metrics(
            in_sentences, words, _notes_of_metrics(documents, advice=False)
        ),
        report_tables=lambda: tuple(
            Section(f"By {words[name]}", blocks)
            for name in results
            for blocks in [_report_tables(in_sentences[name], tabled[name])]
            if blocks
        ),
        sections=partial(_sections, by_metric),
        table=partial(_tables_in_one, in_sentences, tabled),
        findings=lambda: {
            "metrics": {
                k: _findings(comparison, in_sentences[k])
                for k, comparison in results.items()
            }
        },
    )


def _words_of_metrics(results):
    """Return what metrics are called in print, {name: word}."""
    return {name: _word(name, result.losses) for name, result in results.items()}


def _notes_of_metrics(documents, **options):
    """Return the notes by several metrics, each once."""
    by_metric = (document.notes(**options) for document in documents.values())
    return list(dict.fromkeys(note for lines in by_metric for note in lines))


def pairs_document(result, pairs):
    """Return the Document of the pairs of a comparison: "best", "all" or a list."""
    blocks = _pairs(for_sentences(result), for_tables(result), pairs)
    return Document(f"Pairs of {result.noun}s", title(result), lambda: blocks)


def title(result):
    """Return what was compared, on which data, how, and in which loss."""
    losses = result.losses
    sample = f" on {counted(losses.n_samples, 'example')}" if losses.n_samples else ""
    compared = f"{len(losses.estimator_names)} {result.noun}s{sample}"
    word = measure_of(losses).word
    return f"{compared}, {design_words(losses.design)}, {word}"


def _heading(result):
    names = result.losses.estimator_names
    if len(names) == 2:
        return f"Comparison of {names[0]} and {names[1]}"
    return f"Comparison of {len(names)} {result.noun}s"


def _summary(in_sentences, tabled):
    """Return the blocks that are printed, and shown first on a page.

    `in_sentences` and `tabled` are the comparison with the names of sentences and of
    tables.
    """
    return (*map(verdict, verdict_lines(in_sentences)), *_by_test(in_sentences, tabled))


def _by_test(in_sentences, tabled):
    """Return the table of the first test, and how the results of all were made."""
    name, *others = tabled.tables
    table, block = tabled.tables[name], models_table(tabled, name)
    if names_pairs_only(tabled, table):
        block = pairs_block(tabled, name, None if len(table) <= FEW_PAIRS else "best")
    lines = [
        design_line(in_sentences, name),
        *(f"{tested(in_sentences, k)}." for k in others),
    ]
    return _titled(tabled, name, block), Sentence(" ".join(lines))


def _titled(result, name, block):
    """Return a table with the name of its test, if there are several."""
    title = short_name(name) if len(result.tables) > 1 else ""
    return replace(block, title=title)


def _tables(in_sentences, tabled, block_of, shows_pairs=False):
    """Return a table for each test, each with how it was made."""
    blocks = []
    for name in tabled.tables:
        method = Sentence(design_line(in_sentences, name, shows_pairs))
        blocks += [_titled(tabled, name, block_of(tabled, name)), method]
    return tuple(blocks)


def _pairs(in_sentences, tabled, pairs):
    block_of = partial(pairs_block, pairs=pairs)
    return _tables(in_sentences, tabled, block_of, shows_pairs=True)


def _summary_of_metrics(in_sentences, tabled):
    """Return a row for each metric, and how it was made."""
    rows = [_row_of_metric(*item) for item in tabled.items()]
    heads = ["metric", "best", "mean", "worse", "not significant", "smallest p"]
    line = _made(in_sentences, marked=False)
    unadjusted = sentences.metrics_not_adjusted(len(tabled))
    about = Sentence(f"{line} {unadjusted}")
    return Table(heads, rows, "<<><<>", label="Metrics"), about


def _word(metric, losses):
    """Return what a metric is called: a word for it, or the user's own name."""
    return measure_of(losses).word if metric == losses.loss_name else metric


def _made(results, **options):
    """Return how the results by several metrics were made, once where all agree."""
    by_line = {}
    for metric, result in results.items():
        line = design_line(result, next(iter(result.tables)), **options)
        by_line.setdefault(line, []).append(_word(metric, result.losses))
    if len(by_line) == 1:
        return next(iter(by_line))
    sentences = (f"{listed(metrics)}: {line}" for line, metrics in by_line.items())
    return " ".join(text[0].upper() + text[1:] for text in sentences)


def _row_of_metric(metric, result):
    verdict, losses = next(iter(verdicts(result).values())), result.losses
    position, measure = ranking_of(losses)[0], measure_of(losses)
    best = losses.estimator_names[position]
    mean = measure.value(losses.mean_losses[position])
    metric, pvalue_text = _word(metric, losses), "-"
    models = next(iter(result.decisions.values()), None)
    if models and models.others:
        row = min(models.others, key=lambda row: row.pvalue)
        pvalue_text = shown_pvalue(row.pvalue, result.alpha, row.is_bound)
    sets = []
    for names in (verdict.worse, [name for name in verdict.tied if name != best]):
        text = ", ".join(names) or "-"
        if len(text) > NARROW:
            text = counted(len(names), result.noun)
        sets.append(text)
    return [metric, best, mean, *sets, pvalue_text]


def _findings(result, in_sentences):
    """Return what JSON says beside the pairs, with the names of sentences."""
    losses, by_test = result.losses, verdicts(result)
    verdict, sign = next(iter(by_test.values())), -1 if losses.is_score else 1
    means = zip(losses.estimator_names, sign * losses.mean_losses, strict=True)
    name = next(iter(by_test))
    decided = {name: getattr(verdict, name) for name in DECIDED}
    models = result.decisions.get(name)
    if _is_clear(models):
        decided["better"] = (models.table.names[models.pivot],)
    return {
        "verdict": " ".join(verdict_lines(in_sentences)),
        **decided,
        "family": "best set" if is_about_set(result, name) else "pairs",
        **_best_of(models),
        "metric": losses.loss_name,
        "greater_is_better": losses.is_score,
        "means": dict(means),
        "design": str(losses.design),
        "test": ", ".join(by_test),
        "alpha": result.alpha,
        "p_adjust": result.table.p_adjust,
        "reference": result.reference,
        "difference": "loss(first) - loss(second); minus scores are losses",
    }


def _is_clear(models):
    """Whether one model is significantly better than all others."""
    if models is None or not models.is_about_best:
        return False
    return all(row.decision == WORSE for row in models.others)


def _best_of(models):
    """Return which models may be the best, and what is decided of each, for JSON."""
    if models is None or models.family != "best set":
        return {}
    names = models.table.names
    rows = [_json_row(models, row) for row in models.rows]
    return {"best": [names[i] for i in models.positions(*TIED)], "models": rows}


def _json_row(models, row):
    """Return a row of a ModelTable; for many models without intervals."""
    table, has_intervals = models.table, len(models.rows) <= MANY
    behind, low, high = models.in_units(row) if has_intervals else (np.nan,) * 3
    ratios = {}
    if table.is_by_ratio and has_intervals:
        columns = "ratio", "ratio_low", "ratio_high"
        values = np.exp([row.effect, *row.interval]).tolist()
        ratios = dict(zip(columns, values, strict=True))
    return {
        "model": table.names[row.position],
        "decision": row.decision,
        "behind": behind,
        "ci_low": low,
        "ci_high": high,
        **ratios,
        "pvalue": row.pvalue,
        "is_bound": row.is_bound,
    }


def _paper_table(in_sentences, tabled):
    name = next(iter(tabled.tables))
    table = models_table(tabled, name, is_whole=True)
    heads = [
        head[0].upper() + head[1:] if head != "p" else "p" for head in table.headers
    ]
    return replace(table, headers=heads, note=design_line(in_sentences, name))


def _report_tables(in_sentences, tabled):
    """Return the tables of a report, of tests of more than one pair, as blocks."""
    return _tables(in_sentences, tabled, models_table) if len(tabled.table) > 1 else ()


def _tables_in_one(in_sentences, tabled):
    """Return the tables of all metrics for a paper in one, one after the other."""
    tables = [
        (_word(k, result.losses), _paper_table(in_sentences[k], result))
        for k, result in tabled.items()
    ]
    _, first = tables[0]
    percent = " (%)"  # of each metric, and so with its name
    rows = [
        [type(row[0])(f"{name}{unit}: {row[0]}"), *row[1:]]
        for name, part in tables
        for unit in [percent * part.headers[1].endswith(percent)]
        for row in part.rows
    ]
    headers = [first.headers[0], "Mean", *first.headers[2:]]
    return replace(first, headers=headers, rows=rows, note=_made(in_sentences))


def candidate_remarks(n_compared, n_searched, n_failed, *, is_race=False):
    """Return which candidates were left out, and why, a tuple of sentences."""
    remarks = []
    if is_race:
        remarks.append(sentences.race_left(n_compared, n_searched))
    elif n_searched is not None:
        remarks.append(sentences.halving_left(n_compared, n_searched))
    if n_failed:
        remarks.append(sentences.not_finite(n_failed))
    return tuple(remarks)


# The page ------------------------------------------------------------------------


def _sections(by_metric):
    """Return the sections of a page: first what was found; the rest is folded.

    `by_metric` are (comparison, its Document) by metric.
    """
    example, _ = next(iter(by_metric.values()))

    def each(part):
        by_metric_blocks = {
            _word(name, of_metric[0].losses): tuple(part(*of_metric))
            for name, of_metric in by_metric.items()
        }
        if len(by_metric_blocks) == 1:
            return next(iter(by_metric_blocks.values()))
        return tuple(
            Section(name, blocks) for name, blocks in by_metric_blocks.items() if blocks
        )

    def pictures(*which):
        return each(lambda _, document: [Pictures(document.pictures, *which)])

    def pairs(result, _):
        tabled = for_tables(result)
        blocks = _pairs(for_sentences(result), tabled, "all")
        return (*blocks, *_letters(tabled))

    return (
        Section("Conclusion", each(lambda _, document: printed_blocks(document))),
        Section("Differences", pictures(0, 1)),
        Section("All pairs", each(pairs), True),
        Section("Other pictures", pictures(1, None), True),
        Section("How to read this", _glossary(example), True),
        Section("What the tests assume", _assumptions(example), True),
        Section("For a paper", each(_paper), True),
    )


def _letters(result):
    """Return the letters as a table, if there are some."""
    letters = shown_letters(result)
    if letters is None:
        return ()
    columns = {result.noun: list(letters), "letters": letters.values()}
    meaning = Sentence(sentences.MEANING_OF_LETTERS)
    return table_of(columns, "Letters", n_left=2), meaning


def _glossary(result):
    """Return what the columns mean, of those that there are, as sentences."""
    tables = result.tables.values()
    is_set = any(is_about_set(result, name) for name in result.tables)
    if all(map(is_bayesian, tables)):
        return (Sentence(sentences.MEANING_OF_POSTERIOR),)
    meaning_of_p = sentences.MEANING_OF_P
    if is_set:
        meaning_of_p = sentences.MEANING_OF_P_OF_BEST
    entries = [Sentence(meaning_of_p), Sentence(sentences.MEANING_OF_RHO)]
    if any(np.isfinite(table.rho_alpha).any() for table in tables):
        entries.append(Sentence(sentences.MEANING_OF_RHO_ALPHA))
    return tuple(entries)


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
    sections = []
    for traits in _kinds(result):
        blocks = [Papers(traits.references)]
        if traits.about:
            blocks.insert(0, Sentence(traits.about))
        sections.append(Section(f"{traits.name}: {traits.title}", tuple(blocks)))
    return tuple(sections)


def _paper(result, document):
    """Return the report, and the papers to cite: the first of each test."""
    papers = (paper for traits in _kinds(result) for paper in traits.references[:1])
    return (
        *document.for_paper(),
        Sentence("To cite:"),
        Papers(tuple(dict.fromkeys(papers))),
        Sentence("A table (LaTeX, with booktabs and graphicx):"),
        Code(latex_table(document.paper_table())),
    )
