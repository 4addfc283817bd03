"""The tables of the pages, made of the measured ones.

Rates are in percent. Sizes that are significantly above 6% are bold. quoted.py writes
each table into the page that has its name.
"""

import itertools
import json

from harness import DATA, grouped, is_over, mean, read

ROOT = DATA.parents[1]
PAPERS = ROOT / "examples" / "papers"
PUBLISHED = PAPERS / "published.json"
RESULTS = PAPERS / "results"
DOT = "\u00a0·\u00a0"  # which no line breaks at
TABLES = {}  # name: the measured table, the header, what makes rows


def table(source, header):
    """Declare the table of a page, which has the name of what makes its rows.

    The source is a table of docs/data.
    """

    def declare(make):
        TABLES[make.__name__] = source, header.split(" | "), make
        return make

    return declare


def span(values, digits=0):
    low, high = (f"{value:.{digits}f}" for value in (min(values), max(values)))
    return low if low == high else f"{low}\u2060–\u2060{high}"  # not broken


def percents(rows, column):
    return [percent(row, column) for row in rows]


def percent(row, column):
    return 100 * float(row[column])


def bold(text):
    return f"**{text}**"


# Tables -----------------------------------------------------------------------


@table(
    "calibration_series",
    "differences | times | an array | 5 test sets | 20 test sets | h = 1 | h = 4",
)
def series(rows):
    """Size and power of all tests of each kind of series."""
    kinds = list(grouped(rows, "series"))
    rows = sorted(rows, key=lambda row: kinds.index((row["series"],)))
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


# Of the page on scores -----------------------------------------------------------


@table("paired_proportions", "Examples | Discordant | Difference | t | Bonett–Price")
def paired(rows):
    """How often two intervals of few discordant examples miss the true difference."""
    for n, discordant, difference in DISCORDANT:
        (row,) = study_rows(rows, n=n, discordant=discordant, difference=difference)
        shares = f"{percent(row, 'discordant'):.0f}%"
        points = f"{percent(row, 'difference'):.0f} points"
        yield [n, shares, points, *(f"{percent(row, name):.1f}%" for name in PAIRED)]


PAIRED = ("t", "bonett_price")
DISCORDANT = (
    ("20", "0.12", "0.1"),
    ("50", "0.04", "0.02"),
    ("50", "0.12", "0.1"),
    ("100", "0.12", "0.1"),
    ("200", "0.12", "0.1"),
)


@table("crossed_calibration", "Test | Lowest | Highest")
def runs_by_examples(rows):
    """The lowest and the highest size of three tests of paired runs."""
    rows = study_rows(rows, pairing="paired")
    for column, name in RUNS_BY_EXAMPLES.items():
        rates = percents(rows, column)
        yield [name, f"{min(rates):.1f}%", f"{max(rates):.1f}%"]


RUNS_BY_EXAMPLES = {
    "crossed": "`CrossedTest`",
    "t_of_means": "t test of the means of runs",
    "t_of_all": "t test of all scores",
}


# Of the page on trust ------------------------------------------------------------


DEFAULT = {"half": "both", "rule": "1/3"}
DEFAULT_DESIGN = {"folds": "5", "runs": "2"}
LOSSES = {
    "zero_one": "zero-one, by difference",
    "absolute": "absolute error, by ratio",
    "squared": "squared error, by ratio",
    "zero_one, naive Bayes": "zero-one, naive Bayes",
}
SITUATIONS = (
    *("ordinary", "skewed target", "15 groups", "40 groups"),
    *("few differing examples", "rare class"),
)


def study_rows(rows, **values):
    """Return the rows of the study's table that have these values."""
    return [row for row in rows if values.items() <= row.items()]


def study_row(rows, **values):
    (row,) = study_rows(rows, **values)
    return row


def with_error(row, column, error):
    return f"{percent(row, column):.1f} ± {percent(row, error):.1f}"


def pooled(rows, column):
    """Return the mean of a rate over the cells of some rows, in percent."""
    n_cells = sum(int(row["cells"]) for row in rows)
    return sum(int(row["cells"]) * percent(row, column) for row in rows) / n_cells


def powers(rows):
    """Return the power at 2 and at 3 standard deviations of one 10-fold."""
    rates = [f"{pooled(rows, name):.0f}" for name in ("power_2sd", "power_3sd")]
    return DOT.join(rates)


