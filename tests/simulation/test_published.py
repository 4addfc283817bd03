"""Numbers of the papers, reproduced through the public facade with other seeds."""

import gzip
import runpy
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    BlockKFold,
    CorrectedResampledTTest,
    CVResiduals,
    KFoldTTest,
    ResampledTTest,
)
from sklearn_cvtest.results import Design
from sklearn_cvtest.simulation import (
    ArrayPopulation,
    CovarianceStructure,
    GaussianLinearPopulation,
    rejection_rates,
    replicate_losses,
)

DATA = Path(__file__).parents[3] / "shared" / "data"
needs_data = pytest.mark.skipif(
    not DATA.is_dir(), reason="the data sets of the papers are not here"
)
FOLDER = Path(__file__).parents[2] / "examples" / "papers"
PAPERS = SimpleNamespace(**runpy.run_path(str(FOLDER / "_papers.py")))
PUBLISHED = PAPERS.PUBLISHED


def same_rate(rate, n, published, n_published, rounding):
    """Whether two shares are of one probability, at 99.9% and but for rounding."""
    variance = published * (1 - published) * (1 / n + 1 / n_published)
    return abs(rate - published) <= 3.3 * np.sqrt(variance) + rounding


# Rejection rates over k folds and r repeats: n = 100 fixed standard normal effects,
# sums over folds, n_test = int(n/k), 10,000 iterations, printed to two decimals.


@pytest.mark.parametrize(
    ("k", "r"), [(2, 1), (2, 17), (6, 5), (10, 9), (14, 1), (18, 13)]
)
def test_heat_map_cell(k, r):
    table, n = PUBLISHED["004-heatmap"], 4000
    rng = np.random.default_rng([17, k, r])
    effects = rng.normal(size=(n, 100))
    starts = [part[0] for part in np.array_split(np.arange(100), k)]
    sums = [
        np.add.reduceat(rng.permuted(effects, axis=1), starts, axis=1) for _ in range(r)
    ]
    n_test = 100 // k
    residuals = CVResiduals(
        values=np.hstack(sums),
        row_split=np.arange(k * r),
        design=Design("subsample", k * r),
        n_train=np.full(k * r, 100 - n_test),
        n_test=np.full(k * r, n_test),
        per_example=False,
    )
    tests = [ResampledTTest(), CorrectedResampledTTest()]
    rates = rejection_rates(residuals, tests, popmeans=0).rates.ravel()
    cell = table["r"].index(r), table["k"].index(k)
    for name, rate in zip(("standard", "corrected"), rates, strict=True):
        published = table[name][cell[0]][cell[1]]
        assert same_rate(rate, n, published, 10_000, rounding=0.005), (name, rate)


def test_size_of_the_naive_t_test_at_the_largest_rho():
    # [GB06] section 4.2: with ρ = 0.7 the t test at 5% rejects about 26% (24.7% with
    # ten folds), and a p-value of 0.2% is one of 5%; t(0) is t_9/√(1 - 0.7)
    text = PUBLISHED["GB06-text"]
    critical = stats.t.isf(0.025, 9) * np.sqrt(0.3)
    assert 200 * stats.t.sf(critical, 9) == pytest.approx(
        text["type1_at_rho07"], abs=1.5
    )
    alleged = 200 * stats.t.sf(stats.t.isf(0.025, 9) / np.sqrt(0.3), 9)
    assert alleged == pytest.approx(text["true_5pct_equals_alleged_pct"], abs=0.1)


def tree_on(load, n, n_replications):
    return replicate_losses(
        DecisionTreeClassifier(random_state=0),
        ArrayPopulation(*load(DATA)),
        n_samples=n,
        cv=BlockKFold(10),
        n_replications=n_replications,
        random_state=2006,
    )


