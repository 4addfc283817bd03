"""What else is said of a comparison: how it was made, and what a reader must know."""

import numpy as np

from .._pairs._models import MANY, TIED, is_about_set
from .._pairs._ranking import BEST_SET, ranking_of
from .._splits._groups import few_groups_note
from ._findings import (
    breaks_groups,
    broken_groups_note,
    design_words,
    posterior,
    proviso,
    range_text,
    sample_text,
    statistic_text,
)
from ._format import are, format_rho_alpha, listed, one_line, software_sentence
from ._measure import measure_of, minus, users_ends
from ._rows import most_shown
from ._words import names_pairs_only, short_name, verdict_lines

METHODS = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "hochberg": "Hochberg",
    "fdr_bh": "Benjamini–Hochberg",
    "max-t": "max-t",
}
CONCERNS = {
    "algorithms": "",
    "models": "about these fitted models",
    "runs": "for new runs on new examples",
    "forecasts": "about these forecasts",
}
KNOWN = (
    "The {metric} is identical in all test sets for {names}; the interval is "
    "Clopper–Pearson."
)
UNKNOWN = (
    "The {metric} is identical in all test sets for {names}; the interval is the whole "
    "range."
)
ONE_SPLIT = "A single K-fold does not show how much the split matters."
WORDS = 120  # of a paragraph on two
FEW_GROUPS = "With only {} groups, p-values and intervals can be far off."
RARE = " With rare classes, use ROC AUC or log loss."
IMBALANCED = 0.7  # the share of a class from which on others are rare


def design_line(result, name, shows_pairs=False):
    """Return how the results were made: design, sample, test, adjustment."""
    losses, table = result.losses, result.tables[name]
    design = design_words(losses.design)
    sample = sample_text(losses)
    about = CONCERNS[table.test.traits.concerns]
    if losses.n_groups is not None and not breaks_groups(losses):
        about = about or "for new groups"
    made = ", ".join(filter(None, [design, sample, about]))
    line = f"{made[0].upper()}{made[1:]}; {tested(result, name)}."
    marks = "" if shows_pairs else _marks(result, name)
    return " ".join(filter(None, [line, _family(result, name, shows_pairs), marks]))


def tested(result, name):
    """Return what a test is, and the ρ that it assumes."""
    table = result.tables[name]
    rho = table.rho[0] if np.all(table.rho == table.rho[0]) else np.nan
    assumed = f", ρ = {rho:.3g}" if table.test.traits.rho_is_assumed else ""
    return f"{short_name(name)}: {table.traits.title}{assumed}"


def _family(result, name, shows_pairs=False):
    """Return what p-values and intervals are adjusted for."""
    table, n = result.tables[name], result.tables[name].n_comparisons
    if table.test.traits.decides == "posterior":
        many = len(table) > 1
        return f"Probabilities are not adjusted for {len(table)} pairs." if many else ""
    is_set = not shows_pairs and is_about_set(result, name)
    if is_set or table.p_adjust == BEST_SET:
        return "p is one-sided, against all others; intervals hold simultaneously."
    if not table.is_adjusted:
        return "p-values and intervals are not adjusted." if len(table) > 1 else ""
    intervals = "intervals are not"
    if table.ci_low_simultaneous is not None:
        by = "max-t" if table.p_adjust == "max-t" else "Bonferroni"
        intervals = f"intervals are simultaneous ({by})"
        if _includes_zero(table):
            intervals += " and may include 0 where p is significant"
    method = METHODS[table.p_adjust]
    return f"p-values are adjusted for {n} comparisons ({method}); {intervals}."


def _includes_zero(table):
    """Whether an interval includes 0 where the more powerful adjustment rejects it."""
    low, high = table.shown_intervals
    about_zero = table.test.traits.names_winner and table.test.popmean == 0
    return about_zero and bool(np.any(table.significant & (low < 0) & (high > 0)))


def _marks(result, name):
    """Return what the mark means, "" if there is none."""
    if names_pairs_only(result, result.tables[name]):
        return ""
    models = result.decisions[name]
    if len(models.rows) < 3 or len(models.positions(*TIED)) < 1:
        return ""
    if models.table.test.traits.decides == "posterior":
        probability = f"{100 * (1 - models.table.alpha):g}% probability"
        return f"† neither better nor worse with {probability}."
    if models.is_about_best:
        return "† not significantly worse than the best."
    if not [row for row in models.others if row.decision in TIED]:
        return ""
    return f"† not significantly different from {models.table.names[models.pivot]}."


