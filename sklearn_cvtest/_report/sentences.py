"""The sentences of comparisons, each whole in one function."""

import numpy as np
import sklearn
from sklearn.base import clone

from .._design import CROSSED
from .._version import __version__
from .numbers import (
    about_of,
    at_most,
    capitalised,
    counted,
    equals,
    interval_text,
    join_names,
    lower_or_higher,
    magnitude,
    narrowest,
    percent,
    quoted,
    ratio_interval_text,
    sizes_text,
    whose,
)
from .units import Unit, says_nothing

METHODS = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "hochberg": "Hochberg",
    "fdr_bh": "Benjamini–Hochberg",
}
STABLE = 0.9  # of a decision that is worth no remark


def symbol_of_p(table):
    """Return what the p-values of a table are called."""
    symbol = "p" if table.test.alternative == "two-sided" else "one-sided p"
    return f"adjusted {symbol}" if table.is_adjusted else symbol


# Two models -------------------------------------------------------------------------


def verdict_on_two(losses, table, reference=None):
    """Return the sentence on two models; ratios are beside the reference."""
    text = _sentence_on_two(losses, table, reference)
    if is_unstable(table.seed_stability[0], table.pvalue_adjusted[0]):
        cases = about_of(table.seed_stability[0])
        text = text.removesuffix(".") + (
            "; another random split would give the same decision in about "
            f"{cases} cases."
        )
    if not table.significant[0] and not table.is_same[0]:
        text += _power_sentence(losses, table)
    return text


def is_unstable(stability, pvalue):
    """Whether it is worth a remark that another split could decide otherwise."""
    return stability < STABLE and 0.01 < pvalue < 0.2


def same_losses(losses):
    """Return that two models have the same losses, and on how many examples."""
    where = "in every run" if losses.design.kind == CROSSED else "in every split"
    if losses.per_example:
        where = f"on all {counted(len(np.unique(losses.row_index)), 'example')}"
    return f"have the same {Unit(losses.metric).word} {where}"


def ahead_and_behind(table):
    """Return who is ahead, who is behind, and by how much, with the interval."""
    effect, low, high = table.effect[0], table.low[0], table.high[0]
    is_second_ahead = effect > 0
    if table.test.alternative != "two-sided":
        is_second_ahead = table.test.alternative == "greater"
    if is_second_ahead:
        return table.second[0], table.first[0], (effect, low, high)
    return table.first[0], table.second[0], turned((effect, low, high))


def without_differences(losses):
    """Say why the table of several models has no intervals of differences."""
    positives = counted(losses.few_positives, "positive")
    return f" By how much models differ cannot be said from {positives}."


def _sentence_on_two(losses, table, reference):
    unit = Unit(losses.metric, table.by_ratio)
    positions = ahead_and_behind(table)[:2]
    ahead, behind = (quoted(table.names[position]) for position in positions)
    first, second = (quoted(table.names[n[0]]) for n in (table.first, table.second))
    if table.is_same[0]:
        return f"{first} and {second} {same_losses(losses)}."
    p = equals(symbol_of_p(table), table.pvalue_adjusted[0], table.alpha)
    amount, lead, interval = amount_and_interval(unit, table, reference)
    if losses.few_positives:
        positives = counted(losses.few_positives, "positive")
        if table.significant[0]:
            return (
                f"{ahead} is better than {behind} ({p}). By how much cannot be said "
                f"from {positives}."
            )
        interval = f"no CI from {positives}"
    if not table.test.uses_all_splits:
        interval = interval.replace("CI", "CI of the first split")
        p = f"{p}, from the first split alone"
    if table.significant[0] and table.by_ratio:
        return f"{ahead} is better than {behind}: {lead} ({interval}, {p})."
    if table.significant[0]:
        return f"{ahead} is better than {behind} by {amount} ({interval}, {p})."
    if table.test.alternative != "two-sided":
        lead = lead.replace(ahead, "it", 1)
        return (
            f"{ahead} is not significantly better than {behind}: {lead} ({interval}, "
            f"{p})."
        )
    return (
        f"No significant difference between {first} and {second}: {lead} ({interval}, "
        f"{p})."
    )


def amount_and_interval(unit, table, reference=None, word="CI"):
    """Return by how much the one ahead is better, as words, with the interval.

    Of ratios, by how much the worse is higher, or the one beside the reference.
    """
    level = percent(table.test.level_of_interval(table.alpha))
    ahead, behind, sides = ahead_and_behind(table)
    if not table.by_ratio:
        amount, lead, words = amount_in_words(unit, table.names[ahead], sides)
        if not words:
            return amount, lead, "no CI, as the differences do not vary"
        word = word if np.isfinite(sides).all() else "bound:"
        return amount, lead, f"{level} {word} {words}"
    subject = behind
    if reference == behind:
        subject = ahead
        sides = turned(sides)
    amount, lead, words = amount_in_words(unit, table.names[subject], sides)
    if np.isfinite(sides).all():
        return amount, lead, f"{level} CI {words}"
    if table.test.alternative == "two-sided" and not table.significant[0]:
        return amount, lead, "no CI, as the ratio has no upper bound"
    return amount, lead, f"{level} bound: {words}"


