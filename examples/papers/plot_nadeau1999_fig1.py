"""
Which test finds a difference between two learners, and which finds one too often?
==================================================================================

At the 10 % level the resampled t, which ignores the overlap of training sets, rejects
21 to 48 % of true hypotheses, and the t test on one split, which ignores the variance
due to its training set, 16 to 18 %. Nadeau and Bengio's corrected resampled t and
conservative Z reject 0 to 6 %. They reject false hypotheses more often than 5x2
cross-validation if these are far enough from the truth, by at least 0.05 to 0.11 (see
the tables), and less often if they are closer. This is Figure 1 of Nadeau and Bengio
(1999): 500 samples of 300 letters, a classification tree, alone and compared with a
nearest neighbour with a distorted metric.

As in the paper, all tests are about training sets of n/2 = 150. Tests on several splits
are shown twice: with test sets of n/2, and with test sets of n/10, that is with 40 % of
the data thrown away. The numbers come from the last full run; ``--quick`` or
``--full`` runs a new simulation.
"""

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
from _papers import PUBLISHED, letter, options, print_table, run, stack, subsample_of
from sklearn.model_selection import ShuffleSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    ConservativeZTest,
    CorrectedResampledTTest,
    FiveByTwo,
    FiveByTwoTTest,
    HoldoutTTest,
    PairedHalves,
    RepeatedSubsample,
    ResampledTTest,
)
from sklearn_cvtest.simulation import (
    rejection_rates,
    replicate_losses,
)

N, J, M, ALPHA = 300, 15, 10, 0.1
# S-PLUS's trees split no node of fewer than 10 examples; the weights bring the error of
# the nearest neighbour close to the tree's
TREE = DecisionTreeClassifier(min_samples_split=10, random_state=0)
WEIGHTS = np.where(np.isin(np.arange(16), [0, 2, 8, 15]), 25.0, 1.0)
NEIGHBOUR = KNeighborsClassifier(1, metric="minkowski", metric_params={"w": WEIGHTS})
SHIFTS = np.linspace(-0.15, 0.15, 41)


