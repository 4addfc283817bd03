"""The paragraph for a paper: what was compared, what was found, what must be known."""

import numpy as np

from .._pairs._model_table import is_about_set
from .._pairs._ranking import BEST_SET, ranking_of
from .._splits._design import DesignKind
from . import _findings
from ._document import versions
from ._format import (
    capitalised,
    format_rho_alpha,
    interval_words,
    join_names,
    minus,
    percent,
)
from ._metric_format import metric_format_of
from ._notes import adjustment_words, notes, title_of_test, weights_note, with_article
from ._verdict import verdict_lines


def report_sentences(result, remarks=()):
    """Return the sentences of a paragraph for a paper.

    Of two models, remarks are added as far as there is room for 120 words.
    """
    losses = result.losses
    lines = [_methods_sentence(result), *_means_sentence(result)]
    lines += verdict_lines(result)
    remarks_of_tests = []
    for name, table in result.tables.items():
        if len(table) > 1:
            lines += _lines_on_pairs(result, name, table)
        else:
            lines += _lines_on_two(result, name, table)
        remarks_of_tests += _remarks_of_test(losses, table)
    optional = [
        weights_note(losses, result.table),
        *notes(result, remarks, advice=False),
        *remarks_of_tests,
    ]
    software = _software()
    is_short = len(result.tables) == 1 and len(losses.estimator_names) == 2
    for remark in filter(None, dict.fromkeys(optional)):
        n_words = len(" ".join([*lines, remark, software]).split())
        if n_words <= 120 or not is_short:
            lines.append(remark)
    return [*lines, software]


def _software():
    """Return the versions of the packages that a paper names."""
    packages = versions()
    return (
        f"Software: sklearn_cvtest {packages['sklearn_cvtest']}, scikit-learn "
        f"{packages['scikit-learn']}."
    )


def _methods_sentence(result):
    """Return what was compared, on which data, and by which splits."""
    losses = result.losses
    models = f"{len(losses.estimator_names)} {result.noun}s"
    if len(losses.estimator_names) <= 3:
        models = join_names(list(losses.estimator_names))
    design = _findings.design_words(losses.design)
    splitter = losses.cv_description or ""
    if splitter.startswith("("):
        design += f" {splitter}"
    elif splitter:
        design += f", {splitter}"
    if losses.is_weighted:
        design += ", weighted by sample_weight"
    sample = _findings.sample_text(losses)
    if losses.design.kind == DesignKind.CROSSED and losses.per_example:
        design = f"{design} ({sample})"
        sample = ""
    is_known = losses.n_train is not None and losses.n_test is not None
    if losses.design.kind == DesignKind.HOLDOUT and sample:
        is_known = False  # it says so
    if is_known and sample:
        sample += f" ({_findings.range_text(losses.n_train)} for training)"
    elif is_known:
        sample = _findings.examples_text(losses.n_train)
    on_sample = f" on {sample}" if sample else ""
    return f"We compared {models}{on_sample} by {design}."


def _means_sentence(result):
    """Return the means of two or three models, a list of one sentence or none."""
    means = _means_of_few(result)
    if not means:
        return []
    (name, mean), *others = means.items()
    other_means = " and ".join(f"{other} {value}" for other, value in others)
    word = with_article(metric_format_of(result.losses).mean_word)
    return [f"{name} had {word} of {mean}, {other_means}."]


def _means_of_few(result):
    """Return {name: mean and interval} as texts of two or three models, else {}."""
    losses = result.losses
    metric = metric_format_of(result.losses)
    order = ranking_of(losses)
    if not 1 < len(order) <= 3:
        return {}
    means = {}
    for position in order:
        mean = metric.value(losses.mean_losses[position])
        means[losses.estimator_names[position]] = mean
    estimated = result.estimator_intervals()
    if estimated is None:
        return means
    lows, highs = metric.users_ends(estimated.ci_low[order], estimated.ci_high[order])
    level = f"{percent(1 - result.alpha)} CI "
    for name, low, high in zip(means, lows, highs, strict=True):
        interval = interval_words(metric.end(low), metric.end(high))
        if interval:
            means[name] += f" ({level}{interval})"
            level = ""  # once is enough
    return means


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
        word = capitalised(words[metric])
        text = " ".join(verdict_lines(result))
        means = [f"{name} {mean}" for name, mean in _means_of_few(result).items()]
        if means:
            text = f"{', '.join(means)}. {text}"
        lines.append(f"{word}: {text}")
    for result in results.values():
        for name in result.tables:
            line = _test_and_adjustment(result, name)
            if line not in lines:
                lines.append(line)
    lines.append(metrics_not_adjusted(results))
    return [*lines, *remarks, _software()]


