"""What the pages show of the measured tables: docs/data/shown/*.csv and quoted.json.

Run: python benchmarks/tables.py           writes them, in a second or two
     python benchmarks/tables.py --check   exit status 1 if one is not current

Rates are in percent. Sizes that are significantly above 6%, and other rates that should
not be so, are bold. Pages show the tables by the directive csv-table, and a number of
quoted.json where its name is written (quoted.toml says what each is).
"""

import argparse
import csv
import functools
import io
import json
import math
import statistics
import sys

from harness import DATA, grouped, is_over, mean, read
from quoted import quoted

ROOT = DATA.parents[1]
FOLDER = DATA / "shown"
TAILS_IN_GROUPS = {  # of few_real_groups.csv
    *("pharmacy visits by commune", "home runs by player", "diamonds by quality"),
}
DOT = "\u00a0·\u00a0"  # which no line breaks at
KINDS = (  # of series, as in benchmarks/series.py
    *("independent", "autoregressive 0.3", "autoregressive 0.6", "autoregressive 0.9"),
    *("average of 4", "autoregressive 0.9 and noise", "shifted test sets"),
)


def span(values, digits=0):
    low, high = (f"{value:.{digits}f}" for value in (min(values), max(values)))
    return low if low == high else f"{low}\u2060–\u2060{high}"  # not broken


def percents(rows, column):
    return [percent(row, column) for row in rows]


def percent(row, column):
    return 100 * float(row[column])


def bold(text):
    return f"**{text}**"


def rate(value, digits=0, is_high=False):
    text = f"{value:.{digits}f}"
    return bold(text) if is_high else text


def linked(test):
    role = "class" if "(" in test else "func"
    return f":{role}:`{test} <sklearn_cvtest.{test.partition('(')[0]}>`"


# Tables -----------------------------------------------------------------------


def study(rows):
    """Return rows of the table: means over all cells, by fits."""
    cells = grouped(rows, "fits", "design", "test")
    for (fits, design, test), ours in sorted(
        cells.items(), key=lambda item: (int(item[0][0]), *item[0][1:])
    ):
        over = 100 * sum(map(is_over, ours)) / len(ours)
        differ = all(row["seeds_differ_2sd"] for row in ours)
        yield [
            linked(test),
            design,
            fits,
            rate(mean(ours, "size"), 1, mean(ours, "size") > 5),
            rate(over, 0, over > 5),
            rate(mean(ours, "power_2sd")),
            rate(mean(ours, "power_3sd")),
            rate(mean(ours, "seeds_differ_2sd")) if differ else "",
        ]


def heavy_tails(rows):
    """Return rows of the sizes by each loss, in cells with heavy tails and others."""
    for half, ours in sorted(grouped(rows, "half").items()):
        cells = [*half]
        for of_tails in (True, False):
            some = [row for row in ours if (float(row["tail"]) > 0.31) == of_tails]
            cells.append(str(len(some)))
            for loss in ("squared", "absolute", "huber", "clipped")[
                : 4 if of_tails else 2
            ]:
                size = mean(some, loss)
                cells.append(rate(size, 1, size > 6))
        yield cells


GROSS = 60  # excess kurtosis of a target with gross outliers


def squared_errors(rows):
    """Return rows of sizes and powers by loss, half and number of examples."""
    usual = [row for row in rows if float(row["kurtosis"]) < GROSS]
    usual.sort(key=lambda row: (row["loss"] == "absolute", row["half"], int(row["n"])))
    for key, ours in grouped(usual, "loss", "half", "n").items():
        silent = [row for row in ours if float(row["told"]) < 0.5]
        sizes = [mean(some, "size") for some in grouped(ours, "population").values()]
        error = statistics.stdev(sizes) / math.sqrt(len(sizes))
        yield [
            *key,
            str(len(ours)),
            f"{mean(ours, 'size'):.1f} ± {error:.1f}",
            rate(max(percents(ours, "size")), 1),
            str(sum(map(is_over, ours))),
            f"{sum(map(is_over, silent))} of {len(silent)}",
            rate(mean(ours, "power_2sd")),
            rate(mean(ours, "power_3sd")),
            rate(mean(ours, "warned")),
        ]


