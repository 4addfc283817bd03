"""Large files, which pandas or polars reads, are compared as small ones are."""

import json

import numpy as np
import pytest
from common import main

from sklearn_cvtest._tables import _read_files
from sklearn_cvtest._tables._column_types import (
    TextColumn,
    are_distinct,
    distinct,
    numbered,
    rows_of,
)

RNG = np.random.default_rng(0)
HITS = {name: RNG.integers(0, 2, 40) for name in ("new", "old")}
FOLDS = [(m, f, RNG.normal(0.9, 0.02)) for m in ("svm", "old tree") for f in range(5)]


def text(header, rows, separator=","):
    return "\n".join(separator.join(map(str, row)) for row in [header, *rows])


def hits(labels):
    return [
        (m, labels[i], h) for m, values in HITS.items() for i, h in enumerate(values)
    ]


NAMES = "model", "fold", "accuracy"
ITEMS = "model", "id", "correct"
WORDS = np.array(["no", "yes"])
PREDICTED = [WORDS[HITS["new"]], *(WORDS[values] for values in HITS.values())]
FILES = {
    "folds": text(NAMES, FOLDS),
    "blanks": text(("model ", " fold", "accuracy"), FOLDS, " , "),
    "examples": text(ITEMS, hits(range(40))),
    "ids with zeros": text(ITEMS, hits([f"{k:03}" for k in range(40)])),
    "true and false": text(ITEMS, [(m, i, h > 0) for m, i, h in hits(range(40))]),
    "summaries": text(NAMES, [*FOLDS, *((m, "Mean", 1) for m in ("svm", "old tree"))]),
    "a hole": text(NAMES, [(m, f, "" if f == 3 else s) for m, f, s in FOLDS]),
    "percent signs": text(NAMES, [(m, f, f"{100 * s:.1f}%") for m, f, s in FOLDS]),
    "decimal commas": text(
        NAMES, [(m, f, f"{s:.3f}".replace(".", ",")) for m, f, s in FOLDS], ";"
    ),
    "labels": text(("y_true", *HITS), zip(*PREDICTED, strict=True)),
    "probabilities": text(
        ("y_true", "p"), [(h, 0.5 * h + 0.5 * RNG.random()) for h in HITS["new"]]
    ),
    "wide": text(("id", *HITS), zip(range(40), *HITS.values(), strict=True)),
    "no numbers": text(NAMES, [(m, f, "x") for m, f, _ in FOLDS]),
    "columns of one name": text(("model", "fold", "fold"), FOLDS),
}


@pytest.mark.parametrize("reader", ["pandas", "polars"])
@pytest.mark.parametrize("name", FILES)
def test_large_files_are_compared_as_small_ones(
    tmp_path, capsys, monkeypatch, name, reader
):
    path = tmp_path / "table.csv"
    path.write_text(FILES[name])
    options = ["--score", "accuracy"] if name == "wide" else []
    answers = []
    for size in (10**9, 0):
        monkeypatch.setattr(_read_files, "LARGE", size)
        if reader == "polars":
            by_polars = _read_files._large_csv_by_polars
            monkeypatch.setattr(_read_files, "_large_csv", by_polars)
        status = main(["compare", str(path), "--json", "-", *options])
        output = capsys.readouterr()
        content = json.loads(output.out) if status == 0 else {}
        answers.append((status, content, output.err))
    assert answers[0] == answers[1]


# Columns of any type -----------------------------------------------------------------

CELLS = {
    "list": ["b", "a", "b", "b"],
    "text": TextColumn(np.array([2, 0, 2, 2]), ["a", "unused", "b"]),
    "integers": np.array([7, 3, 7, 7]),
    "far apart": np.array([10**12, -3, 10**12, 10**12]),
    "floats": np.array([0.5, 0.1, 0.5, 0.5]),
}


@pytest.mark.parametrize("column", CELLS.values(), ids=CELLS)
def test_columns_of_any_type_are_numbered(column):
    cells = list(column)
    codes, different = numbered(column)
    assert [different[code] for code in codes] == cells
    assert sorted(different) == sorted(set(cells)) == sorted(distinct(column))
    assert list(rows_of(column, np.array([1, 3]))) == [cells[1], cells[3]]
    assert not are_distinct([column])
    assert are_distinct([column, np.arange(4)])
