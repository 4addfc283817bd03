"""What a comparison of candidates says."""

import re

import numpy as np
from searches import CLEAR, SCORES, compare, results_of

from sklearn_cvtest import BayesianCorrelatedTTest, compare_candidates

RNG = np.random.default_rng(0)


def test_text_of_two_thousand_candidates_is_short():
    result = compare(RNG.normal(size=(2000, 10)), reference=7)
    text = str(result)
    assert len(text.splitlines()) < 40
    assert re.search(r"\n +7 .*reference", text)
    assert "1989 more candidates are in to_frame()" in text.replace("\n", " ")
    assert "2000 candidates, 10-fold cross-validation" in text
    best = result.best
    rows = text.split("\n")
    ruled = next(n for n, row in enumerate(rows) if row.startswith("---"))
    assert rows[ruled + 2].split()[0] == str(best)


def test_text_says_the_sign_and_what_was_chosen():
    text = " ".join(str(compare(CLEAR)).split())
    best = CLEAR.mean(axis=1).argmax()
    assert f"difference = score(candidate) - score(candidate {best}, the best)" in text
    assert "10 comparisons of all pairs, because the best was chosen by the" in text
    assert f"worse than candidate {best} at the 5% level: 2 of 4" in text
    assert "not told apart from it: 2." in text
    named = " ".join(str(compare(CLEAR, reference=0)).split())
    assert "adjusted for 4 comparisons by Holm's method" in named


def test_text_of_posterior_probabilities_decides_by_them():
    result = compare(CLEAR, test=BayesianCorrelatedTTest(0.01))
    text = " ".join(str(result).split())
    n_worse = int((result.table.winner == result.table.first).sum())
    assert n_worse > 0
    assert f"with at least 95% probability: {n_worse} of 4 candidates" in text
    assert "P(worse) P(equivalent) P(better)" in text
    assert "rho_alpha" not in text


def test_text_of_few_pairs_shows_all():
    text = str(compare(CLEAR[:3], reference=None))
    assert "to_frame" not in text
    assert "first  second" in text
    said = r"[23] of 3 pairs differ significantly at the 5% level\."
    assert re.search(said, " ".join(text.split()))


def test_text_of_many_pairs_counts():
    result = compare(np.vstack([CLEAR, CLEAR[:, ::-1] + 0.3]), reference=None)
    lines = str(result).splitlines()
    ruled = next(n for n, row in enumerate(lines) if row.startswith("---"))
    assert "better than  worse than" in lines[ruled - 1]
    better, worse = map(int, lines[ruled + 1].split()[2:4])
    is_best = (result.pairs == result.best).any(axis=1)
    assert better == (result.significant & is_best).sum()
    assert worse == 0
    assert "All 45 pairs are in to_frame()." in str(result)


def test_text_shows_only_parameters_that_differ():
    params = [{"a": 1, "b": row} for row in range(6)]
    text = str(compare_candidates(results_of(SCORES, params=params), cv=10))
    assert "b=3" in text
    assert "a=1" not in text


def test_text_shows_parameters_briefly():
    values = [1 / 3, np.float64(2e7 / 3), np.int64(1234567), 10, True, "rbf"]
    params = [{"a": value} for value in values]
    text = str(compare_candidates(results_of(SCORES, params=params), cv=10))
    for shown in ("0.3333", "6.667e+06", "1234567", "10", "True", "'rbf'"):
        assert f"a={shown}\n" in text


def test_html_escapes_parameters():
    params = [{"a": f"<{row}>"} for row in range(6)]
    html = compare_candidates(results_of(SCORES, params=params), cv=10)._repr_html_()
    assert "&lt;3&gt;" in html
    assert "<3>" not in html


def test_repr():
    assert repr(compare(SCORES)) == (
        "<CandidateComparison of 6 candidates, 10-fold cross-validation, score "
        "(higher is better)>"
    )
