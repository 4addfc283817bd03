"""Calls that work, one for each public callable: bad inputs change one argument."""

import functools
import itertools
import shutil
import tempfile
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


def normal(*shape):
    return np.random.default_rng(0).normal(size=shape)


RESIDUALS = {
    "k-fold": cvtest.CVResiduals.from_array(normal(5, 6)),
    "repeated k-fold": cvtest.CVResiduals.from_array(normal(5, 6)),
    "subsample": cvtest.CVResiduals.from_array(
        normal(5, 6), design="subsample", n_train=24
    ),
    "5x2": cvtest.CVResiduals.from_array(normal(10, 6), design="5x2"),
    "holdout": cvtest.CVResiduals.from_array([[1, 0, -1, 1]], design="holdout"),
    "time series": cvtest.CVResiduals.from_array(normal(1, 6), design="time series"),
    "crossed": cvtest.CVResiduals.from_array(normal(3, 6), design="crossed"),
    "paired halves": cvtest.CVResiduals.from_array(
        normal(22, 6), design=HALVES, n_train=6
    ),
}
TESTS = {Test.__name__: Test for Test in ALL_TESTS}


def residuals_for(name):
    """Return residuals that a test takes."""
    return RESIDUALS[design_of(TESTS[name])]


def constant(label):
    return DummyClassifier(strategy="constant", constant=label)


LOSSES = cvtest.cross_val_losses({f"c{c}": constant(c) for c in range(3)}, X, Y, cv=3)
COMPARISON = cvtest.Comparison(LOSSES)
RESULTS = {name: {"test_score": normal(6) + (name == "a")} for name in "ab"}
SEARCHED = {f"split{j}_test_score": normal(4) * (j + 1) for j in range(6)}
SEARCHED["params"] = [{"C": c} for c in range(4)]
CANDIDATES = cvtest.compare_candidates(SEARCHED, cv=6)
POPULATION = simulation.GaussianLinearPopulation(2)
REPLICATED = {"estimators": LinearRegression(), "population": POPULATION}
REPLICATED |= {"n_replications": 2, "random_state": 0}
REPLICATIONS = simulation.replicate_losses(**REPLICATED, n_samples=12, cv=SPLITS)
RATES = simulation.rejection_rates(REPLICATIONS.residuals(), cvtest.KFoldTTest())
STRUCTURE = cvtest.simulation.CovarianceStructure(1.0, 0.1, 0.05, 12, 3)
CURVES = {"rho": [0.0, 0.5], "pvalues": [[0.1, 0.2]], "rho_alpha": [0.3]}
CURVES |= {"labels": ["a − b"]}
POWER = {"rates": [[0.1, 0.2]], "test_names": ["t"], "popmeans": [0.0, 1.0]}

FITTING = {"estimators": PAIR, "X": X, "y": Y, "cv": SPLITS}
INTERVALS = cvtest.cross_val_interval(DummyClassifier(), X, Y, cv=3)
METRICS = cvtest.compare_estimators(
    PAIR, X, Y, cv=3, scoring=["accuracy", "neg_log_loss"]
)
BY_LABEL = COMPARISON.by(np.zeros(len(Y)))
DATASETS = cvtest.compare_over_datasets({"iris": COMPARISON, "again": COMPARISON})


PREDICTIONS = {"y_true": [0, 1] * 15, "predictions": {"a": [0, 1] * 15, "b": [0] * 30}}
SCORES = {"model": ["a"] * 6 + ["b"] * 6, "fold": [*range(6)] * 2}
SCORES |= {"score": normal(12).tolist(), "where": ["here"] * 12}
# A row for each of two models and twelve examples, of three folds and six groups.
EXAMPLES = {"model": ["a"] * 12 + ["b"] * 12, "example": [*range(12)] * 2}
EXAMPLES |= {"fold": [0, 1, 2] * 8, "group": [*range(6)] * 4, "loss": normal(24)}
EXAMPLES |= {"sizes": range(1, 25)}
ITEMS = {"model": ["a"] * 6 + ["b"] * 6, "example": [*range(6)] * 2}
ITEMS |= {"score": normal(12).tolist(), "where": [*"xyzxyz"] * 2, "copy": ["r"] * 12}
RUNS = cvtest.compare_scores({"a": normal(2, 9), "b": normal(4, 9)[2:]})


def drawn(Display, **data):
    """Return a function that makes a display and draws it."""

    @functools.wraps(Display)
    def draw(**options):
        return Display(**options).plot()

    return functools.partial(draw, **data)


def fitted(name, **options):
    """Make, with options, and fit a test."""
    return made(TESTS[name], **options).fit(residuals_for(name))


def split(Splitter, data=X, **options):
    return some_of(Splitter(**options).split(data))


def refit(make, results=SEARCHED, **options):
    """Make a rule and choose by it, as a search does."""
    return make(**({"complexity": "C", "cv": 6} | options))(results)


