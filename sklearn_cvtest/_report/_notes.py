"""What else is said of a comparison: how it was made, and what a reader must know."""

import numpy as np

from .._losses._names import metric_word
from .._pairs._models import MANY, TIED, is_about_set
from .._pairs._ranking import BEST_SET, ranking_of
from .._splits._groups import few_groups_note
from .._validation import words_of
from . import _findings
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
from ._rows import most_shown
from ._words import names_pairs_only, short_name, verdict_lines

METHODS, HOW, MARKS, NOTES, REPORT = (
    words_of(__package__)[theme]
    for theme in ("adjustments", "how", "marks", "notes", "report")
)
CLEAR = 10  # percent of a difference
WORDS = 120  # of a paragraph on two
MOST_NAMED = 3  # models; of more, their number
IMBALANCED = 0.7  # the share of a class from which on others are rare


def design_line(result, name, shows_pairs=False, *, marked=True):
    """Return how the results were made: design, sample, test, adjustment, marks."""
    losses, table = result.losses, result.tables[name]
    about = HOW[_findings.concern(result, table.test)]
    if losses.n_groups is not None and not _findings.breaks_groups(losses):
        about = about or "for new groups"
    made = _findings.design_words(losses.design), _findings.sample_text(losses), about
    made = ", ".join(filter(None, made))
    line = f"{made[0].upper()}{made[1:]}; {tested(result, name)}."
    marks = _marks(result, name) if marked and not shows_pairs else ""
    return " ".join(filter(None, [line, _family(result, name, shows_pairs), marks]))


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
        return HOW["probabilities"].format(n=len(table)) * (len(table) > 1)
    is_of_set = not shows_pairs and is_about_set(result, name)
    if is_of_set or table.p_adjust == BEST_SET:
        return HOW["set"]
    if not table.is_adjusted:
        return HOW["nothing"] * (len(table) > 1)
    intervals = "intervals are not"
    if table.ci_low_simultaneous is not None:
        by = "max-t" if table.p_adjust == "max-t" else "Bonferroni"
        intervals = f"intervals are simultaneous ({by})"
    known = {"method": METHODS[table.p_adjust], "intervals": intervals}
    more = HOW["all pairs"] * is_about_set(result, name)
    return HOW["adjusted"].format(n=table.n_comparisons, **known) + more


def _marks(result, name):
    """Return what the mark means, "" if there is none."""
    if names_pairs_only(result, result.tables[name]):
        return ""
    models = result.decisions[name]
    n_tied = len(models.positions(*TIED))
    if len(models.rows) < 3 or not n_tied:
        return ""
    if _findings.is_bayesian(models.table):
        return MARKS["posterior"].format(sure=percent(1 - models.table.alpha))
    if models.is_about_best:
        return MARKS["best"]
    return MARKS["reference"].format(name=models.table.names[models.pivot])


def notes(result, remarks=(), *, advice=True):
    """Return what a reader must know, the most important first.

    `remarks` are sentences on what was compared; `advice` says what a reader may want
    to do, which is nothing for a paper.
    """
    losses, found = result.losses, None
    if len(losses.estimator_names) <= MANY:
        found = result.estimator_intervals()
    lines = [_findings.broken_groups_note(losses)]
    if few_groups_note(losses.n_groups):
        lines.append(NOTES["few groups"].format(n=losses.n_groups))
    lines += [*_failed_notes(losses), *remarks]
    n_hidden = len(ranking_of(losses)) - most_shown(result)
    if advice and n_hidden > 0:
        more = more_are(n_hidden, result.noun)
        lines.append(NOTES["hidden"].format(more_are=more))
    lines.append(_taken_as(losses) if advice else "")
    lines.append(_weights_note(losses, next(iter(result.tables.values())), CLEAR))
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
    is_open = np.isinf(found.ci_low) & np.isinf(found.ci_high)
    where = "in all test sets"
    if len(losses.fit_failed) == 1:
        where = "for all examples" if losses.per_example else "in the only test set"
    return [
        NOTES[kind].format(
            metric=measure_of(losses).word,
            where=where,
            names=listed([found.names[i] for i in np.flatnonzero(is_equal & mask)]),
        )
        for kind, mask in (
            ("known", ~(is_whole | is_open)),
            ("unknown", is_whole & ~is_open),
            ("no interval", is_open),
        )
        if (is_equal & mask).any()
    ]


def _is_constant(losses, name):
    """Whether a model, if any, is as good as a constant prediction."""
    if name is None or losses.of_constant is None:
        return False
    mean = losses.mean_losses[losses.estimator_names.index(name)]
    return np.isclose(mean, losses.of_constant, rtol=1e-3)


