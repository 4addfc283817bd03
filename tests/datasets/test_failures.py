"""Estimators that failed on some data sets: left out there, or ranked last."""

import numpy as np
import pandas as pd
import pytest
from common import main
from numpy.testing import assert_allclose

from sklearn_cvtest import compare_over_datasets
from sklearn_cvtest.results import DatasetComparison

NAMES = [f"d{number:02}" for number in range(12)]
# b is better than a on all but the first two; c failed on all but these
FIRST = 0.7 + np.arange(12) / 100
SCORES = pd.DataFrame(
    {
        "a": FIRST,
        "b": FIRST + np.array([-0.050, -0.048, *(0.019 + np.arange(10) / 1000)]),
        "c": np.where(np.arange(12) < 2, FIRST - 0.03, np.nan),
    },
    index=NAMES,
)


def compared(missing, scores=SCORES, **options):
    return compare_over_datasets(scores, score="accuracy", missing=missing, **options)


@pytest.fixture(name="result", scope="module")
def ranked_last():
    return compared("worst")


@pytest.fixture(scope="module")
def dropped():
    return compared("drop")


def mean_ranks(result):
    ranks = result.ranks()
    return dict(zip(ranks.names, ranks.mean_ranks, strict=True))


def test_who_failed_where_is_named(dropped):
    text = " ".join(str(dropped).split())
    assert "c failed on 10 of 12 data sets (d02, d03, d04, d05 and 6 " in text
    assert "is not ranked" in text
    assert dropped.pairs == [("a", "b")]  # nothing is adjusted for those with c


def test_the_worst_are_ranked_last(result):
    # a: 1 and 1, then ten times 2; b: 3 and 3, ten times 1; c: 2 and 2, ten times 3
    ranks = mean_ranks(result)
    expected = {"a": 22 / 12, "b": 16 / 12, "c": 34 / 12}
    assert ranks == pytest.approx(expected)
    text = " ".join(str(result).split())
    assert text.startswith("Over 12 data sets, b has the lowest mean rank, 1.33; ")
    assert "there, it is ranked last" in text
    assert text.count("1.33") == 2  # in the sentence and the table


def test_failures_are_larger_than_all_differences(result):
    ranks = result.ranks()
    b, c = (ranks.names.index(name) for name in "bc")
    # two differences in favour of c, with the ranks 1 and 2, and ten failures of it,
    # larger than both: 4 of the 2^12 choices of signs have a sum of 3 at most
    pvalue = 2 * 4 / 2**12
    adjusted = 2 * pvalue  # second of three by Holm
    assert_allclose(ranks.wilcoxon_pvalues[b, c], adjusted)


def test_a_pair_is_decided_by_ranks_where_one_failed():
    pair = SCORES[["b", "c"]]
    assert "c is better than b" in str(compared("drop", pair))
    text = " ".join(str(compared("worst", pair)).split())
    assert "b has the lowest mean rank, 1.17; c is significantly worse" in text
    assert "Wilcoxon's signed-rank test" in text
    compared_with_b = " ".join(str(compared("worst", reference="b")).split())
    assert "c is significantly worse (adjusted p" in compared_with_b


def test_without_failures_nothing_changes():
    pair = SCORES[["a", "b"]]
    assert str(compared("worst", pair)) == str(compared("drop", pair))


def test_two_that_failed_share_the_last_ranks():
    scores = SCORES.assign(d=SCORES["c"])
    result = compared("worst", scores)
    ranks = mean_ranks(result)
    assert ranks["c"] == ranks["d"] == pytest.approx((2 * 2.5 + 10 * 3.5) / 12)


def test_the_setting_is_kept(result, dropped, tmp_path):
    result.save(tmp_path / "failed.npz")
    again = DatasetComparison.load(tmp_path / "failed.npz")
    assert str(again) == str(result)
    assert str(result.retest(missing="drop")) == str(dropped)


def test_the_command_takes_it(result, tmp_path, capsys):
    path = tmp_path / "scores.csv"
    SCORES.to_csv(path, index_label="dataset")
    options = ["compare", str(path), "--score", "accuracy"]
    assert main([*options, "--missing", "worst"]) == 0
    assert capsys.readouterr().out == f"{result}\n"


def test_a_model_that_failed_nearly_everywhere_has_no_difference_in_words():
    scores = SCORES.assign(d=SCORES["a"].where(np.arange(len(SCORES)) < 3))
    result = compared("worst", scores)
    assert "inf" not in str(result) + result.to_latex() + result.report()
    assert not np.isinf(result.to_frame().select_dtypes("number")).any(axis=None)
    result.plot()
