"""What people read: short, in words, and each decision in it the one that was made.

No infinity, no code, no wrong plural and no cut name is printed. What is printed is
read back, and held against the frame, the best set, JSON and the tables for papers.
"""

import re
from dataclasses import replace

import numpy as np
import pytest
from common import square
from interfaces import (
    DIGITS,
    SPLITTERS,
    check_numbers,
    compared,
    data_of,
    drawn_forest,
    ends,
    html_tables,
    latex_tables,
    new_axes,
    number,
    numbers_in,
    quiet,
    random_designs,
    shows,
    text_tables,
)
from printed_results import CANDIDATES, DATA_SETS, MANY, PAIRS, all_comparisons
from scipy.optimize import brentq
from searches import compare
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn_cvtest._pairs._model_table import is_about_set
from sklearn_cvtest._report._metric_format import metric_format_of
from sklearn_cvtest._report._verdict import verdicts

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    Comparison,
    CorrectedResampledTTest,
    EquivalenceTest,
    FiveByTwoFTest,
    HoldoutTTest,
    KFoldTTest,
    RepeatedSubsample,
    RhoSensitivityDisplay,
    compare_candidates,
    compare_cv_results,
    compare_estimators,
    compare_over_datasets,
    compare_predictions,
    compare_scores,
    cross_val_interval,
)
from sklearn_cvtest.results import BestSet

MOST_CASES = 1000  # their number of designs says what is quick
pd = pytest.importorskip("pandas")
WRONG = {
    "a number that is none": r"(?<![\w-])[-−]?(?:inf|nan)(?![\w-])",
    "a name of code": r"\bneg_|<lambda>|\btest_score\b",
    "a cut name": "…",
    "a plural of one": r"(?<![\d.,–-])\b1 (?:more )?(?:example|group|model|estimator|"
    r"candidate|pair|repeat|label|proposal|split|run|comparison|positive|metric)s\b",
    "one other": r"\bthe other 1\b",
    "a long p": r"\bp [=≤<] 0\.\d{5}",
}
RNG = np.random.default_rng(4)
X = RNG.normal(size=(60, 3))
Y = X[:, 0] + RNG.normal(size=60)
CLASSES = (Y > 0.9).astype(int)
FOLDS = BlockKFold(3, random_state=0)
PIPE = "Pipeline(steps=[('scale', StandardScaler()), ('model', {}(alpha={}))])"
LONG = {
    "parameters": [PIPE.format("Ridge", k) for k in (1, 10, 100, 1000)],
    "modules": [f"weka.classifiers.{k}" for k in ("bayes.NaiveBayes", "trees.J48")],
    "nothing in common": ["x" * 50, "a name of many words that goes on and on", "y"],
    "words": ["mean", "none", "other", "0.5"],
}


def words_in(text):
    """Return the sentences and the tables of a text, each on one line."""
    return " ".join(text.split())


CALLS = {
    "best_set": lambda result: result.best_set(),
    "winner_interval": lambda result: result.winner_interval(),
    "plan": lambda result: result.plan(1e-6),
    "gate": lambda result: result.gate(0.02, result.names[0]),
    "pairs": lambda result: result.pairs(),
}


def answers(result, *names):
    """Yield what a comparison answers when it is asked."""
    if not hasattr(result, "winner_interval"):
        return
    for name in names:
        try:
            found = CALLS[name](result)
        except (TypeError, ValueError):  # not of this test or design
            continue
        yield from found.values() if isinstance(found, dict) else [found]


def fitted(names, **options):
    models = {name: Ridge(10.0**k) for k, name in enumerate(names)}
    return compare_estimators(models, X, Y, cv=FOLDS, **options)


def of_classes(**options):
    models = {"tree": DecisionTreeClassifier(random_state=0), "mean": DummyClassifier()}
    return compare_estimators(models, X, CLASSES, cv=FOLDS, **options)


def searched_trees():
    model = DecisionTreeClassifier(random_state=0)
    grid = {"min_samples_leaf": [1, 50], "max_depth": [1, 8], "criterion": ["gini"]}
    search = GridSearchCV(model, grid, cv=3, scoring="neg_log_loss").fit(X, CLASSES)
    return compare_candidates(search)


def searched_models():
    models = [LogisticRegression(C=10.0**k, max_iter=7 + k) for k in range(2)]
    models += [DecisionTreeClassifier(max_depth=3, random_state=0)]
    results = {"params": [{"model": model, "seed": 1} for model in models]}
    scores = RNG.normal(size=(3, 4))
    results |= {f"split{k}_test_score": scores[:, k] for k in range(4)}
    return compare_candidates(results, n_train=45, n_test=15)


def of_scores(n):
    scores = {name: RNG.normal(0.8, 0.02, n) for name in "abc"}
    return {name: {"test_score": values} for name, values in scores.items()}


