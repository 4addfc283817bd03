"""Ranks over data sets: Friedman, Nemenyi, Wilcoxon, and what decides."""

import numpy as np
import pandas as pd
import pytest
import scikit_posthocs
from interfaces import drawn_forest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from sklearn_cvtest import compare_over_datasets

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


def compared(losses, **options):
    """Return the comparison of losses (data sets, models), by differences."""
    models = [f"m{k:02}" for k in range(losses.shape[1])]
    table = pd.DataFrame(losses, [f"d{i}" for i in range(len(losses))], models)
    return compare_over_datasets(table, loss="loss", **{"scale": None, **options})


def by_position(ranks, matrix):
    """Return a matrix of a RankComparison, or its means, in the order of the models."""
    order = np.argsort(ranks.names)
    return matrix[np.ix_(order, order)] if matrix.ndim == 2 else matrix[order]


def of_differences(differences, **options):
    """Return the frame of given differences (n_pairs, D): of models from one."""
    base = 10.0 * (np.arange(differences.shape[1]) % 3)
    losses = np.column_stack([base, *(base + differences)])
    options = {"reference": "m00", "p_adjust": None, **options}
    return compared(losses, **options).to_frame()


def test_demsar_2006():
    """Section 3.2.3: mean ranks, χ² = 9.28, CD of four."""
    ranks = compared(-AUC).ranks()
    means = by_position(ranks, ranks.mean_ranks)
    assert_allclose(means, [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    n, k = AUC.shape
    uncorrected = 12 * n / (k * (k + 1)) * np.sum((means - (k + 1) / 2) ** 2)
    assert round(uncorrected, 2) == 9.28  # as he has it, without ties
    assert round(ranks.critical_difference, 2) == 1.25
    assert round(compared(-AUC, alpha=0.1).ranks().critical_difference, 2) == 1.12


@pytest.mark.parametrize("losses", [RANDOM, -AUC, RANDOM.round()])
def test_friedman_as_scipy(losses):
    result = compared(losses).ranks().friedman
    expected = stats.friedmanchisquare(*losses.T)
    assert_allclose([result.statistic, result.pvalue], expected)


def test_nemenyi_as_scikit_posthocs():
    ranks = compared(RANDOM).ranks()
    expected = scikit_posthocs.posthoc_nemenyi_friedman(RANDOM)
    found = by_position(ranks, ranks.nemenyi_pvalues)
    assert_allclose(found, expected, atol=1e-10)
    means = by_position(ranks, ranks.mean_ranks)
    beyond = np.abs(np.subtract.outer(means, means)) > ranks.critical_difference
    assert beyond.any()
    assert_array_equal(found < 0.05, beyond)


def test_wilcoxon_holm_as_scikit_posthocs():
    result = compared(RANDOM)
    expected = scikit_posthocs.posthoc_wilcoxon(list(RANDOM.T), p_adjust="holm")
    ranks = result.ranks()
    found = by_position(ranks, ranks.wilcoxon_pvalues)
    assert_allclose(found, expected, atol=1e-12)
    of_pairs = result.to_frame()["pvalue_wilcoxon"]
    assert_allclose(of_pairs, found[np.triu_indices(5, 1)], atol=1e-12)


def test_three_differences_by_hand():
    """Ranks 1, 3 and -2: of 8 choices of signs, 3 have a smaller sum of at most 2."""
    frame = of_differences(np.array([[0.1, 0.3, -0.2, 0.0]]))
    assert frame["pvalue_wilcoxon"].tolist() == [2 * 3 / 8]
    # averages of two of them: -.2 -.05 .05 .1 .2 .3
    assert_allclose(frame["pseudomedian"], -0.075)  # the reference is the first


def test_pairs_without_differences():
    frame = of_differences(np.zeros((2, 7)))
    assert frame["pvalue_wilcoxon"].tolist() == [1.0, 1.0]
    assert frame["pseudomedian"].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("n_datasets", [3, 5, 12, 13, 14, 30, 50, 51, 80])
@pytest.mark.parametrize("decimals", [0, 1, 12])
def test_pairs_are_as_of_scipy_one_by_one(n_datasets, decimals):
    """With ties and zeros, and of each kind of law: exact, by all signs, normal."""
    shifts = np.linspace(0, 1, 12)[:, np.newaxis]
    differences = (RNG.normal(size=(12, n_datasets)) + shifts).round(decimals)
    differences[RNG.random(differences.shape) < 0.1] = 0.0
    frame = of_differences(differences)
    for row, found in zip(differences, frame.itertuples(), strict=True):
        given = row[row != 0]
        assert_allclose(found.pvalue_wilcoxon, wilcoxon_of_one(given), rtol=1e-12)
        averages = np.add.outer(given, given)[np.triu_indices(len(given))] / 2
        median = np.median(averages) if len(given) else 0.0
        assert_allclose(-found.pseudomedian, median, atol=1e-8)


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


def test_interval_as_of_r():
    """Hollander and Wolfe's depression scores: wilcox.test(x, y, paired = TRUE,
    conf.int = TRUE) in R has p = 0.03906, 0.46 and 0.010 to 0.786."""
    x = np.array([1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30])
    y = np.array([0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])
    frame = compared(np.column_stack([x, y])).to_frame()
    assert_allclose(frame["pvalue_wilcoxon"], 0.0390625)
    names = ["pseudomedian", "pseudomedian_low", "pseudomedian_high"]
    assert_allclose(frame[names].iloc[0], [0.46, 0.01, 0.786], atol=1e-9)


ADJUSTMENTS = ["holm", "bonferroni", "hochberg", "fdr_bh", None]


@pytest.mark.parametrize("decimals", [1, 9])
@pytest.mark.parametrize("p_adjust", ADJUSTMENTS)
@pytest.mark.parametrize("n_datasets", [4, 9, 20, 60])
def test_zero_is_outside_exactly_where_p_says_so(n_datasets, p_adjust, decimals):
    """Of either test, with ties and zeros, too; and swapped pairs are mirrored."""
    better = np.linspace(0, 2, 5)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        losses = (better + rng.normal(0, 1, (n_datasets, 5))).round(decimals)
        result = compared(losses, p_adjust=p_adjust)
        frame = result.to_frame()
        for low, high, pvalue in (
            ("ci_low_simultaneous", "ci_high_simultaneous", "pvalue_adjusted"),
            ("pseudomedian_low", "pseudomedian_high", "pvalue_wilcoxon"),
        ):
            is_outside = (frame[low] > 0) | (frame[high] < 0)
            assert_array_equal(is_outside, frame[pvalue] <= 0.05)
        turned = compared(losses[:, ::-1], p_adjust=p_adjust).to_frame()
        turned = turned.set_index(["first", "second"])
        for row in frame.itertuples():
            pair = [f"m{4 - int(name[1:]):02}" for name in (row.second, row.first)]
            other = turned.loc[tuple(pair)]
            assert_array_equal(other["pseudomedian_low"], -row.pseudomedian_high)
            assert other["pvalue_wilcoxon"] == row.pvalue_wilcoxon


@pytest.mark.parametrize(
    ("n_datasets", "n_models", "decided_by"),
    [(5, 2, "t"), (6, 2, "wilcoxon"), (6, 3, "t"), (7, 3, "wilcoxon"), (10, 10, "t")],
)
def test_wilcoxon_decides_where_it_can_reject(n_datasets, n_models, decided_by):
    """2/2^n times the number of pairs; of two models as of many."""
    losses = np.random.default_rng(0).normal(size=(n_datasets, n_models))
    result = compared(losses)
    assert result.decided_by == decided_by
    assert result.to_dict()["decided_by"] == decided_by
    name = {"t": "Student's t test", "wilcoxon": "Wilcoxon's signed-rank test"}
    assert name[decided_by] in " ".join(str(result).split())


def test_many_wins_are_a_difference():
    """Better on 90 of 97, and far worse on 7: the mean says nothing."""
    rng = np.random.default_rng(0)
    a = rng.normal(0, 1, 97)
    b = a - np.where(np.arange(97) < 90, 1, -100) * np.exp(rng.normal(0, 1, 97))
    result = compared(np.column_stack([a, b]))
    (row,) = result.to_frame().itertuples()
    assert row.pvalue > 0.05
    assert row.pvalue_wilcoxon < 1e-9
    text = " ".join(str(result).split())
    assert text.startswith("Over 97 data sets, m01 is better than m00 by")
    assert "7/0/90" in text  # of m00, behind the best


def test_equal_losses():
    result = compared(np.arange(7.0)[:, np.newaxis] + np.zeros(3))
    ranks = result.ranks()
    assert tuple(ranks.friedman) == (0.0, 2, 1.0)
    assert (ranks.nemenyi_pvalues == 1).all()
    assert (ranks.wilcoxon_pvalues == 1).all()
    assert "nan" not in str(result)


def test_one_order_everywhere():
    losses = np.arange(6)[:, np.newaxis] + np.array([1.0, 2.0, 3.0])
    friedman = compared(losses).ranks().friedman
    assert_allclose(friedman.statistic, 12)


def test_picture_of_ranks_is_nemenyi_s_test():
    """Two that do not overlap differ significantly; the first is the best."""
    pytest.importorskip("matplotlib").use("Agg")
    ranks = compared(RANDOM).ranks()
    drawn = {row.label: row for row in drawn_forest(ranks.plot())}
    rows = [drawn[name] for name in ranks.names]
    for i, row in enumerate(rows):
        assert row.estimate == pytest.approx(ranks.mean_ranks[i])
        for j, other in enumerate(rows[:i]):
            overlap = row.intervals[0][0] <= other.intervals[0][1]
            assert overlap == (ranks.nemenyi_pvalues[i, j] > 0.05)
