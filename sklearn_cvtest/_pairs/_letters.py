"""Which estimators of a Comparison are told apart, and which are tied."""

import string
from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
from scipy import stats

from .._compat import import_pandas

__all__ = ["ComparisonGroups", "letter_display"]

LETTERS = string.ascii_letters


class ComparisonGroups:
    """Rankings and groups of the estimators of a Comparison."""

    def tied_with_best(self):
        """Return the estimators that are not significantly worse than the best.

        Returns
        -------
        names : tuple of str or dict
            The estimator with the smallest mean loss and those that the test, at level
            `alpha` and adjusted for all pairs, does not find worse, by mean loss; with
            several tests, {name of test: names}.

        Raises
        ------
        ValueError
            If not all pairs are compared, or the test does not say which of two is
            better.

        Notes
        -----
        If p-values are adjusted by a method that controls the probability of any
        false rejection (all but "fdr_bh" and None), the probability that an estimator
        with the smallest expected loss is left out is at most `alpha`, although the
        best is chosen by the same losses.
        """
        self._check_groups("tied_with_best")
        return self._by_test(self._tied)

    def letters(self):
        """Return letters such that estimators that share one are not told apart.

        Returns
        -------
        letters : dict
            {name of estimator: letters}, by mean loss; "a" is the group of the best.
            With several tests, {name of test: {name of estimator: letters}}.

        Raises
        ------
        ValueError
            If not all pairs are compared, or the test does not say which of two is
            better.

        Notes
        -----
        The compact letter display: two estimators have a letter in common if and only
        if their difference is not significant at level `alpha`, adjusted for all pairs.
        Made by the insert-and-absorb algorithm of [1]_, without the groups that tell
        nothing beyond others.

        References
        ----------
        .. [1] H.-P. Piepho, "An Algorithm for a Letter-Based Representation of
           All-Pairwise Comparisons", Journal of Computational and Graphical Statistics
           13, 456-466, 2004. :doi:`10.1198/1061860043515`
        """
        self._check_groups("letters")
        return self._by_test(self._letters)

    def summary(self):
        """Return a pandas DataFrame with one row per estimator, the best first.

        Returns
        -------
        frame : pandas.DataFrame
            Columns estimator; mean_loss (or mean_score), over splits; std, the standard
            deviation of the splits' means; fit_seconds, in all splits; rank, nan for
            estimators with failed fits; and letters as in :meth:`letters`, where there
            are such, of one test. The standard deviation says how splits differ; it is
            no standard error of the mean.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pd = import_pandas("Comparison.summary")
        frame = pd.DataFrame(list(self._estimator_rows()))
        kind, _ = self._mean_values()
        return frame.rename(columns={"mean": f"mean_{kind}"})

    def _estimator_rows(self):
        """Yield a dict for each estimator, by mean loss, failed ones last."""
        blocks = self.losses._full_run()
        _, means = self._mean_values()
        deviations = np.std(blocks, axis=0, ddof=min(1, len(blocks) - 1))
        seconds = self.losses.fit_time.sum(axis=0)
        finite = np.where(np.isfinite(means), self.losses.mean_losses, np.nan)
        ranks = stats.rankdata(finite, "min", nan_policy="omit")
        letters = self._shown_letters()
        for column in np.argsort(ranks, kind="stable"):
            name = self.estimator_names[column]
            row = {
                "estimator": name,
                "mean": means[column],
                "std": deviations[column],
                "fit_seconds": seconds[column],
                "rank": ranks[column],
            }
            yield row if letters is None else row | {"letters": letters.get(name, "")}

    def _shown_letters(self):
        """Return letters by estimator where there is one set of them, else None."""
        if len(self._fitted) > 1 or len(self.pairs) < 2 or self._why_no_groups():
            return None
        return self._letters(next(iter(self._fitted)))

    def _ranking(self):
        """Return the names of estimators without failed fits, by mean loss."""
        failed = self.losses.failed_splits()
        order = np.argsort(self.losses.mean_losses, kind="stable")
        names = [self.estimator_names[column] for column in order]
        return [name for name in names if name not in failed]

    def _winner(self, name, pair):
        """Return the significantly better estimator of a pair, "" if none."""
        one = self._fitted[name][pair]
        significant = self._adjusted[name][pair] <= self.alpha
        if not significant or not one.names_winner or one.popmean:
            return ""
        return pair[one._direction() > 0]

    def _tied(self, name):
        best, *others = self._ranking()
        lost = {pair for pair in self.pairs if self._winner(name, pair) == best}
        beaten = {loser for pair in lost for loser in pair if loser != best}
        return (best, *(one for one in others if one not in beaten))

    def _letters(self, name):
        ranking = self._ranking()
        apart = [
            tuple(sorted(map(ranking.index, pair)))
            for pair in self.pairs
            if self._winner(name, pair)
        ]
        return dict(zip(ranking, letter_display(len(ranking), apart), strict=True))

    def _by_test(self, of_test):
        if self._single:
            return of_test(next(iter(self._fitted)))
        return {name: of_test(name) for name in self._fitted}

    def _why_no_groups(self):
        """Return why there are no groups of estimators, "" if there are."""
        if self.reference is not None:
            return f"all pairs; got reference={self.reference!r}"
        for test in self._unfitted.values():
            one_sided = test.alternative != "two-sided"
            if one_sided or not test.names_winner or test.popmean:
                return f"a two-sided test of no difference; got {test!r}"
        return ""

    def _check_groups(self, method):
        reason = self._why_no_groups()
        if reason:
            raise ValueError(
                f"`{method}` needs {reason}. Use retest(test, reference=None) first."
            )


def letter_display(n, apart):
    """Return a string of letters for each of n items.

    Items that share a letter are those not in `apart`, a list of pairs of positions.
    """
    groups = [(1 << n) - 1]  # sets of items, as the bits of an integer
    for pair in sorted(apart):
        bits = [1 << item for item in pair]
        both = bits[0] | bits[1]
        split = [group for group in groups if group & both == both]
        groups = [group for group in groups if group & both != both]
        # insert, then absorb what another group holds
        for part in (group & ~bit for group in split for bit in bits):
            if all(part & ~group for group in groups):
                groups = [group for group in groups if group & ~part] + [part]
    groups = sorted([i for i in range(n) if group >> i & 1] for group in groups)
    groups = _drop_redundant(groups)
    return [
        "".join(_letter(number) for number, group in enumerate(groups) if i in group)
        for i in range(n)
    ]


def _drop_redundant(groups):
    """Drop groups, the last ones first, whose pairs all are in others, too."""
    pairs = [set(combinations_with_replacement(group, 2)) for group in groups]
    counts = Counter(pair for group in pairs for pair in group)
    kept = []
    for group, its_pairs in zip(reversed(groups), reversed(pairs), strict=True):
        if all(counts[pair] > 1 for pair in its_pairs):
            counts.subtract(its_pairs)
        else:
            kept.append(group)
    return kept[::-1]


def _letter(number):
    return LETTERS[number] if number < len(LETTERS) else f"({number + 1})"
