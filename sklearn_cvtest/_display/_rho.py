"""The p-value of a test as a function of ρ ([GB06] is Grandvalet & Bengio 2006)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.base import clone

from .._data._residuals import CVResiduals
from .._inference._traits import TESTS
from .._inference._zero_variance import full_evaluation, pvalues_by_rho
from .._report._format import percent
from .._report._printed_names import cut_names
from .._report._shown_pairs import shown_pairs
from .._splits._design import DesignKind
from .._typing import Alternative, Any, ArrayLike, Axes, Pairs, Self
from .._validation import (
    check_level,
    check_real,
    check_real_array,
    invalid,
    invalid_words,
)
from . import _draw
from ._axis_texts import IN_PAIRS

EXCHANGEABLE = DesignKind.K_FOLD, DesignKind.REPEATED_K_FOLD, DesignKind.SUBSAMPLE
MAX_CURVES = 7  # that can be distinguished
LARGEST_SEEN = 0.7  # [GB06] section 4.2, for 10-fold cross-validation
THIN = {"color": "0.4", "linewidth": 1, "zorder": 1}


@dataclass(eq=False, repr=False, kw_only=True)
class RhoSensitivityDisplay(_draw.PairsDisplay):
    """The p-value of a test against the ρ that one may assume.

    ρ, the share of the variance of a cross-validation mean that is due to blocks
    moving together, is not known. The curve shows what each assumption would say; a
    marker shows ρ_α, the largest ρ at which the difference is significant. The test is
    the one used by the comparison, whose table shows ρ_α; if it has no ρ, it is the t
    test on block means, and the head of the picture says so.

    Make it with :meth:`from_comparison` or :meth:`from_residuals`. Without `pairs`, it
    shows all of up to seven, of more the best, or the reference, with the seven nearest
    to it.

    Parameters
    ----------
    rho : array-like of shape (n_rho,)
        Values of ρ in [0, 1].
    pvalues : array-like of shape (n_curves, n_rho)
        p-values, not adjusted for the number of pairs.
    rho_alpha : array-like of shape (n_curves,)
        The largest ρ at which each is significant; below 0 if there is none.
    labels : sequence of str, of length n_curves
        Names of the pairs.
    alpha : float, default=0.05
        The level.
    marks : dict of str to float, default=None
        Values of ρ to mark by vertical lines, by label.
    test : str, default=None
        The test whose p-values they are, named in the legend.

    Attributes
    ----------
    lines_ : list of matplotlib Line2D
        The curves.
    alpha_line_ : matplotlib Line2D
        The line at the level.
    mark_lines_ : list of matplotlib Line2D
        The vertical lines at the marks.
    rho_alpha_points_ : list of matplotlib Line2D
        The markers of ρ_α, of curves that have one in [0, 1].
    ax_ : matplotlib Axes
        The axes.
    figure_ : matplotlib Figure
        The figure.

    See Also
    --------
    ComparisonDisplay : The differences themselves.
    KFoldTTest : The test.

    Notes
    -----
    t(ρ) = √(1-ρ) t(0) follows Student's t with J - 1 degrees of freedom if the J
    block means are exchangeable with that ρ ([1]_, eq. 9). That asks for a K-fold, a
    repeated K-fold or random subsamples; of paired halves, the run on the whole
    sample is shown. :class:`KFoldZTest` has z(ρ) in its place, with the ρ of one
    run. Marked is the ρ in the table; for t(ρ) also Nadeau and Bengio's [2]_,
    r/(r + 1/J) with r = n2/n1, which is K/(2K-1) for one K-fold, and for one K-fold
    0.7, the largest that was seen in the simulations of [1]_, with K = 10.

    References
    ----------
    .. [1] Y. Grandvalet and Y. Bengio, "Hypothesis Testing for
       Cross-Validation", Technical Report 1285, DIRO, Université de Montréal,
       2006. Equation (9) and section 4.2.
    .. [2] C. Nadeau and Y. Bengio, "Inference for the Generalization Error",
       Machine Learning 52, 239-281, 2003. :doi:`10.1023/A:1024068626366`

    Examples
    --------
    >>> from sklearn_cvtest import RhoSensitivityDisplay
    >>> folds = [0.010, -0.005, 0.020, 0.015, 0, 0.010, 0.025, -0.010, 0.005, 0.020]
    >>> display = RhoSensitivityDisplay.from_residuals(folds)
    >>> round(display.rho_alpha[0], 3)
    0.165
    """

    rho: Sequence
    pvalues: Sequence
    rho_alpha: Sequence
    labels: Sequence
    alpha: float = 0.05
    marks: dict | None = None
    test: str | None = None

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the curves.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        display : RhoSensitivityDisplay
            The object itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        rho, pvalues, rho_alpha = self._checked()
        ax = _draw.make_axes(ax, "RhoSensitivityDisplay.plot", self.size())
        floor = max(pvalues[pvalues > 0].min(initial=0.01), 1e-16)
        self._draw_curves(ax, rho, np.maximum(pvalues, floor), rho_alpha)
        self._draw_marks(ax)
        level = f"level {percent(float(self.alpha))}"
        self.alpha_line_ = ax.axhline(self.alpha, label=level, linestyle="--", **THIN)
        ax.set(yscale="log", xlim=(0, 1), ylim=(floor / 1.4, 1.4), ylabel="p-value")
        ax.set_xlabel(
            _draw.wrapped("assumed ρ: share of the variance between blocks", ax)
        )
        handles = [*self.lines_, *self.mark_lines_, self.alpha_line_]
        title = self.test and _draw.wrapped(self.test, ax)
        labels = [handle.get_label() for handle in handles]
        _draw.add_legend_below(ax, handles, labels, title=title)
        self.ax_ = ax
        self.figure_ = ax.figure
        return self

    def _checked(self):
        """Return ρ, a p-value at each for each curve, and the ρ_α of the curves."""
        check_level("alpha", self.alpha)
        _draw.check_text("test", self.test)
        if not isinstance(self.marks, dict | None):
            raise invalid("marks", "a dict of label: ρ, or None", self.marks, TypeError)
        for value in (self.marks or {}).values():
            check_real("marks", value)
        rho = check_real_array("rho", self.rho, (1,))
        n_curves = len(_draw.check_sequence("labels", self.labels))
        pvalues = self._checked_array("pvalues", (n_curves, len(rho)))
        return rho, pvalues, self._checked_array("rho_alpha", (n_curves,))

    def _checked_array(self, name, shape):
        """Return an attribute of curves; one curve may have a dimension less."""
        array = check_real_array(name, getattr(self, name))
        checked = np.array(array, ndmin=len(shape))
        if checked.shape != shape:
            shape_text = f"an array of shape {array.shape}"
            raise invalid_words(name, f"an array of shape {shape}", shape_text)
        return checked

    def _draw_curves(self, ax, rho, pvalues, rho_alpha):
        """Draw each curve, and a marker where it crosses the level."""
        self.lines_ = []
        self.rho_alpha_points_ = []
        width, _ = _draw.letters_of(ax)
        labels = cut_names(self.labels, max(width, IN_PAIRS))
        for number, label in enumerate(labels):
            crossing = rho_alpha[number]
            meaning = "significant at no ρ"
            if crossing >= 0:
                meaning = f"ρ_α = {crossing:.3g}"
            style = {
                "color": _draw.cycled(_draw.COLORS, number),
                "marker": _draw.cycled(_draw.MARKERS, number),
                "markersize": 8,
            }
            self.lines_ += ax.plot(
                rho,
                pvalues[number],
                label=f"{label}: {meaning}",
                linestyle=_draw.cycled(_draw.LINE_STYLES, number),
                linewidth=2,
                markevery=[],
                **style,
            )
            if 0 <= crossing <= 1:
                style |= {"linestyle": "", "clip_on": False, "zorder": 4}
                self.rho_alpha_points_ += ax.plot([crossing], [self.alpha], **style)

    def _draw_marks(self, ax):
        """Draw vertical lines, with their ρ inside the axes."""
        values = {}
        labels = {}
        for label, rho in (self.marks or {}).items():  # equal ones are one line
            text = f"{rho:.3g}"
            values.setdefault(text, rho)
            labels.setdefault(text, []).append(label)
        self.mark_lines_ = []
        for text, rho in values.items():
            label = f"{text}: {', '.join(labels[text])}"
            line = ax.axvline(rho, label=label, linestyle=":", **THIN)
            self.mark_lines_.append(line)
            ax.annotate(
                text,
                (rho, 0),
                (-1, 4),
                xycoords=ax.get_xaxis_transform(),
                textcoords="offset points",
                rotation=90,
                ha="right",
                fontsize=8,
                color="0.4",
            )

    @classmethod
    def of_comparison(cls, comparison: Any, pairs: Pairs = None) -> Self:
        """Return the display of a comparison, not drawn yet.

        Parameters
        ----------
        comparison : Comparison
            The comparison.
        pairs : {"best", "all"} or list of (str, str), default=None
            As in :meth:`from_comparison`.

        Returns
        -------
        display : RhoSensitivityDisplay
            The display.

        Raises
        ------
        ValueError
            If no test has a p-value for each ρ, and the block means of the design are
            not exchangeable; the message says what to use.
        """
        table, numbers = shown_pairs(comparison, comparison.table, pairs, MAX_CURVES)
        pairs = np.transpose([table.first, table.second])[numbers].tolist()
        residuals = [comparison.losses.residuals(*pair) for pair in pairs]
        return cls._of_residuals(residuals, *_shown_test(comparison))

    def size(self) -> tuple[float, float]:
        """Return width and height in inches that the plot needs.

        Returns
        -------
        width, height : float
            As matplotlib takes them.
        """
        n_lines = len(self.labels) + len(self.marks or {}) + 2 * bool(self.test)
        return 6.4, 4.2 + 0.2 * n_lines

    @classmethod
    def from_residuals(
        cls,
        residuals: CVResiduals | ArrayLike,
        *,
        ax: Axes | None = None,
        alpha: float = 0.05,
        alternative: Alternative = "two-sided",
        popmean: float = 0.0,
    ) -> Self:
        """Plot residuals.

        Parameters
        ----------
        residuals : CVResiduals or array-like of shape (K, m) or (K,)
            The residuals; an array is treated as the residuals of a K-fold.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.
        alpha : float, default=0.05
            Level, in (0, 1).
        alternative : {"two-sided", "less", "greater"}, default="two-sided"
            As in :class:`KFoldTTest`.
        popmean : float, default=0.0
            Expected residual under the null hypothesis.

        Returns
        -------
        display : RhoSensitivityDisplay
            The plot.

        Raises
        ------
        ValueError
            If the block means of the design are not exchangeable; the message says
            what to use.
        """
        if not isinstance(residuals, CVResiduals):
            array = check_real_array("residuals", residuals, (1, 2))
            residuals = CVResiduals.from_array(array)
        options = {"alpha": alpha, "alternative": alternative, "popmean": popmean}
        test = _of_means(residuals.design, options)
        return cls._of_residuals([residuals], test).plot(ax)

    @classmethod
    def _of_residuals(cls, residuals, test, title=None, marks=None):
        """Compute the curves of residuals of one design by a test."""
        test.check_params()
        for pair in residuals:
            pair.check_finite()
        # t(1) of an infinite t(0) is not defined
        rho = np.minimum(np.linspace(0, 1, 201), np.nextafter(1, 0))
        test = clone(test)
        test.set_params(alpha=float(test.alpha), popmean=float(test.popmean))
        evaluations = [full_evaluation(test, pair) for pair in residuals]
        curves = [pvalues_by_rho(test, evaluation, rho) for evaluation in evaluations]
        return cls(
            rho=rho,
            pvalues=np.array(curves),
            rho_alpha=[float(evaluation.rho_alpha) for evaluation in evaluations],
            labels=[" − ".join(pair.names) or "residuals" for pair in residuals],
            alpha=test.alpha,
            marks=(marks or {}) | _marks(test, residuals[0].runs()[0]),
            test=title,
        )


def _shown_test(comparison):
    """Return the test to show, what stands at its head, and the ρ of its table."""
    for name, table in comparison.tables.items():
        if table.test.traits.varies_with_rho:
            marks = {}
            if np.all(table.rho == table.rho[0]):
                marks["ρ in the table"] = float(table.rho[0])
            return table.test, name, marks
    name, table = next(iter(comparison.tables.items()))
    options = {
        "alpha": comparison.alpha,
        "alternative": table.test.alternative,
        "popmean": table.test.popmean,
    }
    test = _of_means(comparison.losses.design, options)
    return test, f"t test on the means of splits: {name} has no p-value for each ρ", {}


def _of_means(design, options):
    """Return the t test of the means of splits, which must be exchangeable."""
    if design.base_kind not in EXCHANGEABLE or design.n_splits == 1:
        raise invalid_words(
            "residuals",
            f"of {', '.join(EXCHANGEABLE)} or paired halves, whose block means are "
            "exchangeable",
            str(design),
            hint="Use BlockKFold or RepeatedSubsample; ComparisonDisplay shows all.",
        )
    return TESTS["KFoldTTest"](0.0, **options)


def _marks(test, residuals):
    """Return the values of ρ to mark for residuals of one design."""
    marks = {}
    if not test.traits.rho_is_fixed:
        return marks
    if residuals.design.kind.is_k_fold or residuals.n_train is not None:
        corrected = TESTS["CorrectedRepeatedKFoldTTest"]()
        marks["Nadeau & Bengio's ρ"] = float(corrected.assumed_rho(residuals))
    if residuals.design.kind == DesignKind.K_FOLD:  # of more folds, ρ is larger
        marks["largest seen in 10-fold"] = LARGEST_SEEN
    return marks
