"""What else is said of a comparison: how it was made, and what a reader must know."""

import numpy as np

from .._losses._metric_names import metric_word
from .._pairs._model_table import MANY, Decision, has_tiers, is_about_set
from .._pairs._ranking import BEST_SET
from .._splits._design import DesignKind
from .._splits._groups import few_groups_note
from .._validation import one_line
from . import _findings
from ._format import (
    ADJUSTMENTS,
    are,
    capitalised,
    counted,
    join_names,
    percent,
    short_name,
)
from ._metric_format import metric_format_of

FAMILY_OF_SET = "p-values and intervals are adjusted for all models (step-down)."
IMBALANCED = 0.7  # the share of a class from which on others are rare


def design_line(result, name, shows_pairs=False, *, marked=True):
    """Return how the results were made: design, sample, test, adjustment, marks."""
    losses = result.losses
    table = result.tables[name]
    setting = [_findings.design_words(losses.design), _findings.sample_text(losses)]
    if losses.design.kind == DesignKind.HOLDOUT and losses.n_train is not None:
        setting = [f"one split: {setting[1]}"]
    about = _concern_of_test(_findings.concern(result, table.test))
    if not about and losses.n_groups is not None:
        about = "" if _findings.breaks_groups(losses) else "for new groups"
    setting.append(about)
    setting_text = capitalised(", ".join(filter(None, setting)))
    lines = [f"{setting_text}; {title_of_test(result, name)}."]
    lines.append(adjustment_words(result, name, shows_pairs))
    if marked and not shows_pairs:
        lines.append(_marks(result, name))
        lines.append(_tiers(result, name))
        lines.append(_endless_ratios(result, name))
    return " ".join(filter(None, lines))


def _concern_of_test(concerns):
    """Return what a test is about, "" if about learning algorithms."""
    if concerns == "models":
        return "about these fitted models"
    if concerns == "runs":
        return "for new runs on new examples"
    if concerns == "runs alone":
        return "for new runs on this test set"
    if concerns == "forecasts":
        return "about these forecasts"
    return ""


def title_of_test(result, name):
    """Return what a test is, and the ρ that it assumes."""
    table = result.tables[name]
    text = f"{short_name(name)}: {table.traits.title}"
    if not table.test.traits.rho_is_assumed:
        return text
    rho = table.rho[0]
    if not np.all(table.rho == rho):
        rho = np.nan
    return f"{text}, ρ = {rho:.3g}"


def adjustment_words(result, name, shows_pairs=False):
    """Return what p-values and intervals are adjusted for."""
    table = result.tables[name]
    if len(table) == 1 and (table.is_bayesian or not table.is_adjusted):
        return ""
    if table.is_bayesian:
        return f"Probabilities are not adjusted for {len(table)} pairs."
    is_of_set = not shows_pairs and is_about_set(result, name)
    if is_of_set or table.p_adjust == BEST_SET:
        return FAMILY_OF_SET
    if not table.is_adjusted:
        return "p-values and intervals are not adjusted."
    intervals = "intervals are not"
    if table.ci_low_simultaneous is not None:
        intervals = "intervals are simultaneous (Bonferroni)"
    method = ADJUSTMENTS[table.p_adjust]
    text = (
        f"p-values are adjusted for {table.n_comparisons} comparisons ({method}); "
        f"{intervals}."
    )
    if is_about_set(result, name):
        text += (
            " The verdict is about the best alone, by other p-values, and can find "
            "more."
        )
    return text


def _marks(result, name):
    """Return what the mark means, "" if there is none."""
    models = result.decisions.get(name)
    if models is None or len(models.rows) < 3 or not models.positions(*Decision.TIED):
        return ""
    if models.table.is_bayesian:
        probability = percent(1 - models.table.alpha)
        return f"† neither better nor worse with {probability} probability."
    if models.is_about_best:
        return "† not significantly worse than the best."
    reference = models.table.names[models.reference]
    return f"† not significantly different from {reference}."


def _endless_ratios(result, name):
    """Return why a ratio has no interval in a table, "" if all have one."""
    models = result.decisions.get(name)
    if models is None or not models.table.is_by_ratio or len(models.rows) < 3:
        return ""
    if len(models.rows) > MANY:
        return ""
    is_endless = np.isinf([(row.low, row.high) for row in models.others]).all(axis=1)
    if not is_endless.any():
        return ""
    n_groups = result.losses.n_groups
    units = counted(n_groups, "group") if n_groups else "so few examples"
    return f"– no interval: with {units} the ratio has no upper bound."