def _constant_note(losses, found, advice):
    """Return who is worse or not clearly better than a constant prediction, else ""."""
    if losses.of_constant is None:
        return ""
    lows, highs = found.ci_low, found.ci_high
    if losses.is_score:
        lows, highs = -highs, -lows
    is_worse = lows > losses.of_constant
    is_unclear = ~is_worse & (highs >= losses.of_constant)
    names = np.array(found.names, dtype=object)
    verdicts = [
        _not_better(names[mask], len(names), how)
        for mask, how in ((is_worse, "worse"), (is_unclear, "not clearly better"))
        if mask.any()
    ]
    if not verdicts:
        return ""
    constant, instead = _constant_words(losses), ""
    share = -losses.of_constant if losses.is_score else 1 - losses.of_constant
    if measure_of(losses).is_share and share >= IMBALANCED and advice:
        instead = NOTES["rare"]
    who = "; ".join(verdicts)
    return NOTES["constant"].format(constant=constant, who=who, instead=instead)


def _not_better(names, n_models, how):
    """Return that models are not better than a constant, and in which way."""
    if len(names) == n_models:
        everyone = "both are" if n_models == 2 else f"all {n_models} are"
        if how == "worse":
            return f"{everyone} worse"
        return f"{'neither' if n_models == 2 else 'none'} is clearly better"
    if len(names) > MOST_NAMED:
        return f"{len(names)} of the {n_models} are {how}"
    return f"{listed(list(names))} {are(names)} {how}"


def _constant_words(losses):
    """Return what the best constant prediction is, and what it gives."""
    measure = measure_of(losses)
    value = measure.value(losses.of_constant)
    if measure.is_share:
        return f"Predicting the most frequent class gives {value} {measure.word}"
    article = "an" if measure.word[0] in "aeiouR" else "a"
    gives = f"gives {article} {measure.word} of {value}"
    if metric_word(losses.measured) in ("roc_auc", "average_precision"):
        return f"A constant prediction {gives}"
    if metric_word(losses.measured) in ("log_loss", "brier"):
        return f"Predicting the class frequencies {gives}"
    middle = "median" if "absolute" in measure.word else "mean"
    return f"Predicting the {middle} {gives}"


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
        yield NOTES["left out"].format(names=names)
    kept = sorted(f"{k} {counts[k]} of {n}" for k in counts.keys() - gone if counts[k])
    if kept:
        yield NOTES["failed"].format(names=", ".join(kept))


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
    seen = gap > size * np.maximum(0.01 * np.abs(table.estimate), 0.003 * width)
    return NOTES["weights"].format(weighs=weighs) * bool(seen.any())


def _taken_as(losses):
    """Return that splits of given sizes might be the folds of a K-fold, else ""."""
    sizes = losses.n_test
    if losses.design.kind != "subsample" or losses.cv_description or sizes is None:
        return ""
    are_folds = np.all(losses.n_train + sizes == sizes.sum())
    is_known = losses.split_hash is not None
    return "" if is_known or not are_folds else NOTES["taken as"].format(n=len(sizes))


# The paragraph -----------------------------------------------------------------------


def report_sentences(result, remarks=()):
    """Return the sentences of a paragraph for a paper.

    Of two models, remarks are added as far as there is room for words.
    """
    tables, losses = result.tables, result.losses
    said = [_methods_sentence(result), *_means_sentence(result), *verdict_lines(result)]
    more = []
    for name, table in tables.items():
        of_test = _of_many_pairs if len(table) > 1 else _of_one_pair
        sentences, of_table = of_test(result, name, table)
        said += sentences
        more += of_table
    unequal = _weights_note(losses, next(iter(tables.values())))
    more = [unequal, *notes(result, remarks, advice=False), *more]
    software = REPORT["software"].format(**versions())
    is_short = len(tables) == 1 and len(losses.estimator_names) == 2
    for remark in filter(None, dict.fromkeys(more)):
        n_words = len(" ".join([*said, remark, software]).split())
        if n_words <= WORDS or not is_short:
            said.append(remark)
    return [*said, software]


def _methods_sentence(result):
    losses = result.losses
    names = losses.estimator_names
    whom = listed(list(names)) if len(names) <= 3 else f"{len(names)} {result.noun}s"
    how, made = _findings.design_words(losses.design), losses.cv_description
    if made:
        how += ("," if made[0] != "(" else "") + f" {made}"
    how += ", weighted by sample_weight" * losses.is_weighted
    sample = f" on {_findings.sample_text(losses)}" if losses.n_samples else ""
    if losses.design.kind == "crossed" and losses.per_example:
        how, sample = f"{how} ({_findings.sample_text(losses)})", ""
    if losses.n_train is not None and losses.n_test is not None:
        sizes = _findings.range_text(losses.n_train)
        on = f" on {_findings.examples_text(losses.n_train)}"
        sample += f" ({sizes} for training)" if sample else on
    return REPORT["methods"].format(whom=whom, sample=sample, how=how)


