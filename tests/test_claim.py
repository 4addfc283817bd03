"""check_claim: published means and spreads."""

import numpy as np
import pytest
from scipy import stats

from sklearn_cvtest import check_claim, corrected_ttest


def table(seed):
    """Scores of two models in the folds of some runs: arrays (n_runs, K), and K."""
    rng = np.random.default_rng(seed)
    n_folds, n_runs = rng.choice([2, 3, 5, 10]), rng.choice([1, 2, 5])
    common = rng.normal(scale=rng.choice([0.0, 0.02, 0.1]), size=(n_runs, n_folds))
    noise = rng.normal(scale=rng.choice([0.005, 0.03]), size=(2, n_runs, n_folds))
    means = 0.8 + np.array([0.0, rng.choice([0.0, 0.01, 0.1])])
    return means[:, None, None] + common + noise, int(n_folds)


def published(scores, spread, ddof, digits):
    """Return mean and spread as a paper gives them."""
    n = len(scores)
    deviation = scores.std(ddof=ddof)
    if spread != "sd":
        deviation /= np.sqrt(n)
    if spread == "ci":
        deviation *= 1.96 if ddof else stats.t.ppf(0.975, n - 1)
    return round(float(scores.mean()), digits), round(float(deviation), digits)


@pytest.mark.parametrize("spread", ["sd", "se", "ci"])
def test_range_holds_p_of_the_folds(spread):
    """Of 200 tables, by the corrected test of the folds themselves."""
    found = []
    for seed in range(200):
        (a, b), n_folds = table(seed)
        n, digits, ddof = a.size, 2 + seed % 3, seed // 3 % 2
        numbers = [published(x.ravel(), spread, ddof, digits) for x in (a, b)]
        claim = check_claim(*numbers, spread=spread, n=n, cv=n_folds)
        low, high = claim.pvalue_range
        truth = corrected_ttest(a.ravel(), b.ravel(), n_folds - 1, 1).pvalue
        naive = stats.ttest_rel(a.ravel(), b.ravel()).pvalue
        assert low <= truth <= high
        assert low <= naive <= high
        found.append((low, high))
    assert len(found) == 200
    assert np.ptp(found, axis=1).min() < 0.2 < 0.6 < np.ptp(found, axis=1).max()


def test_repeats_are_told_from_other_data():
    """Runs have all examples in common: here they differ by nothing else."""
    rng = np.random.default_rng(0)
    examples, splits = rng.normal(size=50), 0.01 * rng.normal(size=(2, 5))
    a, b = ((x.mean(), x.std(ddof=1)) for x in (examples.mean() + splits[0], splits[1]))
    claim = check_claim(a, b, of="repeats", n=5)
    assert claim.rhos == (0.0,)
    assert claim.pvalue_range[1] < 0.001 < stats.ttest_1samp(examples, 0).pvalue
    text = " ".join(str(claim).split())
    assert "significant at the 5% level over splits of the same data whatever" in text
    assert "a spread over runs cannot show" in text


@pytest.mark.parametrize("n_runs", [1, 2, 10])
def test_largest_rho_of_folds_is_of_runs_that_are_copies(n_runs):
    claim = check_claim((0.8, 0.1), (0.7, 0.1), n=5 * n_runs, cv=5)
    of_one_run = 1 / (1 - 0.7)  # the variance over S²/5; as much of all runs
    assert claim.rhos[2] == pytest.approx(1 - 1 / n_runs / of_one_run)


@pytest.mark.parametrize("n", [5, 10])
def test_needed_correlation_is_where_p_is_alpha(n):
    claim = check_claim((0.762, 0.028), (0.74, 0.031), n=n)
    for rho, r in zip(claim.rhos, claim.needed_r, strict=True):
        s = np.sqrt(0.028**2 + 0.031**2 - 2 * r * 0.028 * 0.031)
        t = 0.022 * np.sqrt(n * (1 - rho)) / s
        assert 2 * stats.t.sf(t, n - 1) == pytest.approx(0.05)
    assert claim.rhos[1] == pytest.approx(n / (2 * n - 1))  # [NB03]: r = 1/K
    assert claim.rhos[2] == pytest.approx(0.7)
    assert f"above {claim.needed_r[1]:.2f}" in " ".join(str(claim).split())


