"""One number everywhere, of results other than comparisons on one data set."""

import re

import numpy as np
import pytest
from common import intervals_of, square
from interfaces import (
    DIGITS,
    SPLITTERS,
    check_numbers,
    data_of,
    drawn_forest,
    html_tables,
    latex_tables,
    new_axes,
    numbers_in,
    page_words,
    quiet,
    random_designs,
    shows,
    shows_interval,
    shows_pvalue,
    shows_rho,
    text_tables,
    turned,
)

import sklearn_cvtest as cvtest

MOST_CASES = 1000  # their number of designs says what is quick
COLUMNS = {"p": "pvalue", "standard error": "standard_error"}
COLUMNS |= {"trained on": "n_train"}
INTERVALS = rf"(?:interval|CI) \[?({DIGITS})(?:,| to) ({DIGITS})"


def check_rows(table, frame, keys, columns=COLUMNS):
    """Check the cells of a table against the rows of a frame with the same keys."""
    rows = {tuple(map(str, row[keys])): row for _, row in frame.iterrows()}
    if keys == ["first", "second"]:
        rows |= {pair[::-1]: turned(row) for pair, row in rows.items()}
    assert table.rows
    for cells in table.rows:
        shown = dict(zip(map(str.lower, table.headers), cells, strict=True))
        row = rows[tuple(cells[: len(keys)])]
        for header, text in shown.items():
            if header.endswith("prediction interval"):
                assert shows_interval(text, (row["pi_low"], row["pi_high"]))
            elif header.endswith(("interval", "CI")):
                assert shows_interval(text, (row["ci_low"], row["ci_high"]))
            elif header.startswith(("p (", "p adj")):
                assert shows(text, row["pvalue_adjusted"]), (text, row)
            elif header == "rho_alpha":
                assert shows_rho(text, row["rho_alpha"]), (text, row)
            elif header == "behind by":
                assert shows(text, row["difference"]), (text, row)
            elif header in columns:
                assert shows_pvalue(text, row[columns[header]]), (header, text, row)


def check_intervals(text, intervals):
    """Check that all intervals in sentences are some of these, either way round."""
    known = [*intervals, *((-high, -low) for low, high in intervals)]
    found = re.findall(INTERVALS, text)
    for sides in found:
        assert any(shows_interval(" to ".join(sides), ends) for ends in known), text
    return len(found)


# Candidates ---------------------------------------------------------------------------


def search_of(rng, n_candidates=4, n_splits=6):
    """Return what a search leaves: scores of candidates by splits."""
    shift = rng.normal(0, rng.choice([0.1, 1.5]), n_candidates)
    scores = rng.standard_normal((n_splits, n_candidates)) + shift
    found = {f"split{k}_test_score": row for k, row in enumerate(scores)}
    return found | {"params": [{"C": c} for c in range(n_candidates)]}


@random_designs(few=3, many=12)
def test_readers_of_candidates_show_the_frame(seed):
    rng = np.random.default_rng(seed)
    reference = [None, "best", 0][seed % 3]
    result = cvtest.compare_candidates(search_of(rng), cv=6, reference=reference)
    frame = result.to_frame()
    frame["interval"] = list(map(tuple, shown_intervals(result)))
    (found,) = result.decisions.values()
    by_name = {result.losses.names[row.position]: row for row in found.rows}
    for tables in (text_tables(str(result)), html_tables(result._repr_html_())):
        for name, mean, _, behind, interval, p in tables[0].rows:
            row = by_name[name.rstrip("† ")]
            assert shows(mean, -result.losses.mean_losses[row.position])
            if row.is_reference:
                continue
            sign = 1 if found.is_about_best else -1
            sides = np.array([row.effect, row.low, row.high][::1])
            sides = sides if sign > 0 else -sides[[0, 2, 1]]
            assert shows(behind, sides[0])
            assert shows_interval(interval, sides[1:])
            assert shows_pvalue(p, row.pvalue)
    axes = new_axes()
    result.plot(ax=axes)
    for drawn in drawn_forest(axes):
        row = by_name[drawn.label]
        assert drawn.is_filled == (row.decision in ("better", "worse"))
        if not row.is_reference:  # scores: better is to the right
            assert drawn.estimate == pytest.approx(-row.effect)
            (ends,) = drawn.intervals
            assert ends == pytest.approx((-row.high, -row.low))