def _calls_of_tests():
    for name in TESTS:
        test = fitted(name)
        residuals = residuals_for(name)
        yield name, (functools.partial(fitted, name), {})
        yield f"{name}.fit", (test.fit, {"residuals": residuals})
        yield f"{name}.confidence_interval", (test.confidence_interval, {})
        yield (
            f"{name}.check_design",
            (test.check_design, {"design": residuals.design}),
        )


def _calls_of_splitters():
    base = {"PairedHalves": {"cv": cvtest.BlockKFold(2)}}
    names = "BlockKFold", "FiveByTwo", "PairedHalves", "RepeatedSubsample"
    for name in names:
        Splitter, needed = getattr(cvtest, name), base.get(name, {})
        yield name, (functools.partial(split, Splitter), needed)
        splitter = Splitter(**needed, stratify=True)
        yield f"{name}.split", (exhaust(splitter.split), {"X": X, "y": Y})


def exhaust(function):
    def run(*args, **options):
        return some_of(function(*args, **options))

    return run


def some_of(splits):
    """Return the first splits; there may be 10**12."""
    return list(itertools.islice(splits, 1000))


CALLS = {
    **dict(_calls_of_tests()),
    **dict(_calls_of_splitters()),
    "CVLosses.load": (cvtest.CVLosses.load, {}),
    "CVLosses.residuals": (LOSSES.residuals, {"first": 0, "second": 1}),
    "CVLosses.save": (LOSSES.save, {}),
    "CVResiduals.from_array": (
        cvtest.CVResiduals.from_array,
        {"e": normal(5, 6)},
    ),
    "CandidateComparison.load": (cvtest.results.CandidateComparison.load, {}),
    "CandidateComparison.save": (CANDIDATES.save, {}),
    "Comparison": (cvtest.Comparison, {"losses": LOSSES}),
    "BestSet.plot": (COMPARISON.best_set().plot, {}),
    "Comparison.best_set": (COMPARISON.best_set, {}),
    "Comparison.winner_interval": (COMPARISON.winner_interval, {}),
    "Comparison.by": (COMPARISON.by, {"labels": Y}),
    "Comparison.detectable_difference": (COMPARISON.detectable_difference, {}),
    "Comparison.gate": (COMPARISON.gate, {"margin": 0.1, "reference": "c0"}),
    "Comparison.load": (cvtest.Comparison.load, {}),
    "Comparison.plot": (COMPARISON.plot, {}),
    "Comparison.retest": (COMPARISON.retest, {"test": None}),
    "Comparison.pairs": (COMPARISON.pairs, {}),
    "Comparison.save": (COMPARISON.save, {}),
    "Comparison.to_html": (COMPARISON.to_html, {}),
    "Comparison.to_json": (COMPARISON.to_json, {}),
    "Comparison.to_latex": (COMPARISON.to_latex, {}),
    "ComparisonDisplay.plot": (COMPARISON.plot, {}),
    "ComparisonDisplay.from_comparison": (
        cvtest.ComparisonDisplay.from_comparison,
        {"comparison": COMPARISON},
    ),
    "CorrectedTTestResult.confidence_interval": (
        cvtest.corrected_ttest([1, 2, 4], [1, 3, 3], 20, 10).confidence_interval,
        {},
    ),
    "CovarianceStructure": (
        cvtest.simulation.CovarianceStructure,
        {"sigma2": 1.0, "omega": 0.1, "gamma": 0.0, "n_samples": 12, "n_splits": 3},
    ),
    "CovarianceStructure.from_replications": (
        cvtest.simulation.CovarianceStructure.from_replications,
        {"residuals": normal(3, 3, 4)},
    ),
    "CrossValInterval.load": (cvtest.results.CrossValInterval.load, {}),
    "CrossValInterval.plot": (INTERVALS.plot, {}),
    "DifferencesByLabel.plot": (BY_LABEL.plot, {}),
    "RankComparison.plot": (DATASETS.ranks().plot, {}),
    "CrossValInterval.save": (INTERVALS.save, {}),
    "DatasetComparison.load": (cvtest.results.DatasetComparison.load, {}),
    "DatasetComparison.plot": (DATASETS.plot, {"first": "c0", "second": "c1"}),
    "DatasetComparison.retest": (DATASETS.retest, {}),
    "DatasetComparison.save": (DATASETS.save, {}),
    "Design": (
        cvtest.results.Design,
        {
            "kind": "paired halves",
            "n_splits": 3,
            "n_repeats": 1,
            "base": "k-fold",
            "n_halvings": 2,
        },
    ),
    "LossCovarianceDisplay": (
        drawn(simulation.LossCovarianceDisplay),
        {"structure": STRUCTURE},
    ),
    "LossCovarianceDisplay.from_structure": (
        cvtest.simulation.LossCovarianceDisplay.from_structure,
        {"structure": STRUCTURE},
    ),
    "LossCovarianceDisplay.plot": (
        cvtest.simulation.LossCovarianceDisplay(structure=STRUCTURE).plot,
        {},
    ),
    "MultiMetricComparison.retest": (METRICS.retest, {}),
    "MultiMetricComparison.load": (cvtest.results.MultiMetricComparison.load, {}),
    "MultiMetricComparison.plot": (METRICS.plot, {}),
    "MultiMetricComparison.save": (METRICS.save, {}),
    "NotSignificantlyWorse": (
        functools.partial(refit, cvtest.NotSignificantlyWorse),
        {},
    ),
    "PairTable.detectable_difference": (
        next(iter(COMPARISON.tables.values())).detectable_difference,
        {},
    ),
    "RejectionRateDisplay": (drawn(simulation.RejectionRateDisplay), POWER),
    "RejectionRateDisplay.from_rates": (
        cvtest.simulation.RejectionRateDisplay.from_rates,
        {"rates": RATES},
    ),
    "RejectionRateDisplay.plot": (simulation.RejectionRateDisplay(**POWER).plot, {}),
    "RhoSensitivityDisplay": (drawn(cvtest.RhoSensitivityDisplay), CURVES),
    "RhoSensitivityDisplay.from_comparison": (
        cvtest.RhoSensitivityDisplay.from_comparison,
        {"comparison": COMPARISON},
    ),
    "RhoSensitivityDisplay.from_residuals": (
        cvtest.RhoSensitivityDisplay.from_residuals,
        {"residuals": RESIDUALS["k-fold"]},
    ),
    "RhoSensitivityDisplay.plot": (cvtest.RhoSensitivityDisplay(**CURVES).plot, {}),
    "VarianceTable.plot": (RUNS.variance_table().plot, {}),
    "adjust_pvalues": (cvtest.adjust_pvalues, {"p": [0.1, 0.2]}),
    "assert_not_worse": (
        cvtest.assert_not_worse,
        {"result": COMPARISON, "model": "c0", "than": "c1", "margin": 0.9},
    ),
    "compare_candidates": (cvtest.compare_candidates, {"search": SEARCHED, "cv": 6}),
    "compare_cv_results": (cvtest.compare_cv_results, {"results": RESULTS, "cv": 6}),
    "compare_estimators": (cvtest.compare_estimators, FITTING),
    "concordance_index": (
        cvtest.losses.concordance_index,
        {"y_true": [1.0, 2.0, 3.0], "y_pred": [0.1, 0.5, 0.2]},
    ),
    "compare_over_datasets": (
        cvtest.compare_over_datasets,
        {"results": {"iris": COMPARISON, "again": LOSSES}},
    ),
    "compare_predictions": (cvtest.compare_predictions, PREDICTIONS),
    "interval_of_predictions": (cvtest.interval_of_predictions, PREDICTIONS),
    "compare_scores": (cvtest.compare_scores, {"scores": ITEMS}),
    "compare_table": (cvtest.compare_table, {"table": SCORES}),
    "corrected_ttest": (
        cvtest.corrected_ttest,
        {"a": normal(5), "b": normal(6)[1:], "n_train": 20, "n_test": 5},
    ),
    "cross_val_interval": (
        cvtest.cross_val_interval,
        FITTING | {"estimators": DummyClassifier()},
    ),
    "cross_val_losses": (cvtest.cross_val_losses, FITTING),
    "get_loss": (cvtest.losses.get_loss, {"name": "squared_error"}),
    "loss_jackknife_residuals": (simulation.loss_jackknife_residuals, FITTING),
    "make_loss": (cvtest.losses.make_loss, {"function": np.subtract}),
    "one_standard_error": (functools.partial(refit, cvtest.one_standard_error), {}),
    "Comparison.plan": (COMPARISON.plan, {"difference": 0.1}),
    "compare_file": (
        cvtest.compare_file,
        {"path": Fresh("wide.csv"), "wide": True, "score": "accuracy"},
    ),
    "variance_estimates": (
        cvtest.simulation.variance_estimates,
        {"residuals": normal(5, 6)},
    ),
    "ArrayPopulation": (simulation.ArrayPopulation, {"X": X, "y": Y}),
    "ArrayPopulation.sample": (
        simulation.ArrayPopulation(X, Y).sample,
        {"n_samples": 3, "rng": np.random.default_rng(0)},
    ),
    "GaussianLinearPopulation": (simulation.GaussianLinearPopulation, {}),
    "GaussianLinearPopulation.sample": (
        POPULATION.sample,
        {"n_samples": 3, "rng": np.random.default_rng(0)},
    ),
    "Replications.load": (simulation.Replications.load, {}),
    "Replications.residuals": (REPLICATIONS.residuals, {}),
    "Replications.save": (REPLICATIONS.save, {}),
    "covariance_curve": (
        simulation.covariance_curve,
        REPLICATED | {"n_samples": 12, "n_splits": 3},
    ),
    "rejection_rates": (
        simulation.rejection_rates,
        {"residuals": REPLICATIONS.residuals(), "tests": cvtest.KFoldTTest()},
    ),
    "replicate_losses": (
        simulation.replicate_losses,
        REPLICATED | {"n_samples": 12, "cv": SPLITS},
    ),
}
