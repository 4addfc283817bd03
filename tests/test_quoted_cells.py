"""What pages say of the cells that are meant to fail is in docs/data/hard_cells.csv."""

import functools
import importlib

import numpy as np
import pytest
from quoted import ROOT, is_over, rows_of, text_of

from sklearn_cvtest import cross_val_losses

pytestmark = pytest.mark.lint

UNTOLD_KINDS = {"drifted rows", "groups, untold"}  # what the package is not told of


@functools.cache
def cells():
    words = "kind", "half", "population", "first", "second", "loss"
    return [
        {k: v if k in words else float(v or "nan") for k, v in row.items()}
        for row in rows_of("hard_cells.csv")
    ]


def percent(rows, column):
    return 100 * np.mean([row[column] for row in rows])


def told(rows, column="warned_rejections"):
    """Return in how many percent of the false rejections there was a warning."""
    weights = [row["rejections"] for row in rows]
    return 100 * np.average([row[column] for row in rows], weights=weights)


def quiet(rows):
    """Return those where less than half of the false rejections bring a warning."""
    return [row for row in rows if row["warned_rejections"] < 0.5]


def share_over(rows):
    return 100 * np.mean([is_over(row) for row in rows])


def test_the_page_says_what_was_measured():
    page, rows = text_of("docs/calibration.md"), cells()
    populations = {row["population"] for row in rows}
    apart = {row["population"] for row in rows if row["half"] == "verify"}
    assert f"{len(rows):,} differences of two learners" in page
    assert f"on {len(populations)} populations" in page
    assert f"{len(apart)} of which no number" in page
    assert {row["samples"] for row in rows} == {200}
    sizes = sorted({int(row["n"]) for row in rows})
    assert f"samples of {sizes[0]} to {sizes[-1]:,} examples" in page


def test_the_page_says_how_many_cells_are_not_told_of():
    page = text_of("docs/calibration.md")
    known = [row for row in cells() if row["kind"] not in UNTOLD_KINDS]
    apart = quiet([row for row in known if row["half"] == "verify"])
    every, known = quiet(cells()), quiet(known)
    assert f"{len(every):,} cells do not warn" in page
    assert f"{share_over(every):.1f}% of them are significantly above 6%" in page
    assert f"{share_over(known):.1f}% of the {len(known):,} others" in page
    assert f"{share_over(apart):.1f}% of {len(apart):,} on the populations" in page


@pytest.mark.parametrize("page", ["docs/calibration.md", "docs/trust.rst"])
def test_pages_say_by_loss_how_many_cells_are_not_told_of(page):
    text = " ".join(text_of(page).split())
    for loss, words in {
        "zero_one": "for zero-one losses",
        "brier": "for Brier scores",
        "absolute_error": "for absolute",
        "squared_error": "for squared errors",
    }.items():
        rows = quiet([row for row in cells() if row["loss"] == loss])
        share = f"{share_over(rows):.1f}%"
        of_all = f"{share} of {len(rows)}" if page.endswith("md") else share
        assert any(f"{of_all} {x}{words}" in text for x in ("", "cells ", "and "))


def test_the_page_says_how_the_default_does_on_regular_cells():
    page = text_of("docs/calibration.md")
    rows = [row for row in cells() if row["kind"] == "regular"]
    assert f"In the {len(rows)} regular cells" in page
    size, at_2, at_3 = (
        percent(rows, name) for name in ("size", "power_2sd_run", "power_3sd_run")
    )
    own = [percent(rows, name) for name in ("power_2sd", "power_3sd")]
    assert f"rejects {size:.1f}% of true hypotheses" in page
    assert f"finds {at_2:.0f} and {at_3:.0f}% of differences" in page
    assert f"({own[0]:.0f} and {own[1]:.0f}% of its own" in page
    assert f"warns in {percent(rows, 'warned'):.1f}% of samples" in page