def turned(sides):
    """Return an effect and its ends from the other side."""
    effect, low, high = sides
    return -effect, -high, -low


def amount_in_words(unit, name, sides):
    """Return by how much a model is ahead, or its metric higher, and the ends."""
    if not unit.by_ratio and sides[0] < 0:  # by how much it is behind
        texts = unit.numbers(turned(sides), None, narrowest(*sides[1:]))
    else:
        texts = unit.numbers(sides, None, narrowest(*sides[1:]))
    if unit.by_ratio:
        amount = lower_or_higher(texts[0]) or "equal"
        lead = f"{whose(name, unit.word)} is {amount}"
        return amount, lead, ratio_interval_text(*texts[1:])
    number = magnitude(texts[0])
    amount = number + unit.after(number)
    place = "ahead" if sides[0] > 0 else "behind"
    lead = f"{quoted(name)} is {place} by {amount}"
    if sides[0] == 0:
        lead = f"their {unit.word} is equal on average"
    return amount, lead, interval_text(*texts[1:])


def _power_sentence(losses, table):
    smallest = table.detectable_difference[0]
    low, high = losses.metric.loss_range
    if losses.few_positives or not 0 < smallest <= high - low:
        return ""
    unit = Unit(losses.metric, table.by_ratio)
    ahead, _, sides = ahead_and_behind(table)
    if table.by_ratio:
        is_first = ahead == table.first[0]
        mean = (table.mean_first if is_first else table.mean_second)[0]
        share = np.expm1(table.root * np.log1p(smallest / mean))
        amount = f"{100 * share:.2g}% of {whose(table.names[ahead], unit.word)}"
    else:
        number = unit.numbers([*sides, smallest], None, narrowest(*sides[1:]))[-1]
        amount = number + unit.points(number)
    return f" The test has 80% power to detect a difference of {amount}."


# Many models ------------------------------------------------------------------------


def verdict_on_many(losses, models):
    """Return the sentence on models beside the best, or beside a reference."""
    unit = Unit(losses.metric)
    name = quoted(losses.names[models.reference])
    mean = unit.mean(losses.mean_losses[models.reference])
    lead = f"Compared with {name} ({mean}), "
    if models.is_about_best:
        equal = _equal_means(losses, models)
        lead = f"{name} has the {unit.best}, {mean}{equal}; "
    clauses = []
    for decision in ("better", "not significant", "worse"):
        rows = [row for row in models.others if row.decision == decision]
        if rows:
            clauses.append(_clause(losses, models, rows, decision))
    return f"{lead}{'; '.join(clauses)}.{_unstable_decisions(losses, models)}"


def _equal_means(losses, models):
    """Return who has the same mean as the best, "" if nobody has."""
    best = losses.mean_losses[models.reference]
    names = []
    for row in models.others:
        if np.isclose(losses.mean_losses[row.position], best, rtol=1e-12, atol=0):
            names.append(losses.names[row.position])
    if not names:
        return ""
    text = join_names(names)
    if len(text) > 60:
        text = "another" if len(names) == 1 else f"{len(names)} others"
    return f", equal to that of {text}"


def _clause(losses, models, rows, decision):
    """Return the clause on the models with one decision."""
    names = [quoted(losses.names[row.position]) for row in rows]
    subject = f"{join_names(names)} {'are' if len(names) > 1 else 'is'}"
    if 2 < len(rows) == len(models.others):
        subject = f"the other {len(rows)} are"
    elif len(rows) > 2 and len(join_names(names)) > 60:
        subject = f"{len(rows)} others are"
    if decision == "not significant":
        adjective = "worse" if models.is_about_best else "different"
        return f"{subject} not significantly {adjective}"
    pvalues = [row.pvalue for row in rows]
    p = at_most(models.symbol, pvalues, models.alpha)
    return f"{subject} significantly {decision} ({p})"


def _unstable_decisions(losses, models):
    """Return which decisions depend on the split, "" if none does."""
    rows = [row for row in models.others if is_unstable(row.stability, row.pvalue)]
    if not rows:
        return ""
    names = join_names([quoted(losses.names[row.position]) for row in rows])
    chance = about_of(1 - min(row.stability for row in rows)).replace(" of ", " in ")
    return f" Another split might decide otherwise for {names} (about {chance})."


