"""Code shared by figures 3 and 4 of Bengio and Grandvalet (2003)."""

import matplotlib.pyplot as plt
from _papers import print_table
from sklearn.linear_model import LinearRegression

from sklearn_cvtest.simulation import GaussianLinearPopulation, covariance_curve

NAMES = ("sigma2", "omega", "gamma")
LABELS = ("σ²/n", "(m-1) ω/n", "(n-m) γ/n")
COLOURS = ("#56B4E9", "#E69F00", "#0072B2")
HATCHES = ("", "//", "..")


def simulate_curve(outliers, n_samples, n_splits, options):
    """Return a row per point of a curve."""
    curve = covariance_curve(
        LinearRegression(),
        GaussianLinearPopulation(outliers=outliers),
        n_samples=n_samples,
        n_splits=n_splits,
        loss="squared_error",
        **options,
    )
    rows = []
    for point, structure in enumerate(curve.structures):
        row = {
            "outliers": int(outliers),
            "n": int(curve.n_samples[point]),
            "K": int(curve.n_splits[point]),
            "samples": curve.n_replications,
        }
        for i, name in enumerate(NAMES):
            row[name] = float(curve.contributions[point, i])
            row[f"{name}_se"] = float(curve.standard_errors[point, i])
        rows.append({**row, "theta": structure.theta, "rho": structure.rho})
    return rows


def print_contributions(rows):
    headers = ["outliers", "n - m", "K", "samples", *LABELS, "sum", "γ's share"]
    cells = []
    for row in rows:
        shown = [f"{row[name]:.4f} ± {row[f'{name}_se']:.4f}" for name in NAMES]
        cells.append(
            [
                "yes" if row["outliers"] else "no",
                train_size(row),
                row["K"],
                row["samples"],
                *shown,
                f"{row['theta']:.4f}",
                f"{100 * share(row):.0f}%",
            ]
        )
    print_table(headers, cells)


def train_size(row):
    return row["n"] - row["n"] // row["K"]


def share(row):
    return row["gamma"] / row["theta"]


def draw(rows, value, label):
    """Draw the stacked contributions, without and with outliers."""
    _, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for outliers, ax in enumerate(axes):
        mine = [row for row in rows if row["outliers"] == outliers]
        positions = range(len(mine))
        bottom = [0.0] * len(mine)
        for name, text, colour, hatch in zip(
            NAMES, LABELS, COLOURS, HATCHES, strict=True
        ):
            heights = [row[name] for row in mine]
            ax.bar(
                positions,
                heights,
                0.8,
                bottom,
                color=colour,
                hatch=hatch,
                edgecolor="white",
                label=text,
            )
            bottom = [a + max(b, 0) for a, b in zip(bottom, heights, strict=True)]
        ax.set_xticks(positions, [value(row) for row in mine], rotation=45)
        ax.set(xlabel=label, title="outliers" if outliers else "no outliers")
    axes[0].set_ylabel("contribution to the variance of the mean loss")
    axes[0].legend()
    plt.show()
