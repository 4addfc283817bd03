"""The differences of pairs of estimators on each of many data sets."""

from dataclasses import dataclass, replace

import numpy as np

from .._inference._choose_tests import choose_tests
from .._inference._multiplicity import METHODS
from .._pairs._tested import evaluate_pairs, pair_chunks
from .._validation import (
    check_level,
    check_option,
    invalid,
    invalid_words,
    warnings_about,
)


def log_ratio_residuals(first, second, *, means=None):
    """Return ψ of the log ratio of two losses: log ā - log b̄ + a/ā - b/b̄.

    A half and a double loss are log 2 away from each other.

    Parameters
    ----------
    first, second : ndarray of shape (..., J)
        Losses of two estimators.
    means : tuple of two floats or arrays of shape (...,), default=None
        ā and b̄.
    """
    first, second = (np.asarray(x, dtype=np.float64) for x in (first, second))
    if means is None:
        means = first.mean(axis=-1), second.mean(axis=-1)
    mean_first, mean_second = (np.asarray(mean)[..., np.newaxis] for mean in means)
    ratio = np.log(mean_first) - np.log(mean_second)
    return ratio + first / mean_first - second / mean_second


SCALES = ("auto", None, "log")
MOST_APART = 10  # data sets whose losses have one scale, by their ratio
MISSING = ("drop", "worst")


@dataclass(frozen=True, eq=False, repr=False)
class DatasetDifferences:
    """What was found of E estimators on D data sets; as in DatasetComparison.

    Attributes
    ----------
    mean_losses : ndarray of shape (D, E)
        nan where there are none.
    estimates, standard_errors : ndarray of shape (n_pairs, D)
        nan where one of the two was not evaluated; of single numbers, errors are too.
    ci_low, ci_high, dataset_pvalues : ndarray of shape (n_pairs, D)
        What the test of each data set finds.
    marks : ndarray of shape (n_pairs, D)
        1 where the second is significantly better, -1 where the first is; of single
        numbers, where it is ahead.
    left_out : dict of str to list of str
        The estimators left out of data sets with failed fits.
    """

    mean_losses: np.ndarray
    estimates: np.ndarray
    standard_errors: np.ndarray
    ci_low: np.ndarray
    ci_high: np.ndarray
    dataset_pvalues: np.ndarray
    marks: np.ndarray
    left_out: dict


def differences_on_datasets(losses, tests, names, positions, *, alpha, scale, earlier):
    """Test pairs of estimators on each data set.

    Parameters
    ----------
    losses, tests : dict of str to CVLosses, dict of str to test
        By data set.
    names : tuple of str
        All estimators.
    positions : ndarray of shape (n_pairs, 2)
        The pairs, of positions in `names`.
    alpha, scale : float, str or None
        As in :func:`compare_over_datasets`.
    earlier : set of str
        Warnings that are not repeated.

    Returns
    -------
    differences : DatasetDifferences
        One column for each data set.
    """
    shape = len(positions), len(losses)
    columns = {name: np.full(shape, np.nan) for name in COLUMNS}
    marks = np.zeros(shape, dtype=int)
    column_of = {name: column for column, name in enumerate(names)}
    means = np.full((len(losses), len(names)), np.nan)
    left_out = {}
    for column, (dataset, of_dataset) in enumerate(losses.items()):
        failed = of_dataset.failed_splits()
        if failed:
            left_out[dataset] = list(failed)
        places = np.full(len(names), -1)
        for position, name in enumerate(of_dataset.estimator_names):
            if name not in failed:
                places[column_of[name]] = position
        is_there = places >= 0
        mean_losses = of_dataset.mean_losses
        means[column, is_there] = _rounded(mean_losses[places[is_there]])
        rows = np.flatnonzero(is_there[positions].all(axis=1))
        if not len(rows):
            continue
        pairs = places[positions[rows]]
        if has_one_number(of_dataset):
            values_here, winners = _without_errors(mean_losses, pairs, scale, dataset)
        else:
            test = tests[dataset]
            options = (scale, dataset)
            with warnings_about(f"Data set {dataset!r}", earlier):
                values_here, winners = _tested(test, of_dataset, pairs, alpha, options)
        for name, values in values_here.items():
            columns[name][rows, column] = values
        marks[rows, column] = winners
    return DatasetDifferences(
        mean_losses=means,
        marks=marks,
        left_out=left_out,
        **columns,
    )


# Columns of what is found, and what a test calls them.
COLUMNS = {
    "estimates": "estimate",
    "standard_errors": "total_error",
    "ci_low": "ci_low",
    "ci_high": "ci_high",
    "dataset_pvalues": "pvalue",
}


def has_one_number(losses):
    """Whether all that is known of each estimator is one loss, without any error."""
    return not losses.per_example and len(losses.losses) == 1


