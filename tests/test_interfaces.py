"""One number everywhere: what every reader shows of a result is what was found."""

import json
import re

import numpy as np
import pytest
from common import main
from interfaces import (
    CASES,
    DIGITS,
    NAMES,
    compared,
    data_of,
    drawn_forest,
    html_tables,
    latex_tables,
    markdown_tables,
    new_axes,
    page_words,
    quiet,
    random_designs,
    shows,
    shows_interval,
    shows_pvalue,
    shows_rounded_up,
    some_of,
    text_tables,
    turned,
    unit_of,
)

import sklearn_cvtest as cvtest

MOST_CASES = 1000  # their number of designs says what is quick

every_case = pytest.mark.parametrize("case", CASES)
READERS = ("report", "to_frame", "to_markdown", "to_latex", "to_html", "plot", "save")


def test_every_result_has_every_reader_but_those_listed():
    """Whoever adds a reader takes it out: tests below read whatever there is."""
    with quiet():
        data = data_of(np.random.default_rng(0))
        comparison = data.compare(6)
        sets = cvtest.compare_over_datasets({"x": comparison, "y": data.compare(5)})
        scores = {"params": [{"C": 1}, {"C": 2}], "mean_test_score": np.zeros(2)}
        scores |= {f"split{k}_test_score": np.array([k, 1.0]) for k in range(4)}
        several = data.compare(6, scoring=["r2", "neg_mean_squared_error"])
        interval = cvtest.cross_val_interval(data.models, data.X, data.y)
        variances = data.compare("runs 0").variance_table()
        missing = [
            (comparison, ()),
            (cvtest.compare_candidates(scores, cv=4), ("save",)),
            (several, ("to_markdown", "to_latex", "plot", "save")),
            (sets, ("to_markdown",)),
            (sets.ranks(), set(READERS) - {"plot"}),
            (comparison.best_set(), READERS),
            (comparison.winner_interval(), ("plot", "save")),
            (comparison.gate(0.1, "a"), ("plot", "save")),
            (variances, ("save",)),
            (interval, ("to_markdown", "to_latex", "to_html", "save")),
            (comparison.by(np.arange(48) % 2), set(READERS) - {"to_frame", "plot"}),
        ]
    for result, readers in missing:
        absent = {reader for reader in READERS if not hasattr(result, reader)}
        assert absent <= set(readers), type(result)


def page_of(result, tmp_path):
    path = tmp_path / "page.html"
    result.to_html(path)
    return path.read_text(encoding="utf-8")


def tables_of(result, tmp_path=None):
    """Return the tables of all readers that there are; of the page with a path."""
    shown = {"print": text_tables(str(result))}
    if hasattr(result, "tables"):
        shown["report"] = text_tables(result.report())
    shown["notebook"] = html_tables(result._repr_html_())
    if hasattr(result, "to_markdown"):
        shown["markdown"] = markdown_tables(result.to_markdown())
    if hasattr(result, "to_latex"):
        shown["latex"] = latex_tables(result.to_latex())
    if tmp_path is not None and hasattr(result, "to_html"):
        shown["page"] = html_tables(page_of(result, tmp_path))
    return shown


# Tables of pairs ----------------------------------------------------------------------


def interval_of(row):
    """Return the interval that readers show of a row: the simultaneous one, if any."""
    kind = "_simultaneous" * ("ci_low_simultaneous" in row)
    return row[f"ci_low{kind}"], row[f"ci_high{kind}"]


def check_pairs(table, result, level):
    """Check a table with a row for each pair, the one that is ahead first."""
    frame = result.to_frame()
    rows = {(str(row["first"]), str(row["second"])): row for _, row in frame.iterrows()}
    rows |= {pair[::-1]: turned(row) for pair, row in rows.items()}
    scale = unit_of(result.losses)
    assert float(re.match(r"[\d.]+", table.headers[3])[0]) == level
    assert table.rows
    for ahead, behind, by, ends_shown, *texts, decision in table.rows:
        row = rows[behind, ahead]  # loss(behind) - loss(ahead)
        assert shows(by, row["estimate"], scale), (by, row)
        assert shows_interval(ends_shown, interval_of(row), scale), (ends_shown, row)
        columns = [column for column in CHANCES if column in row]
        columns = columns if len(texts) == 3 or not columns else columns[::2]
        for text, column in zip(texts, columns or ["pvalue_adjusted"], strict=True):
            assert shows(text, row[column]), (column, text, row)
        better = {"better": ahead, "worse": behind}.get(decision, "")
        expected = row["better"] if isinstance(row["better"], str) else ""
        assert better == expected, (decision, row)