@table(
    "study",
    "splits | size, zero-one | size, absolute error | cells over 6% | power at 2 · 3",
)
def study_designs(rows):
    """Size and power on ordinary populations, by splits."""
    ordinary = study_rows(rows, kind="ordinary", **DEFAULT)
    designs = grouped(ordinary, "folds", "runs")
    for folds, runs in sorted(designs, key=lambda one: (int(one[0]), int(one[1]))):
        of_design = designs[folds, runs]
        both = [study_row(of_design, loss=loss) for loss in ("zero_one", "absolute")]
        name = f"{folds}-fold" if runs == "1" else f"{runs} × {folds}-fold"
        if {"folds": folds, "runs": runs} == DEFAULT_DESIGN:
            name += ", the default"
        n_over = sum(int(row["over"]) for row in both)
        n_cells = sum(int(row["cells"]) for row in both)
        sizes = [with_error(row, "size", "error") for row in both]
        yield [name, *sizes, f"{n_over} of {n_cells}", powers(both)]


@table("study", "ρ | 2 × 5-fold: size | power | 10-fold: size | power")
def study_rhos(rows):
    """Size and power of the default at other values of ρ, and of a single 10-fold."""
    rows = study_rows(rows, kind="ordinary", half="both")
    for rule in RHOS:
        cells = []
        for folds, runs in (("5", "2"), ("10", "1")):
            of_design = study_rows(rows, rule=rule, folds=folds, runs=runs)
            both = [study_row(of_design, loss=loss) for loss in RHO_LOSSES]
            sizes = [f"{percent(row, 'size'):.1f}" for row in both]
            cells += [DOT.join(sizes), powers(both)]
        yield [RHOS[rule], *cells]


RHOS = {"1/4": "1/4", ".29": "0.29", "1/3": "1/3", ".375": "0.375", ".41": "0.41"}
RHO_LOSSES = ("zero_one", "absolute")


@table(
    "study",
    "loss, and how two means are compared | population | populations | "
    "misses (%) | cells over 6% | difference misses (%) | equal models (%) | "
    "finds 1–2 · 2–4 (%)",
)
def study_losses(rows):
    """How often the default misses the truth, by loss and kind of population."""
    rows = study_rows(rows, **DEFAULT, **DEFAULT_DESIGN)
    for kind in SITUATIONS:
        for loss, name in LOSSES.items():
            for row in study_rows(rows, kind=kind, loss=loss):
                yield [name, kind, row["populations"], *rates_of_loss(row)]


def rates_of_loss(row):
    """Return misses, cells over 6%, and more of losses that are compared by ratio."""
    if row["misses"] == "":  # compared by difference
        n_over = f"{row['over']} of {row['cells']}"
        return with_error(row, "size", "error"), n_over, "–", "–", "–"
    equal = "–"
    if row["mixed"] != "":
        equal = f"{percent(row, 'mixed'):.1f}"
    n_over = f"{row['misses_over']} of {row['cells']}"
    difference = f"{percent(row, 'size'):.1f}"
    rates = [f"{percent(row, name):.0f}" for name in ("found_1_2sd", "found_2_4sd")]
    misses = with_error(row, "misses", "misses_error")
    return misses, n_over, difference, equal, DOT.join(rates)


@table(
    "study_tests",
    "test | splits | fits | size, zero-one | size, absolute error | power at 2 · 3",
)
def study_tests(rows):
    """Size and power of tests, each of the splits that it is made for."""
    for (name, fits), both in grouped(rows, "test", "fits").items():
        sizes = [with_error(row, "size", "error") for row in both]
        power = powers(both) if both[0]["power_2sd"] else "–"
        yield [f"`{name}`", SPLITS_OF_TESTS[name], fits, *sizes, power]


SPLITS_OF_TESTS = {
    "KFoldZTest()": "2 × 5-fold, the default",
    "KFoldTTest(rho=0)": "10-fold",
    "KFoldTTest('nadeau-bengio')": "10-fold",
    "CorrectedRepeatedKFoldTTest()": "5 × 5-fold",
    "FiveByTwoTTest()": "5 × 2-fold",
    "FiveByTwoFTest()": "5 × 2-fold",
    "HoldoutTTest()": "one half as the test set",
}


@table(
    "best_set",
    "models | power (%) | all equal: one left out (%) | "
    "near ties: a best one left out (%) | intervals hold (%): lowest · mean | "
    "2 × 5-fold, all equal: one left out (%) | intervals hold (%)",
)
def best_set(rows):
    """What the best set finds, and how often it errs, by the number of models."""
    for (k,), of_k in grouped(rows, "k").items():
        law = [row for row in of_k if row["source"] == "law"]
        fits = [row for row in of_k if row["source"] == "fits"]
        power = [percent(row, "power") for row in law if row["behind"] == "3"]
        equal = [percent(row, "left_out") for row in law if row["behind"] == "0"]
        near = [percent(row, "left_out") for row in law if row["behind"] != "0"]
        at_once = [percent(row, "at_once") for row in law]
        mean = sum(at_once) / len(at_once)
        yield [
            k,
            " · ".join(f"{value:.0f}" for value in power),
            " · ".join(f"{value:.1f}" for value in equal),
            f"{max(near):.1f}",
            f"{min(at_once):.1f} · {mean:.1f}",
            f"{percent(fits[0], 'left_out'):.1f}",
            f"{min(percent(row, 'at_once') for row in fits):.1f}",
        ]


