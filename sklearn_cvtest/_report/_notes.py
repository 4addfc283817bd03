"""What else is said of a comparison: how it was made, and what a reader must know."""

import numpy as np

from .._losses._metric_names import metric_word
from .._pairs._model_table import MANY, TIED, has_tiers, is_about_set
from .._pairs._ranking import BEST_SET, ranking_of
from .._splits._groups import few_groups_note
from . import _findings
from . import _note_sentences as sentences
from ._format import (
    are,
    format_rho_alpha,
    listed,
    more_are,
    one_line,
    percent,
    versions,
)
from ._measure import counted, interval_words, measure_of, minus, users_ends
from ._shown_pairs import most_shown
from ._verdict import names_pairs_only, short_name, verdict_lines

CLEAR = 10  # percent of a difference
WORDS = 120  # of a paragraph on two
MOST_NAMED = 3  # models; of more, their number
IMBALANCED = 0.7  # the share of a class from which on others are rare


def design_line(result, name, shows_pairs=False, *, marked=True):
    """Return how the results were made: design, sample, test, adjustment, marks."""
    losses, table = result.losses, result.tables[name]
    about = sentences.CONCERNS[_findings.concern(result, table.test)]
    if losses.n_groups is not None and not _findings.breaks_groups(losses):
        about = about or "for new groups"
    design = _findings.design_words(losses.design)
    sample = _findings.sample_text(losses)
    setting = ", ".join(filter(None, [design, sample, about]))
    line = f"{setting[0].upper()}{setting[1:]}; {tested(result, name)}."
    sentences_of_line = [line, _family(result, name, shows_pairs)]
    if marked and not shows_pairs:
        sentences_of_line += [_marks(result, name), _tiers(result, name)]
    return " ".join(filter(None, sentences_of_line))


def tested(result, name):
    """Return what a test is, and the ρ that it assumes."""
    table = result.tables[name]
    rho = table.rho[0] if np.all(table.rho == table.rho[0]) else np.nan
    assumed = f", ρ = {rho:.3g}" if table.test.traits.rho_is_assumed else ""
    return f"{short_name(name)}: {table.traits.title}{assumed}"


def _family(result, name, shows_pairs=False):
    """Return what p-values and intervals are adjusted for."""
    table = result.tables[name]
    if _findings.is_bayesian(table):
        if len(table) == 1:
            return ""
        return sentences.probabilities_not_adjusted(len(table))
    is_of_set = not shows_pairs and is_about_set(result, name)
    if is_of_set or table.p_adjust == BEST_SET:
        return sentences.ADJUSTED_FOR_ALL_PAIRS
    if not table.is_adjusted:
        return "" if len(table) == 1 else sentences.NOT_ADJUSTED
    intervals = "intervals are not"
    if table.ci_low_simultaneous is not None:
        by = "max-t" if table.p_adjust == "max-t" else "Bonferroni"
        intervals = f"intervals are simultaneous ({by})"
    method = sentences.METHODS[table.p_adjust]
    text = sentences.pvalues_adjusted(table.n_comparisons, method, intervals)
    if is_about_set(result, name):
        text += sentences.VERDICT_IS_ABOUT_BEST
    return text


def _marks(result, name):
    """Return what the mark means, "" if there is none."""
    if names_pairs_only(result, result.tables[name]):
        return ""
    models = result.decisions[name]
    n_tied = len(models.positions(*TIED))
    if len(models.rows) < 3 or not n_tied:
        return ""
    if _findings.is_bayesian(models.table):
        return sentences.mark_of_posterior(percent(1 - models.table.alpha))
    if models.is_about_best:
        return sentences.MARK_OF_BEST
    return sentences.mark_of_reference(models.table.names[models.pivot])


def _tiers(result, name):
    """Return what the letters of tiers mean, "" if there are none."""
    table = result.tables[name]
    if not has_tiers(result, table):
        return ""
    method = sentences.METHODS[table.p_adjust] if table.is_adjusted else ""
    return sentences.tiers_meaning(method)