def structure_of(samples):
    """Return the CovarianceStructure of the losses of a K-fold with 10 folds."""
    e = np.array([losses.values.reshape(10, -1) for losses in samples])
    return CovarianceStructure.from_replications(e)


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="needs the letter and forest files")
@pytest.mark.parametrize("column", [0, 1, 2, 3])
@pytest.mark.parametrize(
    ("name", "load"), [("letter", PAPERS.load_letter), ("forest", PAPERS.load_forest)]
)
def test_table_2_column(name, load, column):
    table, n = PUBLISHED["GB06-table2"][name], 2000
    samples = tree_on(load, table["n"][column], n)
    # the paper's trees are not known: up to 5 points of ρ may be theirs, and ρ of 2,000
    # samples has a standard error of at most 3 points
    rho = structure_of(samples).rho
    assert abs(rho - table["rho"][column] / 100) <= 3.3 * 0.03 + 0.05
    residuals = [losses.residuals(0) for losses in samples]
    rates = rejection_rates(residuals, [KFoldTTest(rho=0.0), KFoldTTest(rho=0.7)])
    for rate, key in zip(
        rates.rates.ravel(), ("type1_rho0", "type1_rho07"), strict=True
    ):
        published = table[key][column] / 100
        assert same_rate(rate, n, published, 10_000, rounding=0.01), (key, rate)


@pytest.mark.full
def test_gamma_is_most_of_the_variance_of_small_samples():
    # [BG03] figure 3, without outliers
    shares = []
    for n in (70, 250):
        samples = replicate_losses(
            LinearRegression(),
            GaussianLinearPopulation(),
            n_samples=n,
            cv=BlockKFold(10),
            loss="squared_error",
            n_replications=300,
            random_state=1,
        )
        shares.append(structure_of(samples).rho * (1 - 1 / 10))
    assert shares[0] > 0.5 > 2 * shares[1]


# Their data sets ----------------------------------------------------------------


def test_letter_is_read_from_a_file(tmp_path):
    features = ",".join(map(str, range(16)))
    rows = ["Letter," + features] + [f"{letter},{features}" for letter in "AMNZ"]
    (tmp_path / "letter-recognition.csv").write_text(
        "\n".join(rows) + "\n", encoding="utf-8"
    )
    X, y = PAPERS.load_letter(tmp_path)
    np.testing.assert_array_equal(X, np.tile(np.arange(16.0), (4, 1)))
    assert y.tolist() == [False, False, True, True]
    _, letters = PAPERS.load_letter(str(tmp_path), binary=False)
    assert letters.tolist() == list("AMNZ")


def test_forest_is_read_from_a_file(tmp_path):
    features = ",".join(map(str, range(54)))
    rows = [features + ",Cover_Type"] + [f"{features},{kind}" for kind in (1, 2, 7)]
    (tmp_path / "forest-cover-15k.csv").write_text("\n".join(rows), encoding="utf-8")
    X, y = PAPERS.load_forest(tmp_path)
    np.testing.assert_array_equal(X, np.tile(np.arange(54.0), (3, 1)))
    assert y.tolist() == [False, True, False]
    with gzip.open(tmp_path / "forest-cover.csv.gz", "wt") as file:
        file.write("\n".join(rows[:2]))
    X, _ = PAPERS.load_forest(tmp_path)
    assert len(X) == 1  # all rows, where they are there, before the sample


@pytest.mark.parametrize("load", [PAPERS.load_letter, PAPERS.load_forest])
def test_missing_files_are_named(load, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"(letter|forest).*\.csv"):
        load(tmp_path)


@needs_data
def test_letter_is_as_the_papers_describe():
    X, y = PAPERS.load_letter(DATA)
    assert X.shape == (20_000, 16)
    assert X.min() == 0
    assert X.max() == 15
    assert y.mean() == pytest.approx(0.5, abs=0.01)  # "almost balanced"


@needs_data
def test_forest_is_as_the_papers_describe():
    X, y = PAPERS.load_forest(DATA)
    assert X.shape == (581_012, 54)
    assert y.sum() == 283_301
