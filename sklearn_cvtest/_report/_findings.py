"""What a test found, in words: its statistic, and what its p-value says."""

from dataclasses import dataclass

import numpy as np

from ._measure import minus

BROKEN_GROUPS = (
    "Groups are in both training and test sets, so nothing follows for new groups."
)


def statistic_text(table, row):
    """Return the statistic as printed in a paper, such as "t(9) = 2.31"."""
    traits = table.test.traits_of(row)
    if traits.counts:
        return ", ".join(f"{sign} = {row.columns[n]:.0f}" for sign, n in traits.counts)
    if np.isinf(row.statistic):  # without variance: the number of examples decides
        return ""
    df = row.df if isinstance(row.df, tuple) else (row.df,)
    df = ", ".join(f"{round(value, 2):g}" for value in df if np.isfinite(value))
    if df and traits.symbol.endswith(")"):
        return f"{traits.symbol} = {row.statistic:.4g}, {df} df"
    degrees = f"({df})" if df else ""
    return f"{traits.symbol}{degrees} = {row.statistic:.4g}"


def proviso(test, rho, significant):
    """Return the ρ for which a conclusion holds, "" if none was assumed."""
    if not test.traits.rho_is_assumed:
        return ""
    # with a larger ρ the difference can only be less significant
    bound = "provided that ρ ≤" if significant else "with ρ ="
    return f"{bound} {rho:.3g}"


def shifted_claim(test):
    """Return what is shown of a difference that is not compared with 0."""
    centre, is_equal = test.popmean, test.traits.decides == "equivalence"
    if is_equal and test.alternative == "two-sided":
        return f"within {test.traits.region:g} of {minus(f'{centre:g}')}"
    if is_equal:
        centre += test.traits.region * (1 if test.alternative == "less" else -1)
    than = {"two-sided": "different from", "greater": "above", "less": "below"}
    return f"{than[test.alternative]} {minus(f'{centre:g}')}"


@dataclass(frozen=True)
class Verdict:
    """What a test found.

    Attributes
    ----------
    decision : str
        For two: "better", "not significant", "same", "equivalent", "inconclusive",
        "different" (by a test that does not say which is better). For many: "ranking".
    better, worse, tied : tuple of str
        For two: who is better than whom, or who are tied. For many: who is better or
        worse than `pivot`, or tied with it.
    pivot : str or None
        For many: whom the others are compared with, the best or the reference.
    estimate, low, high : float
        For two: the difference, in the unit of the loss or score and positive if the
        one that is named first is ahead, and its interval; nan for many.
    level : float
        The level of the interval.
    pvalue : float
        The p-value that decides; nan of many.
    detectable_difference : float
        Without a significant difference: what would have been found with probability
        80%, approximately; else nan.
    text : str
        The sentence or sentences.
    """

    decision: str
    text: str
    better: tuple = ()
    worse: tuple = ()
    tied: tuple = ()
    pivot: str | None = None
    estimate: float = np.nan
    low: float = np.nan
    high: float = np.nan
    level: float = np.nan
    pvalue: float = np.nan
    detectable_difference: float = np.nan


def is_bayesian(table):
    """Whether posterior probabilities decide, and p-values nothing."""
    return table.test.traits.decides == "posterior"


def scope(result, test):
    """Return what a verdict is about: ", trained on 512 examples"."""
    losses = result.losses
    sizes = getattr(losses, "n_train", None)
    on = ""
    if sizes is not None and np.asarray(sizes).dtype.kind in "iu":
        sizes = sizes[losses.design.full]
        on = f" on {range_text(sizes)} example{'s' * bool(sizes.max() > 1)}"
    about = {
        "algorithms": f", trained{on}" if on else "",
        "models": f", as fitted here{on}",
        "runs": ", for new runs on new examples",
        "forecasts": ", in these forecasts",
    }[test.traits.concerns]
    if getattr(losses, "n_groups", None) is None or breaks_groups(losses):
        return about
    of_runs = test.traits.concerns == "runs"
    return about + (" of new groups" if of_runs else ", for examples of new groups")


def breaks_groups(losses):
    """Whether a split tests only some rows of a group; False if it is not known."""
    if losses.groups is None or losses.row_index is None:
        return False
    first = np.unique(losses.row_index, return_index=True)[1]
    sizes = np.bincount(losses.groups[first])
    cells, counts = np.unique(
        losses.row_split * len(sizes) + losses.groups, return_counts=True
    )
    return bool(np.any(counts < sizes[cells % len(sizes)]))


def broken_groups_note(losses):
    """Return what a reader must know of groups on both sides, "" without any."""
    return BROKEN_GROUPS * breaks_groups(losses)


def range_text(sizes):
    """Return sizes as text: one, or from the least to the largest."""
    low, high = sizes.min(), sizes.max()
    return f"{low}" if low == high else f"{low} to {high}"


def sample_text(losses):
    """Return the numbers of examples and groups, "" if not known."""
    if losses.n_samples is None:
        return ""
    groups = f" in {losses.n_groups} groups" if losses.n_groups else ""
    return f"{losses.n_samples} examples{groups}"


def posterior(measure, table, row):
    """Return the posterior probabilities of a row as text."""
    rope = table.test.traits.region
    if table.test.popmean:
        return _shifted_posterior(table.test.popmean, rope, row)
    equal = ""
    if rope:
        within = measure.margin(rope)
        equal = f", P(equivalent within {within}) = {row.columns['prob_rope']:.3f}"
    return (
        f"P({row.first} better) = {row.columns['prob_less']:.3f}{equal}, "
        f"P({row.second} better) = {row.columns['prob_greater']:.3f}"
    )


def _shifted_posterior(popmean, rope, row):
    """Return them of a difference that is not compared with 0: none is better."""
    low, high = popmean - rope, popmean + rope
    difference = f"loss({row.first}) - loss({row.second})"
    low, high, centre = (minus(f"{value:g}") for value in (low, high, popmean))
    equal = ""
    if rope:
        equal = f", P(within {rope:g} of {centre}) = {row.columns['prob_rope']:.3f}"
    return (
        f"P({difference} < {low}) = {row.columns['prob_less']:.3f}{equal}, "
        f"P({difference} > {high}) = {row.columns['prob_greater']:.3f}"
    )


def design_words(design):
    """Return a design as a paper calls it."""
    n_runs = design.n_repeats
    run = str(design).removeprefix(f"{n_runs} x ")
    if run == str(design) or n_runs == 1:
        return run
    return f"{run} repeated {'twice' if n_runs == 2 else f'{n_runs} times'}"
