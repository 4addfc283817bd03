"""VarianceTable: how runs and examples make a comparison uncertain, as a result."""

from dataclasses import dataclass

import numpy as np

from .._display._variance import draw_shares
from .._report._variance import variance_document
from .._validation import invalid
from ._result import Result


@dataclass(frozen=True, repr=False)
class VarianceTable(Result):
    """What makes the difference of each pair uncertain: runs, examples, or both.

    Made by :meth:`Comparison.variance_table`.

    Attributes
    ----------
    pairs : list of (str, str)
        The pairs.
    n_runs, n_units : int
        Numbers of runs and of examples (or groups).
    unit : str
        "examples" or "groups".
    components : ndarray of shape (n_pairs, 3)
        Variances of a residual: of runs, of examples, and of both.
    standard_error : ndarray of shape (n_pairs,)
        Of the mean difference, as the test has it.
    """

    pairs: list
    n_runs: int
    n_units: int
    unit: str
    components: np.ndarray
    standard_error: np.ndarray

    no_file = "save the comparison."

    @property
    def errors(self):
        """Standard errors that other numbers would give, dict of ndarray (n_pairs,).

        √(σ²_s/n_s + σ²_i/n_i + σ²_si/(n_s n_i)) with the estimated components: "now",
        with twice as many runs or examples, or with all that there could be.
        """
        more = {"now": (1, 1)}
        for name, factor in (("twice", 2), ("all", np.inf)):
            more |= {f"{name}_runs": (factor, 1), f"{name}_{self.unit}": (1, factor)}
        return {
            name: np.sqrt(self._parts(runs * self.n_runs, units * self.n_units).sum(1))
            for name, (runs, units) in more.items()
        }

    @property
    def shares(self):
        """Shares of the variance of the mean, of shape (n_pairs, 3); 0 without any."""
        parts = self._parts(self.n_runs, self.n_units)
        total = parts.sum(axis=1, keepdims=True)
        return parts / np.where(total > 0, total, 1)

    def _parts(self, n_runs, n_units):
        return self.components / np.array([n_runs, n_units, n_runs * n_units])

    def _document(self):
        return variance_document(self)

    def _columns(self):
        first, second = zip(*self.pairs, strict=True)
        names = "runs", self.unit, "both"
        columns = {"first": first, "second": second}
        for name, values in zip(names, self.components.T, strict=True):
            columns[f"variance_{name}"] = values
        for name, values in zip(names, self.shares.T, strict=True):
            columns[f"share_{name}"] = values
        errors = {f"error_{name}": values for name, values in self.errors.items()}
        del errors["error_now"]  # as good as that of the test, which is shown
        return columns | {"standard_error": self.standard_error} | errors

    def plot(self, ax=None):
        """Draw the shares of the variance of each mean difference.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib Axes
            With the picture.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        labels = [f"{first} - {second}" for first, second in self.pairs]
        return draw_shares(self.shares, labels, ("runs", self.unit, "both"), ax)


def variance_table(result):
    """Return the VarianceTable of a comparison of runs × examples."""
    tables = list(result.tables.values())
    if len(tables) > 1 or "sd_runs" not in tables[0].columns:
        raise invalid(
            "result",
            "a Comparison by CrossedTest, of several runs",
            ", ".join(table.test.traits.name for table in tables),
        )
    losses, (table,) = result.losses, tables
    parts = [table.columns[f"sd_{n}"] ** 2 for n in ("runs", "examples", "both")]
    return VarianceTable(
        result.pairs,
        losses.design.n_splits,
        losses.n_tested,
        "groups" if losses.n_groups else "examples",
        np.column_stack(parts),
        table.standard_error,
    )
