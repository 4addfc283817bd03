"""
Does the number of folds change where the variance comes from?
==============================================================

Without outliers the variance falls as folds are added, by three quarters from two to
eight and by another fifth to leave-one-out; with outliers we cannot identify a best
number. This is Figure 4 of Bengio and Grandvalet (2003): the contributions of σ², ω and
γ to the variance of a K-fold cross-validation of ordinary least squares with 30
features on 120 examples, from two folds to leave-one-out.

Without outliers ω matters with two folds, but little from four on; the share of γ is
highest with three, 37 %, and 21 to 26 % from ten on. With outliers the contribution of
σ² falls from 1.73 ± 0.09 with two folds to 1.09 ± 0.07 with five, and the contribution
of γ grows from 0.32 ± 0.06 to 1.1 ± 0.2 at leave-one-out. Each point has 1,000 samples,
the same for all K. The standard errors of the contribution of γ are 9 to 21 % of it,
and errors at neighbouring points are correlated, so the curves look smoother than their
precision justifies.

The numbers come from the last full run; ``--quick`` or ``--full`` runs a new
simulation.
"""

from _contributions import draw, print_contributions, simulate_curve
from _papers import PUBLISHED, options, run

FOLDS = [2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 24, 30, 40, 60, 120]


def simulate(arguments):
    folds = [2, 4, 10, 24] if arguments.quick else FOLDS
    for outliers in (False, True):
        yield from simulate_curve(outliers, 120, folds, options(arguments, 10_000))


rows = run("bengio2003_fig4", simulate)

# %%
# The paper draws bars and does not give the numbers. Its claim:

print(PUBLISHED["BG03-figs"]["claims"][2], end="\n\n")
print_contributions(rows)

draw(rows, lambda row: row["K"], "K")
