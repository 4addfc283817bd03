"""The directive study-rates: size, power and agreement of seeds, from study.csv."""

import csv
import math

from sphinx.util.docutils import SphinxDirective

HEADER = [
    "splits",
    "fits",
    "test",
    "size",
    "over 6%",
    "power at 2",
    "at 3",
    "seeds differ",
]


def rates(path):
    """Return rows of the table: means over all cells, in percent, by fits."""
    cells = {}
    with path.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            key = int(row["fits"]), row["design"], row["test"]
            cells.setdefault(key, []).append(row)
    return [
        [
            design,
            str(fits),
            test,
            f"{mean(ours, 'size'):.1f}",
            f"{100 * sum(map(is_over, ours)) / len(ours):.0f}",
            f"{mean(ours, 'power_2sd'):.0f}",
            f"{mean(ours, 'power_3sd'):.0f}",
            f"{mean(ours, 'seeds_differ_2sd'):.0f}" if known(ours) else "",
        ]
        for (fits, design, test), ours in sorted(cells.items())
    ]


def known(rows):
    return all(row["seeds_differ_2sd"] for row in rows)


def mean(rows, column):
    return 100 * sum(float(row[column]) for row in rows) / len(rows)


def is_over(row):
    """Whether a size is significantly (one-sided, 5%) above 6%."""
    error = math.sqrt(0.06 * 0.94 / int(row["samples"]))
    return float(row["size"]) > 0.06 + 1.645 * error


def linked(test):
    return f":class:`{test} <sklearn_cvtest.{test.partition('(')[0]}>`"


class StudyRates(SphinxDirective):
    def run(self):
        path = self.env.app.confdir / "study.csv"
        self.env.note_dependency(str(path))
        lines = [".. list-table::", "   :header-rows: 1", "   :class: rates", ""]
        rows = [[*row[:2], linked(row[2]), *row[3:]] for row in rates(path)]
        for row in [HEADER, *rows]:
            marks = ["   * - ", *["     - "] * (len(row) - 1)]
            lines += [mark + cell for mark, cell in zip(marks, row, strict=True)]
        return self.parse_text_to_nodes("\n".join(lines))


def setup(app):
    app.add_directive("study-rates", StudyRates)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
