"""Sentences and pictures agree with their numbers, and with each other."""

import re
from dataclasses import replace

import numpy as np
import pytest
from common import square
from interfaces import (
    DIGITS,
    SPLITTERS,
    check_numbers,
    compared,
    data_of,
    new_axes,
    number,
    numbers_in,
    quiet,
    random_designs,
    shows,
    text_tables,
)
from scipy.optimize import brentq
from searches import compare
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

import sklearn_cvtest as cvtest
from sklearn_cvtest import compare_estimators, compare_predictions, compare_scores

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
    result = data.compare(SPLITTERS["repeated k-fold"](seed))
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


# The best of many ---------------------------------------------------------------------


def squared(seed, **options):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=80)
    guesses = {name: y + rng.normal(size=80) for name in "abcdefgh"}
    if "scoring" not in options:
        options = {"loss": square} | options
    return compare_predictions(y, guesses, **options)


def labels(seed, **options):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 150)
    guesses = {name: np.where(rng.random(150) < 0.2, 1 - y, y) for name in "abcdef"}
    return compare_predictions(y, guesses, **options)


def searched(seed, shift=0.0):
    # worse by up to 5, so that the best is neither the first nor the last
    rng = np.random.default_rng(seed)
    worse = 5 * rng.random((12, 1))
    return compare(shift - worse + rng.normal(size=(12, 10)))


WON = {
    "losses": lambda seed: (squared(seed), 1, 1),
    "losses as scores": lambda seed: (
        squared(seed, scoring="neg_mean_absolute_error"),
        1,
        -1,
    ),
    "errors": lambda seed: (labels(seed), 100, 1),
    "accuracies": lambda seed: (labels(seed, scoring="accuracy"), 100, 1),
    "scores of splits": lambda seed: (searched(seed), 1, 1),
    "scores around zero": lambda seed: (searched(seed, 1.0), 1, 1),
}


@pytest.mark.filterwarnings(
    "ignore::sklearn_cvtest.exceptions.HeavyTailedResidualsWarning"
)
@pytest.mark.parametrize("kind", WON)
@pytest.mark.parametrize("alpha", [0.05, 0.2])
@pytest.mark.parametrize("seed", range(3))
def test_the_sentence_of_a_winner_shows_its_attributes(kind, alpha, seed):
    result, unit, sign = WON[kind](seed)
    with quiet():
        won = result.winner_interval(alpha=alpha)
    said = str(won).partition("\n\n")[0]
    name, means = won.shown_name, result.losses.mean_losses
    assert name == result.losses.estimator_names[np.argmin(means)]
    said = said.replace(name, "")
    ends = sorted((sign * won.ci_low, sign * won.ci_high))
    values = [sign * won.estimate, sign * won.mean, *ends]
    for value in values:
        assert any(shows(n, abs(value), unit) for n in numbers_in(said)), (value, said)
    others = [len(means), 100 * (1 - alpha)]
    check_numbers(said, [*(unit * value for value in values), *others])
    assert ends[0] < sign * won.estimate < ends[1]
    (table,) = text_tables(str(won))
    rows = [[cell.replace("−", "-") for cell in row[1:]] for row in table.rows]
    own = sorted((sign * won.mean_low, sign * won.mean_high))
    for row, value in zip(rows, (won.mean, won.estimate), strict=True):
        assert shows(row[0].rstrip("%"), sign * value, unit)
    for row, interval in zip(rows, (own, ends), strict=True):
        for text, value in zip(row[1].split(" to "), interval, strict=True):
            assert shows(text.rstrip("%"), value, unit)


def test_a_row_of_a_search_names_the_winner():
    won = searched(0).winner_interval()
    assert won.shown_name == f"C={won.name}"
    assert won.name == np.argmin(won.losses.mean_losses)
    assert won.mean == pytest.approx(-won.losses.mean_losses.min())


# Gates --------------------------------------------------------------------------------


COUNTS = "right_to_wrong", "wrong_to_right"


def gates(seed, n_models, kind):
    rng = np.random.default_rng(seed)
    if kind == "errors":
        y = rng.integers(0, 2, 200)
        found = [np.where(rng.random(200) < 0.15, 1 - y, y) for _ in range(n_models)]
        found.append(np.where(rng.random(200) < rng.uniform(0.1, 0.5), 1 - y, y))
        given = {f"m{k}": part for k, part in enumerate(found)}
        return compare_predictions(y, given).gate(0.08, "m0"), 100
    old = rng.normal(size=60)
    given = {"m0": old}
    for k in range(n_models):
        given[f"m{k + 1}"] = old + rng.normal(rng.normal(0, 0.4), 1, 60)
    return compare_scores(given).gate(0.25, "m0"), 1


