"""Sentences on two models whose mean losses are compared by ratio."""

from ._measure import NOTHING


def better_by_ratio(better, worse, word, amount, interval, p):
    """Return that one model is better, and by how many percent."""
    return f"{better} is better than {worse}: its {word} is {amount} ({interval}, {p})."


def ratio_of(owner, word, amount):
    """Return whose loss is lower or higher, and by how many percent.

    `owner` is the name of a model, or "it" if the sentence has named it.
    """
    if not amount:
        return "their means are equal"
    if owner == "it":
        return f"its {word} is {amount}"
    return f"the {word} of {owner} is {amount}"


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
    if (low.endswith("inf") and high.endswith("inf")) or NOTHING in (low, high):
        return ""
    one, other = (lower_or_higher(end) or "equal" for end in (low, high))
    if low.endswith("inf"):  # an upper bound: of 0.95, the ratio is at most that
        return f"at {'least' if other.endswith(' lower') else 'most'} {other}"
    if high.endswith("inf"):
        return f"at {'most' if one.endswith(' lower') else 'least'} {one}"
    for direction in (" lower", " higher"):
        if one.endswith(direction) and other.endswith(direction):
            # the smaller number first, as in "3% to 24% lower"
            ends = (other, one) if direction == " lower" else (one, other)
            return f"{ends[0].removesuffix(direction)} to {ends[1]}"
    return f"{one} to {other}"
