"""The document of a comparison: what it says, in print, on a page and in a paper."""

from dataclasses import replace
from functools import partial

import numpy as np

from .._pairs._model_table import Decision, is_about_set
from .._pairs._ranking import BEST_SET, ranking_of
from .._pairs._ratios import ends_of_ratios
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
from ._findings import design_words, sample_text
from ._format import capitalised, counted, join_names, short_name, shown_pvalue
from ._glossary import assumptions, glossary, traits_of_tests
from ._metric_format import metric_format_of
from ._models_block import models_table, pairs_block, shown_letters
from ._notes import design_line, notes, title_of_test
from ._paragraph import metrics_not_adjusted, report_of_metrics, report_sentences
from ._printed_names import names_note, printed_forms
from ._shown_pairs import most_shown
from ._verdict import verdict_lines, verdicts

MOST_LINES = 12  # of two, by one test; of more, one for each
LINES_OF_TEST = 5  # of each further test


def comparison_document(result, draw, remarks=()):
    """Return the Document of a comparison.

    `draw` makes its pictures; `remarks` are sentences on what was compared.
    """
    n_models = len(result.losses.estimator_names)
    n_lines = min(n_models, most_shown(result)) if n_models > 2 else 0
    in_sentences, tabled = printed_forms(result)
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
    results = {}
    in_sentences = {}
    tabled = {}
    words = {}
    for name, (result, _) in by_metric.items():
        results[name] = result
        in_sentences[name], tabled[name] = printed_forms(result)
        words[name] = _word(name, result.losses)
    example = next(iter(in_sentences.values()))
    without_metric, _, _ = title(example).rpartition(", ")

    def report():
        remarks = _notes_of_metrics(by_metric, advice=False)
        return report_of_metrics(in_sentences, words, remarks)

    def report_tables():
        sections = []
        for name in results:
            blocks = _report_tables(in_sentences[name], tabled[name])
            if blocks:
                sections.append(Section(f"By {words[name]}", blocks))
        return tuple(sections)

    def findings():
        metrics = {}
        for name, result in results.items():
            metrics[name] = _findings(result, in_sentences[name])
        return {"metrics": metrics}

    return Document(
        f"{_heading(example)} by {len(results)} metrics",
        f"{without_metric}, by {', '.join(words.values())}",
        partial(_summary_of_metrics, in_sentences, tabled),
        partial(_notes_of_metrics, by_metric),
        MOST_LINES,
        report=report,
        report_tables=report_tables,
        sections=partial(_sections, by_metric),
        table=partial(_tables_in_one, in_sentences, tabled),
        findings=findings,
    )


def _notes_of_metrics(by_metric, **options):
    """Return the notes by several metrics, each once."""
    lines = []
    for _, document in by_metric.values():
        lines += document.notes(**options)
    return list(dict.fromkeys(lines))


def pairs_document(result, pairs):
    """Return the Document of the pairs of a comparison: "best", "all" or a list."""
    blocks = _pairs(*printed_forms(result), pairs)
    return Document(f"Pairs of {result.noun}s", title(result), lambda: blocks)


def title(result):
    """Return what was compared, on which data, how, and in which loss."""
    losses = result.losses
    compared = f"{len(losses.estimator_names)} {result.noun}s"
    sample = sample_text(losses)
    if sample:
        compared += f" on {sample}"
    word = metric_format_of(losses).word
    return f"{compared}, {design_words(losses.design)}, {word}"


def _heading(result):
    names = result.losses.estimator_names
    if len(names) == 2:
        return f"Comparison of {names[0]} and {names[1]}"
    return f"Comparison of {len(names)} {result.noun}s"


def _summary(in_sentences, tabled):
    """Return the blocks that are printed, and shown first on a page.

    Verdicts, the table of the first test, and how the results of all were made.
    `in_sentences` and `tabled` are the comparison with the names of sentences and of
    tables.
    """
    blocks = [verdict(line) for line in verdict_lines(in_sentences)]
    name, *others = tabled.tables
    table = tabled.tables[name]
    if name in tabled.decisions:
        block = models_table(tabled, name)
        n_rows = len(table.names)
    else:
        pairs = None if len(table) <= 6 else "best"  # of more than six, with the best
        block = pairs_block(tabled, name, pairs)
        n_rows = len(table)
    lines = [design_line(in_sentences, name)]
    lines += [f"{title_of_test(in_sentences, other)}." for other in others]
    lines += _left_out(n_rows, block)
    return (*blocks, _titled(tabled, name, block), Sentence(" ".join(lines)))


def _left_out(n_rows, block):
    """Return where the rows are that a table leaves out, a list of sentences."""
    n_hidden = n_rows - len(block.rows)
    if n_hidden <= 0:
        return []
    verb = "is" if n_hidden == 1 else "are"
    return [f"{n_hidden} more {verb} in to_frame()."]


