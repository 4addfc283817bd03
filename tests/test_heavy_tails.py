"""Warnings of skewed residuals, few errors and unequal groups."""

import warnings

import numpy as np
import pytest

from sklearn_cvtest import (
    CorrectedResampledTTest,
    CVResiduals,
    HoldoutTTest,
    KFoldTTest,
    KFoldZTest,
    McNemarTest,
)
from sklearn_cvtest.exceptions import (
    DegenerateResidualsWarning,
    HeavyTailedResidualsWarning,
)
from sklearn_cvtest.results import Design

SKEWED = np.random.default_rng(0).lognormal(sigma=2.0, size=(10, 12))
NINE = np.zeros((10, 12))
NINE[:3, :3] = 1.0  # nine residuals that differ from the median: too few to tell
TWENTY = np.zeros((10, 12))
TWENTY[:5, :4] = 1.0
NORMAL = np.random.default_rng(0).normal(size=(10, 12))


def of_rows(values, row_index, design, n_splits, **sizes):
    """Residuals of known examples in splits of one size."""
    size = len(values) // n_splits
    return CVResiduals(
        values=np.asarray(values, dtype=float),
        row_split=np.repeat(np.arange(n_splits), size),
        n_train=np.full(n_splits, sizes["n_samples"] - size),
        n_test=np.full(n_splits, size),
        row_index=np.asarray(row_index),
        design=design,
        **sizes,
    )


@pytest.mark.parametrize("Test", [KFoldTTest, KFoldZTest])
@pytest.mark.parametrize("sign", [-1, 1])
def test_heavy_tails_are_warned_of(Test, sign):
    match = (
        rf"^{Test.__name__}: the residuals are heavy-tailed .skewness .*bounded loss"
    )
    with pytest.warns(HeavyTailedResidualsWarning, match=match):
        Test().fit(sign * SKEWED)


def test_too_few_errors_are_warned_of():
    match = "differ from the rest in the residuals.* is only about 9"
    with pytest.warns(HeavyTailedResidualsWarning, match=match):
        KFoldZTest().fit(NINE)


# With popmean 1000 the mean is far away; the shape of the residuals is the same.
def test_heavy_tails_do_not_depend_on_popmean_or_scale():
    for scale in (1e-200, 1.0, 1e200):
        with pytest.warns(HeavyTailedResidualsWarning, match=r"largest 5% .*% of"):
            KFoldTTest(popmean=1000 * scale).fit(scale * SKEWED)


@pytest.mark.parametrize(
    "e",
    [
        NORMAL,
        SKEWED[:3],  # 36 residuals: too few to tell
        SKEWED.mean(axis=1),  # one value a split
        TWENTY,
        np.zeros((10, 12)),
    ],
    ids=["normal", "few", "scores", "twenty errors", "zero"],
)
def test_heavy_tails_are_not_warned_of(e):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        KFoldTTest().fit(e)


def test_heavy_tails_do_not_matter_to_mcnemar():
    e = np.r_[np.ones(12), np.zeros(300)]
    McNemarTest().fit(e)
    with pytest.warns(HeavyTailedResidualsWarning):
        HoldoutTTest().fit(e)


# Mean of independent, strongly skewed residuals (rho = 0): too many rejections, nearly
# all on the side of the short tail; the correction takes a good part of them away.


def test_constant_residuals_warn_of_having_no_variance_only():
    with pytest.warns(DegenerateResidualsWarning) as record:
        KFoldTTest().fit(CVResiduals.from_array(np.ones((10, 12))))
    assert len(record) == 1


def test_examples_tested_several_times_count_once():
    # nine errors in 120 examples, whichever the design: few, not 45
    e = np.zeros(120)
    e[:9] = 1
    several = np.tile(e, 5)
    index = np.tile(np.arange(120), 5)
    for kind in ("repeated k-fold", "subsample"):
        design = Design(kind, 2, 5) if "fold" in kind else Design(kind, 10)
        residuals = of_rows(several, index, design, 10, n_samples=120)
        with pytest.warns(HeavyTailedResidualsWarning, match="only about 9"):
            CorrectedResampledTTest().fit(residuals) if kind == "subsample" else (
                KFoldZTest().fit(residuals)
            )


def warned(e, test=None, **options):
    """Return the categories of the warnings of a test of residuals."""
    residuals = CVResiduals.from_array(e, **options)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        (KFoldTTest() if test is None else test).fit(residuals)
    return [warning.category for warning in caught]


def ones(n_ones, n=120):
    """Return residuals of which so many differ from the others."""
    e = np.zeros(n)
    e[np.arange(n_ones) * (n // n_ones)] = 1.0
    return e.reshape(10, -1)


def test_from_how_many_examples_skewness_is_told():
    e = SKEWED.ravel()
    assert warned(e[:39].reshape(3, 13)) == []
    assert warned(e[:40].reshape(4, 10)) == [HeavyTailedResidualsWarning]


def test_how_many_errors_are_enough():
    # of n errors alike among 1000 the skewness of the mean is about 1/sqrt(n): above
    # 0.25 of 15, and below of 16
    assert warned(ones(15, 1000)) == [HeavyTailedResidualsWarning]
    assert warned(ones(17, 1000)) == []
    # as many for as against have no skewness, and nine are still too few
    assert warned(alternating(9)) == [HeavyTailedResidualsWarning]
    assert warned(alternating(10)) == []


def alternating(n_errors):
    e = ones(n_errors, 1000)
    e[e > 0] = np.resize([1, -1], n_errors)
    return e


@pytest.mark.parametrize(("largest", "n_warnings"), [(15, 0), (16, 1)])
def test_how_unequal_groups_may_be(largest, n_warnings):
    # 15 groups of 4 and one of 15 weigh like 75²/465 = 12.1 equal ones, with one of 16
    # like 76²/496 = 11.6: less than three quarters of 16
    groups = np.repeat(np.arange(16), [largest, *[4] * 15])[np.newaxis]
    e = np.random.default_rng(1).normal(size=groups.shape)
    found = warned(e, HoldoutTTest(), design="holdout", groups=groups)
    assert len(found) == n_warnings


@pytest.mark.parametrize("n_errors", [1, 2])
def test_warning_counts_examples(n_errors):
    with pytest.warns(HeavyTailedResidualsWarning, match=f"only about {n_errors}\\."):
        KFoldTTest().fit(ones(n_errors))
