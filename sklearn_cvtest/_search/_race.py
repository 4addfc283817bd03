"""Which candidates of a search are still fitted: the rule of the set of the best.

At each of a few looks, a candidate leaves that is worse than another one, tested alone
against all others (`keeps_one`), at the level alpha divided by the number of looks. So
with probability 1 - alpha the truly best one never leaves, whenever the race ends.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata

from .._best._best_results import BestSet, winner_interval
from .._best._best_set import Best, Differences
from .._best._winner import winner
from .._data._cvlosses import CVLosses
from .._inference._exchangeable import CorrectedResampledTTest
from .._inference._kfold_z import KFoldZTest
from .._splits._design import Design, DesignKind, design_of_folds
from .._splits._layout import SplitLayout

GROWTH = 1.5  # of the number of splits, from one look to the next
LEAST_GROWTH = 1.2  # to the last look; one that is nearer to it is left out
FEWEST_SPLITS = 5  # before the first look at scores of splits
FEWEST_EXAMPLES = 100  # before the first look at losses of examples
OWN_OF_SPLIT = 2  # how far a test set's own covariance is above the covariance of two


def look_times(min_splits, n_splits):
    """Return after how many splits there is a look, the last one after all.

    Later looks are farther apart: a few splits more than many decide little, and each
    look costs a part of alpha.
    """
    looks = [min(min_splits, n_splits)]
    while looks[-1] < n_splits:
        next_look = int(np.ceil(GROWTH * looks[-1]))
        if LEAST_GROWTH * next_look >= n_splits:
            next_look = n_splits
        looks.append(next_look)
    return looks


def looks_of(folds, sizes, min_splits):
    """Return when to look: at examples also between runs only, if there are several."""
    if folds is None:
        return look_times(min_splits or FEWEST_SPLITS, len(sizes))
    k = folds.design.n_splits
    smallest_test_set = sizes[:, 1].min()
    first = min_splits or int(np.ceil(FEWEST_EXAMPLES / smallest_test_set))
    in_first_run = look_times(first, k)
    after_runs = [k * run for run in look_times(1, folds.design.n_repeats)]
    looks = sorted({*in_first_run, *after_runs})
    late_enough = [look for look in looks if look >= first]
    return late_enough or looks[-1:]


class Look(NamedTuple):
    """One look: the set of the best, and the candidates' rows in its order."""

    best: Best
    rows: np.ndarray