def ranks():
    """Return ranks of models that rank alike on all data sets."""
    numbers = np.arange(4) + np.arange(3)[:, np.newaxis] ** 1.1
    table = pd.DataFrame(dict(zip("xyz", numbers, strict=True)), index=list("abcd"))
    return compare_over_datasets(table, score="points").ranks()


def tiny():
    base = RNG.normal(size=200)
    return compare_scores({"a": base, "b": base + 1 + RNG.normal(0, 0.1, 200)})


RESULTS = {
    "several metrics": lambda: of_classes(scoring=["accuracy", "neg_log_loss"]),
    "several metrics of intervals": lambda: cross_val_interval(
        {"l": LogisticRegression()}, X, CLASSES, cv=3, scoring=["f1", "neg_log_loss"]
    ),
    "without variance": lambda: cross_val_interval(
        {"constant": DummyClassifier()}, X, CLASSES, cv=FOLDS, scoring="neg_log_loss"
    ),
    "one split": lambda: cross_val_interval(
        {"r": Ridge()}, X, Y, cv=BlockKFold(2), scoring="neg_median_absolute_error"
    ),
    "a lambda": lambda: fitted("ab", loss=lambda t, p: (t - p) ** 2),
    "a scorer": lambda: fitted("ab", scoring=lambda m, X, y: m.score(X, y)),
    "two equal ones of three": lambda: compare_estimators(
        {"a": Ridge(), "b": Ridge(), "c": Ridge(100.0)}, X, Y, cv=FOLDS
    ),
    "ranks": ranks,
    "two equal models": lambda: compare_predictions(Y, {"a": Y + 1, "b": Y + 1}),
    "two candidates": searched_trees,
    "candidates that are models": searched_models,
    "F of 5x2": lambda: compare_cv_results(
        of_scores(10), cv="5x2", test=FiveByTwoFTest(), reference="best"
    ),
    "two folds": lambda: compare_cv_results(of_scores(2), cv=2),
    "tiny": tiny,
    **{f"long: {name}": lambda names=n: fitted(names) for name, n in LONG.items()},
    **{
        f"long, reference: {name}": lambda names=n: fitted(names, reference=names[0])
        for name, n in LONG.items()
    },
    "long, data sets": lambda: compare_over_datasets(
        {k: fitted(LONG["parameters"]).losses for k in ("first.long.name", "d", "e")}
    ),
    **{
        f"{kind}: {name}": make
        for kind, makes in {
            "candidates": CANDIDATES,
            "data sets": DATA_SETS,
            "many": MANY,
            "pairs": PAIRS,
        }.items()
        for name, make in makes.items()
    },
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("make", RESULTS.values(), ids=RESULTS)
def test_people_read_words(make):
    result = make()
    for each in (str(result), result.report(), *answers(result, *CALLS)):
        text = words_in(str(each))
        for what, pattern in WRONG.items():
            assert not re.search(pattern, text), (what, text)


@pytest.mark.parametrize(
    ("kind", "short"),
    [
        ("parameters", ["alpha=1", "alpha=10", "alpha=100", "alpha=1000"]),
        ("modules", ["bayes.NaiveBayes", "trees.J48"]),
        ("nothing in common", LONG["nothing in common"]),
    ],
)
def test_sentences_and_tables_have_the_same_names_and_whole_ones(kind, short):
    with quiet():
        result = fitted(LONG[kind], reference=LONG[kind][0])
    said, table, how = str(result).split("\n\n")
    _, rule, *lines = table.splitlines()
    cells = "".join(line[: rule.index(" ")] for line in lines)
    for name in short:
        assert name in words_in(said) or "the other 3" in said, said
        assert name.replace(" ", "") in cells.replace(" ", ""), table
    is_short = short != LONG[kind]
    assert ("without the parts that all of them share" in words_in(how)) == is_short
    frame = result.to_frame()
    assert {*frame["first"], *frame["second"]} == set(LONG[kind])
    assert {*result.to_dict()["better"], *result.to_dict()["worse"]} <= set(LONG[kind])


@pytest.mark.parametrize("word", ["mean", "0.5"])
def test_a_name_that_reads_as_a_word_is_quoted_in_sentences_alone(word):
    with quiet():
        result = fitted([word, "ridge"])
    said, table, *_ = str(result).split("\n\n")
    assert f"'{word}'" in said
    assert f"'{word}'" not in table
    assert result.to_dict()["tied"] or word in result.to_dict()["better"]


def test_a_tiny_number_does_not_lengthen_the_others():
    result = tiny()
    low = result.table.ci_low[0]
    moved = result.gate(abs(low) * (1 - 1e-9), "b")
    assert not re.search(r"\d\.\d{5}", str(moved))


# Random prints -----------------------------------------------------------------------

LIMITS = {2: 12, 8: 20}  # lines
WIDTH, WORDS = 88, 120
P = re.compile(r"\s(?:[<≤] ?)?(\d\.\d{3}|\d\.\de-\d\d)$")


def predictions(names, better, rng, options):
    y = rng.integers(0, 2, 200)
    right = {name: rng.random(200) < 0.7 + 0.25 * gain for name, gain in better}
    given = {name: np.where(is_right, y, 1 - y) for name, is_right in right.items()}
    return compare_predictions(y, given, **options)


def examples(names, better, rng, options):
    base = rng.normal(size=100)
    noise = {name: 0.2 * rng.normal(size=100) + 0.1 * gain for name, gain in better}
    return compare_scores({n: base + e for n, e in noise.items()}, **options)


def folds(names, better, rng, options):
    scores = {n: 0.8 + 0.05 * gain + 0.02 * rng.normal(size=10) for n, gain in better}
    return compare_cv_results(scores, cv=10, **options)


def fits(names, better, rng, options):
    X = rng.normal(size=(80, 4))
    y = X[:, 0] + rng.normal(size=80)
    models = {name: Ridge(10 ** (4 * gain)) for name, gain in better}
    cv = BlockKFold(5, n_repeats=int(rng.integers(1, 4)), random_state=0)
    return compare_estimators(models, X, y, cv=cv, **options)


def drawn(seed):
    """Return a random comparison of two to eight models."""
    rng = np.random.default_rng(seed)
    names = [f"m{i}" for i in range(rng.integers(2, 9))]
    options = {"reference": "m0"} if rng.random() < 0.3 else {}
    if rng.random() < 0.3:
        adjustments = "holm", "bonferroni", None
        options["p_adjust"] = adjustments[rng.integers(3)]
    gains = rng.choice([0, 0.3, 1.0]) * rng.random(len(names))
    how = (predictions, examples, folds, fits)[rng.integers(4)]
    return how(names, list(zip(names, gains, strict=True)), rng, options)


def marked(lines):
    """Return {model: whether its line has a dagger, the line}."""
    found = {}
    for line in lines:
        name = re.search(r"\bm\d\b", line)
        if name and name[0] not in found:
            found[name[0]] = "†" in line or "dag" in line, line.rstrip()
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "seeds",
    [range(25), pytest.param(range(25, 1000), marks=pytest.mark.slow)],
    ids=["few", "many"],
)
def test_prints_are_short_and_contradict_nothing(seeds):
    for seed in seeds:
        result = drawn(seed)
        text, names, said = str(result), result.names, result.to_dict()
        most = min(
            lines for n_models, lines in LIMITS.items() if n_models >= len(names)
        )
        assert len(text.splitlines()) <= most, text
        first, table, *_ = text.split("\n\n")
        frame = result.to_frame()
        if len(names) == 2:
            is_significant = bool(frame["significant"][0])
            assert ("is better than" in first) == is_significant
            assert bool(said["better"]) == is_significant
            continue
        lines = marked(table.splitlines()[2:])
        assert set(lines) == set(names)
        pairs = zip(frame["first"], frame["second"], frame["significant"], strict=True)
        if said["family"] == "best set":
            tied = set(result.best_set().names)
        elif result.reference is None:
            tied = {*said["tied"], result.best}
        else:
            listed = {*said["tied"], *said["better"], *said["worse"]}
            tied = {n for pair in pairs if not pair[2] for n in pair[:2] if n in listed}
        for name, (is_marked, line) in lines.items():
            is_tied = name in tied and name != result.reference
            assert is_marked == is_tied, text
            p = P.search(line) if name != result.reference else None
            if p and line.count(" to ") > 1:
                assert (float(p[1]) > result.alpha) == is_tied, text
        for paper in (result.to_markdown(), result.to_latex()):
            body = re.split(r"\n\|[-:| ]+\n|\\midrule", paper)[1]
            for name, (is_marked, _) in marked(body.splitlines()).items():
                assert is_marked == lines[name][0], paper
        worse = {name for name in names if name not in tied} - {result.reference}
        assert worse <= {*said["worse"], *said["better"]}