def tail_laws(rows):
    """Return rows of the laws of a mean: sizes on both halves, power."""
    for (law,), ours in grouped(rows, "law").items():
        usual = [row for row in ours if float(row["kurtosis"]) < GROSS]
        gross = [row for row in ours if float(row["kurtosis"]) >= GROSS]
        cells = [law]
        for of_half in grouped(usual, "half").values():
            size, over = mean(of_half, "size"), sum(int(r["over"]) for r in of_half)
            n_cells = sum(int(row["cells"]) for row in of_half)
            cells += [rate(size, 1, size > 5), f"{over} of {n_cells}"]
        yield [
            *cells,
            rate(mean(gross, "size"), 1, mean(gross, "size") > 5),
            rate(mean(usual, "power_2sd"), 1),
            rate(mean(usual, "power_3sd"), 1),
        ]


LEARNERS = {
    "tree": "tree",
    "tree20": "pruned tree",
    "nb": "naive Bayes",
    "logistic": "logistic regression",
    "ols": "least squares",
    "ridge1": "ridge regression",
    "lda": "linear discriminant analysis",
    "forest": "random forest",
    "5nn": "nearest neighbours",
}


def rho_of_learners(rows):
    """Return a row of ρ for each learner: over the cases that it is in."""
    rows = [row for row in rows if row["design"] == "2 x 5-fold"]
    rows = [row for row in rows if row["test"] == "IntegratedRhoTest()"]
    for key, name in LEARNERS.items():
        ours = [row for row in rows if key in (row["first"], row["second"])]
        rhos = sorted(float(row["rho"]) for row in ours)
        high = [row for row in ours if float(row["rho"]) > 0.5]
        yield [
            name,
            str(len(ours)),
            *(rate(rhos[int(q * (len(rhos) - 1))], 2) for q in (0.5, 0.9, 1)),
            rate(mean(ours, "size"), 1, mean(ours, "size") > 5),
            rate(mean(high, "size"), 1, is_high=True) if high else "",
        ]


def populations(rows, column):
    """Return rows of one rate of every test, a column for each population."""
    for (design, fits, test), ours in grouped(rows, "design", "fits", "test").items():
        cells = [
            rate(100 * float(row[column]), 1, is_over(row))
            if column == "size"
            else rate(100 * float(row[column]))
            for row in ours
        ]
        yield [linked(test), f"{design} ({fits})", *cells]


METRICS = {
    "roc_auc": "AUC",
    "average_precision": "average precision",
    "f1": "F1",
    "balanced_accuracy": "balanced accuracy",
    "matthews_corrcoef": "Matthews",
    "precision": "precision",
    "r2": "R²",
    "rmse": "RMSE",
}
SHOWN = "roc_auc", "average_precision", "f1", "r2"  # of metric_calibration.csv
FEWEST = {"average_precision": 15, "r2": 30}  # others: 10; of a class in a test set


def weighted(rows, column):
    weights = [int(row["samples"]) for row in rows]
    rates = [float(row[column]) * n for row, n in zip(rows, weights, strict=True)]
    return 100 * sum(rates) / sum(weights)


def metrics(rows):
    """Return rows of size and power of metrics: means over pairs of estimators."""
    rows = [row for row in rows if row["second"] and row["metric"] in SHOWN]
    cells = grouped(rows, "metric", "positives", "design", "test", "n")
    keys = dict.fromkeys(key[:4] for key in cells)
    for key in sorted(keys, key=lambda key: (SHOWN.index(key[0]), -float(key[1] or 1))):
        metric, positives, design, test = key
        share = f"{100 * float(positives):.0f}%" if positives else ""
        found = [cells.get((*key, n)) for n in ("100", "300", "1000")]
        rates = ["" if ours is None else metric_rate(ours) for ours in found]
        yield [METRICS[metric], share, design, linked(f"{test}()"), *rates]


def metric_rate(rows):
    size, *powers = (weighted(rows, c) for c in ("size", "power_2sd", "power_3sd"))
    text = f"{size:.1f} · {powers[0]:.0f} · {powers[1]:.0f}"
    fewest = FEWEST.get(rows[0]["metric"], 10)
    is_few = float(rows[0]["smallest_class"]) < fewest
    is_few = is_few and rows[0]["test"] == "IntegratedRhoTest"
    return f"({text})" if is_few else text


def thresholds(rows, of_classes):
    """Return rows of how often intervals hold a metric, by the size of test sets."""
    rows = [row for row in rows if ("positives" in row["target"]) == of_classes]
    for (metric, target), ours in grouped(rows, "metric", "target").items():
        rates = [rate(100 * float(row["by_example"])) for row in ours]
        yield [METRICS[metric], target, *rates]


