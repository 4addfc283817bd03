"""Numbers that pages and papers quote, computed from the committed results."""

import csv
import functools
import itertools
import json
from pathlib import Path

import numpy as np
from scipy import stats

ROOT = Path(__file__).parent.parent
CASE = "population", "n", "first", "second", "loss"
MAX_TAIL, MIN_HITS = 0.31, 10  # the package's, see test_quoted_numbers.py
EDGES = -99, 0, 0.3, 0.5, 0.6, 1  # bands of ρ
STUDY = {
    "default": ("IntegratedRhoTest()", "2 x 5-fold"),
    "six": ("IntegratedRhoTest()", "6 x 5-fold"),
    "three": ("IntegratedRhoTest()", "3 x 5-fold"),
    "twenty": ("IntegratedRhoTest()", "20 x 5-fold"),
    "five": ("IntegratedRhoTest()", "5-fold"),
    "ten": ("IntegratedRhoTest()", "10-fold"),
    "three_ten": ("IntegratedRhoTest()", "3 x 10-fold"),
    "conservative": ("KFoldTTest()", "10-fold"),
    "nadeau": ('KFoldTTest("nadeau-bengio")', "10-fold"),
    "repeated": ("CorrectedRepeatedKFoldTTest()", "2 x 5-fold"),
    "repeated_ten": ("CorrectedRepeatedKFoldTTest()", "3 x 10-fold"),
    "subsamples": ("CorrectedResampledTTest()", "15 subsamples of 10%"),
    "large_subsamples": ("CorrectedResampledTTest()", "15 subsamples of 20%"),
    "sharp": ("SharpTest()", "6 pairs of halves, 5-fold"),
    "reml": ('SharpTest("reml")', "6 pairs of halves, 5-fold"),
    "halves": ("PairedHalvesTTest()", "6 pairs of halves, 5-fold"),
}
TREES = {"tree", "tree20", "forest"}
# Of wages, test scores and prices, and two made of normal errors.
REGULAR = {
    *("lwage-panel", "star-math", "vocabulary", "males-wage", "food-share", "friedman"),
    *("linear", "nox", "computers", "retschool", "work-hours", "slid-wages"),
    *("language", "wage-76", "birth-weight", "age-of-answers", "hourly-earnings"),
}


def text_of(page):
    """Return a file in one line."""
    return " ".join((ROOT / page).read_text(encoding="utf-8").split())


