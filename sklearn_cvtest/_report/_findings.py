"""What a test found, in words: its statistic, and what its p-value says."""

from dataclasses import dataclass

import numpy as np

from .._splits._design import DesignKind
from ._format import counted, general_number


def statistic_text(table, row):
    """Return the statistic as printed in a paper, such as "t(9) = 2.31"."""
    traits = table.test.traits_of(row)
    if traits.counts:
        counts = [f"{sign} = {row.columns[n]:.0f}" for sign, n in traits.counts]
        return ", ".join(counts)
    if not np.isfinite(row.statistic):  # the number of examples decides, or nothing
        return ""
    statistic = f"{row.statistic:.4g}"
    dfs = row.df if isinstance(row.df, tuple) else (row.df,)
    degrees = [f"{round(df, 2):g}" for df in dfs if np.isfinite(df)]
    if not degrees:
        return f"{traits.symbol} = {statistic}"
    if traits.symbol.endswith(")"):
        return f"{traits.symbol} = {statistic}, {', '.join(degrees)} df"
    return f"{traits.symbol}({', '.join(degrees)}) = {statistic}"


def proviso(test, rho, significant):
    """Return the ρ for which a conclusion holds, "" if none was assumed."""
    if not test.traits.rho_is_assumed:
        return ""
    # with a larger ρ the difference can only be less significant
    bound = "provided that ρ ≤" if significant else "with ρ ="
    return f"{bound} {rho:.3g}"


def shifted_claim(test):
    """Return what is shown of a difference that is not compared with 0."""
    centre = test.popmean
    region = test.traits.region
    is_equivalence = test.traits.decides == "equivalence"
    if is_equivalence and test.alternative == "two-sided":
        return f"within {region:g} of {general_number(centre)}"
    if is_equivalence and test.alternative == "less":
        centre += region
    elif is_equivalence:
        centre -= region
    than = {"two-sided": "different from", "greater": "above", "less": "below"}
    return f"{than[test.alternative]} {general_number(centre)}"


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
        worse than `reference`, or tied with it.
    reference : str or None
        For many: whom the others are compared with, the best or the user's reference.
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
    reference: str | None = None
    detectable_difference: float = np.nan


def are_runs_alone(losses):
    """Whether there is one score of each run on one test set, and none of examples."""
    return losses.design.kind == DesignKind.CROSSED and not losses.per_example


def concern(result, test):
    """Return what a test is about: of runs alone, new runs on their test set."""
    return "runs alone" if are_runs_alone(result.losses) else test.traits.concerns


def scope(result, test):
    """Return what a verdict is about: ", trained on 512 examples"."""
    losses = result.losses
    concerns = concern(result, test)
    about = _scope_of_test(concerns, _trained_on(losses))
    if losses.n_groups is None or breaks_groups(losses):
        return about
    if concerns == "runs":
        return f"{about} of new groups"
    return f"{about}, for examples of new groups"


def _trained_on(losses):
    """Return " on 512 examples", "" if sizes of training sets are not known."""
    sizes = losses.n_train
    if sizes is None or not np.issubdtype(sizes.dtype, np.integer):  # as shares are
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
    losses = result.losses
    concerns = concern(result, test)
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
    _, first_rows = np.unique(losses.row_index, return_index=True)
    sizes = np.bincount(losses.groups[first_rows])
    groups_of_splits = losses.row_split * len(sizes) + losses.groups
    groups_of_splits, counts = np.unique(groups_of_splits, return_counts=True)
    return bool(np.any(counts < sizes[groups_of_splits % len(sizes)]))


def broken_groups_note(losses):
    """Return what a reader must know of groups on both sides, "" without any."""
    if not breaks_groups(losses):
        return ""
    return (
        "Groups are in both training and test sets, so nothing follows for new groups."
    )


def range_text(sizes):
    """Return sizes as text: one, or from the least to the largest."""
    low = sizes.min()
    high = sizes.max()
    if low == high:
        return f"{low}"
    if low + 1 == high:
        return f"{low} or {high}"
    return f"{low} to {high}"


def examples_text(sizes):
    """Return numbers of examples with their noun, such as "455 or 456 examples"."""
    noun = "example" if sizes.max() == 1 else "examples"
    return f"{range_text(sizes)} {noun}"


def sample_text(losses):
    """Return the numbers of examples and groups, "" if not known."""
    if losses.n_samples is None:
        return ""
    examples = counted(losses.n_samples, "example")
    if losses.design.kind == DesignKind.HOLDOUT and losses.n_test is not None:
        (n_test,) = losses.n_test
        examples = counted(n_test, "example")
        if losses.n_train is not None:
            examples = f"{losses.n_train[0]} training and {n_test} test rows"
    if not losses.n_groups:
        return examples
    return f"{examples} in {counted(losses.n_groups, 'group')}"


def posterior(metric, table, row):
    """Return the posterior probabilities of a row as text."""
    centre = table.test.popmean
    region = table.test.traits.region
    first = f"{row.first} better"
    second = f"{row.second} better"
    equal = f"equivalent within {metric.margin(region)}"
    if centre:  # a difference that is not compared with 0: none is better
        difference = f"loss({row.first}) - loss({row.second})"
        first = f"{difference} < {general_number(centre - region)}"
        second = f"{difference} > {general_number(centre + region)}"
        equal = f"within {region:g} of {general_number(centre)}"
    chances = [f"P({first}) = {row.columns['prob_less']:.3f}"]
    if region:
        chances.append(f"P({equal}) = {row.columns['prob_rope']:.3f}")
    chances.append(f"P({second}) = {row.columns['prob_greater']:.3f}")
    return ", ".join(chances)


def design_words(design):
    """Return a design as a paper calls it."""
    n_runs = design.n_repeats
    run = str(design).removeprefix(f"{n_runs} x ")
    if run == str(design) or n_runs == 1:
        return run
    if n_runs == 2:
        return f"{run} repeated twice"
    return f"{run} repeated {n_runs} times"