def metrics_not_adjusted(results):
    """Return that several metrics are not adjusted for."""
    is_bayesian = next(iter(results.values())).table.is_bayesian
    numbers = "Probabilities" if is_bayesian else "p-values"
    return f"{numbers} are not adjusted for the {len(results)} metrics."


def _test_and_adjustment(result, name):
    """Return what a test is, and how its p-values are adjusted."""
    return f"{title_of_test(result, name)}. {adjustment_words(result, name)}".strip()


def _lines_on_pairs(result, name, table):
    """Return what the test is, how p is adjusted, and up to which ρ that holds."""
    lines = [_test_and_adjustment(result, name)]
    is_of_set = is_about_set(result, name) or table.p_adjust == BEST_SET
    if is_of_set or table.test.traits.decides != "difference":
        return lines
    if _findings.are_runs_alone(result.losses):
        return lines
    rho_alpha = table.rho_alpha[table.significant]
    if len(rho_alpha) and np.isfinite(rho_alpha).all() and rho_alpha.min() >= 0:
        unadjusted = " (unadjusted)" if table.is_adjusted else ""
        lines.append(
            f"Every significant difference stays significant{unadjusted} for ρ up to "
            f"{rho_alpha.min():.3f}."
        )
    return lines


def _lines_on_two(result, name, table):
    """Return for which ρ the verdict holds, the statistic, and what limits p."""
    row = table.row(0)
    losses = result.losses
    lines = []
    decides_difference = table.test.traits.decides == "difference"
    is_significant = row.pvalue_adjusted <= table.alpha
    condition = _findings.proviso(table.test, row.rho, is_significant)
    if condition and (is_significant or not decides_difference):
        claim = "significant"
        if not decides_difference:
            claim = "shown to be within the margin"
        if not is_significant:
            claim = f"not {claim}"
        condition = capitalised(condition)
        level = percent(table.alpha)
        lines.append(f"{condition}, the difference is {claim} at the {level} level.")
    statistic = minus(_findings.statistic_text(table, row))
    if table.is_bayesian and not table.test.popmean:
        metric = metric_format_of(losses)
        statistic = f"{statistic}; {_findings.posterior(metric, table, row)}"
    test = title_of_test(result, name)
    if statistic:
        test = f"{test}, {statistic}"
    lines.append(f"{test}.")
    return list(filter(None, lines))


def _remarks_of_test(losses, table):
    """Return what may be added on a test: for which ρ it holds, and about seeds."""
    if _findings.are_runs_alone(losses):
        return [
            "This is about new runs of these models on this test set, not other "
            "examples."
        ]
    if len(table) > 1:
        return [table.traits.remark]
    remarks = []
    if table.test.traits.decides == "difference":
        remarks.append(_up_to_which_rho(table.row(0), bool(table.significant[0])))
    remarks.append(table.traits.remark)
    if losses.design.kind == DesignKind.K_FOLD:
        remarks.append("A single K-fold does not show how much the split matters.")
    return remarks


def _up_to_which_rho(row, is_significant):
    """Return up to which ρ a difference is significant, "" if that is known already."""
    rho = row.rho_alpha
    if np.isnan(rho) or not row.statistic or (rho < 0 and not is_significant):
        return ""
    by = " by the t test of the means of splits" if np.isnan(row.rho) else ""
    if rho < 0:
        return f"The difference is not significant{by}, even at ρ = 0."
    verb = "is" if is_significant else "would be"
    text = format_rho_alpha(rho)
    return f"The difference {verb} significant{by} for ρ up to {text}."
