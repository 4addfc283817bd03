"""Tables of one number for each data set and model."""

import numpy as np
import pytest
from common import main
from interfaces import text_tables
from numpy.testing import assert_allclose
from scipy import stats

from sklearn_cvtest import compare_file, compare_over_datasets

pd = pytest.importorskip("pandas")
MODELS = ["ridge", "knn", "tree", "forest"]


def benchmark(n_datasets=12, seed=0):
    rng = np.random.default_rng(seed)
    easy = rng.uniform(0.6, 0.95, (n_datasets, 1))
    better = np.array([0.0, -0.02, -0.04, 0.005])
    values = easy + better + rng.normal(0, 0.01, (n_datasets, 4))
    names = [f"data {number}" for number in range(n_datasets)]
    return pd.DataFrame(values, columns=MODELS, index=pd.Index(names, name="dataset"))


def as_long(table):
    options = {"var_name": "model", "value_name": "accuracy"}
    return table.reset_index().melt(id_vars="dataset", **options)


def test_mean_difference_is_tested_by_the_t_test_over_data_sets():
    table = benchmark()
    result = compare_over_datasets(table, score="accuracy")
    frame = result.to_frame()
    intervals = frame[["ci_low", "ci_high"]].to_numpy()
    predictions = frame[["pi_low", "pi_high"]].to_numpy()
    for row, (first, second) in enumerate(result.pairs):
        found = stats.ttest_rel(table[second], table[first])
        ends = found.confidence_interval()
        assert_allclose(result.pvalues[row], found.pvalue, rtol=1e-9)
        assert_allclose(intervals[row], [ends.low, ends.high], atol=1e-12)
        d = table[second] - table[first]
        half = d.std() * np.sqrt(1 + 1 / 12) * stats.t.ppf(0.975, 11)
        predicted = [d.mean() - half, d.mean() + half]
        assert_allclose(predictions[row], predicted, rtol=1e-9)
        wins, ties, losses = result.win_tie_loss[row]
        assert (wins, ties, losses) == ((d > 0).sum(), 0, (d < 0).sum())


def test_ranks_are_those_of_scipy():
    table = benchmark()
    ranks = compare_over_datasets(table, score="accuracy").ranks()
    assert_allclose(ranks.friedman.pvalue, stats.friedmanchisquare(*table.T.values)[1])
    assert_allclose(np.sort(ranks.mean_ranks), np.sort((-table).T.rank().mean(axis=1)))


def test_wide_and_long_tables_and_files_are_one(tmp_path):
    wide = benchmark()
    long = as_long(wide).sample(frac=1, random_state=0)
    expected = compare_over_datasets(wide, score="accuracy").to_frame()
    long.to_csv(tmp_path / "long.csv", index=False)
    wide.to_csv(tmp_path / "wide.csv")
    expected = expected.set_index(["first", "second"]).estimate
    of_frame = compare_over_datasets(wide.reset_index(), score="accuracy")
    of_files = [
        compare_file(tmp_path / name, score="accuracy")
        for name in ("wide.csv", "long.csv")
    ]
    for found in (of_frame, *of_files):
        found = found.to_frame()
        estimates = found.set_index(["first", "second"]).estimate
        for (first, second), value in expected.items():
            if (first, second) in estimates.index:
                assert_allclose(estimates[first, second], value)
            else:
                assert_allclose(estimates[second, first], -value)


@pytest.mark.parametrize("name", ["Average", "mean rank", "W/T/L"])
def test_what_summarises_is_no_data_set_and_no_model(name):
    table = benchmark()
    long = table.rename_axis("dataset").rename(index={table.index[0]: name})
    long = long.melt(var_name="model", value_name="accuracy", ignore_index=False)
    rows = table.rename(index={table.index[0]: name})
    for frame in (rows, long.reset_index(), table.rename(columns={"tree": name})):
        with pytest.raises(ValueError, match=f"(summaries|models).*; got '{name}'"):
            compare_over_datasets(frame, score="accuracy")