@functools.cache
def rows_of(name):
    with (ROOT / "docs" / "data" / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def mean(rows, column):
    """Return the mean of a column in percent."""
    values = [np.nan if row[column] == "" else float(row[column]) for row in rows]
    return 100 * sum(values) / len(rows)


def with_error(rows, column="size", digits=1):
    """Return a mean rate in percent and its standard error over populations."""
    rates, sums = [100 * float(row[column]) for row in rows], {}
    average = np.mean(rates)
    for row, rate in zip(rows, rates, strict=True):
        name = row["population"]
        sums[name] = sums.get(name, 0) + rate - average
    n = len(sums)
    error = np.sqrt(np.sum(np.square([*sums.values()])) * n / (n - 1)) / len(rows)
    return f"{average:.{digits}f} ± {error:.{digits}f}%"


# The study --------------------------------------------------------------------------


@functools.cache
def by_test():
    rows = {}
    for row in rows_of("study.csv"):
        rows.setdefault((row["test"], row["design"]), []).append(row)
    return rows


def cases():
    """Return a row of each case, of the default test."""
    return by_test()[STUDY["default"]]


def is_over(row):
    error = (0.06 * 0.94 / int(row["samples"])) ** 0.5
    return float(row["size"]) > 0.06 + 1.645 * error


def study(rows):
    """Return the mean rates of a test in percent, as the directive study-rates does."""
    columns = {"size": "size", "power": "power_2sd", "power3": "power_3sd"}
    columns["differ"] = "seeds_differ_2sd"
    rates = {name: mean(rows, column) for name, column in columns.items()}
    large = [row for row in rows if float(row["rho"]) > EDGES[-2]]
    highest = max(100 * float(row["size"]) for row in rows)
    over = 100 * sum(map(is_over, rows)) / len(rows)
    return {**rates, "over": over, "large": mean(large, "size"), "most": highest}


def has_tree(row):
    return bool(TREES & {row["first"], row["second"]})


@functools.cache
def rates():
    """Return {name: rates} of the tests, and of the default in parts of the cases."""
    rates = {name: study(by_test()[key]) for name, key in STUDY.items()}
    parts = {
        "decide": lambda row: row["half"] == "decide",
        "verify": lambda row: row["half"] == "verify",
        "trees": has_tree,
        "others": lambda row: not has_tree(row),
    }
    for name in ("default", "ten", "nadeau"):
        rows = by_test()[STUDY[name]]
        for part, belongs in parts.items():
            rates[f"{name}_{part}"] = study([row for row in rows if belongs(row)])
    return rates


def wins(name, over):
    """Return in how many percent of the cases a test has more power than another."""
    pairs = zip(by_test()[STUDY[name]], by_test()[STUDY[over]], strict=True)
    gains = [
        float(one["power_2sd"]) > float(other["power_2sd"]) for one, other in pairs
    ]
    return 100 * np.mean(gains)


def of_cases():
    """Return what is said of the cases."""
    rhos = np.array([float(row["rho"]) for row in cases()])
    low, median, high = np.quantile(rhos, [0.25, 0.5, 0.75])
    sizes = [float(row["size"]) for row in by_test()[STUDY["ten"]]]
    return {
        "n": len(rhos),
        "tests": len(by_test()),
        "populations": len({row["population"] for row in cases()}),
        "alone": sum(not row["second"] for row in cases()),
        "bands": np.histogram(-rhos, np.negative(EDGES[::-1]))[0][::-1],
        "above_half": np.sum(rhos > 0.5),
        "quantiles": (low, median, high),
        "most": rhos.max(),
        "halves": [
            sum(row["half"] == half for row in cases()) for half in ("decide", "verify")
        ],
        "losses": [
            sum(row["loss"] == loss for row in cases())
            for loss in ("zero_one", "absolute_error", "squared_error")
        ],
        "rank_correlation": stats.spearmanr(rhos, sizes).statistic,
    }


# What else was measured -------------------------------------------------------------


def practices():
    """Return {(procedure, splits): false findings in percent of the two learners}."""
    found = {}
    for row in rows_of("practices.csv"):
        rate = f"{100 * float(row['false_findings']):.0f}%"
        found.setdefault((row["procedure"], row["splits"]), []).append(rate)
    return found


REJECTIONS = "rejections", "warned_rejections"
NAMES = "half", "population", "first", "second"


def of_tails(half, name="heavy_tails.csv", alarm="warned"):
    """Return what is said of a half of the populations with heavy tails."""
    rows = [
        {k: v if k in NAMES else float(v) for k, v in row.items()}
        for row in rows_of(name)
        if row["half"] == half
    ]
    heavy = [row for row in rows if row["tail"] > MAX_TAIL]
    light = [row for row in rows if row["tail"] <= MAX_TAIL]
    liberal = [row for row in rows if row["squared"] > 0.08]
    regular = [
        row for row in rows if row["population"] in REGULAR and row["squared"] <= 0.08
    ]
    told = sum(row["rejections"] * row["warned_rejections"] for row in liberal)
    return {
        "size": [mean(heavy, loss) for loss in ("absolute", "huber", "squared")],
        "light": mean(light, "squared"),
        "most": max(100 * row["squared"] for row in heavy),
        "told": 100 * told / sum(row["rejections"] for row in liberal),
        "alarms": mean(regular, alarm),
        "heavy": len(heavy),
        "cells": len(rows),
        "populations": len({row["population"] for row in rows}),
    }


def of_classes():
    """Return what is said of metrics of predicted classes."""
    rows = [
        {k: float(r[k]) for k in ("hits", "size", "warned", *REJECTIONS)}
        | {"of_digits": r["population"] == "optdigits-8"}
        for r in rows_of("predicted_classes.csv")
        if r["metric"] != "zero_one"
    ]
    few = [row for row in rows if row["hits"] < MIN_HITS]
    others = [row for row in rows if row["hits"] >= MIN_HITS]
    apart = [row for row in others if not row["of_digits"]]
    liberal = [row for row in rows if row["size"] > 0.08]
    told = [
        100
        * sum(r[REJECTIONS[0]] * r[REJECTIONS[1]] for r in of)
        / sum(r[REJECTIONS[0]] for r in of)
        for of in (liberal, [row for row in liberal if not row["of_digits"]])
    ]
    level = [row for row in rows if row["size"] <= 0.06]
    return {
        "sizes": [mean(of, "size") for of in (few, others, apart)],
        "most": max(100 * row["size"] for row in few),
        "cells": (len(few), len(others)),
        "told": told,
        "alarms": mean(level, "warned"),
    }


COVERED = -99, 0.1, 0.3, 0.45, 0.55  # bands of ρ of one model


def coverages(test):
    """Return coverages on ten folds by ρ, of populations that were not tuned on.

    The cells are those of the integrated test.
    """
    rows = [
        row
        for row in rows_of("interval_coverage.csv")
        if (row["role"], row["design"]) == ("untouched", "10-fold")
    ]
    integrated = {cell_of(row) for row in rows if row["test"] == "IntegratedRhoTest"}
    rows = [row for row in rows if row["test"] == test and cell_of(row) in integrated]
    bands = [
        [row for row in rows if low < float(row["rho"]) <= high]
        for low, high in itertools.pairwise(COVERED)
    ]
    return {
        "cells": len(rows),
        "mean": mean(rows, "coverage"),
        "bands": [mean(band, "coverage") for band in bands],
        "counts": [len(band) for band in bands],
    }


def cell_of(row):
    return tuple(row[name] for name in ("population", "learner", "measure", "n"))


def group_sizes(groups_are, populations):
    """Return the smallest and the largest size of the default test with groups."""
    sizes = [
        100 * float(row["size"])
        for row in rows_of("calibration_groups.csv")
        if row["groups_are"] == groups_are and row["population"] in populations
        if row["test"] == "IntegratedRhoTest()"
        if row["design"] in ("10-fold", "2 x 5-fold")
    ]
    return min(sizes), max(sizes)


def published_difference():
    """Return the largest difference from the published type I errors, in points."""
    table = json.loads(
        (ROOT / "sklearn_cvtest/simulation/published.json").read_text("utf-8")
    )["GB06-table2"]
    path = ROOT / "examples/papers/results/grandvalet2006_table2.csv"
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    ours = {(row["problem"], int(row["n"])): row for row in rows}
    return max(
        abs(rate - 100 * float(ours[data, n][column]))
        for data in ("letter", "forest")
        for key, column in (("type1_rho0", "rho0"), ("type1_rho07", "rho07"))
        for n, rate in zip(table[data]["n"], table[data][key], strict=True)
    )


def of_seeds(half, least):
    """Return the largest error of seed_stability_ above `least`, in points, by loss."""
    found = {}
    for row in rows_of("seed_stability.csv"):
        if row["half"] == half and float(row["from"]) >= least:
            error = 100 * abs(float(row["was"]) - float(row["said"]))
            found[row["loss"]] = max(error, found.get(row["loss"], 0))
    return found


def of_stops(half, with_zeros=False):
    """Return which percentage of decisions early stops changed, by loss."""
    found = {}
    for row in rows_of("early_stops.csv"):
        if row["half"] == half and row["loss"].endswith("p = 0") == with_zeros:
            n, changed = found.get(row["loss"], (0, 0))
            found[row["loss"]] = n + int(row["samples"]), changed + int(row["changed"])
    return {loss: 100 * changed / n for loss, (n, changed) in found.items()}


@functools.cache
def numbers():
    """Return all that the methods paper quotes, by name."""
    decide, verify = of_tails("decide"), of_tails("verify")
    found = practices()
    return rates() | {
        "cases": of_cases(),
        "wins": {name: wins("default", name) for name in ("ten", "nadeau")},
        "decide_tails": decide,
        "verify_tails": verify,
        "tails": {key: decide[key] + verify[key] for key in ("cells", "populations")},
        "classes": of_classes(),
        "ignored": group_sizes("ignored", ["lines"]),
        "lines": group_sizes("in groups", ["lines"]),
        "grouped": group_sizes("in groups", ["linear - tree", "tree"]),
        "covered": coverages("IntegratedRhoTest"),
        "naive": coverages("rho 0"),
        "tukey": found["ANOVA and Tukey's HSD", "5 x 5-fold"],
        "ranks": found["Friedman and Nemenyi", "5 x 5-fold"],
        "usual": found["paired t, Bonferroni", "10-fold"],
        "ours": found["IntegratedRhoTest(), Holm", "2 x 5-fold"],
        "published": published_difference(),
    }


# Groups -----------------------------------------------------------------------------


def has_tails(row):
    return row["population"].startswith(("diamonds", "pharmacy", "home runs"))


def coverage(is_pair, in_groups, tails=False):
    """Return number, mean, smallest and largest coverage of nested intervals."""
    values = [
        100 * float(row["coverage"])
        for row in rows_of("nested_coverage.csv")
        if (row["who"] == "difference", row["groups"] != "0", has_tails(row))
        == (is_pair, in_groups, tails)
    ]
    return len(values), np.mean(values), min(values), max(values)


def of_few_groups(n_groups, column="size", *, tails=False, is_pair=True, **equal):
    """Return the column of docs/data/few_real_groups.csv in percent, of some rows."""
    equal = {"unequal": "no", **equal}
    return [
        100 * float(row[column])
        for row in rows_of("few_real_groups.csv")
        if int(row["groups"]) in n_groups
        and (has_tails(row), row["power_2sd"] != "") == (tails, is_pair)
        and all(row[name] == value for name, value in equal.items())
    ]
