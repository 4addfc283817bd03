"""What the tests of interfaces need: results of random designs, made without fitting
anything, and readers that take numbers back out of text, pages, tables and pictures.
"""

import re
import warnings
from contextlib import contextmanager
from decimal import Decimal
from html.parser import HTMLParser
from typing import NamedTuple

import numpy as np
import pytest
from common import ALL_TESTS, design_of, made, square
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.model_selection import ShuffleSplit, TimeSeriesSplit

import sklearn_cvtest as cvtest

# Random designs -----------------------------------------------------------------------


def random_designs(few=2, many=40):
    """Parametrize a test by the `seed` of a few designs, and of many (`full`)."""
    seeds = [*range(few)]
    seeds += [pytest.param(seed, marks=pytest.mark.full) for seed in range(few, many)]

    def decorate(test):
        test = pytest.mark.parametrize("seed", seeds)(test)
        return pytest.mark.filterwarnings("ignore::UserWarning")(test)

    return decorate


@contextmanager
def quiet():
    """Leave out warnings of few or heavy-tailed losses, which are not of interest."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


class _Recorded(BaseEstimator):
    """Predicts a column of X, and a little of what the training set happens to be."""

    def __init__(self, column=0, spread=0.3):
        self.column = column
        self.spread = spread

    def fit(self, X, y, sample_weight=None):
        if isinstance(self, ClassifierMixin):
            self.classes_ = np.array([0, 1])
        self.seed_ = abs(int(np.nansum(X) * 1e6)), self.column
        return self

    def predict_run(self, X):
        return X[:, self.column]

    def predict(self, X):
        noise = np.random.default_rng(self.seed_).standard_normal(len(X))
        return self._values(X[:, self.column] + self.spread * noise)


class Recorded(RegressorMixin, _Recorded):
    def _values(self, values):
        return values


class RecordedClasses(ClassifierMixin, _Recorded):
    def _values(self, values):
        return (values > 0).astype(int)


NAMES = ("a", "b", "c", "d", "e", "f", "g")


class Data(NamedTuple):
    """Recorded predictions of some models, and their target."""

    X: np.ndarray
    y: np.ndarray
    models: dict

    def compare(self, cv, **options):
        if isinstance(cv, str):
            groups = options.pop("groups", None)
            options.pop("score_params", None)  # scores in hand have no weights
            return cvtest.Comparison(self._of_runs(cv, groups), **options)
        options = self._by_difference(options)
        return cvtest.compare_estimators(self.models, self.X, self.y, cv=cv, **options)

    def losses(self, cv, **options):
        if isinstance(cv, str):
            return self._of_runs(cv, **options)
        options = self._by_difference(options)
        return cvtest.cross_val_losses(self.models, self.X, self.y, cv=cv, **options)

    def _by_difference(self, options):
        """Return options with a loss whose means are compared by their difference.

        What is compared by ratio is for test_ratios.py.
        """
        are_classes = isinstance(next(iter(self.models.values())), ClassifierMixin)
        if are_classes or options.keys() & {"loss", "scoring"}:
            return options
        return {"loss": square} | options

    def _of_runs(self, seed, groups=None):
        """Return the losses of three runs of the models on all rows."""
        rng = np.random.default_rng(RUNS.index(seed))
        losses = {}
        for name, model in self.models.items():
            predicted = rng.normal(model.predict_run(self.X), 0.3, (3, len(self.y)))
            losses[name] = (predicted - self.y) ** 2
        options = {"loss": "square", "group": groups}
        return cvtest.compare_scores(losses, **options).losses


def data_of(rng, n_models=3, n=48, classes=False, spread=0.3):
    """Return data on which models differ by nothing, a little, or much."""
    y = rng.integers(0, 2, n) if classes else np.zeros(n)
    sizes = np.exp(rng.uniform(0, rng.choice([0.1, 1.5]), n_models))
    X = rng.standard_normal((n, n_models)) * sizes
    if classes:
        X += np.where(y, 1.0, -1.0)[:, np.newaxis]
    kind = RecordedClasses if classes else Recorded
    models = {NAMES[i]: kind(i, spread) for i in range(n_models)}
    return Data(X, y, models)


RUNS = tuple(f"runs {seed}" for seed in range(7))
SPLITTERS = {
    "k-fold": lambda seed: cvtest.BlockKFold(6, random_state=seed),
    "repeated k-fold": lambda seed: cvtest.BlockKFold(
        4, n_repeats=3, random_state=seed
    ),
    "subsample": lambda seed: cvtest.RepeatedSubsample(8, random_state=seed),
    "5x2": lambda seed: cvtest.FiveByTwo(random_state=seed),
    "paired halves": lambda seed: cvtest.PairedHalves(
        cvtest.BlockKFold(3, random_state=seed), 4, random_state=seed
    ),
    "holdout": lambda seed: ShuffleSplit(1, test_size=0.5, random_state=seed),
    "time series": lambda seed: TimeSeriesSplit(4, test_size=6),
    "crossed": lambda seed: RUNS[seed % 7],
}
# Each test with a design it is for; of one-sided and shifted tests, a few.
TESTS = {Test.__name__: (made(Test, rope=0.1), design_of(Test)) for Test in ALL_TESTS}
CASES = TESTS | {
    "KFoldZTest, repeated": (cvtest.KFoldZTest(), "repeated k-fold"),
    "KFoldZTest, 5x2": (cvtest.KFoldZTest(), "5x2"),
    "KFoldTTest, greater": (cvtest.KFoldTTest(alternative="greater"), "k-fold"),
    "KFoldZTest, less": (
        cvtest.KFoldZTest(alternative="less"),
        "repeated k-fold",
    ),
    "KFoldTTest, not zero": (cvtest.KFoldTTest(popmean=0.2), "k-fold"),
    "HoldoutTTest, not zero": (cvtest.HoldoutTTest(popmean=-0.3), "holdout"),
}


def some_of(cases, count, *, always=()):
    """Return cases for a parameter: some, spread evenly, and the others `full`."""
    names = list(cases)
    taken = {names[int(number * len(names) / count)] for number in range(count)}
    taken.update(always)
    mark = {True: (), False: pytest.mark.full}
    return [pytest.param(name, marks=mark[name in taken]) for name in names]


def compared(case, rng, n_models=3, **options):
    """Return the comparison of recorded models by a test."""
    test, design = CASES[case]
    classes = isinstance(test, cvtest.McNemarTest)
    data = data_of(rng, n_models, 60 if classes else 48, classes)
    cv = SPLITTERS[design](int(rng.integers(1000)))
    return data.compare(cv, test=test, **options)


# Numbers ------------------------------------------------------------------------------

DIGITS = r"[-−]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|∞|none)"


def number(text):
    """Return a number, and half a unit of its last digit."""
    text = text.replace("$-$", "-").replace("−", "-").strip(" %*o†")
    if text.lstrip("-") in ("inf", "∞", "none"):
        return -np.inf if text.startswith("-") else np.inf, 0.0
    mantissa, _, exponent = text.partition("e")
    decimals = len(mantissa.partition(".")[2])
    return float(text), 0.5 * 10.0 ** (int(exponent or 0) - decimals)


def shows(text, value, scale=1):
    """Whether a text shows a value to the digits that it has."""
    text = text.strip()
    if text.startswith("<"):
        return value * scale < number(text[1:])[0]
    if text.startswith(">"):  # of a negative number that would be rounded to 0
        return number(text[1:])[0] < value * scale < 0
    if not re.fullmatch(DIGITS + "%?", text.replace("$-$", "-")):
        return not np.isfinite(value)
    shown, half = number(text)
    if not np.isfinite(shown):
        return abs(shown) == abs(value)
    return abs(shown - scale * value) <= half * (1 + 1e-6) + 1e-12


def unit_of(losses):
    """Return how many units of a reader 1 is: 100 points of an error or accuracy."""
    return 100 if losses.metric.is_share else 1


def turned(row):
    """Return the row of a pair in the other order."""
    row = row.copy()
    row[["first", "second"]] = row[["second", "first"]].to_numpy()
    row["estimate"] = -row["estimate"]
    for low in ("ci_low", "ci_low_simultaneous", "pi_low"):
        if low in row:
            ends = [low, low.replace("low", "high")]
            row[ends] = -row[ends[::-1]].to_numpy()
    if "prob_less" in row:
        sides = ["prob_less", "prob_greater"]
        row[sides] = row[sides[::-1]].to_numpy()
    return row


def ends(text):
    """Return the two ends of an interval, "a to b", or of a bound, "≤ b"."""
    bounds = {"≤": ["-inf", text[2:]], "≥": [text[2:], "inf"]}
    return bounds.get(text[:1]) or text.split(" to ")


def shows_rounded_up(text, value):
    """Whether a text is a value rounded up to its digits, as bounds of p-values are."""
    digits = -Decimal(text).as_tuple().exponent
    return 0 <= float(text) - value < 10.0**-digits


def shows_pvalue(text, value):
    """Whether a text shows a p-value, or after "≤ " the value rounded up."""
    if text.startswith("≤ "):
        return shows_rounded_up(text[2:], value)
    return shows(text, value)


def numbers_in(text):
    """Return all numbers of sentences, as texts without a sign."""
    return re.findall(r"(?<![\w.])(\d[\d,]*(?:\.\d+)?(?:e[-−+]\d+)?)(?![\w(])", text)


def check_numbers(text, values):
    """Check that each number of sentences is one of some values, but for its sign."""
    for found in numbers_in(text):
        shown = found.replace(",", "").replace("−", "-")
        is_bound = f"≤ {found}" in text
        agrees = shows_rounded_up if is_bound and "p ≤" in text else shows
        assert any(agrees(shown, abs(value)) for value in values), (found, text, values)


def shows_interval(text, interval, scale=1):
    return all(map(shows, ends(text), interval, (scale, scale)))


# Tables -------------------------------------------------------------------------------


class Table(NamedTuple):
    """Headers and rows of texts."""

    headers: list
    rows: list

    def column(self, header):
        place = self.headers.index(header)
        return [row[place] for row in self.rows]


def text_tables(text):
    """Return the tables of a printed result: those with a rule of dashes."""
    lines, tables = text.splitlines(), []
    for at, line in enumerate(lines):
        if not re.fullmatch(r"-+(?:  -+)*", line) or at == 0:
            continue
        spans = [match.span() for match in re.finditer("-+", line)]
        spans[-1] = (spans[-1][0], None)
        cut = [
            [row[start:stop].strip() for start, stop in spans]
            for row in [lines[at - 1], *lines[at + 1 :]]
        ]
        length = next(
            (n for n, row in enumerate(lines[at + 1 :]) if not row.strip()), len(cut)
        )
        tables.append(Table(cut[0], cut[1 : 1 + length]))
    return tables


class _Page(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.tables, self.words, self._cell = [], [], None
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self._cell = []

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.tables[-1][-1].append("".join(self._cell).strip())
            self._cell = None

    def handle_data(self, data):
        if self._cell is not None:
            self._cell.append(data)
        else:
            self.words.append(data)


def html_tables(html):
    return [Table(rows[0], rows[1:]) for rows in _Page(html).tables]


def page_words(html):
    """Return the text of a page that is not in tables."""
    return " ".join(" ".join(_Page(html).words).split())


def markdown_tables(text):
    rows = [
        [cell.replace("\\", "").strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in text.splitlines()
        if line.startswith("|")
    ]
    return [Table(rows[0], [_plain(row) for row in rows[2:]])] if rows else []


def latex_tables(text):
    rows = [
        [_unlatex(cell) for cell in line.removesuffix(r"\\").split(" & ")]
        for line in text.splitlines()
        if line.rstrip().endswith(r"\\")
    ]
    return [Table(rows[0], [_plain(row) for row in rows[1:]])]


def _unlatex(text):
    text = re.sub(r"\\begin\{tabular\}\[b\]\{@\{\}.@\{\}\}|\\end\{tabular\}", "", text)
    text = text.replace(r"\\", " ").replace(r"\raggedright\hangindent=.8em ", "")
    text = text.replace(r"\allowbreak{}", "")
    text = text.replace(r"$^{\dagger}$", "†").replace("$-$", "−")
    text = text.replace(r"$\leq$", "≤").replace(r"$\geq$", "≥")
    text = text.replace(r"\textless{}", "<").replace(r"\textgreater{}", ">")
    text = re.sub(r"\\textbf\{(.*?)\}", r"**\1**", text)
    return re.sub(r"\\(.)", r"\1", text).replace("$<$", "<").strip()


def _plain(row):
    return [cell.replace("**", "").replace("†", "").strip() for cell in row]


# Pictures -----------------------------------------------------------------------------


class Drawn(NamedTuple):
    """A row of a forest plot, as a reader sees it."""

    label: str
    estimate: float
    is_filled: bool
    intervals: list  # the thickest first
    texts: dict  # by the title of their column


def drawn_forest(ax):
    """Read the rows of a forest plot from its artists."""
    from matplotlib.collections import LineCollection, PathCollection

    labels = {
        tick: text.get_text()
        for tick, text in zip(ax.get_yticks(), ax.get_yticklabels(), strict=True)
    }
    titles, cells = _columns(ax)
    segments = [
        (line.get_linewidths()[0], segment)
        for line in ax.collections
        if isinstance(line, LineCollection)
        for segment in line.get_segments()
    ]
    rows = []
    for points in ax.collections:
        if not isinstance(points, PathCollection):
            continue
        for (x, y), face in zip(
            points.get_offsets(),
            np.resize(points.get_facecolors(), (99, 4)),
            strict=False,
        ):
            if np.ma.is_masked(x):  # the best has a text alone
                continue
            of_row = [(w, s) for w, s in segments if len(s) and np.isclose(s[0, 1], y)]
            of_row.sort(key=lambda pair: -pair[0])
            rows.append(
                Drawn(
                    " ".join(labels[min(labels, key=lambda t: abs(t - y))].split()),
                    float(x),
                    not np.allclose(face[:3], 1.0),
                    [tuple(segment[:, 0]) for _, segment in of_row],
                    {title: cells[title, round(float(y), 6)] for title in titles},
                )
            )
    return rows


def _columns(ax):
    """Return the titles of the columns of text at the right, and their cells."""
    titles, cells = {}, {}
    for text in ax.texts:
        place, height = text.get_position()
        if place != 1:
            continue
        if height < 0:
            titles[place] = text.get_text()
        else:
            cells[titles[place], round(float(height), 6)] = text.get_text()
    return list(titles.values()), cells


def new_axes():
    """Return axes of a figure that no window holds."""
    from matplotlib.figure import Figure

    return Figure().subplots()