# How it was made --------------------------------------------------------------------


def words_of_test(test, rho=None):
    """Return what a test is, and the ρ that it assumes."""
    at_default_level = clone(test).set_params(alpha=0.05)
    name = repr(at_default_level).removesuffix("()")
    text = f"{name}: {test.title}"
    if test.rho_is_shown and rho is not None:
        text += f", ρ = {rho:.3g}"
    return text


def design_and_sample(losses):
    """Return the design and the size of the sample; of one split, its rows."""
    if losses.design.kind == "holdout" and losses.n_train is not None:
        sizes = f"{losses.n_train[0]} training and {losses.n_test[0]} test rows"
        return f"one split: {sizes}", ""
    n_samples = losses.n_samples
    if losses.design.kind == "holdout" and losses.n_test is not None:
        n_samples = int(losses.n_test[0])
    return str(losses.design), counted(n_samples, "example") if n_samples else ""


def design_sentence(losses, table):
    """Return design, sample and test."""
    design, sample = design_and_sample(losses)
    phrases = [design]
    if sample:
        if losses.n_groups:
            scope = "for new groups"
            if not losses.has_whole_groups:
                scope = "some in both training and test sets"
            sample += f" in {counted(losses.n_groups, 'group')}, {scope}"
        phrases.append(sample)
    if losses.design.kind == CROSSED and not losses.per_example:
        phrases.append("for new runs on this test set")
    if table.test.concerns != "algorithms":
        phrases.append(f"about {table.test.concerns}")
    test = words_of_test(table.test, table.rho[0])
    return f"{capitalised(', '.join(phrases))}; {test}."


def adjustment_sentence(table, is_about_set):
    """Return what p-values and intervals are adjusted for."""
    if len(table) == 1:
        return ""
    if is_about_set:
        return "p-values and intervals are adjusted for all pairs of models."
    if table.test.decides == "posterior":
        return f"Probabilities are not adjusted for {len(table)} pairs."
    return sentence_on_family(len(table), table.p_adjust)


def sentence_on_family(n_tests, p_adjust):
    """Return how p-values and intervals of several tests are adjusted."""
    if n_tests == 1:
        return ""
    if p_adjust is None:
        return "p-values and intervals are not adjusted."
    intervals = "intervals are simultaneous (Bonferroni)"
    if p_adjust == "fdr_bh":
        intervals = "intervals have the level of its last rejection"
    method = METHODS[p_adjust]
    return f"p-values are adjusted for {n_tests} comparisons ({method}); {intervals}."


def constant_sentence(losses, intervals):
    """Return who is worse, or not clearly better, than a constant prediction."""
    constant = losses.loss_of_constant
    if constant is None:
        return ""
    names = np.array(losses.names, dtype=object)
    is_worse = intervals.low > constant
    is_unclear = ~is_worse & (intervals.high >= constant)
    is_unclear &= ~np.isin(names, losses.constant_names)  # which are that prediction
    clauses = []
    if is_worse.any():
        worse = list(names[is_worse])
        clauses.append(f"{join_names(worse)} {'are' if len(worse) > 1 else 'is'} worse")
    if is_unclear.any():
        unclear = list(names[is_unclear])
        verb = "are" if len(unclear) > 1 else "is"
        clauses.append(f"{join_names(unclear)} {verb} not clearly better")
    if not clauses:
        return ""
    value = Unit(losses.metric).mean(constant)
    word = Unit(losses.metric).word
    predicted = losses.metric.constant_word or "the class frequencies"
    article = "an" if word[0] in "aeiouR" else "a"
    text = f"{predicted} gives {article} {word} of {value}"
    if losses.metric.is_share:
        text = f"{predicted} gives {value} {word}"
    return f"Predicting {text}; {'; '.join(clauses)}."


def endless_sentence(losses, models, table):
    """Return why some intervals of ratios are not printed, "" if all are."""
    lows = np.array([row.low for row in models.others])
    highs = np.array([row.high for row in models.others])
    if (
        len(models.rows) < 3
        or not table.by_ratio
        or not says_nothing(lows, highs).any()
    ):
        return ""
    units = counted(losses.n_groups, "group") if losses.n_groups else "so few examples"
    return f"– no interval: with {units} the ratio has no upper bound."


def left_out_sentence(n_left, noun="model"):
    """Return how many rows are not printed, "" if all are."""
    if n_left <= 0:
        return ""
    verb = "is" if n_left == 1 else "are"
    return f"{n_left} more {noun if n_left == 1 else noun + 's'} {verb} in to_frame()."