def groups(rows):
    """Return rows of tests of groups: ranges over fitted populations."""
    rows = [
        row
        for row in rows
        if row["rows"] != "1" and not row["population"].startswith("normal")
    ]
    cells = grouped(rows, "design", "test")
    places = {design: place for place, (design, _) in reversed([*enumerate(cells)])}
    for design, test in sorted(cells, key=lambda cell: places[cell[0]]):
        ours = cells[design, test]
        used = [row for row in ours if row["groups_are"] == "in groups"]
        ignored = [row for row in ours if row["groups_are"] == "ignored"]
        unequal = [row for row in used if row["rows"] == "2 to 50"]
        alike = [row for row in used if row["rows"] != "2 to 50"]
        size = "size" if used[0]["size"] else "size_fitted"
        parts = (alike, size), (unequal, size), (ignored, size), (alike, "power_2sd")
        spans = [
            span(percents(some, name)) if some and some[0][name] else ""
            for some, name in parts
        ]
        yield [linked(test), design, *spans]


def few_groups(rows):
    """Return rows of the table: means over populations and pairs, tails apart."""
    rows = [row for row in rows if row["power_2sd"] and row["unequal"] == "no"]
    for (n_groups, design, test), ours in grouped(
        rows, "groups", "design", "test"
    ).items():
        tails = [row for row in ours if row["population"] in TAILS_IN_GROUPS]
        others = [row for row in ours if row["population"] not in TAILS_IN_GROUPS]
        planned = [row for row in others if row["planned_power"]]
        yield [
            linked(test) if "ρ" not in test else "the same, ρ as for rows",
            design,
            n_groups,
            *(rate(mean(some, "size"), 1) for some in (others, tails)),
            rate(mean(others, "power_2sd")),
            rate(mean(planned, "planned_power")) if planned else "",
        ]


def series(rows):
    """Return rows of the table: size and power of all tests of each kind of series."""
    for (kind, times), ours in grouped(rows, "series", "times").items():
        ours = sorted(ours, key=lambda row: row["test"] != ours[0]["test"])
        texts = [
            f"{mean([r], 'size'):.0f}{DOT}{mean([r], 'power_2sd'):.0f}" for r in ours
        ]
        cells = [
            bold(text) if is_over(row) else text
            for text, row in zip(texts, ours, strict=True)
        ]
        yield [kind, times, *cells]


HALVES = {"decide": "deciding", "verify": "verifying"}
FEWEST_DECISIONS = 200


def seed_stability(rows):
    """Return rows of how often other seeds decided the same, and what was said."""
    bins = sorted({(float(row["from"]), float(row["to"])) for row in rows})
    for (loss, half), ours in sorted(grouped(rows, "loss", "half").items()):
        found = {(float(row["from"]), float(row["to"])): row for row in ours}
        yield [loss, HALVES[half], *(_said(found.get(key)) for key in bins)]


def _said(row):
    if row is None or int(row["decisions"]) < FEWEST_DECISIONS:
        return ""
    was, said = 100 * float(row["was"]), 100 * float(row["said"])
    text = f"{was:.1f} ({said:.1f})"
    return bold(text) if abs(was - said) > 2 else text


def early_stops(rows):
    """Return rows of how often runs ended early, and with another decision."""
    for (loss, half), ours in sorted(grouped(rows, "loss", "half").items()):
        n = sum(int(row["samples"]) for row in ours)
        repeats = sum(float(row["repeats"]) * int(row["samples"]) for row in ours) / n
        early, changed = (
            100 * sum(int(row[name]) for row in ours) / n
            for name in ("early", "changed")
        )
        worst = max(100 * int(row["changed"]) / int(row["samples"]) for row in ours)
        rates = rate(early), rate(repeats, 1), rate(changed, 2)
        yield [loss, HALVES[half], str(n), *rates, rate(worst, 2)]


# Kinds of cells, each without what was a kind before.
FEW_HITS, MANY_NEAR, RARE = 10, 0.15, 0.12
MANY_FEATURES = {"optdigits-8", "spambase", "texture-4", "satimage-4"}


