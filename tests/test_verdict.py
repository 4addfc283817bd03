"""The verdict: a sentence that is true of the numbers, in the user's units."""

import re
from types import SimpleNamespace

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


def verdict(*means, **options):
    """Return what is found, with the first pair's numbers, as a file of JSON has it."""
    found = compared(*means, **options).to_dict()
    return SimpleNamespace(**found["pairs"][0] | found)


def test_the_one_named_first_is_ahead_whichever_comes_first():
    one, other = verdict(0.9, 0.8), verdict(0.8, 0.9)
    assert other.better == ["b"]
    for found in (one, other):
        assert re.match(
            f"{found.better[0]} .* {found.worse[0]} .*(9|1[01])[.]", found.verdict
        )


def test_a_clear_but_negligible_difference_is_not_better():
    test = BayesianCorrelatedTTest(rope=0.2)
    result = compared(0.9, 0.8, test=test)
    assert result.pvalue_ < 0.001
    assert next(iter(result.tables.values())).winner[0] == -1


@pytest.mark.parametrize("tests", [[KFoldTTest()], {"t": KFoldTTest()}])
def test_one_test_is_asked_at_a_time(tests):
    with pytest.raises(TypeError, match=r"`test` must be one test.*retest\(test\)"):
        compared(0.9, 0.8, test=tests)


@pytest.mark.parametrize(
    ("expected", "means", "options"),
    [
        pytest.param(("better", ["a"], ["b"], []), (0.9, 0.8), {}, id="better"),
        pytest.param(
            ("not significant", [], [], ["a", "b"]),
            (0.9, 0.9),
            {},
            id="not significant",
        ),
        pytest.param(
            ("same", [], [], ["a", "b"]), (0.9, 0.9), {"noise": 0}, id="the same"
        ),
        pytest.param(("ranking", [], ["c"], ["a"]), (0.9, 0.9, 0.5), {}, id="many"),
        pytest.param(
            ("ranking", ["a", "b"], [], []),
            (0.9, 0.89, 0.5),
            {"reference": "c"},
            id="reference",
        ),
        pytest.param(
            ("equivalent", [], [], ["a", "b"]),
            (0.9, 0.9),
            {"test": EquivalenceTest(CorrectedResampledTTest(), margin=0.05)},
            id="equivalent",
        ),
        pytest.param(
            ("inconclusive", [], [], []),
            (0.9, 0.9),
            {"test": EquivalenceTest(CorrectedResampledTTest(), margin=0.001)},
            id="inconclusive",
        ),
        pytest.param(
            ("better", ["a"], ["b"], []),
            (0.9, 0.8),
            {"test": BayesianCorrelatedTTest(rope=0.01)},
            id="posterior",
        ),
        pytest.param(
            ("not significant", [], [], ["a", "b"]),
            (0.9, 0.8),
            {"test": KFoldTTest(alternative="greater")},
            id="one-sided",
        ),
    ],
)
def test_decisions(expected, means, options):
    found = compared(*means, **options).to_dict()
    parts = ("decision", "better", "worse", "tied")
    assert tuple(found[part] for part in parts) == expected


def test_what_could_have_been_found():
    found = verdict(0.9, 0.9)
    half = (found.ci_high - found.ci_low) / 2
    assert 1.3 * half < found.detectable_difference < 1.5 * half
    assert verdict(0.9, 0.8).detectable_difference is None
