"""What a test is: its traits, the papers it cites, and the tests that there are."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field, fields, replace

from .._splits._design import KINDS
from .._validation import check_option

DECISIONS = ("difference", "posterior", "equivalence")
CONCERNS = ("algorithms", "models", "runs", "forecasts")


@dataclass(frozen=True)
class Traits:
    """What a test is and how it is spoken of.

    Comparisons, reports, pages and plots read these, and never the class, the options
    or the columns of a test. A class attribute with the name of a trait declares it;
    one that depends on the options of a test is replaced in the property `traits`.

    Attributes
    ----------
    name : str
        The class of the test.
    designs : tuple of str
        The kinds of :class:`.Design` that it is valid for.
    base_design : str or None
        For paired halves, the kind of a single run; None: any.
    needs_examples : bool
        Whether it needs a residual for each test example.
    vectorised : bool
        Whether `evaluate` and `interval` take residuals with leading axes, and so many
        pairs or samples at once.
    decides : {"difference", "posterior", "equivalence"}
        What is decided: by p-values whether there is a difference; by the posterior
        probabilities "prob_less", "prob_rope" and "prob_greater", columns that
        `evaluate` then returns; or by p-values whether there is none that matters.
    region : float
        Half the width of what counts as equal: the margin of equivalence, or the
        region of practical equivalence.
    region_is_ratio : bool
        Whether that is the logarithm of a ratio of what people read.
    is_directed : bool
        Whether it takes `alternative` and `popmean`.
    names_winner : bool
        Whether a two-sided rejection says which one is better.
    concerns : {"algorithms", "models", "runs", "forecasts"}
        What it is about: learning algorithms, over training sets of this size; models
        as they were fitted; models run anew (trained or sampled); or forecasts.
    uses_all_splits : bool
        Whether its estimate is the mean over all splits, whose spread then tells what
        another seed would change.
    weighs_groups : bool
        Whether every group weighs the same in the mean.
    equal_groups : str
        The option that makes it so, as it is written; "" if there is none.
    averages_repeats : bool
        Whether it averages the residuals of each example over repeats, so that the
        noise of the splits falls with their number.
    rho_is_fixed : bool
        Whether the splits alone fix its ρ.
    varies_with_rho : bool
        Whether it has a p-value for each ρ, `pvalues_at`. True where a class overrides
        that.
    has_ratio_interval : bool
        Whether Fieller's interval of a ratio belongs to it, as to tests whose interval
        is the estimate plus and minus a quantile of its standard error. False where a
        class overrides `interval`, unless it says otherwise.
    has_joint_law : bool
        Whether it says how the statistics of many pairs vary together,
        `deviation_rows`, for the set of the best. True where a class overrides them.
    rho_is_assumed : bool
        Whether what it finds holds for a ρ that was assumed, which is then said.
    assumes_normality : bool
        Whether to warn if the mean is not close to normal.
    allows_unequal_groups : bool
        Whether it keeps its level if few groups decide.
    title, symbol : str
        What a report calls the test and its statistic. Without a title it takes the
        first line of the docstring.
    counts : tuple of (str, str)
        Symbols and columns of the counts that a report shows for the statistic.
    about : str
        What it assumes, in a few sentences.
    remark : str
        What a conclusion ends with, a sentence.
    references : tuple of (str, str)
        The papers to cite, each a text and "doi:..." or "arXiv:...".
    for_single_examples : dict
        Options with which it takes examples that are not in folds.
    small_sample_options : dict
        Options with which it takes differences of hits and misses of few examples.
    inner : Traits or None
        Traits of the test that it is made of.

    See Also
    --------
    BaseCVTest : Whose class attributes declare them.

    Examples
    --------
    >>> from sklearn_cvtest import EquivalenceTest, KFoldZTest
    >>> traits = EquivalenceTest(KFoldZTest(weights="groups"), margin=0.02).traits
    >>> traits.decides, traits.region, traits.weighs, traits.concerns
    ('equivalence', 0.02, 'groups', 'algorithms')
    """

    name: str = ""
    designs: tuple = ()
    base_design: str | None = None
    needs_examples: bool = False
    vectorised: bool = False
    decides: str = "difference"
    region: float = 0.0
    region_is_ratio: bool = False
    is_directed: bool = True
    names_winner: bool = True
    concerns: str = "algorithms"
    uses_all_splits: bool = True
    weighs_groups: bool = False
    equal_groups: str = ""
    averages_repeats: bool = False
    rho_is_fixed: bool = False
    has_joint_law: bool = False
    varies_with_rho: bool = False
    has_ratio_interval: bool = True
    rho_is_assumed: bool = False
    assumes_normality: bool = True
    allows_unequal_groups: bool = False
    title: str = ""
    symbol: str = "t"
    counts: tuple = ()
    about: str = ""
    remark: str = ""
    references: tuple = ()
    for_single_examples: dict = field(default_factory=dict)
    small_sample_options: dict = field(default_factory=dict)
    inner: Traits | None = None

    def __post_init__(self):
        check_option("decides", self.decides, DECISIONS)
        check_option("concerns", self.concerns, CONCERNS)
        for name in self.designs:
            check_option("designs", name, KINDS)

    @property
    def weighs(self):
        """What weighs the same in the mean: "splits", "examples" or "groups"."""
        if not self.needs_examples:
            return "splits"
        return "groups" if self.weighs_groups else "examples"


TESTS = {}  # the public classes of this package, by name

# What takes the examples of any K-fold: of a label, of one model, and by default.
OF_EXAMPLES = "KFoldZTest"


def declared_traits(test_class):
    """Return what a class of tests declares, as a dict of traits.

    By attributes of the class and of its bases. An option of a test is no declaration,
    whatever its name.
    """
    declared = {"name": test_class.__name__, "title": _default_title(test_class)}
    for trait in fields(Traits):
        if hasattr(test_class, trait.name):
            declared[trait.name] = getattr(test_class, trait.name)
    return declared


def _default_title(test_class):
    """Return the first line of the docstring of a class, without its full stop."""
    docstring = test_class.__doc__ or ""
    is_signature = docstring.startswith(f"{test_class.__name__}(")  # of a dataclass
    if is_signature or not docstring.strip():
        return "user-defined test"
    return docstring.strip().partition("\n")[0].rstrip(".")


@functools.cache
def class_traits(test_class, **options):
    """Return the Traits that a class of tests declares, with some that options set.

    They are asked for dozens of times in a comparison.
    """
    if options:
        return replace(class_traits(test_class), **options)
    return Traits(**declared_traits(test_class))


def register(test_class):
    """Take note of a class of tests, if it is a public one of this package."""
    is_ours = test_class.__module__.partition(".")[0] == __name__.partition(".")[0]
    if is_ours and not test_class.__name__.startswith("_"):
        TESTS[test_class.__name__] = test_class
        default_test.cache_clear()


@functools.lru_cache
def default_test(design, per_example):
    """Return the class of the test for a design, None if there is none.

    Among the tests that declare themselves for it, one that uses single examples is
    preferred if there are any, and one for halves of just this design.
    """
    fitting = []
    for test in TESTS.values():
        if design.kind not in vars(test).get("default_for", ()):
            continue
        traits = class_traits(test)
        if design.base and traits.base_design not in (None, design.base):
            continue
        if per_example or not traits.needs_examples:
            preference = traits.needs_examples, traits.base_design is not None
            fitting.append((preference, test))
    if not fitting:
        return None
    return max(fitting, key=lambda candidate: candidate[0])[1]  # of equals, the first
