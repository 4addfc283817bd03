"""The difference that a test of a pair would find with a given power."""

import numpy as np

from .._inference._student import critical_value
from .._validation import check_real


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

    With the standard error that includes all that the test assumes. nan where a test is
    not about a difference from 0, or its interval not about the mean over all splits.
    """
    power = check_real("power", power, above=0, below=1)
    test = table.test
    if not (table.names_winner and test.traits.uses_all_splits):
        return np.full(len(table), np.nan)
    alpha = 1 - test.interval_level(table.alpha)
    options = table.total_df, alpha, test.alternative, power
    found = detectable(table.total_error, *options)
    return np.where(np.isfinite(found) & (found > 0), found, np.nan)
