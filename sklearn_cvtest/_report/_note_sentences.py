"""Sentences on how a comparison was made: each stands whole in one function.

Names and numbers are texts as they are printed; what is said is decided in `_notes.py`
and `_comparison_document.py`.
"""

from ._format import counted

# What p-values and intervals are adjusted for ---------------------------------------

# Names of adjustments.
METHODS = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "hochberg": "Hochberg",
    "fdr_bh": "Benjamini–Hochberg",
    "max-t": "max-t",
}


def concern_of_test(concerns):
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


def probabilities_not_adjusted(n_pairs):
    """Return that posterior probabilities are not adjusted."""
    return f"Probabilities are not adjusted for {n_pairs} pairs."


def pvalues_adjusted(n_comparisons, method, intervals):
    """Return how p-values are adjusted, and whether intervals are."""
    return (
        f"p-values are adjusted for {n_comparisons} comparisons ({method}); "
        f"{intervals}."
    )


def metrics_not_adjusted(n_metrics):
    """Return that several metrics are not adjusted for."""
    return f"p-values are not adjusted for the {n_metrics} metrics."


# Marks in tables --------------------------------------------------------------------


def mark_of_posterior(probability):
    """Return what the mark means where posterior probabilities decide."""
    return f"† neither better nor worse with {probability} probability."


def mark_of_reference(name):
    """Return what the mark means beside a reference."""
    return f"† not significantly different from {name}."


# Notes ------------------------------------------------------------------------------


def equal_with_exact_interval(metric, where, names):
    """Return that losses do not vary, but for chance of a binomial."""
    return (
        f"The {metric} is the same {where} for {names}; the interval is "
        "Clopper–Pearson."
    )


def equal_with_whole_range(metric, where, names):
    """Return that losses do not vary, so that their mean may be any."""
    return (
        f"The {metric} is the same {where} for {names}; the interval is the whole "
        "range."
    )


def equal_without_interval(metric, where, names):
    """Return that losses do not vary, and may have any size."""
    return (
        f"The {metric} is the same {where} for {names}; without a known range there is "
        "no interval."
    )


def few_groups(n_groups):
    """Return that there are few groups."""
    return f"With only {n_groups} groups, p-values and intervals can be far off."


def few_positives(n_positives):
    """Return why a table has no intervals of differences."""
    return (
        f"By how much models differ cannot be said from "
        f"{counted(n_positives, 'positive')}: intervals would miss too often."
    )


def hidden_models(more_are):
    """Return where models are that a table leaves out."""
    return f"{more_are} in summary()."


def left_out(names):
    """Return who is left out."""
    return f"Left out: {names}."


def failed_fits(names):
    """Return whose fits failed and have an `error_score`."""
    return f"Failed fits, given error_score: {names}."


def means_and_differences_disagree(units):
    """Return why two means have another difference than is shown."""
    return (
        f"Means average splits of unequal size and differences average {units}, so "
        "they disagree."
    )


def sizes_taken_for_subsamples(n_splits):
    """Return that splits of given sizes might be folds."""
    return (
        "Only the sizes of the splits were given, and they are taken for random "
        "subsamples; if they are the folds of one K-fold, leave the sizes out, or pass "
        f"cv={n_splits}."
    )


def race_left(n_compared, n_searched):
    """Return which candidates of a race are compared."""
    return (
        f"Racing search: {n_compared} of {n_searched} candidates were fitted on all "
        "splits and are compared; the others were dropped earlier."
    )


def halving_left(n_compared, n_searched):
    """Return which candidates of successive halving are compared."""
    return (
        f"Successive halving: {n_compared} of {n_searched} candidates reached the last "
        "iteration and are compared; the others were scored on smaller samples."
    )


def not_finite(n_candidates):
    """Return that candidates without finite scores are left out."""
    if n_candidates == 1:
        return "Left out: 1 candidate with scores that are not finite."
    return f"Left out: {n_candidates} candidates with scores that are not finite."


# The paragraph for a paper ----------------------------------------------------------


def models_compared(models, sample, design):
    """Return what was compared, and by which splits."""
    return f"We compared {models}{sample} by {design}."


def means_of_models(name, measure, mean, others):
    """Return the means of two or three models."""
    return f"{name} had {measure} of {mean}, {others}."


def all_significant_up_to_rho(rho, is_adjusted):
    """Return for which ρ all significant differences stay so."""
    unadjusted = " (unadjusted)" if is_adjusted else ""
    return (
        f"Every significant difference stays significant{unadjusted} for ρ up to {rho}."
    )


def conditional_claim(condition, claim, level):
    """Return a conclusion with the ρ for which it holds."""
    return f"{condition}, the difference is {claim} at the {level} level."


def significant_at_no_rho(by):
    """Return that a difference is not significant for any ρ."""
    return f"The difference is not significant{by}, even at ρ = 0."


def significant_up_to_rho(verb, by, rho):
    """Return for which ρ a difference is, or would be, significant."""
    return f"The difference {verb} significant{by} for ρ up to {rho}."


def limited_by_rarer_class(measure, examples):
    """Return that few examples of a class limit p."""
    return (
        f"As {measure} rests on {examples} of the rarer class, p and the interval are "
        "at least as large as so few allow."
    )


def about_runs():
    """Return what a comparison of runs on one test set says nothing about."""
    return (
        "This is about new runs of these models on this test set, not other examples."
    )


def software(sklearn_cvtest, scikit_learn):
    """Return the versions of packages."""
    return f"Software: sklearn_cvtest {sklearn_cvtest}, scikit-learn {scikit_learn}."


# Tiers, and letters -----------------------------------------------------------------


def tiers_meaning(method):
    """Return what the letters in the column of tiers mean."""
    adjusted = f"adjusted ({method})" if method else "not adjusted"
    return (
        "Models that share a letter in the column tier do not differ significantly, by "
        f"the p-values of all pairs, {adjusted}."
    )


# What columns and terms mean --------------------------------------------------------


def meaning_of_p():
    """Return what p is."""
    return (
        "p: The probability of a difference at least this large if there is none and "
        "the test's assumptions hold. A large p is no evidence of equality."
    )


def meaning_of_p_of_best():
    """Return what p is where the verdict is about the best."""
    return (
        "p: The probability that some model falls behind another at least as clearly "
        "if all are equally good. Small if a model is not the best. Models that are "
        "more clearly worse are left out (step-down)."
    )


def meaning_of_posterior():
    """Return what posterior probabilities are."""
    return (
        "P(worse), P(equiv.), P(better): The probability, given these results and the "
        "prior of the test, that the model is worse, practically equivalent, or better."
    )


def meaning_of_rho():
    """Return what ρ is."""
    return (
        "ρ (rho): The share of the variance of the mean difference that is due to the "
        "correlation between splits, which share training examples. The usual t test "
        "takes it for 0. One cross-validation gives no unbiased estimate of it."
    )


def meaning_of_rho_alpha():
    """Return what ρ_α is."""
    return (
        "ρ_α (rho_alpha): The largest ρ at which the difference is significant, before "
        "adjustment. None: it is not significant even at ρ = 0."
    )
