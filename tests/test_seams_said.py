"""Sentences of winners and of gates show the numbers of their attributes."""

import numpy as np
import pytest
from common import square
from seams import check_numbers, numbers_in, quiet, shows, text_tables
from searches import compare
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from sklearn_cvtest import compare_estimators, compare_predictions, compare_scores

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
