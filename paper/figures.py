"""Draw the figures of the paper from committed results.

Run: python paper/figures.py [FOLDER]           writes a .png for each of FIGURES
"""

import csv
import json
import sys
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

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


def table2():
    """Published and reproduced type I errors."""
    published = json.loads(
        (ROOT / "examples/papers/published.json").read_text("utf-8")
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


FIGURES = {draw.__name__: draw for draw in (practices, table2)}


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
