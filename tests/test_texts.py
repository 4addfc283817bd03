"""Whole texts of results, word for word: one file in tests/texts for each kind.

After a change of words, `python tests/test_texts.py` writes the files again; read what
changed. Whether the numbers are right is for the tests of what computes them.
"""

import re
import warnings
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator
from searches import TREE, results_of
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    Comparison,
    CorrectedResampledTTest,
    EquivalenceTest,
    FiveByTwoFTest,
    FiveByTwoTTest,
    KFoldTTest,
    KFoldZTest,
    NestedKFold,
    RepeatedSubsample,
    RhoSensitivityDisplay,
    compare_candidates,
    compare_cv_results,
    compare_estimators,
    compare_over_datasets,
    compare_scores,
    corrected_ttest,
    cross_val_interval,
    cross_val_losses,
)
from sklearn_cvtest.results import MultiMetricComparison
from sklearn_cvtest.simulation import (
    CovarianceStructure,
    LossCovarianceDisplay,
    RejectionRateDisplay,
)

TEXTS = Path(__file__).with_name("texts")
RNG = np.random.default_rng(20)
NOISE = RNG.normal(0, 0.02, (20, 10)).round(4)
LOSSES = RNG.random((60, 4)).round(3)
SHAKEN = RNG.normal(0, 0.02, (20, 6, 10)).round(4)  # models, data sets, folds
RUNS = np.random.default_rng(3).normal(size=(2, 4, 40)).round(3)
NAMES = [f"model {letter}" for letter in "abcdefghijklmnopqrst"]
CORRECTED = CorrectedResampledTTest()


class Undirected(KFoldTTest):
    """A test that does not say which of two is better."""

    names_winner = False


def scores(*means, metric="accuracy", **options):
    """Compare models by scores over ten folds with about these means."""
    results = {
        name: {f"test_{metric}": mean + noise}
        for name, mean, noise in zip(NAMES, means, NOISE, strict=False)
    }
    sizes = {} if options.get("cv") == "5x2" else {"n_train": 90, "n_test": 10}
    options = {"cv": 10, "metric": f"test_{metric}", **sizes} | options
    return compare_cv_results(results, **options)


