"""Tables and sentences of a result, as functions of its tables of pairs.

A result has `losses` (CVLosses), `tables` (a PairTable for each test by name),
`reference` (as it was given) and `reference_position`, `ranking` (positions, the best
first, without failed fits), `alpha`, `p_adjust` and `noun` (what is compared).
"""

import numpy as np
from scipy import stats

from .._advice._study import better_choice
from .._inference._traits import POSTERIOR
from .._pairs._ranking import BEST_SET, compact_letters, why_no_letters
from .._splits._groups import few_groups_note
from ._findings import (
    SEEDS,
    design_words,
    finding,
    is_bayesian,
    other_splits,
    posterior,
    proviso,
    statistic_text,
)
from ._format import (
    format_column,
    format_intervals,
    format_number,
    format_pvalue,
    format_rho_alpha,
    in_brackets,
    interval_title,
    level_text,
    one_line,
    short_names,
)
from ._rho import rho_sentence
from ._rows import MAX_PAIRS, rows_shown, shown_pairs
from ._settled import fewer, repeats_of, settled_note
from ._verdict import verdict_lines
from ._versions import version_sentence

MAX_LETTERS = 100  # estimators
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
    measure = _measure(losses)
    sample = f" on {losses.n_samples} examples" if losses.n_samples else ""
    compared = f"{len(losses.estimator_names)} {result.noun}s{sample}"
    return f"{compared}, {losses.design}{fewer(losses)}, {measure}"


def _measure(losses):
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


# The pairs ---------------------------------------------------------------------------


def interval_text(table, number):
    """Return the simultaneous interval where there is one, else the pair's own."""
    low, high = (ends[number] for ends in table.shown_intervals)
    return f"[{format_number(low)}, {format_number(high)}]"


def adjustment_note(result, table):
    """Return what is adjusted for the number of comparisons, and what is not."""
    subject = "Decisions on pairs are" if result.best_sets else "Decisions are"
    family = f"{table.n_comparisons} comparisons"
    if table.n_comparisons > len(table):  # of candidates
        family = (
            f"the {table.n_comparisons} comparisons of all pairs, because the best was "
            "chosen by the same scores,"
        )
    has_rho = bool(np.isfinite(table.rho_alpha).any())
    rest = f"intervals{' and rho_alpha' * has_rho} are not adjusted"
    if table.ci_low_simultaneous is not None:
        by = "max-t" if table.p_adjust == "max-t" else "Bonferroni"
        rest = f"intervals are simultaneous ({by})"
        if _includes_zero(table):
            rest += " and may include 0 although the difference is significant"
        rest += ", rho_alpha is not adjusted" * has_rho
    return (
        f"{subject} based on p-values adjusted for {family} by "
        f"{METHODS[table.p_adjust]}; {rest}."
    )


def _includes_zero(table):
    """Whether an interval includes 0 where the more powerful adjustment rejects it."""
    low, high = table.shown_intervals
    rejected = table.pvalue_adjusted <= table.alpha
    about_zero = table.test.traits.names_winner and table.test.popmean == 0
    return about_zero and bool(np.any(rejected & (low < 0) & (high > 0)))


def difference_cells(table, numbers):
    """Return differences and their intervals as texts with the same decimals."""
    columns = table.estimate, *table.shown_intervals
    estimates, *ends = format_intervals(*(column[numbers] for column in columns))
    return estimates, in_brackets(*ends)


def test_title(name, table):
    """Return the name of a test, its title, and its ρ if there is only one."""
    is_one = not np.isnan(table.rho[0]) and np.all(table.rho == table.rho[0])
    shown = f", rho = {table.rho[0]:.3g}" if is_one else ""
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


