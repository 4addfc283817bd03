"""Skewed residuals: the warning, and Hall's correction in IntegratedRhoTest."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression

from sklearn_cvtest import (
    BlockKFold,
    CorrectedResampledTTest,
    CVResiduals,
    HoldoutTTest,
    IntegratedRhoTest,
    KFoldTTest,
    KFoldZTest,
    McNemarTest,
    cross_val_losses,
)
from sklearn_cvtest.exceptions import (
    DegenerateResidualsWarning,
    HeavyTailedResidualsWarning,
    InfluentialExamplesWarning,
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


@pytest.mark.parametrize("Test", [KFoldTTest, KFoldZTest, IntegratedRhoTest])
@pytest.mark.parametrize("sign", [-1, 1])
def test_heavy_tails_are_warned_of(Test, sign):
    match = (
        rf"^{Test.__name__}: the residuals are heavy-tailed .skewness .*bounded loss"
    )
    with pytest.warns(HeavyTailedResidualsWarning, match=match):
        Test().fit(sign * SKEWED)


@pytest.mark.parametrize(
    ("Test", "advice"),
    [
        (HoldoutTTest, r"Use IntegratedRhoTest on"),
        (IntegratedRhoTest, "Use more examples"),
    ],
)
def test_bounded_losses_with_heavy_tails_are_not_to_be_bounded(Test, advice):
    values = (np.arange(400) % 16 == 0) * np.linspace(0.1, 1, 400) ** 4
    n_splits = 1 if Test is HoldoutTTest else 5
    design = Design(*(["holdout"] if n_splits == 1 else ["k-fold", 5]))
    rows = of_rows(values, np.arange(400), design, n_splits, n_samples=500)
    rows = replace(rows, value_range=(-1.0, 1.0))
    with pytest.warns(HeavyTailedResidualsWarning, match=advice) as told:
        Test().fit(rows)
    assert "bounded" not in str(told[0].message)


def test_too_few_errors_are_warned_of():
    match = "differ from the rest in the residuals.* is only about 9"
    with pytest.warns(HeavyTailedResidualsWarning, match=match):
        IntegratedRhoTest().fit(NINE)


def test_one_example_that_decides_the_others_is_warned_of():
    # in its own fold, all others lose 3 more
    n, n_runs = 60, 20
    rng = np.random.default_rng(0)
    index = np.concatenate([rng.permutation(n) for _ in range(n_runs)])
    split = np.repeat(np.arange(5 * n_runs), n // 5)
    e = rng.normal(size=n)[index] + 0.5 * rng.normal(size=n * n_runs)
    options = {"design": Design("repeated k-fold", 5, n_runs), "n_samples": n}
    IntegratedRhoTest().fit(of_rows(e, index, n_splits=5 * n_runs, **options))
    e[np.isin(split, split[index == 7]) & (index != 7)] += 3
    with pytest.warns(InfluentialExamplesWarning, match="above 0.7"):
        IntegratedRhoTest().fit(of_rows(e, index, n_splits=5 * n_runs, **options))


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


@pytest.mark.filterwarnings(
    "ignore::sklearn_cvtest.exceptions.HeavyTailedResidualsWarning"
)
class TestCorrectedSkewness:
    def test_pvalue_is_the_mean_over_rho_of_transformed_statistics(self):
        e = SKEWED.ravel()
        z0 = (e.mean() - 2.0) / (e.std(ddof=1) / np.sqrt(e.size))
        a = stats.skew(e) / np.sqrt(e.size)
        rho = (np.arange(100_000) + 0.5) / 100_000 * 0.75
        z = np.sqrt(1 - rho) * z0
        h = z + a * z**2 / 3 + a**2 * z**3 / 27 + a / 6
        test = IntegratedRhoTest(correct_skewness=True, popmean=2.0).fit(SKEWED)
        assert_allclose(test.pvalue_, np.mean(2 * stats.norm.sf(np.abs(h))), rtol=1e-7)
        assert test.statistic_ == IntegratedRhoTest(popmean=2.0).fit(SKEWED).statistic_

    @pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
    @pytest.mark.parametrize("e", [SKEWED, -SKEWED], ids=["right", "left"])
    @pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
    def test_interval_inverts_the_test(self, e, alternative, level):
        options = {"correct_skewness": True, "alternative": alternative}
        interval = IntegratedRhoTest(**options).fit(e).confidence_interval(level)
        for end in filter(np.isfinite, interval):
            pvalue = IntegratedRhoTest(popmean=end, **options).fit(e).pvalue_
            assert_allclose(pvalue, 1 - level, rtol=1e-6)

    @pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
    @pytest.mark.parametrize("popmean", [0.0, 1.2, 3.0, 9.0])
    def test_rho_alpha_is_the_largest_rho_that_rejects(self, alternative, popmean):
        options = {"alternative": alternative, "popmean": popmean}
        test = IntegratedRhoTest(correct_skewness=True, **options).fit(SKEWED)
        if not np.isfinite(test.rho_alpha_):
            assert test.pvalue_ > 0.05
            return
        a = stats.skew(SKEWED.ravel()) / np.sqrt(SKEWED.size)

        def rejects(rho):
            z = np.sqrt(1 - rho) * test.statistic_
            h = z + a * z**2 / 3 + a**2 * z**3 / 27 + a / 6
            tails = {"less": stats.norm.cdf(h), "greater": stats.norm.sf(h)}
            return tails.get(alternative, 2 * stats.norm.sf(abs(h))) <= 0.05

        assert rejects(test.rho_alpha_ - 1e-6)
        assert not rejects(test.rho_alpha_ + 1e-6)

    def test_swapping_mirrors(self):
        first = IntegratedRhoTest(correct_skewness=True, popmean=1.5).fit(SKEWED)
        second = IntegratedRhoTest(correct_skewness=True, popmean=-1.5).fit(-SKEWED)
        assert_allclose(first.pvalue_, second.pvalue_)
        low, high = first.confidence_interval()
        assert_allclose(second.confidence_interval(), (-high, -low))

    @pytest.mark.parametrize("e", [NINE, NORMAL], ids=["few differ", "small skewness"])
    def test_nothing_changes_where_it_is_not_worth_it(self, e):
        plain, corrected = (
            IntegratedRhoTest(correct_skewness=flag).fit(e) for flag in (False, True)
        )
        assert plain.pvalue_ == corrected.pvalue_

    @pytest.mark.filterwarnings(
        "ignore::sklearn_cvtest.exceptions.DegenerateResidualsWarning"
    )
    @pytest.mark.parametrize("constant", [0.0, 0.3])
    def test_degenerate_rule(self, constant):
        e = np.full((10, 12), constant)
        test = IntegratedRhoTest(correct_skewness=True).fit(e)
        assert test.pvalue_ == (constant == 0)

    @pytest.mark.parametrize("value", [None, 1, "yes"])
    def test_flag_is_checked(self, value):
        with pytest.raises(TypeError, match="`correct_skewness` must be True or False"):
            IntegratedRhoTest(correct_skewness=value).fit(NORMAL)


# Mean of independent, strongly skewed residuals (rho = 0): too many rejections, nearly
# all on the side of the short tail; the correction takes a good part of them away.
@pytest.mark.full
def test_correction_restores_the_level_under_skewness():
    rng = np.random.default_rng(0)
    e = rng.lognormal(sigma=1.2, size=(4000, 100))
    mean = np.exp(1.2**2 / 2)
    z = (e.mean(axis=1) - mean) / (e.std(axis=1, ddof=1) / 10)
    a = stats.skew(e, axis=1) / np.sqrt(e.shape[1])
    h = z + a * z**2 / 3 + a**2 * z**3 / 27 + a / 6
    plain = np.mean(np.abs(z) > stats.norm.isf(0.025))
    corrected = np.mean(np.abs(h) > stats.norm.isf(0.025))
    assert plain > 0.1
    assert corrected < 0.8 * plain


def test_constant_residuals_warn_of_having_no_variance_only():
    with pytest.warns(DegenerateResidualsWarning) as record:
        KFoldTTest().fit(CVResiduals.from_array(np.ones((10, 12))))
    assert len(record) == 1


def test_corrected_test_of_symmetric_residuals_is_the_plain_one():
    e = np.r_[NORMAL.ravel()[:60], -NORMAL.ravel()[:60]].reshape(10, 12)
    plain, corrected = (
        IntegratedRhoTest(correct_skewness=flag, popmean=0.2).fit(e)
        for flag in (False, True)
    )
    assert_allclose(corrected.confidence_interval(), plain.confidence_interval())
    assert_allclose(corrected.rho_alpha_, plain.rho_alpha_)


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
                IntegratedRhoTest().fit(residuals)
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


class TestErrorsBehindSquares:
    """Of squared errors, the tails of the errors themselves are looked at."""

    CV = BlockKFold(5, n_repeats=2, random_state=0)

    def residuals(self, noise, loss="squared_error"):
        X = np.random.default_rng(1).normal(size=(100, 2))
        models = {"mean": DummyRegressor(), "line": LinearRegression()}
        losses = cross_val_losses(
            models, X, 0.5 * X[:, 0] + noise, cv=self.CV, loss=loss
        )
        return losses.residuals("line", "mean")

    @pytest.mark.parametrize("loss", ["squared_error", "absolute_error"])
    def test_heavy_ones_are_warned_of_unless_the_loss_takes_them(self, loss):
        # expenses: the difference of the squares is not skewed enough to be told
        noise = np.random.default_rng(3).lognormal(sigma=1.2, size=100)
        residuals = self.residuals(noise, loss)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            IntegratedRhoTest().fit(residuals)
        if loss == "absolute_error":
            assert residuals.error_tail is None
            assert not caught
        else:
            assert "'absolute_error' or 'huber(delta)'" in str(caught[0].message)
            assert f"L-skewness {residuals.error_tail:.2f};" in str(caught[0].message)

    def test_normal_ones_are_not(self):
        residuals = self.residuals(np.random.default_rng(0).normal(size=100))
        assert residuals.error_tail == pytest.approx(0.2, abs=0.05)
        IntegratedRhoTest().fit(residuals)

    def test_it_is_that_of_the_estimator_with_the_lighter_tail(self):
        noise = np.random.default_rng(0).standard_t(2, size=100)
        residuals = self.residuals(noise)
        single = self.residuals(noise, "absolute_error")
        X = np.random.default_rng(1).normal(size=(100, 2))
        losses = cross_val_losses(
            {"mean": DummyRegressor(), "line": LinearRegression()},
            X,
            0.5 * X[:, 0] + noise,
            cv=self.CV,
            loss="absolute_error",
        )
        expected = []
        for name in ("mean", "line"):
            of_one = losses.residuals(name)
            sums = np.bincount(of_one.row_index, weights=of_one.values)
            x = np.sort(sums / 2)
            # l3/l2 by probability-weighted moments
            below = np.arange(len(x)) / (len(x) - 1)
            twice = below * (np.arange(len(x)) - 1) / (len(x) - 2)
            b0, b1, b2 = (np.mean(x * part) for part in (1, below, twice))
            expected.append((6 * b2 - 6 * b1 + b0) / (2 * b1 - b0))
        assert residuals.error_tail == pytest.approx(min(expected))
        assert single.error_tail is None
