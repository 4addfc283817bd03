"""CandidateComparison: differences between the candidates of a search."""

from __future__ import annotations

import numbers

import numpy as np

from .._best._best_set import tables_of
from .._data._cvlosses import CVLosses
from .._inference._choose_tests import Question, Tests, choose_pairs
from .._report._comparison_document import candidate_remarks
from .._results._estimator_comparison import Comparison, tests_from_header
from .._store._array_files import of_parts
from .._typing import Any, DataFrame
from .._validation import invalid
from ._candidates import means_of_rows, plain


class CandidateComparison(Comparison):
    """Tests of the differences between the candidates of a search.

    Made by :func:`compare_candidates`. A candidate is a row of `cv_results_`, numbered
    as there (and as `best_index_`). In every pair, the difference is loss(first) -
    loss(second) = score(second) - score(first): positive means that the second is
    better.

    Attributes
    ----------
    losses : CVLosses
        Minus the scores of the candidates compared, one value per split.
    tables : dict of str to PairTable
        What each test found, by its name; `table` is the first. Adjusted p-values are
        from :meth:`best_set` where the reference is the best, or for all pairs of
        candidates by a test that has no such set.
    tests : mapping
        {(first, second): fitted test}.
    pvalue_, rho_alpha_ : dict or float
        By pair; a float of the only pair. Not adjusted.
    metric : str
        The metric by which candidates are compared.
    reference : int or None
        The candidate that is the first of every pair; None for all pairs.
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
    """

    noun = "candidate"

    def __init__(self, losses, question, **searched):
        tests, reference = question.tests(losses.design, False), question.reference
        self._searched, self.metric = searched, losses.loss_name
        self.params, self.failed = searched["params"], np.array(searched["failed"], int)
        self.candidates = np.array(searched["candidates"], dtype=int)
        scores = np.ascontiguousarray(-losses.losses.T)
        self.mean_scores = means_of_rows(
            len(self.params), self.candidates, scores, losses.design
        )
        labels, names = self.candidates.tolist(), losses.estimator_names
        if isinstance(reference, str) and reference in names:
            reference = labels[names.index(reference)]
        self.reference = _find_reference(reference, self)
        self._reference_is_best = isinstance(reference, str)
        name = None if reference is None else names[labels.index(self.reference)]
        pairs, position = choose_pairs(names, name)
        best = position if self._reference_is_best else None
        tables_and_best = tables_of(tests, losses, pairs, best, question)
        self._hold(losses, *tables_and_best, question, position, labels)

    def _remarks(self):
        return candidate_remarks(
            len(self.candidates),
            self._searched["n_searched"],
            len(self.failed),
            is_race=self._searched["is_race"],
        )

    def retest(self, test: Tests | None = None, **options: Any) -> CandidateComparison:
        """Test the same candidates otherwise, without fitting anything.

        Parameters
        ----------
        test : test, list or dict of tests, or None, default=None
            The test or tests; None keeps the tests of this comparison.
        **options : dict
            `reference`, `p_adjust` and `alpha` as in :func:`compare_candidates`; those
            not given stay as they are.

        Returns
        -------
        comparison : CandidateComparison
            A new one of the same scores.
        """
        return self._retest_on(self.losses, test, **options)

    def _retest_on(self, losses, test=None, **options):
        """Apply a test to other losses of the same candidates."""
        question = Question(**self._asked_again(test, options))
        again = CandidateComparison(losses, question, **self._searched)
        return self._family_of(again, test)

    def to_frame(self) -> DataFrame:
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
        return super().to_frame()

    def _columns(self):
        tables = self.tables.values()
        first, second = self.candidates[
            np.concatenate([[table.first, table.second] for table in tables], axis=1)
        ]
        columns = super()._columns() | {"first": first, "second": second}
        for side in ("second", "first"):
            columns = {f"mean_{side}": self.mean_scores[columns[side]]} | columns
        winners = np.concatenate([table.winner for table in tables]).tolist()
        columns["better"] = [self._labels[w] if w >= 0 else None for w in winners]
        if self.reference is not None:
            params = [self.params[row] for row in second]
            for name in dict.fromkeys(name for of_row in params for name in of_row):
                columns[f"param_{name}"] = [p.get(name, np.nan) for p in params]
        return {"first": first, "second": second} | columns

    def _to_parts(self):
        header, arrays = super()._to_parts()
        searched = {
            name: value.tolist() if isinstance(value, np.ndarray) else plain(value)
            for name, value in self._searched.items()
        }
        return header | {"candidates": searched}, arrays

    @classmethod
    def _of_parts(cls, path, header, arrays):
        searched, (test, options) = header.pop("candidates"), tests_from_header(header)
        losses = of_parts(CVLosses, path, header, arrays)
        if len(searched["candidates"]) != len(losses.estimator_names):
            raise ValueError("candidates not as saved")
        asks_test = options.pop("asks_test")
        comparison = cls(losses, Question(test, **options), **searched)
        comparison._asks_test = asks_test
        return comparison


def _find_reference(reference, table):
    """Return the row of the reference, None for all pairs."""
    if reference is None:
        return None
    allowed = "'best', a row of `cv_results_`, the name of a candidate, or None"
    if isinstance(reference, str):
        if reference != "best":
            raise invalid("reference", allowed, reference)
        return int(np.nanargmax(table.mean_scores))
    if isinstance(reference, bool) or not isinstance(reference, numbers.Integral):
        raise invalid("reference", allowed, reference, TypeError)
    if reference not in table.candidates:
        number = len(table.params)
        allowed = f"a candidate that can be compared, below {number}"
        if reference in range(number):
            allowed += ", in the last iteration and without failed fits"
        raise invalid("reference", allowed, reference)
    return int(reference)
