"""Sentences of comparisons over data sets: each stands whole in one function.

Names and numbers are texts as they are printed; what is said is decided in `_words.py`.
"""

from .._report._format import are, listed

# Two estimators ---------------------------------------------------------------------


def better(n_datasets, lead, pvalue):
    """Return that one of two estimators is better on average."""
    return (
        f"Over {n_datasets} data sets: {lead.ahead} is better than {lead.behind} by "
        f"{lead.amount} on average ({lead.interval}, {pvalue})."
    )


def not_significant(n_datasets, lead, pvalue):
    """Return that one of two estimators is ahead, but not significantly."""
    return (
        f"Over {n_datasets} data sets: No significant difference between {lead.ahead} "
        f"and {lead.behind}: {lead.ahead} is ahead by {lead.amount} on average "
        f"({lead.interval}, {pvalue})."
    )


def ratio_on_average(n_datasets, lead, pvalue, is_significant):
    """Return how much lower the loss of one of two estimators is on average."""
    if is_significant:
        return (
            f"Over {n_datasets} data sets: {lead.ahead} is better than {lead.behind}: "
            f"its {lead.word} is {lead.amount} on average ({lead.interval}, {pvalue})."
        )
    return (
        f"Over {n_datasets} data sets: No significant difference between {lead.ahead} "
        f"and {lead.behind}: the {lead.word} of {lead.ahead} is {lead.amount} on "
        f"average ({lead.interval}, {pvalue})."
    )


def equal_on_average(n_datasets, lead, pvalue):
    """Return that two estimators have the same mean."""
    return (
        f"Over {n_datasets} data sets: No difference between {lead.ahead} and "
        f"{lead.behind} on average ({lead.interval}, {pvalue})."
    )


def one_data_set(first, second, dataset, lead, details):
    """Return what one data set shows, which is nothing about others."""
    compared = (
        f"One data set says nothing about others: {first} and {second} were compared "
        f"on {dataset} only"
    )
    if lead.word:
        return (
            f"{compared}, where the {lead.word} of {lead.ahead} is "
            f"{lead.amount}{details}."
        )
    return f"{compared}, where {lead.ahead} is ahead by {lead.amount}{details}."


def no_data_set(first, second):
    """Return that no data set compares two estimators."""
    return f"No data set shows how {first} and {second} differ, or how precisely."


def prediction(lead):
    """Return what is predicted of another data set."""
    if lead.word:
        return (
            f"On another data set like these, the {lead.word} of {lead.ahead} is "
            f"predicted to be {lead.ratio_ends} than for {lead.behind} "
            f"({lead.level} prediction interval)."
        )
    return (
        f"On another data set like these, {lead.ahead} is predicted to be ahead of "
        f"{lead.behind} by {lead.low} to {lead.high} ({lead.level} prediction "
        "interval)."
    )


# Several estimators -----------------------------------------------------------------


def compared_with(n_datasets, reference):
    """Return how a sentence on a reference begins."""
    return f"Over {n_datasets} data sets, compared with {reference}: "


def best_mean_rank(n_datasets, name, rank):
    """Return how a sentence on the estimator with the best mean rank begins."""
    return f"Over {n_datasets} data sets, {name} has the best mean rank ({rank}); "


def best_mean(n_datasets, name):
    """Return how a sentence on the estimator with the best mean begins."""
    return f"Over {n_datasets} data sets, {name} has the best mean; "


def around_the_best(better_names, worse_names):
    """Return the clauses on those that differ from the one with the best mean rank."""
    clauses = []
    if worse_names:
        clauses.append(f"it is better than {listed(worse_names)}")
    if better_names:
        verb = are(better_names)
        clauses.append(f"{listed(better_names)} {verb} better than it")
    return clauses


def around_the_reference(better_names, worse_names):
    """Return the clauses on those that differ from the reference."""
    clauses = []
    if better_names:
        clauses.append(f"{listed(better_names)} {are(better_names)} better")
    if worse_names:
        clauses.append(f"{listed(worse_names)} {are(worse_names)} worse")
    return clauses


def not_different(names):
    """Return the clause on those that do not differ significantly."""
    return f"{listed(names)} {are(names)} not significantly different from it"


# Notes ------------------------------------------------------------------------------

NOT_ADJUSTED = "Intervals are not adjusted for the number of pairs."
RATIOS = "Losses are compared by ratio: averages are over their logarithms."
NO_ERRORS = (
    "One number for each data set and estimator says nothing of its own error, which "
    "is in no interval or p-value here."
)


def missing_results(name, datasets, n_datasets):
    """Return on which data sets an estimator has no result, a clause."""
    return (
        f"{name} has no result on {len(datasets)} of {n_datasets} data sets "
        f"({listed(datasets)})"
    )


def not_compared(lacks):
    """Return that an estimator is not compared where it has no result."""
    return f"{lacks}; there, it is not compared."