def kind_of(row):
    """Return the kind of a hard cell of predicted classes."""
    if float(row["hits"]) < FEW_HITS and row["metric"] != "accuracy":
        return "fewer than ten found in a run"
    if float(row["near"]) > MANY_NEAR:
        return "more than 15% near the threshold"
    if "bayes" in (row["first"], row["second"]):
        return "naive Bayes"
    if "5nn" in (row["first"], row["second"]) and row["population"] in MANY_FEATURES:
        return "nearest neighbours in 36 to 62 dimensions"
    if float(row["positives"]) < RARE:
        return "up to 12% of positives"
    return "others"


def hard_cells(rows):
    """Return rows by kind of cell: size, power, and whether there was a warning."""
    rows = [row | {"kind": kind_of(row)} for row in rows]
    rows = [row | {"what": label_or_rate(row["metric"])} for row in rows]
    for (kind, what), ours in sorted(grouped(rows, "kind", "what").items()):
        high = [row for row in ours if float(row["size"]) > 0.1]
        yield [kind, what, *told(ours, high, "power_2sd", "power_3sd")]


def label_or_rate(metric):
    return "error rate" if metric == "accuracy" else "other metrics"


def share_told(rows):
    """Return in what share of the false rejections there was a warning, in percent."""
    weights = [int(row["rejections"]) for row in rows]
    told = [float(row["warned_rejections"]) for row in rows]
    found = sum(n * share for n, share in zip(weights, told, strict=True))
    return 100 * found / max(sum(weights), 1)


def hard_kinds(rows):
    """Return rows by kind of cell: size, power, and whether there was a warning."""
    for (kind,), ours in sorted(grouped(rows, "kind").items()):
        over = list(filter(is_over, ours))
        yield [kind, *told(ours, over, "power_2sd_run", "power_3sd_run")]


def told(rows, high, *powers):
    """Return what is shown of a kind; `high` are its rows with too large a size."""
    size = mean(rows, "size")
    untold = [row for row in high if float(row["warned_rejections"]) < 0.5]
    return [
        str(len(rows)),
        rate(size, 1, size > 6),
        str(len(high)),
        str(len(untold)),
        *(rate(mean(rows, name)) for name in powers),
        rate(mean(rows, "warned")),
        rate(share_told(rows)),
    ]


# Of the page on trust ------------------------------------------------------------

SIGNS = {  # what brings a warning, and its column in the measured tables
    "HeavyTailedResidualsWarning, few errors": "few",
    "HeavyTailedResidualsWarning, skewness": "skewed",
    "HeavyTailedResidualsWarning, squared errors": "tails",
    "HighRhoWarning": "high_rho",
    "ThresholdWarning": "threshold",
    "DependentRowsWarning": "rows",
}


def signs(hard_cells):
    """Return rows of sizes where a warning of each kind came, hard cells and others.

    Metrics and error rates of predicted classes are in tables of their own; squared
    errors, too, of which those of gross outliers are hard.
    """
    hard = [row for row in hard_cells if not row["kind"].startswith("regular")]
    hard += read(DATA / "hard_classes.csv")
    ordinary = [row for row in hard_cells if row["kind"].startswith("regular")]
    ordinary += read(DATA / "regular_classes.csv")
    for row in read(DATA / "squared_errors.csv"):
        if row["loss"] == "squared":
            of = hard if float(row["kurtosis"]) >= 60 else ordinary
            of.append(row | {"tails": row["warned"]})
    for name, sign in SIGNS.items():
        yield [name, *of_sign(hard, sign), *of_sign(ordinary, sign)]


def of_sign(rows, sign):
    """Return how often it came, in how many populations, and the size where it did.

    The size of each cell is weighted by its samples with the warning, and the standard
    error is that of the ratio over populations, whose cells are not independent.
    """
    sums = {}  # of samples, those with the warning, and of their sizes
    for row in rows:
        if row.get(sign, "") != "":
            n = int(row["samples"])
            told = n * float(row[sign])
            of = sums.get(row["population"], (0, 0, 0))
            new = n, told, told * float(row["size"])
            sums[row["population"]] = [a + b for a, b in zip(of, new, strict=True)]
    n, told, sizes = (sum(column) for column in zip(*sums.values(), strict=True))
    having = [of for of in sums.values() if of[1]]
    if len(having) < 2:
        return "0" if not told else rate(100 * told / n, 1), str(len(having)), ""
    size = sizes / told
    squares = sum((of[2] - size * of[1]) ** 2 for of in having)
    error = math.sqrt(squares * len(having) / (len(having) - 1)) / told
    shown = f"{100 * size:.1f} ± {100 * error:.1f}"
    return rate(100 * told / n, 1), str(len(having)), shown


