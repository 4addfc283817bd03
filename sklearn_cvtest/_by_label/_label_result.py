"""Comparison.by: the differences for each value of a label of the examples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._inference._base_test import BaseCVTest
from .._inference._multiplicity import METHODS
from .._pairs._ratios import ends_of_ratios, ratios_of
from .._report._metric_format import MetricFormat, metric_format_of
from .._report._result import Result
from .._row_labels import check_same_labels
from .._splits._groups import encode_groups
from .._typing import Any, Array, Axes
from .._validation import check_option, invalid_words
from ._label_document import labels_document, labels_sentence
from ._label_forest import draw_by_label
from ._label_tests import tests_of_labels

FRAME = (
    "estimate", "ci_low", "ci_high", "ci_low_simultaneous", "ci_high_simultaneous",
    "statistic", "df", "pvalue", "pvalue_adjusted",
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class DifferencesByLabel(Result):
    """Differences between estimators for each value of a label.

    Made by :meth:`Comparison.by`. Its `str` is a sentence and a table; `to_frame` has
    one row for each label and pair, with the columns label, first, second, n_examples,
    n_groups, estimate and those that follow it below, up to pvalue_adjusted.

    Attributes
    ----------
    labels : tuple
        The values of the label, in order.
    pairs : tuple of (str, str)
        The pairs; a difference is loss(first) - loss(second).
    n_examples, n_groups : ndarray of shape (n_labels,)
        Numbers of tested examples, and of their groups; 0 without groups.
    estimate, ci_low, ci_high, ci_low_simultaneous, ci_high_simultaneous, statistic, \
            df, pvalue, pvalue_adjusted : ndarray of shape (n_labels, n_pairs)
        Mean differences over examples; intervals, not adjusted and those that hold the
        tested value exactly if the adjusted p-value is above alpha; the statistic, its
        degrees of freedom (for F, the denominator's), and p-values. nan where there are
        too few examples or groups.
    test : test
        The test of the examples of a label.
    alpha : float
        Level of decisions.
    p_adjust : str or None
        How p-values are adjusted for the number of labels and pairs.
    measure : MetricFormat
        What differences are of, in words.
    log_ratio, log_ratio_ci_low, log_ratio_ci_high, log_ratio_ci_low_simultaneous, \
            log_ratio_ci_high_simultaneous : ndarray or None
        Of losses that are compared by ratio, log(mean loss of the first / of the
        second) and the ends of its intervals; else None.
    """

    labels: tuple
    pairs: tuple
    n_examples: np.ndarray
    n_groups: np.ndarray
    estimate: np.ndarray
    ci_low: np.ndarray
    ci_high: np.ndarray
    ci_low_simultaneous: np.ndarray
    ci_high_simultaneous: np.ndarray
    statistic: np.ndarray
    df: np.ndarray
    pvalue: np.ndarray
    pvalue_adjusted: np.ndarray
    test: BaseCVTest
    alpha: float
    p_adjust: str | None
    measure: MetricFormat
    log_ratio: np.ndarray | None = None
    log_ratio_ci_low: np.ndarray | None = None
    log_ratio_ci_high: np.ndarray | None = None
    log_ratio_ci_low_simultaneous: np.ndarray | None = None
    log_ratio_ci_high_simultaneous: np.ndarray | None = None

    @property
    def shown_effect(self) -> Array:
        """What is printed and drawn: log ratios by ratio, else differences."""
        return self.estimate if self.log_ratio is None else self.log_ratio

    @property
    def n_comparisons(self) -> int:
        """How many labels and pairs are tested, int."""
        return int(np.isfinite(self.pvalue).sum())

    @property
    def is_adjusted(self) -> bool:
        """Whether adjusted p-values and their intervals can differ from the others."""
        return self.p_adjust is not None and self.n_comparisons > 1

    @property
    def shown_intervals(self) -> tuple[Any, Any]:
        """The ends of the intervals that are printed and drawn, two arrays."""
        if self.log_ratio is None:
            return self.ci_low_simultaneous, self.ci_high_simultaneous
        low = self.log_ratio_ci_low_simultaneous
        return low, self.log_ratio_ci_high_simultaneous

    def _columns(self):
        n_pairs = len(self.pairs)
        first, second = zip(*self.pairs, strict=True)
        columns = {
            "label": [label for label in self.labels for _ in self.pairs],
            "first": first * len(self.labels),
            "second": second * len(self.labels),
            "n_examples": np.repeat(self.n_examples, n_pairs),
            "n_groups": np.repeat(self.n_groups, n_pairs),
        }
        for name in FRAME:
            columns[name] = getattr(self, name).ravel()
        if self.log_ratio is not None:
            columns["ratio"] = np.exp(self.log_ratio).ravel()
            low, high = ends_of_ratios(self.log_ratio_ci_low, self.log_ratio_ci_high)
            columns["ratio_low"] = low.ravel()
            columns["ratio_high"] = high.ravel()
        return columns

    def _document(self):
        return labels_document(self)

    def sentence(self) -> str:
        """Return what was found, in sentences.

        Returns
        -------
        text : str
            For which labels which estimator is better.
        """
        return labels_sentence(self)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw a forest plot: a row for each label, a series for each pair.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        ax : matplotlib Axes
            The axes, with the intervals that are printed; filled markers are
            significant differences.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        return draw_by_label(self, ax)


def differences_by_label(losses, pairs, test, labels, *, p_adjust, alpha):
    """Test the differences of pairs for each value of a label.

    `pairs` are positions of estimators, `test` is the comparison's.
    """
    check_option("p_adjust", p_adjust, (*METHODS, None))
    if not losses.per_example:
        raise ValueError(
            "`by` needs a loss for each test example; got one value per split, as from "
            "`scoring` or `per_example=False`. Use a per-example `loss`."
        )
    if test.traits.decides == "posterior":
        raise ValueError(
            f"`by` needs a test with p-values; got {type(test).__name__}. Use retest() "
            "with another test first."
        )
    codes, values = encode_groups(labels, "labels")
    if len(codes) != losses.n_samples:
        allowed = f"one for each of the {losses.n_samples} examples"
        raise invalid_words("labels", allowed, f"{len(codes)} labels")
    if losses.example_labels is not None and hasattr(labels, "iloc"):
        indexes = {"losses.example_labels": losses.example_labels}
        check_same_labels(indexes | {"labels": labels.index})
    if losses.is_weighted and len(values) > 1:
        raise ValueError(
            "`by` needs losses without weights; got some weighted by `sample_weight`, "
            "of which only means of all examples are known. Compare without weights."
        )
    residuals = losses.pair_residuals(pairs)
    ratios = ratios_of(test, losses)
    columns = tests_of_labels(test, residuals, codes, values, alpha, ratios, p_adjust)
    names = losses.estimator_names
    return DifferencesByLabel(
        labels=tuple(values.tolist()),
        pairs=tuple((names[first], names[second]) for first, second in pairs),
        alpha=alpha,
        p_adjust=p_adjust,
        measure=metric_format_of(losses).effect(ratios is not None),
        **columns,
    )