def test_rows_are_p_values_of_the_t_test():
    (row,) = (
        row
        for row in check_claim((0.9, 0.03), (0.87, 0.04), n=10).table
        if row["r"] == 0.5 and row["rho"] == 0
    )
    s = np.sqrt(0.03**2 + 0.04**2 - 0.03 * 0.04)
    expected = stats.ttest_1samp(
        0.03 + s * stats.zscore(np.arange(10.0), ddof=1), 0
    ).pvalue
    assert row["pvalue"] == pytest.approx(expected)


def test_seeds_are_told_from_other_data():
    claim = check_claim((7.72, 0.16), (6.61, 0.16), of="seeds", n=5)
    assert claim.rhos == (0.0,)
    assert claim.needed_r == (-1.0,)
    assert claim.pvalue_range[1] < 0.01
    text = " ".join(str(claim).split())
    assert "whatever the correlation" in text
    assert "a spread over seeds cannot show" in text
    with pytest.raises(ValueError, match="`cv` must be None for seeds"):
        check_claim((1, 1), (2, 1), of="seeds", n=5, cv=5)


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ((0.8, 0.0), (0.8, 0.0), "no difference to support"),
        ((0.8, 0.1), (0.79, 0.0), "not significant at the 5% level, whatever"),
        ((0.9, 0.0), (0.8, 0.0), "significant at the 5% level whatever"),
    ],
)
def test_what_is_degenerate(a, b, said):
    claim = check_claim(a, b, n=10)
    assert said in " ".join(str(claim).split())
    low, high = claim.pvalue_range
    assert 0 <= low <= high <= 1
    assert all(0 <= row["pvalue"] <= 1 for row in claim.table)


def test_what_rounding_could_undo_is_said():
    rounded = check_claim((0.9, 0.0), (0.8, 0.0), n=5)
    assert rounded.pvalue_range[1] > 0.05
    assert "; only a larger ρ or the rounding could undo that." in " ".join(
        str(rounded).split()
    )
    fine = check_claim((0.9, 0.01), (0.8, 0.02), n=5, of="seeds")  # 0.90 and 0.80
    assert fine.pvalue_range[1] < 0.05
    assert "whatever the correlation of the scores." in " ".join(str(fine).split())


def test_a_difference_is_as_published_and_a_minus_is_one():
    """84.3 - 83.1 is 1.2000000000000028 in floats; needed r by the rule of cosines."""
    needed = check_claim((84.3, 0.7), (83.1, 0.8), n=10)
    text = " ".join(str(needed).split())
    assert text.startswith("A difference of 1.2 is significant")
    assert f"have a correlation above −{-needed.needed_r[1]:.2f}." in text
    assert needed.needed_r[1] < 0
    caption = r"\caption{p-values of the published difference, by the correlation r"
    assert caption in needed.to_latex()


def test_no_correlation_is_above_one():
    claim = check_claim((84.3, 0.21), (84.2, 0.25), of="seeds", n=3)
    assert round(claim.needed_r[0], 2) == 1 > claim.needed_r[0]
    said = " ".join(str(claim).split()).partition("have a correlation above ")[2]
    number = said.partition(" ")[0].removesuffix(".")
    assert float(number) == pytest.approx(claim.needed_r[0], abs=1e-3)
    assert float(number) < 1


def test_repeats_have_no_folds():
    with pytest.raises(ValueError, match="`cv` must be None for repeats"):
        check_claim((1, 1), (2, 1), of="repeats", n=5, cv=10)
    with pytest.raises(ValueError, match="`cv` must be a divisor of n, 15"):
        check_claim((1, 1), (2, 1), n=15, cv=10)