# Hard prints ------------------------------------------------------------------------

PIPELINE = "Pipeline(steps=[('scale', StandardScaler()), ('model', Model(depth={}))])"
NAMES = [[name.format(i) for i in range(8)] for name in ("m{}", PIPELINE)]


def check_limits(result, n_models):
    """Hold a print to its lines and their length, and a report to its words."""
    names = getattr(result, "estimator_names", ())
    is_long = any(name in NAMES[1] for name in names)
    for shown in (
        result,
        *answers(result, "best_set", "winner_interval", "plan", "gate"),
    ):
        lines = str(shown).splitlines()
        most = LIMITS[n_models] * (1 + is_long)  # sentences hold whole names
        assert len(lines) <= most, str(shown)
        assert max(map(len, lines)) <= WIDTH, str(shown)
    if n_models == 2 and hasattr(result, "losses"):
        text = result.report()
        for name in names:
            text = text.replace(name, "name")
        assert len(text.split()) <= WORDS, text


every_name = pytest.mark.parametrize("names", NAMES, ids=["short", "long"])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "options",
    [
        {"reference": 0},
        {"test": HoldoutTTest(alternative="greater")},
        {"test": HoldoutTTest(popmean=0.02)},
        {"test": EquivalenceTest(HoldoutTTest(), margin=0.1)},
        {"test": EquivalenceTest(HoldoutTTest(), margin=0.03, alternative="greater")},
        {
            "test": EquivalenceTest(HoldoutTTest(), margin=0.05),
            "groups": True,
            "reference": 0,
        },
        {"groups": True, "alpha": 0.00123},
    ],
    ids=str,
)
@pytest.mark.parametrize("n_models", [2, 8])
@every_name
def test_hard_prints_of_predictions_are_short(options, n_models, names):
    rng, names = np.random.default_rng(0), names[:n_models]
    options = dict(options)
    if options.pop("groups", False):
        options["groups"] = rng.integers(0, 60, 240)
    if "reference" in options:
        options["reference"] = names[0]
    y = np.arange(240) // 200  # of which the most frequent class is right in 83%
    right = [rng.random(240) < 0.8 + 0.02 * i for i in range(n_models)]
    given = dict(zip(names, np.where(right, y, 1 - y), strict=True))
    check_limits(compare_predictions(y, given, **options), n_models)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "options",
    [
        {"cv": RepeatedSubsample(15, random_state=0)},  # another design finds more
        {
            "cv": BlockKFold(4, n_repeats=3, random_state=0),
            "groups": np.arange(120) // 10,
        },
        {"cv": 4, "groups": np.arange(120) // 15},  # few groups
        {"cv": BlockKFold(5, random_state=0), "loss": "squared_error"},
        {"test": BayesianCorrelatedTTest(rope=0.02)},
        {"scoring": ["accuracy", "roc_auc", "f1"]},
    ],
    ids=lambda options: "-".join(options),
)
@pytest.mark.parametrize(
    ("n_models", "names"),
    [(2, NAMES[0]), (8, NAMES[0]), (8, NAMES[1])],
    ids=["2", "8", "8 long"],
)
def test_hard_prints_of_fits_are_short(options, n_models, names):
    X = np.random.default_rng(1).normal(size=(120, 3))
    y = (X.sum(axis=1) > 1.4).astype(int)
    models = {
        name: DecisionTreeClassifier(max_depth=i + 1, random_state=0)
        for i, name in enumerate(names[:n_models])
    }
    check_limits(compare_estimators(models, X, y, **options), n_models)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("n_models", [2, 8])
