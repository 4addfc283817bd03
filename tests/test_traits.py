"""What a test says it is: readers take its word, never the names of what it has."""

import re
from dataclasses import FrozenInstanceError, dataclass, replace

import numpy as np
import pytest
from common import ALL_TESTS
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import Ridge

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    CVLosses,
    CVResiduals,
    EquivalenceTest,
    HoldoutTTest,
    KFoldTTest,
    KFoldZTest,
    compare_cv_results,
    compare_estimators,
)
from sklearn_cvtest.exceptions import UnequalGroupsWarning
from sklearn_cvtest.results import BaseCVTest, Evaluation, Traits

NOISE = np.random.default_rng(0).normal(0, 0.02, (3, 10)).round(3)
SIZES = {"n_train": 90, "n_test": 10, "cv": 10}


class PlainTTest(KFoldTTest):
    title = "own t test"


class OwnTTest(KFoldTTest):
    """A t test with options and columns that others have for something else."""

    title = "own t test"

    def __init__(
        self,
        margin=3,
        rope=0.1,
        weights="groups",
        variance="pooled",
        title="none",
        *,
        alpha=0.05,
        alternative="two-sided",
        popmean=0.0,
    ):
        self.margin = margin
        self.rope = rope
        self.weights = weights
        self.variance = variance
        self.title = title
        super().__init__(0.5, alpha=alpha, alternative=alternative, popmean=popmean)

    def evaluate(self, residuals):
        found = super().evaluate(residuals)
        return replace(found, columns={"prob_greater": found.pvalue})


class OwnZTest(KFoldZTest):
    """A z test of examples with an option of a familiar name."""

    for_single_examples = {}  # noqa: RUF012

    def check_params(self):
        """Allow any variance."""

    def evaluate(self, residuals):
        assert self.variance == "pooled"
        return KFoldZTest(popmean=self.popmean).evaluate(residuals)


def scores(*means):
    return {
        name: {"test_accuracy": mean + noise}
        for name, mean, noise in zip("abc", means, NOISE, strict=False)
    }


def compared(test, *means):
    return compare_cv_results(
        scores(*means), metric="test_accuracy", test=test, **SIZES
    )


def words(result):
    text = f"{result}\n{result.report()}\n{result.to_latex()}"
    text = re.sub(r"(Own|Plain)TTest\([^)]*\)", "TEST", text)
    return text.split()  # lines are not broken where names have other lengths


@pytest.mark.parametrize("means", [(0.7, 0.9), (0.8, 0.8), (0.7, 0.8, 0.9)])
def test_options_and_columns_of_an_own_test_mean_nothing(means):
    own, plain = compared(OwnTTest(), *means), compared(PlainTTest(0.5), *means)
    assert own.to_dict()["decision"] == plain.to_dict()["decision"]
    assert "own t test" in own._repr_html_()


def test_an_option_of_an_own_test_is_left_as_it_is():
    X = np.random.default_rng(1).normal(size=(60, 2))
    models = {"ridge": Ridge(), "mean": DummyRegressor()}
    options = {"loss": "absolute_error", "test": OwnZTest(variance="pooled")}
    cv = BlockKFold(5, random_state=0)
    result = compare_estimators(models, X, X[:, 0], cv=cv, **options)
    labels = result.by(np.repeat(["p", "q"], 30))
    assert labels.test.variance == "pooled"


def test_losses_of_a_comparison_by_an_own_test_are_saved(tmp_path):
    result = compared(OwnTTest(), 0.7, 0.9)
    with pytest.raises(TypeError, match=r"Save the losses with `losses\.save`"):
        result.save(tmp_path / "result.npz")
    result.losses.save(tmp_path / "losses.npz")
    again = CVLosses.load(tmp_path / "losses.npz")
    np.testing.assert_array_equal(again.block_losses, result.losses.block_losses)


# A posterior ---------------------------------------------------------------------