def notes(result):
    """Return sentences on failed fits and on what is not adjusted."""
    losses, lines = result.losses, [*result.remarks]
    names = losses.failed_splits()
    about = few_groups_note(losses.n_groups), settled_note(losses)
    lines += [note for note in about if note]
    if losses.labels_from:
        lines.append(one_line(losses.labels_from))
    if names:
        lines.append(f"Left out because losses are nan: {', '.join(names)}.")
    failed = losses.fit_failed.sum(axis=0)
    n_fits = np.broadcast_to(losses.was_run, losses.fit_failed.shape).sum(axis=0)
    counts = [
        f"{name} {count} of {n}"
        for name, count, n in zip(losses.estimator_names, failed, n_fits, strict=True)
        if count
    ]
    if counts:
        lines.append(f"Failed fits, given error_score: {', '.join(counts)}.")
    table = next(iter(result.tables.values()))
    if is_bayesian(table) and len(table) > 1:
        lines.append(
            "Decisions are based on posterior probabilities, which are not adjusted "
            f"for the number of pairs ({len(table)})."
        )
    elif table.is_adjusted and not shows_set(result):
        lines.append(adjustment_note(result, table))
    advice = better_choice(losses, table.test)
    if advice:
        lines.append(advice)
    n_hidden = len(result.ranking) - result.most_shown
    if n_hidden > 0:
        lines.append(f"{n_hidden} more {result.noun}s are in summary().")
    if result.best_sets and result.reference is None:
        lines.append(
            "Which may be the best is tested one-sided, against the others only, and "
            "may therefore be clearer than the comparisons of pairs."
        )
    if not shows_set(result) and len(rows_shown(result, table)) < len(table):
        shown = "the best"
        if result.reference_position is not None:
            shown = f"the best {result.most_shown}"
        lines.append(
            f"Only pairs with {shown} are shown; to_frame() has all {len(table)}."
        )
    return lines


# Sentences ------------------------------------------------------------------------


def conclusion(losses, table, row):
    """Return the finding of a row, with the condition under which it holds."""
    test = table.test
    if is_bayesian(table):
        return _bayesian_conclusion(table, row)
    significant = row.pvalue_adjusted <= table.alpha
    p = f"p = {format_pvalue(row.pvalue, table.alpha)}"
    if test.alternative != "two-sided":
        p = f"one-sided {p}"
    if table.is_adjusted:
        p += f", adjusted {format_pvalue(row.pvalue_adjusted, table.alpha)}"
    condition = proviso(test, row.rho, significant)
    condition = f"{condition}, " if condition else ""
    text = (
        f"{condition}{finding(test, significant)} at the {100 * table.alpha:g}% level "
        f"({statistic_text(table, row)}, {p})"
    )
    text = text[0].upper() + text[1:]
    if row.winner:
        text += f", in favour of {row.winner}"
    remark = f" {test.traits.remark}" if test.traits.remark else ""
    of_rho, of_seeds = rho_sentence(losses, table, row), _seed_sentence(table, row)
    return f"{text}.{remark}{of_rho}{of_seeds}"


def _seed_sentence(table, row):
    """Return how probable the same decision is with another seed, "" if unknown."""
    probability = row.columns.get(SEEDS, np.nan)
    if np.isnan(probability):
        return ""
    shown = "> 0.999" if probability > 0.999 else f"{probability:.3g}"
    before = " (before adjustment)" if table.is_adjusted else ""
    return (
        f" With {other_splits(table)} the decision{before} would be the same with "
        f"probability {shown}."
    )


def _bayesian_conclusion(table, row):
    """Return the posterior probabilities, and what they decide."""
    found = f"{row.winner} is better" if row.winner else "undecided"
    if row.columns["prob_rope"] >= 1 - table.alpha:
        found = "practically equivalent"
    return (
        f"Posterior probabilities, {statistic_text(table, row)}: "
        f"{posterior(table, row)}. At a probability of {1 - table.alpha:g}: {found}."
    )


def conclusions(result):
    """Return the findings about the only pair, by each test; of many, none."""
    tables = result.tables.values()
    return [
        conclusion(result.losses, table, table.row(0))
        for table in tables
        if len(table) == 1
    ]


def shows_set(result):
    """Whether tables and sentences are about the best set, and not about pairs."""
    return result.reference_is_best and bool(result.best_sets)


