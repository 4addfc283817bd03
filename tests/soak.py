"""Random experiments with random faults, each compared with a plain loop.

Estimators, data, splits, losses and ways of running are drawn at random, and so is what
goes wrong: fits that fail, write to what they are given or kill their worker; runs that
are killed, interrupted, or at work on one store at the same time; stored files that are
damaged, cut off, swapped or replaced by folders, links and FIFOs; a disk that is full.
Whatever is computed must be, to the last bit, what a loop over `clone`, `fit` and
`predict` gives. An experiment that takes longer than ten minutes counts as hung (on a
busy machine, to start the workers again and again after their deaths takes minutes).

Run: python tests/soak.py [--minutes 30] [--seed 0] [--only NUMBER]
"""

import argparse
import contextlib
import errno
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from unittest import mock

import joblib
import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import _safe_indexing

import sklearn_cvtest as ct

SECONDS = 600


class HungError(Exception):
    """An experiment has taken too long."""


class Faulty(ClassifierMixin, BaseEstimator):
    """Learns as a tree does; does something bad where a row is not in training."""

    def __init__(self, fault="none", row=0.0, pause=0.0, caller=0):
        self.fault = fault
        self.row = row
        self.pause = pause
        self.caller = caller

    def fit(self, X, y):
        time.sleep(self.pause)
        values = np.asarray(X.toarray() if sparse.issparse(X) else X)
        is_bad = self.row not in values[:, 0]
        if is_bad and self.fault == "raise":
            raise RuntimeError("broken on purpose")
        if is_bad and self.fault == "kill" and os.getpid() != self.caller:
            os._exit(1)
        self.tree_ = DecisionTreeClassifier(max_depth=3, random_state=0)
        self.tree_.fit(values.copy(), np.array(y))
        self.classes_ = self.tree_.classes_
        if self.fault == "write" and isinstance(X, np.ndarray):
            X[:] = 0
            y[:] = 0
        self.is_short_ = is_bad and self.fault == "short"
        return self

    def predict(self, X):
        values = np.asarray(X.toarray() if sparse.issparse(X) else X)
        return self.tree_.predict(values)[int(self.is_short_) :]


def plain_loop(experiment):
    """Return the losses, nan where a fit fails or gives too few predictions."""
    X, y = experiment["X"], experiment["y"]
    losses = []
    for train, test in experiment["splits"]:
        columns = []
        for model in experiment["models"].values():
            wrong = np.full(len(test), np.nan)
            dies = isinstance(model, Faulty) and model.fault == "kill"
            row_is_there = dies and model.row in experiment["first"][train]
            if not dies or row_is_there:
                with contextlib.suppress(RuntimeError):
                    fitted = clone(model).fit(
                        *(_safe_indexing(a, train) for a in (X, y))
                    )
                    answer = fitted.predict(_safe_indexing(X, test))
                    if len(answer) == len(test):
                        wrong = (answer != np.asarray(y)[test]).astype(float)
            columns.append(wrong)
        losses.append(np.stack(columns, axis=1))
    return np.concatenate(losses)


# What is drawn ----------------------------------------------------------------


def draw(rng):
    """Return an experiment: data, splits, models, and the losses that are right."""
    n, p = int(rng.integers(30, 90)), int(rng.integers(2, 8))
    X, y = make_classification(
        n, p + 2, n_informative=2, n_redundant=0, random_state=int(rng.integers(2**31))
    )
    X[:, 0] += np.arange(n) * 1e-6  # so that rows can be told by it
    first = X[:, 0].copy()
    y = y if rng.random() < 0.7 else np.where(y, "yes", "no")
    form = rng.choice(["array", "frame", "sparse", "fortran"])
    if form == "frame":
        X = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    if form == "sparse":
        X = sparse.csr_matrix(X)
    if form == "fortran":
        X = np.asfortranarray(X)
    seed = int(rng.integers(1000))
    k = int(rng.integers(2, 6))
    cv = [
        ct.BlockKFold(k, random_state=seed),
        StratifiedKFold(k, shuffle=True, random_state=seed),
        KFold(k),
        ShuffleSplit(k, test_size=0.3, random_state=seed),
        ct.RepeatedSubsample(k, random_state=seed),
    ][int(rng.integers(5))]
    splits = list(cv.split(first[:, np.newaxis], y))
    experiment = {"X": X, "y": y, "first": first, "splits": splits}
    experiment["models"] = draw_models(rng, form, first, splits)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        experiment["expected"] = plain_loop(experiment)
    return experiment