def test_a_test_that_decides_by_a_posterior_says_so():
    class OwnPosterior(BayesianCorrelatedTTest):
        def evaluate(self, residuals):
            found = super().evaluate(residuals)
            return replace(found, columns={"prob_less": found.columns["prob_less"]})

    with pytest.raises(ValueError, match="`columns` must be prob_less, prob_r"):
        compared(OwnPosterior(), 0.7, 0.9)


def test_an_option_that_matters_is_replaced_in_the_traits():
    assert BayesianCorrelatedTTest(rope=0.01).traits.region == 0.01
    assert KFoldZTest(weights="groups").traits.weighs == "groups"
    assert KFoldTTest().traits.weighs == "splits"
    assert KFoldZTest(0.25).traits.title == "z test at ρ = 0.25"


# Equivalence ---------------------------------------------------------------------

CODES = np.repeat(np.arange(22), [80, *[10] * 20, 40])


def unequal_groups(design):
    values = np.random.default_rng(2).normal(0.001, 0.1, (1, 320))
    found = CVResiduals.from_array(
        values if design == "holdout" else values.reshape(10, 32), design=design
    )
    return replace(found, groups=np.roll(CODES, 5) if design == "k-fold" else CODES)


@pytest.mark.parametrize(
    ("test", "advice"),
    [
        (KFoldZTest(), r"Use `test=KFoldZTest\(weights='groups'\)`"),
        (KFoldZTest(), r"allows for that.*`test=KFoldZTest\(weights="),
        (HoldoutTTest(), r"Use `test=HoldoutTTest\(weights='groups'\)`"),
    ],
)
def test_equivalence_is_advised_as_its_test(test, advice):
    residuals = unequal_groups(test.traits.designs[0])
    with pytest.warns(UnequalGroupsWarning, match=advice):
        EquivalenceTest(test, margin=0.05).fit(residuals)


@pytest.mark.parametrize("Test", [KFoldZTest, HoldoutTTest])
def test_equivalence_with_equal_weights_needs_no_advice(Test):
    residuals = unequal_groups(Test().traits.designs[0])
    test = EquivalenceTest(Test(weights="groups"), margin=0.05).fit(residuals)
    assert test.traits.weighs == "groups"


def test_equivalence_is_its_test_but_for_what_it_decides():
    inner = KFoldZTest(variance="theta4").traits
    traits = EquivalenceTest(KFoldZTest(variance="theta4"), margin=0.02).traits
    assert (traits.decides, traits.region, traits.inner) == ("equivalence", 0.02, inner)
    assert not any([traits.is_directed, traits.names_winner, traits.rho_is_fixed])
    same = ("designs", "needs_examples", "vectorised", "symbol", "concerns", "remark")
    for name in same:
        assert getattr(traits, name) == getattr(inner, name)
    assert traits.for_single_examples == {"test__variance": "theta5"}


# The object ----------------------------------------------------------------------


class FoldsTest(BaseCVTest):
    designs = ("k-fold",)

    def evaluate(self, residuals):
        return Evaluation(0.0, 1.0, 0.0, 1.0, 1)


@pytest.mark.parametrize("Test", ALL_TESTS)
def test_no_test_has_an_undeclared_trait_or_shadows_one(Test):
    parameters = set(Test._get_param_names())
    assert not parameters & set(Traits.__dataclass_fields__)


@pytest.mark.parametrize("Test", ALL_TESTS)
def test_the_class_body_of_a_test_says_what_it_assumes_and_cites(Test):
    assert vars(Test)["about"].endswith(".")
    for paper, identifier in vars(Test)["references"]:
        assert re.search(r"\d{4}", paper)
        assert re.match("doi:|arXiv:|$", identifier)


MAY_OVERRIDE = {
    "traits",
    "traits_of",
    "residuals_of_array",
    "evaluate",
    "interval",
    "total_error",
    "pvalues_at",
    "better_side",
    "deviation_rows",
    "design_warning",
}