@every_name
def test_hard_prints_of_runs_are_short(n_models, names):
    rng = np.random.default_rng(0)
    base = rng.normal(size=(3, 80))
    runs = {n: base + 0.3 * rng.normal(size=(3, 80)) for n in names[:n_models]}
    result = compare_scores(runs)
    check_limits(result, n_models)
    check_limits(result.variance_table(), n_models)


# Sentences and their tables -----------------------------------------------------------

EVERY = 17  # of how many one is checked in every run


@pytest.fixture(
    scope="module", params=["some", pytest.param("all", marks=pytest.mark.full)]
)
def tables(request):
    """Return (name, comparison, table, verdict) of comparisons of all options."""
    cases = []
    for place, (name, make) in enumerate(all_comparisons()):
        is_some = place % EVERY == 3 or "weights, far" in name
        if is_some or request.param == "all":
            with quiet():
                result = make()
                of_tests = verdicts(result)
            for test, table in result.tables.items():
                cases.append((f"{name}: {test}", result, table, of_tests[test]))
    return cases


def test_whoever_is_better_in_words_is_better_in_the_table_and_nobody_else(tables):
    for name, result, table, verdict in tables:
        if verdict.reference is None:
            better = {row.winner for row in table.rows()} - {""}
            assert len(table) > 1 or set(verdict.better) == better, name
        elif is_about_set(result, test := name.rpartition(": ")[2]):
            best = result.best_set()
            best = best if isinstance(best, BestSet) else best[test]
            assert set(verdict.worse) == set(best.pvalues) - set(best.names), name
        else:
            rows = [row for row in table.rows() if verdict.reference in row[:2]]
            won = {row.winner for row in rows} - {""}
            assert set(verdict.better) == won - {verdict.reference}, name
            lost = {
                n for row in rows if row.winner == verdict.reference for n in row[:2]
            }
            assert set(verdict.worse) == lost - {verdict.reference}, name


def test_what_is_not_significant_has_no_small_p(tables):
    for name, _, table, verdict in tables:
        is_posterior = table.test.traits.decides == "posterior"
        is_unclear = verdict.decision in ("not significant", "inconclusive")
        if len(table) == 1 and not is_posterior and is_unclear:
            assert table.pvalue_adjusted[0] > table.alpha, (name, verdict.text)


