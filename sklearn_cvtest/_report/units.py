"""How means and differences of a metric are shown: unit, sign and digits."""

from dataclasses import dataclass

import numpy as np

from .._metrics import Metric
from .._validation import one_line
from .numbers import (
    NOTHING,
    common_decimals,
    interval_cell,
    minus,
    narrowest,
    significant_digits,
)


@dataclass(frozen=True)
class Unit:
    """How people read a metric; `by_ratio` says how two models are compared."""

    metric: Metric
    by_ratio: bool = False

    @property
    def word(self):
        """What is measured."""
        return self.metric.root_word or one_line(self.metric.word)

    @property
    def mean_word(self):
        """What a mean is called."""
        return self.metric.root_word or f"mean {self.word}"

    @property
    def best(self):
        """What the best model has most, or least, of."""
        return f"{'highest' if self.metric.is_score else 'lowest'} {self.mean_word}"

    @property
    def header(self):
        """What stands above a column of means."""
        return f"{self.word} (%)" if self.metric.is_share else self.word

    @property
    def scale(self):
        """The number in the unit of a reader that 1 is."""
        return 100 if self.metric.is_share else 1

    def as_read(self, losses):
        """Return mean losses in the sign and the unit that people read."""
        means = np.asarray(losses, dtype=np.float64)
        if self.metric.is_score:
            means = -means
        return np.sqrt(np.maximum(means, 0.0)) if self.metric.root_word else means

    def mean(self, loss):
        """Return a mean loss as text, in the user's sign."""
        mean = float(f"{self.as_read(loss):.12g}")
        if self.metric.is_share:
            return minus(f"{100 * mean:.1f}") + "%"
        return minus(significant_digits(mean, 3))

    def means(self, losses, lows, highs):
        """Return mean losses and their intervals as texts."""
        if self.metric.is_score:
            lows, highs = highs, lows
        numbers = [self.as_read(values) for values in (losses, lows, highs)]
        width = narrowest(*numbers[1:])
        texts = self._texts(np.concatenate(numbers), width, width)
        return _split_in_cells(texts)

    def differences(self, effects, lows, highs):
        """Return differences, or ratios, and their intervals as texts."""
        width = narrowest(lows, highs)
        values = np.concatenate([effects, lows, highs])
        texts, cells = _split_in_cells(self.numbers(values, width, width))
        if self.by_ratio:
            is_endless = says_nothing(np.asarray(lows), np.asarray(highs))
            cells = [
                NOTHING if e else c for e, c in zip(is_endless, cells, strict=True)
            ]
        return texts, cells

    @property
    def amount_header(self):
        """What stands above a column of amounts by which one is ahead."""
        return "by (points)" if self.metric.is_share and not self.by_ratio else "by"

    def numbers(self, values, half_width_of=None, negligible_of=None):
        """Return differences, or log ratios as percentages, as texts."""
        if not self.by_ratio:
            return self._texts(values, half_width_of, negligible_of)
        scaled = self.as_shown(values)
        exponent = self.metric.exponent
        largest = np.abs(scaled[np.isfinite(scaled)]).max(initial=0.0)
        half_width = 50 * exponent * half_width_of if half_width_of else None
        texts = common_decimals(
            scaled,
            1 if largest < 100 else 0,
            half_width,
            0.1 * exponent * (negligible_of or 0.0),
        )
        return [f"{text}%" if text[-1].isdigit() else text for text in texts]

    def as_shown(self, values):
        """Return differences in points, or log ratios as percentages."""
        values = np.asarray(values, dtype=np.float64)
        if not self.by_ratio:
            return self.scale * values
        with np.errstate(over="ignore"):
            scaled = 100 * np.expm1(self.metric.exponent * values)
        return np.where(np.isneginf(values), -np.inf, scaled)

    @property
    def difference_word(self):
        """What is drawn of two models, with its unit."""
        if self.by_ratio:
            return f"{self.word} (%)"
        return f"points of {self.word}" if self.metric.is_share else self.word

    def _texts(self, values, half_width_of, negligible_of):
        half_width = self.scale * half_width_of / 2 if half_width_of else None
        return common_decimals(
            self.scale * np.asarray(values),
            1 if self.metric.is_share else 0,
            half_width,
            self.scale * 1e-3 * (negligible_of or 0.0),
        )

    def after(self, number):
        """Return what follows a difference that stands alone."""
        if self.by_ratio:
            return ""
        if not self.metric.is_share:
            return f" in {one_line(self.metric.word)}"
        return f"{self.points(number)} of {self.word}"

    def points(self, number):
        """Return what follows a difference where the metric has been named."""
        if self.by_ratio or not self.metric.is_share:
            return ""
        return " point" if number == "1" else " points"

    def margin(self, value):
        """Return a margin that a user gave, with its unit."""
        number = f"{self.scale * value:.4g}"
        return number + self.after(number)


def says_nothing(lows, highs):
    """Whether intervals of ratios hold 1 and have an end only, or none."""
    is_endless = ~np.isfinite(lows) | ~np.isfinite(highs)
    return is_endless & (lows <= 0) & (highs >= 0)


def _split_in_cells(texts):
    """Return the texts of numbers, and of their intervals."""
    n_rows = len(texts) // 3
    texts = [NOTHING if text == "nan" else text for text in texts]
    ends = zip(texts[n_rows : 2 * n_rows], texts[2 * n_rows :], strict=True)
    cells = []
    for low, high in ends:
        cells.append(NOTHING if NOTHING in (low, high) else interval_cell(low, high))
    return texts[:n_rows], cells
