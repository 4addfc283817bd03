"""
Where does the variance of a K-fold come from?
==============================================

From the variance of the examples, σ², and from the covariance between folds, γ, which
cannot be estimated from one cross-validation; hardly from the covariance within folds,
ω. This is Figure 3 of Bengio and Grandvalet (2003): the contributions of σ², ω and γ to
the variance of a 10-fold cross-validation of ordinary least squares with 30 features,
against the size n - m of the training sets. Without outliers the contributions of γ and
σ² are equal at n - m = 63, about half of the variance each, and γ's contribution
shrinks to 7 % of the variance at 603. With outliers the share of γ is smallest at 63,
about a quarter, and more than half from 162 on, even with 20 examples per parameter.

The numbers come from the last full run; ``--quick`` or ``--full`` runs a new
simulation.
"""

from _contributions import draw, print_contributions, share, simulate_curve, train_size
from _papers import PUBLISHED, options, run

# The paper's training sizes 60, 80, ..., 600, as near as blocks of equal size allow
TRAIN_SIZES = [63, 81, 99, 117, 162, 216, 279, 360, 459, 603]


def simulate(arguments):
    sizes = TRAIN_SIZES[::3] if arguments.quick else TRAIN_SIZES
    for outliers in (False, True):
        yield from simulate_curve(
            outliers, [n * 10 // 9 for n in sizes], 10, options(arguments, 10_000)
        )


rows = run("bengio2003_fig3", simulate)

# %%
# The paper draws bars and does not give the numbers. Its claim:

print(PUBLISHED["BG03-figs"]["claims"][1], end="\n\n")
print_contributions(rows)

# %%
# The claim, checked:

plain = [row for row in rows if not row["outliers"]]
spoilt = [row for row in rows if row["outliers"]]
print(
    f"no outliers: γ's share {share(plain[0]):.2f} at n - m = {train_size(plain[0])}, "
    f"{share(plain[-1]):.2f} at {train_size(plain[-1])}"
)
print(
    f"outliers: γ's contribution / σ²'s at n - m = {train_size(spoilt[-1])}: "
    f"{spoilt[-1]['gamma'] / spoilt[-1]['sigma2']:.2f} "
    f"(no outliers: {plain[-1]['gamma'] / plain[-1]['sigma2']:.2f})"
)

draw(rows, train_size, "n - m")