def test_numbers_of_a_verdict_are_those_of_its_table(tables):
    """In the unit of the user: the difference, its interval and p."""
    for name, result, table, verdict in tables:
        amount = re.search(rf"by ({DIGITS}) (?:in|points?)\b", verdict.text)
        if len(table) > 1 or table.test.popmean or amount is None:
            continue
        scale = 100 if metric_format_of(result.losses).is_share else 1
        row = table.row(0)
        assert shows(amount[1], abs(row.estimate), scale), (name, verdict.text)
        interval = re.search(rf"CI ({DIGITS}) to ({DIGITS})", verdict.text)
        if interval:
            sides = sorted(map(abs, (row.ci_low, row.ci_high)))
            texts = [text.strip("-−") for text in interval.groups()]
            for text, side in zip(sorted(texts, key=float), sides, strict=True):
                assert shows(text, side, scale), (name, verdict.text)
        pvalue = re.search(rf"p (= {DIGITS}|< 0.001)", verdict.text)
        if pvalue:
            text = pvalue[1].removeprefix("= ")
            assert shows(text, row.pvalue_adjusted), (name, verdict.text)


def test_nobody_is_better_by_less_than_nothing(tables):
    for name, _, table, verdict in tables:
        assert not re.search(r"(?:ahead|behind|better) by [-−]", verdict.text), name
        place = re.search(r": (\S+) is (ahead|behind) by", verdict.text)
        if place and len(table) == 1 and not table.test.popmean:
            row = table.row(0)
            ahead = row.second if row.estimate > 0 else row.first
            who = verdict.text.partition(" ")[0] if place[1] == "it" else place[1]
            assert (who == ahead) == (place[2] == "ahead"), (name, verdict.text)


def test_a_report_says_weights_groups_seed_and_splitter_and_shows_no_repr(tables):
    for name, result, _, verdict in tables:
        report, losses = words_in(result.report()), result.losses
        assert not re.search(r"\b(?:BlockKFold|RepeatedSubsample)\(", report), name
        for text in (report, verdict.text, str(result)):
            assert ("weight" in text) >= losses.is_weighted, name
        assert losses.groups is None or f"in {losses.n_groups} groups" in report, name
        assert not losses.cv_description or losses.cv_description in report, name
        in_sentences = re.sub(r"\bp \(holm\)", "", report)  # the head of a column
        assert "holm" not in in_sentences, name


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_people_read_words_whatever_the_options(tables):
    for name, result, *_ in tables:
        for each in (str(result), result.report(), *answers(result, *CALLS)):
            text = words_in(str(each))
            for what, pattern in WRONG.items():
                assert not re.search(pattern, text), (name, what, text)


# Intervals and significance -----------------------------------------------------------

N = 120
ALPHA = 0.05


def is_outside(text):
    """Whether 0 is outside an interval that is printed."""
    low, high = (side_of_zero(end) for end in ends(text))
    return not low <= 0 <= high


def side_of_zero(end):
    """Return a printed number; of one too near 0 for its decimals, its side alone."""
    if end[0] in "<>":
        return 1.0 if end[0] == "<" else -1.0
    return float(end.replace("−", "-").removesuffix("%"))


def is_small(text):
    """Whether a printed p-value is significant."""
    return float(text.split()[-1]) <= ALPHA  # after a sign of a bound


def check_table(table):
    """Check the last interval of each row against its p-value; return the answers."""
    (p,) = (n for n, head in enumerate(table.headers) if head.split()[0].lower() == "p")
    interval = max(n for n in range(p) if "CI" in table.headers[n])
    rows = [row for row in table.rows if row[p]]
    for row in rows:
        assert is_outside(row[interval]) == is_small(row[p]), row
    return [is_small(row[p]) for row in rows]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"groups": np.arange(N) // 4, "splits": np.arange(N) // 4 % 5},
        {"reference": "m1"},
        {"reference": "best"},
        {"p_adjust": "bonferroni"},
        {"test": KFoldTTest(0.3)},
    ],
    ids=lambda options: "-".join(map(str, options)) or "best",
)
@pytest.mark.parametrize("n_models", [3, 5, 8])
@random_designs(few=1, many=3)
def test_zero_is_outside_of_an_interval_exactly_if_significant(n_models, options, seed):
    rng = np.random.default_rng([seed, n_models])
    y = rng.normal(size=N)
    models = {f"m{i}": y + (1 + 0.12 * i) * rng.normal(size=N) for i in range(n_models)}
    options = {"loss": "absolute_error", "splits": np.arange(N) % 5} | options
    result = compare_predictions(y, models, **options)
    printed = check_table(text_tables(str(result))[0])
    assert check_table(html_tables(result._repr_html_())[0]) == printed
    assert check_table(latex_tables(result.to_latex())[0]) == printed
    check_table(text_tables(str(result.pairs("all")))[0])
    check_picture(result.plot(ax=new_axes()).ax_)
    check_frame_and_json(result)


def check_picture(axes):
    for row in drawn_forest(axes):
        if row.intervals:
            low, high = row.intervals[0]
            assert row.is_filled == (not low <= 0 <= high)


