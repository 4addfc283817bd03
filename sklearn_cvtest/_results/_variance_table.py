"""VarianceTable: what makes a comparison uncertain, as a result."""

from dataclasses import dataclass, replace

import numpy as np

from .._display._variance import draw_shares
from .._inference._crossed import squares_of_residuals
from .._report._variance import variance_document
from .._typing import Any, Array, Axes, Self
from .._validation import invalid, invalid_words
from ._result import Result


@dataclass(frozen=True, repr=False)
class VarianceTable(Result):
    """What makes the difference of each pair uncertain: runs, examples, or both.

    Made by :meth:`Comparison.variance_table` or, with another part, of splits, by
    :meth:`of_splits`.

    Attributes
    ----------
    pairs : list of (str, str)
        The pairs.
    n_runs, n_units : int
        Numbers of runs and of examples (or groups).
    unit : str
        "examples" or "groups".
    components : ndarray of shape (n_pairs, 3) or (n_pairs, 4)
        Variances of a residual: of runs, of examples, of both, and of splits.
    standard_error : ndarray of shape (n_pairs,)
        Standard error of the mean difference, as in the test; with splits, on one of
        them.
    n_splits : int
        Number of splits.
    """

    pairs: list
    n_runs: int
    n_units: int
    unit: str
    components: np.ndarray
    standard_error: np.ndarray
    n_splits: int = 1

    no_file = "save the comparison."

    @classmethod
    def of_splits(cls, comparisons: Any) -> Self:
        """Return what runs, splits and examples each add to a difference.

        Parameters
        ----------
        comparisons : list of Comparison
            By :class:`CrossedTest`, of the same estimators, each on another split: as
            of :func:`compare_estimators` with `n_seeds`.

        Returns
        -------
        table : VarianceTable
            The variance of a difference on *one* split, with a part due to splits: the
            variance of the differences on them, less what runs and examples explain.
            Splits of one data set share examples, so that data sets would differ more.

        Raises
        ------
        TypeError, ValueError
            If there are not at least two comparisons of the same pairs by one
            CrossedTest.
        """
        parts = [_residuals_of(comparison) for comparison in _checked(comparisons)]
        found = [squares_of_residuals(*part) for part in parts]
        n_runs, n_units = np.mean([squares.shape for squares in found], axis=0)
        runs, units, both = (
            np.mean([getattr(squares, name) for squares in found], axis=0)
            for name in ("runs", "units", "both")
        )
        within = (runs + units - both) / (n_runs * n_units)
        between = np.var([squares.mean for squares in found], axis=0, ddof=1)
        components = (runs - both) / n_units, (units - both) / n_runs, both
        components = np.column_stack([*components, between - within])
        losses = comparisons[0].losses
        table = cls(
            list(comparisons[0].tests),
            round(n_runs),
            round(n_units),
            "groups" if losses.n_groups else "examples",
            np.maximum(components, 0),
            None,
            len(found),
        )
        return replace(table, standard_error=table.errors["now"])

    @property
    def names(self):
        """What the components are of, tuple of str."""
        names = "runs", self.unit, "both", "splits"
        return names[: self.components.shape[1]]

    @property
    def errors(self) -> dict[str, Array]:
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
        """Shares of the variance of the mean, as `components`; 0 without any."""
        parts = self._parts(self.n_runs, self.n_units)
        total = parts.sum(axis=1, keepdims=True)
        return parts / np.where(total > 0, total, 1)

    def _parts(self, n_runs, n_units):
        numbers = np.array([n_runs, n_units, n_runs * n_units, 1])
        return self.components / numbers[: self.components.shape[1]]

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
        return draw_shares(self.shares, labels, self.names, ax)


def variance_table(result):
    """Return the VarianceTable of a comparison of runs × examples."""
    losses, table = result.losses, _crossed_table("result", result)
    parts = [table.columns[f"sd_{n}"] ** 2 for n in ("runs", "examples", "both")]
    return VarianceTable(
        list(result.tests),
        losses.design.n_splits,
        losses.n_tested,
        "groups" if losses.n_groups else "examples",
        np.column_stack(parts),
        table.standard_error,
    )


def _crossed_table(parameter, result):
    """Return the PairTable of a comparison by one CrossedTest."""
    tables = list(result.tables.values())
    if len(tables) > 1 or "sd_runs" not in tables[0].columns:
        raise invalid(
            parameter,
            "a Comparison by CrossedTest, of several runs",
            ", ".join(table.test.traits.name for table in tables),
        )
    return tables[0]


def _checked(comparisons):
    """Return comparisons of the same pairs on several splits."""
    allowed = "a list of at least two comparisons of the same pairs"
    if not isinstance(comparisons, (list, tuple)):
        raise invalid("comparisons", allowed, comparisons, TypeError)
    for comparison in comparisons:
        try:
            _crossed_table("comparisons", comparison)
        except AttributeError:
            raise invalid("comparisons", allowed, comparison, TypeError) from None
    pairs = {tuple(comparison.tests) for comparison in comparisons}
    if len(comparisons) < 2 or len(pairs) > 1:
        shown = f"{len(comparisons)} of {len(pairs)} sets of pairs"
        raise invalid_words("comparisons", allowed, shown)
    return comparisons


def _residuals_of(comparison):
    """Return the residuals of all pairs, and what weighs the same."""
    table = _crossed_table("comparisons", comparison)
    pairs = np.column_stack([table.first, table.second])
    return comparison.losses.pair_residuals(pairs), table.test.traits.weighs
