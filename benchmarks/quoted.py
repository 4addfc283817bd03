"""The numbers that pages and the paper quote, by name, made of the measured tables.

tables.py writes them to docs/data/shown/quoted.json. Where a page has |name|,
its build inserts the number. A new one is a word in quoted.toml.
"""

import functools
import re
import tomllib
from pathlib import Path

import numpy as np
from harness import DATA, mean, read

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


def weighted(column, *weights):
    def average(rows):
        weight = [np.prod([row[name] for name in weights]) for row in rows]
        return 100 * np.average([row[column] for row in rows], weights=weight)

    return average


STATISTICS = {  # of rows; others are means of a column, in percent
    "n": len,
    # Of the false rejections, those with a warning.
    "told_false": weighted("false_warned", "size"),
}
ENDS = {"min": [min], "max": [max], "span": [min, max]}
NO_RATES = {"n", "samples", "bias", "rho", "above"}


def as_text(value, digits=0):
    return f"{value:,.{digits}f}".replace("-", "\N{MINUS SIGN}")


def quantity(name, rows, what, digits):
    """Return what is quoted of some rows of a table, as text."""
    if what in STATISTICS:
        return as_text(STATISTICS[what](rows), digits)
    kind, _, column = what.partition("_")
    if kind not in ENDS:
        return as_text(mean(rows, what), digits)
    values = [row[column] * (1 if column in NO_RATES else 100) for row in rows]
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
    yield "forecasts_independent", warned("forecasts", "'independent' in rows")
    ahead = "population == '2 models, average of 24' and n == 200"
    yield "forecasts_warned", warned("forecasts", ahead).partition(".")[0]
    yield "forecasts_size", warned("forecasts", ahead, "rejected")
    yield "forecasts_size_dm", warned("forecasts", ahead, "rejected_by_dm")


def of_other_packages():
    procedures = {
        "tukey": "ANOVA and Tukey's HSD",
        "ranks": "Friedman and Nemenyi",
        "bonferroni": "paired t, Bonferroni",
        "holm": "KFoldZTest(), Holm",
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
        of_dependence,
        *(of_other_packages, of_races),
    ):
        found += part()
    texts = dict(found)
    if len(texts) < len(found):
        raise ValueError("two numbers have one name")
    return texts
