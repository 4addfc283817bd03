"""Question: which tests, of which pairs, adjusted how and at what level."""

from dataclasses import dataclass

from sklearn.base import clone

from .._inference._choose_tests import choose_tests
from .._inference._multiplicity import ADJUSTMENTS
from .._validation import check_level, check_option


@dataclass(frozen=True)
class Question:
    """What is asked of losses, as the functions that compare take it.

    Parameters
    ----------
    test : test, list or dict of tests, or None
        By which is decided; None stands for the default of the design.
    reference : str, int, dict or None
        What all others are compared with; None for all pairs.
    p_adjust : str or None
        How p-values are adjusted for the number of pairs.
    alpha : float
        Level of decisions.
    """

    test: object = None
    reference: object = None
    p_adjust: str | None = "holm"
    alpha: float = 0.05

    def __post_init__(self):
        object.__setattr__(self, "alpha", check_level("alpha", self.alpha))
        check_adjustment(self.p_adjust)

    @property
    def is_single(self):
        """Whether the answers are of one test, and in no dict by its name."""
        return not isinstance(self.test, (list, tuple, dict))

    @property
    def rule(self):
        """The level and the adjustment, as tables of pairs take them."""
        return {"alpha": self.alpha, "p_adjust": self.p_adjust}

    def tests(self, design, per_example, n_groups=None):
        """Return a dict of tests by name, checked for what is compared."""
        tests = choose_tests(
            self.test, design, per_example, self.alpha, n_groups=n_groups
        )
        check_adjustment(self.p_adjust, tests.values())
        return tests

    def suited(self, tests, losses):
        """Return the tests; those not named by the user, in the form for few hits."""
        if self.test is not None or not losses.are_few_hits:
            return tests
        options = [test.traits.for_few_hits for test in tests.values()]
        tests = zip(tests.values(), options, strict=True)
        tests = [clone(test).set_params(**option) for test, option in tests]
        return choose_tests(tests, losses.design, True, self.alpha)

    def tests_of_plan(self, plan, design=None):
        """Return the tests of each measure of a plan, a list of dicts."""
        design = plan.design if design is None else design
        found = []
        for measure in plan.measures:
            found.append(self.tests(design, plan.has_examples(measure), plan.n_groups))
            low, high = measure.value_range
            for test in found[-1].values():
                test.check_range(low - high, high - low)
        return found


def check_adjustment(p_adjust, tests=()):
    """Check that `p_adjust` is known and compatible with all of the tests."""
    check_option("p_adjust", p_adjust, (*ADJUSTMENTS, None))
    if p_adjust != "max-t":
        return
    for test in tests:
        if not (test.traits.rho_is_fixed or test.traits.has_joint_law):
            raise ValueError(
                f"`p_adjust` must be 'holm' (or another method but 'max-t') with "
                f"{type(test).__name__}, which does not say how the statistics of many "
                "pairs vary together; got 'max-t'."
            )
