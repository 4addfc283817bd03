"""What is said of the set of models that may be the best."""

from ._document import Document, Sentence, Table, Verdict
from ._format import Measure, format_number, format_pvalue, short_names, shown_pvalue

MAX_NAMES, MAX_NAME = 5, 40  # in the verdict
MAX_ROWS = 60
NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]


def best_set_document(result):
    """Return the Document of a BestSet."""
    lead = f"{len(result.pvalues)} {result.noun}s by {result.losses.loss_name}"
    return Document(f"The best {result.noun}s", lead, lambda: _summary(result))


def _summary(result):
    headers = [result.noun, f"mean {_kind(result.losses)}", "p", "may be the best"]
    rows = [
        [shown, *row]
        for shown, row in zip(result.shown_names, _rows(result), strict=True)
    ]
    align = "<>><"
    if result.found is not None:
        level = f"{100 * (1 - result.alpha):g}%"
        headers[2:2] = ["behind by", f"{level} interval"]
        align = "<>>>><"
    if result.n_splits_run is not None:
        headers.insert(1, "splits")
        align = align[0] + ">" + align[1:]
        for row, n_splits in zip(rows, result.n_splits_run.values(), strict=True):
            row.insert(1, str(n_splits))
    left_out = len(rows) - MAX_ROWS
    more = [Sentence(f"And {left_out} more.")] if left_out > 0 else []
    return (
        Verdict(best_sentence(result)),
        Table(headers, rows[:MAX_ROWS], align),
        *more,
        Sentence(_explained(result)),
    )


def _kind(losses):
    return "score" if losses.is_score else "loss"


def _rows(result):
    sign = -1 if result.losses.is_score else 1
    behind = _behind(result) if result.found is not None else {}
    for name, pvalue in result.pvalues.items():
        mean = format_number(sign * result.mean_losses[name])
        bound = "≤ " * (name in result.at_most)
        kept = "yes" if name in result.names else "no"
        p = bound + format_pvalue(pvalue, result.alpha)
        yield [mean, *behind.get(name, ()), p, kept]


def _behind(result):
    """Return {name: difference and interval}, of as many decimals."""
    differences = result.differences
    flat = [value for row in differences.values() for value in row]
    texts = iter(Measure("", False, 1).numbers(*flat))
    return {
        name: [next(texts), f"[{next(texts)}, {next(texts)}]"] for name in differences
    }


def _explained(result):
    is_score = result.losses.is_score
    best = "highest expected score" if is_score else "smallest expected loss"
    values = "scores" if is_score else "losses"
    sure = f"With {100 * (1 - result.alpha):g}% confidence, the {result.noun}"
    if result.about == "models":
        return f"{sure} with the {best}, of those as fitted, is kept."
    bounds = race = ""
    number = "number"
    if result.n_splits_run is not None:
        number = "number and for the number of looks"
        race = (
            " A candidate leaves the race at the look that finds another one better, "
            "and each mean is over the splits on which it was fitted."
        )
    if result.at_most:
        bounds = " A p-value after ≤ is an upper bound."
    return (
        f"{sure} with the {best} is among those that may be the best. "
        f"p is for being as good as all others, adjusted for their {number}.{bounds} "
        "Each is behind the best of the others by the difference of their mean "
        f"{values}, whose intervals hold simultaneously.{race}"
    )


def best_sentence(result):
    """Return who may be the best, and of the others that they are worse."""
    k, n_kept = len(result.pvalues), len(result.names)
    shown = dict(
        zip(result.pvalues, short_names(result.shown_names, MAX_NAME), strict=True)
    )
    whole = f"the {_number(k)} {result.noun}s" if k > 2 else "the two"
    if n_kept == k:
        either = "Either" if k == 2 else "Any"
        return f"{either} of {whole} may be the best (p > {result.alpha:g})."
    worst = max(p for name, p in result.pvalues.items() if name not in result.names)
    p = f"(p ≤ {shown_pvalue(worst, result.alpha).removeprefix('< ')})"
    names = [shown[name] for name in result.names]
    if n_kept == 1:
        return f"{names[0]} is the best of {whole}: {_others(k - 1)} {p}."
    return f"{_listed(names)} may be the best of {whole}; {_others(k - n_kept)} {p}."


def _listed(names):
    if len(names) > MAX_NAMES + 1:
        names = [*names[:MAX_NAMES], f"{len(names) - MAX_NAMES} others"]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _others(number):
    return (
        "the other is worse"
        if number == 1
        else f"the other {_number(number)} are worse"
    )


def _number(number):
    return NUMBERS[number - 1] if number <= len(NUMBERS) else f"{number:,}"
