"""How fast the package is, each time against something else run beside it.

Every row of `ratios` is the median ratio of two things timed in turn in one process
(but for imports and commands), so that a slow or busy machine slows both, by CPU time
unless other processes take part; what takes over 5 s, five times. `costs` are
milliseconds of CPU, the least of many runs, that a fit and a comparison take beyond a
bare loop. `many` has the seconds of CPU and the peak memory of a new process that
compares many models and prints that, beside one product of the matrix of their errors.
`growth` has the exponents of `growth.py`, and `backends` the CPU milliseconds of a tiny
fit in workers of joblib's backends, and in one process.

Run: OMP_NUM_THREADS=1 python benchmarks/speed.py [--quick] [--only WORD] [--write]

--only takes a word of the name of a function: overhead, own_costs, parallel, mlxtend,
predictions, datasets, command, statistics, imports, many_models, growth,
backends.
With --write the tables go to docs/data/speed_*.csv, which the documentation shows.
"""

import contextlib
import copy
import csv
import itertools
import multiprocessing
import os
import pathlib
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from dataclasses import replace
from functools import partial

import joblib
import numpy as np
import scipy.stats
import sklearn
from growth import benchmark, compare_benchmark, growth
from harness import parser_of
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import (
    LogisticRegression,
    Ridge,
    RidgeClassifier,
)
from sklearn.model_selection import (
    RepeatedKFold,
    train_test_split,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import sklearn_cvtest as ct

CV = ct.BlockKFold(10, random_state=0)
DATA = pathlib.Path(__file__).parent.parent / "docs" / "data"


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
    cases = {
        "logistic + tree, n = 569": (real, "<= 1.05"),
        "tree + naive Bayes, n = 100": (tiny, "<= 1.18"),
    }
    for text, (data, of_loop) in cases.items():
        yield (
            f"compare_estimators / bare loop, {text}",
            lambda data=data: compare(*data),
            lambda data=data: bare_loop(*data),
            of_loop,
        )
        yield (
            f"the same with diagnostics=False, {text}",
            lambda data=data: compare(*data, diagnostics=False),
            lambda data=data: bare_loop(*data),
            "",
        )


def own_costs(rounds):
    """Yield (name, milliseconds, asked): what is the package's, beyond a bare loop.

    Of a fit, by the slope from 20 to 200 fits, so that what a call costs is not in it.
    """
    X, y = small_data()
    tree, bayes = DecisionTreeClassifier(random_state=0), GaussianNB()
    few, many = (ct.BlockKFold(10, n_repeats=n, random_state=0) for n in (1, 10))
    for text, estimator in [("tree", tree), ("naive Bayes", bayes)]:
        estimators = {"a": estimator, "b": estimator}
        runs = [
            partial(run, estimators, X, y, cv=cv)
            for cv in (few, many)
            for run in (ct.cross_val_losses, bare_loop)
        ]
        beyond = least(runs, rounds)
        slope = ((beyond[2] - beyond[3]) - (beyond[0] - beyond[1])) / 180
        yield f"a fit of a {text}, n = 100", slope, "<= 0.10"
        yield f"a call, {text}", beyond[0] - beyond[1] - 20 * slope, ""
    losses = ct.cross_val_losses({"tree": tree, "bayes": bayes}, X, y, cv=few)
    fresh = [copy.deepcopy(losses) for _ in range(rounds)]  # none was looked at yet
    yield (
        "a comparison of two, from their losses",
        *least([lambda: ct.Comparison(fresh.pop())], rounds),
        "<= 1",
    )


def least(functions, rounds):
    """Return the fewest milliseconds of CPU that each function takes, run in turn."""
    taken = []
    for _ in range(rounds):
        times = [time.process_time()]
        for function in functions:
            function()
            times.append(time.process_time())
        taken.append(np.diff(times))
    return (1000 * np.min(taken, axis=0)).tolist()


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
        ">= 1.85",
    )
    for text, data in {"of 1 ms": tiny, "of >= 50 ms": slow}.items():
        yield (
            f"compare_estimators / joblib's loop, n_jobs=2, fits {text}",
            lambda data=data: compare(*data, n_jobs=2),
            lambda data=data: loop_in_workers(*data),
            "",
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


def same_f(estimators, X, y, cv):
    """Check that both give the same statistics and p-values."""
    ours = compare(estimators, X, y, cv=cv, test=ct.FiveByTwoFTest()).tests.values()
    ours = [(test.statistic_, test.pvalue_) for test in ours]
    if not np.allclose(ours, mlxtend_f_tests(estimators, X, y), rtol=1e-9):
        raise SystemExit("the statistics differ from mlxtend's")


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
    same_f(mixed, X, y, splits)
    yield (
        "mlxtend / compare_estimators, 5 estimators, 10 pairs, 5x2 F",
        lambda: mlxtend_f_tests(mixed, X, y),
        lambda: compare(mixed, X, y, cv=splits),
        ">= 5",
    )
    X, y = make_classification(1200, 15, random_state=0)
    slow = slow_estimators(5)
    splits = splits_of_mlxtend(len(y))
    same_f(slow, X, y, splits)
    compare(slow, X, y, cv=splits, n_jobs=2)  # starts the workers
    yield (
        "the same, fits of >= 50 ms, n_jobs=2",
        lambda: mlxtend_f_tests(slow, X, y),
        lambda: compare(slow, X, y, cv=splits, n_jobs=2),
        ">= 7",
    )


def statistics_alone():
    """All tests of 10^6 residuals, on residuals made anew."""
    e = np.random.default_rng(0).integers(-1, 2, size=10**6).astype(float)
    blocks = e.reshape(10, -1)
    halved = ct.cross_val_losses(
        [DummyClassifier(), DummyClassifier(strategy="stratified", random_state=0)],
        np.zeros((125_000, 1)),
        np.arange(125_000) % 2,
        cv=ct.PairedHalves(ct.BlockKFold(2, random_state=0), 7, random_state=0),
    ).residuals(0, 1)
    of_designs = [
        (
            ct.CVResiduals.from_array(blocks),
            [
                ct.KFoldTTest(), ct.KFoldZTest(),
                ct.CorrectedResampledTTest(), ct.CorrectedRepeatedKFoldTTest(),
                ct.BayesianCorrelatedTTest(), ct.EquivalenceTest(ct.KFoldTTest(), 0.1),
            ],
        ),
        (
            ct.CVResiduals.from_array(blocks, design="subsample", n_train=900_000),
            [ct.ResampledTTest(), ct.CorrectedResampledTTest()],
        ),
        (
            ct.CVResiduals.from_array(blocks, design="5x2"),
            [ct.FiveByTwoTTest(), ct.FiveByTwoFTest()],
        ),
        (
            ct.CVResiduals.from_array([e], design="holdout"),
            [ct.HoldoutTTest(), ct.McNemarTest("chi2")],
        ),
        (
            halved,
            [ct.HalfSampleTTest(), ct.ConservativeZTest()],
        ),
    ]  # fmt: skip
    for residuals, tests in of_designs:
        yield (
            f"{len(tests)} tests of {residuals.design} / np.var",
            lambda residuals=residuals, tests=tests: fit_anew(tests, residuals),
            lambda residuals=residuals: np.var(residuals.values),
            "",
        )


def imports():
    """The whole package, in a new process."""
    yield (
        "import sklearn_cvtest / import sklearn.model_selection",
        lambda: run_in_new_process("import sklearn_cvtest"),
        lambda: run_in_new_process("import sklearn.model_selection"),
        "",
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
    for name, options, asked in [
        ("of a test set", {}, "<= 10"),
        ("of 10 folds", {"splits": np.arange(len(y)) % 10}, ""),
    ]:
        yield (
            f"compare_predictions / a paired t test in numpy, 10^6 rows {name}",
            lambda options=options: ct.compare_predictions(y, given, **options),
            lambda: plain_paired_t(y, given),
            asked,
        )


def mcnemar_predictions():
    """McNemar's test of two models of which 10^5 predictions are there."""
    from mlxtend.evaluate import mcnemar, mcnemar_table

    rng = np.random.default_rng(0)
    y = rng.integers(2, size=10**5)
    given = {name: np.where(rng.random(len(y)) < 0.1, 1 - y, y) for name in "ab"}
    yield (
        "compare_predictions with McNemarTest / mlxtend, 10^5 rows",
        lambda: ct.compare_predictions(y, given, test=ct.McNemarTest()),
        lambda: mcnemar(mcnemar_table(y, *given.values())),
        "<= 5",
    )


def wilcoxon_of_pairs(table):
    """Return scipy's p-values of all pairs of models over data sets, one by one."""
    columns = [np.array(column) for name, column in table.items() if name != "dataset"]
    return [
        scipy.stats.wilcoxon(first - second).pvalue
        for first, second in itertools.combinations(columns, 2)
    ]


def over_datasets():
    """All pairs of many models over 50 data sets, printed."""
    for n_models in (30, 100):
        table = benchmark(n_models, 50)
        yield (
            f"compare_over_datasets / scipy.stats.wilcoxon, {n_models} models, 50 sets",
            lambda table=table: compare_benchmark(table),
            lambda table=table: wilcoxon_of_pairs(table),
            "<= 1",
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
            "<= 3",
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


def falling_results(n, noise):
    """Return `cv_results_` of `n` candidates of 10 splits, whose means fall slowly."""
    rng = np.random.default_rng(0)
    scores = 0.9 - 0.1 * np.arange(n)[:, np.newaxis] / n + 0.02 * rng.normal(size=10)
    scores = scores + noise * rng.normal(size=(n, 10))
    results = {f"split{j}_test_score": column for j, column in enumerate(scores.T)}
    return results | {"params": [{"C": c} for c in range(n)]}


def close_candidates(n, noise):
    """Return what compares `n` candidates with close scores, and prints that."""
    results = falling_results(n, noise)
    return lambda: str(ct.compare_candidates(results, cv=10))


def frame_of_best_set(n, noise):
    """Return what compares such candidates, and makes the frame of the best set."""
    results = falling_results(n, noise)
    return lambda: ct.compare_candidates(results, cv=10).best_set().to_frame()


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
    "1,500 candidates x 40 splits": (candidates, (1500,), "<= 1.5"),
    "10,000 candidates x 40 splits": (candidates, (10000,), "<= 2"),
    "10,000 candidates x 10 splits, means fall": (
        close_candidates,
        (10000, 0.001),
        "<= 3",
    ),
    "10,000 candidates x 10 splits, equal but for their means": (
        close_candidates,
        (10000, 0.0),
        "<= 3",
    ),
    "10,000 candidates x 10 splits, frame of the best set": (
        frame_of_best_set,
        (10000, 0.03),
        "<= 5",
    ),
    "180 models x 5,000 predictions, all pairs": (leaderboard, (180, 5000), "<= 5"),
    "300 models x 1,000 predictions, all pairs": (leaderboard, (300, 1000), "<= 0.5"),
    "200 models x 10,000 predictions, all pairs": (leaderboard, (200, 10000), "<= 2"),
    "1,000 models x 400 predictions, all pairs": (leaderboard, (1000, 400), "<= 3"),
    "100 models over 50 data sets, all pairs": (models_over_sets, (100, 50), "<= 2"),
    "2 models x 1,000,000 predictions": (leaderboard, (2, 10**6), ""),
}


def many(name, rounds):
    """Return seconds of CPU of comparing many models, peak MB, and of one product."""
    warnings.simplefilter("ignore")
    maker, arguments, _ = MANY[name]
    run, taken = maker(*arguments), []
    for _ in range(rounds):
        start = time.process_time()
        run()
        taken.append(time.process_time() - start)
    peak, product = peak_memory(), ""
    if maker is leaderboard:
        errors = errors_of_models(*arguments)[1].astype(np.float64)
        product = f"{least([lambda: errors @ errors.T], rounds)[0] / 1000:.3f}"
    return statistics.median(taken), peak, product


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
    for name, (_, _, asked) in MANY.items():
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            taken, peak, product = pool.apply(many, (name, min(rounds, 5)))
        yield name, f"{taken:.2f}", asked, f"{peak:.0f}", product


# Of each backend of joblib: the fits, and the context in which these run.
BACKENDS = ("loky", "dask", "ray")
N_FITS = {"loky": 10**5, "dask": 10**5, "ray": 10**4}


def tiny_fits(n):
    """Return what makes n fits of ridge regression to 180 rows, and takes options."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5))
    y = X[:, 0] + rng.normal(size=200)
    models = {f"ridge {i}": Ridge(0.1 * (i + 1)) for i in range(10)}
    cv = ct.BlockKFold(10, n_repeats=n // 100, random_state=0)
    return lambda **options: ct.cross_val_losses(models, X, y, cv=cv, **options)


@contextlib.contextmanager
def workers(backend):
    """Start two workers of a backend, and make it joblib's."""
    if backend == "dask":
        from distributed import Client, LocalCluster

        options = {"threads_per_worker": 1, "dashboard_address": None}
        with (
            LocalCluster(n_workers=2, **options) as cluster,
            Client(cluster),
            joblib.parallel_config("dask"),
        ):
            yield
        return
    if backend == "ray":
        import ray
        from ray.util.joblib import register_ray

        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        register_ray()
    with joblib.parallel_config(backend):
        yield


def backends(rounds, *, quick=False):
    """Yield what a fit costs in two workers of each backend, and in one process.

    In milliseconds of CPU, of all processes. Two workers pay where a fit takes longer
    than what they add.
    """
    for backend in BACKENDS:
        n = 1000 if quick else N_FITS[backend]
        run, few = tiny_fits(n), tiny_fits(200)
        try:
            with workers(backend):
                few(n_jobs=2)  # starts them
                taken = cpu_seconds(lambda run=run: run(n_jobs=2))
        except ImportError:
            print(f"{backend} is not installed")
            continue
        alone = cpu_seconds(run)
        costs = taken, alone, taken - alone
        yield backend, f"{n:,}", *(f"{1000 * cost / n:.2f}" for cost in costs)


def cpu_seconds(function):
    """Return the CPU seconds of a call, in this process and in those it has started.

    What a process that ends meanwhile took is not counted.
    """
    import psutil

    this = psutil.Process()
    processes = [this, *this.children(recursive=True)]
    for process in psutil.process_iter(["name"]):  # Ray's are nobody's children
        if process.info["name"].startswith("ray"):
            processes.append(process)
    before = {}
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            before[process] = sum(process.cpu_times()[:2])
    function()
    seconds = 0.0
    for process, start in before.items():
        with contextlib.suppress(psutil.NoSuchProcess):
            seconds += sum(process.cpu_times()[:2]) - start
    return seconds


def fit_anew(tests, residuals):
    """Fit tests on residuals of which nothing is known from earlier tests."""
    residuals = replace(residuals)
    for test in tests:
        clone(test).fit(residuals)


def run_in_new_process(statement):
    subprocess.run([sys.executable, "-c", statement], check=True)


def machine():
    """Return what this was measured on."""
    model = platform.processor()
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text(encoding="utf-8").splitlines()
        model = next((x for x in lines if x.startswith("model name")), model)
    modules = ct, sklearn, np, scipy, joblib
    versions = (f"{module.__name__} {module.__version__}" for module in modules)
    return ", ".join(
        [
            f"{os.cpu_count()} x {model.rpartition(':')[2].strip()}",
            f"Python {platform.python_version()}",
            *versions,
        ]
    )


def seconds(function, clock=time.perf_counter):
    start = clock()
    function()
    return clock() - start


GROUPS = (
    overhead,
    parallel,
    against_mlxtend,
    predictions_alone,
    mcnemar_predictions,
    over_datasets,
    the_command,
    statistics_alone,
    imports,
)


# What starts other processes, whose CPU time is not known here.
OF_PROCESSES = parallel, against_mlxtend, the_command, imports


def ratios(rounds, groups):
    """Yield a row of each pair of things to time in turn."""
    for group in groups:
        clock = time.process_time
        if group in OF_PROCESSES:
            clock = time.perf_counter
        for name, one, other, asked in group():
            is_slow = seconds(one) + seconds(other) > 5
            n_rounds = min(rounds, 5) if is_slow else rounds
            pairs = [
                (seconds(one, clock), seconds(other, clock)) for _ in range(n_rounds)
            ]
            ratio = statistics.median(a / b for a, b in pairs)
            both = (statistics.median(times) for times in zip(*pairs, strict=True))
            shown = " / ".join(f"{time:.3g}" for time in both)
            yield name, f"{ratio:.3g}", asked, shown


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--quick", action="store_true", help="3 rounds, smaller sizes")
    parser.add_argument("--only", default="", help="groups with this in their name")
    parser.add_argument("--write", action="store_true", help="write docs/data/speed_*")
    arguments = parser.parse_args()
    rounds = 3 if arguments.quick else arguments.rounds
    groups = [group for group in GROUPS if arguments.only in group.__name__]
    tables = {}
    if groups:
        tables["ratios"] = ["ratio of", "median", "asked", "seconds"], groups
    if arguments.only in own_costs.__name__:
        tables["costs"] = ["milliseconds of", "least", "asked"], own_costs
    if arguments.only in many_models.__name__:
        header = ["compared and printed", "s", "asked", "peak MB", "one product, s"]
        tables["many"] = header, many_models
    if arguments.only in growth.__name__:
        header = ["grows", "largest", "exponent", "asked", "s", "peak / losses"]
        tables["growth"] = header, partial(growth, quick=arguments.quick)
    if arguments.only in backends.__name__:
        header = ["backend", "fits", "CPU ms a fit, two workers", "one process", "more"]
        tables["backends"] = header, partial(backends, quick=arguments.quick)
    print(machine())
    for name, (header, source) in tables.items():
        rows = source(rounds) if callable(source) else ratios(rounds, source)
        print(f"\n{name}: {' | '.join(header)}")
        kept = []
        for row in rows:
            kept.append([f"{x:.3f}" if isinstance(x, float) else x for x in row])
            print(" | ".join(kept[-1]), flush=True)
        if arguments.write and kept:
            write(name, [header, *kept])


def write(name, rows):
    """Write a table for the documentation."""
    with open(DATA / f"speed_{name}.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
