"""Tables and sentences of a result, as functions of its tables of pairs.

A result has `losses` (CVLosses), `tables` (a PairTable for each test by name),
`reference` (as it was given) and `reference_position`, `ranking` (positions, the best
first, without failed fits), `alpha`, `p_adjust` and `noun` (what is compared).
"""

import numpy as np
from scipy import stats

from .._inference._traits import POSTERIOR
from .._pairs._ranking import compact_letters, why_no_letters
from ._findings import fewer, is_bayesian, repeats_of
from ._format import (
    format_column,
    format_intervals,
    format_pvalue,
    format_rho_alpha,
    in_brackets,
    interval_title,
    listed,
    short_names,
)
from ._rows import shown_pairs

MAX_LETTERS = 100  # estimators
KNOWN = (
    "is the same: the interval is Clopper and Pearson's, of the examples that this "
    "rests on (the rarest class, for a metric of classes)."
)
UNKNOWN = (
    "is the same, and how far it may be from that on other examples is not known: the "
    "interval is the whole range."
)
MAX_NAME = 40  # characters of a name in tables of pairs
METHODS = {
    "holm": "Holm's method",
    "bonferroni": "Bonferroni's method",
    "hochberg": "Hochberg's method",
    "fdr_bh": "the method of Benjamini and Hochberg (false discovery rate)",
    "max-t": "the max-t method",
}


def title(result):
    """Return what was compared, on which data, how, and in which loss."""
    losses = result.losses
    measure = measure_words(losses)
    sample = f" on {losses.n_samples} examples" if losses.n_samples else ""
    compared = f"{len(losses.estimator_names)} {result.noun}s{sample}"
    return f"{compared}, {losses.design}{fewer(losses)}, {measure}"


def measure_words(losses):
    """Return what was measured, such as "loss zero_one"."""
    kind, _ = mean_values(losses)
    name = losses.loss_name.removeprefix("test_")
    weighted = ", weighted by sample_weight" * losses.is_weighted
    return (kind if name == kind else f"{kind} {name}") + weighted


def mean_values(losses):
    """Return the name of what is averaged over splits, and its means."""
    if losses.is_score:
        return "score", -losses.mean_losses
    return "loss", losses.mean_losses


# The estimators --------------------------------------------------------------------


def estimator_rows(result):
    """Return a dict for each estimator, by mean loss, failed ones last."""
    losses = result.losses
    blocks = losses.block_losses[losses.design.full]
    _, means = mean_values(losses)
    ddof = min(1, len(blocks) - 1)
    deviations = np.std(blocks, axis=0, ddof=ddof, where=losses.was_run)
    seconds = losses.fit_time.sum(axis=0, where=losses.was_run)
    finite = np.where(np.isfinite(means), losses.mean_losses, np.nan)
    ranks, repeats = (
        stats.rankdata(finite, "min", nan_policy="omit"),
        repeats_of(losses),
    )
    return [
        {
            "estimator": losses.estimator_names[column],
            "mean": means[column],
            "std": deviations[column],
            "fit_seconds": seconds[column],
            "rank": ranks[column],
        }
        | ({} if repeats is None else {"n_repeats": repeats[column]})
        for column in np.argsort(ranks, kind="stable")
    ]


def shown_letters(result, most=np.inf):
    """Return letters by estimator if there is one set of them, else None."""
    table, *others = result.tables.values()
    if others or len(table) < 2 or len(result.ranking) > most:
        return None
    if why_no_letters(table.test, result.reference):
        return None
    letters = compact_letters(table, result.ranking)
    names = [table.names[position] for position in result.ranking]
    return dict(zip(names, letters, strict=True))


def estimator_table(result):
    """Return headers, rows and alignment of the table of estimators."""
    names = result.losses.estimator_names
    rows = estimator_rows(result)[: result.most_shown]
    is_timed = any(np.isfinite(row["fit_seconds"]) for row in rows)
    intervals = _interval_cells(result)
    headers = [result.noun, f"mean {mean_values(result.losses)[0]}"]
    headers += [f"{100 * (1 - result.alpha):g}% interval"] * bool(intervals)
    has_fewer = result.losses.n_splits_run is not None
    headers += ["repeats"] * has_fewer + ["fit seconds"] * is_timed
    align = "<" + ">" * (len(headers) - 1)
    if len(rows) == 2:  # in the order of the pair
        rows.sort(key=lambda row: names.index(row["estimator"]))
    means = [row["mean"] for row in rows]
    (means,) = format_column(means, sizes=means)
    (seconds,) = format_column([row["fit_seconds"] for row in rows], digits=3)
    cells = [
        [
            row["estimator"],
            mean,
            *intervals.get(row["estimator"], []),
            *([str(row["n_repeats"])] if has_fewer else []),
            *[fit_seconds] * is_timed,
        ]
        for row, mean, fit_seconds in zip(rows, means, seconds, strict=True)
    ]
    letters = shown_letters(result, MAX_LETTERS)
    if letters is None:
        return headers, cells, align
    for row, line in zip(rows, cells, strict=True):
        line.insert(1, letters.get(row["estimator"]) or "-")
    return [headers[0], "letters", *headers[1:]], cells, "<" + align