class Column(RegressorMixin, BaseEstimator):
    """Predicts a column of X: with y = 0, its absolute errors are X."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        return self

    def predict(self, X):
        return X[:, self.column]


def losses_of(*shifts, cv=None, loss="absolute_error", noise=1.0, **options):
    """Return losses of 60 examples for models, with times that are always the same."""
    X = noise * LOSSES[:, : len(shifts)] + np.array(shifts)
    models = {name: Column(i) for i, name in enumerate(NAMES[: len(shifts)])}
    cv = BlockKFold(5, random_state=0) if cv is None else cv
    found = cross_val_losses(models, X, np.zeros(60), cv=cv, loss=loss, **options)
    times = np.full(found.fit_time.shape, 0.125) * np.arange(1, 1 + len(shifts))
    return replace(found, fit_time=times)


def errors(*shifts, test=None, p_adjust="holm", reference=None, **options):
    losses = losses_of(*shifts, **options)
    return Comparison(losses, test=test, p_adjust=p_adjust, reference=reference)


def with_failures():
    """Return a comparison where a model had two scores of failed fits, and one none."""
    losses = losses_of(0.0, 0.5, 0.9, 0.1)
    failed, values = losses.fit_failed.copy(), losses.losses.copy()
    failed[[0, 2], 1] = failed[1, 3] = True
    values[12:24, 3] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Comparison(replace(losses, fit_failed=failed, losses=values))


def same():
    numbers = 0.8 + NOISE[0]
    results = {name: {"test_f1": numbers} for name in ("one", "other")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compare_cv_results(results, cv=10, metric="test_f1", test=KFoldTTest())


def candidates(*means, **options):
    """Compare candidates by scores with about these means."""
    found = NOISE[: len(means)] + np.array(means)[:, np.newaxis]
    params = [
        {"tree__depth": row, "svm__depth": -row, "kind": "x", "tree__cost": cost}
        for row, cost in enumerate(np.linspace(0.1, 3, len(means)))
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compare_candidates(results_of(found, params=params), cv=10, **options)


def on_data_sets(*means, n=5, spread=0.0, **options):
    """Compare models over data sets, on each of which these are about the means."""
    parts = {
        f"data {number}": compare_cv_results(
            {
                name: mean + spread * number * (name == NAMES[0]) + noise[number]
                for name, mean, noise in zip(
                    NAMES, means, NOISE.reshape(20, 1, 10) + SHAKEN, strict=False
                )
            },
            cv=10,
        )
        for number in range(n)
    }
    return compare_over_datasets(parts, **options)


PAIRS = {
    "better": lambda: scores(0.9, 0.82),
    "behind": lambda: scores(0.7, 0.82, test=CORRECTED),
    "tied": lambda: scores(0.9, 0.895, test=CORRECTED),
    "r2": lambda: scores(0.5, 0.6, metric="r2", test=KFoldTTest(), alpha=0.01),
    "loss": lambda: errors(0.3, 1.0),
    "loss, tied": lambda: errors(0.0, 0.05, test=KFoldTTest(0.2)),
    "same": same,
    "two tests": lambda: scores(0.8, 0.78, test=[KFoldTTest(), CORRECTED]),
    "one-sided": lambda: scores(
        0.8, 0.9, test=CorrectedResampledTTest(alternative="greater")
    ),
    "one-sided, behind": lambda: scores(
        0.8, 0.79, test=KFoldTTest(alternative="greater")
    ),
    "less": lambda: scores(0.9, 0.8, test=CorrectedResampledTTest(alternative="less")),
    "shifted": lambda: scores(0.9, 0.7, test=CorrectedResampledTTest(popmean=0.1)),
    "shifted, not shown": lambda: scores(
        0.9, 0.8, test=KFoldTTest(popmean=-0.1, alternative="less")
    ),
    "subsamples": lambda: errors(0.0, 0.9, cv=RepeatedSubsample(15, random_state=0)),
    "t of 5x2": lambda: scores(0.9, 0.85, cv="5x2", test=FiveByTwoTTest()),
    "F of 5x2": lambda: scores(0.9, 0.7, cv="5x2", test=FiveByTwoFTest()),
    "F of 5x2, tied": lambda: scores(0.9, 0.9, cv="5x2", test=FiveByTwoFTest()),
    "undirected": lambda: scores(0.9, 0.7, test=Undirected()),
    "undirected, tied": lambda: scores(0.9, 0.89, test=Undirected()),
    "posterior, shifted": lambda: scores(
        0.9, 0.8, test=BayesianCorrelatedTTest(0.01, popmean=-0.1)
    ),
    "equivalence, shifted": lambda: scores(
        0.9, 0.8, test=EquivalenceTest(CORRECTED, margin=0.05, popmean=-0.1)
    ),
    "equivalent": lambda: scores(
        0.9, 0.9, test=EquivalenceTest(CORRECTED, margin=0.05)
    ),
    "not worse": lambda: scores(
        0.9,
        0.91,
        test=EquivalenceTest(CORRECTED, margin=0.05, alternative="greater"),
    ),
    "not equivalent": lambda: scores(
        0.9, 0.9, test=EquivalenceTest(CORRECTED, margin=0.002)
    ),
    "posterior": lambda: scores(0.9, 0.8, test=BayesianCorrelatedTTest(0.01)),
    "posterior, tied": lambda: scores(0.9, 0.89, test=BayesianCorrelatedTTest()),
    "posterior, equivalent": lambda: scores(
        0.9, 0.9, test=BayesianCorrelatedTTest(0.05)
    ),
}
MANY = {
    "best": lambda: scores(0.9, 0.8, 0.895, 0.7),
    "reference": lambda: scores(0.8, 0.9, 0.7, 0.805, reference="model a"),
    "not told apart": lambda: scores(0.8, 0.805, 0.8, 0.795, test=CORRECTED),
    "none like it": lambda: errors(0.0, 3.0, 5.0, p_adjust=None),
    "many": lambda: scores(*np.linspace(0.5, 0.9, 17), test=CORRECTED),
    "many, reference": lambda: scores(
        *np.linspace(0.5, 0.9, 18), test=CORRECTED, reference="model j"
    ),
    "unadjusted": lambda: scores(0.9, 0.8, 0.88, p_adjust=None, test=KFoldTTest(0.5)),
    "posterior": lambda: scores(
        0.9, 0.895, 0.7, 0.84, test=BayesianCorrelatedTTest(0.05)
    ),
    "posterior, reference": lambda: scores(
        0.9, 0.895, 0.7, 0.84, test=BayesianCorrelatedTTest(0.05), reference="model b"
    ),
    "equivalence": lambda: scores(
        0.9, 0.895, 0.7, test=EquivalenceTest(CORRECTED, margin=0.06)
    ),
    "all equivalent": lambda: scores(
        0.9, 0.9, 0.9, 0.9, test=EquivalenceTest(CORRECTED, margin=0.06)
    ),
    "undirected": lambda: scores(0.9, 0.7, 0.89, test=Undirected(), p_adjust=None),
    "F of 5x2": lambda: scores(0.9, 0.7, 0.89, cv="5x2", test=FiveByTwoFTest()),
    "failed fits": with_failures,
    "two tests": lambda: errors(
        0.0, 0.4, 0.9, test={"t": KFoldTTest(), "z": KFoldZTest()}
    ),
}
CANDIDATES = {
    "best": lambda: candidates(0.9, 0.895, 0.8, 0.7),
    "given": lambda: candidates(0.8, 0.9, 0.81, 0.7, reference=0),
    "many": lambda: candidates(*np.linspace(0.9, 0.5, 20), reference=15),
    "pairs": lambda: candidates(0.9, 0.8, 0.895, reference=None),
    "all pairs": lambda: candidates(*np.linspace(0.9, 0.5, 12), reference=None),
    "failed": lambda: candidates(0.9, np.nan, 0.8, 0.7, np.inf),
    "posterior": lambda: candidates(
        0.9, 0.895, 0.8, 0.86, test=BayesianCorrelatedTTest(0.04)
    ),
    "posterior, pairs": lambda: candidates(
        0.9, 0.895, 0.8, test=BayesianCorrelatedTTest(), reference=None
    ),
    "equivalence": lambda: candidates(
        0.9, 0.895, 0.8, test=EquivalenceTest(CORRECTED, margin=0.05), reference=None
    ),
}
DATA_SETS = {
    "pair": lambda: on_data_sets(0.5, 0.6),
    "pair, tied": lambda: on_data_sets(0.5, 0.51, spread=0.01, p_adjust=None),
    "best": lambda: on_data_sets(0.5, 0.6, 0.7, 0.7),
    "reference": lambda: on_data_sets(0.6, 0.5, 0.7, 0.6, 0.7, reference="model a"),
    "logs": lambda: on_data_sets(-0.5, -0.6, -0.5, scale="log"),
    "many": lambda: on_data_sets(*np.linspace(0.4, 0.5, 8), n=3),
}


def intervals(cv=None, n_models=2, **options):
    X = LOSSES[:, :2] + [0.0, 0.4]
    models = dict([("one", Column(0)), ("other", Column(1))][:n_models])
    cv = BlockKFold(5, random_state=0) if cv is None else cv
    options = {"loss": "absolute_error"} | options
    return cross_val_interval(models, X, np.ones(60), cv=cv, **options)


INTERVALS = {
    "loss": intervals,
    "one model": lambda: intervals(n_models=1),
    "scores": lambda: intervals(
        loss="auto", scoring=["neg_median_absolute_error", "neg_mean_squared_error"]
    ),
    "nested": lambda: intervals(
        NestedKFold(3, n_repeats=2, random_state=0), confidence_level=0.9
    ),
    "subsamples": lambda: intervals(
        RepeatedSubsample(4, test_size=0.2, random_state=0)
    ),
}


def said(say, cases, *names):
    """Return what is said of cases, by their names."""
    return {name: say(cases[name]()) for name in names or cases}


def frame(result):
    return result.to_frame().to_csv(float_format="%.4g", index=False)


def page(result):
    return result._repr_html_().replace("<tr>", "\n<tr>").replace("<p>", "\n<p>")


def reports():
    def say(result):
        return result.report()[:2000]  # the first pairs of many

    return (
        said(say, PAIRS, "tied", "subsamples", "one-sided, behind", "posterior")
        | said(say, MANY, "reference", "failed fits", "F of 5x2", "many, reference")
        | said(say, INTERVALS, "loss")
        | said(say, DATA_SETS, "pair, tied", "best")
    )


def frames():
    return (
        said(frame, PAIRS, "tied", "t of 5x2")
        | said(frame, MANY, "failed fits", "posterior", "two tests")
        | said(frame, CANDIDATES, "given", "pairs")
        | said(frame, INTERVALS, "loss")
        | said(frame, DATA_SETS, "best")
    )


def pages():
    return (
        said(page, PAIRS, "loss")
        | said(page, MANY, "failed fits", "posterior")
        | said(page, CANDIDATES, "given", "pairs")
        | said(page, INTERVALS, "scores")
        | said(page, DATA_SETS, "best")
    )


def paper_tables():
    def markdown(result):
        return result.to_markdown()

    def latex(result):
        return result.to_latex()

    return (
        said(latex, PAIRS, "loss", "behind")
        | said(latex, MANY, "failed fits", "posterior, reference")
        | said(markdown, MANY, "reference", "two tests", "posterior")
        | said(latex, DATA_SETS, "best")
    )


def page_of(result):
    """Return the page of a result, without its pictures and its style."""
    with TemporaryDirectory() as folder:
        result.to_html(Path(folder, "page.html"))
        text = Path(folder, "page.html").read_text()
    text = re.sub(r'"data:image[^"]*"', '"data:..."', text)
    return re.sub(r"<style>.*?</style>", "<style>...</style>", text, flags=re.DOTALL)


def web_pages():
    metrics = {"one": PAIRS["tied"](), "other": PAIRS["r2"]()}
    return {
        "two metrics": page_of(MultiMetricComparison(metrics)),
        "two tests": page_of(MANY["two tests"]()),
        "posterior": page_of(PAIRS["posterior"]()),
        "data sets": page_of(DATA_SETS["reference"]()),
    }


def plan_of(*parts):
    rng = np.random.default_rng(0)
    hits = {name: rng.random(60) < share for name, share in (("a", 0.8), ("b", 0.7))}
    plan = compare_scores(hits, loss="accuracy").plan(0.0175)
    ((pair, found),) = plan.by_pair.items()
    return replace(plan, by_pair={pair: type(found)(*parts, 0.0175)})


def advice():
    found = {
        "repeats": plan_of(7, 1234, 0.012345, 0.02),
        "no repeats": plan_of(None, 4321, 0.0185, 0.02),
        "unknown": plan_of(None, None, np.nan, 0.02),
    }
    return {name: str(each) for name, each in found.items()}


def labels():
    sites = np.repeat(["x", "y", "z"], [24, 30, 6])
    with pytest.warns(UserWarning, match="Too few examples or groups"):
        one = errors(0.0, 0.1).by(sites)
    several = errors(0.0, 0.1, 0.9).by(np.arange(60) % 2 > 0, p_adjust=None)
    found = {"one pair": one, "several": several}
    return {name: f"{each}\n\n{frame(each)}" for name, each in found.items()}


def of_unequal_groups():
    """Return a comparison whose difference is not that of the means of splits."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(12), [2] * 8 + [30] * 4)
    x = groups + rng.normal(size=len(groups))
    y = x + 2 * rng.normal(size=len(groups)) > np.median(x)
    models = {"bayes": GaussianNB(), "none": DummyClassifier(), "tree": TREE}
    return compare_estimators(models, x[:, None], y, cv=4, groups=groups)


