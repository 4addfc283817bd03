"""Rejection rates: power curves and heat maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._display._draw import (
    COLORS,
    LINE_STYLES,
    MARKERS,
    add_legend_below,
    check_sequence,
    cycled,
    make_axes,
)
from .._report._printed_names import shorten
from .._typing import Any, Axes, Self
from .._validation import (
    check_level,
    check_real,
    check_real_array,
    invalid,
    invalid_words,
    one_line,
)

LUMINANCE = 0.2126, 0.7152, 0.0722  # of red, green and blue


@dataclass(eq=False, repr=False, kw_only=True)
class RejectionRateDisplay:
    """How often tests reject: power curves, or a heat map over two parameters.

    Make curves of a simulation with :meth:`from_rates`; draw a heat map with
    :meth:`plot`.

    Parameters
    ----------
    rates : array-like of shape (n_tests, n_popmeans) or (n_rows, n_columns)
        Rejection rates, in [0, 1].
    alpha : float, default=0.05
        The nominal level.
    standard_errors : array-like of the shape of `rates`, default=None
        Monte-Carlo standard errors of the rates of curves; None draws no bands.
    test_names : sequence of str, of length n_tests, default=None
        Names of the curves; None for a heat map.
    popmeans : array-like of shape (n_popmeans,), default=None
        Hypothesised means, the x axis of curves.
    true_mean : float, default=None
        The true mean, at which the rate is the size of the test.
    row_values, column_values : sequence, default=None
        Values of the two parameters of a heat map.
    row_label, column_label : str, default=""
        Names of the two parameters.

    Attributes
    ----------
    lines_ : list of matplotlib Line2D
        The curves; empty for a heat map.
    bands_ : list of matplotlib FillBetweenPolyCollection
        Bands of ± 2 standard errors.
    im_ : matplotlib AxesImage or None
        The heat map; None for curves.
    text_ : list of matplotlib Text
        The numbers in its cells.
    ax_ : matplotlib Axes
        The axes.
    figure_ : matplotlib Figure
        The figure.

    Raises
    ------
    TypeError, ValueError
        If the arrays do not fit together.

    Examples
    --------
    >>> from sklearn_cvtest.simulation import RejectionRateDisplay
    >>> display = RejectionRateDisplay(
    ...     rates=[[0.04, 0.05], [0.06, 0.09]], row_values=[5, 10],
    ...     column_values=[1, 10], row_label="folds", column_label="repeats",
    ... ).plot()
    >>> [text.get_text() for text in display.text_]
    ['.040', '.050', '.060', '.090']
    """

    rates: Sequence
    alpha: float = 0.05
    standard_errors: Sequence | None = None
    test_names: Sequence | None = None
    popmeans: Sequence | None = None
    true_mean: float | None = None
    row_values: Sequence | None = None
    column_values: Sequence | None = None
    row_label: str = ""
    column_label: str = ""

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the curves or the heat map.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        display : RejectionRateDisplay
            The object itself; what was drawn are its attributes.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        rates = self._check()
        self.lines_ = []
        self.bands_ = []
        self.text_ = []
        self.im_ = None
        self.ax_ = make_axes(ax, f"{type(self).__name__}.plot", (6.4, 4.8))
        self.figure_ = self.ax_.figure
        draw = self._draw_heat_map if self.popmeans is None else self._draw_curves
        draw(self.ax_, rates)
        return self

    def _check(self):
        """Return the rates; check that all that names or explains them fits."""
        check_level("alpha", self.alpha)
        rates = check_real_array("rates", self.rates, (2,))
        is_grid = self.popmeans is None  # which may have cells that are not known
        names = ("row_values", "column_values")
        names = names if is_grid else ("test_names", "popmeans")
        lengths = zip(names, rates.shape, ("rows", "columns"), strict=True)
        for name, length, axis in lengths:
            n_values = len(check_sequence(name, getattr(self, name)))
            if n_values != length:
                allowed = f"a list of {length}, as `rates` has {axis}"
                raise invalid_words(name, allowed, f"{n_values}")
        finite = rates[~np.isnan(rates)] if is_grid else rates
        if not finite.size or not ((finite >= 0) & (finite <= 1)).all():
            ends = (
                f"{finite.min():g} to {finite.max():g}" if finite.size else "nan alone"
            )
            allowed = "in [0, 1], or nan" if is_grid else "in [0, 1]"
            raise invalid_words("rates", allowed, f"rates from {ends}")
        if is_grid:
            return rates
        if not np.isfinite(check_real_array("popmeans", self.popmeans, (1,))).all():
            raise invalid("popmeans", "finite", self.popmeans)
        if self.true_mean is not None:
            check_real("true_mean", self.true_mean)
        if self.standard_errors is not None:
            errors = check_real_array("standard_errors", self.standard_errors, (2,))
            if errors.shape != rates.shape:
                shape_text = f"an array of shape {errors.shape}"
                raise invalid_words(
                    "standard_errors", f"of shape {rates.shape}", shape_text
                )
        return rates

    def _draw_curves(self, ax, rates):
        order = np.argsort(self.popmeans)
        x = np.asarray(self.popmeans, dtype=np.float64)[order]
        for number, rate in enumerate(rates[:, order]):
            color = cycled(COLORS, number)
            marker = cycled(MARKERS, number)
            style = {"linestyle": cycled(LINE_STYLES, number), "markersize": 5}
            self.lines_ += ax.plot(x, rate, color=color, marker=marker, **style)
            if self.standard_errors is not None:
                margin = 2 * np.asarray(self.standard_errors)[number][order]
                band = np.clip([rate - margin, rate + margin], 0, 1)
                self.bands_.append(
                    ax.fill_between(x, *band, color=color, alpha=0.2, lw=0)
                )
        grey = {"color": "0.4", "linewidth": 1, "zorder": 1}
        at_right = {"transform": ax.get_yaxis_transform(), "va": "center"}
        ax.axhline(self.alpha, linestyle="--", **grey)
        label = f"level {100 * float(self.alpha):g}%"
        ax.text(1.01, self.alpha, label, fontsize=9, **at_right)
        if self.true_mean is not None:
            ax.axvline(self.true_mean, linestyle=":", **grey)
            above = {"transform": ax.get_xaxis_transform(), "ha": "center"}
            label = f"true mean {self.true_mean:.3g}"
            ax.text(self.true_mean, 1.01, label, va="bottom", fontsize=9, **above)
        ax.set(ylim=(-0.02, 1.02), ylabel="rejection rate")
        ax.set_xlabel("expected residual under the null hypothesis (popmean)")
        names = [shorten(name, 72) for name in self.test_names]
        add_legend_below(ax, self.lines_, names)

    def _draw_heat_map(self, ax, rates):
        from matplotlib.colors import TwoSlopeNorm

        alpha = float(self.alpha)
        top = min(max(float(np.nanmax(rates)), 2 * alpha), 1.0)
        norm = TwoSlopeNorm(alpha, 0.0, top)
        self.im_ = ax.imshow(rates, cmap="PuOr_r", aspect="auto", norm=norm)
        ax.set_xticks(range(rates.shape[1]), map(one_line, self.column_values))
        ax.set_yticks(range(rates.shape[0]), map(one_line, self.row_values))
        ax.set_xlabel(self.column_label, parse_math=False)
        ax.set_ylabel(self.row_label, parse_math=False)
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        style = {"ha": "center", "va": "center", "fontsize": 9}
        for i, j in np.argwhere(~np.isnan(rates)).tolist():
            light = np.dot(self.im_.cmap(norm(rates[i, j]))[:3], LUMINANCE)
            color = "white" if light < 0.4 else "black"
            text = f"{rates[i, j]:.3f}"
            text = text.removeprefix("0")
            self.text_.append(ax.text(j, i, text, color=color, **style))
        bar = ax.figure.colorbar(self.im_, ax=ax)
        bar.set_label(f"rejection rate, level {100 * alpha:g}%")
        # a tick beyond the end, by rounding, would leave nothing of the bar
        ticks = [0.0, alpha, top]
        bar.set_ticks(ticks, labels=[f"{tick:.2f}" for tick in ticks])
        bar.outline.set_visible(False)

    @classmethod
    def from_rates(
        cls, rates: Any, alpha: float | None = None, *, ax: Axes | None = None
    ) -> Self:
        """Plot the power curves of a simulation.

        Parameters
        ----------
        rates : RejectionRates
            Made by `sklearn_cvtest.simulation.rejection_rates`.
        alpha : float, default=None
            Which of its levels to show; None shows 0.05 if it is one of them, and
            otherwise the first.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        display : RejectionRateDisplay
            The plot.

        Raises
        ------
        ValueError
            If `alpha` is not one of the levels.
        """
        if not hasattr(rates, "alphas"):
            raise invalid("rates", "RejectionRates", rates, TypeError)
        alphas = [float(level) for level in rates.alphas]
        if alpha is None:
            alpha = 0.05 if 0.05 in alphas else alphas[0]
        if np.ndim(alpha) or alpha not in alphas:
            allowed = "one of " + ", ".join(f"{level:g}" for level in alphas)
            raise invalid("alpha", allowed, alpha)
        column = alphas.index(alpha)
        return cls(
            rates=rates.rates[:, column],
            alpha=alpha,
            standard_errors=rates.standard_errors[:, column],
            test_names=rates.test_names,
            popmeans=rates.popmeans,
            true_mean=rates.true_mean,
        ).plot(ax)
