"""Ratios of the mean losses of pairs, on a log scale, with Fieller's intervals.

Losses on a scale that begins at 0 and has no end are compared by their ratio. On a log
scale, a pair turned round has the opposite sign, as differences do: whoever orders,
turns or draws pairs treats both alike.
"""

from dataclasses import replace

import numpy as np

from .._inference._ratio import ratio_interval, signal_and_noise
from .._validation import keep_warnings


def ratios_of(test, losses):
    """Return the Ratios of losses, None where they are compared by differences.

    A test of another hypothesis than equality, or of a region around it that is no
    percentage, is about differences in units of the loss.
    """
    if test.traits.region_is_ratio:
        test = test.of_difference()
    traits = test.traits
    is_of_equality = test.popmean == 0 and not traits.region
    if not (losses.is_ratio_scale and is_of_equality and traits.has_ratio_interval):
        return None
    means = losses.mean_losses
    if not np.all(means[np.isfinite(means)] > 0):
        return None
    return Ratios(test, losses)


def losses_alone(losses, columns):
    """Return the losses of several estimators as residuals, of each alone.

    Parameters
    ----------
    losses : CVLosses
        The losses.
    columns : ndarray of int of shape (n_columns,)
        Positions of the estimators.

    Returns
    -------
    residuals : CVResiduals
        Residuals whose values have shape (n_columns, n_rows).
    """
    values = np.ascontiguousarray(losses.losses.T[columns])
    return replace(losses.losses_of(0), values=values, names=losses.estimator_names)


def ends_of_ratios(low, high):
    """Return ends of log ratios as those of ratios, nan where there is none.

    The smallest ratio is 0, unless nothing is known of the other end either.
    """
    is_unknown = np.isinf(low) & np.isinf(high)
    low = np.where(is_unknown, np.nan, np.exp(low))
    return low, np.where(np.isposinf(high), np.nan, np.exp(high))


def enlarged(losses, position, factor):
    """Return losses, multiplied by a factor for one estimator."""
    factors = np.ones(len(losses.estimator_names))
    factors[position] = factor
    return replace(losses, losses=losses.losses * factors)


def as_effect(table, differences):
    """Return differences of a PairTable as people read them.

    By ratio, log ratios: how far the worse would be above the better.
    """
    if not table.is_by_ratio:
        return differences
    return np.log1p(differences / table.mean_better)


class Ratios:
    """The ratios of the mean losses of pairs.

    Parameters
    ----------
    test : test
        The test of the pairs.
    losses : CVLosses
        Their losses.
    """

    def __init__(self, test, losses):
        self.test = test
        self.losses = losses
        n_models = len(losses.estimator_names)
        self._means = np.full(n_models, np.nan)
        self._terms = np.full((2, n_models), np.nan)

    def of_rows(self, test, evaluations):
        """Return the ratios of some rows of the same losses.

        Parameters
        ----------
        test : test
            The test of these rows.
        evaluations : list of Evaluation
            What it finds of the losses of all estimators there, each alone.
        """
        of_rows = Ratios(test, self.losses)
        of_rows._note(np.arange(len(self._means)), evaluations)
        return of_rows

    def mean_losses(self, positions):
        """Return the mean losses as the test has them, of examples or of splits.

        Parameters
        ----------
        positions : ndarray of shape (n,)
            Positions of the estimators.
        """
        self._evaluate_models(np.unique(positions))
        return self._means[positions]

    def log_ratios(self, pairs):
        """Return log(mean loss of the first / of the second), ndarray (n_pairs,)."""
        first, second = np.transpose(pairs)
        return np.log(self.mean_losses(first)) - np.log(self.mean_losses(second))

    def log_intervals(self, pairs, residuals, evaluation, levels):
        """Return Fieller's intervals of the log ratios at some levels.

        Parameters
        ----------
        pairs : ndarray of shape (n_pairs, 2)
            Positions of the estimators.
        residuals, evaluation : CVResiduals, Evaluation
            The differences of these pairs, and what the test finds of them.
        levels : sequence of float
            The levels of the intervals.

        Returns
        -------
        intervals : list of (low, high)
            An infinite end is none. Both are infinite if nothing is known of the ratio:
            if differences do not vary, or if a two-sided interval without an end holds
            the ratio 1. Two models with the same losses have the ratio 1, without an
            interval around it.
        """
        first, second = np.transpose(pairs)
        self._evaluate_models(np.unique(pairs))
        first = self._terms[:, first]
        second = self._terms[:, second]
        is_flat = np.asarray(evaluation.standard_error) == 0
        identical = is_flat & residuals.identical
        intervals = []
        for level in levels:
            ends = ratio_interval(
                evaluation, first, second, level, self.test.alternative
            )
            with np.errstate(divide="ignore"):
                low, high = np.log(ends)
            is_unknown = is_flat
            if self.test.alternative == "two-sided":
                is_endless = np.isinf(low) | np.isinf(high)
                is_unknown = is_flat | (is_endless & (low <= 0) & (high >= 0))
            low = np.where(identical, 0.0, np.where(is_unknown, -np.inf, low))
            high = np.where(identical, 0.0, np.where(is_unknown, np.inf, high))
            intervals.append((low, high))
        return intervals

    def _evaluate_models(self, positions):
        """Evaluate the losses of each model alone, of those that were not yet."""
        new = positions[np.isnan(self._means[positions])]
        if not len(new):
            return
        residuals = losses_alone(self.losses, new)
        stacks = [residuals]
        if not self.test.traits.vectorised:
            stacks = [residuals[number] for number in range(len(new))]
        with keep_warnings():  # about losses, by which nothing is decided
            evaluations = [self.test.evaluate(stack) for stack in stacks]
        self._note(new, evaluations)

    def _note(self, positions, evaluations):
        means = [np.atleast_1d(evaluation.estimate) for evaluation in evaluations]
        terms = [
            np.atleast_2d(np.transpose(signal_and_noise(evaluation)))
            for evaluation in evaluations
        ]
        self._means[positions] = np.concatenate(means)
        self._terms[:, positions] = np.concatenate(terms).T
