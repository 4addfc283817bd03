"""
Which model wins my benchmark table?
====================================

``compare_over_datasets(table, score="accuracy")``

A table has one score for each data set and model, and nothing else. The data sets are
then the sample: the question is which model would be better on other data sets like
these. Here the forest and boosting are level, and both are better than the tree.
"""

# %%
# A row for each data set, a column for each model; a long table or a CSV file would do.

import matplotlib.pyplot as plt
import pandas as pd

from sklearn_cvtest import compare_over_datasets

table = pd.DataFrame(
    {
        "forest": [0.95, 0.97, 0.96, 0.83, 0.76, 0.85, 0.91, 0.88, 0.79, 0.93],
        "boosting": [0.94, 0.96, 0.97, 0.81, 0.77, 0.86, 0.92, 0.87, 0.80, 0.94],
        "neighbours": [0.96, 0.95, 0.97, 0.78, 0.70, 0.83, 0.89, 0.82, 0.74, 0.90],
        "tree": [0.93, 0.90, 0.85, 0.76, 0.68, 0.72, 0.84, 0.80, 0.71, 0.85],
    },
    index=[f"data set {number}" for number in range(1, 11)],
)
result = compare_over_datasets(table, score="accuracy")
print(result)

# %%
# Mean ranks, with Friedman's test of all and Nemenyi's of pairs. Models whose lines do
# not overlap differ significantly.

ranks = result.ranks()
ranks.plot()
plt.show()
print(ranks)

# %%
# One number says nothing about its own error. With the scores of all folds, or the data
# and the models, the same function counts both:
# :ref:`sphx_glr_auto_examples_5_datasets_plot_over_datasets.py`.
