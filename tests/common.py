"""Registries: everything public of a kind, for the tests that hold for all of it.

Where an extension of the package is taken away, they are without it.
"""

import hashlib
import importlib
import inspect
import json
from pathlib import Path

import numpy as np

import sklearn_cvtest
from sklearn_cvtest import exceptions, results

PACKAGE = Path(sklearn_cvtest.__file__).parent
EXTENSIONS = ("_datasets", "_scores", "_search", "simulation")


def main(arguments):
    """Run the command `sklearn-cvtest`."""
    return importlib.import_module("sklearn_cvtest.__main__").main(arguments)


def stored_files(folder):
    """Return the files of fits that are stored in a folder, or folders in it."""
    return sorted(Path(folder).rglob("sklearn_cvtest/*.npz"))


def n_stored(folder):
    """Return how many fits are stored in a folder, or folders in it."""
    return len(stored_files(folder))


def if_there(get, *names):
    """Return what `get` finds, None if an extension is missing that it is in."""
    try:
        return get(*names)
    except ModuleNotFoundError as error:
        extension = error.name.removeprefix("sklearn_cvtest.").partition(".")[0]
        if extension not in EXTENSIONS or (PACKAGE / extension).exists():
            raise
        return None


NAMES = ("", ".exceptions", ".losses", ".results", ".simulation")
MODULES = tuple(
    filter(
        None,
        (if_there(importlib.import_module, f"sklearn_cvtest{name}") for name in NAMES),
    )
)
PUBLIC = {
    name: found
    for module in MODULES
    for name in module.__all__
    if (found := if_there(getattr, module, name)) is not None
}
ALL_TESTS = [
    item
    for item in PUBLIC.values()
    if inspect.isclass(item)
    and issubclass(item, PUBLIC["BaseCVTest"])
    and not inspect.isabstract(item)
]


def made(Test, **options):
    """Make a test, with those of the options that it has."""
    if Test is PUBLIC["EquivalenceTest"]:
        options = {"test": PUBLIC["KFoldTTest"](), "margin": 0.5} | options
    known = inspect.signature(Test).parameters
    return Test(**{name: value for name, value in options.items() if name in known})


def design_of(Test):
    """Return the name of a design whose residuals a test takes."""
    return made(Test).designs[0]


ALL_SPLITTERS = [item for item in PUBLIC.values() if hasattr(item, "split")]
ALL_DISPLAYS = [
    item
    for item in PUBLIC.values()
    if isinstance(item, type) and item.__name__.endswith("Display")
]
REFIT_RULES = [PUBLIC[n] for n in ("NotSignificantlyWorse",) if n in PUBLIC]
ALL_POPULATIONS = [item for item in PUBLIC.values() if hasattr(item, "sample")]
# Classes that functions make, whose fields are not checked again; and warnings.
MADE_BY_THE_PACKAGE = {*exceptions.__all__, *results.__all__}
MADE_BY_THE_PACKAGE -= {"BaseCVTest", "Comparison", "Design"}
MADE_BY_THE_PACKAGE |= {"ComparisonDisplay", "CovarianceCurve", "Metric"}
MADE_BY_THE_PACKAGE |= {"RejectionRates", "RhoSensitivityDisplay"}

# Scores of models that are as good as the old one, worse, and unclear.
RNG = np.random.default_rng(0)
OLD = RNG.normal(1.0, 1.0, 400)
SCORES = {
    "old": OLD,
    "same": OLD + RNG.normal(0.0, 0.1, 400),
    "bad": OLD + RNG.normal(-0.2, 0.5, 400),
    "wild": OLD + RNG.normal(0.0, 3.0, 400),
}


def intervals_of(result):
    """Return the intervals of the pairs of a comparison, not adjusted, (n_pairs, 2)."""
    return np.column_stack([result.table.ci_low, result.table.ci_high])


# Losses of one's own, whose means are compared by their difference.


def distance(y_true, y_pred):
    """Return absolute errors."""
    return np.abs(np.asarray(y_true, dtype=float) - y_pred)


def square(y_true, y_pred):
    """Return squared errors."""
    return (np.asarray(y_true, dtype=float) - y_pred) ** 2


def digest_of(header, arrays):
    """Return the digest that files have had since the first of them."""
    fields = {name: value for name, value in header.items() if name != "digest"}
    parts = [json.dumps(fields, sort_keys=True).encode()]
    for name, array in sorted(arrays.items()):
        parts += [f"{name} {array.dtype.str} {array.shape};".encode(), array.tobytes()]
    return hashlib.blake2b(b"".join(parts), digest_size=16).hexdigest()
