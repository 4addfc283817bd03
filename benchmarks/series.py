"""Size, power and warnings of DieboldMarianoTest on series of loss differences.

Series, by the column `series`: independent values; autoregressive ones; moving averages
of four, as forecasts four steps ahead have; an autoregressive series and independent
noise of the same variance; and noise with a shift of the same variance that is common
to each test set (to each fifth of the series, where no test sets are given). Normal,
so that the power is that at two standard deviations of the estimate. Test sets are
of one length. `warned` is in how many of the first 500 samples `fit` warned, and
`false_warned` in how many of the false rejections among them.

    python benchmarks/series.py  # writes docs/data/calibration_series.csv, some minutes
"""

import itertools
import warnings
from dataclasses import replace

import numpy as np
from harness import DATA, is_outside, parser_of, shown, write_rows
from scipy.signal import lfilter

import sklearn_cvtest as ct
from sklearn_cvtest.results import Design

ALPHA, N_SERIES, N_FITS, BURN = 0.05, 10_000, 500, 200
TIMES, TEST_SETS = (60, 200, 1000), (0, 5, 20)  # 0: an array, without test sets
TESTS = {  # those with a horizon do not look at test sets
    "DieboldMarianoTest()": (ct.DieboldMarianoTest(), TEST_SETS),
    "DieboldMarianoTest(1)": (ct.DieboldMarianoTest(1), (0,)),
    "DieboldMarianoTest(4)": (ct.DieboldMarianoTest(4), (0,)),
}
HEADER = (
    "times", "series", "test_sets", "test", "size", "power_2sd", "warned",
    "false_warned", "mean_df", "samples",
)  # fmt: skip


def autoregressive(phi, noise):
    return lfilter([np.sqrt(1 - phi**2)], [1.0, -phi], noise, axis=1)[:, BURN:]


def noise_and(common, noise):
    return (noise[:, BURN:] + common) / np.sqrt(2)


def draw(kind, n_times, n_sets, rng):
    """Return N_SERIES series with variance 1."""
    noise = rng.standard_normal((N_SERIES, BURN + n_times))
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


def warned(test, residuals, series):
    """Return in which of some series `fit` warns, and which are rejected."""
    found = []
    for one in series:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            fitted = test.fit(replace(residuals, values=one))
        found.append((bool(told), fitted.pvalue_ <= ALPHA))
    return np.array(found).T


def measure(n_times, kind, n_sets):
    """Yield a row for each test."""
    series = draw(kind, n_times, n_sets, np.random.default_rng(0))
    residuals = residuals_of(n_times, n_sets)
    popmeans = np.array([0.0, 2 * series.mean(axis=1).std()])
    for name, (test, sets) in TESTS.items():
        if n_sets not in sets:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            evaluation = test.evaluate(replace(residuals, values=series))
        rejected = is_outside(test, evaluation, ALPHA, popmeans)
        told, false = warned(test, residuals, series[:N_FITS])
        assert np.array_equal(false, rejected[:N_FITS, 0])
        of_false = told[false].mean() if false.any() else None
        df = np.mean(evaluation.df)
        yield name, *rejected.mean(axis=0), told.mean(), of_false, df, N_SERIES


def main():
    parser_of(__doc__).parse_args()
    cells = itertools.product(TIMES, KINDS, TEST_SETS)
    rows = shown((*cell, *row) for cell in cells for row in measure(*cell))
    write_rows(DATA / "calibration_series.csv", HEADER, rows)


if __name__ == "__main__":
    main()