def test_the_docstring_of_the_base_names_what_a_test_may_override():
    named = set(re.findall(r"`(\w+)`", BaseCVTest.__doc__.partition("Notes")[2]))
    assert named >= MAY_OVERRIDE


@pytest.mark.parametrize("Test", ALL_TESTS)
def test_a_test_overrides_only_what_it_may(Test):
    methods = {name for name in vars(BaseCVTest) if name[0] != "_"}
    methods -= set(BaseCVTest.__dataclass_fields__)
    overridden = set()
    for base in Test.__mro__[: Test.__mro__.index(BaseCVTest)]:
        overridden |= methods & vars(base).keys()
    assert overridden <= MAY_OVERRIDE


@pytest.mark.parametrize(
    ("trait", "Test"),
    [
        ("has_ratio_interval", type("", (KFoldTTest,), {"interval": print})),
        ("varies_with_rho", type("", (FoldsTest,), {"pvalues_at": print})),
        ("has_joint_law", type("", (FoldsTest,), {"deviation_rows": print})),
    ],
)
def test_what_a_class_overrides_sets_traits(trait, Test):
    base = Test.__mro__[1]
    assert getattr(Test().traits, trait) is not getattr(base().traits, trait)


def test_a_misspelt_design_is_refused_with_the_names():
    Test = type("MisspeltTest", (FoldsTest,), {"designs": ("kfold",)})
    with pytest.raises(ValueError, match=r"`designs` must be .*; got 'kfold'"):
        Test().traits  # noqa: B018


def test_traits_are_frozen_and_checked():
    with pytest.raises(FrozenInstanceError):
        KFoldTTest().traits.title = "another"
    with pytest.raises(ValueError, match="`decides` must be one of 'difference'"):
        Traits(decides="nothing")
    with pytest.raises(ValueError, match="`concerns` must be one of 'algorithms'"):
        Traits(concerns="people")


# The default title --------------------------------------------------------------------


class FoldMeanTest(BaseCVTest):
    """Compare the mean of the folds with their spread.

    Further lines are not part of the title.
    """

    designs = ("k-fold",)

    def evaluate(self, residuals):
        means = residuals.block_means
        error = means.std(ddof=1) / np.sqrt(len(means))
        statistic = means.mean() / error
        return Evaluation(means.mean(), error, statistic, 0.04, len(means) - 1)


class UndocumentedTest(FoldMeanTest):
    pass


@dataclass(eq=False, repr=False)
class UndocumentedDataclassTest(FoldMeanTest):
    factor: float = 1.0


@pytest.mark.parametrize(
    ("test", "title"),
    [
        (FoldMeanTest(), "Compare the mean of the folds with their spread"),
        (UndocumentedTest(), "user-defined test"),
        (UndocumentedDataclassTest(), "user-defined test"),
        (type("Derived", (KFoldTTest,), {})(), KFoldTTest().traits.title),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_test_without_title_is_called_by_its_docstring(test, title):
    assert test.traits.title == title
    assert f": {title}" in " ".join(str(compared(test, 0.8, 0.8)).split())


def test_only_public_tests_are_known_by_name():
    unknown = "`test` must be .*; got 'WeighedTest'"
    with pytest.raises(TypeError, match=unknown) as error:
        compared("WeighedTest", 0.7, 0.9)
    assert "Pass WeighedTest()" not in str(error.value)


def test_a_posterior_names_the_winner_by_its_side():
    chances = {
        "prob_less": np.array([0.97, 0.01, 0.5]),
        "prob_rope": np.array([0.02, 0.02, 0.1]),
        "prob_greater": np.array([0.01, 0.97, 0.4]),
    }
    nothing = np.zeros(3)
    sides = BayesianCorrelatedTTest().better_side(nothing, nothing, chances, 0.05)
    assert sides.tolist() == [-1, 1, 0]
