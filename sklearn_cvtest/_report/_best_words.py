"""Sentences and cells on the set of models that may be the best."""

import numpy as np

from ._findings import best_sentence
from ._format import (
    Measure,
    format_column,
    format_pvalue,
    narrowest,
    p_of_set,
    short_names,
)

MAX_NAME = 40  # characters, in the verdict


def best_rows(result, most):
    """Return the name and the cells of each of the best ones."""
    sign = -1 if result.losses.is_score else 1
    names = list(result.pvalues)[:most]
    behind = _behind(result, names) if result.found is not None else {}
    means = [sign * result.mean_losses[name] for name in names]
    (means,) = format_column(means, sizes=means)
    for shown, name, mean in zip(result.shown_names, names, means, strict=False):
        pvalue = result.pvalues[name]
        bound = "≤ " * (name in result.at_most)
        kept = "yes" if name in result.names else "no"
        p = bound + format_pvalue(pvalue, result.alpha)
        yield [shown, mean, *behind.get(name, ()), p, kept]


def _behind(result, names):
    """Return {name: difference and interval}, of as many decimals."""
    differences = result.found.differences_of(np.arange(len(names)))
    flat = np.column_stack(differences).ravel().tolist()
    width = narrowest(*differences[1:])
    texts = iter(Measure("", False, 1).numbers(*flat, width=width))
    return {name: [next(texts), f"[{next(texts)}, {next(texts)}]"] for name in names}


def best_explained(result):
    is_score = result.losses.is_score
    best = "highest expected score" if is_score else "smallest expected loss"
    value = "score" if is_score else "loss"
    sure = f"With {100 * (1 - result.alpha):g}% confidence, the {result.noun}"
    if result.about == "models":
        return f"{sure} with the {best}, among the fitted ones, is in the set."
    bounds = race = ""
    number = "number"
    if result.n_splits_run is not None:
        number = "number and for the number of looks"
        race = (
            " A candidate leaves the race at the look that finds another one better, "
            "and each mean is over the splits on which it was fitted."
        )
    behind = (
        f"'behind by' is the difference in mean {value} from the best of the others; "
        "its intervals hold simultaneously."
    )
    behind *= result.found is not None
    if result.at_most:
        bounds = " A p-value after ≤ is an upper bound."
    return (
        f"{sure} with the {best} is among those that may be the best. "
        f"p is for being as good as all others, adjusted for their {number}.{bounds} "
        f"{behind}{race}"
    )


def best_set_sentence(result):
    """Return who may be the best, and of the others that they are worse."""
    kept = short_names(result.shown_names, MAX_NAME)[: len(result.names)]
    p = p_of_set(result)
    return best_sentence(kept, len(result.pvalues), result.noun, p)
