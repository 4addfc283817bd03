"""What a test found, in words: its statistic, and what its p-value says."""

from dataclasses import dataclass

import numpy as np

from .._splits._design import DesignKind
from ._measure import counted, minus


def statistic_text(table, row):
    """Return the statistic as printed in a paper, such as "t(9) = 2.31"."""
    traits = table.test.traits_of(row)
    if traits.counts:
        return ", ".join(f"{sign} = {row.columns[n]:.0f}" for sign, n in traits.counts)
    if not np.isfinite(row.statistic):  # the number of examples decides, or nothing
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
    detectable_difference: float = np.nan


def is_bayesian(table):
    """Whether posterior probabilities decide, and p-values nothing."""
    return table.test.traits.decides == "posterior"


def are_runs_alone(losses):
    """Whether there is one score of each run on one test set, and none of examples."""
    return losses.design.kind == DesignKind.CROSSED and not losses.per_example


def concern(result, test):
    """Return what a test is about: of runs alone, new runs on their test set."""
    return "runs alone" if are_runs_alone(result.losses) else test.traits.concerns


def scope(result, test):
    """Return what a verdict is about: ", trained on 512 examples"."""
    losses, concerns = result.losses, concern(result, test)
    about = _scope_of_test(concerns, _trained_on(losses))
    if getattr(losses, "n_groups", None) is None or breaks_groups(losses):
        return about
    if concerns == "runs":
        return f"{about} of new groups"
    return f"{about}, for examples of new groups"


def _trained_on(losses):
    """Return " on 512 examples", "" if sizes of training sets are not known."""
    sizes = getattr(losses, "n_train", None)
    if sizes is None or np.asarray(sizes).dtype.kind not in "iu":
        return ""
    return f" on {examples_text(sizes[losses.design.full])}"


def _scope_of_test(concerns, trained_on):
    """Return what a test is about."""
    if concerns == "models":
        return f", as fitted here{trained_on}"
    if concerns == "runs":
        return ", for new runs on new examples"
    if concerns == "runs alone":
        return ", for new runs on this test set"
    if concerns == "forecasts":
        return ", in these forecasts"
    return f", trained{trained_on}" if trained_on else ""


def setting(result, test):
    """Return what a verdict is about as a sentence, such as "Training sets: ..."."""
    losses, concerns = result.losses, concern(result, test)
    text = ""
    if concerns == "models":
        text = " This is about these fitted models."
    elif concerns == "runs":
        text = " This is about new runs on new examples."
    elif concerns == "runs alone":
        text = " This is about new runs on this test set."
    elif concerns == "forecasts":
        text = " This is about these forecasts."
    elif losses.n_train is not None:
        n_train = losses.n_train[losses.design.full]
        text = f" Training sets: {examples_text(n_train)}."
    if losses.n_groups is not None and not breaks_groups(losses):
        text += " It is about examples of new groups."
    return text


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
    if not breaks_groups(losses):
        return ""
    return (
        "Groups are in both training and test sets, so nothing follows for new groups."
    )


def range_text(sizes):
    """Return sizes as text: one, or from the least to the largest."""
    low, high = sizes.min(), sizes.max()
    if low == high:
        return f"{low}"
    return f"{low} or {high}" if high == low + 1 else f"{low} to {high}"


def examples_text(sizes):
    """Return numbers of examples with their noun, such as "455 or 456 examples"."""
    noun = "example" if sizes.max() == 1 else "examples"
    return f"{range_text(sizes)} {noun}"


def sample_text(losses):
    """Return the numbers of examples and groups, "" if not known."""
    if losses.n_samples is None:
        return ""
    groups = f" in {counted(losses.n_groups, 'group')}" if losses.n_groups else ""
    return counted(losses.n_samples, "example") + groups


def posterior(measure, table, row):
    """Return the posterior probabilities of a row as text."""
    centre, rope = table.test.popmean, table.test.traits.region
    first, second = f"{row.first} better", f"{row.second} better"
    equal = f"equivalent within {measure.margin(rope)}"
    if centre:  # a difference that is not compared with 0: none is better
        difference = f"loss({row.first}) - loss({row.second})"
        ends = centre - rope, centre, centre + rope
        low, centre, high = (minus(f"{end:g}") for end in ends)
        first, second = f"{difference} < {low}", f"{difference} > {high}"
        equal = f"within {rope:g} of {centre}"
    events = {"prob_less": first, "prob_rope": equal, "prob_greater": second}
    if not rope:
        del events["prob_rope"]
    chances = (f"P({text}) = {row.columns[name]:.3f}" for name, text in events.items())
    return ", ".join(chances)


def design_words(design):
    """Return a design as a paper calls it."""
    n_runs = design.n_repeats
    run = str(design).removeprefix(f"{n_runs} x ")
    if run == str(design) or n_runs == 1:
        return run
    return f"{run} repeated {'twice' if n_runs == 2 else f'{n_runs} times'}"
