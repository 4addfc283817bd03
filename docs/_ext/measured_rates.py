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


def span(rows, column):
    """Return the smallest and the largest value in percent, rounded."""
    values = [round(100 * float(row[column])) for row in rows]
    return f"{min(values)}–{max(values)}"


def linked(test):
    return f":class:`{test} <sklearn_cvtest.{test.partition('(')[0]}>`"


class MeasuredRates(SphinxDirective):
    def run(self):
        path = self.env.app.confdir / "calibration.csv"
        self.env.note_dependency(str(path))
        lines = [".. list-table::", "   :header-rows: 1", "   :class: rates", ""]
        rows = [[*row[:2], linked(row[2]), *row[3:]] for row in rates(path)]
        for row in [HEADER, *rows]:
            marks = ["   * - ", *["     - "] * (len(row) - 1)]
            lines += [mark + cell for mark, cell in zip(marks, row, strict=True)]
        return self.parse_text_to_nodes("\n".join(lines))


def setup(app):
    app.add_directive("measured-rates", MeasuredRates)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
