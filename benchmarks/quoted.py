"""The numbers that pages and papers quote, by name, made of the measured tables.

tables.py writes them to docs/data/shown/quoted.json. Where a page or the methods paper
has |name|, its build inserts the number. A new one is a word in quoted.toml.
"""

import functools
import re
import tomllib
from pathlib import Path

import numpy as np
from harness import DATA, grouped, is_over, mean, read
from scipy import stats

SECTIONS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
CONDITIONS = SECTIONS.pop("conditions")


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


@functools.cache
def table(name):
    """Return the rows of a measured table, with numbers and keys that are names."""
    rows = read(DATA / f"{name}.csv")
    names = {key: re.sub(r"\W", "_", key) for key in rows[0]} | {"from": "from_"}
    return [{names[key]: number(text) for key, text in row.items()} for row in rows]


def rows_of(name, which="True"):
    """Return the rows of a table for which an expression of its columns is true."""
    while found := re.search(r"{(\w+)}", which):
        which = which.replace(found[0], f"({CONDITIONS[found[1]]})")
    is_meant = compile(" ".join(which.split()), name, "eval")
    return [row for row in table(name) if eval(is_meant, {}, row)]


# What is quoted of rows -------------------------------------------------------------


def with_error(rows, digits):
    """Return a mean size and its standard error over populations."""
    average = mean(rows, "size")
    sums = [
        sum(100 * row["size"] - average for row in some)
        for some in grouped(rows, "population").values()
    ]
    n = len(sums)
    error = np.sqrt(np.sum(np.square(sums)) * n / (n - 1)) / len(rows)
    return f"{average:.{digits}f} ± {error:.{digits}f}"


def different(column):
    return lambda rows: len({row[column] for row in rows})


def weighted(column, *weights):
    def average(rows):
        weight = [np.prod([row[name] for name in weights]) for row in rows]
        return 100 * np.average([row[column] for row in rows], weights=weight)

    return average


def changed(rows):
    return 100 * sum(r["changed"] for r in rows) / sum(r["samples"] for r in rows)


def planned(rows):
    """Return in how many percent of the cells the power is 80%, as planned, or near."""
    return 100 * np.mean([abs(100 * row["planned_power"] - 80) <= 5 for row in rows])


STATISTICS = {  # of rows; others are means of a column, in percent
    "n": len,
    "populations": different("population"),
    "metrics": different("metric"),
    "n_over": lambda rows: sum(map(is_over, rows)),  # sizes significantly above 6%
    "over": lambda rows: 100 * sum(map(is_over, rows)) / len(rows),
    "power": lambda rows: mean(rows, "power_2sd"),
    "power3": lambda rows: mean(rows, "power_3sd"),
    "differ": lambda rows: mean(rows, "seeds_differ_2sd"),
    # Of the false rejections, or misses, those with a warning.
    "told": weighted("warned_rejections", "rejections"),
    "told_else": weighted("warned_else", "rejections"),
    "told_misses": weighted("told_misses", "misses"),
    "told_false": weighted("false_warned", "size"),
    "changed": changed,
    "planned": planned,
    "off": lambda rows: max(100 * abs(row["said"] - row["was"]) for row in rows),
    "high": lambda rows: max(100 * (row["said"] - row["was"]) for row in rows),
    "largest_size": lambda rows: max(100 * (1 - row["coverage"]) for row in rows),
}
ENDS = {"min": [min], "max": [max], "span": [min, max], "all": [min, max]}
NO_RATES = {"n", "samples", "bias", "rho", "above"}


def as_text(value, digits=0):
    return f"{value:,.{digits}f}".replace("-", "\N{MINUS SIGN}")