CHANCES = "prob_greater", "prob_rope", "prob_less"  # of the one that is ahead, first


def is_of_pairs(table, result):
    """Whether the second column of a table holds names."""
    is_named = table.rows[0][1] in result.losses.names
    return is_named and len(table.headers) > 2  # else letters


def level_of(result, test):
    return round(100 * test.interval_level(result.alpha), 6)


@pytest.mark.parametrize("case", some_of(CASES, 12))
@random_designs(few=1, many=12)
def test_frame_is_what_the_tests_found(case, seed):
    result = compared(case, np.random.default_rng(seed))
    test = CASES[case][0]
    for row in result.to_frame().itertuples():
        fitted = result.tests[row.first, row.second]
        level = fitted.interval_level(result.alpha)
        found = (fitted.estimate_, fitted.statistic_, fitted.pvalue_)
        assert (row.estimate, row.statistic, row.pvalue) == pytest.approx(found)
        interval = fitted.confidence_interval(level)
        assert (row.ci_low, row.ci_high) == pytest.approx(tuple(interval)), test
        assert row.rho_alpha == pytest.approx(fitted.rho_alpha_, nan_ok=True)


@every_case
@random_designs(few=1, many=12)
def test_every_reader_shows_the_frame(case, seed):
    rng = np.random.default_rng(seed)
    reference = rng.choice(["b", None])
    result = compared(case, rng, int(rng.integers(2, 5)), reference=reference)
    check_readers(result)


def check_readers(result, page=None):
    """Check all readers of a comparison by one test against its frame."""
    (table,) = result.tables.values()
    level = level_of(result, table.test)
    shown = tables_of(result, page)
    shown["pairs"] = text_tables(str(result.pairs()))
    check_tables(result, shown, level)
    axes = new_axes()
    display = result.plot(ax=axes)
    assert f"{level:g}%" in axes.get_xlabel()
    check_forest(display, result)
    for text in (str(result), result.report(), page_words(result._repr_html_())):
        check_sentences(" ".join(text.split()), result, level)
    n_checked = check_sentences(" ".join(result.report().split()), result, level)
    rows = [row for of in result.decisions.values() for row in of.rows]
    unsaid = "not significant", "same", "inconclusive", "not equivalent"
    has_no_p = any(row.chances for row in rows)
    is_unsaid = all(row.is_reference or row.decision in unsaid for row in rows)
    assert n_checked or has_no_p or is_unsaid
    if len(table) == 1:
        check_verdict(result)


def check_tables(result, shown, level):
    for tables in shown.values():
        for table in tables:
            if is_of_pairs(table, result):
                check_pairs(table, result, level)
            elif len(table.headers) > 2:  # else letters
                assert len(table.rows) == len(result.losses.names)
                check_models(table, result, level)
    assert sum(map(len, shown.values())) >= 4, shown


def check_models(table, result, level):
    """Check a table with a row for each model, by what is decided of it."""
    losses, heads = result.losses, list(table.headers)
    scale = unit_of(losses)
    found = next(iter(result.decisions.values()), None)
    alone = result.estimator_intervals()
    own = f"{100 * (1 - result.alpha):g}"  # the level of the intervals of models
    has_own = len(heads) > 2 and heads[2].startswith(own) and alone is not None
    rest = heads[2 + has_own :]
    for name, mean, *cells in table.rows:
        column = losses.names.index(name.rstrip("† "))
        sign = -1 if losses.is_score else 1
        assert shows(mean, sign * losses.mean_losses[column], scale)
        if has_own:
            sides = alone.ci_low[column], alone.ci_high[column]
            assert shows_interval(cells.pop(0), sides, scale)
        if not rest:
            assert found is None
            continue
        row = next(row for row in found.rows if row.position == column)
        check_decision(dict(zip(rest, cells, strict=True)), row, found, level, scale)
        is_tied = row.decision in ("best", "not significant", "same", "inconclusive")
        if "†" in name:
            assert is_tied
            assert len(table.rows) > 2