def check_frame_and_json(result):
    """Check the frame, JSON and the set that may hold the best."""
    frame = result.to_frame()
    low, high = frame["ci_low_simultaneous"], frame["ci_high_simultaneous"]
    outside = (low > 0) | (high < 0)
    assert outside.tolist() == (frame["pvalue_adjusted"] <= ALPHA).tolist()
    content = result.to_dict()
    for pair in content["pairs"]:
        low, high = pair["ci_low_simultaneous"], pair["ci_high_simultaneous"]
        is_above, is_below = (low or 0) > 0, (high or 0) < 0  # None is no end
        assert pair["significant"] == (is_above or is_below)
    best = result.best_set()
    for model in content.get("models", [])[1:]:
        assert (model["ci_low"] > 0) == (model["pvalue"] <= ALPHA)
        assert (model["decision"] == "worse") == (model["model"] not in best.names)
    assert content.get("best", list(best.names)) == list(best.names)
    for name, (_, low, _) in best.differences.items():
        assert (low > 0) == (name not in best.names) == (best.pvalues[name] <= ALPHA)
    check_table(text_tables(str(best))[0])
    check_picture(best.plot(ax=new_axes()))


@random_designs(few=1, many=3)
def test_several_metrics_agree(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=N)
    models = {
        f"m{i}": np.where(rng.random(N) < 0.1 + 0.07 * i, 1 - y, y) for i in range(5)
    }
    result = compare_predictions(
        y, models, scoring=["accuracy", "f1"], splits=np.arange(N) % 5
    )
    for of_metric in result.values():
        check_table(text_tables(str(of_metric))[0])
        check_frame_and_json(of_metric)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_one_that_is_better_than_all_others_is_named():
    rng = np.random.default_rng(0)
    y = rng.normal(size=N)
    models = {f"m{i}": y + (1 + 4 * i) * rng.normal(size=N) for i in range(3)}
    content = compare_predictions(y, models, splits=np.arange(N) % 5).to_dict()
    assert content["better"] == content["best"] == ["m0"]
    assert sorted(content["worse"]) == ["m1", "m2"]


def verdict_of(result):
    """Return the first paragraph of what is printed."""
    return " ".join(str(result).split("\n\n")[0].split())


# Sentences --------------------------------------------------------------------------


@pytest.mark.parametrize("reference", ["a", None])
@random_designs(few=3, many=20)
def test_what_is_not_significant_over_data_sets_has_no_small_p(reference, seed):
    rng = np.random.default_rng(seed)
    parts = {f"d{k}": data_of(rng, 4).compare(5) for k in range(4)}
    result = compare_over_datasets(parts, reference=reference)
    for text in map(words_in, (str(result), result.report())):
        clauses = re.findall(r"[^;.]*not significantly[^;.]*", text)
        assert clauses
        assert not re.search(r"p [=<≤]", " ".join(clauses)), clauses


# The first sentence -------------------------------------------------------------------


@pytest.mark.parametrize("pvalue", [0.0504, 0.0496, 0.05004])
@random_designs(few=1, many=10)
def test_a_p_value_is_shown_on_its_side_of_the_level(pvalue, seed):
    data = data_of(np.random.default_rng(seed), 2)
    losses = data.losses(6)

    def shifted(by):
        moved = losses.values + np.array([0.0, by])
        return Comparison(replace(losses, losses=moved))

    found = losses.mean_losses
    tie, spread = found[0] - found[1], np.ptp(losses.values)
    result = shifted(brentq(lambda c: shifted(c).pvalue_ - pvalue, tie, tie + spread))
    assert result.pvalue_ == pytest.approx(pvalue, rel=1e-4)
    for text in map(words_in, (str(result), result.report())):
        (shown, *_) = re.findall(rf"\bp = ({DIGITS})", text)
        assert (number(shown)[0] <= 0.05) == (pvalue <= 0.05), text
        assert shown not in ("0.050", "0.05")


@random_designs(few=4, many=30)
def test_a_verdict_of_one_seed_says_so_first(seed):
    data = data_of(np.random.default_rng(seed), 2, spread=1.5)
    result = data.compare(SPLITTERS["repeated k-fold"](seed))
    stability = result.to_frame()["seed_stability"].item()
    first = re.split(r"(?<=[a-z)0-9])\. (?=[A-Z])", verdict_of(result))[0]
    assert f"{stability:.2f}" in first or stability >= 0.8, (first, stability)


# One number, twice --------------------------------------------------------------------


@pytest.mark.parametrize("case", ["KFoldZTest", "KFoldTTest"])
@random_designs(few=2, many=20)
def test_rho_alpha_of_the_picture_is_that_of_the_table(case, seed):
    result = compared(case, np.random.default_rng(seed), 2)
    display = RhoSensitivityDisplay.from_comparison(result, ax=new_axes())
    assert np.ravel(display.rho_alpha) == pytest.approx(result.rho_alpha_)


