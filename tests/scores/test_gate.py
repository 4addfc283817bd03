"""Not worse by more than a margin: a result, and an assertion."""

import json

import numpy as np
import pytest
from common import SCORES
from interfaces import TESTS, compared, quiet, some_of
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    FiveByTwo,
    FiveByTwoFTest,
    HoldoutTTest,
    KFoldTTest,
    assert_not_worse,
    compare_estimators,
    compare_scores,
)

RESULT = compare_scores(SCORES, reference="old")


def decision_of(gate):
    """Return the decision of a gate of one model."""
    (decision,) = gate.decisions.values()
    return decision


def test_three_answers():
    gate = RESULT.gate(0.05)
    decisions = {"same": "shown", "bad": "refuted", "wild": "inconclusive"}
    assert gate.decisions == decisions
    assert (gate.passed, gate.reference) == (False, "old")
    pair = compare_scores({name: SCORES[name] for name in ("old", "same")})
    assert pair.gate(0.05, "old").passed


def test_is_scipys_one_sided_t_test():
    pytest.importorskip("pandas")
    pair = compare_scores({name: SCORES[name] for name in ("old", "bad")})
    row = pair.gate(0.1, "old").to_frame().iloc[0]
    difference = SCORES["bad"] - SCORES["old"]
    for side, name, end in (
        ("greater", "pvalue_not_worse", "low"),
        ("less", "pvalue_worse", "high"),
    ):
        found = stats.ttest_1samp(difference, -0.1, alternative=side)
        assert_allclose(row[name], found.pvalue, rtol=1e-10)
        assert_allclose(row[end], getattr(found.confidence_interval(0.95), end))


@pytest.mark.parametrize("margin", [0.0, 0.02, 0.1, 0.2, 0.4])
@pytest.mark.parametrize("name", ["same", "bad", "wild"])
def test_decides_as_its_bounds_do(name, margin):
    pytest.importorskip("pandas")
    pair = compare_scores({key: SCORES[key] for key in ("old", name)})
    gate = pair.gate(margin, "old")
    row = gate.to_frame().iloc[0]
    expected = "inconclusive"
    if row["low"] > -margin:
        expected = "shown"
    if row["high"] < -margin:
        expected = "refuted"
    assert decision_of(gate) == expected
    one = HoldoutTTest(alternative="greater").fit(pair.losses.residuals("old", name))
    assert_allclose(row["low"], one.confidence_interval(0.95).low, rtol=1e-10)


def test_holds_for_tests_of_cross_validation():
    X, y = load_breast_cancer(return_X_y=True)
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    result = compare_estimators(models, X, y, cv=5)
    gate = result.gate(0.2, "bayes")
    assert gate.decisions == {"tree": "shown"}
    assert " 20 points " in gate.sentences()["tree"]  # the margin, in the user's unit
    assert result.retest(KFoldTTest()).gate(0.5, "tree").passed


def test_one_decision_in_words_frame_and_json():
    gate = RESULT.gate(0.05)
    content = json.loads(gate.to_json())
    assert content["passed"] is False
    found = {row["model"]: row["decision"] for row in content["rows"]}
    assert found == gate.decisions == content["decisions"]
    said = " ".join(gate.report().split())
    assert all(" ".join(one.split()) in said for one in gate.sentences().values())
    text = str(gate)
    assert [gate.decisions[name] in text for name in gate.decisions] == [True] * 3


@pytest.mark.full
def test_detectable_difference_is_shown_in_four_of_five():
    """At a one-sided level, for which the sum of quantiles is 2.5."""
    rng, n = np.random.default_rng(1), 100
    passed = []
    for _ in range(150):
        noise = rng.normal(size=(2, n))
        pair = compare_scores({"old": noise[0], "new": noise[1]})
        passed.append(pair.gate(np.sqrt(2 / n) * 2.5, "old").passed)
    assert np.mean(passed) == pytest.approx(0.8, abs=0.11)


@pytest.mark.full
@pytest.mark.parametrize("truth", [-0.1, 0.0])
def test_false_alarms(truth):
    rng, wrong = np.random.default_rng(2), 0
    margin = 0.1
    for _ in range(1000):
        old = rng.normal(size=80)
        new = old + rng.normal(truth, 0.5, size=80)
        gate = compare_scores({"old": old, "new": new}).gate(margin, "old")
        wrong += decision_of(gate) == "refuted"
    assert wrong / 1000 < 0.05 + 3.3 * np.sqrt(0.05 * 0.95 / 1000)


def test_no_margin():
    pair = compare_scores({name: SCORES[name] for name in ("old", "bad")})
    assert pair.gate(0, "old").decisions == {"bad": "refuted"}


