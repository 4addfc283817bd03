"""What the Bayesian models say of a pair on a new data set."""

import numpy as np

from ._differences import scaled_chunks
from ._hierarchical import (
    next_dataset_probabilities,
    sample_hierarchical,
    signed_rank_probabilities,
)


def posterior_of(result, datasets, pair, rope, random_state):
    """Return probabilities by name, as :meth:`DatasetComparison.posterior` does."""
    blocks = [_block_means(result, name, pair) for name in datasets]
    means = np.array([values.mean() for values in blocks])
    found = sample_hierarchical(
        means,
        np.array([np.sum((values - values.mean()) ** 2) for values in blocks]),
        np.array([len(values) for values in blocks]),
        np.array([_test_share(result.losses[name]) for name in datasets]),
        random_state=random_state,
    )
    predictive = next_dataset_probabilities(found, rope).mean(axis=(0, 1))
    ranked = signed_rank_probabilities(means, rope, random_state=random_state)
    sides = ("less", "rope", "greater")
    return dict(zip(sides, predictive.tolist(), strict=True)) | {
        f"signed_rank_{side}": value
        for side, value in zip(sides, ranked.mean(axis=0).tolist(), strict=True)
    }


def _block_means(result, dataset, pair):
    """Return the block means of the differences of a pair, on the scale."""
    losses = result.losses[dataset]
    place = {name: position for position, name in enumerate(losses.estimator_names)}
    options = result.scale, dataset, place.get(result.reference)
    positions = np.array([[place[name] for name in pair]])
    (stack,) = scaled_chunks(result.tests[dataset], losses, positions, *options)
    return stack.runs()[0].block_means[0]


def _test_share(losses):
    """Return the correlation of two splits, n_test/(n_train + n_test)."""
    if losses.n_train is not None and losses.n_test is not None:
        n_test = losses.n_test[losses.design.full].sum()
        return float(n_test / (n_test + losses.n_train[losses.design.full].sum()))
    return 1 / losses.design.n_splits