def _titled(result, name, block):
    """Return a table with the name of its test, if there are several."""
    title = short_name(name) if len(result.tables) > 1 else ""
    return replace(block, title=title)


def _tables(in_sentences, tabled, block_of, n_rows, shows_pairs=False):
    """Return a table of so many rows for each test, each with how it was made."""
    blocks = []
    for name in tabled.tables:
        block = block_of(tabled, name)
        lines = [design_line(in_sentences, name, shows_pairs)]
        lines += _left_out(n_rows, block)
        blocks += [_titled(tabled, name, block), Sentence(" ".join(lines))]
    return tuple(blocks)


def _pairs(in_sentences, tabled, pairs):
    block_of = partial(pairs_block, pairs=pairs)
    n_rows = len(tabled.losses.estimator_names) - 1 if pairs == "best" else 0
    return _tables(in_sentences, tabled, block_of, n_rows, shows_pairs=True)


def _summary_of_metrics(in_sentences, tabled):
    """Return a row for each metric, and how it was made."""
    rows = [_row_of_metric(metric, result) for metric, result in tabled.items()]
    heads = ["metric", "best", "mean", "worse", "not significant", "smallest p"]
    if next(iter(tabled.values())).table.is_bayesian:
        heads = [*heads[:-2], "undecided"]
    table = Table(heads, rows, "<<><<>"[: len(heads)], label="Metrics")
    method = _methods_text(in_sentences, marked=False)
    not_adjusted = metrics_not_adjusted(tabled)
    return table, Sentence(f"{method} {not_adjusted}")


def _word(metric, losses):
    """Return what a metric is called: a word for it, or the user's own name."""
    return metric_format_of(losses).word if metric == losses.loss_name else metric


def _methods_text(results, **options):
    """Return how the results by several metrics were made, once where all agree."""
    metrics_by_line = {}
    for metric, result in results.items():
        line = design_line(result, next(iter(result.tables)), **options)
        metrics_by_line.setdefault(line, []).append(_word(metric, result.losses))
    if len(metrics_by_line) == 1:
        return next(iter(metrics_by_line))
    texts = []
    for line, metrics in metrics_by_line.items():
        texts.append(capitalised(f"{join_names(metrics)}: {line}"))
    return " ".join(texts)


def _row_of_metric(metric, result):
    """Return the cells of a metric: the best, its mean, who is worse or tied, p."""
    losses = result.losses
    verdict_on_models, *_ = verdicts(result).values()
    position = ranking_of(losses)[0]
    best = losses.estimator_names[position]
    mean = metric_format_of(losses).value(losses.mean_losses[position])
    pvalue_text = "-"
    models = next(iter(result.decisions.values()), None)
    if models and models.others:
        row = min(models.others, key=lambda row: row.pvalue)
        pvalue_text = shown_pvalue(row.pvalue, result.alpha)
    tied = [name for name in verdict_on_models.tied if name != best]
    row = [
        _word(metric, losses),
        best,
        mean,
        _names_or_number(verdict_on_models.worse, result.noun),
        _names_or_number(tied, result.noun),
    ]
    return row if result.table.is_bayesian else [*row, pvalue_text]


def _names_or_number(names, noun):
    """Return names for a column, of more than 18 characters their number."""
    text = ", ".join(names) or "-"
    return counted(len(names), noun) if len(text) > 18 else text


def _findings(result, in_sentences):
    """Return what JSON says beside the pairs, with the names of sentences."""
    losses = result.losses
    by_test = verdicts(result)
    name, verdict_on_models = next(iter(by_test.items()))
    means = -losses.mean_losses if losses.is_score else losses.mean_losses
    models = result.decisions.get(name)
    is_of_set = is_about_set(result, name)
    better = verdict_on_models.better
    if _is_clear(models):
        better = (models.table.names[models.reference],)
    return {
        "verdict": " ".join(verdict_lines(in_sentences)),
        "decision": verdict_on_models.decision,
        "better": better,
        "worse": verdict_on_models.worse,
        "tied": verdict_on_models.tied,
        "detectable_difference": verdict_on_models.detectable_difference,
        "family": "best set" if is_of_set else "pairs",
        **_best_of(models),
        "metric": losses.loss_name,
        "greater_is_better": losses.is_score,
        "means": dict(zip(losses.estimator_names, means, strict=True)),
        "design": str(losses.design),
        "test": ", ".join(by_test),
        "alpha": result.alpha,
        "p_adjust": BEST_SET if is_of_set else result.table.p_adjust,
        "p_adjust_of_pairs": result.table.p_adjust,
        "reference": result.reference,
        "difference": "loss(first) - loss(second); minus scores are losses",
    }


def _is_clear(models):
    """Whether one model is significantly better than all others."""
    if models is None or not models.is_about_best:
        return False
    return all(row.decision == Decision.WORSE for row in models.others)


