"""CandidateComparison: differences between the candidates of a search."""

import numbers
from collections.abc import Mapping

import numpy as np

from .._compat import import_pandas
from .._inference._choose_tests import choose_tests
from .._pairs._adjustment import check_adjustment
from .._pairs._table import pair_table
from .._report._candidate_text import (
    candidate_html,
    candidate_params,
    candidate_text,
    candidate_title,
)
from .._validation import check_level, invalid, invalid_words, one_line, warn
from ._base import PairwiseResult
from ._candidates import candidate_losses

__all__ = ["CandidateComparison", "candidate_comparison"]


class CandidateComparison(PairwiseResult):
    """Tests of the differences between the candidates of a search.

    Made by :func:`compare_candidates`. A candidate is a row of `cv_results_`, numbered
    as there (and as `best_index_`). In every pair, the difference is loss(first) -
    loss(second) = score(second) - score(first): positive means that the second is
    better.

    Attributes
    ----------
    losses : CVLosses
        Minus the scores of the candidates compared, one value a split.
    tables : dict of str to PairTable
        What the test found, by its name; `table` is the only one.
    tests : mapping
        {(first, second): fitted test}.
    pvalue_, rho_alpha_ : dict or float
        By pair; a float of the only pair. Not adjusted.
    metric : str
        The metric by which candidates are compared.
    design : Design
        How the splits relate to each other.
    test : test
        The test, not fitted.
    reference : int or None
        The candidate that is the first of every pair; None for all pairs.
    reference_is_best : bool
        Whether it was chosen because its mean score is the best.
    p_adjust : str or None
        How p-values are adjusted.
    alpha : float
        Level of decisions and, as 1 - alpha, of intervals.
    params : list of dict
        The parameters of every row of `cv_results_`.
    candidates : ndarray of shape (n_candidates,)
        The rows compared.
    failed : ndarray
        The rows left out because a score is not finite.
    mean_scores : ndarray of shape (n_rows,)
        Mean test score of every row of `cv_results_`, nan where it is not compared.
    pairs : ndarray of shape (n_pairs, 2)
        The rows (first, second) of every pair; the arrays below follow this order.
    estimates, standard_errors, statistics : ndarray of shape (n_pairs,)
        Difference of mean scores, its standard error, and the statistic.
    df : int, float, tuple or ndarray
        Degrees of freedom, one value if they are the same for all pairs.
    pvalues, pvalues_adjusted : ndarray of shape (n_pairs,)
        p-values, as they are and adjusted for the number of pairs; for that of all
        pairs of candidates where the reference is the best.
    rho, rho_alpha : ndarray of shape (n_pairs,)
        As `rho_` and `rho_alpha_` of the test, not adjusted.
    intervals : ndarray of shape (n_pairs, 2)
        Confidence intervals of the differences, not adjusted.
    directions : ndarray of shape (n_pairs,)
        Positive where the second candidate is ahead, negative where the first is.
    """

    noun = "candidate"

    def __init__(self, table, layout, test, *, reference, is_best, p_adjust, alpha):
        # what it gets was checked by compare_candidates
        self.metric = table.metric
        self.reference = reference
        self.reference_is_best = is_best
        self.params = table.params
        self.candidates = table.rows
        self.failed = table.failed
        self.mean_scores = table.mean_scores(layout.design)
        self._table_of_scores, self._layout = table, layout
        losses = candidate_losses(table, layout)
        pairs, position = np.column_stack(np.triu_indices(len(table.rows), k=1)), None
        others = None
        if reference is not None:
            position = int(np.flatnonzero(table.rows == reference)[0])
            is_chosen = (pairs == position).any(axis=1)
            if is_best and p_adjust is not None:  # by these scores: all pairs count
                others = pairs[~is_chosen]
            rest = np.delete(np.arange(len(table.rows)), position)
            pairs = np.column_stack([np.full_like(rest, position), rest])
        options = {"alpha": alpha, "p_adjust": p_adjust}
        found = pair_table(test, losses, pairs, others=others, **options)
        name = " ".join(repr(test).split())
        self._hold(losses, {name: found}, reference=position, is_single=True, **options)

    def _label(self, position):
        return int(self.candidates[position])

    @property
    def details(self):
        """The parameters of each candidate that differ, by its name in `losses`."""
        names = self.losses.estimator_names
        return dict(zip(names, candidate_params(self, self.candidates), strict=True))

    @property
    def remarks(self):
        """What was left out, and why."""
        sentences, n_searched = [], self._table_of_scores.n_searched
        if n_searched is not None:
            sentences.append(
                f"The search is one of successive halving: {len(self.candidates)} of "
                f"{n_searched} candidates reached its last iteration and are compared; "
                "the others were scored on smaller samples."
            )
        if self.failed.size:
            plural = "s" if self.failed.size > 1 else ""
            sentences.append(
                f"{self.failed.size} candidate{plural} with scores that are not finite "
                f"{'are' if plural else 'is'} left out."
            )
        return tuple(sentences)

    @property
    def table(self):
        """The results of the test, a PairTable."""
        return next(iter(self.tables.values()))

    @property
    def test(self):
        return self.table.test

    @property
    def design(self):
        return self.losses.design

    @property
    def pairs(self):
        return self.candidates[np.column_stack([self.table.first, self.table.second])]

    @property
    def df(self):
        df = self.table.df
        if np.all(df == df[0]):
            return tuple(df[0].tolist()) if df.ndim > 1 else df[0].item()
        return df

    @property
    def rho(self):
        return self.table.rho

    @property
    def rho_alpha(self):
        return self.table.rho_alpha

    def retest(self, test=None, **options):
        """Test the same candidates otherwise, without fitting anything.

        Parameters
        ----------
        test : test or None, default=None
            The test; None keeps that of this comparison.
        **options : dict
            `reference`, `p_adjust` and `alpha` as in :func:`compare_candidates`; those
            not given stay as they are.

        Returns
        -------
        comparison : CandidateComparison
            A new one of the same scores.
        """
        kept = {"p_adjust": self.p_adjust, "alpha": self.alpha}
        kept["reference"] = "best" if self.reference_is_best else self.reference
        kept["test"] = self.test if test is None else test
        return candidate_comparison(
            self._table_of_scores, self._layout, **{**kept, **options}
        )

    def not_worse(self, than=None):
        """Return the candidates that are not significantly worse than one of them.

        This is no proof that they are as good: with few splits, hardly any candidate is
        significantly worse. To show that one is worse by less than a margin, compare
        with :class:`EquivalenceTest`, or see :class:`NotSignificantlyWorse`.

        Parameters
        ----------
        than : int, default=None
            A candidate. None is the reference or, if all pairs were compared, the
            one with the highest mean score.

        Returns
        -------
        candidates : ndarray of int
            Rows of `cv_results_` in order of decreasing mean score, including `than`.

        Raises
        ------
        ValueError
            If `than` was not compared with all others, or the test does not say which
            of the two is better.
        """
        than = self._check_than(than)
        if not self.table.names_winner:
            raise ValueError(
                f"{type(self.test).__name__} does not tell which of two candidates is "
                "better. Compare with a test of difference, such as KFoldTTest()."
            )
        is_first, is_second = (self.pairs == than).T
        worse = self.significant & np.where(is_first, self.directions < 0, False)
        worse |= self.significant & np.where(is_second, self.directions > 0, False)
        others = self.pairs[worse].sum(axis=1) - than
        return self.by_score(np.setdiff1d(self.candidates, others))

    def _check_than(self, than):
        if than is None:
            return self.best if self.reference is None else self.reference
        if isinstance(than, bool) or not isinstance(than, numbers.Integral):
            raise invalid("than", "a candidate, an integer", than, TypeError)
        allowed = self.candidates if self.reference is None else [self.reference]
        if than not in allowed:
            raise invalid("than", "a candidate compared with all others", than)
        return int(than)

    def by_score(self, rows=None):
        """Return rows from the highest mean score down.

        Parameters
        ----------
        rows : ndarray of int, default=None
            Rows of `cv_results_`; None takes all that were compared.

        Returns
        -------
        rows : ndarray of int
            The same in another order.
        """
        rows = self.candidates if rows is None else rows
        return rows[np.argsort(-self.mean_scores[rows], kind="stable")]

    def to_frame(self):
        """Return a pandas DataFrame with one row per pair.

        Returns
        -------
        frame : pandas.DataFrame
            Columns first, second, mean_first, mean_second (their mean scores),
            estimate, ci_low, ci_high, statistic, df, pvalue, pvalue_adjusted, rho,
            rho_alpha; with a reference, also param_<name> of the second candidate.
            These intervals are not adjusted for the number of pairs; where `p_adjust`
            controls the probability of any false rejection, ci_low_simultaneous and
            ci_high_simultaneous are those that all hold at once with probability 1 -
            alpha, for as many comparisons as p-values are adjusted for.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pd = import_pandas("CandidateComparison.to_frame")
        first, second = self.pairs.T
        columns = self.table.to_columns() | {"first": first, "second": second}
        frame = pd.DataFrame(columns)
        frame.insert(2, "mean_first", self.mean_scores[first])
        frame.insert(3, "mean_second", self.mean_scores[second])
        if self.reference is None:
            return frame
        params = pd.DataFrame([self.params[row] for row in second])
        return pd.concat([frame, params.add_prefix("param_")], axis=1)

    def __str__(self):
        return candidate_text(self)

    def __repr__(self):
        return one_line(f"<CandidateComparison of {candidate_title(self)}>")

    def _repr_html_(self):
        return candidate_html(self)


def candidate_comparison(table, layout, *, test, reference, p_adjust, alpha):
    """Return the comparison of candidates whose scores and splits are known."""
    alpha = check_level("alpha", alpha)
    if isinstance(test, (list, tuple, dict)):
        raise invalid("test", "one test, or None", test, TypeError)
    (test,) = choose_tests(test, layout.design, False, alpha).values()
    check_adjustment(p_adjust, [test])
    _check_candidates(table)
    means = table.mean_scores(layout.design)
    return CandidateComparison(
        table,
        layout,
        test,
        reference=_find_reference(reference, table, means),
        is_best=isinstance(reference, str),
        p_adjust=p_adjust,
        alpha=alpha,
    )


def _check_candidates(table):
    if table.failed.size:
        where = ", ".join(map(str, table.failed[:10].tolist()))
        where += ", ..." * (table.failed.size > 10)
        message = (
            "Scores must be finite; got nan or inf for candidates "
            f"{where} ({table.failed.size} of {table.failed.size + table.rows.size})."
        )
        if table.rows.size < 2:
            raise ValueError(f"{message} Fewer than two are left to compare.")
        warn(f"{message} They are left out.", UserWarning)
    elif table.rows.size < 2:
        raise invalid_words(
            "search", "one of at least two candidates", f"{table.rows.size} to compare"
        )


def _find_reference(reference, table, means):
    """Return the row of the reference, None for all pairs."""
    if reference is None:
        return None
    allowed = "'best', a row of `cv_results_`, a dict of parameters, or None"
    if isinstance(reference, str):
        if reference != "best":
            raise invalid("reference", allowed, reference)
        return int(np.nanargmax(means))
    if isinstance(reference, Mapping):
        return _find_params(reference, table)
    if isinstance(reference, bool) or not isinstance(reference, numbers.Integral):
        raise invalid("reference", allowed, reference, TypeError)
    if reference not in table.rows:
        number = len(table.params)
        allowed = f"a candidate that can be compared, below {number}"
        if reference in range(number):
            allowed += ", in the last iteration and without failed fits"
        raise invalid("reference", allowed, reference)
    return int(reference)


def _find_params(reference, table):
    found = [
        int(row)
        for row in table.rows
        if all(
            name in table.params[row] and _is_same(table.params[row][name], value)
            for name, value in reference.items()
        )
    ]
    if len(found) != 1:
        shown = f"{dict(reference)!r}, of {len(found)} candidates"
        if found:
            shown += f" ({', '.join(map(str, found[:10]))})"
        raise invalid_words("reference", "parameters that one candidate has", shown)
    return found[0]


def _is_same(value, other):
    return value is other or bool(np.all(np.asarray(value == other)))