def failure_sentence(losses):
    """Return who is left out."""
    n_fits = losses.design.n_splits
    texts = []
    for name, reasons in losses.errors.items():
        texts.append(f"{name} ({len(reasons)} of {n_fits} fits failed)")
    return f"Left out: {join_names(texts)}." if texts else ""


# For a paper ------------------------------------------------------------------------


def methods_sentence(losses):
    """Return what was compared, on which data, and by which splits."""
    names = join_names(losses.names)
    if len(losses.names) > 3:
        names = f"{len(losses.names)} {losses.noun}s"
    design, sample = design_and_sample(losses)
    if sample:
        sample = f" on {sample}"
    if losses.n_groups and sample:
        sample += f" in {counted(losses.n_groups, 'group')}"
    if losses.n_train is not None and sample:
        size = sizes_text(losses.n_train).removesuffix(" examples")
        sample += f" ({size} for training)"
    design = ", ".join(filter(None, [design, losses.cv_words]))
    return f"We compared {names}{sample} by {design}."


def means_sentence(losses, intervals, alpha):
    """Return the means of two or three models, "" of more."""
    if not 1 < len(losses.ranking) <= 3:
        return ""
    unit = Unit(losses.metric)
    texts = []
    for position in losses.ranking:
        low, high = intervals.low[position], intervals.high[position]
        if losses.metric.is_score:
            low, high = high, low
        ends = f"{unit.mean(low)} to {unit.mean(high)}".replace("%", "")
        level = "" if texts else f"{percent(1 - alpha)} CI "
        interval = f" ({level}{ends})" if np.isfinite([low, high]).all() else ""
        mean = unit.mean(losses.mean_losses[position])
        texts.append((quoted(losses.names[position]), f"{mean}{interval}"))
    (first, score), *others = texts
    article = "an" if unit.mean_word[0] in "aeiouR" else "a"
    others = " and ".join(f"{name} {numbers}" for name, numbers in others)
    return f"{first} had {article} {unit.mean_word} of {score}, {others}."


def sentences_on_test(table, is_about_set):
    """Return the statistic of a pair, and up to which ρ it is significant."""
    rho = table.rho[0]
    test = words_of_test(table.test, rho)
    if len(table) > 1:
        adjustment = adjustment_sentence(table, is_about_set)
        of_many = _rho_of_many(table, is_about_set)
        return [f"{test}.", adjustment, of_many, _concerns_sentence(table.test)]
    lines = []
    if table.test.rho_is_shown:
        bound = f"Provided that ρ ≤ {rho:.3g}"
        if table.significant[0]:
            level = percent(table.alpha)
            lines.append(
                f"{bound}, the difference is significant at the {level} level."
            )
    statistic = f"{table.statistic[0]:.4g}".replace("-", "−")
    df = np.ravel(table.df)
    degrees = ", ".join(f"{round(d, 2):g}" for d in df if np.isfinite(d))
    symbol = table.test.symbol
    if degrees:
        symbol = f"{symbol}({degrees})"
    if np.isfinite(table.statistic[0]):
        test += f", {symbol} = {statistic}"
    lines.append(f"{test}.")
    rho_alpha = table.rho_alpha[0]
    if table.test.decides != "difference":
        rho_alpha = np.nan
    if rho_alpha >= 0:
        verb = "is" if table.significant[0] else "would be"
        lines.append(f"The difference {verb} significant for ρ up to {rho_alpha:.3f}.")
    elif np.isfinite(rho_alpha):
        lines.append("The difference is not significant, even at ρ = 0.")
    return [*lines, _concerns_sentence(table.test)]


def _concerns_sentence(test):
    """Return that a test is about what was fitted, if it is."""
    if test.concerns == "algorithms":
        return ""
    return f"This is about {test.concerns}, not the learning algorithms."


def split_sentence(losses):
    """Return what one K-fold does not show."""
    if losses.design.kind != "k-fold" or len(losses.names) > 2:
        return ""
    return "A single K-fold does not show how much the split matters."


def _rho_of_many(table, is_about_set):
    """Return up to which ρ all significant differences are significant."""
    rho_alpha = table.rho_alpha[table.significant]
    if is_about_set or table.test.decides != "difference":
        return ""
    if not len(rho_alpha) or not rho_alpha.min() >= 0:
        return ""
    unadjusted = " (unadjusted)" if table.is_adjusted else ""
    return (
        f"Every significant difference stays significant{unadjusted} for ρ up to "
        f"{rho_alpha.min():.3f}."
    )


def software_sentence():
    """Return the versions of the packages that a paper names."""
    return (
        f"Software: sklearn_cvtest {__version__}, scikit-learn {sklearn.__version__}."
    )