def report_sentences(result):
    """Return sentences for a paper."""
    losses = result.losses
    kind, means = mean_values(losses)
    order = np.arange(len(means)) if len(means) <= MAX_PAIRS else result.ranking
    shown = ", ".join(
        f"{losses.estimator_names[position]} {format_number(means[position])}"
        for position in order[:MAX_PAIRS]
    )
    best = f" of the best {MAX_PAIRS}" if len(means) > MAX_PAIRS else ""
    made = _splitter(losses) + _sample(losses)
    shared = {
        "holdout": "over the same split",
        "crossed": "on the same examples",
    }.get(losses.design.kind, "over the same splits")
    whole = "all " if losses.n_splits_run is None else "each pair "
    of = "runs" if losses.design.kind == "crossed" else "splits"
    sentences = [
        *verdict_lines(result),
        f"We compared {len(means)} {result.noun}s by {design_words(losses.design)}"
        f"{fewer(losses)}{made.rstrip(',')}, {whole}{shared}, by the "
        f"{_measure(losses)}. Mean {kind} over {of}{best}: {shown}. "
        + f"A difference is {sign_convention(result).partition(' = ')[2]}"
        * (len(next(iter(result.tables.values()))) == 1),
    ]
    sentences += notes(result)
    if losses.design.kind == "k-fold":  # of others, in the sentence of a pair
        sentences.append(
            "One K-fold cannot show whether another random split would lead to the "
            "same decision."
        )
    for name, table in result.tables.items():
        sentences.append(f"Test: {test_title(name, table)}.")
        if len(table) == 1:
            sentences.append(_pair_sentence(losses, table, 0))
        else:
            sentences += _sentences_of_many(table)
    return [*sentences, version_sentence()]


def _sentences_of_many(table):
    """Return what holds for all pairs of a table: remarks, and up to which ρ."""
    traits, found = table.test.traits, table.rho_alpha[table.significant]
    sentences = [traits.remark] * bool(traits.remark)
    is_known = len(found) and np.isfinite(found).all() and found.min() >= 0
    of_pairs = table.p_adjust != BEST_SET  # rho_alpha is about pairs, two-sided
    if is_known and of_pairs and traits.decides == "difference":
        pairs = "The difference that is"
        if len(found) > 1:
            pairs = "All differences that are"
        before = ", before adjustment," * table.is_adjusted
        sentences.append(
            f"{pairs} significant would be so{before} for any ρ up to rho_alpha = "
            f"{found.min():.3f}."
        )
    seeds = table.columns.get(SEEDS, np.array([np.nan]))
    if np.isfinite(seeds).all():
        least = min(seeds.min(), 0.999)
        sentences.append(
            f"With {other_splits(table)} each decision on a pair"
            f"{', before adjustment,' * table.is_adjusted} would be the same with a "
            f"probability of at least {least:.3g}."
        )
    return sentences


def _splitter(losses):
    """Return what made the splits, with its seed, "" if that is not known."""
    described = losses.cv_description or ""
    return f"{',' * (described[:1] != '(')} {described}," if described else ""


def _sample(losses):
    """Return the sizes of the sample and of its splits, "" if not known."""
    if losses.n_samples is None:
        return ""
    groups = f" in {losses.n_groups} groups" if losses.n_groups else ""
    of = "of" if losses.design.kind == "crossed" else "on"  # runs on one test set
    made = f" {of} {losses.n_samples} examples{groups}"
    if losses.n_train is None or losses.n_test is None:
        return made
    return (
        f"{made} (training on {_range(losses.n_train)}, testing on "
        f"{_range(losses.n_test)})"
    )


def _pair_sentence(losses, table, number):
    row = table.row(number)
    what = f"loss, {row.first} - {row.second}"
    if losses.is_score:
        what = f"score, {row.second} - {row.first}"
    kind = "simultaneous " * (table.ci_low_simultaneous is not None)
    name = "credible" if is_bayesian(table) else "confidence"
    return (
        f"The difference in mean {what}, is {format_number(row.estimate)} "
        f"({kind}{level_text(table)} {name} interval "
        f"{interval_text(table, number)}). {conclusion(losses, table, row)}"
    )


def _range(sizes):
    low, high = sizes.min(), sizes.max()
    return f"{low}" if low == high else f"{low} to {high}"
