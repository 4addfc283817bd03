"""The p-value of a test as a function of ρ."""

from dataclasses import dataclass

import numpy as np
from sklearn.base import clone

from .._compat import import_extra
from .._inference import KFoldTTest
from .._inference.base import evaluate_limited
from .forest import BLUE
from .numbers import percent

MOST_CURVES = 7  # that can be distinguished
N_RHO = 201


@dataclass(frozen=True)
class RhoSensitivityDisplay:
    """The p-value of a test against the ρ that one may assume.

    ρ, the share of the variance of a cross-validation mean that is due to blocks
    moving together, is not known. The curve shows what each assumption would say; a
    marker shows ρ_α, the largest ρ at which the difference is significant. The test is
    the one used by the comparison, whose table shows ρ_α; if it has no ρ, it is the t
    test on block means, and the head of the picture says so.

    Make it with :meth:`from_comparison` or :meth:`from_residuals`. With several tests,
    it shows the first that has a p-value for each ρ; without `pairs`, all of up to
    seven, of more the best, or the reference, with the seven nearest to it.

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
    >>> from sklearn_cvtest import compare_cv_results
    >>> folds = {"a": [0.90, 0.92, 0.89, 0.93, 0.91], "b": [0.91, 0.91, 0.87, 0.9, 0.9]}
    >>> result = compare_cv_results(folds, cv=5, metric="accuracy")
    >>> display = RhoSensitivityDisplay.from_comparison(result)
    """

    rho: np.ndarray
    pvalues: np.ndarray
    rho_alpha: np.ndarray
    labels: list
    assumed: float
    alpha: float

    @classmethod
    def from_comparison(cls, comparison, pairs=None, ax=None):
        """Plot a comparison.

        Parameters
        ----------
        comparison : Comparison
            Made by :func:`compare_estimators` or :func:`compare_candidates`.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.
        pairs : {"best", "all"} or list of (str, str), default=None
            The pairs to show: the best, or the reference, with the others, of many the
            best ones; all; or those in a list, each in its order. Without a reference,
            the second is the one with the smaller mean loss; a one-sided test keeps its
            pairs as they are. None is said in the description of the display.

        Returns
        -------
        display : object
            The display, drawn.

        Raises
        ------
        TypeError, ValueError
            If `pairs` is not as described, or the comparison has not what is drawn; the
            message says what to use.
        ImportError
            If matplotlib is not installed.
        """
        display = cls.of_comparison(comparison, pairs)
        display.plot(ax)
        return display

    @classmethod
    def of_comparison(cls, comparison, pairs=None):
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
        losses = comparison.losses
        if pairs is None:
            ranked = [losses.names[position] for position in losses.ranking]
            pairs = [(name, ranked[0]) for name in ranked[1 : MOST_CURVES + 1]]
        positions = [[losses.names.index(name) for name in pair] for pair in pairs]
        residuals = losses.pairs(np.array(positions))
        test = comparison.test
        if "rho" not in test.get_params() or not np.isscalar(test.rho):
            options = {"alpha": test.alpha, "alternative": test.alternative}
            test = KFoldTTest(0.0, **options)
        rho = np.linspace(0, 1, N_RHO)[:-1]
        curves = []
        for value in rho:
            at_rho = clone(test).set_params(rho=float(value))
            curves.append(evaluate_limited(at_rho, residuals).pvalue)
        return cls(
            rho=rho,
            pvalues=np.array(curves).T,
            rho_alpha=np.asarray(evaluate_limited(test, residuals).rho_alpha),
            labels=[" − ".join(pair) for pair in pairs],
            assumed=float(comparison.table.rho[0]),
            alpha=comparison.alpha,
        )

    def plot(self, ax=None):
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
        plt = import_extra("matplotlib.pyplot")

        if ax is None:
            _, ax = plt.subplots(layout="constrained")
        floor = max(self.pvalues[self.pvalues > 0].min(initial=0.01), 1e-16)
        styles = ["-", "--", "-.", ":"]
        for number, label in enumerate(self.labels):
            crossing = self.rho_alpha[number]
            meaning = "significant at no ρ"
            if crossing >= 0:
                meaning = f"ρ_α = {crossing:.3g}"
            ax.plot(
                self.rho,
                np.maximum(self.pvalues[number], floor),
                linestyle=styles[number % len(styles)],
                color=BLUE if number == 0 else None,
                label=f"{label}: {meaning}",
            )
            if 0 <= crossing <= 1:
                ax.plot([crossing], [self.alpha], "o", color="0.2")
        thin = {"color": "0.4", "linewidth": 1}
        level = f"level {percent(self.alpha)}"
        ax.axhline(self.alpha, linestyle="--", label=level, **thin)
        if np.isfinite(self.assumed):
            ax.axvline(self.assumed, linestyle=":", label="ρ of the test", **thin)
        ax.set(yscale="log", xlim=(0, 1), ylim=(floor / 1.4, 1.4), ylabel="p-value")
        ax.set_xlabel("assumed ρ: share of the variance between blocks")
        ax.legend(frameon=False)
        return ax