def quantity(name, rows, what, digits):
    """Return what is quoted of some rows of a table, as text."""
    if what == "error":
        return with_error(rows, digits)
    if what == "share":
        return as_text(100 * len(rows) / len(table(name)), digits)
    if what in STATISTICS:
        return as_text(STATISTICS[what](rows), digits)
    kind, _, column = what.partition("_")
    if kind not in ENDS:
        return as_text(mean(rows, what), digits)
    values = [row[column] * (1 if column in NO_RATES else 100) for row in rows]
    if kind == "all":
        return " and ".join(as_text(value, digits) for value in sorted(set(values)))
    ends = (as_text(end(values), digits) for end in ENDS[kind])
    return " to ".join(dict.fromkeys(ends))


def declared():
    """Yield the numbers of quoted.toml."""
    for name, lines in SECTIONS.items():
        for prefix, (what, which) in lines.items():
            rows = rows_of(name, which)
            for word, _, digits in (one.partition(".") for one in what.split()):
                text = quantity(name, rows, word, int(digits or 0))
                yield f"{prefix}_{word}", text


# What is made of more than some rows of a table ---------------------------------------


def of_study():
    tests = grouped(table("study"), "test", "design")
    yield "study_tests", str(len(tests))
    ours, ten, nadeau = (
        rows_of("study", f"{{{of}}}") for of in ("two", "ten", "nadeau")
    )
    for name, others in (("ten", ten), ("nadeau", nadeau)):
        pairs = zip(ours, others, strict=True)
        wins = [one["power_2sd"] > other["power_2sd"] for one, other in pairs]
        yield f"wins_{name}", as_text(100 * np.mean(wins))
    rhos = [row["rho"] for row in ours]
    for name, share in (("low", 0.25), ("median", 0.5), ("high", 0.75)):
        yield f"rho_{name}", as_text(np.quantile(rhos, share), 2)
    correlation = stats.spearmanr(rhos, [row["size"] for row in ten]).statistic
    yield "rho_rank_correlation", as_text(correlation, 2)


def of_stops():
    losses = "zero-one", "absolute error", "Brier score"
    of = (rows_of("early_stops", f"{{verify}} and loss == '{loss}'") for loss in losses)
    yield "stops_most", as_text(max(map(changed, of)), 1)


def of_squared_errors():
    rows = rows_of("squared_errors", "{usual} and {verify} and loss == 'squared'")
    sizes = [mean(some, "size") for some in grouped(rows, "population").values()]
    high = [size for size in sizes if size > 5.5]
    yield "skewed_failing", f"{len(high)} of {len(sizes)}"
    yield "skewed_failing_size", f"{min(high):.0f} to {max(high):.0f}"
    yield "laws", str(len({row["law"] for row in table("tail_laws")}))


def of_visible_rho():
    rows, found = table("hard_classes"), {"seen_rho": [], "rho": []}
    for low in (0.5, 0.6, 0.7, 0.8, 0.9):
        some = [
            r for r in rows if r["metric"] == "accuracy" and low < r["rho"] <= low + 0.1
        ]
        for name, average in (("seen_rho", np.median), ("rho", np.mean)):
            found[name].append(as_text(average([row[name] for row in some]), 2))
    for name, (*first, last) in found.items():
        yield f"visible_{name}", f"{', '.join(first)} and {last}"


def of_groups():
    which = "{default} and groups_are == 'ignored' and rows == 10 and icc > 0"
    rows = sorted(rows_of("calibration_groups", which), key=lambda row: row["size"])
    for name, row in (("least", rows[0]), ("most", rows[-1])):
        error = np.sqrt(row["size"] * (1 - row["size"]) / row["samples"])
        yield f"ignored_{name}", f"{100 * row['size']:.0f} ± {100 * error:.0f}"


