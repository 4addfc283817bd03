"""What a comparison of candidates says, where it is not what others say."""

import re

import numpy as np
import pytest
from matplotlib.text import Text
from searches import CLEAR, SCORES, compare, results_of

from sklearn_cvtest import BayesianCorrelatedTTest, KFoldTTest, compare_candidates
from sklearn_cvtest.results import CandidateComparison, MultiMetricComparison

RNG = np.random.default_rng(0)


def words(result):
    return " ".join(str(result).split())


def test_text_of_two_thousand_candidates_is_short():
    result = compare(RNG.normal(size=(2000, 10)), reference=7)
    text = str(result)
    assert len(text.splitlines()) < 45
    lines = text.split("\n")
    ruled = next(n for n, line in enumerate(lines) if line.startswith("---"))
    assert lines[ruled + 1].split()[0] == f"C={result.best}"


def test_text_of_posterior_probabilities_decides_by_them():
    result = compare(CLEAR, test=BayesianCorrelatedTTest(0.01))
    assert (result.table.winner == result.table.first).any()
    frame, said = result.to_frame(), result.to_dict()
    worse = frame["second"][frame["prob_less"] >= 0.95]
    assert set(said["worse"]) == {result.estimator_names[row] for row in worse}
    assert said["worse"]
    assert not said["better"]


def named(params):
    return compare_candidates(results_of(SCORES, params=params), cv=10)


def test_names_are_made_of_the_parameters_that_differ():
    result = named([{"a": 1, "b": row} for row in range(6)])
    assert result.estimator_names == tuple(f"b={row}" for row in range(6))
    assert result.best in range(6)  # rows of `cv_results_`, as `best_index_`
    pipeline = named([{"svc__C": row, "pca__n": row % 3} for row in range(6)])
    assert pipeline.estimator_names[4] == "C=4, n=1"


def test_names_of_equal_parameters_differ():
    result = named([{"a": row % 3} for row in range(6)])
    assert result.estimator_names[1] == "a=1 (#1)"
    assert len(set(result.estimator_names)) == 6


def test_names_show_parameters_briefly():
    values = [1 / 3, np.float64(2e7 / 3), np.int64(1234567), 10, True, "rbf"]
    result = named([{"a": value} for value in values])
    shown = ("0.3333", "6.667e+06", "1234567", "10", "True", "'rbf'")
    assert result.estimator_names == tuple(f"a={text}" for text in shown)


def test_names_are_in_all_that_is_shown():
    result = named([{"max_depth": depth} for depth in range(1, 7)])
    best = f"max_depth={result.best + 1}"
    assert str(result).startswith(best)
    assert best in result.report()
    assert best.replace("_", r"\_") in result.to_latex()
    texts = result.plot().ax_.findobj(Text)
    assert any(best in text.get_text() for text in texts)


def test_html_escapes_parameters():
    html = named([{"a": f"<{row}>"} for row in range(6)])._repr_html_()
    assert "&lt;3&gt;" in html
    assert "<3>" not in html


def test_repr():
    shown = repr(compare(SCORES))
    assert re.match("<CandidateComparison of 6 candidates, 10-fold cross-valid", shown)


@pytest.mark.parametrize("options", [{}, {"reference": None}, {"reference": 2}])
def test_files_hold_the_comparison(tmp_path, options):
    tests = {"t": KFoldTTest(), "naive": KFoldTTest(0)}
    params = [{"a": row, "b": KFoldTTest()} for row in range(6)]
    result = compare_candidates(
        results_of(SCORES, params=params), cv=10, test=tests, **options
    )
    result.save(tmp_path / "c")
    loaded = CandidateComparison.load(tmp_path / "c")
    assert str(loaded) == str(result)
    assert loaded.params[3] == {"a": 3, "b": "KFoldTTest()"}
    assert str(loaded.retest(alpha=0.2)) == str(result.retest(alpha=0.2))
    several = MultiMetricComparison({"one": result, "other": compare(CLEAR)})
    several.save(tmp_path / "m")
    assert str(MultiMetricComparison.load(tmp_path / "m")) == str(several)
