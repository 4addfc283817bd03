"""
Are the variance estimates as biased as theory says?
====================================================

Yes, within the errors of the simulation, which are a tenth of the bias or less for θ̂3,
θ̂4 and θ̂5, and up to a quarter for θ̂2. This is Table 1 of Grandvalet and Bengio (2006)
by simulation: five estimates of the variance θ of a K-fold cross-validation, each
unbiased under an assumption of its own. Their biases are measured on one set of
samples, and predicted from the covariances σ², ω and γ of the residuals, which are
estimated on another set.

The numbers come from the last full run; ``--quick`` or ``--full`` runs a new
simulation.
"""

import matplotlib.pyplot as plt
import numpy as np
from _papers import blocks_of, letter, options, print_table, run, stack
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import BlockKFold
from sklearn_cvtest.simulation import (
    CovarianceStructure,
    GaussianLinearPopulation,
    replicate_losses,
    variance_estimates,
)

N, K = 100, 10
NAMES = [f"theta{j}" for j in range(1, 6)]
BIASES = ["μ²", "-ω", "-γ", "-(mω + (n-m)γ)/n", "-((m-1)ω + (n-m)γ)/(n-1)"]


def problems(arguments):
    tree = DecisionTreeClassifier(random_state=0)
    data = letter(arguments)
    yield "letter, tree", tree, data, "zero_one"
    yield "letter, tree - bayes", [tree, GaussianNB()], data, "zero_one"
    linear = GaussianLinearPopulation()
    yield "regression, linear", LinearRegression(), linear, "squared_error"


def simulate(arguments):
    for name, estimators, population, loss in problems(arguments):
        second = 1 if isinstance(estimators, list) else None
        measured, other = (
            replicate_losses(
                estimators,
                population,
                n_samples=N,
                cv=BlockKFold(K),
                loss=loss,
                **{
                    **options(arguments, 10_000),
                    "random_state": arguments.seed + shift,
                },
            )
            for shift in (0, 1)
        )
        predicted, predicted_se = predict(blocks_of(stack(other, 0, second)))
        residuals = stack(measured, 0, second)
        estimates = residuals.values.mean(axis=1)
        squares = (estimates - estimates.mean()) ** 2
        theta = squares.mean()
        for j, estimates in enumerate(variance_estimates(residuals)):
            bias, bias_se = relative_bias(estimates, squares)
            yield {
                "problem": name,
                "estimate": NAMES[j],
                "samples": len(squares),
                "theta": float(theta),
                "bias": bias,
                "bias_se": bias_se,
                "predicted": float(predicted[j]),
                "predicted_se": float(predicted_se[j]),
                "spread": float(estimates.std() / theta),
                **{
                    f"quantile_{q}": float(np.quantile(estimates, q / 100) / theta)
                    for q in (5, 25, 50, 75, 95)
                },
            }
        print(name, flush=True)


def relative_bias(estimates, squares):
    """Return E estimate / θ - 1 and its standard error by the delta method.

    θ is the mean of the squares, which is estimated too.
    """
    theta = squares.mean()
    bias = (estimates - squares).mean() / theta
    deviations = estimates - squares - bias * squares
    return float(bias), float(deviations.std() / theta / np.sqrt(len(squares)))


def predict(blocks, n_groups=50):
    """Return Table 1's biases divided by θ, and standard errors from groups of samples.

    θ is estimated from the same samples, so that predictions and measurements are
    independent.
    """
    biases, theta = table_1(blocks)
    n_groups = min(n_groups, len(blocks) // 4)
    deviations = []
    for group in np.array_split(blocks, n_groups):
        of_group, theta_of_group = table_1(group)
        deviations.append(of_group - biases / theta * theta_of_group)
    errors = np.std(deviations, axis=0, ddof=1) / theta / np.sqrt(n_groups)
    return biases / theta, errors


def table_1(blocks):
    """Return the five biases, and θ."""
    structure, m, n = CovarianceStructure.from_replications(blocks), N // K, N
    omega, gamma = structure.omega, structure.gamma
    # from products of different samples, so that it is unbiased
    means, n_samples = blocks.mean(axis=(1, 2)), len(blocks)
    squared_total = means.sum() ** 2 - np.sum(means**2)
    mean_squared = squared_total / (n_samples * (n_samples - 1))
    biases = [
        mean_squared,
        -omega,
        -gamma,
        -(m * omega + (n - m) * gamma) / n,
        -((m - 1) * omega + (n - m) * gamma) / (n - 1),
    ]
    return np.array(biases), structure.theta


rows = run("grandvalet2006_variance", simulate)

# %%
# Biases in units of θ, measured and predicted, with Monte-Carlo standard errors, which
# include the error of θ, and their difference in standard errors. θ̂3, θ̂4 and θ̂5
# behave alike, because ω and γ are similar: each misses a share of about ρ = γ/θ of the
# variance.

headers = ["problem", "estimate", "bias by Table 1", "measured", "predicted"]
headers += ["difference", "spread"]
cells = []
for row, formula in zip(rows, BIASES * (len(rows) // 5), strict=True):
    error = np.hypot(row["bias_se"], row["predicted_se"])
    cells.append(
        [
            row["problem"],
            row["estimate"],
            formula,
            f"{row['bias']:.3f} ± {row['bias_se']:.3f}",
            f"{row['predicted']:.3f} ± {row['predicted_se']:.3f}",
            f"{(row['bias'] - row['predicted']) / error:+.1f} se",
            f"{row['spread']:.2f}",
        ]
    )
print_table(headers, cells)
worst = max(
    abs(row["bias"] - row["predicted"]) / np.hypot(row["bias_se"], row["predicted_se"])
    for row in rows
)
print(f"all {len(rows)} are within {worst:.1f} standard errors; numbers of one problem")
print("come from the same samples, so they are far from independent")

# %%
# Their distributions over samples: boxes contain half of the estimates, whiskers nine
# tenths. θ̂1 = μ̂² is off the scale where the mean loss is not zero; θ̂2 can be negative.

problems_shown = list(dict.fromkeys(row["problem"] for row in rows))
figure, axes = plt.subplots(
    1, len(problems_shown), figsize=(10, 4), layout="constrained", sharey=True
)
for ax, problem in zip(axes, problems_shown, strict=True):
    mine = [row for row in rows if row["problem"] == problem][1:]
    ax.bxp(
        [
            {
                "med": row["quantile_50"],
                "q1": row["quantile_25"],
                "q3": row["quantile_75"],
                "whislo": row["quantile_5"],
                "whishi": row["quantile_95"],
                "mean": 1 + row["bias"],
                "label": f"θ̂{row['estimate'][-1]}",
            }
            for row in mine
        ],
        showfliers=False,
        showmeans=True,
    )
    ax.axhline(1, color="grey", linestyle="--", linewidth=0.8)
    ax.set_title(problem, fontsize=10)
axes[0].set_ylabel("estimate / θ (triangle: mean)")
plt.show()
