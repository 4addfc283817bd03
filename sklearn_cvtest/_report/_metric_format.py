"""How means and differences of a metric are shown: its name, unit, sign and digits."""

import re
from dataclasses import dataclass, field

import numpy as np

from .._losses._metric_names import SHARES, is_squared, metric_word
from .._validation import packaged_data
from ._format import (
    NOTHING,
    common_decimals,
    format_number,
    interval_cell,
    minus,
    narrowest,
    without_noise,
)

METRICS = packaged_data(__package__, "metrics.json")
NEGLIGIBLE = 1e-3  # of the width of an interval: what is below may be shown as 0


class _Format:
    """What the formats of differences and of ratios share."""

    def _texts(self, scaled, least, unit, width, against):
        """Return numbers in the unit of a reader as texts; see :meth:`numbers`."""
        half_width = None
        if width:
            half_width = unit * width / 2
        negligible = unit * NEGLIGIBLE * (width or against or 0.0)
        return common_decimals(scaled, least, half_width, negligible)

    def intervals(self, middles, lows, highs):
        """Return numbers and their intervals as texts, all with as many decimals.

        What has no end is a bound; what is not known, or beyond all, is a dash.
        """
        n_rows = len(middles)
        width = narrowest(lows, highs)
        texts = self.numbers(*middles, *lows, *highs, width=width)
        texts = [NOTHING if text == "nan" else text for text in texts]
        low_texts = texts[n_rows : 2 * n_rows]
        high_texts = texts[2 * n_rows :]
        cells = list(map(interval_cell, low_texts, high_texts))
        middle_texts = [
            NOTHING if text.endswith("inf") else text for text in texts[:n_rows]
        ]
        return middle_texts, cells


@dataclass(frozen=True)
class MetricFormat(_Format):
    """How a metric is shown.

    Attributes
    ----------
    word : str
        What it is called, such as "error".
    is_share : bool
        Whether it is a share of examples, shown in percent.
    sign : int
        1 for a loss, -1 where greater is better.
    is_root : bool
        Whether the loss is squared, and the root of its mean is shown.
    squared_word : str
        What the squared loss itself is called.
    is_negated : bool
        Whether the metric is a score that is minus the loss that is shown.
    """

    word: str
    is_share: bool
    sign: int
    is_root: bool = False
    squared_word: str = ""
    is_negated: bool = field(default=False, compare=False)

    is_ratio = False

    @property
    def best(self):
        """What the best one has most, or least, of."""
        superlative = "highest" if self.sign < 0 else "lowest"
        return f"{superlative} {self.mean_word}"

    @property
    def mean_word(self):
        """What a mean is called."""
        return self.word if self.is_root else f"mean {self.word}"

    @property
    def header(self):
        """What stands above a column of means."""
        return f"{self.word} (%)" if self.is_share else self.word

    @property
    def unit_size(self):
        """The number in the unit of a reader that 1 is."""
        return 100 if self.is_share else 1

    def value(self, mean_loss):
        """Return a mean as text, in the user's sign."""
        mean = float(self.as_read(self.sign * mean_loss))
        if self.is_share:
            return minus(f"{without_noise(100 * mean):.1f}") + "%"
        return minus(format_number(mean, 3))

    def end(self, value):
        """Return the end of an interval, in the user's sign, as the mean before it."""
        return self.value(self.sign * value).rstrip("%")

    def as_read(self, means):
        """Return means, or ends of their intervals, in the unit that people read."""
        return np.sqrt(np.maximum(means, 0.0)) if self.is_root else means

    def users_ends(self, lows, highs):
        """Return ends of intervals of a loss or score in the sign that is shown."""
        if self.is_negated:
            return np.negative(highs), np.negative(lows)
        return lows, highs

    def means(self, middles, lows, highs):
        """Return means and their intervals as texts, as :meth:`intervals` does."""
        return self.intervals(
            self.as_read(middles), self.as_read(lows), self.as_read(highs)
        )

    def error(self, error, mean):
        """Return the standard error of a mean, in the unit that people read.

        For a root, by the delta method, it is half of the error over the root.
        """
        if not self.is_root:
            return error * self.unit_size
        root = float(np.sqrt(abs(mean)))
        return error / (2 * root) if root else error

    def effect(self, is_by_ratio):
        """Return the format of what compares two models: a ratio or a difference.

        A difference of squared losses is in their own unit.
        """
        if is_by_ratio:
            return RatioFormat(self.word, self.is_root)
        if self.is_root:
            return MetricFormat(self.squared_word, False, self.sign)
        return self

    def numbers(self, *values, width=None, against=None):
        """Return differences as texts, with decimals as the widest needs them.

        Where a number that is not 0 would be shown as 0, all have up to two decimals
        more; and up to two more so that half of `width`, of the narrowest interval, has
        two digits. A number that is tiny against the width, or against another one
        (`against`), is not worth more decimals.
        """
        unit = self.unit_size
        least = 1 if self.is_share else 0
        scaled = unit * np.array(values, dtype=np.float64)
        return self._texts(scaled, least, unit, width, against)

    def unit(self, number):
        """Return what follows a number that stands alone."""
        if not self.is_share:
            return f" in {self.word}"
        return f"{self.points(number)} of {self.word}"

    def points(self, number):
        """Return what follows a number where the metric has been named."""
        if not self.is_share:
            return ""
        return " point" if number == "1" else " points"

    def margin(self, value):
        """Return a margin that a user gave, with its unit."""
        number = f"{self.unit_size * value:.4g}"
        return number + self.unit(number)