def notes(result, remarks=(), *, advice=True):
    """Return what a reader must know, the most important first.

    `remarks` are sentences on what was compared; `advice` says what a reader may want
    to do, which is nothing for a paper.
    """
    losses, found = result.losses, None
    if len(losses.estimator_names) <= MANY:
        found = result.estimator_intervals()
    lines = [broken_groups_note(losses)]
    if few_groups_note(losses.n_groups):
        lines.append(FEW_GROUPS.format(losses.n_groups))
    lines += [*_failed_notes(losses), *remarks]
    n_hidden = len(ranking_of(result.losses)) - most_shown(result)
    if advice and n_hidden > 0:
        lines.append(f"{n_hidden} more {result.noun}s are in summary().")
    lines.append(_taken_as(losses) if advice else "")
    if losses.labels_from:
        lines.append(one_line(losses.labels_from))
    if found is not None:
        lines += equal_notes(losses, found)
        if not _is_constant(losses, result.reference):  # else the table is about it
            lines.append(_constant_note(losses, found, advice))
    return [line for line in lines if line]


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
        text.format(
            metric=measure_of(losses).word,
            names=listed([found.names[i] for i in np.flatnonzero(mask)]),
        )
        for mask, text in kinds
        if mask.any()
    ]


def _is_constant(losses, name):
    """Whether a model, if any, is as good as a constant prediction."""
    if name is None or losses.of_constant is None:
        return False
    mean = losses.mean_losses[losses.estimator_names.index(name)]
    return np.isclose(mean, losses.of_constant, rtol=1e-3)


def _constant_note(losses, found, advice):
    """Return who is not clearly better than a constant prediction, else ""."""
    if losses.of_constant is None:
        return ""
    highs = -found.ci_low if losses.is_score else found.ci_high
    no_better = [found.names[k] for k in np.flatnonzero(highs >= losses.of_constant)]
    if not no_better:
        return ""
    measure = measure_of(losses)
    said, instead = "mean", ""
    if measure.is_share:
        said = "most frequent class"
        share = -losses.of_constant if losses.is_score else 1 - losses.of_constant
        instead = RARE * (advice and share >= IMBALANCED)
    elif "absolute" in measure.word:
        said = "median"
    gives = f"{measure.value(losses.of_constant)} {measure.word}"
    if not measure.is_share:
        article = "an" if measure.word[0] in "aeiouR" else "a"
        gives = f"{article} {measure.word} of {measure.value(losses.of_constant)}"
    who = f"{listed(no_better)} {are(no_better)} not"
    if len(no_better) == len(found.names) == 2:
        who = "neither is"
    return f"Predicting the {said} gives {gives}; {who} clearly better.{instead}"


def _failed_notes(losses):
    """Yield who is left out, and which losses are an `error_score`."""
    left_out = losses.failed_splits()
    failed, n = losses.fit_failed.sum(axis=0), len(losses.fit_failed)
    counts = dict(zip(losses.estimator_names, failed.tolist(), strict=True))
    why = {name: f"{counts[name]} of {n} fits failed" for name in counts}
    gone = [f"{name} ({why[name] if counts[name] else 'nan'})" for name in left_out]
    if gone:
        yield f"Left out: {', '.join(gone)}."
    kept = [
        f"{name} {counts[name]} of {n}"
        for name in counts.keys() - left_out.keys()
        if counts[name]
    ]
    if kept:
        yield f"Failed fits, given error_score: {', '.join(sorted(kept))}."


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
    if not seen.any():
        return ""
    return (
        "Means average splits of unequal size and differences average "
        f"{table.test.traits.weighs}, so they may disagree slightly."
    )


def _taken_as(losses):
    """Return that splits of given sizes might be the folds of a K-fold, else ""."""
    sizes = losses.n_test
    if losses.design.kind != "subsample" or losses.cv_description or sizes is None:
        return ""
    are_folds = np.all(losses.n_train + sizes == sizes.sum())
    if losses.split_hash is not None or not are_folds:
        return ""
    return (
        "Only the sizes of the splits were given, and they are taken for random "
        f"subsamples; if they are the folds of one K-fold, pass cv={len(sizes)}."
    )


# The paragraph -----------------------------------------------------------------------


def report_sentences(result, remarks=()):
    """Return the sentences of a paragraph for a paper.

    Of two models, remarks are added as far as there is room for words.
    """
    tables = result.tables
    said = [_methods_sentence(result), *_means_sentence(result), *verdict_lines(result)]
    more = []
    for name, table in tables.items():
        of_test = _of_many_pairs if len(table) > 1 else _of_one_pair
        sentences, of_table = of_test(result, name, table)
        said += sentences
        more += of_table
    unequal = _weights_note(result.losses, next(iter(tables.values())))
    more = [unequal, *notes(result, remarks, advice=False), *more]
    software = software_sentence()
    is_short = len(tables) == 1 and len(result.losses.estimator_names) == 2
    for remark in filter(None, dict.fromkeys(more)):
        n_words = len(" ".join([*said, remark, software]).split())
        if n_words <= WORDS or not is_short:
            said.append(remark)
    return [*said, software]