def test_losses_percent_and_holes():
    table = 100 * (1 - benchmark())
    table.iloc[2, 1] = np.nan
    result = compare_over_datasets(table, loss="error", percent=True)
    frame = result.to_frame().set_index(["first", "second"])
    assert frame.n_datasets["ridge", "knn"] == 11
    assert frame.n_datasets["ridge", "tree"] == 12
    gap = (table.ridge - table.tree).mean() / 100
    assert_allclose(frame.estimate["ridge", "tree"], gap)


def test_scores_keep_their_sign_in_all_that_is_printed():
    result = compare_over_datasets(benchmark(), score="accuracy")
    (models,) = text_tables(str(result))
    place = models.headers.index("accuracy (%)")
    assert all(60 < float(row[place]) < 95 for row in models.rows)
    assert "nan" not in str(result) + result.report() + result.to_latex()


def test_file_gives_the_same(tmp_path):
    result = compare_over_datasets(benchmark(), score="accuracy")
    result.save(tmp_path / "file")
    assert str(type(result).load(tmp_path / "file")) == str(result)
    assert result.retest(p_adjust=None).p_adjust is None


def test_folds_of_a_data_set_are_still_folds():
    table = {
        "dataset": ["a"] * 4 + ["b"] * 4,
        "model": ["x", "x", "y", "y"] * 2,
        "fold": [0, 1] * 4,
        "score": [0.5, 0.6, 0.7, 0.75, 0.4, 0.5, 0.6, 0.65],
    }
    result = compare_over_datasets(pd.DataFrame(table))
    assert result.losses["a"].design.n_splits == 2
    (count,) = result.win_tie_loss.tolist()  # by the test of each: not significant
    assert count == [0, 2, 0]


@pytest.mark.parametrize(
    ("change", "options", "match"),
    [
        (lambda t: t, {}, "pass score="),
        (lambda t: t, {"score": "accuracy", "loss": "error"}, "not both"),
        (lambda t: t, {"score": "accuracy", "fold": "zz"}, "`fold`"),
        (lambda t: t, {"score": "accuracy", "cv": 3}, "`cv`"),
        (lambda t: t, {"score": "accuracy", "scale": "log"}, "`scale`"),
        (lambda t: t.reset_index(drop=True), {"score": "accuracy"}, "`dataset`"),
        (lambda t: t.iloc[:1], {"score": "accuracy"}, "two data sets"),
        (lambda t: 100 * t, {"score": "accuracy"}, "percent"),
        (
            lambda t: pd.concat([t, t]).reset_index(),
            {"score": "accuracy"},
            "another data set",
        ),
        (
            lambda t: pd.concat([as_long(t)] * 2),
            {"score": "accuracy"},
            "one row for each data set and model",
        ),
    ],
)
def test_bad_tables_are_refused(change, options, match):
    with pytest.raises((TypeError, ValueError), match=match):
        compare_over_datasets(change(benchmark()), **options)


@pytest.mark.parametrize("wide", [False, True])
def test_command_takes_a_benchmark(tmp_path, wide, capsys):
    table = benchmark() if wide else as_long(benchmark()).set_index("dataset")
    table.to_csv(tmp_path / "table.csv")
    command = ["compare", str(tmp_path / "table.csv"), "--score", "accuracy"]
    assert main(command) == 0
    assert "12" in capsys.readouterr().out.splitlines()[0]
    assert main([*command, "--margin", "0.1", "--reference", "knn"]) == 2