def shown_intervals(result):
    """Return the intervals that all readers show: the simultaneous ones, if any."""
    table = result.table
    if table.ci_low_simultaneous is None:
        return intervals_of(result)
    return np.column_stack([table.ci_low_simultaneous, table.ci_high_simultaneous])


# Several metrics ----------------------------------------------------------------------


@random_designs(few=1, many=8)
def test_several_metrics_are_each_of_them(seed):
    data = data_of(np.random.default_rng(seed))
    metrics = ["neg_mean_squared_error", "neg_mean_absolute_error"]
    cv = cvtest.BlockKFold(4, random_state=seed)
    several = data.compare(cv, scoring=metrics)
    frame = several.to_frame()
    assert len(text_tables(str(several))[0].rows) == len(metrics)
    for metric in metrics:
        alone = data.compare(cv, scoring=metric)
        verdict, *_ = alone.to_dict()["verdict"].split(";")
        assert verdict in " ".join(several.report().split())
        of_metric = frame[frame["metric"] == metric].drop(columns="metric")
        for column in ("estimate", "ci_low", "pvalue", "pvalue_adjusted"):
            assert of_metric[column].tolist() == alone.to_frame()[column].tolist()
        assert several[metric].pvalue_ == alone.pvalue_


# Data sets ----------------------------------------------------------------------------


def over_datasets(rng, n_models=3, n_datasets=5, design="k-fold", **options):
    """Return the comparisons on some data sets, and that over them."""
    found = {}
    for number in range(n_datasets):
        data = data_of(rng, n_models)
        found[f"d{number}"] = data.compare(SPLITTERS[design](number))
    return found, cvtest.compare_over_datasets(found, **options)


def check_page_tables(tables, result, frame):
    for table in tables:
        if table.rows[0][0] in result.datasets:
            check_wins(table, result)
        else:
            check_ahead(table, frame)


def check_ahead(table, frame, keys=()):
    """Check a table of pairs, the one that is ahead first.

    Its columns are known by their places: `keys`, the pair, what else is text, by how
    much, the interval and the p-values.
    """
    names = [*keys, "first", "second"]
    rows = {tuple(map(str, row[names])): row for _, row in frame.iterrows()}
    place = next(n for n, head in enumerate(table.headers) if head.startswith("by"))
    scale, n = 100 if "(" in table.headers[place] else 1, len(keys)
    assert len(table.rows) == len(frame)
    for cells in table.rows:
        own, (ahead, behind) = cells[:n], cells[n : n + 2]
        is_turned = (*own, behind, ahead) not in rows
        row = rows[*own, *((ahead, behind) if is_turned else (behind, ahead))]
        row = turned(row) if is_turned else row  # loss(behind) - loss(ahead)
        by, interval, *rest = cells[place:]
        sides = row["ci_low"], row["ci_high"]
        if "ci_low_simultaneous" in row:
            sides = row["ci_low_simultaneous"], row["ci_high_simultaneous"]
        assert shows(by, row["estimate"], scale), (by, row)
        assert shows_interval(interval, sides, scale), (interval, row)
        pvalues = [row["pvalue"], row["pvalue_adjusted"]]
        heads = [h for h in table.headers[place + 2 :] if h[0] == "p" and h[1:2] != "r"]
        for header, text, value in zip(
            heads, rest, pvalues[-len(heads) :], strict=False
        ):
            assert shows(text, value), (header, text, row)


def check_wins(table, result):
    """Check the table of data sets by estimators: mean losses."""
    names, means = list(result.names), result.mean_losses
    columns = [names.index(header) for header in table.headers[1:]]
    rows = [row for row in table.rows if row[0] in result.datasets]
    assert len(rows) == len(means)
    for name, *cells in rows:
        row = means[list(result.datasets).index(name)]
        for text, column in zip(cells, columns, strict=True):
            text = re.sub(r"\$.*\$", "", text)
            assert shows(text.strip(" ∘•"), row[column])