def not_ranked(lacks):
    """Return that an estimator with too few results has no rank."""
    return f"{lacks} and is not ranked."


def ranked_last(lacks):
    """Return that an estimator is the last where it has no result."""
    return f"{lacks}; there, it is ranked last, and left out of the mean differences."


def friedman_note(pvalue):
    """Return the result of Friedman's test."""
    return f"Friedman's test that all rank alike: {pvalue}."


def left_out_note(dataset, names):
    """Return who is left out where fits failed."""
    return f"Left out on {dataset}, where fits failed: {names}."


def hidden_pairs_note(more_are):
    """Return where the pairs are that a table leaves out."""
    return f"{more_are} in to_frame()."


# Tables -----------------------------------------------------------------------------


def pairs_legend(measure, counted, prediction=""):
    """Return what the columns of a table of pairs mean."""
    return (
        f"by: the difference in {measure}, averaged over data sets.{prediction} "
        "wins/ties/losses count the data sets on which the one that is ahead is "
        f"{counted}."
    )


def ratios_legend(measure, counted, prediction=""):
    """Return what the columns of a table of pairs mean that are compared by ratio."""
    return (
        f"difference: the {measure} of the first, in percent above or below that of "
        f"the other, averaged over data sets.{prediction} wins/ties/losses count the "
        f"data sets on which the one that is ahead is {counted}."
    )


def counted_by_tests(level):
    """Return what wins, ties and losses are where each data set has a test."""
    return (
        "significantly better, neither is, or it is worse, at the "
        f"{level} level, not adjusted"
    )


COUNTED_BY_MEANS = "better, equal, or worse"
PREDICTION_OF_TRUE_DIFFERENCES = (
    " The prediction interval is for the true difference on another data set like "
    "these."
)
PREDICTION_OF_DIFFERENCES = (
    " The prediction interval is for the difference on another data set like these."
)


def means_legend(measure, n_datasets, marks, has_ranks):
    """Return what the rows and the signs of a table of means are."""
    ranks = "; the last row has mean ranks, 1 is best" if has_ranks else ""
    return f"Mean {measure} on {n_datasets} data sets; {marks}{ranks}."


def marks_by_tests(base, level):
    """Return what signs at means are where each data set has a test."""
    return (
        f"∘ is significantly better and • significantly worse than {base}, at the "
        f"{level} level, not adjusted"
    )


def marks_by_means(base):
    """Return what signs at means are without tests."""
    return f"∘ is better and • worse than {base}"


# The table of many ------------------------------------------------------------------


def differences_behind(best, measure, test):
    """Return what the differences from the best one are, and their p-values."""
    return (
        f"behind the best: the difference in {measure} from {best}, averaged over data "
        f"sets; p-values are from {test}."
    )


def ratios_behind(best, measure, test):
    """Return what the ratios to the best one are, and their p-values."""
    return (
        f"behind the best: by how many percent the {measure} is above the {measure} of "
        f"{best}, averaged over data sets; p-values are from {test}."
    )


def hidden_models(more_are):
    """Return where the estimators are that a table leaves out."""
    return f"{more_are} in letters()."


WHERE_ALL_IS = (
    "All pairs are in to_frame(), and the means on each data set in to_latex() and "
    "to_html()."
)


# The report for a paper -------------------------------------------------------------


def estimators_compared(n_estimators, designs):
    """Return what was compared, and by which splits."""
    return f"We compared {n_estimators} estimators{designs}."


def differences_averaged(averaging):
    """Return how differences without tests were averaged."""
    return f"The differences on the data sets were {averaging}"


def tested_and_averaged(tests, averaging):
    """Return how differences were tested, and averaged."""
    return f"Differences on each data set are from {tests}. They were {averaging}"


def random_effects(adjusted):
    """Return how differences are averaged over data sets."""
    return (
        "averaged in a random-effects model with equal weights, and tested by "
        "Student's t test, each data set an observation; p-values are "
        f"two-sided{adjusted}."
    )


# Ranks ------------------------------------------------------------------------------


def mean_ranks_compared(
    n_estimators, n_datasets, friedman, iman_davenport, critical_difference, level
):
    """Return the tests that all rank alike, and which mean ranks differ."""
    return (
        f"Mean ranks of {n_estimators} estimators over {n_datasets} data sets, 1 is "
        f"the best. Tests that all are equally good: Friedman's {friedman}; Iman and "
        f"Davenport's {iman_davenport}. Mean ranks that differ by more than "
        f"{critical_difference:.3g} differ significantly at the {level} level "
        "(Nemenyi)."
    )


PVALUES_OF_RANKS = (
    "The p-values compare each estimator with the first, adjusted for all pairs: "
    "Nemenyi's test, and Wilcoxon's signed-rank test by Holm's method."
)
