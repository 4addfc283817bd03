"""What the best of 25 real candidates is worth: bias, coverage and width.

Nearest neighbours, trees, ridge and support vectors are fitted to the ten folds of
samples of 400 examples of four populations. What a candidate is really worth is its
mean loss (zero-one; absolute error of diamonds) on 1,500 further examples, over the
first fits of all samples. Bias and deviation are in standard errors of a mean loss (its
deviation from the truth over samples), signed as for a score, less the mean error of
all candidates, as in winner.py; width is that of the interval over that of the naive
one. "chosen" counts how many candidates were the best of a sample.

Run: python benchmarks/winner_real.py --data DIR --out OUT [--samples 60] [--population]
Table: python benchmarks/winner_real.py --out OUT --csv docs/data/winner_real.csv
"""

import warnings

import numpy as np
from harness import UNCHECKED, as_text, run_parser, write_rows
from racing import read
from sklearn import config_context
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sklearn_cvtest._data._cvlosses import CVLosses
from sklearn_cvtest._pairs._winner import winner
from sklearn_cvtest._splits._layout import resolve_layout

POPULATIONS = "magic", "penbased", "diamonds", "page-blocks"
N, N_TRUTH, K = 400, 1500, 10
HEADER = ["population", "values", "k", "method", "samples", "chosen", "bias"]
HEADER += ["deviation", "coverage", "width"]


def candidates(is_regression):
    near, tree, ridge, vectors = (
        (KNeighborsRegressor, DecisionTreeRegressor, Ridge, SVR)
        if is_regression
        else (KNeighborsClassifier, DecisionTreeClassifier, RidgeClassifier, SVC)
    )
    scale = 1000 if is_regression else 1  # of C: prices are in the thousands
    found = [near(k) for k in (1, 3, 5, 9, 15, 25)]
    found += [near(k, weights="distance") for k in (5, 9, 15)]
    for depth in (3, 5, 8, None):
        for leaf in (1, 5):
            found.append(tree(max_depth=depth, min_samples_leaf=leaf, random_state=0))
    found += [ridge(alpha=alpha) for alpha in (0.1, 10, 100, 1000)]
    return found + [vectors(C=scale * C) for C in (0.1, 1, 10, 100)]


def fit_all(models, loss_of, here, there, seed):
    """Return losses of all examples, in the order of folds, and mean losses there."""
    X, y = here
    losses, truth = [], None
    for train, test in KFold(K, shuffle=True, random_state=seed).split(X):
        scaler = StandardScaler().fit(X[train])
        seen, unseen = scaler.transform(X[train]), scaler.transform(X[test])
        fitted = [model.fit(seen, y[train]) for model in models]
        losses.append([loss_of(y[test], model.predict(unseen)) for model in fitted])
        if truth is None:
            further = scaler.transform(there[0])
            found = [loss_of(there[1], model.predict(further)) for model in fitted]
            truth = np.mean(found, axis=1)
    return np.concatenate(losses, axis=1), truth


def simulate(population, options):
    X, y = read(options.data, population)
    is_regression = population == "diamonds"
    loss_of = (lambda y, p: np.abs(y - p)) if is_regression else np.not_equal
    models, found = candidates(is_regression), []
    for sample in range(options.samples):
        rng = np.random.default_rng([options.seed, sample])
        rows = rng.permutation(len(y))[: N + N_TRUTH]
        here, there = ((X[i], y[i]) for i in (rows[:N], rows[N:]))
        found.append(fit_all(models, loss_of, here, there, sample))
        if sample % 10 == 9:  # what there is, if it is ended
            losses, truths = map(np.array, zip(*found, strict=True))
            options.out.mkdir(exist_ok=True)
            np.savez(
                options.out / population, losses=losses.astype(float), truth=truths
            )
            print(population, sample + 1, flush=True)


def answers(losses, of_examples, is_regression):
    """Return the chosen and {way: (estimate, low, high) of its loss}."""
    layout = resolve_layout("k-fold", K, n_train=N - N // K, n_test=N // K)
    rows, options = np.arange(N), {}
    if of_examples:
        options = {"row_index": rows, "row_split": rows * K // N}
    else:
        losses = losses.reshape(len(losses), K, -1).mean(axis=2)
    options |= {"loss_name": "loss", "value_range": (0, np.inf if is_regression else 1)}
    names = map(str, range(len(losses)))
    found = winner(CVLosses.of_blocks(names, losses.T, layout, **options))
    return found.position, {
        "naive": (found.mean, found.mean_low, found.mean_high),
        "winner_interval": (found.estimate, found.low, found.high),
    }


def measured(population, out):
    """Yield a row of the table for each way."""
    file = np.load(out / f"{population}.npz")
    means, true = file["losses"].mean(axis=2), file["truth"].mean(axis=0)
    error = np.sqrt(np.mean(np.var(means, axis=0, ddof=1)))
    for of_examples in (False, True):
        results, chosen = {}, set()
        for losses, common in zip(file["losses"], (means - true).mean(1), strict=True):
            best, found = answers(losses, of_examples, population == "diamonds")
            chosen.add(best)
            naive = found["naive"][2] - found["naive"][1]
            for way, (estimate, low, high) in found.items():
                row = (
                    -(estimate - true[best] - common) / error,
                    low <= true[best] <= high,
                )
                results.setdefault(way, []).append((*row, (high - low) / naive))
        values = "examples" if of_examples else "splits"
        for way, rows in results.items():
            bias, covered, width = np.array(rows, dtype=float).T
            row = [population, values, len(true), way, len(rows), len(chosen)]
            yield [*row, bias.mean(), bias.std(), covered.mean(), width.mean()]


def main():
    parser = run_parser(__doc__, [N])
    parser.set_defaults(samples=60)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    with config_context(**UNCHECKED):
        if options.csv:
            there = [
                name for name in POPULATIONS if (options.out / f"{name}.npz").exists()
            ]
            rows = [
                as_text(row) for name in there for row in measured(name, options.out)
            ]
            write_rows(options.csv, HEADER, rows)
        else:
            for population in options.population or POPULATIONS:
                simulate(population, options)


if __name__ == "__main__":
    main()