@random_designs(few=2, many=12)
def test_readers_of_data_sets_show_the_frame(seed):
    rng = np.random.default_rng(seed)
    n_models, design = rng.integers(2, 4), rng.choice(["k-fold", "repeated k-fold"])
    _, result = over_datasets(rng, n_models, design=design)
    frame = result.to_frame()
    shown = [text_tables(str(result)), html_tables(result._repr_html_())]
    for tables in shown:
        assert len(tables) == 2
        check_page_tables(tables, result, frame)
    check_wins(latex_tables(result.to_latex())[0], result)
    ends = list(zip(frame["ci_low"], frame["ci_high"], strict=True))
    for text in (str(result), result.report(), page_words(result._repr_html_())):
        check_intervals(" ".join(text.split()), ends)
    words = " ".join(result.report().split())
    assert check_intervals(words, ends) or len(frame) > 1
    if len(frame) == 1:
        row = frame.iloc[0]
        known = *row[["estimate", "ci_low", "ci_high", "pvalue"]], len(result.datasets)
        verdict = result.to_dict()["verdict"]
        check_numbers(verdict, [*known, 100 * (1 - result.alpha)])
        assert any(shows(n, abs(row["estimate"])) for n in numbers_in(verdict))


@pytest.mark.parametrize(
    "design", ["k-fold", "repeated k-fold", "subsample", "paired halves"]
)
@random_designs(few=1, many=8)
def test_plot_over_data_sets_draws_what_each_test_found(design, seed):
    rng = np.random.default_rng(seed)
    on_each, result = over_datasets(rng, 3, 4, design=design)
    for pair in result.pairs:
        axes = new_axes()
        result.plot(*pair, ax=axes)
        *rows, mean = drawn_forest(axes)
        assert {row.label for row in rows} == set(on_each)
        for row in rows:
            check_drawn(row, on_each[row.label].tests[pair])
        frame = result.to_frame().set_index(["first", "second"]).loc[pair]
        assert mean.estimate == pytest.approx(frame["estimate"])
        ends = frame["ci_low"], frame["ci_high"]
        assert mean.intervals[0] == pytest.approx(ends)
        assert shows(mean.texts["p"], frame["pvalue_adjusted"])
        assert mean.is_filled == (frame["pvalue_adjusted"] <= result.alpha)
        left, right = axes.get_xlabel().splitlines()[-1].split("|")
        assert pair[0] in left  # of a loss
        assert pair[1] in right


def check_drawn(row, fitted):
    """Check a row of a forest plot against the test that found it."""
    assert row.estimate == pytest.approx(fitted.estimate_)
    assert row.intervals[0] == pytest.approx(tuple(fitted.confidence_interval(0.95)))
    assert shows(row.texts["p"], fitted.pvalue_)
    assert row.is_filled == (fitted.pvalue_ <= 0.05)


@pytest.mark.full
def test_page_over_data_sets_shows_the_frame(tmp_path):
    with quiet():
        _, result = over_datasets(np.random.default_rng(0))
    result.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    *tables, reported = html_tables(page)
    assert len(tables) == 2
    for pairs in (tables[1], reported):
        check_page_tables([tables[0], pairs], result, result.to_frame())


@random_designs(few=1, many=8)
def test_readers_of_ranks_show_them(seed):
    _, result = over_datasets(np.random.default_rng(seed), 4)
    ranks = result.ranks()
    names, means = list(ranks.names), ranks.mean_ranks
    for tables in (text_tables(str(ranks)), html_tables(ranks._repr_html_())):
        for row, cells in enumerate(tables[0].rows):
            assert cells[0] == names[row]
            assert shows(cells[1], means[row])
            if row:
                assert shows(cells[2], ranks.nemenyi_pvalues[0, row])
                assert shows(cells[3], ranks.wilcoxon_pvalues[0, row])
    texts = [text.get_text() for text in ranks.plot(ax=new_axes()).texts]
    drawn = dict(re.findall(r"(\w) \(([\d.]+)\)", " ".join(texts)))
    assert all(
        shows(drawn[name], mean) for name, mean in zip(names, means, strict=True)
    )


# Sets, single models, labels ----------------------------------------------------------


@random_designs(few=1, many=12)
def test_readers_of_the_best_set_show_it(seed):
    comparison = cvtest.Comparison(data_of(np.random.default_rng(seed), 4).losses(6))
    best = comparison.best_set()
    for tables in (text_tables(str(best)), html_tables(best._repr_html_())):
        for marked, mean, *behind, pvalue in tables[0].rows:
            name = marked.rstrip("† ")
            assert shows(mean, best.mean_losses[name])
            is_empty = bool(behind) and name == best.names[0]  # not behind itself
            assert is_empty or shows_pvalue(pvalue, best.pvalues[name])
            assert not is_empty or not any((*behind, pvalue))
            if behind and not is_empty:
                estimate, *ends = best.differences[name]
                assert shows(behind[0].replace("−", "-"), estimate)
                assert shows_interval(behind[1].replace("−", "-"), ends)
            assert ("†" in marked) == (name in best.names)
            assert ("†" in marked) == (best.pvalues[name] > best.alpha)
    words = " ".join(str(best).split("\n\n")[0].split())
    assert words in page_words(best._repr_html_())
    said = re.findall(r"\b[a-d]\b", words)
    assert words.startswith(best.names[0])
    assert set(said) <= set(best.pvalues)


