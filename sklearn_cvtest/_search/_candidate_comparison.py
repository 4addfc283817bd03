"""CandidateComparison: differences between the candidates of a search."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .._data._cvlosses import CVLosses
from .._inference._choose_tests import Question
from .._report._comparison_document import candidate_remarks
from .._results._estimator_comparison import LossComparison, question_from_header
from .._results._model_labels import ModelLabels
from .._store._array_files import of_parts
from .._typing import DataFrame
from .._validation import invalid
from ._candidates import plain


@dataclass(frozen=True)
class SearchRows:
    """The rows of `cv_results_`, and which of them are compared.

    Attributes
    ----------
    params : list of dict
        The parameters of every row.
    candidates, failed : sequence of int
        The rows compared, and those left out because a score is not finite.
    n_searched : int or None
        For successive halving, the number of candidates at the start.
    """

    params: list
    candidates: Sequence
    failed: Sequence
    n_searched: int | None = None

    def to_json(self):
        """Return the fields as JSON types, other values as text."""
        return {
            "params": plain(self.params),
            "candidates": np.asarray(self.candidates).tolist(),
            "failed": np.asarray(self.failed).tolist(),
            "n_searched": self.n_searched,
        }


class CandidateComparison(LossComparison):
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

    def __init__(self, losses: CVLosses, question: Question, rows: SearchRows):
        self._rows = rows
        self.metric = losses.loss_name
        self.params = rows.params
        self.candidates = np.array(rows.candidates, dtype=int)
        self.failed = np.array(rows.failed, dtype=int)
        self.mean_scores = np.full(len(self.params), np.nan)
        self.mean_scores[self.candidates] = -losses.mean_losses
        reference = self._name_of_reference(question.reference, losses.estimator_names)
        question = replace(question, reference=reference)
        super().__init__(losses, question, self._model_labels())

    def _model_labels(self):
        """Return what candidates are called, and what is known of them."""
        remarks = candidate_remarks(
            len(self.candidates),
            self._rows.n_searched,
            len(self.failed),
        )
        return ModelLabels(
            labels=self.candidates.tolist(),
            noun="candidate",
            remarks=remarks,
            mean_scores=self.mean_scores[self.candidates],
            params=[self.params[row] for row in self.candidates],
        )

    def _name_of_reference(self, reference, names):
        """Return the name of the reference, "best", or None for all pairs."""
        if reference is None or (
            isinstance(reference, str) and reference in ("best", *names)
        ):
            return reference
        allowed = "'best', a row of `cv_results_`, the name of a candidate, or None"
        if isinstance(reference, str):
            raise invalid("reference", allowed, reference)
        if isinstance(reference, bool) or not isinstance(reference, numbers.Integral):
            raise invalid("reference", allowed, reference, TypeError)
        if reference not in self.candidates:
            n_rows = len(self.params)
            allowed = f"a candidate that can be compared, below {n_rows}"
            if reference in range(n_rows):
                allowed += ", in the last iteration and without failed fits"
            raise invalid("reference", allowed, reference)
        return names[self.candidates.tolist().index(reference)]

    def _comparison_of(self, losses, question):
        return CandidateComparison(losses, question, self._rows)

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

    def _to_parts(self):
        header, arrays = super()._to_parts()
        return header | {"candidates": self._rows.to_json()}, arrays

    @classmethod
    def _of_parts(cls, path, header, arrays):
        rows = SearchRows(**header.pop("candidates"))
        question = question_from_header(header)
        losses = of_parts(CVLosses, path, header, arrays)
        if len(rows.candidates) != len(losses.estimator_names):
            raise ValueError("candidates not as saved")
        return cls(losses, question, rows)