BANDS = ((-99, 0), (0, 0.3), (0.3, 0.5), (0.5, 0.6), (0.6, 1))
PUBLISHED = "sklearn_cvtest/simulation/published.json"
RESULTS = "examples/papers/results"


def tests_of(rows):
    """Size and power of each test on the eight populations; outliers apart."""
    for (design, test), ours in grouped(rows, "design", "test").items():
        usual = [row for row in ours if "outliers" not in row["population"]]
        rest = [row for row in ours if "outliers" in row["population"]]
        yield [
            linked(test),
            design,
            span(percents(usual, "size")),
            span(percents(rest, "size")),
            span(percents(usual, "power_2sd")),
        ]


def sizes_by_rho(rows):
    """Mean size of each test where ρ of the case lies in a band."""
    rows = sorted(rows, key=lambda row: int(row["fits"]))
    for (design, test), ours in grouped(rows, "design", "test").items():
        cells = []
        for low, high in BANDS:
            sizes = [
                percent(row, "size") for row in ours if low < float(row["rho"]) <= high
            ]
            cells.append(f"{sum(sizes) / len(sizes):.0f}")
        yield [linked(test), design, *cells]


WINNERS = {
    "naive": "mean of the best",
    "winner_interval": "`winner_interval`",
    "BBC": "BBC",
}


def winners(rows):
    """Bias and coverage by the number of candidates, all of which are equally good."""
    rows = [row for row in rows if row["truth"] == "ties" and row["method"] in WINNERS]
    rows.sort(key=lambda row: (int(row["k"]), [*WINNERS].index(row["method"])))
    source = " (bootstrap of splits, Tsamardinos and others 2018)"
    for (k, method), ours in grouped(rows, "k", "method").items():
        name = WINNERS[method]
        if method == "BBC":
            name, source = name + source, ""
        bias = [float(row["bias"]) for row in ours]
        covered = percents(ours, "coverage")
        ends = f"{min(bias):.2f} to {max(bias):.2f}".replace("-", "−")
        yield [name, f"{int(k):,}", ends, f"{min(covered):.0f}–{max(covered):.0f}%"]


def coverages(rows):
    """Coverage on ten folds, over the losses and scores measured, by sample size."""
    rows = [r for r in rows if r["test"] != "rho 0" and r["design"] == "10-fold"]
    for key, ours in grouped(rows, "population", "learner", "role").items():
        found = grouped(ours, "n")
        rates = [
            percents(found.get((n,), ()), "coverage") for n in ("100", "300", "1000")
        ]
        cells = [span(values) if values else "" for values in rates]
        yield [*key, *cells]


def behaviours(rows):
    """A row for each package: what it did in each situation."""
    for package in list(rows[0])[1:]:
        yield [package, *("" if row[package] == "-" else row[package] for row in rows)]


def practices(rows):
    for (splits, procedure, package), ours in grouped(
        rows, "splits", "procedure", "package"
    ).items():
        rates = [f"{percent(row, 'false_findings'):.0f}" for row in ours]
        where = "" if package == "this package" else f" {ours[0]['version']}"
        yield [procedure, splits, f"{package}{where}", *rates]


def agreements(rows):
    """Rows of what is the same number; others need not agree."""
    for row in rows:
        if row["right"]:
            continue
        most = "12 or more" if row["digits"] == "12" else row["digits"]
        yield [
            f"{row['package']} {row['version']}",
            f"`{row['theirs']}`",
            f"`{row['ours']}`",
            row["what"],
            row["numbers"],
            most,
        ]


def differing(rows):
    """Rows of one question to which two packages give another number."""
    for row in rows:
        if row["right"]:
            yield [
                f"{row['package']} {row['version']}",
                row["what"],
                *(row[key].replace("-", "−") for key in ("their_number", "our_number")),
                row["right"],
            ]


def missed(rows, situations):
    """A row for each package: how often its intervals miss, by situation."""
    for (package, version), ours in grouped(rows, "package", "version").items():
        rates = {row["situation"]: percent(row, "misses") for row in ours}
        cells = [f"{rates[one]:.1f}" if one in rates else "" for one in situations]
        if any(cells):
            of = package if package == "this package" else f"{package} {version}"
            yield [of, *cells]


