"""Sentences and pictures agree with their numbers, and with each other."""

import re
from dataclasses import replace

import numpy as np
import pytest
from interfaces import (
    DIGITS,
    SPLITTERS,
    compared,
    data_of,
    new_axes,
    number,
    quiet,
    random_designs,
)
from scipy.optimize import brentq

import sklearn_cvtest as cvtest

MOST_CASES = 1000  # their number of designs says what is quick


def words_of(result):
    """Return the sentences of a printed result and of its report, on one line each."""
    return [" ".join(text.split()) for text in (str(result), result.report())]


def verdict_of(result):
    """Return the first paragraph of what is printed."""
    return " ".join(str(result).split("\n\n")[0].split())


# What is not significant, and at which level ------------------------------------------


@pytest.mark.parametrize("reference", ["a", None])
@random_designs(few=3, many=20)
def test_what_is_not_significant_over_data_sets_has_no_small_p(reference, seed):
    rng = np.random.default_rng(seed)
    parts = {f"d{k}": data_of(rng, 4).compare(5) for k in range(4)}
    result = cvtest.compare_over_datasets(parts, reference=reference)
    for text in words_of(result):
        clauses = re.findall(r"[^;.]*not significantly[^;.]*", text)
        assert clauses
        assert not re.search(r"p [=<≤]", " ".join(clauses)), clauses


@random_designs(few=2, many=30)
def test_a_lead_is_not_below_zero(seed):
    losses = data_of(np.random.default_rng(seed), 2).losses(6)
    for alternative in ("less", "greater"):
        test = cvtest.KFoldZTest(alternative=alternative)
        for text in words_of(cvtest.Comparison(losses, test=test)):
            assert not re.search(r"(?:ahead by|better by) [-−]", text)


# The first sentence -------------------------------------------------------------------


@pytest.mark.parametrize("pvalue", [0.0504, 0.0496, 0.05004])
@random_designs(few=1, many=10)
def test_a_p_value_is_shown_on_its_side_of_the_level(pvalue, seed):
    data = data_of(np.random.default_rng(seed), 2)
    losses = data.losses(6)

    def shifted(by):
        moved = losses.losses + np.array([0.0, by])
        return cvtest.Comparison(replace(losses, losses=moved))

    found = losses.mean_losses
    tie, spread = found[0] - found[1], np.ptp(losses.losses)
    result = shifted(brentq(lambda c: shifted(c).pvalue_ - pvalue, tie, tie + spread))
    assert result.pvalue_ == pytest.approx(pvalue, rel=1e-4)
    for text in words_of(result):
        (shown, *_) = re.findall(rf"\bp = ({DIGITS})", text)
        assert (number(shown)[0] <= 0.05) == (pvalue <= 0.05), text
        assert shown not in ("0.050", "0.05")


@random_designs(few=4, many=30)
def test_a_verdict_of_one_seed_says_so_first(seed):
    data = data_of(np.random.default_rng(seed), 2, spread=1.5)
    result = data.compare(SPLITTERS["repeated"](seed))
    stability = result.to_frame()["seed_stability"].item()
    first = re.split(r"(?<=[a-z)0-9])\. (?=[A-Z])", verdict_of(result))[0]
    assert f"{stability:.2f}" in first or stability >= 0.8, (first, stability)


@random_designs(few=1, many=5)
def test_weights_are_mentioned_wherever_there_are_some(seed):
    rng = np.random.default_rng(seed)
    data = data_of(rng, 2)
    weights = {"sample_weight": rng.uniform(0.5, 2, 48)}
    result = data.compare(6, score_params=weights)
    assert all("weight" in text for text in words_of(result))


# One number, twice --------------------------------------------------------------------


@pytest.mark.parametrize("case", ["KFoldZTest", "KFoldTTest"])
@random_designs(few=2, many=20)
def test_rho_alpha_of_the_picture_is_that_of_the_table(case, seed):
    result = compared(case, np.random.default_rng(seed), 2)
    display = cvtest.RhoSensitivityDisplay.from_comparison(result, ax=new_axes())
    assert np.ravel(display.rho_alpha) == pytest.approx(result.rho_alpha_)


@random_designs(few=2, many=20)
def test_a_difference_is_that_of_the_means_beside_it(seed):
    result = compared("FiveByTwoTTest", np.random.default_rng(seed), 2)
    first, second = result.losses.mean_losses
    amount = re.search(rf"by ({DIGITS})(?: in| points)", verdict_of(result))
    shown, half = number(amount[1])
    is_first_split = "first split" in verdict_of(result)
    assert is_first_split or abs(shown - abs(first - second)) <= half + 1e-9


# Pictures -----------------------------------------------------------------------------


@pytest.mark.parametrize("margin", [0.2, 30.0])
@pytest.mark.parametrize("case", ["EquivalenceTest", "BayesianCorrelatedTTest"])
@random_designs(few=1, many=20)
def test_margins_are_on_the_axis_and_named(case, margin, seed):
    result = compared("CorrectedResampledTTest", np.random.default_rng(seed), 3)
    test = cvtest.BayesianCorrelatedTTest(margin)
    if case == "EquivalenceTest":
        test = cvtest.EquivalenceTest(cvtest.CorrectedResampledTTest(), margin)
    axes = new_axes()
    result.retest(test).plot(ax=axes)
    low, high = axes.get_xlim()
    assert low < -margin < margin < high
    texts = [text.get_text() for text in axes.texts] + [axes.get_xlabel()]
    texts += [line.get_label() for line in axes.lines]
    if axes.get_legend() is not None:
        texts += [text.get_text() for text in axes.get_legend().get_texts()]
    assert any(re.search(rf"(?<![\d.]){margin:g}(?![\d.])", t) for t in texts), texts


@random_designs(few=2, many=10)
def test_a_filled_marker_is_not_called_better_where_it_may_be_worse(seed):
    rng = np.random.default_rng(seed)
    result = compared("BayesianCorrelatedTTest", rng, 4, reference="a")
    axes = new_axes()
    result.plot(ax=axes)
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert any(text.startswith("significantly different") for text in legend)
    assert not any("better" in text for text in legend)


# Adjustment by the law of the maximum -------------------------------------------------


@random_designs(few=1, many=5)
def test_max_t_keeps_the_test_or_says_so(seed):
    data = data_of(np.random.default_rng(seed), 3)
    default = data.compare(6)
    with quiet():
        asked = data.compare(6, p_adjust="max-t")
        again = default.retest(p_adjust="max-t")
    for result in (asked, again):
        (name,), (usual,) = result.tables, default.tables
        assert name == usual or "max-t" in verdict_of(result) or name in str(result)
        assert "(Bonferroni)" not in str(result)
    assert again.to_frame().equals(asked.to_frame())