def notes(result, remarks=(), *, advice=True):
    """Return what a reader must know, the most important first.

    `remarks` are sentences on what was compared; `advice` says what a reader may want
    to do, which is nothing for a paper.
    """
    losses, intervals = result.losses, None
    if len(losses.estimator_names) <= MANY:
        intervals = result.estimator_intervals()
    lines = [_findings.broken_groups_note(losses)]
    if few_groups_note(losses.n_groups):
        lines.append(sentences.few_groups(losses.n_groups))
    if losses.size_is_unknown and len(losses.estimator_names) > 2:
        lines.append(few_positives_note(losses.few_positives))
    lines += [*_failed_notes(losses), *remarks]
    n_hidden = len(ranking_of(losses)) - most_shown(result)
    if advice and n_hidden > 0:
        lines.append(sentences.hidden_models(more_are(n_hidden, result.noun)))
    lines.append(_taken_as(losses) if advice else "")
    lines.append(_weights_note(losses, next(iter(result.tables.values())), CLEAR))
    if losses.labels_from:
        lines.append(one_line(losses.labels_from))
    if intervals is not None:
        lines += equal_notes(losses, intervals)
        if not _is_constant(losses, result.reference):  # else the table is about it
            lines.append(_constant_note(losses, intervals, advice))
    return [line for line in lines if line]


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
    low, high = np.sort(np.multiply(losses.value_range, -1 if losses.is_score else 1))
    ci_low, ci_high = intervals.ci_low, intervals.ci_high
    is_equal = intervals.standard_error == 0
    is_whole = np.isclose(ci_low, low) & np.isclose(ci_high, high)
    is_open = np.isinf(ci_low) & np.isinf(ci_high)
    where = "in all test sets"
    if len(losses.fit_failed) == 1:
        where = "for all examples" if losses.per_example else "in the only test set"
    notes_on_equal = []
    for sentence, mask in (
        (sentences.equal_with_exact_interval, ~(is_whole | is_open)),
        (sentences.equal_with_whole_range, is_whole & ~is_open),
        (sentences.equal_without_interval, is_open),
    ):
        rows = np.flatnonzero(is_equal & mask)
        if rows.size:
            names = listed([intervals.names[row] for row in rows])
            notes_on_equal.append(sentence(measure_of(losses).word, where, names))
    return notes_on_equal


def few_positives_note(n_positives):
    """Return why a table has no intervals of differences."""
    return (
        f"By how much models differ cannot be said from "
        f"{counted(n_positives, 'positive')}: intervals would miss too often."
    )


def _is_constant(losses, name):
    """Whether a model, if any, is as good as a constant prediction."""
    if name is None or losses.of_constant is None:
        return False
    mean = losses.mean_losses[losses.estimator_names.index(name)]
    return np.isclose(mean, losses.of_constant, rtol=1e-3)


def _constant_note(losses, intervals, advice):
    """Return who is worse or not clearly better than a constant prediction, else ""."""
    if losses.of_constant is None:
        return ""
    lows, highs = intervals.ci_low, intervals.ci_high
    if losses.is_score:
        lows, highs = -highs, -lows
    is_worse = lows > losses.of_constant
    is_unclear = ~is_worse & (highs >= losses.of_constant)
    names = np.array(intervals.names, dtype=object)
    verdicts = []
    if is_worse.any():
        verdicts.append(_not_better(names[is_worse], len(names), "worse"))
    if is_unclear.any():
        verdicts.append(
            _not_better(names[is_unclear], len(names), "not clearly better")
        )
    if not verdicts:
        return ""
    use_scores = ""
    share = -losses.of_constant if losses.is_score else 1 - losses.of_constant
    if measure_of(losses).is_share and share >= IMBALANCED and advice:
        use_scores = sentences.USE_SCORES
    constant = _constant_words(losses)
    return sentences.as_good_as_constant(constant, "; ".join(verdicts), use_scores)


def _not_better(names, n_models, verdict):
    """Return that models are not better than a constant, and in which way."""
    if len(names) == n_models:
        if verdict == "worse":
            return "both are worse" if n_models == 2 else f"all {n_models} are worse"
        return f"{'neither' if n_models == 2 else 'none'} is clearly better"
    if len(names) > MOST_NAMED:
        return f"{len(names)} of the {n_models} are {verdict}"
    return f"{listed(list(names))} {are(names)} {verdict}"


def with_article(word):
    """Return what is measured with its article, such as "an RMSE"."""
    return f"an {word}" if word[0] in "aeiouR" else f"a {word}"


def _constant_words(losses):
    """Return what the best constant prediction is, and what it gives."""
    measure = measure_of(losses)
    value = measure.value(losses.of_constant)
    if measure.is_share:
        return f"Predicting the most frequent class gives {value} {measure.word}"
    value = f"{with_article(measure.word)} of {value}"
    if metric_word(losses.measured) in ("roc_auc", "average_precision"):
        return f"A constant prediction gives {value}"
    if metric_word(losses.measured) in ("log_loss", "brier"):
        return f"Predicting the class frequencies gives {value}"
    if "absolute" in measure.word:
        return f"Predicting the median gives {value}"
    return f"Predicting the mean gives {value}"


def _failed_notes(losses):
    """Yield who is left out, and which losses are an `error_score`."""
    left_out, n = losses.failed_splits(), len(losses.fit_failed)
    counts = losses.fit_failed.sum(axis=0).tolist()
    counts = dict(zip(losses.estimator_names, counts, strict=True))
    gone = {
        k: f"{counts[k]} of {n} fits failed" if counts[k] else "nan" for k in left_out
    }
    if gone:
        names = ", ".join(f"{name} ({why})" for name, why in gone.items())
        yield sentences.left_out(names)
    kept = sorted(f"{k} {counts[k]} of {n}" for k in counts.keys() - gone if counts[k])
    if kept:
        yield sentences.failed_fits(", ".join(kept))


