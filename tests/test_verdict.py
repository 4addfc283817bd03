"""The verdict: a sentence that is true of the numbers, in the user's units."""

import re

import numpy as np
import pytest

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    CorrectedResampledTTest,
    EquivalenceTest,
    KFoldTTest,
    compare_cv_results,
)

FOLDS = np.random.default_rng(0).normal(0, 0.01, (10, 5))


def compared(*means, metric="test_accuracy", test="auto", noise=1.0, **options):
    """Compare models with these mean scores over ten folds."""
    means = {name: mean for name, mean in zip("abcde", means, strict=False)}
    scores = {
        name: {metric: mean + noise * FOLDS[:, number]}
        for number, (name, mean) in enumerate(means.items())
    }
    test = CorrectedResampledTTest() if test == "auto" else test
    options = {"cv": 10, "n_train": 90, "n_test": 10} | options
    return compare_cv_results(scores, metric=metric, test=test, **options)


def test_the_one_named_first_is_ahead_whichever_comes_first():
    for means, better, worse in (((0.9, 0.8), "a", "b"), ((0.8, 0.9), "b", "a")):
        result = compared(*means)
        assert result.best == better
        assert re.match(rf"{better} .* {worse} .*(9|1[01])[.]", str(result))


def test_a_clear_but_negligible_difference_is_not_better():
    test = BayesianCorrelatedTTest(rope=0.2)
    result = compared(0.9, 0.8, test=test)
    assert result.pvalue_ < 0.001
    assert str(result).startswith("a and b are equivalent within 20 points")


@pytest.mark.parametrize("tests", [[KFoldTTest()], {"t": KFoldTTest()}])
def test_one_test_is_asked_at_a_time(tests):
    with pytest.raises(TypeError, match="`test` must be a test such as"):
        compared(0.9, 0.8, test=tests)


EQUIVALENCE = EquivalenceTest(CorrectedResampledTTest(), margin=0.05)
NARROW = EquivalenceTest(CorrectedResampledTTest(), margin=0.001)


@pytest.mark.parametrize(
    ("text", "means", "options"),
    [
        ("a is better than b", (0.9, 0.8), {}),
        ("No significant difference between a and b", (0.9, 0.9), {}),
        ("a and b have the same accuracy in every", (0.9, 0.9), {"noise": 0}),
        ("b has the highest", (0.9, 0.9, 0.5), {}),
        ("Compared with c", (0.9, 0.89, 0.5), {"reference": "c"}),
        ("a and b are equivalent within", (0.9, 0.9), {"test": EQUIVALENCE}),
        ("a and b are not shown to be", (0.9, 0.9), {"test": NARROW}),
        ("a is better", (0.9, 0.8), {"test": BayesianCorrelatedTTest(rope=0.01)}),
        ("b is not sig", (0.9, 0.8), {"test": KFoldTTest(alternative="greater")}),
    ],
)
def test_decisions(text, means, options):
    assert str(compared(*means, **options)).startswith(text)


def test_what_could_have_been_found():
    result = compared(0.9, 0.9)
    half = (result.table.ci_high[0] - result.table.ci_low[0]) / 2
    assert 1.3 * half < result.detectable_difference() < 1.5 * half
    assert "80% power" in str(result)
    assert "80% power" not in str(compared(0.9, 0.8))
