"""The tables of the pages, made of the measured ones.

Rates are in percent. Sizes that are significantly above 6% are bold. quoted.py writes
each table into the page that has its name.
"""

import json

from harness import DATA, grouped, is_over, mean, read

ROOT = DATA.parents[1]
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


# Tables -----------------------------------------------------------------------


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


# Of the page on scores -----------------------------------------------------------


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


def designs_of_study(rows):
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


def rhos_of_study(rows):
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


def losses_of_study(rows):
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


def tests_of_study(rows):
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


def best_sets(rows):
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


def intervals_of_study(rows):
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


def rare_of_study(rows):
    """How often intervals of differences of error rates miss, by rarity."""
    names = ("least", "below", "least_count", "below_count")
    for (low, high, least, most), of_cell in grouped(rows, *names).items():
        rates = dict.fromkeys(("others", "naive Bayes, LDA"), "–")
        wrong = max(percent(row, "wrong") for row in of_cell)
        for row in of_cell:
            rates[row["of"]] = f"{percent(row, 'misses'):.1f} ({row['number']})"
        share = f"{float(low):.0%} to {float(high):.0%}"
        yield [share, f"{least} to {most}", *rates.values(), f"{wrong:.1f}"]


PUBLISHED = "sklearn_cvtest/simulation/published.json"
RESULTS = "examples/papers/results"


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
    for row in rows:
        most = "12 or more" if row["digits"] == "12" else row["digits"]
        yield [
            f"{row['package']} {row['version']}",
            f"`{row['theirs']}`",
            f"`{row['ours']}`",
            row["what"],
            row["numbers"],
            most,
        ]


def missed(rows):
    """Return a header, and how often intervals of each package miss, by situation."""
    situations = list(dict.fromkeys(row["situation"] for row in rows))
    lines = []
    for (package, version), ours in grouped(rows, "package", "version").items():
        rates = {row["situation"]: percent(row, "misses") for row in ours}
        cells = [f"{rates[one]:.1f}" if one in rates else "" for one in situations]
        of = package if package == "this package" else f"{package} {version}"
        lines.append([of, *cells])
    return ["package", *situations], lines


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


def ratios(rows):
    for row in rows:
        yield [row["ratio of"], row["median"]]


def seconds(rows):
    for row in rows:
        yield [row["compared and printed"], row["s"], row["peak MB"]]


def _reproduced(what, published, ours):
    largest = max(abs(a - b) for a, b in zip(published, ours, strict=True))
    return [what, str(len(published)), span(published, 1), f"{largest:.1f}"]


# Files ----------------------------------------------------------------------------


def of_behaviour(first, last):
    def make(rows):
        situations = rows[first:last]
        return ["package", *(r["situation"] for r in situations)], behaviours(
            situations
        )

    return make


def with_header(make, *header):
    return lambda rows: (header, make(rows))


def in_order(rows):
    return series(sorted(rows, key=lambda row: KINDS.index(row["series"])))


TABLES = {  # name: the measured table, and what makes header and rows of it
    "series": ("calibration_series", with_header(
        in_order,
        *("differences", "times", "an array", "5 test sets", "20 test sets"),
        *("h = 1", "h = 4"),
    )),
    "winner": ("winner", with_header(
        winners,
        *("of equally good candidates", "number", "bias, in standard errors"),
        "coverage of 95% intervals",
    )),
    "best_set": ("best_set", with_header(
        best_sets,
        *("models", "power (%)", "all equal: one left out (%)"),
        *("near ties: a best one left out (%)", "intervals hold (%): lowest · mean"),
        *("2 × 5-fold, all equal: one left out (%)", "intervals hold (%)"),
    )),
    "study_designs": ("study", with_header(
        designs_of_study,
        *("splits", "size, zero-one", "size, absolute error", "cells over 6%"),
        "power at 2 · 3",
    )),
    "study_losses": ("study", with_header(
        losses_of_study,
        *("loss, and how two means are compared", "population", "populations"),
        *("misses (%)", "cells over 6%", "difference misses (%)"),
        *("equal models (%)", "finds 1–2 · 2–4 (%)"),
    )),
    "study_rhos": ("study", with_header(
        rhos_of_study,
        *("ρ", "2 × 5-fold: size", "power", "10-fold: size", "power"),
    )),
    "study_tests": ("study_tests", with_header(
        tests_of_study,
        *("test", "splits", "fits", "size, zero-one", "size, absolute error"),
        "power at 2 · 3",
    )),
    "study_intervals": ("study_intervals", with_header(
        intervals_of_study,
        *("metric", "population", "60 rows", "100", "200", "400", "all"),
        *("samples × models", "no interval (%)"),
    )),
    "study_rare": ("study_warnings", with_header(
        rare_of_study,
        *("share of the rarer class", "its examples", "misses (%)"),
        *("with naive Bayes or LDA (%)", "wrong model (%)"),
    )),
    "paired": ("paired_proportions", with_header(
        paired, "Examples", "Discordant", "Difference", "t", "Bonett–Price",
    )),
    "runs_by_examples": ("crossed_calibration", with_header(
        runs_by_examples, "Test", "Lowest", "Highest",
    )),
    "practices": ("practices", with_header(
        practices, "procedure", "splits", "package", "naive Bayes", "trees",
    )),
    "agreement": ("agreement", with_header(
        agreements, "package", "theirs", "here", "compared", "numbers", "digits",
    )),
    "behaviour": ("peer_behaviour", of_behaviour(0, 4)),
    "behaviour_of_rest": ("peer_behaviour", of_behaviour(4, 8)),
    "misses": ("peer_rates", missed),
    "speed": ("speed_ratios", with_header(ratios, "time of", "ratio")),
    "many": ("speed_many", with_header(
        seconds, "compared and printed", "seconds", "peak MB",
    )),
    "reproductions": (None, with_header(
        lambda rows: reproductions(ROOT),
        *("published", "numbers", "range", "largest difference"),
    )),
}  # fmt: skip


def rows_of_table(name):
    """Return the header and the rows of a table, as texts."""
    source, make = TABLES[name]
    header, rows = make(read(DATA / f"{source}.csv") if source else None)
    return list(header), list(rows)


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
