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

GROWTH, LEAST = 1.5, 1.2  # of the number of splits, to the next look and the last one
FEWEST_SPLITS, FEWEST_EXAMPLES = 5, 100  # before the first look
OWN_OF_SPLIT = 2  # how far a test set's own covariance is above the covariance of two


def look_times(min_splits, n_splits):
    """Return after how many splits there is a look, the last one after all.

    Later looks are farther apart: a few splits more than many decide little, and each
    look costs a part of alpha.
    """
    looks = [min(min_splits, n_splits)]
    while looks[-1] < n_splits:
        then = int(np.ceil(GROWTH * looks[-1]))
        looks.append(then if LEAST * then < n_splits else n_splits)
    return looks


def looks_of(folds, sizes, min_splits):
    """Return when to look: at examples also between runs only, if there are several."""
    if folds is None:
        return look_times(min_splits or FEWEST_SPLITS, len(sizes))
    k = folds.design.n_splits
    least = sizes[:, 1].min()
    first = min_splits or int(np.ceil(FEWEST_EXAMPLES / least))
    runs = [k * run for run in look_times(1, folds.design.n_repeats)]
    looks = sorted({*look_times(first, k), *runs})
    return [look for look in looks if look >= first] or looks[-1:]


class Look(NamedTuple):
    """What one look found: the rows that were compared, in the order of `best`."""

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
        See :func:`look_times`.
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
    dropped : list of tuple
        Whom each look dropped, and after how many splits.
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
        self.ends = np.cumsum([0, *sizes[:, 1]])
        self.values = None if folds is None else np.empty((n_candidates, self.ends[-1]))
        self.scores = np.full((n_candidates, len(sizes)), np.nan)
        self.left = np.arange(n_candidates)
        self.failed = np.arange(0)
        self.n_splits_run = np.zeros(n_candidates, dtype=int)
        self.pvalues = np.ones(n_candidates)
        self.is_bound = np.zeros(n_candidates, dtype=bool)
        self.found = []
        self.dropped = []
        self.n_done = 0
        self.is_over = False

    def add(self, scores, values=None):
        """Take the scores of those left on the next split, and look if it is time.

        And their losses of examples, an array (n_left, n_test), if there are any.
        """
        self.scores[self.left, self.n_done] = scores
        if values is not None:
            start, end = self.ends[self.n_done : self.n_done + 2]
            self.values[self.left, start:end] = values
        elif self.folds is not None:  # of these scores there are none, after all
            self.folds = None
            self.looks = [look for look in self.looks if look >= FEWEST_SPLITS]
        self.n_done = n_done = self.n_done + 1
        self.n_splits_run[self.left] = n_done
        is_finite = np.isfinite(scores)
        self.failed = np.append(self.failed, self.left[~is_finite])
        self.left = self.left[is_finite]
        if n_done in self.looks and len(self.left) > 1:
            self._look(n_done)
        if not len(self.left) and self.dropped:  # all that were left have failed
            self._go_back()
            n_done = self.n_done
        alone = len(self.left) < 2 and n_done >= min(self.looks, default=0)
        self.is_over |= alone or n_done == len(self.sizes) or not len(self.left)

    def _go_back(self):
        """Start again with all who were dropped, from where the first of them were.

        They may have been so since those were better that failed later.
        """
        rows, when = zip(*self.dropped, strict=True)
        self.left = np.sort(np.concatenate(rows))
        self.n_done = min(when)
        self.scores[self.left, self.n_done :] = np.nan
        self.n_splits_run[self.left] = self.n_done
        self.pvalues[:] = 1.0
        self.is_bound[:] = False
        self.found = []
        self.dropped = []

    def _look(self, n_done):
        if self.folds is None:
            test_and_losses = CorrectedResampledTTest(), self._losses(self.left, n_done)
        else:
            test_and_losses = self._of_examples(n_done)
        best = Best(*test_and_losses, self.alpha / len(self.looks), keeps_one=True)
        rows = self.left[best.order]
        pvalues = np.minimum(best.pvalues * len(self.looks), 1)
        smaller = pvalues < self.pvalues[rows]
        self.pvalues[rows[smaller]] = pvalues[smaller]
        self.is_bound[rows[smaller]] = best.is_bound[smaller]
        self.found.append(Look(best, rows))
        stays = np.isin(self.left, rows[best.kept])
        if not stays.all():
            self.dropped.append((self.left[~stays], n_done))
        self.left = self.left[stays]
        if self.margin is not None:
            others = np.flatnonzero(best.kept)[1:]
            self.is_over = bool(np.all(best.differences.high[others] <= self.margin))

    def _of_examples(self, n_done):
        """Return a test, and the losses of examples of those left.

        The share ρ of all folds is as in the corrected t tests. Fewer have less in
        common; but the examples of one test set, which share a whole training set, are
        taken to have three times the covariance of examples in two.
        """
        k = self.folds.design.n_splits
        n_runs = max(n_done // k, 1)
        n_train, n_test = self.sizes[:n_done].T
        part = min((n_done + OWN_OF_SPLIT) / (k + OWN_OF_SPLIT), 1)
        shared = part * k * np.mean(n_test / n_train)
        layout = SplitLayout(design_of_folds(min(n_done, k), n_runs), n_train, n_test)
        losses = CVLosses.from_values(
            map(str, self.left),
            self.values[self.left, : self.ends[n_done]].T,
            layout,
            row_index=np.concatenate(self.folds.tests[:n_done]),
            row_split=np.repeat(np.arange(n_done), n_test),
            loss_name="score",
            is_score=True,
        )
        return KFoldZTest(rho=shared / (1 + shared)), losses

    def _losses(self, rows, n_done, names=None, **facts):
        n_train, n_test = self.sizes[:n_done].T
        layout = SplitLayout(Design(DesignKind.SUBSAMPLE, n_done), n_train, n_test)
        names = map(str, rows) if names is None else names
        losses = -self.scores[rows, :n_done].T
        facts = {"loss_name": "score"} | facts
        return CVLosses.from_values(names, losses, layout, is_score=True, **facts)

    def over_splits(self, values, statistic=np.mean):
        """Return a statistic of values (n_candidates, n_splits) where each ran."""
        runs = zip(values, self.n_splits_run.tolist(), strict=True)
        return np.array([statistic(row[:n_run]) for row, n_run in runs])

    def ranks(self, scores):
        """Return ranks: of those that ran as long, by the score; 1 is the best."""
        keys = -np.column_stack([self.n_splits_run, scores])
        keys[~np.isfinite(scores)] = 1
        codes = np.unique(keys, axis=0, return_inverse=True)[1]
        return rankdata(codes.ravel(), method="min").astype(np.int32)

    def result(self, names, facts):
        """Return the BestSet of all that did not fail; None if nothing was compared."""
        if not self.found:
            return None
        means = self.over_splits(self.scores)
        order = np.argsort(self.ranks(means), kind="stable")
        order = order[np.isfinite(means[order])]
        rows = order.tolist()
        losses = self._losses(np.arange(len(means)), len(self.sizes), names, **facts)
        return BestSet(
            names=tuple(row for row in rows if row in self.left),
            pvalues=_by_row(rows, self.pvalues),
            mean_losses=_by_row(rows, -means),
            alpha=float(self.alpha),
            about="algorithms",
            losses=losses,
            noun="candidate",
            at_most=tuple(row for row in rows if self.is_bound[row]),
            found=RaceFound(order, losses, tuple(self.found)),
            n_splits_run=_by_row(rows, self.n_splits_run),
        )

    def winner(self, names, facts):
        """Return the WinnerInterval of the last split's candidates, None of one."""
        is_last = self.n_splits_run == self.n_done
        rows = np.flatnonzero(is_last & np.isfinite(self.over_splits(self.scores)))
        if len(rows) < 2 or self.n_done < 2:  # one split says nothing of its noise
            return None
        names = [names[row] for row in rows]
        losses = self._losses(rows, self.n_done, names, **facts)
        selected = winner(losses, self.alpha)
        return winner_interval(selected, losses, self.alpha, rows.tolist(), "candidate")


def _by_row(rows, values):
    return dict(zip(rows, values[rows].tolist(), strict=True))


class RaceFound:
    """What the looks found of all candidates.

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
        return self.looks[0].best.ratios if self.looks else None

    @property
    def differences_in_units(self):
        """Differences of all in units of the loss, in order."""
        if self.ratios is None:
            return self.differences
        mean = self.losses.mean_losses[self.order[0]]
        return Differences(*(np.expm1(side) * mean for side in self.differences))

    def differences_of(self, places):
        """Return differences at the last look at each, with intervals that all hold."""
        candidates = self.order[places]
        differences = np.full((3, self.losses.losses.shape[1]), np.nan)
        for best, rows in self.looks:
            compared = np.flatnonzero(np.isin(rows, candidates))
            if compared.size:
                differences[:, rows[compared]] = best.differences_of(compared)
        return Differences(*differences[:, candidates])