def test_assertion():
    assert_not_worse(RESULT, "same", than="old", margin=0.05)
    with pytest.raises(AssertionError, match=r"bad.*old.*0\.05"):
        assert_not_worse(RESULT, "bad", than="old", margin=0.05)
    with pytest.raises(AssertionError, match=r"wild.*0\.05"):
        assert_not_worse(RESULT, "wild", than="old", margin=0.05)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: RESULT.gate(-1), "`margin` must be a real number"),
        (lambda: RESULT.gate("a"), "`margin` must be a number, or a percentage"),
        (lambda: RESULT.gate(0.1, "older"), "`reference` must be one of"),
        (lambda: compare_scores(SCORES).gate(0.1), "`reference` must be one of"),
        (
            lambda: compare_scores(
                {"a": SCORES["old"] > 0, "b": SCORES["old"] > 1},
                score="accuracy",
                reference="a",
            ).gate(1),
            "a share; .* 0.02 is two points",
        ),
        (lambda: assert_not_worse(1, "a", than="b", margin=0.1), "a Comparison"),
        (
            lambda: assert_not_worse(RESULT, "worst", than="old", margin=0.1),
            "`model` must be",
        ),
        (lambda: assert_not_worse(RESULT, 1, than="old", margin=0.1), "`model` must"),
        (lambda: assert_not_worse(RESULT, "bad", than=0, margin=0.1), "`than` must"),
        (
            lambda: assert_not_worse(RESULT, "bad", than="odd", margin=0.1),
            "`than` must be one of",
        ),
    ],
)
def test_bad_input(call, text):
    with pytest.raises((TypeError, ValueError), match=text):
        call()


@pytest.mark.parametrize("test", [BayesianCorrelatedTTest(), FiveByTwoFTest()])
def test_needs_one_sided_p_values(test):
    X, y = load_breast_cancer(return_X_y=True)
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    result = compare_estimators(models, X, y, cv=FiveByTwo(random_state=0), test=test)
    with pytest.raises(ValueError, match="one with one-sided alternatives"):
        result.gate(0.1, "bayes")


# The command ----------------------------------------------------------------------


GATED = {
    name: case
    for name, case in TESTS.items()
    if case[0].is_directed
    and name not in ("EquivalenceTest", "BayesianCorrelatedTTest", "ConservativeZTest")
}


@pytest.mark.parametrize("case", some_of(GATED, 4, always=("CrossedTest",)))
@pytest.mark.parametrize("seed", range(3))
def test_decides_as_the_test_of_the_comparison_does(case, seed):
    with quiet():
        result = compared(case, np.random.default_rng(seed), n_models=2)
        for margin in (0.0, 0.2, 1.0):
            gate = result.gate(margin, "a")
            sides = {
                side: clone(result.tests["a", "b"])
                .set_params(alternative=side, popmean=-margin)
                .fit(result.losses.residuals("a", "b"))
                for side in ("greater", "less")
            }
            expected = "inconclusive"
            if sides["less"].pvalue_ <= 0.05:
                expected = "refuted"
            if sides["greater"].pvalue_ <= 0.05:
                expected = "shown"
            assert decision_of(gate) == expected
            low = gate.not_worse.ci_low[0]
            assert_allclose(low, sides["greater"].confidence_interval(0.95).low)


@pytest.mark.parametrize("p_adjust", [None, "holm", "hochberg", "fdr_bh"])
@pytest.mark.parametrize("seed", range(6))
def test_decision_p_and_bound_of_several_agree(seed, p_adjust):
    rng = np.random.default_rng(seed)
    old = rng.normal(size=60)
    scores = {"old": old}
    scores |= {f"m{k}": old + rng.normal(rng.normal(0, 0.3), 1, 60) for k in range(5)}
    result = compare_scores(scores, reference="old", p_adjust=p_adjust)
    for margin in rng.uniform(0, 0.8, 6):
        gate = result.gate(margin)
        frame = gate.to_frame()
        shown = frame["decision"] == "shown"
        assert (shown == (frame["pvalue_not_worse"] <= 0.05)).all()
        assert (shown == (frame["low"] >= -margin)).all()
        refuted = frame["decision"] == "refuted"
        assert (refuted == (frame["pvalue_worse"] <= 0.05)).all()
        assert (refuted == (frame["high"] <= -margin)).all()
        n = 1 if p_adjust is None else 5  # each at alpha over the number of models
        alone = gate.not_worse.pvalue
        assert_allclose(frame["pvalue_not_worse"], np.minimum(n * alone, 1))


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_one_more_error_does_not_make_a_gate_pass():
    """Few examples that differ: t passes a model that is worse by the margin."""
    old, pvalues = np.ones(1000), []
    for n_errors in range(1, 4):  # with none, the two are the same
        new = old.copy()
        new[:n_errors] = 0
        result = compare_scores({"old": old, "new": new}, score="accuracy")
        found = result.gate(0.0029, reference="old")
        assert decision_of(found) == "inconclusive"
        pvalues.append(found.to_frame()["pvalue_not_worse"].iloc[0])
    assert np.all(np.diff(pvalues) > 0)
    # of 3 per thousand, one or none is seen in a fifth of samples
    assert pvalues[0] > 0.1


@pytest.mark.full
def test_a_gate_of_few_discordant_examples_holds_its_level():
    """Of 50 examples 4% discordant, t passed 15% at the margin.

    Two models that are the same on all examples pass by convention.
    """
    rng, passed = np.random.default_rng(3), 0
    for _ in range(1000):
        kinds = rng.choice(3, size=50, p=[0.96, 0.01, 0.03])
        scores = {"old": 1.0 * (kinds != 1), "new": 1.0 * (kinds != 2)}
        result = compare_scores(scores, score="accuracy")
        differ = np.any(scores["old"] != scores["new"])
        passed += differ and result.gate(0.02, "old").passed
    assert passed / 1000 <= 0.05 + 3.3 * np.sqrt(0.05 * 0.95 / 1000)
