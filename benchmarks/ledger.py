"""Rules for keeping proposals, on proposers that adapt to what they are shown.

Simulated losses of 200 rows in 10 folds; series of 100 proposals, all series of a rule
and a proposer at once. A model is a vector of losses: its mean, a deviation for each
row, and what its training sets make of it, so that the share of the variance of a mean
difference that all folds have in common is RHO. A gain of d s.e. is d standard
deviations of the mean difference over all rows. `python benchmarks/ledger.py` writes
docs/ledger.csv in half a minute; tests/test_ledger_rule.py holds what the guide quotes.
"""

import csv
import sys
import zlib
from pathlib import Path

import numpy as np
from scipy.special import ndtri, stdtrit

from sklearn_cvtest import IntegratedRhoTest
from sklearn_cvtest._data._residuals import CVResiduals
from sklearn_cvtest._ledger._rule import LOOKS_GOOD, is_promising, level_of
from sklearn_cvtest._splits._design import design_of_folds

N_ROWS, N_FOLDS, N_SHOWN, N_PROPOSALS, N_SERIES = 200, 10, 2, 100, 100
ALPHA, RHO = 0.05, 0.3
FOLD = np.repeat(np.arange(N_FOLDS), N_ROWS // N_FOLDS)
SHOWN = FOLD < N_SHOWN


def models(rng, shape, rho=RHO):
    """Return deviations of losses of models with the mean 0, of shape (*shape, rows).

    Var of the mean over rows is 1/N_ROWS/(1 - rho).
    """
    rows = rng.normal(size=(*shape, N_ROWS))
    common = np.sqrt(rho / (1 - rho) / N_ROWS) * rng.normal(size=(*shape, 1))
    return rows + common


SE = np.sqrt(2 / N_ROWS / (1 - RHO))  # of the difference of two models


def pvalues(e, n_folds=N_FOLDS):
    """Return one-sided p-values of differences, of shape (n_series, n_rows)."""
    found = np.ones(len(e))
    live = np.flatnonzero(np.ptp(e, axis=1) > 0)
    if not len(live):
        return found
    n = e.shape[1]
    residuals = CVResiduals(
        values=e[live],
        row_split=np.repeat(np.arange(n_folds), n // n_folds),
        n_train=np.full(n_folds, n - n // n_folds),
        n_test=np.full(n_folds, n // n_folds),
        n_samples=n,
        design=design_of_folds(n_folds),
        names=[("champion", "proposal")] * len(live),
    )
    test = IntegratedRhoTest(alternative="greater")
    found[live] = test.evaluate(residuals).pvalue
    return found


# Rules ------------------------------------------------------------------------


class WholeCV:
    """p of all folds against a level; all scores are shown."""

    shown = slice(None)

    def __init__(self, n_series):
        self.kept = np.zeros((n_series, 0), dtype=bool)
        self.p = np.zeros((n_series, 0))

    def decide(self, e):
        """Return which are kept, and the share of the fits that this took."""
        p = pvalues(e)
        keep = p <= self.levels()
        self.kept = np.column_stack([self.kept, keep])
        self.p = np.column_stack([self.p, p])
        return keep, np.ones(len(e))


class Known(WholeCV):
    """Bonferroni for 100 proposals, of normal means whose variance is known."""

    def decide(self, e):
        return e.mean(axis=1) / SE >= -ndtri(ALPHA / N_PROPOSALS), np.ones(len(e))


class Better(WholeCV):
    """Keep if the mean is better."""

    def decide(self, e):
        return e.mean(axis=1) > 0, np.ones(len(e))


class Naive(WholeCV):
    """Keep if p < 0.05."""

    def levels(self):
        return ALPHA


class Spending(WholeCV):
    """6 alpha/(pi^2 j^2)."""

    def levels(self):
        return 6 * ALPHA / (np.pi * (self.p.shape[1] + 1)) ** 2


class Lord(WholeCV):
    """LORD++ of Ramdas et al. 2017."""

    def levels(self):
        t, w0 = self.p.shape[1] + 1, ALPHA / 2
        gamma = lord_gamma(np.arange(1, t + 1))
        order = np.cumsum(self.kept, axis=1) * self.kept
        back = gamma[::-1][1:]  # gamma of t - tau
        first, later = (order == 1) @ back, (order > 1) @ back
        return w0 * gamma[-1] + (ALPHA - w0) * first + ALPHA * later


def lord_gamma(j):
    return 0.0772 * np.log(np.maximum(j, 2)) / (j * np.exp(np.sqrt(np.log(j))))


class Saffron(WholeCV):
    """SAFFRON of Ramdas et al. 2018, lambda 0.5."""

    def levels(self):
        t, lam, w0 = self.p.shape[1] + 1, 0.5, ALPHA / 2
        gamma = np.arange(1, t + 2) ** -1.6 / 2.2858
        after = np.cumsum((self.p <= lam)[:, ::-1], axis=1)[:, ::-1]  # from each on
        total = after[:, 0] if t > 1 else np.zeros(len(self.p), dtype=int)
        order = np.cumsum(self.kept, axis=1) * self.kept
        since = t - np.arange(1, t) - (after - (self.p <= lam))
        back = gamma[np.maximum(since, 1) - 1]
        first, later = ((order == 1) * back).sum(1), ((order > 1) * back).sum(1)
        level = w0 * gamma[t - total - 1] + (ALPHA - w0) * first + ALPHA * later
        return np.minimum(lam, (1 - lam) * level)


class EProcess(WholeCV):
    """A mixture of likelihood ratios over the folds, kept as soon as >= 1/level.

    With the sum of the folds shrunk by sqrt(1 - 0.47), at which the test of the package
    is neither liberal nor conservative at 5%; stopped when below 1/4.
    """

    def decide(self, e):
        deviation = e.std(axis=1, ddof=1)
        x = np.add.reduceat(e, np.arange(0, N_ROWS, N_ROWS // N_FOLDS), axis=1)
        scale = np.sqrt(0.53) / np.where(deviation > 0, deviation, 1)
        x = x * (scale / np.sqrt(N_ROWS // N_FOLDS))[:, None]
        drift = np.linspace(0.3, 2.0, 12)[:, None, None]
        n = np.arange(1, N_FOLDS + 1)
        e_values = np.exp(drift * x.cumsum(axis=1) - drift**2 * n / 2).mean(axis=0)
        bound = 1 / level_of(self.p.shape[1] - self.kept.sum(1), ALPHA)[:, None]
        up, down = e_values >= bound, e_values < 0.25
        ends = np.argmax(up | down, axis=1)
        ends[~(up | down).any(axis=1)] = N_FOLDS - 1
        keep = up[np.arange(len(e)), ends]
        self.kept = np.column_stack([self.kept, keep])
        self.p = np.column_stack([self.p, np.ones(len(e))])
        return keep, (ends + 1) / N_FOLDS


class Curtailed(WholeCV):
    """The spending of the ledger on all folds; stopped below a line to the level."""

    def decide(self, e):
        p = pvalues(e)
        level = level_of(self.p.shape[1] - self.kept.sum(1), ALPHA)
        z, f = cumulated(e), np.arange(1, N_FOLDS) / N_FOLDS
        critical = -1.15 * ndtri(level)[:, None]
        below = z[:, :-1] * np.sqrt(f) < critical * f - 1
        ends = np.where(below.any(1), below.argmax(1) + 1, N_FOLDS)
        keep = (p <= level) & (ends == N_FOLDS)
        self.kept = np.column_stack([self.kept, keep])
        self.p = np.column_stack([self.p, p])
        return keep, ends / N_FOLDS


def cumulated(e):
    """Return the statistic after each fold, at rho = 0."""
    deviation = np.maximum(e.std(axis=1, ddof=1), 1e-300)[:, None]
    ends = np.arange(1, N_FOLDS + 1) * (N_ROWS // N_FOLDS)
    return e.cumsum(axis=1)[:, ends - 1] / np.sqrt(ends) / deviation


class Sealed(WholeCV):
    """The rule of the ledger: a look at the shown folds, a test of the others."""

    shown = SHOWN
    looks_good = LOOKS_GOOD

    def __init__(self, n_series):
        self.n_charged = np.zeros(n_series, dtype=int)

    def decide(self, e):
        passes = is_promising(e[:, SHOWN], 0.0, self.looks_good)
        p = np.ones(len(e))
        p[passes] = pvalues(e[passes][:, ~SHOWN], N_FOLDS - N_SHOWN)
        keep = passes & (p <= level_of(self.n_charged, ALPHA))
        self.n_charged += passes & ~keep
        share = N_SHOWN / N_FOLDS
        return keep, np.where(passes, 1.0, share)


class SealedRead(Sealed):
    """The same, with a proposer that reads the losses of all folds in the file."""

    shown = slice(None)


RULES = {
    "Bonferroni, variance known": Known,
    "keep if better": Better,
    "keep if p < .05": Naive,
    "spending": Spending,
    "LORD++": Lord,
    "SAFFRON": Saffron,
    "e-process": EProcess,
    "curtailed": Curtailed,
    "ledger": Sealed,
    "ledger, file read": SealedRead,
}


# Proposers --------------------------------------------------------------------


class Proposer:
    """Noise copies: another model that is exactly as good."""

    gain = 0.0
    rho = RHO

    def __init__(self, rng, n_series):
        self.rng, self.n_series = rng, n_series

    def propose(self, champion, number):
        """Return deviations of the losses, and true gains over the champion."""
        new = models(self.rng, (self.n_series,), self.rho)
        return new, np.zeros(self.n_series)

    def see(self, deviations, shown, keep):
        """Take note of the mean gains that are shown."""


class NoOps(Proposer):
    """The champion under another name."""

    def propose(self, champion, number):
        return champion.copy(), np.zeros(self.n_series)


class Greedy(Proposer):
    """Changes half of what was shown as best so far."""

    def __init__(self, rng, n_series):
        super().__init__(rng, n_series)
        self.best = models(rng, (n_series,))
        self.score = np.full(n_series, -np.inf)

    def propose(self, champion, number):
        new = models(self.rng, (self.n_series,))
        return (self.best + new) / np.sqrt(2), np.zeros(self.n_series)

    def see(self, deviations, shown, keep):
        better = shown > self.score
        self.best[better], self.score[better] = deviations[better], shown[better]


class Adversary(Proposer):
    """Adds fixed random functions to the champion, then all of them by their scores.

    The first 60 proposals show the scores; those that follow combine what was shown, a
    random half of it, as in the attack of Blum & Hardt. None is better than the first.
    """

    rho = 0.0
    n_first = 60

    def __init__(self, rng, n_series):
        super().__init__(rng, n_series)
        self.functions = np.zeros((n_series, 0, N_ROWS))
        self.scores = np.zeros((n_series, 0))

    def propose(self, champion, number):
        change = self.rng.normal(size=(self.n_series, N_ROWS))
        if number >= self.n_first:
            weights = self.scores * self.rng.integers(0, 2, self.scores.shape)
            change = np.einsum("sk,skn->sn", weights, self.functions)
            change /= np.linalg.norm(weights, axis=1, keepdims=True)
        return champion + change, np.zeros(self.n_series)

    def see(self, deviations, shown, keep):
        if self.functions.shape[1] < self.n_first:
            change = (deviations - self.champion)[:, None]
            self.functions = np.concatenate([self.functions, change], axis=1)
            self.scores = np.column_stack([self.scores, shown])


class Smuggler(Adversary):
    """Adds true gains to random functions, to learn from what is kept of them.

    The gains are so large that a half is kept, and free of cost on the shown folds.
    Then those functions are combined by what became of them, without a gain.
    """

    step = 0.33  # in standard deviations of a row

    def propose(self, champion, number):
        if number >= self.n_first:
            return super().propose(champion, number)
        change = self.rng.normal(size=(self.n_series, N_ROWS))
        change[:, SHOWN] = 0
        self.change = change
        return champion + change, np.full(self.n_series, self.step)

    def see(self, deviations, shown, keep):
        if self.functions.shape[1] < self.n_first:
            change = self.change[:, None]
            self.functions = np.concatenate([self.functions, change], axis=1)
            self.scores = np.column_stack([self.scores, np.where(keep, 0.0, 1.0)])


class Mixture(Proposer):
    """One in ten is truly better by `gain` s.e., others equal or `worse` s.e. worse."""

    worse = 0.0

    def propose(self, champion, number):
        new = models(self.rng, (self.n_series,))
        is_gain = self.rng.random(self.n_series) < 0.1
        others = -self.worse * self.rng.random(self.n_series)
        return new, SE * np.where(is_gain, self.gain, others)


class MixtureOfNoOps(Mixture):
    """One in ten is truly better, others are the champion under another name."""

    def propose(self, champion, number):
        new, gains = super().propose(champion, number)
        return np.where(gains[:, None] > 0, new, champion), gains


def mixture(gain, base=Mixture, worse=0.0):
    return type("Mixture", (base,), {"gain": float(gain), "worse": worse})


PROPOSERS = {
    "no-ops": NoOps,
    "noise": Proposer,
    "greedy": Greedy,
    "adversary": Adversary,
    "adversary with true gains": Smuggler,
    **{f"gains of {d} s.e.": mixture(d) for d in (1, 2, 3, 4, 5, 6)},
    **{f"gains of {d} s.e., others worse": mixture(d, worse=4.0) for d in (3, 5)},
    **{f"gains of {d} s.e., others no-ops": mixture(d, MixtureOfNoOps) for d in (3, 5)},
}


OF_ALL = "noise", "adversary", "gains of 3 s.e.", "gains of 5 s.e."  # rules


def run(rule, proposer, n_series=N_SERIES, n_proposals=N_PROPOSALS, seed=0):
    """Return what became of series of proposals, a dict."""
    rng = np.random.default_rng(seed)
    champion, mean = models(rng, (n_series,)), np.zeros(n_series)
    if proposer.rho == 0:
        champion = models(rng, (n_series,), 0.0)
    rule, proposer = rule(n_series), proposer(rng, n_series)
    n_false, n_kept, n_gains, fits = np.zeros((4, n_series))
    for number in range(n_proposals):
        deviations, gains = proposer.propose(champion, number)
        e = gains[:, None] + champion - deviations
        keep, share = rule.decide(e)
        proposer.champion = champion
        proposer.see(deviations, e[:, rule.shown].mean(axis=1), keep)
        n_false += keep & (gains <= 0)
        n_kept += keep & (gains > 0)
        n_gains += gains > 0
        fits += share / n_proposals
        champion[keep] = deviations[keep]
        mean[keep] -= gains[keep]
    optimism = (mean - (mean[:, None] + champion).mean(axis=1)) / (SE / np.sqrt(2))
    return {
        "false_keep": np.mean(n_false > 0),
        "n_false": np.mean(n_false),
        "power": n_kept.sum() / n_gains.sum() if n_gains.any() else np.nan,
        "fits": fits.mean(),
        "optimism": optimism.mean(),
    }


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


def main(path):
    rows = []
    for proposed, adapts in (("any", False), ("adversary", True)):
        rows.append({"rule": "reserve", "proposer": proposed})
        rows[-1]["coverage"] = coverage(adapts)
        print(rows[-1])
    for name, rule in RULES.items():
        for proposed, proposer in PROPOSERS.items():
            if rule is not Sealed and proposed not in OF_ALL:
                continue
            if rule is SealedRead and proposer is not Adversary:
                continue
            if rule is Known and proposer is Adversary:
                continue
            found = run(rule, proposer, seed=zlib.crc32(proposed.encode()))
            rows.append({"rule": name, "proposer": proposed} | found)
            names = list(rows[-1])
            print(name, "|", proposed, {k: round(v, 3) for k, v in found.items()})
            sys.stdout.flush()
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*names, "coverage"], lineterminator="\n")
        writer.writeheader()
        for row in rows:
            numbers = {k: f"{v:.4g}" for k, v in row.items() if not isinstance(v, str)}
            writer.writerow(row | numbers)


if __name__ == "__main__":
    main(Path(__file__).parent.parent / "docs" / "ledger.csv")
