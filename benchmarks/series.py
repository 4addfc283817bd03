"""Size and power of DieboldMarianoTest on series of loss differences.

Series, by the column `series`: independent values; autoregressive ones; moving averages
of four, as forecasts four steps ahead have; an autoregressive series and independent
noise of the same variance; and noise with a shift of the same variance that is common
to each test set (to each fifth of the series, where no test sets are given). Normal,
so that the power is that at two standard deviations of the estimate. Test sets are
of one length.

    python benchmarks/series.py    # a minute; writes docs/data/calibration_series.csv
"""

import itertools
from dataclasses import replace

import numpy as np
from harness import Table, command
from scipy.signal import lfilter

import sklearn_cvtest as ct
from sklearn_cvtest.results import Design

ALPHA, BURN = 0.05, 200
TIMES, TEST_SETS = (60, 200, 1000), (0, 5, 20)  # 0: an array, without test sets
TESTS = {  # those with a horizon do not look at test sets
    "DieboldMarianoTest()": (ct.DieboldMarianoTest(), TEST_SETS),
    "DieboldMarianoTest(1)": (ct.DieboldMarianoTest(1), (0,)),
    "DieboldMarianoTest(4)": (ct.DieboldMarianoTest(4), (0,)),
}


def autoregressive(phi, noise):
    return lfilter([np.sqrt(1 - phi**2)], [1.0, -phi], noise, axis=1)[:, BURN:]


def noise_and(common, noise):
    return (noise[:, BURN:] + common) / np.sqrt(2)


def draw(kind, n_times, n_sets, n_series, rng):
    """Return series with variance 1."""
    noise = rng.standard_normal((n_series, BURN + n_times))
    if kind == "independent":
        return noise[:, BURN:]
    if kind == "average of 4":
        return lfilter(np.full(4, 0.5), [1.0], noise, axis=1)[:, BURN:]
    more = rng.standard_normal(noise.shape)
    if kind == "autoregressive 0.9 and noise":
        return noise_and(autoregressive(0.9, more), noise)
    if kind == "shifted test sets":
        n_shifts = n_sets or 5
        return noise_and(np.repeat(more[:, :n_shifts], n_times // n_shifts, 1), noise)
    return autoregressive(float(kind.split()[-1]), noise)


KINDS = (
    "independent", "autoregressive 0.3", "autoregressive 0.6", "autoregressive 0.9",
    "average of 4", "autoregressive 0.9 and noise", "shifted test sets",
)  # fmt: skip


def residuals_of(n_times, n_sets):
    """Return residuals to put series into; TimeSeriesSplit has such test sets."""
    array = ct.CVResiduals.from_array(np.zeros((1, n_times)), design="time series")
    if not n_sets:
        return array
    size = n_times // n_sets
    return replace(
        array,
        row_split=np.repeat(np.arange(n_sets), size),
        n_train=size * np.arange(1, n_sets + 1),
        n_test=np.full(n_sets, size),
        design=Design("time series", n_sets),
        row_index=np.arange(size, n_times + size),
    )


def rejected_by(test, residuals, popmeans):
    """Return which means are outside the intervals, (n_series, n_popmeans)."""
    low, high = test.interval(test.evaluate(residuals), 1 - ALPHA)
    ends = low[:, np.newaxis], high[:, np.newaxis]
    return (popmeans <= ends[0]) | (popmeans >= ends[1])


def rows(n_series):
    """Yield a row for each test of each kind of series."""
    for n_times, kind, n_sets in itertools.product(TIMES, KINDS, TEST_SETS):
        series = draw(kind, n_times, n_sets, n_series, np.random.default_rng(0))
        residuals = replace(residuals_of(n_times, n_sets), values=series)
        popmeans = np.array([0.0, 2 * series.mean(axis=1).std()])
        cell = {"times": n_times, "series": kind, "test_sets": n_sets}
        for name, (test, sets) in TESTS.items():
            if n_sets in sets:
                size, power = rejected_by(test, residuals, popmeans).mean(axis=0)
                rates = {"size": size, "power_2sd": power, "samples": n_series}
                yield cell | {"test": name} | rates


KEYS = "times", "series", "test_sets", "test"
RATES = dict.fromkeys(("size", "power_2sd"))
TABLES = [Table("calibration_series", rows, KEYS, RATES, 10_000, 500)]


if __name__ == "__main__":
    command(__doc__, *TABLES)
