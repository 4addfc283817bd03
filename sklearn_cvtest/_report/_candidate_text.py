"""Tables and sentences of a comparison of candidates of a search."""

import numbers
import textwrap

import numpy as np

from ._findings import is_bayesian
from ._format import (
    format_column,
    format_pvalue,
    format_rho_alpha,
    html_table,
    html_text,
    interval_title,
    text_table,
)
from ._text import (
    adjustment_note,
    difference_cells,
    posterior_cells,
    posterior_headers,
    test_title,
    wrap,
)
from ._verdict import verdict_lines

__all__ = [
    "candidate_html",
    "candidate_params",
    "candidate_text",
    "candidate_title",
]

MAX_ROWS = 10
MAX_PARAMS = 60


def candidate_title(result):
    """Return how many candidates were compared, how and by what."""
    return (
        f"{len(result.candidates)} candidates, {result.design}, {result.metric} "
        "(higher is better)"
    )


def candidate_text(result):
    """Return tables and sentences for a terminal."""
    heading = wrap(test_title(_name(result), result.table))
    parts = [*map(wrap, verdict_lines(result)), wrap(candidate_title(result))]
    parts.append(f"{heading}\n{text_table(*_table(result))}")
    return "\n\n".join([*parts, *map(wrap, _sentences(result))])


def candidate_html(result):
    """Return the same as HTML, for a notebook."""
    heading = test_title(_name(result), result.table)
    head = "".join(
        f"<p>{html_text(text)}</p>"
        for text in (*verdict_lines(result), candidate_title(result), heading)
    )
    rest = "".join(f"<p>{html_text(text)}</p>" for text in _sentences(result))
    body = head + html_table(*_table(result)) + rest
    return f'<div class="sklearn-cvtest-comparison">{body}</div>'


def _name(result):
    return " ".join(repr(result.test).split())


# Tables: the best rows only, whatever the number of candidates ----------------------


def _table(result):
    if result.reference is not None:
        return _reference_table(result)
    if len(result.pairs) <= MAX_ROWS:
        return _pair_table(result)
    return _ranking_table(result)


def _result_headers(table):
    headers = ["difference", interval_title(table)]
    if is_bayesian(table):  # p-values decide nothing
        return headers + posterior_headers(table)
    headers += [table.traits.symbol, "p"]
    headers += [f"p ({table.p_adjust})"] * table.is_adjusted
    return headers + ["rho_alpha"] * _shows_rho(table)


def _shows_rho(table):
    return not np.isnan(table.rho_alpha).all()


def _result_cells(table, numbers):
    """Return the cells of each of some pairs, in lists."""
    differences = difference_cells(table, numbers)
    if is_bayesian(table):
        rows = zip(*differences, table.rows(numbers), strict=True)
        return [[*cells, *posterior_cells(table, row)] for *cells, row in rows]
    (statistics,) = format_column(table.statistic[numbers])
    rows = zip(*differences, statistics, table.rows(numbers), strict=True)
    return [
        [
            *cells,
            format_pvalue(row.pvalue, table.alpha),
            *[format_pvalue(row.pvalue_adjusted, table.alpha)] * table.is_adjusted,
            *[format_rho_alpha(row.rho_alpha)] * _shows_rho(table),
        ]
        for *cells, row in rows
    ]


def _reference_table(result):
    table = result.table
    # the reference is the first of every pair
    sides = {"P(first)": "P(worse)", "P(second)": "P(better)"}
    results = [sides.get(header, header) for header in _result_headers(table)]
    headers = ["candidate", f"mean {result.metric}", *results, "parameters"]
    number_of = {other: number for number, (_, other) in enumerate(result.pairs)}
    top = result.by_score()[:MAX_ROWS].tolist()
    if result.reference not in top:
        top = [result.reference, *top]
    compared = [candidate for candidate in top if candidate in number_of]
    cells = _result_cells(table, [number_of[candidate] for candidate in compared])
    cells = dict(zip(compared, cells, strict=True))
    means = result.mean_scores[top]
    (means,) = format_column(means, sizes=means)
    of_reference = ["reference"] + ["-"] * (len(results) - 1)
    rows = [
        [str(candidate), mean, *cells.get(candidate, of_reference), shown]
        for candidate, mean, shown in zip(
            top, means, candidate_params(result, top), strict=True
        )
    ]
    return headers, rows, ">" * (len(headers) - 1) + "<"


def _pair_table(result):
    headers = ["first", "second", *_result_headers(result.table)]
    cells = _result_cells(result.table, np.arange(len(result.pairs)))
    rows = [
        [str(first), str(second), *of_pair]
        for (first, second), of_pair in zip(result.pairs, cells, strict=True)
    ]
    return headers, rows, ">" * len(headers)


