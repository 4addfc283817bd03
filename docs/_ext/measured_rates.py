"""The directive measured-rates: size and power of every test, from calibration.csv."""

import csv

from sphinx.util.docutils import SphinxDirective

HEADER = ["splits", "fits", "test", "size", "power"]


def rates(path):
    """Return rows of the table: ranges over the populations without outliers."""
    with path.open(encoding="utf-8") as file:
        rows = [
            row for row in csv.DictReader(file) if "outliers" not in row["population"]
        ]
    cells = {}
    for row in rows:
        cells.setdefault((row["design"], row["fits"], row["test"]), []).append(row)
    return [
        [*key, span(ours, "size"), span(ours, "power_2sd")]
        for key, ours in cells.items()
    ]


GROUP_HEADER = ["splits", "test", "size, alike", "unequal", "ignored", "power"]


def group_rates(path):
    """Return rows of the table of tests of groups: ranges over fitted populations."""
    with path.open(encoding="utf-8") as file:
        rows = [
            row
            for row in csv.DictReader(file)
            if row["rows"] != "1" and not row["population"].startswith("normal")
        ]
    cells = {}
    for row in rows:
        cells.setdefault((row["design"], row["test"]), []).append(row)
    order = {design: place for place, (design, _) in reversed(list(enumerate(cells)))}
    ranked = sorted(cells, key=lambda key: order[key[0]])
    return [[*key, *_group_cells(cells[key])] for key in ranked]


def _group_cells(rows):
    used = [row for row in rows if row["groups_are"] == "in groups"]
    ignored = [row for row in rows if row["groups_are"] == "ignored"]
    unequal = [row for row in used if row["rows"] == "2 to 50"]
    alike = [row for row in used if row["rows"] != "2 to 50"]
    column = "size" if used[0]["size"] else "size_fitted"
    parts = (alike, column), (unequal, column), (ignored, column), (alike, "power_2sd")
    return [span(rows, name) if rows and rows[0][name] else "" for rows, name in parts]


def span(rows, column):
    """Return the smallest and the largest value in percent, rounded."""
    values = [round(100 * float(row[column])) for row in rows]
    return f"{min(values)}–{max(values)}"


def linked(test):
    role = "class" if "(" in test else "func"
    return f":{role}:`{test} <sklearn_cvtest.{test.partition('(')[0]}>`"


class Rates(SphinxDirective):
    """A table made from a file."""

    file, header = "", ()

    def run(self):
        path = self.env.app.confdir / self.file
        self.env.note_dependency(str(path))
        lines = [".. list-table::", "   :header-rows: 1", "   :class: rates", ""]
        for row in [self.header, *self.rows(path)]:
            marks = ["   * - ", *["     - "] * (len(row) - 1)]
            lines += [mark + cell for mark, cell in zip(marks, row, strict=True)]
        return self.parse_text_to_nodes("\n".join(lines))


class MeasuredRates(Rates):
    file, header = "calibration.csv", HEADER

    def rows(self, path):
        return [[*row[:2], linked(row[2]), *row[3:]] for row in rates(path)]


class MeasuredGroupRates(Rates):
    file, header = "calibration_groups.csv", GROUP_HEADER

    def rows(self, path):
        return [[row[0], linked(row[1]), *row[2:]] for row in group_rates(path)]


class MeasuredSeriesRates(Rates):
    file = "calibration_series.csv"
    header = "times", "φ", "horizon", "kernel", "size", "power"

    def rows(self, path):
        with path.open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return [
            [row["times"], f"{float(row['phi']):g}", row["horizon"], row["kernel"]]
            + [f"{100 * float(row[name]):.0f}" for name in ("size", "power_2sd")]
            for row in rows
        ]


def setup(app):
    app.add_directive("measured-rates", MeasuredRates)
    app.add_directive("measured-group-rates", MeasuredGroupRates)
    app.add_directive("measured-series-rates", MeasuredSeriesRates)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
