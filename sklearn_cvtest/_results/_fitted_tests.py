"""The fitted tests of a comparison, by pair."""

from collections.abc import Mapping
from itertools import islice

import numpy as np
from sklearn.base import clone

from .._validation import keep_warnings


class FittedTests(Mapping):
    """The fitted tests by pair, each fitted where it is asked for."""

    def __init__(self, losses, table, labels):
        self._losses = losses
        self._test = table.test
        self._labels = labels
        self._positions = {label: position for position, label in enumerate(labels)}
        self._first = table.first
        self._second = table.second
        self._fitted = {}

    def __iter__(self):
        pairs = zip(self._first.tolist(), self._second.tolist(), strict=True)
        return ((self._labels[first], self._labels[second]) for first, second in pairs)

    def __len__(self):
        return len(self._first)

    def __repr__(self):
        return f"<the fitted tests of {len(self)} pairs>"

    def _is_tested(self, first, second):
        return np.any((self._first == first) & (self._second == second))

    def __getitem__(self, pair):
        positions = -1, -1
        if isinstance(pair, tuple) and len(pair) == 2:
            positions = tuple(self._positions.get(label, -1) for label in pair)
        if self._is_tested(*positions[::-1]):
            raise KeyError(
                f"the pair is {pair[::-1]!r}, in this order: its difference is "
                f"loss({pair[1]!r}) - loss({pair[0]!r})"
            )
        if not self._is_tested(*positions):
            examples = ", ".join(map(repr, islice(self, 3)))
            raise KeyError(
                f"{pair!r} is none of the pairs compared, such as {examples}"
            )
        if pair not in self._fitted:
            residuals = self._losses.residuals(*positions)
            with keep_warnings():  # they came when the pairs were tested
                self._fitted[pair] = clone(self._test).fit(residuals)
        return self._fitted[pair]
