"""Sentences of a comparison: what was found, and the paragraph for a paper."""

import numpy as np

from .._advice._study import better_choice
from .._pairs._ranking import BEST_SET
from .._splits._groups import few_groups_note
from ._findings import (
    SEEDS,
    broken_groups_note,
    design_words,
    fewer,
    finding,
    is_bayesian,
    other_splits,
    posterior,
    proviso,
    range_text,
    repeats_of,
    sample_text,
    statistic_text,
)
from ._format import format_column, format_pvalue, level_text, listed, one_line
from ._rho import rho_sentence
from ._rows import MAX_PAIRS, rows_shown
from ._text import (
    MAX_LETTERS,
    METHODS,
    difference_cells,
    equal_notes,
    mean_values,
    measure_words,
    sign_convention,
    test_title,
)
from ._verdict import verdict_lines
from ._versions import version_sentence

LARGEST_LOG = 15.0  # of a probability that is 0 but for rounding to 32 bits, 15.9


def notes(result):
    """Return sentences on failed fits and on what is not adjusted."""
    losses, lines = result.losses, [*result.remarks]
    names = losses.failed_splits()
    found = None
    if len(losses.estimator_names) <= MAX_LETTERS:
        found = result.estimator_intervals()
    lines += [] if found is None else equal_notes(losses, found)
    about = few_groups_note(losses.n_groups), broken_groups_note(losses)
    about += _settled_note(losses), _taken_as(losses)
    lines += [note for note in about if note]
    if losses.labels_from:
        lines.append(one_line(losses.labels_from))
    if names:
        lines.append(f"Left out because losses are nan: {', '.join(names)}.")
    table = next(iter(result.tables.values()))
    lines += filter(None, [_failed_note(losses), _weights_note(losses, table)])
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


def _failed_note(losses):
    """Return how many fits of each estimator failed, "" if none."""
    failed = losses.fit_failed.sum(axis=0)
    n_fits = np.broadcast_to(losses.was_run, losses.fit_failed.shape).sum(axis=0)
    counts = [
        f"{name} {count} of {n}"
        for name, count, n in zip(losses.estimator_names, failed, n_fits, strict=True)
        if count
    ]
    return f"Failed fits, given error_score: {', '.join(counts)}." if counts else ""


def _weights_note(losses, table):
    """Return why two means have another difference than is shown, "" if not."""
    is_plain = losses.design.kind in ("k-fold", "repeated k-fold")
    if table.test.traits.weighs == "splits" or not (is_plain and losses.per_example):
        return ""
    means = losses.mean_losses
    gap = np.abs(table.estimate - (means[table.first] - means[table.second]))
    seen = gap > np.maximum(
        0.01 * np.abs(table.estimate), 0.003 * (table.ci_high - table.ci_low)
    )
    if losses.n_splits_run is not None or not seen.any():
        return ""
    return (
        "A mean is over splits, which are of unequal size; a difference is over "
        f"{table.test.traits.weighs}, and need not be the difference of two means."
    )


def _settled_note(losses):
    """Return which estimators have fewer repeats, "" if none."""
    if losses.n_splits_run is None:
        return ""
    most, by_number = losses.design.n_repeats, {}
    for name, n in zip(losses.estimator_names, repeats_of(losses), strict=True):
        by_number.setdefault(n, []).append(one_line(name))
    del by_number[most]
    after = "; ".join(
        f"{listed(names)} after {n}" for n, names in sorted(by_number.items())
    )
    return (
        "Estimators were not fitted again once all decisions about them were settled: "
        f"{after} of {most} repeats. A pair is compared on the repeats that both have; "
        "a mean over fewer is moved by what the others changed for the rest."
    )


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


def shows_set(result):
    """Whether tables and sentences are about the best set, and not about pairs."""
    return result.reference_is_best and bool(result.best_sets)


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
    of_rho, of_seeds = (
        rho_sentence(losses, table, row),
        _seed_sentence(losses, table, row),
    )
    return f"{text}.{remark}{of_rho}{of_seeds}"


def _seed_sentence(losses, table, row):
    """Return how probable the same decision is with another seed, "" if unknown."""
    probability = row.columns.get(SEEDS, np.nan)
    if np.isnan(probability):
        return ""
    if _may_cost_more(losses, [row.first, row.second]):
        return f" {_not_foreseen(table)}"
    shown = "> 0.999" if probability > 0.999 else f"{probability:.3f}"
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