class Race:
    """Candidates, their scores so far, and who is left.

    Parameters
    ----------
    n_candidates : int
        Their number.
    sizes : ndarray of shape (n_splits, 2)
        Numbers of training and test examples of each split.
    looks : list of int
        After how many splits there is a look; see :func:`look_times`.
    alpha : float
        The level of all looks together.
    margin : float or None
        Within which candidates are as good as each other.
    folds : Folds, default=None
        The test sets, if there are losses of examples.

    Attributes
    ----------
    scores : ndarray of shape (n_candidates, n_splits)
        nan where a candidate was not fitted.
    left : ndarray
        The rows that may still be the best.
    failed : ndarray
        The rows with a score that is not finite.
    past_looks : list of Look
        The looks so far.
    dropped : list of tuple
        The rows that each look dropped, and after how many splits.
        They come back if all that are left fail.
    n_done : int
        Number of splits so far, of those left.
    is_over : bool
        Whether one is left, all left are as good as each other, or no split is.
    n_splits_run : ndarray of shape (n_candidates,)
        On how many splits each was fitted.
    pvalues : ndarray of shape (n_candidates,)
        The smallest of all looks, times their number.
    is_bound : ndarray of shape (n_candidates,)
        Whether that is an upper bound.
    """

    def __init__(self, n_candidates, sizes, looks, alpha, margin, folds=None):
        self.sizes = sizes
        self.looks = looks
        self.alpha = alpha
        self.margin = margin
        self.folds = folds
        # split i has the columns of values from bounds[i] to bounds[i + 1]
        self.bounds = np.cumsum([0, *sizes[:, 1]])
        self.values = None
        if folds is not None:
            self.values = np.empty((n_candidates, self.bounds[-1]))
        self.scores = np.full((n_candidates, len(sizes)), np.nan)
        self.left = np.arange(n_candidates)
        self.failed = np.arange(0)
        self.n_splits_run = np.zeros(n_candidates, dtype=int)
        self.pvalues = np.ones(n_candidates)
        self.is_bound = np.zeros(n_candidates, dtype=bool)
        self.past_looks = []
        self.dropped = []
        self.n_done = 0
        self.is_over = False

    def add(self, scores, values=None):
        """Take the scores of those left on the next split, and look if it is time.

        Parameters
        ----------
        scores : ndarray of shape (n_left,)
            The scores, nan where a fit failed.
        values : ndarray of shape (n_left, n_test), default=None
            The losses of the examples, if there are any.
        """
        split = self.n_done
        self.scores[self.left, split] = scores
        if values is not None:
            columns = slice(self.bounds[split], self.bounds[split + 1])
            self.values[self.left, columns] = values
        elif self.folds is not None:  # these scores have no losses of examples
            self.folds = None
            self.looks = [look for look in self.looks if look >= FEWEST_SPLITS]
        self.n_done += 1
        self.n_splits_run[self.left] = self.n_done
        is_finite = np.isfinite(scores)
        self.failed = np.append(self.failed, self.left[~is_finite])
        self.left = self.left[is_finite]
        if self.n_done in self.looks and len(self.left) > 1:
            self._look()
        if not len(self.left) and self.dropped:  # all that were left have failed
            self._go_back()
        if self._has_ended():
            self.is_over = True

    def _has_ended(self):
        """Whether there is no split, no candidate or only one candidate left."""
        if self.n_done == len(self.sizes) or not len(self.left):
            return True
        first_look = min(self.looks, default=0)
        return len(self.left) == 1 and self.n_done >= first_look

    def _go_back(self):
        """Start again with all who were dropped, from where the first of them were.

        They may have been dropped because of candidates that failed later.
        """
        self.left = np.sort(np.concatenate([rows for rows, _ in self.dropped]))
        self.n_done = min(n_splits for _, n_splits in self.dropped)
        self.scores[self.left, self.n_done :] = np.nan
        self.n_splits_run[self.left] = self.n_done
        self.pvalues[:] = 1.0
        self.is_bound[:] = False
        self.past_looks = []
        self.dropped = []

    def _look(self):
        """Test those left on the splits so far, and drop those that are worse."""
        if self.folds is None:
            test = CorrectedResampledTTest()
            losses = self._losses(self.left, self.n_done)
        else:
            test = self._test_of_examples()
            losses = self._losses_of_examples()
        n_looks = len(self.looks)
        best = Best(test, losses, self.alpha / n_looks, keeps_one=True)
        rows = self.left[best.order]
        self.past_looks.append(Look(best, rows))
        pvalues = np.minimum(best.pvalues * n_looks, 1)
        is_smaller = pvalues < self.pvalues[rows]
        self.pvalues[rows[is_smaller]] = pvalues[is_smaller]
        self.is_bound[rows[is_smaller]] = best.is_bound[is_smaller]
        stays = np.isin(self.left, rows[best.kept])
        if not stays.all():
            self.dropped.append((self.left[~stays], self.n_done))
        self.left = self.left[stays]
        if self.margin is not None:
            others = np.flatnonzero(best.kept)[1:]
            behind_at_most = best.differences.high[others]
            self.is_over = bool(np.all(behind_at_most <= self.margin))

    def _test_of_examples(self):
        """Return the test of losses of examples on the splits so far.

        The share ρ of all folds is as in the corrected t tests. Fewer folds have less
        in common; but examples of one test set, which share a whole training set, are
        taken to have three times the covariance of examples of two test sets.
        """
        k = self.folds.design.n_splits
        n_train = self.sizes[: self.n_done, 0]
        n_test = self.sizes[: self.n_done, 1]
        part = min((self.n_done + OWN_OF_SPLIT) / (k + OWN_OF_SPLIT), 1)
        shared = part * k * np.mean(n_test / n_train)
        return KFoldZTest(rho=shared / (1 + shared))

    def _losses_of_examples(self):
        """Return the losses of examples, of those left on the splits so far."""
        n_done = self.n_done
        k = self.folds.design.n_splits
        n_train = self.sizes[:n_done, 0]
        n_test = self.sizes[:n_done, 1]
        n_runs = max(n_done // k, 1)
        design = design_of_folds(min(n_done, k), n_runs)
        return CVLosses.from_values(
            [str(row) for row in self.left],
            self.values[self.left, : self.bounds[n_done]].T,
            SplitLayout(design, n_train, n_test),
            row_index=np.concatenate(self.folds.tests[:n_done]),
            row_split=np.repeat(np.arange(n_done), n_test),
            loss_name="score",
            is_score=True,
        )

    def _losses(self, rows, n_done, names=None, **facts):
        """Return the scores of some rows on the first splits as CVLosses."""
        if names is None:
            names = [str(row) for row in rows]
        n_train = self.sizes[:n_done, 0]
        n_test = self.sizes[:n_done, 1]
        design = Design(DesignKind.SUBSAMPLE, n_done)
        fields = {"loss_name": "score"} | facts
        return CVLosses.from_values(
            names,
            -self.scores[rows, :n_done].T,
            SplitLayout(design, n_train, n_test),
            is_score=True,
            **fields,
        )

    def over_splits(self, values, statistic=np.mean):
        """Return a statistic of values (n_candidates, n_splits) where each ran."""
        statistics = []
        for row, n_run in zip(values, self.n_splits_run.tolist(), strict=True):
            statistics.append(statistic(row[:n_run]))
        return np.array(statistics)

    def ranks(self, scores):
        """Return ranks: of those that ran as long, by the score; 1 is the best."""
        keys = -np.column_stack([self.n_splits_run, scores])
        keys[~np.isfinite(scores)] = 1  # the last ones: no other first key is positive
        _, codes = np.unique(keys, axis=0, return_inverse=True)
        return rankdata(codes.ravel(), method="min").astype(np.int32)

    def result(self, names, facts):
        """Return the BestSet of all that did not fail; None if nothing was compared."""
        if not self.past_looks:
            return None
        means = self.over_splits(self.scores)
        by_rank = np.argsort(self.ranks(means), kind="stable")
        order = by_rank[np.isfinite(means[by_rank])]
        rows = order.tolist()
        all_rows = np.arange(len(means))
        losses = self._losses(all_rows, len(self.sizes), names, **facts)
        return BestSet(
            names=tuple(row for row in rows if row in self.left),
            pvalues=_by_row(rows, self.pvalues),
            mean_losses=_by_row(rows, -means),
            alpha=float(self.alpha),
            about="algorithms",
            losses=losses,
            noun="candidate",
            at_most=tuple(row for row in rows if self.is_bound[row]),
            found=RaceDifferences(order, losses, tuple(self.past_looks)),
            n_splits_run=_by_row(rows, self.n_splits_run),
        )

    def winner(self, names, facts):
        """Return the WinnerInterval of the last split's candidates, None of one."""
        is_last = self.n_splits_run == self.n_done
        is_finite = np.isfinite(self.over_splits(self.scores))
        rows = np.flatnonzero(is_last & is_finite)
        if len(rows) < 2 or self.n_done < 2:  # one split says nothing of its noise
            return None
        names_of_last = [names[row] for row in rows]
        losses = self._losses(rows, self.n_done, names_of_last, **facts)
        selected = winner(losses, self.alpha)
        return winner_interval(selected, losses, self.alpha, rows.tolist(), "candidate")


def _by_row(rows, values):
    """Return {row: value} of some rows, values as Python's own numbers."""
    return dict(zip(rows, values[rows].tolist(), strict=True))


class RaceDifferences:
    """How far each candidate is behind the best, by the last look at it.

    Parameters
    ----------
    order : ndarray
        The rows, from the best down.
    losses : CVLosses
        The losses of all rows, nan where one was not fitted.
    looks : tuple of Look
        All looks.
    """

    def __init__(self, order, losses, looks):
        self.order = order
        self.losses = losses
        self.looks = looks

    @cached_property
    def differences(self):
        """Differences of all, in order."""
        return self.differences_of(np.arange(len(self.order)))

    @property
    def ratios(self):
        """What compares losses by ratio, None where differences do."""
        return self.looks[0].best.ratios

    @property
    def differences_in_units(self):
        """Differences of all in units of the loss, in order."""
        if self.ratios is None:
            return self.differences
        mean_best = self.losses.mean_losses[self.order[0]]
        estimate, low, high = np.expm1(self.differences) * mean_best
        return Differences(estimate, low, high)

    def differences_of(self, places):
        """Return differences at the last look at each, with intervals that all hold."""
        candidates = self.order[places]
        n_candidates = len(self.losses.estimator_names)
        differences = np.full((3, n_candidates), np.nan)
        for best, rows in self.looks:  # a later look takes the place of an earlier one
            compared = np.flatnonzero(np.isin(rows, candidates))
            if compared.size:
                differences[:, rows[compared]] = best.differences_of(compared)
        estimate, low, high = differences[:, candidates]
        return Differences(estimate, low, high)