@pytest.mark.parametrize("kind", ["errors", "scores"])
@pytest.mark.parametrize("n_models", [1, 4])
@pytest.mark.parametrize("seed", range(4))
def test_the_sentence_of_a_gate_shows_its_frame(kind, n_models, seed):
    with quiet():
        gate, unit = gates(seed, n_models, kind)
    frame = gate.to_frame().set_index("model")
    assert list(frame.index) == list(gate.sentences)
    shown, refuted = (gate.comparison.tables[k] for k in ("shown", "refuted"))
    for place, (name, text) in enumerate(gate.sentences.items()):
        row = frame.loc[name]
        # bounds that are called simultaneous are at the level over their number
        level = 1 - 0.05 / n_models
        tests = shown.test, refuted.test
        residuals = gate.comparison.losses.residuals("m0", name)
        alone = [test.fit(residuals).confidence_interval(level) for test in tests]
        assert row["low"] == pytest.approx(alone[0].low)
        assert row["high"] == pytest.approx(alone[1].high)
        table = {"shown": shown, "refuted": refuted}.get(row["decision"])
        pvalue = [] if table is None else [min(table.pvalue[place] * n_models, 1)]
        bounds = {"shown": ["low"], "refuted": ["high"]}
        bounds = [row[end] for end in bounds.get(row["decision"], ["low", "high"])]
        said = [gate.margin, row["estimate"], *bounds]
        some = [row["detectable_margin"]] * (table is None)
        values = [unit * value for value in [*said, *some]]
        found = numbers_in(text)
        for value in [*(unit * value for value in said), *pvalue]:
            is_shown = value < 0.001 or any(shows(n, abs(value)) for n in found)
            assert is_shown, (value, text)
        counts = [row[name] for name in COUNTS if name in row]
        assert all(f"on {count}" in text for count in counts)
        check_numbers(text, [*values, *pvalue, *counts, 95, 80, 0.001])


@pytest.mark.filterwarnings("ignore")
def test_a_mark_is_explained_wherever_it_stands():
    """Where one of three failed, two are left, of which none is marked."""
    y = np.arange(60) % 2
    models = {"a": DummyClassifier(), "b": GaussianNB(), "bad": GaussianNB(priors=[2])}
    X = np.random.default_rng(0).normal(size=(60, 2))
    assert "†" not in str(compare_estimators(models, X, y, error_score=np.nan))


def test_equal_models_have_no_interval_among_pairs_either():
    y = np.arange(60) % 2
    a, c = y.copy(), y.copy()
    a[:5], c[:20] = 1 - a[:5], 1 - c[:20]
    result = compare_predictions(y, {"a": a, "b": a, "c": c}, splits=y.cumsum() % 5)
    (row,) = [
        line for line in str(result.pairs("all")).splitlines()
        if {"a", "b"} <= set(line.split())
    ]  # fmt: skip
    assert "–" in row


@pytest.mark.parametrize("sizes", [(20, 20, 20, 240), (75, 75, 75, 75)])
def test_means_that_disagree_with_their_difference_say_so(sizes):
    """Means weigh folds, and the default test weighs examples."""
    rng = np.random.default_rng(0)
    fold = np.repeat(np.arange(4), sizes)
    shift = np.where(fold < 3, 0.5, -0.5)
    errors = {"a": rng.normal(2, 0.3, 300) + shift, "b": rng.normal(2, 0.3, 300)}
    options = {"loss": "absolute_error", "splits": fold}
    result = compare_predictions(np.zeros(300), errors, **options)
    gap = abs(np.ptp(result.losses.mean_losses) - abs(result.table.estimate[0]))
    note = "differences average examples, so they disagree"
    said = note in " ".join(str(result).split())
    assert said == (gap > 0.01)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("n_negatives", [540, 60])
def test_a_p_value_that_few_positives_limit_is_said_to_be(n_negatives):
    y = np.r_[np.ones(60, int), np.zeros(n_negatives, int)]
    a, b = y.copy(), y.copy()
    a[:4], b[:8] = 0, 0
    folds = np.arange(len(y)) % 5
    result = compare_predictions(y, {"a": a, "b": b}, scoring="f1", splits=folds)
    plain = result.table.test.evaluate(result.losses.residuals("a", "b")).pvalue
    note = "As F1 rests on 60 examples of the rarer class"
    said = note in " ".join(result.report().split())
    assert said == (plain < result.pvalue_)
