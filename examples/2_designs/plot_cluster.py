"""
How do I run this on a cluster?
===============================

``with joblib.parallel_config("dask"): compare_estimators(models, X, y, memory="fits")``

Any joblib backend runs the fits. ``memory`` stores the losses of every fit as soon as
they are known, so an interrupted run resumes where it stopped. Below, a second run
takes almost no time, a run whose slower model was stored fits only the other one, and
the losses are identical to the last bit.
"""

# %%
# Here the workers are threads of this machine, by joblib's own backend. On a cluster,
# replace ``"threading"`` by ``"dask"``, ``"ray"`` or ``"spark"``
# (:doc:`/guide/scaling`), and use a folder that all machines can read.

import tempfile
import time

import joblib
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.svm import SVC

from sklearn_cvtest import BlockKFold, compare_estimators

X, y = load_digits(return_X_y=True)
forest = {"forest": RandomForestClassifier(50, random_state=0)}
models = {**forest, "machine": SVC(gamma=0.001)}
cv = BlockKFold(10, random_state=0)


def timed(models, folder):
    """Return losses and seconds of a comparison whose fits are stored in a folder."""
    start = time.perf_counter()
    with joblib.parallel_config("threading", n_jobs=2):
        result = compare_estimators(models, X, y, cv=cv, memory=folder)
    return result.losses.mean_losses, time.perf_counter() - start


with tempfile.TemporaryDirectory() as folder:
    runs = {"at first": timed(models, folder)}
    runs["again"] = timed(models, folder)
with tempfile.TemporaryDirectory() as folder:
    timed({**forest, "other": SVC(gamma=0.01)}, folder)
    runs["the forest was there"] = timed(models, folder)

assert all(np.array_equal(losses, runs["at first"][0]) for losses, _ in runs.values())
figure, ax = plt.subplots(figsize=(6.4, 2.2), layout="constrained")
bars = ax.barh(list(runs), [seconds for _, seconds in runs.values()])
ax.bar_label(bars, fmt=" %.2f s")
ax.margins(x=0.15)
ax.invert_yaxis()
ax.set(xlabel="seconds for 20 fits", title="the same losses each time")
plt.show()
print({name: f"{seconds:.2f} s" for name, (_, seconds) in runs.items()})