def draw_models(rng, form, first, splits):
    finals = [
        DummyClassifier(),
        DecisionTreeClassifier(max_depth=2, random_state=0),
        KNeighborsClassifier(3),
        LogisticRegression(C=float(rng.uniform(0.1, 10))),
        RidgeClassifier(float(rng.uniform(0.1, 10))),
    ]
    steps = [MinMaxScaler(), StandardScaler()]
    if form == "sparse":
        steps = [StandardScaler(with_mean=False)]
    else:
        finals.append(GaussianNB())
    models = {}
    for number in range(int(rng.integers(1, 5))):
        model = finals[int(rng.integers(len(finals)))]
        if rng.random() < 0.6:
            model = make_pipeline(steps[int(rng.integers(len(steps)))], clone(model))
        models[f"m{number}"] = model
    if rng.random() < 0.6:
        row = first[splits[int(rng.integers(len(splits)))][1][0]]
        fault = str(rng.choice(["raise", "short", "write", "write", "none"]))
        models["faulty"] = Faulty(fault, row, float(rng.choice([0, 0, 0.01])))
    return models


def run(experiment, models=None, **options):
    """Return the losses; without a fit that works, the array of nan that it is."""
    models = experiment["models"] if models is None else models
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ct.cross_val_losses(
                models,
                experiment["X"],
                experiment["y"],
                cv=experiment["splits"],
                **options,
            ).losses
        except ValueError as error:
            if "All fits failed" not in str(error):
                raise
            return np.full_like(experiment["expected"], np.nan)


def check(experiment, losses, what):
    if not np.array_equal(losses, experiment["expected"], equal_nan=True):
        raise AssertionError(f"wrong losses: {what}")


# What goes wrong --------------------------------------------------------------


def nothing(experiment, rng, folder):
    """Options that must not matter."""
    options = {"share_steps": bool(rng.random() < 0.5)}
    if rng.random() < 0.3:
        options |= {"memory": folder}
    check(experiment, run(experiment, **options), options)
    check(experiment, run(experiment, **options), "again")


def threads(experiment, rng, folder):
    memory = folder if rng.random() < 0.5 else None
    with joblib.parallel_config("threading"):
        check(experiment, run(experiment, n_jobs=3, memory=memory), "threads")
    if memory:
        check(experiment, run(experiment, memory=memory), "what threads have stored")


def processes(experiment, rng, folder):
    memory = folder if rng.random() < 0.5 else None
    check(experiment, run(experiment, n_jobs=2, memory=memory), "processes")


def deaths(experiment, rng, folder):
    """A model kills the worker that fits it on one split."""
    row = experiment["first"][experiment["splits"][0][1][0]]
    experiment["models"] = experiment["models"] | {
        "deadly": Faulty("kill", row, caller=os.getpid())
    }
    experiment["expected"] = plain_loop(experiment)
    memory = folder if rng.random() < 0.5 else None
    check(experiment, run(experiment, n_jobs=2, memory=memory), "deaths")