@table(
    "study_intervals",
    "metric | population | 60 rows | 100 | 200 | 400 | all | samples × models | "
    "no interval (%)",
)
def study_intervals(rows):
    """How often intervals of one model miss the truth, by metric and size."""
    rows = [row for row in rows if row["kind"] in POPULATIONS]
    for (metric, kind, learners), ours in grouped(rows, *BY_MODEL).items():
        population = POPULATIONS[kind]
        if learners == "naive Bayes":
            population += ", naive Bayes"
        by_size = {row["n"]: row for row in ours}
        cells = [misses_of_size(by_size, size) for size in (*MODEL_SIZES, "all")]
        pooled = by_size["all"]
        shares = [f"{percent(pooled, name):.0f}" for name in ("undefined",)]
        yield [metric, population, *cells, pooled["number"], *shares]


BY_MODEL = "metric", "kind", "learners"
MODEL_SIZES = "60", "100", "200", "400"
POPULATIONS = {
    "ordinary": "ordinary",
    "rare class": "rare class",
    "L-skewness 0 to 0.3": "target up to 0.3",
    "L-skewness 0.3 to 1": "target above 0.3",
}


def misses_of_size(by_size, size):
    """Return the rate of a size with its error; a dash if nothing was measured."""
    row = by_size.get(size)
    if row is None or row["misses"] == "":
        return "–"
    if row["error"] == "":
        return f"{percent(row, 'misses'):.1f}"
    return with_error(row, "misses", "error")


@table(
    "study_warnings",
    "share of the rarer class | its examples | misses (%) | "
    "with naive Bayes or LDA (%) | wrong model (%)",
)
def study_rare(rows):
    """How often intervals of differences of error rates miss, by rarity."""
    names = ("least", "below", "least_count", "below_count")
    for (low, high, least, most), of_cell in grouped(rows, *names).items():
        rates = dict.fromkeys(("others", "naive Bayes, LDA"), "–")
        wrong = max(percent(row, "wrong") for row in of_cell)
        for row in of_cell:
            rates[row["of"]] = f"{percent(row, 'misses'):.1f} ({row['number']})"
        share = f"{float(low):.0%} to {float(high):.0%}"
        yield [share, f"{least} to {most}", *rates.values(), f"{wrong:.1f}"]


WINNERS = {
    "naive": "mean of the best",
    "winner_interval": "`winner_interval`",
    "BBC": "BBC",
}


@table(
    "winner",
    "of equally good candidates | number | bias, in standard errors | "
    "coverage of 95% intervals",
)
def winner(rows):
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


@table("practices", "procedure | splits | package | naive Bayes | trees")
def practices(rows):
    for (splits, procedure, package), ours in grouped(
        rows, "splits", "procedure", "package"
    ).items():
        rates = [f"{percent(row, 'false_findings'):.0f}" for row in ours]
        where = "" if package == "this package" else f" {ours[0]['version']}"
        yield [procedure, splits, f"{package}{where}", *rates]


@table("agreement", "package | compared | numbers | digits")
def agreement(rows):
    """A row for each package, of the number that agrees least."""
    for (package, version), ours in grouped(rows, "package", "version").items():
        names = dict.fromkeys(f"`{row['theirs']}`" for row in ours)
        numbers = sum(int(row["numbers"]) for row in ours)
        digits = min(int(row["digits"]) for row in ours)
        least = "12 or more" if digits == 12 else str(digits)
        yield [f"{package} {version}", ", ".join(names), f"{numbers:,}", least]


MISSED = (
    "5 runs that are alike | 5 runs that differ | 12 groups of 5 examples"
    " | right or wrong, 12% discordant | right or wrong, 4% discordant"
)


@table("peer_rates", f"package | {MISSED}")
def misses(rows):
    """A row for each package: how often its intervals miss, by situation."""
    for (package, version), ours in grouped(rows, "package", "version").items():
        rates = {row["situation"]: f"{percent(row, 'misses'):.1f}" for row in ours}
        of = package if package == "this package" else f"{package} {version}"
        yield [of, *(rates.get(situation, "") for situation in MISSED.split(" | "))]


