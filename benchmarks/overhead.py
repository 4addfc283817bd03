"""What the engine adds to a bare loop, and how cross_val_predict compares.

All are timed in turn in one process, many times; the medians' ratios are printed.
Run: python benchmarks/overhead.py
"""

import statistics
import time

import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import BlockKFold, compare_estimators, cross_val_losses


def bare_loop(estimators, X, y, cv):
    losses = []
    for train, test in cv.split(X, y):
        for estimator in estimators.values():
            model = clone(estimator).fit(X[train], y[train])
            losses.append((model.predict(X[test]) != y[test]).astype(float))
    return losses


def predict_twice(estimators, X, y, cv):
    return [cross_val_predict(est, X, y, cv=cv) != y for est in estimators.values()]


CONTENDERS = {
    "bare loop": bare_loop,
    "cross_val_losses": lambda e, X, y, cv: cross_val_losses(e, X, y, cv=cv),
    "compare_estimators": lambda e, X, y, cv: compare_estimators(e, X, y, cv=cv),
    "cross_val_predict, each": predict_twice,
}


def median_seconds(estimators, X, y, cv, n_rounds):
    seconds = {name: [] for name in CONTENDERS}
    for _ in range(n_rounds + 1):
        for name, run in CONTENDERS.items():
            start = time.perf_counter()
            run(estimators, X, y, cv)
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(values[1:]) for name, values in seconds.items()}


def report(title, estimators, X, y, n_rounds):
    medians = median_seconds(estimators, X, y, BlockKFold(10, random_state=0), n_rounds)
    print(title)
    for name, median in medians.items():
        ratio = median / medians["bare loop"]
        print(f"  {name:24} {median * 1e3:8.1f} ms  {ratio:6.3f} x bare loop")


def main():
    X, y = load_breast_cancer(return_X_y=True)
    tree = DecisionTreeClassifier(random_state=0)
    logistic = make_pipeline(StandardScaler(), LogisticRegression())
    report("logistic and tree, n = 569", {"logistic": logistic, "tree": tree}, X, y, 30)
    rows = np.random.default_rng(0).choice(len(y), 100, replace=False)
    tiny = {"tree": tree, "bayes": GaussianNB()}
    report("tree and naive Bayes, n = 100", tiny, X[rows], y[rows], 100)


if __name__ == "__main__":
    main()
