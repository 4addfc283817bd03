"""
How often does the t test on ten folds reject a true null hypothesis?
=====================================================================

On the paper's data it does so in 8 to 20 % of the samples instead of 5 %, because the
training sets overlap; with ρ = 0.7 instead of ρ = 0, in 0.5 to 4.3 %. This is Table 2
of Grandvalet and Bengio (2006), with trees on the Letter and Forest data: 10-fold
cross-validation of 4,000 samples of each size (1,500 to 2,000 of the
largest two), drawn with replacement, and a test of
the true hypothesis about the expected loss. Three problems that the paper only mentions
follow, with 1,000 samples. Among these, regression trees with 40 examples have the
highest error rates, 20 % (ρ = 0) and 6 % (ρ = 0.7).

The numbers come from the last full run. For a new simulation, run ``python
plot_grandvalet2006_table2.py --quick`` (a minute) or ``--full`` (hours).
"""

import matplotlib.pyplot as plt
from _papers import (
    PUBLISHED,
    blocks_of,
    forest,
    letter,
    options,
    print_table,
    rates_of,
    rho_error,
    run,
    stack,
)
from sklearn.linear_model import LinearRegression, RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sklearn_cvtest import (
    BlockKFold,
    HalfSampleTTest,
    KFoldTTest,
    KFoldZTest,
    PairedHalves,
)
from sklearn_cvtest.simulation import (
    CovarianceStructure,
    GaussianLinearPopulation,
    rejection_rates,
    replicate_losses,
)

TESTS = {
    "rho0": KFoldTTest(rho=0.0),
    "rho07": KFoldTTest(rho=0.7),
    "nadeau_bengio": KFoldTTest("nadeau-bengio"),
    "z_third": KFoldZTest(rho=1 / 3),
}
HALF_TESTS = {"half_sample": HalfSampleTTest()}
PUBLISHED_SIZES = [20, 40, 80, 160, 400, 800, 2000]
# The paper has 10,000 samples of each size; these take an hour of one core
SAMPLES = {800: 2_000, 2000: 1_500}
# Least squares with 31 coefficients: after training on 32, as in the 5-folds of these
# halves, the expected loss is infinite
NO_HALVES = [("regression, linear", 80)]


def gaussian(arguments):
    return GaussianLinearPopulation()


def problems(arguments):
    """Yield name, estimator, what makes the population, loss and sizes."""
    # S-PLUS's trees split no node of fewer than 10 examples
    tree = DecisionTreeClassifier(min_samples_split=10, random_state=0)
    sizes = PUBLISHED_SIZES[:4] if arguments.quick else PUBLISHED_SIZES
    yield "letter", tree, letter, "zero_one", sizes
    yield "forest", tree, forest, "zero_one", sizes
    if arguments.quick:
        return
    # problems that the paper only mentions: a linear predictor, and regression
    ridge = make_pipeline(StandardScaler(), RidgeClassifier())
    sizes = [40, 80, 160, 400]
    yield "letter, linear", ridge, letter, "zero_one", sizes
    # not n = 40: after training on 36 the loss has no fourth moment, so that ρ would
    # have no standard error
    yield "regression, linear", LinearRegression(), gaussian, "squared_error", sizes[1:]
    tree = DecisionTreeRegressor(random_state=0)
    yield "regression, tree", tree, gaussian, "squared_error", sizes


def simulate(arguments):
    """Yield a row per problem and size, small sizes first."""
    rows = []
    for position, (name, estimator, make, loss, sizes) in enumerate(
        problems(arguments)
    ):
        if arguments.only in (None, name):
            case = (name, estimator, make(arguments), loss)
            rows += [(n, position, *case) for n in sizes]
    rows.sort(key=lambda row: row[:2])
    for n, _, name, estimator, population, loss in rows:
        case = {"estimators": estimator, "population": population, "loss": loss}
        in_paper = name in PUBLISHED["GB06-table2"]
        case["n_replications"] = SAMPLES.get(n, 4_000) if in_paper else 1_000
        with_halves = n <= 400 and (name, n) not in NO_HALVES
        row = simulate_one(case, n, with_halves, arguments)
        yield {"problem": name, "n": n, **row}
        print(f"{name}, n = {n}: rho = {100 * row['rho']:.1f} %", flush=True)


def simulate_one(case, n, with_halves, arguments):
    full = options(arguments, case.pop("n_replications"), quick=100)
    samples = replicate_losses(**case, n_samples=n, cv=BlockKFold(10), **full)
    residuals = stack(samples)
    blocks = blocks_of(residuals)
    structure = CovarianceStructure.from_replications(blocks)
    row = {
        "samples": len(samples),
        "rho": structure.rho,
        "rho_se": rho_error(blocks, structure),
        **rates_of(rejection_rates(residuals, TESTS)),
    }
    if with_halves:
        fewer = options(arguments, 250, quick=25)
        cv = PairedHalves(BlockKFold(5), 3)
        samples = replicate_losses(**case, n_samples=n, cv=cv, **fewer)
        row["halves_samples"] = len(samples)
        row |= rates_of(rejection_rates(stack(samples), HALF_TESTS))
    return row