@random_designs(few=1, many=12)
def test_the_best_set_keeps_those_above_its_level(seed):
    comparison = cvtest.Comparison(data_of(np.random.default_rng(seed), 4).losses(6))
    pvalues = comparison.best_set().pvalues
    for name, pvalue in list(pvalues.items())[1:]:
        for alpha in (0.9 * pvalue, 1.1 * pvalue):
            if 0 < alpha < 0.5:
                best = comparison.best_set(alpha)
                assert (name in best.names) == (best.pvalues[name] > alpha)


@random_designs(few=2, many=12)
def test_readers_of_intervals_show_them(seed):
    data = data_of(np.random.default_rng(seed), 1 + seed % 3)
    result = cvtest.cross_val_interval(data.models, data.X, data.y, cv=6, loss=square)
    frame = result.to_frame()
    columns = COLUMNS | {"mean": "estimate"}
    for tables in (text_tables(str(result)), html_tables(result._repr_html_())):
        check_rows(tables[0], frame, ["model"], columns)
    ends = list(zip(frame["ci_low"], frame["ci_high"], strict=True))
    assert check_intervals(" ".join(result.report().split()), ends) == len(frame)
    axes = result.plot(ax=new_axes())
    drawn = drawn_forest(axes)
    assert np.allclose([row.intervals[0] for row in drawn], ends)
    assert [row.estimate for row in drawn] == pytest.approx(frame["estimate"].tolist())
    assert [row.label for row in drawn] == frame["model"].tolist()


@random_designs(few=1, many=8)
def test_interval_of_one_model_is_that_beside_a_comparison(seed):
    data = data_of(np.random.default_rng(seed), 2)
    cv = cvtest.BlockKFold(6, random_state=seed)
    alone = cvtest.cross_val_interval(data.models, data.X, data.y, cv=cv, loss=square)
    beside = data.compare(cv).estimator_intervals()
    ends = list(zip(beside.ci_low, beside.ci_high, strict=True))
    assert np.allclose(list(alone.interval_.values()), ends)


@pytest.mark.parametrize("design", ["k-fold", "repeated k-fold"])
@random_designs(few=1, many=12)
def test_readers_of_labels_show_the_frame(design, seed):
    rng = np.random.default_rng(seed)
    data = data_of(rng, int(rng.integers(2, 4)))
    result = data.compare(SPLITTERS[design](seed)).by(rng.integers(0, 2, 48))
    frame = result.to_frame()
    for tables in (text_tables(str(result)), html_tables(result._repr_html_())):
        check_ahead(tables[0], frame, ["label"])
    axes = result.plot(ax=new_axes())
    rows = drawn_forest(axes)
    assert len(rows) == len(frame)
    of_estimate = {round(row["estimate"], 9): row for _, row in frame.iterrows()}
    for drawn in rows:
        row = of_estimate[round(drawn.estimate, 9)]
        (ends,) = drawn.intervals
        simultaneous = row["ci_low_simultaneous"], row["ci_high_simultaneous"]
        assert ends == pytest.approx(simultaneous)
        assert all(shows(text, row["pvalue_adjusted"]) for text in drawn.texts.values())
        assert drawn.label == f"{row['label']} ({row['n_examples']})"
    found = frame[frame["pvalue_adjusted"] <= result.alpha]
    pvalues = [*frame["pvalue_adjusted"], 0.001]
    check_numbers(result.sentence(), [*map(float, result.labels), *pvalues])
    for _, row in found.iterrows():
        assert str(row["label"]) in result.sentence()


@random_designs(few=2, many=12)
def test_corrected_ttest_prints_what_it_found(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.standard_normal((2, 10))
    result = cvtest.corrected_ttest(a, b, 90, 10)
    ends, row = result.confidence_interval(), result.to_frame().iloc[0]
    known = *row[["estimate", "statistic", "pvalue"]], *ends, result.df, 95
    check_numbers(str(result), known)
    for value in known:
        assert any(shows(n, abs(value)) for n in numbers_in(str(result))), value
    assert " ".join(str(result).split()) in page_words(result._repr_html_())
