"""One number everywhere: what every reader shows of a comparison is what was found."""

import json
import re

import numpy as np
import pytest
from interfaces import (
    CASES,
    DIGITS,
    compared,
    ends,
    html_tables,
    latex_tables,
    markdown_tables,
    page_words,
    quiet,
    random_designs,
    shows,
    shows_interval,
    shows_pvalue,
    shows_rounded_up,
    some_of,
    text_tables,
    unit_of,
)

MOST_CASES = 1000  # their number of designs says what is quick
every_case = pytest.mark.parametrize("case", CASES)
WITH_MARGIN = [
    case
    for case, (test, _) in CASES.items()
    if test.decides != "difference" or test.popmean
]


@pytest.mark.parametrize("case", some_of(CASES, 12))
@random_designs(few=1, many=12)
def test_frame_is_what_the_tests_found(case, seed):
    result = compared(case, np.random.default_rng(seed))
    for row in result.to_frame().itertuples():
        fitted = result.tests[row.first, row.second]
        found = (fitted.estimate_, fitted.statistic_, fitted.pvalue_)
        assert (row.estimate, row.statistic, row.pvalue) == pytest.approx(found)
        level = fitted.level_of_interval(result.alpha)
        interval = pytest.approx(tuple(fitted.confidence_interval(level)))
        assert (row.ci_low, row.ci_high) == interval
        assert row.rho_alpha == pytest.approx(fitted.rho_alpha_, nan_ok=True)


def tables_of(result, tmp_path):
    """Return the table of each reader, {reader: Table}."""
    page = tmp_path / "page.html"
    result.to_html(page)
    return {
        "print": text_tables(str(result))[0],
        "notebook": html_tables(result._repr_html_())[0],
        "page": html_tables(page.read_text(encoding="utf-8"))[0],
        "markdown": markdown_tables(result.to_markdown())[0],
        "latex": latex_tables(result.to_latex())[0],
    }


@every_case
@random_designs(few=1, many=12)
def test_every_reader_shows_the_same_table(case, seed, tmp_path):
    rng = np.random.default_rng(seed)
    options = {"reference": rng.choice(["b", None])}
    with quiet():
        result = compared(case, rng, int(rng.integers(2, 5)), **options)
        printed, *others = tables_of(result, tmp_path).values()
    rows = [[cell.strip("† ") for cell in row] for row in printed.rows]
    for table in others:
        assert table.headers == printed.headers
        assert [[cell.strip("† ") for cell in row] for row in table.rows] == rows


@pytest.mark.parametrize("case", [c for c in CASES if c not in WITH_MARGIN])
@random_designs(few=1, many=12)
def test_table_and_picture_of_models_show_what_was_found(case, seed):
    rng = np.random.default_rng(seed)
    reference = rng.choice(["b", None])
    with quiet():
        result = compared(case, rng, int(rng.integers(2, 5)), reference=reference)
        axes = result.plot()
    axes = getattr(axes, "ax_", axes)
    losses, scale = result.losses, unit_of(result.losses)
    base = losses.names[losses.ranking[0]] if reference is None else reference
    drawn = np.concatenate([dots.get_offsets()[:, 0] for dots in axes.collections[1:]])
    for name, mean, own, *cells in text_tables(str(result))[0].rows:
        name = name.strip("† ")
        position = losses.names.index(name)
        assert shows(mean, losses.mean_losses[position], scale)
        alone = result.intervals.low[position], result.intervals.high[position]
        assert shows_interval(own, alone, scale)
        if name == base:
            assert cells == ["", "", ""]
            continue
        sides, pvalue = sides_of(result, base, name)
        if reference is not None:  # by how much it is ahead
            sides = -sides[[0, 2, 1]]
        by, interval, p = cells
        assert shows(by, sides[0], scale)
        if interval != "–":
            low, high = ends(interval)
            known = [low, high]
            for text, value in zip(known, sides[1:], strict=True):
                assert shows(text, value, scale), (interval, sides)
        assert shows_pvalue(p, pvalue), (p, pvalue)
        assert np.isclose(drawn, scale * sides[0]).any()


def sides_of(result, base, name):
    """Return how far a model is behind another, with interval and p, from frames."""
    models = result.models
    is_set = len(models.rows) > 2 and models.is_about_best and models.symbol == "p"
    if is_set and result.test.is_directed:
        frame = result.best_set().to_frame().set_index(result.losses.noun)
        row = frame.loc[name]
        sides = row[["difference", "ci_low", "ci_high"]].to_numpy(dtype=float)
        return sides, row["pvalue"]
    frame = result.to_frame()
    kind = "_simultaneous" if "ci_low_simultaneous" in frame else ""
    columns = ["estimate", f"ci_low{kind}", f"ci_high{kind}"]
    for _, row in frame.iterrows():
        sides = row[columns].to_numpy(dtype=float)
        if (row["first"], row["second"]) == (name, base):
            return sides, row["pvalue_adjusted"]
        if (row["second"], row["first"]) == (name, base):
            return -sides[[0, 2, 1]], row["pvalue_adjusted"]
    raise AssertionError(f"no pair of {base} and {name}")


INTERVAL = rf"[\d.]+% (?:credible interval|CI)[a-z ]* ({DIGITS}) to ({DIGITS})"
PVALUE = rf"(?:adjusted |one-sided |\b)p (?:[=≤]|(?=<)) ?(< {DIGITS}|{DIGITS})"


@every_case
@random_designs(few=1, many=12)
def test_sentences_have_the_numbers_of_the_frame(case, seed):
    rng = np.random.default_rng(seed)
    result = compared(case, rng, 2 + seed % 2)
    frame = result.to_frame()
    pvalues = [*frame["pvalue"], *frame["pvalue_adjusted"], result.alpha]
    pvalues += [row.pvalue for row in result.models.rows]
    sides = [(row.ci_low, row.ci_high) for row in frame.itertuples()]
    sides += [(-high, -low) for low, high in sides]
    sides += zip(result.intervals.low, result.intervals.high, strict=True)
    scale = unit_of(result.losses)
    for text in (str(result), result.report(), page_words(result._repr_html_())):
        text = " ".join(text.split())
        assert " nan" not in text
        for shown in re.findall(PVALUE, text):
            agrees = shows_rounded_up if f"≤ {shown}" in text else shows
            assert any(agrees(shown, value) for value in pvalues), (shown, pvalues)
        if len(frame) > 1:
            continue
        for low, high in re.findall(INTERVAL, text):
            shown = f"{low} to {high}"
            assert any(
                shows_interval(shown, pair, factor)
                for pair in sides
                for factor in (1, scale)
            ), (shown, sides)


@pytest.mark.parametrize("case", some_of(CASES, 6))
@random_designs(few=2, many=12)
def test_json_holds_what_the_frame_holds(case, seed):
    result = compared(case, np.random.default_rng(seed))
    content = json.loads(result.to_json())
    for written, row in zip(
        content["rows"], result.to_frame().to_dict("records"), strict=True
    ):
        assert written.keys() == row.keys()
        for column, value in row.items():
            if isinstance(value, float) and not np.isfinite(value):
                assert written[column] is None
            elif isinstance(value, (bool, str, np.bool_)):
                assert written[column] == value
            else:
                assert written[column] == pytest.approx(value)
    assert " ".join(str(result).split()).startswith(content["verdict"])