@random_designs(few=2, many=20)
def test_a_difference_is_that_of_the_means_beside_it(seed):
    result = compared("FiveByTwoTTest", np.random.default_rng(seed), 2)
    first, second = result.losses.mean_losses
    amount = re.search(rf"by ({DIGITS})(?: in| points)", verdict_of(result))
    shown, half = number(amount[1])
    is_first_split = "first split" in verdict_of(result)
    assert is_first_split or abs(shown - abs(first - second)) <= half + 1e-9


# Pictures -----------------------------------------------------------------------------


@pytest.mark.parametrize("margin", [0.2, 30.0])
@pytest.mark.parametrize("case", ["EquivalenceTest", "BayesianCorrelatedTTest"])
@random_designs(few=1, many=20)
def test_margins_are_on_the_axis_and_named(case, margin, seed):
    result = compared("CorrectedResampledTTest", np.random.default_rng(seed), 3)
    test = BayesianCorrelatedTTest(margin)
    if case == "EquivalenceTest":
        test = EquivalenceTest(CorrectedResampledTTest(), margin)
    axes = new_axes()
    result.retest(test).plot(ax=axes)
    low, high = axes.get_xlim()
    assert low < -margin < margin < high
    texts = [text.get_text() for text in axes.texts] + [axes.get_xlabel()]
    texts += [line.get_label() for line in axes.lines]
    if axes.get_legend() is not None:
        texts += [text.get_text() for text in axes.get_legend().get_texts()]
    assert any(re.search(rf"(?<![\d.]){margin:g}(?![\d.])", t) for t in texts), texts


@random_designs(few=2, many=10)
def test_a_filled_marker_is_not_called_better_where_it_may_be_worse(seed):
    rng = np.random.default_rng(seed)
    result = compared("BayesianCorrelatedTTest", rng, 4, reference="a")
    axes = new_axes()
    result.plot(ax=axes)
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert any(text.startswith("significantly different") for text in legend)
    assert not any("better" in text for text in legend)


# The best of many ---------------------------------------------------------------------


def squared(seed, **options):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=80)
    guesses = {name: y + rng.normal(size=80) for name in "abcdefgh"}
    if "scoring" not in options:
        options = {"loss": square} | options
    return compare_predictions(y, guesses, **options)


def labels(seed, **options):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 150)
    guesses = {name: np.where(rng.random(150) < 0.2, 1 - y, y) for name in "abcdef"}
    return compare_predictions(y, guesses, **options)


def candidates(seed, shift=0.0):
    # worse by up to 5, so that the best is neither the first nor the last
    rng = np.random.default_rng(seed)
    worse = 5 * rng.random((12, 1))
    return compare(shift - worse + rng.normal(size=(12, 10)))


@pytest.mark.parametrize(
    ("make", "unit", "sign"),
    [
        (squared, 1, 1),
        (lambda seed: squared(seed, scoring="neg_mean_absolute_error"), 1, -1),
        (labels, 100, 1),
        (lambda seed: labels(seed, scoring="accuracy"), 100, 1),
        (candidates, 1, 1),
        (lambda seed: candidates(seed, 1.0), 1, 1),
    ],
    ids=["losses", "scores", "errors", "accuracies", "candidates", "around zero"],
)
@pytest.mark.parametrize("alpha", [0.05, 0.2])
@pytest.mark.parametrize("seed", range(3))
def test_the_sentence_of_a_winner_shows_its_attributes(make, unit, sign, alpha, seed):
    result = make(seed)
    with quiet():
        won = result.winner_interval(alpha=alpha)
    said = str(won).partition("\n\n")[0]
    name, means = won.shown_name, result.losses.mean_losses
    assert name == result.losses.names[np.argmin(means)]
    said = said.replace(name, "")
    ends = sorted((sign * won.ci_low, sign * won.ci_high))
    values = [sign * won.estimate, sign * won.mean, *ends]
    for value in values:
        assert any(shows(n, abs(value), unit) for n in numbers_in(said)), (value, said)
    others = [len(means), 100 * (1 - alpha)]
    check_numbers(said, [*(unit * value for value in values), *others])
    assert ends[0] < sign * won.estimate < ends[1]
    (table,) = text_tables(str(won))
    rows = [[cell.replace("−", "-") for cell in row[1:]] for row in table.rows]
    own = sorted((sign * won.mean_low, sign * won.mean_high))
    for row, value in zip(rows, (won.mean, won.estimate), strict=True):
        assert shows(row[0].rstrip("%"), sign * value, unit)
    for row, interval in zip(rows, (own, ends), strict=True):
        for text, value in zip(row[1].split(" to "), interval, strict=True):
            assert shows(text.rstrip("%"), value, unit)


def test_a_row_of_a_search_names_the_winner():
    won = candidates(0).winner_interval()
    assert won.shown_name == f"C={won.name}"
    assert won.name == np.argmin(won.losses.mean_losses)
    assert won.mean == pytest.approx(-won.losses.mean_losses.min())


