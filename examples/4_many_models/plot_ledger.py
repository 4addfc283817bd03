"""
How many of forty small changes are improvements?
=================================================

``Ledger(path, X, y).propose(name, estimator)``

A program tries random changes of a classifier of digits, one after the other, and keeps
what is better. Models are tuned like this by hand, too, and by coding agents.
:class:`~sklearn_cvtest.Ledger` says after each change what to build on, and confirms
improvements: the probability of any false confirmation is at most 5%, however the
changes are chosen.
"""

# %%
# Each proposal changes one part of the working champion: the number of principal
# components, the shrinkage of the discriminant analysis, or how features are scaled.

import os
import tempfile

import numpy as np
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from sklearn_cvtest import Ledger

X, y = load_digits(return_X_y=True)
rng = np.random.default_rng(0)
CHOICES = {
    "scaler": [None, StandardScaler(), MinMaxScaler()],
    "n_components": [5, 8, 12, 16, 20, 25, 30, 35, 40, 50],
    "shrinkage": [None, 0.01, 0.03, 0.1, 0.3],
}


def model_of(choice):
    """Return the pipeline of a choice."""
    reduce = PCA(choice["n_components"], random_state=0)
    classify = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=choice["shrinkage"])
    steps = {"scale": choice["scaler"], "reduce": reduce, "classify": classify}
    return Pipeline(list(steps.items()))


path = os.path.join(tempfile.mkdtemp(), "digits.ledger")
ledger = Ledger(path, X, y)
best = {"scaler": None, "n_components": 5, "shrinkage": None}
for number in range(40):
    choice = dict(best)
    if number:
        part = rng.choice(list(CHOICES))
        choice[part] = CHOICES[part][rng.integers(len(CHOICES[part]))]
    scaler = type(choice["scaler"]).__name__ if choice["scaler"] else "unscaled"
    name = f"{scaler}, {choice['n_components']} components, {choice['shrinkage']}"
    entry = ledger.propose(name, model_of(choice))
    if entry.decision in ("working", "confirmed"):
        best = choice

# %%
# Proposals that were made before are not fitted again, so there are fewer than forty.

history = ledger.history()
print(history)

# %%
# The dotted line is the working champion, which moves on the shown rows alone. The
# solid line is the confirmed champion, which needs a test on the sealed rows.

history.plot()

# %%
# No proposal has seen the reserve, one image in five. So the error of the champion is
# not the result of a selection.

print(ledger.champion())
print(ledger.history().report())
