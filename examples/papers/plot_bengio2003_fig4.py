"""
Does the number of folds change where the variance comes from?
==============================================================

Smoothly, and without a best choice. This is Figure 4 of Bengio and Grandvalet (2003):
the contributions of σ², ω and γ to the variance of a K-fold cross-validation of
ordinary least squares with 30 features on 120 examples, from two folds to
leave-one-out.

The numbers are those of the last full run; ``--quick`` or ``--full`` simulates.
"""

from _contributions import draw, print_contributions, simulate_curve
from _papers import options, run

from sklearn_cvtest.simulation import load_published

FOLDS = [2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 24, 30, 40, 60, 120]


def simulate(arguments):
    folds = [2, 4, 10, 24] if arguments.quick else FOLDS
    for outliers in (False, True):
        yield from simulate_curve(outliers, 120, folds, options(arguments, 10_000))


rows = run("bengio2003_fig4", simulate)

# %%
# The paper draws bars and does not give the numbers; its claim:

print(load_published()["BG03-figs"]["claims"][2], end="\n\n")
print_contributions(rows)

draw(rows, lambda row: row["K"], "K")
