"""Laws of a mean of heavy-tailed losses, each within the average over ρ.

From the predictions that `hard_fits.py tails` stored: by each law, size of the test of
the true mean squared error difference, and, where the errors have no heavy tails, its
power at 2 and 3 standard deviations, averaged over both directions. The laws:

- default: IntegratedRhoTest(); no Hall: without its correction of skewness;
- t(kurtosis): t with the degrees of freedom that a variance of this kurtosis has;
- Hall + t: both;
- bootstrap (symmetric): studentised, of resampled examples, equal tails (or |t|);
- sign flips: the same of examples whose deviations from their mean change signs;
- self-normalised flips: signs of deviations from the hypothesis, over their root sum
  of squares.

    python benchmarks/tail_laws.py --fits out --csv docs/data/tail_laws.csv
"""

import argparse
import pathlib
import warnings

import numpy as np
from hard_cells import PAIRS, residuals_of
from harness import as_text, write_table
from scipy import stats

from sklearn_cvtest import IntegratedRhoTest
from sklearn_cvtest._data._tails import l_skewness
from sklearn_cvtest._inference._problems import MAX_TAIL

DRAWS = 399
END = 0.75 * 8 / 9  # of the range of ρ, of repeats of 5 folds
RHO = (np.arange(12) + 0.5) / 12 * END
LAWS = (
    *("default", "no Hall", "t(kurtosis)", "Hall + t", "bootstrap"),
    *("bootstrap, symmetric", "sign flips", "self-normalised flips"),
)
HYPOTHESES = 0, 2, -2, 3, -3  # standard deviations from the true mean


class Sample:
    """Losses (samples, 2, n) of many samples, and what laws need of them."""

    def __init__(self, e, rng):
        self.e, self.rng, self.n = e, rng, e.shape[2]
        self.mean = e.mean(axis=1)
        self.centred = self.mean - self.mean.mean(axis=1, keepdims=True)
        self.theta = self.mean.var(axis=1, ddof=1) / self.n
        one_run = e.var(axis=2, ddof=1).mean(axis=1) / self.n
        # what ρ adds to the variance, in units of that of the mean over runs
        self.more = one_run / self.theta * (RHO / (1 - RHO))[:, np.newaxis]
        self.drawn = {}

    def integrated(self, mean, **options):
        test = IntegratedRhoTest(popmean=mean, **options)
        return np.asarray(test.evaluate(residuals_of(self.e)).pvalue)

    def df(self):
        squares = (self.centred**2).mean(axis=1)
        kurtosis = (self.centred**4).mean(axis=1) / np.maximum(squares**2, 1e-300)
        return np.maximum(2 * self.n / np.maximum(kurtosis - 1, 1e-9), 2)

    def studentised(self, is_flipped):
        """Return the statistics of DRAWS resamples (samples, DRAWS)."""
        if is_flipped not in self.drawn:
            self.drawn[is_flipped] = np.array(
                [self._resampled(row, is_flipped) for row in self.centred]
            )
        return self.drawn[is_flipped]

    def _resampled(self, row, is_flipped):
        if is_flipped:
            x = self.rng.choice([-1.0, 1.0], size=(DRAWS, self.n)) * row
        else:
            x = row[self.rng.integers(self.n, size=(DRAWS, self.n))]
        variance = x.var(axis=1, ddof=1)
        return x.mean(axis=1) / np.sqrt(np.where(variance, variance, np.inf) / self.n)

    def flipped(self, mean):
        """Return self-normalised sums of signs, and that of the sample."""
        c = self.mean - mean
        root = np.sqrt((c**2).sum(axis=1))
        signs = (self.rng.choice([-1.0, 1.0], size=(DRAWS, self.n)) for _ in c)
        drawn = [s @ row / r for s, row, r in zip(signs, c, root, strict=True)]
        return np.array(drawn), c.sum(axis=1) / root

    def pvalue(self, law, mean):
        t = (self.mean.mean(axis=1) - mean) / np.sqrt(self.theta)
        if law in ("default", "no Hall"):
            return self.integrated(mean, correct_skewness=law == "default")
        if law == "Hall + t":
            z = stats.norm.isf(self.integrated(mean) / 2)
            return 2 * stats.t.sf(z, self.df())
        if law == "t(kurtosis)":
            z = np.abs(t) / np.sqrt(1 + self.more)
            return 2 * stats.t.sf(z, self.df()).mean(axis=0)
        if law == "self-normalised flips":
            drawn, t = self.flipped(mean)
        else:
            drawn = self.studentised(law == "sign flips")
        return self._averaged(t[:, np.newaxis], drawn, law == "bootstrap")

    def _averaged(self, t, drawn, equal_tails):
        """Return the p-value of t by the drawn law and a normal part that ρ adds."""
        found = 0.0
        for more in np.sqrt(self.more)[:, :, np.newaxis]:
            if equal_tails:
                below = stats.norm.cdf((t - drawn) / more).mean(axis=1)
                below = (below * DRAWS + 0.5) / (DRAWS + 1)
                found = found + 2 * np.minimum(below, 1 - below)
                continue
            above = stats.norm.sf((np.abs(t) - drawn) / more).mean(axis=1)
            found = found + above
            found = found + stats.norm.cdf((-np.abs(t) - drawn) / more).mean(axis=1)
        return np.minimum(found / len(RHO), 1)


def rows_of(path, rng):
    _, half, population, n = path.stem.split("_")
    stored = np.load(path)
    y, predicted = stored["y"].astype(float), stored["predicted"].astype(float)
    losses = (y[:, np.newaxis, :, np.newaxis] - predicted) ** 2
    tails = l_skewness(np.moveaxis(np.sqrt(losses).mean(axis=1), 1, 2))
    for first, second in PAIRS["tails"]:
        sample = Sample(losses[..., first] - losses[..., second], rng)
        tail = np.median(tails[:, [first, second]].min(axis=1))
        means = sample.mean.mean(axis=1)
        names = stored["learners"][[first, second]]
        for law in LAWS:
            asked = HYPOTHESES[: 1 if tail > MAX_TAIL else None]
            rates = [
                np.mean(
                    sample.pvalue(law, means.mean() + k * means.std(ddof=1)) <= 0.05
                )
                for k in asked
            ]
            rates += [np.nan] * (len(HYPOTHESES) - len(rates))
            yield {
                **{"half": half, "population": population, "n": n},
                **{"first": names[0], "second": names[1], "samples": len(y)},
                **{"tail": tail, "law": law, "size": rates[0]},
                "power_2sd": (rates[1] + rates[2]) / 2,
                "power_3sd": (rates[3] + rates[4]) / 2,
            }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fits", type=pathlib.Path, required=True)
    parser.add_argument("--csv", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    rng, table = np.random.default_rng(0), []
    for path in sorted(arguments.fits.glob("tails_*_100.npz")):
        table += rows_of(path, rng)
        print(path.stem, flush=True)
    shown = [dict(zip(row, as_text(row.values()), strict=True)) for row in table]
    write_table(arguments.csv, shown)


if __name__ == "__main__":
    main()