def check_decision(shown, row, found, level, scale):
    """Check the cells of a model that stand beside its mean."""
    against, interval, *others = shown
    if row.is_reference:
        assert set(shown.values()) == {""}
        return
    assert float(re.match(r"[\d.]+", interval)[0]) == level
    sides = np.array([row.effect, row.low, row.high])
    if not found.is_about_best:  # by how much the model is ahead of the reference
        sides = -sides[[0, 2, 1]]
    assert shows(shown[against], sides[0], scale), (shown, sides)
    text = shown[interval]
    if text[0] in "≤≥":
        end = sides[1 + (text[0] == "≤")]
        assert shows(text[2:], end, scale), (shown, sides)
    elif text != "–":
        assert shows_interval(text, sides[1:], scale), (shown, sides)
    values = [row.pvalue]
    if row.chances:
        values = row.chances if len(others) == 3 else row.chances[::2]
    for header, value in zip(others, values, strict=True):
        assert shows_pvalue(shown[header], value), (header, shown)
    if not row.chances and found.table.names_winner:  # the decision is that of its p
        is_found = row.decision in ("better", "worse")
        assert is_found == (row.pvalue <= found.table.alpha)


# Pictures -----------------------------------------------------------------------------


def check_forest(display, result):
    """Check the rows of a forest plot against the decisions, or against the frame."""
    drawn = drawn_forest(display.ax_)
    if " − " in drawn[0].label:
        rows = {
            (row["first"], row["second"]): row
            for _, row in result.to_frame().iterrows()
        }
        assert len(drawn) == len(rows)
        for of_plot in drawn:
            row, sign = _row_and_sign(rows, of_plot.label)
            sides = row["estimate"], *interval_of(row)
            check_drawn(of_plot, sides, sign * display.factor)
            is_found = row["pvalue_adjusted"] <= result.alpha
            if "prob_less" in row:
                chances = row["prob_less"], row["prob_greater"], row["prob_rope"]
                is_found = max(chances) >= 1 - result.alpha
                check_texts(of_plot, max(chances))
            else:
                check_texts(of_plot, row["pvalue_adjusted"])
            assert of_plot.is_filled == is_found  # equivalent ones are grey
        return
    (found,) = result.decisions.values()
    names = result.losses.names
    assert [of.label for of in drawn] == [names[row.position] for row in found.rows]
    for of_plot, row in zip(drawn, found.rows, strict=True):
        if row.is_reference:
            assert (of_plot.estimate, of_plot.is_filled) == (0, False)
            continue
        sides = row.effect, row.low, row.high
        check_drawn(of_plot, sides, display.factor)
        decided = "worse", "better", "different", "equivalent"
        if row.chances:
            check_texts(of_plot, max(row.chances))
            is_found = max(row.chances) >= 1 - result.alpha
            assert of_plot.is_filled == is_found
        else:
            check_texts(of_plot, row.pvalue)
            assert of_plot.is_filled == (row.decision in decided)


def check_texts(of_plot, value):
    for text in of_plot.texts.values():
        shown = text.removeprefix("≤ ").partition(" ")[0] if text[0] != "<" else text
        assert shows(shown, value), of_plot


def _row_and_sign(rows, label):
    """Return the row of a pair, and -1 if it is turned."""
    pair = tuple(label.split(" − "))
    return (rows[pair], 1) if pair in rows else (rows[pair[::-1]], -1)


def check_drawn(of_plot, sides, factor):
    estimate, *ends = (factor * side for side in sides)
    assert of_plot.estimate == pytest.approx(estimate)
    for shown, value in zip(of_plot.intervals[0], sorted(ends), strict=True):
        if np.isfinite(value):
            assert shown == pytest.approx(value)


# Sentences ----------------------------------------------------------------------------

INTERVAL = rf"([\d.]+)% (?:credible interval|CI)[a-z ]* ({DIGITS}) to ({DIGITS})"
PVALUE = rf"(adjusted |one-sided |\b)p (?:[=≤]|(?=<)) ?(< {DIGITS}|{DIGITS})"


