"""One number everywhere, of results other than comparisons on one data set."""

import numpy as np
import pytest
from common import square
from interfaces import (
    SPLITTERS,
    check_numbers,
    data_of,
    html_tables,
    numbers_in,
    page_words,
    quiet,
    random_designs,
    shows,
    shows_interval,
    shows_pvalue,
    text_tables,
    unit_of,
)

import sklearn_cvtest as cvtest

MOST_CASES = 1000  # their number of designs says what is quick


def tables_of(result):
    """Return the tables of print and of the notebook, which are the same."""
    printed = text_tables(str(result))[0]
    shown = html_tables(result._repr_html_())[0]
    assert printed.headers == shown.headers
    assert printed.rows == shown.rows
    return printed


@random_designs(few=1, many=8)
def test_several_metrics_are_each_of_them(seed):
    data = data_of(np.random.default_rng(seed))
    metrics = ["neg_mean_squared_error", "neg_mean_absolute_error"]
    cv = cvtest.BlockKFold(4, random_state=seed)
    several = data.compare(cv, scoring=metrics)
    frame = several.to_frame()
    assert len(tables_of(several).rows) == len(metrics)
    for metric in metrics:
        alone = data.compare(cv, scoring=metric)
        verdict, *_ = str(alone).split(";")
        assert " ".join(verdict.split()) in " ".join(several.report().split())
        of_metric = frame[frame["metric"] == metric]
        for column in ("estimate", "ci_low", "pvalue", "pvalue_adjusted"):
            assert of_metric[column].tolist() == alone.to_frame()[column].tolist()
        assert several[metric].pvalue_ == alone.pvalue_


@random_designs(few=2, many=12)
def test_a_picture_over_data_sets_draws_what_the_frame_has(seed):
    rng = np.random.default_rng(seed)
    found = {f"d{k}": data_of(rng, 2).compare(SPLITTERS["k-fold"](k)) for k in range(5)}
    with quiet():
        result = cvtest.compare_over_datasets(found)
        row = result.to_frame().iloc[0]
        ends = row[["estimate", "ci_low", "ci_high"]].to_numpy(float)
        # of log ratios, what is printed is in percent
        percent = 100 * np.expm1([*ends, *-ends])
        known = [*ends, *percent, row["pvalue"]]
        check_numbers(str(result).partition("\n\n")[0], [*known, 95, 5, *range(6)])
        axes = result.plot()
    axes = getattr(axes, "ax_", axes)
    points = np.concatenate([dots.get_offsets()[:, 0] for dots in axes.collections[1:]])
    drawn = [row["estimate"], *percent[[0, 3]]]  # of either as a part of the other
    assert np.isclose(np.abs(points)[:, np.newaxis], np.abs(drawn)).any()


@random_designs(few=1, many=12)
def test_readers_of_the_best_set_show_it(seed):
    comparison = cvtest.Comparison(data_of(np.random.default_rng(seed), 4).losses(6))
    best = comparison.best_set()
    frame = best.to_frame().set_index("estimator")
    for marked, mean, _, behind, interval, pvalue in tables_of(best).rows:
        row = frame.loc[marked.rstrip("† ")]
        assert shows(mean, row["mean_loss"])
        assert ("†" in marked) == row["may_be_best"]
        if row.name == best.names[0]:
            assert (behind, interval, pvalue) == ("", "", "")
            continue
        assert shows_pvalue(pvalue, row["pvalue"])
        assert shows(behind, row["difference"])
        assert shows_interval(interval, (row["ci_low"], row["ci_high"]))
    words = " ".join(str(best).split("\n\n")[0].split())
    assert words in page_words(best._repr_html_())
    assert words.startswith(best.names[0])


@random_designs(few=1, many=12)
def test_the_best_set_keeps_those_above_its_level(seed):
    comparison = cvtest.Comparison(data_of(np.random.default_rng(seed), 4).losses(6))
    pvalues = comparison.best_set().pvalues
    for name, pvalue in list(pvalues.items())[1:]:
        for alpha in (0.9 * pvalue, 1.1 * pvalue):
            if 0 < alpha < 0.5:
                best = comparison.retest(alpha=alpha).best_set()
                assert (name in best.names) == (best.pvalues[name] > alpha)


@random_designs(few=2, many=12)
def test_readers_of_intervals_show_them(seed):
    data = data_of(np.random.default_rng(seed), 1 + seed % 3)
    result = cvtest.cross_val_interval(data.models, data.X, data.y, cv=6, loss=square)
    frame = result.to_frame().set_index("model")
    for name, _, mean, interval, error, n_train in tables_of(result).rows:
        row = frame.loc[name]
        assert shows(mean, row["estimate"])
        assert shows_interval(interval, (row["ci_low"], row["ci_high"]))
        assert shows(error, row["standard_error"])
        assert shows(n_train, row["n_train"])
    axes = result.plot()
    axes = getattr(axes, "ax_", axes)
    segments = [segment[:, 0] for segment in axes.collections[0].get_segments()]
    assert np.allclose(segments, frame[["ci_low", "ci_high"]])


@pytest.mark.parametrize("design", ["k-fold", "repeated k-fold"])
@random_designs(few=1, many=12)
def test_readers_of_labels_show_the_frame(design, seed):
    rng = np.random.default_rng(seed)
    data = data_of(rng, int(rng.integers(2, 4)))
    comparison = data.compare(SPLITTERS[design](seed))
    result = comparison.by(rng.integers(0, 2, 48))
    frame, scale = result.to_frame(), unit_of(comparison.losses)
    table = tables_of(result)
    for cells, (_, row) in zip(table.rows, frame.iterrows(), strict=True):
        label, ahead, behind, by, interval, p, n_examples = cells
        assert (label, n_examples) == (str(row["label"]), str(row["n_examples"]))
        sides = row[["estimate", "ci_low_simultaneous", "ci_high_simultaneous"]]
        sides = sides.to_numpy(dtype=float)
        if ahead == row["first"]:
            sides = -sides[[0, 2, 1]]
        assert {ahead, behind} == {row["first"], row["second"]}
        assert shows(by, sides[0], scale)
        assert shows_interval(interval, sides[1:], scale)
        assert shows_pvalue(p, row["pvalue_adjusted"])
    axes = result.plot()
    axes = getattr(axes, "ax_", axes)
    points = np.concatenate([dots.get_offsets()[:, 0] for dots in axes.collections[1:]])
    assert np.allclose(np.sort(np.abs(points)), np.sort(np.abs(frame["estimate"])))


@random_designs(few=2, many=12)
def test_corrected_ttest_prints_what_it_found(seed):
    a, b = np.random.default_rng(seed).standard_normal((2, 10))
    result = cvtest.corrected_ttest(a, b, 90, 10)
    ends, row = result.confidence_interval(), result.to_frame().iloc[0]
    known = *row[["estimate", "statistic", "pvalue"]], *ends, result.df_, 95
    check_numbers(str(result), known)
    for value in known:
        assert any(shows(n, abs(value)) for n in numbers_in(str(result))), value
    assert " ".join(str(result).split()) in page_words(result._repr_html_())
