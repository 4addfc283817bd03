"""Names of models in print: whole in sentences, without what all of them share.

All that is printed takes its names from here. A name is never cut in a sentence; tables
wrap it, and only pictures, which have no room, leave out its middle.
"""

import copy
import os
import re
from collections import Counter
from dataclasses import replace

from .._validation import one_line

SHORT = 28  # characters of a name that is shown as it is
# After these a part of a name begins; a dot only between words: 0.15 is a number.
BEGINNING = re.compile(r"[(\[{,;:|/] *|(?<=[A-Za-z_])\.(?=[A-Za-z_])")
CLOSING = {")": "(", "]": "[", "}": "{"}
BRACKET = re.compile(r"[()\[\]{}]")
# Names that a reader would take for a word of the sentence.
COMMON_WORDS = (
    "all another average best better both chance constant each equal error estimator "
    "first it loss mean median model models neither no none null one other others "
    "random reference same score second that the this two worse zero"
)


def short_forms(names):
    """Return names on one line, of long ones only the parts in which they differ.

    Where one of the names is long, all lose what all of them begin with, up to a
    bracket, comma, slash or dot, and the parameters that all of them have. What is left
    of each has its brackets in pairs, and all are different.

    Parameters
    ----------
    names : sequence of str
        The names of all that is compared.

    Returns
    -------
    names : tuple of str
        The short forms, in the same order.
    """
    names = tuple(one_line(name) for name in names)
    if len(set(names)) < 2 or max(map(len, names)) <= SHORT:
        return names
    return _without_constants(_without_beginning(names))


def _without_beginning(names):
    """Return names without the longest beginning that they share and can lose."""
    shared = os.path.commonprefix(names)  # noqa: RUF071
    starts = [match.end() for match in BEGINNING.finditer(names[0])]
    for start in sorted(starts, reverse=True):
        if start > len(shared):
            continue
        rests = tuple(_without_loose_ends(name[start:]) for name in names)
        if _can_be_names(rests, len(set(names))):
            return rests
    return names


def _without_loose_ends(text):
    """Return text without the closing brackets at its end that nothing opens."""
    while text[-1:] in CLOSING:
        closing = text[-1]
        if text.count(closing) <= text.count(CLOSING[closing]):
            break
        text = text[:-1]
    return text


def _without_constants(names):
    """Return names, each a list of parts, without the parts that all of them have."""
    assignments = [_assignments(name) for name in names]
    shared = set(assignments[0]).intersection(*assignments[1:])
    short_names = []
    for of_name in assignments:
        distinct = [assignment for assignment in of_name if assignment not in shared]
        short_names.append(", ".join(distinct))
    if not _can_be_names(short_names, len(set(names))):
        return names
    return tuple(short_names)


def _assignments(name):
    """Return the parts between the commas of a name that are not in brackets."""
    if not BRACKET.search(name):  # most names, and this is faster
        return [part.strip() for part in name.split(",")]
    pieces = [""]
    depth = 0
    for character in name:
        if character in CLOSING.values():
            depth += 1
        elif character in CLOSING:
            depth -= 1
        if character == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += character
    return [part.strip() for part in pieces]


def _can_be_names(names, n_different):
    """Whether these are not empty, as different as before, and whole in themselves."""
    if not all(names) or len(set(names)) != n_different:
        return False
    return all(_is_balanced(name) for name in names)


def _is_balanced(text):
    """Whether brackets are in pairs, and quotation marks, too."""
    open_brackets = []
    for character in BRACKET.findall(text):
        if character not in CLOSING:
            open_brackets.append(character)
            continue
        if not open_brackets or open_brackets.pop() != CLOSING[character]:
            return False
    has_open_quote = text.count("'") % 2 or text.count('"') % 2
    return not open_brackets and not has_open_quote


def in_sentence(name):
    """Return a name for a sentence: in quotes if it could be read as a word of it."""
    is_word = name.lower() in COMMON_WORDS.split()
    is_number = re.fullmatch(r"[-+−]?[\d.]+(e[-+]?\d+)?", name, re.IGNORECASE)
    return f"'{name}'" if is_word or is_number else name


def in_sentences(names):
    """Return names for sentences, a tuple in the same order."""
    return tuple(in_sentence(name) for name in short_forms(names))


def in_tables_by_name(names):
    """Return what tables call models, {name: short form}."""
    names = list(dict.fromkeys(map(str, names)))
    return dict(zip(names, short_forms(names), strict=True))


def in_sentences_by_name(names):
    """Return what sentences call models, {name: name in sentences}."""
    names = list(dict.fromkeys(map(str, names)))
    return dict(zip(names, in_sentences(names), strict=True))


def renamed(result, names):
    """Return a comparison as it is printed, with other names of what is compared.

    Parameters
    ----------
    result : PairwiseResult
        The comparison.
    names : tuple of str
        The names, in the order of its losses.

    Returns
    -------
    printed : PairwiseResult
        A shallow copy of the same numbers; the comparison itself if it has these names.
    """
    if names == result.losses.estimator_names:
        return result
    printed = copy.copy(result)
    for cached in ("decisions", "_intervals_of_means"):  # they hold the names
        vars(printed).pop(cached, None)
    printed.losses = replace(result.losses, estimator_names=names)
    printed.tables = {}
    for name, table in result.tables.items():
        printed.tables[name] = replace(table, names=names)
    if result.reference_position is not None:
        printed.reference = names[result.reference_position]
    return printed


def printed_forms(result):
    """Return a comparison with the names of its sentences, and of its tables."""
    short = short_forms(result.losses.estimator_names)
    in_texts = tuple(in_sentence(name) for name in short)
    return renamed(result, in_texts), renamed(result, short)


def names_note(names):
    """Return that names are shown without what all share, "" if they are whole."""
    if short_forms(names) == tuple(one_line(name) for name in names):
        return ""
    return "Names are shown without the parts that all of them share."


# Pictures ----------------------------------------------------------------------------


def shorten(text, length):
    """Return a name on one line, with its middle left out if it is too long."""
    text = one_line(text)
    if len(text) <= length:
        return text
    n_last = (length - 1) // 2
    n_first = length - 1 - n_last
    last = text[len(text) - n_last :]
    return f"{text[:n_first]}…{last}"


def cut_names(names, length):
    """Return names for a picture, of at most `length` characters, all different."""
    short = short_forms([str(name) for name in names])
    shortened = [shorten(name, length) for name in short]
    if len(set(shortened)) == len(set(names)):
        return shortened
    counts = Counter(shortened)
    numbered = []
    for number, name in enumerate(shortened, 1):
        if counts[name] > 1:
            name = f"{shorten(name, length - 4)} #{number}"
        numbered.append(name)
    return numbered
