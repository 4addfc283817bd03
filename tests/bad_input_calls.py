"""Calls that work, one for each public callable: bad inputs change one argument."""

import itertools
import shutil
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
from common import ALL_TESTS, design_of, made
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression

import sklearn_cvtest as cvtest
from sklearn_cvtest import simulation

FOLDER = tempfile.TemporaryDirectory()


class Fresh:
    """The path of a new copy of a file each time, as random calls write to paths."""

    def __init__(self, name):
        self.name = name

    def __fspath__(self):
        return shutil.copy(Path(__file__).with_name(self.name), FOLDER.name)


X, Y = (part[::5] for part in load_iris(return_X_y=True))
PAIR = {"frequent": DummyClassifier(), "first": DummyClassifier(strategy="prior")}
SPLITS = cvtest.BlockKFold(3, random_state=0)
HALVES = cvtest.PairedHalves(cvtest.BlockKFold(2), 5).get_design()
TESTS = {Test.__name__: Test for Test in ALL_TESTS}


def normal(*shape):
    return np.random.default_rng(0).normal(size=shape)


from_array = cvtest.CVResiduals.from_array
RESIDUALS = {
    "k-fold": from_array(normal(5, 6)),
    "repeated k-fold": from_array(normal(5, 6)),
    "subsample": from_array(normal(5, 6), design="subsample", n_train=24),
    "5x2": from_array(normal(10, 6), design="5x2"),
    "holdout": from_array([[1, 0, -1, 1]], design="holdout"),
    "time series": from_array(normal(1, 6), design="time series"),
    "crossed": from_array(normal(3, 6), design="crossed"),
    "paired halves": from_array(normal(22, 6), design=HALVES, n_train=6),
}


def residuals_for(name):
    """Return residuals that a test takes."""
    return RESIDUALS[design_of(TESTS[name])]


FITTING = {"estimators": PAIR, "X": X, "y": Y, "cv": SPLITS}
LOSSES = cvtest.cross_val_losses(
    {f"c{c}": DummyClassifier(strategy="constant", constant=c) for c in range(3)},
    X,
    Y,
    cv=3,
)
COMPARISON = cvtest.Comparison(LOSSES)
METRICS = cvtest.compare_estimators(
    PAIR, X, Y, cv=3, scoring=["accuracy", "neg_log_loss"]
)
RESULTS = {name: {"test_score": normal(6) + (name == "a")} for name in "ab"}
SEARCHED = {f"split{j}_test_score": normal(4) * (j + 1) for j in range(6)}
SEARCHED["params"] = [{"C": c} for c in range(4)]
POPULATION = simulation.GaussianLinearPopulation(2)
REPLICATED = {
    "estimators": [LinearRegression(), LinearRegression(fit_intercept=False)],
    "population": POPULATION,
    "n_replications": 2,
    "random_state": 0,
}
REPLICATIONS = simulation.replicate_losses(**REPLICATED, n_samples=12, cv=SPLITS)
DIFFERENCES = [losses.residuals(0, 1) for losses in REPLICATIONS]
STRUCTURE = simulation.CovarianceStructure(1.0, 0.1, 0.05, 12, 3)
DATASETS = cvtest.compare_over_datasets({"iris": COMPARISON, "again": COMPARISON})

PREDICTIONS = {"y_true": [0, 1] * 15, "predictions": {"a": [0, 1] * 15, "b": [0] * 30}}
SCORES = {"model": ["a"] * 6 + ["b"] * 6, "fold": [*range(6)] * 2}
SCORES |= {"score": normal(12).tolist(), "where": ["here"] * 12}
# A row for each of two models and six examples, of three groups.
ITEMS = {"model": ["a"] * 6 + ["b"] * 6, "example": [*range(6)] * 2}
ITEMS |= {"score": normal(12).tolist(), "where": [*"xyzxyz"] * 2, "copy": ["r"] * 12}


def fitted(name, **options):
    """Make, with options, and fit a test."""
    return made(TESTS[name], **options).fit(residuals_for(name))


def splits_of(splitter, X=X, y=Y, groups=None):
    """Return the first splits of a splitter; there may be 10**12."""
    return list(itertools.islice(splitter.split(X, y, groups), 1000))


def split(Splitter, **options):
    """Make a splitter and return its first splits."""
    return splits_of(Splitter(**options))


def refit(make, results=SEARCHED, **options):
    """Make a rule and choose by it, as a search does."""
    return make(**({"complexity": "C", "cv": 6} | options))(results)


def _calls_of_tests():
    for name in TESTS:
        test, residuals = fitted(name), residuals_for(name)
        yield name, (partial(fitted, name), {})
        yield f"{name}.fit", (test.fit, {"residuals": residuals})
        yield f"{name}.confidence_interval", (test.confidence_interval, {})


def _calls_of_splitters():
    base = {"PairedHalves": {"cv": cvtest.BlockKFold(2)}}
    for name in ("BlockKFold", "FiveByTwo", "PairedHalves", "RepeatedSubsample"):
        Splitter, needed = getattr(cvtest, name), base.get(name, {})
        yield name, (partial(split, Splitter), needed)
        splitter = Splitter(**needed, stratify=True)
        yield f"{name}.split", (partial(splits_of, splitter), {"X": X, "y": Y})


