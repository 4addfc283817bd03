"""A gate of hits counts the examples that only one model gets right."""

import numpy as np
import pytest

from sklearn_cvtest import compare_cv_results, compare_predictions

Y = np.repeat([0, 1], 50)
OLD, NEW, WORST = (Y.copy() for _ in range(3))
OLD[:12] = 1 - Y[:12]  # wrong on 12
NEW[10:15] = 1 - Y[10:15]  # wrong on two of them, and on three others
WORST[:40] = 1 - Y[:40]
ORDER = np.random.default_rng(0).permutation(100)
Y, OLD, NEW, WORST = Y[ORDER], OLD[ORDER], NEW[ORDER], WORST[ORDER]
MODELS = {"old": OLD, "new": NEW, "worst": WORST}


@pytest.mark.parametrize("options", [{}, {"scoring": "accuracy"}])
@pytest.mark.parametrize("splits", [None, np.arange(100) % 5])
def test_counts_are_of_the_examples(options, splits):
    result = compare_predictions(Y, MODELS, splits=splits, **options)
    frame = result.gate(0.05, reference="old").to_frame().set_index("model")
    assert frame.loc["new", ["right_to_wrong", "wrong_to_right"]].tolist() == [3, 10]
    assert frame.loc["worst", ["right_to_wrong", "wrong_to_right"]].tolist() == [28, 0]


def test_counts_are_printed():
    pair = {name: MODELS[name] for name in ("old", "new")}
    gate = compare_predictions(Y, pair).gate(0.05, reference="old")
    text = " ".join(str(gate).split())
    assert "new is wrong on 3 examples that old gets right, and right on 10" in text


def test_other_losses_and_repeats_have_none():
    weights = np.random.default_rng(1).uniform(1, 2, 100)
    repeats = np.column_stack([np.arange(100) % 5, np.arange(100) // 20])
    twice = {name: np.column_stack([labels] * 2) for name, labels in MODELS.items()}
    scores = {name: np.linspace(0.8, 0.9, 5) ** k for name, k in (("a", 1), ("b", 2))}
    for result, reference in (
        (compare_predictions(Y, MODELS, sample_weight=weights), "old"),
        (compare_predictions(Y, twice, splits=repeats), "old"),
        (compare_cv_results(scores, cv=5), "a"),
    ):
        assert "right_to_wrong" not in result.gate(0.05, reference=reference).to_frame()
