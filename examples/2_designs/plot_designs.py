"""
Which splits can be tested?
===========================

``compare_estimators(models, X, y, cv=RepeatedKFold())``

K-folds, repeated K-folds, random subsamples, 5x2, and paired halves: for each there is
a test that accounts for the overlap of its training sets. scikit-learn's splitters can
be used as well as this package's, because the design is recognised from the indices.
Splits in time order are recognised too, and have a test of their own.
"""

# %%
# Below, each row is a split of 40 examples: dark cells are tested, light ones trained
# on, white ones left out. In a K-fold every example is tested once; subsamples test
# some examples several times and some never; 5x2 trains on half of the data only;
# paired halves add to a K-fold several runs on disjoint halves, whose differences show
# how variable a cross-validation on half the data is.

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from sklearn.model_selection import RepeatedKFold, TimeSeriesSplit

from sklearn_cvtest import BlockKFold, FiveByTwo, PairedHalves, RepeatedSubsample

n_samples = 40
splitters = {
    "BlockKFold(10)": BlockKFold(10, shuffle=False),
    "RepeatedKFold(5, 2)": RepeatedKFold(n_splits=5, n_repeats=2, random_state=0),
    "RepeatedSubsample(10)": RepeatedSubsample(10, random_state=0),
    "FiveByTwo()": FiveByTwo(random_state=0),
    "PairedHalves(BlockKFold(5), 2)": PairedHalves(
        BlockKFold(5, shuffle=False), 2, random_state=0
    ),
    "TimeSeriesSplit(5)": TimeSeriesSplit(5),
}
colours = ListedColormap(["#ffffff", "#b8cbe0", "#1f4e79"])
figure, axes = plt.subplots(3, 2, figsize=(8, 8), layout="constrained")
for ax, (name, splitter) in zip(axes.flat, splitters.items(), strict=True):
    splits = list(splitter.split(np.zeros((n_samples, 1))))
    role = np.zeros((len(splits), n_samples))
    for row, (train, test) in zip(role, splits, strict=True):
        row[train], row[test] = 1, 2
    ax.pcolormesh(role, cmap=colours, vmin=0, vmax=2, edgecolor="white", linewidth=0.2)
    ax.invert_yaxis()
    ax.set(title=f"{name}: {len(splits)} fits", xlabel="example", ylabel="split")
plt.show()

# %%
# How the package recognises them, and the test it uses if none is given:

from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import compare_estimators

X, y = load_breast_cancer(return_X_y=True)
estimators = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)}
for name, splitter in splitters.items():
    try:
        comparison = compare_estimators(estimators, X, y, cv=splitter)
    except ValueError as error:
        print(f"{name}\n  refused: {error}")
        continue
    test = comparison.tests["bayes", "tree"]
    print(f"{name}\n  {comparison.losses.design}: {type(test).__name__}")

# %%
# The indices are all that is needed, for example from a splitter of your own: pass a
# list of (train, test). Only paired halves are recognised by their splitter.

splits = list(RepeatedSubsample(10, random_state=0).split(X))
print(compare_estimators(estimators, X, y, cv=splits).losses.design)
