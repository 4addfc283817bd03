"""The choice of tests and pairs, by the user or by the design; tests saved by name."""

import functools
import inspect
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn import config_context
from sklearn.base import BaseEstimator, clone

from .._splits._groups import MIN_GROUPS
from .._validation import check_level, check_option, invalid, nearest
from ._base_test import BaseCVTest
from ._multiplicity import METHODS
from ._parameters import with_floats
from ._traits import OF_EXAMPLES, TESTS, default_test
from ._validity import check_groups, check_hypothesis

# What tests are called elsewhere, in lower case without "test": what to pass.
OTHER_NAMES = {
    "nadeau bengio": "CorrectedResampledTTest()",
    "corrected t": "CorrectedResampledTTest()",
    "bouckaert frank": "CorrectedRepeatedKFoldTTest()",
    "5x2": "FiveByTwoFTest()",
    "5x2cv": "FiveByTwoFTest()",
    "dietterich": "FiveByTwoTTest()",
    "alpaydin": "FiveByTwoFTest()",
    "mcnemar": "McNemarTest()",
    "t": "KFoldTTest()",
    "ttest": "KFoldTTest()",
    "bayes": "BayesianCorrelatedTTest()",
    "bayesian": "BayesianCorrelatedTTest()",
    "tost": "EquivalenceTest(KFoldTTest(), margin=...)",
    "diebold mariano": "DieboldMarianoTest()",
}

Tests = BaseCVTest | Sequence[BaseCVTest] | Mapping[str, BaseCVTest]


def choose_tests(
    test, design, per_example, alpha, *, n_groups=None, rho=1 / 3, parameter="test"
):
    """Return a dict of unfitted tests by name, each checked against the design.

    They are copies at level `alpha`. `n_groups` is None without groups, `rho` that of
    the metric, for the default test of single examples.
    """
    alpha = check_level("alpha", alpha)
    if test is None:
        named = name_tests([_default_for(design, per_example, n_groups, alpha, rho)])
    else:
        named = _named_by_user(test, alpha, parameter)
    for chosen in named.values():
        chosen.check_design(design, per_example)
        if per_example:
            check_groups(chosen.traits, n_groups, design)
    return named


def _named_by_user(test, alpha, parameter):
    """Return a dict of copies of the tests that a user gives, at a level."""
    named = dict(test) if isinstance(test, dict) else name_tests(_members(test))
    if not named:
        raise invalid(parameter, "at least one test", test)
    for name, chosen in named.items():
        if not isinstance(chosen, BaseCVTest):
            hint = "Pass an instance." if isinstance(chosen, type) else _hint_of(chosen)
            raise invalid(
                parameter,
                "a test such as KFoldTTest(), a list or a dict of them, or None",
                chosen,
                TypeError,
                hint,
            )
        if not isinstance(name, str):
            raise invalid(parameter, "named by strings", name, TypeError)
        named[name] = _at_level(chosen, alpha)
    return named


def _hint_of(name):
    """Return which test a string stands for, "" if that is not known."""
    if not isinstance(name, str):
        return ""
    if name in TESTS:
        return f"Pass {name}()."
    spelled = " ".join(name.lower().replace("-", " ").replace("_", " ").split())
    right = OTHER_NAMES.get(spelled.removesuffix(" test"))
    return f"That is test={right}." if right else nearest(name, TESTS)


def needs_examples(test):
    """Whether a test given by a user, or left to the default, takes single examples."""
    return not isinstance(test, BaseCVTest) or test.traits.needs_examples


def _members(test):
    if isinstance(test, dict):
        return list(test.values())
    return list(test) if isinstance(test, (list, tuple)) else [test]


def _at_level(test, alpha):
    """Return a copy of a test with the level of the comparison, which governs all."""
    test.check_params()
    copy = clone(test)
    copy.alpha = alpha
    copy = with_floats(copy)
    copy.check_params()
    return copy


def _default_for(design, per_example, n_groups, alpha, rho):
    """Return the test that declares itself for a design, at a level.

    Of the means of splits, where there are too few groups for one of examples.
    """
    has_few_groups = n_groups is not None and n_groups < MIN_GROUPS
    if has_few_groups and default_test(design, False) is not None:
        per_example = False
    test_class = default_test(design, per_example)
    if test_class is None:
        example_test = default_test(design, per_example=True)
        if example_test is not None:
            example_test().check_design(design, per_example)  # raises, with advice
        raise ValueError(
            f"No test is valid for {design}: training sets differ in size by more than "
            "half, or hold an example twice. Use splits that are (repeated) K-folds or "
            "subsamples."
        )
    if test_class.__name__ == OF_EXAMPLES:
        return test_class(rho=rho, alpha=alpha)
    return test_class(**vars(test_class).get("default_options", {}), alpha=alpha)


def name_tests(tests):
    """Name tests by their repr, with numbers where it is not unique."""
    named = {}
    counts = Counter()
    for number, test in enumerate(tests):
        name = _name(test) if isinstance(test, BaseCVTest) else str(number)
        counts[name] += 1
        if counts[name] > 1:
            name = f"{name} ({counts[name]})"
        named[name] = test
    return named


