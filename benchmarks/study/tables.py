"""Tables of RESULTS.md from results.csv.

Run: python tables.py --results results.csv > RESULTS.md
"""

import argparse

import numpy as np
import pandas as pd

CELL = ["population", "n", "first", "second", "loss"]
CORE = ["zo", "squared", "absolute"]
BINS, MASS = (
    [-99, -0.16, 0.07, 0.24, 0.38, 0.57, 99],
    [0.05, 0.20, 0.25, 0.25, 0.20, 0.05],
)


def load(path):
    r = pd.read_csv(path, keep_default_na=False, na_values=["nan"])
    for c in ("size", "p2", "p3", "dis0", "dis2", "dis3"):
        r[c] = r[c].astype(float) * 100
    r["light"] = (r["skew"].abs() <= 0.25) & (r["ndiff"] >= 10)
    r["over"] = 100.0 * (r["size"] > 6 + 164.5 * np.sqrt(0.06 * 0.94 / r["samples"]))
    r["core"] = r["loss"].isin(CORE)
    base = r[(r["design"] == "1x10") & (r["test"] == "integrated")].set_index(CELL)
    r = r.join(base[["p2", "p3"]].rename(columns=lambda c: "base" + c), on=CELL)
    r["g2"], r["g3"] = r["p2"] - r["basep2"], r["p3"] - r["basep3"]
    cells = r[r["core"] & r["light"]].drop_duplicates(CELL).copy()
    where = pd.cut(cells["rho_1x10"].astype(float), BINS, labels=False)
    cells["weight"] = np.array(MASS)[where] / where.map(where.value_counts()).to_numpy()
    return r.merge(cells[[*CELL, "weight"]], on=CELL, how="left")


def mark(rows):
    print("| " + " | ".join(map(str, rows)) + " |")


