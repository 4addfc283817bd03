"""What comparisons of estimators and of candidates have in common."""

from __future__ import annotations

from functools import cache, cached_property, partial

import numpy as np

from .._best._best_results import best_algorithms
from .._best._best_set import Best, tables_of
from .._compat import import_extra
from .._data._cvlosses import CVLosses
from .._display._comparison_display import ComparisonDisplay
from .._display._page_pictures import comparison_pictures
from .._inference._choose_tests import Question, choose_pairs, is_best
from .._pairs._intervals import EstimatorIntervals, estimator_intervals
from .._pairs._model_table import ModelTable, model_table, names_pairs_only
from .._pairs._ranking import (
    asks_for_best,
    compact_letters,
    ranking_of,
    why_no_best_set,
    why_no_letters,
)
from .._pairs._table import PairTable
from .._report._comparison_document import comparison_document, pairs_document
from .._report._models_block import estimator_columns, shown_letters
from .._report._result import Excerpt, Result, concat_columns
from .._report._shown_pairs import shown_pairs
from .._typing import Any, DataFrame, Mapping
from .._validation import check_level, invalid, one_line, warn
from ._fitted_tests import FittedTests
from ._model_labels import ModelLabels


class PairwiseResult(Result):
    """Tests of pairs of models over the same splits: the base of all comparisons.

    Parameters
    ----------
    losses : CVLosses
        The losses of at least two models.
    question : Question
        Which test of which pairs, adjusted how, and at what level; the reference is the
        name of a model, "best" or None.
    models : ModelLabels
        What the models are called.

    Attributes
    ----------
    losses : CVLosses
        The losses of what is compared.
    tables : dict of str to PairTable
        The results of the test, by its name.
    reference : str, int or None
        What all others were compared with; None of all pairs.
    reference_position : int or None
        Its position.
    p_adjust : str or None
        How p-values are adjusted.
    alpha : float
        Level of decisions and, as 1 - alpha, of intervals.
    """

    reference: Any

    def __init__(self, losses: CVLosses, question: Question, models: ModelLabels):
        names = losses.estimator_names
        tests_of_design = question.tests(
            losses.design, losses.per_example, losses.n_groups, losses.rho
        )
        asked_pairs, position = choose_pairs(
            names, question.reference, losses.mean_losses
        )
        if len(asked_pairs) == 0:
            raise invalid("estimators", "at least two to compare", list(names))
        pairs = _pairs_without_failures(losses, asked_pairs)
        tests = question.adapted(tests_of_design, losses)
        self._reference_is_best = is_best(names, question.reference)
        best_position = position if self._reference_is_best else None
        try:
            self.tables, best_by_test = tables_of(
                tests, losses, pairs, best_position, question
            )
        except (TypeError, ValueError) as error:
            error.losses = losses  # so that nothing computed is lost
            raise
        self.losses = losses
        self.reference_position = position
        self.reference = None
        if position is not None:
            self.reference = models.labels[position]
        self.p_adjust = question.p_adjust
        self.alpha = question.alpha
        self._models = models
        self._asks_test = question.asks_test
        self._tests = FittedTests(losses, self.table, models.labels)
        self._best_sets = {}  # by name of test and alpha
        for name, best in best_by_test.items():
            best_set = best_algorithms(best, models.labels, models.noun)
            self._best_sets[name, self.alpha] = best_set

    @property
    def estimator_names(self) -> tuple[str, ...]:
        """The names of what is compared, tuple of str."""
        return self.losses.estimator_names

    @property
    def noun(self) -> str:
        """What one of them is called."""
        return self._models.noun

    # Tests and p-values ---------------------------------------------------------------

    @property
    def tests(self) -> Mapping[Any, Any]:
        """{(first, second): fitted test}, a mapping."""
        return self._tests

    @property
    def best(self) -> Any:
        """The one with the smallest mean loss, or the highest mean score."""
        return self._models.labels[ranking_of(self.losses)[0]]

    @property
    def table(self) -> PairTable:
        """The results of the test: a PairTable."""
        return next(iter(self.tables.values()))

    @property
    def pvalue_(self) -> Any:
        """p-value of the only pair, or {pair: p-value}; not adjusted."""
        return self._by_pair("pvalue")

    @property
    def rho_alpha_(self) -> Any:
        """The largest ρ at which a pair still differs significantly, as `pvalue_`."""
        return self._by_pair("rho_alpha")

    @property
    def _name_of_test(self):
        return next(iter(self.tables))

    def _by_pair(self, column):
        """Return the value of a column of the only pair, or {pair: value}."""
        values = getattr(self.table, column).tolist()
        if len(self.losses.estimator_names) == 2:
            return values[0]
        return dict(zip(self._tests, values, strict=True))

    # The best ----------------------------------------------------------------------

    def best_set(self, alpha: float | None = None) -> Any:
        """Return which may be the best: a set that holds all that are the best.

        Parameters
        ----------
        alpha : float, default=None
            One minus the confidence, in (0, 1); None takes the comparison's.

        Returns
        -------
        best : BestSet
            The set.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is out of range, or the test names no winner.

        Notes
        -----
        Models leave the set one by one, the most clearly worse than the best mean
        first. With m of them left, the p-value of the next is the probability that the
        largest of their m (m - 1) differences is as extreme if all m are equally good:
        the range of Newman and Keuls [1]_ in the step-down of Westfall and Young [2]_,
        where an adjusted p-value is the largest so far. It is at most m (m - 1) times
        the one-sided p-value of the pair with the best; if this bound does not decide,
        p is drawn with a fixed seed from the joint law of the differences at the ρ of
        the test. A test without such a law has the upper bound.

        With probability 1 - `alpha` at least, the truly best is in the set, and all of
        them if several are equally good, as far as the test of two keeps its level. The
        one with the smallest mean loss is always in the set. For two models, p and
        the interval equal the two-sided results for the pair.

        How far a model is behind the best has the interval of this pair, at the
        critical value of the step at which the model left, or the first one stayed. So
        0 is below it exactly if the model is not in the set.

        References
        ----------
        .. [1] M. Keuls, "The Use of the 'Studentized Range' in Connection With an
           Analysis of Variance", Euphytica 1, 112-122, 1952. :doi:`10.1007/BF01908269`
        .. [2] P. H. Westfall and S. S. Young, "Resampling-Based Multiple Testing",
           Wiley, 1993, section 2.6.
        """
        alpha = check_level("alpha", self.alpha if alpha is None else alpha)
        return self._best_by(self._name_of_test, alpha)

    def _best_by(self, name, alpha):
        """Return the BestSet of one test, made once."""
        test = self.tables[name].test
        need = why_no_best_set(test)
        if need:
            raise ValueError(f"`best_set` needs {need}.")
        if (name, alpha) not in self._best_sets:
            best = Best(test, self.losses, alpha)
            best_set = best_algorithms(best, self._models.labels, self._models.noun)
            self._best_sets[name, alpha] = best_set
        return self._best_sets[name, alpha]

    def _set_of_verdict(self, name):
        """Return the BestSet that a verdict is about, None if it is about pairs.

        It is about pairs if there is one, or if a reference other than "best", a test
        or an adjustment of p-values was asked for.
        """
        has_reference = self.reference is not None
        asks_for_pairs = self._asks_test or self.p_adjust != "holm"
        if not self._reference_is_best and (has_reference or asks_for_pairs):
            return None
        table = self.tables[name]
        if len(table) < 2 or not asks_for_best(table.test):
            return None
        return self._best_by(name, self.alpha)

    @cached_property
    def decisions(self) -> dict[str, ModelTable]:
        """{name of test: ModelTable}, what is decided of each model, dict.

        Print, page, report and tables for papers show these decisions. Tests that do
        not say which of two is better have none.
        """
        decisions = {}
        for name, table in self.tables.items():
            if not names_pairs_only(self, table):
                best_set = self._set_of_verdict(name)
                decisions[name] = model_table(self, name, best_set)
        return decisions

    # Models that do not differ -----------------------------------------------------

    def tied_with_best(self) -> Any:
        """Return the names of those that may be the best, of :meth:`best_set`.

        Returns
        -------
        names : tuple
            The one with the smallest mean loss first.

        Raises
        ------
        ValueError
            If the test does not say which of two is better.
        """
        return self.best_set().names

    def letters(self) -> dict[str, Any]:
        """Return letters; estimators that share one do not differ significantly.

        Returns
        -------
        letters : dict
            {name: letters}, by mean loss; "a" is the group of the best.

        Raises
        ------
        ValueError
            If not all pairs are compared, or the test does not say which of two is
            better.

        Notes
        -----
        The compact letter display: two estimators have a letter in common if and only
        if their difference is not significant at level `alpha`. If the verdict is about
        the best, two are compared at the critical value of the step of :meth:`best_set`
        at which the first of them leaves, so that none that is significantly worse than
        the best shares a letter with it; otherwise by the adjusted p-values of all
        pairs. The groups come from the insert-and-absorb algorithm of [1]_, without
        groups that add nothing to the others; where there would be more than 1,000,
        some repeat others.

        References
        ----------
        .. [1] H.-P. Piepho, "An Algorithm for a Letter-Based Representation of
           All-Pairwise Comparisons", Journal of Computational and Graphical Statistics
           13, 456-466, 2004. :doi:`10.1198/1061860043515`
        """
        need = why_no_letters(self.table.test, self.reference)
        if need:
            advice = "Use retest(test, reference=None) first."
            raise ValueError(f"`letters` needs {need}. {advice}")
        letters = self.letters_by_position()
        return {self._models.labels[place]: letters[place] for place in letters}

    def letters_by_position(self) -> dict[int, str]:
        """Return {position: letters} without failed ones, the best first."""
        best_set = self._set_of_verdict(self._name_of_test)
        if best_set is not None:
            return best_set.found.letters
        ranking = ranking_of(self.losses)
        letters = compact_letters(self.table, ranking)
        return dict(zip(ranking, letters, strict=True))

    def summary(self) -> DataFrame:
        """Return a pandas DataFrame with one row for each model, the best first.

        Returns
        -------
        frame : pandas.DataFrame
            Columns estimator (or candidate); mean_loss (or mean_score), over splits;
            std, the standard deviation of the splits' means, which is not a standard
            error of the mean; fit_seconds, in all splits; rank, nan where fits failed;
            and letters as in :meth:`letters`, where there are such, of one test.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pd = import_extra("pandas", f"{type(self).__name__}.summary")
        frame = pd.DataFrame(estimator_columns(self))
        letters = shown_letters(self)
        if letters is not None:
            frame["letters"] = [letters.get(name, "") for name in frame["estimator"]]
        quantity = "score" if self.losses.is_score else "loss"
        new_names = {"mean": f"mean_{quantity}", "estimator": self.noun}
        return frame.rename(columns=new_names)

    def estimator_intervals(self) -> EstimatorIntervals | None:
        """Return the interval of each estimator's own mean loss or score.

        Returns
        -------
        intervals : EstimatorIntervals or None
            None for designs without a variance of single estimators.
        """
        return self._intervals_of_means

    @cached_property
    def _intervals_of_means(self):
        return estimator_intervals(self.losses, self.alpha)

    # Words and pictures -----------------------------------------------------------

    def _document(self):
        draw_once = cache(partial(comparison_pictures, self))
        return comparison_document(self, draw_once, self._models.remarks)

    def _columns(self):
        return concat_columns(
            [self._columns_of(name, table) for name, table in self.tables.items()]
        )

    def _columns_of(self, name, table):
        """Return the columns of a frame of pairs: the PairTable of one test."""
        columns = self._models.columns_of_test(name, table)
        if self.reference_position is not None:
            columns |= self._models.columns_of_params(table.second)
        return columns

    def _columns_of_pairs(self, pairs):
        """Return the columns of some pairs, named ones in the order of their names."""
        columns_by_test = []
        for name, table in self.tables.items():
            turned, numbers = shown_pairs(self, table, pairs, most=len(table))
            if not isinstance(pairs, str):
                table = turned
            columns = self._columns_of(name, table)
            for column, values in columns.items():
                columns[column] = [values[number] for number in numbers]
            columns_by_test.append(columns)
        return concat_columns(columns_by_test)

    def detectable_difference(self, power: float = 0.8) -> Any:
        """Return the true differences that would be found with a probability.

        Parameters
        ----------
        power : float, default=0.8
            The probability, in (0, 1).

        Returns
        -------
        differences : ndarray of shape (n_pairs,)
            Approximate, and nan of tests that are not about a difference from 0. With
            several pairs, at the level that decides on one if no other difference is
            found: `alpha` over their number where p-values are adjusted.

        Raises
        ------
        TypeError, ValueError
            If `power` is not a number in (0, 1).
        """
        return self.table.detectable_difference(power)

    def pairs(self, pairs: Any = "all") -> Excerpt:
        """Return the pairs, to print.

        Parameters
        ----------
        pairs : {"best", "all"} or list of pairs, default="all"
            Those with the best, or with the reference; all; or some.

        Returns
        -------
        pairs : Excerpt
            With a row for each pair, the one that is ahead first; p-values of the
            pairs, adjusted for their number.

        Raises
        ------
        TypeError, ValueError
            If `pairs` is none of these.
        """
        return Excerpt(pairs_document(self, pairs), self._columns_of_pairs(pairs))

    def plot(self, **options: Any) -> ComparisonDisplay:
        """Plot the differences with their intervals.

        Parameters
        ----------
        **options : dict
            As in :meth:`ComparisonDisplay.from_comparison`, such as `ax`, and `pairs`,
            "best", "all" or a list of pairs; without it, each model is shown against
            the best one or the reference, as in print.

        Returns
        -------
        display : ComparisonDisplay
            The plot.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        return ComparisonDisplay.from_comparison(self, **options)


def _pairs_without_failures(losses, pairs):
    """Return the pairs of positions without those that have failed fits."""
    failed = losses.failed_splits()
    if not failed:
        return pairs
    has_failed = np.array([name in failed for name in losses.estimator_names])
    usable = pairs[~has_failed[pairs].any(axis=1)]
    places = []
    for name, splits in failed.items():
        noun = "split" if len(splits) == 1 else "splits"
        numbers = ", ".join(str(split) for split in splits)
        places.append(f"{name!r} in {noun} {numbers}")
    reason = " (fits failed)" if losses.fit_failed.any() else ""
    message = f"Losses must be finite; got nan or inf for {'; '.join(places)}{reason}."
    errors = losses.errors or {}  # of fits, of which a warning has told
    if len(usable) == 0:
        message += " No pair is left to compare."
        for name, fit_error in errors.items():
            message += f"\n{name!r} failed first: {one_line(fit_error)}"
        error = ValueError(message)
        error.losses = losses  # so that nothing computed is lost
        raise error
    was_warned_of_all = failed.keys() <= errors.keys()
    if not was_warned_of_all:
        left_out = ", ".join(repr(name) for name in failed)
        warn(f"{message} Comparisons with {left_out} are left out.", UserWarning)
    return usable
