"""Tables of wins, ties and losses over data sets."""

import numpy as np
import pytest

from sklearn_cvtest._report._wins import win_tie_loss, wins_rows

VALUES = [[0.31, 0.25, 0.30], [0.12, 0.14, np.nan], [0.5, 0.4, 0.45]]
MARKS = [[1, 0, 1], [-1, 0, 0], [-1, 0, -1]]


def rows(**options):
    names = ["glass", "a\nb", "c"], ["tree", "ridge", "bayes"]
    return wins_rows(VALUES, MARKS, *names, baseline=1, **options)


def test_wins_ties_and_losses():
    np.testing.assert_array_equal(
        win_tie_loss([[1, 0], [-1, 0], [1, -1]]), [[2, 0], [0, 2], [1, 1]]
    )


def test_rows_by_hand():
    """The baseline comes first; what is missing is neither a win nor a tie."""
    headers, table = rows()
    assert headers == ["", "ridge", "tree", "bayes"]
    assert table == [
        ["glass", "0.2500", "0.3100 o", "0.3000 o"],
        ["a b", "0.1400", "0.1200 *", "-  "],
        ["c", "0.4000", "0.5000 *", "0.4500 *"],
        ["", "(o/ /*)", "(1/0/2)", "(1/0/1)"],
    ]


def test_signs_of_a_page():
    _, table = rows(signs=("∘", "•"))
    assert table[0][2] == "0.3100 ∘"
    assert table[-1][1] == "(∘/ /•)"


def test_shapes_must_agree():
    with pytest.raises(ValueError, match=r"`marks` must be of shape \(3, 3\)"):
        wins_rows(VALUES, MARKS[:2], ["a", "b", "c"], ["x", "y", "z"])