def _means_sentence(result):
    # generates the means of up to three, with their intervals
    means = _means_of_few(result)
    if means:
        (name, mean), *others = means.items()
        others = " and ".join(f"{name} {mean}" for name, mean in others)
        words = {"name": name, "word": measure_of(result.losses).word, "mean": mean}
        yield REPORT["means"].format(**words, others=others)


def _means_of_few(result):
    """Return {name: mean and interval} as texts of two or three models, else {}."""
    losses, measure = result.losses, measure_of(result.losses)
    order = ranking_of(losses)
    if not 1 < len(order) <= 3:
        return {}
    names = [losses.estimator_names[i] for i in order]
    means = [measure.value(losses.mean_losses[i]) for i in order]
    found = result.estimator_intervals()
    if found is None:
        return dict(zip(names, means, strict=True))
    lows, highs = users_ends(losses, found.ci_low[order], found.ci_high[order])
    ends = ([measure.end(end) for end in side] for side in (lows, highs))
    intervals = [interval_words(low, high) for low, high in zip(*ends, strict=True)]
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
    said = [_methods_sentence(next(iter(results.values())))]
    for metric, result in results.items():
        word = words[metric][0].upper() + words[metric][1:]
        means = [f"{name} {mean}" for name, mean in _means_of_few(result).items()]
        verdict = " ".join(verdict_lines(result))
        means = f"{', '.join(means)}. " * bool(means)
        said.append(f"{word}: {means}{verdict}")
    how = [
        f"{tested(result, name)}. {_family(result, name)}".strip()
        for result in results.values()
        for name in result.tables
    ]
    said += [*dict.fromkeys(how), REPORT["metrics"].format(n=len(results)), *remarks]
    return [*said, REPORT["software"].format(**versions())]


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
    said = [f"{tested(result, name)}. {_family(result, name)}".strip()]
    if _findings.are_runs_alone(result.losses):
        return said, [_about_runs()]
    found = table.rho_alpha[table.significant]
    is_known = len(found) and np.isfinite(found).all() and found.min() >= 0
    in_family = not is_about_set(result, name) and table.p_adjust != BEST_SET
    if is_known and in_family and table.test.traits.decides == "difference":
        before = " (unadjusted)" * table.is_adjusted
        rho = f"{found.min():.3f}"
        said.append(REPORT["all for rho"].format(before=before, rho=rho))
    return said, [table.traits.remark]


def _of_one_pair(result, name, table):
    """Return the statistic, and what may be added: for which ρ, and about seeds."""
    row, said, decides = table.row(0), [], table.test.traits.decides == "difference"
    found = row.pvalue_adjusted <= table.alpha
    condition = _findings.proviso(table.test, row.rho, found)
    if condition and (found or not decides):
        claim = "significant" if decides else "shown to be within the margin"
        words = {"claim": "not " * (not found) + claim, "level": percent(table.alpha)}
        condition = condition[0].upper() + condition[1:]
        said.append(REPORT["condition"].format(condition=condition, **words))
    statistic = minus(_findings.statistic_text(table, row))
    if _findings.is_bayesian(table) and not table.test.popmean:
        statistic = (
            f"{statistic}; {_findings.posterior(measure_of(result.losses), table, row)}"
        )
    said.append(", ".join(filter(None, [tested(result, name), statistic])) + ".")
    said += _limit_of_counts(result.losses, table, row)
    if _findings.are_runs_alone(result.losses):
        return said, [_about_runs()]
    seed = REPORT["one split"] * (result.losses.design.kind == "k-fold")
    at_rho = _up_to_which_rho(row, found) if decides else ""
    return said, [at_rho, table.traits.remark, seed]


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
        words = {"word": measure_of(losses).word, "examples": n_examples}
        yield REPORT["few"].format(**words)


def _up_to_which_rho(row, found):
    """Return up to which ρ a difference is significant, "" if that is known already."""
    rho = row.rho_alpha
    if np.isnan(rho) or not row.statistic or (rho < 0 and not found):
        return ""
    words = {"by": REPORT["of means"] * bool(np.isnan(row.rho))}
    if rho < 0:
        return REPORT["at no rho"].format(**words)
    words |= {"is_so": "is" if found else "would be", "rho": format_rho_alpha(rho)}
    return REPORT["up to rho"].format(**words)
