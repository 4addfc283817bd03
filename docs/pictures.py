"""Draw the pictures of the pages, docs/_static/pages/*.svg.

Run: python docs/pictures.py [NAME ...]

Each function draws one picture and has its name. The pages link the files, so that
they show wherever the pages are read. Pictures have a white ground and are readable
on a dark page as well.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import ListedColormap
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeCV
from sklearn.model_selection import KFold, TimeSeriesSplit, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    BlockKFold,
    FiveByTwo,
    PairedHalves,
    RepeatedSubsample,
    RhoSensitivityDisplay,
    compare_estimators,
    compare_over_datasets,
    compare_scores,
    cross_val_interval,
)
from sklearn_cvtest.simulation import (
    CovarianceStructure,
    GaussianLinearPopulation,
    replicate_losses,
)

FOLDER = Path(__file__).parent / "_static" / "pages"
BLUE, ORANGE, GREEN, YELLOW = "#0072B2", "#D55E00", "#009E73", "#E69F00"
PALE, DARK, GREY = "#b8cbe0", "#1f4e79", "#999999"
ROLES = ListedColormap(["#ffffff", PALE, DARK])  # unused, training, test


def draw_cells(ax, table, colours):
    """Draw a row of cells for each split, the first on top."""
    ax.pcolormesh(
        table,
        cmap=colours,
        vmin=0,
        vmax=2,
        edgecolor="white",
        linewidth=0.2,
        rasterized=True,
    )
    ax.invert_yaxis()


def roles(splits, n_samples):
    """Return 1 for the training and 2 for the test examples of each split."""
    table = np.zeros((len(splits), n_samples))
    for row, (train, test) in zip(table, splits, strict=True):
        row[train] = 1
        row[test] = 2
    return table


# The tutorial and the guide --------------------------------------------------------


def overlap():
    """Two folds of ten: which examples train, and which of them train both."""
    shared = "#7da7d0"
    _, ax = plt.subplots(figsize=(7.2, 2.3))
    for row, tested in enumerate((0, 1)):
        for block in range(10):
            colour = shared if block > 1 else PALE
            if block == tested:
                colour = DARK
            ax.barh(-row, 0.94, left=block, height=0.62, color=colour)
        ax.text(tested + 0.47, -row, "test", color=PALE, ha="center", va="center")
        ax.text(-0.2, -row, f"fold {row + 1}", ha="right", va="center")
    ax.plot([2, 2, 9.94, 9.94], [-1.5, -1.6, -1.6, -1.5], color="black", linewidth=1)
    ax.text(
        5.97,
        -1.75,
        "8 of 9 training blocks are the same, so the two errors move together",
        ha="center",
        va="top",
    )
    ax.set(xlim=(-1.2, 10), ylim=(-2.2, 0.4))
    ax.axis("off")


def tutorial():
    models = {
        "ridge": make_pipeline(StandardScaler(), RidgeCV()),
        "forest": RandomForestRegressor(30, min_samples_leaf=5, random_state=0),
        "neighbours": make_pipeline(StandardScaler(), KNeighborsRegressor(20)),
        "mean": DummyRegressor(),
    }
    result = compare_estimators(
        models,
        *load_diabetes(return_X_y=True),
        loss="absolute_error",
        reference="ridge",
        cv=BlockKFold(5, n_repeats=5, random_state=0),
    )
    result.plot()


def rho_samples():
    samples = replicate_losses(
        LinearRegression(),
        GaussianLinearPopulation(30),
        n_samples=60,
        cv=BlockKFold(10),
        n_replications=12,
        random_state=3,
    )
    means = [losses.block_losses[:, 0] for losses in samples]
    _, ax = plt.subplots(figsize=(6.8, 3.2))
    for place, folds in enumerate(means):
        ax.plot(np.full(10, place), folds, ".", color="#5b8db8", markersize=5)
        error = folds.std(ddof=1) / np.sqrt(10)
        ax.errorbar(place, folds.mean(), 2 * error, fmt="_", color="black", capsize=3)
    ax.axhline(np.mean(means), color=ORANGE, linewidth=1)
    ax.set(xlabel="sample", ylabel="mean squared error", xticks=[])


def rho_sensitivity():
    estimators = {
        "tree": DecisionTreeClassifier(random_state=0),
        "discriminant": LinearDiscriminantAnalysis(),
        "bayes": GaussianNB(),
    }
    comparison = compare_estimators(
        estimators,
        *load_breast_cancer(return_X_y=True),
        cv=BlockKFold(10, random_state=0),
        reference="tree",
    )
    RhoSensitivityDisplay.from_comparison(comparison)


def pitfalls():
    """Intervals of the usual and the corrected t test after more and more repeats."""
    rng = np.random.default_rng(3)
    y = rng.integers(2, size=60)
    X = rng.normal(size=(60, 6)) + 0.5 * y[:, np.newaxis]
    first = FunctionTransformer(lambda X: X[:, :3])
    second = FunctionTransformer(lambda X: X[:, 3:])
    models = {  # equally good: the same learner on features that are exchangeable
        "first": make_pipeline(first, GaussianNB()),
        "second": make_pipeline(second, GaussianNB()),
    }
    repeats = [2, 3, 4, 6, 8, 10, 12]
    cv = BlockKFold(10, n_repeats=repeats[-1], random_state=0)
    losses = compare_estimators(models, X, y, cv=cv).losses
    folds = 100 * (losses.block_losses[:, 0] - losses.block_losses[:, 1])
    _, ax = plt.subplots(figsize=(6.8, 3))
    for place, n_repeats in enumerate(repeats):
        n_folds = 10 * n_repeats
        differences = folds[:n_folds]
        deviation = differences.std(ddof=1) * stats.t.ppf(0.975, n_folds - 1)
        usual = deviation / np.sqrt(n_folds)
        corrected = deviation * np.sqrt(1 / n_folds + 1 / 9)
        mean = differences.mean()
        style = {"fmt": "o", "markersize": 4, "capsize": 3}
        ax.errorbar(place - 0.12, mean, usual, color=ORANGE, **style)
        ax.errorbar(place + 0.12, mean, corrected, color=BLUE, **style)
    ax.axhline(0, color=GREY, linewidth=1)
    ax.plot([], [], "o", color=ORANGE, label="usual t test")
    ax.plot([], [], "o", color=BLUE, label="corrected")
    ax.set_xticks(range(len(repeats)), repeats)
    ax.set_xlabel("repeats of 10-fold cross-validation")
    ax.set_ylabel("difference (points of error)")
    ax.legend(frameon=False, ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1))


def designs():
    splitters = {
        "10-fold": BlockKFold(10, shuffle=False),
        "5-fold, two runs": BlockKFold(5, n_repeats=2, random_state=0),
        "10 subsamples": RepeatedSubsample(10, random_state=0),
        "5x2": FiveByTwo(random_state=0),
        "paired halves of a 5-fold": PairedHalves(
            BlockKFold(5, shuffle=False), 1, random_state=0
        ),
        "time series": TimeSeriesSplit(8),
    }
    figure, axes = plt.subplots(2, 3, figsize=(7.4, 4.4))
    for ax, (name, splitter) in zip(axes.flat, splitters.items(), strict=True):
        table = roles(list(splitter.split(np.zeros((40, 1)))), 40)
        draw_cells(ax, table, ROLES)
        ax.set_title(name, fontsize=10)
        ax.set(xticks=[], yticks=[])
    figure.supxlabel("examples: trained on (light), tested (dark)", fontsize=10)
    figure.supylabel("splits", fontsize=10)


def groups():
    """The example of the page on groups, without and with them."""
    rng = np.random.default_rng(0)
    countries = np.repeat(np.arange(60), 12)
    year = np.tile(np.arange(12), 60)
    income = rng.normal(size=60)[countries] + 0.03 * year
    population = rng.normal(size=60)[countries] + 0.02 * year
    life = 60 + 5 * income + 0.2 * year + 3 * rng.normal(size=60)[countries]
    life += rng.normal(size=720)
    X = np.column_stack([income, population, year])
    models = {
        "linear": LinearRegression(),
        "forest": RandomForestRegressor(30, random_state=0),
    }
    cases = {"with groups=countries": countries, "without groups": None}
    _, ax = plt.subplots(figsize=(6.8, 2.2))
    for place, (label, labels) in enumerate(cases.items()):
        result = compare_estimators(
            models, X, life, loss="absolute_error", groups=labels
        )
        test = result.tests["linear", "forest"]
        low, high = test.confidence_interval()
        colour = BLUE if high < 0 else ORANGE
        ax.plot([low, high], [place, place], color=colour, linewidth=3)
        ax.plot(test.estimate_, place, "o", color=colour)
        ax.text(test.estimate_, place + 0.2, label, color=colour, ha="center")
    ax.axvline(0, color=GREY, linewidth=1)
    ax.set(ylim=(-0.5, 1.7), yticks=[])
    ax.set_xlabel("error of linear − error of forest (years); left: linear is better")


def time():
    _, ax = plt.subplots(figsize=(6.8, 2.6))
    table = roles(list(TimeSeriesSplit(8).split(np.zeros((36, 1)))), 36)
    draw_cells(ax, table, ROLES)
    ax.set(xlabel="row, in the order of time", ylabel="split")
    ax.set_yticks(np.arange(8) + 0.5, range(1, 9))
    ax.text(7.5, 5.5, "training", ha="center", va="center", color=DARK)
    ax.text(34, 4.5, "test", ha="center", va="center", color=DARK)
    arrow = {"arrowstyle": "->", "color": DARK}
    ax.annotate("", (30, 6.5), (33, 4.8), arrowprops=arrow)


def many_models():
    models = {
        "discriminant": LinearDiscriminantAnalysis(),
        "neighbours": KNeighborsClassifier(),
        "bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=0),
        "stump": DecisionTreeClassifier(max_depth=1),
    }
    compare_estimators(models, *load_breast_cancer(return_X_y=True)).plot()


def datasets():
    scores = pd.DataFrame(
        {
            "forest": [0.91, 0.84, 0.77, 0.95, 0.88, 0.93, 0.81, 0.79],
            "boosting": [0.92, 0.85, 0.76, 0.96, 0.89, 0.92, 0.82, 0.80],
            "neighbours": [0.88, 0.80, 0.73, 0.94, 0.83, 0.90, 0.77, 0.75],
            "tree": [0.86, 0.78, 0.70, 0.91, 0.80, 0.87, 0.74, 0.71],
        },
        index=["cancer", "churn", "credit", "digits", "spam", "wine", "heart", "glass"],
    )
    compare_over_datasets(scores, score="accuracy").ranks().plot()


def metrics():
    X, y = load_breast_cancer(return_X_y=True)
    models = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    }
    folds = BlockKFold(10, stratify=True, random_state=0)
    cross_val_interval(models, X[:, :4], y, scoring="roc_auc", cv=folds).plot()


def boosting():
    table = np.empty((5, 50))
    for row, (train, test) in zip(table, KFold(5).split(table.T), strict=True):
        fitted, stopping = train_test_split(train, test_size=0.2, random_state=0)
        row[fitted] = 0
        row[stopping] = 1
        row[test] = 2
    colours = {"fitted": PALE, "decides when to stop": YELLOW, "tested": DARK}
    _, ax = plt.subplots(figsize=(6.8, 2.4))
    draw_cells(ax, table, ListedColormap(list(colours.values())))
    for label, colour in colours.items():
        ax.plot([], [], "s", color=colour, label=label)
    ax.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1), frameon=False)
    ax.set(xlabel="example", ylabel="split", yticks=[])


def build():
    """The two one-sided bounds of three models beside a margin of two points."""
    rng = np.random.default_rng(3)
    difficulty = rng.random(1500)
    skills = {
        "0: shown": (0.81, GREEN),
        "3: inconclusive": (0.79, YELLOW),
        "1: refuted": (0.73, ORANGE),
    }
    production = difficulty + 0.1 * rng.normal(size=1500) < 0.80
    _, ax = plt.subplots(figsize=(6.8, 2.4))
    for place, (name, (skill, colour)) in enumerate(skills.items()):
        candidate = difficulty + 0.1 * rng.normal(size=1500) < skill
        pair = compare_scores(
            {name: candidate, "production": production}, score="accuracy", alpha=0.1
        )
        test = pair.tests[name, "production"]
        low, high = (100 * bound for bound in test.confidence_interval())
        ax.plot([low, high], [place, place], color=colour, linewidth=3)
        ax.plot(100 * test.estimate_, place, "o", color=colour)
    ax.axvline(2, color="black", linestyle="--", linewidth=1)
    ax.axvline(0, color=GREY, linewidth=1)
    ax.text(2, -0.75, "margin", ha="center", va="bottom")
    ax.set(xlabel="points of accuracy behind production", ylim=(2.6, -0.75))
    ax.set_yticks(range(3), skills)


def scores():
    """Four models on one test set, three runs of each."""
    rng = np.random.default_rng(0)
    difficulty = rng.normal(size=400)
    skills = {"small": 0.0, "medium": 0.3, "large": 0.5, "tuned": 0.6}
    is_right = {
        name: skill + rng.normal(size=(3, 400)) > difficulty
        for name, skill in skills.items()
    }
    compare_scores(is_right, score="accuracy").plot()


def bengio_grandvalet():
    """Figure 2: the covariance matrix, and the share of each part in the variance."""
    samples = replicate_losses(
        LinearRegression(),
        GaussianLinearPopulation(30),
        n_samples=60,
        cv=BlockKFold(10),
        n_replications=60,
        random_state=0,
    )
    blocks = np.reshape([losses.values for losses in samples], (60, 10, 6))
    structure = CovarianceStructure.from_replications(blocks)
    n_blocks, m = 4, 5  # of ten blocks of six, what is shown
    kinds = CovarianceStructure(2.0, 1.0, 0.0, n_blocks * m, n_blocks).matrix()
    shades = "#E8F1F8", "#6BAED6", "#08306B"
    _, ax = plt.subplots(figsize=(6.4, 4.8))
    ax.imshow(kinds, cmap=ListedColormap(shades), vmin=0, vmax=2)
    ticks = np.arange(n_blocks) * m + (m - 1) / 2
    names = [f"block {number + 1}" for number in range(n_blocks)]
    ax.set_xticks(ticks, names)
    ax.set_yticks(ticks, names, rotation=90, va="center")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    values = structure.sigma2, structure.omega, structure.gamma
    words = "variance σ²", "within blocks ω", "between blocks γ"
    rows = zip(words, values, structure.contributions, shades[::-1], strict=True)
    for word, value, part, shade in rows:
        label = f"{word} = {value:.4g}: {part / structure.theta:.1%} of θ"
        ax.plot([], [], "s", color=shade, markeredgecolor="0.4", label=label)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), fontsize=9)


PICTURES = (
    *(tutorial, overlap, rho_samples, rho_sensitivity, pitfalls, designs, groups, time),
    *(many_models, datasets, metrics, boosting, build, scores),
    bengio_grandvalet,
)


def main(names):
    # The same bytes at every run, so that a commit shows whether a picture changed.
    plt.rcParams["svg.hashsalt"] = "sklearn_cvtest"
    plt.rcParams["figure.figsize"] = 6.4, 3.6
    plt.rcParams["figure.constrained_layout.use"] = True
    FOLDER.mkdir(exist_ok=True)
    for picture in PICTURES:
        if names and picture.__name__ not in names:
            continue
        picture()
        plt.savefig(FOLDER / f"{picture.__name__}.svg", metadata={"Date": None})
        plt.close("all")


if __name__ == "__main__":
    main(sys.argv[1:])