def reproductions(root):
    """Published numbers beside ours: how many, and the largest difference."""
    published = json.loads((root / PUBLISHED).read_text(encoding="utf-8"))
    ours = grouped(read(root / RESULTS / "grandvalet2006_table2.csv"), "problem")
    labels = {
        "rho": ("rho", "ρ"),
        "type1_rho0": ("rho0", "type I error, ρ = 0"),
        "type1_rho07": ("rho07", "type I error, ρ = 0.7"),
    }
    for data in ("letter", "forest"):
        table = published["GB06-table2"][data]
        rows = {int(row["n"]): row for row in ours[data,]}
        for key, (column, label) in labels.items():
            yield _reproduced(
                f"Grandvalet & Bengio 2006, Table 2, {data}: {label}",
                table[key],
                [percent(rows[n], column) for n in table["n"]],
            )
    table = published["004-heatmap"]
    cells = {
        (int(float(row["k"])), int(float(row["r"]))): row
        for row in read(root / RESULTS / "subsampling_heatmap.csv")
        if row["problem"] == HEAT_MAP
    }
    for key in ("standard", "corrected"):
        values, found = [], []
        for r, line in zip(table["r"], table[key], strict=True):
            for k, value in zip(table["k"], line, strict=True):
                values.append(100 * value)
                found.append(percent(cells[k, r], key))
        yield _reproduced(f"heat map over K and R: {key} t test", values, found)


HEAT_MAP = "effects"


def _reproduced(what, published, ours):
    largest = max(abs(a - b) for a, b in zip(published, ours, strict=True))
    return [what, str(len(published)), span(published, 1), f"{largest:.1f}"]


# Files ----------------------------------------------------------------------------

POWERS = "power at 2", "power at 3"
TOLD = "size", "above {}%", "not told", *POWERS, "warned", "told"


def hard_header(*first, most):
    return *first, *(name.format(most) for name in TOLD)


def of_populations(column):
    def make(rows):
        names = dict.fromkeys(row["population"] for row in rows)
        return ["test", "splits (fits)", *names], populations(rows, column)

    return make


def of_stability(compared):
    def make(rows):
        bins = "up to 0.6", "0.6–0.7", "0.7–0.8", "0.8–0.9", "0.9–0.95", "0.95–0.99"
        header = "loss", "half", *bins, "0.99–0.999", "over 0.999"
        return header, seed_stability(
            [r for r in rows if r["compared with"] == compared]
        )

    return make


def of_behaviour(first, last):
    def make(rows):
        situations = rows[first:last]
        return ["package", *(r["situation"] for r in situations)], behaviours(
            situations
        )

    return make


def of_misses(first, last):
    def make(rows):
        shown = list(dict.fromkeys(row["situation"] for row in rows))[first:last]
        return ["package", *shown], missed(rows, shown)

    return make


def with_header(make, *header):
    return lambda rows: (header, make(rows))


def in_order(rows):
    return series(sorted(rows, key=lambda row: KINDS.index(row["series"])))


