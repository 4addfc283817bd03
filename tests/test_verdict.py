"""The verdict: a sentence that is true of the numbers, in the user's units."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    Comparison,
    CorrectedResampledTTest,
    EquivalenceTest,
    KFoldTTest,
    compare_cv_results,
    compare_estimators,
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


def test_better_in_points_with_the_interval():
    found = verdict(0.9, 0.8)
    assert (found.decision, found.better, found.worse) == ("better", ["a"], ["b"])
    low, high = -100 * found.ci_high, -100 * found.ci_low
    assert found.verdict == (
        f"a is better than b by {-100 * found.estimate:.1f} points of accuracy (95% "
        f"interval {low:.1f} to {high:.1f}), trained on 90 examples; p < 0.001."
    )


def test_the_one_named_first_is_ahead_whichever_comes_first():
    one, other = verdict(0.9, 0.8), verdict(0.8, 0.9)
    assert other.better == ["b"]
    for found in (one, other):
        assert re.search("is better than . by (9|1[01])[.]. points", found.verdict)


def test_tied_says_what_could_have_been_found():
    found = verdict(0.9, 0.9)
    assert found.decision == "not told apart"
    assert "a and b cannot be told apart: " in found.verdict
    assert "would have been found with probability 80%" in found.verdict
    half = (found.ci_high - found.ci_low) / 2
    assert 1.3 * half < found.detectable_difference < 1.5 * half


def test_other_scores_keep_their_unit():
    assert " in r2 (95% interval " in verdict(0.5, 0.2, metric="test_r2").verdict


def test_equal_scores():
    found = verdict(0.9, 0.9, noise=0)
    assert found.decision == "same"
    assert found.verdict.startswith("a and b have the same mean score in every split")


def test_equivalence():
    test = EquivalenceTest(CorrectedResampledTTest(), margin=0.05)
    found = verdict(0.9, 0.9, test=test)
    assert "a and b are equivalent within 5 points of accuracy: " in found.verdict
    assert "90% interval" in found.verdict
    test = EquivalenceTest(CorrectedResampledTTest(), margin=0.001)
    assert verdict(0.9, 0.9, test=test).decision == "not shown"


@pytest.mark.parametrize(
    ("mean", "rope", "decision"),
    [(0.8, 0.01, "better"), (0.9, 0.05, "equivalent"), (0.9, 0.0, "not told apart")],
)
def test_posterior_decides(mean, rope, decision):
    result = compared(0.9, mean, test=BayesianCorrelatedTTest(rope))
    found = SimpleNamespace(**result.to_dict())
    assert found.decision == decision
    assert "P(a better) = " in found.verdict
    shown = {"better": "a", "equivalent": "equivalent", "not told apart": "-"}
    assert str(result).split("\n\n")[3].split()[-1] == shown[decision]


def test_a_clear_but_negligible_difference_is_not_better():
    test = BayesianCorrelatedTTest(rope=0.2)
    result = compared(0.9, 0.8, test=test)
    assert result.pvalue_ < 0.001
    assert next(iter(result.tables.values())).winner[0] == -1


def test_one_sided():
    test = CorrectedResampledTTest(alternative="greater")
    assert "b is better than a by " in verdict(0.8, 0.9, test=test).verdict
    assert "(95% bound: at least " in verdict(0.8, 0.9, test=test).verdict
    text = verdict(0.9, 0.8, test=test).verdict
    said = r"b is not shown to be better than a: it is behind by [\d.]+ points .*"
    assert re.match(said + r"\(95% bound: at most [\d.]+\)", text)


def test_many_names_the_best_the_tied_and_the_worse():
    found = verdict(0.9, 0.9, 0.7, 0.8)
    (tied,) = found.tied
    best = "ab".replace(tied, "")
    start = f"{best} and {tied} may be the best of the four estimators"
    assert found.verdict.startswith(start)
    assert set(found.worse) == {"c", "d"}
    assert f"{best} has the highest mean accuracy, " in found.verdict
    assert "; the other two are worse (p ≤ " in found.verdict


def test_of_many_the_region_of_equivalence_decides():
    """One is equivalent, c worse by more than the region, d not clearly so."""
    test = BayesianCorrelatedTTest(rope=0.05)
    found = verdict(0.91, 0.9, 0.7, 0.846, test=test)
    assert (found.worse, found.tied[1:]) == (["c"], ["d"])
    near = found.tied[0]
    said = "(more than 5 points of accuracy with at least 95% probability)"
    assert said in found.verdict
    assert f"{near} is practically equivalent to it, within 5 points" in found.verdict
    unclear = (
        "(no difference of more than 5 points of accuracy is at least 95% probable)"
    )
    assert f"; d cannot be told apart from it {unclear}." in found.verdict


def test_bayesian_intervals_are_credible_and_of_one_pair():
    result = compared(0.9, 0.8, 0.7, test=BayesianCorrelatedTTest(0.01))
    (table,) = result.tables.values()
    assert table.ci_low_simultaneous is None
    assert "  95% interval" in result.report()
    assert "simultaneous" not in result.report()


def test_reference_is_the_pivot():
    text = verdict(0.8, 0.9, 0.7, 0.8, reference="a").verdict
    assert text.startswith("Compared with a (mean accuracy ")
    assert "b is better, by " in text
    assert "c is worse, by " in text
    assert "d cannot be told apart from it" in text


def test_several_tests_have_a_sentence_each():
    result = compared(0.9, 0.8, test=[KFoldTTest(), CorrectedResampledTTest()])
    lines = " ".join(str(result).split())
    assert re.findall(r"By \w+\(\)(?=: a is better than b)", lines) == [
        "By KFoldTTest()",
        "By CorrectedResampledTTest()",
    ]


def test_print_report_and_notebook_begin_with_it():
    result = compared(0.9, 0.8)
    sentence = result.to_dict()["verdict"]
    for text in (str(result), result.report(), result._repr_html_()):
        assert sentence[:40] in " ".join(text.split())[:140]


def test_report_holds_splitter_seed_and_versions(tmp_path):
    from sklearn.dummy import DummyClassifier
    from sklearn.tree import DecisionTreeClassifier

    models = {"dummy": DummyClassifier(), "stump": DecisionTreeClassifier(max_depth=1)}
    X, y = np.arange(60.0).reshape(-1, 1), np.arange(60) % 7 > 3
    cv = BlockKFold(5, stratify=True, random_state=3)
    result = compare_estimators(models, X, y, cv=cv)
    said = "by 5-fold cross-validation, stratified, seed 3 (BlockKFold), on 60 examples"
    assert said in result.report()
    assert "numpy " in result.report()
    result.save(tmp_path / "a.npz")
    assert Comparison.load(tmp_path / "a.npz").report() == result.report()
    old = replace(result.losses, cv_description=None)
    assert "BlockKFold" not in Comparison(old).report()


def test_a_shifted_claim_has_the_decimals_of_the_table():
    rng = np.random.default_rng(0)
    scores = {name: rng.normal(0.8, 0.02, 10) for name in "ab"}
    result = compare_cv_results(scores, cv=10, test=KFoldTTest(popmean=0.05))
    lead, *rest = str(result).split("\n\n")
    (cells,) = (line.split() for line in rest[2].splitlines() if line.startswith("a  "))
    for cell in (cells[2], *(end.strip("[],") for end in cells[3:5])):
        assert cell.replace("-", "−") in lead
