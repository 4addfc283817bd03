"""Draw the figures of both papers from committed results.

Run: python paper/figures.py [FOLDER]           writes a .png for each of FIGURES
"""

import csv
import json
import sys
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from scipy import optimize, stats

ROOT = Path(__file__).parent.parent
BLUE, ORANGE, GREY = "#2f6f9f", "#d1731f", "#555555"
STYLE = {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False}


def read(path):
    with (ROOT / path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def practices():
    """How often three equally good models are told apart."""
    rows = read("docs/data/practices.csv")
    learners = list(dict.fromkeys(row["learner"] for row in rows))
    figure, ax = plt.subplots(figsize=(6.4, 3.2))
    for place, (learner, colour) in enumerate(
        zip(learners, (BLUE, ORANGE), strict=True)
    ):
        ours = [row for row in rows if row["learner"] == learner]
        rates = [100 * float(row["false_findings"]) for row in ours]
        heights = np.arange(len(ours)) + 0.4 * place - 0.2
        ax.barh(heights, rates, 0.38, color=colour, label=learner)
        for height, rate in zip(heights, rates, strict=True):
            ax.text(rate + 0.8, height, f"{rate:.0f}", va="center", fontsize=8)
    ax.set_yticks(
        range(len(ours)), [f"{row['procedure']} ({row['splits']})" for row in ours]
    )
    ax.invert_yaxis()
    ax.axvline(5, color=GREY, lw=0.8, ls="--")
    ax.set_xlabel("samples with a false finding (%)")
    ax.legend(frameon=False, loc="lower right")
    return figure


def over(rows):
    """Return the share of cases with a size significantly above 6%."""
    sizes = np.array([float(row["size"]) for row in rows])
    samples = np.array([int(row["samples"]) for row in rows])
    return np.mean(sizes > 0.06 + 1.645 * np.sqrt(0.06 * 0.94 / samples))


def power():
    """Power of each test and design against its cost."""
    groups = {}
    for row in read("docs/data/study.csv"):
        groups.setdefault((row["test"], row["design"]), []).append(row)
    markers = dict(
        zip(dict.fromkeys(test for test, _ in groups), "os^Dv<>P", strict=False)
    )
    figure, ax = plt.subplots(figsize=(6.4, 3.4))
    for (test, _), rows in groups.items():
        fits = int(rows[0]["fits"])
        size = 100 * np.mean([float(row["size"]) for row in rows])
        found = 100 * np.mean([float(row["power_2sd"]) for row in rows])
        colour = BLUE if test.startswith("Integrated") else ORANGE
        face = "white" if over(rows) >= 0.065 else colour
        ax.plot(fits, found, markers[test], color=colour, mfc=face, label=test)
        ax.annotate(
            f"{size:.1f}", (fits, found), (4, 3), textcoords="offset points", fontsize=7
        )
    handles, labels = ax.get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    ax.legend(
        unique.values(), unique, frameon=False, fontsize=7, bbox_to_anchor=(1, 0.5),
        loc="center left",
    )  # fmt: skip
    ax.set_xscale("log")
    ax.set_xticks([5, 10, 15, 30, 60, 100], ["5", "10", "15", "30", "60", "100"])
    ax.minorticks_off()
    ax.set(xlabel="fits of each estimator", ylabel="power (%)", ylim=(0, None))
    return figure


def columns(rows, *names):
    return (np.array([float(row[name]) for row in rows]) for name in names)


def scatter(ax, x, y, is_filled):
    """Draw a point for each cell, filled or open."""
    for filled, face in ((True, BLUE), (False, "white")):
        shown = is_filled == filled
        ax.plot(x[shown], y[shown], "o", ms=3, mew=0.6, color=BLUE, mfc=face)
    ax.axhline(5, color=GREY, lw=0.8, ls="--")


def normal_size(rho, longest=0.75):
    """Return the size in percent of the integrated test on one run, by ρ."""
    grid = longest * (np.arange(200) + 0.5) / 200

    def pvalue(z):
        return np.mean(2 * stats.norm.sf(z * np.sqrt(1 - grid)))

    critical = optimize.brentq(lambda z: pvalue(z) - 0.05, 1, 5)
    return 200 * stats.norm.sf(critical * np.sqrt(1 - rho))


def rho():
    """How large ρ is, and what follows for the size."""
    rows = [
        row
        for row in read("docs/data/study.csv")
        if (row["test"], row["design"]) == ("IntegratedRhoTest()", "10-fold")
    ]
    rhos, sizes = columns(rows, "rho", "size")
    figure, (left, right) = plt.subplots(1, 2, figsize=(7, 2.9), layout="constrained")
    left.hist(np.maximum(rhos, -0.55), np.arange(-0.6, 0.85, 0.05), color=BLUE)
    left.set(xlabel="ρ", ylabel="cases")
    verified = np.array([row["half"] == "verify" for row in rows])
    scatter(right, np.maximum(rhos, -0.55), 100 * sizes, verified)
    line = np.linspace(-0.55, 0.8, 50)
    right.plot(line, normal_size(line), color=ORANGE, lw=1)
    right.set(xlabel="ρ", ylabel="size (%)", ylim=(0, None))
    return figure


def limits():
    """Sizes with heavy tails, and with few examples predicted to be positive."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(7, 2.9), layout="constrained")
    rows = read("docs/data/heavy_tails.csv")
    tails, sizes = columns(rows, "tail", "squared")
    scatter(left, tails, 100 * sizes, np.array([r["half"] == "verify" for r in rows]))
    left.axvline(0.31, color=ORANGE, lw=1)
    left.set(xlabel="L-skewness of the errors", ylabel="size (%)")
    rows = [
        r for r in read("docs/data/predicted_classes.csv") if r["metric"] != "zero_one"
    ]
    hits, sizes = columns(rows, "hits", "size")
    verified = np.array([row["half"] == "verify" for row in rows])
    scatter(right, np.maximum(hits, 0.3), 100 * sizes, verified)
    right.axvline(10, color=ORANGE, lw=1)
    right.set_xscale("log")
    right.set_xticks([0.3, 1, 10, 100], ["≤ 0.3", "1", "10", "100"])
    right.set(xlabel="positives predicted as such", ylabel="size (%)")
    return figure


def coverage():
    """Coverage of intervals for one model against ρ."""
    rows = [
        row
        for row in read("docs/data/interval_coverage.csv")
        if (row["role"], row["design"]) == ("untouched", "10-fold") and row["rho"]
    ]
    figure, ax = plt.subplots(figsize=(5.2, 2.9))
    kinds = {
        "IntegratedRhoTest": (BLUE, BLUE, "with the range of ρ"),
        "rho 0": (ORANGE, "white", "as if folds were independent"),
    }
    for test, (colour, face, label) in kinds.items():
        rhos, covered = columns(
            [r for r in rows if r["test"] == test], "rho", "coverage"
        )
        ax.plot(np.maximum(rhos, -0.5), 100 * covered, "o", ms=4, mew=0.8, color=colour,
                mfc=face, label=label)  # fmt: skip
    ax.axhline(95, color=GREY, lw=0.8, ls="--")
    ax.set(xlabel="ρ", ylabel="coverage (%)")
    ax.legend(frameon=False, fontsize=8, loc="lower left")
    return figure


def table2():
    """Published and reproduced type I errors."""
    published = json.loads(
        (ROOT / "sklearn_cvtest/simulation/published.json").read_text("utf-8")
    )["GB06-table2"]
    rows = read("examples/papers/results/grandvalet2006_table2.csv")
    figure, ax = plt.subplots(figsize=(5.6, 2.8))
    for data, colour in (("letter", BLUE), ("forest", ORANGE)):
        ours = [row for row in rows if row["problem"] == data]
        for key, column in (("type1_rho0", "rho0"), ("type1_rho07", "rho07")):
            ax.plot(published[data]["n"], published[data][key], color=colour, lw=1)
            rates = [100 * float(row[column]) for row in ours]
            label = data if column == "rho0" else None
            ax.plot([int(row["n"]) for row in ours], rates, "o", color=colour, ms=4,
                    label=label)  # fmt: skip
    ax.axhline(5, color=GREY, lw=0.8, ls="--")
    ax.set_xscale("log")
    sizes = published["letter"]["n"]
    ax.set_xticks(sizes, [str(n) for n in sizes])
    ax.minorticks_off()
    ax.set(xlabel="examples", ylabel="type I error (%)", ylim=(0, None))
    ax.legend(frameon=False)
    return figure


FIGURES = {
    draw.__name__: draw for draw in (practices, power, rho, limits, coverage, table2)
}


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    mpl.use("Agg")
    with mpl.rc_context(STYLE):
        for name, draw in FIGURES.items():
            figure = draw()
            figure.savefig(folder / f"{name}.png", dpi=300, bbox_inches="tight")
            plt.close(figure)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "figures")
