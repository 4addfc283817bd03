"""The p-value of a test as a function of ρ."""

import numpy as np
from sklearn.base import clone

from .._design import K_FOLD, REPEATED_K_FOLD, SUBSAMPLE
from .._inference import KFoldTTest
from .._inference.zero_variance import evaluate_limited
from .._validation import invalid
from .forest import BLUE, axes_or_new, in_lines, legend_below
from .numbers import percent

MOST_CURVES = 7  # that can be distinguished
EXCHANGEABLE = (K_FOLD, REPEATED_K_FOLD, SUBSAMPLE)


class RhoSensitivityDisplay:
    """The p-value of a test against the ρ that one may assume.

    ρ, the share of the variance of a cross-validation mean that is due to blocks
    moving together, is not known. A curve shows what each assumption would say of the
    best one and another, of up to seven; a marker shows ρ_α, the largest ρ at which
    the difference is significant. The test is that of the comparison; if it has no ρ,
    the t test on block means.

    Made by :meth:`from_comparison`.

    Parameters
    ----------
    rho : ndarray of shape (n_rho,)
        Values of ρ in [0, 1).
    pvalues : ndarray of shape (n_curves, n_rho)
        p-values, not adjusted for the number of pairs.
    rho_alpha : ndarray of shape (n_curves,)
        The largest ρ at which each is significant; below 0 if there is none.
    labels : list of str, of length n_curves
        The pairs.
    test : test
        The test, at the level of the comparison.
    assumed : float
        The ρ of the comparison.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes.
    figure_ : matplotlib Figure
        The figure.

    See Also
    --------
    ComparisonDisplay : The differences themselves.

    Notes
    -----
    t(ρ) = √(1-ρ) t(0) follows Student's t with J - 1 degrees of freedom if the J
    block means are exchangeable with that ρ ([1]_, eq. 9). That asks for a K-fold, a
    repeated K-fold or random subsamples; of paired halves, the run on the whole
    sample is shown. :class:`KFoldZTest` has z(ρ) in its place, with the ρ of one
    run. A vertical line marks the ρ of the comparison.

    References
    ----------
    .. [1] Y. Grandvalet and Y. Bengio, "Hypothesis Testing for
       Cross-Validation", Technical Report 1285, DIRO, Université de Montréal,
       2006. Equation (9) and section 4.2.

    Examples
    --------
    >>> from sklearn_cvtest import RhoSensitivityDisplay
    >>> from sklearn_cvtest import compare_cv_results
    >>> folds = {"a": [0.90, 0.92, 0.89, 0.93, 0.91], "b": [0.91, 0.91, 0.87, 0.9, 0.9]}
    >>> result = compare_cv_results(folds, cv=5, metric="accuracy")
    >>> display = RhoSensitivityDisplay.from_comparison(result)
    """

    def __init__(self, *, rho, pvalues, rho_alpha, labels, test, assumed):
        self.rho = rho
        self.pvalues = pvalues
        self.rho_alpha = rho_alpha
        self.labels = labels
        self.test = test
        self.assumed = assumed

    @classmethod
    def from_comparison(cls, comparison, *, ax=None):
        """Draw the p-values of a comparison.

        Parameters
        ----------
        comparison : Comparison
            The comparison.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        display : RhoSensitivityDisplay
            The display, drawn.

        Raises
        ------
        ValueError
            If the test has no ρ, and the block means of the design are not
            exchangeable.
        """
        if not hasattr(comparison, "losses"):
            raise invalid("comparison", "a Comparison", comparison, TypeError)
        losses, table = comparison.losses, comparison._printed_table
        reference = comparison.models.reference
        others = [row.position for row in comparison.models.others[:MOST_CURVES]]
        rows = [table.number_of(position, reference) for position in others]
        pairs = np.column_stack([table.first, table.second])[rows]
        test = comparison.test
        if "rho" not in test.get_params():
            options = {"alternative": test.alternative, "popmean": test.popmean}
            test = KFoldTTest(0.0, alpha=test.alpha, **options)
            if losses.design.kind not in EXCHANGEABLE:
                allowed = f"{', '.join(EXCHANGEABLE)} with a KFoldTTest or KFoldZTest"
                raise invalid("comparison", f"of {allowed}", str(losses.design))
        residuals = losses.pairs(pairs)
        rho = np.linspace(0, 1, 201)[:-1]
        curves = []
        for value in rho:
            at_rho = clone(test).set_params(rho=float(value))
            curves.append(evaluate_limited(at_rho, residuals).pvalue)
        names = losses.names
        display = cls(
            rho=rho,
            pvalues=np.array(curves).T,
            rho_alpha=np.ravel(evaluate_limited(test, residuals).rho_alpha),
            labels=[f"{names[i]} − {names[j]}" for i, j in pairs],
            test=test,
            assumed=float(table.rho[0]),
        )
        return display.plot(ax=ax)

    def plot(self, *, ax=None):
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
        n_lines = "\n".join(map(in_lines, self.labels)).count("\n")
        ax = axes_or_new(ax, figsize=(6.4, 5 + n_lines / 5))
        alpha = self.test.alpha
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
                label=f"{in_lines(label)}: {meaning}",
            )
            if 0 <= crossing <= 1:
                ax.plot([crossing], [alpha], "o", color="0.2")
        thin = {"color": "0.4", "linewidth": 1}
        level = f"level {percent(alpha)}"
        ax.axhline(alpha, linestyle="--", label=level, **thin)
        if np.isfinite(self.assumed):
            ax.axvline(self.assumed, linestyle=":", label="ρ of the test", **thin)
        ax.set(yscale="log", xlim=(0, 1), ylim=(floor / 1.4, 1.4), ylabel="p-value")
        ax.set_xlabel("assumed ρ: share of the variance between blocks")
        legend = legend_below(ax, title=type(self.test).__name__)
        for text in legend.get_texts():
            text.set_parse_math(False)
        self.ax_ = ax
        self.figure_ = ax.figure
        return self