def show(g):
    return f"{g['size'].mean():.1f} · {g['p2'].mean():.0f} · {g['p3'].mean():.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", default="results.csv")
    arguments = parser.parse_args()
    r = load(arguments.results)
    unique = r.drop_duplicates(CELL)
    light = r[r["core"] & r["light"]]
    one = light.drop_duplicates(CELL)
    print("# Results of the study\n")
    print(
        f"{len(unique)} cells (set-up × learner or pair × loss), {len(unique[['population', 'n']].drop_duplicates())} set-ups (population × n) of "
        f"{unique['population'].nunique()} populations; {unique['samples'].min()}–{unique['samples'].max()} samples (median {unique['samples'].median():.0f}). "
        f"Core: 0/1, squared and absolute losses, |skewness of the mean| <= 0.25, at least 10 examples that differ: {len(one)} cells, "
        f"{(one['half'] == 'tune').sum()} to decide on, {(one['half'] == 'verify').sum()} to verify.\n"
    )
    rho = one[
        ["rho_1x10", "rho_2x5", "rho_3x5", "rho_6x5", "rho_20x5", "rho_inf"]
    ].astype(float)
    print("ρ (share of θ̂5 of the averaged residuals) in the core cells, quantiles:\n")
    mark(["", *rho.columns])
    mark(["---"] * 7)
    for q in (0.05, 0.25, 0.5, 0.75, 0.95):
        mark([f"{q:.0%}", *rho.quantile(q).round(2)])
    print(
        "\nsize · power at 2 · at 3 s.d. of the 10-fold mean; over: share of cells significantly above 6%; weighted: cells weighted to the quantiles of ρ -0.16, 0.07, 0.24, 0.38, 0.57; "
        "disagree: two seeds, at 0 / 2 / 3 s.d.\n"
    )
    mark(
        [
            "design",
            "test",
            "fits",
            "decide",
            "over",
            "verify",
            "over",
            "largest size",
            "weighted size",
            "weighted over",
            "disagree",
        ]
    )
    mark(["---"] * 11)
    for (fits, design, test), g in light.groupby(["fits", "design", "test"]):
        t, v = g[g["half"] == "tune"], g[g["half"] == "verify"]
        w = g["weight"] / g["weight"].sum()
        dis = (
            ""
            if g["dis2"].isna().all()
            else f"{g['dis0'].mean():.0f} / {g['dis2'].mean():.0f} / {g['dis3'].mean():.0f}"
        )
        mark(
            [
                design,
                test,
                fits,
                show(t),
                f"{t['over'].mean():.1f}",
                show(v),
                f"{v['over'].mean():.1f}",
                f"{g['size'].max():.1f}",
                f"{(w * g['size']).sum():.1f}",
                f"{(w * g['over']).sum():.1f}",
                dis,
            ]
        )
    print(
        "\nGain in power over the integrated test on one 10-fold (2 · 3 s.d.) and size, in pairs with a tree or forest, and without; decide | verify\n"
    )
    mark(
        [
            "design",
            "test",
            "fits",
            "tree: decide",
            "verify",
            "size",
            "none: decide",
            "verify",
            "size",
            "single tree",
            "single other",
        ]
    )
    mark(["---"] * 11)
    for (fits, design, test), g in light.groupby(["fits", "design", "test"]):
        row = [design, test, fits]
        for tree in (1, 0):
            p = g[(g["tree"] == tree) & (g["second"] != "")]
            for half in ("tune", "verify"):
                h = p[p["half"] == half]
                row.append(f"{h['g2'].mean():+.1f} · {h['g3'].mean():+.1f}")
            row.append(f"{p['size'].mean():.1f}")
        for tree in (1, 0):
            p = g[(g["tree"] == tree) & (g["second"] == "")]
            row.append(f"{p['g2'].mean():+.1f} · {p['g3'].mean():+.1f}")
        mark(row)
    print("\nOther cells: mean size (median) · power at 2 · at 3\n")
    groups = {
        "heavy, |a| .25–.6": (r["skew"].abs() > 0.25)
        & (r["skew"].abs() <= 0.6)
        & (r["loss"] != "zo"),
        "heavy, |a| > .6": (r["skew"].abs() > 0.6) & (r["loss"] != "zo"),
        "few errors (0/1, < 10 differ)": (r["loss"] == "zo") & (r["ndiff"] < 10),
        "light log, Brier": r["loss"].isin(["log", "brier"])
        & (r["skew"].abs() <= 0.25),
        "core, n <= 60": r["core"] & r["light"] & (r["n"] <= 60),
    }
    shown = [
        ("1x10", "integrated"),
        ("1x10", "integrated, no skewness"),
        ("2x5", "integrated"),
        ("2x5", "integrated, no skewness"),
        ("3x5", "integrated"),
        ("6x5", "integrated"),
        ("2x5", "corrected t"),
        ("3x10", "corrected t"),
        ("s10", "corrected t"),
        ("halves J=6", "sharp score"),
        ("halves J=6", "pair t"),
    ]
    mark(["design", "test", *groups])
    mark(["---"] * (2 + len(groups)))
    for design, test in shown:
        row = [design, test]
        for chosen in groups.values():
            g = r[chosen & (r["design"] == design) & (r["test"] == test)]
            row.append(
                f"{g['size'].mean():.1f} ({g['size'].median():.1f}) · {g['p2'].mean():.0f} · {g['p3'].mean():.0f} [{len(g)}]"
            )
        mark(row)
    print("\n## Cells (core): size · power at 2 · at 3\n")
    shown = [
        ("1x10", "integrated"),
        ("2x5", "integrated"),
        ("3x5", "integrated"),
        ("6x5", "integrated"),
        ("s10", "corrected t"),
        ("3x10", "corrected t"),
        ("halves J=6", "sharp score"),
    ]
    mark(
        [
            "cell",
            "half",
            "samples",
            "skewness",
            "ρ 1×10",
            "ρ 2×5",
            "ρ ∞",
            *(f"{d} {t}" for d, t in shown),
        ]
    )
    mark(["---"] * (7 + len(shown)))
    for key, g in light.groupby(CELL):
        head = g.iloc[0]
        row = [
            f"{key[0]}, n = {key[1]}, {key[2]}{' − ' + key[3] if key[3] else ''}, {key[4]}",
            head["half"],
            head["samples"],
        ]
        row += [
            f"{float(head[c]):.2f}" for c in ("skew", "rho_1x10", "rho_2x5", "rho_inf")
        ]
        for d, t in shown:
            row.append(show(g[(g["design"] == d) & (g["test"] == t)]))
        mark(row)


if __name__ == "__main__":
    main()