def simulate(arguments):
    def replicate(cv):
        return replicate_losses(
            {"tree": TREE, "neighbour": NEIGHBOUR},
            letter(arguments, binary=False, replace=False),
            n_samples=N,
            cv=cv,
            **options(arguments, 500, quick=15),
        )

    one = replicate(ShuffleSplit(1, train_size=N // 2, test_size=N // 2))
    whole = replicate(RepeatedSubsample(J, train_size=N // 2, test_size=N // 2))
    part = RepeatedSubsample(J, train_size=N // 2, test_size=N // 10)
    halves = replicate(PairedHalves(part, 2 if arguments.quick else M))
    five_by_two = replicate(FiveByTwo())
    for what, second in (("tree", None), ("tree - neighbour", "neighbour")):
        designs = one, whole, halves, five_by_two
        yield from power_curves(what, *(stack(d, "tree", second) for d in designs))


def power_curves(what, one, whole, halves, five_by_two):
    """Yield a row per test and hypothesis."""
    part = subsample_of(halves, halves.block_means[:, :J])
    # the mean of the large test sets with the variance of the small ones
    mixed = replace(
        halves,
        values=np.hstack([whole.block_means, halves.block_means[:, J:]]),
        per_example=False,
    )
    cases = [
        ("t test", one, HoldoutTTest()),
        ("resampled t", whole, ResampledTTest()),
        ("5x2cv t", five_by_two, FiveByTwoTTest()),
        ("conservative Z", mixed, ConservativeZTest()),
        ("corrected resampled t", whole, CorrectedResampledTTest()),
        ("resampled t, 40% thrown away", part, ResampledTTest()),
        ("conservative Z, 40% thrown away", halves, ConservativeZTest()),
        ("corrected resampled t, 40% thrown away", part, CorrectedResampledTTest()),
    ]
    true_mean = whole.block_means.mean()  # the most precise estimate of it
    for name, residuals, test in cases:
        rates = rejection_rates(
            residuals, test, alphas=ALPHA, popmeans=true_mean + SHIFTS
        )
        for shift, rate in zip(SHIFTS, rates.rates[0, 0], strict=True):
            yield {
                "what": what,
                "test": name,
                "samples": rates.n_replications,
                "true_mean": float(true_mean),
                "mu0": float(true_mean + shift),
                "shift": float(shift),
                "rate": float(rate),
            }


rows = run("nadeau1999_fig1", simulate)
curves = {}
for row in rows:
    curves.setdefault(row["what"], {}).setdefault(row["test"], []).append(row)

# %%
# Size, where the hypothesis is true, and power at a distance of 0.12 to either side, in
# percent; then the distance beyond which a test has more power than 5x2cv. The paper
# draws the curves and does not give the numbers. A size is significantly above 10 % at
# the 5 % level if it is above the limit.

samples = rows[0]["samples"]
limit = ALPHA + 1.645 * np.sqrt(ALPHA * (1 - ALPHA) / samples)


def size(curve):
    return next(row["rate"] for row in curve if abs(row["shift"]) < 1e-9)


def power(curve, distance=0.12):
    at = [row["rate"] for row in curve if abs(abs(row["shift"]) - distance) < 1e-9]
    return sum(at) / len(at)


def crossing(curve, other):
    """Return the distance from which on a curve is above another, as text."""
    lowest = None
    for distance in sorted(row["shift"] for row in curve if row["shift"] > 0)[::-1]:
        if power(curve, distance) <= power(other, distance):
            break
        lowest = distance
    return "-" if lowest is None else f"{lowest:.3f}"


print(f"{samples} samples; limit {100 * limit:.1f} %\n")
for what, tests in curves.items():
    print_table(
        [what, "size", "power", "above 5x2cv from"],
        [
            [
                name,
                f"{100 * size(curve):.1f}",
                f"{100 * power(curve):.1f}",
                crossing(curve, tests["5x2cv t"]),
            ]
            for name, curve in tests.items()
        ],
    )

# %%
# The paper's claims, checked. Power is compared at 0.12, as the paper compares "on the
# extreme values". Closer to the truth 5x2cv has more power than the conservative tests.

claims = PUBLISHED["NB99-fig1"]["claims"]
enough = samples >= 500
if not enough:
    print(f"{samples} samples are too few to check the paper's claims.")
for what, tests in curves.items() if enough else ():
    sizes = {name: size(curve) for name, curve in tests.items()}
    powers = {name: power(curve) for name, curve in tests.items()}
    liberal = [sizes["t test"], sizes["resampled t"]]
    others = ["5x2cv t", "conservative Z", "corrected resampled t"]
    thrown = [name for name in powers if "thrown" in name]
    held = [
        min(liberal) > ALPHA and sizes["resampled t"] > sizes["t test"],
        all(sizes[name] <= limit for name in others),
        powers["5x2cv t"] < min(powers[name] for name in (*others[1:], *thrown)),
    ]
    for claim, holds in zip(claims, held, strict=True):
        print(f"{what}: {'holds' if holds else 'DOES NOT HOLD'}: {claim}")
    print()

figure, axes = plt.subplots(1, 2, figsize=(10, 4.8), layout="constrained", sharey=True)
COLOURS = dict(
    zip(
        list(curves["tree"])[:5],
        ["#000000", "#D55E00", "#009E73", "#CC79A7", "#0072B2"],
        strict=True,
    )
)
for ax, (what, tests) in zip(axes, curves.items(), strict=True):
    for name, curve in tests.items():
        base, _, thrown = name.partition(",")
        ax.plot(
            [row["mu0"] for row in curve],
            [row["rate"] for row in curve],
            color=COLOURS[base],
            linestyle="-" if not thrown else ":",
            marker="o" if thrown else None,
            markersize=3,
            markerfacecolor="none",
            label=name,
        )
    ax.axhline(ALPHA, color="grey", linewidth=0.8)
    ax.axhline(limit, color="grey", linewidth=0.8, linestyle="--")
    ax.axvline(curve[0]["true_mean"], color="grey", linewidth=0.8, linestyle="--")
    ax.set(xlabel="μ0", title=f"expected loss of {what}", ylim=(0, 1))
axes[0].set_ylabel("rejections of μ = μ0 at the 10% level")
figure.legend(
    *axes[0].get_legend_handles_labels(), loc="outside lower center", ncol=3, fontsize=8
)
plt.show()