def _weights_note(losses, table, size=1):
    """Return why two means have another difference than is shown, "" if not.

    Of `size` percent of the difference, or three thousandths of its interval.
    """
    is_plain = losses.design.kind in ("k-fold", "repeated k-fold")
    weighs = table.test.traits.weighs
    if weighs == "splits" or not (is_plain and losses.per_example):
        return ""
    means, width = losses.mean_losses, table.ci_high - table.ci_low
    gap = np.abs(table.estimate - (means[table.first] - means[table.second]))
    is_visible = gap > size * np.maximum(0.01 * np.abs(table.estimate), 0.003 * width)
    if not is_visible.any():
        return ""
    return sentences.means_and_differences_disagree(weighs)


def _taken_as(losses):
    """Return that splits of given sizes might be the folds of a K-fold, else ""."""
    sizes = losses.n_test
    if losses.design.kind != "subsample" or losses.cv_description or sizes is None:
        return ""
    are_folds = np.all(losses.n_train + sizes == sizes.sum())
    is_known = losses.split_hash is not None
    if is_known or not are_folds:
        return ""
    return sentences.sizes_taken_for_subsamples(len(sizes))


# The paragraph -----------------------------------------------------------------------


def report_sentences(result, remarks=()):
    """Return the sentences of a paragraph for a paper.

    Of two models, remarks are added as far as there is room for words.
    """
    tables, losses = result.tables, result.losses
    lines = [_methods_sentence(result)]
    lines += _means_sentence(result)
    lines += verdict_lines(result)
    remarks_of_tests = []
    for name, table in tables.items():
        of_test = _of_many_pairs if len(table) > 1 else _of_one_pair
        lines_of_test, remarks_of_test = of_test(result, name, table)
        lines += lines_of_test
        remarks_of_tests += remarks_of_test
    unequal = _weights_note(losses, next(iter(tables.values())))
    optional = [unequal, *notes(result, remarks, advice=False), *remarks_of_tests]
    software = _software()
    is_short = len(tables) == 1 and len(losses.estimator_names) == 2
    for remark in filter(None, dict.fromkeys(optional)):
        n_words = len(" ".join([*lines, remark, software]).split())
        if n_words <= WORDS or not is_short:
            lines.append(remark)
    return [*lines, software]


def _software():
    packages = versions()
    return sentences.software(packages["sklearn_cvtest"], packages["scikit-learn"])


def _methods_sentence(result):
    losses = result.losses
    names = losses.estimator_names
    models = listed(list(names)) if len(names) <= 3 else f"{len(names)} {result.noun}s"
    design = _findings.design_words(losses.design)
    splitter = losses.cv_description
    if splitter:
        comma = "" if splitter[0] == "(" else ","
        design += f"{comma} {splitter}"
    if losses.is_weighted:
        design += ", weighted by sample_weight"
    sample = f" on {_findings.sample_text(losses)}" if losses.n_samples else ""
    if losses.design.kind == "crossed" and losses.per_example:
        design += f" ({_findings.sample_text(losses)})"
        sample = ""
    if losses.n_train is not None and losses.n_test is not None:
        sizes = _findings.range_text(losses.n_train)
        on = f" on {_findings.examples_text(losses.n_train)}"
        sample += f" ({sizes} for training)" if sample else on
    return sentences.models_compared(models, sample, design)


def _means_sentence(result):
    # generates the means of up to three, with their intervals
    means = _means_of_few(result)
    if means:
        (name, mean), *others = means.items()
        others = " and ".join(f"{name} {mean}" for name, mean in others)
        word = measure_of(result.losses).mean_word
        yield sentences.means_of_models(name, with_article(word), mean, others)


def _means_of_few(result):
    """Return {name: mean and interval} as texts of two or three models, else {}."""
    losses, measure = result.losses, measure_of(result.losses)
    order = ranking_of(losses)
    if not 1 < len(order) <= 3:
        return {}
    names = [losses.estimator_names[i] for i in order]
    means = [measure.value(losses.mean_losses[i]) for i in order]
    estimated = result.estimator_intervals()
    if estimated is None:
        return dict(zip(names, means, strict=True))
    lows, highs = users_ends(losses, estimated.ci_low[order], estimated.ci_high[order])
    intervals = []
    for low, high in zip(lows, highs, strict=True):
        intervals.append(interval_words(measure.end(low), measure.end(high)))
    level = f"{percent(1 - result.alpha)} CI "
    texts = {}
    for name, mean, interval in zip(names, means, intervals, strict=True):
        if interval:
            mean, level = f"{mean} ({level}{interval})", ""
        texts[name] = mean
    return texts


