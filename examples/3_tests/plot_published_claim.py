"""
Does a published table show that one model is better?
=====================================================

``pvalue((76.2, 2.8), (75.0, 3.1), r=0.5, rho=0.526)``

A table says "76.2 ± 2.8 against 75.0 ± 3.1" of ten folds. Whether that is a difference
depends on two numbers that are not in the table: how strongly the scores of the two
models go together, fold by fold (r), and how strongly folds go together (ρ).
"""

# %%
# With the correlation r, differences of folds have the variance
# :math:`s^2 = s_a^2 + s_b^2 - 2 r s_a s_b`, and
# :math:`t = \sqrt{n (1 - ρ)}\,(\bar a - \bar b) / s` has Student's t distribution with
# n - 1 degrees of freedom. ρ is 0 for the usual t test, 1/(1 + 9/10) = 0.526 for Nadeau
# and Bengio's [1]_, and the largest that Grandvalet and Bengio [2]_ saw is 0.7.

import matplotlib.pyplot as plt
import numpy as np
from scipy import stats


def pvalue(a, b, r, rho, n=10):
    """Return the p-value of two (mean, standard deviation over n folds)."""
    (mean_a, sd_a), (mean_b, sd_b) = a, b
    sd = np.sqrt(sd_a**2 + sd_b**2 - 2 * r * sd_a * sd_b)
    t = np.sqrt(n * (1 - rho)) * abs(mean_a - mean_b) / sd
    return 2 * stats.t.sf(t, n - 1)


# %%
# Two rows of table 1 of Xu et al. (2019) [3]_: accuracies in percent of their graph
# neural network and of the Weisfeiler-Lehman kernel.

TABLES = {
    "PROTEINS: 76.2 ± 2.8 against 75.0 ± 3.1": ((76.2, 2.8), (75.0, 3.1)),
    "REDDIT-BINARY: 92.4 ± 2.5 against 81.0 ± 3.1": ((92.4, 2.5), (81.0, 3.1)),
}
r = np.linspace(0, 0.99, 200)
figure, panels = plt.subplots(1, 2, figsize=(9, 3.5), sharey=True, layout="constrained")
for ax, (title, (a, b)) in zip(panels, TABLES.items(), strict=True):
    for rho in (0, 10 / 19, 0.7):
        ax.semilogy(r, pvalue(a, b, r, rho), label=f"ρ = {rho:.3g}")
    ax.axhline(0.05, color="gray", linestyle=":")
    ax.set(title=title, xlabel="correlation r of the two models' scores")
panels[0].set_ylabel("p-value")
panels[0].legend()

# %%
# On PROTEINS the correlation must be above 0.93 for p to be at most 0.05 at ρ = 0.526;
# from the printed numbers alone nobody can tell. On REDDIT-BINARY nothing that is
# missing could change the answer.

grid = np.linspace(0, 1, 100_001)[:-1]
significant = pvalue(*TABLES["PROTEINS: 76.2 ± 2.8 against 75.0 ± 3.1"], grid, 10 / 19)
print(f"r must be at least {grid[np.argmax(significant <= 0.05)]:.2f}")

# %%
# A spread over *seeds* on one split says nothing about other data, however many seeds
# there are: :func:`~sklearn_cvtest.compare_scores` counts both, from the scores of the
# examples. If a paper gives the differences fold by fold,
# :func:`~sklearn_cvtest.corrected_ttest` has all that it needs.
#
# .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", Machine
#    Learning 52, 239-281, 2003.
# .. [2] Y. Grandvalet and Y. Bengio, "Hypothesis Testing for Cross-Validation",
#    Technical Report 1285, DIRO, Université de Montréal, 2006.
# .. [3] K. Xu, W. Hu, J. Leskovec, S. Jegelka, "How Powerful are Graph Neural
#    Networks?", ICLR 2019.
