"""Pairs of zero-one losses by products of matrices equal pairs that are subtracted."""

import pickle
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sklearn_cvtest import HoldoutTTest, KFoldZTest, McNemarTest, compare_predictions
from sklearn_cvtest._data._zero_one_pairs import zero_one_chunks
from sklearn_cvtest._pairs import _tested

N_MODELS, N_EXAMPLES = 24, 240
FOLDS = np.sort(np.arange(N_EXAMPLES) % 7)
GROUPS = np.arange(N_EXAMPLES) // 4


def predictions(n_runs=None):
    """Return labels, and predictions of models of which some are the same."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=N_EXAMPLES)
    difficulty = rng.normal(size=N_EXAMPLES if n_runs is None else (N_EXAMPLES, n_runs))
    labels = y if n_runs is None else y[:, np.newaxis]
    predicted = {}
    for number in range(N_MODELS):
        noise = rng.normal(size=difficulty.shape)
        is_wrong = difficulty + noise > 1 + number / N_MODELS
        predicted[f"model {number}"] = np.where(is_wrong, 1 - labels, labels)
    predicted["perfect"] = labels + 0 * predicted["model 0"]
    predicted["wrong"] = 1 - predicted["perfect"]
    predicted["same"] = predicted["model 3"]
    return y, predicted


def compared(y, predicted, options):
    """Return what is printed, warned and in frames."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = compare_predictions(y, predicted, **options)
        printed = str(result), result.report(), str(result.best_set())
        frames = result.to_frame(), result.best_set().to_frame()
    return printed, [str(warning.message) for warning in caught], frames


@pytest.mark.parametrize(
    ("options", "n_runs"),
    [
        ({}, None),
        ({"test": HoldoutTTest()}, None),
        ({"test": HoldoutTTest(alternative="less"), "p_adjust": None}, None),
        ({"test": HoldoutTTest(method="score")}, None),
        ({"test": McNemarTest()}, None),
        ({"test": McNemarTest("chi2"), "p_adjust": "bonferroni"}, None),
        ({"splits": FOLDS}, None),
        ({"splits": FOLDS, "test": KFoldZTest(variance="theta4")}, None),
        ({"splits": FOLDS, "test": KFoldZTest(), "p_adjust": "max-t"}, None),
        ({"splits": FOLDS, "reference": "model 3"}, None),
        ({"groups": GROUPS}, None),
        ({"groups": GROUPS, "splits": GROUPS % 5}, None),
        ({"splits": np.column_stack([FOLDS, np.arange(N_EXAMPLES) % 7])}, 2),
    ],
)
def test_products_give_what_differences_give(monkeypatch, options, n_runs):
    y, predicted = predictions(n_runs=n_runs)
    printed, messages, frames = compared(y, predicted, options)
    monkeypatch.setattr(_tested, "takes_products", lambda losses, pairs: False)
    expected = compared(y, predicted, options)
    assert printed == expected[0]
    assert messages == expected[1]
    for frame, other in zip(frames, expected[2], strict=True):
        assert list(frame.columns) == list(other.columns)
        for column in frame:
            if frame[column].dtype.kind == "f":
                assert_allclose(frame[column], other[column], rtol=4e-13, atol=4e-13)
            else:
                assert frame[column].tolist() == other[column].tolist()


@pytest.mark.filterwarnings("ignore::UserWarning")  # of models that are always right
@pytest.mark.parametrize("splits", [None, FOLDS])
def test_moments_of_products_equal_those_of_differences(splits):
    y, predicted = predictions()
    losses = compare_predictions(y, predicted, splits=splits).losses
    n_models = len(losses.estimator_names)
    pairs = np.column_stack(np.triu_indices(n_models, k=1))
    assert _tested.takes_products(losses, pairs)
    (products,) = zero_one_chunks(losses, pairs)
    plain = losses.pair_residuals(pairs)
    assert_allclose(products.block_means, plain.block_means, rtol=0, atol=1e-15)
    for name in ("mean", "total_squares", "total_cubes"):
        ours, theirs = (getattr(of.block_moments, name) for of in (products, plain))
        assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
    for name in ("spread", "n_untypical", "largest", "identical"):
        assert np.array_equal(getattr(products, name), getattr(plain, name))
    again = pickle.loads(pickle.dumps(products))
    assert again[5].names == plain[5].names
    assert np.array_equal(again[5].values, plain[5].values)
    assert "values" not in vars(products)
    assert np.array_equal(products.values, plain.values)


@pytest.mark.filterwarnings("ignore::UserWarning")  # of models that are always right
def test_products_are_of_zero_one_losses_of_one_run_without_groups():
    y, predicted = predictions()
    pairs = np.column_stack(np.triu_indices(N_MODELS, k=1))
    losses = compare_predictions(y, predicted).losses
    assert _tested.takes_products(losses, pairs)
    assert not _tested.takes_products(losses, pairs[:10])
    weights = np.linspace(1, 2, N_EXAMPLES)
    for options in ({"groups": GROUPS}, {"sample_weight": weights}):
        losses = compare_predictions(y, predicted, **options).losses
        assert not _tested.takes_products(losses, pairs)