def of_dependence():
    """Yield how often independent and dependent rows brought a warning."""

    def warned(part, which, column="warned"):
        rows = rows_of("hidden_dependence", f"part == {part!r} and {which}")
        return as_text(mean(rows, column), 0 if column == "rejected" else 1)

    yield "sorted_warned", warned("groups", "rows == 'independent, sorted'")
    rounded = "rows == 'independent, sorted, rounded'"
    yield "rounded_warned", warned("groups", rounded)
    nothing = "rows in ('independent, batches', 'independent, batches in order', "
    nothing += "'independent, sites', 'no effect')"
    yield "batches_warned", warned("groups", nothing)
    coded = "rows in ('numbers', 'numbers in order', 'words', 'index')"
    for n_groups in (12, 30):
        for icc in (0.3, 0.6):
            for what in ("numbers", "classes"):
                label = f"{n_groups} groups of {what}, icc {icc}"
                which = f"{coded} and population == {label!r}"
                name = f"groups_{n_groups}_{what}_{round(10 * icc)}"
                yield name, warned("groups", which).partition(".")[0]
    yield "copies_chance", warned("copies", "rows == 'independent'")
    for label in ("normal", "wine", "diabetes"):
        which = f"rows == '5% copied' and population == {label!r}"
        yield f"copies_{label}", warned("copies", which).partition(".")[0]
    yield "series_shuffled", warned("series", "'independent' in rows")
    yield "forecasts_independent", warned("forecasts", "'independent' in rows")
    ahead = "population == '2 models, average of 24' and n == 200"
    yield "forecasts_warned", warned("forecasts", ahead).partition(".")[0]
    yield "forecasts_size", warned("forecasts", ahead, "rejected")
    yield "forecasts_size_dm", warned("forecasts", ahead, "rejected_by_dm")


def of_intervals():
    def cell_of(row):
        return tuple(row[name] for name in ("population", "learner", "measure", "n"))

    cells = set(map(cell_of, rows_of("interval_coverage", "{untouched}")))
    naive = "role == 'untouched' and design == '10-fold' and test == 'rho 0'"
    rows = [r for r in rows_of("interval_coverage", naive) if cell_of(r) in cells]
    yield "coverage_naive", as_text(mean(rows, "coverage"), 1)


def of_other_packages():
    procedures = {
        "tukey": "ANOVA and Tukey's HSD",
        "ranks": "Friedman and Nemenyi",
        "bonferroni": "paired t, Bonferroni",
        "holm": "IntegratedRhoTest(), Holm",
        "autorank": "autorank()",
    }
    splits = {"bonferroni": "10-fold", "holm": "2 x 5-fold"}
    for name, procedure in procedures.items():
        asked = procedure, splits.get(name, "5 x 5-fold")
        for row in table("practices"):
            if (row["procedure"], row["splits"]) == asked:
                learner = row["learner"].rpartition(" ")[2].lower()
                yield f"{name}_{learner}", as_text(100 * row["false_findings"])
    rows = table("agreement")
    same = [row for row in rows if not row["right"]]
    yield "agreement_packages", str(len({row["package"] for row in rows}))
    yield "agreement_n", str(len(same))
    yield "agreement_exact", str(sum(row["digits"] == 12 for row in same))
    rows = table("shown/reproductions")
    errors = [row for row in rows if "type I error" in row["published"]]
    most = max(row["largest_difference"] for row in errors)
    yield "largest_difference", as_text(most, 1)


def of_races():
    for name, way in {
        "ours": "RacingSearchCV",
        "median": "Optuna, MedianPruner",
        "halving": "Optuna, SuccessiveHalvingPruner",
        "wilcoxon": "Optuna, WilcoxonPruner",
    }.items():
        which = f"population == 'all' and splits == 10 and way == '{way}'"
        (row,) = rows_of("racing", which)
        near = row["pick_within_half_a_s_e_"] * row["runs"]
        yield f"race_{name}_fits", as_text(100 * row["fits"])
        yield f"race_{name}_near", f"{near:.0f} of {row['runs']:.0f}"
        if name != "ours":  # which never drops it
            yield f"race_{name}_dropped", as_text(100 * row["best_dropped"])


def quoted():
    """Return {name: text} of all numbers."""
    found = [*declared()]
    for part in (
        *(of_study, of_stops, of_squared_errors, of_visible_rho, of_groups),
        of_dependence,
        *(of_intervals, of_other_packages, of_races),
    ):
        found += part()
    texts = dict(found)
    if len(texts) < len(found):
        raise ValueError("two numbers have one name")
    return texts