rows = run("grandvalet2006_table2", simulate)

# %%
# Published and reproduced numbers in percent, with Monte-Carlo standard errors; the
# paper's numbers have smaller ones. The paper does not describe its trees in detail;
# ours split no node of fewer than 10 examples, S-PLUS's default. Our ρ is within
# 3.6 percentage points of the published one from n = 80 on, and up to 7.6 points from
# it with 20 and 40 examples. The forest data are all 581,012 rows, as in the paper.

published = PUBLISHED["GB06-table2"]
COLUMNS = {"rho": "rho", "rho0": "type1_rho0", "rho07": "type1_rho07"}


def percent(row, name):
    return f"{100 * row[name]:.1f} ± {100 * row[f'{name}_se']:.1f}"


def paper(row, name):
    table = published.get(row["problem"], {})
    if row["n"] not in table.get("n", []):
        return "-"
    return f"{table[COLUMNS[name]][table['n'].index(row['n'])]:.1f}"


problems_shown = list(dict.fromkeys(row["problem"] for row in rows))
ordered = sorted(rows, key=lambda row: problems_shown.index(row["problem"]))
headers = ["problem", "n", "samples"]
headers += ["rho", "paper", "error, rho=0", "paper", "error, rho=0.7", "paper"]
print_table(
    headers,
    [
        [
            row["problem"],
            row["n"],
            row["samples"],
            *(
                cell
                for name in COLUMNS
                for cell in (percent(row, name), paper(row, name))
            ),
        ]
        for row in ordered
    ],
)

# %%
# Other tests of the same residuals. With Nadeau and Bengio's ρ = K/(2K - 1) = 0.53
# the error rate on the paper's data falls from 10.3 and 7.9 % (Letter and Forest) at
# n = 20 to 2.5 and 3.0 % at n = 2000. The error rate of the z test at ρ = 1/3 falls
# from 17.8 % for both to 4.5 and 6.1 %. On small regression samples both exceed 5 %,
# because the means of the folds are not normal. The last test learns ρ from three
# pairs of halves of the sample (5-fold, 250 samples).

OTHERS = ["nadeau_bengio", "z_third", "half_sample"]
print_table(
    ["problem", "n", *(name.replace("_", " ") for name in OTHERS)],
    [
        [
            row["problem"],
            row["n"],
            *(
                percent(row, name)
                if row.get(name) == row.get(name) and name in row
                else "-"
                for name in OTHERS
            ),
        ]
        for row in ordered
    ],
)

# %%
# On the paper's data ρ falls as samples grow, from 0.59 and 0.58 at n = 20 to 0.26 and
# 0.37 at n = 2000; for a regression tree it is about 0.5 up to n = 160.

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9"]
MARKERS = ["o", "s", "^", "v", "D"]
for name, colour, marker in zip(problems_shown, COLOURS, MARKERS, strict=False):
    mine = [row for row in ordered if row["problem"] == name]
    n = [row["n"] for row in mine]
    style = {"color": colour, "marker": marker, "markersize": 5}
    left.errorbar(
        n,
        [row["rho"] for row in mine],
        [2 * row["rho_se"] for row in mine],
        label=name,
        **style,
    )
    right.plot(n, [row["rho0"] for row in mine], **style)
    right.plot(n, [row["rho07"] for row in mine], linestyle=":", **style)
    if name in published:
        table = published[name]
        empty = {
            "linestyle": "none",
            "markerfacecolor": "none",
            "color": "black",
            "marker": marker,
            "markersize": 8,
        }
        left.plot(table["n"], [x / 100 for x in table["rho"]], **empty)
        for column in ("type1_rho0", "type1_rho07"):
            right.plot(table["n"], [x / 100 for x in table[column]], **empty)
left.plot(
    [],
    [],
    marker="o",
    linestyle="none",
    markerfacecolor="none",
    color="black",
    markersize=8,
    label="published",
)
left.axhline(0.7, color="grey", linewidth=0.8, linestyle="--")
left.set(xscale="log", xlabel="n", ylabel="ρ", ylim=(0, 0.8))
left.legend(fontsize=8)
right.axhline(0.05, color="grey", linewidth=0.8, linestyle="--")
right.set(
    xscale="log",
    xlabel="n",
    ylim=(0, None),
    ylabel="rejections of a true hypothesis at the 5% level",
)
right.plot([], [], color="black", label="assuming ρ = 0")
right.plot([], [], color="black", linestyle=":", label="assuming ρ = 0.7")
right.legend(fontsize=8)
plt.show()
