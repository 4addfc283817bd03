"""Directives of the trust page: tables of what was measured, from committed CSVs."""

import csv
import json

from sphinx.util.docutils import SphinxDirective

BANDS = ((-99, 0), (0, 0.3), (0.3, 0.5), (0.5, 0.6), (0.6, 1))
PUBLISHED = "sklearn_cvtest/simulation/published.json"
RESULTS = "examples/papers/results"


def read(path):
    """Return the rows of a CSV, whose first lines may be comments."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def percent(row, column):
    return 100 * float(row[column])


def span(values, digits=0):
    low, high = (f"{value:.{digits}f}" for value in (min(values), max(values)))
    return low if low == high else f"{low}\u2060–\u2060{high}"  # not broken


def by(rows, *columns):
    """Return rows by their values in some columns, in the order of the file."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[column] for column in columns), []).append(row)
    return groups


def tests_of(rows):
    """Size and power of each test on the eight populations; outliers apart."""
    for (design, test), ours in by(rows, "design", "test").items():
        usual = [row for row in ours if "outliers" not in row["population"]]
        rest = [row for row in ours if "outliers" in row["population"]]
        yield [
            test,
            design,
            span([percent(row, "size") for row in usual]),
            span([percent(row, "size") for row in rest]),
            span([percent(row, "power_2sd") for row in usual]),
        ]


def sizes_by_rho(rows):
    """Mean size of each test where ρ of the case lies in a band."""
    rows = sorted(rows, key=lambda row: int(row["fits"]))
    for (design, test), ours in by(rows, "design", "test").items():
        cells = []
        for low, high in BANDS:
            sizes = [
                percent(row, "size") for row in ours if low < float(row["rho"]) <= high
            ]
            cells.append(f"{sum(sizes) / len(sizes):.0f}")
        yield [test, design, *cells]


def cases_by_rho(rows):
    """Return the number of cases in each band."""
    cases = by(rows, "population", "n", "first", "second", "loss")
    rhos = [float(ours[0]["rho"]) for ours in cases.values()]
    return [sum(low < rho <= high for rho in rhos) for low, high in BANDS]


def coverages(rows):
    """Coverage on ten folds, over the losses and scores measured, by sample size."""
    rows = [r for r in rows if r["test"] != "rho 0" and r["design"] == "10-fold"]
    for key, ours in by(rows, "population", "learner", "role").items():
        found = by(ours, "n")
        rates = [
            [percent(row, "coverage") for row in found.get((n,), ())]
            for n in ("100", "300", "1000")
        ]
        cells = [span(values) if values else "" for values in rates]
        yield [*key, *cells]


def behaviours(rows):
    """A row for each package: what it did in each situation."""
    for package in list(rows[0])[1:]:
        yield [package, *("" if row[package] == "-" else row[package] for row in rows)]


def practices(rows):
    for (splits, procedure, package), ours in by(
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
    for (package, version), ours in by(rows, "package", "version").items():
        rates = {row["situation"]: percent(row, "misses") for row in ours}
        cells = [f"{rates[one]:.1f}" if one in rates else "" for one in situations]
        if any(cells):
            of = package if package == "this package" else f"{package} {version}"
            yield [of, *cells]


def reproductions(root):
    """Published numbers beside ours: how many, and the largest difference."""
    published = json.loads((root / PUBLISHED).read_text(encoding="utf-8"))
    ours = by(read(root / RESULTS / "grandvalet2006_table2.csv"), "problem")
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


def linked(test):
    return f":class:`{test} <sklearn_cvtest.{test.partition('(')[0]}>`"


class Measured(SphinxDirective):
    """A table made from a file of docs/."""

    file, header = "", ()

    def run(self):
        path = self.env.app.confdir / "data" / self.file
        self.env.note_dependency(str(path))
        rows = self.rows(path)
        lines = [".. list-table::", "   :header-rows: 1", "   :class: measured", ""]
        for row in [self.header, *rows]:
            marks = ["   * - ", *["     - "] * (len(row) - 1)]
            lines += [mark + cell for mark, cell in zip(marks, row, strict=True)]
        return self.parse_text_to_nodes("\n".join(lines))


class Table(Measured):
    """A table of `make(rows of the file)`; the tests are linked if `links`."""

    links = False

    def rows(self, path):
        rows = self.make(read(path))
        if self.links:
            return [[linked(row[0]), *row[1:]] for row in rows]
        return list(rows)


class MeasuredTests(Table):
    file, links, make = "calibration.csv", True, staticmethod(tests_of)
    header = "test", "splits", "size", "with outliers", "power"


class SizesByRho(Table):
    file, links, make = "study.csv", True, staticmethod(sizes_by_rho)
    header = "test", "splits", "ρ ≤ 0", "to 0.3", "to 0.5", "to 0.6", "above"


class Coverages(Table):
    file, make = "interval_coverage.csv", staticmethod(coverages)
    header = "population", "learner", "use", "n = 100", "n = 300", "n = 1000"


class Practices(Table):
    file, make = "practices.csv", staticmethod(practices)
    header = "procedure", "splits", "package", "naive Bayes", "trees"


class Agreements(Table):
    file, make = "agreement.csv", staticmethod(agreements)
    header = "package", "theirs", "here", "compared", "numbers", "digits"


class Differing(Table):
    file, make = "agreement.csv", staticmethod(differing)
    header = "package", "what", "their number", "ours", "who is right"


class Missed(Measured):
    """How often intervals miss in some situations, by their place in the file."""

    file, required_arguments, final_argument_whitespace = "peer_rates.csv", 1, True

    def rows(self, path):
        rows = read(path)
        situations = list(dict.fromkeys(row["situation"] for row in rows))
        shown = [situations[int(number)] for number in self.arguments[0].split()]
        self.header = ["package", *shown]
        return list(missed(rows, shown))


class Behaviours(Measured):
    """What packages did in some of the situations, by their place in the file."""

    file, required_arguments, final_argument_whitespace = "peer_behaviour.csv", 1, True

    def rows(self, path):
        situations = [read(path)[int(number)] for number in self.arguments[0].split()]
        self.header = ["package", *(row["situation"] for row in situations)]
        return list(behaviours(situations))


class Reproductions(Measured):
    file = f"../../{PUBLISHED}"
    header = "published", "numbers", "range", "largest difference"

    def rows(self, path):
        return list(reproductions(self.env.app.confdir.parent))


def setup(app):
    for name, directive in {
        "measured-tests": MeasuredTests,
        "sizes-by-rho": SizesByRho,
        "interval-coverage": Coverages,
        "practice-rates": Practices,
        "agreement": Agreements,
        "differing-numbers": Differing,
        "peer-rates": Missed,
        "reproductions": Reproductions,
        "peer-behaviour": Behaviours,
    }.items():
        app.add_directive(name, directive)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