@pytest.mark.parametrize("reference", [None, "m0"])
@pytest.mark.parametrize("n_models", [2, 3, 8])
@pytest.mark.parametrize("n_datasets", [4, 20])
def test_a_print_is_of_one_family(n_models, n_datasets, reference):
    """Of each row, 0 is outside the interval exactly if p is at most the level."""
    rng = np.random.default_rng(1)
    values = 0.8 + 0.02 * np.arange(n_models) + rng.normal(0, 0.02, (n_datasets, 1))
    values = values + rng.normal(0, 0.02, (n_datasets, n_models))
    names = [f"m{i}" for i in range(n_models)]
    table = pd.DataFrame(values, [f"d{i}" for i in range(n_datasets)], names)
    result = compare_over_datasets(table, score="accuracy", reference=reference)
    text = str(result)
    (models,) = text_tables(text)
    n_significant = 0
    place = models.headers.index("95% CI")
    for name, *_, interval, p in (row[: place + 2] for row in models.rows):
        if interval:
            low, high = (float(end.replace("−", "-")) for end in interval.split(" to "))
            is_outside = low > 0 or high < 0
            assert is_outside == (float(p.removeprefix("< ")) <= 0.05)
            assert is_outside == (not name.endswith("†") or n_models == 2)
            n_significant += is_outside
    if n_models == 2 or reference:
        assert n_significant == result.significant.sum()
    test = {"t": "Student's t test", "wilcoxon": "Wilcoxon's signed-rank test"}
    words = " ".join(text.split())
    assert f"intervals and p-values are from {test[result.decided_by]}" in words


def test_an_interval_of_the_table_of_models_is_the_pair_s():
    """Also the sign of its ends, of pairs that are turned round."""
    rng = np.random.default_rng(2)
    values = 0.8 + 0.01 * np.arange(8)[::-1] + rng.normal(0, 0.02, (20, 8))
    order = [3, 0, 6, 1, 7, 2, 5, 4]
    names = [f"m{i}" for i in order]
    table = pd.DataFrame(values[:, order], [f"d{i}" for i in range(20)], names)
    result = compare_over_datasets(table, score="accuracy")
    frame = result.to_frame().set_index(["first", "second"])
    (models,) = text_tables(str(result))
    best = models.rows[0][0].removesuffix(" †")
    n_turned = 0
    for name, *cells in models.rows[1:]:
        name = name.removesuffix(" †")
        is_turned = (name, best) not in frame.index
        row = frame.loc[(best, name) if is_turned else (name, best)]
        names = ["pseudomedian", "pseudomedian_low", "pseudomedian_high"]
        behind, *ends = 100 * row[names].to_numpy(dtype=float)
        if is_turned:
            behind, ends = -behind, [-ends[1], -ends[0]]
        n_turned += is_turned
        by, interval = cells[models.headers.index("behind the best") - 1 :][:2]
        shown = [by, *interval.split(" to ")]
        shown = [float(number.replace("−", "-")) for number in shown]
        assert shown == pytest.approx([behind, *ends], abs=0.051)
    assert 0 < n_turned < 7


@pytest.mark.parametrize("n_models", [2, 3])
def test_the_scale_of_the_data_sets_decides(n_models):
    """Whatever the loss is called: of other sizes it is compared by ratio."""
    rng = np.random.default_rng(0)
    sizes = 10.0 ** rng.uniform(-1, 2, (12, 1))
    values = sizes * np.exp(rng.normal(0, 0.05, (12, n_models)))
    values[:, 0] *= 0.9
    names = [f"m{i}" for i in range(n_models)]
    table = pd.DataFrame(values, [f"d{i}" for i in range(12)], names)
    result = compare_over_datasets(table, loss="test_error")
    assert result.scale == "log"
    logs = np.log(values[:, 0]) - np.log(values[:, 1])
    frame = result.to_frame()
    assert_allclose(frame.estimate[0], logs.mean())
    units = table * 10.0 ** np.arange(12)[:, np.newaxis]  # of each data set another
    again = compare_over_datasets(units, loss="test_error").to_frame()
    assert_allclose(again.pvalue_wilcoxon, frame.pvalue_wilcoxon)
    assert_allclose(again.pvalue, frame.pvalue)
    unadjusted = result.retest(p_adjust=None).to_frame()
    assert_allclose(unadjusted.pvalue_wilcoxon[0], stats.wilcoxon(logs).pvalue)
    of_one_size = compare_over_datasets(table / sizes, loss="test_error")
    assert of_one_size.scale is None
    shares = compare_over_datasets(table / values.max(), loss="test_error")
    assert shares.scale is None
    assert compare_over_datasets(table, score="gain").scale is None