def report_of_metrics(results, words, remarks):
    """Return the sentences of a paragraph for a paper on several metrics.

    What all metrics share is said once.

    Parameters
    ----------
    results : dict of str to PairwiseResult
        The comparison by each metric, with names for sentences.
    words : dict of str to str
        What each metric is called.
    remarks : list of str
        What else a reader must know.
    """
    lines = [_methods_sentence(next(iter(results.values())))]
    for metric, result in results.items():
        word = words[metric][0].upper() + words[metric][1:]
        means = [f"{name} {mean}" for name, mean in _means_of_few(result).items()]
        verdict = " ".join(verdict_lines(result))
        means_text = f"{', '.join(means)}. " if means else ""
        lines.append(f"{word}: {means_text}{verdict}")
    for result in results.values():
        for name in result.tables:
            line = f"{tested(result, name)}. {_family(result, name)}".strip()
            if line not in lines:
                lines.append(line)
    lines.append(sentences.metrics_not_adjusted(len(results)))
    return [*lines, *remarks, _software()]


def _interval(measure, low, high):
    """Return an interval as text, or its only bound; "" if it has none."""
    if np.isinf([low, high]).all():
        return ""
    if np.isinf(low):
        return f"at most {measure.end(high)}"
    if np.isinf(high):
        return f"at least {measure.end(low)}"
    return f"{measure.end(low)} to {measure.end(high)}"


def _of_many_pairs(result, name, table):
    """Return what the test is and how p is adjusted, and what may be added."""
    lines = [f"{tested(result, name)}. {_family(result, name)}".strip()]
    if _findings.are_runs_alone(result.losses):
        return lines, [_about_runs()]
    rho_alpha = table.rho_alpha[table.significant]
    is_known = len(rho_alpha) and np.isfinite(rho_alpha).all() and rho_alpha.min() >= 0
    in_family = not is_about_set(result, name) and table.p_adjust != BEST_SET
    if is_known and in_family and table.test.traits.decides == "difference":
        rho = f"{rho_alpha.min():.3f}"
        lines.append(sentences.all_significant_up_to_rho(rho, table.is_adjusted))
    return lines, [table.traits.remark]


def _of_one_pair(result, name, table):
    """Return the statistic, and what may be added: for which ρ, and about seeds."""
    row, lines = table.row(0), []
    decides = table.test.traits.decides == "difference"
    is_significant = row.pvalue_adjusted <= table.alpha
    condition = _findings.proviso(table.test, row.rho, is_significant)
    if condition and (is_significant or not decides):
        claim = "significant" if decides else "shown to be within the margin"
        if not is_significant:
            claim = f"not {claim}"
        condition = condition[0].upper() + condition[1:]
        level = percent(table.alpha)
        lines.append(sentences.conditional_claim(condition, claim, level))
    statistic = minus(_findings.statistic_text(table, row))
    if _findings.is_bayesian(table) and not table.test.popmean:
        statistic = (
            f"{statistic}; {_findings.posterior(measure_of(result.losses), table, row)}"
        )
    lines.append(", ".join(filter(None, [tested(result, name), statistic])) + ".")
    lines += _limit_of_counts(result.losses, table, row)
    if _findings.are_runs_alone(result.losses):
        return lines, [_about_runs()]
    at_rho = _up_to_which_rho(row, is_significant) if decides else ""
    remarks = [at_rho, table.traits.remark]
    if result.losses.design.kind == "k-fold":
        remarks.append(sentences.ONE_SPLIT)
    return lines, remarks


def _about_runs():
    """Return what a comparison of runs on one test set says nothing about."""
    return (
        "This is about new runs of these models on this test set, not other examples."
    )


def _limit_of_counts(losses, table, row):
    """Yield that few examples of a class limit p, where the test alone has another."""
    residuals = losses.residuals(row.first, row.second)
    counts = residuals.n_counted and table.test.traits.decides == "difference"
    if counts and table.test.evaluate(residuals).pvalue < row.pvalue:
        n_examples = counted(round(residuals.n_counted), "example")
        yield sentences.limited_by_rarer_class(measure_of(losses).word, n_examples)


def _up_to_which_rho(row, is_significant):
    """Return up to which ρ a difference is significant, "" if that is known already."""
    rho = row.rho_alpha
    if np.isnan(rho) or not row.statistic or (rho < 0 and not is_significant):
        return ""
    by = sentences.BY_MEANS_OF_SPLITS if np.isnan(row.rho) else ""
    if rho < 0:
        return sentences.significant_at_no_rho(by)
    verb = "is" if is_significant else "would be"
    return sentences.significant_up_to_rho(verb, by, format_rho_alpha(rho))
