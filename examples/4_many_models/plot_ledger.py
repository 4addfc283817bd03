"""
How many of forty small changes are improvements?
=================================================

A program tries random changes of a classifier of digits, one after the other, and keeps
what is better. This is how models are tuned by hand, too, and by programs that write
programs. :class:`~sklearn_cvtest.Ledger` keeps a change only if it is shown to be
better: the probability that the first that it keeps is no improvement is at most 5%,
however the changes are chosen.
"""

# %%
# Each proposal changes one part of the champion: the number of principal components,
# the shrinkage of the discriminant analysis, or whether features are scaled. The
# program looks at the shown scores: it starts from what looked best so far.

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
best, lowest = {"scaler": None, "n_components": 5, "shrinkage": None}, np.inf
for number in range(40):
    choice = dict(best)
    if number:
        part = rng.choice(list(CHOICES))
        choice[part] = CHOICES[part][rng.integers(len(CHOICES[part]))]
    scaler = type(choice["scaler"]).__name__ if choice["scaler"] else "unscaled"
    name = f"{scaler}, {choice['n_components']} components, {choice['shrinkage']}"
    entry = ledger.propose(name, model_of(choice))
    if entry.shown_value < lowest:
        best, lowest = choice, entry.shown_value

# %%
# Proposals that were made before are not fitted again, so that there are fewer than
# forty. The greedy program moves whenever the shown error is lower; the ledger keeps
# only what is better on the sealed rows, too.

history = ledger.history()
print(history)

# %%
# The green line is the champion. What is below it and not kept (squares) was better on
# the shown rows, by less than the other rows can show.

history.plot()

# %%
# No proposal has seen the reserve, one image in five. So the error of the champion is
# not the result of a selection.

print(ledger.champion())
print(ledger.history().report())
