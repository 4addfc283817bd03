"""Numbers, p-values and lists of names as the texts that are printed."""

import math

import numpy as np

MAX_LISTED = 4  # names in a sentence
NOTHING = "–"  # what is not known, in a table
# How p-values are adjusted: names for sentences.
ADJUSTMENTS = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "hochberg": "Hochberg",
    "fdr_bh": "Benjamini–Hochberg",
}
MORE_DECIMALS = 2  # of a column at most, for the sake of a small number


# Names and counts in a sentence -------------------------------------------------------


def join_names(names):
    """Return names as a list, of many the first ones."""
    if len(names) > MAX_LISTED + 1:
        n_others = len(names) - MAX_LISTED
        names = [*names[:MAX_LISTED], f"{n_others} others"]
    if len(names) < 2:
        return "".join(names)
    *first, last = names
    if any(", " in name for name in names):
        return f"{'; '.join(first)}; and {last}"
    return f"{', '.join(first)} and {last}"


def capitalised(text):
    """Return a text that begins with a capital letter."""
    return text[0].upper() + text[1:]


def short_name(name):
    """Return the name of a test without empty brackets."""
    return name.removesuffix("()")


def are(names):
    """Return the verb that follows names."""
    return "are" if len(names) > 1 else "is"


def counted(number, noun):
    """Return a number with its noun, such as "1 example"."""
    if number == 1:
        return f"{number} {noun}"
    return f"{number} {noun}s"


def more_are(number, noun):
    """Return what is left out, such as "2 more candidates are"."""
    verb = "is" if number == 1 else "are"
    return f"{counted(number, f'more {noun}')} {verb}"


def about(number):
    """Return an estimated number in words, with two digits, such as "130 million"."""
    n_zeros = max(len(str(int(number))) - 2, 0)
    rounded = round(number / 10**n_zeros) * 10**n_zeros
    for size, word in (
        (10**12, "trillion"),
        (10**9, "billion"),
        (10**6, "million"),
    ):
        if rounded >= size:
            return f"{rounded / size:,.3g} {word}"
    return f"{rounded:,}"


def percent(share):
    """Return a share as text, such as "95%"."""
    return f"{100 * share:g}%"


# Numbers ------------------------------------------------------------------------------


def without_noise(value):
    """Return a number without the last digits, in which sums of the same differ.

    What lies half-way between two texts, as 0.8175 does, is then always the same one.
    """
    return float(f"{value:.12g}")


def minus(text):
    """Return a number as text with a minus for its hyphen, none before a zero."""
    if text.startswith("-") and not text.strip("-0."):
        return text[1:]
    return text.replace("-", "−")


def general_number(value):
    """Return a number that a user gave, as short as it is."""
    return minus(f"{value:g}")


def magnitude(text):
    """Return a number as text without its sign, for a sentence."""
    number = text.lstrip("<>−")
    return f"less than {number}" if text[:1] in ("<", ">") else number


def format_number(value, digits=4):
    """Return a number with `digits` significant digits."""
    if isinstance(value, str):
        return value
    if not np.isfinite(value):
        return f"{value:g}"
    value = without_noise(value)
    size = abs(value)
    if size and not 1e-4 <= size < 1e6:
        return f"{value:.{digits - 1}e}"
    decimals = digits - 1
    if size:
        decimals -= int(np.floor(np.log10(size)))
    most = digits if size >= 0.01 else digits + 2
    decimals = max(min(decimals, most), 0)
    return f"{value + 0.0:.{decimals}f}"


def finite_or_dash(text):
    """Return a number as text, a dash for one that is not finite."""
    return NOTHING if text.endswith(("inf", "nan")) else text