NUMBERS = MetricFormat("", False, 1)  # of no unit


@dataclass(frozen=True)
class RatioFormat(_Format):
    """How ratios of mean losses, which are kept as logarithms, are shown: in percent.

    A log ratio of log(0.88) is shown as -12%; of a squared loss, whose root is shown,
    log(0.88)/2 is -6.2%.

    Attributes
    ----------
    word : str
        What is compared, such as "RMSE".
    is_root : bool
        Whether the loss is squared.
    """

    word: str
    is_root: bool

    is_ratio = True
    is_share = False
    sign = 1  # as for a loss

    @property
    def power(self):
        """The power of a ratio of losses that is a ratio of what is shown."""
        return 0.5 if self.is_root else 1.0

    def percent(self, log_ratios):
        """Return by how many percent the first is above the second; -inf stays."""
        log_ratios = np.asarray(log_ratios, dtype=np.float64)
        with np.errstate(over="ignore"):
            percent = 100 * np.expm1(self.power * log_ratios)
        return np.where(np.isneginf(log_ratios), -np.inf, percent)

    def numbers(self, *values, width=None, against=None):
        """Return log ratios as texts in percent; see :meth:`MetricFormat.numbers`."""
        unit = 100 * self.power  # percent of what is shown, of a small log ratio
        scaled = self.percent(values)
        largest = np.abs(scaled[np.isfinite(scaled)]).max(initial=0.0)
        least = 1 if largest < 100 else 0
        texts = self._texts(scaled, least, unit, width, against)
        return [f"{text}%" if text[-1].isdigit() else text for text in texts]

    def unit(self, number):
        """Return what follows a number that stands alone: nothing."""
        return ""

    def points(self, number):
        """Return what follows a number where the metric has been named: nothing."""
        return ""

    def margin(self, value):
        """Return a margin, the logarithm of a ratio of what is shown."""
        return f"{100 * np.expm1(value):.4g}% in {self.word}"


def metric_format_of(losses):
    """Return the MetricFormat of CVLosses.

    What is negated to become a score, as "neg_root_mean_squared_error" is, is shown as
    the loss that it is.
    """
    words = METRICS["others"]
    name = losses.loss_name.removeprefix("test_")
    metric = losses.measured
    is_minus_loss = metric.removeprefix("test_").startswith("neg_")
    if is_minus_loss and not name.startswith("neg_"):
        name = metric
    is_negated = losses.is_score and is_minus_loss
    sign = -1 if losses.is_score and not is_negated else 1
    name = name.removeprefix("neg_")
    average = ""
    for suffix, average_word in METRICS["averages"].items():
        base = name.removesuffix(suffix)
        if base != name and (base in SHARES or base in words):
            name = base
            average = average_word
    name = re.sub(r"^make_scorer\((\w+).*", r"\1", name)
    standard_name = name if "(" in name else metric_word(name)
    if sign > 0 or standard_name in SHARES:  # other scores keep what users call them
        name = standard_name
    is_share = name in SHARES
    word = SHARES.get(name) or words.get(name) or name.replace("_", " ")
    if name == "<lambda>":  # a function without a name
        word = "score" if losses.is_score else "loss"
    weighted = "weighted " if losses.is_weighted else ""
    word = f"{weighted}{average}{word}"
    if not is_squared(metric):
        return MetricFormat(word, is_share, sign, is_negated=is_negated)
    root = METRICS["roots"][metric_word(metric)]
    return MetricFormat(f"{weighted}{root}", False, sign, True, word, is_negated)
