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


# Of the page on trust ------------------------------------------------------------


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


def ratios(rows):
    """Rows of what users wait for; tests take milliseconds, whichever it is."""
    for row in rows:
        if "np.var" not in row["ratio of"] and "check_threshold" not in row["ratio of"]:
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


def of_misses(first, last):
    def make(rows):
        shown = list(dict.fromkeys(row["situation"] for row in rows))[first:last]
        return ["package", *shown], missed(rows, shown)

    return make


def with_header(make, *header):
    return lambda rows: (header, make(rows))


def in_order(rows):
    return series(sorted(rows, key=lambda row: KINDS.index(row["series"])))


TABLES = {  # name: the measured table, and what makes header and rows of it
    "series": ("calibration_series", with_header(
        in_order,
        *("differences", "times", "an array", "5 test sets", "20 test sets"),
        *("h = 1", "h = 4", "h = 4, Bartlett"),
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
    return not text.strip("0123456789.,±%\u2060\u00a0–·•* −-")


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
