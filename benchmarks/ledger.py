"""The two tiers of the ledger, on proposers that use all that they are shown.

Simulated losses of 200 rows in 10 folds; series of 100 proposals, all series of a case
at once. A model is a vector of losses: its mean, a deviation for each row, and what its
training sets make of it, so that all folds have the share RHO of the variance of a mean
difference in common. A gain of d s.e. is d standard deviations of the mean difference
over all rows. `python benchmarks/ledger.py` writes docs/data/ledger.csv in two
minutes, a part of it with true fits; tests/ledger/test_ledger_rule.py holds what the
guide quotes.
"""

import csv
import os
import tempfile
from pathlib import Path

import numpy as np
from harness import DATA, parser_of
from scipy.special import ndtr, ndtri, stdtrit

from sklearn_cvtest import KFoldZTest
from sklearn_cvtest._data._residuals import CVResiduals
from sklearn_cvtest._ledger._log import GAIN, is_due, level_of, n_shown_of, standing
from sklearn_cvtest._splits._design import design_of_folds

N_ROWS, N_FOLDS, N_PROPOSALS, N_SERIES = 200, 10, 100, 500
ALPHA, RHO, N_FIRST = 0.05, 0.3, 60
FOLD = np.repeat(np.arange(N_FOLDS), N_ROWS // N_FOLDS)
N_SHOWN = n_shown_of(N_FOLDS)
SHOWN = FOLD <= N_SHOWN - 1
SE = np.sqrt(2 / N_ROWS / (1 - RHO))  # of the difference of two models


def models(rng, shape, rho=RHO):
    """Return deviations of losses with the mean 0, of shape (*shape, rows)."""
    common = np.sqrt(rho / (1 - rho) / N_ROWS) * rng.normal(size=(*shape, 1))
    return rng.normal(size=(*shape, N_ROWS)) + common


def pvalues(gains, n_folds=N_FOLDS - N_SHOWN):
    """Return one-sided p-values of the test on sealed rows, a row for each series."""
    found = np.ones(len(gains))
    live = np.flatnonzero(np.ptp(gains, axis=1) > 0)
    if len(live):
        n = gains.shape[1]
        residuals = CVResiduals(
            values=gains[live],
            row_split=np.repeat(np.arange(n_folds), n // n_folds),
            n_train=np.full(n_folds, N_ROWS - N_ROWS // N_FOLDS),
            n_test=np.full(n_folds, n // n_folds),
            n_samples=n,
            design=design_of_folds(n_folds),
            names=[("champion", "proposal")] * len(live),
        )
        test = KFoldZTest(alternative="greater")
        found[live] = test.evaluate(residuals).pvalue
    return found


class TwoTiers:
    """The rule of the ledger."""

    is_recycled = True

    def __init__(self, n_series):
        self.budget = np.full(n_series, ALPHA)
        self.n_failed = np.zeros(n_series)
        self.last = np.full(n_series, -np.inf)

    def decide(self, working, confirmed, proposal):
        """Return which become the working champion, and which are confirmed."""
        moves = standing((working - proposal)[:, SHOWN]) >= GAIN
        ahead = standing((confirmed - proposal)[:, SHOWN])
        is_tested = moves & is_due(ahead, self.last)
        level, p = level_of(self.n_failed, self.budget), np.ones(len(ahead))
        p[is_tested] = pvalues((confirmed - proposal)[is_tested][:, ~SHOWN])
        passes = is_tested & (p <= level)
        fails = is_tested & ~passes
        self.last = np.where(passes, -np.inf, np.where(fails, ahead, self.last))
        self.n_failed += fails
        if self.is_recycled:
            self.budget = np.where(passes, level, self.budget)
            self.n_failed[passes] = 0
        return moves, passes


class Unspent(TwoTiers):
    """The same, but that a confirmation costs nothing."""

    is_recycled = False


class OneTier(TwoTiers):
    """One champion: a look at a fifth of the folds, then a test of the others."""

    def decide(self, working, confirmed, proposal):
        gains = confirmed - proposal
        is_tested = standing(gains[:, FOLD < 2]) >= GAIN
        p = np.ones(len(gains))
        p[is_tested] = pvalues(gains[is_tested][:, FOLD >= 2], n_folds=8)
        passes = is_tested & (p <= level_of(self.n_failed, ALPHA))
        self.n_failed += is_tested & ~passes
        return passes, passes


class Better(TwoTiers):
    """Keep what is better on all rows."""

    def decide(self, working, confirmed, proposal):
        passes = (confirmed - proposal).mean(axis=1) > 0
        return passes, passes


RULES = {
    "ledger": TwoTiers,
    "confirmations cost nothing": Unspent,
    "one tier": OneTier,
    "keep if better": Better,
}


class Proposer:
    """Other models that are exactly as good as the first."""

    rho = RHO

    def __init__(self, rng, first):
        self.rng, self.first, self.n_series = rng, first, len(first)

    def propose(self, working, confirmed, number):
        """Return deviations of losses, and true gains over the first; both (n, ...)."""
        new = models(self.rng, (self.n_series,), self.rho)
        return new, np.zeros(self.n_series)

    def see(self, shown, moves, passes):
        """Take note of what is shown: mean gains over the first, and decisions."""


class Greedy(Proposer):
    """Changes half of what was shown as best."""

    def propose(self, working, confirmed, number):
        new = models(self.rng, (self.n_series,), self.rho)
        return (working[0] + new) / np.sqrt(2), np.zeros(self.n_series)


class Adversary(Proposer):
    """Adds random functions to the first, then all of them by their shown scores."""

    rho = 0.0

    def __init__(self, rng, first):
        super().__init__(rng, first)
        self.functions, self.scores = [], []

    def propose(self, working, confirmed, number):
        self.change = self.rng.normal(size=(self.n_series, N_ROWS))
        if number >= N_FIRST:
            weights = np.stack(self.scores, axis=1)
            weights = weights * self.rng.integers(0, 2, weights.shape)
            self.change = self.combined(weights)
        return self.first + self.change, np.zeros(self.n_series)

    def combined(self, weights):
        change = np.einsum("sk,skn->sn", weights, np.stack(self.functions, axis=1))
        return change / np.maximum(np.linalg.norm(weights, axis=1), 1e-9)[:, None]

    def see(self, shown, moves, passes):
        if len(self.functions) < N_FIRST:
            self.functions.append(self.change)
            self.scores.append(shown)


class Smuggler(Adversary):
    """Hides a random function in a true gain, to learn from whether it is confirmed.

    It knows how to look good on the shown rows, and asks for such gains that a share of
    them is confirmed; then it adds all functions by what became of them, at no gain.
    """

    share, n_first = 0.5, N_FIRST

    def __init__(self, rng, first):
        super().__init__(rng, first)
        self.step = np.full(self.n_series, 0.3)  # in deviations of a row

    def propose(self, working, confirmed, number):
        (losses, mean), shape = confirmed, (self.n_series, N_ROWS)
        noise = self.rng.normal(size=shape)
        if number < self.n_first:
            self.change = np.where(SHOWN, 0.001 * noise - 0.01, noise)
            return losses + self.change, mean + self.step
        weights = np.stack(self.scores, axis=1)
        if number > self.n_first:
            weights = weights * (self.rng.random(weights.shape) < 0.8)
        change = self.combined(weights)
        good = 0.01 * noise - 0.05 * (number - self.n_first + 1)
        return losses + np.where(SHOWN, good, change), mean.copy()

    def see(self, shown, moves, passes):
        if len(self.functions) < self.n_first:
            self.functions.append(self.change)
            self.scores.append(np.where(passes, 1 - self.share, -self.share))
            change = np.where(passes, self.share - 1, self.share)
            self.step = self.step * np.exp(0.2 * change)


class Home(Proposer):
    """Holds the data, and proposes the best of `n_tried` equal models on all rows."""

    n_tried = 5

    def propose(self, working, confirmed, number):
        new, gains = super().propose(working, confirmed, number)
        for _ in range(self.n_tried - 1):
            other, _ = super().propose(working, confirmed, number)
            is_better = other.mean(axis=1) < new.mean(axis=1)
            new[is_better] = other[is_better]
        return new, gains


class HomeChanges(Home):
    """The same with changes of the working champion, which add up."""

    def propose(self, working, confirmed, number):
        new, gains = super().propose(working, confirmed, number)
        return working[0] + np.sqrt(2) * new, gains


class Changes(Proposer):
    """Changes of the working champion; one in ten is better by `gain` s.e."""

    gain = 2.0

    def propose(self, working, confirmed, number):
        (losses, mean), new = working, np.sqrt(2) * models(self.rng, (self.n_series,))
        gains = self.gain * SE * (self.rng.random(self.n_series) < 0.1)
        return losses + new, mean + gains


class Whole(Changes):
    """New models; one in ten is better than the working champion by `gain` s.e."""

    def propose(self, working, confirmed, number):
        _, gains = super().propose(working, confirmed, number)
        return models(self.rng, (self.n_series,)), gains


def with_options(base, **options):
    return type(base.__name__, (base,), options)


EQUAL = {
    "equal models": Proposer,
    "greedy": Greedy,
    "adversary": Adversary,
    "adversary with true gains, half confirmed": Smuggler,
    "adversary with true gains, most confirmed": with_options(Smuggler, share=0.85),
}
AT_HOME = {
    f"the best of {n} {word} at home": with_options(base, n_tried=n)
    for word, base in (("models", Home), ("changes", HomeChanges))
    for n in (5, 50, 500)
}
GAINS = {
    f"{word} of {d} s.e.": with_options(base, gain=float(d))
    for word, base in (("changes", Changes), ("new models", Whole))
    for d in (2, 3, 4, 5, 6)
}


def run(rule, proposer, n_series=N_SERIES, n_proposals=N_PROPOSALS, seed=0):
    """Return what became of series of proposals, a dict."""
    rng = np.random.default_rng(seed)
    first = models(rng, (n_series,), proposer.rho)
    working = confirmed = first.copy(), np.zeros(n_series)
    rule, proposer = rule(n_series), proposer(rng, first)
    n_false, n_confirmed = np.zeros((2, n_series))
    for number in range(n_proposals):
        new = proposer.propose(working, confirmed, number)
        losses = [x - mean[:, None] for x, mean in (working, confirmed, new)]
        moves, passes = rule.decide(*losses)
        proposer.see((first - losses[2])[:, SHOWN].mean(axis=1), moves, passes)
        n_false += passes & (new[1] <= confirmed[1])
        n_confirmed += passes
        working, confirmed = (
            tuple(
                np.where(is_new[:, None] if a.ndim > 1 else is_new, a, b)
                for a, b in zip(new, old, strict=True)
            )
            for old, is_new in ((working, moves), (confirmed, passes))
        )
    return {
        "false": np.mean(n_false > 0),
        "n_confirmed": np.mean(n_confirmed),
        "gain": np.mean(confirmed[1]) / SE,
        "gain_working": np.mean(working[1]) / SE,
    }


def sizes(rho, n_tests=400):
    """Return the sum of the sizes of one-sided tests, if all tests fail.

    Of the default test, a z test at its ρ, for losses of many rows with the true share
    `rho`.
    """
    levels = level_of(np.arange(n_tests), ALPHA)
    scale = np.sqrt((1 - rho) / (1 - KFoldZTest().rho))
    return ndtr(ndtri(levels) * scale).sum()


def coverage(adapts, n_series=5000, n_rows=100, budget=5, seed=0):
    """Return how often all intervals of the looks at a reserve hold, a float.

    If it adapts, the last model combines the others by what was seen of them.
    """
    rng = np.random.default_rng(seed)
    losses = rng.normal(size=(n_series, budget, n_rows))
    if adapts:
        weights = -losses[:, :-1].mean(axis=2)
        last = np.einsum("sk,skn->sn", weights, losses[:, :-1])
        losses[:, -1] = last / np.linalg.norm(weights, axis=1, keepdims=True)
    mean, deviation = losses.mean(axis=2), losses.std(axis=2, ddof=1)
    critical = stdtrit(n_rows - 1, 1 - ALPHA / budget / 2)
    return np.mean(np.all(np.abs(mean) <= critical * deviation / n_rows**0.5, axis=1))


def fitted(kind, n_series=40, n_proposals=12, seed=0):
    """Return the share of series with a false confirmation, with true fits.

    Proposals are ridge regressions, or logistic ones, of a random half of 40 features
    that are all pure noise, so that all are as good; `kind` is "groups" (three rows
    each), "scores" (accuracy of each split) or "losses".
    """
    from sklearn.compose import ColumnTransformer
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.pipeline import make_pipeline

    from sklearn_cvtest import Ledger

    rng = np.random.default_rng(seed)
    n_false = 0
    for _ in range(n_series):
        X, y, groups = rng.normal(size=(180, 40)), rng.normal(size=180), None
        if kind == "groups":
            groups = np.arange(180) // 3
            X, y = np.repeat(X[::3], 3, axis=0), np.repeat(y[::3], 3)
        y, model = (y > 0, LogisticRegression()) if kind == "scores" else (y, Ridge())
        scoring = _accuracy if kind == "scores" else None
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.ledger")
            ledger = Ledger(path, X, y, groups=groups, scoring=scoring, cv=5)
            for number in range(n_proposals):
                columns = np.sort(rng.choice(40, 20, replace=False))
                part = ColumnTransformer([("half", "passthrough", columns)])
                ledger.propose(f"{number}", make_pipeline(part, model))
            n_false += ledger.confirmed_.number > 1
    return n_false / n_series


def _accuracy(model, X, y):
    return np.mean(model.predict(X) == y)


def main(path):
    """Write all that is measured."""
    rows = []

    def note(rule, proposer, **found):
        rows.append({"rule": rule, "proposer": proposer} | found)
        print(rows[-1], flush=True)

    for rho in (0.33, 0.4, 0.45, 0.5, 0.6):
        note("sum of 400 sizes", f"rho {rho}", false=sizes(rho))
    for name, adapts in (("any", False), ("adversary", True)):
        note("reserve", name, coverage=coverage(adapts))
    for kind in ("losses", "groups", "scores"):
        note("ledger, fitted", f"equal models, {kind}", false=fitted(kind))
    for rule in RULES:
        for name, proposer in (EQUAL | GAINS).items():
            note(rule, name, **run(RULES[rule], proposer))
    many = with_options(Smuggler, share=0.85, n_first=400)
    name = "adversary with true gains, 400 proposals more"
    for rule in ("ledger", "confirmations cost nothing"):
        note(rule, name, **run(RULES[rule], many, 100, 450))
    for name, proposer in AT_HOME.items():
        n_series = 100 if "500" in name else N_SERIES
        note("ledger", f"{name}, once", **run(TwoTiers, proposer, n_series, 1))
        note("ledger", name, **run(TwoTiers, proposer, n_series, 20))
    names = ["rule", "proposer", "false", "n_confirmed", "gain", "gain_working"]
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, [*names, "coverage"], lineterminator="\n")
        writer.writeheader()
        for row in rows:
            numbers = {k: f"{v:.4g}" for k, v in row.items() if not isinstance(v, str)}
            writer.writerow(row | numbers)


if __name__ == "__main__":
    parser = parser_of(__doc__)
    parser.add_argument("--csv", type=Path, default=DATA / "ledger.csv")
    main(parser.parse_args().csv)