def _interval_cells(result):
    """Return the interval of each estimator alone in a list, {} if there is none."""
    losses = result.losses
    if len(losses.estimator_names) > MAX_LETTERS:
        return {}
    found = result.estimator_intervals()
    if found is None:
        return {}
    lows, highs = format_column(
        found.ci_low, found.ci_high, sizes=found.ci_high - found.ci_low
    )
    cells = zip(found.names, in_brackets(lows, highs), strict=True)
    return {name: [interval] for name, interval in cells}


def equal_notes(losses, found):
    """Return what intervals of models are that do not differ between test sets.

    Parameters
    ----------
    losses : CVLosses
        The losses.
    found : EstimatorIntervals
        Their intervals.

    Returns
    -------
    notes : list of str
        A sentence on those that are known, and one on the others.
    """
    low, high = np.sort(np.multiply(losses.value_range, -1 if losses.is_score else 1))
    is_equal = found.standard_error == 0
    is_whole = np.isclose(found.ci_low, low) & np.isclose(found.ci_high, high)
    kinds = (is_equal & ~is_whole, KNOWN), (is_equal & is_whole, UNKNOWN)
    return [
        f"In all test sets {losses.loss_name} of "
        f"{listed([found.names[i] for i in np.flatnonzero(mask)])} {meaning}"
        for mask, meaning in kinds
        if mask.any()
    ]


# The pairs ---------------------------------------------------------------------------


def difference_cells(table, numbers):
    """Return differences and their intervals as texts with the same decimals."""
    columns = table.estimate, *table.shown_intervals
    estimates, *ends = format_intervals(*(column[numbers] for column in columns))
    return estimates, in_brackets(*ends)


def test_title(name, table):
    """Return the name of a test, its title, and its ρ if there is only one."""
    is_one = not np.isnan(table.rho[0]) and np.all(table.rho == table.rho[0])
    shown = f", rho = {table.rho[0]:.3g}" if is_one else ""
    if table.traits.symbol.endswith("(0)"):  # at another ρ than p
        shown += " on average" * bool(is_one) + f"; {table.traits.symbol} is z at ρ = 0"
    return f"{name}: {table.traits.title}{shown}"


def test_table(result, name):
    """Return headers, rows and alignment of the results of a test."""
    table, numbers = shown_pairs(result, result.tables[name])
    by_probability = is_bayesian(table)  # then p-values decide nothing
    shows_p = not by_probability
    shows_adjusted = shows_p and table.is_adjusted
    shows_rho = shows_p and not np.isnan(table.rho_alpha).all()
    headers = ["first", "second", "difference", interval_title(table)]
    headers += [table.traits.symbol, "p"] * shows_p
    headers += [f"p ({table.p_adjust})"] * shows_adjusted
    headers += ["rho_alpha"] * shows_rho + posterior_headers(table) + ["better"]
    shown = short_names(table.names, MAX_NAME)
    cells = *difference_cells(table, numbers), *format_column(table.statistic[numbers])
    rows = [
        [
            shown[table.first[number]],
            shown[table.second[number]],
            estimate,
            interval,
            *[statistic, shown_p(table, row.pvalue)] * shows_p,
            *[shown_p(table, row.pvalue_adjusted)] * shows_adjusted,
            *[format_rho_alpha(row.rho_alpha)] * shows_rho,
            *posterior_cells(table, row),
            _better(table, number, shown),
        ]
        for number, *texts in zip(numbers.tolist(), *cells, strict=True)
        for row, (estimate, interval, statistic) in [(table.row(number), texts)]
    ]
    return headers, rows, "<<" + ">" * (len(headers) - 3) + "<"


def shown_p(table, pvalue):
    return format_pvalue(pvalue, table.alpha)


def posterior_headers(table):
    """Return the titles of the columns of posterior probabilities, if there are."""
    if not is_bayesian(table):
        return []
    equal = ["P(equivalent)"] if table.test.traits.region else []
    return ["P(first)", *equal, "P(second)"]


def posterior_cells(table, row):
    """Return their cells in a row."""
    titles = "P(first)", "P(equivalent)", "P(second)"
    names = dict(zip(titles, POSTERIOR, strict=True))
    return [f"{row.columns[names[title]]:.3f}" for title in posterior_headers(table)]


def _better(table, number, shown):
    if is_bayesian(table) and table.columns["prob_rope"][number] >= 1 - table.alpha:
        return "equivalent"
    winner = table.winner[number]
    return shown[winner] if winner >= 0 else "-"


def sign_convention(result):
    """Return what the sign of a difference means."""
    text = "difference = loss(first) - loss(second): "
    if result.losses.is_score:
        text = "difference = score(second) - score(first): "
    table = next(iter(result.tables.values()))
    if len(table) > 1:
        return text + "above 0 the second is better, below 0 the first."
    row = table.row(0)
    return text + f"above 0, {row.second} is better; below 0, {row.first} is."