def _name(test):
    """Return the repr of a test on one line, without the level."""
    defaults = _defaults(type(test))
    params = {name: getattr(test, name) for name in defaults}
    param_types = [type(value) for value in params.values()]
    default_types = [type(value) for value in defaults.values()]
    if params == defaults and param_types == default_types:
        return f"{type(test).__name__}()"  # a repr takes its time
    with config_context(print_changed_only=True):
        return " ".join(repr(clone(test).set_params(alpha=0.05)).split())


@functools.cache
def _defaults(test_class):
    """Return {name: default} of the parameters of a class of tests but the level."""
    parameters = inspect.signature(test_class).parameters.items()
    return {name: p.default for name, p in parameters if name != "alpha"}


def is_best(names, reference):
    """Whether a reference stands for the best, whoever that is."""
    return isinstance(reference, str) and reference == "best" not in names


def choose_pairs(names, reference, mean_losses=None):
    """Return the positions of all pairs of names, or of the reference with the rest.

    An array of shape (n_pairs, 2), and the position of the reference or None. All pairs
    also where the reference is the best, as long as there are no mean losses.
    """
    finds_best = is_best(names, reference)
    if reference is None or (finds_best and mean_losses is None):
        return np.column_stack(np.triu_indices(len(names), k=1)), None
    if not isinstance(reference, str):
        allowed = "the name of an estimator, or 'best'"
        raise invalid("reference", allowed, reference, TypeError)
    if not finds_best and reference not in names:
        allowed = "one of " + ", ".join(map(repr, names)) + ", or 'best'"
        raise invalid("reference", allowed, reference, hint=nearest(reference, names))
    if finds_best:
        position = int(np.argmin(np.where(np.isnan(mean_losses), np.inf, mean_losses)))
    else:
        position = names.index(reference)
    others = np.delete(np.arange(len(names)), position)
    return np.column_stack([np.full_like(others, position), others]), position


def encode_test(test):
    """Return a test of this package as JSON types."""
    name = type(test).__name__
    if TESTS.get(name) is not type(test):
        raise TypeError(
            f"Only tests of sklearn_cvtest can be saved; got {name}. Save the losses "
            "with `losses.save` instead."
        )
    params = {
        key: encode_test(value) if isinstance(value, BaseEstimator) else value
        for key, value in test.get_params(deep=False).items()
    }
    return {"class": name, "params": params}


def decode_test(encoded, depth=0):
    """Return the test that `encode_test` encoded; one holds one other at most."""
    name = encoded["class"]
    params = encoded["params"]
    if name not in TESTS or not isinstance(params, dict) or depth > 1:
        raise ValueError(f"no test is called {name!r}")
    params = {
        key: decode_test(value, depth + 1) if isinstance(value, dict) else value
        for key, value in params.items()
    }
    return TESTS[name](**params)


# Question: which tests, of which pairs, adjusted how and at what level -------


@dataclass(frozen=True)
class DefaultTest:
    """A test that was chosen by the design, and that no user asked for.

    It keeps a comparison that is made again, or read from a file, at the test that it
    had.

    Attributes
    ----------
    test : test
        The test.
    """

    test: BaseCVTest


@dataclass(frozen=True)
class Question:
    """What is asked of losses, as the functions that compare take it.

    Parameters
    ----------
    test : test, DefaultTest, or None
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
        if isinstance(self.test, (list, tuple, dict)):
            hint = "For another test of the same losses, use result.retest(test)."
            raise invalid("test", "one test, or None", self.test, TypeError, hint)

    @property
    def asks_test(self):
        """Whether a user asked for the test."""
        return self.test is not None and not isinstance(self.test, DefaultTest)

    @property
    def rule(self):
        """The level and the adjustment, as tables of pairs take them."""
        return {"alpha": self.alpha, "p_adjust": self.p_adjust}

    def tests(self, design, per_example, n_groups=None, rho=1 / 3):
        """Return a dict of tests by name, checked for what is compared."""
        test = self.test.test if isinstance(self.test, DefaultTest) else self.test
        return choose_tests(
            test, design, per_example, self.alpha, n_groups=n_groups, rho=rho
        )

    def adapted(self, tests, losses):
        """Return the tests; those not named by the user, in the form for few hits."""
        if self.test is not None or not losses.is_small_zero_one:
            return tests
        tests = [
            clone(test).set_params(**test.traits.small_sample_options)
            for test in tests.values()
        ]
        return choose_tests(tests, losses.design, True, self.alpha)

    def tests_of_plan(self, plan):
        """Return the tests of each measure of a plan, a list of dicts."""
        tests = []
        for measure in plan.measures:
            has_examples = plan.has_examples(measure)
            tests.append(
                self.tests(plan.design, has_examples, plan.n_groups, measure.rho)
            )
            low, high = measure.value_range
            for test in tests[-1].values():
                check_hypothesis(test, low - high, high - low)
        return tests


def check_adjustment(p_adjust):
    """Check that `p_adjust` is known."""
    check_option("p_adjust", p_adjust, (*METHODS, None))
