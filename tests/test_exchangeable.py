"""The corrected t tests: one statistic with another rho each."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.model_selection import RepeatedKFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    CVResiduals,
    FiveByTwo,
    HoldoutTTest,
    KFoldTTest,
    KFoldZTest,
    RepeatedSubsample,
    ResampledTTest,
    cross_val_losses,
)
from sklearn_cvtest.exceptions import DegenerateResidualsWarning
from sklearn_cvtest.results import Design

# peers.md, section 3: checked against scipy, julearn's formula, baycomp and mlxtend
MOST_CASES = 1000  # that the suite runs of a test, see conftest.py
GOLDEN = [0.010, -0.005, 0.020, 0.015, 0, 0.010, 0.025, -0.010, 0.005, 0.020]
# formulas are the subject, whether errors of iris are many is not
ALTERNATIVES = ("two-sided", "less", "greater")
IRIS = load_iris(return_X_y=True)


def subsample(e, n_train=90, n_test=10):
    return CVResiduals.from_array(e, design="subsample", n_train=n_train, n_test=n_test)


def repeated(e, n_train=None, n_test=None):
    return CVResiduals.from_array(
        e, design="repeated k-fold", n_train=n_train, n_test=n_test
    )


def run(cv):
    models = [GaussianNB(), DecisionTreeClassifier(max_depth=2, random_state=0)]
    return cross_val_losses(models, *IRIS, cv=cv).residuals(0, 1)


def naive_t(e, rho, popmean=0.0):
    """[GB06] eq. (9) as it stands."""
    n_blocks, mean = len(e), sum(e) / len(e)
    squares = sum((mu - mean) ** 2 for mu in e)
    root = np.sqrt(n_blocks * (n_blocks - 1) * (1 - rho))
    return root * (mean - popmean) / np.sqrt(squares)


def test_k_fold_t_by_hand():
    # block means 1, 2, 6: mean 3, squared deviations 4 + 1 + 9 = 14, S² = 7;
    # t(0) = 3/√(7/3); t(3/4) = t(0)/2
    test = KFoldTTest(rho=0.75).fit([[0, 2], [3, 1], [6, 6]])
    assert_allclose(test.statistic_, 1.5 / np.sqrt(7 / 3), rtol=1e-14)
    assert_allclose(test.standard_error_, 2 * np.sqrt(7 / 3), rtol=1e-14)
    assert (test.estimate_, test.df_, test.rho_) == (3, 2, 0.75)
    # Student's t with 2 degrees of freedom: P(|T| > t) = 1 - t/√(2 + t²)
    t = 1.5 / np.sqrt(7 / 3)
    assert_allclose(test.pvalue_, 1 - t / np.sqrt(2 + t**2), rtol=1e-12)
    # so t_crit² at 5% is 2*0.95²/(1 - 0.95²), and t(0)² = 27/7
    critical = 2 * 0.95**2 / (1 - 0.95**2)
    assert_allclose(test.rho_alpha_, 1 - critical / (27 / 7), rtol=1e-9)


@pytest.mark.parametrize(
    ("rho", "statistic", "pvalue"),
    [
        (0.0, 2.4750859, 0.0352747),
        ("nadeau-bengio", 1.7034710, 0.1226800),
    ],
)
def test_k_fold_t_golden(rho, statistic, pvalue):
    test = KFoldTTest(rho).fit(GOLDEN)
    assert_allclose(test.statistic_, statistic, atol=5e-8)
    assert_allclose(test.pvalue_, pvalue, atol=5e-8)


@pytest.mark.parametrize(
    ("r", "statistic", "pvalue"),
    [
        (0.1, 1.7034710, 0.1226800),
        (0.3, 1.0765605, 0.3096866),
        (0.5, 0.7462665, 0.4745474),
        (0.7, 0.5017524, 0.6278860),
    ],
)
def test_k_fold_t_golden_of_the_correlation_of_two_blocks(r, statistic, pvalue):
    # peers.md's rho is the correlation r of two block means: ρ = Kr/(1 + (K-1)r)
    test = KFoldTTest(rho=10 * r / (1 + 9 * r)).fit(GOLDEN)
    assert_allclose(test.statistic_, statistic, atol=5e-8)
    assert_allclose(test.pvalue_, pvalue, atol=5e-8)


def test_rho_alpha_golden():
    # peers.md: 0.0193302 in r, which is ρ = 10r/(1 + 9r)
    r = 0.0193302
    expected = 10 * r / (1 + 9 * r)
    assert_allclose(KFoldTTest().fit(GOLDEN).rho_alpha_, expected, atol=5e-7)


def test_corrected_resampled_t_golden():
    test = CorrectedResampledTTest().fit(subsample(GOLDEN, n_train=513, n_test=57))
    assert_allclose(test.statistic_, 1.7034710, atol=5e-8)
    assert_allclose(test.pvalue_, 0.1226800, atol=5e-8)
    assert_allclose(test.estimate_, 0.009, rtol=1e-14)
    interval = test.confidence_interval()
    assert_allclose(interval, (-0.0029517, 0.0209517), atol=5e-8)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("popmean", [0.0, 0.3])
@pytest.mark.parametrize("Test", [KFoldTTest, ResampledTTest])
def test_without_correlation_it_is_scipys_one_sample_t(Test, alternative, popmean):
    e = np.random.default_rng(0).normal(0.5, size=12)
    params = {"alternative": alternative, "popmean": popmean}
    if Test is KFoldTTest:
        params["rho"] = 0
    test = Test(**params).fit(e)
    expected = stats.ttest_1samp(e, popmean, alternative=alternative)
    assert_allclose(test.statistic_, expected.statistic, rtol=1e-12)
    assert_allclose(test.pvalue_, expected.pvalue, rtol=1e-12)
    assert test.df_ == expected.df
    for level in (0.5, 0.9, 0.99):
        interval = test.confidence_interval(level)
        assert_allclose(interval, expected.confidence_interval(level), rtol=1e-12)


@pytest.mark.parametrize("rho", [-2.0, -0.1, 0.0, 0.3, 0.7, 0.999])
@pytest.mark.parametrize("n_blocks", [2, 5, 30])
def test_k_fold_t_equals_the_formula_of_the_paper(rho, n_blocks):
    e = np.random.default_rng(1).normal(0.5, size=n_blocks)
    test = KFoldTTest(rho, popmean=0.2).fit(e)
    expected = naive_t(e, rho, 0.2)
    assert_allclose(test.statistic_, expected, rtol=1e-12)
    pvalue = 2 * stats.t.sf(abs(expected), n_blocks - 1)
    assert_allclose(test.pvalue_, pvalue, rtol=1e-11)


@pytest.mark.parametrize("n_folds", [2, 3, 10, 25])
def test_nadeau_bengio_of_a_k_fold_is_one_rho(n_folds):
    e = np.random.default_rng(3).normal(0.5, size=n_folds)
    by_name = KFoldTTest("nadeau-bengio").fit(e)
    assert_allclose(by_name.rho_, n_folds / (2 * n_folds - 1), rtol=1e-14)
    residuals = CVResiduals.from_array(e)  # sizes follow from the design
    for test in (
        KFoldTTest(n_folds / (2 * n_folds - 1)),
        CorrectedResampledTTest(),
        CorrectedRepeatedKFoldTTest(),
        BayesianCorrelatedTTest(),
    ):
        test.fit(residuals)
        assert_allclose(test.statistic_, by_name.statistic_, rtol=1e-12)
        assert_allclose(test.pvalue_, by_name.pvalue_, rtol=1e-12)


def test_nadeau_bengio_of_ten_folds_is_0_526():
    assert round(KFoldTTest("nadeau-bengio").fit(GOLDEN).rho_, 3) == 0.526


@pytest.mark.parametrize(
    "cv",
    [
        BlockKFold(5, random_state=0),
        BlockKFold(7, random_state=0),  # folds of 21 and 22
        StratifiedKFold(10, shuffle=True, random_state=0),
    ],
    ids=str,
)
def test_corrected_resampled_t_of_a_k_fold_run_is_nadeau_bengio(cv):
    residuals = run(cv)
    corrected = CorrectedResampledTTest().fit(residuals)
    expected = KFoldTTest("nadeau-bengio").fit(residuals)
    assert_allclose(corrected.statistic_, expected.statistic_, rtol=1e-12)


@pytest.mark.parametrize(
    ("n_train", "n_test"), [(90, 10), (50, 50), (80, [10, 12, 8, 10, 10])]
)
def test_corrected_resampled_t_has_the_variance_of_the_paper(n_train, n_test):
    e = np.array([0.1, 0.3, -0.2, 0.4, 0.2])
    test = CorrectedResampledTTest().fit(subsample(e, n_train, n_test))
    ratio = np.mean(n_test) / n_train
    assert_allclose(test.standard_error_**2, (1 / 5 + ratio) * e.var(ddof=1))
    assert_allclose(test.rho_, ratio / (ratio + 1 / 5), rtol=1e-14)
    assert test.df_ == 4


@pytest.mark.parametrize(
    ("test_size", "train_size"), [(0.1, None), (0.3, 0.2), (15, 100)]
)
def test_corrected_resampled_t_takes_the_actual_sizes(test_size, train_size):
    cv = RepeatedSubsample(
        6, test_size=test_size, train_size=train_size, random_state=0
    )
    residuals = run(cv)
    train, test = next(cv.split(IRIS[0]))
    ratio = len(test) / len(train)
    rho = CorrectedResampledTTest().fit(residuals).rho_
    assert_allclose(rho, ratio / (ratio + 1 / 6), rtol=1e-14)


def test_corrected_repeated_k_fold_t_takes_all_block_means():
    cv = RepeatedKFold(n_splits=5, n_repeats=3, random_state=0)
    residuals = run(cv)
    test = CorrectedRepeatedKFoldTTest().fit(residuals)
    means = residuals.block_means
    assert test.df_ == 14
    assert_allclose(test.estimate_, means.mean(), rtol=1e-12)
    variance = (1 / 15 + 1 / 4) * means.var(ddof=1)
    assert_allclose(test.standard_error_**2, variance, rtol=1e-12)


def test_corrected_repeated_k_fold_t_of_5x2_corrects_for_two_folds():
    test = CorrectedRepeatedKFoldTTest().fit(run(FiveByTwo(random_state=0)))
    assert_allclose(test.rho_, 1 / (1 + 1 / 10), rtol=1e-14)
    assert test.df_ == 9


def test_corrected_repeated_k_fold_t_reads_folds_off_the_design():
    e = np.random.default_rng(4).normal(size=20)
    design = Design("repeated k-fold", 5, 4)
    by_design = CVResiduals.from_array(e, design=design)
    by_sizes = repeated(e, n_train=80, n_test=20)
    expected = CorrectedRepeatedKFoldTTest().fit(by_sizes).pvalue_
    assert CorrectedRepeatedKFoldTTest().fit(by_design).pvalue_ == expected


@pytest.mark.parametrize(
    ("Test", "residuals"),
    [
        (CorrectedResampledTTest, GOLDEN),
        (CorrectedResampledTTest, subsample(GOLDEN, None, None)),
        (CorrectedResampledTTest, subsample(GOLDEN, 90, None)),
        (CorrectedRepeatedKFoldTTest, GOLDEN),
        (CorrectedRepeatedKFoldTTest, repeated(GOLDEN)),
        (CorrectedRepeatedKFoldTTest, repeated(np.ones((10, 3)))),
        (BayesianCorrelatedTTest, GOLDEN),
    ],
)
def test_corrected_tests_do_not_guess_sizes(Test, residuals):
    with pytest.raises(ValueError, match=f"{Test.__name__} needs the sizes"):
        Test().fit(residuals)


@pytest.mark.parametrize("shape", [(100, 7), (20, 3)])
def test_corrected_repeated_k_fold_t_does_not_take_an_array_for_one_k_fold(shape):
    # Of R runs of K folds: as one K-fold of R*K folds, n2/n1 would be 1/(RK-1) in
    # place of 1/(K-1), and the test nearly uncorrected.
    e = np.random.default_rng(5).normal(size=shape)
    with pytest.raises(ValueError, match="needs the sizes"):
        CorrectedRepeatedKFoldTTest().fit(e)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.3, 0.6])
@pytest.mark.parametrize("mean", [-0.8, 0.1, 0.8])
def test_rho_alpha_is_the_largest_rho_that_rejects(alternative, alpha, mean):
    e = np.random.default_rng(6).normal(mean, size=10)
    params = {"alpha": alpha, "alternative": alternative}
    largest = KFoldTTest(**params).fit(e).rho_alpha_

    def rejects(rho):
        return KFoldTTest(rho, **params).fit(e).pvalue_ <= alpha

    if largest == -np.inf:  # on the wrong side: none does
        assert not any(map(rejects, [-1e6, -1.0, 0.0, 0.5, 1 - 1e-9]))
    elif largest == 1:  # one-sided with alpha > 1/2: every t near 0 rejects
        assert rejects(1 - 1e-12)
    else:
        assert rejects(largest - 1e-6)
        assert not rejects(largest + 1e-6)


def test_rho_alpha_at_level_one_half_needs_the_right_side():
    params = {"alpha": 0.5, "alternative": "greater"}
    e = np.array([-1.0, -2.0, 0.5])
    assert KFoldTTest(0.0, **params).fit(e).pvalue_ > 0.5
    assert KFoldTTest(**params).fit(e).rho_alpha_ == -np.inf
    assert KFoldTTest(**params).fit(-e).rho_alpha_ == 1


def test_rho_alpha_does_not_depend_on_rho():
    values = [KFoldTTest(rho).fit(GOLDEN).rho_alpha_ for rho in (0, 0.5, 0.9)]
    residuals = CVResiduals.from_array(GOLDEN)
    values += [CorrectedResampledTTest().fit(residuals).rho_alpha_]
    assert_allclose(values, values[0], rtol=1e-14)


@pytest.mark.parametrize(("e", "expected"), [([0, 0, 0], -np.inf), ([1, 1, 1], 1)])
@pytest.mark.filterwarnings(
    "ignore::sklearn_cvtest.exceptions.DegenerateResidualsWarning"
)
def test_rho_alpha_of_residuals_without_variance(e, expected):
    assert KFoldTTest().fit(e).rho_alpha_ == expected


def test_rho_alpha_is_negative_where_even_independence_does_not_reject():
    test = KFoldTTest(rho=0).fit([0.1, -0.2, 0.15])
    assert test.pvalue_ > 0.05
    assert -np.inf < test.rho_alpha_ < 0


@pytest.mark.filterwarnings(
    "ignore::sklearn_cvtest.exceptions.DegenerateResidualsWarning"
)
@pytest.mark.parametrize("n_samples", [11, 103, 1003, 20011])
@pytest.mark.parametrize("constant", [0.1, 1 / 3, 1e8 / 3])
def test_rounding_of_unequal_blocks_is_no_variance(n_samples, constant):
    row_split = np.sort(np.arange(n_samples) % 7)
    n_test = np.bincount(row_split)
    residuals = CVResiduals(
        values=np.full(n_samples, constant),
        row_split=row_split,
        n_train=n_samples - n_test,
        n_test=n_test,
        design=Design("k-fold", 7),
    )
    assert KFoldTTest().fit(residuals).statistic_ == np.inf
    assert KFoldTTest(popmean=constant).fit(residuals).pvalue_ == 1


@pytest.mark.parametrize("rho", [-1e6, 0.0, 0.7, 1 - 1e-9])
def test_whether_residuals_vary_does_not_depend_on_rho(rho):
    equal = [0.3, 0.1 + 0.2, 0.3, 0.1 + 0.2, 0.3]  # up to the last digit
    with pytest.warns(DegenerateResidualsWarning):
        assert KFoldTTest(rho).fit(equal).statistic_ == np.inf
    test = KFoldTTest(rho, popmean=1).fit(1 + 1e-12 * np.array([1.0, 2.0, 4.0]))
    assert np.isfinite(test.statistic_)


def test_small_variance_beside_a_large_mean_is_still_variance():
    e = 1e6 + np.array([1e-6, 2e-6, 6e-6])
    test = KFoldTTest(rho=0, popmean=1e6).fit(e)
    assert_allclose(test.statistic_, 3 / np.sqrt(7 / 3), rtol=1e-3)


@pytest.mark.parametrize(
    ("rho", "error"), [("nadeau", "nadeau-bengio"), (1, "between")]
)
def test_bad_rho_is_told_what_else_there_is(rho, error):
    with pytest.raises((TypeError, ValueError), match=f"`rho` must be .+{error}"):
        KFoldTTest(rho).fit(GOLDEN)


def test_k_fold_t_weighs_blocks_equally():
    residuals = run(BlockKFold(4, random_state=0))  # of 37 and 38
    means = residuals.block_means
    test = KFoldTTest(rho=0).fit(residuals)
    assert_allclose(test.estimate_, means.mean(), rtol=1e-14)
    expected = stats.ttest_1samp(means, 0)
    assert_allclose(test.statistic_, expected.statistic, rtol=1e-12)


# the Bayesian reading


def test_bayesian_probabilities_by_hand():
    # block means -1, 1, 2, 2: mean 1, S² = (4 + 0 + 1 + 1)/3 = 2, K = 4: variance
    # (1/4 + 1/3)*2 = 7/6, 3 degrees of freedom
    test = BayesianCorrelatedTTest(rope=0.5).fit([[-1], [1], [2], [2]])
    scale = np.sqrt(7 / 6)
    less = stats.t.cdf(-0.5, 3, loc=1, scale=scale)
    greater = stats.t.sf(0.5, 3, loc=1, scale=scale)
    probabilities = (test.prob_less_, test.prob_rope_, test.prob_greater_)
    assert_allclose(probabilities, (less, 1 - less - greater, greater), rtol=1e-12)


@pytest.mark.filterwarnings(
    "ignore::sklearn_cvtest.exceptions.DegenerateResidualsWarning"
)
@pytest.mark.parametrize(
    ("constant", "expected"), [(-0.2, (1, 0, 0)), (0.05, (0, 1, 0)), (0.2, (0, 0, 1))]
)
def test_bayesian_posterior_of_constant_residuals_is_a_point(constant, expected):
    e = CVResiduals.from_array(np.full(5, constant))
    test = BayesianCorrelatedTTest(rope=0.1).fit(e)
    assert (test.prob_less_, test.prob_rope_, test.prob_greater_) == expected


@pytest.mark.parametrize("constant", [0.1, 1 / 3, -2.7])
@pytest.mark.parametrize("n_splits", [3, 7, 10])
def test_bayesian_posterior_at_popmean_is_no_difference(constant, n_splits):
    e = CVResiduals.from_array(np.full((n_splits, 7), constant))
    test = BayesianCorrelatedTTest(popmean=constant).fit(e)
    assert (test.prob_less_, test.prob_rope_, test.prob_greater_) == (0, 1, 0)


def test_degenerate_warning_says_what_happened():
    with pytest.warns(
        DegenerateResidualsWarning, match="KFoldTTest: residuals do not vary"
    ):
        KFoldTTest().fit([0.5, 0.5, 0.5])


# 0.1 + 0.2 - 0.3 is not 0: the means of these blocks are rounding, of either sign.
@pytest.mark.parametrize("Test", [KFoldTTest, CorrectedResampledTTest])
@pytest.mark.parametrize("blocks", [[0.1, 0.2, -0.3], [-0.3, 0.1, 0.2], [1 / 3] * 2])
def test_block_means_that_are_rounding_of_their_residuals_are_zero(Test, blocks):
    e = np.tile([*blocks, -sum(blocks)], (10, 1)) * np.linspace(1, 3, 10)[:, None]
    test = Test().fit(e)
    assert (test.statistic_, test.pvalue_) == (0, 1)


def test_no_difference_on_average_is_no_evidence_for_either_side():
    e = [0.3, -0.3, 0.1, -0.1]
    for alternative, pvalue in (("greater", 0.5), ("less", 0.5), ("two-sided", 1.0)):
        test = KFoldTTest(alternative=alternative).fit(e)
        assert (test.statistic_, test.pvalue_) == (0.0, pvalue)
    assert KFoldTTest(alternative="greater").fit([0.0] * 4).pvalue_ == 1.0


# 0.1 + 0.2 - 0.3 is 5.6e-17: printed as "ahead by 0.000000000 points".
@pytest.mark.parametrize("test", [KFoldTTest(), KFoldZTest(), HoldoutTTest()])
def test_a_mean_that_is_rounding_is_zero(test):
    values = np.add.outer([0.1, 0.2, -0.3], [0.01, -0.01, 0.02, -0.02])
    holdout = isinstance(test, HoldoutTTest)
    fitted = test.fit(values.reshape(1, -1) if holdout else values)
    assert (fitted.estimate_, fitted.statistic_) == (0, 0)
    assert fitted.pvalue_ == 1
    low, high = fitted.confidence_interval()
    assert low == -high < 0
