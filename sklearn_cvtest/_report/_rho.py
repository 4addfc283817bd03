"""What is said of the ρ up to which a difference is significant."""

import numpy as np

from .._advice._seen_rho import HIGH_RHO, N_RHO, share_of_smaller_rho
from ._format import format_rho_alpha


def rho_sentence(losses, table, row):
    """Return up to which ρ the null hypothesis is rejected, "" if that is unknown."""
    same = row.statistic == 0 and row.standard_error == 0
    if same and row.estimate == table.test.popmean:
        part = "run" if table.test.traits.concerns == "runs" else "split"
        return f" Their means are equal in every {part}."
    if np.isnan(row.rho_alpha):
        return ""
    rejected = "The null hypothesis"
    if table.is_adjusted:
        rejected = "Unadjusted, the null hypothesis"
    if np.isnan(row.rho):  # the test itself assumes none
        rejected = "By the t test of the means of splits, the null hypothesis"
    level = f"rejected at the {100 * table.alpha:g}% level"
    if row.rho_alpha < 0:
        return f" {rejected} is not {level} even at ρ = 0."
    text = f" {rejected} is {level} for any ρ up to rho_alpha = "
    text += format_rho_alpha(row.rho_alpha)
    if row.pvalue_adjusted > table.alpha or not _was_measured(table, losses):
        return f"{text}."
    return f"{text}{_beside_what_was_seen(row.rho_alpha)}."


def _was_measured(table, losses):
    """Whether ρ belongs to one K-fold without groups; for many pairs it is not said."""
    kind, n_groups = losses.design.kind, losses.n_groups
    of_one_run = kind == "repeated k-fold" and not table.test.traits.rho_is_fixed
    return len(table) == 1 and n_groups is None and (kind == "k-fold" or of_one_run)


def _beside_what_was_seen(rho):
    """Return whether it covers the ρ that is high, and the share of what was seen."""
    share = share_of_smaller_rho(rho)
    cases = f"all {N_RHO}" if share == 1 else f"{100 * share:.0f}% of {N_RHO}"
    high = f"but not at ρ = {HIGH_RHO:g}"
    if rho >= HIGH_RHO:
        high = f"{HIGH_RHO:g} included"
    if not share:
        return f", {high}"
    return f", {high}; in {cases} measured cases ρ was below rho_alpha"
