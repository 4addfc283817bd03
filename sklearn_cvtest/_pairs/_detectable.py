"""The difference that a test of a pair would find with a given power."""

import numpy as np

from .._inference._student import critical_value
from .._validation import check_real

__all__ = ["detectable", "detectable_difference"]


def detectable(standard_error, df, alpha, alternative, power):
    """Return the true difference that a t test finds with probability `power`.

    (t_crit + t_power) times the standard error at the ρ that the test assumes. An
    approximation: the standard error is an estimate, and the exact distribution is a
    noncentral t.
    """
    critical = critical_value(1 - alpha, df, alternative)
    return (critical + critical_value(power, df, "greater")) * standard_error


def detectable_difference(table, power):
    """Return that of each pair of a PairTable, at its level and not adjusted.

    The standard error is the one that the interval shows: half its width over the
    critical value. nan where a test is not about a difference from 0, or its interval
    not about the mean over all splits.
    """
    power = check_real("power", power, above=0, below=1)
    test = table.test
    if not (table.names_winner and test.traits.uses_all_splits):
        return np.full(len(table), np.nan)
    below, above = table.estimate - table.ci_low, table.ci_high - table.estimate
    half = np.where(np.isfinite(below) & np.isfinite(above), (below + above) / 2, 0)
    end = np.where(np.isfinite(below), below, above)
    half = np.where(half > 0, half, end)
    df = table.df if table.df.ndim == 1 else np.inf
    df = np.where(np.isfinite(df), df, np.inf)
    alpha = 1 - test.interval_level(table.alpha)
    found = np.full(len(table), np.nan)
    for one_df in np.unique(df):  # critical values of the normal have their own code
        same = np.broadcast_to(df == one_df, found.shape)
        critical = critical_value(1 - alpha, one_df, test.alternative)
        if critical > 0:
            error = half[same] / critical
            options = (alpha, test.alternative, power)
            found[same] = detectable(error, one_df, *options)
    return np.where(np.isfinite(found), found, np.nan)
