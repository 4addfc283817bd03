"""What a test found, in words: its statistic, and what its p-value says."""

import numpy as np

__all__ = ["finding", "minus", "proviso", "shifted_claim", "statistic_text"]


def statistic_text(table, row):
    """Return the statistic as printed in a paper, such as "t(9) = 2.31"."""
    traits = table.test.traits_of(row)
    if traits.counts:
        return ", ".join(f"{sign} = {row.columns[n]:.0f}" for sign, n in traits.counts)
    df = row.df if isinstance(row.df, tuple) else (row.df,)
    df = ", ".join(f"{value:g}" for value in df if np.isfinite(value))
    if df and traits.symbol.endswith(")"):
        return f"{traits.symbol} = {row.statistic:.4g} with {df} degrees of freedom"
    degrees = f"({df})" if df else ""
    return f"{traits.symbol}{degrees} = {row.statistic:.4g}"


def proviso(test, rho, significant):
    """Return the ρ for which a conclusion holds, "" if none was assumed."""
    if not test.traits.rho_is_assumed:
        return ""
    # with a larger ρ the difference can only be less significant
    bound = "provided that ρ ≤" if significant else "with ρ ="
    return f"{bound} {rho:.3g}"


def finding(test, significant):
    """Return what a p-value below (or above) the level says, a main clause."""
    shown = "" if significant else " not shown to be"
    if test.traits.decides != "equivalence":
        from_popmean = f" from {test.popmean:g}" if test.popmean else ""
        verdict = "is" if significant else "is not"
        return f"the difference{from_popmean} {verdict} significant"
    if test.popmean:
        return f"the difference is{shown} {shifted_claim(test)}"
    what = {
        "two-sided": f"the two are{shown} equivalent",
        "greater": f"the second is{shown} non-inferior to the first",
        "less": f"the first is{shown} non-inferior to the second",
    }[test.alternative]
    return f"{what} within {test.traits.region:g}"


def shifted_claim(test):
    """Return what is shown of a difference that is not compared with 0."""
    centre, is_equal = test.popmean, test.traits.decides == "equivalence"
    if is_equal and test.alternative == "two-sided":
        return f"within {test.traits.region:g} of {minus(f'{centre:g}')}"
    if is_equal:
        centre += test.traits.region * (1 if test.alternative == "less" else -1)
    than = {"two-sided": "different from", "greater": "above", "less": "below"}
    return f"{than[test.alternative]} {minus(f'{centre:g}')}"


def minus(text):
    """Return a number as text with a minus for its hyphen."""
    return text.replace("-", "−")
