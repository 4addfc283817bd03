"""How fast the package is, each time against something else run beside it.

speed_ratios: the median ratio of two things timed in turn in one process (but for
imports and commands), so that a slow or busy machine slows both, by CPU time unless
other processes take part; what takes over 5 s, five times. speed_many: seconds of CPU
and the peak memory of a new process that compares many models and prints that. Errors
are those of a median of so many normal times.

    OMP_NUM_THREADS=1 python benchmarks/speed.py    # writes both tables of docs/data
"""

import csv
import itertools
import multiprocessing
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import joblib
import numpy as np
import pandas as pd
import scipy.stats
from harness import Table, command
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import RepeatedKFold, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import sklearn_cvtest as ct

CV = ct.BlockKFold(10, random_state=0)


def bare_loop(estimators, X, y, cv=CV):
    losses = []
    for train, test in cv.split(X, y):
        for estimator in estimators.values():
            model = clone(estimator).fit(X[train], y[train])
            losses.append((model.predict(X[test]) != y[test]).astype(float))
    return losses


def compare(estimators, X, y, cv=CV, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ct.compare_estimators(estimators, X, y, cv=cv, **options)


def small_data():
    """Return 100 rows on which a fit takes a millisecond."""
    X, y = load_breast_cancer(return_X_y=True)
    rows = np.random.default_rng(0).choice(len(y), 100, replace=False)
    return X[rows], y[rows]


def overhead():
    """Serial overhead over a bare loop."""
    tree = DecisionTreeClassifier(random_state=0)
    logistic = make_pipeline(StandardScaler(), LogisticRegression())
    real = {"logistic": logistic, "tree": tree}, *load_breast_cancer(return_X_y=True)
    tiny = {"tree": tree, "bayes": GaussianNB()}, *small_data()
    cases = {"logistic + tree, n = 569": real, "tree + naive Bayes, n = 100": tiny}
    for text, data in cases.items():
        yield (
            f"compare_estimators / bare loop, {text}",
            lambda data=data: compare(*data),
            lambda data=data: bare_loop(*data),
        )


def slow_estimators(n):
    return {
        f"boosting {i}": GradientBoostingClassifier(
            n_estimators=30, subsample=0.9, random_state=i
        )
        for i in range(n)
    }


def fit_one(estimator, X, y, train, test):
    model = clone(estimator).fit(X[train], y[train])
    return (model.predict(X[test]) != y[test]).astype(float)


def loop_in_workers(estimators, X, y):
    tasks = itertools.product(CV.split(X, y), estimators.values())
    return joblib.Parallel(n_jobs=2)(
        joblib.delayed(fit_one)(estimator, X, y, *split) for split, estimator in tasks
    )


def parallel():
    """Two jobs against one, and against a loop of joblib's own."""
    slow = slow_estimators(2), *make_classification(600, 15, random_state=0)
    tiny = {"tree": DecisionTreeClassifier(random_state=0), "bayes": GaussianNB()}
    tiny = tiny, *small_data()
    compare(*slow, n_jobs=2)  # starts the workers
    yield (
        "n_jobs=1 / n_jobs=2, fits of >= 50 ms",
        lambda: compare(*slow, n_jobs=1),
        lambda: compare(*slow, n_jobs=2),
    )
    for text, data in {"of 1 ms": tiny, "of >= 50 ms": slow}.items():
        yield (
            f"compare_estimators / joblib's loop, n_jobs=2, fits {text}",
            lambda data=data: compare(*data, n_jobs=2),
            lambda data=data: loop_in_workers(*data),
        )


def mlxtend_f_tests(estimators, X, y):
    from mlxtend.evaluate import combined_ftest_5x2cv

    found = []
    for first, second in itertools.combinations(estimators.values(), 2):
        # it fits what it is given
        pair = clone(first), clone(second)
        found.append(combined_ftest_5x2cv(*pair, X, y, random_seed=1))
    return found


def splits_of_mlxtend(n):
    """Return the splits that it makes with random_seed=1."""
    rng, splits = np.random.RandomState(1), []
    for _ in range(5):
        seed = rng.randint(low=0, high=32767)
        halves = train_test_split(np.arange(n), test_size=0.5, random_state=seed)
        splits += [tuple(halves), tuple(halves[::-1])]
    return splits


def against_mlxtend():
    """Five estimators, all pairs, 5x2cv F test."""
    X, y = load_breast_cancer(return_X_y=True)
    mixed = {
        "tree": DecisionTreeClassifier(random_state=0),
        "bayes": GaussianNB(),
        "neighbours": KNeighborsClassifier(),
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "ridge": RidgeClassifier(),
    }
    X, y = X[1:], y[1:]  # an even number: mlxtend weighs halves equally
    splits = splits_of_mlxtend(len(y))
    yield (
        "mlxtend / compare_estimators, 5 estimators, 10 pairs, 5x2 F",
        lambda: mlxtend_f_tests(mixed, X, y),
        lambda: compare(mixed, X, y, cv=splits),
    )


def imports():
    """Names of the package, in a new process."""
    for name in ("BlockKFold", "compare_estimators"):
        yield (
            f"from sklearn_cvtest import {name} / import sklearn.model_selection",
            lambda name=name: run_python("-c", f"from sklearn_cvtest import {name}"),
            lambda: run_python("-c", "import sklearn.model_selection"),
        )


def plain_paired_t(y, predictions):
    """The paired t test over a test set, in numpy."""
    errors = [predicted != y for predicted in predictions.values()]
    wrong = np.subtract(*errors, dtype=np.float64)
    return wrong.mean() / (wrong.std(ddof=1) / np.sqrt(len(y)))


def predictions_alone():
    """Two models of which 10^6 predictions are there, of labels and of folds."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=10**6)
    given = {name: np.where(rng.random(len(y)) < 0.1, 1 - y, y) for name in "ab"}
    for name, options in [
        ("of a test set", {}),
        ("of 10 folds", {"splits": np.arange(len(y)) % 10}),
    ]:
        yield (
            f"compare_predictions / a paired t test in numpy, 10^6 rows {name}",
            lambda options=options: ct.compare_predictions(y, given, **options),
            lambda: plain_paired_t(y, given),
        )


def wilcoxon_of_pairs(table):
    """Return scipy's p-values of all pairs of models over data sets, one by one."""
    columns = [np.array(column) for name, column in table.items() if name != "dataset"]
    return [
        scipy.stats.wilcoxon(first - second).pvalue
        for first, second in itertools.combinations(columns, 2)
    ]


def benchmark(n_models, n_datasets):
    """Return accuracies of models on data sets, with four digits, as a wide table."""
    rng = np.random.default_rng(0)
    accuracies = 0.7 + 0.05 * rng.normal(size=(n_datasets, 1))
    accuracies = accuracies + 0.01 * rng.normal(size=n_models)
    accuracies = accuracies + 0.02 * rng.normal(size=(n_datasets, n_models))
    names = [f"model {number}" for number in range(n_models)]
    table = pd.DataFrame(accuracies.round(4), columns=names)
    return table.assign(dataset=[f"set {number}" for number in range(n_datasets)])


def compare_benchmark(table):
    """Return the printed comparison of models over data sets."""
    return str(ct.compare_over_datasets(table, score="accuracy"))


def over_datasets():
    """All pairs of many models over 50 data sets, printed."""
    for n_models in (30, 100):
        table = benchmark(n_models, 50)
        yield (
            f"compare_over_datasets / scipy.stats.wilcoxon, {n_models} models, 50 sets",
            lambda table=table: compare_benchmark(table),
            lambda table=table: wilcoxon_of_pairs(table),
        )


def the_command():
    """The command on a table of 10^6 rows: a row for each model and example."""
    n = 10**6
    rng = np.random.default_rng(0)
    columns = {
        "model": np.repeat(["a", "b"], n // 2),
        "example": np.tile(np.arange(n // 2), 2),
        "correct": (rng.random(n) < 0.9).astype(int),
    }
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "rows.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            writer.writerows(zip(*columns.values(), strict=True))
        read = f"import pandas; pandas.read_csv({str(path)!r})"
        yield (
            "the command on 10^6 rows / pandas.read_csv, both in a new process",
            lambda: run_python("-m", "sklearn_cvtest", "compare", str(path)),
            lambda: run_python("-c", read),
        )


def run_python(*arguments):
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([sys.executable, *arguments], check=True, **silent)


def candidates(n):
    """Return what compares `n` candidates of 40 splits, and prints that."""
    rng = np.random.default_rng(0)
    scores = rng.normal(scale=0.02, size=(n, 40)) - np.abs(
        rng.normal(scale=0.02, size=(n, 1))
    )
    results = {f"split{j}_test_score": column for j, column in enumerate(scores.T)}
    results["params"] = [{"C": c} for c in range(n)]
    cv = RepeatedKFold(n_splits=10, n_repeats=4)
    return lambda: str(ct.compare_candidates(results, cv=cv))


def errors_of_models(n, n_examples):
    """Return the labels of a test set, and which ones each of `n` models has wrong."""
    rng = np.random.default_rng(0)
    y, difficulty = rng.integers(2, size=n_examples), rng.normal(size=n_examples)
    skill = np.linspace(1, 1.5, n)[:, np.newaxis]
    return y, difficulty + rng.normal(size=(n, n_examples)) > skill * np.sqrt(2)


def leaderboard(n, n_examples):
    """Return what compares all pairs of `n` models of one test set, and prints that."""
    y, wrong = errors_of_models(n, n_examples)
    given = {str(i): np.where(row, 1 - y, y) for i, row in enumerate(wrong)}
    return lambda: str(ct.compare_predictions(y, given))


def models_over_sets(n_models, n_datasets):
    """Return what compares all pairs of models over data sets, and prints that."""
    table = benchmark(n_models, n_datasets)
    return lambda: compare_benchmark(table)


MANY = {
    "10,000 candidates x 40 splits": (candidates, 10000),
    "300 models x 1,000 predictions, all pairs": (leaderboard, 300, 1000),
    "200 models x 10,000 predictions, all pairs": (leaderboard, 200, 10000),
    "100 models over 50 data sets, all pairs": (models_over_sets, 100, 50),
    "2 models x 1,000,000 predictions": (leaderboard, 2, 10**6),
}  # fmt: skip


def many(name, rounds):
    """Return seconds of CPU of comparing many models, and peak MB."""
    warnings.simplefilter("ignore")
    maker, *arguments = MANY[name]
    run = maker(*arguments)
    taken = [seconds(run, time.process_time) for _ in range(rounds)]
    return taken, peak_memory()


def peak_memory():
    """Return the most megabytes that this process had.

    Of Linux, since `ru_maxrss` starts at what the process had that started this one.
    """
    status = pathlib.Path("/proc/self/status")
    if status.exists():
        (line,) = (
            x
            for x in status.read_text(encoding="utf-8").splitlines()
            if x.startswith("VmHWM")
        )
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def many_models(rounds):
    """Yield rows of MANY, each measured in a process of its own."""
    rounds = min(rounds, 5)
    for name in MANY:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            taken, peak = pool.apply(many, (name, rounds))
        row = {"compared and printed": name, "s": f"{statistics.median(taken):.2f}"}
        row |= {"error": error_of_median(taken), "samples": rounds}
        yield row | {"peak MB": f"{peak:.0f}"}


def error_of_median(values):
    return 1.25 * statistics.stdev(values) / len(values) ** 0.5


def seconds(function, clock=time.perf_counter):
    start = clock()
    function()
    return clock() - start


GROUPS = (
    overhead,
    parallel,
    against_mlxtend,
    predictions_alone,
    over_datasets,
    the_command,
    imports,
)
# What starts other processes, whose CPU time is not known here.
OF_PROCESSES = parallel, against_mlxtend, the_command, imports


def ratios(rounds):
    """Yield a row of each pair of things to time in turn."""
    for group in GROUPS:
        clock = time.perf_counter if group in OF_PROCESSES else time.process_time
        for name, one, other in group():
            is_slow = seconds(one) + seconds(other) > 5
            n_rounds = min(rounds, 5) if is_slow else rounds
            pairs = [
                (seconds(one, clock), seconds(other, clock)) for _ in range(n_rounds)
            ]
            found = [a / b for a, b in pairs]
            row = {"ratio of": name, "median": f"{statistics.median(found):.3g}"}
            row |= {"error": error_of_median(found), "samples": n_rounds}
            both = (statistics.median(times) for times in zip(*pairs, strict=True))
            yield row | {"seconds": " / ".join(f"{time:.3g}" for time in both)}


TABLES = [
    Table("speed_ratios", ratios, ("ratio of",), {"median": "error"}, 30, 3),
    Table("speed_many", many_models, ("compared and printed",), {"s": "error"}, 5, 2),
]


if __name__ == "__main__":
    command(__doc__, *TABLES)
