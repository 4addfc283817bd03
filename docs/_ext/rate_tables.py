"""Tables of measured sizes and powers, made from the committed CSV files.

Directives: study-rates and rho-of-learners (study.csv), population-rates
(calibration.csv), metric-rates (metric_calibration.csv), metric-thresholds
(metric_thresholds.csv), measured-group-rates (calibration_groups.csv),
few-group-rates (few_real_groups.csv), measured-series-rates (calibration_series.csv),
heavy-tail-rates (heavy_tails.csv),
tail-law-rates (tail_laws.csv), seed-stability
(seed_stability.csv), early-stops (early_stops.csv).
Rates are in percent; one of power has a bar behind it, and a size that is significantly
above 6% stands out. On a narrow screen each row becomes a block, and each rate carries
the name of its column (custom.css).
"""

import csv
import math
from dataclasses import dataclass
from html import escape

from sphinx.util.docutils import SphinxDirective

TAILS_IN_GROUPS = {  # of few_real_groups.csv
    *("pharmacy visits by commune", "home runs by player", "diamonds by quality"),
}
DOT = "\u00a0·\u00a0"  # which no line breaks at
KINDS = (  # of series, as in benchmarks/series.py
    *("independent", "autoregressive 0.3", "autoregressive 0.6", "autoregressive 0.9"),
    *("average of 4", "autoregressive 0.9 and noise", "shifted test sets"),
)


def read(path):
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def grouped(rows, *columns):
    """Return lists of rows by the values of columns, in the order of the file."""
    cells = {}
    for row in rows:
        cells.setdefault(tuple(row[column] for column in columns), []).append(row)
    return cells


def mean(rows, column):
    return 100 * sum(float(row[column]) for row in rows) / len(rows)


def is_over(row, most=0.06):
    """Whether a size is significantly (one-sided, 5%) above 6%."""
    error = math.sqrt(most * (1 - most) / int(row["samples"]))
    return float(row["size"]) > most + 1.645 * error


def span(rows, column):
    """Return the smallest and the largest value in percent, rounded."""
    values = [round(100 * float(row[column])) for row in rows]
    return f"{min(values)}–{max(values)}"


# Cells ------------------------------------------------------------------------


@dataclass(frozen=True)
class Rate:
    """A rate in percent: its text, and whether it has a bar or stands out."""

    text: str
    bar: float = 0
    is_high: bool = False


def power(value, digits=0):
    return Rate(f"{value:.{digits}f}", bar=value)


def linked(test):
    role = "class" if "(" in test else "func"
    return f":{role}:`{test} <sklearn_cvtest.{test.partition('(')[0]}>`"


def as_text(cell, name):
    """Return a cell in reStructuredText; a rate knows the name of its column."""
    if not isinstance(cell, Rate):
        return cell
    if not cell.text:
        return raw('<span class="cell-empty">–</span>')
    label = f'<span class="cell-label">{escape(name)}</span>'
    kind = "rate rate-high" if cell.is_high else "rate"
    bar = f' style="--rate: {cell.bar:.0f}%"' if cell.bar else ""
    return raw(f'{label}<span class="{kind}"{bar}>{escape(cell.text)}</span>')


def raw(html):
    return f":raw-html:`{html}`"


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
            Rate(fits),
            Rate(f"{mean(ours, 'size'):.1f}", is_high=mean(ours, "size") > 5),
            Rate(f"{over:.0f}", is_high=over > 5),
            power(mean(ours, "power_2sd")),
            power(mean(ours, "power_3sd")),
            Rate(f"{mean(ours, 'seeds_differ_2sd'):.0f}" if differ else ""),
        ]


def heavy_tails(rows):
    """Return rows of the sizes by each loss, in cells with heavy tails and others."""
    for half, ours in sorted(grouped(rows, "half").items()):
        cells = [*half]
        for of_tails in (True, False):
            some = [row for row in ours if (float(row["tail"]) > 0.31) == of_tails]
            cells.append(Rate(str(len(some))))
            for loss in ("squared", "absolute", "huber", "clipped")[
                : 4 if of_tails else 2
            ]:
                size = mean(some, loss)
                cells.append(Rate(f"{size:.1f}", is_high=size > 6))
        yield cells


