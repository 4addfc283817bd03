"""What people read: short, in words, and each decision in it the one that was made.

No infinity, no code, no wrong plural and no cut name is printed. What is printed is
read back, and held against the frame, the best set, JSON and the tables for papers.
"""

import re
from itertools import islice

import numpy as np
import pytest
from interfaces import quiet
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier
from test_texts import CANDIDATES, DATA_SETS, MANY, PAIRS
from texts_catalogue import comparisons

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    EquivalenceTest,
    FiveByTwoFTest,
    HoldoutTTest,
    RepeatedSubsample,
    compare_candidates,
    compare_cv_results,
    compare_estimators,
    compare_over_datasets,
    compare_predictions,
    compare_scores,
    cross_val_interval,
)

MOST_CASES = 100  # of results, which are small
pd = pytest.importorskip("pandas")
EVERY = 23  # of how many results of the catalogue one is read
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


def texts_of(result):
    """Yield what a result prints and reports, and what it says when it is asked."""
    yield str(result)
    yield result.report()
    if not hasattr(result, "winner_interval"):
        return
    reference = result.estimator_names[0]
    calls = {
        "best_set": (),
        "winner_interval": (),
        "plan": (1e-6,),
        "gate": (0.02, reference),
        "pairs": (),
    }
    for name, arguments in calls.items():
        try:
            found = getattr(result, name)(*arguments)
        except (TypeError, ValueError):  # not of this test or design
            continue
        yield from map(str, found.values() if isinstance(found, dict) else [found])


def check_words(result):
    for text in map(words_in, texts_of(result)):
        for what, pattern in WRONG.items():
            assert not re.search(pattern, text), (what, text)


def fitted(names, **options):
    models = {name: Ridge(10.0**k) for k, name in enumerate(names)}
    return compare_estimators(models, X, Y, cv=FOLDS, **options)


def of_classes(**options):
    models = {
        "tree": DecisionTreeClassifier(random_state=0),
        "mean": DummyClassifier(),
    }
    return compare_estimators(models, X, CLASSES, cv=FOLDS, **options)


def searched():
    model = DecisionTreeClassifier(random_state=0)
    grid = {"min_samples_leaf": [1, 50], "max_depth": [1, 8], "criterion": ["gini"]}
    return GridSearchCV(model, grid, cv=3, scoring="neg_log_loss").fit(X, CLASSES)


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


def benchmark():
    """Return a table of results in which the models rank alike on all data sets."""
    numbers = np.arange(4) + np.arange(3)[:, np.newaxis] ** 1.1
    return pd.DataFrame(dict(zip("xyz", numbers, strict=True)), index=list("abcd"))


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
    "ranks": lambda: compare_over_datasets(benchmark(), score="points").ranks(),
    "two equal models": lambda: compare_predictions(Y, {"a": Y + 1, "b": Y + 1}),
    "two candidates": lambda: compare_candidates(searched()),
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


@pytest.mark.parametrize("make", RESULTS.values(), ids=RESULTS)
def test_people_read_words(make):
    with quiet():
        check_words(make())


def test_people_read_words_in_the_catalogue():
    with quiet():
        for _, make in islice(comparisons(), 5, None, EVERY):
            check_words(make())


@pytest.mark.full
def test_people_read_words_in_the_whole_catalogue():
    with quiet():
        for _, make in comparisons():
            check_words(make())


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
        adjustments = "holm", "bonferroni", "max-t", None
        options["p_adjust"] = adjustments[rng.integers(4)]
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


