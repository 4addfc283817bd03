"""What the models of a comparison are called, and what its frame adds about them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class ModelLabels:
    """What the models of a comparison are called, and what its frame adds about them.

    Attributes
    ----------
    labels : sequence
        What a user calls each model, by its position: its name, or the row of a search.
    noun : str
        What one of them is called, such as "model" or "candidate".
    remarks : tuple of str
        Sentences on models that are not compared.
    mean_scores : ndarray of shape (n_models,) or None
        For the columns "mean_first" and "mean_second" of a frame.
    params : list of dict or None
        Parameters of each model, for the columns "param_<name>" of a frame of pairs
        with a reference.
    """

    labels: Sequence
    noun: str
    remarks: tuple = ()
    mean_scores: np.ndarray | None = None
    params: list | None = None

    def columns_of_test(self, name, table):
        """Return the columns of a frame of pairs: the PairTable of one test."""
        columns = self._columns_of_pairs(table)
        columns["test"] = [name] * len(table)
        for column, values in table.to_columns().items():
            columns.setdefault(column, values)
        columns["significant"] = table.significant
        columns["detectable_difference"] = table.detectable_difference()
        columns["better"] = self._better_of_pairs(table)
        return columns

    def _columns_of_pairs(self, table):
        """Return the columns that say who is compared."""
        columns = {
            "first": self._labels_at(table.first),
            "second": self._labels_at(table.second),
        }
        if self.mean_scores is not None:
            columns["mean_first"] = self.mean_scores[table.first]
            columns["mean_second"] = self.mean_scores[table.second]
        return columns

    def _better_of_pairs(self, table):
        """Return the label of the better model of each pair, None where there is none.

        A list.
        """
        labels = self._labels_at(table.winner)
        is_decided = (table.winner >= 0).tolist()
        return [
            label if decided else None
            for label, decided in zip(labels, is_decided, strict=True)
        ]

    def columns_of_params(self, positions):
        """Return a column of a frame for each parameter of the models at positions.

        nan where a model has no such parameter; no columns if models have none.
        """
        if self.params is None:
            return {}
        params = [self.params[position] for position in positions]
        names = dict.fromkeys(name for model_params in params for name in model_params)
        return {
            f"param_{name}": [model_params.get(name, np.nan) for model_params in params]
            for name in names
        }

    def _labels_at(self, positions):
        return [self.labels[position] for position in positions.tolist()]