ONE_CLASS = {  # metric and classes: the values of ρ that are shown; * is the default
    "F1 equal": "0.33 0.60*",
    "F1 unequal": "0.33 0.50 0.60*",
    "recall equal": "0.33 0.60*",
    "recall unequal": "0.33 0.50 0.60*",
    "precision unequal": "0.33 0.60*",
    "balanced accuracy equal": "0.33*",
    "balanced accuracy unequal": "0.33 0.50*",
    "macro F1 unequal": "0.33 0.50*",
    "MCC equal": "0.33*",
    "MCC unequal": "0.33 0.50*",
    "accuracy unequal": "0.33*",
}


@table(
    "one_class",
    "metric | classes | ρ | interval of a difference misses | equal models differ"
    " | power | interval of one model misses",
)
def one_class(rows):
    """How often tests and intervals of predicted labels err, by ρ."""
    for name, rhos in ONE_CLASS.items():
        metric, _, classes = name.rpartition(" ")
        for rho in rhos.split():
            key = rho.rstrip("*")
            row = study_row(rows, metric=metric, classes=classes, rho=key)
            of = "1/3" if key == "0.33" else key.rstrip("0")
            of += ", default" if rho.endswith("*") else ""
            misses, equal, model = (
                f"{row[column]} ± {row[f'{column}_se']}"
                for column in ("interval", "equal", "model")
            )
            power = f"{float(row['power']):.0f}"
            yield [metric, classes, of, misses, equal, power, model]


DIFFERENCES = {
    "normal": "normal",
    "unequal": "normal, unequal scales",
    "heavy": "heavy tails (t, 2 df)",
    "tied": "rounded, many equal or 0",
    "skewed": "exponential",
    "scales, logs": "log ratios",
    "five models": "five models, any pair, Holm",
}


@table("datasets_calibration", "differences | 3 | 4 | 5 | 6 | 8 | 10 | 20 | 30 | 50")
def over_datasets(rows):
    """Sizes of the test that decides, by the number of data sets."""
    for kind, name in DIFFERENCES.items():
        ours = [r for r in study_rows(rows, kind=kind) if float(r["shift"]) == 0]
        yield [name, *(f"{percent(row, 'size'):.1f}" for row in ours)]


@table("grandvalet2006_table2", "published | numbers | range | largest difference")
def reproductions(rows):
    """Published numbers beside ours: how many, and the largest difference."""
    published = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    labels = {
        "rho": ("rho", "ρ"),
        "type1_rho0": ("rho0", "type I error, ρ = 0"),
        "type1_rho07": ("rho07", "type I error, ρ = 0.7"),
    }
    for data in ("letter", "forest"):
        theirs = published["GB06-table2"][data]
        ours = {int(row["n"]): row for row in rows if row["problem"] == data}
        for key, (column, label) in labels.items():
            what = f"Grandvalet & Bengio 2006, Table 2, {data}: {label}"
            found = [percent(ours[n], column) for n in theirs["n"]]
            yield reproduced(what, theirs[key], found)
    theirs = published["004-heatmap"]
    ours = {
        (int(float(row["k"])), int(float(row["r"]))): row
        for row in read(RESULTS / "subsampling_heatmap.csv")
        if row["problem"] == "effects"
    }
    for key in ("standard", "corrected"):
        what = f"heat map over K and R: {key} t test"
        places = itertools.product(theirs["r"], theirs["k"])
        found = [percent(ours[k, r], key) for r, k in places]
        values = [100 * value for line in theirs[key] for value in line]
        yield reproduced(what, values, found)


def reproduced(what, published, ours):
    largest = max(abs(a - b) for a, b in zip(published, ours, strict=True))
    return [what, str(len(published)), span(published, 1), f"{largest:.1f}"]


@table("speed_ratios", "time of | ratio")
def speed(rows):
    return [[row["ratio of"], row["median"]] for row in rows]


@table("speed_many", "compared and printed | seconds | peak MB")
def many(rows):
    return [[row["compared and printed"], row["s"], row["peak MB"]] for row in rows]


# Files ----------------------------------------------------------------------------


def rows_of_table(name):
    """Return the header and the rows of a table, as texts."""
    source, header, make = TABLES[name]
    paths = (folder / f"{source}.csv" for folder in (DATA, RESULTS))
    return header, list(make(read(next(path for path in paths if path.exists()))))


def is_number(text):
    return not text.replace(" of ", "").strip("0123456789.,±%\u2060\u00a0–·•* −-")


def as_markdown(name):
    """Return the lines of a table; columns of numbers are set to the right."""
    header, rows = rows_of_table(name)
    columns = list(zip(*rows, strict=True))
    sides = ["---:" if all(map(is_number, column)) else "---" for column in columns]
    sides[0] = "---"
    lines = [header, sides, *rows]
    return ["| " + " | ".join(map(as_cell, line)) + " |" for line in lines]


def as_cell(text):
    return " ".join(str(text).split(" ")).replace("|", "\\|")