def check_decisions(result):
    text, names = str(result), result.estimator_names
    lines = text.splitlines()
    n_lines = {k: n for k, n in LIMITS.items() if k >= len(names)}
    assert len(lines) <= min(n_lines.values()), text
    said = result.to_dict()
    first, table, *_ = text.split("\n\n")
    frame = result.to_frame()
    if len(names) == 2:
        is_significant = bool(frame["significant"][0])
        assert ("is better than" in first) == is_significant
        assert bool(said["better"]) == is_significant
        return
    shown = marked(table.splitlines()[2:])
    assert set(shown) == set(names)
    if said["family"] == "best set":
        tied = set(result.best_set().names)
    else:
        pairs = zip(frame["first"], frame["second"], frame["significant"], strict=True)
        reference = {*said["tied"], *said["better"], *said["worse"]}
        tied = {n for pair in pairs if not pair[2] for n in pair[:2] if n in reference}
        if result.reference is None:
            tied = {*said["tied"], result.best}
    for name, (is_marked, line) in shown.items():
        is_tied = name in tied and name != result.reference
        assert is_marked == is_tied, text
        p = P.search(line) if name != result.reference else None
        if p and line.count(" to ") > 1:
            assert (float(p[1]) > result.alpha) == is_tied, text
    for paper in (result.to_markdown(), result.to_latex()):
        body = re.split(r"\n\|[-:| ]+\n|\\midrule", paper)[1]
        for name, (is_marked, _) in marked(body.splitlines()).items():
            assert is_marked == shown[name][0], paper
    worse = [name for name in names if name not in tied and name != result.reference]
    assert set(worse) <= {*said["worse"], *said["better"]}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", [25, pytest.param(1000, marks=pytest.mark.slow)])
def test_prints_are_short_and_contradict_nothing(number):
    for seed in range(number):
        check_decisions(drawn(seed))


# Hard ones ---------------------------------------------------------------------------

PIPELINE = "Pipeline(steps=[('scale', StandardScaler()), ('model', Model(depth={}))])"
EXAMPLES = HoldoutTTest()
OF_PREDICTIONS = [
    {"reference": 0},
    {"test": HoldoutTTest(alternative="greater")},
    {"test": HoldoutTTest(popmean=0.02)},
    {"test": EquivalenceTest(EXAMPLES, margin=0.1)},
    {"test": EquivalenceTest(EXAMPLES, margin=0.03, alternative="greater")},
    {"test": EquivalenceTest(EXAMPLES, margin=0.05), "groups": True, "reference": 0},
    {"groups": True, "alpha": 0.00123},
]
OF_FITS = [
    {"cv": RepeatedSubsample(15, random_state=0)},  # another design finds more
    {"cv": BlockKFold(4, n_repeats=3, random_state=0), "groups": np.arange(120) // 10},
    {"cv": 4, "groups": np.arange(120) // 15},  # few groups
    {"cv": BlockKFold(5, random_state=0), "loss": "squared_error"},
    {"test": BayesianCorrelatedTTest(rope=0.02)},
    {"scoring": ["accuracy", "roc_auc", "f1"]},
]
NAMES = [[name.format(i) for i in range(8)] for name in ("m{}", PIPELINE)]


def named(names):
    return pytest.mark.parametrize("names", names, ids=["short", "long"])


def check_limits(result, n_models):
    """Hold a print to its lines and their length, and a report to its words."""
    names = getattr(result, "estimator_names", ())
    is_long = any(name in NAMES[1] for name in names)
    for shown in (result, *parts(result)):
        lines = str(shown).splitlines()
        most = LIMITS[n_models] * (1 + is_long)  # sentences hold whole names
        assert len(lines) <= most, str(shown)
        assert max(map(len, lines)) <= WIDTH, str(shown)
    if n_models == 2 and hasattr(result, "losses"):
        text = result.report()
        for name in names:
            text = text.replace(name, "name")
        assert len(text.split()) <= WORDS, text


def parts(result):
    """Yield what else a comparison says, of what it can say."""
    if not hasattr(result, "losses"):
        return
    calls = ("best_set",), ("winner_interval",), ("plan", 0.05)
    gate = "gate", 0.02, result.estimator_names[0]
    for name, *args in (*calls, gate):
        try:
            yield getattr(result, name)(*args)
        except (TypeError, ValueError):  # not of this test or design
            continue


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("options", OF_PREDICTIONS, ids=str)
@pytest.mark.parametrize("n_models", [2, 8])
@named(NAMES)
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
@pytest.mark.parametrize("options", OF_FITS, ids=lambda options: "-".join(options))
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
@named(NAMES)
def test_hard_prints_of_runs_are_short(n_models, names):
    rng = np.random.default_rng(0)
    base = rng.normal(size=(3, 80))
    runs = {n: base + 0.3 * rng.normal(size=(3, 80)) for n in names[:n_models]}
    result = compare_scores(runs)
    check_limits(result, n_models)
    check_limits(result.variance_table(), n_models)