def _without_errors(mean_losses, pairs, scale, dataset):
    """Return the differences of single numbers, and which of each is better."""
    if scale is not None:
        check_above_zero(mean_losses, scale, dataset)
        mean_losses = np.log(mean_losses)
    first, second = pairs.T
    estimates = _rounded(mean_losses[first] - mean_losses[second])
    return {"estimates": estimates}, np.sign(estimates).astype(int)


def _tested(test, losses, pairs, alpha, options):
    """Return the columns of pairs on a data set, and which of each is better."""
    levels = (test.interval_level(alpha),)
    stacks = scaled_chunks(test, losses, pairs, *options)
    columns, extra_columns, lazy_columns = evaluate_pairs(test, stacks, levels, None)
    columns |= lazy_columns.columns()
    rejected = columns["pvalue"] <= alpha
    sides = test.better_side(columns["estimate"], rejected, extra_columns, alpha)
    return {name: columns[column] for name, column in COLUMNS.items()}, sides


def _rounded(values):
    """Return numbers with twelve digits: the same but for rounding is a tie."""
    return np.array([float(f"{value:.12g}") for value in values.tolist()])


def scaled_chunks(test, losses, pairs, scale, dataset):
    """Yield the differences of pairs on a scale, some at a time.

    Their mean, as the test takes it, is the difference on that scale of the mean losses
    as it takes them: of examples or of splits.

    Parameters
    ----------
    test : test
        The test of the data set.
    losses : CVLosses
        Its losses.
    pairs : ndarray of shape (n_pairs, 2)
        Positions of estimators.
    scale : str or None
        As in :func:`compare_over_datasets`.
    dataset : str
        Its name, for errors.
    """
    if scale is None:
        yield from pair_chunks(losses, pairs)
        return
    means = np.full(len(losses.estimator_names), np.nan)
    for position in np.unique(pairs):
        means[position] = test.evaluate(losses.losses_of(position)).estimate
    check_above_zero(means, scale, dataset)
    start = 0
    for stack in pair_chunks(losses, pairs):
        sides = pairs[start : start + len(stack.values)].T
        start += len(stack.values)
        values = [losses.losses.T[positions] for positions in sides]
        values = log_ratio_residuals(*values, means=means[sides])
        unbounded = -np.inf, np.inf  # they had the range of the losses
        yield replace(stack, values=values, magnitude=None, value_range=unbounded)


def check_above_zero(means, scale, dataset):
    """Check that mean losses have logarithms."""
    wrong = means[means <= 0]
    if len(wrong):
        allowed = f"None where a mean loss is not above 0, as on data set {dataset!r}"
        raise invalid_words("scale", allowed, f"{scale!r} and a mean of {wrong[0]:g}")


def chosen_scale(scale, losses):
    """Return "log" or None, of "auto" what the losses are compared by.

    By ratio, if they are above 0 without an upper end, and are known to be compared so
    or have other sizes on other data sets.

    Parameters
    ----------
    scale : str or None
        As in :func:`compare_over_datasets`.
    losses : dict of str to CVLosses
        By data set.
    """
    if scale != "auto":
        return scale
    sizes = []
    largest = 0.0
    for of_dataset in losses.values():
        means = of_dataset.mean_losses[np.isfinite(of_dataset.mean_losses)]
        has_end = of_dataset.is_score or np.isfinite(of_dataset.value_range[1])
        if has_end or np.any(means <= 0):
            return None
        if len(means):
            sizes.append(np.median(means))
            largest = max(largest, means.max())
    if all(of_dataset.is_ratio_scale for of_dataset in losses.values()):
        return "log"
    is_wide = max(sizes) > MOST_APART * min(sizes)
    return "log" if is_wide and largest > 1 else None  # below 1 they may be shares


def check_settings(*, p_adjust, alpha, scale, missing="drop", **settings):
    """Return the settings of a comparison over data sets, checked."""
    check_option("missing", missing, MISSING)
    settings["missing"] = missing
    check_option("p_adjust", p_adjust, (*METHODS, None))
    check_option("scale", scale, SCALES)
    alpha = check_level("alpha", alpha)
    return {"p_adjust": p_adjust, "alpha": alpha, "scale": scale, **settings}


def chosen_test(test, losses, alpha):
    """Return the checked test of a data set at a level, None of single numbers."""
    if has_one_number(losses):
        if test is not None:
            hint = "The test is that over data sets."
            raise invalid("test", "None with one number a data set", test, hint=hint)
        return None
    if isinstance(test, (list, tuple, dict)):
        raise invalid("test", "one test, or None", test, TypeError)
    (chosen,) = choose_tests(
        test,
        losses.design,
        losses.per_example,
        alpha,
        n_groups=losses.n_groups,
        rho=losses.rho,
    ).values()
    is_directed = chosen.traits.is_directed
    if not is_directed or chosen.alternative != "two-sided" or chosen.popmean:
        allowed = "a two-sided test of no difference with a standard error"
        raise invalid("test", allowed, chosen, hint="Such as KFoldTTest().")
    return chosen