def tail_laws(rows):
    """Return rows of the laws of a mean: sizes under heavy tails, power elsewhere."""
    for (law,), ours in grouped(rows, "law").items():
        heavy = [row for row in ours if float(row["tail"]) > 0.31]
        others = [row for row in ours if float(row["tail"]) <= 0.31]
        sizes = mean(heavy, "size"), mean(others, "size")
        yield [
            law,
            *(Rate(f"{size:.1f}", is_high=size > 7) for size in sizes),
            power(mean(others, "power_2sd"), 1),
            power(mean(others, "power_3sd"), 1),
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
            Rate(str(len(ours))),
            *(Rate(f"{rhos[int(q * (len(rhos) - 1))]:.2f}") for q in (0.5, 0.9, 1)),
            Rate(f"{mean(ours, 'size'):.1f}", is_high=mean(ours, "size") > 5),
            Rate(f"{mean(high, 'size'):.1f}", is_high=True) if high else Rate(""),
        ]


def populations(rows, column):
    """Return rows of one rate of every test, a column for each population."""
    for (design, fits, test), ours in grouped(rows, "design", "fits", "test").items():
        cells = [
            Rate(f"{100 * float(row[column]):.1f}", is_high=is_over(row))
            if column == "size"
            else power(100 * float(row[column]))
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
        rates = [Rate("") if ours is None else metric_rate(ours) for ours in found]
        yield [METRICS[metric], share, design, linked(f"{test}()"), *rates]


def metric_rate(rows):
    size, *powers = (weighted(rows, c) for c in ("size", "power_2sd", "power_3sd"))
    text = f"{size:.1f} · {powers[0]:.0f} · {powers[1]:.0f}"
    fewest = FEWEST.get(rows[0]["metric"], 10)
    is_few = float(rows[0]["smallest_class"]) < fewest
    is_few = is_few and rows[0]["test"] == "IntegratedRhoTest"
    return Rate(f"({text})" if is_few else text)


def thresholds(rows, of_classes):
    """Return rows of how often intervals hold a metric, by the size of test sets."""
    rows = [row for row in rows if ("positives" in row["target"]) == of_classes]
    for (metric, target), ours in grouped(rows, "metric", "target").items():
        rates = [Rate(f"{100 * float(row['by_example']):.0f}") for row in ours]
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
            span(some, name) if some and some[0][name] else "" for some, name in parts
        ]
        yield [linked(test), design, *map(Rate, spans)]


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
            Rate(n_groups),
            *(Rate(f"{mean(some, 'size'):.1f}") for some in (others, tails)),
            power(mean(others, "power_2sd")),
            Rate(f"{mean(planned, 'planned_power'):.0f}" if planned else ""),
        ]


def series(rows):
    """Return rows of the table: size and power of all tests of each kind of series."""
    for (kind, times), ours in grouped(rows, "series", "times").items():
        ours = sorted(ours, key=lambda row: row["test"] != ours[0]["test"])
        texts = [
            f"{mean([r], 'size'):.0f}{DOT}{mean([r], 'power_2sd'):.0f}" for r in ours
        ]
        cells = [Rate(texts[i], is_high=is_over(row)) for i, row in enumerate(ours)]
        yield [kind, Rate(times), *cells]


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
        return Rate("")
    was, said = 100 * float(row["was"]), 100 * float(row["said"])
    return Rate(f"{was:.1f} ({said:.1f})", is_high=abs(was - said) > 2)


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
        rates = Rate(f"{early:.0f}"), Rate(f"{repeats:.1f}"), Rate(f"{changed:.2f}")
        yield [loss, HALVES[half], Rate(str(n)), *rates, Rate(f"{worst:.2f}")]


def list_table(header, rows, words=2):
    """Return the lines of a table whose first columns are words, the others rates."""
    lines = [
        ".. list-table::",
        "   :header-rows: 1",
        f"   :class: rates words-{words}",
        "",
    ]
    for row in [header, *rows]:
        marks = ["   * - ", *["     - "] * (len(row) - 1)]
        texts = [as_text(cell, name) for cell, name in zip(row, header, strict=True)]
        lines += [mark + text for mark, text in zip(marks, texts, strict=True)]
    return [*lines, ""]


class Rates(SphinxDirective):
    """A table made from a file, whose first columns (`words`) are no rates."""

    file, header, rows_of, words = "", (), None, 2

    def lines(self, rows):
        return list_table(self.header, self.rows_of(rows), self.words)

    def run(self):
        path = self.env.app.confdir / "data" / self.file
        self.env.note_dependency(str(path))
        role = [".. role:: raw-html(raw)", "   :format: html", ""]
        return self.parse_text_to_nodes("\n".join([*role, *self.lines(read(path))]))