def _best_of(models):
    """Return which models may be the best, and what is decided of each, for JSON."""
    if models is None or models.family != "best set":
        return {}
    names = models.table.names
    rows = [_json_row(models, row) for row in models.rows]
    best = [names[position] for position in models.positions(*Decision.TIED)]
    return {"best": best, "models": rows}


def _json_row(models, row):
    """Return a row of a ModelTable."""
    behind, low, high = row.difference
    ratios = {}
    if models.table.is_by_ratio:
        ratio_low, ratio_high = map(float, ends_of_ratios(row.low, row.high))
        ratio = float(np.exp(row.effect))
        ratios = {"ratio": ratio, "ratio_low": ratio_low, "ratio_high": ratio_high}
    return {
        "model": models.table.names[row.position],
        "decision": row.decision,
        "behind": behind,
        "ci_low": low,
        "ci_high": high,
        **ratios,
        "pvalue": row.pvalue,
    }


def _paper_table(in_sentences, tabled):
    """Return the table of all models by the first test, for a paper."""
    name = next(iter(tabled.tables))
    table = models_table(tabled, name, is_whole=True)
    heads = []
    for head in table.headers:
        heads.append("p" if head == "p" else capitalised(head))
    return replace(table, headers=heads, note=design_line(in_sentences, name))


def _report_tables(in_sentences, tabled):
    """Return the tables of a report, of tests of more than one pair, as blocks."""
    if len(tabled.table) == 1:
        return ()
    n_models = len(tabled.losses.estimator_names)
    return _tables(in_sentences, tabled, models_table, n_models)


def _tables_in_one(in_sentences, tabled):
    """Return the tables of all metrics for a paper in one, one after the other."""
    tables = []
    rows = []
    for metric, result in tabled.items():
        table = _paper_table(in_sentences[metric], result)
        tables.append(table)
        word = _word(metric, result.losses)
        if table.headers[1].endswith(" (%)"):  # of each metric, and so with its name
            word += " (%)"
        for model, *cells in table.rows:
            text_type = type(model)  # in bold, or not
            rows.append([text_type(f"{word}: {model}"), *cells])
    first = tables[0]
    headers = [first.headers[0], "Mean", *first.headers[2:]]
    note = _methods_text(in_sentences)
    return replace(first, headers=headers, rows=rows, note=note)


def candidate_remarks(n_compared, n_searched, n_failed):
    """Return which candidates were left out, and why, a tuple of sentences."""
    remarks = []
    if n_searched is not None:
        remarks.append(
            f"Successive halving: {n_compared} of {n_searched} candidates reached the "
            "last iteration and are compared; the others were scored on smaller "
            "samples."
        )
    if n_failed:
        candidates = counted(n_failed, "candidate")
        remarks.append(f"Left out: {candidates} with scores that are not finite.")
    return tuple(remarks)


# The page ------------------------------------------------------------------------


def _sections(by_metric):
    """Return the sections of a page: first what was found; the rest is folded.

    `by_metric` are (comparison, its Document) by metric.
    """
    example, _ = next(iter(by_metric.values()))

    def by_each(blocks_of):
        """Return blocks of each metric, in sections if there are several metrics."""
        sections = []
        for name, (result, document) in by_metric.items():
            blocks = tuple(blocks_of(result, document))
            if len(by_metric) == 1:
                return blocks
            if blocks:
                sections.append(Section(_word(name, result.losses), blocks))
        return tuple(sections)

    def conclusion(result, document):
        return printed_blocks(document)

    def first_picture(result, document):
        return [Pictures(document.pictures, 0, 1)]

    def other_pictures(result, document):
        return [Pictures(document.pictures, 1)]

    def all_pairs(result, document):
        in_sentences, tabled = printed_forms(result)
        return (*_pairs(in_sentences, tabled, "all"), *_letters(tabled))

    return (
        Section("Conclusion", by_each(conclusion)),
        Section("Differences", by_each(first_picture)),
        Section("All pairs", by_each(all_pairs), is_folded=True),
        Section("Other pictures", by_each(other_pictures), is_folded=True),
        Section("How to read this", glossary(example), is_folded=True),
        Section("What the tests assume", assumptions(example), is_folded=True),
        Section("For a paper", by_each(_paper), is_folded=True),
    )


def _letters(result):
    """Return the letters as a table, if there are some."""
    letters = shown_letters(result)
    if letters is None:
        return ()
    columns = {result.noun: list(letters), "letters": letters.values()}
    meaning = "Models that share a letter do not differ significantly."
    return table_of(columns, "Letters", n_left=2), Sentence(meaning)


def _paper(result, document):
    """Return the report, and the papers to cite: the first of each test."""
    papers = []
    for traits in traits_of_tests(result):
        papers += traits.references[:1]
    return (
        *document.for_paper(),
        Sentence("To cite:"),
        Papers(tuple(dict.fromkeys(papers))),
        Sentence("A table (LaTeX, with booktabs and graphicx):"),
        Code(latex_table(document.paper_table())),
    )