def _tiers(result, name):
    """Return what the letters of tiers mean, "" if there are none."""
    table = result.tables[name]
    if not has_tiers(result, table):
        return ""
    if is_about_set(result, name):
        return (
            "Models that share a letter in the column tier do not differ significantly."
        )
    return tiers_meaning(table.p_adjust if table.is_adjusted else None)


def tiers_meaning(p_adjust):
    """Return what the letters in the column of tiers mean, by p-values of pairs."""
    adjusted = "not adjusted"
    if p_adjust is not None:
        adjusted = f"adjusted ({ADJUSTMENTS[p_adjust]})"
    return (
        "Models that share a letter in the column tier do not differ significantly, by "
        f"the p-values of all pairs, {adjusted}."
    )


def notes(result, remarks=(), *, advice=True):
    """Return what a reader must know, the most important first.

    `remarks` are sentences on what was compared; `advice` says what a reader may want
    to do, which is nothing for a paper.
    """
    losses = result.losses
    lines = [_findings.broken_groups_note(losses)]
    if few_groups_note(losses.n_groups):
        lines.append(
            f"With only {losses.n_groups} groups, p-values and intervals can be far "
            "off."
        )
    if losses.size_is_unknown and len(losses.estimator_names) > 2:
        lines.append(
            f"By how much models differ cannot be said from "
            f"{counted(losses.few_positives, 'positive')}: intervals would miss too "
            "often."
        )
    lines += _failed_notes(losses)
    lines += remarks
    if advice:
        lines.append(_subsamples_note(losses))
    # what is less than a tenth of a difference is left to the paragraph
    lines.append(weights_note(losses, result.table, percent_of_difference=10))
    if losses.labels_from:
        lines.append(one_line(losses.labels_from))
    lines += _notes_on_means(result, advice)
    return [line for line in lines if line]


def _notes_on_means(result, advice):
    """Return what a reader must know of the means of single models."""
    losses = result.losses
    if len(losses.estimator_names) > MANY:
        return []
    intervals = result.estimator_intervals()
    if intervals is None:
        return []
    lines = equal_notes(losses, intervals)
    if not _is_constant(losses, result.reference):  # else the table is about it
        lines.append(_constant_note(losses, intervals, advice))
    return lines


def equal_notes(losses, intervals):
    """Return what intervals of models are that do not differ between test sets.

    Parameters
    ----------
    losses : CVLosses
        The losses.
    intervals : EstimatorIntervals
        Their intervals.

    Returns
    -------
    notes : list of str
        A sentence on those that are known, and one on the others.
    """
    is_equal = intervals.standard_error == 0
    if not is_equal.any():
        return []
    low, high = losses.value_range
    if losses.is_score:
        low, high = -high, -low
    ci_low = intervals.ci_low
    ci_high = intervals.ci_high
    is_whole = np.isclose(ci_low, low) & np.isclose(ci_high, high)
    is_open = np.isinf(ci_low) & np.isinf(ci_high)
    is_at_end = np.isclose(ci_low, low) ^ np.isclose(ci_high, high)
    word = metric_format_of(losses).word
    where = "in all test sets"
    if len(losses.fit_failed) == 1:
        where = "for all examples" if losses.per_example else "in the only test set"
    lines = []
    for interval, mask in (
        ("the interval is Clopper–Pearson", is_at_end & ~is_open),
        (
            "the interval follows from the number of equal values",
            ~(is_whole | is_open | is_at_end),
        ),
        ("the interval is the whole range", is_whole & ~is_open),
        ("without a known range there is no interval", is_open),
    ):
        rows = np.flatnonzero(is_equal & mask)
        if rows.size:
            names = join_names([intervals.names[row] for row in rows])
            lines.append(f"The {word} is the same {where} for {names}; {interval}.")
    return lines


def _is_constant(losses, name):
    """Whether a model, if any, is as good as a constant prediction."""
    if name is None or losses.of_constant is None:
        return False
    mean = losses.mean_losses[losses.estimator_names.index(name)]
    return np.isclose(mean, losses.of_constant, rtol=1e-3)


