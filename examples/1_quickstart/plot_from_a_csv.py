"""
How do I check a colleague's CSV?
=================================

``compare_file("scores.csv", score="accuracy", n_train=1296, n_test=144)``

A file with a score for each model and fold is enough: no data, no models, nothing is
fitted. In this one, the forest has the highest mean accuracy, but it does
not differ significantly from boosting; only the tree is significantly worse.
"""

# %%
# The file, as a colleague might have sent it: a line for each fold.

import csv
import io

import matplotlib.pyplot as plt

from sklearn_cvtest import compare_table

SENT = """\
fold,forest,boosting,tree
0,0.951,0.944,0.917
1,0.944,0.951,0.903
2,0.965,0.958,0.931
3,0.931,0.938,0.910
4,0.958,0.951,0.896
5,0.944,0.931,0.924
6,0.972,0.958,0.938
7,0.938,0.944,0.889
8,0.951,0.938,0.931
9,0.958,0.951,0.910
"""
wide = list(csv.DictReader(io.StringIO(SENT)))
names = ["forest", "boosting", "tree"]
table = {
    "model": [name for name in names for row in wide],
    "fold": [row["fold"] for name in names for row in wide],
    "accuracy": [float(row[name]) for name in names for row in wide],
}
result = compare_table(table, score="accuracy", n_train=1296, n_test=144)
result.plot()
plt.show()
print(result)

# %%
# A long file, with a row for each model and fold, is read as it is:
# ``compare_file("scores.csv", score="accuracy", ...)``, or on the command line
#
# .. code-block:: console
#
#    $ sklearn-cvtest compare scores.csv --score accuracy --n-train 1296 --n-test 144
#
# The sizes of the training and test sets matter, because the correction is their ratio:
# ask for them if they are not in the file. With two columns only,
# :func:`~sklearn_cvtest.corrected_ttest` does the same:

from sklearn_cvtest import corrected_ttest

forest, tree = ([float(row[name]) for row in wide] for name in ("forest", "tree"))
print(corrected_ttest(forest, tree, n_train=1296, n_test=144))