class StudyRates(Rates):
    file = "study.csv"
    header = (
        *("test", "splits", "fits", "size", "over 6%"),
        *("power at 2", "power at 3", "seeds differ"),
    )
    rows_of = staticmethod(study)


class HeavyTailRates(Rates):
    file = "heavy_tails.csv"
    header = (
        *("populations", "cells", "squared", "absolute", "Huber", "clipped"),
        *("other cells", "squared", "absolute"),
    )
    rows_of, words = staticmethod(heavy_tails), 1


class TailLawRates(Rates):
    file = "tail_laws.csv"
    header = "law", "size", "size, others", "power at 2", "power at 3"
    rows_of, words = staticmethod(tail_laws), 1


class RhoOfLearners(Rates):
    file = "study.csv"
    header = "learner", "cases", "median", "90%", "largest", "size", "size, ρ > 0.5"
    rows_of, words = staticmethod(rho_of_learners), 1


def tabs(tables):
    """Return the lines of tables by title, one of which is shown."""
    lines = [".. tab-set::", ""]
    for title, table in tables.items():
        lines += [f"   .. tab-item:: {title}", ""]
        lines += [f"      {line}".rstrip() for line in table]
    return lines


TABS = {"size": "Size", "power_2sd": "Power at 2", "power_3sd": "Power at 3"}


class PopulationRates(Rates):
    file = "calibration.csv"

    def lines(self, rows):
        names = list(dict.fromkeys(row["population"] for row in rows))
        header = ["test", "splits (fits)", *names]
        return tabs(
            {
                title: list_table(header, populations(rows, column))
                for column, title in TABS.items()
            }
        )


class MetricRates(Rates):
    file = "metric_calibration.csv"
    header = "metric", "positives", "splits", "test", "n = 100", "n = 300", "n = 1000"
    rows_of, words = staticmethod(metrics), 4


class MetricThresholds(Rates):
    file = "metric_thresholds.csv"
    of_classes = "metric", "target", *(f"{n} positives" for n in (2, 3, 5, 7, 10, 15))
    of_numbers = "metric", "errors", *(f"{n} examples" for n in (10, 15, 20, 30, 50))

    def lines(self, rows):
        first = list_table(self.of_classes, thresholds(rows, True), words=2)
        return [*first, *list_table(self.of_numbers, thresholds(rows, False), words=2)]


class SeedStability(Rates):
    file = "seed_stability.csv"
    header = (
        *("loss", "half", "up to 0.6", "0.6–0.7", "0.7–0.8", "0.8–0.9"),
        *("0.9–0.95", "0.95–0.99", "0.99–0.999", "over 0.999"),
    )

    def lines(self, rows):
        return tabs(
            {
                f"{of[0].upper()}{of[1:]}": list_table(
                    self.header, seed_stability(ours)
                )
                for (of,), ours in grouped(rows, "compared with").items()
            }
        )


class EarlyStops(Rates):
    file = "early_stops.csv"
    header = "loss", "half", "runs", "early", "repeats", "changed", "at most"
    rows_of = staticmethod(early_stops)


class MeasuredGroupRates(Rates):
    file = "calibration_groups.csv"
    header = "test", "splits", "size, alike", "unequal", "ignored", "power"
    rows_of = staticmethod(groups)


class FewGroupRates(Rates):
    file = "few_real_groups.csv"
    header = "test", "splits", "groups", "size", "size, tails", "power", "planned"
    rows_of = staticmethod(few_groups)


class MeasuredSeriesRates(Rates):
    file = "calibration_series.csv"
    header = (
        *("differences", "times", "an array", "5 test sets", "20 test sets"),
        *("h = 1", "h = 4", "h = 4, Bartlett"),
    )

    def lines(self, rows):
        rows = sorted(rows, key=lambda row: KINDS.index(row["series"]))
        return list_table(self.header, series(rows), words=1)


def setup(app):
    app.add_directive("study-rates", StudyRates)
    app.add_directive("heavy-tail-rates", HeavyTailRates)
    app.add_directive("tail-law-rates", TailLawRates)
    app.add_directive("rho-of-learners", RhoOfLearners)
    app.add_directive("population-rates", PopulationRates)
    app.add_directive("metric-rates", MetricRates)
    app.add_directive("metric-thresholds", MetricThresholds)
    app.add_directive("seed-stability", SeedStability)
    app.add_directive("early-stops", EarlyStops)
    app.add_directive("measured-group-rates", MeasuredGroupRates)
    app.add_directive("few-group-rates", FewGroupRates)
    app.add_directive("measured-series-rates", MeasuredSeriesRates)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