def check_sentences(text, result, level):
    """Check all p-values and intervals of sentences; return how many there were."""
    frame, scales = result.to_frame(), (1, 100)
    pvalues = [*frame["pvalue"], *frame["pvalue_adjusted"], result.alpha]
    pvalues += [row.pvalue for of in result.decisions.values() for row in of.rows]
    shown = re.findall(PVALUE, text)
    for _, of_text in shown:
        is_bound = f"≤ {of_text}" in text
        agrees = shows_rounded_up if is_bound else shows
        assert any(agrees(of_text, value) for value in pvalues), (of_text, pvalues)
    intervals = [interval_of(row) for _, row in frame.iterrows()]
    intervals += [(row.ci_low, row.ci_high) for row in frame.itertuples()]
    intervals += [(-high, -low) for low, high in intervals]
    alone = result.estimator_intervals()
    if alone is not None:
        intervals += zip(alone.ci_low, alone.ci_high, strict=True)
    levels = level, round(100 * (1 - result.alpha), 6)
    found = re.findall(INTERVAL, text)
    for of_level, *sides in found:
        assert float(of_level) in levels, text
        assert any(
            shows_interval(" to ".join(sides), interval, scale)
            for interval in intervals
            for scale in scales
        ), (sides, intervals, text)
    bounds = re.findall(rf"([\d.]+)% bound: at (?:least|most) ({DIGITS})", text)
    ends = [end for interval in intervals for end in interval]
    for of_level, end in bounds:
        assert float(of_level) == level, text
        assert any(shows(end, value, s) for value in ends for s in scales), text
    return len(shown) + len(found) + len(bounds)


def check_verdict(result):
    """Check that all readers begin with a sentence on the winner of the table."""
    (table,) = result.tables.values()
    found, winner = result.to_dict(), table.row(0).winner
    assert tuple(found["better"]) == (winner,) * bool(winner)
    for text in (str(result), page_words(result._repr_html_())):
        assert " ".join(text.split()).startswith(found["verdict"])
    assert not winner or found["verdict"].startswith(winner)


# Pages and files ----------------------------------------------------------------------


@pytest.mark.parametrize("case", some_of(CASES, 2))
def test_page_shows_the_frame(case, tmp_path):
    with quiet():
        check_readers(compared(case, np.random.default_rng(5), 3), tmp_path)


def table_of_scores(rng, n_models=3):
    """Return a long table of the scores of models, as columns."""
    shift = rng.normal(0, rng.choice([0.02, 0.3]), n_models)
    scores = rng.normal(0.7, 0.05, (n_models, 8)) + shift[:, np.newaxis]
    return {
        "model": np.repeat(NAMES[:n_models], 8).tolist(),
        "fold": np.tile(np.arange(8), n_models).tolist(),
        "loss": scores.ravel().tolist(),
    }


@random_designs(few=3, many=12)
def test_json_holds_what_the_frame_holds(seed, tmp_path):
    rng = np.random.default_rng(seed)
    table = table_of_scores(rng)
    reference = rng.choice(["b", None])
    result = cvtest.compare_table(table, loss="loss", reference=reference)
    files = tmp_path / "table.csv", tmp_path / "out.json"
    lines = [",".join(map(repr_of, row)) for row in zip(*table.values(), strict=True)]
    files[0].write_text("\n".join([",".join(table), *lines]) + "\n")
    options = ["--reference", reference] if reference else []
    assert main(["compare", str(files[0]), "--json", str(files[1]), *options]) == 0
    found = json.loads(files[1].read_text())
    frame = result.to_frame()
    for written, row in zip(found["pairs"], frame.to_dict("records"), strict=True):
        for column, value in row.items():
            if column in written and value == value:  # null in JSON if it is nan
                assert written[column] == pytest.approx(value), column
        assert {"estimate", "ci_low", "pvalue", "pvalue_adjusted"} <= set(written)
        assert written["significant"] == (row["pvalue_adjusted"] <= result.alpha)
    (of_table,) = result.tables.values()
    assert [pair["better"] or "" for pair in found["pairs"]] == [
        row.winner for row in of_table.rows()
    ]
    assert " ".join(str(result).split()).startswith(found["verdict"])


def repr_of(value):
    return value if isinstance(value, str) else repr(value)