def report_sentences(result):
    """Return sentences for a paper."""
    losses = result.losses
    kind, means = mean_values(losses)
    order = np.arange(len(means)) if len(means) <= MAX_PAIRS else result.ranking
    order = order[:MAX_PAIRS]
    (texts,) = format_column(means[order], sizes=means[order])
    names = [losses.estimator_names[position] for position in order]
    shown = ", ".join(map(" ".join, zip(names, texts, strict=True)))
    best = f" of the best {MAX_PAIRS}" if len(means) > MAX_PAIRS else ""
    made = _splitter(losses) + _sample(losses)
    shared = {"holdout": "over the same split", "crossed": "on the same examples"}.get(
        losses.design.kind, "over the same splits"
    )
    whole = "all " if losses.n_splits_run is None else "each pair "
    over = f" over {'runs' if losses.design.kind == 'crossed' else 'splits'}"
    over *= losses.design.kind != "holdout"
    measure = measure_words(losses)
    by = "by their" if measure == kind else "by the"
    sentences = [
        *verdict_lines(result),
        f"We compared {len(means)} {result.noun}s by {design_words(losses.design)}"
        f"{fewer(losses)}{made.rstrip(',')}, {whole}{shared}, {by} "
        f"{measure}. Mean {kind}{over}{best}: {shown}. "
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
            sentences += _sentences_of_many(losses, table)
    return [*sentences, version_sentence()]


def _may_cost_more(losses, names):
    """Whether a log loss is of probabilities of 1, of which none was wrong so far.

    Then "> 0.999" was right in 70 to 77% (docs/calibration.md, "Another seed").
    """
    if losses.loss_name not in ("log_loss", "neg_log_loss") or not losses.per_example:
        return False
    columns = [losses.estimator_names.index(name) for name in names]
    values = losses.losses[:, columns]
    return bool(np.nanmin(values) < 1e-15 and np.nanmax(values) < LARGEST_LOG)


def _not_foreseen(table):
    return (
        f"How probable the same decision is with {other_splits(table)} is not known: "
        "probabilities of 1 were given, and none of them was wrong; a single one that "
        "is costs a log loss of 36."
    )


def _sentences_of_many(losses, table):
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
    if np.isfinite(seeds).all() and _may_cost_more(losses, losses.estimator_names):
        sentences.append(_not_foreseen(table))
    elif np.isfinite(seeds).all():
        least = min(seeds.min(), 0.999)
        sentences.append(
            f"With {other_splits(table)} each decision on a pair"
            f"{', before adjustment,' * table.is_adjusted} would be the same with a "
            f"probability of at least {least:.3f}."
        )
    return sentences


def _taken_as(losses):
    """Return that splits of given sizes might be the folds of a K-fold, else ""."""
    sizes = losses.n_test
    if losses.design.kind != "subsample" or losses.cv_description or sizes is None:
        return ""
    are_folds = np.all(losses.n_train + sizes == sizes.sum())
    if losses.split_hash is not None or not are_folds:
        return ""
    return (
        "The splits are taken for random subsamples, as only their sizes were given; "
        f"if they are the folds of one K-fold, pass cv={len(sizes)}."
    )


def _splitter(losses):
    """Return what made the splits, with its seed, "" if that is not known."""
    described = losses.cv_description or ""
    return f"{',' * (described[:1] != '(')} {described}," if described else ""


def _sample(losses):
    """Return the sizes of the sample and of its splits, "" if not known."""
    if losses.n_samples is None:
        return ""
    of = "of" if losses.design.kind == "crossed" else "on"  # runs on one test set
    made = f" {of} {sample_text(losses)}"
    if losses.n_train is None or losses.n_test is None:
        return made
    return (
        f"{made} (training on {range_text(losses.n_train)}, testing on "
        f"{range_text(losses.n_test)})"
    )


def _pair_sentence(losses, table, number):
    row = table.row(number)
    (estimate,), (interval,) = difference_cells(table, [number])
    what = f"loss, {row.first} - {row.second}"
    if losses.is_score:
        what = f"score, {row.second} - {row.first}"
    kind = "simultaneous " * (table.ci_low_simultaneous is not None)
    name = "credible" if is_bayesian(table) else "confidence"
    return (
        f"The difference in mean {what}, is {estimate} ({kind}{level_text(table)} "
        f"{name} interval {interval}). {conclusion(losses, table, row)}"
    )
