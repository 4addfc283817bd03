"""VarianceTable: what makes a comparison uncertain, as a result."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._display._posterior import draw_bars
from .._report._differences import variance_document
from .._typing import Array, Axes
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
        Standard error of the mean difference, as in the test.
    """

    pairs: list
    n_runs: int
    n_units: int
    unit: str
    components: np.ndarray
    standard_error: np.ndarray

    @property
    def names(self):
        """What the components are of, tuple of str."""
        return "runs", self.unit, "both"

    @property
    def errors(self) -> dict[str, Array]:
        """Standard errors that other numbers would give, dict of ndarray (n_pairs,).

        In proportion to √(σ²_s/n_s + σ²_i/n_i + σ²_si/(n_s n_i)) with the estimated
        components: "now", which is the error of the test, with twice as many runs or
        examples, or with all that there could be.
        """
        more = {"now": (1, 1)}
        for name, factor in (("twice", 2), ("all", np.inf)):
            more |= {f"{name}_runs": (factor, 1), f"{name}_{self.unit}": (1, factor)}
        found = {
            name: np.sqrt(self._parts(runs * self.n_runs, units * self.n_units).sum(1))
            for name, (runs, units) in more.items()
        }
        # components below 0 are taken for 0, in the error of the test they are not
        now = np.where(found["now"] > 0, found["now"], 1.0)
        return {
            name: errors * self.standard_error / now for name, errors in found.items()
        }

    @property
    def shares(self):
        """Shares of the variance of the mean, as `components`; 0 without any."""
        parts = self._parts(self.n_runs, self.n_units)
        total = parts.sum(axis=1, keepdims=True)
        return parts / np.where(total > 0, total, 1)

    def _parts(self, n_runs, n_units):
        return self.components / np.array([n_runs, n_units, n_runs * n_units])

    def _document(self):
        return variance_document(self)

    def _columns(self):
        first, second = zip(*self.pairs, strict=True)
        columns = {"first": first, "second": second}
        for name, values in zip(self.names, self.components.T, strict=True):
            columns[f"variance_{name}"] = values
        for name, values in zip(self.names, self.shares.T, strict=True):
            columns[f"share_{name}"] = values
        errors = {f"error_{name}": values for name, values in self.errors.items()}
        del errors["error_now"]  # as good as the test's, which is shown
        return columns | {"standard_error": self.standard_error} | errors

    def plot(self, ax: Axes | None = None) -> Axes:
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
        what = "share of the variance of the mean difference"
        needed_by = "A plot of variances"
        return draw_bars(needed_by, self.shares, labels, self.names, what, ax)[0]


def variance_table(result):
    """Return the VarianceTable of a comparison of runs × examples."""
    losses, (table, *others) = result.losses, result.tables.values()
    if others or "sd_runs" not in table.columns:
        names = ", ".join(each.test.traits.name for each in result.tables.values())
        raise invalid("result", "a Comparison by CrossedTest, of several runs", names)
    parts = [table.columns[f"sd_{n}"] ** 2 for n in ("runs", "examples", "both")]
    return VarianceTable(
        list(result.tests),
        losses.design.n_splits,
        losses.n_tested,
        "groups" if losses.n_groups else "examples",
        np.column_stack(parts),
        table.standard_error,
    )