@pytest.mark.parametrize("kind", ["errors", "scores"])
@pytest.mark.parametrize("n_models", [1, 4])
@pytest.mark.parametrize("seed", range(4))
def test_the_sentence_of_a_gate_shows_its_frame(kind, n_models, seed):
    rng = np.random.default_rng(seed)
    if kind == "errors":
        y = rng.integers(0, 2, 200)
        rates = [*[0.15] * n_models, rng.uniform(0.1, 0.5)]
        wrong = {f"m{k}": rng.random(200) < rate for k, rate in enumerate(rates)}
        given = {name: np.where(flip, 1 - y, y) for name, flip in wrong.items()}
        result, margin, unit = compare_predictions(y, given), 0.08, 100
    else:
        given = {"m0": rng.normal(size=60)}
        for k in range(n_models):
            change = rng.normal(rng.normal(0, 0.4), 1, 60)
            given[f"m{k + 1}"] = given["m0"] + change
        result, margin, unit = compare_scores(given), 0.25, 1
    with quiet():
        gate = result.gate(margin, "m0")
    frame = gate.to_frame().set_index("model")
    assert list(frame.index) == list(gate.sentences)
    shown, refuted = gate.comparison.table, gate.refutation.table
    for place, (name, text) in enumerate(gate.sentences.items()):
        row = frame.loc[name]
        # bounds that are called simultaneous are at the level over their number
        level = 1 - 0.05 / n_models
        tests = shown.test, refuted.test
        residuals = gate.comparison.losses.residuals("m0", name)
        alone = [test.fit(residuals).confidence_interval(level) for test in tests]
        assert row["low"] == pytest.approx(alone[0].low)
        assert row["high"] == pytest.approx(alone[1].high)
        table = {"shown": shown, "refuted": refuted}.get(row["decision"])
        pvalue = [] if table is None else [min(table.pvalue[place] * n_models, 1)]
        bounds = {"shown": ["low"], "refuted": ["high"]}
        bounds = [row[end] for end in bounds.get(row["decision"], ["low", "high"])]
        said = [gate.margin, row["estimate"], *bounds]
        some = [row["detectable_margin"]] * (table is None)
        values = [unit * value for value in [*said, *some]]
        found = numbers_in(text)
        for value in [*(unit * value for value in said), *pvalue]:
            is_shown = value < 0.001 or any(shows(n, abs(value)) for n in found)
            assert is_shown, (value, text)
        counts = [row[c] for c in ("right_to_wrong", "wrong_to_right") if c in row]
        assert all(f"on {count}" in text for count in counts)
        check_numbers(text, [*values, *pvalue, *counts, 95, 80, 0.001])


@pytest.mark.filterwarnings("ignore")
def test_a_mark_is_explained_wherever_it_stands():
    """Where one of three failed, two are left, of which none is marked."""
    y = np.arange(60) % 2
    models = {"a": DummyClassifier(), "b": GaussianNB(), "bad": GaussianNB(priors=[2])}
    X = np.random.default_rng(0).normal(size=(60, 2))
    assert "†" not in str(compare_estimators(models, X, y, error_score=np.nan))


def test_equal_models_have_no_interval_among_pairs_either():
    y = np.arange(60) % 2
    a, c = y.copy(), y.copy()
    a[:5], c[:20] = 1 - a[:5], 1 - c[:20]
    result = compare_predictions(y, {"a": a, "b": a, "c": c}, splits=y.cumsum() % 5)
    (row,) = [
        line for line in str(result.pairs("all")).splitlines()
        if {"a", "b"} <= set(line.split())
    ]  # fmt: skip
    assert "–" in row


@pytest.mark.parametrize("sizes", [(20, 20, 20, 240), (75, 75, 75, 75)])
def test_means_that_disagree_with_their_difference_say_so(sizes):
    """Means weigh folds, and the default test weighs examples."""
    rng = np.random.default_rng(0)
    fold = np.repeat(np.arange(4), sizes)
    shift = np.where(fold < 3, 0.5, -0.5)
    errors = {"a": rng.normal(2, 0.3, 300) + shift, "b": rng.normal(2, 0.3, 300)}
    options = {"loss": "absolute_error", "splits": fold}
    result = compare_predictions(np.zeros(300), errors, **options)
    gap = abs(np.ptp(result.losses.mean_losses) - abs(result.table.estimate[0]))
    note = "differences average examples, so they disagree"
    said = note in " ".join(str(result).split())
    assert said == (gap > 0.01)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("n_negatives", [540, 60])
def test_a_p_value_that_few_positives_limit_is_said_to_be(n_negatives):
    y = np.r_[np.ones(60, int), np.zeros(n_negatives, int)]
    a, b = y.copy(), y.copy()
    a[:4], b[:8] = 0, 0
    folds = np.arange(len(y)) % 5
    result = compare_predictions(y, {"a": a, "b": b}, scoring="f1", splits=folds)
    plain = result.table.test.evaluate(result.losses.residuals("a", "b")).pvalue
    note = "As F1 rests on 60 examples of the rarer class"
    said = note in " ".join(result.report().split())
    assert said == (plain < result.pvalue_)