def _constant_note(losses, intervals, advice):
    """Return who is worse or not clearly better than a constant prediction, else ""."""
    constant = losses.of_constant
    if constant is None:
        return ""
    lows = intervals.ci_low
    highs = intervals.ci_high
    if losses.is_score:
        lows, highs = -highs, -lows
    is_worse = lows > constant
    is_unclear = ~is_worse & (highs >= constant)
    names = np.array(intervals.names, dtype=object)
    themselves = [losses.estimator_names[model] for model in losses.constant_models]
    is_unclear &= ~np.isin(names, themselves)
    clauses = []
    if is_worse.any():
        clauses.append(_worse_than_constant(names[is_worse], len(names)))
    if is_unclear.any():
        clauses.append(_not_better_than_constant(names[is_unclear], len(names)))
    if not clauses:
        return ""
    metric = metric_format_of(losses)
    text = f"{_constant_words(losses, metric)}; {'; '.join(clauses)}."
    share = -constant if losses.is_score else 1 - constant
    if advice and metric.is_share and share >= IMBALANCED:
        text += " With rare classes, use ROC AUC or average precision."
    return text


def _worse_than_constant(names, n_models):
    """Return which models are worse than a constant prediction."""
    if len(names) == n_models == 2:
        return "both are worse"
    if len(names) == n_models:
        return f"all {n_models} are worse"
    if len(names) > 3:
        return f"{len(names)} of the {n_models} are worse"
    return f"{join_names(list(names))} {are(names)} worse"


def _not_better_than_constant(names, n_models):
    """Return which models are not clearly better than a constant prediction."""
    if len(names) == n_models == 2:
        return "neither is clearly better"
    if len(names) == n_models:
        return "none is clearly better"
    if len(names) > 3:
        return f"{len(names)} of the {n_models} are not clearly better"
    return f"{join_names(list(names))} {are(names)} not clearly better"


def with_article(word):
    """Return what is measured with its article, such as "an RMSE"."""
    return f"an {word}" if word[0] in "aeiouR" else f"a {word}"


def _constant_words(losses, metric):
    """Return what the best constant prediction is, and what it gives."""
    value = metric.value(losses.of_constant)
    if metric.is_share:
        return f"Predicting the most frequent class gives {value} {metric.word}"
    value = f"{with_article(metric.word)} of {value}"
    name = metric_word(losses.measured)
    if name in ("roc_auc", "average_precision"):
        return f"A constant prediction gives {value}"
    if name in ("log_loss", "brier"):
        return f"Predicting the class frequencies gives {value}"
    if "absolute" in metric.word:
        return f"Predicting the median gives {value}"
    return f"Predicting the mean gives {value}"


def _failed_notes(losses):
    """Return who is left out, and which losses are an `error_score`."""
    n_fits = len(losses.fit_failed)
    counts = losses.fit_failed.sum(axis=0)
    without_losses = losses.failed_splits()
    failures = dict(zip(losses.estimator_names, counts.tolist(), strict=True))
    left_out = []
    for name in without_losses:
        reason = "nan"
        if failures[name]:
            reason = f"{failures[name]} of {n_fits} fits failed"
        left_out.append(f"{name} ({reason})")
    with_error_score = []
    for name, n_failed in failures.items():
        if n_failed and name not in without_losses:
            with_error_score.append(f"{name} {n_failed} of {n_fits}")
    lines = []
    if left_out:
        lines.append(f"Left out: {', '.join(left_out)}.")
    if with_error_score:
        names = ", ".join(sorted(with_error_score))
        lines.append(f"Failed fits, given error_score: {names}.")
    return lines


def weights_note(losses, table, percent_of_difference=1):
    """Return why two means have another difference than is shown, "" if not.

    By so many percent of the difference, or as many times 0.003 of its interval.
    """
    is_plain = losses.design.kind.is_k_fold
    units = table.test.traits.weighs
    if units == "examples" or not is_plain or not losses.per_example:
        return ""
    means = losses.mean_losses
    gap = np.abs(table.estimate - (means[table.first] - means[table.second]))
    width = table.ci_high - table.ci_low
    visible = np.maximum(0.01 * np.abs(table.estimate), 0.003 * width)
    if not np.any(gap > percent_of_difference * visible):
        return ""
    return (
        f"Means average examples and differences average {units} of unequal size, so "
        "they disagree."
    )


def _subsamples_note(losses):
    """Return that splits of given sizes might be the folds of a K-fold, else ""."""
    sizes = losses.n_test
    if losses.design.kind != DesignKind.SUBSAMPLE:
        return ""
    if losses.cv_description or sizes is None:
        return ""
    are_folds = np.all(losses.n_train + sizes == sizes.sum())
    is_known = losses.split_hash is not None
    if is_known or not are_folds:
        return ""
    return (
        "Only the sizes of the splits were given, and they are taken for random "
        "subsamples; if they are the folds of one K-fold, leave the sizes out, or pass "
        f"cv={len(sizes)}."
    )