def _ranking_table(result):
    top = result.by_score()[:MAX_ROWS]
    headers = ["candidate", f"mean {result.metric}"]
    means = result.mean_scores[top]
    (means,) = format_column(means, sizes=means)
    counts = []
    if result.table.names_winner:
        headers += ["better than", "worse than"]
        counts = _counts(result)
    rows = [
        [
            str(candidate),
            mean,
            *[str(count[candidate]) for count in counts],
            shown,
        ]
        for candidate, mean, shown in zip(
            top.tolist(), means, candidate_params(result, top), strict=True
        )
    ]
    return [*headers, "parameters"], rows, ">" * len(headers) + "<"


def _counts(result):
    """Return how many others each row is significantly better, and worse, than."""
    table, size = result.table, len(result.mean_scores)
    decided = table.winner >= 0
    winner = table.winner[decided]
    loser = (table.first + table.second)[decided] - winner
    rows = result.candidates
    return [np.bincount(rows[side], minlength=size) for side in (winner, loser)]


def candidate_params(result, candidates):
    """Return the parameters of candidates that differ between all, as texts."""
    varying = None
    texts = []
    for candidate in np.asarray(candidates).tolist():
        params = result.params[candidate]
        if isinstance(params, dict):
            varying = _varying(result) if varying is None else varying
            params = ", ".join(
                f"{varying[name]}={_shown(value)}"
                for name, value in params.items()
                if name in varying
            )
        texts.append(textwrap.shorten(str(params), MAX_PARAMS, placeholder=" ..."))
    return texts


def _varying(result):
    """Return {parameter: what to call it} of those that differ between candidates."""
    seen = {}
    for candidate in result.candidates.tolist():
        for name, value in result.params[candidate].items():
            counts = seen.setdefault(name, {})
            counts[repr(value)] = counts.get(repr(value), 0) + 1
    n_rows = len(result.candidates)
    names = [name for name, counts in seen.items() if n_rows not in counts.values()]
    ends = [name.rpartition("__")[2] for name in names]
    return {
        name: name if ends.count(end) > 1 else end
        for name, end in zip(names, ends, strict=True)
    }


def _shown(value):
    """Return a value of a parameter, real numbers with four digits."""
    if isinstance(value, numbers.Integral):
        return str(value)
    return f"{value:.4g}" if isinstance(value, numbers.Real) else repr(value)


# Sentences ----------------------------------------------------------------------------


def _sentences(result):
    table = result.table
    yield _sign_convention(result)
    if table.names_winner:  # of others, the verdict has said how many
        yield _summary(result)
    hidden = _hidden(result)
    if hidden:
        yield hidden
    if table.is_adjusted and not is_bayesian(table):
        yield adjustment_note(table)
    yield from result.remarks


def _sign_convention(result):
    if result.reference is None:
        return (
            "difference = score(second) - score(first): above 0 the second is "
            "better, below 0 the first."
        )
    best = ", the best" if result.reference_is_best else ""
    return (
        f"difference = score(candidate) - score(candidate {result.reference}{best}): "
        f"above 0 the candidate is better than {result.reference}, below 0 worse."
    )


def _summary(result):
    if is_bayesian(result.table):
        return _bayesian_summary(result)
    level = f"at the {100 * result.alpha:g}% level"
    n_pairs, n_found = len(result.pairs), int(result.significant.sum())
    if result.reference is None:
        return f"{n_found} of {n_pairs} pairs differ significantly {level}."
    found = result.directions[result.significant]
    n_worse, n_better = int((found < 0).sum()), int((found > 0).sum())
    better = f"; better: {n_better}" if n_better else ""
    return (
        f"Significantly worse than candidate {result.reference} {level}: {n_worse} "
        f"of {n_pairs} candidates{better}; not told apart from it: "
        f"{n_pairs - n_found}."
    )


def _bayesian_summary(result):
    """Return how many pairs are decided by their posterior probabilities."""
    table = result.table
    probable = f"with at least {100 * (1 - result.alpha):g}% probability"
    n_equal = int((table.columns["prob_rope"] >= 1 - result.alpha).sum())
    n_decided = int((table.winner >= 0).sum())
    equal = f"practically equivalent: {n_equal}"
    rest = f"undecided: {len(table) - n_decided - n_equal}"
    if result.reference is None:
        return f"Better {probable}: {n_decided} of {len(table)} pairs; {equal}; {rest}."
    n_worse = int((table.winner == table.first).sum())
    return (
        f"Worse than candidate {result.reference} {probable}: {n_worse} of "
        f"{len(table)} candidates; better: {n_decided - n_worse}; {equal}; {rest}."
    )


def _hidden(result):
    """Return what the table leaves out."""
    if result.reference is None:
        is_whole = len(result.pairs) <= MAX_ROWS
        return "" if is_whole else f"All {len(result.pairs)} pairs are in to_frame()."
    n_hidden = len(result.candidates) - len(_table(result)[1])
    return f"{n_hidden} more candidates are in to_frame()." if n_hidden > 0 else ""
