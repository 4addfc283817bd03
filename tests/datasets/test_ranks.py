"""Ranks over data sets, and tables of wins."""

import numpy as np
import pytest
import scikit_posthocs
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from sklearn_cvtest._datasets._pictures import draw_critical_differences
from sklearn_cvtest._datasets._ranks import (
    average_ranks,
    critical_difference,
    friedman,
    nemenyi_pvalues,
    rank_losses,
    wilcoxon_holm_pvalues,
)
from sklearn_cvtest._datasets._signed_ranks import signed_rank_tests

RNG = np.random.default_rng(0)

# AUC of C4.5 and of it with tuned m, cf and both on 14 data sets: table 6 of Demšar
# (2006), JMLR 7, 1-30.
AUC = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)
RANDOM = np.random.default_rng(0).normal(size=(12, 5)) + np.arange(5) / 2


def test_demsar_2006():
    """Section 3.2.3: mean ranks, χ² = 9.28, F = 3.69, CD of four at the 10% level."""
    assert_allclose(average_ranks(-AUC), [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    n, k = AUC.shape
    offsets = average_ranks(-AUC) - (k + 1) / 2
    uncorrected = 12 * n / (k * (k + 1)) * np.sum(offsets**2)  # as he has it, for ties
    assert round(uncorrected, 2) == 9.28
    assert round((n - 1) * uncorrected / (n * (k - 1) - uncorrected), 2) == 3.69
    assert round(critical_difference(4, 14, 0.05), 2) == 1.25
    assert round(critical_difference(4, 14, 0.10), 2) == 1.12


@pytest.mark.parametrize("losses", [RANDOM, -AUC, RANDOM.round()])
def test_friedman_as_scipy(losses):
    result = friedman(losses)
    expected = stats.friedmanchisquare(*losses.T)
    assert_allclose([result.statistic, result.pvalue], expected)


def test_iman_and_davenport_is_the_f_test_of_ranks():
    """Of a two-way analysis of variance."""
    ranks = rank_losses(RANDOM)
    n, k = ranks.shape
    between = n * np.sum((ranks.mean(axis=0) - (k + 1) / 2) ** 2)
    rest = np.sum((ranks - (k + 1) / 2) ** 2) - between
    f = between / (k - 1) / (rest / ((k - 1) * (n - 1)))
    result = friedman(RANDOM)
    expected = [f, stats.f.sf(f, *result.f_df)]
    assert_allclose([result.f_statistic, result.f_pvalue], expected)


def test_nemenyi_as_scikit_posthocs():
    expected = scikit_posthocs.posthoc_nemenyi_friedman(RANDOM)
    assert_allclose(nemenyi_pvalues(RANDOM), expected, atol=1e-10)


def test_critical_difference_is_where_nemenyi_rejects():
    distances = np.abs(np.subtract.outer(*[average_ranks(RANDOM)] * 2))
    beyond = distances > critical_difference(5, 12, 0.05)
    assert beyond.any()
    np.testing.assert_array_equal(nemenyi_pvalues(RANDOM) < 0.05, beyond)


def test_wilcoxon_holm_as_scikit_posthocs():
    expected = scikit_posthocs.posthoc_wilcoxon(list(RANDOM.T), p_adjust="holm")
    assert_allclose(wilcoxon_holm_pvalues(RANDOM), expected, atol=1e-12)


def test_three_differences_by_hand():
    """Ranks 1, 3 and -2: of 8 choices of signs, 3 have a smaller sum of at most 2."""
    tests = signed_rank_tests(np.array([[0.1, 0.3, -0.2, 0.0]]))
    assert tests.sums.tolist() == [2.0]
    assert tests.pvalues.tolist() == [2 * 3 / 8]


def test_pairs_without_differences():
    tests = signed_rank_tests(np.zeros((2, 5)))
    assert tests.sums.tolist() == [0.0, 0.0]
    assert tests.pvalues.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("n_datasets", [1, 5, 12, 13, 14, 30, 50, 51, 80])
@pytest.mark.parametrize("decimals", [0, 1, 12])
def test_pairs_are_as_of_scipy_one_by_one(n_datasets, decimals):
    """With ties and zeros, and of each kind of law: exact, by all signs, normal."""
    shifts = np.linspace(0, 1, 12)[:, np.newaxis]
    differences = (RNG.normal(size=(12, n_datasets)) + shifts).round(decimals)
    differences[RNG.random(differences.shape) < 0.1] = 0.0
    tests = signed_rank_tests(differences)
    for row, total, pvalue in zip(differences, *tests, strict=True):
        assert_allclose(pvalue, wilcoxon_of_one(row[row != 0]), rtol=1e-12)
        ranks = stats.rankdata(np.abs(row[row != 0]))
        assert total == np.sum(np.sign(row[row != 0]) * ranks)


def wilcoxon_of_one(differences):
    """Return scipy's p-value; 1 where it has none, as no difference is left."""
    if not len(differences):
        return 1.0
    are_tied = len(np.unique(np.abs(differences))) < len(differences)
    # what versions of scipy choose for ties differs
    if are_tied and len(differences) <= 13:
        return by_permutation(differences)
    if are_tied:
        return stats.wilcoxon(differences, method="approx").pvalue
    return stats.wilcoxon(differences).pvalue


def by_permutation(differences):
    """Return scipy's p-value of the sum of ranks under all choices of signs."""
    ranks = np.sign(differences) * stats.rankdata(np.abs(differences))

    def rank_sum(values, axis=-1):
        return np.sum(values, axis=axis)

    return stats.permutation_test(
        (ranks,), rank_sum, permutation_type="samples", n_resamples=np.inf
    ).pvalue


def test_order_and_sign_of_pairs():
    differences = RNG.normal(size=(20, 9)).round(1)
    tests = signed_rank_tests(differences)
    turned = signed_rank_tests(-differences[::-1])
    assert_array_equal(turned.pvalues[::-1], tests.pvalues)
    assert_array_equal(turned.sums[::-1], -tests.sums)


@pytest.mark.parametrize("n_datasets", [1, 4])
def test_equal_losses(n_datasets):
    losses = np.ones((n_datasets, 3))
    assert friedman(losses)[:3] == (0.0, 2, 1.0)
    assert friedman(losses).f_pvalue == 1
    assert (nemenyi_pvalues(losses) == 1).all()
    assert (wilcoxon_holm_pvalues(losses) == 1).all()


def test_one_order_everywhere():
    result = friedman(np.tile([1.0, 2.0, 3.0], (6, 1)))
    assert_allclose(result.statistic, 12)
    assert result.f_statistic == np.inf
    assert_allclose(result.f_pvalue, 6.0**-5)  # five times again one of six orders


@pytest.mark.parametrize(
    ("losses", "message"),
    [([[1.0], [2.0]], "two estimators or more"), ([[1, np.nan]], "must be finite")],
)
def test_refuses(losses, message):
    with pytest.raises(ValueError, match=message):
        rank_losses(losses)


@pytest.mark.parametrize("n", [3, 12, 30])
def test_critical_difference_diagram_of_long_names_keeps_them_apart(n):
    """No text over another, none cut, no leaders that cross on one side."""
    ranks = np.sort(np.random.default_rng(n).uniform(1, n, n))
    names = [f"make_pipeline(StandardScaler(), SVC(C={i}))" for i in range(n)]
    pvalues = np.exp(-np.abs(ranks[:, None] - ranks) * 6 / n)
    ax = draw_critical_differences(names, ranks, pvalues)
    ax.figure.canvas.draw()
    texts = [text for text in ax.texts if text.get_text()]
    assert len(texts) == n
    boxes = [text.get_window_extent() for text in texts]
    boxes += [tick.get_window_extent() for tick in ax.get_xticklabels()]
    for number, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:number])
        assert ax.figure.bbox.contains(box.x0, box.y0)
        assert ax.figure.bbox.contains(box.x1, box.y1)
    leaders = [line.get_xydata() for line in ax.lines if len(line.get_xdata()) == 3]
    depth = np.array([(rank, y) for (rank, _), _, (_, y) in leaders])
    left = depth[: (n + 1) // 2]
    assert (np.diff(left[:, 1]) > 0).all()
    assert (np.diff(depth[len(left) :, 1]) < 0).all()


def test_critical_difference_diagram_marks_members_of_groups_with_gaps():
    pvalues = np.ones((3, 3))
    pvalues[0, 1] = pvalues[1, 0] = 0.001
    ax = draw_critical_differences(["a", "b", "c"], [1.2, 1.5, 2.8], pvalues)
    (dots,) = [line for line in ax.lines if line.get_marker() == "o"]
    assert dots.get_xdata().tolist() == [1.2, 2.8]


def test_critical_difference_diagram():
    """Names on both sides; a bar over each group that does not differ."""
    pvalues = np.array([[1, 0.3, 0.01], [0.3, 1, 0.2], [0.01, 0.2, 1]])
    ax = draw_critical_differences(["a", "$b", "c"], [1.2, 2.0, 2.8], pvalues, 0.1)
    texts = " ".join(text.get_text() for text in ax.texts)
    assert all(name in texts for name in ("a (1.20)", "$b", "c"))
    wide = [line for line in ax.lines if np.ptp(line.get_xdata()) > 0]
    spans = {tuple(sorted(np.round(line.get_xdata(), 3))) for line in wide}
    assert {(1.2, 2.0), (2.0, 2.8)} <= spans
    ax.figure.canvas.draw()
