"""What is compared, in words and units of a reader: one for all that is shown."""

import re
from typing import NamedTuple

import numpy as np

from .._losses._metric_names import is_squared, metric_word
from .._validation import packaged_data

NOTHING = "–"
MORE_DECIMALS = 2  # of a column at most, for the sake of a small number
METRICS = packaged_data(__package__, "metrics.json")
AVERAGES, WORDS = METRICS["averages"], METRICS["others"]
SHARES = METRICS["shares of examples"]  # differences are percentage points
ROOTS = METRICS["roots"]  # what the roots of squared losses are called


def without_noise(value):
    """Return a number without the last digits, in which sums of the same differ.

    What lies half-way between two texts, as 0.8175 does, is then always the same one.
    """
    return float(f"{value:.12g}")


def format_number(value, digits=4):
    """Return a number with `digits` significant digits."""
    if isinstance(value, str):
        return value
    if not np.isfinite(value):
        return f"{value:g}"
    value = without_noise(value)
    magnitude = abs(value)
    if magnitude and not 1e-4 <= magnitude < 1e6:
        return f"{value:.{digits - 1}e}"
    decimals = digits - 1 - (int(np.floor(np.log10(magnitude))) if magnitude else 0)
    most = digits if magnitude >= 0.01 else digits + 2
    return f"{value + 0.0:.{max(min(decimals, most), 0)}f}"


class Measure(NamedTuple):
    """What is compared.

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
    """

    word: str
    is_share: bool
    sign: int
    is_root: bool = False
    squared_word: str = ""

    @property
    def best(self):
        """What the best one has most, or least, of."""
        return ("highest" if self.sign < 0 else "lowest") + f" {self.mean_word}"

    @property
    def mean_word(self):
        """What a mean is called."""
        return self.word if self.is_root else f"mean {self.word}"

    @property
    def header(self):
        """What stands above a column of means."""
        return f"{self.word}{' (%)' if self.is_share else ''}"

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

    def as_read(self, means):
        """Return means, or ends of their intervals, in the unit that people read."""
        return np.sqrt(np.maximum(means, 0.0)) if self.is_root else means

    def means(self, middles, lows, highs):
        """Return means and their intervals as texts, as :meth:`intervals` does."""
        return self.intervals(*map(self.as_read, (middles, lows, highs)))

    def error(self, error, mean):
        """Return the standard error of a mean, in the unit that people read.

        For a root, by the delta method, it is half of the error over the root.
        """
        if self.is_root:
            root = float(np.sqrt(abs(mean)))
            return error / (2 * root) if root else error
        return error * self.unit_size

    def effect(self, is_by_ratio):
        """Return the measure of what compares two models: of ratios or of differences.

        A difference of squared losses is in their own unit.
        """
        if is_by_ratio:
            return RatioMeasure(self.word, self.is_root)
        if self.is_root:
            return Measure(self.squared_word, False, self.sign)
        return self

    def end(self, value):
        """Return the end of an interval, in the user's sign, as the mean before it."""
        return self.value(self.sign * value).rstrip("%")

    def numbers(self, *values, width=None, against=None):
        """Return differences as texts, with decimals as the widest needs them.

        Where a number that is not 0 would be shown as 0, all have up to two decimals
        more; and up to two more so that half of `width`, of the narrowest interval, has
        two digits. A number that is tiny against the width, or against another one
        (`against`), is not worth more decimals.
        """
        scaled = np.array(values, dtype=np.float64) * self.unit_size
        least = 1 if self.is_share else 0
        half, tiny = width and width * self.unit_size / 2, width or against or 0.0
        return _alike(scaled, least, half, TINY * tiny * self.unit_size)

    def intervals(self, middles, lows, highs):
        """Return differences and their intervals as texts, as :meth:`numbers` does.

        What has no end is a bound; what is not known is a dash.
        """
        return _with_intervals(self, middles, lows, highs)

    def unit(self, number):
        """Return what follows a number that stands alone."""
        if not self.is_share:
            return f" in {self.word}"
        return f" point{'' if number == '1' else 's'} of {self.word}"

    def points(self, number):
        """Return what follows a number where the metric has been named."""
        return self.unit(number).removesuffix(f" of {self.word}") * self.is_share

    def margin(self, value):
        """Return a margin that a user gave, with its unit."""
        number = f"{self.unit_size * value:.4g}"
        return number + self.unit(number)


NUMBERS = Measure("", False, 1)  # of no unit