def _methods_sentence(result):
    losses = result.losses
    names = losses.estimator_names
    whom = listed(list(names)) if len(names) <= 3 else f"{len(names)} {result.noun}s"
    made = ""
    if losses.cv_description:
        made = f" {losses.cv_description}"
        made = f",{made}" if losses.cv_description[0] != "(" else made
    of = "of" if losses.design.kind == "crossed" else "on"  # runs on one test set
    sample = f" {of} {sample_text(losses)}" if losses.n_samples else ""
    if losses.n_train is not None and losses.n_test is not None:
        sizes = range_text(losses.n_train)
        sample += f" ({sizes} for training)" if sample else f" {of} {sizes} examples"
    weighted = ", weighted by sample_weight" * losses.is_weighted
    how = f"{design_words(losses.design)}{made}{weighted}"
    return f"We compared {whom}{sample} by {how}."


def _means_sentence(result):
    # generates the means of up to three, with their intervals
    losses, measure = result.losses, measure_of(result.losses)
    order = ranking_of(result.losses)
    if not 1 < len(order) <= 3:
        return
    found = result.estimator_intervals()
    shown = [measure.value(losses.mean_losses[i]) for i in order]
    if found is not None:
        ends = users_ends(losses, found.ci_low[order], found.ci_high[order])
        lows, highs = ([measure.end(end) for end in side] for side in ends)
        level = f"{100 * (1 - result.alpha):g}% CI "
        shown = [
            f"{mean} ({level * (not number)}{low} to {high})"
            for number, (mean, low, high) in enumerate(
                zip(shown, lows, highs, strict=True)
            )
        ]
    first, *others = (losses.estimator_names[i] for i in order)
    rest = [f"{name} {mean}" for name, mean in zip(others, shown[1:], strict=True)]
    yield f"{first} had a mean {measure.word} of {shown[0]}, {' and '.join(rest)}."


def _of_many_pairs(result, name, table):
    """Return what the test is and how p is adjusted, and what may be added."""
    said = [f"{tested(result, name)}. {_family(result, name)}".strip()]
    found = table.rho_alpha[table.significant]
    is_known = len(found) and np.isfinite(found).all() and found.min() >= 0
    in_family = not is_about_set(result, name) and table.p_adjust != BEST_SET
    if is_known and in_family and table.test.traits.decides == "difference":
        before = ", before adjustment," * table.is_adjusted
        least = f"{found.min():.3f}"
        said.append(f"All significant differences are so{before} for any ρ ≤ {least}.")
    return said, [table.traits.remark]


def _of_one_pair(result, name, table):
    """Return the statistic, and what may be added: for which ρ, and about seeds."""
    row, said = table.row(0), []
    decides = table.test.traits.decides == "difference"
    found = row.pvalue_adjusted <= table.alpha
    condition = proviso(table.test, row.rho, found)
    if condition and (found or not decides):
        said.append(_under_condition(table, row, condition))
    statistic = minus(statistic_text(table, row))
    if table.test.traits.decides == "posterior" and not table.test.popmean:
        statistic = f"{statistic}; {posterior(measure_of(result.losses), table, row)}"
    said.append(", ".join(filter(None, [tested(result, name), statistic])) + ".")
    seed = ONE_SPLIT * (result.losses.design.kind == "k-fold")
    at_rho = _up_to_which_rho(row, found) if decides else ""
    return said, [at_rho, table.traits.remark, seed]


def _under_condition(table, row, condition):
    found = row.pvalue_adjusted <= table.alpha
    claim = f"is {'' if found else 'not '}significant"
    if table.test.traits.decides != "difference":
        claim = f"is {'' if found else 'not '}shown to be within the margin"
    level = f"{100 * table.alpha:g}% level"
    return (
        f"{condition[0].upper()}{condition[1:]}, the difference {claim} at the {level}."
    )


def _up_to_which_rho(row, found):
    """Return up to which ρ a difference is significant, "" if that is known already."""
    rho = row.rho_alpha
    if np.isnan(rho) or not row.statistic or (rho < 0 and not found):
        return ""
    by = " by the t test of the means of splits" * bool(np.isnan(row.rho))
    if rho < 0:
        return f"The difference is not significant{by}, even at ρ = 0."
    only = "would be" if not found else "is"
    return f"The difference {only} significant{by} for ρ ≤ {format_rho_alpha(rho)}."
