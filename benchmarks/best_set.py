"""Size, power and intervals of best_set(): which of k models may be the best.

`law`: normal means with known standard errors, by a step-down that is written anew
here. `fits`: two runs of 5-fold of k linear classifiers, 200 rows, each of which sees
three features of its own: equally good by symmetry, or the first has a stronger signal.

Behind: how far models are behind the best, in standard errors of the difference.
left_out: how often any of the best is left out. power: how often a worse one is.
coverage, at_once: how often an interval, or all of a table, hold the difference from
the model named as the best.

    python benchmarks/best_set.py    # some minutes; writes docs/data/best_set.csv
"""

import numpy as np
from harness import Table, command
from sklearn.base import BaseEstimator, ClassifierMixin

from sklearn_cvtest import compare_estimators

ALPHA = 0.05
N = 200
SIGNALS = {3: 2.0, 5: 2.15, 8: 2.5}  # of the first classifier, by their number
RATES = "left_out", "power", "coverage", "at_once"
LAW = 30  # samples of the law for one of fits


def situations(k):
    """Return how far models are behind, in standard errors, by name."""
    ladder = np.arange(k, dtype=float)
    by_name = {"0": 0 * ladder, "3": np.where(ladder > 0, 3.0, 0.0), "ladder": ladder}
    for behind in (0.5, 1.0, 2.0):
        by_name[f"{behind:g}"] = np.where(ladder > 0, behind, 0.0)
        by_name[f"two best {behind:g}"] = np.where(ladder > 1, behind, 0.0)
    return by_name


def rates(samples, is_best, truth):
    """Return the rates of samples: best, left, lows, highs."""
    best, left, lows, highs = map(np.array, zip(*samples, strict=True))
    behind = truth - truth[best][:, np.newaxis]
    holds = (lows <= behind) & (behind <= highs)
    holds[np.arange(len(best)), best] = True  # which has no interval
    coverage = 1 - np.sum(~holds) / (len(best) * (len(truth) - 1))
    power = np.nan if is_best.all() else left[:, ~is_best].mean()
    left_out = left[:, is_best].any(axis=1).mean()
    return left_out, power, coverage, holds.all(axis=1).mean()


def of_law(rng, behind, deviations, n_samples):
    """Return the rates of a step-down over normal means."""
    k = len(behind)
    errors = np.sqrt(deviations[:, np.newaxis] ** 2 + deviations**2)
    truth = behind * errors[0]
    first, second = np.triu_indices(k, k=1)
    draws = rng.standard_normal((20000, k)) * deviations
    statistics = np.abs(draws[:, first] - draws[:, second]) / errors[first, second]
    critical = {}
    samples = []
    for means in truth + rng.standard_normal((n_samples, k)) * deviations:
        best = int(means.argmin())
        differences = means - means[best]
        widths = np.zeros(k)
        is_left = np.zeros(k, dtype=bool)
        leaving = np.argsort(-differences / errors[best])
        for step, model in enumerate(leaving[:-1]):
            rest = tuple(sorted(leaving[step:]))
            if rest not in critical:
                is_in = np.isin(first, rest) & np.isin(second, rest)
                largest = statistics[:, is_in].max(axis=1)
                critical[rest] = np.quantile(largest, 1 - ALPHA)
            widths[leaving[step:]] = critical[rest]
            is_left[model] = differences[model] > critical[rest] * errors[best, model]
            if not is_left[model]:
                break
        margins = widths * errors[best]
        samples.append((best, is_left, differences - margins, differences + margins))
    return rates(samples, behind == 0, truth)


def sample_of(result):
    """Return what the best set says of models that are named by numbers."""
    frame = result.best_set().to_frame()
    numbers = frame.iloc[:, 0].astype(int).to_numpy()
    frame = frame.iloc[np.argsort(numbers)]
    ends = frame["ci_low"].to_numpy(), frame["ci_high"].to_numpy()
    return numbers[0], ~frame["may_be_best"].to_numpy(), *ends


class Linear(ClassifierMixin, BaseEstimator):
    """Least squares on three features."""

    def __init__(self, number=0):
        self.number = number

    def _features(self, X):
        return X[:, 3 * self.number : 3 * self.number + 3]

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        self.coef_ = np.linalg.lstsq(self._features(X), 2 * y - 1, rcond=None)[0]
        return self

    def predict(self, X):
        return (self._features(X) @ self.coef_ > 0).astype(int)


def of_fits(rng, k, signal, n_samples):
    """Return the rates by two runs of 5-fold."""
    models = {str(number): Linear(number) for number in range(k)}
    signals = np.where(np.arange(3 * k) < 3, signal, 1.0)
    samples = []
    means = []
    for _ in range(n_samples):
        X = rng.standard_normal((N, 3 * k))
        y = (X @ signals + rng.standard_normal(N) > 0).astype(int)
        result = compare_estimators(models, X, y)
        samples.append(sample_of(result))
        means.append(result.losses.mean_losses)
    truth = np.mean(means, axis=0)  # a mean over splits is unbiased
    is_best = np.arange(k) < (k if signal == 1 else 1)
    return rates(samples, is_best, truth)


def rows(n_fits):
    """Yield the rows of the table; of the law, there are more samples."""
    rng = np.random.default_rng(0)
    n_law = LAW * n_fits
    for k, signal in SIGNALS.items():
        for variances, largest in (("equal", 1.0), ("unequal", 3.0)):
            deviations = np.linspace(1.0, largest, k)
            for name, behind in situations(k).items():
                found = of_law(rng, behind, deviations, n_law)
                row = {"source": "law", "k": k, "variances": variances, "behind": name}
                yield row | {"samples": n_law} | dict(zip(RATES, found, strict=True))
        for signal_of_first in (1.0, signal):
            found = of_fits(rng, k, signal_of_first, n_fits)
            row = {"source": "fits", "k": k, "variances": "equal"}
            row["behind"] = "0" if signal_of_first == 1 else "about 3"
            yield row | {"samples": n_fits} | dict(zip(RATES, found, strict=True))


KEYS = "source", "k", "variances", "behind"
TABLES = [Table("best_set", rows, KEYS, dict.fromkeys(RATES), 600, 40)]


if __name__ == "__main__":
    command(__doc__, *TABLES)