def test_guides_say_how_naive_bayes_and_others_do():
    rows = cells()
    bayes = [row for row in rows if "bayes" in (row["first"], row["second"])]
    high = [row for row in bayes if row["size"] > 0.08]
    apart = [row for row in high if row["half"] == "verify"]
    page = text_of("docs/guide/rho.rst")
    assert f"In the {len(high)} cells of naive Bayes" in page
    assert f"with {told(high):.0f}% of the false rejections" in page
    assert f"({told(apart):.0f}% on the populations" in page


def test_pages_say_how_drifted_rows_do():
    rows = cells()
    drifted = [row for row in rows if row["kind"] == "drifted rows"]
    page = text_of("docs/guide/pitfalls.rst")
    assert f"rejected {percent(drifted, 'size'):.0f}% of true hypotheses" in page
    assert f"in {told(drifted):.0f}% of these" in page
    page = text_of("docs/calibration.md")
    assert f"of drifted rows {told(drifted):.0f}% come with a warning" in page
    assert f"DependentRowsWarning; {told(drifted, 'warned_else'):.0f}% without" in page
    real = [row for row in drifted if "walking" not in row["population"]]
    slopes = [row for row in drifted if row["population"] == "walking slopes"]
    assert f"{told(real):.0f}% in the real series" in page
    assert f"{told(slopes):.0f}% where slopes walk" in page
    regular = [row for row in rows if row["kind"] == "regular"]
    assert percent(regular, "rows") < 0.01
    assert "in less than 0.01% of samples of regular" in " ".join(page.split())
    most = max(row["rows"] for row in rows if row["kind"] not in UNTOLD_KINDS)
    assert f"at most {100 * most:.1f}% in any cell of independent" in page


def test_pages_say_how_rows_sorted_by_a_column_do():
    rows = [row for row in rows_of("untold_groups.csv") if row["where"] == "sorted"]
    rate = f"{100 * np.mean([float(row['warned']) for row in rows]):.1f}".lstrip("0")
    assert f"raised in {rate}% of such samples" in text_of("docs/guide/time.rst")
    assert f"of adjacent rows in {rate}%" in text_of("docs/guide/groups.rst")
    assert f"now in {rate}%" in text_of("docs/trust.rst")


def test_the_guide_says_what_blocks_of_rows_do_for_drifted_ones():
    rows, page = rows_of("drifted_blocks.csv"), text_of("docs/guide/time.rst")

    def size(n_blocks):
        of = [float(r["size"]) for r in rows if r["blocks"] == n_blocks]
        return f"{100 * np.mean(of):.0f}%"

    assert f"rejected {size('0')} of true hypotheses with shuffled rows" in page
    of_blocks = f"{size('20')} with 20 and {size('40')} with 40"
    assert f"{size('10')} with ten blocks, {of_blocks}" in page


def test_the_table_holds_all_cells():
    table = [[*row.values()] for row in rows_of("shown/hard_cells.csv")]
    assert sum(int(row[1]) for row in table) == len(cells())
    (regular,) = [row for row in table if row[0] == "regular"]
    mine = [row for row in cells() if row["kind"] == "regular"]
    assert regular[2] == f"{percent(mine, 'size'):.1f}"
    assert regular[4] == str(sum(map(is_over, quiet(mine))))
    assert regular[5] == f"{percent(mine, 'power_2sd_run'):.0f}"


def test_stored_models_go_through_the_package_as_others_do(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    study = importlib.import_module("hard_study")
    rng = np.random.default_rng(0)
    fold = np.array([rng.permutation(np.arange(40) % 5) for _ in range(2)])
    predicted = rng.random((2, 40))
    splits = [
        (np.flatnonzero(f != k), np.flatnonzero(f == k)) for f in fold for k in range(5)
    ]
    y, rows = rng.integers(2, size=40), np.arange(40.0)[:, np.newaxis]
    losses = cross_val_losses(
        {"a": study.StoredClasses(predicted, fold)},
        rows,
        y,
        cv=splits,
        check_threshold=False,
    )
    run = losses.row_split // 5
    expected = (predicted > 0.5)[run, losses.row_index] != y[losses.row_index]
    np.testing.assert_array_equal(losses.losses[:, 0], expected)