def common_decimals(values, least, smallest=None, negligible=0.0):
    """Return numbers as texts with the same number of decimals, as the widest needs.

    Parameters
    ----------
    values : sequence of float
        The numbers.
    least : int
        The smallest number of decimals.
    smallest : float or None
        What shall have two digits, for which there are up to two decimals more.
    negligible : float
        What is below it may be shown as 0; for another number that is not 0 there are
        up to two decimals more.
    """
    values = [without_noise(value) for value in values]
    finite = np.array([value for value in values if np.isfinite(value)])
    spread = 0.0
    if len(finite) > 1:
        spread = np.ptp(finite) / 2
    size = spread or np.abs(finite).max(initial=0.0)
    if size and not 1e-5 <= size < 1e6:
        return [minus(f"{value:.2e}") for value in values]
    decimals = 0
    if size:
        decimals = 1 - int(np.floor(np.log10(size)))
    if smallest:
        wanted = 1 - int(np.floor(np.log10(smallest)))
        decimals = min(max(decimals, wanted), decimals + 2)
    if spread == 0:
        decimals += 1
    decimals = max(decimals, least)
    # what is this much smaller than the others is rounding
    noise = 1e-9 * size
    visible = finite[np.abs(finite) > max(noise, negligible)]
    most = decimals + MORE_DECIMALS
    while decimals < most and _any_is_hidden(visible, decimals):
        decimals += 1
    return [_with_decimals(value, decimals, noise) for value in values]


def _any_is_hidden(values, decimals):
    """Whether a number that is not 0 would be shown as 0."""
    for value in values:
        text = f"{value:.{decimals}f}"
        if value and not float(text):
            return True
    return False


def _with_decimals(value, decimals, noise):
    """Return a number with so many decimals, a smaller one as less than the last."""
    if abs(value) > noise and _any_is_hidden([value], decimals):
        last = f"{10.0**-decimals:.{decimals}f}"
        return f"<{last}" if value > 0 else f">−{last}"
    return minus(f"{value + 0.0:.{decimals}f}")


# Intervals, of ends as texts ----------------------------------------------------------


def narrowest(lows, highs):
    """Return the width of the narrowest interval that has one, None without any."""
    with np.errstate(invalid="ignore"):
        widths = np.atleast_1d(np.subtract(highs, lows))
    widths = widths[np.isfinite(widths) & (widths > 0)]
    return float(widths.min()) if widths.size else None


def interval_cell(low, high):
    """Return an interval, or a bound, for a table."""
    has_no_low = low.endswith("inf")
    has_no_high = high.endswith("inf")
    if {NOTHING, "nan"} & {low, high} or (has_no_low and has_no_high):
        return NOTHING
    if has_no_low:
        return f"≤ {high}"
    if has_no_high:
        return f"≥ {low}"
    return f"{low} to {high}"


def interval_words(low, high):
    """Return an interval, or a bound, for a sentence; "" if nothing is known of it."""
    has_no_low = low.endswith("inf")
    has_no_high = high.endswith("inf")
    if "nan" in (low, high) or (has_no_low and has_no_high):
        return ""
    if has_no_low:
        return f"at most {high}"
    if has_no_high:
        return f"at least {low}"
    return f"{low} to {high}"


def whose(name, word):
    """Return what a model has, such as "tree's RMSE"."""
    if name.endswith(("'", "s")):
        return f"the {word} of {name}"
    return f"{name}'s {word}"


def lower_or_higher(text):
    """Return a percentage as text with its direction, such as "12.0% lower"."""
    if text.startswith(">−"):
        return f"less than {text[2:]} lower"
    if text.startswith("<"):
        return f"less than {text[1:]} higher"
    if text.startswith("−"):
        return f"{text[1:]} lower"
    if text.strip("0.%") == "":
        return ""
    return f"{text} higher"