CALLS = {
    **dict(_calls_of_tests()),
    **dict(_calls_of_splitters()),
    "ArrayPopulation": (simulation.ArrayPopulation, {"X": X, "y": Y}),
    "ArrayPopulation.sample": (
        simulation.ArrayPopulation(X, Y).sample,
        {"n_samples": 3, "rng": np.random.default_rng(0)},
    ),
    "CVLosses.residuals": (LOSSES.residuals, {"first": 0, "second": 1}),
    "CVResiduals.from_array": (from_array, {"e": normal(5, 6)}),
    "Comparison": (cvtest.Comparison, {"losses": LOSSES}),
    "Comparison.by": (COMPARISON.by, {"labels": Y}),
    "Comparison.detectable_difference": (COMPARISON.detectable_difference, {}),
    "Comparison.gate": (COMPARISON.gate, {"margin": 0.1, "reference": "c0"}),
    "Comparison.letters": (COMPARISON.letters, {}),
    "Comparison.load": (cvtest.Comparison.load, {}),
    "Comparison.pairs": (COMPARISON.pairs, {}),
    "Comparison.plan": (COMPARISON.plan, {"difference": 0.1}),
    "Comparison.plot": (COMPARISON.plot, {}),
    "Comparison.retest": (COMPARISON.retest, {"test": None}),
    "Comparison.save": (COMPARISON.save, {}),
    "Comparison.to_html": (COMPARISON.to_html, {}),
    "Comparison.to_json": (COMPARISON.to_json, {}),
    "Comparison.winner_interval": (COMPARISON.winner_interval, {}),
    "ComparisonDisplay.from_comparison": (
        cvtest.ComparisonDisplay.from_comparison,
        {"comparison": COMPARISON},
    ),
    "ComparisonsByMetric.retest": (METRICS.retest, {}),
    "ComparisonDisplay.plot": (
        cvtest.ComparisonDisplay.from_comparison(COMPARISON).plot,
        {},
    ),
    "CorrectedTTest.confidence_interval": (
        cvtest.corrected_ttest([1, 2, 4], [1, 3, 3], 20, 10).confidence_interval,
        {},
    ),
    "CovarianceStructure": (
        simulation.CovarianceStructure,
        {"sigma2": 1.0, "omega": 0.1, "gamma": 0.0, "n_samples": 12, "n_splits": 3},
    ),
    "CovarianceStructure.from_replications": (
        simulation.CovarianceStructure.from_replications,
        {"residuals": normal(3, 3, 4)},
    ),
    "DatasetComparison.load": (cvtest.results.DatasetComparison.load, {}),
    "DatasetComparison.save": (DATASETS.save, {}),
    "DatasetComparison.retest": (DATASETS.retest, {}),
    "Design": (cvtest.results.Design, {"kind": "k-fold", "n_splits": 3}),
    "GaussianLinearPopulation": (simulation.GaussianLinearPopulation, {}),
    "GaussianLinearPopulation.sample": (
        POPULATION.sample,
        {"n_samples": 3, "rng": np.random.default_rng(0)},
    ),
    "NotSignificantlyWorse": (partial(refit, cvtest.NotSignificantlyWorse), {}),
    "RhoSensitivityDisplay.from_comparison": (
        cvtest.RhoSensitivityDisplay.from_comparison,
        {"comparison": COMPARISON},
    ),
    "RhoSensitivityDisplay.plot": (
        cvtest.RhoSensitivityDisplay.from_comparison(COMPARISON).plot,
        {},
    ),
    "adjust_pvalues": (cvtest.adjust_pvalues, {"p": [0.1, 0.2]}),
    "assert_not_worse": (
        cvtest.assert_not_worse,
        {"result": COMPARISON, "model": "c0", "than": "c1", "margin": 0.9},
    ),
    "compare_candidates": (cvtest.compare_candidates, {"search": SEARCHED, "cv": 6}),
    "compare_cv_results": (cvtest.compare_cv_results, {"results": RESULTS, "cv": 6}),
    "compare_estimators": (cvtest.compare_estimators, FITTING),
    "compare_file": (
        cvtest.compare_file,
        {"path": Fresh("wide.csv"), "score": "accuracy"},
    ),
    "compare_over_datasets": (
        cvtest.compare_over_datasets,
        {"results": {"iris": COMPARISON, "again": LOSSES}},
    ),
    "compare_predictions": (cvtest.compare_predictions, PREDICTIONS),
    "compare_scores": (cvtest.compare_scores, {"scores": ITEMS}),
    "compare_table": (cvtest.compare_table, {"table": SCORES}),
    "concordance_index": (
        cvtest.losses.concordance_index,
        {"y_true": [1.0, 2.0, 3.0], "y_pred": [0.1, 0.5, 0.2]},
    ),
    "corrected_ttest": (
        cvtest.corrected_ttest,
        {"a": normal(5), "b": normal(6)[1:], "n_train": 20, "n_test": 5},
    ),
    "covariance_curve": (
        simulation.covariance_curve,
        REPLICATED | {"n_samples": 12, "n_splits": 3},
    ),
    "cross_val_interval": (cvtest.cross_val_interval, FITTING),
    "cross_val_losses": (cvtest.cross_val_losses, FITTING),
    "interval_of_predictions": (cvtest.interval_of_predictions, PREDICTIONS),
    "load": (cvtest.load, {}),
    "loss_jackknife_residuals": (simulation.loss_jackknife_residuals, FITTING),
    "make_loss": (cvtest.make_loss, {"function": np.subtract}),
    "one_standard_error": (partial(refit, cvtest.one_standard_error), {}),
    "rejection_rates": (
        simulation.rejection_rates,
        {"residuals": DIFFERENCES, "tests": cvtest.KFoldTTest()},
    ),
    "replicate_losses": (
        simulation.replicate_losses,
        REPLICATED | {"n_samples": 12, "cv": SPLITS},
    ),
    "variance_estimates": (simulation.variance_estimates, {"residuals": normal(5, 6)}),
}