def small():
    several, runs = errors(0.0, 0.02, 0.9), RUNS
    found = {
        "gate": errors(0.0, 0.1).gate(0.05, "model b"),
        "gate of several": several.gate(0.05, "model a"),
        "best set": several.best_set(),
        "winner": several.winner_interval(),
        "variance": compare_scores({"old": runs[0], "new": runs[1]}).variance_table(),
        "scores": corrected_ttest(SHAKEN[0, 0], SHAKEN[1, 0], 90, 10),
        "plan": several.plan(0.0175),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        unequal = of_unequal_groups().report()
    return {name: str(each) for name, each in found.items()} | {"unequal": unequal}


def hue(artist):
    return to_hex(artist.get_color())


def drawn(ax):
    """Return what axes show, as text: words, and where lines and markers are."""

    def shown(values):
        return np.round(np.asarray(values, dtype=float), 3).tolist()

    is_named = isinstance(ax.yaxis.get_major_locator(), FixedLocator)  # rows
    legends = [legend for legend in [ax.get_legend(), *ax.figure.legends] if legend]
    lines = [
        *(ax.get_title(), ax.get_xlabel(), ax.get_ylabel(), ax.get_yscale()),
        " | ".join(text.get_text() for text in ax.get_yticklabels() if is_named),
        *(text.get_text() for legend in legends for text in legend.get_texts()),
    ]
    if is_named:
        lines.append(f"from {shown(ax.get_ylim())}")
    if isinstance(ax.xaxis.get_major_locator(), FixedLocator):
        lines.append(f"ticks {shown(ax.get_xticks())}")
    for text in ax.texts:
        place = text.xyann if hasattr(text, "xyann") else text.get_position()
        look = f"{text.get_ha()} {text.get_va()} {text.get_size():g} {hue(text)}"
        lines.append(f"{text.get_text()} at {shown(place)} {look}")
    for line in ax.get_lines():
        kind = (
            f"{line.get_linestyle()} {line.get_marker()} {line.get_lw():g} {hue(line)}"
        )
        lines.append(f"line {kind} {shown(line.get_xydata()[:6])}")
    for found in ax.collections:
        if isinstance(found, LineCollection):
            kind = f"{found.get_linewidth()[0]:g} {to_hex(found.get_color()[0])}"
            lines.append(f"lines {kind} {list(map(shown, found.get_segments()[:6]))}")
            continue
        colors = " ".join(to_hex(color) for color in found.get_facecolor())
        sizes = shown(getattr(found, "get_sizes", list)())
        lines.append(f"markers {shown(found.get_offsets())} {sizes[:1]} {colors}")
    for patch in ax.patches:
        if isinstance(patch, Rectangle):
            size = patch.get_width(), patch.get_height()
            color = to_hex(patch.get_facecolor())
            lines.append(f"bar {shown(patch.get_xy())} {shown(size)} {color}")
    for image in ax.get_images():
        values, ends = image.get_array(), f"{image.cmap.name} {image.get_clim()}"
        lines.append(f"image {values.shape} {shown(values[0, :6])} {ends}")
    return "\n".join(lines)


def pictures():
    rates = SimpleNamespace(
        test_names=("one", "two"),
        alphas=np.array([0.01, 0.05]),
        popmeans=np.array([0.0, 0.1, 0.2]),
        rates=np.linspace(0.01, 0.9, 12).reshape(2, 2, 3),
        standard_errors=np.full((2, 2, 3), 0.02),
        true_mean=0.05,
        n_replications=100,
    )
    structure = CovarianceStructure(1.0, 0.1, 0.05, n_samples=100, n_splits=10)
    mixed = scores(
        0.9, 0.8, 0.89, test={"t": CORRECTED, "b": BayesianCorrelatedTTest(0.02)}
    )
    of_data = DATA_SETS["best"]()
    makers = {
        "better": lambda ax: PAIRS["better"]().plot(ax=ax),
        "one-sided": lambda ax: PAIRS["one-sided"]().plot(ax=ax),
        "many": lambda ax: MANY["best"]().plot(ax=ax),
        "reference": lambda ax: MANY["reference"]().plot(ax=ax),
        "posterior": lambda ax: MANY["posterior"]().plot(ax=ax),
        "posterior, reference": lambda ax: MANY["posterior, reference"]().plot(ax=ax),
        "two tests": lambda ax: MANY["two tests"]().plot(ax=ax),
        "mixed": lambda ax: mixed.plot(ax=ax),
        "pairs": lambda ax: MANY["best"]().plot(ax=ax, pairs="all"),
        "best set": lambda ax: MANY["best"]().best_set().plot(ax=ax),
        "bars": lambda ax: (
            compare_scores({"old": RUNS[0], "new": RUNS[1]}).variance_table().plot(ax)
        ),
        "rho": lambda ax: RhoSensitivityDisplay.from_comparison(
            MANY["two tests"](), ax=ax
        ),
        "rates": lambda ax: RejectionRateDisplay.from_rates(rates, ax=ax),
        "grid": lambda ax: RejectionRateDisplay(
            rates=[[0.0, 0.05], [0.1, 1.0], [0.2, 0.3]],
            row_values=[2, 5, 10],
            column_values=[1, 10],
            row_label="folds",
            column_label="repeats",
        ).plot(ax),
        "small rates": lambda ax: RejectionRateDisplay(
            rates=[[0.0, 0.05], [0.02, 0.01]],
            row_values=[2, 5],
            column_values=[1, 10],
            row_label="folds",
            column_label="repeats",
        ).plot(ax),
        "covariances": lambda ax: LossCovarianceDisplay.from_structure(
            structure, ax=ax
        ),
        "data sets": lambda ax: of_data.plot("model a", "model c", ax=ax),
        "first pair of data sets": lambda ax: DATA_SETS["pair"]().plot(ax=ax),
        "ranks": lambda ax: of_data.ranks().plot(ax),
        "ranks by Wilcoxon": lambda ax: of_data.ranks().plot(ax, test="wilcoxon"),
        "labels": lambda ax: errors(0.0, 0.1).by(np.arange(60) % 2).plot(ax),
        "intervals": lambda ax: INTERVALS["scores"]().plot(ax=ax),
    }
    found = {}
    for name, make in makers.items():
        ax = Figure(layout="constrained").subplots()
        make(ax)
        found[name] = "\n\n".join(map(drawn, ax.figure.axes))
    sizes = []
    for name in ("better", "many", "bars", "rates", "grid", "data sets", "ranks"):
        makers[name](None)
        sizes.append(f"{name}: {plt.gcf().get_size_inches().round(3).tolist()}")
        plt.close("all")
    return found | {"sizes": "\n".join(sizes)}


def in_brief():
    comparison, of_data = MANY["best"](), DATA_SETS["best"]()
    objects = [
        comparison,
        comparison.tests,
        next(iter(comparison.tables.values())),
        comparison.estimator_intervals(),
        CANDIDATES["given"](),
        of_data,
        of_data.ranks(),
        INTERVALS["nested"](),
        errors(0.0, 0.1).by(np.arange(60) % 2),
        losses_of(0.0, 0.5),
    ]
    return {f"{number}": repr(each) for number, each in enumerate(objects)} | {
        "ranks": str(of_data.ranks())
    }


KINDS = {
    "pairs": lambda: said(str, PAIRS),
    "many": lambda: said(str, MANY),
    "candidates": lambda: said(str, CANDIDATES),
    "data_sets": lambda: said(str, DATA_SETS),
    "intervals": lambda: said(str, INTERVALS),
    "reports": reports,
    "frames": frames,
    "pages": pages,
    "paper_tables": paper_tables,
    "web_pages": web_pages,
    "pictures": pictures,
    "advice": advice,
    "labels": labels,
    "small": small,
    "in_brief": in_brief,
}


def whole(kind):
    """Return the texts of a kind as one, without versions of libraries."""
    texts = KINDS[kind]().items()
    text = "".join(f"##### {name}\n{text.rstrip()}\n\n" for name, text in texts)
    versions = r"(Computed|Written)\s+with\s+sklearn_cvtest\s[^<]*?Python\s+[\d.]+"
    text = re.sub(versions, r"\1 with ...", text)
    return re.sub(
        r"Software:\ssklearn_cvtest\s[^<,]+,\sscikit-learn\s[\w.]+",
        "Software: ...",
        text,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_texts_are_word_for_word(kind):
    assert whole(kind) == (TEXTS / f"{kind}.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    for kind in KINDS:
        (TEXTS / f"{kind}.txt").write_text(whole(kind), encoding="utf-8")
