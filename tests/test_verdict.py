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


def test_several_tests_have_a_sentence_each():
    result = compared(0.9, 0.8, test=[KFoldTTest(), CorrectedResampledTTest()])
    first, second = str(result).split("\n\n")[:2]
    assert "KFoldTTest" in first
    assert "CorrectedResampledTTest" in second


DECISIONS = {
    "better": (("better", ["a"], ["b"], []), (0.9, 0.8), {}),
    "not significant": (("not significant", [], [], ["a", "b"]), (0.9, 0.9), {}),
    "the same": (("same", [], [], ["a", "b"]), (0.9, 0.9), {"noise": 0}),
    "many": (("ranking", [], ["c"], ["a"]), (0.9, 0.9, 0.5), {}),
    "reference": (
        ("ranking", ["a", "b"], [], []),
        (0.9, 0.89, 0.5),
        {"reference": "c"},
    ),
    "equivalent": (
        ("equivalent", [], [], ["a", "b"]),
        (0.9, 0.9),
        {"test": EquivalenceTest(CorrectedResampledTTest(), margin=0.05)},
    ),
    "inconclusive": (
        ("inconclusive", [], [], []),
        (0.9, 0.9),
        {"test": EquivalenceTest(CorrectedResampledTTest(), margin=0.001)},
    ),
    "posterior": (
        ("better", ["a"], ["b"], []),
        (0.9, 0.8),
        {"test": BayesianCorrelatedTTest(rope=0.01)},
    ),
    "one-sided": (
        ("not significant", [], [], ["a", "b"]),
        (0.9, 0.8),
        {"test": KFoldTTest(alternative="greater")},
    ),
}


@pytest.mark.parametrize("case", DECISIONS)
def test_decisions(case):
    expected, means, options = DECISIONS[case]
    found = compared(*means, **options).to_dict()
    parts = ("decision", "better", "worse", "tied")
    assert tuple(found[part] for part in parts) == expected


def test_what_could_have_been_found():
    found = verdict(0.9, 0.9)
    half = (found.ci_high - found.ci_low) / 2
    assert 1.3 * half < found.detectable_difference < 1.5 * half
    assert verdict(0.9, 0.8).detectable_difference is None


@pytest.mark.parametrize("k", [2, 8])
def test_print_is_short(k):
    rng = np.random.default_rng(0)
    scores = {f"model {i}": rng.normal(0.9 - 0.01 * i, 0.02, 10) for i in range(k)}
    text = str(compare_cv_results(scores, cv=10, n_train=90, n_test=10))
    lines = text.splitlines()
    assert len(lines) <= {2: 12, 8: 20}[k]
    assert max(map(len, lines)) <= 88
    if k == 2:
        report = compare_cv_results(scores, cv=10).report()
        assert len(report.split()) <= 140


def test_families_do_not_contradict_each_other():
    for seed in range(15):
        rng = np.random.default_rng(seed)
        scores = {
            n: rng.normal(0.9 - 0.01 * i, 0.02, 10) for i, n in enumerate("abcdef")
        }
        result = compare_cv_results(scores, cv=10, n_train=90, n_test=10)
        found, (best,) = result.to_dict(), [result.best_set()]
        rows = [line.split("  ") for line in str(result).splitlines()]
        marked = {row[0][0] for row in rows if row[0][1:] == " †"}
        assert marked == set(best.names)
        assert set(found["worse"]) == set(best.pvalues) - set(best.names)
        of_paper = [line for line in result.to_markdown().splitlines() if "†" in line]
        assert len([line for line in of_paper if line[0] == "|"]) == len(best.names)