NUMBERS = {  # of examples in a test set
    True: [f"{n} positives" for n in (2, 3, 5, 7, 10, 15)],
    False: [f"{n} examples" for n in (10, 15, 20, 30, 50)],
}
TABLES = {  # name: the measured table, and what makes header and rows of it
    "study": ("study", with_header(
        study, "test", "splits", "fits", "size", "over 6%", *POWERS, "seeds differ",
    )),
    "rho_of_learners": ("study", with_header(
        rho_of_learners,
        *("learner", "cases", "median", "90%", "largest", "size", "size, ρ > 0.5"),
    )),
    "sizes_by_rho": ("study", with_header(
        sizes_by_rho,
        *("test", "splits", "ρ ≤ 0", "to 0.3", "to 0.5", "to 0.6", "above"),
    )),
    "tests": ("calibration", with_header(
        tests_of, "test", "splits", "size", "with outliers", "power",
    )),
    "populations_size": ("calibration", of_populations("size")),
    "populations_power_2": ("calibration", of_populations("power_2sd")),
    "populations_power_3": ("calibration", of_populations("power_3sd")),
    "heavy_tails": ("heavy_tails", with_header(
        heavy_tails,
        *("populations", "cells", "squared", "absolute", "Huber", "clipped"),
        *("other cells", "squared", "absolute"),
    )),
    "tail_laws": ("tail_laws", with_header(
        tail_laws,
        *("law", "size, deciding", "over 6%", "verifying", "over 6%"),
        *("gross outliers", *POWERS),
    )),
    "squared_errors": ("squared_errors", with_header(
        squared_errors,
        *("loss", "half", "n", "cells", "size", "largest", "over 6%"),
        *("of cells not warned", *POWERS, "warned"),
    )),
    "metrics": ("metric_calibration", with_header(
        metrics,
        *("metric", "positives", "splits", "test", "n = 100", "n = 300", "n = 1000"),
    )),
    "thresholds_of_classes": ("metric_thresholds", with_header(
        lambda rows: thresholds(rows, True), "metric", "target", *NUMBERS[True],
    )),
    "thresholds_of_numbers": ("metric_thresholds", with_header(
        lambda rows: thresholds(rows, False), "metric", "errors", *NUMBERS[False],
    )),
    "other_seeds": ("seed_stability", of_stability("another seed")),
    "many_repeats": ("seed_stability", of_stability("infinitely many repeats")),
    "early_stops": ("early_stops", with_header(
        early_stops, "loss", "half", "runs", "early", "repeats", "changed", "at most",
    )),
    "groups": ("calibration_groups", with_header(
        groups, "test", "splits", "size, alike", "unequal", "ignored", "power",
    )),
    "few_groups": ("few_real_groups", with_header(
        few_groups,
        *("test", "splits", "groups", "size", "size, tails", "power", "planned"),
    )),
    "series": ("calibration_series", with_header(
        in_order,
        *("differences", "times", "an array", "5 test sets", "20 test sets"),
        *("h = 1", "h = 4", "h = 4, Bartlett"),
    )),
    "hard_classes": ("hard_classes", with_header(
        hard_cells, *hard_header("cells", "what", "how many", most=10),
    )),
    "hard_cells": ("hard_cells", with_header(
        hard_kinds, *hard_header("cells", "how many", most=6),
    )),
    "signs": ("hard_cells", with_header(
        signs,
        *("warning", "hard: came in", "hard populations", "size there"),
        *("ordinary: came in", "ordinary populations", "size there, ordinary"),
    )),
    "coverage": ("interval_coverage", with_header(
        coverages, "population", "learner", "use", "n = 100", "n = 300", "n = 1000",
    )),
    "winner": ("winner", with_header(
        winners,
        *("of equally good candidates", "number", "bias, in standard errors"),
        "coverage of 95% intervals",
    )),
    "practices": ("practices", with_header(
        practices, "procedure", "splits", "package", "naive Bayes", "trees",
    )),
    "agreement": ("agreement", with_header(
        agreements, "package", "theirs", "here", "compared", "numbers", "digits",
    )),
    "differing": ("agreement", with_header(
        differing, "package", "what", "their number", "ours", "who is right",
    )),
    "behaviour": ("peer_behaviour", of_behaviour(0, 4)),
    "behaviour_of_rest": ("peer_behaviour", of_behaviour(4, 8)),
    "misses": ("peer_rates", of_misses(0, 3)),
    "misses_of_runs": ("peer_rates", of_misses(3, 6)),
    "reproductions": (None, with_header(
        lambda rows: reproductions(ROOT),
        *("published", "numbers", "range", "largest difference"),
    )),
}  # fmt: skip


def text_of(name):
    """Return the text of the file of a table."""
    source, make = TABLES[name]
    header, rows = make(read(DATA / f"{source}.csv") if source else None)
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([header, *rows])
    return file.getvalue()


def text_of_numbers():
    """Return the text of the file of numbers that pages and papers quote."""
    return json.dumps(quoted(), ensure_ascii=False, indent=0) + "\n"


FILES = {f"{name}.csv": functools.partial(text_of, name) for name in TABLES}
FILES["quoted.json"] = text_of_numbers  # the last: some are of the tables above


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    is_check, changed = parser.parse_args().check, []
    FOLDER.mkdir(exist_ok=True)
    for name, make in FILES.items():
        path, text = FOLDER / name, make()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            changed.append(name)
            if not is_check:
                path.write_text(text, encoding="utf-8")
    print(*changed or ["all are current"], sep="\n")
    sys.exit(is_check and bool(changed))


if __name__ == "__main__":
    main()