def ratio_interval_words(low, high):
    """Return an interval of percentages in words; "" if nothing is known.

    Parameters
    ----------
    low, high : str
        The ends as texts; one that ends with "inf" is none.
    """
    has_no_low = low.endswith("inf")
    has_no_high = high.endswith("inf")
    if (has_no_low and has_no_high) or NOTHING in (low, high):
        return ""
    low = lower_or_higher(low) or "equal"
    high = lower_or_higher(high) or "equal"
    if has_no_low:  # the ratio is at most that: the loss is at least so much lower
        return f"at least {high}" if high.endswith(" lower") else f"at most {high}"
    if has_no_high:
        return f"at most {low}" if low.endswith(" lower") else f"at least {low}"
    if low.endswith(" lower") and high.endswith(" lower"):
        # the smaller number first, as in "3% to 24% lower"
        number = high.removesuffix(" lower")
        return f"{number} to {low}"
    if low.endswith(" higher") and high.endswith(" higher"):
        number = low.removesuffix(" higher")
        return f"{number} to {high}"
    return f"{low} to {high}"


# p-values and statistics --------------------------------------------------------------


def format_pvalue(value, alpha=None):
    """Return a p-value with three digits, small ones as a power of ten.

    One that would be rounded to the level `alpha` gets the digits that show its side.
    """
    if value == 0:
        return "0"
    notation, digits = "f", 3
    if value < 0.001:
        notation, digits = "e", 1
    text = f"{value:.{digits}{notation}}"
    while value != alpha and float(text) == alpha:
        digits += 1
        text = f"{value:.{digits}{notation}}"
    return text


def shown_pvalue(value, alpha):
    """Return a p-value as a reader wants it: of small ones, that they are small."""
    if value < 0.001 < alpha:
        return "< 0.001"
    return format_pvalue(value, alpha)


def equals(symbol, value, alpha):
    """Return a p-value with its name, such as "p = 0.01"."""
    text = shown_pvalue(value, alpha)
    if text.startswith("<"):
        return f"{symbol} {text}"
    return f"{symbol} = {text}"


def at_most(symbol, values, alpha):
    """Return what holds for all of some p-values, such as "p ≤ 0.012".

    Of several it is the largest, rounded up to two digits, or the level if rounding
    leads there.
    """
    values = list(values)
    if len(values) == 1:
        return equals(symbol, values[0], alpha)
    largest = max(values)
    if largest < 0.001 < alpha:
        return f"{symbol} < 0.001"
    rounded = _round_up(largest, _second_digit(largest))
    if largest < alpha <= rounded:
        return f"{symbol} < {alpha:g}"
    return f"{symbol} ≤ {rounded:.2g}"


def equal_means(names):
    """Return what follows the mean of the best, of those with the same mean."""
    if not names:
        return ""
    text = join_names(names)
    if len(text) > 60:
        text = "another" if len(names) == 1 else f"{len(names)} others"
    return f", equal to that of {text}"


def _second_digit(value):
    """Return the size of the second significant digit, such as 0.01 for 0.3."""
    if value <= 0:
        return 1.0
    return 10.0 ** (math.floor(math.log10(value)) - 1)


def _round_up(value, step):
    """Return the least multiple of a step that is not below a value.

    What is within rounding errors of a multiple is that multiple.
    """
    return math.ceil(value / step * (1 - 1e-12)) * step


def p_head(p_adjust):
    """Return what stands above a column of p-values."""
    return f"p ({p_adjust})" if p_adjust else "p"


def kind_of_p(table):
    """Return what the p-values of a PairTable are called."""
    p = "p" if table.test.alternative == "two-sided" else "one-sided p"
    return f"adjusted {p}" if table.is_adjusted else p


def format_rho_alpha(value):
    """Return the largest ρ at which a test rejects, "none" where it does at none."""
    return "none" if value < 0 else f"{value:.3f}"


def statistic_words(symbol, value):
    """Return a statistic with its symbol, such as "t(9) = 2.31"."""
    if np.isnan(value):
        return f"{symbol} is not defined"
    if np.isinf(value):
        return f"{symbol} is infinite"
    return f"{symbol} = {value:.4g}"


def level_text(table):
    """Return the level of the intervals of a PairTable, such as "95%"."""
    return percent(table.test.interval_level(table.alpha))
