"""What was measured of designs and tests, for advice: means over docs/data/study.csv.

351 cells: populations, sample sizes, learners and losses; 500 samples each.
"""

from typing import NamedTuple

from sklearn import config_context
from sklearn.base import clone

from .._inference._traits import OF_EXAMPLES
from .._splits._groups import MIN_GROUPS

CLEARLY = 0.1  # more power, at 3 standard deviations


class Measured(NamedTuple):
    """A design and a test, and what they did on average.

    Attributes
    ----------
    design : str
        As docs/data/study.csv calls it.
    test : str
        The test.
    fits : int
        Fits of each estimator.
    size : float
        Share of true null hypotheses rejected at the 5% level.
    power_2sd, power_3sd : float
        Share of differences found that are 2 and 3 standard deviations of the mean of a
        10-fold cross-validation.
    seeds_differ : float or None
        Share of pairs of seeds that disagree at 2 standard deviations.
    """

    design: str
    test: str
    fits: int
    size: float
    power_2sd: float
    power_3sd: float
    seeds_differ: float | None


INTEGRATED, REPEATED = f"{OF_EXAMPLES}()", "CorrectedRepeatedKFoldTTest()"
MEASURED = [
    Measured("5-fold", INTEGRATED, 5, 0.024, 0.344, 0.688, 0.241),
    Measured("10-fold", INTEGRATED, 10, 0.026, 0.353, 0.699, 0.202),
    Measured("10-fold", 'KFoldTTest("nadeau-bengio")', 10, 0.025, 0.271, 0.567, 0.241),
    Measured("10-fold", "KFoldTTest()", 10, 0.010, 0.143, 0.368, 0.165),
    Measured("2 x 5-fold", INTEGRATED, 10, 0.028, 0.443, 0.783, 0.200),
    Measured("2 x 5-fold", REPEATED, 10, 0.026, 0.328, 0.652, 0.262),
    Measured("3 x 5-fold", INTEGRATED, 15, 0.026, 0.463, 0.801, 0.169),
    Measured("6 x 5-fold", INTEGRATED, 30, 0.022, 0.486, 0.818, 0.124),
    Measured("3 x 10-fold", REPEATED, 30, 0.037, 0.465, 0.805, None),
    Measured("20 x 5-fold", INTEGRATED, 100, 0.021, 0.504, 0.829, 0.076),
]
SUBSAMPLES = Measured(
    "15 subsamples of 10%", "CorrectedResampledTTest()", 15, 0.052, 0.385, 0.692, None
)


def better_choice(losses, test):
    """Return a line if another design and test find much more for as many fits.

    "" if there is none, or what was chosen was not measured.
    """
    design = losses.design
    folds = f"{design.n_splits}-fold"
    name = {
        "k-fold": folds,
        "repeated k-fold": f"{design.n_repeats} x {folds}",
        "subsample": f"{design.n_splits} subsamples of 10%",
    }.get(design.kind)
    shown = clone(test)
    shown.alpha = 0.05  # which says nothing about the test
    with config_context(print_changed_only=True):
        asked = repr(shown)
    asked = asked.replace("rho='nadeau-bengio'", '"nadeau-bengio"')
    rows = {(row.design, row.test): row for row in [*MEASURED, SUBSAMPLES]}
    chosen = rows.get((name, asked))
    few = losses.n_groups is not None and losses.n_groups < MIN_GROUPS
    if chosen is None or not losses.per_example or few:
        return ""
    best = max(
        (
            candidate
            for candidate in MEASURED
            if candidate.test == INTEGRATED and candidate.fits <= chosen.fits
        ),
        key=lambda candidate: candidate.power_3sd,
    )
    if best.power_3sd < chosen.power_3sd + CLEARLY:
        return ""
    price = "as many" if best.fits == chosen.fits else "fewer"
    return (
        f"With {price} fits, {best.design} cross-validation with {best.test} is more "
        f"powerful ({100 * best.power_3sd:.0f}% rather than "
        f"{100 * chosen.power_3sd:.0f}% in simulations)."
    )