def fork(experiment, folder, **options):
    """Start a run in a child, which ends with 0 if it is right."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        signal.alarm(0)
        check(experiment, run(experiment, memory=folder, **options), "in a child")
        status = 0
    finally:
        os._exit(status)


def kills(experiment, rng, folder):
    """Runs that are killed or interrupted at any moment, on one store."""
    for _ in range(int(rng.integers(1, 5))):
        child = fork(experiment, folder)
        time.sleep(rng.uniform(0, 0.15))
        os.kill(child, int(rng.choice([signal.SIGKILL, signal.SIGINT])))
        os.waitpid(child, 0)
    check(experiment, run(experiment, memory=folder), "after kills")


def crowds(experiment, rng, folder):
    """Several runs at the same time, on one store."""
    children = [fork(experiment, folder) for _ in range(int(rng.integers(2, 5)))]
    if rng.random() < 0.3:
        time.sleep(rng.uniform(0, 0.1))
        os.kill(children[0], signal.SIGKILL)
        os.waitpid(children.pop(0), 0)
    for child in children:
        if os.waitpid(child, 0)[1]:
            raise AssertionError("a run among others is wrong")
    check(experiment, run(experiment, memory=folder), "after a crowd")


def damage(path, others, rng):
    """Do something to a stored file."""
    data = bytearray(path.read_bytes())
    kind = int(rng.integers(8))
    if kind == 0:
        data[int(rng.integers(len(data)))] ^= 1 << int(rng.integers(8))
        path.write_bytes(data)
    elif kind == 1:
        path.write_bytes(data[: int(rng.integers(len(data)))])
    elif kind == 2:
        shutil.copy(others[int(rng.integers(len(others)))], path)
    elif kind == 3:
        path.write_bytes(rng.bytes(int(rng.integers(300))))
    elif kind == 4:
        path.unlink()
        path.mkdir()
    elif kind == 5:
        path.unlink()
        os.mkfifo(path)
    elif kind == 6:
        path.unlink()
        path.symlink_to(path.name)
    else:
        np.savez(path.open("wb"), values=np.zeros(int(rng.integers(9))))


def damages(experiment, rng, folder):
    check(experiment, run(experiment, memory=folder), "before damages")
    files = sorted(pathlib.Path(folder).glob("**/*.npz"))
    for path in files:
        others = [other for other in files if other.is_file() and other != path]
        if rng.random() < 0.5 and path.is_file() and others:
            damage(path, others, rng)
    for _ in range(2):
        check(experiment, run(experiment, memory=folder), "damaged files")


def full_disk(experiment, rng, folder):
    """Nothing, or only some files, can be written."""
    save = np.savez_compressed

    def fail(file, **arrays):
        if rng.random() < 0.5:
            file.write(b"half")
            raise OSError(errno.ENOSPC, "No space left on device")
        save(file, **arrays)

    with mock.patch("numpy.savez_compressed", fail):
        check(experiment, run(experiment, memory=folder), "on a full disk")
    check(experiment, run(experiment, memory=folder), "after a full disk")


def changes(experiment, rng, folder):
    """Another experiment, alike but not the same, on one store."""
    run(experiment, memory=folder)
    y = np.array(experiment["y"])
    y[: len(y) // 2] = y[: len(y) // 2][::-1]
    experiment["y"] = y
    experiment["expected"] = plain_loop(experiment)
    check(experiment, run(experiment, memory=folder), "a changed target")


FAULTS = [nothing, threads, kills, crowds, damages, full_disk, changes]
SLOW = [processes, deaths]


def leftovers(folder):
    """Return what should be gone: claims of runs that have ended."""
    return list(pathlib.Path(folder).glob("**/*.claim"))


def content(experiment):
    """Return a hash of the data; scipy notes in a sparse matrix that it is sorted."""
    X = experiment["X"]
    if sparse.issparse(X):
        X = X.data, X.indices, X.indptr
    return joblib.hash((X, experiment["y"]))


@contextlib.contextmanager
def limited():
    def stop(*args):
        raise HungError(f"still running after {SECONDS} s")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)


def one_experiment(number, seed):
    """Return the fault that was drawn, and what is wrong or None."""
    rng = np.random.default_rng([seed, number])
    faults = SLOW if rng.random() < 0.03 else FAULTS
    fault = faults[int(rng.integers(len(faults)))]
    with tempfile.TemporaryDirectory() as folder:
        try:
            with limited():
                experiment = draw(rng)
                given = content(experiment)
                fault(experiment, rng, folder)
                is_given = content(experiment) == given
                if not is_given and fault is not changes:
                    raise AssertionError("the data of the caller were changed")
                if leftovers(folder) and fault not in (threads, processes, deaths):
                    raise AssertionError(f"left over: {leftovers(folder)}")
        except Exception as error:
            return fault.__name__, "".join(traceback.format_exception(error))
    return fault.__name__, None


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--only", type=int, default=None, help="number of an experiment"
    )
    chosen = parser.parse_args()
    end = time.monotonic() + 60 * chosen.minutes
    counts, wrong, number = Counter(), [], chosen.only or 0
    while time.monotonic() < end:
        fault, problem = one_experiment(number, chosen.seed)
        counts[fault] += 1
        if problem is not None:
            wrong.append(number)
            print(f"experiment {number}, {fault}:\n{problem}", flush=True)
        if chosen.only is not None:
            break
        number += 1
    kinds = ", ".join(f"{count} {fault}" for fault, count in sorted(counts.items()))
    print(f"seed {chosen.seed}: {counts.total()} experiments ({kinds})")
    print(f"{len(wrong)} wrong: {wrong}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
