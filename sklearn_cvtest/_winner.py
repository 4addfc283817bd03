"""How good is the one that was selected because it was the best?

The smallest of k mean losses is too small: it was selected for its noise, too. Noise of
the same covariance is drawn again. Added to the losses with one sign and with the
other, it gives losses to select by, and independent ones to look the selected up in;
averaged over draws, these have no bias (the coupled bootstrap of Oliveira, Lei and
Tibshirani, 2021).
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from ._best_set import reduced_rows
from ._interval import forest_of_means, intervals_of_models, test_of_intervals
from ._report.numbers import capitalised, percent, quoted, sizes_text
from ._report.result import Content, Result, Table
from ._report.units import Unit
from ._validation import check_real

N_DRAWS = 2000  # so that the estimate has an error of 0.03 standard errors
ADDED = 0.4  # variance of what is added to select by, in variances of the noise
NEAR = 1.0  # standard errors of a difference, by which others are brought nearer


@dataclass(frozen=True, repr=False)
class WinnerInterval(Result):
    """How good the one is that was chosen because it was the best.

    Made by :meth:`Comparison.winner_interval`.

    Attributes
    ----------
    losses : CVLosses
        The losses.
    position : int
        The one with the smallest mean loss.
    alpha : float
        One minus the level of the intervals.
    estimate, ci_low, ci_high : float
        Its expected loss, or score, corrected for the choice, and the interval.
    mean, mean_low, mean_high : float
        Its mean loss, or score, and the interval of that, if nothing were chosen.
    """

    losses: object
    position: int
    alpha: float
    estimate: float
    ci_low: float
    ci_high: float
    mean: float
    mean_low: float
    mean_high: float

    @property
    def name(self):
        """The model."""
        return self.losses.names[self.position]

    @property
    def n_compared(self):
        """Among how many it was selected."""
        return len(self.losses.ranking)

    def _columns(self):
        names = "estimate ci_low ci_high mean mean_low mean_high n_compared"
        columns = {name: [getattr(self, name)] for name in names.split()}
        return {self.losses.noun: [self.name]} | columns

    def _sides(self):
        """Return losses, low ends and high ends, uncorrected and corrected."""
        sign = self.losses.metric.sign
        sides = [
            [self.mean, self.estimate],
            [self.mean_low, self.ci_low],
            [self.mean_high, self.ci_high],
        ]
        means, lows, highs = sign * np.array(sides)
        return (means, highs, lows) if sign < 0 else (means, lows, highs)

    def _content(self):
        losses = self.losses
        unit = Unit(losses.metric)
        means, cells = unit.means(*self._sides())
        if losses.metric.is_share:
            means = [f"{text}%" for text in means]
            cells = [cell.replace(" to", "% to") + "%" for cell in cells]
        best = f"the best of {self.n_compared} {losses.noun}s"
        level = f"{percent(1 - self.alpha)} CI"
        trained = ""
        if losses.n_train is not None:
            trained = f", trained on {sizes_text(losses.n_train)}"
        verdict = (
            f"{quoted(self.name)} was selected as {best}. After correction for "
            f"selection, its {unit.word} is estimated at {means[1]} ({level} "
            f"{cells[1]}){trained}; uncorrected: {means[0]}."
        )
        texts = ["uncorrected", "corrected for selection"]
        rows = [list(row) for row in zip(texts, means, cells, strict=True)]
        return Content(
            lead=f"{self.name}, {best}",
            verdict=verdict,
            table=Table([self.name, unit.mean_word, level], rows),
            method=_method(losses),
            paragraph=[verdict],
            findings={"metric": losses.metric.name, "alpha": self.alpha},
        )

    def _forest(self):
        unit = Unit(self.losses.metric)
        labels = ["uncorrected", "corrected for selection"]
        xlabel = f"{capitalised(unit.header)} of {self.name}"
        return forest_of_means(unit, labels, self._sides(), xlabel)


def _method(losses):
    text = (
        "The mean of the best of many models is optimistically biased by selection. "
        "The corrected mean and its interval account for this bias."
    )
    if not losses.per_example:
        text += (
            " With one score per split, the correction depends on the ρ that the test "
            "assumes: if ρ is smaller, the correction is too large."
        )
    return text


def winner_of(losses, alpha=0.05):
    """Return the WinnerInterval of losses.

    The lower end remains: if the true loss is below it, so is the loss of the truly
    best, which was not selected. The upper end has the level at which the noise of the
    selected is below it, if the others are a standard error nearer than they came out.
    """
    check_real("alpha", alpha, 0, 1)
    test = test_of_intervals(losses)
    usable = np.sort(losses.ranking)
    means = losses.mean_losses[usable]
    place = int(np.argmin(means))
    position = int(usable[place])
    numbers = intervals_of_models(losses, [position], test, 1 - alpha)
    mean, _, mean_low, mean_high = numbers[:, 0]
    rows, errors, df = _noise_rows(test, losses, usable)
    high = mean_high
    if errors[place] > 0:
        noise = _noise_of_selected(means, rows, place, df)
        bias = np.mean(noise)  # which has no part in the scale of a range
        reach = (np.quantile(noise, 1 - alpha / 2) - bias) / errors[place]
        # a smaller one would be a level of 1
        alpha_of_reach = max(2 * special.stdtr(df, -reach), 2.0**-52)
        level = 1 - alpha_of_reach
        above = intervals_of_models(losses, [position], test, level)[3, 0]
        high = min(max(above + bias, mean_high), losses.metric.loss_range[1])
    unbiased = _unbiased(means, _no_wider(rows, means))
    ends = [np.clip(unbiased, mean, high), mean_low, high, mean, mean_low, mean_high]
    if losses.metric.is_score:  # ends change places
        ends = [-ends[place] for place in (0, 2, 1, 3, 5, 4)]
    return WinnerInterval(losses, position, alpha, *map(float, ends))


def _noise_rows(test, losses, positions):
    """Return rows whose products with normal vectors are noise, its size, its df."""
    residuals = losses.single(positions)
    errors, df = test.total_error(test.evaluate(residuals))
    if hasattr(test, "deviation_rows"):
        rows = test.deviation_rows(residuals)
    else:
        rows = residuals.whole_means
        rows = rows - rows.mean(axis=1, keepdims=True)
    if rows.shape[1] > len(rows):
        rows = reduced_rows(rows)
    errors = np.where(np.isfinite(errors), errors, 0.0)
    sizes = np.linalg.norm(rows, axis=1)
    factors = errors / np.where(sizes > 0, sizes, 1)
    return rows * factors[:, np.newaxis], errors, float(np.min(df))


def _no_wider(rows, means):
    """Return rows whose differences are no larger than the differences of the means.

    If the means differ less than noise would make them, ρ is smaller than assumed.
    """
    k = len(means)
    if k < 3:
        return rows
    centre = rows.mean(axis=0)
    deviations = rows - centre
    noise = np.sum(deviations**2) / (k - 1)
    two_errors = 2 * np.sqrt(2 / (k - 1))  # of a variance, relative to it
    most = np.var(means, ddof=1) * (1 + two_errors)
    if noise <= most:
        return rows
    return centre + np.sqrt(most / noise) * deviations


def _unbiased(means, rows):
    """Return the mean loss of the selected without its bias."""
    noise = _draws(rows, np.random.default_rng(0))
    selected = np.argmin(means + np.sqrt(ADDED) * noise, axis=1)
    noise_of_selected = _at(noise, selected)
    return np.mean(means[selected] - noise_of_selected / np.sqrt(ADDED))


def _noise_of_selected(means, rows, best, df):
    """Return draws of how much too small the mean loss of the selected is."""
    rng = np.random.default_rng(0)
    errors = np.linalg.norm(rows - rows[best], axis=1)
    distances = means - means[best]
    true_distances = np.maximum(distances - NEAR * errors, 0.0)  # as they may be
    noise = _draws(rows, rng)
    selected = np.argmin(true_distances + noise, axis=1)
    draws = -_at(noise, selected)
    if not np.isfinite(df):
        return draws
    return draws / np.sqrt(rng.chisquare(df, N_DRAWS) / df)


def _draws(rows, rng):
    """Return noise, (n_draws, k); with each draw its opposite."""
    noise = rng.standard_normal((N_DRAWS // 2, rows.shape[1])) @ rows.T
    return np.concatenate([noise, -noise])


def _at(noise, selected):
    return noise[np.arange(len(selected)), selected]