class RatioMeasure(NamedTuple):
    """Ratios of mean losses, which are kept as logarithms and shown in percent.

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

    @property
    def is_share(self):
        """Whether it is a share of examples: a ratio is none."""
        return False

    @property
    def sign(self):
        """1, as for a loss."""
        return 1

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
        """Return log ratios as texts in percent; see :meth:`Measure.numbers`."""
        half, tiny = width and 50 * self.power * width, width or against or 0.0
        scaled = self.percent(values)
        finite = np.abs(scaled[np.isfinite(scaled)])
        least = 1 if finite.max(initial=0.0) < 100 else 0
        texts = _alike(scaled, least, half, 100 * self.power * TINY * tiny)
        return [f"{text}%" if text[-1].isdigit() else text for text in texts]

    def intervals(self, middles, lows, highs):
        """Return ratios and their intervals as texts; see :meth:`Measure.intervals`."""
        return _with_intervals(self, middles, lows, highs)

    def unit(self, number):
        """Return what follows a number that stands alone: nothing."""
        return ""

    def points(self, number):
        """Return what follows a number where the metric has been named: nothing."""
        return ""

    def margin(self, value):
        """Return a margin in units of the loss, by which no ratio is compared."""
        return f"{value:.4g}"


def is_ratio(measure):
    """Whether a measure is of ratios."""
    return isinstance(measure, RatioMeasure)


def _with_intervals(measure, middles, lows, highs):
    """Return numbers and their intervals as texts, with as many decimals."""
    n, width = len(middles), narrowest(lows, highs)
    texts = measure.numbers(*middles, *lows, *highs, width=width)
    texts = [NOTHING if text == "nan" else text for text in texts]
    ends = zip(texts[n : 2 * n], texts[2 * n :], strict=True)
    return texts[:n], list(map(_between, *zip(*ends, strict=True))) if n else []


def measure_of(losses):
    """Return the Measure of CVLosses.

    What is negated to become a score, as "neg_root_mean_squared_error" is, is shown as
    the loss that it is.
    """
    name, metric = losses.loss_name.removeprefix("test_"), losses.measured
    is_negated = metric.removeprefix("test_").startswith("neg_")
    if is_negated and not name.startswith("neg_"):
        name = metric
    sign = -1 if losses.is_score and not is_negated else 1
    name, average = name.removeprefix("neg_"), ""
    for suffix, word in AVERAGES.items():
        base = name.removesuffix(suffix)
        if base != name and base in (*SHARES, *WORDS):
            name, average = base, word
    name = re.sub(r"^make_scorer\((\w+).*", r"\1", name)
    standard = name if "(" in name else metric_word(name)
    if sign > 0 or standard in SHARES:  # other scores keep what the user calls them
        name = standard
    word, is_share = SHARES.get(name), name in SHARES
    if name == "zero_one" and sign > 0:
        word, is_share = "error", True
    if name == "<lambda>":  # a function without a name
        name = "score" if losses.is_score else "loss"
    word = word or WORDS.get(name) or name.replace("_", " ")
    weighted = "weighted " if losses.is_weighted else ""
    word = f"{weighted}{average}{word}"
    if not is_squared(losses.measured):
        return Measure(word, is_share, sign)
    root = f"{weighted}{ROOTS[metric_word(losses.measured)]}"
    return Measure(root, False, sign, True, word)


def effect_measure(losses, table):
    """Return the measure of what compares the models of a PairTable of losses."""
    return measure_of(losses).effect(table.is_by_ratio)


def users_ends(losses, lows, highs):
    """Return ends of intervals as they are shown; scores that are minus losses turn."""
    if losses.is_score and measure_of(losses).sign > 0:
        return np.negative(highs), np.negative(lows)
    return lows, highs


def _between(low, high):
    """Return an interval, or a bound, of ends as texts."""
    is_open = [end.endswith("inf") for end in (low, high)]
    if all(is_open) or {NOTHING, "nan"} & {low, high}:
        return NOTHING
    if any(is_open):
        return f"≤ {high}" if is_open[0] else f"≥ {low}"
    return f"{low} to {high}"


def interval_words(low, high):
    """Return an interval of ends as texts in words, "" if nothing is known of it."""
    is_open = [end.endswith("inf") for end in (low, high)]
    if all(is_open) or "nan" in (low, high):
        return ""
    if any(is_open):
        return f"at most {high}" if is_open[0] else f"at least {low}"
    return f"{low} to {high}"


def narrowest(lows, highs):
    """Return the width of the narrowest interval that has one, None without any."""
    widths = np.atleast_1d(np.subtract(highs, lows))
    widths = widths[np.isfinite(widths) & (widths > 0)]
    return float(widths.min()) if widths.size else None


TINY = 1e-3  # of the width of an interval


def _alike(values, least, smallest=None, tiny=0.0):
    """Return numbers as texts with the same number of decimals, at least so many.

    What is below `tiny` may be shown as 0.
    """
    values = np.array([without_noise(value) for value in values])
    finite = values[np.isfinite(values)]
    spread = np.ptp(finite) / 2 if len(finite) > 1 else 0.0
    size = spread or np.abs(finite).max(initial=0.0)
    # what is this much smaller than its interval is rounding
    finite = finite[np.abs(finite) > max(1e-9 * size, tiny)]
    decimals = 1 - int(np.floor(np.log10(size))) if size else 0
    if size and not 1e-5 <= size < 1e6:
        return [minus(f"{value:.2e}") for value in values]
    if smallest:
        wanted = 1 - int(np.floor(np.log10(smallest)))
        decimals = min(max(decimals, wanted), decimals + 2)
    decimals = max(decimals + (spread == 0), least)
    most = decimals + MORE_DECIMALS
    while decimals < most and any(_is_hidden(value, decimals) for value in finite):
        decimals += 1
    noise = 1e-9 * size
    return [_with_decimals(value, decimals, noise) for value in values]


def _is_hidden(value, decimals):
    """Whether a number that is not 0 would be shown as 0."""
    return bool(value) and not float(f"{value:.{decimals}f}")


def _with_decimals(value, decimals, noise):
    """Return a number with so many decimals, a smaller one as less than the last."""
    if abs(value) > noise and _is_hidden(value, decimals):
        least = f"{10.0**-decimals:.{decimals}f}"
        return f"<{least}" if value > 0 else f">−{least}"
    return minus(f"{value + 0.0:.{decimals}f}")


def counted(number, noun):
    """Return a number with its noun, such as "1 example"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def magnitude(text):
    """Return a number as text without its sign, for a sentence."""
    number = text.lstrip("<>−")
    return f"less than {number}" if text[:1] in ("<", ">") else number


def minus(text):
    """Return a number as text with a minus for its hyphen, none before a zero."""
    if text.startswith("-") and not text.strip("-0."):
        return text[1:]
    return text.replace("-", "−")
